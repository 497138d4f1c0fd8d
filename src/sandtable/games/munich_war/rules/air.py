"""Airpower (chapter 16): basing, launching, range, interception."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from sandtable.core import Late, Offer, OneOf, Refusal, Step
from sandtable.core.offers import Field

from ..facts.board import air_at, air_force, aloft, facts, hex_name, side_of
from ..model.actions import Done, Fight, Intercept, Launch
from ..model.atlas import ATLAS, NOBODY, SIDES, STRIDE
from ..model.events import Intercepted, Launched
from ..model.hexsets import bits, flood
from ..model.state import AVAILABLE, FLOWN, GROUNDED, SURPRISED, UTILIZED, WAITING, M, lay, mark, unmark
from .domains import Hexes
from .losses import eliminate, reduce
from .politics import invade_if_neutral

_LAND_OF = [tuple(unit for unit in country.units if ATLAS.is_land[unit]) for country in ATLAS.countries]
_STATIC_OF = [tuple(unit for unit in units if ATLAS.units[unit].static) for units in _LAND_OF]
_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_DONE = {rule: Offer(Done, rule=rule) for rule in ("mw-16.2-b", "mw-16.2-c")}


def factor(m: M, unit: int) -> int:
    """An air unit's combat factor on its present side."""
    return ATLAS.units[unit].combat[m.state.steps[unit]]


def home(m: M, unit: int) -> None:
    """[mw-16.1-a] [mw-16.4-a] Straight to the Utilized Display, never back to a hex."""
    if m.state.where[unit] >= 0:
        lay(m.state, unit, UTILIZED)
        unmark(m.state, unit, WAITING)


def why_not_fly(m: M, unit: int) -> Refusal | None:
    """[mw-16.2-a] [mw-int-zero] [mw-16.1-a] Why an air unit cannot take off."""
    face, state = ATLAS.units[unit], m.state
    if state.flags[unit] & GROUNDED:
        return Refusal("mw-int-zero", "grounded", unit=face.id)
    if state.flags[unit] & FLOWN:
        return Refusal("mw-16.2-a", "has-flown", unit=face.id)
    if state.where[unit] != AVAILABLE:
        return Refusal("mw-16.1-a", "not-available", unit=face.id)
    return None


def fliers(m: M, side: int) -> list[int]:
    """Air units of a side that may take off."""
    state = m.state
    where, flags = state.where, state.flags
    return [unit for unit in air_force(m, side) if where[unit] == AVAILABLE and not flags[unit] & (GROUNDED | FLOWN)]


def bases(m: M, unit: int) -> int:
    """[mw-16.3-b] [mw-16.3-c] [mw-16.8.2-e] Cities an air unit may take off from."""
    known, state = facts(m), m.state
    country = ATLAS.units[unit].country
    found: int | None = known.memo.get(("bases", country))
    if found is None:
        side = state.side[country]
        held = known.mobile[country]
        for other in _STATIC_OF[country]:
            if state.where[other] >= 0:
                held |= 1 << state.where[other]
        own = ATLAS.countries[country].hexes & known.controlled(side)
        found = ATLAS.cities & (own | held) & ~known.zoc[1 - side] & ~known.terror
        known.memo["bases", country] = found
    return found


def why_not_base(m: M, unit: int, at: int) -> Refusal | None:
    face, known = ATLAS.units[unit], facts(m)
    if not ATLAS.cities >> at & 1:
        return Refusal("mw-16.3-b", "no-city", hex=hex_name(at))
    if known.terror >> at & 1:
        return Refusal("mw-16.8.2-e", "terrorized", hex=hex_name(at))
    if known.zoc[1 - side_of(m, unit)] >> at & 1:
        return Refusal("mw-16.3-c", "in-zoc", hex=hex_name(at))
    return Refusal("mw-16.3-b", "not-your-city", hex=hex_name(at), unit=face.id)


