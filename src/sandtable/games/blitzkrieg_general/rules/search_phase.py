"""6.4.3 D and 6.5.4: searches when all ships have moved, and the navy's reaction to an invasion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Refusal, Role, Step
from sandtable.core.columns import having

from ..facts.attacks import fleets
from ..facts.politics import acting
from ..facts.units import on_map
from ..model import events as ev
from ..model.actions import Done, Engage, NavalReact, Withdraw
from ..model.atlas import ATLAS, MAJORS, label, name, unit_id
from ..model.state import MOVED, M, enemy_side, mark, move_unit
from .flying import is_handicapped
from .politics import leader_of
from .search import (
    arrivals_under_watch,
    cancel_landings,
    is_pinner,
    naval_reactions,
    roll_search,
    watchers,
    why_not_come,
)


class Searches(Step, frozen=True, tag="bg.searches"):
    """Cases 2 and 4: both sides roll once per zone when all ships have moved. [bg-6.4.3d-case2] [bg-6.4.3d-case4]
    [bg-6.4.3d-both-succeed] [bg-6.4.3d-one-succeeds] [bg-6.4.3d-no-auto] [bg-6.4.3f-no-search] [bg-6.4.3f-enemy-adv]"""

    rule = "bg-6.4.3d-case2"
    zones: tuple[int, ...]
    role: str = ""
    bits: int = 0

    def run(self, m: M) -> None:
        state = m.state
        if not self.zones:
            m.pop()
            return
        if self.role:
            return
        zone = self.zones[0]
        mine, theirs = fleets(state, zone)
        mine = mine or arrivals_under_watch(state, zone)
        eyes = [*theirs, *(watchers(state, zone, state.nation[mine[0]]) if mine else ())]
        if not mine or not eyes or zone in state.sea_battles:
            m.replace(Searches(self.zones[1:]))
            return
        phasing, other = state.phasing, enemy_side(state.phasing)
        handicap = is_handicapped(state, state.nation[mine[0]], zone)
        found_by_me = not handicap and bool(theirs) and roll_search(m, phasing, zone, mine, theirs)
        found_me = roll_search(m, other, zone, eyes, mine)
        bits = int(found_by_me) | int(found_me) << 1
        if bits == 3:
            state.sea_battles = having(state.sea_battles, zone, 3)
            m.replace(Searches(self.zones[1:]))
        elif bits:
            side, units = (phasing, mine) if found_by_me else (other, eyes)
            m.replace(Searches(self.zones, leader_of(state, units, side), bits))
        else:
            m.replace(Searches(self.zones[1:]))

    def roles(self, m: M) -> Sequence[Role]:
        return (self.role,) if self.role else ()

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        return [Choices([Engage(True), Engage(False)], rule="bg-6.4.3d-one-succeeds")]

    def take(self, m: M, role: Role, action: Engage) -> None:
        if action.fight:
            m.state.sea_battles = having(m.state.sea_battles, self.zones[0], self.bits)
        m.replace(Searches(self.zones[1:]))


class NavalReaction(Step, frozen=True, tag="bg.naval-reaction"):
    """Before the landing the other side's ships may sail up to three zones against the invasion fleet.
    [bg-6.5.4-naval-reaction-time]
    [bg-6.5.4-naval-reaction] [bg-6.5.4-naval-no-search] [bg-6.5.4-naval-range-count] [bg-6.5.4-neutral-minor]"""

    rule = "bg-6.5.4-naval-reaction"
    done: tuple[str, ...] = ()

    def run(self, m: M) -> None:
        if not m.asked():
            m.replace(Pinned())

    def roles(self, m: M) -> Sequence[Role]:
        state = m.state
        return [
            MAJORS[n] for n in acting(state, enemy_side(state.phasing))
            if MAJORS[n] not in self.done and any(naval_reactions(state, u) for u in on_map(state, n, "ships"))
        ]  # fmt: skip

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state = m.state
        ships = on_map(state, MAJORS.index(role), "ships")
        choices = {unit_id(u): ATLAS.names(zones) for u in ships if (zones := naval_reactions(state, u))}

        def why_unit(value: str) -> Refusal | None:
            return why_not_come(state, ATLAS.unit_of.get(value, -1))

        return [
            Offer(
                NavalReact,
                Field("unit", "unit", OneOf(list(choices), why=why_unit)),
                Field("to", "space", lambda u: OneOf(choices[u], why=_too_far)),
                rule="bg-6.5.4-naval-reaction",
            ),
            Choices([Done()], rule="bg-6.5.4-naval-reaction"),
        ]

    def take(self, m: M, role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.replace(NavalReaction((*self.done, role)))
            return
        state = m.state
        unit, zone = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
        if state.place[unit] != zone:
            m.emit(ev.Sailed(ships=(label(unit),), origin=name(state.place[unit]), space=name(zone)))
        move_unit(state, unit, zone)
        mark(state, unit, MOVED)
        state.sea_battles = having(state.sea_battles, zone, 3)
        m.replace(NavalReaction(self.done))


def _too_far(value: str) -> Refusal:
    return Refusal("bg-6.5.4-naval-range-count", "no-fleet-there", space=f"@{value}")


class Pinned(Step, frozen=True, tag="bg.pinned"):
    """As many ships of an invasion fleet as enemies sail against it are pinned: their cargo stays aboard.
    [bg-10.1-pin-invasion]
    [bg-10.1-pin-number]"""

    rule = "bg-10.1-pin-invasion"

    def run(self, m: M) -> None:
        if self._over(m) is None:
            m.pop()

    def _over(self, m: M) -> tuple[int, list[int]] | None:
        """A zone from which more convoys want to unload than are free, with their cargo."""
        state = m.state
        for zone in dict.fromkeys(zone for zones in state.invasions.values() for zone in zones):
            if zone not in state.sea_battles:
                continue
            mine, theirs = fleets(state, zone)
            pinners = [u for u in theirs if is_pinner(state, u)]
            loads = [c for u in mine for c in state.cargo.get(u, ()) if state.mission[c] >= 0]
            convoys = {state.carrier[c] for c in loads}
            if len(convoys) > max(0, len(mine) - len(pinners)):
                return zone, loads
        return None

    def roles(self, m: M) -> Sequence[Role]:
        over = self._over(m)
        return () if over is None else (leader_of(m.state, over[1], m.state.phasing),)

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        over = self._over(m)
        assert over is not None
        zone = ATLAS.space_ids[over[0]]
        return [
            Offer(
                Withdraw,
                Field("unit", "unit", OneOf([unit_id(u) for u in over[1]])),
                Field("to", "space", OneOf([zone])),
                rule="bg-10.1-pin-invasion",
            )
        ]

    def take(self, m: M, role: Role, action: Withdraw) -> None:
        cancel_landings(m.state, m.state.carrier[ATLAS.unit_of[action.unit]])
        m.replace(Pinned())
