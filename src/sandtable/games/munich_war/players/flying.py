"""Airpower: where airstrikes and airlifts go, whom to intercept, what to bomb."""

from __future__ import annotations

from math import fsum

from sandtable.core import Action
from sandtable.core.bits import bits

from ..facts.air import bases, fliers, flight, interceptors, quarry
from ..facts.board import air_at, flying
from ..facts.supply import is_supplied
from ..model.actions import Bomb, Done, Fight, Intercept, Launch
from ..model.atlas import ATLAS, NOBODY, hex_name
from ..rules.air import factor, interception_column, targets
from ..rules.terror import bombers, has_flak, terror_column
from .lore import step_worth, unit_worth
from .marching import Marching, Onslaught
from .scene import Scene

_MISSION = 0.35
"""What stopping an enemy mission is worth, in victory points."""
_OFTEN = 0.1


class Sky:
    """What the air units of a side are sent out for this turn."""

    def __init__(self) -> None:
        self.missions: dict[int, int] = {}
        """Airstrike -> hex it is to help in an attack on."""
        self.raids: dict[int, int] = {}
        """Airstrike -> hex it is to bomb."""


def plan_sky(scene: Scene) -> tuple[Sky, list[Action]]:
    """Airstrikes help the attacks to which their columns add most; the others bomb; airlifts feed the cut off."""
    sky = Sky()
    orders: list[Action] = []
    ready = fliers(scene.m.state, scene.side)
    strikes = sorted(
        (unit for unit in ready if ATLAS.units[unit].strike and factor(scene.m, unit)),
        key=lambda unit: (-factor(scene.m, unit), unit),
    )
    taken = flying(scene.m.state, scene.side)
    help_wanted = HelpWanted(scene) if strikes else None
    for unit in strikes:
        assert help_wanted is not None
        best = help_wanted.best(unit, taken)
        if best is None:
            continue
        target, base = best
        taken |= 1 << target
        sky.missions[unit] = target
        orders.append(Launch(ATLAS.units[unit].id, hex_name(base), hex_name(target)))
    for unit in strikes:
        if unit not in sky.missions:
            raid = best_raid(scene, unit, taken)
            if raid is not None:
                target, base = raid
                taken |= 1 << target
                sky.raids[unit] = target
                orders.append(Launch(ATLAS.units[unit].id, hex_name(base), hex_name(target)))
    for unit in ready:
        if ATLAS.units[unit].lift:
            feed = best_feed(scene, unit)
            if feed is not None:
                orders.append(feed)
    return sky, orders


class HelpWanted:
    """The attacks that a march could make, with and without airstrikes over them."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.march = Marching(scene)
        self.march.garrison()
        self.march.walk_in()
        self.known: dict[tuple[int, int, int], Onslaught | None] = {}

    def attack(self, target: int, country: int, columns: int) -> Onslaught | None:
        """The best attack of a country on a hex with so many columns of air support."""
        key = (target, country, columns)
        if key not in self.known:
            self.march.air = {target: (country, columns)}
            self.known[key] = self.march.best_attack(target, country)
        return self.known[key]

    def best(self, unit: int, taken: int) -> tuple[int, int] | None:
        """The attack that gains most by this airstrike, and a base to fly from; its units are then spoken for."""
        scene = self.scene
        country, columns = ATLAS.units[unit].country, factor(scene.m, unit)
        best: tuple[float, int, int, Onslaught] | None = None
        for target in bits(scene.targets() & ~taken):
            if scene.neutral(target):
                continue  # flying over a neutral would start the war before the army moves
            helped = self.attack(target, country, columns)
            if helped is None or (best is not None and 1.3 * helped.gain <= best[0]):
                continue
            without = self.attack(target, country, 0)
            # What counts is what the columns add, with something for the weight of the whole attack.
            gain = helped.gain - (without.gain if without else 0.0) + 0.3 * helped.gain
            if (best is None or gain > best[0]) and (base := scene.in_range(unit, target)) != NOBODY:
                best = (gain, target, base, helped)
        if best is None or best[0] < 0.15:
            return None
        _, target, base, helped = best
        for other, (at, rail) in helped.orders.items():
            self.march.give(other, at, rail)
        filled = {at for at, _ in helped.orders.values()}
        for key, attack in list(self.known.items()):
            if attack is not None and (
                attack.orders.keys() & helped.orders.keys() or filled & {at for at, _ in attack.orders.values()}
            ):
                del self.known[key]
        return target, base


def best_raid(scene: Scene, unit: int, taken: int) -> tuple[int, int] | None:
    """A stack to bomb without flak around it; only whole units risk it."""
    state = scene.m.state
    if state.steps[unit] < 2 or factor(scene.m, unit) < 2:
        return None
    best: tuple[float, int, int] | None = None
    for target in bits(scene.known.occupied[1 - scene.side] & ~taken):
        foes = scene.foes(target)
        if has_flak(scene.m, scene.side, target):
            continue
        base = scene.in_range(unit, target)
        if base == NOBODY:
            continue
        gain = max(step_worth(foe, state.steps[foe], scene.scale) for foe in foes) + _OFTEN * scene.value(target)
        if best is None or gain > best[0]:
            best = (gain, target, base)
    return None if best is None or best[0] < 0.3 else best[1:]


def best_feed(scene: Scene, lift: int) -> Launch | None:
    """Where most units of the airlift's country stand out of supply."""
    m = scene.m
    country = ATLAS.units[lift].country
    hungry = [unit for unit in scene.mine if ATLAS.units[unit].country == country and not is_supplied(m.state, unit)]
    best: tuple[int, int, int] | None = None
    for unit in hungry:
        at = m.state.where[unit]
        near = ATLAS.neighbours(at) | 1 << at
        count = sum(1 for other in hungry if near >> m.state.where[other] & 1)
        if best is not None and count <= best[0]:
            continue
        for base in bits(bases(m.state, lift) & ~(1 << at)):
            if flight(m.state, lift, base) >> at & 1 and targets(m, lift, base) >> at & 1:
                best = (count, at, base)
                break
    return None if best is None else Launch(ATLAS.units[lift].id, hex_name(best[2]), hex_name(best[1]))


