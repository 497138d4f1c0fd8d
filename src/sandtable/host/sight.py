"""What a seat is shown: about the match, the offers of its roles, the whole state of play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple, Self

import msgspec

from sandtable.core import Game, Gesture, Match, Offer, Outcome, Refusal, SandtableError, Texts, Window

from . import gestures, manners
from . import messages as m
from .errors import NotAllowed, NotFound
from .labels import add_labels, is_closed
from .matches import POSITION, Live
from .records import SeatRow

IsConnected = Callable[[str, int], bool]
"""Called with a match and a place."""


def turn_name(game: Game[Any], turn: str, language: str) -> str:
    return game.turn_name(turn, game.texts(language))


def seats_info(live: Live, is_connected: IsConnected, now: float) -> list[m.SeatInfo]:
    return [
        m.SeatInfo(
            seat.roles,
            seat.kind,
            seat.level,
            seat.name,
            seat.kind == "computer" or is_connected(live.row.id, seat.place),
            seat.handed_over,
            seat.invitation,
            seat.colour,
            seat.lent,
            seat.away if seat.away > now else 0.0,
            manners.days_of(live, seat) / manners.DAY,
            seat.is_claimed and manners.is_late(live, seat, now),
            seat.motion,
            seat.agreed,
            manners.who_decides(live, None, now) if seat.motion else (),
        )
        for seat in live.seats
    ]


def match_info(live: Live, seat: SeatRow | None, language: str, now: float, is_connected: IsConnected) -> m.MatchInfo:
    """Return everything about a match but the position."""
    row, match = live.row, live.match
    return m.MatchInfo(
        match=row.id,
        game=row.game,
        scenario=row.scenario,
        options={name: value for name, value in row.options.items() if name != POSITION},
        seats=seats_info(live, is_connected, now),
        number=match.number,
        asked=row.asked,
        turn=turn_name(live.game, row.turn, language),
        over=row.outcome is not None,
        outcome=None if row.outcome is None else m.OutcomeInfo(**row.outcome),
        outcome_text=outcome_text(match.game, match.outcome, language),
        you=() if seat is None else seat.roles,
        clock=_clock(live, now),
        seed_hash=row.seed_hash,
        seed=live.seed,
        rules_version=row.rules,
        frozen=row.frozen,
        kind=row.kind,
        parent=row.parent,
        draw=match.state.draw,
        resigned=match.state.resigned,
        place=None if seat is None else seat.place,
        challenge=row.challenge,
        rated=row.rated > 0,
        staff=row.staff,
        rematch=row.rematch,
        base=row.base,
    )


def _clock(live: Live, now: float) -> m.ClockInfo | None:
    if not live.row.clock:
        return None
    left = {role: left for role, (left, _) in live.hands.items()}
    return m.ClockInfo(**live.row.clock, left=left, since={role: s for role, (_, s) in live.hands.items()}, now=now)


def outcome_text(game: Game[Any], outcome: Outcome | None, language: str) -> str:
    """Return who has won, and how."""
    if outcome is None:
        return ""
    texts, winners = game.texts(language), [f"@{role}" for role in outcome.winners]
    level = outcome.level
    if f"outcome.{level}" in texts:
        level = texts.say(f"outcome.{level}", winners=winners)
    named = texts.name(winners)
    return level if not winners or named in level else f"{named}: {level}"


def eyes(match: Match[Any], roles: Sequence[str], before: str | None, *, is_new: bool = False) -> str | None:
    """Return the role through which a seat looks: the one it looked through before, if that is asked or none is.

    Else, and where a new phase begins, it is the first that has something to do.
    """
    asked = [role for role in roles if role in match.decisions()]
    if before in roles and (not asked or (before in asked and not is_new)):
        return before
    if not asked:
        return roles[0] if roles else None
    return next((role for role in asked if len(asked) > 1 and can_act(match, role)), asked[0])


def can_act(match: Match[Any], role: str) -> bool:
    """Return whether a role that is asked can do more than say that it is done."""
    for offer in match.offers(role).offers:
        if not match.game.gesture(offer).ends and not is_closed(match.game.codec.builtins(offer.describe())):
            return True
    return False


class Phase(NamedTuple):
    """Who of a seat is asked, and on which steps."""

    asked: frozenset[str] = frozenset()
    steps: tuple[str, ...] = ()

    @classmethod
    def of(cls, match: Match[Any], roles: Sequence[str]) -> Self:
        """Return the phase in which a match stands for these roles."""
        asked = frozenset(role for role in match.decisions() if role in roles)
        return cls(asked, tuple(type(step).__name__ for step in match.state.stack))

    def begins_after(self, before: Phase) -> bool:
        """Return whether it has begun anew: more are asked, and not because a question in between is answered."""
        is_back = len(self.steps) < len(before.steps) and self.steps == before.steps[: len(self.steps)]
        return not self.asked <= before.asked and not is_back


# ---- offers
def offers(match: Match[Any], role: str, language: str) -> list[m.OfferInfo]:
    """Return what a role may do now."""
    texts = match.game.texts(language)
    found = []
    for index, offer in enumerate(match.offers(role).offers):
        face = match.game.codec.builtins(offer.describe())
        if not is_closed(face):
            found.append(_offer_info(add_labels(face, texts), index, texts, *_hand(match, offer)))
    return found


def _hand(match: Match[Any], offer: Offer) -> tuple[Gesture, list[str]]:
    """Return how a hand plays an offer, and the units in it where its first field does not show them."""
    gesture = match.game.gesture(offer)
    shown = not gesture.units or not gesture.place or offer.fields[0].name == gesture.units
    return gesture, [] if shown else gestures.units_in(offer, gesture)


def only(match: Match[Any], role: str, shown: Sequence[m.OfferInfo]) -> dict[str, Any] | None:
    """Return the one thing that a role can do, where there is no choice and doing it at once tells nobody anything.

    At a window, and where several decide at once with things hidden, the time that an answer takes may tell.
    """
    if len(shown) != 1 or isinstance(match.step, Window):
        return None
    if len(match.decisions()) > 1 and not match.game.public(match.state):
        return None
    found = list(islice(match.offers(role).offers[shown[0].index], 2))
    return match.game.codec.builtins(found[0]) if len(found) == 1 else None


def losses(match: Match[Any], role: str) -> list[dict[str, Any]]:
    """Return all hits that a role still has to take, as the odds assume it; nothing where it is only one."""
    found = match.game.losses(match, role) if role in match.decisions() else ()
    return [match.game.codec.builtins(action) for action in found] if len(found) > 1 else []


def _offer_info(face: dict[str, Any], index: int, texts: Texts, gesture: Gesture, units: list[str]) -> m.OfferInfo:
    hint = f"verb.{face.get('hint', '')}"
    label = texts.say(hint if hint in texts else f"verb.{face['verb']}")
    info = msgspec.convert({**face, "index": index, "label": label}, m.OfferInfo)
    return msgspec.structs.replace(info, gesture=gesture, units=units)


def next_field(match: Match[Any], wish: m.Next, language: str) -> m.OfferInfo:
    """Return an offer with the domain of the field that comes after the given ones."""
    found = match.offers(wish.role).offers
    if wish.index >= len(found):
        raise NotFound("there is no such offer")
    offer = found[wish.index]
    if len(wish.prefix) > len(offer.fields):
        raise SandtableError("that offer has no more fields")
    prefix = _known_values(match, wish)
    builtins = match.game.codec.builtins
    face: dict[str, Any] = builtins(offer.describe(prefix))
    if wish.so_far is not None and len(prefix) < len(offer.fields):
        onward = getattr(offer.fields[len(prefix)].given(prefix), "describe_next", None)
        if onward is None:
            raise SandtableError("that field is not a walk")
        face["next"] = builtins(onward(_tuples(wish.so_far)))
    texts = match.game.texts(language)
    return _offer_info(add_labels(face, texts, len(prefix)), wish.index, texts, *_hand(match, offer))


def _known_values(match: Match[Any], wish: m.Next) -> list[Any]:
    """Return the values of an offer's first fields. The refusal of a bad one depends only on what the role knows."""
    try:
        return checked_values(match.offers(wish.role).offers[wish.index], wish.prefix)
    except Refusal:
        known = match.as_known(wish.role).offers(wish.role).offers[wish.index : wish.index + 1]
        for offer in known:
            checked_values(offer, wish.prefix)
        raise Refusal(match.step.rule, "sandtable-not-possible") from None


def checked_values(offer: Offer, values: Sequence[Any]) -> list[Any]:
    """Return the values of an offer's first fields as actions hold them. Raises the refusal of the first bad one."""
    found: list[Any] = []
    for field, given in zip(offer.fields, values, strict=False):
        value, domain = _tuples(given), field.given(found)
        if not _is_in(domain, value):
            raise domain.why(value) or Refusal(
                offer.rule, "sandtable-not-available", field=field.name, value=str(value)
            )
        found.append(value)
    return found


def _tuples(value: Any) -> Any:
    """Return JSON lists as the tuples that actions hold."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _is_in(domain: Any, value: Any) -> bool:
    try:
        return value in domain
    except TypeError:
        return False


def viewpoint(seat: SeatRow | None, match: Match[Any], role: str | None, *, is_open: bool) -> str | None:
    """Return the role to look through, None for what everybody may know. Raises NotAllowed for others' roles."""
    if role is not None and role not in match.roles:
        raise NotFound("there is no such role in this match")
    if role is not None and not is_open and (seat is None or role not in seat.roles):
        raise NotAllowed("your seat does not hold that role" if seat else "a spectator sees what everybody may know")
    if role is not None or seat is None:
        return role
    return eyes(match, seat.roles, None)
