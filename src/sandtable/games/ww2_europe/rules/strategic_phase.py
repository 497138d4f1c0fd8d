"""Stage 1, Strategic Warfare: raids on factories, resource zones and convoys; rockets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core import Choices, Field, Offer, OneOf, Step
from sandtable.core.columns import put

from ..facts.control import active_powers, control_side, spokesman
from ..facts.convoys import convoy_name, convoy_of, crew
from ..facts.names import names_of, shown, unit_name, unit_of
from ..facts.whereabouts import cargo, planes_at, whereabouts
from ..model.actions import Done, Lose, Reinforce, Rocket
from ..model.atlas import ATLAS, NOBODY
from ..model.events import BattleBegan, Lost, Moved
from ..model.kinds import AIR
from ..model.state import HOME_BOUND, MOVED, ORDER_HUNT, RAIDER, RAIDING, SURPRISED, M
from ..model.units import mark_all
from .air import hunters
from .convoy_phase import drop_empty_convoys
from .fire import alike
from .strategic import _spaces_within, bomb, escort_number, fight_number, raid_number, raiding
from .units import place, remove

A = ATLAS
K = ATLAS.kinds

DEFENCE = int(A.rules["strategic_warfare"]["defender_fighter_hit"])


class StrategicStage(Step, frozen=True, tag="strategic-stage"):
    """All raids of the turn, one after the other, then rockets."""

    rule = "w2e-stage1-fight"
    rockets: bool = False

    def run(self, m: M) -> None:
        state = m.state
        targets: dict[tuple[bool, int], int] = {}
        raiders = raiding(m) if hunters(m) else []
        for unit in raiders:
            task = state.task[unit]
            if state.flags[unit] & (HOME_BOUND | RAIDER) or state.space[unit] < 0 or task < 0:
                continue
            if state.tasks[task].order == ORDER_HUNT:
                end = state.tasks[task].end
                targets[(not A.is_land[end], state.tasks[task].target)] = A.side[state.power[unit]]
        if targets:
            (at_convoy, target), side = next(iter(targets.items()))
            m.push(RaidFight(side, at_convoy, target))
            return
        # escorts whose bombers are gone
        mark_all(state, [unit for unit in raiders if not state.flags[unit] & RAIDER], HOME_BOUND)
        if self.rockets:
            steps = [
                RocketStrike(power) for side in (state.first, 1 - state.first) for power in active_powers(state, side)
                if state.known[power][A.tech_index["rockets"]] == 2 and not state.rockets_fired[power]
            ]  # fmt: skip
            m.replace(*steps) if steps else m.pop()
        else:
            m.pop()


class RaidFight(Step, frozen=True, tag="raid-fight"):
    """One raid: the air fight over the target, the bombs, the escorts' answer.

    [w2e-stage1-fight] [w2e-stage1-bomb] [w2e-stage1-defend]
    """

    rule = "w2e-stage1-fight"
    side: int
    at_convoy: bool
    target: int
    phase: str = "begin"
    hits: int = 0
    flyers: tuple[int, ...] = ()
    helpers: tuple[int, ...] = ()
    slight: int = 0
    """Of the hits on submarines those too weak for a U-boat of the new kind; they are taken first."""

    @property
    def because(self) -> str:
        """The rule by which units are lost now: submarines fall to the convoy's escorts."""
        return "w2e-stage1-defend" if self.phase == "lose-subs" else "w2e-stage1-fight"

    def raiders(self, m: M) -> list[int]:
        """Return who raids: the same until one of them is lost or all are done."""
        state, rows = m.state, whereabouts(m.state).rows
        spaces = {task.end for task in state.tasks if task.target == self.target and task.side == self.side}
        if not self.at_convoy:
            spaces.add(self.target)
        found = []
        for unit in sorted(u for space in spaces for u in rows[space]):
            flags = state.flags[unit]
            if not flags & RAIDING or flags & (HOME_BOUND | RAIDER) or A.side[state.power[unit]] != self.side:
                continue
            task = state.task[unit]
            if task >= 0:
                order = state.tasks[task]
                if order.target == self.target and A.is_land[order.end] != self.at_convoy:
                    found.append(unit)
            elif not self.at_convoy and state.space[unit] == self.target:
                found.append(unit)
        return found

    def bombers(self, m: M) -> list[int]:
        return [u for u in self.raiders(m) if K.strategic[m.state.kind[u]]]

    def fighters(self, m: M) -> list[int]:
        """Return the defender's fighters over the target, helpers by radar included."""
        state = m.state
        return [
            u for u in planes_at(state, self.target, 1 - self.side) if K.base[state.kind[u]] == K.fighter
        ]  # fmt: skip

    def run(self, m: M) -> None:
        step: RaidFight | None = self
        while step is not None:
            now = step
            if now.waits(m):
                m.amend(now)
                return
            step = _GO_ON[now.phase](now, m)

    def waits(self, m: M) -> bool:
        if self.phase == "radar":
            return bool(self.radar_fighters(m))
        if self.phase in ("lose-fighters", "lose-flyers", "lose-subs"):
            return self.hits > 0 and len(self.kinds(m)) > 1
        return False

    def victims(self, m: M) -> list[int]:
        if self.phase == "lose-fighters":
            return [u for u in self.fighters(m) if u not in self.flyers]
        if self.phase == "lose-subs":
            subs = [u for u in self.raiders(m) if K.submerged[m.state.kind[u]]]
            return [u for u in subs if not K.uboat[m.state.kind[u]]] if self.slight else subs
        return [u for u in self.raiders(m) if K.cls[m.state.kind[u]] == AIR]

    def kinds(self, m: M) -> dict[tuple[int, ...], int]:
        """Return one unit for each really different way to take the next hit."""
        found: dict[tuple[int, ...], int] = {}
        for unit in self.victims(m):
            found.setdefault(alike(m.state, unit), unit)
        return found

    def radar_fighters(self, m: M) -> list[int]:
        """Return fighters next door that radar can call in.  [w2e-tech-radar]"""
        state = m.state
        if self.at_convoy:
            return []
        near = {there for there, _, _ in A.land_links[self.target]}
        return [
            u for space in sorted(near) for u in planes_at(state, space, 1 - self.side)
            if K.base[state.kind[u]] == K.fighter and state.known[state.power[u]][A.tech_index["radar"]] == 2
            and state.home[u] == space and not state.flags[u] & (MOVED | SURPRISED)
        ]  # fmt: skip

    # ---- the course of it
    def _begin(self, m: M) -> RaidFight | None:
        state = m.state
        where = convoy_name(self.target) if self.at_convoy else A.told[self.target]
        m.emit(BattleBegan(space=where, side=("@axis", "@allies")[self.side], stage="@stage-raid",
                           attackers=names_of(state, self.raiders(m)), defenders=()))  # fmt: skip
        if self.at_convoy:
            stands = convoy_of(state, self.target) is not None
        else:
            stands = control_side(state, self.target) == 1 - self.side
        if not stands:
            return self.finish(m)
        return replace(self, phase="bomb" if self.at_convoy else "radar")

    def _radar(self, m: M) -> RaidFight:
        return replace(self, phase="fight")

    def _fight(self, m: M) -> RaidFight:
        """The raiders fire at the fighters over the target.  [w2e-stage1-fight]"""
        hits = 0
        if self.fighters(m):
            for unit in self.raiders(m):
                hits += m.roll(why="w2e-stage1-fight") <= fight_number(m, unit)
        return replace(self, phase="lose-fighters", hits=hits, flyers=())

    def _lose_fighters(self, m: M) -> RaidFight:
        """Fighters that are hit fire back before they are lost.  [w2e-stage1-fight]"""
        if self.hits and self.victims(m):
            return self.doom(next(iter(self.kinds(m).values())))
        hits = sum(m.roll(why="w2e-stage1-fight") <= DEFENCE for _ in self.fighters(m))
        for unit in self.flyers:
            self.kill(m, unit)
        return replace(self, phase="lose-flyers", hits=hits, flyers=())

    def _lose_raiders(self, m: M) -> RaidFight | None:
        if self.hits and self.victims(m):
            self.kill(m, next(iter(self.kinds(m).values())))
            return replace(self, hits=self.hits - 1, slight=max(0, self.slight - 1))
        if self.slight:  # nothing is left that such a hit could sink
            return replace(self, hits=self.hits - self.slight, slight=0)
        return replace(self, phase="bomb") if self.phase == "lose-flyers" else self.finish(m)

    def _bomb(self, m: M) -> RaidFight | None:
        """Each bomber or submarine rolls.  [w2e-strategic-convoy] [w2e-strategic-damage]"""
        if self.at_convoy:
            return self._sink(m)
        atomic = plain = False
        for unit in self.bombers(m):
            if m.roll(why="w2e-stage1-bomb") <= raid_number(m, unit, False):
                atomic, plain = atomic or K.atomic[m.state.kind[unit]], True
        if plain:
            bomb(m, self.target, atomic, int(A.rules["strategic_warfare"]["rp_lost"]))
        return self.finish(m)

    def _sink(self, m: M) -> RaidFight | None:
        """Transports are lost, and the escorts answer submarines.  [w2e-stage1-defend]"""
        state = m.state
        hits = sum(m.roll(why="w2e-stage1-bomb") <= raid_number(m, u, True) for u in self.bombers(m))
        ships = crew(state, self.target)
        for ship in [u for u in ships if state.kind[u] == K.transport][:hits]:
            self.kill(m, ship, "w2e-stage1-bomb")
        subs = [u for u in self.raiders(m) if K.submerged[state.kind[u]]]
        if not subs:
            return self.finish(m)
        escorts = [u for u in ships if K.escort_hit[state.kind[u]] and state.space[u] != NOBODY]
        for ship in ships:
            escorts += [p for p in cargo(state, ship) if K.escort_hit[state.kind[p]] or K.asw[state.kind[p]]]
        sure = slight = 0
        for unit in escorts:
            die, number = m.roll(why="w2e-stage1-defend"), escort_number(m, state.power[unit])
            sure += die < number
            slight += die == number
        if not any(K.uboat[state.kind[u]] for u in subs):
            sure, slight = sure + slight, 0
        return replace(self, phase="lose-subs", hits=sure + slight, slight=slight)

    def doom(self, unit: int) -> RaidFight:
        return replace(self, hits=self.hits - 1, flyers=(*self.flyers, unit))

    def kill(self, m: M, unit: int, rule: str = "") -> None:
        state = m.state
        m.emit(Lost(unit=unit_name(state, unit), power=f"@{A.powers[state.power[unit]]}", why=rule or self.because))
        remove(state, unit)

    def finish(self, m: M) -> RaidFight | None:
        """Raiders and escorts are done for this turn; helpers fly home. No phase follows."""
        state = m.state
        mark_all(state, self.raiders(m), HOME_BOUND)
        for unit in self.helpers:
            if state.space[unit] == self.target:
                place(state, unit, state.home[unit])
        m.pop()
        if self.at_convoy:
            drop_empty_convoys(m)
        return None

    # ---- decisions
    def roles(self, m: M) -> Sequence[str]:
        if self.phase == "radar":
            return (A.powers[spokesman(m.state, self.radar_fighters(m), 1 - self.side)],)
        side = 1 - self.side if self.phase == "lose-fighters" else self.side
        return (A.powers[spokesman(m.state, self.victims(m), side)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        state = m.state
        if self.phase == "radar":
            names = list(names_of(state, self.radar_fighters(m)))
            return [
                Offer(Reinforce, Field("unit", "unit", OneOf(names)), rule="w2e-tech-radar"),
                Choices([Done()], rule="w2e-tech-radar"),
            ]
        names = list(names_of(state, self.kinds(m).values()))
        return [Offer(Lose, Field("unit", "unit", OneOf(names)), rule=self.because)]

    def take(self, m: M, role: str, action: Any) -> None:
        if isinstance(action, Done):
            m.replace(replace(self, phase="fight"))
            return
        unit = unit_of(m.state, action.unit)
        if isinstance(action, Reinforce):
            place(m.state, unit, self.target)
            m.emit(Moved(unit=action.unit, power=f"@{role}", path=shown((A.names[self.target],))))
            m.replace(replace(self, helpers=(*self.helpers, unit)))
        elif self.phase == "lose-fighters":
            m.replace(self.doom(unit))
        else:
            self.kill(m, unit)
            m.replace(replace(self, hits=self.hits - 1, slight=max(0, self.slight - 1)))


_GO_ON: dict[str, Callable[[RaidFight, M], RaidFight | None]] = {
    "begin": RaidFight._begin, "radar": RaidFight._radar, "fight": RaidFight._fight,
    "lose-fighters": RaidFight._lose_fighters, "lose-flyers": RaidFight._lose_raiders, "bomb": RaidFight._bomb,
    "lose-subs": RaidFight._lose_raiders,
}  # fmt: skip
"""Per phase what happens in it when nobody has to decide."""


class RocketStrike(Step, frozen=True, tag="rocket-strike"):
    """Once a turn a power with rockets fires at a space two spaces from its launch site.  [w2e-tech-rockets]"""

    rule = "w2e-tech-rockets"
    power: int

    def targets(self, m: M, launch: int) -> list[int]:
        """Return enemy land of value exactly within range, counted over any borders."""
        state, side = m.state, A.side[self.power]
        reach = int(A.data["tech"]["technologies"]["rockets"]["range"])
        near = _spaces_within(launch, reach)
        return [s for s in near if A.is_land[s] and A.feature[s] and control_side(state, s) == 1 - side
                and state.damaged[s] == 0]  # fmt: skip

    def sites(self, m: M) -> list[int]:
        state = m.state
        return [s for s in A.land if state.owner[s] == self.power and self.targets(m, s)]

    def run(self, m: M) -> None:
        if not self.sites(m):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[self.power],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [
            Offer(
                Rocket,
                Field("launch", "space", OneOf([A.names[s] for s in self.sites(m)])),
                Field("target", "space", lambda s: OneOf([A.names[t] for t in self.targets(m, A.index[s])])),
                rule=self.rule,
            ),
            Choices([Done()], rule=self.rule),
        ]

    def take(self, m: M, role: str, action: Any) -> None:
        m.pop()
        if isinstance(action, Rocket):
            m.state.rockets_fired = put(m.state.rockets_fired, self.power, 1)
            if m.roll(why=self.rule) <= int(A.data["tech"]["technologies"]["rockets"]["hit_on"]):
                bomb(m, A.index[action.target], False, int(A.rules["strategic_warfare"]["rp_lost"]))
