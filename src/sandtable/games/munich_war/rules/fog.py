"""Fog of war (chapter 15): what a role may see, and states that agree with it.

On top of a stack lies the mobile unit that came last; fortifications lie beside the stack, in the open, because every
rule that asks for one (the Assault table, flak) asks before a battle begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..facts.politics import barred_hexes
from ..facts.setup import counters_used
from ..facts.stacking import broken_limit
from ..model.atlas import ATLAS, NOBODY, OFF_MAP_COUNTRY, SIDES
from ..model.setup import counters_at_start
from ..model.state import (
    AVAILABLE,
    ELIMINATED,
    HIDDEN,
    HUNGRY,
    OFF_MAP,
    OUT,
    REINFORCEMENT,
    SURRENDERED,
    TRACK,
    UNPLACED,
    UTILIZED,
    MunichState,
)
from .mobilization_phase import Spend
from .setup_phase import Deploy
from .terror_phase import ChooseHit

_OPEN = (ELIMINATED, SURRENDERED)
"""Displays everybody has seen being filled."""


def keeper(state: MunichState, country: int) -> int:
    """Whose player looks after a country's counters: its side, or while it is neutral the one who set it up."""
    side = state.side[country]
    if side != NOBODY or not state.plan:
        return side
    return ATLAS.plans[state.plan].deployer.get(country, NOBODY)


def is_keeper(state: MunichState, country: int, side: int) -> bool:
    """Whether a side may look at a country's own counters: its keeper, and on an alert [mw-23.2-6] the Allies, who
    spend the points of a neutral that the other set up."""
    if side == NOBODY:
        return False
    step = state.stack[-1] if state.stack else None
    return keeper(state, country) == side or (isinstance(step, Spend) and (step.side, step.country) == (side, country))


def shown_hexes(state: MunichState, side: int) -> int:
    """[mw-15.0-a] [mw-15.0-b] [mw-15.0-d] Hexes whose enemy stacks a side may look through: those of the battle being
    fought, and those in and around the hexes of its air units."""
    shown = 0
    if state.battle is not None:
        for at in state.battle.hexes:
            shown |= 1 << at
    for step in state.stack:
        if isinstance(step, ChooseHit):
            shown |= 1 << step.at
    if side != NOBODY:
        for unit in ATLAS.air_units:
            at = state.where[unit]
            if at >= 0 and state.side[ATLAS.units[unit].country] == side:
                shown |= 1 << at | ATLAS.neighbours(at)
    return shown


def top_units(where: Sequence[int], order: Sequence[int]) -> dict[int, int]:
    """By hex: the counter that lies on top."""
    tops: dict[int, int] = {}
    for unit in ATLAS.land_units:
        at = where[unit]
        if at >= 0 and (at not in tops or _height(order, unit) > _height(order, tops[at])):
            tops[at] = unit
    return tops


def _height(order: Sequence[int], unit: int) -> tuple[bool, int]:
    return ATLAS.units[unit].mobile, order[unit]


def concealed(state: MunichState, side: int) -> list[int]:
    """[mw-15.0-a] [mw-15.0-c] Units a side (NOBODY: the public) may not see: in the other's displays and tracks, and
    under the top counter of the other's stacks."""
    shown = shown_hexes(state, side)
    tops = top_units(state.where, state.order)
    mine = [is_keeper(state, country, side) for country in range(len(ATLAS.countries))]
    found = []
    for face in ATLAS.units:
        unit, at = face.index, state.where[face.index]
        if at in _OPEN or mine[face.country]:
            continue
        if at >= 0:
            if face.land and not face.fort and tops[at] != unit and not shown >> at & 1:
                found.append(unit)
        else:
            found.append(unit)
    return found


def redact(state: MunichState, side: int) -> None:
    """Take out of a copy of the state what a side may not know."""
    hidden = dict(state.hidden)
    where, steps, flags, order = list(state.where), bytearray(state.steps), bytearray(state.flags), list(state.order)
    for unit in concealed(state, side):
        at = where[unit]
        if at >= 0:
            hidden[at] = hidden.get(at, 0) + 1
        where[unit], steps[unit], flags[unit], order[unit] = HIDDEN, 0, 0, 0
    if side != state.phasing:  # what feeds a unit may be hidden
        for unit in ATLAS.land_units:
            flags[unit] &= ~HUNGRY
    state.where, state.steps, state.flags, state.order = tuple(where), bytes(steps), bytes(flags), tuple(order)
    state.hidden = dict(sorted(hidden.items()))
    state.rp = tuple(points if is_keeper(state, country, side) else 0 for country, points in enumerate(state.rp))


_TRIES = 16


