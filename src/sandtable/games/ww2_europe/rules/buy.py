"""Buy: what a power may order, build and repair."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.roster import hurt, roster
from ..facts.strongpoints import depots_on_board
from ..model.atlas import ATLAS, FACTORY, NOBODY
from ..model.kinds import NAVAL
from ..model.state import DEAD, GONE, SPECIAL, M, W2State

A = ATLAS
K = ATLAS.kinds

UNITS = A.data["units"]

REPAIR_DICE = 2
"""A ship's repair costs what these dice say,"""
LEAST_REPAIR = REPAIR_DICE
"""at least a dollar for each. With less it would be in vain, and could be ordered again without end."""

SPECIAL_KINDS = (
    ("germany", "waffen_ss_tank", "waffen-ss-tanks", "tank", "w2e-special-ss-tanks"),
    ("germany", "waffen_ss_mech", "waffen-ss-mech", "mech", "w2e-special-ss-mech"),
    ("ussr", "shock_army", "shock-armies", "artillery", "w2e-special-shock"),
    ("ussr", "guards_infantry", "guards-infantry", "infantry", "w2e-special-guards-inf"),
    ("ussr", "guards_tank", "guards-tanks", "tank", "w2e-special-guards-tanks"),
    ("usa", "marines", "marines", "infantry", "w2e-special-marines"),
    ("great_britain", "sas", "sas", "airborne", "w2e-special-sas"),
)
"""Power, entry on its card, option, kind, rule: units that are marked at purchase."""

_MARKED = {
    (owner, K.index[base]): (option, int(A.forces[owner][force].get("max_on_board", NOBODY)), rule)
    for name, force, option, base, rule in SPECIAL_KINDS
    for owner in (A.power_index[name],)
}
"""Per power and plain kind that it may mark at purchase: the option, how many (-1 without a number), and the rule."""


_UNMARKED = ("", 0, "w2e-buy")


def can_pay(s: W2State, power: int, kind: int) -> bool:
    """Whether a power has the money for a unit.  [w2e-buy]"""
    return K.cost[kind] <= s.money[power]


def count_units(m: M, power: int, base: int, special: bool | None = None) -> int:
    """Return units of a plain kind that a power has, in boxes too."""
    state = m.state
    return sum(
        1 for u in roster(state).of_kind(power, base)
        if state.space[u] != DEAD and (special is None or bool(state.flags[u] & SPECIAL) == special)
    )  # fmt: skip


def special_limit(m: M, power: int, kind: int) -> int:
    """Return how many marked units of a kind a power may have: 0 where there are none, -1 without a number.

    [w2e-special-ss-tanks] [w2e-special-shock] [w2e-special-marines]
    """
    option, most, _ = _MARKED.get((power, K.base[kind]), _UNMARKED)
    return most if m.option(option) else 0


def buy_refusal(m: M, power: int, kind: int, special: bool) -> Refusal | None:
    """Why a power cannot order a unit.  [w2e-buy] [w2e-unit-airborne-elite] [w2e-tech-200]"""
    state, name = m.state, K.told[kind]
    if state.debt and power == A.usa:
        return Refusal("w2e-usa-pacific", "debt", dollars=state.debt)
    for tech in A.tech_of_kind.get(kind, ()):
        if not m.option("technology") or state.known[power][tech] != 2:
            return Refusal("w2e-tech-200", unit=name)
    if not can_pay(state, power, kind):
        return Refusal("w2e-buy", "too-dear", need=K.cost[kind], have=state.money[power])
    if K.limit[kind] and count_units(m, power, K.base[kind]) >= K.limit[kind]:
        return Refusal("w2e-unit-airborne-elite", unit=name)
    if kind == K.airbase and count_units(m, power, kind) >= A.limits[power]["airbase"]:
        return Refusal("w2e-unit-airbase-rules", "airbase-limit", most=A.limits[power]["airbase"])
    if special:
        most = special_limit(m, power, kind)
        if most == 0 or (most > 0 and count_units(m, power, K.base[kind], True) >= most):
            rule = _MARKED.get((power, K.base[kind]), _UNMARKED)[2]
            return Refusal(rule, "special-limit", unit=name)
    return None


