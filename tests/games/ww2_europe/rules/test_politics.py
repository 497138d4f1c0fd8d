"""Neutrality, the pact, surrender, initiative, the calendar, victory."""

from __future__ import annotations

import pytest

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.actions import Declare, Done, Fly, March
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.calendar import turn_name, turn_track
from sandtable.games.ww2_europe.model.state import BOX, SURPRISED
from sandtable.games.ww2_europe.rules.combat import battle_counts
from sandtable.games.ww2_europe.rules.initiative import held_alone, player_a
from sandtable.games.ww2_europe.rules.initiative_phase import Initiative
from sandtable.games.ww2_europe.rules.land import may_not_enter
from sandtable.games.ww2_europe.rules.movement_phase import Movement
from sandtable.games.ww2_europe.rules.pact import check_pact
from sandtable.games.ww2_europe.rules.politics import (
    attack_major,
    attack_minor,
    dated_entries,
    dated_surprise,
    declare_refusal,
    reinforce_surprise,
)
from sandtable.games.ww2_europe.rules.politics_phase import Declarations
from sandtable.games.ww2_europe.rules.surrender import fallen, surrender
from sandtable.games.ww2_europe.rules.surrender_phase import Surrenders
from sandtable.games.ww2_europe.rules.victory import check_victory, flags_held
from sandtable.games.ww2_europe.sequence import PacificTransfer
from tests.games.ww2_europe.positions import Board, refusal_of, space

K = A.kinds


# ---- neutrals --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-attack-neutral-announce", "w2e-neutral-announce", "w2e-neutrality")
def test_an_attack_on_a_neutral_is_announced_before_movement():
    board = Board()
    unit = board.put("germany", "infantry", "frankfurt")
    assert refusal_of(may_not_enter(board.state, A.germany, space("liege"))) == "w2e-neutral-no-entry"
    board.run(Declarations(0))
    assert board.why("germany", Declare("poland")) == "no-neutral"
    board.do("germany", Declare("belgium"))
    board.do("germany", Done())
    assert may_not_enter(board.state, A.germany, space("liege")) is None
    board.move(0)
    assert board.why("germany", March(board.name(unit), ("liege",))) == ""
    assert board.rule("germany", Declare("sweden")) == "w2e-movement-order"


@pytest.mark.rule("w2e-neutral-minor", "w2e-minor-ally", "w2e-minor-ally-surprise", "w2e-surprise-who")
def test_an_attacked_minor_joins_the_other_side_with_its_army_surprised():
    board = Board()
    attack_minor(board.m, A.minor_index["belgium"], 0)
    assert board.owned("brussels") == board.owned("liege") == "great_britain"
    army = [u for u, s in enumerate(board.state.space) if s in (space("brussels"), space("liege"))]
    assert len(army) == 3
    assert all(board.state.power[u] == A.britain and board.state.flags[u] & SURPRISED for u in army)
    helper = board.put("france", "infantry", "liege")
    reinforce_surprise(board.m, helper, space("liege"))
    assert board.state.flags[helper] & SURPRISED
    attacker = board.put("germany", "infantry", "liege")
    reinforce_surprise(board.m, attacker, space("liege"))
    assert not board.state.flags[attacker] & SURPRISED
    other = Board()
    attack_minor(other.m, A.minor_index["norway"], 1)
    assert other.owned("oslo") == "germany"


@pytest.mark.rule("w2e-surprise-who")
def test_helpers_in_an_attacked_neutral_major_are_surprised():
    board = Board()
    guest, tank = board.put("germany", "infantry", "rome"), board.put("germany", "tank", "vienna")
    plane, home = board.put("germany", "fighter", "munich"), board.put("germany", "infantry", "munich")
    attack_major(board.m, A.italy)
    assert board.state.flags[guest] & SURPRISED  # within its borders when it is attacked
    assert not board.state.flags[tank] & SURPRISED
    board.move(0)
    board.do("germany", March(board.name(tank), ("trieste",)), Fly(board.name(plane), ("milan",)))
    assert board.state.flags[tank] & board.state.flags[plane] & SURPRISED  # those who come to help
    assert not board.state.flags[home] & SURPRISED


