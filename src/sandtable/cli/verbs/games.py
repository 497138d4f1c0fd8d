"""`sandtable games`: what can be played."""

import argparse
from typing import Any

from sandtable.cli.output import console, print_json, table
from sandtable.core import Game, Texts


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="only this game")
    parser.add_argument("--language", choices=("en", "de"), default="en", help="language of the titles (en)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    import sandtable
    from sandtable.cli.inputs import find_game

    names = [arguments.game] if arguments.game else sandtable.games()
    found = [facts(find_game(name), arguments.language) for name in names]
    if arguments.json:
        print_json(found)
    elif found:
        for game in found:
            show(game)
    else:
        print("no games yet")
    return 0


def title(texts: Texts, kind: str, name: str) -> str:
    """What people call a scenario, an option or a role; the id where no text file says."""
    keys = (f"{kind}.{name}.name", f"{kind}.{name}.title", f"{kind}.{name}", f"name.{name}")
    return next((texts.sentences[key] for key in keys if key in texts), name)


def facts(game: Game[Any], language: str) -> dict[str, Any]:
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
    }


def word(choice: bool | int | str) -> str:
    return ("on" if choice else "off") if isinstance(choice, bool) else str(choice)


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
