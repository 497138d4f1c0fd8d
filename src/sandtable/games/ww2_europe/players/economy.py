"""Money: what is bought, where it is placed, which convoys are kept full, what is studied."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, fsum
from random import Random

from sandtable.core import Action, Offers

from ..facts.control import is_friendly
from ..facts.convoys import ROOM, capacity, convoy_name, crew, end_ports, route_ports, transports
from ..facts.names import unit_name
from ..facts.roster import roster
from ..facts.supply_net import supply_net
from ..facts.whereabouts import planes_at
from ..model.actions import (
    Buy,
    BuyDepot,
    BuyFortress,
    BuyPoint,
    Done,
    Give,
    JoinConvoy,
    Place,
    Repair,
    Research,
    SetAside,
    StartConvoy,
)
from ..model.atlas import ATLAS
from ..model.kinds import AIR, GROUND
from ..model.state import AT_WAR, BOX, M, W2State
from ..rules.build_phase import Building
from ..rules.buy import buy_refusal
from ..rules.collect import GIFT, gift_room, homes, worth
from ..rules.convoys import join_cost
from ..rules.stacking import air_limit, stack_sum
from .aims import taken
from .campaign import Campaign
from .choices import field_values, may, pacific_share
from .sight import Sight

A = ATLAS
K = ATLAS.kinds
_SHOPPING: dict[str, dict[str, int]] = {
    "germany": {"infantry": 10, "tank": 5, "tac_bomber": 4, "artillery": 3, "fighter": 2, "mech": 2},
    "italy": {"infantry": 10, "artillery": 3, "tac_bomber": 2, "tank": 2, "fighter": 2},
    "france": {"infantry": 12, "artillery": 4, "fighter": 2, "tac_bomber": 2},
    "great_britain": {"infantry": 8, "artillery": 2, "tac_bomber": 3, "fighter": 2, "transport": 2, "destroyer": 1},
    "usa": {"infantry": 5, "tank": 4, "tac_bomber": 4, "transport": 3, "artillery": 2},
    "ussr": {"infantry": 16, "artillery": 4, "tank": 2, "tac_bomber": 1, "fighter": 1},
}
"""What each power buys, in shares."""
_KINDS = {name: [k for k, base in enumerate(K.base) if base == K.index[name]] for name in K.names}
"""A kind of unit and those that are better ones of it."""
_STUDIES: dict[str, tuple[str, ...]] = {
    "germany": ("tanks", "u_boats", "jets", "radar", "rockets"),
    "italy": ("tanks", "radar", "sonar"),
    "france": ("tanks", "radar", "sonar"),
    "great_britain": ("sonar", "radar", "heavy_bombers", "code_breaking", "long_range_aircraft"),
    "usa": ("atomic_bomb", "long_range_aircraft", "heavy_bombers", "tanks", "sonar"),
    "ussr": ("tanks", "jets", "radar"),
}
_RICH, _POINTS = 60, 8
"""Money beyond which, and Redeployment Points below which, another point is bought."""
_PRESSED = 1.0
"""The threat, in hits a round, against which walls are built."""
_WORTH_A_LINE = 3
"""Dollars overseas for which a new convoy is drawn."""
_ESCORTS = 2
"""Destroyers that a convoy should have."""
_HELPED = (A.ussr, A.britain)
"""Who is given money, the neediest first: what is bought at the front needs no ship to get there."""
_PURSE, _GIFT_WORTH = 40, 10
"""Dollars from which on an ally is helped, and less than which is no help."""


def purchase(
    m: M, power: int, offers: Offers, rng: Random, shopping: dict[str, dict[str, int]] | None = None,
    pacific: Callable[[W2State], int] = pacific_share,
) -> Action:  # fmt: skip
    """Repairs first, then units by the power's list as long as the money lasts."""
    state = m.state
    if offers[SetAside]:
        share = pacific(state)
        if share > 0:
            return SetAside(share)
    if may(offers, Repair):
        return Repair(max(field_values(offers, Repair), key=lambda s: (A.value[A.index[s]], s)))
    if not may(offers, Buy):
        return Done()
    if (
        may(offers, BuyDepot)
        and power in (A.britain, A.usa)
        and not state.depots[power]
        and state.status[A.usa] == AT_WAR
    ):
        return BuyDepot()
    if may(offers, BuyFortress):
        site = worst_place(Sight(m, power), field_values(offers, BuyFortress))
        if site is not None:
            return BuyFortress(site)
    if may(offers, BuyPoint) and state.money[power] >= _RICH and state.rps[power] < _POINTS:
        return BuyPoint()
    shares: dict[str, int] = {}
    for name, share in (shopping or _SHOPPING)[A.powers[power]].items():
        able = [k for k in _KINDS[name] if buy_refusal(m, power, k, False) is None]
        if able:
            shares[K.names[max(able, key=lambda k: (K.combat[k], K.vs_air[k], -K.cost[k]))]] = share
    if not shares:
        return Done()
    kind = rng.choices(list(shares), list(shares.values()))[0]
    return Buy(kind, buy_refusal(m, power, K.index[kind], True) is None)


