"""What is offered, checked against the rulebook's answers: every army, target, build and retreat."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core import Difference, Offer, Offers

from ..model.actions import (
    Advance,
    Assault,
    Attack,
    Build,
    DefensiveAssault,
    Detach,
    Done,
    Exploit,
    Fortify,
    Invade,
    Lend,
    Lose,
    March,
    Repair,
    Retreat,
    Transfer,
)
from ..model.atlas import AIR, AMPH, ATLAS, CROSSING, FULL_SEA, INF, KINDS, MECH, NOBODY, PARA
from ..model.state import AIRDROP, INVASION, LAND
from .board import GROUND, SIBERIA, YELLOW, Board, army, differs, names
from .combat import advance_added, commitment, flying, invades, range_of, shores, targets, way
from .economy import check_build, check_fortify, check_lend, check_repair

_SETTLING = ("retreats", "fallen", "home-retreat", "losses", "surrenders", "isolation", "combat-end", "combat-count")


# ---- where everybody stands
def check_position(board: Board) -> Iterator[Difference]:
    """Armies stand on friendly ground, ten points to a hex after movement, and the unsupplied know it."""
    s = board.s
    if s.outcome is not None or any(str(x.__struct_config__.tag) in _SETTLING for x in s.stack):  # type: ignore[attr-defined]
        return
    for a, at in enumerate(s.army_at):
        if at >= 0 and s.owner[at] != a // 12 and not (s.idle[a] and s.owner[at] == NOBODY):
            yield Difference(f"where {army(a)} stands", "hw-move-2", ATLAS.names[at], "on friendly ground")
    if board.tag == "announce":
        for a in board.armies(s.side):
            at = s.army_at[a]
            if board.crowd(at) > 10 and not ATLAS.is_box[at]:
                yield Difference(f"points in {ATLAS.names[at]}", "hw-stack-1", str(board.crowd(at)), "at most 10")
    if board.tag == "movement" and not s.fleet_at:
        cut = board.unsupplied(s.side)
        stuck = {army(a) for a in board.armies(s.side) if s.stuck[a]}
        mine = {army(a) for a in board.armies(s.side) if s.army_at[a] in cut}
        yield from differs("armies without supply", "hw-unsupplied-3", stuck, mine)


def check_offers(board: Board, offers: Offers) -> Iterator[Difference]:
    """Each offer that the referee has an opinion on."""
    for offer in offers.offers:
        check = _CHECKS.get(offer.act)
        if check is not None and offer.closed is None:
            yield from check(board, offer)
    if board.tag == "exploitation":
        yield from _must_go_on(board, offers)


# ---- movement
def _movers(board: Board) -> set[str]:
    return names([a for a in board.armies(board.s.side) if not board.held(a)])


def _march(board: Board, offer: Offer) -> Iterator[Difference]:
    first, second = offer.fields
    able = set(first.given([]))
    yield from differs("armies that may march", "hw-move-1", able, _movers(board))
    for name in sorted(able):
        a = ATLAS.army_index[name]
        mine = board.reach(a, sum(board.row(a))) - {board.s.army_at[a]}
        yield from differs(
            f"where {name} may march", "hw-move-2", set(second.given([name])), {ATLAS.names[x] for x in mine}
        )


def _one_point(board: Board, a: int) -> tuple[tuple[str, int], ...]:
    return next(((kind, 1),) for kind, number in zip(KINDS, board.row(a), strict=True) if number)


def _detach(board: Board, offer: Offer) -> Iterator[Difference]:
    for name in sorted(offer.fields[0].given([])):
        a = ATLAS.army_index[name]
        some = _one_point(board, a)
        mine = {ATLAS.names[x] for x in board.reach(a, 1)}
        yield from differs(
            f"where a point of {name} may go", "hw-move-2", set(offer.fields[2].given([name, some])), mine
        )


def _transfer(board: Board, offer: Offer) -> Iterator[Difference]:
    s = board.s
    for name in sorted(offer.fields[0].given([])):
        a = ATLAS.army_index[name]
        some = _one_point(board, a)
        mine = {
            army(b)
            for b in board.armies(a // 12)
            if b != a and not s.idle[b] and s.army_at[b] in board.reach(a, 1)
            and not (some[0][0] == "paratroop" and board.row(b)[AMPH])
            and not (some[0][0] == "amphibious" and board.row(b)[PARA])
        }  # fmt: skip
        if _bound_italian(board, a) and s.army_at[a] not in YELLOW:
            mine = {other for other in mine if s.army_at[ATLAS.army_index[other]] in YELLOW}
        yield from differs(
            f"who may take a point of {name}", "hw-move-5", set(offer.fields[2].given([name, some])), mine
        )


def _bound_italian(board: Board, a: int) -> bool:
    return bool(board.s.options.get("italian_army")) and board.s.italy == 1 and army(a) == "Italian Army"


# ---- combat
def _attack(board: Board, offer: Offer) -> Iterator[Difference]:
    s = board.s
    able = set(offer.fields[0].given([]))
    mine = {army(a) for a in board.armies(s.side) if not board.held(a) and not s.mode[a]}
    yield from differs("armies that may be named to attack", "hw-initial-1", able, mine)
    for name in sorted(able):
        goals = {ATLAS.names[x] for x in targets(board, ATLAS.army_index[name], entering=False)}
        yield from differs(f"what {name} may attack", "hw-attack-6", set(offer.fields[1].given([name])), goals)


def _invade(board: Board, offer: Offer) -> Iterator[Difference]:
    s = board.s
    able = set(offer.fields[0].given([]))
    free = [a for a in board.armies(s.side) if not board.held(a) and not s.mode[a]]
    yield from differs("armies that may invade", "hw-invade-2", able, names([a for a in free if invades(board, a)]))
    for name in sorted(able):
        goals = {ATLAS.names[x] for x in shores(board, ATLAS.army_index[name])}
        yield from differs(f"what {name} may invade", "hw-invade-3", set(offer.fields[1].given([name])), goals)


def _exploit(board: Board, offer: Offer) -> Iterator[Difference]:
    s = board.s
    able = set(offer.fields[0].given([]))
    mine = {army(a) for a in board.armies(s.side) if s.mode[a] and s.advanced[a] and not s.spent[a]}
    yield from differs("armies that may exploit", "hw-exploit-1", able, mine)
    for name in sorted(able):
        goals = {ATLAS.names[x] for x in targets(board, ATLAS.army_index[name], entering=True)}
        yield from differs(f"what {name} may exploit into", "hw-exploit-4", set(offer.fields[1].given([name])), goals)


def _must_go_on(board: Board, offers: Offers) -> Iterator[Difference]:
    """While a hex is overstacked, an army that some die lets out of it must try (340)."""
    s, stuck = board.s, False
    for a in board.armies(s.side):
        at = s.army_at[a]
        if ATLAS.is_box[at] or board.crowd(at) <= 10 or not (s.mode[a] and s.advanced[a] and not s.spent[a]):
            continue
        for space in targets(board, a, entering=True):
            mode = way(board, a, space)
            drop = max(0, board.row(a)[PARA] - s.dropped[a])
            highest = range_of(board, a, space, mode, drop)
            stuck = stuck or (highest > 0 and 1 + advance_added(board, a, space) <= highest)
    closed = any(offer.closed is not None for offer in offers[Done])
    yield from differs("whether the exploitation may end", "hw-advance-12", not closed, not stuck)


def _advance(board: Board, offer: Offer) -> Iterator[Difference]:
    s = board.s
    able = set(offer.fields[0].given([]))
    if board.tag == "advances":
        invasion = bool(getattr(board.step, "invasion", False))
        modes = (INVASION,) if invasion else (LAND, AIRDROP)
        waiting = [a for a in board.armies(s.side) if s.mode[a] in modes and s.target[a] >= 0 and not s.spent[a]]
        mine = {army(a) for a in waiting if invasion or _range(board, a) > 0}
        yield from differs("armies that may try to advance", "hw-advance-1", able, mine)
    for name in sorted(able):
        a = ATLAS.army_index[name]
        whole = 0 if s.mode[a] == INVASION else max(0, board.row(a)[PARA] - s.dropped[a])
        drops = {whole} if s.mode[a] == AIRDROP else set(range(whole + 1))
        yield from differs(
            f"how many points of {name} may drop", "hw-para-2", set(offer.fields[1].given([name])), drops
        )


def _range(board: Board, a: int) -> int:
    drop = max(0, board.row(a)[PARA] - board.s.dropped[a])
    return range_of(board, a, board.s.target[a], board.s.mode[a], drop)


def _assault(board: Board, offer: Offer) -> Iterator[Difference]:
    s = board.s
    invasion, only = bool(getattr(board.step, "invasion", False)), int(getattr(board.step, "only", -1))
    modes = (INVASION,) if invasion else (LAND, AIRDROP)
    able = []
    for a in board.armies(s.side):
        goal = s.target[a]
        if goal < 0 or s.mode[a] not in modes or s.spent[a] or s.assaulted[a] or s.owner[goal] == s.side:
            continue
        row = board.row(a)
        on_foot = row[INF] + row[PARA] + (0 if ATLAS.mountain[goal] else row[MECH])
        fire = {INVASION: row[AMPH], AIRDROP: 0, LAND: on_foot}[s.mode[a]] + flying(board, a, goal)
        if fire and only in (-1, a):
            able.append(a)
    at, target, units, air = offer.fields
    origins = set(at.given([]))
    yield from differs("hexes that may assault", "hw-assault-2", origins, {ATLAS.names[s.army_at[a]] for a in able})
    for start in sorted(origins):
        for goal_name in sorted(target.given([start])):
            here = [a for a in able if ATLAS.names[s.army_at[a]] == start and ATLAS.names[s.target[a]] == goal_name]
            given = units.given([start, goal_name])
            yield from differs(f"who assaults {goal_name} from {start}", "hw-assault-2", set(given.items), names(here))  # type: ignore[attr-defined]
            chosen = tuple(given.items)  # type: ignore[attr-defined]
            goal = ATLAS.index[goal_name]
            enemy = sum(board.row(a)[AIR] for a in board.here(goal) if a // 12 != s.side) + s.coast.get(goal, 0)
            least, most = commitment(sum(flying(board, a, goal) for a in here), enemy)
            told = air.given([start, goal_name, chosen])
            yield from differs(
                f"tac air from {start} against {goal_name}", "hw-air-2", (min(told), max(told)), (least, most)
            )


def _defend(board: Board, offer: Offer) -> Iterator[Difference]:
    s = board.s
    invasion = bool(getattr(board.step, "invasion", False))
    modes = (INVASION,) if invasion else (LAND, AIRDROP)
    aimed = [a for a in board.armies(s.side) if s.mode[a] in modes and s.target[a] >= 0 and not s.spent[a]]
    for name in sorted(offer.fields[0].given([])):
        space = ATLAS.index[name]
        if space not in [s.target[a] for a in aimed]:
            yield Difference(f"whether {name} may fire", "hw-initial-4", "yes", "nobody attacks it")
        mine = {
            army(a)
            for a in board.here(space)
            if a // 12 != s.side and not s.defended[a] and any(board.row(a)[k] for k in (INF, MECH, PARA, AIR))
        }
        for own, there, fired in (
            ("fort", s.fort, s.fort_fired),
            ("home", s.home, s.home_fired),
            ("coast", s.coast, s.coast_fired),
        ):
            if there.get(space, 0) and space not in fired:
                mine.add(own)
        told = set(offer.fields[1].given([name]).items)  # type: ignore[attr-defined]
        yield from differs(f"who may fire in {name}", "hw-initial-4", told, mine)


def _retreat(board: Board, offer: Offer) -> Iterator[Difference]:
    """To adjacent friendly hexes, not over crossings and seas; the army of a neutral also inside its country (316)."""
    if board.tag != "retreats":
        return
    s, start = board.s, int(getattr(board.step, "space", -1))
    country = int(getattr(board.step, "country", -1))
    for name in sorted(offer.fields[0].given([])):
        a = ATLAS.army_index[name]
        mine = {
            ATLAS.names[y]
            for y in ATLAS.around[start]
            if ATLAS.hexside[start, y] not in (CROSSING, FULL_SEA)
            and (s.owner[y] == a // 12 or (country >= 0 and s.owner[y] == NOBODY and ATLAS.group_of[y] == country))
            and (not ATLAS.is_box[start] or start == SIBERIA)
        }
        yield from differs(f"where {name} may retreat", "hw-retreat-1", set(offer.fields[1].given([name])), mine)


def _lose(board: Board, offer: Offer) -> Iterator[Difference]:
    """Which point may be taken as a loss (292, 616, 699, 1158-1160, 1176)."""
    s, step = board.s, board.step
    if board.tag != "losses":
        return
    armies, space = [a for a in step.armies if s.army_at[a] >= 0], step.space  # type: ignore[union-attr]
    place = ATLAS.names[space] if space >= 0 else ""

    def of(*kinds: int) -> set[tuple[str, str]]:
        return {(army(a), KINDS[k]) for a in armies for k in kinds if board.row(a)[k]}

    if step.air:  # type: ignore[union-attr]
        mine = of(AIR) | ({(place, "coast")} if s.coast.get(space, 0) else set())
    elif step.amphibious >= step.number and of(AMPH):  # type: ignore[union-attr]
        mine = of(AMPH)
    else:
        mine = of(*GROUND)
        if place:
            mine |= {(place, what) for what, there in (("fort", s.fort), ("home", s.home)) if there.get(space, 0)}
            held = s.home.get(space, 0) or any(board.ground(a) for a in board.here(space))
            if not held and space not in s.bare:
                mine.add((place, "garrison"))
        if not mine and not step.ground_only:  # type: ignore[union-attr]
            mine = of(AIR)
    told = {(one.unit, one.kind) for one in offer if isinstance(one, Lose)}
    yield from differs("what may be lost", "hw-assault-7", told, mine)


_CHECKS = {
    March: _march, Detach: _detach, Transfer: _transfer, Attack: _attack, Invade: _invade, Exploit: _exploit,
    Advance: _advance, Assault: _assault, DefensiveAssault: _defend, Retreat: _retreat, Lose: _lose, Build: check_build,
    Repair: check_repair, Fortify: check_fortify, Lend: check_lend,
}  # fmt: skip
