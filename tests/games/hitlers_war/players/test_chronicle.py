"""The chronicle of Hitler's War sees what it should, and the players do little of it."""

import msgspec
import pytest

from sandtable.core import Action
from sandtable.core.columns import put
from sandtable.games import find
from sandtable.games.hitlers_war.model.actions import Detach, Done, March
from sandtable.games.hitlers_war.model.atlas import ALLIES, ATLAS, AXIS, SIDES, SOVIET
from sandtable.games.hitlers_war.model.places import BERLIN
from sandtable.games.hitlers_war.model.state import INVASION, War
from sandtable.games.hitlers_war.rules.production_phase import Production
from sandtable.lab.simulate import jobs, play
from tests.games.hitlers_war.positions import Position

GAME = find("hitlers-war")
CHRONICLE = GAME.chronicle()
MOSCOW = ATLAS.index["Q17"]


def seen(before: War, role: str, action: Action, *, moved: int | None = None, **columns: object) -> list[object]:
    """What is seen of one action, after a player-turn of a side."""
    watch = CHRONICLE.watch()
    assert watch is not None
    if moved is not None:
        earlier = msgspec.structs.replace(before, turn=before.turn - 1, side=moved)
        assert not list(watch(earlier, ("axis", "soviet", "allies")[moved], Done(), earlier))
    return list(watch(before, role, action, msgspec.structs.replace(before, **columns)))


def entered(s: War, space: int, side: int) -> bytes:
    return put(s.owner, space, side)


def test_a_capital_that_was_left_empty():
    s = Position("campaign-1").state
    taken = entered(s, MOSCOW, AXIS)
    assert seen(s, "axis", Done(), moved=SOVIET, owner=taken) == [("soviet", "capital left empty and entered: Moscow")]
    assert not seen(s, "axis", Done(), owner=taken), "nobody has moved there yet: so says the set-up"
    held = Position("campaign-1")
    held.army("Western", "Q17", infantry=1)
    assert not seen(held.state, "axis", Done(), moved=SOVIET, owner=taken), "it was fought for"


def test_a_landing_that_is_thrown_back():
    p = Position("fall-of-germany")
    army = p.army("British Second Army", "P7", amphibious=5)
    s, beach = p.state, ATLAS.index["O7"]
    s.side = ALLIES
    s.mode, s.target = put(s.mode, army, INVASION), put(s.target, army, beach)
    ashore = msgspec.structs.replace(
        s, owner=entered(s, beach, ALLIES), army_at=put(s.army_at, army, beach), mode=bytes(36), target=(-1,) * 36
    )
    watch = CHRONICLE.watch()
    assert watch is not None
    assert not list(watch(s, "allies", Done(), ashore))
    answer = msgspec.structs.replace(ashore, side=AXIS, turn=s.turn + 1)
    lost = msgspec.structs.replace(answer, owner=entered(answer, beach, AXIS))
    assert list(watch(answer, "axis", Done(), lost)) == [("allies", "landing thrown back at once: Normandy")]


@pytest.mark.parametrize(("start", "counts"), [("N6", False), ("P7", True)])
def test_a_beach_is_won_from_over_the_sea(start, counts):
    """Who crosses a bay inside France while it stands has only gone from one of its hexes to another."""
    p = Position("campaign-1", players=2).hold("axis", "O7")
    army, beach = p.army("Britain", start, amphibious=5), ATLAS.index["O7"]
    s = p.state
    s.side = ALLIES
    s.mode, s.target = put(s.mode, army, INVASION), put(s.target, army, beach)
    watch = CHRONICLE.watch()
    assert watch is not None
    won = msgspec.structs.replace(s, owner=entered(s, beach, ALLIES))
    assert not list(watch(s, "allies", Done(), won))
    answer = msgspec.structs.replace(won, side=AXIS, turn=s.turn + 1)
    lost = msgspec.structs.replace(answer, owner=entered(answer, beach, AXIS))
    assert bool(list(watch(answer, "axis", Done(), lost))) == counts


def test_a_landing_of_which_a_part_holds_is_not_thrown_back():
    p = Position("fall-of-germany")
    armies = [p.army("British Second Army", "P7", amphibious=5), p.army("Britain", "P7", amphibious=5)]
    beaches = [ATLAS.index["O7"], ATLAS.index["O8"]]
    s = p.state
    s.side = ALLIES
    watch = CHRONICLE.watch()
    assert watch is not None
    for army, beach in zip(armies, beaches, strict=True):
        s = msgspec.structs.replace(s, mode=put(s.mode, army, INVASION), target=put(s.target, army, beach))
        ashore = msgspec.structs.replace(s, owner=entered(s, beach, ALLIES))
        assert not list(watch(s, "allies", Done(), ashore))
        s = ashore
    answer = msgspec.structs.replace(s, side=AXIS, turn=s.turn + 1)
    first = msgspec.structs.replace(answer, owner=entered(answer, beaches[0], AXIS))
    assert not list(watch(answer, "axis", Done(), first))
    second = msgspec.structs.replace(first, owner=entered(first, beaches[1], AXIS))
    assert list(watch(first, "axis", Done(), second)) == [("allies", "landing thrown back at once: Lille-Picardy")]


