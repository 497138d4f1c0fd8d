"""Derived facts that outlive an action are made anew when what they depend on differs, and only then."""

from random import Random
from typing import Any

from sandtable.core import Match
from tests.demo.game import GAME


def play_of_a_new_match() -> Match[Any]:
    return Match.new(GAME, next(iter(GAME.scenarios)), seed=1)


def test_a_kept_fact_is_made_once_for_the_same_contents_and_again_when_they_change() -> None:
    play = play_of_a_new_match().play
    numbers, made = [1, 2, 3], []

    def total() -> int:
        made.append(1)
        return sum(numbers)

    assert play.kept("total", (numbers,), total) == 6
    assert play.kept("total", (numbers,), total) == 6
    assert len(made) == 1
    numbers[0] = 10  # changed in place: the contents differ though the list is the same one
    assert play.kept("total", (numbers,), total) == 15
    assert len(made) == 2


def test_a_clone_starts_with_the_facts_kept_so_far_and_keeps_its_own_after_that() -> None:
    match = play_of_a_new_match()
    numbers = [1, 2]
    match.play.kept("total", (numbers,), lambda: 3)
    twin = match.clone()
    assert twin.play.kept("total", ([1, 2],), lambda: 99) == 3
    assert twin.play.kept("total", ([5],), lambda: 5) == 5
    assert match.play.kept("total", (numbers,), lambda: 99) == 3
    twin.apply(twin.decisions()[0], twin.offers(twin.decisions()[0]).sample(Random(1)))


def test_who_is_asked_is_asked_again_when_the_steps_change() -> None:
    play = play_of_a_new_match().play
    class_of_step, step = type(play.step), play.step
    first = play.asked()
    calls: list[int] = []

    class Other(class_of_step, frozen=True, tag="other-step"):  # type: ignore[valid-type, misc, call-arg]
        def roles(self, m: Any) -> tuple[str, ...]:
            calls.append(1)
            return ("nobody-else",)

    other = Other(**{name: getattr(step, name) for name in step.__struct_fields__})
    play.push(other)
    assert play.asked() == play.asked() == ("nobody-else",)
    assert len(calls) == 1
    play.pop()
    assert play.asked() == first
    play.amend(other)
    assert play.asked() == ("nobody-else",)
