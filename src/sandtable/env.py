"""Every game as an environment for learning: `sandtable.env("munich-war", scenario="little-entente")`.

`Environment` follows PettingZoo's AEC interface: one agent acts at a time, agents are the roles of the match. `Solo`
follows Gymnasium's: one side learns, players of a level have the others. docs/learning.md explains both.

Observations are arrays made from the state as the role may know it, by the schema of the game (`core/schema.py`): a
table of spaces, a table of units and so on. They are read-only: what has not changed is the same array again.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import gcd
from operator import attrgetter
from random import Random
from types import ModuleType
from typing import Any

import gymnasium
import msgspec
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from sandtable.core import Action, Game, Match, Outcome, State
from sandtable.core.columns import changes
from sandtable.core.data import CORE_ACTIONS
from sandtable.core.domains import Domain, Named, NamedBits, NothingToChoose, Numbers, OneOf, Where
from sandtable.core.errors import Unknown
from sandtable.core.offers import Choices, Field, Offer
from sandtable.core.position import read, set_up
from sandtable.core.schema import Column, Rows
from sandtable.games import find
from sandtable.players import base

Array = npt.NDArray[np.int32]
CHOICES = 16
_EACH = 8
"""How many candidates with the same first fields are drawn before others get their turn."""
_MISSES = 8
"""How often a value may be drawn again before a large domain counts as exhausted."""
_FEW = 16
"""Up to so many changed places of a column are written one by one."""
_LARGE = np.iinfo(np.int32)
_MOST_KNOWN = 20_000
"""How many actions' rows an environment remembers."""


# ---- candidates: some of the actions of a position -------------------------------------------------------------------


def _spread(values: Sequence[Any], rng: Random) -> Iterator[Any]:
    """All values, each once, from a random one on in steps of a random length."""
    size = len(values)
    if size:
        place, stride = int(rng.random() * size), 1 + int(rng.random() * size)
        while gcd(stride, size) > 1:
            stride += 1
        for _ in range(size):
            yield values[place]
            place = (place + stride) % size


def _values(domain: Domain, rng: Random, most: int) -> Iterator[Any]:
    """The values of a domain in any order, each once; if it is one of selections or paths, at most so many of them."""
    if isinstance(domain, Named):
        name, rule = domain.names.name, domain.rule
        things = _spread(domain.things, rng)
        return (name(thing) for thing in things if rule is None or rule(thing) is None)
    if isinstance(domain, (OneOf, NamedBits, Numbers, Where)):
        listed = list(domain)
        return _spread(sorted(listed) if isinstance(domain, OneOf) and isinstance(domain.values, (set, frozenset))
                       else listed, rng)  # fmt: skip
    listed = list(itertools.islice(iter(domain), _EACH + 1))
    return _spread(listed, rng) if len(listed) <= _EACH else _sampled(domain, rng, most)


def _sampled(domain: Domain, rng: Random, most: int) -> Iterator[Any]:
    """Up to so many values of a large domain, none twice."""
    seen: set[Any] = set()
    misses = 0
    while len(seen) < most and misses < _MISSES:
        try:
            value = domain.sample(rng)
        except NothingToChoose:
            return
        if value in seen:
            misses += 1
        else:
            seen.add(value)
            yield value


def _completed(act: type[Action], fields: Sequence[Field], prefix: list[Any], rng: Random, most: int) -> Iterator[Any]:
    """The actions that begin with these values, in any order, none twice: a few with each next value by turns."""
    values = _values(fields[len(prefix)].given(prefix), rng, most)
    if len(prefix) == len(fields) - 1:
        for value in values:
            yield act(*prefix, value)
        return
    rest: list[Iterator[Any]] = []
    for value in values:
        actions = _completed(act, fields, [*prefix, value], rng, most)
        yield from itertools.islice(actions, _EACH)
        rest.append(actions)
    for actions in rest:
        yield from actions


def _actions(offer: Offer, rng: Random, most: int) -> Iterator[Action]:
    if isinstance(offer, Choices):
        return _spread(offer.actions, rng)
    if offer.closed is not None:
        return iter(())
    return _completed(offer.act, offer.fields, [], rng, most) if offer.fields else iter((offer.act(),))


