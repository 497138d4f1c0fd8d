"""People without registering, their devices, accounts elsewhere, and how they are called back."""

from __future__ import annotations

import base64
import datetime as dt
import json
import os
import re
import time
from email import message_from_string, policy
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree as ET

import http_ece
import httpx
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sandtable.core import Match
from sandtable.games import find, games
from sandtable.host.matches import standing
from sandtable.host.records import Glance, MatchRow, SeatRow
from sandtable.server import calls, feeds
from sandtable.server.accounts import Provider
from sandtable.server.calls import Wait, describe, is_quiet
from sandtable.server.glicko import Strength, rated
from sandtable.server.outgoing import NotReached, post
from sandtable.server.people import Calls, Person
from sandtable.testing import random_play
from tests.demo.game import GAME as DEMO

from .inside import Inside, Listener, Postbox, Somebody, until

PLAN = {"do": "plan", "posture": "march"}
GAME = "three-crowns"
SEATS = [
    {"roles": ["red"], "name": "Al", "colour": "teal"},
    {"roles": ["blue"], "invite": True},
    {"roles": ["green"], "kind": "computer", "level": "recruit"},
]


@pytest.fixture(autouse=True, scope="module")
def the_demo_game():
    os.environ["SANDTABLE_GAMES"] = f"{GAME}=tests.demo.game:GAME"
    yield
    del os.environ["SANDTABLE_GAMES"]


@pytest.fixture(scope="module")
def postbox():
    box = Postbox()
    yield box
    box.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory, postbox):
    running = Inside(tmp_path_factory.mktemp("people"), mail=postbox.url, mail_from="table@example.org")
    yield running
    running.stop()


@pytest.fixture
def listener():
    found = Listener()
    yield found
    found.stop()


def new_match(host: Somebody, **more: Any) -> tuple[str, list[dict[str, Any]]]:
    made = host.post("/api/matches", {"game": GAME, "scenario": "war", "seats": SEATS, **more})
    return made["match"], made["seats"]


# ---- who
def test_a_name_needs_no_registering_and_moves_to_another_device_once(server):
    al = Somebody(server, "Al", colour="teal", device="Firefox on Linux")
    me = al.get("/api/me")
    assert (me["name"], me["colour"], [device["this"] for device in me["devices"]]) == ("Al", "teal", [True])
    token = al.post("/api/me/move")["token"]
    phone = Somebody(server)
    phone.become(phone.post("/api/me/join", {"token": token, "device": "phone"})["key"])
    assert phone.get("/api/me")["id"] == me["id"]
    thief = Somebody(server)
    assert "used" in thief.post("/api/me/join", {"token": token}, status=401)["error"]["message"]
    late = al.post("/api/me/move")["token"]
    server.wait(601)
    thief.post("/api/me/join", {"token": late}, status=401)
    match, (own, _invitation) = new_match(phone)
    assert phone.get(f"/api/matches/{match}", authorization=f"Bearer {own['secret']}")["you"] == ["red"]
    [gone] = [device["id"] for device in al.get("/api/me")["devices"] if device["label"] == "phone"]
    al.post("/api/me/drop", {"id": gone})
    phone.get("/api/me", status=401)
    phone.get(f"/api/matches/{match}", status=401, authorization=f"Bearer {own['secret']}")
    assert al.get(f"/api/matches/{match}")["you"] == ["red"]
    assert Somebody(server).get("/api/me", status=401)["error"]["code"] == "no-person"


