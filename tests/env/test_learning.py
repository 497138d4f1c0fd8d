"""The example that learns runs: examples/learn.py. Without PyTorch, which the CI does not install, this is skipped."""

from __future__ import annotations

import argparse
import csv
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sandtable
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


@pytest.mark.parametrize("where", ["hitlers-war barbarossa", "ww2-europe --position training/moscow"])
def test_the_example_learns_and_writes_its_curve(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn = example()
    curve = tmp_path / "curve.csv"
    words = f"{where} --side axis --turns 1 --choices 4 --minutes 0.0001 --every 0 --places 2 --batch 256"
    brief = ["--judged", "2", "--fewer", "1", "--curve", str(curve)]
    monkeypatch.setattr("sys.argv", ["learn.py", *words.split(), *brief])
    learn.main()
    rows = list(csv.DictReader(curve.open()))
    assert rows[0]["what"] == "random choices against recruit"
    assert [row["what"] for row in rows[-2:]] == ["learned against recruit", "learned against captain"]
    assert all(0 <= int(row["won"]) + int(row["drawn"]) <= int(row["of"]) for row in rows)


def test_what_is_rewarded_becomes_likelier() -> None:
    """One choice of two always brings more than the other: after some lessons the policy makes it."""
    learn = example()
    torch.manual_seed(1)
    place = learn.Place(learn.Solo("hitlers-war", "barbarossa", choices=2), 0.0)
    place.begin(1)
    policy = learn.Policy(place.sight, 8)
    optimizer = torch.optim.Adam(policy.parameters(), 0.01)
    words = argparse.Namespace(epochs=4, entropy=0.0)
    seen = [torch.from_numpy(part).unsqueeze(0).repeat(2, *[1] * part.ndim) for part in place.sight(place.seen)]
    choices, gains = torch.tensor([0, 1]), torch.tensor([1.0, -1.0])
    for _ in range(30):
        before = policy(*seen)[0].detach().gather(-1, choices[:, None])[:, 0]
        learn.learn(policy, optimizer, (seen, choices, before, gains, torch.zeros(2)), words)
    assert policy(*seen)[0][0, 0].exp() > 0.9


@pytest.mark.parametrize("game", sandtable.games())
def test_what_is_brought_up_to_date_is_what_is_seen_anew(game: str) -> None:
    """The numbers of a position do not depend on the positions before it."""
    learn = example()
    env = learn.Solo(game, choices=8, most_decisions=200)
    kept, rng = learn.Sight(env), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    for _ in range(25):
        for old, new in zip(kept(seen), learn.Sight(env)(seen), strict=True):
            np.testing.assert_allclose(old, new, atol=1e-3)
        seen, _, ended, cut, _ = env.step(int(rng.integers(seen["action_mask"].sum())))
        if ended or cut:
            break
