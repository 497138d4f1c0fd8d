"""A clean environment with only the wheel in it: the library, a bot, the command, a match in the browser, a server."""

from __future__ import annotations

import re
import signal
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandtable.cli.app import EXTRAS, VERBS
from tests.cli.snippets import replaced, snippets
from tests.server.conftest import free_port, postgres_url  # noqa: F401 (a fixture)
from tests.web.hands import Hands, number, wait_for_table

from .conftest import HOME, PIP, Place, must, run

CHECKOUT_VERBS = {"page", "test"}


def test_the_wheel_holds_the_client_and_the_types(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"sandtable/py.typed", "sandtable/server/client/index.html"} <= names
    page = zipfile.ZipFile(wheel).read("sandtable/server/client/index.html").decode()
    script = re.search(r'src="\./(assets/[^"]+\.js)"', page)
    assert script is not None
    assert f"sandtable/server/client/{script[1]}" in names
    assert not [name for name in names if name.startswith(("tests/", "web/", "tools/"))]


def test_the_extras_that_errors_name_are_extras(wheel: Path) -> None:
    (metadata,) = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith("METADATA")]
    told = zipfile.ZipFile(wheel).read(metadata).decode()
    offered = set(re.findall(r"^Provides-Extra: (\S+)$", told, re.MULTILINE))
    assert set(EXTRAS.values()) <= offered
    assert "Requires-Dist: msgspec" in told
    assert len(re.findall(r"^Requires-Dist: [^;]+$", told, re.MULTILINE)) == 1, "the core needs msgspec only"


# ---- the library alone ---------------------------------------------------------------------------------------------


def test_the_library_needs_msgspec_only_and_plays(bare: Place, tmp_path: Path) -> None:
    installed = must(*PIP[:-1], "--python", bare.python, "list", "--format=freeze")
    assert {line.partition("==")[0] for line in installed.split()} == {"msgspec", "sandtable"}
    (example,) = snippets("README.md")
    (tmp_path / "example.py").write_text(example)
    printed = must(bare.python, "example.py", folder=tmp_path)
    assert printed.startswith("Outcome(winners=")
    assert (tmp_path / "match.jsonl").stat().st_size > 1000
    where = must(bare.python, "-c", "import sandtable; print(sandtable.__file__, sandtable.__version__)")
    assert str(bare.folder) in where
    assert re.search(r" \d+\.\d+\.\d+$", where.strip())


def test_a_bot_plays_with_the_library_alone(bare: Place, tmp_path: Path) -> None:
    bot = snippets("docs/bots.md")[0]
    (tmp_path / "bot.py").write_text(replaced(bot, **{"matches=10": "matches=1"}))
    assert "matches=1" in must(bare.python, "bot.py", folder=tmp_path)


def test_a_verb_without_its_extra_says_which_one(bare: Place, tmp_path: Path) -> None:
    """Every verb either works or says in one sentence what is missing; none shows a traceback."""
    words = {"rules": ["hitlers-war"], "fuzz": ["hitlers-war", "--decisions", "10"], "simulate": ["hitlers-war"]}
    code = (
        "import contextlib, io, json, sys\n"
        "from sandtable.cli.app import main\n"
        "for words in json.loads(sys.argv[1]):\n"
        "    with contextlib.redirect_stdout(io.StringIO()):\n"
        "        try: status = main(words)\n"
        "        except SystemExit as end: status = end.code\n"
        "    print(words[0], status)\n"
    )
    asked = [[verb, *words.get(verb, [])] for verb in sorted(VERBS) if verb in {"play", "serve", "games", *words}]
    asked += [["admin", "list", "--database", "sqlite:///x.db"], ["page", "--out", "x"], ["test"]]
    done = run(bare.python, "-c", code, str(asked).replace("'", '"'), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{verb[0]} 2" for verb in asked]
    lines = done.stderr.splitlines()
    assert len(lines) == len(asked)
    for (verb, *_), line in zip(asked, lines, strict=True):
        wanted = "runs in a checkout" if verb in CHECKOUT_VERBS else f"'sandtable {verb}' needs "
        assert wanted in line, line
        assert verb in CHECKOUT_VERBS or re.search(r"pip install 'sandtable\[(play|lab)\]'$", line), line
    env = run(bare.python, "-c", "import sandtable; sandtable.env('munich-war')")
    assert env.stderr.splitlines()[-1].endswith("needs gymnasium: pip install 'sandtable[rl]'")


# ---- with the extras -----------------------------------------------------------------------------------------------


class Running:
    """The installed command, serving."""

    def __init__(self, place: Place, folder: Path, *words: str) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        command = [str(place.sandtable), *words, "--port", str(self.port)]
        env = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
        self.process = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.said = self.process.stdout.readline()

    def __enter__(self) -> Running:
        transport = httpx.HTTPTransport(retries=8)  # with growing pauses: about a minute
        httpx.Client(transport=transport, timeout=60).get(f"{self.address}/api/health").raise_for_status()
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=30)


