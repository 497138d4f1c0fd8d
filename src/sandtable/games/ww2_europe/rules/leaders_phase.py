"""Option Leaders: generals and admirals by rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Step

from ..facts.control import is_active
from ..facts.whereabouts import at
from ..model.actions import Command
from ..model.atlas import ATLAS
from ..model.kinds import GROUND
from ..model.state import M
from .leaders import claim_key, reaches

A = ATLAS
K = ATLAS.kinds


# ---- at the beginning of a turn --------------------------------------------------------------------------------------
class Commands(Step, frozen=True, tag="commands"):
    """A space under several generals of the first or the second rank is assigned to one of them.

    [w2e-leaders-rank1] [w2e-leaders-rank2]
    """

    rule = "w2e-leaders-combine"

    def open(self, m: M) -> tuple[int, int, int, list[int]] | None:
        """The next power, rank and space with troops and too many generals, and who they are."""
        if not m.option("leaders"):
            return None
        state = m.state
        by: dict[tuple[int, int], list[int]] = {}
        for number, (power, row) in enumerate(A.leaders):
            lives = not state.leader_dead[number] and is_active(state, power)
            if row["kind"] == "general" and row["rank"] < 3 and lives:
                by.setdefault((power, int(row["rank"])), []).append(number)
        for (power, rank), numbers in by.items():
            if len(numbers) < 2:
                continue
            for space in A.land:
                if claim_key(power, rank, space) in state.commands:
                    continue
                rivals = [n for n in numbers if reaches(rank, state.leader_begin[n], space)]
                if len(rivals) > 1 and any(
                    state.power[u] == power and K.cls[state.kind[u]] == GROUND for u in at(state, space)
                ):
                    return power, rank, space, rivals
        return None

    def run(self, m: M) -> None:
        if self.open(m) is None:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        found = self.open(m)
        assert found is not None
        return (A.powers[found[0]],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        found = self.open(m)
        assert found is not None
        return [
            Offer(
                Command, Field("space", "space", OneOf([A.names[found[2]]])),
                Field("leader", "choice", OneOf([A.leader_names[n] for n in found[3]])), rule=self.rule,
            )
        ]  # fmt: skip

    def take(self, m: M, role: str, action: Any) -> None:
        number = A.leader_names.index(action.leader)
        power, row = A.leaders[number]
        claim = claim_key(power, int(row["rank"]), A.index[action.space])
        m.state.commands = {**m.state.commands, claim: number}
        m.replace(self)
