"""Exact odds of an amphibious attack: the bombardment, the shore's answer, and the battle of those who landed."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ..facts.landings import landing_units
from ..facts.whereabouts import cargo
from ..model.atlas import ATLAS, NOBODY
from ..model.kinds import GROUND
from ..model.state import AMPHIBIOUS, M
from ..model.units import mark_all
from ..rules.battle_phase import Battle
from ..rules.fire import Shot, legal_targets
from ..rules.landings import bombard_shots, defence_shots, landing_ships
from ..rules.strength import Crossing, crossing_bonus
from .ladder import faces
from .rounds import Ends, ends_of
from .types import Counts, Types

K = ATLAS.kinds


def is_landing(battle: Battle) -> bool:
    """Whether troops are still to go ashore, and are not yet among the attackers."""
    return battle.landing and battle.phase == "begin"


def landing_ends(m: M, battle: Battle, most: int, *, bombards: bool = True) -> Ends:
    """How the landing and the battle after it may end; what the shore sinks counts as lost. Whom the bombardment hit
    still fires from the shore.

    Bombardment and shore defence come before anybody falls, so neither depends on the other's dice.
    [w2e-stage3-bombard] [w2e-stage3-shore-defense] [w2e-amphibious]
    """
    space, side = battle.space, battle.attacker
    ships = landing_ships(m, space, side)
    battle = replace(battle, round=max(1, battle.round))
    foes = battle.live(m, battle.dfn)
    guns = [u for u in battle.dfn if m.state.space[u] != NOBODY]
    ground = [u for u in foes if K.cls[m.state.kind[u]] == GROUND]
    dfn = Types(m, foes)
    left = volley(m, dfn, bombard_shots(m, space, side, ships) if ground and bombards else [])
    found: Ends = {}
    for chance, sunk, ashore in shore_defence(m, space, side, ships, defence_shots(m, guns)):
        with _Ashore(m, ashore):
            att = (*battle.live(m, battle.att), *ashore)
            landed = replace(battle, att=att, doomed=(), landing=True, crossing=Crossing(crossing_bonus(m, space, att)))
            for counts, share in left.items():
                hurt = copy.copy(dfn)
                hurt.start = counts
                fallen = dfn.worth(dfn.start) - dfn.worth(counts)
                for (name, lost, theirs), part in ends_of(m, landed, Types(m, att, takes=True), hurt, most).items():
                    key = (name, lost + sunk, theirs + fallen)
                    found[key] = found.get(key, 0.0) + chance * share * part
    return found


def volley(m: M, types: Types, dice: Sequence[Shot]) -> dict[Counts, float]:
    """What is left of a side after some dice, each hit taken as it falls."""
    found = {types.start: 1.0}
    for shot in dice:
        after: dict[Counts, float] = {}
        for counts, chance in found.items():
            for code, part in faces(shot):
                then = types.hit(m, counts, (code,)) if code else counts
                after[then] = after.get(then, 0.0) + chance * part
        found = after
    return found


def shore_defence(
    m: M, space: int, side: int, ships: Sequence[int], dice: Sequence[Shot]
) -> Iterator[tuple[float, int, list[int]]]:
    """By the number of hits: its chance, the worth of what sinks, and the troops that still land.

    The owner gives up the ship that is worth least with all it carries, transports last as the rule wants it.
    """
    number = [1.0]
    for shot in dice if ships else ():
        hit = sum(chance for code, chance in faces(shot) if code)
        number = [
            (number[n] * (1 - hit) if n < len(number) else 0.0) + (number[n - 1] * hit if n else 0.0)
            for n in range(len(number) + 1)
        ]
    code = next((code for shot in dice for code, _ in faces(shot) if code), 0)
    state, afloat, damage, sunk = m.state, list(ships), dict.fromkeys(ships, 0), 0

    def worth(ship: int) -> int:
        return K.cost[state.kind[ship]] + sum(K.cost[state.kind[u]] for u in cargo(state, ship))

    def price(ship: int) -> int:
        return worth(ship) - (state.damage[ship] + damage[ship] + 1 < K.hits[state.kind[ship]])

    for hits, chance in enumerate(number):
        if hits:
            legal = legal_targets(m, code, afloat)
            if legal:
                ship = min(legal, key=price)
                damage[ship] += 1
                if state.damage[ship] + damage[ship] >= K.hits[state.kind[ship]]:
                    sunk += worth(ship)
                    afloat.remove(ship)
        if chance > 0:
            yield chance, sunk, [u for u in landing_units(state, space, side) if state.cargo_of[u] in afloat]


class _Ashore:
    """The troops fight as those who come over the beach; afterwards all is as it was."""

    def __init__(self, m: M, units: Sequence[int]) -> None:
        self.m, self.units = m, units
        self.flags = m.state.flags

    def __enter__(self) -> None:
        mark_all(self.m.state, self.units, AMPHIBIOUS)

    def __exit__(self, *error: object) -> None:
        self.m.state.flags = self.flags
