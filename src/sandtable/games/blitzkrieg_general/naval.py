"""6.4.3 Naval missions: groups of ships sail zone by zone, load, hand over and unload, and announce invasions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Refusal, Role, Step, Subsets

from . import events as ev
from .actions import Form, Halt, Load, Sail, Unload
from .atlas import CONVOY, INF, MAJORS, NAVAL_HQ, SUB, USA, atlas
from .control import major_behind, occupy
from .garrison import why_not_leave
from .movement import is_handicapped, label, note_attack, uid, why_not_attack
from .politics import why_not_enter
from .reach import name, why_not_cooperate, why_not_stack
from .state import (
    AT_SEA,
    CARRIED,
    DOUBLE,
    FOUGHT,
    MOVED,
    NEUTRAL,
    BKPlay,
    BKState,
    are_allied,
    disembark,
    embark,
    has_enemy,
    has_enemy_ship,
    is_friendly,
    is_hostile,
    put,
    send,
    units_of_role,
)
from .supply import is_gate_closed
from .tables import LIMITS


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
    for hq, rating in found.rating.items():
        if found.type[hq] != NAVAL_HQ or state.carrier[hq] < 0 or state.start[hq] != zone:
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
    state, found = m.state, atlas()
    if state.exploiting and state.advanced and all(state.bad):
        return []
    zones: dict[str, list[str]] = {}
    for unit in units_of_role(state, major):
        if found.is_ship[unit] and why_not_sail(m, unit) is None:
            if state.exploiting and state.advanced and state.bad[found.map[state.place[unit]]]:
                continue
            zones.setdefault(found.space_ids[state.place[unit]], []).append(uid(unit))

    def why_zone(value: str) -> Refusal | None:
        space = found.space_of.get(value)
        mine = [u for u in state.here[space] if state.master[state.nation[u]] == major] if space is not None else []
        return why_not_sail(m, mine[0]) if mine else None

    def why_ships(value: tuple[str, ...]) -> Refusal | None:
        return next((r for ident in value if (r := why_not_sail(m, found.unit_of[ident])) is not None), None)

    def ships(zone: str) -> Subsets:
        most = None
        if state.exploiting:
            hq = naval_commander(state, found.unit_of[zones[zone][0]])
            most = found.rating[hq] - state.spent[hq]
        return Ships(zones[zone], 1, most, why_ships)

    return [
        Offer(
            Form,
            Field("zone", "space", OneOf(list(zones), why=why_zone)),
            Field("ships", "units", ships),
            rule="bg-6.4.1-ships",
        )
    ]


def take_form(m: BKPlay, major: int, action: Form) -> None:
    ships = tuple(atlas().unit_of[ident] for ident in action.ships)
    if m.state.exploiting:
        m.state.spent[naval_commander(m.state, ships[0])] += len(ships)
    m.push(Group(MAJORS[major], ships))


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
        "stopped": step.stopped, **changes,
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
            state.spent[load] += 1
    m.replace(_with(group, used=used, wants=-1, cleared=-1))


def halt(m: BKPlay, group: Group) -> None:
    state = m.state
    for unit in group.ships:
        state.flags[unit] |= MOVED
    m.pop()


def group_offers(m: BKPlay, group: Group) -> list[Offer]:
    found = atlas()
    out: list[Offer] = []
    to = onward(m, group)
    out.append(
        Offer(
            Sail,
            Field("to", "space", OneOf(found.names(to), why=lambda v: _why_sail(m, group, v))),
            rule="bg-6.4.1-ships",
        )
    )
    out.extend(load_offers(m, group))
    out.extend(unload_offers(m, group))
    out.append(Choices([Halt()], rule="bg-6.4.1-max"))
    return out


def _why_sail(m: BKPlay, group: Group, value: str) -> Refusal | None:
    space = atlas().space_of.get(value)
    return None if space is None else why_not_sail_to(m, group, space)


# ---- loading ------------------------------------------------------------------------------------------------------
def carriers(m: BKPlay, group: Group) -> list[int]:
    """Convoys of the group; by optional 9.5 a Task Force carries a Naval HQ."""
    found = atlas()
    return [u for u in group.ships if found.type[u] == CONVOY or (m.option("naval-hq-on-tf") and found.type[u] != SUB)]


def why_not_load(m: BKPlay, convoy: int, unit: int) -> Refusal | None:
    """[bg-6.4.3a-capacity] [bg-6.4.3a-backside] [bg-6.4.3a-two-backs] [bg-6.4.3a-once] [bg-6.4.3b-transfer]
    [bg-6.4.3b-free-loading]
    [bg-opt-9.5]"""
    state, found = m.state, atlas()
    aboard = state.cargo.get(convoy, ())
    flipped = bool(state.flipped[unit])
    if found.type[convoy] != CONVOY and found.type[unit] != NAVAL_HQ:
        return Refusal("bg-opt-9.5", "only-naval-hq", unit=label(unit))
    if state.flags[convoy] & CARRIED:
        pair = len(aboard) == 1 and flipped and state.flipped[aboard[0]] and not state.flipped[convoy]
        if not pair or state.origin[convoy] != state.place[convoy]:
            return Refusal("bg-6.4.3a-once", "loaded-already", unit=label(convoy))
    elif aboard:
        pair = len(aboard) == 1 and flipped and bool(state.flipped[aboard[0]]) and not state.flipped[convoy]
        if not pair:
            return Refusal("bg-6.4.3a-capacity", "convoy-full", unit=label(convoy))
    if state.flipped[convoy] and not flipped:
        return Refusal("bg-6.4.3a-backside", "reduced-convoy", unit=label(unit))
    if state.carrier[unit] >= 0:
        zone = state.place[convoy]
        if not any(is_friendly(state, state.nation[convoy], s) for s in found.coast[zone]):
            return Refusal("bg-6.4.3b-transfer", "no-friendly-coast", space=name(zone))
    elif state.flags[unit] & MOVED:
        return Refusal("bg-6.4.1-once", "moved-already", unit=label(unit))
    return why_not_leave(state, unit)


def nearby(m: BKPlay, convoy: int) -> list[int]:
    """Units ashore beside the convoy or aboard its neighbours."""
    state, found = m.state, atlas()
    zone, nation = state.place[convoy], state.nation[convoy]
    near: list[int] = []
    for area in found.coast[zone]:
        for unit in state.here[area]:
            other = state.nation[unit]
            if state.mission[unit] < 0 and are_allied(state, nation, other) and not has_enemy(state, other, area):
                near.append(unit)
    if state.cargo:
        near += [
            unit
            for ship in state.here[zone]
            if ship != convoy
            for unit in state.cargo.get(ship, ())
            if state.mission[unit] < 0 and are_allied(state, nation, state.nation[unit])
        ]
    if state.exploiting:
        near = [u for u in near if found.type[u] != INF]
    return near


def loadable(m: BKPlay, group: Group, convoy: int) -> list[int]:
    return [u for u in nearby(m, convoy) if why_not_load(m, convoy, u) is None]


def load_offers(m: BKPlay, group: Group) -> list[Offer]:
    found = atlas()
    ships = {uid(c): [uid(u) for u in loadable(m, group, c)] for c in carriers(m, group)}
    able = [convoy for convoy, units in ships.items() if units]

    def why_convoy(value: str) -> Refusal | None:
        near = nearby(m, found.unit_of[value]) if value in ships else []
        return why_not_load(m, found.unit_of[value], near[0]) if near else None

    def why(convoy: str, value: str) -> Refusal | None:
        unit = found.unit_of.get(value, -1)
        return why_not_load(m, found.unit_of[convoy], unit) if unit >= 0 and m.state.place[unit] >= 0 else None

    return [
        Offer(
            Load,
            Field("convoy", "unit", OneOf(able, why=why_convoy)),
            Field("unit", "unit", lambda c: OneOf(ships[c], why=lambda v: why(c, v))),
            rule="bg-6.4.3a-capacity",
        )
    ]


def take_load(m: BKPlay, action: Load) -> None:
    state, found = m.state, atlas()
    convoy, unit = found.unit_of[action.convoy], found.unit_of[action.unit]
    if state.carrier[unit] < 0:
        state.start[unit] = state.place[unit]
        state.spent[unit] = 0
    embark(state, unit, convoy)
    state.flags[convoy] |= CARRIED
    state.origin[convoy] = state.place[convoy]
    m.emit(ev.Embarked(unit=label(unit), convoy=label(convoy), space=name(state.place[convoy])))


# ---- unloading and invading ---------------------------------------------------------------------------------------
def why_not_unload(m: BKPlay, unit: int, area: int, used: int) -> Refusal | None:
    """[bg-6.4.3b-unload] [bg-6.4.3f-no-landing] [bg-6.5.4-def] [bg-6.5.4-who] [bg-6.5.4-origin] [bg-6.5.4-no-sea-stay]
    [bg-6.5.4-no-double] [bg-1.2-forbidden-coast] [bg-1.1-invade-direct]"""
    state, found = m.state, atlas()
    nation, zone = state.nation[unit], state.place[unit]
    refused = why_not_enter(state, nation, area) or why_not_stack(state, unit, area) or why_not_cooperate(m, unit, area)
    if refused is not None:
        return refused
    if is_friendly(state, nation, area):
        if has_enemy(state, nation, area):
            return Refusal("bg-6.4.3b-unload", "contested", space=name(area))
        return None
    if not found.is_land[unit]:
        return Refusal("bg-6.5.4-who", "only-land-units", unit=label(unit))
    if state.flags[state.carrier[unit]] & DOUBLE or is_handicapped(state, nation, zone):
        return Refusal("bg-6.4.3f-no-landing", "double-range", space=name(zone))
    refused = why_not_attack(m, unit, area)
    if refused is not None or not state.advanced:
        return refused
    if zone * found.count + area in found.forbidden_coast:
        return Refusal("bg-1.2-forbidden-coast", "forbidden-coast", space=name(area))
    if state.exploiting:
        return Refusal("bg-6.5.4-no-sea-stay", "no-invasion-now", unit=label(unit))
    if state.flags[unit] & AT_SEA:
        return Refusal("bg-6.5.4-no-sea-stay", "was-at-sea", unit=label(unit))
    if state.spent[unit] > LIMITS["invasion_zones"]:
        return Refusal("bg-6.5.4-origin", "too-far", unit=label(unit))
    if state.invasions.get(area, zone) != zone:
        return Refusal("bg-6.5.4-def", "other-beach", space=name(area))
    return None


def unload_targets(m: BKPlay, unit: int, used: int) -> list[int]:
    return [s for s in atlas().coast[m.state.place[unit]] if why_not_unload(m, unit, s, used) is None]


def unload_offers(m: BKPlay, group: Group) -> list[Offer]:
    state, found = m.state, atlas()
    loads = [c for u in group.ships for c in state.cargo.get(u, ()) if state.mission[c] < 0]
    choices = {uid(c): found.names(unload_targets(m, c, group.used)) for c in loads}
    able = [unit for unit, spaces in choices.items() if spaces]

    def why_unit(value: str) -> Refusal | None:
        cargo = found.unit_of.get(value, -1)
        if cargo not in loads:
            return None
        refusals = [why_not_unload(m, cargo, s, group.used) for s in found.coast[state.place[cargo]]]
        return next((r for r in refusals if r is not None), None)

    def why(unit: str, value: str) -> Refusal | None:
        space = found.space_of.get(value, -1)
        here = state.place[found.unit_of[unit]]
        return why_not_unload(m, found.unit_of[unit], space, group.used) if space in found.coast[here] else None

    return [
        Offer(
            Unload,
            Field("unit", "unit", OneOf(able, why=why_unit)),
            Field("to", "space", lambda u: OneOf(choices[u], why=lambda v: why(u, v))),
            rule="bg-6.4.3b-unload",
        )
    ]


def take_unload(m: BKPlay, group: Group, action: Unload) -> None:
    state, found = m.state, atlas()
    unit, area = found.unit_of[action.unit], found.space_of[action.to]
    nation, zone = state.nation[unit], state.place[unit]
    if is_friendly(state, nation, area):
        disembark(state, unit, area)
        state.flags[unit] |= MOVED
        m.emit(ev.Disembarked(unit=label(unit), space=name(area)))
        return
    note_attack(m, unit, area)
    if state.advanced:
        send(state, unit, area)
        state.invasions[area] = zone
        m.emit(ev.InvasionAnnounced(unit=label(unit), space=name(area)))
        return
    disembark(state, unit, area)
    state.flags[unit] |= MOVED
    state.origin[unit] = -1
    m.emit(ev.Disembarked(unit=label(unit), space=name(area)))
    if is_hostile(state, nation, area) and not has_enemy(state, nation, area):
        occupy(m, area, major_behind(state, unit))
