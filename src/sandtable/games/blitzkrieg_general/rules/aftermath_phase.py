"""6.5.10 and 6.8: the end of a battle, who takes the area, and the way home."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core import Field, Offer, OneOf, Refusal, Role, Step
from sandtable.core.columns import put

from ..facts.attacks import pending_battles
from ..facts.ground import is_friendly
from ..facts.reach import air_range, bases
from ..model import events as ev
from ..model.actions import Govern, Withdraw
from ..model.atlas import AIR, ATLAS, JAPAN, MAJORS, SIDES, TF, label, name, unit_id
from ..model.state import (
    BOMBER,
    BOMBING,
    FOUGHT,
    LAND_BATTLE,
    SEA_BATTLE,
    STATIONED,
    BKState,
    M,
    enemy_side,
    has_enemy,
    is_hostile,
    mark_all,
    move_unit,
    remove,
    send,
    the_battle,
    unmark_all,
)
from .chart import land_units
from .control import rightful_holder
from .control_phase import occupy
from .politics import leader_of
from .retreat import land_retreats, stands_fast
from .stacking import why_not_land


# ---- the end ------------------------------------------------------------------------------------------------------
def close(m: M) -> None:
    """The battle is over: mark who fought, settle control, bring the flyers home. [bg-6.5.10-end]
    [bg-6.8-no-air-control]"""
    state = m.state
    battle = the_battle(state)
    mark_all(state, (*battle.attackers, *battle.defenders, *battle.gone), FOUGHT)
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


def _evict(m: M, space: int) -> None:
    """Units that had only fled here share the outcome of the battle: they go on or are lost.
    [bg-6.5.8-land-contested]"""
    state = m.state
    battle, gone = the_battle(state), []
    for unit in list(state.here[space]):
        nation = state.nation[unit]
        if state.side[nation] != enemy_side(state.phasing) or unit in (*battle.defenders, *battle.gone):
            continue
        if not any(state.war[nation] >> state.nation[a] & 1 for a in battle.attackers):
            continue
        if ATLAS.is_air[unit]:
            if state.mission[unit] < 0:
                gone.append(unit)
            continue
        ways = land_retreats(state, unit)
        if ways:
            move_unit(state, unit, ways[0])
            m.emit(ev.Retreated(unit=label(unit), origin=name(space), space=name(ways[0])))
        else:
            m.emit(ev.Lost(unit=label(unit), space=name(space)))
            remove(state, unit)
    state.battle = replace(battle, gone=(*battle.gone, *gone))


class TakeOver(Step, frozen=True, tag="bg.take-over"):
    """The side names the participant that controls what several took. [bg-6.8-joint-capture] [bg-6.8-change]"""

    rule = "bg-6.8-joint-capture"
    space: int
    takers: tuple[int, ...]

    def run(self, m: M) -> None:
        if len(self.takers) > 1 and m.state.advanced and self._matters(m):
            return
        m.pop()
        go_home(m)
        if self.takers:
            self._settle(m, self.takers[0])

    def _matters(self, m: M) -> bool:
        return all(rightful_holder(m.state, self.space, taker) == taker for taker in self.takers)

    def _settle(self, m: M, taker: int) -> None:
        occupy(m, self.space, taker)

    def roles(self, m: M) -> Sequence[Role]:
        boss = ATLAS.boss[m.state.phasing]
        return (MAJORS[boss if boss in self.takers else self.takers[0]],) if self.takers else ()

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        return [Offer(Govern, Field("country", "choice", OneOf([MAJORS[n] for n in self.takers])), rule=self.rule)]

    def take(self, m: M, role: Role, action: Govern) -> None:
        m.pop()
        go_home(m)
        self._settle(m, MAJORS.index(action.country))


def go_home(m: M) -> None:
    """Task Forces are back in their zones; aircraft look for a base."""
    state = m.state
    battle = the_battle(state)
    space = battle.space
    away: list[int] = []
    for unit in dict.fromkeys((*battle.attackers, *battle.defenders, *battle.gone, *_came_for_nothing(state))):
        if state.place[unit] < 0:
            continue
        if ATLAS.type[unit] == TF:
            send(state, unit, -1)
        elif ATLAS.type[unit] == AIR:
            away.append(unit)
    # the losers' aircraft leave the field first, so that the winners' can land on it
    loser = enemy_side(state.phasing) if land_units(battle.attackers) else state.phasing
    away.sort(key=lambda u: state.side[state.nation[u]] != loser)
    kamikaze = battle.kamikaze
    state.battle = None
    if kamikaze:
        for unit in list(away):
            if state.nation[unit] == JAPAN:
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

    def run(self, m: M) -> None:
        if not self.units:
            m.pop()
            return
        ways = self.ways(m.state, self.units[0])
        if len(ways) == 1:
            self._land(m, self.units[0], ways[0])
        elif not ways:
            unit = self.units[0]
            m.emit(ev.Lost(unit=label(unit), space=name(self.space)))
            remove(m.state, unit)
            m.replace(Landing(self.space, self.units[1:]))

    def ways(self, state: BKState, unit: int) -> list[int]:
        nation = state.nation[unit]
        at_home = state.mission[unit] < 0 and is_friendly(state, nation, self.space)
        if at_home and (not has_enemy(state, nation, self.space) or self.space in pending_battles(state)):
            return [self.space]
        if stands_fast(state, unit, self.space):
            return []
        return bases(state, unit, self.space, air_range(state, unit))

    def roles(self, m: M) -> Sequence[Role]:
        if not self.units:
            return ()
        return (leader_of(m.state, self.units[:1], m.state.side[m.state.nation[self.units[0]]]),)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state, unit = m.state, self.units[0]
        ways = self.ways(state, unit)

        def why(value: str) -> Refusal | None:
            space = ATLAS.space_of.get(value)
            if space is None:
                return None
            far = air_range(state, unit)
            return why_not_land(state, unit, space) or Refusal(
                "bg-6.5.8-air", "out-of-range", unit=label(unit), space=f"@{value}", range=far
            )

        return [
            Offer(
                Withdraw,
                Field("unit", "unit", OneOf([unit_id(unit)])),
                Field("to", "space", OneOf(ATLAS.names(ways), why=why)),
                rule="bg-6.4.1-air-return",
            )
        ]

    def take(self, m: M, role: Role, action: Withdraw) -> None:
        self._land(m, self.units[0], ATLAS.space_of[action.to])

    def _land(self, m: M, unit: int, to: int) -> None:
        state = m.state
        send(state, unit, -1)
        if state.flags[unit] & STATIONED:
            unmark_all(state, STATIONED, (unit,))
            state.due = put(state.due, unit, -1)
        if state.place[unit] != to:
            m.emit(ev.Retreated(unit=label(unit), origin=name(self.space), space=name(to)))
            move_unit(state, unit, to)
        m.replace(Landing(self.space, self.units[1:]))
