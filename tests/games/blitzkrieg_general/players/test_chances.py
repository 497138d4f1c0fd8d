"""How a captain judges a battle, against the exact chance."""

from __future__ import annotations

from itertools import product
from math import fsum

from sandtable.games.blitzkrieg_general.facts.duels import Soldier, win_chance
from sandtable.games.blitzkrieg_general.facts.reach import FAR, roads
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, GERMANY
from sandtable.games.blitzkrieg_general.players.chances import likely

INFANTRY: Soldier = (3, 2, 1, 2)
ARMOUR: Soldier = (4, 3, 2, 2)


def test_the_square_law_is_near_the_exact_chance():
    errors = []
    for a, d, tanks in product(range(1, 7), range(1, 7), range(3)):
        attackers, defenders = [INFANTRY] * a + [ARMOUR] * tanks, [INFANTRY] * d
        errors.append(abs(likely(attackers, defenders) - win_chance(attackers, defenders)))
    assert fsum(errors) / len(errors) < 0.05
    assert max(errors) < 0.15


def test_a_bigger_battle_of_the_same_odds_is_surer():
    assert likely([INFANTRY] * 8, [INFANTRY] * 6) > likely([INFANTRY] * 4, [INFANTRY] * 3) > 0.5


def test_nobody_beats_somebody_and_somebody_beats_nobody():
    assert likely([INFANTRY], []) == 1.0
    assert likely([], [INFANTRY]) == 0.0
    assert likely([(0, 0, 1, 1)], [INFANTRY]) == 0.0


def test_roads_lead_both_ways_and_none_lead_out_of_closed_ground():
    germany = ATLAS.homes[GERMANY]
    ways = roads(frozenset(germany))
    assert all(ways[a][b] == ways[b][a] < FAR for a, b in product(germany, germany))
    closed = next(s for a in germany for s in ATLAS.land_next[a] if s not in germany)
    assert all(ways[closed][area] == ways[area][closed] == FAR for area in germany)