def test_a_landing_that_went_on_along_the_coast_is_not_thrown_back():
    """The party stands on the next beach, whatever becomes of the first."""
    p = Position("fall-of-germany")
    army = p.army("Britain", "P7", mechanized=5, amphibious=5)
    first, second = ATLAS.index["Q9"], ATLAS.index["R9"]
    s = p.hold("axis", "Q9", "R9").state
    s.side = ALLIES
    s.mode, s.target = put(s.mode, army, INVASION), put(s.target, army, first)
    watch = CHRONICLE.watch()
    assert watch is not None
    ashore = msgspec.structs.replace(s, owner=entered(s, first, ALLIES), army_at=put(s.army_at, army, first))
    assert not list(watch(s, "allies", Done(), ashore))
    ashore = msgspec.structs.replace(ashore, mode=bytes(36))
    further = msgspec.structs.replace(
        ashore, owner=entered(ashore, second, ALLIES), army_at=put(ashore.army_at, army, second)
    )
    assert not list(watch(ashore, "allies", Done(), further))
    answer = msgspec.structs.replace(further, side=AXIS, turn=s.turn + 1)
    half = msgspec.structs.replace(answer, owner=entered(answer, first, AXIS))
    assert not list(watch(answer, "axis", Done(), half))
    whole = msgspec.structs.replace(half, owner=entered(half, second, AXIS))
    assert list(watch(half, "axis", Done(), whole)) == [
        ("allies", f"landing thrown back at once: {ATLAS.title[second]}")
    ]


def test_a_conquest_that_was_left_empty():
    """Tanks may drive on; but with the next movement somebody must come who holds what they took."""
    s = Position("fall-of-germany").state
    milan = ATLAS.index["L9"]
    watch = CHRONICLE.watch()
    assert watch is not None

    def turn(before: War, who: int, owner: bytes) -> list[object]:
        now = msgspec.structs.replace(before, side=who, turn=before.turn + 1)
        return list(watch(now, SIDES[who], Done(), msgspec.structs.replace(now, owner=owner)))

    ours, theirs = entered(s, milan, ALLIES), entered(s, milan, AXIS)
    for _ in range(2):
        taken = msgspec.structs.replace(s, owner=theirs, turn=s.turn + 2)
        assert not turn(taken, ALLIES, ours)
        taken = msgspec.structs.replace(taken, owner=ours, turn=s.turn + 3)
        assert not turn(taken, AXIS, theirs), "taken in the latest turn"
    s = msgspec.structs.replace(s, owner=theirs)
    assert not turn(s, ALLIES, ours)
    held = msgspec.structs.replace(s, owner=ours, turn=s.turn + 4)
    assert not turn(held, ALLIES, ours)
    held = msgspec.structs.replace(held, turn=s.turn + 5)
    assert turn(held, AXIS, theirs) == [("allies", "conquest left empty and lost: Milan-Turin-Genoa")]


def test_where_nobody_surrenders_only_the_city_that_decides_is_a_capital():
    s = Position("fall-of-germany").state
    assert not seen(s, "axis", Done(), moved=SOVIET, owner=entered(s, MOSCOW, AXIS))
    assert seen(s, "soviet", Done(), moved=AXIS, owner=entered(s, BERLIN, SOVIET)) == [
        ("axis", "capital left empty and entered: Berlin")
    ]
    east = Position("barbarossa").state
    assert seen(east, "axis", Done(), moved=SOVIET, owner=entered(east, MOSCOW, AXIS))


def test_money_that_is_left():
    p = Position("fall-of-germany").begin("axis", Production())
    p.state.budget = 10
    assert seen(p.state, "axis", Done()) == ["production left unspent"]
    p.state.budget = 4
    assert not seen(p.state, "axis", Done())


@pytest.mark.parametrize("action", [March("Western", "siberia"), Detach("Western", (), "siberia", "Kiev")])
def test_a_march_into_siberia(action):
    p = Position("campaign-1").turn("Summer 1941")
    assert seen(p.state, "soviet", action) == ["marched into Siberia, where it must stay"]
    assert not seen(p.turn("Winter 1941").state, "soviet", action)


def test_milestones_are_read_from_the_position():
    s = Position("campaign-1").state
    assert not set(CHRONICLE.reached(s))
    fallen = msgspec.structs.replace(s, owner=entered(s, BERLIN, SOVIET))
    assert set(CHRONICLE.reached(fallen)) == {"berlin"}
    beaten = msgspec.structs.replace(s, surrendered=put(s.surrendered, ATLAS.country_index["france"], 1))
    assert set(CHRONICLE.reached(beaten)) == {"france", "landing"}, "beaten, and yet the Allies stand in it"


def test_colonels_spend_their_money_and_keep_out_of_siberia():
    """Over played matches of the first campaign; France falls in each, and nobody lands there before America joins."""
    for job in jobs("hitlers-war", "campaign-1", {"players": 2}, dict.fromkeys(GAME.roles, "colonel"), 4, 5, 60.0):
        record = play(job)
        assert record.dates["poland"] == 1
        assert record.dates["france"] is not None
        said = {what for counts in (record.blunders or {}).values() for what in counts}
        assert "marched into Siberia, where it must stay" not in said
        assert "production left unspent" not in said
        assert not any(what.startswith("capital left empty and entered: M") for what in said)
