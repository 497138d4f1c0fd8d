"""7.4 Secrecy: what a view shows of hands, drawn and offered cards and the deck, and how it is dealt again."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.rules import secrecy
from tests.games.blitzkrieg_general.positions_advanced import A, Position, nation


def cards(first: int) -> Position:
    """Germany holds, has drawn and was offered cards, BE too; `first` lies before Germany."""
    p = Position("1941-advanced")
    s = p.state
    loose = [c for c in range(len(A.cards)) if c not in s.table and c not in s.out and c != first]
    germany, be = nation("germany"), nation("be")
    s.hands = put(put(((),) * 8, germany, (loose.pop(), loose.pop())), be, (loose.pop(),))
    s.drawn = put(put((-1,) * 8, germany, first), be, loose.pop())
    s.offered = put((-1,) * 8, germany, loose.pop())
    s.fresh = {s.hands[germany][0]: 3, s.hands[be][0]: 4}
    s.deck = tuple(loose)
    return p


@pytest.mark.rule("bg-7.4-secret")
def test_others_see_that_there_are_cards_and_not_which() -> None:
    p = cards(0)
    germany, be = nation("germany"), nation("be")
    for role, mine, other in (("germany", germany, be), ("be", be, germany), (None, -1, germany)):
        s = p.match.game.codec.clone(p.state)
        secrecy.redact(s, role)
        assert set(s.deck) == {-1}
        assert len(s.deck) == len(p.state.deck)
        assert s.hands[other] == (-1,) * len(p.state.hands[other])
        assert s.drawn[other] == secrecy.HIDDEN
        assert s.offered[germany] == (p.state.offered[germany] if mine == germany else secrecy.HIDDEN)
        assert s.drawn[nation("usa")] == s.offered[nation("usa")] == -1  # nothing there, and that is known
        if mine >= 0:
            assert s.hands[mine] == p.state.hands[mine]
            assert s.drawn[mine] == p.state.drawn[mine]
        assert set(s.fresh) == (set(p.state.hands[mine]) & set(p.state.fresh) if mine >= 0 else set())


@pytest.mark.rule("bg-7.4-secret")
def test_a_view_is_dealt_again_with_every_card_once() -> None:
    p = cards(0)
    for seed in range(8):
        s = p.match.game.codec.clone(p.state)
        secrecy.redact(s, "be")
        secrecy.determinize(s, "be", Random(seed))
        slots = [c for c in (*s.drawn, *s.offered) if c != -1]
        dealt = [*s.deck, *(c for hand in s.hands for c in hand), *slots, *s.table, *s.out]
        assert sorted(dealt) == list(range(len(A.cards)))
        assert s.hands[nation("be")] == p.state.hands[nation("be")]
        assert s.drawn[nation("be")] == p.state.drawn[nation("be")]
        assert (len(slots), len(s.deck)) == (3, len(p.state.deck))
        other = p.match.game.codec.clone(p.state)
        secrecy.scramble(other, "be", Random(seed))
        assert (other.hands[nation("be")], other.drawn[nation("be")]) == (
            p.state.hands[nation("be")],
            p.state.drawn[nation("be")],
        )
        assert sorted((*other.deck, *other.hands[nation("germany")], other.drawn[0], other.offered[0])) == sorted(
            (*p.state.deck, *p.state.hands[nation("germany")], p.state.drawn[0], p.state.offered[0])
        )
