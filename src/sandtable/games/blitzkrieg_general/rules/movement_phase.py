"""6.2-6.4 and 6.7: a phase in which all majors of a side move side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Offer, Role, Step

from ..facts.politics import acting
from ..facts.units import counters, on_map
from ..model.actions import (
    Bomb,
    Declare,
    Done,
    DropAtom,
    FireV,
    Fly,
    Form,
    March,
    PlayCard,
    Railroad,
    Raise,
    Rebase,
    Station,
    Support,
)
from ..model.atlas import ATLAS, FRANCE, GERMANY, JAPAN, MAJORS
from ..model.state import BKState, M, strength
from ..model.tables import LIMITS
from .cards.garrison import garrison, is_owed, short
from .cards.playing import play, play_offers
from .control import take_control
from .flying import (
    bomb_offers,
    declare_offers,
    fly_offers,
    station_offers,
    support_offers,
    take_bomb,
    take_declare,
    take_fly,
    take_station,
    take_support,
)
from .movement import march_offers, march_targets, take_march, why_not_march
from .naval_phase import form_offers, take_form
from .rail import rail_offers, rebase_offers, take_rail, take_rebase
from .weapons import special_offers, take_special


# ---- a phase in which the whole side moves ------------------------------------------------------------------------
class Phase(Step, frozen=True, tag="bg.phase"):
    """All majors of the phasing side act side by side until each has finished. [bg-6.4-phasing-first]
    [bg-6.4.4-land]"""

    rule = "bg-6.4-phasing-first"
    name: str
    done: tuple[str, ...] = ()

    def run(self, m: M) -> None:
        if not m.asked():
            m.pop()

    def roles(self, m: M) -> Sequence[Role]:
        return busy(m.state, self.name, self.done)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        major = MAJORS.index(role)
        out: list[Offer] = []
        for offers in _OFFERS[self.name]:
            out += offers(m, major)
        if m.state.advanced:
            out += play_offers(m.state, major, self.name)
        if self.name == "land" and major == GERMANY and must_garrison(m.state):
            out.append(Offer(Done, short(), rule="bg-card-tito"))
        else:
            out.append(_DONE)
        return out

    def take(self, m: M, role: Role, action: Any) -> None:
        major = MAJORS.index(role)
        move = _MOVES.get(type(action))
        if move is not None:
            move(m, action)
        elif isinstance(action, Done):
            m.replace(Phase(self.name, (*self.done, role)))
        elif isinstance(action, Form):
            take_form(m, major, action)
        elif isinstance(action, Railroad):
            take_rail(m, major, action)
        elif isinstance(action, Declare):
            take_declare(m, major, action)
        elif isinstance(action, Raise):
            take_control(m, ATLAS.space_of[action.area], JAPAN)
        elif isinstance(action, (DropAtom, FireV)):
            take_special(m, major, action)
        elif isinstance(action, PlayCard):
            play(m, major, action)
        if m.step is self:
            m.replace(self)


_DONE = Choices([Done()], rule="bg-6.4.1-max")
_MOVES: dict[type, Any] = {
    March: take_march, Fly: take_fly, Support: take_support, Bomb: take_bomb, Rebase: take_rebase,
    Station: take_station,
}  # fmt: skip


_MOVERS = {"rebase": "aircraft", "naval": "ships"}


def busy(state: BKState, name: str, done: tuple[str, ...] = ()) -> list[Role]:
    """Return the phasing majors that have not finished a phase and could have anything to do in it."""
    if name == "rail":
        points = state.rail_left
        return [MAJORS[n] for n in acting(state, state.phasing) if points[n] > 0 and MAJORS[n] not in done]
    out: list[Role] = []
    place, units = state.place, counters(state, _MOVERS.get(name, "all"))
    for major in acting(state, state.phasing):
        role = MAJORS[major]
        if role in done:
            continue
        for unit in units[major]:
            if place[unit] >= 0:
                out.append(role)
                break
        else:
            if state.advanced and name in ("land", "naval") and state.hands[major]:
                out.append(role)
    return out


def indochine_offers(m: M, major: int) -> list[Offer]:
    """Return the offer of the basic game that Japan takes Indochine without war after the fall of France.
    [bg-time-indochine]"""
    state, area = m.state, ATLAS.indochine
    if state.advanced or major != JAPAN or not state.french_fell:
        return []
    if state.control[area] not in (FRANCE, ATLAS.vichy_nation) or state.here[area]:
        return []
    return [Choices([Raise(ATLAS.space_ids[area])], rule="bg-time-indochine")]


def must_garrison(state: BKState) -> bool:
    """Return whether Germany may not end its land movement: the garrison of Yugoslavia is short and a unit could march
    there. [bg-card-tito]"""
    if not is_owed(state) or garrison(state) >= LIMITS["tito_garrison"]:
        return False
    homes = ATLAS.homes[ATLAS.yugoslavia]
    return any(
        state.nation[u] == GERMANY and state.place[u] not in homes and strength(state, u)
        and why_not_march(state, u) is None and any(s in march_targets(state, u) for s in homes)
        for u in on_map(state, GERMANY, "land")
    )  # fmt: skip


_OFFERS: dict[str, tuple[Any, ...]] = {
    "rail": (rail_offers,),
    "rebase": (rebase_offers,),
    "naval": (form_offers, declare_offers),
    "land": (
        march_offers, fly_offers, support_offers, bomb_offers, station_offers, declare_offers, indochine_offers,
        special_offers,
    ),
    "exploit": (march_offers, fly_offers, support_offers, bomb_offers, form_offers, declare_offers),
}  # fmt: skip
