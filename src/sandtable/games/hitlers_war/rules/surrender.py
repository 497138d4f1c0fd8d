"""Surrender: what follows when a capital, enough of Italy, or a nation's morale is lost.

Chapter 'Surrender' of Campaign Game I, morale's end in Campaign Game II, and the capitals of the other scenarios.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Choices, Field, Offer, OneOf, Refusal, Step
from sandtable.core.columns import lacking, put

from ..model.actions import Accept, Lose
from ..model.atlas import ALLIES, ATLAS, AXIS, INF, KINDS, MECH, NOBODY
from ..model.events import Peace, PointLost, Surrendered
from ..model.places import (
    BERLIN,
    BRITISH_CAPITALS,
    FRANCE,
    GERMANY,
    GREAT_BRITAIN,
    ITALY,
    PARIS,
    SOVIET_CAPITALS,
    SOVIET_UNION,
)
from ..model.state import (
    ITALY_AXIS,
    ITALY_BEATEN,
    PEACE_ACCEPTED,
    PEACE_REFUSED,
    M,
    War,
    add_points,
    armies_in,
    armies_of,
    army_name,
    book,
    role_of,
    side_of,
)
from . import entry, home_forces, italian, morale, victory
from .control import eliminate, remove_if_empty, take
from .retreat import Retreats

_COUNTRY = ATLAS.country_index
_GREAT = frozenset((GERMANY, FRANCE, GREAT_BRITAIN, ITALY, SOVIET_UNION))


class Fallen(Step, frozen=True, tag="fallen"):
    """A space has been captured: a capital's fall counts at once.

    [hw-surr-other-1] [hw-surr-other-2] [hw-surr-other-5] [hw-bar-victory-1] [hw-bar-victory-3] [hw-fall-victory-1]
    """

    rule = "hw-surr-other-1"

    space: int
    side: int
    before: int = NOBODY
    """Who held it."""

    def run(self, m: M) -> None:
        s = m.state
        m.pop()
        if victory.at_once(m):
            return
        country = ATLAS.country_of[self.space]
        if not s.setting.politics or country in _GREAT or s.surrendered[country]:
            return
        if self.space in ATLAS.countries[country].capitals and s.owner[self.space] == self.side:
            surrender_minor(m, country, self.side, self.before)


def surrender_minor(m: M, country: int, side: int, before: int) -> None:
    """All hexes still in the country's own hands go to the side that took its capital, devastated.

    [hw-surr-other-2] [hw-surr-other-3] [hw-home-2]
    """
    s = m.state
    s.surrendered = put(s.surrendered, country, 1)
    entry.end_neutrality(s, country)
    m.emit(Surrendered(country=f"@{ATLAS.countries[country].name}"))
    steps: list[Step] = []
    for space in ATLAS.groups[country]:
        if s.owner[space] == before and before != side:
            steps.extend(hand_over(m, space, side))
    home_forces.disband(s, country)
    s.violated = lacking(s.violated, country)
    if steps:
        m.push(*steps)


def hand_over(m: M, space: int, side: int) -> list[Step]:
    """A space changes hands without a fight; armies in it are displaced."""
    s = m.state
    displaced = tuple(a for a in armies_in(s, space) if side_of(a) != side)
    take(m, space, side)
    return [Retreats(space, displaced)] if displaced else []


def forfeit(m: M, spaces: Sequence[int], to: int) -> None:
    """Spaces of a surrendering country go over; Allied points there are eliminated, production devastated."""
    s = m.state
    for space in spaces:
        if s.owner[space] != ALLIES:
            continue
        for army in armies_in(s, space):
            eliminate(m, army)
        take(m, space, to, ruin=to == AXIS)


# ---- at the end of a combat phase
class Surrenders(Step, frozen=True, tag="surrenders"):
    """Countries surrender that wait for the end of a combat phase to do so."""

    rule = "hw-surr-germany"

    def run(self, m: M) -> None:
        m.pop()
        if m.state.setting.politics:
            m.push(*at_phase_end(m))


def at_phase_end(m: M) -> list[Step]:
    """Surrenders that wait for the end of a combat phase, in the order of the rulebook."""
    s = m.state
    if s.owner[BERLIN] not in (AXIS, NOBODY):
        germany(m)
        return []
    steps: list[Step] = []
    if italy_falls(s):
        steps.extend(italy(m))
    if s.side == AXIS:
        if s.peace == 0 and all(s.owner[x] == AXIS for x in SOVIET_CAPITALS):
            steps.append(SovietOffer())
        if s.owner[PARIS] == AXIS and not s.surrendered[FRANCE]:
            france(m)
        if all(s.owner[x] == AXIS for x in BRITISH_CAPITALS) and not s.surrendered[GREAT_BRITAIN]:
            britain(m)
    return steps


def germany(m: M) -> None:
    """Germany surrenders: every Axis hex becomes unaligned and the game is over.  [hw-surr-germany]"""
    s = m.state
    m.emit(Surrendered(country="@germany"))
    s.surrendered = put(s.surrendered, GERMANY, 1)
    for space in ATLAS.land:
        if s.owner[space] == AXIS:
            s.owner = put(s.owner, space, NOBODY)
    victory.finish(m)


def italy_falls(s: War) -> bool:
    """Three mainland hexes not friendly to the Axis, while Italy fights for it; or taken from it while unaligned.

    [hw-surr-italy-1] [hw-surr-italy-5]
    """
    mainland = ATLAS.countries[ITALY].spaces
    most = int(ATLAS.rules["italy"]["mainland_lost"])
    if s.italy == ITALY_AXIS:
        return sum(s.owner[x] != AXIS for x in mainland) >= most
    if s.italy == 0 and s.side != AXIS:
        return sum(s.owner[x] not in (AXIS, NOBODY) for x in mainland) >= most
    return False


def italy(m: M) -> list[Step]:
    """Italy leaves the war; its hexes stay as they are, its share of the army goes.

    [hw-surr-italy-2] [hw-surr-italy-3] [hw-surr-italy-4] [hw-ital-5]
    """
    s = m.state
    s.italy = ITALY_BEATEN
    s.surrendered = put(s.surrendered, ITALY, 1)
    entry.end_neutrality(s, ITALY)
    m.emit(Surrendered(country="@italy"))
    lost = ATLAS.rules["italy"]["eliminated"]
    return [ItalianLosses(int(lost["infantry"]), int(lost["mechanized"]))]


class ItalianLosses(Step, frozen=True, tag="italian-losses"):
    """The Axis removes five infantry and one mechanized point, from Italian territory as far as possible.

    [hw-surr-italy-2]
    """

    rule = "hw-surr-italy-2"

    infantry: int
    mechanized: int

    def choices(self, s: War) -> list[Lose]:
        near: list[Lose] = []
        far: list[Lose] = []
        for army in armies_of(AXIS):
            at = s.army_at[army]
            if at < 0:
                continue
            home = ATLAS.countries[ATLAS.country_of[at]].colour == "yellow" or italian.is_italian(s, army)
            for kind, left in ((INF, self.infantry), (MECH, self.mechanized)):
                if left and s.strength[army * 5 + kind]:
                    (near if home else far).append(Lose(army_name(army), KINDS[kind]))
        return [*near, *(one for one in far if not any(x.kind == one.kind for x in near))]

    def run(self, m: M) -> None:
        choices = self.choices(m.state)
        if not choices:
            m.pop()
        elif len(choices) == 1:
            m.replace(self.without(m, choices[0]))

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(AXIS),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Choices(self.choices(m.state), rule=self.rule, why=lambda c: Refusal(self.rule, "hw-italian-first"))]

    def without(self, m: M, choice: Lose) -> ItalianLosses:
        army = ATLAS.army_index[choice.unit]
        add_points(m.state, army, KINDS.index(choice.kind), -1)
        book(m.state, army, -1)
        m.emit(PointLost(unit=choice.unit, kind=f"@{choice.kind}"))
        remove_if_empty(m, army)
        foot = choice.kind == KINDS[INF]
        return ItalianLosses(self.infantry - foot, self.mechanized - (not foot))

    def take(self, m: M, role: str, action: Lose) -> None:
        m.replace(self.without(m, action))


class SovietOffer(Step, frozen=True, tag="soviet-offer"):
    """The Soviet Union offers to surrender; the Axis may refuse, once and for all.

    [hw-surr-soviet-1] [hw-surr-soviet-2] [hw-surr-soviet-3] [hw-surr-soviet-4]
    """

    rule = "hw-surr-soviet-1"

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(AXIS),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(Accept, Field("terms", "choice", OneOf((True, False))), rule=self.rule)]

    def take(self, m: M, role: str, action: Accept) -> None:
        s = m.state
        s.peace = PEACE_ACCEPTED if action.terms else PEACE_REFUSED
        m.emit(Peace(accepted=action.terms))
        if action.terms:
            s.surrendered = put(s.surrendered, SOVIET_UNION, 1)
            morale.change_morale(m, morale.BRITAIN, int(ATLAS.rules["morale"]["soviet_surrender"]))
        m.pop()


def france(m: M) -> None:
    """France falls: the rest of it goes to the Axis, North Africa becomes unaligned.

    [hw-surr-france-1] [hw-surr-france-2] [hw-surr-france-3] [hw-surr-france-4] [hw-surr-france-5]
    """
    s = m.state
    s.surrendered = put(s.surrendered, FRANCE, 1)
    m.emit(Surrendered(country="@france"))
    terms = ATLAS.rules["france"]
    for name in terms["to_axis"]:
        forfeit(m, ATLAS.countries[_COUNTRY[name]].spaces, AXIS)
    for name in terms["to_unaligned"]:
        country = ATLAS.countries[_COUNTRY[name]]
        forfeit(m, country.spaces, NOBODY)
        s.unaligned = put(s.unaligned, country.index, 1)


def britain(m: M) -> None:
    """Great Britain surrenders with the territory that goes with it.

    [hw-surr-britain-1] [hw-surr-britain-2] [hw-surr-britain-3] [hw-surr-britain-4]
    """
    m.state.surrendered = put(m.state.surrendered, GREAT_BRITAIN, 1)
    m.emit(Surrendered(country="@great_britain"))
    for name in ATLAS.rules["britain"]["to_axis"]:
        forfeit(m, ATLAS.countries[_COUNTRY[name]].spaces, AXIS)


class MoraleGone(Step, frozen=True, tag="morale-gone"):
    """Germany and Great Britain surrender when their morale is gone.  [hw-morale-1] [hw-morale-7]"""

    rule = "hw-morale-7"

    def run(self, m: M) -> None:
        s = m.state
        m.pop()
        if not s.morale:
            return
        if s.morale[morale.BRITAIN] <= 0 and not s.surrendered[GREAT_BRITAIN]:
            britain(m)
        if s.morale[morale.GERMANY] <= 0:
            germany(m)
