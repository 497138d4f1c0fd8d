"""Cards that change a battle."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core import Field, Offer, OneOf, Role, Step

from ...model.actions import Favour
from ...model.atlas import ATLAS, GERMANY, ISLAND, JAPAN, MAJORS, USA
from ...model.state import AT_WAR, LAND_BATTLE, SEA_BATTLE, BKState, M, at_war, the_battle
from ...model.tables import LIMITS
from ..chart import army
from .deck import is_in_effect, take_off_table
from .entry import (
    ANY,
    FIGHT,
    card,
    french_fell,
    germany_fights_ussr,
    has_fought_for,
    lasts_this_turn,
    lies_on_the_table,
    own_phase,
)


def _fights_here(state: BKState, major: int, *kinds: int) -> bool:
    """Whether a major has units in a battle of these kinds."""
    battle = state.battle
    if battle is None or battle.kind not in kinds:
        return False
    return any(state.nation[u] == major for u in (*battle.attackers, *battle.defenders))


def _own_side(state: BKState, major: int) -> int:
    """The side of the battle a major is on: 0 the phasing side, 1 the other."""
    return 0 if state.side[major] == state.phasing else 1


# ---- strength -----------------------------------------------------------------------------------------------------
lasts_this_turn("winter_offensive", "winter_offensive", "land", *FIGHT)
lasts_this_turn("bridgehead", "bridgehead", "land", "exploit", *FIGHT, when=own_phase)
lasts_this_turn(
    "mountain_troops", "mountain_troops", "land", "exploit", *FIGHT, when=lambda s, n, at: s.standing[n] == AT_WAR
)
lasts_this_turn("cold_days_in_hell", "cold_days", "land", *FIGHT, when=lambda s, n, at: bool(s.bad[0]))
lies_on_the_table("guards_troops", *ANY, *FIGHT, when=germany_fights_ussr)


def _may_surprise(state: BKState, major: int, moment: str) -> bool:
    return _fights_here(state, major, LAND_BATTLE) and the_battle(state).first < 0


@card("surprise", "battle", when=_may_surprise)
def surprise(m: M, major: int, on: str) -> None:
    """Its player fires first in this battle. [bg-card-surprise]"""
    m.state.battle = replace(the_battle(m.state), first=_own_side(m.state, major), surprise=major)


# ---- Kamikaze -----------------------------------------------------------------------------------------------------
def lost_islands(state: BKState) -> int:
    """Return how many islands that were Japanese are in the hands of the other side."""
    taken = [s for s in ATLAS.areas_of[JAPAN] if ATLAS.kind[s] == ISLAND]
    return sum(1 for s in taken if state.side[state.control[s]] not in (-1, state.side[JAPAN]))


def _may_dive(state: BKState, major: int, moment: str) -> bool:
    battle = state.battle
    if battle is None or battle.kamikaze or ATLAS.year[state.turn] < 1943 or lost_islands(state) < 3:
        return False
    return any(ATLAS.is_air[u] and state.nation[u] == JAPAN for u in (*battle.attackers, *battle.defenders))


@card("kamikaze", "battle", when=_may_dive)
def kamikaze(m: M, major: int, on: str) -> None:
    """Japanese aircraft fire twice and are lost."""
    m.state.battle = replace(the_battle(m.state), kamikaze=True)


# ---- Elite Troops -------------------------------------------------------------------------------------------------
def _has_elite(state: BKState, major: int, moment: str) -> bool:
    return (
        _fights_here(state, major, LAND_BATTLE, SEA_BATTLE)
        and not the_battle(state).elite_left
        and has_fought_for(state, major, LIMITS["two_years"])
    )


@card("elite_troops", "battle", when=_has_elite)
def elite_troops(m: M, major: int, on: str) -> None:
    """A die says how many units fight at +1. [bg-card-elite-troops]"""
    left = m.roll(why="bg-card-elite-troops")
    m.state.battle = replace(the_battle(m.state), elite_left=left, elite_side=_own_side(m.state, major))
    m.push(Elite(MAJORS[major]))


class Elite(Step, frozen=True, tag="bg.elite"):
    """The player names the units that fight at +1 in this battle. [bg-card-elite-troops]"""

    rule = "bg-card-elite-troops"
    role: str

    def run(self, m: M) -> None:
        if not self._units(m.state):
            m.pop()

    def _units(self, state: BKState) -> list[int]:
        battle = state.battle
        if battle is None or len(battle.elite) >= battle.elite_left:
            return []
        return [u for u in army(battle, battle.elite_side) if u not in battle.elite and not ATLAS.is_hq[u]]

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        units = ATLAS.names_of(self._units(m.state))
        return [Offer(Favour, Field("unit", "unit", OneOf(units)), rule=self.rule)]

    def take(self, m: M, role: Role, action: Favour) -> None:
        battle = the_battle(m.state)
        m.state.battle = replace(battle, elite=(*battle.elite, ATLAS.unit_of[action.unit]))
        m.replace(Elite(self.role))


# ---- the defence of the coast -------------------------------------------------------------------------------------
lies_on_the_table("fortress_europe", *ANY, *FIGHT, when=lambda s, n, at: at_war(s, GERMANY, USA))
lies_on_the_table("their_finest_hour", *ANY, *FIGHT, when=french_fell)
lies_on_the_table("japanese_defense_perimeter", *ANY, *FIGHT, when=lambda s, n, at: at_war(s, JAPAN, USA))


def _coasts(state: BKState, major: int, moment: str) -> list[str]:
    return [ident for ident in ("fortress_europe", "their_finest_hour") if is_in_effect(state, ident)]


@card("morsecode", *ANY, *FIGHT, when=lambda s, n, at: bool(_coasts(s, n, at)), on=_coasts)
def morsecode(m: M, major: int, on: str) -> None:
    """A coast loses the card that defends it. [bg-card-morsecode]"""
    take_off_table(m.state, on)
