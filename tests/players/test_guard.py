"""The guard: a plan is made again with orders to hold, until nothing lies open or the rounds are over."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.players.guard import guarded

THREAT = {"capital": 3, "port": 1}


def plan(orders: Mapping[str, int]) -> dict[str, int]:
    """Everybody attacks but who was ordered to hold."""
    return {place: orders.get(place, 0) for place in THREAT}


def test_what_lies_open_is_held_in_the_next_plan() -> None:
    made = guarded(plan, lambda found, _: {p: THREAT[p] for p in found if found[p] < THREAT[p]})
    assert made == THREAT


def test_a_plan_that_leaves_nothing_open_is_made_once() -> None:
    made = list[Mapping[str, int]]()

    def noted(orders: Mapping[str, int]) -> dict[str, int]:
        made.append(dict(orders))
        return plan(orders)

    guarded(noted, lambda found, _: {})
    assert made == [{}]


def test_a_risk_that_is_accepted_ends_the_rounds() -> None:
    """An answer that repeats its orders has nothing new to say; one that always finds more is stopped."""
    asked = 0

    def never_content(found: dict[str, int], orders: Mapping[str, int]) -> dict[str, int]:
        nonlocal asked
        asked += 1
        return {"capital": orders.get("capital", 0) + 1}

    assert guarded(plan, never_content, 4)["capital"] == 4
    assert asked == 4
    assert guarded(plan, lambda found, orders: {"capital": 1})["capital"] == 1
