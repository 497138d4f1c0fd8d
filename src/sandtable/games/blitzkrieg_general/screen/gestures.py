"""How a hand plays what this game offers, where the fields of an offer do not show it."""

from __future__ import annotations

from sandtable.core import Gesture

GESTURES = {
    "attack": Gesture(repeats=True),
    "done": Gesture(ends=True),
    "halt": Gesture(ends=True),
    "ready": Gesture(ends=True),
}
