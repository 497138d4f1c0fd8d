"""Advanced naval rules: the Order of Battle and the Conditions of the Battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core import Choices, Field, Offer, OneOf, Step

from ..facts.control import speaker
from ..facts.names import names_of, unit_of
from ..model.actions import Arrive, Night
from ..model.atlas import ATLAS
from ..model.events import Conditions
from ..model.kinds import AIR
from ..model.state import M
from .advanced_naval import NAMES, WEATHER, conditions
from .battle_phase import Battle
from .interception import (
    distance,
)

A = ATLAS
K = ATLAS.kinds


class Assemble(Step, frozen=True, tag="assemble"):
    """Advanced naval rules: who arrives when, by day or by night, in what weather.

    [w2e-adv-naval-order] [w2e-adv-naval-air] [w2e-adv-naval-conditions]
    """

    rule = "w2e-adv-naval-order"
    battle: Battle
    rounds: tuple[tuple[int, int], ...] = ()
    """Rounds chosen for air units."""
    weather: int = -1

    def planes(self, m: M) -> list[int]:
        """Air units whose round has not been named."""
        named = {unit for unit, _ in self.rounds}
        units = (*self.battle.att, *self.battle.dfn)
        return [u for u in units if K.cls[m.state.kind[u]] == AIR and u not in named]

    def last_round(self, m: M) -> int:
        return max((when for _, when in arrivals(m, self.battle)), default=1)

    def run(self, m: M) -> None:
        if self.weather < 0 or self.planes(m):
            return
        battle = self.battle
        if not WEATHER[self.weather][2]:
            planes = [u for u in (*battle.att, *battle.dfn) if K.cls[m.state.kind[u]] == AIR]
            battle = replace(
                battle,
                att=tuple(u for u in battle.att if u not in planes),
                dfn=tuple(u for u in battle.dfn if u not in planes),
            )
        if not battle.att or not battle.dfn:
            m.pop()
            return
        arrive = (*arrivals(m, battle), *(pair for pair in self.rounds if pair[0] in (*battle.att, *battle.dfn)))
        m.replace(replace(battle, arrive=tuple(pair for pair in arrive if pair[1] > 1), weather=self.weather))

    def roles(self, m: M) -> Sequence[str]:
        state = m.state
        if self.weather < 0:
            return (A.powers[speaker(state, state.initiative[A.front_of[self.battle.space][0]])],)
        return (A.powers[state.power[self.planes(m)[0]]],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        if self.weather < 0:
            return [Choices([Night(False), Night(True)], rule="w2e-adv-naval-night-choice")]
        name = names_of(m.state, self.planes(m)[:1])[0]
        rounds = range(1, self.last_round(m) + 2)
        return [
            Offer(
                Arrive, Field("unit", "unit", OneOf([name])), Field("round", "number", OneOf(rounds)),
                rule="w2e-adv-naval-air",
            )
        ]  # fmt: skip

    def take(self, m: M, role: str, action: Any) -> None:
        if isinstance(action, Night):
            weather = conditions(m.roll(why="w2e-adv-naval-conditions"), action.wanted)
            m.emit(Conditions(space=f"@{A.names[self.battle.space]}", conditions=f"@{NAMES[weather]}"))
            m.replace(Assemble(self.battle, self.rounds, weather))
        else:
            pair = (unit_of(m.state, action.unit), action.round)
            m.replace(Assemble(self.battle, (*self.rounds, pair), self.weather))


def arrivals(m: M, battle: Battle) -> list[tuple[int, int]]:
    """The closest task force of each side opens the battle, the others come a round later for each space more.

    [w2e-adv-naval-order]
    """
    found = []
    for units in (battle.att, battle.dfn):
        ships = [u for u in units if K.cls[m.state.kind[u]] != AIR]
        if ships:
            near = min(distance(m.state, u, battle.space) for u in ships)
            found += [(u, 1 + distance(m.state, u, battle.space) - near) for u in ships]
    return found
