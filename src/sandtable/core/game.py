"""What a game gives to the rest of the project: rules, odds, computer players, benchmarks.

Nothing outside a game's folder knows the game by name. Whatever differs from game to game is a method here. Only
`begin`, `table` and `faults` have to be written; every other method has a default for games without that feature.
"""

from __future__ import annotations

import functools
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from .chronicle import BLANK, Chronicle
from .codec import Codec
from .data import Action, Event, OptionValue, Pass, Role, State
from .errors import Unknown
from .gauges import Standing
from .judge import PLAIN, Judge
from .odds import Odds, Trial
from .offers import Gesture, Offer, Offers
from .play import Play
from .referee import Referee
from .scene import Scene, Staging
from .schema import Schema
from .step import Step
from .table import Table
from .text import Texts

if TYPE_CHECKING:
    from .match import Match

S = TypeVar("S", bound=State)
_KINDS: Mapping[type, str] = {bool: "on or off", float: "a number from 0 on", tuple: "a list of names"}


class Option(msgspec.Struct, frozen=True):
    """An optional rule or a way to play. `choices` is empty for a switch that is on or off."""

    id: str
    default: OptionValue = False
    choices: tuple[OptionValue, ...] = ()
    scenarios: tuple[str, ...] = ()
    """Scenarios it is for; empty: all."""
    rule: str = ""
    later: bool = False
    """It came when matches had been saved. At its default a state does not mention it, just as theirs do not."""
    even: Mapping[str, OptionValue] = {}
    """Scenario -> the choice with which both sides win about as often, where that is not the default."""


class Scenario(msgspec.Struct, frozen=True):
    """A starting situation. Its name and blurb are in the text files under `scenario.<id>`."""

    id: str
    turns: int = 0
    roles: tuple[Role, ...] = ()
    """The roles that play in it; empty: all of the game's."""


class View(msgspec.Struct, Generic[S], frozen=True):
    """The match as one role may know it; for role None, what everybody may know."""

    game: str
    role: Role | None
    number: int
    asked: tuple[Role, ...]
    """The roles that are waited for, as far as everybody may know."""
    state: S
    """The state without what is hidden from the role."""

    def __repr__(self) -> str:
        """The view in one line; its columns are in `view.state`."""
        whose = f"as {self.role} may know it" if self.role else "as everybody may know it"
        columns = ", ".join(self.state.__struct_fields__)
        return f"<View {self.game} after {self.number} moves {whose}; columns of its state: {columns}>"


class Budget(msgspec.Struct, frozen=True):
    """How long a computer player may think about one phase of decisions."""

    seconds: float = 5.0
    """The limit, by the clock."""
    tries: int | None = None
    """How many tries a searching player makes, so that the same seed plays the same; None: as many as fit in."""
    cores: int = 1
    """How many processes it may think in. They change how much it thinks in a time, not what it makes of its tries."""


class Player(Protocol):
    """A computer player in one role. It is made with a seed and plays the same from the same seed."""

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action: ...


Maker = Callable[["Game[Any]", int | str], Player]
"""Makes a player of a game from a seed."""

Assumed = bool | float | tuple[str, ...]


class Assumption(msgspec.Struct, frozen=True):
    """Something that the odds of a whole battle assume about later choices. Whoever asks for the odds may change it.

    The type of the default is the type of every value: a switch, a number from 0 on, or a list of names.
    """

    id: str
    default: Assumed
    help: str


class Benchmark(msgspec.Struct, frozen=True):
    """What `sandtable bench` measures of a game besides random play."""

    captains: str = ""
    """The scenario that is timed between captains; empty: none."""
    chess_games: int = 0
    """How many random games of chess such a match may take at most, measured in the same run."""
    large_battle: Callable[[Game[Any]], tuple[str, Callable[[], object]]] | None = None
    """Sets up one of the game's largest battles: returns what it is, and a function that computes its odds."""
    steps: float = 0.0
    """How many steps a second its environment for learning aims at; 0: not said."""


