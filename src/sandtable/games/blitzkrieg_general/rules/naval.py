"""6.4.3 Naval missions: groups of ships sail zone by zone, load, hand over and unload, and announce invasions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, Play, Refusal, Role, Step, Subsets
from sandtable.core.offers import Late

from ..model import events as ev
from ..model.actions import Form, Halt, Load, Sail, Unload, Wait
from ..model.atlas import CONVOY, MAJORS, SUB, USA, atlas
from ..model.state import (
    DOUBLE,
    FOUGHT,
    MOVED,
    NEUTRAL,
    BKPlay,
    BKState,
    are_allied,
    changed,
    has_enemy_ship,
    plays,
    put,
    ships_of,
    with_numbers,
    without,
)
from .cargo import load_offers, take_load, take_unload, unload_offers
from .lazy import Lazy
from .movement import label, uid
from .reach import cooperate, name, why_not_cooperate
from .supply import is_gate_closed


# ---- which ships may sail -----------------------------------------------------------------------------------------
def why_not_sail(m: BKPlay, unit: int) -> Refusal | None:
    """[bg-6.4.1-once] [bg-scn39-usa-ships] [bg-scn41-usa-ships] [bg-6.7-ships]"""
    state, found = m.state, atlas()
    if state.flags[unit] & MOVED:
        return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))
    if state.nation[unit] == USA and state.standing[USA] == NEUTRAL and found.type[unit] != CONVOY:
        return Refusal("bg-scn39-usa-ships", "usa-ships", unit=label(unit))
    if state.exploiting and naval_commander(state, unit) < 0:
        return Refusal("bg-6.7-ships", "no-naval-hq", unit=label(unit))
    return None


def naval_commander(state: BKState, unit: int) -> int:
    """A Naval HQ at sea in the ship's zone with commands left. [bg-6.7-ships] [bg-6.4.6-naval-hq-sea]"""
    found = atlas()
    zone, side = state.place[unit], state.side[state.nation[unit]]
    for hq, rating in found.naval_rating.items():
        if state.carrier[hq] < 0 or state.start[hq] != zone:
            continue
        if state.spent[hq] < rating and state.side[state.nation[hq]] == side:
            return hq
    return -1


class Ships(Subsets):
    """Some ships of a zone; a ship that may not sail is told why."""

    __slots__ = ("_tell",)

    def __init__(self, items: list[str], least: int, most: int | None, tell: Callable[[Any], Refusal | None]) -> None:
        super().__init__(items, least, most)
        self._tell = tell

    def why(self, value: Any) -> Refusal | None:
        known = isinstance(value, tuple) and all(ident in atlas().unit_of for ident in value)
        return self._tell(value) if known else None


def form_offers(m: BKPlay, major: int) -> list[Offer]:
    state = m.state
    if state.exploiting and state.advanced and all(state.bad):
        return []
    return [Late(Form, _form_fields, m, major, rule="bg-6.4.1-ships")]


def _form_fields(m: BKPlay, major: int) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def zones() -> list[str]:
        return list(ready_ships(m, major))

    def why_zone(value: str) -> Refusal | None:
        space = found.space_of.get(value)
        mine = [u for u in state.here[space] if state.master[state.nation[u]] == major] if space is not None else []
        return why_not_sail(m, mine[0]) if mine else None

    def why_ships(value: tuple[str, ...]) -> Refusal | None:
        return next((r for ident in value if (r := why_not_sail(m, found.unit_of[ident])) is not None), None)

    def ships(zone: str) -> Subsets:
        most, ready = None, ready_ships(m, major)[zone]
        if state.exploiting:
            hq = naval_commander(state, found.unit_of[ready[0]])
            most = found.rating[hq] - state.spent[hq]
        return Ships(ready, 1, most, why_ships)

    return (
        Field("zone", "space", Lazy(zones, why=why_zone)),
        Field("ships", "units", ships),
    )


