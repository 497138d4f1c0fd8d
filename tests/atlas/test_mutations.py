"""The proofs can fail: slips put into a copy of an atlas are found and named.

The first tests make one slip each and read the fault. The sweeps make a fixed sample of all single slips of a kind and
measure what share the proofs find. Facts that the rulebooks do not fix can be altered without contradicting anything,
so the share is below one where the map or the set-up is ours; there the proof sheets stand guard and find every slip.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.atlas.faults import GAMES, Atlas, load_atlas
from tests.atlas.games import PROOFS
from tests.atlas.mutations import SWEEPS, Mutation
from tests.atlas.sheets import sheet

ORIGINALS = {game: load_atlas(game) for game in GAMES}


def link_between(atlas: Atlas, a: str, b: str) -> int:
    """The index of a link."""
    return next(i for i, link in enumerate(atlas["links"]) if {link["a"], link["b"]} == {a, b})


def lose_link(a: str, b: str) -> Callable[[Atlas], None]:
    return lambda atlas: atlas["links"].__delitem__(link_between(atlas, a, b))


def lose_hexside(a: str, b: str) -> Callable[[Atlas], None]:
    def slip(atlas: Atlas) -> None:
        atlas["hexsides"] = [s for s in atlas["hexsides"] if {s["a"], s["b"]} != {a, b}]

    return slip


def lose_rail(a: str, b: str) -> Callable[[Atlas], None]:
    def slip(atlas: Atlas) -> None:
        atlas["rail"] = [e for e in atlas["rail"] if set(e) != {a, b}]

    return slip


def put(path: str, value: object) -> Callable[[Atlas], None]:
    """Another value at a path of keys and indices."""

    def slip(atlas: Atlas) -> None:
        *way, last = path.split("/")
        holder: Any = atlas
        for key in way:
            holder = holder[int(key)] if isinstance(holder, list) else holder[key]
        holder[int(last) if isinstance(holder, list) else last] = value

    return slip


def add_link(a: str, b: str, like: tuple[str, str]) -> Callable[[Atlas], None]:
    def slip(atlas: Atlas) -> None:
        model = atlas["links"][link_between(atlas, *like)]
        atlas["links"].append({**model, "a": a, "b": b})

    return slip


# Game, the slip, and words that the faults must hold.
SLIPS = [
    ("hitlers_war", lose_hexside("H10", "I11"), "H10-I11"),
    ("hitlers_war", put("hexes/O10/production", 3), "germany: its hexes make 15"),
    ("hitlers_war", put("hexes/Q15/country", "poland"), "Q15 must belong to soviet_union"),
    ("hitlers_war", put("scenarios/barbarossa/armies/axis/2/mechanized", 7), "barbarossa: axis sets up"),
    ("hitlers_war", put("scenarios/campaign-1/forts/allied/2/1", 6), "campaign-1: forts"),
    ("hitlers_war", put("hexes/B17/kind", "coast"), "B17 lies in the Red Sea"),
    ("hitlers_war", put("tables/firepower/cells/4/9", 2), "firepower 10 with die 4 gives 2"),
    ("munich_war", lose_rail("2911", "3011"), "hexside 2911-3011 is a bridge"),
    ("munich_war", put("hexes/2814/city/mobilization", False), "Germany has 7 home RP"),
    ("munich_war", put("deployment/Poland/map/fortification", 2), "Poland map: deployment lists"),
    ("munich_war", put("scenarios/0/setup/GE-SP/hex", "2511"), "GE-SP in 2511: the second line"),
    ("munich_war", put("hexes/1823/map_edge_entry", False), "Italy enters at"),
    ("munich_war", put("tables/crt_assault/rows/1/4", "DZ"), "crt_assault die 1"),
    ("blitzkrieg_general", lose_link("sea_formosa", "sinkiang"), "line 3942: coast sea_formosa sinkiang"),
    ("blitzkrieg_general", add_link("voronesh", "kharkov", ("kursk", "kharkov")), "Voronesh and Kharkov"),
    ("blitzkrieg_general", put("spaces/karelia/production/1", 2), "karelia makes [1, 2]"),
    ("blitzkrieg_general", put("setups/1939/set_up/germany/2/units/0/n", 3), "1939, germany: too many"),
    ("blitzkrieg_general", put("spaces/pakoe/terrain", "clear"), "line 5303: shots at each strength"),
    ("blitzkrieg_general", put("cards/0/count", 2), "56 cards"),
    ("ww2_europe", lose_link("malta_port", "tripoli_port"), "fighter of Tripoli cannot go"),
    ("ww2_europe", add_link("frankfurt", "sedan", ("frankfurt", "liege")), "Sedan cannot be reached"),
    ("ww2_europe", put("spaces/essen/value", 14), "germany collects"),
    ("ww2_europe", put("vichy_setup/units/vichy/infantry", 4), "Vichy's forces are"),
    ("ww2_europe", put("setups/spring-1941/control/warsaw", "ussr"), "1941: warsaw belongs to ussr"),
    ("ww2_europe", put("setups/fall-1939/units/ussr/brest_port", {"infantry": 1}), "brest_port"),
    ("ww2_europe", put("setups/fall-1939/units/ussr/minsk/infantry", 6), "ussr has"),
    ("ww2_europe", put("setups/fall-1939/build_boxes/ussr/2/tank", 1), "ussr: build_boxes are"),
]


@pytest.mark.parametrize(("game", "slip", "words"), SLIPS, ids=[f"{game}: {words}" for game, _, words in SLIPS])
def test_a_slip_is_found_and_named(game, slip, words):
    atlas = copy.deepcopy(ORIGINALS[game])
    slip(atlas)
    assert atlas != ORIGINALS[game], "the slip changed nothing"
    faults = [str(fault) for fault in PROOFS[game].faults(atlas)]
    assert any(words in fault for fault in faults), f"found {faults}"


SAMPLE = 16
# The share of the sample that the proofs must find; beside it what they found in a larger run.
FLOOR = {
    ("hitlers_war", "links"): 12 / SAMPLE,  # 627 of 810, all slips
    ("hitlers_war", "production"): 16 / SAMPLE,  # 383 of 383, all slips
    ("hitlers_war", "set-ups"): 16 / SAMPLE,  # 457 of 457, all slips
    ("munich_war", "links"): 9 / SAMPLE,  # 186 of 254 tried of 2280
    ("munich_war", "production"): 16 / SAMPLE,  # 478 of 478, all slips
    ("munich_war", "set-ups"): 13 / SAMPLE,  # 186 of 267 tried of 3998
    ("blitzkrieg_general", "links"): 9 / SAMPLE,  # 140 of 253 tried of 1011
    ("blitzkrieg_general", "production"): 16 / SAMPLE,  # 333 of 333, all slips
    ("blitzkrieg_general", "set-ups"): 16 / SAMPLE,  # 259 of 259 tried of 1291
    ("ww2_europe", "links"): 9 / SAMPLE,  # 137 of 281 tried of 1682
    ("ww2_europe", "production"): 16 / SAMPLE,  # 263 of 263, all slips
    ("ww2_europe", "set-ups"): 5 / SAMPLE,  # 93 of 278 tried of 1389
}


def sample(game: str, kind: str, atlas: Atlas, size: int) -> list[Mutation]:
    """Slips spread evenly over all of a kind."""
    slips = list(SWEEPS[game][kind](atlas))
    assert len(slips) >= size, f"only {len(slips)} slips of this kind"
    return [slips[i * len(slips) // size] for i in range(size)]


@pytest.mark.parametrize(("game", "kind"), FLOOR)
def test_the_proofs_find_most_single_slips(game, kind):
    atlas = copy.deepcopy(ORIGINALS[game])
    missed = []
    for slip in sample(game, kind, atlas, SAMPLE):
        undo = slip.apply()
        if not PROOFS[game].faults(atlas, stop_at_first=True):
            missed.append(slip.what)
        undo()
    assert atlas == ORIGINALS[game], "a slip was not taken back"
    share = 1 - len(missed) / SAMPLE
    assert share >= FLOOR[game, kind], f"found {share:.0%}, missed {missed}"


@pytest.mark.parametrize(("game", "kind"), FLOOR)
def test_the_sheets_find_every_single_slip(game, kind):
    atlas = copy.deepcopy(ORIGINALS[game])
    clean = sheet(game, atlas)
    missed = []
    for slip in sample(game, kind, atlas, 2 * SAMPLE):
        undo = slip.apply()
        if sheet(game, atlas) == clean:
            missed.append(slip.what)
        undo()
    assert not missed


def test_sound_atlases_have_no_fault():
    assert {game: PROOFS[game].faults(ORIGINALS[game]) for game in GAMES} == {game: [] for game in GAMES}
