"""The State: all that changes in a match of Hitler's War.

Armies are numbered 0 to 35: twelve counters of the Axis, twelve Soviet, twelve Allied. Strength points are one flat
column, five kinds per army. What few spaces have (forts, damage, home forces) is kept by space number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from sandtable.core import Play, State, Step
from sandtable.core.columns import put

from .atlas import AIR, ALLIES, ARMIES, ATLAS, ENEMIES, SIDES
from .scenarios import SETTINGS, Setting
from .technology import cell

LAND, INVASION, AIRDROP = 1, 2, 3
"""How an army attacks: over land, from the sea, with paratroops across water. 0: it does not."""
FAILED, LEFT, DECLINED = 1, 2, 3
"""Why an army makes no more attacks this turn."""
ITALY_AXIS, ITALY_FOE, ITALY_BEATEN = 1, 2, 3
"""Italy's side; 0 while it is unaligned."""
PEACE_ACCEPTED, PEACE_REFUSED = 1, 2
"""The Axis' answer to the Soviet offer of surrender; 0 while there was none."""
U_BOATS = 3
"""Place of the U-boats in `at_sea`, behind the fleets of the three sides."""
ON_BOMBERS = 9
"""`bombs` holds the bombs of the missile counters first, and from here on those of each side's bombers."""
FACE_DOWN, SHOWN = 1, 2
"""Leader markers: one that nobody has seen, and a leader."""


