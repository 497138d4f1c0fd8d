"""Where everybody stands, and what nobody may have, in whatever position."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from sandtable.core import Difference

from ..model.atlas import ALLIES, AXIS, NEUTRAL, NOBODY
from ..model.kinds import AIR, BASE, GROUND, NAVAL
from ..model.state import AT_WAR
from .position import LAND_LIMIT, SEA_POINTS, A, K, Position

_COLOURS = {
    "grey": "germany", "light green": "italy", "blue": "france", "tan": "great_britain", "green": "usa",
    "brown": "ussr",
}  # fmt: skip


def _colour(row: dict[str, Any]) -> int:
    word = str(row["colour"] or "").split(" (")[0]
    return A.power_index.get(_COLOURS.get(word, ""), NOBODY)


_COLOUR = [_colour(row) for row in A.data["spaces"].values()]


def tag(step: Any) -> str:
    return str(step.__struct_config__.tag)


def top(position: Position) -> Any:
    """The step that asks now."""
    return position.state.stack[-1] if position.state.stack else None


def check_position(position: Position) -> Iterator[Difference]:
    checks: tuple[Callable[[Position], Iterator[Difference]], ...] = (
        check_stacks, check_places, check_holds, check_control, check_sums, check_convoys, check_bases,
    )  # fmt: skip
    for check in checks:
        yield from check(position)


def check_stacks(position: Position) -> Iterator[Difference]:
    """L290: at most ten Stack Points of ground units for each side, always."""
    for space in position.rows:
        for side in (AXIS, ALLIES):
            total = position.points(space, side) if A.is_land[space] else 0
            if total > LAND_LIMIT and not A.blue[space]:
                what = f"Stack Points of one side in {A.names[space]}"
                yield Difference(what, "w2e-stack-ground", str(total), f"at most {LAND_LIMIT}")


def check_places(position: Position) -> Iterator[Difference]:
    """L334, L438, L1789, L1753: nobody is where they may not be."""
    state = position.state
    for space, row in position.rows.items():
        groups = set()
        for unit in row:
            kind, power = state.kind[unit], state.power[unit]
            cls = K.cls[kind]
            if (cls in (GROUND, BASE)) != A.is_land[space] and cls != AIR:
                what = f"where {position.name(unit)} may be"
                yield Difference(what, "w2e-unit-ground", A.names[space], "not there")
            if cls == GROUND and power != NEUTRAL and state.status[power] == AT_WAR:
                groups.add(A.group[power])
                owner = state.owner[space]
                if owner != power and not position.in_war(owner) and not state.vichy:
                    what = f"whether {position.name(unit)} may be in {A.names[space]}"
                    yield Difference(what, "w2e-neutral-no-entry", "yes", "no")
        if {1, 2} <= groups:
            what = f"whether Soviets and western Allies share {A.names[space]}"
            yield Difference(what, "w2e-ussr-separate", "yes", "no")


def check_holds(position: Position) -> Iterator[Difference]:
    """L513, L565: what ships carry."""
    state = position.state
    loads: dict[int, list[int]] = {}
    for unit, ship in enumerate(state.cargo_of):
        if ship >= 0 and state.space[unit] != NOBODY:
            loads.setdefault(ship, []).append(unit)
    for ship, units in loads.items():
        most = K.air_wing[state.kind[ship]] or (1 if state.kind[ship] == K.transport else 0)
        if len(units) > most or state.space[ship] == NOBODY:
            rule = "w2e-unit-carrier-wing" if K.air_wing[state.kind[ship]] else "w2e-unit-transport-cargo"
            yield Difference(f"loads of {position.name(ship)}", rule, str(len(units)), f"at most {most}")


def check_control(position: Position) -> Iterator[Difference]:
    """L36: nobody but the USSR controls land of an ally's colour while that ally is in the game."""
    state = position.state
    for space in A.land:
        owner, colour = state.owner[space], _COLOUR[space]
        if owner in (NEUTRAL, A.ussr) or colour in (NOBODY, owner) or A.group[owner] != A.group[colour]:
            continue
        if state.status[colour] == AT_WAR and state.status[owner] == AT_WAR:
            yield Difference(f"who controls {A.names[space]}", "w2e-control-ally-colour",
                             A.powers[owner], A.powers[colour])  # fmt: skip


def check_sums(position: Position) -> Iterator[Difference]:
    """L712, L1577: points and gifts; nobody owes money."""
    state = position.state
    for power, name in enumerate(A.powers):
        if not 0 <= state.rps[power] <= 10:
            yield Difference(f"Redeployment Points of {name}", "w2e-rp-limits", str(state.rps[power]), "0 to 10")
        if state.money[power] < 0:
            yield Difference(f"dollars of {name}", "w2e-buy", str(state.money[power]), "0 or more")
        if max(state.given[power], state.received[power]) > 20:
            yield Difference(f"gifts of {name}", "w2e-gift", str(state.given[power]), "at most 20")


def check_convoys(position: Position) -> Iterator[Difference]:
    """L1510, L574: a line goes by sea from port to port, in stretches of ten points; no convoy without a transport."""
    step = top(position)
    for convoy in position.state.convoys:
        name, points = f"convoy {convoy.number}", 0
        for here, there in pairwise(convoy.route):
            cost = min((cost for space, cost, _ in A.sea_links[here] if space == there), default=SEA_POINTS + 1)
            points = cost + (0 if A.is_port[here] else points)
            if points > SEA_POINTS:
                what = f"points of {name} to {A.names[there]}"
                yield Difference(what, "w2e-convoy-sea-leg", str(points), f"at most {SEA_POINTS}")
        if not A.is_port[convoy.route[0]] or not A.is_port[convoy.route[-1]]:
            yield Difference(f"the ends of {name}", "w2e-convoy-start", "at sea", "two ports")
        if step is not None and tag(step) == "declarations" and not position.transports(convoy.number):
            yield Difference(f"transports of {name}", "w2e-convoy-cancel", "0", "at least 1")


def check_bases(position: Position) -> Iterator[Difference]:
    """L1372: when war is declared ships lie in friendly ports and planes on friendly bases.

    How much a base holds (L295, L300) is a matter of the end of a turn: what an armistice drives away may come on top.
    """
    state = position.state
    step = top(position)
    if step is None or tag(step) != "declarations" or not state.turn or state.attacked:
        return
    for space, row in position.rows.items():
        for unit in row:
            kind, power = state.kind[unit], state.power[unit]
            if K.cls[kind] not in (AIR, NAVAL) or power == NEUTRAL or state.status[power] != AT_WAR:
                continue
            home = position.friendly(space, power) and (A.is_port[space] or position.is_airfield(space))
            if not home or (K.cls[kind] == NAVAL) != A.is_port[space]:
                what = f"whether {position.name(unit)} has a base in {A.names[space]}"
                yield Difference(what, "w2e-stage4", "yes", "no")
