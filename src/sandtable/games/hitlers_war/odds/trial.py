"""How the engine plays what the cards of this game tell: attacks by the policy, single fires, battles of fleets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from sandtable.core import Action, End, Event, Match, Role, Trial

from ..model.actions import (
    Advance,
    Assault,
    Attack,
    Bomb,
    Chase,
    CoastalAir,
    DefensiveAssault,
    Drop,
    Exploit,
    Fight,
    Intercept,
    Invade,
    Launch,
    Lose,
    Meet,
    NavalFire,
    Partisans,
    Shell,
    ShellCoast,
    SupportFire,
    Test,
)
from ..model.atlas import ATLAS, SIDES
from ..model.events import Advanced, BattleWon, Chased, Fired, Partisan, PointLost, Repulsed, Researched, ShipsLost
from ..model.fleets import INDEX, SIDE_OF
from ..model.state import War, side_of
from ..rules.control import who_defends
from ..rules.losses import Losses
from ..rules.naval.battle import CAPITAL, ShipLosses
from ..rules.naval.interception import supporters
from .attack import ENTERED, FAILED, TAKEN, Rest, alone, fight_on, losses_since
from .policy import choose

_FIRES = (Assault, DefensiveAssault, NavalFire, SupportFire, CoastalAir, Drop, Shell, ShellCoast)
_FLEETS = (Fight, Meet, Intercept, Chase)


def trial(match: Match[War], role: Role, action: Action) -> Trial | None:
    """What an action with a card starts; None where it starts nothing."""
    if isinstance(action, (Attack, Exploit, Invade)):
        return _attack(match, role, action)
    start = match.clone()
    start.state.stack = (Rest(start.state.side), start.state.stack[-1])
    if isinstance(action, _FIRES):
        return _fire(start, role, action)
    if isinstance(action, (Bomb, Launch)):
        return _hits(start, role, action)
    if isinstance(action, _FLEETS):
        return _at_sea(start, role, action)
    if isinstance(action, Advance):
        return _roll(start, role, action, _advanced)
    if isinstance(action, Partisans):
        return _roll(start, role, action, lambda e: e.won if isinstance(e, Partisan) else None)
    if not isinstance(action, Test):
        return None
    return Trial(
        [(1.0, start)], role, action, _stop, lambda now, notes: End(f"result.{notes[0]}", success=notes[0] == "A"),
        lambda event: event.result if isinstance(event, Researched) else None,
    )  # fmt: skip


def _stop(now: Match[War], asked: Role) -> Action | None:
    return None


def _attack(match: Match[War], role: Role, action: Attack | Exploit | Invade) -> Trial:
    """The whole attack by the policy; on an own hex there is only the advance."""
    start, target = alone(match, action), ATLAS.index[action.target]
    side = start.state.side
    defender = who_defends(start.state, target)
    own = start.state.owner[target] == side
    army, lost = ATLAS.army_index[action.army], losses_since(start, side, defender)

    def end(now: Match[War], notes: tuple[Hashable, ...]) -> End:
        if own:
            entered = now.state.army_at[army] == target
            return End(ENTERED if entered else FAILED, success=entered)
        taken = now.state.owner[target] == side
        losses = tuple(zip((SIDES[side], SIDES[defender]), lost(now), strict=True))
        return End(TAKEN if taken else FAILED, losses, success=taken)

    return Trial([(1.0, start)], role, action, fight_on, end)


def _advanced(event: Event) -> bool | None:
    return isinstance(event, Advanced) if isinstance(event, (Advanced, Repulsed)) else None


def _roll(start: Match[War], role: Role, action: Action, note) -> Trial:  # type: ignore[no-untyped-def]
    def end(now: Match[War], notes: tuple[Hashable, ...]) -> End:
        return End("result.success" if notes[0] else "result.failure", success=bool(notes[0]))

    return Trial([(1.0, start)], role, action, _stop, end, note)


def _fire(start: Match[War], role: Role, action: Action) -> Trial:
    """Every point that is lost, by its owner."""

    def decide(now: Match[War], asked: Role) -> Action | None:
        return choose(now, asked) if isinstance(now.step, Losses) else None

    def note(event: Event) -> str | None:
        if not isinstance(event, PointLost):
            return None
        army = ATLAS.army_index.get(event.unit, -1)
        return SIDES[side_of(army) if army >= 0 else who_defends(start.state, ATLAS.index[event.unit])]

    def end(now: Match[War], notes: tuple[Hashable, ...]) -> End:
        losses = Counter(str(side) for side in notes)
        return End("result.hits", tuple(sorted(losses.items())), success=bool(notes))

    return Trial([(1.0, start)], role, action, decide, end, note)


def _hits(start: Match[War], role: Role, action: Bomb | Launch) -> Trial:
    """The hits of bombers or missiles, before anybody says what they fall on."""
    by = "@bombers" if isinstance(action, Bomb) else "@missiles"

    def end(now: Match[War], notes: tuple[Hashable, ...]) -> End:
        hits = sum(n for n in notes if isinstance(n, int))
        return End("result.hits", ((action.against, hits),), success=hits > 0)

    return Trial(
        [(1.0, start)], role, action, _stop, end,
        lambda event: event.losses if isinstance(event, Fired) and event.by == by else None,
    )  # fmt: skip


def _at_sea(start: Match[War], role: Role, action: Fight | Meet | Intercept | Chase) -> Trial:
    """One battle of fleets to its end. Carriers are given up before capital ships."""
    if isinstance(action, Meet):
        attacker, defender = start.step.fleet, INDEX[action.fleet]  # type: ignore[attr-defined]
    else:
        attacker = INDEX[action.fleet]
        if isinstance(action, Fight):
            defender = INDEX[action.foe]
        elif isinstance(action, Chase):
            defender = INDEX[action.raider]
        else:
            defender = supporters(start.state, ATLAS.army_index[action.army])[0]
    sides = {fleet: SIDES[SIDE_OF[fleet]] for fleet in (attacker, defender)}

    def decide(now: Match[War], asked: Role) -> Action | None:
        if not isinstance(now.step, ShipLosses):
            return None
        return max((a for a in now.offers(asked) if isinstance(a, Lose)), key=lambda lose: lose.kind != CAPITAL)

    def note(event: Event) -> Hashable | None:
        if isinstance(event, ShipsLost) and INDEX[event.fleet] in sides:
            return INDEX[event.fleet], event.number
        if isinstance(event, BattleWon):
            return "won", INDEX[event.fleet]
        return "missed" if isinstance(event, Chased) and not event.found else None

    def end(now: Match[War], notes: tuple[Hashable, ...]) -> End:
        if "missed" in notes:
            return End("result.not-found")
        lost = {fleet: sum(n[1] for n in notes if isinstance(n, tuple) and n[0] == fleet) for fleet in sides}
        stays = ("won", attacker) in notes
        losses = tuple((sides[fleet], number) for fleet, number in lost.items())
        return End("result.stays" if stays else "result.driven-off", losses, success=stays)

    return Trial([(1.0, start)], role, action, decide, end, note)
