"""7.4 what each role may know of the cards, and 9.12 of the counters: taking it out of a view, dealing it again."""

from __future__ import annotations

from random import Random

from sandtable.core import Role

from ..model.atlas import ATLAS, MAJORS
from ..model.state import BKState
from .cards.deck import buyers
from .fog import hide_stacks, show_stacks

HIDDEN = -2
"""A card that lies before a major, unknown to the viewer."""


def redact(state: BKState, role: Role | None) -> None:
    """Hide the hands of others and the deck. [bg-7.4-secret]"""
    me = MAJORS.index(role) if role is not None else -1
    if state.advanced:
        state.deck = (-1,) * len(state.deck)
        state.hands = tuple(hand if n == me else (-1,) * len(hand) for n, hand in enumerate(state.hands))
        state.drawn = tuple(HIDDEN if n != me and card >= 0 else card for n, card in enumerate(state.drawn))
        state.offered = tuple(HIDDEN if n != me and card >= 0 else card for n, card in enumerate(state.offered))
        mine = set(state.hands[me]) if me >= 0 else set()
        state.fresh = {card: turn for card, turn in state.fresh.items() if card in mine}
    hide_stacks(state, me)


def determinize(state: BKState, role: Role | None, rng: Random) -> None:
    """Deal the unseen cards at random to hands that may hold them and to the deck."""
    show_stacks(state, MAJORS.index(role) if role is not None else -1, rng)
    if not state.advanced:
        return
    known = {c for hand in state.hands for c in hand if c >= 0} | set(state.table) | set(state.out)
    known |= {c for c in (*state.drawn, *state.offered) if c >= 0}
    unseen = [c for c in range(len(ATLAS.cards)) if c not in known]
    rng.shuffle(unseen)
    hands: list[tuple[int, ...]] = []
    drawn: list[int] = []
    offered: list[int] = []
    for major in range(8):
        hands.append(tuple(_deal(state, unseen, major) if card < 0 else card for card in state.hands[major]))
        for slots, dealt in ((state.drawn, drawn), (state.offered, offered)):
            dealt.append(_deal(state, unseen, major) if slots[major] == HIDDEN else slots[major])
    state.hands, state.drawn, state.offered = tuple(hands), tuple(drawn), tuple(offered)
    state.deck = tuple(unseen[: len(state.deck)])


def scramble(state: BKState, role: Role, rng: Random) -> None:
    """Change whatever a role may not know: the cards in other hands and in the deck, and counters in the fog."""
    me = MAJORS.index(role)
    show_stacks(state, me, rng, hurt=True)
    if not state.advanced:
        return
    others = [n for n in range(8) if n != me]
    unknown = [*state.deck, *(c for n in others for c in (*state.hands[n], state.drawn[n], state.offered[n]) if c >= 0)]
    rng.shuffle(unknown)
    state.deck = tuple(unknown.pop() for _ in state.deck)
    hands, drawn, offered = list(state.hands), list(state.drawn), list(state.offered)
    for major in others:
        hands[major] = tuple(unknown.pop() for _ in hands[major])
        for slots in (drawn, offered):
            if slots[major] >= 0:
                slots[major] = unknown.pop()
    state.hands, state.drawn, state.offered = tuple(hands), tuple(drawn), tuple(offered)


def _deal(state: BKState, unseen: list[int], major: int) -> int:
    for place, card in enumerate(unseen):
        if major in buyers(state, card):
            return unseen.pop(place)
    return unseen.pop()
