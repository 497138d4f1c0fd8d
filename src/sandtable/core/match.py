"""A match: one play of a scenario. It asks, checks, carries out, records and takes back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import Any, Generic, TypeVar

import msgspec

from .columns import having
from .data import (
    HOUSEKEEPING,
    Action,
    Draw,
    DrawOffered,
    Event,
    Order,
    Orders,
    Outcome,
    Resign,
    Resigned,
    Role,
    State,
    Undo,
    Undone,
)
from .dice import Dice, SealedDice
from .errors import BrokenRules, Malformed, Refusal, SandtableError, Unknown
from .game import Game, View
from .gauges import Standing
from .odds import Odds
from .offers import Offers, is_shaped
from .plain import plain
from .play import Play
from .step import Step
from .table import Table

S = TypeVar("S", bound=State)
T = TypeVar("T")
_WORLDS = 8
"""In how many other states an action is tried before its role is believed to have learned nothing by it."""


class Entry(msgspec.Struct, frozen=True):
    """One line of the match's log. The log only grows: taking back is an entry too."""

    role: Role
    action: Action


class _Live(msgspec.Struct, Generic[S]):
    """An action that can still be taken back, with the state before it."""

    role: Role
    action: Action
    before: S
    asked: tuple[Role, ...]
    place: tuple[int, type[Step]]
    """The depth of the stack and the kind of step it was an answer to."""
    number: int
    """The entry's number in the log."""
    told: bool | None = None
    """Whether it told its role something that was hidden; None until somebody wants to know."""


class Mark(msgspec.Struct, Generic[S], frozen=True):
    """A moment of a match to which it can return."""

    state: S
    number: int
    entries: int
    events: Sequence[tuple[int, Event]]
    live: Sequence[_Live[S]]