def ready_ships(m: BKPlay, major: int) -> dict[str, list[str]]:
    """The ships of a major that may sail, and those of associates that wait for it, by zone."""
    key = ("ready", major)
    if key not in m.cache:
        state, found = m.state, atlas()
        zones: dict[str, list[str]] = {}
        stormy = state.bad if state.exploiting and state.advanced else (0, 0)
        flags, place = state.flags, state.place
        lent = [u for u, leader in state.lent.items() if leader == major and place[u] >= 0]
        leaderless = state.exploiting and all(state.carrier[hq] < 0 for hq in found.naval_rating)
        # in the exploitation phase ships follow a Naval HQ at sea
        for unit in () if leaderless else (*ships_of(state, major), *lent):
            # most have sailed already: no need to ask for the reason
            if not flags[unit] & MOVED and not stormy[found.map[place[unit]]] and why_not_sail(m, unit) is None:
                zones.setdefault(found.space_ids[place[unit]], []).append(uid(unit))
        m.cache[key] = zones
    known: dict[str, list[str]] = m.cache[key]
    return known


def take_form(m: BKPlay, major: int, action: Form) -> None:
    """Ships that have come some way to this zone and others unite to a group: who came farthest sets the range that
    is left. [bg-6.4.1-ships]"""
    state = m.state
    ships = tuple(atlas().unit_of[ident] for ident in action.ships)
    if state.exploiting:
        hq = naval_commander(state, ships[0])
        state.spent = changed(state.spent, hq, state.spent[hq] + len(ships))
        m.push(Group(MAJORS[major], ships))
        return
    state.lent = without(state.lent, *ships)
    m.push(Group(MAJORS[major], ships, max(state.spent[u] for u in ships)))


def call_it_a_day(m: BKPlay) -> None:
    """Ships that waited in vain for others have moved all the same."""
    state, found = m.state, atlas()
    for unit in with_numbers(state.spent):
        if found.is_ship[unit] and state.place[unit] >= 0:
            state.flags[unit] |= MOVED
    state.lent = {}


# ---- the group under way ------------------------------------------------------------------------------------------
class Group(Step, frozen=True, tag="bg.group"):
    """A group of ships sails, zone by zone, until it halts."""

    rule = "bg-6.4.1-ships"
    role: str
    ships: tuple[int, ...]
    used: int = 0
    cleared: int = -1
    """The zone in which enemies have had their chance to find the group."""
    wants: int = -1
    """The zone it was about to sail into when it was intercepted."""
    stopped: bool = False
    sailed: bool = False
    """Whether it has come on since it was formed."""

    def run(self, m: Play[BKState]) -> None:
        state = m.state
        alive = tuple(u for u in self.ships if state.place[u] >= 0)
        if not alive:
            m.pop()
            return
        if alive != self.ships:
            m.amend(_with(self, ships=alive))
        step = m.step
        assert isinstance(step, Group)
        if step.stopped:
            halt(m, step)
        elif step.wants >= 0:
            wants = step.wants
            m.amend(_with(step, wants=-1))
            if why_not_sail_to(m, _with(step, wants=-1), wants) is None:
                sail(m, _with(step, wants=-1), wants)

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        return group_offers(m, self)

    def take(self, m: Play[BKState], role: Role, action: object) -> None:
        if isinstance(action, Halt):
            halt(m, self)
        elif isinstance(action, Wait):
            wait(m, self, MAJORS.index(action.country))
        elif isinstance(action, Load):
            take_load(m, action)
        elif isinstance(action, Unload):
            take_unload(m, self, action)
        elif isinstance(action, Sail):
            to = atlas().space_of[action.to]
            if must_run_the_gauntlet(m, self):
                from .search import Intercept

                m.amend(_with(self, cleared=m.state.place[self.ships[0]], wants=to))
                m.push(Intercept(m.state.place[self.ships[0]], self.ships, self.used))
            else:
                sail(m, self, to)


def _with(step: Group, **changes: object) -> Group:
    values = {
        "role": step.role, "ships": step.ships, "used": step.used, "cleared": step.cleared, "wants": step.wants,
        "stopped": step.stopped, "sailed": step.sailed, **changes,
    }  # fmt: skip
    return Group(**values)  # type: ignore[arg-type]


