"""What a decision did: movement, fire, losses, supply, income, spending, control and victory points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from sandtable.core import Action, Difference, Event, Role

from ..model import actions as act
from ..model import events as ev
from ..model.atlas import ALLIES, ATLAS, AXIS, CONVOY, MAJORS, SUB
from ..model.state import OUT, BKState
from .battle import knows, may_stand, strength
from .board import Board
from .economy import bombed, raided, victory_points
from .standing import tag_of

A = ATLAS
_UPHEAVALS = (
    ev.Lost, ev.Conquered, ev.Surrendered, ev.CardPlayed, ev.Placed, ev.Built, ev.Joined, ev.VichyInstalled, ev.Changed,
    ev.Repaired,
)  # fmt: skip
"""What takes units away or brings them otherwise than by hits."""


def check_deed(
    before: BKState, role: Role, action: Action, after: BKState, events: Sequence[Event]
) -> Iterator[Difference]:
    yield from _fire(before, action, events)
    yield from _losses(before, after, events)
    yield from _searches(before, action, events)
    yield from _money(before, role, action, after)
    yield from _income(before, after, events)
    yield from _control(before, action, after, events)
    yield from _supply(before, after)
    for event in events:
        if isinstance(event, ev.Points) and not any(isinstance(other, ev.CardPlayed) for other in events):
            board = Board(before)  # the turn may have gone on since: nothing on the map changes in production
            counted = victory_points(board, AXIS), victory_points(board, ALLIES)
            if counted != (event.axis, event.allies):
                told = f"{event.axis} and {event.allies}"
                yield Difference("the victory points", "bg-8.5-economic", told, f"{counted[0]} and {counted[1]}")
        elif isinstance(event, ev.ResearchRolled) and event.success != (event.die <= event.numbers):
            yield Difference("a research roll", "bg-7.5-roll", str(event.success), str(not event.success))


# ---- battles ------------------------------------------------------------------------------------------------------
def _fire(before: BKState, action: Action, events: Sequence[Event]) -> Iterator[Difference]:
    """Every die hits that is not above the strength. The first volley's strengths follow from the chart."""
    for event in events:
        if isinstance(event, ev.Fired):
            hits = sum(die <= event.strength for die in event.dice)
            if hits != event.hits:
                yield Difference(f"the hits of {event.unit}", "bg-6.5.1-hit", str(event.hits), str(hits))
    battle = before.battle
    if battle is None or not isinstance(action, act.Ready) or not before.advanced:
        return
    board = Board(before)
    expected: dict[str, list[tuple[int, int]]] = {}
    for unit in (*battle.attackers, *battle.defenders):
        shots = A.shots[unit] * (2 if battle.kamikaze and A.is_air[unit] else 1)
        for aim in may_stand(battle, unit):
            expected.setdefault(f"@{A.kind_of_unit[unit].id}", []).append((strength(board, battle, unit, aim), shots))
    fired: Counter[str] = Counter()
    for event in events:
        if isinstance(event, (ev.Hit, ev.BattleEnded)):
            break  # what follows is fired by others than those who stood there
        if isinstance(event, ev.Fired) and event.unit in expected:
            fired[event.unit] += 1
            fits = [shots for value, shots in expected[event.unit] if value == event.strength]
            if not fits or len(event.dice) > max(fits):
                told = f"{event.strength} with {len(event.dice)} dice"
                wanted = " or ".join(f"{v} with {n}" for v, n in expected[event.unit])
                yield Difference(
                    f"what {event.unit} fires at in {A.space_ids[battle.space]}", "bg-6.5.3-mod-order", told, wanted
                )


def _steps(state: BKState, unit: int) -> int:
    """The hits a unit can still take: HQs and those without a back one, reduced ones one, others two."""
    if state.place[unit] < 0:
        return 0
    return 1 if state.flipped[unit] or A.back[unit] < 0 else 2


def _losses(before: BKState, after: BKState, events: Sequence[Event]) -> Iterator[Difference]:
    if any(isinstance(event, _UPHEAVALS) for event in events):
        return
    hits = sum(isinstance(event, ev.Hit) for event in events)
    taken = sum(_steps(before, u) - _steps(after, u) for u in range(A.units))
    if hits != taken:
        yield Difference("the steps lost", "bg-6.5.7-two-hits", str(taken), f"{hits} by as many hits")


def _searches(before: BKState, action: Action, events: Sequence[Event]) -> Iterator[Difference]:
    """6.4.3 E: the best column among those who search; here for a group that sails on."""
    for event in events:
        if isinstance(event, ev.Searched) and event.found != (event.total <= event.number):
            yield Difference("a search", "bg-6.4.3e-roll", str(event.found), str(not event.found))
    first = next((event for event in events if isinstance(event, ev.Searched)), None)
    if first is None or not isinstance(action, act.Sail) or tag_of(before) != "bg.group":
        return
    board, step = Board(before), _top(before)
    zone = before.place[step.ships[0]]
    targets = {A.type[u] for u in step.ships}
    over = [u for u, target in enumerate(before.mission) if target == zone]
    best = 0
    for unit in (*board.at[zone], *over):
        if not any(board.fights(board.nation(unit), board.nation(u)) for u in step.ships):
            continue
        kind = A.type[unit]
        if targets == {SUB}:
            column = "" if kind == SUB else "ships_search_subs"
        else:
            column = {CONVOY: "ships_search_ships", SUB: "subs_search_ships"}.get(kind, "cv_air_search_ships")
        if column:
            row = A.search[column]
            number = int(row["bad" if before.bad[A.map[zone]] else "good"])
            number += sum(more for what, more in row["bonus"].items() if knows(board, unit, what))
            best = max(best, number)
    if best != first.number:
        yield Difference(f"the search in {A.space_ids[zone]}", "bg-6.4.3e-one-roll", str(first.number), str(best))


