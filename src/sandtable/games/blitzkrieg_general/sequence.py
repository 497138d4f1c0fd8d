"""5.0 The sequence of play: the turn, an action segment, and the phases in which a side moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Offer, Play, Refusal, Role, Step

from . import events as ev
from .actions import (
    Bomb,
    Declare,
    Done,
    DropAtom,
    FireV,
    Fly,
    Form,
    March,
    PlayCard,
    Railroad,
    Raise,
    Rebase,
    Station,
    Support,
)
from .aftermath import Landing
from .atlas import ALLIES, AXIS, FRANCE, GERMANY, JAPAN, MAJORS, SIDES, USSR, atlas
from .battles import Combats
from .cards import CardPhase, play, play_offers, play_what_must_be
from .conquest import check_conquest
from .control import take_control
from .economy import refresh_production
from .flying import (
    bomb_offers,
    declare_offers,
    fly_offers,
    station_offers,
    support_offers,
    take_bomb,
    take_declare,
    take_fly,
    take_station,
    take_support,
)
from .garrison import must_send
from .lazy import Withheld
from .movement import march_offers, take_march
from .naval import call_it_a_day, form_offers, take_form
from .options import ChooseFirst
from .politics import declare
from .production import LendLease, Production, collect_income
from .rail import rail_offers, rail_points, rebase_offers, take_rail, take_rebase
from .reaction import Reaction
from .reinforcements import Reinforcements
from .relations import roster
from .research import Research, take_special
from .research import special_offers as weapon_offers
from .search import NavalReaction, Searches, contested_zones, watched_zones
from .state import (
    AT_SEA,
    CONQUERED,
    DOUBLE,
    FOUGHT,
    MOVED,
    PHASE_FLAGS,
    RAILED,
    REBASED,
    STATIONED,
    BKPlay,
    BKState,
    acting,
    at_war,
    enemy_side,
    without,
)
from .supply import check_supply
from .tables import LIMITS
from .timetable import check_time_table
from .usentry import UsEntry, us_entry
from .victory import check_victory


# ---- the turn -----------------------------------------------------------------------------------------------------
class Turn(Step, frozen=True, tag="bg.turn"):
    """One quarter. [bg-3.0-turn-quarter] [bg-basic-5.0-sequence] [bg-5.0-sequence-init] [bg-5.0-sequence-end]
    [bg-5.0-strict-order]"""

    rule = "bg-5.0-strict-order"
    stage: int = 0

    def run(self, m: Play[BKState]) -> None:
        stages = _ADVANCED if m.state.advanced else _BASIC
        if self.stage == len(stages):
            if m.state.outcome is None:
                m.state.turn += 1
                m.replace(Turn(0))
            return
        m.replace(Turn(self.stage + 1))
        m.cache.clear()
        stages[self.stage](m)


def _time_table(m: BKPlay) -> None:
    m.state.effects = {}
    m.state.bombed = {}
    m.state.special_used = 0
    check_time_table(m)


def _reinforcements(m: BKPlay) -> None:
    """The first turn of 1939 has none: they are on the map already. [bg-quick-skip-reinforcement]"""
    m.push(Reinforcements())


def _initiative(m: BKPlay) -> None:
    """Both sides roll; the higher acts first, a tie goes to the side that lacked it. [bg-5.3-roll] [bg-5.3-tie]
    [bg-5.3-double-turn]"""
    state, found = m.state, atlas()
    if state.turn == found.turn_of[found.data["setups"]["1939"]["start"]]:
        state.initiative = AXIS
        return
    axis = m.roll(6, why="bg-5.3-roll")
    allies = m.roll(6, why="bg-5.3-roll")
    winner = enemy_side(state.initiative) if axis == allies else AXIS if axis > allies else ALLIES
    state.initiative = winner
    m.emit(ev.Initiative(side=f"@{SIDES[winner]}", axis=axis, allies=allies))
    if m.option("alternate-initiative"):
        m.push(ChooseFirst())
    m.window("initiative", [MAJORS[n] for side in (AXIS, ALLIES) for n in acting(state, side)])


def _weather(m: BKPlay) -> None:
    """One die for both maps. [bg-5.4-roll] [bg-5.4-per-map] [bg-scn39-general]"""
    state, found = m.state, atlas()
    start = found.data["setups"]["1939"]
    die = start["weather"]["die"] if state.turn == found.turn_of[start["start"]] else m.roll(6, why="bg-5.4-roll")
    quarter = found.quarter[state.turn] - 1
    state.bad = (int(found.weather[0][quarter][die - 1]), int(found.weather[1][quarter][die - 1]))
    words = [f"@weather-{'bad' if bad else 'good'}" for bad in state.bad]
    m.emit(ev.Weather(europe=words[0], pacific=words[1]))


def _limits(m: BKPlay) -> None:
    """[bg-5.5-limit]"""
    state = m.state
    state.limit_area = (-1, -1)
    state.limit_used = (0, 0)
    if at_war(state, 2, 7):
        state.limit = max(LIMITS["jp_ch_minimum"], m.roll(6, why="bg-5.5-limit"))
        m.emit(ev.LimitSet(units=state.limit))


def _first_segment(m: BKPlay) -> None:
    """[bg-basic-5.0-axis-first] [bg-5.0-sequence-action]"""
    state = m.state
    state.second = False
    m.push(Segment(state.initiative if state.advanced else AXIS))


def _second_segment(m: BKPlay) -> None:
    state = m.state
    state.second = True
    m.push(Segment(enemy_side(state.phasing)))


def _conquest(m: BKPlay) -> None:
    check_conquest(m)


def _us_entry(m: BKPlay) -> None:
    us_entry(m)
    m.push(UsEntry())
    play_what_must_be(m)


def _income(m: BKPlay) -> None:
    collect_income(m)
    if m.state.advanced:
        m.push(LendLease())


def _cards(m: BKPlay) -> None:
    m.push(CardPhase.begin(m))


def _research(m: BKPlay) -> None:
    m.push(Research())


def _production(m: BKPlay) -> None:
    m.push(Production())


def _victory(m: BKPlay) -> None:
    refresh_production(m.state)
    check_victory(m)


_BASIC = (
    _time_table, _reinforcements, _first_segment, _second_segment, _conquest, _income, _production, _victory,
)  # fmt: skip
_ADVANCED = (
    _time_table, _reinforcements, _initiative, _weather, _limits, _first_segment, _second_segment, _conquest,
    _us_entry, _income, _cards, _research, _production, _victory,
)  # fmt: skip


# ---- an action segment --------------------------------------------------------------------------------------------
class Segment(Step, frozen=True, tag="bg.segment"):
    """One side's action segment. [bg-5.0-sequence-action] [bg-basic-5.0-sequence] [bg-6.0-phasing-terms]"""

    rule = "bg-5.0-sequence-action"
    side: int
    stage: int = 0

    def run(self, m: Play[BKState]) -> None:
        if self.stage == len(_SEGMENT):
            m.pop()
            return
        m.replace(Segment(self.side, self.stage + 1))
        m.cache.clear()
        _SEGMENT[self.stage](m, self.side)


