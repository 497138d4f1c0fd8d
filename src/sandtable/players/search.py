"""One search for the players of every game: plans are orders by front, tried on imagined matches.

A plan says where the main effort goes and with how much more than usual, what is held before anything else, what is
given up, what the money is for, how boldly it is all done, and what allies are asked for. Variations edit these orders,
and know no game. A game says which fronts there are, who carries a plan out, and what a position is worth (`Theatre`).
A rehearsal is played through the own turn, an answer of the enemy and the own next turn. The enemy answers in several
ways, and the one that hurts most counts as much as all of them together.

The budget is a number of rehearsals, so that the same seed finds the same plan, or a time, or both. Rehearsals are
asked for in batches that do not depend on each other's results, so several processes can share a batch, and a number of
rehearsals finds the same plan in any number of processes.
"""

from __future__ import annotations

import math
import pickle
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.core import Action, Game, Match, Offers, View

from . import judgement
from .base import Budget, imagine
from .helpers import helpers

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

Decider = Callable[[View[Any], Offers], Action]
"""Plays one role in a rehearsal."""
_SPARE = 0.05
"""The share of the time that is reserved for finishing a rehearsal."""
_LATE = 0.5
"""How many seconds after the end a helper is waited for."""
_LEADERS, _STAY, _BROOD = 3, 8, 4
"""How many plans are varied, how many are kept, and how many variations a round brings."""
_EXPLORE = 0.6
"""The share of the budget for finding plans; the rest is for comparing the best of them."""
_FINAL = 4
"""How many plans are compared at the end, beside the usual one."""
_OFTEN = 60
"""A plan is rehearsed no more often than this."""
_AGAIN = 2
"""So many rehearsals a plan wants: with fewer tries, fewer plans are looked at."""
_PAIR = 2
"""With fewer rehearsals no two plans can be compared."""
_FRUITLESS = 5
"""The search ends after so many rounds without a new plan."""
_LUCK = 0.1
"""How much one rehearsal differs from the next, before anything is known about it."""
_SURE = 0.25
"""How many standard errors a gain must amount to. The usual way is a plan like others: to ask for more costs more good
plans than it saves from luck."""
_LOOK = 24
"""So many rehearsals are made before a decision may be found not to matter."""
CLEAR = 0.01
"""The least gain for which the usual way is left."""
_MAIN = 2.0
"""How much more than usual an ally puts into what it is asked for."""


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """Orders by front. What is not said is done as usual."""

    aim: str = ""
    """Where the main effort goes."""
    force: float = 1.0
    """How much more than usual is put into it."""
    hold: tuple[str, ...] = ()
    """Own places that are held before anything else."""
    leave: tuple[str, ...] = ()
    """Own places that are given up."""
    build: str = ""
    """What the money is for."""
    dials: tuple[tuple[str, float], ...] = ()
    """How it is done: numbers of the game's doctrine, by name."""
    ask: tuple[tuple[str, str], ...] = ()
    """(role, place): that ally is asked to put its main effort there."""


USUAL = Plan()


def granted(place: str) -> Plan:
    """The plan of who does what an ally asks for."""
    return Plan(aim=place, force=_MAIN)


class Scope(msgspec.Struct, frozen=True):
    """What can be ordered in a position."""

    aims: tuple[str, ...] = ()
    """The enemy's fronts, the most important first."""
    own: tuple[str, ...] = ()
    """Own places that may be held or given up,"""
    vital: tuple[str, ...] = ()
    """and those of them that are never given up."""
    builds: tuple[str, ...] = ()
    dials: Mapping[str, tuple[float, ...]] = {}
    """Name -> values that are worth trying."""
    stock: tuple[Plan, ...] = ()
    """Plans worth trying beside the usual one, the most promising first."""
    allies: Mapping[str, tuple[str, ...]] = {}
    """Role -> places where it may be asked to put its main effort."""


class Outline(msgspec.Struct, frozen=True):
    """A plan that was rehearsed, and what came of it."""

    plan: Plan
    value: float
    worst: float
    """The same against the answer that hurts most."""
    risk: Plan
    """That answer."""
    rehearsals: int
    manner: str = ""
    """How it is done: 'bold', 'careful', or '' as usual."""
    answer: str = ""
    """The same of the answer that hurts most."""
    chance: float | None = None
    """The chance to win, where it has been learned (`judgement.py`): a value only tells better from worse."""


