"""The Python of the page: what plays, packed as archives that are the same bytes from the same sources."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from sandtable.games import home_of, registered

PACKAGE = Path(__file__).resolve().parents[1]
ROOMS = ("core", "board", "odds", "players", "host")
"""The layers that run anywhere."""
IN_THE_BROWSER = ("page/__init__.py", "page/desk.py", "page/cabinet.py")
LONG_AGO = (1980, 1, 1, 0, 0, 0)
LEFT_OUT = frozenset((
    "_pydatetime", "_pyio", "_pyrepl", "argparse", "bdb", "cmd", "code", "configparser", "ctypes", "difflib",
    "doctest", "ftplib", "getopt", "html", "http", "imaplib", "mailbox", "mimetypes", "multiprocessing", "netrc",
    "optparse", "pdb", "pickletools", "plistlib", "poplib", "profile", "pstats", "py_compile", "pyclbr", "pydoc",
    "pydoc_data", "rlcompleter", "sched", "shelve", "smtplib", "socketserver", "symtable", "tabnanny", "tarfile",
    "timeit", "trace", "tracemalloc", "turtle", "unittest", "wave", "webbrowser", "wsgiref", "xml", "xmlrpc",
    "zipapp",
))  # fmt: skip
"""Parts of Python's own library that nothing in the page imports: a megabyte that nobody has to fetch."""
CODES = frozenset((
    "__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "raw_unicode_escape", "unicode_escape", "utf_8",
    "utf_8_sig",
))  # fmt: skip
"""The encodings that the page keeps."""


def engine() -> bytes:
    """Return the archive of everything but the games."""
    names = ["__init__.py", "games/__init__.py", "games/pins/__init__.py", *IN_THE_BROWSER]
    for room in ROOMS:
        names += _sources(PACKAGE / room, PACKAGE)
    return _archive((f"{PACKAGE.name}/{name}", PACKAGE / name) for name in names)


def game(name: str) -> bytes:
    """Return the archive of a game: its package."""
    home, package = registered(name).home, home_of(name).rpartition(".")[0].replace(".", "/")
    return _archive((f"{package}/{path}", home / path) for path in _sources(home, home))


def pins(name: str) -> Iterator[tuple[int, bytes]]:
    """The versions of a game's older rules, each with the archive that holds its pin."""
    folder, start = PACKAGE / "games" / "pins", f"{name.replace('-', '_')}_"
    for path in sorted(folder.glob(f"{start}*.zip")):
        inside = f"{PACKAGE.name}/games/pins/{path.name}"
        yield int(path.stem.removeprefix(start)), _archive([(inside, path)])


def library(whole: Path) -> bytes:
    """Return Python's own library without what the page never imports."""
    packed = io.BytesIO()
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name in old.namelist():
            first, _, rest = name.removesuffix(".py").partition("/")
            if first not in LEFT_OUT and (first != "encodings" or rest in CODES):
                new.writestr(zipfile.ZipInfo(name, LONG_AGO), old.read(name), zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _sources(folder: Path, base: Path) -> Iterator[str]:
    """The files of a folder that belong to it, relative to `base`."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(base).as_posix()


def _archive(files: Iterable[tuple[str, Path]]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in files:
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return packed.getvalue()
