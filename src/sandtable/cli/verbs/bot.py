"""`sandtable bot`: a bot plays a seat of a running server."""

import argparse
import sys


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bot", metavar="BOT", help="module:Class, 'exec:COMMAND' for a program, or a level")
    parser.add_argument("link", metavar="LINK", help="the link of the seat: https://SERVER/m/MATCH#seat=SECRET")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long it may think (5)")
    parser.add_argument("--quiet", action="store_true", help="do not print its moves")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    from sandtable.cli.app import BadInput
    from sandtable.cli.inputs import find_modules
    from sandtable.cli.output import print_json
    from sandtable.lab.remote import Seat, play
    from sandtable.players import find

    if not 0 < arguments.seconds <= 3600:
        raise BadInput("--seconds must be above 0 and at most 3600")
    find_modules(arguments.bot)
    quiet = arguments.quiet or arguments.json
    end = play(
        Seat(arguments.link),
        lambda game, seed: find(arguments.bot, game)(game, seed),
        seconds=arguments.seconds,
        told=lambda line: None if quiet else print(line, file=sys.stderr, flush=True),
    )
    if arguments.json:
        print_json({key: end[key] for key in ("match", "game", "scenario", "number", "over", "outcome", "you")})
    else:
        print(end["outcome_text"] or end["frozen"] or "")
    return 0
