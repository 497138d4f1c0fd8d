"""When the sides leave a battle, as far as its odds reach further than the next dice, and whose success they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from sandtable.core.game import Assumed, Assumption

from ..model.atlas import ATLAS, MAJORS
from ..model.state import BKState


class Stand(msgspec.Struct, frozen=True):
    """When a side leaves a battle: after a round in which its strength fell below this share of its enemy's."""

    attacker: float = 0.5
    defender: float = 0.0
    """0: it never leaves."""

    def key(self) -> str:
        """The policy of an Odds: a key of the text file with its figures, which `sandtable.odds.words` fills in."""
        return f"policy.stand?attacker={self.attacker:g}&defender={self.defender:g}"


def whose(state: BKState, attackers: Sequence[int]) -> str:
    """Whose success the odds of a battle are: the major of its first attacker; where none is left, the side's first."""
    major = state.master[state.nation[attackers[0]]] if attackers else ATLAS.boss[state.phasing]
    return f"@{MAJORS[major]}"


ASSUMPTIONS: Mapping[str, Assumption] = {
    "attacker-leaves": Assumption(
        "attacker-leaves", Stand().attacker, "the attacker retreats below this share of the enemy's strength; 0: never"
    ),
    "defender-leaves": Assumption(
        "defender-leaves", Stand().defender, "the defender retreats below this share of the enemy's strength; 0: never"
    ),
}


def stand_of(assumed: Mapping[str, Assumed]) -> Stand:
    """The policy that these assumptions make."""
    attacker, defender = assumed["attacker-leaves"], assumed["defender-leaves"]
    assert isinstance(attacker, float)
    assert isinstance(defender, float)
    return Stand(attacker, defender)


def stand_in(policy: str) -> Stand:
    """The policy that a key of an Odds tells, as `Stand.key` writes it."""
    figures = dict(part.split("=", 1) for part in policy.partition("?")[2].split("&") if part)
    return Stand(float(figures.get("attacker", 0)), float(figures.get("defender", 0)))
