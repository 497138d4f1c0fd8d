"""Which battles are to be fought, who attacks where, and who is pinned by it (6.5.1, 10)."""

from __future__ import annotations

from itertools import compress
from typing import Final, NamedTuple

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, GERMANY
from ..model.state import FOUGHT, STATIONED, BKState, at_war, enemy_side, is_hostile
from .ground import held_by
from .politics import foes, members
from .units import armies_in, contested_areas, fights, nations_in, occupied

_BATTLES: Final = (
    "here", "nation", "flags", "mission", "abroad", "carrier", "invasions", "sea_battles", "phasing", "side", "war",
)  # fmt: skip


# ---- battles ------------------------------------------------------------------------------------------------------
@fact(*_BATTLES)
def pending_battles(s: BKState) -> list[int]:
    """Return the spaces where the phasing side still has to fight. [bg-6.5.1-order]"""
    out: list[int] = []
    if s.abroad or s.invasions:
        ours, nations, flags = members(s, s.phasing), s.nation, s.flags
        flown = [(u, target) for u, target in s.abroad.items() if ours >> nations[u] & 1]
        raided = {target for u, target in flown if s.carrier[u] < 0}
        at_sea = {target for u, target in flown if not flags[u] & STATIONED}
        for space in dict.fromkeys((*s.invasions, *s.abroad.values())):
            if ATLAS.is_sea[space]:
                if space in at_sea and space not in s.sea_battles:
                    out.append(space)
            elif space in raided or space in s.invasions:
                out.append(space)
    for space in contested_areas(s):
        if space not in out and _must_fight(s, s.here[space]):
            out.append(space)
    out.extend(s.sea_battles)
    blocked = {area for area, zones in s.invasions.items() if any(zone in s.sea_battles for zone in zones)}
    return [space for space in out if space not in blocked] if blocked else out


def _must_fight(s: BKState, units: tuple[int, ...]) -> bool:
    """Whether units of both sides have not fought yet, two of them enemies who are not out on a mission."""
    flags, side, nation, mission, war = s.flags, s.side, s.nation, s.mission, s.war
    sides, at_home, enemies = set(), 0, 0
    for unit in units:
        if not flags[unit] & FOUGHT:
            sides.add(side[nation[unit]])
            if mission[unit] < 0:
                at_home |= 1 << nation[unit]
                enemies |= war[nation[unit]]
    return bool(at_home & enemies) and s.phasing in sides and enemy_side(s.phasing) in sides


def left_open(s: BKState) -> list[int]:
    """Return the next enemy area that the phasing side's land units have entered and where nobody is left to fight.

    Its defenders went to other battles, or it is only the base of aircraft that watch the sea. Whoever flew in to help
    meets the attackers; then it is theirs. [bg-6.8-change] [bg-6.4.6-reserve] [bg-opt-9.1]
    """
    here, armies, ours = s.here, armies_in(s), members(s, s.phasing)
    for space in [area for area in held_by(s, foes(s, s.phasing)) if armies[here[area]] & ours]:
        for unit in here[space]:
            nation = s.nation[unit]
            if (
                s.side[nation] == s.phasing
                and ATLAS.is_land[unit]
                and not s.flags[unit] & FOUGHT
                and is_hostile(s, nation, space)
            ):
                return [space]
    return []


def fleets(s: BKState, zone: int) -> tuple[list[int], list[int]]:
    """Return the ships of the phasing side and of its enemies in a zone, as far as they fight each other: those that
    have fought in this phase do not fight again. [bg-10.1-pin]"""
    fresh = [u for u in s.here[zone] if not s.flags[u] & FOUGHT]
    mine = [u for u in fresh if s.side[s.nation[u]] == s.phasing]
    theirs = [u for u in fresh if s.side[s.nation[u]] == enemy_side(s.phasing)]
    mine_at_war = [u for u in mine if any(at_war(s, s.nation[u], s.nation[v]) for v in theirs)]
    theirs_at_war = [v for v in theirs if any(at_war(s, s.nation[u], s.nation[v]) for u in mine)]
    return mine_at_war, theirs_at_war


def contested_zones(s: BKState) -> list[int]:
    """Return the zones that hold ships which fight each other."""
    zones = compress(ATLAS.seas, fights(s, ATLAS.of_seas(s.here)))
    return [zone for zone in zones if all(fleets(s, zone))]