def fortress_refusal(m: M, power: int, space: int) -> Refusal | None:
    """[w2e-fortress-rules]"""
    state, limits = m.state, A.limits[power]
    if A.names[space] not in limits["fortress_sites"] or state.owner[space] != power or state.fortress[space]:
        return Refusal("w2e-fortress-rules", "fortress-site", space=f"@{A.names[space]}")
    if state.lost_fortress[space]:
        return Refusal("w2e-fortress-rules", "fortress-lost", space=A.told[space])
    if state.fortresses_built[power] >= limits["fortress"]:
        return Refusal("w2e-fortress-rules", "fortress-limit", most=limits["fortress"])
    return _too_dear(state, power, "fortress")


def repair_refusal(s: W2State, power: int, space: int) -> Refusal | None:
    """Why a power cannot repair a space.  [w2e-strategic-repair] [w2e-tech-atomic]"""
    if s.owner[space] != power:
        return Refusal("w2e-strategic-repair", "not-yours", space=A.told[space])
    if s.damaged[space] == GONE:
        return Refusal("w2e-tech-atomic", "gone-for-good", space=A.told[space])
    if not s.damaged[space]:
        return Refusal("w2e-strategic-repair", "not-damaged", space=A.told[space])
    if A.value[space] > s.money[power]:
        return Refusal("w2e-buy", "too-dear", need=A.value[space], have=s.money[power])
    return None


def depot_refusal(m: M, power: int) -> Refusal | None:
    """Why a power cannot buy a supply depot.  [w2e-depot-placement]"""
    most = A.limits[power]["supply_depot"]
    if depots_of(m, power) >= most:
        return Refusal("w2e-depot-placement", "depot-limit", most=most)
    return _too_dear(m.state, power, "supply_depot")


def point_refusal(s: W2State, power: int) -> Refusal | None:
    """Why a power cannot buy a Redeployment Point.  [w2e-rp-limits]"""
    most = UNITS["redeployment_point"]["limit"]
    if s.rps[power] >= most:
        return Refusal("w2e-rp-limits", "point-limit", most=most)
    return _too_dear(s, power, "redeployment_point")


def _too_dear(s: W2State, power: int, what: str) -> Refusal | None:
    """Why a power cannot pay for something of the chart."""
    price = UNITS[what]["cost"]
    return Refusal("w2e-buy", "too-dear", need=price, have=s.money[power]) if price > s.money[power] else None


def ship_refusal(s: W2State, ship: int) -> Refusal | None:
    """Why a ship cannot be repaired: that takes a Homeland port with a sound factory, and money for the lowest roll.

    [w2e-port-repair] [w2e-unit-battleship-repair]
    """
    space, power = s.space[ship], s.power[ship]
    if not s.damage[ship] or K.cls[s.kind[ship]] != NAVAL:
        return Refusal("w2e-unit-battleship-repair", "ship-sound", unit=K.told[s.kind[ship]])
    land = A.land_of_port[space] if space >= 0 else NOBODY
    own = land >= 0 and A.homeland[land] == power == s.owner[land]
    if not own or A.feature[land] != FACTORY or s.damaged[land]:
        return Refusal("w2e-port-repair", unit=K.told[s.kind[ship]])
    if s.money[power] < LEAST_REPAIR:
        return Refusal("w2e-unit-battleship-repair", "too-dear", need=LEAST_REPAIR, have=s.money[power])
    return None


def ships_to_repair(m: M, power: int) -> list[int]:
    """Return a power's damaged ships in Homeland ports with a sound factory."""
    s = m.state
    return [unit for unit in hurt(s) if s.power[unit] == power and ship_refusal(s, unit) is None]


def depots_of(m: M, power: int) -> int:
    return len(depots_on_board(m.state, power)) + m.state.depots[power]
