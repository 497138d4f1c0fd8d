"""The movement phase: re-arranging strength points behind friendly lines.

Chapters 'Movement', 'Stacking', 'Strength Point Movement Across Seas', 'Activity Limitations'. A point moves from army
to army; armies are created to receive points and vanish when they are empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Amounts, Field, Numbers, Offer, OneOf, Refusal, Step

from . import fleet_moves, fleets_boxes, home_forces, italian, leaders, missiles
from .actions import Convert, Detach, Done, March, Points, Transfer
from .atlas import ALLIES, AMPH, ATLAS, AXIS, INF, KINDS, PARA, STACK
from .barred import Barred
from .control import SIBERIA, eliminate
from .events import Converted, Moved, PointsMoved
from .losses import Overstacked
from .rows import put
from .sealift import AMERICA, america_room, blockade, carry, open_seas, seas_for
from .state import (
    Playing,
    War,
    add_points,
    armies_of,
    army_name,
    has_sea,
    is_campaign,
    points,
    role_of,
    space_name,
    stacked,
    total,
)
from .territory import part_names, sea_labels
from .voyages import Convoys, log_voyage

_KIND = {name: number for number, name in enumerate(KINDS)}
FRANCE = ATLAS.countries[ATLAS.country_index["france"]].spaces


# ---- rules
def why_held(s: War, army: int) -> Refusal | None:
    """Armies that may not move at all.  [hw-unsupplied-3] [hw-limit-1] [hw-limit-3] [hw-bar-special-3]"""
    if s.stuck[army]:
        return Refusal("hw-unsupplied-3", "hw-army-unsupplied", army=army_name(army))
    if s.idle[army]:
        return Refusal("hw-limit-1", "hw-army-unaligned", army=army_name(army))
    if s.army_at[army] == SIBERIA and s.turn < ATLAS.turn("siberian_army"):
        rule = "hw-bar-special-3" if s.scenario == "barbarossa" else "hw-limit-3"
        return Refusal(rule, "hw-siberia-frozen", army=army_name(army))
    return None


def axis_in_france(s: War) -> bool:
    """At least one Axis strength point stands in mainland France."""
    return any(s.army_at[army] in FRANCE for army in armies_of(AXIS))


def why_not_to(s: War, army: int, to: int, number: int) -> Refusal | None:
    """The rule that keeps so many points of an army from going to a space.  [hw-move-2] [hw-limit-2]"""
    start = s.army_at[army]
    side = army // 12
    if side == ALLIES and is_campaign(s) and start in FRANCE and to not in FRANCE and axis_in_france(s):
        return Refusal("hw-limit-2", "hw-stay-in-france", to=space_name(to))
    refusal = italian.why_not_outside(s, army, to)
    if refusal is not None:
        return refusal
    seas = seas_for(s, side, start, to, number)
    return seas if isinstance(seas, Refusal) else None


def destinations(s: War, army: int, number: int) -> Sequence[str]:
    """Names of all spaces that so many points of an army can reach."""
    start, side = s.army_at[army], army // 12
    key = (side, s.owner, open_seas(s, side, number), blockade(s, side))
    labels = sea_labels(*key)
    if labels[start] < 0:
        return ()
    names = part_names(key, labels[start])
    here = ATLAS.names[start]
    held_in_france = side == ALLIES and start in FRANCE and is_campaign(s) and axis_in_france(s)
    over = number > america_room(s)
    if held_in_france or over or italian.is_bound(s, army):
        index = ATLAS.index
        return tuple(
            name
            for name in names
            if name != here
            and not (held_in_france and index[name] not in FRANCE)
            and not (over and (start in AMERICA or index[name] in AMERICA))
            and italian.why_not_outside(s, army, index[name]) is None
        )
    return tuple(name for name in names if name != here)


def why_not_mixed(s: War, into: int, chosen: Points) -> Refusal | None:
    """Paratroops and amphibious points never share an army.  [hw-parawater-2]"""
    moving = {_KIND[kind] for kind, _ in chosen}
    at = into * 5
    if (PARA in moving and (s.strength[at + AMPH] or AMPH in moving)) or (AMPH in moving and s.strength[at + PARA]):
        return Refusal("hw-parawater-2", "hw-para-amph", army=army_name(into))
    return None


def overstacked(s: War, side: int) -> list[int]:
    """Hexes of a side that hold more than ten points; boxes have no limit.  [hw-stack-1] [hw-stack-3]"""
    places = sorted({s.army_at[army] for army in armies_of(side) if s.army_at[army] >= 0})
    return [x for x in places if not ATLAS.is_box[x] and stacked(s, x) > STACK]


# ---- doing it
def count(chosen: Points) -> int:
    return sum(number for _, number in chosen)


def move_points(m: Playing, army: int, chosen: Points, into: int, to: int) -> None:
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


class Movement(Step, frozen=True, tag="movement"):
    """A side re-arranges its strength points at will.  [hw-move-1] [hw-move-4] [hw-move-8] [hw-move-9]"""

    rule = "hw-move-1"

    def roles(self, m: Playing) -> Sequence[str]:
        return (role_of(m.state.side),)

    def offers(self, m: Playing, role: str) -> Sequence[Offer]:
        s = m.state
        side = s.side
        mine = {army_name(a): a for a in armies_of(side) if s.army_at[a] >= 0}
        free = {name: a for name, a in mine.items() if why_held(s, a) is None}

        def why_army(name: str) -> Refusal | None:
            return why_held(s, mine[name]) if name in mine else Refusal("hw-move-1", "hw-not-your-army", army=name)

        reached: dict[tuple[int, int], Sequence[str]] = {}

        def reach(army: int, number: int) -> Sequence[str]:
            """Destinations by army and number: counting offers asks for the same ones again and again."""
            key = (army, number)
            if key not in reached:
                reached[key] = destinations(s, army, number)
            return reached[key]

        def march_to(name: str) -> OneOf:
            army = free[name]
            number = total(s, army)
            return OneOf(
                reach(army, number),
                lambda to: why_not_to(s, army, ATLAS.index[to], number) if to in ATLAS.index else None,
            )

        def points_of(name: str) -> Amounts:
            at = free[name] * 5
            return Amounts({kind: s.strength[at + k] for k, kind in enumerate(KINDS)}, least=1)

        def why_into(army: int, chosen: Points, into: str) -> Refusal | None:
            other = mine.get(into)
            if other is None or other == army:
                return Refusal("hw-move-5", "hw-not-your-army", army=into)
            if s.idle[other]:
                return Refusal("hw-limit-1", "hw-army-unaligned", army=into)
            at = s.army_at[other]
            return (
                why_not_mixed(s, other, chosen)
                or italian.why_not_into(s, army, other)
                or (why_not_to(s, army, at, count(chosen)) if at != s.army_at[army] else None)
            )

        def into(name: str, chosen: Points) -> OneOf:
            army = free[name]
            return OneOf([x for x in mine if why_into(army, chosen, x) is None], lambda x: why_into(army, chosen, x))

        unused = [army_name(a) for a in armies_of(side) if s.army_at[a] < 0]

        def detach_to(name: str, chosen: Points) -> OneOf:
            army = free[name]
            if {_KIND[kind] for kind, _ in chosen} >= {PARA, AMPH}:
                return OneOf((), lambda to: Refusal("hw-parawater-2", "hw-para-amph", army=name))
            names = (ATLAS.names[s.army_at[army]], *reach(army, count(chosen)))
            return OneOf(
                names, lambda to: why_not_to(s, army, ATLAS.index[to], count(chosen)) if to in ATLAS.index else None
            )

        def news(name: str, chosen: Points, to: str) -> OneOf:
            fit = [x for x in unused if italian.why_not_new(s, ATLAS.army_index[x], ATLAS.index[to]) is None]
            return OneOf(fit, lambda x: why_new(x) or italian.why_not_new(s, ATLAS.army_index[x], ATLAS.index[to]))

        def why_new(name: str) -> Refusal | None:
            if name not in ATLAS.army_index or ATLAS.army_index[name] // 12 != side:
                return Refusal("hw-move-6", "hw-not-your-army", army=name)
            return Refusal("hw-record-1", "hw-counter-in-use", army=name) if name in mine else None

        armies = OneOf(list(free), why_army)
        out = [Offer(Done, rule="hw-move-7")]
        if mine:
            out.append(Offer(March, Field("army", "unit", armies), Field("to", "space", march_to), rule="hw-move-2"))
            fields = (Field("army", "unit", armies), Field("points", "amounts", points_of))
            if len(mine) > 1:
                out.append(Offer(Transfer, *fields, Field("into", "unit", into), rule="hw-move-5"))
            if unused:
                new = Field("new", "unit", news if italian.is_on(s) else OneOf(unused, why_new))
                out.append(Offer(Detach, *fields, Field("to", "space", detach_to), new, rule="hw-move-6"))
            else:
                out.append(Barred(Detach, Refusal("hw-record-1", "hw-twelve-armies")))
        landing = [name for name, a in free.items() if s.strength[a * 5 + AMPH]]
        if landing and has_sea(s):
            out.append(
                Offer(
                    Convert,
                    Field("army", "unit", OneOf(landing, why_army)),
                    Field("number", "number", lambda name: Numbers(1, s.strength[free[name] * 5 + AMPH])),
                    rule="hw-amph-3",
                )
            )
        out.extend(fleets_boxes.movement_offers(m, side))
        out.extend(fleet_moves.movement_offers(m, side))
        out.extend(missiles.movement_offers(m, side))
        out.extend(home_forces.movement_offers(m, side))
        out.extend(leaders.movement_offers(m, side))
        return out

    def take(self, m: Playing, role: str, action: object) -> None:
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
            for chapter in (fleets_boxes, fleet_moves, missiles, home_forces, leaders):
                if chapter.take_movement(m, action):
                    return
            raise AssertionError(action)


def march(m: Playing, army: int, to: int) -> None:
    """Move a whole army to another friendly space."""
    s = m.state
    start, side = s.army_at[army], army // 12
    seas = seas_for(s, side, start, to, total(s, army))
    assert not isinstance(seas, Refusal)
    carry(s, side, start, to, total(s, army), seas)
    for kind in range(5):
        log_voyage(s, army, army, kind, s.strength[army * 5 + kind], start, to, seas)
    s.army_at = put(s.army_at, army, to)
    m.emit(Moved(army=army_name(army), to=space_name(to)))


__all__ = ["Movement", "destinations", "march", "move_points", "overstacked", "points", "why_held", "why_not_to"]
