"""Mobilization and reinforcements (chapter 7), with the storm's toll on air units (20.0)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter

from sandtable.core import Late, Offer, OneOf, Refusal, Step
from sandtable.core.columns import put
from sandtable.core.offers import Field

from ..facts.board import board
from ..facts.control import controlled, terror, working
from ..facts.politics import air_forces, members, side_of
from ..facts.supply import is_supplied
from ..model.actions import Arrive, Done, Ground, Mobilize, Refit
from ..model.atlas import ATLAS, NOBODY, SIDES, hex_name
from ..model.events import Arrived, Delayed, NeverArrives, Refitted, Scheduled
from ..model.hexsets import bits, mask_of
from ..model.state import AVAILABLE, GROUNDED, REINFORCEMENT, TRACK, UTILIZED, M, lay, set_steps, unmark
from .control import hold
from .domains import Hexes
from .losses import withdraw

_COUNTRY = tuple(unit.country for unit in ATLAS.units)
_IS_AIR = tuple(unit.air for unit in ATLAS.units)
_ID = tuple(unit.id for unit in ATLAS.units)
_TWO_STEPS = tuple(unit.steps == 2 and not unit.fort for unit in ATLAS.units)
_REFITTED = tuple(tuple(unit for unit in country.units if _TWO_STEPS[unit]) for country in ATLAS.countries)
"""By country: the units that can be refitted at all."""
_REFIT = tuple(
    int(ATLAS.tables["mobilization"]["refit_air" if unit.air else "refit_mechanized" if unit.mechanized
                                     else "refit_non_mechanized"])
    for unit in ATLAS.units
)  # fmt: skip
"""[mw-table-mobilization] What it costs to bring a unit back to full strength."""
_REICH = ATLAS.country_number[ATLAS.rules["victory"]["reich_power"]]
_MOBILIZE = int(ATLAS.tables["mobilization"]["mobilize_unit"])
_DONE = Offer(Done, rule="mw-7.2")
_BOXES = [frozenset(range(TRACK - turn, TRACK)) for turn in range(len(ATLAS.turn_names) + 1)]
"""By game turn: the boxes of the track up to it."""
_places_of_support = itemgetter(*ATLAS.support_units)
WhyNot = Callable[[M, int, int], Refusal | None]


def refresh(m: M, side: int) -> None:
    """[mw-4.0-mob] [mw-18.1-e] [mw-18.2-b] The side's used markers are ready again; grounded aircraft stay down."""
    state = m.state
    places = _places_of_support(state.where)
    if UTILIZED not in places:
        return
    for unit, at in zip(ATLAS.support_units, places, strict=True):
        if at == UTILIZED and state.side[_COUNTRY[unit]] == side and not state.flags[unit] & GROUNDED:
            lay(state, unit, AVAILABLE)


def available_air(m: M, side: int) -> list[int]:
    where = m.state.where
    return [unit for unit in air_forces(m.state)[side] if where[unit] == AVAILABLE]


class Refresh(Step, frozen=True, tag="mw.refresh"):
    """[mw-4.0-mob] [mw-20.0-d] Markers return; in storms half of the air units, rounded up, stay on the ground."""

    rule = "mw-20.0-d"
    side: int
    left: int = -1

    def run(self, m: M) -> None:
        if self.left < 0:
            refresh(m, self.side)
            m.state.arrived = ()
            if not m.state.storm:
                m.pop()
                return
            ready = available_air(m, self.side)
            must = (len(ready) + 1) // 2
            if must and must == len(ready):
                for unit in ready:
                    lay(m.state, unit, UTILIZED)
                must = 0
            m.replace(Refresh(self.side, must))
        elif self.left == 0:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = [ATLAS.units[unit].id for unit in available_air(m, self.side)]
        if not names:  # a state made up from a view: the other player's displays are a guess
            return [Offer(Done, rule="mw-20.0-d")]
        return [Offer(Ground, Field("unit", "unit", OneOf(names)), rule="mw-20.0-d")]

    def take(self, m: M, role: str, action: Ground | Done) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        lay(m.state, ATLAS.unit_number[action.unit], UTILIZED)
        m.replace(Refresh(self.side, self.left - 1))


