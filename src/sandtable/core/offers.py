"""Offers: one kind of thing a role may do now, with its whole domain, never listed unless somebody asks.

An offer is an action type and a domain for each of its fields. A field's domain may depend on the fields before it:

    Offer(
        Move,
        Field("army", "unit", OneOf(my_armies)),
        Field("to", "space", lambda army: OneOf(reach(army), why=lambda hex: why_not_there(army, hex))),
        rule="hw-move-1",
    )

Iterating, counting, sampling, checking and describing all go through these same domains: two doors to one rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any

from .data import Action, RuleId
from .domains import Amounts, Domain, NothingToChoose, Numbers, OneOf, Subsets, Walks, Where
from .errors import Refusal

__all__ = ["Amounts", "Barred", "Barren", "Choices", "Domain", "Field", "Late", "Listed", "Menu", "NothingToChoose",
           "Numbers", "Offer", "Offers", "OneOf", "Subsets", "Walks", "Where"]  # fmt: skip

DomainMaker = Callable[..., Domain]
_TRIES = 20


class Field:
    """One field of an action: its name, what kind of thing it holds for the eyes, and its domain.

    Kinds the client knows: space, unit, role, card, choice, number, spaces, units, cards, path, amounts.
    The domain is given, or made from the values of the fields before it.
    """

    __slots__ = ("_given", "_known", "domain", "kind", "make", "name")

    def __init__(self, name: str, kind: str, domain: Domain | DomainMaker) -> None:
        self.name, self.kind = name, kind
        self.make: DomainMaker | None
        self.domain: Domain | None
        if callable(domain):
            self.make, self.domain = domain, None
            self._known: Domain | None = None
            self._given: tuple[Any, ...] = ()
        else:
            self.make, self.domain = None, domain

    def given(self, prefix: Sequence[Any]) -> Domain:
        """The field's domain when the fields before it have these values. The last one made is remembered: who
        chooses a value has it checked next."""
        if self.domain is not None:
            return self.domain
        assert self.make is not None
        values = tuple(prefix)
        if self._known is None or self._given != values:
            self._known, self._given = self.make(*prefix), values
        return self._known


class Offer:
    """A described set of actions of one type."""

    __slots__ = ("act", "fields", "hint", "rule", "verb")

    def __init__(self, act: type[Action], *fields: Field, rule: RuleId, hint: str = "") -> None:
        self.act = act
        self.fields = fields
        self.rule = rule
        """The ledger id that a refusal cites when the domain has no more special word."""
        self.hint = hint
        """Picks another label than the verb's own in the text files."""
        self.verb: str = act.__struct_config__.tag  # type: ignore[assignment]

    def __iter__(self) -> Iterator[Action]:
        return self._from([], 0)

    def _from(self, prefix: list[Any], depth: int) -> Iterator[Action]:
        if depth == len(self.fields):
            yield self.act(*prefix)
            return
        for value in self.fields[depth].given(prefix):
            yield from self._from([*prefix, value], depth + 1)

    def __len__(self) -> int:
        return self._count([], 0)

    def _count(self, prefix: list[Any], depth: int) -> int:
        if depth == len(self.fields):
            return 1
        domain = self.fields[depth].given(prefix)
        rest = self.fields[depth + 1 :]
        if all(field.domain is not None for field in rest):
            total = len(domain)
            for field in rest:
                total *= len(field.given(()))
            return total
        return sum(self._count([*prefix, value], depth + 1) for value in domain)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refuse(action) is None

    def __bool__(self) -> bool:
        """Whether there is anything to choose."""
        return next(iter(self), None) is not None

    def refuse(self, action: Action) -> Refusal | None:
        """The rule that forbids the action; None where it is in the set."""
        if type(action) is not self.act:
            return Refusal(self.rule, "sandtable-other-action", verb=self.verb)
        return self.refuse_at(action)[0]

    def refuse_at(self, action: Action) -> tuple[Refusal | None, int]:
        """The refusal and how many fields were in order before it."""
        prefix: list[Any] = []
        for place, field in enumerate(self.fields):
            value = getattr(action, field.name)
            domain = field.given(prefix)
            if value not in domain:
                found = domain.why(value)
                if found is None:
                    found = Refusal(self.rule, "sandtable-not-available", field=field.name, value=_plain(value))
                return found, place
            prefix.append(value)
        return None, len(self.fields)

    def sample(self, rng: Random) -> Action:
        """One action, field by field (not every action is equally likely)."""
        fields = self.fields
        if not fields:
            return self.act()
        for _ in range(_TRIES):
            prefix: list[Any] = []
            try:
                for field in fields:
                    domain, make = field.domain, field.make
                    if make is not None:
                        domain = make(*prefix)  # not remembered: what was drawn is not checked again
                    assert domain is not None
                    prefix.append(domain.sample(rng))
            except NothingToChoose:
                if len(prefix) == 0:
                    raise
                continue
            return self.act(*prefix)
        actions = list(iter(self))  # listed once: `list(self)` would count them first
        if not actions:
            raise NothingToChoose
        return actions[int(rng.random() * len(actions))]

    def describe(self, prefix: Sequence[Any] = ()) -> dict[str, Any]:
        """For the client: the verb, its fields, and the domain of the next field when `prefix` is chosen already."""
        out: dict[str, Any] = {
            "verb": self.verb,
            "rule": self.rule,
            "fields": [{"name": field.name, "kind": field.kind} for field in self.fields],
        }
        if self.hint:
            out["hint"] = self.hint
        if len(prefix) < len(self.fields):
            out["next"] = self.fields[len(prefix)].given(list(prefix)).describe()
        return out


