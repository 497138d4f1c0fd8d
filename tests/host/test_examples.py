"""Every example of the book stands in a chapter, loads, and does what it says: allowed, or refused by its rule."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.core import LANGUAGES
from sandtable.games import find, games
from sandtable.host import books, lessons
from sandtable.host.messages import BeginLesson, ExampleFace

from .conftest import World, play

ALL = [(game, name) for game in games() for name in lessons.examples(find(game))]


def faces(game: str, language: str) -> dict[str, ExampleFace]:
    """Return the examples as the book shows them."""
    chapters = books.book(find(game), language).chapters
    return {one.id: one for chapter in chapters for part in chapter.paragraphs for one in part.examples}


@pytest.mark.parametrize("game", games())
def test_every_game_has_several_allowed_and_refused_ones_and_each_stands_in_the_book(game: str) -> None:
    found = lessons.examples(find(game))
    assert len(found) >= 6
    assert {bool(example.refused) for example in found.values()} == {True, False}
    for language in LANGUAGES:
        assert set(faces(game, language)) == set(found), "the rule of each is told by a paragraph"


@pytest.mark.parametrize(("game", "name"), ALL)
def test_what_it_tries_is_allowed_or_refused_by_the_stated_rule(game: str, name: str) -> None:
    example, match = lessons.examples(find(game))[name], lessons.start(find(game), name, "1")
    assert example.role in match.decisions()
    action = match.parse(example.action)
    refusal = match.why_not(example.role, action)
    assert (refusal.rule if refusal else "") == example.refused
    if refusal is None:
        match.apply(example.role, action)
        assert example.after is None or example.after.reached(match, example.role)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_its_picture_and_its_words_name_what_exists(game: str, name: str) -> None:
    example, match = lessons.examples(find(game))[name], lessons.start(find(game), name, "1")
    table = match.table(example.role)
    assert {*example.show} <= {*table.spaces}
    assert any(table.stacks.get(space) for space in example.show), "somebody is in the picture"
    for language in LANGUAGES:
        face = faces(game, language)[name]
        assert not any(sign in text for text in (face.title, face.say, face.ends) for sign in "[]{}")
        assert "–" not in face.say, "a chance that there is not"
        assert all(face.action)


def test_it_is_tried_like_a_lesson() -> None:
    async def scene(world: World) -> None:
        for game in games():
            for name, example in list(lessons.examples(find(game)).items()):
                await _try(world, game, name, example)

    async def _try(world: World, game: str, name: str, example: Any) -> None:
        made = await world.host.begin_lesson(BeginLesson(game, name))
        client = await world.join(made.match, made.seats[0].secret)
        face = client.state["lesson"]
        assert face["kind"] == "example"
        assert face["next"] is None
        if example.refused:
            assert face["steps"][0]["tries"]["action"] == example.action
        assert bool(face["hint"]) == (not example.refused)
        answer = await client.act(example.role, example.action)
        if example.refused:
            assert answer["error"]["rule"] == example.refused
        else:
            assert client.state["lesson"]["done"]
        drawn = (await client.ask("example", name=name))["value"]
        assert drawn["role"] == example.role

    play(scene)


def test_there_is_no_example_of_that_name() -> None:
    async def scene(world: World) -> None:
        _, _, (red, *_) = await world.table()
        assert (await red.ask("example", name="example/none"))["error"]["code"] == "not-found"

    play(scene)
