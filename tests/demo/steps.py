"""The sequence of play of the demonstration game: draw, plan together, move in turn, fight, count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import (
    Amounts,
    Field,
    Named,
    NamedBits,
    Names,
    Offer,
    OneOf,
    Pass,
    Play,
    Refusal,
    Step,
    Subsets,
    Walks,
    Where,
)
from sandtable.core.bits import mask_of
from sandtable.core.columns import put

from .board import CAPITALS, INDEX, NEIGHBOURS, POSTURES, ROLES, SPACES, TURNS, UNITS_PER_ROLE
from .state import (
    HIDDEN,
    NOWHERE,
    DemoState,
    Drew,
    EndMoves,
    Lose,
    Lost,
    Moved,
    Peek,
    Peeked,
    Plan,
    Planned,
    Pursue,
    Recruit,
    Regroup,
    Retreat,
    Walk,
)

M = Play[DemoState]
UNITS = tuple(f"{role}-{n}" for role in ROLES for n in range(1, UNITS_PER_ROLE + 1))
UNIT = {name: number for number, name in enumerate(UNITS)}
UNIT_NAMES, SPACE_NAMES = Names.of(UNITS), Names.of(SPACES)
UNITS_OF = {role: UNITS[i * UNITS_PER_ROLE : (i + 1) * UNITS_PER_ROLE] for i, role in enumerate(ROLES)}


def side(unit: int) -> int:
    return unit // UNITS_PER_ROLE


def units_at(m: M, place: int, role: int) -> list[int]:
    first = role * UNITS_PER_ROLE
    return [u for u in range(first, first + UNITS_PER_ROLE) if m.state.space[u] == place]


def sides_at(m: M, place: int) -> list[int]:
    return [role for role in range(3) if units_at(m, place, role)]


def is_crossable(m: M, a: int, b: int) -> bool:
    return b in NEIGHBOURS[a] and m.state.flooded not in ((a, b), (b, a))


# ---- the turn ---------------------------------------------------------------------------------------------------
class Turn(Step, frozen=True, tag="turn"):
    """Draw a card each, decide the postures together, then move and fight one after the other."""

    rule = "demo-turn"

    def run(self, m: M) -> None:
        state = m.state
        if state.turn > TURNS:
            held = [state.owner.count(role) for role in range(3)]
            best = [ROLES[role] for role in range(3) if held[role] == max(held)]
            m.end(best if len(best) == 1 else (), "crown" if len(best) == 1 else "draw", "demo-victory")
            return
        for role in range(3):
            if state.deck and len(state.hands[role]) < 3:
                deck = list(state.deck)
                card = m.draw(deck, why="demo-draw")
                state.deck, state.hands = tuple(deck), put(state.hands, role, (*state.hands[role], card))
                m.emit(Drew(role=ROLES[role], card=card, seen_by=(ROLES[role],)))
                m.emit(Drew(role=ROLES[role], card=HIDDEN, seen_by=tuple(r for r in ROLES if r != ROLES[role])))
        if m.option("floods"):
            die = m.roll(9, why="demo-flood")
            links = [(a, b) for a in range(7) for b in NEIGHBOURS[a] if a < b]
            state.flooded = links[die - 1]
        m.push(Planning(), *(Moves(role) for role in ROLES), NextTurn())


class NextTurn(Step, frozen=True, tag="next-turn"):
    rule = "demo-turn"

    def run(self, m: M) -> None:
        m.state.turn += 1
        m.state.gold = tuple([gold + m.state.owner.count(role) for role, gold in enumerate(m.state.gold)])
        m.pop()


class Planning(Step, frozen=True, tag="planning"):
    """Everybody chooses a posture at the same time; nobody sees another's before all have chosen."""

    rule = "demo-plan"
    chosen: tuple[str, ...] = ("", "", "")

    def roles(self, m: M) -> Sequence[str]:
        return [ROLES[i] for i in range(3) if not self.chosen[i]]

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Plan, Field("posture", "choice", OneOf(POSTURES)), rule="demo-plan")]

    def take(self, m: M, role: str, action: Any) -> None:
        i = ROLES.index(role)
        chosen = (*self.chosen[:i], action.posture, *self.chosen[i + 1 :])
        if all(chosen):
            m.state.posture = chosen
            m.reveal("demo-plan")
            m.emit(Planned(postures=chosen))
            m.pop()
        else:
            m.amend(Planning(chosen))

    def redact(self, role: str | None) -> Planning:
        return Planning(tuple(c if r == role or not c else HIDDEN for c, r in zip(self.chosen, ROLES, strict=True)))


