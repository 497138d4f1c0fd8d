"""The cards' moments, prerequisites and choices: when each may be played, and on what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from sandtable.core import Refusal

from ..model.atlas import AIR, BE, CHINA, FRANCE, GERMANY, INF, ISLAND, ITALY, JAPAN, MAJORS, USA, USSR, atlas
from ..model.state import (
    AT_WAR,
    CONQUERED,
    LAND_BATTLE,
    MOVED,
    NEUTRAL,
    SEA_BATTLE,
    BKPlay,
    BKState,
    at_war,
    has_enemy,
    units_of_role,
)
from ..model.tables import LIMITS
from .search import contested_zones

ANY = ("naval", "land", "exploit", "us-entry", "production")
FIGHT = ("reaction", "battle")
CONTEXTS: dict[str, tuple[str, ...]] = {
    "national_war_ussr": ("production",),
    "winter_offensive": ("land", *FIGHT),
    "coup": ANY,
    "japan_occupies_indochine": ("naval", "land", "exploit"),
    "kamikaze": ("battle",),
    "force_peace": ANY,
    "japanese_navy": (),
    "ussr_may_declare_war": ANY,
    "guards_troops": (*ANY, *FIGHT),
    "surprise": ("battle",),
    "initiative": ("initiative",),
    "japan_gains_bnl": ("us-entry",),
    "national_war_china": ANY,
    "bridgehead": ("land", "exploit", *FIGHT),
    "para_troops": ("land",),
    "embargo_usa_japan": ("us-entry",),
    "cold_days_in_hell": ("land", *FIGHT),
    "bnl_embargo": ("us-entry", "bnl"),
    "usa_builds_chinese_aircraft": ("us-entry", "production"),
    "increase_us_production": ("us-entry",),
    "espionage_ultra": ("land", "reaction"),
    "lend_lease_usa": ("us-entry", "production"),
    "naval_surprise": ("search",),
    "triumph_fall_desert_fox": ("land", "exploit"),
    "militia": ANY,
    "total_war": ANY,
    "axis_minor_activation": ANY,
    "japanese_defense_perimeter": (*ANY, *FIGHT),
    "tito_partisans": ANY,
    "fortress_europe": (*ANY, *FIGHT),
    "italian_surrender": ANY,
    "blitzkrieg": ("land", "exploit", "reaction"),
    "free_french_troops": ("us-entry", "production"),
    "foreign_troops_recruitment": ANY,
    "morsecode": (*ANY, *FIGHT),
    "their_finest_hour": (*ANY, *FIGHT),
    "partisans": ANY,
    "french_vichy_surrender": ANY,
    "sabotage_on_research": ("research",),
    "mountain_troops": ("land", "exploit", *FIGHT),
    "elite_troops": ("battle",),
    "spies": ANY,
    "lend_lease_be_ussr": ANY,
}


WINDOWS = ("initiative", "search", "reaction", "battle", "research", "bnl", "surrender")
"""Moments in which a card may be played in between."""


def default_windows(state: BKState, major: int) -> Sequence[str]:
    """A role is asked where it holds something to play there."""
    kamikaze = state.table.get(atlas().card_of["kamikaze"], -1) == major
    return _windows_for(state.hands[major], kamikaze) if state.hands[major] or kamikaze else ()


@lru_cache(maxsize=1024)
def _windows_for(hand: tuple[int, ...], kamikaze: bool) -> Sequence[str]:
    found = atlas()
    names: set[str] = set()
    for card in hand:
        if card >= 0:
            kind = "coup" if found.coup_target[card] >= 0 else found.card_ids[card]
            names |= {w for w in CONTEXTS[kind] if w in WINDOWS}
            if kind == "coup":
                names.add("surrender")
    if kamikaze:
        names.add("battle")
    return tuple(w for w in WINDOWS if w in names)


def may_anybody_cut_in(state: BKState, name: str) -> bool:
    """Whether a window could ask anybody: somebody has given orders, or holds something to play there."""
    return bool(state.orders) or name in _all_windows(state.hands, atlas().card_of["kamikaze"] in state.table)


@lru_cache(maxsize=1024)
def _all_windows(hands: tuple[tuple[int, ...], ...], kamikaze: bool) -> frozenset[str]:
    return frozenset(name for hand in hands for name in _windows_for(hand, kamikaze))


def _no(card: str, reason: str = "prerequisite", rule: str = "") -> Refusal:
    return Refusal(rule or "bg-card-general-prereq", reason, card=f"@{card}")


def coup_target(state: BKState, card: int) -> int:
    """[bg-opt-9.9] after its use the Irish coup may have become the Iranian one."""
    found = atlas()
    if state.effects_kept.get("iran") and found.card_ids[card] == "coup_ireland":
        return found.nation_of["iran"]
    return found.coup_target[card]


def why_not_now(m: BKPlay, major: int, card: int, context: str) -> Refusal | None:
    """The condition printed on the card. [bg-card-general-prereq] [bg-card-general-coup-conquered]"""
    found = atlas()
    ident = found.card_ids[card]
    target = coup_target(m.state, card)
    if target >= 0:
        if context == "surrender":
            return None if _is_giving_up(m, target, major) else _no(ident)
        if m.state.standing[target] != NEUTRAL:
            return _no(ident, "not-neutral", "bg-card-general-coup-conquered")
        return None
    rule = _PREREQUISITES.get(ident)
    if rule is not None and not rule(m, major, context):
        return _no(ident)
    return None


def _is_giving_up(m: BKPlay, target: int, major: int) -> bool:
    """Optional 9.2: the country defends itself in this very battle. [bg-opt-9.2]"""
    state = m.state
    battle = state.battle
    if battle is None or not m.option("coup-surrender"):
        return False
    return state.control[battle.space] == target and state.side[target] == state.side[major]


def has_fought_for(state: BKState, major: int, quarters: int) -> bool:
    since = state.war_since[major]
    return state.standing[major] == AT_WAR and since >= 0 and state.turn - since >= quarters


def enemies_at_home(state: BKState, major: int) -> bool:
    """Enemy units stand in the country's home, the homes of the Empire included."""
    found = atlas()
    return any(
        state.war[major] >> state.nation[u] & 1
        for s in found.homes[major]
        for u in state.here[s]
        if not found.is_air[u]
    )


