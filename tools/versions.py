"""Runs the tests of core, games and server with other versions of the dependencies than the locked ones.

python -m tools.versions lowest     the lowest version that pyproject.toml allows of everything it names
python -m tools.versions newest     the newest of everything

    --quick     the tests of core and server only
    --keep DIR  make the virtual environment there, and keep it
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parents[1]
EXTRAS = ("lab", "people", "server")
TOOLS = (
    "aiosmtpd", "httpx", "hypothesis", "oidc-provider-mock", "playwright", "pytest", "pytest-xdist", "schemathesis",
)  # fmt: skip
"""What the tests themselves need: the newest, and never below the bounds of the extra `dev`."""
TESTS = ("tests/core", "tests/server", "tests/host", "tests/games")


def requirements(project: dict[str, Any], extras: tuple[str, ...] = EXTRAS) -> list[str]:
    """Everything that the package needs with these extras, as pyproject.toml has it."""
    found = list(project["dependencies"])
    for extra in extras:
        for line in project["optional-dependencies"][extra]:
            nested = re.fullmatch(rf"{project['name']}\[(.*)\]", line)
            found += requirements(project, tuple(nested[1].split(","))) if nested else [line]
    return sorted(set(found))


def lowest(line: str) -> str:
    """A requirement at its lower bound: 'rich>=13.9' becomes 'rich==13.9'."""
    if line.count(">=") != 1:
        raise SystemExit(f"{line} has no lower bound")
    return line.replace(">=", "==")


def pinned(which: str) -> list[str]:
    """The requirements at their lowest or at any version."""
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = requirements(project)
    return [lowest(line) for line in wanted] if which == "lowest" else wanted


def tools() -> list[str]:
    """What the tests themselves need, as pyproject.toml has it. So a version that is too old is an error here."""
    dev = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"][
        "dev"
    ]
    return [line for line in dev if line.partition(">=")[0] in TOOLS]


def run(which: str, folder: Path, tests: tuple[str, ...]) -> int:
    """Make the environment and run the tests in it; returns pytest's status."""
    python = str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python]
    subprocess.run([*pip, "install", "-q", "--upgrade", *pinned(which), *tools()], check=True)
    subprocess.run([*pip, "list", "--format=freeze"], check=True)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(HOME / "src"), str(HOME)])}
    return subprocess.run([python, "-m", "pytest", "-q", "-n", "2", *tests], cwd=HOME, env=env, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the tests with other versions of the dependencies.")
    parser.add_argument("which", choices=("lowest", "newest"))
    parser.add_argument("--quick", action="store_true", help="the tests of core and server only")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="make the environment there, and keep it")
    arguments = parser.parse_args()
    tests = TESTS[:2] if arguments.quick else TESTS
    if arguments.keep:
        return run(arguments.which, arguments.keep, tests)
    with tempfile.TemporaryDirectory(prefix="sandtable-versions-") as folder:
        return run(arguments.which, Path(folder), tests)


if __name__ == "__main__":
    sys.exit(main())
