"""kill -9 at any moment: no acknowledged move is lost, none is there twice, every match replays to its stored state."""

from __future__ import annotations

import json
import os
import threading
import time
import uuid
from random import Random
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from sandtable.core import Match
from sandtable.core import replay as files
from tests.demo.game import GAME as DEMO

from .conftest import Seat, Server, create, get, post

KILLS = int(os.environ.get("SANDTABLE_KILLS", "8"))
"""How often the server is killed; the full test kills it 50 times and more."""
RACES = int(os.environ.get("SANDTABLE_RACES", "60"))
"""How many decisions two clients race for; the full test has 1,000."""


class Driver(threading.Thread):
    """Plays matches over the API through every crash, and remembers what was acknowledged."""

    def __init__(self, server: Server, seed: int) -> None:
        super().__init__(daemon=True)
        self.server, self.rng, self.stopping = server, Random(seed), False
        self.acknowledged: dict[str, dict[int, tuple[str, dict[str, Any]]]] = {}
        self.seats: dict[str, Seat] = {}
        self.shadows: dict[str, Match] = {}
        self.failure: Exception | None = None

    def run(self) -> None:
        try:
            while not self.stopping:
                self.play_one()
        except Exception as error:
            self.failure = error

    def again(self, call):
        """Try until the server answers."""
        while True:
            try:
                return call()
            except httpx.TransportError:
                if self.stopping:
                    raise
                time.sleep(0.02)

    def play_one(self) -> None:
        try:
            match, seats = self.again(lambda: create(self.server.url))
            seat = seats[0]
            self.seats[match], self.acknowledged[match] = seat, {}
            while not self.stopping:
                info = self.again(seat.info)
                if info["over"]:
                    return
                role = info["asked"][0]
                self.move(match, seat, role, info["number"])
        except httpx.TransportError:
            return

    def move(self, match: str, seat: Seat, role: str, number: int) -> None:
        offers = self.again(lambda: seat.http.get("/offers", params={"role": role})).json()
        verbs = {offer["verb"]: offer for offer in offers["offers"]}
        action: dict[str, Any] = {"do": "plan", "posture": self.rng.choice(["march", "dig in"])}
        if "plan" not in verbs:
            action = self.simple_action(verbs, seat, role)
        made = self.act(seat, role, action, offers["number"], uuid.uuid4().hex)
        if made is not None:
            self.acknowledged[match][made] = (role, action)

    def act(self, seat: Seat, role: str, action: dict[str, Any], answers: int, key: str) -> int | None:
        """The number under which the move was acknowledged; the same id is used again after a crash."""
        done = self.again(lambda: seat.act(role, action, answers, key))
        return int(done.json()["number"]) if done.status_code == 200 else None

    def simple_action(self, verbs, seat, role):
        def first(verb, prefix):
            body = {"role": role, "index": verbs[verb]["index"], "prefix": prefix}
            return self.again(lambda: seat.http.post("/offers/next", json=body)).json()["next"]

        if "walk" in verbs and self.rng.random() < 0.6:
            units = first("walk", [])["values"]
            if units:
                unit = self.rng.choice(units)
                onward = first("walk", [unit])["next"]
                if onward:
                    return {"do": "walk", "unit": unit, "path": [self.rng.choice(onward)]}
        if "lose" in verbs:
            return {"do": "lose", "units": first("lose", [])["values"][:1]}
        if "retreat" in verbs:
            unit = first("retreat", [])["values"][0]
            return {"do": "retreat", "unit": unit, "to": self.rng.choice(first("retreat", [unit])["values"])}
        return {"do": "end-moves"} if "end-moves" in verbs else {"do": "pass"}


class SocketDriver(Driver):
    """Makes its moves over the WebSocket, as the browser does."""

    def act(self, seat: Seat, role: str, action: dict[str, Any], answers: int, key: str) -> int | None:
        wish = {"type": "act", "role": role, "action": action, "answers": answers, "id": key}
        while True:
            try:
                address = f"{self.server.url.replace('http', 'ws')}/api/matches/{seat.match}/live"
                with connect(address, max_size=None) as socket:
                    socket.send(json.dumps({"seat": seat.secret}))
                    socket.send(json.dumps(wish))
                    while (message := json.loads(socket.recv())).get("id") != key:
                        continue
                    return int(message["acted"]) if message["type"] == "state" else None
            except (OSError, EOFError, WebSocketException):
                if self.stopping:
                    return None
                time.sleep(0.02)


