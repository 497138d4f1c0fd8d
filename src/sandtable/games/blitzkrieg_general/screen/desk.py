"""What a country can build and repair, which card and which research number it can buy, as the desk shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sandtable.core import Texts
from sandtable.core.table import CounterFace, Desk, DeskItem

from ..facts.units import on_map
from ..model.atlas import ATLAS, MAJORS, unit_id
from ..model.state import BKState
from ..rules.cards.card_phase import CardPhase, why_not_buy
from ..rules.production import buildable, free_counters, why_not_repair
from ..rules.production_phase import Production
from ..rules.research import why_not_buy_number
from ..rules.research_phase import Research

Picture = Callable[[BKState, int, Texts], CounterFace]


def desk(state: BKState, role: str | None, picture: Picture, texts: Texts) -> Desk | None:
    """Return the desk of a country that has points to spend in this step."""
    step = state.stack[-1] if state.stack else None
    if role is None or step is None:
        return None
    major = MAJORS.index(role)
    points, title = state.points[major], ""
    items: list[DeskItem] = []
    if isinstance(step, Production) and points > 0 and role not in step.done:
        items = [*_builds(state, major, picture, texts), *_repairs(state, major, picture, texts)]
        if state.options.get("rail-increase") and points >= ATLAS.rail_upgrade.cost:
            arrives = texts.say("desk.quarters", number=ATLAS.rail_upgrade.build_quarters)
            items.append(
                DeskItem({"do": "build-rail"}, texts.say("verb.build-rail"), ATLAS.rail_upgrade.cost, arrives=arrives)
            )
    elif isinstance(step, Research) and not step.rolling and role not in step.done:
        items, title = [*_numbers(state, major, texts)], texts.say("step.research")
    elif isinstance(step, CardPhase):
        items, title = [*_cards(state, major, texts)], texts.say("step.cards")
    return Desk(points, texts.say("desk.points"), items, title) if items else None


def _builds(state: BKState, major: int, picture: Picture, texts: Texts) -> Iterator[DeskItem]:
    for kind in buildable(state, major):
        free = free_counters(state, kind)
        arrives = texts.say("desk.quarters", number=kind.build_quarters)
        action = {"do": "build", "kind": kind.id}
        face = picture(state, free[0], texts)
        yield DeskItem(action, texts.name(f"@{kind.id}"), kind.cost, face, most=len(free), arrives=arrives)


def _repairs(state: BKState, major: int, picture: Picture, texts: Texts) -> Iterator[DeskItem]:
    for unit in on_map(state, major):
        if state.flipped[unit] and why_not_repair(state, major, unit) is None:
            face, price = picture(state, unit, texts), ATLAS.kind_of_unit[unit].repair_cost
            title = texts.say("desk.repair", what=face.label)
            yield DeskItem({"do": "repair", "unit": unit_id(unit)}, title, price, face, most=1)


def _numbers(state: BKState, major: int, texts: Texts) -> Iterator[DeskItem]:
    """The next research number: how high a die may then be."""
    if why_not_buy_number(state, major) is None:
        number = state.numbers[major] + 1
        title, arrives = texts.say("desk.number", number=number), texts.say("desk.roll", number=number)
        yield DeskItem({"do": "buy-number"}, title, ATLAS.research["price_per_number"], most=1, arrives=arrives)


def _cards(state: BKState, major: int, texts: Texts) -> Iterator[DeskItem]:
    """The card that was drawn, and one that a friend offers."""
    for card in (state.drawn[major], state.offered[major]):
        if card >= 0 and why_not_buy(state, major, card) is None:
            ident = ATLAS.card_ids[card]
            title, text = texts.name(f"@{ident}"), texts.say(f"card.{ident}")
            face = CounterFace(id=f"desk {ident}", side=MAJORS[major], icon="card")
            yield DeskItem({"do": "buy", "card": ident}, title, ATLAS.card_cost[card], face, most=1, text=text)
