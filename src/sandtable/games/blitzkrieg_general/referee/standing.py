"""Where everybody stands, and what every flag shows."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core import Difference

from ..model.atlas import ATLAS, BE, MAJORS
from ..model.state import AT_WAR, STATIONED
from .board import Board
from .economy import flags

A = ATLAS
_QUIET = ("bg.cards", "bg.research", "bg.production", "bg.lend-lease")
"""Steps of the turn end, when every battle is over and every conquest counted."""


def tag_of(state: object) -> str:
    """The tag of the step that asks now."""
    stack = getattr(state, "stack", ())
    return str(stack[-1].__struct_config__.tag) if stack else ""


def check_position(board: Board) -> Iterator[Difference]:
    yield from _flags(board)
    yield from _stacks(board)
    if tag_of(board.s) in _QUIET:
        yield from _quiet(board)


def _flags(board: Board) -> Iterator[Difference]:
    for major, points in enumerate(flags(board)):
        if points != board.s.production[major]:
            shown = str(board.s.production[major])
            yield Difference(f"the production flag of {MAJORS[major]}", "bg-6.8-production", shown, str(points))


def _stacks(board: Board) -> Iterator[Difference]:
    s = board.s
    if not s.advanced:
        return
    for space in A.land:
        limit = A.stack_limit[space] or A.desert_limit[space]
        if not limit:
            continue
        rule = "bg-1.1-stack-limit" if A.stack_limit[space] else "bg-1.2-desert"
        for side in (0, 1):
            there = [u for u in board.at[space] if board.side(u) == side and not A.is_hq[u]]
            land = [u for u in there if A.is_land[u]]
            planes = [u for u in there if A.is_air[u]] if A.stack_limit[space] else []
            if max(len(land), len(planes)) > limit:
                units = ", ".join(A.unit_ids[u] for u in there)
                yield Difference(f"who of a side is in {A.space_ids[space]}", rule, units, f"{limit} of an arm")


def _quiet(board: Board) -> Iterator[Difference]:
    s = board.s
    for unit, place in enumerate(s.place):
        if place < 0 or A.is_ship[unit] or s.carrier[unit] >= 0 or s.flags[unit] & STATIONED:
            continue
        nation = s.nation[unit]
        if not board.friendly(nation, place) or board.enemies(nation, place):
            what = f"whether {A.unit_ids[unit]} stands on friendly ground"
            yield Difference(what, "bg-6.8-no-mixing-land", f"in {A.space_ids[place]}", "no")
        if s.mission[unit] >= 0:
            yield Difference(f"where {A.unit_ids[unit]} is", "bg-6.4.1-air-return", "on a mission", "at home")
    for nation, standing in enumerate(s.standing):
        homes = A.homes[nation]
        if standing != AT_WAR or not homes or nation == BE:
            continue
        holders = [s.control[home] for home in homes]
        if all(s.side[n] not in (-1, s.side[nation]) and s.standing[n] == AT_WAR for n in holders):
            name = A.nation_ids[nation]
            yield Difference(f"whether {name} is conquered", "bg-7.1-major", "no", "all its home is in enemy hands")
