"""Optional rule: unaligned countries have home forces, placed when they are first attacked."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Named, Numbers, Offer, Refusal, Step
from sandtable.core.columns import having, lacking, put, shifted

from ..facts.territory import part_of_country
from ..model.actions import MoveHome, Retreat, Settle
from ..model.atlas import ATLAS, NOBODY, SPACES
from ..model.state import M, War, role_of, space_name
from .control import advocate

_CHART = ATLAS.tables["unaligned_forces"]
_CAPITAL_LIMIT: int = ATLAS.rules["home_forces"]["capital_limit"]


def called_up(m: M, group: int) -> list[Step]:
    """The home forces of a country that is attacked for the first time.  [hw-home-1] [hw-home-3] [hw-home-7]"""
    s = m.state
    country = ATLAS.countries[group]
    if not m.option("unaligned_forces") or s.home_called[group]:
        return []
    s.home_called = put(s.home_called, group, 1 + s.side)
    fort = _CHART.get(country.name, {}).get("fort")
    if fort and s.owner[ATLAS.index[fort["hex"]]] == NOBODY:
        s.fort = having(s.fort, ATLAS.index[fort["hex"]], int(fort["strength"]))
    return [CallUp(group, country.home_forces)] if country.home_forces else []


def disband(s: War, group: int) -> None:
    """Home forces vanish with their country's surrender, or when its troops join the Axis.  [hw-home-2] [hw-home-8]"""
    for space in ATLAS.groups[group]:
        s.home = lacking(s.home, space)


class CallUp(Step, frozen=True, tag="call-up"):
    """The side that would get the country places its home forces, two points at most in a capital.

    [hw-home-3] [hw-home-4]
    """

    rule = "hw-home-3"

    group: int
    left: int

    def why(self, s: War, space: int) -> Refusal | None:
        country = ATLAS.countries[self.group]
        if space not in ATLAS.groups[self.group] or s.owner[space] != NOBODY:
            return Refusal("hw-home-3", "hw-home-elsewhere", at=space_name(space), country=f"@{country.name}")
        if space in country.capitals and s.home.get(space, 0) >= _CAPITAL_LIMIT:
            return Refusal("hw-home-3", "hw-home-capital", at=space_name(space), most=_CAPITAL_LIMIT)
        return None

    def places(self, s: War) -> list[int]:
        return [x for x in ATLAS.groups[self.group] if self.why(s, x) is None]

    def run(self, m: M) -> None:
        if not self.left or not self.places(m.state):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(advocate(self.group, m.state.side)),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        places = Named(self.places(s), SPACES, why=lambda x: self.why(s, x))
        return [Offer(Settle, Field("at", "space", places), rule=self.rule)]

    def take(self, m: M, role: str, action: Settle) -> None:
        m.state.home = shifted(m.state.home, ATLAS.index[action.at], 1)
        m.replace(CallUp(self.group, self.left - 1))


# ---- movement and retreat
def directs(s: War, space: int) -> int:
    """Who moves the home forces of a space: its holder, or the side that acts for an unaligned country.

    [hw-home-4]
    """
    if s.owner[space] != NOBODY:
        return s.owner[space]
    group = ATLAS.group_of[space]
    return advocate(group, s.home_called[group] - 1)


def movement_offers(m: M, side: int) -> list[Offer]:
    """Home forces move inside their country in the movement phases of the side that directs them.  [hw-home-5]"""
    s = m.state
    if not s.home:
        return []
    movable = [x for x in sorted(s.home) if directs(s, x) == side and len(part_of_country(s, x)) > 1]
    if not movable:
        return []

    def ways(at: str, number: int) -> Named:
        start = ATLAS.index[at]

        def why(to: int) -> Refusal:
            return Refusal("hw-home-5", "hw-home-elsewhere", at=space_name(to), country=f"@{_country(start)}")

        return Named([x for x in part_of_country(s, start) if x != start], SPACES, why=why)

    numbers = Field("number", "number", lambda at: Numbers(1, s.home[ATLAS.index[at]]))
    start = Field("at", "space", Named(movable, SPACES))
    return [Offer(MoveHome, start, numbers, Field("to", "space", ways), rule="hw-home-5")]


def _country(space: int) -> str:
    return ATLAS.countries[ATLAS.group_of[space]].name


def take_movement(m: M, action: object) -> bool:
    if not isinstance(action, MoveHome):
        return False
    moved = shifted(m.state.home, ATLAS.index[action.to], action.number)
    m.state.home = shifted(moved, ATLAS.index[action.at], -action.number)
    return True


def displaced(space: int, number: int, holder: int) -> list[Step]:
    """Home forces of a lost hex retreat inside their country or are eliminated.  [hw-home-2]"""
    return [HomeRetreat(space, number, holder)] if number else []


class HomeRetreat(Step, frozen=True, tag="home-retreat"):
    """Displaced home forces look for a hex of their own country next door.  [hw-home-2]"""

    rule = "hw-home-2"

    space: int
    number: int
    holder: int
    """Who held the hex: the side the country belongs to, or nobody."""

    def ways(self, s: War) -> list[int]:
        group = ATLAS.group_of[self.space]
        return [x for x in ATLAS.step[self.space] if ATLAS.group_of[x] == group and s.owner[x] == self.holder]

    def run(self, m: M) -> None:
        ways = self.ways(m.state)
        if not ways:
            m.pop()
        elif len(ways) == 1:
            self.go(m, ways[0])

    def roles(self, m: M) -> Sequence[str]:
        if self.holder != NOBODY:
            return (role_of(self.holder),)
        return (role_of(advocate(ATLAS.group_of[self.space], m.state.side)),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        home = Field("army", "unit", Named((self.space,), SPACES))
        return [Offer(Retreat, home, Field("to", "space", Named(self.ways(m.state), SPACES)), rule=self.rule)]

    def go(self, m: M, to: int) -> None:
        m.state.home = shifted(m.state.home, to, self.number)
        m.pop()

    def take(self, m: M, role: str, action: Retreat) -> None:
        self.go(m, ATLAS.index[action.to])
