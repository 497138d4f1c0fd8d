"""The units of one side of a battle as the odds count them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import compress
from types import MappingProxyType

from ..facts.whereabouts import cargo
from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import GROUND
from ..model.state import AMPHIBIOUS, CUT_OFF, DROPPED, SPECIAL, SURPRISED, M, W2State
from ..rules.fire import ROLLER, legal_targets
from ..rules.units import CARRIES

K = ATLAS.kinds
Counts = tuple[int, ...]
"""How many of each type a side has."""

FIGHTS = CUT_OFF | SURPRISED | AMPHIBIOUS | DROPPED | SPECIAL
"""The flags that a unit's dice depend on."""


def _differs(state: W2State, unit: int, led: bool) -> tuple[int, int]:
    """What makes a unit fight in another way than others of its kind: its state, and where that is asked its home."""
    flags = state.flags[unit] & FIGHTS
    return flags, state.home[unit] if led or flags & (CUT_OFF | SURPRISED) else NOBODY


def price(state: W2State, unit: int, damage: int, *, led: bool, last: bool, load: int) -> tuple[int, ...]:
    """What a hit costs the owner of a unit that has this much damage; what is cheapest is given up first.

    `last`: it is the last that can take the space; `load`: the worth of what it carries. Of equal worth the weaker
    falls first, and of ships alike the emptier; units that fight alike cost the same.
    """
    kind, (flags, home) = state.kind[unit], _differs(state, unit, led)
    worth = K.cost[kind] - (damage + 1 < K.hits[kind])
    weak = flags & (CUT_OFF | SURPRISED)
    return last, worth, flags & SPECIAL, -weak, kind, state.power[unit], flags, home, load


def load_of(state: W2State, units: Iterable[int]) -> int:
    """The worth of some units."""
    return sum([K.cost[state.kind[u]] for u in units])


class Types:
    """The really different units of one side; an armoured ship and the same ship damaged are two types."""

    def __init__(
        self, m: M, units: Sequence[int], *, takes: bool = False, now: int = 1,
        late: Mapping[int, int] = MappingProxyType({}), aboard: Mapping[int, Sequence[int]] = MappingProxyType({}),
    ) -> None:  # fmt: skip
        """`takes`: the side attacks on land, and needs somebody on the ground to take the space.

        `now`: the round that comes next. `late`: units that join with a later round. `aboard`: the planes that carriers
        launch when they have fought a round; they are among the units.
        """
        state = m.state
        self.takes, self.now = takes, now
        led = bool(m.option("leaders"))
        keys: dict[tuple[object, ...], int] = {}
        self.units: list[int] = []
        self.prices: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        """Per type what a hit on it costs, and what it costs where it is the last that can take the space."""
        self.hurt: list[int] = []
        """Per type the type it becomes when hit, -1 where it is gone."""
        self.cost: list[int] = []
        """Per type what is lost with it; planes that a carrier will launch are counted by themselves."""
        counts: list[int] = []
        launches = {plane for planes in aboard.values() for plane in planes}

        def key_of(unit: int, damage: int) -> tuple[object, ...]:
            carried = tuple(sorted(key_of(plane, 0) for plane in aboard.get(unit, ())))
            load = load_of(state, cargo(state, unit)) if CARRIES[state.kind[unit]] else 0
            kind, power = state.kind[unit], state.power[unit]
            return kind, power, *_differs(state, unit, led), late.get(unit, 0), load, carried, damage

        joins: dict[int, list[int]] = {}
        for unit in units:
            kind, load = state.kind[unit], cargo(state, unit) if CARRIES[state.kind[unit]] else ()
            for damage in range(state.damage[unit], K.hits[kind]):
                key = key_of(unit, damage)
                if key not in keys:
                    keys[key] = len(self.units)
                    self.units.append(unit)
                    self.cost.append(K.cost[kind] + load_of(state, load))
                    carried = load_of(state, (*load, *aboard.get(unit, ())))
                    one, two = (price(state, unit, damage, led=led, last=last, load=carried) for last in (False, True))
                    self.prices.append((one, two))
                    self.hurt.append(NOBODY)
                    counts.append(0)
            first = key_of(unit, state.damage[unit])
            if unit in late:
                joins.setdefault(late[unit], []).append(keys[first])
            elif unit not in launches:
                counts[keys[first]] += 1
            if K.hits[kind] == 2 and not state.damage[unit]:
                self.hurt[keys[first]] = keys[(*first[:-1], 1)]
        self.start: Counts = tuple(counts)
        self._joins = joins
        """Round -> the types of those who join with it."""
        self._launches = [
            (
                keys[key_of(ship, damage)],
                late.get(ship, now),
                [keys[key_of(plane, state.damage[plane])] for plane in planes],
            )
            for ship, planes in {key_of(ship, 0): (ship, planes) for ship, planes in aboard.items()}.values()
            for damage in range(state.damage[ship], K.hits[state.kind[ship]])
        ]
        """Carriers by type: the round after which they launch, and the types of their planes."""
        self.last = max([0, *(when - 1 for when in joins), *(after for _, after, _ in self._launches)])
        """The last round after which somebody joins."""
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

    def worth(self, counts: Counts, before: int | None = None) -> int:
        """What a side has before some round (the next), those included who have not joined yet."""
        before = self.now if before is None else before
        worth = sum(cost * count for cost, count in zip(self.cost, counts, strict=True))
        loads: dict[int, int] = {}
        for kind, after, planes in self._launches:
            if after >= before:
                loads[kind] = sum(self.cost[plane] for plane in planes)
                worth += counts[kind] * loads[kind]
        late = (kind for when, kinds in self._joins.items() if when > before for kind in kinds)
        return worth + sum(self.cost[kind] + loads.get(kind, 0) for kind in late)

    def hits_left(self, counts: Counts) -> int:
        """How many hits a side can still take."""
        return sum(count * (1 + (hurt >= 0)) for count, hurt in zip(counts, self.hurt, strict=True))

    def waits(self, before: int) -> bool:
        """Whether anybody comes later than with this round."""
        return any(when > before for when in self._joins)

    def joined(self, counts: Counts, after: int) -> Counts:
        """A side when the round after this one begins."""
        if after > self.last:
            return counts
        found = list(counts)
        for kind, launch, planes in self._launches:
            for plane in planes if launch == after else ():
                found[plane] += counts[kind]
        for kind in self._joins.get(after + 1, ()):
            found[kind] += 1
        return tuple(found)

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
