"""The numbers of the rules that stand in no printed chart, read from data/rules.json."""

from __future__ import annotations

import json
from typing import Final

from .atlas import HOME

LIMITS: Final[dict[str, int]] = json.loads((HOME / "data" / "rules.json").read_text(encoding="utf-8"))["limits"]