def _begin(m: BKPlay, side: int) -> None:
    state = m.state
    state.phasing, state.exploiting = side, False
    keep = ~(RAILED | REBASED | PHASE_FLAGS)
    state.flags = [flags & keep for flags in state.flags]
    if state.advanced:
        check_supply(state)
    state.rail_left = tuple(rail_points(state, n) for n in range(8))


def _rail(m: BKPlay, side: int) -> None:
    if m.state.advanced:
        m.push(Phase("rail"))


def _rebase(m: BKPlay, side: int) -> None:
    if m.state.advanced:
        m.push(Phase("rebase"))


def begin_phase(state: BKState) -> None:
    """Everybody may move again; where each stands now is remembered. [bg-6.4.1-once] [bg-6.5.4-no-sea-stay]"""
    keep, places = ~PHASE_FLAGS, state.place
    state.flags = [flags & keep if place >= 0 else flags for flags, place in zip(state.flags, places, strict=True)]
    state.start = tuple([place if place >= 0 else old for place, old in zip(places, state.start, strict=True)])
    state.spent = tuple([0 if place >= 0 else old for place, old in zip(places, state.spent, strict=True)])
    for loads in state.cargo.values():
        for unit in loads:
            state.flags[unit] |= AT_SEA
    state.invasions, state.lent = {}, {}
    state.sea_battles = {}


