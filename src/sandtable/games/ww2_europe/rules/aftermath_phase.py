"""After a battle: retreats are carried out, the ground is taken, and the side decides what is left open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Step
from sandtable.core.columns import put

from ..facts.control import control_side, speaker
from ..facts.whereabouts import ground_of_side
from ..model.actions import ChooseFront, Done, PlaceDepot, TakeControl
from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.events import Noted, Withdrew
from ..model.kinds import GROUND
from ..model.state import AMPHIBIOUS, DROPPED, HOME_BOUND, RETREATED, M, added
from ..model.units import mark
from .aftermath import count_win
from .homecoming_phase import send_home
from .land import capture
from .leaders import retreat_leaders
from .units import place

A = ATLAS
K = ATLAS.kinds


def retreat_units(m: M, space: int, side: int, units: Sequence[int], to: str) -> None:
    """Carry out a retreat from a space: ground units go to a land space, ships and planes home."""
    state = m.state
    for unit in units:
        mark(state, unit, RETREATED | HOME_BOUND)
        if K.cls[state.kind[unit]] == GROUND:
            place(state, unit, A.index[to])
            state.came = put(state.came, unit, NOBODY)
        else:
            send_home(m, unit, space)
    if to:
        retreat_leaders(m, space, side, A.index[to])
    m.emit(Withdrew(side=f"@{SIDES[side]}", space=A.told[space], to=f"@{to}" if to else "@home"))


def credit_win(m: M, space: int, attacker: int, dfn: Sequence[int], winner: int) -> None:
    """The battle counts for the initiative of its front; in a port on two fronts the attacker may have to name it."""
    fronts, chosen = A.front_of[space], m.state.front_choice
    declared = [chosen[u] for u in dfn if u in chosen]
    if len(fronts) == 1 or declared:
        count_win(m, declared[0] if len(fronts) > 1 else fronts[0], winner)
    else:
        m.push(PickFront(space, attacker, winner))


def take_ground(m: M, space: int, attacker: int, att: Sequence[int], landing: bool) -> None:
    """The attacker's ground units take the space.  [w2e-stage3-depot] [w2e-amphibious-depot]"""
    state = m.state
    there = ground_of_side(state, space, attacker)
    if not there:
        return
    shares: dict[int, int] = {}
    for unit in there:
        shares[state.power[unit]] = shares.get(state.power[unit], 0) + K.stack[state.kind[unit]]
    best = [power for power, share in shares.items() if share == max(shares.values())]
    every = [u for u in att if K.cls[state.kind[u]] == GROUND and state.space[u] == space]
    if landing and all(state.flags[u] & (AMPHIBIOUS | DROPPED) for u in every):
        m.push(DepotChoice(space, attacker))
    if control_side(state, space) == attacker:
        return
    if len(best) > 1:
        m.push(ControlChoice(space, attacker, tuple(best)))
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
