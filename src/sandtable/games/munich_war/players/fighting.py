"""The Combat Phase: which attack next, with whom, on which table, with what support; exact columns throughout."""

from __future__ import annotations

from sandtable.core import Action
from sandtable.core.bits import bits

from ..facts.board import board
from ..facts.supply import is_supplied_for_combat
from ..model.actions import Attack, Done, SupplyPort, Support
from ..model.atlas import ASSAULT, ATLAS, hex_name
from ..rules.air import factor
from ..rules.amphibious import supply_ports
from ..rules.combat import (
    air_support,
    attack_strength,
    column_of,
    defense_strength,
    naval_support,
    percentile,
    sf_support,
    shifts,
    tables_for,
)
from ..rules.combat_phase import sworn_marines
from ..rules.naval import ready_markers
from .scene import Scene, attack_chart

_DUTY = 100.0
"""Marines off a coast must attack: that comes before everything else."""


def net_shift(scene: Scene, target: int, units: tuple[int, ...], foes: list[int]) -> int:
    """The exact shift of an attack without support."""
    return sum(modifier.value for modifier in shifts(scene.m, target, units, foes))


def sealed_off(scene: Scene, target: int) -> bool:
    """Whether the defenders can only retreat through our zones."""
    covered = scene.known.zoc[scene.side] | scene.known.occupied[scene.side]
    return not ATLAS.zone[target] & scene.known.open & ~covered


Found = tuple[float, str, tuple[int, ...]]
"""Gain, table and force of an attack."""
Memo = dict[tuple[object, ...], Found]
"""What attacks were found to be worth; good while neither force nor enemy has changed."""


def next_attack(scene: Scene, memo: Memo) -> tuple[float, Attack] | None:
    """The attack with the best expected gain that can be made now."""
    m, state = scene.m, scene.m.state
    best: tuple[float, Attack] | None = None
    sworn = set(sworn_marines(m))
    teams = sf_support(m, scene.side)
    chance = max((len(ATLAS.units[team].success) / 6 for team in teams), default=0.0)
    wanted = scene.targets() | sum(1 << state.assaults[unit] for unit in sworn)
    where, steps = state.where, state.steps
    for target, nations in attack_chart(m, scene.side).items():
        if not wanted >> target & 1:
            continue
        foes = scene.foes(target)
        for nation, units in nations.items():
            key = (
                target, chance, *((unit, steps[unit], where[unit]) for unit in units),
                *((foe, steps[foe]) for foe in foes), scene.air_over(nation, target),
            )  # fmt: skip
            found = memo.get(key)
            if found is None:
                found = memo[key] = best_force(scene, target, units, foes, sworn, chance)
            gain, table, force = found
            if best is None or gain > best[0]:
                names = tuple(ATLAS.units[unit].id for unit in force)
                best = (gain, Attack(hex_name(target), ATLAS.countries[nation].name, table, names))
    return best if best is not None and best[0] > scene.doctrine.bold else None


def best_force(
    scene: Scene, target: int, units: list[int], foes: list[int], sworn: set[int], chance: float
) -> Found:  # fmt: skip
    """How many of a nation's units to send, and on which table: the strongest first, those at sea in any case."""
    m = scene.m
    must = [unit for unit in units if unit in sworn]
    order = sorted(units, key=lambda unit: (unit not in sworn, -scene.attack(unit), unit))
    clash = scene.clash(target, sealed_off(scene, target))
    defense = defense_strength(m, foes)
    lift = max((factor(m, unit) for unit in air_support(m, target, order)), default=0)
    lift += max((ATLAS.units[unit].bombardment for unit in naval_support(m, target, order)), default=0)
    best: Found | None = None
    before = None
    for size in range(max(1, len(must)), len(order) + 1):
        force = tuple(sorted(order[:size], key=units.index))
        column = column_of(percentile(attack_strength(m, force), defense))
        if column == before and size < len(order):
            continue
        before = column
        column += net_shift(scene, target, force, foes) + lift
        for table in tables_for(m, target, force):
            gain = clash.worth(force, table, column) - scene.doctrine.swarm * size
            if chance:
                gain = max(gain, chance * clash.worth(force, table, column + 1) + (1 - chance) * gain)
            gain -= risk_of_leaving(scene, force, table, column)
            if must:
                gain += _DUTY
            if best is None or gain > best[0]:
                best = (gain, table, force)
    assert best is not None
    return best


