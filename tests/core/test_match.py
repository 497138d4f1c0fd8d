"""A match on the demonstration game: asking, refusing, taking back, hiding, ending."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.core import (
    Draw,
    Field,
    Malformed,
    Match,
    NothingToChoose,
    Offer,
    OneOf,
    Option,
    Order,
    Pass,
    Refusal,
    Resign,
    Rolled,
    ScriptedDice,
    Undo,
    Undone,
    Unknown,
    Window,
)
from sandtable.core import replay as files
from sandtable.testing.promises import check_undo, random_play
from tests.demo.game import GAME
from tests.demo.state import EndMoves, Peeked, Plan, PlayCard, Recruit, Regroup, Walk
from tests.demo.steps import Moves, Planning


def start(scenario="war", seed=1, **options):
    return Match.new(GAME, scenario, options, seed=seed)


def plan_all(match, posture="march"):
    for role in ("red", "blue", "green"):
        match.apply(role, Plan(posture))


def played(seed, decisions, scenario="war", **options):
    match = start(scenario, seed, **options)
    random_play(match, Random(seed), most=decisions)
    return match


positions = st.builds(
    played, st.integers(0, 999), st.integers(0, 90), st.sampled_from(["war", "skirmish"]), floods=st.booleans()
)


# ---- asking
def test_several_roles_are_asked_at_the_same_time_in_any_order():
    match = start()
    assert match.decisions() == ("red", "blue", "green")
    match.apply("green", Plan("scout"))
    assert match.decisions() == ("red", "blue")
    match.apply("red", Plan("march"))
    match.apply("blue", Plan("march"))
    assert match.decisions() == ("red",)
    assert match.state.posture == ("march", "march", "scout")


def test_two_orders_of_simultaneous_choices_reach_the_same_state():
    one, two = start(), start()
    plan_all(one)
    for role in ("green", "red", "blue"):
        two.apply(role, Plan("march"))
    assert one.digest() == two.digest()


@settings(max_examples=30, deadline=None)
@given(positions, st.integers())
def test_the_same_actions_give_the_same_bytes(match, seed):
    again = start(match.scenario, match.seed, **match.options)
    for entry in match.log:
        again.apply(entry.role, entry.action)
    assert GAME.codec.pack(again.state) == GAME.codec.pack(match.state)
    assert again.events == match.events


# ---- refusing
def test_a_refusal_names_the_rule_and_says_why_in_both_languages():
    match = start()
    plan_all(match)
    match.apply("red", Walk("red-1", ("Fordham",)))
    again = Walk("red-1", ("Crossing",))
    before = match.digest()
    refusal = match.why_not("red", again)
    assert refusal == Refusal("demo-move-once", unit="red-1")
    assert match.explain(refusal) == "red-1 has moved already this turn. [demo-move-once]"
    assert match.explain(refusal, "de") == "red-1 ist in dieser Runde schon gezogen. [demo-move-once]"
    with pytest.raises(Refusal):
        match.apply("red", again)
    assert match.digest() == before
    assert match.number == 4


def test_refusals_for_the_wrong_moment_and_the_wrong_role():
    match = start()
    assert match.why_not("red", EndMoves()).reason == "sandtable-not-now"
    plan_all(match)
    refusal = match.why_not("blue", EndMoves())
    assert (refusal.reason, refusal.rule) == ("sandtable-not-asked", "demo-move")
    assert match.explain(refusal, "de").startswith("Blau ist jetzt nicht am Zug")
    with pytest.raises(Unknown, match="no role 'pink'"):
        match.apply("pink", EndMoves())


def test_a_walk_is_refused_at_the_province_where_it_goes_wrong():
    match = start()
    plan_all(match)
    assert match.why_not("red", Walk("red-1", ("Crossing",))) == Refusal(
        "demo-adjacent", here="Reddale", there="Crossing"
    )
    assert match.why_not("red", Walk("red-1", ("Fordham", "Reddale"))).rule == "demo-no-turning-back"
    assert match.why_not("red", Walk("red-4", ("Fordham",))).reason == "demo-not-on-map"
    assert match.why_not("red", Walk("red-1", ("Fordham", "Crossing"))) is None


@pytest.mark.parametrize(
    "data", ['{"do":"walk"}', '{"do":"fly"}', "{", '{"do":"walk","unit":1,"path":[]}', "[]", "[" * 5000]
)
def test_a_malformed_action_is_not_a_refused_one(data):
    with pytest.raises(Malformed, match="not an action of this game"):
        start().parse(data)


@pytest.mark.parametrize("number", [1.0, True, "1", None])
def test_a_number_of_another_type_is_refused_though_python_takes_it_for_one(number):
    match = start()
    plan_all(match)
    assert match.why_not("red", Recruit((("red-4", 1),))) is None
    before = match.digest()
    with pytest.raises(Refusal) as refused:
        match.apply("red", Recruit((("red-4", number),)))
    assert refused.value.reason == "sandtable-malformed"
    assert match.explain(refused.value, "en").startswith("A value of that move has the wrong type")
    assert match.digest() == before


def test_standing_orders_of_another_type_are_refused():
    assert start().why_not("red", Order(quiet_until=7)).reason == "sandtable-malformed"  # type: ignore[arg-type]


def test_an_error_in_the_middle_of_a_move_leaves_the_match_as_it_was(monkeypatch):
    match = start()
    plan_all(match)
    before = match.digest()

    def broken(self, m, role, action):
        m.state.gold = (99, 99, 99)
        raise RuntimeError("a fault in the rules")

    monkeypatch.setattr(Moves, "take", broken)
    with pytest.raises(RuntimeError):
        match.apply("red", EndMoves())
    assert match.digest() == before
    assert match.number == len(match.log) == 3


# ---- taking back
def test_own_moves_can_be_taken_back_one_by_one():
    match = start()
    plan_all(match)
    digests = [match.digest()]
    for action in (Walk("red-1", ("Fordham",)), Walk("red-2", ("Marsh End",)), Regroup(("red-3",), "Reddale")):
        match.apply("red", action)
        digests.append(match.digest())
    assert match.can_undo("red") == 3
    for number, expected in zip((6, 5, 4), reversed(digests[:-1]), strict=True):
        assert match.apply("red", Undo()) == [Undone(role="red", number=number)]
        assert match.digest() == expected
    assert match.can_undo("red") == 0
    assert match.why_not("red", Undo()).reason == "sandtable-undo-closed"
    assert len(match.log) == 9  # taking back is recorded, never erased


def test_nobody_takes_back_a_reveal():
    match = start()
    plan_all(match)
    assert [match.can_undo(role) for role in match.roles] == [0, 0, 0]


def test_a_choice_made_at_the_same_time_can_be_taken_back_after_another_role_chose():
    match = start()
    match.apply("red", Plan("march"))
    match.apply("blue", Plan("scout"))
    match.apply("red", Undo())
    assert match.decisions() == ("red", "green")
    assert match.step == Planning(("", "scout", ""))
    match.apply("blue", Undo())
    assert match.step == Planning()


def test_nobody_takes_back_past_the_decision_of_another():
    match = start(seed=3)
    plan_all(match)
    match.apply("red", Walk("red-1", ("Fordham",)))
    match.apply("red", EndMoves())
    assert match.decisions() == ("blue",)
    assert match.can_undo("red") == 2  # blue has not decided anything yet
    match.apply("blue", Walk("blue-1", ("Marsh End",)))
    assert match.why_not("red", Undo()).reason == "sandtable-undo-closed"
    assert match.can_undo("blue") == 1


def test_resigning_and_standing_orders_survive_an_undo():
    match = start()
    plan_all(match)
    match.apply("red", Walk("red-1", ("Fordham",)))
    match.apply("blue", Order(ask=()))
    match.apply("red", Undo())
    assert match.state.orders["blue"].ask == ()


@settings(max_examples=40, deadline=None)
@given(positions, st.integers())
def test_undo_brings_back_every_state_down_to_the_boundary(match, seed):
    rng = Random(seed)
    for _ in range(12):
        if match.over:
            return
        role = rng.choice(match.decisions())
        before, action = match.digest(), match.offers(role).sample(rng)
        match.apply(role, action)
        if not match.over:
            check_undo(match, role, action, before)


def looking_at_a_card(monkeypatch, *, told: bool) -> Match:
    """Red takes back a plan after it has shown them blue's first card, in a game that says so or forgets to."""

    def take(self, m, role, action):
        m.amend(Planning(("march", *self.chosen[1:])))
        if told:
            m.reveal("demo-plan")
        m.emit(Peeked(role="red", victim="blue", card=m.state.hands[1][0], seen_by=("red",)))

    monkeypatch.setattr(Planning, "take", take)
    match = start()
    match.apply("red", Plan("march"))
    return match


