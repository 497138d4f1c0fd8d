"""`sandtable fuzz`: play with every invariant checked, at random or by computer players; a failure saves its match."""

import argparse
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sandtable.cli.app import BadInput, one_line
from sandtable.cli.inputs import find_game, find_scenario, not_negative, positive, read_options
from sandtable.cli.output import Progress, console, print_json, table
from sandtable.core import Game
from sandtable.players import levels
from sandtable.testing import LOOK_EVERY, FuzzFailure, Report, drawn_setting, fuzz


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, or MODULE:ATTRIBUTE for one that lives elsewhere")
    parser.add_argument("--scenario", metavar="S", help="one scenario (all, one after the other)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME[=VALUE]", help="turn an option on")
    parser.add_argument("--all-options", action="store_true", help="turn every option on that is a switch")
    parser.add_argument("--players", metavar="LEVEL", help="computer players decide, in a setting drawn for each match")
    parser.add_argument("--decisions", type=positive, default=10_000, metavar="N", help="decisions in all (10000)")
    parser.add_argument(
        "--look", type=positive, default=LOOK_EVERY, metavar="N",
        help=f"check views, leaks, refusals and undo at one decision in N ({LOOK_EVERY})",
    )  # fmt: skip
    parser.add_argument("--seed", type=not_negative, default=0, metavar="X", help="where the random play starts (0)")
    parser.add_argument("--out", type=Path, default=Path(), metavar="DIR", help="folder for the match of a failure (.)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    game = find_game(arguments.game)
    chosen = read_options(game, arguments.option)
    if arguments.scenario:
        find_scenario(game, arguments.scenario)
    if arguments.players and arguments.players not in levels(game):
        raise BadInput(f"there is no level '{arguments.players}' for {game.id}; there is {', '.join(levels(game))}")
    if not arguments.out.is_dir():
        raise BadInput(f"{arguments.out} is not a folder")
    plans = with_players(game, chosen, arguments) if arguments.players else at_random(game, chosen, arguments)

    reports: list[Report] = []
    made, started = 0, time.monotonic()
    with Progress(f"fuzzing {game.id}", arguments.decisions, "decisions") as progress:
        while made < arguments.decisions and (plan := next(plans, None)):
            try:
                report = fuzz(
                    game,
                    plan.scenario,
                    plan.options,
                    decisions=min(plan.decisions, arguments.decisions - made),
                    matches=plan.matches,
                    look_every=arguments.look,
                    level=arguments.players,
                    seed=plan.seed,
                    progress=lambda more, done=made: progress.set(done + more),  # type: ignore[misc]
                )
            except FuzzFailure as failure:
                return tell_failure(failure, game, plan, arguments)
            reports.append(report)
            made += report.decisions
    seconds = time.monotonic() - started
    if arguments.json:
        print_json({"game": game.id, "seed": arguments.seed, "failure": None, "seconds": seconds, "runs": reports})
    else:
        show(game, reports, seconds)
    return 0


class Plan(NamedTuple):
    """What to play next."""

    scenario: str
    options: dict[str, Any]
    seed: str | int
    decisions: int
    matches: int | None = None


def at_random(game: Game[Any], chosen: dict[str, Any], arguments: argparse.Namespace) -> Iterator[Plan]:
    """Every scenario, or the named one, with its share of the decisions."""
    scenarios = [arguments.scenario] if arguments.scenario else list(game.scenarios)
    share = -(-arguments.decisions // len(scenarios))
    settings = [(scenario, options_in(game, scenario, {}, chosen, arguments)) for scenario in scenarios]
    return iter([Plan(scenario, options, arguments.seed, share) for scenario, options in settings])


def with_players(game: Game[Any], chosen: dict[str, Any], arguments: argparse.Namespace) -> Iterator[Plan]:
    """A setting for each match: what is not named is drawn at random."""
    for number in itertools.count():
        seed = f"{arguments.seed}/{number}"
        scenario, drawn = drawn_setting(game, Random(seed), arguments.scenario)
        yield Plan(scenario, options_in(game, scenario, drawn, chosen, arguments), seed, arguments.decisions, 1)


def options_in(
    game: Game[Any], scenario: str, drawn: dict[str, Any], chosen: dict[str, Any], arguments: argparse.Namespace
) -> dict[str, Any]:
    """The options for a scenario. A named option that does not fit a named scenario is an error."""
    fits = {name for name, option in game.options.items() if not option.scenarios or scenario in option.scenarios}
    switched_on = {name: True for name in fits if not game.options[name].choices} if arguments.all_options else {}
    named = {name: value for name, value in chosen.items() if name in fits or arguments.scenario}
    return game.check_options(scenario, drawn | switched_on | named)


def tell_failure(failure: FuzzFailure, game: Game[Any], plan: Plan, arguments: argparse.Namespace) -> int:
    """Print what failed and how to reproduce it."""
    data = failure.replay()
    path: Path | None = None
    if data is not None:
        path = arguments.out / f"{game.id}-{plan.scenario}-{str(plan.seed).replace('/', '-')}.replay.jsonl"
        path.write_bytes(data)
    move = failure.match.number if failure.match is not None else 0
    if arguments.json:
        print_json(
            {
                "game": game.id,
                "seed": arguments.seed,
                "failure": one_line(failure),
                "scenario": plan.scenario,
                "options": plan.options,
                "move": move,
                "replay": str(path) if path else None,
            }
        )
    else:
        where = f"the match up to there: {path}" if path else "the match cannot be saved: it does not replay"
        print(f"FAILED {game.id} {plan.scenario}, seed {plan.seed}, after move {move}: {one_line(failure)}")
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