def flight(m: M, unit: int, base: int) -> int:
    """[mw-16.3-a] [mw-16.3-d] [mw-16.3-e] [mw-5.1-b] [mw-5.1-d] Hexes in range from a base, over anything but neutrals;
    a neutral that the unit's country may invade can be flown into."""
    known, state = facts(m), m.state
    face = ATLAS.units[unit]
    key = ("flight", base, face.range, face.country)
    found: int | None = known.lasting.get(key)
    if found is None:
        sky = known.open | ATLAS.sea_hexes
        found = in_range(base, sky, face.range)
        near = within(base, face.range)
        for neutral in ATLAS.countries[face.country].invades:
            land = ATLAS.countries[neutral].hexes
            if land & near and state.side[neutral] == NOBODY:
                found |= in_range(base, sky | land, face.range) & land
        known.lasting[key] = found
    return found


def in_range(base: int, sky: int, distance: int) -> int:
    """Hexes that can be flown to through these in so many steps: only the sky that near matters."""
    return _flown(base, sky & within(base, distance), distance)


@functools.cache
def within(base: int, distance: int) -> int:
    """All hexes of the board so near."""
    return flood(1 << base, ATLAS.all_edges, ATLAS.board, distance)


@functools.lru_cache(maxsize=16384)
def _flown(base: int, sky: int, distance: int) -> int:
    """Ring by ring, in all six directions at once: where a flight leaves the board there is no sky."""
    even, odd = ATLAS.even_columns, ATLAS.odd_columns
    seen = front = 1 << base
    while front and distance:
        high, low = front & even, front & odd
        front = front << 1 | front >> 1 | front << STRIDE | front >> STRIDE
        front |= high << STRIDE - 1 | high >> STRIDE + 1 | low << STRIDE + 1 | low >> STRIDE - 1
        front &= sky & ~seen
        seen |= front
        distance -= 1
    return seen


def targets(m: M, unit: int, base: int) -> int:
    """[mw-16.5-a] [mw-16.10.1-a] [mw-16.10.1-b] [mw-16.10.2-a] Hexes an air unit may fly to from a base."""
    face, state = ATLAS.units[unit], m.state
    side = state.side[face.country]
    hexes = flight(m, unit, base) & ATLAS.land & ~flying(m, side)
    if face.strike:
        return hexes & ~(1 << base)
    held = 0
    for other in _LAND_OF[face.country]:
        if state.where[other] >= 0:
            held |= 1 << state.where[other]
    start = 1 << base
    waits = start if any(can_be_flown(m, other) for other in facts(m).stack(base)) else 0
    return hexes & (held & ~start | waits)


def can_be_flown(m: M, unit: int) -> bool:
    """[mw-16.10.1-b] A passenger: mobile, not mechanized, below army size."""
    face = ATLAS.units[unit]
    return face.mobile and not face.mechanized and not face.army


def why_not_target(m: M, unit: int, base: int, at: int) -> Refusal | None:
    """The most telling reason why an air unit may not fly there."""
    face, state = ATLAS.units[unit], m.state
    side = state.side[face.country]
    country = ATLAS.country_of[at]
    if country == NOBODY:
        return Refusal("mw-16.2-d", "sea-hex", hex=hex_name(at))
    if state.side[country] == NOBODY and country not in ATLAS.countries[face.country].invades:
        return Refusal("mw-16.3-e", "neutral-sky", country=f"@{ATLAS.countries[country].name}")
    if not flight(m, unit, base) >> at & 1:
        return Refusal("mw-16.3-a", "out-of-range", hex=hex_name(at), range=face.range)
    if air_at(m, side, at) != NOBODY:
        return Refusal("mw-16.5-a", "air-stack", hex=hex_name(at))
    if face.lift:
        return Refusal("mw-16.10.2-a", "no-one-to-supply", hex=hex_name(at))
    return Refusal("mw-16.2-d", "no-target", hex=hex_name(at))


def take_off(m: M, action: Launch | Intercept) -> None:
    """[mw-16.2-d] [mw-16.2-e] [mw-5.4-a] Fly to the target; over a neutral that is an invasion at once."""
    unit, at = ATLAS.unit_number[action.unit], ATLAS.hex_number[action.target]
    lay(m.state, unit, at)
    mark(m.state, unit, FLOWN | (WAITING if action.base == action.target else 0))
    m.emit(Launched(unit=action.unit, base=action.base, target=action.target))
    # Whoever flies sees what lies below and around it: what he has seen he cannot take back.
    m.reveal("mw-15.0-d")
    invade_if_neutral(m, ATLAS.units[unit].country, at)


