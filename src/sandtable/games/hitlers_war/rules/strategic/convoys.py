"""Allied transports under attack: Axis fleets and U-boats (Campaign Game II).

Chapters 'The Atlantic Fleets: Naval Fire' (fourth rule) and 'Trans-Atlantic Shipping'.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Choices, Field, Numbers, Offer, OneOf, Step
from sandtable.core.columns import having, shifted

from ...facts.territory import territory
from ...model.actions import Done, Lose, NavalFire
from ...model.atlas import ALLIES, ATLAS, AXIS, KINDS
from ...model.events import PointLost, ShippingLost
from ...model.places import AMERICA
from ...model.state import U_BOATS, M, War, add_points, army_name, book, role_of
from ..control import remove_if_empty
from ..firepower import fire
from ..leaders import roll_for_leaders
from ..morale import attack_dice
from ..naval.fleets import raiding_strength
from ..sealift import ATLANTIC

CONVOYS = "convoys"


def log_voyage(s: War, army: int, into: int, kind: int, number: int, start: int, to: int, seas: Sequence[int]) -> None:
    """Remember which points sailed, so that they and no others can be sunk.  [hw-c2-navfire-4] [hw-trans-3]"""
    if army // 12 != ALLIES or not s.setting.technology or not number:
        return
    old, new = army * 5 + kind, into * 5 + kind
    if old != new:
        moved = min(s.voyagers.get(old, 0), number)
        s.voyagers = shifted(shifted(s.voyagers, old, -moved), new, moved)
        if old in s.lanes:
            sailed = min(s.lanes[old][0], number)
            links = s.lanes[old][1:]
            s.lanes = having(s.lanes, old, (s.lanes[old][0] - sailed, *links))
            _sail(s, new, sailed, links)
    if ATLANTIC not in seas:
        return
    if (start in AMERICA) != (to in AMERICA):
        s.voyagers = having(s.voyagers, new, s.voyagers.get(new, 0) + number)
    if s.at_sea[AXIS]:
        route = territory(s, ALLIES).voyage(start, to, tuple(seas))
        _sail(s, new, number, tuple(n for n in route if ATLAS.waters[ATLAS.links[n].a][1] == ATLANTIC))


def _sail(s: War, key: int, number: int, links: Sequence[int]) -> None:
    if number and links:
        had = s.lanes.get(key, (0,))
        s.lanes = having(s.lanes, key, (min(had[0] + number, s.strength[key] + number), *sorted({*had[1:], *links})))


class Convoys(Step, frozen=True, tag="convoys"):
    """After Allied movement: Axis fleet fire at transports, then the U-boats' one attack.

    [hw-c2-navfire-4] [hw-trans-3] [hw-raid-1]
    """

    rule = "hw-c2-navfire-4"

    fired: tuple[int, ...] = ()
    passed: bool = False

    def links(self, s: War) -> list[int]:
        """Open-sea sides crossed this turn that have not drawn fire."""
        if not s.at_sea or not s.at_sea[AXIS] or self.passed:
            return []
        crossed = {link for lane in s.lanes.values() if lane[0] for link in lane[1:]}
        return sorted(crossed - set(self.fired))

    def run(self, m: M) -> None:
        s = m.state
        if s.side != ALLIES or not s.setting.technology:
            m.pop()
            return
        if self.links(s):
            return
        m.pop()
        if any(s.voyagers.values()):
            m.push(RaiderStrike(), WolfPack())

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(AXIS),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [
            Offer(Done, rule=self.rule),
            Offer(
                NavalFire,
                Field("army", "unit", OneOf((CONVOYS,))),
                Field("shots", "number", Numbers(1, len(self.links(m.state)))),
                rule=self.rule,
            ),
        ]

    def take(self, m: M, role: str, action: Done | NavalFire) -> None:
        s = m.state
        if isinstance(action, Done):
            m.replace(Convoys(self.fired, passed=True))
            return
        links = tuple(self.links(s)[: action.shots])
        m.replace(*(ConvoyShot(link) for link in links), Convoys((*self.fired, *links)))


class ConvoyShot(Step, frozen=True, tag="convoy-shot"):
    """One fire of the Axis fleet at transports that crossed a hexside.  [hw-c2-navfire-4]"""

    rule = "hw-c2-navfire-4"

    link: int

    def run(self, m: M) -> None:
        s = m.state
        m.pop()
        if not any(lane[0] and self.link in lane[1:] for lane in s.lanes.values()):
            return
        at = ATLAS.waters[ATLAS.links[self.link].a][0]
        lost = fire(m, s.at_sea[AXIS], attack_dice(s, AXIS), by="@navy", at=at, rule=self.rule, capped=False)
        if lost:
            m.push(ConvoyLosses(self.link, lost))


class WolfPack(Step, frozen=True, tag="wolf-pack"):
    """U-boats at sea attack the season's America traffic once.  [hw-trans-3]"""

    rule = "hw-trans-3"

    def run(self, m: M) -> None:
        s = m.state
        m.pop()
        strike_shipping(m, s.at_sea[U_BOATS], "@u-boats")


