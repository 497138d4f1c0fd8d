"""Scenarios and initial deployment (chapter 3), options 23.1 and 23.6."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import msgspec

from sandtable.core import Late, Offer, OneOf, Refusal, Step
from sandtable.core.offers import Field, Where

from ..model.actions import DefaultSetup, Place
from ..model.atlas import ALLIES, ATLAS, AXIS, SIDES, Plan, hex_name
from ..model.events import Prepared, SetUp
from ..model.hexsets import bits
from ..model.state import (
    AVAILABLE,
    ELIMINATED,
    HIDDEN,
    OUT,
    REINFORCEMENT,
    TRACK,
    UNPLACED,
    M,
    lay,
    lay_all,
    set_steps,
)
from .stacking import would_overstack

FULL, REDUCED = "full", "reduced"
BOXES = {"available": AVAILABLE, "eliminated": ELIMINATED}


_ID = tuple(unit.id for unit in ATLAS.units)
_FIRST, _SECOND = ATLAS.rules["setup"]["first"], ATLAS.rules["setup"]["second"]
_STEPS = tuple(unit.steps for unit in ATLAS.units)


class Slot(msgspec.Struct, frozen=True):
    """One line of the deployment table: so many counters of a type and size, out of these."""

    key: str
    pool: tuple[int, ...]
    number: int
    reduced: int
    land: bool
    eliminated: int = 0
    """Option 23.1: counters that leave the game instead."""


@functools.cache
def slots(country: int, armor: bool) -> tuple[Slot, ...]:
    """[mw-3.4.2-a] [mw-3.4.2-b] [mw-3.4.1-opt] [mw-2.5.1-opt] [mw-23.1] The deployment table of a country."""
    named = set(ATLAS.rules["setup"]["named"])
    words = ATLAS.optional["23.1_additional_armor"]
    groups: dict[tuple[str, str], list[int]] = {}
    for unit in ATLAS.countries[country].units:
        face = ATLAS.units[unit]
        if not face.optional or armor:
            groups.setdefault((face.type, face.size), []).append(unit)
    found = []
    for (kind, size), units in groups.items():
        faces = [ATLAS.units[unit] for unit in units]
        start = [face for face in faces if face.start in ("map", "available") or face.optional]
        if not start:
            continue
        listed = [face.index for face in start if face.id in named or face.optional]
        pool = listed if len(listed) == len(start) else units
        reduced = sum(1 for face in start if face.reduced and not (armor and face.id in words["full_strength"]))
        gone = sum(1 for unit in words["default_removed"] if ATLAS.unit_number[unit] in units) if armor else 0
        key = f"{ATLAS.countries[country].name}:{kind}:{size}"
        found.append(Slot(key, tuple(pool), len(start) - gone, reduced, faces[0].land, gone))
    return tuple(found)


@functools.cache
def slots_by_unit(country: int, armor: bool) -> dict[int, Slot]:
    return {unit: slot for slot in reversed(slots(country, armor)) for unit in slot.pool}


@functools.cache
def counters_at_start(country: int, armor: bool, land: bool) -> int:
    """How many land (or other) counters a country starts with, those put out of the game by option 23.1 included."""
    return sum(slot.number + slot.eliminated for slot in slots(country, armor) if slot.land == land)


def counters_used(where: Sequence[int], country: int, land: bool) -> int:
    """How many of its land (or other) counters do not wait for their turn and are not outside the game."""
    idle = (REINFORCEMENT, OUT, HIDDEN)
    return sum(
        1
        for unit in ATLAS.countries[country].units
        if ATLAS.is_land[unit] == land and where[unit] >= TRACK and where[unit] not in idle
    )


def order_of_setup(plan: Plan) -> list[tuple[int, int]]:
    """[mw-3.4.1-a] [mw-3.4.1-b] [mw-3.4.1-b-exception] [mw-3.4.1-c] [mw-3.4.1-d] (country, deploying side)."""
    number, words = ATLAS.country_number, ATLAS.rules["setup"]
    first = [number[name] for name in (*words["first"], *words["second"])]
    later = [country for side in (ALLIES, AXIS) for country in (*plan.sides[side], *plan.intervention[side])]
    order = dict.fromkeys([*first, *later])
    return [(country, plan.deployer[country]) for country in order if country in plan.deployer]


def lay_out(m: M, country: int) -> None:
    """[mw-3.4.3] [mw-3.4.2-f] Counters that leave nothing to choose go where they belong; the others wait."""
    state = m.state
    places = laid_out(country, bool(m.option("additional-armored-forces")))
    steps = bytearray(state.steps)
    for unit in places:
        steps[unit] = _STEPS[unit]
    state.steps = bytes(steps)
    lay_all(state, places)


@functools.cache
def laid_out(country: int, armor: bool) -> Mapping[int, int]:
    """Where each counter of a country lies before it is set up."""
    places = {unit: REINFORCEMENT for unit in ATLAS.countries[country].units if armor or not ATLAS.units[unit].optional}
    for slot in slots(country, armor):
        automatic = not slot.land and slot.number == len(slot.pool)
        for unit in slot.pool:
            places[unit] = AVAILABLE if automatic else UNPLACED
    return places


@functools.cache
def default_setup(plan: int, armor: bool) -> tuple[dict[int, tuple[int, bool]], frozenset[int]]:
    """Where a scenario's default puts each counter, and whether reduced; with option 23.1 the new tanks stand where
    those stood that leave the game."""
    setup = dict(ATLAS.plans[plan].setup)
    if not armor:
        return setup, frozenset()
    words = ATLAS.optional["23.1_additional_armor"]
    removed = [ATLAS.unit_number[unit] for unit in words["default_removed"]]
    for name in words["add"]:
        unit = ATLAS.unit_number[name]
        same = [other for other in removed if ATLAS.units[other].country == ATLAS.units[unit].country]
        setup[unit] = (setup[same[0]][0], False) if same[0] in setup else setup.get(unit, (UNPLACED, False))
    return setup, frozenset(removed)


def prepare_soviets(m: M) -> None:
    """[mw-23.6] One die for each reduced Soviet unit before it is set up."""
    words = ATLAS.rules["option_23_6"]
    country = ATLAS.country_number[words["country"]]
    if country not in ATLAS.plans[m.state.plan].deployer:
        return
    ready = 0
    for slot in slots(country, bool(m.option("additional-armored-forces"))):
        for _ in range(slot.reduced):
            if m.roll(6, why="mw-23.6") in words["full"]:
                left = m.state.reduced.get(slot.key, slot.reduced)
                m.state.reduced = {**m.state.reduced, slot.key: left - 1}
                ready += 1
    m.emit(Prepared(full=ready))


class Deploy(Step, frozen=True, tag="mw.deploy"):
    """[mw-3.4-a] [mw-3.4.1-c] [mw-3.4.1-d] A country is set up by its player, unit by unit or by the default."""

    rule = "mw-3.4.1-c"
    country: int
    side: int
    begun: bool = False

    def run(self, m: M) -> None:
        if not self.begun:
            lay_out(m, self.country)
            m.amend(Deploy(self.country, self.side, True))
        for slot in self.slots(m):
            if self.room(m, slot):
                return
        self.close(m)

    def slots(self, m: M) -> tuple[Slot, ...]:
        return slots(self.country, bool(m.option("additional-armored-forces")))

    def placed(self, m: M, slot: Slot) -> tuple[int, int, int]:
        """Counters of a slot set up full, reduced, and put out of the game."""
        where, steps = m.state.where, m.state.steps
        full = reduced = gone = 0
        for unit in slot.pool:
            at = where[unit]
            if at >= 0 or at == AVAILABLE:
                if steps[unit] < _STEPS[unit]:
                    reduced += 1
                else:
                    full += 1
            elif at == ELIMINATED:
                gone += 1
        return full, reduced, gone

    def reduced(self, m: M, slot: Slot) -> int:
        return m.state.reduced.get(slot.key, slot.reduced)

    def rooms(self, m: M) -> dict[str, list[str]]:
        """By slot: what may still be set up. Nothing changes between the question and the answer."""
        found: dict[str, list[str]] | None = m.cache.get(self)
        if found is None:
            found = m.cache[self] = {slot.key: self.room(m, slot) for slot in self.slots(m)}
        return found

    def room(self, m: M, slot: Slot) -> list[str]:
        """[mw-3.4.2-d] [mw-table-reinf-r] What may still be set up: full, reduced, or put out of the game."""
        full, reduced, gone = self.placed(m, slot)
        weak = self.reduced(m, slot)
        found = []
        if full < slot.number - weak:
            found.append(FULL)
        if reduced < weak:
            found.append(REDUCED)
        if gone < slot.eliminated:
            found.append("eliminated")
        return found

    def slot_of(self, m: M, unit: int) -> Slot:
        return slots_by_unit(self.country, bool(m.option("additional-armored-forces")))[unit]

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Late(Place, self.fields, m, rule="mw-3.4.2-c"), Offer(DefaultSetup, rule=self.turn_rule(m))]

    def fields(self, m: M) -> tuple[Field, ...]:
        number, where, rooms = ATLAS.unit_number, m.state.where, self.rooms(m)
        waiting = [
            _ID[unit] for slot in self.slots(m) if rooms[slot.key] for unit in slot.pool if where[unit] == UNPLACED
        ]
        return (
            Field("unit", "unit", OneOf(waiting, why=lambda unit: self.why_unit(m, unit))),
            Field("to", "space", lambda unit: _Places(
                self.universe(m, number[unit]), lambda to: self.why_not(m, number[unit], to))),
            Field("strength", "choice", lambda unit, to: OneOf(
                self.strengths(m, number[unit], to),
                why=lambda strength: Refusal("mw-3.4.2-d", "strength-full", unit=unit))),
        )  # fmt: skip

    def why_unit(self, m: M, unit: str) -> Refusal | None:
        number = ATLAS.unit_number.get(unit)
        if number is None or ATLAS.units[number].country != self.country:
            return Refusal(self.turn_rule(m), "other-country", country=f"@{ATLAS.countries[self.country].name}")
        if m.state.where[number] == REINFORCEMENT:
            return Refusal("mw-3.4.2-a", "starts-as-reinforcement", unit=unit)
        return Refusal("mw-3.4.2-b", "slot-full", unit=unit)

    def turn_rule(self, m: M) -> str:
        """The rule that makes it this country's turn to be set up."""
        name = ATLAS.countries[self.country].name
        if name in _FIRST:
            return "mw-3.4.1-a"
        if name in _SECOND:
            return "mw-3.4.1-b" if self.side == AXIS else "mw-3.4.1-b-exception"
        return "mw-3.4.1-d" if self.side == AXIS else "mw-3.4.1-c"

    def strengths(self, m: M, unit: int, to: str) -> list[str]:
        if to == "eliminated":
            return [FULL]
        return [word for word in self.rooms(m)[self.slot_of(m, unit).key] if word in (FULL, REDUCED)]

    def universe(self, m: M, unit: int) -> tuple[str, ...]:
        """[mw-3.4.2-c] [mw-3.4.2-f] Hexes and boxes that come into question for a unit."""
        slot = self.slot_of(m, unit)
        room = self.rooms(m)[slot.key]
        homes = home_names(self.country, ATLAS.units[unit].fort) if slot.land else ("available",)
        if "eliminated" in room:
            return ("eliminated", *(homes if FULL in room or REDUCED in room else ()))
        return homes if room else ()

    def why_not(self, m: M, unit: int, to: str) -> Refusal | None:
        if to in BOXES:
            return None
        at = ATLAS.hex_number.get(to)
        return Refusal("mw-3.4.2-c", "no-way", hex=to) if at is None else why_not_here(m, unit, at)

    def take(self, m: M, role: str, action: Place | DefaultSetup) -> None:
        if isinstance(action, DefaultSetup):
            self.set_default(m)
        else:
            unit = ATLAS.unit_number[action.unit]
            lay(m.state, unit, BOXES.get(action.to, ATLAS.hex_number.get(action.to, UNPLACED)))
            if action.strength == REDUCED:
                set_steps(m.state, unit, m.state.steps[unit] - 1)
        m.replace(self)

    def set_default(self, m: M) -> None:
        """The whole country as the scenario's default has it; dice of option 23.6 and counters of 23.1 included."""
        state = m.state
        lay_out(m, self.country)
        setup, removed = default_setup(state.plan, bool(m.option("additional-armored-forces")))
        places: dict[int, int] = {}
        steps = bytearray(state.steps)
        for slot in self.slots(m):
            weak = self.reduced(m, slot)
            for unit in slot.pool:
                if unit in removed:
                    places[unit] = ELIMINATED
                elif not slot.land:
                    if ATLAS.units[unit].start == "available":
                        places[unit] = AVAILABLE
                elif unit in setup and setup[unit][0] >= 0:
                    places[unit] = setup[unit][0]
                    if setup[unit][1] and weak:
                        steps[unit], weak = ATLAS.units[unit].steps - 1, weak - 1
        state.steps = bytes(steps)
        lay_all(state, places)

    def close(self, m: M) -> None:
        """[mw-3.4.3] What was not chosen waits in the Reinforcement Display."""
        for unit in ATLAS.countries[self.country].units:
            if m.state.where[unit] == UNPLACED:
                lay(m.state, unit, REINFORCEMENT)
        m.emit(SetUp(country=f"@{ATLAS.countries[self.country].name}"))
        m.pop()


