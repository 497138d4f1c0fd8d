"""The units of one side of a battle as the odds count them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress

from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import GROUND
from ..model.state import AMPHIBIOUS, CUT_OFF, DROPPED, SPECIAL, SURPRISED, M, W2State
from ..rules.fire import ROLLER, legal_targets

K = ATLAS.kinds
Counts = tuple[int, ...]
"""How many of each type a side has."""

FIGHTS = CUT_OFF | SURPRISED | AMPHIBIOUS | DROPPED | SPECIAL
"""The flags that a unit's dice depend on."""


def _differs(state: W2State, unit: int, led: bool) -> tuple[int, int]:
    """What makes a unit fight in another way than others of its kind: its state, and where that is asked its home."""
    flags = state.flags[unit] & FIGHTS
    return flags, state.home[unit] if led or flags & (CUT_OFF | SURPRISED) else NOBODY


def price(state: W2State, unit: int, damage: int, *, led: bool, last: bool) -> tuple[int, ...]:
    """What a hit costs the owner of a unit that has this much damage; what is cheapest is given up first.

    `last`: it is the last that can take the space. Of equal worth the weaker falls first; units that fight alike cost
    the same.
    """
    kind, (flags, home) = state.kind[unit], _differs(state, unit, led)
    worth = K.cost[kind] - (damage + 1 < K.hits[kind])
    return last, worth, flags & SPECIAL, -(flags & (CUT_OFF | SURPRISED)), kind, state.power[unit], flags, home


class Types:
    """The really different units of one side; an armoured ship and the same ship damaged are two types."""

    def __init__(self, m: M, units: Sequence[int], *, takes: bool = False) -> None:
        """`takes`: the side attacks on land, and needs somebody on the ground to take the space."""
        state = m.state
        self.takes = takes
        led = bool(m.option("leaders"))
        keys: dict[tuple[int, ...], int] = {}
        self.units: list[int] = []
        prices: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        self.hurt: list[int] = []
        """Per type the type it becomes when hit, -1 where it is gone."""
        counts: list[int] = []
        for unit in units:
            kind = state.kind[unit]
            for damage in range(state.damage[unit], K.hits[kind]):
                key = (kind, state.power[unit], *_differs(state, unit, led), damage)
                if key not in keys:
                    keys[key] = len(self.units)
                    self.units.append(unit)
                    one, last = (price(state, unit, damage, led=led, last=last) for last in (False, True))
                    prices.append((one, last))
                    self.hurt.append(NOBODY)
                    counts.append(0)
            first = (kind, state.power[unit], *_differs(state, unit, led), state.damage[unit])
            counts[keys[first]] += 1
            if K.hits[kind] == 2 and not state.damage[unit]:
                self.hurt[keys[first]] = keys[(*first[:4], 1)]
        self.start: Counts = tuple(counts)
        self.prices = prices
        """Per type what a hit on it costs, and what it costs where it is the last that can take the space."""
        self.cost = [K.cost[state.kind[u]] for u in self.units]
        self.ground = [K.cls[state.kind[u]] == GROUND for u in self.units]
        self.cut_off = [bool(state.flags[u] & CUT_OFF) for u in self.units]
        self.submerged = [bool(K.submerged[state.kind[u]]) for u in self.units]
        self.masks = [K.target[state.kind[u]] for u in self.units]
        self.ever: Counts = (1,) * len(self.units)
        """One of every type that may come to be."""
        self._known: dict[tuple[int, tuple[bool, ...], bool], int] = {}

    def listed(self, counts: Counts) -> list[int]:
        """Stand-ins for the units that are left."""
        return [unit for unit, count in zip(self.units, counts, strict=True) for _ in range(count)]

    def worth(self, counts: Counts) -> int:
        return sum(cost * count for cost, count in zip(self.cost, counts, strict=True))

    def hit(self, m: M, counts: Counts, hits: Sequence[int]) -> Counts:
        """Take hits: the owner gives up the cheapest legal unit, and the last that can take the space only when nothing
        else is left; a roller who may choose takes the dearest."""
        left = list(counts)
        for hit in sorted(hits):
            last = self.takes and sum(compress(left, self.ground)) == 1
            chosen = self._falls_on(m, hit, tuple(map(bool, left)), last)
            if chosen >= 0:
                left[chosen] -= 1
                if self.hurt[chosen] >= 0:
                    left[self.hurt[chosen]] += 1
        return tuple(left)

    def _falls_on(self, m: M, hit: int, present: tuple[bool, ...], last: bool) -> int:
        """The type that takes a hit when these types are there, -1 where none can."""
        key = (hit, present, last)
        chosen = self._known.get(key)
        if chosen is None:
            there = list(compress(range(len(present)), present))
            legal = set(legal_targets(m, hit, [self.units[t] for t in there]))
            choices = [t for t in there if self.units[t] in legal]
            best = max if hit & ROLLER else min
            chosen = NOBODY
            if choices:
                chosen = best(choices, key=lambda t: self.prices[t][last and self.ground[t]])
            self._known[key] = chosen
        return chosen
