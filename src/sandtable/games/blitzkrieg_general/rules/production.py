"""7.3 Income and 7.6 Production: what the subs and bombers take, building, repair."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Refusal, Role, Step
from sandtable.core.offers import Barred, Late

from ..facts.relations import roster
from ..model import events as ev
from ..model.actions import Build, BuildRail, Done, LendTo, PlayCard, Repair
from ..model.atlas import BE, CHINA, FRANCE, GERMANY, JAPAN, LENT, MAJORS, SUB, USA, USSR, Kind, atlas
from ..model.state import (
    AT_WAR,
    BUILDING,
    CONQUERED,
    OUT,
    POOL,
    BKPlay,
    BKState,
    at_war,
    changed,
    plays,
    put,
    units_of_role,
)
from ..model.tables import LIMITS
from .cards import play, play_offers
from .economy import area_value
from .lazy import Lazy
from .movement import label, uid


# ---- income -------------------------------------------------------------------------------------------------------
def sub_losses(state: BKState, major: int) -> int:
    """Enemy submarines beside colonies and British homes, never more than those areas give. [bg-6.5.3-sub-raid]
    [bg-6.5.3-sub-raid-phase] [bg-6.5.3-sub-raid-cap] [bg-6.5.3-sub-raid-neutral]"""
    if not state.advanced or state.standing[major] == CONQUERED:
        return 0
    found = atlas()
    left: dict[int, int] = {}
    lost = 0
    for zone in hunting_grounds(state):
        subs = sum(1 for u in state.here[zone] if found.type[u] == SUB and at_war(state, state.nation[u], major))
        if not subs:
            continue
        for area in found.coast[zone]:
            nation = state.control[area]
            if state.master[nation] != major or state.standing[nation] != AT_WAR:
                continue
            if major != BE and found.home_of[area] == major:
                continue
            if nation >= 8 and area in found.home_areas_set[nation]:
                continue
            rest = left.setdefault(area, area_value(state, area, nation) - state.bombed.get(area, 0))
            taken = min(subs, max(0, rest))
            left[area] = rest - taken
            subs -= taken
            lost += taken
        lost += _raided_delivery(state, major, zone, subs)
    return lost


def hunting_grounds(state: BKState) -> list[int]:
    """Zones in which submarines lie."""
    here, packs = state.here, roster(state).packs
    return list(compress(atlas().seas, map(packs.__getitem__, atlas().of_seas(here))))


def _raided_delivery(state: BKState, major: int, zone: int, subs: int) -> int:
    """A neutral's delivery that must come by sea."""
    found = atlas()
    lost = 0
    for index, (giver, receiver, points) in enumerate(found.deliveries):
        if receiver != major or not state.deliveries[index] or subs <= lost:
            continue
        beside = any(state.control[a] == giver for a in found.coast[zone])
        if beside and not _joined_by_land(state, giver, receiver):
            lost += min(subs - lost, points)
    return lost


def _joined_by_land(state: BKState, giver: int, receiver: int) -> bool:
    found = atlas()
    todo = [s for s in found.homes[giver] if state.control[s] == giver]
    seen = set(todo)
    while todo:
        here = todo.pop()
        if state.side[state.control[here]] == state.side[receiver] and here in found.home_areas_set[receiver]:
            return True
        for there in found.land_next[here]:
            owner = state.control[there]
            if there not in seen and (owner == giver or (state.side[owner] == state.side[receiver] and owner >= 0
                                                         and state.standing[owner] == AT_WAR)):  # fmt: skip
                seen.add(there)
                todo.append(there)
    return False


def bomb_losses(state: BKState, major: int) -> int:
    """[bg-6.5.6-hit]"""
    found = atlas()
    total = 0
    for space, points in state.bombed.items():
        nation = state.control[space]
        victim = GERMANY if found.germany_only[space] else state.master[nation]
        if victim == major:
            total += points
    return total


def collect_income(m: BKPlay) -> None:
    """Each major's flag, less what bombers and submarines destroyed, and what it saved. [bg-7.3-income]
    [bg-7.6-save]"""
    state = m.state
    for major in range(8):
        if not plays(state, major):
            state.points, state.saved = changed(state.points, major, 0), changed(state.saved, major, 0)
            continue
        lost = min(state.production[major], sub_losses(state, major) + bomb_losses(state, major))
        state.points = changed(state.points, major, state.production[major] - lost + state.saved[major])
        state.saved = changed(state.saved, major, 0)
        m.emit(ev.Income(country=f"@{MAJORS[major]}", points=state.points[major], lost=lost))
    state.naval_spent = 0
    state.us_aircraft = 0


