"""The proofs of all four games, by game."""

from __future__ import annotations

from tests.atlas import proofs_blitzkrieg_general, proofs_hitlers_war, proofs_munich_war, proofs_ww2_europe

PROOFS = {
    proofs.game: proofs
    for proofs in (
        proofs_hitlers_war.PROOFS,
        proofs_munich_war.PROOFS,
        proofs_blitzkrieg_general.PROOFS,
        proofs_ww2_europe.PROOFS,
    )
}
