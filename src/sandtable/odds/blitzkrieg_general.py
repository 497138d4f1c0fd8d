"""Whole battles of Blitzkrieg General: all rounds, with a stated way to take losses and to retreat.

The policy: nobody changes where the game puts his units on the chart, plays a card or dives; each hit goes where it
costs its owner the least printed strength (HQs and loaded convoys last); a side retreats after a round when its printed
strength is less than a stated share of its enemy's and it may. The opening (the coast's defence, a search) is played
by the game itself, every die of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from sandtable.core import Action, Match, Modifier, Odds, Result, Window
from sandtable.games.blitzkrieg_general.actions import Assign, Attack, Ready, Retreat, TakeHit
from sandtable.games.blitzkrieg_general.atlas import atlas
from sandtable.games.blitzkrieg_general.battle import STAGES, Fight
from sandtable.games.blitzkrieg_general.battles import start_battle
from sandtable.games.blitzkrieg_general.chart import army, steps_left
from sandtable.games.blitzkrieg_general.movement import uid
from sandtable.games.blitzkrieg_general.retreat import why_not_retreat
from sandtable.games.blitzkrieg_general.state import AT_AIR, AT_LAND, BOMBING, LAND_BATTLE, Battle, BKPlay, BKState
from sandtable.games.blitzkrieg_general.strength import modifiers_of
from sandtable.odds.blitzkrieg_general_lines import LEFT, Aims, Both, Line, Side, cheapest
from sandtable.odds.blitzkrieg_general_round import Chart
from sandtable.odds.dice import hits
from sandtable.odds.policy import Stand
from sandtable.odds.walk import outcomes

_MOST_STEPS = 200
_NOTHING = 1e-12
"""Positions less likely than this are left out: all of them together are less than a billionth."""
_DEAR = 4
"""So many rounds on land take as long as one at sea, or one in which flyers may turn to the ground."""
Ends = dict[tuple[str, Side, Side, int], float]
"""How it ended, what both sides have left, bombs on their targets."""


class TooLong(Exception):
    """A battle with more positions than whoever asked wants to wait for."""


def whole_battle(match: Match[BKState], action: Action, stand: Stand, *, most: int | None = None) -> Odds | None:
    """The battle that the action starts or goes on with, fought to its end; None where it does neither.

    `most` bounds the work, in rounds on land: beyond it TooLong is raised.
    """
    found: dict[tuple[str, int, int, int], float] = {}
    parts: Sequence[Modifier] = ()
    chosen: Mapping[int, int] | None = None
    if isinstance(action, Attack):
        openings = outcomes(match, lambda twin: _open(twin.play, atlas().space_of[action.space]))
    elif match.state.battle is not None and isinstance(action, (Ready, Assign, Retreat)):
        if isinstance(action, Retreat) and action.what != "fight":
            return None
        openings = [(1.0, match.clone())]
        chosen = None if isinstance(action, Retreat) else match.state.battle.aim
    else:
        return None
    fought = [(part, twin, twin.state.battle) for part, twin in openings]
    # the coast may have hit somebody before the first round: that is a loss of the battle too
    start = [
        max((_steps(twin.state, army(b, side)) for _, twin, b in fought if b is not None), default=0) for side in (0, 1)
    ]
    for part, twin, battle in fought:
        if battle is None or not battle.attackers or not (battle.defenders or battle.kind == BOMBING):
            key = ("empty", 0, 0, 0)
            found[key] = found.get(key, 0.0) + part
            continue
        if not parts:
            parts = [
                m for u in battle.attackers[:1] for m in modifiers_of(twin.state, battle, u, battle.aim.get(u, AT_LAND))
            ]
        ends = fight_out(twin, battle, stand, chosen, begun=isinstance(action, Retreat), most=most)
        for (name, a, d, bombs), chance in ends.items():
            key = (name, start[0] - steps_of(a), start[1] - steps_of(d), bombs)
            found[key] = found.get(key, 0.0) + part * chance
    return _odds(found, parts, stand)


def _steps(state: BKState, units: Sequence[int]) -> int:
    return sum(steps_left(state, unit) for unit in units)


# ---- how a battle begins
def _open(m: BKPlay, space: int) -> None:
    """Let the game open the battle, up to its first round; nobody plays a card, no submarine dives."""
    start_battle(m, space)
    for _ in range(_MOST_STEPS):
        state, step = m.state, m.step
        battle = state.battle
        if battle is None:
            return
        if isinstance(step, Window):
            m.pop()
            continue
        if isinstance(step, Fight):
            # stages flow into each other where nobody is asked: only the coast's is gone through here
            if step.stage not in ("open", "coast") or not (battle.coastal and battle.invaders):
                return
            STAGES["coast"](m, step)
            continue
        step.run(m)
        if m.step is step:
            roles = step.roles(m)
            assert roles, step
            landed = [u for u in battle.invaders if u in battle.attackers]
            step.take(m, roles[0], TakeHit(uid(cheapest(state, landed))))
    raise AssertionError("the opening of a battle does not end")


# ---- round after round
def fight_out(
    match: Match[BKState],
    battle: Battle,
    stand: Stand,
    chosen: Mapping[int, int] | None = None,
    *,
    begun: bool = False,
    most: int | None = None,
) -> Ends:
    """Every way the battle can end. Rounds that change nothing are folded away."""
    may = [False, False]
    match.state.battle = battle
    for side in (0, 1):
        may[side] = why_not_retreat(match.play, side) is None
    chart = Chart(match.state, battle, match.game.codec.clone(match.state))
    ends: Ends = {}
    table = Positions(*chart.start)
    grids = Grids(chart, table)

    def settle(a: Side, d: Side, bombs: int, chance: float) -> Both | None:
        """After a round: somebody is gone, goes, or all fight on as they stand now."""
        a, d = forced_out(chart, a, d)
        end = ended(chart, a, d, may, stand)
        if end or battle.limited or battle.kind == BOMBING:
            key = (end or ("raid" if battle.kind == BOMBING else "parted"), a, d, bombs)
            ends[key] = ends.get(key, 0.0) + chance
            return None
        return a, d

    first: Both | None = chart.start
    if begun:
        first = settle(*chart.start, 0, 1.0)
    else:
        blocks = chart.blocks(*chart.start, chosen)
        if blocks is None:
            return {("stalemate", *chart.start, 0): 1.0}
        if battle.limited or battle.kind == BOMBING:
            for group, others in blocks:
                for a, p in group.items():
                    for (d, bombs), q in others.items():
                        settle(a, d, bombs, p * q)
            return ends
        for group, others in blocks:
            table.add(group, others, 1.0)
        first = None
    if first is not None:
        table.put(*first, 1.0)
    work = 0
    for a, d, chance in table.drain():
        if most is not None and work > most:
            raise TooLong
        now = settle(a, d, 0, chance)
        if now is None:
            continue
        if now != (a, d):
            table.put(*now, chance)
            continue
        if grids.spread(a, d, chance):
            work += 1
            continue
        work += _DEAR
        blocks = chart.blocks(a, d)
        if blocks is None:
            ends["stalemate", a, d, 0] = ends.get(("stalemate", a, d, 0), 0.0) + chance
            continue
        still = sum(group.get(a, 0.0) * others.get((d, 0), 0.0) for group, others in blocks)
        for group, others in blocks:
            table.add(group, others, chance / (1.0 - still))
        table.clear(a, d)
    return ends


def steps_of(side: Side) -> int:
    """Steps that a side still has, in the battle or gone from it."""
    return sum(now & (LEFT - 1) for now in side)


class Positions:
    """Chances of all pairs of what both sides have left, as one growing matrix; a battle only ever goes down in it."""

    def __init__(self, a: Side, d: Side) -> None:
        self.sides: tuple[list[Side], list[Side]] = ([], [])
        self.index: tuple[dict[Side, int], dict[Side, int]] = ({}, {})
        self.sums: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
        self.most = sum(a) + sum(d)
        self.table = np.zeros((64, 64))
        self._blocks: dict[int, tuple[object, npt.NDArray[np.int64], npt.NDArray[np.float64]]] = {}

    def number(self, side: int, steps: Side) -> int:
        known = self.index[side].get(steps)
        if known is None:
            known = self.index[side][steps] = len(self.sides[side])
            self.sides[side].append(steps)
            self.sums[side].setdefault(steps_of(steps), []).append(known)
            size = self.table.shape[side]
            if known >= size:
                self.table = np.pad(self.table, ((0, size), (0, 0)) if side == 0 else ((0, 0), (0, size)))
        return known

    def put(self, a: Side, d: Side, chance: float) -> None:
        here = self.number(0, a), self.number(1, d)
        self.table[here] += chance

    def clear(self, a: Side, d: Side) -> None:
        self.table[self.number(0, a), self.number(1, d)] = 0.0

    def add(self, group: dict[Side, float], others: dict[tuple[Side, int], float], scale: float) -> None:
        """Every pair of the one with the other, as independent changes."""
        rows, p = self._row(group, lambda: ((0, steps) for steps in group))
        columns, q = self._row(others, lambda: ((1, steps) for steps, _ in others))
        self.table[rows[:, None], columns] += (p * scale)[:, None] * q

    def _row(
        self, chances: Mapping[Any, float], places: Callable[[], Iterable[tuple[int, Side]]]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The block as numbers. It is kept here, so that no other can take its place in memory."""
        known = self._blocks.get(id(chances))
        if known is None:
            made = np.array([self.number(side, steps) for side, steps in places()], dtype=np.int64)
            known = self._blocks[id(chances)] = (chances, made, np.array(list(chances.values())))
        return known[1], known[2]

    def drain(self) -> Iterator[tuple[Side, Side, float]]:
        """All positions, those with most left first. Whoever takes one may add others below it, or put it elsewhere."""
        for total in range(self.most, -1, -1):
            again = True
            while again:  # a position that flyers have left has as many steps as before
                again = False
                for left in sorted(self.sums[0]):
                    for row in list(self.sums[0][left]):
                        for column in list(self.sums[1].get(total - left, ())):
                            chance = float(self.table[row, column])
                            if chance > _NOTHING:
                                self.table[row, column] = 0.0
                                again = True
                                yield self.sides[0][row], self.sides[1][column], chance


