"""Single convoys with single units: what lies open over the sea is taken, island by island, and what is guarded weakly
by a few together.

Every convoy gets the errand that gains most for its time: fetch a unit that can be spared, carry it to the coast of an
area that nobody guards, and land. What is too far for this quarter is approached; a loaded convoy beside the coast
strikes in the next. Troops that took an island embark again when there is more to take.
"""

from __future__ import annotations

from collections.abc import Collection

from sandtable.core import Action

from ..facts.duels import win_chance
from ..model.actions import Declare, Form, Halt, Load, Sail, Unload
from ..model.atlas import ATLAS, BE, CONVOY, INF, JAPAN, USA
from ..model.state import AT_WAR, CONQUERED, at_war, has_enemy
from ..rules.flying import is_handicapped
from ..rules.naval import ready_ships
from ..rules.politics import why_not_declare
from .goals import can_spare
from .politics import designs, garrison_of, rivals
from .scene import Scene

_LATER = 0.6
"""What a prize is worth that can be had a quarter later."""
_WIN, _WIN_SMALL = 0.85, 0.75
"""The chance at which a guarded prize is tried; a neutral's."""
_LEVEL = 15
"""The American level from which war is near."""
_AHEAD = 2
"""Quarters before the war in which loaded convoys take up positions."""
_TEAM = 3
"""The most who land together."""
_FEW = 4
"""Units of an area that are looked at."""
_STAY = 0.6
"""Share of the power that threatens an area that stays behind there."""


class Errand:
    """One convoy, what it fetches where, and what it takes."""

    __slots__ = ("alone", "area", "convoy", "lands", "off", "port", "score", "unit")

    def __init__(
        self, convoy: int, port: int, unit: int, off: int, area: int, lands: bool, alone: bool, score: float
    ) -> None:
        self.convoy, self.port, self.unit, self.off, self.area = convoy, port, unit, off, area
        self.lands, self.alone, self.score = lands, alone, score
        """Whether it lands in this quarter, and whether it needs no other unit for that; what it gains."""


