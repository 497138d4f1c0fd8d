"""The rest of a battle or raid of World War II in Europe from every decision within it, against the game itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core import End, Match, Odds, SealedDice, Trial
from sandtable.core.columns import put
from sandtable.games.ww2_europe.facts.names import unit_of
from sandtable.games.ww2_europe.facts.whereabouts import cargo
from sandtable.games.ww2_europe.model.actions import Abort, Combine, Done, Fight, Lose, Reinforce, Retreat, Separate
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.events import BattleEnded
from sandtable.games.ww2_europe.model.kinds import GROUND
from sandtable.games.ww2_europe.model.state import CUT_OFF, MOVED, ORDER_HUNT, RAIDING, Task
from sandtable.games.ww2_europe.odds import preview as game_odds
from sandtable.games.ww2_europe.odds.trial import Rest
from sandtable.games.ww2_europe.odds.trial import _fold as fold
from sandtable.games.ww2_europe.odds.whole import battle_ahead
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.fire import ROLLER
from sandtable.games.ww2_europe.rules.homecoming_phase import Diverted
from sandtable.games.ww2_europe.rules.interception_phase import Encounter
from sandtable.games.ww2_europe.rules.strategic_phase import RaidFight, StrategicStage
from sandtable.lab.proof import every_fall
from sandtable.odds.sample import played, sample, worst
from sandtable.odds.shown import shown
from sandtable.odds.walk import walk
from sandtable.odds.whole import whole
from tests.games.ww2_europe.odds.test_battles import at_sea, on_land, on_malta
from tests.games.ww2_europe.positions import Board, space
from tests.games.ww2_europe.rules.test_sea import raid, sail

K = A.kinds
SAMPLES = int(os.environ.get("SANDTABLE_SAMPLES", "400"))
"""SANDTABLE_SAMPLES=1000000 plays a million."""
Losses = dict[Any, float]
Want = Callable[[Match[Any]], bool]


def policy(now: Match[Any], role: str) -> Any:
    """What the sums think everybody does; None when the battle or raid is over."""
    step, state = now.step, now.state
    if isinstance(step, Diverted):
        return next(iter(now.offers(role)))  # any base will do
    if not isinstance(step, (Battle, RaidFight)):
        return None
    offers = now.offers(role)
    for quiet in (Fight, Done):
        if offers[quiet]:
            return quiet()

    def price(action: Lose) -> tuple[int, ...]:
        unit = unit_of(state, action.unit)
        if isinstance(step, RaidFight):
            return K.strategic[state.kind[unit]] if step.phase == "lose-flyers" else 0, K.cost[state.kind[unit]], -unit
        loads = sum(K.cost[state.kind[u]] for u in cargo(now.play.state, unit)) if step.phase == "hits-shore" else 0
        last = state.damage[unit] + 1 >= K.hits[state.kind[unit]]
        ground = [u for u in step.live(now.play, step.att) if K.cls[state.kind[u]] == GROUND]
        return not step.sea and ground == [unit], K.cost[state.kind[unit]] + loads - (not last), -unit

    chooses = isinstance(step, Battle) and step.hits[0] & ROLLER
    return (max if chooses else min)([a for a in offers if isinstance(a, Lose)], key=price)


def worth(match: Match[Any]) -> tuple[int, int]:
    """What both sides have on the board or in convoys, those that are as good as lost left out."""
    state, doomed = match.state, match.step.doomed if isinstance(match.step, Battle) else ()
    there = [u for u in range(len(state.space)) if state.space[u] != -1 and u not in doomed]
    one, two = (sum(K.cost[state.kind[u]] for u in there if A.side[state.power[u]] == side) for side in (0, 1))
    return one, two


def until(match: Match[Any], want: Want) -> Match[Any]:
    """Played on with the first dice that lead to some decision."""
    for seed in range(400):
        found = played(match, lambda now, role: None if want(now) else policy(now, role), f"until/{seed}")
        if want(found):
            return found
    raise AssertionError("no dice lead there")


def begun(board: Board, battle: Battle) -> list[Match[Any]]:
    """The battle with many different first dice, each up to its first decision."""
    found = []
    for seed in range(200):
        twin = board.match.clone()
        twin.play.dice = SealedDice(f"begun/{seed}")
        twin.play.push(battle)
        twin.play.settle()
        found.append(twin)
    return found


def first(starts: list[Match[Any]], want: Want) -> Match[Any]:
    for start in starts:
        for seed in range(5):
            found = played(start, lambda now, role: None if want(now) else policy(now, role), f"first/{seed}")
            if want(found):
                return found
    raise AssertionError("no dice lead there")


def in_phase(phase: str, kind: type = Battle) -> Want:
    return lambda now: isinstance(now.step, kind) and now.step.phase == phase  # type: ignore[attr-defined]


def by_losses(odds: Odds | None) -> Losses:
    assert odds is not None
    assert sum(row.probability for row in odds.results) == pytest.approx(1)
    found: Losses = {}
    for row in odds.results:
        key = (row.losses["axis"], row.losses["allies"])
        found[key] = found.get(key, 0.0) + row.probability
    return found


def follow(match: Match[Any], action: Any) -> Callable[[Match[Any], str], Any]:
    number = match.number
    return lambda now, role: action if now.number == number else policy(now, role)


def lost_since(match: Match[Any]) -> Callable[[Match[Any]], tuple[int, int]]:
    one, two = worth(match)
    return lambda end: (one - worth(end)[0], two - worth(end)[1])


def compare(match: Match[Any], action: Any, least: float = 0.0) -> Losses:
    """The sums against every die of the game."""
    role, digest, lost = match.decisions()[0], match.digest(), lost_since(match)
    exact = by_losses(battle_ahead(match, role, action))
    assert match.digest() == digest
    found: Losses = {}
    for chance, end in walk(match, follow(match, action), least=least):
        found[lost(end)] = found.get(lost(end), 0.0) + chance
    within = max(1e-9, 200 * least)
    for key in {*exact, *found}:
        assert found.get(key, 0.0) == pytest.approx(exact.get(key, 0.0), abs=within), key
    return exact


def with_samples(match: Match[Any], action: Any, seed: str) -> None:
    """The sums against battles played by the game. Six deviations: a right sum fails once in a hundred million runs."""
    exact = by_losses(battle_ahead(match, match.decisions()[0], action))
    counts = sample(match, follow(match, action), lost_since(match), SAMPLES, seed)
    assert all(exact.get(end, 0.0) > 0 for end in counts)
    rare = {end for end, chance in exact.items() if chance * SAMPLES < 30}
    chances: dict[Any, float] = {end: chance for end, chance in exact.items() if end not in rare}
    seen: dict[Any, int] = {end: count for end, count in counts.items() if end not in rare}
    chances["rare"] = sum(exact[end] for end in rare)
    seen["rare"] = sum(count for end, count in counts.items() if end in rare)
    assert worst(chances, seen) < 6


# ---- battles
@pytest.mark.parametrize(
    ("phase", "ours", "theirs"),
    [("hits-d", ("tank",), ("infantry", "tank")), ("hits-a", ("tank", "infantry"), ("infantry",))],
)
def test_whom_an_owner_gives_up_counts(phase: str, ours: tuple[str, ...], theirs: tuple[str, ...]) -> None:
    board, battle = on_land(ours, theirs)
    match = first(begun(board, battle), in_phase(phase))
    choices = [a for a in match.offers(match.decisions()[0]) if isinstance(a, Lose)]
    assert len(choices) > 1
    told = [by_losses(battle_ahead(match, match.decisions()[0], action)) for action in choices]
    assert told[0] != pytest.approx(told[1])
    for action in choices:
        if phase == "hits-a":
            compare(match, action, least=1e-5)
        with_samples(match, action, f"{phase}/{action}")
        preview, every = match.preview(match.decisions()[0], action), whole(match, match.decisions()[0], action)
        assert preview is not None
        assert every is not None
        assert preview.expected_losses == pytest.approx(every.expected_losses)


def by_every_die(board: Board, battle: Battle) -> dict[str, float]:
    """How a battle ends, nobody retreating, by the sums; losses and winner are those of every die of the game."""
    rest = board.match.clone()
    rest.state.stack = (Rest("germany"),)
    before = worth(rest)

    def begin(twin: Match[Any]) -> None:
        twin.play.push(battle)
        twin.play.settle()

    def end(now: Match[Any], notes: tuple[Any, ...]) -> End:
        one, two = worth(now)
        return End(notes[-1], (("axis", before[0] - one), ("allies", before[1] - two)))

    def note(what: object) -> str | None:
        return what.winner if isinstance(what, BattleEnded) else None

    lost: Losses = {}
    played_out = every_fall(Trial([(1.0, rest)], "germany", None, policy, end, note, begin, fold), 20_000)
    for ended, chance in played_out.items():
        key = (ended.name == "@axis", *(worth for _, worth in ended.losses))
        lost[key] = lost.get(key, 0.0) + chance
    names: dict[str, float] = {}
    exact: Losses = {}
    for (name, one, two), chance in game_odds.battle_ends(board.m, battle).items():
        names[name] = names.get(name, 0.0) + chance
        won = name != "repulse" and one < before[0]  # planes may win, though they cannot take the space
        key = (won, one, two)
        exact[key] = exact.get(key, 0.0) + chance
    assert exact == pytest.approx(lost, abs=1e-8)
    return names


def test_the_attacker_keeps_somebody_on_the_ground() -> None:
    """The tac bomber is dearer than the infantry, but it cannot take the space."""
    board, battle = on_land(("infantry", "tac_bomber"), ("infantry",))
    came = next(there for there, _, _ in A.land_links[battle.space])
    board.owner("germany", A.names[came])
    board.state.came = put(board.state.came, battle.att[0], came)  # it might go back, and is asked after every round
    names = by_every_die(board, battle)
    assert names["capture"] == pytest.approx(0.9478, abs=1e-4)


@pytest.mark.parametrize("cut_off", [False, True])
@pytest.mark.rule("w2e-cutoff-air")
def test_planes_alone_go_on_only_where_somebody_cannot_leave(cut_off: bool) -> None:
    board, battle = on_land(("fighter",), ("infantry", "infantry"))
    if cut_off:
        for unit in battle.dfn:
            board.state.flags = put(board.state.flags, unit, CUT_OFF)
    names = by_every_die(board, battle)
    assert (names["repulse"] == pytest.approx(1)) != cut_off


@pytest.mark.parametrize(
    ("attackers", "defenders", "name"),
    [(("submarine",), ("transport",), "repulse"), (("transport",), ("submarine",), "given-up")],
)
@pytest.mark.rule("w2e-unit-sub-submerged")
def test_submarines_leave_whom_they_need_not_fear(attackers: Any, defenders: Any, name: str) -> None:
    assert by_every_die(*at_sea(attackers, defenders)) == {name: pytest.approx(1)}


@pytest.mark.rule("w2e-unit-carrier-extended")
def test_planes_of_a_carrier_join_after_its_first_round() -> None:
    board, battle = at_sea(("carrier",), ("cruiser",))
    without = by_every_die(board, battle)
    board.aboard(battle.att[0], "fighter")
    assert by_every_die(board, battle)["sunk"] > without["sunk"] + 0.05


@pytest.mark.rule("w2e-adv-naval-order")
def test_who_comes_later_is_in_the_battle() -> None:
    board, battle = at_sea(("destroyer", "destroyer"), ("destroyer",))
    late = replace(battle, arrive=((battle.att[1], 2),))
    together, apart = by_every_die(board, battle), by_every_die(board, late)
    alone = by_every_die(*at_sea(("destroyer",), ("destroyer",)))
    assert alone["sunk"] < apart["sunk"] < together["sunk"]


def test_what_a_ship_carries_is_lost_with_it() -> None:
    board, battle = at_sea(("destroyer",), ("transport", "destroyer"))
    board.aboard(battle.dfn[0], "tank")
    by_every_die(board, battle)


def test_who_turns_back_is_out_of_it() -> None:
    board, battle = at_sea(("cruiser", "fighter"), ("destroyer", "transport"))
    match = first(begun(board, battle), in_phase("abort-a"))
    role = match.decisions()[0]
    action = next(a for a in match.offers(role) if isinstance(a, Abort))
    # where the aircraft lands is no part of the battle, but whether it can is
    assert compare(match, action, least=1e-6) != pytest.approx(compare(match, Fight(), least=1e-6))


@pytest.mark.parametrize(("phase", "name"), [("retreat-a", "withdrawn"), ("retreat-d", "given-up")])
def test_a_retreat_is_the_end(phase: str, name: str) -> None:
    board, battle = on_land(("tank", "infantry"), ("infantry", "infantry"))
    board.owner("germany", *(A.names[there] for there, _, _ in A.land_links[battle.space]))
    if phase == "retreat-d":
        board.owner("great_britain", *(A.names[there] for there, _, _ in A.land_links[battle.space]))
    came = next(there for there, _, _ in A.land_links[battle.space])
    for unit in battle.att:
        board.state.came = put(board.state.came, unit, came)
    match = first(begun(board, battle), in_phase(phase))
    role = match.decisions()[0]
    action = next(a for a in match.offers(role) if isinstance(a, Retreat))
    odds = match.preview(role, action)
    assert odds is not None
    assert [row.name for row in odds.results] == [f"result.{name}"]
    assert odds.success == (name == "given-up")
    compare(match, action)
    compare(match, Fight(), least=1e-6)


@pytest.mark.parametrize("phase", ["hits-d", "hits-shore"])
@pytest.mark.rule("w2e-stage3-bombard", "w2e-stage3-shore-defense")
def test_a_landing_goes_on_from_the_bombardment_or_the_shore(phase: str) -> None:
    board, battle = on_malta("battleship", "cruiser", guns=1)
    match = first(begun(board, battle), in_phase(phase))
    assert match.step.round == 0  # type: ignore[attr-defined]
    for action in list(match.offers(match.decisions()[0])):
        with_samples(match, action, f"{phase}/{action}")


MANY = (
    ("tank",) * 2 + ("infantry",) * 4 + ("artillery",) + ("fighter",) * 2,
    ("tank",) + ("infantry",) * 4 + ("artillery",) + ("fighter",),
)


@pytest.mark.parametrize("phase", ["hits-d", "hits-a"])
def test_the_rest_of_a_large_battle_agrees_with_many_that_were_played(phase: str) -> None:
    board, battle = on_land(*MANY)
    match = first(begun(board, battle), in_phase(phase))
    action = list(match.offers(match.decisions()[0]))[-1]
    with_samples(match, action, f"rest/{phase}")


# ---- searches
def searching() -> Match[Any]:
    board = Board(war="italy")
    one = board.put("great_britain", "destroyer", "gibraltar_port")
    two = board.put("great_britain", "destroyer", "malta_port")
    prey = board.put("italy", "destroyer", "genoa_port")
    sail(board, prey, "genoa_port", "tyrrhenian")
    sail(board, one, "gibraltar_port", "alboran_sea", "balearic_sea", "tyrrhenian", patrol=True)
    sail(board, two, "malta_port", "tyrrhenian", patrol=True)
    board.run(Encounter(space("tyrrhenian")))
    return board.match


@pytest.mark.rule("w2e-interception-combine")
def test_a_search_is_told_with_the_battle_that_it_may_lead_to() -> None:
    match = searching()
    compare(match, Combine(), least=1e-6)
    for action, missed in ((Combine(), 3 / 6), (Separate(), 3 / 6 * 1 / 6)):
        odds, short = whole(match, "great_britain", action), shown(match, "great_britain", action)
        assert odds is not None
        assert short is not None
        for told in (odds, short):
            chances: dict[str, float] = {}
            for row in told.results:
                chances[row.name] = chances.get(row.name, 0.0) + row.probability
            assert chances["result.not-found"] == pytest.approx(missed)
            assert set(chances) > {"result.not-found"}
            assert told.success + chances["result.not-found"] < 1
            assert told.aim == ("aim.sea" if isinstance(action, Combine) else "aim.first-fight")
            assert (told.policy == "policy.first-fight") == isinstance(action, Separate)
            assert told.basis == ("" if isinstance(action, Combine) else "basis.separate?groups=2&percent=92")
        assert shown(match, "great_britain", action) is short


# ---- raids
def test_a_raid_goes_on_from_every_choice() -> None:
    for phase in ("lose-fighters", "lose-flyers"):
        board = Board()
        raid(board)
        board.put("germany", "fighter", "essen")
        board.put("italy", "fighter", "essen")
        board.match.play.dice = SealedDice("1")
        starts = []
        for seed in range(60):
            twin = board.match.clone()
            twin.play.dice = SealedDice(f"raid/{seed}")
            twin.play.push(StrategicStage())
            twin.play.settle()
            starts.append(twin)
        match = first(starts, in_phase(phase, RaidFight))
        for action in [a for a in match.offers(match.decisions()[0]) if isinstance(a, Lose)]:
            compare(match, action)


@pytest.mark.rule("w2e-tech-radar")
def test_a_fighter_called_in_by_radar_is_in_the_raid() -> None:
    board = Board()
    raid(board)
    near = next(A.names[there] for there, _, _ in A.land_links[space("essen")])
    helper = board.put("germany", "fighter", near)
    board.owner("germany", near)
    state = board.state
    state.home = put(state.home, helper, space(near))
    known = [list(row) for row in state.known]
    known[A.power_index["germany"]][A.tech_index["radar"]] = 2
    state.known = type(state.known)(type(state.known[0])(row) for row in known)
    board.run(StrategicStage())
    match = board.match
    assert in_phase("radar", RaidFight)(match)
    calls = next(a for a in match.offers(match.decisions()[0]) if isinstance(a, Reinforce))
    assert compare(match, calls) != pytest.approx(compare(match, Done()))


@pytest.mark.rule("w2e-stage1-defend", "w2e-strategic-convoy")
def test_a_raid_on_a_convoy_tells_what_sinks_and_what_the_escorts_answer() -> None:
    board = Board()
    number = board.convoy("great_britain", "north_sea", "london_port", transports=2, destroyers=2)
    state = board.state
    subs = [board.put("germany", kind, "north_sea") for kind in ("submarine", "submarine")]
    state.tasks = (*state.tasks, Task(0, ORDER_HUNT, (space("north_sea"),), 0, 0, number))
    for unit in subs:
        state.task = put(state.task, unit, 0)
        state.flags = put(state.flags, unit, RAIDING | MOVED)
    fight = RaidFight(0, True, number)
    exact = by_losses(game_odds.raid_odds(board.m, fight, subs, f"convoy {number}"))
    match = board.match
    lost = lost_since(match)

    def begin(now: Match[Any]) -> None:
        now.play.push(RaidFight(0, True, number))
        now.play.settle()

    from sandtable.odds.walk import outcomes

    found: Losses = {}
    for chance, end in outcomes(match, begin):
        for part, last in walk(end, policy):
            found[lost(last)] = found.get(lost(last), 0.0) + chance * part
    assert exact == pytest.approx(found)
