"""The atlas of Blitzkrieg General keeps to its rulebook."""

from __future__ import annotations

import pytest

from tests.atlas.faults import load_atlas, report
from tests.games.blitzkrieg_general.model.atlas_proofs import PROOFS


@pytest.fixture(scope="module")
def board():
    return PROOFS.board(load_atlas("blitzkrieg_general"))


@pytest.mark.parametrize("theme", PROOFS.themes)
def test_the_atlas_holds(board, theme):
    faults = PROOFS.faults_of(theme, board)
    assert not faults, report(faults)