class Found(msgspec.Struct, frozen=True):
    """What a search came to: the plan to carry out, and the best plans, that one first."""

    plan: Plan
    outlines: tuple[Outline, ...] = ()
    rehearsals: int = 0


class Alarm:
    """Returns whether the time is up when it is called. Rehearsals call it now and then, and stop."""

    __slots__ = ("end", "rang", "seconds", "start")

    def __init__(self, seconds: float, spare: float = _SPARE) -> None:
        self.start = time.monotonic()
        self.seconds = seconds
        self.end = self.start + seconds * (1 - spare)
        self.rang = False

    def __call__(self) -> bool:
        if not self.rang:
            self.rang = time.monotonic() >= self.end
        return self.rang

    def used(self) -> float:
        """The share of the time that is over."""
        return (time.monotonic() - self.start) / self.seconds if self.seconds else 1.0


class EvenDice:
    """Dice without much luck: six rolls of a six-sided die bring every face once, in random order, and so on."""

    __slots__ = ("_bags", "_rng")

    def __init__(self, seed: str) -> None:
        self._rng = Random(seed)
        self._bags: dict[int, list[int]] = {}

    def value(self, number: int, sides: int) -> int:
        bag = self._bags.get(sides)
        if not bag:
            bag = self._bags[sides] = list(range(1, sides + 1))
            self._rng.shuffle(bag)
        return bag.pop()


class PlacedDice:
    """Dice for rehearsals: the same deed at the same time and place has the same dice, whatever was done before it.

    So two plans differ by what they do and not by which dice their battles happened to get. The dice of a deed are
    even, as `EvenDice` are, but begin anywhere among the faces.
    """

    __slots__ = ("_bags", "_deed", "_often", "_rng", "_seed")

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._often: dict[Hashable, int] = {}
        """How often each deed was done."""
        self.about(())

    def about(self, deed: Hashable) -> None:
        """Say what the next dice are for."""
        self._deed = deed
        self._rng: Random | None = None

    def value(self, number: int, sides: int) -> int:
        if self._rng is None:
            count = self._often[self._deed] = self._often.get(self._deed, 0) + 1
            self._rng, self._bags = Random(f"{self._seed}/{self._deed}/{count}"), dict[int, list[int]]()
        bag = self._bags.get(sides)
        if not bag:
            first = bag is None
            bag = self._bags[sides] = self._rng.sample(range(1, sides + 1), sides)
            if first:
                del bag[: int(self._rng.random() * sides)]
        return bag.pop()


def deed(match: Match[Any], role: str, action: Action) -> Hashable:
    """What somebody does, when and where, but not with whom: lists are left out."""
    return match.game.turn(match.state), role, *_words(match.step), *_words(action)


def _words(thing: msgspec.Struct) -> tuple[Hashable, ...]:
    values = (getattr(thing, name) for name in thing.__struct_fields__)
    return type(thing).__name__, *(value for value in values if isinstance(value, (int, str)))


