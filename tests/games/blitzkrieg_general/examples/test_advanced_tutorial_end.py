"""The advanced tutorial: the coup in Iraq, cards, research and Soviet production at the turn end."""

from __future__ import annotations

import pytest

from sandtable.core import Pass
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.rules.cards.card_phase import CardPhase
from sandtable.games.blitzkrieg_general.rules.production_phase import Production
from sandtable.games.blitzkrieg_general.rules.research_phase import Research
from tests.games.blitzkrieg_general.positions import A, Board

N = A.nation_of


def card(ident: str) -> int:
    return A.card_of[ident]


@pytest.mark.rule("bg-ex-adv-iraq", "bg-card-coup-iraq", "bg-card-general-coup")
def test_the_coup_in_iraq() -> None:
    b = Board("1941-advanced", full=True)
    before, usa = b.flag("germany"), b.state.us_level
    b.phase("land", dice=[4, 5])
    b.do("germany", act.PlayCard("coup_iraq", ""))
    assert b.kinds("iraq") == ["iraq-inf-3"]
    assert b.flag("germany") == before + 1
    assert b.state.us_level == usa  # a coup is no attack
    assert card("coup_iraq") in b.state.out


@pytest.mark.rule("bg-ex-adv-cards", "bg-7.4-options", "bg-7.4-associate-choice", "bg-7.4-enemy-card")
def test_cards_drawn_offered_and_bought() -> None:
    b = Board("1941-advanced", full=True)
    b.state.points = (10,) * 8
    # Germany, Italy, Japan; then BE, USA, USSR and China
    order = [
        card(c)
        for c in ("coup_siam", "lend_lease_usa", "militia", "national_war_ussr", "morsecode", "para_troops", "spies")
    ]
    b.state.deck = (*order, *(c for c in b.state.deck if c not in order))
    b.state.initiative = 0
    b.start(None)
    b.start(CardPhase.begin(b.m))
    assert b.state.deck[-1] == card("lend_lease_usa")  # Italy cannot keep it
    b.do("germany", act.OfferCard("japan")).do("japan", act.OfferCard("germany"))
    b.do("germany", act.Buy("militia")).do("japan", act.Buy("coup_siam"))
    assert b.state.points[0] == b.state.points[2] == 9
    b.do("be", act.OfferCard("ussr")).do("usa", act.Buy("morsecode"))
    assert b.state.points[N["usa"]] == 4
    b.do("ussr", act.Buy("national_war_ussr"))
    assert b.state.deck[-1] == card("para_troops")  # the other one goes under the deck
    b.do("china", act.ReturnCard())
    assert b.state.deck[-1] == card("spies")


@pytest.mark.rule("bg-ex-adv-research", "bg-7.5-announce", "bg-7.5-roll", "bg-card-sabotage")
def test_research_and_sabotage() -> None:
    b = Board("1941-advanced", full=True)
    b.state.points = (10, 0, 10, 10, 10, 10, 0, 0)
    b.start(Research(), [4])
    for role in ("germany", "japan", "be", "usa", "ussr"):
        b.do(role, act.BuyNumber())
    assert [b.state.numbers[N[r]] for r in ("japan", "usa", "germany", "be", "ussr", "italy")] == [2, 2, 4, 5, 2, 1]
    b.do("be", act.Announce())
    b.do("italy", act.PlayCard("sabotage_on_research", ""))
    while type(b.step).__name__ == "Window":
        b.answer(Pass())
    assert b.state.numbers[N["be"]] == 0
    b.do("germany", act.Announce())
    while type(b.step).__name__ == "Window":
        b.answer(Pass())
    b.do("germany", act.Achieve("better_subs"))
    assert b.state.advances[0] >> A.achievements.index("better_subs") & 1
    assert b.state.numbers[0] == 0


@pytest.mark.rule("bg-ex-adv-prod-ussr", "bg-card-national-war-ussr", "bg-7.4-earliest")
def test_soviet_production_with_national_war() -> None:
    """The text plays the card in the turn of its purchase, against the rule: here it was bought before."""
    b = Board("1941-advanced", full=True).war("germany-ussr")
    b.state.points = put(b.state.points, N["ussr"], 33 - 2)
    b.state.hands = put(b.state.hands, N["ussr"], (*b.state.hands[N["ussr"]], card("national_war_ussr")))
    b.state.deck = tuple(c for c in b.state.deck if c != card("national_war_ussr"))
    b.state.fresh = {**b.state.fresh, card("national_war_ussr"): b.state.turn}
    b.start(Production())
    assert b.rule("ussr", act.PlayCard("national_war_ussr", "")) == "bg-7.4-earliest"
    b.state.fresh = {}
    b.start(Production())
    b.do("ussr", act.PlayCard("national_war_ussr", ""))
    units = [
        b.find("ussr-air-1-orange", "n_siberia"),
        b.find("ussr-inf-2-orange!", "usbekistan"),
        b.find("ussr-arm-3-orange", "irkutsk"),
    ]
    b.do("ussr", *(act.Disband(u) for u in units), act.Done())
    assert b.state.points[N["ussr"]] == 31 + 2 + 1 + 6
    for kind in ("ussr-inf-4-redg", "ussr-inf-4-redg", "ussr-inf-3-red", "ussr-arm-5-red", "ussr-air-2-red"):
        b.do("ussr", act.Build(kind))
    assert b.state.points[N["ussr"]] == 40 - 4 - 4 - 3 - 10 - 4
