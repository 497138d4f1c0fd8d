"""What players settle among themselves: seats lent and given away, vacations, talk among allies, rematches."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.host import Host
from sandtable.host.errors import NotSeated
from sandtable.host.messages import ChangeSeat, TakeSeat

from .conftest import PLAN, Client, World, in_memory, of_a_server, play

SERVED = (in_memory, of_a_server)
INVITED = [{"roles": ["red"]}, {"roles": ["blue"], "invite": True}, {"roles": ["green"], "invite": True}]
DAY = 86_400.0


def refused(answer: dict[str, Any]) -> tuple[int, str]:
    assert answer["type"] == "error", answer
    return answer["status"], answer["error"]["message"]


def seats_of(client: Client) -> list[dict[str, Any]]:
    """Return the seats as the client has heard of them last."""
    told = [one.get("seats") or one["info"]["seats"] for one in client.heard if one["type"] in ("seats", "state")]
    return list(told[-1])


def test_a_seat_is_lent_to_the_computer_and_taken_back() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, blue, _green) = await world.table()
        assert (await red.ask("lend", level="recruit"))["type"] == "answer"
        await world.host.computers.idle()
        assert blue.state["info"]["number"] == 1, "the computer has planned for red"
        assert blue.state["info"]["seats"][0]["lent"]
        status, why = refused(await red.act("red", {"do": "undo"}))
        assert (status, "take it back" in why) == (403, True)
        again = await world.join(_match, _secrets[0])
        assert again.state["info"]["seats"][0]["lent"], "to look in does not take it back"
        await red.ask("take")
        assert not seats_of(blue)[0]["lent"]
        await blue.act("blue", PLAN)
        await _green.act("green", PLAN)
        await world.host.computers.idle()
        assert red.state["offers"], "red decides again"

    play(scene)


def test_nobody_is_thrown_out_without_everybody() -> None:
    async def scene(world: World) -> None:
        match, secrets, (red, blue, green) = await world.table()
        assert (await red.ask("motion", place=1, do="invite"))["value"] is None
        seat = seats_of(green)[1]
        assert (seat["motion"], seat["agreed"], seat["needed"]) == ("invite", [0], [0, 1, 2])
        assert (await green.ask("motion", place=1, do="invite"))["value"] is None
        assert not blue.is_ended
        await blue.ask("motion", place=1, do="none")
        assert seats_of(green)[1]["motion"] == "", "who it is about says no"
        status, why = refused(await blue.ask("motion", place=1, do="invite"))
        assert (status, "your own seat" in why) == (403, True)
        await red.ask("motion", place=1, do="invite")
        await green.ask("motion", place=1, do="invite")
        await world.join(match, secrets[1])
        assert (await blue.ask("motion", place=1, do="invite"))["value"]["invitation"], "or yes"
        assert blue.is_ended

    play(scene)


def test_who_missed_a_deadline_is_replaced_by_the_others_and_their_link_is_dead_on_open_lines() -> None:
    async def scene(world: World) -> None:
        match, secrets, (red, blue, green) = await world.table(clock={"kind": "move", "seconds": 60})
        world.host.computers._is_closing = True  # nobody plays for them meanwhile
        await red.act("red", PLAN)
        await green.act("green", PLAN)
        world.time += 61
        await world.host.tick()
        assert seats_of(green)[1]["late"]
        assert (await red.ask("motion", place=1, do="invite"))["value"] is None
        given = (await green.ask("motion", place=1, do="invite"))["value"]
        assert blue.is_ended
        with pytest.raises(NotSeated):
            await world.join(match, secrets[1])
        with pytest.raises(NotSeated):
            await world.host.change_seat(match, secrets[1], ChangeSeat("claim"))
        new = (await world.host.change_seat(match, given["secret"], ChangeSeat("claim", "Sub", "teal"))).secret
        sub = await world.join(match, new)
        seat = sub.state["info"]["seats"][1]
        assert (seat["name"], seat["colour"], seat["late"]) == ("Sub", "teal", False)
        assert sub.state["info"]["clock"]["since"]["blue"] == world.time, "their time begins when they sit down"
        assert (await sub.act("blue", PLAN))["type"] == "state"

    play(scene, SERVED)


def test_two_agree_that_the_computer_sits_in_for_an_open_seat_and_that_a_friend_does_again() -> None:
    async def scene(world: World) -> None:
        match, (red_key, link, open_link) = await world.create(INVITED)
        blue_key = (await world.host.change_seat(match, link, ChangeSeat("claim", "Bo"))).secret
        red, blue = await world.join(match, red_key), await world.join(match, blue_key)
        status, why = refused(await red.ask("motion", place=2, do="computer", level="marshal"))
        assert (status, "no level 'marshal'" in why) == (400, True)
        await red.ask("motion", place=2, do="computer", level="recruit")
        assert seats_of(blue)[2]["kind"] == "person", "blue is asked too"
        await blue.ask("motion", place=2, do="computer", level="recruit")
        assert seats_of(blue)[2]["kind"] == "computer"
        with pytest.raises(NotSeated):
            await world.host.change_seat(match, open_link, ChangeSeat("claim"))
        await blue.ask("motion", place=2, do="invite")
        given = (await red.ask("motion", place=2, do="invite"))["value"]
        assert given["invitation"]
        await world.host.change_seat(match, given["secret"], ChangeSeat("claim"))

    play(scene, SERVED)


def test_a_lost_invitation_is_replaced_by_any_player_and_the_old_one_is_dead() -> None:
    async def scene(world: World) -> None:
        match, (red_key, link, _) = await world.create(INVITED)
        red = await world.join(match, red_key)
        given = (await red.ask("motion", place=1, do="invite"))["value"]
        with pytest.raises(NotSeated):
            await world.host.change_seat(match, link, ChangeSeat("claim"))
        await world.host.change_seat(match, given["secret"], ChangeSeat("claim"))

    play(scene, SERVED)


def test_without_a_clock_two_weeks_of_silence_are_a_deadline() -> None:
    async def scene(world: World) -> None:
        _match, _secrets, (red, blue, green) = await world.table()
        await red.act("red", PLAN)
        await green.act("green", PLAN)
        world.time += 15 * DAY
        assert (await red.ask("motion", place=1, do="invite"))["value"] is None
        assert (await green.ask("motion", place=1, do="invite"))["value"]["invitation"]
        assert blue.is_ended

    play(scene, SERVED)


@pytest.mark.parametrize("kind", ["move", "budget"])
def test_a_vacation_stops_the_clock_for_as_long_and_no_longer(kind: str) -> None:
    async def scene(world: World) -> None:
        clock = {"kind": kind, "seconds": DAY, "vacation": 10}
        match, _secrets, (red, blue, _green) = await world.table(clock=clock)
        world.host.computers._is_closing = True
        world.time += 3600
        assert refused(await red.ask("rest", days=11))[0] == 403
        await red.ask("rest", days=5)
        assert seats_of(blue)[0]["away"] == world.time + 5 * DAY
        left, since = (red.state["info"]["clock"][part]["red"] for part in ("left", "since"))
        assert (left, since) == (DAY - 3600, world.time + 5 * DAY), "the hour that was used is used"
        assert refused(await red.ask("rest", days=1))[0] == 403, "one at a time"
        world.time += 5 * DAY + DAY - 3601
        await world.host.tick()
        seats = (await world.host.matches.live(match)).seats
        assert [seat.handed_over for seat in seats] == [False, True, True]
        world.time += 2
        await world.host.tick()
        assert (await world.host.matches.live(match)).seats[0].handed_over

    play(scene, SERVED)


def test_who_comes_back_early_keeps_the_rest_of_their_days_and_gains_no_time() -> None:
    async def scene(world: World) -> None:
        clock = {"kind": "move", "seconds": DAY, "vacation": 10}
        _match, _secrets, (red, blue, green) = await world.table(clock=clock)
        await red.ask("rest", days=4)
        world.time += DAY / 2
        await blue.act("blue", PLAN)
        await green.act("green", PLAN)
        await red.ask("rest", days=0)
        seat = seats_of(red)[0]
        assert (seat["away"], seat["vacation"]) == (0, pytest.approx(9.5))
        now = red.state["info"]["clock"]
        assert (now["left"]["red"], now["since"]["red"]) == (DAY, world.time)

    play(scene, SERVED)


def test_whoever_is_asked_while_away_has_their_time_when_they_are_back() -> None:
    async def scene(world: World) -> None:
        clock = {"kind": "move", "seconds": DAY, "vacation": 10}
        _match, _secrets, (red, blue, green) = await world.table(clock=clock)
        for client, role in ((red, "red"), (blue, "blue"), (green, "green")):
            await client.act(role, PLAN)
        await blue.ask("rest", days=3)
        back = world.time + 3 * DAY
        await red.act("red", {"do": "end-moves"})
        now = red.state["info"]["clock"]
        assert (now["left"]["blue"], now["since"]["blue"]) == (DAY, back)

    play(scene, SERVED)


def test_what_is_said_to_allies_reaches_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.demo.game import GAME

    monkeypatch.setattr(type(GAME), "sides", lambda self, state: {"north": ("red", "blue"), "south": ("green",)})

    async def scene(world: World) -> None:
        match, secrets, clients = await world.table()
        await clients[0].ask("say", text="to the bridge", allies=True)
        await clients[2].ask("say", text="nobody hears me", allies=True)
        await clients[2].ask("say", text="hello all")
        clients += [await world.join(match, secret) for secret in secrets]
        clients.append(await world.join(match, None))
        said = [
            [line["text"] for one in client.heard if one["type"] == "chat" for line in one["lines"]]
            for client in clients
        ]
        red, green = ["to the bridge", "hello all"], ["nobody hears me", "hello all"]
        assert said == [red, red, green, red, red, green, ["hello all"]]

    play(scene)


def test_a_rematch_is_one_match_whoever_asks_for_it() -> None:
    async def scene(world: World) -> None:
        names = [{"roles": [role], "name": role.title()} for role in ("red", "blue", "green")]
        match, _secrets, (red, blue, green) = await world.table(names)
        assert refused(await red.ask("rematch"))[0] == 403
        for client, role in ((red, "red"), (blue, "blue"), (green, "green")):
            await client.act(role, {"do": "draw"})
        assert red.state["info"]["over"]
        made = (await red.ask("rematch", swap=True))["value"]
        assert blue.state["info"]["rematch"] == made["match"] != match
        own = [seat for seat in made["seats"] if not seat["invitation"]]
        assert [seat["roles"] for seat in own] == [["green"]]
        again = (await blue.ask("rematch"))["value"]
        assert again["match"] == made["match"]
        joined = await world.join(made["match"], again["seats"][0]["secret"])
        assert joined.state["info"]["you"] == ["red"]
        with pytest.raises(NotSeated, match="claim the seat first"):
            await world.join(made["match"], next(s["secret"] for s in made["seats"] if s["roles"] == ["blue"]))

    play(scene, SERVED)


def test_a_rematch_seats_who_is_known_and_gives_nobody_the_key_of_another() -> None:
    async def scene(world: World) -> None:
        match, (red_key, link, green_link) = await world.create(INVITED)
        blue_key = (await world.host.change_seat(match, link, ChangeSeat("claim", "Bo"), "bo")).secret
        green_key = (await world.host.change_seat(match, green_link, ChangeSeat("claim", "Cy"), "cy")).secret
        clients = [await world.join(match, key) for key in (red_key, blue_key, green_key)]
        for client, role in zip(clients, ("red", "blue", "green"), strict=True):
            await client.act(role, {"do": "draw"})
        made = (await clients[1].ask("rematch"))["value"]
        assert [(seat["roles"], seat["invitation"]) for seat in made["seats"]] == [(["red"], True), (["blue"], False)]
        assert (await world.host.visit(made["match"], None, "en", "cy")).seat is not None

    play(scene, SERVED)


def test_anybody_takes_an_open_seat_of_a_challenge_once() -> None:
    async def scene(world: World) -> None:
        match, _ = await world.create(INVITED, challenge=True)
        [line] = await world.host.list_matches([], "en")
        assert (line.challenge, [player.open for player in line.players]) == (True, [False, True, True])
        given = await world.host.take_seat(match, TakeSeat(1, "Bo", "teal"), "person-1")
        assert (await world.join(match, given.secret)).state["info"]["you"] == ["blue"]
        for place in (0, 1):
            with pytest.raises(Exception, match="not open to everybody"):
                await world.host.take_seat(match, TakeSeat(place))
        private, _ = await world.create(INVITED)
        with pytest.raises(Exception, match="not open to everybody"):
            await world.host.take_seat(private, TakeSeat(1))

    play(scene, SERVED)


def test_a_person_finds_and_opens_their_seat_without_its_link_and_nobody_elses() -> None:
    async def scene(world: World) -> None:
        host: Host = world.host
        match, (_red, link, _) = await world.create(INVITED)
        await host.change_seat(match, link, ChangeSeat("claim", "Bo"), "bo")
        assert [line.you for line in await host.list_matches([], "en", person="bo")] == [["blue"]]
        assert await host.list_matches([], "en", person="al") == []
        assert (await host.visit(match, None, "en", "bo")).seat is not None
        assert (await host.visit(match, None, "en", "al")).seat is None

    play(scene, SERVED)


def test_my_matches_say_who_plays_since_when_and_what_happened_last() -> None:
    async def scene(world: World) -> None:
        machine = {"roles": ["green"], "kind": "computer", "level": "recruit"}
        seats = [{"roles": ["red"], "name": "Al", "colour": "teal"}, {"roles": ["blue"], "name": "Bo"}, machine]
        match, (key, other), (red, blue) = await world.table(seats, clock={"kind": "move", "seconds": 60})
        await world.host.computers.idle()
        await red.act("red", PLAN)
        await blue.act("blue", PLAN)
        await world.host.computers.idle()
        world.time += 10
        [line] = await world.host.list_matches([key], "en")
        faces = [(face.name, face.colour, face.kind, face.you) for face in line.players]
        assert faces == [("Al", "teal", "person", True), ("Bo", "", "person", False), ("", "", "computer", False)]
        assert (line.left, line.since, line.mine, line.archived) == (50, 1000, False, False)
        events = blue.state["events"]
        assert line.last == [event["text"] for event in events if event["text"]][-1]
        await world.host.change_seat(match, key, ChangeSeat("archive"))
        assert [one.archived for one in await world.host.list_matches([key], "en")] == [True]
        assert [one.archived for one in await world.host.list_matches([other], "en")] == [False]
        with pytest.raises(Exception, match="somebody else plays"):
            await world.host.delete(match, key)
        alone, (mine,) = await world.create([{"roles": ["red", "blue"]}, machine])
        await world.host.delete(alone, mine)
        assert await world.storage.match(alone) is None

    play(scene, SERVED)
