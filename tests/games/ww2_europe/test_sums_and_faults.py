"""Money is never created, offers can be counted, and a broken position is noticed."""

from __future__ import annotations

from random import Random

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.events import Bombed, Bought, Collected, Noted, Surrendered
from sandtable.games.ww2_europe.model.state import W2State

K = A.kinds


def test_offers_can_be_counted_without_listing_them():
    match = Match.new(GAME, "fall-1939", seed=2, history=False)
    counted = 0
    while counted < 3:
        role = match.decisions()[0]
        offers = match.offers(role)
        if match.step.__struct_config__.tag == "movement":
            verbs = {offer.verb: offer for offer in offers.offers}
            if "sail" in verbs:
                assert len(verbs["sail"]) > 0
                counted += 1
        done = next((a for offer in offers.offers if offer.verb == "done" for a in offer), None)
        match.apply(role, done or next(iter(offers)))


def test_money_is_never_created_but_by_collecting_it():
    match = Match.new(GAME, "fall-1939", {"technology": True}, seed=9, history=False)
    rng = Random(9)
    collected = 0
    for _ in range(500):
        before = sum(match.state.money)
        role = match.decisions()[0]
        events = match.apply(role, match.offers(role).sample(rng))
        income = sum(event.dollars for event in events if isinstance(event, Collected))
        collected += income
        assert sum(match.state.money) <= before + income
        if not any(isinstance(event, (Bought, Bombed, Noted, Surrendered, Collected)) for event in events):
            assert sum(match.state.money) == before
    assert collected


def test_faults_are_noticed():
    state = Match.new(GAME, "fall-1939", seed=1).state
    assert not GAME.faults(state)
    for spoil in SPOILERS:
        broken = GAME.codec.clone(state)
        spoil(broken)
        assert GAME.faults(broken), spoil.__name__


def _ship_at_sea(state: W2State) -> None:
    unit = next(u for u, s in enumerate(state.space) if s == A.index["hamburg_port"])
    state.space = put(state.space, unit, A.index["north_sea"])


def _lost_cargo(state: W2State) -> None:
    unit = next(u for u, ship in enumerate(state.cargo_of) if ship >= 0)
    state.space = put(state.space, unit, A.index["london"])


def _poor(state: W2State) -> None:
    state.money = put(state.money, 0, -1)


def _nobody(state: W2State) -> None:
    state.owner = put(state.owner, A.index["berlin"], -1)


def _no_initiative(state: W2State) -> None:
    state.initiative = put(state.initiative, 0, -1)


def _no_front(state: W2State) -> None:
    state.initiative = state.initiative[:-1]


def _overloaded(state: W2State) -> None:
    """A second load for whatever carries one, until it is too much."""
    plane = next(u for u, ship in enumerate(state.cargo_of) if ship >= 0)
    for unit, kind in enumerate(state.kind):
        if kind == state.kind[plane] and state.power[unit] == state.power[plane] and state.cargo_of[unit] < 0:
            state.cargo_of = put(state.cargo_of, unit, state.cargo_of[plane])
            state.space = put(state.space, unit, state.space[plane])


def _stranger_aboard(state: W2State) -> None:
    plane = next(u for u, ship in enumerate(state.cargo_of) if ship >= 0)
    state.power = put(state.power, plane, A.ussr)


def _order_of_nobody(state: W2State) -> None:
    state.task = put(state.task, next(u for u, s in enumerate(state.space) if s == A.index["hamburg_port"]), 3)


def _out_of_its_convoy(state: W2State) -> None:
    ship = next(u for u, number in enumerate(state.convoy) if number >= 0)
    state.space = put(state.space, ship, state.convoys[0].route[0])


def _crowded_base(state: W2State) -> None:
    """All German planes on one field, when the limits have been enforced."""
    state.turn = 1
    for unit, kind in enumerate(state.kind):
        if kind == K.fighter and state.power[unit] == A.germany and state.cargo_of[unit] < 0:
            state.space = put(state.space, unit, A.index["krakow"])
    state.owner = put(state.owner, A.index["krakow"], A.germany)


def _crowded_land(state: W2State) -> None:
    for unit, kind in enumerate(state.kind):
        if kind == K.infantry and state.power[unit] == A.germany:
            state.space = put(state.space, unit, A.index["krakow"])


SPOILERS = (_ship_at_sea, _lost_cargo, _poor, _nobody, _no_initiative, _no_front, _overloaded, _stranger_aboard,
            _order_of_nobody, _out_of_its_convoy, _crowded_base, _crowded_land)  # fmt: skip
