"""Every puzzle states the exact chance of each plan, and one plan is the best."""

from __future__ import annotations

import pytest

from sandtable.core import LANGUAGES
from sandtable.games import find, games
from sandtable.host import lessons, solving
from sandtable.host.messages import BeginLesson

from .conftest import World, play

ALL = [(game, name) for game in games() for name in lessons.puzzles(find(game))]

PROVEN = [(game, name) for game, name in ALL if lessons.lesson_of(find(game), name).proof is not None]


@pytest.mark.parametrize(("game", "name"), ALL)
def test_the_stated_chances_are_the_computed_ones_and_one_is_best(game: str, name: str) -> None:
    puzzle = lessons.lesson_of(find(game), name)
    match = lessons.start(find(game), name, "1")
    assert match.decisions()[0] == puzzle.role
    for plan in puzzle.plan:
        assert solving.chance_of(puzzle, match, plan.line) == pytest.approx(plan.chance, abs=0.051), plan.say.en
    chances = sorted((plan.chance for plan in puzzle.plan), reverse=True)
    assert len(chances) >= 3
    assert chances[0] > chances[1] + 1, "one answer is clearly the best"


@pytest.mark.parametrize(("game", "name"), PROVEN)
def test_no_other_play_is_better_than_the_answer(game: str, name: str) -> None:
    """Every play that the proof covers is searched; `python -m tools.puzzles` tells what it found."""
    puzzle = lessons.lesson_of(find(game), name)
    assert puzzle.proof is not None
    assert puzzle.proof.plays, "it says in words which plays its answer is the best of"
    best = solving.best_play(puzzle, lessons.start(find(game), name, "1"))
    assert best.chance == pytest.approx(max(plan.chance for plan in puzzle.plan), abs=0.051), best.plays[:1]


def test_every_puzzle_says_what_its_answer_was_compared_with() -> None:
    assert set(ALL) == set(PROVEN)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_every_plan_can_be_begun(game: str, name: str) -> None:
    """A line of which nothing is allowed would say little about the plan."""
    puzzle = lessons.lesson_of(find(game), name)
    match = lessons.start(find(game), name, "1")
    for plan in puzzle.plan:
        assert lessons.first(match, puzzle.role, plan.line) is not None, plan.line[0]
    for language in LANGUAGES:
        face = lessons.Run(name, match).face(match, language)
        listed = next(info for info in lessons.list_lessons(find(game), language) if info.id == name)
        assert not any("[" in said for said in (face.goal, listed.goal, face.ends, *(plan.say for plan in face.plans)))


@pytest.mark.parametrize("game", [game for game in games() if lessons.puzzles(find(game))])
def test_a_game_has_five_puzzles_and_the_best_plan_has_no_fixed_place(game: str) -> None:
    found = list(lessons.puzzles(find(game)).values())
    assert len(found) >= 5
    places = {[plan.chance for plan in one.plan].index(max(plan.chance for plan in one.plan)) for one in found}
    assert len(places) > 1


def test_a_puzzle_is_begun_like_a_lesson_and_can_be_played_freely() -> None:
    async def scene(world: World) -> None:
        game, name = ALL[0]
        made = await world.host.begin_lesson(BeginLesson(game, name))
        client = await world.join(made.match, made.seats[0].secret)
        face = client.state["lesson"]
        assert [plan["chance"] for plan in face["plans"]] == [
            plan.chance for plan in lessons.lesson_of(find(game), name).plan
        ]
        action = lessons.find(
            lessons.start(find(game), name, "1"), face["role"], lessons.lesson_of(find(game), name).plan[0].line[0]
        )
        assert action is not None
        answer = await client.act(face["role"], find(game).codec.builtins(action))
        assert answer["type"] == "state"

    play(scene)
