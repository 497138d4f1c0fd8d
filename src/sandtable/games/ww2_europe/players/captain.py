"""The captain: rules of thumb for every decision."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers, View
from sandtable.players.base import Budget

from ..model.actions import (
    Abort,
    Answer,
    ChooseBattle,
    Combine,
    Declare,
    Done,
    Evade,
    Fight,
    Lose,
    PlaceDepot,
    Ration,
    Research,
    Scrap,
    Starve,
)
from ..model.atlas import ATLAS
from ..model.kinds import AIR
from ..model.state import AT_WAR, M
from ..rules.battle_phase import Battle
from ..rules.blitz import blitzers
from ..rules.blitz_phase import Blitz
from ..rules.build_phase import Building
from ..rules.buy_phase import Purchases
from ..rules.convoy_phase import ConvoyPhase
from ..rules.interception_phase import Encounter
from ..rules.movement import pact_movers
from ..rules.movement_phase import Movement
from ..rules.movers import Movers
from ..rules.politics_phase import Declarations
from ..rules.redeployment_phase import Redeployment
from . import choices, economy, fleet, landing, rail
from .aims import declaration
from .campaign import CAPTAIN, Campaign
from .chances import Chances, RoughChances
from .sight import Reader, Sight, fallback

A = ATLAS
K = ATLAS.kinds


class Captain:
    """Plays by rules of thumb, with the odds of small battles before its eyes."""

    campaign: type[Campaign] = Campaign
    """How it looks at the war on land."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.reader = Reader(game)
        self.rng = Random(f"captain/{seed}")
        self.chances: Chances = RoughChances()
        self.doctrine = CAPTAIN
        self.queue: list[Action] = []
        self.phase: tuple[object, ...] = ()

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        m = self.reader.open(view)
        action = self.planned(m, offers)
        if action is None:
            action = self.answer(m, A.power_index[view.role or ""], offers)
            if action is None or offers.refuse(action) is not None:
                return fallback(offers)
        return action

    def answer(self, m: M, power: int, offers: Offers) -> Action | None:
        step = m.state.stack[-1]
        if isinstance(step, Movement | Blitz):
            return Done() if phase_of(m) == self.phase else self.start(m, self.plan(m, power, offers), offers)
        if isinstance(step, Redeployment):
            voyage = rail.cross_the_sea(m, power, offers)
            return voyage or self.start(m, rail.moves(m, power, offers, self.look), offers)
        if isinstance(step, Purchases):
            return economy.purchase(m, power, offers, self.rng)
        if isinstance(step, Building):
            return economy.place(m, power, step, self.look(m, power))
        if isinstance(step, ConvoyPhase):
            return economy.convoy(m, power, offers)
        if isinstance(step, Declarations):
            country = declaration(m, power)
            return Declare(country) if country is not None else Done()
        if isinstance(step, Battle) and offers[Fight]:
            return choices.stand(m, power, step, offers, self.chances)
        if isinstance(step, Encounter):
            return choices.meet(m, step, offers)
        return self.small(m, power, offers)

    def small(self, m: M, power: int, offers: Offers) -> Action | None:
        """Choices with one plain answer."""
        if offers[Lose]:
            return choices.lose_action(m, power, offers)
        if offers[ChooseBattle]:
            return choices.first_battle(m, offers)
        if offers[Starve]:
            return Starve(choices.least(m.state, choices.field_values(offers, Starve)))
        if offers[Scrap]:
            return Scrap(choices.least(m.state, choices.field_values(offers, Scrap)))
        if offers[Ration]:
            return choices.ration(offers)
        if offers[Research]:
            return economy.research(m, power, offers)
        if offers[Answer]:
            return Answer(True)
        if offers[PlaceDepot]:
            return next(iter(offers[PlaceDepot][0]))
        if offers[Fight]:
            return Fight()
        for act in (Combine, Evade, Abort):
            if offers[act]:
                return next(iter(offers[act][0]))
        return None

    def look(self, m: M, power: int) -> Campaign:
        """Return the war on land with nobody to be ordered about."""
        return self.campaign(Sight(m, power), (), (), self.chances, blitz=False)

    # ---- orders
    def start(self, m: M, orders: list[Action], offers: Offers) -> Action:
        """Keep the orders of this phase, and give the first of them."""
        self.phase, self.queue = phase_of(m), orders[::-1]
        return self.planned(m, offers) or Done()

    def planned(self, m: M, offers: Offers) -> Action | None:
        """Return the next order that was planned for this phase and is still allowed."""
        while self.queue and self.phase == phase_of(m):
            action = self.queue.pop()
            if offers.refuse(action) is None:
                return action
        return None

    def plan(self, m: M, power: int, offers: Offers) -> list[Action]:
        step, sight = m.state.stack[-1], Sight(m, power)
        if isinstance(step, Blitz):
            movers = list(blitzers(m.state, power, step.fronts(m)))
            planes = [u for u in movers if K.cls[m.state.kind[u]] == AIR]
            walkers = [u for u in movers if K.cls[m.state.kind[u]] != AIR]
            strike = self.campaign(sight, walkers, planes, self.chances, blitz=True, doctrine=self.doctrine)
            strike.attack_all()
            return strike.orders
        assert isinstance(step, Movement)
        if m.state.status[power] != AT_WAR:
            march = self.campaign(
                sight, pact_movers(m, step.fronts), (), self.chances, blitz=False, doctrine=self.doctrine
            )
            march.partition()
            return march.orders
        sorts = Movers(m.state, power, step.fronts)
        march = self.campaign(sight, sorts.ground, sorts.air, self.chances, blitz=False, doctrine=self.doctrine)
        march.attack_all()
        march.help_all()
        march.shift_all()
        ashore = landing.landing(sight, offers, self.chances)
        return ashore + march.orders + fleet.orders(sight, sorts, march.planes, offers, self.rng)


def phase_of(m: M) -> tuple[object, ...]:
    """Return what tells one phase with orders from another."""
    step = m.state.stack[-1]
    return type(step), m.state.turn, step.fronts if isinstance(step, Movement) else ()
