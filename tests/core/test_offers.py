"""Domains and offers: listing, counting, sampling, checking and refusing agree with each other."""

import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core import (
    Action,
    Amounts,
    Barred,
    Choices,
    Field,
    Late,
    Menu,
    NothingToChoose,
    Numbers,
    Offer,
    Offers,
    OneOf,
    Pass,
    Refusal,
    Subsets,
    Walks,
    Where,
)

RING = {place: ((place - 1) % 6, (place + 1) % 6) for place in range(6)}


def odd_only(value):
    total = sum(value) if isinstance(value, tuple) else value
    return None if total % 2 else Refusal("t-odd", value=total)


def no_more_than_five(value):
    return Refusal("t-five") if sum(number for _, number in value) > 5 else None


small = st.lists(st.integers(0, 9), unique=True, max_size=6)
domains = st.one_of(
    small.map(OneOf),
    small.map(set).map(OneOf),
    small.map(lambda items: Where(items, odd_only)),
    st.builds(Numbers, st.integers(-2, 3), st.integers(-3, 5)),
    st.builds(lambda items, a, b: Subsets(items, a, b), small, st.integers(0, 3), st.integers(0, 4)),
    st.builds(lambda items, a: Subsets(items, a, rule=odd_only), small, st.integers(0, 3)),
    st.builds(
        lambda limits, a, b: Amounts(limits, a, b),
        st.dictionaries(st.sampled_from("abc"), st.integers(0, 3)),
        st.integers(0, 3),
        st.integers(0, 6),
    ),
    st.builds(
        lambda limits: Amounts(limits, rule=no_more_than_five),
        st.dictionaries(st.sampled_from("abc"), st.integers(0, 3)),
    ),
    st.builds(
        lambda start, most: Walks(
            lambda so_far: [n for n in RING[so_far[-1] if so_far else start] if n not in so_far], most=most
        ),
        st.integers(0, 5),
        st.integers(1, 4),
    ),
)


@given(domains, st.integers())
def test_a_domain_agrees_with_itself(domain, seed):
    listed = list(domain)
    assert len(listed) == len(set(listed)) == len(domain)
    assert all(value in domain for value in listed)
    rng = Random(seed)
    if listed:
        assert all(domain.sample(rng) in listed for _ in range(5))
    else:
        with pytest.raises(NothingToChoose):
            domain.sample(rng)
    domain.describe()


@given(domains, st.one_of(st.integers(-5, 12), st.lists(st.integers(0, 9), max_size=4).map(tuple), st.text(max_size=1)))
def test_what_is_not_listed_is_not_in_it(domain, value):
    assert (value in domain) == (value in list(domain))


def test_subsets_keep_the_order_of_the_items():
    assert ("b", "a") not in Subsets(["a", "b"])
    assert ("a", "b") in Subsets(["a", "b"])
    assert ("a", "a") not in Subsets(["a", "b"])


class March(Action, frozen=True, tag="march"):
    unit: str
    to: int
    points: int = 0


class Pair(Action, frozen=True, tag="pair"):
    a: int
    b: int


class Rest(Action, frozen=True, tag="rest"):
    pass


def march_offer():
    return Offer(
        March,
        Field("unit", "unit", OneOf(("tank", "foot", "stuck"))),
        Field("to", "space", lambda unit: Where(range({"tank": 4, "foot": 2, "stuck": 0}[unit]), odd_only)),
        Field("points", "number", Numbers(1, 2)),
        rule="t-march",
    )


def test_an_offer_lists_counts_and_checks_the_same_actions():
    offer = march_offer()
    listed = list(offer)
    everything = [
        March(unit, to, points) for unit, to, points in itertools.product(("tank", "foot", "stuck"), range(5), range(4))
    ]
    assert len(offer) == len(listed) == 6
    assert [action for action in everything if action in offer] == listed
    rng = Random(1)
    assert {offer.sample(rng) for _ in range(200)} == set(listed)


def test_a_refusal_names_the_most_special_rule():
    offer = march_offer()
    assert offer.refuse(March("tank", 2, 1)) == Refusal("t-odd", value=2)
    assert offer.refuse(March("plane", 1, 1)) == Refusal(
        "t-march", "sandtable-not-available", field="unit", value="plane"
    )
    assert offer.refuse(March("tank", 1, 9)).rule == "t-march"
    assert offer.refuse(Rest()).reason == "sandtable-other-action"


def test_among_several_offers_the_one_that_came_furthest_explains():
    near = Offer(March, Field("unit", "unit", OneOf(("boat",))), rule="t-sea")
    offers = Offers([near, march_offer(), Offer(Rest, rule="t-rest")], "t-step")
    assert offers.refuse(March("tank", 2, 1)) == Refusal("t-odd", value=2)
    assert offers.refuse(Rest()) is None
    assert len(offers) == 1 + 6 + 1
    assert Offers([], "t-step").refuse(Rest()) == Refusal("t-step", "sandtable-not-now", verb="rest")


