"""6.4.3 D-F the search for ships, interception on the way, and the navy's reaction to invasions (6.5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Role, Step, Subsets

from ..facts.relations import relations, roster
from ..model import events as ev
from ..model.actions import Done, Engage, Join, NavalReact, Withdraw
from ..model.atlas import AIR, CONVOY, MAJORS, SIDES, SUB, TF, atlas
from ..model.state import (
    FOUGHT,
    MOVED,
    STATIONED,
    BKPlay,
    BKState,
    acting,
    at_war,
    enemy_side,
    put,
    role_of,
    send,
    units_of_role,
    without,
)
from ..model.tables import LIMITS
from .flying import is_handicapped, units_on_missions
from .movement import label, uid
from .politics import side_leader
from .reach import air_range, flight, name
from .supply import is_gate_closed


# ---- the search table ---------------------------------------------------------------------------------------------
def search_number(state: BKState, searchers: Sequence[int], targets: Sequence[int], zone: int) -> int:
    """The best number among the searchers' columns; 0 when they cannot search at all. [bg-6.4.3e-col-tf]
    [bg-6.4.3e-col-convoy]
    [bg-6.4.3e-col-asw] [bg-6.4.3e-col-sub] [bg-6.4.3e-sub-v-sub] [bg-6.4.3e-one-roll] [bg-6.4.3e-radar-mod]
    [bg-6.4.3e-sonar-mod]
    [bg-6.4.3e-subs-mod] [bg-7.5-radar] [bg-7.5-sonar] [bg-7.5-subs]"""
    found = atlas()
    weather = "bad" if state.bad[found.map[zone]] else "good"
    only_subs = all(found.type[u] == SUB for u in targets)
    best = 0
    for unit in searchers:
        kind = found.type[unit]
        if only_subs:
            column = "" if kind == SUB else "ships_search_subs"
        elif kind in (TF, AIR):
            column = "cv_air_search_ships"
        else:
            column = "ships_search_ships" if kind == CONVOY else "subs_search_ships"
        if column:
            row = found.search[column]
            number = int(row[weather])
            for advance, bonus in row["bonus"].items():
                number += bonus if has_advance(state, state.nation[unit], advance) else 0
            best = max(best, number)
    return best


def has_advance(state: BKState, nation: int, what: str) -> bool:
    """A country's own research; associates have no part in it. [bg-7.5-no-share]"""
    return nation < 8 and bool(state.advances[nation] >> atlas().advance_bit[what] & 1)


def roll_search(m: BKPlay, side: int, zone: int, searchers: Sequence[int], targets: Sequence[int]) -> bool:
    """Two dice, not above the number. [bg-6.4.3e-roll] [bg-card-naval-surprise]"""
    state = m.state
    surprise = state.effects.get("naval_surprise_zone", -1) == zone
    if surprise:
        return state.side[state.effects["naval_surprise_by"]] == side
    number = search_number(state, searchers, targets, zone)
    if not number:
        return False
    total = sum(m.roll_many(2, why="bg-6.4.3e-roll"))
    success = total <= number
    m.emit(ev.Searched(side=f"@{SIDES[side]}", space=name(zone), total=total, number=number, found=success))
    return success


def fleets(state: BKState, zone: int) -> tuple[list[int], list[int]]:
    """Ships of the phasing side and of its enemies in a zone, as far as they fight each other."""
    mine = [u for u in state.here[zone] if state.side[state.nation[u]] == state.phasing]
    theirs = [u for u in state.here[zone] if state.side[state.nation[u]] == enemy_side(state.phasing)]
    mine_at_war = [u for u in mine if any(at_war(state, state.nation[u], state.nation[v]) for v in theirs)]
    theirs_at_war = [v for v in theirs if any(at_war(state, state.nation[u], state.nation[v]) for u in mine)]
    return mine_at_war, theirs_at_war


def watchers(m: BKPlay, zone: int, nation: int) -> list[int]:
    """Optional 9.1: enemy aircraft stationed over a zone. [bg-opt-9.1]"""
    state = m.state
    if not m.option("aircraft-searches"):
        return []
    return [
        u for u in units_on_missions(state)
        if state.flags[u] & STATIONED and state.mission[u] == zone and at_war(state, nation, state.nation[u])
    ]  # fmt: skip


def arrivals_under_watch(m: BKPlay, zone: int) -> list[int]:
    """Optional 9.1: ships of the phasing side that have sailed into a zone over which an enemy aircraft is stationed.
    [bg-opt-9.1]"""
    state = m.state
    return [
        u for u in state.here[zone]
        if state.side[state.nation[u]] == state.phasing and state.flags[u] & MOVED
        and state.start[u] != zone and watchers(m, zone, state.nation[u])
    ]  # fmt: skip


