"""The rest of a battle of Blitzkrieg General from every decision within it, against the game itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.core import Match, Odds, Window
from sandtable.core.data import Pass
from sandtable.core.dice import OutOfDice
from sandtable.games.blitzkrieg_general.model import actions as act
from sandtable.games.blitzkrieg_general.model.state import embark, send
from sandtable.games.blitzkrieg_general.odds.policy import Stand
from sandtable.games.blitzkrieg_general.odds.whole import whole_battle
from sandtable.games.blitzkrieg_general.rules.aftermath_phase import Landing
from sandtable.games.blitzkrieg_general.rules.battle_phase import AskRetreat, CoastalHit, Fight, Withdrawal
from sandtable.games.blitzkrieg_general.rules.chart import army
from sandtable.games.blitzkrieg_general.rules.combat_phase import Combats, start_battle
from sandtable.games.blitzkrieg_general.rules.movement_phase import Phase
from sandtable.games.blitzkrieg_general.rules.reaction_phase import Reaction
from sandtable.lab.proof import differences, every_fall
from sandtable.odds.sample import played, sample
from sandtable.odds.shown import shown
from sandtable.odds.walk import outcomes, walk
from sandtable.odds.whole import whole
from tests.games.blitzkrieg_general.odds.test_battles import ONE_ROUND, Losses, Played, agree, alive, farthest, lay, war
from tests.games.blitzkrieg_general.positions import A, Board, Idle, space, unit

SAMPLES = int(os.environ.get("SANDTABLE_SAMPLES", "400"))
"""SANDTABLE_SAMPLES=1000000 plays a million."""
Want = Callable[[Match[Any]], bool]


class Rest(Played):
    """A battle that is being fought, or is about to begin, played on by the game after an action."""

    def __init__(self, match: Match[Any], where: str, stand: Stand, action: Any) -> None:
        super().__init__(match, where, stand)
        self.action = action
        fight = match.state.battle
        if fight is not None and fight.space == self.here:
            self.sides = (list(army(fight, 0)), list(army(fight, 1)))
            self.start = [alive(match, units) for units in self.sides]
        self.began = fight is not None or isinstance(action, act.Attack)

    def policy(self, now: Match[Any], role: str) -> Any:
        if now.number == self.first:
            return self.action
        if not self.began:
            # before the battle: nobody else moves, and this one is fought first
            if isinstance(now.step, Reaction):
                return act.Done()
            if isinstance(now.step, Combats):
                self.began = True
                return act.Attack(A.space_ids[self.here])
        return super().policy(now, role)


def until(match: Match[Any], where: str, want: Want, stand: Stand | None = None) -> Match[Any]:
    """The battle as far as some decision, with the first dice that lead there."""
    policy = Played(match, where, stand or Stand(0.0, 0.0)).policy
    for seed in range(400):
        found = played(match, lambda now, role: None if want(now) else policy(now, role), f"until/{seed}")
        if want(found):
            return found
    raise AssertionError("no dice lead there")


def at(stage: str, side: int | None = None) -> Want:
    def here(now: Match[Any]) -> bool:
        step = now.step
        return isinstance(step, Fight) and step.stage == stage and (side is None or step.side == side)

    return here


def told(match: Match[Any], action: Any, stand: Stand) -> Losses:
    odds = whole_battle(match, action, stand)
    assert odds is not None
    assert sum(row.probability for row in odds.results) == pytest.approx(1)
    found: Losses = {}
    for row in odds.results:
        key = (row.losses["attacker"], row.losses["defender"])
        found[key] = found.get(key, 0.0) + row.probability
    return found


def compare(match: Match[Any], where: str, action: Any, stand: Stand, least: float = 0.0) -> None:
    """The sums against every die of the game."""
    assert match.why_not(match.decisions()[0], action) is None
    digest = match.digest()
    rest = Rest(match, where, stand, action)
    found: Losses = {}
    for chance, end in walk(match, rest.policy, most=20_000, least=least):
        key = rest.lost(end)
        found[key] = found.get(key, 0.0) + chance
    agree(told(match, action, stand), found, max(1e-9, 500 * least))
    assert match.digest() == digest


def on_land(attackers: list[str], defenders: list[str], scenario: str = "1939-advanced") -> Match[Any]:
    return lay(war(scenario), "kharkov", [(kind, "kiev") for kind in attackers], defenders, flyers_from="kiev")


# ---- on the chart
def test_where_a_unit_is_put_counts() -> None:
    match = until(on_land(["germany-air-4", "germany-air-3", "guderian"], ["ussr-air-3-red", "ussr-inf-2-orange!"]),
                  "kharkov", at("assign"))  # fmt: skip
    role = match.decisions()[0]
    choices = [a for a in match.offers(role) if isinstance(a, act.Assign)]
    assert choices
    compare(match, "kharkov", choices[0], ONE_ROUND)
    compare(match, "kharkov", act.Ready(), ONE_ROUND)
    one, other = (whole_battle(match, action, Stand(0.0, 0.0)) for action in (choices[0], act.Ready()))
    assert one is not None
    assert other is not None
    assert abs(one.success - other.success) > 0.001
    match.apply(role, choices[0])
    compare(match, "kharkov", act.Ready(), ONE_ROUND)


# ---- hits
@pytest.mark.parametrize("side", [0, 1])
def test_whom_the_owner_gives_up_counts(side: int) -> None:
    stand = Stand(0.5, 0.4)
    match = until(
        on_land(["germany-inf-4", "germany-inf-3!"], ["ussr-inf-4-redg!", "ussr-inf-3-red"], "1939-basic"),
        "kharkov", at("hits", side),
    )  # fmt: skip
    for action in list(match.offers(match.decisions()[0])):
        compare(match, "kharkov", action, stand, least=1e-6)


def test_hits_of_attackers_who_are_gone_are_still_taken() -> None:
    """All attackers have fallen in the same volley; both hits of the armour count, and the card is still theirs."""
    match = until(
        on_land(["germany-arm-4!"], ["ussr-inf-3-red", "ussr-inf-2-orange"]), "kharkov",
        lambda now: at("hits", 1)(now) and not now.state.battle.attackers and sum(now.state.battle.hits) == 2,
    )  # fmt: skip
    role = match.decisions()[0]
    for action in list(match.offers(role)):
        assert told(match, action, ONE_ROUND) == {(0, 2): pytest.approx(1)}
        card = shown(match, role, action)
        assert card is not None
        assert (card.whose, card.mine) == ("@germany", False)


def test_hits_of_submarines_come_before_the_others_fire() -> None:
    match = until(
        lay(war(), "north_sea", ["germany-sub-2", "germany-tf-3"], ["be-tf-2", "be-conv-1"]),
        "north_sea",
        lambda now: at("hits", 1)(now) and now.state.battle.volley == 1,
    )
    for action in list(match.offers(match.decisions()[0])):
        compare(match, "north_sea", action, ONE_ROUND)


def test_hits_of_a_surprise_come_before_the_answer() -> None:
    match = on_land(["germany-inf-4!", "germany-inf-3!"], ["ussr-inf-3-red", "ussr-inf-2-orange!"])
    match = next(one for _, one in outcomes(match, lambda twin: surprised(twin, 0)) if at("hits", 1)(one))
    assert match.state.battle.volley == 2
    for action in list(match.offers(match.decisions()[0])):
        compare(match, "kharkov", action, ONE_ROUND)


def surprised(match: Match[Any], side: int) -> None:
    """The battle is open, and a card lets a side fire first."""

    start_battle(match.play, space("kharkov"))
    match.state.battle = replace(match.state.battle, first=side)
    match.play.settle()


# ---- before the first round
@pytest.mark.parametrize("window", ["battle", "surrender"])
def test_passing_at_a_window_is_to_fight_on(window: str) -> None:
    match = on_land(["germany-inf-4"], ["ussr-inf-4-redg"])
    if window == "battle":
        start_battle(match.play, space("kharkov"))
        match.play.replace(Fight("coast"))
    else:
        match = until(match, "kharkov", lambda now: isinstance(now.step, AskRetreat))
    match.play.push(Window(window, ("germany", "ussr"), ("germany", "ussr")))
    match.play.settle()
    compare(match, "kharkov", Pass(), Stand(0.5, 0.7), least=1e-6)


@pytest.mark.parametrize("dive", [True, False])
def test_diving_takes_submarines_out_unless_they_are_found(dive: bool) -> None:
    match = until(lay(war(), "north_sea", ["germany-tf-3!", "germany-sub-2"], ["be-tf-2!"]), "north_sea", at("dive", 0))
    compare(match, "north_sea", act.Dive(dive), ONE_ROUND)


def test_the_coast_has_fired_and_its_hit_is_chosen() -> None:
    board = war()
    convoy = board.add("germany-conv-1", "channel")
    for kind in ("germany-inf-3", "germany-inf-2"):
        troops = board.add(kind, "bnl")
        embark(board.state, unit(troops), unit(convoy))
        send(board.state, unit(troops), space("england"))
    board.state.invasions = {**board.state.invasions, space("england"): (space("channel"),)}
    board.add("be-inf-2", "england", flipped=True)
    match = until(board.combat([]).match, "england", lambda now: isinstance(now.step, CoastalHit))
    for action in list(match.offers(match.decisions()[0])):
        compare(match, "england", action, ONE_ROUND, least=1e-6)


# ---- to stay or to go
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("what", ["fight", "retreat", "air"])
def test_what_a_side_decides_comes_before_its_policy(side: int, what: str) -> None:
    """Both sides would leave: whoever is asked fights on all the same, or goes, or sends his flyers home."""
    start = on_land(["germany-air-4!", "germany-inf-3!"], ["ussr-air-3-red!", "ussr-inf-2-orange!"])
    match = until(start, "kharkov", lambda now: isinstance(now.step, AskRetreat) and now.step.side == side)
    if act.Retreat(what) not in list(match.offers(match.decisions()[0])):
        assert what == "air"
        return
    for stand in (Stand(99.0, 0.0), Stand(0.0, 99.0)):
        compare(match, "kharkov", act.Retreat(what), stand, least=1e-6)
    odds = whole_battle(match, act.Retreat(what), Stand(99.0, 99.0))
    assert odds is not None
    if what == "retreat":
        assert [row.name for row in odds.results] == [("result.withdrawn", "result.given-up")[side]]
        assert odds.success == side


def test_a_withdrawal_costs_nothing_where_all_can_go() -> None:
    board = war().own("germany", "rostov")
    match = lay(board, "kharkov", [("germany-inf-3", "kiev"), ("germany-inf-2", "kiev")], ["ussr-inf-2-orange"])
    match = until(match, "kharkov", lambda now: isinstance(now.step, AskRetreat) and now.step.side == 0)
    match.apply(match.decisions()[0], act.Retreat("retreat"))
    assert isinstance(match.step, Withdrawal)
    action = next(iter(match.offers(match.decisions()[0])))
    compare(match, "kharkov", action, Stand())
    odds = whole_battle(match, action, Stand())
    assert odds is not None
    assert [(row.name, row.losses) for row in odds.results] == [("result.withdrawn", {"attacker": 0, "defender": 0})]


@pytest.mark.rule("bg-scn39-poland-no-retreat")
def test_a_unit_that_may_not_leave_keeps_its_side_until_it_falls() -> None:
    """Once the Poles are gone the others leave: the sums ask who is still there, as the game does."""
    board = war().join("poland", "be").own("poland", "western_poland").own("be", "lwow")
    match = lay(
        board, "western_poland", [("germany-inf-4", "kiev")], ["poland-inf-2!", "be-inf-3"]
    )  # fmt: skip
    stand = Stand(0.0, 99.0)
    rest = Rest(match, "western_poland", stand, act.Attack("western_poland"))
    found: Losses = {}
    for chance, end in walk(match, rest.policy, most=20_000, least=1e-6):
        found[rest.lost(end)] = found.get(rest.lost(end), 0.0) + chance
    agree(told(match, act.Attack("western_poland"), stand), found, 5e-4)


@pytest.mark.parametrize("way_out", [True, False])
@pytest.mark.rule("bg-6.5.2-zero")
def test_who_cannot_leave_a_stalemate_is_lost(way_out: bool) -> None:
    """A reduced infantry cannot fire in bad weather and the HQ before it never does: the infantry has to go."""
    board = war().weather(europe=True).own("germany" if way_out else "ussr", "kiev")
    match = lay(board, "kharkov", [("germany-inf-2!", "kiev")], ["zukov"])
    odds = whole_battle(match, act.Attack("kharkov"), Stand(0.0, 0.0))
    assert odds is not None
    assert [(row.name, row.losses["attacker"]) for row in odds.results] == [("result.stalemate", int(not way_out))]
    compare(match, "kharkov", act.Attack("kharkov"), Stand(0.0, 0.0))


# ---- what leads to a battle
def reaction(*more: str) -> Board:
    board = (
        Board("1939-advanced").war("germany-be", "germany-france", "germany-ussr", "germany-usa").own("germany", "kiev")
    )
    board.add("germany-inf-3", "kharkov", origin="kiev")
    board.add("ussr-inf-2-orange", "kharkov", flipped=True)
    for kind in more:
        board.add(kind, "moscow")
    board.own("ussr", "moscow")
    board.state.phasing = 0
    board.start(Reaction())
    board.state.stack = (Idle(), Combats(), Reaction())
    return board


def test_a_flyer_that_comes_to_help_is_in_the_battle() -> None:
    match = reaction("ussr-air-3-red").match
    role = match.decisions()[0]
    action = next(a for a in match.offers(role) if isinstance(a, act.React))
    assert action.to == "kharkov"
    compare(match, "kharkov", action, ONE_ROUND)
    compare(match, "kharkov", act.Done(), ONE_ROUND)
    assert told(match, action, ONE_ROUND) != pytest.approx(told(match, act.Done(), ONE_ROUND))


def land_phase() -> Board:
    """Two Germans and two aircraft may attack the one Soviet unit in Kharkov, or ships in the North Sea."""
    board = war().own("germany", "bnl").own("ussr", "kharkov")
    board.adds("kiev", "germany-inf-3", "germany-inf-3", "germany-air-3")
    board.add("germany-air-3", "bnl")
    board.add("ussr-inf-2-orange", "kharkov")
    board.start(Phase("land"), phasing=0)
    board.state.stack = (Idle(), Combats(), Phase("land"))
    return board


def proven(match: Match[Any], role: str, action: Any) -> Odds:
    """The card of an action, which is what the engine plays with every fall of the dice."""
    card = shown(match, role, action)
    assert card is not None
    trial = match.game.trial(match, role, action, card)
    assert trial is not None
    assert list(differences(card, every_fall(trial, 5_000))) == []
    return card


def test_a_march_tells_the_battle_as_it_stands_then() -> None:
    match = land_phase().match
    first, second = (a for a in match.offers("germany") if isinstance(a, act.March) and a.to == "kharkov")
    alone = proven(match, "germany", first)
    assert (alone.basis, alone.aim, alone.whose) == ("basis.as-it-stands", "aim.win", "@germany")
    match.apply("germany", first)
    both = proven(match, "germany", second)
    assert both.success > alone.success
    match.apply("germany", second)
    flight = next(a for a in match.offers("germany") if isinstance(a, act.Fly) and a.to == "kharkov")
    flown = shown(match, "germany", flight)
    assert flown is not None
    assert flown.success > both.success
    fought = whole_battle(match, act.Attack("kharkov"), Stand())
    assert fought is not None
    assert both.success == pytest.approx(fought.success)
    # into an area that nobody holds no battle follows
    rest = [a for a in match.offers("germany") if isinstance(a, act.March) and a.to != "kharkov"]
    assert all(shown(match, "germany", a) is None for a in rest if a.to not in ("paris", "normandy"))


def test_ships_that_aircraft_do_not_find_are_no_success() -> None:
    board = land_phase()
    board.add("be-tf-3", "north_sea")
    match = board.match
    card = proven(
        match, "germany", next(a for a in match.offers("germany") if isinstance(a, act.Fly) and a.to == "north_sea")
    )
    missed = sum(row.probability for row in card.results if row.name == "result.not-found")
    assert 0 < missed < 1
    sunk = sum(row.probability for row in card.results if row.name in ("result.sunk", "result.given-up"))
    assert card.success == pytest.approx(sunk)


def test_bombers_that_fire_at_fighters_drop_no_bombs() -> None:
    board = land_phase()
    bomb = next(a for a in board.match.offers("germany") if isinstance(a, act.Bomb) and a.to == "england")
    free = proven(board.match, "germany", bomb)
    assert free.aim == "aim.raid"
    board = land_phase()
    board.add("be-air-2", "england")
    met = proven(board.match, "germany", bomb)
    assert met.success < free.success


def test_the_last_to_land_lets_the_next_battle_begin() -> None:
    """Aircraft choose where to land after one battle; when all are down the only other one begins by itself."""
    match = on_land(["germany-air-4", "germany-inf-3"], ["ussr-inf-2-orange!"])
    stand = Stand(0.0, 0.0)
    after = (played(match, Played(match, "paris", stand).policy, f"paris/{seed}") for seed in range(200))
    first = next(one for one in after if isinstance(one.step, Combats))
    second = until(first, "kharkov", lambda now: isinstance(now.step, Landing), stand)
    action = next(iter(second.offers(second.decisions()[0])))
    assert isinstance(action, act.Withdraw)
    compare(second, "normandy", action, ONE_ROUND)


# ---- large ones, and what is shown
LARGE = (
    ["germany-inf-3"] * 3 + ["germany-arm-4"] * 2 + ["germany-air-4"] * 2,
    ["ussr-inf-3-red"] * 4 + ["ussr-air-3-red"],
)


@pytest.mark.parametrize("kind", ["retreat", "hits", "fleet"])
def test_the_rest_of_a_large_battle_agrees_with_many_that_were_played(kind: str) -> None:
    """Six deviations: a right sum fails once in a hundred million runs."""
    stand, where = Stand(0.6, 0.3), "north_sea" if kind == "fleet" else "kharkov"
    if kind == "fleet":
        ours, theirs = (
            ["germany-tf-4", "germany-tf-3", "germany-sub-2", "germany-sub-2"],
            ["be-tf-3"] * 3 + ["be-conv-1"],
        )
        match = until(
            lay(war(), where, ours, theirs), where, lambda now: at("hits", 1)(now) and now.state.battle.volley == 1
        )
        action: Any = next(iter(match.offers(match.decisions()[0])))
    elif kind == "hits":
        match = until(on_land(*LARGE), where, at("hits", 0))
        action = list(match.offers(match.decisions()[0]))[-1]
    else:
        match = until(on_land(*LARGE), where, lambda now: isinstance(now.step, AskRetreat) and now.step.side == 1)
        action = act.Retreat("fight")
    exact = told(match, action, stand)
    rest = Rest(match, where, stand, action)
    counts = sample(match, rest.policy, rest.lost, SAMPLES, f"rest/{kind}")
    assert all(exact.get(end, 0.0) > 0 for end in counts)  # type: ignore[call-overload]
    assert farthest(exact, counts) < 6


def test_it_is_shown_and_asked_for_by_everybody() -> None:
    match = until(on_land(*LARGE), "kharkov", lambda now: isinstance(now.step, AskRetreat))
    role, action = match.decisions()[0], act.Retreat("fight")
    every, short = whole(match, role, action), shown(match, role, action)
    assert every is not None
    assert short is not None
    assert every.title == short.title == "odds.rest-of-battle"
    assert short.success == pytest.approx(every.success)
    assert shown(match, role, action) is short
    assert whole(match, role, act.Retreat("retreat")) is not None
    # the game itself tells the next round, as the attackers will stand in it
    dice, digest = match.preview(role, action), match.digest()
    assert dice is not None
    assert dice.title == "round"
    assert sum(row.probability for row in dice.results) == pytest.approx(1)
    assert match.preview(role, act.Retreat("retreat")) is None
    assert match.digest() == digest


@pytest.mark.parametrize("order", [("germany", "italy"), ("italy", "germany")])
def test_whoever_is_done_sees_the_battle_that_follows(order: tuple[str, str]) -> None:
    """The attacker who is done before an ally, and the ally whose click lets the dice fall: the same card."""
    board = reaction()
    board.add("italy-inf-2", "northern_italy")
    board.start(Phase("land"), phasing=0)
    board.state.stack = (Idle(), Combats(), Phase("land"))
    match = board.match
    assert sorted(match.decisions()) == sorted(order)
    first = shown(match, order[0], act.Done())
    match.apply(order[0], act.Done())
    assert match.state.battle is None
    last = shown(match, order[1], act.Done())
    assert first is not None
    assert last is not None
    assert (first.whose, first.aim, first.policy) == ("@germany", "aim.win", "policy.stand?attacker=0.5&defender=0")
    assert first.mine is last.mine is True
    assert first.results == last.results
    with pytest.raises(OutOfDice):  # the board has no dice: they fall on this click
        match.apply(order[1], act.Done())
