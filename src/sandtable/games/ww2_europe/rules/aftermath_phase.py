"""After a battle: retreats, who takes the ground, what counts for initiative, the depot of a landing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sandtable.core import Choices, Offer, OneOf, Step
from sandtable.core.columns import put
from sandtable.core.offers import Field

from ..facts.control import control_group, control_side, is_friendly, speaker
from ..facts.whereabouts import cargo, ground_of_side, has_ground
from ..model.actions import ChooseFront, Done, PlaceDepot, TakeControl
from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.events import BattleEnded, Noted, Withdrew
from ..model.kinds import AIR, GROUND
from ..model.state import AMPHIBIOUS, CUT_OFF, DROPPED, HOME_BOUND, LAUNCHED, MOVED, RETREATED, M, added
from ..model.units import mark, put_aboard
from .homecoming_phase import ON_DECK, closest_bases, home_is_open, send_home
from .land import capture
from .leaders_phase import drop_ships, kill_leaders, retreat_leaders
from .stacking import ground_room, stack_sum
from .strength import is_surprised
from .terrain import can_stand
from .units import place

if TYPE_CHECKING:
    from .battle_phase import Battle

A = ATLAS
K = ATLAS.kinds


def stuck(m: M, units: Sequence[int], space: int, blitz: bool, *, cut_off_only: bool = False) -> bool:
    """Whether some of these units cannot retreat.  [w2e-cutoff-retreat] [w2e-surprise-retreat] [w2e-amphibious]"""
    state = m.state
    for unit in units:
        flags = state.flags[unit]
        if flags & CUT_OFF:
            return True
        if not cut_off_only and (flags & AMPHIBIOUS or is_surprised(state, unit, space, blitz)):
            return True
    return False


def retreat_spaces(m: M, units: Sequence[int], space: int, attacking: bool, blitz: bool, sea: bool) -> list[str]:
    """Where a side may retreat; '' where only ships and planes would go.

    [w2e-retreat-ground] [w2e-retreat-air-naval] [w2e-retreat-started-there]
    """
    state = m.state
    if not units or stuck(m, units, space, blitz and not attacking):
        return []
    for unit in units:
        lives_here = K.cls[state.kind[unit]] != GROUND and state.home[unit] == space and state.space[unit] >= 0
        if lives_here and not closest_bases(m, unit, space):
            return []
    ground = [u for u in units if K.cls[state.kind[u]] == GROUND]
    if sea or not ground:
        return [""]
    side, power = A.side[state.power[ground[0]]], state.power[ground[0]]
    need = stack_sum(state, ground)
    near = {there for there, _, _ in A.land_links[space]}
    if attacking:
        near &= {state.came[u] for u in ground}
    return [
        A.names[s] for s in sorted(near)
        if is_friendly(state, s, power) and control_group(state, s) == A.group[power]
        and not has_ground(state, s, 1 - side) and ground_room(state, s, side) >= need
        and all(can_stand(state.kind[u], s) for u in ground)
    ]  # fmt: skip


def retreat_units(m: M, battle: Battle, side: int, units: Sequence[int], to: str) -> None:
    """Carry out a retreat."""
    state = m.state
    for unit in units:
        mark(state, unit, RETREATED | HOME_BOUND)
        if K.cls[state.kind[unit]] == GROUND:
            place(state, unit, A.index[to])
            state.came = put(state.came, unit, NOBODY)
        else:
            send_home(m, unit, battle.space)
    if to:
        retreat_leaders(m, battle.space, side, A.index[to])
    m.emit(Withdrew(side=f"@{SIDES[side]}", space=f"@{A.names[battle.space]}", to=f"@{to}" if to else "@home"))


def launch_deck(m: M, units: Sequence[int]) -> list[int]:
    """Planes of a carrier that was caught with them aboard join after the first round.

    [w2e-unit-carrier-extended]
    """
    state = m.state
    found = []
    for ship in units:
        if state.space[ship] >= 0 and state.kind[ship] == K.carrier and not state.damage[ship]:
            for plane in cargo(state, ship):
                if K.cls[state.kind[plane]] == AIR:
                    put_aboard(state, plane, NOBODY)
                    state.home = put(state.home, plane, ON_DECK - ship)
                    mark(state, plane, LAUNCHED | MOVED)
                    found.append(plane)
    return found


def count_win(m: M, front: int, side: int) -> None:
    """A battle won counts for the initiative of its front."""
    place = 2 * front + side
    m.state.wins = added(m.state.wins, place, 1)


def conclude(m: M, battle: Battle, winner: int) -> None:
    """The battle is over."""
    state = m.state
    m.emit(BattleEnded(space=f"@{A.names[battle.space]}", winner=f"@{SIDES[winner]}" if winner >= 0 else "@nobody"))
    for side, units in ((battle.attacker, battle.att), (1 - battle.attacker, battle.dfn)):
        if not any(state.space[u] >= 0 and u not in battle.doomed for u in units):
            kill_leaders(m, battle.space, side)
    drop_ships(m)
    if winner >= 0 and battle.counts:
        fronts = A.front_of[battle.space]
        declared = [state.front_choice[u] for u in battle.dfn if u in state.front_choice]
        if len(fronts) == 1 or declared:
            front = declared[0] if len(fronts) > 1 else fronts[0]
            count_win(m, front, winner)
        else:
            m.push(PickFront(battle.space, battle.attacker, winner))
    if not battle.sea and winner == battle.attacker:
        _take_ground(m, battle)


def _take_ground(m: M, battle: Battle) -> None:
    """The attacker's ground units take the space.  [w2e-stage3-depot] [w2e-amphibious-depot]"""
    state, space = m.state, battle.space
    there = ground_of_side(state, space, battle.attacker)
    if not there:
        return
    shares: dict[int, int] = {}
    for unit in there:
        shares[state.power[unit]] = shares.get(state.power[unit], 0) + K.stack[state.kind[unit]]
    best = [power for power, share in shares.items() if share == max(shares.values())]
    every = [u for u in battle.att if K.cls[state.kind[u]] == GROUND and state.space[u] == space]
    amphibious = battle.landing and all(state.flags[u] & (AMPHIBIOUS | DROPPED) for u in every)
    if amphibious:
        state.landed_on = put(state.landed_on, space, best[0])
        m.push(DepotChoice(space, battle.attacker))
    if control_side(state, space) == battle.attacker:
        return
    if len(best) > 1:
        m.push(ControlChoice(space, battle.attacker, tuple(best)))
    else:
        capture(m, space, best[0])


