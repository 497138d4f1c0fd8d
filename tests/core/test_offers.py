"""Domains and offers: listing, counting, sampling, checking and refusing agree with each other."""

import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.core import (
    Action,
    Amounts,
    Choices,
    Field,
    Named,
    NamedBits,
    Names,
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
from sandtable.core.bits import bits, mask_of

RING = {place: ((place - 1) % 6, (place + 1) % 6) for place in range(6)}


def odd_only(value):
    total = sum(value) if isinstance(value, tuple) else value
    return None if total % 2 else Refusal("t-odd", value=total)


def no_more_than_five(value):
    return Refusal("t-five") if sum(number for _, number in value) > 5 else None


LETTERS = Names.of("abcdefghij")


def lower_half(number):
    return Refusal("t-half") if number >= 5 else None


small = st.lists(st.integers(0, 9), unique=True, max_size=6)
domains = st.one_of(
    small.map(OneOf),
    small.map(set).map(OneOf),
    small.map(lambda items: Where(items, odd_only)),
    small.map(lambda items: Named(items, LETTERS)),
    small.map(lambda items: Named(items, LETTERS, lower_half)),
    small.map(lambda items: NamedBits(mask_of(items), LETTERS)),
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


def test_a_closed_offer_has_nothing_to_choose_and_cites_the_rule_that_closes_it():
    closed = Offer(Pass, Refusal("demo-1", "closed"), rule="demo-3")
    offers = Offers([closed], "demo-2")
    assert closed.closed == Refusal("demo-1", "closed")
    assert not closed
    assert (list(closed), len(closed), closed.fields) == ([], 0, ())
    assert closed.describe()["actions"] == []  # the client shows no button for it
    assert offers.refuse(Pass()) == Refusal("demo-1", "closed")
    with pytest.raises(NothingToChoose, match=r"closed \[demo-1\]"):
        closed.sample(Random(1))
    with pytest.raises(NothingToChoose, match="none of 1 offers"):
        offers.sample(Random(1))
    assert Offer(Pass, rule="demo-3").closed is None


def test_an_offer_with_a_function_makes_its_fields_once_when_somebody_looks_into_it():
    made = []

    def fields():
        made.append(True)
        return (Field("a", "number", Numbers(1, 3)), Field("b", "number", lambda a: Numbers(a, 3)))

    lazy = Offer(Pair, fields, rule="t-lazy")
    at_once = Offer(Pair, *fields(), rule="t-lazy")
    made.clear()
    assert (lazy.act, lazy.rule, lazy.verb) == (at_once.act, at_once.rule, at_once.verb)
    assert made == []
    assert list(lazy) == list(at_once)
    assert len(lazy) == len(at_once) == 6
    assert lazy.describe() == at_once.describe()
    assert [lazy.sample(Random(n)) for n in range(9)] == [at_once.sample(Random(n)) for n in range(9)]
    assert lazy.refuse(Pair(2, 1)) == at_once.refuse(Pair(2, 1))
    assert made == [True]


def test_the_function_of_an_offer_may_return_a_refusal():
    offer = Offer(Pair, lambda: Refusal("t-shut", "closed"), rule="t-lazy")
    assert list(offer) == []
    assert offer.refuse(Pair(1, 1)) == Refusal("t-shut", "closed")
    offers = Offers([offer, Offer(Rest, rule="t-rest")], "t")
    assert {offers.sample(Random(seed)) for seed in range(20)} == {Rest()}


def test_sampling_looks_only_into_the_offer_it_draws():
    made = []

    def offer(name):
        def fields():
            made.append(name)
            return Field("a", "number", Numbers(1, 2)), Field("b", "number", Numbers(1, 2))

        return Offer(Pair, fields, rule=f"t-{name}")

    for seed in range(20):
        Offers([offer("one"), offer("two"), offer("three")], "t").sample(Random(seed))
    assert len(made) == 20
    assert set(made) == {"one", "two", "three"}


def test_a_field_may_depend_on_the_first_fields_only():
    made = []

    def points(unit):
        made.append(unit)
        return Numbers(1, {"tank": 3, "foot": 1}[unit])

    offer = Offer(
        March,
        Field("unit", "unit", OneOf(("tank", "foot"))),
        Field("to", "space", lambda unit: Numbers(1, {"tank": 4, "foot": 2}[unit])),
        Field("points", "number", points, first=1),
        rule="t-march",
    )
    assert len(offer) == 4 * 3 + 2 * 1
    assert made == ["tank", "foot"]  # a product for each unit, not one count for each place
    assert len(list(offer)) == len(offer)
    assert offer.sample(Random(1)) in offer


def test_an_action_that_was_drawn_is_not_looked_at_again():
    asked = []

    def odd(value):
        asked.append(value)
        return odd_only(value)

    offers = Offers(
        [Offer(Pair, Field("a", "number", Where([1], odd)), Field("b", "number", OneOf([1])), rule="t")], "t"
    )
    drawn = offers.sample(Random(1))
    asked.clear()
    assert offers.refuse(drawn) is None
    assert asked == []
    assert offers.refuse(Pair(1, 1)) is None  # an equal one from elsewhere is
    assert asked == [1]
    assert offers.check(drawn) is None
    assert asked == [1, 1]


BIRDS = Names.of(("auk", "bee-eater", "crow", "dove", "egret"))


def test_named_things_go_by_name_outside_and_by_number_inside():
    def not_a_crow(bird):
        return Refusal("t-crow") if bird == 2 else None

    named = Named([1, 2, 4], BIRDS, not_a_crow, lambda bird: Refusal("t-away", bird=bird))
    assert list(named) == ["bee-eater", "egret"]
    assert "crow" not in named
    assert named.why("crow") == Refusal("t-crow")
    assert named.why("auk") == Refusal("t-away", bird=0)
    assert named.why("emu") is None
    assert named.why(7) is None
    assert {named.sample(Random(seed)) for seed in range(30)} == {"bee-eater", "egret"}


def test_a_set_of_named_things_may_be_one_integer():
    named = NamedBits(0b10110, BIRDS, lambda bird: Refusal("t-away", bird=bird), notes=lambda: {1: "tea", 4: "milk"})
    assert list(named) == ["bee-eater", "crow", "egret"]
    assert named.describe() == {"type": "one", "values": list(named), "notes": ["tea", None, "milk"]}
    assert named.why("auk") == Refusal("t-away", bird=0)
    assert named.why("emu") is None


def test_bits_are_numbers_in_order():
    assert list(bits(0b10110)) == [1, 2, 4]
    assert mask_of([4, 1, 2, 1]) == 0b10110
    assert (list(bits(0)), mask_of(())) == ([], 0)


def test_subsets_are_drawn_as_the_standard_library_draws_them():
    """Golden files depend on it."""
    for number in (1, 5, 21, 22, 40):
        for seed in range(20):
            mine, theirs = Random(seed), Random(seed)
            size = theirs.randint(0, number)
            drawn = tuple(sorted(theirs.sample(range(number), size)))
            assert Subsets(range(number)).sample(mine) == drawn
            assert mine.random() == theirs.random()
