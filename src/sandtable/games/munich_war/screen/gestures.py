"""How a hand plays what this game offers, where the fields of an offer do not show it."""

from __future__ import annotations

from sandtable.core import Gesture

GESTURES = {
    "done": Gesture(ends=True),
    "fight": Gesture(repeats=True),
    "default-setup": Gesture(usual=True, repeats=True),
    "launch": Gesture("unit", "target"),
    "intercept": Gesture("unit", "target"),
    "ship": Gesture(),
    "assault": Gesture(),
}
