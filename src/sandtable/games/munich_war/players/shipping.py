"""Ships: units that wait in a port are carried to where they are of more use; trains from off the map come in."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.core import Action, Offer, Offers

from ..model.actions import EnterMap, Ship
from ..model.atlas import ATLAS
from .marching import Marching
from .scene import Scene

_CROSSING = 0.25
"""The least gain for which units go to sea."""


def plan_sea(scene: Scene, march: Marching, offers: Offers) -> list[Action]:
    """Sea transports and units that come back by rail; whoever is carried gets no other orders."""
    found: list[Action] = []
    needed = march.needed() if scene.doctrine.spare and offers[Ship] else set[int]()
    march.free -= needed
    for offer in offers[Ship]:
        for marker in offer.fields[0].given(()):
            order = best_voyage(scene, march, offer, marker)
            if order is not None:
                found.append(order)
                for name in order.units:
                    march.give(ATLAS.unit_number[name], ATLAS.hex_number[order.to])
                    march.orders.pop(ATLAS.unit_number[name])
    march.free |= needed
    for offer in offers[EnterMap]:
        for name in offer.fields[0].given(()):
            places = [ATLAS.hex_number[to] for to in offer.fields[1].given((name,))]
            if places:
                at = max(places, key=lambda at: (scene.lure[at] + scene.home[at], at))
                found.append(EnterMap(name, ATLAS.hex_name[at]))
    return found


def best_voyage(scene: Scene, march: Marching, offer: Offer, marker: str) -> Ship | None:
    """The voyage that brings most strength nearest to where it is wanted."""
    best: tuple[float, Ship] | None = None
    _, ports, aboard, landings = offer.fields
    for port in ports.given((marker,)):
        here = ATLAS.hex_number[port]
        load = cargo(march, aboard.given((marker, port)))
        left = [unit for unit in scene.known.stack(here) if ATLAS.units[unit].id not in load]
        if not load or (scene.stakes.keep.get(here, 0.0) and (scene.danger(here) or not left)):
            continue
        for to in landings.given((marker, port, load)):
            gain = landing_gain(scene, march, here, ATLAS.hex_number[to], load)
            if gain > _CROSSING and (best is None or gain > best[0]):
                best = (gain, Ship(marker, port, load, to))
    return None if best is None else best[1]


def cargo(march: Marching, loads: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The strongest load of units that have no orders yet."""
    best: tuple[str, ...] = ()
    most = 0
    for load in loads:
        units = [ATLAS.unit_number[name] for name in load]
        if all(unit in march.free for unit in units):
            strength = sum(march.scene.attack(unit) + march.scene.defense(unit) for unit in units)
            if strength > most:
                best, most = load, strength
    return best


def landing_gain(scene: Scene, march: Marching, port: int, at: int, load: tuple[str, ...]) -> float:
    """What a landing gains over staying in port."""
    if scene.neutral(at) and not scene.stakes.take.get(at, 0.0):
        return 0.0
    units = [ATLAS.unit_number[name] for name in load]
    crowd = [*march.placed.get(at, ()), *march.waiting.get(at, ())]
    if crowd and (len(crowd) + len(units) > 3 or any(ATLAS.units[u].army for u in (*crowd, *units))):
        return 0.0
    if crowd and ATLAS.units[crowd[0]].country != ATLAS.units[units[0]].country:
        return 0.0
    gain = scene.stakes.take.get(at, 0.0)
    for unit in units:
        gain += march.score(unit, at) - march.score(unit, port)
    return gain
