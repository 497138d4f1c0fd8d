"""Exact odds, checked by hand and against counting."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from sandtable.core import Match, SealedDice
from sandtable.games.ww2_europe.game import GAME
from sandtable.games.ww2_europe.model.actions import Combine, Fight, Fly, March, Raid, Separate
from sandtable.games.ww2_europe.model.atlas import ATLAS as A
from sandtable.games.ww2_europe.model.kinds import T_AIR, T_LAND
from sandtable.games.ww2_europe.model.state import CUT_OFF, M
from sandtable.games.ww2_europe.odds.ladder import faces
from sandtable.games.ww2_europe.odds.preview import Types, battle_odds, raid_odds
from sandtable.games.ww2_europe.odds.types import Counts
from sandtable.games.ww2_europe.rules.battle_phase import Battle
from sandtable.games.ww2_europe.rules.blitz_phase import Blitz
from sandtable.games.ww2_europe.rules.fire import ROLLER, Shot
from sandtable.games.ww2_europe.rules.interception_phase import Encounter
from sandtable.games.ww2_europe.rules.strategic import raid_number
from sandtable.games.ww2_europe.rules.strategic_phase import DEFENCE, RaidFight
from sandtable.odds.words import in_words
from tests.games.ww2_europe.positions import Board, space
from tests.games.ww2_europe.rules.test_sea import sail

PLAIN = next(A.names[s] for s in A.land if not A.terrain[s] and A.flag[s] == 0 and A.homeland[s] == A.germany)


def test_one_tank_against_one_infantry_by_hand():
    board = Board()
    tank, foot = board.put("germany", "tank", PLAIN), board.put("great_britain", "infantry", PLAIN)
    odds = battle_odds(board.m, Battle(space(PLAIN), 0, False, (tank,), (foot,)))
    hit, answer = 3 / 6, 2 / 6
    nothing = (1 - hit) * (1 - answer)
    assert odds.success == pytest.approx(hit * (1 - answer) / (1 - nothing))
    assert sum(r.probability for r in odds.results) == pytest.approx(1)
    both = next(r for r in odds.results if r.name == "result.ruin")
    assert both.probability == pytest.approx(hit * answer / (1 - nothing))


def test_what_a_die_can_do():
    assert dict(faces(Shot(0, 3, T_LAND))) == {0: pytest.approx(3 / 6), T_LAND: pytest.approx(3 / 6)}
    free = dict(faces(Shot(0, 4, T_AIR, free=1)))
    assert free[T_AIR | ROLLER] == pytest.approx(1 / 6)
    assert free[T_AIR] == pytest.approx(3 / 6)


def by_counting(m: M, battle: Battle, att: Types, dfn: Types, ours: Counts, theirs: Counts, first: bool) -> float:
    """The chance of a capture, every die thrown in the mind: an own, slow way to the same number."""
    if not any(theirs):
        return 1.0 if any(c for c, g in zip(ours, att.ground, strict=True) if g) else 0.0
    if not any(c for c, g in zip(ours, att.ground, strict=True) if g):
        return 0.0
    step = replace(battle, round=1 if first else 2)

    def spread(types: Types, counts: Counts, dice: list[Shot]) -> dict[Counts, float]:
        found = {counts: 1.0}
        for shot in dice:
            after: dict[Counts, float] = {}
            for now, chance in found.items():
                for die in range(1, 7):
                    hit = shot.hit(die)
                    then = types.hit(m, now, (hit,)) if hit else now
                    after[then] = after.get(then, 0.0) + chance / 6
            found = after
        return found

    mine, yours = att.listed(ours), dfn.listed(theirs)
    after_d = spread(dfn, theirs, step.shots(m, mine, yours, defending=False))
    after_a = spread(att, ours, step.shots(m, yours, mine, defending=True))
    stay = 0.0 if first else after_a.get(ours, 0.0) * after_d.get(theirs, 0.0)
    total = 0.0
    for a, one in after_a.items():
        for d, two in after_d.items():
            if first or (a, d) != (ours, theirs):
                total += one * two * by_counting(m, battle, att, dfn, a, d, False)
    return total / (1 - stay)


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [
        (("tank", "infantry", "artillery"), ("infantry", "infantry", "tank")),
        (("tank", "fighter", "tac_bomber", "infantry"), ("infantry", "fighter", "artillery")),
        (("infantry", "infantry"), ("fighter", "infantry")),
        (("tank", "bomber"), ("infantry", "tac_bomber")),
        (("infantry", "fighter"), ("infantry", "infantry", "fighter", "artillery")),
    ],
)
def test_the_matrices_agree_with_counting_every_die(attackers: tuple[str, ...], defenders: tuple[str, ...]):
    board = Board()
    att = tuple(board.put("germany", kind, PLAIN) for kind in attackers)
    dfn = tuple(board.put("great_britain", kind, PLAIN) for kind in defenders)
    battle = Battle(space(PLAIN), 0, False, att, dfn)
    one, two = Types(board.m, att, takes=True), Types(board.m, dfn)
    wanted = by_counting(board.m, battle, one, two, one.start, two.start, True)
    assert battle_odds(board.m, battle).success == pytest.approx(wanted, abs=1e-12)


def test_great_battles_have_odds_too():
    board = Board()
    kinds = ("infantry",) * 4 + ("artillery",) + ("tank",) * 2 + ("fighter",) * 2
    att = tuple(board.put("germany", kind, PLAIN) for kind in kinds)
    dfn = tuple(board.put("great_britain", kind, PLAIN) for kind in kinds)
    odds = battle_odds(board.m, Battle(space(PLAIN), 0, False, att, dfn))
    assert sum(r.probability for r in odds.results) == pytest.approx(1)
    assert 0 < odds.success < 1
    fleet = ("battleship",) * 2 + ("cruiser",) * 2 + ("destroyer",) * 4 + ("submarine",) * 2 + ("transport",) * 2
    one = tuple(board.put("germany", kind, "north_sea") for kind in fleet)
    two = tuple(board.put("great_britain", kind, "north_sea") for kind in fleet)
    odds = battle_odds(board.m, Battle(space("north_sea"), 0, True, one, two))
    assert sum(r.probability for r in odds.results) == pytest.approx(1)


def test_eleven_mixed_units_on_each_side_have_exact_odds():
    board = Board()
    kinds = ("tank",) * 2 + ("infantry",) * 4 + ("artillery",) * 2 + ("fighter",) * 2 + ("tac_bomber",)
    att = tuple(board.put("germany", kind, PLAIN) for kind in kinds)
    dfn = tuple(board.put("great_britain", kind, PLAIN) for kind in kinds)
    battle = Battle(space(PLAIN), 0, False, att, dfn)
    odds = battle_odds(board.m, battle)
    assert sum(r.probability for r in odds.results) == pytest.approx(1)
    assert 0 < odds.success < 1


@pytest.mark.rule("w2e-stage1-fight", "w2e-stage1-bomb")
def test_a_raid_on_a_defended_space_by_hand():
    board = Board()
    bomber = board.put("germany", "bomber", "hamburg")
    board.owner("great_britain", "london")
    guards = [board.put("great_britain", "fighter", "london") for _ in range(2)]
    fight = RaidFight(0, False, space("london"))
    hit, shot_down = raid_number(board.m, bomber, False) / 6, DEFENCE / 6
    alone = raid_odds(board.m, fight, [bomber], "london")
    assert alone.success == pytest.approx((1 - shot_down) ** len(guards) * hit)
    escort = board.put("germany", "fighter", "hamburg")
    escorted = raid_odds(board.m, fight, [bomber, escort], "london")
    # the escort is given up first
    assert escorted.success == pytest.approx((1 - shot_down**2) * hit)
    cost = A.kinds.cost[A.kinds.bomber]
    assert alone.expected_losses["axis"] == pytest.approx(cost * (1 - (1 - shot_down) ** 2))


def test_a_raid_is_previewed_when_it_is_ordered():
    board = Board()
    bomber = board.put("germany", "bomber", "hamburg")
    board.owner("great_britain", "london")
    board.put("great_britain", "fighter", "london")
    board.move(0)
    offers = board.match.offers("germany")
    action = next(a for offer in offers[Raid] for a in offer if a.target == "london")  # type: ignore[attr-defined]
    assert action.unit == board.name(bomber)  # type: ignore[attr-defined]
    odds = board.match.preview("germany", action)
    assert odds is not None
    assert odds.success == pytest.approx((1 - DEFENCE / 6) * raid_number(board.m, bomber, False) / 6)


def test_the_odds_agree_with_fighting_it_out_many_times():
    def position() -> tuple[Board, tuple[int, ...], tuple[int, ...]]:
        board = Board()
        board.owner("great_britain", PLAIN)
        att = tuple(board.put("germany", kind, PLAIN) for kind in ("tank", "infantry", "infantry"))
        dfn = tuple(board.put("great_britain", kind, PLAIN) for kind in ("infantry", "infantry"))
        return board, att, dfn

    board, att, dfn = position()
    exact = battle_odds(board.m, Battle(space(PLAIN), 0, False, att, dfn)).success
    won = 0
    trials = 400
    for number in range(trials):
        state = GAME.codec.clone(board.state)
        match = Match(GAME, state, SealedDice(f"odds {number}"), history=False)
        match.play.push(Battle(space(PLAIN), 0, False, att, dfn))
        match.play.settle()
        while isinstance(match.step, Battle):
            role = match.decisions()[0]
            offers = match.offers(role)
            if offers[Fight]:
                match.apply(role, Fight())
            else:
                cheap = min(offers, key=lambda a: A.kinds.cost[A.kinds.index[a.unit.split("#")[0]]])  # type: ignore[attr-defined]
                match.apply(role, cheap)
        won += match.state.owner[space(PLAIN)] == A.germany
    assert won / trials == pytest.approx(exact, abs=0.07)


def test_a_march_shows_the_battle_it_would_start():
    board = Board()
    tank = board.put("germany", "tank", "breslau")
    board.put("great_britain", "infantry", "krakow")
    board.move(0)
    odds = board.match.preview("germany", March(board.name(tank), ("krakow",)))
    assert odds is not None
    assert 0 < odds.success < 1
    assert board.match.preview("germany", March(board.name(tank), ("leipzig",))) is None


def test_searching_together_or_apart():
    board = Board(war="italy")
    one, two = (
        board.put("great_britain", "destroyer", "gibraltar_port"),
        board.put("great_britain", "destroyer", "malta_port"),
    )
    prey = board.put("italy", "destroyer", "genoa_port")
    sail(board, prey, "genoa_port", "tyrrhenian")
    sail(board, one, "gibraltar_port", "alboran_sea", "balearic_sea", "tyrrhenian", patrol=True)
    sail(board, two, "malta_port", "tyrrhenian", patrol=True)
    board.run(Encounter(space("tyrrhenian")))
    assert board.match.decisions() == ("great_britain",)
    together = board.match.preview("great_britain", Combine())
    apart = board.match.preview("great_britain", Separate())
    assert together is not None
    assert apart is not None
    assert together.success == pytest.approx(3 / 6)
    assert apart.success == pytest.approx(1 - (3 / 6) * (1 / 6))


def test_previews_never_change_the_position():
    match = Match.new(GAME, "fall-1939", seed=8, history=False)
    rng = Random(8)
    shown = 0
    for _ in range(250):
        role = match.decisions()[0]
        action = match.offers(role).sample(rng)
        before = match.digest()
        odds = match.preview(role, action)
        assert match.digest() == before
        if odds is not None:
            shown += 1
            assert sum(r.probability for r in odds.results) == pytest.approx(1)
        match.apply(role, action)
    assert shown


@pytest.mark.parametrize(("blitz", "last"), [(False, 0.7588), (True, 0.9585)])
def test_blitzkrieg_counts_surprise_and_flights_have_odds(blitz, last):
    """Two tanks, a mech and a tac bomber against four French infantry in Sedan, first to last."""
    board = Board("fall-1939", war="france great_britain")
    board.turn("spring 1940")
    board.owner("germany", "liege", "brussels")
    first, second = (board.put("germany", "tank", "liege") for _ in range(2))
    mech, plane = board.put("germany", "mech", "liege"), board.put("germany", "tac_bomber", "essen")
    board.put("france", "infantry", "sedan", 4)
    board.initiative(0)
    board.run(Blitz(0)) if blitz else board.move()
    card = board.match.preview
    march = March(board.name(first), ("sedan",))
    odds = card("germany", march)
    assert odds is not None
    alone = odds.success
    assert (odds.whose, odds.aim) == ("@axis", "aim.land")
    assert (("surprised", 0) in [(part.name, part.value) for part in odds.modifiers]) == blitz
    board.match.apply("germany", march)
    fly = Fly(board.name(plane), ("liege", "sedan"))
    odds = card("germany", fly)
    assert odds is not None
    assert odds.success > alone
    board.match.apply("germany", fly)
    board.match.apply("germany", March(board.name(second), ("sedan",)))
    odds = card("germany", March(board.name(mech), ("sedan",)))
    assert odds is not None
    assert odds.success == pytest.approx(last, abs=5e-4)


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_takes_the_place_of_a_value_is_no_bonus(language):
    """A unit that is cut off fires at 1: the card says so, and not '+1'."""
    board = Board()
    att, dfn = (board.put("germany", "tank", PLAIN),), (board.put("great_britain", "infantry", PLAIN, flags=CUT_OFF),)
    odds = in_words(battle_odds(board.m, Battle(space(PLAIN), 0, False, att, dfn)), GAME.texts(language))
    ((name, value),) = [(part.name, part.value) for part in odds.modifiers]
    assert value == 0
    assert "1" in name
