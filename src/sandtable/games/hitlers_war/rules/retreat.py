"""Retreats: the defender moves displaced armies out of a lost hex, army by army."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Named, Offer, Refusal, Step
from sandtable.core.columns import put

from ..model.actions import Retreat
from ..model.atlas import ARMY_NAMES, ATLAS, CROSSING, FULL_SEA, NOBODY, SPACES
from ..model.events import Retreated
from ..model.state import M, War, army_name, role_of, side_of, space_name
from .control import eliminate


def why_no_retreat(s: War, army: int, start: int, to: int, country: int) -> Refusal | None:
    """Why a displaced army may not retreat to a space.  [hw-retreat-1] [hw-offmap-3]

    Until an attacked neutral has joined a side, the army that stands for it may fall back inside its country.
    """
    names = {"army": army_name(army), "to": space_name(to)}
    if to not in ATLAS.around[start]:
        return Refusal("hw-retreat-1", "hw-retreat-far", **names)
    if not ATLAS.retreat_box[start]:
        return Refusal("hw-offmap-3", "hw-no-retreat-box", **names)
    if ATLAS.hexside[start, to] in (CROSSING, FULL_SEA):
        return Refusal("hw-retreat-1", "hw-retreat-water", **names)
    own_country = country >= 0 and s.owner[to] == NOBODY and ATLAS.group_of[to] == country
    if s.owner[to] != side_of(army) and not own_country:
        return Refusal("hw-retreat-1", "hw-retreat-unfriendly", **names)
    return None


def retreats(s: War, army: int, start: int, country: int = -1) -> list[int]:
    return [x for x in ATLAS.around[start] if why_no_retreat(s, army, start, x, country) is None]


class Retreats(Step, frozen=True, tag="retreats"):
    """Displaced armies leave a space; those that have nowhere to go are lost.  [hw-advance-4] [hw-retreat-2]"""

    rule = "hw-retreat-1"

    space: int
    armies: tuple[int, ...]
    country: int = -1

    def run(self, m: M) -> None:
        s = m.state
        left = tuple(army for army in self.armies if s.army_at[army] == self.space)
        while left:
            army = left[0]
            ways = retreats(s, army, self.space, self.country)
            if len(ways) > 1:
                m.amend(Retreats(self.space, left, self.country))
                return
            if ways:
                self.go(m, army, ways[0])
            else:
                eliminate(m, army)
            left = left[1:]
        m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(side_of(self.armies[0])),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s, start, country = m.state, self.space, self.country

        def ways(name: str) -> Named:
            army = ATLAS.army_index[name]
            return Named(
                retreats(s, army, start, country), SPACES, why=lambda to: why_no_retreat(s, army, start, to, country)
            )

        able = Named([army for army in self.armies if retreats(s, army, start, country)], ARMY_NAMES)
        return [Offer(Retreat, Field("army", "unit", able), Field("to", "space", ways), rule=self.rule)]

    def go(self, m: M, army: int, to: int) -> None:
        m.state.army_at = put(m.state.army_at, army, to)
        m.emit(Retreated(army=army_name(army), to=space_name(to)))

    def take(self, m: M, role: str, action: Retreat) -> None:
        army = ATLAS.army_index[action.army]
        self.go(m, army, ATLAS.index[action.to])
        m.replace(Retreats(self.space, tuple(a for a in self.armies if a != army), self.country))