def watched_zones(m: BKPlay) -> list[int]:
    """Zones without enemy ships in which such arrivals lie."""
    if not m.option("aircraft-searches"):
        return []
    zones = {m.state.mission[u] for u in units_on_missions(m.state) if m.state.flags[u] & STATIONED}
    return [z for z in sorted(zones) if arrivals_under_watch(m, z)]


def leader_of(state: BKState, units: Sequence[int], side: int) -> str:
    """Who decides for several units of a side. [bg-1.0-boss]"""
    majors = list(dict.fromkeys(role_of(state, u) for u in units if role_of(state, u) >= 0))
    return MAJORS[side_leader(state, side, majors)]


# ---- interception of a group that sails on ------------------------------------------------------------------------
class Intercept(Step, frozen=True, tag="bg.intercept"):
    """Case 1: enemies in the zone search for a group that wants to sail on. [bg-6.4.3d-case1] [bg-6.4.3e-case1-help]"""

    rule = "bg-6.4.3d-case1"
    zone: int
    ships: tuple[int, ...]
    used: int
    stage: int = 0
    help: tuple[int, ...] = ()
    role: str = ""

    def run(self, m: Play[BKState]) -> None:
        from .naval import Group, _with, single_range

        state = m.state
        side = enemy_side(state.phasing)
        if self.stage == 0:
            _, enemies = fleets(state, self.zone)
            group = [u for u in self.ships if state.place[u] >= 0]
            seekers = [*enemies, *watchers(m, self.zone, state.nation[group[0]])]
            if not seekers or not roll_search(m, side, self.zone, seekers, group):
                m.pop()
                return
            m.replace(Intercept(self.zone, self.ships, self.used, 1, (), leader_of(state, seekers, side)))
        elif self.stage == 2:
            self._ask_for_help(m, side, 3)
        elif self.stage == 4:
            group = [u for u in self.ships if state.place[u] >= 0]
            _, enemies = fleets(state, self.zone)
            if roll_search(m, state.phasing, self.zone, group, enemies or group):
                self._ask_for_help(m, state.phasing, 5)
            else:
                m.replace(Intercept(self.zone, self.ships, self.used, 6, self.help, ""))
        elif self.stage == 6:
            from .battles import begin_sea_battle

            m.replace(Intercept(self.zone, self.ships, self.used, 7, self.help, ""))
            # beyond its single range the group sails no further, so it fights on or retreats as any fleet does
            on_its_way = self.used <= single_range()
            begin_sea_battle(m, self.zone, list(self.ships), list(self.help), limited=on_its_way)
        elif self.stage == 7:
            m.pop()
            group_step = m.step
            if isinstance(group_step, Group) and self.used > single_range():
                m.amend(_with(group_step, stopped=True))

    def _ask_for_help(self, m: BKPlay, side: int, stage: int) -> None:
        units = self._helpers(m, side)
        role = leader_of(m.state, units, side) if units else ""
        m.replace(Intercept(self.zone, self.ships, self.used, stage if units else stage + 1, self.help, role))

    def _helpers(self, m: BKPlay, side: int) -> list[int]:
        return helpers(m, side, self.zone)

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,) if self.role else ()

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        if self.stage == 1:
            return [Choices([Engage(True), Engage(False)], rule="bg-6.4.3d-one-succeeds")]
        side = enemy_side(m.state.phasing) if self.stage == 3 else m.state.phasing
        ids = [uid(u) for u in self._helpers(m, side)]
        return [Offer(Join, Field("units", "units", Subsets(ids)), rule="bg-6.4.3e-air-help")]

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        if isinstance(action, Engage):
            if action.fight:
                m.replace(Intercept(self.zone, self.ships, self.used, 2, (), ""))
            else:
                m.pop()
        else:
            units = tuple(atlas().unit_of[ident] for ident in action.units)
            m.replace(Intercept(self.zone, self.ships, self.used, self.stage + 1, (*self.help, *units), ""))


def helpers(m: BKPlay, side: int, zone: int) -> list[int]:
    """Aircraft of a side that can reach a sea battle. [bg-6.4.3e-air-help]"""
    state = m.state
    other = [u for u in state.here[zone] if state.side[state.nation[u]] == enemy_side(side)]
    out = []
    for major in acting(state, side):
        for unit in units_of_role(state, major):
            if atlas().type[unit] != AIR or state.carrier[unit] >= 0 or state.mission[unit] >= 0:
                continue
            if state.flags[unit] & (FOUGHT | STATIONED) or (side == state.phasing and state.flags[unit] & MOVED):
                continue
            if not any(at_war(state, state.nation[unit], state.nation[v]) for v in other):
                continue
            if zone in flight(state, state.nation[unit], state.place[unit], air_range(state, unit)):
                out.append(unit)
    return out


