"""Stories: a player's own until they are published, whole in a file, and of no other match than theirs."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import msgspec
import pytest

from sandtable.core import SandtableError
from sandtable.core import replay as files
from sandtable.host import MemoryStorage, log, stories
from sandtable.host.errors import NotAllowed, NotFound
from sandtable.host.messages import AddVariation, Annotate, AskVariation, Branch, ImportFile, Publish, StoryFace
from sandtable.host.visit import Visit
from tests.demo.game import GAME as DEMO

from .conftest import PLAN, Client, World, of_a_server, play


async def play_on(world: World, match: str, moves: int = 100_000, seed: int = 2) -> None:
    """Play at random, to the end or for so many moves."""
    live, rng = await world.host.matches.live(match), Random(seed)
    for _ in range(moves):
        if live.match.over:
            break
        role = live.match.decisions()[0]
        action = live.match.offers(role).sample(rng)
        await world.host.matches.act(match, role, action, answers=live.match.number)


async def note(client: Client, at: int, text: str, **more: Any) -> dict[str, Any]:
    """Write something; returns the story."""
    version = (await client.ask("story"))["value"]["version"]
    value: dict[str, Any] = (await client.ask("annotate", at=at, text=text, version=version, **more))["value"]
    return value


def test_what_a_player_writes_is_theirs_alone_and_is_kept() -> None:
    async def scene(world: World) -> None:
        match, secrets, (red, blue, _) = await world.table()
        await red.act("red", PLAN)
        empty = (await red.ask("story"))["value"]
        assert (empty["number"], empty["notes"], empty["mine"], empty["eyes"]) == (0, [], True, "red")
        told = await note(red, 1, "  We march.  ", arrows=[["north", "east"]], spaces=["north"])
        assert told["notes"] == [
            {"at": 1, "text": "We march.", "arrows": [["north", "east"]], "spaces": ["north"], "variations": []}
        ]
        await note(red, 0, "Before it began.")
        again = await world.join(match, secrets[0], world.another_host())
        kept = (await again.ask("story"))["value"]
        assert [(one["at"], one["text"]) for one in kept["notes"]] == [(0, "Before it began."), (1, "We march.")]
        spectator = await world.join(match, None)
        for other in (blue, spectator):
            face = (await other.ask("story"))["value"]
            assert (face["number"], face["notes"], face["others"]) == (0, [], [])
            assert (await other.ask("story", number=kept["number"]))["error"]["code"] == "not-found"
        assert (await spectator.ask("annotate", at=0, text="x", version=0))["error"]["code"] == "no-seat"
        assert [one["at"] for one in (await note(red, 1, ""))["notes"]] == [0], "nothing said is no note"

    play(scene)


def test_two_tabs_do_not_overwrite_each_other_and_nothing_is_written_twice() -> None:
    async def scene(world: World) -> None:
        match, secrets, (red, *_) = await world.table()
        tab = await world.join(match, secrets[0], world.another_host())
        first = await note(red, 0, "One.")
        late = await tab.ask("annotate", at=0, text="Two.", version=0)
        assert late["status"] == 409
        repeated = await tab.ask("annotate", at=0, text="One.", version=0)
        assert repeated["value"] == first, "what was lost on its way and is sent again has been done"
        assert (await red.ask("annotate", at=7, text="Seven.", version=1))["error"]["code"] == "not-found"
        assert (await red.ask("story"))["value"] == first

    play(scene)


def test_another_player_of_the_same_seat_does_not_read_what_the_first_one_wrote() -> None:
    async def scene(world: World) -> None:
        match, _, (red, *_) = await world.table()
        number = (await note(red, 0, "Mine."))["number"]
        live = await world.host.matches.live(match)
        was = live.seats[0]
        assert await world.host.matches.reseat(live, was, msgspec.structs.replace(was, person="somebody-else"))
        face = (await red.ask("story"))["value"]
        assert (face["number"], face["notes"]) == (0, [])
        assert (await red.ask("story", number=number))["error"]["code"] == "not-found"
        assert (await note(red, 0, "And mine."))["number"] != number

    play(scene)


def test_a_story_is_published_when_the_match_is_over_and_then_anybody_reads_it() -> None:
    async def scene(world: World) -> None:
        match, _, (red, blue, _) = await world.table()
        told = await note(red, 0, "Once upon a time.")
        assert not told["may_publish"]
        cover = {"title": "My war", "eyes": "red", "published": True}
        early = await red.ask("publish", **cover, version=told["version"])
        assert early["error"]["code"] == "not-allowed"
        await play_on(world, match)
        empty = await blue.ask("publish", **cover, version=0)
        assert "says nothing yet" in empty["error"]["message"]
        assert (await red.ask("publish", **{**cover, "eyes": "nobody"}, version=1))["error"]["code"] == "not-found"
        done = (await red.ask("publish", **cover, version=told["version"]))["value"]
        assert done["published"]
        stranger = await world.join(match, None)
        read = (await stranger.ask("story", number=done["number"]))["value"]
        assert (read["title"], read["eyes"], read["mine"]) == ("My war", "red", False)
        assert read["notes"] == done["notes"]
        assert (await stranger.ask("story"))["value"]["others"] == [
            {"number": done["number"], "title": "My war", "by": read["by"]}
        ]
        await red.ask("publish", **{**cover, "published": False}, version=done["version"])
        assert (await stranger.ask("story", number=done["number"]))["error"]["code"] == "not-found"

    play(scene)


async def told_with_variation(world: World) -> tuple[str, Visit, StoryFace, str]:
    """A finished match with a story, and in it a variation from move 4 on; also the branch it was played on."""
    match, secrets = await world.create()
    await play_on(world, match)
    visit = await world.host.visit(match, secrets[0], "en")
    face = await stories.annotate(visit, Annotate(at=3, version=0, text="Here.", arrows=[["a", "b"]], spaces=["a"]))
    branch = await visit.branch(Branch(at=4))
    await play_on(world, branch.match, 9, seed=5)
    secret = branch.seats[0].secret
    face = await stories.add_variation(visit, AddVariation(branch=branch.match, seat=secret, version=1, text="Or so."))
    return match, visit, face, branch.match


def test_a_variation_shows_the_positions_of_the_branch_it_was_played_on() -> None:
    async def scene(world: World) -> None:
        _, visit, face, branch = await told_with_variation(world)
        assert [(one.at, len(one.variations)) for one in face.notes] == [(3, 0), (4, 1)]
        [shown] = face.notes[1].variations
        assert (shown.text, len(shown.moves)) == ("Or so.", 9)
        other = await world.host.visit(branch, None, "en")
        for move in (0, 5, 9):
            step = await stories.variation(visit, AskVariation(story=face.number, at=4, place=0, move=move, role="red"))
            assert step.table == (await world.host.matches.at(branch, 4 + move)).table("red", "en")
        assert [line.text for line in step.lines] == [
            line.text
            for line in log.lines(DEMO, await world.host.matches.tail(other.live.row, 4), other.match.roles, "en")
        ]
        await world.host.storage.delete(branch)
        world.host.matches.forget(branch)
        again = await stories.variation(visit, AskVariation(story=face.number, at=4, place=0, move=9, role="red"))
        assert again == step, "the story is whole without the branch"
        with pytest.raises(NotFound):
            await stories.variation(visit, AskVariation(story=face.number, at=4, place=1, move=0))

    play(scene)


def test_only_a_branch_of_the_match_is_a_variation_of_it() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create()
        other, others = await world.create()
        await play_on(world, match)
        await play_on(world, other)
        visit = await world.host.visit(match, secrets[0], "en")
        elsewhere = await (await world.host.visit(other, others[0], "en")).branch(Branch(at=2))
        await play_on(world, elsewhere.match, 3)
        with pytest.raises(NotAllowed, match="no branch of this one"):
            await stories.add_variation(
                visit, AddVariation(branch=elsewhere.match, seat=elsewhere.seats[0].secret, version=0)
            )
        with pytest.raises(NotAllowed, match="no branch of this one"):
            await stories.add_variation(visit, AddVariation(branch=other, seat=others[0], version=0))
        mine = await visit.branch(Branch(at=2))
        with pytest.raises(NotAllowed, match="nothing has been played"):
            await stories.add_variation(visit, AddVariation(branch=mine.match, seat=mine.seats[0].secret, version=0))
        await play_on(world, mine.match, 3)
        # a branch of the branch: its own moves are told from where it left the match that is told
        inner = await world.host.visit(mine.match, mine.seats[0].secret, "en")
        deeper = await inner.branch(Branch(at=1))
        await play_on(world, deeper.match, 2)
        seat = deeper.seats[0].secret
        face = await stories.add_variation(visit, AddVariation(branch=deeper.match, seat=seat, version=0))
        assert [one.at for one in face.notes] == [1]
        late = await inner.branch(Branch(at=4))
        await play_on(world, late.match, 2)
        with pytest.raises(NotAllowed, match="no branch of this one"):
            await stories.add_variation(visit, AddVariation(branch=late.match, seat=late.seats[0].secret, version=1))

    play(scene)


def test_a_match_with_hidden_things_has_no_variations_while_it_runs() -> None:
    async def scene(world: World) -> None:
        _, _, (red, *_) = await world.table()
        await red.act("red", PLAN)
        told = await note(red, 1, "Hm.")
        answer = await red.ask("add-variation", branch="whatever", version=told["version"])
        assert answer["error"]["code"] == "not-allowed"

    play(scene)


def test_a_variation_leaves_out_what_was_taken_back() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create()
        await play_on(world, match)
        visit = await world.host.visit(match, secrets[0], "en")
        made = await visit.branch(Branch(at=0))
        mine = await world.join(made.match, made.seats[0].secret)
        await mine.act("red", PLAN)
        await mine.act("red", {"do": "undo"})
        await mine.act("red", {"do": "plan", "posture": "dig in"})
        wish = AddVariation(branch=made.match, seat=made.seats[0].secret, version=0)
        face = await stories.add_variation(visit, wish)
        [row] = await world.storage.stories(match)
        assert [move.action for move in row.notes[0].variations[0].moves] == [{"do": "plan", "posture": "dig in"}]
        step = await stories.variation(visit, AskVariation(story=face.number, at=0, place=0, move=1, role="red"))
        here = mine.state["table"]
        assert msgspec.to_builtins(step.table)["stacks"] == here["stacks"]
        assert [line.text for line in step.lines] == [line["text"] for line in mine.state["events"]]

    play(scene)


def test_an_annotated_file_is_a_match_file_and_opens_again_with_its_notes() -> None:
    async def scene(world: World) -> None:
        _, visit, face, _ = await told_with_variation(world)
        await stories.publish(visit, Publish(title="A war", eyes="blue", published=True, version=face.version))
        data = await visit.file(face.number)
        plain = await visit.file()
        assert data.split(b"\n")[1:] == plain.split(b"\n")[1:]
        assert files.load(data, lambda name, rules: DEMO).digest() == visit.match.digest()
        made = await world.host.import_file(ImportFile(data.decode()))
        copy = await world.host.visit(made.match, made.seats[0].secret, "en")
        again = await stories.read(copy, None)
        assert again.notes == face.notes
        assert (again.title, again.eyes, again.mine, again.published) == ("A war", "blue", True, False)
        wish = AskVariation(story=again.number, at=4, place=0, move=9, role="red")
        assert await stories.variation(copy, wish) == await stories.variation(visit, wish)
        edited = await stories.annotate(copy, Annotate(at=3, version=again.version, text="My own words."))
        assert edited.notes[0].text == "My own words."
        bare = await world.host.import_file(ImportFile(plain.decode()))
        nothing = await stories.read(await world.host.visit(bare.match, bare.seats[0].secret, "en"), None)
        assert nothing.notes == []

    play(scene)


BAD = [
    ({"title": 7}, "cannot be read"),
    ({"eyes": "nobody"}, "told by 'nobody'"),
    ({"notes": [{"at": 99_999}]}, "does not fit its moves"),
    ({"notes": [{"at": 1}, {"at": 1}]}, "does not fit its moves"),
    ({"notes": [{"at": 1, "arrows": [["a"]]}]}, "cannot be read"),
    ({"notes": [{"at": n, "text": "x" * 4000} for n in range(200)]}, "does not fit its moves|longer than"),
]


@pytest.mark.parametrize(("bad", "words"), BAD)
def test_a_file_whose_story_is_bad_is_refused_in_one_sentence(bad: dict[str, Any], words: str) -> None:
    async def scene(world: World) -> None:
        _, visit, face, _ = await told_with_variation(world)
        head, _, rest = (await visit.file(face.number)).decode().partition("\n")
        fields = json.loads(head)
        fields["story"].update(bad)
        before = await world.host.list_matches([], "en")
        with pytest.raises(SandtableError, match=words):
            await world.host.import_file(ImportFile(f"{json.dumps(fields)}\n{rest}"))
        assert await world.host.list_matches([], "en") == before

    play(scene)


def test_a_bad_variation_of_a_file_says_so_and_shows_nothing() -> None:
    async def scene(world: World) -> None:
        _, visit, face, _ = await told_with_variation(world)
        head, _, rest = (await visit.file(face.number)).decode().partition("\n")
        for part, value, words in (
            ("digest", "another", "another position"),
            ("moves", [{"role": "red", "action": {"do": "x"}}], "not replay"),
        ):
            fields = json.loads(head)
            fields["story"]["notes"][1]["variations"][0][part] = value
            made = await world.host.import_file(ImportFile(f"{json.dumps(fields)}\n{rest}"))
            copy = await world.host.visit(made.match, made.seats[0].secret, "en")
            with pytest.raises(SandtableError, match=words):
                await stories.variation(copy, AskVariation(story=1, at=4, place=0, move=9))

    play(scene)


def test_no_annotated_file_of_a_running_match() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create()
        visit = await world.host.visit(match, secrets[0], "en")
        face = await stories.annotate(visit, Annotate(at=0, version=0, text="Soon."))
        with pytest.raises(NotAllowed, match="when the match is over"):
            await visit.file(face.number)

    play(scene)


def test_a_published_story_keeps_its_match_and_ends_with_it() -> None:
    async def scene(world: World) -> None:
        _, visit, face, _ = await told_with_variation(world)
        data = ImportFile((await visit.file(face.number)).decode())
        kept, lost = [await world.host.import_file(data) for _ in range(2)]
        mine = await world.host.visit(kept.match, kept.seats[0].secret, "en")
        await stories.publish(mine, Publish(title="", eyes="", published=True, version=1))
        gone = await world.storage.expire(world.time + 1)
        ids = {row.id for row in await world.storage.list_matches([kept.match, lost.match])}
        assert ids == ({kept.match} if gone else {kept.match, lost.match}), "a person's own browser forgets nothing"
        await world.storage.delete(kept.match)
        assert await world.storage.match(kept.match) is None
        if not isinstance(world.storage, MemoryStorage):
            assert list(await world.storage.stories(kept.match)) == []

    play(scene)


def test_a_story_has_its_limits() -> None:
    async def scene(world: World) -> None:
        match, secrets = await world.create()
        await play_on(world, match)
        while (await world.host.matches.live(match)).match.number < 65:  # the dice made it too short
            match, secrets = await world.create()
            await play_on(world, match)
        visit = await world.host.visit(match, secrets[0], "en")
        face = await stories.read(visit, None)
        for at in range(65):
            face = await stories.annotate(visit, Annotate(at=at, version=face.version, text="ä" * 4000))
        with pytest.raises(SandtableError, match="at most 400 notes and 512 kB"):
            await stories.annotate(visit, Annotate(at=65, version=face.version, text="ä" * 4000))
        assert (await stories.read(visit, None)).notes == face.notes

    play(scene, [of_a_server])
