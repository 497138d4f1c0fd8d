"""World War II in Europe as the core sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from sandtable.core import Action, Chronicle, Event, Game, Match, Odds, Option, Play, Scenario, Texts, Trial, View
from sandtable.core.data import OptionValue
from sandtable.core.game import Assumed, Benchmark, Maker
from sandtable.core.gauges import Standing
from sandtable.core.judge import Judge
from sandtable.core.referee import Referee
from sandtable.core.schema import Schema
from sandtable.core.table import Table
from sandtable.odds.losses import all_losses

from . import position, sequence
from .model.actions import ACTIONS
from .model.atlas import ATLAS, SIDES
from .model.calendar import turn_name, turn_track
from .model.events import EVENTS
from .model.setup import SCENARIOS, begin, powers_in_play
from .model.state import W2State
from .odds.ahead import give_up
from .odds.large import large_battle
from .odds.preview import preview
from .odds.whole import battle_ahead, shown_odds
from .referee import WarReferee
from .rules.faults import faults
from .screen import gauges
from .screen.gestures import GESTURES
from .screen.measures import battle_place, measures
from .screen.scenes import SCENES
from .screen.table import make_table

OPTIONS = {
    "technology": "w2e-tech-rolls",
    "french-armistice": "w2e-armistice-french-offer",
    "italian-armistice": "w2e-armistice-italian-offer",
    "leaders": "w2e-leaders-general",
    "waffen-ss-tanks": "w2e-special-ss-tanks",
    "waffen-ss-mech": "w2e-special-ss-mech",
    "raiders": "w2e-special-raiders",
    "channel-dash": "w2e-special-channel-dash",
    "wolf-packs": "w2e-special-wolfpack",
    "shock-armies": "w2e-special-shock",
    "guards-infantry": "w2e-special-guards-inf",
    "guards-tanks": "w2e-special-guards-tanks",
    "eighth-air-force": "w2e-special-eighth",
    "marines": "w2e-special-marines",
    "sas": "w2e-special-sas",
    "bomber-command": "w2e-special-sac",
    "sneak-attack": "w2e-special-sneak",
    "midget-submarines": "w2e-special-midget",
    "frogmen": "w2e-special-frogmen",
    "advanced-naval": "w2e-adv-naval-replace",
}
"""Every optional rule with the ledger item that brings it in."""

_MOST_SET_UPS = 64


class WorldWarTwoInEurope(Game[W2State]):
    id = "ww2-europe"
    title = "World War II in Europe"
    rules_version = 6
    worth: ClassVar[Mapping[str, float]] = {"minor": 0.5}
    stakes = ("strength", "air", "ships", "income")
    roles = ATLAS.powers
    alliances: ClassVar = {
        side: tuple(name for number, name in enumerate(ATLAS.powers) if ATLAS.side[number] == place)
        for place, side in enumerate(SIDES)
    }
    scenarios: ClassVar = {
        name: Scenario(name, turns=len(turn_track(name)), roles=powers_in_play(name)) for name in SCENARIOS
    }
    options: ClassVar = {name: Option(name, rule=rule) for name, rule in OPTIONS.items()} | {
        "handicap": Option("handicap", 0, (-90, -60, -30, 0, 30, 60, 90), later=True),
    }
    home = Path(__file__).parent
    state_type = W2State
    steps = sequence.STEPS
    actions = ACTIONS
    events = EVENTS
    gestures = GESTURES
    scenes = SCENES
    _set_ups: ClassVar[dict[Any, W2State]] = {}

    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> W2State:
        """Return the set-up of a scenario: made once for each choice of options and copied for each match."""
        key = (scenario, *sorted(options.items()))
        known = self._set_ups.get(key)
        if known is None:
            known = begin(scenario, options)
            known.stack = (sequence.Turn(),)
            if len(self._set_ups) >= _MOST_SET_UPS:
                self._set_ups.clear()
            self._set_ups[key] = known
        state = self.codec.clone(known)
        state.options = options
        return state

    def table(self, view: View[W2State], texts: Texts) -> Table:
        return make_table(self, view, texts)

    def arrange(self, m: Play[W2State], words: Mapping[str, Any]) -> None:
        position.arrange(m, words)

    def preview(self, m: Play[W2State], role: str, action: Action) -> Odds | None:
        return preview(m, role, action)

    def whole_odds(
        self, match: Match[W2State], role: str, action: Action, assumed: Mapping[str, Assumed]
    ) -> Odds | None:
        return battle_ahead(match, role, action)

    def shown_odds(self, match: Match[W2State], role: str, action: Action) -> Odds | None:
        return shown_odds(match, role, action)

    def losses(self, match: Match[W2State], role: str) -> Sequence[Action]:
        return all_losses(match, role, give_up)

    def trial(self, match: Match[W2State], role: str, action: Action, card: Odds) -> Trial | None:
        from .odds.trial import trial

        return trial(match, role, action, card)

    def standing(self, m: Play[W2State]) -> Standing:
        return gauges.standing(m)

    def players(self) -> Mapping[str, Maker]:
        from .players import PLAYERS

        return PLAYERS

    def schema(self) -> Schema:
        from .model.schema import SCHEMA

        return SCHEMA

    def judge(self) -> Judge[W2State]:
        from .players.features import JUDGE

        return JUDGE

    def chronicle(self) -> Chronicle[W2State]:
        from .players.chronicle import CHRONICLE

        return CHRONICLE

    def benchmark(self) -> Benchmark:
        return Benchmark("fall-1939", 4000, large_battle, steps=2000)

    def faults(self, state: W2State) -> Sequence[str]:
        return faults(state)

    def referee(self) -> Referee[W2State]:
        return WarReferee()

    def turn(self, state: W2State) -> str:
        return turn_name(state)

    def public(self, state: W2State) -> bool:
        """Everything lies open on the board: orders are declared, money and builds are seen by all."""
        return True

    def measures(self, state: W2State) -> Mapping[str, float]:
        return measures(state)

    def battle_place(self, event: Event) -> str | None:
        return battle_place(event)


GAME = WorldWarTwoInEurope()
