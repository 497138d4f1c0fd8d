"""Before a movement ends: where the enemy could walk in, who stays or comes, and what is given up with open eyes.

A division holds an area where that is worth more than what it would do elsewhere: the worth of the area times the
chance that it is lost, against the worth of an attack times the chance that it fails for want of one division.
"""

from __future__ import annotations

from ..facts.duels import win_chance
from ..facts.ground import OWN_SKY
from ..model.atlas import ARM, MAJORS
from .orders import Assault, Orders

_COMES = 0.6
"""How likely an enemy strikes a single division where he would win."""
_RETURNS = 0.5
"""How likely a stack that is beaten retreats and comes back."""
_TWICE = 0.4
"""How likely the enemy moves twice before this side moves again, where he may."""
_PRICE = 2.0
"""Worth of a division's power, which is lost with it."""
_MOVES = 0.05
"""What it costs to keep such a power from the front."""


def hold(orders: Orders) -> None:
    """Man every area that would be open, the most valuable first, where that is worth it."""
    scene = orders.scene
    for area in sorted(exposed(orders), key=lambda s: (-scene.worth(s), s)):
        best: tuple[float, int, Assault | None] | None = None
        for unit, battle in candidates(orders, area):
            gain = held(orders, area, unit) - cost(orders, area, unit, battle)
            if gain > (best[0] if best else 0.0):
                best = (gain, unit, battle)
        if best is not None:
            _, unit, battle = best
            if battle is not None:
                orders.call_off(unit, battle)
            if scene.state.place[unit] == area:
                orders.free.pop(unit, None)
            else:
                orders.go(unit, area)


def exposed(orders: Orders) -> list[int]:
    """Own areas that give points, where nobody will be, and that an enemy could enter."""
    scene, way = orders.scene, orders.way
    return [
        s for s in scene.found.land
        if scene.ground[s] == OWN_SKY and s not in way.leave and scene.vital(s)
        and (scene.threat(s) > 0 or orders.comes_later(s)) and orders.company(s) <= 0 and not scene.contested(s)
    ]  # fmt: skip


def candidates(orders: Orders, area: int) -> list[tuple[int, Assault | None]]:
    """Who could be there at the end of the movement, and the attack that each would be missing from."""
    scene, place = orders.scene, orders.scene.state.place
    out: list[tuple[int, Assault | None]] = []
    for unit in orders.free:
        goes = not scene.found.is_hq[unit] and orders.reach[unit].get(area) == []
        if goes and orders.has_company(unit) and orders.may_leave(unit, -1):
            out.append((unit, None))
    for battle in [*orders.battles, *orders.walks]:
        out += [
            (unit, battle) for unit in battle.team
            if scene.found.is_land[unit] and (place[unit] == area or orders.reach[unit].get(area) == [])
        ]  # fmt: skip
    return out


def held(orders: Orders, area: int, unit: int) -> float:
    """What it is worth that a division is in an area, and not nobody."""
    scene, found = orders.scene, orders.scene.found
    at_ease, all_of_them = 0.0, []
    for start in found.within_marches[area]:
        near = start in found.land_next[area]
        stack = [
            u for u in scene.enemies(start)
            if found.is_land[u] and not found.is_hq[u] and (near or found.type[u] == ARM)
        ]  # fmt: skip
        if stack and not (start in orders.beaten and all(scene.state.nation[u] >= len(MAJORS) for u in stack)):
            beaten = start in orders.beaten
            at_ease = max(at_ease, _RETURNS if beaten else 1.0)
            all_of_them += stack[::2] if beaten else stack
    if not at_ease and orders.comes_later(area):
        at_ease = _TWICE
    guard = scene.soldier(unit, area, -1, False)
    falls = _COMES * win_chance([scene.soldier(u, area, -1, True) for u in all_of_them], [guard])
    return at_ease * (scene.worth(area) * (1 - falls) - _PRICE * scene.power(unit) * falls)


def cost(orders: Orders, area: int, unit: int, battle: Assault | None) -> float:
    """What is lost where a division is missing then: an attack is called off with its last one, or stays a fair one."""
    power = orders.scene.power(unit)
    if battle is None:
        return _MOVES * power
    if battle.team == [unit]:
        return battle.worth * battle.chance()
    others = any(orders.scene.found.is_land[u] for u in battle.team if u != unit)
    after = battle.without(unit)
    if not others or after < battle.need:
        return float("inf")
    return battle.worth * (battle.chance() - after) + _MOVES * power