class AirLaunch(Step, frozen=True, tag="mw.launch"):
    """[mw-4.0-air] [mw-16.2-b] Air Mission Launch Segment: the phasing player sends his air units out."""

    rule = "mw-16.2-b"
    side: int

    def run(self, m: M) -> None:
        if not fliers(m, self.side):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Late(Launch, _launch_fields, m, self.side, rule="mw-16.2-b"), _DONE["mw-16.2-b"]]

    def take(self, m: M, role: str, action: Launch | Done) -> None:
        if isinstance(action, Done):
            m.pop()
        else:
            take_off(m, action)
            m.replace(self)


def _launch_fields(m: M, side: int) -> tuple[Field, ...]:
    number, hexes = ATLAS.unit_number, ATLAS.hex_number
    units = [ATLAS.units[unit].id for unit in fliers(m, side)]
    return (
        Field("unit", "unit", OneOf(units, why=lambda unit: _why_unit(m, unit))),
        Field("base", "space", lambda unit: Hexes(
            bases(m, number[unit]), why=lambda at: why_not_base(m, number[unit], at))),
        Field("target", "space", lambda unit, base: Hexes(
            targets(m, number[unit], hexes[base]),
            why=lambda at: why_not_target(m, number[unit], hexes[base], at))),
    )  # fmt: skip


