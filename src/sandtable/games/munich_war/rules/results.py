"""Combat results (the list at the end of the rules, 11.16): what each code says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from ..model.atlas import ATLAS
from ..model.state import Battle

ALL = 99
AS_MANY = -1
"""A bloodbath: as many attackers are reduced as there were defenders."""


class CombatResult(msgspec.Struct, frozen=True):
    """One code of the combat results tables."""

    attackers_die: bool
    defenders_die: bool
    defenders_reduced: int
    attackers_reduced: int
    tanks_reduced: int
    """Mechanized attackers."""
    attackers_retreat: int
    """In hexes."""
    defenders_retreat: int
    lets_advance: bool

    def steps_of_defenders(self, defenders: int) -> int:
        """How many of so many defenders are reduced."""
        return min(self.defenders_reduced, defenders)

    def steps_of_attackers(self, attackers: int, defenders: int) -> int:
        """How many of so many attackers are reduced."""
        return min(defenders if self.attackers_reduced == AS_MANY else self.attackers_reduced, attackers)


def _read(row: Mapping[str, Any]) -> CombatResult:
    def number(key: str) -> int:
        value = row.get(key, 0)
        return ALL if value == "all" else value if isinstance(value, int) else AS_MANY

    return CombatResult(
        bool(row.get("attacker_eliminate")), bool(row.get("defender_eliminate")), number("defender_reduce"),
        number("attacker_reduce"), number("attacker_reduce_mechanized"), number("attacker_retreat"),
        number("defender_retreat"), "advance" in row,
    )  # fmt: skip


RESULTS = {
    name: _read(ATLAS.tables["combat_results"][name])
    for name in {name for table in ATLAS.crt.values() for row in table for name in row}
}
"""By code."""


def flak_hits(battle: Battle, die: int) -> bool:
    """[mw-16.9-e] Whether guns in the hex reduce the aircraft that support the attack."""
    return battle.flak and die == 1
