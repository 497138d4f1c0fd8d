"""Stacking (chapter 9): the limits, and their enforcement at the end of Movement and Combat Phases."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core import Offer, OneOf, Refusal, Step
from sandtable.core.offers import Field

from ..facts.board import facts, hex_name
from ..model.actions import Disband, Done
from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.state import M
from .losses import eliminate

_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_MOBILE = tuple(unit.mobile for unit in ATLAS.units)
_ARMY = tuple(unit.army for unit in ATLAS.units)
_LIMITS = ATLAS.tables["stacking"]
_ARMIES, _OTHERS = int(_LIMITS["armies"]), int(_LIMITS["other_mobile"])
_IS_MARSH = [bool(ATLAS.marshes >> at & 1) for at in range(ATLAS.hex_count)]
_STATIC, _MARSH = int(_LIMITS["static"]), int(_LIMITS["marsh_total"])


def why_overstacked(units: Sequence[int], at: int) -> Refusal | None:
    """[mw-9.0-c] [mw-9.0-e] [mw-9.0-f] [mw-9.0-f-exception] [mw-2.5.3] The limit that these units break in a hex."""
    limit = breaks_limit(tuple(units), at)
    return Refusal(*limit, hex=hex_name(at)) if limit else None


def breaks_limit(units: tuple[int, ...], at: int) -> tuple[str, str] | None:
    """The rule that a stack breaks, and the word for it."""
    return _broken(units, _IS_MARSH[at])


@functools.lru_cache(maxsize=8192)
def _broken(units: tuple[int, ...], marsh: bool) -> tuple[str, str] | None:
    mobile = armies = 0
    nation, mixed = NOBODY, False
    for unit in units:
        if _MOBILE[unit]:
            mobile += 1
            armies += _ARMY[unit]
            country = _COUNTRY[unit]
            if country != nation:
                mixed = mixed or nation != NOBODY
                nation = country
    if marsh and len(units) > _MARSH:
        return "mw-9.0-f-exception", "marsh-stack"
    if len(units) - mobile > _STATIC:
        return "mw-9.0-f", "two-static"
    if mixed:
        return "mw-9.0-c", "other-nation"
    if armies and mobile > _ARMIES:
        return "mw-9.0-e", "army-stack"
    if mobile > _OTHERS:
        return "mw-9.0-e", "corps-stack"
    return None


def would_overstack(m: M, unit: int, at: int) -> Refusal | None:
    """The limit that breaks when the unit joins the hex's stack; an empty hex has room for any."""
    stack = facts(m).stacks.get(at)
    return None if stack is None else why_overstacked(_with(stack, unit), at)


def fits(m: M, unit: int, at: int) -> bool:
    """Whether the unit may join the hex's stack; an empty hex has room for any."""
    stack = facts(m).stacks.get(at)
    return stack is None or _broken(_with(stack, unit), _IS_MARSH[at]) is None


def _with(stack: tuple[int, ...], unit: int) -> tuple[int, ...]:
    return stack if unit in stack else (*stack, unit)


def overstacked(m: M, side: int) -> list[int]:
    """Hexes of a side that break a limit."""
    known = facts(m)
    stacks, overfull = known.stacks, known.overfull
    for at in known.restacked:
        if at in known.crowded and _broken(stacks[at], _IS_MARSH[at]):
            overfull.add(at)
        else:
            overfull.discard(at)
    known.restacked.clear()
    found = [at for at in overfull if m.state.side[_COUNTRY[stacks[at][0]]] == side] if overfull else []
    if len(found) > 1:
        # In the order of the countries, so that a match does not depend on who came first.
        found.sort(key=lambda at: min((_COUNTRY[unit], unit) for unit in stacks[at]))
    return found


def enforce(m: M, side: int) -> None:
    """[mw-9.1-a] The end of a phase: first the phasing player, then the other one, where there is anything to do."""
    m.replace(*(Overstack(who) for who in (side, 1 - side) if overstacked(m, who)))


class Overstack(Step, frozen=True, tag="mw.overstack"):
    """[mw-9.1-a] [mw-9.1-c] At the end of a Movement or Combat Phase the owner eliminates what is too many."""

    rule = "mw-9.1-c"
    side: int

    def run(self, m: M) -> None:
        if not overstacked(m, self.side):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        units = [ATLAS.units[unit].id for unit in self.excess(m)]
        if not units:  # a state made up from a view: the other player's stack is not what it seemed
            return [Offer(Done, rule="mw-9.1-c")]
        return [Offer(Disband, Field("unit", "unit", OneOf(units, why=self.why_not)), rule="mw-9.1-c")]

    def excess(self, m: M) -> list[int]:
        """Units of the overstacked hexes whose loss helps."""
        found = []
        for at in overstacked(m, self.side):
            stack = facts(m).stack(at)
            found += [unit for unit in stack if helps(stack, unit, at)]
        return found

    def why_not(self, unit: str) -> Refusal:
        return Refusal("mw-9.1-c", "not-overstacked", unit=unit)

    def take(self, m: M, role: str, action: Disband | Done) -> None:
        if isinstance(action, Disband):
            eliminate(m, ATLAS.unit_number[action.unit], "overstacked")
        m.replace(self)


def helps(stack: Sequence[int], unit: int, at: int) -> bool:
    """Whether taking a unit away brings a stack nearer to the limits: a fort does not pay for too many corps."""
    rest = tuple(other for other in stack if other != unit)
    return _too_many(rest, _IS_MARSH[at]) < _too_many(tuple(stack), _IS_MARSH[at])


@functools.lru_cache(maxsize=8192)
def _too_many(stack: tuple[int, ...], marsh: bool) -> int:
    """How many units must go, at the least."""
    faces = [ATLAS.units[unit] for unit in stack]
    mobile = [face for face in faces if face.mobile]
    nations: dict[int, list[int]] = {}
    for face in mobile:
        nations.setdefault(face.country, []).append(1 if face.army else 0)
    keep = max(
        (max(_ARMIES if any(sizes) else 0, min(_OTHERS, sizes.count(0)))
         for sizes in nations.values()), default=0,
    )  # fmt: skip
    static = len(faces) - len(mobile)
    if marsh:
        return max(0, len(faces) - _MARSH)
    return len(mobile) - keep + max(0, static - _STATIC)