def torture(database: str, kills: int) -> None:
    server = Server(database)
    drivers = [kind(server, seed) for seed, kind in enumerate((Driver, SocketDriver, Driver, SocketDriver))]
    rng = Random(42)
    try:
        for driver in drivers:
            driver.start()
        for _ in range(kills):
            time.sleep(rng.uniform(0.1, 0.6))
            server.kill()
            server.start()
        time.sleep(0.5)
        for driver in drivers:
            driver.stopping = True
        for driver in drivers:
            driver.join(30)
        moves = 0
        for driver in drivers:
            assert driver.failure is None, driver.failure
            for match, acknowledged in driver.acknowledged.items():
                moves += check_match(server, match, driver.seats[match], acknowledged)
        assert moves > kills
    finally:
        server.stop()


def check_match(server: Server, match: str, seat: Seat, acknowledged) -> int:
    """Every acknowledged move is there, once, under its number, and the log replays to the stored digests."""
    info = seat.info()
    if not info["over"]:
        seat.act("red", {"do": "resign"}, info["number"]).raise_for_status()
    data = seat.http.get("/file").raise_for_status().content
    _head, lines = files.read(data)
    stored = {line.n: line for line in lines}
    assert sorted(stored) == list(range(1, len(lines) + 1))
    for number, (role, action) in acknowledged.items():
        line = stored[number]
        assert line.role == role
        assert DEMO.codec.action(bytes(line.action)) == DEMO.codec.action(action)
    assert files.load(data, lambda name, rules: DEMO).number == len(lines)
    return len(acknowledged)


def test_no_acknowledged_move_is_lost_on_sqlite(tmp_path):
    torture(f"sqlite:///{tmp_path / 'crash.db'}", KILLS)


def test_no_acknowledged_move_is_lost_on_postgresql(postgres_url):
    torture(postgres_url, KILLS)


def test_a_match_stands_where_it_stood_after_a_restart(tmp_path):
    server = Server(f"sqlite:///{tmp_path / 'restart.db'}")
    try:
        _match, (seat,) = create(server.url)
        for number, role in enumerate(("red", "blue", "green")):
            seat.act(role, {"do": "plan", "posture": "march"}, number).raise_for_status()
        seat.act("red", {"do": "walk", "unit": "red-1", "path": ["Fordham"]}, 3).raise_for_status()
        before, log = seat.http.get("/table").json(), seat.http.get("/log").json()
        server.kill()
        server.start()
        assert seat.http.get("/table").json() == before
        assert seat.http.get("/log").json() == log
        undone = seat.act("red", {"do": "undo"}, 4)
        assert undone.status_code == 200, "what could be taken back before can be taken back after"
    finally:
        server.stop()


def test_a_killed_computer_player_goes_on_in_another_process(tmp_path):
    server = Server(f"sqlite:///{tmp_path / 'bots.db'}")
    try:
        bots = {"roles": ["red", "blue", "green"], "kind": "computer", "level": "recruit"}
        made = post(
            f"{server.url}/api/matches",
            json={"game": "three-crowns", "scenario": "war", "seats": [bots], "public": True},
        ).json()
        server.kill()
        server.start()
        deadline = time.time() + 60
        while time.time() < deadline:
            info = get(f"{server.url}/api/matches/{made['match']}").json()
            if info["over"]:
                break
            time.sleep(0.1)
        assert info["over"]
    finally:
        server.stop()


def test_two_server_processes_share_a_match_and_one_may_die(postgres_url):
    one, two = Server(postgres_url), Server(postgres_url)
    try:
        match, (seat,) = create(one.url)
        other = Seat(two.url, match, seat.secret, seat.roles)
        assert seat.act("red", {"do": "plan", "posture": "march"}, 0).status_code == 200
        assert other.info()["number"] == 1
        assert other.act("blue", {"do": "plan", "posture": "march"}, 1).status_code == 200
        assert seat.act("green", {"do": "plan", "posture": "march"}, 2).status_code == 200
        one.kill()
        assert other.info()["number"] == 3
        assert other.act("red", {"do": "end-moves"}, 3).status_code == 200
        one.start()
        assert Seat(one.url, match, seat.secret, seat.roles).info()["number"] == 4
    finally:
        one.stop()
        two.stop()


def test_racing_clients_on_two_processes_never_both_win(postgres_url):
    from concurrent.futures import ThreadPoolExecutor

    one, two = Server(postgres_url), Server(postgres_url)
    try:
        wins = 0
        with ThreadPoolExecutor(2) as pool:
            while wins < RACES:
                match, (seat,) = create(one.url)
                rival = Seat(two.url, match, seat.secret, seat.roles)
                for number, role in enumerate(("red", "blue", "green")):
                    action = {"do": "plan", "posture": "march"}
                    both = [pool.submit(s.act, role, action, number) for s in (seat, rival)]
                    codes = sorted(done.result().status_code for done in both)
                    assert codes == [200, 409] or codes == [200, 422], codes
                    assert seat.info()["number"] == rival.info()["number"] == number + 1
                    wins += 1
    finally:
        one.stop()
        two.stop()
