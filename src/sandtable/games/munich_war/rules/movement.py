"""Land movement (chapter 8) under zones of control (10.3), mountains, entrenchments (19) and storms (20)."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Refusal
from sandtable.core.bits import bits, mask_of

from ..facts.board import board, foreign
from ..facts.politics import armies, side_of
from ..facts.reach import allowance, levels, path_to, price_of, reach
from ..model.atlas import ATLAS, COUNTRY, NOBODY, hex_name, names_of
from ..model.events import Moved
from ..model.state import LANDED, MOVED, M, MunichState, lay, mark
from .control import occupy
from .politics import invade_if_neutral, why_closed

_IS_MOBILE = tuple(unit.mobile for unit in ATLAS.units)


def may_move(m: M, unit: int) -> bool:
    """[mw-8.0-b] [mw-8.0-c] [mw-8.2-a] [mw-8.2-b] [mw-5.2-a] Whether a unit may start (or go on with) a move: a mobile
    unit of the phasing player on the map that has not ended one."""
    state = m.state
    return (
        not state.flags[unit] & MOVED
        and state.where[unit] >= 0
        and _IS_MOBILE[unit]
        and state.side[COUNTRY[unit]] == state.phasing != NOBODY
        and unit not in state.assaults
    )


def why_not_move_at_all(m: M, unit: int) -> Refusal | None:
    """Why a unit may not start (or go on with) a move."""
    if may_move(m, unit):
        return None
    face, state = ATLAS.units[unit], m.state
    if side_of(m.state, unit) == NOBODY:
        return Refusal("mw-5.2-a", "neutral-unit", unit=face.id)
    if side_of(m.state, unit) != state.phasing:
        return Refusal("mw-8.2-a", "not-your-unit", unit=face.id)
    if state.where[unit] < 0 or unit in state.assaults:
        return Refusal("mw-8.2-a", "not-on-map", unit=face.id)
    if not face.mobile:
        return Refusal("mw-8.0-c", "static-unit", unit=face.id)
    stopped = board(state).zoc[1 - state.phasing] >> state.where[unit] & 1 and not state.flags[unit] & LANDED
    if stopped:
        return Refusal("mw-10.3-a", "stopped-by-zoc", unit=face.id)
    return Refusal("mw-8.2-b", "has-moved", unit=face.id)


def movable(m: M, side: int) -> list[int]:
    """[mw-8.0-a] The units that may still move."""
    state = m.state
    where, flags, at_sea = state.where, state.flags, state.assaults
    found = [unit for unit in armies(state)[side] if where[unit] >= 0 and not flags[unit] & MOVED]
    return [unit for unit in found if unit not in at_sea] if at_sea else found


def costs(s: MunichState, unit: int) -> dict[int, str]:
    """What the way to each hex costs, in words."""
    return {at: _halves(cost) for cost, level in enumerate(levels(s, unit)) for at in bits(level)}


def _halves(cost: int) -> str:
    whole = cost // 2
    return (str(whole) if whole or not cost % 2 else "") + ("½" if cost % 2 else "")


def why_not_to(m: M, unit: int, at: int) -> Refusal | None:
    """The most telling reason why a unit cannot move to a hex."""
    face, state, known = ATLAS.units[unit], m.state, board(m.state)
    if reach(state, unit) >> at & 1:
        return None
    side = state.side[face.country]
    if not ATLAS.land >> at & 1:
        return Refusal("mw-8.0-d", "sea-hex", hex=hex_name(at))
    closed = why_closed(m, face.country, at)
    if closed is not None:
        return closed
    if known.occupied[1 - side] >> at & 1 or known.neutral >> at & 1:
        return Refusal("mw-8.2-d", "enemy-there", hex=hex_name(at))
    if at == state.where[unit]:
        return Refusal("mw-8.1-a", "already-there", hex=hex_name(at))
    if foreign(state, face.country) >> at & 1:
        return Refusal("mw-8.2-e", "other-nation", hex=hex_name(at))
    if ATLAS.mountains >> at & 1 and not face.alpine:
        return Refusal("mw-19.0-mountain", "mountain", hex=hex_name(at))
    if known.zoc[1 - side] >> state.where[unit] & 1:
        if state.moving == unit and state.spent:
            return Refusal("mw-10.3-a", "stopped-by-zoc", unit=face.id)
        if known.zoc[1 - side] >> at & 1 and ATLAS.neighbours(state.where[unit]) >> at & 1:
            return Refusal("mw-10.3-c", "zoc-to-zoc", hex=hex_name(at))
    return Refusal("mw-8.1-a", "too-far", unit=face.id, hex=hex_name(at))


def move(m: M, unit: int, at: int) -> list[int]:
    """Carry out a move; returns the path. The unit may go on while it has factors left and met no zone."""
    state = m.state
    side = side_of(m.state, unit)
    used = price_of(levels(state, unit), at)
    path = path_to(state, unit, at)
    if state.moving != unit:
        most = allowance(m.state, unit)
        finish_move(m)
        state.moving, state.spent, state.allowance = unit, 0, most
    invade_if_neutral(m, ATLAS.units[unit].country, at)
    lay(state, unit, at)
    occupy(m, side, mask_of(path[1:]))
    state.spent += used
    if board(m.state).zoc[1 - side] >> at & 1 or state.spent >= state.allowance:
        finish_move(m)
    return path


def finish_move(m: M) -> None:
    """The unit that was moving has ended its move."""
    state = m.state
    if state.moving != NOBODY:
        mark(state, state.moving, MOVED)
        state.moving, state.spent, state.allowance = NOBODY, 0, 0


def emit_move(m: M, unit: str, path: Sequence[int], how: str) -> None:
    """Put a move into the log."""
    m.emit(Moved(unit=unit, path=names_of(path), how=f"@how-{how}"))
