"""Stage 2: the encounters at sea in their order, interception, and what follows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.core import Choices, Field, Offer, OneOf, Step, Subsets

from ..facts.control import speaker, spokesman
from ..facts.convoys import convoy_name
from ..facts.names import names_of, unit_of
from ..facts.whereabouts import at
from ..model.actions import Abort, ChooseBattle, ChooseConvoy, Combine, Evade, Fight, GiveBattle, Separate
from ..model.atlas import ATLAS, SIDES
from ..model.events import Evaded, Sought
from ..model.kinds import AIR
from ..model.state import HOME_BOUND, IN_CONVOY, RAIDER, RETREATED, SOUGHT, M
from ..model.units import mark, mark_all
from .advanced_naval_phase import Assemble
from .battle_phase import Battle
from .combat import battle_counts
from .convoy_phase import drop_empty_convoys
from .homecoming_phase import send_home
from .interception import (
    avoids_at,
    encounters,
    evades,
    found_by,
    hunts_at,
    is_at_sea,
    needed,
    next_encounters,
    passing,
    path_of,
    patrols_at,
    task_of,
)

A = ATLAS
K = ATLAS.kinds


class SeaStage(Step, frozen=True, tag="sea-stage"):
    """All encounters of the turn in an order that their paths allow.  [w2e-battle-order]"""

    rule = "w2e-ex-multi-tie"
    done: tuple[int, ...] = ()

    def next(self, m: M) -> list[int]:
        """Return the encounters that the deciding side may take next: A's fronts before B's."""
        state = m.state
        free = next_encounters(m, [space for space in encounters(m) if space not in self.done])
        return [s for s in free if state.initiative[A.front_of[s][0]] == state.first] or free

    def run(self, m: M) -> None:
        spaces = self.next(m)
        if not spaces:
            drop_empty_convoys(m)
            if m.step is self:
                m.pop()
        elif len(spaces) == 1:
            self.start(m, spaces[0])

    def start(self, m: M, space: int) -> None:
        m.amend(SeaStage((*self.done, space)))
        m.push(Encounter(space))

    def roles(self, m: M) -> Sequence[str]:
        return (A.powers[speaker(m.state, m.state.initiative[A.front_of[self.next(m)[0]][0]])],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Offer(ChooseBattle, Field("space", "space", OneOf([A.names[s] for s in self.next(m)])), rule=self.rule)]

    def take(self, m: M, role: str, action: Any) -> None:
        self.start(m, A.index[action.space])


class Encounter(Step, frozen=True, tag="encounter"):
    """One space in which the sides meet.  [w2e-both-patrol] [w2e-one-patrol] [w2e-interception-combine]"""

    rule = "w2e-one-patrol"
    space: int
    phase: str = "begin"
    side: int = 0
    """Who seeks."""
    groups: tuple[tuple[int, ...], ...] = ()
    """Task forces that still have to roll."""
    found: tuple[int, ...] = ()
    by: tuple[int, ...] = ()
    """Who found them."""

    # ---- who is there
    def patrollers(self, m: M, side: int) -> list[int]:
        return [u for u in self._under_orders(m, side) if patrols_at(m.state, u, self.space)]

    def hunters(self, m: M, side: int) -> list[int]:
        return [u for u in self._under_orders(m, side) if hunts_at(m.state, u, self.space)]

    def _under_orders(self, m: M, side: int) -> list[int]:
        """Return units of a side whose declared path ends here."""
        state = m.state
        return [
            u for u in at(state, self.space)
            if state.task[u] >= 0 and state.cargo_of[u] < 0 and A.side[state.power[u]] == side
            and not state.flags[u] & HOME_BOUND
        ]  # fmt: skip

    def avoiders(self, m: M, side: int) -> list[int]:
        state, here = m.state, self.space
        return [u for u in passing(m, here, side) if avoids_at(state, u, here) and not hunts_at(state, u, here)]

    def forces(self, m: M, units: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the task forces among units.  [w2e-task-force]"""
        by: dict[int, list[int]] = {}
        for unit in units:
            by.setdefault(m.state.task[unit], []).append(unit)
        return [tuple(group) for group in by.values()]

    # ---- the course of it
    def run(self, m: M) -> None:
        step: Encounter | None = self
        while step is not None:
            now = step
            if now.waits(m):
                m.amend(now)
                return
            step = _GO_ON[now.phase](now, m)

    def waits(self, m: M) -> bool:
        """Whether somebody has to decide before this phase goes on."""
        if self.phase in ("chase", "port"):
            return True
        if self.phase == "combine":
            return len(self.groups) > 1 and not m.option("advanced-naval")
        return self.phase == "convoy" and len(self.convoys_found(m)) > 1

    def _begin(self, m: M) -> Encounter | None:
        both = self.patrollers(m, 0), self.patrollers(m, 1)
        if both[0] and both[1]:
            last = [max(m.state.task[u] for u in units) for units in both]
            attacker = 0 if last[0] > last[1] else 1
            m.amend(replace(self, phase="after"))
            start_battle(m, self.space, attacker, both[attacker], both[1 - attacker])
            return None
        seeker = 0 if both[0] else 1
        if both[seeker] and self.avoiders(m, 1 - seeker):
            return self.seek(m, seeker)
        return replace(self, phase="hunt")

    def _after(self, m: M) -> Encounter | None:
        """A battle of patrols is over: the winner may go for those who avoided it, or go home.

        [w2e-both-patrol] [w2e-ex-multi-b3]
        """
        both = self.patrollers(m, 0), self.patrollers(m, 1)
        if bool(both[0]) == bool(both[1]):
            return replace(self, phase="hunt")
        winner = 0 if both[0] else 1
        if not self.avoiders(m, 1 - winner):
            return replace(self, phase="hunt")
        return replace(self, phase="chase", side=winner)

    def seek(self, m: M, side: int) -> Encounter:
        seekers = self.patrollers(m, side)
        if evades(m, self.space, [], 1 - side) and any(K.cls[m.state.kind[u]] != AIR for u in seekers):
            step = replace(self, phase="port", side=side)
            return step if step.able(m) else replace(step, phase="slip")
        return replace(self, phase="combine", side=side, groups=tuple(self.forces(m, seekers)))

    def able(self, m: M) -> list[int]:
        """Return the ships in port that may choose to fight: not those that must always avoid battle.

        [w2e-port-evade] [w2e-unit-sub-avoid] [w2e-unit-transport-avoid] [w2e-special-raiders]
        """
        state = m.state
        return [
            u for u in self.avoiders(m, 1 - self.side)
            if not K.must_avoid[state.kind[u]] and state.space[u] != IN_CONVOY and not state.flags[u] & RAIDER
        ]  # fmt: skip

    def _slip(self, m: M) -> Encounter:
        """Ships in their port evade ships; planes may still look for those who do not fight.  [w2e-auto-evade]"""
        seekers, others = self.patrollers(m, self.side), self.avoiders(m, 1 - self.side)
        if not seekers or not others:
            return replace(self, phase="hunt")
        m.emit(Evaded(space=f"@{A.names[self.space]}", units=names_of(m.state, others)))
        groups = tuple(self.forces(m, [u for u in seekers if K.cls[m.state.kind[u]] == AIR]))
        return replace(self, phase="combine" if groups else "hunt", groups=groups)

    def _combine(self, m: M) -> Encounter:
        return replace(self, phase="roll")

    def _roll(self, m: M) -> Encounter | None:
        """The next task force looks for the enemy.  [w2e-one-patrol] [w2e-auto-interception]"""
        state = m.state
        groups = [tuple(u for u in group if patrols_at(state, u, self.space) and is_at_sea(state, u))
                  for group in self.groups]  # fmt: skip
        groups = [group for group in groups if group]
        targets = self.avoiders(m, 1 - self.side)
        if not groups or not targets:
            return self.engage(m)
        group, rest = groups[0], tuple(groups[1:])
        number = needed(m, group, self.space)
        silent = [
            u for u in targets
            if (K.submerged[state.kind[u]] or state.flags[u] & RAIDER) and not state.flags[u] & SOUGHT
        ]  # fmt: skip
        die = 1 if number >= 6 else 7
        if 0 < number < 6 or (silent and number >= 6):
            die = m.roll(why="w2e-one-patrol")
        found = found_by(m, die, number, targets)
        if number > 0:
            mark_all(state, silent, SOUGHT)
        m.emit(Sought(space=f"@{A.names[self.space]}", side=f"@{SIDES[self.side]}", needed=number,
                      found=names_of(state, found)))  # fmt: skip
        every = tuple(dict.fromkeys((*self.found, *found)))
        step = replace(self, groups=rest, found=every, by=(*self.by, *group) if found else self.by)
        if m.option("advanced-naval"):
            return step
        return replace(step, phase="convoy") if found else step

    def engage(self, m: M) -> Encounter | None:
        if self.found and self.by:
            return replace(self, phase="convoy")
        return replace(self, phase="hunt")

    def convoys_found(self, m: M) -> list[int]:
        return sorted({m.state.convoy[u] for u in self.found if m.state.convoy[u] >= 0})

    def _convoy(self, m: M) -> None:
        """The battle with what was found; of several convoys only one.  [w2e-convoy-units-no-patrol]"""
        by, found = self.by, self.found
        m.amend(replace(self, phase="roll" if self.groups else "hunt", by=(), found=()))
        start_battle(m, self.space, self.side, by, found)

    def _hunt(self, m: M) -> Encounter | None:
        """Raiders after a convoy look for it last.  [w2e-special-raiders]"""
        for side in (0, 1):
            for unit in self.hunters(m, side):
                task = task_of(m.state, unit)
                assert task is not None
                ships = [u for u in self.avoiders(m, 1 - side) if m.state.convoy[u] == task.target]
                send = replace(self, phase="raided", side=side, by=(unit,))
                number = needed(m, (unit,), self.space)
                die = 1 if number >= 6 else m.roll(why="w2e-special-raiders") if number else 7
                m.emit(Sought(space=f"@{A.names[self.space]}", side=f"@{SIDES[side]}", needed=number,
                              found=names_of(m.state, ships if die <= number else ())))  # fmt: skip
                if ships and die <= number:
                    m.amend(send)
                    start_battle(m, self.space, side, (unit,), tuple(ships))
                    return None
                m.amend(self)
                send_home(m, unit, -1)
                return self if m.state.stack[-1] is self else None
        m.pop()
        drop_empty_convoys(m)
        return None

    def _raided(self, m: M) -> Encounter | None:
        unit = self.by[0]
        m.replace(replace(self, phase="hunt", by=()))
        if m.state.space[unit] >= 0 and unit in self.hunters(m, self.side):
            send_home(m, unit, -1)
        return None

    # ---- decisions
    def roles(self, m: M) -> Sequence[str]:
        state = m.state
        if self.phase == "port":
            return (A.powers[spokesman(state, self.able(m), 1 - self.side)],)
        return (A.powers[spokesman(state, self.patrollers(m, self.side), self.side)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        if self.phase == "port":
            units = Field("units", "units", Subsets(list(names_of(m.state, self.able(m))), 1))
            return [Offer(GiveBattle, units, rule="w2e-port-evade"), Choices([Evade()], rule="w2e-port-evade")]
        if self.phase == "convoy":
            names = [convoy_name(number) for number in self.convoys_found(m)]
            return [Offer(ChooseConvoy, Field("convoy", "choice", OneOf(names)), rule="w2e-convoy-units-no-patrol")]
        offers: list[Offer] = [Choices([Separate()], rule="w2e-interception-combine")]
        if not m.option("advanced-naval"):
            offers.append(Choices([Combine()], rule="w2e-interception-combine"))
        if self.phase == "chase":
            mine = list(names_of(m.state, self.patrollers(m, self.side)))
            offers.append(Choices([Abort(tuple(mine))], rule="w2e-ex-multi-b3"))
        return offers

    def take(self, m: M, role: str, action: Any) -> None:
        state = m.state
        if isinstance(action, ChooseConvoy):
            keep = int(action.convoy.split()[1])
            found = tuple(u for u in self.found if state.convoy[u] in (-1, keep))
            m.replace(replace(self, found=found))
        elif isinstance(action, GiveBattle):
            m.amend(replace(self, phase="slip"))
            dfn = [unit_of(state, name) for name in action.units]
            start_battle(m, self.space, self.side, self.patrollers(m, self.side), dfn)
        elif isinstance(action, Evade):
            m.replace(replace(self, phase="slip"))
        elif isinstance(action, Abort):
            m.replace(replace(self, phase="hunt"))
            go_home(m, [unit_of(state, name) for name in action.units])
        else:
            step = self.seek(m, self.side) if self.phase == "chase" else self
            groups = tuple(step.groups)
            if isinstance(action, Combine) and groups:
                groups = (tuple(u for group in groups for u in group),)
            if step.phase in ("port", "slip"):
                m.replace(step)
            else:
                m.replace(replace(step, phase="roll", groups=groups))


_GO_ON: dict[str, Callable[[Encounter, M], Encounter | None]] = {
    "begin": Encounter._begin, "after": Encounter._after, "combine": Encounter._combine, "roll": Encounter._roll,
    "slip": Encounter._slip,
    "convoy": Encounter._convoy, "hunt": Encounter._hunt, "raided": Encounter._raided,
}  # fmt: skip
"""Per phase what happens in it when nobody has to decide."""


def go_home(m: M, units: Sequence[int]) -> None:
    """Units abort: they sail or fly home at once and can be found no more.  [w2e-abort]"""
    for unit in units:
        mark(m.state, unit, RETREATED)
        send_home(m, unit, -1)


def start_battle(m: M, space: int, attacker: int, att: Sequence[int], dfn: Sequence[int]) -> None:
    """Put a sea battle on the stack, with what comes before and after it."""
    counts = battle_counts(m, space, dfn)
    battle = Battle(space, attacker, True, tuple(att), tuple(dfn), counts=counts)
    after = AfterBattle(space, (*att, *dfn))
    if m.option("advanced-naval"):
        m.push(Assemble(battle), after)
    else:
        m.push(battle, after)


class AfterBattle(Step, frozen=True, tag="after-battle"):
    """Those who survived may go on to their next encounter or abort.  [w2e-abort] [w2e-stage2-repeat]"""

    rule = "w2e-abort"
    space: int
    units: tuple[int, ...]
    asked: tuple[int, ...] = ()

    def concerned(self, m: M, side: int) -> list[int]:
        """Return survivors that still have something before them."""
        state = m.state
        found = []
        for unit in self.units:
            task = task_of(state, unit)
            if A.side[state.power[unit]] != side or task is None or not is_at_sea(state, unit):
                continue
            path = path_of(state, unit)
            onward = self.space in path and path.index(self.space) < len(path) - 1
            if onward or task.target >= 0:
                found.append(unit)
        return found

    def sides(self, m: M) -> list[int]:
        return [side for side in (0, 1) if side not in self.asked and self.concerned(m, side)]

    def run(self, m: M) -> None:
        if not self.sides(m):
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        side = self.sides(m)[0]
        return (A.powers[spokesman(m.state, self.concerned(m, side), side)],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = list(names_of(m.state, self.concerned(m, self.sides(m)[0])))
        return [
            Offer(Abort, Field("units", "units", Subsets(names, 1)), rule=self.rule),
            Choices([Fight()], rule=self.rule),
        ]

    def take(self, m: M, role: str, action: Any) -> None:
        m.replace(AfterBattle(self.space, self.units, (*self.asked, self.sides(m)[0])))
        if isinstance(action, Abort):
            go_home(m, [unit_of(m.state, name) for name in action.units])
