"""A disk that fails: syncs that fail, a full disk, and power cuts that lose or tear what was not synced."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from .conftest import Server

SECTOR = 512


def build_shim(folder: Path) -> Path:
    """Return the compiled shim; the test is skipped, with the reason, where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler (cc), so faults of the disk cannot be injected")
    shim = folder / "faults.so"
    source = Path(__file__).with_name("faults.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", str(shim), str(source), "-ldl"], check=True)
    return shim


class FaultyServer(Server):
    """A server on SQLite whose disk can fail."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.disk = folder / "disk"
        self.disk.mkdir()
        self._shim = build_shim(folder)
        super().__init__(f"sqlite:///{self.disk / 'matches.db'}", **settings)

    def environment(self) -> dict[str, str]:
        return {**super().environment(), "LD_PRELOAD": str(self._shim), "SANDTABLE_DISK": str(self.disk)}

    def set_fault(self, name: str, on: bool) -> None:
        """Let syncs fail ('fail-sync') or writes find the disk full ('full'), or not."""
        path = self.disk / name
        if on:
            path.touch()
        elif path.exists():
            path.unlink()

    def cut_power(self, rng: Random | None = None) -> None:
        """Kill the server and lose what was not synced; with `rng`, some sectors of it are there all the same."""
        self.kill()
        for path in (self.disk / "matches.db", self.disk / "matches.db-wal"):
            synced = path.with_name(path.name + ".synced")
            if not path.exists():
                continue
            if not synced.exists():
                path.unlink()
                continue
            written, safe = path.read_bytes(), bytearray(synced.read_bytes())
            if rng is not None:
                safe.extend(bytes(max(0, len(written) - len(safe))))
                for start in range(0, len(written), SECTOR):
                    if rng.random() < 0.5:
                        safe[start : start + SECTOR] = written[start : start + SECTOR]
            path.write_bytes(bytes(safe))
        shm = self.disk / "matches.db-shm"
        if shm.exists():
            shm.unlink()