class War(State, kw_only=True):
    """Where every strength point is, and what has happened to every side."""

    turn: int
    """Number of the season on the time record."""
    side: int = 0
    """Whose player-turn it is."""
    owner: bytes
    """Per space: who holds it (a side, nobody, closed for good, water)."""

    # ---- armies
    army_at: tuple[int, ...] = (-1,) * 36
    strength: tuple[int, ...] = (0,) * 180
    muster: tuple[int, ...] = (0,) * 3
    """Per side: points in its armies by the sum of all events. It must equal the sum of `strength` (see `faults`)."""
    stuck: bytes = bytes(36)
    """Armies that may neither move nor attack this turn: without supply when it began."""
    idle: bytes = bytes(36)
    """Armies of countries that have not joined yet (Italy, United States)."""

    # ---- one combat phase
    target: tuple[int, ...] = (-1,) * 36
    mode: bytes = bytes(36)
    """How an army attacks: LAND, INVASION, AIRDROP, or 0."""
    assaulted: bytes = bytes(36)
    defended: bytes = bytes(36)
    advanced: bytes = bytes(36)
    """Hexes entered this turn."""
    spent: bytes = bytes(36)
    """Armies that make no more attacks this turn: FAILED to advance, LEFT for another army, or DECLINED to try."""
    dropped: bytes = bytes(36)
    """Paratroop points that have dropped already this turn."""
    routes: Mapping[int, tuple[int, ...]] = {}
    """Invading army -> the waters of its sea route."""
    before: bytes = b""
    """Who held what when the combat phase began."""
    bare: Mapping[int, int] = {}
    """Spaces without garrison until the combat phase ends."""
    absorbed: Mapping[int, int] = {}
    """Losses that each fort has absorbed this player-turn."""
    fort_fired: Mapping[int, int] = {}
    fired_sides: Mapping[int, int] = {}
    """Links of sea routes at which naval fire was spent this turn, and how often."""
    supported: Mapping[int, int] = {}
    """Invasion targets that have had their naval support fire."""
    strafed: Mapping[int, int] = {}
    """Coasts that have had their air fire."""

    coast: Mapping[int, int] = {}
    """Invaded coasts -> tac air points they lend their defenders while the invasion lasts (Campaign Game II)."""
    coast_fired: Mapping[int, int] = {}

    # ---- on the map
    fort: Mapping[int, int] = {}
    building: Mapping[int, int] = {}
    """Fort points under construction."""
    grown: Mapping[int, int] = {}
    """Production points that a space has got since the beginning (Siberia, the United States)."""
    devastated: Mapping[int, int] = {}
    ruined: Mapping[int, int] = {}
    """Production lost for good."""
    home: Mapping[int, int] = {}
    """Home forces of countries (optional rule)."""
    home_fired: Mapping[int, int] = {}
    home_called: bytes = b""
    """Per country: one more than the side against whose attack its home forces were called up; 0 while they are not."""
    partisans: Mapping[int, int] = {}
    """Hexes taken by partisans -> side that must still link them with its supply."""

    # ---- movement by sea
    lifted: Mapping[int, int] = {}
    """Strength points carried through each limited sea this turn."""
    crossed: int = 0
    """Strength points carried to or from America this turn."""
    shipping: int = 0
    """Trans-Atlantic shipping bought above the base."""
    voyagers: Mapping[int, int] = {}
    """Army number * 5 + kind -> points in it that came from or went to America this turn."""
    lanes: Mapping[int, tuple[int, ...]] = {}
    """Army number * 5 + kind -> points that sailed the Atlantic this turn, then the open-sea links they crossed."""

    # ---- production
    budget: int = 0
    lent: int = 0
    """Lend-lease given this turn; the Soviets spend it in their next production phase."""
    raided: int = 0
    """Production that the next Allied budget loses."""
    american_builds: int = 0
    """Points built this turn that had to appear in the United States."""

    # ---- politics
    unaligned: bytes = b""
    """Per country: 1 while it belongs to no side."""
    surrendered: bytes = b""
    violated: Mapping[int, int] = {}
    """Unaligned countries attacked this phase -> the side that attacked first."""
    captured: Mapping[int, int] = {}
    """Spaces taken by advance this phase -> by whom."""
    italy: int = 0
    """ITALY_AXIS, ITALY_FOE, ITALY_BEATEN, or 0 while it is unaligned."""
    america: int = 0
    """Season in which the United States joined the Allies; 0 while it has not."""
    peace: int = 0
    """Soviet surrender: PEACE_ACCEPTED, PEACE_REFUSED (for good), or 0 while it was not offered."""
    at_war: bool = False
    """Axis and Soviet Union have attacked one another."""
    mobilized: int = 0
    """Season in which the Soviet limit was lifted; 0 before."""
    extended: bool = False
    """The Soviet limit lasts longer because the Soviet side attacked first."""
    first_winter: int = 0
    """Season of the first winter that saw an Axis army in the Soviet Union."""

    # ---- Campaign Game II
    price: bytes = b""
    """Per side and item: price in sixths of a point; 0 where it cannot be built."""
    level: tuple[int, ...] = ()
    track: bytes = b""
    """Per side and item: space on the research track."""
    invested: Mapping[int, int] = {}
    tested: Mapping[int, int] = {}
    box: tuple[int, ...] = ()
    """Per side and item: strength in the side's boxes (ships and U-boats: in port)."""
    at_sea: tuple[int, ...] = ()
    """Per side: capital ships at sea; the fourth number is U-boats at sea."""
    missile_at: tuple[int, ...] = (-1,) * 9
    missiles: tuple[int, ...] = (0,) * 9
    bombs: tuple[int, ...] = (0,) * 12
    """Atomic bombs aboard: three missile counters of each side, then each side's bombers."""
    flown: int = 0
    """Whether the bombers have flown their raid this turn."""
    launched: Mapping[int, int] = {}
    """Missile points fired this turn, by counter."""
    morale: tuple[int, ...] = ()
    """Germany, Great Britain."""
    gained: tuple[int, ...] = (0,) * 3
    lost: tuple[int, ...] = (0,) * 3
    partisan_tries: Mapping[int, int] = {}

    # ---- optional rules
    leader: bytes = bytes(36)
    """Leader markers with armies: FACE_DOWN (nobody knows what it is), SHOWN, or 0."""
    escorting: Mapping[int, int] = {}
    """Supporting fleet -> the invading army that it goes with."""
    fleet_at: tuple[int, ...] = ()
    """Per fleet counter: space, -1 not in play, -2 the raid box."""
    ships: tuple[int, ...] = ()
    carriers: tuple[int, ...] = ()
    fleet_state: tuple[int, ...] = ()
    """Per fleet counter: 0 in port, 1 at sea, 2 supporting an invasion."""
    fleet_moved: tuple[int, ...] = ()
    """Per fleet counter, twice: capital ships and carriers in it that have had their move this turn."""
    yard: Mapping[int, int] = {}
    """Unfinished ships: side * 100 + number -> sixths still to pay (times two, plus one for a carrier)."""

    @property
    def setting(self) -> Setting:
        """What its scenario is played with."""
        return SETTINGS[self.scenario]


