"""Retreat after combat (chapter 12)."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core import Offer, OneOf, Refusal, Step
from sandtable.core.offers import Field

from ..facts.board import facts, hex_name, names_of, occupy, side_of
from ..model.actions import Retreat, Stand
from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.events import Retreated, Stood
from ..model.hexsets import bits, mask_of
from ..model.state import M, lay
from .losses import eliminate, reduce
from .politics import enterable, why_barred_by_poland
from .stacking import fits, would_overstack

Path = tuple[int, ...]
_FORTS = frozenset(unit.index for unit in ATLAS.units if unit.fort)
_FARTHEST = 12  # an overstacked retreat goes on; nobody ever has to look farther than this


def retreat_hexes(m: M, unit: int, at: int) -> int:
    """[mw-12.1-a] [mw-12.1-c] [mw-12.1-d] [mw-5.4-c] [mw-19.0-mountain-b] Hexes a retreating unit may step into."""
    face = ATLAS.units[unit]
    side = m.state.side[face.country]
    return ATLAS.near[face.terrain][at] & enterable(m, face.country) & ~facts(m).occupied[1 - side]


@functools.lru_cache(maxsize=8192)
def ring(start: int, distance: int) -> int:
    """The hexes so far away from one."""
    return ATLAS.ring(start, distance)


def has_fort(m: M, side: int, at: int) -> bool:
    stack = facts(m).stack(at)
    return not _FORTS.isdisjoint(stack) and any(other in _FORTS and side_of(m, other) == side for other in stack)


def may_stand(m: M, unit: int) -> bool:
    """[mw-12.2-b] [mw-12.2-c] [mw-12.2-d] A friendly fortification in its hex, still there after the losses."""
    return has_fort(m, side_of(m, unit), m.state.where[unit])


def all_paths(m: M, unit: int, distance: int, most: int = _FARTHEST) -> list[tuple[int, Path]]:
    """[mw-12.0-b] [mw-12.1-e] [mw-12.1-f] [mw-12.2-e] [mw-12.1-b] [mw-10.4-b] Every full retreat with what it costs in
    steps, one for each enemy zone entered and no more than `most`: each hex is one farther from the start; a fort may
    end it early; an overstacked end carries it on."""
    start = m.state.where[unit]
    side = side_of(m, unit)
    zones = facts(m).zoc[1 - side]
    found: list[tuple[int, Path]] = []
    to_try: list[tuple[int, Path]] = [(0, ())]
    while to_try:
        cost, path = to_try.pop()
        at = path[-1] if path else start
        far = len(path)
        if path:
            room, full = fits(m, unit, at), far >= distance
            if room and (full or has_fort(m, side, at)):
                found.append((cost, path))
            if (full and room) or far >= _FARTHEST:
                continue
        onward = [
            (cost + (zones >> there & 1), (*path, there))
            for there in bits(retreat_hexes(m, unit, at) & ring(start, far + 1))
        ]
        to_try += [way for way in reversed(onward) if way[0] <= most]
    return found


def best_paths(m: M, unit: int, distance: int) -> list[Path]:
    """[mw-12.1-g] The retreats it may choose: none that destroys it while another does not, and of those the ones
    that run into the fewest enemy zones."""
    known = facts(m)
    key = ("retreat", unit, distance)
    found: list[Path] | None = known.memo.get(key)
    if found is None:
        alive = all_paths(m, unit, distance, m.state.steps[unit] - 1)
        least = min((cost for cost, _ in alive), default=0)
        found = [path for cost, path in alive if cost == least]
        known.memo[key] = found
    return found


class RetreatAll(Step, frozen=True, tag="mw.retreat"):
    """[mw-12.0-a] [mw-12.0-b] [mw-12.0-c] The owner retreats his units one by one."""

    rule = "mw-12.0-a"
    side: int
    units: tuple[int, ...]
    distance: int

    def run(self, m: M) -> None:
        """What leaves no choice happens by itself."""
        state = m.state
        left = tuple(unit for unit in self.units if state.steps[unit] and unit not in state.assaults)
        for unit in left:
            face = ATLAS.units[unit]
            if face.fort:
                left = tuple(other for other in left if other != unit)  # [mw-12.2-a]
            elif face.static and not may_stand(m, unit):
                eliminate(m, unit, "retreat")  # [mw-12.1-h]
                left = tuple(other for other in left if other != unit)
        if not left:
            m.pop()
            return
        for unit in left:
            if not may_stand(m, unit) and not best_paths(m, unit, self.distance):
                self.perish(m, unit)
                m.replace(RetreatAll(self.side, tuple(other for other in left if other != unit), self.distance))
                return
        m.amend(RetreatAll(self.side, left, self.distance))

    def perish(self, m: M, unit: int) -> None:
        """[mw-12.1-e] [mw-12.1-f] No way out: eliminated."""
        eliminate(m, unit, "retreat")

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        number = ATLAS.unit_number
        names = [ATLAS.units[unit].id for unit in self.units]
        standing = [ATLAS.units[unit].id for unit in self.units if may_stand(m, unit)]
        going = [name for name in names if best_paths(m, number[name], self.distance)]
        found = []
        if going:
            found.append(
                Offer(
                    Retreat,
                    Field("unit", "unit", OneOf(going)),
                    Field("path", "path", lambda unit: OneOf(
                        [tuple(names_of(path)) for path in best_paths(m, number[unit], self.distance)],
                        why=lambda path: self.why_not(m, number[unit], path))),
                    rule="mw-12.0-a",
                )
            )  # fmt: skip
        if standing:
            found.append(
                Offer(Stand, Field("unit", "unit", OneOf(standing, why=lambda unit: _why_not_stand(unit))),
                      rule="mw-12.2-b")
            )  # fmt: skip
        return found

    def why_not(self, m: M, unit: int, path: object) -> Refusal | None:
        """Which restriction a path breaks first."""
        if not isinstance(path, tuple):
            return None
        start = before = m.state.where[unit]
        for place, name in enumerate(path, 1):
            at = ATLAS.hex_number.get(name, NOBODY)
            if at == NOBODY or not ATLAS.neighbours(before) >> at & 1:
                return Refusal("mw-12.1-c", "no-way", hex=str(name))
            if facts(m).occupied[1 - self.side] >> at & 1:
                return Refusal("mw-12.1-a", "enemy-there", hex=name)
            if not retreat_hexes(m, unit, before) >> at & 1:
                barred = why_barred_by_poland(m, ATLAS.units[unit].country, at)
                if barred is not None:
                    return barred
                return Refusal("mw-12.1-c", "no-retreat-there", hex=name)
            if ATLAS.distance(start, at) != place:
                return Refusal("mw-12.1-f", "doubles-back", hex=name)
            before = at
        if len(path) < self.distance and not has_fort(m, self.side, before):
            return Refusal("mw-12.1-f", "too-short", distance=self.distance)
        if would_overstack(m, unit, before):
            return Refusal("mw-12.1-e", "retreat-overstacks", hex=hex_name(before))
        return Refusal("mw-12.1-g", "safer-way", unit=ATLAS.units[unit].id)

    def take(self, m: M, role: str, action: Retreat | Stand) -> None:
        unit = ATLAS.unit_number[action.unit]
        if isinstance(action, Stand):
            m.emit(Stood(unit=action.unit))
        else:
            withdraw_along(m, unit, tuple(ATLAS.hex_number[name] for name in action.path))
        m.replace(RetreatAll(self.side, tuple(other for other in self.units if other != unit), self.distance))


def _why_not_stand(unit: str) -> Refusal:
    return Refusal("mw-12.2-b", "no-fort", unit=unit)


def withdraw_along(m: M, unit: int, path: Path) -> None:
    """[mw-12.1-b] [mw-8.2-f] Step by step, with a loss for every enemy zone entered and no movement factors spent."""
    state = m.state
    side = side_of(m, unit)
    m.emit(Retreated(unit=ATLAS.units[unit].id, path=tuple(names_of(path))))
    zones = facts(m).zoc[1 - side]
    for place, at in enumerate(path):
        if zones >> at & 1 and not reduce(m, unit, "retreat"):
            occupy(m, side, mask_of(path[: place + 1]))
            return
    lay(state, unit, path[-1])
    occupy(m, side, mask_of(path))
