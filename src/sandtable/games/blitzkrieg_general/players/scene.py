"""What a player of Blitzkrieg General reads off the board: who could strike where, what an area is worth, how far.

A scene is only for looking: it asks the game's own questions of the state a player may see and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from math import fsum

from sandtable.core.facts import fact

from ..facts.duels import Soldier
from ..facts.ground import ENEMY_SKY, OWN_SKY, homes_kept, open_land, sky
from ..facts.politics import commanded, members, opponents
from ..facts.power import ALL, LAND, Marches, marches_of, might, powers
from ..facts.reach import Roads, roads
from ..facts.units import Stacks, on_map
from ..model.atlas import (
    ARM,
    ATLAS,
    BE,
    CHINA,
    FRANCE,
    GERMANY,
    INF,
    ITALY,
    JAPAN,
    MAJORS,
    MOUNTAIN_BORDER,
    RIVER,
    SWAMP_BORDER,
    TF,
    USA,
    USSR,
)
from ..model.state import AT_WAR, OUT, BKState, at_war, has_enemy, strength
from ..rules.chart import steps_left
from .chances import likely
from .doctrine import USUAL, Doctrine

_HOME, _LAST_HOME, _OWN_HOME = 2.0, 8.0, 4.0
"""Worth of an area of an enemy major's home; how much more the last one is; of an own home area that was lost."""


_EAST = 2.0
"""How much more the Soviet armies and areas count for Germany than others, since no enemy builds more."""


