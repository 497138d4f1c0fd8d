"""The movement phase: a side re-arranges its strength points, and what else moves with them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from sandtable.core import Amounts, Domain, Field, Named, Numbers, Offer, OneOf, Refusal, Step
from sandtable.core.columns import put

from ..facts.territory import territory
from ..model.actions import Convert, Detach, Done, March, Points, Transfer
from ..model.atlas import AMPH, ARMIES, ARMY_NAMES, ATLAS, INF, KIND, KINDS
from ..model.events import Converted, Moved, PointsMoved
from ..model.state import M, OwnTurn, War, add_points, armies_of, army_name, in_play, side_of, space_name, total
from . import home_forces, italian, leaders
from .control import eliminate
from .losses import Overstacked
from .movement import count, destinations, holds, overstacked, why_held, why_not_mixed, why_not_to, within_reach
from .naval import fleet_movement
from .sealift import carry, seas_for
from .strategic import atlantic, missiles
from .strategic.convoys import Convoys, log_voyage
from .supply import find_stuck


def move_points(m: M, army: int, chosen: Points, into: int, to: int) -> None:
    """Take points out of one army and put them into another, counting what goes by sea."""
    s = m.state
    start, side, number = s.army_at[army], army // 12, count(chosen)
    seas = seas_for(s, side, start, to, number)
    assert not isinstance(seas, Refusal)
    carry(s, side, start, to, number, seas)
    for kind, amount in chosen:
        k = KIND[kind]
        log_voyage(s, army, into, k, amount, start, to, seas)
        add_points(s, army, k, -amount)
        add_points(s, into, k, amount)
        where = space_name(to)
        m.emit(PointsMoved(army=army_name(army), number=amount, kind=f"@{kind}", into=army_name(into), to=where))
    s.army_at = put(s.army_at, into, to)
    if total(s, army) == 0:
        eliminate(m, army)


class Moves:
    """What a side may do with its armies now: the fields of marching, handing over, detaching and converting."""

    def __init__(self, s: War, side: int) -> None:
        self.s, self.side = s, side

    @cached_property
    def mine(self) -> list[int]:
        """The side's armies in play."""
        return in_play(self.s, self.side)

    @cached_property
    def free(self) -> list[int]:
        """Those that may move."""
        return [a for a in self.mine if not holds(self.s, a)]

    # ---- rules
    def why_army(self, army: int) -> Refusal | None:
        if army in self.mine:
            return why_held(self.s, army)
        return Refusal("hw-move-1", "hw-not-your-army", army=army_name(army))

    def why_new(self, army: int) -> Refusal | None:
        """Why no new army can be made of a counter.  [hw-move-6] [hw-record-1]"""
        if side_of(army) != self.side:
            return Refusal("hw-move-6", "hw-not-your-army", army=army_name(army))
        return Refusal("hw-record-1", "hw-counter-in-use", army=army_name(army)) if army in self.mine else None

    def why_nobody(self) -> Refusal | None:
        """Why no point can go from any army to another.  [hw-move-5]"""
        s, labels = self.s, territory(self.s, self.side).land.labels
        active = [s.army_at[a] for a in self.mine if not s.idle[a]]
        if len({labels[at] for at in active}) < len(active):
            return None
        for army in self.free:
            near = within_reach(s, army, 1).members
            if any(at in near and at != s.army_at[army] for at in active):
                return None
        found = (why_not_to(s, army, at, 1) for army in self.free for at in active if at != s.army_at[army])
        return next(found, None) or Refusal("hw-move-5", "hw-no-army-in-reach")

    # ---- domains
    def march_to(self, name: str) -> Named:
        army = ATLAS.army_index[name]
        return destinations(self.s, army, total(self.s, army))

    def points_of(self, name: str) -> Amounts:
        at = ATLAS.army_index[name] * 5
        return Amounts(dict(zip(KINDS, self.s.strength[at : at + 5], strict=True)), least=1)

    def into(self, name: str, chosen: Points) -> Named:
        """Armies that can take the points: their spaces can be reached, and the rules let them mix."""
        s, army, number = self.s, ATLAS.army_index[name], count(chosen)
        start, near = s.army_at[army], within_reach(s, army, number).members

        def why(other: int) -> Refusal | None:
            """Why points may not go over to an army.  [hw-move-5]"""
            if other == army:
                return Refusal("hw-move-5", "hw-same-army", army=army_name(other))
            if other not in self.mine:
                return Refusal("hw-move-5", "hw-not-your-army", army=army_name(other))
            if s.idle[other]:
                return Refusal("hw-limit-1", "hw-army-unaligned", army=army_name(other))
            at = s.army_at[other]
            return (
                why_not_mixed(army_name(other), chosen, s.strength[other * 5 : other * 5 + 5])
                or italian.why_not_outside(s, army, at)
                or (None if at == start or at in near else why_not_to(s, army, at, number))
            )

        others = [other for other in self.mine if s.army_at[other] in near or s.army_at[other] == start]
        return Named([other for other in others if other != army and why(other) is None], ARMY_NAMES, why=why)

    def detach_to(self, name: str, chosen: Points) -> Domain:
        mixed = why_not_mixed(name, chosen)
        return (
            OneOf((), lambda to: mixed)
            if mixed
            else destinations(self.s, ATLAS.army_index[name], count(chosen), staying=True)
        )

    def new_at(self, name: str, chosen: Points, to: str) -> Named:
        """Counters for a new army in a space; the Italian one may not stand everywhere."""
        s, at = self.s, ATLAS.index[to]

        def why(army: int) -> Refusal | None:
            return self.why_new(army) or italian.why_not_outside(s, army, at)

        unused = [a for a in armies_of(self.side) if s.army_at[a] < 0]
        return Named([a for a in unused if italian.why_not_outside(s, a, at) is None], ARMY_NAMES, why=why)

    # ---- fields
    def armies(self) -> Field:
        return Field("army", "unit", Named(self.free, ARMY_NAMES, why=self.why_army))

    def march(self) -> tuple[Field, ...]:
        return self.armies(), Field("to", "space", self.march_to)

    def transfer(self) -> tuple[Field, ...] | Refusal:
        fields = self.armies(), Field("points", "amounts", self.points_of), Field("into", "unit", self.into)
        return self.why_nobody() or fields

    def detach(self) -> tuple[Field, ...]:
        points, to = Field("points", "amounts", self.points_of), Field("to", "space", self.detach_to)
        return self.armies(), points, to, Field("new", "unit", self.new_at)

    def landing(self) -> list[int]:
        """Armies with amphibious points."""
        return [a for a in self.free if self.s.strength[a * 5 + AMPH]]

    def convert(self) -> tuple[Field, ...]:
        s = self.s

        def why(army: int) -> Refusal:
            return self.why_army(army) or Refusal("hw-amph-3", "hw-no-amphibious", army=army_name(army))

        landing = Named(self.landing(), ARMY_NAMES, why=why)
        numbers = Field("number", "number", lambda name: Numbers(1, s.strength[ATLAS.army_index[name] * 5 + AMPH]))
        return Field("army", "unit", landing), numbers


