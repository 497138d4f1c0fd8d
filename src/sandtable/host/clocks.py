"""Clocks: what a move, a move taken back and a return do to the time of each role.

A clock tells no more than the table does. Where everybody sees who has moved, that role's clock stops. At a window,
where nobody may know who answered, the clocks of all who are waited for are treated alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core.data import HOUSEKEEPING

from .log import gone
from .records import Hands, MatchRow, MoveRow

NOBODY: Mapping[str, float] = {}
RETURN_SECONDS = 30.0
"""What a player has at least who comes back after their budget was spent."""
_OUTSIDE = frozenset(str(kind.__struct_config__.tag) for kind in HOUSEKEEPING)


class _Verb(msgspec.Struct):
    do: str


def is_outside(move: MoveRow) -> bool:
    """Whether a move is none of the game's: taking back, standing orders, resigning, a draw."""
    return msgspec.json.decode(move.action, type=_Verb).do in _OUTSIDE


def is_mover_known(move: MoveRow, after: Sequence[str]) -> bool:
    """Whether everybody could see at the table who made a move; `after` is who was waited for after it."""
    before = move.waiting
    if before is None:
        return False
    others = [role for role in before if role != move.role]
    return not others or (move.role in before and move.role not in after and all(role in after for role in others))


def after_move(row: MatchRow, hands: Hands, move: MoveRow, away: Mapping[str, float] = NOBODY) -> Hands:
    """Return the clocks after a move; `row` is the match after it. Housekeeping leaves them alone.

    `away` says until when the players of some roles are on vacation: their clocks start when they are back.
    """
    rule = row.clock
    if not rule:
        return {}
    if row.outcome is not None:
        return {role: (left, None) for role, (left, _) in hands.items()}
    if is_outside(move):
        return hands
    answered = {move.role} if is_mover_known(move, row.asked) else set(move.waiting or ())
    found = {}
    for role, (left, since) in hands.items():
        has_answered = role in answered or role not in row.asked
        if since is not None and has_answered:
            left = max(0.0, left - max(0.0, move.at - since)) + float(rule.get("increment", 0))
        if rule["kind"] == "move" and has_answered:
            left = float(rule["seconds"])
        started = since if since is not None and not has_answered else max(move.at, away.get(role, 0.0))
        found[role] = (left, started if role in row.asked else None)
    return found


def after_undo(
    row: MatchRow, hands: Hands, move: MoveRow, log: Sequence[MoveRow], away: Mapping[str, float] = NOBODY
) -> Hands:
    """Return the clocks after a move was taken back, as if it had never been made; `log` is what came before."""
    rule = row.clock
    if not rule:
        return {}
    taken = next((one for one in log if one.number == move.takes_back), None)
    found = dict(hands)
    for role, (left, since) in hands.items():
        if role == move.role and taken is not None:
            if rule["kind"] == "move":
                left = float(rule["seconds"]) - (taken.at - _decision_began(row, log, taken))
            elif not is_outside(taken):
                left -= float(rule.get("increment", 0))
            found[role] = (max(0.0, left), taken.at if role in row.asked else None)
        elif role not in row.asked:
            found[role] = (left, None)
        elif since is None:
            found[role] = (left, max(move.at, away.get(role, 0.0)))
    return found


def _decision_began(row: MatchRow, log: Sequence[MoveRow], taken: MoveRow) -> float:
    """Return when the decision was put to the role: at the last move before it that counts."""
    left_out = gone(log)
    for one in reversed(log):
        counts = one.number < taken.number and one.number not in left_out and not is_outside(one)
        if counts and (one.role == taken.role or taken.role not in one.asked):
            return one.at
    return row.created


def after_return(row: MatchRow, hands: Hands, roles: Sequence[str], now: float) -> Hands:
    """Return the clocks when the player of these roles comes back after a missed deadline."""
    rule: Mapping[str, Any] | None = row.clock
    if not rule:
        return {}
    found = dict(hands)
    for role in roles:
        left, since = hands[role]
        least = float(rule["seconds"]) if rule["kind"] == "move" else max(RETURN_SECONDS, float(rule["increment"]))
        rest = left if since is None else left - max(0.0, now - since)
        if rest < least:
            found[role] = (least, None if since is None else now)
    return found