class Theatre:
    """A turn to be planned, as one role sees it. Each game has its own."""

    replies: Sequence[Plan] = (USUAL,)
    """Ways in which the enemy may answer, the usual one first."""
    most = 1500
    """Decisions after which a rehearsal is broken off."""

    def __init__(self, game: Game[Any], role: str, scope: Scope) -> None:
        self.game, self.role, self.scope = game, role, scope

    def lead(self, role: str, plan: Plan) -> Decider:
        """Who plays a role by a plan."""
        raise NotImplementedError

    def is_enemy(self, role: str) -> bool:
        """Whether a role fights against the one that plans."""
        raise NotImplementedError

    def ending(self) -> Callable[[Match[Any]], bool]:
        """Says of a rehearsal that begins now when it is over: the enemy has answered, the own next turn is played."""
        raise NotImplementedError

    def by_hand(self, match: Match[Any]) -> float:
        """What a position is worth to the role that plans by the game's own evaluation, from 0 to 1."""
        raise NotImplementedError

    def chance(self, match: Match[Any]) -> float | None:
        """The learned chance to win of the role that plans; None in a game that has not learned it."""
        return None if judgement.load(self.game) is None else judgement.chance(match, self.role)

    def value(self, match: Match[Any]) -> float:
        """What a position is worth to the role that plans, from 0 to 1.

        The learned chance knows what wins; the game's own evaluation sees smaller steps towards it.
        """
        learned, by_hand = self.chance(match), self.by_hand(match)
        return by_hand if learned is None else 0.5 * (learned + by_hand)

    def boldness(self, plan: Plan) -> float:
        """How much more boldly than usual a plan is carried out; less than 0: more carefully."""
        return 0.0

    def key(self, plan: Plan) -> Hashable:
        """A key that is equal for plans that are played the same way."""
        return plan

    def prior(self, plan: Plan) -> float:
        """An estimate of the plan's value before any rehearsal, up to a constant."""
        return 0.0

    def orders(self, role: str, plan: Plan, reply: Plan) -> Plan:
        """The plan of a role where the own one is tried against an answer: an ally does what it is asked for."""
        if role == self.role:
            return plan
        if self.is_enemy(role):
            return reply
        place = dict(plan.ask).get(role)
        return granted(place) if place else USUAL

    def rehearse(self, plan: Plan, reply: Plan, match: Match[Any], alarm: Alarm) -> float:
        """Play a plan against an answer on an imagined match, and return what comes of it."""
        crew: dict[str, Decider] = {}

        def decider(role: str) -> Decider:
            found = crew.get(role)
            if found is None:
                found = crew[role] = self.lead(role, self.orders(role, plan, reply))
            return found

        play_until(match, decider, self.ending(), alarm, self.most)
        return self.value(match)


def vary(scope: Scope, parents: Sequence[Plan], rng: Random) -> Plan:
    """A child of two plans, with one of its orders edited."""
    one, two = (parents[int(rng.random() * len(parents))] for _ in range(2))

    def either() -> Plan:
        return one if rng.random() < 0.5 else two

    effort, posts, dials = either(), either(), dict(one.dials)
    for name, value in two.dials:
        if name not in dials or rng.random() < 0.5:
            dials[name] = value
    plan = Plan(
        effort.aim, effort.force, posts.hold, posts.leave, either().build,
        tuple(sorted((name, value) for name, value in dials.items() if rng.random() < 0.9)), one.ask,
    )  # fmt: skip
    edits: list[Callable[[Plan], Plan]] = []
    if scope.aims:
        edits += [lambda p: _edit_aim(p, scope, rng)] * 2
    if scope.own:
        edits.append(lambda p: _edit_posts(p, scope, rng))
    if scope.builds:
        edits.append(lambda p: msgspec.structs.replace(p, build=rng.choice(("", *scope.builds))))
    if scope.dials:
        edits += [lambda p: _edit_dial(p, scope, rng)] * 2
    if scope.allies:
        edits.append(lambda p: _edit_ask(p, scope, rng))
    return rng.choice(edits)(plan) if edits else plan


def _edit_aim(plan: Plan, scope: Scope, rng: Random) -> Plan:
    aim = rng.choice(("", *scope.aims))
    return msgspec.structs.replace(plan, aim=aim, force=rng.choice((0.3, 2.0, 3.0)) if aim else 1.0)


def _edit_posts(plan: Plan, scope: Scope, rng: Random) -> Plan:
    place = rng.choice(scope.own)
    hold = tuple(p for p in plan.hold if p != place)
    leave = tuple(p for p in plan.leave if p != place)
    if place not in plan.hold and rng.random() < 0.6:
        hold = tuple(sorted((*hold, place)))
    elif place not in plan.leave and place not in scope.vital:
        leave = tuple(sorted((*leave, place)))
    return msgspec.structs.replace(plan, hold=hold, leave=leave)


def _edit_dial(plan: Plan, scope: Scope, rng: Random) -> Plan:
    name = rng.choice(sorted(scope.dials))
    return msgspec.structs.replace(
        plan, dials=tuple(sorted({**dict(plan.dials), name: rng.choice(scope.dials[name])}.items()))
    )


