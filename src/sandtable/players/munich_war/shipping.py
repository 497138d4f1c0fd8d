"""Ships: units that wait in a port are carried to where they are of more use; trains from off the map come in."""

from __future__ import annotations

from sandtable.core import Action
from sandtable.games.munich_war.actions import EnterMap, Ship
from sandtable.games.munich_war.atlas import ATLAS, bits
from sandtable.games.munich_war.facts import hex_name
from sandtable.games.munich_war.movement import entry_reach
from sandtable.games.munich_war.naval import boarding, departures, landings, ready_markers
from sandtable.games.munich_war.state import MOVED, OFF_MAP

from .marching import Marching
from .scene import Scene

_CROSSING = 0.25
"""The least gain for which units go to sea."""


def plan_sea(scene: Scene, march: Marching) -> list[Action]:
    """Sea transports and units that come back by rail; whoever is carried gets no other orders."""
    found: list[Action] = []
    for marker in ready_markers(scene.m, scene.side):
        order = best_voyage(scene, march, marker)
        if order is not None:
            found.append(order)
            for name in order.units:
                march.give(ATLAS.unit_number[name], ATLAS.hex_number[order.to])
                march.orders.pop(ATLAS.unit_number[name])
    state = scene.m.state
    for unit in ATLAS.mobile_units:
        if state.where[unit] == OFF_MAP and state.side[ATLAS.units[unit].country] == scene.side:
            places = list(bits(entry_reach(scene.m, unit)))
            if places and not state.flags[unit] & MOVED:
                at = max(places, key=lambda at: (scene.lure[at] + scene.home[at], at))
                found.append(EnterMap(ATLAS.units[unit].id, hex_name(at)))
    return found


def best_voyage(scene: Scene, march: Marching, marker: int) -> Ship | None:
    """The voyage that brings most strength nearest to where it is wanted."""
    m = scene.m
    best: tuple[float, Ship] | None = None
    for port in bits(departures(m, marker)):
        aboard = [
            name
            for name in boarding(m, marker, port)
            if ATLAS.unit_number[name] in march.free and ATLAS.units[ATLAS.unit_number[name]].mobile
        ]
        guarded = scene.stakes.keep.get(port, 0.0) and scene.danger(port)
        if not aboard or guarded:
            continue
        armies = [name for name in aboard if ATLAS.units[ATLAS.unit_number[name]].army]
        load = tuple(armies[:1] or aboard[:3])
        for at in bits(landings(m, marker, port, load)):
            gain = landing_gain(scene, march, port, at, load)
            if gain > _CROSSING and (best is None or gain > best[0]):
                best = (gain, Ship(ATLAS.units[marker].id, hex_name(port), load, hex_name(at)))
    return None if best is None else best[1]


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
