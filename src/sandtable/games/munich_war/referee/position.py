"""A position as the rulebook sees it: zones, control, supply, stacks, and where a unit can go."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from sandtable.core.bits import bits

from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY, Unit
from ..model.state import HUNGRY, LANDED, MOVED, WAITING, MunichState, unpack

UNITS = ATLAS.units
GERMANY, SOVIETS, POLAND, FINLAND, FRANCE, BRITAIN = (
    ATLAS.country_number[name] for name in ("Germany", "Soviet Union", "Poland", "Finland", "France", "Great Britain")
)
_COPENHAGEN = ATLAS.hex_number["2407"]
_SEAS: Mapping[str, tuple[str, ...]] = {
    "Great Britain": ("North Sea", "Baltic Sea"),
    "France": ("North Sea", "Baltic Sea"),
    "Italy": ("Adriatic Sea",),
    "Soviet Union": ("Black Sea",),
    "Germany": ("Baltic Sea",),
}
"""18.1, and ruling 6 of chapter 5 for Germany."""


# ---- the map ---------------------------------------------------------------------------------------------------------
def is_land(at: int) -> bool:
    return bool(ATLAS.face(at)["kind"] != "sea")


def terrain(at: int) -> str:
    return str(ATLAS.face(at)["terrain"])


def is_city(at: int) -> bool:
    return bool(ATLAS.face(at)["city"])


def is_port(at: int) -> bool:
    return is_city(at) and bool(ATLAS.face(at)["city"]["port"])


def is_rail(a: int, b: int) -> bool:
    return (a, b) in ATLAS.rail_links


def has_rail(at: int) -> bool:
    return bool(ATLAS.face(at)["rail"])


def around(at: int) -> Iterator[int]:
    return bits(ATLAS.neighbours(at))


def on_foot(at: int) -> list[int]:
    """The land hexes next to one that no sea or lake hexside cuts off."""
    return [to for to in around(at) if is_land(to) and ATLAS.hexside.get((at, to)) not in ("all_sea", "lake")]


NEXT = {at: on_foot(at) for at in bits(ATLAS.board) if is_land(at)}


def may_stand(unit: Unit, at: int, along: int | None = None) -> bool:
    """Whether the terrain lets the unit in, from a hex along a railroad where one is given."""
    return terrain(at) != "mountain" or unit.alpine or (along is not None and is_rail(along, at))


def names(hexes: Iterable[int]) -> str:
    return " ".join(sorted(ATLAS.hex_name[at] for at in hexes)) or "none"


class Position:
    """What follows from a state. `sides` replaces the state's, for a country that has just joined."""

    def __init__(self, state: MunichState, sides: Sequence[int] | None = None) -> None:
        self.state = state
        self.sides = state.side if sides is None else sides
        self.stacks: dict[int, list[int]] = {}
        for unit in UNITS:
            if unit.land and state.where[unit.index] >= 0:
                self.stacks.setdefault(state.where[unit.index], []).append(unit.index)
        self.owned = (unpack(state.owned[AXIS]), unpack(state.owned[ALLIES]))
        self.terror = unpack(state.terror)
        self.zones: tuple[set[int], set[int]] = (set(), set())
        for at, stack in self.stacks.items():
            for number in stack:
                side = self.side(number)
                if UNITS[number].mobile and side != NOBODY:
                    self.zones[side].update(self.zone(at))

    # ---- who and where
    def side(self, number: int) -> int:
        return self.sides[UNITS[number].country]

    def is_open(self, at: int) -> bool:
        """2.4: the hex lies in a country at war."""
        return is_land(at) and self.sides[ATLAS.country_of[at]] != NOBODY

    def zone(self, at: int) -> list[int]:
        """10.1: the zone of control of a mobile unit in this hex."""
        if not is_land(at) or not self.is_open(at):
            return []
        return [to for to in NEXT[at] if self.is_open(to)]

    def held(self, side: int, at: int) -> bool:
        """2.3: a land unit of the side is in the hex."""
        return any(self.side(number) == side for number in self.stacks.get(at, ()))

    def stands(self, country: int, at: int) -> bool:
        """A land unit of the country is in the hex."""
        return any(UNITS[number].country == country for number in self.stacks.get(at, ()))

    def foe(self, side: int, at: int) -> bool:
        """Somebody else's land unit is in the hex; neutrals count."""
        return any(self.side(number) != side for number in self.stacks.get(at, ()))

    def feared(self, at: int) -> bool:
        return bool(self.terror >> at & 1)

    def owns(self, side: int, at: int) -> bool:
        return bool(self.owned[side] >> at & 1)

    def controls(self, side: int, at: int) -> bool:
        """2.3: the side took the hex last; no enemy unit and no enemy zone is in it."""
        return self.owns(side, at) and at not in self.zones[1 - side] and not self.held(1 - side, at)

    def may_invade(self, country: int, at: int) -> bool:
        """5.5: the hex is of a neutral that this country may invade."""
        home = ATLAS.country_of[at] if is_land(at) else NOBODY
        return home != NOBODY and self.sides[home] == NOBODY and home in ATLAS.countries[country].invades

    def barred(self, country: int, at: int) -> bool:
        """Option 23.5: Poland and its German or Soviet friend keep out of each other's land."""
        if not self.state.options.get("poland-and-politics") or not is_land(at):
            return False
        home = ATLAS.country_of[at]
        pair = {country, home}
        if POLAND not in pair or not pair & {GERMANY, SOVIETS} or len(pair) < 2:
            return False
        return self.sides[country] == self.sides[home]

    # ---- supply (14)
    def seas(self, country: int) -> set[str]:
        """18.1: the friendly seas of a country."""
        found = set(_SEAS.get(ATLAS.countries[country].name, ()))
        if country in (BRITAIN, FRANCE) and self.controls(AXIS, _COPENHAGEN):
            found.discard("Baltic Sea")
        return found

    def on_sea(self, country: int, at: int) -> bool:
        return not self.seas(country).isdisjoint(ATLAS.face(at)["sea_area"])

    def is_home_source(self, country: int, at: int) -> bool:
        """14.2 a: a capital or mobilization center of the unit's own country that the enemy has not taken."""
        face, side = ATLAS.countries[country], self.sides[country]
        if (at != face.capital and at not in face.mobilization) or self.feared(at):
            return False
        return self.held(side, at) or not (self.owns(1 - side, at) or self.held(1 - side, at))

    def is_source(self, country: int, at: int) -> bool:
        if self.is_home_source(country, at):
            return True
        side = self.sides[country]
        return is_port(at) and self.on_sea(country, at) and self.controls(side, at) and not self.feared(at)

    def rail_ok(self, side: int, at: int) -> bool:
        """14.4: the railroad hex is controlled, or occupied where an enemy zone lies in it."""
        return self.is_open(at) and not self.foe(side, at) and (self.held(side, at) or self.controls(side, at))

    def supplied(self, number: int, combat: bool = False) -> bool:
        """14.1 to 14.4, and supply by air (16.10.2) and by sea (18.2.1, 18.2.2, 18.3)."""
        unit, state = UNITS[number], self.state
        at, country = state.where[number], unit.country
        side = self.sides[country]
        if unit.static or self.is_source(country, at) or number in state.assaults:
            return True
        if any(UNITS[other].fort and UNITS[other].country == country for other in self.stacks[at]):
            return True
        near = {at, *around(at)}
        for helper in UNITS:
            where = state.where[helper.index]
            if helper.country == country and where in near:
                if helper.lift and not state.flags[helper.index] & WAITING:
                    return True
                if combat and helper.transport:
                    return True
        if combat and any(state.flags[other] & LANDED for other in self.stacks[at] if self.side(other) == side):
            return True
        return self._traces(unit, at, side)

    def _traces(self, unit: Unit, start: int, side: int) -> bool:
        most = unit.move - self.state.storm
        reached, front = {start}, [start]
        rails = {start} if has_rail(start) and self.rail_ok(side, start) else set()
        for _ in range(most):
            onward = []
            for here in front:
                for to in NEXT[here]:
                    if to in reached or not self.is_open(to) or self.foe(side, to) or not may_stand(unit, to, here):
                        continue
                    if self.is_source(unit.country, to):
                        return True
                    if to in self.zones[1 - side] and not self.held(side, to):
                        continue
                    reached.add(to)
                    onward.append(to)
                    if has_rail(to) and self.rail_ok(side, to):
                        rails.add(to)
            front = onward
        line = list(rails)
        while line:
            here = line.pop()
            for to in around(here):
                if is_rail(here, to) and to not in rails:
                    if self.is_source(unit.country, to):  # 10.5: a line may end in an enemy zone
                        return True
                    if self.rail_ok(side, to):
                        rails.add(to)
                        line.append(to)
        return False

    # ---- stacking (9)
    def overfull(self, stack: Collection[int], at: int) -> bool:
        """9.0: too many units, or mobile units of two nations."""
        mobile = [number for number in stack if UNITS[number].mobile]
        static = len(stack) - len(mobile)
        if terrain(at) == "marsh" and len(stack) > 1:
            return True
        if static > 1 or len({UNITS[number].country for number in mobile}) > 1:
            return True
        return len(mobile) > (1 if any(UNITS[number].army for number in mobile) else 3)

    def fits(self, number: int, at: int) -> bool:
        """Whether the stack in the hex is within its limits once the unit has come."""
        return not self.overfull({*self.stacks.get(at, ()), number}, at)

    def strangers(self, number: int, at: int) -> bool:
        """8.2: friendly mobile units of another nation are in the hex."""
        country = UNITS[number].country
        return any(UNITS[n].mobile and UNITS[n].country != country for n in self.stacks.get(at, ()) if n != number)

    # ---- movement (8, 10.3)
    def cost(self, unit: Unit, here: int, to: int) -> int | None:
        """Half movement factors of a step; None where there is no way."""
        tec, country = ATLAS.tables["tec"], ATLAS.country_of[to]
        snow = self.state.storm and country == SOVIETS
        if is_rail(here, to):
            halves = 2 if snow else 1
        else:
            row = tec[terrain(to)]
            factor = (
                row["mech"] if unit.mechanized else row.get("alpine", row["nonmech"]) if unit.alpine else row["nonmech"]
            )
            if factor is None:
                return None
            if snow and terrain(to) in ("clear", "forest"):
                factor = 2
            if ATLAS.hexside.get((here, to)) in ("river", "bridge"):
                factor += tec["river"]["extra_mech" if unit.mechanized else "extra_nonmech"]
            halves = 2 * factor
        if ATLAS.face(to)["entrenchment"] and self.sides[country] != self.sides[unit.country]:
            halves += 2
        return int(halves)

    def allowance(self, number: int) -> int:
        """14.6: half movement factors of a unit that begins to move."""
        factor = UNITS[number].move
        return 2 * (factor if self.supplied(number) else -(-factor // 2))

    def reach(self, number: int) -> dict[int, int]:
        """Where a unit may march now, with the half factors it has spent then in all."""
        unit, state, start = UNITS[number], self.state, self.state.where[number]
        side, country = self.sides[unit.country], unit.country
        if state.flags[number] & MOVED or number in state.assaults or start < 0:
            return {}
        going = state.moving == number
        limit, begun = (state.allowance, state.spent) if going else (self.allowance(number), 0)
        bad = self.zones[1 - side]
        if going and begun and start in bad:
            return {}
        best, front = {start: begun}, [(begun, start)]
        while front:
            front.sort(reverse=True)
            spent, here = front.pop()
            if spent > best[here] or (here != start and (here in bad or not self.is_open(here))):
                continue
            for to in NEXT[here]:
                price = self.cost(unit, here, to)
                if price is None or self.foe(side, to) or self.barred(country, to):
                    continue
                if not self.is_open(to) and not self.may_invade(country, to):
                    continue
                if here == start and start in bad and to in bad:
                    continue
                total = spent + price
                if total > limit:
                    if here != start or begun:
                        continue
                    total = limit  # 8.3: one hex, whatever it costs
                if total < best.get(to, 10_000):
                    best[to] = total
                    front.append((total, to))
        return {at: spent for at, spent in best.items() if at != start and not self.strangers(number, at)}

    def rail_reach(self, number: int, starts: Iterable[int] | None = None) -> set[int]:
        """8.6: where a unit may go by railroad, whatever the capacity."""
        unit, state = UNITS[number], self.state
        side, country = self.sides[unit.country], unit.country
        bad = self.zones[1 - side]
        start = state.where[number]

        def passable(at: int) -> bool:
            return ATLAS.country_of[at] == country and not self.foe(side, at) and not self.controls(1 - side, at)

        if starts is None:
            if state.flags[number] & (MOVED | HUNGRY) or state.moving == number or ATLAS.country_of[start] != country:
                return set()
            seen, front = {start}, [start]
        else:
            front = [at for at in starts if passable(at)]
            seen = set(front)
        while front:
            here = front.pop()
            if here in bad and here != start:
                continue
            for to in around(here):
                if is_rail(here, to) and to not in seen and passable(to):
                    if here == start and start in bad and to in bad:
                        continue
                    seen.add(to)
                    front.append(to)
        return {at for at in seen if at != start and not self.strangers(number, at)}

    # ---- after combat (12, 13)
    def retreats(self, number: int, distance: int) -> set[tuple[int, ...]]:
        """12.1 and ruling 45: the ways a unit may retreat; none where it does not survive."""
        unit, start = UNITS[number], self.state.where[number]
        side = self.sides[unit.country]
        bad, steps = self.zones[1 - side], self.state.steps[number]
        ends: list[tuple[bool, int, tuple[int, ...]]] = []

        def go(path: tuple[int, ...], here: int, wounds: int) -> None:
            for to in NEXT[here]:
                if ATLAS.distance(start, to) != len(path) + 1 or not self._refuge(unit, to):
                    continue
                hurt, way = wounds + (to in bad), (*path, to)
                if hurt >= steps:
                    continue
                fits = self.fits(number, to)
                fort = any(UNITS[n].fort and self.side(n) == side for n in self.stacks.get(to, ()))
                if fits and (len(way) >= distance or fort):
                    ends.append((len(way) > distance, hurt, way))
                if len(way) < distance or not fits:
                    go(way, to, hurt)

        go((), start, 0)
        if not ends:
            return set()
        best = min((far, hurt) for far, hurt, _ in ends)
        return {way for far, hurt, way in ends if (far, hurt) == best}

    def _refuge(self, unit: Unit, at: int) -> bool:
        """Whether a unit may retreat or advance into a hex."""
        side = self.sides[unit.country]
        return self.is_open(at) and not self.foe(side, at) and may_stand(unit, at) and not self.barred(unit.country, at)

    def advances(self, number: int, target: int, pursues: bool) -> set[tuple[int, ...]]:
        """13.0 and 13.1: the ways a unit may advance after combat."""
        unit, start = UNITS[number], self.state.where[number]
        if not unit.mobile or start < 0 or number in self.state.assaults or not self._refuge(unit, target):
            return set()
        if target not in NEXT[start]:
            return set()
        found: set[tuple[int, ...]] = {(target,)} if self.fits(number, target) else set()
        if pursues and unit.pursuit[self.state.steps[number]] and not self.state.storm:
            for to in NEXT[target]:
                left = {*self.stacks.get(to, ())} - {number}
                if self._refuge(unit, to) and not self.overfull({*left, number}, to):
                    found.add((target, to))
        return found
