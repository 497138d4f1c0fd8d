"""Optional rule: aircraft carriers. Their part in invasions stands here, their part in sea battles with the fleets."""

from __future__ import annotations

from .state import War


def tac_air(s: War, army: int) -> int:
    """Tac air that supporting carriers lend to an invading army.  [hw-carrier-5]"""
    return s.carrier_air.get(army, 0)
