"""Spending by the rulebook: what may be built, repaired, fortified and lent, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core import Difference, Offer

from ..model.atlas import ALLIES, AMPH, ATLAS, AXIS, INF, MECH, PARA, SOVIET
from ..model.technology import ITEM, ITEMS
from .board import FRANCE, HOME_LANDS, SIBERIA, US, YELLOW, Board, army, differs, lands

_BASIC = {"infantry": 2, "mechanized": 5, "amphibious": 6, "fort": 5}
"""Prices of the basic chart (424, 568, 682); Campaign Game II has its own."""


def sixths(board: Board, item: str) -> int:
    """The price of an item in sixths of a point."""
    s = board.s
    return s.price[s.side * len(ITEMS) + ITEM[item]] if s.scenario == "campaign-2" else 6 * _BASIC.get(item, 99)


def _afford(board: Board, item: str) -> int:
    each = sixths(board, item)
    return board.s.budget * 6 // each if each else 0


def _italian_need(board: Board) -> dict[str, int]:
    """What Italy's force lacks of five infantry and one mechanized (1417)."""
    s = board.s
    if s.side != AXIS or not s.options.get("italian_army") or s.italy != 1:
        return {}
    there = [a for a in board.armies(AXIS) if s.army_at[a] in YELLOW or army(a) == "Italian Army"]
    lack = {
        "infantry": 5 - sum(board.row(a)[INF] for a in there),
        "mechanized": 1 - sum(board.row(a)[MECH] for a in there),
    }
    return {kind: number for kind, number in lack.items() if number > 0}


def check_build(board: Board, offer: Offer) -> Iterator[Difference]:
    """New points appear in producing hexes of the home countries, under ten, the first American ones at home."""
    s, side = board.s, board.s.side
    need = _italian_need(board)
    kind_field, at_field, army_field, number_field = offer.fields
    kinds = set(kind_field.given([]))
    allowed = {"infantry", "mechanized"}
    if s.scenario != "barbarossa":
        allowed.add("amphibious")
    if s.scenario == "campaign-2":
        allowed |= {"tac_air", "paratroop"}
    mine = {kind for kind in allowed if _afford(board, kind)}
    if not need:
        yield from differs("what may be built", "hw-build-1", kinds, mine)
    owes = (
        s.scenario == "campaign-2" and side == ALLIES and s.america and s.owner[US] == ALLIES and s.american_builds < 6
    )
    for kind in sorted(kinds):
        bases = set()
        for space in YELLOW if kind in need else lands(*HOME_LANDS[side]):
            producing = kind in need or board.healthy(space) > 0
            roomy = kind == "tac_air" or ATLAS.is_box[space] or board.crowd(space) < 10
            taker = -1 in s.army_at[side * 12 : side * 12 + 12] or any(
                s.army_at[a] == space and not _mixes(board, a, kind) and not s.idle[a] for a in board.armies(side)
            )
            if s.owner[space] == side and producing and roomy and taker and not (owes and space != US):
                bases.add(ATLAS.names[space])
        told = set(at_field.given([kind]))
        yield from differs(f"where {kind} may appear", "hw-build-3", told, bases)
        for at in sorted(told)[:2]:
            space = ATLAS.index[at]
            most = _afford(board, kind)
            if kind != "tac_air" and not ATLAS.is_box[space]:
                most = min(most, 10 - board.crowd(space))
            most = min(most, need.get(kind, most))
            takers = list(army_field.given([kind, at]))
            if takers:
                given = number_field.given([kind, at, takers[0]])
                yield from differs(f"how many {kind} may be built in {at}", "hw-build-2", max(given), most)


def _mixes(board: Board, a: int, kind: str) -> bool:
    row = board.row(a)
    return (kind == "paratroop" and row[AMPH] > 0) or (kind == "amphibious" and row[PARA] > 0)


def check_repair(board: Board, offer: Offer) -> Iterator[Difference]:
    """Three points a piece, in supply; Vichy's three and four of Siberia's are not for the Axis (436-440, 923, 969)."""
    s, side = board.s, board.s.side
    cut = board.unsupplied(side)
    french = 4 - sum(max(0, board.healthy(x)) for x in FRANCE if s.owner[x] == AXIS)
    places = {}
    for space, points in s.devastated.items():
        most = min(points, s.budget // 3)
        if side == AXIS and space == SIBERIA:
            most = min(most, 8 - board.healthy(space))
        if side == AXIS and space in FRANCE and s.setting.politics:
            most = min(most, french)
        if s.owner[space] == side and space not in cut and most > 0:
            places[ATLAS.names[space]] = most
    told = set(offer.fields[0].given([]))
    yield from differs("what may be repaired", "hw-repair-2", told, set(places))
    for at in sorted(told):
        given = offer.fields[1].given([at])
        yield from differs(f"how much may be repaired in {at}", "hw-repair-2", max(given), places[at])


def check_fortify(board: Board, offer: Offer) -> Iterator[Difference]:
    """Any friendly hex, seven forts a side, none in France before Winter 1940 (684-686, 977)."""
    s, side = board.s, board.s.side
    forts = {x for x in (*s.fort, *s.building) if s.owner[x] == side}
    mine = set()
    for space in ATLAS.land:
        early = s.setting.politics and space in FRANCE and s.turn < ATLAS.turn_number["Winter 1940"]
        full = s.fort.get(space, 0) + s.building.get(space, 0) >= 10 or (space not in forts and len(forts) >= 7)
        if s.owner[space] == side and not ATLAS.is_box[space] and not early and not full:
            mine.add(ATLAS.names[space])
    yield from differs("where forts may be built", "hw-fort-2", set(offer.fields[0].given([])), mine)


def check_lend(board: Board, offer: Offer) -> Iterator[Difference]:
    """Two points for each friendly depot (717-719)."""
    s = board.s
    depots = sum(s.owner[ATLAS.index[x]] == SOVIET for x in ("U18", "M20"))
    most = min(2 * depots - s.lent, s.budget)
    yield from differs("how much may be lent", "hw-lend-2", max(offer.fields[0].given([])), most)
