"""Every lesson of every game: played to its end by what it shows, and answered where a learner goes wrong."""

from __future__ import annotations

import contextlib
import itertools
import re
import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable.core import LANGUAGES, Match, SandtableError, SealedDice, Undo
from sandtable.core.dice import practice_seed
from sandtable.core.position import set_up
from sandtable.games import find as find_game
from sandtable.games import games
from sandtable.host import lessons
from sandtable.host.lesson_files import LessonStep
from sandtable.host.messages import BeginLesson

from .conftest import Client, World, play

ALL = [(game, name) for game in games() for name in lessons.course(find_game(game))]
MOST_MOVES = 400
SEEDS = 12
"""Dice to try where a lesson is played against the computer with real ones."""


class Learner:
    """Plays a lesson in this process by its hints, the others by their script or by chance."""

    def __init__(self, game: str, name: str, seed: str | None = None) -> None:
        self.game, self.name = find_game(game), name
        self.lesson = lessons.lesson_of(self.game, name)
        self.match = lessons.start(self.game, name, seed or lessons.seed_for(self.lesson))
        self.run = lessons.Run(name, self.match)
        self._rng = Random(seed)

    def act(self, role: str, action: Any) -> None:
        self.run.took(self.match, role, action, self.match.apply(role, action))

    def wait(self) -> None:
        """Let the others move until the learner is asked."""
        while not self.match.over and self.lesson.role not in self.match.decisions() and not self.run.is_done:
            role = self.match.decisions()[0]
            action = self.run.reply(self.match, role)
            assert action is not None or self.lesson.computer, f"{role} is asked and the lesson has no reply"
            self.act(role, action or self.match.offers(role).sample(self._rng))

    def positions(self) -> Iterator[Match[Any]]:
        """Play to the end and stop at every decision of the learner, before it is made."""
        for _ in range(MOST_MOVES):
            self.wait()
            if self.run.is_done or self.match.over:
                return
            yield self.match
            action = self.run.hint(self.match)
            offered = sorted({offer.verb for offer in self.match.offers(self.lesson.role).offers if offer})
            assert action is not None, f"task {self.run.task}: nothing to do that is allowed; offered: {offered}"
            assert self.run.mistake(self.match, action, "en") is None, f"the lesson refuses its own hint {action}"
            self.act(self.lesson.role, action)
        pytest.fail(f"not at the end after {MOST_MOVES} moves, at task {self.run.task}")


@pytest.mark.parametrize(("game", "name"), ALL)
def test_the_right_moves_lead_to_the_end(game: str, name: str) -> None:
    tries = SEEDS if not lessons.lesson_of(find_game(game), name).dice else 1
    for number in range(tries):
        learner = Learner(game, name, None if tries == 1 else f"try {number}")
        faults = set(learner.match.faults())  # a small position may lack counters that a whole match has
        for match in learner.positions():
            assert set(match.faults()) <= faults
            for language in LANGUAGES:
                face = learner.run.face(learner.match, language)
                assert face.steps[-1].task
                assert face.hint is not None
                assert all(face.hint.words)
                assert not re.search(r"[{}\[\]]|–$", " ".join(step.say for step in face.steps))
        if learner.run.is_done:
            return
        assert learner.lesson.computer, "only against the computer can a lesson be lost"
    pytest.fail(f"lost with all of {tries} seeds")


@pytest.mark.parametrize(("game", "name"), ALL)
def test_wrong_moves_get_the_lessons_answer_and_change_nothing(game: str, name: str) -> None:
    lesson = lessons.lesson_of(find_game(game), name)
    tasks = [step for step in lesson.step if step.is_task]
    left = {(t, p) for t, step in enumerate(tasks) for p, wrong in enumerate(step.wrong) if wrong.when}
    for number in range(1 if lesson.dice else SEEDS):
        learner = Learner(game, name, None if lesson.dice else f"try {number}")
        for match in learner.positions():
            before = match.digest()
            left -= {(learner.run.task, place) for place in _answered(learner, tasks[learner.run.task])}
            _check_others(learner, tasks[learner.run.task])
            assert match.digest() == before
        if not left:
            return
    assert not left, f"mistakes that nobody can make: {sorted(left)}"


def _answered(learner: Learner, task: LessonStep) -> Iterator[int]:
    """Yield the places of the mistakes that can be made now and get their own answer."""
    match, role, texts = learner.match, learner.lesson.role, learner.game.texts("en")
    for place, wrong in enumerate(task.wrong):
        said = (lessons.named(wrong.say.en, texts), wrong.rule or None)
        for action in _mistakes(match, role, wrong.when) if wrong.when else ():
            found = learner.run.mistake(match, action, "en")
            if found is not None and (str(found), found.rule) == said:
                with pytest.raises(SandtableError) as raised:
                    learner.run.check(match, role, action, "en")
                assert str(raised.value) == said[0]
                yield place
                break


def _mistakes(match: Match[Any], role: str, pattern: dict[str, Any]) -> Iterator[Any]:
    """Yield actions that fit: offered ones, or the pattern itself where the rules refuse it."""
    for offer in match.offers(role).offers:
        if offer.verb == pattern.get("do"):
            yield from itertools.islice(lessons.within(offer, pattern), 200)
    with contextlib.suppress(SandtableError):
        yield match.parse(pattern)


