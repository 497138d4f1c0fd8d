"""The Worker that thinks also weighs dice and rehearses: its messages are JSON."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from sandtable.core import Match
from sandtable.host.luck import Weigh, Weighed
from sandtable.host.rehearsals import Rehearse, Rehearsed
from sandtable.page.desk import Worker, answer


async def _nothing(game: str) -> None:
    pytest.fail(f"{game} is here already")


def test_work_goes_to_the_other_worker_and_back() -> None:
    from sandtable.games import find

    game = find("munich-war")
    match: Match[Any] = Match.new(game, "little-entente", seed="1")
    worker = Worker(lambda question: answer(question, _nothing))
    moves: list[tuple[str, bytes]] = []
    played = match.clone()
    while not played.over and len(moves) < 5:
        role = played.decisions()[0]
        action = next(iter(played.offers(role)))
        played.apply(role, action)
        moves.append((role, msgspec.json.encode(action)))
    weigh = Weigh(game.id, game.rules_version, "1", 0, game.codec.pack(match.state), tuple(moves))
    view = match.view(match.decisions()[0])
    rehearse = Rehearse(
        game.id, game.rules_version, str(view.role), 0, tuple(view.asked), game.codec.pack(view.state), (), "recruit",
        turns=1, first=0, count=1, seconds=9.0,
    )  # fmt: skip
    weighed = msgspec.json.decode(asyncio.run(worker.aside(weigh, "")), type=Weighed)
    assert weighed.number == 5
    assert weighed.state == game.codec.pack(played.state)
    assert msgspec.json.decode(asyncio.run(worker.aside(rehearse, "")), type=Rehearsed).played == 1