def _edit_ask(plan: Plan, scope: Scope, rng: Random) -> Plan:
    role = rng.choice(sorted(scope.allies))
    place = rng.choice(("", *scope.allies[role]))
    asked = {**dict(plan.ask), role: place}
    return msgspec.structs.replace(plan, ask=tuple(sorted(one for one in asked.items() if one[1])))


class _Entry:
    """A plan with the values of its rehearsals. The n-th rehearsal of every plan is in the same imagined match."""

    __slots__ = ("chances", "place", "plan", "prior", "values")

    def __init__(self, plan: Plan, prior: float) -> None:
        self.plan = plan
        self.prior = prior
        self.place = -1
        """Which process rehearses it; -1: none has yet. It stays the same, since a theatre may remember a plan."""
        self.values: list[float] = []
        self.chances: list[float] = []

    def worst(self, replies: int, count: int) -> tuple[float, int]:
        """The mean against the answer that hurts most, and which answer that is."""
        found = [(_mean(self.values[n:count:replies]), n) for n in range(min(replies, count))]
        return min(found)

    def worth(self, replies: int, count: int) -> float:
        """What the first rehearsals come to: the worst answer counts as much as all of them."""
        return 0.5 * (_mean(self.values[:count]) + self.worst(replies, count)[0])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


_Task = tuple[Plan, int]
"""A plan, and the number of its rehearsal."""
_Result = tuple[float, float | None]
"""What a rehearsal came to: the value and the chance to win."""


class _Stage:
    """Where plans are rehearsed."""

    def __init__(self, game: Game[Any], view: View[Any], theatre: Theatre, seed: str) -> None:
        self.game, self.view, self.theatre, self.seed = game, view, theatre, seed

    def rehearse(self, tasks: Sequence[_Task], alarm: Alarm) -> list[_Result]:
        """The results of the tasks one by one, as many as the time allows."""
        done: list[_Result] = []
        replies = self.theatre.replies
        for plan, number in tasks:
            if alarm():
                break
            match = imagine(self.game, self.view, Random(f"match/{self.seed}/{number}"))
            match.play.dice = PlacedDice(f"dice/{self.seed}/{number}")
            value = self.theatre.rehearse(plan, replies[number % len(replies)], match, alarm)
            if alarm.rang:
                break
            done.append((value, self.theatre.chance(match)))
        return done


_stages: list[_Stage] = []
"""In a process that helps: its own stage."""


def _settle(packed: bytes) -> None:
    _stages[:] = [pickle.loads(packed)]


def _help(tasks: Sequence[_Task], seconds: float) -> list[_Result]:
    return _stages[0].rehearse(tasks, Alarm(seconds, 0.0))


def _asked(helper: Executor, tasks: Sequence[_Task], seconds: float) -> Future[list[_Result]] | None:
    """The results that a helper will have; None where it has nothing to do, or has died."""
    try:
        return helper.submit(_help, tasks, seconds) if tasks else None
    except RuntimeError:
        return None


def _packed(stage: _Stage, cores: int) -> bytes:
    """The stage as helpers get it; empty where there shall be none."""
    try:
        return pickle.dumps(stage) if cores > 1 else b""
    except (pickle.PicklingError, AttributeError, TypeError):
        return b""


