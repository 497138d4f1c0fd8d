"""Options French and Italian Armistice: the offers, and who takes what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Step
from sandtable.core.columns import put

from ..facts.control import active_powers, speaker
from ..facts.names import names_of, unit_of
from ..facts.whereabouts import at, ground_of_side, has_ground
from ..model.actions import Answer, Intern, TakeControl
from ..model.atlas import ATLAS, NEUTRAL, NOBODY, SIDES
from ..model.events import Armistice, WarDeclared
from ..model.kinds import GROUND, NAVAL
from ..model.state import AT_WAR, IN_CONVOY, M
from ..model.units import add_unit
from .armistice import CARD, VICHY_LAND, free_france, italy_must_offer, occupy
from .land import new_owner, raze, set_owner
from .politics import attack_minor
from .stacking import port_limit, stack_sum
from .surrender import strike, surrender
from .units import remove, settle

A = ATLAS
K = ATLAS.kinds

GERMAN_ZONE = tuple(A.index[name] for name in CARD["german_controlled"])

PORTS = tuple(A.index[name] for name in CARD["naval_ports"])


class FrenchOffer(Step, frozen=True, tag="french-offer"):
    """France without Paris at the start of a turn must offer an armistice.  [w2e-armistice-french-offer]"""

    rule = "w2e-armistice-french-offer"

    def run(self, m: M) -> None:
        state = m.state
        due = m.option("french-armistice") and state.status[A.france] == AT_WAR
        if not due or state.owner[A.capital[A.france]] == A.france:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[speaker(m.state, 0)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Choices([Answer(True), Answer(False)], rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        m.pop()
        m.emit(Armistice(power="@france", accepted=action.accept))
        if action.accept:
            make_vichy(m)
        else:
            free_france(m)


def make_vichy(m: M) -> None:
    """Accepted: the German zone, Vichy France as a neutral with its colonies, French ships for the Axis to place.

    [w2e-armistice-french-vichy] [w2e-armistice-french-units] [w2e-armistice-french-leave]
    """
    state = m.state
    germany = A.germany if state.status[A.germany] == AT_WAR else speaker(state, 0)
    for unit, owner in enumerate(state.power):
        if owner == A.france and state.space[unit] >= 0 and K.cls[state.kind[unit]] == NAVAL:
            state.power = put(state.power, unit, NEUTRAL)
        elif owner == A.france and state.space[unit] == IN_CONVOY:
            state.power = put(state.power, unit, NEUTRAL)
            state.convoy = put(state.convoy, unit, NOBODY)
            settle(state, unit, PORTS[0])
    state.convoys = tuple(c for c in state.convoys if c.power != A.france)
    for unit, owner in enumerate(state.power):
        if owner == NEUTRAL and state.space[unit] >= 0:
            for load in [u for u, ship in enumerate(state.cargo_of) if ship == unit]:
                remove(state, load)
    strike(m, A.france)
    for space in GERMAN_ZONE:
        _inherit(m, space, germany)
    state.lost_flag = put(state.lost_flag, A.capital[A.france], 1)
    state.vichy = True
    state.patron = put(state.patron, A.vichy, NOBODY)
    for space in VICHY_LAND:  # all of it, whoever holds it now
        set_owner(m, space, NEUTRAL)
        state.start_owner = put(state.start_owner, space, NEUTRAL)
        raze(state, space)
        state.lost_flag = put(state.lost_flag, space, 0)
    for space in A.land:  # what France had conquered goes the way of a surrender
        if state.owner[space] == A.france:
            _inherit(m, space, germany)
    for colony in A.colonies:
        state.patron = put(state.patron, colony, NOBODY)
    for place, stack in CARD["units"].items():
        for name, count in stack.items():
            for _ in range(count):
                add_unit(state, K.index[name], NEUTRAL, A.index[place])
    m.push(PlaceFrenchShips())


def _inherit(m: M, space: int, germany: int) -> None:
    """French land passes to an ally who stands there alone as it is, else to Germany as if captured.

    [w2e-armistice-french-leave] [w2e-control-ally-colour]
    """
    allies = [m.state.power[unit] for unit in ground_of_side(m.state, space, 1)]
    heir = min(allies) if allies and not has_ground(m.state, space, 0) else germany
    if A.side[m.state.owner[space]] != A.side[heir]:
        raze(m.state, space)
    set_owner(m, space, new_owner(m.state, space, heir))


class PlaceFrenchShips(Step, frozen=True, tag="french-ships"):
    """The Axis spreads the French ships over three ports.  [w2e-armistice-french-units]"""

    rule = "w2e-armistice-french-units"
    placed: tuple[int, ...] = ()

    def ships(self, m: M) -> list[int]:
        state = m.state
        return [
            u for u, owner in enumerate(state.power)
            if owner == NEUTRAL and K.cls[state.kind[u]] == NAVAL and state.space[u] >= 0 and u not in self.placed
        ]  # fmt: skip

    def run(self, m: M) -> None:
        if not self.ships(m):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[speaker(m.state, 0)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        ships = OneOf(list(names_of(m.state, self.ships(m))))

        def ports(ship: str) -> OneOf:
            return OneOf([A.names[port] for port in self.ports(m, unit_of(m.state, ship))])

        return [Offer(Intern, Field("unit", "unit", ships), Field("port", "space", ports), rule=self.rule)]

    def ports(self, m: M, ship: int) -> list[int]:
        """Return the Vichy ports with room for a ship, or all of them where none has any.  [w2e-stack-naval]"""
        state = m.state
        held = [p for p in PORTS if state.owner[A.land_of_port[p]] == NEUTRAL] or [PORTS[0]]

        def load(port: int) -> int:
            return stack_sum(state, [ship, *(u for u in self.placed if state.space[u] == port)])

        return [port for port in held if load(port) <= port_limit(state, port)] or held

    def take(self, m: M, role: str, action: Any) -> None:
        unit = unit_of(m.state, action.unit)
        settle(m.state, unit, A.index[action.port])
        m.replace(PlaceFrenchShips((*self.placed, unit)))


class Overstay(Step, frozen=True, tag="overstay"):
    """Foreign ground units that did not leave Vichy land by the end of a turn are at war with it in the next.

    [w2e-armistice-french-leave]
    """

    rule = "w2e-armistice-french-leave"

    def run(self, m: M) -> None:
        state = m.state
        m.pop()
        for minor in (*A.colonies, A.vichy):
            for space in A.minor_spaces[minor] if state.vichy and state.patron[minor] == NOBODY else ():
                foreign = [
                    u for u in at(state, space)
                    if state.power[u] != NEUTRAL and K.cls[state.kind[u]] == GROUND and state.owner[space] == NEUTRAL
                ]  # fmt: skip
                if foreign:
                    side = A.side[state.power[foreign[0]]]
                    m.emit(WarDeclared(side=f"@{SIDES[side]}", country=f"@{A.minors[minor]}"))
                    attack_minor(m, minor, side)
                    break
        occupy(m)


class ItalianOffer(Step, frozen=True, tag="italian-offer"):
    """Italy offers an armistice; the Allies accept or let it fight on.

    [w2e-armistice-italian-offer] [w2e-armistice-italian-refused] [w2e-armistice-italian-accepted]
    """

    rule = "w2e-armistice-italian-offer"

    def run(self, m: M) -> None:
        if not italy_must_offer(m):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[speaker(m.state, 1)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Choices([Answer(True), Answer(False)], rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        m.pop()
        m.emit(Armistice(power="@italy", accepted=action.accept))
        if action.accept:
            m.push(ItalianHeir())


class ItalianHeir(Step, frozen=True, tag="italian-heir"):
    """One Allied power takes what Italy gives up: one with troops in Italy if there are any.

    [w2e-armistice-italian-accepted]
    """

    rule = "w2e-armistice-italian-accepted"

    def heirs(self, m: M) -> list[int]:
        state = m.state
        there = {
            state.power[u] for space in A.land if A.homeland[space] == A.italy for u in ground_of_side(state, space, 1)
        }
        active = active_powers(state, 1)
        return [p for p in active if p in there] or list(active)

    def run(self, m: M) -> None:
        heirs = self.heirs(m)
        if len(heirs) == 1:
            self.give(m, heirs[0])

    def give(self, m: M, heir: int) -> None:
        m.pop()
        surrender(m, A.italy, heir, pays=False)

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[speaker(m.state, 1)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = [A.powers[p] for p in self.heirs(m)]
        return [Offer(TakeControl, Field("power", "role", OneOf(names)), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        self.give(m, A.power_index[action.power])
