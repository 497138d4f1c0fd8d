"""The Movement phase: who may move when, and what orders do at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Offer
from sandtable.core.columns import put, put_all

from ..facts.control import active_powers
from ..facts.names import names_of, path_names, shown, unit_name, unit_of
from ..model.actions import Drop, Escort, Ferry, Fly, Launch, MakeRaider, March, MoveLeader, Patrol, Raid, Sail
from ..model.atlas import ATLAS, NOBODY
from ..model.events import Moved, Noted, Ordered
from ..model.state import (
    AT_WAR,
    LAUNCHED,
    ON_DECK,
    ORDER_HUNT,
    ORDER_MOVE,
    ORDER_PATROL,
    RAIDER,
    RAIDING,
    M,
    W2State,
)
from ..model.units import mark, put_aboard, set_out
from .air import (
    drop,
    new_task,
)
from .ferries import ferry_offer
from .land import enter
from .leaders import march_leader, march_offers
from .movement import (
    airborne_offer,
    escort_offer,
    fly_offer,
    group_offer,
    launch_offer,
    make_raider_offer,
    march_offer,
    pact_offer,
    pact_open,
    raid_offer,
    raids_of,
)
from .movers import Movers
from .politics import reinforce_surprise
from .routes import to_indices
from .sea import SHIP_RADIUS, ferry, sea_ways
from .side_step import SideStep
from .units import place, place_all

A = ATLAS
K = ATLAS.kinds


class Movement(SideStep, frozen=True, tag="movement"):
    """One of the three parts of the phase: player A where A has initiative, B everywhere, A where B has it.

    [w2e-movement-order]
    """

    rule = "w2e-movement-order"
    fronts: tuple[int, ...] = ()

    def powers(self, m: M) -> Sequence[int]:
        state, ussr = m.state, A.ussr
        found = active_powers(state, self.side)
        if state.pact and A.side[ussr] == self.side and state.status[ussr] == 0 and pact_open(m):
            return (*found, ussr)
        return found

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        fronts = self.fronts
        if m.state.status[power] != AT_WAR:
            return [pact_offer(m, fronts)]
        movers = Movers(m.state, power, fronts)
        fly, sail, patrol, dive, bomb, escort, ferry, drop = movers.openings()
        raiding, decks = bool(m.option("raiders")), movers.decks
        offers = [march_offer(m, power, movers, fronts)]
        if fly:
            offers.append(fly_offer(m, movers))
        if fly or (bool(movers.patrol) if raiding else patrol):
            offers.append(group_offer(m, power, Patrol, movers))
        if sail:
            offers.append(group_offer(m, power, Sail, movers))
        if dive or bomb or (raiding and movers.hunters):
            offers.append(raid_offer(m, power, movers))
        if escort and any(True for _ in raids_of(m, self.side)):
            offers.append(escort_offer(m, self.side, movers))
        if ferry:
            offers.append(ferry_offer(m, power, movers, fronts))
        if drop:
            offers.append(airborne_offer(m, movers))
        if decks:
            offers.append(launch_offer(m, decks))
        if raiding and power == A.germany:
            offers.append(make_raider_offer(m, movers))
        return offers + march_offers(m, power, fronts)

    def stays(self, m: M, power: int) -> bool:
        return m.state.status[power] == AT_WAR

    def act(self, m: M, power: int, action: Any) -> None:
        if isinstance(action, MoveLeader):
            march_leader(m, power, action)
            return
        state = m.state
        home, chosen = state.home, state.front_choice
        for unit in _ordered(state, action):
            if _ON_TWO_FRONTS[home[unit]] and unit not in chosen:
                allowed = [f for f in A.front_of[home[unit]] if f in self.fronts]
                chosen = state.front_choice = {**chosen, unit: allowed[0]}
        carry_out(m, power, action)


def _ordered(state: W2State, action: Any) -> list[int]:
    """Return the units that an order is for; a transport's ship is not asked for its front."""
    if isinstance(action, (Patrol, Sail)):
        return [unit_of(state, name) for name in action.units]
    return [] if isinstance(action, Ferry) else [unit_of(state, action.unit)]


