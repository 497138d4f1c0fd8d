"""The State: all that changes in a match. Units, spaces and nations are parallel lists indexed by the atlas's
numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, TypeVar

import msgspec

from sandtable.core import Play, State

from ..facts.relations import AT_WAR as AT_WAR
from ..facts.relations import CONQUERED as CONQUERED
from ..facts.relations import NEUTRAL as NEUTRAL
from ..facts.relations import ground, relations, roster
from .atlas import ALLIES, AXIS, BE, SEA, atlas

# ---- where a unit is when it is on no space
POOL, REMOVED, BUILDING = -1, -2, -3
"""In the counter tray (may be built), out of the game for good, on the production chart until `due`."""
OFF_THE_MAP = frozenset((POOL, REMOVED, BUILDING))

# ---- flags of a unit
MOVED, REBASED, RAILED, CARRIED, FOUGHT, DOUBLE, OUT, LANDED, AT_SEA, STATIONED, BOMBER, ATOM = (
    1 << bit for bit in range(12)
)
PHASE_FLAGS = MOVED | CARRIED | FOUGHT | LANDED | AT_SEA | BOMBER | ATOM
"""Wiped when a movement phase begins."""

# ---- kinds of battles
LAND_BATTLE, SEA_BATTLE, BOMBING = 0, 1, 2
# ---- what a unit fires at: on land the two segments of the chart, at sea three kinds of targets
AT_LAND, AT_AIR, AT_SHIPS, AT_SUBS = 0, 1, 2, 3


class Battle(msgspec.Struct):
    """One battle on the chart. Sides are 0 the phasing side, 1 the other."""

    space: int
    kind: int
    attackers: list[int] = msgspec.field(default_factory=list)
    defenders: list[int] = msgspec.field(default_factory=list)
    aim: dict[int, int] = msgspec.field(default_factory=dict)
    """Unit -> AT_LAND, AT_AIR (the air/sea segment), AT_SHIPS, AT_SUBS."""
    round: int = 1
    volley: int = 0
    hits: list[int] = msgspec.field(default_factory=lambda: [0] * 8)
    """Hits still to be taken: 4 per side (0-3 the phasing side), by what was aimed at."""
    limited: bool = False
    """An intercepted group sails on after one round."""
    first: int = -1
    """The side whose card lets it fire first."""
    surprise: int = -1
    """The nation whose card lets it fire first."""
    kamikaze: bool = False
    elite: list[int] = msgspec.field(default_factory=list)
    elite_left: int = 0
    elite_side: int = -1
    invaders: list[int] = msgspec.field(default_factory=list)
    coastal: bool = False
    gone: list[int] = msgspec.field(default_factory=list)
    """Aircraft and Task Forces that left, to be brought home when the battle is over."""
    handicap: bool = False
    """The phasing fleet used double range: the other side may break off."""
    air_only: bool = False
    by: list[int] = msgspec.field(default_factory=list)
    """Nations whose land units attack here."""
    bombs: int = 0
    atom: int = -1
    """The nation whose atomic bomb is on its way."""
    taken: int = 0
    """Hits scored on the attackers in a raid."""


class BKState(State, kw_only=True):
    """The match. Lists over units, spaces, nations and the eight majors.

    What changes with almost every action is a list. What changes now and then is a tuple or a mapping that is replaced
    as a whole (`changed`, `without`): clones share it, and what follows from it can be remembered with it.
    """

    advanced: bool = True
    # ---- units
    nation: tuple[int, ...] = ()
    place: list[int] = msgspec.field(default_factory=list)
    flipped: tuple[int, ...] = ()
    carrier: tuple[int, ...] = ()
    flags: list[int] = msgspec.field(default_factory=list)
    due: tuple[int, ...] = ()
    origin: tuple[int, ...] = ()
    """Space from which it entered the area it attacks (borders, retreats)."""
    mission: tuple[int, ...] = ()
    """Space where an aircraft or Task Force fights while its base stays `place`; for cargo the area to be invaded."""
    abroad: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Units that have a mission, with the space: the same as `mission`, for those who ask who is out."""
    start: tuple[int, ...] = ()
    """Space where it stood when the phase began."""
    spent: tuple[int, ...] = ()
    """Of an HQ: units activated in this phase."""
    lent: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Ships that wait to sail with an associate -> its number."""
    cargo: Mapping[int, tuple[int, ...]] = msgspec.field(default_factory=dict)
    here: list[tuple[int, ...]] = msgspec.field(default_factory=list)
    """Per space the units that stand there; cargo is not in it."""
    # ---- spaces and nations
    control: tuple[int, ...] = ()
    master: tuple[int, ...] = ()
    """Per nation the major that plays it; -1 for nobody."""
    side: tuple[int, ...] = ()
    standing: tuple[int, ...] = ()
    war: tuple[int, ...] = ()
    """Per nation the set of nations it fights, as bits."""
    war_since: tuple[int, ...] = ()
    attacked: int = 0
    """Neutrals that were attacked, as bits: each moves the US flag once."""
    island_owner: tuple[int, ...] = ()
    # ---- the turn
    turn: int = 0
    phasing: int = AXIS
    second: bool = False
    exploiting: bool = False
    initiative: int = AXIS
    bad: tuple[int, ...] = (0, 0)
    limit: int = 0
    limit_area: tuple[int, ...] = (-1, -1)
    """The one area that Japan, that China attacks this turn."""
    limit_used: tuple[int, ...] = (0, 0)
    rail: tuple[int, ...] = (0,) * 8
    rail_left: tuple[int, ...] = (0,) * 8
    rail_due: Mapping[int, int] = msgspec.field(default_factory=dict)
    # ---- economy
    production: tuple[int, ...] = (0,) * 8
    saved: tuple[int, ...] = (0,) * 8
    points: tuple[int, ...] = (0,) * 8
    bonus: tuple[int, ...] = (0,) * 8
    """What cards add to or take from the flag for good."""
    us_level: int = 0
    deliveries: tuple[bool, ...] = (True,) * 4
    bombed: Mapping[int, int] = msgspec.field(default_factory=dict)
    be_pacific: bool = False
    soviet_full: bool = False
    orange_done: bool = False
    naval_spent: int = 0
    us_aircraft: int = 0
    trust_to_japan: bool = False
    # ---- politics
    fortress: bool = True
    pact: int = 0
    """0 not yet, 1 due in the next time table phase, 2 carried out."""
    peace: int = -1
    """The major that answers for the Soviet-Japanese peace; -1 when there is none."""
    vichy: bool = False
    vichy_due: int = -1
    french_fell: bool = False
    soviet_attacked_japan: bool = False
    uk_invaded: bool = False
    soviet_declared_on: bool = False
    ussr_may_declare: bool = False
    embargo: bool = False
    homes_lost: int = 0
    """British home countries that are conquered, as bits."""
    yugoslavia_since: int = -1
    # ---- battles
    sea_battles: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Seazone -> whose aircraft may join: bit 0 the phasing side, bit 1 the other."""
    invasions: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Area that is invaded -> seazone the landing comes from."""
    battle: Battle | None = None
    # ---- cards and research
    deck: tuple[int, ...] = ()
    hands: tuple[tuple[int, ...], ...] = ((),) * 8
    fresh: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Card -> the turn it was bought in."""
    table: Mapping[int, int] = msgspec.field(default_factory=dict)
    """Card in effect -> its owner."""
    out: tuple[int, ...] = ()
    drawn: tuple[int, ...] = (-1,) * 8
    """The card each major has drawn and not dealt with yet."""
    offered: tuple[int, ...] = (-1,) * 8
    """The card that an associate offers to each major."""
    bought: int = 0
    effects: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Effects of cards that last for this turn or action segment."""
    naval_surprise_open: bool = False
    effects_kept: Mapping[str, int] = msgspec.field(default_factory=dict)
    """Effects that outlast the turn."""
    numbers: tuple[int, ...] = (0,) * 8
    advances: tuple[int, ...] = (0,) * 8
    rolled_research: int = 0
    atom_hits: tuple[int, ...] = (0,) * 8
    atom_new: int = 0
    atom_ready: Mapping[int, int] = msgspec.field(default_factory=dict)
    special_used: int = 0
    """V-weapons (bits 0-7) and atomic bombs (bits 8-15) used this turn."""
    lend_lease_to: int = -1


BKPlay = Play[BKState]
T = TypeVar("T")
K = TypeVar("K")


# ---- changing what is replaced as a whole -------------------------------------------------------------------------
def changed(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The same values but for one."""
    if values[place] == value:
        return values
    new = list(values)
    new[place] = value
    return tuple(new)


