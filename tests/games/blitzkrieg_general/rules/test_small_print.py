"""What is seldom met: the first area, the first card, the ninth country, bombs of two powers, who inherits what."""

from random import Random

import pytest
from msgspec.structs import replace

from sandtable.core import Match
from sandtable.core.columns import put
from sandtable.games.blitzkrieg_general.game import GAME
from sandtable.games.blitzkrieg_general.model.actions import Achieve, FireV, Load, March, PlayCard, Split
from sandtable.games.blitzkrieg_general.model.atlas import ATLAS, MAJORS
from sandtable.games.blitzkrieg_general.model.state import AT_WAR, CONQUERED, at_war, send
from sandtable.games.blitzkrieg_general.rules.aftermath_phase import Landing
from sandtable.games.blitzkrieg_general.rules.bombing import worth
from sandtable.games.blitzkrieg_general.rules.cards.battle import _may_surprise
from sandtable.games.blitzkrieg_general.rules.cards.card_phase import CardPhase
from sandtable.games.blitzkrieg_general.rules.cards.economy import _may_sabotage
from sandtable.games.blitzkrieg_general.rules.cards.playing import play
from sandtable.games.blitzkrieg_general.rules.cards.politics import vichy
from sandtable.games.blitzkrieg_general.rules.cargo import take_load
from sandtable.games.blitzkrieg_general.rules.conquest import check_conquest, conquer, make_neutral
from sandtable.games.blitzkrieg_general.rules.control import free_country, hand_back_colonies
from sandtable.games.blitzkrieg_general.rules.flying import _grounded, why_not_mission, why_not_support
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase, indochine_offers, must_garrison
from sandtable.games.blitzkrieg_general.rules.naval import why_not_sail_to
from sandtable.games.blitzkrieg_general.rules.naval_phase import Group, Intercept
from sandtable.games.blitzkrieg_general.rules.politics import _can_be_fought, defender_of, make_up, set_war
from sandtable.games.blitzkrieg_general.rules.production import collect_income
from sandtable.games.blitzkrieg_general.rules.reaction_phase import Reaction
from sandtable.games.blitzkrieg_general.rules.reinforcements_phase import Reinforcements
from sandtable.games.blitzkrieg_general.rules.research_phase import ResearchRoll
from sandtable.games.blitzkrieg_general.rules.search import helpers
from sandtable.games.blitzkrieg_general.rules.secrecy import determinize, redact
from sandtable.games.blitzkrieg_general.rules.weapons import has_bomb
from tests.games.blitzkrieg_general.positions_advanced import Position, card, nation, space, unit

A = ATLAS
FIRST = A.space_ids[0]
"""Western Germany, the first area."""
NINTH = A.nation_ids[8]
"""Bulgaria, the first that is no major."""
GERMANY = nation("germany")


# ---- the first area
@pytest.mark.rule("bg-6.4.1-once")
def test_aircraft_in_the_first_area_are_ready_to_fly() -> None:
    war = Position()
    plane = war.add("germany-air-4", FIRST)
    assert unit(plane) in _grounded(war.state, GERMANY)


@pytest.mark.rule("bg-6.4.3e-air-help", "bg-6.5.3-tf-land")
def test_who_is_over_the_first_area_is_busy() -> None:
    war = Position().put("germany-tf-4", "north_sea")
    plane = war.add("be-air-3", "england")
    war.state.phasing = GERMANY
    assert unit(plane) in helpers(war.state, 1, space("north_sea"))
    send(war.state, unit(plane), 0)
    assert unit(plane) not in helpers(war.state, 1, space("north_sea"))
    fleet = war.add("be-tf-4", "baltic")
    assert why_not_support(war.state, unit(fleet)) is None
    send(war.state, unit(fleet), 0)
    assert why_not_support(war.state, unit(fleet)) is not None


@pytest.mark.rule("bg-6.5.7-land-again")
def test_a_raider_over_the_first_area_is_not_at_home_there() -> None:
    war = Position()
    at_home = war.add("germany-air-4", FIRST)
    assert Landing(0, (unit(at_home),)).ways(war.state, unit(at_home)) == [0]
    send(war.state, unit(at_home), 0)
    assert Landing(0, (unit(at_home),)).ways(war.state, unit(at_home)) != [0]


# ---- the first card
@pytest.mark.rule("bg-7.4-secret")
def test_the_first_card_is_a_secret_like_the_others() -> None:
    first = A.card_ids[0]
    for column in ("drawn", "offered"):
        war = Position()
        war._take(first)
        setattr(war.state, column, put(getattr(war.state, column), GERMANY, 0))
        seen = war.match.view("be").state
        assert getattr(seen, column)[GERMANY] not in (-1, 0)
        mine = war.match.view("germany").state
        for seed in range(5):
            guess = type(mine)(**{name: getattr(mine, name) for name in mine.__struct_fields__})
            determinize(guess, "germany", Random(seed))
            assert 0 not in (c for hand in guess.hands for c in hand)
            assert 0 not in guess.deck
    war = Position().hand("germany", first)
    mine = war.match.view("germany").state
    determinize(mine, "germany", Random(1))
    assert mine.hands[GERMANY] == (0,)
    redact(war.state, None)
    assert war.state.hands[GERMANY] == (-1,)


