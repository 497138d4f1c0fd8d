"""Combat results (the list at the end of the rules, 11.16): what each code does, in its order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Offer, OneOf, Refusal, Step
from sandtable.core.offers import Field

from ..model.actions import Lose
from ..model.atlas import ATLAS, MOBILE, NOBODY, SIDES
from ..model.state import UTILIZED, Battle, M, lay
from .advance import Pursuit
from .air import home
from .control import settle_control
from .losses import eliminate, reduce
from .retreat import RetreatAll

_RESULTS: dict[str, dict[str, Any]] = ATLAS.tables["combat_results"]


def carry_out(m: M, side: int) -> None:
    """[mw-11.16-a] Put the steps of the battle's result on the stack, in the order its text gives.

    [mw-crt-aa] [mw-crt-ad] [mw-crt-ap] [mw-crt-as] [mw-crt-aw] [mw-crt-az] [mw-crt-bb] [mw-crt-da] [mw-crt-dd]
    [mw-crt-dp] [mw-crt-dw] [mw-crt-dz] [mw-crt-ma] [mw-crt-md] [mw-crt-or]
    """
    battle = m.state.battle
    assert battle is not None
    row = _RESULTS[battle.result]
    steps: list[Step] = []
    if row.get("attacker_eliminate"):
        steps.append(LoseAll(side))
    if row.get("defender_eliminate"):
        steps.append(LoseAll(1 - side))
    if "defender_reduce" in row:
        number = len(battle.defenders) if row["defender_reduce"] == "all" else int(row["defender_reduce"])
        steps.append(LoseSteps(1 - side, battle.defenders, min(number, len(battle.defenders))))
    if "attacker_reduce" in row:
        wanted = row["attacker_reduce"]
        if wanted == "all":
            number = len(battle.units)
        elif isinstance(wanted, int):
            number = wanted
        else:
            number = len(battle.defenders)  # a bloodbath: as many as defenders were reduced, which is all of them
        steps.append(LoseSteps(side, battle.units, min(number, len(battle.units)), battle.table == MOBILE))
    if "attacker_reduce_mechanized" in row:
        tanks = tuple(unit for unit in battle.units if ATLAS.units[unit].mechanized)
        steps.append(LoseSteps(side, tanks, int(row["attacker_reduce_mechanized"])))
    if "attacker_retreat" in row:
        steps.append(RetreatAll(side, battle.units, int(row["attacker_retreat"])))
    if "defender_retreat" in row:
        steps.append(RetreatAll(1 - side, battle.defenders, int(row["defender_retreat"])))
    if "advance" in row:
        steps.append(Pursuit(side))
    m.replace(*steps, Aftermath(side))


class LoseAll(Step, frozen=True, tag="mw.lose-all"):
    """[mw-crt-az] [mw-crt-dz] A disaster: all units of the side in the battle are eliminated."""

    rule = "mw-crt-az"
    side: int

    def run(self, m: M) -> None:
        battle = m.state.battle
        assert battle is not None
        units = battle.units if m.state.phasing == self.side else battle.defenders
        for unit in units:
            if m.state.steps[unit]:
                eliminate(m, unit, "combat")
        m.pop()


class LoseSteps(Step, frozen=True, tag="mw.lose-steps"):
    """[mw-11.16-a] [mw-11.16-b] The owner picks who is reduced, each unit once; on the Mobile table his mechanized
    attackers come first."""

    rule = "mw-11.16-a"
    side: int
    units: tuple[int, ...]
    number: int
    mechanized_first: bool = False

    def run(self, m: M) -> None:
        alive = self.alive(m)
        if not self.number or not alive:
            m.pop()
        elif self.number >= len(alive):
            for unit in alive:
                reduce(m, unit, "combat")
            m.pop()
        elif len(self.choices(m)) == 1:
            self.hit(m, self.choices(m)[0])

    def alive(self, m: M) -> list[int]:
        return [unit for unit in self.units if m.state.steps[unit]]

    def choices(self, m: M) -> list[int]:
        alive = self.alive(m)
        tanks = [unit for unit in alive if ATLAS.units[unit].mechanized]
        return tanks if self.mechanized_first and tanks else alive

    def roles(self, m: M) -> Sequence[str]:
        return (SIDES[self.side],)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        names = [ATLAS.units[unit].id for unit in self.choices(m)]
        return [Offer(Lose, Field("unit", "unit", OneOf(names, why=self.why_not)), rule="mw-11.16-a")]

    def why_not(self, unit: str) -> Refusal:
        if ATLAS.unit_number.get(unit) in self.units and self.mechanized_first:
            return Refusal("mw-11.16-b", "mechanized-first")
        return Refusal("mw-11.16-a", "not-in-battle", unit=unit)

    def take(self, m: M, role: str, action: Lose) -> None:
        self.hit(m, ATLAS.unit_number[action.unit])

    def hit(self, m: M, unit: int) -> None:
        reduce(m, unit, "combat")
        rest = tuple(other for other in self.units if other != unit)
        m.replace(LoseSteps(self.side, rest, self.number - 1, self.mechanized_first))


def flak_hits(battle: Battle, die: int) -> bool:
    """[mw-16.9-e] Whether guns in the hex reduce the aircraft that support the attack."""
    return battle.flak and die == 1


class Aftermath(Step, frozen=True, tag="mw.aftermath"):
    """[mw-16.9-e] [mw-16.9-f] [mw-17.1-e] [mw-18.1-e] [mw-18.2.2-d] When all is done the helpers go to Utilized."""

    rule = "mw-16.9-f"
    side: int

    def run(self, m: M) -> None:
        state = m.state
        battle = state.battle
        assert battle is not None
        if battle.air != NOBODY:
            alive = True
            if flak_hits(battle, battle.die):
                alive = reduce(m, battle.air, "flak")
            if alive:
                home(m, battle.air)
        for marker in (battle.naval, battle.sf):
            if marker != NOBODY and state.steps[marker]:
                lay(state, marker, UTILIZED)
        for unit in battle.units:
            if unit in state.assaults:
                eliminate(m, unit, "assault")
        settle_control(m)
        m.pop()
