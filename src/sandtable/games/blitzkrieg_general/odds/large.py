"""A battle as large as they come, for the benchmarks."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.core import Game, Match

from ..model.atlas import ARM, ATLAS, INF
from ..model.state import LAND_BATTLE, BKState, move_unit
from ..rules.chart import gather
from .policy import Stand
from .whole import fight_out


def large_battle(game: Game[BKState]) -> tuple[str, Callable[[], object]]:
    """Ten land units and two aircraft against nine and one: more than usually meet in one area."""
    match = Match.new(game, "1939-advanced", seed=1, history=False)
    state = match.state
    space = ATLAS.space_of["kharkov"]
    for nation, side in (("germany", (8, 2, 2)), ("ussr", (8, 1, 1))):
        mine = [u for u in range(len(ATLAS.unit_ids)) if state.nation[u] == ATLAS.nation_of[nation]]
        kinds = ([u for u in mine if ATLAS.type[u] == INF], [u for u in mine if ATLAS.type[u] == ARM],
                 [u for u in mine if ATLAS.is_air[u]])  # fmt: skip
        for units, number in zip(kinds, side, strict=True):
            for unit in units[:number]:
                move_unit(state, unit, space)
    state.phasing = state.side[ATLAS.nation_of["germany"]]
    battle = gather(state, space, LAND_BATTLE)
    name = f"a battle of {len(battle.attackers)} units against {len(battle.defenders)}, with aircraft"
    return name, lambda: fight_out(match.clone(), battle, Stand())
