"""Lessons: a prepared position, played by a learner who is told what to do and why.

A lesson is a file `games/<game>/lessons/<id>.toml`; `docs/writing-a-lesson.md` says what stands in it. Its steps follow
one another. Steps that only say something, or ask to find something on the table, are the client's: nothing changes in
the match. Steps with `do` or `until` are *tasks*: the host judges every move of the learner by the task they stand at.
How far the learner has come follows from the moves alone, so that an undo goes back and a new connection goes on.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from sandtable.core import Action, Draw, Event, Game, Match, Offer, Resign, Texts, Undo, Undone, branched_seed
from sandtable.core.dice import practice_seed
from sandtable.core.position import set_up
from sandtable.odds.shown import shown

from . import messages as m
from .errors import NotFound, NotInLesson
from .labels import words_of
from .lesson_files import Example, Lesson, LessonStep, Pattern
from .seats import new_seed

T = TypeVar("T")
_NAME = re.compile(r"\[([^\[\]]+)\]")
PUZZLE, EXAMPLE = "puzzle/", "example/"
"""What ids of puzzles, and of the examples of the book, begin with."""
BEST = "best"
"""In a pattern of a plan: of all actions that fit, the best is meant, not the first."""
_ODDS = re.compile(r"\{odds(\d*)\}")


# ---- reading them
@functools.cache
def course(game: Game[Any]) -> Mapping[str, Lesson]:
    """Return a game's lessons by id, in the order of the course: by the number in front of the id."""
    return _read(game, "lessons", "", Lesson)


@functools.cache
def puzzles(game: Game[Any]) -> Mapping[str, Lesson]:
    """Return a game's puzzles by id: 'puzzle/2-the-rumanians'."""
    return _read(game, "puzzles", PUZZLE, Lesson)


@functools.cache
def examples(game: Game[Any]) -> Mapping[str, Example]:
    """Return the examples of a game's book by id: 'example/3-mountains'."""
    return _read(game, "examples", EXAMPLE, Example)


def _read(game: Game[Any], folder: str, prefix: str, kind: type[T]) -> Mapping[str, T]:
    files = sorted((game.home / folder).glob("*.toml"), key=lambda path: int(path.stem.split("-")[0]))
    return {
        f"{prefix}{path.stem}": msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), kind) for path in files
    }


def lesson_of(game: Game[Any], name: str) -> Lesson:
    """Return the lesson, puzzle or example of this id."""
    if name in (tried := examples(game)):
        return tried[name].as_lesson(lesson_of(game, tried[name].like) if tried[name].like else None)
    found = (puzzles(game) if name.startswith(PUZZLE) else course(game)).get(name)
    if found is None:
        raise NotFound(f"{game.id} has no lesson '{name}'")
    return found


def _family(game: Game[Any], name: str) -> tuple[m.LessonKind, list[str]]:
    """Return what kind of lesson this is, and all of its kind."""
    if name.startswith(EXAMPLE):
        return "example", list(examples(game))
    return ("puzzle", list(puzzles(game))) if name.startswith(PUZZLE) else ("lesson", list(course(game)))


def start(game: Game[Any], name: str, seed: str) -> Match[Any]:
    """Return the match of a lesson at its beginning."""
    return set_up(game, lesson_of(game, name).position, seed)


def seed_for(lesson: Lesson) -> str:
    """Return a seed with the lesson's own dice first."""
    fresh = new_seed()
    return branched_seed(practice_seed(lesson.dice, lesson.sides), len(lesson.dice), fresh) if lesson.dice else fresh


def list_lessons(game: Game[Any], language: str) -> list[m.LessonInfo]:
    """Return what a lobby shows of a game's course."""
    texts = game.texts(language)
    return [
        m.LessonInfo(
            name, lesson.title.of(language), named(lesson.goal.of(language), texts), lesson.minutes, lesson.role
        )
        for name, lesson in (*course(game).items(), *puzzles(game).items())
    ]


# ---- actions by pattern
def fits(pattern: Mapping[str, Any], action: Mapping[str, Any]) -> bool:
    """Whether an action, as plain data, has everything that the pattern names."""
    return all(key in action and _tuples(action[key]) == _tuples(value) for key, value in pattern.items())