def draw(offers: Sequence[Offer], rng: Random, most: int) -> list[Action]:
    """Up to so many different actions, the offers by turns; all of them where there are no more."""
    found: dict[Action, None] = {}
    left = [_actions(offer, rng, most) for offer in offers]
    while left:
        for actions in tuple(left):
            action = next(actions, None)
            if action is None:
                left.remove(actions)
            else:
                found[action] = None
                if len(found) == most:
                    return list(found)
    return list(found)


# ---- observations: the columns of a state as arrays ------------------------------------------------------------------


def _raw(column: Any, form: Column, rows: int) -> npt.NDArray[Any]:
    """A column of the state as an array of rows, or fewer of them, by what belongs to each."""
    if form.kind == "holders":
        held = np.zeros(rows, np.int32)
        for holder, things in enumerate(column):
            held[[thing for thing in things if thing >= 0]] = holder + 1
        return held.reshape(-1, 1)
    if form.kind == "sets":
        many = (column,) if isinstance(column, bytes) else column
        unpacked = [np.unpackbits(np.frombuffer(one, np.uint8), bitorder="little")[:rows] for one in many]
        return np.stack(unpacked, axis=1)
    if isinstance(column, Mapping):
        found = np.full(rows, form.least, np.int32)
        if column:
            found[list(column)] = list(column.values())
        return found.reshape(-1, 1)
    kind = np.int64 if form.kind == "bits" else np.int32  # up to 62 flags
    flat = np.frombuffer(column, np.uint8) if isinstance(column, bytes) else np.array(column, kind)
    return flat.reshape(-1, form.width)


def _shaped(raw: npt.NDArray[Any], form: Column) -> npt.NDArray[Any]:
    """The numbers as the schema promises them."""
    if form.kind == "index":
        return np.minimum(np.maximum(raw.astype(np.int32) - form.least, 0), form.size - 1)
    if form.kind == "bits":
        return raw.astype(np.int64) >> np.arange(form.size) & 1
    return raw


class _Sheet:
    """One table of the schema and its last array."""

    def __init__(self, table: Rows) -> None:
        self.table = table
        self.live = [column for column in table.columns if not column.fixed]
        self.at: list[int] = []
        place = 0
        array = np.zeros((len(table), table.places), np.int32)
        low, high = np.full(table.places, _LARGE.min), np.full(table.places, _LARGE.max)
        for column in table.columns:
            if column.fixed:
                array[:, place : place + column.places] = _shaped(_raw(column.fixed, column, len(table)), column)
            else:
                self.at.append(place)
            if column.most:
                low[place : place + column.places], high[place : place + column.places] = 0, column.most
            place += column.places
        self.bounds = np.broadcast_to(low, array.shape), np.broadcast_to(high, array.shape)
        array.flags.writeable = False
        self.array: Array = array
        names = [column.name for column in self.live]
        self.read: Any = attrgetter(*names) if len(names) > 1 else lambda state: tuple(getattr(state, n) for n in names)
        self.columns: tuple[Any, ...] = (None,) * len(names)

    def __deepcopy__(self, memo: dict[int, Any]) -> _Sheet:
        return _Sheet(self.table)

    def __reduce__(self) -> Any:
        raise TypeError("made anew in every process")

    def look(self, state: State) -> Array:
        """The table as an array; the same one again while no column has changed."""
        columns, before = self.read(state), self.columns
        if columns != before:
            array = self.array.copy()
            for number, (old, new) in enumerate(zip(before, columns, strict=True)):
                if old is not new and old != new:
                    self._fill(array, number, old, new)
            array.flags.writeable = False
            self.array = array
            self.columns = columns
        return self.array

    def _fill(self, array: Array, number: int, old: Any, new: Any) -> None:
        form, at = self.live[number], self.at[number]
        if isinstance(new, int) and form.kind != "bits":
            array[0, at] = min(max(new - form.least, 0), form.size - 1) if form.kind == "index" else new
            return
        if form.places == 1 and type(new) is tuple is type(old) and len(new) == len(old) and form.kind != "holders":
            places = changes(old, new)
            if len(places) <= _FEW:
                shift, most = (form.least, form.size - 1) if form.kind == "index" else (0, 0)
                for place in places:
                    value = new[place] - shift
                    array[place, at] = min(max(value, 0), most) if most else value
                return
        block = array[:, at : at + form.places]
        filled = _shaped(_raw(new, form, len(self.table)), form)
        block[: len(filled)] = filled
        block[len(filled) :] = 0


