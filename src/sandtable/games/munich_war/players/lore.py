"""What a player knows by heart: what cities and units are worth, and how it likes to fight."""

from __future__ import annotations

import msgspec

from sandtable.core.bits import bits

from ..facts.board import board
from ..facts.control import last_held
from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY
from ..model.state import M, MunichState
from ..rules.victory import city_worth

FACTOR = 0.1
"""Victory points that one combat factor of a unit stands for."""


class Doctrine(msgspec.Struct, frozen=True):
    """How a player likes to fight. The levels and their candidate plans differ in these."""

    widen: float = 0.0
    """Share of a neutral's worth that counts as a goal. 0: only those that fall easily, and when there is time for
    them."""
    bold: float = 0.12
    """The least expected gain, in victory points, for which an attack is made."""
    thrift: float = 1.0
    """Weight of the own losses."""
    harm: float = 0.9
    """Weight of the enemy's losses."""
    push: float = 1.0
    """Pull of what can be taken."""
    hold: float = 1.0
    """Pull of what must be kept."""
    guard: float = 1.0
    """How strong garrisons are made."""
    swarm: float = 0.03
    """What it costs to tie one more unit to an attack."""
    ground: float = 0.35
    """Worth of a conquered hex per unit of pull gained."""
    watch: int = 0
    """Enemies within so many hexes of a capital keep one unit in it, even where none could get there at once."""
    wary: bool = False
    """Whether countries that may yet join the enemy count as enemies near a capital."""
    cling: bool = False
    """Whether a unit stays next to the lost cities of a country, so that it need not surrender."""
    ahead: bool = False
    """Whether fortified lines are manned against countries that may yet join the enemy, too, and capitals are covered
    by the set-up."""
    raid: float = 0.0
    """Whether easy neutrals are goals from the first turn, are entered before the enemy comes, and the set-up has a
    force ready for them; above 0: yes."""
    spare: bool = False
    """Whether a city with its garrison asks for no more, and nobody goes to sea who is needed on land, or leaves a city
    empty for another of no more worth."""
    stress: tuple[tuple[int, float], ...] = ()
    """Cities by hex that count so many times their points, and other hexes that count so many points while an enemy
    stands there."""


class Stakes(msgspec.Struct, frozen=True):
    """The cities a side wants and those it has to lose, with their victory points."""

    take: dict[int, float]
    keep: dict[int, float]


PRIZES = tuple(bits(ATLAS.key_cities | ATLAS.reich_objectives))
_WORTH_OF = [{at: float(city_worth(at, side)) for at in PRIZES} for side in (AXIS, ALLIES)]
"""By side: what it gets for a city of the enemy's."""
_AGGRESSORS = tuple(country.index for country in ATLAS.countries if country.invades)


def prey_of(m: M, side: int) -> frozenset[int]:
    """Neutrals that a side may invade."""
    state = m.state
    found: set[int] = set()
    for country in _AGGRESSORS:
        if state.side[country] == side and not state.fallen[country]:
            found |= {other for other in ATLAS.countries[country].invades if state.side[other] == NOBODY}
    return frozenset(found)


EASY = frozenset(
    country.index
    for country in ATLAS.countries
    if sum(ATLAS.units[unit].defense[ATLAS.units[unit].steps] for unit in country.units if ATLAS.units[unit].land) <= 2
)
"""Countries with a corps at most: no new front."""
_VICTIMS = tuple(country.index for country in ATLAS.countries if country.surrenders)


def quarry(m: M, side: int, doctrine: Doctrine) -> frozenset[int]:
    """Neutrals that a side is after now.

    A wide doctrine: all that it may invade. Otherwise those with a corps at most; the Axis, whose war is decided
    elsewhere, turns to them when the cities of an enemy that may surrender are all taken, or a turn is left.
    """
    prey = prey_of(m, side)
    if doctrine.widen or not prey:
        return prey
    named = {ATLAS.country_of[at] for at, share in doctrine.stress if share > 1}
    if side == AXIS and turns_left(m.state) > 1 and not doctrine.raid:
        held = last_held(m.state, side)
        if not any(m.state.side[c] != side and not ATLAS.countries[c].cities & ~held for c in _VICTIMS):
            return prey & named
    return prey & (EASY | named)


def lurkers(m: M, side: int) -> list[int]:
    """Units of countries that would join the enemy if they intervened."""
    state = m.state
    if state.intervened or not turns_left(m.state):
        return []
    return [
        unit
        for country in ATLAS.plans[state.plan].intervention[1 - side]
        if state.side[country] == NOBODY
        for unit in ATLAS.countries[country].units
        if ATLAS.units[unit].mobile and state.where[unit] >= 0
    ]


def stakes(m: M, side: int, doctrine: Doctrine) -> Stakes:
    """What there is to win and to lose for a side, by the victory table."""
    state = m.state
    enemy = 1 - side
    mine, theirs = last_held(state, side), last_held(state, enemy)
    prey = quarry(m, side, doctrine)
    take: dict[int, float] = {}
    keep: dict[int, float] = {}
    for at in PRIZES:
        country = ATLAS.country_of[at]
        owner = state.side[country]
        if owner == enemy:
            worth = _WORTH_OF[side][at]
            (keep if mine >> at & 1 else take)[at] = worth
        elif owner == side:
            worth = _WORTH_OF[enemy][at]
            (take if theirs >> at & 1 else keep)[at] = worth
        elif country in prey:
            take[at] = _WORTH_OF[side][at] * (doctrine.widen or 1.0)
    for at, share in doctrine.stress:
        if at in take or at in keep:
            wanted = take if at in take else keep
            wanted[at] *= share
        elif board(state).occupied[enemy] >> at & 1:
            take[at] = share
    return Stakes({at: worth for at, worth in take.items() if worth}, {at: w for at, w in keep.items() if w})


# ---- units ---------------------------------------------------------------------------------------------------------
_WORTH = [tuple(FACTOR * (face.attack[steps] + face.defense[steps]) for steps in (0, 1, 2)) for face in ATLAS.units]
_POINTS = [float(face.vp) for face in ATLAS.units]
AIR_STEP = 0.5
"""What one step of an air unit is good for besides its points."""


def unit_worth(unit: int, steps: int, scale: float = 1.0) -> float:
    """A unit with so many steps left, in victory points; `scale`: how much fighting is still to come."""
    if not steps:
        return 0.0
    if ATLAS.units[unit].air:
        return AIR_STEP * steps * scale + _POINTS[unit]
    return _WORTH[unit][min(steps, 2)] * scale + _POINTS[unit]


def step_worth(unit: int, steps: int, scale: float = 1.0) -> float:
    """What the loss of one step costs, the points for a lost unit included."""
    return unit_worth(unit, steps, scale) - unit_worth(unit, steps - 1, scale)


def fighting_left(m: M, side: int) -> float:
    """How much the strength of units still matters: all of it in the middle of a match, little in the last turn."""
    left = turns_left(m.state)
    if left >= 2:
        return 1.0
    if left == 1:
        return 0.75
    return 0.1 if side == ALLIES else 0.4


def turns_left(state: MunichState) -> int:
    """Game turns that come after this one."""
    return max(0, ATLAS.plans[state.plan].turns - state.turn)
