"""The State: units, spaces, fronts and powers as parallel columns of whole numbers."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sandtable.core import Play, State
from sandtable.core.columns import put

DEAD = -1
"""The space of a unit slot that holds no unit."""
IN_CONVOY = -2
"""The space of a ship that sails in a convoy: it is in every space of the route."""
BOX = -10
"""Build Box n is the space BOX - n."""
IN_HAND = -20
"""Bought and placed later: depots are counted, nothing else uses it."""

ON_DECK = -100
"""The home of a launched plane is ON_DECK minus its carrier."""

# Bits of a unit's flags.
MOVED = 1
"""Used in the Movement phase: it does not blitz."""
CUT_OFF = 2
SURPRISED = 4
AMPHIBIOUS = 8
DROPPED = 16
RAIDING = 32
"""On Strategic Warfare, or escorting it."""
SPECIAL = 64
"""Bought as special forces."""
CARRIED = 128
"""A transport that has had its load of this turn."""
RETREATED = 256
BLITZING = 512
SOUGHT = 1024
"""A submarine or raider that an interception was rolled against this turn."""
HOME_BOUND = 2048
"""Aborted, retreated or done: it can be found no more this turn."""
SPENT = 4096
"""Made a special attack: it does nothing else in Redeployment."""
PACIFIC = 8192
"""Marked for the Pacific Transfer."""
RAIDER = 16384
LAUNCHED = 32768
"""A carrier's plane that flies by itself this turn."""
LEFT_CONVOY = 65536
"""Was taken out of a convoy: it stays in its port for the rest of the turn."""
DASH = 131072
PER_TURN = MOVED | SURPRISED | AMPHIBIOUS | DROPPED | RAIDING | CARRIED | RETREATED | BLITZING | SOUGHT | HOME_BOUND
PER_TURN |= SPENT | RAIDER | LAUNCHED | LEFT_CONVOY | DASH

ORDER_MOVE, ORDER_PATROL, ORDER_HUNT = range(3)

SOUND, DAMAGED, GONE = range(3)
"""What a factory or resource zone is: gone for good after an atomic bomb."""

NEUTRAL_POWER, AT_WAR, OUT = range(3)
"""What a major power is."""


class Task(msgspec.Struct, frozen=True):
    """A Task Force: units that go the same declared path with the same order."""

    side: int
    order: int
    path: tuple[int, ...]
    """From the starting space to the target, both included."""
    number: int
    """In the order of declaration."""
    base: int
    """Spaces before the take-off: a carrier's plane counts from where it was launched."""
    target: int = -1
    """The convoy or space that a raid is after."""

    @property
    def end(self) -> int:
        return self.path[-1]


class Convoy(msgspec.Struct, frozen=True):
    """A line of ports and seas drawn on the board. Its ships are units with this number."""

    number: int
    power: int
    route: tuple[int, ...]
    dollars: int = 0
    """Money it carried in the last Collect Money phase: the rest of its room is for supply."""


def added(column: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """Return a column with more, or less, at one place."""
    return put(column, place, column[place] + number)


def table_changed(table: tuple[tuple[int, ...], ...], row: int, place: int, value: int) -> tuple[tuple[int, ...], ...]:
    """Return a table with another value at one place."""
    return put(table, row, put(table[row], place, value))


class W2State(State, kw_only=True):
    """All that changes. No column is ever changed in place."""

    turn: int
    """Place on the scenario's turn track."""
    # units
    kind: tuple[int, ...]
    power: tuple[int, ...]
    space: tuple[int, ...]
    home: tuple[int, ...]
    """Where a unit began the turn; ships and planes go back there."""
    came: tuple[int, ...]
    """The space a ground unit entered its present space from, -1 where it did not."""
    cargo_of: tuple[int, ...]
    """The ship that carries it, -1 where none does."""
    damage: tuple[int, ...]
    flags: tuple[int, ...]
    convoy: tuple[int, ...]
    task: tuple[int, ...]
    # spaces
    owner: tuple[int, ...]
    """Per land space the power that controls it, NEUTRAL for neutral land; NOBODY for water."""
    start_owner: tuple[int, ...]
    damaged: tuple[int, ...]
    """SOUND, DAMAGED or GONE."""
    fortress: tuple[int, ...]
    depot: tuple[int, ...]
    lost_fortress: tuple[int, ...]
    """A fortress that was captured is never rebuilt."""
    lost_flag: tuple[int, ...]
    """A flag that was captured once does nothing any more."""
    # powers
    status: tuple[int, ...]
    money: tuple[int, ...]
    rps: tuple[int, ...]
    rps_used: tuple[int, ...]
    depots: tuple[int, ...]
    """Supply depots bought and not yet placed."""
    fortresses_built: tuple[int, ...]
    given: tuple[int, ...]
    received: tuple[int, ...]
    income: tuple[int, ...]
    """Collected this turn."""
    tech: tuple[tuple[int, ...], ...]
    known: tuple[tuple[int, ...], ...]
    """Per power and technology: 0 unknown, 1 developed, usable from next turn, 2 usable."""
    pot: int = 0
    """What the USA has set aside for the Pacific this year."""
    pot_turns: int = 0
    debt: int = 0
    # minors: -1 neutral, else the patron or (when out) 6
    patron: tuple[int, ...]
    attacked: tuple[int, ...]
    """Minors under their first attack this turn."""
    # fronts
    initiative: tuple[int, ...]
    wins: tuple[int, ...]
    """Battles won this turn: axis, allies for each front in turn."""
    first: int = 0
    """Player A of this turn."""
    front_choice: Mapping[int, int]
    """Per ship in a two-front port: the front it works on this turn."""
    # pacts and special situations
    pact: bool = True
    breach: int = 0
    """1: the USSR may declare war; 2: Germany may."""
    vichy: bool = False
    no_income: tuple[int, ...]
    """Land that yields nothing to its conqueror (Italian armistice)."""
    once: tuple[int, ...]
    """Attacks made that come once per game: sneak attack, midget submarines, frogmen."""
    rail_in_ussr: int = 0
    rockets_fired: tuple[int, ...]
    tasks: tuple[Task, ...]
    convoys: tuple[Convoy, ...]
    next_convoy: int = 0
    # leaders
    leader_space: tuple[int, ...]
    """Where a general stands, -1 in reserve or dead, -2 aboard a ship."""
    leader_ship: tuple[int, ...]
    leader_dead: tuple[int, ...]
    leader_moved: tuple[int, ...]
    leader_begin: tuple[int, ...]
    """Where a leader began the turn: only units that began it under that leader are led."""
    commands: Mapping[int, int]
    """Spaces under several generals of one rank: who has the command this turn."""


M = Play[W2State]
