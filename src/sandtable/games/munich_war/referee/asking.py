"""Reading what the engine offers, and comparing its answers with one's own."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from sandtable.core import Action, Difference, Offers, RuleId

from ..model.atlas import ATLAS
from .position import UNITS


def given(offers: Offers, act: type[Action], *prefix: Any) -> list[Any]:
    """The values of the next field after the first ones of an action; none where it is not offered."""
    return [
        value
        for offer in offers[act]
        if offer.closed is None
        for value in offer.fields[len(prefix)].given(list(prefix))
    ]


def compare(what: str, rule: RuleId, engine: Collection[str], referee: Collection[str]) -> Iterator[Difference]:
    """The difference between two sets, told by what only one of them has."""
    mine, theirs = set(referee), set(engine)
    if mine != theirs:
        only_theirs, only_mine = (" ".join(sorted(one - other)) for one, other in ((theirs, mine), (mine, theirs)))
        yield Difference(what, rule, f"also {only_theirs or 'nothing'}", f"also {only_mine or 'nothing'}")


def hex_names(hexes: Collection[int]) -> list[str]:
    return [ATLAS.hex_name[at] for at in hexes]


def ids(numbers: Collection[int]) -> list[str]:
    return [UNITS[number].id for number in numbers]


def differ(what: str, rule: RuleId, engine: Any, referee: Any) -> Iterator[Difference]:
    if engine != referee:
        yield Difference(what, rule, str(engine), str(referee))
