"""The proofs of all four games, by game."""

from __future__ import annotations

from tests.games.blitzkrieg_general.model import atlas_proofs as proofs_blitzkrieg_general
from tests.games.hitlers_war.model import atlas_proofs as proofs_hitlers_war
from tests.games.munich_war.model import atlas_proofs as proofs_munich_war
from tests.games.ww2_europe.model import atlas_proofs as proofs_ww2_europe

PROOFS = {
    proofs.game: proofs
    for proofs in (
        proofs_hitlers_war.PROOFS,
        proofs_munich_war.PROOFS,
        proofs_blitzkrieg_general.PROOFS,
        proofs_ww2_europe.PROOFS,
    )
}
