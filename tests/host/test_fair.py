"""What others see of the log, a computer that nobody foretells, requests that are made once, work that never dies."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import Match
from sandtable.host import MemoryStorage, MoveRow
from sandtable.host.computers import Question, think, thinking_seed
from sandtable.host.errors import NotFound, Reused
from sandtable.host.messages import Branch
from sandtable.host.tasks import Tasks
from tests.demo.game import GAME

from .conftest import ONE_EACH, PLAN, World, in_memory, of_a_server, play

SERVED = (in_memory, of_a_server)
"""Who keeps matches of many people."""
MACHINES = {"roles": ["red", "blue", "green"], "kind": "computer", "level": "recruit"}


# ---- what others see of the log
async def to_a_window(world: World, seed: int = 0) -> tuple[Any, list[Any]]:
    """A match at a window, played there by chance."""
    for attempt in range(40):
        match, _secrets, clients = await world.table(ONE_EACH)
        rng = Random(seed + attempt)
        for _ in range(30):
            live = await world.host.matches.live(match)
            if type(live.match.step).__name__ == "Window":
                return match, clients
            if live.match.over:
                break
            role = live.match.decisions()[0]
            client = clients[("red", "blue", "green").index(role)]
            action = msgspec.to_builtins(live.match.offers(role).sample(rng))
            await client.act(role, action, live.match.number)
    raise AssertionError("no window was reached")


def test_who_answered_a_window_is_told_to_nobody_else() -> None:
    async def scene(world: World) -> None:
        match, clients = await to_a_window(world)
        live = await world.host.matches.live(match)
        waited, role = live.match.waiting_for(), live.match.decisions()[0]
        assert len(waited) > 1
        mover = clients[("red", "blue", "green").index(role)]
        await mover.act(role, {"do": "pass"}, live.match.number)
        number = live.match.number
        spectator = await world.join(match, None)
        for client in (*clients, spectator):
            shown = {move["n"]: move["role"] for move in (await client.ask("moves"))["value"]}
            assert shown[number] == (role if client is mover else ""), "the table did not tell who passed"
        first = {move["n"]: move["role"] for move in (await spectator.ask("moves"))["value"]}[1]
        assert first == "red", "who plans is seen at the table"

    play(scene)


def test_clocks_do_not_tell_who_answered_a_window() -> None:
    async def scene(world: World) -> None:
        match, clients = await to_a_window(world)
        live = await world.host.matches.live(match)
        waited, role = live.match.waiting_for(), live.match.decisions()[0]
        live.row = msgspec.structs.replace(live.row, clock={"kind": "budget", "seconds": 100.0, "increment": 5.0})
        live.hands = {r: (100.0, world.time if r in waited else None) for r in ("red", "blue", "green")}
        world.time += 10
        await clients[("red", "blue", "green").index(role)].act(role, {"do": "pass"}, live.match.number)
        after = {live.hands[r][0] for r in waited}
        assert len(after) == 1, live.hands

    play(scene)


# ---- the computer
def test_nobody_foretells_the_computer_from_what_is_public() -> None:
    async def scene(world: World) -> None:
        hits = total = 0
        for _ in range(4):
            match, _ = await world.create([MACHINES])
            await world.host.computers.idle()
            row = await world.storage.match(match)
            assert row is not None
            shadow: Match[Any] = Match.new(GAME, row.scenario, row.options, seed=row.seed)
            for move in (await world.storage.tail(match))[:40]:
                view = shadow.view(move.role)
                packed = GAME.codec.pack(view.state)
                words = (GAME.id, row.rules, move.role, "recruit")
                guess = think(Question("x", *words, row.seed_hash, view.number, tuple(view.asked), packed, 1.0))
                if len(list(shadow.offers(move.role))) > 3:
                    total += 1
                    hits += shadow.parse(guess.action) == shadow.parse(move.action)
                shadow.again(move.role, shadow.parse(move.action))
        assert total > 20
        assert hits < total / 2, f"{hits} of {total} decisions foretold"

    play(scene)


def test_what_the_computer_draws_from_tells_no_die() -> None:
    assert thinking_seed("a") != thinking_seed("b")
    assert "a" * 8 not in thinking_seed("a" * 64)


# ---- requests
def test_an_id_that_is_used_again_for_another_move_is_refused() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, *_) = await world.table()
        await red.act("red", PLAN, 0, id="x")
        again = await red.act("red", {"do": "plan", "posture": "scout"}, 0, id="x")
        assert (again["status"], again["error"]["code"]) == (409, "id-reused")
        assert (await red.act("red", PLAN, 0, id="x"))["acted"] == 1

    play(scene)


def test_long_ids_that_begin_alike_are_not_one() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create([])
        client = await world.join(match, secrets[0])
        one, two = "x" * 63 + "1", "x" * 63 + "2"
        assert (await client.act("red", PLAN, 0, id=one))["acted"] == 1
        assert (await client.act("blue", PLAN, 1, id=two))["acted"] == 2
        assert (await client.act("red", PLAN, 0, id=one))["acted"] == 1

    play(scene)


def test_the_same_request_to_two_hosts_gets_the_same_answer() -> None:
    class Slow(MemoryStorage):
        """As if the other host had committed just before."""

        async def append(self, *words: Any) -> None:
            await asyncio.sleep(0.01)
            await super().append(*words)

    async def scene(world: World) -> None:
        world.storage = Slow()
        one, two = world.another_host(alone=False), world.another_host(alone=False)
        world.host = one
        for _ in range(10):
            match, (red, *_) = await world.create(ONE_EACH)
            clients = [await world.join(match, red, host) for host in (one, two, one, two)]
            sent = [client.act("red", PLAN, 0, id="same") for client in clients]
            answers = await asyncio.gather(*sent)
            assert [answer.get("acted") for answer in answers] == [1] * 4, answers

    play(scene, (in_memory,))


# ---- past positions and branches
def test_a_past_position_is_the_callers_own() -> None:
    async def scene(world: World) -> None:
        match, (key,) = await world.create([])
        client = await world.join(match, key)
        for number, role in enumerate(("red", "blue", "green")):
            await client.act(role, PLAN, number)
        early = await world.host.matches.at(match, 1)
        assert (await world.host.matches.at(match, 2)).number == 2
        now = await world.host.matches.at(match, 3)
        digests = early.digest(), now.digest()
        await client.act("red", {"do": "end-moves"}, 3)
        await world.host.matches.at(match, 3)
        assert (early.digest(), now.digest(), early.number, now.number) == (*digests, 1, 3)

    play(scene)


def test_a_branch_borrows_its_parents_moves_and_plays_on() -> None:
    async def scene(world: World) -> None:
        match, (key,) = await world.create([])
        client = await world.join(match, key)
        for number, role in enumerate(("red", "blue", "green")):
            await client.act(role, PLAN, number)
        visit = await world.host.visit(match, key, "en")
        branch = await visit.branch(Branch(at=2))
        assert await world.storage.tail(branch.match) == []
        mine = await world.join(branch.match, branch.seats[0].secret)
        assert (await mine.act("green", {"do": "plan", "posture": "scout"}, 2))["acted"] == 3
        assert len((await mine.ask("moves"))["value"]) == 3
        deeper = await (await world.host.visit(branch.match, branch.seats[0].secret, "en")).branch(Branch(at=1))
        row = await world.storage.match(deeper.match)
        assert row is not None
        assert (row.parent, row.base) == (match, 1)
        world.host.matches.forget(branch.match)
        fresh = await world.host.matches.live(branch.match)
        assert fresh.match.number == 3
        assert fresh.match.digest() == (await world.storage.tail(branch.match))[-1].digest

    play(scene)


# ---- memory
def test_matches_that_nobody_looks_at_leave_the_memory() -> None:
    async def scene(world: World) -> None:
        watched, _secrets, _clients = await world.table()
        for _ in range(5):
            match, (key,) = await world.create([])
            await (await world.host.visit(match, key, "en")).info()
        assert world.host.matches.held[0] == 6
        world.time += 700
        await world.host.tidy()
        assert world.host.matches.held[0] == 1
        assert world.host.matches.peek(watched) is not None

    play(scene)


def test_a_match_in_memory_keeps_no_log() -> None:
    async def scene(world: World) -> None:
        match, _ = await world.create([MACHINES])
        await world.host.computers.idle()
        live = await world.host.matches.live(match)
        assert live.match.number > 20
        assert len(live.match.log) + len(live.match.events) < 10

    play(scene)


def test_what_nobody_has_claimed_expires() -> None:
    async def scene(world: World) -> None:
        played, _secrets, (red, *_) = await world.table()
        await red.act("red", PLAN)
        empty, _ = await world.create([])
        world.time += 10 * 86_400
        world.host.expire_days = 7.0
        await world.host.expire()
        assert await world.storage.match(played) is not None
        with pytest.raises(NotFound):
            await world.host.matches.live(empty)

    play(scene, SERVED)


def test_an_owner_has_a_quota() -> None:
    async def scene(world: World) -> None:
        world.host.quota = 2
        for _ in range(2):
            await world.create([])
        with pytest.raises(Exception, match="2 matches that are not over"):
            await world.create([])

    play(scene, SERVED)


# ---- work that never dies
def test_one_damaged_match_does_not_stop_the_clocks_of_the_others() -> None:
    async def scene(world: World) -> None:
        clock = {"kind": "move", "seconds": 60}
        matches = [(await world.table(clock=clock))[0] for _ in range(3)]
        assert isinstance(world.storage, MemoryStorage)
        kept = world.storage._matches[matches[0]]
        kept.row = msgspec.structs.replace(kept.row, game="no-such-game")
        world.host.matches.forget(matches[0])
        world.time += 61
        with pytest.raises(Exception, match="no-such-game"):
            await world.host.tick()
        for match in matches[1:]:
            assert all(seat.handed_over for seat in await world.storage.seats(match))

    play(scene, (in_memory,))


def test_work_goes_on_after_any_failure_and_health_tells() -> None:
    async def scene() -> None:
        tasks, rounds = Tasks(), []

        async def work() -> None:
            rounds.append(1)
            if len(rounds) in (2, 3):
                raise RuntimeError("the disk is full")

        running = asyncio.create_task(tasks.repeat("work", 0.01, work))
        while len(rounds) < 3:
            await asyncio.sleep(0.002)
        (health,) = tasks.health()
        assert (health.ok, health.error) == (False, "RuntimeError")
        while len(rounds) < 6:
            await asyncio.sleep(0.002)
        (health,) = tasks.health()
        assert (health.ok, health.failures) == (True, 2)
        running.cancel()

    asyncio.run(scene())


def test_a_reused_id_is_known_by_its_body() -> None:
    async def scene(world: World) -> None:
        match, _ = await world.create(ONE_EACH)
        act = world.host.matches.act
        made = await act(match, "red", b'{"do":"plan","posture":"march"}', answers=0, request="0:a")
        again = await act(match, "red", b'{ "posture": "march", "do": "plan" }', answers=0, request="0:a")
        assert isinstance(again, MoveRow)
        assert again.number == made.number
        with pytest.raises(Reused):
            await act(match, "red", b'{"do":"undo"}', answers=1, request="0:a")

    play(scene)
