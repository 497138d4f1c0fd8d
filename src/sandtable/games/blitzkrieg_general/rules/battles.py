"""6.5.1 and 6.5.4: which battles a phase has, in which order they are fought, and how each begins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from sandtable.core import Field, Offer, OneOf, Play, Role, Step

from ..facts.relations import ground, relations, roster
from ..model import events as ev
from ..model.actions import Attack
from ..model.atlas import MAJORS, atlas
from ..model.state import (
    ATOM,
    BOMBER,
    BOMBING,
    FOUGHT,
    LAND_BATTLE,
    LANDED,
    SEA_BATTLE,
    STATIONED,
    Battle,
    BKPlay,
    BKState,
    acting,
    changed,
    disembark,
    enemy_side,
    is_hostile,
    send,
    without,
)
from .battle import Fight
from .chart import (
    gather,
)
from .flying import units_on_missions
from .movement import label
from .reach import name
from .search import roll_search


# ---- which battles there are --------------------------------------------------------------------------------------
def pending_battles(m: BKPlay) -> list[int]:
    """Spaces where the phasing side still has to fight. [bg-6.5.1-order]"""
    state, found = m.state, atlas()
    out: list[int] = []
    if state.abroad or state.invasions:
        ours, nations, flags = relations(state).members(state.phasing), state.nation, state.flags
        flown = [(u, target) for u, target in state.abroad.items() if ours >> nations[u] & 1]
        raided = {target for u, target in flown if state.carrier[u] < 0}
        at_sea = {target for u, target in flown if not flags[u] & STATIONED}
        for space in dict.fromkeys((*state.invasions, *state.abroad.values())):
            if found.is_sea[space]:
                if space in at_sea and space not in state.sea_battles:
                    out.append(space)
            elif space in raided or space in state.invasions:
                out.append(space)
    for space in contested_areas(m):
        if space not in out and _fight(state, state.here[space]):
            out.append(space)
    out.extend(state.sea_battles)
    if not state.invasions:
        return out
    blocked = {area for area, zone in state.invasions.items() if zone in state.sea_battles}
    return [s for s in out if s not in blocked]


def contested_areas(m: BKPlay) -> list[int]:
    """Areas that hold units of nations at war with each other."""
    state = m.state
    here, mine, politics = state.here, roster(state), relations(state)

    def find() -> list[int]:
        found = atlas()
        return list(compress(found.land, mine.quarrels(politics, found.of_land(here))))

    return m.kept("contested", (here, mine, politics), find)


def _fight(state: BKState, units: tuple[int, ...]) -> bool:
    """Units of both sides that have not fought yet, two of them enemies who are not out on a mission."""
    flags, side, nation, mission, war = state.flags, state.side, state.nation, state.mission, state.war
    sides, at_home, foes = set(), 0, 0
    for unit in units:
        if not flags[unit] & FOUGHT:
            sides.add(side[nation[unit]])
            if mission[unit] < 0:
                at_home |= 1 << nation[unit]
                foes |= war[nation[unit]]
    return bool(at_home & foes) and state.phasing in sides and enemy_side(state.phasing) in sides


def left_open(state: BKState) -> list[int]:
    """The next enemy area that the phasing side's land units have entered and where nobody is at home any more: its
    defenders went to other battles, or it is only the base of aircraft that watch the sea. Whoever flew in to help
    meets the attackers; then it is theirs. [bg-6.8-change] [bg-6.4.6-reserve] [bg-opt-9.1]"""
    found, phasing, here, armies = atlas(), state.phasing, state.here, roster(state).armies
    ours, foes = relations(state).members(phasing), relations(state).foes(phasing)
    for space in [s for s in ground(state).held_by(foes) if armies[here[s]] & ours]:
        for unit in here[space]:
            nation = state.nation[unit]
            if (
                state.side[nation] == phasing
                and found.is_land[unit]
                and not state.flags[unit] & FOUGHT
                and is_hostile(state, nation, space)
            ):
                return [space]
    return []


class Combats(Step, frozen=True, tag="bg.combats"):
    """The phasing side chooses which battle is fought next; each is fought to its end. [bg-6.5.1-order]
    [bg-6.5.1-complete]"""

    rule = "bg-6.5.1-order"

    def run(self, m: Play[BKState]) -> None:
        spaces = m.cache["battles"] = pending_battles(m) or left_open(m.state)
        if not spaces:
            m.pop()
        elif len(spaces) == 1:
            start_battle(m, spaces[0])

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        state = m.state
        majors = acting(state, state.phasing)
        boss = atlas().boss[state.phasing]
        return (MAJORS[boss if boss in majors or not majors else majors[0]],)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        spaces = m.cache.get("battles") or pending_battles(m)
        return [Offer(Attack, Field("space", "space", OneOf(atlas().names(spaces))), rule="bg-6.5.1-order")]

    def take(self, m: Play[BKState], role: Role, action: Attack) -> None:
        start_battle(m, atlas().space_of[action.space])


def start_battle(m: BKPlay, space: int) -> None:
    """Gather both sides and open the chart."""
    state, found = m.state, atlas()
    if found.is_sea[space]:
        if space not in state.sea_battles:
            begin_air_raid(m, space)
            return
        state.sea_battles = without(state.sea_battles, space)
        begin_sea_battle(m, space, [], [], limited=False)
        return
    invaders: list[int] = []
    if space in state.invasions:
        invaders = land_invaders(m, space)
        state.invasions = without(state.invasions, space)
        if invaders and found.british_home[space] == found.british_homes.index("uk"):
            state.uk_invaded = True
    raid = not invaders and any(state.mission[u] == space and state.flags[u] & BOMBER for u in units_on_missions(state))
    battle = gather(state, space, BOMBING if raid else LAND_BATTLE)
    battle.atom = next((state.nation[u] for u in battle.attackers if state.flags[u] & ATOM), -1) if raid else -1
    battle.invaders = invaders
    battle.coastal = bool(invaders)
    battle.by = list(dict.fromkeys(state.master[state.nation[u]] for u in battle.attackers if found.is_land[u]))
    _open(m, battle)


def land_invaders(m: BKPlay, area: int) -> list[int]:
    """Cargo that was announced and still floats goes ashore. [bg-6.5.4-def]"""
    state = m.state
    landed = []
    for loads in list(state.cargo.values()):
        for unit in loads:
            if state.mission[unit] == area:
                convoy = state.carrier[unit]
                send(state, unit, -1)
                disembark(state, unit, area)
                state.origin = changed(state.origin, unit, -1)
                state.start = changed(state.start, unit, convoy)
                state.flags[unit] |= LANDED
                landed.append(unit)
                m.emit(ev.Disembarked(unit=label(unit), space=name(area)))
    return landed


def begin_sea_battle(m: BKPlay, zone: int, group: list[int], help_: list[int], *, limited: bool) -> None:
    """A battle at sea: of whole fleets, or of an intercepted group for one round. [bg-6.4.3d-case1]
    [bg-6.4.3e-air-help]"""
    state = m.state
    for unit in help_:
        send(state, unit, zone)
    battle = gather(state, zone, SEA_BATTLE)
    if group:
        battle.attackers = [u for u in battle.attackers if u in group or u in help_]
    battle.limited = limited
    battle.handicap = any(state.flags[u] & _DOUBLE for u in battle.attackers)
    if state.effects.get("naval_surprise_zone", -1) == zone:
        nation = state.effects["naval_surprise_by"]
        state.effects = without(state.effects, "naval_surprise_by", "naval_surprise_zone")
        battle.first = 0 if state.side[nation] == state.phasing else 1
        battle.surprise = nation
    _open(m, battle)


_DOUBLE = 32


def begin_air_raid(m: BKPlay, zone: int) -> None:
    """Aircraft alone look for ships, then fight or go home. [bg-6.4.3e-col-tf] [bg-6.5.3-conv-air-alone]"""
    state = m.state
    battle = gather(state, zone, SEA_BATTLE)
    raiders = [u for u in battle.attackers if atlas().is_air[u]]
    enemies = [u for u in battle.defenders if atlas().is_ship[u]]
    found = bool(raiders and enemies)
    if found and state.advanced:
        found = roll_search(m, state.phasing, zone, raiders, enemies)
    battle.attackers = raiders if found or not state.advanced else []
    battle.air_only = True
    if not found:
        from .aftermath import go_home

        battle.defenders = [u for u in battle.defenders if not atlas().is_ship[u]]
        battle.gone = [*raiders, *battle.defenders]
        state.battle = battle
        go_home(m)
        return
    _open(m, battle)


def _open(m: BKPlay, battle: Battle) -> None:
    state = m.state
    state.battle = battle
    m.emit(
        ev.BattleBegan(
            space=name(battle.space),
            attackers=tuple(label(u) for u in battle.attackers),
            defenders=tuple(label(u) for u in battle.defenders),
        )
    )
    m.push(Fight("open"))
