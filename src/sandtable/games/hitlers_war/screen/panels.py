"""Record cards, research sheets, the time record: everything of the Table that is not on the map."""

from __future__ import annotations

from fractions import Fraction

from sandtable.core import Texts
from sandtable.core.table import Box, CounterFace, Panel, Row, Track, TrackMark

from ..model.atlas import ALLIES, ATLAS, AXIS, KINDS, MISSILES, SIDES, SOVIET
from ..model.fleets import FLEETS_OF, NAMES, SEA, SIDE_OF
from ..model.state import U_BOATS, War, armies_of, army_name, space_name
from ..model.technology import ITEM, ITEMS, SIXTH, cell
from ..rules import research
from ..rules.budget import production
from ..rules.morale import BRITAIN, COUNTRIES, GERMANY
from ..rules.naval import shipyard
from ..rules.strategic import missiles
from ..rules.strategic.atlantic import boats_in_port, in_port

_ITEMS = len(ITEMS)
_NOTABLE = ("italy", "france", "great_britain", "soviet_union", "united_states", "poland", "finland", "rumania",
            "hungary", "bulgaria")  # fmt: skip


def tracks(s: War, texts: Texts) -> list[Track]:
    """The time record of the scenario."""
    first, last = s.setting.first_turn, s.setting.last_turn
    cells = [texts.say(f"turn.{ATLAS.turns[number]}") for number in range(first, last + 1)]
    now = TrackMark(s.turn - first, texts.say(f"turn.{ATLAS.turns[s.turn]}"), SIDES[s.side])
    found = [Track("turns", texts.say("table.turns"), cells, [now])]
    if s.setting.technology:
        scale = [str(number) for number in range(int(ATLAS.rules["morale"]["most"]) + 1)]
        marks = [
            TrackMark(max(0, s.morale[country]), texts.name(f"@{COUNTRIES[country]}"), side)
            for country, side in ((GERMANY, SIDES[AXIS]), (BRITAIN, SIDES[ALLIES]))
        ]
        found.append(Track("morale", texts.say("table.morale"), scale, marks))
    return found


def boxes(s: War, texts: Texts) -> list[Box]:
    """The off-map boxes and, in Campaign Game II, the places of the fleets."""
    names = [space for space in ATLAS.land if ATLAS.is_box[space]]
    found = [Box(space_name(x), ATLAS.title[x], "map") for x in names]
    if s.setting.technology:
        found.extend(
            Box(name, texts.say(f"table.{title}"), "map") for name, title in (("in_port", "ships"), ("raid", "ships"))
        )
    return found


