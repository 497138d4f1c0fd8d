"""A file with a line for each match played, so that a long simulation can be stopped and continued later.

Each line holds a job and its record. A match whose job is in the file is not played again. An incomplete last line is
ignored.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Generic

import msgspec

from sandtable.core import SandtableError
from sandtable.lab.simulate import J, Job, R, Record

_BEGINNING = b'{"job":'
"""How every line begins."""


class Line(msgspec.Struct, Generic[J, R]):
    """One match that was played."""

    job: J
    record: R


class LinesOf(Generic[J, R]):
    """The matches in a file; `kind` is the Line of its jobs and records."""

    def __init__(self, path: Path, kind: Any) -> None:
        self.path = path
        self._kind = kind
        self._known: dict[bytes, R] = {}
        try:
            data = path.read_bytes() if path.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]
            for number, line in enumerate(whole.splitlines(), 1):
                self._read(number, line)
            rest = data[len(whole) :]
            if rest:
                if not _BEGINNING.startswith(rest[: len(_BEGINNING)]):
                    self._read(
                        len(self._known) + 1, rest
                    )  # not an incomplete line of ours: leave the file alone and say so
                path.write_bytes(whole)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.open("ab").close()  # a file that cannot be written is an error before the first match, not after it
        except OSError as error:
            raise SandtableError(f"{path} cannot be used: {error.strerror or error}") from error

    def _read(self, number: int, line: bytes) -> None:
        try:
            made = msgspec.json.decode(line, type=self._kind)
        except msgspec.DecodeError as error:
            raise SandtableError(f"{self.path}, line {number}: this is no match that was played ({error})") from None
        self._known[_key(made.job)] = made.record

    def find(self, job: J) -> R | None:
        return self._known.get(_key(job))

    def add(self, job: J, record: R) -> None:
        """Write a match as one complete line at once."""
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(Line(job, record)) + b"\n")
        self._known[_key(job)] = record


class Lines(LinesOf[Job, Record]):
    """The matches of a simulation in a file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Line[Job, Record])


def _key(job: msgspec.Struct) -> bytes:
    return msgspec.json.encode(job, order="sorted")