class Scene:
    """The board as one major sees it."""

    looks_ahead = False
    """Whether it is looked at by somebody who plans for quarters to come."""
    chance = staticmethod(likely)
    """How it judges whether attackers beat defenders."""

    def __init__(self, state: BKState, role: str, doctrine: Doctrine = USUAL) -> None:
        self.doctrine = doctrine
        self.state = state
        self.found = ATLAS
        self.me = MAJORS.index(role)
        self.side = state.side[self.me]
        self.powers = powers(state)
        """By unit the hits it scores in a round on the average."""
        self.foes, self.ours = opponents(state, self.me), members(state, self.side)
        """The nations that fight against this major's side, and those of that side, as bits."""
        self.ground = sky(state, self.me)
        """By space whose it is, as codes."""

    # ---- units
    def power(self, unit: int) -> float:
        """Hits a unit scores in a round on the average, terrain and weather left out."""
        return self.powers[unit]

    def total(self, units: Iterable[int]) -> float:
        powers = self.powers
        return fsum([powers[u] for u in units])

    def steps(self, units: Iterable[int]) -> int:
        return sum(steps_left(self.state, u) for u in units)

    def soldier(self, unit: int, at: int, via: int, attacks: bool) -> Soldier:
        """Strength fresh and reduced, dice and hits of a unit that fights in an area."""
        found, state = self.found, self.state
        more = self.modifier(unit, at, via, attacks)
        now = max(0, strength(state, unit) + more)
        steps = steps_left(state, unit)
        then = max(0, found.back[unit] + more) if steps == 2 else 0
        return (min(now, 6), min(then, 6), found.shots[unit], steps)

    def modifier(self, unit: int, at: int, via: int, attacks: bool) -> int:
        """What ground, weather and supply add to a land unit or an aircraft in a land battle."""
        state, found = self.state, self.found
        if not state.advanced:
            return 0
        kind, out = found.type[unit], 0
        effects = found.terrain_effects.get(found.terrain[at], {})
        if found.terrain[at] == "fortress" and not state.fortress:
            effects = {}
        bad = bool(state.bad[found.map[at]])
        if state.flags[unit] & OUT and not found.is_ship[unit]:
            out += found.out_of_supply
        if not found.is_land[unit]:
            if kind == TF:
                out -= strength(state, unit) // 2
            return out + (int(found.bad_weather["air"]) if bad else 0) + int(effects.get("air") or 0)
        if kind == ARM:
            out += int(effects.get("arm") or 0)
        if not attacks:
            return out + (int(effects.get("infantry_defender") or 0) if kind == INF else 0)
        out += int(effects.get("attacker") or 0)
        if bad:
            out += int(found.bad_weather["attacking_land"])
        border = found.border.get(via * found.count + at, 0) if via >= 0 else 0
        which = "arm_attacker" if kind == ARM else "other_attacker"
        if border & RIVER:
            out += int(found.border_effects["river"]["attacker"])
        if border & MOUNTAIN_BORDER and found.terrain[at] != "mountain":
            out += int(found.border_effects["mountain"][which])
        if border & SWAMP_BORDER:
            out += int(found.border_effects["swamp"][which])
        return out

    @cached_property
    def mine(self) -> list[int]:
        return on_map(self.state, self.me)

    def enemies(self, space: int) -> list[int]:
        """Units of the other side's belligerents in a space."""
        here = self.state.here[space]
        if not here:
            return []
        nation, foes = self.state.nation, self.foes
        return [u for u in here if foes >> nation[u] & 1]

    def friends(self, space: int) -> list[int]:
        here = self.state.here[space]
        if not here:
            return []
        nation, ours = self.state.nation, self.ours
        return [u for u in here if ours >> nation[u] & 1]

    @cached_property
    def foe_table(self) -> Stacks[float]:
        return might(self.state, self.foes, ALL)

    def foe(self, space: int) -> float:
        """The power of the enemies in a space."""
        return self.foe_table[self.state.here[space]]

    @cached_property
    def troop_table(self) -> Stacks[float]:
        return might(self.state, self.ours, LAND)

    def troops(self, space: int) -> float:
        """The power on land of the own side in a space."""
        return self.troop_table[self.state.here[space]]

    @cached_property
    def ally_table(self) -> Stacks[float]:
        return might(self.state, self.ours & ~commanded(self.state, self.me), LAND)

    def allies(self, space: int) -> float:
        """The same without the own units: what others of the side have there."""
        return self.ally_table[self.state.here[space]]

    @cached_property
    def own_table(self) -> Stacks[float]:
        return might(self.state, self.ours & commanded(self.state, self.me), LAND)

    def own(self, space: int) -> float:
        """The same of the own units only."""
        return self.own_table[self.state.here[space]]

    @cached_property
    def foreign_convoys(self) -> list[bool]:
        """By map whether enemy convoys are on it: without them nobody can land there."""
        state, found = self.state, self.found
        theirs = (u for u in found.convoys if self.foes >> state.nation[u] & 1 and state.place[u] >= 0)
        boards = {found.map[state.place[u]] for u in theirs}
        return [board in boards for board in range(len(state.bad))]

    @cached_property
    def capital(self) -> int:
        """The home area that gives most."""
        homes = [s for s in self.found.homes[self.me] if self.state.control[s] == self.me]
        return max(homes, key=lambda s: self.found.left[s], default=-1)

    # ---- areas
    def friendly(self, space: int) -> bool:
        """Whether an area is this major's or its associates'."""
        return self.ground[space] == OWN_SKY

    def hostile(self, space: int) -> bool:
        """Whether an area is held by somebody this major fights."""
        return self.ground[space] == ENEMY_SKY

    def contested(self, space: int) -> bool:
        return has_enemy(self.state, self.me, space)

    @cached_property
    def threats(self) -> Marches:
        """By area the power of the enemy land units that could march there."""
        return marches_of(self.state, self.foes | self.coming)

    @cached_property
    def coming(self) -> int:
        """Nations that will soon fight against this major's side, as bits."""
        return 0

    def threat(self, space: int, without: int = -1) -> float:
        """The same, one enemy stack left out."""
        danger = self.threats[space]
        if without >= 0 and without in self.found.land_next[space]:
            return max(0.0, danger - might(self.state, self.foes, LAND)[self.state.here[without]])
        return danger

    def produces(self, space: int) -> int:
        return max(self.found.left[space], self.found.right[space])

    def vital(self, space: int) -> bool:
        """An own area that must not be left undefended."""
        found = self.found
        home = found.home_of[space]
        return found.has_production[space] and (home == self.me or self.ground[space] == OWN_SKY)

    @cached_property
    def worths(self) -> Worths:
        way = self.doctrine
        return worths(self.state, self.me, self.looks_ahead, way.main, way.force, way.prize)

    def worth(self, space: int) -> float:
        """What taking an area is worth to the side."""
        return self.worths[space]

    def points(self, space: int) -> int:
        """What holding an area gives the side towards its points to win."""
        return self.worths.points(space)

    def stress(self, space: int) -> float:
        """How much more than others an area counts: by whose it is, or else by who holds it."""
        return self.worths.stress(space)

    # ---- distances
    def roads(self, open_to: Iterable[int]) -> Roads:
        """Marches over land from every area to a goal through areas that are or may become open."""
        return roads(frozenset(open_to))

    @cached_property
    def open_land(self) -> list[int]:
        """Areas of friends and enemies: neutral ground is closed."""
        return open_land(self.state, self.me)