class Eyes:
    """What one role sees, table by table."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        schema = game.schema()
        self.sheets = {table.name: _Sheet(table) for table in schema.tables}
        self.match = _Sheet(schema.match)

    def __reduce__(self) -> Any:
        return Eyes, (self.game,)

    def look(self, state: State) -> dict[str, Array]:
        return {name: sheet.look(state) for name, sheet in self.sheets.items()}


def reward(game: Game[Any], outcome: Outcome, role: str) -> float:
    """What an outcome is worth to a role, from -1 to 1."""
    worth = game.worth.get(outcome.level, 1.0) if outcome.winners else 0.0
    return worth if role in outcome.winners else -worth


# ---- the environments ------------------------------------------------------------------------------------------------


class Environment(AECEnv):  # type: ignore[misc]
    """One match as a PettingZoo AEC environment."""

    metadata = {"render_modes": ["ansi"], "name": "sandtable_v1", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game[Any],
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        position: str | Mapping[str, Any] | None = None,
        seed: int | str = 0,
        choices: int = CHOICES,
        by_field: bool = False,
        turns: int = 0,
        measures: bool = False,
        shaping: float = 0.0,
        most_decisions: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`position` starts every match in a prepared position, with the scenario and the options that it names.

        It is a file of the game ('training/moscow', 'lessons/10-berlin'), or what stands in such a file.

        `turns` ends a match after so many turns, as if it ended then by its rules; 0: it is played to its end.
        `by_field` asks for a verb first and then for one field of the action after the other. `measures` adds the
        game's measures to observations. `shaping` adds them to rewards, with this weight. `most_decisions` truncates a
        match, without a reward.
        """
        super().__init__()
        if choices < 2:
            raise ValueError("an environment needs room for at least two candidates")
        self.game: Game[Any] = find(game) if isinstance(game, str) else game
        if position and (scenario or options):
            raise ValueError("a position has a scenario and options of its own: name them or the position, not both")
        self.position: Mapping[str, Any] = read(self.game, position) if isinstance(position, str) else position or {}
        words = self.position or {"scenario": scenario, "options": options}
        self.scenario: str = words.get("scenario") or next(iter(self.game.scenarios))
        self.options = dict(self.game.check_options(self.scenario, words.get("options") or {}))
        self.choices, self.by_field, self.turns = choices, by_field, turns
        self.measures, self.shaping = measures, shaping
        self.most_decisions, self.render_mode = most_decisions, render_mode
        self.schema = self.game.schema()
        self.seed: int | str = seed
        self._resets = 0
        self.possible_agents = list(self.game.roles_in(self.scenario))
        self.agents: list[str] = []
        self._eyes: dict[str, Eyes] = {}
        self.verbs = {act: 1 + place for place, act in enumerate((*CORE_ACTIONS, *self.game.actions))}
        """The number of each kind of action in the rows of candidates."""
        self._steps = {step: 1 + place for place, step in enumerate(self.game.steps)}
        self._known: dict[Action, list[int]] = {}
        self._width = 1 + 2 * max(len(act.__struct_fields__) for act in self.verbs)
        first = self.begin("").state
        self._measured = tuple(self.game.measures(first)) if measures else ()
        self._spaces = self._sight()
        self._choice = spaces.Discrete(choices)
        self._whole_size = 3 + self.schema.match.places
        size = self._whole_size + sum(len(table) * table.places for table in self.schema.tables)
        self.state_space = spaces.Box(np.full(size, _LARGE.min), np.full(size, _LARGE.max), dtype=np.int32)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy or a pickle holds: all but what is made anew when somebody looks."""
        return {**self.__dict__, "_eyes": {}, "_known": {}, "schema": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = {**state, "schema": state["game"].schema()}

    def _tables(self) -> dict[str, Any]:
        sheets = Eyes(self.game).sheets
        return {name: spaces.Box(*sheet.bounds, dtype=np.int32) for name, sheet in sheets.items()}

    def _sight(self) -> spaces.Dict:
        roles, sheet = len(self.possible_agents), _Sheet(self.schema.match)
        low = np.concatenate([[0, 0, 0], sheet.bounds[0][0]])
        high = np.concatenate([[roles - 1, roles, len(self._steps)], sheet.bounds[1][0]])
        row = np.full(self._width, _LARGE.max)
        row[0], row[1::2] = len(self.verbs), self.schema.things - 1
        least = np.zeros(self._width, np.int64)
        least[2::2] = _LARGE.min
        shape = (self.choices, self._width)
        found = {
            **self._tables(),
            "match": spaces.Box(low, high, dtype=np.int32),
            "candidates": spaces.Box(np.broadcast_to(least, shape), np.broadcast_to(row, shape), dtype=np.int32),
            "action_mask": spaces.Box(0, 1, (self.choices,), np.int8),
        }
        if self.measures:
            found["measures"] = spaces.Box(-np.inf, np.inf, (len(self._measured),), np.float32)
        return spaces.Dict(found)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._spaces

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._choice

    # ---- the match
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new match. Without a seed every reset starts a different match, the same ones in every run."""
        if seed is not None:
            self.seed, self._resets = seed, 0
        name = f"{self.seed}/{self._resets}" if self._resets else str(self.seed)
        self._resets += 1
        self.match = self.begin(name)
        self._rng = Random(f"candidates/{name}")
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.outcome: Outcome | None = None
        """How the match ended, or how it stood when its `turns` were over."""
        self._turn, self._turns_played = self.game.turn(self.match.state), 0
        self._worth = self.potentials() if self.shaping else {}
        self._ask()

    def begin(self, seed: str) -> Match[Any]:
        """A match at its beginning."""
        if self.position:
            return set_up(self.game, self.position, seed, history=False)
        return Match.new(self.game, self.scenario, self.options, seed=seed, history=False)

    def _ask(self) -> None:
        """Find out whose turn it is. Candidates are drawn when somebody looks at them."""
        self._drawn: list[Any] | None = None
        self._chosen: tuple[Any, ...] = ()
        self._dead: set[tuple[Any, ...]] = set()
        if self.match.asked is not None:
            self.agent_selection = self.match.asked

    def candidates(self) -> list[Any]:
        """What the agent chooses from; its choice is an index of this list.

        They are actions, or with `by_field` the verbs of the position or values of the next field.
        """
        if self._drawn is None:
            if self.outcome is not None or any(self.truncations.values()):
                self._drawn = []
            elif self.by_field:
                self._drawn = self._next_values()
            else:
                self._drawn = draw(self.match.offers(self.agent_selection).offers, self._rng, self.choices)
        return self._drawn

    def _next_values(self) -> list[Any]:
        """Values of the field that is asked next. A choice that leads nowhere is taken back and not offered again."""
        offers = self.match.offers(self.agent_selection).offers
        while True:
            path = self._chosen
            if not path:
                found: Iterator[Any] = iter(range(len(offers)))
            elif isinstance(offers[path[0]], Choices) or not offers[path[0]].fields or offers[path[0]].closed:
                found = _actions(offers[path[0]], self._rng, self.choices)
            else:
                field = offers[path[0]].fields[len(path) - 1]
                found = _values(field.given(path[1:]), self._rng, self.choices)
            values = list(itertools.islice((v for v in found if (*path, v) not in self._dead), self.choices))
            if values:
                return values
            self._dead.add(path)
            self._chosen = path[:-1]

    def _take(self, value: Any) -> Action | None:
        """Choose the value of a field; returns the action when it is complete."""
        self._chosen = (*self._chosen, value)
        self._drawn = None
        number, *values = self._chosen
        offer = self.match.offers(self.agent_selection).offers[number]
        last = values[-1] if values else None
        if isinstance(last, Action):
            return last
        if isinstance(offer, Choices) or offer.closed is not None or len(values) < len(offer.fields):
            return None
        complete: Action = offer.act(*values)
        return complete

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        found = self.candidates()
        if action is None or not 0 <= int(action) < len(found):
            raise ValueError(f"{agent} has no candidate number {action}: the mask holds {len(found)}")
        chosen = self._take(found[int(action)]) if self.by_field else found[int(action)]
        if chosen is None:
            self._cumulative_rewards[agent] = 0.0
            self._clear_rewards()
        else:
            self.act(self.match.offers(agent).drawn(chosen))

    def act(self, action: Action) -> None:
        """Carry out any action of the agent whose turn it is, a candidate or not."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.match.apply(agent, action)
        self.outcome = self.match.outcome or self._cut_short()
        if self.shaping:
            after = self.potentials() if self.outcome is None else {}
            for role, before in self._worth.items():
                self.rewards[role] = self.shaping * (after.get(role, 0.0) - before)
            self._worth = after
        if self.outcome is not None:
            for role in self.agents:
                self.rewards[role] += reward(self.game, self.outcome, role)
                self.terminations[role] = True
        elif self.most_decisions is not None and self.match.number >= self.most_decisions:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._ask()
        if self.outcome is not None or self.truncations[agent]:
            self.agent_selection = self.agents[0]

    def _cut_short(self) -> Outcome | None:
        """How the match stands, when it has been played for `turns` turns."""
        turn = self.game.turn(self.match.state) if self.turns else self._turn
        if turn == self._turn:
            return None
        self._turn = turn
        self._turns_played += 1
        if self._turns_played < self.turns:
            return None
        return self.match.standing().today or Outcome((), "draw", "")

    def potentials(self) -> dict[str, float]:
        """For each role its side's part of the measures that count most, from -1 to 1, as far as it may know them."""
        state = self.match.state
        found: dict[str, float] = {}
        public = self.game.public(state)
        measured = self.game.measures(state) if public else {}
        parties = self.game.judge().parties(self.game, state)
        for name, roles in parties.items():
            if not public:
                measured = self.game.measures(self.match.view(roles[0]).state)
            parts: dict[str, list[float]] = {}
            for key, value in measured.items():
                kind, _, whose = key.partition(".")
                if not self.game.stakes or kind in self.game.stakes:
                    mine = whose == name or whose in roles
                    part = parts.setdefault(kind, [0.0, 0.0])
                    part[mine] += value
            shares = [(mine - theirs) / (mine + theirs) for theirs, mine in parts.values() if mine + theirs > 0]
            found |= dict.fromkeys(roles, sum(shares) / len(shares) if shares else 0.0)
        return found

    # ---- looking
    def observe(self, agent: str) -> dict[str, Any]:
        """What a role may know, as numbers; candidates and mask are zeros for a role that does not act now."""
        state = self.match.state
        if self.game.public(state):
            eyes = self._look_with("")
        else:
            eyes, state = self._look_with(agent), self.match.view(agent).state
        seen: dict[str, Any] = eyes.look(state)
        asked = self.match.waiting_for() if agent != self.agent_selection else (agent,)
        seen["match"] = self._whole(eyes, state, agent, asked[0] if asked else None)
        seen["candidates"], seen["action_mask"] = self._rows(agent)
        if self.measures:
            measured = self.game.measures(state)
            seen["measures"] = np.array([measured.get(name, 0.0) for name in self._measured], np.float32)
        return seen

    def _look_with(self, agent: str) -> Eyes:
        eyes = self._eyes.get(agent)
        if eyes is None:
            eyes = self._eyes[agent] = Eyes(self.game)
        return eyes

    def _whole(self, eyes: Eyes, state: State, agent: str, asked: str | None) -> Array:
        """The match as a whole: whose eyes these are, who is asked, at which step, and the schema's own numbers."""
        step = self._steps.get(type(state.stack[-1]), 0) if state.stack else 0  # type: ignore[arg-type]
        agents = self.possible_agents
        whole = np.empty(self._whole_size, np.int32)
        whole[:3] = agents.index(agent), agents.index(asked) + 1 if asked else 0, step
        whole[3:] = eyes.match.look(state)[0]
        return whole

    def _rows(self, agent: str) -> tuple[Array, npt.NDArray[np.int8]]:
        mask = np.zeros(self.choices, np.int8)
        if agent != self.agent_selection:
            return np.zeros((self.choices, self._width), np.int32), mask
        flat: list[int] = []
        found = self.candidates()
        for candidate in found:
            if isinstance(candidate, Action):
                flat += self._row_of(candidate)
            else:
                number, *values = (*self._chosen, candidate)
                flat += self._row(self.match.offers(agent).offers[number].act, values)
        rows = np.zeros((self.choices, self._width), np.int32)
        rows[: len(found)] = np.array(flat, np.int32).reshape(len(found), self._width)
        mask[: len(found)] = 1
        return rows, mask

    def _row_of(self, action: Action) -> list[int]:
        """The row of an action; the same actions come again and again."""
        row = self._known.get(action)
        if row is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            row = self._known[action] = self._row(type(action), msgspec.structs.astuple(action))
        return row

    def _row(self, act: type[Action], values: Sequence[Any]) -> list[int]:
        """A candidate as numbers: its verb, then for each field a thing and a number."""
        thing = self.schema.thing
        row = [self.verbs[act]]
        for value in values:
            if isinstance(value, str):
                row += (thing(value), 0)
            elif not isinstance(value, tuple):
                row += (0, int(value or 0))
            elif value and isinstance(value[-1], tuple):  # how many of each: the last kind, and how many in all
                row += (thing(value[-1][0]), sum(number for _, number in value))
            else:  # several things: the last one, which for a path is where it ends, and how many
                row += (thing(value[-1]) if value else 0, len(value))
        return row + [0] * (self._width - len(row))

    def state(self) -> Array:
        """Everything, hidden things too, as one row of numbers: for critics that see more than players."""
        eyes, state = self._look_with("*"), self.match.state
        whole = self._whole(eyes, state, self.agent_selection, self.match.asked)
        return np.concatenate([*(table.ravel() for table in eyes.look(state).values()), whole])

    def render(self) -> str | None:
        """The position in words."""
        if self.render_mode is None:
            return None
        table = self.match.table(None)
        return f"{table.turn} {table.prompt}".strip()

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""


