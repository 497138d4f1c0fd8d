"""What a seat is shown: about the match, the offers of its roles, the whole state of play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.core import Game, Match, Offer, Refusal, SandtableError, Texts

from . import messages as m
from .errors import NotAllowed, NotFound
from .labels import add_labels, is_closed
from .matches import Live
from .records import SeatRow

IsConnected = Callable[[str, int], bool]
"""Called with a match and a place."""


def turn_name(game: Game[Any], turn: str, language: str) -> str:
    return game.turn_name(turn, game.texts(language))


def seats_info(live: Live, is_connected: IsConnected) -> list[m.SeatInfo]:
    return [
        m.SeatInfo(
            seat.roles,
            seat.kind,
            seat.level,
            seat.name,
            seat.kind == "computer" or is_connected(live.row.id, seat.place),
            seat.handed_over,
        )
        for seat in live.seats
    ]


def match_info(live: Live, you: Sequence[str], language: str, now: float, is_connected: IsConnected) -> m.MatchInfo:
    """Return everything about a match but the position."""
    row, match = live.row, live.match
    return m.MatchInfo(
        match=row.id,
        game=row.game,
        scenario=row.scenario,
        options=row.options,
        seats=seats_info(live, is_connected),
        number=match.number,
        asked=row.asked,
        turn=turn_name(live.game, row.turn, language),
        over=row.outcome is not None,
        outcome=None if row.outcome is None else m.OutcomeInfo(**row.outcome),
        outcome_text=_outcome_text(match, language),
        you=you,
        clock=_clock(live, now),
        seed_hash=row.seed_hash,
        seed=live.seed,
        rules_version=row.rules,
        frozen=row.frozen,
        kind=row.kind,
        parent=row.parent,
        draw=match.state.draw,
    )


def _clock(live: Live, now: float) -> m.ClockInfo | None:
    if not live.row.clock:
        return None
    left = {role: left for role, (left, _) in live.hands.items()}
    return m.ClockInfo(**live.row.clock, left=left, since={role: s for role, (_, s) in live.hands.items()}, now=now)


def _outcome_text(match: Match[Any], language: str) -> str:
    outcome = match.outcome
    if outcome is None:
        return ""
    texts = match.game.texts(language)
    level = texts.say(f"outcome.{outcome.level}") if f"outcome.{outcome.level}" in texts else outcome.level
    return f"{texts.name([f'@{role}' for role in outcome.winners])}: {level}" if outcome.winners else level


def eyes(match: Match[Any], roles: Sequence[str], before: str | None) -> str | None:
    """Return the role through which a seat looks: one that is asked, or the one it looked through before."""
    asked = match.decisions()
    if before in roles and (before in asked or not any(role in asked for role in roles)):
        return before
    return next((role for role in roles if role in asked), roles[0] if roles else None)


# ---- offers
def offers(match: Match[Any], role: str, language: str) -> list[m.OfferInfo]:
    """Return what a role may do now."""
    texts = match.game.texts(language)
    found = []
    for index, offer in enumerate(match.offers(role).offers):
        face = match.game.codec.builtins(offer.describe())
        if not is_closed(face):
            found.append(_offer_info(add_labels(face, texts), index, texts))
    return found


def _offer_info(face: dict[str, Any], index: int, texts: Texts) -> m.OfferInfo:
    hint = f"verb.{face.get('hint', '')}"
    label = texts.say(hint if hint in texts else f"verb.{face['verb']}")
    return msgspec.convert({**face, "index": index, "label": label}, m.OfferInfo)


def next_field(match: Match[Any], wish: m.Next, language: str) -> m.OfferInfo:
    """Return an offer with the domain of the field that comes after the given ones."""
    found = match.offers(wish.role).offers
    if wish.index >= len(found):
        raise NotFound("there is no such offer")
    offer = found[wish.index]
    if len(wish.prefix) > len(offer.fields):
        raise SandtableError("that offer has no more fields")
    prefix = checked_values(offer, wish.prefix)
    builtins = match.game.codec.builtins
    face: dict[str, Any] = builtins(offer.describe(prefix))
    if wish.so_far is not None and len(prefix) < len(offer.fields):
        onward = getattr(offer.fields[len(prefix)].given(prefix), "describe_next", None)
        if onward is None:
            raise SandtableError("that field is not a walk")
        face["next"] = builtins(onward(_tuples(wish.so_far)))
    texts = match.game.texts(language)
    return _offer_info(add_labels(face, texts, len(prefix)), wish.index, texts)


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