def test_a_claimed_seat_opens_to_its_person_alone(server):
    al, bo, eve = Somebody(server, "Al"), Somebody(server, "Bo"), Somebody(server, "Eve")
    match, (_own, invitation) = new_match(al)
    shown = bo.get(f"/api/matches/{match}/invitation", authorization=f"Bearer {invitation['secret']}")
    assert shown["roles"] == ["blue"]
    assert [seat["name"] for seat in shown["info"]["seats"]] == ["Al", "", ""]
    key = bo.post(f"/api/matches/{match}/seat", {"do": "claim", "name": "Bo"}, seat=invitation["secret"])["secret"]
    assert al.get(f"/api/matches/{match}")["you"] == ["red"]
    assert bo.get(f"/api/matches/{match}")["you"] == ["blue"]
    assert eve.get(f"/api/matches/{match}")["you"] == []
    body, dead_link = {"role": "blue", "action": PLAN, "answers": 0, "id": "x"}, invitation["secret"]
    for who in (eve, Somebody(server)):
        who.get(f"/api/matches/{match}/table", status=401, authorization=f"Bearer {dead_link}")
        who.post(f"/api/matches/{match}/act", body, status=401, seat=dead_link)
    # who made the match has the invitation still, and sees what red may see
    al.post(f"/api/matches/{match}/act", body, status=403, seat=dead_link)
    al.get(f"/api/matches/{match}/table?role=blue", status=403, authorization=f"Bearer {dead_link}")
    dead = al.get(f"/api/matches/{match}/invitation", authorization=f"Bearer {invitation['secret']}")
    assert dead["roles"] == []
    assert [line["you"] for line in bo.get("/api/matches?mine=true")] == [["blue"]]
    assert key != invitation["secret"]


# ---- being called
def decrypted(body: bytes, key: Any, auth: bytes) -> Any:
    return json.loads(http_ece.decrypt(body, private_key=key, auth_secret=auth, version="aes128gcm"))


def text64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def test_a_move_calls_the_next_player_by_push_mail_and_webhook(server, postbox, listener):
    al, bo = Somebody(server, "Al"), Somebody(server, "Bo", lang="de")
    private, auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
    public = private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": text64(public), "auth": text64(auth)}
    bo.post("/api/me/push", {"endpoint": f"{listener.url}/push/bo", "keys": keys})
    before = len(postbox.mails)
    bo.post("/api/me/mail", {"address": "bo@example.org"})
    confirm = message_from_string(postbox.wait_for(before + 1)[-1], policy=policy.default)
    assert confirm["To"] == "bo@example.org"
    token = re.search(r"#mail=(\S+)", confirm.get_content())
    assert token is not None
    assert bo.get("/api/me")["mail"] == "", "nobody is written to before they said yes"
    bo.post("/api/me/mail/confirm", {"token": token[1]})
    bo.post("/api/me/calls", {"push": True, "mail": True, "hook": f"{listener.url}/hook"})
    match, (_own, invitation) = new_match(al)
    bo.post(f"/api/matches/{match}/seat", {"do": "claim", "name": "Bo"}, seat=invitation["secret"])
    heard = {path: (headers, body) for path, headers, body in listener.wait_for(2)}
    headers, body = heard["/push/bo"]
    told = decrypted(body, private, auth)
    assert told["title"] == "Du bist am Zug"
    assert "gegen Al, den Computer" in told["body"]
    assert told["url"] == f"{server.url}/m/{match}"
    key = bo.get("/api/server")["push"]
    assert headers["authorization"].startswith("vapid t=")
    assert headers["authorization"].endswith(f"k={key}")
    hook = json.loads(heard["/hook"][1])
    assert "Du bist am Zug" in hook["content"]
    mail = message_from_string(postbox.wait_for(before + 2)[-1], policy=policy.default)
    assert (mail["To"], mail["Subject"]) == ("bo@example.org", "Du bist am Zug")
    assert f"{server.url}/m/{match}" in mail.get_content()
    quiet = DEMO.texts("de").say("digest.quiet")
    assert quiet in mail.get_content(), "their own mail tells what has happened"
    assert quiet not in f"{told}{hook}", "what others may read does not"
    everything = f"{told}{hook}{mail.as_string()}"
    for secret in (invitation["secret"], bo.key, al.key, "seat=", bo.get("/api/me")["feed"]):
        assert secret not in everything
    # the same wait is told once; the next one is told again
    server.wait(3600)
    bo.act(match, "blue", PLAN)
    al.act(match, "red", PLAN)
    number = until(lambda: al.get(f"/api/matches/{match}")["number"] if is_asked(al, match, "red") else None)
    assert number >= 3
    assert len(listener.heard) == 2
    al.act(match, "red", {"do": "end-moves"})
    until(lambda: is_asked(bo, match, "blue") or None)
    assert len(listener.wait_for(4)) == 4


