"""The Game: scenarios, options, roles, and how the core reaches the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sandtable.core import Action, Event, Game, Match, Odds, Option, Scenario, Texts, View
from sandtable.core.game import Assumed, Benchmark, Maker
from sandtable.core.table import Table

from . import sequence
from .model import faults, setup
from .model.actions import ACTIONS
from .model.actions_naval import NAVAL_ACTIONS
from .model.atlas import ATLAS, HOME, SIDES
from .model.events import EVENTS
from .model.events_naval import NAVAL_EVENTS
from .model.state import Playing, War
from .odds import large, whole
from .odds import preview as odds
from .rules import (
    advance,
    announce,
    arsenal,
    assault,
    combat,
    entry,
    exploitation,
    harbours,
    home_forces,
    interception,
    invasion,
    leaders,
    losses,
    movement,
    naval_battle,
    production,
    raid,
    research,
    retreat,
    shipyard,
    strategic,
    supply,
    surrender,
    voyages,
)
from .screen import measures, table

_SECOND = ("campaign-2",)
_CAMPAIGNS = ("campaign-1", "campaign-2")


class HitlersWar(Game[War]):
    """Hitler's War, for two and three players."""

    id = "hitlers-war"
    title = "Hitler's War"
    rules_version = 2
    roles = SIDES
    alliances: ClassVar[Mapping[str, tuple[str, ...]]] = {"axis": ("axis",), "allies": ("soviet", "allies")}
    scenarios: ClassVar[Mapping[str, Scenario]] = {
        "barbarossa": Scenario("barbarossa", 8, ("axis", "soviet")),
        "fall-of-germany": Scenario("fall-of-germany", 6),
        "campaign-1": Scenario("campaign-1", 18),
        "campaign-2": Scenario("campaign-2", 18),
    }
    options: ClassVar[Mapping[str, Option]] = {
        "players": Option("players", 3, (2, 3), ("fall-of-germany", *_CAMPAIGNS), "hw-fall-seq-2"),
        "leaders": Option("leaders", rule="hw-leader-1"),
        "unaligned_forces": Option("unaligned_forces", scenarios=_CAMPAIGNS, rule="hw-home-1"),
        "italian_army": Option("italian_army", scenarios=_CAMPAIGNS, rule="hw-ital-1"),
        "naval_action": Option("naval_action", scenarios=_SECOND, rule="hw-nav-1"),
        "ship_builds": Option("ship_builds", scenarios=_SECOND, rule="hw-ship-1"),
        "carriers": Option("carriers", scenarios=_SECOND, rule="hw-carrier-1"),
        "partisans_against_armies": Option("partisans_against_armies", scenarios=_SECOND, rule="hw-partisan-1"),
    }
    home = HOME
    state_type = War
    steps = (
        sequence.Season, sequence.SeasonEnd, sequence.PlayerTurn, sequence.MovementPhase, movement.Movement,
        losses.Overstacked, losses.Losses, combat.CombatPhase, combat.Attacks, combat.Invasions, combat.CombatEnd,
        combat.CombatCount, announce.Announce, assault.DefensiveAssaults, assault.Assaults, advance.Advances,
        exploitation.Exploitation, exploitation.MustAdvance, invasion.NavalFires, invasion.Salvo,
        invasion.SupportFires, invasion.CoastalFires, invasion.InvasionOver, retreat.Retreats, supply.Isolation,
        surrender.Fallen, surrender.ItalianLosses, surrender.SovietOffer, surrender.MoraleGone,
        production.ProductionPhase, production.Production, arsenal.EscortTrade, research.Research,
        entry.Reinforcements, home_forces.CallUp, home_forces.HomeRetreat, leaders.LeaderDraw, setup.VichyChoice,
        setup.FreeSetUp, strategic.StrategicPhase, strategic.Bombing, strategic.Strikes, strategic.SeaRaid,
        strategic.MissileLaunch, strategic.AtomicStrikes, voyages.Convoys, voyages.ConvoyShot, voyages.WolfPack,
        voyages.ConvoyLosses, voyages.RaiderStrike, harbours.HomeToPort, harbours.Stranded, naval_battle.Battle,
        naval_battle.ShipLosses, naval_battle.Engage, raid.RaidOut, interception.SupportFleets,
        interception.Interceptions, interception.TakeBattle, interception.FleetSalvo, interception.FleetSupport,
        shipyard.Commissioning,
    )  # fmt: skip
    actions = (*ACTIONS, *NAVAL_ACTIONS)
    events = (*EVENTS, *NAVAL_EVENTS)
    assumptions = whole.ASSUMPTIONS

    def begin(self, scenario: str, options: Mapping[str, Any]) -> War:
        return self.codec.clone(setup.begin(scenario, tuple(options.items())))

    def table(self, view: View[War], texts: Texts) -> Table:
        return table.lay_out(view, texts)

    def faults(self, state: War) -> Sequence[str]:
        return faults.find_faults(state)

    def turn(self, state: War) -> str:
        return ATLAS.turns[state.turn]

    def public(self, state: War) -> bool:
        """Record sheets are open and face-down leader markers are known to nobody.  [hw-record-3] [hw-leader-5]"""
        return True

    def measures(self, state: War) -> Mapping[str, float]:
        return measures.measures(state)

    def battle_place(self, event: Event) -> str | None:
        return measures.battle_place(event)

    def preview(self, m: Playing, role: str, action: Action) -> Odds | None:
        return odds.preview(m, action)

    def whole_odds(self, match: Match[War], role: str, action: Action, assumed: Mapping[str, Assumed]) -> Odds | None:
        return whole.whole_odds(match, action, assumed)

    def players(self) -> Mapping[str, Maker]:
        from .players import PLAYERS

        return PLAYERS

    def benchmark(self) -> Benchmark:
        return Benchmark("barbarossa", 200, large.large_battle)


GAME = HitlersWar()
__all__ = ["ATLAS", "GAME", "HitlersWar"]
