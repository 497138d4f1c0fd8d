"""Numbers worth a curve over the seasons, and where battles were fought: what the laboratory draws."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.core import Event

from ..model.atlas import ATLAS, NEUTRAL, SIDES
from ..model.events import BattleBegan
from ..model.kinds import AIR, GROUND, NAVAL
from ..model.state import AT_WAR, DEAD, W2State
from ..rules.collect import worth

A = ATLAS
K = ATLAS.kinds


def measures(state: W2State) -> Mapping[str, float]:
    """Of each side in the war: value of its land, money, land spaces, units by what they cost on land, in the air and
    at sea, flags held; and the value and money of each power."""
    found: dict[str, float] = {}
    value = [0.0] * (NEUTRAL + 1)
    held = [0] * (NEUTRAL + 1)
    for space in A.land:
        value[state.owner[space]] += worth(state, space)
        held[state.owner[space]] += 1
    strength = [[0.0, 0.0, 0.0] for _ in SIDES]
    for unit, space in enumerate(state.space):
        power, kind = state.power[unit], state.kind[unit]
        if space != DEAD and power < NEUTRAL and K.cls[kind] in (GROUND, AIR, NAVAL):
            strength[A.side[power]][(GROUND, AIR, NAVAL).index(K.cls[kind])] += K.cost[kind]
    for side, name in enumerate(SIDES):
        mine = [p for p in range(len(A.powers)) if A.side[p] == side and state.status[p] == AT_WAR]
        found[f"income.{name}"] = sum(value[p] for p in mine)
        found[f"money.{name}"] = float(sum(state.money[p] for p in mine))
        found[f"territory.{name}"] = float(sum(held[p] for p in mine))
        found[f"strength.{name}"], found[f"air.{name}"], found[f"ships.{name}"] = strength[side]
        found[f"flags.{name}"] = float(sum(state.owner[capital] in mine for capital in A.capital))
    for power, name in enumerate(A.powers):
        found[f"industry.{name}"] = value[power]
    return found


def battle_place(event: Event) -> str | None:
    """Return the space in which a battle or a raid on a space begins; a raid on a convoy has no one space."""
    if isinstance(event, BattleBegan) and event.space.startswith("@"):
        return event.space.removeprefix("@")
    return None
