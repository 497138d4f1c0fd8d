"""`sandtable odds`: the exact odds of what an action would start, from a saved match or a scenario's first position."""

import argparse
import itertools
import json
from pathlib import Path
from typing import Any

from sandtable.cli.app import BadInput
from sandtable.cli.inputs import (
    find_game,
    find_scenario,
    not_negative,
    positive,
    read_assumptions,
    read_file,
    read_options,
)
from sandtable.cli.output import console, print_json, table
from sandtable.core import Action, Match, Odds, Refusal

MOST_LOOKED_AT = 3000
"""How many actions of each offer are tried when none is given; an offer can hold millions."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--match", type=Path, metavar="FILE", help="a saved match; without one, a scenario's start")
    parser.add_argument("--at", type=not_negative, metavar="N", help="the position after move N of it (the last one)")
    parser.add_argument("--scenario", metavar="S", help="without a match: the scenario (the first one)")
    parser.add_argument("--option", action="append", default=[], metavar="NAME[=VALUE]", help="an optional rule of it")
    parser.add_argument("--role", metavar="ROLE", help="who acts (whoever is asked)")
    parser.add_argument("--action", metavar="JSON", help="what it does; without it, everything with odds is listed")
    parser.add_argument(
        "--whole", action="store_true", help="the whole battle or chain of advances, not only its start"
    )
    parser.add_argument(
        "--assume", action="append", default=[], metavar="NAME[=VALUE]",
        help="with --whole: an assumption about later choices; `sandtable games GAME` lists those of a game",
    )  # fmt: skip
    parser.add_argument("--most", type=positive, default=20, metavar="N", help="how many a list shows (20)")
    parser.add_argument("--language", choices=("en", "de"), default="en", help="language of the words (en)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    from sandtable.odds.words import in_words

    match = position(arguments)
    role = who(match, arguments.role)
    texts = match.game.texts(arguments.language)
    if arguments.action is None:
        rows = [(action, in_words(odds, texts)) for action, odds in with_odds(match, role, arguments.most)]
        if arguments.json:
            print_json([report(match, role, action, odds) for action, odds in rows])
        else:
            show_list(match, role, rows)
        return 0
    action = match.parse(arguments.action)
    try:
        found = asked(match, role, action, arguments)
    except Refusal as refusal:
        raise BadInput(match.explain(refusal, arguments.language)) from None
    if found is None:
        raise BadInput("no dice fall at once for this action, so it has no odds")
    said = in_words(found, texts)
    print_json(report(match, role, action, said)) if arguments.json else show(said, arguments.most)
    return 0


def asked(match: Match[Any], role: str, action: Action, arguments: argparse.Namespace) -> Odds | None:
    """The odds of the next dice, or what the browser shows where there is no preview; with --whole, of the battle."""
    if not arguments.whole:
        if arguments.assume:
            raise BadInput("--assume needs --whole")
        from sandtable.odds.shown import shown

        return match.preview(role, action) or shown(match, role, action)
    from sandtable.odds.whole import whole

    return whole(match, role, action, read_assumptions(match.game, arguments.assume))


def position(arguments: argparse.Namespace) -> Match[Any]:
    """The match at the position that the arguments describe."""
    from sandtable.core import replay as files

    game = find_game(arguments.game)
    if arguments.match is None:
        if arguments.at is not None:
            raise BadInput("--at needs --match: a scenario's start has no moves")
        scenario = find_scenario(game, arguments.scenario) if arguments.scenario else next(iter(game.scenarios))
        return Match.new(game, scenario, read_options(game, arguments.option))
    if arguments.scenario or arguments.option:
        raise BadInput("--scenario and --option are for a position without --match")
    data = read_file(arguments.match)
    head, _ = files.read(data)
    if head.game != game.id:
        raise BadInput(f"{arguments.match} is a match of {head.game}, not of {game.id}")
    return files.load(data, lambda name, rules: game, to=arguments.at)


def who(match: Match[Any], named: str | None) -> str:
    """The role that acts."""
    asked = match.decisions()
    if match.over:
        raise BadInput("the match is over here: nobody acts any more")
    if named is None:
        if len(asked) > 1:
            raise BadInput(f"several are asked here; say --role with one of {', '.join(asked)}")
        return asked[0]
    if named not in match.roles:
        raise BadInput(f"{match.game.id} has no role '{named}'; it has {', '.join(match.roles)}")
    if named not in asked:
        raise BadInput(f"{named} is not asked here; {', '.join(asked)} is")
    return named


def with_odds(match: Match[Any], role: str, most: int) -> list[tuple[Action, Odds]]:
    """The offered actions that have odds, likeliest success first."""
    found = [
        (action, odds)
        for offer in match.offers(role).offers
        for action in itertools.islice(iter(offer), MOST_LOOKED_AT)
        if (odds := match.preview(role, action)) is not None
    ]
    found.sort(key=lambda pair: -pair[1].success)
    return found[:most]


def report(match: Match[Any], role: str, action: Action, odds: Odds) -> dict[str, Any]:
    """One answer as plain data."""
    return {"game": match.game.id, "number": match.number, "role": role, "action": action, "odds": odds}


def show(odds: Odds, most: int) -> None:
    out = console()
    aim = f". {odds.whose}: {odds.aim}: {odds.success:.1%}" if odds.aim else ""
    out.print(f"{odds.title}{aim}", markup=False)
    if odds.basis:
        out.print(odds.basis, markup=False)
    shown = table("result", ">chance", "losses")
    ranked = sorted(odds.results, key=lambda result: -result.probability)
    for one in ranked[:most]:
        facts = [f"{number} {name}" for name, number in one.facts.items()]
        losses = ", ".join([*(f"{side} {number}" for side, number in one.losses.items()), *facts])
        shown.add_row(one.name, f"{one.probability:.2%}", losses)
    out.print(shown, markup=False)
    if len(ranked) > most:
        rest = sum(one.probability for one in ranked[most:])
        out.print(f"and {len(ranked) - most} others, together {rest:.2%} (--most shows more)", markup=False)
    if odds.expected_losses:
        words = ", ".join(f"{side} {number:.2f}" for side, number in odds.expected_losses.items())
        out.print(f"expected losses: {words}", markup=False)
    for part in odds.modifiers:
        out.print(f"  {part.value:+d}  {part.name} [{part.rule}]", markup=False)
    if odds.policy:
        out.print(odds.policy, markup=False)


def show_list(match: Match[Any], role: str, rows: list[tuple[Action, Odds]]) -> None:
    out = console()
    if not rows:
        out.print(f"nothing that {role} may do now starts with dice", markup=False)
        return
    shown = table("action", "what", ">success", "expected losses")
    for action, odds in rows:
        said = json.dumps(match.game.codec.builtins(action), ensure_ascii=False)
        losses = ", ".join(f"{side} {number:.2f}" for side, number in odds.expected_losses.items())
        shown.add_row(said, odds.title, f"{odds.success:.1%}", losses)
    out.print(shown, markup=False)
