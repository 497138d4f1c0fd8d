"""Plans in words: what a row of scenes does, and what it is for.

The staff tells its plans with it, and the computer its turns. It reads nothing but scenes, a table and a standing: who
gives it those of one role gets a sentence that tells nothing the role does not know.

What a plan is for follows from where it leads: of the spaces that the conditions of victory name, the one that its
moves and fights come nearest to.
"""

from __future__ import annotations

import functools
import json
import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.core import Game, Match, Role, Texts
from sandtable.core.gauges import Gauge, Standing
from sandtable.core.scene import Scene
from sandtable.core.table import Arrow, Table

Point = tuple[float, float]
NAMED = 3
"""So many places are named; of more, only the number is told."""
_NEAR = 3.0
"""What is guarded lies at most so many spaces away."""
_FAR = 12.0
"""What is farther away is not what a turn is about."""


class Purpose(msgspec.Struct, frozen=True):
    """What is done and why, each in a sentence; '' where there is nothing to tell. And the arrows that show it."""

    deeds: str
    aim: str
    stands: str
    """The condition of victory behind it, and how far it is."""
    arrows: tuple[Arrow, ...]


class _Deeds(msgspec.Struct):
    """What scenes show of one side, as far as it tells a purpose."""

    ways: list[tuple[str, str, int]] = []
    """From where to where, and how many units."""
    attacks: dict[str, list[str]] = {}
    """Where it attacks, and from where, as far as that is seen."""
    takes: list[str] = []
    """What changed hands."""
    defends: list[str] = []
    arrives: Counter[str] = msgspec.field(default_factory=Counter)


@functools.cache
def _points(game: Game[Any]) -> Mapping[str, tuple[str, Point]]:
    """Return where each space is: its sheet and its middle. A game without a map has none."""
    path = game.home / "data" / "map.json"
    printed = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"sheets": ()}
    return {
        space["id"]: (sheet["id"], (float(space["at"][0]), float(space["at"][1])))
        for sheet in printed["sheets"]
        for space in sheet["spaces"]
    }


@functools.cache
def _stride(game: Game[Any]) -> float:
    """Return about how far it is from one space to the next."""
    points = list(_points(game).values())
    near = [min(math.dist(at, to) for on, to in points if on == sheet and to != at) for sheet, at in points]
    return statistics.median(near)


def _closeness(game: Game[Any], place: str, goal: str) -> float:
    """Return 1 for the goal itself, and less with every space that lies between; 0 far away and on another sheet."""
    points = _points(game)
    if place not in points or goal not in points or points[place][0] != points[goal][0]:
        return 0.0
    spaces = math.dist(points[place][1], points[goal][1]) / _stride(game)
    return 1.0 / (1.0 + spaces) if spaces <= _FAR else 0.0


class Camps(msgspec.Struct, frozen=True):
    """The sides of a table that are with somebody, and those that are against them."""

    own: frozenset[str]
    foes: frozenset[str]


def camps(game: Game[Any], state: Any, role: str) -> Camps:
    """Return with whom a role is: its alliance and the roles in it; all other alliances are against it."""
    sides = game.sides(state).items()
    own = {role, *(one for name, roles in sides if role in roles for one in (name, *roles))}
    return Camps(frozenset(own), frozenset(one for name, roles in sides for one in (name, *roles)) - own)


def _deeds(scenes: Iterable[Scene], before: Table, camps: Camps) -> _Deeds:
    """Sort what one side does. What its enemies do meanwhile, and a retreat from a fight, is no plan."""
    found = _Deeds()
    where = {face.id: place for place, stack in before.stacks.items() for face in stack}
    fought: set[str] = set()
    for scene in scenes:
        place = scene.path[-1] if scene.path else ""
        if place not in before.spaces:
            continue
        side = before.spaces[place].side
        starts = [where[unit] for unit in scene.units if unit in where] or list(scene.path[:1])
        if scene.kind == "owner" and scene.side in camps.own:
            found.takes.append(place)
        elif scene.kind == "fight":
            fought.add(place)
            if side in camps.own:
                found.defends.append(place)
            else:
                found.attacks.setdefault(place, []).extend(start for start in starts if start != place)
        elif scene.kind == "move":
            start = starts[0] if starts else place
            is_theirs = start in before.spaces and before.spaces[start].side in camps.foes
            if start not in fought and not is_theirs and side in camps.foes:
                found.attacks.setdefault(place, []).append(start)
            elif start not in fought and not is_theirs:
                found.ways.append((start, place, max(1, len(scene.units))))
            where.update(dict.fromkeys(scene.units, place))
        elif scene.kind == "arrive":
            found.arrives[place] += max(1, len(scene.units))
            where.update(dict.fromkeys(scene.units, place))
    return found


def _goals(standing: Standing, role: str) -> tuple[dict[str, Gauge], dict[str, Gauge]]:
    """Return the spaces that a role has to win for its conditions, and those that it has to keep from others."""
    wins: dict[str, Gauge] = {}
    keeps: dict[str, Gauge] = {}
    for gauge in standing.gauges:
        left = [place for place in gauge.places if place not in gauge.held]
        if role not in gauge.roles:
            keeps |= dict.fromkeys(left, gauge)
        elif gauge.is_met or gauge.most:
            keeps |= dict.fromkeys(gauge.held, gauge)
        else:
            wins |= dict.fromkeys(left, gauge)
    return wins, keeps


