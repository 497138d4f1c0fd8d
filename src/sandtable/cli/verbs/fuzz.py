"""`sandtable fuzz`: random legal play with every invariant checked; a failure saves the match that shows it."""

import argparse
import time
from pathlib import Path
from typing import Any

from sandtable.cli.app import BadInput, one_line
from sandtable.cli.inputs import find_game, find_scenario, not_negative, positive, read_options
from sandtable.cli.output import Progress, console, print_json, table
from sandtable.core import Game
from sandtable.testing import FuzzFailure, Report, fuzz


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, or MODULE:ATTRIBUTE for one that lives elsewhere")
    parser.add_argument("--scenario", metavar="S", help="one scenario (all, one after the other)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME[=VALUE]", help="turn an option on")
    parser.add_argument("--all-options", action="store_true", help="turn every option on that is a switch")
    parser.add_argument("--decisions", type=positive, default=10_000, metavar="N", help="decisions in all (10000)")
    parser.add_argument("--seed", type=not_negative, default=0, metavar="X", help="where the random play starts (0)")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="folder for the match of a failure (.)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    game = find_game(arguments.game)
    scenarios = [find_scenario(game, arguments.scenario)] if arguments.scenario else list(game.scenarios)
    chosen = read_options(game, arguments.option)
    plans = [(scenario, options_in(game, scenario, chosen, arguments)) for scenario in scenarios]
    if not arguments.out.is_dir():
        raise BadInput(f"{arguments.out} is not a folder")

    share = -(-arguments.decisions // len(plans))
    reports: list[Report] = []
    started = time.monotonic()
    with Progress(f"fuzzing {game.id}", share * len(plans), "decisions") as progress:
        for scenario, options in plans:
            done = share * len(reports)
            try:
                report = fuzz(
                    game,
                    scenario,
                    options,
                    decisions=share,
                    seed=arguments.seed,
                    progress=lambda made, done=done: progress.set(done + made),  # type: ignore[misc]
                )
            except FuzzFailure as failure:
                return tell_failure(failure, game, scenario, options, arguments)
            reports.append(report)
    seconds = time.monotonic() - started
    if arguments.json:
        print_json({"game": game.id, "seed": arguments.seed, "failure": None, "seconds": seconds, "runs": reports})
    else:
        show(game, reports, seconds)
    return 0


def options_in(game: Game[Any], scenario: str, chosen: dict[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """The options for a scenario. A named option that does not fit a named scenario is an error."""
    fits = {name for name, option in game.options.items() if not option.scenarios or scenario in option.scenarios}
    options = {name: True for name in fits if not game.options[name].choices} if arguments.all_options else {}
    options |= {name: value for name, value in chosen.items() if name in fits or arguments.scenario}
    return game.check_options(scenario, options)


def tell_failure(
    failure: FuzzFailure, game: Game[Any], scenario: str, options: dict[str, Any], arguments: argparse.Namespace
) -> int:
    """Print what failed and how to reproduce it."""
    data = failure.replay()
    path: Path | None = None
    if data is not None:
        path = arguments.out / f"{game.id}-{scenario}-{arguments.seed}.replay.jsonl"
        path.write_bytes(data)
    move = failure.match.number if failure.match is not None else 0
    if arguments.json:
        print_json(
            {
                "game": game.id,
                "seed": arguments.seed,
                "failure": one_line(failure),
                "scenario": scenario,
                "options": options,
                "move": move,
                "replay": str(path) if path else None,
            }
        )
    else:
        where = f"the match up to there: {path}" if path else "the match cannot be saved: it does not replay"
        print(f"FAILED {game.id} {scenario}, seed {arguments.seed}, after move {move}: {one_line(failure)}")
        print(where)
    return 1


def show(game: Game[Any], reports: list[Report], seconds: float) -> None:
    headings = ("scenario", ">decisions", ">matches", ">longest", ">dice", ">views", ">refusals", ">taken back", "ends")
    shown = table(*headings)
    for report in reports:
        ends = ", ".join(f"{name} {count}" for name, count in sorted(report.outcomes.items())) or "none over"
        numbers = (report.decisions, report.matches, report.longest, report.dice, report.views, report.refused)
        shown.add_row(report.scenario, *(f"{number:,}" for number in (*numbers, report.undone)), ends)
    total = sum(report.decisions for report in reports)
    out = console()
    out.print(shown, markup=False)
    out.print(f"{game.id}: {total:,} decisions in {seconds:.1f} s, no broken invariant", markup=False)