def lost_islands(state: BKState) -> int:
    """Islands that were Japanese and are in Allied hands."""
    found = atlas()
    return sum(
        1 for s in found.land
        if found.kind[s] == ISLAND and found.owner[s] == JAPAN and state.side[state.control[s]] >= 0
        and state.side[state.control[s]] != state.side[JAPAN]
    )  # fmt: skip


def french_areas_taken(state: BKState) -> int:
    found = atlas()
    return sum(
        1 for s in found.homes[FRANCE]
        if state.side[state.control[s]] == state.side[GERMANY] and state.standing[state.control[s]] == AT_WAR
    )  # fmt: skip


def _uk_is_clean(state: BKState) -> bool:
    found = atlas()
    return not any(
        state.side[state.nation[u]] == state.side[GERMANY]
        for s in found.british_areas[found.british_homes.index("uk")]
        for u in state.here[s]
    )


def _italy_is_beaten(state: BKState) -> bool:
    found = atlas()
    if state.standing[ITALY] != AT_WAR or any(state.control[s] == ITALY for s in found.africa):
        return False
    return any(state.side[state.control[s]] not in (state.side[ITALY], -1) for s in found.homes[ITALY])


def _in_battle(m: BKPlay, major: int, kind: int) -> bool:
    battle = m.state.battle
    if battle is None or battle.kind != kind:
        return False
    return any(m.state.nation[u] == major for u in (*battle.attackers, *battle.defenders))


def _kamikaze(m: BKPlay, major: int, context: str) -> bool:
    state, found = m.state, atlas()
    battle = state.battle
    if battle is None or battle.kamikaze or found.year[state.turn] < 1943 or lost_islands(state) < 3:
        return False
    return any(found.type[u] == AIR and state.nation[u] == JAPAN for u in (*battle.attackers, *battle.defenders))


def _espionage(m: BKPlay, major: int, context: str) -> bool:
    """Before the own land movement, or before the own reserves move. [bg-card-espionage]"""
    state, found = m.state, atlas()
    if context == "reaction":
        return state.side[major] != state.phasing
    return not any(
        state.flags[u] & MOVED and found.is_land[u] and state.carrier[u] < 0 for u in units_of_role(state, major)
    )


def _para(m: BKPlay, major: int, context: str) -> bool:
    from .card_effects import drops

    return bool(drops(m, major))


def _partisans(m: BKPlay, major: int, context: str) -> bool:
    from .card_effects import rising_areas

    return bool(rising_areas(m.state, major))


def _minors(m: BKPlay, major: int, context: str) -> bool:
    return bool(choices_on(m, major, atlas().card_of["axis_minor_activation"], context))


def _sabotage(m: BKPlay, major: int, context: str) -> bool:
    """Against the enemy that has announced a roll, never against a neutral. [bg-card-sabotage]"""
    state = m.state
    target = state.effects.get("announced", -1)
    return target >= 0 and state.standing[target] == AT_WAR and state.side[target] != state.side[major]


def _fell(m: BKPlay, major: int, context: str) -> bool:
    return m.state.french_fell


