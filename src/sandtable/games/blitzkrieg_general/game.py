"""The Game: Blitzkrieg General, basic and advanced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar

from sandtable.core import Event, Game, Match, Odds, Offer, Option, Play, Role, Scenario, Step, Texts, View, Window
from sandtable.core.data import Action, OptionValue
from sandtable.core.game import Assumed, Benchmark, Maker
from sandtable.core.table import Table

from .model.actions import ACTIONS
from .model.atlas import HOME, MAJORS, atlas
from .model.events import EVENTS
from .model.faults import faults
from .model.setup import begin
from .model.state import BKState
from .odds.policy import ASSUMPTIONS
from .rules import (
    aftermath,
    battle,
    battles,
    cards,
    naval,
    production,
    reaction,
    reinforcements,
    research,
    retreat,
    search,
    secrecy,
)
from .rules import options as choices
from .rules import (
    us_entry as usentry,
)
from .rules.phase import Phase
from .screen.measures import battle_place, measures
from .sequence import Segment, Turn

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
    rules_version = 3
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
        name: Option(name, rule=rule, scenarios=where) for name, rule, where in OPTIONS
    }
    home = HOME
    state_type = BKState
    steps: ClassVar[tuple[type[Step], ...]] = (
        Turn, Segment, Phase, Window, naval.Group, search.Intercept, search.Searches, search.NavalReaction,
        search.Pinned, reaction.Reaction, battles.Combats, battle.Fight, retreat.AskRetreat, retreat.Withdrawal,
        aftermath.TakeOver, aftermath.Landing, aftermath.CoastalHit, aftermath.LiberateOrKeep,
        reinforcements.Reinforcements,
        production.Production, production.LendLease, choices.ChooseFirst, choices.ChooseAlliances, choices.SetUp,
        *cards.STEPS, *research.STEPS, *usentry.STEPS,
    )  # fmt: skip
    actions: ClassVar[tuple[type[Action], ...]] = ACTIONS
    events = EVENTS
    assumptions = ASSUMPTIONS

    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> BKState:
        # what is on the table at the start is shared by all matches that start so
        start = _start(scenario, tuple(sorted(options.items(), key=lambda option: option[0])))
        state = self.codec.clone(start)
        state.options = options
        state.stack = (Turn(),)
        if state.advanced:
            state.stack = (*state.stack, cards.Shuffle())
        if options.get("historical"):
            state.stack = (*state.stack, choices.SetUp())
        if options.get("free-alliances"):
            state.stack = (*state.stack, choices.ChooseAlliances())
        return state

    def table(self, view: View[BKState], texts: Texts) -> Table:
        from .screen.table import lay_out

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
        return cards.WINDOWS

    def default_windows(self, state: BKState, role: Role) -> Sequence[str]:
        return cards.default_windows(state, MAJORS.index(role))

    def window_offers(self, m: Play[BKState], role: Role, name: str) -> Sequence[Offer]:
        return cards.play_offers(m, MAJORS.index(role), name)

    def window_take(self, m: Play[BKState], role: Role, action: Any, name: str) -> None:
        cards.play(m, MAJORS.index(role), action)

    def preview(self, m: Play[BKState], role: Role, action: Action) -> Odds | None:
        from .odds.preview import preview

        return preview(m, role, action)

    def whole_odds(
        self, match: Match[BKState], role: Role, action: Action, assumed: Mapping[str, Assumed]
    ) -> Odds | None:
        from .odds.shown import whole_odds

        return whole_odds(match, role, action, assumed)

    def shown_odds(self, match: Match[BKState], role: Role, action: Action) -> Odds | None:
        from .odds.shown import shown_odds

        return shown_odds(match, role, action)

    def players(self) -> Mapping[str, Maker]:
        from .players import PLAYERS

        return PLAYERS

    def benchmark(self) -> Benchmark:
        from .odds.large import large_battle

        return Benchmark("1939-basic", 4000, large_battle)

    # ---- what a student of the game looks at
    def turn(self, state: BKState) -> str:
        return atlas().turns[state.turn]

    def turn_name(self, turn: str, texts: Texts) -> str:
        """'3/39' as the table tells it."""
        from .screen.table import quarter_name

        return quarter_name(atlas().turns.index(turn), texts) if turn in atlas().turns else turn

    def measures(self, state: BKState) -> Mapping[str, float]:
        return measures(state)

    def battle_place(self, event: Event) -> str | None:
        return battle_place(event)


@lru_cache(maxsize=32)
def _start(scenario: str, options: tuple[tuple[str, OptionValue], ...]) -> BKState:
    return begin(scenario, dict(options))


GAME = BlitzkriegGeneral()
