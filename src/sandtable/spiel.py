"""Every game for OpenSpiel: `import sandtable.spiel`, then `pyspiel.load_game("python_sandtable(game=hitlers-war)")`.

Actions are the candidates of `sandtable.env`, by number. Chance acts once, at the beginning: it chooses one of `seeds`
seeds, and with it every die of the match and the candidates of every decision. So whoever searches a copy of a state
sees the dice to come; an honest search starts from `state.match.determinize(role, rng)` instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pyspiel

from sandtable.core import Action, Match, Outcome
from sandtable.env import CHOICES, Eyes, draw, reward
from sandtable.games import find, games

_WORDS: dict[str, Any] = {"game": "", "scenario": "", "choices": CHOICES, "seeds": 1000, "most": 20_000}
"""The parameters: the first game and scenario where none is named; a match of more than `most` decisions is a draw."""
_TYPE = pyspiel.GameType(
    short_name="python_sandtable",
    long_name="Sandtable",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=10,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    provides_factored_observation_string=False,
    parameter_specification=_WORDS,
)


class SandtableGame(pyspiel.Game):  # type: ignore[misc]
    """A scenario of a game."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        words = {**_WORDS, **(params or {})}
        self.rules = find(words["game"] or games()[0])
        self.scenario: str = words["scenario"] or next(iter(self.rules.scenarios))
        self.choices, self.seeds, self.most = int(words["choices"]), int(words["seeds"]), int(words["most"])
        self.roles = self.rules.roles_in(self.scenario)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.choices,
            max_chance_outcomes=self.seeds,
            num_players=len(self.roles),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=self.most,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> SandtableState:
        return SandtableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SandtableObserver:
        return SandtableObserver(self)


class SandtableState(pyspiel.State):  # type: ignore[misc]
    """A position; `match` is None until chance has chosen a seed."""

    def __init__(self, game: SandtableGame) -> None:
        super().__init__(game)
        self.match: Match[Any] | None = None
        self._candidates: list[Action] | None = None

    @property
    def _game(self) -> SandtableGame:
        found: SandtableGame = self.get_game()
        return found

    @property
    def _outcome(self) -> Outcome | None:
        if self.match is not None and self.match.outcome is None and self.match.number >= self._game.most:
            return Outcome((), "draw", "")
        return self.match.outcome if self.match is not None else None

    def candidates(self) -> list[Action]:
        """The actions that the player chooses from, the same ones in every copy of the state."""
        assert self.match is not None
        if self._candidates is None:
            rng = Random(f"{self.match.seed}/{self.match.number}")
            self._candidates = draw(self.match.offers(self._game.roles[self.current_player()]).offers, rng,
                                    self._game.choices)  # fmt: skip
        return self._candidates

    def current_player(self) -> int:
        if self.match is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self._outcome is not None or self.match.asked is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return self._game.roles.index(self.match.asked)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(seed, 1 / self._game.seeds) for seed in range(self._game.seeds)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.candidates()))) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        if self.match is None:
            self.match = Match.new(self._game.rules, self._game.scenario, seed=action, history=False)
        else:
            role = self._game.roles[self.current_player()]
            self.match.apply(role, self.match.offers(role).drawn(self.candidates()[action]))
        self._candidates = None

    def _action_to_string(self, player: int, action: int) -> str:
        return f"seed {action}" if self.match is None else repr(self.candidates()[action])

    def is_terminal(self) -> bool:
        return self._outcome is not None

    def returns(self) -> list[float]:
        outcome = self._outcome
        return [reward(self._game.rules, outcome, role) if outcome else 0.0 for role in self._game.roles]

    def __str__(self) -> str:
        return repr(self.match)


class SandtableObserver:
    """What a player may know, as the tables of the environment one after the other."""

    def __init__(self, game: SandtableGame) -> None:
        self._roles = game.roles
        self._eyes = Eyes(game.rules)
        size = sum(sheet.array.size for sheet in self._eyes.sheets.values())
        self.tensor: npt.NDArray[np.float32] = np.zeros(max(1, size), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SandtableState, player: int) -> None:
        self.tensor.fill(0)
        if state.match is not None:
            seen: Sequence[Any] = tuple(self._eyes.look(state.match.view(self._roles[player]).state).values())
            if seen:
                self.tensor[:] = np.concatenate([table.ravel() for table in seen])

    def string_from(self, state: SandtableState, player: int) -> str:
        if state.match is None:
            return "no seed yet"
        rules = state.match.game
        return rules.codec.to_json(state.match.view(self._roles[player]).state).decode()


pyspiel.register_game(_TYPE, SandtableGame)
