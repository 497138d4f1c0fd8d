"""6.5 Combat: the battles of a phase one after the other, and the rounds of one battle on the chart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Refusal, Role, Step

from ..model import events as ev
from ..model.actions import Assign, Dive, Ready, TakeHit
from ..model.atlas import CONVOY, MAJORS, SIDES, SUB, TF, atlas
from ..model.state import (
    AT_AIR,
    AT_LAND,
    AT_SHIPS,
    AT_SUBS,
    ATOM,
    BOMBING,
    LAND_BATTLE,
    SEA_BATTLE,
    Battle,
    BKPlay,
    BKState,
    acting,
    changed,
    enemy_side,
    remove,
)
from .card_rules import may_anybody_cut_in
from .chart import (
    AIMS,
    army,
    assignments,
    capacity,
    flyers,
    sea_aims,
    set_aims,
    steps_left,
    targets,
    the_battle,
    why_not_assign,
)
from .movement import label, uid
from .reach import name
from .search import fleets, leader_of, roll_search
from .strength import effective, extra_dice


# ---- one battle ---------------------------------------------------------------------------------------------------
class Fight(Step, frozen=True, tag="bg.fight"):
    """A battle goes round by round: place on the chart, fire, take hits, retreat or fight on."""

    rule = "bg-6.5.1-complete"
    stage: str
    role: str = ""
    side: int = 0

    def run(self, m: Play[BKState]) -> None:
        if not self.role:
            STAGES[self.stage](m, self)

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,) if self.role else ()

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        battle = the_battle(m.state)
        if self.stage == "dive":
            return [Choices([Dive(True), Dive(False)], rule="bg-6.4.3e-col-asw")]
        if self.stage == "assign":
            return assign_offers(m, battle, self.side)
        return hit_offers(m, battle, self.side)

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        state, found = m.state, atlas()
        battle = the_battle(state)
        if isinstance(action, Assign):
            battle.aim[found.unit_of[action.unit]] = AIMS.index(action.target)
        elif isinstance(action, Ready):
            m.replace(Fight("assign", "", 1) if self.side == 0 else Fight("fire"))
        elif isinstance(action, TakeHit):
            unit = found.unit_of[action.unit]
            aim = pending_aim(state, battle, self.side)
            battle.hits[self.side * 4 + aim] -= 1
            take_hit(m, unit)
            m.replace(Fight("hits", "", self.side))
        elif isinstance(action, Dive):
            _dive(m, battle, self.side, action.dive)


# a stage in which nobody is asked goes over into the next one at once
_DIVE = tuple(Fight("dive", "", side) for side in (0, 1, 2))
_ASSIGN = tuple(Fight("assign", "", side) for side in (0, 1))
_HITS = tuple(Fight("hits", "", side) for side in (0, 1))


def _stage_open(m: BKPlay, step: Fight) -> None:
    """Cards, the coastal defence, diving submarines; or nothing at all to fight."""
    battle = the_battle(m.state)
    fought = m.state.advanced and battle.attackers and battle.defenders
    if fought and may_anybody_cut_in(m.state, "battle"):
        m.replace(Fight("coast"))
        if m.window("battle", _eligible(m)):
            return
    _stage_coast(m, step)


def _eligible(m: BKPlay) -> list[str]:
    return [MAJORS[n] for side in (m.state.phasing, enemy_side(m.state.phasing)) for n in acting(m.state, side)]


def _stage_coast(m: BKPlay, step: Fight) -> None:
    """Every invaded area defends itself with one die. [bg-6.5.4-coastal-defence] [bg-6.5.4-coastal-six]"""
    state = m.state
    battle = the_battle(state)
    if not (battle.coastal and battle.invaders):
        _stage_dive(m, _DIVE[0])
    else:
        m.replace(_DIVE[0])
        die = m.roll(6, why="bg-6.5.4-coastal-defence")
        m.emit(ev.CoastalDefence(space=name(battle.space), die=die))
        if die % 2 == 0:
            from .aftermath import CoastalHit

            m.push(CoastalHit(die == 6))


def _stage_dive(m: BKPlay, step: Fight) -> None:
    """Submarines in company may dive before a sea battle, unless they are found. [bg-6.4.3e-col-asw]"""
    state, found = m.state, atlas()
    battle = the_battle(state)
    if step.side == 2 or battle.kind != SEA_BATTLE or not state.advanced:
        _stage_round(m, step)
        return
    mine = army(battle, step.side)
    subs = [u for u in mine if found.type[u] == SUB]
    if subs and len(subs) < len([u for u in mine if found.is_ship[u]]) and army(battle, 1 - step.side):
        side = state.phasing if step.side == 0 else enemy_side(state.phasing)
        m.replace(Fight("dive", leader_of(state, subs, side), step.side))
    else:
        _stage_dive(m, _DIVE[step.side + 1])


def _dive(m: BKPlay, battle: Battle, side: int, dive: bool) -> None:
    state, found = m.state, atlas()
    if dive:
        mine = army(battle, side)
        subs = [u for u in mine if found.type[u] == SUB]
        seekers = [u for u in army(battle, 1 - side) if found.type[u] != SUB]
        hunter = enemy_side(state.phasing) if side == 0 else state.phasing
        if not seekers or not roll_search(m, hunter, battle.space, seekers, subs):
            mine[:] = [u for u in mine if u not in subs]
    m.replace(Fight("dive", "", side + 1))


def _stage_round(m: BKPlay, step: Fight) -> None:
    """A round begins, if there is anybody to fight. [bg-6.5.8-continue]"""
    state = m.state
    battle = the_battle(state)
    battle.volley = 0
    battle.hits = [0] * 8
    raid = battle.kind == BOMBING  # bombs fall also where nobody defends
    if not battle.attackers or not (battle.defenders or raid):
        m.replace(Fight("after"))
        return
    set_aims(state, battle)
    if not can_anybody_fire(state, battle):
        m.replace(Fight("stalemate"))
        return
    _stage_assign(m, _ASSIGN[0])


def can_anybody_fire(state: BKState, battle: Battle) -> bool:
    """Whether anybody has strength, and at sea somebody to use it on: submarines cannot fight each other.
    [bg-6.5.2-zero] [bg-6.5.3-sub-v-sub]"""
    if battle.kind == BOMBING or extra_dice(state, battle):
        return True
    at_sea = battle.kind == SEA_BATTLE
    return any(
        effective(state, battle, unit, battle.aim.get(unit, AT_LAND)) > 0
        for side in (0, 1)
        for unit in army(battle, side)
        if not at_sea or sea_aims(state, battle, unit, side)
    )


def _stage_assign(m: BKPlay, step: Fight) -> None:
    """Attacker first, each side announces who fights where; nobody is asked where there is no choice.
    [bg-6.5.3-announce]"""
    state = m.state
    battle = the_battle(state)
    if assignments(state, battle, step.side):
        side = state.phasing if step.side == 0 else enemy_side(state.phasing)
        m.replace(Fight("assign", leader_of(state, army(battle, step.side), side), step.side))
    elif step.side == 0:
        _stage_assign(m, _ASSIGN[1])
    else:
        _stage_fire(m, step)


def assign_offers(m: BKPlay, battle: Battle, side: int) -> list[Offer]:
    state, found = m.state, atlas()
    choices = assignments(state, battle, side)
    out: list[Offer] = []
    if choices:

        def why_unit(value: str) -> Refusal | None:
            one = found.unit_of.get(value, -1)
            if one not in army(battle, side):
                return None
            other = AT_LAND if battle.aim.get(one) == AT_AIR else AT_AIR
            return why_not_assign(state, battle, one, other, side)

        def why(ident: str, value: str) -> Refusal | None:
            return (
                why_not_assign(state, battle, found.unit_of[ident], AIMS.index(value), side) if value in AIMS else None
            )

        out.append(
            Offer(
                Assign,
                Field("unit", "unit", OneOf([uid(u) for u in choices], why=why_unit)),
                Field(
                    "target",
                    "choice",
                    lambda u: OneOf([AIMS[a] for a in choices[found.unit_of[u]]], why=lambda v: why(u, v)),
                ),
                rule="bg-6.5.3-announce",
            )
        )
    out.append(Choices([Ready()], rule="bg-6.5.3-announce"))
    return out


# ---- firing -------------------------------------------------------------------------------------------------------
def volley(state: BKState, battle: Battle, number: int) -> list[tuple[int, int]]:
    """Who fires together: submarines first, then a side that surprises, then the rest; as (side, unit).
    [bg-6.5.3-first-shot]
    [bg-card-surprise] [bg-6.5.1-simultaneous]"""
    found = atlas()
    out = []
    if battle.first < 0 and not (state.advanced and battle.kind == SEA_BATTLE):  # nobody fires before the others
        if number < 2:
            return []
        return [*[(0, unit) for unit in battle.attackers], *[(1, unit) for unit in battle.defenders]]
    for side in (0, 1):
        for unit in army(battle, side):
            sub = state.advanced and battle.kind == SEA_BATTLE and found.type[unit] == SUB
            first = battle.first == side and (battle.surprise < 0 or state.nation[unit] == battle.surprise)
            turn = 0 if sub else 1 if first else 2
            if turn == number:
                out.append((side, unit))
    return out


FIRE_ORDER = {AT_SHIPS: 0, AT_SUBS: 1, AT_AIR: 2, AT_LAND: 3}
"""Who fires at ships comes first, who fires at land units last."""


def _stage_fire(m: BKPlay, step: Fight) -> None:
    """Every unit of the volley fires, the phasing side first, from the strongest down. [bg-6.5.1-one-die]
    [bg-6.5.1-armor-twice]
    [bg-6.5.1-no-fire] [bg-6.5.1-hit]"""
    state = m.state
    battle = the_battle(state)
    number = battle.volley
    shooters = volley(state, battle, number)
    while not shooters and number < 2:
        number += 1
        shooters = volley(state, battle, number)
    extra = extra_dice(state, battle) if number == 2 else []
    values = {u: effective(state, battle, u, battle.aim.get(u, AT_LAND)) for _, u in shooters}
    room = Room(state, battle)
    for side in (0, 1):
        # where each stands now: whoever turns to another segment within the round does not fire again there
        stands = {u: battle.aim.get(u, AT_LAND) for s, u in shooters if s == side}
        for _, _, unit in sorted([(FIRE_ORDER[aim], -values[u], u) for u, aim in stands.items()]):
            _fire(m, battle, side, unit, stands[unit], values[unit], room)
    for card, value in extra:
        _shoot(m, battle, 1, f"@{card}", value, 1, AT_LAND, room.left(0, AT_LAND))
    battle.volley = number + 1
    if shooters or extra:
        _stage_hits(m, _HITS[0])
    else:
        m.replace(Fight("after"))


class Room:
    """Hits that both sides can still take while a volley is fired: counted anew only when somebody turns elsewhere."""

    __slots__ = ("_all", "battle", "state")

    def __init__(self, state: BKState, battle: Battle) -> None:
        self.state, self.battle = state, battle
        self._all: dict[int, int] = {}

    def left(self, side: int, aim: int) -> int:
        row = side * 4 + aim
        if row not in self._all:
            self._all[row] = capacity(self.state, self.battle, side, aim) + self.battle.hits[row]
        return self._all[row] - self.battle.hits[row]

    def turned(self) -> None:
        self._all.clear()


def _fire(m: BKPlay, battle: Battle, side: int, unit: int, aim: int, value: int, places: Room) -> None:
    state, found = m.state, atlas()
    if battle.kind == BOMBING and aim == AT_LAND and side == 0:
        _drop_bombs(m, battle, unit, value)
        return
    room = places.left(1 - side, aim)
    if room <= 0:
        # everybody there is covered: a flyer that has not fired may turn to the land segment within the round
        if aim != AT_AIR or battle.kind != LAND_BATTLE or not flyers([unit]):
            return
        aim = battle.aim[unit] = AT_LAND
        places.turned()
        value = effective(state, battle, unit, AT_LAND)
        room = places.left(1 - side, AT_LAND)
        if room <= 0:
            return
    shots = found.shots[unit]
    if battle.kamikaze and found.is_air[unit] and found.nation_ids[state.nation[unit]] == "japan":
        shots = 2
    _shoot(m, battle, side, label(unit), value, shots, aim, room)


def _shoot(m: BKPlay, battle: Battle, side: int, who: str, value: int, shots: int, aim: int, room: int) -> None:
    """So many dice, as long as there is anybody left to be hit."""
    if value <= 0:
        return
    dice: list[int] = []
    hits = 0
    while len(dice) < shots and hits < room:
        die = m.roll(6, why="bg-6.5.1-hit")
        dice.append(die)
        if die <= value:
            hits += 1
            battle.taken += side
            battle.hits[(1 - side) * 4 + aim] += 1
    if dice:
        m.emit(ev.Fired(unit=who, strength=value, dice=tuple(dice), hits=hits))


def _drop_bombs(m: BKPlay, battle: Battle, unit: int, value: int) -> None:
    """[bg-6.5.6-hit] [bg-6.5.6-once]"""
    if value <= 0 or m.state.flags[unit] & ATOM:
        return
    die = m.roll(6, why="bg-6.5.6-hit")
    hit = die <= value
    m.emit(ev.Fired(unit=label(unit), strength=value, dice=(die,), hits=int(hit)))
    battle.bombs += hit


# ---- hits ---------------------------------------------------------------------------------------------------------
def pending_aim(state: BKState, battle: Battle, side: int) -> int:
    """The kind of hits a side has to take next; -1 when there are none."""
    for aim in range(4):
        if battle.hits[side * 4 + aim] > 0:
            return aim
    return -1


def _stage_hits(m: BKPlay, step: Fight) -> None:
    """The owner spreads the hits; where they are more than enough everything dies at once. [bg-6.5.7-owner-choice]
    [bg-6.5.7-excess]"""
    state = m.state
    battle = the_battle(state)
    aim = pending_aim(state, battle, step.side)
    if aim < 0:
        if step.side == 0:
            _stage_hits(m, _HITS[1])
        elif battle.volley <= 2:
            _stage_fire(m, step)
        else:
            m.replace(Fight("after"))
        return
    units = targets(state, battle, step.side, aim)
    hits = battle.hits[step.side * 4 + aim]
    if not units:
        battle.hits[step.side * 4 + aim] = 0
    elif hits >= sum(steps_left(state, u) for u in units):
        battle.hits[step.side * 4 + aim] = 0
        for unit in units:
            for _ in range(steps_left(state, unit)):
                take_hit(m, unit)
    elif len(units) == 1:
        battle.hits[step.side * 4 + aim] -= 1
        take_hit(m, units[0])
    else:
        side = state.phasing if step.side == 0 else enemy_side(state.phasing)
        m.replace(Fight("hits", leader_of(state, units, side), step.side))
        return
    _stage_hits(m, _HITS[step.side])


def hit_offers(m: BKPlay, battle: Battle, side: int) -> list[Offer]:
    state, found = m.state, atlas()
    aim = pending_aim(state, battle, side)
    units = targets(state, battle, side, aim)

    def why(value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        if unit not in army(battle, side):
            return None
        if found.is_land[unit] and aim == AT_AIR:
            return Refusal("bg-6.5.7-aa-not-loss", "anti-air-no-loss", unit=label(unit))
        return Refusal("bg-6.5.7-by-segment", "other-segment", unit=label(unit))

    return [
        Offer(TakeHit, Field("unit", "unit", OneOf([uid(u) for u in units], why=why)), rule="bg-6.5.7-owner-choice")
    ]


def take_hit(m: BKPlay, unit: int) -> None:
    """A unit is flipped or dies; what a convoy carries suffers with it. [bg-6.5.7-two-hits] [bg-6.5.7-blank-back]
    [bg-6.5.7-cargo]"""
    state = m.state
    battle = state.battle
    for load in state.cargo.get(unit, ()):
        take_hit(m, load)
    lost = steps_left(state, unit) == 1
    m.emit(ev.Hit(unit=label(unit), lost=lost))
    if not lost:
        state.flipped = changed(state.flipped, unit, 1)
        return
    remove(state, unit)
    if battle is not None:
        for units in (battle.attackers, battle.defenders, battle.invaders):
            if unit in units:
                units.remove(unit)


STAGES = {
    "open": _stage_open,
    "coast": _stage_coast,
    "dive": _stage_dive,
    "round": _stage_round,
    "assign": _stage_assign,
    "fire": _stage_fire,
    "hits": _stage_hits,
}
"""How each stage begins. What comes after a round is in `retreat`, which adds its own."""

__all__ = ["CONVOY", "SIDES", "TF", "fleets"]
