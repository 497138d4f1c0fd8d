"""`sandtable games`: what can be played."""

import argparse
import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.cli.output import console, print_json, table

if TYPE_CHECKING:
    from sandtable.core import Game, Texts


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="only this game")
    parser.add_argument("--language", choices=("en", "de"), default="en", help="language of the titles (en)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    import sandtable
    from sandtable.cli.inputs import find_game

    if arguments.game:
        found = [facts(find_game(arguments.game), arguments.language)]
    else:
        found = remembered(arguments.language) or remember(
            [facts(find_game(name), arguments.language) for name in sandtable.games()], arguments.language
        )
    if arguments.json:
        print_json(found)
    elif found:
        for game in found:
            show(game)
    else:
        print("no games yet")
    return 0


def memory(language: str) -> Path:
    """The file in which the list is cached, under a name that changes with the games' files.

    Loading four games takes most of a second, and every shell completion and script asks for the list.
    """
    import sandtable

    home = Path(sandtable.__file__).parent / "games"
    mark = hashlib.sha256(f"{home}|{language}|{sandtable.games()}".encode())
    for folder, _, names in sorted(os.walk(home)):
        for name in sorted(names):
            if name.endswith((".py", ".toml", ".json")):
                facts = (Path(folder) / name).stat()
                mark.update(f"{folder}/{name}|{facts.st_mtime_ns}|{facts.st_size}".encode())
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "sandtable" / f"games-{mark.hexdigest()[:24]}.json"


def are_all_ours() -> bool:
    """Whether no game lives elsewhere: such a game may change without our knowing."""
    import sandtable
    from sandtable.games import home_of

    return all(home_of(name).startswith("sandtable.games.") for name in sandtable.games())


def remembered(language: str) -> list[dict[str, Any]]:
    """The cached list; empty where there is none or the games have changed."""
    if not are_all_ours():
        return []
    try:
        found: list[dict[str, Any]] = json.loads(memory(language).read_bytes())
    except (OSError, ValueError):
        return []
    return found


def remember(found: list[dict[str, Any]], language: str) -> list[dict[str, Any]]:
    """Cache the list and return it. Where nothing can be written, the next call is just slower."""
    if not are_all_ours():
        return found
    path = memory(language)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob("games-*.json"):
            old.unlink(missing_ok=True)
        part = path.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(found), encoding="utf-8")
        part.replace(path)
    return found


def title(texts: "Texts", kind: str, name: str) -> str:
    """The title of a scenario, an option or a role; its id where the text file has none."""
    keys = (f"{kind}.{name}.name", f"{kind}.{name}.title", f"{kind}.{name}", f"name.{name}")
    return next((texts.sentences[key] for key in keys if key in texts), name)


def facts(game: "Game[Any]", language: str) -> dict[str, Any]:
    """A game as plain data."""
    texts = game.texts(language)
    return {
        "id": game.id,
        "title": game.title,
        "rules_version": game.rules_version,
        "roles": list(game.roles),
        "alliances": {name: list(roles) for name, roles in game.alliances.items()},
        "scenarios": [
            {
                "id": scenario.id,
                "title": title(texts, "scenario", scenario.id),
                "turns": scenario.turns,
                "roles": list(game.roles_in(scenario.id)),
            }
            for scenario in game.scenarios.values()
        ],
        "options": [
            {
                "id": option.id,
                "title": title(texts, "option", option.id),
                "default": option.default,
                "choices": list(option.choices or (False, True)),
                "scenarios": list(option.scenarios or game.scenarios),
                "rule": option.rule,
            }
            for option in game.options.values()
        ],
        "assumptions": [
            {"id": assumption.id, "default": assumption.default, "help": assumption.help}
            for assumption in game.assumptions.values()
        ],
    }


def word(choice: bool | float | str | Sequence[str]) -> str:
    if isinstance(choice, (list, tuple)):
        return ",".join(choice) or "none"
    return ("on" if choice else "off") if isinstance(choice, bool) else f"{choice}"


def show(game: dict[str, Any]) -> None:
    out = console()
    sides = "; ".join(f"{name}: {', '.join(roles)}" for name, roles in game["alliances"].items())
    out.print(f"[bold]{game['id']}[/]  {game['title']} (rules version {game['rules_version']})")
    out.print(f"roles: {', '.join(game['roles'])}  ({sides})", markup=False)
    scenarios = table("scenario", "title", ">turns", "roles")
    for scenario in game["scenarios"]:
        turns = str(scenario["turns"] or "-")
        scenarios.add_row(scenario["id"], scenario["title"], turns, ", ".join(scenario["roles"]))
    out.print(scenarios)
    if game["options"]:
        options = table("option", "title", "choices (first: default)", "scenarios")
        for option in game["options"]:
            others = [choice for choice in option["choices"] if choice != option["default"]]
            words = ", ".join(word(choice) for choice in [option["default"], *others])
            everywhere = len(option["scenarios"]) == len(game["scenarios"])
            where = "all" if everywhere else ", ".join(option["scenarios"])
            options.add_row(option["id"], option["title"], words, where)
        out.print(options)
    if game["assumptions"]:
        assumptions = table("odds --assume", "default", "what the odds of a whole battle assume")
        for assumption in game["assumptions"]:
            assumptions.add_row(assumption["id"], word(assumption["default"]), assumption["help"])
        out.print(assumptions)