class Match(Generic[S]):
    """One play of a scenario. `new` starts one; `core.replay.load` reads one back."""

    def __init__(
        self, game: Game[S], state: S, dice: Dice, *, seed: str = "", number: int = 0, history: bool = True
    ) -> None:
        self.game = game
        self.play: Play[S] = Play(game, state, dice)
        self.seed = seed
        self.number = number
        """How many entries the log has. A clone knows the number without having the entries."""
        self.history = history
        self.log: list[Entry] = []
        self.events: list[tuple[int, Event]] = []
        """(number of the entry, event) of all that is in force. Entry 0 is the start."""
        self._live: list[_Live[S]] = []
        self._offers: dict[Hashable, Any] = {}
        """What was computed for this position: the offers of each role, and under tuples what `remember` keeps."""

    @classmethod
    def new(
        cls,
        game: Game[S],
        scenario: str,
        options: Mapping[str, Any] | None = None,
        *,
        seed: str | int = 0,
        dice: Dice | None = None,
        history: bool = True,
    ) -> Match[S]:
        """Start a match. `dice` replaces the sealed dice in tests."""
        state = game.open(scenario, options or {})
        match = cls(game, state, dice or SealedDice(str(seed)), seed=str(seed), history=history)
        match.play._moved = True
        match.play.settle()
        match._remember(0)
        return match

    @classmethod
    def restore(cls, game: Game[S], state: S, *, seed: str, number: int) -> Match[S]:
        """Continue from a saved state after entry `number`. What came before can no longer be taken back."""
        return cls(game, state, SealedDice(seed), seed=seed, number=number)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy or a pickle of the match holds: all but what is worked out anew when somebody asks."""
        return {**self.__dict__, "_offers": {}}

    def __deepcopy__(self, memo: dict[int, Any]) -> Match[S]:
        """An independent copy with the history, in microseconds: columns never change, so copies share them."""
        other = self.clone()
        other.history, other.log, other.events = self.history, list(self.log), list(self.events)
        other._live = list(self._live)
        return other

    def __repr__(self) -> str:
        if self.outcome is not None:
            winners = f"{', '.join(self.outcome.winners)} won" if self.outcome.winners else "a draw"
            how = f"over: {winners} ({self.outcome.level})"
        else:
            how = f"{', '.join(self.decisions())} asked"
        return f"<Match {self.game.id} {self.scenario}, {self.number} moves, {how}>"

    # ---- what is going on
    @property
    def state(self) -> S:
        return self.play.state

    @property
    def scenario(self) -> str:
        return self.state.scenario

    @property
    def options(self) -> Mapping[str, Any]:
        return self.state.options

    @property
    def roles(self) -> tuple[Role, ...]:
        return self.game.roles_in(self.state.scenario)

    @property
    def over(self) -> bool:
        return self.play.state.outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome

    @property
    def step(self) -> Step:
        return self.play.step

    @property
    def asked(self) -> Role | None:
        """The role that is asked now; None when the match is over. Ask again after every action.

        Where several decide at the same time it is the first of `decisions()`: any of them may act, and an action
        may change who else is asked.
        """
        play = self.play
        return None if play.state.outcome is not None else (play.known_asked or play.asked())[0]

    def decisions(self) -> tuple[Role, ...]:
        """All roles that are asked now; more than one where they decide at the same time."""
        play = self.play
        return () if play.state.outcome is not None else play.known_asked or play.asked()

    def waiting_for(self) -> tuple[Role, ...]:
        """The roles that are waited for, as far as everybody may know."""
        return () if self.over else tuple(self.play.step.publicly_asked(self.play))

    def offers(self, role: Role) -> Offers:
        """Return all that a role may do now; empty when it is not asked."""
        found: Offers | None = self._offers.get(role)
        if found is None:
            play = self.play
            state = play.state
            step: Any = state.stack[-1] if state.stack else None
            if state.outcome is not None or step is None or role not in (play.known_asked or play.asked()):
                self._check_role(role)
                found = Offers((), step.rule if step else "sandtable-over", empty=self._why_no_offers(role))
            else:
                found = Offers(step.offers(play, role), step.rule)
            self._offers[role] = found
        return found

    def _why_no_offers(self, role: Role) -> str:
        if self.over:
            return "the match is over: nobody is asked"
        return f"{role} is not asked now; asked: {', '.join(self.decisions())}"

    def why_not(self, role: Role, action: Action | Mapping[str, Any]) -> Refusal | None:
        """Return the rule that forbids the action, None when it is allowed. Nothing is tried.

        The reason depends on nothing that the role may not know: where things are hidden it is the reason that holds
        in a position made up from what the role knows.
        """
        if not isinstance(action, Action):
            action = self._read(role, action)
        refusal = self._why_not(role, action)
        if refusal is None or type(action) in HOUSEKEEPING or self.over or self.game.public(self.state):
            return refusal
        return self.as_known(role)._why_not(role, action) or Refusal(self.step.rule, "sandtable-not-possible")

    def as_known(self, role: Role) -> Match[S]:
        """Return a match made up from what the role knows, the same one whatever is hidden; this one if nothing is."""
        if self.game.public(self.state):
            return self
        return self.remember(("known", role), lambda: self.determinize(role, self._known_rng(role)))

    def _known_rng(self, role: Role) -> Random:
        return Random(self.game.codec.digest(self.view(role).state))

    def _why_not(self, role: Role, action: Action) -> Refusal | None:
        if type(action) in HOUSEKEEPING:
            self._check_role(role)
            return self._why_not_housekeeping(role, action)
        play = self.play
        if play.state.outcome is not None:
            self._check_role(role)
            return Refusal(play.state.outcome.reason, "sandtable-over")
        if role not in (play.known_asked or play.asked()):
            self._check_role(role)
            return Refusal(play.step.rule, "sandtable-not-asked", role=f"@{role}")
        return self.offers(role).refuse(action)

    def preview(self, role: Role, action: Action | Mapping[str, Any]) -> Odds | None:
        """The exact odds of the next dice that an allowed action would start, cached for this position."""
        wanted = action if isinstance(action, Action) else self._read(role, action)

        def make() -> Odds | None:
            self.check(role, wanted)
            return self.game.preview(self.play, role, wanted)

        return self.remember(("preview", role, wanted), make)

    def check(self, role: Role, action: Action | Mapping[str, Any]) -> None:
        """Raise the refusal where the action is not allowed, with its sentence as a note for the traceback."""
        refusal = self.why_not(role, action)
        if refusal is not None:
            refusal.__notes__ = [self.explain(refusal)]
            raise refusal

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` returns, cached under the key until the position changes."""
        place = ("remember", key)
        if place not in self._offers:
            self._offers[place] = make()
        known: T = self._offers[place]
        return known

    # ---- making moves
    def parse(self, data: Any) -> Action:
        """Return the action that JSON describes."""
        return self.game.codec.action(data)

    def _read(self, role: Role, data: Any) -> Action:
        """Return the action that somebody typed as a dict. An error says what the role may do instead."""
        try:
            return self.parse(data)
        except Malformed as error:
            verbs = ", ".join(dict.fromkeys(offer.verb for offer in self.offers(role).offers)) or "nothing"
            raise Malformed(f"{error}; what {role} may do now: {verbs}") from None

    def apply(self, role: Role, action: Action | Mapping[str, Any]) -> Sequence[Event]:
        """Check the action, carry it out, and return what happened. A refused action changes nothing.

        The action may also be a dict, as a match file has it: `{"do": "move", "army": "Kiev", "to": "Q16"}`.
        """
        if not isinstance(action, Action):
            action = self._read(role, action)
        if self._why_not(role, action) is not None:
            self.check(role, action)  # raises the refusal that the role may know
        play = self.play
        if type(action) in HOUSEKEEPING:
            if type(action) is Undo:
                return self.undo(role)
            play.events = []
            self._housekeep(role, action)
            self._record(role, action)
            return play.events
        play.events = []
        if not self.history:
            self._carry_out(role, action)
            self.number += 1
            return play.events
        asked, place = play.asked(), (len(play.state.stack), type(play.step))
        before = self.game.codec.clone(play.state)
        try:
            self._carry_out(role, action)
        except BaseException:
            play.state = before
            self._forget_derived()
            raise
        self._record(role, action)
        self._live = (
            []
            if play.closed
            else [
                *(live for live in self._live if live.role == role or (role in live.asked and live.place == place)),
                _Live(role, action, before, asked, place, self.number),
            ]
        )
        if play.shown:
            for live in self._live:
                live.told = True
        return play.events

    def again(self, role: Role, action: Action) -> Sequence[Event]:
        """Apply an entry of a log. What was once taken back stays so, even if today it could not be taken back."""
        return self.undo(role) if isinstance(action, Undo) else self.apply(role, action)

    def _carry_out(self, role: Role, action: Action) -> None:
        play = self.play
        play.closed = play.shown = False
        play.state.stack[-1].take(play, role, action)  # type: ignore[attr-defined]
        play.settle()
        self._offers = {}

    def _record(self, role: Role, action: Action) -> None:
        self.number += 1
        self._offers = {}
        self.play.known_asked = None
        if self.history:
            self.log.append(Entry(role, action))
            self._remember(self.number)

    def _remember(self, number: int) -> None:
        if self.history:
            self.events.extend((number, event) for event in self.play.events)

    def forget(self) -> None:
        """Forget the log, and the events that no taking back needs: who keeps them elsewhere saves the memory."""
        first = self._live[0].number if self._live else self.number + 1
        self.log.clear()
        self.events = [(number, event) for number, event in self.events if number >= first]

    def changed(self) -> None:
        """Forget what was derived from the state: somebody has changed it from outside, as tests do."""
        self._offers = {}
        self.play.known_asked = None

    def _forget_derived(self) -> None:
        self.changed()
        self.play.events = []

    # ---- several moves as one
    def mark(self) -> Mark[S]:
        """Return this moment, for `return_to`."""
        state = self.game.codec.clone(self.play.state)
        return Mark(state, self.number, len(self.log), list(self.events), self._live)

    def return_to(self, mark: Mark[S]) -> None:
        """Go back to a moment of this match as if nothing had been done since, not even written down."""
        self.play.state = mark.state
        self.number, self.events, self._live = mark.number, list(mark.events), list(mark.live)
        del self.log[mark.entries :]
        self._forget_derived()

    # ---- taking back
    @property
    def settled(self) -> bool:
        """Whether nobody can take anything back now: a good moment for a snapshot."""
        return not any(self.can_undo(role) for role in {live.role for live in self._live})

    def can_undo(self, role: Role) -> int:
        """How many of its latest actions a role may take back, one by one.

        That is possible back to the last die, the last hidden thing shown, or the last decision of another role.
        """
        return len(self.undoable(role))

    def undoable(self, role: Role) -> list[int]:
        """The numbers of the role's actions that it may take back, the last one last."""
        found: list[int] = []
        for live in reversed(self._live):
            if live.role == role:
                if self._told(live):
                    break
                found.insert(0, live.number)
        return found

    def _told(self, live: _Live[S]) -> bool:
        """Whether an action told its role something hidden: with other secrets the role would have seen another thing.

        Other secrets are those of a state that differs only in what the role may not know; a few of them are tried. To
        be asked a question whose answerers are hidden tells that somebody can answer it.
        """
        if live.told is None:
            events = [event for number, event in self.events if number == live.number]
            later = next((other.before for other in self._live if other.number > live.number), self.state)
            after, before = self.game.codec.clone(later), live.before
            after.orders, after.resigned, after.draw = before.orders, before.resigned, before.draw
            then = self._with(after)
            seen = then.seen_after(live.role, events)
            rng = Random(self.game.codec.digest(before))
            live.told = not self.game.public(before) and (
                then.hides_whom_it_asks(live.role)
                or any(self._with(before).seen_elsewhere(live.role, live.action, rng) != seen for _ in range(_WORLDS))
            )
        return live.told

    def _with(self, state: S) -> Match[S]:
        return Match(self.game, state, self.play.dice, number=self.number, history=False)

    def hides_whom_it_asks(self, role: Role) -> bool:
        """Whether others than the role are asked, and nobody may know who."""
        asked = self.decisions()
        return any(other != role for other in asked) and {*asked} != {*self.waiting_for()}

    def seen_after(self, role: Role, events: Sequence[Event]) -> tuple[Any, ...]:
        """Return all that a role sees of the position and of what has just happened, to be compared."""
        seen = [event for event in events if event.seen_by is None or role in event.seen_by]
        return self.game.codec.pack(self.view(role).state), self.waiting_for(), role in self.decisions(), seen

    def seen_elsewhere(self, role: Role, action: Action, rng: Random) -> tuple[Any, ...] | None:
        """Return what a role would see of its action if what is hidden were otherwise; None if it would be refused."""
        other = self.scramble(role, rng)
        try:
            return other.seen_after(role, other.apply(role, action))
        except Refusal:
            return None

    def undo(self, role: Role) -> Sequence[Event]:
        """Take back the role's last action, whatever it was told by it: `apply` asks about that first."""
        if self.over or not any(live.role == role for live in self._live):
            raise self._why_not_housekeeping(role, Undo()) or Refusal("sandtable-undo", "sandtable-undo-closed")
        live = self._live
        place = max(index for index, entry in enumerate(live) if entry.role == role)
        kept, later = live[:place], live[place + 1 :]
        standing, events = self.play.state, self.events
        self._live = kept
        self.play.state = self.game.codec.clone(live[place].before)
        self._forget_derived()
        self.events = [(number, event) for number, event in events if number < live[place].number]
        try:
            for entry in later:
                self._redo(entry)
        except SandtableError:
            self.play.state, self.events, self._live = standing, events, live
            self._forget_derived()
            raise Refusal("sandtable-undo", "sandtable-undo-entangled") from None
        state = self.play.state
        state.orders, state.resigned, state.draw = standing.orders, standing.resigned, standing.draw
        self._forget_derived()
        self.play.events = [Undone(role=role, number=live[place].number)]
        self._record(role, Undo())
        return self.play.events

    def _redo(self, entry: _Live[S]) -> None:
        """Apply again what another role did meanwhile."""
        refusal = self.why_not(entry.role, entry.action)
        if refusal is not None:
            raise refusal
        before = self.game.codec.clone(self.play.state)
        self._forget_derived()
        self._carry_out(entry.role, entry.action)
        if self.play.closed:
            raise BrokenRules("a die fell that had not fallen before")
        self._live = [*self._live, msgspec.structs.replace(entry, before=before)]
        self._remember(entry.number)

    # ---- resigning, draws, standing orders
    def _why_not_housekeeping(self, role: Role, action: Action) -> Refusal | None:
        if self.state.outcome is not None:
            return Refusal(self.state.outcome.reason, "sandtable-over")
        if not is_shaped(action):
            return Refusal("sandtable-window", "sandtable-malformed", verb="order")
        if isinstance(action, Undo) and not self.can_undo(role):
            return Refusal("sandtable-undo", "sandtable-undo-closed")
        if isinstance(action, Resign) and role in self.state.resigned:
            return Refusal("sandtable-resign", "sandtable-resigned", role=f"@{role}")
        if isinstance(action, Order):
            for name in (*(action.ask or ()), *((action.quiet_until,) if action.quiet_until else ())):
                if name not in self.game.windows():
                    return Refusal("sandtable-window", "sandtable-no-window", window=name)
        return None

    def _housekeep(self, role: Role, action: Action) -> None:
        state = self.state
        if isinstance(action, Order):
            state.orders = having(state.orders, role, Orders(action.ask, action.quiet_until))
        elif isinstance(action, Resign):
            state.resigned = (*state.resigned, role)
            self.play.emit(Resigned(role=role))
            for together in self.game.sides(state).values():
                if role in together and all(other in state.resigned for other in together if other in self.roles):
                    winners = [other for other in self.roles if other not in together]
                    self.play.end(winners, "resignation", "sandtable-resign")
        elif isinstance(action, Draw):
            state.draw = tuple(r for r in self.roles if (r in state.draw and r != role) or (r == role and action.agree))
            self.play.emit(DrawOffered(role=role, agree=action.agree))
            if len(state.draw) == len(self.roles):
                self.play.end((), "draw", "sandtable-draw")

    # ---- looking at it
    def view(self, role: Role | None = None) -> View[S]:
        """Return the match as a role may know it; None: as everybody may know it."""
        if role is not None:
            self._check_role(role)
        state = self.game.codec.clone(self.play.state)
        state.orders = {role: state.orders[role]} if role is not None and role in state.orders else {}
        state.stack = tuple([step.redact(role) for step in state.stack])  # type: ignore[attr-defined]
        self.game.redact(state, role)
        return View(self.game.id, role, self.number, self.waiting_for(), state)

    def seen_events(self, role: Role | None, since: int = 0) -> list[tuple[int, Event]]:
        """Return the events that a role may know, from entry `since` on."""
        return [
            (number, event)
            for number, event in self.events
            if number >= since and (event.seen_by is None or (role is not None and role in event.seen_by))
        ]

    def table(self, role: Role | None = None, language: str = "en") -> Table:
        """Return all that a screen shows to a role: prompt, map, counters, tracks, panels; None: to everybody."""
        return self.game.table(self.view(role), self.game.texts(language))

    def show(self, role: Role | None = None, language: str = "en") -> None:
        """Print the table as text."""
        print(plain(self.table(role, language), full=True))

    def measures(self) -> Mapping[str, float]:
        """Return what can be counted of each side now, for example its production, territory and strength."""
        return self.game.measures(self.state)

    def standing(self, role: Role | None = None) -> Standing:
        """Return how the match stands, as far as a role may know it."""
        return self.game.standing(Play(self.game, self.view(role).state, SealedDice("")))

    def explain(self, refusal: Refusal, language: str = "en") -> str:
        return self.game.texts(language).refusal(refusal)

    def determinize(self, role: Role, rng: Random) -> Match[S]:
        """Return a match that agrees with all that the role knows; what is hidden and the dice are drawn at random."""
        state = self.game.determinize(self.view(role), rng)
        seed = f"{rng.getrandbits(128):032x}"
        return Match(self.game, state, SealedDice(seed), seed=seed, number=self.number, history=False)

    def scramble(self, role: Role, rng: Random) -> Match[S]:
        """Return, for leak tests, a match that differs only in what the role may not know, dice included."""
        state = self.game.scramble(self.state, role, rng)
        state.orders = {role: state.orders[role]} if role in state.orders else {}
        return Match(self.game, state, SealedDice("scrambled"), number=self.number, history=False)

    def clone(self) -> Match[S]:
        """Return an independent copy without the history."""
        state = self.game.codec.clone(self.play.state)
        return Match(self.game, state, self.play.dice, seed=self.seed, number=self.number, history=False)

    def digest(self) -> str:
        return self.game.codec.digest(self.state)

    def faults(self) -> Sequence[str]:
        return self.game.faults(self.state)

    def _check_role(self, role: Role) -> None:
        if role not in self.roles:
            raise Unknown(f"{self.game.id} has no role '{role}'; it has {', '.join(self.roles)}")
