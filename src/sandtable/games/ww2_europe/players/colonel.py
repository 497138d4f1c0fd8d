"""The colonel: plans a whole season with exact odds.

It fights like the captain where that is right, but mans its capitals by what can reach them before anything else,
prepares landings in enemy capitals by the sea over several seasons, and brings its troops to where they hold most
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sandtable.core import Action, Game, Offers, View
from sandtable.players.base import Budget

from ..model.actions import Done
from ..model.atlas import ATLAS
from ..model.state import AT_WAR, M, W2State
from ..rules.buy_phase import Purchases
from ..rules.convoy_phase import ConvoyPhase
from ..rules.movement_phase import Movement
from ..rules.movers import Movers
from ..rules.redeployment_phase import Redeployment
from . import expedition, fleet, ministry
from .captain import Captain
from .chances import Chances
from .choices import pacific_share
from .sight import Sight
from .watch import Watch

A = ATLAS


class Colonel(Captain):
    """Keeps its capitals first, lands where it pays, and holds together."""

    campaign: type[Watch] = Watch
    planes: float = ministry.PLANES
    """How readily it buys planes for a capital in danger."""
    spread: ClassVar[bool] = True
    """Whether its bombers share out their targets."""
    shopping: dict[str, dict[str, int]] = ministry.SHOPPING
    """What its powers buy, in shares."""
    bombers: ClassVar[dict[str, int]] = {"great_britain": 18}
    """How many bombers its powers want."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.chances = Chances()
        self.surveyed: Watch | None = None

    def answer(self, m: M, power: int, offers: Offers) -> Action | None:
        step = m.state.stack[-1]
        if not isinstance(step, Purchases | ConvoyPhase | Redeployment):
            return super().answer(m, power, offers)
        seaborne = self.seaborne(m, power)
        if isinstance(step, Purchases):
            camp = self.survey(m, power)
            fleet_size = self.fleet_size(m, power) if seaborne else 0
            ready = seaborne and self.ready(camp)
            bombers, fighters = self.bombers_wanted(m.state, power), camp.unshielded()
            wishes = ministry.Wishes(fleet_size, ready, self.planes, bombers, fighters, self.shopping, self.pacific)
            return ministry.purchase(m, camp, offers, self.rng, wishes)
        if isinstance(step, ConvoyPhase) and seaborne:
            return expedition.recall(m, expedition.coup(self.survey(m, power))) or Done()
        if isinstance(step, Redeployment) and seaborne:
            found = expedition.gather(self.survey(m, power), offers)
            if found is not None:
                return found
        return super().answer(m, power, offers)

    def ready(self, camp: Watch) -> bool:
        """Whether those who cross the sea want a depot now."""
        goal = expedition.goal_of(camp)
        return goal >= 0 and expedition.strength(camp, goal) > 1

    def fleet_size(self, m: M, power: int) -> int:
        """Return how many transports a power wants beside its convoys."""
        return expedition.FLEET if power == A.britain else 0

    def bombers_wanted(self, state: W2State, power: int) -> int:
        """Return how many bombers a power wants."""
        return self.bombers.get(A.powers[power], 0)

    def pacific(self, state: W2State) -> int:
        """Return what the USA puts aside for the Pacific now."""
        return pacific_share(state)

    def seaborne(self, m: M, power: int) -> bool:
        """Whether a power makes ready to cross the sea."""
        return power in (A.britain, A.usa) and expedition.goal_of(self.survey(m, power)) >= 0

    def overseas(self, camp: Watch, ships: Sequence[int]) -> list[Action]:
        """Return what sails with troops."""
        return expedition.landing(camp, ships)

    def survey(self, m: M, power: int) -> Watch:
        """Return the position, with nobody to be ordered about: once for every decision."""
        if self.surveyed is None:
            self.surveyed = self.campaign(Sight(m, power), (), (), self.chances, blitz=False, doctrine=self.doctrine)
        return self.surveyed

    def look(self, m: M, power: int) -> Watch:
        return self.survey(m, power)

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        self.surveyed = None
        return super().decide(view, offers, budget)

    def plan(self, m: M, power: int, offers: Offers) -> list[Action]:
        step = m.state.stack[-1]
        if not isinstance(step, Movement) or m.state.status[power] != AT_WAR:
            return super().plan(m, power, offers)
        sight = Sight(m, power)
        sorts = Movers(m.state, power, step.fronts)
        march = self.campaign(sight, sorts.ground, sorts.air, self.chances, blitz=False, doctrine=self.doctrine)
        ashore = self.overseas(march, sorts.transports)
        march.man_capitals()
        march.attack_all()
        march.help_all()
        march.shift_all()
        return ashore + march.orders + fleet.orders(sight, sorts, march.planes, offers, self.rng, spread=self.spread)
