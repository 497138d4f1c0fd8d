"""`sandtable replay`: play a saved match again, check every state and die, and show what happened."""

import argparse
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from sandtable.cli.app import BadInput
from sandtable.cli.inputs import find_game, not_negative, read_file
from sandtable.cli.output import Progress, console, print_json, table
from sandtable.core import Action, Event, Game, Match, Unknown
from sandtable.core import replay as files
from sandtable.core.plain import plain
from sandtable.host.luck import ledger
from sandtable.host.messages import LuckFace
from sandtable.odds import luck


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a saved match")
    parser.add_argument("--verify", action="store_true", help="only check it: every move allowed, every state as saved")
    parser.add_argument("--to", type=not_negative, metavar="N", help="stop after move N and show the position there")
    parser.add_argument("--luck", action="store_true", help="weigh every die against its odds")
    parser.add_argument("--game", metavar="MODULE:ATTRIBUTE", help="the match's game, where it is not one of ours")
    parser.add_argument("--language", choices=("en", "de"), default="en", help="language of the log (en)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    head, lines = files.read(read_file(arguments.file))
    last = len(lines) if arguments.to is None else arguments.to
    if last > len(lines):
        raise BadInput(f"the match has {len(lines)} moves; there is no move {last}")
    match = files.start(head, functools.partial(game_of_match, arguments.game))
    for _ in files.steps(match, lines[:last], rules=head.rules):
        pass
    if arguments.luck:
        again = files.start(head, functools.partial(game_of_match, arguments.game))
        face = weighed(again, [(entry.role, entry.action) for entry in match.log], arguments.language)
        print_json(face) if arguments.json else show_luck(face, match.game)
        return 0
    result = summary(arguments.file, head, match, len(lines))
    if arguments.verify:
        print_json(result) if arguments.json else show_verdict(result)
    elif arguments.json:
        print_json(result | {"log": log(match, arguments.language), "state": match.state})
    else:
        show(result, match, arguments.language)
        if arguments.to is not None:
            show_position(match, arguments.language)
    return 0


def weighed(match: Match[Any], moves: Sequence[tuple[str, Action]], language: str) -> LuckFace:
    """The luck ledger of these moves."""
    fallen: list[luck.Fall] = []
    with Progress("weighing", len(moves), "moves") as bar:
        for played, found in luck.falls(match, moves):
            fallen += found
            bar.set(played.number)
    return ledger(match.game, fallen, language)


def show_luck(face: LuckFace, game: Game[Any]) -> None:
    out = console()
    if not face.measures:
        out.print(f"{face.dice} dice; none of them decided anything that is counted")
    for found in face.measures:
        sides = table(
            "side", ">expected", ">real", ">luck", ">usual size", "chance", title=f"{found.label}, {found.dice} dice"
        )
        for side in found.sides:
            chance = f"{side.chance:.1%} to be so {'lucky' if side.luck >= 0 else 'unlucky'}"
            figures = [f"{value:+.1f}" for value in (side.expected, side.real, side.luck)]
            sides.add_row(side.side, *figures, f"{side.deviation:.1f}", chance)
        out.print(sides)
        first = next(iter(game.alliances))
        falls = table(">move", "turn", "place", "dice", f">luck of {first}")
        for fall in found.falls:
            dice = " ".join(str(die.value) for die in fall.dice)
            falls.add_row(str(fall.move), fall.turn, fall.name, dice, f"{fall.luck[first]:+.1f}")
        out.print(falls)
        if found.chain is not None:
            chain = found.chain
            out.print(
                f"longest chain: {chain.falls} falls in a row for {chain.side}, moves {chain.first} to {chain.last}, "
                f"{chain.luck:+.1f}"
            )


def game_of_match(reference: str | None, name: str, rules: int) -> Game[Any]:
    """The game of a match file: one of ours, or the one given on the command line."""
    game = find_game(reference or name, rules)
    if game.id != name:
        raise Unknown(f"this match was played with {name}, not with {game.id}")
    return game


def summary(path: Path, head: files.Header, match: Match[Any], moves: int) -> dict[str, Any]:
    """The match at the position where the replay stopped, as plain data."""
    return {
        "file": str(path),
        "game": head.game,
        "rules_version": head.rules,
        "scenario": head.scenario,
        "options": dict(match.options),
        "seed": head.seed,
        "seed_hash": head.seed_hash,
        "moves": moves,
        "replayed": match.number,
        "verified": True,
        "dice": match.state.rolled,
        "digest": match.digest(),
        "over": match.over,
        "outcome": match.outcome,
        "waiting_for": list(match.waiting_for()),
    }


def describe(match: Match[Any], event: Event, language: str) -> str:
    """An event as a line of the log, or as plain data where the game has no text for it."""
    texts = match.game.texts(language)
    key = f"event.{event.__struct_config__.tag}"
    return texts.event(event) if key in texts else msgspec.json.encode(event).decode()


def log(match: Match[Any], language: str) -> list[dict[str, Any]]:
    """Print every move and its events; move 0 is the start."""
    events: dict[int, list[Event]] = {}
    for number, event in match.events:
        events.setdefault(number, []).append(event)
    entries = [(0, None, None), *((number, entry.role, entry.action) for number, entry in enumerate(match.log, 1))]
    return [
        {
            "n": number,
            "role": role,
            "action": action,
            "events": events.get(number, []),
            "text": [describe(match, event, language) for event in events.get(number, [])],
        }
        for number, role, action in entries
    ]


def verdict(result: dict[str, Any]) -> str:
    if result["over"]:
        outcome = result["outcome"]
        who = ", ".join(outcome.winners) or "nobody"
        return f"over: {who} won ({outcome.level}, {outcome.reason})"
    return f"not over: {', '.join(result['waiting_for'])} to decide"


def show_verdict(result: dict[str, Any]) -> None:
    print(
        f"{result['file']}: {result['game']} {result['scenario']}, {result['replayed']} of {result['moves']} moves "
        f"and {result['dice']} dice replayed, every state as recorded; {verdict(result)}"
    )


def show_position(match: Match[Any], language: str, role: str | None = None) -> None:
    """Print the table as a role may see it, or everybody: the prompt, and what stands where."""
    print(plain(match.table(role, language)))


def show(result: dict[str, Any], match: Match[Any], language: str) -> None:
    out = console()
    moves = table(">move", "role", "action", "what happened")
    for entry in log(match, language):
        action = "" if entry["action"] is None else msgspec.json.encode(entry["action"]).decode()
        moves.add_row(str(entry["n"]), entry["role"] or "", action, "\n".join(entry["text"]))
    out.print(moves, markup=False)
    facts = table("", "")
    facts.show_header = False
    options = ", ".join(f"{name}={value}" for name, value in result["options"].items()) or "none"
    for name, value in (
        ("game", f"{result['game']} (rules version {result['rules_version']})"),
        ("scenario", result["scenario"]),
        ("options", options),
        ("seed", result["seed"]),
        ("moves", f"{result['replayed']} of {result['moves']}"),
        ("state", f"{result['digest']} (as recorded)" if result["replayed"] else result["digest"]),
        ("step", type(match.step).__name__ if match.state.stack else "-"),
        ("result", verdict(result)),
    ):
        facts.add_row(name, str(value))
    out.print(facts, markup=False)
