"""The State: all that changes in a match. Units, spaces and nations are columns indexed by the atlas's numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress

import msgspec

from sandtable.core import Play, State
from sandtable.core.columns import having, lacking, put

from .atlas import ALLIES, ATLAS, AXIS, BE

# ---- standing of a nation
NEUTRAL, AT_WAR, CONQUERED = 0, 1, 2

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


class Battle(msgspec.Struct, frozen=True):
    """One battle on the chart. Sides are 0 the phasing side, 1 the other."""

    space: int
    kind: int
    attackers: tuple[int, ...] = ()
    defenders: tuple[int, ...] = ()
    aim: Mapping[int, int] = {}
    """Unit -> AT_LAND, AT_AIR (the air/sea segment), AT_SHIPS, AT_SUBS."""
    round: int = 1
    volley: int = 0
    hits: tuple[int, ...] = (0,) * 8
    """Hits still to be taken: 4 per side (0-3 the phasing side), by what was aimed at."""
    limited: bool = False
    """An intercepted group sails on after one round."""
    first: int = -1
    """The side whose card lets it fire first."""
    surprise: int = -1
    """The nation whose card lets it fire first."""
    kamikaze: bool = False
    elite: tuple[int, ...] = ()
    elite_left: int = 0
    elite_side: int = -1
    invaders: tuple[int, ...] = ()
    coastal: bool = False
    gone: tuple[int, ...] = ()
    """Aircraft and Task Forces that left, to be brought home when the battle is over."""
    handicap: bool = False
    """The phasing fleet used double range: the other side may break off."""
    air_only: bool = False
    by: tuple[int, ...] = ()
    """Nations whose land units attack here."""
    bombs: int = 0
    atom: int = -1
    """The nation whose atomic bomb is on its way."""
    taken: int = 0
    """Hits scored on the attackers in a raid."""


class BKState(State, kw_only=True):
    """The match: columns over units, spaces, nations and the eight majors, replaced and never changed in place."""

    advanced: bool = True
    # ---- units
    nation: tuple[int, ...] = ()
    place: tuple[int, ...] = ()
    flipped: tuple[int, ...] = ()
    carrier: tuple[int, ...] = ()
    flags: tuple[int, ...] = ()
    due: tuple[int, ...] = ()
    origin: tuple[int, ...] = ()
    """Space from which it entered the area it attacks (borders, retreats)."""
    mission: tuple[int, ...] = ()
    """Space where an aircraft or Task Force fights while its base stays `place`; for cargo the area to be invaded."""
    abroad: Mapping[int, int] = {}
    """Units that have a mission, with the space: the same as `mission`, in the order in which they were sent."""
    start: tuple[int, ...] = ()
    """Space where it stood when the phase began."""
    spent: tuple[int, ...] = ()
    """Of an HQ: units activated in this phase."""
    lent: Mapping[int, int] = {}
    """Ships that wait to sail with an associate -> its number."""
    cargo: Mapping[int, tuple[int, ...]] = {}
    here: tuple[tuple[int, ...], ...] = ()
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
    rail_due: Mapping[int, int] = {}
    # ---- economy
    production: tuple[int, ...] = (0,) * 8
    saved: tuple[int, ...] = (0,) * 8
    points: tuple[int, ...] = (0,) * 8
    bonus: tuple[int, ...] = (0,) * 8
    """What cards add to or take from the flag for good."""
    us_level: int = 0
    deliveries: tuple[bool, ...] = (True,) * 4
    bombed: Mapping[int, int] = {}
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
    sea_battles: Mapping[int, int] = {}
    """Seazone -> whose aircraft may join: bit 0 the phasing side, bit 1 the other."""
    invasions: Mapping[int, tuple[int, ...]] = {}
    """Area that is invaded -> the seazones the landing comes from."""
    battle: Battle | None = None
    # ---- cards and research
    deck: tuple[int, ...] = ()
    hands: tuple[tuple[int, ...], ...] = ((),) * 8
    fresh: Mapping[int, int] = {}
    """Card -> the turn it was bought in."""
    table: Mapping[int, int] = {}
    """Card in effect -> its owner."""
    out: tuple[int, ...] = ()
    drawn: tuple[int, ...] = (-1,) * 8
    """The card each major has drawn and not dealt with yet."""
    offered: tuple[int, ...] = (-1,) * 8
    """The card that an associate offers to each major."""
    bought: int = 0
    effects: Mapping[str, int] = {}
    """Effects of cards that last for this turn or action segment."""
    naval_surprise_open: bool = False
    effects_kept: Mapping[str, int] = {}
    """Effects that outlast the turn."""
    numbers: tuple[int, ...] = (0,) * 8
    advances: tuple[int, ...] = (0,) * 8
    rolled_research: int = 0
    atom_hits: tuple[int, ...] = (0,) * 8
    atom_new: int = 0
    atom_ready: Mapping[int, int] = {}
    special_used: int = 0
    """V-weapons (bits 0-7) and atomic bombs (bits 8-15) used this turn."""
    lend_lease_to: int = -1


M = Play[BKState]


# ---- the smallest questions, asked everywhere --------------------------------------------------------------------
def at_war(state: BKState, a: int, b: int) -> bool:
    """Return whether two nations fight each other."""
    return bool(state.war[a] >> b & 1)


def strength(state: BKState, unit: int) -> int:
    """Return the number printed on the side that is up. [bg-2.1-strength] [bg-2.1-back-weaker]"""
    return ATLAS.back[unit] if state.flipped[unit] else ATLAS.front[unit]


def role_of(state: BKState, unit: int) -> int:
    """Return the major that moves the unit; -1 for nobody."""
    return state.master[state.nation[unit]]


def side_of(state: BKState, unit: int) -> int:
    """Return the side a unit fights for; -1 for neither."""
    return state.side[state.nation[unit]]


def enemies_at(state: BKState, nation: int, space: int) -> list[int]:
    """Return the units in a space that a nation fights."""
    war, nations = state.war[nation], state.nation
    return [u for u in state.here[space] if war >> nations[u] & 1]


def has_enemy(state: BKState, nation: int, space: int) -> bool:
    """Return whether a space holds units that a nation fights: at sea these are ships."""
    units = state.here[space]
    if units:
        war, nations = state.war[nation], state.nation
        for unit in units:
            if war >> nations[unit] & 1:
                return True
    return False


def is_hostile(state: BKState, nation: int, space: int) -> bool:
    """Return whether the area is controlled by somebody the nation fights."""
    owner = state.control[space]
    return owner >= 0 and bool(state.war[nation] >> owner & 1)


def belligerents(state: BKState, side: int) -> list[int]:
    """Return the majors of a side that are at war."""
    return [n for n in range(8) if state.side[n] == side and state.standing[n] == AT_WAR]


def plays(state: BKState, major: int) -> bool:
    """Return whether a major decides for itself: until it is conquered."""
    return state.standing[major] != CONQUERED


def enemy_side(side: int) -> int:
    return ALLIES if side == AXIS else AXIS


def british_home_of(unit: int) -> int:
    """Return the British home country a counter belongs to; -1 for others. [bg-1.0-be-home-countries]"""
    return ATLAS.home_letter.index(ATLAS.tag[unit]) if ATLAS.printed_nation[unit] == BE else -1


def has_advance(state: BKState, nation: int, what: str) -> bool:
    """Return whether a country has made an achievement; associates have no part in it. [bg-7.5-no-share]"""
    return nation < 8 and bool(state.advances[nation] >> ATLAS.advance_bit[what] & 1)


def nonzero(values: Sequence[int]) -> list[int]:
    """Return the places of those values that are not 0."""
    return list(compress(range(len(values)), values))


def the_battle(state: BKState) -> Battle:
    """Return the battle that is being fought."""
    assert state.battle is not None
    return state.battle


# ---- moving units ------------------------------------------------------------------------------------------------
def mark(state: BKState, unit: int, flags: int) -> None:
    """Set flags of a unit."""
    state.flags = put(state.flags, unit, state.flags[unit] | flags)


def mark_all(state: BKState, units: Iterable[int], flags: int) -> None:
    """Set flags of several units."""
    column = list(state.flags)
    for unit in units:
        column[unit] |= flags
    state.flags = tuple(column)


def unmark_all(state: BKState, flags: int, units: Iterable[int] | None = None) -> None:
    """Take flags off these units, or off all."""
    column = list(state.flags)
    for unit in nonzero(column) if units is None else units:
        column[unit] &= ~flags
    state.flags = tuple(column)


def move_unit(state: BKState, unit: int, space: int) -> None:
    """Move a unit to a space (or to one of the places off the map). Its cargo sails along."""
    old, place = state.place[unit], list(state.place)
    place[unit] = space
    if state.carrier[unit] < 0:
        here = list(state.here)
        if old >= 0:
            here[old] = _less(here[old], unit)
        if space >= 0:
            here[space] = (*here[space], unit)
        state.here = tuple(here)
    for load in state.cargo.get(unit, ()):
        place[load] = space
    state.place = tuple(place)


def _less(units: tuple[int, ...], unit: int) -> tuple[int, ...]:
    """Return the other units of a stack."""
    if unit not in units:
        return units
    place = units.index(unit)
    return units[:place] + units[place + 1 :]


def send(state: BKState, unit: int, target: int) -> None:
    """Give a unit a mission in a space, or take it away (-1)."""
    if state.mission[unit] != target:
        state.mission = put(state.mission, unit, target)
    state.abroad = having(state.abroad, unit, target) if target >= 0 else lacking(state.abroad, unit)


def embark(state: BKState, unit: int, convoy: int) -> None:
    """Put a unit on board, from land or from another ship."""
    old = state.place[unit]
    if state.carrier[unit] < 0:
        state.here = put(state.here, old, _less(state.here[old], unit))
    else:
        _unload(state, unit)
    state.carrier = put(state.carrier, unit, convoy)
    state.place = put(state.place, unit, state.place[convoy])
    state.cargo = having(state.cargo, convoy, (*state.cargo.get(convoy, ()), unit))


def _unload(state: BKState, unit: int) -> None:
    convoy = state.carrier[unit]
    rest = _less(state.cargo[convoy], unit)
    state.cargo = having(state.cargo, convoy, rest) if rest else lacking(state.cargo, convoy)
    state.carrier = put(state.carrier, unit, -1)


def disembark(state: BKState, unit: int, space: int) -> None:
    """Take a unit off its ship and put it on a space."""
    _unload(state, unit)
    state.place = put(state.place, unit, space)
    if space >= 0:
        state.here = put(state.here, space, (*state.here[space], unit))


def remove(state: BKState, unit: int, to: int = POOL) -> None:
    """Take a unit off the map, with whatever it carries."""
    for load in state.cargo.get(unit, ()):
        remove(state, load, to)
    if state.carrier[unit] >= 0:
        _unload(state, unit)
        state.place = put(state.place, unit, to)
    else:
        move_unit(state, unit, to)
    state.flags = put(state.flags, unit, 0)
    state.flipped = put(state.flipped, unit, 0)
    send(state, unit, -1)
    state.origin = put(state.origin, unit, -1)
    if state.nation[unit] != ATLAS.printed_nation[unit]:
        state.nation = put(state.nation, unit, ATLAS.printed_nation[unit])
