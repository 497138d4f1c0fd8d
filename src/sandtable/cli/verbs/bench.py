"""`sandtable bench`: our figures and the peers', measured in one run."""

import argparse
import importlib
import pkgutil
from typing import Any

import sandtable
from sandtable.cli.app import BadInput
from sandtable.cli.checkout import checkout
from sandtable.cli.inputs import HOME, find_game
from sandtable.cli.output import console, print_json, table
from sandtable.core import Game
from sandtable.lab import bench as lab

DEMONSTRATION = "tests.demo.game:GAME"
PAGE = "docs/benchmarks.md"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--suite", action="append", metavar="NAME", help="only this suite (all; may be repeated)")
    parser.add_argument("--game", action="append", metavar="GAME", help="only this game (all and the demonstration's)")
    parser.add_argument("--seconds", type=float, default=1.0, metavar="S", help="time for each figure (1)")
    parser.add_argument("--list", action="store_true", help="list the suites")
    parser.add_argument("--write", action="store_true", help=f"write the whole table to {PAGE} as well")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    discover()
    names = arguments.suite or list(lab.SUITES)
    for name in names:
        if name not in lab.SUITES:
            raise BadInput(f"there is no suite '{name}'; there are {', '.join(lab.SUITES)}")
    if not 0.01 <= arguments.seconds <= 600:
        raise BadInput("--seconds must be between 0.01 and 600")
    if arguments.write and (arguments.suite or arguments.game):
        raise BadInput("--write is for the whole table: leave --suite and --game out")
    if arguments.list:
        print_json(names) if arguments.json else print("\n".join(names))
        return 0
    page = checkout("bench --write") / PAGE if arguments.write else None

    status = console(stderr=True)
    with status.status("measuring") as spinner:
        say = spinner.update if status.is_terminal else lambda text: status.print(f"measuring: {text}", markup=False)
        bench = lab.Bench(games(arguments.game), arguments.seconds, say)
        suites = list(lab.run(bench, names))
    if page is not None:
        page.parent.mkdir(exist_ok=True)
        page.write_text(lab.markdown(suites), encoding="utf-8")
    print_json(report(suites)) if arguments.json else show(suites)
    missed = [f"{figure.name}: {peer.name}" for part in suites for figure in part.figures for peer in figure.misses()]
    if missed:
        status.print(f"sandtable: a promised ratio was missed: {', '.join(missed)}", markup=False)
    return 1 if missed else 0


def discover() -> None:
    """Import every module of the package whose name begins with `bench`: its suites register themselves."""
    for found in pkgutil.walk_packages(sandtable.__path__, "sandtable."):
        name = found.name.rpartition(".")[2]
        if name.startswith("bench") and not found.name.startswith("sandtable.cli."):
            importlib.import_module(found.name)


def games(chosen: list[str] | None) -> list[Game[Any]]:
    """The games to measure: those named, or all of ours and, in a checkout, the demonstration game of the tests."""
    names = chosen or list(sandtable.games())
    if not chosen and (HOME / "tests" / "demo").is_dir():
        names = [DEMONSTRATION, *names]
    return [find_game(name) for name in names]


def report(suites: list[lab.Suite]) -> dict[str, Any]:
    return {
        "machine": lab.machine(),
        "suites": [
            {
                "name": part.name,
                "figures": [
                    {
                        "name": figure.name,
                        "value": figure.value,
                        "unit": figure.unit,
                        "note": figure.note,
                        "peers": [
                            {
                                "name": peer.name,
                                "value": peer.value,
                                "ratio": figure.ratio(peer),
                                "promised": peer.bar or None,
                            }
                            for peer in figure.peers
                        ],
                    }
                    for figure in part.figures
                ],
            }
            for part in suites
        ],
    }


def show(suites: list[lab.Suite]) -> None:
    out = console()
    for part in suites:
        shown = table("figure", ">ours", "peer", ">peer's", ">ratio", "promised", title=part.name)
        for row in lab.rows(part.figures):
            shown.add_row(*row)
        out.print(shown, markup=False)
    out.print(f"{lab.machine()}. {lab.RATIO_NOTE}", markup=False)