def without(mapping: Mapping[K, T], *keys: K) -> dict[K, T]:
    """The same mapping but for some keys."""
    return {key: value for key, value in mapping.items() if key not in keys}


# ---- the smallest questions, asked everywhere --------------------------------------------------------------------
def at_war(state: BKState, a: int, b: int) -> bool:
    """Whether two nations fight each other."""
    return bool(state.war[a] >> b & 1)


def make_up(state: BKState, nation: int) -> None:
    """A nation that joins a side has no wars with it any more."""
    for other in range(state.war[nation].bit_length()):
        if state.war[nation] >> other & 1 and state.side[other] == state.side[nation]:
            state.war = changed(state.war, nation, state.war[nation] & (~(1 << other)))
            state.war = changed(state.war, other, state.war[other] & (~(1 << nation)))


def strength(state: BKState, unit: int) -> int:
    """The number printed on the side that is up. [bg-2.1-strength] [bg-2.1-back-weaker]"""
    found = atlas()
    return found.back[unit] if state.flipped[unit] else found.front[unit]


def put(state: BKState, unit: int, space: int) -> None:
    """Lay a unit on a space (or on one of the places off the map). Its cargo sails along."""
    old, here, ashore = state.place[unit], state.here, state.carrier[unit] < 0
    if old >= 0 and ashore:
        here[old] = _less(here[old], unit)
    state.place[unit] = space
    if space >= 0 and ashore:
        here[space] = (*here[space], unit)
    if unit in state.cargo:
        for load in state.cargo[unit]:
            state.place[load] = space


