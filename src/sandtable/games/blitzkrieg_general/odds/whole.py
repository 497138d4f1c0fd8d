"""Battles of Blitzkrieg General to their end, from any decision before or within them, with a stated policy.

The policy: units stay where the game puts them on the chart, nobody plays a card or dives; each hit goes where it
costs its owner the least fire, which is strength times dice (HQs, loaded convoys and the last land unit last); a side
retreats after a round when its printed strength is less than a stated share of its enemy's and it may. What the action
asked for says itself comes before the policy. The opening (the coast's defence, a search) is played by the game itself,
every die of it; so is a withdrawal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from operator import and_

from msgspec.structs import replace

from sandtable.core import Action, Match, Modifier, Odds, Result
from sandtable.odds.walk import TooMany, outcomes, state_of

from ..model.actions import Attack, Retreat
from ..model.atlas import ATLAS
from ..model.events import Searched
from ..model.state import AT_LAND, BOMBING, LAND_BATTLE, Battle, BKState, M, remove, the_battle
from ..rules.battle_phase import AskRetreat, Withdrawal
from ..rules.chart import army, land_units, leave, steps_left
from ..rules.retreat import why_not_retreat
from ..rules.strength import modifiers_of
from .ahead import (
    AFTER,
    ANSWER,
    CHART,
    COMING,
    HITS,
    OVER,
    ROUND,
    STALEMATE,
    begin,
    carry_out,
    is_fighting,
    next_battle,
    standing,
)
from .lines import LEFT, Both, Side
from .outcomes import NEVER, Grids, Positions, steps_of
from .policy import Stand, whose
from .ranks import THERE
from .round import Chart

_DEAR = 4
"""So many rounds on land take as long as one at sea, or one in which flyers may turn to the ground."""
_BLOCKS = 4
"""So many blocks of dependent hits take as long as another round on land."""
_MOST_DICE = 100
"""Ways that the dice before a battle can fall: two dice and a coast's."""
_BOTH, _DEFENDER = (True, True), (False, True)
Ends = dict[tuple[str, Side, Side, int], float]
"""How it ended, what both sides have left, bombs on their targets."""
Told = dict[tuple[str, int, int, int], float]
"""How it ended, the steps that both sides lost, bombs on their targets."""


class TooLong(Exception):
    """A battle with more positions than whoever asked wants to wait for."""


def whole_battle(
    match: Match[BKState], action: Action, stand: Stand, *, role: str | None = None, most: int | None = None,
    one_round: bool = False,
) -> Odds | None:  # fmt: skip
    """The battle that the action starts or goes on with, fought to its end; None where it does neither.

    An aircraft or a reserve that comes to help, or a player who is done before the others: the battle as it would stand
    if nobody else moved. `most` bounds the work, in rounds on land: beyond it TooLong is raised. `one_round`: only the
    next round, or the rest of this one.
    """
    fighting = is_fighting(match.play)
    try:
        twins = _twins(match, role or match.decisions()[0], action)
    except TooMany:
        return None
    if not fighting and all(twin.state.battle is None for _, twin in twins):
        return None
    sides = _who_fights(match, [twin for _, twin in twins], fighting)
    start = [_steps(match.state, units) for units in sides]
    parts: Sequence[Modifier] = ()
    most = None if most is None else most // len(twins)
    found: Told = {}
    for part, twin in twins:
        battle, at = twin.state.battle, standing(twin.play)
        if battle is not None and not parts:
            parts = _modifiers(twin.state, battle)
        if battle is None or at in (OVER, STALEMATE, ""):
            name = _name_of(match.play, action, twin.play) if fighting else _missed(twin.play)
            lost = [start[side] - _steps(twin.state, sides[side]) for side in (0, 1)]
            if battle is not None and at == STALEMATE:
                there = _side(twin.state, army(battle, 0))
                lost[0] += steps_of(there) - steps_of(_Leaving(twin, battle).left(0, there, forced=True))
            key = (name, lost[0], lost[1], 0)
            found[key] = found.get(key, 0.0) + part
            continue
        # whoever has left the battle is no loss
        rest = [_steps(twin.state, [u for u in sides[side] if u not in army(battle, side)]) for side in (0, 1)]
        for (name, a, d, bombs), chance in fight_out(twin, battle, stand, at, most=most, one_round=one_round).items():
            key = (name, start[0] - rest[0] - steps_of(a), start[1] - rest[1] - steps_of(d), bombs)
            found[key] = found.get(key, 0.0) + part * chance
    told = _odds(found, parts, stand, "odds.rest-of-battle" if fighting else "odds.whole-battle")
    raid = any(twin.state.battle is not None and twin.state.battle.kind == BOMBING for _, twin in twins)
    announced = isinstance(action, COMING) and not fighting
    told = replace(
        told, whose=whose(match.state, sides[0]), aim="aim.raid" if raid else "aim.win",
        basis="basis.as-it-stands" if announced else "",
    )  # fmt: skip
    if not one_round:
        return told
    ahead = sum(row.probability for row in told.results if row.losses["defender"] > row.losses["attacker"])
    return replace(told, title="round", success=ahead, policy="policy.one-round", aim="aim.round")


