"""Exact odds of stage 1: raids on spaces and convoys, from any moment of them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from sandtable.core import Modifier, Odds, Result

from ..facts.convoys import crew
from ..facts.whereabouts import cargo
from ..model.atlas import ATLAS, SIDES
from ..model.state import M
from ..rules.strategic import escort_number, fight_number, raid_number
from ..rules.strategic_phase import DEFENCE, RaidFight

A = ATLAS
K = ATLAS.kinds
Rows = Mapping[tuple[int, int, int], float]
"""(hits, the worth of what the raiders lost, and of what the others lost) -> its chance."""


def raid_odds(m: M, fight: RaidFight, raiders: Sequence[int], name: str) -> Odds:
    """How many bombers or submarines hit and what both sides lose, escorts and then the cheapest raiders falling first.

    [w2e-stage1-fight] [w2e-stage1-bomb] [w2e-stage1-defend]
    """
    rows = _at_convoy(m, fight, raiders) if fight.at_convoy else _at_space(m, fight, raiders)
    mine, theirs = SIDES[fight.side], SIDES[1 - fight.side]
    results = [
        Result(chance, "result.success" if hits else "result.failure", {mine: own, theirs: other}, {"hits": hits})
        for (hits, own, other), chance in sorted(rows.items(), reverse=True) if chance > 0
    ]  # fmt: skip
    lost = {side: sum(row.probability * row.losses[side] for row in results) for side in (mine, theirs)}
    return Odds(
        title=f"@{name}" if not fight.at_convoy else name, results=results,
        success=sum(row.probability for row in results if row.facts["hits"]),
        modifiers=[Modifier("rule", 0, "w2e-stage1-bomb")], expected_losses=lost, policy="policy.fight-out",
        whose=f"@{mine}", aim="aim.raid",
    )  # fmt: skip


def _at_space(m: M, fight: RaidFight, raiders: Sequence[int]) -> Rows:
    """The fight over the target, from where it stands, and the bombs of those who come through.

    [w2e-stage1-fight] [w2e-stage1-bomb]
    """
    state = m.state
    raiders = sorted(raiders, key=lambda u: (K.strategic[state.kind[u]], K.cost[state.kind[u]]))
    fighters = fight.fighters(m)
    worth = sorted(K.cost[state.kind[u]] for u in fighters if u not in fight.flyers)
    fallen = sum(K.cost[state.kind[u]] for u in fight.flyers)
    kills, shots = [1.0], binomial(len(fighters), DEFENCE)
    if fight.phase == "lose-fighters":
        kills = [0.0] * fight.hits + [1.0]
    elif fight.phase in ("lose-flyers", "bomb"):
        shots, worth = [0.0] * fight.hits + [1.0], []
    else:
        for unit in raiders if fighters else ():
            kills = convolve(kills, min(6, fight_number(m, unit)) / 6)
    rows: dict[tuple[int, int, int], float] = {}
    for shot, chance in enumerate(shots):
        bombs = [1.0]
        for unit in raiders[shot:]:
            if K.strategic[state.kind[unit]]:
                bombs = convolve(bombs, raid_number(m, unit, False) / 6)
        own = sum(K.cost[state.kind[u]] for u in raiders[:shot])
        for (hits, p), (down, q) in itertools.product(enumerate(bombs), enumerate(kills)):
            key = (hits, own, fallen + sum(worth[:down]))
            rows[key] = rows.get(key, 0.0) + chance * p * q
    return rows


def _at_convoy(m: M, fight: RaidFight, raiders: Sequence[int]) -> Rows:
    """Transports sink with what they carry, and then the escorts answer the submarines.

    [w2e-strategic-convoy] [w2e-stage1-defend] [w2e-tech-uboats]
    """
    state = m.state
    ships = crew(state, fight.target)
    transports = [u for u in ships if state.kind[u] == K.transport]
    worth = [sum(K.cost[state.kind[u]] for u in (ship, *cargo(state, ship))) for ship in transports]
    bombs = [1.0]
    for unit in raiders:
        if K.strategic[state.kind[unit]] and fight.phase != "lose-subs":
            bombs = convolve(bombs, raid_number(m, unit, True) / 6)
    subs = [u for u in raiders if K.submerged[state.kind[u]]]
    rows: dict[tuple[int, int, int], float] = {}
    for hits, chance in enumerate(bombs):
        escorts = [u for u in ships if K.escort_hit[state.kind[u]] and u not in transports[:hits]]
        for ship in ships:
            if ship not in transports[:hits]:
                escorts += [p for p in cargo(state, ship) if K.escort_hit[state.kind[p]] or K.asw[state.kind[p]]]
        answer = _answer(m, escorts) if subs else {(0, 0): 1.0}
        if fight.phase == "lose-subs":
            answer = {(fight.hits - fight.slight, fight.slight): 1.0}
        for (sure, slight), part in answer.items():
            key = (hits, _sunk(m, subs, sure, slight), sum(worth[:hits]))
            rows[key] = rows.get(key, 0.0) + chance * part
    return rows


def _answer(m: M, escorts: Sequence[int]) -> dict[tuple[int, int], float]:
    """Hits of the escorts, and those that are too weak for a U-boat of the new kind."""
    found = {(0, 0): 1.0}
    for unit in escorts:
        number = min(7, escort_number(m, m.state.power[unit]))
        after: dict[tuple[int, int], float] = {}
        for (sure, slight), chance in found.items():
            for key, part in (
                ((sure + 1, slight), (number - 1) / 6),
                ((sure, slight + 1), 1 / 6 if number <= 6 else 0.0),
                ((sure, slight), max(0, 6 - number) / 6),
            ):
                after[key] = after.get(key, 0.0) + chance * part
        found = after
    return found


def _sunk(m: M, subs: Sequence[int], sure: int, slight: int) -> int:
    """The worth of the submarines that go down: weak hits first, on those of the old kind; the others by price."""
    state = m.state
    left = sorted(subs, key=lambda u: K.cost[state.kind[u]])
    lost = 0
    if not any(K.uboat[state.kind[u]] for u in subs):
        sure, slight = sure + slight, 0
    for hit, number in (("slight", slight), ("sure", sure)):
        for _ in range(number):
            victims = [u for u in left if hit == "sure" or not K.uboat[state.kind[u]]]
            if victims:
                lost += K.cost[state.kind[victims[0]]]
                left.remove(victims[0])
    return lost


def convolve(chances: Sequence[float], hit: float) -> list[float]:
    """The number of hits with one more die."""
    after = [chance * (1 - hit) for chance in chances] + [0.0]
    for number, chance in enumerate(chances):
        after[number + 1] += chance * hit
    return after


def binomial(dice: int, needed_roll: int) -> list[float]:
    """The number of hits of so many equal dice."""
    chances = [1.0]
    for _ in range(dice):
        chances = convolve(chances, needed_roll / 6)
    return chances
