"""7.2-7.6: what a country's flag shows, and what it loses to bombers and submarines."""

from __future__ import annotations

from ..model.atlas import ALLIES, ATLAS, BE, GERMANY, ITALY, JAPAN, SUB, USA, USSR
from ..model.state import AT_WAR, CONQUERED, NEUTRAL
from ..model.tables import LIMITS
from .board import Board

A = ATLAS


def worth(board: Board, area: int) -> int:
    """What an area gives now to whom holds it: the left number to its owner and that one's side, else the right one."""
    s = board.s
    holder, owner = s.control[area], A.owner[area]
    if A.germany_only[area]:
        return A.right[area] if s.side[holder] == s.side[GERMANY] and s.standing[holder] == AT_WAR else 0
    if holder == A.vichy_nation or (holder == BE and A.be_pacific[area] and not s.be_pacific):
        return 0
    same = owner == holder or (s.side[owner] == s.side[holder] and s.side[owner] >= 0)
    return A.left[area] if same else A.right[area]


def earner(board: Board, area: int) -> int:
    """The major whose flag an area counts for; -1 for nobody's."""
    s = board.s
    holder = s.control[area]
    if A.germany_only[area]:
        return GERMANY
    if s.trust_to_japan and area in A.bnl_islands and holder in (A.trust_nation, A.bnl):
        return JAPAN
    if holder >= 8 and s.standing[holder] != AT_WAR:
        return -1
    return s.master[holder]


def flags(board: Board) -> list[int]:
    """The production flags of the eight majors (7.6.1-7.6.4)."""
    s = board.s
    out = list(s.bonus)
    soviet_peace = not (board.fights(USSR, GERMANY) or board.fights(USSR, ITALY) or s.soviet_full)
    for area in A.land:
        who = earner(board, area)
        if who < 0 or (who == USSR and soviet_peace and A.home_of[area] == USSR and s.control[area] == USSR):
            continue
        in_trust = who == JAPAN and s.control[area] in (A.trust_nation, A.bnl)
        out[who] += A.right[area] if in_trust else worth(board, area)
    if soviet_peace:
        out[USSR] += A.peace_production[USSR]
    for lasts, (_, receiver, points) in zip(s.deliveries, A.deliveries, strict=True):
        out[receiver] += points * lasts
    if s.standing[USA] == NEUTRAL:
        out[USA] = s.bonus[USA] + (s.us_level if s.advanced else LIMITS["us_basic"])
    return [0 if s.standing[n] == CONQUERED else max(0, points) for n, points in enumerate(out)]


def raided(board: Board, major: int) -> int:
    """What submarines take beside colonies and British homes, and from deliveries over sea (6.5.3)."""
    s = board.s
    if not s.advanced:
        return 0
    left = {
        area: worth(board, area) - s.bombed.get(area, 0) for area in A.land
        if s.control[area] == major and A.owner[area] == major and (major == BE or A.home_of[area] != major)
    }  # fmt: skip
    lost = 0
    for zone in A.seas:
        subs = sum(A.type[u] == SUB and board.fights(board.nation(u), major) for u in board.at[zone])
        for area in A.coast[zone]:
            if area in left:
                taken = max(0, min(subs, left[area]))
                left[area] -= taken
                subs -= taken
                lost += taken
        for lasts, (giver, receiver, points) in zip(s.deliveries, A.deliveries, strict=True):
            if lasts and receiver == major and subs > 0 and any(s.control[a] == giver for a in A.coast[zone]):
                taken = 0 if _by_land(board, giver, receiver) else min(subs, points)
                subs -= taken
                lost += taken
    return lost


def _by_land(board: Board, giver: int, receiver: int) -> bool:
    """Whether goods come over land: through the giver's areas and those of the receiver's side at war."""
    s = board.s
    seen = {a for a in A.homes[giver] if s.control[a] == giver}
    todo = list(seen)
    while todo:
        for there in A.land_next[todo.pop()]:
            owner = s.control[there]
            ours = s.side[owner] == s.side[receiver] and s.standing[owner] == AT_WAR
            if there not in seen and (owner == giver or ours):
                seen.add(there)
                todo.append(there)
    return any(a in A.homes[receiver] and s.side[s.control[a]] == s.side[receiver] for a in seen)


def bombed(board: Board, major: int) -> int:
    s = board.s
    return sum(
        points for area, points in s.bombed.items()
        if (GERMANY if A.germany_only[area] else s.master[s.control[area]]) == major
    )  # fmt: skip


def victory_points(board: Board, side: int) -> int:
    """The flags of a side and its islands without production (8.5)."""
    s = board.s
    islands = 0
    for area in A.point_islands:
        owner = s.control[area]
        trusted = owner in (A.trust_nation, A.bnl) and s.side[owner] < 0
        islands += (ALLIES if trusted else s.side[owner]) == side
    return sum(s.production[n] for n in range(8) if s.side[n] == side) + islands * int(A.victory["island_point"])
