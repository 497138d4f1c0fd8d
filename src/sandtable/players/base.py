"""Computer players: the levels of a game, the random player, and imagined matches to think with."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from functools import cache, partial
from random import Random
from typing import Any

from sandtable.core import (
    Action,
    Event,
    Game,
    Match,
    Offers,
    Refusal,
    Role,
    SandtableError,
    Unknown,
    View,
)
from sandtable.core.game import Budget, Maker, Player

from .program import Mistake, Program, imagine

__all__ = [
    "Budget", "Maker", "Mistake", "Player", "Recruit", "ask", "carry_out", "find", "imagine", "levels", "load", "make",
    "patience", "register", "stretched", "take_turn",
]  # fmt: skip
ADVICE = "decide() returns one of the offers, for example offers.sample(rng)"
EXEC = "exec:"
"""How the name of a player begins that is a program of its own."""
TRIES = "@"
"""What stands between a level and its number of tries."""


class Recruit:
    """Chooses at random: first which kind of thing to do, then how."""

    def __init__(self, game: Game[Any], seed: int | str) -> None:
        self.game = game
        self.rng = Random(f"recruit/{seed}")

    def decide(self, view: View[Any], offers: Offers, budget: Budget) -> Action:
        return offers.sample(self.rng)


_LEVELS: dict[str, dict[str, Maker]] = {}
"""Level -> game id -> maker: what `register` added to the games' own players."""


def register(level: str, game: str, maker: Maker) -> None:
    """Add a level to a game, or replace one, in this process."""
    _LEVELS.setdefault(level, {})[game] = maker


@cache
def _installed() -> dict[str, str]:
    """The players of installed packages: their entry points of the group 'sandtable.players'.

    The name is a level for every game, or GAME.LEVEL for one; the value is 'module:Class'.
    """
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group="sandtable.players")}


def _makers(game: Game[Any]) -> dict[str, Maker]:
    added = {level: makers[game.id] for level, makers in _LEVELS.items() if game.id in makers}
    installed = {
        name.removeprefix(f"{game.id}."): partial(_make_from, home)
        for name, home in _installed().items()
        if "." not in name or name.startswith(f"{game.id}.")
    }
    return {"recruit": Recruit, **game.players(), **installed, **added}


def _make_from(home: str, game: Game[Any], seed: int | str) -> Player:
    return load(home)(game, seed)


def load(home: str) -> Maker:
    """Return what makes the player at 'module:Class'."""
    module, _, attribute = home.partition(":")
    try:
        found: Maker = getattr(importlib.import_module(module), attribute)
    except (ModuleNotFoundError, AttributeError, ValueError) as error:
        raise Unknown(f"there is no player at '{home}': {error}") from None
    if not callable(found):
        raise Unknown(f"'{home}' makes no player: it is not a class")
    return found


def levels(game: Game[Any]) -> tuple[str, ...]:
    """The levels at which the computer plays a game, weakest first; registered ones last."""
    return tuple(_makers(game))


def find(level: str, game: Game[Any]) -> Maker:
    """Return what makes a player: of a level, at 'module:Class', or of a program, 'exec:COMMAND'.

    For words of the person at the machine. `make` is for words of strangers, who must not choose what is run.
    A level may say how many tries it makes: 'general@60'.
    """
    if level.startswith(EXEC):
        return partial(Program, level.removeprefix(EXEC))
    name, limited, tries = level.partition(TRIES)
    maker = partial(_made, load(name)) if ":" in name else _registered(name, game)
    if not limited:
        return maker
    if not tries.isdecimal() or int(tries) == 0:
        raise Unknown(f"'{level}' says no number of tries after the {TRIES}")
    return partial(_rationed, maker, int(tries))


def _rationed(maker: Maker, tries: int, game: Game[Any], seed: int | str) -> Player:
    """A player that makes so many tries, whatever the others make."""
    player = maker(game, seed)
    player.ration = tries  # type: ignore[attr-defined]
    return player


def _made(maker: Maker, game: Game[Any], seed: int | str) -> Player:
    """Return somebody's own player; what is wrong with its class is said in one line."""
    name = getattr(maker, "__name__", repr(maker))
    try:
        player = maker(game, seed)
    except Exception as error:
        error.add_note(f"{name} raised this; it is made with the game and a seed: {name}(game, seed)")
        raise
    if not callable(getattr(player, "decide", None)):
        raise Mistake(f"{name} makes no player: it has no decide(view, offers, budget)")
    return player


def _registered(level: str, game: Game[Any]) -> Maker:
    makers = _makers(game)
    if level not in makers:
        raise Unknown(f"there is no level '{level}' for {game.id}; there is {', '.join(makers)}")
    return makers[level]


def patience(level: str, game: Game[Any]) -> float:
    """How many times as long as others a player of that level may think."""
    return float(getattr(_registered(level, game), "patience", 1.0))


def stretched(budget: Budget, player: Player) -> Budget:
    """The budget of a player: who is more patient than others has more time, and is alone in using several cores."""
    times = float(getattr(player, "patience", 1.0))
    tries = getattr(player, "ration", None if budget.tries is None else round(budget.tries * times))
    return Budget(budget.seconds * times, tries, budget.cores if times > 1 else 1)


def make(level: str, game: Game[Any], seed: int | str) -> Player:
    """A player of that level."""
    return _registered(level, game)(game, seed)


def take_turn(match: Match[Any], role: Role, player: Player, budget: Budget) -> Sequence[Event]:
    """Let a player decide for a role, carry it out, and return what happened.

    What the player raises goes on as it is, with a note that says where it happened.
    """
    return carry_out(match, role, player, ask(match, player, match.view(role), match.offers(role), budget))


def carry_out(match: Match[Any], role: Role, player: Player, action: Action) -> Sequence[Event]:
    """Carry out what a player decided, and return what happened. What the rules refuse is its `Mistake`."""
    try:
        return match.apply(role, action)
    except Refusal as refusal:
        why = match.explain(refusal)
        raise Mistake(f"{_where(player, match, role)} answered {action!r}, not allowed ({why}): {ADVICE}") from None


def ask(match: Match[Any], player: Player, view: View[Any], offers: Offers, budget: Budget) -> Action:
    """Return what a player decides about a view of the match. What is no action is its `Mistake`."""
    try:
        action = player.decide(view, offers, budget)
    except SandtableError:
        raise
    except Exception as error:
        played = f"{match.game.id} {match.scenario} (seed {match.seed!r})"
        error.add_note(f"{_where(player, match, view.role)} raised this in {played}: mend its decide(); {ADVICE}")
        raise
    if not isinstance(action, Action):
        raise Mistake(f"{_where(player, match, view.role)} answered {action!r}, which is no action: {ADVICE}")
    return action


def _where(player: Player, match: Match[Any], role: Role | None) -> str:
    return f"{type(player).__name__}, asked as {role} after {match.number} moves,"
