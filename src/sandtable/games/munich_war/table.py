"""The Table: a view laid out for the eyes (placeholder for the layout modules)."""

from __future__ import annotations

from typing import Any

from sandtable.core import Texts, View
from sandtable.core.table import Table

from .state import MunichState


def lay_table(game: Any, view: View[MunichState], texts: Texts) -> Table:
    return Table(game.id, view.state.scenario, view.role, view.number, "", view.asked, "", (), {}, {}, {})
