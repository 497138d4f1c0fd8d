"""What is printed on the board, the counters, the cards and the charts: data/atlas.json as typed records."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import msgspec

HOME: Final = Path(__file__).parents[1]


class Space(msgspec.Struct, frozen=True):
    """An area, an island or a seazone of one of the two maps."""

    map: str
    kind: str
    owner: str | None
    home_of: str | None
    british_home: str | None
    terrain: str | None
    production: tuple[int, int] | None
    germany_only: bool
    be_pacific: bool
    stacking_limit: int | None
    desert_land_limit: int | None
    inset_east_africa: bool
    no_production_island: bool
    enterable: bool = True


class Link(msgspec.Struct, frozen=True):
    """Two neighbouring spaces and what lies between them."""

    a: str
    b: str
    kind: str
    borders: tuple[str, ...] = ()
    forbidden_coast: bool = False
    fortress_side: bool = False
    fortress_defender: str | None = None
    gate: str | None = None
    map_switch: bool = False
    same_space: bool = False


class Gate(msgspec.Struct, frozen=True):
    """A strait or canal that can be closed."""

    control_areas: tuple[str, ...]
    rule: str
    applies_to_subs: bool


class BritishHome(msgspec.Struct, frozen=True):
    letter: str | None


class Country(msgspec.Struct, frozen=True):
    kind: str
    side: str
    boss_of: str | None = None
    home_areas: tuple[str, ...] = ()
    areas: tuple[str, ...] = ()
    colonies: tuple[str, ...] = ()
    homes: dict[str, BritishHome] = {}
    rail_where: tuple[str, ...] = ()
    peace_production: int | str = 0
    handled_by: str = ""


class Arm(msgspec.Struct, frozen=True):
    """A type of unit. The cost is a number, or words where it depends on the strength."""

    move: int
    shots: int
    build_quarters: int
    cost: int | str
    repair: int | str | None


class Mix(msgspec.Struct, frozen=True):
    """Counters of one kind."""

    type: str
    front: int
    back: int | None
    count: int
    tag: str | None


class Leader(msgspec.Struct, frozen=True):
    """An HQ with its own name."""

    name: str
    country: str
    rating: int
    naval: bool


class RailUpgrade(msgspec.Struct, frozen=True):
    cost: int
    build_quarters: int


class Units(msgspec.Struct, frozen=True):
    types: dict[str, Arm]
    counter_mix: dict[str, tuple[Mix, ...]]
    hqs: tuple[Leader, ...]
    rail_upgrade: RailUpgrade


class Coup(msgspec.Struct, frozen=True):
    """The country a coup is about and the range of the two dice for each result."""

    target: str
    success: tuple[int, int]
    no_effect: tuple[int, int]
    counter: tuple[int, int]


class Card(msgspec.Struct, frozen=True):
    id: str
    number: int
    cost: int
    buyers: tuple[str, ...]
    users: tuple[str, ...]
    after_use: str
    coup: Coup | None


class Delivery(msgspec.Struct, frozen=True):
    giver: str
    receiver: str
    bp: int


class Listed(msgspec.Struct, frozen=True):
    """Counters in a list of forces: so many of a kind, or one HQ by its name."""

    nation: str
    type: str = ""
    front: int = 0
    n: int = 1
    tag: str = ""
    name: str = ""
    flipped: bool = False


class Forces(msgspec.Struct, frozen=True):
    """The counters that a list names for a space, or for a quarter in which they arrive."""

    units: tuple[Listed, ...]
    space: str = ""
    quarter: str = ""


class Peace(msgspec.Struct, frozen=True):
    card_player: str


class ScenarioCard(msgspec.Struct, frozen=True):
    """The card of a scenario. What differs between the scenarios is in here."""

    start: str
    set_up: dict[str, tuple[Forces, ...]]
    reinforcements: dict[str, tuple[Forces, ...]]
    first_turn_reinforcements: str
    rail: dict[str, int | dict[str, int]]
    production: dict[str, int | dict[str, int]]
    research_numbers: dict[str, int]
    research_achievements: dict[str, tuple[str, ...]]
    cards_in_hand: dict[str, tuple[str, ...]]
    cards_in_effect: tuple[str, ...]
    cards_removed: tuple[str, ...]
    wars: tuple[tuple[str, str], ...]
    at_war_since: dict[str, str]
    control_changes: dict[str, str]
    deliveries_in_force: tuple[str, ...]
    be_pacific_active: bool
    hqs_off_map: dict[str, str]
    initiative: str
    weather: Any
    initiative_previous: str = ""
    cards_suspended: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    conquered: tuple[str, ...] = ()
    joined: dict[str, tuple[str, ...]] = {}
    peace: Peace | None = None
    maginot_fortress_destroyed: bool = False


class Printed(msgspec.Struct, frozen=True):
    """The whole file."""

    spaces: dict[str, Space]
    links: tuple[Link, ...]
    optional_links: tuple[Link, ...]
    gates: dict[str, Gate]
    countries: dict[str, Country]
    units: Units
    cards: tuple[Card, ...]
    deliveries: tuple[Delivery, ...]
    setups: dict[str, ScenarioCard]
    neutral_setups: dict[str, tuple[Forces, ...]]
    cooperation: dict[str, Any]
    timetable: dict[str, Any]
    weather_table: dict[str, Any]
    search_table: dict[str, Any]
    terrain_effects: dict[str, Any]
    research: dict[str, Any]
    tracks: dict[str, Any]


PRINTED: Final = msgspec.json.decode((HOME / "data" / "atlas.json").read_bytes(), type=Printed)
