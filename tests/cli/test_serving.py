"""`play` and `serve`: they start as a new user starts them, and bad input gets one line."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from sandtable.cli.app import main
from sandtable.server import run

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "sandtable.cli"]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["serve", "--workers", "0"], "at least one worker"),
        (["serve", "--port", "99999"], "no port 99999"),
        (["serve", "--workers", "2", "--database", "sqlite:///x.db"], "several workers need a PostgreSQL database"),
        (["serve", "--database", "mysql://x/y"], "SQLite and PostgreSQL are"),
        (["serve", "--database", "nonsense"], "not a database address"),
        (["serve", "--database", "postgresql://nobody@127.0.0.1:1/none"], "the database cannot be used"),
        (["play", "chess"], "no game 'chess'"),
    ],
)
def test_bad_input_gets_one_line_and_status_2(words, reason, tmp_path):
    done = subprocess.run(
        [*COMMAND, *words], capture_output=True, text=True, timeout=60, cwd=tmp_path, check=False,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert reason in done.stderr
    assert done.stdout == "", "it never said that it listens"
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.rglob("*.db"))


def test_play_serves_its_own_person_and_keeps_his_matches(tmp_path):
    env = {**os.environ, "SANDTABLE_GAMES": "three-crowns=tests.demo.game:GAME", "PYTHONPATH": str(ROOT)}
    words = [*COMMAND, "play", "--no-browser", "--port", "0", "--data", str(tmp_path)]

    def start():
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env, cwd=ROOT)
        assert process.stdout is not None
        address = process.stdout.readline().split()[3]
        for _ in range(200):
            try:
                httpx.get(f"{address}api/health")
            except httpx.TransportError:
                time.sleep(0.05)
            else:
                return process, address
        raise AssertionError("the server does not answer")

    process, address = start()
    try:
        made = httpx.post(f"{address}api/matches", json={"game": "three-crowns"}).json()
        process.send_signal(signal.SIGKILL)
        process.wait()
        process, address = start()
        (mine,) = httpx.get(f"{address}api/matches").json()
        assert mine["match"] == made["match"]
        assert mine["secret"] == made["seats"][0]["secret"]
        assert address.startswith("http://127.0.0.1:")
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) in (0, -signal.SIGINT, 130)


def answers(address: str) -> bool:
    """Wait until a server that has said where it is answers there."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            return httpx.get(address, timeout=60).status_code == 200
        except httpx.TransportError:
            time.sleep(0.05)
    return False


def test_a_second_play_opens_the_running_one(tmp_path):
    """The first one opens the browser when it answers, the second one opens the same address and ends."""
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{seen}"\n')
    browser.chmod(0o755)
    env = {**os.environ, "BROWSER": f"{browser} %s", "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    words = [*COMMAND, "play", "--port", "0", "--data", str(tmp_path / "data")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=env) as first:
        try:
            assert first.stdout is not None
            address = first.stdout.readline().split()[3]
            second = subprocess.run([*words, "hitlers-war"], capture_output=True, text=True, env=env, timeout=60)
            assert second.returncode == 0, second.stderr
            assert second.stdout.startswith(f"Sandtable is already at {address}?game=hitlers-war ")
            assert seen.read_text().split() == [address, f"{address}?game=hitlers-war"]
        finally:
            first.send_signal(signal.SIGINT)
    # a stale note of where it was does not matter
    third = subprocess.Popen([*words, "--no-browser"], stdout=subprocess.PIPE, text=True, env=env)
    try:
        assert third.stdout is not None
        line = third.stdout.readline()
        assert line.startswith("Sandtable is at http://127.0.0.1:")
        assert answers(line.split()[3])
    finally:
        third.send_signal(signal.SIGINT)
        third.communicate(timeout=60)


def test_serve_says_that_a_port_is_taken_before_it_says_that_it_listens(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = subprocess.run(
            [*COMMAND, "serve", "--port", str(port), "--database", f"sqlite:///{tmp_path / 'x.db'}"],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    expected = f"sandtable: port {port} of 127.0.0.1 cannot be opened: another program listens there\n"
    assert done.stderr == expected


def test_a_package_without_the_browser_client_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(run, "client_folder", lambda: None)
    assert main(["play", "--data", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"sandtable: {run.NO_CLIENT}\n"
    served = []
    monkeypatch.setattr(run, "serve", lambda settings, **more: served.append(settings))
    assert main(["serve", "--port", "0", "--database", f"sqlite:///{tmp_path / 'x.db'}"]) == 0
    assert capsys.readouterr().err == f"sandtable: {run.NO_CLIENT}; only the API is served\n"
    assert served[0].client is None