@pytest.mark.rule("bg-7.4-secret")
def test_everybody_knows_who_has_a_card_to_look_at() -> None:
    war = Position()
    war.state.drawn = put(war.state.drawn, MAJORS.index("be"), card("surprise"))
    assert list(CardPhase(0, True).publicly_asked(war.m)) == ["be"]


@pytest.mark.rule("bg-card-sabotage")
def test_germanys_research_too_can_be_sabotaged() -> None:
    war = Position()
    war.state.effects = {"announced": GERMANY}
    assert _may_sabotage(war.state, nation("be"), "research")
    assert not _may_sabotage(war.state, nation("italy"), "research")


@pytest.mark.rule("bg-opt-9.9")
def test_only_the_irish_coup_turns_into_the_one_in_iran() -> None:
    war = Position(coup_in_iran=True).hand("be", "surprise", "spies")
    play(war.m, nation("be"), PlayCard("spies", "germany"))
    assert not war.state.effects_kept.get("iran")


# ---- who falls, who is freed, who inherits
@pytest.mark.rule("bg-7.1-minor")
def test_the_ninth_country_falls_and_is_freed_like_other_minors() -> None:
    war = Position().join(NINTH, "germany").war("germany", "ussr")
    set_war(war.state, nation(NINTH), nation("ussr"))
    conquer(war.own("ussr", "bulgaria").m, nation(NINTH))
    assert war.state.standing[nation(NINTH)] == CONQUERED
    assert not _can_be_fought(war.own("ussr", "bulgaria").state, nation(NINTH))
    war.state.standing = put(
        war.state.standing, nation(NINTH), AT_WAR
    )  # on the run: nothing of it is left to fight for
    assert not _can_be_fought(war.state, nation(NINTH))
    war.state.standing = put(war.state.standing, nation(NINTH), CONQUERED)
    war.state.master = put(war.state.master, nation(NINTH), -1)
    free_country(war.m, nation(NINTH), GERMANY)
    assert war.state.master[nation(NINTH)] >= 0


@pytest.mark.rule("bg-7.1-major")
def test_who_has_fallen_does_not_fall_again() -> None:
    war = Position().own("germany", *(A.space_ids[s] for s in A.homes[nation("poland")]))
    war.state.standing = put(war.state.standing, nation("poland"), CONQUERED)
    war.m.events = []
    check_conquest(war.m)
    assert not [event for event in war.m.events if type(event).__name__ == "Conquered"]


@pytest.mark.rule("bg-7.1-colonies", "bg-8.2-return-neutral")
def test_an_area_abroad_goes_to_the_belligerent_who_holds_it_or_to_its_heir() -> None:
    war = Position().put("be-inf-3", "syria").own("france", "syria", "algeria")
    heir = A.vichy_nation
    make_neutral(war.m, space("syria"), heir)
    assert war.holder("syria") == "be"
    own = war.add("france-inf-3-v", "algeria", as_nation=A.nation_ids[heir])
    plane = war.add("be-air-3", "algeria")
    make_neutral(war.m, space("algeria"), heir)
    assert war.holder("algeria") == A.nation_ids[heir]
    assert war.where(own) == "algeria"
    assert war.where(plane) != "algeria"


@pytest.mark.rule("bg-card-vichy-reconquest")
def test_colonies_and_their_troops_are_french_again() -> None:
    war = Position().own("france", "vichy").own("vichy_france", "algeria")
    troops = war.add("france-inf-3-v", "algeria", as_nation="vichy_france")
    guest = war.add("be-inf-3", "algeria")
    hand_back_colonies(war.m, space("vichy"))
    assert war.holder("algeria") == "france"
    assert war.state.nation[unit(troops)] == nation("france")
    assert war.state.nation[unit(guest)] == nation("be")


@pytest.mark.rule("bg-card-vichy")
def test_what_italy_holds_of_france_stays_italian() -> None:
    war = Position(turn="2/40").war("italy", "france").own("italy", "western_france").own("germany", "paris")
    vichy(war.dice(*[1] * 20).m, GERMANY, "")
    assert war.holder("western_france") == "italy"
    assert war.holder("normandy") == "germany"


