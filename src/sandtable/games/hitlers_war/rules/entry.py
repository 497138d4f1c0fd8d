"""Entry into the war: dated and provoked, and the troops some countries bring."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sandtable.core import Amounts, Field, Named, Offer, Refusal, Step
from sandtable.core.columns import put

from ..model.actions import Done, Place, Points
from ..model.atlas import ALLIES, ARMIES, ARMY_NAMES, ATLAS, AXIS, KIND, NOBODY, SIDES, SPACES, STACK
from ..model.events import Joined, Raised
from ..model.places import ITALY, USA
from ..model.state import (
    ITALY_AXIS,
    ITALY_FOE,
    M,
    War,
    add_points,
    armies_in,
    armies_of,
    army_name,
    book,
    role_of,
    space_name,
    stacked,
)
from . import home_forces, morale, research

_RULES = ATLAS.rules


def join(m: M, group: int, side: int, *, dated: bool = False) -> None:
    """An unaligned country and all its uncaptured hexes join a side, its production at work.

    [hw-neutral-2] [hw-italy-2] [hw-minor-2] [hw-us-2] [hw-minor-5]
    """
    s = m.state
    end_neutrality(s, group)
    for space in ATLAS.groups[group]:
        if s.owner[space] == NOBODY:
            s.owner = put(s.owner, space, side)
            for army in armies_in(s, space):
                s.idle = put(s.idle, army, 0)
    name = ATLAS.countries[group].name
    m.emit(Joined(country=f"@{name}", side=f"@{SIDES[side]}"))
    if group == ITALY:
        s.italy = ITALY_AXIS if side == AXIS else ITALY_FOE
    if group == USA:
        if side == ALLIES:
            s.america = s.turn
            morale.change_morale(m, morale.BRITAIN, int(_RULES["morale"]["us_joins_allies"]))
            if s.setting.technology:
                research.american_science(s)
        elif side == AXIS:
            morale.change_morale(m, morale.BRITAIN, int(_RULES["morale"]["us_joins_axis"]))
    inclined = _RULES["inclined"]
    if side == AXIS and name in inclined and (dated or name in inclined["always"]):
        home_forces.disband(s, group)
        troops = tuple((kind, int(number)) for kind, number in inclined[name].items())
        m.push(Reinforcements(AXIS, group, troops))


def end_neutrality(s: War, group: int) -> None:
    """A country and all that goes with it is no longer unaligned: it joined, surrendered, or was overrun."""
    for country in ATLAS.countries:
        if country.parent == group:
            s.unaligned = put(s.unaligned, country.index, 0)


def dated_entries(m: M) -> None:
    """Countries that join at the start of a player-turn.  [hw-minor-2] [hw-us-2]"""
    s = m.state
    if not s.setting.politics:
        return
    if s.side == AXIS and s.turn == ATLAS.turn("inclined_join"):
        for name in reversed(_RULES["inclined"]["countries"]):
            country = ATLAS.country_index[name]
            if s.unaligned[country]:
                join(m, country, AXIS, dated=True)
    if s.side == ALLIES and s.turn == ATLAS.turn("united_states_joins") and s.unaligned[USA]:
        join(m, USA, ALLIES)


def italy_joins(m: M) -> None:
    """Italy and her allies join in the Axis production phase of their date.  [hw-italy-2] [hw-italy-3]"""
    s = m.state
    if s.setting.politics and s.side == AXIS and s.turn == ATLAS.turn("italy_joins") and s.unaligned[ITALY]:
        join(m, ITALY, AXIS)


# ---- troops to place
def why_no_place(s: War, side: int, space: int, number: int) -> Refusal | None:
    """New points go to friendly spaces with room.  [hw-stack-6] [hw-build-5]"""
    if s.owner[space] != side:
        return Refusal("hw-move-2", "hw-not-friendly", to=space_name(space))
    if not ATLAS.is_box[space] and stacked(s, space) + number > STACK:
        return Refusal("hw-stack-6", "hw-overstack", at=space_name(space), room=STACK - stacked(s, space))
    return None


def army_choices(s: War, side: int, space: int) -> list[int]:
    """Armies that can take new points in a space: those in it, and counters not in use.  [hw-record-1]"""
    return [a for a in armies_of(side) if s.army_at[a] == space or s.army_at[a] < 0]


def has_room(s: War, side: int, space: int) -> bool:
    """Whether one new point could be placed in a space of the side: the hex has room, and an army takes it."""
    if why_no_place(s, side, space, 1) is not None:
        return False
    own = s.army_at[side * ARMIES : side * ARMIES + ARMIES]
    return -1 in own or space in own


def place(m: M, chosen: Points, at: int, army: int) -> None:
    """Put new points into an army."""
    s = m.state
    s.army_at = put(s.army_at, army, at)
    for kind, number in chosen:
        add_points(s, army, KIND[kind], number)
        book(s, army, number)
        m.emit(Raised(army=army_name(army), at=space_name(at), kind=f"@{kind}", number=number))


class Reinforcements(Step, frozen=True, tag="reinforcements"):
    """A side places the troops that a country brings, anywhere in that country.

    [hw-minor-3] [hw-minor-4] [hw-minor-5]
    """

    rule = "hw-minor-5"

    side: int
    country: int
    troops: Points

    def places(self, s: War) -> list[int]:
        return [x for x in ATLAS.countries[self.country].spaces if has_room(s, self.side, x)]

    def run(self, m: M) -> None:
        if not self.troops or not self.places(m.state):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.side),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [
            place_offer(m.state, self.side, self.troops, self.places, self.rule),
            Offer(Done, Refusal(self.rule, "hw-place-all"), rule=self.rule),
        ]

    def take(self, m: M, role: str, action: Place) -> None:
        place(m, action.points, ATLAS.index[action.at], ATLAS.army_index[action.army])
        m.replace(Reinforcements(self.side, self.country, rest(self.troops, action.points)))


def rest(troops: Points, placed: Points) -> Points:
    """What is left to place."""
    used = dict(placed)
    left = ((kind, number - used.get(kind, 0)) for kind, number in troops)
    return tuple((kind, number) for kind, number in left if number > 0)


def place_offer(s: War, side: int, troops: Points, places: Callable[[War], Sequence[int]], rule: str) -> Offer:
    """Some of the troops, somewhere with room, into an army there."""
    return Offer(Place, lambda: _place_fields(s, side, troops, places), rule=rule)


def _place_fields(s: War, side: int, troops: Points, places: Callable[[War], Sequence[int]]) -> tuple[Field, ...]:
    def spaces(chosen: Points) -> Named:
        number = sum(n for _, n in chosen)
        fit = [x for x in places(s) if why_no_place(s, side, x, number) is None]
        return Named(fit, SPACES, why=lambda x: why_no_place(s, side, x, number))

    def armies(chosen: Points, at: str) -> Named:
        return Named(army_choices(s, side, ATLAS.index[at]), ARMY_NAMES)

    return (
        Field("points", "amounts", Amounts(dict(troops), least=1, most=STACK)),
        Field("at", "space", spaces),
        Field("army", "unit", armies),
    )
