"""Ships that are built onto the map or by instalments: the optional rules 'Naval Action', 'Ship Builds', 'Carriers'."""

from __future__ import annotations

from sandtable.core import Offer

from .state import Playing, War


def builds(s: War, item: str) -> bool:
    """Whether this item is built here and not straight into a box."""
    return item in ("capital_ship", "carrier") and any(
        s.options.get(name) for name in ("naval_action", "ship_builds", "carriers")
    )


def production_offers(m: Playing, side: int) -> list[Offer]:
    return []


def take_production(m: Playing, action: object) -> bool:
    return False
