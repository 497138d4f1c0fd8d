"""Buy: units, fortresses, depots, Redeployment Points, repairs, gifts."""

from __future__ import annotations

from sandtable.core import Refusal

from ..facts.roster import hurt, roster
from ..facts.strongpoints import damaged_land, depots_on_board
from ..model.atlas import ATLAS, FACTORY, NOBODY
from ..model.kinds import NAVAL
from ..model.state import DEAD, SPECIAL, M, W2State

A = ATLAS
K = ATLAS.kinds

UNITS = A.data["units"]

SPECIAL_KINDS = (
    ("germany", "waffen_ss_tank", "waffen-ss-tanks", "tank"), ("germany", "waffen_ss_mech", "waffen-ss-mech", "mech"),
    ("ussr", "shock_army", "shock-armies", "artillery"), ("ussr", "guards_infantry", "guards-infantry", "infantry"),
    ("ussr", "guards_tank", "guards-tanks", "tank"), ("usa", "marines", "marines", "infantry"),
    ("great_britain", "sas", "sas", "airborne"),
)  # fmt: skip
"""Power, entry on its card, option, kind: units that are marked at purchase."""

_MARKED = {
    (owner, K.index[base]): (option, int(A.forces[owner][force].get("max_on_board", NOBODY)))
    for name, force, option, base in SPECIAL_KINDS
    for owner in (A.power_index[name],)
}
"""Per power and plain kind that it may mark at purchase: the option, and how many of them, -1 without a number."""


def can_pay(s: W2State, power: int, kind: int) -> bool:
    """Whether a power has the money for a unit.  [w2e-buy]"""
    return K.cost[kind] <= s.money[power]


def count_units(m: M, power: int, base: int, special: bool | None = None) -> int:
    """Units of a plain kind that a power has, in boxes too."""
    state = m.state
    return sum(
        1 for u in roster(state).of_kind(power, base)
        if state.space[u] != DEAD and (special is None or bool(state.flags[u] & SPECIAL) == special)
    )  # fmt: skip


def special_limit(m: M, power: int, kind: int) -> int:
    """How many marked units of a kind a power may have: 0 where there are none, -1 without a number.

    [w2e-special-ss-tanks] [w2e-special-shock] [w2e-special-marines]
    """
    option, most = _MARKED.get((power, K.base[kind]), ("", 0))
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
            return Refusal("w2e-special-ss-tanks", "special-limit", unit=name)
    return None


_SITES = tuple(tuple((name, A.index[name]) for name in limits["fortress_sites"]) for limits in A.limits)
"""Per power the land on which it may build fortresses."""


def fortress_refusal(m: M, power: int, space: int) -> Refusal | None:
    """[w2e-fortress-rules]"""
    state, limits = m.state, A.limits[power]
    if A.names[space] not in limits["fortress_sites"] or state.owner[space] != power or state.fortress[space]:
        return Refusal("w2e-fortress-rules", "fortress-site", space=f"@{A.names[space]}")
    if state.fortresses_built[power] >= limits["fortress"]:
        return Refusal("w2e-fortress-rules", "fortress-limit", most=limits["fortress"])
    if UNITS["fortress"]["cost"] > state.money[power]:
        return Refusal("w2e-buy", "too-dear", need=UNITS["fortress"]["cost"], have=state.money[power])
    return None


def fortress_sites(m: M, power: int) -> list[str]:
    """Where a power can build a fortress now: of land that is plainly out of the question the rule is not asked."""
    state = m.state
    if state.fortresses_built[power] >= A.limits[power]["fortress"]:
        return []
    free = [(name, s) for name, s in _SITES[power] if state.owner[s] == power and not state.fortress[s]]
    return [name for name, space in free if fortress_refusal(m, power, space) is None]


def repairable(m: M, power: int) -> list[int]:
    """Damaged spaces that a power can pay for.  [w2e-strategic-repair]"""
    state = m.state
    return [s for s in damaged_land(state) if state.owner[s] == power and A.value[s] <= state.money[power]]


def ships_to_repair(m: M, power: int) -> list[int]:
    """Damaged ships in a Homeland port with a sound factory.  [w2e-port-repair] [w2e-unit-battleship-repair]"""
    state = m.state
    found: list[int] = []
    for unit in hurt(state):
        space = state.space[unit]
        if state.power[unit] != power or space < 0:
            continue
        if K.cls[state.kind[unit]] == NAVAL and A.land_of_port[space] >= 0:
            land = A.land_of_port[space]
            sound = A.feature[land] == FACTORY and not state.damaged[land]
            if A.homeland[land] == power and state.owner[land] == power and sound:
                found.append(unit)
    return found


def depots_of(m: M, power: int) -> int:
    return len(depots_on_board(m.state, power)) + m.state.depots[power]
