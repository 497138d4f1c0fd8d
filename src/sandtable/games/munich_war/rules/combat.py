"""Land combat (chapter 11): who may attack what, strengths, column shifts, tables; support (16.9, 17, 18.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandtable.core import Modifier, Refusal

from ..facts.board import aloft, board, enemy_at
from ..facts.control import terror
from ..facts.politics import may_invade, side_of
from ..facts.supply import is_supplied_for_combat, waters_of
from ..model.atlas import ASSAULT, ATLAS, COUNTRY, MOBILE, NOBODY, hex_name
from ..model.state import ATTACKED, AVAILABLE, NO_ATTACK, TRANSIT, M
from .air import factor
from .terror import storm_shift

_ATTACK = [unit.attack for unit in ATLAS.units]
_DEFENSE = [unit.defense for unit in ATLAS.units]
_IS_FORT = tuple(unit.fort for unit in ATLAS.units)
_IS_MECHANIZED = tuple(unit.mechanized for unit in ATLAS.units)
_FLEETS = [tuple(u for u in country.units if ATLAS.units[u].bombardment) for country in ATLAS.countries]
_CITY, _RIVER, _TRENCH = (int(ATLAS.tables["tec"][place]["shift"]) for place in ("city", "river", "entrenchment"))
_ALL_UNFED, _SOME_UNFED = (
    int(ATLAS.tables["shifts"]["left"][f"{who}_attackers_out_of_supply"]) for who in ("all", "some")
)


def why_not_attack_at_all(m: M, unit: int) -> Refusal | None:
    """[mw-11.0-a] [mw-11.0-c] [mw-11.0-d] [mw-23.3-c] [mw-23.4-a] Why a unit makes no attack this phase."""
    face, state = ATLAS.units[unit], m.state
    if side_of(m.state, unit) != state.phasing or state.where[unit] < 0:
        return Refusal("mw-11.0-a", "not-your-unit", unit=face.id)
    if not face.attack[state.steps[unit]]:
        return Refusal("mw-11.0-c", "no-attack-factor", unit=face.id)
    if state.flags[unit] & ATTACKED:
        return Refusal("mw-11.0-d", "has-attacked", unit=face.id)
    if state.flags[unit] & NO_ATTACK:
        rule = "mw-23.4-a" if state.flags[unit] & TRANSIT else "mw-23.3-c"
        return Refusal(rule, "may-not-attack", unit=face.id)
    return None


def why_not_against(m: M, unit: int, target: int) -> Refusal | None:
    """[mw-11.0-b] [mw-18.2.2-c] Why a unit cannot attack a hex: not next to it, or sworn to another."""
    face, state = ATLAS.units[unit], m.state
    refusal = why_not_attack_at_all(m, unit)
    if refusal is not None:
        return refusal
    sworn = state.assaults.get(unit)
    if sworn is not None:
        return None if sworn == target else Refusal("mw-18.2.2-c", "assault-elsewhere", unit=face.id)
    if not ATLAS.zone[state.where[unit]] >> target & 1:
        return Refusal("mw-11.0-b", "not-adjacent", unit=face.id, hex=hex_name(target))
    return None


def why_no_target(m: M, side: int, target: int) -> Refusal | None:
    """Why nothing can attack a hex now."""
    country = ATLAS.country_of[target]
    if country != NOBODY and m.state.side[country] == NOBODY:
        powers = [
            power for power, who in enumerate(m.state.side) if who == side and may_invade(m.state, power, country)
        ]
        if not powers:
            return Refusal("mw-2.4-b", "closed", country=f"@{ATLAS.countries[country].name}")
    if not enemy_at(m.state, side, target) and not board(m.state).neutral >> target & 1:
        return Refusal("mw-11.0-b", "no-enemy", hex=hex_name(target))
    return Refusal("mw-11.0-b", "nobody-adjacent", hex=hex_name(target))


def tables_for(m: M, target: int, units: Sequence[int]) -> list[str]:
    """[mw-11.7-a] [mw-11.7-b] [mw-11.7-c] [mw-11.7-d] The tables that an attack by some of these units may use."""
    if any(_IS_FORT[unit] for unit in board(m.state).stack(target)) or not any(_IS_MECHANIZED[unit] for unit in units):
        return [ASSAULT]
    return [ASSAULT, MOBILE]


def why_not_mobile(m: M, target: int, units: Sequence[int]) -> Refusal | None:
    if MOBILE in tables_for(m, target, units):
        return None
    if any(_IS_FORT[unit] for unit in board(m.state).stack(target)):
        return Refusal("mw-11.7-b", "fort-forces-assault", hex=hex_name(target))
    return Refusal("mw-11.7-c", "no-mechanized")


# ---- strengths and columns -----------------------------------------------------------------------------------------
def attack_strength(m: M, units: Iterable[int]) -> int:
    """[mw-11.1] [mw-11.2] The sum of whole attack factors."""
    steps = m.state.steps
    return sum([_ATTACK[unit][steps[unit]] for unit in units])


def defense_strength(m: M, units: Iterable[int]) -> int:
    """[mw-11.6-a] [mw-11.6-b] [mw-12.3] All units in the hex defend together."""
    steps = m.state.steps
    return sum([_DEFENSE[unit][steps[unit]] for unit in units])


def percentile(attack: int, defense: int) -> int:
    """[mw-11.9] Attack over defence in percent, fractions dropped; a defence of nothing counts as one."""
    return 100 * attack // max(1, defense)


def column_of(percent: int) -> int:
    """[mw-table-crt-columns] [mw-11.10-d] The column a percentage starts in."""
    place = 0
    while place + 1 < len(ATLAS.columns) and percent >= ATLAS.columns[place + 1]:
        place += 1
    return place


def shifted_column(start: int, shift: int) -> int:
    """[mw-11.10-b] [mw-11.10-c] [mw-11.10-d] The net shift, held within the table."""
    return max(0, min(len(ATLAS.columns) - 1, start + shift))


def shifts(
    m: M, target: int, units: Sequence[int], defenders: Sequence[int], *, air: int = NOBODY, naval: int = NOBODY,
    sf_works: bool = False,
) -> list[Modifier]:  # fmt: skip
    """[mw-11.10-a] Every column shift with its name and rule; right is positive."""
    found = [
        terrain_shift(m, target, units),
        hexside_shift(m, target, units),
        trench_shift(m, target, defenders),
        supply_shift(m, units),
        concentric_shift(m, target, units, defenders),
        Modifier("storm", -storm_shift(m, ATLAS.units[units[0]].country, target), "mw-20.0-h"),
    ]
    if air != NOBODY:
        found.append(Modifier("air", factor(m, air), "mw-16.9-d"))
    if naval != NOBODY:
        found.append(Modifier("naval", ATLAS.units[naval].bombardment, "mw-18.1-d"))
    if sf_works:
        found.append(Modifier("special-forces", 1, "mw-17.1-d"))
    return [modifier for modifier in found if modifier.value]


def terrain_shift(m: M, target: int, units: Sequence[int]) -> Modifier:
    """[mw-11.11-a] [mw-11.11-b] [mw-11.11-c] [mw-16.8.2-c] [mw-19.0-alpine] The best of the hex's terrain and its city,
    which a terror marker spoils."""
    alpine = any(ATLAS.units[unit].alpine for unit in units)
    land = ATLAS.alpine_shift[target] if alpine else ATLAS.terrain_shift[target]
    city = 0
    if ATLAS.cities >> target & 1 and not terror(m.state) >> target & 1:
        city = _CITY
    if city > land:
        return Modifier("city", -city, "mw-11.11-c")
    rule = "mw-19.0-alpine" if alpine and ATLAS.rough >> target & 1 else "mw-11.11-b"
    return Modifier("terrain", -land, rule)


def hexside_shift(m: M, target: int, units: Sequence[int]) -> Modifier:
    """[mw-11.11-d] [mw-11.11-e] A river helps only when every attacker comes over one, bridge or
    not."""
    wet = all((m.state.where[unit], target) in ATLAS.wet_sides for unit in units)
    return Modifier("river", -_RIVER if wet else 0, "mw-11.11-e")


def trench_shift(m: M, target: int, defenders: Sequence[int]) -> Modifier:
    """[mw-11.12-a] [mw-11.12-b] [mw-11.12-c] Entrenchments serve units of their own country alone."""
    home = ATLAS.country_of[target]
    helps = ATLAS.trenches >> target & 1 and all(ATLAS.units[unit].country == home for unit in defenders)
    return Modifier("entrenchment", -_TRENCH if helps else 0, "mw-11.12-a")


def supply_shift(m: M, units: Sequence[int]) -> Modifier:
    """[mw-11.13-a] [mw-11.13-b] [mw-11.13-c] [mw-11.13-d] [mw-14.7-b] Attackers out of supply: all two, some one."""
    fed = 0
    for unit in units:
        fed += is_supplied_for_combat(m.state, unit)
    if fed == len(units):
        return Modifier("supply", 0, "mw-11.13-c")
    if fed == 0:
        return Modifier("supply", -_ALL_UNFED, "mw-11.13-a")
    return Modifier("supply", -_SOME_UNFED, "mw-11.13-b")


def concentric_shift(m: M, target: int, units: Sequence[int], defenders: Sequence[int]) -> Modifier:
    """[mw-11.14] [mw-11.14-exception] [mw-11.14-note] Attackers or their zones all around, but for hexes the defenders
    could not enter anyway."""
    covered = 0
    for unit in units:
        at = m.state.where[unit]
        covered |= 1 << at | ATLAS.zone[at]
    open_around = 0
    for unit in defenders or units:
        open_around |= _ways_out(m, unit, target)
    whole = not open_around & ~covered
    return Modifier("concentric", 1 if whole else 0, "mw-11.14")


def _ways_out(m: M, unit: int, target: int) -> int:
    """Hexes around that this defender's terrain class could enter."""
    return ATLAS.near[ATLAS.units[unit].terrain][target] & board(m.state).open


