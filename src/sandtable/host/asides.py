"""Work beside the match that takes a while: the luck of its dice, rehearsals. It is done where computer players think.

Each piece of work is plain data, takes about a second, and knows nothing of the pieces before it. Who wants the rest
asks again, so it can be stopped at any time by not asking.
"""

from __future__ import annotations

from typing import Any

import msgspec

from .luck import Weigh, weigh
from .rehearsals import Rehearse, rehearse

Aside = Weigh | Rehearse


def do(task: Aside) -> bytes:
    """Do a piece of work; returns its result as JSON."""
    found: Any = weigh(task) if isinstance(task, Weigh) else rehearse(task)
    return msgspec.json.encode(found)
