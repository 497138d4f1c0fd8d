"""The Game: Blitzkrieg General, basic and advanced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from sandtable.core import Event, Game, Match, Odds, Offer, Option, Play, Role, Scenario, Step, Texts, Trial, View
from sandtable.core.chronicle import Chronicle
from sandtable.core.data import Action, OptionValue
from sandtable.core.game import Assumed, Benchmark, Maker
from sandtable.core.gauges import Standing
from sandtable.core.judge import Judge
from sandtable.core.referee import Referee
from sandtable.core.schema import Schema
from sandtable.core.table import Table
from sandtable.odds.losses import all_losses

from . import position
from .model.actions import ACTIONS
from .model.atlas import ATLAS, MAJORS
from .model.events import EVENTS
from .model.printed import HOME
from .model.state import BKState
from .odds.ahead import give_up
from .odds.large import large_battle
from .odds.policy import ASSUMPTIONS
from .odds.preview import preview
from .odds.shown import shown_odds, whole_odds
from .rules import secrecy
from .rules.cards.playing import WINDOWS, default_windows, play, play_offers
from .rules.faults import faults
from .rules.setup import begin
from .screen import gauges
from .screen.gestures import GESTURES
from .screen.measures import battle_place, measures
from .screen.scenes import SCENES
from .screen.table import lay_out, quarter_name
from .sequence import STEPS, opening

OPTIONS = (
    ("historical", "bg-scn39-historical-option", ()),
    ("world-conquest", "bg-8.5-world", ("1939-advanced", "1941-advanced")),
    ("aircraft-searches", "bg-opt-9.1", ("1939-advanced", "1941-advanced")),
    ("coup-surrender", "bg-opt-9.2", ("1939-advanced", "1941-advanced")),
    ("assembly", "bg-opt-9.3-assemble", ()),
    ("alternative-reconquest", "bg-opt-9.4", ()),
    ("naval-hq-on-tf", "bg-opt-9.5", ()),
    ("cape-magellan", "bg-opt-9.6", ()),
    ("rail-increase", "bg-opt-9.7", ("1939-advanced", "1941-advanced")),
    ("isolated-areas", "bg-opt-9.8", ()),
    ("coup-in-iran", "bg-opt-9.9", ("1939-advanced", "1941-advanced")),
    ("free-alliances", "bg-opt-9.10", ("1939-basic", "1939-advanced")),
    ("cooperation", "bg-opt-9.11-limits", ()),
    ("fog-of-war", "bg-opt-9.12-fog", ()),
    ("alternate-initiative", "bg-opt-9.13", ("1939-advanced", "1941-advanced")),
    ("research-keeps-numbers", "bg-opt-9.14", ("1939-advanced", "1941-advanced")),
)


class BlitzkriegGeneral(Game[BKState]):
    """Eight major countries in two alliances over two maps, a quarter of a year per turn."""

    id = "blitzkrieg-general"
    title = "Blitzkrieg General"
    rules_version = 5
    stakes = ("strength", "air", "ships")
    roles = MAJORS
    alliances: ClassVar[Mapping[str, tuple[Role, ...]]] = {
        "axis": ("germany", "italy", "japan"),
        "allies": ("be", "usa", "ussr", "france", "china"),
    }
    scenarios: ClassVar[Mapping[str, Scenario]] = {
        "1939-basic": Scenario("1939-basic", 26),
        "1939-advanced": Scenario("1939-advanced", 26),
        "1941-advanced": Scenario("1941-advanced", 19),
    }
    options: ClassVar[Mapping[str, Option]] = {
        **{name: Option(name, rule=rule, scenarios=where) for name, rule, where in OPTIONS},
        "handicap": Option(
            "handicap", 0, (-8, -4, 0, 4, 8, 12, 16, 20), later=True, even={"1939-basic": 12, "1939-advanced": 20}
        ),
    }
    home = HOME
    state_type = BKState
    steps: ClassVar[tuple[type[Step], ...]] = STEPS
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events = EVENTS
    assumptions = ASSUMPTIONS
    gestures = GESTURES
    scenes = SCENES

    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> BKState:
        state = begin(scenario, options)
        state.stack = opening(state)
        return state

    def table(self, view: View[BKState], texts: Texts) -> Table:
        return lay_out(view, texts)

    def faults(self, state: BKState) -> Sequence[str]:
        return faults(state)

    def sides(self, state: BKState) -> Mapping[str, tuple[Role, ...]]:
        """Who plays together may have been agreed upon otherwise. [bg-opt-9.10]"""
        if not state.options.get("free-alliances"):
            return self.alliances
        found: dict[str, list[Role]] = {}
        for number, role in enumerate(MAJORS):
            found.setdefault(str(state.side[number]), []).append(role)
        return {side: tuple(roles) for side, roles in found.items()}

    # ---- hidden things
    def redact(self, state: BKState, role: Role | None) -> None:
        secrecy.redact(state, role)

    def determinize(self, view: View[BKState], rng: Random) -> BKState:
        state = self.codec.clone(view.state)
        secrecy.determinize(state, view.role, rng)
        return state

    def scramble(self, state: BKState, role: Role, rng: Random) -> BKState:
        other = self.codec.clone(state)
        secrecy.scramble(other, role, rng)
        return other

    # ---- windows
    def windows(self) -> Sequence[str]:
        return WINDOWS

    def default_windows(self, state: BKState, role: Role) -> Sequence[str]:
        return default_windows(state, MAJORS.index(role))

    def window_offers(self, m: Play[BKState], role: Role, name: str) -> Sequence[Offer]:
        return play_offers(m.state, MAJORS.index(role), name)

    def window_take(self, m: Play[BKState], role: Role, action: Any, name: str) -> None:
        play(m, MAJORS.index(role), action)

    def arrange(self, m: Play[BKState], words: Mapping[str, Any]) -> None:
        position.arrange(m, words)

    def preview(self, m: Play[BKState], role: Role, action: Action) -> Odds | None:
        return preview(m, role, action)

    def whole_odds(
        self, match: Match[BKState], role: Role, action: Action, assumed: Mapping[str, Assumed]
    ) -> Odds | None:
        return whole_odds(match, role, action, assumed)

    def shown_odds(self, match: Match[BKState], role: Role, action: Action) -> Odds | None:
        return shown_odds(match, role, action)

    def losses(self, match: Match[BKState], role: Role) -> Sequence[Action]:
        return all_losses(match, role, give_up)

    def trial(self, match: Match[BKState], role: Role, action: Action, card: Odds) -> Trial | None:
        from .odds.trial import trial

        return trial(match, role, action, card)

    def standing(self, m: Play[BKState]) -> Standing:
        return gauges.standing(m)

    def players(self) -> Mapping[str, Maker]:
        from .players import PLAYERS

        return PLAYERS

    def schema(self) -> Schema:
        from .model.schema import SCHEMA

        return SCHEMA

    def judge(self) -> Judge[BKState]:
        from .players.features import JUDGE

        return JUDGE

    def chronicle(self) -> Chronicle[BKState]:
        from .players.chronicle import CHRONICLE

        return CHRONICLE

    def referee(self) -> Referee[BKState]:
        from .referee import BlitzkriegReferee

        return BlitzkriegReferee()

    def benchmark(self) -> Benchmark:
        return Benchmark("1939-basic", 4000, large_battle)

    # ---- what a student of the game looks at
    def turn(self, state: BKState) -> str:
        return ATLAS.turns[state.turn]

    def turn_name(self, turn: str, texts: Texts) -> str:
        """Return '3/39' as the table says it."""
        return quarter_name(ATLAS.turns.index(turn), texts) if turn in ATLAS.turns else turn

    def measures(self, state: BKState) -> Mapping[str, float]:
        return measures(state)

    def battle_place(self, event: Event) -> str | None:
        return battle_place(event)


GAME = BlitzkriegGeneral()
