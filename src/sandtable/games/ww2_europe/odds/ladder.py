"""What one side can still have in a battle, as a ladder of positions, and how dice move chances down it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from math import comb

from msgspec.structs import replace

from ..model.state import M
from ..rules.battle_phase import Battle
from ..rules.fire import Shot
from .types import Counts, Types

Outcomes = tuple[tuple[int, float], ...]
"""The hits that a die can make with their chances; hit 0 is a miss."""
DiceSet = tuple[tuple[Outcomes, ...], ...]
"""For each type of shooters the dice of one unit."""
Spread = dict[int, float]
"""Position on a ladder -> its chance."""
Die = tuple[float, tuple[tuple[list[int], float], ...]]
"""The chance that nothing happens, and for each hit where it leads from every position, with its chance."""
Dice = tuple[Die, ...]


class TooLarge(Exception):
    """A battle with more positions than anybody waits for."""


def faces(shot: Shot) -> Outcomes:
    """What a die does: the hits it can make and their chances, 0 for a miss."""
    found: dict[int, float] = {}
    for die in range(1, 7):
        hit = shot.hit(die)
        found[hit] = found.get(hit, 0.0) + 1 / 6
    return tuple(sorted(found.items()))


def throw(before: Spread, dice: Dice) -> Spread:
    """The chances after some dice, one after the other."""
    for nothing, hits in dice:
        after = {place: chance * nothing for place, chance in before.items()} if nothing else {}
        known = after.get
        for leads, part in hits:
            for place, chance in before.items():
                to = leads[place]
                after[to] = known(to, 0.0) + chance * part
        before = after
    return before


class Ladder:
    """All positions that one side can come to, the richest first, and where a hit leads from each.

    Every hit that falls makes a position poorer by one, so going through them in this order never meets a richer one
    again.
    """

    def __init__(self, m: M, types: Types, codes: Iterable[int], most: int, begins: Iterable[Counts]) -> None:
        self.counts: list[Counts] = list(dict.fromkeys(begins))
        known, codes = set(self.counts), list(codes)
        after: dict[int, dict[Counts, Counts]] = {code: {} for code in codes}
        for counts in self.counts:
            for code, then in after.items():
                left = then[counts] = types.hit(m, counts, (code,))
                if left not in known:
                    known.add(left)
                    self.counts.append(left)
                    if len(self.counts) > most:
                        raise TooLarge
        self.counts.sort(key=types.hits_left, reverse=True)
        self.places: dict[Counts, int] = {counts: place for place, counts in enumerate(self.counts)}
        self.leads: dict[int, list[int]] = {
            code: [self.places[then[counts]] for counts in self.counts] for code, then in after.items()
        }
        self._dice: dict[tuple[tuple[Outcomes, ...], int], Dice] = {}

    def dice(self, of_one: tuple[Outcomes, ...], units: int) -> Dice:
        """The dice of some units of one type, as they move chances on this ladder.

        Equal dice with one kind of hit are put together as one, by how many of them hit.
        """
        found = self._dice.get((of_one, units))
        if found is None:
            rows = [{code: chance for code, chance in outcomes if code} for outcomes in of_one]
            if rows and len(rows[0]) == 1 and len(set(of_one)) == 1:
                ((code, chance),) = rows[0].items()
                found = (self._equal(self.leads[code], chance, len(rows) * units),)
            else:
                found = units * tuple(
                    (dict(outcomes).get(0, 0.0), tuple((self.leads[code], part) for code, part in row.items()))
                    for outcomes, row in zip(of_one, rows, strict=True)
                )
            self._dice[of_one, units] = found
        return found

    def _equal(self, leads: list[int], chance: float, number: int) -> Die:
        nothing, *hits = (comb(number, n) * chance**n * (1 - chance) ** (number - n) for n in range(number + 1))
        routes = list(accumulate([leads] * number, lambda so_far, one: [one[place] for place in so_far]))
        return nothing, tuple(zip(routes, hits, strict=True))


class Guns:
    """The dice of one side, by what the other still has."""

    def __init__(self, m: M, battle: Battle, shooters: Types, targets: Types, *, defending: bool) -> None:
        self.m, self.shooters, self.targets, self.defending = m, shooters, targets, defending
        self.opening, self.later = (replace(battle, round=number, arrive=()) for number in (1, 2))
        self._known: dict[tuple[int, int, bool], tuple[Outcomes, ...]] = {}

    def of(self, counts: Counts, *, opening: bool) -> DiceSet:
        """For each type of shooters the dice of one unit against a position, those that can hit anything."""
        mask = self._mask(counts)
        return tuple(self._of_one(kind, counts, mask, opening) for kind in range(len(self.shooters.units)))

    def _mask(self, counts: Counts) -> int:
        """The classes of targets in a position."""
        mask = 0
        for bits, count in zip(self.targets.masks, counts, strict=True):
            mask |= bits if count else 0
        return mask

    def _of_one(self, kind: int, counts: Counts, mask: int, opening: bool) -> tuple[Outcomes, ...]:
        """The dice of one unit: they depend on the classes of targets that are left."""
        if not mask:
            return ()
        found = self._known.get((kind, mask, opening))
        if found is None:
            there = self.targets.listed(tuple(min(count, 1) for count in counts))
            step = self.opening if opening else self.later
            shots = step.shots(self.m, [self.shooters.units[kind]], there, defending=self.defending)
            found = tuple(outcomes for outcomes in map(faces, shots) if any(code for code, _ in outcomes))
            self._known[kind, mask, opening] = found
        return found

    def codes(self) -> set[int]:
        """Every hit that these dice can make in any round against anything that may be left."""
        kinds = list(zip(self.targets.ever, self.targets.masks, strict=True))
        parts = [tuple(count if bits & 1 << bit else 0 for count, bits in kinds) for bit in range(8)]
        differ = {self._mask(counts): counts for counts in (self.targets.start, self.targets.ever, *parts)}
        sets = [self.of(counts, opening=opening) for counts in differ.values() for opening in (True, False)]
        return {code for row in sets for dice in row for outcomes in dice for code, _ in outcomes if code}


class Fire:
    """What the volleys of every position of one side make of every position of the other."""

    def __init__(self, guns: Guns, shooters: Ladder, targets: Ladder) -> None:
        self.guns, self.shooters, self.targets = guns, shooters, targets
        dice = [guns.of(counts, opening=False) for counts in targets.counts]
        self.sets = list(dict.fromkeys(dice))
        """The different sets of dice: for each type of shooters those of one unit."""
        numbers = {one: number for number, one in enumerate(self.sets)}
        self.faces_set = [numbers[one] for one in dice]
        """For each position of the targets the set of dice that is thrown at it."""
        self._plan: list[tuple[int, int]] = []
        """How volleys grow: the number of the one before, and the type of the unit that fires after it."""
        self._numbers: dict[Counts, int] = {(0,) * len(shooters.counts[0]): 0}
        self._ends = [self._number(counts) for counts in shooters.counts]

    def _number(self, counts: Counts) -> int:
        """The number of a volley in the plan, which is made longer where that is necessary."""
        if counts not in self._numbers:
            last = max(kind for kind, count in enumerate(counts) if count)
            before = self._number((*counts[:last], counts[last] - 1, *counts[last + 1 :]))
            self._plan.append((before, last))
            self._numbers[counts] = len(self._plan)
        return self._numbers[counts]

    def opening(self) -> Spread:
        """The chances after the first volley, both sides at full strength."""
        spread: Spread = {0: 1.0}
        of_one = self.guns.of(self.targets.counts[0], opening=True)
        for count, dice in zip(self.shooters.counts[0], of_one, strict=True):
            spread = throw(spread, self.targets.dice(dice, count)) if count else spread
        return spread

    def at(self, place: int) -> list[Spread]:
        """What becomes of one position of the targets, for every position of the shooters."""
        dice = [self.targets.dice(of_one, 1) for of_one in self.sets[self.faces_set[place]]]
        found: list[Spread] = [{place: 1.0}]
        for before, kind in self._plan:
            found.append(throw(found[before], dice[kind]))
        return [found[number] for number in self._ends]

    def together(self, dice_set: int, spreads: dict[Counts, Spread]) -> Spread:
        """What becomes of the targets when each of these shooters fires at its own spread of them, all added up.

        A volley is thrown type after type. Shooters who differ in the first type alone are put together: what the
        larger of them throws beyond the smaller comes first, the rest they throw as one (Horner's rule). Then the same
        with the next type.
        """
        for of_one in self.sets[dice_set]:
            by_rest: dict[Counts, dict[int, Spread]] = {}
            for counts, spread in spreads.items():
                by_rest.setdefault(counts[1:], {})[counts[0]] = spread
            spreads = {}
            for rest, by_number in by_rest.items():
                most, *others = sorted(by_number, reverse=True)
                total = by_number[most]
                for number in others:
                    total = throw(total, self.targets.dice(of_one, most - number))
                    for place, chance in by_number[number].items():
                        total[place] = total.get(place, 0.0) + chance
                    most = number
                spreads[rest] = throw(total, self.targets.dice(of_one, most)) if most else total
        return spreads[()]
