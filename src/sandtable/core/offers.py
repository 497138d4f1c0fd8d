"""Offers: one kind of thing a role may do now, with its whole domain, never listed unless somebody asks.

An offer is an action type and a domain for each of its fields. A field's domain may depend on the fields before it:

    Offer(
        Move,
        Field("army", "unit", OneOf(my_armies)),
        Field("to", "space", lambda army: OneOf(reach(army), why=lambda hex: why_not_there(army, hex))),
        rule="hw-move-1",
    )

The fields may also be given as one function. It is called when somebody first looks into the offer, so an offer that
nobody looks into costs next to nothing. It may return a Refusal instead: then that rule closes the offer.

    Offer(Move, lambda: march_fields(m, side), rule="hw-move-1")
    Offer(Done, Refusal("hw-place-all"), rule="hw-setup-1")  # closed: nothing to choose, and this is why

Iterating, counting, sampling, checking and describing all go through the same domains, so they always agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, overload

import msgspec

from .data import Action, RuleId
from .domains import Domain, NothingToChoose
from .errors import Refusal

__all__ = ["Choices", "Field", "Gesture", "Offer", "Offers"]

DomainMaker = Callable[..., Domain]
_TRIES = 20


class Gesture(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a hand plays an offer: take units, aim at a place, let go.

    Where `units` and `place` are named, many units can be sent to one place in one gesture.
    """

    units: str = ""
    """The field that holds a unit, or all units that go together (kind `units`)."""
    place: str = ""
    """The field that holds where they go: a space, or the path to it."""
    ends: bool = False
    """It ends the step: the screen's one Done. `Table.ends` says what it ends."""
    usual: bool = False
    """It is the usual choice, offered first: a prepared set-up, the same as last turn."""
    repeats: bool = False
    """It may be done again wherever it comes up again at once, in any order: all countries, all battles."""


class Field:
    """One field of an action: its name, what kind of thing the client shows for it, and its domain.

    Kinds the client knows: space, unit, role, card, choice, number, spaces, units, cards, path, amounts.
    The domain is given, or made from the values of the fields before it: of all of them, or of the `first` few.
    """

    __slots__ = ("_given", "_known", "domain", "first", "kind", "make", "name")

    def __init__(self, name: str, kind: str, domain: Domain | DomainMaker, *, first: int | None = None) -> None:
        self.name, self.kind, self.first = name, kind, first
        self.make: DomainMaker | None
        self.domain: Domain | None
        if callable(domain):
            self.make, self.domain = domain, None
            self._known: Domain | None = None
            self._given: tuple[Any, ...] = ()
        else:
            self.make, self.domain = None, domain

    def given(self, prefix: Sequence[Any]) -> Domain:
        """Return the field's domain for these values of the fields before it.

        The last one made is remembered: a value that was chosen from it is usually checked next.
        """
        if self.domain is not None:
            return self.domain
        assert self.make is not None
        values = tuple(prefix[: self.first])
        if self._known is None or self._given != values:
            self._known, self._given = self.make(*values), values
        return self._known

    def needs_more_than(self, number: int) -> bool:
        """Whether the domain depends on more than the first so many fields."""
        return self.domain is None and (self.first is None or self.first > number)


FieldMaker = Callable[[], tuple[Field, ...] | Refusal]