M: TypeAlias = Play[War]
"""What the rules get to work with."""


class OwnTurn(Step, frozen=True):
    """A step at which the side whose turn it is decides."""

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[m.state.side],)


# ---- small questions every chapter asks --------------------------------------------------------------------------
NO_POINTS = (0,) * 5


def add_points(s: War, army: int, kind: int, number: int) -> None:
    """An army gets (or loses) points of one kind."""
    at = army * 5 + kind
    s.strength = put(s.strength, at, s.strength[at] + number)


def book(s: War, army: int, number: int) -> None:
    """Count points that an event says an army got or lost."""
    side = army // ARMIES
    s.muster = put(s.muster, side, s.muster[side] + number)


def set_points(s: War, army: int, row: Sequence[int]) -> None:
    """What an army consists of now, kind by kind."""
    s.strength = (*s.strength[: army * 5], *row, *s.strength[army * 5 + 5 :])


def side_of(army: int) -> int:
    return army // ARMIES


def armies_of(side: int) -> range:
    return range(side * ARMIES, side * ARMIES + ARMIES)


def in_play(s: War, side: int) -> list[int]:
    """Return a side's armies on the map."""
    return [army for army in armies_of(side) if s.army_at[army] >= 0]


def points(s: War, army: int) -> int:
    """Strength points of an army that count for stacking: all but tac air.  [hw-record-2] [hw-tac-2]"""
    at = army * 5
    return s.strength[at] + s.strength[at + 1] + s.strength[at + 3] + s.strength[at + 4]


def total(s: War, army: int) -> int:
    """All strength points of an army.  [hw-record-2]"""
    at = army * 5
    return sum(s.strength[at : at + 5])


def armies_in(s: War, space: int) -> list[int]:
    """Armies in a space, by number."""
    places = s.army_at
    if space not in places:
        return []
    return [army for army, at in enumerate(places) if at == space]


def stacked(s: War, space: int) -> int:
    """Points that count against the limit of a hex: armies without tac air, completed forts, home forces."""
    held = s.fort.get(space, 0) + s.home.get(space, 0)
    places, after = s.army_at, 0
    for _ in range(places.count(space)):
        army = places.index(space, after)
        held += points(s, army)
        after = army + 1
    return held


def air_in(s: War, armies: list[int]) -> int:
    return sum(s.strength[army * 5 + AIR] for army in armies)


def enemies(s: War, side: int) -> list[int]:
    """Sides that a side may fight: not a partner, nor a foe it has made peace with.  [hw-coop-1] [hw-surr-soviet-2]"""
    if s.peace != PEACE_ACCEPTED or side == ALLIES:
        return list(ENEMIES[side])
    return [foe for foe in ENEMIES[side] if foe == ALLIES]


def in_box(s: War, side: int, item: str) -> int:
    """Return how many points of an item a side has in its box."""
    return s.box[cell(side, item)]


def add_to_box(s: War, side: int, item: str, number: int) -> None:
    """A side's box gets (or loses) points of an item."""
    place = cell(side, item)
    s.box = put(s.box, place, s.box[place] + number)


def army_name(army: int) -> str:
    return ATLAS.army_names[army]


def space_name(space: int) -> str:
    return ATLAS.names[space]


def role_of(side: int) -> str:
    return SIDES[side]


def has_fleets_on_map(s: War) -> bool:
    """Whether the optional naval action is played, with ships on the map."""
    return s.setting.technology and bool(s.options.get("naval_action"))


def has_carriers(s: War) -> bool:
    """Carriers fight in the battles of the optional naval action and come with it only.  [hw-carrier-1] [hw-fleet-5]"""
    return has_fleets_on_map(s) and bool(s.options.get("carriers"))