class _Places(Where):
    """Places a rule does not refuse; the rule also speaks about places that never come into question."""

    def why(self, value: object) -> Refusal | None:
        return self.rule(value) if isinstance(value, str) else None


@functools.cache
def home_names(country: int, fort: bool) -> tuple[str, ...]:
    """The hexes of a country; for a fortification only those with the symbol."""
    hexes = ATLAS.countries[country].hexes & ~ATLAS.no_setup
    return tuple(hex_name(at) for at in bits(hexes & ATLAS.fort_symbols if fort else hexes))


def why_not_here(m: M, unit: int, at: int) -> Refusal | None:
    """[mw-3.4.2-c] [mw-3.4.2-e] [mw-3.4.2-g] [mw-2.1-errata-a] [mw-5.6-danzig] [mw-9.0-f-exception] Why a unit may not
    be set up in a hex. Enemy zones do not matter.  [mw-3.4.2-h]"""
    if open_to(unit) >> at & 1:
        return would_overstack(m, unit, at)
    face, name = ATLAS.units[unit], hex_name(at)
    if ATLAS.no_setup >> at & 1:
        return Refusal("mw-5.6-danzig", "danzig")
    if ATLAS.country_of[at] != face.country:
        return Refusal("mw-3.4.2-c", "not-home", hex=name, country=f"@{ATLAS.countries[face.country].name}")
    if face.fort and not ATLAS.fort_symbols >> at & 1:
        return Refusal("mw-3.4.2-e", "no-fort-symbol", hex=name)
    if ATLAS.mountains >> at & 1 and (face.static or not face.alpine):
        return Refusal("mw-9.0-f-exception" if face.static else "mw-19.0-mountain", "mountain", hex=name)
    for row in orders_for(unit):
        refusal = _why_not_as_told(m, unit, at, row)
        if refusal is not None:
            return refusal
    return would_overstack(m, unit, at)


