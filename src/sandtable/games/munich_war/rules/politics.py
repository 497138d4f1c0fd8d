"""Belligerency and neutrals (chapter 5), and option 23.5."""

from __future__ import annotations

from sandtable.core import Refusal
from sandtable.core.columns import put

from ..facts.politics import barred_hexes, may_invade
from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.events import Joined
from ..model.state import M, give, unpack


def join(m: M, country: int, side: int, why: str) -> None:
    """[mw-5.0-c] [mw-2.2-a] [mw-2.2-b] A neutral becomes belligerent: its hexes and units are that player's at once."""
    state = m.state
    state.side = put(state.side, country, side)
    state.clock += 1
    hexes = ATLAS.countries[country].hexes
    give(state, side, hexes & ~unpack(state.owned[1 - side]))
    m.emit(Joined(country=f"@{ATLAS.countries[country].name}", side=f"@{SIDES[side]}", why=f"@why-{why}"))


def invade_if_neutral(m: M, invader: int, at: int) -> None:
    """[mw-5.4-a] [mw-5.4-b] Entering, attacking or flying over a neutral's hex: the other player gets that country."""
    country = ATLAS.country_of[at]
    if country != NOBODY and m.state.side[country] == NOBODY:
        join(m, country, 1 - m.state.side[invader], "invaded")


def why_closed(m: M, country: int, at: int) -> Refusal | None:
    """[mw-2.4-a] [mw-2.4-b] [mw-5.1-a] Why a country's units may not enter a hex for reasons of neutrality."""
    there = ATLAS.country_of[at]
    if m.state.side[there] == NOBODY and not may_invade(m.state, country, there):
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
    if m.option("poland-and-politics") and barred_hexes(m.state, country) >> at & 1:
        owner = ATLAS.countries[ATLAS.country_of[at]].name
        rule = "mw-23.5-b" if ATLAS.countries[country].name == "Poland" else "mw-23.5-a"
        if ATLAS.no_setup >> at & 1:
            rule = "mw-23.5-d"
        return Refusal(rule, "poland-barred", country=f"@{owner}", power=f"@{ATLAS.countries[country].name}")
    return None