# ---- searches when all ships have moved ---------------------------------------------------------------------------
class Searches(Step, frozen=True, tag="bg.searches"):
    """Cases 2 and 4: both sides roll once per zone when all ships have moved. [bg-6.4.3d-case2] [bg-6.4.3d-case4]
    [bg-6.4.3d-both-succeed] [bg-6.4.3d-one-succeeds] [bg-6.4.3d-no-auto] [bg-6.4.3f-no-search] [bg-6.4.3f-enemy-adv]"""

    rule = "bg-6.4.3d-case2"
    zones: tuple[int, ...]
    role: str = ""
    bits: int = 0

    def run(self, m: Play[BKState]) -> None:
        state = m.state
        if not self.zones:
            m.pop()
            return
        if self.role:
            return
        zone = self.zones[0]
        mine, theirs = fleets(state, zone)
        mine = mine or arrivals_under_watch(m, zone)
        eyes = [*theirs, *(watchers(m, zone, state.nation[mine[0]]) if mine else ())]
        if not mine or not eyes or zone in state.sea_battles:
            m.replace(Searches(self.zones[1:]))
            return
        phasing, other = state.phasing, enemy_side(state.phasing)
        handicap = is_handicapped(state, state.nation[mine[0]], zone)
        found_by_me = not handicap and bool(theirs) and roll_search(m, phasing, zone, mine, theirs)
        found_me = roll_search(m, other, zone, eyes, mine)
        bits = int(found_by_me) | int(found_me) << 1
        if bits == 3:
            state.sea_battles = {**state.sea_battles, zone: 3}
            m.replace(Searches(self.zones[1:]))
        elif bits:
            side, units = (phasing, mine) if found_by_me else (other, eyes)
            m.replace(Searches(self.zones, leader_of(state, units, side), bits))
        else:
            m.replace(Searches(self.zones[1:]))

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        return (self.role,) if self.role else ()

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        return [Choices([Engage(True), Engage(False)], rule="bg-6.4.3d-one-succeeds")]

    def take(self, m: Play[BKState], role: Role, action: Engage) -> None:
        if action.fight:
            m.state.sea_battles = {**m.state.sea_battles, self.zones[0]: self.bits}
        m.replace(Searches(self.zones[1:]))


def contested_zones(state: BKState) -> list[int]:
    """Zones that hold ships which fight each other."""
    found = atlas()
    quarrels = roster(state).quarrels(relations(state), found.of_seas(state.here))
    return [z for z in compress(found.seas, quarrels) if all(fleets(state, z))]


# ---- the navy reacts to an invasion -------------------------------------------------------------------------------
class NavalReaction(Step, frozen=True, tag="bg.naval-reaction"):
    """Before the landing the other side's ships may sail up to three zones against the invasion fleet.
    [bg-6.5.4-naval-reaction-time]
    [bg-6.5.4-naval-reaction] [bg-6.5.4-naval-no-search] [bg-6.5.4-naval-range-count] [bg-6.5.4-neutral-minor]"""

    rule = "bg-6.5.4-naval-reaction"
    done: tuple[str, ...] = ()

    def run(self, m: Play[BKState]) -> None:
        if not m.asked():
            m.replace(Pinned())

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        state = m.state
        return [
            MAJORS[n] for n in acting(state, enemy_side(state.phasing))
            if MAJORS[n] not in self.done and any(naval_reactions(m, u) for u in units_of_role(state, n))
        ]  # fmt: skip

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        state, found = m.state, atlas()
        choices = {uid(u): found.names(naval_reactions(m, u)) for u in units_of_role(state, MAJORS.index(role))}
        choices = {unit: zones for unit, zones in choices.items() if zones}
        return [
            Offer(
                NavalReact,
                Field("unit", "unit", OneOf(list(choices))),
                Field("to", "space", lambda u: OneOf(choices[u])),
                rule="bg-6.5.4-naval-reaction",
            ),
            Choices([Done()], rule="bg-6.5.4-naval-reaction"),
        ]

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        if isinstance(action, Done):
            m.replace(NavalReaction((*self.done, role)))
            return
        state, found = m.state, atlas()
        unit, zone = found.unit_of[action.unit], found.space_of[action.to]
        if state.place[unit] != zone:
            m.emit(ev.Sailed(ships=(label(unit),), origin=name(state.place[unit]), space=name(zone)))
        put(state, unit, zone)
        state.flags[unit] |= MOVED
        state.sea_battles = {**state.sea_battles, zone: 3}
        m.replace(NavalReaction(self.done))


