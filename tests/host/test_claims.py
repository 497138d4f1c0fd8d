"""Seats are claimed by their players: who sent the link does not have the key, and a dead link is dead at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from sandtable.host import Host
from sandtable.host.errors import HostError, NotAllowed, NotSeated
from sandtable.host.messages import ChangeSeat, SeatGiven

from .conftest import PLAN, World, in_memory, of_a_server, play

SERVED = (in_memory, of_a_server)
INVITED = [{"roles": ["red"]}, {"roles": ["blue"], "invite": True}, {"roles": ["green"]}]


async def change(world: World, match: str, secret: str, do: Any, host: Host | None = None) -> SeatGiven:
    return await (host or world.host).change_seat(match, secret, ChangeSeat(do))


def test_who_opens_an_invitation_first_gets_a_key_that_nobody_else_has() -> None:
    async def scene(world: World) -> None:
        match, (_red, link, _green) = await world.create(INVITED)
        with pytest.raises(NotSeated, match="claim the seat first"):
            await world.join(match, link)
        key = (await change(world, match, link, "claim")).secret
        assert key != link
        blue = await world.join(match, key)
        assert (await blue.act("blue", PLAN))["acted"] == 1
        for do in ("claim", "renew", "release"):
            with pytest.raises(NotSeated):
                await change(world, match, link, do)
        with pytest.raises(NotSeated):
            await world.join(match, link)
        kept = (await world.storage.seats(match))[1]
        assert (kept.secret, kept.invitation) == (None, False)
        with pytest.raises(NotAllowed, match="claimed already"):
            await change(world, match, key, "claim")

    play(scene)


def test_of_two_who_claim_at_once_one_gets_the_seat() -> None:
    async def scene(world: World) -> None:
        match, (_red, link, _green) = await world.create(INVITED)
        other = world.another_host(alone=False)
        world.host.matches.alone = False
        await world.host.matches.live(match)
        await other.matches.live(match)
        tries = [change(world, match, link, "claim", host) for host in (world.host, other, world.host, other)]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert sum(isinstance(one, SeatGiven) for one in results) == 1
        assert sum(isinstance(one, HostError) for one in results) == 3

    play(scene, SERVED)


@pytest.mark.parametrize("do", ["renew", "release"])
def test_a_replaced_key_is_dead_at_once_on_open_lines_too(do: str) -> None:
    async def scene(world: World) -> None:
        match, (red_key, *_), (red, blue, _green) = await world.table()
        given = await change(world, match, red_key, do)
        assert red.is_ended
        before = len(red.heard)
        await blue.act("blue", PLAN)
        assert len(red.heard) == before, "it hears nothing more"
        answer = await red.ask("act", role="red", action=PLAN, answers=1)
        assert (answer["status"], answer["error"]["code"]) == (401, "no-seat")
        assert given.invitation == (do == "release")
        if do == "renew":
            again = await world.join(match, given.secret)
            assert (await again.act("red", PLAN))["acted"] == 2

    play(scene, SERVED)


def test_a_key_replaced_on_one_host_is_dead_on_another() -> None:
    async def scene(world: World) -> None:
        match, (red_key, *_) = await world.create([{"roles": ["red"]}])
        other = world.another_host(alone=False)
        world.host.matches.alone = False
        red = await world.join(match, red_key, other)
        await change(world, match, red_key, "renew")
        answer = await red.ask("look")
        assert answer["status"] == 401
        with pytest.raises(NotSeated):
            await world.join(match, red_key, other)

    play(scene, SERVED)


def test_the_table_says_which_seats_are_open() -> None:
    async def scene(world: World) -> None:
        match, (red, link, _) = await world.create(INVITED)
        client = await world.join(match, red)
        assert [seat["open"] for seat in client.state["info"]["seats"]] == [False, True, False]
        await change(world, match, link, "claim")
        assert [seat["open"] for seat in client.heard[-1]["seats"]] == [False, False, False]

    play(scene)
