"""The exact chance of a plan, and the best play there is: every fall of the dice, the opponents at their best.

Where a puzzle names its `fights`, a battle is not walked through die by die: its chance is that of the game's own odds,
which fight it to the end by their stated policy.

`best_play` searches what the learner can do: all that the rules offer, or the family of plays that the puzzle's `proof`
states. No play is better than certainty, and a branch is left as soon as it cannot reach the best one known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

import msgspec

from sandtable.core import Action, Match, Odds, SandtableError
from sandtable.odds.walk import TooMany, outcomes, state_of

from .lesson_files import Lesson, Pattern, Proof
from .lessons import best_of, find, fits, within

_TIE = 1e-4
"""Chances this close to one another count as equal: a hundredth of a percent."""
MOST_SHOWN = 12


class Best(msgspec.Struct, frozen=True):
    """The best that can be done in a puzzle."""

    chance: float
    """In percent."""
    plays: list[list[Action]]
    """Ways to get it, up to the first die or the first decision of somebody else: at most `MOST_SHOWN` of them."""
    positions: int
    """How many positions were searched."""


class TooLong(SandtableError):
    """A search that needs more positions than it was given."""


class Spent(msgspec.Struct, frozen=True):
    """What the learner has done so far, as far as the family of plays has to know; nothing where it need not."""

    counts: tuple[int, ...] = ()
    """How often each verb of `Proof.most` was used."""
    groups: frozenset[int] = frozenset()
    """Which of `Proof.groups` have acted."""
    named: frozenset[str] | None = frozenset()
    """Which units have acted, as far as it matters; None when dice have fallen or others have acted since."""
    last: str = ""
    """The last action of a kind in `Proof.ordered`."""


def chance_of(lesson: Lesson, match: Match[Any], line: tuple[Pattern, ...]) -> float:
    """Return the chance in percent that a plan reaches the puzzle's aim, whatever the opponents do.

    Of the actions that fit a pattern with `best` it takes the best; otherwise the first.
    """
    search = _Search(lesson, Proof(), line, forced=True)
    return 100 * search.value(match, search.start, 0.0, 1.0)


def best_play(lesson: Lesson, match: Match[Any], *, most: int = 10**9) -> Best:
    """Return the best chance of all plays that the puzzle's proof covers, and plays that reach it.

    The stated answer is tried first, so that worse plays are soon left. `most` limits the positions.
    """
    answer = max(lesson.plan, key=lambda plan: plan.chance)
    search = _Search(lesson, lesson.proof or Proof(), answer.line, most=most)
    floor = max(0.0, answer.chance / 100 - 10 * _TIE)
    best = search.value(match, search.start, floor, 1.0)
    plays = list({frozenset(play): play for play in search.plays(match, search.start, best, [], set())}.values())[
        :MOST_SHOWN
    ]
    return Best(100 * best, plays, len(search.known))


class _Search:
    """One search: bounds of the value of each position met, and how to go on from it."""

    def __init__(
        self, lesson: Lesson, proof: Proof, line: tuple[Pattern, ...], *, forced: bool = False, most: int = 10**9
    ) -> None:
        assert lesson.aim is not None
        self.lesson, self.aim, self.role, self.proof = lesson, lesson.aim, lesson.role, proof
        self.line = line
        """What the learner does: nothing else where it is `forced`, and otherwise what is tried first."""
        self.forced, self.most = forced, most
        self.only = {pattern["do"]: [p for p in proof.only if p["do"] == pattern["do"]] for pattern in proof.only}
        self.known: dict[Hashable, tuple[float, float]] = {}
        units = (*proof.alike, *(proof.groups if proof.whole else ()))
        self.noted = frozenset(unit for some in units for unit in some)
        self.start = Spent((0,) * len(proof.most), named=frozenset() if self.noted else None)
        self.counts_nothing = not (proof.most or proof.groups or proof.alike or proof.ordered)

    # ---- values
    def value(self, match: Match[Any], spent: Spent, least: float, enough: float) -> float:
        """Return the chance that the aim is reached from here.

        It is exact between `least` and `enough`; below or above them it is only known to be no better or no worse.
        """
        key = (state_of(match), spent)
        low, high = self.known.get(key, (0.0, 1.0))
        if low == high or low >= enough:
            return low
        if high <= least:
            return high
        if len(self.known) >= self.most:
            raise TooLong(f"more than {self.most} positions")
        found = None
        if not match.over and not (self.lesson.stop and self.lesson.stop.reached(match, self.role)):
            role = match.decisions()[0]
            found = (self._mine if role == self.role else self._theirs)(match, role, spent, least, enough)
        if found is None:
            found = float(self.aim.reached(match, self.role))
            low = high = found
        elif found <= least:
            high = min(high, found)
        elif found >= enough:
            low = max(low, found)
        else:
            low = high = found
        self.known[key] = low, high
        return found

    def _mine(self, match: Match[Any], role: str, spent: Spent, least: float, enough: float) -> float | None:
        best: float | None = None
        for action in self.choices(match, spent):
            floor = least if best is None else max(least, best - _TIE)
            value = self._after(match, role, action, self._spent(match, action, spent), floor, enough)
            best = value if best is None else max(best, value)
            if best >= enough:
                break
        return best

    def _theirs(self, match: Match[Any], role: str, spent: Spent, least: float, enough: float) -> float | None:
        worst: float | None = None
        spent = msgspec.structs.replace(spent, named=None, last="")
        for action in match.offers(role):
            value = self._after(match, role, action, spent, least, enough if worst is None else min(enough, worst))
            worst = value if worst is None else min(worst, value)
            if worst <= least:
                break
        return worst

    def _after(self, match: Match[Any], role: str, action: Action, spent: Spent, least: float, enough: float) -> float:
        """Return the chance that the aim is reached when this action is done: exact between the two, as in `value`."""
        if self.lesson.fights is not None and _rolls(match, role, action):
            won = _won(self.lesson, match, role, action)
            if won is not None:
                return won
        ends: dict[Hashable, tuple[float, Match[Any]]] = {}
        for part, after in outcomes(match, _applied(role, action)):
            key = state_of(after)
            ends[key] = (part + ends[key][0], after) if key in ends else (part, after)
        if len(ends) == 1:
            return self.value(after, spent, least, enough)
        spent = msgspec.structs.replace(spent, named=None, last="")
        total, rest = 0.0, 1.0
        for part, after in sorted(ends.values(), key=lambda end: -end[0]):
            rest -= part
            floor, ceiling = max(0.0, (least - total - rest) / part), min(1.0, (enough - total) / part)
            total += part * self.value(after, spent, floor, ceiling)
            if total + rest <= least:
                return total + rest
            if total >= enough:
                return total
        return total

    # ---- what the learner may do
    def choices(self, match: Match[Any], spent: Spent) -> Iterator[Action]:
        """Yield the learner's actions that the proof covers, that of the line first."""
        seen = set()
        for action in best_of(match, self.role, self.line):
            if self.forced or self._is_covered(match, action, spent):
                seen.add(action)
                yield action
        if self.forced:
            return
        for offer in match.offers(self.role).offers:
            if offer.verb in self.proof.without or offer.verb in self.proof.by_line:
                continue
            for pattern in self.only.get(offer.verb, [{}]):
                for action in within(offer, pattern):
                    if action not in seen and self._is_covered(match, action, spent):
                        seen.add(action)
                        yield action

    def _is_covered(self, match: Match[Any], action: Action, spent: Spent) -> bool:
        done, proof = match.game.codec.builtins(action), self.proof
        verb = done["do"]
        if verb in proof.without or not any(fits(pattern, done) for pattern in self.only.get(verb, [{}])):
            return False
        if self.counts_nothing:
            return True
        if verb in proof.ordered and self._place(done) <= spent.last:
            return False
        after = self._spent(match, action, spent)
        if any(count > most for count, most in zip(after.counts, proof.most.values(), strict=True)):
            return False
        if proof.groups and len(after.groups) > proof.take:
            return False
        if after.named is None:
            return True
        if proof.whole and verb not in proof.ordered:  # the groups have been sent: so many, and none of them in part
            sent = [place for place in after.groups if after.named.issuperset(proof.groups[place])]
            return len(sent) == len(after.groups) == proof.take
        acted = after.named
        # of units that are alike the first ones act first: another choice would be the same play
        rows = [[unit in acted for unit in units] for units in proof.alike]
        return all(row == sorted(row, reverse=True) for row in rows)

    def _spent(self, match: Match[Any], action: Action, spent: Spent) -> Spent:
        """Return what is spent with this action."""
        proof = self.proof
        if self.counts_nothing:
            return spent
        done = match.game.codec.builtins(action)
        words = set(_words(done))
        return Spent(
            tuple(count + (verb == done["do"]) for verb, count in zip(proof.most, spent.counts, strict=True)),
            spent.groups | {place for place, group in enumerate(proof.groups) if not words.isdisjoint(group)},
            None if spent.named is None else spent.named | (words & self.noted),
            self._place(done) if done["do"] in proof.ordered else spent.last,
        )

    def _place(self, done: dict[str, Any]) -> str:
        """Return by what actions are put in order: their kind, then what they name."""
        return f"{self.proof.ordered.index(done['do'])} {sorted(done.items())}"

    # ---- the plays that reach it
    def plays(
        self, match: Match[Any], spent: Spent, best: float, done: list[Action], seen: set[Hashable]
    ) -> Iterator[list[Action]]:
        """Yield plays worth the best chance, up to the first die or the first decision of somebody else."""
        key = (state_of(match), spent)
        if key in seen:
            return
        seen.add(key)
        for action in self.choices(match, spent):
            if len(seen) > 40 * MOST_SHOWN:
                return
            after = self._spent(match, action, spent)
            if self._after(match, self.role, action, after, best - _TIE, 1.0) < best - _TIE / 2:
                continue
            line = [*done, action]
            if _rolls(match, self.role, action):
                yield line
                continue
            [(_, then)] = outcomes(match, _applied(self.role, action))
            is_over = then.over or bool(self.lesson.stop and self.lesson.stop.reached(then, self.role))
            if is_over or then.decisions()[0] != self.role:
                if (where := (state_of(then), after)) not in seen:
                    seen.add(where)
                    yield line
            else:
                yield from self.plays(then, after, best, line, seen)