class LendLease(Step, frozen=True, tag="bg.lend-lease"):
    """The USA names the associate that gets its points this quarter. [bg-card-lend-lease-usa]"""

    rule = "bg-card-lend-lease-usa"

    def run(self, m: Play[BKState]) -> None:
        if not self.choices(m):
            m.pop()

    def choices(self, m: BKPlay) -> list[str]:
        state, card = m.state, atlas().card_of["lend_lease_usa"]
        if card not in state.table or not plays(state, USA):
            return []
        return [MAJORS[n] for n in range(8) if n != USA and state.side[n] == state.side[USA] and plays(state, n)]

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (MAJORS[USA],)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        return [Offer(LendTo, Field("country", "role", OneOf(self.choices(m))), rule=self.rule)]

    def take(self, m: Play[BKState], role: Role, action: LendTo) -> None:
        state = m.state
        points = min(LIMITS["lend_lease_usa"], state.points[USA], state.production[USA])
        state.points = changed(state.points, USA, state.points[USA] - points)
        state.points = changed(
            state.points, MAJORS.index(action.country), state.points[MAJORS.index(action.country)] + points
        )
        m.pop()


# ---- building -----------------------------------------------------------------------------------------------------
def free_counters(state: BKState, kind: Kind) -> list[int]:
    return [u for u in kind.units if state.place[u] == POOL]


def has_counter(state: BKState, kind: Kind) -> bool:
    place = state.place
    return any(place[u] == POOL for u in kind.units)


def why_not_build(m: BKPlay, major: int, kind: Kind) -> Refusal | None:
    """[bg-7.6-cost-inf] [bg-7.6-cost-double] [bg-7.6-cost-fixed] [bg-7.6-full-units] [bg-7.6-minor-production]
    [bg-7.6.6-hq]
    [bg-scn39-ussr-orange] [bg-scn39-china-us-air] [bg-7.6.3-may-build]"""
    state, found = m.state, atlas()
    nation = kind.nation
    refused = _why_not_his(m, major, kind)
    if refused is not None:
        return refused
    if not has_counter(state, kind):
        if kind.id in found.hq_names:
            return Refusal("bg-7.6.6-hq", "hq-not-lost", unit=f"@{kind.id}")
        return Refusal("bg-7.6-full-units", "no-counter", unit=f"@{kind.id}")
    if kind.cost > state.points[major]:
        return Refusal("bg-7.6-potential", "too-expensive", cost=kind.cost, points=state.points[major])
    if nation == USSR and kind.tag != "orange" and not orange_complete(state):
        return Refusal("bg-scn39-ussr-orange", "orange-first")
    return _why_not_navy(m, major, kind.cost, kind.type >= _TF)


_TF = 5


def _why_not_his(m: BKPlay, major: int, kind: Kind) -> Refusal | None:
    """Whose counters a major may build."""
    state, found = m.state, atlas()
    nation = kind.nation
    if kind.tag == "US" and nation == found.nation_of["china"]:
        if major != USA:
            return Refusal("bg-scn39-china-us-air", "us-only")
        if state.advanced and found.card_of["usa_builds_chinese_aircraft"] not in state.table:
            return Refusal("bg-card-usa-aircraft", "needs-card")
        return _why_not_us_aircraft(m, kind)
    if kind.tag == "F" and nation == FRANCE and state.standing[FRANCE] == CONQUERED:
        if major in (BE, USA) and found.card_of["free_french_troops"] in state.table:
            return None
        return Refusal("bg-card-free-french", "needs-card")
    if nation != major and nation < 8 and major == USA and kind.type == _AIR and state.advanced:
        card = found.card_of["usa_builds_chinese_aircraft"]
        if card in state.table and state.side[nation] == state.side[USA] and state.standing[nation] != CONQUERED:
            return _why_not_us_aircraft(m, kind)
    if state.master[nation] != major or state.standing[nation] == CONQUERED:
        return Refusal("bg-7.6-minor-production", "not-yours", unit=f"@{kind.id}")
    if nation >= 8 and state.standing[nation] != AT_WAR:
        return Refusal("bg-7.6-minor-production", "not-yours", unit=f"@{kind.id}")
    if nation == BE and state.homes_lost:
        home = found.home_letter.index(kind.tag)
        if state.homes_lost >> home & 1:
            return Refusal("bg-7.1-be", "home-lost", unit=f"@{kind.id}")
    return None


_AIR = 4


def _why_not_us_aircraft(m: BKPlay, kind: Kind) -> Refusal | None:
    """First the Chinese aircraft marked US, then others, one a turn. [bg-card-usa-aircraft]"""
    state, found = m.state, atlas()
    if not state.advanced:
        return None
    if state.us_aircraft:
        return Refusal("bg-card-usa-aircraft", "one-aircraft")
    chinese = found.kind_ids["china-air-2-us"]
    if kind is not chinese and free_counters(state, chinese):
        return Refusal("bg-card-usa-aircraft", "chinese-first")
    return None