_DONE = Offer(Done, rule="hw-move-7")
_CHAPTERS = (atlantic, fleet_movement, missiles, home_forces, leaders)
"""Other chapters with something to move."""
_NO_COUNTER = Offer(Detach, Refusal("hw-record-1", "hw-twelve-armies"), rule="hw-record-1")


class Movement(OwnTurn, frozen=True, tag="movement"):
    """A side re-arranges its strength points as it likes.  [hw-move-1] [hw-move-4] [hw-move-8] [hw-move-9]"""

    rule = "hw-move-1"

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        side = s.side
        moves, out = Moves(s, side), [_DONE]
        unused = s.army_at[side * ARMIES : side * ARMIES + ARMIES].count(-1)
        if unused < ARMIES:
            out.append(Offer(March, moves.march, rule="hw-move-2"))
            out.append(Offer(Transfer, moves.transfer, rule="hw-move-5"))
            out.append(Offer(Detach, moves.detach, rule="hw-move-6") if unused else _NO_COUNTER)
        amphibious = s.strength[side * ARMIES * 5 + AMPH : (side + 1) * ARMIES * 5 : 5]
        if any(amphibious) and s.setting.sea and moves.landing():
            out.append(Offer(Convert, moves.convert, rule="hw-amph-3"))
        for chapter in _CHAPTERS:
            out.extend(chapter.movement_offers(m, side))
        return out

    def take(self, m: M, role: str, action: object) -> None:
        s = m.state
        if isinstance(action, Done):
            m.replace(*(Overstacked(space, s.side) for space in overstacked(s, s.side)), Convoys())
        elif isinstance(action, March):
            army, to = ATLAS.army_index[action.army], ATLAS.index[action.to]
            march(m, army, to)
        elif isinstance(action, Transfer):
            into = ATLAS.army_index[action.into]
            move_points(m, ATLAS.army_index[action.army], action.points, into, s.army_at[into])
        elif isinstance(action, Detach):
            new = ATLAS.army_index[action.new]
            move_points(m, ATLAS.army_index[action.army], action.points, new, ATLAS.index[action.to])
        elif isinstance(action, Convert):
            army = ATLAS.army_index[action.army]
            add_points(s, army, AMPH, -action.number)
            add_points(s, army, INF, action.number)
            m.emit(Converted(army=action.army, number=action.number))
        else:
            assert any(chapter.take_movement(m, action) for chapter in _CHAPTERS), action


def march(m: M, army: int, to: int) -> None:
    """Move a whole army to another friendly space."""
    s = m.state
    start, side = s.army_at[army], army // 12
    seas = seas_for(s, side, start, to, total(s, army))
    assert not isinstance(seas, Refusal)
    carry(s, side, start, to, total(s, army), seas)
    if seas:
        for kind in range(5):
            log_voyage(s, army, army, kind, s.strength[army * 5 + kind], start, to, seas)
    s.army_at = put(s.army_at, army, to)
    m.emit(Moved(army=army_name(army), to=space_name(to)))


class MovementPhase(Step, frozen=True, tag="movement-phase"):
    """Armies without supply are marked, then the side moves.  [hw-unsupplied-3] [hw-fleetmove-1]"""

    rule = "hw-move-1"

    def run(self, m: M) -> None:
        s = m.state
        find_stuck(s, s.side)
        s.lifted = {}
        s.voyagers = {}
        s.lanes = {}
        s.crossed = 0
        m.replace(*fleet_movement.home_to_port(m), Movement())
