"""Values of an offer as a person reads them."""

from __future__ import annotations

from random import Random

import pytest

from sandtable.core import Match
from sandtable.games import find, games
from sandtable.host.labels import add_labels, is_closed, label


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from strings(one)


@pytest.mark.parametrize("name", games())
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_chosen_by_a_word_has_a_name(name, language):
    """Random play: no field of kind 'choice' shows the code's own word, with an underscore or in small letters."""
    game = find(name)
    texts, rng = game.texts(language), Random(6)
    bare: set[tuple[str, str]] = set()
    match = Match.new(game, next(iter(game.scenarios)), seed=6, history=False)
    for _ in range(120):
        if match.over:
            break
        role = match.decisions()[0]
        table = match.table(role, language)
        known = {counter.id for stack in table.stacks.values() for counter in stack} | set(table.spaces)
        known |= {card.id for panel in table.panels for card in panel.cards} | {box.id for box in table.boxes}
        for offer in match.offers(role).offers:
            face = add_labels(game.codec.builtins(offer.describe()), texts)
            for place, field in enumerate(face["fields"]):
                if field["kind"] != "choice" or place or is_closed(face):
                    continue
                told = face["next"]
                labels = told.get("labels") or [None] * len(told["values"])
                for value, found in zip(told["values"], labels, strict=True):
                    if isinstance(value, str) and value and found is None and value not in known:
                        bare.add((offer.verb, value))
        match.apply(role, match.offers(role).sample(rng))
    assert {(verb, word) for verb, word in bare if word == word.lower() or "_" in word} == set()


def test_a_verb_may_name_a_value_its_own_way_and_copies_are_named_by_their_kind():
    texts = find("blitzkrieg-general").texts("en")
    assert label(texts, "retreat", "air") != label(texts, "assign", "air")
    assert label(texts, "place", "germany-inf-3-10") == label(texts, "build", "germany-inf-3")
    assert label(texts, "place", 3) is None
    assert label(texts, "place", "no such thing") is None


def test_offers_in_which_nothing_can_be_chosen_are_closed():
    assert is_closed({"verb": "x", "fields": [], "actions": []})
    assert is_closed({"verb": "x", "fields": [{"name": "to", "kind": "space"}], "next": {"type": "one", "values": []}})
    assert not is_closed({"verb": "done", "fields": []})
    listed = {"verb": "retreat", "fields": [], "actions": [{"do": "retreat", "what": "air"}]}
    assert add_labels(listed, find("blitzkrieg-general").texts("de"))["words"] == {
        "air": "Die Flieger abfliegen lassen"
    }
