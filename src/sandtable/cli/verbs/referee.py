"""`sandtable referee`: matches recomputed by a second implementation of the rules; the first difference is shown."""

import argparse
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.cli.app import BadInput
from sandtable.cli.inputs import find_game, find_scenario, not_negative, positive, read_file
from sandtable.cli.output import Progress, console, print_json, table

if TYPE_CHECKING:
    from sandtable.core import Game, Match
    from sandtable.lab.referee import Case, Verdict


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, or MODULE:ATTRIBUTE for one that lives elsewhere")
    parser.add_argument("file", nargs="*", type=Path, metavar="FILE", help="saved matches to read, instead of playing")
    parser.add_argument("--matches", type=positive, default=10, metavar="N", help="how many matches to play (10)")
    parser.add_argument("--seed", type=not_negative, default=0, metavar="X", help="the same seed, the same matches (0)")
    parser.add_argument(
        "--levels", default="", metavar="A,B", help="levels of the computer players (all but the weakest)"
    )
    parser.add_argument("--scenario", metavar="S", help="one scenario (drawn at random, as are the options)")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="folder for a match that differs (.)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    game = find_game(arguments.game)
    if arguments.scenario:
        find_scenario(game, arguments.scenario)
    if not arguments.out.is_dir():
        raise BadInput(f"{arguments.out} is not a folder")
    verdicts: list[Verdict] = []
    started, path = time.monotonic(), None
    total = len(arguments.file) or arguments.matches
    with Progress(f"watching {game.id}", total, "matches") as progress:
        for case in cases(game, arguments):
            try:
                verdicts.append(case.judge())
            except Exception:
                if case.seats:  # a fault of ours; a bad file is the user's
                    where = write(case.match, arguments.out)
                    print(f"the match up to the error, {case.match.number} moves: {where}", file=sys.stderr)
                raise
            progress.set(len(verdicts))
            if verdicts[-1].difference is not None:
                path = write(case.match, arguments.out)
                break
    seconds = time.monotonic() - started
    if arguments.json:
        shown = {"game": game.id, "seed": arguments.seed, "seconds": seconds, "matches": verdicts}
        print_json(shown | {"difference": verdicts[-1].difference, "file": str(path) if path else None})
    else:
        show(game, verdicts, path, seconds)
    return 0 if path is None else 1


def cases(game: "Game[Any]", arguments: argparse.Namespace) -> "Iterator[Case]":
    """The matches of the files, or else matches to play."""
    from sandtable.lab.referee import played, referee_of, saved

    if arguments.file:
        for path in arguments.file:
            yield saved(str(path), read_file(path), game)
        return
    levels = [level for level in arguments.levels.split(",") if level]
    for number in range(arguments.matches):
        case = played(game, f"{arguments.seed}/{number}", levels, arguments.scenario)
        referee_of(game)
        yield case


def write(match: "Match[Any]", folder: Path) -> Path:
    """Save the match up to here and return its path."""
    import sandtable

    seed = re.sub(r"[^\w-]+", "-", match.seed)
    path = folder / f"{match.game.id}-{match.scenario}-{seed}.referee.jsonl"
    path.write_bytes(sandtable.save(match))
    return path


def show(game: "Game[Any]", verdicts: "list[Verdict]", path: Path | None, seconds: float) -> None:
    shown = table("match", "scenario", "players", ">moves", "difference")
    for verdict in verdicts:
        seats = ", ".join(f"{role} {level}" for role, level in verdict.seats.items())
        difference = "none" if verdict.difference is None else verdict.difference.what
        shown.add_row(verdict.source, verdict.scenario, seats, f"{verdict.moves:,}", difference)
    console().print(shown, markup=False)
    last = verdicts[-1]
    if last.difference is None:
        moves = sum(verdict.moves for verdict in verdicts)
        print(f"{game.id}: {len(verdicts)} matches, {moves:,} moves in {seconds:.1f} s, no difference")
        return
    print(f"DIFFERENCE after move {last.moves} of {path}: {last.difference.what} [{last.difference.rule}]")
    print(f"  engine:  {last.difference.engine}")
    print(f"  referee: {last.difference.referee}")
