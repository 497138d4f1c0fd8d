"""The luck of dice that fell: what they brought, against everything they could have brought.

A fall is dice that were read together. It is weighed by the engine itself, which carries the move out once for each way
the dice can come up, and lets hits be taken as the odds assume (`Game.losses`). What is counted are the game's own
measures, so luck has the units that the game counts in. Few dice are walked through all together. Where they are too
many, each die is turned to all its faces by itself, with the others as they fell. In both cases real less expected is 0
on average, whatever else is done in the match.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core import Action, Dice, Event, Game, Match, Rolled
from sandtable.odds.losses import NoDice, WouldFall
from sandtable.odds.walk import TooMany, outcomes, state_of

MOST_WAYS = 36
"""Ways in which the dice of a move may come up if they are to be walked through together: two dice."""
_MOST_LOSSES = 40
_SAME, _NEVER = 1e-9, 1e-15
_FINEST, _MOST_PLACES = 0.25, 4_000
"""The grid on which spreads are added up: as fine as this, or with so many places."""
_OF_A_BATTLE = frozenset(("fight", "hit", "leave"))
Spread = Sequence[tuple[float, float]]
"""Chances with what they bring."""


class Die(msgspec.Struct, frozen=True):
    """A die of a match."""

    number: int
    sides: int
    value: int
    why: str


class Fall(msgspec.Struct, frozen=True):
    """Dice that were read together, and every way they could have come up."""

    move: int
    role: str
    """Who made the move."""
    turn: str
    place: str
    """Where the battle is; '' for dice of no battle."""
    dice: tuple[Die, ...]
    real: Mapping[str, float]
    """Measure -> by how much the move has changed it. Only measures that depended on these dice."""
    ways: Sequence[tuple[float, Mapping[str, float]]]
    """Every way they could have come up, as a chance and what it would have changed."""

    def spread(self, weights: Mapping[str, float]) -> Spread:
        """The chances of what these dice could bring, as one number: measures times weights."""
        return [(chance, _sum(change, weights)) for chance, change in self.ways]

    def result(self, weights: Mapping[str, float]) -> float:
        """What they did bring."""
        return _sum(self.real, weights)


def _sum(change: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return math.fsum(change[name] * weight for name, weight in weights.items() if name in change)


# ---- weighing
def falls(
    match: Match[Any], moves: Iterable[tuple[str, Action]], most: int = MOST_WAYS
) -> Iterator[tuple[Match[Any], list[Fall]]]:
    """Make these moves of a match that was played, and yield the match after each with the dice that fell in it."""
    at: tuple[str, str] = "", ""
    for role, action in moves:
        before = match.clone()
        events = list(match.again(role, action))
        at = _place(match.game, before, events, at)
        rolled = [event for event in events if isinstance(event, Rolled)]
        yield match, weigh(before, match, role, action, rolled, at[1], most) if rolled else []


def weigh(
    before: Match[Any], after: Match[Any], role: str, action: Action, rolled: Sequence[Rolled],
    place: str = "", most: int = MOST_WAYS,
) -> list[Fall]:  # fmt: skip
    """Weigh the dice that fell between two positions of a match, in which the role made this move."""
    game, start = before.game, _stakes(before)

    known: dict[Hashable, dict[str, float]] = {}
    """By position: most faces of a die bring the same."""

    def change(twin: Match[Any]) -> dict[str, float]:
        key = state_of(twin)
        if key not in known:
            _take_losses(twin)
            now = _stakes(twin)
            known[key] = {name: now.get(name, 0.0) - start.get(name, 0.0) for name in start.keys() | now.keys()}
        return known[key]

    def fall(dice: Sequence[Rolled], ways: Sequence[tuple[float, dict[str, float]]]) -> Fall:
        open_ = [name for name in real if any(abs(way[name] - ways[0][1][name]) > _SAME for _, way in ways)]
        return Fall(
            after.number, role, game.turn(before.state), place,
            tuple(Die(die.number, die.sides, die.value, die.why) for die in dice),
            {name: real[name] for name in sorted(open_)},
            _gathered([(chance, {name: way[name] for name in sorted(open_)}) for chance, way in ways]),
        )  # fmt: skip

    real = change(after.clone())
    if math.prod(die.sides for die in rolled) <= most:
        try:
            ends = outcomes(before, lambda twin: twin.apply(role, action), most=most)
            return [fall(rolled, [(chance, change(twin)) for chance, twin in ends])]
        except TooMany:  # other faces would have brought more dice
            pass
    found = []
    for die in rolled:
        faces = range(1, die.sides + 1)
        twins = [after.clone() if face == die.value else _turned(before, role, action, die, face) for face in faces]
        found.append(fall([die], [(1 / die.sides, change(twin)) for twin in twins]))
    return found


class _Turned:
    """The dice of a match with one of them turned to another face."""

    __slots__ = ("dice", "face", "number")

    def __init__(self, dice: Dice, number: int, face: int) -> None:
        self.dice, self.number, self.face = dice, number, face

    def value(self, number: int, sides: int) -> int:
        return self.face if number == self.number else self.dice.value(number, sides)


def _turned(before: Match[Any], role: str, action: Action, die: Rolled, face: int) -> Match[Any]:
    """The match after the move if one die had shown another face."""
    twin = before.clone()
    twin.play.dice = _Turned(before.play.dice, die.number, face)
    twin.apply(role, action)
    return twin


def _take_losses(match: Match[Any]) -> None:
    """Let everybody take the hits that the dice have brought, until something else is asked or a die would fall."""
    match.play.dice = NoDice()
    for _ in range(_MOST_LOSSES):
        for role in match.decisions():
            if losses := match.game.losses(match, role):
                break
        else:
            return
        try:
            for action in losses:
                match.apply(role, action)
        except WouldFall:
            return


def _stakes(match: Match[Any]) -> dict[str, float]:
    """The measures in which luck is counted."""
    families, state = match.game.stakes, match.state
    return {
        name: value
        for name, value in match.game.measures(state).items()
        if not families or name.partition(".")[0] in families
    }


def _gathered(ways: Sequence[tuple[float, dict[str, float]]]) -> list[tuple[float, Mapping[str, float]]]:
    """The ways with the chances of equal ones added up."""
    chances: dict[tuple[tuple[str, float], ...], float] = {}
    for chance, way in ways:
        key = tuple(way.items())
        chances[key] = chances.get(key, 0.0) + chance
    return [(chance, dict(key)) for key, chance in chances.items()]


def _place(game: Game[Any], before: Match[Any], events: Sequence[Event], at: tuple[str, str]) -> tuple[str, str]:
    """The turn and the place of the battle that is on. A hit without a place belongs to the last one of its turn."""
    turn, place = game.turn(before.state), ""
    for event in events:
        if isinstance(event, Rolled):
            continue
        scene, begun = game.scene(event), game.battle_place(event)
        if begun is not None:
            place = begun
        elif scene.kind in _OF_A_BATTLE:
            place = scene.path[-1] if scene.path else place or (at[1] if at[0] == turn else "")
    return turn, place or (at[1] if at[0] == turn and not any(isinstance(event, Rolled) for event in events) else "")


# ---- adding up
def weights_for(game: Game[Any], family: str, side: str) -> Callable[[Iterable[str]], dict[str, float]]:
    """What makes a side's balance of these measures: its own count for it, all others' against it."""
    own = {side, *game.alliances[side]}
    return lambda names: {
        name: 1.0 if name.partition(".")[2] in own else -1.0 for name in names if name.partition(".")[0] == family
    }


def balances(game: Game[Any], fallen: Sequence[Fall]) -> dict[str, tuple[float, float]]:
    """The luck of every side in every measure, by 'measure.side', each with its variance."""
    names = {name for fall in fallen for name in fall.real}
    found = {}
    for family in sorted({name.partition(".")[0] for name in names}):
        for side in game.alliances:
            weights = weights_for(game, family, side)(names)
            spreads = [fall.spread(weights) for fall in fallen]
            real = math.fsum(fall.result(weights) for fall in fallen)
            middle, width = math.fsum(map(mean, spreads)), math.fsum(map(variance, spreads))
            found[f"{family}.{side}"] = (real - middle, width)
    return found


def mean(spread: Spread) -> float:
    """The expected value."""
    return math.fsum(chance * value for chance, value in spread)


def variance(spread: Spread) -> float:
    middle = mean(spread)
    return math.fsum(chance * (value - middle) ** 2 for chance, value in spread)


def chance_of(spreads: Sequence[Spread], total: float) -> tuple[float, float]:
    """The chances that all of these together, each thrown again by itself, bring at least and at most this total."""
    reach = math.fsum(max(v for _, v in spread) - min(v for _, v in spread) for spread in spreads)
    step = max(_FINEST, reach / _MOST_PLACES)
    low, sums = 0.0, [1.0]
    for spread in spreads:
        least = min(value for _, value in spread)
        low += least
        sums = _added(sums, [(chance, (value - least) / step) for chance, value in spread])
        first = next(place for place, chance in enumerate(sums) if chance > _NEVER)
        low, sums = low + first * step, sums[first:]
    at_least = math.fsum(chance for place, chance in enumerate(sums) if low + place * step >= total - step / 2)
    at_most = math.fsum(chance for place, chance in enumerate(sums) if low + place * step <= total + step / 2)
    return min(1.0, at_least), min(1.0, at_most)


def _added(sums: Sequence[float], places: Spread) -> list[float]:
    """A spread on the grid with another one added. A value between two places is shared out, so that means stay."""
    found = [0.0] * (len(sums) + math.ceil(max(place for _, place in places)) + 1)
    for chance, place in places:
        whole = math.floor(place + _SAME)
        rest = max(0.0, place - whole)
        for part, shift in ((chance * (1 - rest), whole), (chance * rest, whole + 1)):
            if part > 0.0:
                for at, other in enumerate(sums):
                    found[at + shift] += part * other
    while found[-1] <= _NEVER:
        found.pop()
    return found
