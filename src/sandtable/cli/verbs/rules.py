"""`sandtable rules`: the ledger of a game's rules; with --coverage, which of them have a test that proves them."""

import argparse
from pathlib import Path

from sandtable.cli.app import BadInput
from sandtable.cli.checkout import checkout
from sandtable.cli.inputs import find_game
from sandtable.cli.output import console, print_json, table
from sandtable.lab.coverage import Coverage, Ledger, Rule, Tally, measure, read_ledger


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="a game's id, or module:attribute")
    parser.add_argument("--scope", help="only rules of this scope")
    parser.add_argument("--kind", help="only rules of this kind")
    parser.add_argument("--coverage", action="store_true", help="run the game's tests and show which rules they prove")
    parser.add_argument(
        "--tests", type=Path, metavar="FOLDER", help="where the tests of a game are that is not one of ours"
    )
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="test processes for --coverage (default 2)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")


def run(arguments: argparse.Namespace) -> int:
    ledger = read_ledger(find_game(arguments.game))
    only = narrowed(ledger, arguments.scope, arguments.kind)
    if arguments.coverage:
        if arguments.tests is not None and not arguments.tests.is_dir():
            raise BadInput(f"{arguments.tests} is no folder")
        folders = None if arguments.tests is None else [arguments.tests.resolve()]
        home = folders[0] if folders else checkout("rules --coverage without --tests")
        with console(stderr=True).status(f"running the tests that name rules of {ledger.game}"):
            coverage = measure(ledger, home, folders=folders, workers=arguments.workers, only=only)
        print_json(coverage) if arguments.json else show_coverage(coverage)
        return 0 if coverage.is_sound else 1
    print_json(only) if arguments.json else show_rules(ledger.game, only)
    return 0


def narrowed(ledger: Ledger, scope: str | None, kind: str | None) -> tuple[Rule, ...]:
    """The rules of one scope and kind; raises `BadInput` for those that the ledger does not have."""
    for word, known, what in (
        (scope, {rule.scope for rule in ledger.rules}, "scope"),
        (kind, {rule.kind for rule in ledger.rules}, "kind"),
    ):
        if word is not None and word not in known:
            raise BadInput(f"{ledger.game} has no rule of {what} '{word}'; it has {', '.join(sorted(known))}")
    return tuple(rule for rule in ledger.rules if scope in (None, rule.scope) and kind in (None, rule.kind))


def show_rules(game: str, rules: tuple[Rule, ...]) -> None:
    out = console()
    shown = table("rule", "scope", "kind", "what it says", title=f"{game}: {len(rules)} rules")
    for rule in rules:
        shown.add_row(rule.id, rule.scope, rule.kind, sentence(rule))
    out.print(shown, markup=False)


def sentence(rule: Rule) -> str:
    return rule.says + (f" (In doubt: {rule.doubt})" if rule.doubt else "")


def show_coverage(coverage: Coverage) -> None:
    out = console()
    share = 100 * coverage.covered / coverage.total if coverage.total else 0.0
    for what, counts in (("scope", coverage.scopes), ("kind", coverage.kinds)):
        shown = table(what, ">rules", ">proven", ">failing", ">without a test")
        for name, count in counts.items():
            shown.add_row(name, *cells(count))
        out.print(shown, markup=False)
    for heading, names in (
        ("without a passing test", coverage.missing),
        ("with a failing test", coverage.failing),
        ("markers that name no rule", coverage.unknown_markers),
        ("test files that cannot be read", coverage.broken_files),
    ):
        if names:
            out.print(f"{heading} ({len(names)}): {' '.join(names)}\n", markup=False, soft_wrap=True)
    out.print(
        f"{coverage.game}: {coverage.covered} of {coverage.total} rules ({share:.1f} %) are proven "
        f"by {coverage.tests} tests",
        markup=False,
    )


def cells(count: Tally) -> list[str]:
    return [str(number) if number else "-" for number in (count.total, count.covered, count.failing, count.missing)]
