"""Optional rule: aircraft carriers. Their part in invasions stands here, their part in sea battles with the fleets."""

from __future__ import annotations

from ...model.state import War


def tac_air(s: War, army: int) -> int:
    """Tac air that supporting carriers lend to an invading army, a point for each; it cannot be lost.

    [hw-carrier-5]
    """
    return sum(s.carriers[fleet] for fleet, escorted in s.escorting.items() if escorted == army)