class Late(Offer):
    """An offer whose fields a function makes when somebody first looks into it: most offers are never looked into."""

    __slots__ = ("_fields", "_make", "_of")

    def __init__(
        self, act: type[Action], make: Callable[..., tuple[Field, ...]], *of: Any, rule: RuleId, hint: str = ""
    ) -> None:
        self.act, self.rule, self.hint = act, rule, hint
        self._make, self._of = make, of
        self._fields: tuple[Field, ...] | None = None

    @property
    def fields(self) -> tuple[Field, ...]:  # type: ignore[override]
        found = self._fields
        if found is None:
            found = self._fields = self._make(*self._of)
        return found

    @property
    def verb(self) -> str:  # type: ignore[override]
        return str(self.act.__struct_config__.tag)


class Choices(Offer):
    """An offer that simply lists its actions, all of one type."""

    __slots__ = ("_why", "actions")

    def __init__(
        self,
        actions: Sequence[Action],
        *,
        rule: RuleId,
        why: Callable[[Action], Refusal | None] | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(type(actions[0]), rule=rule, hint=hint)
        self.actions = actions
        self._why = why

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def __bool__(self) -> bool:
        return True

    def refuse_at(self, action: Action) -> tuple[Refusal | None, int]:
        if action in self.actions:
            return None, 1
        found = self._why(action) if self._why else None
        return found or Refusal(self.rule, "sandtable-not-available", field="", value=""), 0

    def sample(self, rng: Random) -> Action:
        return self.actions[int(rng.random() * len(self.actions))]

    def describe(self, prefix: Sequence[Any] = ()) -> dict[str, Any]:
        out = super().describe()
        out["actions"] = list(self.actions)
        return out


class _Nothing(Offer):
    """Nothing to choose for now."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Action]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def sample(self, rng: Random) -> Action:
        raise NothingToChoose


class Barren(_Nothing, Late):
    """An offer whose domains come to nothing: it checks and explains like any other, but is not searched in vain."""

    __slots__ = ()


class Barred(_Nothing):
    """An offer that one rule closes for now: nothing to choose, but whoever tries is told that rule."""

    __slots__ = ("refusal",)

    def __init__(self, act: type[Action], refusal: Refusal) -> None:
        super().__init__(act, rule=refusal.rule)
        self.refusal = refusal

    def describe(self, prefix: Sequence[Any] = ()) -> dict[str, Any]:
        return {**super().describe(prefix), "actions": []}

    def refuse_at(self, action: Action) -> tuple[Refusal | None, int]:
        return self.refusal, 0


Listed = Offer | tuple[Any, ...]
"""An offer, or how to make it: a function and what it is to be called with, `(march_offer, m, power)`."""


class Menu(Sequence[Offer]):
    """Offers of which each is made when somebody looks at it: who draws one action looks at one offer."""

    __slots__ = ("_listed",)

    def __init__(self, listed: list[Listed]) -> None:
        self._listed = listed

    def __len__(self) -> int:
        return len(self._listed)

    def __getitem__(self, place: int) -> Offer:  # type: ignore[override]
        found = self._listed[place]
        if isinstance(found, tuple):
            found = self._listed[place] = found[0](*found[1:])
        return found


class Offers:
    """All offers of one role: itself iterable, countable, sampleable, and able to say why not."""

    __slots__ = ("_by_act", "drawn", "offers", "rule")

    def __init__(self, offers: Iterable[Offer], rule: RuleId) -> None:
        self.offers: Sequence[Offer] = offers if type(offers) is Menu else tuple(offers)
        self.rule = rule
        """What is going on: cited when an action of another kind is tried."""
        self._by_act: dict[type[Action], list[Offer]] | None = None
        self.drawn: Action | None = None
        """The action drawn from here last: it needs no second look."""

    def _of(self, act: type[Action]) -> list[Offer]:
        if self._by_act is None:
            self._by_act = {}
            for offer in self.offers:
                self._by_act.setdefault(offer.act, []).append(offer)
        return self._by_act.get(act, [])

    def __iter__(self) -> Iterator[Action]:
        for offer in self.offers:
            yield from offer

    def __len__(self) -> int:
        return sum(len(offer) for offer in self.offers)

    def __bool__(self) -> bool:
        return any(bool(offer) for offer in self.offers)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refuse(action) is None

    def __getitem__(self, act: type[Action]) -> list[Offer]:
        """The offers of one action type."""
        return self._of(act)

    def refuse(self, action: Action) -> Refusal | None:
        """The rule that forbids the action; None where it may be done. What was drawn from here is in here."""
        return None if action is self.drawn else self.check(action)

    def check(self, action: Action) -> Refusal | None:
        """The same, looked through field by field wherever the action comes from."""
        found = self._of(type(action))
        if not found:
            return Refusal(self.rule, "sandtable-not-now", verb=_tag(action))
        best: tuple[int, Refusal] | None = None
        for offer in found:
            refusal, depth = offer.refuse_at(action)
            if refusal is None:
                return None
            if best is None or depth > best[0]:
                best = (depth, refusal)
        assert best is not None
        return best[1]

    def sample(self, rng: Random) -> Action:
        """One action: a kind of thing to do is drawn first, then one of its actions."""
        offers, left = self.offers, None
        number = len(offers)
        while number:
            place = int(rng.random() * number)
            try:
                self.drawn = offers[place if left is None else left[place]].sample(rng)
                return self.drawn
            except NothingToChoose:
                left = list(range(number)) if left is None else left
                del left[place]
                number -= 1
        raise NothingToChoose

    def describe(self) -> list[dict[str, Any]]:
        return [offer.describe() for offer in self.offers]


def _tag(action: Action) -> str:
    return str(action.__struct_config__.tag)


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, str)) else str(value)