def worst_place(sight: Sight, sites: list[str]) -> str | None:
    """Return where walls are needed most: in front of the enemy, or in a capital that the enemy comes near to."""
    best, found = 0.0, None
    for name in sites:
        space = A.index[name]
        near = sight.threat.get(space, 0.0)
        if space in A.capital:
            near += fsum(sight.threat.get(there, 0.0) for there, _, _ in A.land_links[space])
        need = near * sight.keep(space)
        if near >= _PRESSED and sight.ground[sight.side].get(space) and need > best:
            best, found = need, name
    return found


def place(m: M, power: int, step: Building, camp: Campaign) -> Action:
    """A finished unit goes where it is of most use."""
    state = m.state
    unit = step.placeable(m, power)[0]
    spaces = step.places(m, unit)
    what = K.cls[state.kind[unit]]

    def score(space: int) -> float:
        if what == GROUND:
            return camp.score(unit, space)
        if what == AIR:
            room = air_limit(state, space) - stack_sum(state, planes_at(state, space, camp.side))
            return camp.shelter(unit, space) - (100.0 if room < K.stack[state.kind[unit]] else 0.0)
        land = space if A.is_land[space] else A.land_of_port[space]
        return A.value[land] - 10 * camp.threats.get(land, 0.0)

    return Place(unit_name(state, unit), A.names[max(spaces, key=lambda s: (score(s), -s))])


def research(m: M, power: int, offers: Offers) -> Action:
    """Return what is wanted first, and of that what is nearest to be found."""
    state, wanted = m.state, _STUDIES[A.powers[power]]

    def key(tech: str) -> tuple[float, str]:
        place = wanted.index(tech) if tech in wanted else len(wanted) + 1
        return (state.tech[power][A.tech_index[tech]] - 12.0 * place, tech)

    return Research(max(field_values(offers, Research), key=key))


# ---- convoys ---------------------------------------------------------------------------------------------------------
def hungry(m: M, power: int) -> dict[int, int]:
    """Return the Stack Points of a power's troops per part of the land overseas that has no supply of its own."""
    state, found = m.state, dict[int, int]()
    network, home = supply_net(state, A.group[power]), homes(m, power)
    flags = {network.part[A.capital[p]] for p in A.group_powers[A.group[power]] if state.owner[A.capital[p]] == p}
    for unit in roster(state).ground[power]:
        space = state.space[unit]
        part = network.part[space] if space >= 0 and A.is_land[space] else -1
        if part >= 0 and part not in home and part not in flags and A.homeland[space] >= 0:
            found[part] = found.get(part, 0) + K.stack[state.kind[unit]]
    return found


def idle_ships(m: M, power: int, kind: int) -> list[int]:
    """Return a power's ships of a kind that lie in ports without cargo."""
    state = m.state
    return [
        u for u in roster(state).naval[power]
        if state.kind[u] == kind and state.space[u] >= 0 and A.land_of_port[state.space[u]] >= 0
        and u not in state.cargo_of
    ]  # fmt: skip


def overseas_income(m: M, power: int) -> dict[int, int]:
    """Return the dollars of a power's land overseas, per part of the land."""
    state, found = m.state, dict[int, int]()
    network, home = supply_net(state, A.group[power]), homes(m, power)
    for space in A.land:
        part = network.part[space]
        if state.owner[space] == power and part >= 0 and part not in home and worth(state, space):
            found[part] = found.get(part, 0) + worth(state, space)
    return found


def line_room(m: M, power: int) -> dict[int, int]:
    """Return what the convoys of a power's group can carry, per part of the land at which they call."""
    state, found = m.state, dict[int, int]()
    network = supply_net(state, A.group[power])
    for line in state.convoys:
        for part in network.calls.get(line.number, ()):
            found[part] = found.get(part, 0) + capacity(state, line)
    return found


def lines_missing(m: M, power: int) -> int:
    """Return how many transports more would bring the income from overseas home."""
    room = line_room(m, power)
    return sum(
        max(0, ceil((dollars - room.get(part, 0)) / ROOM)) for part, dollars in overseas_income(m, power).items()
    )


def convoy(m: M, power: int, offers: Offers, wanted: dict[int, int] | None = None, reserve: int = 0) -> Action:
    """Idle transports fill the lines that carry less than there is to fetch; without a line one is drawn.

    With `wanted` only what is named there is looked after: the load per part of the land. While a line sails a reserve
    stays at home, and any ship may be in it: a line may be open from one port and shut from another.
    """
    state = m.state
    network = supply_net(state, A.group[power])
    overseas = overseas_income(m, power) if wanted is None else wanted
    room, ships = line_room(m, power), idle_ships(m, power, K.transport)
    at_home = [u for u in ships if A.homeland[A.land_of_port[state.space[u]]] == power]
    if len(at_home) <= reserve and any(line.power == power for line in state.convoys):
        ships = [u for u in ships if u not in at_home]
    for part, dollars in sorted(overseas.items(), key=lambda pair: -pair[1]):
        if dollars <= room.get(part, 0):
            continue
        for unit in ships if offers[JoinConvoy] else ():
            for line in state.convoys:
                serves = line.power == power and part in network.calls.get(line.number, ())
                if serves and join_cost(m, unit, end_ports(state, line)) >= 0:
                    return JoinConvoy(unit_name(state, unit), convoy_name(line.number))
        if offers[StartConvoy] and not room.get(part, 0) and dollars >= _WORTH_A_LINE:
            found = new_line(m, power, offers, part, ships, both=wanted is not None or reserve > 0)
            if found is not None:
                return found
    return Done()


