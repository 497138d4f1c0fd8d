"""Playing over HTTP: seats, moves, refusals, taking back, looking, branching, importing."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from sandtable.core import Match
from sandtable.core import replay as files
from tests.demo.game import GAME as DEMO

from .conftest import GAME, ONE_EACH, ROOT, Seat, create, get, post


def plan_all(seats):
    for seat in seats:
        number = seat.info()["number"]
        assert seat.act(seat.roles[0], {"do": "plan", "posture": "march"}, number).status_code == 200


def play_on(seats, rng, moves):
    """Play random legal moves over the API, as bots do."""
    made = 0
    while made < moves:
        info = seats[0].info()
        if info["over"]:
            return made
        for seat in seats:
            for role in seat.roles:
                if role in info["asked"]:
                    offers = seat.http.get("/offers", params={"role": role}).json()
                    action = pick(offers, seat, role, rng)
                    if action is None:
                        continue
                    done = seat.act(role, action, offers["number"])
                    assert done.status_code in (200, 409), done.text
                    made += 1
                    break
    return made


def pick(offers, seat, role, rng):
    """One action, field by field, from nothing but what the API describes."""
    if not offers["offers"]:
        return None
    for _ in range(30):
        offer = rng.choice(offers["offers"])
        prefix: list[object] = []
        action, dead = {"do": offer["verb"]}, False
        for field in offer["fields"]:
            body = {"role": role, "index": offer["index"], "prefix": prefix}
            found = seat.http.post("/offers/next", json=body)
            if found.status_code != 200:
                dead = True
                break
            value = choose(found.json()["next"], rng)
            if value is None:
                dead = True
                break
            prefix.append(value)
            action[field["name"]] = value
        if not dead and seat.http.post("/why-not", json={"role": role, "action": action}).json()["allowed"]:
            return action
    return None


def choose(domain, rng):
    kind = domain["type"]
    if kind == "one":
        return rng.choice(domain["values"]) if domain["values"] else None
    if kind == "number":
        return rng.randint(domain["least"], domain["most"])
    if kind == "some":
        size = rng.randint(domain["least"], domain["most"])
        chosen = set(rng.sample(range(len(domain["values"])), size))
        return [value for place, value in enumerate(domain["values"]) if place in chosen]
    if kind == "amounts":
        return [[rng.choice(domain["limits"])[0], 1]] if domain["limits"] else None
    assert kind == "walk"
    return [rng.choice(domain["next"])] if domain["next"] else None


# ---- games
def test_games_are_listed_with_all_that_a_lobby_needs(server):
    found = get(f"{server.url}/api/games?lang=de").json()
    demo = next(game for game in found if game["id"] == GAME)
    assert [role["name"] for role in demo["roles"]] == ["Rot", "Blau", "Grün"]
    assert {s["id"] for s in demo["scenarios"]} == {"war", "skirmish"}
    assert demo["options"][1]["choices"] == [0, 1, 3]
    assert demo["levels"][0] == "recruit"


def test_a_map_comes_zipped_once_and_only_when_it_is_new(server):
    first = get(f"{server.url}/api/games/hitlers-war/map")
    assert first.headers["content-encoding"] == "gzip"
    assert first.json()["game"] == "hitlers-war"
    tag = first.headers["etag"]
    again = get(f"{server.url}/api/games/hitlers-war/map", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    plain = get(f"{server.url}/api/games/hitlers-war/map", headers={"Accept-Encoding": "identity"})
    assert plain.json() == first.json()


def test_the_api_is_described(server):
    description = get(f"{server.url}/api/schema/openapi.json").json()
    assert "/api/matches/{match}/act" in description["paths"]


# ---- moves
def test_three_people_play_by_their_links(server):
    _match, seats = create(server.url, ONE_EACH)
    red, blue, green = seats
    assert red.info()["asked"] == ["red", "blue", "green"]
    first = red.act("red", {"do": "plan", "posture": "march"}, 0)
    assert first.json()["number"] == 1
    # decisions made at the same time do not make each other stale
    assert blue.act("blue", {"do": "plan", "posture": "dig in"}, 0).status_code == 200
    assert green.act("green", {"do": "plan", "posture": "scout"}, 0).status_code == 200
    assert red.info()["asked"] == ["red"]
    moved = red.act("red", {"do": "walk", "unit": "red-1", "path": ["Fordham"]}, 3).json()
    assert moved["events"][0]["refs"] == ["red-1", "Fordham"]
    assert red.http.get("/table").json()["stacks"]["Fordham"][0]["id"] == "red-1"


def test_a_stale_move_changes_nothing_and_tells_where_the_match_stands(server):
    _match, (red, blue, green) = create(server.url, ONE_EACH)
    plan_all((red, blue, green))
    late = red.act("red", {"do": "end-moves"}, 1)
    assert late.status_code == 409
    assert late.json()["number"] == 3
    assert red.info()["number"] == 3


def test_a_repeated_id_is_answered_as_the_first_time(server):
    _match, (red, *_) = create(server.url, ONE_EACH)
    key = uuid.uuid4().hex
    first = red.act("red", {"do": "plan", "posture": "march"}, 0, key)
    again = red.act("red", {"do": "plan", "posture": "march"}, 0, key)
    other = red.act("red", {"do": "plan", "posture": "scout"}, 0, key)
    assert (first.status_code, again.status_code, other.status_code) == (200, 200, 409)
    assert first.json() == again.json()
    assert red.info()["number"] == 1


def test_a_refusal_names_the_rule_in_the_readers_language(server):
    _match, seats = create(server.url, ONE_EACH)
    plan_all(seats)
    red = seats[0]
    red.act("red", {"do": "walk", "unit": "red-1", "path": ["Fordham"]}, 3)
    body = {"role": "red", "action": {"do": "walk", "unit": "red-1", "path": ["Crossing"]}, "answers": 4, "id": "x1"}
    refused = red.http.post("/act?lang=de", json=body)
    assert refused.status_code == 422
    assert refused.json()["error"]["rule"] == "demo-move-once"
    assert refused.json()["error"]["message"].startswith("red-1 ist in dieser Runde schon gezogen")
    asked = red.http.post("/why-not", json={"role": "red", "action": body["action"]}).json()
    assert (asked["allowed"], asked["rule"]) == (False, "demo-move-once")
    assert red.info()["number"] == 4


def test_undo_resign_and_draw(server):
    _match, seats = create(server.url, ONE_EACH)
    plan_all(seats)
    red, _blue, _green = seats
    red.act("red", {"do": "walk", "unit": "red-1", "path": ["Fordham"]}, 3)
    assert red.http.get("/offers", params={"role": "red"}).json()["undo"] == 1
    back = red.act("red", {"do": "undo"}, 4)
    assert back.status_code == 200
    assert "Fordham" not in red.http.get("/table").json()["stacks"]
    assert all(line["number"] != 4 for line in red.http.get("/log").json())
    refused = red.act("red", {"do": "undo"}, 5)
    assert (refused.status_code, refused.json()["error"]["rule"]) == (422, "sandtable-undo")
    for n, seat in enumerate(seats):
        seat.act(seat.roles[0], {"do": "draw"}, 5 + n).raise_for_status()
    info = red.info()
    assert info["over"]
    assert info["outcome"]["level"] == "draw"
    assert info["seed"] is not None


# ---- seats
def test_nobody_acts_for_another_seat(server):
    match, (_red, blue, _) = create(server.url, ONE_EACH)
    body = {"role": "red", "action": {"do": "plan", "posture": "march"}, "answers": 0, "id": "x"}
    assert blue.http.post("/act", json=body).status_code == 403
    assert post(f"{server.url}/api/matches/{match}/act", json=body).status_code == 401
    forged = Seat(server.url, match, "A" * 22, ["red"])
    assert forged.http.post("/act", json=body).status_code == 401
    _other_match, (stranger, *_) = create(server.url, ONE_EACH)
    trespass = Seat(server.url, match, stranger.secret, ["red"])
    assert trespass.http.post("/act", json=body).status_code == 401
    assert trespass.http.get("/table").status_code == 401


def test_a_spectator_sees_what_everybody_may_know(server):
    match, _seats = create(server.url, ONE_EACH)
    url = f"{server.url}/api/matches/{match}"
    assert get(f"{url}/table").json()["role"] is None
    assert get(f"{url}/table?role=red").status_code == 403
    assert get(f"{url}/file").status_code == 403
    assert get(f"{url}/dice").status_code == 403
    assert "seed" not in get(url).json() or get(url).json()["seed"] is None


def test_one_seat_may_hold_several_roles(server):
    _match, seats = create(server.url)
    assert [seat.roles for seat in seats] == [["red", "blue", "green"]]
    seat = seats[0]
    for number, role in enumerate(("red", "blue", "green")):
        assert seat.act(role, {"do": "plan", "posture": "march"}, number).status_code == 200
    assert seat.http.get("/table?role=blue").json()["role"] == "blue"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"game": "chess"}, "no game 'chess'"),
        ({"scenario": "peace"}, "no scenario 'peace'"),
        ({"options": {"rain": True}}, "no option 'rain'"),
        ({"seats": [{"roles": ["red"]}, {"roles": ["red"]}]}, "given to two seats"),
        ({"seats": [{"roles": ["pink"]}]}, "no role 'pink'"),
        ({"seats": [{"roles": ["red"], "kind": "computer", "level": "wizard"}]}, "no level 'wizard'"),
        ({"clock": {"kind": "move", "seconds": 0}}, "number of seconds"),
    ],
)
def test_a_match_that_cannot_be_is_turned_away_in_one_sentence(server, change, words):
    before = len(get(f"{server.url}/api/matches").json())
    answer = post(f"{server.url}/api/matches", json={"game": GAME, "scenario": "war", **change})
    assert answer.status_code == 400
    assert words in answer.json()["error"]["message"]
    assert len(get(f"{server.url}/api/matches").json()) == before


def test_my_matches_and_the_public_ones(server):
    match, seats = create(server.url, ONE_EACH)
    public, _ = create(server.url, ONE_EACH, public=True)
    listed = get(f"{server.url}/api/matches").json()
    assert public in [line["match"] for line in listed]
    assert match not in [line["match"] for line in listed]
    mine = get(f"{server.url}/api/matches?mine=true", headers={"X-Seats": f"junk,{seats[1].secret}"}).json()
    assert [(line["match"], line["you"]) for line in mine] == [(match, ["blue"])]
    assert all(line["secret"] is None for line in listed + mine)


# ---- the computer
def test_the_computer_answers_by_itself_until_a_person_is_asked(server):
    machine = {"roles": ["blue", "green"], "kind": "computer", "level": "recruit"}
    _match, (red,) = create(server.url, [{"roles": ["red"]}, machine])
    red.act("red", {"do": "plan", "posture": "dig in"}, 0)
    rng, deadline = Random(5), time.time() + 60
    while time.time() < deadline:
        info = red.info()
        if info["over"]:
            break
        if "red" in info["asked"]:
            offers = red.http.get("/offers", params={"role": "red"}).json()
            action = pick(offers, red, "red", rng)
            if action:
                red.act("red", action, offers["number"])
        else:
            time.sleep(0.02)
    assert red.info()["over"]


def test_a_missed_deadline_hands_the_seat_to_the_computer_until_its_owner_is_back(server):
    _match, seats = create(server.url, ONE_EACH, clock={"kind": "move", "seconds": 0.5})
    red, _blue, _green = seats
    deadline = time.time() + 30
    while time.time() < deadline and red.info()["number"] < 4:
        time.sleep(0.1)
    info = red.info()
    assert info["number"] >= 4
    assert all(seat["handed_over"] for seat in info["seats"])
    late = red.act("red", {"do": "plan", "posture": "march"}, 0)
    assert late.status_code in (409, 422)
    assert not red.info()["seats"][0]["handed_over"]


# ---- looking back
@pytest.fixture(scope="module")
def finished(server):
    match, seats = create(server.url)
    play_on(seats, Random(3), 1000)
    assert seats[0].info()["over"]
    return match, seats[0]


def test_a_finished_match_is_exported_checked_and_imported(server, finished):
    match, seat = finished
    data = seat.http.get("/file").content
    again = files.load(data, lambda name, rules: DEMO)
    assert again.over
    assert again.digest() == json.loads(data.splitlines()[-2])["digest"]
    dice = get(f"{server.url}/api/matches/{match}/dice").json()
    assert [d["value"] for d in dice["dice"]] == [again.play.dice.value(d["n"], d["sides"]) for d in dice["dice"]]
    brought = post(f"{server.url}/api/matches/import", json={"file": data.decode()})
    assert brought.status_code == 201
    info = get(f"{server.url}/api/matches/{brought.json()['match']}").json()
    assert (info["over"], info["number"], info["kind"]) == (True, again.number, "import")
    damaged = data.replace(b'"posture":"', b'"posture":"x', 1)
    refused = post(f"{server.url}/api/matches/import", json={"file": damaged.decode()})
    assert refused.status_code == 400


def test_the_page_of_the_dice_and_the_command_agree(server, finished, tmp_path):
    match, seat = finished
    path = tmp_path / "match.jsonl"
    path.write_bytes(seat.http.get("/file").content)
    words = [sys.executable, "-m", "sandtable.cli", "replay", str(path), "--verify", "--game", "tests.demo.game:GAME"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    shown = get(f"{server.url}/api/matches/{match}/dice").json()
    assert hashlib.sha256(shown["seed"].encode()).hexdigest() == shown["seed_hash"] == seat.info()["seed_hash"]
    altered = path.read_text().replace(shown["seed"], "0" * 64)
    path.write_text(altered)
    wrong = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=120, check=False)
    assert wrong.returncode == 2


def test_every_move_can_be_looked_at_from_every_side(server, finished):
    match, seat = finished
    replayed = files.load(seat.http.get("/file").content, lambda name, rules: DEMO, to=10)
    shown = get(f"{server.url}/api/matches/{match}/table?at=10&role=blue").json()
    assert shown["number"] == 10
    expected = replayed.table("blue").stacks
    assert {k: [c["id"] for c in v] for k, v in shown["stacks"].items()} == {
        k: [c.id for c in v] for k, v in expected.items()
    }
    assert get(f"{server.url}/api/matches/{match}/table?at=99999").status_code == 404


def test_a_branch_goes_its_own_way_with_its_own_dice(server, finished):
    match, seat = finished
    made = post(f"{server.url}/api/matches/{match}/branch", json={"at": 12})
    assert made.status_code == 201
    branch = Seat(server.url, made.json()["match"], made.json()["seats"][0]["secret"], ["red", "blue", "green"])
    info = branch.info()
    assert (info["number"], info["parent"], info["over"]) == (12, match, False)
    play_on([branch], Random(8), 1000)
    data = branch.http.get("/file").content
    assert files.load(data, lambda name, rules: DEMO).over
    assert seat.info()["number"] != 12


def test_a_running_match_with_hidden_things_is_not_branched_by_one_of_its_players(server):
    _match, (red, *_) = create(server.url, ONE_EACH)
    assert red.http.post("/branch", json={"at": 0}).status_code == 403


def test_a_story_is_written_published_read_by_a_stranger_and_taken_home(server, finished):
    match, seat = finished
    where = f"{server.url}/api/matches/{match}"
    assert get(f"{where}/story?number=1").status_code == 404
    note = {"at": 5, "text": "Here it turned.", "arrows": [["a", "b"]], "spaces": ["a"], "version": 0}
    assert post(f"{where}/story/annotate", json=note).status_code == 401
    written = seat.http.post("/story/annotate", json=note)
    assert written.status_code == 200
    assert seat.http.post("/story/annotate", json={**note, "text": "No, there."}).status_code == 409
    made = seat.http.post("/branch", json={"at": 5}).json()
    branch = Seat(server.url, made["match"], made["seats"][0]["secret"], ["red", "blue", "green"])
    play_on([branch], Random(8), 4)
    wish = {"branch": made["match"], "seat": branch.secret, "version": 1, "text": "Or so."}
    assert seat.http.post("/story/variation", json=wish).json()["notes"][0]["variations"][0]["text"] == "Or so."
    assert get(f"{where}/file?story=1").status_code == 404, "it is not published"
    cover = {"title": "The fall of Red", "eyes": "blue", "published": True, "version": 2}
    assert seat.http.post("/story/publish", json=cover).json()["published"]
    read = get(f"{where}/story?number=1").json()
    assert (read["title"], read["mine"], read["notes"][0]["text"]) == ("The fall of Red", False, "Here it turned.")
    data = get(f"{where}/file?story=1").content
    assert files.load(data, lambda name, rules: DEMO).over
    brought = post(f"{server.url}/api/matches/import", json={"file": data.decode()}).json()
    copy = Seat(server.url, brought["match"], brought["seats"][0]["secret"], ["red", "blue", "green"])
    assert copy.http.get("/story").json()["notes"] == read["notes"]


# ---- races
def test_two_clients_race_for_one_decision_and_one_wins(server):
    match, seats = create(server.url)
    seat = seats[0]
    rival = Seat(server.url, match, seat.secret, seat.roles)
    with ThreadPoolExecutor(2) as pool:
        for _ in range(60):
            info = seat.info()
            if info["over"]:
                break
            role = info["asked"][0]
            offers = seat.http.get("/offers", params={"role": role}).json()
            action = pick(offers, seat, role, Random(info["number"]))
            if action is None:
                continue
            both = [pool.submit(s.act, role, action, offers["number"]) for s in (seat, rival)]
            codes = sorted(done.result().status_code for done in both)
            assert codes in ([200, 409], [200, 422]), codes
            assert seat.info()["number"] == info["number"] + 1


def test_the_stored_log_replays_to_the_stored_digests(server, finished):
    _match, seat = finished
    head, log = files.read(seat.http.get("/file").content)
    played = Match.new(DEMO, head.scenario, head.options, seed=head.seed or "")
    for line in log:
        played.apply(line.role, played.parse(bytes(line.action)))
        assert played.digest() == line.digest
