"""Odds proven: what a card says against what comes out when the engine itself plays every fall of the dice.

The decisions are those of matches between computer players. Of each, the action chosen and a few others are asked for
their card, as a player would see it. The game says by which policy the card was made (`Game.trial`), and the engine
plays it. Where the dice are too many to play them all, it can play some battles instead, and the card has to fit those.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import Action, End, Game, Match, Odds, SealedDice, Trial
from sandtable.core.data import HOUSEKEEPING
from sandtable.lab.referee import Case, played
from sandtable.odds.shown import shown
from sandtable.odds.walk import TooMany, outcomes, state_of

ASKED = 3
"""Actions of a decision whose cards are read: the one chosen and others."""
MOST_PLAYS = 700
"""Times that the engine plays an action on for one card; what takes more is sampled."""
MOST_AT_ONCE = 1_300
"""Ways in which the dice of one action may fall: four dice."""
FAR = 6.0
"""Standard deviations beyond which a sample contradicts a card: a right card gets there once in a hundred million."""
WITHIN = 1e-6
_LEAST = 1e-12
Notes = tuple[Hashable, ...]
Spread = dict[End, float]


class Flaw(msgspec.Struct, frozen=True):
    """A figure of a card that the engine does not bear out."""

    source: str
    """The seed of the match."""
    scenario: str
    move: int
    role: str
    action: Any
    title: str
    what: str
    card: float
    engine: float


class Proof(msgspec.Struct):
    """How many cards were read, and what was wrong with them."""

    game: str
    decisions: int = 0
    """Decisions with at least one card that was compared with every fall of its dice."""
    proven: int = 0
    """Cards whose every figure comes from every fall of the dice."""
    sampled: int = 0
    """Cards of battles with too many dice, which fit a sample."""
    large: int = 0
    """Cards of battles with too many dice that were left aside."""
    unread: int = 0
    """Cards that the game has no trial for."""
    flaws: list[Flaw] = []


def prove(
    game: Game[Any], decisions: int, seed: str = "0", levels: Sequence[str] = ("captain",), *,
    samples: int = 0, scenario: str | None = None, progress: Callable[[int], object] = lambda number: None,
) -> Proof:  # fmt: skip
    """Read the cards of so many decisions from matches between computer players."""
    found, rng, number = Proof(game.id), Random(f"proof/{seed}"), 0
    while found.decisions < decisions:
        case = played(game, f"{seed}/{number}", levels, scenario)
        number += 1
        for match, role, actions in _asked(case, rng):
            if _read(found, case.source, match, role, actions, samples):
                found.decisions += 1
                progress(found.decisions)
            if found.decisions >= decisions:
                break
    return found


def _asked(case: Case, rng: Random) -> Iterator[tuple[Match[Any], str, list[Action]]]:
    """Every decision of a match: the match before it, who decided, what they chose and what else they could have."""
    before = case.match.clone()
    for _ in case.moves:
        last = case.match.log[-1]
        if type(last.action) not in HOUSEKEEPING:
            offers = before.offers(last.role)
            others = [offers.sample(rng) for _ in range(ASKED - 1)]
            yield before, last.role, list(dict.fromkeys([last.action, *others]))
        before = case.match.clone()


def _read(found: Proof, source: str, match: Match[Any], role: str, actions: Sequence[Action], samples: int) -> bool:
    """Read the cards of one decision; True where at least one of them could be proven."""
    proven = False
    for action in actions:
        card = shown(match, role, action)
        if card is None:
            continue
        trial = match.game.trial(match, role, action, card)
        if trial is None:
            found.unread += 1
            continue
        try:
            flaws = list(differences(card, every_fall(trial)))
            found.proven += not flaws
            proven = True
        except TooMany:
            flaws = list(_unlikely(card, trial, samples, f"{source}/{match.number}")) if samples else []
            found.sampled += bool(samples) and not flaws
            found.large += not samples
        found.flaws += [
            Flaw(source, match.scenario, match.number, role, msgspec.to_builtins(action), card.title, *flaw)
            for flaw in flaws
        ]
    return proven


# ---- every fall of the dice
def every_fall(trial: Trial, most: int = MOST_PLAYS) -> Spread:
    """Every end with its chance. Positions that are equal from here on are played on once."""
    fold = trial.fold or state_of
    known: dict[Hashable, list[tuple[float, Hashable]]] = {}
    place: dict[Hashable, tuple[Match[Any], Notes]] = {}
    ends: dict[Hashable, End] = {}
    plays = 0

    def arrive(chance: float, match: Match[Any], notes: Notes, did: Action | None, into: dict[Hashable, float]) -> None:
        notes = _noted(trial, notes, did, match)
        key = (fold(match), notes)
        place.setdefault(key, (match, notes))
        into[key] = into.get(key, 0.0) + chance

    layer: dict[Hashable, float] = {}
    for weight, start in trial.starts:
        for chance, match in _falls(start, _first(trial)):
            arrive(weight * chance, match, (), trial.action, layer)
    spread: Spread = {}
    while layer:
        following: dict[Hashable, float] = {}
        for key, chance in layer.items():
            if key not in known and key not in ends:
                match, notes = place[key]
                asked = match.decisions()
                action = trial.decide(match, asked[0]) if asked else None
                if action is None:
                    ends[key] = trial.end(match, notes)
                else:
                    after: dict[Hashable, float] = {}
                    falls = _falls(match, _applied(asked[0], action))
                    plays += len(falls)
                    if plays > most:
                        raise TooMany("more positions than are played through one by one")
                    for part, then in falls:
                        arrive(part, then, notes, action, after)
                    known[key] = [(part, then) for then, part in after.items()]
            if key in ends:
                spread[ends[key]] = spread.get(ends[key], 0.0) + chance
                continue
            for part, to in known[key]:
                if chance * part > _LEAST:
                    following[to] = following.get(to, 0.0) + chance * part
        layer = following
    return spread


def _noted(trial: Trial, notes: Notes, did: Action | None, match: Match[Any]) -> Notes:
    """The notes with those of an action and of what it brought."""
    told = [trial.note(what) for what in ([did] if did is not None else []) + match.play.events]
    return notes + tuple(said for said in told if said is not None)


class _Counted:
    """Ordinary dice that count in how many ways they can fall."""

    def __init__(self, seed: str) -> None:
        self.ways, self._dice = 1, SealedDice(seed)

    def value(self, number: int, sides: int) -> int:
        self.ways *= sides
        return self._dice.value(number, sides)


def _falls(match: Match[Any], do: Callable[[Match[Any]], object]) -> list[tuple[float, Match[Any]]]:
    """Every way in which the dice of one action fall; one throw tells beforehand whether they are too many."""
    twin, dice = match.clone(), _Counted("falls")
    twin.play.dice = dice
    do(twin)
    if dice.ways > MOST_AT_ONCE:
        raise TooMany("more dice fall at once than are played through one by one")
    return outcomes(match, do, most=MOST_AT_ONCE)


def _first(trial: Trial) -> Callable[[Match[Any]], object]:
    def do(twin: Match[Any]) -> None:
        if trial.action is not None:
            twin.apply(trial.role, trial.action)
        if trial.after is not None:
            trial.after(twin)

    return do


def _applied(role: str, action: Action) -> Callable[[Match[Any]], object]:
    return lambda twin: twin.apply(role, action)


# ---- comparing
def differences(card: Odds, spread: Spread) -> Iterator[tuple[str, float, float]]:
    """What the card says otherwise than the engine: the figure's name, the card's and the engine's."""
    for what, said, true in _figures(card, spread):
        if abs(said - true) > WITHIN * max(1.0, abs(true)):
            yield what, said, true


