"""Landings planned with every ship that can be had: a weakly held capital by the sea is worth all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.core import Action, Offers

from ..facts.access import sea_net
from ..facts.control import is_friend
from ..facts.landings import landing_units
from ..facts.names import unit_name, unit_of
from ..facts.roster import roster
from ..model.actions import Ferry, Fly, LeaveConvoy, Ship
from ..model.atlas import ATLAS
from ..model.calendar import turn_track
from ..model.kinds import AIR, GROUND
from ..model.state import AT_WAR, CUT_OFF, IN_CONVOY, MOVED, SURPRISED, M
from ..rules.redeployment import points_left
from ..rules.sea import SHIP_RADIUS, landing_refusal
from .aims import prize
from .chances import COAST, Chance
from .sight import names, rate
from .watch import Watch, start_ports, transports_near

A = ATLAS
K = ATLAS.kinds
_CAPITAL = 0.62
"""The least chance of a landing in a capital,"""
_ELSEWHERE = 0.75
"""and on any other coast."""
_DESPERATE = 0.1
"""and in the last season, when there is nothing left to lose."""
_PATIENT = 3
"""So many seasons before the end the fleet waits for the last one: a flag counts only when all is over."""
_PLANNED = 0.8
"""The chance at which ships are called out of their convoys for a capital, with one more defender than there is."""
_WORTHY = 12.0
_LEAST = 2
"""Fewer do not sail."""
_FARE = 2
"""Redeployment Points for a ship and its load."""
_UNSAFE = 1.0
"""The threat at which nobody is sent to a harbour or away from a place."""
FLEET = 4
"""Transports that an expedition wants."""


class Voyage(NamedTuple):
    """One transport, its cargo, and the way."""

    ship: int
    cargo: int
    start: int
    load: int
    path: tuple[int, ...]
    """From the water of loading."""


def waters_of(m: M, power: int, target: int) -> list[int]:
    """From where troops can go ashore."""
    return [w for w in A.coast[target] if not A.is_port[w]]


def find_voyage(m: M, power: int, ship: int, cargo: int, target: int) -> Voyage | None:
    """Return how a ship can bring a unit to a coast within one season."""
    state, net = m.state, sea_net(m.state, power)
    goals = waters_of(m, power, target)
    for start in start_ports(m.state, ship):
        ways = net.reach(start, SHIP_RADIUS)
        for load in A.coast[state.space[cargo]]:
            if load not in ways:
                continue
            onward = net.reach(load, SHIP_RADIUS - ways[load])
            for goal in goals:
                if goal in onward:
                    return Voyage(ship, cargo, start, load, onward.path(goal)[1:])
    return None


def fleet(m: M, power: int, target: int, ships: Sequence[int], loads: Sequence[int], room: int) -> list[Voyage]:
    """As many voyages to a coast as ships, troops and room allow, the best troops first."""
    state, found, used = m.state, list[Voyage](), set[int]()
    hopeless: set[tuple[int, int, int]] = set()
    for cargo in loads:
        if K.stack[state.kind[cargo]] > room:
            continue
        for ship in ships:
            where = (state.space[ship], state.convoy[ship], state.space[cargo])
            if ship in used or where in hopeless:
                continue
            voyage = find_voyage(m, power, ship, cargo, target)
            if voyage is None:
                hopeless.add(where)
                continue
            used.add(ship)
            found.append(voyage)
            room -= K.stack[state.kind[cargo]]
            break
    return found


def first_voyage(camp: Watch, ships: Sequence[int], cargo: int, target: int) -> Voyage | None:
    """Return how the first ship that can brings a unit to a coast."""
    state, power, ports = camp.state, camp.sight.power, dict[int, int]()
    for ship in ships:
        ports.setdefault(state.space[ship], ship)
    voyages = (find_voyage(camp.m, power, ship, cargo, target) for ship in ports.values())
    return next((voyage for voyage in voyages if voyage is not None), None)


def cargoes(camp: Watch, able: Sequence[int] | None, target: int) -> list[int]:
    """Return ground units at the coast that can be spared for a landing, the strongest first."""
    state, power = camp.state, camp.sight.power
    found, taken = list[int](), dict[int, int]()
    powers = [p for p in A.group_powers[A.group[power]] if p == power]
    for unit in (u for p in powers for u in roster(state).ground[p]) if able is None else able:
        space = state.space[unit]
        if space < 0 or not A.coast[space] or state.flags[unit] & (CUT_OFF | SURPRISED) or state.cargo_of[unit] >= 0:
            continue
        if able is not None and state.flags[unit] & MOVED:
            continue
        if camp.sight.ground[1 - camp.side].get(space) or camp.stays(space):
            continue
        stack = K.stack[state.kind[unit]]
        if space in camp.wanted:
            if camp.held(space) - taken.get(space, 0) - stack < camp.wanted[space]:
                continue
        elif target not in A.capital and not camp.may_leave(unit, space, target):
            continue
        taken[space] = taken.get(space, 0) + stack
        found.append(unit)
    found.sort(key=lambda u: (-rate(state, u, target, defending=False) / K.stack[state.kind[u]], u))
    return found


def odds(camp: Watch, target: int, force: Sequence[int], extra: int = 0) -> Chance:
    """Return how a landing ends; with `extra` more defenders like the first."""
    foes = camp.sight.foes(target)
    if extra:
        foes = foes + [u for u in foes if K.cls[camp.state.kind[u]] == GROUND][:extra]
    if not foes:
        return Chance(1.0, 0.0, 0.0)
    return camp.chances.attack(camp.m, target, camp.side, sorted(force), foes, {COAST}, blitz=False)


def targets(camp: Watch) -> list[int]:
    """Return enemy coasts that are worth a landing, the dearest first."""
    sight = camp.sight
    found = [s for s in A.land if sight.holder[s] == 1 - sight.side and A.coast[s] and worth_of(camp, s) >= _WORTHY]
    return sorted(found, key=lambda s: (-worth_of(camp, s), s))


def worth_of(camp: Watch, target: int) -> float:
    """Return what a coast is worth: the land, and for the ambitious where it leads to."""
    return prize(camp.sight, target) + camp.ambition * camp.pull.get(target, 0.0)


def landing(camp: Watch, ships: Sequence[int]) -> list[Action]:
    """Return the orders of the best landing that is worth it; none where none is."""
    m, state, sight = camp.m, camp.state, camp.sight
    if not ships or state.status[sight.power] != AT_WAR:
        return []
    best, found, chosen = 0.0, list[Voyage](), -1
    left = len(turn_track(state.scenario)) - state.turn
    goal = goal_of(camp)
    for target in targets(camp):
        capital = target == goal
        if capital and 1 < left <= _PATIENT and state.status[A.capital.index(target)] != AT_WAR:
            continue
        mates = landing_units(state, target, sight.side)
        others = len(mates) + partners(camp, target, camp.room[target]) if camp.massed else 0
        least = _LEAST if goal < 0 and not camp.massed else camp.doctrine.many or camp.many
        if len(ships) + others < least and not capital:
            continue
        loads = [u for u in cargoes(camp, camp.free, target) if may_land(m, u, target)]
        voyages = fleet(m, sight.power, target, ships, loads, camp.room[target])
        if len(voyages) + others < least and not capital:
            continue
        if not voyages:
            continue
        chance = odds(camp, target, [*(v.cargo for v in voyages), *wings(camp, target), *mates])
        if chance.win < ((_DESPERATE if left == 1 else _CAPITAL) if capital else _ELSEWHERE):
            continue
        gain = chance.win * worth_of(camp, target) + chance.theirs - chance.ours * (left > 1)
        gain += camp.beachhead(target, [v.cargo for v in voyages])
        if gain > max(best, _WORTHY):
            best, found, chosen = gain, voyages, target
            if capital:
                break
    if not found:
        return []
    orders = [embark(camp, voyage, chosen) for voyage in found]
    if sight.foes(chosen):
        for unit in wings(camp, chosen):
            camp.planes.remove(unit)
            orders.append(Fly(unit_name(state, unit), names(camp.flights(unit)[chosen])))
    return orders


def partners(camp: Watch, target: int, room: int) -> int:
    """Return how many Americans can land beside the British, who move before them."""
    m, state = camp.m, camp.state
    if camp.sight.power != A.britain or state.status[A.usa] != AT_WAR:
        return 0
    ships = [u for u in roster(state).naval[A.usa] if state.kind[u] == K.transport and state.space[u] >= 0]
    loads = [u for u in roster(state).ground[A.usa] if state.space[u] >= 0 and A.homeland[state.space[u]] == A.britain]
    return len(fleet(m, A.usa, target, ships, loads, room))


def embark(camp: Watch, voyage: Voyage, target: int) -> Action:
    """Return the order for a voyage; who is aboard can do nothing else."""
    state = camp.state
    camp.free.remove(voyage.cargo)
    camp.left[state.space[voyage.cargo]].remove(voyage.cargo)
    ship, cargo = unit_name(state, voyage.ship), unit_name(state, voyage.cargo)
    return Ferry(ship, cargo, A.names[voyage.load], names(voyage.path), A.names[target])


def wings(camp: Watch, target: int) -> list[int]:
    """Return planes that can fly to help a landing."""
    state = camp.state
    return [u for u in camp.planes if K.cls[state.kind[u]] == AIR and K.base[state.kind[u]] != K.bomber
            and target in camp.flights(u)]  # fmt: skip


def may_land(m: M, unit: int, target: int) -> bool:
    return any(landing_refusal(m, unit, w, target) is None for w in A.coast[target] if not A.is_port[w])


# ---- preparing -------------------------------------------------------------------------------------------------------
def coup(camp: Watch) -> list[Voyage]:
    """The voyages of a landing in a capital next season that would very likely succeed, convoys' ships included."""
    m, state, power = camp.m, camp.state, camp.sight.power
    if state.status[power] != AT_WAR:
        return []
    ships = [u for u in roster(state).naval[power] if state.kind[u] == K.transport and start_ports(state, u)]
    ships.sort(key=lambda u: (state.space[u] == IN_CONVOY, u))
    for target in A.capital:
        if camp.sight.holder[target] != 1 - camp.side or not A.coast[target]:
            continue
        voyages = fleet(m, power, target, ships, cargoes(camp, None, target), 10)
        if len(voyages) >= _LEAST and odds(camp, target, [v.cargo for v in voyages], 1).win >= _PLANNED:
            return voyages
    return []


