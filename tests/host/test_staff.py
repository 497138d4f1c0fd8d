"""The staff's plans: moves that can be made, known from the role's own view, and none between people."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core import SandtableError
from sandtable.games import find, games
from sandtable.host import staff
from sandtable.host.messages import CreateMatch, SeatWish
from sandtable.players import base
from sandtable.players.search import Found, Outline, Plan
from sandtable.players.searcher import Searcher
from tests.demo.game import GAME as DEMO

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


class Finds(Searcher):
    """A player that has found a plan, and plays at random."""

    def moment(self, view: Any) -> int:
        return int(view.number)

    def think(self, view: Any, budget: base.Budget) -> Found:
        plan = Plan(aim="north", force=2.0)
        bold = Plan(dials=(("bold", 1.0),))
        return Found(plan, (Outline(plan, 0.6, 0.5, bold, 9, answer="bold", chance=0.58),), 9)

    def follow(self, plan: Plan) -> None:
        """Nothing to prepare."""

    def answer(self, view: Any, offers: Any, budget: base.Budget) -> Any:
        return offers.sample(Random(1))


def test_a_plan_that_was_searched_for_tells_its_orders_risk_and_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "_LEVELS", {level: dict(makers) for level, makers in base._LEVELS.items()})
    base.register("captain", DEMO.id, Finds)

    async def scene(world: World) -> None:
        _, _, (red, *_) = await world.table(ONE_EACH, staff=True)
        plans: list[dict[str, Any]] = (await red.ask("staff", role="red"))["value"]
        assert plans[0]["level"] == "captain"
        assert plans[0]["says"].endswith(
            "Main effort: north. Risk: if the enemy answers boldly, the outlook falls by 10 points. "
            "Chance to win: 58 %."
        )

    play(scene)
