"""What the computer says of its turn: something in every game and language, nothing that the reader may not know."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from sandtable.core import Match
from sandtable.core.scene import Scene
from sandtable.games import find, games
from sandtable.host.log import is_seen
from sandtable.host.messages import CreateMatch, SeatWish
from sandtable.host.purpose import purpose
from sandtable.testing import random_play

from .conftest import TENANTS, World, play


@pytest.mark.parametrize("game", games())
def test_after_its_turn_the_computer_says_what_it_does_and_why(game: str) -> None:
    async def scene(world: World) -> None:
        scenario = next(iter(find(game).scenarios))
        roles = find(game).roles_in(scenario)
        side = [role for role in roles if role in list(find(game).alliances.values())[1]]
        others = [role for role in roles if role not in side]
        wish = CreateMatch(game, scenario, seats=[SeatWish(side), SeatWish(others, "computer", "captain")])
        made = await world.host.create(wish)
        english = await world.join(made.match, made.seats[0].secret)
        rng = Random(1)
        for _ in range(400):
            await world.host.computers.idle()
            said = (await english.ask("remarks"))["value"]
            if said:
                break
            live = await world.host.matches.live(made.match)
            role = live.match.decisions()[0]
            await english.act(role, live.game.codec.builtins(live.match.offers(role).sample(rng)))
        german = await world.join(made.match, made.seats[0].secret, lang="de")
        gesagt = (await german.ask("remarks"))["value"]
        assert [one["role"] for one in said] == [one["role"] for one in gesagt]
        for one, eines in zip(said, gesagt, strict=True):
            assert one["role"] in others
            assert one["deeds"].endswith(".")
            assert one["stands"].endswith(".")
            assert one["deeds"] != eines["deeds"]
            assert one["stands"] != eines["stands"]
            assert not any(sign in text for text in (*one.values(), *eines.values()) for sign in ("purpose.", "?", "{"))

    play(scene, TENANTS[:1])


def scenes_of(match: Match[Any], since: int, role: str) -> list[Scene]:
    """Return what a role sees of the moves after this one."""
    return [match.game.scene(event) for number, event in match.events if number > since and is_seen(event, (role,))]


@pytest.mark.parametrize("game", games())
def test_it_does_not_depend_on_what_the_reader_may_not_know(game: str) -> None:
    told = 0
    texts = find(game).texts("en")
    for scenario in list(find(game).scenarios)[:2]:
        match = Match.new(find(game), scenario, seed=3)
        rng = Random(3)
        for _ in range(6):
            since, before = match.number, {role: match.table(role) for role in match.roles}
            random_play(match, rng, most=60)
            if match.over:
                break
            for role in match.roles:
                other, scenes = match.scramble(role, rng), scenes_of(match, since, role)
                for mover in match.roles:
                    said = purpose(match, role, mover, scenes, before[role], texts)
                    assert purpose(other, role, mover, scenes, before[role], texts) == said
                    told += bool(said.deeds)
    assert told


def test_a_move_towards_a_city_that_wins_is_about_that_city() -> None:
    match = Match.new(find("hitlers-war"), "barbarossa", seed=1)
    scenes = [Scene("move", (), ["P10", "Q13"]), Scene("fight", (), ["Q13", "Q16"]), Scene("move", (), ["P16", "Q17"])]
    said = purpose(match, "soviet", "axis", scenes, match.table("soviet"), match.game.texts("en"))
    assert said.deeds == "Attack on Smolensk (Q16) and 1 unit towards Moscow (Q17).", "what the enemy moves is no deed"
    assert said.aim == "It is about Moscow (Q17)."
    assert said.stands == "Leningrad, Moscow and Stalingrad held by the Axis: 0, needed: 3."
    assert [(arrow.kind, *arrow.path) for arrow in said.arrows] == [("plan", "P10", "Q13"), ("attack", "Q13", "Q16")]
