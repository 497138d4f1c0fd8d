"""Ships that are built onto the map or by instalments: the optional rules 'Naval Action', 'Ship Builds', 'Carriers'."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.core import Field, Named, Numbers, Offer, OneOf, Refusal
from sandtable.core.columns import having, lacking

from ...model.actions import Commission, LayDown, PayHull
from ...model.atlas import ATLAS, SIDES, SPACES
from ...model.events import Built, ShipBegun
from ...model.fleets import FLEET_NAMES, FLEETS_OF, HARBOURS, HULLS, INDEX, NAMES, NATION_OF, NOWHERE, PORT, SIDE_OF
from ...model.state import M, OwnTurn, War, add_to_box, has_fleets_on_map
from ...model.technology import SIXTH
from .. import research
from ..sealift import ATLANTIC
from . import fleets

SHIPS = ("capital_ship", "carrier")
ATLANTIC_COAST = tuple(
    x for x in ATLAS.land if any(ATLAS.waters[w][1] == ATLANTIC for w in ATLAS.waters_of[x]) and not ATLAS.is_box[x]
)


def builds(s: War, item: str) -> bool:
    """Whether this item is built here and not straight into a box."""
    return item in SHIPS and (has_fleets_on_map(s) or bool(s.options.get("ship_builds")))


# ---- hulls
def hulls(s: War, side: int) -> dict[str, int]:
    """Names of a side's unfinished ships -> their numbers.  [hw-ship-2]"""
    return {hull_name(key): key for key in sorted(s.yard) if key // HULLS == side}


def hull_name(key: int) -> str:
    return f"Hull {key % HULLS + 1}"


def unpaid(s: War, key: int) -> int:
    """Sixths of a point still to pay on a hull."""
    return s.yard[key] // 2


def item_of(s: War, key: int) -> str:
    return SHIPS[s.yard[key] % 2]


def whole(sixths: int) -> int:
    return -(-sixths // SIXTH)


# ---- rules
def berths(s: War, side: int) -> dict[int, list[int]]:
    """Fleet counter -> ports where a finished ship can join it: fleets in port, or counters not in use.

    [hw-nav-3] [hw-nav-5] [hw-nav-2]
    """
    found: dict[int, list[int]] = {}
    for fleet in FLEETS_OF[side]:
        fit = list(_berths_of(s, fleet))
        if fit:
            found[fleet] = fit
    return found


def _berths_of(s: War, fleet: int) -> Iterator[int]:
    at = s.fleet_at[fleet]
    spaces: Sequence[int] = ()
    if at == NOWHERE:
        spaces = HARBOURS[NATION_OF[fleet]]
    elif at >= 0 and s.fleet_state[fleet] == PORT:
        spaces = (at,)
    side, owner = SIDE_OF[fleet], s.owner
    for x in spaces:
        if owner[x] == side and fleets.why_no_port(s, fleet, x) is None and fleets.room(s, x) > 0:
            yield x


def has_berth(s: War, side: int) -> bool:
    """Whether a finished ship could join any fleet."""
    return any(next(_berths_of(s, fleet), -1) >= 0 for fleet in FLEETS_OF[side])


def begun(s: War, side: int) -> dict[str, int]:
    """Hulls on which something can be paid now: the last point only while a fleet could take the ship."""
    if not s.budget:
        return {}
    mine = hulls(s, side)
    if not s.options.get("ship_builds") or (has_fleets_on_map(s) and not has_berth(s, side)):
        return {name: key for name, key in mine.items() if payments(s, side, unpaid(s, key))}
    return mine


def why_no_coast(s: War, side: int) -> Refusal | None:
    """Ships are built where a side holds an Atlantic coast.  [hw-fleet-3]"""
    held = any(s.owner[x] == side for x in ATLANTIC_COAST)
    return None if held else Refusal("hw-fleet-3", "hw-no-atlantic-coast")


def why_no_ship(s: War, side: int, item: str) -> Refusal | None:
    """Why a side can begin no ship of a kind.  [hw-fleet-5] [hw-carrier-2] [hw-fleet-3] [hw-ship-1] [hw-ship-3]"""
    if item not in SHIPS:
        return Refusal("hw-ship-3", "hw-only-ships", item=f"@{item}")
    if refusal := research.why_no_carrier(s, item):
        return refusal
    if not has_fleets_on_map(s):
        if refusal := why_no_coast(s, side):
            return refusal
    elif not has_berth(s, side):
        return Refusal("hw-nav-5", "hw-no-berth")
    price = research.price(s, side, item)
    needed = 1 if s.options.get("ship_builds") else whole(price)
    if s.budget < needed:
        return Refusal("hw-cost-1", "hw-no-money", needed=needed, left=s.budget)
    return None


def payments(s: War, side: int, sixths: int) -> Numbers:
    """Points that may be paid now on so much: any number by instalments, otherwise all at once.

    [hw-ship-1] [hw-build-6]
    """
    full = whole(sixths)
    most = min(full, s.budget)
    if most == full and has_fleets_on_map(s) and not has_berth(s, side):
        most -= 1
    least = 1 if s.options.get("ship_builds") else full
    return Numbers(least, most, lambda n: Refusal("hw-ship-1", "hw-no-money", needed=full, left=s.budget))


def production_offers(m: M, side: int) -> list[Offer]:
    s = m.state
    out: list[Offer] = []
    if not s.yard and not s.fleet_at and not s.options.get("ship_builds"):
        return out
    kinds = [item for item in SHIPS if builds(s, item) and why_no_ship(s, side, item) is None]
    if kinds:
        out.append(
            Offer(
                LayDown,
                Field("item", "choice", OneOf(kinds, lambda item: why_no_ship(s, side, item))),
                Field("pay", "number", lambda item: payments(s, side, research.price(s, side, item))),
                rule="hw-ship-1" if s.options.get("ship_builds") else "hw-nav-5",
            )
        )
    mine = begun(s, side)
    if mine:
        out.append(
            Offer(
                PayHull,
                Field("hull", "unit", OneOf(list(mine), lambda name: Refusal("hw-ship-2", "hw-no-hull", hull=name))),
                Field("pay", "number", lambda name: payments(s, side, unpaid(s, mine[name]))),
                rule="hw-ship-2",
            )
        )
    return out


def take_production(m: M, action: object) -> bool:
    """Pay on a ship; a finished one is assigned to a fleet in port.  [hw-ship-1] [hw-ship-2] [hw-fleet-6]"""
    s = m.state
    side = s.side
    if isinstance(action, LayDown):
        item = action.item
        left = max(0, research.price(s, side, item) - action.pay * SIXTH)
        key = next(k for k in range(side * HULLS, (side + 1) * HULLS) if k not in s.yard)
    elif isinstance(action, PayHull):
        key = hulls(s, side)[action.hull]
        item = item_of(s, key)
        left = max(0, unpaid(s, key) - action.pay * SIXTH)
    else:
        return False
    s.budget -= action.pay
    s.yard = lacking(s.yard, key)
    if left:
        s.yard = having(s.yard, key, left * 2 + SHIPS.index(item))
        m.emit(ShipBegun(side=f"@{SIDES[side]}", item=f"@{item}", left=f"{left / SIXTH:g}"))
        return True
    m.emit(Built(side=f"@{SIDES[side]}", item=f"@{item}", number=1))
    if has_fleets_on_map(s):
        m.push(Commissioning(item))
    else:
        add_to_box(s, side, item, 1)
    return True


class Commissioning(OwnTurn, frozen=True, tag="commissioning"):
    """A finished ship joins a fleet in port; from then on it belongs to that fleet's nation.  [hw-nav-3] [hw-nav-5]"""

    rule = "hw-nav-3"

    item: str

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        found = berths(s, s.side)

        def why(fleet: int) -> Refusal:
            if SIDE_OF[fleet] != s.side:
                return Refusal("hw-nav-3", "hw-not-that-fleet", fleet=NAMES[fleet])
            return Refusal("hw-nav-5", "hw-fleet-not-in-port", fleet=NAMES[fleet])

        def spaces(name: str) -> Named:
            fleet = INDEX[name]
            return Named(found[fleet], SPACES, why=lambda x: fleets.why_no_port(s, fleet, x))

        ships = Field("fleet", "unit", Named(list(found), FLEET_NAMES, why=why))
        return [Offer(Commission, ships, Field("at", "space", spaces), rule=self.rule)]

    def take(self, m: M, role: str, action: Commission) -> None:
        s = m.state
        fleet = INDEX[action.fleet]
        fleets.station(s, fleet, ATLAS.index[action.at], PORT)
        fleets.change(s, fleet, self.item, 1)
        m.pop()