@pytest.mark.parametrize("told", [True, False])
def test_who_has_seen_something_hidden_cannot_take_it_back(monkeypatch, told):
    match = looking_at_a_card(monkeypatch, told=told)
    assert match.can_undo("red") == 0
    assert match.settled
    with pytest.raises(Refusal, match="sandtable-undo-closed"):
        match.apply("red", Undo())


def test_what_was_taken_back_in_an_old_match_stays_taken_back(monkeypatch):
    match = looking_at_a_card(monkeypatch, told=False)
    match.undo("red")  # as an earlier version allowed it
    again = files.load(files.save(match), lambda name, rules: GAME)
    assert (again.number, again.digest()) == (2, match.digest())


def test_a_refusal_depends_only_on_what_the_role_knows(monkeypatch):
    """A rule that looks into others' hands gives the same reason whatever they hold."""

    def offers(self, m, role):
        holds = "ambush" in m.state.hands[1]
        why = Refusal("demo-plan", "demo-dug-in") if holds else Refusal("demo-move")
        return [Offer(Plan, Field("posture", "choice", OneOf(["march"], why=lambda value: why)), rule="demo-plan")]

    monkeypatch.setattr(Planning, "offers", offers)
    match = start()
    others = [match.scramble("red", Random(n)) for n in range(20)]
    assert len({"ambush" in other.state.hands[1] for other in others}) == 2
    assert len({other.why_not("red", Plan("nonsense")) for other in others}) == 1


