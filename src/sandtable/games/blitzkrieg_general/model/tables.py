"""The numbers of the rules that stand in no printed chart, read from data/rules.json."""

from __future__ import annotations

import json
from typing import Final

from .printed import HOME

_DATA = json.loads((HOME / "data" / "rules.json").read_text(encoding="utf-8"))
LIMITS: Final[dict[str, int]] = _DATA["limits"]
CONCERNS: Final[dict[str, str]] = _DATA["concerns"]
"""Cards that are about one country besides their owner's: dead when it is conquered."""
AFRICA: Final[tuple[str, ...]] = tuple(_DATA["africa"])
"""Areas in Africa, for the Desert Fox."""
