"""What is assumed about later choices when odds reach further than the next dice."""

from __future__ import annotations

import msgspec


class Stand(msgspec.Struct, frozen=True):
    """When a side leaves a battle: after a round in which its strength fell below this share of its enemy's."""

    attacker: float = 0.5
    defender: float = 0.0
    """0: it stands to the last."""

    def key(self) -> str:
        """The policy of an Odds: a key of the text file with its figures, which `words` fills in."""
        return f"policy.stand?attacker={self.attacker:g}&defender={self.defender:g}"
