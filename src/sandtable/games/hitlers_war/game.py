"""The Game: scenarios, options, roles, and how the core reaches the rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from sandtable.core import Action, Event, Game, Match, Odds, Option, Scenario, Texts, Trial, View
from sandtable.core.chronicle import Chronicle
from sandtable.core.game import Assumed, Benchmark, Maker
from sandtable.core.gauges import Standing
from sandtable.core.judge import Judge
from sandtable.core.referee import Referee
from sandtable.core.schema import Schema
from sandtable.core.table import Table
from sandtable.odds.losses import all_losses

from . import position, sequence
from .model import setup
from .model.actions import ACTIONS
from .model.atlas import ATLAS, HOME, SIDES
from .model.events import EVENTS
from .model.scenarios import SETTINGS, Setting
from .model.state import M, War
from .odds import attack, large, policy, preview, whole
from .rules import faults
from .rules.losses import Losses
from .screen import gauges, gestures, measures, scenes, table

_POLITICS = tuple(name for name, setting in SETTINGS.items() if setting.politics)
_TECHNOLOGY = tuple(name for name, setting in SETTINGS.items() if setting.technology)
_THREE_SIDES = tuple(name for name, setting in SETTINGS.items() if len(setting.order) == len(SIDES))


def _scenario(name: str, setting: Setting) -> Scenario:
    roles = tuple(SIDES[side] for side in setting.order)
    return Scenario(name, setting.last_turn - setting.first_turn + 1, roles if roles != SIDES else ())


class HitlersWar(Game[War]):
    """Hitler's War, for two and three players."""

    id = "hitlers-war"
    title = "Hitler's War"
    rules_version = 3
    worth: ClassVar[Mapping[str, float]] = {"marginal": 0.5, "substantial": 0.75}
    stakes = ("strength", "industry", "ships")
    roles = SIDES
    alliances: ClassVar[Mapping[str, tuple[str, ...]]] = {"axis": ("axis",), "allies": ("soviet", "allies")}
    scenarios: ClassVar[Mapping[str, Scenario]] = {name: _scenario(name, setting) for name, setting in SETTINGS.items()}
    options: ClassVar[Mapping[str, Option]] = {
        "players": Option("players", 3, (2, 3), _THREE_SIDES, "hw-fall-seq-2"),
        "leaders": Option("leaders", rule="hw-leader-1"),
        "unaligned_forces": Option("unaligned_forces", scenarios=_POLITICS, rule="hw-home-1"),
        "italian_army": Option("italian_army", scenarios=_POLITICS, rule="hw-ital-1"),
        "naval_action": Option("naval_action", scenarios=_TECHNOLOGY, rule="hw-nav-1"),
        "ship_builds": Option("ship_builds", scenarios=_TECHNOLOGY, rule="hw-ship-1"),
        "carriers": Option("carriers", scenarios=_TECHNOLOGY, rule="hw-carrier-1"),
        "partisans_against_armies": Option("partisans_against_armies", scenarios=_TECHNOLOGY, rule="hw-partisan-1"),
        "handicap": Option("handicap", 0, (-30, -20, -10, 0, 10, 20, 30), later=True),
    }
    home = HOME
    state_type = War
    steps = sequence.STEPS
    actions = ACTIONS
    events = EVENTS
    assumptions = whole.ASSUMPTIONS
    gestures = gestures.GESTURES
    scenes = scenes.SCENES

    def begin(self, scenario: str, options: Mapping[str, Any]) -> War:
        state = setup.begin(scenario, options)
        state.stack = sequence.opening(state)
        return state

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

    def preview(self, m: M, role: str, action: Action) -> Odds | None:
        return preview.preview(m, role, action)

    def whole_odds(self, match: Match[War], role: str, action: Action, assumed: Mapping[str, Assumed]) -> Odds | None:
        return whole.whole_odds(match, action, assumed)

    def shown_odds(self, match: Match[War], role: str, action: Action) -> Odds | None:
        return attack.shown_odds(match, role, action)

    def losses(self, match: Match[War], role: str) -> Sequence[Action]:
        return all_losses(
            match, role, lambda at, asked: policy.choose(at, asked) if isinstance(at.step, Losses) else None
        )

    def trial(self, match: Match[War], role: str, action: Action, card: Odds) -> Trial | None:
        from .odds.trial import trial

        return trial(match, role, action)

    def arrange(self, m: M, words: Mapping[str, Any]) -> None:
        position.arrange(m, words)

    def standing(self, m: M) -> Standing:
        return gauges.standing(m)

    def players(self) -> Mapping[str, Maker]:
        from .players import PLAYERS

        return PLAYERS

    def schema(self) -> Schema:
        from .model.schema import SCHEMA

        return SCHEMA

    def judge(self) -> Judge[War]:
        from .players.features import JUDGE

        return JUDGE

    def chronicle(self) -> Chronicle[War]:
        from .players.chronicle import CHRONICLE

        return CHRONICLE

    def referee(self) -> Referee[War]:
        from .referee import WarReferee

        return WarReferee()

    def benchmark(self) -> Benchmark:
        return Benchmark("barbarossa", 200, large.large_battle, steps=5000)


GAME = HitlersWar()
__all__ = ["ATLAS", "GAME", "HitlersWar"]
