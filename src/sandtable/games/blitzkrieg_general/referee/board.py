"""Who stands to whom, who may be where, and how far everybody comes: by the rulebook, space by space."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from ..model.atlas import (
    ARM,
    ATLAS,
    BE,
    CHINA,
    CONVOY,
    HQ,
    INF,
    JAPAN,
    NAVAL_HQ,
    SUB,
    SWAMP_BORDER,
    TF,
    USA,
    USSR,
)
from ..model.state import AT_WAR, CONQUERED, FOUGHT, MOVED, NEUTRAL, OUT, STATIONED, BKState
from ..model.tables import LIMITS

A = ATLAS
Ways = dict[int, set[int]]
"""Areas in reach, each with those from which it is entered; none where that does not matter."""


class Board:
    """A position, read once."""

    def __init__(self, state: BKState) -> None:
        self.s = state
        self.at: dict[int, list[int]] = defaultdict(list)
        """By space the units that stand there; cargo is not among them."""
        for unit, place in enumerate(state.place):
            if place >= 0 and state.carrier[unit] < 0:
                self.at[place].append(unit)
        self.exploits = state.exploiting and state.advanced
        self._friends: dict[int, set[int]] = {}

    # ---- who stands to whom
    def fights(self, a: int, b: int) -> bool:
        return bool(self.s.war[a] >> b & 1)

    def nation(self, unit: int) -> int:
        return self.s.nation[unit]

    def side(self, unit: int) -> int:
        return self.s.side[self.s.nation[unit]]

    def phases(self, unit: int) -> bool:
        """Whether a unit is of the side that moves now."""
        return self.side(unit) == self.s.phasing

    def mine(self, major: int) -> list[int]:
        """The units on the map that a major moves."""
        s = self.s
        return [u for u, place in enumerate(s.place) if place >= 0 and s.master[s.nation[u]] == major]

    def friends(self, nation: int) -> set[int]:
        """Itself, and the belligerents of its side that it shares an enemy or the player with (8.2, ruling 114)."""
        if nation not in self._friends:
            s = self.s
            found = {nation}
            if s.standing[nation] == AT_WAR:
                for other, side in enumerate(s.side):
                    if side != s.side[nation] or s.standing[other] != AT_WAR or other == nation:
                        continue
                    one_player = s.master[other] == s.master[nation]
                    if one_player or (s.war[nation] & s.war[other] and not self._apart(nation, other)):
                        found.add(other)
            self._friends[nation] = found
        return self._friends[nation]

    def _apart(self, a: int, b: int) -> bool:
        """The Soviet-Japanese peace: its partners stay out of the areas of those who fight the other (8.2)."""
        s = self.s
        if s.peace < 0:
            return False
        pairs = ((USSR, JAPAN), (JAPAN, USSR))
        return any(s.master[x] == one and self.fights(y, two) for x, y in ((a, b), (b, a)) for one, two in pairs)

    def cooperate(self, a: int, b: int) -> bool:
        one, two = self.s.master[a], self.s.master[b]
        return one == two or frozenset((one, two)) in A.cooperation

    # ---- ground
    def friendly(self, nation: int, area: int) -> bool:
        return not A.is_sea[area] and self.s.control[area] in self.friends(nation)

    def hostile(self, nation: int, area: int) -> bool:
        owner = self.s.control[area]
        return owner >= 0 and self.fights(nation, owner)

    def enemies(self, nation: int, space: int) -> list[int]:
        return [u for u in self.at[space] if self.fights(nation, self.nation(u))]

    def open_to(self, nation: int, area: int) -> bool:
        """Whether its land units may go there: friends' ground, or enemies' ground if all of them there are enemies."""
        if A.closed_space[area] or (nation == A.bulgaria and A.home_of[area] == USSR):
            return False
        if self.hostile(nation, area):
            others = [u for u in self.at[area] if self.side(u) != self.s.side[nation]]
            return all(self.fights(nation, self.nation(u)) for u in others)
        return self.friendly(nation, area)

    def clear(self, nation: int, area: int) -> bool:
        """Friendly ground without enemies on it."""
        return self.friendly(nation, area) and not self.enemies(nation, area)

    # ---- stacking
    def room(self, unit: int, space: int) -> bool:
        return not self.full(unit, space) and self.stranger(unit, space) is None

    def full(self, unit: int, space: int, more: int = 0) -> bool:
        """Deserts hold three land units of a side, small islands so many land units and as many aircraft; HQs free."""
        s = self.s
        limit = A.stack_limit[space] or (0 if A.is_air[unit] else A.desert_limit[space])
        if not s.advanced or not limit or A.is_hq[unit] or A.is_ship[unit]:
            return False
        coming = [u for u, target in enumerate(s.mission) if target == space and s.carrier[u] >= 0]
        there = [u for u in (*self.at[space], *coming) if u != unit and self.side(u) == self.side(unit)]
        return len([u for u in there if A.is_air[u] == A.is_air[unit] and not A.is_hq[u]]) + more >= limit

    def stranger(self, unit: int, space: int) -> int | None:
        """Optional 9.11: a nation of the side there that does not work together with the unit's."""
        s, nation = self.s, self.nation(unit)
        if not s.options.get("cooperation"):
            return None
        there = [] if A.is_sea[space] else [s.control[space]]
        there += [self.nation(u) for u in self.at[space] if u != unit]
        there += [self.nation(u) for u, target in enumerate(s.mission) if target == space and u != unit]
        return next((n for n in there if s.side[n] == s.side[nation] and not self.cooperate(nation, n)), None)

    # ---- marching
    def neighbours(self, here: int) -> list[int]:
        """Areas beside one over land; in exploitation not in bad weather nor through swamps, nor where it differs."""
        if not self.exploits:
            return A.land_next[here]
        bad = self.s.bad

        def passable(there: int) -> bool:
            for area in (here, there):
                swamp = A.terrain_effects.get(A.terrain[area], {}).get("no_exploitation")
                if bad[A.map[area]] or swamp:
                    return False
            return not A.border.get(here * A.count + there, 0) & SWAMP_BORDER

        return [there for there in A.land_next[here] if passable(there)]

    def marches(self, unit: int) -> Ways:
        """Where a land unit can go, if it may move at all."""
        nation, start = self.nation(unit), self.s.place[unit]
        far = 1 if A.type[unit] == INF else 2
        ways: Ways = {}
        edge, seen = {start}, {start}
        for _ in range(far):
            onward: set[int] = set()
            for here in edge:
                for there in self.neighbours(here):
                    if there == start or not self.open_to(nation, there):
                        continue
                    free = not self.enemies(nation, there)
                    if self.friendly(nation, there) and free:
                        ways.setdefault(there, set())
                    else:
                        ways.setdefault(there, set()).add(here)
                    if free and there not in seen:
                        onward.add(there)
            seen |= onward
            edge = onward
        if self.clear(nation, start):
            for area in self._through(start, 2 * far, lambda there: self.clear(nation, there), self.neighbours):
                if self.open_to(nation, area):
                    ways.setdefault(area, set())
        return {to: via for to, via in ways.items() if self.room(unit, to) and self._attack_allowed(unit, to, via)}

    def _through(
        self, start: int, steps: int, passable: Callable[[int], bool], beside: Callable[[int], Iterable[int]]
    ) -> set[int]:
        """Spaces within so many steps over passable ones."""
        edge, seen = {start}, {start}
        for _ in range(steps):
            edge = {there for here in edge for there in beside(here) if there not in seen and passable(there)}
            seen |= edge
        return seen - {start}

    def _attack_allowed(self, unit: int, area: int, via: set[int]) -> bool:
        """5.5 and 8.7: Japan and China attack one area of the other a turn, with so many land units; and the Desert
        Fox, under whom infantry without an HQ only attacks."""
        s, nation = self.s, self.nation(unit)
        if s.exploiting and A.type[unit] == INF and not self.led(unit) and not via:
            return False
        if not via or not self.counts_in_china(unit, area):
            return True
        if A.card_of["national_war_china"] in s.table:
            return True
        who = 0 if nation == JAPAN else 1
        if s.limit_area[who] not in (-1, area):
            return False
        return A.is_hq[unit] or s.limit_used[who] < s.limit

    def counts_in_china(self, unit: int, area: int) -> bool:
        nation = self.nation(unit)
        if not self.s.advanced or {nation, self.s.control[area]} != {JAPAN, CHINA}:
            return False
        return any(A.is_land[u] for u in self.enemies(nation, area))

    def led(self, unit: int) -> bool:
        """Whether an HQ of the side that began the phase in the unit's area, in supply, has a command left (6.7)."""
        s = self.s
        return any(
            s.place[hq] >= 0 and s.carrier[hq] < 0 and s.start[hq] == s.place[unit] and s.spent[hq] < rating
            and self.side(hq) == self.side(unit) and not (s.advanced and s.flags[hq] & OUT)
            for hq, rating in A.rating.items()
        )  # fmt: skip

    def may_march(self, unit: int) -> bool:
        s = self.s
        if s.flags[unit] & MOVED or s.carrier[unit] >= 0 or self.garrisons(unit):
            return False
        if not s.exploiting:
            return True
        if s.advanced and s.flags[unit] & OUT:
            return False
        fox = s.effects.get("desert_fox", -1) == s.phasing and s.place[unit] in A.africa
        return A.type[unit] in (ARM, HQ, NAVAL_HQ) or self.led(unit) or fox

    def garrisons(self, unit: int) -> bool:
        """Tito: the last five strength points of German land units stay in an occupied Yugoslavia."""
        s, homes = self.s, A.homes[A.yugoslavia]
        germany = A.nation_of["germany"]
        if s.yugoslavia_since < 0 or A.card_of["tito_partisans"] not in s.table or s.standing[germany] != AT_WAR:
            return False

        def points(units: Iterable[int]) -> int:
            return sum(self.printed(u) for u in units if self.nation(u) == germany and A.is_land[u])

        if not A.is_land[unit] or self.nation(unit) != germany or s.place[unit] not in homes or not self.printed(unit):
            return False
        return points(u for home in homes for u in self.at[home] if u != unit) < LIMITS["tito_garrison"]

    def printed(self, unit: int) -> int:
        return A.back[unit] if self.s.flipped[unit] else A.front[unit]

    # ---- flying
    def flight_range(self, unit: int) -> int:
        nation = self.nation(unit)
        known = nation < 8 and self.s.advances[nation] >> A.advance_bit["long_range"] & 1
        return A.range[unit] + bool(known)

    def flights(self, nation: int, start: int, steps: int, *, peaceful: bool = False) -> set[int]:
        """Spaces in reach by air. Neutral areas are closed; at double range also enemy ground and enemy ships' zones.
        An island and its zone are one space."""

        def sky(space: int) -> bool:
            if A.is_sea[space]:
                return not (peaceful and self.enemies(nation, space))
            return self.friendly(nation, space) or (self.hostile(nation, space) and not peaceful)

        def both(space: int) -> list[int]:
            twin = A.twin[space]
            return [space] if twin < 0 or (not A.is_sea[twin] and not sky(twin)) else [space, twin]

        seen = {start, A.twin[start]} - {-1}
        edge = set(seen)
        for _ in range(steps):
            new = {there for here in edge for there in A.air_next[here] if there not in seen and sky(there)}
            edge = {space for there in new for space in both(there)} - seen
            seen |= edge
        return seen

    def bases(self, unit: int, start: int, steps: int, *, peaceful: bool = False) -> set[int]:
        nation = self.nation(unit)
        reached = self.flights(nation, start, steps, peaceful=peaceful)
        return {s for s in reached if self.clear(nation, s) and self.room(unit, s)}

    def attacked_on_land(self) -> set[int]:
        """Areas of others that the phasing side's land units have entered or announced a landing in."""
        s = self.s
        entered = {
            area for area, units in self.at.items()
            if not A.is_sea[area] and s.side[s.control[area]] != s.phasing
            and any(A.is_land[u] and self.phases(u) for u in units)
        }  # fmt: skip
        return entered | set(s.invasions)

    def missions(self, unit: int) -> set[int]:
        """What an aircraft may attack (6.4, 6.4.3 E, 6.7)."""
        s, nation, start = self.s, self.nation(unit), self.s.place[unit]
        if s.standing[nation] != AT_WAR and not s.war[nation]:
            return set()
        attacked = self.attacked_on_land()
        out = set()
        for space in self.flights(nation, start, self.flight_range(unit)) - {start}:
            if A.is_sea[space]:
                found = s.sea_battles.get(space, -1)
                friends_there = s.advanced and any(self.phases(u) for u in self.at[space])
                ok = found & 1 if found >= 0 else not s.exploiting and not friends_there
                ok = ok and bool(self.enemies(nation, space))
            else:
                ok = self.hostile(nation, space) and (
                    space in attacked or (not s.exploiting and bool(self.enemies(nation, space)))
                )
            if ok and self.stranger(unit, space) is None:
                out.add(space)
        return out

    # ---- sailing
    def gate_closed(self, nation: int, here: int, there: int, *, sub: bool) -> bool:
        s = self.s
        gate = A.gate_of.get(here * A.count + there)
        if gate is None or not s.advanced or (sub and gate not in ("panama", "suez")):
            return False
        neutral = s.standing[nation] == NEUTRAL
        if gate == "panama":
            return not neutral and s.standing[USA] == AT_WAR and s.side[nation] != s.side[USA]
        held = [self.fights(nation, s.control[area]) for area in A.gate_areas[gate]]
        if gate == "skagerrak":
            return all(held)
        if gate == "western_turkey" and not neutral and s.standing[s.control[A.gate_areas[gate][0]]] == NEUTRAL:
            return True
        return any(held)

    def sea_ways(self, unit: int, steps: int) -> set[int]:
        """Zones within so many steps of a ship's, closed gates avoided; its own is one."""
        nation, sub = self.nation(unit), A.type[unit] == SUB
        edge = seen = {self.s.place[unit]}
        for _ in range(steps):
            edge = {
                there for here in edge for there in A.sea_next[here]
                if there not in seen and not self.gate_closed(nation, here, there, sub=sub)
            }  # fmt: skip
            seen = seen | edge
        return seen

    def sails_to(self, ships: Iterable[int], used: int) -> set[int]:
        """The zones a group may sail into next (6.4.1, 6.4.3)."""
        s, group = self.s, list(ships)
        zone = s.place[group[0]]
        if any(s.mission[load] >= 0 for ship in group for load in s.cargo.get(ship, ())):
            return set()  # its landing is announced
        met = any(self.enemies(self.nation(u), zone) for u in group)
        if not s.advanced and used and met:
            return set()
        fought = any(s.flags[u] & FOUGHT for u in group)
        if used >= A.ship_range * (1 if fought else 2):
            return set()
        around = set(A.sea_next[zone])
        if s.options.get("cape-magellan") and not used and not s.exploiting:
            around |= {b if a == zone else a for a, b in A.magellan if zone in (a, b)}
        out = set()
        for to in around:
            foes = any(self.enemies(self.nation(u), to) for u in group)
            if used >= A.ship_range and not s.advanced and foes:
                continue
            if any(self.gate_closed(self.nation(u), zone, to, sub=A.is_sub[u]) for u in group):
                continue
            if any(self.stranger(u, to) is not None for u in group):
                continue
            if self.exploits and (s.bad[A.map[to]] or (A.map[zone] != A.map[to] and s.bad[0] != s.bad[1])):
                continue
            out.add(to)
        return out

    # ---- supply
    def supplied(self, nation: int) -> set[int]:
        """Every space joined to a source (6.1)."""
        s, friends = self.s, self.friends(nation)
        sources = {
            area for owner in friends if s.standing[owner] == AT_WAR for area in A.homes[owner]
            if A.has_production[area] and self.friendly(nation, area)
        }  # fmt: skip

        def passable(space: int) -> bool:
            units = self.at[space]
            if not A.is_sea[space]:
                return self.friendly(nation, space) or any(self.nation(u) in friends for u in units)
            foes = [u for u in units if self.fights(nation, self.nation(u)) and A.type[u] == TF]
            return not foes or any(self.nation(u) in friends and A.type[u] in (TF, CONVOY) for u in units)

        def beside(space: int) -> list[int]:
            by_sea = [z for z in A.sea_next[space] if not self.gate_closed(nation, space, z, sub=False)]
            return [*A.land_next[space], *A.coast[space], *by_sea]

        seen, todo = set(sources), list(sources)
        while todo:
            for there in beside(todo.pop()):
                if there not in seen and not A.closed_space[there] and passable(there):
                    seen.add(there)
                    todo.append(there)
        return seen

    def out_of_supply(self) -> set[int]:
        """Land units and aircraft of countries at war that no line reaches; not at home where there is production."""
        s, out = self.s, set()
        known: dict[int, set[int]] = {}
        for unit, place in enumerate(s.place):
            nation = s.nation[unit]
            if place < 0 or A.is_ship[unit] or s.standing[nation] != AT_WAR:
                continue
            if s.carrier[unit] < 0 and A.has_production[place] and place in A.homes[nation]:
                continue
            if nation not in known:
                known[nation] = self.supplied(nation)
            if place not in known[nation]:
                out.add(unit)
        return out

    # ---- arriving
    def arrives(self, unit: int) -> set[int]:
        """Where a unit that is due may be put (5.2)."""
        s, nation = self.s, self.nation(unit)
        british = nation == BE and A.printed_nation[unit] == BE and s.advanced
        homes = A.homes[nation]
        if british:
            homes = [h for h in homes if A.home_letter[A.british_home[h]] == A.tag[unit]]
        if A.is_ship[unit]:
            zones = {z for h in homes if s.control[h] == nation for z in A.coast[h]}
            return {z for z in zones if not self.enemies(nation, z)} or zones
        if nation == A.vichy_nation:
            spots = {h for h in A.land if s.control[h] == nation}
        else:
            held = [h for h in homes if s.control[h] == nation and not self.enemies(nation, h)]
            spots = {h for h in held if nation >= 8 or A.has_production[h]}
        return {h for h in spots if not self.full(unit, h)}

    def is_out_of_play(self, major: int) -> bool:
        return self.s.standing[major] == CONQUERED

    def idle(self, unit: int) -> bool:
        """Whether an aircraft may still fly in this phase."""
        s = self.s
        return not s.flags[unit] & (MOVED | STATIONED | FOUGHT) and s.carrier[unit] < 0