def is_asked(who: Somebody, match: str, role: str) -> bool:
    return role in who.get(f"/api/matches/{match}")["asked"]


def test_one_message_names_all_matches_that_wait_and_quiet_hours_are_kept(server, listener):
    al, bo = Somebody(server, "Al"), Somebody(server, "Bo")
    now = dt.datetime.fromtimestamp(time.time() + server.later, dt.UTC)
    minute = now.hour * 60 + now.minute
    quiet = {"quiet_from": (minute - 60) % 1440, "quiet_to": (minute + 120) % 1440}
    bo.post("/api/me/calls", {"hook": f"{listener.url}/bo", "pace": "day", **quiet})
    for _ in range(3):
        match, (_own, invitation) = new_match(al)
        bo.post(f"/api/matches/{match}/seat", {"do": "claim"}, seat=invitation["secret"])
    until(lambda: len(ET.fromstring(bo.get(f"/feeds/{bo.get('/api/me')['feed']}.atom"))) == 8 or None)
    assert listener.heard == [], "it is night"
    server.wait(3 * 3600)
    listener.wait_for(1)
    assert listener.json(0)["title"] == "Your move in 3 matches"
    assert len(listener.json(0)["text"].splitlines()) == 5, "a title, three matches, a link"
    match, (_own, invitation) = new_match(al)
    bo.post(f"/api/matches/{match}/seat", {"do": "claim"}, seat=invitation["secret"])
    server.wait(20 * 3600)
    until(lambda: len(ET.fromstring(bo.get(f"/feeds/{bo.get('/api/me')['feed']}.atom"))) == 9 or None)
    assert len(listener.heard) == 1, "once a day"
    server.wait(5 * 3600)
    listener.wait_for(2)
    assert listener.json(1)["title"] == "Your move"


def test_a_subscription_that_is_gone_is_forgotten_and_a_broken_road_is_tried_again(server, listener):
    listener.status = 410
    al = Somebody(server, "Al")
    public = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": text64(point), "auth": text64(os.urandom(16))}
    al.post("/api/me/push", {"endpoint": f"{listener.url}/gone", "keys": keys})
    match, _ = new_match(al)
    listener.wait_for(1)
    until(lambda: al.get("/api/me")["pushes"] == 0 or None)
    listener.status = 500
    al.post("/api/me/calls", {"hook": f"{listener.url}/broken"})
    server.wait(3600)
    listener.wait_for(2)
    listener.status = 204
    server.wait(3600)
    listener.wait_for(3)
    assert match in listener.json(2)["url"]


def test_nobody_is_called_at_an_address_of_our_own_network(monkeypatch):
    for url in (
        "https://127.0.0.1/x",
        "https://localhost/x",
        "https://10.1.2.3/",
        "https://[::1]/",
        "https://169.254.169.254/",
    ):
        with pytest.raises(NotReached, match="private network"):
            post(url, b"", {})
    with pytest.raises(NotReached, match="https"):
        post("http://example.org/", b"", {})