def single_range() -> int:
    return int(atlas().range[atlas().kind_ids["germany-conv-1"].units[0]])


def must_run_the_gauntlet(m: BKPlay, group: Group) -> bool:
    """A group that wants to sail on out of a zone it has entered lets the enemies there search. [bg-6.4.3d-case1]
    [bg-6.4.3d-case3] [bg-6.4.3d-may-search]"""
    state = m.state
    zone = state.place[group.ships[0]]
    if not state.advanced or group.used == 0 or group.cleared == zone:
        return False
    return any(has_enemy_ship(state, state.nation[u], zone) for u in group.ships) or _is_watched(m, group, zone)


def _is_watched(m: BKPlay, group: Group, zone: int) -> bool:
    """Optional 9.1: an enemy aircraft is stationed over the zone."""
    if not m.option("aircraft-searches"):
        return False
    from .search import watchers

    return bool(watchers(m, zone, m.state.nation[group.ships[0]]))


def why_not_sail_to(m: BKPlay, group: Group, to: int) -> Refusal | None:
    """[bg-6.4.1-ships] [bg-6.4.3f-double] [bg-6.4.3f-slip] [bg-basic-6.1.2] [bg-basic-6.1.4-auto-battle]
    [bg-6.4.3f-caught]"""
    state, found = m.state, atlas()
    zone = state.place[group.ships[0]]
    single = single_range()
    if to not in found.sea_next[zone] and not _is_magellan(m, group, zone, to):
        return Refusal("bg-6.2-adjacent", "not-adjacent", space=name(to))
    foe = any(has_enemy_ship(state, state.nation[u], zone) for u in group.ships)
    if not state.advanced and group.used and foe:
        return Refusal("bg-basic-6.1.4-auto-battle", "must-fight", space=name(zone))
    if any(state.mission[c] >= 0 for u in group.ships for c in state.cargo.get(u, ())):
        return Refusal("bg-6.5.4-origin", "landing-announced")
    fought = any(state.flags[u] & FOUGHT for u in group.ships)
    most = single if fought else 2 * single
    if group.used >= most:
        rule = "bg-6.4.3f-caught" if fought else "bg-6.4.1-ships"
        return Refusal(rule, "out-of-range", unit=label(group.ships[0]), space=name(to), range=most)
    too_far = group.used >= single and not state.advanced
    if too_far and any(has_enemy_ship(state, state.nation[u], to) for u in group.ships):
        return Refusal("bg-basic-6.1.2", "double-range-attack", space=name(to))
    for unit in group.ships:
        if is_gate_closed(state, state.nation[unit], zone, to, found.type[unit] == SUB):
            gate = found.gate_of[zone * found.count + to]
            return Refusal(f"bg-6.4.3c-{_GATE_RULES.get(gate, gate)}", "gate-closed", gate=f"@gate-{gate}")
        refused = why_not_cooperate(m, unit, to)
        if refused is not None:
            return refused
    if state.exploiting and state.advanced:
        if state.bad[found.map[to]]:
            return Refusal("bg-5.4-bad-exploit", "bad-weather-exploitation")
        if found.map[zone] != found.map[to] and state.bad[0] != state.bad[1]:
            return Refusal("bg-5.4-map-switch", "weather-differs")
    return None


_GATE_RULES = {"western_turkey": "turkey"}


def _is_magellan(m: BKPlay, group: Group, zone: int, to: int) -> bool:
    """Optional 9.6: round Cape Magellan with the whole double range. [bg-opt-9.6]"""
    if not m.option("cape-magellan") or group.used or m.state.exploiting:
        return False
    return (zone, to) in atlas().magellan or (to, zone) in atlas().magellan


def onward(m: BKPlay, group: Group) -> list[int]:
    found = atlas()
    zone = m.state.place[group.ships[0]]
    around = list(found.sea_next[zone])
    if m.option("cape-magellan"):
        around += [b if a == zone else a for a, b in found.magellan if zone in (a, b)]
    return [to for to in around if why_not_sail_to(m, group, to) is None]


