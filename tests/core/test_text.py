"""Sentences with blanks, in two languages."""

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
