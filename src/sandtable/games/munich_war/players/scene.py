"""A position as a planner looks at it: who is where, what draws whom, what the enemy can reach."""

from __future__ import annotations

from sandtable.core.bits import bits

from ..facts.air import bases, flight
from ..facts.board import board
from ..facts.control import terror
from ..facts.distance import around, pull
from ..facts.reach import reach
from ..facts.targets import neutral_prey
from ..model.atlas import ALLIES, ATLAS, NOBODY
from ..model.hexsets import flood, shifted
from ..model.state import ATTACKED, NO_ATTACK, M
from .battle import Clash
from .lore import Doctrine, fighting_left, prey_of, quarry, stakes, turns_left, unit_worth

_MOBILE = [tuple(u for u in country.units if ATLAS.units[u].mobile) for country in ATLAS.countries]
_NEAR = 6
"""Enemies within so many hexes make a city worth looking after."""
CAPITAL = 3
"""Victory points from which a city is never left open without need."""
_STORM = 3
"""How many times stronger than a capital's garrison those must be who could storm it, for it not to be enough."""
_CITY_SHIFT = int(ATLAS.tables["tec"]["city"]["shift"])
_RIVER_SHIFT = int(ATLAS.tables["tec"]["river"]["shift"])
_TRENCH_SHIFT = int(ATLAS.tables["tec"]["entrenchment"]["shift"])


def attack_chart(m: M, side: int) -> dict[int, dict[int, list[int]]]:
    """Target hex -> nation -> its units next to it (or sworn to it) that may still attack."""
    state, known = m.state, board(m.state)
    enemies = known.occupied[1 - side]
    found: dict[int, dict[int, list[int]]] = {}
    for country, who in enumerate(state.side):
        if who != side:
            continue
        victims = enemies | neutral_prey(m.state, country)
        for unit in _MOBILE[country]:
            at = state.where[unit]
            if at < 0 or state.flags[unit] & (ATTACKED | NO_ATTACK) or not ATLAS.units[unit].attack[state.steps[unit]]:
                continue
            sworn = state.assaults.get(unit)
            for target in bits(ATLAS.zone[at] & victims if sworn is None else 1 << sworn & enemies):
                found.setdefault(target, {}).setdefault(country, []).append(unit)
    return found


