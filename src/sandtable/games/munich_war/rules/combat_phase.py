"""The Combat Phase as decisions (4.0, 11.8): declaring attacks and committing support."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from sandtable.core import Field, NamedBits, NothingToChoose, Offer, OneOf, Refusal, Step

from ..facts.board import aloft, board, enemy_at
from ..facts.targets import attack_targets, attackers, has_targets
from ..model.actions import Attack, Done, SupplyPort, Support
from ..model.atlas import ATLAS, HEXES, IDS, MOBILE, NOBODY, SIDES, hex_name
from ..model.events import Attacked, Fought, SpecialForces
from ..model.state import ATTACKED, UTILIZED, Battle, M, disembark, lay, lower, mark
from .advance_phase import Pursuit
from .air import home
from .combat import (
    air_support,
    attack_strength,
    column_of,
    defense_strength,
    naval_support,
    percentile,
    sf_support,
    shifted_column,
    shifts,
    tables_for,
    why_no_bombardment,
    why_no_target,
    why_not_against,
    why_not_mobile,
)
from .control import hold, settle_control
from .losses import eliminate, reduce
from .naval_phase import offer_supply_port
from .politics import invade_if_neutral
from .results_phase import Aftermath, carry_out
from .stacking import would_overstack
from .stacking_phase import enforce
from .terror import guns_among

_DONE = Offer(Done, rule="mw-11.0-e")


class Combat(Step, frozen=True, tag="mw.combat"):
    """[mw-4.0-combat] [mw-11.0-e] [mw-11.0-f] The phasing player declares their attacks one at a time."""

    rule = "mw-4.0-combat"
    side: int
    begun: bool = False

    def run(self, m: M) -> None:
        state = m.state
        if not self.begun:
            state.attacks = 0
            state.clock += 1
            lower(state, ATTACKED)
            m.amend(Combat(self.side, True))
        state.battle = None
        if not has_targets(m.state, self.side) and not offer_supply_port(m, self.side):
            self.close(m)

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        found: list[Offer] = []
        if has_targets(m.state, self.side):
            found.append(Offer(Attack, lambda: self.attack_fields(m), rule="mw-11.0-b"))
        port = offer_supply_port(m, self.side)
        if port is not None:
            found.append(port)
        if not sworn_marines(m):
            found.append(_DONE)
        return found

    def attack_fields(self, m: M) -> tuple[Field, ...]:
        hexes, lands = ATLAS.hex_number, ATLAS.country_number

        def units_against(target: str, nation: str) -> list[int]:
            return attackers(m.state, self.side, hexes[target])[lands[nation]]

        def nations(target: str) -> OneOf:
            return OneOf([ATLAS.countries[nation].name for nation in attackers(m.state, self.side, hexes[target])])

        def tables(target: str, nation: str) -> OneOf:
            units = units_against(target, nation)
            return OneOf(tables_for(m, hexes[target], units), why=lambda table: why_not_mobile(m, hexes[target], units))

        def forces(target: str, nation: str, table: str) -> Attackers:
            units = units_against(target, nation)
            needed = [IDS[unit] for unit in units if table == MOBILE and ATLAS.units[unit].mechanized]
            return Attackers(m, hexes[target], [IDS[unit] for unit in units], needed)

        return (
            Field("target", "space", NamedBits(
                attack_targets(m.state, self.side), HEXES, why=lambda at: why_no_target(m, self.side, at))),
            Field("nation", "choice", nations),
            Field("table", "choice", tables),
            Field("units", "units", forces),
        )  # fmt: skip

    def take(self, m: M, role: str, action: Any) -> None:
        if isinstance(action, Done):
            self.close(m)
        elif isinstance(action, SupplyPort):
            lay(m.state, ATLAS.unit_number[action.marker], ATLAS.hex_number[action.port])
        else:
            declare(m, self.side, action)

    def close(self, m: M) -> None:
        """The end of the phase: airlifts and ships go home, Marines whose enemy is gone walk ashore."""
        state = m.state
        for unit, target in list(state.assaults.items()):
            if not enemy_at(m.state, self.side, target) and would_overstack(m, unit, target) is None:
                disembark(state, unit)
                lay(state, unit, target)
                hold(m, unit, target)
            else:
                eliminate(m, unit, "assault")
        for ship in ATLAS.transports:
            if state.where[ship] >= 0:
                lay(state, ship, UTILIZED)
        for lift in ATLAS.lifts:
            home(m, lift)  # [mw-16.10.2-a]
        settle_control(m)
        enforce(m, self.side)


class Attackers:
    """One or more of the units that may attack a hex, with one of `needed` where that is not empty.

    A refusal says what is wrong with the first unit that may not join.
    """

    __slots__ = ("items", "m", "needed", "target")

    def __init__(self, m: M, target: int, items: Sequence[str], needed: Sequence[str]) -> None:
        self.m, self.target, self.items, self.needed = m, target, tuple(items), frozenset(needed)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        for size in range(1, len(self.items) + 1):
            yield from (chosen for chosen in itertools.combinations(self.items, size) if self._has_needed(chosen))

    def __len__(self) -> int:
        without = sum(item not in self.needed for item in self.items) if self.needed else 0
        return int(2 ** len(self.items) - 2**without)

    def __contains__(self, value: object) -> bool:
        return self._is_shaped(value) and isinstance(value, tuple) and self._has_needed(value)

    def _is_shaped(self, value: object) -> bool:
        """Some of the units, in their order."""
        return isinstance(value, tuple) and bool(value) and value == tuple(i for i in self.items if i in value)

    def _has_needed(self, value: tuple[str, ...]) -> bool:
        return not self.needed or not self.needed.isdisjoint(value)

    def sample(self, rng: Random) -> tuple[str, ...]:
        """Mostly many of them: a lone unit seldom wins."""
        if not self.items or (self.needed and self.needed.isdisjoint(self.items)):
            raise NothingToChoose
        chosen = set()
        if self.needed:
            wanted = [item for item in self.items if item in self.needed]
            chosen.add(wanted[int(rng.random() * len(wanted))])
        share = 0.5 + 0.5 * rng.random()
        chosen.update(item for item in self.items if rng.random() < share)
        if not chosen:
            chosen.add(self.items[int(rng.random() * len(self.items))])
        return tuple(item for item in self.items if item in chosen)

    def why(self, value: Any) -> Refusal | None:
        if isinstance(value, tuple):
            numbers = [ATLAS.unit_number.get(unit, NOBODY) for unit in value if isinstance(unit, str)]
            for unit in numbers:
                refusal = why_not_against(self.m, unit, self.target) if unit != NOBODY else None
                if refusal is not None:
                    return refusal
            if len({ATLAS.units[unit].country for unit in numbers if unit != NOBODY}) > 1:
                return Refusal("mw-11.3", "mixed-nations")
        return Refusal("mw-11.7-c", "no-mechanized") if self._is_shaped(value) else None

    def describe(self) -> dict[str, Any]:
        return {"type": "some", "values": list(self.items), "least": 1, "most": len(self.items)}


def sworn_marines(m: M) -> list[int]:
    """[mw-18.2.2-c] Marines at sea that must still attack: their hex has an enemy in it."""
    state = m.state
    if not state.assaults:
        return []
    return [
        unit
        for unit, target in state.assaults.items()
        if not state.flags[unit] & ATTACKED and enemy_at(m.state, state.side[ATLAS.units[unit].country], target)
    ]


def declare(m: M, side: int, action: Attack) -> None:
    """[mw-11.8] [mw-15.0-b] [mw-11.0-g] Declare an attack: the stacks are looked at and there is no way back."""
    state = m.state
    target = ATLAS.hex_number[action.target]
    units = tuple(ATLAS.unit_number[name] for name in action.units)
    invade_if_neutral(m, ATLAS.units[units[0]].country, target)
    m.reveal("mw-15.0-b")
    for unit in units:
        mark(state, unit, ATTACKED)
    state.attacks += 1
    state.clock += 1
    hexes = tuple(sorted({target, *(state.where[unit] for unit in units)}))
    defenders = tuple(enemy_at(m.state, side, target))
    state.battle = Battle(target, units, action.table, hexes, guns_among(defenders), defenders=defenders)
    names = tuple([IDS[unit] for unit in defenders])
    m.emit(Attacked(target=action.target, units=action.units, defenders=names, table=f"@{action.table}"))
    m.push(CommitSupport(side))


class CommitSupport(Step, frozen=True, tag="mw.support"):
    """[mw-11.15-a] [mw-11.8] The attacker adds at most one air, one naval and one special forces marker."""

    rule = "mw-11.15-a"
    side: int

    def run(self, m: M) -> None:
        send_wrong_air_home(m, self.side)
        if not any(self.choices(m)):
            resolve(m, self.side, "", "", "")

    def choices(self, m: M) -> tuple[list[int], list[int], list[int]]:
        battle = m.state.battle
        assert battle is not None
        return (
            air_support(m, battle.target, battle.units),
            naval_support(m, battle.target, battle.units),
            sf_support(m, self.side),
        )

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        air, naval, sf = ([ATLAS.units[unit].id for unit in units] for units in self.choices(m))
        return [
            Offer(
                Support,
                Field("air", "unit", OneOf(["", *air], why=lambda unit: _why_no_air(m, unit))),
                Field("naval", "unit", OneOf(["", *naval], why=lambda unit: _why_no_ship(m, unit))),
                Field("sf", "unit", OneOf(["", *sf], why=lambda unit: _why_no_team(m, self.side, unit))),
                rule="mw-11.15-a",
            )
        ]

    def take(self, m: M, role: str, action: Support) -> None:
        resolve(m, self.side, action.air, action.naval, action.sf)


def send_wrong_air_home(m: M, side: int) -> None:
    """[mw-16.9-c] A friendly airstrike of another country over the defending hex goes to Utilized before the combat."""
    battle = m.state.battle
    assert battle is not None
    country = ATLAS.units[battle.units[0]].country
    for unit in aloft(m.state):
        face = ATLAS.units[unit]
        ours = face.strike and m.state.side[face.country] == side
        if ours and m.state.where[unit] == battle.target and face.country != country:
            home(m, unit)


def _why_no_air(m: M, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    if number is None or not ATLAS.units[number].air:
        return None
    if ATLAS.units[number].lift:
        return Refusal("mw-16.0-lift", "airlift-only", unit=unit)
    return Refusal("mw-16.9-b", "air-elsewhere", unit=unit)


def _why_no_team(m: M, side: int, unit: str) -> Refusal | None:
    number = ATLAS.unit_number.get(unit)
    if number is None or not ATLAS.units[number].sf:
        return None
    if m.state.side[ATLAS.units[number].country] != side:
        return Refusal("mw-17.1-a", "not-your-unit", unit=unit)
    return Refusal("mw-17.0-a", "not-available", unit=unit)


def _why_no_ship(m: M, unit: str) -> Refusal | None:
    battle, number = m.state.battle, ATLAS.unit_number.get(unit)
    if battle is None or number is None:
        return None
    return why_no_bombardment(m, number, battle.target, battle.units)


def resolve(m: M, side: int, air: str, naval: str, sf: str) -> None:
    """[mw-11.8] Special forces, percentile, shifts, die, result: in this order."""
    state, number = m.state, ATLAS.unit_number
    battle = state.battle
    assert battle is not None
    aircraft, fleet = number.get(air, NOBODY), number.get(naval, NOBODY)
    team = number.get(sf, NOBODY)
    works = team != NOBODY and special_forces(m, team, battle.target)
    defenders = enemy_at(m.state, side, battle.target)
    if not defenders:
        walk_in(m, side, aircraft, fleet, team)
        return
    percent = percentile(attack_strength(m, battle.units), defense_strength(m, defenders))
    found = shifts(m, battle.target, battle.units, defenders, air=aircraft, naval=fleet, sf_works=works)
    shift = sum(modifier.value for modifier in found)
    column = shifted_column(column_of(percent), shift)
    die = m.roll(why="mw-11.9")
    result = ATLAS.crt[battle.table][die][column]
    m.emit(
        Fought(
            target=hex_name(battle.target), percent=percent, shift=shift, column=ATLAS.column_names[column],
            table=f"@{battle.table}", result=result,
        )
    )  # fmt: skip
    state.battle = Battle(
        battle.target, battle.units, battle.table, battle.hexes, battle.flak, aircraft, fleet, team, works, die,
        result, tuple(defenders),
    )  # fmt: skip
    carry_out(m, side)


def walk_in(m: M, side: int, aircraft: int, fleet: int, team: int) -> None:
    """[mw-17.1-g] Special forces have taken the only defender: there is no battle, and the attackers may advance."""
    battle = m.state.battle
    assert battle is not None
    m.state.battle = Battle(
        battle.target, battle.units, battle.table, battle.hexes, battle.flak, aircraft, fleet, team, True
    )
    m.replace(Pursuit(side), Aftermath(side))


def special_forces(m: M, team: int, target: int) -> bool:
    """[mw-17.1-b] [mw-17.1-c] [mw-17.1-f] Roll for the team: it breaks into a fort, or is lost."""
    face = ATLAS.units[team]
    works = m.roll(why="mw-17.1-b") in face.success
    m.emit(SpecialForces(unit=face.id, works=works))
    if not works:
        eliminate(m, team, "special-forces")
        return False
    for unit in board(m.state).stack(target):
        if ATLAS.units[unit].fort:
            reduce(m, unit, "special-forces")
            break
    return True