Condition = Callable[[BKPlay, int, str], bool]
_PREREQUISITES: dict[str, Condition] = {
    "national_war_ussr": lambda m, n, c: at_war(m.state, GERMANY, USSR),
    "japan_occupies_indochine": lambda m, n, c: m.state.french_fell and _indochine_open(m.state),
    "kamikaze": _kamikaze,
    "force_peace": lambda m, n, c: at_war(m.state, USSR, JAPAN) and m.state.peace < 0,
    "ussr_may_declare_war": lambda m, n, c: atlas().year[m.state.turn] >= 1941,
    "guards_troops": lambda m, n, c: at_war(m.state, GERMANY, USSR),
    "surprise": lambda m, n, c: (
        _in_battle(m, n, LAND_BATTLE) and m.state.battle is not None and m.state.battle.first < 0
    ),
    "initiative": lambda m, n, c: m.state.initiative != m.state.side[n],
    "japan_gains_bnl": lambda m, n, c: m.state.embargo and not m.state.trust_to_japan,
    "bridgehead": lambda m, n, c: m.state.side[n] == m.state.phasing,
    "para_troops": _para,
    "embargo_usa_japan": lambda m, n, c: m.state.production[USA] > 11 and not m.state.embargo,
    "cold_days_in_hell": lambda m, n, c: bool(m.state.bad[0]),
    "bnl_embargo": lambda m, n, c: m.state.trust_to_japan,
    "increase_us_production": lambda m, n, c: (
        m.state.standing[USA] == NEUTRAL and (m.state.soviet_declared_on or m.state.uk_invaded)
    ),
    "espionage_ultra": _espionage,
    "lend_lease_usa": lambda m, n, c: m.state.production[USA] > 10,
    "naval_surprise": lambda m, n, c: bool(_surprise_zones(m, n)),
    "triumph_fall_desert_fox": lambda m, n, c: m.state.side[n] == m.state.phasing,
    "militia": lambda m, n, c: enemies_at_home(m.state, n),
    "total_war": lambda m, n, c: has_fought_for(m.state, n, LIMITS["one_year"]),
    "axis_minor_activation": _minors,
    "japanese_defense_perimeter": lambda m, n, c: at_war(m.state, JAPAN, USA),
    "tito_partisans": lambda m, n, c: (
        m.state.yugoslavia_since >= 0 and m.state.turn - m.state.yugoslavia_since >= LIMITS["one_year"]
    ),
    "fortress_europe": lambda m, n, c: at_war(m.state, GERMANY, USA),
    "italian_surrender": lambda m, n, c: _italy_is_beaten(m.state),
    "blitzkrieg": lambda m, n, c: m.state.side[n] == m.state.phasing,
    "free_french_troops": _fell,
    "foreign_troops_recruitment": lambda m, n, c: at_war(m.state, GERMANY, USSR),
    "morsecode": lambda m, n, c: bool(choices_on(m, n, atlas().card_of["morsecode"], c)),
    "their_finest_hour": _fell,
    "partisans": _partisans,
    "french_vichy_surrender": lambda m, n, c: (
        m.state.standing[FRANCE] == AT_WAR and french_areas_taken(m.state) >= LIMITS["vichy_areas"]
    ),
    "sabotage_on_research": _sabotage,
    "mountain_troops": lambda m, n, c: m.state.standing[n] == AT_WAR,
    "elite_troops": lambda m, n, c: (
        m.state.battle is not None
        and not m.state.battle.elite_left
        and has_fought_for(m.state, n, LIMITS["two_years"])
        and (_in_battle(m, n, LAND_BATTLE) or _in_battle(m, n, SEA_BATTLE))
    ),
    "lend_lease_be_ussr": lambda m, n, c: (
        at_war(m.state, GERMANY, USSR) and _uk_is_clean(m.state) and m.state.standing[BE] != CONQUERED
    ),
}


def _indochine_open(state: BKState) -> bool:
    found = atlas()
    return state.control[found.space_of["indochine"]] in (FRANCE, found.vichy_nation)


def _surprise_zones(m: BKPlay, major: int) -> list[int]:
    """Zones where the player's ships meet an enemy. [bg-card-naval-surprise]"""
    state = m.state
    if "naval_surprise_zone" in state.effects:
        return []
    return [
        z for z in contested_zones(state)
        if any(state.nation[u] == major and has_enemy(state, major, z) for u in state.here[z])
    ]  # fmt: skip


def choices_on(m: BKPlay, major: int, card: int, context: str) -> list[str]:
    """What a card may be played on; one empty word where there is nothing to choose."""
    state, found = m.state, atlas()
    ident = found.card_ids[card]
    if context == "surrender":
        return ["surrender"]
    if ident == "axis_minor_activation":
        out = [found.nation_ids[n] for n in found.axis_minors if state.standing[n] == NEUTRAL]
        return out + (["italy"] if state.standing[ITALY] == NEUTRAL else [])
    if ident == "morsecode":
        return [c for c in ("fortress_europe", "their_finest_hour") if found.card_of[c] in state.table]
    if ident == "naval_surprise":
        return found.names(_surprise_zones(m, major))
    return [""]


__all__ = ["CHINA", "CONTEXTS", "INF", "MAJORS", "choices_on", "why_not_now"]