def test_what_only_the_real_position_forbids_is_refused_without_a_reason(monkeypatch):
    def offers(self, m, role):
        allowed = ["march"] if m.state is real.state else ["march", "dig in"]
        return [Offer(Plan, Field("posture", "choice", OneOf(allowed)), rule="demo-plan")]

    real = start()
    monkeypatch.setattr(Planning, "offers", offers)
    assert real.why_not("red", Plan("dig in")).reason == "sandtable-not-possible"


def test_no_undo_can_re_roll_a_die():
    for seed in range(40):
        match = start(seed=seed)
        rng = Random(seed)
        while not match.over:
            role = rng.choice(match.decisions())
            rolled = match.state.rolled
            match.apply(role, match.offers(role).sample(rng))
            if match.state.rolled > rolled:
                assert all(match.can_undo(r) == 0 for r in match.roles)


# ---- windows
def battle_match(**orders):
    """Red walks from Reddale, blue stands at Marsh End: one battle, scripted."""
    match = Match.new(GAME, "war", {}, dice=ScriptedDice([1, 1, 1, *[3] * 40]))
    plan_all(match)
    match.apply("red", EndMoves())
    match.apply("blue", Walk("blue-1", ("Marsh End",)))
    match.apply("blue", EndMoves())
    match.apply("green", EndMoves())
    plan_all(match)
    for role, order in orders.items():
        match.apply(role, order)
    match.apply("red", Walk("red-1", ("Marsh End",)))
    match.apply("red", EndMoves())
    return match


def test_a_window_asks_those_who_want_to_be_asked_and_shows_all_who_may_be():
    match = battle_match(blue=Order(ask=()))
    assert isinstance(match.step, Window)
    assert match.decisions() == ("red",)
    assert match.waiting_for() == ("red", "blue")
    assert match.view("green").state.stack[-1] == Window("before-battle", ("red", "blue"), ())
    assert match.view("red").state.stack[-1].pending == ("red",)


