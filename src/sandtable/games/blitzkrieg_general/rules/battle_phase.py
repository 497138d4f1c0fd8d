"""6.5 Combat: the rounds of one battle on the chart, and the question whether to fight on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from sandtable.core import Choices, Field, Offer, OneOf, Refusal, Role, Step
from sandtable.core.columns import having

from ..facts.politics import acting
from ..model import events as ev
from ..model.actions import Assign, Dive, Ready, Retreat, TakeHit, Withdraw
from ..model.atlas import ATLAS, MAJORS, label, name, unit_id
from ..model.state import (
    AT_AIR,
    AT_LAND,
    BOMBING,
    FOUGHT,
    LAND_BATTLE,
    SEA_BATTLE,
    Battle,
    BKState,
    M,
    enemy_side,
    mark,
    move_unit,
    remove,
    the_battle,
)
from .aftermath_phase import close
from .bombing import finish_raid
from .cards.playing import may_anybody_cut_in
from .chart import AIMS, army, assignments, flyers, land_units, leave, set_aims, steps_left, targets, why_not_assign
from .fire import LAST_VOLLEY, Volley, can_anybody_fire, count_off, pending_aim, take_hit, volley
from .politics import leader_of
from .retreat import go_on_to_partners, land_retreats, may_fly_off, sea_retreats, send_off, why_not_retreat
from .search import cancel_landings, roll_search
from .strength import extra_dice


class Fight(Step, frozen=True, tag="bg.fight"):
    """A battle goes round by round: place on the chart, fire, take hits, retreat or fight on."""

    rule = "bg-6.5.1-complete"
    stage: str
    role: str = ""
    side: int = 0

    def run(self, m: M) -> None:
        if not self.role:
            STAGES[self.stage](m, self)

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,) if self.role else ()

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        battle = the_battle(m.state)
        if self.stage == "dive":
            return [Choices([Dive(True), Dive(False)], rule="bg-6.4.3e-col-asw")]
        if self.stage == "assign":
            return assign_offers(m, battle, self.side)
        return hit_offers(m, battle, self.side)

    def take(self, m: M, role: Role, action: Any) -> None:
        state = m.state
        battle = the_battle(state)
        if isinstance(action, Assign):
            unit, aim = ATLAS.unit_of[action.unit], AIMS.index(action.target)
            state.battle = replace(battle, aim=having(battle.aim, unit, aim))
        elif isinstance(action, Ready):
            m.replace(Fight("assign", "", 1) if self.side == 0 else Fight("fire"))
        elif isinstance(action, TakeHit):
            count_off(state, self.side, pending_aim(battle, self.side), 1)
            take_hit(m, ATLAS.unit_of[action.unit])
            m.replace(Fight("hits", "", self.side))
        elif isinstance(action, Dive):
            if action.dive:
                _dive(m, self.side)
            m.replace(Fight("dive", "", self.side + 1))


# a stage in which nobody is asked goes over into the next one at once
_DIVE = tuple(Fight("dive", "", side) for side in (0, 1, 2))
_ASSIGN = tuple(Fight("assign", "", side) for side in (0, 1))
_HITS = tuple(Fight("hits", "", side) for side in (0, 1))


def _side(state: BKState, side: int) -> int:
    """The alliance that is the phasing side (0) or the other one (1) of a battle."""
    return state.phasing if side == 0 else enemy_side(state.phasing)


# ---- before the first round ---------------------------------------------------------------------------------------
def _stage_open(m: M, step: Fight) -> None:
    """Cards, the coastal defence, diving submarines; or nothing at all to fight."""
    state = m.state
    battle = the_battle(state)
    fought = state.advanced and battle.attackers and battle.defenders
    if fought and may_anybody_cut_in(state, "battle"):
        m.replace(Fight("coast"))
        if m.window("battle", [MAJORS[n] for side in (0, 1) for n in acting(state, _side(state, side))]):
            return
    _stage_coast(m, step)


def _stage_coast(m: M, step: Fight) -> None:
    """Every invaded area defends itself with one die. [bg-6.5.4-coastal-defence] [bg-6.5.4-coastal-six]"""
    battle = the_battle(m.state)
    if not (battle.coastal and battle.invaders):
        _stage_dive(m, _DIVE[0])
        return
    m.replace(_DIVE[0])
    die = m.roll(why="bg-6.5.4-coastal-defence")
    m.emit(ev.CoastalDefence(space=name(battle.space), die=die))
    if die % 2 == 0:
        m.push(CoastalHit(die == 6))


class CoastalHit(Step, frozen=True, tag="bg.coastal-hit"):
    """The coastal defence hits one landed unit, with a 6 its convoy too. [bg-6.5.4-coastal-defence]
    [bg-6.5.4-coastal-six]
    [bg-10.2-landing-convoys]"""

    rule = "bg-6.5.4-coastal-defence"
    convoy_too: bool

    def run(self, m: M) -> None:
        units = the_battle(m.state).invaders
        if len(units) <= 1:
            m.pop()
            if units:
                self._hit(m, units[0])

    def _hit(self, m: M, unit: int) -> None:
        state = m.state
        convoy = state.start[unit]
        take_hit(m, unit)
        if self.convoy_too and state.place[convoy] >= 0 and ATLAS.is_ship[convoy]:
            take_hit(m, convoy)

    def roles(self, m: M) -> Sequence[Role]:
        return (leader_of(m.state, the_battle(m.state).invaders, m.state.phasing),)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        ids = [unit_id(u) for u in the_battle(m.state).invaders]
        return [Offer(TakeHit, Field("unit", "unit", OneOf(ids)), rule=self.rule)]

    def take(self, m: M, role: Role, action: TakeHit) -> None:
        m.pop()
        self._hit(m, ATLAS.unit_of[action.unit])


def _stage_dive(m: M, step: Fight) -> None:
    """Submarines in company may dive before a sea battle, unless they are found. [bg-6.4.3e-col-asw]"""
    state = m.state
    battle = the_battle(state)
    if step.side == 2 or battle.kind != SEA_BATTLE or not state.advanced:
        _stage_round(m, step)
        return
    mine = army(battle, step.side)
    subs = [u for u in mine if ATLAS.is_sub[u]]
    if subs and len(subs) < len([u for u in mine if ATLAS.is_ship[u]]) and army(battle, 1 - step.side):
        m.replace(Fight("dive", leader_of(state, subs, _side(state, step.side)), step.side))
    else:
        _stage_dive(m, _DIVE[step.side + 1])


def _dive(m: M, side: int) -> None:
    """The submarines of a side leave the battle unless they are found."""
    battle = the_battle(m.state)
    subs = [u for u in army(battle, side) if ATLAS.is_sub[u]]
    seekers = [u for u in army(battle, 1 - side) if not ATLAS.is_sub[u]]
    if not seekers or not roll_search(m, _side(m.state, 1 - side), battle.space, seekers, subs):
        m.state.battle = leave(battle, subs)


# ---- a round ------------------------------------------------------------------------------------------------------
def _stage_round(m: M, step: Fight) -> None:
    """A round begins, if there is anybody to fight. [bg-6.5.8-continue]"""
    state = m.state
    battle = replace(the_battle(state), volley=0, hits=(0,) * 8)
    state.battle = battle
    raid = battle.kind == BOMBING  # bombs fall also where nobody defends
    if not battle.attackers or not (battle.defenders or raid):
        m.replace(Fight("after"))
        return
    state.battle = set_aims(state, battle)
    if not can_anybody_fire(state, state.battle):
        m.replace(Fight("stalemate"))
        return
    _stage_assign(m, _ASSIGN[0])


def _stage_assign(m: M, step: Fight) -> None:
    """Attacker first, each side announces who fights where; nobody is asked where there is no choice.
    [bg-6.5.3-announce]"""
    state = m.state
    battle = the_battle(state)
    if assignments(state, battle, step.side):
        leader = leader_of(state, army(battle, step.side), _side(state, step.side))
        m.replace(Fight("assign", leader, step.side))
    elif step.side == 0:
        _stage_assign(m, _ASSIGN[1])
    else:
        _stage_fire(m, step)


def assign_offers(m: M, battle: Battle, side: int) -> list[Offer]:
    state = m.state
    choices = assignments(state, battle, side)
    out: list[Offer] = []
    if choices:

        def why_unit(value: str) -> Refusal | None:
            one = ATLAS.unit_of.get(value, -1)
            if one not in army(battle, side):
                return None
            other = AT_LAND if battle.aim.get(one) == AT_AIR else AT_AIR
            return why_not_assign(state, battle, one, other, side)

        def why(ident: str, value: str) -> Refusal | None:
            return (
                why_not_assign(state, battle, ATLAS.unit_of[ident], AIMS.index(value), side) if value in AIMS else None
            )

        out.append(
            Offer(
                Assign,
                Field("unit", "unit", OneOf([unit_id(u) for u in choices], why=why_unit)),
                Field(
                    "target",
                    "choice",
                    lambda u: OneOf([AIMS[a] for a in choices[ATLAS.unit_of[u]]], why=lambda v: why(u, v)),
                ),
                rule="bg-6.5.3-announce",
            )
        )
    out.append(Choices([Ready()], rule="bg-6.5.3-announce"))
    return out


def _stage_fire(m: M, step: Fight) -> None:
    """The next volley in which anybody fires."""
    state = m.state
    battle = the_battle(state)
    number = battle.volley
    shooters = volley(state, battle, number)
    while not shooters and number < LAST_VOLLEY:
        number += 1
        shooters = volley(state, battle, number)
    Volley(m).fire(number, shooters)
    if shooters or (number == LAST_VOLLEY and extra_dice(state, battle)):
        _stage_hits(m, _HITS[0])
    else:
        m.replace(Fight("after"))


def _stage_hits(m: M, step: Fight) -> None:
    """The owner spreads the hits; where they are more than enough everything dies at once. [bg-6.5.7-owner-choice]
    [bg-6.5.7-excess]"""
    state, side = m.state, step.side
    battle = the_battle(state)
    aim = pending_aim(battle, side)
    if aim < 0:
        if side == 0:
            _stage_hits(m, _HITS[1])
        elif battle.volley <= LAST_VOLLEY:
            _stage_fire(m, step)
        else:
            m.replace(Fight("after"))
        return
    units, hits = targets(state, battle, side, aim), battle.hits[side * 4 + aim]
    if hits >= sum(steps_left(state, u) for u in units):
        count_off(state, side, aim, hits)
        for unit in units:
            for _ in range(steps_left(state, unit)):
                take_hit(m, unit)
    elif len(units) == 1:
        count_off(state, side, aim, 1)
        take_hit(m, units[0])
    else:
        m.replace(Fight("hits", leader_of(state, units, _side(state, side)), side))
        return
    _stage_hits(m, _HITS[side])


def hit_offers(m: M, battle: Battle, side: int) -> list[Offer]:
    state = m.state
    aim = pending_aim(battle, side)
    units = targets(state, battle, side, aim)

    def why(value: str) -> Refusal | None:
        unit = ATLAS.unit_of.get(value, -1)
        if unit not in army(battle, side):
            return None
        if ATLAS.is_land[unit] and aim == AT_AIR:
            return Refusal("bg-6.5.7-aa-not-loss", "anti-air-no-loss", unit=label(unit))
        return Refusal("bg-6.5.7-by-segment", "other-segment", unit=label(unit))

    return [
        Offer(TakeHit, Field("unit", "unit", OneOf([unit_id(u) for u in units], why=why)), rule="bg-6.5.7-owner-choice")
    ]


# ---- after a round ------------------------------------------------------------------------------------------------
def _stage_after(m: M, step: Fight) -> None:
    """The battle ends, somebody is forced out, or both sides are asked. [bg-6.5.9-forced] [bg-6.5.9-both]
    [bg-6.5.10-end]"""
    state = m.state
    battle = the_battle(state)
    if battle.kind == BOMBING:
        finish_raid(m)
        close(m)
        return
    if battle.kind == LAND_BATTLE:
        if not land_units(battle.attackers):
            battle = send_off(state, battle.attackers)
        if land_units(battle.attackers) and not land_units(battle.defenders):
            battle = send_off(state, battle.defenders)
    if not battle.attackers or not battle.defenders or battle.limited:
        close(m)
        return
    m.replace(AskRetreat(0))
    if battle.kind == LAND_BATTLE and battle.round == 1 and m.option("coup-surrender"):
        # the holder of its coup card may let an attacked neutral give up now
        m.window("surrender", [MAJORS[n] for n in acting(state, enemy_side(state.phasing))])


def _stage_stalemate(m: M, step: Fight) -> None:
    """Nobody can fire: on land the phasing side must go, at sea both stay. [bg-6.5.2-zero]"""
    state = m.state
    battle = the_battle(state)
    if battle.kind == LAND_BATTLE:
        send_off(state, flyers(battle.attackers))
        m.replace(Withdrawal(0, tuple(land_units(battle.attackers)), forced=True))
        return
    close(m)


STAGES: Final = {
    "open": _stage_open,
    "coast": _stage_coast,
    "dive": _stage_dive,
    "round": _stage_round,
    "assign": _stage_assign,
    "fire": _stage_fire,
    "hits": _stage_hits,
    "after": _stage_after,
    "stalemate": _stage_stalemate,
}
"""How each stage begins."""


class AskRetreat(Step, frozen=True, tag="bg.ask-retreat"):
    """First the phasing, then the other side: fight on, retreat everything, or only aircraft and Task Forces.
    [bg-6.5.8-ask]
    [bg-6.5.8-air-tf] [bg-6.5.8-continue] [bg-6.4.3f-enemy-adv] [bg-6.4.3f-retreat]"""

    rule = "bg-6.5.8-ask"
    side: int

    def run(self, m: M) -> None:
        battle = the_battle(m.state)
        if not battle.attackers or not battle.defenders:
            close(m)
        elif self.choices(m) == ["fight"]:
            self._fight_on(m)

    def choices(self, m: M) -> list[str]:
        battle = the_battle(m.state)
        out = ["fight"]
        units = army(battle, self.side)
        fleers = may_fly_off(m.state, self.side)
        if why_not_retreat(m.state, self.side) is None:
            out.append("retreat")
        if fleers and len(fleers) < len(units):
            out.append("air")
        if battle.kind == SEA_BATTLE and battle.handicap and self.side == 1:
            out.append("break-off")
        return out

    def roles(self, m: M) -> Sequence[Role]:
        state = m.state
        return (leader_of(state, army(the_battle(state), self.side), _side(state, self.side)),)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        def why(value: str) -> Refusal | None:
            if value == "break-off":
                return Refusal("bg-6.4.3f-enemy-adv", "no-break-off")
            if value == "air":
                return Refusal("bg-6.5.8-air-tf", "no-flight")
            return why_not_retreat(m.state, self.side) if value == "retreat" else None

        return [Offer(Retreat, Field("what", "choice", OneOf(self.choices(m), why=why)), rule="bg-6.5.8-ask")]

    def take(self, m: M, role: Role, action: Retreat) -> None:
        state = m.state
        battle = the_battle(state)
        units = army(battle, self.side)
        if action.what == "fight":
            self._fight_on(m)
        elif action.what == "air":
            send_off(state, may_fly_off(state, self.side))
            self._fight_on(m)
        elif action.what == "break-off":
            close(m)
        elif battle.kind == SEA_BATTLE:
            send_off(state, [u for u in units if ATLAS.is_air[u]])
            m.replace(Withdrawal(self.side, army(the_battle(state), self.side)))
        else:
            send_off(state, flyers(units))
            m.replace(Withdrawal(self.side, tuple(land_units(units))))

    def _fight_on(self, m: M) -> None:
        if self.side == 0:
            m.replace(AskRetreat(1))
        else:
            battle = the_battle(m.state)
            m.state.battle = replace(battle, round=battle.round + 1)
            m.replace(Fight("round"))


class Withdrawal(Step, frozen=True, tag="bg.withdrawal"):
    """Each unit goes where its owner likes. [bg-6.5.8-split] [bg-6.5.8-land] [bg-6.5.8-ships]"""

    rule = "bg-6.5.8-split"
    side: int
    units: tuple[int, ...]
    forced: bool = False

    def run(self, m: M) -> None:
        if not self.units:
            close(m)
            return
        if len(self._ways(m.state, self.units[0])) <= 1:
            self.go_or_fall(m)

    def go_or_fall(self, m: M) -> None:
        """The next unit goes the first way that is open; one without any is lost."""
        unit = self.units[0]
        ways = self._ways(m.state, unit)
        if ways:
            self._go(m, unit, ways[0])
        else:
            self._lose(m, unit)

    def _ways(self, state: BKState, unit: int) -> list[int]:
        return sea_retreats(state, unit) if ATLAS.is_ship[unit] else land_retreats(state, unit)

    def roles(self, m: M) -> Sequence[Role]:
        state = m.state
        return (leader_of(state, self.units[:1], _side(state, self.side)),) if self.units else ()

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        unit = self.units[0]
        return [
            Offer(
                Withdraw,
                Field("unit", "unit", OneOf([unit_id(unit)])),
                Field("to", "space", OneOf(ATLAS.names(self._ways(m.state, unit)), why=lambda to: _no_way(unit, to))),
                rule="bg-6.5.8-split",
            )
        ]

    def take(self, m: M, role: Role, action: Withdraw) -> None:
        self._go(m, self.units[0], ATLAS.space_of[action.to])

    def _go(self, m: M, unit: int, to: int) -> None:
        state = m.state
        m.emit(ev.Retreated(unit=label(unit), origin=name(state.place[unit]), space=name(to)))
        cancel_landings(state, unit)
        move_unit(state, unit, to)
        mark(state, unit, FOUGHT)
        state.battle = leave(the_battle(state), (unit,))
        go_on_to_partners(m, unit)
        m.replace(Withdrawal(self.side, self.units[1:], self.forced))

    def _lose(self, m: M, unit: int) -> None:
        state = m.state
        m.emit(ev.Lost(unit=label(unit), space=name(state.place[unit])))
        state.battle = leave(the_battle(state), (unit,))
        remove(state, unit)
        m.replace(Withdrawal(self.side, self.units[1:], self.forced))


def _no_way(unit: int, value: str) -> Refusal:
    rule = "bg-6.5.8-ships" if ATLAS.is_ship[unit] else "bg-6.5.8-land"
    return Refusal(rule, "no-retreat-there", space=f"@{value}")