def forced_out(chart: Chart, a: Side, d: Side) -> Both:
    """Flyers of a side that has nobody on the ground any more leave a land battle.

    [bg-6.5.9-forced] [bg-6.5.9-both]
    """
    if chart.battle.kind == LAND_BATTLE:
        if not chart.lands(0, a):
            a = chart.without_flyers(0, a)
        if not chart.lands(1, d) and chart.lands(0, a):
            d = chart.without_flyers(1, d)
    return a, d


def ended(chart: Chart, a: Side, d: Side, may: list[bool], stand: Stand) -> str:
    """How the battle ended; empty when it goes on."""
    ours, theirs = any(0 < now < LEFT for now in a), any(0 < now < LEFT for now in d)
    land = chart.battle.kind == LAND_BATTLE
    if ours and theirs:
        power = chart.power(0, a), chart.power(1, d)
        if may[0] and power[0] < stand.attacker * power[1]:
            return "withdrawn"
        if may[1] and power[1] < stand.defender * power[0]:
            return "given-up"
        return ""
    if ours:
        return "capture" if land and chart.lands(0, a) else "sunk"
    return "repulse" if theirs or not land else "ruin"


class Grids:
    """Rounds on land as whole grids of hits: so many in the air by so many on the ground, for each side."""

    def __init__(self, chart: Chart, table: Positions) -> None:
        self.chart, self.table = chart, table
        self._known: dict[tuple[int, Side, Aims, bool, bool], Grid] = {}

    def spread(self, a: Side, d: Side, chance: float) -> bool:
        """Add what one round makes of a position to the table; False where it is no such round."""
        chart, table = self.chart, self.table
        lines = chart.plain_lines(a, d)
        if lines is None:
            return False
        first, second = lines
        flies, foe_flies = chart.flies(0, a) > 0, chart.flies(1, d) > 0
        mine = self.grid(0, a, first.aims, foe_flies, foe_flies)
        rows, p = mine.hit_by(second)
        # some of our flyers may fall in this round: then the enemy's losses fall as against a side without any
        still = mine.still_flies[: rows.shape[0], : rows.shape[1]]
        groups = [(flies, None)] if not flies or still.all() else [(True, still), (False, ~still)]
        same = 0.0
        sums = []
        for flying, chosen in groups:
            columns, q = self.grid(1, d, second.aims, flies, flying).hit_by(first)
            if chosen is None or chosen[0, 0]:
                # the first cell of both grids is no hit at all; only there does everything stay as it is
                same = float(p[0, 0] * q[0, 0])
            some = (rows.ravel(), p.ravel()) if chosen is None else (rows[chosen], p[chosen])
            sums.append((*some, columns.ravel(), q.ravel()))
        scale = chance / (1.0 - same)
        for numbers, chances, columns, q in sums:
            table.table[numbers[:, None], columns] += (chances * scale)[:, None] * q
        table.table[table.number(0, a), table.number(1, d)] = 0.0
        return True

    def grid(self, side: int, steps: Side, aims: Aims, foe_flies: bool, then: bool) -> Grid:
        """What is left of a side after any hits, when the other has flyers or not: as it fires, and as losses fall."""
        key = (side, steps, aims, foe_flies, then)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Grid(self.chart, self.table, *key)
        return known


