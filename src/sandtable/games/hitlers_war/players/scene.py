"""What a player sees on the map before it plans: who is where, what is connected, what is worth what."""

from __future__ import annotations

from functools import cached_property
from heapq import heapify, heappop, heappush

from ..facts.seaways import blockade
from ..facts.territory import territory
from ..model.atlas import ALLIES, ARMIES, ATLAS, AXIS, ENEMIES, MECH, NOBODY, SOVIET
from ..model.places import (
    AMERICA,
    BERLIN,
    BRITISH_CAPITALS,
    FRANCE,
    FRENCH_HEXES,
    GERMANY,
    GREAT_BRITAIN,
    PARIS,
    POLAND,
    SIBERIA,
    SOVIET_CAPITALS,
    SOVIET_UNION,
    UNITED_STATES,
)
from ..model.state import PEACE_ACCEPTED, War, in_play, points
from ..rules.control import capacity
from ..rules.firepower import winter_modifier
from ..rules.italian import ITALIAN, is_on
from ..rules.morale import weariness
from ..rules.movement import axis_in_france, why_held
from ..rules.sealift import UNLIMITED, sea_chart
from ..rules.supply import cut_off
from ..rules.victory import last_turn, two_players

COUNTRY = ATLAS.country_index
_PREY: tuple[tuple[str, ...], ...] = (
    ("poland", "low_countries", "denmark", "norway", "yugoslavia", "greece"),
    ("baltic_states",),
    (),
)
"""Per side: unaligned countries it sets out to conquer."""
_PREY_GROUPS = tuple(frozenset(COUNTRY[name] for name in names) for names in _PREY)
_FAINT = 0.5
"""A pull too weak to follow."""
LAND_LINKS = ATLAS.step
DRY_LINKS = tuple((*a, *b) for a, b in zip(ATLAS.step, ATLAS.strait, strict=True))
COUNTRY_WORTH = {group: sum(ATLAS.production[x] for x in spaces) for group, spaces in ATLAS.groups.items()}
"""Country -> production of all that goes with it."""


