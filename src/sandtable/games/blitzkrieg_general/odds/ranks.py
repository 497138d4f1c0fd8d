"""The ranks of a Blitzkrieg General battle for any losses of both sides: who is there, where they stand, how they fire.

Everything about strength, placement and volleys is asked of the game. A side stands as one byte per unit that took
part: 2 whole, 1 flipped or one-step, 0 lost, and 128 more when it has left the battle. Bytes know their hash, and here
everything is looked up by what both sides have left.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from ..model.atlas import ATLAS
from ..model.state import AT_AIR, AT_LAND, AT_SHIPS, AT_SUBS, LAND_BATTLE, Battle, BKState, strength
from ..rules.chart import army, flyers, land_units, set_aims, steps_left
from ..rules.fire import shots_of, volley
from ..rules.strength import effective, extra_dice, fortress_holds
from .ahead import Price, price
from .lines import LEFT, NOWHERE, Aims, Both, Hits, Line, Shooter, Side

_ORDER = (AT_SHIPS, AT_SUBS, AT_AIR, AT_LAND)
VOLLEYS = [0, 1, 2]
THERE = bytes(0 < now < LEFT for now in range(256))
"""Steps of a unit -> whether it is in the battle, for `bytes.translate`."""
Seen = tuple[int, bool, frozenset[int]]
"""Of a side: how many flyers, whether land units, which types."""


class Ranks:
    """The chart of one battle: who stands where and fires with what, whatever both sides have lost."""

    def __init__(self, state: BKState, battle: Battle, clone: BKState) -> None:
        self.state = clone
        self.battle = replace(battle, hits=(0,) * 8)
        self.state.battle = self.battle
        self.units = (tuple(battle.attackers), tuple(battle.defenders))
        self.start: Both = (
            bytes(steps_left(state, u) for u in self.units[0]),
            bytes(steps_left(state, u) for u in self.units[1]),
        )
        self.invaders = list(battle.invaders)
        self._flipped = list(state.flipped)
        self._type = tuple(tuple(ATLAS.type[u] for u in row) for row in self.units)
        self._flies = tuple(tuple(bool(flyers([u])) for u in row) for row in self.units)
        self._lands = tuple(tuple(bool(land_units([u])) for u in row) for row in self.units)
        self._facts: tuple[dict[Side, Seen], dict[Side, Seen]] = ({}, {})
        self._rooms: dict[object, Hits] = {}
        self._targets: dict[object, tuple[tuple[int, ...], ...]] = {}
        self._worth: dict[object, int] = {}
        self._up: dict[tuple[int, Aims], bool] = {}
        self._outlines: dict[tuple[int, Side], bytes] = {}
        self._fort: dict[Side, bool] = {}
        self._afters: dict[object, dict[tuple[Side, int], float]] = {}
        self._aims: dict[object, Aims] = {}
        self._lines: dict[object, Line] = {}
        self._fires: dict[tuple[Shooter, ...], int] = {}
        self._losses: dict[object, Side] = {}
        self._values: dict[tuple[int, Side], float] = {}
        self.dice = tuple(2 * sum(ATLAS.shots[u] for u in row) + len(extra_dice(state, battle)) for row in self.units)
        """More than a side ever throws in a round: a card doubles the shots of some."""
        self._prices = self._list_prices()
        self.load(*self.start)
        fires = [{unit for _, unit in volley(self.state, self.battle, n)} for n in VOLLEYS]
        self._fires_in = tuple(tuple([u in row for row in fires].index(True) for u in row) for row in self.units)
        """The volley of each unit: losses do not change it."""
        self.volleys = [n for n in VOLLEYS if n == VOLLEYS[-1] or fires[n]]
        """The volleys in which anybody can fire."""
        self._shots = tuple(tuple(shots_of(self.state, self.battle, u) for u in row) for row in self.units)

    def _list_prices(self) -> tuple[tuple[dict[int, Price], ...], ...]:
        """By side and unit what it costs its owner to hit it, by the steps that it has left."""
        out: tuple[tuple[dict[int, Price], ...], ...] = tuple(tuple({} for _ in row) for row in self.units)
        reduced = (bytes(min(now, 1) for now in self.start[0]), bytes(min(now, 1) for now in self.start[1]))
        for both in (reduced, self.start):
            self.load(*both)
            for units, steps, row in zip(self.units, both, out, strict=True):
                for unit, now, prices in zip(units, steps, row, strict=True):
                    prices[now] = price(self.state, unit)
        return out

    # ---- laying out
    def load(self, a: Side, d: Side) -> None:
        """Put what is left of both sides on the chart."""
        flipped = self._flipped
        for units, start, steps in zip(self.units, self.start, (a, d), strict=True):
            for unit, first, now in zip(units, start, steps, strict=True):
                if first == 2:
                    flipped[unit] = int(now & 127 == 1)
        self.state.flipped = tuple(flipped)
        attackers = tuple([u for u, now in zip(self.units[0], a, strict=True) if 0 < now < LEFT])
        defenders = tuple([u for u, now in zip(self.units[1], d, strict=True) if 0 < now < LEFT])
        invaders = tuple([u for u in self.invaders if u in attackers])
        self.battle = replace(self.battle, attackers=attackers, defenders=defenders, invaders=invaders)

    def stand(self, aims: tuple[Aims, Aims]) -> None:
        """Put everybody on the chart where these say."""
        aim_of = {
            unit: aim
            for units, row in zip(self.units, aims, strict=True)
            for unit, aim in zip(units, row, strict=True)
            if aim != NOWHERE
        }
        self.battle = replace(self.battle, aim=aim_of)

    def flies(self, side: int, steps: Side) -> int:
        """How many flyers a side has in the battle."""
        return self._seen(side, steps)[0]

    def lands(self, side: int, steps: Side) -> bool:
        """Whether a side has land units in the battle."""
        return self._seen(side, steps)[1]

    def power(self, side: int, steps: Side) -> float:
        """Printed strength of what a side has in the battle."""
        key = (side, steps)
        if key not in self._values:
            self.load(*((steps, self.start[1]) if side == 0 else (self.start[0], steps)))
            self._values[key] = sum(strength(self.state, u) for u in army(self.battle, side))
        return self._values[key]

    def without_flyers(self, side: int, steps: Side) -> Side:
        """The side when its flyers have left."""
        return bytes(now | LEFT if flies and now else now for flies, now in zip(self._flies[side], steps, strict=True))

    # ---- who fires
    def aims(self, a: Side, d: Side, chosen: Mapping[int, int] | None = None) -> tuple[Aims, Aims]:
        """Where everybody stands when a round begins: where the game puts them, or where they chose to stand.

        What the game takes from the other side for it is how many flyers and which types it has, and land units.
        """
        if chosen is not None:
            self.load(a, d)
            self.battle = replace(self.battle, aim=chosen)
            return self._where(0), self._where(1)
        keys = [
            ("aims", side, self._outline(side, own), self._seen(1 - side, foe))
            for side, own, foe in ((0, a, d), (1, d, a))
        ]
        if not all(key in self._aims for key in keys):
            self.load(a, d)
            self.battle = set_aims(self.state, self.battle)
            for side in (0, 1):
                self._aims[keys[side]] = self._where(side)
        return self._aims[keys[0]], self._aims[keys[1]]

    def _outline(self, side: int, steps: Side) -> bytes:
        """What a side's own placement depends on: who is there, and which of its flyers are reduced."""
        known = self._outlines.get((side, steps))
        if known is None:
            row = zip(steps, self._flies[side], strict=True)
            known = bytes([now if flies or not 0 < now < LEFT else 1 for now, flies in row])
            self._outlines[side, steps] = known
        return known

    def _where(self, side: int) -> Aims:
        there = set(army(self.battle, side))
        return bytes(self.battle.aim.get(u, NOWHERE) if u in there else NOWHERE for u in self.units[side])

    def _seen(self, side: int, steps: Side) -> Seen:
        """What the other side's placement and strength depend on: flyers, land units, types."""
        facts = self._facts[side]
        known = facts.get(steps)
        if known is None:
            there = steps.translate(THERE)
            known = facts.get(there)
            if known is None:
                types = frozenset(kind for kind, here in zip(self._type[side], there, strict=True) if here)
                flies = sum(1 for flies, here in zip(self._flies[side], there, strict=True) if flies and here)
                lands = any(lands and here for lands, here in zip(self._lands[side], there, strict=True))
                known = facts[there] = (flies, lands, types)
            facts[steps] = known
        return known

    def _is_up(self, side: int, aims: Aims) -> bool:
        """Whether a flyer of a side fights in the air: some aircraft are stronger against such."""
        known = self._up.get((side, aims))
        if known is None:
            known = any(flies and aim == AT_AIR for flies, aim in zip(self._flies[side], aims, strict=True))
            self._up[side, aims] = known
        return known

    def lines(self, a: Side, d: Side, aims: tuple[Aims, Aims], number: int) -> tuple[Line, Line]:
        """What both sides fire with in a volley."""
        facts = (self._fortress(a, d), self._cards(a, d))
        made: list[Line] = []
        for side, own, foe in ((0, a, d), (1, d, a)):
            against = (side, self._seen(1 - side, foe), self._is_up(1 - side, aims[1 - side]), facts)
            key = (own, aims[side], number, against)
            known = self._lines.get(key)
            if known is None:
                known = self._lines[key] = self._line(
                    aims[side], tuple(self._shooters((a, d), aims, side, number, against))
                )
            made.append(known)
        return made[0], made[1]

    def _line(self, aims: Aims, shooters: tuple[Shooter, ...]) -> Line:
        by_aim: tuple[list[int], ...] = ([], [], [], [])
        for one in shooters:
            by_aim[one.aim].extend([one.value] * one.shots)
        values = tuple(tuple(sorted(row)) for row in by_aim)
        return Line(aims, shooters, self._fires.setdefault(shooters, len(self._fires)), values)

    def _fortress(self, a: Side, d: Side) -> bool:
        """Whether a fortress helps; it depends on the attackers alone."""
        if a not in self._fort:
            self.load(a, d)
            self._fort[a] = fortress_holds(self.state, self.battle)
        return self._fort[a]

    def _cards(self, a: Side, d: Side) -> tuple[tuple[str, int], ...]:
        """Dice that cards give the defenders of a coast."""
        if not self.battle.coastal:
            return ()
        self.load(a, d)
        return tuple(extra_dice(self.state, self.battle))

    def _shooters(
        self, both: Both, aims: tuple[Aims, Aims], side: int, number: int, against: tuple[Any, ...]
    ) -> list[Shooter]:
        """Who of a side fires in a volley, in the order of the game."""
        lined_up: list[tuple[int, int, int, int]] = []
        for place, (now, aim, turn) in enumerate(zip(both[side], aims[side], self._fires_in[side], strict=True)):
            if 0 < now < LEFT and turn == number:
                where = AT_LAND if aim == NOWHERE else aim
                value = self._value(both, aims, side, place, where, against)
                lined_up.append((_ORDER.index(where), -value, self.units[side][place], place))
        out: list[Shooter] = []
        for order, value, unit, place in sorted(lined_up):
            aim = _ORDER[order]
            turns = aim == AT_AIR and self.battle.kind == LAND_BATTLE and self._flies[side][place]
            on_land = self._value(both, aims, side, place, AT_LAND, against) if turns else 0
            out.append(Shooter(unit, aim, -value, self._shots[side][place], turns, on_land))
        if side == 1 and number == VOLLEYS[-1]:
            out += [Shooter(-1, AT_LAND, value, 1, False, 0) for _, value in self._cards(*both)]
        return out

    def _value(
        self, both: Both, aims: tuple[Aims, Aims], side: int, place: int, aim: int, against: tuple[Any, ...]
    ) -> int:
        """What a unit fires with; it depends on its own steps, and of the other side on `against`."""
        key = (place, both[side][place], aim, against)
        known = self._worth.get(key)
        if known is None:
            self.load(*both)
            self.stand(aims)
            known = self._worth[key] = effective(self.state, self.battle, self.units[side][place], aim)
        return known
