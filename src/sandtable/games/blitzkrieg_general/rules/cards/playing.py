"""7.4: which cards may be played now, and what becomes of a card that is played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sandtable.core import Field, Offer, OneOf, Refusal, Step
from sandtable.core.columns import having

from ...model import events as ev
from ...model.actions import PlayCard
from ...model.atlas import ATLAS, BE, MAJORS
from ...model.state import CONQUERED, BKState, M
from ..economy import refresh_production
from . import battle, economy, movement, politics
from .deck import buyers, concerns, coup_target, drop_card
from .entry import ENTRIES

WINDOWS: Final = ("initiative", "search", "reaction", "battle", "research", "bnl", "surrender")
"""Moments in which a card may be played in between."""
ROOM: Final = (battle, economy, movement, politics)
"""Every card is entered when its module is imported."""
CARD_STEPS: Final[tuple[type[Step], ...]] = (
    economy.Disbanding,
    battle.Elite,
    movement.ParaDrop,
    movement.PartisansRise,
    movement.Spying,
)
_BY_NUMBER: Final = [ENTRIES[ident] for ident in ATLAS.card_ids]
_KAMIKAZE: Final = ATLAS.card_of["kamikaze"]


# ---- windows ------------------------------------------------------------------------------------------------------
def default_windows(state: BKState, major: int) -> Sequence[str]:
    """Return the windows at which a role is asked: where it holds something to play there."""
    moments = {moment for card in _cards_of(state, major) for moment in _BY_NUMBER[card].moments}
    return [window for window in WINDOWS if window in moments]


def may_anybody_cut_in(state: BKState, window: str) -> bool:
    """Return whether a window could ask anybody: somebody has given orders, or holds something to play there."""
    if state.orders:
        return True
    held = [card for hand in state.hands for card in hand if card >= 0]
    if _KAMIKAZE in state.table:
        held.append(_KAMIKAZE)
    return any(window in _BY_NUMBER[card].moments for card in held)


def _cards_of(state: BKState, major: int) -> list[int]:
    """The cards a major can play as far as they are known: those in its hand, and Kamikaze again from the table."""
    cards = [card for card in state.hands[major] if card >= 0]
    return [*cards, _KAMIKAZE] if state.table.get(_KAMIKAZE, -1) == major else cards


# ---- what may be played -------------------------------------------------------------------------------------------
def playable(state: BKState, major: int, moment: str) -> list[int]:
    """Return the cards a major may play at this moment. [bg-7.4-earliest] [bg-7.4-unlimited]
    [bg-card-general-prereq]"""
    return [card for card in _cards_of(state, major) if why_not_play(state, major, card, moment) is None]


def why_not_play(state: BKState, major: int, card: int, moment: str) -> Refusal | None:
    """Refuse a card that may not be played now. [bg-7.4-earliest] [bg-card-general-play-time] [bg-card-general-prereq]
    [bg-card-general-coup-conquered]"""
    ident, entry = f"@{ATLAS.card_ids[card]}", _BY_NUMBER[card]
    if card not in _cards_of(state, major):
        return Refusal("bg-7.4-secret", "card-not-held", card=ident)
    if state.fresh.get(card, -1) == state.turn:
        return Refusal("bg-7.4-earliest", "card-too-fresh", card=ident)
    if moment not in entry.moments:
        return Refusal("bg-7.4-secret", "wrong-moment", card=ident)
    if entry.when(state, major, moment):
        return None
    if coup_target(state, card) >= 0 and moment != "surrender":
        return Refusal("bg-card-general-coup-conquered", "not-neutral", card=ident)
    return Refusal("bg-card-general-prereq", "prerequisite", card=ident)


def play_offers(state: BKState, major: int, moment: str) -> list[Offer]:
    """Return the offer to play a card: in a phase for whoever holds cards, at a window only with something to play."""
    only_if_playable = not state.hands[major] or moment in WINDOWS or moment == "us-entry"
    if only_if_playable and not playable(state, major, moment):
        return []
    return [Offer(PlayCard, lambda: _card_fields(state, major, moment), rule="bg-7.4-secret")]


def _card_fields(state: BKState, major: int, moment: str) -> tuple[Field, ...]:
    def cards() -> list[str]:
        return [ATLAS.card_ids[c] for c in playable(state, major, moment)]

    def why(value: str) -> Refusal | None:
        card = ATLAS.card_of.get(value, -1)
        return why_not_play(state, major, card, moment) if card in state.hands[major] else None

    return (
        Field("card", "card", OneOf(cards(), why=why)),
        Field("on", "choice", lambda c: OneOf(ENTRIES[c].on(state, major, moment))),
    )


# ---- playing ------------------------------------------------------------------------------------------------------
def play(m: M, major: int, action: PlayCard) -> None:
    """The card takes effect at once and goes where it says. [bg-7.4-secret] [bg-7.4-discard] [bg-7.4-return]
    [bg-7.4-permanent]"""
    state = m.state
    card = ATLAS.card_of[action.card]
    on = f"@{action.on}" if action.on else ""
    m.emit(ev.CardPlayed(country=f"@{MAJORS[major]}", card=f"@{action.card}", on=on))
    m.reveal("bg-7.4-secret")
    drop_card(state, major, card)
    _put_away(state, major, card)
    _BY_NUMBER[card].effect(m, major, action.on)
    refresh_production(state)
    if action.card == "coup_ireland" and m.option("coup-in-iran"):
        # from now on it is the coup in Iran
        state.effects_kept = having(state.effects_kept, "iran", 1)


def _put_away(state: BKState, major: int, card: int) -> None:
    ident = ATLAS.card_ids[card]
    irish = ident == "coup_ireland" and state.options.get("coup-in-iran") and not state.effects_kept.get("iran")
    if ident == "force_peace" or ATLAS.permanent[card]:
        state.table = having(state.table, card, major)
    elif ATLAS.returns[card] or irish:
        state.deck = (*state.deck, card)
    else:
        state.out = (*state.out, card)


def play_what_must_be(m: M) -> None:
    """The British Empire must play Lend Lease as soon as it may. [bg-card-lend-lease-be]"""
    number = ATLAS.card_of["lend_lease_be_ussr"]
    if number in m.state.hands[BE] and why_not_play(m.state, BE, number, "us-entry") is None:
        play(m, BE, PlayCard("lend_lease_be_ussr", ""))


def is_obsolete(state: BKState, card: int) -> bool:
    """Return whether what the card does can no longer happen, or has happened. [bg-7.4-obsolete]
    [bg-7.1-cards-obsolete] [bg-card-japanese-navy-end]"""
    about, dead = concerns(state, card), _BY_NUMBER[card].dead
    if coup_target(state, card) < 0 and about >= 0 and state.standing[about] == CONQUERED:
        return True
    if dead is not None:
        return dead(state)
    return all(state.standing[n] == CONQUERED for n in buyers(state, card))
