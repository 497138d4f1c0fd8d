"""The general's way of war, before anything is searched: it knows more of the war as a whole than a colonel.

A fighter stands over every dear factory, British money goes into bombers, ships and tanks, the Western Allies go ashore
together, stay there and are reinforced over the sea, and in the last season there is nothing to lose. A plan edits all
of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from sandtable.core import Action, Game, Offers, View
from sandtable.players.base import Budget
from sandtable.players.search import Plan

from ..model.actions import Buy, BuyPoint, Done, Fight
from ..model.atlas import ATLAS
from ..model.calendar import turn_track
from ..model.state import AT_WAR, M, W2State
from ..rules.battle_phase import Battle
from ..rules.buy import buy_refusal
from ..rules.buy_phase import Purchases
from ..rules.convoy_phase import ConvoyPhase
from ..rules.redeployment import points_left
from ..rules.redeployment_phase import Redeployment
from ..rules.victory import flags_held
from . import bridgehead, choices, economy, expedition, ministry, rail
from .aims import main_effort, taken
from .bastion import Bastion, Spearhead, attrition
from .campaign import Doctrine
from .chances import Chances, WinterChances
from .choices import late_share, may
from .colonel import Colonel
from .watch import Watch

A = ATLAS
K = ATLAS.kinds
PRUDENT = Doctrine(sure=0.9, fair=0.7, bold=0.5, greed=0.7)
"""How most generals wage war: what is gained at bad odds does not last."""
ACTIVE = Doctrine(hold=0.6)
"""The Soviets have land to lose: they hold it thinly, and strike at all who come forward."""
LAST = Doctrine(sure=0.95, bold=0.04, greed=20.0, all_in=True)
"""When all is over after this season there is nothing to save for."""
_MASSED = 8.0
"""How much more than usual the main effort draws."""
_FERRIES = 2
"""Transports that stay out of convoys while there is an ally on the continent to reinforce."""
_ARMADA = 8
"""British transports for a landing beside the Americans."""
_POINTS = 6
"""Redeployment Points that the British buy back when they are bombed away."""
_AT_ONCE = 2
"""Transports bought in a turn for the lines that bring money home."""


def usual_way(power: int) -> Doctrine:
    """How a power wages war where no plan says otherwise."""
    return ACTIVE if power == A.ussr else PRUDENT


def edited(plan: Plan, power: int) -> Doctrine:
    """The usual way of a power with the orders of a plan."""
    changes: dict[str, Any] = dict(plan.dials)
    if plan.aim:
        changes |= {"aim": A.index[plan.aim], "force": plan.force}
    places = {"keep": plan.hold, "leave": plan.leave}
    changes |= {name: tuple(A.index[s] for s in spaces) for name, spaces in places.items()}
    return msgspec.structs.replace(usual_way(power), **changes)


def is_last(state: W2State) -> bool:
    """Whether all is over after this season."""
    return state.turn + 1 >= len(turn_track(state.scenario))


def ahead(state: W2State, side: int) -> bool:
    """Whether a side has more capitals than the other."""
    return len(flags_held(state, side)) > len(flags_held(state, 1 - side))


class Headquarters(Colonel):
    """Wages the war of one power by a plan."""

    planes = 0.75
    shopping = ministry.OVERSEAS
    bombers: ClassVar[dict[str, int]] = {"great_britain": 9, "germany": 6}

    def __init__(self, game: Game[Any], seed: int | str, role: str, chances: Chances | None = None) -> None:
        super().__init__(game, seed)
        self.power = A.power_index[role]
        self.chances = chances or WinterChances()
        self.ordered = usual_way(self.power)
        self.campaign: type[Watch] = Bastion
        if A.side[self.power] == 0:
            self.campaign, self.planes = Spearhead, ministry.PLANES

    def follow(self, plan: Plan) -> None:
        """Carry out a plan from now on."""
        self.ordered = edited(plan, self.power)

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        state: W2State = view.state
        last = is_last(state) and not ahead(state, A.side[self.power])
        self.doctrine = LAST if last else self.orders(state)
        return super().decide(view, offers, budget)

    def orders(self, state: W2State) -> Doctrine:
        """The plan's orders; where it names no aim, the troops are massed for what decides the campaign."""
        aim = main_effort(state, self.power) if self.ordered.aim < 0 else -1
        return self.ordered if aim < 0 else msgspec.structs.replace(self.ordered, aim=aim, force=_MASSED)

    def answer(self, m: M, power: int, offers: Offers) -> Action | None:
        step = m.state.stack[-1]
        if isinstance(step, Battle) and offers[Fight] and self.wears_down(m, step):
            worn = max(1.0, attrition(m, power, step.space))
            return choices.stand(m, power, step, offers, self.chances, worn)
        if power not in (A.britain, A.usa):
            return super().answer(m, power, offers)
        if isinstance(step, Purchases):
            found = self.first_buy(m, power, offers)
            if found is not None:
                return found
        if isinstance(step, Redeployment) and m.state.status[power] == AT_WAR:
            crossing = bridgehead.reinforce(self.survey(m, power), offers, economy.is_bare(m, power))
            if crossing is None:
                crossing = rail.cross_the_sea(m, power, offers, planes=False)
            if crossing is not None:
                return crossing
        if isinstance(step, Redeployment) and economy.is_bare(m, power) and points_left(m.state, power) <= 1:
            return Done()
        found = super().answer(m, power, offers)
        if isinstance(step, Redeployment) and economy.is_bare(m, power):
            del self.queue[: max(0, len(self.queue) + 2 - points_left(m.state, power))]
        if isinstance(step, ConvoyPhase) and isinstance(found, Done):
            return self.sail(m, power, offers)
        return found

    def wears_down(self, m: M, step: Battle) -> bool:
        """Whether a battle is an assault of the own side on a capital."""
        return A.side[self.power] == step.attacker and not step.sea and step.space in A.capital

    def first_buy(self, m: M, power: int, offers: Offers) -> Action | None:
        """The way over the ocean is made wider and an ally helped before anything else; lines get their escorts.

        British points that were bombed away are bought back.

        Where more wait than can cross, the best are raised.
        """
        if power == A.usa and not self.pacific(m.state):
            if may(offers, BuyPoint):
                return BuyPoint()
            crowded = bridgehead.waiting(m, power) > bridgehead.lift(m, power)
            able = not bridgehead.ships_missing(m, power) and buy_refusal(m, power, K.tank, False) is None
            tank = crowded and able
            return economy.aid(m, power, offers) or (Buy(K.names[K.tank], False) if tank else None)
        if power == A.britain and may(offers, BuyPoint) and m.state.rps[power] < _POINTS:
            return BuyPoint()
        destroyer = K.index["destroyer"]
        if economy.escorts_missing(m, power) > 0 and buy_refusal(m, power, destroyer, False) is None:
            return Buy(K.names[destroyer], False)
        return None

    def sail(self, m: M, power: int, offers: Offers) -> Action:
        """Bare lines get an escort, troops abroad are fed, then what is earned overseas is fetched and escorted."""
        guard = economy.escort(m, power, offers) if economy.is_bare(m, power) else None
        if guard is not None:
            return guard  # another transport in the line would take the point that brings a destroyer
        reserve = _FERRIES if not taken(m.state, A.france) else expedition.FLEET
        troops = economy.hungry(m, power)
        found: Action = Done()
        if troops:
            found = economy.convoy(m, power, offers, troops)
        if isinstance(found, Done) and power == A.britain:
            found = economy.convoy(m, power, offers, reserve=reserve)
        if isinstance(found, Done) and power == A.usa:
            found = economy.aid_line(m, power, offers) or found
        if isinstance(found, Done):
            found = economy.escort(m, power, offers) or found
        return found

    def seaborne(self, m: M, power: int) -> bool:
        """The Western Allies always want ships."""
        return power in (A.britain, A.usa)

    def overseas(self, camp: Watch, ships: Sequence[int]) -> list[Action]:
        """Those who are ashore already are reinforced before anybody lands elsewhere."""
        if camp.sight.power not in (A.britain, A.usa):
            return super().overseas(camp, ships)
        orders, left = bridgehead.follow_up(camp, ships)
        return orders + super().overseas(camp, left)

    def ready(self, camp: Watch) -> bool:
        """A fleet that can land has a depot with it."""
        return ministry.afloat(camp.m, camp.sight.power) >= expedition.FLEET

    def fleet_size(self, m: M, power: int) -> int:
        """The Americans want ships for those who wait at home."""
        if power != A.usa:
            wanted = _ARMADA if m.state.status[A.usa] == AT_WAR else super().fleet_size(m, power)
            return wanted + min(_AT_ONCE, economy.lines_missing(m, power))
        return ministry.afloat(m, power) + bridgehead.ships_missing(m, A.usa)

    def bombers_wanted(self, state: W2State, power: int) -> int:
        """Germany buys them when the war in the West is won: before, all goes into the army."""
        west = power == A.germany and state.status[A.france] == AT_WAR and not taken(state, A.france)
        return 0 if west else super().bombers_wanted(state, power)

    def pacific(self, state: W2State) -> int:
        """The Pacific is paid as late in the year as may be."""
        return late_share(state)
