"""What a player reads is written for people: played at random, in every game and scenario, in both languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sandtable.core import Match, Offer, Rolled
from sandtable.core.table import Table
from sandtable.games import find, games
from sandtable.host.labels import add_labels

SCENARIOS = [(name, scenario) for name in games() for scenario in find(name).scenarios]
DECISIONS = 400
"""Decisions of each match; the table and the offers are looked at now and then."""
EVERY = 9
CODE = re.compile(
    r"#\d"  # the number of a counter
    r"|\b[a-z0-9]+_[a-z0-9_]+\b"  # a word of the code
    r"|(?<!\[)\b(?:hw|mw|bg|w2e)-[a-z0-9]"  # the id of a rule, if not in brackets behind a reason
    r"|\b(?:verb|event|prompt|refusal|name|choice|step|table|panel|rules)\.[a-z]"  # the key of a sentence
    r"|\b[A-Z]{2}-[A-Z0-9]+\b"  # a counter of Munich War
    r"|[{}@]"  # a blank that was not filled
    r"|(?<![\w)])\?"  # a fact that was missing
)
GAPS = re.compile(r" [,.;:!)]|\( |, *[.,;)]|: *[.;,]|\(\)|  |: *$|, *$|^[ ,.;]")


def faults_in(text: str) -> str | None:
    """What is wrong with a text, if anything is."""
    if found := CODE.search(text):
        return f"{found.group()!r} in {text!r}"
    if found := GAPS.search(text):
        return f"a gap at {found.start()} in {text!r}"
    return None


def written(table: Table) -> Iterator[tuple[str, str]]:
    """Every text of the table, with the kind of place it stands in."""
    yield "prompt", table.prompt
    yield "turn", table.turn
    for stage in table.sequence:
        yield "step", stage.title
    for space in table.spaces.values():
        yield "tooltip of a space", space.tooltip
        for mark in space.marks:
            yield "mark", mark.tooltip
    for stack in table.stacks.values():
        for counter in stack:
            yield "tooltip of a counter", counter.tooltip
            yield "label of a counter", counter.label
    for box in table.boxes:
        yield "box", box.title
    for track in table.tracks:
        yield "track", track.title
        for mark_ in track.marks:
            yield "mark on a track", mark_.tooltip or mark_.label
    for panel in table.panels:
        yield "panel", panel.title
        for row in panel.rows:
            for cell in row.cells:
                yield "cell of a panel", cell
        for card in panel.cards:
            yield "card", card.title
            yield "text of a card", card.text
    for overlay in table.overlays:
        yield "overlay", overlay.title
        for word in overlay.legend.values():
            yield "legend", word


def offered(match: Match[Any], offer: Offer, texts: Any) -> Iterator[tuple[str, str]]:
    face = add_labels(match.game.codec.builtins(offer.describe()), texts)
    hint = f"verb.{offer.hint}" if offer.hint else f"verb.{offer.verb}"
    yield "offer", texts.say(hint if hint in texts else f"verb.{offer.verb}")
    for label in (face.get("next") or {}).get("labels") or ():
        yield "label of a choice", label or ""
    for label in face.get("words", {}).values():
        yield "label of a choice", label


def unlike(kind: str, text: str) -> str:
    """One example of a fault is enough: numbers and names differ, the sentence is the same."""
    return f"{kind}: {re.sub(r'[0-9]+', '0', text)[:40]}"


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_everything_a_player_reads_is_words(name: str, scenario: str) -> None:
    game = find(name)
    spoken = {language: game.texts(language) for language in ("en", "de")}
    match, rng = Match.new(game, scenario, seed=11, history=False), Random(11)
    wrong: dict[str, str] = {}

    def look(kind: str, language: str, text: str) -> None:
        fault = faults_in(text)
        if fault:
            wrong.setdefault(unlike(kind, fault), f"{kind} ({language}): {fault}")

    for number in range(DECISIONS):
        if match.over:
            break
        role = match.decisions()[0]
        if number % EVERY == 0:
            for language, texts in spoken.items():
                for kind, text in written(match.table(role, language)):
                    look(kind, language, text)
                for offer in match.offers(role).offers:
                    for kind, text in offered(match, offer, texts):
                        look(kind, language, text)
        for event in match.apply(role, match.offers(role).sample(rng)):
            if not isinstance(event, Rolled):
                for language, texts in spoken.items():
                    look("log", language, texts.event(event))
    assert not wrong, f"{len(wrong)} texts are not for people:\n" + "\n".join(list(wrong.values())[:40])


@pytest.mark.parametrize(
    "text",
    [
        "Germany: infantry#117 goes to Berlin.",
        "France loses a tank (w2e-battle-units).",
        "Searches the North Sea, finds: .",
        "Siberia in tac_air receives 1.",
        "{unit} moves.",
        "A card for ?.",
        "GE-01 moves.",
        "Germany , Italy",
        "verb.end-step",
        "Set aside: USA  57.",
    ],
)
def test_the_faults_we_look_for_are_found(text: str) -> None:
    assert faults_in(text)


def test_plain_sentences_pass() -> None:
    for text in (
        "Axis: 17 production points.",
        "Attack (Achse) mit 2 × Panzer.",
        "Warsaw (O13) – Minsk (Q15)",
        "",
        "1/3",
    ):
        assert faults_in(text) is None
