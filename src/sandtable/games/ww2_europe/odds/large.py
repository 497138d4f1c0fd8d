"""A battle as large as they come, for the benchmarks."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.core import Game, Match

from ..model.atlas import ATLAS
from ..model.state import W2State
from ..rules.battle_phase import Battle
from .preview import battle_odds


def large_battle(game: Game[W2State]) -> tuple[str, Callable[[], object]]:
    """Eleven units of five kinds on each side: larger than nine battles in ten."""
    match = Match.new(game, "fall-1939", seed=1, history=False)
    state, kinds = match.state, ATLAS.kinds
    wanted = {"tank": 2, "infantry": 4, "artillery": 2, "fighter": 2, "tac_bomber": 1}

    def corps(power: str) -> tuple[int, ...]:
        mine = [u for u in range(len(state.space)) if ATLAS.powers[state.power[u]] == power and state.space[u] != -1]
        of_kind = {kind: [u for u in mine if state.kind[u] == kinds.index[kind]] for kind in wanted}
        return tuple(unit for kind, number in wanted.items() for unit in of_kind[kind][:number])

    ours, theirs = corps("germany"), corps("ussr")
    battle = Battle(ATLAS.index["krakow"], 0, False, ours, theirs)
    name = f"a battle of {len(ours)} units against {len(theirs)}, of five kinds"
    return name, lambda: battle_odds(match.play, battle)
