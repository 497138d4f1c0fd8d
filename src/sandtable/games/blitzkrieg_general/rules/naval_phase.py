"""6.4.3 Naval missions: groups of ships sail zone by zone, load and unload, and may be intercepted on their way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core import Choices, Field, Offer, OneOf, Refusal, Role, Step, Subsets
from sandtable.core.columns import put, put_all

from ..facts.attacks import fleets
from ..facts.command import naval_commander
from ..facts.politics import are_allied, cooperate
from ..model import events as ev
from ..model.actions import Engage, Form, Halt, Join, Load, Sail, Unload, Wait
from ..model.atlas import ATLAS, MAJORS, labels, name, unit_id
from ..model.state import DOUBLE, FOUGHT, MOVED, BKState, M, enemy_side, mark_all, move_unit, plays, role_of
from .cargo import load_offer, note_transport, take_load, take_unload, unload_offer
from .combat_phase import begin_sea_battle
from .naval import is_magellan, onward, ready_ships, seekers, why_not_sail, why_not_sail_to
from .politics import leader_of
from .search import helpers, roll_search
from .stacking import no_cooperation


# ---- forming a group ----------------------------------------------------------------------------------------------
class Ships(Subsets):
    """Some ships of a zone, with the reason why another one may not sail."""

    __slots__ = ("_tell",)

    def __init__(self, items: list[str], least: int, most: int | None, tell: Callable[[Any], Refusal | None]) -> None:
        super().__init__(items, least, most)
        self._tell = tell

    def why(self, value: Any) -> Refusal | None:
        known = isinstance(value, tuple) and all(ident in ATLAS.unit_of for ident in value)
        return self._tell(value) if known else None


def form_offers(m: M, major: int) -> list[Offer]:
    state = m.state
    if state.exploiting and state.advanced and all(state.bad):
        return []
    return [Offer(Form, lambda: _form_fields(state, major), rule="bg-6.4.1-ships")]


def _form_fields(state: BKState, major: int) -> tuple[Field, ...]:
    def zones() -> list[str]:
        return list(ready_ships(state, major))

    def why_zone(value: str) -> Refusal | None:
        space = ATLAS.space_of.get(value)
        mine = [u for u in state.here[space] if role_of(state, u) == major] if space is not None else []
        return why_not_sail(state, mine[0]) if mine else None

    def why_ships(value: tuple[str, ...]) -> Refusal | None:
        return next((r for ident in value if (r := why_not_sail(state, ATLAS.unit_of[ident])) is not None), None)

    def ships(zone: str) -> Subsets:
        most, ready = None, ready_ships(state, major)[zone]
        if state.exploiting:
            hq = naval_commander(state, ATLAS.unit_of[ready[0]])
            most = ATLAS.rating[hq] - state.spent[hq]
        return Ships(ready, 1, most, why_ships)

    return (
        Field("zone", "space", OneOf(zones(), why=why_zone)),
        Field("ships", "units", ships),
    )


def take_form(m: M, major: int, action: Form) -> None:
    """Unite ships that have come some way to this zone and others: the one that came farthest sets the range that
    is left. [bg-6.4.1-ships]"""
    state = m.state
    ships = tuple(ATLAS.unit_of[ident] for ident in action.ships)
    if state.exploiting:
        hq = naval_commander(state, ships[0])
        state.spent = put(state.spent, hq, state.spent[hq] + len(ships))
        m.push(Group(MAJORS[major], ships))
        return
    state.lent = {u: leader for u, leader in state.lent.items() if u not in ships}
    m.push(Group(MAJORS[major], ships, max(state.spent[u] for u in ships)))


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

    def run(self, m: M) -> None:
        state = m.state
        alive = tuple(u for u in self.ships if state.place[u] >= 0)
        if not alive:
            m.pop()
            return
        if alive != self.ships:
            m.amend(replace(self, ships=alive))
        step = m.step
        assert isinstance(step, Group)
        if step.stopped:
            _halt(m, step)
        elif step.wants >= 0:
            wants = step.wants
            m.amend(replace(step, wants=-1))
            if why_not_sail_to(state, step.ships, step.used, wants) is None:
                _sail(m, replace(step, wants=-1), wants)

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        return _group_offers(m, self)

    def take(self, m: M, role: Role, action: object) -> None:
        if isinstance(action, Halt):
            _halt(m, self)
        elif isinstance(action, Wait):
            _wait(m, self, MAJORS.index(action.country))
        elif isinstance(action, Load):
            take_load(m, action)
        elif isinstance(action, Unload):
            take_unload(m, action)
        elif isinstance(action, Sail):
            to = ATLAS.space_of[action.to]
            if _is_intercepted(m.state, self):
                m.amend(replace(self, cleared=m.state.place[self.ships[0]], wants=to))
                m.push(Intercept(m.state.place[self.ships[0]], self.ships, self.used))
            else:
                _sail(m, self, to)


def _is_intercepted(state: BKState, group: Group) -> bool:
    """Whether a group that wants to sail on out of a zone it has entered lets the enemies there search.
    [bg-6.4.3d-case1]"""
    zone = state.place[group.ships[0]]
    return state.advanced and group.used > 0 and group.cleared != zone and bool(seekers(state, group.ships))


def _sail(m: M, group: Group, to: int) -> None:
    state = m.state
    zone = state.place[group.ships[0]]
    used = 2 * ATLAS.ship_range if is_magellan(state, group.used, zone, to) else group.used + 1
    m.emit(ev.Sailed(ships=labels(group.ships), origin=name(zone), space=name(to)))
    for unit in group.ships:
        move_unit(state, unit, to)
        if unit in state.cargo:
            note_transport(state, unit)
        if not state.exploiting:  # the zones on the way to a landing; in exploitation an HQ counts its commands
            for load in state.cargo.get(unit, ()):
                state.spent = put(state.spent, load, state.spent[load] + 1)
    if used > ATLAS.ship_range:
        mark_all(state, group.ships, DOUBLE)
    m.replace(replace(group, used=used, wants=-1, cleared=-1, sailed=True))


def _halt(m: M, group: Group) -> None:
    mark_all(m.state, group.ships, MOVED)
    m.pop()


def why_not_wait(state: BKState, group: Group, leader: int) -> Refusal | None:
    """Refuse a country that a group may not wait for: it may wait for its own after some sailing, or for an associate
    that still moves its ships. [bg-6.4.1-ships] [bg-6.4.3d-case1] [bg-opt-9.11-limits]"""
    if state.exploiting:
        return Refusal("bg-6.7-ships", "no-waiting-now")
    country = f"@{MAJORS[leader]}"
    if MAJORS[leader] == group.role:
        return None if group.sailed else Refusal("bg-6.4.1-ships", "nothing-to-wait-for", country=country)
    for nation in {state.nation[unit]: None for unit in group.ships}:
        if not are_allied(state, nation, leader):
            return Refusal("bg-8.2-neutral-units", "no-associate", country=country)
        if state.options.get("cooperation") and not cooperate(state, nation, leader):
            return no_cooperation(leader)
    phase = state.stack[-2]
    if not plays(state, leader) or MAJORS[leader] in getattr(phase, "done", ()):
        return Refusal("bg-6.4.1-max", "has-finished", country=country)
    return None


def _wait(m: M, group: Group, leader: int) -> None:
    """The ships stay, with the zones they have sailed; those of the leader's own are back with it, others are lent."""
    state = m.state
    state.spent = put_all(state.spent, group.ships, group.used)
    if MAJORS[leader] != group.role:
        guests = [unit for unit in group.ships if role_of(state, unit) != leader]
        state.lent = {**state.lent, **dict.fromkeys(guests, leader)}
    zone = name(state.place[group.ships[0]])
    m.emit(ev.Waiting(ships=labels(group.ships), space=zone, country=f"@{MAJORS[leader]}"))
    m.pop()


