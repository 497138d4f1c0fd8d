"""5.0 The sequence of play: the turn, an action segment, and the phases in which a side moves."""

from __future__ import annotations

from itertools import compress
from operator import ne

from sandtable.core import Step, Window
from sandtable.core.columns import having, lacking, put_all

from .facts.attacks import contested_zones
from .facts.politics import acting
from .model import events as ev
from .model.atlas import ALLIES, ATLAS, AXIS, CHINA, GERMANY, JAPAN, MAJORS, SIDES, USSR
from .model.state import (
    AT_SEA,
    DOUBLE,
    FOUGHT,
    MOVED,
    PHASE_FLAGS,
    RAILED,
    REBASED,
    STATIONED,
    BKState,
    M,
    at_war,
    enemy_side,
    mark_all,
    nonzero,
    unmark_all,
)
from .model.tables import LIMITS
from .rules.aftermath_phase import Landing, TakeOver
from .rules.battle_phase import AskRetreat, CoastalHit, Fight, Withdrawal
from .rules.cards.card_phase import CardPhase, Shuffle
from .rules.cards.playing import CARD_STEPS, may_anybody_cut_in, play_what_must_be
from .rules.combat_phase import Bombardment, Combats
from .rules.conquest import check_conquest
from .rules.control_phase import LiberateOrKeep
from .rules.economy import refresh_production
from .rules.movement_phase import Phase
from .rules.naval import call_it_a_day
from .rules.naval_phase import Group, Intercept
from .rules.options_phase import ChooseAlliances, ChooseFirst, SetUp
from .rules.politics import declare
from .rules.production import collect_income
from .rules.production_phase import LendLease, Production
from .rules.rail import rail_points
from .rules.reaction_phase import Reaction
from .rules.reinforcements_phase import Reinforcements
from .rules.research_phase import Research, ResearchRoll
from .rules.search import watched_zones
from .rules.search_phase import NavalReaction, Pinned, Searches
from .rules.supply import check_supply
from .rules.timetable import check_time_table
from .rules.us_entry_phase import UsEntry, us_entry
from .rules.victory import check_victory


# ---- the turn -----------------------------------------------------------------------------------------------------
class Turn(Step, frozen=True, tag="bg.turn"):
    """One quarter. [bg-3.0-turn-quarter] [bg-basic-5.0-sequence] [bg-5.0-sequence-init] [bg-5.0-sequence-end]
    [bg-5.0-strict-order]"""

    rule = "bg-5.0-strict-order"
    stage: int = 0

    def run(self, m: M) -> None:
        stages = _ADVANCED if m.state.advanced else _BASIC
        if self.stage == len(stages):
            if m.state.outcome is None:
                m.state.turn += 1
                m.replace(Turn(0))
            return
        m.replace(Turn(self.stage + 1))
        stages[self.stage](m)


def _time_table(m: M) -> None:
    m.state.effects = {}
    m.state.bombed = {}
    m.state.special_used = 0
    check_time_table(m)


def _reinforcements(m: M) -> None:
    """The first turn of 1939 has none: they are on the map already. [bg-quick-skip-reinforcement]"""
    m.push(Reinforcements())


def _initiative(m: M) -> None:
    """Both sides roll; the higher acts first, a tie goes to the side that lacked it. [bg-5.3-roll] [bg-5.3-tie]
    [bg-5.3-double-turn]"""
    state = m.state
    if state.turn == ATLAS.first_turn:
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


def _weather(m: M) -> None:
    """One die for both maps. [bg-5.4-roll] [bg-5.4-per-map] [bg-scn39-general]"""
    state = m.state
    die = ATLAS.first_weather if state.turn == ATLAS.first_turn else m.roll(6, why="bg-5.4-roll")
    quarter = ATLAS.quarter[state.turn] - 1
    state.bad = (int(ATLAS.weather[0][quarter][die - 1]), int(ATLAS.weather[1][quarter][die - 1]))
    words = [f"@weather-{'bad' if bad else 'good'}" for bad in state.bad]
    m.emit(ev.Weather(europe=words[0], pacific=words[1]))


def _limits(m: M) -> None:
    """[bg-5.5-limit]"""
    state = m.state
    state.limit_area = (-1, -1)
    state.limit_used = (0, 0)
    if at_war(state, JAPAN, CHINA):
        state.limit = max(LIMITS["jp_ch_minimum"], m.roll(6, why="bg-5.5-limit"))
        m.emit(ev.LimitSet(units=state.limit))


def _first_segment(m: M) -> None:
    """[bg-basic-5.0-axis-first] [bg-5.0-sequence-action]"""
    state = m.state
    state.second = False
    m.push(Segment(state.initiative if state.advanced else AXIS))


def _second_segment(m: M) -> None:
    state = m.state
    state.second = True
    m.push(Segment(enemy_side(state.phasing)))


def _conquest(m: M) -> None:
    check_conquest(m)


def _us_entry(m: M) -> None:
    us_entry(m)
    m.push(UsEntry())
    play_what_must_be(m)


def _income(m: M) -> None:
    collect_income(m)
    if m.state.advanced:
        m.push(LendLease())


def _cards(m: M) -> None:
    m.push(CardPhase.begin(m))


def _research(m: M) -> None:
    m.push(Research())


def _production(m: M) -> None:
    m.push(Production())


def _victory(m: M) -> None:
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

    def run(self, m: M) -> None:
        if self.stage == len(_SEGMENT):
            m.pop()
            return
        m.replace(Segment(self.side, self.stage + 1))
        _SEGMENT[self.stage](m, self.side)