@pytest.mark.rule("w2e-neutral-dates", "w2e-march-bolshevism")
def test_the_calendar_brings_powers_and_minors_into_the_war():
    board = Board()
    board.turn("winter 1939")
    dated_entries(board.m)
    assert board.state.status[A.italy] == 0
    board.turn("spring 1940")
    dated_entries(board.m)
    assert board.state.status[A.italy] == 1
    assert board.state.status[A.ussr] == board.state.status[A.usa] == 0
    board.turn("spring 1941")
    dated_entries(board.m)
    for name, place in (
        ("hungary", "budapest"),
        ("romania", "bucharest"),
        ("bulgaria", "sofia"),
        ("finland", "helsinki"),
    ):
        assert board.state.patron[A.minor_index[name]] == A.germany
        assert board.owned(place) == "germany"
    board.turn("spring 1942")
    dated_entries(board.m)
    assert board.state.status[A.ussr] == board.state.status[A.usa] == 1


@pytest.mark.rule("w2e-poland-surprised", "w2e-surprise-fall-1939", "w2e-greece-surprised")
def test_dated_surprise():
    match = Match.new(GAME, "fall-1939", seed=1)
    state = match.state
    for unit, place in enumerate(state.space):
        if place >= 0 and state.power[unit] in (A.britain, A.france):
            assert state.flags[unit] & SURPRISED
        if place >= 0 and state.power[unit] == A.germany:
            assert not state.flags[unit] & SURPRISED
    later = Match.new(GAME, "spring-1941", seed=1).state
    caught = {A.names[s] for u, s in enumerate(later.space) if s >= 0 and later.flags[u] & SURPRISED and A.is_land[s]}
    assert caught == {"athens", "salonika", "crete"}
    board = Board()
    board.turn("winter 1939")
    unit = board.put("france", "infantry", "paris")
    dated_surprise(board.m)
    assert not board.state.flags[unit] & SURPRISED


@pytest.mark.rule("w2e-neutrality", "w2e-initiative-excluded")
def test_an_attacked_major_is_in_the_war_surprised_and_battles_do_not_count():
    board = Board()
    board.turn("spring 1941")
    unit = board.put("ussr", "infantry", "minsk")
    assert declare_refusal(board.m, A.germany, "ussr") is None
    attack_major(board.m, A.ussr)
    assert board.state.status[A.ussr] == 1
    assert board.state.flags[unit] & SURPRISED
    assert not battle_counts(board.m, space("minsk"), [unit])
    assert not board.state.pact
    attack_minor(board.m, A.minor_index["sweden"], 0)
    assert not battle_counts(board.m, space("stockholm"), [])
    assert battle_counts(board.m, space("paris"), [])


# ---- the pact --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-pact-partition")
def test_the_pact_keeps_germany_from_the_soviet_share_and_from_war():
    board = Board()
    for name in ("lvov", "vilna", "latvia", "bessarabia", "vyborg"):
        assert refusal_of(may_not_enter(board.state, A.germany, space(name))) == "w2e-pact-partition"
    assert may_not_enter(board.state, A.germany, space("warsaw")) is None
    assert refusal_of(declare_refusal(board.m, A.germany, "ussr")) == "w2e-pact-partition"
    board.turn("spring 1941")
    assert declare_refusal(board.m, A.germany, "ussr") is None
    assert {A.names[s] for s in A.pact_german} == {"warsaw", "danzig", "krakow"}
    assert len(A.pact_soviet) == 8


@pytest.mark.rule("w2e-pact-moves", "w2e-pact-partition")
def test_the_neutral_ussr_moves_only_into_its_share_without_a_battle():
    board = Board()
    unit = board.put("ussr", "infantry", "minsk")
    pole = board.put("great_britain", "infantry", "brest_litovsk")
    board.move(1)
    assert "ussr" in board.match.decisions()
    assert board.rule("ussr", March(board.name(unit), ("smolensk",))) == "w2e-pact-moves"
    board.do("ussr", March(board.name(unit), ("brest_litovsk",)))
    assert board.owned("brest_litovsk") == "ussr"
    assert not board.alive(pole)
    assert isinstance(board.match.step, Movement)


