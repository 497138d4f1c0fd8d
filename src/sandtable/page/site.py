"""Writes the static site: the browser client, Python, the games. Any web server can serve it from any folder."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from sandtable.core import LANGUAGES, SandtableError
from sandtable.games import ELSEWHERE, games, registered
from sandtable.host import lobby

from . import archives

MARK = "sandtable-page.json"
"""The file by which a folder is known as a page, with the list of what was written there."""
ENGINE = "engine"
"""The folder of what `sandtable page` adds to the browser client."""
PIN = "pin-"
"""How the files of older rules begin. They are fetched when an old match is opened, and kept from then on."""
NAME, COLOUR = "Sandtable", "#34472f"


class CannotWrite(SandtableError):
    """The site cannot be written as asked."""


class Sources(msgspec.Struct, frozen=True):
    """Where the parts of a site come from, in a checkout."""

    client: Path
    """The built browser client."""
    pyodide: Path
    """The npm package."""
    wheels: Path
    """What Python needs besides, as wheels for WebAssembly."""
    lock: Path
    """The lock file with the hashes of those wheels."""

    @staticmethod
    def of(checkout: Path) -> Sources:
        """Return where `./sandtable` puts the parts."""
        return Sources(
            checkout / "web" / "dist",
            checkout / "web" / "node_modules" / "pyodide",
            checkout / ".venv" / ".sandtable" / "wheels",
            checkout / "locks" / "page.txt",
        )

    def missing(self) -> str:
        """Return a sentence about what is not there, or nothing."""
        for path in (self.client / "index.html", self.pyodide / "pyodide.asm.wasm", self.wheels, self.lock):
            if not path.exists():
                return f"{path} is missing: ./sandtable page brings everything it needs"
        return ""


class Written(msgspec.Struct, frozen=True):
    """What a site is made of."""

    folder: str
    version: str
    files: int
    bytes: int
    games: list[str]


def write(out: Path, sources: Sources) -> Written:
    """Write the site to a folder that is empty, not there, or an older page."""
    if missing := sources.missing():
        raise CannotWrite(missing)
    if out.exists() and not out.is_dir():
        raise CannotWrite(f"{out} is a file; a page is a folder")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise CannotWrite(f"{out} is not empty and not a page; nothing was written")
    files = dict(_files(sources))
    version = _hash(b"".join(f"{name}\0{_hash(data)}\n".encode() for name, data in sorted(files.items())))
    files["sw.js"] = _service_worker(sources.client, version, sorted(files))
    old = json.loads((out / MARK).read_bytes()) if (out / MARK).is_file() else []
    _put(out, {**files, MARK: json.dumps(sorted(files), indent=0).encode()})
    for name in set(old) - set(files):
        (out / name).unlink(missing_ok=True)
    size = sum(map(len, files.values()))
    return Written(str(out), version, len(files), size, list(games()))


def _put(out: Path, files: Mapping[str, bytes]) -> None:
    """Write files whole: those that name others, which a visitor finds first, after those they name."""
    for name, data in sorted(files.items(), key=lambda item: "/" not in item[0]):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(data)
        part.replace(path)


# ---- the parts -------------------------------------------------------------------------------------------------------


def _files(sources: Sources) -> Iterator[tuple[str, bytes]]:
    """Every file of the site but the service worker."""
    for path in sorted((sources.client / "assets").iterdir()):
        yield f"assets/{path.name}", path.read_bytes()
    named: dict[str, bytes] = {}

    def add(name: str, data: bytes) -> str:
        """Add a file under a name with its hash."""
        stem, dot, ending = name.partition(".")
        address = f"{ENGINE}/{stem}-{_hash(data)[:12]}{dot}{ending}"
        named[address] = data
        return address

    told: dict[str, Any] = {
        "python": {
            "loader": add("pyodide.mjs", _without_map((sources.pyodide / "pyodide.mjs").read_bytes())),
            "module": add("python.mjs.gz", _zipped((sources.pyodide / "pyodide.asm.mjs").read_bytes())),
            "wasm": add("python.wasm.gz", _zipped((sources.pyodide / "pyodide.asm.wasm").read_bytes())),
            "library": add("library.zip", archives.library(sources.pyodide / "python_stdlib.zip")),
        },
        "archives": [*(add(*wheel) for wheel in wheels(sources)), add("sandtable.zip", archives.engine())],
    }
    told["weight"] = sum(map(len, named.values()))
    told["games"] = {name: _game(name, add) for name in games()}
    told["lobby"] = {
        language: add(f"lobby-{language}.json.gz", _zipped(msgspec.json.encode(lobby.list_games(language))))
        for language in LANGUAGES
    }
    told["env"] = {ELSEWHERE: os.environ[ELSEWHERE]} if os.environ.get(ELSEWHERE) else {}
    yield from named.items()
    icon = next(path.name for path in (sources.client / "assets").glob("icon-*.svg"))
    yield "manifest.webmanifest", _manifest(f"assets/{icon}")
    yield "index.html", _index((sources.client / "index.html").read_text(encoding="utf-8"), told)


def _game(name: str, add: Any) -> dict[str, Any]:
    """Add the files of a game, and return their names."""
    path = registered(name).home / "data" / "map.json"
    return {
        "archive": add(f"{name}.zip", archives.game(name)),
        "map": add(f"{name}-map.json.gz", _zipped(path.read_bytes())) if path.exists() else None,
        "pins": {str(rules): add(f"{PIN}{name}-{rules}.zip", data) for rules, data in archives.pins(name)},
    }


def wheels(sources: Sources) -> Iterator[tuple[str, bytes]]:
    """The locked wheels. One whose hash is not in the lock is an error."""
    locked = set(re.findall(r"sha256:([0-9a-f]{64})", sources.lock.read_text(encoding="utf-8")))
    for path in sorted(sources.wheels.glob("*.whl")):
        data = path.read_bytes()
        if _hash(data) not in locked:
            raise CannotWrite(f"{path.name} is not the file that {sources.lock.name} names")
        yield f"{path.name.partition('-')[0]}.zip", data


def _manifest(icon: str) -> bytes:
    """What a browser needs to install the page."""
    return msgspec.json.encode(
        {
            "name": NAME,
            "short_name": NAME,
            "description": "Board wargames of the Second World War, with their rules enforced.",
            "start_url": "./",
            "scope": "./",
            "display": "standalone",
            "background_color": "#f5efe0",
            "theme_color": COLOUR,
            "icons": [{"src": icon, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
        }
    )


def _index(page: str, told: Mapping[str, Any]) -> bytes:
    """The client's page with the names of the site's files in it."""
    safe = json.dumps(told, separators=(",", ":")).replace("<", "\\u003c")
    head = f"""  <link rel="manifest" href="./manifest.webmanifest" />
    <meta name="theme-color" content="{COLOUR}" />
    <script type="application/json" id="page">{safe}</script>
  </head>"""
    return page.replace("</head>", head, 1).encode()


def _service_worker(client: Path, version: str, files: list[str]) -> bytes:
    files = [name for name in files if not name.startswith(f"{ENGINE}/{PIN}")]
    head = f"const VERSION = {json.dumps(version[:12])};\nconst FILES = {json.dumps(files)};\n"
    return head.encode() + (client / "sw.js").read_bytes()


def _without_map(script: bytes) -> bytes:
    """A script without the address of its source map, which the site does not have."""
    return re.sub(rb"\n//# sourceMappingURL=\S+\s*$", b"\n", script)


def _zipped(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