def _less(units: tuple[int, ...], unit: int) -> tuple[int, ...]:
    """The other units of a stack."""
    if unit not in units:
        return units
    place = units.index(unit)
    return units[:place] + units[place + 1 :]


def with_flags(state: BKState) -> Iterator[int]:
    """The units that have any flag, in the order of the mix."""
    return compress(range(len(state.flags)), state.flags)


def with_numbers(values: Sequence[int]) -> list[int]:
    """The places of those values that are not 0."""
    return list(compress(range(len(values)), values))


def send(state: BKState, unit: int, target: int) -> None:
    """Give a unit a mission in a space, or take it away (-1)."""
    state.mission = changed(state.mission, unit, target)
    if target >= 0:
        state.abroad = {**state.abroad, unit: target}
    elif unit in state.abroad:
        state.abroad = without(state.abroad, unit)


def embark(state: BKState, unit: int, convoy: int) -> None:
    """Put a unit on board."""
    old = state.place[unit]
    if state.carrier[unit] < 0:
        state.here[old] = _less(state.here[old], unit)
    else:
        _unload(state, unit)
    state.carrier = changed(state.carrier, unit, convoy)
    state.place[unit] = state.place[convoy]
    state.cargo = {**state.cargo, convoy: (*state.cargo.get(convoy, ()), unit)}


def _unload(state: BKState, unit: int) -> None:
    convoy = state.carrier[unit]
    rest = tuple(u for u in state.cargo[convoy] if u != unit)
    if rest:
        state.cargo = {**state.cargo, convoy: rest}
    else:
        state.cargo = without(state.cargo, convoy)


def disembark(state: BKState, unit: int, space: int) -> None:
    """Take a unit off its ship and lay it on a space."""
    _unload(state, unit)
    state.carrier = changed(state.carrier, unit, -1)
    state.place[unit] = space
    if space >= 0:
        state.here[space] = (*state.here[space], unit)


