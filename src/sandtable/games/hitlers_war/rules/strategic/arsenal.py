"""Weapons that go into boxes: fleets, U-boats, A.S.W., strategic air forces, missiles, atomic bombs, shipping.

Chapters of Campaign Game II about what is built, not about how it fights.
"""

from __future__ import annotations

from sandtable.core import Field, Named, Numbers, Offer, OneOf, Refusal, Step
from sandtable.core.columns import put

from ...model.actions import Arm, BuildMissile, Produce, Ship, TradeEscort
from ...model.atlas import ALLIES, ATLAS, AXIS, SIDES, SPACES
from ...model.events import Built
from ...model.state import ON_BOMBERS, M, War, add_to_box, enemies, in_box, role_of, space_name
from ...model.technology import ITEM, ITEMS, SIXTH, cell
from .. import research
from ..control import healthy
from ..naval import shipyard
from . import missiles

_ITEMS = len(ITEMS)
_BOXED = ("u_boat", "asw", "capital_ship", "air_defense", "bomber", "escort")
_MISSILE_BASES = tuple(
    ATLAS.countries[ATLAS.country_index[ATLAS.rules["missile_bases"][side]]].spaces for side in SIDES
)
BOMBERS = "bombers"
SHIPPING_COST: int = ATLAS.tables["trans_atlantic"]["cost_per_extra"]


def affordable(s: War, side: int, item: str) -> int:
    each = research.price(s, side, item)
    return s.budget * SIXTH // each if each else 0


def why_no_item(s: War, side: int, item: str) -> Refusal | None:
    """Why a side cannot build an item now.

    [hw-cost-3] [hw-fleet-3] [hw-fleet-5] [hw-uboat-1] [hw-bomb-1]
    """
    if item not in ITEM:
        return Refusal("hw-cost-1", "hw-not-in-scenario", kind=item)
    key = cell(side, item)
    if refusal := research.why_no_carrier(s, item):
        return refusal
    if s.level[key] < 0:
        return Refusal("hw-uboat-1" if item == "u_boat" else "hw-cost-4", "hw-item-not-yours", item=f"@{item}")
    if not s.price[key]:
        return Refusal("hw-cost-3", "hw-item-prohibited", item=f"@{item}")
    if item == "capital_ship" and (refusal := shipyard.why_no_coast(s, side)):
        return refusal
    if affordable(s, side, item) < 1:
        return Refusal("hw-cost-1", "hw-no-money", needed=research.cost_of(s, side, item, 1), left=s.budget)
    return None


def producible(s: War, side: int) -> list[str]:
    """Weapons for the boxes that a side can build now."""
    first, prices, purse = side * _ITEMS, s.price, s.budget * SIXTH
    return [
        item
        for item in _BOXED
        if 0 < prices[first + ITEM[item]] <= purse
        and not shipyard.builds(s, item)
        and why_no_item(s, side, item) is None
    ]


def sells_shipping(s: War, side: int) -> bool:
    """Whether a side can buy trans-Atlantic shipping.  [hw-trans-2]"""
    return side == ALLIES and bool(s.america) and s.budget >= SHIPPING_COST


