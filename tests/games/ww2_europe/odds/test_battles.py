"""Whole battles of World War II in Europe: the sums against the game itself, played with its own dice."""

from __future__ import annotations

import itertools
import os
from typing import Any

import pytest

from sandtable.core import Match, SealedDice
from sandtable.games.ww2_europe.facts.names import unit_of
from sandtable.games.ww2_europe.facts.whereabouts import cargo
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.actions import Fight, Lose, March, Raid
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.odds.landing import is_landing
from sandtable.games.ww2_europe.odds.preview import Types, battle_ends, battle_odds, round_odds
from sandtable.games.ww2_europe.odds.rounds import MOST_OF_ALL, Ends, TooLarge
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.fire import ROLLER
from sandtable.odds.sample import worst
from sandtable.odds.whole import whole
from sandtable.odds.words import in_words
from tests.games.ww2_europe.odds.test_previews import PLAIN
from tests.games.ww2_europe.positions import Board, space
from tests.games.ww2_europe.rules.test_combat import landing

K = A.kinds
SAMPLES = int(os.environ.get("SANDTABLE_SAMPLES", "300"))
"""SANDTABLE_SAMPLES=1000000 plays a million battles of each kind."""


def on_land(attackers: tuple[str, ...], defenders: tuple[str, ...]) -> tuple[Board, Battle]:
    board = Board()
    board.owner("great_britain", PLAIN)
    att = tuple(board.put("germany", kind, PLAIN) for kind in attackers)
    dfn = tuple(board.put("great_britain", kind, PLAIN) for kind in defenders)
    return board, Battle(space(PLAIN), 0, False, att, dfn)


def at_sea(attackers: tuple[str, ...], defenders: tuple[str, ...]) -> tuple[Board, Battle]:
    board = Board()
    att = tuple(board.put("germany", kind, "north_sea") for kind in attackers)
    dfn = tuple(board.put("great_britain", kind, "north_sea") for kind in defenders)
    return board, Battle(space("north_sea"), 0, True, att, dfn)


def on_malta(*ships: str, guns: int) -> tuple[Board, Battle]:
    board = Board(war="italy")
    landing(board, *ships, guns=guns)
    dfn = tuple(u for u in range(len(board.state.space)) if board.state.space[u] == space("malta"))
    return board, Battle(space("malta"), 0, False, (), dfn, landing=True)


class Played:
    """A battle as the game itself plays it, by the policy of the sums."""

    def __init__(self, board: Board, battle: Battle) -> None:
        self.match: Match[Any] = board.match.clone()
        self.battle = battle
        state = board.state
        mine = [
            u for u in range(len(state.space)) if state.space[u] != -1 and A.side[state.power[u]] == battle.attacker
        ]
        self.sides = (tuple(mine), battle.dfn)
        self.worth = [self.sum(self.match, units) for units in self.sides]

    def often(self, samples: int) -> dict[Any, int]:
        """How often each end came, every battle with dice of its own."""
        counts: dict[Any, int] = {}
        for number in range(samples):
            twin = self.match.clone()
            twin.play.dice = SealedDice(f"many/{number}")
            twin.play.push(self.battle)
            twin.play.settle()
            while (asked := twin.decisions()) and (action := self.policy(twin, asked[0])) is not None:
                twin.apply(asked[0], action)
            end = self.told(twin)
            counts[end] = counts.get(end, 0) + 1
        return counts

    @staticmethod
    def sum(match: Match[Any], units: tuple[int, ...]) -> int:
        state = match.state
        return sum(K.cost[state.kind[u]] for u in units if state.space[u] != -1)

    def told(self, match: Match[Any]) -> tuple[str, int, int]:
        state = match.state
        lost = [worth - self.sum(match, units) for worth, units in zip(self.worth, self.sides, strict=True)]
        theirs = any(state.space[u] != -1 for u in self.battle.dfn)
        if theirs:
            name = "repulse"
        elif self.battle.sea:
            name = "sunk" if any(state.space[u] != -1 for u in self.battle.att) else "ruin"
        else:
            name = "capture" if A.side[state.owner[self.battle.space]] == self.battle.attacker else "ruin"
        return name, lost[0], lost[1]

    def policy(self, now: Match[Any], role: str) -> Any:
        step, state = now.step, now.state
        if not isinstance(step, Battle) or step.space != self.battle.space:
            return None
        offers = now.offers(role)
        if offers[Fight]:
            return Fight()
        loses = [action for action in offers if isinstance(action, Lose)]
        if not loses:
            return None

        def price(action: Lose) -> tuple[int, int]:
            unit = unit_of(state, action.unit)
            loads = sum(K.cost[state.kind[u]] for u in cargo(now.state, unit)) if step.phase == "hits-shore" else 0
            last = state.damage[unit] + 1 >= K.hits[state.kind[unit]]
            return K.cost[state.kind[unit]] + loads - (not last), -unit

        return (max if step.hits[0] & ROLLER else min)(loses, key=price)


CASES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "a few on land": (on_land, (("tank", "infantry", "infantry"), ("infantry", "infantry"))),
    "aircraft too": (on_land, (("tank", "infantry", "fighter"), ("infantry", "artillery", "fighter"))),
    "many on land": (
        on_land,
        (
            ("tank",) * 3 + ("infantry",) * 5 + ("artillery",) * 2 + ("fighter",) * 2,
            ("tank",) + ("infantry",) * 5 + ("artillery",) * 2 + ("fighter",),
        ),
    ),
    "fleets": (at_sea, (("cruiser", "destroyer", "destroyer"), ("battleship", "destroyer", "transport"))),
}


