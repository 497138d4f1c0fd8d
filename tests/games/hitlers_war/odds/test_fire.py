"""Every kind of fire of Hitler's War as it comes up in played matches: the odds against all its dice and losses."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from sandtable.core import Action, Event, Match, Rolled
from sandtable.games import find
from sandtable.games.hitlers_war.model.actions import (
    Assault,
    CoastalAir,
    DefensiveAssault,
    NavalFire,
    Shell,
    ShellCoast,
    SupportFire,
)
from sandtable.games.hitlers_war.model.events import PointLost
from sandtable.games.hitlers_war.rules.losses import Losses
from sandtable.odds.walk import TooMany, outcomes
from sandtable.players import Budget, make

FIRE = (Assault, CoastalAir, DefensiveAssault, NavalFire, Shell, ShellCoast, SupportFire)
OF_EACH = 40
"""Positions of each kind that are gone through."""
_OWN_DICE = ("hw-air-3", "hw-assault-3", "hw-coastair-1", "hw-navfire-2", "hw-navfire-4", "hw-atsea-3", "hw-atsea-4")


def lost_by_the_game(match: Match[Any], role: str, action: Action) -> dict[int, float] | None:
    """Points lost over every way the dice fall, owners taking the first loss offered; None where other dice follow."""
    ends: dict[int, tuple[Match[Any], list[Event]]] = {}

    def fired(twin: Match[Any]) -> None:
        events = list(twin.apply(role, action))
        while isinstance(twin.step, Losses):
            asked = twin.decisions()[0]
            events += twin.apply(asked, next(iter(twin.offers(asked))))
        ends[id(twin)] = (twin, events)  # the match is kept, so that no other can take its id

    try:
        found = outcomes(match, fired, most=300)
    except TooMany:
        return None
    lost: dict[int, float] = {}
    for chance, end in found:
        events = ends[id(end)][1]
        if any(isinstance(event, Rolled) and event.why not in _OWN_DICE for event in events):
            return None
        number = sum(isinstance(event, PointLost) for event in events)
        lost[number] = lost.get(number, 0.0) + chance
    return lost


@pytest.mark.parametrize("scenario", ["barbarossa", "fall-of-germany", "campaign-2"])
@pytest.mark.rule("hw-air-3", "hw-air-11", "hw-assault-3", "hw-assault-11", "hw-fort-9")
def test_fire_takes_what_the_odds_say(scenario: str) -> None:
    game = find("hitlers-war")
    options = {"naval_action": True, "carriers": True} if scenario == "campaign-2" else {}
    done: Counter[str] = Counter()
    flown = 0
    for seed in (1, 2, 3, 4):
        match, rng = Match.new(game, scenario, options, seed=seed, history=False), Random(seed)
        players = {role: make(rng.choice(["recruit", "captain"]), game, seed) for role in match.roles}
        while not match.over:
            role = match.decisions()[0]
            offers = match.offers(role)
            shots = [shot for kind in FIRE for offer in offers[kind] for shot in islice(iter(offer), 60)]
            for shot in rng.sample(shots, min(2, len(shots))):
                if done[type(shot).__name__] < OF_EACH:
                    check(match, role, shot, done)
                    flown += isinstance(shot, (Assault, DefensiveAssault)) and shot.air > 0
            match.apply(role, players[role].decide(match.view(role), offers, Budget(1.0)))
    assert done["Assault"] >= 10
    assert done["DefensiveAssault"] >= 10
    assert flown or scenario != "campaign-2", "no assault with an attack in the air came up"


def check(match: Match[Any], role: str, action: Action, done: Counter[str]) -> None:
    wanted = lost_by_the_game(match, role, action)
    odds = match.preview(role, action)
    if wanted is None or odds is None:
        return
    done[type(action).__name__] += 1
    found: dict[int, float] = {}
    for row in odds.results:
        number = sum(row.losses.values())
        found[number] = found.get(number, 0.0) + row.probability
    assert found == pytest.approx(wanted), action