@pytest.mark.rule("bg-8.4-controller-gone")
def test_a_neutral_without_a_fighting_protector_gets_one_who_plays() -> None:
    war = Position()
    state = war.state
    for n in range(8):
        state.standing = put(state.standing, n, 0 if state.standing[n] == AT_WAR else state.standing[n])
    war.dice(1)
    found = defender_of(war.m, GERMANY)
    assert state.side[found] != state.side[GERMANY]
    assert found < 8


@pytest.mark.rule("bg-8.4-war")
def test_who_joins_a_side_makes_up_with_it_only() -> None:
    war = Position()
    for other in ("germany", "be"):
        set_war(war.state, nation("ussr"), nation(other))
    make_up(war.state, nation("ussr"))
    same = war.state.side[nation("ussr")] == war.state.side[nation("be")]
    assert same
    assert not at_war(war.state, nation("ussr"), nation("be"))
    assert at_war(war.state, nation("ussr"), GERMANY)


# ---- points
@pytest.mark.rule("bg-7.3-income")
def test_who_does_not_play_has_no_points_and_nothing_is_spent_at_sea_yet() -> None:
    war = Position()
    state = war.state
    out = nation("france")
    state.standing = put(state.standing, out, CONQUERED)
    state.points, state.saved, state.naval_spent = put(state.points, out, 7), put(state.saved, out, 7), 5
    collect_income(war.m)
    assert (state.points[out], state.saved[out], state.naval_spent) == (0, 0, 0)


@pytest.mark.rule("bg-6.5.6-cap")
def test_what_only_germany_uses_is_worth_nothing_to_others() -> None:
    area = next(s for s in range(A.count) if A.germany_only[s])
    war = Position().own("germany", A.space_ids[area])
    assert worth(war.state, area) == A.right[area] > 0
    assert worth(war.own("ussr", A.space_ids[area]).state, area) == 0


# ---- bombs
@pytest.mark.rule("bg-7.5-atomic-bomb")
def test_each_power_has_its_own_bomb_from_the_turn_after() -> None:
    war = Position()
    state = war.state
    state.atom_ready = dict.fromkeys(range(8), state.turn)
    state.special_used = 1 << 8 + 3
    assert [n for n in range(8) if not has_bomb(state, n)] == [3]
    state.atom_ready, state.special_used = {}, 0
    war.run(ResearchRoll("germany", True))
    ResearchRoll("germany", True).take(war.m, "germany", Achieve("atomic_bomb"))
    assert not has_bomb(state, GERMANY)
    state.turn += 1
    assert has_bomb(state, GERMANY)


@pytest.mark.rule("bg-7.5-v-weapons", "bg-7.5-atomic-bomb")
def test_a_bomb_on_a_rocket_is_the_powers_own() -> None:
    war = Position().knows("germany", "v_weapons").own("germany", "normandy").put("germany-inf-2", "normandy")
    war.state.atom_ready = dict.fromkeys(range(8), war.state.turn)
    war.phase(Phase("land"))
    war.do(FireV("england", True), "germany")
    assert [n for n in range(8) if not has_bomb(war.state, n)] == [GERMANY]


# ---- movement
@pytest.mark.rule("bg-8.1-neutral-area")
def test_a_neutral_area_is_no_target() -> None:
    war = Position()
    plane = war.add("germany-air-4", FIRST)
    refusal = why_not_mission(war.state, unit(plane), space("sweden"))
    assert refusal is not None
    assert refusal.rule == "bg-8.1-neutral-area"


@pytest.mark.rule("bg-6.2-adjacent")
def test_a_way_that_is_none_is_named_or_is_nonsense() -> None:
    war = Position()
    foot = war.add("germany-arm-5", FIRST)
    war.phase(Phase("land"))
    to = next(action.to for action in war.offered(March, "germany"))
    assert war.refused(March(foot, to, "england"), "germany").reason == "not-on-the-way"
    assert war.refused(March(foot, to, "nowhere"), "germany").reason != "not-on-the-way"


@pytest.mark.rule("bg-time-indochine")
def test_japan_takes_indochine_only_from_france_or_vichy_and_only_when_it_is_empty() -> None:
    area = A.space_ids[A.indochine]
    for holder, troops, offered in (("france", 0, True), ("be", 0, False), ("france", 1, False)):
        war = Position("1939-basic").own(holder, area)
        war.state.french_fell = True
        if troops:
            war.put("france-inf-3", area)
        assert bool(indochine_offers(war.m, nation("japan"))) is offered, (holder, troops)


