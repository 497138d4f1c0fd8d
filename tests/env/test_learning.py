"""The example that learns runs: examples/learn.py."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests.cli.snippets import HOME

pytest.importorskip("pettingzoo")
torch = pytest.importorskip("torch", reason="PyTorch is not installed: the example says how")


def example() -> Any:
    spec = importlib.util.spec_from_file_location("learn", HOME / "examples" / "learn.py")
    assert spec is not None
    assert spec.loader is not None
    learn = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(learn)
    return learn


def test_the_example_learns_and_writes_its_curve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn = example()
    curve = tmp_path / "curve.csv"
    words = "hitlers-war barbarossa --side axis --minutes 0.001 --batch 1 --judged 1 --choices 4 --curve"
    monkeypatch.setattr("sys.argv", ["learn.py", *words.split(), str(curve)])
    learn.main()
    rows = list(csv.DictReader(curve.open()))
    assert [row["against"] for row in rows] == ["recruit", "recruit", "recruit", "captain"]
    assert [row["matches"] for row in rows] == ["0", "1", "1", "1"]


def test_what_is_rewarded_becomes_likelier() -> None:
    """One choice of two is always rewarded: after some steps the policy makes it."""
    learn = example()
    torch.manual_seed(1)
    policy = torch.nn.Linear(2, 1)
    optimizer = torch.optim.Adam(policy.parameters(), 0.1)
    rows = torch.eye(2).numpy()
    for _ in range(40):
        learn.learn(policy, optimizer, [[(rows, 0, 1.0), (rows, 1, -1.0)]], 0.0)
    scores = policy(torch.eye(2))[:, 0]
    assert scores[0] > scores[1] + 1
