"""The luck ledger of a finished match, as a client gets it."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import LANGUAGES
from sandtable.host import luck
from sandtable.host.messages import CreateMatch, LuckAnswer

from .conftest import Client, World, in_memory, play


@pytest.fixture(autouse=True)
def the_same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandtable.host.host.new_seed", lambda: "luck")


async def asked(client: Client, **fields: Any) -> dict[str, Any]:
    """Send a request for work that takes long, and wait for its answer."""
    assert client.line is not None
    name = f"long{len(client.heard)}"
    await client.line.hear(msgspec.json.encode({"id": name, **fields}))
    line: Any = client.line
    await (line.desk._lines[7].line if hasattr(line, "desk") else line).idle()
    return next(one for one in client.heard if one.get("id") == name)


async def ledger(client: Client) -> dict[str, Any]:
    """Ask until the whole match is weighed."""
    while True:
        answer = await asked(client, type="luck")
        assert answer["type"] == "answer", answer
        msgspec.convert(answer["value"], LuckAnswer)
        if answer["value"]["face"] is not None:
            return dict(answer["value"])


async def play_out(world: World, match: str, seed: int) -> None:
    live, rng = await world.host.matches.live(match), Random(seed)
    while not live.match.over:
        role = live.match.decisions()[0]
        action = live.match.offers(role).sample(rng)
        await world.host.matches.act(match, role, action, answers=live.match.number)


def test_every_die_of_a_finished_match_is_weighed() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create()
        client = await world.join(match, secrets[0])
        refused = await asked(client, type="luck")
        assert refused["error"]["code"] == "not-allowed", "the dice of a running match are nobody's business"
        await play_out(world, match, 4)
        for language in LANGUAGES:
            found = await ledger(await world.join(match, secrets[0], lang=language))
            live = await world.host.matches.live(match)
            dice = (await client.ask("dice"))["value"]["dice"]
            known = {die["n"]: die for die in dice}
            assert found["done"] == found["of"] == live.match.number
            assert 0 < found["face"]["dice"] <= len(dice)
            (strength,) = [one for one in found["face"]["measures"] if one["measure"] == "strength"]
            assert not strength["label"].startswith("measure.")
            for side in strength["sides"]:
                curve = strength["curves"][side["side"]]
                assert len(curve) == len(found["face"]["turns"])
                assert math.isclose(curve[-1], side["luck"], abs_tol=1e-9), "the turns add up to the whole"
                assert 0 < side["chance"] <= 1
            others = sum(side["real"] - side["expected"] for side in strength["sides"])
            red = next(side for side in strength["sides"] if side["side"] == "red")
            assert math.isclose(red["luck"], 2 * (red["real"] - red["expected"]) - others, abs_tol=1e-9)
            sizes = [max(abs(value) for value in fall["luck"].values()) for fall in strength["falls"]]
            assert sizes == sorted(sizes, reverse=True)
            for fall in strength["falls"]:
                assert all(known[die["n"]] == die for die in fall["dice"])
            chain = strength["chain"]
            assert chain["falls"] >= 1
            assert chain["first"] <= chain["last"] <= live.match.number

    play(scene)


@pytest.mark.parametrize(("game", "scenario"), [("hitlers-war", "barbarossa"), ("munich-war", "little-entente")])
def test_parts_and_whole_are_the_same(game: str, scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match that is weighed in many small parts has the ledger of one that is weighed at once, undo included."""

    async def scene(world: World) -> None:
        made = await world.host.create(CreateMatch(game, scenario))
        live, rng = await world.host.matches.live(made.match), Random(7)
        undone = 0
        while not live.match.over:
            role = live.match.decisions()[0]
            if rng.random() < 0.1 and live.match.can_undo(role):
                action, undone = live.match.parse({"do": "undo"}), undone + 1
            else:
                action = live.match.offers(role).sample(rng)
            await world.host.matches.act(made.match, role, action, answers=live.match.number)
        assert undone > 3
        faces = []
        for seconds in (0.0, 100.0):
            monkeypatch.setattr(luck, "PART_SECONDS", seconds)
            host = world.another_host()
            faces.append((await ledger(await world.join(made.match, made.seats[0].secret, host)))["face"])
        assert faces[0] == faces[1]
        assert faces[0]["measures"]
        assert any(battle["name"] for one in faces[0]["measures"] for battle in one["battles"])

    play(scene, (in_memory,))
