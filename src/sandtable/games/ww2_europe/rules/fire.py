"""Firing: who may hit what, and the dice of one side in one round."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import AIR, GROUND, T_AIR, T_GROUND, T_LAND, T_NAVAL, T_SHIP, T_SUB, T_TANK, T_TRANSPORT, T_UBOAT
from ..model.state import AMPHIBIOUS, CUT_OFF, DROPPED, MOVED, PACIFIC, RAIDER, SPECIAL, SURPRISED, M, W2State
from .strength import Volley, land_parts, sea_parts, total

A = ATLAS
K = ATLAS.kinds
ROLLER = 1 << 8
"""The side that fired picks the casualty."""
TANKS_FIRST = 1 << 9
MASK = (1 << 8) - 1
CALM = (0, 0, 1)
"""Naval modifier, air modifier, whether planes take part."""


_MATTERS = AMPHIBIOUS | CUT_OFF | DROPPED | SPECIAL | SURPRISED
"""Flags on which a unit's value hangs."""


class Shot:
    """One die: the highest roll that hits, what it may hit, and when the roller chooses."""

    __slots__ = ("free", "mask", "sub", "uboat", "unit", "value")

    def __init__(self, unit: int, value: int, mask: int, free: int = 0, sub: int = 0, uboat: int = 0) -> None:
        self.unit, self.value, self.mask, self.free, self.sub, self.uboat = unit, value, mask, free, sub, uboat

    def hit(self, die: int) -> int:
        """Return the hit that a roll makes: bits of classes it may fall on, 0 for a miss."""
        found = self.mask if die <= self.value else 0
        if die <= self.sub:
            found |= T_SUB
        if die <= self.uboat:
            found |= T_UBOAT
        if found and die <= self.free:
            found |= ROLLER
        return found

    @property
    def best(self) -> int:
        return max(self.value, self.sub, self.uboat)


def classes(m: M, units: Sequence[int]) -> int:
    """Return what classes of targets there are."""
    found = 0
    for unit in units:
        found |= K.target[m.state.kind[unit]]
    return found


def land_shots(m: M, volley: Volley, shooters: Sequence[int], targets: Sequence[int]) -> list[Shot]:
    """Return the dice of one side in a round of a ground battle.

    [w2e-stage3-fire] [w2e-unit-artillery-barrage] [w2e-unit-artillery-antitank] [w2e-unit-artillery-shore]
    """
    state, present = m.state, classes(m, targets)
    shots: list[Shot] = []
    known: dict[tuple[int, ...], int] = {}
    led = bool(m.option("leaders"))

    def value(unit: int, printed: int) -> int:
        """Return the number that a unit needs: the same for units that are alike, unless leaders lead some."""
        alike = (printed, state.kind[unit], state.power[unit], state.flags[unit] & _MATTERS, unit if led else 0)
        if alike not in known:
            known[alike] = total(land_parts(m, unit, volley, printed))
        return known[alike]

    for unit in shooters:
        kind, flies = state.kind[unit], K.cls[state.kind[unit]] == AIR
        if flies and state.flags[unit] & DROPPED:
            continue  # a bomber that dropped airborne troops does not fire
        if K.anti_tank[kind] and volley.defending and volley.landing and volley.first_round:
            continue  # it has fired in the Shore Defense step
        if flies and (K.vs_air[kind] or K.vs_ground[kind]):
            shots.append(_air_shot(unit, kind, present, value))
        else:
            mask = T_LAND | (TANKS_FIRST if K.anti_tank[kind] else 0)
            shots += [Shot(unit, value(unit, K.combat[kind]), mask)] * _dice(m, unit, volley.first_round)
    return shots


def _air_shot(unit: int, kind: int, present: int, value: Callable[[int, int], int]) -> Shot:
    """Return the die of a fighter or a tac bomber in a ground battle.

    [w2e-unit-fighter-superiority] [w2e-unit-tac-attack]
    """
    if K.vs_air[kind]:
        printed, mask, otherwise = K.vs_air[kind], T_AIR, T_LAND
    else:
        printed, mask, otherwise = K.vs_ground[kind], T_GROUND | T_TANK, T_AIR
    if not present & mask:
        return Shot(unit, value(unit, K.combat[kind]), otherwise)
    number = value(unit, printed)
    return Shot(unit, number, mask, min(K.free_choice[kind], number))


def _dice(m: M, unit: int, first_round: bool) -> int:
    """Return how many dice a unit rolls: shock armies roll more in the first round.  [w2e-special-shock]"""
    s = m.state
    kind = s.kind[unit]
    if first_round and s.flags[unit] & SPECIAL and K.anti_tank[kind] and s.power[unit] == A.ussr:
        return int(A.forces[A.ussr]["shock_army"]["dice_first_round"])
    return K.dice[kind]


