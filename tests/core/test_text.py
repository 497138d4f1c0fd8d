"""Sentences with blanks, in two languages."""

import json
import tomllib
from pathlib import Path

from sandtable.core import Refusal, Texts
from sandtable.core import text as text_module

TEXTS = Texts("en", {"a": "{n} {n|point|points} for {who}.", "name.germany": "Germany", "refusal.r-1": "No {what}."})


def test_blanks_plurals_and_names():
    assert TEXTS.say("a", n=1, who="@germany") == "1 point for Germany."
    assert TEXTS.say("a", n=3, who="@nobody") == "3 points for nobody."
    assert TEXTS.say("a", n=0, who=("x", "@germany")) == "0 points for x, Germany."
    assert TEXTS.say("missing.key") == "missing.key"


def test_a_refusal_reads_with_its_rule():
    assert TEXTS.refusal(Refusal("r-1", what="tea")) == "No tea. [r-1]"
    assert TEXTS.refusal(Refusal("r-2", "r-1", what="tea")) == "No tea. [r-2]"
    assert TEXTS.refusal(Refusal("r-9", n=1)) == "r-9 [r-9] (n=1)"


def test_the_core_speaks_both_languages():
    folder = Path(text_module.__file__).parent / "text"
    english, german = (tomllib.loads((folder / f"{lang}.toml").read_text()) for lang in ("en", "de"))
    assert {k: set(v) for k, v in english.items()} == {k: set(v) for k, v in german.items()}


def test_lists_are_counted_told_in_order_or_missed():
    texts = Texts("en", {
        "sail": "{ships} {ships|sails|sail}.", "go": "{unit} goes {path>}.", "find": "Finds {found?*|nothing}.",
        "hit": "{unit} is hit{lost| and lost|}.", "name.tank": "tank", "name.a": "Ayr",
    }, {"b": "Bath (b)"})  # fmt: skip
    assert texts.say("sail", ships=("tank#1", "tank#7", "@a")) == "2 × tank, Ayr sail."
    assert texts.say("sail", ships=["@tank"]) == "tank sails."
    assert texts.say("go", unit="tank#4", path=("@a", "b", "a")) == "tank goes Ayr – Bath (b) – Ayr."
    assert [texts.say("find", found=one) for one in ((), "", "@", 0)] == ["Finds nothing."] * 4
    assert [texts.say("find", found=one) for one in (("a",), "x", 2)] == ["Finds Ayr.", "Finds x.", "Finds 2."]
    assert texts.say("hit", unit="tank", lost=True) == "tank is hit and lost."
    assert texts.say("hit", unit="tank", lost=False) == "tank is hit."
    assert texts.name((1, 4, 4)) == "1, 4, 4", "dice are not counted"
    numbered = Texts("de", {"name.convoy *": "Geleitzug *"})
    assert numbered.name("convoy 12") == "Geleitzug 12"
    assert numbered.name("Allied 10") == "Allied 10"


def test_the_map_names_its_spaces(tmp_path):
    spaces = [{"id": "O13", "name": "Warsaw", "name_de": "Warschau"}, {"id": "J2", "name": "J2"}, {"id": "rome"}]
    boxes = [{"id": "home", "title": {"en": "Home", "de": "Heimat"}}]
    path = tmp_path / "map.json"
    path.write_text(json.dumps({"boxes": boxes, "sheets": [{"spaces": spaces}]}))
    english, german = (Texts.load(tmp_path, language, path) for language in ("en", "de"))
    assert [english.name(one) for one in ("O13", "@J2", "home", "rome")] == ["Warsaw (O13)", "J2", "Home", "rome"]
    assert german.name(["O13", "home"]) == "Warschau (O13), Heimat"
