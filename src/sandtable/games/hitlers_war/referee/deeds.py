"""What a decision did, recomputed: dice, losses, captures, isolation, income and spending."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from sandtable.core import Action, Difference, Event, Rolled
from sandtable.core.columns import having, put

from ..model.actions import Advance, Assault, Build, DefensiveAssault, Exploit, Fortify, Lend, Partisans, Repair
from ..model.atlas import ALLIES, ATLAS, AXIS, FIREPOWER, KINDS, NOBODY, PARA, SIDES, SOVIET
from ..model.events import (
    Absorbed,
    Advanced,
    ArmyGone,
    Budget,
    Captured,
    Converted,
    Defected,
    Devastated,
    Fired,
    Joined,
    Peace,
    PointLost,
    PointsMoved,
    Raised,
    Repulsed,
    Surrendered,
)
from ..model.state import AIRDROP, INVASION, ITALY_BEATEN, PEACE_ACCEPTED, War
from .board import Board, differs, say
from .combat import added, advance_added, assault, defensive, range_of, way
from .economy import sixths

_PHASE = ("combat", "announce", "attacks", "combat-end", "isolation")


def tags(s: War) -> list[str]:
    return [str(step.__struct_config__.tag) for step in s.stack]  # type: ignore[attr-defined]


def check_deed(before: War, action: Action, after: War, events: Sequence[Event]) -> Iterator[Difference]:
    """Everything the referee can say about one decision."""
    board = Board(before)
    if isinstance(action, (Assault, DefensiveAssault)):
        yield from _fire(board, action, events)
    yield from _advance(board, action, after, events)
    yield from _spending(board, action, after)
    yield from _control(before, after, events)
    yield from _strength(before, after, events)
    yield from _end_of_combat(before, after, events)
    for event in events:
        if isinstance(event, Budget):
            yield from _income(before, after, event)


# ---- fire
def _fire(board: Board, action: Assault | DefensiveAssault, events: Sequence[Event]) -> Iterator[Difference]:
    """Strength, die and losses of an assault, and what the fort takes of them (290, 701, 1068)."""
    s, space = board.s, ATLAS.index[action.at]
    armies = tuple(ATLAS.army_index[name] for name in action.units if name in ATLAS.army_index)
    attack = isinstance(action, Assault)
    target = ATLAS.index[action.target] if isinstance(action, Assault) else space
    air, ground = (
        assault(board, armies, target, action.air) if attack else defensive(board, space, action.units, action.air)
    )
    side = armies[0] // 12 if armies else board.keeper(space)
    plus = added(board, side, space, armies, attack=attack)
    wanted = [10] * (air // 10) + [air % 10] * bool(air % 10) + [min(10, ground)] * bool(ground)
    shots = [event for event in events if isinstance(event, Fired)][: len(wanted)]
    what = f"fire from {action.at}"
    yield from differs(f"{what}: strengths", "hw-assault-3", [shot.strength for shot in shots], wanted)
    for shot in shots:
        yield from differs(f"{what}: modified die of {shot.die}", "hw-winter-1", shot.modified, shot.die + plus)
        losses = FIREPOWER[max(1, min(7, shot.die + plus))][shot.strength]
        yield from differs(f"{what}: losses", "hw-firepower-table", shot.losses, losses)
    if attack and ground:
        room = s.fort.get(target, 0) - s.absorbed.get(target, 0)
        told = sum(event.number for event in events if isinstance(event, Absorbed))
        yield from differs(
            f"{what}: losses that the fort absorbs", "hw-fort-9", told, max(0, min(room, shots[-1].losses))
        )


# ---- advances
def _advance(board: Board, action: Action, after: War, events: Sequence[Event]) -> Iterator[Difference]:
    """The range and the die of an advance, and that a taken hex is the army's (314, 322, 336)."""
    s = board.s
    for place, event in enumerate(events):
        if not isinstance(event, (Advanced, Repulsed)):
            continue
        a, target = ATLAS.army_index[event.army], ATLAS.index[event.to]
        what = f"advance of {event.army} into {event.to}"
        if isinstance(event, Advanced) and s.owner[target] != a // 12:
            taken = any(isinstance(e, Captured) and e.at == event.to for e in events[place:])
            yield from differs(f"{what}: captured", "hw-advance-7", taken, True)
        if any(isinstance(e, (Fired, PointLost, Advanced, Repulsed)) for e in events[:place]):
            return  # the position has changed since
        mode = s.mode[a]
        if isinstance(action, Exploit):
            mode = way(board, a, target)
        drop = action.paradrop if isinstance(action, Advance) else 0
        if not isinstance(action, Advance) and mode == AIRDROP:
            drop = board.row(a)[PARA]
        if mode == INVASION and s.owner[target] == a // 12:
            return  # no die
        if s.leader[a] == 1:
            return  # its marker is turned over first
        yield from differs(f"{what}: highest die", "hw-advance-3", event.needed, range_of(board, a, target, mode, drop))
        die = [e.value for e in events[:place] if isinstance(e, Rolled)][-1]
        plus = advance_added(board, a, target)
        yield from differs(f"{what}: what is added to the die", "hw-advance-10", event.modified - die, plus)
        success = event.needed > 0 and event.modified <= event.needed
        yield from differs(f"{what}: success", "hw-advance-2", isinstance(event, Advanced), success)


