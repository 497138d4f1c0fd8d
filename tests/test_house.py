"""The house rules: who may import whom, who may know a game by name, who may cache."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from sandtable.games import find, games

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src" / "sandtable"
GAMES = {find(name).home.name: name for name in games()}
"""Folder -> id."""

LAYERS = (
    ("core",), ("board",), ("odds", "players"), ("testing",), ("games",), ("",), ("host", "env"), ("lab", "spiel"),
    ("server", "page"), ("cli",), ("__main__",),
)  # fmt: skip
"""Lowest first; "" is `sandtable` itself. A layer imports what is below it, nothing beside it."""
ROOMS = (
    ("model",), ("facts",), ("rules",), ("odds",), ("players", "screen"), ("sequence", "referee"), ("position",),
    ("game",),
)  # fmt: skip
"""The same for the rooms of a game."""
PLAIN = ("core", "board", "odds", "players", "games", "host")
"""Layers that run anywhere, in a browser too: they import msgspec and the standard library, nothing else."""


# ---- reading the source ----------------------------------------------------------------------------------------------


def module_name(path: Path) -> str:
    parts = path.relative_to(SRC.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    return {module_name(path): path for path in sorted(SRC.rglob("*.py"))}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(name: str) -> tuple[str, ...]:
    """Every module that a module imports, inside functions too; what is only for types does not count."""
    path = modules()[name]
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for_types = {
        id(inner)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for statement in node.body
        for inner in ast.walk(statement)
    }
    found: list[str] = []
    for node in ast.walk(tree(path)):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            found += [
                part if (part := f"{source}.{alias.name}") in modules() else source for alias in node.names
            ]  # fmt: skip
    return tuple(dict.fromkeys(found))


def layer(name: str) -> str:
    """'odds' of 'sandtable.odds.walk', "" of 'sandtable'."""
    return name.partition(".")[2].partition(".")[0]


def place(name: str, order: tuple[tuple[str, ...], ...]) -> int:
    found = [number for number, names in enumerate(order) if name in names]
    assert found, f"'{name}' has no place among the layers of tests/test_house.py"
    return found[0]


def short(name: str) -> str:
    return name.removeprefix("sandtable.").removeprefix("games.")


# ---- nobody names a game ---------------------------------------------------------------------------------------------


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """All text in a module but its docstrings."""
    docs = {
        id(node.value)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def test_nothing_outside_a_games_folder_names_it() -> None:
    words = re.compile("|".join(re.escape(word) for pair in GAMES.items() for word in pair))
    registry = SRC / "games" / "__init__.py"
    found = []
    for name, path in modules().items():
        parts = path.relative_to(SRC).parts
        home = parts[1] if parts[0] == "games" and len(parts) > 2 else ""
        if path == registry:
            continue
        said = [(line, text) for line, text in strings(path) if words.search(text)]
        said += [(0, target) for target in imported(name) if words.search(target)]
        for line, text in said:
            others = set(words.findall(text)) - {home, GAMES.get(home, "")}
            if others:
                found.append(f"{path.relative_to(ROOT)}:{line} names {', '.join(sorted(others))}")
    assert not found


# ---- who imports whom ------------------------------------------------------------------------------------------------


def test_layers_import_only_what_is_below_them() -> None:
    found = [
        f"{name} imports {target}"
        for name in modules()
        for target in imported(name)
        if target.split(".")[0] == "sandtable"
        and layer(name) != layer(target)
        and place(layer(target), LAYERS) >= place(layer(name), LAYERS)
    ]
    assert not found


def test_rooms_of_a_game_import_only_what_is_below_them() -> None:
    found = set()
    for name in modules():
        parts = name.split(".")
        if parts[1:2] != ["games"] or len(parts) < 4:
            continue
        for target in imported(name):
            others = target.split(".")
            if others[:3] != parts[:3] or len(others) < 4 or others[3] == parts[3]:
                continue
            if place(others[3], ROOMS) >= place(parts[3], ROOMS):
                found.add(f"{short(name)} -> {others[3]}")
    assert not found


def test_a_referee_shares_no_rule_code_with_the_engine() -> None:
    """It imports its game's model and the core, without facts: those are the engine's."""
    found = set()
    for name in modules():
        parts = name.split(".")
        if parts[1:2] != ["games"] or parts[3:4] != ["referee"]:
            continue
        allowed = re.compile(rf"(sandtable\.core|{'.'.join(parts[:3])}\.(model|referee))(\.|$)")
        for target in imported(name):
            if target.split(".")[0] == "sandtable" and (not allowed.match(target) or target == "sandtable.core.facts"):
                found.add(f"{short(name)} -> {short(target)}")
    assert not found


def test_what_runs_anywhere_needs_msgspec_only() -> None:
    free = {"sandtable", "msgspec", *sys.stdlib_module_names}
    found = {
        f"{short(name)} -> {target.split('.')[0]}"
        for name in modules()
        if layer(name) in PLAIN
        for target in imported(name)
        if target.split(".")[0] not in free
    }
    assert not found


@pytest.mark.parametrize("code", ["import sandtable", "import sandtable.server.run, sandtable.server.app"])
def test_starting_loads_no_games_and_no_large_packages(code: str) -> None:
    """Nor does it set an environment variable."""
    code = f"import os; before = dict(os.environ); {code}; import sys, json"
    code += "; assert dict(os.environ) == before; print(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(json.loads(done.stdout))
    assert not loaded & {"numpy", "matplotlib", "pyarrow", "pettingzoo", *(f"sandtable.games.{name}" for name in GAMES)}


def test_finding_a_game_does_not_load_its_players() -> None:
    code = "import sandtable, sys, json; [sandtable.find(name) for name in sandtable.games()]"
    code += "; print(json.dumps([name for name in sys.modules if '.players' in name]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert json.loads(done.stdout) == []


# ---- who caches ------------------------------------------------------------------------------------------------------


def caches(path: Path) -> bool:
    """Whether a module asks for a cache: of the play, or of functools."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute) and node.attr in ("kept", "cache", "lru_cache"):
            return True
        names = {alias.name for alias in node.names} if isinstance(node, ast.ImportFrom) else set()
        if names & {"cache", "lru_cache"}:
            return True
    return False


