"""The movement phase: a side re-arranges its strength points, and what else moves with them."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Amounts, Barren, Field, Late, Numbers, Offer, OneOf, Refusal, Step
from sandtable.core.columns import put

from ..facts.territory import territory
from ..model.actions import Convert, Detach, Done, March, Points, Transfer
from ..model.atlas import AMPH, ARMIES, ATLAS, INF, KINDS, PARA
from ..model.events import Converted, Moved, PointsMoved
from ..model.state import M, OwnTurn, War, add_points, armies_of, army_name, space_name, total
from . import home_forces, italian, leaders
from .control import eliminate
from .losses import Overstacked
from .movement import _KIND, count, destinations, holds, overstacked, why_held, why_not_mixed
from .naval import fleet_movement
from .sealift import carry, seas_for
from .spaces import PartOfMap
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
        k = _KIND[kind]
        log_voyage(s, army, into, k, amount, start, to, seas)
        add_points(s, army, k, -amount)
        add_points(s, into, k, amount)
        where = space_name(to)
        m.emit(PointsMoved(army=army_name(army), number=amount, kind=f"@{kind}", into=army_name(into), to=where))
    s.army_at = put(s.army_at, into, to)
    if total(s, army) == 0:
        eliminate(m, army)


class Moves:
    """What a side may do with its armies now: the domains of marching, handing over and detaching."""

    __slots__ = ("free", "mine", "s", "side")

    def __init__(self, s: War, side: int) -> None:
        self.s, self.side = s, side
        places, names = s.army_at, ATLAS.army_names
        self.mine = {names[a]: a for a in armies_of(side) if places[a] >= 0}
        """The side's armies in play by name."""
        self.free = {name: a for name, a in self.mine.items() if not holds(s, a)}

    def unused(self) -> list[str]:
        places = self.s.army_at
        return [army_name(a) for a in armies_of(self.side) if places[a] < 0]

    def why_army(self, name: str) -> Refusal | None:
        if name in self.mine:
            return why_held(self.s, self.mine[name])
        return Refusal("hw-move-1", "hw-not-your-army", army=name)

    def march_to(self, name: str) -> OneOf | PartOfMap:
        army = self.free[name]
        return destinations(self.s, army, total(self.s, army))

    def points_of(self, name: str) -> Amounts:
        at = self.free[name] * 5
        return Amounts(dict(zip(KINDS, self.s.strength[at : at + 5], strict=True)), least=1)

    def into(self, name: str, chosen: Points) -> OneOf:
        """Armies that can take the points: their spaces can be reached, and the rules let them mix."""
        s, army, mine = self.s, self.free[name], self.mine
        goals = destinations(s, army, count(chosen), staying=True)

        def why(into: str) -> Refusal | None:
            """Why points may not go over to an army.  [hw-move-5]"""
            other = mine.get(into, army)
            if other == army:
                return Refusal("hw-move-5", "hw-not-your-army", army=into)
            if s.idle[other]:
                return Refusal("hw-limit-1", "hw-army-unaligned", army=into)
            at = ATLAS.names[s.army_at[other]]
            return (
                why_not_mixed(s, other, chosen)
                or italian.why_not_outside(s, army, s.army_at[other])
                or (None if at in goals else goals.why(at))
            )

        return OneOf([one for one in mine if why(one) is None], why)

    def can_hand_over(self) -> bool:
        """Whether any two armies stand so that a point could go from one to the other."""
        s, side = self.s, self.side
        land = territory(s, side).land.labels
        active = [s.army_at[a] for a in self.mine.values() if not s.idle[a]]
        if len({land[at] for at in active}) < len(active):
            return True
        names = ATLAS.names
        for army in self.free.values():
            reach = destinations(s, army, 1)
            if any(names[at] in reach for at in active):
                return True
        return False

    def detach_to(self, name: str, chosen: Points) -> OneOf | PartOfMap:
        kinds = [kind for kind, _ in chosen]
        if KINDS[PARA] in kinds and KINDS[AMPH] in kinds:
            return OneOf((), lambda to: Refusal("hw-parawater-2", "hw-para-amph", army=name))
        return destinations(self.s, self.free[name], count(chosen), staying=True)

    def news(self, name: str, chosen: Points, to: str) -> OneOf:
        """Counters for a new army where the Italian one may not stand everywhere."""
        s, at = self.s, ATLAS.index[to]
        fit = [x for x in self.unused() if italian.why_not_outside(s, ATLAS.army_index[x], at) is None]
        return OneOf(fit, lambda x: self.why_new(x) or italian.why_not_outside(s, ATLAS.army_index[x], at))

    # ---- the fields of its offers
    def armies(self) -> Field:
        return Field("army", "unit", OneOf(list(self.free), self.why_army))

    def march_fields(self) -> tuple[Field, ...]:
        return self.armies(), Field("to", "space", self.march_to)

    def transfer_fields(self) -> tuple[Field, ...]:
        return self.armies(), Field("points", "amounts", self.points_of), Field("into", "unit", self.into)

    def detach_fields(self) -> tuple[Field, ...]:
        new = self.news if italian.is_on(self.s) else OneOf(self.unused(), self.why_new)
        return (
            self.armies(),
            Field("points", "amounts", self.points_of),
            Field("to", "space", self.detach_to),
            Field("new", "unit", new),
        )

    def convert_fields(self, landing: list[str]) -> tuple[Field, ...]:
        s, free = self.s, self.free
        return (
            Field("army", "unit", OneOf(landing, self.why_army)),
            Field("number", "number", lambda name: Numbers(1, s.strength[free[name] * 5 + AMPH])),
        )

    def why_new(self, name: str) -> Refusal | None:
        if name not in ATLAS.army_index or ATLAS.army_index[name] // 12 != self.side:
            return Refusal("hw-move-6", "hw-not-your-army", army=name)
        return Refusal("hw-record-1", "hw-counter-in-use", army=name) if name in self.mine else None


_DONE = Offer(Done, rule="hw-move-7")


_NO_COUNTER = Offer(Detach, Refusal("hw-record-1", "hw-twelve-armies"), rule="hw-record-1")


class Movement(OwnTurn, frozen=True, tag="movement"):
    """A side re-arranges its strength points at will.  [hw-move-1] [hw-move-4] [hw-move-8] [hw-move-9]"""

    rule = "hw-move-1"

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        side = s.side
        moves = Moves(s, side)
        mine, free = moves.mine, moves.free
        out: list[Offer] = [_DONE]
        if mine:
            out.append(Offer(March, moves.march_fields, rule="hw-move-2"))
            if len(mine) > 1:
                kind = Late if moves.can_hand_over() else Barren
                out.append(kind(Transfer, moves.transfer_fields, rule="hw-move-5"))
            if -1 in s.army_at[side * ARMIES : side * ARMIES + ARMIES]:
                out.append(Offer(Detach, moves.detach_fields, rule="hw-move-6"))
            else:
                out.append(_NO_COUNTER)
        landing = [name for name, a in free.items() if s.strength[a * 5 + AMPH]] if s.setting.sea else ()
        if landing:
            out.append(Offer(Convert, lambda: moves.convert_fields(landing), rule="hw-amph-3"))
        out.extend(atlantic.movement_offers(m, side))
        out.extend(fleet_movement.movement_offers(m, side))
        out.extend(missiles.movement_offers(m, side))
        out.extend(home_forces.movement_offers(m, side))
        out.extend(leaders.movement_offers(m, side))
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
            for chapter in (atlantic, fleet_movement, missiles, home_forces, leaders):
                if chapter.take_movement(m, action):
                    return
            raise AssertionError(action)


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
