"""Advances: one army tries to enter a hex, and what that costs its defenders."""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core import Field, Named, Offer, Refusal, Step
from sandtable.core.columns import having, lacking, put

from ..model.actions import Advance, Done
from ..model.atlas import ARMY_NAMES, ATLAS, NOBODY, PARA
from ..model.events import Advanced, PointLost, Repulsed
from ..model.state import (
    AIRDROP,
    DECLINED,
    FAILED,
    INVASION,
    LAND,
    M,
    OwnTurn,
    War,
    add_points,
    air_in,
    armies_in,
    armies_of,
    army_name,
    book,
    side_of,
    space_name,
)
from . import home_forces, surrender
from .advance import chance, paradrops, why_no_advance, why_stays
from .control import remove_if_empty, take
from .firepower import note_winter
from .leaders import roll_for_leaders
from .losses import Losses
from .naval.fleets import in_port
from .naval.harbours import HomeToPort
from .retreat import Retreats


# ---- carrying it out
def attempt(m: M, army: int, paradrop: int) -> None:
    """One advance attempt, die and all.  [hw-advance-1] [hw-advance-2] [hw-para-4] [hw-invade-friendly]"""
    s = m.state
    target = s.target[army]
    what = chance(s, army, target, paradrop)
    s.dropped = put(s.dropped, army, s.dropped[army] + paradrop)
    if s.mode[army] == INVASION and s.owner[target] == side_of(army):
        m.emit(Advanced(army=army_name(army), to=space_name(target), needed=6, modified=0))
        enter(m, army, target)
        return
    die = m.roll(why="hw-advance-3")
    facts = {"army": army_name(army), "to": space_name(target), "needed": what.needed, "modified": die + what.added}
    if what.succeeds(die):
        m.emit(Advanced(**facts))  # type: ignore[arg-type]
        enter(m, army, target)
        return
    m.emit(Repulsed(**facts))  # type: ignore[arg-type]
    give_up(s, army)
    if paradrop:
        lose_drop(m, army, paradrop)


def give_up(s: War, army: int, why: int = FAILED) -> None:
    """An army makes no more attacks this turn.  [hw-attack-4]"""
    s.spent = put(s.spent, army, why)
    s.target = put(s.target, army, -1)


def lose_drop(m: M, army: int, paradrop: int) -> None:
    """A failed drop costs every point that dropped.  [hw-para-4]"""
    s = m.state
    at = s.army_at[army]
    add_points(s, army, PARA, -paradrop)
    s.dropped = put(s.dropped, army, s.dropped[army] - paradrop)
    book(s, army, -paradrop)
    for _ in range(paradrop):
        m.emit(PointLost(unit=army_name(army), kind="@paratroop"))
    roll_for_leaders(m, (army,))
    if remove_if_empty(m, army) and not armies_in(s, at):
        s.bare = having(s.bare, at, 1)


def enter(m: M, army: int, target: int) -> None:
    """A successful advance: the army moves in, the hex is captured, defenders are displaced.

    [hw-advance-4] [hw-advance-7] [hw-garrison-5] [hw-garrison-7] [hw-friendly-2] [hw-fort-10] [hw-offmap-2]
    """
    s = m.state
    side, start = side_of(army), s.army_at[army]
    displaced = tuple(a for a in armies_in(s, target) if side_of(a) != side)
    s.army_at = put(s.army_at, army, target)
    s.target = put(s.target, army, -1)
    s.advanced = put(s.advanced, army, s.advanced[army] + 1)
    s.routes = lacking(s.routes, army)
    if not armies_in(s, start):
        s.bare = having(s.bare, start, 1)
    note_winter(s)
    if s.owner[target] == side:
        return
    homeless = s.home.get(target, 0)
    ships = in_port(s, target)
    group = ATLAS.group_of[target]
    before = s.owner[target]
    take(m, target, side)
    s.bare = having(s.bare, target, 1)
    s.captured = having(s.captured, target, side)
    steps: list[Step] = []
    excess = air_in(s, [army]) - air_in(s, list(displaced))
    if displaced and excess > 0:
        steps.append(Losses(side_of(displaced[0]), displaced, -1, excess, ground_only=True))
    if displaced:
        steps.append(Retreats(target, displaced, group if before == NOBODY else -1))
    steps.extend(home_forces.displaced(target, homeless, before))
    if ships:
        steps.append(HomeToPort(tuple(ships)))
    steps.append(surrender.Fallen(target, side, before))
    m.push(*steps)


def why_not_waiting(s: War, army: int) -> Refusal:
    """Why an army has no advance of the initial attack to make.  [hw-initial-1] [hw-attack-4] [hw-attack-8]"""
    if s.spent[army] == FAILED:
        return Refusal("hw-attack-4", "hw-spent", army=army_name(army))
    if s.advanced[army]:
        return Refusal("hw-attack-8", "hw-advanced-already", army=army_name(army))
    return Refusal("hw-initial-1", "hw-not-named", army=army_name(army))


class Advances(OwnTurn, frozen=True, tag="advances"):
    """The attacker resolves the advances of the initial attacks in any order.

    Invaders must all try, if anything in them can still land; over land the attacker may decline.
    [hw-initial-5] [hw-initial-7] [hw-invade-7] [hw-invade-9]
    """

    rule = "hw-initial-5"

    invasion: bool

    def waiting(self, s: War) -> list[int]:
        modes = (INVASION,) if self.invasion else (LAND, AIRDROP)
        return [a for a in armies_of(s.side) if s.mode[a] in modes and s.target[a] >= 0 and not s.spent[a]]

    def run(self, m: M) -> None:
        s = m.state
        if self.invasion:
            for army in self.waiting(s):
                if why_stays(s, army, INVASION) is not None:
                    give_up(s, army)
        if not self.waiting(s):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        waiting = self.waiting(s)

        def why(army: int) -> Refusal | None:
            if army not in waiting:
                return why_not_waiting(s, army)
            return None if self.invasion else why_no_advance(s, army)

        able = Field("army", "unit", Named([a for a in waiting if why(a) is None], ARMY_NAMES, why=why))
        drops = Field("paradrop", "number", lambda name: paradrops(s, ATLAS.army_index[name]))
        advance = Offer(Advance, able, drops, rule="hw-advance-1")
        return [advance] if self.invasion else [Offer(Done, rule="hw-initial-5"), advance]

    def take(self, m: M, role: str, action: Done | Advance) -> None:
        s = m.state
        if isinstance(action, Done):
            for army in self.waiting(s):
                give_up(s, army, DECLINED)
            m.pop()
            return
        m.replace(self)
        attempt(m, ATLAS.army_index[action.army], action.paradrop)