def find(match: Match[Any], role: str, pattern: Pattern) -> Action | None:
    """Return the first allowed action of a role that fits the pattern."""
    return next(_fitting(match, role, pattern), None)


def _fitting(match: Match[Any], role: str, pattern: Pattern) -> Iterator[Action]:
    """Yield the allowed actions of a role that fit the pattern."""
    for offer in match.offers(role).offers:
        if offer.verb == pattern.get("do"):
            for action in within(offer, pattern):
                if fits(pattern, match.game.codec.builtins(action)):
                    yield action


def within(offer: Offer, pattern: Pattern, prefix: Sequence[Any] = ()) -> Iterator[Action]:
    """Yield an offer's actions, looking only where the pattern can fit."""
    fields = offer.fields
    if not fields or len(prefix) == len(fields):
        yield from [offer.act(*prefix)] if fields else offer
        return
    field = fields[len(prefix)]
    domain = field.given(prefix)
    if field.name in pattern:
        value = _tuples(pattern[field.name])
        if value in domain:
            yield from within(offer, pattern, [*prefix, value])
        return
    for value in domain:
        yield from within(offer, pattern, [*prefix, value])


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, (list, tuple)) else value


def first(match: Match[Any], role: str, patterns: Sequence[Pattern]) -> Action | None:
    """Return an allowed action that fits the first pattern for which there is one."""
    return next((found for pattern in patterns if (found := find(match, role, pattern)) is not None), None)


def best_of(match: Match[Any], role: str, patterns: Sequence[Pattern]) -> list[Action]:
    """Return the actions to choose from by the first pattern that fits any: all that fit with `best`, or the first."""
    for pattern in patterns:
        wanted = {name: value for name, value in pattern.items() if name != BEST}
        found = list(_fitting(match, role, wanted)) if BEST in pattern else [find(match, role, wanted)]
        if kept := [action for action in found if action is not None]:
            return kept
    return []