class Worths(dict[int, float]):
    """What taking an area is worth to a major's side: looked up as `worths[area]`, computed once."""

    def __init__(self, s: BKState, me: int, looks_ahead: bool, main: int, force: float, prize: float) -> None:
        self.side, self.sides, self.standing, self.control = s.side[me], s.side, s.standing, s.control
        self.kept, self.focus, self.main, self.force = homes_kept(s), focus(s, me, looks_ahead), main, force
        self.prize = prize

    def __missing__(self, space: int) -> float:
        owner, home = ATLAS.owner[space], ATLAS.home_of[space]
        ours = owner >= 0 and self.sides[owner] == self.side
        out = 0.6 + 1.5 * (ATLAS.left[space] if ours else ATLAS.right[space])
        if not ours:
            out += 0.7 * ATLAS.left[space]
        if home >= 0 and self.sides[home] != self.side:
            out += _HOME + _LAST_HOME / max(1, self.kept[home])
        elif home >= 0:
            out += _OWN_HOME
        elif owner >= 8 and not ours and self.standing[owner] == AT_WAR:
            out += 1.5
        if space in ATLAS.point_islands:
            out += 1.0
        whose = home if home >= 0 else owner
        stress = self.stress(space)
        out *= stress * (self.force if whose == self.main else 1.0)
        if self.prize:
            out += self.prize * self.points(space) * stress
        self[space] = out
        return out

    def points(self, space: int) -> int:
        owner = ATLAS.owner[space]
        ours = owner >= 0 and self.sides[owner] == self.side
        return (ATLAS.left[space] if ours else ATLAS.right[space]) + (space in ATLAS.point_islands)

    def stress(self, space: int) -> float:
        home = ATLAS.home_of[space]
        found = self.focus.get(home if home >= 0 else ATLAS.owner[space])
        return self.focus.get(self.control[space], 1.0) if found is None else found


@fact("advanced", "control", "side", "standing", "war")
def worths(s: BKState, me: int, looks_ahead: bool, main: int, force: float, prize: float) -> Worths:
    """Return a table of what taking any area is worth to a major that has so much more force for a main enemy, and to
    whom a point to win counts so much more."""
    return Worths(s, me, looks_ahead, main, force, prize)


def focus(state: BKState, me: int, looks_ahead: bool) -> dict[int, float]:
    """Whom to finish first: how much more than others the areas of a country count."""
    if me == GERMANY:
        if state.standing[ATLAS.poland] == AT_WAR:
            return {ATLAS.poland: 5.0, FRANCE: 0.3, BE: 0.3}
        if state.standing[FRANCE] == AT_WAR:
            return {FRANCE: 2.0, ATLAS.bnl: 2.0}
        if looks_ahead and not state.advanced and at_war(state, GERMANY, USSR):
            return {USSR: _EAST}
    if me == JAPAN and state.standing[CHINA] == AT_WAR:
        return {CHINA: 2.0}
    if state.side[me] == state.side[USA]:
        return {GERMANY: 1.5, ITALY: 1.5}
    return {}
