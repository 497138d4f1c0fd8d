"""What a power can order now, as the production desk shows it."""

from __future__ import annotations

from sandtable.core import Texts
from sandtable.core.table import CounterFace, Desk, DeskItem

from ..model.atlas import ATLAS
from ..model.state import M
from ..rules.buy import UNITS, buy_refusal, can_pay, depots_of, special_limit
from ..rules.buy_phase import Purchases

A = ATLAS
K = ATLAS.kinds


def desk(m: M, role: str | None, symbols: dict[str, str], texts: Texts) -> Desk | None:
    """Return the desk of a power that is asked to buy."""
    if role is None or not m.state.stack or not isinstance(m.state.stack[-1], Purchases) or role not in m.asked():
        return None
    power, state = A.power_index[role], m.state
    money = state.money[power]
    if money <= 0 or (state.debt and power == A.usa):
        return None
    items = []
    for kind, name in enumerate(K.names):
        if not can_pay(state, power, kind):
            continue
        for special in (False, True) if special_limit(m, power, kind) else (False,):
            if buy_refusal(m, power, kind, special) is None:
                title = texts.name(f"@{name}")
                face = CounterFace(
                    id=f"desk {name} {special}",
                    side=role,
                    symbol=symbols[K.names[K.base[kind]]],
                    label=title,
                    numbers=f"{K.combat[kind]}-{K.movement[kind]}",
                    state=("special",) if special else (),
                )
                items.append(
                    DeskItem(
                        {"do": "buy", "kind": name, "special": special},
                        texts.say("desk.special", what=title) if special else title,
                        K.cost[kind],
                        face,
                        arrives=texts.say("desk.turns", number=K.build_time[kind]),
                    )
                )
    room = A.limits[power]["supply_depot"] - depots_of(m, power)
    price = UNITS["supply_depot"]["cost"]
    if room > 0 and price <= money:
        items.append(DeskItem({"do": "buy-depot"}, texts.say("verb.buy-depot"), price, most=room))
    room = UNITS["redeployment_point"]["limit"] - state.rps[power]
    price = UNITS["redeployment_point"]["cost"]
    if room > 0 and price <= money:
        items.append(DeskItem({"do": "buy-point"}, texts.say("verb.buy-point"), price, most=room))
    return Desk(money, texts.say("desk.money"), items)
