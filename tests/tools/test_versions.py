"""The bounds in pyproject.toml: each dependency has one, the locks keep it, and the lowest can be asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.versions import TOOLS, lowest, pinned, tools

LOCK = (Path(__file__).resolve().parents[2] / "locks" / "run.txt").read_text(encoding="utf-8")
LOCKED = dict(re.findall(r"^([\w.-]+)==([\w.]+)", LOCK, re.MULTILINE))


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


@pytest.mark.parametrize("line", pinned("newest"))
def test_every_dependency_is_locked_at_its_lowest_version_or_later(line: str) -> None:
    found = re.match(r"([\w.-]+)(?:\[\w+\])?>=([\w.]+)", line)
    assert found is not None, f"{line} has no lower bound"
    assert number(LOCKED[found[1]]) >= number(found[2])


def test_the_lowest_versions_can_be_asked_for() -> None:
    assert lowest("uvloop>=0.21; sys_platform != 'win32'") == "uvloop==0.21; sys_platform != 'win32'"
    assert [line for line in pinned("lowest") if ">=" in line or "==" not in line] == []
    uvicorn = next(line for line in pinned("lowest") if line.startswith("uvicorn"))
    assert number(uvicorn) >= (0, 35), "before it there was no websockets-sansio"
    with pytest.raises(SystemExit, match="no lower bound"):
        lowest("rich")


def test_what_the_tests_need_has_its_bounds() -> None:
    assert [line.partition(">=")[0] for line in tools()] == sorted(TOOLS)
    assert all(line.partition(">=")[2] for line in tools())