def _gain(game: Game[Any], deeds: _Deeds, goal: str, fights: Iterable[str]) -> float:
    """Return how much nearer to a goal the moves bring, and how near the fights are."""
    moved = [
        number * (_closeness(game, end, goal) - _closeness(game, start, goal)) for start, end, number in deeds.ways
    ]
    return math.fsum([*moved, *(_closeness(game, place, goal) for place in fights)])


def _aim(game: Game[Any], deeds: _Deeds, standing: Standing, role: str) -> tuple[str, bool, Gauge | None]:
    """Return the space that all this is about, whether it is to be kept and not to be won, and the condition."""
    wins, keeps = _goals(standing, role)
    ranked = [(_gain(game, deeds, goal, deeds.attacks), goal, False, gauge) for goal, gauge in wins.items()]
    ends = [end for _, end, _ in deeds.ways]
    for goal, gauge in keeps.items():
        if any(_closeness(game, end, goal) >= 1 / (1 + _NEAR) for end in (*ends, *deeds.defends)):
            ranked.append((0.5 * _gain(game, deeds, goal, deeds.defends), goal, True, gauge))
    ranked.sort(key=lambda one: (-one[0], one[1]))
    if ranked and ranked[0][0] > 0:
        return ranked[0][1], ranked[0][2], ranked[0][3]
    own = [gauge for gauge in standing.gauges if role in gauge.roles]
    return "", False, next((gauge for gauge in own if not gauge.is_met), own[0] if own else None)


def purpose(
    match: Match[Any], eyes: Role | None, role: Role, scenes: Iterable[Scene], before: Table, texts: Texts
) -> Purpose:
    """Return what these scenes do for a role and why, told to whoever sees the match with these eyes.

    `before` is the table as they saw it when the scenes began.
    """
    game, standing = match.game, match.standing(eyes)
    deeds = _deeds(scenes, before, camps(game, match.view(eyes).state, role))
    goal, kept, gauge = _aim(game, deeds, standing, role)
    told = [*_told(game, deeds, goal, kept, texts)]
    if not told:
        return Purpose("", "", "", ())
    said = texts.say("purpose.and").join((", ".join(told[:-1]), told[-1])) if len(told) > 1 else told[0]
    aim = texts.say("purpose.keep" if kept else "purpose.win", place=goal) if goal else ""
    stands = "" if gauge is None else _stands(gauge, role, texts)
    return Purpose(f"{said[:1].upper()}{said[1:]}.", aim, stands, tuple(_arrows(deeds, role)))


def _told(game: Game[Any], deeds: _Deeds, goal: str, kept: bool, texts: Texts) -> Iterable[str]:
    if deeds.takes:
        yield _listed("takes", list(dict.fromkeys(deeds.takes)), texts)
    attacked = [place for place in deeds.attacks if place not in deeds.takes]
    if attacked:
        yield _listed("attacks", attacked, texts)
    if deeds.defends and not deeds.attacks:
        yield _listed("defends", list(dict.fromkeys(deeds.defends)), texts)
    nearer, others = 0, Counter[str]()
    for start, end, number in deeds.ways:
        if goal and end != goal and _closeness(game, end, goal) > _closeness(game, start, goal):
            nearer += number
        elif end not in deeds.attacks:
            others[end] += number
    if nearer:
        yield texts.say("purpose.guards" if kept else "purpose.towards", number=nearer, place=goal)
    if others:
        (place, number), *rest = others.most_common()
        yield texts.say("purpose.moves", number=number, place=place)
        if rest:
            yield texts.say("purpose.others", number=sum(one for _, one in rest))
    if deeds.arrives:
        place, _ = deeds.arrives.most_common(1)[0]
        yield texts.say("purpose.arrives", number=deeds.arrives.total(), place=place)


def _listed(key: str, places: Sequence[str], texts: Texts) -> str:
    if len(places) > NAMED:
        return texts.say(f"purpose.{key}-many", number=len(places), places=list(places[:NAMED]))
    return texts.say(f"purpose.{key}", places=list(places))


def _stands(gauge: Gauge, role: Role, texts: Texts) -> str:
    """Return how far a condition of victory is, as the role that wants it or fears it says it."""
    whose = "theirs" if role not in gauge.roles else "most" if gauge.most else "ours"
    sign = " %" if gauge.percent else ""
    value, goal = _number(gauge.value) + sign, _number(gauge.goal) + sign
    return texts.say(f"purpose.{whose}", label=texts.say(f"gauge.{gauge.id}"), value=value, goal=goal)


def _number(value: float) -> str:
    return f"{value:.0f}" if abs(value - round(value)) < 0.05 else f"{value:.1f}"


def _arrows(deeds: _Deeds, role: str) -> Iterable[Arrow]:
    for start, end in dict.fromkeys((start, end) for start, end, _ in deeds.ways if start != end):
        yield Arrow((start, end), "plan", role)
    for place, starts in deeds.attacks.items():
        for start in dict.fromkeys(starts):
            yield Arrow((start, place), "attack", role)
