"""7.5 Research: numbers, the announced roll, the seven achievements, V-weapons and the atomic bomb."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Refusal, Role, Step

from ..model import events as ev
from ..model.actions import Achieve, Announce, BuyNumber, Done, DropAtom, FireV
from ..model.atlas import MAJORS, atlas
from ..model.state import (
    ATOM,
    BOMBER,
    MOVED,
    BKPlay,
    BKState,
    acting,
    aircraft_of,
    changed,
    enemy_side,
    is_hostile,
    plays,
    send,
    without,
)
from ..model.tables import LIMITS
from .bombing import bomb, worth
from .flying import why_not_fly
from .movement import uid
from .reach import air_range, flight, name
from .search import has_advance


# ---- buying and rolling -------------------------------------------------------------------------------------------
def why_not_buy_number(state: BKState, major: int) -> Refusal | None:
    """One number a quarter, in order, up to five. [bg-7.5-buy]"""
    row = atlas().research
    if state.rolled_research >> major & 1:
        return Refusal("bg-7.5-buy", "one-number")
    if state.numbers[major] >= row["max_number"]:
        return Refusal("bg-7.5-buy", "all-numbers")
    if state.points[major] < row["price_per_number"]:
        return Refusal("bg-7.5-buy", "too-expensive", cost=row["price_per_number"], points=state.points[major])
    if not open_advances(state, major):
        return Refusal("bg-7.5-choose", "all-achieved")
    return None


def open_advances(state: BKState, major: int) -> list[str]:
    """Achievements a country can still choose. [bg-7.5-choose] [bg-7.5-atom-prereq]"""
    return list(_open_advances(state.advances[major]))


@lru_cache(maxsize=256)
def _open_advances(known: int) -> tuple[str, ...]:
    found = atlas()
    out = [a for a in found.achievements if not known >> found.advance_bit[a] & 1]
    if any(a not in ("v_weapons", "atomic_bomb") for a in out):
        out = [a for a in out if a != "atomic_bomb"]
    return tuple(out)


class Research(Step, frozen=True, tag="bg.research"):
    """First everybody buys numbers, then rolls are announced. [bg-7.5-buy] [bg-7.5-announce]"""

    rule = "bg-7.5-buy"
    rolling: bool = False
    done: tuple[str, ...] = ()

    def run(self, m: Play[BKState]) -> None:
        if m.asked():
            return
        if self.rolling:
            m.state.rolled_research = 0
            m.state.effects = without(m.state.effects, "announced")
            m.pop()
        else:
            m.replace(Research(True))

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        state = m.state
        return [MAJORS[n] for n in range(8) if MAJORS[n] not in self.done and plays(state, n) and self._may(state, n)]

    def _may(self, state: BKState, major: int) -> bool:
        if not self.rolling:
            return why_not_buy_number(state, major) is None
        return (
            state.numbers[major] > 0
            and not state.rolled_research >> (major + 8) & 1
            and bool(open_advances(state, major))
        )

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        if self.rolling:
            return [Choices([Announce()], rule="bg-7.5-announce"), Choices([Done()], rule="bg-7.5-announce")]
        return [Choices([BuyNumber()], rule="bg-7.5-buy"), Choices([Done()], rule="bg-7.5-buy")]

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        state = m.state
        major = MAJORS.index(role)
        if isinstance(action, BuyNumber):
            state.points = changed(state.points, major, state.points[major] - atlas().research["price_per_number"])
            state.numbers = changed(state.numbers, major, state.numbers[major] + 1)
            state.rolled_research |= 1 << major
            m.emit(ev.NumberBought(country=f"@{role}", number=state.numbers[major]))
            m.replace(Research(self.rolling, self.done))
        elif isinstance(action, Announce):
            state.rolled_research |= 1 << (major + 8)
            state.effects = {**state.effects, "announced": major}
            m.emit(ev.ResearchAnnounced(country=f"@{role}"))
            m.replace(Research(self.rolling, self.done))
            m.push(ResearchRoll(role))
            enemies = acting(state, enemy_side(state.side[major]))
            m.window("research", [MAJORS[n] for n in enemies])
        else:
            m.replace(Research(self.rolling, (*self.done, role)))


class ResearchRoll(Step, frozen=True, tag="bg.research-roll"):
    """The announced die, unless the research was sabotaged. [bg-7.5-roll] [bg-7.5-lose] [bg-opt-9.14]"""

    rule = "bg-7.5-roll"
    role: str
    success: bool = False

    def run(self, m: Play[BKState]) -> None:
        if self.success:
            return
        state = m.state
        major = MAJORS.index(self.role)
        numbers = state.numbers[major]
        if not numbers:
            m.pop()
            return
        die = m.roll(6, why="bg-7.5-roll")
        success = die <= numbers
        m.emit(ev.ResearchRolled(country=f"@{self.role}", die=die, numbers=numbers, success=success))
        keeps = m.option("research-keeps-numbers") and not success
        state.numbers = changed(state.numbers, major, max(0, numbers - (die - numbers)) if keeps else 0)
        if success:
            m.replace(ResearchRoll(self.role, True))
        else:
            m.pop()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        choices = open_advances(m.state, MAJORS.index(role))

        def why(value: str) -> Refusal | None:
            if value == "atomic_bomb":
                return Refusal("bg-7.5-atom-prereq", "bomb-needs-all")
            return Refusal("bg-7.5-choose", "achieved-already") if value in atlas().achievements else None

        return [Offer(Achieve, Field("what", "choice", OneOf(choices, why=why)), rule="bg-7.5-choose")]

    def take(self, m: Play[BKState], role: Role, action: Achieve) -> None:
        state = m.state
        major = MAJORS.index(role)
        state.advances = changed(
            state.advances, major, state.advances[major] | (1 << atlas().achievements.index(action.what))
        )
        if action.what == "atomic_bomb":
            state.atom_ready = {**state.atom_ready, major: state.turn + 1}
        m.emit(ev.Achieved(country=f"@{role}", advance=f"@{action.what}"))
        m.pop()


# ---- V-weapons and the bomb ---------------------------------------------------------------------------------------
def has_bomb(state: BKState, major: int) -> bool:
    return state.atom_ready.get(major, state.turn + 1) <= state.turn and not state.special_used >> (8 + major) & 1


def v_targets(m: BKPlay, major: int) -> list[int]:
    """Enemy areas with production within two spaces of an own area. [bg-7.5-v-weapons]"""
    state = m.state
    near = m.kept(("v-weapons", major), (state.control,), lambda: _within_v_range(state, major))
    return [s for s in near if is_hostile(state, major, s) and worth(state, s) > 0]


def _within_v_range(state: BKState, major: int) -> list[int]:
    """Areas so near to one that a major holds."""
    found = atlas()
    near: set[int] = set()
    for start in found.land:
        if state.control[start] != major:
            continue
        seen, frontier = {start}, [start]
        for _ in range(LIMITS["v_weapon_range"]):
            frontier = [t for h in frontier for t in found.air_next[h] if t not in seen]
            seen.update(frontier)
        near |= seen
    return [s for s in sorted(near) if not found.is_sea[s]]


def special_offers(m: BKPlay, major: int) -> list[Offer]:
    state, found = m.state, atlas()
    if not state.war[major] or state.exploiting:
        return []
    out: list[Offer] = []
    if has_advance(state, major, "v_weapons") and not state.special_used >> major & 1:
        spaces = found.names(v_targets(m, major))
        if spaces:
            atom = [False, True] if has_bomb(state, major) else [False]
            out.append(
                Offer(
                    FireV,
                    Field("to", "space", OneOf(spaces)),
                    Field("atom", "choice", OneOf(atom)),
                    rule="bg-7.5-v-weapons",
                )
            )
    if has_bomb(state, major):
        mine = [u for u in aircraft_of(state, major) if state.nation[u] == major]
        units = [uid(u) for u in mine if why_not_fly(m, u) is None]
        if units:
            out.append(
                Offer(
                    DropAtom,
                    Field("unit", "unit", OneOf(units)),
                    Field("to", "space", lambda u: OneOf(found.names(atom_targets(m, found.unit_of[u])))),
                    rule="bg-7.5-atom-carrier",
                )
            )
    return out


def atom_targets(m: BKPlay, unit: int) -> list[int]:
    """Any enemy area in the carrier's range. [bg-7.5-atom-carrier]"""
    from .flying import bomb_targets

    state = m.state
    reached = flight(state, state.nation[unit], state.place[unit], air_range(state, unit))
    return [s for s in bomb_targets(m, unit) if s in reached]


