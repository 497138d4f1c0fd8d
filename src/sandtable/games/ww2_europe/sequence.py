"""Sequence of Play: Movement, Combat, Blitzkrieg, Redeployment, Convoy, Build, Buy, Collect Money, Initiative."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.offers import Field

from .facts.names import names_of, unit_name, unit_of
from .facts.roster import units_of_power
from .model.actions import Scrap
from .model.atlas import ATLAS, SIDES
from .model.calendar import turn_name
from .model.events import Lost, PhaseBegan, TurnBegan
from .model.state import AT_WAR, PACIFIC, M
from .rules.advanced_naval_phase import Assemble
from .rules.aftermath_phase import ControlChoice, DepotChoice, PickFront
from .rules.armistice_phase import FrenchOffer, ItalianHeir, ItalianOffer, Overstay, PlaceFrenchShips
from .rules.battle_phase import Battle
from .rules.blitz_phase import Blitz
from .rules.build_phase import Building, SlideBoxes
from .rules.buy_phase import Purchases
from .rules.collect_phase import CollectMoney, EmptyHolds, Income, Technology
from .rules.combat_phase import Combat, LandStage
from .rules.convoy_phase import ConvoyPhase, EndConvoy, LineCheck
from .rules.homecoming_phase import Diverted, ReturnHome
from .rules.initiative import player_a
from .rules.initiative_phase import Initiative
from .rules.interception_phase import AfterBattle, Encounter, SeaStage
from .rules.leaders_phase import Commands
from .rules.movement_phase import Movement
from .rules.politics import dated_entries, dated_surprise
from .rules.politics_phase import Declarations
from .rules.redeployment_phase import Redeployment
from .rules.strategic_phase import RaidFight, RocketStrike, StrategicStage
from .rules.supply_phase import SupplyCheck
from .rules.surrender_phase import Surrenders
from .rules.turn_end import clear_turn
from .rules.turn_end_phase import Depots, EndTurn, LastThings, PactTest, StackLimits
from .rules.units import remove

A = ATLAS
K = ATLAS.kinds


class Phase(Step, frozen=True, tag="phase"):
    """Marks where the turn stands, for the log."""

    name: str

    def run(self, m: M) -> None:
        m.emit(PhaseBegan(phase=f"@phase-{self.name}"))
        m.pop()


class Turn(Step, frozen=True, tag="turn"):
    """One season.  [w2e-sequence] [w2e-turn-season]"""

    rule = "w2e-sequence"

    def run(self, m: M) -> None:
        state = m.state
        clear_turn(m)
        state.first = player_a(state)
        m.emit(TurnBegan(turn=f"@{turn_name(state)}", first=f"@{SIDES[state.first]}"))
        m.push(
            StartOfTurn(), Overstay(), FrenchOffer(), ItalianOffer(), Commands(), ReturnHome(), SupplyCheck(), Season()
        )


class StartOfTurn(Step, frozen=True, tag="start-of-turn"):
    """The calendar: entries, joining minors, the Pacific Transfer.  [w2e-neutral-dates] [w2e-uk-pacific]"""

    rule = "w2e-uk-pacific"

    def run(self, m: M) -> None:
        state = m.state
        m.pop()
        dated_entries(m)
        if turn_name(state) == A.house["dates"]["pacific_transfer"]:
            for row in A.data["pacific_transfer"]:
                if state.status[A.power_index[row["power"]]] == AT_WAR:
                    m.push(PacificTransfer(A.power_index[row["power"]]))


class PacificTransfer(Step, frozen=True, tag="pacific-transfer"):
    """Marked units go to the Pacific; for a missing one its owner names another of the type.  [w2e-uk-pacific]"""

    rule = "w2e-uk-pacific"
    power: int
    gone: tuple[int, ...] = ()
    """Kinds already handed over, one entry per unit."""

    def wanted(self) -> list[int]:
        row = next(r for r in A.data["pacific_transfer"] if A.power_index[r["power"]] == self.power)
        left = [K.index[name] for name, count in row["units"].items() for _ in range(count)]
        for kind in self.gone:
            left.remove(kind)
        return left

    def candidates(self, m: M) -> list[int]:
        state = m.state
        kind = self.wanted()[0]
        units = [u for u in units_of_power(state, self.power) if state.kind[u] == kind]
        marked = [u for u in units if state.flags[u] & PACIFIC]
        return marked[:1] or units

    def run(self, m: M) -> None:
        wanted = self.wanted()
        if not wanted:
            m.pop()
            return
        found = self.candidates(m)
        if len(found) < 2:
            if found:
                self.hand_over(m, found[0])
            m.replace(PacificTransfer(self.power, (*self.gone, wanted[0])))

    def hand_over(self, m: M, unit: int) -> None:
        m.emit(Lost(unit=unit_name(m.state, unit), power=f"@{A.powers[self.power]}", why=self.rule))
        remove(m.state, unit)

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[self.power],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Scrap, Field("unit", "unit", OneOf(list(names_of(m.state, self.candidates(m))))), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        kind = self.wanted()[0]
        self.hand_over(m, unit_of(m.state, action.unit))
        m.replace(PacificTransfer(self.power, (*self.gone, kind)))


class Season(Step, frozen=True, tag="season"):
    """The phases of the turn in order, with who goes first in each.

    [w2e-sequence] [w2e-movement-order] [w2e-redeploy-order] [w2e-convoy-order] [w2e-build-order]
    """

    rule = "w2e-sequence"

    def run(self, m: M) -> None:
        state = m.state
        dated_surprise(m)
        a, b = state.first, 1 - state.first
        mine = tuple(f for f, side in enumerate(state.initiative) if side == a)
        theirs = tuple(f for f, side in enumerate(state.initiative) if side == b)
        every = tuple(range(len(A.fronts)))
        m.replace(
            Phase("declarations"), Declarations(a), Declarations(b),
            Phase("movement"), Movement(a, fronts=mine), Movement(b, fronts=every), Movement(a, fronts=theirs),
            Phase("combat"), Combat(),
            Phase("blitz"), Blitz(a), Blitz(b), Combat(True),
            Phase("redeployment"), Redeployment(b), Redeployment(a),
            Phase("convoys"), ConvoyPhase(a), ConvoyPhase(b),
            Phase("build"), SlideBoxes(a), SlideBoxes(b),
            Phase("buy"), EmptyHolds(), Purchases(a), Purchases(b),
            Phase("collect"), CollectMoney(),
            Phase("initiative"), Initiative(), EndTurn(),
        )  # fmt: skip


STEPS: tuple[type[Step], ...] = (
    Turn, Phase, StartOfTurn, PacificTransfer, Season, Commands, Declarations, Movement, Combat, LandStage,
    StrategicStage, RaidFight, RocketStrike, SeaStage, Encounter, AfterBattle, Assemble, Battle, ControlChoice,
    DepotChoice, PickFront, Diverted, ReturnHome, Blitz, Redeployment, ConvoyPhase, LineCheck, EndConvoy, SlideBoxes,
    Building, Purchases, CollectMoney, Income, EmptyHolds, Technology, Initiative, SupplyCheck, EndTurn, Depots,
    PactTest, StackLimits, LastThings, Surrenders, FrenchOffer, ItalianOffer, PlaceFrenchShips, Overstay,
    ItalianHeir,
)  # fmt: skip
"""All steps that a saved match may hold."""
