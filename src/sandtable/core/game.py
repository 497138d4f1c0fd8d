"""What a game gives to the core."""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from .codec import Codec
from .data import Action, Event, OptionValue, Role, State
from .errors import Unknown
from .odds import Odds
from .offers import Offer
from .play import Play
from .step import Step
from .table import Table
from .text import Texts

S = TypeVar("S", bound=State)


class Option(msgspec.Struct, frozen=True):
    """An optional rule or a way to play. `choices` is empty for a switch that is on or off."""

    id: str
    default: OptionValue = False
    choices: tuple[OptionValue, ...] = ()
    scenarios: tuple[str, ...] = ()
    """Scenarios it is for; empty: all."""
    rule: str = ""


class Scenario(msgspec.Struct, frozen=True):
    """A starting situation. Its name and blurb are in the text files under `scenario.<id>`."""

    id: str
    turns: int = 0
    roles: tuple[Role, ...] = ()
    """The roles that play in it; empty: all of the game's."""


class View(msgspec.Struct, Generic[S], frozen=True):
    """The match as one role may know it; role None is what everybody may know."""

    game: str
    role: Role | None
    number: int
    asked: tuple[Role, ...]
    """Who is waited for, as far as everybody may know."""
    state: S
    """The state with everything hidden taken out."""


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

    # ---- what every game must say
    @abstractmethod
    def begin(self, scenario: str, options: Mapping[str, OptionValue]) -> S:
        """The state before the first step runs, with that step on its stack."""

    @abstractmethod
    def table(self, view: View[S], texts: Texts) -> Table:
        """The view laid out for the eyes."""

    @abstractmethod
    def faults(self, state: S) -> Sequence[str]:
        """Every invariant that does not hold; empty when the state is sound."""

    # ---- what games with hidden things say
    def redact(self, state: S, role: Role | None) -> None:
        """Take everything out of this copy of the state that the role may not know."""

    def determinize(self, view: View[S], rng: Random) -> S:
        """A full state that agrees with the view, its hidden rest drawn at random. The view stays as it is."""
        return self.codec.clone(view.state)

    def scramble(self, state: S, role: Role, rng: Random) -> S:
        """Another full state that differs from this one only in what the role may not know.

        Made from the full state, not from a view, and written apart from `redact`: the leak tests compare what the
        role is shown of both, so it must not lean on the redaction it tests. Games with hidden things override it.
        """
        return self.codec.clone(state)

    # ---- what games with windows say
    def default_windows(self, state: S, role: Role) -> Sequence[str]:
        """The windows at which a role without standing orders is asked."""
        return ()

    def windows(self) -> Sequence[str]:
        """The names of all windows of the game."""
        return ()

    def window_offers(self, m: Play[S], role: Role, name: str) -> Sequence[Offer]:
        """What a role may do at a window besides passing."""
        return ()

    def window_take(self, m: Play[S], role: Role, action: Any, name: str) -> None:
        """Carry out what a role does at a window."""
        raise AssertionError(f"{self.id} has no window {name}")

    # ---- who plays together
    def sides(self, state: S) -> Mapping[str, tuple[Role, ...]]:
        """The alliances as they are in this match; games in which they are not fixed say more."""
        return self.alliances

    # ---- what players are shown before they commit themselves
    def preview(self, m: Play[S], role: Role, action: Action) -> Odds | None:
        """Exact odds of what the action would start; None where no dice would fall."""
        return None

    def turn(self, state: S) -> str:
        """The turn it is, as a key of the text files under `turn.` or as plain words ('1941-summer', '3')."""
        return ""

    def public(self, state: S) -> bool:
        """Whether nothing at all is hidden in this match, so that anybody may see all of it."""
        return False

    # ---- what a student of the game looks at
    def measures(self, state: S) -> Mapping[str, float]:
        """Numbers worth a curve over the turns: production, territory, strength of each side."""
        return {}

    def battle_place(self, event: Event) -> str | None:
        """The space of a battle that this event tells of; None where it tells of none."""
        return None

    # ---- made from the above
    @functools.cached_property
    def codec(self) -> Codec[S]:
        return Codec(self.state_type, self.steps, self.actions, self.events)

    @functools.cache  # noqa: B019 (one object per game, for ever)
    def texts(self, language: str) -> Texts:
        texts = Texts.load(self.home / "text", language, self.home / "data" / "map.json")
        return Texts(language, texts.sentences, {**texts.places, **self.names(texts)})

    def turn_name(self, turn: str, texts: Texts) -> str:
        """What `turn` said, as people read it over a page of the log."""
        return texts.say(f"turn.{turn}") if f"turn.{turn}" in texts else texts.name(turn)

    def names(self, texts: Texts) -> Mapping[str, str]:
        """What facts are called that neither the text files nor the map name: counters by their ids, say."""
        return {}

    def roles_in(self, scenario: str) -> tuple[Role, ...]:
        return self.scenarios[scenario].roles or self.roles

    def check_options(self, scenario: str, options: Mapping[str, Any]) -> dict[str, OptionValue]:
        """The match's options with defaults filled in, or a clear error."""
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
