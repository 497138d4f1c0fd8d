"""What the players of a match settle among themselves: who sits where, who is away, who plays for whom, a rematch.

A player's own seat is theirs alone: they lend it to the computer and take it back, and go on vacation where the clock
has days for it. What concerns the seat of somebody else needs everybody who sits at the table, the one it is about
included. A player who is late has no say: who missed a deadline and has not come back, or, without a clock, has let
the others wait for two weeks. So nobody is thrown out but those who let the others down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from sandtable.core import SandtableError
from sandtable.games import registered
from sandtable.players import levels

from . import messages as m
from .errors import NotAllowed, Stale
from .matches import Live
from .records import Hands, SeatRow
from .seats import with_new_secret

DAY = 86_400.0
SILENCE = 14 * DAY
"""How long the others wait for a player without a clock before they may go on without them."""
_replace = msgspec.structs.replace


def is_late(live: Live, seat: SeatRow, now: float) -> bool:
    """Whether a player has let the others down."""
    if seat.handed_over:
        return True
    is_waited_for = any(role in live.row.asked for role in seat.roles)
    return not live.row.clock and is_waited_for and now - live.row.updated > SILENCE


def check_level(live: Live, level: str) -> str:
    """Return the level if the game has it."""
    if level not in (known := levels(registered(live.row.game))):
        raise SandtableError(f"there is no level '{level}' for {live.row.game}; there is {', '.join(known)}")
    return level


def lent(live: Live, seat: SeatRow, level: str) -> SeatRow:
    """Return the seat as the computer plays it for its owner."""
    return _replace(seat, lent=True, level=check_level(live, level))


def taken_back(seat: SeatRow) -> SeatRow:
    """Return the seat as its owner plays it again."""
    return _replace(seat, lent=False, handed_over=False)


# ---- agreements
def who_decides(live: Live, by: SeatRow | None, now: float) -> list[int]:
    """Return the places that must agree to a change of somebody's seat: who asks, and all who are not late."""
    seated = [seat for seat in live.seats if seat.is_claimed]
    return [
        seat.place for seat in seated if (by is not None and seat.place == by.place) or not is_late(live, seat, now)
    ]


def after_motion(live: Live, by: SeatRow, wish: m.Motion, now: float) -> tuple[SeatRow, SeatRow]:
    """Return the seat that a motion is about, as it was and as it is now; with a new secret where somebody is out."""
    if wish.place >= len(live.seats):
        raise SandtableError("there is no such seat at this match")
    seat = live.seats[wish.place]
    if seat.place == by.place and not seat.motion:
        raise NotAllowed("this is your own seat: lend it, or release it")
    if wish.do == "none":
        return seat, _replace(seat, motion="", agreed=())
    motion = wish.do if wish.do == "invite" else f"computer {check_level(live, wish.level)}"
    if wish.do == "computer" and seat.kind == "computer":
        raise NotAllowed("the computer sits there already")
    agreed = (*seat.agreed, by.place) if seat.motion == motion and by.place not in seat.agreed else (by.place,)
    is_link_only = wish.do == "invite" and seat.invitation  # nobody loses anything but a link that was not used
    if not is_link_only and not set(who_decides(live, by, now)) <= set(agreed):
        return seat, _replace(seat, motion=motion, agreed=agreed)
    return seat, _vacated(seat, motion)


def _vacated(seat: SeatRow, motion: str) -> SeatRow:
    """Return the seat without its player, under a secret that they do not have."""
    kind, _, level = motion.partition(" ")
    free = with_new_secret(seat, invitation=kind == "invite")
    free = _replace(free, person="", name="", colour="", handed_over=False, lent=False, motion="", agreed=())
    free = _replace(free, away=0.0, rested=0.0, archived=False)
    if kind == "invite":
        return _replace(free, kind="person", level="recruit")
    return _replace(free, kind="computer", level=level, secret=None)


# ---- vacation
def days_of(live: Live, seat: SeatRow) -> float:
    """Return how many seconds of vacation a player has left."""
    return max(0.0, float((live.row.clock or {}).get("vacation", 0)) * DAY - seat.rested)


def on_vacation(live: Live, seat: SeatRow, days: float, now: float) -> tuple[SeatRow, Hands]:
    """Return seat and clocks with its player away for some days from now on, or back where it is 0 days."""
    if days == 0:
        unused = max(0.0, seat.away - now)
        back = _replace(seat, away=0.0, rested=seat.rested - unused)
        return back, _started_at(live.hands, seat.roles, now)
    if not live.row.clock:
        raise NotAllowed("without a clock nobody needs a vacation")
    if seat.away > now:
        raise NotAllowed("you are on vacation")
    if days * DAY > days_of(live, seat):
        raise NotAllowed(f"you have {days_of(live, seat) / DAY:.1f} days of vacation left in this match")
    until = now + days * DAY
    hands = dict(live.hands)
    for role in seat.roles:
        left, since = hands[role]
        if since is not None:
            hands[role] = (max(0.0, left - max(0.0, now - since)), until)
    return _replace(seat, away=until, rested=seat.rested + days * DAY), hands


def _started_at(hands: Hands, roles: Sequence[str], now: float) -> Hands:
    """Return the clocks with those of these roles, if they wait for a day to come, running from now on."""
    found = dict(hands)
    for role in roles:
        left, since = hands.get(role, (0.0, None))
        if since is not None and since > now:
            found[role] = (left, now)
    return found


def claimed_now(hands: Hands, roles: Sequence[str], now: float) -> Hands:
    """Return the clocks when somebody sits down: nobody's time ran before."""
    found = dict(hands)
    for role in roles:
        left, since = hands.get(role, (0.0, None))
        if since is not None:
            found[role] = (left, now)
    return found


# ---- chat
def allies(live: Live, seat: SeatRow) -> list[str]:
    """Return the roles of a seat's alliances; none if that is everybody."""
    sides: Mapping[str, Sequence[str]] = live.game.sides(live.match.state)
    mine = {role for together in sides.values() if any(role in seat.roles for role in together) for role in together}
    found = [role for role in live.match.roles if role in mine or role in seat.roles]
    return [] if len(found) == len(live.match.roles) else found


def too_late(live: Live) -> Stale:
    """Return the error for who changes a seat that has just been changed."""
    return Stale("somebody else was faster: look at the seats again", live.match.number)


def wishes_again(live: Live, by: SeatRow, players: Sequence[SeatRow]) -> list[m.SeatWish]:
    """Return the seats of a rematch: these players in the places of the last match, the one who asks at once."""
    return [
        m.SeatWish(list(seat.roles), "computer", player.level, player.name)
        if player.kind == "computer"
        else m.SeatWish(list(seat.roles), "person", "recruit", player.name, player.colour, player.place != by.place)
        for seat, player in zip(live.seats, players, strict=True)
    ]
