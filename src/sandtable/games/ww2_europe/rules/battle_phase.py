"""Battles: rounds of fire, casualties chosen within the rules, retreats; on land and at sea alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core import Choices, Field, Offer, OneOf, Step, Subsets
from sandtable.core.columns import put

from ..facts.control import spokesman
from ..facts.landings import landing_units
from ..facts.names import names_of, unit_name, unit_of
from ..facts.whereabouts import cargo
from ..model.actions import Abort, Fight, Lose, Retreat
from ..model.atlas import ATLAS, SIDES
from ..model.events import BattleBegan, BattleEnded, Hit, Lost
from ..model.kinds import AIR, GROUND
from ..model.state import DEAD, M
from .advanced_naval import WEATHER
from .aftermath import retreat_spaces, stuck
from .aftermath_phase import credit_win, retreat_units, take_ground
from .fire import ROLLER, alike, can_hit, land_shots, legal_targets, roll, sea_shots
from .homecoming import lift_off
from .landings import bombard_shots, defence_shots, landing_ships, unload
from .leaders import drop_ships, kill_leaders
from .strength import Crossing, Volley, crossing_bonus
from .units import CARRIES, remove

A = ATLAS
K = ATLAS.kinds


class Battle(Step, frozen=True, tag="battle"):
    """One battle, from the first shot to the last retreat.  [w2e-battle-units] [w2e-attacker-defender]"""

    rule = "w2e-battle-units"
    space: int
    attacker: int
    sea: bool
    att: tuple[int, ...]
    dfn: tuple[int, ...]
    blitz: bool = False
    counts: bool = True
    """Whether winning it counts for initiative."""
    phase: str = "begin"
    round: int = 1
    hits: tuple[int, ...] = ()
    doomed: tuple[int, ...] = ()
    landing: bool = False
    ships: tuple[int, ...] = ()
    """Ships beside a landing."""
    arrive: tuple[tuple[int, int], ...] = ()
    """(unit, round in which it joins): the advanced Order of Battle."""
    weather: int = 0
    crossing: Crossing = Crossing()
    """What the attackers crossed, fixed at the start."""

    # ---- who is there
    def live(self, m: M, units: Sequence[int]) -> list[int]:
        left = self.all_left(m, units)
        if not self.arrive:
            return left
        later = {unit for unit, when in self.arrive if when > self.round}
        return [u for u in left if u not in later]

    def all_left(self, m: M, units: Sequence[int]) -> list[int]:
        spaces, doomed = m.state.space, self.doomed
        return [u for u in units if spaces[u] != DEAD and u not in doomed]

    def side(self, phase: str) -> int:
        """Return the side that a phase of this name is about."""
        return 1 - self.attacker if phase.endswith("-d") else self.attacker

    # ---- the automatic part
    def run(self, m: M) -> None:
        step: Battle | None = self
        while step is not None:
            now = step
            if now.waits(m):
                m.amend(now)
                return
            step = _GO_ON[now.phase](now, m)

    def waits(self, m: M) -> bool:
        """Whether somebody has to decide before this phase goes on."""
        if self.phase in ("hits-d", "hits-a", "hits-shore"):
            return bool(self.hits) and len(self.kinds_to_lose(m)) > 1
        if self.phase in ("abort-a", "abort-d"):
            return bool(self.may_abort(m))
        if self.phase in ("retreat-a", "retreat-d"):
            return bool(self.may_retreat(m))
        return False

    def _begin(self, m: M) -> Battle:
        m.emit(BattleBegan(space=f"@{A.names[self.space]}", side=f"@{SIDES[self.attacker]}",
                           stage="@stage-sea" if self.sea else "@stage-land",
                           attackers=names_of(m.state, self.att), defenders=names_of(m.state, self.dfn)))  # fmt: skip
        if self.sea:
            return replace(self, phase="abort-a")
        landers = landing_units(m.state, self.space, self.attacker)
        if landers:
            ships = tuple(landing_ships(m, self.space, self.attacker))
            return replace(self, phase="bombard", landing=True, ships=ships)
        return replace(self, phase="attack", crossing=Crossing(crossing_bonus(m, self.space, self.att)))

    def _abort_a(self, m: M) -> Battle:
        return replace(self, phase="abort-d")

    def _abort_d(self, m: M) -> Battle | None:
        return self.over(m) or replace(self, phase="attack")

    # ---- landings
    def _bombard(self, m: M) -> Battle:
        shots = bombard_shots(m, self.space, self.attacker, self.ships)
        ground = [u for u in self.dfn if K.cls[m.state.kind[u]] == GROUND]
        hits = roll(m, shots, ground, "w2e-stage3-bombard") if ground else []
        return replace(self, phase="hits-d", hits=tuple(hits), round=0)

    def _shore(self, m: M) -> Battle:
        shots = defence_shots(m, [u for u in self.dfn if m.state.space[u] != DEAD])
        ships = [u for u in self.ships if m.state.space[u] != DEAD]
        hits = roll(m, shots, ships, "w2e-stage3-shore-defense") if ships else []
        return replace(self, phase="hits-shore", hits=tuple(hits))

    def _hits_shore(self, m: M) -> Battle:
        if self.hits:
            return self.hit_one(m)
        for unit in self.doomed:
            remove(m.state, unit)
        ashore = tuple(unload(m, self.space, self.attacker))
        att = (*self.att, *ashore)
        crossing = Crossing(crossing_bonus(m, self.space, att))
        return replace(self, phase="attack", att=att, doomed=(), round=1, crossing=crossing)

    # ---- a round
    def _attack(self, m: M) -> Battle | None:
        over = self.over(m)
        if over is not None:
            return over
        shooters, targets = self.live(m, self.att), self.live(m, self.dfn)
        hits = self.volley(m, shooters, targets, defending=False)
        return replace(self, phase="hits-d", hits=tuple(hits))

    def volley(self, m: M, shooters: Sequence[int], targets: Sequence[int], *, defending: bool) -> list[int]:
        if not targets:
            return []
        rule = "w2e-stage2-fire" if self.sea else "w2e-stage3-fire"
        return roll(m, self.shots(m, shooters, targets, defending=defending), targets, rule)

    def shots(self, m: M, shooters: Sequence[int], targets: Sequence[int], *, defending: bool) -> list[Any]:
        if self.sea:
            found = sea_shots(m, self.space, shooters, targets, first_round=self.round == 1,
                              weather=WEATHER[self.weather])  # fmt: skip
        else:
            blitzed = self.blitz and defending
            volley = Volley(self.space, self.crossing, defending, blitzed, self.round == 1, self.landing)
            found = land_shots(m, volley, shooters, targets)
        return found

    def _hits_d(self, m: M) -> Battle:
        if self.hits:
            return self.hit_one(m)
        return replace(self, phase="shore" if self.round == 0 else "defend")

    def _defend(self, m: M) -> Battle:
        shooters = [*self.live(m, self.dfn), *(u for u in self.doomed if u in self.dfn)]
        hits = self.volley(m, shooters, self.live(m, self.att), defending=True)
        return replace(self, phase="hits-a", hits=tuple(hits))

    def _hits_a(self, m: M) -> Battle | None:
        if self.hits:
            return self.hit_one(m)
        for unit in self.doomed:
            remove(m.state, unit)
        return replace(self, phase="round-end", doomed=())

    def _round_end(self, m: M) -> Battle | None:
        if self.sea and WEATHER[self.weather][2]:
            ships = self.live(m, self.att), self.live(m, self.dfn)
            att, dfn = ([p for ship in side if m.state.space[ship] >= 0 for p in lift_off(m, ship)] for side in ships)
            return replace(self, phase="checked", att=(*self.att, *att), dfn=(*self.dfn, *dfn))
        return replace(self, phase="checked")

    def _checked(self, m: M) -> Battle | None:
        return self.over(m) or replace(self, phase="retreat-a")

    def _retreat_a(self, m: M) -> Battle:
        return replace(self, phase="retreat-d")

    def _retreat_d(self, m: M) -> Battle:
        return replace(self, phase="attack", round=self.round + 1)

    def _ended(self, m: M) -> None:
        return None

    # ---- casualties
    def targets(self, m: M) -> list[int]:
        if self.phase == "hits-shore":
            return [u for u in self.ships if m.state.space[u] != DEAD and u not in self.doomed]
        units = self.dfn if self.phase == "hits-d" else self.att
        found = self.live(m, units)
        if self.round == 0:
            found = [u for u in found if K.cls[m.state.kind[u]] == GROUND]
        return found

    def kinds_to_lose(self, m: M) -> dict[tuple[tuple[int, ...], ...], int]:
        """Return one unit for each really different way to take the next hit."""
        state = m.state
        found: dict[tuple[tuple[int, ...], ...], int] = {}
        for unit in legal_targets(m, self.hits[0], self.targets(m)):
            loads = sorted(alike(state, u) for u in cargo(state, unit)) if CARRIES[state.kind[unit]] else ()
            found.setdefault(((*alike(state, unit), state.task[unit]), *loads), unit)
        return found

    def hit_one(self, m: M) -> Battle:
        choices = list(self.kinds_to_lose(m).values())
        return self.suffer(m, choices[0]) if choices else replace(self, hits=self.hits[1:])

    def suffer(self, m: M, unit: int) -> Battle:
        """A unit takes the next hit: an armoured ship is damaged first.  [w2e-unit-battleship-armor]"""
        state = m.state
        power = f"@{A.powers[state.power[unit]]}"
        if state.damage[unit] + 1 < K.hits[state.kind[unit]]:
            state.damage = put(state.damage, unit, state.damage[unit] + 1)
            m.emit(Hit(unit=unit_name(state, unit), power=power))
            return replace(self, hits=self.hits[1:])
        m.emit(Lost(unit=unit_name(state, unit), power=power, why="w2e-battle-units"))
        return replace(self, hits=self.hits[1:], doomed=(*self.doomed, unit))

    # ---- how it ends
    def over(self, m: M) -> Battle | None:
        """End the battle if it is decided; None where it goes on.

        [w2e-stage2-repeat] [w2e-cutoff-air] [w2e-unit-sub-submerged]
        """
        att, dfn = self.all_left(m, self.att), self.all_left(m, self.dfn)
        if not att or not dfn:
            winner = self.attacker if att else 1 - self.attacker if dfn else -1
            return self.end(m, winner)
        only_planes = not self.sea and not any(K.cls[m.state.kind[u]] == GROUND for u in att)
        if only_planes and self.phase == "checked" and not stuck(m, dfn, self.space, self.blitz, cut_off_only=True):
            return self.withdraw(m, self.attacker, "")
        if self.sea and len(self.live(m, self.att)) == len(att) and len(self.live(m, self.dfn)) == len(dfn):
            hits_d = can_hit(m, self.shots(m, att, dfn, defending=False), dfn)
            hits_a = can_hit(m, self.shots(m, dfn, att, defending=True), att)
            if not hits_d or not hits_a:
                if not hits_d and not hits_a:
                    return self.end(m, -1)
                if not hits_a and all(K.submerged[m.state.kind[u]] for u in att):
                    return self.withdraw(m, self.attacker, "")
                if not hits_d and all(K.submerged[m.state.kind[u]] for u in dfn):
                    return self.withdraw(m, 1 - self.attacker, "")
        return None

    def end(self, m: M, winner: int) -> Battle:
        m.pop()
        self.conclude(m, winner)
        return replace(self, phase="ended")

    def withdraw(self, m: M, side: int, to: str) -> Battle:
        """All units of a side leave.  [w2e-retreat-order]"""
        units = self.all_left(m, self.att if side == self.attacker else self.dfn)
        m.pop()
        retreat_units(m, self.space, side, units, to)
        self.conclude(m, 1 - side)
        return replace(self, phase="ended")

    def conclude(self, m: M, winner: int) -> None:
        """The battle is over: leaders without troops are lost, the win counts, the ground is taken."""
        state = m.state
        m.emit(BattleEnded(space=A.told[self.space], winner=f"@{SIDES[winner]}" if winner >= 0 else "@nobody"))
        for side, units in ((self.attacker, self.att), (1 - self.attacker, self.dfn)):
            if not any(state.space[u] >= 0 and u not in self.doomed for u in units):
                kill_leaders(m, self.space, side)
        drop_ships(m)
        if winner >= 0 and self.counts:
            credit_win(m, self.space, self.attacker, self.dfn, winner)
        if not self.sea and winner == self.attacker:
            take_ground(m, self.space, self.attacker, self.att, self.landing)

    # ---- decisions
    def may_abort(self, m: M) -> list[int]:
        """Air units may turn back before a sea battle.  [w2e-abort] [w2e-stage2-abort]"""
        units = self.att if self.phase == "abort-a" else self.dfn
        return [u for u in self.all_left(m, units) if K.cls[m.state.kind[u]] == AIR]

    def may_retreat(self, m: M) -> list[str]:
        """Return where the side could retreat to: empty if it may not.  [w2e-retreat-ground] [w2e-surprise-retreat]"""
        units = self.all_left(m, self.att if self.phase == "retreat-a" else self.dfn)
        return retreat_spaces(m, units, self.space, self.phase == "retreat-a", self.blitz, self.sea)

    def roles(self, m: M) -> Sequence[str]:
        state = m.state
        if self.phase.startswith("hits"):
            struck = 1 - self.attacker if self.phase == "hits-d" else self.attacker
            if self.phase == "hits-shore":
                struck = self.attacker
            if self.hits[0] & ROLLER:
                return (A.powers[spokesman(state, self.att if struck != self.attacker else self.dfn, 1 - struck)],)
            return (A.powers[spokesman(state, self.targets(m), struck)],)
        side = self.side(self.phase)
        return (A.powers[spokesman(state, self.att if side == self.attacker else self.dfn, side)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        state = m.state
        if self.phase.startswith("hits"):
            units = list(self.kinds_to_lose(m).values())
            return [Offer(Lose, Field("unit", "unit", OneOf(list(names_of(state, units)))), rule="w2e-battle-units")]
        fight = Choices([Fight()], rule="w2e-retreat-order")
        if self.phase.startswith("abort"):
            names = list(names_of(state, self.may_abort(m)))
            return [Offer(Abort, Field("units", "units", Subsets(names, 1)), rule="w2e-abort"), fight]
        return [Offer(Retreat, Field("to", "space", OneOf(self.may_retreat(m))), rule="w2e-retreat-ground"), fight]

    def take(self, m: M, role: str, action: Any) -> None:
        if isinstance(action, Lose):
            m.replace(self.suffer(m, unit_of(m.state, action.unit)))
        elif isinstance(action, Retreat):
            self.withdraw(m, self.side(self.phase), action.to)
        elif isinstance(action, Abort):
            units = [unit_of(m.state, name) for name in action.units]
            att, dfn = (tuple(u for u in side if u not in units) for side in (self.att, self.dfn))
            m.replace(replace(self, phase="abort-d" if self.phase == "abort-a" else "attack", att=att, dfn=dfn))
            retreat_units(m, self.space, self.side(self.phase), units, "")
        else:
            after = {"abort-a": "abort-d", "abort-d": "attack", "retreat-a": "retreat-d"}
            if self.phase == "retreat-d":
                m.replace(replace(self, phase="attack", round=self.round + 1))
            else:
                m.replace(replace(self, phase=after[self.phase]))


_GO_ON: dict[str, Callable[[Battle, M], Battle | None]] = {
    "begin": Battle._begin, "abort-a": Battle._abort_a, "abort-d": Battle._abort_d, "bombard": Battle._bombard,
    "shore": Battle._shore, "hits-shore": Battle._hits_shore, "attack": Battle._attack, "hits-d": Battle._hits_d,
    "defend": Battle._defend, "hits-a": Battle._hits_a, "round-end": Battle._round_end, "checked": Battle._checked,
    "retreat-a": Battle._retreat_a, "retreat-d": Battle._retreat_d, "ended": Battle._ended,
}  # fmt: skip
"""Per phase what happens in it when nobody has to decide."""