def fulfil(board: Board) -> None:
    board.owner("germany", *(A.names[s] for s in A.pact_german))
    board.owner("ussr", *(A.names[s] for s in A.pact_soviet))
    board.put("germany", "infantry", "warsaw", 10)
    board.put("ussr", "infantry", "lvov", 10)


@pytest.mark.rule("w2e-pact-german")
def test_a_german_breach_lets_the_ussr_declare_war():
    board = Board()
    fulfil(board)
    check_pact(board.m)
    assert board.state.breach == 0
    assert refusal_of(declare_refusal(board.m, A.ussr, "germany")) == "w2e-pact-german"
    thin = Board()
    fulfil(thin)
    gone = next(u for u, s in enumerate(thin.state.space) if s == space("warsaw"))
    thin.state.space = put(thin.state.space, gone, -1)
    check_pact(thin.m)
    assert thin.state.breach == 1
    thin.run(Declarations(1))
    assert "ussr" in thin.match.decisions()
    thin.do("ussr", Declare("germany"))
    assert thin.state.status[A.ussr] == 1


@pytest.mark.rule("w2e-pact-soviet")
def test_a_soviet_breach_gives_poland_and_the_rest_to_germany():
    board = Board()
    fulfil(board)
    board.owner("neutral", "latvia")
    check_pact(board.m)
    assert board.owned("latvia") == "germany"
    assert board.owned("lvov") == "ussr"
    thin = Board()
    fulfil(thin)
    units = [u for u, s in enumerate(thin.state.space) if s == space("lvov")]
    thin.state.space = put(thin.state.space, units[0], -1)
    check_pact(thin.m)
    assert thin.owned("lvov") == thin.owned("vilna") == "germany"
    assert not any(thin.alive(u) for u in units)
    assert thin.owned("estonia") == "ussr"


# ---- surrender -------------------------------------------------------------------------------------------------------
def defeat_france(board: Board) -> None:
    board.owner("germany", "paris")
    board.put("germany", "infantry", "paris")


@pytest.mark.rule("w2e-surrender", "w2e-surrender-units", "w2e-surrender-ally-spaces", "w2e-surrender-conqueror",
                  "w2e-surrender-initiative")  # fmt: skip
def test_a_power_without_its_capital_surrenders():
    board = Board()
    board.initiative(1)
    unit = board.put("france", "infantry", "vichy")
    boxed = board.put("france", "tank", "vichy")
    board.state.space = put(board.state.space, boxed, BOX - 2)
    board.put("great_britain", "infantry", "brest")
    assert fallen(board.m) == []
    defeat_france(board)
    assert fallen(board.m) == [A.france]
    board.run(Surrenders())
    state = board.state
    assert state.status[A.france] == 2
    assert not board.alive(unit)
    assert not board.alive(boxed)
    assert state.money[A.france] == 0
    assert board.owned("brest") == "great_britain"
    assert board.owned("vichy") == board.owned("rabat") == "germany"
    assert state.initiative[A.front_index["western"]] == 0
    two = Board(war="italy")
    defeat_france(two)
    two.put("italy", "infantry", "paris")
    two.run(Surrenders())
    assert two.match.decisions() == ("germany",)  # one nation must be named
    role = "germany"
    two.do(role, next(a for a in two.match.offers(role) if getattr(a, "power", "") == "italy"))
    assert two.owned("vichy") == "italy"


@pytest.mark.rule("w2e-surrender")
def test_a_fallen_patron_hands_its_minors_on():
    board = Board(war="italy")
    board.owner("germany", "budapest")
    board.state.patron = put(board.state.patron, A.minor_index["hungary"], A.germany)
    surrender(board.m, A.germany, A.britain)
    assert board.owned("budapest") == "italy"
    assert board.owned("berlin") == "great_britain"


# ---- initiative ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-initiative-count", "w2e-movement-order")
def test_most_battles_won_take_the_front():
    board = Board()
    board.initiative(1)
    west, east = A.front_index["western"], A.front_index["eastern"]
    board.state.wins = put(board.state.wins, 2 * west, 2)
    board.state.wins = put(board.state.wins, 2 * west + 1, 1)
    board.state.wins = put(board.state.wins, 2 * east, 1)
    board.state.wins = put(board.state.wins, 2 * east + 1, 1)
    board.put("germany", "infantry", "berlin")
    board.put("great_britain", "infantry", "warsaw")
    board.run(Initiative())
    assert board.state.initiative[west] == 0
    assert board.state.initiative[east] == 1
    assert sum(board.state.wins) == 0
    board.initiative(0)
    assert player_a(board.state) == 0
    board.initiative(1, *A.fronts[:5])
    assert player_a(board.state) == 1