class Grid:
    """The positions of one side by hits in the air (down) and on the ground (across)."""

    def __init__(
        self, chart: Chart, table: Positions, side: int, steps: Side, aims: Aims, foe_flies: bool, then: bool
    ) -> None:
        self.room = chart.room_of(side, steps, aims, foe_flies)
        ground = [steps]
        for _ in range(min(chart.dice[1 - side], self.room[AT_LAND])):
            ground.append(chart.hit(side, ground[-1], aims, then, AT_LAND))
        left = [ground]
        for _ in range(min(chart.dice[1 - side], self.room[AT_AIR])):
            left.append([chart.hit(side, one, aims, then, AT_AIR) for one in left[-1]])
        self.numbers = np.array([[table.number(side, one) for one in row] for row in left])
        self.still_flies = np.array([[chart.flies(side, one) > 0 for one in row] for row in left])

    def hit_by(self, line: Line) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The positions that a volley can lead to, and their chances. More dice than targets hit no more than these."""
        air, land = line.values[AT_AIR], line.values[AT_LAND]
        chances = both_segments(air, land, min(self.room[AT_AIR], len(air)), min(self.room[AT_LAND], len(land)))
        return self.numbers[: chances.shape[0], : chances.shape[1]], chances


@lru_cache(maxsize=20_000)
def both_segments(air: tuple[int, ...], land: tuple[int, ...], up: int, down: int) -> npt.NDArray[np.float64]:
    """Chances of hits in the air (down) and on the ground (across), each up to what can be hit there."""
    return np.outer(hits(air, up), hits(land, down))


# ---- what it says
_WON = ("capture", "sunk", "given-up", "empty")


def _odds(found: Mapping[tuple[str, int, int, int], float], parts: Sequence[Modifier], stand: Stand) -> Odds:
    results = []
    spent = [0.0, 0.0]
    success = 0.0
    for (name, lost, killed, bombs), chance in sorted(found.items(), key=lambda row: -row[1]):
        losses = {"attacker": lost, "defender": killed}
        results.append(Result(chance, f"result.{name}", losses, {"bombs": bombs} if bombs else {}))
        spent[0] += chance * lost
        spent[1] += chance * killed
        success += chance if name in _WON or bombs else 0.0
    expected = {"attacker": spent[0], "defender": spent[1]}
    return Odds("odds.whole-battle", results, success, tuple(parts), expected, stand.key())
