"""The start of the command and its errors: bad input is one clear line on stderr and status 2, and nothing is written.

Each verb is a module of `sandtable.cli.verbs` with `arguments(parser)` and `run(arguments)`; only the verb asked for is
imported, so that a start stays fast.
"""

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, Protocol, cast

VERBS: dict[str, str] = {
    "play": "play in the browser, on this machine",
    "serve": "run a server for others",
    "admin": "look after a server's database",
    "bot": "let a bot play a seat of a running server",
    "page": "write the whole of it as a static site: no server, no install",
    "games": "list games, scenarios, options, roles",
    "rules": "the ledger of a game's rules, and which of them have a test",
    "replay": "check or show a saved match",
    "report": "look into a player's report, and make a test of it",
    "odds": "the exact odds of a battle before it is fought",
    "fuzz": "random legal play with every invariant checked after every decision",
    "referee": "recompute matches by a second implementation of the rules",
    "prove": "the odds on cards against every fall of the dice, played by the engine",
    "simulate": "play matches between computer players and report win rates",
    "ladder": "rate the computer players against each other",
    "train": "learn to judge positions from matches between computer players",
    "bench": "our figures and the peers', measured in one run",
    "test": "run every check and every test of this checkout",
}


EXTRAS: dict[str, str] = {
    "alembic": "play", "httptools": "play", "litestar": "play", "platformdirs": "play", "sqlalchemy": "play",
    "uvicorn": "play", "websockets": "play", "psycopg": "server", "rich": "lab", "matplotlib": "plots",
    "pyarrow": "plots", "numpy": "plots", "ray": "ray", "gymnasium": "rl", "pettingzoo": "rl", "chess": "bench",
    "pyspiel": "bench", "authlib": "people", "pywebpush": "people",
}  # fmt: skip
"""Module -> the extra that installs it: `pip install sandtable` alone is the library."""


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
    from sandtable.core.errors import SandtableError

    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a console that lacks a character shows another, and goes on
    try:
        arguments = build_parser(words).parse_args(words)
        status = load_verb(arguments.verb).run(arguments)
        sys.stdout.flush()
        return status
    except (BadInput, SandtableError) as error:
        print(f"sandtable: {one_line(error)}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRAS:
            raise
        told = f"'sandtable {words[0]}' needs {missing}: pip install 'sandtable[{EXTRAS[missing]}]'"
        print(f"sandtable: {told}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # the reader of our output has gone: exit quietly, and keep Python from complaining at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        print("sandtable: stopped", file=sys.stderr)
        return 130
