"""7.3 Income and 7.6 Production: what submarines and bombers take, and what may be built and repaired."""

from __future__ import annotations

from itertools import compress

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.production import area_value
from ..facts.units import packs_in
from ..model import events as ev
from ..model.atlas import (
    AIR,
    ATLAS,
    BE,
    CHINA,
    FRANCE,
    GERMANY,
    HQ,
    JAPAN,
    MAJORS,
    NAVAL_HQ,
    SHIP_TYPES,
    SUB,
    USA,
    USSR,
    Kind,
    label,
)
from ..model.state import AT_WAR, BUILDING, CONQUERED, OUT, POOL, BKState, M, at_war, move_unit, plays
from ..model.tables import LIMITS
from .cards.deck import is_in_effect


# ---- income -------------------------------------------------------------------------------------------------------
def sub_losses(state: BKState, major: int) -> int:
    """Return what enemy submarines take beside colonies and British homes, never more than those areas give.
    [bg-6.5.3-sub-raid] [bg-6.5.3-sub-raid-phase] [bg-6.5.3-sub-raid-cap] [bg-6.5.3-sub-raid-neutral]"""
    if not state.advanced or state.standing[major] == CONQUERED:
        return 0
    left: dict[int, int] = {}
    lost = 0
    for zone in hunting_grounds(state):
        subs = sum(1 for u in state.here[zone] if ATLAS.type[u] == SUB and at_war(state, state.nation[u], major))
        if not subs:
            continue
        for area in ATLAS.coast[zone]:
            nation = state.control[area]
            if state.master[nation] != major or state.standing[nation] != AT_WAR:
                continue
            if not _is_raided(major, area):
                continue
            rest = left.setdefault(area, area_value(state, area, nation) - state.bombed.get(area, 0))
            taken = min(subs, max(0, rest))
            left[area] = rest - taken
            subs -= taken
            lost += taken
        lost += _raided_delivery(state, major, zone, subs)
    return lost


def _is_raided(major: int, area: int) -> bool:
    """Whether submarines beside an area cost its owner anything: a colony, or any home area of the Empire. What a
    country has conquered is no colony of it. [bg-6.5.3-sub-raid]"""
    return ATLAS.owner[area] == major and (major == BE or ATLAS.home_of[area] != major)


def hunting_grounds(state: BKState) -> list[int]:
    """Return the zones in which submarines are."""
    return list(compress(ATLAS.seas, map(packs_in(state).__getitem__, ATLAS.of_seas(state.here))))


def _raided_delivery(state: BKState, major: int, zone: int, subs: int) -> int:
    """A neutral's delivery that must come by sea."""
    lost = 0
    for index, (giver, receiver, points) in enumerate(ATLAS.deliveries):
        if receiver != major or not state.deliveries[index] or subs <= lost:
            continue
        beside = any(state.control[a] == giver for a in ATLAS.coast[zone])
        if beside and not _joined_by_land(state, giver, receiver):
            lost += min(subs - lost, points)
    return lost


def _joined_by_land(state: BKState, giver: int, receiver: int) -> bool:
    todo = [s for s in ATLAS.homes[giver] if state.control[s] == giver]
    seen = set(todo)
    while todo:
        here = todo.pop()
        if state.side[state.control[here]] == state.side[receiver] and here in ATLAS.home_areas_set[receiver]:
            return True
        for there in ATLAS.land_next[here]:
            owner = state.control[there]
            if there not in seen and (owner == giver or (state.side[owner] == state.side[receiver] and owner >= 0
                                                         and state.standing[owner] == AT_WAR)):  # fmt: skip
                seen.add(there)
                todo.append(there)
    return False


def bomb_losses(state: BKState, major: int) -> int:
    """[bg-6.5.6-hit]"""
    total = 0
    for space, points in state.bombed.items():
        nation = state.control[space]
        victim = GERMANY if ATLAS.germany_only[space] else state.master[nation]
        if victim == major:
            total += points
    return total


def collect_income(m: M) -> None:
    """Give each major the points of its flag, less what bombers and submarines destroyed, and what it saved.
    [bg-7.3-income] [bg-7.6-save]"""
    state = m.state
    for major in range(8):
        if not plays(state, major):
            state.points, state.saved = put(state.points, major, 0), put(state.saved, major, 0)
            continue
        lost = min(state.production[major], sub_losses(state, major) + bomb_losses(state, major))
        state.points = put(state.points, major, state.production[major] - lost + state.saved[major])
        state.saved = put(state.saved, major, 0)
        m.emit(ev.Income(country=f"@{MAJORS[major]}", points=state.points[major], lost=lost))
    state.naval_spent = 0
    state.us_aircraft = 0