def production_offers(m: M, side: int) -> list[Offer]:
    s = m.state
    if not s.setting.technology:
        return []
    out: list[Offer] = []
    items = producible(s, side)
    if items:
        out.append(Offer(Produce, lambda: _produce_fields(s, side, items), rule="hw-cost-1"))
    if sells_shipping(s, side):
        out.append(Offer(Ship, Field("number", "number", Numbers(1, s.budget // SHIPPING_COST)), rule="hw-trans-2"))
    if affordable(s, side, "missile"):
        out.append(Offer(BuildMissile, lambda: missile_fields(s, side), rule="hw-missile-1"))
    if affordable(s, side, "atomic_bomb"):
        carriers = bomb_carriers(s, side)
        if carriers:
            most = affordable(s, side, "atomic_bomb")
            fields = (Field("carrier", "unit", OneOf(carriers)), Field("number", "number", Numbers(1, most)))
            out.append(Offer(Arm, *fields, rule="hw-abomb-1"))
    out.extend(shipyard.production_offers(m, side))
    return out


def bomb_carriers(s: War, side: int) -> list[str]:
    """What can carry atomic bombs: missile counters on the map, and the bombers.  [hw-abomb-1]"""
    carriers = [missiles.counter_name(c) for c in missiles.counters_of(side) if s.missile_at[c] >= 0]
    return [*carriers, BOMBERS] if in_box(s, side, "bomber") else carriers


def missile_bases(s: War, side: int) -> list[int]:
    """Producing hexes of the home country.  [hw-missile-1]"""
    return [x for x in _MISSILE_BASES[side] if s.owner[x] == side and healthy(s, x)]


def _produce_fields(s: War, side: int, items: list[str]) -> tuple[Field, ...]:
    return (
        Field("item", "choice", OneOf(items, lambda item: why_no_item(s, side, item))),
        Field("number", "number", lambda item: Numbers(1, affordable(s, side, item))),
    )


def missile_fields(s: War, side: int) -> tuple[Field, ...]:
    """Missile points join a counter in a producing hex of the home country; three counters at most.  [hw-missile-1]"""
    bases = missile_bases(s, side)

    def why(space: int) -> Refusal | None:
        return None if space in bases else Refusal("hw-missile-1", "hw-no-base", at=space_name(space))

    def spaces(name: str) -> Named:
        at = s.missile_at[missiles.find(side, name)]
        return Named([x for x in bases if at in (-1, x)], SPACES, why=why)

    counters = [
        missiles.counter_name(c) for c in missiles.counters_of(side) if s.missile_at[c] < 0 or s.missile_at[c] in bases
    ]
    return (
        Field("counter", "unit", OneOf(counters if bases else [])),
        Field("at", "space", spaces),
        Field("number", "number", lambda name, at: Numbers(1, affordable(s, side, "missile"))),
    )


def take_production(m: M, action: object) -> bool:
    s = m.state
    side = s.side
    if isinstance(action, Produce):
        s.budget -= research.cost_of(s, side, action.item, action.number)
        add_to_box(s, side, action.item, action.number)
        m.emit(Built(side=f"@{SIDES[side]}", item=f"@{action.item}", number=action.number))
        if action.item in ("escort", "air_defense"):
            m.push(EscortTrade())
    elif isinstance(action, Ship):
        s.budget -= action.number * SHIPPING_COST
        s.shipping += action.number
    elif isinstance(action, BuildMissile):
        counter = missiles.find(side, action.counter)
        s.budget -= research.cost_of(s, side, "missile", action.number)
        s.missile_at = put(s.missile_at, counter, ATLAS.index[action.at])
        s.missiles = put(s.missiles, counter, s.missiles[counter] + action.number)
        m.emit(Built(side=f"@{SIDES[side]}", item="@missile", number=action.number))
    elif isinstance(action, Arm):
        s.budget -= research.cost_of(s, side, "atomic_bomb", action.number)
        place = ON_BOMBERS + side if action.carrier == BOMBERS else missiles.find(side, action.carrier)
        s.bombs = put(s.bombs, place, s.bombs[place] + action.number)
        m.emit(Built(side=f"@{SIDES[side]}", item="@atomic_bomb", number=action.number))
    else:
        return shipyard.take_production(m, action)
    return True


class EscortTrade(Step, frozen=True, tag="escort-trade"):
    """Escorts and enemy air defence cancel one for one; the Axis chooses whose where both have some.

    [hw-bomb-6] [hw-bomb-7]
    """

    rule = "hw-bomb-6"

    def pairs(self, s: War) -> list[tuple[int, int]]:
        """(side with an escort, side with air defence) that can trade now."""
        escorts = [side for side in range(3) if in_box(s, side, "escort")]
        return [(side, foe) for side in escorts for foe in enemies(s, side) if in_box(s, foe, "air_defense")]

    def run(self, m: M) -> None:
        s = m.state
        while True:
            pairs = self.pairs(s)
            if not pairs:
                m.pop()
                return
            if len([pair for pair in pairs if pair[0] == AXIS]) > 1:
                return
            trade(s, *pairs[0])

    def roles(self, m: M) -> tuple[str, ...]:
        return (role_of(AXIS),)

    def offers(self, m: M, role: str) -> list[Offer]:
        foes = [SIDES[foe] for side, foe in self.pairs(m.state) if side == AXIS]
        return [Offer(TradeEscort, Field("against", "role", OneOf(foes)), rule=self.rule)]

    def take(self, m: M, role: str, action: TradeEscort) -> None:
        trade(m.state, AXIS, SIDES.index(action.against))
        m.replace(self)


def trade(s: War, side: int, foe: int) -> None:
    add_to_box(s, side, "escort", -1)
    add_to_box(s, foe, "air_defense", -1)