class Scene:
    """One position seen from one side."""

    def __init__(self, s: War, side: int) -> None:
        self.s, self.side = s, side
        self.owner = s.owner
        self.links = LAND_LINKS if s.setting.sea else DRY_LINKS
        spaces = len(ATLAS.names)
        self.ground = [0] * spaces
        """Points that hold a hex, whoever they belong to, forts and home forces included."""
        self.own = [0] * spaces
        """Own points in armies, tac air left out."""
        self.fixed = [0] * spaces
        """Own points that cannot move: forts and armies that are held."""
        self.foe_total = self.foe_mech = 0
        self.partner = 0
        """Points of the side that fights the same enemy."""
        self.free: list[int] = []
        """Own armies that can move."""
        self.held: list[int] = []
        at, strength = s.army_at, s.strength
        for army in range(3 * ARMIES):
            place = at[army]
            if place < 0:
                continue
            base = army * 5
            points = strength[base] + strength[base + 1] + strength[base + 3] + strength[base + 4]
            self.ground[place] += points
            if army // ARMIES == side:
                self.own[place] += points
                if why_held(s, army) is None and not (army == ITALIAN and is_on(s)):
                    self.free.append(army)
                else:
                    self.held.append(army)
                    self.fixed[place] += points
            elif self.at_war_with(army // ARMIES) and not s.idle[army]:
                self.foe_total += points
                self.foe_mech += strength[base + MECH]
            elif s.at_war and not s.peace and side != AXIS and army >= ARMIES and not s.idle[army]:
                self.partner += points
        for place, number in (*s.fort.items(), *s.home.items()):
            self.ground[place] += number
            if self.owner[place] == side:
                self.fixed[place] += number

    # ---- war and peace
    def at_war_with(self, other: int) -> bool:
        """Whether the side fights another side now, or is ready to."""
        s, side = self.s, self.side
        if other not in ENEMIES[side]:
            return False
        if {side, other} == {AXIS, SOVIET}:
            return s.peace != 1 and (s.at_war or self.is_ready())
        return True

    def is_ready(self) -> bool:
        """Whether the side would open the war in the East: the Axis after France, the Soviets once mobilized."""
        s = self.s
        if s.at_war or not s.setting.politics:
            return True
        if self.side == AXIS:
            return bool(s.surrendered[FRANCE]) and s.turn >= ATLAS.turn("inclined_join") - 1
        return bool(s.mobilized) and s.turn >= ATLAS.turn("mobilization")

    def is_prey(self, space: int) -> bool:
        """Whether the side wants to take a hex by force."""
        return self.prey[space]

    @cached_property
    def prey(self) -> list[bool]:
        """Per space: whether the side wants to take it by force."""
        foes = [other != self.side and self.at_war_with(other) for other in range(NOBODY)]
        foes.extend((False, False, False))
        out = [foes[holder] for holder in self.owner]
        for group in self.quarry:
            for space in ATLAS.groups[group]:
                if self.owner[space] == NOBODY:
                    out[space] = True
        if two_players(self.s) and is_fortress(self.s) and self.side == SOVIET + ALLIES - besieger(self.s):
            for space in ATLAS.step[BERLIN]:
                out[space] = False
        return out

    @cached_property
    def quarry(self) -> frozenset[int]:
        """Unaligned countries that are worth a war now."""
        s = self.s
        groups = {g for g in _PREY_GROUPS[self.side] if s.unaligned[g]}
        if self.side == AXIS:
            if s.unaligned[POLAND] and POLAND in groups:
                return frozenset((POLAND,))
            if not s.surrendered[FRANCE]:
                groups &= {COUNTRY["low_countries"], COUNTRY["denmark"]}
        groups |= {g for g in s.violated if s.violated[g] == self.side}
        return frozenset(groups)

    # ---- what is connected
    @cached_property
    def theatre(self) -> list[int]:
        """Per space: the part of the side's territory between whose spaces any number of points can move."""
        s, side = self.s, self.side
        seas = tuple(sorted(sea for sea, most in sea_chart(s, side).limits.items() if most >= UNLIMITED))
        labels = list(territory(s, side).by_sea(seas, blockade(s, side)).labels)
        top = max(labels, default=0) + 1
        if side == ALLIES:
            for place in AMERICA:
                if labels[place] >= 0:
                    labels[place] = top
                    top += 1
            if s.setting.politics and axis_in_france(s):
                for place in FRENCH_HEXES:
                    if labels[place] >= 0:
                        labels[place] = top
        return labels

    @cached_property
    def fed(self) -> list[bool]:
        """Per space: whether it is in supply for its holder."""
        s = self.s
        out = [True] * len(self.owner)
        for side in (AXIS, SOVIET, ALLIES):
            for space in cut_off(s, side, territory(s, side)):
                out[space] = False
        return out

    # ---- worth
    @cached_property
    def worth(self) -> list[float]:
        """Per space: what holding it is worth to either side; never to be changed."""
        s = self.s
        return _worth(s, self.side)

    @cached_property
    def pull(self) -> list[float]:
        """Per space: how strongly the objectives behind it draw an attack, fading with every defended hex between."""
        return self.field({})

    @cached_property
    def standing(self) -> list[int]:
        """The capitals that decide the war and have not fallen."""
        decisive = SOVIET_CAPITALS if self.s.setting.victory == "capitals" else (BERLIN, *SOVIET_CAPITALS)
        return [x for x in decisive if (self.owner[x] == AXIS) == (x == BERLIN)]

    def ringed(self, worth: float) -> list[float]:
        """The worth with so much more for each hex beside a capital that stands: from there it is shot at."""
        out = self.worth.copy()
        for space in {y for x in self.standing for y in ATLAS.step[x]}:
            out[space] += worth
        return out

    def field(self, focus: dict[int, float], worth: list[float] | None = None) -> list[float]:
        """The pull with some objectives made more or less important."""
        worth, prey, links, ground = worth or self.worth, self.prey, self.links, self.ground
        out = [0.0] * len(self.owner)
        heap = [(-worth[x] * focus.get(x, 1.0), x) for x in ATLAS.land if worth[x] > 3 and prey[x]]
        heapify(heap)
        while heap:
            value, space = heappop(heap)
            value = -value
            if value <= out[space]:
                continue
            out[space] = value
            if not prey[space]:
                continue
            new = value * 0.82 / (1 + 0.07 * ground[space]) * (0.85 if ATLAS.mountain[space] else 1.0)
            if new < _FAINT:
                continue
            for there in links[space]:
                if new > out[there]:
                    heappush(heap, (-new, there))
        return out

    @cached_property
    def danger(self) -> list[int]:
        """Per own space: how many advances an enemy needs to stand in it; a large number where none can come."""
        foes = tuple(other != self.side and self.at_war_with(other) for other in range(NOBODY))
        return _danger(self.side, self.owner, foes, self.links is LAND_LINKS)

    @cached_property
    def prize(self) -> int:
        """The place whose fall to the side wins the war at once; -1 where there is none."""
        if self.s.setting.victory == "capitals":
            left = [x for x in SOVIET_CAPITALS if self.owner[x] != AXIS]
            return left[0] if self.side == AXIS and len(left) == 1 else -1
        return BERLIN if self.side != AXIS and self.owner[BERLIN] == AXIS else -1

    # ---- dice
    def added(self, space: int) -> int:
        """What the own attack dice from a space lose to winter and weariness."""
        winter = winter_modifier(self.s, space) if self.side == AXIS else 0
        return winter + weariness(self.s, self.side)

    @cached_property
    def seasons_left(self) -> int:
        return last_turn(self.s) - self.s.turn

    def held_by(self, space: int) -> int:
        """Points that stand against an advance into a hostile hex, its garrison counted."""
        held = self.ground[space]
        return held if held or space in self.s.bare else 1


_PRODUCTION_WORTH = [
    0.6 + 2.5 * points if not sea else 0.0 for points, sea in zip(ATLAS.production, ATLAS.is_sea, strict=True)
]


_FORTRESS = 5
"""Fort points from which Berlin falls only to fires from most of its sides."""
_SIDE_HELD = 15
"""How many points more a side counts as besieger for each hex beside Berlin that it holds."""
_RING = 10.0
"""What each hex around a fortress is worth to the besieger."""


def _worth(s: War, side: int) -> list[float]:
    out, owner, beaten = _PRODUCTION_WORTH.copy(), s.owner, s.surrendered
    out[SIBERIA] = 0.6 + 2.5 * capacity(s, SIBERIA)
    out[UNITED_STATES] = 0.6 + 2.5 * capacity(s, UNITED_STATES)
    out[BERLIN] += 60
    if s.setting.victory == "capitals":
        taken = sum(owner[x] == AXIS for x in SOVIET_CAPITALS)
        for space in SOVIET_CAPITALS:
            out[space] += 22 + 6 * taken
    if is_fortress(s) and side == besieger(s):
        for space in ATLAS.step[BERLIN]:
            out[space] += _RING
    if not s.setting.politics:
        return out
    for space in SOVIET_CAPITALS:
        out[space] += 10
    if not beaten[FRANCE]:
        out[PARIS] += 45
    if not beaten[GREAT_BRITAIN]:
        for space in BRITISH_CAPITALS:
            out[space] += 20
    for group, worth in COUNTRY_WORTH.items():
        if beaten[group] or group in (GERMANY, FRANCE, GREAT_BRITAIN, SOVIET_UNION):
            continue
        for space in ATLAS.countries[group].capitals:
            if owner[space] != side:
                out[space] += 4 + 2 * worth + 0.4 * len(ATLAS.groups[group])
    return out


def is_fortress(s: War) -> bool:
    """Whether Berlin has, or is getting, a fort that no fires from a few sides can break."""
    return s.fort.get(BERLIN, 0) + s.building.get(BERLIN, 0) >= _FORTRESS


def besieger(s: War) -> int:
    """The side that lays siege to Berlin: one alone must own its neighbours, since only its own fires add up.

    It is the one that stands there already, or else the stronger one; who has made peace does not.
    """
    if s.peace == PEACE_ACCEPTED:
        return ALLIES
    means = [
        _SIDE_HELD * sum(s.owner[x] == side for x in ATLAS.step[BERLIN])
        + sum(points(s, army) for army in in_play(s, side) if s.army_at[army] not in AMERICA)
        for side in (SOVIET, ALLIES)
    ]
    return ALLIES if means[1] > means[0] else SOVIET


def _danger(side: int, owner: bytes, foes: tuple[bool, ...], sea: bool) -> list[int]:
    far = 99
    links = LAND_LINKS if sea else DRY_LINKS
    out = [far] * len(owner)
    todo = [x for x in ATLAS.land if owner[x] < NOBODY and foes[owner[x]]]
    for space in todo:
        out[space] = 0
    for space in todo:
        if out[space] > 7:
            continue
        for there in links[space]:
            if out[there] == far and owner[there] == side:
                out[there] = out[space] + 1
                todo.append(there)
    return out