_ON_TWO_FRONTS = tuple(len(fronts) > 1 for fronts in A.front_of)


def march(m: M, unit: int, path: tuple[int, ...]) -> None:
    """A ground unit marches: it takes all undefended enemy land on its way."""
    state = m.state
    start = state.space[unit]
    set_out(state, [unit])
    state.came = put(state.came, unit, (start, *path)[-2])
    place(state, unit, path[-1])
    for space in path:
        enter(m, unit, space)
        reinforce_surprise(m, unit, space)
    m.emit(Moved(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}", path=path_names(path)))


def _order(m: M, power: int, units: Sequence[int], path: tuple[int, ...], order: int, target: int = -1) -> None:
    state = m.state
    state.task = put_all(state.task, units, new_task(m, A.side[power], order, path, target))
    set_out(state, units)
    place_all(state, units, path[-1])
    m.emit(Ordered(power=f"@{A.powers[power]}", order=("@order-move", "@order-patrol", "@order-hunt")[order],
                   units=names_of(state, units), path=path_names(path)))  # fmt: skip


def carry_out(m: M, power: int, action: Any) -> None:
    """What an order does at once."""
    state = m.state
    if isinstance(action, March):
        march(m, unit_of(state, action.unit), to_indices(action.path))
        return
    if isinstance(action, Ferry):
        ship, load = unit_of(state, action.transport), unit_of(state, action.cargo)
        way = sea_ways(m, power, state.space[ship], SHIP_RADIUS).path(A.index[action.load])
        path = (*way, *to_indices(action.path))
        ferry(m, ship, load, path, A.index[action.to])
        m.emit(Ordered(power=f"@{A.powers[power]}", order="@order-ferry", units=(action.transport, action.cargo),
                       path=shown((*(A.names[s] for s in path), action.to))))  # fmt: skip
        return
    if isinstance(action, (Patrol, Sail)):
        units = [unit_of(state, name) for name in action.units]
        path = (A.index[action.base], *to_indices(action.path))
        _order(m, power, units, path, ORDER_PATROL if isinstance(action, Patrol) else ORDER_MOVE)
        return
    unit = unit_of(state, action.unit)
    if isinstance(action, Fly):
        set_out(state, [unit])
        place(state, unit, A.index[action.path[-1]])
        reinforce_surprise(m, unit, A.index[action.path[-1]])
        m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown(action.path)))
    elif isinstance(action, Launch):
        _launch(m, power, unit, to_indices(action.path))
    elif isinstance(action, Raid):
        target = int(action.target.split()[1]) if action.target.startswith("convoy ") else A.index[action.target]
        _order(m, power, [unit], (state.space[unit], *to_indices(action.path)), ORDER_HUNT, target)
        mark(state, unit, RAIDING)
    elif isinstance(action, Escort):
        set_out(state, [unit], RAIDING)
        place(state, unit, A.index[action.path[-1]])
        m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown(action.path)))
    elif isinstance(action, Drop):
        bomber = unit_of(state, action.bomber) if action.bomber else NOBODY
        drop(m, unit, A.index[action.to], bomber)
        m.emit(Moved(unit=action.unit, power=f"@{A.powers[power]}", path=shown((action.to,))))
    elif isinstance(action, MakeRaider):
        mark(state, unit, RAIDER)
        m.emit(Noted(note="@note-raider", power=f"@{A.powers[power]}", place=action.unit))


def _launch(m: M, power: int, unit: int, path: tuple[int, ...]) -> None:
    """The plane leaves the deck: from now on it is no cargo and flies by itself."""
    state = m.state
    ship = state.cargo_of[unit]
    put_aboard(state, unit, NOBODY)
    state.home = put(state.home, unit, ON_DECK - ship)
    set_out(state, [unit], LAUNCHED)
    if not A.is_land[path[-1]]:
        state.task = put(state.task, unit, new_task(m, A.side[power], ORDER_PATROL, path))
    place(state, unit, path[-1])
    m.emit(Moved(unit=unit_name(state, unit), power=f"@{A.powers[power]}", path=path_names(path)))