def sea_shots(
    m: M, space: int, shooters: Sequence[int], targets: Sequence[int], *, first_round: bool, weather: Sequence[int]
) -> list[Shot]:
    """Return the dice of one side in a round of a naval battle.

    [w2e-stage2-fire] [w2e-unit-sub-submerged] [w2e-unit-sub-surface] [w2e-unit-destroyer-asw] [w2e-unit-tac-asw]
    [w2e-tech-sonar] [w2e-tech-uboats]
    """
    state, present = m.state, classes(m, targets)
    shots = []
    for unit in shooters:
        kind = state.kind[unit]
        what = K.cls[kind]
        if what == GROUND or (what == AIR and not weather[2]):
            continue
        sonar = 1 if state.known[state.power[unit]][A.tech_index["sonar"]] == 2 else 0

        def value(printed: int, unit: int = unit) -> int:
            return total(sea_parts(m, unit, space, first_round, printed, weather))

        if what == AIR and K.vs_air[kind] and present & T_AIR:
            number = value(K.vs_air[kind])
            shots.append(Shot(unit, number, T_AIR, min(K.free_choice[kind], number)))
        elif what == AIR and K.vs_naval[kind] and present & T_NAVAL:
            number = value(K.vs_naval[kind])
            free = min(K.free_choice[kind], number)
            shots.append(Shot(unit, number, T_SHIP | T_TRANSPORT, free, number + sonar, number - 1 + sonar))
        elif what == AIR:
            mask = T_SHIP | T_TRANSPORT | T_AIR
            shots.append(Shot(unit, value(K.combat[kind]), mask))
        elif K.surface_only[kind]:
            shots.append(Shot(unit, value(K.combat[kind]), T_SHIP | T_TRANSPORT))
        else:
            number = value(K.combat[kind])
            seeks = K.asw[kind] and number > 0
            shots.append(Shot(unit, number, T_SHIP | T_TRANSPORT | T_AIR, 0,
                              number + sonar if seeks else 0, number - 1 + sonar if seeks else 0))  # fmt: skip
    return [shot for shot in shots if shot.best > 0]


def roll(m: M, shots: Sequence[Shot], targets: Sequence[int], why: str) -> list[int]:
    """Roll every die; the hits that have something to fall on."""
    present = classes(m, targets)
    hits = []
    for shot in shots:
        found = shot.hit(m.roll(why=why))
        if found & present or (found & ROLLER and present):
            hits.append(found)
    return hits


def legal_targets(m: M, hit: int, targets: Sequence[int]) -> list[int]:
    """Return the units a hit may fall on: artillery's tanks first, transports last.

    A free choice may take any unit that the shooter could hit at all.
    [w2e-unit-artillery-antitank] [w2e-unit-transport-avoid] [w2e-unit-battleship-armor]
    """
    state = m.state
    mask = hit & MASK
    if hit & ROLLER:
        mask |= T_AIR | T_GROUND | T_TANK | (T_SHIP | T_TRANSPORT if mask & T_NAVAL or mask & T_AIR else 0)
    found = [u for u in targets if K.target[state.kind[u]] & mask]
    if hit & TANKS_FIRST:
        tanks = [u for u in found if K.target[state.kind[u]] == T_TANK]
        found = tanks or found
    others = [u for u in found if K.target[state.kind[u]] != T_TRANSPORT]
    return others or found


_TELLS = SPECIAL | CUT_OFF | SURPRISED | AMPHIBIOUS | DROPPED | MOVED | PACIFIC | RAIDER
"""Flags by which one unit may be worth more to its owner than another of its kind."""


def alike(s: W2State, unit: int) -> tuple[int, ...]:
    """Return what is the same for units of which it does not matter which is lost.

    The owner chooses between all others: by state, by base, by where a ground unit could retreat to.
    [w2e-stage3-fire] [w2e-stage2-fire]
    """
    found = (s.kind[unit], s.power[unit], s.damage[unit], s.flags[unit] & _TELLS)
    if K.cls[s.kind[unit]] == GROUND:
        return (*found, s.came[unit], s.home[unit] if s.options.get("leaders") else NOBODY)
    return (*found, s.home[unit] if s.space[unit] >= 0 else NOBODY)


def can_hit(m: M, shots: Sequence[Shot], targets: Sequence[int]) -> bool:
    """Whether any of these dice could hit anything there."""
    present = classes(m, targets)
    return any(
        (shot.value > 0 and shot.mask & present) or (shot.sub > 0 and present & T_SUB)
        or (shot.uboat > 0 and present & T_UBOAT)
        for shot in shots
    )  # fmt: skip
