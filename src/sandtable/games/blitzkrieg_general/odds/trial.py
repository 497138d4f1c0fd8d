"""How the engine plays what the cards of this game tell: battles by the stated policy, research, coups."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import Any

from msgspec.structs import replace

from sandtable.core import Action, End, Event, Match, Odds, Role, Rolled, Step, Trial, Window
from sandtable.core.data import Pass
from sandtable.odds.walk import TooMany, outcomes, state_of

from ..model import actions as act
from ..model import events as ev
from ..model.atlas import ATLAS, SIDES, label
from ..model.state import BOMBING, LAND_BATTLE, Battle, BKState, strength
from ..rules.aftermath_phase import TakeOver
from ..rules.battle_phase import AskRetreat, CoastalHit, Fight, Withdrawal
from ..rules.chart import army, land_units, steps_left
from ..rules.combat_phase import Bombardment, start_battle
from ..rules.retreat import may_fly_off
from .ahead import carry_out, give_up, is_fighting, next_battle
from .policy import Stand, stand_in
from .shown import guesses

Known = Match[BKState]
_FIGHTING = (Fight, AskRetreat, Withdrawal, CoastalHit, TakeOver)
_MOST_DICE = 100
_WON = ("capture", "sunk", "given-up")


class Rest(Step, frozen=True):
    """Stands below a battle that is played out, so that nothing happens after it."""

    role: Role
    guess: int = 0
    """Which of several guesses of what is hidden this is."""

    def roles(self, m: object) -> Sequence[Role]:
        return (self.role,)


def trial(match: Known, role: Role, action: Action, card: Odds) -> Trial | None:
    """What the card is about: a battle from where it stands, a roll for research, a coup."""
    if card.title == "odds.research":
        return _research(match, role, action)
    if card.title == "odds.coup":
        return _coup(match, role, action)
    known = guesses(match, role)
    parts = [part for guess in known if (part := _BattleTrial.begin(guess, role, action))]
    if not parts:
        return None
    for number, part in enumerate(parts):
        part.start.state.stack = (Rest(role, number), *part.start.state.stack[1:])
        parts[0].names |= part.names
        parts[0].flyers |= part.flyers
    return parts[0].trial(parts, role, card)


class _BattleTrial:
    """A battle that the engine plays on from where the action leads."""

    def __init__(self, start: Known, role: Role, action: Action | None, space: int | None, base: Known) -> None:
        self.start, self.role, self.action, self.space = start, role, action, space
        battle = start.state.battle
        if space is not None and battle is None:
            battle = _opened(start, space)
        self.battle = battle
        units = ((), ()) if battle is None else (army(battle, 0), army(battle, 1))
        self.sides = tuple(list(side) for side in units)
        self.names = {label(unit): side for side, row in enumerate(self.sides) for unit in row}
        self.flyers = {label(unit): side for side, row in enumerate(self.sides) for unit in row if ATLAS.is_air[unit]}
        self.others = [[unit for unit in row if not ATLAS.is_air[unit]] for row in self.sides]
        self.before = [_steps(base.state, row) for row in self.others]

    @classmethod
    def begin(cls, match: Known, role: Role, action: Action) -> _BattleTrial | None:
        """The match up to the battle; None where the action leads to none."""
        start = match.clone()
        if is_fighting(match.play):
            start.state.stack = _above(start, role)
            return cls(start, role, action, None, match)
        if isinstance(action, act.Attack):
            start.state.stack = (Rest(role),)
            return cls(start, role, None, ATLAS.space_of[action.space], match)
        try:
            ends = outcomes(match, lambda twin: carry_out(twin.play, role, action), most=_MOST_DICE)
        except TooMany:
            return None
        if len(ends) != 1:
            return None
        twin = ends[0][1]
        space = None if twin.state.battle is not None else next_battle(twin.play, action)
        if twin.state.battle is None and space is None:
            return None
        twin.state.stack = (Rest(role),) if space is not None else _above(twin, role)
        return cls(twin, role, None, space, match)

    def trial(self, parts: Sequence[_BattleTrial], role: Role, card: Odds) -> Trial:
        """The battle by every guess of what is hidden."""
        stand, one_round = stand_in(card.policy), card.policy.endswith("one-round")
        battle, step = self.start.state.battle, self.start.step
        after = isinstance(step, Fight) and step.stage == "after"
        after = after or any(isinstance(one, AskRetreat) for one in self.start.state.stack)
        first = battle.round + after if battle is not None else 1

        def decide(now: Known, asked: Role) -> Action | None:
            battle = now.state.battle
            if battle is None or isinstance(now.step, (Rest, TakeOver)):
                return None
            if one_round and battle.round + isinstance(now.step, AskRetreat) > first:
                return None
            return choose(now, asked, battle, stand)

        def end(now: Known, notes: tuple[Hashable, ...]) -> End:
            below = now.state.stack[0]
            assert isinstance(below, Rest)
            part = parts[below.guess]
            lost = [then - _steps(now.state, row) for then, row in zip(part.before, part.others, strict=True)]
            for note in notes:  # who finds no base after the battle is not lost in it
                if isinstance(note, tuple) and note[0] == "hit":
                    lost[note[1]] += 1
            bombs = sum(
                note[1] for die, note in pairwise(notes) if die == "dropped" and isinstance(note, tuple)
            )  # fmt: skip
            name = "hits" if one_round else part._name(now, notes)
            won = lost[1] > lost[0] if one_round else name in _WON or bombs > 0
            return End(
                f"result.{name}", (("attacker", lost[0]), ("defender", lost[1])), (("bombs", bombs),), won
            )  # fmt: skip

        starts = [(1 / len(parts), part.start) for part in parts]
        return Trial(
            starts, role, self.action, decide, end, self._note, self._open if self.action is None else None, _fold
        )

    def _open(self, match: Known) -> None:
        if self.space is not None:
            start_battle(match.play, self.space)
        else:
            match.play.replace(match.step)
        match.play.settle()

    def _note(self, what: Event | Action) -> Hashable | None:
        if isinstance(what, act.Retreat) and what.what in ("retreat", "break-off"):
            return what.what
        if isinstance(what, ev.Hit) and what.unit in self.flyers:
            return "hit", self.flyers[what.unit]
        if isinstance(what, (ev.Retreated, ev.Lost)) and what.unit in self.names:
            return "left", self.names[what.unit]
        if isinstance(what, ev.BattleEnded):
            return "ended", what.side
        if isinstance(what, ev.Searched) and not what.found:
            return ("missed",)
        if self.battle is not None and self.battle.kind == BOMBING:
            if isinstance(what, Rolled) and what.why == "bg-6.5.6-hit":
                return "dropped"  # bombs on the target, as told next; others fire at fighters
            return ("fired", what.hits) if isinstance(what, ev.Fired) else None
        return None

    def _name(self, now: Known, notes: tuple[Hashable, ...]) -> str:
        """How the battle ended, from what is left and from who has gone."""
        battle, state = self.battle, now.state
        told = [note for note in notes if isinstance(note, tuple)]
        if battle is None or not any(note[0] == "ended" for note in told):
            return "not-found" if ("missed",) in told else "empty"
        if "break-off" in notes:
            return "parted"
        step = self.start.step
        if isinstance(step, Withdrawal):
            return "stalemate" if step.forced else ("withdrawn", "given-up")[step.side]
        winners, ours_won = {note[1] for note in told if note[0] == "ended"}, f"@{SIDES[self.start.state.phasing]}"
        if "retreat" in notes:
            return "given-up" if ours_won in winners else "withdrawn"
        away: list[int] = []
        if isinstance(self.action, act.Retreat) and self.action.what == "air" and isinstance(step, AskRetreat):
            away = may_fly_off(self.start.state, step.side)
        ours, theirs = ([u for u in row if state.place[u] >= 0 and u not in away] for row in self.sides)
        if battle.kind == BOMBING:
            return "raid" if ours else "repulse"
        land = battle.kind == LAND_BATTLE
        if land and ("left", 0) in told:
            return "stalemate"
        if land:
            if land_units(ours) and not land_units(theirs):
                return "capture"
            return "repulse" if theirs else "ruin"
        if "" in winners:
            return "parted" if battle.limited else "stalemate"
        return "sunk" if ours and ours_won in winners else "repulse"


def choose(now: Known, asked: Role, battle: Battle, stand: Stand) -> Action:
    """The policy: nobody plays a card or dives, hits go where they cost least, a side leaves below its share."""
    state, step = now.state, now.step
    if isinstance(step, Window):
        return Pass()
    if (hit := give_up(now, asked)) is not None:
        return hit
    if isinstance(step, Fight):
        return act.Dive(False) if step.stage == "dive" else act.Ready()
    if isinstance(step, AskRetreat):
        power = [sum(strength(state, u) for u in army(battle, side)) for side in (0, 1)]
        share = stand.attacker if step.side == 0 else stand.defender
        leaves = power[step.side] < share * power[1 - step.side] and "retreat" in step.choices(now.play)
        return act.Retreat("retreat" if leaves else "fight")
    return next(iter(now.offers(asked)))


def _above(match: Known, role: Role) -> tuple[Step, ...]:
    """The steps of the battle that is being fought, with nothing after it."""
    stack: tuple[Any, ...] = match.state.stack
    first = next(place for place, step in enumerate(stack) if isinstance(step, _FIGHTING))
    return Rest(role), *stack[first:]


def _opened(match: Known, space: int) -> Battle | None:
    """The battle of a space as it begins, if a search finds the enemy."""

    def begin(twin: Known) -> None:
        start_battle(twin.play, space)
        if isinstance(twin.step, Bombardment):
            twin.step.run(twin.play)

    ends = outcomes(match, begin, most=_MOST_DICE)
    found = [twin for _, twin in ends if isinstance(twin.step, Fight)]
    return found[0].state.battle if found else None


def _steps(state: BKState, units: Sequence[int]) -> int:
    return sum(steps_left(state, unit) for unit in units if state.place[unit] >= 0)


def _fold(match: Known) -> Hashable:
    """All rounds after the second are alike."""
    battle = match.state.battle
    if battle is None or battle.round <= 2:
        return state_of(match)
    match.state.battle = replace(battle, round=2)
    try:
        return state_of(match)
    finally:
        match.state.battle = battle


# ---- single rolls
def _research(match: Known, role: Role, action: Action) -> Trial:
    def end(won: Hashable) -> End:
        return End("result.advance" if won else "result.no-advance", success=bool(won))

    return _roll(match, role, action, lambda e: e.success if isinstance(e, ev.ResearchRolled) else None, end)


def _coup(match: Known, role: Role, action: Action) -> Trial:
    return _roll(match, role, action, lambda e: e.result if isinstance(e, ev.CoupRolled) else None,
                 lambda noted: End(str(noted), success=noted == "@coup-success"))  # fmt: skip


def _roll(
    match: Known, role: Role, action: Action, note: Callable[[Any], Hashable | None], end: Callable[[Hashable], End]
) -> Trial:
    """One roll, and what was noted of it; at windows nobody cuts in."""

    def decide(now: Known, asked: Role) -> Action | None:
        return Pass() if isinstance(now.step, Window) else None

    return Trial([(1.0, match)], role, action, decide, lambda now, notes: end(notes[0]), note)
