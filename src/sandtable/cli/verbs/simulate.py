"""`sandtable simulate`: matches between computer players."""

import argparse
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.cli.inputs import positive
from sandtable.cli.output import console, print_json, table

if TYPE_CHECKING:
    from sandtable.core import Game
    from sandtable.lab.simulate import Job, Record, Summary


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--scenario", metavar="S", help="the first one where none is named")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME[=VALUE]", help="an optional rule to play with"
    )
    parser.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="ROLE=LEVEL",
        help="who plays: a level, module:Class, or 'exec:COMMAND' ('all=...': every role); recruits elsewhere",
    )
    parser.add_argument("--matches", type=positive, default=20, metavar="N", help="how many matches (20)")
    parser.add_argument("--seed", type=int, default=0, metavar="X", help="the same seed gives the same matches (0)")
    parser.add_argument("--workers", type=positive, default=1, metavar="N", help="processes on this machine (1)")
    parser.add_argument("--ray", metavar="ADDRESS", help="play on a Ray cluster; 'local' starts one here")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a player may think (5)")
    parser.add_argument("--tries", type=positive, metavar="N", help="how many tries a searching player makes")
    parser.add_argument("--luck", action="store_true", help="weigh every die against its odds (takes about as long)")
    parser.add_argument(
        "--lines", type=Path, metavar="FILE", help="a line there for every match; a stopped run goes on from it"
    )
    parser.add_argument("--out", metavar="DIR", help="write a report (HTML) and the records (JSON, Parquet, CSV) there")
    parser.add_argument("--balance", action="store_true", help="put the result into the game's page in docs/balance")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    import msgspec

    from sandtable.cli.app import BadInput
    from sandtable.cli.checkout import checkout
    from sandtable.cli.inputs import find_game, find_modules, find_scenario, read_options
    from sandtable.cli.output import Progress
    from sandtable.lab import records as files
    from sandtable.lab.lines import Lines
    from sandtable.lab.simulate import jobs, simulate, summarize

    game = find_game(arguments.game)
    scenario = find_scenario(game, arguments.scenario) if arguments.scenario else next(iter(game.scenarios))
    seats: dict[str, str] = {}
    for entry in arguments.seat:
        role, sign, level = entry.partition("=")
        if not sign:
            raise BadInput(f"'{entry}' is not ROLE=LEVEL")
        find_modules(level)
        seats |= dict.fromkeys(game.roles_in(scenario) if role == "all" else (role,), level)
    if not 0 < arguments.seconds <= 3600:
        raise BadInput("--seconds must be above 0 and at most 3600")
    if arguments.balance:
        checkout("simulate --balance")
    if arguments.out and (missing := files.missing()):
        raise BadInput(f"--out needs {' and '.join(missing)}: pip install 'sandtable[plots]'")
    wanted = jobs(
        arguments.game, scenario, read_options(game, arguments.option), seats, arguments.matches, arguments.seed,
        arguments.seconds, arguments.tries, luck=arguments.luck,
    )  # fmt: skip
    kept = Lines(arguments.lines) if arguments.lines else None
    finished = 0
    with Progress("playing", len(wanted), "matches") as bar:

        def one_more() -> None:
            nonlocal finished
            finished += 1
            bar.set(finished)

        records = simulate(wanted, workers=arguments.workers, ray=arguments.ray, done=one_more, kept=kept)
    summary = summarize(arguments.game, records)
    if arguments.out:
        write(Path(arguments.out), game, wanted[0], records, summary, command(arguments, scenario))
    if arguments.balance:
        balance(game, wanted[0], records, summary, command(arguments, scenario))
    if arguments.json:
        print_json(msgspec.to_builtins(summary))
        return 0
    show(f"{game.title}: {scenario}", records, summary)
    return 0


def show(title: str, records: "list[Record]", summary: "Summary") -> None:
    """Print what the matches came to."""
    from sandtable.lab.chronicles import cells, in_words
    from sandtable.lab.curves import turn_names

    shown = table("side", ">wins", ">share", "95 % interval", title=title)
    for side, won in summary.wins.items():
        low, high = summary.intervals[side]
        shown.add_row(side, str(won), f"{won / summary.matches:.0%}", f"{low:.0%} to {high:.0%}")
    console().print(shown)
    console().print(
        f"{summary.matches} {'match' if summary.matches == 1 else 'matches'}, {summary.draws} drawn; "
        f"on average {summary.turns:.1f} turns, "
        f"{summary.decisions:.0f} decisions, {summary.seconds:.2f} s a match"
    )
    if summary.luck:
        weighed = table("luck", ">a match", ">usual size", ">all, in deviations")
        for name, found in summary.luck.items():
            weighed.add_row(name, f"{found.mean:+.2f}", f"{found.deviation:.2f}", f"{found.off:+.2f}")
        console().print(weighed)
    for level, count in summary.levels.items():
        console().print(f"  {count:5d}  {level}")
    if summary.dates:
        dates = table("milestone", "in history", ">reached", "median", "range")
        for row in summary.dates:
            dates.add_row(*cells(row, turn_names(records)))
        console().print(dates)
    if summary.watched:
        lines = in_words(summary.blunders, summary.watched)
        console().print("absurdities:", *lines, sep="\n  ", markup=False)


def command(arguments: argparse.Namespace, scenario: str) -> str:
    """The command that plays these matches again."""
    words = ["./sandtable", arguments.verb, arguments.game, "--scenario", scenario]
    for name in ("option", "seat"):
        for value in getattr(arguments, name):
            words += [f"--{name}", value]
    words += ["--matches", str(arguments.matches), "--seed", str(arguments.seed), "--seconds", f"{arguments.seconds:g}"]
    words += ["--tries", str(arguments.tries)] if arguments.tries else []
    words += ["--luck"] if arguments.luck else []
    return shlex.join(words)


def write(
    folder: Path, game: "Game[Any]", job: "Job", records: "list[Record]", summary: "Summary", made_by: str
) -> None:
    """Write the report and the records of a simulation."""
    from sandtable.cli.app import BadInput
    from sandtable.lab import records as files
    from sandtable.lab.report import html

    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths = [*files.write_json(folder, records, summary), *files.write_tables(folder, game, records)]
        page = folder / "report.html"
        page.write_text(html(game, job.scenario, job.seats, records, summary, made_by), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{folder} cannot be written: {error.strerror or error}") from error
    console(stderr=True).print(f"written: {', '.join(str(path) for path in [*paths, page])}", markup=False)


def balance(game: "Game[Any]", job: "Job", records: "list[Record]", summary: "Summary", made_by: str) -> None:
    """Put the result of a scenario into the game's balance page."""
    from sandtable.cli.checkout import checkout
    from sandtable.lab.balance import merged, section

    page = checkout("simulate --balance") / "docs" / "balance" / f"{game.id}.md"
    page.parent.mkdir(exist_ok=True)
    text = page.read_text(encoding="utf-8") if page.exists() else f"# {game.title}: balance\n"
    part = section(game, job.seats, records, summary, made_by)
    page.write_text(merged(text, job.scenario, part), encoding="utf-8")