def _figures(card: Odds, spread: Spread) -> Iterator[tuple[str, float, float]]:
    """Every figure of the card with what it has to be."""
    yield "all", math.fsum(row.probability for row in card.results), 1.0
    if card.aim:
        yield "success", card.success, math.fsum(p for end, p in spread.items() if end.success)
    for side, lost in card.expected_losses.items():
        yield f"losses {side}", lost, math.fsum(p * dict(end.losses).get(side, 0) for end, p in spread.items())
    names = {row.name for row in card.results} | {end.name for end, p in spread.items() if p > WITHIN}
    for name in sorted(names):
        rows = [row for row in card.results if row.name == name]
        ends = [(end, p) for end, p in spread.items() if end.name == name]
        chance = math.fsum(p for _, p in ends)
        yield name, math.fsum(row.probability for row in rows), chance
        if len(rows) == 1 and rows[0].losses and chance > WITHIN:  # one row for all of them: their mean
            for side, lost in rows[0].losses.items():
                mean = math.fsum(p * dict(end.losses).get(side, 0) for end, p in ends) / chance
                yield f"{name} {side}", lost, lost if abs(mean - lost) <= 0.5 + WITHIN else mean
        elif len(rows) > 1:
            for row in rows:
                figures = _some(row.losses), _some(row.facts)
                same = math.fsum(p for end, p in ends if (_some(dict(end.losses)), _some(dict(end.facts))) == figures)
                yield f"{name} {dict(row.losses)} {dict(row.facts)}", row.probability, same


def _some(numbers: Mapping[str, int]) -> dict[str, int]:
    """The numbers without those that are 0."""
    return {name: number for name, number in numbers.items() if number}


# ---- where the dice are too many
def _unlikely(card: Odds, trial: Trial, samples: int, seed: str) -> Iterator[tuple[str, float, float]]:
    """Chances of the card that a sample of the engine's plays contradicts."""
    ends: dict[End, int] = {}
    rng = Random(seed)
    weights = [weight for weight, _ in trial.starts]
    for number in range(samples):
        start = rng.choices(trial.starts, weights)[0][1]
        end = _sampled(trial, start, f"{seed}/{number}")
        ends[end] = ends.get(end, 0) + 1
    checks = [("success", card.success, sum(n for end, n in ends.items() if end.success))] if card.aim else []
    for name in {row.name for row in card.results} | {end.name for end in ends}:
        said = math.fsum(row.probability for row in card.results if row.name == name)
        checks.append((name, said, sum(n for end, n in ends.items() if end.name == name)))
    for what, said, seen in checks:
        spread = math.sqrt(max(samples * said * (1.0 - said), 0.25))  # a rare end may well be seen once
        if abs(seen - samples * said) > FAR * spread:
            yield f"{what} (of {samples})", said, seen / samples


def _sampled(trial: Trial, start: Match[Any], seed: str) -> End:
    twin = start.clone()
    twin.play.dice = SealedDice(seed)
    _first(trial)(twin)
    notes: Notes = ()
    did = trial.action
    while True:
        notes = _noted(trial, notes, did, twin)
        asked = twin.decisions()
        did = trial.decide(twin, asked[0]) if asked else None
        if did is None:
            return trial.end(twin, notes)
        twin.apply(asked[0], did)
