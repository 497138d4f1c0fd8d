"""What an action leads to: it is carried out on a copy of the match up to the next dice of a battle.

On the way nobody plays a card, no submarine dives, a hit of the coast falls on the cheapest unit, and whoever has to
choose anything else takes the first that is offered. The odds go on from there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Action, Match, Role, Window

from ..facts.attacks import left_open, pending_battles
from ..model.actions import Bomb, Done, Fly, March, React, Reserve, Support, TakeHit
from ..model.atlas import ATLAS, unit_id
from ..model.state import LAND_BATTLE, BKState, M, strength
from ..rules.aftermath_phase import TakeOver
from ..rules.battle_phase import STAGES, AskRetreat, CoastalHit, Fight, Withdrawal
from ..rules.cards.battle import Elite
from ..rules.chart import army, land_units, steps_left, targets
from ..rules.combat_phase import Combats, start_battle
from ..rules.fire import pending_aim

_MOST_STEPS = 1_000
ROUND, CHART, HITS, AFTER, ANSWER, STALEMATE, OVER = "round", "chart", "hits", "after", "answer", "stalemate", "over"
"""Where a battle stands: a round begins; everybody stands on the chart; hits are to be taken; a round is over and both
sides are asked whether they leave; only the defender still is; nobody can fire; it is over."""
_STAGES = {
    "dive": ROUND, "round": ROUND, "assign": CHART, "fire": CHART, "hits": HITS, "after": AFTER, "stalemate": STALEMATE,
}  # fmt: skip
COMING = (March, Fly, Support, Bomb, React, Reserve)
"""Who comes to a battle that is fought later: its odds tell how it would go if nobody else came."""
Price = tuple[bool, int, bool, int]


def cheapest(state: BKState, units: Sequence[int]) -> int:
    """The unit its owner gives the next hit: least fire lost; HQs, loaded convoys, who holds the land last."""
    return min(units, key=lambda unit: (holds_land(state, unit), price(state, unit)))


def give_up(now: Match[BKState], asked: Role) -> Action | None:
    """The unit that a role gives the next hit; None where it takes none."""
    state, step = now.state, now.step
    battle = state.battle
    if battle is None:
        return None
    if isinstance(step, CoastalHit):
        return TakeHit(unit_id(cheapest(state, battle.invaders)))
    if not isinstance(step, Fight) or step.stage != "hits":
        return None
    return TakeHit(unit_id(cheapest(state, targets(state, battle, step.side, pending_aim(battle, step.side)))))


def price(state: BKState, unit: int) -> Price:
    """What a hit on this unit costs its owner in fire, which is strength times dice: the least price is hit next."""
    whole = steps_left(state, unit) == 2
    lost = ATLAS.front[unit] - ATLAS.back[unit] if whole else strength(state, unit)
    return bool(ATLAS.is_hq[unit]) or unit in state.cargo, lost * ATLAS.shots[unit], not whole, unit


def holds_land(state: BKState, unit: int) -> bool:
    """Whether a side loses a land battle with this unit's last step: aircraft alone hold nothing. [bg-6.5.9-forced]"""
    battle = state.battle
    if battle is None or battle.kind != LAND_BATTLE or steps_left(state, unit) > 1:
        return False
    side = army(battle, 0 if unit in battle.attackers else 1)
    return land_units(side) == [unit]


def is_fighting(m: M) -> bool:
    """Whether a battle is being fought whose end is still open."""
    return m.state.battle is not None and not isinstance(m.step, TakeOver)


def standing(m: M) -> str:
    """Where the battle stands; empty when none has been begun or its opening still goes on."""
    battle, step = m.state.battle, m.step
    if battle is None:
        return ""
    if isinstance(step, Fight):
        opens = step.stage in ("open", "coast")
        return _STAGES.get(step.stage, "") if not opens else "" if battle.coastal and battle.invaders else ROUND
    if isinstance(step, AskRetreat):
        return ANSWER if step.side else AFTER
    return OVER if isinstance(step, TakeOver) else ""


def carry_out(m: M, role: Role, action: Action) -> None:
    """Carry the action out, and all that follows by itself up to the next dice of a battle."""
    m.step.take(m, role, action)
    _go_on(m)
    if isinstance(action, Done):
        _all_done(m)


def _all_done(m: M) -> None:
    """Where one battle is due, whoever is still asked before it says that they are done."""
    for _ in range(_MOST_STEPS if len(pending_battles(m.state)) == 1 else 0):
        step = m.step
        if m.state.battle is not None or isinstance(step, Combats):
            return
        role = next(iter(step.roles(m)), None)
        if role is None or not any(offer.act is Done for offer in step.offers(m, role)):
            return
        step.take(m, role, Done())
        _go_on(m)


def begin(m: M, space: int) -> None:
    """Open the battle of a space up to its first round."""
    start_battle(m, space)
    _go_on(m)


def next_battle(m: M, action: Action) -> int | None:
    """The space of the battle that begins now: the only one there is, or the one that the action was about."""
    if isinstance(action, COMING):
        space = ATLAS.space_of[action.to]
        return space if isinstance(action, (React, Reserve)) or space in pending_battles(m.state) else None
    if isinstance(m.step, Combats):
        spaces = pending_battles(m.state) or left_open(m.state)
        return spaces[0] if len(spaces) == 1 else None
    return None


def _go_on(m: M) -> None:
    state = m.state
    for _ in range(_MOST_STEPS):
        step = m.step
        if state.outcome is not None or standing(m) or isinstance(step, Combats):
            return
        if state.battle is not None and isinstance(step, Window):
            m.pop()
        elif isinstance(step, Fight):
            STAGES["coast"](m, step)
        else:
            step.run(m)
            if m.step is step and not _choose(m):
                return
    raise AssertionError("what follows from this action does not end")


def _choose(m: M) -> bool:
    """Answer for whoever is asked in the middle of a battle; False where a real decision is due."""
    step = m.step
    if not isinstance(step, (CoastalHit, Withdrawal, Elite)):
        return False
    role = step.roles(m)[0]
    if isinstance(step, CoastalHit):
        assert m.state.battle is not None
        step.take(m, role, TakeHit(unit_id(cheapest(m.state, m.state.battle.invaders))))
    else:
        first: Any = next(iter(step.offers(m, role)[0]))
        step.take(m, role, first)
    return True
