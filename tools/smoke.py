"""Starts `sandtable play` as a person does, makes a match, and lets two bots play some of it: works on every system.

python tools/smoke.py     with the system's Python; the checkout's own environment is used
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[1]
COMMAND = [sys.executable, str(HOME / "src" / "sandtable" / "cli" / "bootstrap.py")]
ROLES = {"axis": "captain", "soviet": "recruit"}


def call(address: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def main() -> int:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        words = [*COMMAND, "play", "--no-browser", "--port", "0", "--data", folder]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[3]
            for _ in range(300):
                try:
                    page = urllib.request.urlopen(address, timeout=5).read()
                    break
                except OSError:
                    time.sleep(0.2)
            assert b"<script" in page, "the page of the browser client"
            seats = [{"roles": [role], "kind": "computer", "level": level} for role, level in ROLES.items()]
            made = call(f"{address}api/matches", {"game": "hitlers-war", "scenario": "barbarossa", "seats": seats})
            match = f"{address}api/matches/{made['match']}"
            for _ in range(600):
                number = call(match)["number"]
                if number >= 20:
                    print(f"{number} moves were made at {address}")
                    return 0
                time.sleep(0.2)
            print("the computer players do not move", file=sys.stderr)
            return 1
        finally:
            server.kill()
            server.wait()


if __name__ == "__main__":
    sys.exit(main())