class _Search:
    """The plans found so far, and the budget that is left. The first plan is the usual way."""

    def __init__(self, stage: _Stage, budget: Budget, faith: float, crew: list[Executor]) -> None:
        self.stage, self.theatre, self.faith, self.crew = stage, stage.theatre, faith, crew
        self.alarm = Alarm(budget.seconds)
        self.tries, self.made = budget.tries, 0
        self.entries: list[_Entry] = []
        self._seen: set[Hashable] = set()
        self._load = [0] * (1 + len(crew))
        """How many rehearsals each process was given."""

    def is_spent(self, share: float = 1.0) -> bool:
        """Whether such a share of the budget is used up."""
        if self.tries is not None and self.made >= share * self.tries:
            return True
        return self.alarm() or self.alarm.used() >= share

    @property
    def usual(self) -> _Entry:
        return self.entries[0]

    def add(self, plan: Plan) -> _Entry | None:
        """The entry of a new plan; None where one that is played the same way was added before."""
        key = self.theatre.key(plan)
        if key in self._seen:
            return None
        self._seen.add(key)
        self.entries.append(_Entry(plan, self.theatre.prior(plan)))
        return self.entries[-1]

    def rehearse(self, entries: Sequence[_Entry], part: float = 1.0) -> None:
        """Rehearse plans once more, and the usual one before each where that is due, as far as such a part of the
        budget allows."""
        batch: list[tuple[_Entry, int]] = []
        counts: dict[_Entry, int] = {}

        def count(entry: _Entry) -> int:
            return counts.get(entry, len(entry.values))

        for entry in entries:
            due = entry is not self.usual and count(self.usual) <= count(entry)
            for one in (self.usual, entry) if due else (entry,):
                batch.append((one, count(one)))
                counts[one] = count(one) + 1
        if self.tries is not None:
            del batch[max(0, math.ceil(part * self.tries) - self.made) :]
        shares: list[list[tuple[_Entry, int]]] = [[] for _ in self._load]
        for entry, number in batch:
            if entry.place < 0:
                entry.place = self._load.index(min(self._load))
            self._load[entry.place] += 1
            shares[entry.place].append((entry, number))
        tasks = [[(entry.plan, number) for entry, number in share] for share in shares]
        for share, results in zip(shares, self._results(tasks), strict=True):
            for (entry, _), (value, chance) in zip(share, results, strict=False):
                self.made += 1
                entry.values.append(value)
                if chance is not None:
                    entry.chances.append(chance)

    def _results(self, tasks: Sequence[Sequence[_Task]]) -> list[list[_Result]]:
        """What the shares of a batch came to, this process's own and those of its helpers."""
        seconds = self.alarm.end - time.monotonic()
        asked = [_asked(helper, some, seconds) for helper, some in zip(self.crew, tasks[1:], strict=True)]
        done = [self.stage.rehearse(tasks[0], self.alarm)]
        for answer, some in zip(asked, tasks[1:], strict=True):
            try:
                done.append(answer.result(seconds + _LATE) if answer else self.stage.rehearse(some, self.alarm))
            except (RuntimeError, TimeoutError):  # the helper has died, or is late
                done.append(self.stage.rehearse(some, self.alarm))
        return done

    def drop_twins(self) -> None:
        """Forget plans that came to just the same as the usual way."""
        usual = self.usual.values
        self.entries[1:] = [e for e in self.entries[1:] if not e.values or e.values != usual[: len(e.values)]]

    def gain(self, entry: _Entry) -> float:
        """How much better than the usual way, in the same matches; the prior counts as `faith` rehearsals."""
        count, faith = len(entry.values), self.faith
        if not count or not self.usual.values:
            return -1.0 if entry is not self.usual else 0.0
        count = min(count, len(self.usual.values))
        number = len(self.theatre.replies)
        found = entry.worth(number, count) - self.usual.worth(number, count)
        return (count * found + faith * (entry.prior - self.usual.prior)) / (count + faith)

    def is_clear(self, entry: _Entry) -> bool:
        """Whether a plan is better than the usual way by more than luck, and was tried often enough to say so."""
        gains = [mine - usual for mine, usual in zip(entry.values, self.usual.values, strict=False)]
        if not gains or _AGAIN * len(gains) < len(self.usual.values):
            return False
        mean = _mean(gains)
        spread = (_LUCK**2 + math.fsum((gain - mean) ** 2 for gain in gains)) / len(gains)
        gain = self.gain(entry)
        return gain > CLEAR and gain > _SURE * math.sqrt(spread / len(gains))

    def matters(self) -> bool:
        """Whether any plan makes a difference, as far as is known."""
        return self.made < _LOOK or any(abs(self.gain(entry)) > CLEAR / 4 for entry in self.entries[1:])

    def leaders(self, number: int = _LEADERS) -> list[_Entry]:
        """The best plans beside the usual one."""
        return sorted(self.entries[1:], key=lambda e: -self.gain(e))[:number]

    def outline(self, entry: _Entry) -> Outline:
        count = len(entry.values)
        worst, which = entry.worst(len(self.theatre.replies), count)
        reply = self.theatre.replies[which]
        return Outline(
            entry.plan, _mean(entry.values), worst, reply, count, self.manner(entry.plan), self.manner(reply),
            _mean(entry.chances) if entry.chances else None,
        )  # fmt: skip

    def manner(self, plan: Plan) -> str:
        found = self.theatre.boldness(plan)
        return "bold" if found > 0 else "careful" if found < 0 else ""


