"""`sandtable test`: every check of this checkout, the fastest first."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from sandtable.cli.app import BadInput
from sandtable.cli.bootstrap import NO_SYSTEM, become
from sandtable.cli.checkout import checkout

PYTEST_WORKERS = "2"
LIVE = (
    "tests/cli/test_serving.py", "tests/install/", "tests/lab/test_ray.py",
    "tests/page/", "tests/server/", "tests/web/",
)  # fmt: skip
"""Tests with real browsers, servers, databases and clusters. On a crowded machine one of them may run out of time."""
MOST_AGAIN = 3


@dataclass(frozen=True)
class Result:
    name: str
    status: int
    seconds: float
    last_line: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.usage = "sandtable test [--no-system] [PYTEST ARGUMENT ...]"
    parser.epilog = (
        "Without arguments: ruff, mypy, all tests, and the checks of the browser client. "
        "With arguments: pytest alone, with those arguments. The browser tests need Chromium, a few of them Firefox "
        "and WebKit; what is missing ./sandtable installs with apt-get. --no-system declines; they are skipped then."
    )
    parser.prefix_chars = "\0"  # every word after `test` is pytest's, options too
    parser.add_argument("pytest_arguments", nargs="*", metavar="PYTEST ARGUMENT")
    parser.set_defaults(print_help=parser.print_help)


def run_check(name: str, command: list[str], folder: Path) -> Result:
    """Run one check and pass its output on as it comes; the last line is kept for the summary."""
    print(f"== {name}: {' '.join([Path(command[0]).name, *command[1:]])}", flush=True)
    started = time.monotonic()
    last = ""
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            last = line.strip() or last
    return Result(name, process.returncode, time.monotonic() - started, last)


def python_checks(home: Path) -> list[tuple[str, list[str], Path]]:
    python = sys.executable
    return [
        ("ruff", [python, "-m", "ruff", "check", "."], home),
        ("format", [python, "-m", "ruff", "format", "--check", "src", "tests", "tools", "locks"], home),
        ("mypy", [python, "-m", "mypy"], home),
        ("pytest", [python, "-m", "pytest", "-q", "-n", PYTEST_WORKERS], home),
    ]


def web_checks(home: Path) -> list[tuple[str, list[str], Path]]:
    web = home / "web"
    if not (web / "package.json").is_file():
        return []
    npm = shutil.which("npm")
    if npm is None:
        raise BadInput("the browser client's checks need npm: start them with ./sandtable test in the checkout")
    return [("web check", [npm, "run", "check"], web), ("web test", [npm, "test"], web)]


def failed_tests(home: Path) -> list[str]:
    """The tests that failed in pytest's last run."""
    found = home / ".pytest_cache" / "v" / "cache" / "lastfailed"
    return list(json.loads(found.read_text(encoding="utf-8"))) if found.is_file() else []


def try_again(result: Result, home: Path) -> Result:
    """Run the few live tests that failed once more, alone. Any other failure stands, and what was repeated is shown."""
    failed = failed_tests(home) if result.status == 1 else []
    if not failed or len(failed) > MOST_AGAIN or not all(test.startswith(LIVE) for test in failed):
        return result
    again = run_check("pytest again, alone", [sys.executable, "-m", "pytest", "-q", *failed], home)
    word = "passed alone" if again.status == 0 else "failed alone too"
    last = f"{result.last_line} -- {word}: {', '.join(failed)}"
    return Result(result.name, again.status, result.seconds + again.seconds, last)


def run(arguments: argparse.Namespace) -> int:
    chosen = [word for word in arguments.pytest_arguments if word != NO_SYSTEM]
    if chosen in (["-h"], ["--help"]):
        arguments.print_help()
        return 0
    home = checkout("test")
    if chosen:
        os.chdir(home)
        become([sys.executable, "-m", "pytest", *chosen])
    results = [run_check(*check) for check in [*python_checks(home), *web_checks(home)]]
    results = [try_again(result, home) if result.name == "pytest" else result for result in results]
    print()
    for result in results:
        word = "ok    " if result.status == 0 else "FAILED"
        print(f"{word} {result.name:<10} {result.seconds:6.1f} s  {result.last_line}")
    failed = [result.name for result in results if result.status != 0]
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0