def take_special(m: BKPlay, major: int, action: Any) -> None:
    state, found = m.state, atlas()
    to = found.space_of[action.to]
    if isinstance(action, DropAtom):
        unit = found.unit_of[action.unit]
        send(state, unit, to)
        state.flags[unit] |= MOVED | BOMBER | ATOM
        state.special_used |= 1 << (8 + major)
        return
    state.special_used |= 1 << major
    if action.atom:
        # carried by a rocket the bomb cannot be intercepted
        state.special_used |= 1 << (8 + major)
        drop_atom(m, to, major)
        return
    die = m.roll(6, why="bg-7.5-v-weapons")
    hit = die <= LIMITS["v_weapon_strength"]
    m.emit(ev.Fired(unit="@v_weapons", strength=LIMITS["v_weapon_strength"], dice=(die,), hits=int(hit)))
    if hit:
        bomb(m, to, 1)


def drop_atom(m: BKPlay, space: int, major: int) -> None:
    """All production of the area is gone for this turn, and the victim comes nearer to collapse. [bg-7.5-atom-effect]
    [bg-7.5-atom-collapse] [bg-7.5-atom-home-only]"""
    state, found = m.state, atlas()
    bomb(m, space, worth(state, space))
    victim = found.home_of[space]
    if victim >= 0 and state.control[space] == victim:
        state.atom_hits = changed(state.atom_hits, victim, state.atom_hits[victim] + 1)
        state.atom_new |= 1 << victim


def check_collapse(m: BKPlay) -> None:
    """The turn after a hit the victim rolls against all its hits so far. [bg-7.5-atom-collapse]"""
    from .conquest import surrender

    state = m.state
    for major in range(8):
        if state.atom_new >> major & 1 and plays(state, major):
            die = m.roll(6, why="bg-7.5-atom-collapse")
            m.emit(ev.Collapse(country=f"@{MAJORS[major]}", die=die, points=state.atom_hits[major]))
            if die <= state.atom_hits[major]:
                surrender(m, major)
    state.atom_new = 0


STEPS: tuple[type[Step], ...] = (Research, ResearchRoll)
__all__ = ["Research", "name"]
