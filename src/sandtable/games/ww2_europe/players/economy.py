"""Money: what is bought, where it is placed, which convoys are kept full, what is studied."""

from __future__ import annotations

from collections.abc import Callable
from math import fsum
from random import Random

from sandtable.core import Action, Offers

from ..facts.control import is_friendly
from ..facts.convoys import capacity, convoy_name, end_ports
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
    JoinConvoy,
    Place,
    Repair,
    Research,
    SetAside,
    StartConvoy,
)
from ..model.atlas import ATLAS
from ..model.kinds import AIR, GROUND
from ..model.state import AT_WAR, M, W2State
from ..rules.build_phase import Building
from ..rules.buy import buy_refusal
from ..rules.collect import homes, worth
from ..rules.convoys import join_cost
from ..rules.stacking import air_limit, stack_sum
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
        better = [k for k in range(len(K.names)) if K.base[k] == K.index[name]]
        able = [k for k in better if buy_refusal(m, power, k, False) is None]
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


def convoy(m: M, power: int, offers: Offers, wanted: dict[int, int] | None = None) -> Action:
    """Idle transports fill the lines that carry less than there is to fetch; without a line one is drawn.

    With `wanted` only what is named there is looked after: the load per part of the land.
    """
    state = m.state
    network, home = supply_net(state, A.group[power]), homes(m, power)
    overseas: dict[int, int] = dict(wanted or {})
    for space in A.land if wanted is None else ():
        part = network.part[space]
        if state.owner[space] == power and part >= 0 and part not in home and worth(state, space):
            overseas[part] = overseas.get(part, 0) + worth(state, space)
    room: dict[int, int] = {}
    for line in state.convoys:
        for part in network.calls.get(line.number, ()):
            room[part] = room.get(part, 0) + capacity(state, line)
    ships = [
        u for u in roster(state).naval[power]
        if state.kind[u] == K.transport and state.space[u] >= 0 and A.land_of_port[state.space[u]] >= 0
        and u not in state.cargo_of
    ]  # fmt: skip
    for part, dollars in sorted(overseas.items(), key=lambda pair: -pair[1]):
        if dollars <= room.get(part, 0):
            continue
        for unit in ships if offers[JoinConvoy] else ():
            for line in state.convoys:
                serves = line.power == power and part in network.calls.get(line.number, ())
                if serves and join_cost(m, unit, end_ports(state, line)) >= 0:
                    return JoinConvoy(unit_name(state, unit), convoy_name(line.number))
        if offers[StartConvoy] and not room.get(part, 0) and dollars >= _WORTH_A_LINE:
            found = new_line(m, power, offers, part, ships)
            if found is not None:
                return found
    return Done()


def new_line(m: M, power: int, offers: Offers, part: int, ships: list[int]) -> Action | None:
    """Return a line from a home port with an idle transport to a port of that land."""
    state, network = m.state, supply_net(m.state, A.group[power])
    home = homes(m, power)
    goals = [p for p in A.ports if network.part[A.land_of_port[p]] == part and is_friendly(state, p, power)]
    for unit in ships:
        origin = state.space[unit]
        if network.part[A.land_of_port[origin]] not in home or state.status[power] != AT_WAR:
            continue
        for goal in goals:
            action = StartConvoy(unit_name(state, unit), A.names[origin], A.names[goal], "")
            if offers.refuse(action) is None:
                return action
    return None
