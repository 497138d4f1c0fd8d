"""Last turn's order of the desk, in any browser: the role's own, of the last turn in which it ordered, and no other."""

from __future__ import annotations

from random import Random
from typing import Any

import sandtable
from sandtable.host.messages import Branch, ImportFile, SeatWish

from .conftest import World, play

GAME, SCENARIO = "hitlers-war", "campaign-1"


def verbs(match: Any, role: str) -> set[str]:
    """What can be ordered at the desk of a role now."""
    desk = match.table(role).desk
    return {str(item.action["do"]) for item in desk.items} if desk else set()


def ordered_before() -> tuple[Any, str, list[dict[str, Any]]]:
    """A match in which a role has ordered in this turn and in two before; the role, and its order of the latter."""
    for seed in range(1, 20):
        match, rng = sandtable.new(GAME, scenario=SCENARIO, seed=seed), Random(seed)
        told: dict[str, dict[str, list[dict[str, Any]]]] = {}
        while not match.over:
            role = match.decisions()[0]
            turns = told.setdefault(role, {})
            turn = match.table(role).turn
            if turn in turns and len(turns) > 2 and verbs(match, role):
                known = {one["do"] for one in turns[list(turns)[-2]]}
                if known <= verbs(match, role):
                    return match, role, turns[list(turns)[-2]]
            action = match.offers(role).sample(rng)
            data = match.game.codec.builtins(action)
            if data["do"] in verbs(match, role):
                turns.setdefault(turn, []).append(data)
            match.apply(role, action)
    raise AssertionError("nobody orders in three turns")


def test_the_order_of_the_last_turn_is_told_to_the_role_that_made_it() -> None:
    match, role, expected = ordered_before()
    rest = [one for one in match.roles if one != role]
    assert expected
    seats = [SeatWish([role]), SeatWish(rest)]

    async def scene(world: World) -> None:
        brought = await world.host.import_file(ImportFile(sandtable.save(match).decode()))
        visit = await world.host.visit(brought.match, None, "en")
        made = await visit.branch(Branch(at=match.number, seats=seats))
        mine, theirs, nobodys = [await world.join(made.match, one) for one in (*(s.secret for s in made.seats), None)]
        assert (await mine.ask("orders", role=role))["value"] == expected
        for other in (theirs, nobodys):
            assert (await other.ask("orders", role=role))["status"] == 403, "nobody else is told"
        assert (await theirs.ask("orders", role=rest[0]))["value"] == [], "whose desk is closed orders nothing"

    play(scene)
