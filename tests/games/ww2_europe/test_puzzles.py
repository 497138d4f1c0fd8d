"""Puzzles whose answer is the best of all that their question allows, not only of the plans to choose from."""

from __future__ import annotations

from itertools import product
from typing import Any

from sandtable.core import Match
from sandtable.games.ww2_europe.game import GAME
from sandtable.host import lessons
from sandtable.odds.whole import whole


def _stated(name: str) -> float:
    return max(plan.chance for plan in lessons.lesson_of(GAME, name).plan)


def _march_chance(match: Match[Any], role: str, units: list[str], to: str) -> float:
    """Return the chance in percent of a battle into which these units march."""
    here = match.clone()
    actions = [lessons.find(here, role, {"do": "march", "unit": unit, "path": [to]}) for unit in units]
    for action in actions[:-1]:
        assert action is not None
        here.apply(role, action)
    assert actions[-1] is not None
    odds = whole(here, role, actions[-1])
    assert odds is not None
    return 100 * odds.success


def test_no_seven_units_of_krakow_and_budapest_are_better_at_lvov() -> None:
    match = lessons.start(GAME, "puzzle/1-lvov", "1")
    stacks = match.table("germany").stacks
    kinds = [
        [c.id for c in stacks[place] if c.id.startswith(f"{kind}#")]
        for place, kind in (("krakow", "infantry"), ("krakow", "tank"), ("krakow", "mech"), ("budapest", "infantry"))
    ]
    counts = [one for one in product(*(range(len(kind) + 1) for kind in kinds)) if sum(one) == 7]
    assert len(counts) > 10
    best = max(
        _march_chance(match, "germany", [u for kind, n in zip(kinds, one, strict=True) for u in kind[:n]], "lvov")
        for one in counts
    )
    assert abs(best - _stated("puzzle/1-lvov")) < 0.051


def test_no_other_blitz_is_better() -> None:
    match = lessons.start(GAME, "puzzle/2-the-capital", "1")
    units = ["tank#0", "tank#1", "mech#2"]
    chances = [
        _march_chance(match, "germany", units[from_:to], space)
        for space in ("paris", "cherbourg", "strasbourg")
        for from_, to in ((0, 1), (2, 3), (0, 2), (1, 3), (0, 3))
    ]
    assert abs(max(chances) - _stated("puzzle/2-the-capital")) < 0.051


def test_no_other_march_opens_the_pocket_better() -> None:
    match = lessons.start(GAME, "puzzle/6-open-the-pocket", "1")
    men = ["infantry#0", "infantry#1", "infantry#2"]
    chances = [_march_chance(match, "ussr", men[:n], to) for n in (1, 2, 3) for to in ("bryansk", "kharkov")]
    assert abs(max(chances) - _stated("puzzle/6-open-the-pocket")) < 0.051
    held = match.table("ussr").stacks
    assert all(c.state for c in held["kiev"]), "the army of Kiev is cut off and stays where it is"