# ---- arrivals (7.2.2) ----------------------------------------------------------------------------------------------
def why_not_arrive(m: M, unit: int, at: int) -> Refusal | None:
    """[mw-7.2.2-a] [mw-7.2.2-b] [mw-7.2.2-c] [mw-7.2.2-d] [mw-7.2.2-f] [mw-10.6-b] [mw-16.8.2-b]"""
    if arrival_hexes(m, unit) >> at & 1:
        return None
    country, known = ATLAS.countries[ATLAS.units[unit].country], board(m.state)
    side = m.state.side[country.index]
    name = hex_name(at)
    if at in m.state.arrived:
        return Refusal("mw-7.2.2-d", "hex-used", hex=name)
    if not (country.cities | country.edge) >> at & 1:
        return Refusal("mw-7.2.2-a", "no-center", hex=name, country=f"@{country.name}")
    if terror(m.state) >> at & 1:
        return Refusal("mw-7.2.2-c", "terrorized", hex=name)
    if known.zoc[1 - side] >> at & 1:
        return Refusal("mw-7.2.2-b", "in-zoc", hex=name)
    return Refusal("mw-7.2.2-a", "not-controlled", hex=name)


def arrival_hexes(m: M, unit: int) -> int:
    country, known = ATLAS.countries[ATLAS.units[unit].country], board(m.state)
    side = m.state.side[country.index]
    cities = country.cities & working(m.state)[side]
    # An edge hex need only not be the enemy's: his zone does not close it, his units do.
    edge = country.edge & ~known.occupied[1 - side] & ~controlled(m.state)[1 - side]
    return (cities | edge) & ~mask_of(m.state.arrived)


def due(m: M, side: int) -> list[int]:
    """[mw-7.2.1-c] Units on the track's box of this turn."""
    state = m.state
    boxes = _BOXES[state.turn]
    if boxes.isdisjoint(state.where):
        return []
    return [unit for unit, at in enumerate(state.where) if at in boxes and state.side[_COUNTRY[unit]] == side]


class Arrivals(Step, frozen=True, tag="mw.arrivals"):
    """[mw-7.2.1-c] [mw-7.2.2-e] [mw-7.2.2-g] [mw-9.1-d] Scheduled reinforcements are deployed, stacking or not."""

    rule = "mw-7.2.1-c"
    side: int

    def run(self, m: M) -> None:
        waiting = []
        for unit in due(m, self.side):
            if ATLAS.is_land[unit]:
                waiting.append(unit)
            else:
                lay(m.state, unit, AVAILABLE)
        if not any(arrival_hexes(m, unit) for unit in waiting):
            for unit in waiting:
                postpone(m, self.side, unit)
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        number = ATLAS.unit_number
        names = [_ID[unit] for unit in due(m, self.side) if arrival_hexes(m, unit)]
        if not names:  # a state made up from a view: the other player's track is a guess
            return [Offer(Done, rule="mw-7.2.1-c")]
        return [
            Offer(
                Arrive,
                Field("unit", "unit", OneOf(names)),
                Field("to", "space", lambda unit: Hexes(
                    arrival_hexes(m, number[unit]), why=lambda at: why_not_arrive(m, number[unit], at))),
                rule="mw-7.2.2-a",
            )
        ]  # fmt: skip

    def take(self, m: M, role: str, action: Arrive | Done) -> None:
        if isinstance(action, Done):
            m.replace(self)
            return
        unit, at = ATLAS.unit_number[action.unit], ATLAS.hex_number[action.to]
        lay(m.state, unit, at)
        set_steps(m.state, unit, ATLAS.units[unit].steps)  # [mw-7.2.2-full]
        m.state.arrived = (*m.state.arrived, at)
        hold(m, unit, at)
        m.emit(Arrived(unit=action.unit, at=action.to))
        m.replace(self)


def postpone(m: M, side: int, unit: int) -> None:
    """[mw-7.2.2-e] No hex to arrive in: to the next turn's box."""
    schedule(m, side, unit, m.state.turn + 1)


