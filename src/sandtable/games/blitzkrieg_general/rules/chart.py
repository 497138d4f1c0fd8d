"""The battle chart: who takes part, who may be hit by what, and who stands in which segment (6.5.3, 6.5.7)."""

from __future__ import annotations

from sandtable.core import Refusal

from ..model.atlas import AIR, CONVOY, SUB, TF, atlas
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
)
from .flying import units_on_missions
from .movement import label
from .strength import effective

AIMS = ("land", "air", "ships", "subs")
LAND_AIMS, SEA_AIMS = (AT_LAND, AT_AIR), (AT_SHIPS, AT_SUBS, AT_AIR)


def the_battle(state: BKState) -> Battle:
    """The battle that is being fought."""
    assert state.battle is not None
    return state.battle


def army(battle: Battle, side: int) -> list[int]:
    """Units of a side: 0 the phasing side, 1 the other."""
    return battle.defenders if side else battle.attackers


def steps_left(state: BKState, unit: int) -> int:
    """Hits a unit can still take. [bg-6.5.7-two-hits] [bg-6.5.7-blank-back] [bg-6.5.7-hq-one-hit]"""
    return 1 if state.flipped[unit] or atlas().back[unit] < 0 else 2


def is_flyer(unit: int) -> bool:
    """Aircraft and Task Forces in a land battle."""
    return not atlas().is_land[unit]


def flyers(units: list[int]) -> list[int]:
    is_land = atlas().is_land
    return [u for u in units if not is_land[u]]


def land_units(units: list[int]) -> list[int]:
    found = atlas()
    return [u for u in units if found.is_land[u]]


def fighters(units: list[int]) -> list[int]:
    """Land units that can fire: not the HQs."""
    found = atlas()
    return [u for u in units if found.is_land[u] and not found.is_hq[u]]


# ---- who takes part -----------------------------------------------------------------------------------------------
def gather(state: BKState, space: int, kind: int) -> Battle:
    """The units of both sides for a battle in a space."""
    found = atlas()
    battle = Battle(space=space, kind=kind)
    # an aircraft that watches a zone fights whom it has found there, but not in the phase in which it was posted
    fliers = [
        u for u in units_on_missions(state)
        if state.mission[u] == space
        and (not state.flags[u] & STATIONED or state.side[state.nation[u]] != state.phasing)
    ]  # fmt: skip
    raid = kind == BOMBING
    present = [
        u for u in state.here[space]
        if state.mission[u] < 0 and not state.flags[u] & FOUGHT and state.carrier[u] < 0
    ]  # fmt: skip
    for unit in (*present, *(u for u in fliers if state.carrier[u] < 0)):
        on_mission = state.mission[unit] == space
        if on_mission and raid != bool(state.flags[unit] & BOMBER) and state.side[state.nation[unit]] == state.phasing:
            continue
        (battle.attackers if state.side[state.nation[unit]] == state.phasing else battle.defenders).append(unit)
    fought = [
        u for u in battle.attackers if any(at_war(state, state.nation[u], state.nation[v]) for v in battle.defenders)
    ]
    if kind == SEA_BATTLE:
        battle.attackers = fought
        battle.defenders = [
            v
            for v in battle.defenders
            if any(at_war(state, state.nation[u], state.nation[v]) for u in battle.attackers)
        ]
    battle.air_only = not any(found.is_land[u] or found.is_ship[u] for u in battle.attackers)
    return battle


# ---- who can be hit -----------------------------------------------------------------------------------------------
def targets(state: BKState, battle: Battle, side: int, aim: int) -> list[int]:
    """Units of a side that hits of this kind may fall on. [bg-6.5.7-by-segment] [bg-6.5.7-aa-not-loss]
    [bg-6.5.7-air-switch]
    [bg-6.5.7-cargo-immune] [bg-ex-adv-lwow-air-loss]"""
    found = atlas()
    units, foes = army(battle, side), army(battle, 1 - side)
    if not state.advanced:
        return list(units)
    if battle.kind == SEA_BATTLE:
        if aim == AT_SHIPS:
            return [u for u in units if found.type[u] in (TF, CONVOY)]
        if aim == AT_SUBS:
            return [u for u in units if found.type[u] == SUB]
        return [u for u in units if found.type[u] == AIR]
    if aim == AT_AIR:
        alone = battle.kind == LAND_BATTLE and not flyers(foes)
        return [u for u in flyers(units) if alone or battle.aim.get(u) == AT_AIR or battle.kind == BOMBING]
    if battle.kind == BOMBING:
        return []
    no_aircraft = not flyers(units)
    return [u for u in land_units(units) if no_aircraft or battle.aim.get(u) == AT_LAND]


def capacity(state: BKState, battle: Battle, side: int, aim: int) -> int:
    """Hits of this kind that a side can still take. [bg-6.5.7-excess]"""
    left = [steps_left(state, u) for u in targets(state, battle, side, aim)]
    return sum(left) - battle.hits[side * 4 + aim]