class Offer:
    """A described set of actions of one type."""

    __slots__ = ("_made", "act", "hint", "rule")

    @overload
    def __init__(self, act: type[Action], *fields: Field, rule: RuleId, hint: str = "") -> None: ...
    @overload
    def __init__(self, act: type[Action], make: FieldMaker | Refusal, /, *, rule: RuleId, hint: str = "") -> None: ...
    def __init__(self, act: type[Action], *fields: Any, rule: RuleId, hint: str = "") -> None:
        self.act = act
        self.rule = rule
        """The ledger id that a refusal cites when the domain has no more special one."""
        self.hint = hint
        """Picks another label than the verb's own in the text files."""
        self._made: tuple[Field, ...] | Refusal | FieldMaker
        self._made = fields if not fields or type(fields[0]) is Field else fields[0]

    def _look(self) -> tuple[Field, ...] | Refusal:
        """Return the fields, made now where nobody has looked before, or the rule that closes the offer."""
        made = self._made
        if callable(made):
            made = self._made = made()
        return made

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of its actions; none where a rule closes it."""
        made = self._look()
        return () if isinstance(made, Refusal) else made

    @property
    def closed(self) -> Refusal | None:
        """The rule that closes the offer for now, if one does."""
        made = self._look()
        return made if isinstance(made, Refusal) else None

    def gesture(self) -> Gesture:
        """Return how a hand plays it, as its fields show: first a unit, then a place."""
        fields = self.fields
        if len(fields) > 1 and fields[0].kind == "unit" and fields[1].kind in ("space", "path"):
            return Gesture(fields[0].name, fields[1].name)
        return Gesture()

    @property
    def verb(self) -> str:
        """The tag of its actions."""
        return str(self.act.__struct_config__.tag)

    def __repr__(self) -> str:
        return f"{self.verb}({', '.join(field.name for field in self.fields)})" + (" closed" if self.closed else "")

    def __iter__(self) -> Iterator[Action]:
        return iter(()) if self.closed else self._from([], 0)

    def _from(self, prefix: list[Any], depth: int) -> Iterator[Action]:
        fields = self.fields
        if not fields:
            yield self.act()
        elif depth + 1 == len(fields):
            for value in fields[depth].given(prefix):
                yield self.act(*prefix, value)
        else:
            for value in fields[depth].given(prefix):
                yield from self._from([*prefix, value], depth + 1)

    def __len__(self) -> int:
        return 0 if self.closed else self._count([], 0)

    def _count(self, prefix: list[Any], depth: int) -> int:
        if depth == len(self.fields):
            return 1
        domain = self.fields[depth].given(prefix)
        rest = self.fields[depth + 1 :]
        if not any(field.needs_more_than(depth) for field in rest):
            total = len(domain)
            for field in rest:
                total *= len(field.given(prefix))
            return total
        return sum(self._count([*prefix, value], depth + 1) for value in domain)

    def __contains__(self, action: object) -> bool:
        return isinstance(action, Action) and self.refuse(action) is None

    def __bool__(self) -> bool:
        """Whether there is anything to choose."""
        return next(iter(self), None) is not None

    def refuse(self, action: Action) -> Refusal | None:
        """Return the rule that forbids the action; None where it is in the set."""
        if type(action) is not self.act:
            return Refusal(self.rule, "sandtable-other-action", verb=self.verb)
        return self.refuse_at(action)[0]

    def refuse_at(self, action: Action) -> tuple[Refusal | None, int]:
        """Return the refusal and how many fields were in order before it."""
        fields = self._look()
        if isinstance(fields, Refusal):
            return fields, 0
        prefix: list[Any] = []
        for place, field in enumerate(fields):
            value = getattr(action, field.name)
            domain = field.given(prefix)
            if value not in domain:
                found = domain.why(value)
                if found is None:
                    found = Refusal(self.rule, "sandtable-not-available", field=field.name, value=_plain(value))
                return found, place
            prefix.append(value)
        return None, len(fields)

    def sample(self, rng: Random) -> Action:
        """Draw one action, field by field (not every action is equally likely)."""
        fields = self._made
        if callable(fields):
            fields = self._look()
        if isinstance(fields, Refusal):
            raise NothingToChoose(fields)
        if not fields:
            return self.act()
        for _ in range(_TRIES):
            prefix: list[Any] = []
            try:
                for field in fields:
                    domain, make = field.domain, field.make
                    if make is not None:  # not remembered: what was drawn is not checked again
                        domain = make(*prefix) if field.first is None else make(*prefix[: field.first])
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
        """Return, for the client, the verb, its fields, and the domain of the next field after `prefix`."""
        fields = self.fields
        out: dict[str, Any] = {
            "verb": self.verb,
            "rule": self.rule,
            "fields": [{"name": field.name, "kind": field.kind} for field in fields],
        }
        if self.hint:
            out["hint"] = self.hint
        if self.closed is not None:
            out["actions"] = []
        elif len(prefix) < len(fields):
            out["next"] = fields[len(prefix)].given(list(prefix)).describe()
        return out


class Choices(Offer):
    """An offer that lists its actions one by one, all of one type."""

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

    def __repr__(self) -> str:
        return f"{len(self.actions)} x {self.verb}"

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


class Offers:
    """All offers of one role: itself iterable, countable, sampleable, and able to say why not."""

    __slots__ = ("_allowed", "_by_act", "empty", "offers", "rule")

    def __init__(self, offers: Iterable[Offer], rule: RuleId, *, empty: str = "") -> None:
        self.offers = tuple(offers)
        self.rule = rule
        """What is going on: cited when an action of another kind is tried."""
        self.empty = empty
        """Why there are no offers, in words for a programmer."""
        self._by_act: dict[type[Action], list[Offer]] | None = None
        self._allowed: Action | None = None
        """The action that `sample` drew or `refuse` let pass last."""

    def __repr__(self) -> str:
        """The kinds of action in one line; `list(offers)` lists the actions, `offers.sample(rng)` draws one."""
        return f"<Offers: {', '.join(map(repr, self.offers)) or self.empty}>"

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
        """Return the rule that forbids the action; None where it may be done.

        An action that was just drawn from these offers, or just allowed, needs no second look.
        """
        if action is self._allowed:
            return None
        found = self.check(action)
        if found is None:
            self._allowed = action
        return found

    def check(self, action: Action) -> Refusal | None:
        """Do the same field by field, wherever the action comes from."""
        found = self._of(type(action))
        if not found:
            return Refusal(self.rule, "sandtable-not-now", verb=_tag(action))
        if not is_shaped(action):
            return Refusal(found[0].rule, "sandtable-malformed", verb=_tag(action))
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
        """Draw one action: first a kind of thing to do, then one of its actions."""
        offers, left = self.offers, None
        number = len(offers)
        while number:
            place = int(rng.random() * number)
            try:
                self._allowed = offers[place if left is None else left[place]].sample(rng)
                return self._allowed
            except NothingToChoose:
                left = list(range(number)) if left is None else left
                del left[place]
                number -= 1
        raise NothingToChoose(self.empty or f"none of {len(offers)} offers has an action in it")

    def drawn(self, action: Action) -> Action:
        """Note that this action was taken out of these offers, as `sample` does: it needs no second look."""
        self._allowed = action
        return action

    def describe(self) -> list[dict[str, Any]]:
        return [offer.describe() for offer in self.offers]


def is_shaped(action: Action) -> bool:
    """Whether every field of an action has the type it declares: Python takes 1.0 and True for 1, a match file not."""
    try:
        _reader(type(action)).decode(_PACK.encode(action))
    except (msgspec.ValidationError, TypeError, OverflowError):
        return False
    return True


@cache
def _reader(act: type[Action]) -> msgspec.msgpack.Decoder[Action]:
    return msgspec.msgpack.Decoder(act)


_PACK = msgspec.msgpack.Encoder()


def _tag(action: Action) -> str:
    return str(action.__struct_config__.tag)


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, str)) else str(value)
