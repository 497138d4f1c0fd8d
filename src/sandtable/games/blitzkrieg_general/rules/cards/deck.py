"""7.4: where the cards are, whom they are for, and how they leave a hand."""

from __future__ import annotations

from sandtable.core.columns import lacking, put

from ...model import events as ev
from ...model.atlas import ATLAS, MAJORS
from ...model.state import BKState, M
from ...model.tables import CONCERNS


def is_in_effect(state: BKState, ident: str) -> bool:
    """Return whether a card lies on the table."""
    return ATLAS.card_of[ident] in state.table


def coup_target(state: BKState, card: int) -> int:
    """Return the country a coup card is about; -1 for other cards. After its use the Irish coup may have become the
    Iranian one. [bg-opt-9.9]"""
    if state.effects_kept.get("iran") and ATLAS.card_ids[card] == "coup_ireland":
        return ATLAS.nation_of["iran"]
    return ATLAS.coup_target[card]


def concerns(state: BKState, card: int) -> int:
    """Return the one country besides its owner that a card is about; -1 when there is none."""
    target = coup_target(state, card)
    if target >= 0:
        return target
    name = CONCERNS.get(ATLAS.card_ids[card])
    return MAJORS.index(name) if name else -1


def buyers(state: BKState, card: int) -> frozenset[int]:
    """Return who may buy a card. [bg-7.4-restricted] [bg-card-naval-surprise]"""
    if ATLAS.card_ids[card] == "naval_surprise" and state.naval_surprise_open:
        return ATLAS.card_users[card]
    return ATLAS.card_buyers[card]


# ---- moving cards -------------------------------------------------------------------------------------------------
def empty_slots(state: BKState, major: int) -> None:
    """A major has dealt with the card it drew and with the one offered to it."""
    state.drawn, state.offered = put(state.drawn, major, -1), put(state.offered, major, -1)


def drop_card(state: BKState, major: int, card: int) -> None:
    """A card leaves a hand."""
    state.hands = put(state.hands, major, tuple(c for c in state.hands[major] if c != card))
    state.fresh = lacking(state.fresh, card)


def under_deck(state: BKState, card: int) -> None:
    state.deck = (*state.deck, card)
    state.fresh = lacking(state.fresh, card)


def take_off_table(state: BKState, ident: str) -> None:
    """A card that is in effect leaves the game."""
    card = ATLAS.card_of[ident]
    if card in state.table:
        state.table = lacking(state.table, card)
        state.out = (*state.out, card)


def throw_away_dead_cards(m: M, nation: int) -> None:
    """Cards in other hands that concern only a conquered country and their owner leave the game.
    [bg-7.1-cards-obsolete]"""
    state = m.state
    for major, hand in enumerate(state.hands):
        for card in [c for c in hand if c >= 0 and concerns(state, c) == nation]:
            drop_card(state, major, card)
            state.out = (*state.out, card)
            m.emit(ev.CardDiscarded(card=f"@{ATLAS.card_ids[card]}"))


def lose_hand(state: BKState, nation: int) -> None:
    """A conquered major's cards leave the game; those that return go under the deck. [bg-7.1-cards-removed]"""
    held = [*state.hands[nation], *(c for c in (state.drawn[nation], state.offered[nation]) if c >= 0)]
    state.hands = put(state.hands, nation, ())
    empty_slots(state, nation)
    for card in held:
        if ATLAS.returns[card] and not ATLAS.permanent[card]:
            under_deck(state, card)
        else:
            state.out = (*state.out, card)
            state.fresh = lacking(state.fresh, card)
    for card, owner in list(state.table.items()):
        if owner == nation and ATLAS.card_ids[card] not in ("french_vichy_surrender", "force_peace"):
            take_off_table(state, ATLAS.card_ids[card])
