"""Random play that looks for a fight: armies go to the front, attack what is not theirs and follow up.

Plain random play shuffles armies about and seldom meets the enemy; tests that want battles use this instead.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Match, NothingToChoose
from sandtable.games.hitlers_war.game import GAME
from sandtable.games.hitlers_war.model.actions import Attack, Done, Invade, March
from sandtable.games.hitlers_war.model.atlas import ATLAS, CLOSED, WATER
from sandtable.games.hitlers_war.model.state import War, armies_of

EVERYTHING: dict[str, dict[str, Any]] = {
    scenario: {
        name: True if not option.choices else 2 if name == "players" else option.choices[-1]
        for name, option in GAME.options.items()
        if not option.scenarios or scenario in option.scenarios
    }
    for scenario in GAME.scenarios
}
"""Per scenario: every option switched on, for two players."""
_EAGER = ("Advances", "Exploitation", "Assaults", "DefensiveAssaults", "NavalFires", "SupportFires", "CoastalFires")


def choose(match: Match[War], role: str, rng: Random) -> Action:
    """One action, with an eye on the enemy."""
    step = type(match.step).__name__
    if step == "Movement" and rng.random() < 0.6:
        found = to_the_front(match, role, rng)
        if found is not None:
            return found
    if step == "Announce" and rng.random() < 0.85:
        found = against_the_enemy(match, role, rng)
        if found is not None:
            return found
    offers = match.offers(role)
    if step in _EAGER and rng.random() < 0.8:
        for offer in offers.offers:
            if offer.act is not Done:
                try:
                    return offer.sample(rng)
                except NothingToChoose:
                    continue
    return offers.sample(rng)


def to_the_front(match: Match[War], role: str, rng: Random) -> Action | None:
    s = match.state
    mine = [army for army in armies_of(s.side) if s.army_at[army] >= 0]
    free = (s.side, CLOSED, WATER)
    front = [x for x in ATLAS.land if s.owner[x] == s.side and any(s.owner[y] not in free for y in ATLAS.step[x])]
    if not mine or not front:
        return None
    action = March(ATLAS.army_names[rng.choice(mine)], ATLAS.names[rng.choice(front)])
    return action if match.why_not(role, action) is None else None


def against_the_enemy(match: Match[War], role: str, rng: Random) -> Action | None:
    offers = match.offers(role)
    kinds = offers[Attack] + offers[Invade]
    for _ in range(4):
        try:
            action = rng.choice(kinds).sample(rng)
        except (NothingToChoose, IndexError):
            continue
        if match.state.owner[ATLAS.index[action.target]] != match.state.side:  # type: ignore[attr-defined]
            return action
    return None