# ---- support (11.15, 16.9, 17, 18.1) -------------------------------------------------------------------------------
def air_support(m: M, target: int, units: Sequence[int]) -> list[int]:
    """[mw-16.9-a] [mw-16.9-b] [mw-16.9-c] The airstrike over the defending hex, if it is of the attackers' country."""
    state = m.state
    country = ATLAS.units[units[0]].country
    return [
        unit
        for unit in aloft(m.state)
        if state.where[unit] == target and ATLAS.units[unit].strike and COUNTRY[unit] == country
    ]


def why_no_bombardment(m: M, marker: int, target: int, units: Sequence[int]) -> Refusal | None:
    """[mw-18.1-a] [mw-18.1-b] [mw-18.1-c] Why a fleet cannot help."""
    face = ATLAS.units[marker]
    if not any(ATLAS.units[unit].country == face.country for unit in units):
        return Refusal("mw-18.1-a", "other-navy", unit=face.id)
    if m.state.where[marker] != AVAILABLE:
        return Refusal("mw-18.1-e", "not-available", unit=face.id)
    if not ATLAS.coast >> target & 1:
        return Refusal("mw-18.1-a", "not-coastal", hex=hex_name(target))
    if not (waters_of(m.state, face.country) | ATLAS.fire_only[face.country]) >> target & 1:
        return Refusal("mw-18.1-b", "foreign-sea", hex=hex_name(target))
    return None


def naval_support(m: M, target: int, units: Sequence[int]) -> list[int]:
    if not ATLAS.coast >> target & 1:
        return []
    return [unit for unit in _FLEETS[COUNTRY[units[0]]] if why_no_bombardment(m, unit, target, units) is None]


def sf_support(m: M, side: int) -> list[int]:
    """[mw-17.0-a] [mw-17.1-a] Special forces of the attacking side that are ready."""
    state = m.state
    return [
        unit for unit in ATLAS.special_forces if state.where[unit] == AVAILABLE and state.side[COUNTRY[unit]] == side
    ]
