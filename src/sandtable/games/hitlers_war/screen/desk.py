"""What a side can build, repair, lend and invest in now, as the desk shows it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from sandtable.core import Texts
from sandtable.core.table import CounterFace, Desk, DeskItem

from ..facts.territory import territory
from ..model.atlas import ALLIES, AXIS, SIDES
from ..model.state import War, space_name
from ..model.technology import SIXTH, cell
from ..rules import italian, partisans, research
from ..rules.production import (
    _REPAIR,
    affordable,
    build_places,
    buildable,
    cost,
    lend_room,
    repair_room,
    why_no_repair,
)
from ..rules.research_phase import Research
from ..rules.strategic import arsenal
from ..rules.supply import unsupplied

_ICONS = {
    "u_boat": "submarine",
    "asw": "destroyer",
    "capital_ship": "battleship",
    "carrier": "carrier",
    "air_defense": "fighter",
    "escort": "fighter",
    "bomber": "bomber",
    "missile": "rocket",
    "atomic_bomb": "bomber",
}


def desk(s: War, tag: str, role: str | None, symbols: dict[str, str], texts: Texts) -> Desk | None:
    """Return the desk of the side that spends its budget; where points appear is chosen on the map."""
    if role != SIDES[s.side]:
        return None
    if tag == "production":
        items = [*_builds(s, role, symbols, texts)]
        if not _urgent(s):
            items += [*_works(s, texts), *_weapons(s, role, texts), *_partisans(s, role, texts)]
        return Desk(s.budget, texts.say("desk.points"), items)
    step = s.stack[-1] if s.stack else None
    if isinstance(step, Research) and step.can_invest(s):
        found = [_project(s, item, role, symbols, texts) for item in research.fundable(s, s.side)]
        return Desk(s.budget, texts.say("desk.points"), found, texts.say("desk.research"))
    return None


def _urgent(s: War) -> set[str]:
    """Kinds that the Italian army must be given before anything else."""
    short = italian.shortfall(s) if s.side == AXIS else {}
    return {kind for kind in short if affordable(s, s.side, kind) and build_places(s, s.side, kind)}


def _builds(s: War, role: str, symbols: dict[str, str], texts: Texts) -> Iterator[DeskItem]:
    urgent = _urgent(s)
    for kind in buildable(s, s.side):
        places = len(build_places(s, s.side, kind))
        if places and (not urgent or kind in urgent):
            face = CounterFace(id=f"desk {kind}", side=role, symbol=symbols.get(kind, ""), label=texts.name(f"@{kind}"))
            arrives = texts.say("desk.places", number=places)
            action = {"do": "build", "kind": kind}
            yield DeskItem(action, texts.name(f"@{kind}"), _price(s, kind), face, arrives=arrives)
    if not urgent and s.setting.sea and affordable(s, s.side, "fort"):
        face = CounterFace(id="desk fort", side=role, icon="fort", label=texts.name("@fort"))
        yield DeskItem(
            {"do": "fortify"}, texts.say("verb.fortify"), _price(s, "fort"), face, arrives=texts.say("desk.fort")
        )


def _works(s: War, texts: Texts) -> Iterator[DeskItem]:
    """Repairs and lend-lease."""
    if s.budget >= _REPAIR:
        cut_off = unsupplied(s, s.side)
        for space in sorted(s.devastated):
            if s.owner[space] == s.side and why_no_repair(s, s.side, cut_off, space) is None:
                at, most = space_name(space), repair_room(s, s.side, space)
                title = texts.say("desk.repair", at=texts.name(at))
                yield DeskItem({"do": "repair", "at": at}, title, _REPAIR, number="number", most=most)
    if s.side == ALLIES and s.setting.lend_lease and min(lend_room(s), s.budget) > 0:
        yield DeskItem({"do": "lend"}, texts.say("verb.lend"), 1, number="number", most=lend_room(s))


def _weapons(s: War, role: str, texts: Texts) -> Iterator[DeskItem]:
    """What goes into boxes."""
    if not s.setting.technology:
        return
    if arsenal.sells_shipping(s, s.side):
        yield DeskItem({"do": "ship"}, texts.say("verb.ship"), arsenal.SHIPPING_COST, number="number")
    for item in arsenal.producible(s, s.side):
        face = _weapon(item, role, texts)
        yield DeskItem({"do": "produce", "item": item}, face.label, _price(s, item), face, number="number")
    if arsenal.affordable(s, s.side, "missile") and (bases := arsenal.missile_bases(s, s.side)):
        face = _weapon("missile", role, texts)
        arrives = texts.say("desk.places", number=len(bases))
        yield DeskItem({"do": "build-missile"}, face.label, _price(s, "missile"), face, arrives=arrives)
    if arsenal.affordable(s, s.side, "atomic_bomb"):
        face = _weapon("atomic_bomb", role, texts)
        for carrier in arsenal.bomb_carriers(s, s.side):
            title = texts.say("desk.bomb", carrier=texts.name(f"@{carrier}" if carrier == arsenal.BOMBERS else carrier))
            action = {"do": "arm", "carrier": carrier}
            yield DeskItem(action, title, _price(s, "atomic_bomb"), face, number="number")


def _partisans(s: War, role: str, texts: Texts) -> Iterator[DeskItem]:
    """A partisan attack: the hex is chosen on the map, the die falls at once."""
    if s.side == AXIS or not s.setting.technology or s.budget < partisans.COST:
        return
    places = sum(partisans.why_no_partisans(s, space) is None for space in territory(s, AXIS).spaces)
    if places:
        face = CounterFace(id="desk partisans", side=role, icon="partisan", label=texts.say("verb.partisans"))
        arrives = texts.say("desk.partisans", number=places)
        yield DeskItem({"do": "partisans"}, face.label, partisans.COST, face, arrives=arrives)


def _weapon(item: str, role: str, texts: Texts) -> CounterFace:
    return CounterFace(id=f"desk {item}", side=role, icon=_ICONS[item], label=texts.name(f"@{item}"))


def _project(s: War, item: str, role: str, symbols: dict[str, str], texts: Texts) -> DeskItem:
    """An item of research: where it stands, what it costs now and would cost."""
    key = cell(s.side, item)
    now, then = research.price(s, s.side, item), research.next_price(s, s.side, item)
    told = texts.say("desk.step", step=s.track[key], last=research.LAST_STEP)
    told += "; " + (texts.say("desk.now", price=str(Fraction(now, SIXTH))) if now else texts.say("desk.closed"))
    if then:
        told += ", " + texts.say("desk.then", price=str(Fraction(then, SIXTH)))
    title = texts.name(f"@{item}")
    face = CounterFace(
        id=f"desk {item}", side=role, symbol=symbols.get(item, ""), icon=_ICONS.get(item, ""), label=title
    )
    most = research.most_points(s, s.side, item)
    return DeskItem({"do": "invest", "item": item}, title, 1, face, number="number", most=most, arrives=told)


def _price(s: War, item: str) -> int | float:
    """What one costs: in Campaign Game II prices have fractions."""
    if not s.setting.technology:
        return cost(s, s.side, item, 1)
    each = Fraction(research.price(s, s.side, item), SIXTH)
    return each.numerator if each.denominator == 1 else float(each)
