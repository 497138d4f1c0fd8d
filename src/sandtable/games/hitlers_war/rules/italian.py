"""Optional rule: the Italian army must be kept up, stays in Italian territory, and advances badly elsewhere."""

from __future__ import annotations

from sandtable.core import Modifier, Refusal

from ..model.atlas import ATLAS, AXIS, INF, MECH
from ..model.state import ITALY_AXIS, War, armies_of, army_name, space_name

ITALIAN = ATLAS.army_index[ATLAS.rules["italy"]["army"]]
_YELLOW = frozenset(x for c in ATLAS.countries if c.colour == "yellow" for x in c.spaces)


def is_on(s: War) -> bool:
    """The rule is in play from Italy's entry on the Axis side until its surrender.  [hw-ital-5]"""
    return bool(s.options.get("italian_army")) and s.italy == ITALY_AXIS


def is_italian(s: War, army: int) -> bool:
    return bool(s.options.get("italian_army")) and army == ITALIAN


def is_bound(s: War, army: int) -> bool:
    """Whether an army is the Italian one and must stay in Italian territory."""
    return army == ITALIAN and is_on(s)


def why_not_outside(s: War, army: int, to: int) -> Refusal | None:
    """Points of the Italian army never leave Italian territory, and its counter is created only there.  [hw-ital-3]"""
    if is_bound(s, army) and to not in _YELLOW:
        return Refusal("hw-ital-3", "hw-italian-home", army=army_name(army), to=space_name(to))
    return None


def advance_modifiers(s: War, army: int) -> list[Modifier]:
    """One on the die of the Italian army's advances into unfriendly hexes.  [hw-ital-4]"""
    if is_italian(s, army):
        return [Modifier("italian", int(ATLAS.tables["advance_modifiers"]["italian_army_unfriendly"]), "hw-ital-4")]
    return []


def shortfall(s: War) -> dict[str, int]:
    """Points the Axis must build for Italy before anything else.  [hw-ital-1] [hw-ital-2]"""
    if not is_on(s):
        return {}
    keep = ATLAS.rules["italy"]["keep"]
    held = {"infantry": 0, "mechanized": 0}
    for army in armies_of(AXIS):
        if s.army_at[army] in _YELLOW or (army == ITALIAN and s.army_at[army] >= 0):
            held["infantry"] += s.strength[army * 5 + INF]
            held["mechanized"] += s.strength[army * 5 + MECH]
    return {kind: keep[kind] - held[kind] for kind in held if held[kind] < keep[kind]}


def territory() -> frozenset[int]:
    """Italian territory: every yellow hex."""
    return _YELLOW