def test_quiet_hours_go_over_midnight_in_the_time_zone_of_the_person():
    def quiet(hour: float, start: int, end: int, zone: str = "UTC") -> bool:
        set_to = Calls(quiet_from=start * 60, quiet_to=end * 60, zone=zone)
        return is_quiet(person(set_to), hour * 3600)

    assert [quiet(hour, 22, 7) for hour in (21.9, 22, 23.5, 3, 6.9, 7, 12)] == [
        False,
        True,
        True,
        True,
        True,
        False,
        False,
    ]
    assert [quiet(hour, 1, 3) for hour in (0.5, 1, 2.9, 3)] == [False, True, True, False]
    assert quiet(21, 22, 7, "Europe/Berlin"), "it is 22 o'clock in Berlin"
    assert not any(quiet(hour, 0, 0) for hour in range(24))


def person(set_to: Calls, lang: str = "en") -> Person:
    return Person("p", "Bo", "", lang, 0.0, None, "", set_to, "https://play.example.org", "feed", 0.0)


@pytest.mark.parametrize("game", [DEMO, *(find(name) for name in games())], ids=lambda game: game.id)
def test_a_call_and_a_feed_are_the_same_bytes_whatever_the_player_may_not_know(game):
    differ = 0
    for scenario in list(game.scenarios)[:2]:
        match, rng = Match.new(game, scenario, seed=3, history=False), Random(3)
        for _ in range(4):
            random_play(match, rng, most=30)
            if match.over:
                break
            for place, role in enumerate(match.roles):
                other = match.scramble(role, rng)
                differ += game.codec.pack(other.state) != game.codec.pack(match.state)
                assert told(game, match, place) == told(game, other, place), (scenario, role)
    assert differ or all(game.public(Match.new(game, one, seed=3).state) for one in game.scenarios)


def told(game: Any, match: Any, place: int) -> list[bytes]:
    """Everything that a player is sent when it is their move."""
    row = MatchRow(
        "m", game.id, game.rules_version, match.scenario, {}, "", "", 0.0, 0.0, False, "live", **standing(match)
    )
    seats = [SeatRow("m", n, "", (role,), "person", "", role) for n, role in enumerate(match.roles)]
    hands = {role: (60.0, 0.0 if role in row.asked else None) for role in match.roles}
    glance, wait = Glance(seats, hands, ()), Wait("m", place, "p", "move", row.number, 0.0, False, 0)
    found = []
    for lang in ("en", "de"):
        line = describe(row, glance, wait, lang, 10.0)
        lines = [(wait, line, calls.due_at(glance, seats[place].roles))]
        found += [line.encode(), feeds.atom(person(Calls(), lang), lines), feeds.calendar(person(Calls(), lang), lines)]
    return found


def test_the_feeds_are_whole_and_name_when_a_move_is_due(server):
    al = Somebody(server, 'Al, the "great"; yes')
    match, _ = new_match(al, clock={"kind": "move", "seconds": 172_800})
    feed = al.get("/api/me")["feed"]
    until(lambda: match.encode() in al.get(f"/feeds/{feed}.atom") or None)
    tree = ET.fromstring(al.get(f"/feeds/{feed}.atom"))
    space = "{http://www.w3.org/2005/Atom}"
    assert [entry.findtext(f"{space}title") for entry in tree.iter(f"{space}entry")] == ["Your move"]
    calendar = al.get(f"/feeds/{feed}.ics")
    lines = calendar.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert calendar.replace(b"\r\n ", b"").count(b"BEGIN:VEVENT") == 1
    assert f"URL:{server.url}/m/{match}".encode() in calendar.replace(b"\r\n ", b"")
    Somebody(server).get("/feeds/nobody.atom", status=404)
    Somebody(server).get(f"/feeds/{feed}.xml", status=404)