class Islands:
    """The errands of one major in one naval phase."""

    def __init__(self, scene: Scene, busy: Collection[int] = ()) -> None:
        """`busy`: ships that have other orders."""
        self.scene = scene
        self.busy = busy
        self.ships: set[int] = set()
        """Ships that have their orders."""
        self.units: set[int] = set()
        self.areas: set[int] = set()
        """The same of units, and of areas that they will take."""
        self.known: dict[int, dict[int, list[int]]] = {}
        self.duels: dict[tuple[int, int], bool] = {}
        self.garrisons: dict[int, list[int]] = {}
        """What `ways`, `beats` and `troops` found, which is the same for every convoy."""
        self.single = ATLAS.ship_range
        self.wanted = designs(scene)
        """Neutrals that may be taken from the sea."""
        state, found = scene.state, scene.found
        peace = not at_war(state, scene.me, USA) and state.side[USA] != scene.side
        self.opens = peace and USA in rivals(scene)
        """Whether war with the West is opened now: the first landings come with the declaration."""
        near = state.us_level >= _LEVEL if state.advanced else 0 < found.fixed["usa_joins"] - state.turn <= _AHEAD
        self.soon = peace and near and not self.opens
        """Whether it is near enough to take up positions."""

    def plan(self) -> list[Action]:
        scene, state, found = self.scene, self.scene.state, self.scene.found
        if state.exploiting or state.standing[scene.me] != AT_WAR or not scene.doctrine.islands:
            return []
        if state.advanced and scene.me != JAPAN:
            return []  # invaders are halved there: only the ocean's open islands are worth it
        convoys = [
            (found.space_of[zone], unit)
            for zone, ids in ready_ships(scene.state, scene.me).items()
            for unit in map(found.unit_of.__getitem__, ids)
            if found.type[unit] == CONVOY and not state.flipped[unit] and unit not in self.busy
        ]
        prizes = self.prizes() if convoys else {}
        if not prizes:
            return []
        errands = sorted(self.errands(convoys, prizes), key=lambda e: (-e.score, e.convoy, e.area))
        orders = self.alone([e for e in errands if e.alone and e.lands])
        orders += self.together([e for e in errands if not e.alone])
        return [*orders, *self.alone([e for e in errands if e.alone and not e.lands])]

    def alone(self, errands: list[Errand]) -> list[Action]:
        """Who needs no help."""
        orders: list[Action] = []
        for errand in errands:
            if errand.area not in self.areas and self.is_free(errand, self.units):
                orders += self.send([errand])
        return orders

    def together(self, errands: list[Errand]) -> list[Action]:
        """Several who take at once what none of them would take alone, the fewest who are enough."""
        scene, state = self.scene, self.scene.state
        orders: list[Action] = []
        for area in dict.fromkeys(e.area for e in errands):
            foes = [u for u in state.here[area] if state.side[state.nation[u]] != scene.side]
            if len(foes) > _TEAM:
                continue
            defenders = [scene.soldier(u, area, -1, False) for u in foes]
            if not scene.hostile(area):
                defenders = garrison_of(scene, state.control[area], area)
            team: list[Errand] = []
            for errand in errands:
                ours = {e.unit for e in team}
                if errand.area != area or errand.convoy in {e.convoy for e in team} or errand.unit in ours:
                    continue
                if len(team) == _TEAM or not self.is_free(errand, self.units | ours):
                    continue
                team.append(errand)
                if win_chance([scene.soldier(e.unit, area, -1, True) for e in team], defenders) >= _WIN:
                    orders += self.send(team)
                    break
        return orders

    def is_free(self, errand: Errand, gone: set[int]) -> bool:
        """Whether convoy and unit have no other orders, and the unit can be spared."""
        if errand.convoy in self.ships or errand.unit in self.units:
            return False
        aboard = errand.unit in self.scene.state.cargo.get(errand.convoy, ())
        return aboard or can_spare(self.scene, errand.unit, gone, _STAY)

    def send(self, team: list[Errand]) -> list[Action]:
        """Their orders, with the war they open."""
        orders = self.declaration(team[0].area) if team[0].lands else []
        for errand in team:
            self.ships.add(errand.convoy)
            self.units.add(errand.unit)
            self.areas.add(errand.area)
            orders += self.carry_out(errand)
        return orders

    # ---- what there is to take
    def prizes(self) -> dict[int, float]:
        """Open areas of the enemy on a coast, with what they are worth."""
        scene, state, found = self.scene, self.scene.state, self.scene.found
        out: dict[int, float] = {}
        for area in found.land:
            if not found.coast[area] or not self.is_prize(area):
                continue
            owner = found.owner[area]
            ours = owner >= 0 and state.side[owner] == scene.side
            points = float(found.left[area] if ours else found.right[area]) + float(area in found.point_islands)
            if points <= 0:
                continue
            if scene.threat(area) > 1.0 and area not in found.point_islands:
                points *= 0.4  # it would be lost again at once
            out[area] = points
        return out

    def is_prize(self, area: int) -> bool:
        scene, state, found = self.scene, self.scene.state, self.scene.found
        owner = state.control[area]
        if scene.hostile(area):
            return True
        if owner in self.wanted:
            return True
        if owner == found.trust_nation and at_war(state, scene.me, USA):
            return True
        if owner == found.bnl and state.standing[owner] == CONQUERED:
            return why_not_declare(state, scene.me, owner) is None  # nobody goes to war for the colonies of the fallen
        if owner == found.bnl:
            return at_war(state, scene.me, USA) or self.soon or self.opens
        return (self.soon or self.opens) and self.is_western(area)

    def declaration(self, area: int) -> list[Action]:
        """War on a neutral that is landed at, or on the colonies of the fallen, which only need to be asked for."""
        scene, state = self.scene, self.scene.state
        owner = state.control[area]
        if scene.hostile(area) or why_not_declare(state, scene.me, owner) is not None:
            return []
        return [Declare(scene.found.nation_ids[owner])]

    # ---- who could take it
    def errands(self, convoys: list[tuple[int, int]], prizes: dict[int, float]) -> list[Errand]:
        state, found = self.scene.state, self.scene.found
        coast: dict[int, list[int]] = {}
        for area in prizes:
            for zone in found.coast[area]:
                coast.setdefault(zone, []).append(area)
        out: list[Errand] = []
        for zone, convoy in convoys:
            aboard = state.cargo.get(convoy, ())
            if aboard:
                # by the advanced rules nobody lands among enemies who was at sea when the phase began
                if not state.advanced and found.is_land[aboard[0]] and not found.is_hq[aboard[0]]:
                    out += self.voyages(convoy, zone, 0, aboard[0], coast, prizes)
                continue
            for port, way in self.ways(zone).items():
                if port not in self.garrisons:
                    self.garrisons[port] = self.troops(port)
                for unit in self.garrisons[port]:
                    out += self.voyages(convoy, port, len(way), unit, coast, prizes)
        return out

    def voyages(
        self, convoy: int, port: int, used: int, unit: int, coast: dict[int, list[int]], prizes: dict[int, float]
    ) -> list[Errand]:
        out = []
        state, found = self.scene.state, self.scene.found
        for off, way in self.ways(port).items():
            length = used + len(way)
            if off not in coast or length > 2 * self.single:
                continue
            for area in coast[off]:
                if state.advanced and off * found.count + area in found.forbidden_coast:
                    continue
                if (unit, area) not in self.duels:
                    self.duels[unit, area] = self.beats(unit, area)
                alone = self.duels[unit, area]
                lands = length <= self.single and not (self.soon and self.is_western(area)) and self.may_land(off)
                if not lands and length > self.single and not self.may_wait(off, convoy):
                    continue
                if not lands and (state.advanced or not alone):
                    continue
                if not alone and (state.advanced or not self.is_fought(area)):
                    continue
                score = prizes[area] * (1.0 if lands else _LATER) - 0.02 * length - 0.05 * self.scene.power(unit)
                if score > 0:
                    out.append(Errand(convoy, port, unit, off, area, lands, alone, score))
        return out

    def is_fought(self, area: int) -> bool:
        """Whether several may attack an area together."""
        return self.scene.hostile(area)

    def may_land(self, off: int) -> bool:
        """Whether a landing from a zone is allowed, as far as this player thinks of it."""
        return True

    def may_wait(self, off: int, convoy: int) -> bool:
        """Whether a convoy may use double range to a zone."""
        return True

    def beats(self, unit: int, area: int) -> bool:
        scene, state, found = self.scene, self.scene.state, self.scene.found
        owner = state.control[area]
        if owner in self.wanted:
            return win_chance([scene.soldier(unit, area, -1, True)], garrison_of(scene, owner, area)) >= _WIN_SMALL
        foes = [u for u in state.here[area] if state.side[state.nation[u]] != scene.side and found.is_land[u]]
        if not foes:
            return True
        if len(foes) > 1 or state.advanced:
            return False
        return win_chance(
            [scene.soldier(unit, area, -1, True)], [scene.soldier(u, area, -1, False) for u in foes]
        ) >= _WIN  # fmt: skip

    def troops(self, zone: int) -> list[int]:
        """The weakest few infantry units of each area beside a zone, and the strongest."""
        scene, state, found = self.scene, self.scene.state, self.scene.found
        out: list[int] = []
        for area in found.coast[zone]:
            if not scene.friendly(area) or scene.contested(area):
                continue
            mine = [u for u in state.here[area] if found.type[u] == INF and state.master[state.nation[u]] == scene.me]
            mine.sort(key=lambda u: (scene.power(u), u))
            out += [*mine[:_FEW], *mine[_FEW:][-1:]]
        return out

    def ways(self, zone: int) -> dict[int, list[int]]:
        """Zones in double range with the way there, clear of ships that are or will be enemies."""
        if zone not in self.known:
            found = self.scene.found
            out: dict[int, list[int]] = {zone: []}
            frontier = [zone]
            for _ in range(2 * self.single):
                following = []
                for here in frontier:
                    for there in found.sea_next[here]:
                        if there not in out and not self.barred(there):
                            out[there] = [*out[here], there]
                            following.append(there)
                frontier = following
            self.known[zone] = out
        return self.known[zone]

    def barred(self, zone: int) -> bool:
        state, me = self.scene.state, self.scene.me
        if has_enemy(state, me, zone):
            return True
        near = self.soon or self.opens
        return near and any(state.side[state.nation[u]] == state.side[USA] for u in state.here[zone])

    def is_western(self, area: int) -> bool:
        """Whether landing in an area means war with the West."""
        state, found = self.scene.state, self.scene.found
        owner = state.control[area]
        return owner == found.trust_nation or state.master[owner] in (USA, BE)

    def carry_out(self, errand: Errand) -> list[Action]:
        found, state = self.scene.found, self.scene.state
        start = state.place[errand.convoy]
        ids = found.space_ids
        convoy, unit = found.unit_ids[errand.convoy], found.unit_ids[errand.unit]
        orders: list[Action] = [Form(ids[start], (convoy,))]
        orders += [Sail(ids[z]) for z in self.ways(start)[errand.port]]
        if errand.unit not in state.cargo.get(errand.convoy, ()):
            orders.append(Load(convoy, unit))
        orders += [Sail(ids[z]) for z in self.ways(errand.port)[errand.off]]
        if errand.lands:
            orders.append(Unload(unit, ids[errand.area]))
        return [*orders, Halt()]


class Sweep(Islands):
    """The same, with neutrals that several land at together, and by the rules of double range: a ship that used it
    keeps all friends in its zone from landing."""

    def is_fought(self, area: int) -> bool:
        return self.scene.hostile(area) or self.scene.state.control[area] in self.wanted

    def may_land(self, off: int) -> bool:
        return not is_handicapped(self.scene.state, self.scene.me, off)

    def may_wait(self, off: int, convoy: int) -> bool:
        state = self.scene.state
        return not any(state.cargo.get(u) for u in self.scene.friends(off) if u != convoy)