def test_a_window_nobody_wants_is_not_opened():
    match = battle_match(blue=Order(ask=()), red=Order(ask=()))
    assert not any(isinstance(step, Window) for step in match.state.stack)


def test_quiet_until_a_window_opens_then_asks_again():
    match = battle_match(red=Order(quiet_until="before-battle"), blue=Order(ask=()))
    assert match.decisions() == ("red",)
    assert match.state.orders["red"].quiet_until == ""
    assert match.why_not("red", Order(ask=("tea-time",))).reason == "sandtable-no-window"


def test_a_card_is_played_in_a_window_and_counts():
    match = battle_match(blue=Order(ask=()))
    assert "ambush" in match.state.hands[0]
    match.apply("red", PlayCard("ambush"))
    assert match.state.stack[-2].bonus == (2, 0)
    match.apply("red", Pass())
    rolled = [event for _, event in match.events if isinstance(event, Rolled)][-2:]
    assert [event.value for event in rolled] == [3, 3]


def test_standing_orders_are_seen_by_their_owner_alone():
    match = start()
    match.apply("red", Order(ask=()))
    assert match.view("red").state.orders.keys() == {"red"}
    assert match.view("blue").state.orders == {}
    assert match.view(None).state.orders == {}


# ---- hiding
@settings(max_examples=40, deadline=None)
@given(positions, st.integers(), st.sampled_from(["red", "blue", "green"]))
def test_views_of_states_that_differ_only_in_hidden_things_are_the_same_bytes(match, seed, role):
    other = match.scramble(role, Random(seed))
    assert GAME.codec.pack(other.view(role).state) == GAME.codec.pack(match.view(role).state)
    assert msgspec.json.encode(other.table(role)) == msgspec.json.encode(match.table(role))
    assert other.waiting_for() == match.waiting_for()
    assert not other.faults()


@settings(max_examples=40, deadline=None)
@given(positions, st.integers(), st.sampled_from(["red", "blue", "green"]))
def test_determinize_agrees_with_all_that_the_role_knows(match, seed, role):
    guess = match.determinize(role, Random(seed))
    assert GAME.codec.pack(guess.view(role).state) == GAME.codec.pack(match.view(role).state)
    assert not guess.faults()


def test_scrambled_and_made_up_states_do_differ():
    match = played(5, 30)
    assert len({match.scramble("red", Random(n)).digest() for n in range(20)}) > 5
    assert len({match.determinize("red", Random(n)).digest() for n in range(20)}) > 5


def test_events_tell_a_role_the_same_in_both_of_two_matches_it_cannot_tell_apart():
    """Red recruits, walks and ends its moves in two matches that differ in the others' hands and the deck."""
    match = start(seed=8)
    plan_all(match)
    other = match.scramble("red", Random(1))
    assert other.digest() != match.digest()
    for action in (Recruit((("red-4", 1),)), Walk("red-1", ("Fordham",)), EndMoves()):
        mine, theirs = match.apply("red", action), other.apply("red", action)
        assert [e for e in mine if e.seen_by is None or "red" in e.seen_by] == [
            e for e in theirs if e.seen_by is None or "red" in e.seen_by
        ]


def test_a_view_holds_no_hidden_card_posture_or_event():
    match = played(5, 30)
    for role in match.roles:
        view = match.view(role)
        i = match.roles.index(role)
        assert view.state.hands[i] == match.state.hands[i]
        assert all(card == "?" for j in range(3) if j != i for card in view.state.hands[j])
        assert set(view.state.deck) <= {"?"}
        for _, event in match.seen_events(role):
            assert event.seen_by is None or role in event.seen_by
    assert all(event.seen_by is None for _, event in match.seen_events(None))


def test_a_simultaneous_choice_is_hidden_until_all_have_chosen():
    match = start()
    match.apply("red", Plan("scout"))
    assert match.view("blue").state.stack[-1] == Planning(("?", "", ""))
    assert match.view("red").state.stack[-1] == Planning(("scout", "", ""))
    assert match.view(None).state.stack[-1] == Planning(("?", "", ""))