# ---- building -----------------------------------------------------------------------------------------------------
def free_counters(state: BKState, kind: Kind) -> list[int]:
    return [u for u in kind.units if state.place[u] == POOL]


def why_not_build(state: BKState, major: int, kind: Kind) -> Refusal | None:
    """Refuse a counter that a major may not build. [bg-7.6-cost-inf] [bg-7.6-cost-double] [bg-7.6-cost-fixed]
    [bg-7.6-full-units] [bg-7.6-minor-production] [bg-7.6.6-hq] [bg-scn39-ussr-orange] [bg-scn39-china-us-air]
    [bg-7.6.3-may-build]"""
    refused = _why_not_theirs(state, major, kind)
    if refused is not None:
        return refused
    if not free_counters(state, kind):
        if kind.type in (HQ, NAVAL_HQ):
            return Refusal("bg-7.6.6-hq", "hq-not-lost", unit=f"@{kind.id}")
        return Refusal("bg-7.6-full-units", "no-counter", unit=f"@{kind.id}")
    if kind.cost > state.points[major]:
        return Refusal("bg-7.6-potential", "too-expensive", cost=kind.cost, points=state.points[major])
    if kind.nation == USSR and kind.tag != "orange" and not orange_complete(state):
        return Refusal("bg-scn39-ussr-orange", "orange-first")
    return _why_not_navy(state, major, kind.cost, kind.type in SHIP_TYPES)


def _why_not_theirs(state: BKState, major: int, kind: Kind) -> Refusal | None:
    """Whose counters a major may build."""
    nation = kind.nation
    if kind.tag == "US" and nation == CHINA:
        if major != USA:
            return Refusal("bg-scn39-china-us-air", "us-only")
        if state.advanced and not is_in_effect(state, "usa_builds_chinese_aircraft"):
            return Refusal("bg-card-usa-aircraft", "needs-card")
        return _why_not_us_aircraft(state, kind)
    if kind.tag == "F" and nation == FRANCE and state.standing[FRANCE] == CONQUERED:
        if major in (BE, USA) and is_in_effect(state, "free_french_troops"):
            return None
        return Refusal("bg-card-free-french", "needs-card")
    if nation != major == USA and nation < 8 and kind.type == AIR and state.advanced:
        associate = state.side[nation] == state.side[USA] and state.standing[nation] != CONQUERED
        if associate and is_in_effect(state, "usa_builds_chinese_aircraft"):
            return _why_not_us_aircraft(state, kind)
    if state.master[nation] != major or state.standing[nation] == CONQUERED:
        return Refusal("bg-7.6-minor-production", "not-yours", unit=f"@{kind.id}")
    if nation >= 8 and state.standing[nation] != AT_WAR:
        return Refusal("bg-7.6-minor-production", "not-yours", unit=f"@{kind.id}")
    if nation == BE and state.homes_lost:
        home = ATLAS.home_letter.index(kind.tag)
        if state.homes_lost >> home & 1:
            return Refusal("bg-7.1-be", "home-lost", unit=f"@{kind.id}")
    return None


def _why_not_us_aircraft(state: BKState, kind: Kind) -> Refusal | None:
    """First the Chinese aircraft marked US, then others, one a turn. [bg-card-usa-aircraft]"""
    if not state.advanced:
        return None
    if state.us_aircraft:
        return Refusal("bg-card-usa-aircraft", "one-aircraft")
    chinese = ATLAS.kind_ids["china-air-2-us"]
    if kind is not chinese and free_counters(state, chinese):
        return Refusal("bg-card-usa-aircraft", "chinese-first")
    return None


def orange_complete(state: BKState) -> bool:
    """Return whether every orange counter was once on the map or in production at the same time.
    [bg-scn39-ussr-orange]"""
    return state.orange_done or all(state.place[u] != POOL for u in ATLAS.units_of_printed[USSR] if ATLAS.is_orange[u])


def navy_owed(state: BKState) -> int:
    """Return the points Japan still owes its navy this quarter. [bg-card-japanese-navy]"""
    if not is_in_effect(state, "japanese_navy"):
        return 0
    owed = LIMITS["navy_points"] - state.naval_spent
    ships = [k for k in ATLAS.kinds_of[JAPAN] if k.type in SHIP_TYPES and free_counters(state, k)]
    cheapest = min((k.cost for k in ships), default=0)
    if owed <= 0 or not cheapest or cheapest > state.points[JAPAN]:
        return 0
    return owed


