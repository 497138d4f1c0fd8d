"""Advances: how strong an advance is, and what it needs to succeed.

Chapters 'Advance Resolution', 'Advance Into Friendly Hexes', 'Mountain Combat', 'Invasion Advance', 'Paradrop',
'Air Superiority'.
"""

from __future__ import annotations

import msgspec

from sandtable.core import Modifier, Numbers, Refusal

from ..model.atlas import ADVANCE, AMPH, ATLAS, FRIENDLY_COLUMN, INF, MECH, PARA, STACK
from ..model.state import AIRDROP, INVASION, LAND, War, army_name, side_of, space_name
from . import italian
from .control import defence
from .firepower import die_modifiers

_CHART = ATLAS.tables["advance_modifiers"]


class Chance(msgspec.Struct, frozen=True):
    """What an advance needs: success on a die that is, with its modifiers, at most `needed`."""

    strength: int
    against: int
    """Column of the table; the friendly column has its own number."""
    needed: int
    modifiers: tuple[Modifier, ...]

    @property
    def added(self) -> int:
        return sum(part.value for part in self.modifiers)

    def succeeds(self, die: int) -> bool:
        """A range of nothing cannot be met, whatever is taken off the die.  [hw-advance-9]"""
        return self.needed > 0 and die + self.added <= self.needed


def why_stays(s: War, army: int, mode: int) -> Refusal | None:
    """Why an army cannot enter a hex by an attack of this mode: nothing in it can advance.

    Tac air never does, amphibious points only from the sea, and across water paratroops must drop, each once a turn.
    [hw-tac-3] [hw-air-11] [hw-amph-2] [hw-parawater-1] [hw-para-5]
    """
    at, st = army * 5, s.strength
    name = army_name(army)
    if mode == AIRDROP and st[at + PARA] and s.dropped[army]:
        return Refusal("hw-para-5", "hw-dropped-once", army=name)
    movers = {LAND: (INF, MECH, PARA), INVASION: (INF, MECH, AMPH), AIRDROP: (PARA,)}[mode]
    if any(st[at + kind] for kind in movers):
        return None
    if st[at + AMPH]:
        return Refusal("hw-amph-2", "hw-amphibious-stay", army=name)
    return Refusal("hw-tac-3", "hw-air-stays", army=name)


def advance_strength(s: War, army: int, paradrop: int, mode: int) -> int:
    """Mechanized points plus twice the paradrop; in an invasion amphibious points and as many others.

    [hw-advance-3] [hw-para-2] [hw-para-3] [hw-invadv-1]
    """
    at, st = army * 5, s.strength
    if mode == INVASION:
        amphibious = st[at + AMPH]
        return min(STACK, amphibious + min(amphibious, st[at + INF] + st[at + MECH]))
    mechanized = 0 if mode == AIRDROP else st[at + MECH]
    return min(STACK, mechanized + 2 * paradrop)


def chance(s: War, army: int, target: int, paradrop: int = 0, mode: int = 0) -> Chance:
    """The range of an advance and everything that changes its die; of an attack as named unless a mode is given.

    [hw-advance-3] [hw-advance-10] [hw-mountain-3] [hw-friendly-1] [hw-advance-table]
    """
    side, mode = side_of(army), mode or s.mode[army] or LAND
    friendly = s.owner[target] == side
    column = FRIENDLY_COLUMN if friendly else min(STACK, defence(s, target))
    strength = advance_strength(s, army, paradrop, mode)
    needed = ADVANCE[strength][column] if why_stays(s, army, mode) is None else 0
    parts = die_modifiers(s, side, s.army_at[army], (army,), attack=True)
    if s.advanced[army]:
        each = int(_CHART["per_hex_already_advanced"])
        parts.append(Modifier("fatigue", each * s.advanced[army], "hw-advance-10"))
    if ATLAS.mountain[target]:
        parts.append(Modifier("mountain", int(_CHART["mountain_target"]), "hw-mountain-3"))
    if not friendly:
        parts.extend(italian.advance_modifiers(s, army))
    return Chance(strength, column, needed, tuple(parts))


def droppable(s: War, army: int, mode: int = 0) -> int:
    """Paratroop points that have not dropped this turn.  [hw-para-5]"""
    return max(0, s.strength[army * 5 + PARA] - s.dropped[army]) if (mode or s.mode[army]) != INVASION else 0


def paradrops(s: War, army: int) -> Numbers:
    """How many points may drop: across water all of them, since nobody enters otherwise.  [hw-parawater-1]"""
    most = droppable(s, army)
    return Numbers(most, most) if s.mode[army] == AIRDROP else Numbers(0, most)


def why_no_advance(s: War, army: int) -> Refusal | None:
    """Why an army may not try to advance in the initial attack.  [hw-advance-8] [hw-advance-9]"""
    stays = why_stays(s, army, s.mode[army])
    if stays is not None:
        return stays
    best = chance(s, army, s.target[army], droppable(s, army))
    if best.needed > 0:
        return None
    if best.strength == 0:
        return Refusal("hw-advance-8", "hw-no-mech", army=army_name(army), target=space_name(s.target[army]))
    return Refusal("hw-advance-9", "hw-cannot-succeed", army=army_name(army), target=space_name(s.target[army]))
