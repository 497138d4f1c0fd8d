"""One round of a Blitzkrieg General battle, exactly: what hits, and who is lost.

Who fires at what with which strength is known from the ranks; here are only the sums over the dice.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.odds.dice import gather, hits

from ..model.state import AT_AIR, AT_LAND, ATOM, BOMBING, LAND_BATTLE, SEA_BATTLE, Battle
from ..rules.chart import capacity, targets
from .lines import LEFT, NOWHERE, Aims, Block, Ends, Fired, Hits, Line, Side, Volley, air_fire, at_sea
from .ranks import THERE, VOLLEYS, Ranks

_NONE: frozenset[int] = frozenset()


class Chart(Ranks):
    """The battle chart of one battle, to be asked about any losses of both sides."""

    # ---- what hits
    def fire(self, side: int, line: Line, room: Hits, *, turning: bool = False) -> dict[Fired, float]:
        """What one side's dice do in one volley."""
        bombs: tuple[float, ...] = (1.0,)
        ground = line.values[AT_LAND]
        if self.battle.kind == BOMBING and side == 0:
            falling = [s for s in line.shooters if s.aim == AT_LAND]
            carried = tuple(s.value for s in falling if not self.state.flags[s.unit] & ATOM)
            bombs, ground = hits(carried, len(carried)), ()
        if turning:
            air = air_fire(line.shooters, room)
        else:
            air = {(n, _NONE, 0): p for n, p in enumerate(hits(line.values[AT_AIR], room[AT_AIR]))}
        out: dict[Fired, float] = {}
        most = room[AT_LAND]
        below_chances = hits(ground, most)
        for (in_air, turned, below), p in air.items():
            for more, q in enumerate(below_chances):
                key = ((min(most, below + more), in_air, 0, 0), turned, 0)
                out[key] = out.get(key, 0.0) + p * q
        if self.battle.kind == SEA_BATTLE or len(bombs) > 1:
            out = at_sea(out, line, room, bombs)
        return out

    def room(self, side: int) -> Hits:
        """Hits of each kind that a side can take as it stands on the chart now."""
        a, b, c, d = (max(0, capacity(self.state, self.battle, side, aim)) for aim in range(4))
        return a, b, c, d

    # ---- who is lost
    def lose(self, side: int, steps: Side, aims: Aims, foe_flies: bool, taken: Hits) -> Side:
        """What is left of a side after these hits."""
        key = (side, steps, aims, foe_flies, taken)
        known = self._losses.get(key)
        if known is None:
            known = self._losses[key] = self._lose(side, steps, aims, foe_flies, taken)
        return known

    def _lose(self, side: int, steps: Side, aims: Aims, foe_flies: bool, taken: Hits) -> Side:
        for aim in range(4):
            # hits beyond what stands there are lost, so whoever becomes a target meanwhile is safe from them
            for _ in range(min(taken[aim], self.room_of(side, steps, aims, foe_flies)[aim]) if taken[aim] else 0):
                steps = self.hit(side, steps, aims, foe_flies, aim)
        return steps

    def hit(self, side: int, steps: Side, aims: Aims, foe_flies: bool, aim: int) -> Side:
        """What is left of a side after one hit."""
        key = (side, steps, aims, foe_flies, aim)
        known = self._losses.get(key)
        if known is None:
            units, prices = self.targets(side, steps, aims, foe_flies)[aim], self._prices[side]
            left = bytearray(steps)
            if units:
                there = [place for place, on in enumerate(zip(self._lands[side], steps, strict=True))
                         if on[0] and 0 < on[1] < LEFT]  # fmt: skip
                last = there[0] if self.battle.kind == LAND_BATTLE and len(there) == 1 else -1
                left[
                    min(units, key=lambda place: (place == last and steps[place] == 1, prices[place][steps[place]]))
                ] -= 1
            known = self._losses[key] = bytes(left)
        return known

    def targets(self, side: int, steps: Side, aims: Aims, foe_flies: bool) -> tuple[tuple[int, ...], ...]:
        """For each aim the places of the units that can be hit; it depends on who is there."""
        key = (side, steps.translate(THERE), aims, foe_flies)
        known = self._targets.get(key)
        if known is None:
            self._against(side, steps, aims, foe_flies)
            place = self.units[side].index
            known = self._targets[key] = tuple(
                tuple(place(u) for u in targets(self.state, self.battle, side, aim)) for aim in range(4)
            )
        return known

    def _against(self, side: int, steps: Side, aims: Aims, foe_flies: bool) -> None:
        """Put a side on the chart: all that its losses depend on in the other one is whether that has flyers."""
        foe = bytes(
            now if foe_flies or not flies else 0
            for now, flies in zip(self.start[1 - side], self._flies[1 - side], strict=True)
        )
        nowhere = bytes([NOWHERE]) * len(foe)
        self.load(*((steps, foe) if side == 0 else (foe, steps)))
        self.stand((aims, nowhere) if side == 0 else (nowhere, aims))

    # ---- the round
    def round(self, a: Side, d: Side, chosen: Mapping[int, int] | None = None) -> Ends | None:
        """Both sides and the bombs that hit after one round, each with its chance; None when nobody can fire."""
        aims = self.aims(a, d, chosen)
        rows = [self.lines(a, d, aims, number) for number in VOLLEYS]
        if self.battle.kind != BOMBING and not any(s.value > 0 for row in rows for line in row for s in line.shooters):
            return None
        return self._volley(a, d, aims, 0)

    def _volley(self, a: Side, d: Side, aims: tuple[Aims, Aims], number: int) -> Ends:
        """The volleys from this one on."""
        if number == len(VOLLEYS):
            return {(a, d, 0): 1.0}
        first, second = self.lines(a, d, aims, number)
        if not (first.shooters or second.shooters):
            return self._volley(a, d, aims, number + 1)
        self.load(a, d)
        self.stand(aims)
        if self._may_turn(a, d, first, second):
            found = self._turning(a, d, first, second)
        else:
            found = {
                (new_a, new_d, bombs, aims): p * q
                for group, after_d in self._plain(a, d, first, second)
                for new_a, p in group.items()
                for (new_d, bombs), q in after_d.items()
            }
        if number + 1 == len(VOLLEYS):
            return gather([((new_a, new_d, bombs), p) for (new_a, new_d, bombs, _), p in found.items()])
        out: Ends = {}
        for (new_a, new_d, bombs, stand), p in found.items():
            for (last_a, last_d, more), q in self._volley(new_a, new_d, stand, number + 1).items():
                key = (last_a, last_d, bombs + more)
                out[key] = out.get(key, 0.0) + p * q
        return out

    def blocks(self, a: Side, d: Side, chosen: Mapping[int, int] | None = None) -> list[Block] | None:
        """A round as independent changes of both sides, in blocks to be multiplied out; None when nobody fires."""
        aims = self.aims(a, d, chosen)
        if self.volleys == VOLLEYS[-1:]:
            first, second = self.lines(a, d, aims, VOLLEYS[-1])
            if self.battle.kind != BOMBING and not (first.can_fire or second.can_fire):
                return None
            if not self._may_turn(a, d, first, second):
                return self._plain(a, d, first, second)
        ends = self.round(a, d, chosen)
        return None if ends is None else by_attacker(ends)

    def rest_of_round(self, battle: Battle) -> list[Block]:
        """The hits that both sides still have to take where the battle stands now, and the volleys after them."""
        a, d = self.start
        aims = self.aims(a, d, battle.aim)
        taken = battle.hits
        a = self.lose(0, a, aims[0], self.flies(1, d) > 0, (taken[0], taken[1], taken[2], taken[3]))
        d = self.lose(1, d, aims[1], self.flies(0, a) > 0, (taken[4], taken[5], taken[6], taken[7]))
        return by_attacker(self._volley(a, d, aims, battle.volley))

    def plain_lines(self, a: Side, d: Side) -> tuple[Line, Line] | None:
        """What both sides fire with in a round on land whose dice are independent; None for any other round."""
        if self.battle.kind != LAND_BATTLE or self.volleys != VOLLEYS[-1:]:
            return None
        first, second = self.lines(a, d, self.aims(a, d), VOLLEYS[-1])
        if not (first.can_fire or second.can_fire) or self._may_turn(a, d, first, second):
            return None
        return first, second

    def _may_turn(self, a: Side, d: Side, first: Line, second: Line) -> bool:
        """Whether a flyer's turn can come when everybody in the air is covered already."""
        rooms = (
            self.room_of(1, d, second.aims, self.flies(0, a) > 0)[AT_AIR],
            self.room_of(0, a, first.aims, self.flies(1, d) > 0)[AT_AIR],
        )
        for line, room in zip((first, second), rooms, strict=True):
            shots = 0
            if len(line.values[AT_AIR]) <= room:
                continue
            for shooter in line.shooters:
                if shooter.aim == AT_AIR:
                    if shooter.turns and shots >= room:
                        return True
                    shots += shooter.shots if shooter.value > 0 else 0
        return False

    def _plain(self, a: Side, d: Side, first: Line, second: Line) -> list[Block]:
        """Nobody changes segment within the volley, so both sides' dice are independent."""
        foe_flies = self.flies(1, d) > 0
        after_a = self._after(0, a, first.aims, second, (foe_flies, foe_flies))
        flies = self.flies(0, a) > 0
        groups: dict[bool, dict[Side, float]] = {}
        for (new_a, _), p in after_a.items():
            groups.setdefault(flies and self.flies(0, new_a) > 0, {})[new_a] = p
        return [(group, self._after(1, d, second.aims, first, (flies, still))) for still, group in groups.items()]

    def _after(
        self, side: int, steps: Side, aims: Aims, fire: Line, foe_flies: tuple[bool, bool]
    ) -> dict[tuple[Side, int], float]:
        """What is left of a side, and the bombs that hit it, after a volley of the other one.

        `foe_flies`: whether the other side has flyers when it fires, and when this side takes its losses.
        """
        key = (side, steps, aims, fire.number, foe_flies)
        known = self._afters.get(key)
        if known is None:
            room = self.room_of(side, steps, aims, foe_flies[0])
            known = self._afters[key] = gather(
                [
                    ((self.lose(side, steps, aims, foe_flies[1], row[0]), row[2]), p)
                    for row, p in self.fire(1 - side, fire, room).items()
                ]
            )
        return known

    def room_of(self, side: int, steps: Side, aims: Aims, foe_flies: bool) -> Hits:
        key = (side, steps, aims, foe_flies)
        known = self._rooms.get(key)
        if known is None:
            rows = self.targets(side, steps, aims, foe_flies)
            a, b, c, d = (sum([steps[place] for place in row]) for row in rows)
            known = self._rooms[key] = (a, b, c, d)
        return known

    def _turning(self, a: Side, d: Side, first: Line, second: Line) -> Volley:
        """Flyers may turn to the land segment, which changes what the other side's fire can still hit."""
        found: Volley = {}
        foe_flies = self.flies(1, d) > 0
        answers: dict[frozenset[int], dict[Fired, float]] = {}
        for (given, turned, bombs), p in self.fire(0, first, self.room(1), turning=True).items():
            own = self._turned(0, first.aims, turned)
            if turned not in answers:
                self.load(a, d)
                self.stand((own, second.aims))
                answers[turned] = self.fire(1, second, self.room(0), turning=True)
            for (taken, swung, _), q in answers[turned].items():
                foe = self._turned(1, second.aims, swung)
                new_a = self.lose(0, a, own, foe_flies, taken)
                new_d = self.lose(1, d, foe, self.flies(0, new_a) > 0, given)
                key = (new_a, new_d, bombs, (own, foe))
                found[key] = found.get(key, 0.0) + p * q
        return found

    def _turned(self, side: int, aims: Aims, turned: frozenset[int]) -> Aims:
        if not turned:
            return aims
        return bytes(AT_LAND if unit in turned else aim for unit, aim in zip(self.units[side], aims, strict=True))


def by_attacker(ends: Ends) -> list[Block]:
    """Dependent changes of both sides as blocks: for each outcome of the attackers all of the defenders."""
    found: dict[Side, dict[tuple[Side, int], float]] = {}
    for (a, d, bombs), chance in ends.items():
        found.setdefault(a, {})[d, bombs] = chance
    return [({a: 1.0}, others) for a, others in found.items()]
