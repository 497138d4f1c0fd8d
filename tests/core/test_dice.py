"""Dice that anyone can check, and dice that fall as written."""

import copy
import hashlib
import hmac
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core import OutOfDice, ScriptedDice, SealedDice, branched_seed, seed_hash


def checked_by_hand(seed: str, number: int, sides: int) -> int:
    """The ten lines of code that docs promise to a doubter, written without the core."""
    attempt = 0
    while True:
        message = f"{number}.{attempt}".encode()
        x = int(hmac.new(seed.encode(), message, hashlib.sha256).hexdigest()[:16], 16)
        if x < 2**64 // sides * sides:
            return x % sides + 1
        attempt += 1


@given(st.text(max_size=40).filter(lambda seed: "|" not in seed), st.integers(0, 10**9), st.integers(1, 100))
def test_every_die_can_be_checked_by_hand(seed, number, sides):
    assert SealedDice(seed).value(number, sides) == checked_by_hand(seed, number, sides)


def test_a_seed_longer_than_the_hash_takes_in_at_a_time():
    seed = "long " * 30
    assert [SealedDice(seed).value(n, 6) for n in range(5)] == [checked_by_hand(seed, n, 6) for n in range(5)]


def test_dice_can_be_copied_after_they_have_fallen():
    dice = SealedDice("a|2|b")
    first = [dice.value(n, 6) for n in range(6)]
    assert [pickle.loads(pickle.dumps(dice)).value(n, 6) for n in range(6)] == first
    assert [copy.deepcopy(dice).value(n, 6) for n in range(6)] == first


def test_known_dice_never_change():
    assert [SealedDice("sandtable").value(n, 6) for n in range(10)] == [3, 4, 2, 1, 6, 2, 5, 5, 3, 2]


def test_dice_are_even():
    dice = SealedDice("even")
    counts = Counter(dice.value(n, 6) for n in range(60_000))
    chi_square = sum((counts[face] - 10_000) ** 2 / 10_000 for face in range(1, 7))
    assert chi_square < 25.7  # one fair stream in ten thousand is worse


def test_the_hash_commits_to_the_seed():
    assert seed_hash("7") == hashlib.sha256(b"7").hexdigest()


def test_scripted_dice_fall_as_written_and_run_out():
    dice = ScriptedDice([3, 5], first=10)
    assert (dice.value(10, 6), dice.value(11, 6)) == (3, 5)
    assert dice.left(11) == 1
    with pytest.raises(OutOfDice, match="2 dice"):
        dice.value(12, 6)
    with pytest.raises(OutOfDice, match="shows 5"):
        dice.value(11, 4)


def test_a_branch_keeps_the_dice_that_fell_and_has_its_own_from_there_on():
    seed = branched_seed("root", 5, "branch")
    dice = SealedDice(seed)
    assert [dice.value(n, 100) for n in range(5)] == [checked_by_hand("root", n, 100) for n in range(5)]
    assert [dice.value(n, 100) for n in range(5, 9)] == [checked_by_hand("branch", n, 100) for n in range(5, 9)]
    twice = SealedDice(branched_seed(seed, 8, "twig"))
    assert [twice.value(n, 100) for n in (4, 7, 8)] == [
        checked_by_hand(key, n, 100) for key, n in (("root", 4), ("branch", 7), ("twig", 8))
    ]
    assert branched_seed(seed, 3, "twig") == "root|3|twig"


def test_a_branch_before_the_first_die_has_dice_of_its_own() -> None:
    assert branched_seed("root", 0, "branch") == "branch"
    assert branched_seed("root|4|stem", 0, "branch") == "branch"


def test_the_code_in_the_docs_gives_our_dice():
    page = (Path(__file__).parents[2] / "docs" / "checking-the-dice.md").read_text(encoding="utf-8")
    code = page.split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec(code, names)
    dice = SealedDice("doubt")
    assert [names["die"]("doubt", n, 6) for n in range(200)] == [dice.value(n, 6) for n in range(200)]