class Game(ABC, Generic[S]):
    """A ruleset. There is one object per game; it never changes."""

    id: ClassVar[str]
    title: ClassVar[str]
    rules_version: ClassVar[int]
    roles: ClassVar[tuple[Role, ...]]
    alliances: ClassVar[Mapping[str, tuple[Role, ...]]]
    scenarios: ClassVar[Mapping[str, Scenario]]
    options: ClassVar[Mapping[str, Option]]
    home: ClassVar[Path]
    """The game's folder: data/ and text/ are in it."""
    state_type: type[S]
    steps: ClassVar[tuple[type[Step], ...]]
    actions: ClassVar[tuple[type[Action], ...]]
    events: ClassVar[tuple[type[Event], ...]]
    assumptions: ClassVar[Mapping[str, Assumption]] = {}
    """What `whole_odds` can be told to assume."""
    gestures: ClassVar[Mapping[str, Gesture]] = {}
    """By verb: how a hand plays an offer whose fields do not show it. Passing ends a step in every game."""

    stakes: ClassVar[tuple[str, ...]] = ()
    """The families of `measures` in which the luck of dice is counted, the most telling first; empty: all of them.

    More of it must be better for its side.
    """

    scenes: ClassVar[Mapping[Any, Staging]] = {}
    """By type of event: how it looks on the table. An event that is not in it is only told."""

    # ---- every game
    @abstractmethod
    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> S:
        """The state before the first step runs, with that step on its stack."""

    @abstractmethod
    def table(self, view: View[S], texts: Texts) -> Table:
        """The Table of a view: all that a screen shows."""

    @abstractmethod
    def faults(self, state: S) -> Sequence[str]:
        """Every invariant that does not hold; empty when the state is sound."""

    # ---- games with hidden information
    def redact(self, state: S, role: Role | None) -> None:
        """Remove from this copy of the state all that the role may not know."""

    def determinize(self, view: View[S], rng: Random) -> S:
        """A full state that agrees with the view; what is hidden is drawn at random. The view is not changed."""
        return self.codec.clone(view.state)

    def scramble(self, state: S, role: Role, rng: Random) -> S:
        """Another full state that differs from this one only in what the role may not know.

        The leak tests compare what the role is shown of both states. So this must not use `redact`, which they test: it
        works on the full state, not on a view. Games with hidden information override it.
        """
        return self.codec.clone(state)

    # ---- games with windows
    def default_windows(self, state: S, role: Role) -> Sequence[str]:
        """The windows at which a role without standing orders is asked."""
        return ()

    def windows(self) -> Sequence[str]:
        """The names of all windows of the game."""
        return ()

    def window_offers(self, m: Play[S], role: Role, name: str) -> Sequence[Offer]:
        """What a role may do at a window, besides passing."""
        return ()

    def window_take(self, m: Play[S], role: Role, action: Any, name: str) -> None:
        """Carry out what a role does at a window."""
        raise AssertionError(f"{self.id} has no window {name}")

    # ---- who plays together
    def sides(self, state: S) -> Mapping[str, tuple[Role, ...]]:
        """The alliances in this match; games in which they can change override it."""
        return self.alliances

    # ---- odds: `sandtable.odds` and `Match.preview` check the action first and cache the answer
    def preview(self, m: Play[S], role: Role, action: Action) -> Odds | None:
        """Exact odds of the next dice that the action would start; None where no dice would fall."""
        return None

    def whole_odds(self, match: Match[S], role: Role, action: Action, assumed: Mapping[str, Assumed]) -> Odds | None:
        """Exact odds of the whole battle that the action would start; None where the preview says everything.

        `assumed` has a value for each of the game's assumptions.
        """
        return None

    def shown_odds(self, match: Match[S], role: Role, action: Action) -> Odds | None:
        """What the screen shows before a player commits to the action, computed from what the role may know.

        It has to be fast: about a tenth of a second.
        """
        return match.preview(role, action)

    def losses(self, match: Match[S], role: Role) -> Sequence[Action]:
        """All hits that the role still has to take, hit by hit, as its odds assume; empty where it takes none."""
        return ()

    def trial(self, match: Match[S], role: Role, action: Action, card: Odds) -> Trial | None:
        """How the engine itself plays what these odds of the action tell, by the policy that they state; None: not yet.

        `sandtable prove` counts every fall of the dice in it and compares. Import it inside this method.
        """
        return None

    # ---- computer players
    def players(self) -> Mapping[str, Maker]:
        """The levels at which the computer plays this game, weakest first, each with what makes such a player.

        Import them inside this method: a match between people does not need them. A game without players of its own
        has the recruit of `sandtable.players`, who plays at random.
        """
        return {}

    def judge(self) -> Judge[S]:
        """What the learned judgement of a position is made from (`sandtable.players.judgement`).

        Import it inside this method, as players.
        """
        return PLAIN

    def chronicle(self) -> Chronicle[S]:
        """The dates and absurdities that `sandtable simulate` notes in matches. Import it inside this method."""
        return BLANK

    # ---- referee
    def referee(self) -> Referee[S] | None:
        """A second implementation of the rules that checks this one; None where there is none yet.

        Import it inside this method: play does not need it.
        """
        return None

    # ---- benchmarks
    def benchmark(self) -> Benchmark:
        """What `sandtable bench` measures of this game besides random play."""
        return Benchmark()

    # ---- positions of lessons and puzzles
    def arrange(self, m: Play[S], words: Mapping[str, Any]) -> None:
        """Change a scenario's first state as a prepared position says. Raises `Unknown` for words it does not know.

        `docs/writing-a-lesson.md` lists the words of each game.
        """
        if words:
            raise Unknown(f"{self.id} cannot arrange {', '.join(words)} in a position")

    # ---- the turn, and what is hidden
    def turn(self, state: S) -> str:
        """The current turn: a key of the text files under `turn.` or plain text ('1941-summer', '3')."""
        return ""

    def public(self, state: S) -> bool:
        """Whether nothing is hidden in this match, so that anybody may see all of it."""
        return False

    # ---- reports of simulations
    def measures(self, state: S) -> Mapping[str, float]:
        """Numbers to draw as curves over the turns: production, territory, strength of each side."""
        return {}

    # ---- environments for learning
    worth: ClassVar[Mapping[str, float]] = {}
    """By level of victory: the reward of the winners, above 0 and at most 1. A level that is not in it: 1."""

    def schema(self) -> Schema:
        """What `sandtable.env` shows of a state, table by table. Import it inside this method: play does not need it.

        It is applied to views, so that nothing hidden has to be left out.
        """
        return Schema()

    # ---- how a match stands
    def standing(self, m: Play[S]) -> Standing:
        """The conditions of victory as gauges, and how the match would end if it ended now.

        `m` is made for this question: its state is a copy of what a role may know, and may be changed.
        """
        return Standing()

    def battle_place(self, event: Event) -> str | None:
        """The space of the battle that this event reports; None for other events."""
        return None

    def scene(self, event: Event) -> Scene:
        """How an event looks on the table."""
        staging = self.scenes.get(type(event))
        return staging.scene(event) if staging is not None else Scene("note")

    def gesture(self, offer: Offer) -> Gesture:
        """How a hand plays an offer on the screen."""
        found = self.gestures.get(offer.verb)
        if found is not None:
            return found
        return Gesture(ends=True) if offer.act is Pass else offer.gesture()

    # ---- made from the above
    def __reduce__(self) -> str:
        """A game is a global of the module that defines it: copies and pickles of a match refer to it there."""
        return next(name for name, found in vars(sys.modules[type(self).__module__]).items() if found is self)

    @functools.cached_property
    def codec(self) -> Codec[S]:
        return Codec(self.state_type, self.steps, self.actions, self.events)

    @functools.cache  # noqa: B019 (one object per game, for ever)
    def texts(self, language: str) -> Texts:
        texts = Texts.load(self.home / "text", language, self.home / "data" / "map.json")
        return Texts(language, texts.sentences, {**texts.places, **self.names(texts)})

    def turn_name(self, turn: str, texts: Texts) -> str:
        """The title of a turn in the log, from what `turn` returned."""
        return texts.say(f"turn.{turn}") if f"turn.{turn}" in texts else texts.name(turn)

    def names(self, texts: Texts) -> Mapping[str, str]:
        """Names that neither the text files nor the map have, for example of counters, by id."""
        return {}

    def roles_in(self, scenario: str) -> tuple[Role, ...]:
        return self.scenarios[scenario].roles or self.roles

    def check_options(self, scenario: str, options: Mapping[str, Any]) -> dict[str, OptionValue]:
        """The match's options with defaults filled in. Raises `Unknown` for bad ones."""
        if scenario not in self.scenarios:
            raise Unknown(f"{self.id} has no scenario '{scenario}'; it has {', '.join(self.scenarios)}")
        chosen: dict[str, OptionValue] = {}
        for name, option in self.options.items():
            if not option.scenarios or scenario in option.scenarios:
                chosen[name] = option.default
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise Unknown(f"{self.id} has no option '{name}'; it has {known}")
            if name not in chosen:
                raise Unknown(f"the option '{name}' is not for the scenario '{scenario}'")
            allowed = self.options[name].choices or (False, True)
            if not any(value == choice and type(value) is type(choice) for choice in allowed):
                words = ", ".join(str(choice) for choice in allowed)
                raise Unknown(f"the option '{name}' cannot be '{value}'; it can be {words}")
            chosen[name] = value
        return chosen

    def open(self, scenario: str, options: Mapping[str, Any]) -> S:
        """The first state of a match with these options. Raises `Unknown` for bad ones."""
        chosen, known = self.check_options(scenario, options), self.options
        noted = {name: v for name, v in chosen.items() if not known[name].later or v != known[name].default}
        return self.begin(scenario, noted)

    def check_assumptions(self, given: Mapping[str, Any]) -> dict[str, Assumed]:
        """A value for each of the game's assumptions: the given one or the default. Raises `Unknown` for bad ones."""
        chosen = {name: assumption.default for name, assumption in self.assumptions.items()}
        for name, value in given.items():
            if name not in chosen:
                known = ", ".join(chosen) or "none"
                raise Unknown(f"the odds of {self.id} have no assumption '{name}'; they have {known}")
            kind = type(chosen[name])
            number = kind is float and type(value) in (int, float) and 0 <= value < float("inf")
            if not number and (kind is float or type(value) is not kind):
                raise Unknown(f"the assumption '{name}' cannot be '{value}': it is {_KINDS[kind]}")
            chosen[name] = float(value) if number else value
        return chosen
