"""Domains: the values one field of an action may have, described and not listed.

A domain can be iterated, counted, asked `in`, sampled, and asked why a value is not in it. All of these share the one
rule the game gave it: a membership (`OneOf`, `Numbers`) or a rule function that returns a Refusal or None.

    OneOf, Where        one value of a collection; one that a rule does not refuse
    Named, NamedBits    the same for numbered things (units, spaces) that actions know by name
    Numbers             a whole number
    Subsets, Amounts    some of the items; how many of each
    Walks               a sequence built place by place
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from .bits import bits
from .errors import Refusal

Why = Callable[[Any], Refusal | None]
"""Returns the rule that forbids a value which is not in the domain (None: no special one)."""
_TRIES = 40
_NAMED_TRIES = 12
_FEW = 21


def _below(rng: Random, number: int) -> int:
    """Draw a number below another, as `randrange` does."""
    bits = number.bit_length()
    drawn = rng.getrandbits(bits)
    while drawn >= number:
        drawn = rng.getrandbits(bits)
    return drawn


def _some_of(rng: Random, number: int, size: int) -> list[int]:
    """Draw so many different numbers below another, as `Random.sample` does."""
    if number > _FEW:
        return rng.sample(range(number), size)
    pool, drawn = list(range(number)), []
    for last in range(number - 1, number - 1 - size, -1):
        place = _below(rng, last + 1)
        drawn.append(pool[place])
        pool[place] = pool[last]
    return drawn


class NothingToChoose(LookupError):
    """A sample was asked of something empty. The message says why it is empty."""

    def __str__(self) -> str:
        why = self.args[0] if self.args else "the domain is empty"
        return f"a rule closes this offer: {why}" if isinstance(why, Refusal) else str(why)


class Domain(Protocol):
    """A described set of values."""

    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __contains__(self, value: object) -> bool: ...
    def sample(self, rng: Random) -> Any: ...
    def why(self, value: Any) -> Refusal | None:
        """Return the rule that forbids a value which is not in the domain, where there is a special one."""

    def describe(self) -> dict[str, Any]:
        """Return what the client highlights or which control it shows, as plain JSON data."""


class OneOf:
    """One value of a collection. Give a dict, set, frozenset or range where membership is asked often.

    `notes` may hold something for the client to show beside a value (a cost, a strength).
    """

    __slots__ = ("_why", "notes", "values")

    def __init__(
        self, values: Collection[Any], why: Why | None = None, *, notes: Mapping[Any, Any] | None = None
    ) -> None:
        self.values = values
        self._why = why
        self.notes = notes

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __contains__(self, value: object) -> bool:
        return value in self.values

    def sample(self, rng: Random) -> Any:
        values = self.values
        if not values:
            raise NothingToChoose
        if not isinstance(values, (list, tuple, range)):
            values = list(values) if isinstance(values, dict) else sorted(values)
        return values[int(rng.random() * len(values))]

    def why(self, value: Any) -> Refusal | None:
        return self._why(value) if self._why else None

    def describe(self) -> dict[str, Any]:
        plain = list(self.values) if not isinstance(self.values, (set, frozenset)) else sorted(self.values)
        out: dict[str, Any] = {"type": "one", "values": plain}
        if self.notes:
            out["notes"] = [self.notes.get(value) for value in plain]
        return out


class Where:
    """The values of a universe that a rule does not refuse. The same rule lists and checks."""

    __slots__ = ("rule", "universe")

    def __init__(self, universe: Sequence[Any], rule: Why) -> None:
        self.universe = universe
        self.rule = rule

    def __iter__(self) -> Iterator[Any]:
        rule = self.rule
        return (value for value in self.universe if rule(value) is None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, value: object) -> bool:
        return value in self.universe and self.rule(value) is None

    def sample(self, rng: Random) -> Any:
        universe, rule = self.universe, self.rule
        for _ in range(_TRIES if universe else 0):
            value = universe[int(rng.random() * len(universe))]
            if rule(value) is None:
                return value
        values = list(self)
        if not values:
            raise NothingToChoose
        return values[int(rng.random() * len(values))]

    def why(self, value: Any) -> Refusal | None:
        return self.rule(value) if value in self.universe else None

    def describe(self) -> dict[str, Any]:
        return {"type": "one", "values": list(self)}


class Names:
    """What numbered things are called: `name` and `number` lead there and back.

    `number` returns None or a negative number for a name that nothing has.
    """

    __slots__ = ("name", "number")

    def __init__(self, name: Callable[[int], str], number: Callable[[str], int | None]) -> None:
        self.name, self.number = name, number

    @classmethod
    def of(cls, names: Sequence[str]) -> Names:
        """Names of things that are numbered in this order."""
        return cls(names.__getitem__, {name: number for number, name in enumerate(names)}.get)

    def find(self, value: object) -> int:
        """Return the number of what is called so; -1 where nothing is."""
        found = self.number(value) if isinstance(value, str) else None
        return -1 if found is None else found


class Named:
    """One of some numbered things (units, spaces), known in actions by their names.

    `rule` may refuse some of them: it is asked of as few as possible, of the one in question or of those drawn until
    one passes. `why` explains things that are not among them.
    """

    __slots__ = ("_why", "names", "rule", "things")

    def __init__(
        self,
        things: Sequence[int],
        names: Names,
        rule: Callable[[int], Refusal | None] | None = None,
        why: Callable[[int], Refusal | None] | None = None,
    ) -> None:
        self.things, self.names, self.rule, self._why = things, names, rule, why

    def numbers(self) -> Sequence[int]:
        """The things that the rule does not refuse."""
        rule = self.rule
        return self.things if rule is None else [thing for thing in self.things if rule(thing) is None]

    def __iter__(self) -> Iterator[str]:
        return map(self.names.name, self.numbers())

    def __len__(self) -> int:
        return len(self.numbers())

    def __contains__(self, value: object) -> bool:
        thing = self.names.find(value)
        return thing >= 0 and thing in self.things and (self.rule is None or self.rule(thing) is None)

    def sample(self, rng: Random) -> str:
        things, rule, count = self.things, self.rule, len(self.things)
        if not count:
            raise NothingToChoose
        thing = things[int(rng.random() * count)]
        if rule is None or rule(thing) is None:
            return self.names.name(thing)
        refused = {thing}
        for _ in range(_NAMED_TRIES - 1):
            thing = things[int(rng.random() * count)]
            if thing not in refused:
                if rule(thing) is None:
                    return self.names.name(thing)
                refused.add(thing)
        left = [thing for thing in things if thing not in refused and rule(thing) is None]
        if not left:
            raise NothingToChoose
        return self.names.name(left[int(rng.random() * len(left))])

    def why(self, value: Any) -> Refusal | None:
        thing = self.names.find(value)
        if thing < 0:
            return None
        found = self.rule(thing) if self.rule is not None and thing in self.things else None
        return self._why(thing) if found is None and self._why is not None else found

    def describe(self) -> dict[str, Any]:
        return {"type": "one", "values": list(self)}


class NamedBits:
    """One of a set of numbered things, the set kept as one integer (see `bits`).

    `notes` may hold something for the client to show beside a value; a function makes them only when they are shown.
    """

    __slots__ = ("_why", "mask", "names", "notes")

    def __init__(
        self,
        mask: int,
        names: Names,
        why: Callable[[int], Refusal | None] | None = None,
        *,
        notes: Callable[[], Mapping[int, Any]] | None = None,
    ) -> None:
        self.mask, self.names, self._why, self.notes = mask, names, why, notes

    def __iter__(self) -> Iterator[str]:
        return map(self.names.name, bits(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, value: object) -> bool:
        thing = self.names.find(value)
        return thing >= 0 and bool(self.mask >> thing & 1)

    def sample(self, rng: Random) -> str:
        """Draw the first one after a random place: quick, and near enough to even."""
        mask = self.mask
        if not mask:
            raise NothingToChoose
        skipped = int(rng.random() * mask.bit_length())  # less than the length, so that something is left
        later = mask >> skipped
        return self.names.name((later & -later).bit_length() - 1 + skipped)

    def why(self, value: Any) -> Refusal | None:
        thing = self.names.find(value)
        return self._why(thing) if self._why is not None and thing >= 0 else None

    def describe(self) -> dict[str, Any]:
        out: dict[str, Any] = {"type": "one", "values": list(self)}
        if self.notes is not None:
            notes = self.notes()
            out["notes"] = [notes.get(thing) for thing in bits(self.mask)]
        return out


class Numbers:
    """A whole number from `least` to `most`."""

    __slots__ = ("_why", "least", "most")

    def __init__(self, least: int, most: int, why: Why | None = None) -> None:
        self.least, self.most, self._why = least, most, why

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.least, self.most + 1))

    def __len__(self) -> int:
        return max(0, self.most - self.least + 1)

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most

    def sample(self, rng: Random) -> int:
        if self.most < self.least:
            raise NothingToChoose
        return self.least + int(rng.random() * (self.most - self.least + 1))

    def why(self, value: Any) -> Refusal | None:
        return self._why(value) if self._why else None

    def describe(self) -> dict[str, Any]:
        return {"type": "number", "least": self.least, "most": self.most}


class Subsets:
    """Some of the items: a tuple without repeats, in the order of `items`, `least` to `most` long.

    `rule` may refuse a whole selection (stacking, 'all of one country', ...).
    """

    __slots__ = ("_index", "items", "least", "most", "rule")

    def __init__(self, items: Sequence[Any], least: int = 0, most: int | None = None, rule: Why | None = None) -> None:
        self.items = items
        self.least = least
        self.most = len(items) if most is None else min(most, len(items))
        self.rule = rule
        self._index: dict[Any, int] | None = None

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for size in range(self.least, self.most + 1):
            for chosen in itertools.combinations(self.items, size):
                if self.rule is None or self.rule(chosen) is None:
                    yield chosen

    def __len__(self) -> int:
        if self.rule is not None:
            return sum(1 for _ in self)
        return sum(math.comb(len(self.items), size) for size in range(self.least, self.most + 1))

    def _is_shaped(self, value: Any) -> bool:
        if not isinstance(value, tuple) or not self.least <= len(value) <= self.most:
            return False
        if self._index is None:
            self._index = {item: place for place, item in enumerate(self.items)}
        last = -1
        for item in value:
            place = self._index.get(item, -1)
            if place <= last:
                return False
            last = place
        return True

    def __contains__(self, value: object) -> bool:
        return self._is_shaped(value) and (self.rule is None or self.rule(value) is None)

    def sample(self, rng: Random) -> tuple[Any, ...]:
        if self.most < self.least:
            raise NothingToChoose
        items, rule = self.items, self.rule
        for _ in range(_TRIES):
            places = _some_of(rng, len(items), self.least + _below(rng, self.most - self.least + 1))
            places.sort()
            chosen = tuple([items[place] for place in places])
            if rule is None or rule(chosen) is None:
                return chosen
        first = next(iter(self), None)
        if first is None:
            raise NothingToChoose
        return first

    def why(self, value: Any) -> Refusal | None:
        return self.rule(value) if self.rule and self._is_shaped(value) else None

    def describe(self) -> dict[str, Any]:
        return {"type": "some", "values": list(self.items), "least": self.least, "most": self.most}


class Amounts:
    """How many of each: a tuple of (item, number above 0) in the order of `limits`, with a total in bounds.

    For strength points, build orders, losses by type. `rule` may refuse a whole selection.
    """

    __slots__ = ("least", "limits", "most", "rule")

    def __init__(
        self, limits: Mapping[Any, int], least: int = 0, most: int | None = None, rule: Why | None = None
    ) -> None:
        self.limits = {item: limit for item, limit in limits.items() if limit > 0}
        total = sum(self.limits.values())
        self.least = least
        self.most = total if most is None else min(most, total)
        self.rule = rule

    def __iter__(self) -> Iterator[tuple[tuple[Any, int], ...]]:
        items = list(self.limits)
        for numbers in itertools.product(*(range(self.limits[item] + 1) for item in items)):
            if self.least <= sum(numbers) <= self.most:
                value = tuple((item, number) for item, number in zip(items, numbers, strict=True) if number)
                if self.rule is None or self.rule(value) is None:
                    yield value

    def __len__(self) -> int:
        if self.rule is not None:
            return sum(1 for _ in self)
        ways = [1] + [0] * max(0, self.most)
        for limit in self.limits.values():
            ways = [sum(ways[max(0, total - limit) : total + 1]) for total in range(len(ways))]
        return sum(ways[self.least :])

    def _is_shaped(self, value: Any) -> bool:
        if not isinstance(value, tuple):
            return False
        order = {item: place for place, item in enumerate(self.limits)}
        last, total = -1, 0
        for pair in value:
            if not isinstance(pair, tuple) or len(pair) != 2:
                return False
            item, number = pair
            place = order.get(item, -1)
            if place <= last or not 1 <= number <= self.limits[item]:
                return False
            last, total = place, total + number
        return self.least <= total <= self.most

    def __contains__(self, value: object) -> bool:
        return self._is_shaped(value) and (self.rule is None or self.rule(value) is None)

    def sample(self, rng: Random) -> tuple[tuple[Any, int], ...]:
        if self.most < self.least:
            raise NothingToChoose
        bag = [item for item, limit in self.limits.items() for _ in range(limit)]
        for _ in range(_TRIES):
            drawn = rng.sample(bag, rng.randint(self.least, self.most))
            value = tuple((item, number) for item in self.limits if (number := drawn.count(item)))
            if self.rule is None or self.rule(value) is None:
                return value
        first = next(iter(self), None)
        if first is None:
            raise NothingToChoose
        return first

    def why(self, value: Any) -> Refusal | None:
        return self.rule(value) if self.rule and self._is_shaped(value) else None

    def describe(self) -> dict[str, Any]:
        limits = [[item, limit] for item, limit in self.limits.items()]
        return {"type": "amounts", "limits": limits, "least": self.least, "most": self.most}


class Walks:
    """A sequence built place by place: a path over the map, an order of battles.

    `onward(so_far)` returns the domain or collection of the next place; `stop(so_far)` returns why the walk may not end
    there (None: it may). `most` is the greatest length that is listed, drawn and accepted.
    """

    __slots__ = ("most", "onward", "stop")

    def __init__(
        self,
        onward: Callable[[tuple[Any, ...]], Collection[Any] | Domain],
        stop: Callable[[tuple[Any, ...]], Refusal | None] = lambda so_far: None,
        *,
        most: int,
    ) -> None:
        self.onward, self.stop, self.most = onward, stop, most

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self._from(())

    def _from(self, so_far: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        if so_far and self.stop(so_far) is None:
            yield so_far
        if len(so_far) < self.most:
            for place in self.onward(so_far):
                yield from self._from((*so_far, place))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _fault(self, value: Any) -> tuple[bool, Refusal | None]:
        if not isinstance(value, tuple) or not 1 <= len(value) <= self.most:
            return True, None
        for index, place in enumerate(value):
            onward = self.onward(value[:index])
            if place not in onward:
                why: Why | None = getattr(onward, "why", None)
                return True, why(place) if why else None
        refusal = self.stop(value)
        return refusal is not None, refusal

    def __contains__(self, value: object) -> bool:
        return not self._fault(value)[0]

    def sample(self, rng: Random) -> tuple[Any, ...]:
        for _ in range(_TRIES):
            length = rng.randint(1, self.most)
            so_far: tuple[Any, ...] = ()
            best: tuple[Any, ...] | None = None
            while len(so_far) < length:
                choices = list(self.onward(so_far))
                if not choices:
                    break
                so_far = (*so_far, choices[int(rng.random() * len(choices))])
                if self.stop(so_far) is None:
                    best = so_far
            if best is not None:
                return best
        first = next(iter(self), None)
        if first is None:
            raise NothingToChoose
        return first

    def why(self, value: Any) -> Refusal | None:
        return self._fault(value)[1]

    def describe(self) -> dict[str, Any]:
        return {"type": "walk", "most": self.most, "next": list(self.onward(()))}

    def describe_next(self, so_far: tuple[Any, ...]) -> dict[str, Any]:
        """Return what a client needs that builds the walk click by click."""
        onward = list(self.onward(so_far)) if len(so_far) < self.most else []
        return {"type": "walk", "next": onward, "may_stop": bool(so_far) and self.stop(so_far) is None}
