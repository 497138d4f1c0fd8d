"""What the colonel and the general know: who guards a capital, how a landing is made, where bombers go."""

from sandtable.core import Match
from sandtable.games import find
from sandtable.games.ww2_europe.actions import Raid
from sandtable.games.ww2_europe.atlas import ATLAS
from sandtable.games.ww2_europe.flow import net
from sandtable.games.ww2_europe.lookup import put
from sandtable.games.ww2_europe.state import DEAD
from sandtable.players.ww2_europe import economy, expedition, fleet
from sandtable.players.ww2_europe.chances import Chances, SharpChances
from sandtable.players.ww2_europe.evaluate import falls, outlook
from sandtable.players.ww2_europe.sight import Sight
from sandtable.players.ww2_europe.watch import Watch, garrison, landers

A = ATLAS
K = ATLAS.kinds
GAME = find("ww2-europe")
ROME, LONDON, BERLIN = (A.index[name] for name in ("rome", "london", "berlin"))


def opened():
    """Spring 1941 before the first move, as something to ask questions of."""
    return Match.new(GAME, "spring-1941", {}, seed="plans").play


def survey(m, power):
    return Watch(Sight(m, power), (), (), SharpChances(), blitz=False)


def empty(m, space, keep=0):
    """Take the ground units and planes of a space away, but for so many."""
    for unit in [u for u, s in enumerate(m.state.space) if s == space][keep:]:
        put(m, unit, DEAD)
    m.cache.clear()


def test_a_capital_by_the_sea_is_guarded_against_the_ships_that_can_reach_it():
    m = opened()
    ships = landers(m, 1, ROME)
    assert ships >= 2
    assert garrison(Sight(m, A.italy), ROME) > ships * 0.8
    assert landers(m, 1, BERLIN) == 0


def test_a_weakly_held_rome_is_worth_calling_ships_out_of_their_convoys():
    m = opened()
    assert expedition.goal_of(survey(m, A.britain)) == ROME
    empty(m, ROME, keep=1)
    voyages = expedition.coup(survey(m, A.britain))
    assert len(voyages) >= 2
    assert len({voyage.ship for voyage in voyages}) == len({voyage.cargo for voyage in voyages}) == len(voyages)
    assert expedition.recall(m, voyages) is not None


def test_nobody_stands_where_he_is_only_lost():
    """Next to a great army a lone unit is worse off in front of it than behind."""
    m = opened()
    camp = survey(m, A.ussr)
    unit = next(u for u, s in enumerate(m.state.space) if s == A.index["novgorod"] and m.state.power[u] == A.ussr)
    camp.threats[A.index["smolensk"]] = 6.0
    camp.left[A.index["smolensk"]] = []
    assert camp.score(unit, A.index["smolensk"]) < camp.score(unit, A.index["archangel"])


def test_bombers_share_out_their_targets():
    m = opened()
    sight = Sight(m, A.germany)
    for unit in [u for s in sight.air[1].values() for u in s if K.escort[m.state.kind[u]]]:
        put(m, unit, DEAD)
    m.cache.clear()
    sight = Sight(m, A.germany)
    bombers = [u for s in sight.air[0].values() for u in s if K.base[m.state.kind[u]] == K.bomber]
    together, apart = (
        {raid.target for raid in fleet.bombing(sight, bombers, spread=spread) if isinstance(raid, Raid)}
        for spread in (False, True)
    )
    assert together
    assert len(apart) > len(together)


def test_large_battles_are_guessed_with_those_who_fall_first():
    """Ten men behind walls with planes over them beat ten without planes; the plain guess knows no order of losses."""
    m = opened()
    camp = survey(m, A.ussr)
    assert isinstance(camp.chances, SharpChances)
    east = [u for s in sorted(Sight(m, A.germany).ground[0]) for u in Sight(m, A.germany).ground[0][s]]
    few, many = east[:12], east[:30]
    foes = [u for s in sorted(Sight(m, A.ussr).ground[1]) for u in Sight(m, A.ussr).ground[1][s]][:12]
    moscow = A.index["moscow"]
    weak = camp.chances.attack(m, moscow, 0, few, foes, {0}, blitz=False)
    strong = camp.chances.attack(m, moscow, 0, many, foes, {0}, blitz=False)
    assert weak.win < strong.win
    assert weak.ours > 0
    assert Chances().attack(m, moscow, 0, many, foes, {0}, blitz=False).win > 0.5


def test_the_outlook_is_the_same_from_both_sides_and_worse_without_a_garrison():
    m = opened()
    assert outlook(m, 0) == -outlook(m, 1)
    before = falls(Sight(m, A.britain), LONDON)
    empty(m, LONDON)
    assert falls(Sight(m, A.britain), LONDON) >= before


def test_troops_at_home_ask_for_no_convoy():
    m = opened()
    home = {net(m, A.group[A.britain]).part[LONDON]}
    assert home.isdisjoint(economy.hungry(m, A.britain))
