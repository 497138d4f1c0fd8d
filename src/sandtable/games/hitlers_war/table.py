"""The Table: a view of the match laid out for the eyes."""

from __future__ import annotations

from sandtable.core import Texts, View
from sandtable.core.table import Table

from .state import War


def lay_out(view: View[War], texts: Texts) -> Table:
    raise NotImplementedError
