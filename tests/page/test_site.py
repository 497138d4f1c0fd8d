"""The written site: named by content, with relative addresses, and only where it may be written."""

from __future__ import annotations

import ast
import hashlib
import io
import json
import re
import zipfile
from pathlib import Path

import msgspec
import pytest

from sandtable.games import games
from sandtable.page import archives
from sandtable.page.site import MARK, CannotWrite, Sources, write

from .conftest import HOME

NOT_NAMED = {"index.html", "sw.js", "manifest.webmanifest", MARK}


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_every_file_is_named_by_its_content_and_every_address_is_relative(sources: Sources, tmp_path: Path) -> None:
    written = write(tmp_path / "page", sources)
    found = files(tmp_path / "page")
    assert written.files == len(found) - 1
    assert written.bytes == sum(len(data) for name, data in found.items() if name != MARK)
    for name, data in found.items():
        if name.startswith("engine/"):
            (mark,) = re.findall(r"-([0-9a-f]{12})\.", name)
            assert hashlib.sha256(data).hexdigest().startswith(mark), name
        else:
            assert name in NOT_NAMED or re.search(r"-[\w-]{8}\.\w+$", name), name
    page = found["index.html"].decode()
    assert set(re.findall(r'(?:src|href)="(..)', page)) == {"./"}
    told = json.loads(re.findall(r'id="page">(.*?)</script>', page)[0])
    named = [*told["python"].values(), *told["archives"], *told["lobby"].values()]
    pins = [name for game in told["games"].values() for name in game.pop("pins").values()]
    named += [*pins, *(name for game in told["games"].values() for name in game.values())]
    assert set(named) <= set(found)
    assert set(told["games"]) == set(games())
    offline = json.loads(re.findall(r"FILES = (\[.*?\]);", found["sw.js"].decode())[0])
    assert set(offline) == set(found) - {"sw.js", MARK, *pins}


def test_the_same_sources_make_the_same_site_and_an_older_page_is_replaced(sources: Sources, tmp_path: Path) -> None:
    first = write(tmp_path / "one", sources)
    before = files(tmp_path / "one")
    (tmp_path / "one" / "engine" / "old-0123456789ab.zip").write_bytes(b"of an older version")
    mark = tmp_path / "one" / MARK
    mark.write_text(json.dumps([*json.loads(mark.read_text()), "engine/old-0123456789ab.zip"]))
    assert write(tmp_path / "one", sources) == first
    assert files(tmp_path / "one") == before


def test_a_folder_with_other_things_in_it_is_left_alone(sources: Sources, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(CannotWrite, match="nothing was written"):
        write(tmp_path, sources)
    with pytest.raises(CannotWrite, match="is a file"):
        write(tmp_path / "mine.txt", sources)
    assert list(files(tmp_path)) == ["mine.txt"]


def test_a_wheel_that_the_lock_does_not_name_is_refused(sources: Sources, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    for wheel in sources.wheels.glob("*.whl"):
        (wheels / wheel.name).write_bytes(wheel.read_bytes() + b"\0")
    with pytest.raises(CannotWrite, match=r"not the file that page\.txt names"):
        write(tmp_path / "page", msgspec.structs.replace(sources, wheels=wheels))
    assert not (tmp_path / "page").exists()


def test_missing_parts_are_named(sources: Sources, tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="is missing"):
        write(tmp_path / "page", msgspec.structs.replace(sources, client=tmp_path))


def test_an_archive_holds_one_game_and_its_older_rules_are_apart() -> None:
    for game in games():
        names = zipfile.ZipFile(io.BytesIO(archives.game(game))).namelist()
        folder = game.replace("-", "_")
        assert f"sandtable/games/{folder}/game.py" in names
        assert {name.split("/")[2] for name in names} == {folder}
        for rules, data in archives.pins(game):
            assert zipfile.ZipFile(io.BytesIO(data)).namelist() == [f"sandtable/games/pins/{folder}_{rules}.zip"]
    assert any(list(archives.pins(game)) for game in games())


def test_the_client_makes_no_address_but_with_its_routes() -> None:
    """A path from the root leads out of a page that lies in a folder."""
    found = [
        f"{path.name}: {word}"
        for path in sorted((HOME / "web" / "src").rglob("*"))
        if path.suffix in (".svelte", ".ts") and path.name not in ("server.ts", "routes.ts")
        for word in re.findall(
            r"""(?:href=["'{`]+|assign\(["'`]|fetch\(["'`])/[^"'`]*""", path.read_text(encoding="utf-8")
        )
    ]
    assert found == []


def test_what_the_page_imports_is_in_its_library(sources: Sources) -> None:
    """Also what is imported late, inside a function: a scan of all that is sent."""
    library = zipfile.ZipFile(io.BytesIO(archives.library(sources.pyodide / "python_stdlib.zip")))
    kept = {name.removesuffix(".py").partition("/")[0] for name in library.namelist()}
    assert not kept & archives.LEFT_OUT
    sent = [archives.engine(), *(archives.game(name) for name in games())]
    texts = [one.read(name) for one in map(_opened, sent) for name in one.namelist() if name.endswith(".py")]
    nodes = [node for text in texts for node in ast.walk(ast.parse(text))]
    imported = {name.name.partition(".")[0] for node in nodes if isinstance(node, ast.Import) for name in node.names}
    imported |= {str(n.module).partition(".")[0] for n in nodes if isinstance(n, ast.ImportFrom) and not n.level}
    assert {"asyncio", "tomllib"} <= imported
    # players/helpers.py goes on alone where there are no processes
    assert imported & archives.LEFT_OUT == {"multiprocessing"}


def _opened(data: bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(data))
