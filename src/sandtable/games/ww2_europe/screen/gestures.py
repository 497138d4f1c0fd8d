"""How a hand plays what this game offers, where the fields of an offer do not show it."""

from __future__ import annotations

from sandtable.core import Gesture

GESTURES = {
    "done": Gesture(ends=True),
    "patrol": Gesture("units", "path"),
    "choose-battle": Gesture(repeats=True),
    "sail": Gesture("units", "path"),
}
