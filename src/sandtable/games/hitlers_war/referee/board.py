"""What follows from a position by the rulebook: who is supplied, where points can go, what a side earns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from sandtable.core import Difference

from ..model.atlas import (
    ALLIES,
    AMPH,
    ATLAS,
    AXIS,
    CROSSING,
    INF,
    MECH,
    NOBODY,
    PARA,
    PARTIAL,
    PLAIN,
    SOVIET,
)
from ..model.fleets import SEA, SIDE_OF
from ..model.state import ITALY_AXIS, ITALY_BEATEN, PEACE_ACCEPTED, War

PLENTY = 999
GROUND = (INF, MECH, PARA, AMPH)
HOME_LANDS = {
    AXIS: ("germany",),
    SOVIET: ("soviet_union",),
    ALLIES: ("great_britain", "france", "united_states", "canada"),
}
"""Where the new points of a side may appear (428, 727)."""
SIBERIA, INDIA, US, CANADA = (ATLAS.index[name] for name in ("siberia", "india", "us", "canada"))
SUEZ, MALTA, GIBRALTAR = (ATLAS.index[name] for name in ("D15", "G11", "H4"))
_ON_FOOT = (PLAIN, PARTIAL, CROSSING)


def lands(*countries: str) -> frozenset[int]:
    """Return the spaces of countries."""
    return frozenset(x for name in countries for x in ATLAS.countries[ATLAS.country_index[name]].spaces)


FRANCE, SOVIET_UNION = lands("france"), lands("soviet_union")
YELLOW = frozenset(x for country in ATLAS.countries if country.colour == "yellow" for x in country.spaces)


def say(spaces: Iterable[int]) -> str:
    """Return the names of spaces, in order."""
    return " ".join(sorted(ATLAS.names[x] for x in spaces)) or "none"


def army(number: int) -> str:
    return ATLAS.army_names[number]


def names(armies: Sequence[int]) -> set[str]:
    return {army(a) for a in armies}


def differs(what: str, rule: str, engine: Any, referee: Any) -> Iterator[Difference]:
    """One difference where two sets of names, or two numbers, are not the same."""
    if engine != referee:
        if isinstance(engine, set):
            engine, referee = (" ".join(sorted(map(str, x))) or "none" for x in (engine - referee, referee - engine))
            engine, referee = f"also {engine}", f"also {referee}"
        yield Difference(what, rule, str(engine), str(referee))


def joined(owner: bytes, side: int, start: int, seas: frozenset[int], barred: frozenset[int]) -> frozenset[int]:
    """Return the friendly spaces that a side's route from one reaches, over land and these seas (196, 514-522)."""
    found, afloat = {start}, set[int]()
    todo: list[tuple[bool, int]] = [(False, start)]
    while todo:
        at_sea, here = todo.pop()
        if at_sea:
            space = ATLAS.waters[here][0]
            onward = [(True, there) for there in voyages(owner, side, here, barred) if ATLAS.waters[there][1] in seas]
            if owner[space] == side:
                onward.append((False, space))
        else:
            onward = [(False, y) for y in ATLAS.around[here] if ATLAS.hexside[here, y] in _ON_FOOT and owner[y] == side]
            onward += [(True, w) for w in ATLAS.waters_of[here] if ATLAS.waters[w][1] in seas and here not in barred]
        for kind, there in onward:
            known = afloat if kind else found
            if there not in known:
                known.add(there)
                todo.append((kind, there))
    return frozenset(found)


def voyages(owner: bytes, side: int, water: int, barred: Collection[int]) -> list[int]:
    """Return the waters that a side's sea route goes to from one: partial and crossing sides between friendly hexes,
    sea borders with a friendly controlling hex, open sea always; never where an enemy fleet lies (516-522, 1467)."""
    found = []
    for there, link in ATLAS.sail[water]:
        ends = ATLAS.waters[water][0], ATLAS.waters[there][0]
        if link.gate >= 0 and owner[link.gate] != side:
            continue
        if link.kind in (PARTIAL, CROSSING) and any(owner[x] != side for x in ends):
            continue
        if ends[1] not in barred:
            found.append(there)
    return found