def guess(state: MunichState, side: int, rng: Random) -> None:
    """Fill a redacted state with hidden units drawn at random: stacks by nation and terrain, the rest into displays.
    A draw that leaves a country short or a stack too high is thrown away while there is hope for a better one."""
    tops = top_units(state.where, state.order)
    sound = None
    for attempt in range(_TRIES):
        where, steps = list(state.where), bytearray(state.steps)
        _draw(state, where, steps, side, rng, attempt % 2, limits=attempt < _TRIES // 2)
        now = top_units(where, state.order)
        filled = all(
            ATLAS.units[u].land for u, at in enumerate(where) if at in state.hidden and state.where[u] == HIDDEN
        )
        if filled and all(now[at] == unit for at, unit in tops.items()):  # what is seen lies on top as before
            likely = _is_likely(state, where)
            if likely or sound is None:
                sound = where, steps
            if likely:
                break
    if sound is None:  # units on the move may stack as they like until they stop
        sound = where, steps
    state.where, state.steps, state.hidden = tuple(sound[0]), bytes(sound[1]), {}


def _is_likely(state: MunichState, where: Sequence[int]) -> bool:
    """Whether every country has its counters and every stack that was filled is within the limits."""
    armor = bool(state.options.get("additional-armored-forces"))
    if state.turn:
        for country in ATLAS.plans[state.plan].deployer:
            if counters_at_start(country, armor, True) > counters_used(where, country, True):
                return False
    stacks: dict[int, list[int]] = {at: [] for at in state.hidden}
    for unit in ATLAS.land_units:
        if where[unit] in stacks:
            stacks[where[unit]].append(unit)
    return not any(broken_limit(stack, at) for at, stack in stacks.items())


def _draw(
    state: MunichState, where: list[int], steps: bytearray, side: int, rng: Random, lean: int, *, limits: bool
) -> None:
    """One draw. `lean`: whether static units are laid under a stack before mobile ones or after them. `limits`: whether
    stacks are kept within the limits as far as possible; units on the move may be above them for a while."""
    pool = [unit for unit, at in enumerate(where) if at == HIDDEN]
    rng.shuffle(pool)
    armor = bool(state.options.get("additional-armored-forces"))
    for unit in pool:
        steps[unit] = ATLAS.units[unit].steps
    tops = top_units(where, state.order)
    left = dict(sorted(state.hidden.items()))
    if state.turn:
        _lay_guests(state, where, side, pool, left, tops, armor)

    def hardest_first(at: int) -> tuple[bool, bool, int]:
        top = ATLAS.units[tops[at]]  # under a static unit lie only static ones, and there are few
        return top.mobile, not top.army, at

    beds = {unit: sum(_may_be_at(state, unit, at) for at in left) for unit in pool}
    for at in sorted(left, key=hardest_first):
        nation = ATLAS.units[tops[at]].country
        for _ in range(left[at]):
            stack = _stack_at(where, at)
            # of those who fit equally well the one that could lie in the fewest places
            unit = min(pool, key=lambda unit: (_unlikely(state, unit, at, stack, nation, lean, limits), beds[unit]))
            pool.remove(unit)
            where[unit] = at
    for unit in pool:
        where[unit] = _display(state, unit)
    if state.turn and state.side[OFF_MAP_COUNTRY] == 1 - side:
        # Who is neither seen nor under a stack has rolled off the map.
        short = counters_at_start(OFF_MAP_COUNTRY, armor, True) - counters_used(where, OFF_MAP_COUNTRY, True)
        away = [unit for unit in pool if ATLAS.units[unit].country == OFF_MAP_COUNTRY and ATLAS.units[unit].mobile]
        for unit in away[: max(0, short)]:
            where[unit] = OFF_MAP


def _lay_guests(
    state: MunichState, where: list[int], side: int, pool: list[int], left: dict[int, int], tops: dict[int, int],
    armor: bool,
) -> None:  # fmt: skip
    """A country that lacks more counters than lie hidden under its own has units under those of friends."""
    spare: dict[int, int] = {}
    for country in range(len(ATLAS.countries)):
        hidden = sum(number for at, number in left.items() if ATLAS.units[tops[at]].country == country)
        short = counters_at_start(country, armor, True) - counters_used(where, country, True)
        rolled_away = country == OFF_MAP_COUNTRY and state.side[country] == 1 - side
        spare[country] = hidden if rolled_away else hidden - short
    for unit in sorted(pool, key=lambda unit: not ATLAS.units[unit].static):
        face = ATLAS.units[unit]
        if not face.land or face.fort or spare[face.country] >= 0:
            continue
        beds = [
            at
            for at, number in left.items()
            if number
            and spare[ATLAS.units[tops[at]].country] > 0
            and keeper(state, ATLAS.units[tops[at]].country) == keeper(state, face.country)
            and (face.static or ATLAS.units[tops[at]].mobile)  # else it would lie on top
            and _may_be_at(state, unit, at)
        ]
        if beds:
            at = min(beds, key=lambda at: broken_limit((*_stack_at(where, at), unit), at) is not None)
            where[unit] = at
            pool.remove(unit)
            left[at] -= 1
            spare[ATLAS.units[tops[at]].country] -= 1
            spare[face.country] += 1


def _may_be_at(state: MunichState, unit: int, at: int) -> bool:
    """Whether politics and terrain let a unit be in a hex: neutrals stay at home, nobody static is in the mountains."""
    face = ATLAS.units[unit]
    if face.static and ATLAS.mountains >> at & 1:
        return False
    at_home = ATLAS.country_of[at] == face.country
    return (state.side[face.country] != NOBODY or at_home) and not barred_hexes(state, face.country) >> at & 1


def _stack_at(where: Sequence[int], at: int) -> tuple[int, ...]:
    return tuple([unit for unit in ATLAS.land_units if where[unit] == at])


def _unlikely(
    state: MunichState, unit: int, at: int, stack: tuple[int, ...], nation: int, lean: int, limits: bool
) -> int:
    """How badly a hidden unit fits into the stack at a hex; ties fall in the shuffled order."""
    face = ATLAS.units[unit]
    if not face.land or (face.optional and not state.options.get("additional-armored-forces")):
        return 100
    bad = 0 if face.country == nation else 10
    if keeper(state, face.country) != keeper(state, nation):
        bad += 50
    if ATLAS.mountains >> at & 1 and not face.alpine:
        bad += 5
    if face.fort and not ATLAS.fort_symbols >> at & 1:
        bad += 5
    if face.mobile and not any(ATLAS.units[other].mobile for other in stack):
        bad += 90  # it would lie on top, where it would be seen
    if limits and broken_limit((*stack, unit), at) is not None:
        bad += 40
    if not _may_be_at(state, unit, at):
        bad += 60
    return bad + (face.static != bool(lean))


def _display(state: MunichState, unit: int) -> int:
    """Where a hidden unit that lies in no stack most likely waits."""
    face = ATLAS.units[unit]
    if face.optional and not state.options.get("additional-armored-forces"):
        return OUT
    if state.fallen[face.country] or (state.plan and face.country not in ATLAS.plans[state.plan].deployer):
        return OUT
    top = state.stack[-1]
    if isinstance(top, Deploy) and top.country == face.country and top.begun:
        return UNPLACED
    return AVAILABLE if not face.land and face.start == "available" else REINFORCEMENT


def scramble(state: MunichState, side: int, rng: Random) -> None:
    """Change what a side may not know and nothing else: strengths under the top counters, who lies there and who waits
    in which display, aircraft ready or used, whole or reduced, when reinforcements come, the enemy's points."""
    shown = shown_hexes(state, side)
    under: list[int] = []
    waiting: list[int] = []
    where, steps, flags, order = list(state.where), bytearray(state.steps), bytearray(state.flags), list(state.order)
    for face in ATLAS.units:
        unit, at = face.index, where[face.index]
        if is_keeper(state, face.country, side):
            continue
        if at >= 0 and face.land and not face.fort and not shown >> at & 1:
            others = [other for other in ATLAS.land_units if where[other] == at and other != unit]
            if any(_height(order, other) > _height(order, unit) for other in others):
                under.append(unit)
        elif at == REINFORCEMENT and face.land:
            waiting.append(unit)
        elif at in (AVAILABLE, UTILIZED):
            where[unit] = rng.choice((AVAILABLE, UTILIZED))
            steps[unit] = rng.randint(1, face.steps)
        elif at < TRACK - state.turn:
            where[unit] = TRACK - rng.randint(state.turn + 1, ATLAS.plans[state.plan].turns)
    for unit in under:
        face = ATLAS.units[unit]
        twins = [
            other
            for other in waiting
            if ATLAS.units[other].country == face.country
            and (ATLAS.units[other].mobile, ATLAS.units[other].army) == (face.mobile, face.army)
        ]
        if twins and rng.random() < 0.5:
            other = rng.choice(twins)
            waiting.remove(other)
            columns: tuple[list[int] | bytearray, ...] = (where, order, flags)
            for column in columns:
                column[unit], column[other] = column[other], column[unit]
            steps[unit] = face.steps
        elif face.steps > 1:
            steps[unit] = rng.choice((1, 2))
    state.where, state.steps, state.flags, state.order = tuple(where), bytes(steps), bytes(flags), tuple(order)
    state.rp = tuple(
        rng.randrange(4) if keeper(state, country) == 1 - side and not is_keeper(state, country, side) else points
        for country, points in enumerate(state.rp)
    )


def side_named(role: str | None) -> int:
    return SIDES.index(role) if role in SIDES else NOBODY
