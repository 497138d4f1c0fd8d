"""The start of the command and its errors: bad input is one clear line on stderr and status 2, and nothing is written.

Each verb is a module of `sandtable.cli.verbs` with `arguments(parser)` and `run(arguments)`; only the verb asked for is
imported, so that a start stays fast.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast

VERBS: dict[str, str] = {
    "play": "play in the browser, on this machine",
    "serve": "run a server for others",
    "games": "list games, scenarios, options, roles",
    "rules": "the ledger of a game's rules, and which of them have a test",
    "replay": "check or show a saved match",
    "report": "look into a player's report, and make a test of it",
    "odds": "the exact odds of a battle before it is fought",
    "fuzz": "random legal play with every invariant checked after every decision",
    "simulate": "play matches between computer players and report win rates",
    "ladder": "rate the computer players against each other",
    "bench": "our figures and the peers', measured in one run",
    "test": "run every check and every test of this checkout",
}


class BadInput(Exception):
    """What was typed cannot be done; the message is one sentence for the user."""


class Verb(Protocol):
    def arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, arguments: argparse.Namespace) -> int: ...


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {one_line(message)} (try {self.prog} --help)\n")


def one_line(text: object) -> str:
    return " ".join(str(text).split())


def load_verb(name: str) -> Verb:
    return cast(Verb, importlib.import_module(f"sandtable.cli.verbs.{name}"))


class ShowVersion(argparse.Action):
    """Looks the version up only when it is needed: that takes longer than the rest of the start."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object, **__: object) -> NoReturn:
        from sandtable.core.version import program_version

        print(f"sandtable {program_version()}")
        parser.exit(0)


def build_parser(words: Sequence[str]) -> Parser:
    """The parser of the command. Only the verb in `words` is imported and gets its arguments; the others are listed."""
    parser = Parser(
        prog="sandtable",
        description="Four board games of the Second World War, with their rules enforced.",
        epilog="'sandtable VERB --help' tells about one verb.",
    )
    parser.add_argument("--version", action=ShowVersion, nargs=0, help="show the version and exit")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=Parser)
    wanted = next((word for word in words if not word.startswith("-")), None)
    for name, text in VERBS.items():
        sub = verbs.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".", add_help=name != "test")
        if name == wanted:
            load_verb(name).arguments(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its status: 0 for success, 2 for bad input, 1 for any other failure."""
    words = list(sys.argv[1:] if argv is None else argv)
    arguments = build_parser(words).parse_args(words)
    from sandtable.core.errors import SandtableError

    try:
        status = load_verb(arguments.verb).run(arguments)
        sys.stdout.flush()
        return status
    except (BadInput, SandtableError) as error:
        print(f"sandtable: {one_line(error)}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # the reader of our output has gone: exit quietly, and keep Python from complaining at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("sandtable: stopped", file=sys.stderr)
        return 130
