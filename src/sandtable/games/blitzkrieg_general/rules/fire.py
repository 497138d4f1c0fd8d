"""6.5.1 and 6.5.7: volleys, hits and losses."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core.columns import having, put

from ..model import events as ev
from ..model.atlas import ATLAS, JAPAN, label
from ..model.state import (
    AT_AIR,
    AT_LAND,
    AT_SHIPS,
    AT_SUBS,
    ATOM,
    BOMBING,
    LAND_BATTLE,
    SEA_BATTLE,
    Battle,
    BKState,
    M,
    remove,
    the_battle,
)
from .chart import army, capacity, leave, sea_aims, steps_left
from .strength import effective, extra_dice

FIRE_ORDER = {AT_SHIPS: 0, AT_SUBS: 1, AT_AIR: 2, AT_LAND: 3}
"""Who fires at ships comes first, who fires at land units last."""
LAST_VOLLEY = 2


# ---- who fires ----------------------------------------------------------------------------------------------------
def can_anybody_fire(state: BKState, battle: Battle) -> bool:
    """Return whether anybody has strength, and at sea somebody to use it on: submarines cannot fight each other.
    [bg-6.5.2-zero] [bg-6.5.3-sub-v-sub]"""
    if battle.kind == BOMBING or extra_dice(state, battle):
        return True
    at_sea = battle.kind == SEA_BATTLE
    return any(
        effective(state, battle, unit, battle.aim.get(unit, AT_LAND)) > 0
        for side in (0, 1)
        for unit in army(battle, side)
        if not at_sea or sea_aims(state, battle, unit, side)
    )


def volley(state: BKState, battle: Battle, number: int) -> list[tuple[int, int]]:
    """Return who fires together, as (side, unit): submarines first, then a side that surprises, then the rest.
    [bg-6.5.3-first-shot] [bg-card-surprise] [bg-6.5.1-simultaneous]"""
    subs_first = state.advanced and battle.kind == SEA_BATTLE
    if battle.first < 0 and not subs_first:  # nobody fires before the others
        if number < LAST_VOLLEY:
            return []
        return [*[(0, unit) for unit in battle.attackers], *[(1, unit) for unit in battle.defenders]]
    out = []
    for side in (0, 1):
        for unit in army(battle, side):
            first = battle.first == side and (battle.surprise < 0 or state.nation[unit] == battle.surprise)
            turn = 0 if subs_first and ATLAS.is_sub[unit] else 1 if first else LAST_VOLLEY
            if turn == number:
                out.append((side, unit))
    return out


def shots_of(state: BKState, battle: Battle, unit: int) -> int:
    """Return the dice of a unit. [bg-6.5.1-one-die] [bg-6.5.1-armor-twice]"""
    if battle.kamikaze and ATLAS.is_air[unit] and state.nation[unit] == JAPAN:
        return 2
    return ATLAS.shots[unit]


# ---- firing -------------------------------------------------------------------------------------------------------
class Volley:
    """One volley while it is fired: the battle as it changes, and the hits that both sides can still take."""

    __slots__ = ("_room", "battle", "m")

    def __init__(self, m: M) -> None:
        self.m, self.battle = m, the_battle(m.state)
        self._room: dict[int, int] = {}

    def fire(self, number: int, shooters: Sequence[tuple[int, int]]) -> None:
        """Every unit fires, the phasing side first, from the strongest down. [bg-6.5.1-no-fire] [bg-6.5.1-hit]"""
        state, battle = self.m.state, self.battle
        values = {u: effective(state, battle, u, battle.aim.get(u, AT_LAND)) for _, u in shooters}
        extra = extra_dice(state, battle) if number == LAST_VOLLEY else []
        for side in (0, 1):
            # where each stands now: a unit that turns to another segment within the round does not fire again there
            stands = {u: self.battle.aim.get(u, AT_LAND) for s, u in shooters if s == side}
            for _, _, unit in sorted([(FIRE_ORDER[aim], -values[u], u) for u, aim in stands.items()]):
                self._fire(side, unit, stands[unit], values[unit])
        for card, value in extra:
            self._shoot(1, f"@{card}", value, 1, AT_LAND)
        state.battle = replace(self.battle, volley=number + 1)

    def _fire(self, side: int, unit: int, aim: int, value: int) -> None:
        battle = self.battle
        if battle.kind == BOMBING and aim == AT_LAND and side == 0:
            self._drop_bombs(unit, value)
            return
        if self._left(1 - side, aim) <= 0:
            # everybody there is covered: a flyer that has not fired may turn to the land segment within the round
            if aim != AT_AIR or battle.kind != LAND_BATTLE or ATLAS.is_land[unit]:
                return
            aim = AT_LAND
            self.battle = replace(battle, aim=having(battle.aim, unit, AT_LAND))
            self._room.clear()
            value = effective(self.m.state, self.battle, unit, AT_LAND)
        self._shoot(side, label(unit), value, shots_of(self.m.state, battle, unit), aim)

    def _left(self, side: int, aim: int) -> int:
        """Hits of a kind that a side can still take: counted anew only when somebody has turned elsewhere."""
        row = side * 4 + aim
        if row not in self._room:
            self._room[row] = capacity(self.m.state, self.battle, side, aim) + self.battle.hits[row]
        return self._room[row] - self.battle.hits[row]

    def _shoot(self, side: int, who: str, value: int, shots: int, aim: int) -> None:
        """So many dice, as long as there is anybody left to be hit."""
        m, battle, room = self.m, self.battle, self._left(1 - side, aim)
        if value <= 0:
            return
        dice: list[int] = []
        hits = 0
        while len(dice) < shots and hits < room:
            dice.append(m.roll(why="bg-6.5.1-hit"))
            hits += dice[-1] <= value
        if hits:
            row = (1 - side) * 4 + aim
            taken = battle.taken + side * hits
            self.battle = replace(battle, hits=put(battle.hits, row, battle.hits[row] + hits), taken=taken)
        if dice:
            m.emit(ev.Fired(unit=who, strength=value, dice=tuple(dice), hits=hits))

    def _drop_bombs(self, unit: int, value: int) -> None:
        """[bg-6.5.6-hit] [bg-6.5.6-once]"""
        if value <= 0 or self.m.state.flags[unit] & ATOM:
            return
        die = self.m.roll(why="bg-6.5.6-hit")
        hit = die <= value
        self.m.emit(ev.Fired(unit=label(unit), strength=value, dice=(die,), hits=int(hit)))
        self.battle = replace(self.battle, bombs=self.battle.bombs + hit)


# ---- hits ---------------------------------------------------------------------------------------------------------
def pending_aim(battle: Battle, side: int) -> int:
    """Return the kind of hits a side has to take next; -1 when there are none."""
    return next((aim for aim in range(4) if battle.hits[side * 4 + aim] > 0), -1)


def count_off(state: BKState, side: int, aim: int, hits: int) -> None:
    """Take some hits off those that a side still has to take."""
    battle = the_battle(state)
    row = side * 4 + aim
    state.battle = replace(battle, hits=put(battle.hits, row, battle.hits[row] - hits))


def take_hit(m: M, unit: int) -> None:
    """Flip a unit or remove it; what a convoy carries suffers with it. [bg-6.5.7-two-hits] [bg-6.5.7-blank-back]
    [bg-6.5.7-cargo]"""
    state = m.state
    for load in state.cargo.get(unit, ()):
        take_hit(m, load)
    lost = steps_left(state, unit) == 1
    m.emit(ev.Hit(unit=label(unit), lost=lost))
    if not lost:
        state.flipped = put(state.flipped, unit, 1)
        return
    remove(state, unit)
    if state.battle is not None:
        battle = leave(state.battle, (unit,))
        landed = unit in battle.invaders
        state.battle = replace(battle, invaders=tuple(u for u in battle.invaders if u != unit)) if landed else battle