def test_sampling_passes_over_empty_offers_and_dead_ends():
    empty = Offer(March, Field("unit", "unit", OneOf(())), rule="t-march")
    offers = Offers([empty, Offer(Rest, rule="t-rest")], "t-step")
    assert {offers.sample(Random(seed)) for seed in range(20)} == {Rest()}
    with pytest.raises(NothingToChoose):
        Offers([empty], "t-step").sample(Random(0))
    assert not Offers([empty], "t-step")


def test_choices_list_whole_actions():
    choices = Choices([March("tank", 1, 1), March("foot", 1, 1)], rule="t-march")
    assert March("foot", 1, 1) in choices
    assert March("foot", 2, 1) not in choices
    assert len(choices) == 2


def test_a_description_leads_through_the_fields():
    offer = march_offer()
    assert offer.describe()["next"]["values"] == ["tank", "foot", "stuck"]
    assert offer.describe(("tank",))["next"]["values"] == [1, 3]
    assert offer.describe(("tank", 1))["next"] == {"type": "number", "least": 1, "most": 2}
    assert "next" not in offer.describe(("tank", 1, 1))


def test_a_barred_offer_has_nothing_to_choose_and_tells_the_rule_that_closes_it():
    barred = Barred(Pass, Refusal("demo-1", "closed"))
    offers = Offers([barred], "demo-2")
    assert not barred
    assert list(barred) == []
    assert barred.describe()["actions"] == []  # the client lists no button for it
    assert offers.refuse(Pass()) == Refusal("demo-1", "closed")
    with pytest.raises(NothingToChoose):
        offers.sample(Random(1))


def test_a_late_offer_makes_its_fields_once_when_somebody_looks_into_it():
    made = []

    def fields(first, last):
        made.append((first, last))
        return (Field("a", "number", Numbers(first, last)), Field("b", "number", lambda a: Numbers(a, last)))

    late = Late(Pair, fields, 1, 3, rule="t-late")
    at_once = Offer(Pair, *fields(1, 3), rule="t-late")
    made.clear()
    assert (late.act, late.rule, late.verb) == (at_once.act, at_once.rule, at_once.verb)
    assert made == []
    assert list(late) == list(at_once)
    assert len(late) == len(at_once) == 6
    assert late.describe() == at_once.describe()
    assert [late.sample(Random(n)) for n in range(9)] == [at_once.sample(Random(n)) for n in range(9)]
    assert late.refuse(Pair(2, 1)) == at_once.refuse(Pair(2, 1))
    assert made == [(1, 3)]
    with pytest.raises(AttributeError):
        getattr(late, "nothing")  # noqa: B009


def test_a_menu_makes_an_offer_once_when_somebody_looks_at_it():
    made = []

    def choose(rule, *actions):
        made.append(rule)
        return Choices(actions, rule=rule)

    shut = Barred(Pass, Refusal("t-shut", "closed"))
    at_once = Offers([shut, choose("t-one", Pair(1, 1), Pair(1, 2)), choose("t-two", Pair(2, 1))], "t")
    made.clear()

    def listed():
        return Offers(Menu([shut, (choose, "t-one", Pair(1, 1), Pair(1, 2)), (choose, "t-two", Pair(2, 1))]), "t")

    assert [listed().sample(Random(n)) for n in range(20)] == [at_once.sample(Random(n)) for n in range(20)]
    assert len(made) == 20  # the one that was drawn, and no other
    made.clear()
    offers = listed()
    assert list(offers) == list(at_once) == [Pair(1, 1), Pair(1, 2), Pair(2, 1)]
    assert offers.describe() == at_once.describe()
    assert offers.refuse(Pair(2, 2)) == at_once.refuse(Pair(2, 2))
    assert offers.refuse(Pass()) == Refusal("t-shut", "closed")
    assert (len(offers), bool(offers), [offer.rule for offer in offers.offers]) == (
        3,
        True,
        ["t-shut", "t-one", "t-two"],
    )
    assert made == ["t-one", "t-two"]


def test_subsets_are_drawn_as_the_standard_library_draws_them():
    """Saved matches and golden files hang on it."""
    for number in (1, 5, 21, 22, 40):
        for seed in range(20):
            mine, theirs = Random(seed), Random(seed)
            size = theirs.randint(0, number)
            drawn = tuple(sorted(theirs.sample(range(number), size)))
            assert Subsets(range(number)).sample(mine) == drawn
            assert mine.random() == theirs.random()