class ControlChoice(Step, frozen=True, tag="control-choice"):
    """Several powers took a space together with equal strength: their side says who controls it.

    [w2e-control-rights]
    """

    rule = "w2e-control-rights"
    space: int
    side: int
    powers: tuple[int, ...]

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[speaker(m.state, self.side)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(TakeControl, Field("power", "role", OneOf([A.powers[p] for p in self.powers])), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        m.pop()
        capture(m, self.space, A.power_index[action.power])


class DepotChoice(Step, frozen=True, tag="depot-choice"):
    """After an all-amphibious capture a supply depot may be placed.  [w2e-depot-placement] [w2e-stage3-depot]"""

    rule = "w2e-depot-placement"
    space: int
    side: int

    def owners(self, m: M) -> list[int]:
        state = m.state
        there = {state.power[u] for u in ground_of_side(state, self.space, self.side)}
        return [p for p in A.side_powers[self.side] if p in there and state.depots[p] > 0]

    def run(self, m: M) -> None:
        if not self.owners(m) or m.state.depot[self.space]:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[self.owners(m)[0]],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = [A.powers[p] for p in self.owners(m)]
        return [
            Offer(PlaceDepot, Field("power", "role", OneOf(names)), rule=self.rule),
            Choices([Done()], rule=self.rule),
        ]

    def take(self, m: M, role: str, action: Any) -> None:
        m.pop()
        if isinstance(action, PlaceDepot):
            owner = A.power_index[action.power]
            m.state.depots = added(m.state.depots, owner, -1)
            m.state.depot = put(m.state.depot, self.space, 1)
            m.emit(Noted(note="@note-depot", power=f"@{action.power}", place=f"@{A.names[self.space]}"))


class PickFront(Step, frozen=True, tag="pick-front"):
    """A battle in a two-front port counts for the front its attacker names.  [w2e-initiative-fronts]"""

    rule = "w2e-initiative-fronts"
    space: int
    attacker: int
    winner: int

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[speaker(m.state, self.attacker)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        fronts = [A.fronts[f] for f in A.front_of[self.space]]
        return [
            Offer(
                ChooseFront, Field("unit", "choice", OneOf([A.names[self.space]])),
                Field("front", "choice", OneOf(fronts)), rule=self.rule,
            )
        ]  # fmt: skip

    def take(self, m: M, role: str, action: Any) -> None:
        m.pop()
        count_win(m, A.front_index[action.front], self.winner)


__all__ = [
    "ControlChoice", "DepotChoice", "PickFront", "conclude", "home_is_open", "launch_deck", "retreat_spaces",
    "retreat_units", "stuck",
]  # fmt: skip