def _top(state: BKState) -> Any:
    return state.stack[-1]


# ---- money --------------------------------------------------------------------------------------------------------
def _money(before: BKState, role: Role, action: Action, after: BKState) -> Iterator[Difference]:
    """What something costs, and when it arrives (7.4-7.6)."""
    major = MAJORS.index(role)
    cost = -1
    if isinstance(action, act.Build):
        kind = A.kind_ids[action.kind]
        cost = kind.cost
        built = [u for u in kind.units if before.place[u] != after.place[u]]
        due = [after.due[u] for u in built]
        if tag_of(before) == tag_of(after) and due != [before.turn + kind.build_quarters]:
            yield Difference(f"when {kind.id} arrives", "bg-7.6.6-durations", str(due), str(kind.build_quarters))
    elif isinstance(action, act.Repair):
        unit = A.unit_of[action.unit]
        step = A.front[unit] - A.back[unit]
        by_type = {SUB: 1, CONVOY: 2}
        land = A.is_land[unit] and A.shots[unit] == 1
        cost = by_type.get(A.type[unit], step if land else 2 * step)
    elif isinstance(action, act.BuyNumber):
        cost = int(A.research["price_per_number"])
    elif isinstance(action, act.Buy):
        cost = A.card_cost[A.card_of[action.card]]
    same_step = tag_of(before) == tag_of(after)
    if cost >= 0 and same_step and before.points[major] - after.points[major] != cost:
        paid = before.points[major] - after.points[major]
        yield Difference(f"what {role} pays for {action}", "bg-7.6-potential", str(paid), str(cost))


def _income(before: BKState, after: BKState, events: Sequence[Event]) -> Iterator[Difference]:
    told = [event for event in events if isinstance(event, ev.Income)]
    if not told or tag_of(after) not in ("bg.cards", "bg.production", "bg.lend-lease"):
        return
    board = Board(after)
    for event in told:
        major = MAJORS.index(event.country[1:])
        lost = min(after.production[major], raided(board, major) + bombed(board, major))
        points = after.production[major] - lost + before.saved[major]
        if (event.points, event.lost) != (points, lost):
            engine, referee = f"{event.points}, {event.lost} lost", f"{points}, {lost} lost"
            yield Difference(f"the income of {MAJORS[major]}", "bg-7.3-income", engine, referee)


# ---- control and supply -------------------------------------------------------------------------------------------
def _control(before: BKState, action: Action, after: BKState, events: Sequence[Event]) -> Iterator[Difference]:
    """6.8: by force an area goes to whose land units are there alone; partisans and Japan in Indochine raise flags."""
    if isinstance(action, act.Raise) or any(
        isinstance(event, (*_UPHEAVALS, ev.PactCarriedOut, ev.TurnBegan, ev.Freed)) for event in events
    ):
        return
    board = Board(after)
    marches = [event for event in events if isinstance(event, ev.Moved)]
    passed = {A.space_of[event.space[1:]] for event in marches}
    for event in marches:  # armor takes the empty area that it passes
        here, there = (A.land_next[A.space_of[end[1:]]] for end in (event.origin, event.space))
        passed |= set(here) & set(there)
    for area in A.land:
        if before.control[area] == after.control[area]:
            continue
        side = after.side[after.control[area]]
        there = [u for u in board.at[area] if A.is_land[u]]
        alone = there and all(board.side(u) == side for u in there)
        if not alone and area not in passed:
            holder = A.nation_ids[after.control[area]]
            yield Difference(f"who holds {A.space_ids[area]}", "bg-6.8-change", holder, "no land units took it")


def _supply(before: BKState, after: BKState) -> Iterator[Difference]:
    """6.1 and 6.6: who is out of supply when an action segment or the exploitation phase has just begun."""
    if tag_of(after) != "bg.phase" or not after.advanced:
        return
    fresh = (before.turn, before.phasing, before.second) != (after.turn, after.phasing, after.second)
    starts = _top(after).name == "exploit" and not before.exploiting
    if not (fresh and not after.exploiting) and not starts:
        return
    board = Board(after)

    engine = {u for u, flags in enumerate(after.flags) if flags & OUT and after.place[u] >= 0}
    referee = board.out_of_supply()
    if engine != referee:
        unit = min(engine ^ referee)
        told = ("out of supply", "in supply")
        where = f"{A.unit_ids[unit]} in {A.space_ids[after.place[unit]]}"
        yield Difference(f"the supply of {where}", "bg-6.1-out", told[unit not in engine], told[unit not in referee])
