"""The Buy phase: units, fortresses, depots, Redeployment Points, repairs, gifts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.core import Choices, Field, Named, Numbers, Offer, OneOf, Refusal
from sandtable.core.columns import put

from ..facts.control import active_powers
from ..facts.names import names_of, space_choice, unit_choice, unit_of
from ..facts.roster import hurt
from ..facts.strongpoints import damaged_land
from ..model.actions import Buy, BuyDepot, BuyFortress, BuyPoint, Give, Repair, RepairShip, SetAside
from ..model.atlas import ATLAS, NOBODY, POWERS
from ..model.events import Bought, Gave, Noted
from ..model.state import BOX, SPECIAL, M, added
from ..model.units import add_unit
from .buy import (
    REPAIR_DICE,
    UNITS,
    buy_refusal,
    can_pay,
    depot_refusal,
    fortress_refusal,
    point_refusal,
    repair_refusal,
    ship_refusal,
    ships_to_repair,
    special_limit,
)
from .collect import gift_room, load_gift
from .side_step import SideStep

A = ATLAS
K = ATLAS.kinds

_MONEY_ALONE = tuple(
    not K.limit[kind] and kind != K.airbase and kind not in A.tech_of_kind for kind in range(len(K.names))
)
"""Per kind whether a power may have as many as it can pay for: no limit, no technology."""

_DEPOT = Choices([BuyDepot()], rule="w2e-depot-placement")

_POINT = Choices([BuyPoint()], rule="w2e-rp-limits")
"""The same offers every time."""


class Purchases(SideStep, frozen=True, tag="purchases"):
    """One side spends what it collected before.  [w2e-buy] [w2e-buy-timing]"""

    rule = "w2e-buy"
    ordered: tuple[int, ...] = ()
    """Powers that have bought something: they can no longer commit to repairs."""

    def choices(self, m: M, power: int) -> Sequence[Offer]:
        s = m.state
        money, owes = s.money[power], bool(s.debt) and power == A.usa
        offers: list[Offer] = []
        if any(s.power[ship] == power for ship in hurt(s)) and not owes:
            offers.append(self.ship_offer(m, power))
        if power == A.usa and money > 0:
            offers.append(Offer(SetAside, Field("dollars", "number", Numbers(1, money)), rule="w2e-usa-pacific"))
        if owes:
            return [*offers, Offer(Buy, Refusal("w2e-usa-pacific", "debt", dollars=s.debt), rule="w2e-usa-pacific")]
        offers.append(self.unit_offer(m, power))
        if A.limits[power]["fortress_sites"]:
            offers.append(self.fortress_offer(m, power))
        for act, offer, closed in (
            (BuyDepot, _DEPOT, depot_refusal(m, power)), (BuyPoint, _POINT, point_refusal(s, power)),
        ):  # fmt: skip
            offers.append(offer if closed is None else Offer(act, closed, rule=closed.rule))
        if any(s.owner[space] == power for space in damaged_land(s)):
            offers.append(self.repair_offer(m, power))
        if active_powers(s, self.side) != (power,):
            offers.append(self.gift_offer(m, power))
        return offers

    def ship_offer(self, m: M, power: int) -> Offer:
        s = m.state
        if power in self.ordered:
            return Offer(RepairShip, Refusal("w2e-unit-battleship-repair", "repair-first"), rule="w2e-port-repair")
        ships = unit_choice(s, ships_to_repair(m, power), why=lambda ship: ship_refusal(s, ship))
        return Offer(RepairShip, Field("unit", "unit", ships), rule="w2e-unit-battleship-repair")

    def fortress_offer(self, m: M, power: int) -> Offer:
        def rule(space: int) -> Refusal | None:
            return fortress_refusal(m, power, space)

        sites = space_choice([A.index[name] for name in A.limits[power]["fortress_sites"]], rule, rule)
        return Offer(BuyFortress, Field("space", "space", sites), rule="w2e-fortress-rules")

    def repair_offer(self, m: M, power: int) -> Offer:
        s = m.state

        def rule(space: int) -> Refusal | None:
            return repair_refusal(s, power, space) if A.is_land[space] else None

        field = Field("space", "space", space_choice(damaged_land(s), rule, rule))
        return Offer(Repair, field, rule="w2e-strategic-repair")

    def gift_offer(self, m: M, power: int) -> Offer:
        def no_way(other: int) -> Refusal | None:
            if gift_room(m, power, other) > 0:
                return None
            return Refusal("w2e-gift", "no-gift", power=f"@{A.powers[other]}")

        def fields() -> tuple[Field, ...]:
            friends = [p for p in active_powers(m.state, self.side) if p != power]
            return (
                Field("to", "role", Named(friends, POWERS, no_way)),
                Field("dollars", "number", lambda to: Numbers(1, gift_room(m, power, A.power_index[to]))),
            )

        return Offer(Give, fields, rule="w2e-gift")

    def unit_offer(self, m: M, power: int) -> Offer:
        s = m.state

        def why(value: Any) -> Refusal | None:
            kind = K.index.get(value, NOBODY) if isinstance(value, str) else NOBODY
            return buy_refusal(m, power, kind, False) if kind >= 0 else None

        def marks(name: str) -> OneOf:
            kind = K.index[name]
            known = (False, True) if special_limit(m, power, kind) else (False,)
            able = [special for special in known if buy_refusal(m, power, kind, special) is None]
            return OneOf(able, lambda value: buy_refusal(m, power, kind, bool(value)))

        def fields() -> tuple[Field, ...]:
            able = [
                name for kind, name in enumerate(K.names)
                if can_pay(s, power, kind) and (_MONEY_ALONE[kind] or buy_refusal(m, power, kind, False) is None)
            ]  # fmt: skip
            return Field("kind", "choice", OneOf(able, why)), Field("special", "choice", marks)

        return Offer(Buy, fields, rule="w2e-buy")

    def stays(self, m: M, power: int) -> bool:
        return True

    def act(self, m: M, power: int, action: Any) -> None:
        state = m.state
        who = f"@{A.powers[power]}"
        if isinstance(action, Give):
            other = A.power_index[action.to]
            load_gift(m, power, other, action.dollars)
            state.money = added(added(state.money, power, -action.dollars), other, action.dollars)
            state.given = added(state.given, power, action.dollars)
            state.received = added(state.received, other, action.dollars)
            m.emit(Gave(power=who, to=f"@{action.to}", dollars=action.dollars))
            return
        if isinstance(action, SetAside):
            self.set_aside(m, action.dollars)
            return
        if isinstance(action, RepairShip):
            self.repair_ship(m, power, unit_of(state, action.unit))
            return
        if isinstance(action, Buy):
            kind = K.index[action.kind]
            price, what = K.cost[kind], f"@{action.kind}"
            add_unit(state, kind, power, BOX - K.build_time[kind], SPECIAL if action.special else 0)
        elif isinstance(action, BuyFortress):
            price, what = UNITS["fortress"]["cost"], "@fortress"
            state.fortress = put(state.fortress, A.index[action.space], 1)
            state.fortresses_built = added(state.fortresses_built, power, 1)
        elif isinstance(action, BuyDepot):
            price, what = UNITS["supply_depot"]["cost"], "@supply_depot"
            state.depots = added(state.depots, power, 1)
        elif isinstance(action, BuyPoint):
            price, what = UNITS["redeployment_point"]["cost"], "@redeployment_point"
            state.rps = added(state.rps, power, 1)
        else:
            space = A.index[action.space]
            price, what = A.value[space], f"@{action.space}"
            state.damaged = put(state.damaged, space, 0)
        state.money = added(state.money, power, -price)
        m.emit(Bought(power=who, what_=what, dollars=price))
        if power not in self.ordered:
            m.replace(msgspec.structs.replace(self, ordered=(*self.ordered, power)))

    def repair_ship(self, m: M, power: int, unit: int) -> None:
        """Committed before the price is known: two dice.  [w2e-unit-battleship-repair] [w2e-unit-carrier-armor]"""
        state = m.state
        price = sum(m.roll(why="w2e-unit-battleship-repair") for _ in range(REPAIR_DICE))
        paid = min(price, state.money[power])
        state.money = added(state.money, power, -paid)
        if paid == price:
            state.damage = put(state.damage, unit, 0)
        m.emit(Noted(note="@note-repaired" if paid == price else "@note-repair-failed", power=f"@{A.powers[power]}",
                     place=names_of(state, [unit])[0], number=paid))  # fmt: skip

    def set_aside(self, m: M, dollars: int) -> None:
        """Money for the Pacific pays an old debt first.  [w2e-usa-pacific]"""
        state = m.state
        state.money = added(state.money, A.usa, -dollars)
        owed = min(state.debt, dollars)
        state.debt -= owed
        state.pot += dollars - owed
        m.emit(Noted(note="@note-set-aside", power="@usa", number=dollars))