# ---- movement ---------------------------------------------------------------------------------------------------
class Moves(Step, frozen=True, tag="moves"):
    """One role moves as it likes; then each shared province is a battle."""

    rule = "demo-move"
    role: str
    moved: tuple[int, ...] = ()
    fought: bool = False

    def run(self, m: M) -> None:
        if self.fought:
            battle = next((p for p in range(7) if len(sides_at(m, p)) > 1 and self.me in sides_at(m, p)), None)
            if battle is None:
                settle_owners(m)
                m.pop()
            else:
                enemy = next(s for s in sides_at(m, battle) if s != self.me)
                m.push(Battle(battle, self.me, enemy))

    @property
    def me(self) -> int:
        return ROLES.index(self.role)

    def roles(self, m: M) -> Sequence[str]:
        return [self.role]

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        state, me = m.state, self.me
        offers = [
            Offer(EndMoves, rule="demo-move"),
            Offer(Walk, lambda: self.walk_fields(m), rule="demo-move"),
            Offer(Regroup, lambda: self.regroup_fields(m), rule="demo-regroup"),
        ]
        if state.gold[me] > 0 and state.owner[CAPITALS[me]] == me:
            limits = {n: 2 - max(0, state.step[UNIT[n]]) for n in UNITS_OF[role]}
            offers.append(
                Offer(Recruit, Field("amounts", "amounts", Amounts(limits, 1, state.gold[me])), rule="demo-recruit")
            )
        if state.posture[me] == "scout" and "spy" in state.hands[me]:
            others = [r for r in ROLES if r != role and state.hands[ROLES.index(r)]]
            offers.append(Offer(Peek, Field("victim", "role", OneOf(others)), rule="demo-peek"))
        return offers

    def why_not_move(self, m: M, unit: int) -> Refusal | None:
        if side(unit) != self.me:
            return Refusal("demo-move", "demo-not-yours", unit=UNITS[unit])
        if m.state.space[unit] == NOWHERE:
            return Refusal("demo-move", "demo-not-on-map", unit=UNITS[unit])
        return Refusal("demo-move-once", unit=UNITS[unit]) if unit in self.moved else None

    def walk_fields(self, m: M) -> tuple[Field, ...] | Refusal:
        if m.state.posture[self.me] == "dig in":
            return Refusal("demo-plan", "demo-dug-in")
        mine = range(self.me * UNITS_PER_ROLE, (self.me + 1) * UNITS_PER_ROLE)

        def why_not(unit: int) -> Refusal | None:
            return self.why_not_move(m, unit)

        return (
            Field("unit", "unit", Named(mine, UNIT_NAMES, why_not, why_not)),
            Field("path", "path", lambda name: walk_from(m, UNIT[name])),
        )

    def regroup_fields(self, m: M) -> tuple[Field, ...] | Refusal:
        friends = [name for name in UNITS_OF[self.role] if self.why_not_move(m, UNIT[name]) is None]
        if not friends:
            return Refusal("demo-regroup", "demo-all-moved")
        own = mask_of(place for place, owner in enumerate(m.state.owner) if owner == self.me)
        return (
            Field("units", "units", Subsets(friends, 1, 2)),
            Field("to", "space", NamedBits(own, SPACE_NAMES, lambda at: Refusal("demo-regroup", place=SPACES[at]))),
        )

    def take(self, m: M, role: str, action: Any) -> None:
        state, me = m.state, self.me
        match action:
            case Walk(unit, path):
                m.amend(Moves(role, (*self.moved, UNIT[unit])))
                move(m, UNIT[unit], INDEX[path[-1]])
            case Regroup(units, to):
                m.amend(Moves(role, (*self.moved, *(UNIT[u] for u in units))))
                for unit in units:
                    move(m, UNIT[unit], INDEX[to])
            case Recruit(amounts):
                for unit, steps in amounts:
                    number = UNIT[unit]
                    if state.space[number] == NOWHERE:
                        state.space = put(state.space, number, CAPITALS[me])
                    state.step = put(state.step, number, state.step[number] + steps)
                    state.gold = put(state.gold, me, state.gold[me] - steps)
            case Peek(victim):
                whom = ROLES.index(victim)
                discard(state, me, "spy")
                card = state.hands[whom][m.roll(len(state.hands[whom]), why="demo-peek", seen_by=(role,)) - 1]
                m.reveal("demo-peek")
                m.emit(Peeked(role=role, victim=victim, card=card, seen_by=(role, victim)))
            case EndMoves():
                m.replace(Moves(role, self.moved, True))


