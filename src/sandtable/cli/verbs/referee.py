"""`sandtable referee`: computer matches and match files, recomputed after every decision by a second implementation."""

import argparse
import time
from pathlib import Path
from typing import Any

from sandtable.cli.app import BadInput, one_line
from sandtable.cli.inputs import find_game, find_scenario, not_negative, positive, read_file
from sandtable.cli.output import Progress, console, print_json, table
from sandtable.core import Game
from sandtable.lab.referee import Disagreement, Watched, play, read, referee_of
from sandtable.players import levels


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, or MODULE:ATTRIBUTE for one that lives elsewhere")
    parser.add_argument("--match", type=Path, action="append", default=[], metavar="FILE", help="read this match file")
    parser.add_argument("--scenario", metavar="S", help="one scenario (all, one after the other)")
    parser.add_argument("--level", metavar="L", help="the level of all seats (drawn for each)")
    parser.add_argument("--matches", type=positive, default=10, metavar="N", help="matches to play (10)")
    parser.add_argument("--tries", type=positive, default=1, metavar="N", help="tries of a searching player (1)")
    parser.add_argument("--seed", type=not_negative, default=0, metavar="X", help="where the matches start (0)")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="folder for the match file (.)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    game = find_game(arguments.game)
    scenario = find_scenario(game, arguments.scenario) if arguments.scenario else None
    referee_of(game)
    if arguments.level and arguments.level not in levels(game):
        raise BadInput(f"there is no level '{arguments.level}' for {game.id}; there is {', '.join(levels(game))}")
    if not arguments.out.is_dir():
        raise BadInput(f"{arguments.out} is not a folder")
    files = [read_file(path) for path in arguments.match]
    total = len(files) or arguments.matches
    found: list[Watched] = []
    started = time.monotonic()
    with Progress(f"watching {game.id}", total, "matches") as progress:
        for number in range(total):
            try:
                if files:
                    found.append(read(files[number], lambda name, rules: find_game(arguments.game)))
                else:
                    found.append(
                        play(
                            game,
                            number,
                            arguments.seed,
                            scenario=scenario,
                            level=arguments.level,
                            tries=arguments.tries,
                        )
                    )
            except Disagreement as disagreement:
                return tell(disagreement, game, number, arguments)
            progress.set(number + 1)
    seconds = time.monotonic() - started
    if arguments.json:
        print_json({"game": game.id, "difference": None, "seconds": seconds, "matches": found})
    else:
        show(game, found, seconds)
    return 0


def tell(disagreement: Disagreement, game: Game[Any], number: int, arguments: argparse.Namespace) -> int:
    """Print the first difference and where to see it again."""
    match = disagreement.match
    path = arguments.out / f"{game.id}-{match.scenario}-{arguments.seed}-{number}.referee.jsonl"
    path.write_bytes(disagreement.replay())
    if arguments.json:
        print_json(
            {
                "game": game.id,
                "difference": disagreement.difference,
                "scenario": match.scenario,
                "options": dict(match.options),
                "move": match.number,
                "replay": str(path),
            }
        )
    else:
        print(f"DIFFERENT {game.id} {match.scenario} after move {match.number}: {one_line(disagreement)}")
        print(f"the match up to there: {path}")
    return 1


def show(game: Game[Any], found: list[Watched], seconds: float) -> None:
    shown = table("scenario", ">decisions", "over", "seats", "options")
    for row in found:
        seats = ", ".join(f"{role}={level}" for role, level in row.seats.items())
        options = ", ".join(f"{name}={value}" if value is not True else name for name, value in row.options.items() if value)
        shown.add_row(row.scenario, f"{row.decisions:,}", "yes" if row.over else "no", seats, options)
    out = console()
    out.print(shown, markup=False)
    decisions = sum(row.decisions for row in found)
    out.print(f"{game.id}: {decisions:,} decisions in {seconds:.1f} s, no difference", markup=False)
