"""`sandtable prove`: the odds that players are shown, against every fall of the dice as the engine plays it."""

import argparse
import json
import time
from typing import TYPE_CHECKING

from sandtable.cli.inputs import find_game, find_scenario, not_negative, positive
from sandtable.cli.output import Progress, print_json

if TYPE_CHECKING:
    from sandtable.lab.proof import Proof


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, or MODULE:ATTRIBUTE for one that lives elsewhere")
    parser.add_argument("--decisions", type=positive, default=100, metavar="N", help="decisions with a card (100)")
    parser.add_argument("--seed", type=not_negative, default=0, metavar="X", help="the same seed, the same matches (0)")
    parser.add_argument("--levels", default="captain", metavar="A,B", help="levels of the computer players (captain)")
    parser.add_argument("--scenario", metavar="S", help="one scenario (drawn at random, as are the options)")
    parser.add_argument(
        "--samples", type=not_negative, default=0, metavar="N",
        help="battles to play where the dice are too many to play them all (0)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    from sandtable.lab.proof import prove

    game = find_game(arguments.game)
    if arguments.scenario:
        find_scenario(game, arguments.scenario)
    levels = [level for level in arguments.levels.split(",") if level]
    started = time.monotonic()
    with Progress(f"reading cards of {game.id}", arguments.decisions, "decisions") as progress:
        found = prove(
            game, arguments.decisions, str(arguments.seed), levels, samples=arguments.samples,
            scenario=arguments.scenario, progress=progress.set,
        )  # fmt: skip
    if arguments.json:
        print_json({"seed": arguments.seed, "seconds": time.monotonic() - started, "proof": found})
    else:
        show(found, time.monotonic() - started)
    return 1 if found.flaws else 0


def show(found: "Proof", seconds: float) -> None:
    for flaw in found.flaws:
        action = json.dumps(flaw.action)
        print(f"WRONG before move {flaw.move + 1} of match {flaw.source} ({flaw.scenario}), {flaw.role}: {action}")
        print(f"  {flaw.title}, {flaw.what}: the card says {flaw.card:.6f}, the engine {flaw.engine:.6f}")
    print(
        f"{found.game}: {found.decisions:,} decisions, {found.proven:,} cards equal every fall of their dice, "
        f"{found.sampled:,} fit a sample, {found.large:,} have too many dice, {found.unread:,} have no trial, "
        f"{len(found.flaws):,} wrong figures; {seconds:.0f} s"
    )
