"""Optional rule: leaders, drawn face down, shown when their army attacks.

Nobody may look at a face-down marker, not even its owner, so what it is need not be decided before it is shown: the
die that shows it runs over all markers of the side that nobody has seen, which is the same draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from sandtable.core import Field, Named, Offer, Refusal
from sandtable.core.columns import put

from ..model.actions import Assign, Done, MoveLeader
from ..model.atlas import ARMY_NAMES, ATLAS, CHART_SIDES
from ..model.events import LeaderLost, LeaderShown
from ..model.state import FACE_DOWN, SHOWN, M, OwnTurn, War, armies_of, army_name, points, side_of
from .sealift import seas_for

_POOLS = ATLAS.tables["leader_pools"]


def allowance(s: War, side: int) -> int:
    """One marker for every full ten points in armies, tac air not counted.  [hw-leader-3]"""
    strength = sum(points(s, army) for army in armies_of(side) if s.army_at[army] >= 0 and not s.idle[army])
    return strength // int(_POOLS["per_strength"])


def in_play(s: War, side: int) -> int:
    return sum(1 for army in armies_of(side) if s.leader[army])


def unseen(s: War, side: int) -> tuple[int, int]:
    """Leaders and all markers that nobody has seen: the pool and those face down.  [hw-leader-2]"""
    pool = _POOLS[CHART_SIDES[side]]
    shown = sum(1 for army in armies_of(side) if s.leader[army] == SHOWN)
    return int(pool["leaders"]) - shown, int(pool["leaders"]) + int(pool["no_leader"]) - shown


def reveal(m: M, army: int) -> None:
    """A marker is turned over when its army is about to attack; a blank goes back.  [hw-leader-5] [hw-leader-6]"""
    s = m.state
    if s.leader[army] != FACE_DOWN:
        return
    real, markers = unseen(s, side_of(army))
    leader = m.roll(markers, why="hw-leader-5") <= real
    s.leader = put(s.leader, army, SHOWN if leader else 0)
    m.emit(LeaderShown(army=army_name(army), leader=leader))


def roll_for_leaders(m: M, armies: Iterable[int]) -> None:
    """Each time an army with a leader takes losses, the leader falls on a six.  [hw-leader-8]"""
    s = m.state
    for army in armies:
        if s.leader[army] != SHOWN or s.army_at[army] < 0:
            continue
        if m.roll(why="hw-leader-8") == int(_POOLS["loss_on"]):
            s.leader = put(s.leader, army, 0)
            m.emit(LeaderLost(army=army_name(army)))


# ---- movement
def why_no_leader(s: War, army: int) -> Refusal | None:
    if s.leader[army] != SHOWN:
        return Refusal("hw-leader-7", "hw-no-leader-shown", army=army_name(army))
    return Refusal("hw-unsupplied-3", "hw-army-unsupplied", army=army_name(army)) if s.stuck[army] else None


def open_armies(s: War, side: int) -> list[int]:
    """Armies of a side that could get a marker."""
    return [a for a in armies_of(side) if s.army_at[a] >= 0 and not s.leader[a] and not s.idle[a]]


def movement_offers(m: M, side: int) -> list[Offer]:
    """Leaders once shown move between armies; each army has one at most.  [hw-leader-7] [hw-leader-3]"""
    s = m.state
    if not m.option("leaders"):
        return []
    if not any(s.leader[a] == SHOWN and not s.stuck[a] for a in armies_of(side)) or not open_armies(s, side):
        return []
    return [Offer(MoveLeader, lambda: _leader_fields(s, side), rule="hw-leader-7")]


def _leader_fields(s: War, side: int) -> tuple[Field, ...]:
    def why_to(army: int, other: int) -> Refusal | None:
        if side_of(other) != side or s.army_at[other] < 0 or s.idle[other]:
            return Refusal("hw-leader-7", "hw-not-your-army", army=army_name(other))
        if s.leader[other]:
            return Refusal("hw-leader-3", "hw-has-leader", army=army_name(other))
        seas = seas_for(s, side, s.army_at[army], s.army_at[other], 0)
        return seas if isinstance(seas, Refusal) else None

    def others(name: str) -> Named:
        why = partial(why_to, ATLAS.army_index[name])
        return Named([a for a in open_armies(s, side) if why(a) is None], ARMY_NAMES, why=why)

    led = [a for a in armies_of(side) if s.leader[a] == SHOWN and not s.stuck[a]]
    return Field("army", "unit", Named(led, ARMY_NAMES, why=partial(why_no_leader, s))), Field("to", "unit", others)


def take_movement(m: M, action: object) -> bool:
    if not isinstance(action, MoveLeader):
        return False
    s = m.state
    s.leader = put(s.leader, ATLAS.army_index[action.army], 0)
    s.leader = put(s.leader, ATLAS.army_index[action.to], SHOWN)
    return True


class LeaderDraw(OwnTurn, frozen=True, tag="leader-draw"):
    """At the end of production a side draws markers up to its allowance and assigns them face down.

    Markers above the allowance go back first.  [hw-leader-3] [hw-leader-4]
    """

    rule = "hw-leader-4"

    def run(self, m: M) -> None:
        s = m.state
        if not m.option("leaders"):
            m.pop()
            return
        excess = in_play(s, s.side) - allowance(s, s.side)
        for army in reversed(armies_of(s.side)):
            if excess > 0 and s.leader[army] == FACE_DOWN:
                s.leader = put(s.leader, army, 0)
                excess -= 1
        for army in reversed(armies_of(s.side)):
            if excess > 0 and s.leader[army]:
                s.leader = put(s.leader, army, 0)
                excess -= 1
        if in_play(s, s.side) >= allowance(s, s.side) or not open_armies(s, s.side):
            m.pop()

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state

        def why(army: int) -> Refusal:
            if side_of(army) != s.side or s.army_at[army] < 0 or s.idle[army]:
                return Refusal("hw-leader-4", "hw-not-your-army", army=army_name(army))
            return Refusal("hw-leader-3", "hw-has-leader", army=army_name(army))

        armies = Named(open_armies(s, s.side), ARMY_NAMES, why=why)
        return [Offer(Assign, Field("army", "unit", armies), rule=self.rule), Offer(Done, rule=self.rule)]

    def take(self, m: M, role: str, action: Done | Assign) -> None:
        if isinstance(action, Done):
            m.pop()
            return
        m.state.leader = put(m.state.leader, ATLAS.army_index[action.army], FACE_DOWN)
        m.replace(self)