def recall(m: M, voyages: Sequence[Voyage]) -> Action | None:
    """A ship of the plan that still sails in a convoy leaves it."""
    state = m.state
    for voyage in voyages:
        if state.space[voyage.ship] == IN_CONVOY:
            return LeaveConvoy(unit_name(state, voyage.ship), A.names[voyage.start])
    return None


def goal_of(camp: Watch) -> int:
    """Return the enemy capital by the sea that an expedition is made ready for; -1 where there is none."""
    for target in A.capital:
        if camp.sight.holder[target] == 1 - camp.side and A.coast[target] and camp.tempting(target):
            return target
    return -1


def bases(camp: Watch, target: int) -> list[int]:
    """Friendly harbours outside the homelands from which a coast can be reached in one season, the nearest first."""
    m, state, power = camp.m, camp.state, camp.sight.power
    net = sea_net(state, power)
    found: dict[int, int] = {}
    for water in waters_of(m, power, target):
        for port, points in net.reach(water, SHIP_RADIUS).items():
            land = A.land_of_port[port]
            if land >= 0 and camp.sight.holder[land] == camp.side and is_friend(state, state.owner[land], power):
                found[land] = min(points, found.get(land, points))
    return sorted(found, key=lambda land: (found[land], land))


def strength(camp: Watch, target: int) -> int:
    """Transports that could sail against a coast next season."""
    return len([u for units in transports_near(camp.state, camp.side, target).values() for u in units])


