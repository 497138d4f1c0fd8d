"""7.5 Research: everybody buys numbers, then the announced rolls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Refusal, Role, Step
from sandtable.core.columns import having, lacking, put

from ..facts.politics import acting
from ..model import events as ev
from ..model.actions import Achieve, Announce, BuyNumber, Done
from ..model.atlas import ATLAS, MAJORS
from ..model.state import AT_WAR, BKState, M, enemy_side, plays
from .research import open_advances, why_not_buy_number


class Research(Step, frozen=True, tag="bg.research"):
    """First everybody buys numbers, then rolls are announced. [bg-7.5-buy] [bg-7.5-announce]"""

    rule = "bg-7.5-buy"
    rolling: bool = False
    done: tuple[str, ...] = ()

    def run(self, m: M) -> None:
        if m.asked():
            return
        if self.rolling:
            m.state.rolled_research = 0
            m.state.effects = lacking(m.state.effects, "announced")
            m.pop()
        else:
            m.replace(Research(True))

    def roles(self, m: M) -> Sequence[Role]:
        state = m.state
        return [MAJORS[n] for n in range(8) if MAJORS[n] not in self.done and plays(state, n) and self._may(state, n)]

    def _may(self, state: BKState, major: int) -> bool:
        if not self.rolling:
            return why_not_buy_number(state, major) is None
        return (
            state.numbers[major] > 0
            and not state.rolled_research >> (major + 8) & 1
            and bool(open_advances(state, major))
        )

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        if self.rolling:
            return [Choices([Announce()], rule="bg-7.5-announce"), Choices([Done()], rule="bg-7.5-announce")]
        return [Choices([BuyNumber()], rule="bg-7.5-buy"), Choices([Done()], rule="bg-7.5-buy")]

    def take(self, m: M, role: Role, action: Any) -> None:
        state = m.state
        major = MAJORS.index(role)
        if isinstance(action, BuyNumber):
            state.points = put(state.points, major, state.points[major] - ATLAS.research["price_per_number"])
            state.numbers = put(state.numbers, major, state.numbers[major] + 1)
            state.rolled_research |= 1 << major
            m.emit(ev.NumberBought(country=f"@{role}", number=state.numbers[major]))
            m.replace(Research(self.rolling, self.done))
        elif isinstance(action, Announce):
            state.rolled_research |= 1 << (major + 8)
            state.effects = having(state.effects, "announced", major)
            m.emit(ev.ResearchAnnounced(country=f"@{role}"))
            m.replace(Research(self.rolling, self.done))
            m.push(ResearchRoll(role))
            if state.standing[major] == AT_WAR:  # nobody spies on a neutral [bg-card-sabotage]
                m.window("research", [MAJORS[n] for n in acting(state, enemy_side(state.side[major]))])
        else:
            m.replace(Research(self.rolling, (*self.done, role)))


class ResearchRoll(Step, frozen=True, tag="bg.research-roll"):
    """The announced die, unless the research was sabotaged. [bg-7.5-roll] [bg-7.5-lose] [bg-opt-9.14]"""

    rule = "bg-7.5-roll"
    role: str
    success: bool = False

    def run(self, m: M) -> None:
        if self.success:
            return
        state = m.state
        major = MAJORS.index(self.role)
        numbers = state.numbers[major]
        if not numbers:
            m.pop()
            return
        die = m.roll(why="bg-7.5-roll")
        success = die <= numbers
        m.emit(ev.ResearchRolled(country=f"@{self.role}", die=die, numbers=numbers, success=success))
        keeps = m.option("research-keeps-numbers") and not success
        state.numbers = put(state.numbers, major, max(0, numbers - (die - numbers)) if keeps else 0)
        if success:
            m.replace(ResearchRoll(self.role, True))
        else:
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        choices = open_advances(m.state, MAJORS.index(role))

        def why(value: str) -> Refusal | None:
            if value == "atomic_bomb":
                return Refusal("bg-7.5-atom-prereq", "bomb-needs-all")
            return Refusal("bg-7.5-choose", "achieved-already") if value in ATLAS.achievements else None

        return [Offer(Achieve, Field("what", "choice", OneOf(choices, why=why)), rule="bg-7.5-choose")]

    def take(self, m: M, role: Role, action: Achieve) -> None:
        state = m.state
        major = MAJORS.index(role)
        state.advances = put(state.advances, major, state.advances[major] | 1 << ATLAS.advance_bit[action.what])
        if action.what == "atomic_bomb":
            state.atom_ready = having(state.atom_ready, major, state.turn + 1)
        m.emit(ev.Achieved(country=f"@{role}", advance=f"@{action.what}"))
        m.pop()
