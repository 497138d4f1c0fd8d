"""A PostgreSQL server of the tests' own: private port, private folder, gone afterwards."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from .conftest import free_port


def find_programs() -> Path | None:
    """Where initdb and pg_ctl are."""
    found = shutil.which("initdb")
    if found:
        return Path(found).parent
    return next((path.parent for path in sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)), None)


class Postgres:
    """Started for a test run. As root it runs under the user 'postgres', as PostgreSQL insists."""

    def __init__(self, programs: Path) -> None:
        folder = Path(tempfile.mkdtemp(prefix="sandtable-postgres-"))
        self.programs, self.folder, self.port = programs, folder, free_port()
        self.prefix: list[str] = []
        if os.geteuid() == 0:
            self.prefix = ["runuser", "-u", "postgres", "--"]
            shutil.chown(folder, "postgres")
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

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*self.prefix, str(self.programs / program), *arguments],
            stdout=subprocess.PIPE if program != "pg_ctl" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
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
