"""The Table: a view in the form that a client draws. One browser client draws every game from it alone.

Texts in it are in the reader's language. Ids of spaces are those of the game's map.json. Colours are names of a closed
palette, never paint: the client owns the paint, also in the dark and for colour-blind eyes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

Colour = Literal[
    "grey", "olive", "yellow", "tan", "sand", "blue", "teal", "green", "red", "violet", "rose", "steel", "sage",
    "mustard", "stone", "neutral",
]  # fmt: skip
"""The palette. 'neutral' is nobody's: what has it keeps the colour of the ground."""
Pattern = Literal["plain", "stripes", "dots", "cross", "backstripes", "lines"]
"""Colour is never the only mark: every side has a pattern too."""


class SideFace(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a side or country looks: its name, its colour and its pattern."""

    name: str
    colour: Colour
    pattern: Pattern = "plain"


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A small mark on a space: a fort, devastation 3, terror, a battle announced."""

    kind: str
    """fort, damage, terror, battle, supply, ownership, city, flag, number, ...: picks the glyph."""
    text: str = ""
    tooltip: str = ""


class SpaceFace(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a space looks now. What never changes is in map.json."""

    side: str = ""
    """Who controls it: a key of Table.sides."""
    marks: Sequence[Mark] = ()
    value: str = ""
    """A number printed in it (production)."""
    sign: str = ""
    """What is drawn before the value: factory, oil, ..."""
    shade: str = ""
    """'neutral' is pale; 'disputed', 'isolated', ... are hatched."""
    tooltip: str = ""


class CounterFace(msgspec.Struct, frozen=True, omit_defaults=True):
    """One counter. `id` is what actions call it."""

    id: str
    side: str
    symbol: str = ""
    """A symbol code of APP-6 / MIL-STD-2525 for milsymbol (ten letters or a number code), or '' for a plain counter."""
    icon: str = ""
    """A drawn silhouette instead: battleship, carrier, submarine, convoy, fighter, bomber, card, marker, ..."""
    size: str = ""
    """XX, XXX, XXXX: shown over the symbol."""
    label: str = ""
    numbers: str = ""
    """Printed at the foot: '8-6', '4', '3/2'."""
    strength: int | None = None
    """What it adds to the total of its stack; None: the first number at its foot, nothing where that is in brackets."""
    state: Sequence[str] = ()
    """moved, reduced, hidden, out-of-supply, exhausted, carried, ...: each draws its own mark."""
    tooltip: str = ""
    count: int = 1
    carried_by: str = ""


class Box(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place off the map that holds counters: reinforcements, a display, the turn track, a country off the map."""

    id: str
    title: str
    group: str = ""
    """Boxes of one group are drawn together in the side panel; 'map' puts it where map.json has a box of that id."""
    side: str = ""


class TrackMark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A marker on a track."""

    at: int
    label: str
    side: str = ""
    tooltip: str = ""


class Track(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of boxes with markers on it: turns, production, morale, research."""

    id: str
    title: str
    cells: Sequence[str]
    marks: Sequence[TrackMark] = ()


class Row(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of a record sheet. `refs` are spaces or units it speaks of, to light up on hover."""

    cells: Sequence[str]
    refs: Sequence[str] = ()
    head: bool = False


class Panel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A record sheet, a build list, a hand of cards, a table of odds."""

    id: str
    title: str
    kind: str = "sheet"
    """sheet (rows), cards (cards), text (body)."""
    columns: Sequence[str] = ()
    rows: Sequence[Row] = ()
    cards: Sequence[CardFace] = ()
    body: str = ""
    side: str = ""


class CardFace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card in a hand or on the table; a hidden one has only its back."""

    id: str
    title: str
    text: str = ""
    side: str = ""
    cost: str = ""
    hidden: bool = False
    playable: bool = False


class Stage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One phase in the sequence-of-play bar."""

    id: str
    title: str
    now: bool = False
    done: bool = False


class Arrow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line over the map: an announced attack, a declared path, a convoy route, a retreat."""

    path: Sequence[str]
    kind: str
    side: str = ""
    label: str = ""


class Overlay(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that can be switched on: supply, zones of control, sea lanes. Spaces with a key of the legend."""

    id: str
    title: str
    spaces: Mapping[str, str] = {}
    legend: Mapping[str, str] = {}
    arrows: Sequence[Arrow] = ()


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that counts in a battle, with its value and its rule: 'River -1'."""

    text: str
    value: str = ""
    rule: str = ""


class Rank(msgspec.Struct, frozen=True, omit_defaults=True):
    """Counters that stand in one row of a battle: those that need the same."""

    units: Sequence[str]
    """Ids of counters."""
    needs: str = ""
    """What each of them needs: 'hits on 1 to 3'."""
    parts: Sequence[Part] = ()
    """What that is made of."""


class Force(msgspec.Struct, frozen=True, omit_defaults=True):
    """One side of a battle."""

    side: str
    ranks: Sequence[Rank]
    total: str = ""
    """What they add up to."""


class Battle(msgspec.Struct, frozen=True, omit_defaults=True):
    """A battle that is being fought: who stands against whom, and all that counts."""

    place: str
    attackers: Force
    defenders: Force
    round: int = 0
    column: str = ""
    """The ratio and the column of a results table, in words."""
    parts: Sequence[Part] = ()
    """What counts for all of it: column shifts, modifiers of the die."""


class DeskItem(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that can be ordered. What its action lacks is chosen on the map."""

    action: Mapping[str, Any]
    """The action that orders one: what to `do`, and the fields that are fixed."""
    title: str
    price: int | float
    """What one costs. Where it is a fraction, so many cost their sum rounded up."""
    picture: CounterFace | None = None
    number: str = ""
    """The field of the action that takes how many; empty: one action orders one."""
    most: int | None = None
    """How many can be had at all; None: as many as can be paid."""
    arrives: str = ""
    """When and where it comes, or how things stand with it."""
    text: str = ""
    """What it does, where the name does not say it: the text of a card."""


class Desk(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a role can order now, and what it has to pay with."""

    money: int
    currency: str
    items: Sequence[DeskItem]
    title: str = ""
    """What is ordered here; empty: production."""


class Table(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that one role sees."""

    game: str
    scenario: str
    role: str | None
    number: int
    prompt: str
    """One sentence: who is asked what."""
    asked: Sequence[str]
    turn: str
    """'Summer 1941', 'Turn 3 of 8'."""
    sequence: Sequence[Stage]
    sides: Mapping[str, SideFace]
    spaces: Mapping[str, SpaceFace]
    stacks: Mapping[str, Sequence[CounterFace]]
    """By space id or box id; the top counter last."""
    boxes: Sequence[Box] = ()
    tracks: Sequence[Track] = ()
    panels: Sequence[Panel] = ()
    arrows: Sequence[Arrow] = ()
    overlays: Sequence[Overlay] = ()
    rules: str = ""
    """The rules of the current step, in our words."""
    battles: Sequence[Battle] = ()
    """The battles that are being fought, the one that is decided about first."""
    desk: Desk | None = None
    """What the role can order now: production, research, repair."""
    ends: str = ""
    """What the step's Done ends, as the button says it: 'End movement'."""
    outcome: str = ""
    extra: Mapping[str, Any] = {}

    def __repr__(self) -> str:
        """The table in one line; `match.show()` prints all of it."""
        whose = f"as {self.role} sees it" if self.role else "as everybody sees it"
        words = " / ".join(text for text in (self.turn, self.outcome or self.prompt) if text)
        return f"<Table {self.game} {self.scenario} {whose}: {words}>"
