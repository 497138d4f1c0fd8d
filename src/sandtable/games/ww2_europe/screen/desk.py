"""What a power can order, repair and work on now, as the desk shows it."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core import Texts
from sandtable.core.table import CounterFace, Desk, DeskItem

from ..facts.names import names_of
from ..facts.strongpoints import damaged_land
from ..model.atlas import ATLAS
from ..model.state import M
from ..rules.buy import (
    UNITS,
    buy_refusal,
    can_pay,
    depots_of,
    fortress_refusal,
    repair_refusal,
    ships_to_repair,
    special_limit,
)
from ..rules.buy_phase import Purchases
from ..rules.collect_phase import TECH, Technology

A = ATLAS
K = ATLAS.kinds


def desk(m: M, role: str | None, symbols: dict[str, str], texts: Texts) -> Desk | None:
    """Return the desk of a power that is asked to buy, or what to work on."""
    state, step = m.state, m.state.stack[-1] if m.state.stack else None
    if role is None or role not in m.asked():
        return None
    power = A.power_index[role]
    money = state.money[power]
    if isinstance(step, Technology):
        return _technology(m, step, power, texts)
    if not isinstance(step, Purchases) or money <= 0 or (state.debt and power == A.usa):
        return None
    # A ship's repair is agreed to before anything is bought.
    items = [*_ships(m, step, power, symbols, texts)]
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
        items.append(
            DeskItem({"do": "buy-depot"}, texts.say("verb.buy-depot"), price, _plain(role, "depot"), most=room)
        )
    room = UNITS["redeployment_point"]["limit"] - state.rps[power]
    price = UNITS["redeployment_point"]["cost"]
    if room > 0 and price <= money:
        items.append(
            DeskItem({"do": "buy-point"}, texts.say("verb.buy-point"), price, _plain(role, "marker"), most=room)
        )
    items += _works(m, power, texts)
    return Desk(money, texts.say("desk.money"), items)


def _plain(role: str, icon: str) -> CounterFace:
    return CounterFace(id=f"desk {icon}", side=role, icon=icon)


def _ships(m: M, step: Purchases, power: int, symbols: dict[str, str], texts: Texts) -> Iterator[DeskItem]:
    """Damaged ships: two dice say the price."""
    state = m.state
    for unit in ships_to_repair(m, power) if power not in step.ordered else ():
        kind = state.kind[unit]
        title = texts.say("desk.repair", what=texts.name(f"@{K.names[kind]}"))
        face = CounterFace(
            id=f"desk {unit}", side=A.powers[power], symbol=symbols[K.names[K.base[kind]]], state=("damaged",)
        )
        action = {"do": "repair-ship", "unit": names_of(state, [unit])[0]}
        yield DeskItem(action, title, 0, face, most=1, arrives=texts.say("desk.two-dice"))


def _works(m: M, power: int, texts: Texts) -> Iterator[DeskItem]:
    """Damaged land and fortresses."""
    for space in damaged_land(m.state):
        if repair_refusal(m.state, power, space) is None:
            title = texts.say("desk.repair", what=texts.name(f"@{A.names[space]}"))
            yield DeskItem(
                {"do": "repair", "space": A.names[space]},
                title,
                A.value[space],
                _plain(A.powers[power], "factory"),
                most=1,
            )
    for name in A.limits[power]["fortress_sites"]:
        if fortress_refusal(m, power, A.index[name]) is None:
            title = texts.say("desk.fortress", where=texts.name(f"@{name}"))
            face = CounterFace(id=f"desk fortress {name}", side=A.powers[power], icon="fort", label=title)
            yield DeskItem({"do": "buy-fortress", "space": name}, title, UNITS["fortress"]["cost"], face, most=1)


def _technology(m: M, step: Technology, power: int, texts: Texts) -> Desk:
    """A die for every ten dollars collected, each on another technology."""
    used = sum(owner == power for owner, _ in step.chosen)
    dice = m.state.income[power] // int(TECH["roll_per_dollars"]) - used
    points = m.state.tech[power]
    items = [
        DeskItem(
            {"do": "research", "tech": tech}, texts.name(f"@{tech}"), 1, most=1,
            arrives=texts.say("desk.stands", total=points[A.tech_index[tech]], target=int(TECH["target"])),
        )
        for tech in step.open_techs(m, power)
    ]  # fmt: skip
    return Desk(dice, texts.say("desk.dice"), items, texts.say("table.technology"))