class Solo(gymnasium.Env[dict[str, Any], int]):
    """One side of a match as a Gymnasium environment; players of a level decide for all others.

    A choice outside the mask counts as a legal one: its remainder by the number of candidates.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game[Any],
        scenario: str | None = None,
        *,
        side: str = "",
        against: str = "recruit",
        seconds: float = 5.0,
        **more: Any,
    ) -> None:
        """`side` is a role, or those who win together ('allies'), who are then one learner; by default the first role.

        `seconds` is how long a player may think about one phase; `more` goes to `Environment`.
        """
        self.inner = Environment(game, scenario, **more)
        found = self.inner.game
        roles = self.inner.possible_agents
        parties = found.judge().parties(found, self.inner.begin("").state)
        self.side = side or roles[0]
        self.roles = parties.get(self.side, (self.side,))
        if not set(self.roles) <= set(roles):
            raise Unknown(f"there is no side '{side}'; there is {', '.join(dict.fromkeys((*roles, *parties)))}")
        self.against, self._maker = against, base.find(against, found)
        self.budget = base.Budget(seconds)
        self.render_mode = self.inner.render_mode
        self.observation_space = self.inner.observation_space(roles[0])
        self.action_space = self.inner.action_space(roles[0])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.inner.reset(seed=seed)
        name = self.inner.match.seed
        self._players = {
            role: self._maker(self.inner.game, f"{name}/{role}")
            for role in self.inner.possible_agents
            if role not in self.roles
        }
        self._others_play()
        return self._seen(), {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        inner = self.inner
        inner.step(int(action) % max(1, len(inner.candidates())))
        reward = inner.rewards[self.roles[0]] + self._others_play()
        ended, cut = inner.outcome is not None, inner.truncations[self.roles[0]]
        return self._seen(), reward, ended, cut, {}

    def _seen(self) -> dict[str, Any]:
        """What the learner sees; Gymnasium wants arrays that are nobody else's."""
        return {name: array.copy() for name, array in self.inner.observe(self._me()).items()}

    def _me(self) -> str:
        return self.inner.agent_selection if self.inner.agent_selection in self.roles else self.roles[0]

    def _others_play(self) -> float:
        """Let the others decide until it is the learner's turn; returns what the learner got meanwhile."""
        inner, reward = self.inner, 0.0
        while inner.outcome is None and not inner.truncations[self.roles[0]]:
            role = inner.agent_selection
            if role in self.roles:
                break
            match = inner.match
            inner.act(base.ask(match, self._players[role], match.view(role), match.offers(role), self.budget))
            reward += inner.rewards[self.roles[0]]
        return reward

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which choices are candidates, as sb3-contrib's MaskablePPO asks."""
        return np.arange(self.inner.choices) < len(self.inner.candidates())

    def render(self) -> str | None:
        return self.inner.render()


class _Callable(ModuleType):
    """Lets `sandtable.env(...)` make an environment although `sandtable.env` is this module."""

    def __call__(self, game: str | Game[Any], scenario: str | None = None, **more: Any) -> Environment:
        return Environment(game, scenario, **more)


sys.modules[__name__].__class__ = _Callable
