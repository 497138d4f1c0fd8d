"""The set-ups: who holds what, which armies stand where, what is damaged."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from sandtable.core.columns import having, put

from .atlas import ATLAS, AXIS, CHART_SIDES, CLOSED, KINDS, NOBODY, SIDES, WATER, side_number
from .fleets import COUNTERS_OF, HULLS, NATION_OF, NATIONS, NOWHERE, PORT, RAID_BOX, SEA
from .places import GROWN_SIBERIA, SIBERIA, SIBERIAN_GROWTH
from .scenarios import SETTINGS
from .state import ITALY_AXIS, ITALY_BEATEN, War, book, has_carriers, has_fleets_on_map, set_points
from .technology import SIXTH, cell, starting

_RULES = ATLAS.rules
_ITALY = {"axis": ITALY_AXIS, "beaten": ITALY_BEATEN}


_CLOSED = bytes([WATER if sea else CLOSED for sea in ATLAS.is_sea])
"""Per space: who holds it where nobody plays but the sides."""
_UNALIGNED = bytes([
    WATER if sea else CLOSED if ATLAS.countries[ATLAS.country_of[space]].colour == "gray" else NOBODY
    for space, sea in enumerate(ATLAS.is_sea)
])  # fmt: skip
"""The same where other countries may join; gray ones never do."""
_PRICES, _LEVELS = zip(*(starting(name) for name in CHART_SIDES), strict=True)


def begin(scenario: str, options: Mapping[str, Any]) -> War:
    """Return the state of a scenario before its first decision."""
    data = ATLAS.scenarios[scenario]
    s = War(
        scenario=scenario,
        options=dict(options),
        turn=SETTINGS[scenario].first_turn,
        owner=bytes(_owners(SETTINGS[scenario].politics, data)),
        unaligned=bytes(len(ATLAS.countries)),
        surrendered=bytes(len(ATLAS.countries)),
        home_called=bytes(len(ATLAS.countries)),
    )
    for side_name, forts in data["forts"].items():
        for hex_name, strength in forts:
            assert s.owner[ATLAS.index[hex_name]] == side_number(side_name)
            s.fort = having(s.fort, ATLAS.index[hex_name], int(strength))
    _devastation(s, data)
    if s.turn > SIBERIAN_GROWTH:
        s.grown = {SIBERIA: GROWN_SIBERIA}
    if s.setting.politics:
        s.unaligned = bytes([NOBODY in [s.owner[x] for x in country.spaces] for country in ATLAS.countries])
    else:
        s.italy = _ITALY[s.setting.italy]
        s.at_war = True
    if s.setting.technology:
        _second_campaign(s, data)
    for armies in data["armies"].values():
        if not is_free(armies):
            for army in armies:
                _put(s, army)
    if options.get("italian_army"):
        afrika = _RULES["italy"]["afrika"]
        _put(s, {"name": afrika["army"], "hex": afrika["hex"], "infantry": afrika["infantry"], "unaligned": True})
    return s


def is_free(armies: Any) -> bool:
    """Whether a scenario lists strength that a side places as it likes, instead of armies."""
    return isinstance(armies, dict)


def _owners(campaign: bool, data: Mapping[str, Any]) -> bytearray:
    """Who holds each space at the start.  [hw-control-1] [hw-map-colors] [hw-unaligned-1] [hw-unaligned-2]"""
    owner = bytearray(_UNALIGNED if campaign else _CLOSED)
    for side_name, area in data["friendly"].items():
        side = side_number(side_name)
        spaces = [x for name in area["countries"] for x in ATLAS.countries[ATLAS.country_index[name]].spaces]
        spaces += [ATLAS.index[name] for name in (*area["hexes"], *area.get("boxes", ()))]
        closed = {ATLAS.index[name] for name in area.get("except", ())}
        for space in spaces:
            if space not in closed:
                owner[space] = side
    return owner


def _devastation(s: War, data: Mapping[str, Any]) -> None:
    """[hw-record-5] [hw-bar-devastation] [hw-fall-devastation]"""
    damage = data["devastation"]
    lasting = set(damage.get("unrepairable", ()))
    for name, number in damage.get("hexes", {}).items():
        if name in lasting:
            s.ruined = having(s.ruined, ATLAS.index[name], int(number))
        else:
            s.devastated = having(s.devastated, ATLAS.index[name], int(number))


def _put(s: War, army: Mapping[str, Any]) -> None:
    """[hw-record-4]"""
    number = ATLAS.army_index[army["name"]]
    s.army_at = put(s.army_at, number, ATLAS.index[army["hex"]])
    set_points(s, number, [int(army.get(name, 0)) for name in KINDS])
    book(s, number, sum(int(army.get(name, 0)) for name in KINDS))
    s.idle = put(s.idle, number, int(bool(army.get("unaligned"))))


def _second_campaign(s: War, data: Mapping[str, Any]) -> None:
    """[hw-c2-setup-axis] [hw-morale-2] [hw-cost-4]"""
    s.price, s.level = bytes(chain.from_iterable(_PRICES)), tuple(chain.from_iterable(_LEVELS))
    s.track = bytes(len(s.level))
    s.box = (0,) * len(s.level)
    s.at_sea = (0,) * (len(SIDES) + 1)
    start = int(_RULES["morale"]["start"])
    s.morale = (start, start)
    on_map = has_fleets_on_map(s)
    if on_map:
        _fleets(s)
    for side, name in enumerate(CHART_SIDES):
        for item, number in data["fleets"].get(name, {}).items():
            if not on_map or (side == AXIS and item != "capital_ship"):
                s.box = put(s.box, cell(side, item), int(number))
    if s.options.get("ship_builds"):
        _hulls(s)


def _fleets(s: War) -> None:
    """The ships of the optional set-up, all in port but one raider; carriers only with their own rule.

    [hw-nav-6] [hw-carrier-7]
    """
    count = len(NATION_OF)
    s.fleet_at, s.fleet_state = (NOWHERE,) * count, (PORT,) * count
    s.ships, s.carriers, s.fleet_moved = (0,) * count, (0,) * count, (0,) * (2 * count)
    for nation, name in enumerate(NATIONS):
        for fleet, row in zip(COUNTERS_OF[nation], _RULES["fleets"]["start"][name], strict=False):
            at, state = (RAID_BOX, SEA) if row.get("raid") else (ATLAS.index[row["port"]], PORT)
            s.fleet_at, s.fleet_state = put(s.fleet_at, fleet, at), put(s.fleet_state, fleet, state)
            s.ships = put(s.ships, fleet, int(row["ships"]))
            s.carriers = put(s.carriers, fleet, int(row.get("carriers", 0)) if has_carriers(s) else 0)


def _hulls(s: War) -> None:
    """Ships under construction when the game begins.  [hw-ship-4]"""
    for side, name in enumerate(CHART_SIDES):
        for number, left in enumerate(ATLAS.tables["fleets"]["partial_ships"].get(name, ())):
            s.yard = having(s.yard, side * HULLS + number, int(left) * SIXTH * 2)
