"""The colonel: plans a whole season with exact odds.

It fights like the captain where that is right, but mans its capitals by what can reach them before anything else,
prepares landings in enemy capitals by the sea over several seasons, and gives up ground that cannot be held.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sandtable.core import Action, Game, Offers
from sandtable.games.ww2_europe.actions import Done
from sandtable.games.ww2_europe.atlas import ATLAS
from sandtable.games.ww2_europe.buy import Purchases
from sandtable.games.ww2_europe.convoys import ConvoyPhase
from sandtable.games.ww2_europe.orders import Movement
from sandtable.games.ww2_europe.ready import sorted_units
from sandtable.games.ww2_europe.redeploy import Redeployment
from sandtable.games.ww2_europe.state import AT_WAR, M

from . import expedition, fleet, ministry
from .captain import Captain
from .chances import SharpChances
from .sight import Sight
from .watch import Watch

A = ATLAS


class Colonel(Captain):
    """Keeps its capitals first, lands where it pays, and stands nowhere only to be lost."""

    campaign: type[Watch] = Watch
    planes: ClassVar[float] = ministry.PLANES
    """How readily it buys planes for a capital in danger."""
    spread: ClassVar[bool] = False
    """Whether its bombers share out their targets."""
    bombers: ClassVar[dict[str, int]] = {}
    """How many bombers its powers want."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        super().__init__(game, seed)
        self.chances = SharpChances()

    def answer(self, m: M, power: int, offers: Offers) -> Action | None:
        step = m.state.stack[-1]
        if not isinstance(step, Purchases | ConvoyPhase | Redeployment):
            return super().answer(m, power, offers)
        camp = self.survey(m, power)
        seaborne = power in (A.britain, A.usa) and expedition.goal_of(camp) >= 0
        if isinstance(step, Purchases):
            fleet_size = expedition.FLEET if seaborne and power == A.britain else 0
            ready = seaborne and expedition.strength(camp, expedition.goal_of(camp)) > 1
            return ministry.purchase(
                m,
                camp,
                offers,
                self.rng,
                ships=fleet_size,
                depot=ready,
                planes=self.planes,
                bombers=self.bombers.get(A.powers[power], 0),
            )
        if isinstance(step, ConvoyPhase) and seaborne:
            return expedition.recall(m, expedition.coup(camp)) or Done()
        if isinstance(step, Redeployment) and seaborne:
            found = expedition.gather(camp, offers)
            if found is not None:
                return found
        return super().answer(m, power, offers)

    def survey(self, m: M, power: int) -> Watch:
        """The position, with nobody to be ordered about."""
        return self.campaign(Sight(m, power), (), (), self.chances, blitz=False, doctrine=self.doctrine)

    def plan(self, m: M, power: int, offers: Offers) -> list[Action]:
        step = m.state.stack[-1]
        if not isinstance(step, Movement) or m.state.status[power] != AT_WAR:
            return super().plan(m, power, offers)
        sight = Sight(m, power)
        sorts = sorted_units(m, power, step.fronts)
        march = self.campaign(sight, sorts.ground, sorts.air, self.chances, blitz=False, doctrine=self.doctrine)
        ashore = expedition.landing(march, sorts.transports)
        march.man_capitals()
        march.attack_all()
        march.help_all()
        march.shift_all()
        return ashore + march.orders + fleet.orders(sight, sorts, march.planes, offers, self.rng, spread=self.spread)
