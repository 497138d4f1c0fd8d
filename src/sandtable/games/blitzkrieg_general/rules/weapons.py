"""7.5 V-weapons and the atomic bomb: who has them and what they are used on."""

from __future__ import annotations

from typing import Any

from sandtable.core import Field, Offer, OneOf

from ..facts.reach import within_v_range
from ..facts.units import on_map
from ..model import events as ev
from ..model.actions import DropAtom, FireV
from ..model.atlas import ATLAS, unit_id
from ..model.state import ATOM, BOMBER, MOVED, BKState, M, has_advance, is_hostile, mark, send
from ..model.tables import LIMITS
from .bombing import bomb, drop_atom, worth
from .flying import bomb_targets, why_not_fly


def has_bomb(state: BKState, major: int) -> bool:
    return state.atom_ready.get(major, state.turn + 1) <= state.turn and not state.special_used >> (8 + major) & 1


def v_targets(state: BKState, major: int) -> list[int]:
    """Return the enemy areas with production within two spaces of an own area. [bg-7.5-v-weapons]"""
    near = within_v_range(state, major)
    return [s for s in near if is_hostile(state, major, s) and worth(state, s) > 0]


def special_offers(m: M, major: int) -> list[Offer]:
    state = m.state
    if not state.advanced or not state.advances[major] or not state.war[major] or state.exploiting:
        return []
    out: list[Offer] = []
    if has_advance(state, major, "v_weapons") and not state.special_used >> major & 1:
        spaces = ATLAS.names(v_targets(state, major))
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
        mine = [u for u in on_map(state, major, "aircraft") if state.nation[u] == major]
        units = [unit_id(u) for u in mine if why_not_fly(state, u) is None]
        if units:
            out.append(
                Offer(
                    DropAtom,
                    Field("unit", "unit", OneOf(units)),
                    Field("to", "space", lambda u: OneOf(ATLAS.names(bomb_targets(state, ATLAS.unit_of[u])))),
                    rule="bg-7.5-atom-carrier",
                )
            )
    return out


def take_special(m: M, major: int, action: Any) -> None:
    state = m.state
    to = ATLAS.space_of[action.to]
    if isinstance(action, DropAtom):
        unit = ATLAS.unit_of[action.unit]
        send(state, unit, to)
        mark(state, unit, MOVED | BOMBER | ATOM)
        state.special_used |= 1 << (8 + major)
        return
    state.special_used |= 1 << major
    if action.atom:
        # carried by a rocket the bomb cannot be intercepted
        state.special_used |= 1 << (8 + major)
        drop_atom(m, to, major)
        return
    die = m.roll(why="bg-7.5-v-weapons")
    hit = die <= LIMITS["v_weapon_strength"]
    m.emit(ev.Fired(unit="@v_weapons", strength=LIMITS["v_weapon_strength"], dice=(die,), hits=int(hit)))
    if hit:
        bomb(m, to, 1)