# ---- accounts elsewhere
def test_an_account_of_a_real_provider_finds_its_person_again_on_another_device(tmp_path: Path):
    import oidc_provider_mock

    with oidc_provider_mock.run_server_in_thread() as provider:
        issuer = f"http://localhost:{provider.server_port}"
        server = Inside(tmp_path, provider=Provider(issuer, "sandtable", "secret", "Example"))
        try:
            al = Somebody(server, "Al")
            mine = al.get("/api/me")["id"]
            assert al.get("/api/server")["account"] == "Example"
            al.become(signed_in(server, al, "al@example.org"))
            assert (al.get("/api/me")["id"], al.get("/api/me")["account"]) == (mine, True)
            phone = Somebody(server)
            phone.become(signed_in(server, phone, "al@example.org"))
            assert phone.get("/api/me")["id"] == mine
            eve = Somebody(server)
            eve.become(signed_in(server, eve, "eve@example.org"))
            assert eve.get("/api/me")["id"] != mine
            forged = httpx.get(f"{server.url}/api/login/back?state=made-up&code=x", timeout=60)
            assert forged.status_code == 401
        finally:
            server.stop()


def signed_in(server: Inside, who: Somebody, subject: str) -> str:
    """Go to the provider and back as a browser does; returns the key of the device."""
    address = who.http.get("/api/login").text.strip('"')
    agreed = httpx.post(address, data={"sub": subject}, timeout=60)
    assert agreed.status_code in (302, 303), agreed.text
    back = httpx.get(agreed.headers["location"], timeout=60)
    assert back.status_code == 302, back.text
    token = back.headers["location"].partition("#join=")[2]
    return str(who.post("/api/me/join", {"token": token})["key"])


def test_people_are_known_called_and_rated_on_postgresql(tmp_path: Path, postgres_url: str, listener: Listener):
    server = Inside(tmp_path, database=postgres_url)
    try:
        al, bo = Somebody(server, "Al"), Somebody(server, "Bo")
        bo.post("/api/me/calls", {"hook": f"{listener.url}/bo"})
        seats = [{"roles": ["red", "green"]}, {"roles": ["blue"], "invite": True}]
        match, (_own, invitation) = new_match(al, seats=seats, rated=True)
        bo.post(f"/api/matches/{match}/seat", {"do": "claim"}, seat=invitation["secret"])
        listener.wait_for(1)
        phone = Somebody(server)
        phone.become(phone.post("/api/me/join", {"token": bo.post("/api/me/move")["token"]})["key"])
        assert [line["you"] for line in phone.get("/api/matches?mine=true")] == [["blue"]]
        phone.act(match, "blue", {"do": "resign"})
        until(lambda: al.get(f"/api/ratings/{GAME}") or None)
        [device] = [one["id"] for one in bo.get("/api/me")["devices"] if not one["this"]]
        bo.post("/api/me/drop", {"id": device})
        phone.get("/api/me", status=401)
    finally:
        server.stop()


# ---- ratings
def test_glicko_gives_the_figures_of_its_own_paper():
    after = rated(Strength(1500, 200, 0.06), [
        (Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0),
    ])  # fmt: skip
    assert after == pytest.approx((1464.06, 151.52, 0.05999), abs=0.01)
    assert rated(Strength(1500, 200, 0.06), []).deviation == pytest.approx(200.2714, abs=1e-3)


def test_a_rated_match_counts_once_for_both(server):
    al, bo = Somebody(server, "Al"), Somebody(server, "Bo")
    seats = [{"roles": ["red", "green"]}, {"roles": ["blue"], "invite": True}]
    for rated_match in (False, True):
        match, (_own, invitation) = new_match(al, seats=seats, rated=rated_match)
        bo.post(f"/api/matches/{match}/seat", {"do": "claim"}, seat=invitation["secret"])
        bo.act(match, "blue", {"do": "resign"})
    table = until(lambda: al.get(f"/api/ratings/{GAME}") or None)
    best = msgspec.convert(table, list[dict[str, Any]])
    assert [(row["name"], row["matches"], row["you"]) for row in best] == [("Al", 1, True), ("Bo", 1, False)]
    assert best[0]["rating"] - 1500 == pytest.approx(1500 - best[1]["rating"])
    assert best[0]["rating"] > 1600