@pytest.mark.parametrize("name", CASES)
def test_battles_agree_with_many_that_were_played(name: str) -> None:
    """Six deviations: a right sum fails once in a hundred million runs."""
    make, kinds = CASES[name]
    board, battle = make(*kinds)
    compare(board, battle)


@pytest.mark.parametrize(("ships", "guns"), [((), 0), ((), 1), (("cruiser",), 1), (("battleship", "destroyer"), 2)])
@pytest.mark.rule("w2e-stage3-bombard", "w2e-stage3-shore-defense")
def test_landings_agree_with_many_that_were_played(ships: tuple[str, ...], guns: int) -> None:
    board, battle = on_malta(*ships, guns=guns)
    assert is_landing(battle)
    compare(board, battle)


def compare(board: Board, battle: Battle) -> None:
    before = board.match.digest()
    exact = battle_ends(board.m, battle, MOST_OF_ALL)
    assert board.match.digest() == before
    assert sum(exact.values()) == pytest.approx(1)
    assert worst(*classes(exact, Played(board, battle).often(SAMPLES))) < 6


def classes(exact: Ends, counts: dict[Any, int]) -> tuple[dict[Any, float], dict[Any, int]]:
    """Ends too rare for the normal bound put together."""
    rare = {end for end, chance in exact.items() if chance * SAMPLES < 30}
    chances: dict[Any, float] = {}
    seen: dict[Any, int] = {}
    for end, chance in exact.items():
        key = "rare" if end in rare else end
        chances[key] = chances.get(key, 0.0) + chance
    for end, count in counts.items():
        assert exact.get(end, 0.0) > 0, f"{end} came, and was thought impossible"
        key = "rare" if end in rare else end
        seen[key] = seen.get(key, 0) + count
    return chances, seen


def test_the_whole_battle_tells_every_pair_of_losses() -> None:
    board = Board()
    tank = board.put("germany", "tank", "breslau")
    for kind in ("infantry", "artillery", "fighter"):
        board.put("great_britain", kind, "krakow")
    board.move(0)
    march = March(board.name(tank), ("krakow",))
    short, every = board.match.preview("germany", march), whole(board.match, "germany", march)
    assert short is not None
    assert every is not None
    assert every.success == pytest.approx(short.success)
    assert every.expected_losses == pytest.approx(short.expected_losses)
    assert len(every.results) > len(short.results)
    for row in short.results:
        same = [one for one in every.results if one.name == row.name]
        assert row.probability == pytest.approx(sum(one.probability for one in same))


def test_a_round_of_a_battle_too_large_to_follow_is_told() -> None:
    kinds = ("tank",) * 5 + ("infantry",) * 9 + ("artillery",) * 4 + ("fighter",) * 4 + ("tac_bomber",) * 3
    board, battle = on_land(kinds, kinds)
    with pytest.raises(TooLarge):
        battle_odds(board.m, battle)
    odds = round_odds(board.m, battle)
    assert sum(row.probability for row in odds.results) == pytest.approx(1)
    assert 0 < odds.success < 1
    for language in ("en", "de"):
        said = in_words(odds, GAME.texts(language))
        assert not [w for w in (said.policy, *(row.name for row in said.results)) if "." in w[:-1].replace(". ", "")]


def test_a_round_is_every_die_of_it() -> None:
    """Each side's losses against all ways the dice can fall, listed one by one."""
    board, battle = on_land(("tank", "infantry"), ("infantry", "fighter"))
    odds = round_odds(board.m, battle)
    worth = {"axis": 0.0, "allies": 0.0}
    for shooters, targets, defending, side in (
        (battle.att, battle.dfn, False, "allies"),
        (battle.dfn, battle.att, True, "axis"),
    ):
        types, dice = Types(board.m, targets), battle.shots(board.m, shooters, targets, defending=defending)
        for faces in itertools.product(range(1, 7), repeat=len(dice)):
            hits = [hit for shot, die in zip(dice, faces, strict=True) if (hit := shot.hit(die))]
            left = types.start
            for hit in hits:
                left = types.hit(board.m, left, (hit,))
            worth[side] += (types.worth(types.start) - types.worth(left)) / 6 ** len(dice)
    assert odds.expected_losses == pytest.approx(worth)


@pytest.mark.rule("w2e-stage1-fight", "w2e-stage1-bomb")
def test_a_raid_tells_hits_and_losses() -> None:
    board = Board()
    board.put("germany", "bomber", "hamburg")
    board.put("germany", "fighter", "hamburg")
    board.owner("great_britain", "london")
    board.put("great_britain", "fighter", "london")
    board.move(0)
    action = next(a for offer in board.match.offers("germany")[Raid] for a in offer if a.target == "london")  # type: ignore[attr-defined]
    odds = board.match.preview("germany", action)
    assert odds is not None
    assert sum(row.probability for row in odds.results) == pytest.approx(1)
    assert odds.success == pytest.approx(sum(row.probability for row in odds.results if row.facts["hits"]))
    for side in ("axis", "allies"):
        mean = sum(row.probability * row.losses[side] for row in odds.results)
        assert odds.expected_losses[side] == pytest.approx(mean)
