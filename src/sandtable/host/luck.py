"""The luck ledger of a finished match: every die against its odds, by side, battle and turn.

`sandtable.odds.luck` says what luck is. Weighing takes seconds, so it is done in parts where computer players think.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from sandtable.core import Game, Match, Texts
from sandtable.games import registered
from sandtable.odds import luck
from sandtable.odds.luck import Fall

from . import messages as m
from .log import DieFace
from .records import MoveRow

PART_SECONDS = 0.7
"""About how long a part takes."""
SHOWN = 12
"""How many falls and battles a ledger lists of each measure."""
_SAME = 1e-9


# ---- in parts
class Weigh(msgspec.Struct, frozen=True, tag_field="type", tag="weigh"):
    """A part of a match to weigh: a position in which nothing can be taken back, and the moves after it."""

    game: str
    rules: int
    seed: str
    number: int
    state: bytes
    moves: tuple[tuple[str, bytes], ...]


class Weighed(msgspec.Struct):
    """The dice of some moves, and the position after them."""

    falls: list[Fall]
    number: int
    state: bytes


def weigh(task: Weigh) -> Weighed:
    """Weigh the dice of a part, as far as it gets in the time it has."""
    game = registered(task.game, task.rules)
    match: Match[Any] = Match.restore(game, game.codec.unpack(task.state), seed=task.seed, number=task.number)
    end, found = time.monotonic() + PART_SECONDS, list[Fall]()
    for _, fallen in luck.falls(match, ((role, match.parse(action)) for role, action in task.moves)):
        found += fallen
        if match.settled and time.monotonic() > end:
            break
    return Weighed(found, match.number, game.codec.pack(match.state))


class Ledger:
    """The luck of a match as far as it is weighed."""

    def __init__(self, match: Match[Any], rules: int, moves: Sequence[MoveRow]) -> None:
        self._match, self._rules, self._moves = match, rules, moves
        self._number, self._state = match.number, match.game.codec.pack(match.state)
        self.falls: list[Fall] = []
        self.lock = asyncio.Lock()
        """Held while a part is weighed."""

    @property
    def done(self) -> int:
        return self._number

    @property
    def of(self) -> int:
        return len(self._moves)

    def part(self) -> Weigh:
        """What is to be weighed next."""
        moves = tuple((move.role, move.action) for move in self._moves[self._number :])
        match = self._match
        return Weigh(match.game.id, self._rules, match.seed, self._number, self._state, moves)

    def add(self, part: Weighed) -> None:
        self.falls += part.falls
        self._number, self._state = part.number, part.state


# ---- the ledger
def ledger(game: Game[Any], falls: Sequence[Fall], language: str) -> m.LuckFace:
    """Return everything that the dice of a match have won and lost for its sides."""
    texts = game.texts(language)
    turns = list(dict.fromkeys(fall.turn for fall in falls))
    open_ = {name for fall in falls for name in fall.real}
    families = [family for family in game.stakes or _families(game, open_) if _is_of(family, open_)]
    return m.LuckFace(
        dice=sum(len(fall.dice) for fall in falls),
        turns=[game.turn_name(turn, texts) for turn in turns],
        measures=[_measure(game, family, open_, falls, turns, texts) for family in families],
    )


def _families(game: Game[Any], names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name.partition(".")[0] for name in sorted(names)))


def _is_of(family: str, names: Iterable[str]) -> bool:
    return any(name.partition(".")[0] == family for name in names)


def _measure(
    game: Game[Any], family: str, names: Iterable[str], falls: Sequence[Fall], turns: Sequence[str], texts: Texts
) -> m.LuckMeasure:
    weights = {side: luck.weights_for(game, family, side)(names) for side in game.alliances}
    mine = [fall for fall in falls if _is_of(family, fall.real)]
    of_fall = [{side: _luck(fall, weights[side]) for side in weights} for fall in mine]
    order = sorted(range(len(mine)), key=lambda place: -max(map(abs, of_fall[place].values())))
    return m.LuckMeasure(
        measure=family,
        label=texts.say(f"measure.{family}"),
        dice=sum(len(fall.dice) for fall in mine),
        sides=[_side(side, weights[side], mine) for side in weights],
        falls=[_fall(game, mine[place], of_fall[place], texts) for place in order[:SHOWN]],
        battles=_battles(game, mine, of_fall, texts),
        curves={side: _curve(side, mine, of_fall, turns) for side in weights},
        chain=_chain(mine, of_fall),
    )


def _luck(fall: Fall, weights: Mapping[str, float]) -> float:
    return fall.result(weights) - luck.mean(fall.spread(weights))


def _side(side: str, weights: Mapping[str, float], falls: Sequence[Fall]) -> m.LuckSide:
    own = {name: weight for name, weight in weights.items() if weight > 0}
    spreads = [fall.spread(weights) for fall in falls]
    total = math.fsum(fall.result(weights) for fall in falls)
    balance = total - math.fsum(map(luck.mean, spreads))
    at_least, at_most = luck.chance_of(spreads, total)
    return m.LuckSide(
        side,
        real=math.fsum(fall.result(own) for fall in falls),
        expected=math.fsum(luck.mean(fall.spread(own)) for fall in falls),
        luck=balance,
        deviation=math.sqrt(math.fsum(map(luck.variance, spreads))),
        chance=at_least if balance >= 0 else at_most,
    )


def _fall(game: Game[Any], fall: Fall, lucks: dict[str, float], texts: Texts) -> m.LuckFall:
    dice = [DieFace(die.number, die.sides, die.value, die.why) for die in fall.dice]
    turn = game.turn_name(fall.turn, texts)
    return m.LuckFall(fall.move, fall.role, turn, fall.place, texts.name(fall.place) if fall.place else "", dice, lucks)


def _battles(
    game: Game[Any], falls: Sequence[Fall], of_fall: Sequence[dict[str, float]], texts: Texts
) -> list[m.LuckBattle]:
    """The fighting at each place in each turn; the battles with the most luck in them first."""
    found: dict[tuple[str, str], m.LuckBattle] = {}
    for fall, lucks in zip(falls, of_fall, strict=True):
        if not fall.place:
            continue
        battle = found.get((fall.turn, fall.place))
        if battle is None:
            turn = game.turn_name(fall.turn, texts)
            battle = m.LuckBattle(fall.place, texts.name(fall.place), turn, fall.move, 0, dict.fromkeys(lucks, 0.0))
            found[fall.turn, fall.place] = battle
        battle.dice += len(fall.dice)
        for side, value in lucks.items():
            battle.luck[side] += value
    return sorted(found.values(), key=lambda battle: -max(map(abs, battle.luck.values())))[:SHOWN]


def _curve(side: str, falls: Sequence[Fall], of_fall: Sequence[dict[str, float]], turns: Sequence[str]) -> list[float]:
    """The luck of a side after each turn, all turns before it included."""
    by_turn = dict.fromkeys(turns, 0.0)
    for fall, lucks in zip(falls, of_fall, strict=True):
        by_turn[fall.turn] += lucks[side]
    return list(accumulate(by_turn.values()))


def _chain(falls: Sequence[Fall], of_fall: Sequence[dict[str, float]]) -> m.LuckChain | None:
    """The longest row of falls that were all lucky for one side; of equal ones the luckiest."""
    best: m.LuckChain | None = None
    for side in of_fall[0] if of_fall else ():
        row: m.LuckChain | None = None
        for fall, lucks in zip(falls, of_fall, strict=True):
            if lucks[side] <= _SAME:
                row = None
                continue
            row = row or m.LuckChain(side, 0, fall.move, fall.move, 0.0)
            row = m.LuckChain(side, row.falls + 1, row.first, fall.move, row.luck + lucks[side])
            if best is None or (row.falls, row.luck) > (best.falls, best.luck):
                best = row
    return best
