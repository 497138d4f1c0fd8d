"""`play` and `serve`: they start as a new user starts them, and bad input gets one line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

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
