"""The host knows no network, no database, no process: it must also run inside a browser."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import sandtable.host

HOME = Path(sandtable.host.__file__).parent
UPWARD = {"core", "games", "odds", "players", "host"}
FORBIDDEN = {"concurrent", "http", "multiprocessing", "socket", "sqlite3", "ssl", "subprocess", "threading", "urllib"}


def imported() -> set[str]:
    found = set()
    for path in HOME.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                found.add(str(node.module))
    return found


def test_it_imports_msgspec_the_standard_library_and_what_stands_above_it() -> None:
    for name in imported():
        first, *rest = name.split(".")
        if first == "sandtable":
            assert rest[0] in UPWARD, name
        else:
            assert first == "msgspec" or first in sys.stdlib_module_names - FORBIDDEN, name


def test_nothing_of_a_server_comes_with_it() -> None:
    code = "import sandtable.host, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert "msgspec" in loaded
    assert loaded & {"alembic", "litestar", "multiprocessing", "numpy", "sqlalchemy", "sqlite3", "uvicorn"} == set()