def _naval(m: BKPlay, side: int) -> None:
    begin_phase(m.state)
    m.push(Phase("naval"))


def _naval_reaction(m: BKPlay, side: int) -> None:
    call_it_a_day(m)
    if m.state.advanced and m.state.invasions:
        m.push(NavalReaction())


def _searches(m: BKPlay, side: int) -> None:
    """In the basic game ships that meet always fight. [bg-basic-6.1.4-auto-battle] [bg-6.4.3d-case2]"""
    state = m.state
    zones = contested_zones(state)
    if not state.advanced:
        for zone in zones:
            state.sea_battles = {**state.sea_battles, zone: 3}
        return
    zones += [z for z in watched_zones(m) if z not in zones]
    if zones or state.invasions:
        m.push(Searches(tuple(zones)))
        m.window("search", [MAJORS[n] for s in (side, enemy_side(side)) for n in acting(state, s)])


def _land(m: BKPlay, side: int) -> None:
    m.push(Phase("land"))


def _reaction(m: BKPlay, side: int) -> None:
    state = m.state
    m.push(Reaction())
    if state.advanced:
        m.window("reaction", [MAJORS[n] for s in (side, enemy_side(side)) for n in acting(state, s)])


def _combat(m: BKPlay, side: int) -> None:
    """Fleets that a declaration of war has made enemies fight too in the basic game. [bg-basic-6.4-no-mixing]"""
    state = m.state
    if not state.advanced:
        for zone in contested_zones(state):
            if zone not in state.sea_battles:
                state.sea_battles = {**state.sea_battles, zone: 3}
    m.push(Combats())


def _exploit(m: BKPlay, side: int) -> None:
    """[bg-6.7-same-as-move] [bg-6.6-second-check] [bg-5.4-bad-exploit]"""
    state = m.state
    state.exploiting = True
    if state.advanced:
        check_supply(state)
    begin_phase(state)
    if not (state.advanced and all(state.bad)):
        m.push(Phase("exploit"))


def _exploit_searches(m: BKPlay, side: int) -> None:
    state = m.state
    zones = [z for z in contested_zones(state) if any(state.flags[u] & MOVED for u in state.here[z])]
    if not state.advanced:
        for zone in zones:
            state.sea_battles = {**state.sea_battles, zone: 3}
    elif zones:
        m.push(Searches(tuple(zones)))


def _end(m: BKPlay, side: int) -> None:
    """[bg-6.4.3f-duration] [bg-scn41-must-declare]"""
    state, found = m.state, atlas()
    state.exploiting = False
    data = found.data["setups"][state.scenario.split("-")[0]]
    first = state.turn == found.turn_of[data["start"]] and bool(data.get("must"))
    if first and side == state.side[GERMANY] and not at_war(state, GERMANY, USSR) and state.side[USSR] != side:
        declare(m, GERMANY, USSR)
    for unit, target in sorted(state.abroad.items()):
        if (
            state.flags[unit] & STATIONED
            and state.side[state.nation[unit]] == side
            and state.due[unit] != state.turn * 2 + state.second
        ):
            # it comes home when the next movement phase of its side is over
            m.push(Landing(target, (unit,)))
    keep = ~(DOUBLE | FOUGHT | MOVED)
    state.flags = [flags & keep for flags in state.flags]
    for name in ("blitzkrieg", "desert_fox"):
        state.effects = without(state.effects, name)
    refresh_production(state)


_SEGMENT = (
    _begin, _rail, _rebase, _naval, _naval_reaction, _searches, _land, _reaction, _combat, _exploit,
    _exploit_searches, _reaction, _combat, _end,
)  # fmt: skip