def naval_reactions(m: BKPlay, unit: int) -> list[int]:
    """Invasion zones that a ship can reach. [bg-6.5.4-naval-range-count] [bg-6.5.4-neutral-minor]
    [bg-10.1-pin-naval-reserves]"""
    state, found = m.state, atlas()
    if not found.is_ship[unit] or state.flags[unit] & MOVED or not state.war[state.nation[unit]]:
        return []
    if state.place[unit] not in state.invasions.values() and _is_pinned_at_sea(m, unit):
        return []
    out = []
    nation = state.nation[unit]
    for area, zone in state.invasions.items():
        if zone in out or not any(at_war(state, nation, state.nation[u]) for u in state.here[zone]):
            continue
        owner = state.control[area]
        fresh_minor = owner >= 8 and state.war_since[owner] == state.turn and state.attacked >> owner & 1
        most = 0 if fresh_minor else LIMITS["invasion_zones"]
        near = found.sea_steps[state.place[unit]].get(zone, most + 1) <= most
        if near and sea_distance(state, unit, zone, most) <= most:
            out.append(zone)
    return out


def _is_pinned_at_sea(m: BKPlay, unit: int) -> bool:
    """Ships beside enemies stay, but for those that outnumber them. [bg-10.1-pin-number] [bg-10.2-who]"""
    state = m.state
    mine, theirs = fleets(state, state.place[unit])
    free = len(theirs) - len(mine) if unit in theirs else 0
    return bool(mine) and unit in theirs and free <= 0


def sea_distance(state: BKState, unit: int, goal: int, most: int) -> int:
    """Zones between a ship and a zone, gates minded; more than `most` when out of reach."""
    found = atlas()
    nation, sub = state.nation[unit], found.type[unit] == SUB
    seen, frontier = {state.place[unit]}, [state.place[unit]]
    for steps in range(most + 1):
        if goal in frontier:
            return steps
        following = []
        for here in frontier:
            for there in found.sea_next[here]:
                if there not in seen and not is_gate_closed(state, nation, here, there, sub):
                    seen.add(there)
                    following.append(there)
        frontier = following
    return most + 1


class Pinned(Step, frozen=True, tag="bg.pinned"):
    """As many ships of an invasion fleet as enemies sail against it are pinned: their cargo stays aboard.
    [bg-10.1-pin-invasion]
    [bg-10.1-pin-number]"""

    rule = "bg-10.1-pin-invasion"

    def run(self, m: Play[BKState]) -> None:
        if self._over(m) is None:
            m.pop()

    def _over(self, m: BKPlay) -> tuple[int, list[int]] | None:
        """A zone from which more convoys want to unload than are free, with their cargo."""
        state = m.state
        for zone in dict.fromkeys(state.invasions.values()):
            if zone not in state.sea_battles:
                continue
            mine, theirs = fleets(state, zone)
            pinners = [u for u in theirs if state.flags[u] & MOVED]
            loads = [c for u in mine for c in state.cargo.get(u, ()) if state.mission[c] >= 0]
            convoys = {state.carrier[c] for c in loads}
            if len(convoys) > max(0, len(mine) - len(pinners)):
                return zone, loads
        return None

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        over = self._over(m)
        return () if over is None else (leader_of(m.state, over[1], m.state.phasing),)

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        over = self._over(m)
        assert over is not None
        zone = atlas().space_ids[over[0]]
        return [
            Offer(
                Withdraw,
                Field("unit", "unit", OneOf([uid(u) for u in over[1]])),
                Field("to", "space", OneOf([zone])),
                rule="bg-10.1-pin-invasion",
            )
        ]

    def take(self, m: Play[BKState], role: Role, action: Withdraw) -> None:
        cancel_landing(m.state, atlas().unit_of[action.unit])
        m.replace(Pinned())


def cancel_landing(state: BKState, unit: int) -> None:
    """A unit stays aboard; an area that nobody lands in any more is not invaded."""
    area = state.mission[unit]
    for load in state.cargo.get(state.carrier[unit], (unit,)):
        if state.mission[load] == area:
            send(state, load, -1)
    if not any(state.mission[c] == area for loads in state.cargo.values() for c in loads):
        state.invasions = without(state.invasions, area)