# ---- how a battle begins, or goes on
def _twins(match: Match[BKState], role: str, action: Action) -> list[tuple[float, Match[BKState]]]:
    """Every way in which the action brings the match to the next dice of a battle, equal ones put together."""
    if isinstance(action, Attack):
        return _alike(outcomes(match, lambda twin: begin(twin.play, ATLAS.space_of[action.space]), most=_MOST_DICE))
    ahead = outcomes(match, lambda twin: carry_out(twin.play, role, action), most=_MOST_DICE)
    if is_fighting(match.play):
        return _alike(ahead)
    found: list[tuple[float, Match[BKState]]] = []
    for part, twin in _alike(ahead):
        space = next_battle(twin.play, action) if twin.state.battle is None else None
        if space is None:
            found.append((part, twin))
            continue
        for chance, opened in _alike(outcomes(twin, _opening(space), most=_MOST_DICE)):
            found.append((part * chance, opened))
    return found


def _opening(space: int) -> Callable[[Match[BKState]], None]:
    return lambda twin: begin(twin.play, space)


def _alike(ends: list[tuple[float, Match[BKState]]]) -> list[tuple[float, Match[BKState]]]:
    if len(ends) == 1:
        return ends
    found: dict[Hashable, tuple[float, Match[BKState]]] = {}
    for chance, twin in ends:
        key = state_of(twin)
        found[key] = (chance + found[key][0], found[key][1]) if key in found else (chance, twin)
    return list(found.values())


def _who_fights(match: Match[BKState], twins: Iterable[Match[BKState]], fighting: bool) -> tuple[list[int], list[int]]:
    """All units of both sides in the battle, also those that the coast has hit before the first round."""
    sides: tuple[dict[int, None], dict[int, None]] = ({}, {})
    for one in [match] if fighting else twins:
        if one.state.battle is not None:
            for side in (0, 1):
                sides[side].update(dict.fromkeys(army(one.state.battle, side)))
    return list(sides[0]), list(sides[1])


def _steps(state: BKState, units: Iterable[int]) -> int:
    return sum(steps_left(state, unit) for unit in units if state.place[unit] >= 0)


def _side(state: BKState, units: Iterable[int]) -> Side:
    return bytes(steps_left(state, unit) for unit in units)


def _modifiers(state: BKState, battle: Battle) -> Sequence[Modifier]:
    first = battle.attackers[:1]
    return [m for unit in first for m in modifiers_of(state, battle, unit, battle.aim.get(unit, AT_LAND))]


