"""The sequence of play: seasons, player-turns, phases.

    season -> for each side: [entries] [strategic warfare] movement, combat, production [research] -> next season

Strategic warfare and research belong to Campaign Game II.  [hw-seq-1] [hw-seq-2] [hw-fall-seq-1] [hw-c2-seq]
"""

from __future__ import annotations

from sandtable.core import Step

from .model.atlas import ATLAS, AXIS, SIDES
from .model.events import PlayerTurnBegan, TurnBegan
from .model.state import M
from .rules import entry, victory
from .rules.budget import update_mobilization
from .rules.combat import CombatPhase
from .rules.firepower import note_winter
from .rules.movement import Movement
from .rules.naval import movement as fleet_moves
from .rules.production import ProductionPhase
from .rules.research import Research
from .rules.strategic.warfare import StrategicPhase
from .rules.supply import find_stuck


class Season(Step, frozen=True, tag="season"):
    """One box of the time record: every side takes its turn, then the marker moves on.  [hw-seq-2] [hw-map-turns]"""

    rule = "hw-seq-2"

    def run(self, m: M) -> None:
        s = m.state
        m.emit(TurnBegan(turn=f"@{ATLAS.turns[s.turn]}"))
        m.replace(*(PlayerTurn(side) for side in s.setting.order), SeasonEnd())


class SeasonEnd(Step, frozen=True, tag="season-end"):
    """The game ends with its last season, otherwise the next one begins.  [hw-bar-turns] [hw-fall-turns]
    [hw-c1-turns]"""

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
        if s.setting.technology:
            phases: tuple[Step, ...] = (
                StrategicPhase(), MovementPhase(), CombatPhase(), ProductionPhase(), Research(),
            )  # fmt: skip
        else:
            phases = (MovementPhase(), CombatPhase(), ProductionPhase())
        m.replace(*phases)
        if self.side == AXIS:
            note_winter(s)
        update_mobilization(s)
        entry.dated_entries(m)


class MovementPhase(Step, frozen=True, tag="movement-phase"):
    """Armies without supply are marked, then the side moves.  [hw-unsupplied-3] [hw-fleetmove-1]"""

    rule = "hw-move-1"

    def run(self, m: M) -> None:
        s = m.state
        find_stuck(s, s.side)
        s.lifted = {}
        s.voyagers = {}
        s.lanes = {}
        s.crossed = 0
        m.replace(*fleet_moves.home_to_port(m), Movement())
