"""Landings: troops in Britain go over to an enemy coast where the odds are good."""

from __future__ import annotations

from typing import Any

from sandtable.core import Action, Offer, Offers

from ..facts.names import unit_of
from ..model.actions import Ferry
from ..model.atlas import ATLAS
from ..model.kinds import GROUND
from ..rules.routes import Routes
from ..rules.stacking import ground_room
from .aims import prize
from .chances import COAST, Chance, Chances
from .sight import Sight, names, paths_of, rate

A = ATLAS
K = ATLAS.kinds
_SHIPS = 8
"""Transports that sail together at most."""
_LEAST = 3
"""Fewer do not sail."""
_GOOD = 0.7
_WORTHY = 10.0
Passage = tuple[str, tuple[str, ...]]
"""The water of loading and the path from there."""


def landing(sight: Sight, offers: Offers, chances: Chances) -> list[Action]:
    """Return the ferries of the best landing that is worth it; none where none is."""
    if sight.power not in (A.britain, A.usa) or not offers[Ferry]:
        return []
    offer, state = offers[Ferry][0], sight.state
    ships = [str(name) for name in offer.fields[0].given(())][:_SHIPS]
    if len(ships) < _LEAST:
        return []
    passages: dict[tuple[int, int], dict[int, Passage]] = {}
    fleets: dict[int, list[Action]] = {}
    loads = {ship: cargoes(sight, offer, ship) for ship in ships}
    shores = {water for land in A.land if sight.holder[land] == 1 - sight.side for water in A.coast[land]}
    for ship in ships:
        for cargo in loads[ship]:
            key = (state.space[unit_of(state, ship)], state.space[unit_of(state, cargo)])
            if key not in passages:
                passages[key] = ways(sight, offer, ship, cargo, shores)
            for target in passages[key]:
                fleets.setdefault(target, [])
    best, found = _WORTHY, list[Action]()
    for target in sorted(fleets):
        used, room, orders = set[str](), ground_room(sight.m.state, target, sight.side), list[Action]()
        for ship in ships:
            for cargo in loads[ship]:
                unit = unit_of(state, cargo)
                way = passages[state.space[unit_of(state, ship)], state.space[unit]].get(target)
                if cargo not in used and way is not None and K.stack[state.kind[unit]] <= room:
                    used.add(cargo)
                    room -= K.stack[state.kind[unit]]
                    orders.append(Ferry(ship, cargo, way[0], way[1], A.names[target]))
                    break
        if len(orders) >= _LEAST:
            gain = value(sight, target, [unit_of(state, cargo) for cargo in used], chances)
            if gain > best:
                best, found = gain, orders
    return found


def cargoes(sight: Sight, offer: Offer, ship: str) -> list[str]:
    """Return ground units in Britain that a ship can take aboard, the strongest first; who guards a capital stays."""
    state = sight.state

    def able(name: str) -> bool:
        unit = unit_of(state, name)
        space = state.space[unit]
        return K.cls[state.kind[unit]] == GROUND and A.homeland[space] == A.britain and space not in A.capital

    found = [str(name) for name in offer.fields[1].given((ship,)) if able(str(name))]
    found.sort(key=lambda name: (-rate(state, unit_of(state, name), A.capital[A.britain], defending=False), name))
    return found


def ways(sight: Sight, offer: Offer, ship: str, cargo: str, shores: set[int]) -> dict[int, Passage]:
    """Return per enemy land that can be reached the passage there; its shores are the waters beside such land."""
    found: dict[int, Passage] = {}
    for load in offer.fields[2].given((ship, cargo)):
        routes: Any = offer.fields[3].given((ship, cargo, load))
        if isinstance(routes, Routes):
            for water, path in sorted(paths_of(routes, shores).items()):
                for land in A.coast[water]:
                    if sight.holder[land] == 1 - sight.side:
                        found.setdefault(land, (str(load), names(path)))
    return found


def value(sight: Sight, target: int, force: list[int], chances: Chances) -> float:
    """Return what a landing comes to in dollars."""
    foes = sight.foes(target)
    chance = Chance(1.0, 0.0, 0.0)
    if foes:
        chance = chances.attack(sight.m, target, sight.side, sorted(force), foes, {COAST}, blitz=False)
    if chance.win < _GOOD:
        return 0.0
    return chance.win * prize(sight, target) + chance.theirs - chance.ours