def test_only_facts_cache() -> None:
    """The atlas is read once: that is loading, not caching. Odds and players may cache functions of plain numbers."""
    found = set()
    for name, path in modules().items():
        parts = name.split(".")
        in_a_room = parts[1:2] == ["games"] and len(parts) > 3 and parts[3] not in ("facts", "odds", "players")
        if in_a_room and parts[3:] != ["model", "atlas"] and caches(path):
            found.add(short(name))
    assert not found


# ---- the page on the house -------------------------------------------------------------------------------------------


def test_the_architecture_page_names_paths_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.partition("## Where is ...?")[2].partition("\n## ")[0]
    paths = re.findall(r"`((?:src|core|games|host|testing|lab|docs|tests|players|odds)/[\w/.<>-]+)`", section)
    assert len(paths) >= 12
    for path in paths:
        for folder in GAMES if "<game>" in path else ("",):
            file = path.replace("<game>", folder)
            assert (SRC / file).exists() or (ROOT / file).exists(), file


# ---- package docstrings ----------------------------------------------------------------------------------------------


def test_docstrings_that_list_modules_are_complete() -> None:
    """One that names three of its modules is a list, and names all of them."""
    for path in sorted(SRC.rglob("__init__.py")):
        text = ast.get_docstring(tree(path)) or ""
        there = {p.stem for p in path.parent.glob("*.py")} | {p.parent.name for p in path.parent.glob("*/__init__.py")}
        there.discard("__init__")
        said = set(re.findall(r"`(\w+)`", text)) | set(re.findall(r"\b(\w+)\.py\b", text))
        assert set(re.findall(r"\b(\w+)\.py\b", text)) <= there, path
        if len(said & there) >= 3:
            assert there - said == set(), path


# ---- one version -----------------------------------------------------------------------------------------------------


def test_python_and_web_have_one_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    lock = json.loads((ROOT / "web" / "package-lock.json").read_text())
    assert json.loads((ROOT / "web" / "package.json").read_text())["version"] == version
    assert lock["version"] == lock["packages"][""]["version"] == version