class RaiderStrike(Step, frozen=True, tag="raider-strike"):
    """Raiding ships attack the America traffic by themselves.  [hw-raid-1] [hw-raid-2]"""

    rule = "hw-raid-1"

    def run(self, m: M) -> None:
        m.pop()
        strike_shipping(m, raiding_strength(m.state), "@raiders")


def strike_shipping(m: M, strength: int, by: str) -> None:
    """Each loss sinks one transported point and one point of extra shipping; never below the base.  [hw-trans-3]"""
    s = m.state
    afloat = sum(s.voyagers.values())
    if not strength or not afloat:
        return
    dice = attack_dice(s, AXIS)
    lost = min(afloat, fire(m, strength, dice, by=by, at=min(AMERICA), rule="hw-trans-3", capped=False))
    if lost:
        sunk = min(lost, s.shipping)
        s.shipping -= sunk
        m.emit(ShippingLost(points=lost))
        m.push(ConvoyLosses(-1, lost))


class ConvoyLosses(Step, frozen=True, tag="convoy-losses"):
    """The Allied player removes points that sailed: over one hexside, or to and from America."""

    rule = "hw-trans-3"

    link: int
    number: int
    hurt: tuple[int, ...] = ()
    """Armies that have lost something: their leaders are in danger.  [hw-leader-8]"""

    def choices(self, s: War) -> list[int]:
        if self.link >= 0:
            keys = [k for k, lane in sorted(s.lanes.items()) if lane[0] and self.link in lane[1:]]
        else:
            keys = [k for k, number in sorted(s.voyagers.items()) if number]
        return [k for k in keys if s.strength[k]]

    def run(self, m: M) -> None:
        keys = self.choices(m.state)
        if not keys or self.number <= 0:
            m.pop()
            roll_for_leaders(m, self.hurt)
        elif len(keys) == 1:
            m.replace(self.without(m, keys[0]))

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(ALLIES),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Choices([Lose(army_name(k // 5), KINDS[k % 5]) for k in self.choices(m.state)], rule=self.rule)]

    def without(self, m: M, key: int) -> ConvoyLosses:
        s = m.state
        add_points(s, key // 5, key % 5, -1)
        book(s, key // 5, -1)
        if s.voyagers.get(key, 0):
            s.voyagers = having(s.voyagers, key, s.voyagers[key] - 1)
        if key in s.lanes:
            s.lanes = having(s.lanes, key, (max(0, s.lanes[key][0] - 1), *s.lanes[key][1:]))
        m.emit(PointLost(unit=army_name(key // 5), kind=f"@{KINDS[key % 5]}"))
        remove_if_empty(m, key // 5)
        hurt = self.hurt if key // 5 in self.hurt else (*self.hurt, key // 5)
        return ConvoyLosses(self.link, self.number - 1, hurt)

    def take(self, m: M, role: str, action: Lose) -> None:
        m.replace(self.without(m, ATLAS.army_index[action.unit] * 5 + KINDS.index(action.kind)))