# ---- a lesson being played
class Run:
    """How far a learner has come. It is made anew from the moves when a match is read from its storage."""

    def __init__(self, name: str, match: Match[Any]) -> None:
        self.name = name
        self.lesson = lesson_of(match.game, name)
        self._groups = self.lesson.tasks()
        self._tasks = [group[-1] for group in self._groups if group and group[-1].is_task]
        self.task = 0
        self._made: frozenset[int] = frozenset()
        """Which of the task's actions are done."""
        self._before: dict[int, tuple[int, frozenset[int]]] = {}
        """How far it was before each move."""
        self._settle(match)

    @property
    def is_done(self) -> bool:
        return self.task == len(self._tasks)

    def took(self, match: Match[Any], role: str, action: Action, events: Sequence[Event]) -> None:
        """A move was made; the match stands after it."""
        if isinstance(action, Undo):
            for event in events:
                if isinstance(event, Undone) and event.number in self._before:
                    self.task, self._made = self._before[event.number]
            return
        self._before[match.number] = self.task, self._made
        if role == self.lesson.role and not self.is_done:
            done = match.game.codec.builtins(action)
            left = [place for place, pattern in self._left() if fits(pattern, done)]
            self._made |= set(left[:1])
        self._settle(match)

    def back_to(self, number: int) -> None:
        """Forget the moves after this one: they have not happened."""
        later = sorted(made for made in self._before if made > number)
        if later:
            self.task, self._made = self._before[later[0]]
        for made in later:
            del self._before[made]

    def _left(self) -> list[tuple[int, Pattern]]:
        """Return the actions that the task still waits for, with their places."""
        if self.is_done:
            return []
        return [one for one in enumerate(self._tasks[self.task].do) if one[0] not in self._made]

    def _settle(self, match: Match[Any]) -> None:
        while not self.is_done:
            task = self._tasks[self.task]
            if self._left() or (task.until is not None and not task.until.reached(match, self.lesson.role)):
                return
            self.task, self._made = self.task + 1, frozenset()

    # ---- judging
    def mistake(self, match: Match[Any], action: Action, language: str) -> NotInLesson | None:
        """Return what the lesson says to an action that it does not want now; None where it may be done."""
        if self.is_done or isinstance(action, Undo):
            return None
        task, done = self._tasks[self.task], match.game.codec.builtins(action)
        if any(fits(pattern, done) for _, pattern in self._left()):
            return None
        texts = match.game.texts(language)
        if task.until is not None and action == self.hint(match):
            return None
        for wrong in task.wrong:
            if wrong.when and fits(wrong.when, done):
                return NotInLesson(named(wrong.say.of(language), texts), wrong.rule or None)
        if (task.free or not task.do) and not isinstance(action, (Draw, Resign)):
            return None
        for wrong in task.wrong:
            if not wrong.when and not wrong.find:
                return NotInLesson(named(wrong.say.of(language), texts), wrong.rule or None)
        return NotInLesson(texts.say("lesson.other"), None)

    def check(self, match: Match[Any], role: str, action: Action, language: str) -> None:
        """Raise what the lesson says to a wrong move. What the rules forbid is left to the rules, unless the lesson
        has an answer of its own to it."""
        found = self.mistake(match, action, language)
        if found is None or role != self.lesson.role:
            return
        if match.why_not(role, action) is not None and found.rule is None:
            return
        raise found

    def reply(self, match: Match[Any], role: str) -> Action | None:
        """Return what another role does now by the lesson's script."""
        return first(match, role, self.lesson.reply)

    def hint(self, match: Match[Any]) -> Action | None:
        """Return one right action now."""
        if self.is_done or self.lesson.role not in match.decisions():
            return None
        task = self._tasks[self.task]
        return first(match, self.lesson.role, [pattern for _, pattern in self._left()] or task.line)

    # ---- showing
    def face(self, match: Match[Any], language: str) -> m.LessonFace:
        """Return what the learner is shown now."""
        texts, lesson = match.game.texts(language), self.lesson
        kind, family = _family(match.game, self.name)
        place = family.index(self.name)
        found = self.hint(match)
        return m.LessonFace(
            id=self.name,
            kind=kind,
            title=lesson.title.of(language),
            goal=named(lesson.goal.of(language), texts),
            ends=named(lesson.ends.of(language), texts),
            role=lesson.role,
            task=self.task,
            tasks=len(self._tasks),
            done=self.is_done,
            steps=[self._step_face(match, step, language) for step in self._groups[self.task]],
            hint=None if found is None else words_of(match.game.codec.builtins(found), texts),
            next=family[place + 1] if kind != "example" and place + 1 < len(family) else None,
            plans=[m.PlanFace(named(plan.say.of(language), texts), plan.chance) for plan in lesson.plan],
        )

    def _step_face(self, match: Match[Any], step: LessonStep, language: str) -> m.LessonStepFace:
        texts = match.game.texts(language)
        said = filled(step.say.of(language), match, self.lesson.role, step.odds)
        return m.LessonStepFace(
            say=named(said, texts),
            point=list(step.point),
            find=list(step.find),
            every=step.every,
            task=step.is_task,
            tries=words_of(step.tries, texts) if step.tries else None,
            wrong=[m.WrongFind(list(w.find), named(w.say.of(language), texts), w.rule) for w in step.wrong if w.find],
        )


def chance_of(match: Match[Any], role: str, pattern: Pattern) -> str:
    """Return the chance of an action in this position, as a text shows it."""
    action = find(match, role, pattern)
    odds = None if action is None else shown(match, role, action)
    return "–" if odds is None else f"{100 * odds.success:.0f} %"


def filled(said: str, match: Match[Any], role: str, odds: Sequence[Pattern]) -> str:
    """Return a text with its chances filled in: those of the position in which the moves can be made."""
    if not _ODDS.search(said):
        return said
    chances = [chance_of(match, role, pattern) for pattern in odds]
    return _ODDS.sub(lambda found: chances[int(found.group(1) or 1) - 1], said)


def named(sentence: str, texts: Texts) -> str:
    """Return a text with the names of spaces and units in place of '[P14]'."""
    return _NAME.sub(lambda found: texts.name(found.group(1)), sentence)