def walk_from(m: M, unit: int) -> Walks:
    """Up to two provinces; one stops on entering a province that another role holds with units."""
    start = m.state.space[unit]

    def onward(so_far: tuple[str, ...]) -> Where:
        here = INDEX[so_far[-1]] if so_far else start
        if so_far and [s for s in sides_at(m, here) if s != side(unit)]:
            return Where((), lambda name: None)

        def rule(name: str) -> Refusal | None:
            if not is_crossable(m, here, INDEX[name]):
                return Refusal("demo-adjacent", here=SPACES[here], there=name)
            if name in so_far or INDEX[name] == start:
                return Refusal("demo-no-turning-back", there=name)
            return None

        return Where(SPACES, rule)

    return Walks(onward, most=2)


def discard(state: DemoState, role: int, card: str) -> None:
    """A card goes from a hand to the bottom of the deck."""
    hand = list(state.hands[role])
    hand.remove(card)
    state.hands, state.deck = put(state.hands, role, tuple(hand)), (card, *state.deck)


def move(m: M, unit: int, to: int) -> None:
    m.state.space = put(m.state.space, unit, to)
    m.emit(Moved(unit=UNITS[unit], to=SPACES[to]))


def settle_owners(m: M) -> None:
    for place in range(7):
        present = sides_at(m, place)
        if len(present) == 1:
            m.state.owner = put(m.state.owner, place, present[0])


# ---- battle -----------------------------------------------------------------------------------------------------
class Battle(Step, frozen=True, tag="battle"):
    """Cards first, then a die a side; the loser takes the difference in steps and retreats what is left."""

    rule = "demo-battle"
    place: int
    attacker: int
    defender: int
    bonus: tuple[int, int] = (0, 0)
    stage: str = "cards"

    def run(self, m: M) -> None:
        if self.stage == "cards":
            m.amend(Battle(self.place, self.attacker, self.defender, self.bonus, "dice"))
            if not m.window("before-battle", [ROLES[self.attacker], ROLES[self.defender]]):
                m.push(Pause())
        elif self.stage == "dice":
            a = m.roll(why="demo-battle") + len(units_at(m, self.place, self.attacker)) + self.bonus[0]
            d = m.roll(why="demo-battle") + len(units_at(m, self.place, self.defender)) + self.bonus[1]
            d += m.state.posture[self.defender] == "dig in"
            loser, winner = (self.defender, self.attacker) if a > d else (self.attacker, self.defender)
            steps = sum(m.state.step[u] for u in units_at(m, self.place, loser))
            m.replace(Losses(self.place, loser, winner, min(max(1, abs(a - d)), steps)))