# ---- attackers ----------------------------------------------------------------------------------------------------
@fact("here", "nation", "side", "control", "invasions", "phasing")
def attacked_on_foot(s: BKState) -> set[int]:
    """Return the areas that land units of the phasing side attack, on foot or from the sea."""
    here, armies, ours = s.here, armies_in(s), members(s, s.phasing)
    foreign = held_by(s, ATLAS.everybody & ~ours)
    return {*[area for area in occupied(s, foreign) if armies[here[area]] & ours], *s.invasions}


class Front(NamedTuple):
    """Where the phasing side attacks."""

    spaces: tuple[int, ...]
    """Spaces in which a battle is coming, invasions still at sea included."""
    sent: dict[int, list[int]]
    """By space the units that the phasing side has sent there from elsewhere."""
    left: set[int]
    """Spaces from which units are out on missions."""
    nations: dict[int, int]
    """By attacked space the nations that attack it, as bits."""
    on_land: list[int]
    """Areas attacked by land units. [bg-6.4.6-air-only]"""


@fact(*_BATTLES, "place")
def front(s: BKState) -> Front:
    """Return where the phasing side attacks, and with whom."""
    spaces = tuple(dict.fromkeys((*pending_battles(s), *s.invasions)))
    sent: dict[int, list[int]] = {}
    for unit, target in s.abroad.items():
        if s.side[s.nation[unit]] == s.phasing:
            sent.setdefault(target, []).append(unit)
    left, here, ours = set(map(s.place.__getitem__, s.abroad)), s.here, members(s, s.phasing)
    nations_of, armies = nations_in(s), armies_in(s)
    nations, on_land = {}, []
    for space in spaces:
        there, units, army = 0, sent.get(space, []), False
        if space in left:  # somebody of the stack is not there
            units = _attackers(s, space, sent)
        else:
            there, army = nations_of[here[space]] & ours, bool(armies[here[space]] & ours)
        for unit in units:
            there |= 1 << s.nation[unit]
        nations[space] = there
        if not ATLAS.is_sea[space] and (army or any(ATLAS.is_land[u] for u in units)):
            on_land.append(space)
    return Front(spaces, sent, left, nations, on_land)


def _attackers(s: BKState, space: int, sent: dict[int, list[int]]) -> list[int]:
    phasing, side, nation, mission = s.phasing, s.side, s.nation, s.mission
    there = [u for u in s.here[space] if side[nation[u]] == phasing and mission[u] < 0]
    return there + sent.get(space, [])


def attackers(s: BKState, space: int) -> list[int]:
    """Return the units of the phasing side that attack a space, cargo about to land included."""
    return _attackers(s, space, front(s).sent)


def is_blitz(s: BKState, space: int) -> bool:
    """Return whether Germans attack a space under the Blitzkrieg. [bg-card-blitzkrieg]"""
    return s.effects.get("blitzkrieg", -1) == s.phasing and any(s.nation[u] == GERMANY for u in attackers(s, space))


# ---- pinning ------------------------------------------------------------------------------------------------------
def is_pinned(s: BKState, unit: int) -> bool:
    """Return whether a unit in an attacked space has to stay: it may leave only if enough stay to face the attackers.
    [bg-10.1-pin] [bg-10.1-pin-number] [bg-10.1-pin-reserves] [bg-10.1-pin-air] [bg-10.1-pin-tf]
    [bg-10.1-pin-naval-reserves] [bg-10.2-who]"""
    return s.advanced and _are_pinned(s, s.place[unit], s.side[s.nation[unit]], ATLAS.is_land[unit])


@fact(*_BATTLES, "place")
def _are_pinned(s: BKState, space: int, side: int, land: bool) -> bool:
    """The same for all land units, or all other units, of a side in a space."""
    if ATLAS.is_sea[space]:
        if space not in s.sea_battles and space not in front(s).spaces:
            return False
        mine, theirs = fleets(s, space)
        raiders = [u for u, target in s.abroad.items() if target == space]
        return len([u for u in theirs if s.mission[u] < 0]) <= len(mine) + len(raiders)
    if space not in front(s).spaces:
        return False
    enemies = attackers(s, space)
    on_land = sum(1 for u in enemies if ATLAS.is_land[u] and not ATLAS.is_hq[u])
    others = sum(1 for u in enemies if not ATLAS.is_land[u])
    stay = [u for u in s.here[space] if s.side[s.nation[u]] == side and s.mission[u] < 0]
    if land and sum(1 for u in stay if ATLAS.is_land[u]) <= on_land:
        return True
    return len(stay) <= on_land + others
