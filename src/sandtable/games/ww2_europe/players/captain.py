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
from .chances import Chances
from .sight import Reader, Sight, fallback

A = ATLAS
K = ATLAS.kinds


class Captain:
    """Plays by rules of thumb, with the odds of each battle before its eyes."""

    campaign: type[Campaign] = Campaign
    """How it looks at the war on land."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.reader = Reader(game)
        self.rng = Random(f"captain/{seed}")
        self.chances = Chances()
        self.doctrine = CAPTAIN
        self.queue: list[Action] = []
        self.phase: tuple[object, ...] = ()

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        m = self.reader.open(view)
        action = self.answer(m, A.power_index[view.role or ""], offers)
        if action is not None and offers.refuse(action) is None:
            return action
        return fallback(offers)

    def answer(self, m: M, power: int, offers: Offers) -> Action | None:
        step = m.state.stack[-1]
        if isinstance(step, Movement):
            return self.next_order(m, power, offers, ("movement", m.state.turn, step.fronts))
        if isinstance(step, Blitz):
            return self.next_order(m, power, offers, ("blitz", m.state.turn))
        if isinstance(step, Redeployment):
            return rail.redeploy(m, power, offers, self.look)
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
        """The war on land with nobody to be ordered about."""
        return self.campaign(Sight(m, power), (), (), self.chances, blitz=False)

    # ---- orders
    def next_order(self, m: M, power: int, offers: Offers, phase: tuple[object, ...]) -> Action:
        if phase != self.phase:
            self.phase = phase
            self.queue = self.plan(m, power, offers)[::-1]
        while self.queue:
            action = self.queue.pop()
            if offers.refuse(action) is None:
                return action
        return Done()

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