def _check_others(learner: Learner, task: LessonStep) -> None:
    """Whatever else is allowed by the rules, a task that waits for certain actions lets nothing else pass."""
    if not task.do or task.free:
        return
    match, rng = learner.match, Random(3)
    wanted = [pattern for _, pattern in learner.run._left()]
    for action in [match.offers(learner.lesson.role).sample(rng) for _ in range(12)]:
        if not any(lessons.fits(pattern, match.game.codec.builtins(action)) for pattern in wanted):
            assert learner.run.mistake(match, action, "de"), f"task {learner.run.task} lets {action} pass"


@pytest.mark.parametrize(("game", "name"), ALL)
def test_what_a_lesson_names_exists(game: str, name: str) -> None:
    ruleset = find_game(game)
    lesson = lessons.lesson_of(ruleset, name)
    ledger = tomllib.loads((ruleset.home / "data" / "ledger.toml").read_text(encoding="utf-8"))["rule"]
    rules = {item["id"] for item in ledger}
    table = lessons.start(ruleset, name, "1").table(lesson.role)
    things = {*table.spaces, *table.stacks, *(counter.id for stack in table.stacks.values() for counter in stack)}
    for language in LANGUAGES:
        texts = ruleset.texts(language)
        for step in lesson.step:
            for said in (step.say, *(wrong.say for wrong in step.wrong), lesson.ends):
                for named in lessons._NAME.findall(said.of(language)):
                    assert texts.name(named) != named or named in things, f"nothing is called {named}"
                assert not re.search(r"\{(?!odds\d*\})", said.of(language))
    for step in lesson.step:
        assert not {*step.point, *step.find} - things, f"not on the table: { ({*step.point, *step.find} - things) }"
        assert not {wrong.rule for wrong in step.wrong if wrong.rule} - rules
        assert not (step.find and step.is_task), "a step finds something or does something"
    assert any(step.is_task for step in lesson.step)
    assert lesson.role in ruleset.roles_in(table.scenario)


def test_the_courses_are_numbered() -> None:
    for game in games():
        names = list(lessons.course(find_game(game)))
        assert [int(name.split("-")[0]) for name in names] == list(range(1, len(names) + 1))


# ---- through the host
@pytest.fixture
def scripted() -> tuple[str, str]:
    """A lesson without free play in which the others have much to answer."""
    read = {pair: lessons.lesson_of(find_game(pair[0]), pair[1]) for pair in ALL}
    bound = [pair for pair in ALL if not any(step.until or step.free for step in read[pair].step)]
    return max(bound, key=lambda pair: len(read[pair].reply))


async def _sit_down(world: World, game: str, name: str) -> tuple[Client, str]:
    made = await world.host.begin_lesson(BeginLesson(game, name))
    return await world.join(made.match, made.seats[0].secret), made.match


def test_a_client_plays_a_lesson_over_its_line(scripted: tuple[str, str]) -> None:
    async def scene(world: World) -> None:
        client, match = await _sit_down(world, *scripted)
        role = client.state["lesson"]["role"]
        assert client.state["info"]["kind"] == "lesson"
        for _ in range(MOST_MOVES):
            await world.host.computers.idle()
            face = client.state["lesson"]
            if face["done"]:
                break
            task = face["task"]
            refused = await client.act(role, {"do": "resign"})
            assert refused["type"] == "error"
            assert refused["error"]["code"] == "lesson"
            answer = await client.act(role, face["hint"]["action"])
            assert answer["type"] == "state"
            if not client.state["undo"] or client.state["lesson"]["task"] == task:
                continue
            assert (await client.act(role, {"do": "undo"}))["lesson"]["task"] == task, "an undo takes the step back"
            await client.act(role, face["hint"]["action"])
        assert client.state["lesson"]["done"]
        # somebody who comes later, to another host, stands where the learner stopped
        later = world.another_host()
        live = await later.matches.live(match)
        assert live.run is not None
        assert live.run.is_done
        for kind, fields in (("branch", {"at": 0}), ("report", {"about": "odds", "at": 0, "sentence": "x"})):
            assert (await client.ask(kind, **fields))["error"]["code"] == "not-allowed"

    play(scene)


def test_an_unknown_lesson_is_one_sentence() -> None:
    async def scene(world: World) -> None:
        with pytest.raises(SandtableError, match="has no lesson 'x'"):
            await world.host.begin_lesson(BeginLesson(next(iter(games())), "x"))

    play(scene)


# ---- positions and dice
@pytest.mark.parametrize(("values", "sides"), [((6, 6, 6, 6, 5, 6, 6), 6), ((10, 1, 7), 10), ((1,), 6)])
def test_practice_dice_fall_as_written(values: tuple[int, ...], sides: int) -> None:
    dice = SealedDice(practice_seed(values, sides))
    assert tuple(dice.value(number, sides) for number in range(len(values))) == values


def test_a_die_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="6 sides"):
        practice_seed([7])


@pytest.mark.parametrize("game", games())
def test_a_position_with_unknown_words_is_refused(game: str) -> None:
    with pytest.raises(SandtableError, match="position"):
        set_up(find_game(game), {"nonsense": 1}, "1")
    with pytest.raises(SandtableError, match="not a step"):
        set_up(find_game(game), {"steps": [{"step": "nonsense"}]}, "1")


def test_the_learner_may_take_back(scripted: tuple[str, str]) -> None:
    learner = Learner(*scripted)
    next(learner.positions())
    assert learner.run.mistake(learner.match, Undo(), "en") is None
