"""Connected territory by look-up against a plain search, on random maps."""

from itertools import pairwise
from random import Random

import pytest

from sandtable.games.hitlers_war.facts.territory import Territory, held_by
from sandtable.games.hitlers_war.model.atlas import ATLAS, CLOSED, FULL_SEA, GATE, NOBODY, WATER, Link


def random_map(rng: Random) -> bytes:
    """Countries given out at random, and some hexes besides."""
    owner = bytearray(WATER if sea else NOBODY for sea in ATLAS.is_sea)
    for country in ATLAS.countries:
        holder = rng.choice((0, 1, 2, 2, 2, NOBODY, CLOSED))
        for space in country.spaces:
            owner[space] = holder if rng.random() < 0.9 else rng.choice((0, 1, 2))
    return bytes(owner)


def is_open(side: int, owner: bytes, link: Link) -> bool:
    """The rule of sea routes, said another way than in the game."""
    gatekeepers = {link.gate} - {-1}
    if link.kind not in (FULL_SEA, GATE):
        gatekeepers |= {ATLAS.waters[link.a][0], ATLAS.waters[link.b][0]}
    return all(owner[space] == side for space in gatekeepers)


def plainly_joined(side: int, owner: bytes, start: int, seas: set[int], barred: frozenset[int]) -> set[int]:
    """Every friendly space that can be reached over land and these seas, step by step."""
    spaces: set[int] = {start}
    waters: set[int] = set()
    todo: list[tuple[str, int]] = [("space", start)]
    while todo:
        kind, node = todo.pop()
        if kind == "space":
            found = [("space", x) for x in ATLAS.walk[node] if owner[x] == side]
            if node not in barred:
                found += [("water", w) for w in ATLAS.waters_of[node] if ATLAS.waters[w][1] in seas]
        else:
            here = ATLAS.waters[node][0]
            found = [("space", here)] if owner[here] == side else []
            for there, link in ATLAS.sail[node]:
                space, sea = ATLAS.waters[there]
                if sea in seas and space not in barred and is_open(side, owner, link):
                    found.append(("water", there))
        for what, x in found:
            seen = spaces if what == "space" else waters
            if x not in seen:
                seen.add(x)
                todo.append((what, x))
    return spaces


@pytest.mark.rule("hw-seamove-combined", "hw-seasupply-1", "hw-searoute-2", "hw-searoute-4")
@pytest.mark.parametrize("seed", range(12))
def test_labels_join_exactly_what_a_plain_search_joins(seed: int):
    rng = Random(seed)
    owner = random_map(rng)
    side = rng.randrange(3)
    seas = {sea for sea in range(len(ATLAS.seas)) if rng.random() < 0.6}
    water = [x for x in range(len(owner)) if ATLAS.waters_of[x]]
    barred = frozenset(rng.sample(water, rng.choice((0, 0, 5, 25))))
    territory = Territory(held_by(side, owner))
    labels = territory.by_sea(tuple(sorted(seas)), barred).labels
    assert [label >= 0 for label in labels] == [holder == side for holder in owner]
    mine = [x for x, holder in enumerate(owner) if holder == side]
    for start in rng.sample(mine, min(6, len(mine))):
        joined = plainly_joined(side, owner, start, seas, barred)
        assert {x for x in mine if labels[x] == labels[start]} == joined
        on_land = plainly_joined(side, owner, start, set(), frozenset())
        land = territory.land.labels
        assert {x for x in mine if land[x] == land[start]} == on_land


@pytest.mark.parametrize("seed", range(6))
def test_routes_and_voyages_are_legal_and_the_least_exposed(seed: int):
    rng = Random(100 + seed)
    owner = random_map(rng)
    coast = [x for x in ATLAS.land if ATLAS.waters_of[x] and owner[x] == 2]
    every = tuple(range(len(ATLAS.seas)))
    territory = Territory(held_by(2, owner))
    for _ in range(6):
        start, goal = rng.choice(coast), rng.choice(coast)
        if start == goal:
            continue
        route = territory.route(start, goal)
        voyage = territory.voyage(start, goal, every)
        if route is None:
            continue
        exposed = 0
        for a, b in pairwise(route):
            link = next(link for there, link in ATLAS.sail[a] if there == b)
            assert is_open(2, owner, link)
            exposed += link.length
        assert (ATLAS.waters[route[0]][0], ATLAS.waters[route[-1]][0]) == (start, goal)
        assert sum(ATLAS.links[n].length for n in voyage) <= exposed
