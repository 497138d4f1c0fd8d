"""Scenes: how an event looks on the table. Playback, live pacing and a screen reader all read them.

A game says for each type of event which kind of scene it is and which of its fields hold the units, the way and the
side:

    SCENES = {
        Moved: Staging("move", units="unit", path=("path",), side="power"),
        TurnBegan: Staging("note"),
    }
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from .data import Event

SceneKind = Literal["move", "arrive", "fight", "hit", "leave", "flip", "owner", "card", "reveal", "note"]
"""Counters go along a path; come onto the table; fight at a place; are hit; leave it; turn over. A space changes hands.
A card is shown; something hidden is. Or only words are said."""


class Scene(msgspec.Struct, frozen=True, omit_defaults=True):
    """How one event looks. Ids are those of the Table."""

    kind: SceneKind
    units: Sequence[str] = ()
    path: Sequence[str] = ()
    """The way of a move, the last space is where it ends; of any other scene the place."""
    side: str = ""


class Staging(msgspec.Struct, frozen=True):
    """Which fields of an event make its scene."""

    kind: SceneKind
    units: str = ""
    path: tuple[str, ...] = ()
    """Fields that hold spaces, one or many, in the order of the way."""
    side: str = ""

    def scene(self, event: Event) -> Scene:
        """Return the scene of an event."""
        path = [space for name in self.path for space in _ids(getattr(event, name))]
        units = list(_ids(getattr(event, self.units))) if self.units else []
        side = next(_ids(getattr(event, self.side)), "") if self.side else ""
        return Scene(self.kind, units, path, side)


def _ids(value: Any) -> Iterator[str]:
    """The ids in a fact of an event: names lose the '@' that has them translated."""
    if isinstance(value, str):
        if value:
            yield value.removeprefix("@")
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from _ids(one)