# ---- who stands where ---------------------------------------------------------------------------------------------
def set_aims(state: BKState, battle: Battle) -> None:
    """Put every unit where the rules force it, or where it does most good. [bg-6.5.3-segments] [bg-6.5.3-weaker-air]
    [bg-6.5.3-stronger-air] [bg-6.5.3-aa-placement]"""
    battle.aim = {}
    for side in (0, 1):
        if battle.kind == SEA_BATTLE:
            _aim_at_sea(state, battle, side)
        else:
            _aim_on_land(state, battle, side)


def _aim_at_sea(state: BKState, battle: Battle, side: int) -> None:
    for unit in army(battle, side):
        choices = sea_aims(state, battle, unit, side)
        battle.aim[unit] = choices[0] if choices else AT_SHIPS


def sea_aims(state: BKState, battle: Battle, unit: int, side: int) -> list[int]:
    """Kinds of targets a unit may choose at sea. [bg-6.5.3-sub-split] [bg-6.5.3-sub-v-sub] [bg-6.5.3-land-v-ships]"""
    found = atlas()
    if not state.advanced:
        return [AT_SHIPS]
    foes = {found.type[u] for u in army(battle, 1 - side)}
    out = []
    if foes & {TF, CONVOY}:
        out.append(AT_SHIPS)
    if SUB in foes and found.type[unit] != SUB:
        out.append(AT_SUBS)
    if AIR in foes and found.type[unit] != SUB:
        out.append(AT_AIR)
    return out


def _aim_on_land(state: BKState, battle: Battle, side: int) -> None:
    units, foes = army(battle, side), army(battle, 1 - side)
    mine, theirs = flyers(units), flyers(foes)
    for unit in units:
        battle.aim[unit] = AT_LAND
    if not state.advanced:
        return
    if battle.kind == BOMBING:
        order = sorted(mine, key=lambda u: (atlas().type[u] != TF, state.flags[u] & (BOMBER | ATOM), u))
        for unit in order[: len(theirs)] if side == 0 else mine:
            battle.aim[unit] = AT_AIR
        for unit in mine:
            if atlas().type[unit] == TF:
                battle.aim[unit] = AT_AIR
        for unit in land_units(units):
            battle.aim[unit] = AT_AIR
        return
    needed = min(len(mine), len(theirs))
    by_strength = sorted(mine, key=lambda u: (-effective(state, battle, u, AT_AIR), u))
    for unit in by_strength[:needed]:
        battle.aim[unit] = AT_AIR
    if not land_units(foes):
        for unit in (*fighters(units), *mine):
            if theirs:
                battle.aim[unit] = AT_AIR


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
    """Whether a unit may be put into another segment. [bg-6.5.3-announce] [bg-6.5.3-switch] [bg-6.5.3-aa-excess]
    [bg-6.5.6-separate]"""
    line = Line(battle, side) if battle.kind != SEA_BATTLE else None
    found = _bar(state, battle, unit, aim, side, line)
    if found is None:
        return None
    rule, reason = found
    if reason == "must-stay-up":
        assert line is not None
        return Refusal(rule, reason, enemies=line.theirs)
    return Refusal(rule, reason, unit=label(unit))


def _bar(state: BKState, battle: Battle, unit: int, aim: int, side: int, line: Line | None) -> tuple[str, str] | None:
    """The rule that keeps a unit out of another segment, and what a refusal says of it."""
    found = atlas()
    if battle.aim.get(unit) == aim:
        return "bg-6.5.3-announce", "stands-there"
    if line is None:  # at sea
        return None if aim in sea_aims(state, battle, unit, side) else ("bg-6.5.3-sub-split", "no-such-target")
    if aim not in (AT_LAND, AT_AIR):
        return "bg-6.5.3-segments", "no-such-target"
    if not found.is_land[unit]:
        if aim == AT_AIR:
            return None if line.theirs else ("bg-6.5.3-switch", "no-such-target")
        if battle.kind == BOMBING and (side == 1 or found.type[unit] == TF):
            return "bg-6.5.6-tf", "cannot-bomb"
        if line.up - 1 < line.needed_up:
            return "bg-6.5.3-stronger-air", "must-stay-up"
        if battle.kind == LAND_BATTLE and not line.has_foes_on_land:
            return "bg-6.5.3-switch", "no-such-target"
        return None
    if found.is_hq[unit] or battle.kind == BOMBING:
        return "bg-1.2-hq-no-factor", "no-such-target"
    if aim == AT_LAND:
        return None if line.has_foes_on_land else ("bg-6.5.3-switch", "no-such-target")
    if state.flags[unit] & OUT:
        return "bg-6.1-effect-aa", "no-anti-air"
    return None if line.spare_flak > 0 else ("bg-6.5.3-aa-excess", "no-excess")


def assignments(state: BKState, battle: Battle, side: int) -> dict[int, list[int]]:
    """What a side may still change."""
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
