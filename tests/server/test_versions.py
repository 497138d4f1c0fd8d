"""A snapshot is only a short cut: where it cannot be read, the log alone brings the match back."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from sandtable.core import Match
from sandtable.server.hub import SNAPSHOT_EVERY, Hub
from sandtable.server.schema import snapshots
from sandtable.server.storage import MatchRow, Store
from tests.demo.game import GAME


def test_a_match_whose_snapshot_has_another_shape_is_played_from_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("SANDTABLE_GAMES", "three-crowns=tests.demo.game:GAME")

    async def scene() -> None:
        store = await Store.open(f"sqlite:///{tmp_path / 'old.db'}")
        fresh: Match[Any] = Match.new(GAME, "war", seed="abc")
        row = MatchRow(
            "m1", GAME.id, GAME.rules_version, "war", dict(fresh.options), "abc", "hash", 0.0, 0.0, False, "live", 0,
            fresh.waiting_for(), "",
        )  # fmt: skip
        await store.create(row, [])
        hub, rng = Hub(store, alone=True), Random(1)
        live = await hub.live("m1")
        while live.match.number < 2 * SNAPSHOT_EVERY and not live.match.over:
            role = live.match.decisions()[0]
            action = live.match.offers(role).sample(rng)
            await hub.act("m1", role, action, answers=live.match.number)
        assert await store.snapshot("m1") is not None
        await store.work.write(lambda c: c.execute(update(snapshots).values(state=b"\x93\x01\x02\x03")))
        again = await Hub(store, alone=True).live("m1")
        assert again.match.number == live.match.number
        assert again.match.digest() == live.match.digest()
        past = await Hub(store, alone=True).at("m1", live.match.number - 1)
        assert past.number == live.match.number - 1
        await store.close()

    asyncio.run(scene())
    assert "cannot be read" in caplog.text
