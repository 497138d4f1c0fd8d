"""6.5.10 and 6.8: the end of a battle, who takes the area, the way home; and two smaller questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Refusal, Role, Step

from ..model import events as ev
from ..model.actions import Govern, Liberate, TakeHit, Withdraw
from ..model.atlas import AIR, MAJORS, SIDES, TF, atlas
from ..model.state import (
    BOMBER,
    BOMBING,
    FOUGHT,
    LAND_BATTLE,
    SEA_BATTLE,
    STATIONED,
    BKPlay,
    BKState,
    changed,
    enemy_side,
    has_enemy,
    is_friendly,
    is_hostile,
    put,
    remove,
    send,
)
from .battle import take_hit
from .chart import land_units, the_battle
from .control import free_country, occupy, rightful_holder, take_control
from .movement import label, uid
from .reach import air_range, bases, can_land, name
from .search import leader_of


# ---- the end ------------------------------------------------------------------------------------------------------
def close(m: BKPlay) -> None:
    """The battle is over: mark who fought, settle control, bring the flyers home. [bg-6.5.10-end]
    [bg-6.8-no-air-control]"""
    state = m.state
    battle = the_battle(state)
    for unit in (*battle.attackers, *battle.defenders, *battle.gone):
        state.flags[unit] |= FOUGHT
    winners = 0 if not battle.defenders else 1 if not battle.attackers else -1
    side = "" if winners < 0 else f"@{SIDES[state.phasing if winners == 0 else enemy_side(state.phasing)]}"
    m.emit(ev.BattleEnded(space=name(battle.space), side=side))
    if battle.kind == LAND_BATTLE and land_units(battle.attackers) and not land_units(battle.defenders):
        _evict(m, battle.space)
        takers = list(
            dict.fromkeys(
                state.master[state.nation[u]]
                for u in land_units(battle.attackers)
                if is_hostile(state, state.nation[u], battle.space)
            )
        )
        m.replace(TakeOver(battle.space, tuple(takers)))
    else:
        m.replace(TakeOver(battle.space, ()))


def _evict(m: BKPlay, space: int) -> None:
    """Units that had only fled here share the outcome of the battle: they go on or are lost.
    [bg-6.5.8-land-contested]"""
    from .retreat import land_retreats

    state, found = m.state, atlas()
    battle = the_battle(state)
    for unit in list(state.here[space]):
        nation = state.nation[unit]
        if state.side[nation] != enemy_side(state.phasing) or unit in battle.defenders or unit in battle.gone:
            continue
        if not any(state.war[nation] >> state.nation[a] & 1 for a in battle.attackers):
            continue
        if found.is_air[unit]:
            if state.mission[unit] < 0:
                battle.gone.append(unit)
            continue
        ways = land_retreats(m, unit)
        if ways:
            put(state, unit, ways[0])
            m.emit(ev.Retreated(unit=label(unit), origin=name(space), space=name(ways[0])))
        else:
            m.emit(ev.Lost(unit=label(unit), space=name(space)))
            remove(state, unit)


class TakeOver(Step, frozen=True, tag="bg.take-over"):
    """The side names the participant that controls what several took. [bg-6.8-joint-capture] [bg-6.8-change]"""

    rule = "bg-6.8-joint-capture"
    space: int
    takers: tuple[int, ...]

    def run(self, m: Play[BKState]) -> None:
        if len(self.takers) > 1 and m.state.advanced and self._matters(m):
            return
        m.pop()
        go_home(m)
        if self.takers:
            self._settle(m, self.takers[0])

    def _matters(self, m: BKPlay) -> bool:
        return all(rightful_holder(m.state, self.space, taker) == taker for taker in self.takers)

    def _settle(self, m: BKPlay, taker: int) -> None:
        occupy(m, self.space, taker)

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        boss = atlas().boss[m.state.phasing]
        return (MAJORS[boss if boss in self.takers else self.takers[0]],) if self.takers else ()

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        return [Offer(Govern, Field("country", "choice", OneOf([MAJORS[n] for n in self.takers])), rule=self.rule)]

    def take(self, m: Play[BKState], role: Role, action: Govern) -> None:
        m.pop()
        go_home(m)
        self._settle(m, MAJORS.index(action.country))


def go_home(m: BKPlay) -> None:
    """Task Forces are back in their zones; aircraft look for a base."""
    state, found = m.state, atlas()
    battle = the_battle(state)
    space = battle.space
    away: list[int] = []
    for unit in dict.fromkeys((*battle.attackers, *battle.defenders, *battle.gone, *_came_for_nothing(state))):
        if state.place[unit] < 0:
            continue
        if found.type[unit] == TF:
            send(state, unit, -1)
        elif found.type[unit] == AIR:
            away.append(unit)
    # the losers' aircraft leave the field first, so that the winners' can land on it
    loser = enemy_side(state.phasing) if land_units(battle.attackers) else state.phasing
    away.sort(key=lambda u: state.side[state.nation[u]] != loser)
    kamikaze = battle.kamikaze
    state.battle = None
    if kamikaze:
        for unit in list(away):
            if found.nation_ids[state.nation[unit]] == "japan":
                m.emit(ev.Lost(unit=label(unit), space=name(space)))
                remove(state, unit)
                away.remove(unit)
    m.push(Landing(space, tuple(away)))


def _came_for_nothing(state: BKState) -> list[int]:
    """Units whose mission was this battle although they found nobody to fight there."""
    battle = the_battle(state)
    raid = battle.kind == BOMBING
    return [
        u
        for u, target in state.abroad.items()
        if target == battle.space
        and state.carrier[u] < 0
        and not state.flags[u] & STATIONED
        and (battle.kind == SEA_BATTLE or bool(state.flags[u] & BOMBER) == raid)
    ]


class Landing(Step, frozen=True, tag="bg.landing"):
    """Aircraft fly their range again to a friendly area, or are lost. [bg-6.4.1-air-return] [bg-6.5.8-air]
    [bg-6.5.9-no-base]
    [bg-6.4.1-air-landing]"""

    rule = "bg-6.4.1-air-return"
    space: int
    units: tuple[int, ...]

    def run(self, m: Play[BKState]) -> None:
        if not self.units:
            m.pop()
            return
        ways = self.ways(m, self.units[0])
        if len(ways) > 1:
            m.cache["landing"] = (self, ways)  # for the offers, which come next
        elif ways:
            self._land(m, self.units[0], ways[0])
        else:
            unit = self.units[0]
            m.emit(ev.Lost(unit=label(unit), space=name(self.space)))
            remove(m.state, unit)
            m.replace(Landing(self.space, self.units[1:]))

    def ways(self, m: BKPlay, unit: int) -> list[int]:
        state, found = m.state, atlas()
        if (
            state.mission[unit] < 0
            and is_friendly(state, state.nation[unit], self.space)
            and not has_enemy(state, state.nation[unit], self.space)
        ):
            return [self.space]
        if state.nation[unit] == found.poland and found.space_ids[self.space] == "western_poland":
            return []
        return bases(m, unit, self.space, air_range(state, unit))

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        if not self.units:
            return ()
        return (leader_of(m.state, self.units[:1], m.state.side[m.state.nation[self.units[0]]]),)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        unit = self.units[0]
        asked, ways = m.cache.get("landing") or (self, None)
        if ways is None or asked is not self:
            ways = self.ways(m, unit)

        def why(value: str) -> Refusal | None:
            space = atlas().space_of.get(value)
            if space is None:
                return None
            return can_land(m, unit, space) or Refusal("bg-6.5.8-air", "out-of-range", unit=label(unit),
                                                       space=f"@{value}", range=air_range(m.state, unit))  # fmt: skip

        return [
            Offer(
                Withdraw,
                Field("unit", "unit", OneOf([uid(unit)])),
                Field("to", "space", OneOf(atlas().names(ways), why=why)),
                rule="bg-6.4.1-air-return",
            )
        ]

    def take(self, m: Play[BKState], role: Role, action: Withdraw) -> None:
        self._land(m, self.units[0], atlas().space_of[action.to])

    def _land(self, m: BKPlay, unit: int, to: int) -> None:
        state = m.state
        send(state, unit, -1)
        if state.flags[unit] & STATIONED:
            state.flags[unit] &= ~STATIONED
            state.due = changed(state.due, unit, -1)
        if state.place[unit] != to:
            m.emit(ev.Retreated(unit=label(unit), origin=name(self.space), space=name(to)))
            put(state, unit, to)
        m.replace(Landing(self.space, self.units[1:]))


# ---- smaller questions --------------------------------------------------------------------------------------------
class CoastalHit(Step, frozen=True, tag="bg.coastal-hit"):
    """The coastal defence hits one landed unit, with a 6 its convoy too. [bg-6.5.4-coastal-defence]
    [bg-6.5.4-coastal-six]
    [bg-10.2-landing-convoys]"""

    rule = "bg-6.5.4-coastal-defence"
    convoy_too: bool

    def run(self, m: Play[BKState]) -> None:
        units = the_battle(m.state).invaders
        if len(units) <= 1:
            m.pop()
            if units:
                self._hit(m, units[0])

    def _hit(self, m: BKPlay, unit: int) -> None:
        state = m.state
        convoy = state.start[unit]
        take_hit(m, unit)
        if self.convoy_too and state.place[convoy] >= 0 and atlas().is_ship[convoy]:
            take_hit(m, convoy)

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (leader_of(m.state, the_battle(m.state).invaders, m.state.phasing),)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        ids = [uid(u) for u in the_battle(m.state).invaders]
        return [Offer(TakeHit, Field("unit", "unit", OneOf(ids)), rule=self.rule)]

    def take(self, m: Play[BKState], role: Role, action: TakeHit) -> None:
        m.pop()
        self._hit(m, atlas().unit_of[action.unit])


class LiberateOrKeep(Step, frozen=True, tag="bg.liberate"):
    """Optional 9.4: free the country, or keep what its areas produce. [bg-opt-9.4]"""

    rule = "bg-opt-9.4"
    space: int
    taker: int

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (MAJORS[self.taker],)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        return [Choices([Liberate(True), Liberate(False)], rule=self.rule)]

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        m.pop()
        owner = atlas().owner[self.space]
        if action.free:
            free_country(m, owner)
            take_control(m, self.space, owner)
        else:
            take_control(m, self.space, self.taker)
