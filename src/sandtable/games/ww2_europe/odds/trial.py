"""How the engine plays what the cards of this game tell: battles and raids to their end, by the policy of the sums."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from msgspec.structs import replace

from sandtable.core import Action, End, Event, Match, Odds, Role, Rolled, Step, Trial
from sandtable.odds.walk import outcomes, state_of

from ..facts.control import control_side
from ..facts.landings import fighters_in, land_battles
from ..facts.names import unit_of
from ..facts.whereabouts import cargo
from ..model.actions import Abort, ChooseBattle, Done, Fight, Fly, March, Raid, Retreat
from ..model.atlas import ATLAS, SIDES
from ..model.events import BattleEnded
from ..model.kinds import GROUND
from ..model.state import W2State
from ..rules.battle_phase import Battle
from ..rules.blitz_phase import Blitz
from ..rules.combat_phase import LandStage
from ..rules.homecoming_phase import Diverted
from ..rules.landings import landing_ships
from ..rules.strategic import raid_number
from ..rules.strategic_phase import RaidFight
from ..rules.units import loaded
from .ahead import carry_out, found_name, give_up
from .preview import ROUND_POLICY, battle_of

A = ATLAS
K = ATLAS.kinds
_MOST_DICE = 300
_WON = ("result.capture", "result.sunk", "result.given-up")


class Rest(Step, frozen=True):
    """Stands below a battle that is played out, so that nothing happens after it."""

    role: Role
    name: str = ""
    """How it ended where no battle began."""

    def roles(self, m: object) -> Sequence[Role]:
        return (self.role,)


def trial(match: Match[W2State], role: Role, action: Action, card: Odds) -> Trial | None:
    """The battle or raid that the card is about."""
    start = match.clone()
    step = start.step
    if isinstance(step, (Battle, RaidFight)):
        start.state.stack = (Rest(role), step)
        if isinstance(step, RaidFight):
            return _raid(start, role, action, step)
        return _battle(start, role, action, step.space, step.attacker, _Forces(start, step), card)
    if isinstance(action, ChooseBattle) and isinstance(step, LandStage):
        space = A.index[action.space]
        start.state.stack = (Rest(role), _only(start, space, step.blitz))
        return _battle(start, role, action, space, land_battles(start.state)[space], None, card)
    if isinstance(action, (March, Fly)) and battle_of(match.play, role, action) is not None:
        return _march(start, role, action, card)
    if isinstance(action, Raid):
        at_convoy = action.target.startswith("convoy ")
        target = int(action.target.split()[1]) if at_convoy else A.index[action.target]
        fight = RaidFight(A.side[A.power_index[role]], at_convoy, target)
        start.state.stack = (Rest(role), step)  # the last who could move must not let the raids begin
        start.apply(role, action)
        start.state.stack = (Rest(role), fight)
        return _raid(start, role, None, fight)
    return _ahead(match, role, action, card)


def _march(start: Match[W2State], role: Role, action: March | Fly, card: Odds) -> Trial:
    """The battle where a unit marches or flies to, as it would stand if nobody else moved any more."""
    space, side, step = A.index[action.path[-1]], A.side[A.power_index[role]], start.step
    enters = isinstance(action, March) and control_side(start.state, space) == 1 - side
    attacker = side if enters else land_battles(start.state)[space]
    both = [list(units) for units in fighters_in(start.state, space)]
    both[side].append(unit_of(start.state, action.unit))
    forces = _Forces(start, Battle(space, attacker, False, tuple(both[attacker]), tuple(both[1 - attacker])))
    start.state.stack = (Rest(role), _only(start, space, isinstance(step, Blitz)), step)

    def fight(twin: Match[W2State]) -> None:
        if isinstance(twin.step, type(step)):  # the last who could move lets the battle begin
            twin.state.stack = twin.state.stack[:2]
            _run(twin)

    return _battle(start, role, action, space, attacker, forces, card)._replace(after=fight)


def _ahead(match: Match[W2State], role: Role, action: Action, card: Odds) -> Trial | None:
    """The first battle or raid that the action leads to, after every fall of the dice before it."""
    ends = outcomes(match, lambda twin: carry_out(twin.play, role, action), most=_MOST_DICE)
    fights = [twin.step for _, twin in ends if isinstance(twin.step, (Battle, RaidFight))]
    if not fights:
        return None
    first = fights[0]
    starts = []
    for chance, twin in ends:
        step = twin.step
        on = isinstance(step, Battle) and isinstance(first, Battle) and step.space == first.space
        on = on or (isinstance(step, RaidFight) and isinstance(first, RaidFight))
        below = Rest(role, "" if on else f"result.{found_name(twin.step)}")
        twin.state.stack = (below, twin.step) if on else (below,)
        starts.append((chance, twin))
    if isinstance(first, RaidFight):
        return _raid(starts[0][1], role, None, first) if len(starts) == 1 else None
    return _battle(match, role, None, first.space, first.attacker, _Forces(match, first), card, starts)


class _Forces:
    """Both sides of a battle, and what they were worth."""

    def __init__(self, match: Match[W2State], battle: Battle) -> None:
        m = match.play
        self.units = [*battle.att], [*battle.dfn]
        if battle.sea:
            self.units = tuple([u for unit in row for u in loaded(m.state, unit)] for row in self.units)  # type: ignore[assignment]
        else:
            fleet = battle.ships or landing_ships(m, battle.space, battle.attacker)
            self.units[0].extend(u for ship in fleet for u in (ship, *cargo(m.state, ship)) if u not in battle.att)
        self.worth = [self.sum(match, side, battle.doomed) for side in (0, 1)]

    def sum(self, match: Match[W2State], side: int, doomed: Sequence[int] = ()) -> int:
        state = match.state
        gone = {u for unit in doomed for u in loaded(state, unit)}
        return sum(K.cost[state.kind[u]] for u in self.units[side] if state.space[u] != -1 and u not in gone)


def _battle(
    start: Match[W2State], role: Role, action: Action | None, space: int, attacker: int, forces: _Forces | None,
    card: Odds, starts: Sequence[tuple[float, Match[W2State]]] = (),
) -> Trial:  # fmt: skip
    """A battle to its end, nobody retreating; or one round of it."""
    if forces is None:
        both = fighters_in(start.state, space)
        forces = _Forces(start, Battle(space, attacker, False, tuple(both[attacker]), tuple(both[1 - attacker])))
    sides, one_round = forces, card.policy == ROUND_POLICY
    step = start.step
    first = step.round + (not step.phase.startswith("abort")) if isinstance(step, Battle) else 1

    def decide(now: Match[W2State], asked: Role) -> Action | None:
        if one_round and isinstance(now.step, Battle) and (now.step.round > first or "retreat" in now.step.phase):
            return None
        return policy(now, asked)

    def end(now: Match[W2State], notes: tuple[Hashable, ...]) -> End:
        step = now.step
        if isinstance(step, Rest) and step.name:
            return End(step.name)
        doomed = step.doomed if isinstance(step, Battle) else ()
        lost = [sides.worth[side] - sides.sum(now, side, doomed) for side in (0, 1)]
        losses = tuple(zip((SIDES[attacker], SIDES[1 - attacker]), lost, strict=True))
        if one_round:
            name = "ahead" if lost[1] > lost[0] else "behind" if lost[1] < lost[0] else "level"
            return End(f"result.{name}", losses, success=name == "ahead")
        name = f"result.{_name(now.state, SIDES[attacker] in notes)}"
        return End(name, losses, success=name in _WON)

    def note(event: Event) -> Hashable | None:
        return event.winner.removeprefix("@") if isinstance(event, BattleEnded) else None

    def _name(state: W2State, won: bool) -> str:
        if isinstance(action, Retreat):
            return "withdrawn" if step.phase == "retreat-a" else "given-up"  # type: ignore[attr-defined]
        away = {unit_of(start.state, name) for name in action.units} if isinstance(action, Abort) else set()
        ours, theirs = ([u for u in units if state.space[u] != -1 and u not in away] for units in sides.units)
        if theirs:
            return "given-up" if won else "repulse"
        if not A.is_land[space]:
            return "sunk" if ours else "ruin"
        return "capture" if any(K.cls[state.kind[u]] == GROUND and state.space[u] == space for u in ours) else "ruin"

    return Trial(
        starts or [(1.0, start)], role, action, decide, end, note, _run if action is None else None, _fold
    )  # fmt: skip


def _raid(start: Match[W2State], role: Role, action: Action | None, fight: RaidFight) -> Trial:
    """A raid to its end: the hits of bombers or submarines, and what both sides lose."""
    bombers = fight.bombers(start.play)
    needed = {unit: raid_number(start.play, unit, fight.at_convoy) for unit in bombers}
    before = _worth(start)

    def note(event: Event) -> Hashable | None:
        return event.value if isinstance(event, Rolled) and event.why == "w2e-stage1-bomb" else None

    def end(now: Match[W2State], notes: tuple[Hashable, ...]) -> End:
        alive = bombers if fight.at_convoy else [u for u in bombers if now.state.space[u] != -1]
        hits = sum(isinstance(die, int) and die <= needed[unit] for unit, die in zip(alive, notes, strict=False))
        losses = tuple((side, then - left) for side, then, left in zip(SIDES, before, _worth(now), strict=True))
        return End("result.success" if hits else "result.failure", losses, (("hits", hits),), hits > 0)

    return Trial([(1.0, start)], role, action, policy, end, note, _run if action is None else None)


def _worth(match: Match[W2State]) -> tuple[int, int]:
    """What both sides have."""
    state = match.state
    worth = [0, 0]
    for unit, space in enumerate(state.space):
        if space != -1:
            worth[A.side[state.power[unit]]] += K.cost[state.kind[unit]]
    return worth[0], worth[1]


def policy(now: Match[W2State], asked: Role) -> Action | None:
    """What the sums think everybody does: nobody turns back, and whoever loses gives up what is worth least."""
    step = now.step
    if isinstance(step, Diverted):
        return next(iter(now.offers(asked)))  # any base will do
    if not isinstance(step, (Battle, RaidFight)):
        return None
    offers = now.offers(asked)
    for quiet in (Fight, Done):
        if offers[quiet]:
            return quiet()

    return give_up(now, asked)


def _only(match: Match[W2State], space: int, blitz: bool) -> LandStage:
    """The land battles of a turn with this one alone."""
    return LandStage(blitz, tuple(other for other in land_battles(match.state) if other != space), True)


def _run(match: Match[W2State]) -> None:
    """Let the step on top go on from where it stands."""
    match.play.replace(match.step)
    match.play.settle()


def _fold(match: Match[W2State]) -> Hashable:
    """A round is like another after all have joined that come late."""
    step = match.step
    if not isinstance(step, Battle):
        return state_of(match)
    last = max((2, *(when + 1 for _, when in step.arrive)))
    if step.round <= last:
        return state_of(match)
    stack = match.state.stack
    match.state.stack = (*stack[:-1], replace(step, round=last))
    try:
        return state_of(match)
    finally:
        match.state.stack = stack