@pytest.mark.rule("bg-5.4-map-switch")
def test_exploiting_ships_change_maps_only_in_the_same_weather() -> None:
    war = Position()
    fleet = unit(war.add("be-tf-4", "red_sea"))
    war.state.exploiting = True
    zone, far = space("red_sea"), space("indian_ocean")
    near = next(z for z in A.sea_next[zone] if A.map[z] == A.map[zone])
    for bad, refused in (((0, 0), ""), (put((0, 0), A.map[zone], 1), "bg-5.4-map-switch")):
        war.state.bad = bad
        found = why_not_sail_to(war.state, [fleet], 0, far)
        assert ("" if found is None else found.rule) == refused
    war.state.bad = put((0, 0), A.map[far], 1)
    found = why_not_sail_to(war.state, [fleet], 0, near)
    assert found is None or found.rule != "bg-5.4-map-switch"


@pytest.mark.rule("bg-6.4.3f-caught")
def test_a_group_intercepted_within_its_range_sails_on() -> None:
    for used, stopped in ((A.ship_range, False), (A.ship_range + 1, True)):
        war = Position()
        fleet = unit(war.add("be-tf-4", "north_sea"))
        war.state.stack = (*war.state.stack, Group("be", (fleet,), used), Intercept(fleet, (fleet,), used, 7, (), ""))
        Intercept(space("north_sea"), (fleet,), used, 7, (), "").run(war.m)
        step = war.m.step
        assert isinstance(step, Group)
        assert step.stopped is stopped


@pytest.mark.rule("bg-6.4.3a-load")
def test_who_goes_aboard_begins_the_phase_anew_but_not_an_hq_in_exploitation() -> None:
    for exploiting, spent in ((False, 0), (True, 2)):
        war = Position()
        convoy = war.add("be-conv-1", "north_sea")
        foot = war.add("be-inf-3", "england")
        war.state.exploiting = exploiting
        war.state.spent = put(war.state.spent, unit(foot), 2)
        take_load(war.m, Load(convoy, foot))
        assert war.state.spent[unit(foot)] == spent


# ---- the fog
@pytest.mark.rule("bg-opt-9.12-fog")
def test_guessed_stacks_have_whole_and_reduced_units() -> None:
    war = Position(fog_of_war=True).put("germany-inf-4", FIRST, n=4)
    seen: dict[int, set[int]] = {}
    for seed in range(12):
        state = war.match.scramble("be", Random(seed)).state
        for other in state.here[0]:
            seen.setdefault(other, set()).add(state.flipped[other])
    assert {0, 1} in seen.values()


@pytest.mark.rule("bg-opt-9.12-fog")
def test_in_the_fog_all_enemies_who_fight_are_asked_for_reactions_once() -> None:
    war = Position(fog_of_war=True)
    war.state.phasing = 0
    asked = set(Reaction().publicly_asked(war.m))
    assert "be" in asked
    assert "usa" not in asked  # at war with nobody
    assert set(Reaction(("be",)).publicly_asked(war.m)) == asked - {"be"}


# ---- small armies
@pytest.mark.rule("bg-opt-9.3-split")
def test_the_smallest_unit_with_a_back_can_be_split() -> None:
    war = Position(assembly=True)
    small = war.add("germany-inf-2", "prussia")
    assert A.back[unit(small)] == 1
    assert war.run(Reinforcements()).allows(Split(small), "germany")


@pytest.mark.rule("bg-card-tito")
def test_five_points_are_garrison_enough() -> None:
    for guards, short in (("germany-inf-3", True), ("germany-arm-5", False)):
        war = Position("1941-advanced", turn="2/42").table("be", "tito_partisans").own("germany", "yugoslavia")
        war.state.yugoslavia_since = A.turn_of["2/41"]
        war.put(guards, "yugoslavia").put("germany-inf-2", "hungary")
        war.phase(Phase("land"))
        assert must_garrison(war.state) is short


@pytest.mark.rule("bg-card-surprise")
def test_surprise_needs_a_battle_in_which_nobody_fires_first() -> None:
    war = Position()
    assert not _may_surprise(war.state, GERMANY, "battle")
    war.charge("germany-inf-4", FIRST, "maginot")
    war.put("france-inf-3", "maginot").dice(*[6] * 12).fight()
    assert war.state.battle is not None
    assert _may_surprise(war.state, GERMANY, "battle")
    assert not _may_surprise(war.state, nation("italy"), "battle")
    war.state.battle = replace(war.state.battle, first=0)
    assert not _may_surprise(war.state, GERMANY, "battle")


def test_nothing_is_taken_back_once_others_are_asked_in_hiding():
    """That a question is asked tells that somebody holds a card for it."""
    hidden = 0
    for seed in range(4):
        match = Match.new(GAME, "1941-advanced", seed=seed)
        rng = Random(seed)
        while match.number < 250:
            role = match.decisions()[0]
            match.apply(role, match.offers(role).sample(rng))
            asked = match.decisions()
            if any(other != role for other in asked) and {*match.waiting_for()} != {*asked}:
                hidden += 1
                assert match.can_undo(role) == 0, (seed, match.number)
    assert hidden > 20