def search(
    game: Game[Any], view: View[Any], theatre: Theatre, *, seed: str, budget: Budget, faith: float = 1.0
) -> Found:
    """The best plan that the budget finds; the usual way where none is clearly better.

    Every first plan is rehearsed once. In each round the best few are rehearsed again and varied, and the variations
    are rehearsed once; only the better plans stay. The rest of the budget compares the best of them: what was lucky
    once must prove itself. All gains are counted against the usual way in the same imagined match with the same
    answer. The prior of a plan counts as `faith` rehearsals.
    """
    if (budget.tries is not None and budget.tries < _PAIR) or theatre.scope == Scope():
        return Found(USUAL)
    stage = _Stage(game, view, theatre, seed)
    packed = _packed(stage, budget.cores)
    with helpers(budget.cores - 1 if packed else 0, _settle, packed) as crew:
        found = _Search(stage, budget, faith, crew)
        _explore(found, Random(f"plan/{seed}"))
        _compare(found)
    return _choose(found)


def _explore(found: _Search, rng: Random) -> None:
    """Rehearse the first plans and variations of the best, until this part of the budget is used up."""
    scope = found.theatre.scope
    stock = [USUAL, *scope.stock]
    most = len(stock) if found.tries is None else max(2, found.tries // _AGAIN)
    while stock and len(found.entries) < most and not (found.entries and found.is_spent(_EXPLORE)):
        added = []
        while stock and len(found.entries) < most and not (found.entries and found.alarm()):
            if (entry := found.add(stock.pop(0))) is not None:
                added.append(entry)
        found.rehearse(added, _EXPLORE)
        found.drop_twins()
    fruitless = 0
    while fruitless < _FRUITLESS and not found.is_spent(_EXPLORE):
        leaders = found.leaders()
        found.entries[1:] = found.leaders(_STAY)
        batch = [entry for entry in (found.usual, *leaders) if len(entry.values) < _OFTEN]
        children = (vary(scope, [entry.plan for entry in leaders] or [USUAL], rng) for _ in range(_BROOD))
        added = [entry for plan in children if (entry := found.add(plan)) is not None]
        fruitless = 0 if added else fruitless + 1
        found.rehearse([*batch, *added], _EXPLORE)
        found.drop_twins()


def _compare(found: _Search) -> None:
    """Rehearse the best plans in turn, until the budget is used up."""
    while not found.is_spent():
        rivals = [entry for entry in found.leaders(_FINAL) if len(entry.values) < _OFTEN]
        found.rehearse(sorted(rivals, key=lambda e: len(e.values))[:2])
        if not rivals or not found.matters():
            return


def _choose(found: _Search) -> Found:
    best = next((entry for entry in found.leaders() if found.is_clear(entry)), found.usual)
    tested = [entry for entry in (best, *found.leaders(_STAY), found.usual) if entry.values]
    outlines: dict[tuple[str, str], Outline] = {}
    for entry in tested:
        outlines.setdefault((entry.plan.aim, entry.plan.build), found.outline(entry))
    return Found(best.plan, tuple(outlines.values())[:3], found.made)


def play_until(
    match: Match[Any],
    deciders: Callable[[str], Decider],
    stop: Callable[[Match[Any]], bool],
    alarm: Alarm,
    most: int,
) -> None:
    """Continue an imagined match with fast players until it is over, `stop` says so, or `most` or the time is reached.

    The fast players see the match's own state and must not change it.
    """
    game = match.game.id
    for _ in range(most):
        if match.over or stop(match) or alarm():
            return
        role = match.decisions()[0]
        seen = View(game, role, match.number, (role,), match.state)
        action = deciders(role)(seen, match.offers(role))
        if isinstance(match.play.dice, PlacedDice):
            match.play.dice.about(deed(match, role, action))
        match.apply(role, action)


def near(value: float, base: float, scale: float) -> float:
    """A hand-made evaluation as something between 0 and 1: a half where nothing has changed."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, (value - base) / scale))))
