"""7.2 US entry: the neutral USA's production grows until it may declare war."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Offer, Role, Step

from ..model import events as ev
from ..model.actions import Declare, Done, PlayCard
from ..model.atlas import ATLAS, GERMANY, MAJORS, USA
from ..model.state import NEUTRAL, BKState, M
from .cards.playing import play, play_offers
from .conquest import relocate_violators
from .economy import refresh_production
from .politics import us_enters


def us_entry(m: M) -> None:
    """Add one each turn until the level is reached. [bg-7.2-plus-one] [bg-7.2-actual]"""
    state, row = m.state, ATLAS.us_entry
    if state.standing[USA] == NEUTRAL and state.us_level < row["cap"]:
        state.us_level += row["per_turn"]
        m.emit(ev.UsLevel(level=state.us_level))
    refresh_production(state)


def may_declare(state: BKState) -> bool:
    """[bg-7.2-level-20] [bg-time-4-41-adv]"""
    return state.standing[USA] == NEUTRAL and state.us_level >= ATLAS.us_entry["declare_at"]


class UsEntry(Step, frozen=True, tag="bg.us-entry"):
    """Cards of the phase, and the American declaration of war on the Axis."""

    rule = "bg-7.2-level-20"
    done: tuple[str, ...] = ()

    def run(self, m: M) -> None:
        if not m.asked():
            refresh_production(m.state)
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        return [MAJORS[n] for n in range(8) if MAJORS[n] not in self.done and self._offers(m, n)]

    def _offers(self, m: M, major: int) -> list[Offer]:
        out: list[Offer] = play_offers(m.state, major, "us-entry")
        if major == USA and may_declare(m.state):
            out.append(Choices([Declare(MAJORS[GERMANY])], rule="bg-7.2-level-20"))
        return out

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        return [*self._offers(m, MAJORS.index(role)), Choices([Done()], rule="bg-7.2-level-20")]

    def publicly_asked(self, m: M) -> Sequence[Role]:
        return [MAJORS[n] for n in range(8) if MAJORS[n] not in self.done]

    def take(self, m: M, role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.replace(UsEntry((*self.done, role)))
        elif isinstance(action, Declare):
            m.emit(ev.WarDeclared(country="@usa", on="@axis"))
            us_enters(m)
            if m.state.peace >= 0:
                relocate_violators(m)
            refresh_production(m.state)
            m.replace(UsEntry(self.done))
        else:
            assert isinstance(action, PlayCard)
            m.replace(UsEntry(self.done))
            play(m, MAJORS.index(role), action)