# ---- a phase in which the whole side moves ------------------------------------------------------------------------
class Phase(Step, frozen=True, tag="bg.phase"):
    """All majors of the phasing side act side by side until each has finished. [bg-6.4-phasing-first]
    [bg-6.4.4-land]"""

    rule = "bg-6.4-phasing-first"
    name: str
    done: tuple[str, ...] = ()

    def run(self, m: Play[BKState]) -> None:
        if not self.roles(m):
            m.pop()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        done = self.done
        return [MAJORS[n] for n in self._acting(m) if MAJORS[n] not in done]

    def _acting(self, m: BKPlay) -> list[int]:
        key = ("acting", self.name)
        if key not in m.cache:
            state = m.state
            m.cache[key] = [n for n in acting(state, state.phasing) if has_business(m, self.name, n)]
        found: list[int] = m.cache[key]
        return found

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        major = MAJORS.index(role)
        out: list[Offer] = []
        for offers in _OFFERS[self.name]:
            out.extend(offers(m, major))
        if m.state.advanced:
            out.extend(play_offers(m, major, self.name))
        if self.name == "land" and m.state.advanced and must_send(m, major):
            points = LIMITS["tito_garrison"]
            out.append(Withheld(Done, Refusal("bg-card-tito", "tito-garrison", points=points)))
        else:
            out.append(Choices([Done()], rule="bg-6.4.1-max"))
        return out

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        major = MAJORS.index(role)
        if isinstance(action, Done):
            m.replace(Phase(self.name, (*self.done, role)))
        elif isinstance(action, (March, Fly, Support, Bomb, Rebase, Station)):
            _MOVES[type(action)](m, action)
        elif isinstance(action, Form):
            take_form(m, major, action)
        elif isinstance(action, Railroad):
            take_rail(m, major, action)
        elif isinstance(action, Declare):
            take_declare(m, major, action)
        elif isinstance(action, Raise):
            take_control(m, atlas().space_of[action.area], JAPAN)
        elif isinstance(action, (DropAtom, FireV)):
            take_special(m, major, action)
        elif isinstance(action, PlayCard):
            play(m, major, action)
        m.cache.clear()
        if m.step is self:
            m.replace(Phase(self.name, self.done))


_MOVES: dict[type, Any] = {
    March: take_march, Fly: take_fly, Support: take_support, Bomb: take_bomb, Rebase: take_rebase,
    Station: take_station,
}  # fmt: skip


def has_business(m: BKPlay, name: str, major: int) -> bool:
    """Whether a major could have anything to do in a phase: nobody is asked for nothing."""
    state = m.state
    if state.standing[major] == CONQUERED:
        return False
    if name == "rail":
        return state.rail_left[major] > 0
    mine, place = roster(state), state.place
    for unit in (mine.aircraft if name == "rebase" else mine.ships if name == "naval" else mine.all)[major]:
        if place[unit] >= 0:
            return True
    return bool(state.advanced and state.hands[major] and name in ("land", "naval"))


def indochine_offers(m: BKPlay, major: int) -> list[Offer]:
    """Basic game: after the fall of France Japan may take Indochine without war. [bg-time-indochine]"""
    state, found = m.state, atlas()
    area = found.space_of["indochine"]
    if state.advanced or major != JAPAN or not state.french_fell:
        return []
    if state.control[area] not in (FRANCE, found.vichy_nation) or state.here[area]:
        return []
    return [Choices([Raise("indochine")], rule="bg-time-indochine")]


def special_offers(m: BKPlay, major: int) -> list[Offer]:
    if not m.state.advanced or not m.state.advances[major]:
        return []
    return weapon_offers(m, major)


_OFFERS: dict[str, tuple[Any, ...]] = {
    "rail": (rail_offers,),
    "rebase": (rebase_offers,),
    "naval": (form_offers, declare_offers),
    "land": (
        march_offers, fly_offers, support_offers, bomb_offers, station_offers, declare_offers, indochine_offers,
        special_offers,
    ),
    "exploit": (march_offers, fly_offers, form_offers, declare_offers),
}  # fmt: skip