def sail(m: BKPlay, group: Group, to: int) -> None:
    state = m.state
    zone = state.place[group.ships[0]]
    used = group.used + 1
    if _is_magellan(m, group, zone, to):
        used = 2 * single_range()
    m.emit(ev.Sailed(ships=tuple(label(u) for u in group.ships), origin=name(zone), space=name(to)))
    for unit in group.ships:
        put(state, unit, to)
        if used > single_range():
            state.flags[unit] |= DOUBLE
        for load in state.cargo.get(unit, ()):
            state.spent = changed(state.spent, load, state.spent[load] + 1)
    m.replace(_with(group, used=used, wants=-1, cleared=-1, sailed=True))


def halt(m: BKPlay, group: Group) -> None:
    state = m.state
    for unit in group.ships:
        state.flags[unit] |= MOVED
    m.pop()


def why_not_wait(m: BKPlay, group: Group, leader: int) -> Refusal | None:
    """Whom a group may wait for: its own country after some sailing, or an associate that still moves its ships.
    [bg-6.4.1-ships] [bg-6.4.3d-case1] [bg-opt-9.11-limits]"""
    state = m.state
    if state.exploiting:
        return Refusal("bg-6.7-ships", "no-waiting-now")
    country = f"@{MAJORS[leader]}"
    if MAJORS[leader] == group.role:
        return None if group.sailed else Refusal("bg-6.4.1-ships", "nothing-to-wait-for", country=country)
    for unit in group.ships:
        if not are_allied(state, state.nation[unit], leader):
            return Refusal("bg-8.2-neutral-units", "no-associate", country=country)
        if m.option("cooperation") and not cooperate(state, state.nation[unit], leader):
            return Refusal("bg-opt-9.11-limits", "no-cooperation", country=country)
    phase = state.stack[-2]
    if not plays(state, leader) or MAJORS[leader] in getattr(phase, "done", ()):
        return Refusal("bg-6.4.1-max", "has-finished", country=country)
    return None


def wait(m: BKPlay, group: Group, leader: int) -> None:
    """The ships stay, their voyage so far on record; those of the leader's own are back with it, others are lent."""
    state = m.state
    for unit in group.ships:
        state.spent = changed(state.spent, unit, group.used)
    if MAJORS[leader] != group.role:
        guests = [unit for unit in group.ships if state.master[state.nation[unit]] != leader]
        state.lent = {**state.lent, **dict.fromkeys(guests, leader)}
    ships, zone = tuple(label(u) for u in group.ships), name(state.place[group.ships[0]])
    m.emit(ev.Waiting(ships=ships, space=zone, country=f"@{MAJORS[leader]}"))
    m.pop()


def group_offers(m: BKPlay, group: Group) -> list[Offer]:
    return [
        Late(Sail, _sail_fields, m, group, rule="bg-6.4.1-ships"),
        *load_offers(m, group),
        *unload_offers(m, group),
        Late(Wait, _wait_fields, m, group, rule="bg-6.4.1-ships"),
        _HALT,
    ]


_HALT = Choices([Halt()], rule="bg-6.4.1-max")


def _sail_fields(m: BKPlay, group: Group) -> tuple[Field, ...]:
    def zones() -> list[str]:
        return atlas().names(onward(m, group))

    return (Field("to", "space", Lazy(zones, why=lambda v: _why_sail(m, group, v))),)


def _wait_fields(m: BKPlay, group: Group) -> tuple[Field, ...]:
    def leaders() -> list[str]:
        return [who for number, who in enumerate(MAJORS) if why_not_wait(m, group, number) is None]

    def why_leader(value: str) -> Refusal | None:
        return why_not_wait(m, group, MAJORS.index(value)) if value in MAJORS else None

    return (Field("country", "role", Lazy(leaders, why=why_leader)),)


def _why_sail(m: BKPlay, group: Group, value: str) -> Refusal | None:
    space = atlas().space_of.get(value)
    return None if space is None else why_not_sail_to(m, group, space)
