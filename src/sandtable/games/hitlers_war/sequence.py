"""The sequence of play: set-up, seasons, player-turns, phases.

    season -> for each side: [entries] [strategic warfare] movement, combat, production [research] -> next season

Strategic warfare and research belong to Campaign Game II.  [hw-seq-1] [hw-seq-2] [hw-fall-seq-1] [hw-c2-seq]
"""

from __future__ import annotations

from sandtable.core import Step

from .model.atlas import ATLAS, AXIS, SIDES
from .model.events import PlayerTurnBegan, TurnBegan
from .model.state import M, War
from .rules import entry, home_forces, leaders, losses, retreat, supply, surrender, victory
from .rules.advance_phase import Advances
from .rules.assault_phase import Assaults, DefensiveAssaults
from .rules.attacks_phase import Announce
from .rules.budget import update_mobilization
from .rules.combat_phase import Attacks, CombatCount, CombatEnd, CombatPhase, Invasions
from .rules.control import grow
from .rules.exploitation_phase import Exploitation, MustAdvance
from .rules.firepower import note_winter
from .rules.invasion_phase import CoastalFires, InvasionOver, NavalFires, Salvo, SupportFires
from .rules.movement_phase import Movement, MovementPhase
from .rules.naval import battle, harbours, interception_phase, raid, shipyard
from .rules.production_phase import Production, ProductionPhase
from .rules.research_phase import Research
from .rules.set_up import FreeSetUp, VichyChoice, set_up
from .rules.strategic import arsenal, convoys, warfare_phase


def opening(s: War) -> tuple[Step, ...]:
    """Return the stack of a new match: the choices of the set-up, then the first season."""
    return (Season(), *reversed(set_up(s)))


class Season(Step, frozen=True, tag="season"):
    """One box of the time record: every side takes its turn, then the marker moves on.  [hw-seq-2] [hw-map-turns]"""

    rule = "hw-seq-2"

    def run(self, m: M) -> None:
        s = m.state
        grow(s)
        m.emit(TurnBegan(turn=f"@{ATLAS.turns[s.turn]}"))
        m.replace(*(PlayerTurn(side) for side in s.setting.order), SeasonEnd())


class SeasonEnd(Step, frozen=True, tag="season-end"):
    """The game ends with its last season, otherwise the next one begins.

    [hw-bar-turns] [hw-fall-turns] [hw-c1-turns]
    """

    rule = "hw-seq-2"

    def run(self, m: M) -> None:
        s = m.state
        if s.turn >= victory.last_turn(s):
            victory.finish(m)
            return
        s.turn += 1
        m.replace(Season())


class PlayerTurn(Step, frozen=True, tag="player-turn"):
    """One side's turn, phase by phase, with no deviation.  [hw-seq-1] [hw-fall-seq-1] [hw-c2-seq]"""

    rule = "hw-seq-1"

    side: int

    def run(self, m: M) -> None:
        s = m.state
        s.side = self.side
        m.emit(PlayerTurnBegan(side=f"@{SIDES[self.side]}"))
        phases: tuple[Step, ...] = (MovementPhase(), CombatPhase(), ProductionPhase())
        m.replace(*((warfare_phase.StrategicPhase(), *phases, Research()) if s.setting.technology else phases))
        if self.side == AXIS:
            note_winter(s)
        update_mobilization(s)
        entry.dated_entries(m)


STEPS: tuple[type[Step], ...] = (
    # ---- set-up
    VichyChoice, FreeSetUp,
    # ---- seasons
    Season, SeasonEnd, PlayerTurn, entry.Reinforcements,
    # ---- strategic warfare
    warfare_phase.StrategicPhase, warfare_phase.Bombing, warfare_phase.Strikes, warfare_phase.SeaRaid,
    warfare_phase.MissileLaunch, warfare_phase.AtomicStrikes,
    # ---- movement
    MovementPhase, Movement, losses.Overstacked, convoys.Convoys, convoys.ConvoyShot, convoys.RaiderStrike,
    convoys.WolfPack, convoys.ConvoyLosses, harbours.HomeToPort, harbours.Stranded, battle.Engage, battle.Battle,
    battle.ShipLosses, raid.RaidOut,
    # ---- combat
    CombatPhase, Announce, home_forces.CallUp, Attacks, Invasions, NavalFires, Salvo, SupportFires,
    interception_phase.SupportFleets, interception_phase.Interceptions, interception_phase.TakeBattle,
    interception_phase.FleetSalvo, interception_phase.FleetSupport, CoastalFires, DefensiveAssaults, Assaults,
    losses.Losses, Advances, retreat.Retreats, home_forces.HomeRetreat, InvasionOver, Exploitation, MustAdvance,
    supply.Isolation, CombatEnd, CombatCount,
    # ---- surrender
    surrender.Fallen, surrender.Surrenders, surrender.ItalianLosses, surrender.SovietOffer, surrender.MoraleGone,
    # ---- production
    ProductionPhase, Production, arsenal.EscortTrade, shipyard.Commissioning, leaders.LeaderDraw,
    # ---- research
    Research,
)  # fmt: skip
"""Every step of the game, in the order of play."""
