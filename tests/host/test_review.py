"""The review of a finished match tells what the rules decided, turn by turn."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import LANGUAGES
from sandtable.games import find
from sandtable.host.matches import Live
from sandtable.host.messages import CreateMatch

from .conftest import World, play

SHORT = [("hitlers-war", "barbarossa"), ("munich-war", "little-entente")]


async def played(world: World, match: str, moves: int | None = None) -> Live:
    """Play a match at random, to its end or for some moves."""
    live, rng = await world.host.matches.live(match), Random(2)
    while not live.match.over and live.match.number != moves:
        role = live.match.decisions()[0]
        action = live.match.offers(role).sample(rng)
        await world.host.matches.act(match, role, action, answers=live.match.number)
    return live


@pytest.mark.parametrize(("game", "scenario"), SHORT)
def test_a_finished_match_is_reviewed(game: str, scenario: str) -> None:
    async def scene(world: World) -> None:
        made = await world.host.create(CreateMatch(game, scenario))
        client = await world.join(made.match, made.seats[0].secret)
        assert (await client.ask("review"))["error"]["code"] == "not-allowed"
        live = await played(world, made.match)
        outcome = live.match.outcome
        assert outcome is not None
        for language in LANGUAGES:
            reader = await world.join(made.match, made.seats[0].secret, lang=language)
            face = (await reader.ask("review"))["value"]
            assert face["winners"] == list(outcome.winners)
            assert face["rule"] == outcome.reason
            assert face["why"]
            assert face["turns"][-1]["leaders"] == list(outcome.winners), "the last turn is the one that decided"
            assert face["turns"][-1]["measures"] == find(game).measures(live.match.state)
            assert len(face["turns"]) >= find(game).scenarios[scenario].turns
            assert not any(label.startswith("measure.") for label in face["labels"].values())
            since = [turn["turn"] for turn in face["turns"]].index(face["decided"])
            assert all(turn["leaders"] == list(outcome.winners) for turn in face["turns"][since:])
            assert since == 0 or face["turns"][since - 1]["leaders"] != list(outcome.winners)

    play(scene)


def test_a_finished_branch_is_reviewed_from_the_first_move_of_its_parent_on() -> None:
    async def scene(world: World) -> None:
        made = await world.host.create(CreateMatch("hitlers-war", "barbarossa"))
        await played(world, made.match, 60)
        client = await world.join(made.match, made.seats[0].secret)
        branch = (await client.ask("branch", at=50))["value"]
        live = await played(world, branch["match"])
        face = (await (await world.join(branch["match"], branch["seats"][0]["secret"])).ask("review"))["value"]
        assert face["turns"][-1]["measures"] == live.game.measures(live.match.state)
        assert len(face["turns"]) >= live.game.scenarios["barbarossa"].turns

    play(scene)