def _name_of(before: M, action: Action, after: M) -> str:
    """How a battle ended that the action itself has brought to its end."""
    step, battle = before.step, after.state.battle
    if isinstance(step, Withdrawal):
        return "stalemate" if step.forced else _LEFT[step.side]
    if isinstance(step, AskRetreat) and isinstance(action, Retreat):
        return "parted" if action.what == "break-off" else _LEFT[step.side]
    if battle is None or standing(after) == STALEMATE:
        return "stalemate"
    ours, theirs = battle.attackers, battle.defenders
    return _winner(battle.kind == LAND_BATTLE, bool(ours), bool(land_units(ours)), bool(theirs))


def _missed(after: M) -> str:
    """Why a battle did not begin: aircraft alone did not find the ships, or nobody is there."""
    return "not-found" if any(isinstance(e, Searched) and not e.found for e in after.events) else "empty"


_LEFT = ("withdrawn", "given-up")


# ---- round after round
def fight_out(
    match: Match[BKState], battle: Battle, stand: Stand, at: str = ROUND, *, most: int | None = None,
    one_round: bool = False,
) -> Ends:  # fmt: skip
    """Every way the battle can end from where it stands now. Rounds that change nothing are summed in closed form."""
    match.state.battle = battle
    stuck, leaving = _stuck(match.state, battle), _Leaving(match, battle)
    chart = Chart(match.state, battle, match.game.codec.clone(match.state))
    ends: Ends = {}
    table = Positions(*chart.start)
    grids = Grids(chart, table)
    once = battle.limited or battle.kind == BOMBING or one_round

    def settle(a: Side, d: Side, bombs: int, chance: float, asked: tuple[bool, bool] = _BOTH) -> Both | None:
        """After a round: somebody is gone, goes, or all fight on as they stand now."""
        a, d = forced_out(chart, a, d)
        may = (asked[0] and _may_leave(stuck[0], a), asked[1] and _may_leave(stuck[1], d))
        end = "hits" if one_round else ended(chart, a, d, may, stand)
        if end:
            add(end, a, d, bombs, chance)
            return None
        return a, d

    def add(end: str, a: Side, d: Side, bombs: int, chance: float) -> None:
        if end in ("stalemate", "withdrawn"):
            a = leaving.left(0, a, forced=end == "stalemate")
        elif end == "given-up":
            d = leaving.left(1, d)
        ends[end, a, d, bombs] = ends.get((end, a, d, bombs), 0.0) + chance

    first: Both | None = chart.start
    met = all(any(0 < now < LEFT for now in side) for side in chart.start) or battle.kind == BOMBING
    if (at in (AFTER, ANSWER) and not one_round) or not (met or at == HITS):  # a coast that nobody defends is taken
        first = settle(*chart.start, battle.bombs, 1.0, _BOTH if at == AFTER else _DEFENDER)
    if first is None:
        return ends
    blocks = chart.rest_of_round(battle) if at == HITS else chart.blocks(*first, battle.aim if at == CHART else None)
    if blocks is None:
        add("stalemate", *first, 0, 1.0)
        return ends
    for group, others in blocks:
        if not once:
            table.add_block(group, others, 1.0)
            continue
        for a, p in group.items():
            for (d, bombs), q in others.items():
                settle(a, d, bombs + battle.bombs, p * q)
    work = 0
    for a, d, chance in table.drain():
        if most is not None and work > most:
            raise TooLong
        now = settle(a, d, 0, chance)
        if now is None:
            continue
        if now != (a, d):
            table.add_block({now[0]: 1.0}, {(now[1], 0): 1.0}, chance)
            continue
        if grids.spread(a, d, chance):
            work += 1
            continue
        blocks = chart.blocks(a, d) or []
        work += _DEAR + len(blocks) // _BLOCKS
        still = sum(group.get(a, 0.0) * others.get((d, 0), 0.0) for group, others in blocks)
        if not blocks or still > 1.0 - NEVER:
            add("stalemate", a, d, 0, chance)
            continue
        for group, others in blocks:
            table.add_block(group, others, chance / (1.0 - still))
        table.clear(a, d)
    return ends


