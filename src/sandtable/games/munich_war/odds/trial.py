"""How the engine plays what the cards of this game tell: by the policy of `preview`, on what the role can see."""

from __future__ import annotations

from collections.abc import Hashable

from sandtable.core import Action, End, Event, Match, Role, Trial

from ..facts.board import air_at, enemy_at
from ..model.actions import Attack, Bomb, Done, Fight, Intercept, Support
from ..model.atlas import ATLAS, COUNTRY, SIDES
from ..model.events import Bombed, Fought, Intercepted, SpecialForces
from ..model.state import MunichState
from ..rules.air_phase import AirCombat, AirIntercept
from ..rules.combat_phase import Combat, CommitSupport
from ..rules.terror_phase import ChooseHit
from .preview import CLEARED, Rest, as_seen, choose, flown


def trial(match: Match[MunichState], role: Role, action: Action) -> Trial | None:
    """The battle, raid or interception that an action starts; None where it starts none."""
    if isinstance(action, (Attack, Support)):
        return _battle(match, role, action)
    if isinstance(action, Bomb):
        return _raid(match, role, action)
    return _interception(match, role, action) if isinstance(action, (Intercept, Fight)) else None


def _battle(match: Match[MunichState], role: Role, action: Attack | Support) -> Trial:
    side = SIDES.index(role)
    start = _alone(match, side, 2 if isinstance(action, Support) else 1)
    battle = start.state.battle
    target = battle.target if battle is not None else -1
    if isinstance(action, Attack):
        target = ATLAS.hex_number[action.target]

    def decide(at: Match[MunichState], asked: Role) -> Action | None:
        if isinstance(at.step, CommitSupport):
            return flown(at.play)
        return None if isinstance(at.step, (Rest, Combat)) else choose(at, asked)

    def end(at: Match[MunichState], notes: tuple[Hashable, ...]) -> End:
        emptied = not enemy_at(at.state, side, target)
        return End(str(notes[-1]), _lost(start, at), (("emptied", int(emptied)),), emptied)

    return Trial([(1.0, start)], role, action, decide, end, _note)


def _raid(match: Match[MunichState], role: Role, action: Bomb) -> Trial:
    start = _alone(match, SIDES.index(role), 1)

    def decide(at: Match[MunichState], asked: Role) -> Action | None:
        return next(iter(at.offers(asked))) if isinstance(at.step, ChooseHit) else None

    def end(at: Match[MunichState], notes: tuple[Hashable, ...]) -> End:
        return End(str(notes[-1]), _lost(start, at), (), notes[-1] == "terror.Terror")

    return Trial([(1.0, start)], role, action, decide, end, _note)


def _interception(match: Match[MunichState], role: Role, action: Intercept | Fight) -> Trial:
    """The fight over one hex; those over others count for nothing."""
    side, at = SIDES.index(role), ATLAS.hex_number[action.target]
    start = _alone(match, side, 1)
    unit = ATLAS.unit_number[action.unit] if isinstance(action, Intercept) else air_at(start.state, side, at)
    both = unit, air_at(start.state, 1 - side, at)
    before = start.state.steps

    def decide(now: Match[MunichState], asked: Role) -> Action | None:
        fight = Fight(action.target)
        if isinstance(now.step, AirIntercept):
            return Done()
        return fight if isinstance(now.step, AirCombat) and now.offers(asked).refuse(fight) is None else None

    def end(now: Match[MunichState], notes: tuple[Hashable, ...]) -> End:
        lost = tuple(
            (SIDES[who], before[plane] - now.state.steps[plane])
            for who, plane in zip((side, 1 - side), both, strict=True)
        )
        return End(str(notes[-1]), lost, (), notes[-1] in _GOOD)

    def note(event: Event) -> str | None:
        return _note(event) if isinstance(event, Intercepted) and event.at == action.target else None

    return Trial([(1.0, start)], role, action, decide, end, note)


_GOOD = tuple(f"interception.{result}" for result in ("DB", "DE", "DL", "ML"))


def _alone(match: Match[MunichState], side: int, steps: int) -> Match[MunichState]:
    """What the side can see, with nothing after the last steps."""
    start, _ = as_seen(match.play, side)
    start.state.stack = (Rest(side), *start.state.stack[-steps:])
    return start


def _lost(start: Match[MunichState], now: Match[MunichState]) -> tuple[tuple[str, int], ...]:
    """The steps that units of both sides have lost; a country counts for the side that it has joined."""
    lost = [0, 0]
    for before, after, country in zip(start.state.steps, now.state.steps, COUNTRY, strict=True):
        side = now.state.side[country]
        if before != after and side in (0, 1):
            lost[side] += before - after
    return tuple(zip(SIDES, lost, strict=True))


def _note(event: Event) -> str | None:
    if isinstance(event, Fought):
        return f"result.{event.result}"
    if isinstance(event, Bombed):
        return f"terror.{event.result}"
    if isinstance(event, Intercepted):
        return f"interception.{event.result}"
    return f"result.{CLEARED}" if isinstance(event, SpecialForces) and event.works else None