def _begin(m: M, side: int) -> None:
    state = m.state
    state.phasing, state.exploiting = side, False
    unmark_all(state, RAILED | REBASED | PHASE_FLAGS)
    if state.advanced:
        check_supply(state)
    state.rail_left = tuple(rail_points(state, n) for n in range(8))


def _rail(m: M, side: int) -> None:
    if m.state.advanced:
        m.push(Phase("rail"))


def _rebase(m: M, side: int) -> None:
    if m.state.advanced:
        m.push(Phase("rebase"))


def begin_phase(state: BKState) -> None:
    """Everybody may move again; where each stands now is remembered. [bg-6.4.1-once] [bg-6.5.4-no-sea-stay]"""
    place = state.place
    unmark_all(state, PHASE_FLAGS, [u for u in nonzero(state.flags) if place[u] >= 0])
    mark_all(state, [unit for loads in state.cargo.values() for unit in loads], AT_SEA)
    start = list(state.start)
    for unit in compress(range(len(place)), map(ne, place, state.start)):
        if place[unit] >= 0:
            start[unit] = place[unit]
    state.start = tuple(start)
    state.spent = put_all(state.spent, [u for u in nonzero(state.spent) if place[u] >= 0], 0)
    state.invasions, state.lent, state.sea_battles = {}, {}, {}


def _naval(m: M, side: int) -> None:
    begin_phase(m.state)
    m.push(Phase("naval"))


def _naval_reaction(m: M, side: int) -> None:
    call_it_a_day(m.state)
    if m.state.advanced and m.state.invasions:
        m.push(NavalReaction())


def _searches(m: M, side: int) -> None:
    """In the basic game ships that meet always fight. [bg-basic-6.1.4-auto-battle] [bg-6.4.3d-case2]"""
    state = m.state
    zones = contested_zones(state)
    if not state.advanced:
        for zone in zones:
            state.sea_battles = having(state.sea_battles, zone, 3)
        return
    zones += [z for z in watched_zones(state) if z not in zones]
    if zones or state.invasions:
        m.push(Searches(tuple(zones)))
        if may_anybody_cut_in(state, "search"):
            m.window("search", [MAJORS[n] for s in (side, enemy_side(side)) for n in acting(state, s)])


def _land(m: M, side: int) -> None:
    m.push(Phase("land"))


def _reaction(m: M, side: int) -> None:
    state = m.state
    m.push(Reaction())
    if state.advanced and may_anybody_cut_in(state, "reaction"):
        m.window("reaction", [MAJORS[n] for s in (side, enemy_side(side)) for n in acting(state, s)])


def _combat(m: M, side: int) -> None:
    """Fleets that a declaration of war has made enemies fight too in the basic game. [bg-basic-6.4-no-mixing]"""
    state = m.state
    if not state.advanced:
        for zone in contested_zones(state):
            if zone not in state.sea_battles:
                state.sea_battles = having(state.sea_battles, zone, 3)
    m.push(Combats())


def _exploit(m: M, side: int) -> None:
    """[bg-6.7-same-as-move] [bg-6.6-second-check] [bg-5.4-bad-exploit]"""
    state = m.state
    state.exploiting = True
    if state.advanced:
        check_supply(state)
    begin_phase(state)
    if not (state.advanced and all(state.bad)):
        m.push(Phase("exploit"))


def _exploit_searches(m: M, side: int) -> None:
    state = m.state
    zones = [z for z in contested_zones(state) if any(state.flags[u] & MOVED for u in state.here[z])]
    if not state.advanced:
        for zone in zones:
            state.sea_battles = having(state.sea_battles, zone, 3)
    elif zones:
        m.push(Searches(tuple(zones)))


def _end(m: M, side: int) -> None:
    """[bg-6.4.3f-duration] [bg-scn41-must-declare]"""
    state = m.state
    state.exploiting = False
    card = ATLAS.set_up(state.scenario)
    first = state.turn == ATLAS.turn_of[card.start] and bool(card.must)
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
    unmark_all(state, DOUBLE | FOUGHT | MOVED)
    for name in ("blitzkrieg", "desert_fox"):
        state.effects = lacking(state.effects, name)
    refresh_production(state)


_SEGMENT = (
    _begin, _rail, _rebase, _naval, _naval_reaction, _searches, _land, _reaction, _combat, _exploit,
    _exploit_searches, _reaction, _combat, _end,
)  # fmt: skip


# ---- how a match begins -------------------------------------------------------------------------------------------
def opening(state: BKState) -> tuple[Step, ...]:
    """Return the steps on the stack when a match begins; the last one comes first."""
    steps: list[Step] = [Turn()]
    if state.advanced:
        steps.append(Shuffle())
    if state.options.get("historical"):
        steps.append(SetUp())
    if state.options.get("free-alliances"):
        steps.append(ChooseAlliances())
    return tuple(steps)


STEPS: tuple[type[Step], ...] = (
    Turn, Segment, Phase, Window, Group, Intercept, Searches, NavalReaction, Pinned, Reaction, Combats, Fight,
    AskRetreat, Withdrawal, TakeOver, Landing, CoastalHit, LiberateOrKeep, Bombardment, Reinforcements, Production,
    LendLease, ChooseFirst, ChooseAlliances, SetUp, Shuffle, CardPhase, *CARD_STEPS, Research, ResearchRoll, UsEntry,
)  # fmt: skip
"""Every kind of step, for saved matches."""