def orange_complete(state: BKState) -> bool:
    """Every orange counter was once on the map or in production at the same time. [bg-scn39-ussr-orange]"""
    found = atlas()
    return state.orange_done or all(state.place[u] != POOL for u in found.units_of_printed[USSR] if found.is_orange[u])


def navy_owed(m: BKPlay) -> int:
    """Points Japan still owes its navy this quarter. [bg-card-japanese-navy]"""
    state, found = m.state, atlas()
    if found.card_of["japanese_navy"] not in state.table:
        return 0
    owed = LIMITS["navy_points"] - state.naval_spent
    cheapest = min((k.cost for k in found.kinds_of[JAPAN] if k.type >= _TF and has_counter(state, k)), default=0)
    if owed <= 0 or not cheapest or cheapest > state.points[JAPAN]:
        return 0
    return owed


def _why_not_navy(m: BKPlay, major: int, cost: int, ship: bool) -> Refusal | None:
    if major != JAPAN or ship or not m.state.advanced:
        return None
    if "navy-owed" not in m.cache:
        m.cache["navy-owed"] = navy_owed(m)
    owed: int = m.cache["navy-owed"]
    if owed and m.state.points[JAPAN] - cost < owed:
        return Refusal("bg-card-japanese-navy", "navy-first", points=owed)
    return None


# ---- repair -------------------------------------------------------------------------------------------------------
def why_not_repair(m: BKPlay, major: int, unit: int) -> Refusal | None:
    """[bg-7.6.5-repair] [bg-7.6.5-sub] [bg-6.1-effect-repair] [bg-7.6.5-repair-ready]"""
    state, found = m.state, atlas()
    if not state.flipped[unit]:
        return Refusal("bg-7.6.5-repair", "not-damaged", unit=label(unit))
    if state.advanced and state.flags[unit] & OUT:
        return Refusal("bg-6.1-effect-repair", "out-of-supply", unit=label(unit))
    ship = state.carrier[unit]
    if ship >= 0 and (len(state.cargo[ship]) > 1 or state.flipped[ship]):
        # two reduced units share the convoy, or it is damaged itself: a full unit has no room there
        return Refusal("bg-6.4.3a-two-backs", "convoy-full", unit=label(ship))
    cost = found.kind_of_unit[unit].repair_cost
    if cost > state.points[major]:
        return Refusal("bg-7.6.5-repair", "too-expensive", cost=cost, points=state.points[major])
    return _why_not_navy(m, major, cost, found.is_ship[unit])


class Production(Step, frozen=True, tag="bg.production"):
    """All majors build and repair at the same time. [bg-7.6-potential] [bg-7.0-simultaneous] [bg-7.6-save]"""

    rule = "bg-7.6-potential"
    done: tuple[str, ...] = ()

    def run(self, m: Play[BKState]) -> None:
        if not m.asked():
            state = m.state
            state.saved, state.points = state.points, (0,) * 8
            m.pop()

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        state = m.state
        rich = [n for n, points in enumerate(state.points) if points > 0]
        return [MAJORS[n] for n in rich if MAJORS[n] not in self.done and plays(state, n)]

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        state, found = m.state, atlas()
        major = MAJORS.index(role)
        out: list[Offer] = [
            Late(Build, _build_fields, m, major, rule="bg-7.6-potential"),
            Late(Repair, _repair_fields, m, major, rule="bg-7.6.5-repair"),
        ]
        if m.option("rail-increase") and state.points[major] >= found.rail_upgrade["cost"]:
            out.append(Choices([BuildRail()], rule="bg-opt-9.7"))
        if state.advanced:
            out += play_offers(m, major, "production")
        owed = navy_owed(m) if major == JAPAN and state.advanced else 0
        if owed:
            out.append(Barred(Done, Refusal("bg-card-japanese-navy", "navy-first", points=owed)))
        else:
            out.append(_DONE)
        return out

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        state, found = m.state, atlas()
        major = MAJORS.index(role)
        if isinstance(action, Done):
            m.replace(Production((*self.done, role)))
            return
        if isinstance(action, Build):
            build(m, major, found.kind_ids[action.kind])
        elif isinstance(action, Repair):
            unit = found.unit_of[action.unit]
            cost = found.kind_of_unit[unit].repair_cost
            _pay(m, major, cost, found.is_ship[unit])
            state.flipped = changed(state.flipped, unit, 0)
            m.emit(ev.Repaired(unit=label(unit)))
        elif isinstance(action, BuildRail):
            state.points = changed(state.points, major, state.points[major] - found.rail_upgrade["cost"])
            key = major
            while key in state.rail_due:
                key += 8
            state.rail_due = {**state.rail_due, key: state.turn + found.rail_upgrade["build_quarters"]}
            m.emit(ev.RailBuilt(country=f"@{role}"))
        elif isinstance(action, PlayCard):
            play(m, major, action)
        if m.step is self:
            m.replace(Production(self.done))


