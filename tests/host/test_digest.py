"""The digest tells a seat what happened since its last move, and nothing that it may not know."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import LANGUAGES, Match
from sandtable.games import find, games
from sandtable.host import MoveRow, digest
from sandtable.host.log import lines
from sandtable.host.messages import CreateMatch, DigestFace

from .conftest import World, play

MOVES = 350


class Played:
    """Random play of a game's first scenario, kept in the middle and at the end."""

    def __init__(self, name: str) -> None:
        self.game = find(name)
        match: Match[Any] = Match.new(self.game, next(iter(self.game.scenarios)), seed="a digest")
        rng = Random(3)
        self.rows: list[MoveRow] = []
        while match.asked is not None and match.number < MOVES:
            if match.number == MOVES // 3:
                self.before = match.clone()
            turn, role = self.game.turn(match.state), match.asked
            known = len(match.events)
            match.apply(role, match.offers(role).sample(rng))
            events = [event for _, event in match.events[known:]]
            raw = msgspec.json.encode(events)
            self.rows.append(MoveRow(match.number, role, b"{}", "", raw, (role,), turn, 0.0))
        self.now = match

    def digest(self, now: Match[Any], role: str, language: str) -> DigestFace:
        told = lines(self.game, self.rows[self.before.number :], (role,), language)
        return digest.digest(self.game, self.before.table(role, language), now.table(role, language), told, language)


@pytest.mark.parametrize("name", games())
def test_it_agrees_with_the_two_tables_and_the_log(name: str) -> None:
    played = Played(name)
    for language in LANGUAGES:
        texts = played.game.texts(language)
        for role in played.now.roles:
            face = played.digest(played.now, role, language)
            before, now = played.before.table(role, language), played.now.table(role, language)
            assert {one.space for one in face.changed} == {
                space for space in now.spaces if before.spaces[space].side != now.spaces[space].side
            }
            for one in face.changed:
                assert (one.was, one.now) == (before.spaces[one.space].side, now.spaces[one.space].side)
            grown = len(digest._counters(now)) - len(digest._counters(before))
            assert sum(one.number for one in face.forces) == grown
            assert all(battle.lines for battle in face.battles)
            said = digest.in_words(face, now, texts)
            assert "digest." not in said
            assert all(battle.name in said for battle in face.battles)
    assert face.battles, "there was fighting"


@pytest.mark.parametrize("name", games())
def test_it_does_not_depend_on_what_the_seat_may_not_know(name: str) -> None:
    played, rng = Played(name), Random(4)
    for role in played.now.roles:
        other = played.now.scramble(role, rng)
        assert played.digest(other, role, "en") == played.digest(played.now, role, "en")


def test_over_the_line_it_begins_after_the_seats_own_last_move() -> None:
    async def scene(world: World) -> None:
        seats = [{"roles": ["axis"]}, {"roles": ["soviet"]}]
        wish = {"game": "hitlers-war", "scenario": "barbarossa", "seats": seats}
        made = await world.host.create(msgspec.convert(wish, CreateMatch))
        axis = await world.join(made.match, made.seats[0].secret)
        live, rng = await world.host.matches.live(made.match), Random(2)
        own = 0
        while live.match.number < 40 or own == live.match.number:
            role = live.match.decisions()[0]
            row = await world.host.matches.act(
                made.match, role, live.match.offers(role).sample(rng), answers=live.match.number
            )
            own = row.number if role == "axis" else own
        face = (await axis.ask("digest"))["value"]
        assert (face["since"], face["number"]) == (own, live.match.number)
        assert face["text"]
        whole = (await axis.ask("digest", since=0))["value"]
        assert whole["since"] == 0
        assert sum(whole["moved"].values()) >= sum(face["moved"].values())

    play(scene)