def _words(value: Any) -> Iterator[str]:
    """Yield the strings in an action."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _words(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _words(one)


def _rolls(match: Match[Any], role: str, action: Action) -> bool:
    """Whether dice fall with this action."""
    try:
        outcomes(match, _applied(role, action), most=1)
    except TooMany:
        return True
    return False


def _won(lesson: Lesson, match: Match[Any], role: str, action: Action) -> float | None:
    """Return the chance that the learner wins all fights that begin now; None where the dice are of something else.

    Where several have to be won, each has to begin. A single one may begin without being named by its attacker.
    """
    wanted = lesson.fights or ()
    named = [fight for pattern in wanted if (fight := find(match, role, pattern)) is not None]
    if len(wanted) > max(1, len(named)):
        return 0.0
    chance = 1.0
    for fight in named or [action]:
        odds = match.game.whole_odds(match, role, fight, match.game.check_assumptions({}))
        if odds is None:
            return None
        chance *= odds.success if _is_for(match, lesson.role, odds) else 1.0 - odds.success
    return chance


def _is_for(match: Match[Any], role: str, odds: Odds) -> bool:
    """Whether the odds call it a success when this role's side wins."""
    whose = odds.whose.removeprefix("@")
    return any(role in roles and whose in (name, *roles) for name, roles in match.game.sides(match.state).items())


def _applied(role: str, action: Action) -> Callable[[Match[Any]], object]:
    return lambda twin: twin.apply(role, action)
