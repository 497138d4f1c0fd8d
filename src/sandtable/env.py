"""Every game as a PettingZoo environment: `sandtable.env("munich-war", scenario="little-entente")`.

It follows the AEC interface: one agent acts at a time, agents are the roles of the match.

Actions. A position may offer millions of actions, but a policy needs a fixed number. So each decision has up to
`choices` candidates, and the agent chooses one by its number. Where a position offers no more actions than that, all
are candidates, in the order of the offers. Otherwise each offer gets an equal share of them, drawn at random. The seed
of the draw is the match's seed and the number of the decision, so the same match has the same candidates. The mask says
which numbers are candidates; `env.candidates()` returns the actions.

Observations. A dictionary with `observation` (what the role may see), `candidates` (a row for each) and `action_mask`.
The numbers are made by feature hashing: every fact of the view or the action is added at an index that depends on its
name, so a fact is always at the same index, in every game.

Rewards. 0 until the match is over; then 1 for the winners, -1 for the others, 0 for everybody in a draw.
"""

from __future__ import annotations

import functools
import itertools
import math
import sys
import zlib
from collections.abc import Mapping
from random import Random
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from sandtable.core import Action, Match, NothingToChoose
from sandtable.games import find

Numbers = npt.NDArray[np.float32]
CHOICES = 64
SIGHT = 1024
"""The length of an observation."""
FEATURES = 32
"""The length of a candidate's row."""
_TRIES = 8


@functools.lru_cache(maxsize=100_000)
def _spot(name: str, size: int) -> tuple[int, float]:
    """The index of a fact, and its sign."""
    spot = zlib.crc32(name.encode())
    return spot % size, 1.0 if spot & 0x10000 else -1.0