class Scene:
    """One position seen by one side. Nothing in it changes the match."""

    def __init__(self, m: M, side: int, doctrine: Doctrine, *, rough: bool = False) -> None:
        """`rough`: what the enemy can reach is measured in hexes, not in movement factors: enough for small choices."""
        self.m, self.side, self.doctrine, self.rough = m, side, doctrine, rough
        self.known = board(m.state)
        self.terror = terror(m.state)
        self.scale = fighting_left(m, side)
        self.final = side == ALLIES and m.state.phasing == ALLIES and not turns_left(m.state)
        """Whether no enemy turn follows: nothing needs to be guarded any more."""
        self.stakes = stakes(m, side, doctrine)
        self.lure = pull(tuple(sorted(self.stakes.take.items())))
        """Pull of what can be taken, by hex."""
        state = m.state
        self.mine = [
            unit
            for country, who in enumerate(state.side)
            if who == side
            for unit in _MOBILE[country]
            if state.where[unit] >= 0 and unit not in state.assaults
        ]
        self.theirs = [
            unit
            for country, who in enumerate(state.side)
            if who == 1 - side
            for unit in _MOBILE[country]
            if state.where[unit] >= 0
        ]
        self._threats: list[tuple[int, int, int]] | None = None
        self._home: tuple[float, ...] | None = None
        self._reach: dict[int, int] = {}
        self._clashes: dict[tuple[int, bool], Clash] = {}

    # ---- strength
    def attack(self, unit: int) -> int:
        return ATLAS.units[unit].attack[self.m.state.steps[unit]]

    def defense(self, unit: int) -> int:
        return ATLAS.units[unit].defense[self.m.state.steps[unit]]

    def worth(self, unit: int) -> float:
        return unit_worth(unit, self.m.state.steps[unit], self.scale)

    def value(self, at: int) -> float:
        """What standing in a hex is worth by the victory table."""
        return self.stakes.take.get(at, 0.0) + self.stakes.keep.get(at, 0.0)

    # ---- reach
    def reach(self, unit: int) -> int:
        """Hexes a unit can march to, its own included."""
        found = self._reach.get(unit)
        if found is None:
            found = reach(self.m.state, unit) | 1 << self.m.state.where[unit]
            self._reach[unit] = found
        return found

    def threats(self) -> list[tuple[int, int, int]]:
        """Enemy units as (hexes they can march to, hexes they can attack, attack factor), from where they are."""
        if self._threats is None:
            where = self.m.state.where
            self._threats = []
            for unit in () if self.final else self.theirs:
                factor = self.attack(unit)
                if self.rough:
                    move = ATLAS.units[unit].move
                    self._threats.append((around(where[unit], move), around(where[unit], move + 1), factor))
                else:
                    walk = self.reach(unit)
                    self._threats.append((walk, shifted(walk, ATLAS.land_edges), factor))
        return self._threats

    def danger(self, at: int) -> int:
        """Attack factors that the enemy can bring against a hex in the next turn."""
        return sum(factor for _, hits, factor in self.threats() if hits >> at & 1)

    def can_be_entered(self, at: int) -> bool:
        """Whether an enemy could walk in were the hex empty."""
        return any(walk >> at & 1 for walk, _, _ in self.threats()) or bool(
            ATLAS.zone[at] & self.known.zoc[1 - self.side] and self.danger(at)
        )

    def holds(self, at: int, wall: int, worth: float) -> bool:
        """Whether a garrison of so many defence factors is enough for a city of that worth."""
        return wall > 0 and (worth < CAPITAL or _STORM * wall >= self.danger(at))

    @property
    def home(self) -> tuple[float, ...]:
        """Pull of what must be kept and is in danger, by hex."""
        if self._home is None:
            near = 0
            for unit in self.theirs:
                near |= 1 << self.m.state.where[unit]
            close = flood(near, ATLAS.land_edges, ATLAS.land, _NEAR)
            goals = []
            for at, worth in self.stakes.keep.items():
                if close >> at & 1:
                    share = min(1.0, self.danger(at) / 8)
                    goals.append((at, round(min(worth, 6.0) * max(share, 0.25), 2)))
            self._home = pull(tuple(sorted(goals)))
        return self._home

    # ---- enemies
    def foes(self, at: int) -> list[int]:
        """Units in a hex that are not ours."""
        sides, side = self.m.state.side, self.side
        return [unit for unit in self.known.stack(at) if sides[ATLAS.units[unit].country] != side]

    def targets(self) -> int:
        """Hexes with enemies; with neutrals too where the doctrine wants that war and the rules allow it."""
        found = self.known.occupied[1 - self.side]
        prey = quarry(self.m, self.side, self.doctrine)
        for country, who in enumerate(self.m.state.side) if prey else ():
            if who == self.side and ATLAS.countries[country].invades:
                hexes = neutral_prey(self.m.state, country)
                found |= sum(1 << at for at in bits(hexes) if ATLAS.country_of[at] in prey)
        return found

    def terrain(self, target: int, alpine: bool, foes: list[int]) -> int:
        """Columns to the left for the defender's ground."""
        land = ATLAS.alpine_shift[target] if alpine else ATLAS.terrain_shift[target]
        if ATLAS.cities >> target & 1 and not self.terror >> target & 1:
            land = max(land, _CITY_SHIFT)
        home = ATLAS.country_of[target]
        if ATLAS.trenches >> target & 1 and all(ATLAS.units[foe].country == home for foe in foes):
            land += _TRENCH_SHIFT
        return land

    def river(self, target: int, places: list[int]) -> int:
        """Columns to the left when every attacker must cross a river."""
        return _RIVER_SHIFT if all((at, target) in ATLAS.wet_sides for at in places) else 0

    def prize(self, target: int) -> float:
        """What taking a hex is worth."""
        gain = self.stakes.take.get(target, 0.0)
        return gain + self.doctrine.ground * self.lure[target] * self.scale + 0.1 * self.scale

    def clash(self, target: int, trapped: bool = False) -> Clash:
        key = (target, trapped)
        found = self._clashes.get(key)
        if found is None:
            found = Clash(self.m.state, self.foes(target), self.doctrine, self.scale, self.prize(target), trapped)
            self._clashes[key] = found
        return found

    # ---- air
    def air_over(self, country: int, target: int) -> int:
        """The column shift of an airstrike of this country over a hex."""
        state = self.m.state
        for unit in ATLAS.countries[country].units:
            face = ATLAS.units[unit]
            if face.strike and state.where[unit] == target:
                return face.combat[state.steps[unit]]
        return 0

    def in_range(self, unit: int, target: int) -> int:
        """A base from which an air unit reaches a hex; NOBODY where there is none."""
        here = flight(self.m.state, unit, target) if self.known.open >> target & 1 else 0
        good = bases(self.m.state, unit) & here & ~(1 << target)
        for base in bits(good):
            if flight(self.m.state, unit, base) >> target & 1:
                return base
        return NOBODY

    def neutral(self, at: int) -> bool:
        country = ATLAS.country_of[at]
        return country != NOBODY and self.m.state.side[country] == NOBODY

    def prey(self) -> frozenset[int]:
        return prey_of(self.m, self.side)
