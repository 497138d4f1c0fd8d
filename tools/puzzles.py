"""Proves the answers of the puzzles: `python -m tools.puzzles [GAME] [PUZZLE]`.

It searches every play that a puzzle's proof covers, says what is the best, and ends with an error where a stated answer
is not the best.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from sandtable.core import Action, Game
from sandtable.games import find, games
from sandtable.host import lessons, solving

NEAR = 0.051
"""A stated chance is rounded to a tenth of a percent."""


def prove(game: Game[Any], name: str) -> bool:
    """Print what the search of one puzzle found; return whether its answer is the best."""
    puzzle, match = lessons.lesson_of(game, name), lessons.start(game, name, "1")
    stated = max(plan.chance for plan in puzzle.plan)
    began = time.process_time()
    best = solving.best_play(puzzle, match)
    took = time.process_time() - began
    is_best = abs(best.chance - stated) < NEAR
    print(
        f"{game.id} {name.removeprefix(lessons.PUZZLE)}: stated {stated:.1f} %, best {best.chance:.2f} %, "
        f"{best.positions} positions, {took:.1f} s{'' if is_best else '  NOT THE BEST'}",
        flush=True,
    )
    for play in best.plays:
        print("   ", "; ".join(_line(game, action) for action in play))
    return is_best


def _line(game: Game[Any], action: Action) -> str:
    return " ".join(str(value) for value in game.codec.builtins(action).values() if value)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.puzzles", description=__doc__)
    parser.add_argument("game", nargs="?", choices=list(games()), help="one game only")
    parser.add_argument("puzzle", nargs="?", default="", help="the puzzles whose name begins so")
    wanted = parser.parse_args(arguments)
    answers = [
        prove(find(game), name)
        for game in ([wanted.game] if wanted.game else games())
        for name in lessons.puzzles(find(game))
        if name.startswith(lessons.PUZZLE + wanted.puzzle) and lessons.lesson_of(find(game), name).proof is not None
    ]
    return 0 if all(answers) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
