"""What an entry for a card says, and the list of all entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from sandtable.core.columns import having, put

from ...model.atlas import GERMANY, USSR
from ...model.state import AT_WAR, BKState, M, at_war
from ...model.tables import LIMITS

MOVES: Final = ("naval", "land", "exploit")
ANY: Final = (*MOVES, "us-entry", "production")
FIGHT: Final = ("reaction", "battle")

Condition = Callable[[BKState, int, str], bool]
"""State, the major that plays the card, the moment."""
Choices = Callable[[BKState, int, str], Sequence[str]]
Effect = Callable[[M, int, str], None]
"""The match, the major, what the card is played on."""


class Entry(NamedTuple):
    """One card: the moments in which it may be played, what must hold, what it is played on, what it does."""

    moments: tuple[str, ...]
    when: Condition
    on: Choices
    """What it may be played on; one empty word where there is nothing to choose."""
    dead: Callable[[BKState], bool] | None
    """Whether what it does can no longer happen, or has happened; None: while anybody is left to buy it, it can."""
    effect: Effect


ENTRIES: Final[dict[str, Entry]] = {}
"""By the card's id."""


def always(state: BKState, major: int, moment: str) -> bool:
    return True


def own_phase(state: BKState, major: int, moment: str) -> bool:
    return state.side[major] == state.phasing


def _nothing(state: BKState, major: int, moment: str) -> Sequence[str]:
    return ("",)


def card(
    ident: str,
    *moments: str,
    when: Condition = always,
    on: Choices = _nothing,
    dead: Callable[[BKState], bool] | None = None,
) -> Callable[[Effect], Effect]:
    """Enter a card whose effect is the function below."""

    def enter(effect: Effect) -> Effect:
        ENTRIES[ident] = Entry(moments, when, on, dead, effect)
        return effect

    return enter


def lies_on_the_table(
    ident: str, *moments: str, when: Condition = always, dead: Callable[[BKState], bool] | None = None
) -> None:
    """Enter a card that has its effect elsewhere in the rules, while it lies on the table."""
    card(ident, *moments, when=when, dead=dead)(lambda m, major, on: None)


def lasts_this_turn(ident: str, effect: str, *moments: str, when: Condition = always) -> None:
    """Enter a card with an effect for its player until the turn is over."""

    def begin(m: M, major: int, on: str) -> None:
        m.state.effects = having(m.state.effects, effect, major)

    card(ident, *moments, when=when)(begin)


def raises_production(ident: str, limit: str, *moments: str, when: Condition) -> None:
    """Enter a card that adds to its player's production for good."""

    def add(m: M, major: int, on: str) -> None:
        m.state.bonus = put(m.state.bonus, major, m.state.bonus[major] + LIMITS[limit])

    card(ident, *moments, when=when)(add)


# ---- questions of several cards -----------------------------------------------------------------------------------
def germany_fights_ussr(state: BKState, major: int, moment: str) -> bool:
    return at_war(state, GERMANY, USSR)


def has_fought_for(state: BKState, major: int, quarters: int) -> bool:
    since = state.war_since[major]
    return state.standing[major] == AT_WAR and since >= 0 and state.turn - since >= quarters


def french_fell(state: BKState, major: int, moment: str) -> bool:
    return state.french_fell
