"""Taking control of hexes (chapter 2.3)."""

from __future__ import annotations

from ..facts.control import claims, occupiers_claims
from ..facts.politics import side_of
from ..model.atlas import ATLAS
from ..model.state import M, credit, give


def occupy(m: M, side: int, hexes: int) -> None:
    """A side's units have entered or passed these hexes."""
    _take(m, side, *claims(m.state, side, hexes))


def _take(m: M, side: int, free: int, disputed: int) -> None:
    if free:
        give(m.state, side, free)
    if disputed:
        credit(m.state, side, disputed)


def hold(m: M, unit: int, at: int) -> None:
    """A unit stands in a hex."""
    if ATLAS.land >> at & 1:
        occupy(m, side_of(m.state, unit), 1 << at)


def settle_control(m: M) -> None:
    """At the end of a phase hexes that are occupied and free of enemy zones belong to their occupier."""
    for side, (free, disputed) in enumerate(occupiers_claims(m.state)):
        _take(m, side, free, disputed)
