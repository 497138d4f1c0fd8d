"""What is offered: the goals of units, checked one by one. Of many units only some are looked at each time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sandtable.core import Action, Difference, Offer, Offers, Role

from ..model import actions as act
from ..model.atlas import AIR, ATLAS, CONVOY, GERMANY, INF, MAJORS, NAVAL_HQ, TF
from ..model.state import (
    AT_SEA,
    BUILDING,
    CARRIED,
    DOUBLE,
    FOUGHT,
    MOVED,
    OUT,
    RAILED,
    REBASED,
    STATIONED,
)
from ..model.tables import LIMITS
from .battle import retreats
from .board import Board
from .economy import worth
from .standing import tag_of

A = ATLAS
_MANY = 6
"""Of how many units one is looked at where there are many."""


def check_offers(board: Board, role: Role, offers: Offers) -> Iterator[Difference]:
    check = _BY_STEP.get(tag_of(board.s))
    if check is not None:
        yield from check(board, MAJORS.index(role), offers)


# ---- reading offers -----------------------------------------------------------------------------------------------
def _offer(offers: Offers, kind: type[Action]) -> Offer | None:
    return next((o for o in offers.offers if o.act is kind and o.closed is None), None)


def _units(offer: Offer | None) -> set[int]:
    """The units that an offer lets choose first."""
    return {A.unit_of[ident] for ident in offer.fields[0].given([])} if offer is not None else set()


def _goals(offer: Offer | None, unit: int) -> set[int]:
    if offer is None or A.unit_ids[unit] not in offer.fields[0].given([]):
        return set()
    return {A.space_of[ident] for ident in offer.fields[1].given([A.unit_ids[unit]])}


def _names(spaces: Iterable[int]) -> str:
    return ", ".join(sorted(A.space_ids[s] for s in spaces)) or "nowhere"


def _some(board: Board, units: Iterable[int]) -> list[int]:
    """Some of the units, others each time."""
    now = board.s.rolled + sum(board.s.flags) + board.s.turn
    return [u for u in units if (u + now) % _MANY == 0]


def _compare(what: str, rule: str, engine: set[int], referee: set[int]) -> Iterator[Difference]:
    if engine != referee:
        told = f"also {_names(engine - referee)}" if engine - referee else f"all but {_names(referee - engine)}"
        yield Difference(what, rule, told, _names(referee))


# ---- a phase ------------------------------------------------------------------------------------------------------
def _phase(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    step: Any = board.s.stack[-1]
    yield from _PHASES[step.name](board, major, offers)


def _land(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    s, mine = board.s, board.mine(major)
    marching = _offer(offers, act.March)
    able = {u for u in mine if A.is_land[u] and board.may_march(u)}
    offered = _units(marching)
    if able != offered:
        names = ", ".join(A.unit_ids[u] for u in sorted(able ^ offered))
        yield Difference("which land units may move", "bg-6.4.1-once", f"otherwise: {names}", "see the rule")
        return
    assert marching is not None
    for unit in _some(board, able):
        ways = board.marches(unit)
        start = f"from {A.space_ids[s.place[unit]]}"
        goals = _goals(marching, unit)
        yield from _compare(f"where {A.unit_ids[unit]} may march {start}", "bg-6.4.1-infantry", goals, set(ways))
        for to in goals & set(ways):
            chosen = [A.unit_ids[unit], A.space_ids[to]]
            given = {A.space_of[v] for v in marching.fields[2].given(chosen) if v}
            what = f"from where {A.unit_ids[unit]} enters {A.space_ids[to]} {start}"
            yield from _compare(what, "bg-6.2-adjacent", given, ways[to])
    yield from _flying(board, mine, offers)


def _flying(board: Board, mine: list[int], offers: Offers) -> Iterator[Difference]:
    s, flying, bombing = board.s, _offer(offers, act.Fly), _offer(offers, act.Bomb)
    for unit in _some(board, (u for u in mine if A.type[u] == AIR)):
        goals: set[int] = set()
        targets: set[int] = set()
        if board.idle(unit) and not (board.exploits and (s.flags[unit] & OUT or s.bad[A.map[s.place[unit]]])):
            start, far = s.place[unit], board.flight_range(unit)
            goals = board.missions(unit)
            if not s.exploiting:
                goals |= board.bases(unit, start, far) | board.bases(unit, start, 2 * far, peaceful=True)
                targets = {
                    a for a in board.flights(board.nation(unit), start, far)
                    if board.hostile(board.nation(unit), a) and _industry(board, a)
                }  # fmt: skip
            goals -= {start}
        where = f"{A.unit_ids[unit]} from {A.space_ids[s.place[unit]]}"
        yield from _compare(f"where {where} may fly", "bg-6.4.1-air", _goals(flying, unit), goals)
        if s.advanced:
            yield from _compare(f"what {where} may bomb", "bg-6.5.6-hit", _goals(bombing, unit), targets)


def _industry(board: Board, area: int) -> bool:
    return worth(board, area) > 0 or (A.germany_only[area] and A.right[area] > 0)


def _rail(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    """6.2: any distance through friendly areas joined by land."""
    s, offer = board.s, _offer(offers, act.Railroad)
    for unit in _some(board, _units(offer)):
        nation, start = board.nation(unit), s.place[unit]
        net: set[int] = set()
        if s.flags[unit] & RAILED or s.carrier[unit] >= 0:
            yield Difference(f"whether {A.unit_ids[unit]} goes by rail", "bg-6.2-rail-capacity", "yes", "no")
        if not board.enemies(nation, start) and board.friendly(nation, start):
            todo, net = [start], {start}
            while todo:
                for there in A.land_next[todo.pop()]:
                    if there not in net and board.friendly(nation, there) and board.open_to(nation, there):
                        net.add(there)
                        todo.append(there)
        goals = {a for a in net - {start} if board.room(unit, a)}
        yield from _compare(
            f"where {A.unit_ids[unit]} goes by rail from {A.space_ids[start]}", "bg-6.2-rail-range",
            _goals(offer, unit), goals,
        )  # fmt: skip


def _rebase(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    s, offer = board.s, _offer(offers, act.Rebase)
    for unit in _some(board, (u for u in board.mine(major) if A.type[u] == AIR)):
        goals: set[int] = set()
        if not s.flags[unit] & (REBASED | STATIONED) and s.carrier[unit] < 0:
            start = s.place[unit]
            goals = board.bases(unit, start, 2 * board.flight_range(unit), peaceful=True) - {start}
        yield from _compare(f"where {A.unit_ids[unit]} may rebase", "bg-6.3-rebase-path", _goals(offer, unit), goals)


def _nothing(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    return iter(())


# ---- ships --------------------------------------------------------------------------------------------------------
def _group(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    s = board.s
    step: Any = s.stack[-1]
    ships = [u for u in step.ships if s.place[u] >= 0]
    zone = s.place[ships[0]]
    sailing = _offer(offers, act.Sail)
    given = {A.space_of[z] for z in sailing.fields[0].given([])} if sailing is not None else set()
    yield from _compare(
        f"where ships sail from {A.space_ids[zone]}", "bg-6.4.1-ships", given, board.sails_to(ships, step.used)
    )
    loading, landing = _offer(offers, act.Load), _offer(offers, act.Unload)
    for ship in ships:
        wanted = {u for u in _near(board, ship) if _may_load(board, ship, u)}
        chosen = A.unit_ids[ship]
        found = set()
        if loading is not None and chosen in loading.fields[0].given([]):
            found = {A.unit_of[u] for u in loading.fields[1].given([chosen])}
        if wanted != found:
            names = ", ".join(A.unit_ids[u] for u in sorted(wanted ^ found))
            yield Difference(f"what {chosen} may load", "bg-6.4.3a-capacity", f"otherwise: {names}", "see the rule")
        for load in s.cargo.get(ship, ()):
            goals = {a for a in A.coast[zone] if s.mission[load] < 0 and _may_unload(board, ship, load, a)}
            yield from _compare(f"where {A.unit_ids[load]} may land", "bg-6.4.3b-unload", _goals(landing, load), goals)


def _near(board: Board, ship: int) -> set[int]:
    """Units ashore beside a ship or aboard its neighbours."""
    s, zone = board.s, board.s.place[ship]
    friends = board.friends(board.nation(ship))
    ashore = {u for area in A.coast[zone] for u in board.at[area] if not board.enemies(board.nation(u), area)}
    aboard = {u for other in board.at[zone] if other != ship for u in s.cargo.get(other, ())}
    near = {u for u in ashore | aboard if board.nation(u) in friends and s.mission[u] < 0}
    return {u for u in near if not s.exploiting or A.type[u] != INF}


def _may_load(board: Board, ship: int, unit: int) -> bool:
    s = board.s
    if A.type[ship] == TF:
        if not s.options.get("naval-hq-on-tf") or A.type[unit] != NAVAL_HQ:
            return False
    elif A.type[ship] != CONVOY:
        return False
    aboard, reduced = s.cargo.get(ship, ()), bool(s.flipped[unit])
    second = len(aboard) == 1 and reduced and bool(s.flipped[aboard[0]]) and not s.flipped[ship]
    if s.flags[ship] & CARRIED:
        if not second or s.origin[ship] != s.place[ship]:
            return False
    elif aboard and not second:
        return False
    if s.flipped[ship] and not reduced:
        return False
    if s.carrier[unit] >= 0:
        return any(board.friendly(board.nation(ship), a) for a in A.coast[s.place[ship]])
    return not s.flags[unit] & MOVED and not board.garrisons(unit)


def _may_unload(board: Board, ship: int, unit: int, area: int) -> bool:
    s, nation, zone = board.s, board.nation(unit), board.s.place[ship]
    if not board.open_to(nation, area) or not board.room(unit, area):
        return False
    if not s.advanced and board.enemies(board.nation(ship), zone):
        return False
    if board.friendly(nation, area):
        return not board.enemies(nation, area)
    tired = any(s.flags[u] & DOUBLE and board.side(u) == board.side(unit) for u in board.at[zone])
    if not A.is_land[unit] or tired:
        return False
    if board.counts_in_china(unit, area) and not board._attack_allowed(unit, area, {zone}):
        return False
    if not s.advanced:
        return True
    if zone * A.count + area in A.forbidden_coast or s.exploiting:
        return False
    return not s.flags[unit] & AT_SEA and s.spent[unit] <= LIMITS["invasion_zones"]


# ---- reactions ----------------------------------------------------------------------------------------------------
class Attacks:
    """What the phasing side attacks, and with whom."""

    def __init__(self, board: Board) -> None:
        s = board.s
        self.board = board
        sent = [(u, target) for u, target in enumerate(s.mission) if target >= 0 and board.phases(u)]
        spaces = {t for u, t in sent if not (A.is_sea[t] and s.flags[u] & STATIONED) and s.carrier[u] < 0}
        spaces |= set(s.sea_battles) | set(s.invasions)
        for area, units in board.at.items():
            fresh = [u for u in units if not s.flags[u] & FOUGHT]
            home = [u for u in fresh if s.mission[u] < 0]
            nations = {board.nation(u) for u in home}
            both = not A.is_sea[area] and len({board.side(u) for u in fresh} - {-1}) == 2
            if both and any(board.fights(a, b) for a in nations for b in nations):
                spaces.add(area)
        self.spaces = spaces
        self.units = {
            space: [u for u in board.at[space] if board.phases(u) and s.mission[u] < 0]
            + [u for u, target in sent if target == space]
            for space in spaces
        }

    def fought_by(self, nation: int, space: int) -> bool:
        return any(self.board.fights(nation, self.board.nation(u)) for u in self.units[space])

    def blitz(self, space: int) -> bool:
        s = self.board.s
        germans = any(s.nation[u] == GERMANY for u in self.units[space])
        return s.effects.get("blitzkrieg", -1) == s.phasing and germans

    def pins(self, unit: int) -> bool:
        """10.1: a unit may leave an attacked space only while more stay than attack."""
        board, s = self.board, self.board.s
        space = s.place[unit]
        if not s.advanced or space not in self.spaces:
            return False
        stay = [u for u in board.at[space] if board.side(u) == board.side(unit) and s.mission[u] < 0]
        if A.is_sea[space]:
            ships = [u for u in board.at[space] if board.phases(u) and not s.flags[u] & FOUGHT]
            mine = [u for u in ships if any(board.fights(board.nation(u), board.nation(v)) for v in stay)]
            met = [u for u in stay if not s.flags[u] & FOUGHT
                   and any(board.fights(board.nation(u), board.nation(v)) for v in ships)]  # fmt: skip
            raiders = [u for u, target in enumerate(s.mission) if target == space]
            return len(met) <= len(mine) + len(raiders)
        feet = [u for u in self.units[space] if A.is_land[u] and not A.is_hq[u]]
        others = [u for u in self.units[space] if not A.is_land[u]]
        if A.is_land[unit] and len([u for u in stay if A.is_land[u]]) <= len(feet):
            return True
        return len(stay) <= len(feet) + len(others)


def _reaction(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    attacks = Attacks(board)
    flying, reserve = _offer(offers, act.React), _offer(offers, act.Reserve)
    for unit in _some(board, board.mine(major)):
        if A.type[unit] in (AIR, TF):
            goals = _helps(board, attacks, unit)
            yield from _compare(f"what {A.unit_ids[unit]} may help", "bg-6.4.5-air", _goals(flying, unit), goals)
        if A.is_land[unit]:
            goals = _reserves(board, attacks, unit)
            what = f"where {A.unit_ids[unit]} may come as a reserve from {A.space_ids[board.s.place[unit]]}"
            yield from _compare(what, "bg-6.4.6-reserve", _goals(reserve, unit), goals)


def _helps(board: Board, attacks: Attacks, unit: int) -> set[int]:
    s, nation, start = board.s, board.nation(unit), board.s.place[unit]
    if s.mission[unit] >= 0 or s.flags[unit] & (MOVED | STATIONED | FOUGHT) or s.carrier[unit] >= 0:
        return set()
    if attacks.pins(unit):
        return set()
    if A.type[unit] == TF:
        near = set() if s.exploiting else set(A.coast[start])
    else:
        near = board.flights(nation, start, board.flight_range(unit)) - {start}
    out = set()
    for space in near & attacks.spaces:
        if not attacks.fought_by(nation, space) or board.stranger(unit, space) is not None:
            continue
        if A.is_sea[space]:
            if A.type[unit] == TF or (space in s.sea_battles and not s.sea_battles[space] & 2):
                continue
        elif A.type[unit] == AIR and attacks.blitz(space):
            continue
        out.add(space)
    return out


def _reserves(board: Board, attacks: Attacks, unit: int) -> set[int]:
    s, nation, start = board.s, board.nation(unit), board.s.place[unit]
    if s.flags[unit] & (MOVED | FOUGHT) or s.carrier[unit] >= 0 or attacks.pins(unit):
        return set()
    led = A.is_hq[unit] or any(
        s.place[hq] >= 0 and s.carrier[hq] < 0 and s.spent[hq] < rating and s.start[hq] == s.start[unit]
        and board.side(hq) == board.side(unit)
        for hq, rating in A.rating.items()
    )  # fmt: skip
    out = set()
    for space in attacks.spaces - {start}:
        if A.is_sea[space] or not any(A.is_land[u] for u in attacks.units[space]):
            continue
        if not board.friendly(nation, space) or not board.open_to(nation, space) or not board.room(unit, space):
            continue
        if not attacks.fought_by(nation, space):
            continue
        beside = space in A.land_next[start]
        if beside and space in s.invasions:
            out.add(space)
        elif led and not attacks.blitz(space):
            through = A.type[unit] != INF and any(
                mid in A.land_next[start] and board.clear(nation, mid) for mid in A.land_next[space]
            )
            if beside or through:
                out.add(space)
    return out


# ---- after a battle, arrivals, production -------------------------------------------------------------------------
def _withdrawal(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    step: Any = board.s.stack[-1]
    unit, offer = step.units[0], _offer(offers, act.Withdraw)
    rule = "bg-6.5.8-ships" if A.is_ship[unit] else "bg-6.5.8-land"
    yield from _compare(
        f"where {A.unit_ids[unit]} retreats from {A.space_ids[board.s.place[unit]]}", rule,
        _goals(offer, unit), retreats(board, unit),
    )  # fmt: skip


def _landing(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    step: Any = board.s.stack[-1]
    unit, offer = step.units[0], _offer(offers, act.Withdraw)
    goals = board.bases(unit, step.space, board.flight_range(unit))
    what = f"where {A.unit_ids[unit]} lands after {A.space_ids[step.space]}"
    yield from _compare(what, "bg-6.4.1-air-return", _goals(offer, unit), goals)


def _reinforcements(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    s, offer = board.s, _offer(offers, act.Place)
    if s.options.get("isolated-areas"):
        return  # how many have come already is not on the board
    for unit, place in enumerate(s.place):
        nation = s.nation[unit]
        if place != BUILDING or not 0 <= s.due[unit] <= s.turn or s.master[nation] != major:
            continue
        goals = set() if board.is_out_of_play(nation) else board.arrives(unit)
        yield from _compare(f"where {A.unit_ids[unit]} arrives", "bg-5.2-major-placement", _goals(offer, unit), goals)


def _production(board: Board, major: int, offers: Offers) -> Iterator[Difference]:
    s, offer = board.s, _offer(offers, act.Repair)
    hurt = set()
    for unit in board.mine(major):
        ship = s.carrier[unit]
        cramped = ship >= 0 and (len(s.cargo[ship]) > 1 or bool(s.flipped[ship]))
        cut_off = s.advanced and s.flags[unit] & OUT
        if s.flipped[unit] and not cramped and not cut_off and A.kind_of_unit[unit].repair_cost <= s.points[major]:
            hurt.add(unit)
    offered = _units(offer)
    navy = A.card_of["japanese_navy"] in s.table and MAJORS[major] == "japan"
    if offered != hurt and not (navy and offered < hurt):
        names = ", ".join(A.unit_ids[u] for u in sorted(hurt ^ offered))
        yield Difference("what may be repaired", "bg-7.6.5-repair", f"otherwise: {names}", "see the rule")


_PHASES: dict[str, Callable[[Board, int, Offers], Iterator[Difference]]] = {
    "rail": _rail, "rebase": _rebase, "naval": _nothing, "land": _land, "exploit": _land,
}  # fmt: skip
_BY_STEP: dict[str, Callable[[Board, int, Offers], Iterator[Difference]]] = {
    "bg.phase": _phase, "bg.group": _group, "bg.reaction": _reaction, "bg.withdrawal": _withdrawal,
    "bg.landing": _landing, "bg.reinforcements": _reinforcements, "bg.production": _production,
}  # fmt: skip
