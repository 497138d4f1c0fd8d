"""World War II in Europe as the core sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from sandtable.core import Action, Event, Game, Match, Odds, Option, Play, Scenario, Texts, View
from sandtable.core.data import OptionValue
from sandtable.core.game import Assumed, Benchmark, Maker
from sandtable.core.table import Table

from . import sequence
from .model.actions import ACTIONS
from .model.atlas import ATLAS
from .model.calendar import turn_name, turn_track
from .model.events import EVENTS
from .model.setup import begin
from .model.state import W2State
from .odds.large import large_battle
from .odds.preview import preview
from .odds.whole import battle_ahead, shown_odds
from .rules.faults import faults
from .screen.measures import battle_place, measures
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
    rules_version = 2
    roles = ATLAS.powers
    alliances: ClassVar = {
        side: tuple(name for number, name in enumerate(ATLAS.powers) if ATLAS.side[number] == place)
        for place, side in enumerate(("axis", "allies"))
    }
    scenarios: ClassVar = {
        "fall-1939": Scenario("fall-1939", turns=len(turn_track("fall-1939"))),
        "spring-1941": Scenario(
            "spring-1941", turns=len(turn_track("spring-1941")),
            roles=tuple(name for name in ATLAS.powers if name != "france"),
        ),
    }  # fmt: skip
    options: ClassVar = {name: Option(name, rule=rule) for name, rule in OPTIONS.items()}
    home = Path(__file__).parent
    state_type = W2State
    steps = sequence.STEPS
    actions = ACTIONS
    events = EVENTS
    _set_ups: ClassVar[dict[Any, W2State]] = {}

    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> W2State:
        """The set-up of a scenario, laid out once for each choice of options and copied for each match."""
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
        return make_table(view, texts)

    def preview(self, m: Play[W2State], role: str, action: Action) -> Odds | None:
        return preview(m, role, action)

    def whole_odds(
        self, match: Match[W2State], role: str, action: Action, assumed: Mapping[str, Assumed]
    ) -> Odds | None:
        return battle_ahead(match, role, action)

    def shown_odds(self, match: Match[W2State], role: str, action: Action) -> Odds | None:
        return shown_odds(match, role, action)

    def players(self) -> Mapping[str, Maker]:
        from .players import PLAYERS

        return PLAYERS

    def benchmark(self) -> Benchmark:
        return Benchmark("fall-1939", 4000, large_battle)

    def faults(self, state: W2State) -> Sequence[str]:
        return faults(state)

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
