"""The staff's plans: moves that can be made, known from the role's own view, and none between people."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core import SandtableError
from sandtable.games import find, games
from sandtable.host import staff
from sandtable.host.messages import CreateMatch, SeatWish

from .conftest import ONE_EACH, World, play


@pytest.mark.parametrize("game", games())
def test_every_plan_begins_with_a_move_that_is_allowed(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staff, "SECONDS", 0.05)

    async def scene(world: World) -> None:
        roles = find(game).roles_in(next(iter(find(game).scenarios)))
        side = [role for role in roles if role in next(iter(find(game).alliances.values()))]
        wish = CreateMatch(game, seats=[SeatWish(side), SeatWish([r for r in roles if r not in side], "computer")])
        made = await world.host.create(wish)
        client = await world.join(made.match, made.seats[0].secret)
        await world.host.computers.idle()
        role = client.state["role"]
        assert client.state["offers"]
        number = client.state["info"]["number"]
        plans: list[dict[str, Any]] = (await client.ask("staff", role=role))["value"]
        assert 1 <= len(plans) <= staff.PLANS
        for plan in plans:
            first = plan["steps"][0]
            assert (await client.ask("why-not", role=role, action=first["action"]))["value"]["allowed"]
            assert all(first["words"])
            assert plan["chance"] is None or 0 <= plan["chance"] <= 1
            assert plan["says"].endswith(".")
            assert "purpose." not in plan["says"]
            spaces = client.state["table"]["spaces"]
            assert all(place in spaces for arrow in plan["arrows"] for place in arrow["path"])
        assert client.state["info"]["number"] == number, "asking changes nothing"

    play(scene)


def test_no_advice_between_people() -> None:
    async def scene(world: World) -> None:
        _, _, (red, *_) = await world.table(ONE_EACH)
        answer = await red.ask("staff", role="red")
        assert answer["error"]["code"] == "not-allowed"
        assert "between people" in answer["error"]["message"]
        assert (await red.ask("staff", role="blue"))["error"]["code"] == "not-allowed", "nor for the seats of others"

    play(scene)


def test_between_people_only_if_all_agreed_at_the_start() -> None:
    async def scene(world: World) -> None:
        _, _, (red, *_) = await world.table(ONE_EACH, staff=True)
        assert red.state["info"]["staff"], "everybody sees what was agreed"
        assert "value" in await red.ask("staff", role="red")
        assert (await red.ask("staff", role="blue"))["error"]["code"] == "not-allowed", (
            "but not for the seats of others"
        )
        with pytest.raises(SandtableError, match="without the staff"):
            await world.create(ONE_EACH, staff=True, rated=True)

    play(scene)
