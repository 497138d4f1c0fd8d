"""The atlas of World War II in Europe keeps to its rulebook."""

from __future__ import annotations

import pytest

from tests.atlas.faults import load_atlas, report
from tests.games.ww2_europe.model.atlas_proofs import PROOFS


@pytest.fixture(scope="module")
def board():
    return PROOFS.board(load_atlas("ww2_europe"))


@pytest.mark.parametrize("theme", PROOFS.themes)
def test_the_atlas_holds(board, theme):
    faults = PROOFS.faults_of(theme, board)
    assert not faults, report(faults)