# ---- interception --------------------------------------------------------------------------------------------------
def duel(scene: Scene, hunter: int, victim: int) -> float:
    """The expected gain of an interception."""
    state = scene.m.state
    column = interception_column(factor(scene.m, hunter) - factor(scene.m, victim))
    mine = step_worth(hunter, state.steps[hunter], scene.scale)
    theirs = step_worth(victim, state.steps[victim], scene.scale)
    whole, all_of_it = unit_worth(hunter, state.steps[hunter]), unit_worth(victim, state.steps[victim])
    worth = {
        "AE": -whole, "AL": -mine, "ML": theirs - mine, "DB": _MISSION, "DL": theirs + _MISSION / 2,
        "DE": all_of_it + _MISSION,
    }  # fmt: skip
    return fsum(worth[ATLAS.interception[die][column]] for die in range(1, 7)) / 6


def intercept_action(scene: Scene) -> Action:
    """The best duel that can be had, if it is a good one."""
    m = scene.m
    best: tuple[float, int, int, int] | None = None
    for hunter, fields in interceptors(m.state, scene.side).items():
        game = quarry(m.state, scene.side)
        for at in bits(game):
            gain = duel(scene, hunter, air_at(m.state, 1 - scene.side, at))
            if best is not None and gain <= best[0]:
                continue
            base = next((base for base in bits(fields) if flight(m.state, hunter, base) >> at & 1), NOBODY)
            if base != NOBODY:
                best = (gain, hunter, base, at)
    if best is None or best[0] <= 0.05:
        return Done()
    _, hunter, base, at = best
    return Intercept(ATLAS.units[hunter].id, hex_name(base), hex_name(at))


def fight_action(scene: Scene) -> Action:
    """Interceptions in any order: the best one first."""
    m = scene.m
    both = flying(m.state, scene.side) & flying(m.state, 1 - scene.side)
    at = max(
        bits(both), key=lambda at: duel(scene, air_at(m.state, scene.side, at), air_at(m.state, 1 - scene.side, at))
    )
    return Fight(hex_name(at))


# ---- terror --------------------------------------------------------------------------------------------------------
def bomb_action(scene: Scene, sky: Sky) -> Action:
    """Raids are flown as planned; airstrikes that are to help an attack wait for it."""
    m, state = scene.m, scene.m.state
    for unit, aims in bombers(m, scene.side).items():
        if unit in sky.missions or state.steps[unit] < 2 or not terror_column(m, unit):
            continue
        if "units" in aims and not has_flak(m, scene.side, state.where[unit]):
            return Bomb(ATLAS.units[unit].id, "units")
    return Done()
