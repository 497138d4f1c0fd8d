"""Positions: a scenario, changed as a test needs it, standing at the step that the test is about.

Each game has one subclass with its own words for setting up and looking:

    class Position(testing.Position[War]):
        game = GAME

        def put(self, army: str, at: str) -> Self:
            self.state.army_at = put(self.state.army_at, ATLAS.army_index[army], ATLAS.index[at])
            return self

    p = Position("barbarossa").put("Army Group North", "Q16").dice(6, 2).run(Combat())
    p.do(Attack("Q17"))
    assert p.rule(Attack("Q18")) == "hw-attack-3"
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from sandtable.core import Action, Event, Game, Match, Offer, Pass, Play, Refusal, Role, ScriptedDice, State, Step

S = TypeVar("S", bound=State)
E = TypeVar("E", bound=Event)


class Parked(Step, frozen=True, tag="test.parked"):
    """Lies under the steps that a test is about: when they are done, the match stops here."""

    asked: tuple[Role, ...]

    def roles(self, m: Any) -> Sequence[Role]:
        return self.asked

    def offers(self, m: Any, role: Role) -> Sequence[Offer]:
        return [Offer(Pass, rule="sandtable-sequence")]


class Position(Generic[S]):
    """One position of a game. Methods that set something up return the position, so that they can be chained.

    Where a method takes actions, a role among the arguments acts from there on; without one it is the role that is
    asked: `p.do("axis", march, "soviet", answer)`.
    """

    game: ClassVar[Game[Any]]

    def __init__(self, scenario: str = "", **options: Any) -> None:
        name = scenario or next(iter(self.game.scenarios))
        known = self.game.options
        chosen = {key if key in known else key.replace("_", "-"): value for key, value in options.items()}
        state = self.start(name, chosen)
        state.stack = (Parked(self.game.roles_in(name)),)
        self.match: Match[S] = Match(self.game, state, ScriptedDice([], first=state.rolled))
        self.events: list[Event] = []
        """What has happened since the last `run`."""

    def start(self, scenario: str, options: dict[str, Any]) -> S:
        """Return the state to begin with. A subclass may take units off the map, or play through the set-up."""
        state: S = self.game.open(scenario, options)
        return state

    # ---- setting up
    @property
    def state(self) -> S:
        """The state, to be looked at and changed: what was derived from it before is forgotten."""
        self.match.changed()
        return self.match.state

    @property
    def m(self) -> Play[S]:
        """What rule functions are given."""
        self.match.changed()
        return self.match.play

    def columns(self, **columns: Any) -> Self:
        """Replace columns of the state."""
        state = self.state
        for name, value in columns.items():
            if name not in state.__struct_fields__:
                raise AttributeError(f"{type(state).__name__} has no column {name}")
            setattr(state, name, value)
        return self

    def dice(self, *values: int) -> Self:
        """Let these dice fall next."""
        self.match.play.dice = ScriptedDice(values, first=self.match.state.rolled)
        return self

    def run(self, *steps: Step) -> Self:
        """Let these steps come next, the first one first, until somebody is asked or all of them are done."""
        play = self.m
        play.state.stack = play.state.stack[:1]
        play.events = []
        play.push(*steps)
        play.settle()
        self.match.changed()
        self.events = list(play.events)
        return self

    # ---- playing
    def _each(self, words: Sequence[str | Action]) -> Iterator[tuple[Role, Action]]:
        role: Role | None = None
        for word in words:
            if isinstance(word, str):
                role = word
            else:
                yield (self.asked if role is None else role), word

    def do(self, *words: str | Action) -> Self:
        """Carry out actions."""
        for role, action in self._each(words):
            self.events.extend(self.match.apply(role, action))
        return self

    def refusal(self, *words: str | Action) -> Refusal | None:
        """Return the refusal of the one action, None where it is allowed."""
        ((role, action),) = self._each(words)
        return self.match.why_not(role, action)

    def refused(self, *words: str | Action) -> Refusal:
        """Return the refusal of the one action, which must be refused."""
        found = self.refusal(*words)
        assert found is not None, f"{words[-1]} is allowed"
        return found

    def rule(self, *words: str | Action) -> str:
        """Return the id of the rule that forbids the action; '' where it is allowed."""
        found = self.refusal(*words)
        return "" if found is None else found.rule

    def allows(self, *words: str | Action) -> bool:
        """Whether all of the actions are allowed now."""
        return all(self.match.why_not(role, action) is None for role, action in self._each(words))

    # ---- looking
    @property
    def asked(self) -> Role:
        """The role that is asked now."""
        role = self.match.asked
        assert role is not None, "the match is over"
        return role

    @property
    def step(self) -> Step:
        """The step that asks now."""
        return self.match.step

    @property
    def parked(self) -> bool:
        """Whether all steps that were run are done."""
        return isinstance(self.match.step, Parked)

    def offered(self, act: type[Action], role: Role | None = None) -> list[Any]:
        """All actions of one type that are offered now."""
        return [action for offer in self.match.offers(role or self.asked)[act] for action in offer]

    def offers_any(self, act: type[Action], role: Role | None = None) -> bool:
        """Whether any action of one type is offered now."""
        return any(bool(offer) for offer in self.match.offers(role or self.asked)[act])

    def verbs(self, role: Role | None = None) -> set[str]:
        """The tags of all kinds of actions that are offered now."""
        return {offer.verb for offer in self.match.offers(role or self.asked).offers if offer}

    def happened(self, kind: type[E]) -> list[E]:
        """The events of one kind since the last `run`."""
        return [event for event in self.events if isinstance(event, kind)]

    def dice_left(self) -> int:
        """How many of the scripted dice have not fallen."""
        dice = self.match.play.dice
        assert isinstance(dice, ScriptedDice)
        return dice.left(self.match.state.rolled)
