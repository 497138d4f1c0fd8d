"""Random legal play with every promise of the core and every invariant of the game checked on the way.

One harness for every game. A failure has the seed and the match file that reproduce it. Each match is played twice:
the second time no fact is remembered, and every state must be the same.

Random play does not reach what players with a plan reach, so computer players can decide instead. Then one match in a
few is played twice: to remember nothing costs up to four times as much as all the rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec

from sandtable.core import Game, Match, NothingToChoose, SandtableError
from sandtable.core import replay as files
from sandtable.players import Budget, Player, make

from .promises import (
    FuzzFailure,
    apply_offered,
    check_clone,
    check_memory,
    check_preview,
    check_refusals,
    check_replay,
    check_state,
    check_told,
    check_undo,
    check_views,
    mutate,
    random_play,
)

__all__ = ["LOOK_EVERY", "FuzzFailure", "Report", "drawn_setting", "fuzz", "mutate", "random_play"]

LOOK_EVERY = 16
"""Views, clones, undo and mutated actions are checked at one decision in this many, chosen at random."""
STRAY_EVERY = 20
"""A computer player's role decides at random at one decision in this many, so that no two matches are alike."""
REPLAY_EVERY = 8
"""One match of computer players in this many is played again without memory."""
THOUGHT = Budget(60.0, tries=6)
"""What a computer player may think about a phase: counted in tries, so that the same seed plays the same match."""


class Report(msgspec.Struct):
    """What a run covered."""

    game: str
    scenario: str
    options: dict[str, Any]
    seed: int | str
    decisions: int = 0
    matches: int = 0
    dice: int = 0
    undone: int = 0
    refused: int = 0
    views: int = 0
    longest: int = 0
    outcomes: dict[str, int] = {}


def drawn_setting(game: Game[Any], rng: Random, scenario: str | None = None) -> tuple[str, dict[str, Any]]:
    """A scenario of the game, where none is named, and a value for each of its options, drawn at random."""
    scenario = scenario or rng.choice(list(game.scenarios))
    options = game.check_options(scenario, {})
    return scenario, {name: rng.choice(game.options[name].choices or (False, True)) for name in options}


def fuzz(
    game: Game[Any],
    scenario: str,
    options: Mapping[str, Any] | None = None,
    *,
    decisions: int,
    seed: int | str = 0,
    look_every: int = LOOK_EVERY,
    match_limit: int = 200_000,
    matches: int | None = None,
    level: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Play matches until so many decisions are made, or so many matches. FuzzFailure is the first broken promise.

    Decisions are drawn at random; with a `level`, computer players take most of them.
    """
    chosen = game.check_options(scenario, options or {})
    report = Report(game.id, scenario, dict(chosen), seed)
    while report.decisions < decisions and (matches is None or report.matches < matches):
        rng = Random(f"{seed}/{report.matches}")
        match = Match.new(game, scenario, chosen, seed=f"{seed}/{report.matches}")
        players = {role: make(level, game, f"{match.seed}/{role}") for role in match.roles} if level else {}
        report.matches += 1
        try:
            _one_match(match, players, rng, report, decisions, look_every, match_limit, progress)
        except FuzzFailure as failure:
            failure.match = failure.match or match
            raise
        except (SandtableError, AssertionError, LookupError, TypeError, ValueError, AttributeError) as error:
            step = type(match.step).__name__ if match.state.stack else "no step"
            raise FuzzFailure(f"{type(error).__name__} in {step}: {error}", match) from error
        report.dice += match.state.rolled
        report.longest = max(report.longest, match.number)
    return report


def _one_match(
    match: Match[Any],
    players: Mapping[str, Player],
    rng: Random,
    report: Report,
    decisions: int,
    look_every: int,
    match_limit: int,
    progress: Callable[[int], None] | None,
) -> None:
    check_state(match)
    digests = [""]
    made = 0
    while not match.over and report.decisions < decisions:
        role = rng.choice(match.decisions())
        looking = rng.randrange(look_every) == 0
        if looking:
            check_memory(match)
            check_views(match, rng)
            check_clone(match, rng)
            report.views += len(match.roles) + 1
        try:
            if players and rng.randrange(STRAY_EVERY):
                action = players[role].decide(match.view(role), match.offers(role), THOUGHT)
            else:
                action = match.offers(role).sample(rng)
        except NothingToChoose:
            raise FuzzFailure(f"{role} is asked at {type(match.step).__name__} but can do nothing") from None
        if looking:
            report.refused += check_refusals(match, role, action, rng)
            check_preview(match, role, action)
            check_secret = check_told(match, role, action, rng)
        before = match.digest() if looking else ""
        apply_offered(match, role, action)
        packed = check_state(match)
        if looking and not match.over:
            check_secret()
            report.undone += check_undo(match, role, action, before)
        digests.extend([""] * (match.number - len(digests)))  # taking back and doing again are moves too
        digests.append(hashlib.blake2b(packed, digest_size=16).hexdigest())
        report.decisions += 1
        made += 1
        if made > match_limit:
            raise FuzzFailure(f"the match does not end: {match_limit} decisions made")
        if progress and report.decisions % 100 == 0:
            progress(report.decisions)
    if not players or rng.randrange(REPLAY_EVERY) == 0:
        check_replay(match, digests)
    if match.over:
        outcome = match.outcome
        assert outcome is not None
        key = f"{'+'.join(outcome.winners) or 'nobody'}: {outcome.level}"
        report.outcomes[key] = report.outcomes.get(key, 0) + 1
        again = files.load(files.save(match), lambda name, rules: match.game)
        if again.digest() != match.digest():
            raise FuzzFailure("the saved match does not come back as it was")
