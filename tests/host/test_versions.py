"""Matches from before: snapshots of another shape, other versions of the rules."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from sandtable.core import Match
from sandtable.host import Host, MatchRow, MemoryStorage, ThinksHere
from sandtable.host.errors import Frozen
from sandtable.host.matches import SNAPSHOT_EVERY
from tests.demo.game import GAME as DEMO
from tests.demo.state import Plan
from tests.demo.steps import Planning


def a_match() -> MatchRow:
    fresh = Match.new(DEMO, "war", seed="abc")
    return MatchRow(
        "m1", DEMO.id, DEMO.rules_version, "war", dict(fresh.options), "abc", "hash", 0.0, 0.0, False, "live", 0,
        fresh.waiting_for(), "",
    )  # fmt: skip


def test_a_match_whose_snapshot_has_another_shape_is_played_from_its_log(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        storage = MemoryStorage()
        await storage.create(a_match(), [], [], {})
        matches, rng = Host(storage, ThinksHere()).matches, Random(1)
        live = await matches.live("m1")
        while live.match.number < 2 * SNAPSHOT_EVERY and not live.match.over:
            role = live.match.decisions()[0]
            await matches.act("m1", role, live.match.offers(role).sample(rng), answers=live.match.number)
        found = storage._matches["m1"].snapshots
        assert found
        storage._matches["m1"].snapshots = dict.fromkeys(found, b"\x93\x01\x02\x03")
        again = await Host(storage, ThinksHere()).matches.live("m1")
        assert again.match.number == live.match.number
        assert again.match.digest() == live.match.digest()
        past = await Host(storage, ThinksHere()).matches.at("m1", live.match.number - 1)
        assert past.number == live.match.number - 1

    asyncio.run(scene())
    assert "cannot be read" in caplog.text


def test_a_match_of_an_older_version_goes_on_only_if_it_replays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        storage = MemoryStorage()
        await storage.create(a_match(), [], [], {})
        await Host(storage, ThinksHere()).matches.act("m1", "red", Plan("march"), answers=0)
        # a new version that plays the same: the match goes on under it
        monkeypatch.setattr(type(DEMO), "rules_version", 2)
        await Host(storage, ThinksHere()).matches.act("m1", "blue", Plan("march"), answers=1)
        row = await storage.match("m1")
        assert row is not None
        assert row.rules == 2
        # a new version that plays otherwise: the match stays as it is, can be read and exported
        monkeypatch.setattr(type(DEMO), "rules_version", 3)
        take = Planning.take

        def changed(self: Planning, m: Any, role: str, action: Any) -> None:
            take(self, m, role, action)
            if role == "blue":
                m.state.gold = (m.state.gold[0] + 1, *m.state.gold[1:])

        monkeypatch.setattr(Planning, "take", changed)
        matches = Host(storage, ThinksHere()).matches
        live = await matches.live("m1")
        assert live.row.frozen is not None
        assert "version 2" in live.row.frozen
        with pytest.raises(Frozen):
            await matches.act("m1", "green", Plan("march"), answers=2)
        exported = await matches.export(live)
        assert exported.count(b'"do":"plan"') == 2
        assert b'"rules":2' in exported

    asyncio.run(scene())
