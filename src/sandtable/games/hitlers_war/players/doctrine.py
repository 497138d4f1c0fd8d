"""Doctrines and plans: how a side wants to fight a turn, and what that means for each army."""

from __future__ import annotations

from typing import Any

import msgspec

from ..model.atlas import ARMIES, ATLAS, AXIS
from .scene import Scene

LOSS = (2.0, 5.0, 3.0, 4.0, 5.0)
"""What a point of each kind is worth, about its price."""


class Doctrine(msgspec.Struct, frozen=True):
    """How a side fights this turn: the numbers that a search may turn."""

    reserve: float = 0.3
    """Share of the strength that holds what must be held before anything attacks."""
    bold: float = 0.45
    """The least chance at which an attack is made."""
    mass: float = 0.8
    """The chance to which supporting assaults should raise an attack."""
    columns: int = 4
    """The most spearheads."""
    punch: int = 8
    """Mechanized points of a spearhead."""
    cut: float = 0.0
    """What cutting off an enemy point is worth, in points."""
    press: float = 0.35
    """The least chance at which a spearhead goes on."""
    draw: float = 0.5
    """How much the objectives behind a hex count against the hex itself."""
    focus: tuple[tuple[int, float], ...] = ()
    """Objectives that count more or less than usual."""
    chase: float = 0.0
    """What an objective, or one to be avoided, counts when spearheads drive on from where their attacks have ended."""
    guard: tuple[tuple[int, float], ...] = ()
    """Own places that are held more or less than usual."""
    ring: float = 0.0
    """What a hex beside a capital that still stands is worth: from there the city is shot at."""
    sally: int = 0
    """Tanks that take such hexes back before the city is manned."""
    minor: float = 1.0
    """How strongly places of little worth are held."""
    watch: int = 0
    """Points that a place with much production keeps whatever else is planned; a city that decides keeps twice as
    many. Above 0, no landing party drives on to where it could be cut off, either."""
    wary: int = 0
    """Whether the enemy's best blow at each decisive place is looked at before the plan is final."""
    repair: float = 0.34
    """Share of the budget for repairs while they pay."""
    tanks: float = 0.4
    """Share of mechanized points wanted among the ground troops."""


class Post(msgspec.Struct):
    """An army as the plan wants it: where, how strong, and what it attacks."""

    at: int
    want: list[int]
    aim: int = -1
    lands: bool = False
    """It comes over the sea."""
    lead: bool = False
    """It is a spearhead, not support."""


class Plan(msgspec.Struct):
    """The whole turn."""

    posts: list[Post]
    doctrine: Doctrine
    score: float = 0.0
    """What the attacks are expected to bring."""
    pull: list[float] = []
    """Where the objectives drew the attacks when the plan was made."""


def stance(scene: Scene) -> Doctrine:
    """The doctrine a sensible commander starts from."""
    s, side = scene.s, scene.side
    ratio = (sum(scene.own) + scene.partner) / max(1, scene.foe_total)
    if s.setting.victory == "capitals":
        return Doctrine(reserve=0.08, tanks=0.45) if side == AXIS else Doctrine(reserve=0.8, bold=0.6, tanks=0.2)
    if scene.foe_total == 0:
        return Doctrine(reserve=0.1)
    if side == AXIS:
        early = s.setting.politics and s.turn < ATLAS.turn("united_states_joins") + 2
        if early and ratio > 0.7:
            return Doctrine(reserve=0.15, tanks=0.45)
        return Doctrine(reserve=0.6, bold=0.6, tanks=0.25)
    if ratio > 0.8:
        return Doctrine(reserve=0.3, tanks=0.4)
    return Doctrine(reserve=0.7, bold=0.6, tanks=0.25)


def phase_key(scene: Scene) -> tuple[Any, ...]:
    """What a plan depends on; the same at every step of a movement phase and when the attacks are announced."""
    s, side = scene.s, scene.side
    theatre = scene.theatre
    pools: dict[int, list[int]] = {}
    for army in scene.free:
        pool = pools.setdefault(theatre[s.army_at[army]], [0] * 5)
        for kind in range(5):
            pool[kind] += s.strength[army * 5 + kind]
    first, end = side * ARMIES, side * ARMIES + ARMIES
    others = (tuple(s.army_at[:first]), tuple(s.army_at[end:]), tuple(s.strength[: first * 5]),
              tuple(s.strength[end * 5 :]))  # fmt: skip
    fixed = tuple((a, s.army_at[a]) for a in scene.held)
    return (s.turn, side, scene.owner, tuple(sorted((k, tuple(v)) for k, v in pools.items())), others, fixed,
            tuple(sorted(s.fort.items())), tuple(sorted(s.home.items())), tuple(sorted(s.devastated)))  # fmt: skip