@functools.cache
def orders_for(unit: int) -> tuple[dict[str, object], ...]:
    """What the deployment table says about the places of a unit of this kind."""
    face = ATLAS.units[unit]
    return tuple(
        row
        for row in ATLAS.rules["setup"]["place"]
        if row["type"] == face.type and ATLAS.country_number[row["country"]] == face.country
    )


@functools.cache
def open_to(unit: int) -> int:
    """Hexes in which only the stack can forbid a unit to be set up: home, no mountain, and the table tells it nothing;
    for fortifications the hexes with the symbol."""
    face = ATLAS.units[unit]
    if orders_for(unit):
        return 0
    hexes = ATLAS.countries[face.country].hexes & ~ATLAS.no_setup
    if face.fort:
        hexes &= ATLAS.fort_symbols
    return hexes if face.alpine and not face.static else hexes & ~ATLAS.mountains


def _why_not_as_told(m: M, unit: int, at: int, row: dict[str, object]) -> Refusal | None:
    """[mw-table-deploy-germany] [mw-table-deploy-britain] The places the deployment table names."""
    name, rule = hex_name(at), "mw-3.4.2-c"
    face = ATLAS.units[unit]
    if "next_to" in row:
        there = ATLAS.countries[ATLAS.country_number[str(row["next_to"])]].hexes
        if not ATLAS.neighbours(at) & there:
            return Refusal(rule, "not-at-border", hex=name, country=f"@{row['next_to']}")
    if row.get("in_city") and not ATLAS.cities >> at & 1:
        return Refusal(rule, "no-city", hex=name)
    if "one_at" in row:
        must = ATLAS.hex_number[str(row["one_at"])]
        others = [other for other in ATLAS.countries[face.country].units
                  if ATLAS.units[other].type == face.type and other != unit]  # fmt: skip
        number = sum(1 for other in (*others, unit) if ATLAS.units[other].start == "map")
        standing = [m.state.where[other] for other in others if m.state.where[other] >= 0]
        if must not in standing and at != must and len(standing) + 1 >= number:
            return Refusal(rule, "one-must-be-at", hex=str(row["one_at"]))
    return None