# ---- spending
def _spending(board: Board, action: Action, after: War) -> Iterator[Difference]:
    """What builds, forts, repairs, gifts and partisans cost (424, 436, 682, 717, 1208)."""
    s = board.s
    if isinstance(action, Build):
        price = -(-sixths(board, action.kind) * action.number // 6)
    elif isinstance(action, Fortify):
        price = -(-sixths(board, "fort") * action.number // 6)
    elif isinstance(action, Repair):
        price = 3 * action.number
        left = s.devastated[ATLAS.index[action.at]] - action.number
        yield from differs("damage left", "hw-repair-2", after.devastated.get(ATLAS.index[action.at], 0), left)
    elif isinstance(action, Lend):
        price = action.number
    elif isinstance(action, Partisans):
        price = 2
    else:
        return
    yield from differs(f"the price of {action}", "hw-build-2", s.budget - after.budget, price)


def _income(before: War, after: War, event: Budget) -> Iterator[Difference]:
    """A production phase begins: what its side may spend."""
    side = SIDES.index(event.side.removeprefix("@"))
    points = Board(after).income(side)
    points += before.lent if side == SOVIET else 0
    points -= before.raided if side == ALLIES else 0
    extra = int(before.options.get("handicap", 0))
    if before.turn == before.setting.first_turn and (side == AXIS) == (extra > 0):
        points += abs(extra)
    yield from differs(f"what {SIDES[side]} may spend", "hw-prod-1", event.points, max(0, points))


# ---- books
def _replayed(before: War, events: Sequence[Event]) -> War:
    """Return the position before with the holders and damage that the events tell."""
    s = msgspec.structs.replace(before)
    for event in events:
        if isinstance(event, Captured):
            name = event.side.removeprefix("@")
            s.owner = put(s.owner, ATLAS.index[event.at], SIDES.index(name) if name in SIDES else NOBODY)
            s.partisans = {x: side for x, side in s.partisans.items() if x != ATLAS.index[event.at]}
        elif isinstance(event, Joined):
            side = SIDES.index(event.side.removeprefix("@"))
            for space in ATLAS.groups[ATLAS.country_index[event.country.removeprefix("@")]]:
                if s.owner[space] == NOBODY:
                    s.owner = put(s.owner, space, side)
        elif isinstance(event, Devastated):
            space = ATLAS.index[event.at]
            s.devastated = having(s.devastated, space, s.devastated.get(space, 0) + event.number)
        elif isinstance(event, Peace) and event.accepted:
            s.peace = PEACE_ACCEPTED
        elif isinstance(event, Surrendered) and event.country == "@italy":
            s.italy = ITALY_BEATEN
        elif isinstance(event, Surrendered) and event.country == "@france":
            s.surrendered = put(s.surrendered, ATLAS.country_index["france"], 1)
    return s


def _control(before: War, after: War, events: Sequence[Event]) -> Iterator[Difference]:
    """No space changes hands untold."""
    if after.outcome is not None:
        return
    told = _replayed(before, events).owner
    silent = {x for x in ATLAS.land if told[x] != after.owner[x]}
    if silent:
        yield Difference("spaces that changed hands untold", "hw-control-2", say(silent), "none")


def _strength(before: War, after: War, events: Sequence[Event]) -> Iterator[Difference]:
    """The points of every army are those before, changed as the events tell."""
    rows = list(before.strength)
    for event in events:
        if isinstance(event, PointLost) and event.unit in ATLAS.army_index:
            rows[ATLAS.army_index[event.unit] * 5 + KINDS.index(event.kind.removeprefix("@"))] -= 1
        elif isinstance(event, PointsMoved):
            kind = KINDS.index(event.kind.removeprefix("@"))
            rows[ATLAS.army_index[event.army] * 5 + kind] -= event.number
            rows[ATLAS.army_index[event.into] * 5 + kind] += event.number
        elif isinstance(event, Raised):
            rows[ATLAS.army_index[event.army] * 5 + KINDS.index(event.kind.removeprefix("@"))] += event.number
        elif isinstance(event, Converted):
            at = ATLAS.army_index[event.army] * 5
            rows[at] += event.number
            rows[at + KINDS.index("amphibious")] -= event.number
        elif isinstance(event, ArmyGone):
            at = ATLAS.army_index[event.army] * 5
            rows[at : at + 5] = [0] * 5
    for a in range(36):
        neutral = before.idle[a] or after.idle[a]  # the army of an attacked neutral changes its counter
        if not neutral and tuple(rows[a * 5 : a * 5 + 5]) != after.strength[a * 5 : a * 5 + 5]:
            name = ATLAS.army_names[a]
            yield from differs(
                f"strength of {name}", "hw-record-2", after.strength[a * 5 : a * 5 + 5], tuple(rows[a * 5 : a * 5 + 5])
            )


# ---- the end of a combat phase
def _is_later(s: War, event: Event, lost: set[str]) -> bool:
    """Whether an event comes after the test for supply: what it took, the budget, Italy's entry in production (849)."""
    if isinstance(event, Captured):
        return event.at in lost
    joins = isinstance(event, Joined) and s.side == AXIS and event.country == "@italy" and event.side == "@axis"
    return joins or isinstance(event, Budget)


def _end_of_combat(before: War, after: War, events: Sequence[Event]) -> Iterator[Difference]:
    """Who surrenders, and what is lost for want of supply (404-406, 887-945)."""
    over = any(tag in _PHASE for tag in tags(before)) and not any(tag in _PHASE for tag in tags(after))
    if not over or after.outcome is not None:
        return
    lost = {event.at for event in events if isinstance(event, Defected)}
    cuts = (n for n, event in enumerate(events) if _is_later(before, event, lost))
    first = next(cuts, len(events))
    then = _replayed(before, events[:first])
    mine = {ATLAS.names[x] for x in Board(then).isolated(before.side)}
    yield from differs("what is lost for want of supply", "hw-unsupplied-2", lost, mine)
    fallen = {event.country for event in events if isinstance(event, Surrendered)}
    if then.setting.politics and before.side == AXIS:
        for country, capitals in (("france", ("N7",)), ("great_britain", ("P7", "Q7"))):
            due = all(then.owner[ATLAS.index[x]] == AXIS for x in capitals)
            done = f"@{country}" in fallen or bool(before.surrendered[ATLAS.country_index[country]])
            if due and not done:
                yield Difference(f"whether {country} surrenders", f"hw-surr-{country}-1", "no", "yes")