def gather(camp: Watch, offers: Offers) -> Action | None:
    """By Redeployment troops and their ships go to a harbour near the capital that is wanted."""
    state, power = camp.state, camp.sight.power
    target = goal_of(camp)
    if target < 0 or not offers[Ship] or points_left(state, power) < _FARE:
        return None
    near = [land for land in bases(camp, target) if camp.threats.get(land, 0.0) < _UNSAFE]
    offer = offers[Ship][0]
    for ship in offer.fields[0].given(()):
        vessel = unit_of(state, str(ship))
        if A.land_of_port[state.space[vessel]] in near:
            continue
        loads = [u for u in offer.fields[1].given((ship,)) if spare(camp, unit_of(state, str(u)))]
        loads.sort(key=lambda u: (-K.combat[state.kind[unit_of(state, u)]], u))
        seen: set[int] = set()
        for load in loads:
            unit = unit_of(state, load)
            if state.space[unit] in seen or state.space[unit] in near:
                continue
            seen.add(state.space[unit])
            goals = {str(g) for g in offer.fields[2].given((ship, load))}
            for land in near:
                if A.names[land] in goals:
                    return Ship(str(ship), str(load), A.names[land])
    return None


def spare(camp: Watch, unit: int) -> bool:
    """Whether a ground unit can go overseas."""
    state, space = camp.state, camp.state.space[unit]
    if K.cls[state.kind[unit]] != GROUND or K.stack[state.kind[unit]] > 1 or not A.is_land[space]:
        return False
    if space in camp.wanted:
        return camp.held(space, unit) >= camp.wanted[space]
    return camp.threats.get(space, 0.0) < _UNSAFE
