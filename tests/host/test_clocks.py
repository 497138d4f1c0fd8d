"""Clocks run while their role is asked; who misses a deadline is replaced until they are back."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import PLAN, World, play


async def all_planned(world: World, **wish: Any) -> Any:
    match, secrets, clients = await world.table(**wish)
    for client, role in zip(clients, ("red", "blue", "green"), strict=True):
        await client.act(role, PLAN)
    return match, secrets, clients


@pytest.mark.parametrize(
    ("clock", "left"),
    [({"kind": "budget", "seconds": 60, "increment": 5}, 65 - 7 + 5), ({"kind": "move", "seconds": 60}, 60)],
)
def test_a_clock_runs_while_its_role_is_asked_and_only_then(clock: dict[str, Any], left: float) -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, *_) = await all_planned(world, clock=clock)
        before = red.state["info"]["clock"]
        assert (before["since"]["red"], before["since"]["blue"]) == (1000.0, None)
        world.time += 7
        await red.act("red", {"do": "end-moves"})
        after = red.state["info"]["clock"]
        assert (after["since"]["red"], after["since"]["blue"], after["now"]) == (None, 1007.0, 1007.0)
        assert after["left"]["red"] == left
        assert after["left"]["green"] == before["left"]["green"]

    play(scene)


def test_a_missed_deadline_hands_the_seat_to_the_computer_until_its_owner_is_back() -> None:
    async def scene(world: World) -> None:
        match, secrets, (red, _blue, _green) = await world.table(clock={"kind": "move", "seconds": 60})
        world.time += 59
        await world.host.tick()
        assert red.state["info"]["number"] == 0
        world.time += 2
        await world.host.tick()
        assert all(seat["handed_over"] for seat in red.heard[-1]["seats"]) or red.state["info"]["number"] > 0
        await world.host.computers.idle()
        assert red.state["info"]["over"], "the computer plays all three to the end"
        assert all(seat["handed_over"] for seat in red.state["info"]["seats"])
        back = await world.join(match, secrets[0])
        assert not back.heard[-1]["seats"][0]["handed_over"]

    play(scene)


def test_the_computer_answers_until_a_person_is_asked() -> None:
    async def scene(world: World) -> None:
        machine = {"roles": ["blue", "green"], "kind": "computer", "level": "recruit"}
        _match, _secrets, (red,) = await world.table([{"roles": ["red"]}, machine])
        await world.host.computers.idle()
        assert red.state["info"]["number"] == 2
        await red.act("red", PLAN)
        await world.host.computers.idle()
        assert red.state["role"] == "red"
        assert red.state["offers"]

    play(scene)


@pytest.mark.parametrize("kind", ["budget", "move"])
def test_nothing_outside_the_game_touches_a_clock(kind: str) -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, *_) = await all_planned(world, clock={"kind": kind, "seconds": 60, "increment": 30})
        before = red.state["info"]["clock"]
        for n in range(20):
            world.time += 1
            await red.act("red", {"do": "draw", "agree": n % 2 == 0})
        world.time += 1
        await red.act("red", {"do": "order", "ask": [], "quiet_until": ""})
        after = red.state["info"]["clock"]
        assert (after["left"], after["since"]) == (before["left"], before["since"])

    play(scene)


@pytest.mark.parametrize("kind", ["budget", "move"])
def test_taking_back_gives_no_time(kind: str) -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, *_) = await all_planned(world, clock={"kind": kind, "seconds": 60, "increment": 30})
        clock = red.state["info"]["clock"]
        ends = clock["since"]["red"] + clock["left"]["red"]
        for _ in range(6):
            world.time += 3
            await red.act("red", {"do": "walk", "unit": "red-1", "path": ["Fordham"]})
            world.time += 1
            await red.act("red", {"do": "undo"})
        clock = red.state["info"]["clock"]
        assert clock["since"]["red"] + clock["left"]["red"] == pytest.approx(ends)

    play(scene)


@pytest.mark.parametrize(("kind", "seconds"), [("budget", 30.0), ("move", 60.0)])
def test_who_comes_back_after_their_time_has_time_to_go_on(kind: str, seconds: float) -> None:
    async def scene(world: World) -> None:
        match, secrets, _clients = await world.table(clock={"kind": kind, "seconds": 60})
        world.time += 61
        world.host.computers._is_closing = True  # nobody plays for them meanwhile
        await world.host.tick()
        back = await world.join(match, secrets[0])
        clock = back.state["info"]["clock"]
        assert clock["since"]["red"] + clock["left"]["red"] == world.time + seconds
        await world.host.tick()
        assert not back.heard[-1]["seats"][0]["handed_over"], "they are not thrown out again at once"

    play(scene)
