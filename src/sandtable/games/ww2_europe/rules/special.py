"""Option Special Forces, the parts that act in Redeployment: port attacks, Channel Dash; and leaders' journeys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf
from sandtable.core.columns import put

from ..facts.control import is_friendly
from ..facts.names import unit_name, unit_of
from ..facts.roster import units_of_power
from ..facts.sea_control import voyages
from ..facts.whereabouts import cargo, ships_at
from ..model.actions import Dash, MoveLeader, PortAttack
from ..model.atlas import ATLAS, NOBODY
from ..model.events import Hit, Lost, Noted
from ..model.kinds import NAVAL
from ..model.state import DASH, SPENT, M, added
from ..model.units import mark, mark_all
from .air import air_distances
from .homecoming import lift_off
from .homecoming_phase import send_home
from .leaders import ABOARD, TRAVELLED, drop_ships
from .units import remove

A = ATLAS
K = ATLAS.kinds
FORCES = (("great_britain", "sneak_attack", "sneak-attack", "w2e-special-sneak"),
          ("great_britain", "midget_subs", "midget-submarines", "w2e-special-midget"),
          ("italy", "frogmen", "frogmen", "w2e-special-frogmen"))  # fmt: skip
"""Power, entry on its card, option, rule; `once` counts them in this order."""


_FORCES_OF = tuple(tuple(n for n, row in enumerate(FORCES) if row[0] == power) for power in A.powers)
"""Per power which of them are its own."""


def attackers(m: M, number: int) -> list[int]:
    """Return units that could make the attack: a carrier with a fighter aboard, or a submarine, in port."""
    state = m.state
    power_name, force, _, _ = FORCES[number]
    power = A.power_index[power_name]
    ships = [u for u in units_of_power(state, power) if state.space[u] >= 0 and K.cls[state.kind[u]] == NAVAL
             and not state.flags[u] & SPENT]  # fmt: skip
    if force == "sneak_attack":
        return [u for u in ships if state.kind[u] == K.carrier
                and any(K.base[state.kind[p]] == K.fighter for p in cargo(state, u))]  # fmt: skip
    return [u for u in ships if K.submerged[state.kind[u]]]


def victims(m: M, number: int, unit: int) -> list[int]:
    """Return enemy ships in ports that the attack can reach.

    [w2e-special-sneak] [w2e-special-midget] [w2e-special-frogmen]
    """
    state = m.state
    power, side = state.power[unit], A.side[state.power[unit]]
    ways = voyages(state, state.kind[unit], power, state.space[unit])
    if FORCES[number][1] == "sneak_attack":
        planes = [p for p in cargo(state, unit) if K.base[state.kind[p]] == K.fighter]
        reach = max(K.movement[state.kind[p]] for p in planes) // 2
        near = set(air_distances(m, power, ways, reach))
    else:
        near = {there for water in ways for there, _, _ in A.sea_links[water]}
    return [
        u for port in sorted(near) if A.is_port[port]
        for u in ships_at(state, port, 1 - side) if state.status[state.power[u]] == 1
    ]  # fmt: skip


def special_offers(m: M, power: int) -> list[Offer]:
    state = m.state
    offers: list[Offer] = []
    for number in _FORCES_OF[power]:
        _, force, option, rule = FORCES[number]
        if not m.option(option) or state.once[number]:
            continue
        units = [u for u in attackers(m, number) if victims(m, number, u)]
        if units:
            offers.append(_attack_offer(m, number, force, units, rule))
    if power == A.germany and m.option("channel-dash"):
        dashing = {state.kind[u] for u, flags in enumerate(state.flags) if flags & DASH}
        ships = [
            unit_name(state, u) for u in units_of_power(state, power)
            if state.kind[u] in (K.battleship, K.cruiser) and state.kind[u] not in dashing and state.space[u] >= 0
        ]  # fmt: skip
        if ships:
            offers.append(Offer(Dash, Field("unit", "unit", OneOf(ships)), rule="w2e-special-channel-dash"))
    if m.option("leaders"):
        offers += leader_offers(m, power)
    return offers


def _attack_offer(m: M, number: int, force: str, units: Sequence[int], rule: str) -> Offer:
    state = m.state
    return Offer(
        PortAttack,
        Field("force", "choice", OneOf([force])),
        Field("unit", "unit", OneOf([unit_name(state, u) for u in units])),
        Field("target", "unit",
              lambda name, unit: OneOf([unit_name(state, u) for u in victims(m, number, unit_of(state, unit))])),
        rule=rule,
    )  # fmt: skip


def leader_offers(m: M, power: int) -> list[Offer]:
    """Generals go anywhere friendly, admirals to another ship, once each and for nothing.

    [w2e-leaders-ground-move] [w2e-leaders-naval]
    """
    state = m.state
    mine = [
        number for number, (owner, _) in enumerate(A.leaders)
        if owner == power and not state.leader_dead[number] and not state.leader_moved[number] & TRAVELLED
    ]  # fmt: skip
    if not mine:
        return []

    def places(name: str) -> OneOf:
        number = A.leader_names.index(name)
        if A.leaders[number][1]["kind"] == "general":
            return OneOf([A.names[s] for s in A.land if is_friendly(state, s, power)
                          and state.status[state.owner[s]] == 1])  # fmt: skip
        return OneOf([unit_name(state, u) for u in units_of_power(state, power)
                      if K.cls[state.kind[u]] == NAVAL and state.space[u] >= 0])  # fmt: skip

    return [
        Offer(
            MoveLeader, Field("leader", "choice", OneOf([A.leader_names[n] for n in mine])),
            Field("to", "choice", places), rule="w2e-leaders-ground-move",
        )
    ]  # fmt: skip


def special_act(m: M, power: int, action: Any) -> None:
    state = m.state
    if isinstance(action, Dash):
        mark(state, unit_of(state, action.unit), DASH)
        m.emit(Noted(note="@note-dash", power=f"@{A.powers[power]}", place=action.unit))
    elif isinstance(action, MoveLeader):
        number = A.leader_names.index(action.leader)
        state.leader_moved = put(state.leader_moved, number, state.leader_moved[number] | TRAVELLED)
        if "#" in action.to:
            state.leader_ship = put(state.leader_ship, number, unit_of(state, action.to))
            state.leader_space = put(state.leader_space, number, ABOARD)
        else:
            state.leader_space = put(state.leader_space, number, A.index[action.to])
        m.emit(Noted(note="@note-leader", power=f"@{A.powers[power]}", place=f"@{action.to}"))
    else:
        _port_attack(m, power, action)


def _port_attack(m: M, power: int, action: PortAttack) -> None:
    """One die: a hit, or a battleship sunk outright; the attacker does nothing else this phase."""
    state = m.state
    number = next(n for n, row in enumerate(FORCES) if row[1] == action.force)
    row = A.forces[power][action.force]
    state.once = put(state.once, number, 1)
    unit, target = unit_of(state, action.unit), unit_of(state, action.target)
    mark_all(state, (unit, *cargo(state, unit)), SPENT)
    die = m.roll(why=FORCES[number][3])
    if die > int(row["hit_on"]):
        return
    owner = f"@{A.powers[state.power[target]]}"
    sunk = state.kind[target] == K.battleship and die <= int(row["sinks_battleship_on"])
    if not sunk and state.damage[target] + 1 < K.hits[state.kind[target]]:
        state.damage = added(state.damage, target, 1)
        m.emit(Hit(unit=action.target, power=owner))
        for plane in lift_off(m, target):
            send_home(m, plane, NOBODY)
        return
    m.emit(Lost(unit=action.target, power=owner, why=FORCES[number][3]))
    remove(state, target)
    drop_ships(m)