def other_counters(s: War, texts: Texts) -> list[tuple[str, CounterFace]]:
    """Fleets, U-boats and missiles, each with its place."""
    found: list[tuple[str, CounterFace]] = []
    if not s.setting.technology:
        return found
    found.extend(fleet_counters(s, texts))
    for side, name in enumerate(SIDES):
        for place, ships in (("in_port", in_port(s, side)), ("raid", s.at_sea[side])):
            if ships:
                label = texts.name("@capital_ship")
                found.append((place, _boxed(f"{name} ships {place}", name, "battleship", label, ships)))
    for place, boats in (("in_port", boats_in_port(s)), ("raid", s.at_sea[U_BOATS])):
        if boats:
            label = texts.name("@u_boat")
            found.append((place, _boxed(f"u-boats {place}", SIDES[AXIS], "submarine", label, boats)))
    for counter, at in enumerate(s.missile_at):
        if at >= 0:
            name = missiles.counter_name(counter)
            side_name = SIDES[counter // MISSILES]
            found.append((space_name(at), _boxed(name, side_name, "marker", texts.name(name), s.missiles[counter])))
    return found


def fleet_counters(s: War, texts: Texts) -> list[tuple[str, CounterFace]]:
    """Fleets on the map, each plainly in port, at sea or raiding.  [hw-fleetmove-7]"""
    found = []
    for fleet, at in enumerate(s.fleet_at):
        if at == -1:
            continue
        where = "raid" if at < 0 else "at_sea" if s.fleet_state[fleet] == SEA else "in_port"
        ships, carriers = s.ships[fleet], s.carriers[fleet]
        parts = [f"{ships} {texts.name('@capital_ship')}"] if ships else []
        parts += [f"{carriers} {texts.name('@carrier')}"] if carriers else []
        face = CounterFace(
            id=NAMES[fleet],
            side=SIDES[SIDE_OF[fleet]],
            icon="carrier" if carriers > ships else "battleship",
            label=texts.name(NAMES[fleet]),
            numbers=f"{ships}" + (f"+{carriers}" if carriers else ""),
            state=[where.replace("_", "-")],
            tooltip=f"{texts.name(NAMES[fleet])}: {', '.join(parts)} ({texts.say(f'table.{where}')})",
        )
        found.append(("raid" if at < 0 else space_name(at), face))
    return found


def _boxed(name: str, side: str, icon: str, label: str, number: int) -> CounterFace:
    return CounterFace(id=name, side=side, icon=icon, label=label, numbers=str(number), tooltip=f"{label}: {number}")


def panels(s: War, texts: Texts) -> list[Panel]:
    """One record card for each side; research and politics where they are played."""
    playing = s.setting.order
    found = [record(s, side, texts) for side in playing]
    if s.setting.technology:
        found.extend(science(s, side, texts) for side in playing)
    if s.setting.politics:
        found.append(politics(s, texts))
    return found


def record(s: War, side: int, texts: Texts) -> Panel:
    """The record card: armies and their five boxes, production, forts, weapons.  [hw-record-2] [hw-record-3]"""
    rows = [
        Row(
            [
                texts.name(army_name(army)),
                texts.name(space_name(s.army_at[army])),
                *(str(number) if number else "" for number in s.strength[army * 5 : army * 5 + 5]),
            ],
            refs=[army_name(army), space_name(s.army_at[army])],
        )
        for army in armies_of(side)
        if s.army_at[army] >= 0
    ]
    rows.append(Row([texts.say("table.production"), str(production(s, side))], head=True))
    if s.side == side and s.budget:
        rows.append(Row([texts.say("table.budget"), str(s.budget)]))
    if side == SOVIET and s.lent:
        rows.append(Row([texts.say("table.gift"), str(s.lent)]))
    forts = sorted({x for x in (*s.fort, *s.building) if s.owner[x] == side})
    if forts:
        names = [space_name(x) for x in forts]
        words = [
            f"{texts.name(space_name(x))} {s.fort.get(x, 0)}" + (f"+{n}" if (n := s.building.get(x)) else "")
            for x in forts
        ]
        rows.append(Row([texts.say("table.forts"), ", ".join(words)], refs=names))
    if s.setting.technology:
        rows.extend(_weapons(s, side, texts))
    columns = [texts.say(f"table.{key}") for key in ("army", "place", *KINDS)]
    title = texts.say("table.record", side=f"@{SIDES[side]}")
    return Panel(f"record-{SIDES[side]}", title, "sheet", columns, rows, side=SIDES[side])


def _weapons(s: War, side: int, texts: Texts) -> list[Row]:
    box = s.box[side * _ITEMS : side * _ITEMS + _ITEMS]
    rows = [Row([texts.say("table.ships"), f"{in_port(s, side)} / {s.at_sea[side]}"])] if not s.fleet_at else []
    for fleet in FLEETS_OF[side] if s.fleet_at else ():
        if s.fleet_at[fleet] != -1:
            place = texts.say("table.raid")
            if s.fleet_at[fleet] >= 0:
                place = texts.name(space_name(s.fleet_at[fleet]))
            numbers = f"{s.ships[fleet]} / {s.carriers[fleet]}"
            rows.append(Row([texts.name(NAMES[fleet]), place, numbers], refs=[NAMES[fleet]]))
    for name, key in shipyard.hulls(s, side).items():
        rows.append(Row([f"{texts.say('table.yard')} {name}", str(Fraction(shipyard.unpaid(s, key), SIXTH))]))
    if side == AXIS:
        rows.append(Row([texts.say("table.boats"), f"{boats_in_port(s)} / {s.at_sea[U_BOATS]}"]))
    items = ("asw", "air_defense", "bomber", "escort") if side == ALLIES else ("air_defense", "bomber", "escort")
    rows.extend(Row([texts.say(f"table.{item}"), str(box[ITEM[item]])]) for item in items)
    stock = sum(s.missiles[c] for c in missiles.counters_of(side))
    rows.append(Row([texts.say("table.missiles"), str(stock)]))
    return rows


def science(s: War, side: int, texts: Texts) -> Panel:
    """The research sheet: prices and markers."""
    rows = []
    for item in ITEMS:
        key = cell(side, item)
        if s.level[key] < 0:
            continue
        price = research.price(s, side, item)
        words = str(Fraction(price, SIXTH)) if price else texts.say("table.prohibited")
        rows.append(Row([texts.name(f"@{item}"), words, str(s.track[key])]))
    columns = [texts.say(f"table.{key}") for key in ("item", "price", "step")]
    title = texts.say("table.research", side=f"@{SIDES[side]}")
    return Panel(f"research-{SIDES[side]}", title, "sheet", columns, rows, side=SIDES[side])


def politics(s: War, texts: Texts) -> Panel:
    """Which sides hold the notable countries."""
    rows = []
    for name in _NOTABLE:
        country = ATLAS.countries[ATLAS.country_index[name]]
        holders = {s.owner[x] for x in country.spaces if s.owner[x] < len(SIDES)}
        words = ", ".join(texts.name(f"@{SIDES[h]}") for h in sorted(holders)) or texts.name("@nobody")
        if s.surrendered[country.index]:
            words += " †"
        rows.append(Row([texts.name(f"@{name}"), words]))
    return Panel("politics", texts.say("table.politics"), "sheet", [texts.say("table.place"), ""], rows)
