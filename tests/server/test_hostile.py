"""Hostile input is refused in one line and the server is unharmed; the API is as it describes itself."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time

import httpx
import pytest

from .conftest import ONE_EACH, ROOT, Server, create, get


def one_sentence(answer: httpx.Response) -> str:
    message = str(answer.json()["error"]["message"])
    assert message
    assert "\n" not in message
    assert "Traceback" not in answer.text
    return message


BODIES = {
    "empty": b"",
    "not json": b"hello",
    "broken utf-8": b'{"role":"\xff\xfe","action":{},"answers":0,"id":"x"}',
    "deep": b'{"role":"red","answers":0,"id":"x","action":' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}",
    "deep list": b"[" * 100_000,
    "wrong types": b'{"role":1,"action":[],"answers":"x","id":{}}',
    "unknown field": b'{"role":"red","action":{"do":"pass"},"answers":0,"id":"x","admin":true}',
    "huge number": b'{"role":"red","action":{"do":"pass"},"answers":' + b"9" * 400 + b',"id":"x"}',
    "negative number": b'{"role":"red","action":{"do":"pass"},"answers":-1,"id":"x"}',
    "unknown action": b'{"role":"red","action":{"do":"drop-table"},"answers":0,"id":"x"}',
    "no action": b'{"role":"red","action":{},"answers":0,"id":"x"}',
    "nul": b'{"role":"red","action":{"do":"plan","posture":"\\u0000"},"answers":0,"id":"x"}',
    "long id": b'{"role":"red","action":{"do":"pass"},"answers":0,"id":"' + b"x" * 5000 + b'"}',
    "nan": b'{"role":"red","action":{"do":"pass","x":NaN},"answers":0,"id":"x"}',
}


@pytest.mark.parametrize("name", BODIES)
def test_a_bad_body_is_refused_in_one_line_and_nothing_changes(server, name):
    _match, (red, *_) = create(server.url, ONE_EACH)
    answer = red.http.post("/act", content=BODIES[name], headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    one_sentence(answer)
    assert red.info()["number"] == 0


def test_a_body_too_large_is_refused(server):
    _match, (red, *_) = create(server.url, ONE_EACH)
    answer = red.act("red", {"do": "plan", "posture": "x" * 400_000}, 0)
    assert answer.status_code == 413
    assert red.info()["number"] == 0


@pytest.mark.parametrize(
    "path",
    ["/api/matches/none", "/api/matches/%00", "/api/matches/" + "x" * 3000, "/api/games/none/map", "/api/nothing",
     "/api/matches/../../etc/passwd/table", "/assets/../../pyproject.toml", "/api/games/os:system/rules"],
)  # fmt: skip
def test_what_is_not_there_is_not_there(server, path):
    answer = get(server.url + path)
    assert answer.status_code in (400, 404), answer.text
    one_sentence(answer)


def test_a_slow_sender_is_cut_off_and_others_are_served(server):
    with socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(
            b"POST /api/matches HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\nContent-Type: application/json\r\n\r\n{"
        )
        assert get(f"{server.url}/api/health").status_code == 200
        slow.settimeout(30)
        began = time.monotonic()
        answer = slow.recv(4096)
        assert time.monotonic() - began < 25
        assert answer == b"" or b" 4" in answer.split(b"\r\n")[0] or b" 5" in answer.split(b"\r\n")[0]


def test_headers_keep_strangers_out_of_the_page(server):
    headers = get(f"{server.url}/api/games").headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("path", "may"),
    [("/story/x?n=1&embed=1", True), ("/story/x?n=1", False), ("/m/x?embed=1", False), ("/?embed=1", False)],
)
def test_only_the_embedded_view_of_a_story_is_shown_within_other_pages(server, path, may):
    policy = get(f"{server.url}{path}").headers["content-security-policy"]
    assert ("frame-ancestors *" in policy) == may
    assert ("frame-ancestors 'none'" in policy) != may
    assert "script-src 'self'" in policy


def test_too_many_requests_are_slowed_down(tmp_path):
    running = Server(f"sqlite:///{tmp_path / 'rate.db'}", rate_limit=(0.5, 10.0))
    try:
        codes = [get(f"{running.url}/api/health").status_code for _ in range(40)]
        assert codes[0] == 200
        assert 429 in codes
        time.sleep(2.5)
        assert get(f"{running.url}/api/health").status_code == 200
    finally:
        running.stop()


def test_secrets_and_seeds_are_never_logged_or_stored_in_the_clear(tmp_path):
    running = Server(f"sqlite:///{tmp_path / 'secret.db'}")
    _match, seats = create(running.url, ONE_EACH)
    secrets = [seat.secret for seat in seats]
    for seat in seats:
        seat.act(seat.roles[0], {"do": "fly"}, 0)
        seat.act(seat.roles[0], {"do": "plan", "posture": "march"}, 7)
    running.stop()
    written = running.log()
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    for secret in secrets:
        assert secret is not None
        assert secret.encode() not in written
        assert secret.encode() not in stored


@pytest.mark.parametrize("seated", [True, False])
def test_the_api_is_as_it_describes_itself(server, tmp_path, seated):
    """schemathesis tries what the description allows and what it does not: no server error, no undocumented status."""
    match, (seat,) = create(server.url, public=True)
    if seated:  # a real match and a real seat, so that the requests come through to the rules
        settings = f'[parameters]\n"path.match" = "{match}"\n"path.game" = "three-crowns"\n"query.role" = "red"\n'
        (tmp_path / "schemathesis.toml").write_text(settings)
    auth = ["-H", f"Authorization: Bearer {seat.secret}"] if seated else []
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/schema/openapi.json", *auth,
         "--checks", "not_a_server_error,status_code_conformance", "--max-examples", "15", "--seed", "1",
         "--no-color", "--phases", "examples,coverage,fuzzing"],
        cwd=tmp_path, capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:]
    described = get(f"{server.url}/api/schema/openapi.json").json()["paths"].values()
    calls = sum(len(verbs) for verbs in described)
    assert f"{calls}/{calls}" in done.stdout
    assert get(f"{server.url}/api/health").json()["status"] == "ok"


def test_the_description_names_every_status(server):
    description = get(f"{server.url}/api/schema/openapi.json").json()
    for path, verbs in description["paths"].items():
        for verb in verbs.values():
            assert {"400", "401", "403", "404", "409", "413", "422", "429"} <= set(verb["responses"]), path
    assert str(ROOT) not in json.dumps(description)
