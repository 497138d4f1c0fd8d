"""6.5.1 and 6.5.4: in which order the battles of a phase are fought, and how each begins."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core import Field, Offer, OneOf, Role, Step, Subsets
from sandtable.core.columns import lacking, put

from ..facts.attacks import attackers, left_open, pending_battles
from ..facts.politics import leader
from ..model import events as ev
from ..model.actions import Attack, Join
from ..model.atlas import ATLAS, MAJORS, label, labels, name
from ..model.state import (
    ATOM,
    BOMBER,
    BOMBING,
    DOUBLE,
    LAND_BATTLE,
    LANDED,
    SEA_BATTLE,
    STATIONED,
    Battle,
    BKState,
    M,
    disembark,
    enemy_side,
    is_hostile,
    mark,
    role_of,
    send,
)
from .aftermath_phase import Landing, go_home
from .battle_phase import Fight
from .chart import flyers, gather, land_units
from .politics import leader_of
from .search import roll_search


class Combats(Step, frozen=True, tag="bg.combats"):
    """The phasing side chooses which battle is fought next, each major among its own; each battle is fought to its end.
    [bg-6.5.1-order] [bg-6.5.1-complete]"""

    rule = "bg-6.5.1-order"

    def run(self, m: M) -> None:
        spaces = pending_battles(m.state) or left_open(m.state)
        if len(spaces) == 1:
            start_battle(m, spaces[0])
        elif not spaces and not recall(m):
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        return [MAJORS[major] for major in sorted(_battles_of(m.state))]

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        spaces = ATLAS.names(_battles_of(m.state)[MAJORS.index(role)])
        return [Offer(Attack, Field("space", "space", OneOf(spaces)), rule="bg-6.5.1-order")]

    def take(self, m: M, role: Role, action: Attack) -> None:
        start_battle(m, ATLAS.space_of[action.space])


def recall(m: M) -> bool:
    """Whoever came for a battle that does not take place goes home: Task Forces at once, the aircraft of one space
    after the other. Returns whether aircraft are on their way. [bg-6.4.1-air-return] [bg-6.5.4-retreat]"""
    state, waiting = m.state, dict[int, list[int]]()
    for unit, target in state.abroad.items():
        if state.carrier[unit] < 0 and not state.flags[unit] & STATIONED:
            waiting.setdefault(target, []).append(unit)
    for target, units in waiting.items():
        aircraft = tuple(unit for unit in units if ATLAS.is_air[unit])
        for unit in units:
            if not ATLAS.is_air[unit]:
                send(state, unit, -1)
        if aircraft:
            m.push(Landing(target, aircraft))
            return True
    return False


def _battles_of(state: BKState) -> dict[int, list[int]]:
    """The spaces where each major of the phasing side has to fight; the leader has those where none is left."""
    out: dict[int, list[int]] = {}
    for space in pending_battles(state):
        majors = {role_of(state, unit) for unit in attackers(state, space)}
        for major in majors or {leader(state, state.phasing)}:
            out.setdefault(major, []).append(space)
    return out


def start_battle(m: M, space: int) -> None:
    """Gather both sides and open the chart."""
    state = m.state
    if ATLAS.is_sea[space]:
        if space not in state.sea_battles:
            begin_air_raid(m, space)
            return
        state.sea_battles = lacking(state.sea_battles, space)
        begin_sea_battle(m, space, [], [], limited=False)
        return
    if any(target == space and state.flags[u] & BOMBER for u, target in state.abroad.items()):
        m.push(Bombardment(space))
        return
    invaders: list[int] = []
    if space in state.invasions:
        invaders = land_invaders(m, space)
        state.invasions = lacking(state.invasions, space)
        if invaders and ATLAS.british_home[space] == ATLAS.uk:
            state.uk_invaded = True
    battle = gather(state, space, LAND_BATTLE)
    by = tuple(dict.fromkeys(role_of(state, u) for u in land_units(battle.attackers)))
    _open(m, replace(battle, invaders=tuple(invaders), coastal=bool(invaders), by=by))


class Bombardment(Step, frozen=True, tag="bg.bombardment"):
    """A raid on an area's production. It comes before any other combat there, and where there is one the other side
    says which of its aircraft and Task Forces meet the bombers: nobody fights twice. [bg-6.5.6-two-combats]
    [bg-6.5.6-intercept] [bg-10.1-pin]"""

    rule = "bg-6.5.6-two-combats"
    space: int

    def run(self, m: M) -> None:
        state = m.state
        battle = gather(state, self.space, BOMBING)
        bombers = [u for u in battle.attackers if is_hostile(state, state.nation[u], self.space)]
        if not bombers:  # the area has fallen meanwhile
            state.battle = replace(battle, attackers=(), defenders=(), gone=battle.attackers)
            m.pop()
            go_home(m)
        elif not self._is_attacked(state):
            self._raid(m, battle)
        elif not flyers(battle.defenders):
            self._raid(m, replace(battle, defenders=()))

    def _is_attacked(self, state: BKState) -> bool:
        """Whether another combat waits in the area."""
        return self.space in state.invasions or bool(gather(state, self.space, LAND_BATTLE).attackers)

    def _raid(self, m: M, battle: Battle) -> None:
        carriers = [m.state.nation[u] for u in battle.attackers if m.state.flags[u] & ATOM]
        m.pop()
        _open(m, replace(battle, atom=carriers[0] if carriers else -1))

    def roles(self, m: M) -> Sequence[Role]:
        mine = flyers(gather(m.state, self.space, BOMBING).defenders)
        return (leader_of(m.state, mine, enemy_side(m.state.phasing)),) if mine else ()

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        mine = ATLAS.names_of(flyers(gather(m.state, self.space, BOMBING).defenders))
        return [Offer(Join, Field("units", "units", Subsets(mine)), rule="bg-6.5.6-intercept")]

    def take(self, m: M, role: Role, action: Join) -> None:
        battle = gather(m.state, self.space, BOMBING)
        self._raid(m, replace(battle, defenders=tuple(ATLAS.unit_of[ident] for ident in action.units)))


def land_invaders(m: M, area: int) -> list[int]:
    """Cargo that was announced and still floats goes ashore. [bg-6.5.4-def]"""
    state = m.state
    landed = []
    for loads in list(state.cargo.values()):
        for unit in loads:
            if state.mission[unit] == area:
                convoy = state.carrier[unit]
                send(state, unit, -1)
                disembark(state, unit, area)
                state.origin = put(state.origin, unit, -1)
                state.start = put(state.start, unit, convoy)
                mark(state, unit, LANDED)
                landed.append(unit)
                m.emit(ev.Disembarked(unit=label(unit), space=name(area)))
    return landed


def begin_sea_battle(m: M, zone: int, group: Sequence[int], help_: Sequence[int], *, limited: bool) -> None:
    """A battle at sea: of whole fleets, or of an intercepted group for one round. [bg-6.4.3d-case1]
    [bg-6.4.3e-air-help]"""
    state = m.state
    for unit in help_:
        send(state, unit, zone)
    battle = gather(state, zone, SEA_BATTLE)
    if group:
        battle = replace(battle, attackers=tuple(u for u in battle.attackers if u in (*group, *help_)))
    handicap = any(state.flags[u] & DOUBLE for u in battle.attackers)
    battle = replace(battle, limited=limited, handicap=handicap)
    if state.effects.get("naval_surprise_zone", -1) == zone:
        nation = state.effects["naval_surprise_by"]
        state.effects = lacking(lacking(state.effects, "naval_surprise_by"), "naval_surprise_zone")
        battle = replace(battle, first=int(state.side[nation] != state.phasing), surprise=nation)
    _open(m, battle)


def begin_air_raid(m: M, zone: int) -> None:
    """Aircraft alone look for ships, then fight or go home. [bg-6.4.3e-col-tf] [bg-6.5.3-conv-air-alone]"""
    state = m.state
    battle = gather(state, zone, SEA_BATTLE)
    raiders = [u for u in battle.attackers if ATLAS.is_air[u]]
    enemies = [u for u in battle.defenders if ATLAS.is_ship[u]]
    found = bool(raiders and enemies)
    if found and state.advanced:
        found = roll_search(m, state.phasing, zone, raiders, enemies)
    battle = replace(battle, attackers=tuple(raiders if found or not state.advanced else ()), air_only=True)
    if found:
        _open(m, battle)
        return
    defenders = tuple(u for u in battle.defenders if not ATLAS.is_ship[u])
    state.battle = replace(battle, defenders=defenders, gone=(*raiders, *defenders))
    go_home(m)


def _open(m: M, battle: Battle) -> None:
    state = m.state
    state.battle = battle
    m.emit(
        ev.BattleBegan(
            space=name(battle.space),
            attackers=labels(battle.attackers),
            defenders=labels(battle.defenders),
        )
    )
    m.push(Fight("open"))