def test_determinize_does_not_know_the_dice_to_come():
    match = start(seed=5)
    futures = {match.determinize("red", Random(n)).play.dice.value(50, 10**6) for n in range(5)}
    assert match.play.dice.value(50, 10**6) not in futures
    assert len(futures) == 5


# ---- going on from a snapshot
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 999), st.integers(1, 60))
def test_a_match_goes_on_from_a_snapshot_as_if_it_had_never_stopped(seed, decisions):
    match = start(seed=seed)
    rng, snapshot = Random(seed), (0, GAME.codec.pack(match.state))
    for _ in range(decisions):
        if match.over:
            break
        role = rng.choice(match.decisions())
        match.apply(role, match.offers(role).sample(rng))
        if match.settled:
            snapshot = (match.number, GAME.codec.pack(match.state))
    number, packed = snapshot
    again = Match.restore(GAME, GAME.codec.unpack(packed), seed=match.seed, number=number)
    for entry in match.log[number:]:
        again.apply(entry.role, entry.action)
    assert again.digest() == match.digest()
    assert again.number == match.number
    assert [again.can_undo(role) for role in match.roles] == [match.can_undo(role) for role in match.roles]


# ---- clones
@settings(max_examples=30, deadline=None)
@given(positions, st.integers())
def test_a_clone_plays_on_by_itself(match, seed):
    before = match.digest()
    twin = match.clone()
    random_play(twin, Random(seed), most=15)
    assert match.digest() == before
    assert twin.log == []


# ---- ending
def test_a_side_loses_when_all_its_roles_have_resigned():
    match = start()
    match.apply("red", Resign())
    assert match.outcome.winners == ("blue", "green")
    assert (match.outcome.level, match.decisions()) == ("resignation", ())
    assert match.why_not("blue", Plan("march")).reason == "sandtable-over"


def test_a_draw_needs_everybody_and_can_be_withdrawn():
    match = start()
    match.apply("red", Draw())
    match.apply("blue", Draw())
    match.apply("red", Draw(agree=False))
    match.apply("green", Draw())
    assert not match.over
    match.apply("red", Draw())
    assert (match.outcome.winners, match.outcome.level) == ((), "draw")


# ---- options
@pytest.mark.parametrize(
    ("scenario", "options", "word"),
    [
        ("peace", {}, "no scenario 'peace'"),
        ("war", {"rain": True}, "no option 'rain'"),
        ("war", {"floods": 2}, "cannot be '2'"),
        ("war", {"gold": True}, "cannot be 'True'"),
        ("skirmish", {"gold": 3}, "not for the scenario"),
    ],
)
def test_unknown_scenarios_and_options_are_named(scenario, options, word):
    with pytest.raises(Unknown, match=word):
        Match.new(GAME, scenario, options)


def test_an_option_that_came_later_is_noted_only_where_it_is_chosen(monkeypatch):
    """So a match without it has the states of those that were saved before there was one."""
    before = start()
    monkeypatch.setattr(type(GAME), "options", GAME.options | {"bid": Option("bid", 0, (0, 2), later=True)})
    assert start().digest() == before.digest()
    assert start(bid=0).digest() == before.digest()
    assert start(bid=2).options["bid"] == 2


def test_options_change_the_rules_and_defaults_are_filled_in():
    assert start().options == {"floods": False, "gold": 1}
    assert start(floods=True).state.flooded is not None
    match = start(gold=3)
    plan_all(match)
    assert match.why_not("red", Recruit((("red-4", 2), ("red-5", 1)))) is None


def test_the_role_that_is_asked_now_is_asked_for_again_after_every_action():
    match, rng, together = start(), Random(5), 0
    while (role := match.asked) is not None:
        together += len(match.decisions()) > 1
        match.apply(role, match.offers(role).sample(rng))
    assert together
    assert match.over


def test_nothing_to_choose_says_why():
    match = start()
    match.apply("red", Plan("march"))
    with pytest.raises(NothingToChoose, match="red is not asked now; asked: blue, green"):
        match.offers("red").sample(Random(1))
    match.apply("red", Resign())
    with pytest.raises(NothingToChoose, match="the match is over"):
        match.offers("blue").sample(Random(1))
