"""7.4: each major draws a card and buys, offers or returns it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Refusal, Role, Step
from sandtable.core.columns import having, put

from ...model import events as ev
from ...model.actions import Buy, OfferCard, ReturnCard
from ...model.atlas import ATLAS, BE, JAPAN, MAJORS
from ...model.state import BKState, M, enemy_side, plays
from .deck import buyers, empty_slots, under_deck
from .playing import is_obsolete


class Shuffle(Step, frozen=True, tag="bg.shuffle"):
    """The deck is shuffled once, at the start. [bg-4.1-deck] [bg-7.4-no-reshuffle]"""

    rule = "bg-4.1-deck"

    def run(self, m: M) -> None:
        left = list(m.state.deck)
        m.state.deck = tuple(m.draw(left, why="bg-4.1-deck") for _ in range(len(left)))
        m.pop()


class CardPhase(Step, frozen=True, tag="bg.cards"):
    """Each major draws one card and buys, offers or returns it; the initiative side first. [bg-7.4-draw]
    [bg-7.4-options]
    [bg-7.4-one-per-turn]"""

    rule = "bg-7.4-draw"
    side: int
    second: bool = False

    @staticmethod
    def begin(m: M) -> CardPhase:
        m.state.bought = 0
        draw_for(m, m.state.initiative)
        return CardPhase(m.state.initiative)

    def run(self, m: M) -> None:
        if m.asked():
            return
        if self.second:
            m.pop()
        else:
            other = enemy_side(self.side)
            draw_for(m, other)
            m.replace(CardPhase(other, True))

    def roles(self, m: M) -> Sequence[Role]:
        state = m.state
        return [MAJORS[n] for n in range(8) if state.drawn[n] >= 0 or state.offered[n] >= 0]

    def publicly_asked(self, m: M) -> Sequence[Role]:
        state = m.state
        return [MAJORS[n] for n in range(8) if state.drawn[n] != -1 or state.offered[n] != -1]

    def offers(self, m: M, role: Role) -> Sequence[Offer]:
        state = m.state
        major = MAJORS.index(role)
        held = [c for c in (state.drawn[major], state.offered[major]) if c >= 0]
        out: list[Offer] = []
        wanted = [ATLAS.card_ids[c] for c in held if why_not_buy(state, major, c) is None]

        def why(value: str) -> Refusal | None:
            card = ATLAS.card_of.get(value, -1)
            return why_not_buy(state, major, card) if card in held else None

        out.append(Offer(Buy, Field("card", "card", OneOf(wanted, why=why)), rule="bg-7.4-pay"))
        if state.drawn[major] >= 0:
            friends = [MAJORS[n] for n in may_be_offered(state, major)]
            if friends:
                out.append(Offer(OfferCard, Field("country", "role", OneOf(friends)), rule="bg-7.4-options"))
        forced = (
            major == BE and "lend_lease_be_ussr" in wanted and state.drawn[major] == ATLAS.card_of["lend_lease_be_ussr"]
        )
        if not forced:
            out.append(Choices([ReturnCard()], rule="bg-7.4-options"))
        return out

    def take(self, m: M, role: Role, action: Any) -> None:
        state = m.state
        major = MAJORS.index(role)
        country = f"@{role}"
        if isinstance(action, Buy):
            card = ATLAS.card_of[action.card]
            state.points = put(state.points, major, state.points[major] - ATLAS.card_cost[card])
            state.hands = put(state.hands, major, (*state.hands[major], card))
            state.fresh = having(state.fresh, card, state.turn)
            state.bought |= 1 << major
            for held in (state.drawn[major], state.offered[major]):
                if held >= 0 and held != card:
                    under_deck(state, held)
            empty_slots(state, major)
            m.emit(ev.CardBought(country=country))
        elif isinstance(action, OfferCard):
            to = MAJORS.index(action.country)
            state.offered = put(state.offered, to, state.drawn[major])
            state.drawn = put(state.drawn, major, -1)
            m.reveal("bg-7.4-options")
            m.emit(ev.CardOffered(country=country, to=f"@{action.country}"))
        else:
            for held in (state.drawn[major], state.offered[major]):
                if held >= 0:
                    under_deck(state, held)
            empty_slots(state, major)
            m.emit(ev.CardReturned(country=country))
        m.replace(CardPhase(self.side, self.second))


def draw_for(m: M, side: int) -> None:
    """Every major of a side takes the top card; obsolete ones are thrown away and replaced. [bg-7.4-draw]
    [bg-7.4-enemy-card]
    [bg-7.4-obsolete]"""
    state = m.state
    for major in range(8):
        if state.side[major] != side or not plays(state, major):
            continue
        while state.deck:
            card, state.deck = state.deck[0], state.deck[1:]
            m.reveal("bg-7.4-draw")
            m.emit(ev.CardTaken(country=f"@{MAJORS[major]}"))
            if is_obsolete(state, card):
                state.out = (*state.out, card)
                m.emit(ev.CardDiscarded(card=f"@{ATLAS.card_ids[card]}"))
                continue
            m.emit(ev.CardDrawn(country=f"@{MAJORS[major]}", card=f"@{ATLAS.card_ids[card]}", seen_by=(MAJORS[major],)))
            deal_with(m, major, card)
            break


def deal_with(m: M, major: int, card: int) -> None:
    """[bg-card-japanese-navy] [bg-7.4-enemy-card]"""
    state = m.state
    if ATLAS.card_ids[card] == "japanese_navy":
        if major == JAPAN or state.side[major] != state.side[JAPAN]:
            state.table = having(state.table, card, JAPAN)
            m.emit(ev.CardPlayed(country="@japan", card="@japanese_navy", on=""))
        else:
            under_deck(state, card)
        return
    state.drawn = put(state.drawn, major, card)
    mine = major in buyers(state, card)
    if not mine and not may_be_offered(state, major):
        state.drawn = put(state.drawn, major, -1)
        under_deck(state, card)
        m.emit(ev.CardReturned(country=f"@{MAJORS[major]}"))


def may_be_offered(state: BKState, major: int) -> list[int]:
    """Return the associates that could take the drawn card, neutral ones included. [bg-7.4-offer-neutral]
    [bg-7.4-associate-choice]"""
    card = state.drawn[major]
    return [
        n for n in range(8)
        if n != major and state.side[n] == state.side[major] and plays(state, n) and n in buyers(state, card)
        and state.offered[n] < 0 and not state.bought >> n & 1
    ]  # fmt: skip


def why_not_buy(state: BKState, major: int, card: int) -> Refusal | None:
    """Refuse a card that a major may not buy. [bg-7.4-restricted] [bg-7.4-pay] [bg-7.4-one-per-turn]"""
    ident = f"@{ATLAS.card_ids[card]}"
    if major not in buyers(state, card):
        return Refusal("bg-7.4-restricted", "card-not-for-you", card=ident)
    if state.bought >> major & 1:
        return Refusal("bg-7.4-one-per-turn", "one-card")
    if ATLAS.card_cost[card] > state.points[major]:
        return Refusal("bg-7.4-pay", "too-expensive", cost=ATLAS.card_cost[card], points=state.points[major])
    return None
