"""6.5.8-6.5.10 and 6.8: retreats, forced retreats, the end of a battle, the way home, and who takes the area."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Play, Refusal, Role, Step

from ..facts.relations import ground
from ..model import events as ev
from ..model.actions import Retreat, Withdraw
from ..model.atlas import MAJORS, SUB, TF, atlas
from ..model.state import (
    BOMBING,
    FOUGHT,
    LAND_BATTLE,
    SEA_BATTLE,
    BKPlay,
    BKState,
    acting,
    enemy_side,
    has_enemy,
    is_friendly,
    put,
    remove,
)
from .aftermath import close
from .battle import STAGES, Fight
from .chart import army, flyers, land_units, the_battle
from .movement import label, uid
from .politics import may_enter
from .reach import name, why_not_cooperate, why_not_stack
from .search import leader_of
from .supply import is_gate_closed


# ---- after a round ------------------------------------------------------------------------------------------------
def after_round(m: BKPlay) -> None:
    """The battle ends, somebody is forced out, or both sides are asked. [bg-6.5.9-forced] [bg-6.5.9-both]
    [bg-6.5.10-end]"""
    state = m.state
    battle = the_battle(state)
    if battle.kind == BOMBING:
        from .bombing import finish_raid

        finish_raid(m)
        close(m)
        return
    if battle.kind == LAND_BATTLE:
        for side in (0, 1):
            units = army(battle, side)
            if units and not land_units(units) and (side == 0 or land_units(battle.attackers)):
                _send_off(m, side, flyers(units))
    if not battle.attackers or not battle.defenders or battle.limited:
        close(m)
        return
    m.replace(AskRetreat(0))
    if battle.kind == LAND_BATTLE and battle.round == 1 and m.option("coup-surrender"):
        # the holder of its coup card may let an attacked neutral give up now
        friends = acting(state, enemy_side(state.phasing))
        m.window("surrender", [MAJORS[n] for n in friends])


def stalemate(m: BKPlay) -> None:
    """Nobody can fire: on land the phasing side must go, at sea both stay. [bg-6.5.2-zero]"""
    state = m.state
    battle = the_battle(state)
    if battle.kind == LAND_BATTLE:
        _send_off(m, 0, flyers(battle.attackers))
        units = land_units(battle.attackers)
        m.replace(Withdrawal(0, tuple(units), forced=True))
        return
    close(m)


def _send_off(m: BKPlay, side: int, units: list[int]) -> None:
    """Aircraft and Task Forces leave the battle; they come home when it is over."""
    battle = the_battle(m.state)
    for unit in units:
        army(battle, side).remove(unit)
        battle.gone.append(unit)


# ---- the question -------------------------------------------------------------------------------------------------
def land_retreats(m: BKPlay, unit: int) -> list[int]:
    """Adjacent friendly areas; if there is none, areas that hold units of both sides. [bg-6.5.8-land]
    [bg-6.5.8-land-contested]
    [bg-opt-9.11-retreat]"""
    state, found = m.state, atlas()
    nation = state.nation[unit]
    clear: list[int] = []
    contested: list[int] = []
    friendly = ground(state).friendly(nation)
    for there in found.land_next[state.place[unit]]:
        if not friendly[there] or not may_enter(state, nation, there):
            if has_enemy(state, nation, there) and any(
                state.side[state.nation[u]] == state.side[nation] for u in state.here[there]
            ):
                contested.append(there)
            continue
        if why_not_stack(state, unit, there) is not None:
            continue
        (contested if has_enemy(state, nation, there) else clear).append(there)
    best = [s for s in clear if why_not_cooperate(m, unit, s) is None]
    return best or clear or [s for s in contested if why_not_stack(state, unit, s) is None]


def sea_retreats(m: BKPlay, unit: int) -> list[int]:
    """Adjacent zones without an enemy Task Force (in the basic game without any enemy ship), or else shared ones.
    [bg-6.5.8-ships] [bg-basic-6.2.3-ships] [bg-6.5.8-ships-contested]"""
    state, found = m.state, atlas()
    nation, zone = state.nation[unit], state.place[unit]
    clear, shared = [], []
    for there in found.sea_next[zone]:
        if is_gate_closed(state, nation, zone, there, found.type[unit] == SUB):
            continue
        enemies = [u for u in state.here[there] if state.war[nation] >> state.nation[u] & 1]
        friends = any(state.side[state.nation[u]] == state.side[nation] for u in state.here[there])
        if state.advanced:
            enemies = [u for u in enemies if found.type[u] == TF]
        if not enemies:
            clear.append(there)
        elif friends:
            shared.append(there)
    return clear or shared


def why_not_retreat(m: BKPlay, side: int) -> Refusal | None:
    """Whether a side may leave the battle. [bg-6.5.8-all] [bg-6.5.8-none] [bg-scn39-poland-no-retreat]
    [bg-card-total-war]
    [bg-6.5.4-no-reembark]"""
    state, found = m.state, atlas()
    battle = the_battle(state)
    for unit in army(battle, side):
        if state.nation[unit] == found.poland and found.space_ids[battle.space] == "western_poland":
            return Refusal("bg-scn39-poland-no-retreat", "poland-stays")
        if is_in_total_war(state, unit):
            return Refusal("bg-card-total-war", "total-war", country=f"@{MAJORS[state.nation[unit]]}")
    if battle.kind == SEA_BATTLE:
        for unit in army(battle, side):
            if found.is_ship[unit] and not sea_retreats(m, unit):
                return Refusal("bg-6.5.8-none", "nowhere-to-go", unit=label(unit))
        return None
    for unit in land_units(army(battle, side)):
        if not land_retreats(m, unit):
            rule = "bg-6.5.4-no-reembark" if unit in battle.invaders else "bg-6.5.8-none"
            return Refusal(rule, "nowhere-to-go", unit=label(unit))
    return None


def is_in_total_war(state: BKState, unit: int) -> bool:
    """Troops of a country that has declared it never leave a combat of their own accord. [bg-card-total-war]"""
    return state.table.get(atlas().card_of["total_war"], -1) == state.nation[unit]


def may_fly_off(state: BKState, side: int) -> list[int]:
    """Aircraft, and Task Forces over land, that may leave although the others fight on. [bg-6.5.8-air-tf]"""
    battle = the_battle(state)
    units = army(battle, side)
    fleers = flyers(units) if battle.kind == LAND_BATTLE else [u for u in units if atlas().is_air[u]]
    return [u for u in fleers if not is_in_total_war(state, u)]


class AskRetreat(Step, frozen=True, tag="bg.ask-retreat"):
    """First the phasing, then the other side: fight on, retreat everything, or only aircraft and Task Forces.
    [bg-6.5.8-ask]
    [bg-6.5.8-air-tf] [bg-6.5.8-continue] [bg-6.4.3f-enemy-adv] [bg-6.4.3f-retreat]"""

    rule = "bg-6.5.8-ask"
    side: int

    def run(self, m: Play[BKState]) -> None:
        battle = the_battle(m.state)
        if not battle.attackers or not battle.defenders:
            close(m)
        elif self.choices(m) == ["fight"]:
            self._fight_on(m)

    def choices(self, m: BKPlay) -> list[str]:
        battle = the_battle(m.state)
        out = ["fight"]
        units = army(battle, self.side)
        fleers = may_fly_off(m.state, self.side)
        if why_not_retreat(m, self.side) is None:
            out.append("retreat")
        if fleers and len(fleers) < len(units):
            out.append("air")
        if battle.kind == SEA_BATTLE and battle.handicap and self.side == 1:
            out.append("break-off")
        return out

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        state = m.state
        side = state.phasing if self.side == 0 else enemy_side(state.phasing)
        return (leader_of(state, army(the_battle(state), self.side), side),)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        def why(value: str) -> Refusal | None:
            return why_not_retreat(m, self.side) if value == "retreat" else None

        return [Offer(Retreat, Field("what", "choice", OneOf(self.choices(m), why=why)), rule="bg-6.5.8-ask")]

    def take(self, m: Play[BKState], role: Role, action: Retreat) -> None:
        state = m.state
        battle = the_battle(state)
        units = army(battle, self.side)
        if action.what == "fight":
            self._fight_on(m)
        elif action.what == "air":
            _send_off(m, self.side, may_fly_off(state, self.side))
            self._fight_on(m)
        elif action.what == "break-off":
            close(m)
        elif battle.kind == SEA_BATTLE:
            _send_off(m, self.side, [u for u in units if atlas().is_air[u]])
            m.replace(Withdrawal(self.side, tuple(army(battle, self.side))))
        else:
            _send_off(m, self.side, flyers(units))
            m.replace(Withdrawal(self.side, tuple(land_units(army(battle, self.side)))))

    def _fight_on(self, m: BKPlay) -> None:
        if self.side == 0:
            m.replace(AskRetreat(1))
        else:
            battle = the_battle(m.state)
            battle.round += 1
            m.replace(Fight("round"))


class Withdrawal(Step, frozen=True, tag="bg.withdrawal"):
    """Each unit goes where its owner likes. [bg-6.5.8-split] [bg-6.5.8-land] [bg-6.5.8-ships]"""

    rule = "bg-6.5.8-split"
    side: int
    units: tuple[int, ...]
    forced: bool = False

    def run(self, m: Play[BKState]) -> None:
        if not self.units:
            close(m)
            return
        unit = self.units[0]
        ways = self._ways(m, unit)
        if len(ways) == 1:
            self._go(m, unit, ways[0])
        elif not ways:
            self._lose(m, unit)

    def _ways(self, m: BKPlay, unit: int) -> list[int]:
        return sea_retreats(m, unit) if atlas().is_ship[unit] else land_retreats(m, unit)

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        side = m.state.phasing if self.side == 0 else enemy_side(m.state.phasing)
        return (leader_of(m.state, self.units[:1], side),) if self.units else ()

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        unit = self.units[0]
        return [
            Offer(
                Withdraw,
                Field("unit", "unit", OneOf([uid(unit)])),
                Field("to", "space", OneOf(atlas().names(self._ways(m, unit)), why=_no_way)),
                rule="bg-6.5.8-land",
            )
        ]

    def take(self, m: Play[BKState], role: Role, action: Withdraw) -> None:
        self._go(m, self.units[0], atlas().space_of[action.to])

    def _go(self, m: BKPlay, unit: int, to: int) -> None:
        state = m.state
        m.emit(ev.Retreated(unit=label(unit), origin=name(state.place[unit]), space=name(to)))
        put(state, unit, to)
        state.flags[unit] |= FOUGHT
        army(the_battle(state), self.side).remove(unit)
        go_on_to_partners(m, unit)
        m.replace(Withdrawal(self.side, self.units[1:], self.forced))

    def _lose(self, m: BKPlay, unit: int) -> None:
        state = m.state
        m.emit(ev.Lost(unit=label(unit), space=name(state.place[unit])))
        army(the_battle(state), self.side).remove(unit)
        remove(state, unit)
        m.replace(Withdrawal(self.side, self.units[1:], self.forced))


def go_on_to_partners(m: BKPlay, unit: int) -> None:
    """Optional 9.11: whoever fled to strangers goes on until he is among partners. [bg-opt-9.11-retreat]"""
    state, found = m.state, atlas()
    start, nation = state.place[unit], state.nation[unit]
    if found.is_sea[start] or why_not_cooperate(m, unit, start) is None:
        return
    seen, frontier = {start}, [start]
    while frontier:
        following = []
        for here in frontier:
            for there in found.land_next[here]:
                if there in seen or not is_friendly(state, nation, there) or has_enemy(state, nation, there):
                    continue
                seen.add(there)
                following.append(there)
                if why_not_cooperate(m, unit, there) is None and why_not_stack(state, unit, there) is None:
                    put(state, unit, there)
                    m.emit(ev.Retreated(unit=label(unit), origin=name(start), space=name(there)))
                    return
        frontier = following


def _no_way(value: str) -> Refusal:
    return Refusal("bg-6.5.8-land", "no-retreat-there", space=f"@{value}")


STAGES["after"] = lambda m, step: after_round(m)
STAGES["stalemate"] = lambda m, step: stalemate(m)
