"""Who stands to whom: what follows from the sides, the wars and who plays whom."""

from __future__ import annotations

from typing import Final

from sandtable.core.facts import fact

from ..model.atlas import ATLAS, JAPAN, USSR, bits_of
from ..model.state import AT_WAR, CONQUERED, BKState

POLITICS: Final = ("side", "standing", "master", "war", "peace")


@fact("side")
def members(s: BKState, side: int) -> int:
    """Return the nations of a side, as bits."""
    return bits_of(n for n, of in enumerate(s.side) if of == side)


@fact("side", "war")
def foes(s: BKState, side: int) -> int:
    """Return the nations that any nation of a side fights, as bits."""
    out = 0
    for of, war in zip(s.side, s.war, strict=True):
        if of == side:
            out |= war
    return out


@fact("side", "standing", "war")
def opponents(s: BKState, major: int) -> int:
    """Return the nations that fight against a major's side, as bits: its own enemies and other belligerents."""
    side, war = s.side[major], s.war[major]
    return war | bits_of(
        n for n, of in enumerate(s.side) if of >= 0 and of != side and s.standing[n] == AT_WAR and s.war[n]
    )


@fact("master")
def commanded(s: BKState, major: int) -> int:
    """Return the nations whose units a major moves, as bits."""
    return bits_of(n for n, master in enumerate(s.master) if master == major)


@fact("side", "standing")
def acting(s: BKState, side: int) -> tuple[int, ...]:
    """Return the majors of a side that still play: all but the conquered."""
    return tuple(n for n in range(8) if s.side[n] == side and s.standing[n] != CONQUERED)


def leader(s: BKState, side: int) -> int:
    """Return the major that decides for a whole side: the boss while it plays, else the first that does.
    [bg-1.0-boss]"""
    boss, majors = ATLAS.boss[side], acting(s, side)
    return boss if boss in majors or not majors else majors[0]


@fact(*POLITICS)
def friends(s: BKState, nation: int) -> int:
    """Return the nations whose areas a nation may use, as bits; itself is one.

    Belligerents of one side that have an enemy in common may use each other's areas. [bg-8.2-ussr-japan]
    [bg-card-force-peace-china]
    """
    out = 1 << nation
    if s.standing[nation] == AT_WAR:
        mine, enemies = s.master[nation], s.war[nation]
        for other in _fighting(s, s.side[nation]):
            if s.master[other] == mine or (enemies & s.war[other] and not _kept_apart(s, nation, other)):
                out |= 1 << other
    return out


@fact("side", "standing")
def _fighting(s: BKState, side: int) -> list[int]:
    """The nations of a side that are at war."""
    sides = enumerate(zip(s.side, s.standing, strict=True))
    return [n for n, (of, standing) in sides if of == side and standing == AT_WAR]


def _kept_apart(s: BKState, a: int, b: int) -> bool:
    """A Soviet-Japanese peace keeps those who fight one partner out of the other's areas. [bg-8.2-ussr-japan]
    [bg-card-force-peace-china]"""
    if s.peace >= 0:
        for one, other in ((a, b), (b, a)):
            partner = s.master[one]
            if partner in (USSR, JAPAN) and s.war[other] >> (JAPAN if partner == USSR else USSR) & 1:
                return True
    return False


def are_allied(s: BKState, a: int, b: int) -> bool:
    """Return whether a nation may use another's areas."""
    return bool(friends(s, a) >> b & 1)


def cooperate(s: BKState, a: int, b: int) -> bool:
    """Return whether two nations may work together under optional rule 9.11. [bg-opt-9.11-who]"""
    one, other = s.master[a], s.master[b]
    return one == other or frozenset((one, other)) in ATLAS.cooperation


@fact(*POLITICS)
def lines(s: BKState) -> list[tuple[int, int]]:
    """Return the nations at war in groups that have the same enemies and the same friends, and so the same lines of
    supply: one of each group, and all of it as bits."""
    alike: dict[tuple[int, int], list[int]] = {}
    for nation, standing in enumerate(s.standing):
        if standing == AT_WAR:
            alike.setdefault((s.war[nation], friends(s, nation)), []).append(nation)
    return [(group[0], bits_of(group)) for group in alike.values()]


class Quarrels(dict[int, bool]):
    """Whether any two of some nations, given as bits, fight each other: looked up as `quarrels[nations]`."""

    __slots__ = ("war",)

    def __init__(self, war: tuple[int, ...]) -> None:
        self.war = war

    def __missing__(self, nations: int) -> bool:
        left, found = nations, False
        while left and not found:
            nation = left.bit_length() - 1
            left ^= 1 << nation
            found = bool(self.war[nation] & nations)
        self[nations] = found
        return found


@fact("war")
def quarrels(s: BKState) -> Quarrels:
    """Return a table that says of nations, given as bits, whether any two of them fight each other."""
    return Quarrels(s.war)