def risk_of_leaving(scene: Scene, force: tuple[int, ...], table: str, column: int) -> float:
    """What is at stake when a city's garrison attacks, may be thrown back, and too little would stay in the city."""
    cost = 0.0
    where = scene.m.state.where
    for at in {where[unit] for unit in force}:
        worth = scene.stakes.keep.get(at, 0.0)
        if not worth:
            continue
        stay = sum(scene.defense(unit) for unit in board(scene.m.state).stack(at) if unit not in force)
        if scene.holds(at, stay, worth) or not scene.danger(at):
            continue
        cost += worth * _thrown_back(table, column)
    return cost


def _thrown_back(table: str, column: int) -> float:
    column = max(0, min(len(ATLAS.columns) - 1, column))
    rows = ATLAS.tables["combat_results"]
    names = [ATLAS.crt[table][die][column] for die in range(1, 7)]
    return sum(1 for name in names if "attacker_retreat" in rows[name] or rows[name].get("attacker_eliminate")) / 6


def combat_action(scene: Scene, memo: Memo) -> Action:
    """The next thing to do in the Combat Phase."""
    port = supply_by_sea(scene)
    if port is not None:
        return port
    found = next_attack(scene, memo)
    if found is not None:
        return found[1]
    if sworn_marines(scene.m):
        return forced_attack(scene)
    return Done()


def forced_attack(scene: Scene) -> Action:
    """Marines that lie off a coast attack whatever comes of it."""
    m = scene.m
    unit = sworn_marines(m)[0]
    target = m.state.assaults[unit]
    nation = ATLAS.units[unit].country
    units = attack_chart(m, scene.side)[target][nation]
    return Attack(
        hex_name(target), ATLAS.countries[nation].name, ASSAULT, tuple(ATLAS.units[other].id for other in units)
    )


def supply_by_sea(scene: Scene) -> SupplyPort | None:
    """A marker goes to a port when units next to it would attack hungry."""
    m = scene.m
    if m.state.attacks:
        return None
    markers = ready_markers(m, scene.side)
    if not markers:
        return None
    hungry: dict[int, int] = {}
    for nations in attack_chart(m, scene.side).values():
        for nation, units in nations.items():
            for unit in units:
                if not is_supplied_for_combat(m.state, unit):
                    hungry[nation] = hungry.get(nation, 0) | 1 << m.state.where[unit]
    for marker in markers:
        needy = hungry.get(ATLAS.units[marker].country, 0)
        if needy:
            for port in bits(supply_ports(m, marker)):
                if needy & (ATLAS.neighbours(port) | 1 << port):
                    return SupplyPort(ATLAS.units[marker].id, hex_name(port))
    return None


def support_action(scene: Scene) -> Action:
    """Aircraft and ships that are there help; special forces go in where one column more pays."""
    m, battle = scene.m, scene.m.state.battle
    assert battle is not None
    target, units = battle.target, battle.units
    air = max(air_support(m, target, units), key=lambda unit: factor(m, unit), default=-1)
    naval = max(naval_support(m, target, units), key=lambda unit: ATLAS.units[unit].bombardment, default=-1)
    foes = scene.foes(target)
    column = column_of(percentile(attack_strength(m, units), defense_strength(m, foes)))
    column += net_shift(scene, target, units, foes)
    column += (factor(m, air) if air >= 0 else 0) + (ATLAS.units[naval].bombardment if naval >= 0 else 0)
    clash = scene.clash(target, sealed_off(scene, target))
    gain = clash.worth(units, battle.table, column + 1) - clash.worth(units, battle.table, column)
    fort = 0.3 if clash.fort else 0.0
    teams = sf_support(m, scene.side)
    team = ""
    if teams and gain + fort > 0.1:
        best = max(teams, key=lambda unit: (len(ATLAS.units[unit].success), -unit))
        team = ATLAS.units[best].id
    return Support(ATLAS.units[air].id if air >= 0 else "", ATLAS.units[naval].id if naval >= 0 else "", team)
