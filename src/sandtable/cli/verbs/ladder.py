"""`sandtable ladder`: the computer players of a game against each other."""

import argparse
import shlex
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sandtable.cli.inputs import positive
from sandtable.cli.output import console, print_json, table

if TYPE_CHECKING:
    from sandtable.lab.ladder import Ladder

PAGE = "docs/ladder.md"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--scenario", metavar="S", help="the first one where none is named")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME[=VALUE]", help="an optional rule to play with"
    )
    parser.add_argument(
        "--levels", metavar="A,B,C", help="levels, LEVEL@TRIES, module:Class or exec:COMMAND (all levels)"
    )
    parser.add_argument("--neighbours", action="store_true", help="only each level against the one below it")
    parser.add_argument("--matches", type=positive, default=20, metavar="N", help="matches for each pair (20)")
    parser.add_argument("--until-clear", action="store_true", help="end a pair's matches when the answer is clear")
    parser.add_argument(
        "--mirror", action="store_true", help="also the weaker level against itself: what a side alone is worth"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="X", help="the same seed gives the same matches (0)")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes on this machine (1)")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster; 'local' starts one here")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a player may think (5)")
    parser.add_argument("--tries", type=positive, metavar="N", help="how many tries a searching player makes")
    parser.add_argument(
        "--lines", type=Path, metavar="FILE", help="a line there for every match; a stopped run goes on from it"
    )
    parser.add_argument("--write", action="store_true", help=f"put the result into {PAGE}")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    from sandtable.cli.app import BadInput
    from sandtable.cli.checkout import checkout
    from sandtable.cli.inputs import find_game, find_modules, find_scenario, read_options
    from sandtable.cli.output import Progress
    from sandtable.lab import ladder as lab
    from sandtable.lab.lines import Lines
    from sandtable.lab.simulate import Job, Record, one_by_one, play
    from sandtable.players import levels

    game = find_game(arguments.game)
    scenario = find_scenario(game, arguments.scenario) if arguments.scenario else next(iter(game.scenarios))
    if not 0 < arguments.seconds <= 3600:
        raise BadInput("--seconds must be above 0 and at most 3600")
    named = [part.strip() for part in (arguments.levels or "").split(",") if part.strip()]
    for name in named:
        find_modules(name)
    chosen = named or levels(game)
    page = checkout("ladder --write") / PAGE if arguments.write else None
    wanted = lab.jobs(
        arguments.game, scenario, read_options(game, arguments.option), chosen, arguments.matches, arguments.seed,
        arguments.seconds, neighbours=arguments.neighbours, tries=arguments.tries, mirror=arguments.mirror,
    )  # fmt: skip
    kept = Lines(arguments.lines) if arguments.lines else None
    finished = 0
    with Progress("playing", len(wanted), "matches") as bar:

        def one_more() -> None:
            nonlocal finished
            finished += 1
            bar.set(finished)

        def records(some: Sequence[Job]) -> Generator[Record]:
            return one_by_one(
                play, some, Record, workers=arguments.workers, ray=arguments.ray, done=one_more, kept=kept
            )

        until_clear = arguments.until_clear
        played, results = zip(*lab.played(wanted, records, until_clear=until_clear), strict=True)
    found, sides = (
        lab.pairings(played, results, by_side=by_side, until_clear=until_clear) for by_side in (False, True)
    )
    rated, alone = lab.ratings(found, arguments.seed), lab.mirrors(played, results)
    result = lab.Ladder(game.id, scenario, found, rated, sides, alone)
    if page is not None:
        title = f"{game.title}: {', '.join([scenario, *arguments.option])}"
        text = page.read_text(encoding="utf-8") if page.exists() else "# The ladder\n"
        part = lab.section(result, title, command(arguments, scenario, chosen))
        name = " ".join([f"{game.id}/{scenario}", *arguments.option, ",".join(chosen)])
        page.write_text(lab.merged(text, name, part), encoding="utf-8")
    print_json(result) if arguments.json else show(result, game.title)
    return 0


def command(arguments: argparse.Namespace, scenario: str, levels: "list[str] | tuple[str, ...]") -> str:
    """The command that makes this ladder again."""
    words = ["./sandtable", "ladder", arguments.game, "--scenario", scenario, "--levels", ",".join(levels)]
    for value in arguments.option:
        words += ["--option", value]
    words += ["--neighbours"] if arguments.neighbours else []
    words += ["--until-clear"] if arguments.until_clear else []
    words += ["--mirror"] if arguments.mirror else []
    words += ["--matches", str(arguments.matches), "--seed", str(arguments.seed), "--seconds", f"{arguments.seconds:g}"]
    words += ["--tries", str(arguments.tries)] if arguments.tries else []
    return shlex.join(words)


def show(result: "Ladder", title: str) -> None:
    out = console()
    rated = table("level", ">Elo", "95 % interval", title=f"{title}: {result.scenario}")
    for rating in result.ratings:
        rated.add_row(rating.level, f"{rating.elo:+.0f}", f"{rating.low:+.0f} to {rating.high:+.0f}")
    out.print(rated)
    pairs = table("pairing", "as", ">won", ">drawn", ">lost", ">share", "95 % interval")
    for pair in (*result.pairings, *result.sides):
        low, high = pair.interval
        share = f"{pair.score / pair.matches:.1%}"
        name = f"{pair.first} against {pair.second}"
        pairs.add_row(
            name, pair.side or "all", str(pair.won), str(pair.drawn), str(pair.lost), share, f"{low:.1%} to {high:.1%}"
        )
    out.print(pairs)