def escort(m: M, power: int, offers: Offers) -> Action | None:
    """A destroyer in reach joins a line of the own power that sails with fewer than it should."""
    state = m.state
    for line in state.convoys if offers[JoinConvoy] else ():
        if line.power != power or escorts(m, line.number) >= _ESCORTS:
            continue
        able = [(join_cost(m, u, end_ports(state, line)), u) for u in idle_ships(m, power, K.index["destroyer"])]
        able = [(cost, u) for cost, u in able if cost == 0 or (cost > 0 and not escorts(m, line.number))]
        for _, unit in sorted(able):
            action = JoinConvoy(unit_name(state, unit), convoy_name(line.number))
            if offers.refuse(action) is None:
                return action
    return None


def escorts(m: M, number: int) -> int:
    """Return how many warships sail in a convoy."""
    return len(crew(m.state, number)) - transports(m.state, number)


def is_bare(m: M, power: int) -> bool:
    """Whether a convoy of a power sails without a warship: a point that is kept brings one from another port."""
    return any(line.power == power and not escorts(m, line.number) for line in m.state.convoys)


def escorts_missing(m: M, power: int) -> int:
    """Return how many destroyers are lacking for the own lines; those count that are being built or can join one."""
    state = m.state
    lines = [line for line in state.convoys if line.power == power]
    ends = [end_ports(state, line) for line in lines]
    free = sum(
        state.space[u] <= BOX or (state.space[u] >= 0 and any(join_cost(m, u, ports) >= 0 for ports in ends))
        for u in roster(state).naval[power] if state.kind[u] == K.index["destroyer"]
    )  # fmt: skip
    return sum(max(0, _ESCORTS - escorts(m, line.number)) for line in lines) - free


# ---- aid -------------------------------------------------------------------------------------------------------------
def aid_line(m: M, power: int, offers: Offers) -> Action | None:
    """A convoy with as many transports as a gift takes sails to a port of the first ally that one can get to."""
    state, ships = m.state, idle_ships(m, power, K.transport)
    for ally in _HELPED:
        if state.status[ally] != AT_WAR or taken(state, ally):
            continue
        goals = [p for p in A.ports if state.owner[A.land_of_port[p]] == ally == A.homeland[A.land_of_port[p]]]
        for line in state.convoys:
            if line.power != power or not set(goals) & set(route_ports(line)):
                continue
            if capacity(state, line) < GIFT and offers[JoinConvoy]:
                joining = [u for u in ships if join_cost(m, u, end_ports(state, line)) == 0]
                return JoinConvoy(unit_name(state, joining[0]), convoy_name(line.number)) if joining else None
            return None
        own = [p for p in A.ports if A.homeland[A.land_of_port[p]] == power]
        ends = {power: goals, ally: own}
        for origin, unit in {state.space[u]: u for u in ships}.items() if offers[StartConvoy] else ():
            for goal in ends.get(A.homeland[A.land_of_port[origin]], ()):
                action = StartConvoy(unit_name(state, unit), A.names[origin], A.names[goal], "")
                if offers.refuse(action) is None:
                    return action
    return None


def aid(m: M, power: int, offers: Offers) -> Action | None:
    """What goes to an ally of a purse that is not empty."""
    for ally in _HELPED if offers[Give] and m.state.money[power] >= _PURSE else ():
        room = gift_room(m, power, ally)
        if room >= _GIFT_WORTH:
            return Give(A.powers[ally], room)
    return None


def new_line(m: M, power: int, offers: Offers, part: int, ships: list[int], *, both: bool) -> Action | None:
    """Return a line from a home port with an idle transport to a port of that land; with `both` also the other way."""
    state, network = m.state, supply_net(m.state, A.group[power])
    home = homes(m, power)
    ports = [p for p in A.ports if is_friendly(state, p, power)]
    abroad = [p for p in ports if network.part[A.land_of_port[p]] == part]
    at_home = [p for p in ports if network.part[A.land_of_port[p]] in home] if both else []
    for unit in ships if state.status[power] == AT_WAR else ():
        origin = state.space[unit]
        here = network.part[A.land_of_port[origin]]
        for goal in abroad if here in home else at_home if here == part else ():
            action = StartConvoy(unit_name(state, unit), A.names[origin], A.names[goal], "")
            if offers.refuse(action) is None:
                return action
    return None