def test_play_plays_in_the_browser(full: Place, tmp_path: Path, chromium: Any) -> None:
    with Running(full, tmp_path, "play", "--no-browser") as server:
        assert server.said.startswith(f"Sandtable is at {server.address}/")
        assert str(tmp_path / ".local/share/sandtable") in server.said
        page = chromium.new_page(viewport={"width": 1000, "height": 620})
        page.set_default_timeout(60_000)
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.add_init_script("localStorage.setItem('sandtable.briefed', '\"never\"')")
        page.goto(server.address)
        page.get_by_role("button", name="Hitler's War").first.click()
        page.locator("[data-testid=quick]").first.click()
        wait_for_table(page)
        assert Hands(page, seed=1).play_until(lambda sight: sight["number"] >= 3)
        assert number(page) >= 3
        page.close()
        assert errors == []


def test_serve_serves_on_postgresql(full: Place, tmp_path: Path, postgres_url: str) -> None:  # noqa: F811
    with Running(full, tmp_path, "serve", "--database", postgres_url) as server:
        match = httpx.post(f"{server.address}/api/matches", json={"game": "hitlers-war"}, timeout=60).json()
        seat = {"Authorization": f"Bearer {match['seats'][0]['secret']}"}
        info = httpx.get(f"{server.address}/api/matches/{match['match']}", headers=seat, timeout=60).json()
        assert info["asked"]
        page = httpx.get(server.address, timeout=60)
        assert "<script" in page.text


def test_the_environment_runs(full: Place, tmp_path: Path) -> None:
    learner = snippets("docs/learning.md")[0]
    (tmp_path / "learner.py").write_text(replaced(learner, **{"choices=16": "choices=8, most_decisions=40"}))
    must(full.python, "learner.py", folder=tmp_path)


def test_the_source_archive_can_build_the_client(tmp_path: Path) -> None:
    """Its sources, its lock and the hook are in it; the built client and installed packages are not."""
    from hatchling.builders.sdist import SdistBuilder

    (made,) = SdistBuilder(str(HOME)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(made) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {
        "web/package-lock.json",
        "web/src/main.ts",
        "web/vite.config.ts",
        "tools/client_hook.py",
        "locks/node.txt",
    }
    assert wanted <= names
    assert "src/sandtable/cli/bootstrap.py" in names
    assert not [name for name in names if name.startswith(("web/dist", "web/node_modules", ".venv"))]


@pytest.mark.parametrize("built", [True, False])
def test_the_build_hook_builds_what_is_not_built(built: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from tools.client_hook import INSIDE, NODE, ClientHook

    done: list[str] = []

    class Tools:
        WEB = tmp_path
        is_web_built = staticmethod(lambda: built)
        has_node = staticmethod(lambda: True)
        install_web = staticmethod(lambda tools: done.append("install"))
        build_web = staticmethod(lambda tools: done.append("build"))

    monkeypatch.setattr(ClientHook, "bootstrap", Tools)
    hook = ClientHook(str(tmp_path), {}, None, None, str(tmp_path), "wheel")  # type: ignore[arg-type]
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("editable", data)
    assert (done, data["force_include"]) == ([], {})
    hook.initialize("standard", data)
    assert done == ([] if built else ["install", "build"])
    assert data["force_include"] == {str(tmp_path / "dist"): INSIDE}
    assert hook.dependencies() == []
    monkeypatch.setattr(Tools, "has_node", staticmethod(lambda: False))
    assert hook.dependencies() == ([] if built else [NODE])
