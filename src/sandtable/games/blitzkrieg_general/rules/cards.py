"""7.4 Cards: the deck, drawing, buying and offering; who may play what when; what becomes of a card afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Choices, Field, Offer, OneOf, Play, Refusal, Role, Step
from sandtable.core.offers import Late

from ..model import events as ev
from ..model.actions import Buy, OfferCard, PlayCard, ReturnCard
from ..model.atlas import BE, GERMANY, ITALY, JAPAN, MAJORS, USA, atlas
from ..model.state import AT_WAR, CONQUERED, NEUTRAL, BKPlay, BKState, changed, enemy_side, plays, without
from ..model.tables import CONCERNS
from .card_rules import CONTEXTS, WINDOWS, choices_on, coup_target, default_windows, why_not_now
from .lazy import Lazy

HIDDEN = -2


# ---- the deck -----------------------------------------------------------------------------------------------------
class Shuffle(Step, frozen=True, tag="bg.shuffle"):
    """The deck is shuffled once, at the start. [bg-4.1-deck] [bg-7.4-no-reshuffle]"""

    rule = "bg-4.1-deck"

    def run(self, m: Play[BKState]) -> None:
        left = list(m.state.deck)
        m.state.deck = tuple(m.draw(left, why="bg-4.1-deck") for _ in range(len(left)))
        m.pop()


def empty_slots(state: BKState, major: int) -> None:
    """A major has dealt with the card it drew and with the one offered to it."""
    state.drawn, state.offered = changed(state.drawn, major, -1), changed(state.offered, major, -1)


def drop_card(state: BKState, major: int, card: int) -> None:
    """A card leaves a hand."""
    state.hands = changed(state.hands, major, tuple(c for c in state.hands[major] if c != card))


def under_deck(state: BKState, card: int) -> None:
    state.deck = (*state.deck, card)
    state.fresh = without(state.fresh, card)


def buyers(state: BKState, card: int) -> frozenset[int]:
    """Who may buy a card. [bg-7.4-restricted] [bg-card-naval-surprise]"""
    found = atlas()
    if found.card_ids[card] == "naval_surprise" and state.naval_surprise_open:
        return found.card_users[card]
    return found.card_buyers[card]


def is_obsolete(state: BKState, card: int) -> bool:
    """What the card does can no longer happen, or has happened. [bg-7.4-obsolete] [bg-7.1-cards-obsolete]
    [bg-card-japanese-navy-end]"""
    found = atlas()
    ident = found.card_ids[card]
    target = coup_target(state, card)
    if target >= 0:
        return state.standing[target] != NEUTRAL
    about = concerns(state, card)
    if about >= 0 and state.standing[about] == CONQUERED:
        return True
    if ident == "embargo_usa_japan":
        return state.embargo or bool(state.war[USA] >> JAPAN & 1)
    if ident == "increase_us_production":
        return state.standing[USA] != NEUTRAL
    if ident == "axis_minor_activation":
        return all(state.standing[n] != NEUTRAL for n in (*found.axis_minors, ITALY))
    if ident == "japanese_navy":
        return state.soviet_attacked_japan or state.standing[JAPAN] == CONQUERED
    if ident == "japan_occupies_indochine":
        return state.control[found.space_of["indochine"]] == JAPAN
    return all(state.standing[n] == CONQUERED for n in buyers(state, card))


# ---- drawing and buying -------------------------------------------------------------------------------------------
class CardPhase(Step, frozen=True, tag="bg.cards"):
    """Each major draws one card and buys, offers or returns it; the initiative side first. [bg-7.4-draw]
    [bg-7.4-options]
    [bg-7.4-one-per-turn]"""

    rule = "bg-7.4-draw"
    side: int
    second: bool = False

    @staticmethod
    def begin(m: BKPlay) -> CardPhase:
        m.state.bought = 0
        draw_for(m, m.state.initiative)
        return CardPhase(m.state.initiative)

    def run(self, m: Play[BKState]) -> None:
        if m.asked():
            return
        if self.second:
            m.pop()
        else:
            other = enemy_side(self.side)
            draw_for(m, other)
            m.replace(CardPhase(other, True))

    def roles(self, m: Play[BKState]) -> Sequence[Role]:
        state = m.state
        return [MAJORS[n] for n in range(8) if state.drawn[n] >= 0 or state.offered[n] >= 0]

    def publicly_asked(self, m: Play[BKState]) -> Sequence[Role]:
        state = m.state
        return [MAJORS[n] for n in range(8) if state.drawn[n] != -1 or state.offered[n] != -1]

    def offers(self, m: Play[BKState], role: Role) -> Sequence[Offer]:
        state, found = m.state, atlas()
        major = MAJORS.index(role)
        held = [c for c in (state.drawn[major], state.offered[major]) if c >= 0]
        out: list[Offer] = []
        wanted = [found.card_ids[c] for c in held if why_not_buy(m, major, c) is None]

        def why(value: str) -> Refusal | None:
            card = found.card_of.get(value, -1)
            return why_not_buy(m, major, card) if card in held else None

        out.append(Offer(Buy, Field("card", "card", OneOf(wanted, why=why)), rule="bg-7.4-pay"))
        if state.drawn[major] >= 0:
            friends = [MAJORS[n] for n in may_be_offered(m, major)]
            if friends:
                out.append(Offer(OfferCard, Field("country", "role", OneOf(friends)), rule="bg-7.4-options"))
        forced = (
            major == BE and "lend_lease_be_ussr" in wanted and state.drawn[major] == found.card_of["lend_lease_be_ussr"]
        )
        if not forced:
            out.append(Choices([ReturnCard()], rule="bg-7.4-options"))
        return out

    def take(self, m: Play[BKState], role: Role, action: Any) -> None:
        state, found = m.state, atlas()
        major = MAJORS.index(role)
        country = f"@{role}"
        if isinstance(action, Buy):
            card = found.card_of[action.card]
            state.points = changed(state.points, major, state.points[major] - found.card_cost[card])
            state.hands = changed(state.hands, major, (*state.hands[major], card))
            state.fresh = {**state.fresh, card: state.turn}
            state.bought |= 1 << major
            for held in (state.drawn[major], state.offered[major]):
                if held >= 0 and held != card:
                    under_deck(state, held)
            empty_slots(state, major)
            m.emit(ev.CardBought(country=country))
        elif isinstance(action, OfferCard):
            to = MAJORS.index(action.country)
            state.offered = changed(state.offered, to, state.drawn[major])
            state.drawn = changed(state.drawn, major, -1)
            m.reveal("bg-7.4-options")
            m.emit(ev.CardOffered(country=country, to=f"@{action.country}"))
        else:
            for held in (state.drawn[major], state.offered[major]):
                if held >= 0:
                    under_deck(state, held)
            empty_slots(state, major)
            m.emit(ev.CardReturned(country=country))
        m.replace(CardPhase(self.side, self.second))


def draw_for(m: BKPlay, side: int) -> None:
    """Every major of a side takes the top card; obsolete ones are thrown away and replaced. [bg-7.4-draw]
    [bg-7.4-enemy-card]
    [bg-7.4-obsolete]"""
    state, found = m.state, atlas()
    for major in range(8):
        if state.side[major] != side or not plays(state, major):
            continue
        while state.deck:
            card, state.deck = state.deck[0], state.deck[1:]
            m.reveal("bg-7.4-draw")
            m.emit(ev.CardTaken(country=f"@{MAJORS[major]}"))
            if is_obsolete(state, card):
                state.out = (*state.out, card)
                m.emit(ev.CardDiscarded(card=f"@{found.card_ids[card]}"))
                continue
            m.emit(ev.CardDrawn(country=f"@{MAJORS[major]}", card=f"@{found.card_ids[card]}", seen_by=(MAJORS[major],)))
            deal_with(m, major, card)
            break


def deal_with(m: BKPlay, major: int, card: int) -> None:
    """[bg-card-japanese-navy] [bg-7.4-enemy-card]"""
    state, found = m.state, atlas()
    if found.card_ids[card] == "japanese_navy":
        if major == JAPAN or state.side[major] != state.side[JAPAN]:
            state.table = {**state.table, card: JAPAN}
            m.emit(ev.CardPlayed(country="@japan", card="@japanese_navy", on=""))
        else:
            under_deck(state, card)
        return
    state.drawn = changed(state.drawn, major, card)
    mine = major in buyers(state, card)
    if not mine and not may_be_offered(m, major):
        state.drawn = changed(state.drawn, major, -1)
        under_deck(state, card)
        m.emit(ev.CardReturned(country=f"@{MAJORS[major]}"))


def may_be_offered(m: BKPlay, major: int) -> list[int]:
    """Associates that could take the drawn card, neutral ones included. [bg-7.4-offer-neutral]
    [bg-7.4-associate-choice]"""
    state = m.state
    card = state.drawn[major]
    return [
        n for n in range(8)
        if n != major and state.side[n] == state.side[major] and plays(state, n) and n in buyers(state, card)
        and state.offered[n] < 0 and not state.bought >> n & 1
    ]  # fmt: skip


def why_not_buy(m: BKPlay, major: int, card: int) -> Refusal | None:
    """[bg-7.4-restricted] [bg-7.4-pay] [bg-7.4-one-per-turn]"""
    state, found = m.state, atlas()
    ident = f"@{found.card_ids[card]}"
    if major not in buyers(state, card):
        return Refusal("bg-7.4-restricted", "card-not-for-you", card=ident)
    if state.bought >> major & 1:
        return Refusal("bg-7.4-one-per-turn", "one-card")
    if found.card_cost[card] > state.points[major]:
        return Refusal("bg-7.4-pay", "too-expensive", cost=found.card_cost[card], points=state.points[major])
    return None


# ---- playing ------------------------------------------------------------------------------------------------------
def playable(m: BKPlay, major: int, context: str) -> list[int]:
    """Cards a major may play at this moment. [bg-7.4-earliest] [bg-7.4-unlimited] [bg-card-general-prereq]"""
    state = m.state
    hand = state.hands[major]
    if not hand and not state.table:
        return []
    cards = list(hand)
    if context == "battle":
        kamikaze = atlas().card_of["kamikaze"]
        if state.table.get(kamikaze, -1) == major:
            cards.append(kamikaze)
    return [c for c in cards if why_not_play(m, major, c, context) is None]


def why_not_play(m: BKPlay, major: int, card: int, context: str) -> Refusal | None:
    """[bg-7.4-earliest] [bg-card-general-play-time] [bg-card-general-prereq]"""
    state, found = m.state, atlas()
    ident = found.card_ids[card]
    if card not in state.hands[major] and not (ident == "kamikaze" and state.table.get(card, -1) == major):
        return Refusal("bg-7.4-secret", "card-not-held", card=f"@{ident}")
    if state.fresh.get(card, -1) == state.turn:
        return Refusal("bg-7.4-earliest", "card-too-fresh", card=f"@{ident}")
    kind = "coup" if found.coup_target[card] >= 0 else ident
    if context not in CONTEXTS[kind] and not (kind == "coup" and context == "surrender"):
        return Refusal("bg-7.4-secret", "wrong-moment", card=f"@{ident}")
    return why_not_now(m, major, card, context)


def play_offers(m: BKPlay, major: int, context: str) -> list[Offer]:
    """In a phase the verb is there for whoever holds cards, to be told why not; at a window only with something to
    play."""
    state = m.state
    if not state.hands[major] and (context != "battle" or not state.table):
        return []  # of the cards on the table only one is played again, in battle
    if (not state.hands[major] or context in WINDOWS or context == "us-entry") and not playable(m, major, context):
        return []
    return [Late(PlayCard, _card_fields, m, major, context, rule="bg-7.4-secret")]


def _card_fields(m: BKPlay, major: int, context: str) -> tuple[Field, ...]:
    state, found = m.state, atlas()

    def cards() -> list[str]:
        return [found.card_ids[c] for c in playable(m, major, context)]

    def why(value: str) -> Refusal | None:
        card = found.card_of.get(value, -1)
        return why_not_play(m, major, card, context) if card in state.hands[major] else None

    return (
        Field("card", "card", Lazy(cards, why=why)),
        Field("on", "choice", lambda c: OneOf(choices_on(m, major, found.card_of[c], context))),
    )


def play(m: BKPlay, major: int, action: PlayCard) -> None:
    """The card takes effect and then goes where it says. [bg-7.4-discard] [bg-7.4-return] [bg-7.4-permanent]"""
    from .card_effects import carry_out

    state, found = m.state, atlas()
    card = found.card_of[action.card]
    on = f"@{action.on}" if action.on else ""
    m.emit(ev.CardPlayed(country=f"@{MAJORS[major]}", card=f"@{action.card}", on=on))
    m.reveal("bg-7.4-secret")
    if card in state.hands[major]:
        drop_card(state, major, card)
    state.fresh = without(state.fresh, card)
    put_away(m, major, card)
    carry_out(m, major, card, action.on)
    if action.card == "coup_ireland" and m.option("coup-in-iran"):
        # from now on it is the coup in Iran
        state.effects_kept = {**state.effects_kept, "iran": 1}
    m.cache.clear()


def put_away(m: BKPlay, major: int, card: int) -> None:
    state, found = m.state, atlas()
    ident = found.card_ids[card]
    if ident == "force_peace" or found.permanent[card]:
        state.table = {**state.table, card: major}
    elif found.returns[card] or (
        ident == "coup_ireland" and m.option("coup-in-iran") and not state.effects_kept.get("iran")
    ):
        state.deck = (*state.deck, card)
    else:
        state.out = (*state.out, card)


def play_what_must_be(m: BKPlay) -> None:
    """The British Empire must play Lend Lease as soon as it may. [bg-card-lend-lease-be]"""
    number = atlas().card_of["lend_lease_be_ussr"]
    if number in m.state.hands[BE] and why_not_play(m, BE, number, "us-entry") is None:
        play(m, BE, PlayCard("lend_lease_be_ussr", ""))


def throw_away_dead_cards(m: BKPlay, nation: int) -> None:
    """Cards in other hands that concern only a conquered country and their owner leave the game.
    [bg-7.1-cards-obsolete]"""
    state, found = m.state, atlas()
    for major, hand in enumerate(state.hands):
        for card in [c for c in hand if c >= 0 and concerns(state, c) == nation]:
            drop_card(state, major, card)
            state.fresh = without(state.fresh, card)
            state.out = (*state.out, card)
            m.emit(ev.CardDiscarded(card=f"@{found.card_ids[card]}"))


def concerns(state: BKState, card: int) -> int:
    """The one country besides its owner that a card is about; -1 when there is none."""
    target = coup_target(state, card)
    if target >= 0:
        return target
    name = CONCERNS.get(atlas().card_ids[card])
    return MAJORS.index(name) if name else -1


def lose_hand(m: BKPlay, nation: int) -> None:
    """A conquered major's cards leave the game; those that return go under the deck. [bg-7.1-cards-removed]"""
    state, found = m.state, atlas()
    held = [*state.hands[nation], *(c for c in (state.drawn[nation], state.offered[nation]) if c >= 0)]
    state.hands = changed(state.hands, nation, ())
    empty_slots(state, nation)
    for card in held:
        if found.returns[card] and not found.permanent[card]:
            under_deck(state, card)
        else:
            state.out = (*state.out, card)
            state.fresh = without(state.fresh, card)
    for card, owner in list(state.table.items()):
        if owner == nation and found.card_ids[card] not in ("french_vichy_surrender", "force_peace"):
            state.table = without(state.table, card)
            state.out = (*state.out, card)


STEPS: tuple[type[Step], ...]


def _steps() -> tuple[type[Step], ...]:
    from .card_effects import Disbanding, Elite, ParaDrop, PartisansRise, Spying

    return (Shuffle, CardPhase, Disbanding, Elite, ParaDrop, PartisansRise, Spying)


STEPS = _steps()
__all__ = ["AT_WAR", "GERMANY", "STEPS", "WINDOWS", "default_windows"]