def _group_offers(m: M, group: Group) -> list[Offer]:
    state = m.state
    return [
        Offer(Sail, lambda: _sail_fields(state, group), rule="bg-6.4.1-ships"),
        load_offer(state, group.ships),
        unload_offer(state, group.ships),
        Offer(Wait, lambda: _wait_fields(state, group), rule="bg-6.4.1-ships"),
        _HALT,
    ]


_HALT = Choices([Halt()], rule="bg-6.4.1-max")


def _sail_fields(state: BKState, group: Group) -> tuple[Field, ...]:
    def zones() -> list[str]:
        return ATLAS.names(onward(state, group.ships, group.used))

    def why(value: str) -> Refusal | None:
        space = ATLAS.space_of.get(value)
        return None if space is None else why_not_sail_to(state, group.ships, group.used, space)

    return (Field("to", "space", OneOf(zones(), why=why)),)


def _wait_fields(state: BKState, group: Group) -> tuple[Field, ...]:
    def leaders() -> list[str]:
        return [who for number, who in enumerate(MAJORS) if why_not_wait(state, group, number) is None]

    def why_leader(value: str) -> Refusal | None:
        return why_not_wait(state, group, MAJORS.index(value)) if value in MAJORS else None

    return (Field("country", "role", OneOf(leaders(), why=why_leader)),)


