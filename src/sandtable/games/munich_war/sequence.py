"""The sequence of play (chapter 4): which step follows which."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Step

from .facts.board import aloft
from .facts.politics import side_of
from .model.atlas import ALLIES, ATLAS, AXIS, NOBODY, PHASES, SIDES
from .model.events import PhaseBegan, ScenarioRolled, TurnBegan
from .model.setup import order_of_setup
from .model.state import FLOWN, SURPRISED, M, MunichState, lower
from .rules.air import home
from .rules.air_phase import AirIntercept, AirLaunch
from .rules.combat_phase import Combat
from .rules.control import settle_control
from .rules.events_phase import EventsPhase
from .rules.mobilization import collect
from .rules.mobilization_phase import Arrivals, Refresh, Spend
from .rules.movement_phase import Movement
from .rules.politics import join
from .rules.setup import prepare_soviets
from .rules.setup_phase import Deploy
from .rules.surprise import SurpriseAttack
from .rules.surrender import SurrenderPhase
from .rules.terror_phase import TerrorBombing
from .rules.victory import decide

_BEGINS = {
    (name, side): PhaseBegan(phase=f"@phase-{name}", side=f"@{SIDES[side]}")
    for name in PHASES
    for side in (AXIS, ALLIES)
}


class Begin(Step, frozen=True, tag="mw.begin"):
    """[mw-3.2] [mw-3.3-start] [mw-3.4-a] [mw-5.0-b] Settle the scenario, who fights whom, and the order of set-up."""

    rule = "mw-3.2"

    def run(self, m: M) -> None:
        state = m.state
        if not state.plan:
            state.plan = ATLAS.by_die[m.roll(6, why="mw-3.2")]
            names = {number: name for name, number in ATLAS.rules["scenarios"].items()}
            m.emit(ScenarioRolled(scenario=f"@scenario-{names[state.plan]}"))
        plan = ATLAS.plans[state.plan]
        for side in (AXIS, ALLIES):
            for country in plan.sides[side]:
                join(m, country, side, "scenario")
        if m.option("soviet-preparedness"):
            prepare_soviets(m)
        steps: list[Step] = [Deploy(country, side) for country, side in order_of_setup(plan)]
        if m.option("german-surprise-attack"):
            steps.append(SurpriseAttack())
        m.replace(*steps, Turn())


class Turn(Step, frozen=True, tag="mw.turn"):
    """[mw-4.0-turn] [mw-4.0-order] A game turn: events, the Axis player turn, the Allied player turn, its end."""

    rule = "mw-4.0-turn"
    place: int = 0

    def run(self, m: M) -> None:
        state = m.state
        if self.place == 0:
            state.turn += 1
            state.rail_used = (0,) * len(state.rail_used)
            state.phasing = NOBODY
            m.emit(TurnBegan(turn=state.turn, name=f"@turn-{state.turn}"))
            m.amend(Turn(1))
            m.push(EventsPhase())
        elif self.place <= 2:
            m.amend(Turn(self.place + 1))
            m.push(PlayerTurn(self.place - 1))
        else:
            end_turn(m)


def end_turn(m: M) -> None:
    """[mw-4.0-end] [mw-3.3-end] [mw-16.2-a] The markers move on; after the last turn the score is taken."""
    state = m.state
    lower(state, FLOWN)
    if state.turn >= ATLAS.plans[state.plan].turns:
        decide(m)
    else:
        m.replace(Turn())


class PlayerTurn(Step, frozen=True, tag="mw.player-turn"):
    """[mw-2.2-d] [mw-4.0-mob] [mw-4.0-air] [mw-4.0-move] [mw-4.0-combat] [mw-4.0-return] [mw-4.0-surrender]"""

    rule = "mw-4.0-turn"
    side: int
    place: int = 0

    def run(self, m: M) -> None:
        m.state.phasing = self.side
        settle_control(m)  # the phase before this one has ended
        if self.place == len(PHASES):
            m.pop()
            return
        name = PHASES[self.place]
        m.amend(_PLAYER_TURNS[self.side][self.place + 1])
        if name == "mobilization" and m.state.turn == 1:
            m.push(Skip())  # [mw-7.1-skip]
        else:
            m.emit(_BEGINS[name, self.side])
            m.push(*_STEPS[name, self.side])


class Skip(Step, frozen=True, tag="mw.skip"):
    """A phase that is left out."""

    def run(self, m: M) -> None:
        m.pop()


class Income(Step, frozen=True, tag="mw.income"):
    """[mw-7.1-a] Replacement points are counted."""

    rule = "mw-7.1-a"
    side: int

    def run(self, m: M) -> None:
        collect(m, self.side)
        m.pop()


class AirReturn(Step, frozen=True, tag="mw.return"):
    """[mw-4.0-return] [mw-23.2-note] What still flies goes to Utilized; a surprise is over after one Axis turn."""

    rule = "mw-4.0-return"
    side: int

    def run(self, m: M) -> None:
        for unit in aloft(m.state):
            if side_of(m.state, unit) == self.side:
                home(m, unit)
        lower(m.state, SURPRISED)
        m.pop()


def _steps_of(name: str, side: int) -> Sequence[Step]:
    """The steps of a phase."""
    if name == "mobilization":
        return (Refresh(side), Arrivals(side), Income(side), Spend(side))
    if name == "air":
        return (AirLaunch(side), AirIntercept(1 - side), TerrorBombing(side))
    if name == "movement":
        return (Movement(side),)
    if name == "combat":
        return (Combat(side),)
    if name == "return":
        return (AirReturn(side),)
    return (SurrenderPhase(side),)


_STEPS = {(name, side): _steps_of(name, side) for name in PHASES for side in (AXIS, ALLIES)}
_PLAYER_TURNS = [[PlayerTurn(side, place) for place in range(len(PHASES) + 1)] for side in (AXIS, ALLIES)]
"""By side and place: a step never changes, so one of each will do."""


def phase_now(state: MunichState) -> tuple[int, int] | None:
    """Whose player turn it is, and the place of its phase; None outside of player turns."""
    turns = [step for step in state.stack if isinstance(step, PlayerTurn)]
    return (turns[-1].side, max(0, turns[-1].place - 1)) if turns else None