def _why_unit(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    return None if number is None else why_not_fly(m, number)


class AirIntercept(Step, frozen=True, tag="mw.intercept"):
    """[mw-16.2-c] [mw-16.6-a] Air Interception Segment: the other player sends airstrikes against them."""

    rule = "mw-16.2-c"
    side: int
    """The intercepting, non-phasing side."""

    def run(self, m: M) -> None:
        found = interceptors(m, self.side)
        if found:
            m.cache[self] = found  # nothing changes before the question is put
        else:
            m.replace(AirCombat(self.side))

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        number, hexes = ATLAS.unit_number, ATLAS.hex_number
        ready: dict[int, int] = m.cache.get(self) or interceptors(m, self.side)
        return [
            Offer(
                Intercept,
                Field("unit", "unit", OneOf([ATLAS.units[unit].id for unit in ready], why=lambda u: self.why(m, u))),
                Field("base", "space", lambda unit: Hexes(
                    ready[number[unit]], why=lambda at: why_not_base(m, number[unit], at))),
                Field("target", "space", lambda unit, base: Hexes(
                    prey(m, number[unit], hexes[base]),
                    why=lambda at: why_no_prey(m, number[unit], hexes[base], at))),
                rule="mw-16.2-c",
            ),
            _DONE["mw-16.2-c"],
        ]  # fmt: skip

    def why(self, m: M, unit: str) -> Refusal | None:
        number = ATLAS.unit_number.get(unit)
        if number is None:
            return None
        if m.state.flags[number] & SURPRISED:
            return Refusal("mw-23.2-note", "surprised", unit=unit)
        if ATLAS.units[number].lift:
            return Refusal("mw-16.0-lift", "airlift-only", unit=unit)
        return why_not_fly(m, number)

    def take(self, m: M, role: str, action: Intercept | Done) -> None:
        if isinstance(action, Done):
            m.replace(AirCombat(self.side))
        else:
            take_off(m, action)
            m.replace(self)


def flying(m: M, side: int) -> int:
    """Hexes with air units of a side."""
    state, found = m.state, 0
    for unit in aloft(m):
        if state.side[_COUNTRY[unit]] == side:
            found |= 1 << state.where[unit]
    return found


def prey(m: M, unit: int, base: int) -> int:
    """[mw-16.3-note] [mw-16.5-a] Enemy air units in range that nobody intercepts yet."""
    side = side_of(m, unit)
    return flight(m, unit, base) & flying(m, 1 - side) & ~flying(m, side)


def why_no_prey(m: M, unit: int, base: int, at: int) -> Refusal | None:
    side = side_of(m, unit)
    if not flying(m, 1 - side) >> at & 1:
        return Refusal("mw-16.3-note", "no-enemy-air", hex=hex_name(at))
    if flying(m, side) >> at & 1:
        return Refusal("mw-16.5-a", "air-stack", hex=hex_name(at))
    return Refusal("mw-16.3-a", "out-of-range", hex=hex_name(at), range=ATLAS.units[unit].range)


def interceptors(m: M, side: int) -> dict[int, int]:
    """[mw-16.0-strike] [mw-16.6.1-b] [mw-23.2-note] Airstrikes that reach an enemy air unit, with their bases."""
    game = flying(m, 1 - side) & ~flying(m, side)
    found: dict[int, int] = {}
    if not game:
        return found
    sky = facts(m).open | ATLAS.sea_hexes
    reached: dict[tuple[int, int], int] = {}
    for unit in fliers(m, side):
        face = ATLAS.units[unit]
        if not face.strike or m.state.flags[unit] & SURPRISED:
            continue
        kind = face.country, face.range
        from_here = reached.get(kind)
        if from_here is None:
            # The sky is the same both ways: what the prey's hex is in range of can reach it.
            from_here, fields = 0, bases(m, unit)
            for at in bits(game):
                if fields & within(at, face.range):
                    from_here |= fields & in_range(at, sky, face.range)
            reached[kind] = from_here
        if from_here:
            found[unit] = from_here
    return found


class AirCombat(Step, frozen=True, tag="mw.air-combat"):
    """[mw-16.6-b] [mw-16.6.1-a] Every hex with air units of both sides is fought, in the interceptor's order."""

    rule = "mw-16.6-b"
    side: int

    def run(self, m: M) -> None:
        both = flying(m, self.side) and flying(m, self.side) & flying(m, 1 - self.side)
        if both.bit_count() == 1:
            self.fight(m, both.bit_length() - 1)
            m.pop()
        elif not both:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        both = flying(m, self.side) & flying(m, 1 - self.side)
        return [Offer(Fight, Field("target", "space", Hexes(both)), rule="mw-16.6-b")]

    def take(self, m: M, role: str, action: Fight) -> None:
        self.fight(m, ATLAS.hex_number[action.target])
        m.replace(self)

    def fight(self, m: M, at: int) -> None:
        hunter, victim = air_at(m, self.side, at), air_at(m, 1 - self.side, at)
        column = interception_column(factor(m, hunter) - factor(m, victim))
        result = ATLAS.interception[m.roll(6, why="mw-16.6-c")][column]
        ids = ATLAS.units[hunter].id, ATLAS.units[victim].id
        m.emit(Intercepted(at=hex_name(at), attacker=ids[0], defender=ids[1], result=result))
        apply_interception(m, hunter, victim, result)
        home(m, hunter)


def interception_column(difference: int) -> int:
    """[mw-16.6-c] [mw-16.6-d] [mw-16.6.1-c] Interceptor minus intercepted, held within the table."""
    columns = ATLAS.tables["interception"]["columns"]
    return int(max(columns[0], min(columns[-1], difference)) - columns[0])


def apply_interception(m: M, hunter: int, victim: int, result: str) -> None:
    """[mw-int-ae] [mw-int-al] [mw-int-db] [mw-int-de] [mw-int-dl] [mw-int-ml]"""
    if result == "AE":
        eliminate(m, hunter, "interception")
    if result == "DE":
        eliminate(m, victim, "interception")
    if result in ("DL", "ML"):
        lose_in_the_air(m, victim)
    if result in ("AL", "ML"):
        lose_in_the_air(m, hunter)
    if result == "DB":
        home(m, victim)


def lose_in_the_air(m: M, unit: int) -> None:
    """[mw-int-zero] A loss in interception: an airstrike left with factor 0 is grounded until refit."""
    if reduce(m, unit, "interception") and ATLAS.units[unit].strike and not factor(m, unit):
        home(m, unit)
        mark(m.state, unit, GROUNDED)
