"""9.12 Fog of war, and what a role can learn about other hands."""

from random import Random

import pytest

from sandtable.games.blitzkrieg_general.model.atlas import ARM, INF
from sandtable.games.blitzkrieg_general.model.state import MOVED, mark
from sandtable.games.blitzkrieg_general.rules.fog import covered
from sandtable.games.blitzkrieg_general.rules.reinforcements_phase import Reinforcements
from sandtable.games.blitzkrieg_general.rules.search import is_pinner
from tests.games.blitzkrieg_general.positions_advanced import MAJORS, A, Position, card, space, unit


def stacked(**options: bool) -> tuple[Position, list[str]]:
    """A German stack in Prussia under an infantry unit, and another in Bavaria."""
    war = Position(**options)
    names = [war.add("germany-arm-5", "prussia"), war.add("germany-inf-2", "prussia", flipped=True),
             war.add("germany-inf-3", "prussia")]  # fmt: skip
    names += [
        war.add("germany-inf-4", "bavaria"),
        war.add("germany-air-4", "bavaria"),
        war.add("germany-inf-2", "bavaria"),
    ]
    return war, names


@pytest.mark.rule("bg-opt-9.12-fog")
def test_only_the_top_unit_of_an_enemy_stack_is_seen():
    first, names = stacked(fog_of_war=True)
    # the same stacks with the counters under the tops exchanged
    second = Position(fog_of_war=True)
    second.put("germany-inf-4", "prussia").put("germany-arm-5", "prussia").put("germany-inf-3", "prussia")
    second.put("germany-inf-2", "bavaria").put("germany-air-4", "bavaria")
    second.add("germany-inf-2", "bavaria")
    british = [war.match.view("be").state for war in (first, second)]
    assert british[0].here == british[1].here
    assert british[0].flipped == british[1].flipped
    assert british[0].here[space("prussia")][-1] == unit(names[2])  # the top is what it is
    german = first.match.view("germany").state
    assert german.here == first.state.here
    assert german.flipped[unit(names[1])]
    public = first.match.view(None).state
    assert not public.flipped[unit(names[1])]
    # without the option everybody sees everything
    plain, names = stacked()
    assert plain.match.view("be").state.flipped[unit(names[1])]


@pytest.mark.rule("bg-opt-9.12-fog")
def test_the_table_shows_covered_counters_as_backs():
    war, _ = stacked(fog_of_war=True)
    faces = war.match.table("be").stacks["prussia"]
    assert [("hidden" in face.state, face.numbers) for face in faces] == [(True, ""), (True, ""), (False, "3")]
    assert all("hidden" not in face.state for face in war.match.table("germany").stacks["prussia"])


@pytest.mark.rule("bg-opt-9.12-fog")
def test_guesses_agree_with_what_is_known():
    war, _ = stacked(fog_of_war=True)
    view = war.match.view("be").state
    seen = set()
    for number in range(20):
        guess = war.match.determinize("be", Random(number))
        assert guess.view("be").state == view
        seen.add(guess.state.here[space("prussia")])
        assert {A.type[u] for u in guess.state.here[space("prussia")]} <= {INF, ARM}
    assert len(seen) > 1


@pytest.mark.rule("bg-opt-9.12-stack")
def test_stacks_hold_ten_units_and_more_form_further_stacks_with_tops_of_their_own():
    war = Position(fog_of_war=True)
    names = [unit(war.add("germany-inf-3", "prussia")) for _ in range(10)]
    names += [unit(war.add("germany-inf-2", "prussia")) for _ in range(3)]
    here = war.state.here[space("prussia")]
    hidden = covered(war.state, here, 1)
    assert [u for u in here if u not in hidden] == [names[9], names[12]]  # the tops of a stack of ten and one of three
    ten = covered(war.state, here[:10], 1)
    assert [u for u in here[:10] if u not in ten] == [names[9]]


@pytest.mark.rule("bg-7.4-secret")
def test_what_a_role_is_shown_does_not_depend_on_other_hands_or_the_deck():
    war = Position().hand("germany", "spies").hand("be", "surprise", "militia").hand("china", "partisans")
    view = war.match.view("be").state
    others = set()
    for number in range(10):
        other = war.match.scramble("be", Random(number))
        assert other.view("be").state == view
        assert other.state.hands[MAJORS.index("be")] == (card("surprise"), card("militia"))
        others.add(tuple(other.state.hands[MAJORS.index("germany")]))
    assert len(others) > 1


@pytest.mark.rule("bg-opt-9.12-fog")
def test_in_the_fog_nobody_learns_from_the_asking_who_has_reduced_units():

    asked = []
    for flipped in (False, True):
        war = Position(fog_of_war=True, assembly=True)
        war.put("germany-inf-4", "prussia", flipped=flipped, n=6).put("guderian", "prussia")
        war.put("france-inf-3", "paris", flipped=True, n=2).run(Reinforcements())
        assert ("germany" in war.match.decisions()) is flipped
        asked.append(war.match.waiting_for())
    assert asked[0] == asked[1]


@pytest.mark.rule("bg-opt-9.12-fog", "bg-10.1-pin-invasion")
def test_ships_that_come_to_pin_a_landing_fleet_are_seen_coming():
    """Else the owner of the fleet would be asked about more convoys than an onlooker of that side could explain."""
    war = Position(fog_of_war=True).war("germany", "be").put("be-tf-3", "baltic", n=2)
    came = war.add("be-tf-3", "north_sea")
    war.put("be-tf-4", "north_sea")
    war.state.phasing = 0
    mark(war.state, unit(came), MOVED)
    zone = space("north_sea")
    for fought, counts in ((False, {0, 1}), (True, {1})):
        war.state.sea_battles = {zone: 3} if fought else {}
        others = [war.match.scramble("germany", Random(seed)).state for seed in range(12)]
        assert {sum(is_pinner(other, u) for u in other.here[zone]) for other in others} == counts