class _Leaving:
    """What is left of a side that leaves a battle on land: who finds no way or no room is lost. The game itself plays
    it, every unit going the first way that is open.  [bg-6.5.2-zero] [bg-6.5.8-land]"""

    def __init__(self, match: Match[BKState], battle: Battle) -> None:
        self.match, self.battle = match, battle
        self.units = army(battle, 0), army(battle, 1)
        self._known: dict[tuple[int, Side, bool], Side] = {}

    def left(self, side: int, steps: Side, *, forced: bool = False) -> Side:
        """The same side when it has left."""
        if self.battle.kind != LAND_BATTLE:
            return steps
        if not forced:  # who can go all together can go when they are fewer
            whole = _side(self.match.state, self.units[side])
            if self._after(side, whole, forced) == whole:
                return steps
        return self._after(side, steps, forced)

    def _after(self, side: int, steps: Side, forced: bool) -> Side:
        key = (side, steps, forced)
        if key not in self._known:
            twin = self.match.clone()
            play, state = twin.play, twin.state
            there = {unit: now for unit, now in zip(self.units[side], steps, strict=True) if 0 < now < LEFT}
            for unit in self.units[side]:
                if unit not in there:
                    state.battle = leave(the_battle(state), (unit,))
            for unit, now in zip(self.units[side], steps, strict=True):
                if not now:
                    remove(state, unit)
            state.stack = (*state.stack, Withdrawal(side, tuple(land_units(tuple(there))), forced))
            while isinstance(step := play.step, Withdrawal) and step.units:
                step.go_or_fall(play)
            left = [state.place[unit] >= 0 for unit in self.units[side]]
            self._known[key] = bytes(now if still else 0 for now, still in zip(steps, left, strict=True))
        return self._known[key]


def _stuck(state: BKState, battle: Battle) -> tuple[bytes, bytes]:
    """Per unit of both sides whether it could not leave: as long as it is there, its side stays."""
    found = []
    for side, name in enumerate(("attackers", "defenders")):
        units = army(battle, side)
        stuck = [False] * len(units)
        if why_not_retreat(state, side) is not None:
            for place, unit in enumerate(units):
                state.battle = replace(battle, **{name: (unit,)})
                stuck[place] = why_not_retreat(state, side) is not None
            state.battle = battle
        found.append(bytes(stuck))
    return found[0], found[1]


def _may_leave(stuck: bytes, steps: Side) -> bool:
    return not any(stuck) or not any(map(and_, stuck, steps.translate(THERE)))


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


def ended(chart: Chart, a: Side, d: Side, may: tuple[bool, bool], stand: Stand) -> str:
    """How the battle ended; empty when it goes on."""
    ours, theirs = any(0 < now < LEFT for now in a), any(0 < now < LEFT for now in d)
    battle = chart.battle
    if ours and battle.kind == BOMBING:
        return "raid"
    if not (ours and theirs):
        return _winner(battle.kind == LAND_BATTLE, ours, chart.lands(0, a), theirs)
    if battle.limited:
        return "parted"
    power = chart.power(0, a), chart.power(1, d)
    if may[0] and power[0] < stand.attacker * power[1]:
        return "withdrawn"
    if may[1] and power[1] < stand.defender * power[0]:
        return "given-up"
    return ""


def _winner(land: bool, ours: bool, ashore: bool, theirs: bool) -> str:
    """What it is called when a side has nobody left."""
    if ours and theirs:
        return "parted"
    if ours:
        return "capture" if land and ashore else "sunk"
    return "repulse" if theirs or not land else "ruin"


# ---- what it says
_WON = ("capture", "sunk", "given-up")


def _odds(found: Told, parts: Sequence[Modifier], stand: Stand, title: str) -> Odds:
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
    return Odds(title, results, success, tuple(parts), expected, stand.key())