@functools.lru_cache(maxsize=10_000)
def _spots(name: str, count: int, size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """The indices and signs of all numbers in a list."""
    rows = [_spot(f"{name}/{number}", size) for number in range(count)]
    return np.array([spot for spot, _ in rows]), np.array([sign for _, sign in rows])


def _add(out: npt.NDArray[np.float64], value: Any, name: str) -> None:
    """Add every fact of a plain value to `out`. A number adds its logarithm, a text adds 1 at its own index."""
    if isinstance(value, dict):
        for key, part in value.items():
            _add(out, part, f"{name}/{key}")
    elif isinstance(value, (bytes, bytearray)) or (
        isinstance(value, (list, tuple)) and value and all(type(part) is int for part in value)
    ):
        if value:
            spots, signs = _spots(name, len(value), len(out))
            amounts = np.array(list(value), dtype=np.float64)
            np.add.at(out, spots, signs * np.copysign(np.log1p(np.abs(amounts)), amounts))
    elif isinstance(value, (list, tuple)):
        for number, part in enumerate(value):
            _add(out, part, f"{name}/{number}")
    elif isinstance(value, (int, float)):
        spot, sign = _spot(name, len(out))
        out[spot] += sign * math.copysign(math.log1p(abs(value)), value)
    elif value is not None:
        spot, sign = _spot(f"{name}={value}", len(out))
        out[spot] += sign


def hashed(value: Any, size: int) -> Numbers:
    """The facts of a plain value, hashed to `size` numbers between -1 and 1."""
    out = np.zeros(size, dtype=np.float64)
    _add(out, value, "")
    return np.tanh(out / 4).astype(np.float32)


class Environment(AECEnv):  # type: ignore[misc]
    """One match as a PettingZoo AEC environment."""

    metadata = {"render_modes": ["ansi"], "name": "sandtable_v0", "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        scenario: str | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        seed: int | str = 0,
        choices: int = CHOICES,
        most_decisions: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """`most_decisions` truncates a match, without a reward; by default matches end by their rules."""
        super().__init__()
        if choices < 2:
            raise ValueError("an environment needs room for at least two candidates")
        self.game = find(game)
        self.scenario = scenario or next(iter(self.game.scenarios))
        self.options = dict(self.game.check_options(self.scenario, options or {}))
        self.choices, self.most_decisions, self.render_mode = choices, most_decisions, render_mode
        self.seed: int | str = seed
        self._resets = 0
        self.possible_agents = list(self.game.roles_in(self.scenario))
        self.agents: list[str] = []
        self._action_spaces: dict[str, spaces.Discrete] = {
            agent: spaces.Discrete(choices) for agent in self.possible_agents
        }
        self._observation_spaces = {agent: self._sight() for agent in self.possible_agents}

    def _sight(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, (SIGHT,), np.float32),
                "candidates": spaces.Box(-1.0, 1.0, (self.choices, FEATURES), np.float32),
                "action_mask": spaces.Box(0, 1, (self.choices,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._action_spaces[agent]

    # ---- the match
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new match. Without a seed every reset starts a different match, the same ones in every run."""
        if seed is not None:
            self.seed, self._resets = seed, 0
        name = f"{self.seed}/{self._resets}" if self._resets else str(self.seed)
        self._resets += 1
        self.match: Match[Any] = Match.new(self.game, self.scenario, self.options, seed=name, history=False)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def _ask(self) -> None:
        """Find out whose turn it is and draw the candidates."""
        self._candidates: list[Action] = []
        if not self.match.over:
            self.agent_selection = self.match.decisions()[0]
            self._candidates = self._draw(self.agent_selection)

    def _draw(self, agent: str) -> list[Action]:
        offers = self.match.offers(agent)
        listed = list(itertools.islice(iter(offers), self.choices + 1))
        if len(listed) <= self.choices:
            return listed
        rng = Random(f"{self.match.seed}/{self.match.number}")
        found: dict[Action, None] = {}
        open_offers = list(offers.offers)
        share = -(-self.choices // len(open_offers))
        for offer in open_offers:
            # an offer that has few actions gives all of them
            few = list(itertools.islice(iter(offer), share + 1))
            if len(few) <= share:
                found.update(dict.fromkeys(few))
                continue
            mine: dict[Action, None] = {}
            for _ in range(_TRIES * share):
                if len(mine) == share:
                    break
                try:
                    mine[offer.sample(rng)] = None
                except NothingToChoose:
                    break
            found.update(mine)
        return list(found)[: self.choices]

    def candidates(self) -> list[Action]:
        """The actions that the agent chooses from: its choice is an index of this list."""
        return list(self._candidates)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= int(action) < len(self._candidates):
            raise ValueError(f"{agent} has no candidate number {action}: the mask holds {len(self._candidates)}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.match.apply(agent, self._candidates[int(action)])
        outcome = self.match.outcome
        if outcome is not None:
            for role in self.agents:
                won = 1.0 if role in outcome.winners else -1.0
                self.rewards[role] = won if outcome.winners else 0.0
                self.terminations[role] = True
        elif self.most_decisions is not None and self.match.number >= self.most_decisions:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._ask()
        if outcome is not None or any(self.truncations.values()):
            self._candidates = []
            self.agent_selection = self.agents[0]

    # ---- looking
    def observe(self, agent: str) -> dict[str, Any]:
        """The view of a role as numbers; candidates and mask are zeros for a role that does not act now."""
        view = self.match.view(agent).state
        rows = np.zeros((self.choices, FEATURES), dtype=np.float32)
        mask = np.zeros(self.choices, dtype=np.int8)
        if agent == self.agent_selection:
            for number, action in enumerate(self._candidates):
                rows[number] = hashed(msgspec.to_builtins(action), FEATURES)
                mask[number] = 1
        plain = msgspec.to_builtins(view, builtin_types=(bytes, bytearray), str_keys=True)
        return {"observation": hashed(plain, SIGHT), "candidates": rows, "action_mask": mask}

    def render(self) -> str | None:
        """The position in words."""
        if self.render_mode is None:
            return None
        table = self.match.table(None)
        return f"{table.turn} {table.prompt}".strip()

    def close(self) -> None:
        """Does nothing: the environment holds no resources."""


class _Callable(ModuleType):
    """Lets `sandtable.env(...)` make an environment although `sandtable.env` is this module."""

    def __call__(self, game: str, scenario: str | None = None, **more: Any) -> Environment:
        return Environment(game, scenario, **more)


sys.modules[__name__].__class__ = _Callable
