"""Belligerency and neutrals (chapter 5), and option 23.5."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.board import facts
from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.events import Joined
from ..model.state import M, MunichState, give, unpack


def join(m: M, country: int, side: int, why: str) -> None:
    """[mw-5.0-c] [mw-2.2-a] [mw-2.2-b] A neutral becomes belligerent: its hexes and units are that player's at once."""
    state = m.state
    state.side = put(state.side, country, side)
    state.clock += 1
    hexes = ATLAS.countries[country].hexes
    give(state, side, hexes & ~unpack(state.owned[1 - side]))
    m.emit(Joined(country=f"@{ATLAS.countries[country].name}", side=f"@{SIDES[side]}", why=f"@why-{why}"))


def may_invade(m: M, country: int, neutral: int) -> bool:
    """[mw-5.5-germany] [mw-5.5-soviet] [mw-5.5-others] [mw-5.1-a-exception] [mw-5.6-switzerland]"""
    return neutral in ATLAS.countries[country].invades and m.state.side[neutral] == NOBODY


def invadable(m: M, country: int) -> int:
    """The hexes of all neutrals a country may invade now."""
    if not ATLAS.countries[country].invades:
        return 0
    lasting = facts(m).lasting
    found: int | None = lasting.get(("invadable", country))
    if found is None:
        found = 0
        for neutral in ATLAS.countries[country].invades:
            if m.state.side[neutral] == NOBODY:
                found |= ATLAS.countries[neutral].hexes
        lasting["invadable", country] = found
    return found


def invade_if_neutral(m: M, invader: int, at: int) -> None:
    """[mw-5.4-a] [mw-5.4-b] Entering, attacking or flying over a neutral's hex: the other player gets that country."""
    country = ATLAS.country_of[at]
    if country != NOBODY and m.state.side[country] == NOBODY:
        join(m, country, 1 - m.state.side[invader], "invaded")


def why_closed(m: M, country: int, at: int) -> Refusal | None:
    """[mw-2.4-a] [mw-2.4-b] [mw-5.1-a] Why a country's units may not enter a hex for reasons of neutrality."""
    there = ATLAS.country_of[at]
    if m.state.side[there] == NOBODY and not may_invade(m, country, there):
        name = ATLAS.countries[there].name
        if not any(there in other.invades for other in ATLAS.countries):
            return Refusal("mw-5.6-switzerland" if name == "Switzerland" else "mw-3.4-c", "closed", country=f"@{name}")
        if ATLAS.countries[country].invades:
            rule = "mw-5.5-germany" if ATLAS.countries[country].name == "Germany" else "mw-5.5-soviet"
        else:
            rule = "mw-5.5-others"
        return Refusal(rule, "may-not-invade", country=f"@{name}", power=f"@{ATLAS.countries[country].name}")
    return why_barred_by_poland(m, country, at)


def why_barred_by_poland(m: M, country: int, at: int) -> Refusal | None:
    """[mw-23.5-a] [mw-23.5-b] [mw-23.5-c] [mw-23.5-d] Poland and its German or Soviet friends keep out of each other's
    land; enemies do not care."""
    if m.option("poland-and-politics") and barred_hexes(m, country) >> at & 1:
        owner = ATLAS.countries[ATLAS.country_of[at]].name
        rule = "mw-23.5-b" if ATLAS.countries[country].name == "Poland" else "mw-23.5-a"
        if ATLAS.no_setup >> at & 1:
            rule = "mw-23.5-d"
        return Refusal(rule, "poland-barred", country=f"@{owner}", power=f"@{ATLAS.countries[country].name}")
    return None


def barred_hexes(m: M, country: int) -> int:
    """Hexes that option 23.5 closes to a country's land units."""
    return hexes_barred(m.state, country)


def hexes_barred(state: MunichState, country: int) -> int:
    if not state.options.get("poland-and-politics"):
        return 0
    words = ATLAS.rules["option_23_5"]
    side = state.side
    poland = ATLAS.country_number[words["poland"]]
    others = [ATLAS.country_number[name] for name in words["others"]]
    if country == poland:
        friends = [other for other in others if side[other] == side[poland] != NOBODY]
        return sum(ATLAS.countries[friend].hexes for friend in friends)
    if country in others and side[country] == side[poland] != NOBODY:
        return ATLAS.countries[poland].hexes
    return 0


def enterable(m: M, country: int) -> int:
    """Land hexes that a country's units may enter by politics alone, invasions left aside.  [mw-5.0-a]"""
    found = facts(m).open
    return found & ~barred_hexes(m, country) if m.option("poland-and-politics") else found
