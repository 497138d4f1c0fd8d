"""`sandtable report`: show what looks wrong to a player and what the engine does there; write a test to start from."""

import argparse
from pathlib import Path
from typing import Any

import msgspec

from sandtable.cli import skeleton
from sandtable.cli.app import BadInput
from sandtable.cli.checkout import checkout
from sandtable.cli.inputs import read_file
from sandtable.cli.output import console, print_json
from sandtable.cli.verbs.replay import describe, show_position
from sandtable.core import Game, Match, Odds, Refusal
from sandtable.host import reports
from sandtable.host.lobby import rules_of
from sandtable.odds.words import in_words


class Answer(msgspec.Struct, frozen=True):
    """What the engine said when the player clicked, and what it says now."""

    then: list[str]
    now: list[str]
    same: bool
    is_refused: bool = False
    """The rules do not allow the action now."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a report, saved with 'This looks wrong'")
    parser.add_argument("--checkout", type=Path, metavar="FOLDER", help="the checkout for the test (this one)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    data = read_file(arguments.file)
    report = reports.read(data)
    game = reports.game_of(report)
    home = arguments.checkout or checkout("report")
    if not (home / "tests").is_dir():
        raise BadInput(f"{home} is no checkout: it has no folder tests")
    match = reports.position(report, verify=True)
    rule = next((rule for rule in rules_of(report.game, "en") if rule.id == report.rule), None)
    told = answer(report, reports.position(report))
    folder = home / "tests" / "games" / game.home.name
    others = [path.relative_to(home).as_posix() for path in skeleton.tests_of(report.rule, folder)]
    written = skeleton.write(
        report, data, home, game.home.name, is_ledger_rule=rule is not None, is_refused=told.is_refused
    )
    result = {
        "file": str(arguments.file),
        "program": report.program,
        "game": report.game,
        "rules_version": report.rules,
        "scenario": report.scenario,
        "options": report.options,
        "at": report.at,
        "sentence": report.sentence,
        "known": "match" if isinstance(report.known, reports.Played) else "view",
        "role": eyes(report),
        "about": report.about,
        "rule": rule if rule is not None else {"id": report.rule},
        "engine": told,
        "tests_of_the_rule": others,
        "written": written,
    }
    if arguments.json:
        print_json(result | {"table": match.table(eyes(report))})
    else:
        show(report, match, result, told, written)
    return 0


def eyes(report: reports.Report) -> str | None:
    """Return the role whose knowledge the report holds; None where it holds everything."""
    return report.known.role if isinstance(report.known, reports.Seen) else None


def answer(report: reports.Report, match: Match[Any]) -> Answer:
    """Repeat what the player did and compare."""
    about, game = report.about, match.game
    try:
        if isinstance(about, reports.Weighed):
            found = reports.weighed(match, about.role, about.action)
            as_read = msgspec.json.decode(msgspec.json.encode(found), type=Odds | None)  # 0 and 0.0 are the same
            return Answer(odds_lines(about.odds, game), odds_lines(found, game), as_read == about.odds)
        if isinstance(about, reports.Happened):
            return answer_of_event(report, about, match)
    except Refusal as refusal:
        then = [about.text] if isinstance(about, reports.Happened) else ["odds"]
        return Answer(then, [no(match, refusal)], same=False, is_refused=True)
    then = [f"{about.text or 'not allowed'} [{report.rule}]"]
    now = None if about.action is None else reports.refused(match, about.role, about.action)
    if now is None:
        return Answer(then, ["no rule against it is named"], same=not about.text)
    return Answer(then, [no(match, now)], same=now.rule == report.rule, is_refused=True)


def answer_of_event(report: reports.Report, about: reports.Happened, match: Match[Any]) -> Answer:
    events = [reports.event_in(match.game, raw) for raw in about.events]
    then = [describe(match, event, "en") for event in events]
    if about.action is None:
        return Answer(then, ["the move is not known, so it cannot be repeated"], same=False)
    now = reports.repeated(match, report)
    return Answer(then, [describe(match, event, "en") for event in now], now == events)


def no(match: Match[Any], refusal: Refusal) -> str:
    return f"{match.explain(refusal)} [{refusal.rule}]"


def odds_lines(odds: Odds | None, game: Game[Any]) -> list[str]:
    if odds is None:
        return ["no odds"]
    said = in_words(odds, game.texts("en"))
    rows = [f"{row.name}: {row.probability:.1%}" for row in said.results]
    parts = [f"{one.name} {one.value:+d} [{one.rule}]" for one in said.modifiers]
    return [f"{said.title}, success {said.success:.1%}", *rows, *parts]


def show(
    report: reports.Report, match: Match[Any], result: dict[str, Any], told: Answer, written: skeleton.Written
) -> None:
    out = console()
    about, role = report.about, eyes(report)
    whose = "the whole match is known" if result["known"] == "match" else f"as {role or 'everybody'} may know it"
    out.print(f"{report.game} {report.scenario}, rules version {report.rules}, program {report.program}", markup=False)
    out.print(f"The player: {report.sentence}", markup=False, soft_wrap=True)
    out.print(f"\nPosition after move {report.at}, {whose}", markup=False)
    show_position(match, "en", role)
    action = "an unknown action" if about.action is None else msgspec.json.encode(about.action).decode()
    kind = {reports.Refused: "a refusal", reports.Weighed: "odds", reports.Happened: "what happened"}[type(about)]
    lines = [f"They clicked on {kind}: {about.role}, {action}", "The engine then:"]
    lines += [f"  {line}" for line in told.then]
    lines += ["The engine now: the same"] if told.same else ["The engine now:", *(f"  {line}" for line in told.now)]
    rule = result["rule"]
    says = "not in the ledger" if isinstance(rule, dict) else f"{rule.title}. {rule.says}"
    lines.append(f"Rule {report.rule}: {says}")
    if result["tests_of_the_rule"]:
        lines.append(f"Its tests: {', '.join(result['tests_of_the_rule'])}")
    state = "Written" if written.new else "There already"
    lines.append(f"{state}: {written.file}::{written.test}, with {written.data}")
    out.print("\n".join(lines), markup=False, soft_wrap=True)