class Pause(Step, frozen=True, tag="pause"):
    """Nothing: a step that runs through."""

    def run(self, m: M) -> None:
        m.pop()


class Losses(Step, frozen=True, tag="losses"):
    """The owner chooses who takes the steps; then the rest retreats unit by unit."""

    rule = "demo-losses"
    place: int
    loser: int
    winner: int
    steps: int

    def run(self, m: M) -> None:
        if self.steps == 0:
            m.replace(Retreats(self.place, self.loser, self.winner))

    def roles(self, m: M) -> Sequence[str]:
        return [ROLES[self.loser]]

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        here = [UNITS[u] for u in units_at(m, self.place, self.loser)]

        def too_many(chosen: tuple[str, ...]) -> Refusal | None:
            return Refusal("demo-losses", most=self.steps) if len(chosen) > self.steps else None

        return [Offer(Lose, Field("units", "units", Subsets(here, 1, rule=too_many)), rule="demo-losses")]

    def take(self, m: M, role: str, action: Any) -> None:
        for name in action.units:
            hit(m, UNIT[name])
        left = min(self.steps - len(action.units), sum(m.state.step[u] for u in units_at(m, self.place, self.loser)))
        m.replace(Losses(self.place, self.loser, self.winner, left))


class Retreats(Step, frozen=True, tag="retreats"):
    """The loser retreats unit by unit; after each the winner may cut in and pursue with one unit."""

    rule = "demo-retreat"
    place: int
    loser: int
    winner: int

    def run(self, m: M) -> None:
        if not units_at(m, self.place, self.loser):
            m.pop()
        elif not any(True for _ in self.exits(m)):
            for unit in units_at(m, self.place, self.loser):
                while m.state.step[unit]:
                    hit(m, unit)
            m.pop()

    def exits(self, m: M) -> Where:
        def rule(name: str) -> Refusal | None:
            to = INDEX[name]
            if not is_crossable(m, self.place, to):
                return Refusal("demo-adjacent", here=SPACES[self.place], there=name)
            if any(s != self.loser for s in sides_at(m, to)):
                return Refusal("demo-retreat", there=name)
            return None

        return Where(SPACES, rule)

    def roles(self, m: M) -> Sequence[str]:
        return [ROLES[self.loser]]

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        here = [UNITS[u] for u in units_at(m, self.place, self.loser)]
        units, exits = Field("unit", "unit", OneOf(here)), Field("to", "space", self.exits(m))
        return [Offer(Retreat, units, exits, rule="demo-retreat")]

    def take(self, m: M, role: str, action: Any) -> None:
        move(m, UNIT[action.unit], INDEX[action.to])
        m.push(Pursuit(self.place, INDEX[action.to], self.winner, UNIT[action.unit]))


class Pursuit(Step, frozen=True, tag="pursuit"):
    """The winner may send one unit after a retreating one; a five or six costs it a step."""

    rule = "demo-pursuit"
    place: int
    to: int
    winner: int
    prey: int

    def run(self, m: M) -> None:
        if not units_at(m, self.place, self.winner):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return [ROLES[self.winner]]

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        hunters = [UNITS[u] for u in units_at(m, self.place, self.winner)]
        return [Offer(Pursue, Field("unit", "unit", OneOf(hunters)), rule=self.rule), Offer(Pass, rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        if isinstance(action, Pursue) and m.roll(why=self.rule) >= 5:
            hit(m, self.prey)
        m.pop()


def hit(m: M, unit: int) -> None:
    """A unit loses a step; its last step takes it off the map."""
    m.state.step = put(m.state.step, unit, m.state.step[unit] - 1)
    if m.state.step[unit] == 0:
        m.state.space = put(m.state.space, unit, NOWHERE)
    m.emit(Lost(unit=UNITS[unit], left=m.state.step[unit]))


STEPS = (Turn, NextTurn, Planning, Moves, Battle, Pause, Losses, Retreats, Pursuit)
