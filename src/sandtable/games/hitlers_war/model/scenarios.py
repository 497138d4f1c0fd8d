"""The scenarios as the rules see them: which chapters apply, what is chosen at set-up, how the match is won.

A scenario is an entry under `scenarios` in data/atlas.json: its set-up, and under `play` what is read here. The rules
ask for these properties and never for a scenario by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from .atlas import ATLAS, side_number


class Ruins(msgspec.Struct, frozen=True):
    """Production points of a country that are lost for good; a side chooses them at set-up."""

    country: int
    points: int
    side: int
    default: tuple[int, ...]


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a scenario is played with."""

    victory: Literal["capitals", "berlin", "production"]
    """Who wins: whoever holds the Soviet capitals; whoever takes Berlin, or holds it to the end; the share of
    production held at the end."""
    order: tuple[int, ...]
    """The sides that play, in the order of their turns."""
    first_turn: int
    last_turn: int
    last_turn_two_players: int
    unit_types: tuple[str, ...]
    """What can be built."""
    sea: bool = True
    """Sea movement, invasions and forts."""
    politics: bool = False
    """Unaligned countries, entry into the war, surrender, mobilization: the chapters of Campaign Game I."""
    technology: bool = False
    """Research, strategic warfare, morale, fleets: the chapters of Campaign Game II."""
    lend_lease: bool = False
    italy: Literal["unaligned", "axis", "beaten"] = "unaligned"
    late_winters: bool = False
    """The Axis has seen its first Russian winters."""
    siberian_industry: int = 0
    """Season from which Siberia produces where there is no mobilization."""
    axis_reduction: int = 0
    """Points that the Axis spends elsewhere each turn."""
    ruins: Ruins | None = None
    rule_of: Mapping[str, str] = {}
    """Rule ids of the scenario's own: of hexes `closed` to all, of armies that stay in `siberia`."""


def _ruins(damage: Mapping[str, Any]) -> Ruins | None:
    for country, entry in damage.items():
        if isinstance(entry, dict) and "chosen_by" in entry:
            chooser, default = side_number(entry["chosen_by"]), ATLAS.spaces(entry["default"])
            return Ruins(ATLAS.country_index[country], int(entry["points"]), chooser, default)
    return None


def read(data: Mapping[str, Any]) -> Setting:
    """Return the setting of a scenario's data."""
    play = dict(data["play"])
    if "siberian_industry" in play:
        play["siberian_industry"] = ATLAS.turn_number[play["siberian_industry"]]
    turns = [data["first_turn"], data["last_turn"], data.get("last_turn_two_players", data["last_turn"])]
    first, last, last_of_two = (ATLAS.turn_number[turn] for turn in turns)
    fields = {
        "order": [side_number(name) for name in data["order"]],
        "first_turn": first,
        "last_turn": last,
        "last_turn_two_players": last_of_two,
        "unit_types": data["unit_types"],
        "lend_lease": bool(data.get("lend_lease")),
        "ruins": _ruins(data["devastation"]),
    }
    return msgspec.convert({**fields, **play}, Setting)


SETTINGS: Final = {name: read(data) for name, data in ATLAS.scenarios.items()}