def schedule(m: M, side: int, unit: int, turn: int) -> None:
    """[mw-7.2.1-b] [mw-7.2.1-late] Onto the track, or out of play when that is after the last turn."""
    name = ATLAS.units[unit].id
    if turn > ATLAS.plans[m.state.plan].turns:
        withdraw(m, unit)
        m.emit(NeverArrives(unit=name, seen_by=(SIDES[side],)))
        return
    late = m.state.where[unit] != REINFORCEMENT
    lay(m.state, unit, TRACK - turn)
    event = Delayed if late else Scheduled
    m.emit(event(unit=name, turn=turn, seen_by=(SIDES[side],)))


# ---- replacement points (7.1) --------------------------------------------------------------------------------------
def income(m: M, country: int) -> int:
    """[mw-7.1-a] [mw-7.1-b] [mw-7.1-c] [mw-7.1-d] [mw-7.1.1-a] [mw-7.1.1-b] [mw-7.1.1-c] [mw-7.1.1-d] [mw-10.6-a]
    [mw-16.8.2-a] A country's points this phase."""
    face, state = ATLAS.countries[country], m.state
    side = state.side[country]
    if side == NOBODY or state.fallen[country] or not face.receives:
        return 0
    points = face.off_map
    points += (face.cities & working(state)[side]).bit_count()
    if country == _REICH:
        known = board(state)
        for at in bits(ATLAS.reich_objectives & known.occupied[side] & ~known.zoc[1 - side] & ~terror(m.state)):
            points += any(_COUNTRY[unit] == country for unit in known.stacks[at])
    return points


def collect(m: M, side: int) -> None:
    """[mw-7.1-save] New points for the turn; what was left is gone.  [mw-event-5] [mw-event-6]"""
    state = m.state
    denied = state.no_rp[side]
    points = [0] * len(state.rp)
    if not denied:
        for country in members(m.state)[side]:
            points[country] = income(m, country)
    state.rp = tuple(points)
    state.pool = 0


def refit_cost(unit: int) -> int:
    return _REFIT[unit]


def purse(m: M, unit: int) -> int:
    """[mw-7.1.1-e] Points that may be spent on a unit: its own country's, or those of a crisis elsewhere."""
    return m.state.rp[_COUNTRY[unit]] + m.state.pool


def pay(m: M, unit: int, price: int) -> None:
    country = ATLAS.units[unit].country
    own = min(price, m.state.rp[country])
    m.state.rp = put(m.state.rp, country, m.state.rp[country] - own)
    m.state.pool -= price - own


def why_not_mobilize(m: M, side: int, unit: int) -> Refusal | None:
    """[mw-7.2] [mw-7.2.1-a]"""
    face = ATLAS.units[unit]
    if m.state.where[unit] != REINFORCEMENT:
        return Refusal("mw-7.2.1-a", "not-in-display", unit=face.id)
    if purse(m, unit) < _MOBILIZE:
        return Refusal("mw-7.1.1-e", "no-points", country=f"@{ATLAS.countries[face.country].name}")
    return None


def may_refit(m: M, side: int, unit: int) -> bool:
    """[mw-7.3-a] [mw-7.3-b] [mw-7.3-c] [mw-7.3-d] [mw-7.3-e] [mw-7.3-f] [mw-10.6-c] A reduced unit with points for it:
    aircraft in their displays, land units in supply and free of enemy zones."""
    state = m.state
    if state.steps[unit] != 1 or not _TWO_STEPS[unit] or purse(m, unit) < _REFIT[unit]:
        return False
    at = state.where[unit]
    if _IS_AIR[unit]:
        return at in (AVAILABLE, UTILIZED)
    return at >= 0 and not board(m.state).zoc[1 - side] >> at & 1 and is_supplied(m.state, unit)


