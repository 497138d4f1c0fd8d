"""6.5.1 and 6.5.4: in which order the battles of a phase are fought, and how each begins."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core import Field, Offer, OneOf, Role, Step
from sandtable.core.columns import lacking, put

from ..facts.attacks import left_open, pending_battles
from ..facts.politics import leader
from ..model import events as ev
from ..model.actions import Attack
from ..model.atlas import ATLAS, MAJORS, label, labels, name
from ..model.state import (
    ATOM,
    BOMBER,
    BOMBING,
    DOUBLE,
    LAND_BATTLE,
    LANDED,
    SEA_BATTLE,
    Battle,
    M,
    disembark,
    mark,
    role_of,
    send,
)
from .aftermath_phase import go_home
from .battle_phase import Fight
from .chart import gather, land_units
from .search import roll_search


class Combats(Step, frozen=True, tag="bg.combats"):
    """The phasing side chooses which battle is fought next; each is fought to its end. [bg-6.5.1-order]
    [bg-6.5.1-complete]"""

    rule = "bg-6.5.1-order"

    def run(self, m: M) -> None:
        spaces = pending_battles(m.state) or left_open(m.state)
        if not spaces:
            m.pop()
        elif len(spaces) == 1:
            start_battle(m, spaces[0])

    def roles(self, m: M) -> Sequence[Role]:
        return (MAJORS[leader(m.state, m.state.phasing)],)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        spaces = ATLAS.names(pending_battles(m.state))
        return [Offer(Attack, Field("space", "space", OneOf(spaces)), rule="bg-6.5.1-order")]

    def take(self, m: M, role: Role, action: Attack) -> None:
        start_battle(m, ATLAS.space_of[action.space])


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
    invaders: list[int] = []
    if space in state.invasions:
        invaders = land_invaders(m, space)
        state.invasions = lacking(state.invasions, space)
        if invaders and ATLAS.british_home[space] == ATLAS.uk:
            state.uk_invaded = True
    raid = not invaders and any(target == space and state.flags[u] & BOMBER for u, target in state.abroad.items())
    battle = gather(state, space, BOMBING if raid else LAND_BATTLE)
    bombers = [state.nation[u] for u in battle.attackers if raid and state.flags[u] & ATOM]
    _open(
        m,
        replace(
            battle,
            atom=bombers[0] if bombers else -1,
            invaders=tuple(invaders),
            coastal=bool(invaders),
            by=tuple(dict.fromkeys(role_of(state, u) for u in land_units(battle.attackers))),
        ),
    )


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