# ---- interception -------------------------------------------------------------------------------------------------
class Intercept(Step, frozen=True, tag="bg.intercept"):
    """Case 1: enemies in the zone search for a group that wants to sail on. [bg-6.4.3d-case1] [bg-6.4.3e-case1-help]"""

    rule = "bg-6.4.3d-case1"
    zone: int
    ships: tuple[int, ...]
    used: int
    stage: int = 0
    help: tuple[int, ...] = ()
    role: str = ""

    def run(self, m: M) -> None:
        state = m.state
        side = enemy_side(state.phasing)
        if self.stage == 0:
            searching = seekers(state, self.ships)
            group = [u for u in self.ships if not state.flags[u] & FOUGHT]
            if not roll_search(m, side, self.zone, searching, group):
                m.pop()
                return
            m.replace(Intercept(self.zone, self.ships, self.used, 1, (), leader_of(state, searching, side)))
        elif self.stage == 2:
            self._ask_for_help(m, side, 3)
        elif self.stage == 4:
            group = [u for u in self.ships if state.place[u] >= 0]
            _, enemies = fleets(state, self.zone)
            if roll_search(m, state.phasing, self.zone, group, enemies or group):
                self._ask_for_help(m, state.phasing, 5)
            else:
                m.replace(Intercept(self.zone, self.ships, self.used, 6, self.help, ""))
        elif self.stage == 6:
            m.replace(Intercept(self.zone, self.ships, self.used, 7, self.help, ""))
            # beyond its single range the group sails no further, so it fights on or retreats as any fleet does
            on_its_way = self.used <= ATLAS.ship_range
            begin_sea_battle(m, self.zone, self.ships, self.help, limited=on_its_way)
        elif self.stage == 7:
            m.pop()
            group_step = m.step
            if isinstance(group_step, Group) and self.used > ATLAS.ship_range:
                m.amend(replace(group_step, stopped=True))

    def _ask_for_help(self, m: M, side: int, stage: int) -> None:
        units = helpers(m.state, side, self.zone)
        role = leader_of(m.state, units, side) if units else ""
        m.replace(Intercept(self.zone, self.ships, self.used, stage if units else stage + 1, self.help, role))

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,) if self.role else ()

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        if self.stage == 1:
            return [Choices([Engage(True), Engage(False)], rule="bg-6.4.3d-one-succeeds")]
        side = enemy_side(m.state.phasing) if self.stage == 3 else m.state.phasing
        ids = [unit_id(u) for u in helpers(m.state, side, self.zone)]
        return [Offer(Join, Field("units", "units", Subsets(ids)), rule="bg-6.4.3e-air-help")]

    def take(self, m: M, role: Role, action: Any) -> None:
        if isinstance(action, Engage):
            if action.fight:
                m.replace(Intercept(self.zone, self.ships, self.used, 2, (), ""))
            else:
                m.pop()
        else:
            units = tuple(ATLAS.unit_of[ident] for ident in action.units)
            m.replace(Intercept(self.zone, self.ships, self.used, self.stage + 1, (*self.help, *units), ""))
