"""The orders of one phase on land and in the air, while they are being given: who goes, who stays, who attacks whom."""

from __future__ import annotations

from sandtable.core import Action

from ..facts.command import commands
from ..facts.duels import Soldier, win_chance
from ..facts.reach import FAR, Marches
from ..model.actions import Fly, March, Support
from ..model.atlas import INF, TF
from ..model.state import MOVED, STATIONED
from ..rules.flying import why_not_fly, why_not_support
from ..rules.movement import march_targets, why_not_march
from .chances import estimate
from .goals import guard
from .scene import Scene

BEATEN = 0.75
"""The chance from which a stack threatens nobody any more."""
MANY, _LAST = 3.0, 0.05
"""How many times as strong an enemy must be for the last unit to leave an area to him; the least that stays."""


class Assault:
    """An attack that is being prepared."""

    __slots__ = ("defenders", "need", "soldiers", "target", "team", "worth")

    def __init__(self, target: int, worth: float, defenders: list[Soldier], need: float = 0.0) -> None:
        self.target, self.worth, self.defenders, self.need = target, worth, defenders, need
        self.team: list[int] = []
        """Who takes part, and below as what soldiers."""
        self.soldiers: list[Soldier] = []

    def add(self, unit: int, soldier: Soldier) -> None:
        self.team.append(unit)
        self.soldiers.append(soldier)

    def drop(self, unit: int) -> None:
        at = self.team.index(unit)
        del self.team[at], self.soldiers[at]

    def left(self) -> float:
        """About what share of the attackers would be left."""
        return estimate(self.soldiers, self.defenders)

    def chance(self) -> float:
        return win_chance(self.soldiers, self.defenders)

    def without(self, unit: int) -> float:
        """The chance if a unit took no part."""
        rest = [soldier for other, soldier in zip(self.team, self.soldiers, strict=True) if other != unit]
        return win_chance(rest, self.defenders)