def remove(state: BKState, unit: int, to: int = POOL) -> None:
    """Take a unit off the map, with whatever it carries."""
    for load in state.cargo.get(unit, ()):
        remove(state, load, to)
    if state.carrier[unit] >= 0:
        _unload(state, unit)
        state.carrier = changed(state.carrier, unit, -1)
        state.place[unit] = to
    else:
        put(state, unit, to)
    state.flags[unit] = 0
    state.flipped = changed(state.flipped, unit, 0)
    send(state, unit, -1)
    state.origin = changed(state.origin, unit, -1)
    state.nation = changed(state.nation, unit, atlas().printed_nation[unit])


def occupied(here: list[tuple[int, ...]], spaces: list[int]) -> Iterator[int]:
    """Those of the spaces where any units stand."""
    return compress(spaces, map(here.__getitem__, spaces))


def role_of(state: BKState, unit: int) -> int:
    """The major that moves the unit; -1 for nobody."""
    return state.master[state.nation[unit]]


def units_of_role(state: BKState, major: int) -> list[int]:
    """All units on the map that a major moves, its minors' included."""
    place = state.place
    return [u for u in roster(state).all[major] if place[u] >= 0]


def aircraft_of(state: BKState, major: int) -> list[int]:
    place = state.place
    return [u for u in roster(state).aircraft[major] if place[u] >= 0]


def ships_of(state: BKState, major: int) -> list[int]:
    place = state.place
    return [u for u in roster(state).ships[major] if place[u] >= 0]


def task_forces_of(state: BKState, major: int) -> list[int]:
    place = state.place
    return [u for u in roster(state).task_forces[major] if place[u] >= 0]


def enemies_at(state: BKState, nation: int, space: int) -> list[int]:
    """Units in a space that a nation fights."""
    war, nations = state.war[nation], state.nation
    return [u for u in state.here[space] if war >> nations[u] & 1]


def has_enemy(state: BKState, nation: int, space: int) -> bool:
    """Whether a space holds units that a nation fights."""
    units = state.here[space]
    if units:
        war, nations = state.war[nation], state.nation
        for unit in units:
            if war >> nations[unit] & 1:
                return True
    return False


has_enemy_ship = has_enemy
"""At sea only ships count, and only ships are there."""


def are_allied(state: BKState, a: int, b: int) -> bool:
    """Whether a nation may use another's areas. [bg-8.2-ussr-japan] [bg-card-force-peace-china]"""
    return bool(relations(state).friends(a) >> b & 1)


def is_friendly(state: BKState, nation: int, space: int) -> bool:
    """Whether the area is the nation's own or a fellow belligerent's. [bg-8.2-neutral-units]"""
    return bool(ground(state).friendly(nation)[space])


def is_hostile(state: BKState, nation: int, space: int) -> bool:
    """Whether the area is controlled by somebody the nation fights."""
    owner = state.control[space]
    return owner >= 0 and bool(state.war[nation] >> owner & 1)


def enemy_controlled(state: BKState, nation: int, space: int) -> bool:
    """An area of an enemy, or a seazone that holds enemy ships. [bg-6.8-seazone]"""
    if atlas().kind[space] == SEA:
        return has_enemy_ship(state, nation, space)
    return is_hostile(state, nation, space)


def belligerents(state: BKState, side: int) -> list[int]:
    """The majors of a side that are at war."""
    return [n for n in range(8) if state.side[n] == side and state.standing[n] == AT_WAR]


def acting(state: BKState, side: int) -> tuple[int, ...]:
    """The majors of a side that still play: all but the conquered."""
    return relations(state).acting(side)


def plays(state: BKState, major: int) -> bool:
    """A major decides for itself until it is conquered (the British Empire until its last home country is)."""
    return state.standing[major] != CONQUERED


def enemy_side(side: int) -> int:
    return ALLIES if side == AXIS else AXIS


def british_home_of(unit: int) -> int:
    """The British home country a counter belongs to. [bg-1.0-be-home-countries]"""
    found = atlas()
    return found.home_letter.index(found.tag[unit]) if found.printed_nation[unit] == BE else -1


def effect(m: Any, name: str) -> int:
    """The nation whose card has this effect now, plus 1; 0 when none has."""
    return int(m.state.effects.get(name, 0))
