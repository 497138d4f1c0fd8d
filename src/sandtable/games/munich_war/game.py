"""The Game: scenarios, options, roles, how a match starts (chapters 1 and 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from sandtable.core import (
    Action,
    Chronicle,
    Event,
    Game,
    Match,
    Odds,
    Option,
    Play,
    Role,
    Scenario,
    SealedDice,
    Step,
    Texts,
    Trial,
    View,
)
from sandtable.core.data import OptionValue
from sandtable.core.game import Benchmark, Maker
from sandtable.core.gauges import Standing
from sandtable.core.judge import Judge
from sandtable.core.referee import Referee
from sandtable.core.schema import Schema
from sandtable.core.table import Table
from sandtable.odds.losses import all_losses

from . import position
from .model.actions import ACTIONS
from .model.atlas import ATLAS, SIDES
from .model.events import EVENTS
from .model.state import M, MunichState, blank
from .odds.preview import choose, preview
from .rules import faults as invariants
from .rules.advance_phase import Pursuit
from .rules.air_phase import AirCombat, AirIntercept, AirLaunch
from .rules.combat_phase import Combat, CommitSupport
from .rules.events_phase import EventsPhase
from .rules.fog import guess, redact, scramble, side_named
from .rules.mobilization_phase import Arrivals, Refresh, Spend
from .rules.movement_phase import Movement
from .rules.results_phase import Aftermath, LoseAll, LoseSteps
from .rules.retreat_phase import RetreatAll
from .rules.setup_phase import Deploy
from .rules.stacking_phase import Overstack
from .rules.surprise import SurpriseAttack
from .rules.surrender import SurrenderPhase
from .rules.terror_phase import ChooseHit, TerrorBombing
from .screen import gauges
from .screen.counters import code_meanings, counter_names
from .screen.gestures import GESTURES
from .screen.measures import battle_place, measures
from .screen.scenes import SCENES
from .screen.table import lay_table
from .sequence import AirReturn, Begin, Income, PlayerTurn, Skip, Turn, phase_now

BY_DIE = "by-die"
EVEN = {
    "western-powers-guarantee": -6, "little-entente": -6, "intermarium": -6, "anti-comintern-war": -9, "general-war": 9,
}  # fmt: skip
"""The handicap with which generals win about as often on both sides: the table in docs/balance."""


class MunichWar(Game[MunichState]):
    """Munich War 1938.  [mw-1.0] [mw-1.1]"""

    id: ClassVar[str] = "munich-war"
    title: ClassVar[str] = "Munich War 1938"
    rules_version: ClassVar[int] = 5
    worth: ClassVar[Mapping[str, float]] = {"marginal-allied": 0.5, "major-axis": 0.75}
    stakes = ("attack", "defence", "air", "points")
    roles: ClassVar[tuple[Role, ...]] = SIDES
    alliances: ClassVar[Mapping[str, tuple[Role, ...]]] = {side: (side,) for side in SIDES}
    scenarios: ClassVar[Mapping[str, Scenario]] = {
        **{name: Scenario(name, turns=ATLAS.plans[number].turns) for name, number in ATLAS.rules["scenarios"].items()},
        BY_DIE: Scenario(BY_DIE),
    }
    options: ClassVar[Mapping[str, Option]] = {
        name: Option(name, rule=rule) for name, rule in ATLAS.rules["options"].items()
    } | {"handicap": Option("handicap", 0, (-12, -9, -6, -3, 0, 3, 6, 9, 12, 18), later=True, even=EVEN)}
    home: ClassVar[Path] = Path(__file__).parent
    state_type = MunichState
    steps: ClassVar[tuple[type[Step], ...]] = (
        Begin, Deploy, SurpriseAttack, Turn, EventsPhase, PlayerTurn, Skip, Refresh, Arrivals, Income, Spend, AirLaunch,
        AirIntercept, AirCombat, TerrorBombing, ChooseHit, Movement, Overstack, Combat, CommitSupport, LoseAll,
        LoseSteps, RetreatAll, Pursuit, Aftermath, AirReturn, SurrenderPhase,
    )  # fmt: skip
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events: ClassVar[tuple[type[Event], ...]] = EVENTS
    gestures = GESTURES
    scenes = SCENES

    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> MunichState:
        state = blank(scenario, dict(options))
        state.plan = ATLAS.rules["scenarios"].get(scenario, 0)
        state.stack = (Begin(),)
        return state

    def turn_name(self, turn: str, texts: Texts) -> str:
        """'3' as the calendar has it."""
        return texts.name(f"@turn-{turn}") if turn else texts.say("turn.setup")

    def names(self, texts: Texts) -> Mapping[str, str]:
        """Counters by country and name; the codes of the tables with what they mean."""
        return counter_names(texts) | code_meanings(texts)

    def faults(self, state: MunichState) -> Sequence[str]:
        return invariants.faults(state)

    def redact(self, state: MunichState, role: Role | None) -> None:
        redact(state, side_named(role))

    def determinize(self, view: View[MunichState], rng: Random) -> MunichState:
        state = self.codec.clone(view.state)
        guess(state, side_named(view.role), rng)
        return state

    def scramble(self, state: MunichState, role: Role, rng: Random) -> MunichState:
        other = self.codec.clone(state)
        scramble(other, side_named(role), rng)
        return other

    def arrange(self, m: M, words: Mapping[str, Any]) -> None:
        position.arrange(m, words)

    def preview(self, m: M, role: Role, action: Action) -> Odds | None:
        return preview(m, role, action)

    def losses(self, match: Match[MunichState], role: Role) -> Sequence[Action]:
        return all_losses(match, role, lambda at, asked: choose(at, asked) if isinstance(at.step, LoseSteps) else None)

    def trial(self, match: Match[MunichState], role: Role, action: Action, card: Odds) -> Trial | None:
        from .odds.trial import trial

        return trial(match, role, action)

    def standing(self, m: M) -> Standing:
        return gauges.standing(m)

    def players(self) -> Mapping[str, Maker]:
        from .players import PLAYERS

        return PLAYERS

    def schema(self) -> Schema:
        from .model.schema import SCHEMA

        return SCHEMA

    def judge(self) -> Judge[MunichState]:
        from .players.features import JUDGE

        return JUDGE

    def chronicle(self) -> Chronicle[MunichState]:
        from .players.chronicle import CHRONICLE

        return CHRONICLE

    def referee(self) -> Referee[MunichState]:
        from .referee import MunichReferee

        return MunichReferee()

    def benchmark(self) -> Benchmark:
        return Benchmark("little-entente", 300)

    def turn(self, state: MunichState) -> str:
        return str(state.turn) if state.turn else ""

    def measures(self, state: MunichState) -> Mapping[str, float]:
        return measures(Play(self, state, SealedDice("")))

    def battle_place(self, event: Event) -> str | None:
        return battle_place(event)

    def table(self, view: View[MunichState], texts: Texts) -> Table:
        return lay_table(self, view, texts, phase_now(view.state))


GAME = MunichWar()