@pytest.mark.rule("w2e-initiative-auto")
def test_a_front_held_alone_is_taken_whatever_the_battles():
    board = Board()
    baltic = A.front_index["mediterranean"]
    lands = A.front_land[baltic]
    board.owner("great_britain", *(A.names[s] for s in lands))
    assert held_alone(board.m, baltic) == 1
    board.state.status = put(board.state.status, A.italy, 1)
    board.put("italy", "submarine", "taranto_port")
    assert held_alone(board.m, baltic) == 1
    board.put("italy", "destroyer", "taranto_port")
    assert held_alone(board.m, baltic) == -1


# ---- the calendar ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-turn-season")
def test_four_seasons_make_a_year():
    board = Board()
    track = turn_track("fall-1939")
    assert track[:4] == ["fall 1939", "winter 1939", "spring 1940", "summer 1940"]
    assert track[-1] == "summer 1945"
    board.state.turn = 1
    assert turn_name(board.state) == "winter 1939"
    match = Match.new(GAME, "fall-1939", seed=3)
    while match.state.turn == 0:
        role = match.decisions()[0]
        offers = match.offers(role)
        match.apply(role, Done() if offers[Done] else next(iter(offers)))
    assert turn_name(match.state) == "winter 1939"


@pytest.mark.rule("w2e-uk-pacific")
def test_marked_british_units_leave_in_spring_1942():
    match = Match.new(GAME, "spring-1941", seed=5)
    board = Board("spring-1941")
    state = match.state
    from sandtable.games.ww2_europe.model.state import PACIFIC

    marked = [u for u, flags in enumerate(state.flags) if flags & PACIFIC]
    kinds = sorted(K.names[state.kind[u]] for u in marked)
    wanted = A.data["pacific_transfer"][0]["units"]
    assert kinds == sorted(kind for kind, count in wanted.items() for _ in range(count))
    ship = board.put("great_britain", "battleship", "scapa_flow_port", flags=PACIFIC)
    one, two = (
        board.put("great_britain", "cruiser", "bristol_port"),
        board.put("great_britain", "cruiser", "london_port"),
    )
    board.run(PacificTransfer(A.britain))
    assert not board.alive(ship)
    assert board.match.decisions() == ("great_britain",)  # no marked cruiser: the owner names one
    board.do("great_britain", next(iter(board.match.offers("great_britain"))))
    assert [board.alive(one), board.alive(two)].count(True) == 1


# ---- victory ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("w2e-victory-axis")
def test_two_allied_flags_win_for_the_axis():
    board = Board()
    board.owner("germany", "paris")
    assert not check_victory(board.m)
    board.owner("germany", "london")
    assert check_victory(board.m)
    outcome = board.match.outcome
    assert outcome is not None
    assert (set(outcome.winners), outcome.level) == ({"germany", "italy"}, "total")


@pytest.mark.rule("w2e-victory-allies")
def test_berlin_and_rome_win_for_the_allies():
    board = Board(war="italy usa")
    board.owner("usa", "rome")
    assert not check_victory(board.m)
    board.owner("great_britain", "berlin")
    assert check_victory(board.m)
    outcome = board.match.outcome
    assert outcome is not None
    assert outcome.level == "total"
    assert "ussr" in outcome.winners


@pytest.mark.rule("w2e-victory-minor")
def test_after_summer_1945_flags_are_counted():
    for places, winners, level in ((("berlin",), 4, "minor"), ((), 4, "minor"), (("paris",), 0, "draw")):
        board = Board(war="italy usa ussr")
        board.turn("summer 1945")
        for place in places:
            board.owner("great_britain" if place == "berlin" else "germany", place)
        assert check_victory(board.m)
        outcome = board.match.outcome
        assert outcome is not None
        assert (len(outcome.winners), outcome.level) == (winners, level)
    assert flags_held(Board().state, 0) == [A.germany, A.italy]
