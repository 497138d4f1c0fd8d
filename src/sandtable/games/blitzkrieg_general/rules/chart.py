"""The battle chart: who takes part, who may be hit by what, and who stands in which segment (6.5.3, 6.5.7)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from sandtable.core import Refusal

from ..model.atlas import AIR, ATLAS, CONVOY, SUB, TF, label
from ..model.state import (
    AT_AIR,
    AT_LAND,
    AT_SHIPS,
    AT_SUBS,
    ATOM,
    BOMBER,
    BOMBING,
    FOUGHT,
    LAND_BATTLE,
    OUT,
    SEA_BATTLE,
    STATIONED,
    Battle,
    BKState,
    at_war,
    side_of,
)
from .strength import effective

AIMS = ("land", "air", "ships", "subs")
LAND_AIMS, SEA_AIMS = (AT_LAND, AT_AIR), (AT_SHIPS, AT_SUBS, AT_AIR)


def army(battle: Battle, side: int) -> tuple[int, ...]:
    """Return the units of a side: 0 the phasing side, 1 the other."""
    return battle.defenders if side else battle.attackers


def leave(battle: Battle, units: Collection[int]) -> Battle:
    """Return the battle without these units."""
    attackers = tuple(u for u in battle.attackers if u not in units)
    return replace(battle, attackers=attackers, defenders=tuple(u for u in battle.defenders if u not in units))


def steps_left(state: BKState, unit: int) -> int:
    """Return the hits a unit can still take. [bg-6.5.7-two-hits] [bg-6.5.7-blank-back] [bg-6.5.7-hq-one-hit]"""
    return 1 if state.flipped[unit] or ATLAS.back[unit] < 0 else 2


def flyers(units: Iterable[int]) -> list[int]:
    """Return the aircraft and Task Forces of a land battle."""
    return [u for u in units if not ATLAS.is_land[u]]


def land_units(units: Iterable[int]) -> list[int]:
    return [u for u in units if ATLAS.is_land[u]]


def fighters(units: Iterable[int]) -> list[int]:
    """Return the land units that can fire: not the HQs."""
    return [u for u in units if ATLAS.is_land[u] and not ATLAS.is_hq[u]]


# ---- who takes part -----------------------------------------------------------------------------------------------
def gather(state: BKState, space: int, kind: int) -> Battle:
    """Return the battle of a space with the units of both sides."""
    # an aircraft that watches a zone fights whom it has found there, but not in the phase in which it was posted
    fliers = [
        u for u, target in state.abroad.items()
        if target == space and state.carrier[u] < 0
        and (not state.flags[u] & STATIONED or side_of(state, u) != state.phasing)
    ]  # fmt: skip
    raid = kind == BOMBING
    present = [
        u for u in state.here[space]
        if state.mission[u] < 0 and not state.flags[u] & FOUGHT and state.carrier[u] < 0
    ]  # fmt: skip
    armies: tuple[list[int], list[int]] = ([], [])
    for unit in (*present, *fliers):
        phasing = side_of(state, unit) == state.phasing
        if phasing and raid != (state.mission[unit] == space and bool(state.flags[unit] & BOMBER)):
            continue
        armies[not phasing].append(unit)
    attackers, defenders = armies
    if kind == SEA_BATTLE:
        attackers = [u for u in attackers if _fights_any(state, u, defenders)]
        defenders = [u for u in defenders if _fights_any(state, u, attackers)]
    air_only = not any(ATLAS.is_land[u] or ATLAS.is_ship[u] for u in attackers)
    return Battle(space, kind, tuple(attackers), tuple(defenders), air_only=air_only)


def _fights_any(state: BKState, unit: int, others: Iterable[int]) -> bool:
    return any(at_war(state, state.nation[unit], state.nation[other]) for other in others)


# ---- who can be hit -----------------------------------------------------------------------------------------------
def targets(state: BKState, battle: Battle, side: int, aim: int) -> list[int]:
    """Return the units of a side that hits of this kind may fall on. [bg-6.5.7-by-segment] [bg-6.5.7-aa-not-loss]
    [bg-6.5.7-air-switch]
    [bg-6.5.7-cargo-immune] [bg-ex-adv-lwow-air-loss]"""
    units, foes = army(battle, side), army(battle, 1 - side)
    if not state.advanced:
        return list(units)
    if battle.kind == SEA_BATTLE:
        if aim == AT_SHIPS:
            return [u for u in units if ATLAS.type[u] in (TF, CONVOY)]
        if aim == AT_SUBS:
            return [u for u in units if ATLAS.type[u] == SUB]
        return [u for u in units if ATLAS.type[u] == AIR]
    if aim == AT_AIR:
        alone = battle.kind == LAND_BATTLE and not flyers(foes)
        return [u for u in flyers(units) if alone or battle.aim.get(u) == AT_AIR or battle.kind == BOMBING]
    if battle.kind == BOMBING:
        return []
    no_aircraft = not flyers(units)
    return [u for u in land_units(units) if no_aircraft or battle.aim.get(u) == AT_LAND]


def capacity(state: BKState, battle: Battle, side: int, aim: int) -> int:
    """Return the hits of this kind that a side can still take. [bg-6.5.7-excess]"""
    left = [steps_left(state, u) for u in targets(state, battle, side, aim)]
    return sum(left) - battle.hits[side * 4 + aim]


# ---- who stands where ---------------------------------------------------------------------------------------------
def set_aims(state: BKState, battle: Battle) -> Battle:
    """Return the battle with every unit where the rules force it, or where it does most good. [bg-6.5.3-segments]
    [bg-6.5.3-weaker-air] [bg-6.5.3-stronger-air] [bg-6.5.3-aa-placement]"""
    aim: dict[int, int] = {}
    battle = replace(battle, aim=aim)  # filled side by side: the second side looks at where the first one stands
    for side in (0, 1):
        if battle.kind == SEA_BATTLE:
            for unit in army(battle, side):
                choices = sea_aims(state, battle, unit, side)
                aim[unit] = choices[0] if choices else AT_SHIPS
        else:
            aim |= _aims_on_land(state, battle, side)
    return battle


def sea_aims(state: BKState, battle: Battle, unit: int, side: int) -> list[int]:
    """Return the kinds of targets a unit may choose at sea. [bg-6.5.3-sub-split] [bg-6.5.3-sub-v-sub]
    [bg-6.5.3-land-v-ships]"""
    if not state.advanced:
        return [AT_SHIPS]
    foes = {ATLAS.type[u] for u in army(battle, 1 - side)}
    out = []
    if foes & {TF, CONVOY}:
        out.append(AT_SHIPS)
    if SUB in foes and ATLAS.type[unit] != SUB:
        out.append(AT_SUBS)
    if AIR in foes and ATLAS.type[unit] != SUB:
        out.append(AT_AIR)
    return out


def _aims_on_land(state: BKState, battle: Battle, side: int) -> dict[int, int]:
    """Where the units of one side stand."""
    units, foes = army(battle, side), army(battle, 1 - side)
    mine, theirs = flyers(units), flyers(foes)
    aim = dict.fromkeys(units, AT_LAND)
    if not state.advanced:
        return aim
    if battle.kind == BOMBING:
        order = sorted(mine, key=lambda u: (ATLAS.type[u] != TF, state.flags[u] & (BOMBER | ATOM), u))
        up = order[: len(theirs)] if side == 0 else mine
        up = [*up, *(u for u in mine if ATLAS.type[u] == TF), *land_units(units)]
    else:
        up = sorted(mine, key=lambda u: (-effective(state, battle, u, AT_AIR), u))[: len(theirs)]
        if theirs and not land_units(foes):
            up += [*fighters(units), *mine]
    return aim | dict.fromkeys(up, AT_AIR)


class Line:
    """What decides who of a side may be put into another segment, counted once for all its units."""

    __slots__ = ("flyers", "has_foes_on_land", "needed_up", "spare_flak", "theirs", "up")

    def __init__(self, battle: Battle, side: int) -> None:
        units, foes = army(battle, side), army(battle, 1 - side)
        mine, aim = flyers(units), battle.aim
        self.flyers, self.theirs = len(mine), len(flyers(foes))
        self.needed_up = min(self.flyers, self.theirs)
        self.up = len([u for u in mine if aim[u] == AT_AIR])
        self.has_foes_on_land = len(foes) > self.theirs
        self.spare_flak = 0
        if self.theirs and not mine:
            fire = fighters(units)
            self.spare_flak = len(fire) - len(fighters(foes)) - len([u for u in fire if aim[u] == AT_AIR])


def why_not_assign(state: BKState, battle: Battle, unit: int, aim: int, side: int) -> Refusal | None:
    """Refuse a unit that may not be put into another segment. [bg-6.5.3-announce] [bg-6.5.3-switch]
    [bg-6.5.3-aa-excess] [bg-6.5.6-separate]"""
    line = Line(battle, side) if battle.kind != SEA_BATTLE else None
    bar = _bar(state, battle, unit, aim, side, line)
    if bar is None:
        return None
    rule, reason = bar
    if reason == "must-stay-up":
        assert line is not None
        return Refusal(rule, reason, enemies=line.theirs)
    return Refusal(rule, reason, unit=label(unit))


def _bar(state: BKState, battle: Battle, unit: int, aim: int, side: int, line: Line | None) -> tuple[str, str] | None:
    """The rule that keeps a unit out of another segment, and what a refusal says of it."""
    if battle.aim.get(unit) == aim:
        return "bg-6.5.3-announce", "stands-there"
    if line is None:  # at sea
        return None if aim in sea_aims(state, battle, unit, side) else ("bg-6.5.3-sub-split", "no-such-target")
    if aim not in (AT_LAND, AT_AIR):
        return "bg-6.5.3-segments", "no-such-target"
    if not ATLAS.is_land[unit]:
        if aim == AT_AIR:
            return None if line.theirs else ("bg-6.5.3-switch", "no-such-target")
        if battle.kind == BOMBING and (side == 1 or ATLAS.type[unit] == TF):
            return "bg-6.5.6-tf", "cannot-bomb"
        if line.up - 1 < line.needed_up:
            return "bg-6.5.3-stronger-air", "must-stay-up"
        if battle.kind == LAND_BATTLE and not line.has_foes_on_land:
            return "bg-6.5.3-switch", "no-such-target"
        return None
    if ATLAS.is_hq[unit] or battle.kind == BOMBING:
        return "bg-1.2-hq-no-factor", "no-such-target"
    if aim == AT_LAND:
        return None if line.has_foes_on_land else ("bg-6.5.3-switch", "no-such-target")
    if state.flags[unit] & OUT:
        return "bg-6.1-effect-aa", "no-anti-air"
    return None if line.spare_flak > 0 else ("bg-6.5.3-aa-excess", "no-excess")


def assignments(state: BKState, battle: Battle, side: int) -> dict[int, list[int]]:
    """Return the units that a side may still put elsewhere, each with the segments open to it."""
    if not state.advanced:
        return {}
    if battle.kind == LAND_BATTLE and not flyers(battle.attackers) and not flyers(battle.defenders):
        return {}  # there is but one segment
    at_sea = battle.kind == SEA_BATTLE
    aims, line = (SEA_AIMS, None) if at_sea else (LAND_AIMS, Line(battle, side))
    out: dict[int, list[int]] = {}
    for unit in army(battle, side):
        open_to = [aim for aim in aims if _bar(state, battle, unit, aim, side, line) is None]
        if open_to:
            out[unit] = open_to
    return out
