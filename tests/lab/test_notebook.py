"""The notebook in examples/ runs from its first cell to its last, and says what it should."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

HOME = Path(__file__).resolve().parents[2]
FEW = 4
"""Matches instead of the notebook's own number."""


def run(path: Path, **instead: Any) -> tuple[dict[str, Any], list[Any]]:
    """Run a notebook's cells; returns its names and the value of the last line of each. `instead` replaces names."""
    names: dict[str, Any] = {}
    values = []
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for place, cell in enumerate(cell for cell in cells if cell["cell_type"] == "code"):
        body = ast.parse("".join(cell["source"]), f"{path.name}[{place}]").body
        last = ast.Expression(body.pop().value) if isinstance(body[-1], ast.Expr) else None  # type: ignore[attr-defined]
        exec(compile(ast.Module(body, []), f"{path.name}[{place}]", "exec"), names)
        values.append(None if last is None else eval(compile(last, f"{path.name}[{place}]", "eval"), names))
        names |= {name: value for name, value in instead.items() if name in names}
    return names, values


def test_the_notebook_of_the_lab_runs_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed: locks/dev.txt has it")
    names, values = run(HOME / "examples" / "lab.ipynb", MATCHES=FEW)
    assert len(names["matches"]) == FEW
    assert capsys.readouterr().out.count("axis") == 2, "the shares of both halves"
    shares, strength, fought = (value for value in values if type(value).__module__.startswith("pandas"))
    assert shares.groupby(level=0).sum().tolist() == [1.0, 1.0]
    assert strength.index[0][0] == 1
    assert strength.notna().any().all()
    assert fought.max() > 0
    assert not any(place.isdigit() for _, place in fought.index)
    assert type(values[-1]).__name__ == "Figure"
    assert {line.get_label() for line in values[-1].axes[0].lines} >= {"axis, captain: axis", "soviet, captain: axis"}


def test_a_cell_that_fails_fails(tmp_path: Path) -> None:
    broken = {"cells": [{"cell_type": "code", "source": ["no_such_name"]}]}
    (tmp_path / "broken.ipynb").write_text(json.dumps(broken))
    with pytest.raises(NameError):
        run(tmp_path / "broken.ipynb")
