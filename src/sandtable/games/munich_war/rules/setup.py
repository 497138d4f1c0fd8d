"""Initial deployment (3.4), options 23.1 and 23.6: where a unit may be set up, and the default."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core import Refusal

from ..facts.setup import has_extra_armor, reduced_in
from ..model.atlas import ATLAS, hex_name
from ..model.events import Prepared
from ..model.setup import BEFORE_SETUP, DEFAULT_SETUP, LISTED_PLACES, OPEN_TO, SLOTS
from ..model.state import AVAILABLE, ELIMINATED, M, lay_all
from .stacking import would_overstack

_STEPS = tuple(unit.steps for unit in ATLAS.units)


def lay_ready(m: M, country: int) -> None:
    """[mw-3.4.3] [mw-3.4.2-f] Counters that leave nothing to choose go where they belong; the others wait."""
    places = BEFORE_SETUP[country, has_extra_armor(m.state)]
    steps = bytearray(m.state.steps)
    for unit in places:
        steps[unit] = _STEPS[unit]
    m.state.steps = bytes(steps)
    lay_all(m.state, places)


def set_default(m: M, country: int) -> None:
    """The whole country as the scenario's default has it; dice of option 23.6 and counters of 23.1 included."""
    state, armor = m.state, has_extra_armor(m.state)
    lay_ready(m, country)
    setup, removed = DEFAULT_SETUP[state.plan, armor]
    places: dict[int, int] = {}
    steps = bytearray(state.steps)
    for slot in SLOTS[country, armor]:
        weak = reduced_in(state, slot)
        for unit in slot.pool:
            if unit in removed:
                places[unit] = ELIMINATED
            elif not slot.land:
                if ATLAS.units[unit].start == "available":
                    places[unit] = AVAILABLE
            elif unit in setup and setup[unit][0] >= 0:
                places[unit] = setup[unit][0]
                if setup[unit][1] and weak:
                    steps[unit], weak = _STEPS[unit] - 1, weak - 1
    state.steps = bytes(steps)
    lay_all(state, places)


def prepare_soviets(m: M) -> None:
    """[mw-23.6] One die for each reduced Soviet unit before it is set up."""
    words = ATLAS.rules["option_23_6"]
    country = ATLAS.country_number[words["country"]]
    if country not in ATLAS.plans[m.state.plan].deployer:
        return
    ready = 0
    for slot in SLOTS[country, has_extra_armor(m.state)]:
        for _ in range(slot.reduced):
            if m.roll(why="mw-23.6") in words["full"]:
                m.state.reduced = {**m.state.reduced, slot.key: reduced_in(m.state, slot) - 1}
                ready += 1
    m.emit(Prepared(full=ready))


def why_not_here(m: M, unit: int, at: int) -> Refusal | None:
    """[mw-3.4.2-c] [mw-3.4.2-e] [mw-3.4.2-g] [mw-2.1-errata-a] [mw-5.6-danzig] [mw-9.0-f-exception] Why a unit may not
    be set up in a hex. Enemy zones do not matter.  [mw-3.4.2-h]"""
    if OPEN_TO[unit] >> at & 1:
        return would_overstack(m, unit, at)
    face, name = ATLAS.units[unit], hex_name(at)
    if ATLAS.no_setup >> at & 1:
        return Refusal("mw-5.6-danzig", "danzig")
    if ATLAS.country_of[at] != face.country:
        return Refusal("mw-3.4.2-c", "not-home", hex=name, country=f"@{ATLAS.countries[face.country].name}")
    if face.fort and not ATLAS.fort_symbols >> at & 1:
        return Refusal("mw-3.4.2-e", "no-fort-symbol", hex=name)
    if ATLAS.mountains >> at & 1 and (face.static or not face.alpine):
        return Refusal("mw-9.0-f-exception" if face.static else "mw-19.0-mountain", "mountain", hex=name)
    for row in LISTED_PLACES[unit]:
        refusal = _why_not_as_listed(m, unit, at, row)
        if refusal is not None:
            return refusal
    return would_overstack(m, unit, at)


def _why_not_as_listed(m: M, unit: int, at: int, row: Mapping[str, object]) -> Refusal | None:
    """[mw-table-deploy-germany] [mw-table-deploy-britain] The places that the deployment table names."""
    name, rule = hex_name(at), "mw-3.4.2-c"
    face = ATLAS.units[unit]
    if "next_to" in row:
        there = ATLAS.countries[ATLAS.country_number[str(row["next_to"])]].hexes
        if not ATLAS.neighbours(at) & there:
            return Refusal(rule, "not-at-border", hex=name, country=f"@{row['next_to']}")
    if row.get("in_city") and not ATLAS.cities >> at & 1:
        return Refusal(rule, "no-city", hex=name)
    if "one_at" in row:
        must = ATLAS.hex_number[str(row["one_at"])]
        others = [other for other in ATLAS.countries[face.country].units
                  if ATLAS.units[other].type == face.type and other != unit]  # fmt: skip
        number = sum(1 for other in (*others, unit) if ATLAS.units[other].start == "map")
        standing = [m.state.where[other] for other in others if m.state.where[other] >= 0]
        if must not in standing and at != must and len(standing) + 1 >= number:
            return Refusal(rule, "one-must-be-at", hex=str(row["one_at"]))
    return None
