"""The end of a turn: limits, the pact, surrender, the Pacific money, victory, and the next turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.columns import put
from sandtable.core.offers import Field

from ..facts.control import control_side, spokesman
from ..facts.lanes import LAND, PORTS, spaces_in
from ..facts.names import names_of, unit_name, unit_of
from ..facts.roster import filled
from ..facts.strongpoints import airfields, country_of, flag_at
from ..facts.supply_net import supply_net
from ..facts.whereabouts import planes_at, ships_at, whereabouts
from ..facts.winter import is_winter
from ..model.actions import Scrap
from ..model.atlas import ATLAS, MAJOR_FLAG, MINOR_FLAG, NEUTRAL, NO_FLAG, NOBODY
from ..model.events import Lost, Noted
from ..model.kinds import AIR, GROUND, NAVAL
from ..model.state import AT_WAR, CUT_OFF, PER_TURN, M, added
from .armistice_phase import free_vichy, may_linger
from .homecoming_phase import ReturnHome
from .pact import check_pact
from .stacking import air_limit, port_limit
from .supply_phase import SupplyCheck
from .surrender_phase import Surrenders
from .units import remove
from .victory import check_victory

A = ATLAS
K = ATLAS.kinds
PACIFIC = A.rules["usa_pacific"]
_ROOM = min(int(A.limit[name]) for name in ("naval_port", "air", "air_minor_flag", "fortress_air", "airbase_air"))
_FEW = _ROOM // max(points for points, what in zip(K.stack, K.cls, strict=True) if what in (AIR, NAVAL))
"""Stack Points, and units, for which every port and every airfield has room."""


class EndTurn(Step, frozen=True, tag="end-turn"):
    """Everything that is tested at the end of a turn, in order.  [w2e-turn-season]"""

    rule = "w2e-turn-season"

    def run(self, m: M) -> None:
        settle_homes(m)
        m.replace(SupplyCheck(True), Depots(), PactTest(), Surrenders(), ReturnHome(), StackLimits(), LastThings())


def settle_homes(m: M) -> None:
    """Where a unit stands now is where it begins the next turn."""
    state = m.state
    # who is off the board keeps the home they had
    state.home = tuple([space if space >= 0 else home for space, home in zip(state.space, state.home, strict=True)])


class Depots(Step, frozen=True, tag="depots"):
    """A depot goes when a regular source of supply can be reached.  [w2e-depot-placement]"""

    rule = "w2e-depot-placement"

    def run(self, m: M) -> None:
        state = m.state
        m.pop()
        for space in A.land:
            if not state.depot[space]:
                continue
            owner = state.owner[space]
            part = supply_net(state, A.group[owner]).part
            for source in A.land:
                near = part[source] == part[space] >= 0
                flag = flag_at(state, source) if near else NO_FLAG
                minor = flag == MINOR_FLAG and country_of(state, source) == country_of(state, space)
                if flag == MAJOR_FLAG or minor:
                    state.depot = put(state.depot, space, 0)
                    m.emit(Noted(note="@note-depot-removed", power=f"@{A.powers[owner]}", place=f"@{A.names[space]}"))
                    break


class PactTest(Step, frozen=True, tag="pact-test"):
    rule = "w2e-pact-soviet"

    def run(self, m: M) -> None:
        m.pop()
        check_pact(m)
        free_vichy(m)


class StackLimits(Step, frozen=True, tag="stack-limits"):
    """Planes and ships beyond what a base holds are destroyed by their owner's choice.

    [w2e-stack-air] [w2e-stack-naval] [w2e-port-regular-capacity] [w2e-air-general]
    """

    rule = "w2e-stack-air"

    def crowded(self, m: M) -> list[int]:
        """Units of the first base that holds too many."""
        state, where, fields = m.state, whereabouts(m.state), airfields(m.state)
        rows = where.rows
        found: list[tuple[int, int]] = []
        for side in (0, 1):
            planes, ships = where.planes(side) & LAND, where.ships(side) & PORTS
            full = [
                s for s in spaces_in(planes & fields) if len(rows[s]) > _FEW and where.plane_points(s, side) > _ROOM
            ]
            full += spaces_in(planes & ~fields)
            found += [(s, side) for s in full if where.plane_points(s, side) > air_limit(state, s)]
            full = [s for s in spaces_in(ships) if len(rows[s]) > _FEW and where.ship_points(s, side) > _ROOM]
            found += [(s, side) for s in full if where.ship_points(s, side) > port_limit(state, s)]
        if not found:
            return []
        space, side = min(found)
        return planes_at(state, space, side) if A.is_land[space] else ships_at(state, space, side)

    def run(self, m: M) -> None:
        if not self.crowded(m):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        units = self.crowded(m)
        return (A.powers[spokesman(m.state, units, A.side[m.state.power[units[0]]])],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Scrap, Field("unit", "unit", OneOf(list(names_of(m.state, self.crowded(m))))), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        state = m.state
        unit = unit_of(state, action.unit)
        rule = "w2e-stack-air" if K.cls[state.kind[unit]] == AIR else "w2e-stack-naval"
        m.emit(Lost(unit=action.unit, power=f"@{A.powers[state.power[unit]]}", why=rule))
        remove(state, unit)
        m.replace(StackLimits())


class LastThings(Step, frozen=True, tag="last-things"):
    """The Pacific, victory, and the turn marker."""

    rule = "w2e-turn-season"

    def run(self, m: M) -> None:
        state = m.state
        pacific_money(m)
        stranded(m)
        if check_victory(m):
            return
        m.pop()
        state.turn += 1
        state.known = tuple(tuple(2 if value else 0 for value in row) for row in state.known)


def stranded(m: M) -> None:
    """Ground units that stand on land no longer theirs (a power fell, a pact moved a border) are lost."""
    state = m.state
    owners, powers = state.owner, state.power
    rows = whereabouts(state).rows
    abroad = [
        u for space in filter(rows.__getitem__, A.land) for u in rows[space]
        if owners[space] != powers[u] and state.cargo_of[u] < 0
    ]  # fmt: skip
    for unit in sorted(abroad):
        space, power = state.space[unit], powers[unit]
        if K.cls[state.kind[unit]] == NAVAL or power == NEUTRAL or state.status[power] != AT_WAR:
            continue
        friendly = control_side(state, space) == A.side[power] and A.group[owners[space]] == A.group[power]
        if not friendly and not (K.cls[state.kind[unit]] == GROUND and may_linger(state, space)):
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[power]}", why="w2e-land-status"))
            remove(state, unit)


def pacific_money(m: M) -> None:
    """The USA's yearly share for the war against Japan.  [w2e-usa-pacific]"""
    state = m.state
    usa = A.usa
    if state.status[usa] == AT_WAR:
        state.pot_turns += 1
    if not is_winter(state) or not state.pot_turns:
        return
    due = min(int(PACIFIC["amount"]), state.pot_turns * int(PACIFIC["pro_rata_per_turn"]))
    missing = max(0, due - state.pot)
    paid = min(missing, state.money[usa])
    state.money = added(state.money, usa, -paid)
    state.debt += 2 * (missing - paid)
    state.pot = state.pot_turns = 0
    m.emit(Noted(note="@note-pacific", power="@usa", number=due - (missing - paid)))


def clear_turn(m: M) -> None:
    """Forget what held for one turn only."""
    state = m.state
    flags = list(state.flags)
    for unit in filled(flags):
        flags[unit] &= ~PER_TURN
        if state.space[unit] >= 0 and K.cls[state.kind[unit]] != GROUND:
            flags[unit] &= ~CUT_OFF
    state.flags = tuple(flags)
    state.came = (NOBODY,) * len(state.came)
    powers = len(A.powers)
    state.rps_used = (0,) * powers
    state.given = (0,) * powers
    state.received = (0,) * powers
    state.rockets_fired = (0,) * powers
    state.landed_on = (-1,) * len(A.names)
    state.attacked = ()
    state.front_choice = {}
    state.rail_in_ussr = 0
    state.leader_moved = (0,) * len(A.leaders)
    state.leader_begin = state.leader_space
    state.commands = {}
    state.start_owner = state.owner