_DONE = Choices([Done()], rule="bg-7.6-save")


def _build_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    def kinds() -> list[str]:
        return [k.id for k in buildable(m, major)]

    return (Field("kind", "choice", Lazy(kinds, why=lambda v: _why_kind(m, major, v))),)


def _repair_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state = m.state

    def units() -> list[str]:
        if 1 not in state.flipped:
            return []
        mine = units_of_role(state, major)
        return [uid(u) for u in mine if state.flipped[u] and why_not_repair(m, major, u) is None]

    return (Field("unit", "unit", Lazy(units, why=lambda v: _why_unit(m, major, v))),)


def _pay(m: BKPlay, major: int, cost: int, ship: bool) -> None:
    state = m.state
    state.points = changed(state.points, major, state.points[major] - cost)
    if major == JAPAN and ship:
        state.naval_spent += cost


def build(m: BKPlay, major: int, kind: Kind) -> None:
    """The counter goes on the chart, in the box of its arrival. [bg-7.6.6-durations] [bg-scn-production-chart]"""
    state, found = m.state, atlas()
    unit = free_counters(state, kind)[0]
    _pay(m, major, kind.cost, found.is_ship[unit])
    if major == USA and kind.nation != USA and kind.type == _AIR:
        state.us_aircraft = 1
    put(state, unit, BUILDING)
    state.due = changed(state.due, unit, state.turn + kind.build_quarters)
    free_french = kind.nation == FRANCE and state.standing[FRANCE] == CONQUERED
    state.nation = changed(state.nation, unit, major if free_french else kind.nation)
    turns = found.turns
    when = turns[state.due[unit]] if state.due[unit] < len(turns) else "-"
    m.emit(ev.Built(country=f"@{MAJORS[major]}", kind=f"@{kind.id}", turn=when))
    if kind.nation == USSR:
        state.orange_done = orange_complete(state)


def _builds_freely(state: BKState, major: int) -> int:
    """The nations, as bits, of which no rule but money and counters keeps a major from building what nobody else may:
    itself and its minors at war."""
    if major == JAPAN and state.advanced and atlas().card_of["japanese_navy"] in state.table:
        return 0
    standing, master, out = state.standing, state.master, 0
    for nation in range(8, len(master)):
        if master[nation] == major and standing[nation] == AT_WAR:
            out |= 1 << nation
    kept = (major == BE and state.homes_lost) or (major == USSR and not orange_complete(state))
    return out if kept or standing[major] == CONQUERED else out | 1 << major


def _lenders(state: BKState, major: int) -> tuple[int, ...]:
    """The nations of which a major might build counters that are not its own, by card or as printed."""
    found = atlas()
    if major not in (BE, USA):
        return ()
    french = (FRANCE,) if found.card_of["free_french_troops"] in state.table else ()
    if major == BE:
        return french
    if state.advanced and found.card_of["usa_builds_chinese_aircraft"] in state.table:
        return tuple(range(8))
    return (*french, CHINA)


def buildable(m: BKPlay, major: int) -> list[Kind]:
    key = ("build", major)
    if key not in m.cache:
        found, master, points = atlas(), m.state.master, m.state.points[major]
        lent = _lenders(m.state, major)
        kinds: list[Kind] = []
        for nation in sorted({*compress(range(len(master)), map(major.__eq__, master)), *lent}):
            kinds += found.kinds_of[nation] if master[nation] == major else found.lendable[nation]
        kinds = [k for k in kinds if k.cost <= points]
        place, free = m.state.place, _builds_freely(m.state, major)
        # most counters are in play: who has none left need not be told so
        kinds = [k for k in kinds if POOL in place[k.units[0] : k.units[-1] + 1]]
        m.cache[key] = [
            k for k in kinds if (free >> k.nation & 1 and k.tag not in LENT) or why_not_build(m, major, k) is None
        ]
    known: list[Kind] = m.cache[key]
    return known


def _why_kind(m: BKPlay, major: int, value: str) -> Refusal | None:
    kind = atlas().kind_ids.get(value)
    return None if kind is None else why_not_build(m, major, kind)


def _why_unit(m: BKPlay, major: int, value: str) -> Refusal | None:
    unit = atlas().unit_of.get(value, -1)
    return why_not_repair(m, major, unit) if unit >= 0 and m.state.place[unit] >= 0 else None
