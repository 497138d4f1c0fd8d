"""Combat results as steps (11.16): what each code does, in its order."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Offer, OneOf, Refusal, Step

from ..model.actions import Lose
from ..model.atlas import ATLAS, MOBILE, NOBODY, SIDES
from ..model.state import UTILIZED, M, lay
from .advance_phase import Pursuit
from .air import home
from .control import settle_control
from .losses import eliminate, reduce
from .results import RESULTS, flak_hits
from .retreat_phase import RetreatAll


def carry_out(m: M, side: int) -> None:
    """[mw-11.16-a] Put the steps of the battle's result on the stack, in the order its text gives.

    [mw-crt-aa] [mw-crt-ad] [mw-crt-ap] [mw-crt-as] [mw-crt-aw] [mw-crt-az] [mw-crt-bb] [mw-crt-da] [mw-crt-dd]
    [mw-crt-dp] [mw-crt-dw] [mw-crt-dz] [mw-crt-ma] [mw-crt-md] [mw-crt-or]
    """
    battle = m.state.battle
    assert battle is not None
    result, units, defenders = RESULTS[battle.result], battle.units, battle.defenders
    steps: list[Step] = []
    if result.attackers_die:
        steps.append(LoseAll(side))
    if result.defenders_die:
        steps.append(LoseAll(1 - side))
    if result.defenders_reduced:
        steps.append(LoseSteps(1 - side, defenders, result.steps_of_defenders(len(defenders))))
    if result.attackers_reduced:
        number = result.steps_of_attackers(len(units), len(defenders))
        steps.append(LoseSteps(side, units, number, battle.table == MOBILE))
    if result.tanks_reduced:
        tanks = tuple(unit for unit in units if ATLAS.units[unit].mechanized)
        steps.append(LoseSteps(side, tanks, result.tanks_reduced))
    if result.attackers_retreat:
        steps.append(RetreatAll(side, units, result.attackers_retreat))
    if result.defenders_retreat:
        steps.append(RetreatAll(1 - side, defenders, result.defenders_retreat))
    if result.lets_advance:
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
    """[mw-11.16-a] [mw-11.16-b] The owner picks who is reduced, each unit once; on the Mobile table the mechanized
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
        return [
            Offer(Lose, Field("unit", "unit", OneOf(names, why=lambda unit: self.why_not(m, unit))), rule="mw-11.16-a")
        ]

    def why_not(self, m: M, unit: str) -> Refusal:
        battle, number = m.state.battle, ATLAS.unit_number.get(unit)
        if number in self.units and self.mechanized_first:
            return Refusal("mw-11.16-b", "mechanized-first")
        if battle is None or number not in (battle.units if m.state.phasing == self.side else battle.defenders):
            return Refusal("mw-11.16-a", "not-in-battle", unit=unit)
        if RESULTS[battle.result].tanks_reduced and not ATLAS.units[number].mechanized:
            return Refusal(f"mw-crt-{battle.result.lower()}", "only-mechanized", unit=unit)
        return Refusal("mw-11.16-a", "reduced-already", unit=unit)

    def take(self, m: M, role: str, action: Lose) -> None:
        self.hit(m, ATLAS.unit_number[action.unit])

    def hit(self, m: M, unit: int) -> None:
        reduce(m, unit, "combat")
        rest = tuple(other for other in self.units if other != unit)
        m.replace(LoseSteps(self.side, rest, self.number - 1, self.mechanized_first))


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