def navy_first(points: int) -> Refusal:
    return Refusal("bg-card-japanese-navy", "navy-first", points=points)


def _why_not_navy(state: BKState, major: int, cost: int, ship: bool) -> Refusal | None:
    if major != JAPAN or ship or not state.advanced:
        return None
    owed = navy_owed(state)
    if owed and state.points[JAPAN] - cost < owed:
        return navy_first(owed)
    return None


# ---- repair -------------------------------------------------------------------------------------------------------
def why_not_repair(state: BKState, major: int, unit: int) -> Refusal | None:
    """Refuse the repair of a unit. [bg-7.6.5-repair] [bg-7.6.5-sub] [bg-6.1-effect-repair] [bg-7.6.5-repair-ready]"""
    if not state.flipped[unit]:
        return Refusal("bg-7.6.5-repair", "not-damaged", unit=label(unit))
    if state.advanced and state.flags[unit] & OUT:
        return Refusal("bg-6.1-effect-repair", "out-of-supply", unit=label(unit))
    ship = state.carrier[unit]
    if ship >= 0 and (len(state.cargo[ship]) > 1 or state.flipped[ship]):
        # two reduced units share the convoy, or it is damaged itself: a full unit has no room there
        return Refusal("bg-6.4.3a-two-backs", "convoy-full", unit=label(ship))
    cost = ATLAS.kind_of_unit[unit].repair_cost
    if cost > state.points[major]:
        return Refusal("bg-7.6.5-repair", "too-expensive", cost=cost, points=state.points[major])
    return _why_not_navy(state, major, cost, ATLAS.is_ship[unit])


def pay(state: BKState, major: int, cost: int, ship: bool) -> None:
    """Take points off a major; what Japan spends on ships counts for its navy."""
    state.points = put(state.points, major, state.points[major] - cost)
    if major == JAPAN and ship:
        state.naval_spent += cost


def build(m: M, major: int, kind: Kind) -> None:
    """The counter goes on the chart, in the box of its arrival. [bg-7.6.6-durations] [bg-scn-production-chart]"""
    state = m.state
    unit = free_counters(state, kind)[0]
    pay(state, major, kind.cost, ATLAS.is_ship[unit])
    if major == USA and kind.nation != USA and kind.type == AIR:
        state.us_aircraft = 1
    move_unit(state, unit, BUILDING)
    state.due = put(state.due, unit, state.turn + kind.build_quarters)
    free_french = kind.nation == FRANCE and state.standing[FRANCE] == CONQUERED
    state.nation = put(state.nation, unit, major if free_french else kind.nation)
    turns = ATLAS.turns
    when = turns[state.due[unit]] if state.due[unit] < len(turns) else "-"
    m.emit(ev.Built(country=f"@{MAJORS[major]}", kind=f"@{kind.id}", turn=when))
    if kind.nation == USSR:
        state.orange_done = orange_complete(state)


def _kinds(state: BKState, major: int) -> list[Kind]:
    """The kinds of counters that a major might build: its own, its minors', and those that others may lend it."""
    own = [nation for nation, master in enumerate(state.master) if master == major]
    kinds: list[Kind] = []
    for nation in sorted({*own, *_lenders(state, major)}):
        kinds += ATLAS.kinds_of[nation] if nation in own else ATLAS.lendable[nation]
    return kinds


def _lenders(state: BKState, major: int) -> tuple[int, ...]:
    """The nations of which a major might build counters that are not its own, by card or as printed."""
    if major not in (BE, USA):
        return ()
    if major == USA and state.advanced and is_in_effect(state, "usa_builds_chinese_aircraft"):
        return tuple(range(8))
    french = (FRANCE,) if is_in_effect(state, "free_french_troops") else ()
    return french if major == BE else (*french, CHINA)


def buildable(state: BKState, major: int) -> list[Kind]:
    """Return the kinds of counters that a major may build now."""
    points, place = state.points[major], state.place
    # most counters are in play or too expensive: no need to ask for the reason
    kinds = [k for k in _kinds(state, major) if k.cost <= points and POOL in place[k.units[0] : k.units[-1] + 1]]
    return [k for k in kinds if why_not_build(state, major, k) is None]