class Board:
    """A position, and the rulebook's answers about it."""

    def __init__(self, s: War) -> None:
        self.s = s
        self.step = s.stack[-1] if s.stack else None
        self._areas: dict[tuple[int, frozenset[int], frozenset[int]], list[frozenset[int]]] = {}
        self.tag = str(self.step.__struct_config__.tag) if self.step is not None else ""  # type: ignore[attr-defined]

    def area(self, side: int, start: int, seas: frozenset[int] = frozenset()) -> frozenset[int]:
        """Return what is joined with a space for a side, over land and these seas; each area is searched once."""
        barred = self.barred(side) if seas else frozenset()
        known = self._areas.setdefault((side, seas, barred), [])
        for spaces in known:
            if start in spaces:
                return spaces
        known.append(joined(self.s.owner, side, start, seas, barred))
        return known[-1]

    # ---- who is where
    def armies(self, side: int) -> list[int]:
        return [a for a in range(side * 12, side * 12 + 12) if self.s.army_at[a] >= 0]

    def here(self, space: int) -> list[int]:
        return [a for a, at in enumerate(self.s.army_at) if at == space]

    def row(self, army: int) -> tuple[int, ...]:
        return self.s.strength[army * 5 : army * 5 + 5]

    def ground(self, army: int) -> int:
        """All points of an army but tac air."""
        return sum(self.row(army)[kind] for kind in GROUND)

    def crowd(self, space: int) -> int:
        """Points in a hex that count against its ten (226, 682, 1148)."""
        return sum(self.ground(a) for a in self.here(space)) + self.s.fort.get(space, 0) + self.s.home.get(space, 0)

    def foes(self, side: int) -> list[int]:
        """Sides at war with one: the Axis with both others, unless the Soviets made peace (709, 905)."""
        found = [SOVIET, ALLIES] if side == AXIS else [AXIS]
        if self.s.peace == PEACE_ACCEPTED and side != ALLIES:
            found = [foe for foe in found if {side, foe} != {AXIS, SOVIET}]
        return found

    # ---- the sea
    def seas(self, side: int) -> dict[str, int]:
        """Seas that carry a side's points, and how many a turn (544-552, 853-855)."""
        if not self.s.setting.sea:
            return {}
        italian = self.s.italy == ITALY_AXIS
        if side == AXIS:
            return {"baltic": 1, **({"mediterranean": 3 if self.s.owner[MALTA] == AXIS else 2} if italian else {})}
        if side == SOVIET:
            return {"black": 1, "caspian": 1}
        found = {"atlantic": PLENTY, "red_persian": 1}
        if not italian:
            found["mediterranean"] = PLENTY
        elif self.s.owner[GIBRALTAR] == ALLIES or not self.s.surrendered[ATLAS.country_index["france"]]:
            found["mediterranean"] = 2
        return found

    def supply_seas(self, side: int) -> frozenset[int]:
        """Seas that carry a side's supply: those that carry points, and the lakes for the Soviets (558, 562)."""
        names = set(self.seas(side)) | ({"soviet_lakes"} if side == SOVIET and self.s.setting.sea else set())
        return frozenset(ATLAS.seas.index(name) for name in names)

    def barred(self, side: int) -> frozenset[int]:
        """Spaces that enemy fleets at sea close to sea routes (1467)."""
        s = self.s
        enemy = [f for f in range(len(s.fleet_at)) if SIDE_OF[f] in self.foes(side)]
        return frozenset(s.fleet_at[f] for f in enemy if s.fleet_at[f] >= 0 and s.fleet_state[f] == SEA)

    # ---- supply
    def healthy(self, space: int) -> int:
        s = self.s
        points = ATLAS.production[space] + s.grown.get(space, 0)
        return points - s.devastated.get(space, 0) - s.ruined.get(space, 0)

    def unsupplied(self, side: int) -> set[int]:
        """Spaces of a side without a route to a friendly healthy production point (388-392, 558)."""
        s, fed = self.s, set[int]()
        mine = {x for x in ATLAS.land if s.owner[x] == side}
        seas = self.supply_seas(side)
        for space in sorted(mine):
            if space not in fed and self.healthy(space) > 0:
                fed |= self.area(side, space, seas)
        return mine - fed

    def isolated(self, side: int) -> set[int]:
        """Unsupplied spaces that are lost: ruling 18 of section 7."""
        s, lost = self.s, self.unsupplied(side)
        foes = self.foes(side)
        fed_by = set(self.supply_seas(side))
        if s.setting.politics and (side == ALLIES or (side == AXIS and s.italy == ITALY_BEATEN)):
            fed_by.add(ATLAS.seas.index("mediterranean"))
        found = {x for x in lost if x in s.partisans}
        for space in lost:
            island = self.area(side, space)
            enemy = any(s.owner[y] in foes for x in island for y in ATLAS.around[x] if ATLAS.hexside[x, y] in _ON_FOOT)
            wet = any(ATLAS.waters[w][1] in fed_by for x in island for w in ATLAS.waters_of[x])
            if enemy or (wet and foes):
                found.add(space)
        return found

    # ---- movement
    def held(self, army: int) -> bool:
        """Whether an army neither moves nor attacks: no supply, not at war yet, waiting in Siberia (408, 949, 953)."""
        s = self.s
        siberian = s.army_at[army] == SIBERIA and s.turn < ATLAS.turn_number["Winter 1941"]
        return bool(s.stuck[army] or s.idle[army] or siberian)

    def reach(self, army: int, number: int) -> set[int]:
        """Spaces that so many points of an army get to by movement, their own included (196, 542-554, 951, 1421)."""
        s, side, start = self.s, army // 12, self.s.army_at[army]
        room = {ATLAS.seas.index(name): most for name, most in self.seas(side).items()}
        seas = frozenset(sea for sea, most in room.items() if most == PLENTY or most - s.lifted.get(sea, 0) >= number)
        found = set(self.area(side, start, seas))
        if side == ALLIES and 3 + s.shipping - s.crossed < number:
            found = {start} if start in (US, CANADA) else found - {US, CANADA}
        if s.options.get("italian_army") and s.italy == ITALY_AXIS and ATLAS.army_names[army] == "Italian Army":
            found &= YELLOW
        elif side == ALLIES and start in FRANCE and s.setting.politics and self.axis_in_france():
            found &= FRANCE
        return found | {start}

    def axis_in_france(self) -> bool:
        s = self.s
        forts = [x for x in s.fort if s.owner[x] == AXIS]
        return any(x in FRANCE for x in (*s.army_at[:12], *s.missile_at[:3], *forts))

    # ---- income
    def income(self, side: int) -> int:
        """What a side's territory yields (414, 487, 491, 959-963, 973)."""
        s = self.s
        inside = outside = 0
        for space in ATLAS.land:
            if s.owner[space] != side or not ATLAS.production[space]:
                continue
            points = max(0, self.healthy(space))
            if space == SIBERIA and side == SOVIET and not self.siberia_works():
                points = 0
            if space == INDIA and side == ALLIES and s.setting.politics and s.owner[SUEZ] == AXIS:
                points = 0
            if space in SOVIET_UNION and space != SIBERIA:
                inside += points
            else:
                outside += points
        if side == SOVIET and s.setting.politics and not s.mobilized:
            inside = min(8, inside)
        return inside + outside - (17 if s.scenario == "barbarossa" and side == AXIS else 0)

    def siberia_works(self) -> bool:
        s = self.s
        if s.setting.politics:
            return 0 < s.mobilized < s.turn
        return s.scenario != "barbarossa" or s.turn >= ATLAS.turn_number["Winter 1941"]

    # ---- who speaks for a space
    def keeper(self, space: int) -> int:
        """The side that decides for a space under attack: its holder, or whom an unaligned country would join (831)."""
        s = self.s
        if s.owner[space] != NOBODY:
            return s.owner[space]
        if s.side != AXIS:
            return AXIS
        country = ATLAS.countries[ATLAS.group_of[space]].name
        return SOVIET if country in ("finland", "baltic_states", "hungary", "rumania", "bulgaria") else ALLIES