def why_not_refit(m: M, side: int, unit: int) -> Refusal | None:
    """The most telling reason why a unit may not be refitted."""
    if may_refit(m, side, unit):
        return None
    face, state = ATLAS.units[unit], m.state
    at = state.where[unit]
    if face.fort or face.steps == 1:
        return Refusal("mw-7.3-f", "never-refits", unit=face.id)
    if state.steps[unit] != 1:
        return Refusal("mw-7.3-a", "not-reduced", unit=face.id)
    if face.air:
        if at not in (AVAILABLE, UTILIZED):
            return Refusal("mw-7.3-d", "not-in-display", unit=face.id)
    elif at < 0:
        return Refusal("mw-7.3-a", "not-on-map", unit=face.id)
    elif board(m.state).zoc[1 - side] >> at & 1:
        return Refusal("mw-7.3-c", "in-zoc", hex=hex_name(at))
    elif not is_supplied(m.state, unit):
        return Refusal("mw-7.3-b", "unsupplied", unit=face.id)
    return Refusal("mw-7.1.1-e", "no-points", country=f"@{ATLAS.countries[face.country].name}")


class Spend(Step, frozen=True, tag="mw.spend"):
    """[mw-7.2] Replacement points go into reinforcements and refits, country by country."""

    rule = "mw-7.2"
    side: int
    country: int = NOBODY
    """Only this country may spend (option 23.2)."""

    def run(self, m: M) -> None:
        if next(self.new(m), None) is None and next(self.weak(m), None) is None:
            self.close(m)

    def countries(self, m: M) -> list[int]:
        """Those with points to spend."""
        state = m.state
        if self.country != NOBODY:
            return [self.country] if state.rp[self.country] or state.pool else []
        rp, pool = state.rp, state.pool
        return [country for country in members(m.state)[self.side] if rp[country] or pool]

    def new(self, m: M) -> Iterator[str]:
        """What may be mobilized."""
        where = m.state.where
        for country in self.countries(m):
            if m.state.rp[country] + m.state.pool >= _MOBILIZE:
                yield from [_ID[unit] for unit in ATLAS.countries[country].units if where[unit] == REINFORCEMENT]

    def weak(self, m: M) -> Iterator[str]:
        """What may be refitted."""
        steps = m.state.steps
        for country in self.countries(m):
            for unit in _REFITTED[country]:
                if steps[unit] == 1 and may_refit(m, self.side, unit):
                    yield _ID[unit]

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [
            Late(Mobilize, self.fields, m, self.new, why_not_mobilize, rule="mw-7.2.1-a"),
            Late(Refit, self.fields, m, self.weak, why_not_refit, rule="mw-7.3-e"),
            _DONE,
        ]

    def fields(self, m: M, choices: Callable[[M], Iterator[str]], why_not: WhyNot) -> tuple[Field, ...]:
        number = ATLAS.unit_number

        def why(unit: str) -> Refusal | None:
            if unit not in number:
                return None
            if side_of(m.state, number[unit]) != self.side:  # before its display is looked at, which is hidden
                return Refusal(self.rule, "not-your-unit", unit=unit)
            return why_not(m, self.side, number[unit])

        return (Field("unit", "unit", OneOf(list(choices(m)), why=why)),)

    def take(self, m: M, role: str, action: Mobilize | Refit | Done) -> None:
        if isinstance(action, Done):
            self.close(m)
            return
        unit = ATLAS.unit_number[action.unit]
        if isinstance(action, Mobilize):
            pay(m, unit, _MOBILIZE)
            halve = int(ATLAS.rules["mobilization"]["halve"])
            delay = -(-m.roll(6, why="mw-7.2.1-b", seen_by=(SIDES[self.side],)) // halve)
            schedule(m, self.side, unit, max(1, m.state.turn) + delay)
        else:
            pay(m, unit, refit_cost(unit))
            set_steps(m.state, unit, ATLAS.units[unit].steps)
            unmark(m.state, unit, GROUNDED)
            m.emit(Refitted(unit=action.unit, seen_by=(SIDES[self.side],)))
        m.replace(self)

    def close(self, m: M) -> None:
        """[mw-7.1-save] Nothing is saved."""
        m.state.rp = (0,) * len(m.state.rp)
        m.state.pool = 0
        m.state.clock += 1
        m.pop()
