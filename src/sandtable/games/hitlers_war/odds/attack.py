"""What an attack may bring before it is named: every die of it, played to its end by the rules themselves.

All armies that are named against the same hex take part; attacks on other hexes are left aside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.core import Action, Match, Odds, Result, Step
from sandtable.core.columns import put
from sandtable.odds.walk import TooMany, walk

from ..model.actions import Attack, Done, Exploit, Invade
from ..model.atlas import ATLAS, SIDES
from ..model.state import INVASION, War, armies_of, in_play, role_of, total
from ..rules.advance import chance, droppable
from ..rules.attacks import attack_mode
from ..rules.attacks_phase import Announce
from ..rules.combat_phase import Attacks
from ..rules.control import who_defends
from ..rules.exploitation_phase import Exploitation
from .policy import choose

_MOST = 4_000
TAKEN, ENTERED, FAILED = "result.taken", "result.success", "result.failure"


class Rest(Step, frozen=True):
    """Stands below an attack that is played out, so that nothing happens after it."""

    side: int

    def roles(self, m: object) -> Sequence[str]:
        return (role_of(self.side),)


def shown_odds(match: Match[War], role: str, action: Action) -> Odds | None:
    """The whole of an attack, fire included; of anything else the next dice."""
    if isinstance(action, (Attack, Exploit, Invade)):
        return attack_odds(match, action)
    return match.preview(role, action)


def alone(match: Match[War], action: Attack | Exploit | Invade) -> Match[War]:
    """A copy of the match with this attack and nothing beside or after it."""
    target, start = ATLAS.index[action.target], match.clone()
    state = start.state
    state.stack = (
        Rest(state.side),
        *((state.stack[-1],) if isinstance(action, Exploit) else (Attacks(), state.stack[-1])),
    )
    if not isinstance(action, Exploit):
        for army in armies_of(state.side):
            if state.target[army] not in (-1, target):
                state.mode, state.target = put(state.mode, army, 0), put(state.target, army, -1)
    return start


def fight_on(at: Match[War], asked: str) -> Action | None:
    """What is done in an attack after it is named; None where it is over."""
    if isinstance(at.step, (Rest, Exploitation)):
        return None
    return Done() if isinstance(at.step, Announce) else choose(at, asked)


def attack_odds(match: Match[War], action: Attack | Exploit | Invade) -> Odds | None:
    """The chance that the hex is taken, fire and all; None where there are too many ways to look through.

    Into an own hex it is the chance of the advance.
    """
    target, army = ATLAS.index[action.target], ATLAS.army_index[action.army]
    start = alone(match, action)
    state, side = start.state, start.state.side
    own = state.owner[target] == side
    defender = who_defends(state, target)
    lost = losses_since(start, side, defender)

    def decide(at: Match[War], asked: str) -> Action | None:
        return action if at.number == start.number else fight_on(at, asked)

    rows: dict[tuple[str, int, int], float] = {}
    try:
        for p, end in walk(start, decide, most=_MOST):
            if own:
                key = (ENTERED if end.state.army_at[army] == target else FAILED, 0, 0)
            else:
                key = (TAKEN if end.state.owner[target] == side else FAILED, *lost(end))
            rows[key] = rows.get(key, 0.0) + p
    except TooMany:
        return None
    names = SIDES[side], SIDES[defender]
    results = [
        Result(p, name, {who: lost for who, lost in zip(names, losses, strict=True) if lost})
        for (name, *losses), p in sorted(rows.items(), key=lambda row: (row[0][0] == FAILED, row[0]))
    ]
    mode = INVASION if isinstance(action, Invade) else attack_mode(state, army, target)
    assert isinstance(mode, int)
    now = chance(state, army, target, droppable(state, army, mode), mode)
    success = sum(p for (name, *_), p in rows.items() if name != FAILED)
    if own:
        return Odds(
            "odds.advance", results, success, now.modifiers, {}, "", f"@{names[0]}", "aim.enter",
            f"basis.friendly?needed={now.needed}",
        )  # fmt: skip
    return Odds(
        "odds.attack", results, success, now.modifiers,
        {who: sum(one.probability * one.losses.get(who, 0) for one in results) for who in names}, "policy.attack",
        f"@{names[0]}", "aim.take", f"basis.drive?strength={now.strength}&against={now.against}&needed={now.needed}",
    )  # fmt: skip


def losses_since(start: Match[War], *sides: int) -> Callable[[Match[War]], tuple[int, int]]:
    """What both sides have lost since then."""
    before = [_points(start.state, side) for side in sides]

    def lost(now: Match[War]) -> tuple[int, int]:
        one, other = (then - _points(now.state, side) for then, side in zip(before, sides, strict=True))
        return one, other

    return lost


def _points(s: War, side: int) -> int:
    """Strength points of a side's armies, with the forts and home forces of its hexes."""
    walls = sum(number for place in (s.fort, s.home) for space, number in place.items() if s.owner[space] == side)
    return sum(total(s, army) for army in in_play(s, side)) + walls
