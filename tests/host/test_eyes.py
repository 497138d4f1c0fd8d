"""Through whose eyes a seat of several roles looks when a phase begins, goes on and is interrupted."""

from __future__ import annotations

from typing import Any

import sandtable
from sandtable.host import sight

from .conftest import World, play

AXIS = ["germany", "italy", "japan"]


async def end(client: Any, role: str) -> None:
    """End the phase for one of the seat's roles."""
    await client.ask("look", role=role)
    done = next(one for one in client.state["offers"] if one.get("gesture", {}).get("ends"))
    await client.act(role, {"do": done["verb"]})


def test_a_phase_begins_with_the_first_country_that_has_something_to_do() -> None:
    async def scene(world: World) -> None:
        seats = [{"roles": AXIS}, {"roles": ["be", "usa", "ussr", "france", "china"]}]
        match, secrets = await world.create(seats, game="blitzkrieg-general", scenario="1939-basic")
        client = await world.join(match, secrets[0])
        assert client.state["role"] == "germany"
        prompt = client.state["table"]["prompt"]
        await end(client, "germany")
        assert client.state["role"] == "italy", "the next that is asked"
        await end(client, "japan")
        assert client.state["role"] == "italy"
        await end(client, "italy")
        assert client.state["table"]["prompt"] != prompt, "a new phase"
        assert client.state["role"] == "germany", "not with the country that acted last"
        await client.ask("look", role="italy")
        reach = (await client.ask("reach", role="italy"))["value"]
        way = reach[0]["ways"][0]["unit"]
        number = client.state["info"]["number"]
        await client.ask("send", role="italy", units=[way], to=reach[0]["place"], answers=number)
        assert client.state["role"] == "italy", "who acts goes on"

    play(scene)


def test_a_country_with_nothing_to_do_is_passed_over() -> None:
    match = sandtable.new("blitzkrieg-general", scenario="1939-basic", seed=3)
    for _ in range(2):  # the ships, then the land units
        for role in AXIS:
            ending = next(one for one in match.offers(role).offers if match.game.gesture(one).ends)
            match.apply(role, next(iter(ending)))
    assert [role for role in AXIS if sight.can_act(match, role)] == ["germany", "japan"]
    assert sight.eyes(match, AXIS, "japan", is_new=True) == "germany"
    assert sight.eyes(match, ["italy", "japan"], "italy", is_new=True) == "japan"
    assert sight.eyes(match, ["italy", "japan"], "germany") == "japan", "it is somebody else's before"
    assert sight.eyes(match, AXIS, "italy") == "italy", "who has chosen a country keeps it"
    assert sight.eyes(match, ["italy"], None) == "italy"


def test_a_question_in_between_begins_no_phase() -> None:
    before = sight.Phase(frozenset({"italy"}), ("Turn", "Phase", "Battle"))
    assert not sight.Phase(frozenset({"germany", "italy"}), ("Turn", "Phase")).begins_after(before)
    assert sight.Phase(frozenset({"germany", "italy"}), ("Turn", "Production")).begins_after(before)
    assert not sight.Phase(frozenset({"italy"}), ("Turn", "Phase")).begins_after(before)