class Orders:
    """What one major's units were told so far."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.way = scene.doctrine
        found, state = scene.found, scene.state
        self.reach: dict[int, Marches] = {}
        alike: dict[tuple[int, int, int], Marches] = {}  # units of a kind in an area can march to the same areas
        for unit in scene.mine:
            if found.is_land[unit] and not state.flags[unit] & MOVED and why_not_march(state, unit) is None:
                key = (state.place[unit], state.nation[unit], found.type[unit])
                if key not in alike:
                    alike[key] = march_targets(state, unit)
                if alike[key]:
                    self.reach[unit] = alike[key]
        self.free = dict.fromkeys(u for u in self.reach)
        self.planes = [
            u for u in scene.mine
            if found.is_air[u] and not state.flags[u] & (MOVED | STATIONED) and why_not_fly(state, u) is None
        ]  # fmt: skip
        self.ships = [
            u for u in scene.mine if found.type[u] == TF and not state.exploiting and why_not_support(state, u) is None
        ]  # fmt: skip
        self.gone: set[int] = set()
        self.left: set[int] = set()
        """Areas that somebody leaves."""
        self.staying: dict[int, float] = {}
        """By area the power of those who stay, as far as it was asked for."""
        self.arriving: dict[int, float] = {}
        self.orders: list[Action] = []
        self.battles: list[Assault] = []
        self.walks: list[Assault] = []
        """Marches into an enemy's area where nobody is."""
        self.beaten: dict[int, float] = {}
        """Enemy stacks that are attacked with good odds, and their power: they threaten nobody any more."""

    # ---- who is where
    def company(self, space: int) -> float:
        """The power on land that will be in an area: who stays and who is on the way."""
        here = self.staying.get(space)
        if here is None:
            scene, found = self.scene, self.scene.found
            if space in self.left:
                here = scene.total(u for u in scene.friends(space) if found.is_land[u] and u not in self.gone)
            else:
                here = scene.troops(space)
            self.staying[space] = here
        return here + self.arriving.get(space, 0.0)

    def danger(self, space: int, target: int = -1) -> float:
        """The power that threatens an area, without a stack that is looked at and those that are beaten."""
        out = self.scene.threat(space, target)
        if self.beaten:
            near = self.scene.found.land_next[space]
            out -= sum([power for stack, power in self.beaten.items() if stack in near and stack != target])
        return max(0.0, out)

    def via(self, unit: int, to: int) -> int:
        """The way in that costs least: from where the unit stands if that is as good."""
        ways = self.reach[unit][to]
        if len(ways) < 2:
            return ways[0] if ways else -1
        start = self.scene.state.place[unit]
        return max(ways, key=lambda w: (self.scene.modifier(unit, to, w, True), w == start, -w))

    # ---- who may go
    def is_led(self, unit: int) -> bool:
        """Whether an HQ can still command infantry to exploit, besides those who go already."""
        state, types = self.scene.state, self.scene.found.type
        if not self.way.stays or not state.exploiting or types[unit] != INF:
            return True
        start, side = state.place[unit], self.scene.side
        going = [u for u in self.gone if types[u] == INF and state.place[u] == start]
        return len(going) < commands(state).get((start, side), FAR)

    def may_leave(self, unit: int, target: int) -> bool:
        """Whether the unit can go, and what stays behind can hold the area it leaves."""
        scene, found = self.scene, self.scene.found
        if not self.is_led(unit):
            return False
        start = scene.state.place[unit]
        kept = start in self.way.keep
        if start in self.way.leave or (not kept and not scene.vital(start)):
            return True
        share = self.way.home if found.home_of[start] == scene.me else self.way.cover
        threat = self.danger(start, target)
        danger = max(share * threat, guard(scene, start))
        if scene.looks_ahead and threat <= MANY * scene.power(unit):
            danger = max(danger, min(threat, _LAST))
        if danger <= 0:
            return True
        danger -= self.arriving.get(start, 0.0)
        if danger <= 0:
            return True
        if scene.troops(start) < danger:
            return False
        stay = [u for u in scene.friends(start) if found.is_land[u] and u != unit and u not in self.gone]
        return scene.total(stay) >= danger

    def has_company(self, unit: int) -> bool:
        """Whether somebody stays where a unit stands, or nobody is needed there."""
        start = self.scene.state.place[unit]
        stays = self.company(start) - self.scene.power(unit) > 0.01
        return stays or not self.scene.vital(start) or self.scene.threat(start) <= 0

    def comes_later(self, area: int) -> bool:
        """Whether an enemy who moves twice before this side moves again could enter an area behind an empty one."""
        scene = self.scene
        if not scene.state.advanced or scene.state.second:
            return False
        return any(
            scene.friendly(s) and scene.threat(s) > 0 and self.company(s) <= 0 for s in scene.found.land_next[area]
        )

    def is_last(self, unit: int) -> bool:
        """Whether an area that gives points and is threatened would be left to whoever walks in."""
        scene, found = self.scene, self.scene.found
        start = scene.state.place[unit]
        if not (self.way.defends or self.way.posts) or not scene.vital(start):
            return False
        danger = scene.threat(start) if self.way.posts else self.danger(start)  # an attack may fail
        if self.arriving.get(start) or (danger <= 0 and not self.comes_later(start)):
            return False
        return not any(
            found.is_land[u] and not found.is_hq[u] and u != unit and u not in self.gone for u in scene.friends(start)
        )

    def is_open(self, space: int, target: int) -> bool:
        """Whether nobody would be left in an area that gives points, though one who stood there could hold it."""
        scene, state, found = self.scene, self.scene.state, self.scene.found
        if space in self.way.leave or not scene.vital(space) or scene.threat(space) <= 0 or self.company(space) > 0:
            return False
        ours = [
            scene.power(u) for u in scene.friends(space)
            if found.is_land[u] and state.master[state.nation[u]] == scene.me
        ]  # fmt: skip
        return self.danger(space, target) <= MANY * max(ours, default=0.0)

    def opens(self, unit: int, target: int) -> bool:
        """Whether an area would be left like that if a unit attacked a target."""
        if not self.way.stays:
            return False
        self.send(unit)
        is_open = self.is_open(self.scene.state.place[unit], target)
        self.recall([unit])
        return is_open

    # ---- orders
    def go(self, unit: int, to: int) -> None:
        found = self.scene.found
        way = self.via(unit, to)
        via = found.space_ids[way] if way >= 0 else ""
        self.orders.append(March(found.unit_ids[unit], found.space_ids[to], via))
        self.send(unit)
        self.free.pop(unit, None)
        self.arriving[to] = self.arriving.get(to, 0.0) + self.scene.power(unit)

    def send(self, unit: int) -> None:
        """The unit no longer counts where it stands."""
        start = self.scene.state.place[unit]
        self.gone.add(unit)
        self.left.add(start)
        self.staying.pop(start, None)

    def call_off(self, unit: int, battle: Assault) -> None:
        """The unit takes no part in an attack after all."""
        ident, target, power = self.scene.found.unit_ids[unit], battle.target, self.scene.power(unit)
        self.orders = [o for o in self.orders if not (isinstance(o, March) and o.unit == ident)]
        self.recall([unit])
        self.arriving[target] -= power
        battle.drop(unit)
        if not battle.team:
            (self.battles if battle in self.battles else self.walks).remove(battle)
        if not battle.team or battle.chance() < BEATEN:
            self.beaten.pop(target, None)

    def recall(self, units: list[int]) -> None:
        """They stay where they stand after all."""
        self.gone.difference_update(units)
        for unit in units:
            self.staying.pop(self.scene.state.place[unit], None)

    def fly(self, plane: int, target: int) -> None:
        """An aircraft or a Task Force supports an attack."""
        found = self.scene.found
        act = Fly if found.is_air[plane] else Support
        self.orders.append(act(found.unit_ids[plane], found.space_ids[target]))
        (self.planes if found.is_air[plane] else self.ships).remove(plane)
