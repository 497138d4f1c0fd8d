"""What a seat is sent, told or given is the same for two matches that differ only in what it may not know."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import Match, Rolled, SandtableError
from sandtable.games import find, games
from sandtable.host import Host, MemoryStorage, MoveRow, ThinksHere, sight, stories
from sandtable.host.log import lines_of, refs
from sandtable.host.messages import AddVariation, Annotate, AskVariation, CreateMatch, Publish, SeatWish
from sandtable.testing import random_play
from sandtable.testing.promises import foreign
from tests.demo.game import GAME as DEMO

ALL = [DEMO, *(find(name) for name in games())]


def sent_to(match: Match[Any], role: str) -> bytes:
    """Everything the API would send to a seat about the position."""
    parts: list[Any] = [match.table(role, language) for language in ("en", "de")]
    parts.append(match.waiting_for())
    if role in match.decisions():
        parts.append(sight.offers(match, role, "en"))
    parts.append(match.can_undo(role) if role in match.decisions() else 0)
    return msgspec.json.encode(parts)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_the_bytes_sent_do_not_depend_on_what_the_seat_may_not_know(game):
    for scenario in list(game.scenarios)[:2]:
        for seed in range(2):
            match = Match.new(game, scenario, seed=seed, history=False)
            rng = Random(seed)
            for _ in range(6):
                random_play(match, rng, most=25)
                if match.over:
                    break
                for role in match.roles:
                    other = match.scramble(role, rng)
                    assert sent_to(other, role) == sent_to(match, role), (scenario, role, type(match.step).__name__)


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_a_refusal_does_not_depend_on_what_the_seat_may_not_know(game):
    """Anybody may ask why not, for the units and cards of others too."""
    for scenario in list(game.scenarios)[-4:]:
        match = Match.new(game, scenario, seed=7)
        rng = Random(7)
        for _ in range(6):
            random_play(match, rng, most=40)
            if match.over:
                break
            for role in match.roles:
                other = match.scramble(role, rng)
                for action in {*(entry.action for entry in match.log[-150:]), *foreign(match, rng)}:
                    assert other.why_not(role, action) == match.why_not(role, action), (scenario, role, action)


def test_the_log_of_a_seat_tells_its_own_events_and_no_others():
    match = Match.new(DEMO, "war", seed=5)
    random_play(match, Random(5), most=40)
    texts = DEMO.texts("en")
    hidden = 0
    for number in range(1, match.number + 1):
        events = [event for at, event in match.events if at == number]
        row = MoveRow(number, "red", b"{}", "", msgspec.json.encode(events), (), "", 0.0)
        for roles in (("red",), ("blue", "green"), ()):
            mine = [e for e in events if e.seen_by is None or any(role in e.seen_by for role in roles)]
            hidden += len(events) - len(mine)
            told = list(lines_of(DEMO, row, roles, texts))
            assert [line.refs for line in told if line.kind != "rolled"] == [
                refs(event) for event in mine if not isinstance(event, Rolled)
            ]
            dice = [die.n for line in told for die in line.dice]
            assert dice == [event.number for event in mine if isinstance(event, Rolled)]
    assert hidden > 0


async def story_and_exports(game: str, scenario: str, match: Match[Any], role: str) -> list[Any]:
    """Everything that a seat can write, read and take home of a running match: notes, stories, files, tables.

    The host has the given position in the place of its own, so two positions can be compared.
    """
    host = Host(MemoryStorage(), ThinksHere(), now=lambda: 1000.0)
    others = [other for other in match.roles if other != role]
    made = await host.create(CreateMatch(game, scenario, seats=[SeatWish([role]), SeatWish(others)]))
    live = await host.matches.live(made.match)
    live.match = match
    found: list[Any] = []

    async def seen(asked: Any) -> None:
        try:
            found.append(await asked)
        except SandtableError as error:
            found.append((type(error).__name__, str(error)))

    for secret in (made.seats[0].secret, None):
        for language in ("en", "de"):
            visit = await host.visit(made.match, secret, language)
            await seen(stories.read(visit, None))
            note = Annotate(at=match.number, version=0, text="Here.", arrows=[["a", "b"]], spaces=["a"])
            await seen(stories.annotate(visit, note))
            await seen(stories.publish(visit, Publish(title="War", eyes=role, published=True, version=1)))
            await seen(stories.add_variation(visit, AddVariation(branch="x", version=1)))
            await seen(stories.variation(visit, AskVariation(story=1, at=match.number, place=0, move=0, role=role)))
            for other in (None, *match.roles):
                await seen(visit.table(match.number, other))
            for number in (None, 1, 2):
                await seen(stories.read(visit, number))
            if not match.game.public(match.state):  # the file of an open match is everybody's
                await seen(visit.file())
                await seen(visit.file(1))
            await seen(visit.review())
            await seen(visit.dice())
    await host.close()
    return [msgspec.json.encode(one).replace(made.match.encode(), b"match") for one in found]


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.id)
def test_stories_and_exports_do_not_depend_on_what_the_seat_may_not_know(game, monkeypatch):
    monkeypatch.setenv("SANDTABLE_GAMES", "three-crowns=tests.demo.game:GAME")
    different = 0
    for scenario in list(game.scenarios)[:2]:
        match = Match.new(game, scenario, seed=3, history=False)
        rng = Random(3)
        for _ in range(2):
            random_play(match, rng, most=25)
            if match.over:
                break
            for role in match.roles:
                other = match.scramble(role, rng)
                different += other.digest() != match.digest()
                mine, theirs = [
                    asyncio.run(story_and_exports(game.id, scenario, one.clone(), role)) for one in (match, other)
                ]
                assert mine == theirs, (scenario, role, type(match.step).__name__)
    assert different or game.public(match.state), "the secrets were others"
