"""Many units in one gesture: one message, all or nothing, one step of undo."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import World, play


async def at_the_march(world: World) -> Any:
    """A player of Germany in Blitzkrieg General who may march."""
    wish = {"game": "blitzkrieg-general", "scenario": "1939-basic"}
    _, secrets = await world.create([], **wish)
    client = await world.join(_, secrets[0])
    for _ in range(40):
        if any(offer["verb"] == "march" for offer in client.state["offers"]):
            return client
        done = next(o for o in client.state["offers"] if o.get("gesture", {}).get("ends"))
        await client.act(client.state["role"], {"do": done["verb"]})
    raise AssertionError("nobody marches")


async def reach(client: Any, **wish: Any) -> dict[str, list[str]]:
    answer = await client.ask("reach", role=client.state["role"], **wish)
    return {place["place"]: [way["unit"] for way in place["ways"]] for place in answer["value"]}


def where(client: Any) -> dict[str, str]:
    return {one["id"]: at for at, stack in client.state["table"]["stacks"].items() for one in stack}


def test_many_units_go_in_one_message_and_come_back_in_one() -> None:
    async def scene(world: World) -> None:
        client = await at_the_march(world)
        before, number, undo = where(client), client.state["info"]["number"], client.state["undo"]
        place, units = max((await reach(client)).items(), key=lambda one: len(one[1]))
        assert len(units) >= 3
        assert set(await reach(client, units=units[:3])) >= {place}
        wish = {"role": client.state["role"], "answers": number}
        answer = await client.ask("send", units=units[:3], to=place, **wish)
        assert answer["type"] == "state"
        assert (answer["acted"], answer["undo"], answer["undo_step"]) == (number + 3, undo + 3, 3)
        assert {where(client)[unit] for unit in units[:3]} == {place}
        back = [{"do": "undo"}] * answer["undo_step"]
        answer = await client.ask("act-all", role=wish["role"], actions=back, answers=number + 3)
        assert answer["undo"] == undo
        assert where(client) == before

    play(scene)


def test_units_that_go_together_are_weighed_together() -> None:
    """The odds before they are sent are those that the last of them has when the others are there."""

    async def scene(world: World) -> None:
        client = await at_the_march(world)
        role = client.state["role"]
        places = [(at, units) for at, units in (await reach(client)).items() if len(units) >= 2]
        chances = {}
        for at, units in places:
            one = (await client.ask("weigh", role=role, units=units[:1], to=at))["value"]
            both = (await client.ask("weigh", role=role, units=units[:2], to=at))["value"]
            assert (both is None) == (one is None)
            if both is not None:
                chances[at] = (one["success"], both["success"])
        assert chances, "nobody can attack"
        assert all(one < both for one, both in chances.values())
        at, units = next(one for one in places if one[0] in chances)
        number = client.state["info"]["number"]
        await client.ask("send", role=role, units=units[:1], to=at, answers=number)
        last = (await client.ask("weigh", role=role, units=units[1:2], to=at))["value"]
        assert last["success"] == pytest.approx(chances[at][1])
        assert client.state["info"]["number"] == number + 1
        answer = await client.ask("weigh", role=role, units=["nobody"], to=at)
        assert answer["type"] == "error"

    play(scene)


def test_one_that_cannot_go_keeps_all_of_them_and_is_named() -> None:
    async def scene(world: World) -> None:
        client = await at_the_march(world)
        places = await reach(client)
        place, units = next(
            (at, units) for at, units in places.items() if len(units) < len(set().union(*places.values()))
        )
        stranger = next(unit for found in places.values() for unit in found if unit not in units)
        before, number = where(client), client.state["info"]["number"]
        wish = {"role": client.state["role"], "answers": number}
        answer = await client.ask("send", units=[units[0], stranger], to=place, **wish)
        assert answer["type"] == "error"
        assert answer["status"] == 422
        assert answer["error"]["unit"] == stranger
        assert answer["error"]["rule"].startswith("bg-")
        await client.ask("look")
        assert where(client) == before
        assert client.state["info"]["number"] == number
        kept = await world.storage.tail(client.state["info"]["match"])
        assert len(kept) == number

    play(scene)


def test_a_gesture_sent_twice_is_made_once() -> None:
    async def scene(world: World) -> None:
        client = await at_the_march(world)
        number = client.state["info"]["number"]
        place, units = max((await reach(client)).items(), key=lambda one: len(one[1]))
        wish = {"role": client.state["role"], "units": units[:2], "to": place, "answers": number}
        first = await client.ask("send", **wish)
        client._asked -= 1  # the same id again
        again = await client.ask("send", **wish)
        assert first["acted"] == number + 2
        assert again["info"]["number"] == number + 2

    play(scene)


def test_a_step_in_the_middle_is_taken_back_and_the_others_stay() -> None:
    async def scene(world: World) -> None:
        client = await at_the_march(world)
        before, role, done = where(client), client.state["role"], len(client.state["mine"])
        place, units = max((await reach(client)).items(), key=lambda one: len(one[1]))
        first, second, third = units[:3]
        for group in ([first], [second], [third]):
            await client.ask("send", role=role, units=group, to=place, answers=client.state["info"]["number"])
        mine = client.state["mine"][done:]
        assert len(mine) == 3
        await client.ask("take-back", role=role, number=mine[1], answers=client.state["info"]["number"])
        after = where(client)
        assert (after[first], after[second], after[third]) == (place, before[second], place)
        assert len(client.state["mine"]) == done + 2

    play(scene)


def test_the_steps_of_undo_outlive_the_host() -> None:
    async def scene(world: World) -> None:
        client = await at_the_march(world)
        place, units = max((await reach(client)).items(), key=lambda one: len(one[1]))
        number = client.state["info"]["number"]
        await client.ask("send", role=client.state["role"], units=units[:3], to=place, answers=number)
        other = await world.join(client.state["info"]["match"], None, world.another_host())
        assert other.state["undo"] == 0  # a spectator takes nothing back
        live = await world.another_host().matches.live(client.state["info"]["match"])
        assert [len(step) for step in live.undo_steps(client.state["role"])][-1] == 3

    play(scene)


@pytest.mark.parametrize("kind", ["reach", "send"])
def test_units_of_others_are_not_sent(kind: str) -> None:
    async def scene(world: World) -> None:
        match, _, (red, *_) = await world.table()
        more = {"units": ["x"], "to": "y", "answers": 0} if kind == "send" else {}
        answer = await red.ask(kind, role="blue", **more)
        assert answer["status"] == 403, match

    play(scene)
