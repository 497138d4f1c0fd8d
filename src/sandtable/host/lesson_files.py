"""What stands in the files that teach: lessons, puzzles, examples of the book (`docs/writing-a-lesson.md`)."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.core import Match
from sandtable.core.table import Table

Pattern = dict[str, Any]
"""An action, or a part of one: fields that are left out may have any value."""


class Both(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in both languages. '[P14]' in it becomes the name of that space or unit, '{odds}' a chance."""

    en: str
    de: str

    def of(self, language: str) -> str:
        return self.de if language == "de" else self.en


class Wrong(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mistake, and what the lesson says to it. Without `when` and `find` it answers every other mistake."""

    say: Both
    rule: str = ""
    when: Pattern = {}
    find: tuple[str, ...] = ()


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What has to be so; everything that is given counts."""

    hold: dict[str, str] = {}
    """Space -> the side that has it, as the table shows it."""
    at: dict[str, str] = {}
    """Counter -> where it is."""
    gone: tuple[str, ...] = ()
    """Counters that are no longer on the table."""
    offered: str = ""
    """The learner is asked, and this kind of action is among the offers."""
    turn: str = ""
    """The turn, as `Game.turn` names it."""
    winner: str = ""
    """The match is over and this role has won."""

    def reached(self, match: Match[Any], role: str) -> bool:
        return (
            (not self.offered or any(offer.verb == self.offered and offer for offer in match.offers(role).offers))
            and (not self.turn or match.game.turn(match.state) == self.turn)
            and (not self.winner or (match.outcome is not None and self.winner in match.outcome.winners))
            and (not (self.hold or self.at or self.gone) or self._is_seen(match.table(role)))
        )

    def _is_seen(self, table: Table) -> bool:
        """Whether the table shows it."""
        where = {counter.id: place for place, stack in table.stacks.items() for counter in stack}
        return (
            all(table.spaces[space].side == side for space, side in self.hold.items())
            and all(where.get(unit) == place for unit, place in self.at.items())
            and not any(unit in where for unit in self.gone)
        )


class LessonStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step: something to read, to find, to do, or to reach."""

    say: Both
    point: tuple[str, ...] = ()
    """Spaces and counters that light up."""
    odds: tuple[Pattern, ...] = ()
    """Actions whose chance of success fills the blanks {odds} or {odds1}, {odds2}, ... of the text."""
    find: tuple[str, ...] = ()
    """The learner clicks one of these; with `every` all of them."""
    every: bool = False
    do: tuple[Pattern, ...] = ()
    """The learner does all of these, in any order."""
    until: Goal | None = None
    """The learner plays freely until this is so."""
    line: tuple[Pattern, ...] = ()
    """With `until`: one way to get there. Of these actions the first that is allowed is shown."""
    free: bool = False
    """With `do`: other actions are allowed too."""
    tries: Pattern = {}
    """An action that the rules refuse: trying it shows why."""
    wrong: tuple[Wrong, ...] = ()

    @property
    def is_task(self) -> bool:
        return bool(self.do) or self.until is not None


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to solve a puzzle, with its exact chance. A test computes it; the file states it."""

    say: Both
    chance: float
    """In percent, to a tenth."""
    line: tuple[Pattern, ...]
    """How it is played: of these actions the first that is allowed."""


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which plays of a puzzle its answer was compared with (`solving.best_play`). Without more words: with all."""

    plays: str = ""
    """In words: which plays, and why no other can be better or why the question does not allow it."""
    only: tuple[Pattern, ...] = ()
    """Of the kinds of action named here only those that fit one of the patterns; all other kinds are free."""
    without: tuple[str, ...] = ()
    """Kinds of action that are left out."""
    most: dict[str, int] = {}
    """Kind of action -> how often at most."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Groups of units of which at most `take` act."""
    take: int = 1
    whole: bool = False
    """Just `take` groups act, each with all its units, by the kinds in `ordered`, before anything else is done."""
    alike: tuple[tuple[str, ...], ...] = ()
    """Units that are alike and stand together: it does not matter which of them acts."""
    ordered: tuple[str, ...] = ()
    """Kinds of action whose order does not matter up to the first die: only one order is searched."""
    by_line: tuple[str, ...] = ()
    """Kinds of action that are done as the answer's line does them."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson as its file has it; a puzzle has plans instead of steps, and its goal is the question."""

    title: Both
    goal: Both
    """What the learner can do afterwards, in one sentence."""
    ends: Both
    minutes: int
    role: str
    position: dict[str, Any]
    step: tuple[LessonStep, ...] = ()
    dice: tuple[int, ...] = ()
    """How the first dice fall. Without them, and after them, they fall as in any match."""
    sides: int = 6
    reply: tuple[Pattern, ...] = ()
    """What the others do: of these actions the first that is allowed."""
    computer: str = ""
    """The level of the computer player who answers where no reply fits."""
    plan: tuple[Plan, ...] = ()
    aim: Goal | None = None
    """Of a puzzle: what has to be so in the end."""
    stop: Goal | None = None
    """Of a puzzle: when it ends, besides the end of the match."""
    fights: tuple[Pattern, ...] | None = None
    """Of a puzzle that the game's odds of whole battles decide: the battles that have to be won, where several begin at
    once. Empty: the one that begins."""
    proof: Proof | None = None
    """Of a puzzle: which plays its answer is the best of."""

    def tasks(self) -> list[list[LessonStep]]:
        """Return the steps in groups: each ends with a task, the last with what is left to say."""
        groups: list[list[LessonStep]] = [[]]
        for step in self.step:
            groups[-1].append(step)
            if step.is_task:
                groups.append([])
        return groups


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An example of the book: a small position in which a rule can be seen, and tried.

    It stands at the paragraph that tells its rule.
    """

    rule: str
    title: Both
    say: Both
    """What stands there, and what is tried; '{odds}' is its chance."""
    ends: Both
    """What comes of it."""
    role: str
    show: tuple[str, ...]
    """The spaces of the picture."""
    action: Pattern
    """What is tried: allowed, or refused by the rule in `refused`."""
    refused: str = ""
    position: dict[str, Any] = {}
    like: str = ""
    """A lesson or puzzle whose position it has; `position` adds to that."""
    after: Goal | None = None
    """What is so when it is done and the `dice` have fallen."""
    dice: tuple[int, ...] = ()
    sides: int = 6
    reply: tuple[Pattern, ...] = ()

    def as_lesson(self, like: Lesson | None) -> Lesson:
        """Return the lesson of one step in which it is tried."""
        step = LessonStep(
            say=self.say,
            point=self.show,
            odds=() if self.refused else (self.action,),
            do=() if self.refused else (self.action,),
            free=True,
            tries=self.action if self.refused else {},
        )
        return Lesson(
            title=self.title, goal=self.title, ends=self.ends, minutes=1, role=self.role, step=(step,), dice=self.dice,
            sides=self.sides, reply=self.reply, position={**(like.position if like else {}), **self.position},
        )  # fmt: skip
