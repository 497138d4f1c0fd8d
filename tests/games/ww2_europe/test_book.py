"""Every rule is told in a paragraph of the book; worked examples stand in the fine print."""

import tomllib

from sandtable.games.ww2_europe.game import GAME
from sandtable.host import books


def test_every_rule_but_the_examples_is_told_in_one_paragraph() -> None:
    ledger = tomllib.loads((GAME.home / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]
    told = [rule for chapter in books.chapters(GAME) for part in chapter.paragraph for rule in part.rules]
    assert sorted(told) == sorted(item["id"] for item in ledger if not item["id"].startswith("w2e-ex-"))
