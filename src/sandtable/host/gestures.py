"""Many units in one gesture: where they can go, and the moves that take them there.

The Game says which field of an offer holds the units and which the place (`Game.gesture`). Everything else is asked of
the offer's own domains, so no rule is written here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from sandtable.core import Action, Domain, Gesture, Match, Odds, Offer, Refusal, ScriptedDice
from sandtable.core.dice import OutOfDice
from sandtable.odds.shown import shown

from . import messages as m
from .errors import NotFound, RefusedUnit

MOST_WAYS = 60
"""How many ways to one place are tried for a unit."""
Way = tuple[str, Any, list[Any]]
"""A place, what stands beside it (a cost), and the values of the fields up to the place."""


def gestures(match: Match[Any], role: str, index: int | None) -> list[tuple[int, Offer, Gesture]]:
    """Return the offers by which units can be sent to a place; of one offer or of all."""
    found = match.offers(role).offers
    if index is not None and index >= len(found):
        raise NotFound("there is no such offer")
    chosen = enumerate(found) if index is None else [(index, found[index])]
    told = [(number, offer, match.game.gesture(offer)) for number, offer in chosen]
    return [(number, offer, gesture) for number, offer, gesture in told if gesture.units and gesture.place]


def reach(match: Match[Any], wish: m.Reach) -> list[m.PlaceInfo]:
    """Return every place that one of the units can go to, with the units that can; all units where none are named."""
    places: dict[str, dict[str, m.WayInfo]] = {}
    for index, offer, gesture in gestures(match, wish.role, wish.index):
        for unit in wish.units or units_in(offer, gesture):
            for place, note, _ in ways(offer, gesture, unit):
                if not wish.to or place == wish.to:
                    places.setdefault(place, {}).setdefault(unit, m.WayInfo(unit, index, note))
    return [m.PlaceInfo(place, list(found.values())) for place, found in places.items()]


def units_in(offer: Offer, gesture: Gesture) -> list[str]:
    """Return the units that an offer speaks of."""
    fields = offer.fields
    depth = [field.name for field in fields].index(gesture.units)
    if fields[depth].kind == "unit":
        return [str(unit) for unit in fields[0].given([])] if depth == 0 else []
    found = [_items(fields[depth].given(prefix)) for prefix in _starts(offer, depth)]
    return list(dict.fromkeys(unit for items in found for unit in items))


def _starts(offer: Offer, depth: int) -> Iterator[list[Any]]:
    """The first values of an offer, as many as the units depend on."""
    first = offer.fields[depth].first
    if first is not None and first < depth:
        for value in offer.fields[0].given([]):
            yield [value]
    else:
        yield []


def ways(offer: Offer, gesture: Gesture, unit: str) -> Iterator[Way]:
    """Where a unit can go by this offer, and how: the values of the fields up to the place."""
    fields = offer.fields
    names = [field.name for field in fields]
    aim, who = names.index(gesture.place), names.index(gesture.units)

    def walk(prefix: list[Any]) -> Iterator[Way]:
        depth = len(prefix)
        domain = fields[depth].given(prefix)
        if depth == aim:
            for place, note, value in _ends(domain):
                yield place, note, [*prefix, value]
        elif depth == who:
            if unit in domain:
                yield from walk([*prefix, unit])
        else:
            for value in domain:
                if who < aim or unit in _items(fields[who].given([*prefix, value])):
                    yield from walk([*prefix, value])

    if fields[who].kind == "unit" and who > aim:
        return
    yield from walk([])


def _ends(domain: Domain) -> Iterator[tuple[str, Any, Any]]:
    """The places in a domain, with what stands beside each and the value that leads there."""
    told = domain.describe()
    if "paths" in told:
        for path in told["paths"]:
            yield (path[-1] if path else told.get("start", "")), None, tuple(path)
    elif told["type"] == "walk":
        for path in domain:
            yield path[-1], None, path
    else:
        notes = dict(zip(told["values"], told.get("notes") or (), strict=False))
        for value in domain:
            if isinstance(value, str):
                yield value, notes.get(value), value


def _items(domain: Domain) -> Sequence[str]:
    return list(domain.describe().get("values", ()))


def weigh(match: Match[Any], wish: m.Weigh) -> Odds | None:
    """Return the odds of what the units would start together: of the last move, or of the first one that rolls dice.

    They go there in a match as the role may know it, so that nothing hidden comes out on the way. Raises the refusal of
    the first unit that cannot go there.
    """
    twin = match.determinize(wish.role, Random(f"{match.number} {wish.role}"))
    twin.play.dice = ScriptedDice([])
    before, last = twin, None
    for action in send(twin, wish):
        before, last = twin.clone(), action
        try:
            twin.apply(wish.role, action)
        except OutOfDice:
            break
    return None if last is None else shown(before, wish.role, last)


def send(match: Match[Any], wish: m.SendTo | m.Weigh) -> Iterator[Action]:
    """Yield the moves that take the units to the place, each made for the position after those before it.

    Raises the refusal of the first unit that cannot go there.
    """
    left = list(dict.fromkeys(wish.units))
    while left:
        action = _first_move(match, wish, left)
        going = [unit for unit in left if _names(action, unit)]
        left = [unit for unit in left if unit not in going]
        yield action


def _first_move(match: Match[Any], wish: m.SendTo | m.Weigh, units: list[str]) -> Action:
    """Return a move that takes the first of the units to the place, and others with it where they go together."""
    unit, refusal = units[0], None
    for _, offer, gesture in gestures(match, wish.role, wish.index):
        together = [field.kind for field in offer.fields if field.name == gesture.units] == ["units"]
        near = [prefix for place, _, prefix in ways(offer, gesture, unit) if place == wish.to]
        for prefix in near[:MOST_WAYS]:
            for action in islice(_completed(offer, prefix, units if together else None), MOST_WAYS):
                refusal = match.why_not(wish.role, action)
                if refusal is None:
                    return action
    raise RefusedUnit(unit, refusal or _why_not(match, wish, unit))


def _completed(offer: Offer, prefix: list[Any], together: list[str] | None) -> Iterator[Action]:
    """The actions that begin with these values; all units that can go together do."""
    fields, depth = offer.fields, len(prefix)
    if depth == len(fields):
        yield offer.act(*prefix)
    elif together is not None and fields[depth].kind == "units":
        given = _items(fields[depth].given(prefix))
        yield from _completed(offer, [*prefix, tuple([unit for unit in given if unit in together])], None)
    else:
        for value in fields[depth].given(prefix):
            yield from _completed(offer, [*prefix, value], together)


def _why_not(match: Match[Any], wish: m.SendTo | m.Weigh, unit: str) -> Refusal:
    """Return the rule that keeps a unit from a place: of the offer that comes nearest to it."""
    best: tuple[int, Refusal] | None = None
    for _, offer, gesture in gestures(match, wish.role, wish.index):
        first = offer.fields[0]
        if first.name != gesture.units:
            continue
        domain, depth = first.given([]), 0
        found = domain.why(unit)
        if unit in domain:
            domain, depth = offer.fields[1].given([unit]), 1
            found = domain.why((wish.to,) if offer.fields[1].kind == "path" else wish.to)
        found = found or Refusal(offer.rule, "sandtable-not-available", field=gesture.place, value=wish.to)
        if best is None or depth > best[0]:
            best = (depth, found)
    return best[1] if best else Refusal(match.offers(wish.role).rule, "sandtable-not-now", verb="send")


def _names(action: Action, unit: str) -> bool:
    values = [getattr(action, name) for name in action.__struct_fields__]
    return any(value == unit or (isinstance(value, tuple) and unit in value) for value in values)
