"""Supply Sources and Cut Off."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Step
from sandtable.core.offers import Field

from .actions import Starve
from .atlas import ATLAS, DESERT, IMPASSABLE, MAJOR_FLAG, MINOR_FLAG, NEUTRAL, NO_FLAG
from .events import CutOff, Lost
from .flow import Net, convoy_room, net, send
from .lookup import (
    control_group,
    country_of,
    flag_at,
    names_of,
    remove,
    spokesman,
    unit_name,
    unit_of,
    vichy_is,
)
from .roster import roster
from .state import AT_WAR, CUT_OFF, M
from .weather import in_russian_winter

A = ATLAS
K = ATLAS.kinds
FLAG_FEEDS = 10
"""Stack Points a Minor Flag supplies inside its country."""


_FLAGGED = tuple(space for space in A.land if A.flag[space] in (MAJOR_FLAG, MINOR_FLAG))


class Fed:
    """Who is supplied in one group, and where there is not enough for all."""

    __slots__ = ("missing", "short", "unfed")

    def __init__(self) -> None:
        self.unfed: set[int] = set()
        self.short: list[int] = []
        """Units of which some must go without: their owner chooses which."""
        self.missing = 0
        """Stack Points that go without, whichever units that will be."""


def assess(m: M, group: int, starved: Sequence[int] = (), room: dict[int, int] | None = None) -> Fed:
    """Trace supply for all ground units of a group.

    [w2e-supply-sources] [w2e-major-flag-supply] [w2e-minor-flag-supply] [w2e-fortress-supply] [w2e-depot-supply]
    """
    state, units, network = m.state, roster(m), net(m, group)
    room = convoy_room(m, group, for_supply=True) if room is None else room
    starved = tuple(u for u in starved if A.group[state.power[u]] == group)
    pick = units.picks["fed"][group]
    depends_on = (units, network, starved, tuple(room.items()), state.owner, state.status, state.fortress,
                  state.depot, state.lost_flag, vichy_is(state), pick(state.space), pick(state.cargo_of))  # fmt: skip
    key = ("fed", group, bool(starved), len(room))
    return m.kept(key, depends_on, lambda: _assess(m, group, units.fed[group], network, starved, room))


def _assess(
    m: M, group: int, eaters: Sequence[int], network: Net, starved: Sequence[int], room: Mapping[int, int]
) -> Fed:
    state, found, left = m.state, Fed(), dict(room)
    waiting: dict[int, list[int]] = {}
    heads: set[int] = set()
    flags: dict[str, int] = {}
    parts = network.part
    for space in _FLAGGED:
        part = parts[space]
        flag = flag_at(state, space) if part >= 0 else NO_FLAG
        if flag == MAJOR_FLAG:
            heads.add(part)
        elif flag == MINOR_FLAG:
            flags[country_of(state, space)] = part
    spaces, aboard = state.space, state.cargo_of

    def is_hungry(space: int) -> bool:
        if space < 0 or parts[space] in heads:
            return False
        if (state.fortress[space] or state.depot[space]) and control_group(state, space) == group:
            return False
        return state.owner[space] != NEUTRAL  # caught in Vichy land by the armistice: it has this turn to leave

    hungry = {space for space in {spaces[unit] for unit in eaters} if is_hungry(space)}
    for unit in [u for u in eaters if spaces[u] in hungry]:
        space = spaces[unit]
        if aboard[unit] >= 0 or state.status[state.power[unit]] != AT_WAR:
            continue
        part = parts[space]
        if unit in starved or part < 0:
            found.unfed.add(unit)
            found.missing += K.stack[state.kind[unit]]
        else:
            waiting.setdefault(part, []).append(unit)
    for part, units in waiting.items():
        _share(m, found, part, units, flags, functools.partial(send, network.calls, left, heads, part))
    return found


def _share(
    m: M, found: Fed, part: int, units: Sequence[int], flags: Mapping[str, int],
    ship: Callable[[int], tuple[int, dict[int, int]]],
) -> None:  # fmt: skip
    """Feed the units of one part: minor flags feed ten Stack Points in their country, convoys bring the rest."""
    state = m.state
    needs: dict[str, int] = {}
    for unit in units:
        country = country_of(state, state.space[unit])
        needs[country] = needs.get(country, 0) + K.stack[state.kind[unit]]
    lacking = {country: need - (FLAG_FEEDS if flags.get(country) == part else 0) for country, need in needs.items()}
    rest = sum(lack for lack in lacking.values() if lack > 0)
    if not rest:
        return
    sent = ship(rest)[0]
    if sent >= rest:
        return
    found.missing += rest - sent
    rivals = [u for u in units if lacking[country_of(state, state.space[u])] > 0]
    fed_here = any(flags.get(country_of(state, state.space[u])) == part for u in rivals)
    if not fed_here and sent < min(K.stack[state.kind[u]] for u in rivals):
        found.unfed.update(rivals)
    elif not found.short:
        found.short = rivals


def groups(m: M) -> list[int]:
    return sorted({A.group[p] for p, status in enumerate(m.state.status) if status == AT_WAR})


def shortage(m: M, group: int, room: dict[int, int] | None = None) -> int:
    """Stack Points that would go unsupplied."""
    return assess(m, group, (), room).missing


class SupplyCheck(Step, frozen=True, tag="supply-check"):
    """Who is Cut Off now; at the end of a turn some of them die.  [w2e-supply-none]"""

    rule = "w2e-supply-none"
    ending: bool = False
    starved: tuple[int, ...] = ()

    def short(self, m: M) -> list[int]:
        found: list[int] | None = m.cache.get(self)
        if found is None:
            fed = (assess(m, group, self.starved) for group in groups(m))
            found = m.cache[self] = next((each.short for each in fed if each.short), [])
        return found

    def run(self, m: M) -> None:
        state = m.state
        if self.short(m):
            return
        cut: set[int] = set()
        for group in groups(m):
            cut |= assess(m, group, self.starved).unfed
        spaces, flags = state.space, state.flags
        for unit in [u for u, flag in enumerate(flags) if flag & CUT_OFF and spaces[u] >= 0 and u not in cut]:
            flags[unit] &= ~CUT_OFF
        for unit in cut:
            flags[unit] |= CUT_OFF
        if cut:
            m.emit(CutOff(units=names_of(state, sorted(cut))))
        m.pop()
        if self.ending:
            for unit in sorted(cut):
                self.maybe_lost(m, unit)

    def maybe_lost(self, m: M, unit: int) -> None:
        """Desert, impassable mountains and the Russian winter kill.

        [w2e-terrain-desert] [w2e-terrain-impassable-build] [w2e-winter-cutoff]
        """
        state = m.state
        space = state.space[unit]
        winter = A.side[state.power[unit]] == 0 and in_russian_winter(state, space)
        if A.terrain[space] & (DESERT | IMPASSABLE) or winter:
            rule = "w2e-winter-cutoff" if winter else "w2e-terrain-desert"
            m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}", why=rule))
            remove(m, unit)

    def roles(self, m: M) -> Sequence[str]:
        units = self.short(m)
        return (A.powers[spokesman(m.state, units, A.side[m.state.power[units[0]]])],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = list(names_of(m.state, self.short(m)))
        return [Offer(Starve, Field("unit", "unit", OneOf(names)), rule="w2e-convoy-capacity")]

    def take(self, m: M, role: str, action: Any) -> None:
        m.replace(SupplyCheck(self.ending, (*self.starved, unit_of(m.state, action.unit))))
