"""Benchmarks of the exact odds: the battles of a random match of each game, and large ones made for the purpose."""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sandtable.core import Action, Game, Match, Odds
from sandtable.lab.bench import Bench, Figure, Peer, suite
from sandtable.odds.dice import hits
from sandtable.odds.whole import whole

DECISIONS = 1500
MOST = 60
TYPICAL = (Peer("promised", 5.0, 1.0),)
LARGEST = (Peer("promised, about", 100.0, 0.75),)
AGAIN = (Peer("promised", 10.0, 1.0),)
Question = tuple[Match[Any], str, Action]


def questions(game: Game[Any], scenario: str) -> list[Question]:
    """Actions of a random match for which there are odds, with the positions they are asked in."""
    found: list[Question] = []
    match, rng = Match.new(game, scenario, seed=7, history=False), Random(7)
    while not match.over and match.number < DECISIONS and len(found) < MOST:
        role = match.decisions()[0]
        action = match.offers(role).sample(rng)
        if game.preview(match.play, role, action) is not None:
            found.append((match.clone(), role, action))
        match.apply(role, action)
    return found


def milliseconds(work: Callable[[], object]) -> float:
    """Processor time of one call with an empty cache."""
    hits.cache_clear()
    started = time.process_time()
    work()
    return (time.process_time() - started) * 1000


def _next_dice(question: Question) -> Callable[[], Odds | None]:
    match, role, action = question
    twin = match.clone()
    return lambda: twin.game.preview(twin.play, role, action)


def _whole(question: Question) -> Callable[[], Odds | None]:
    match, role, action = question
    twin = match.clone()
    return lambda: whole(twin, role, action)


def game_figures(bench: Bench, game: Game[Any]) -> Iterator[Figure]:
    asked = [question for scenario in list(game.scenarios)[:2] for question in questions(game, scenario)]
    if not asked:
        return
    for name, ask in (("the next dice", _next_dice), ("the whole battle or chain", _whole)):
        taken = sorted(milliseconds(ask(question)) for question in asked)
        note = f"median of {len(taken)} actions of random matches"
        yield Figure(f"{game.id}: {name}, typical", taken[len(taken) // 2], "ms", TYPICAL, note)
        yield Figure(f"{game.id}: {name}, largest", taken[-1], "ms", LARGEST, "of the same actions")
    match, role, action = asked[0]
    match.preview(role, action)
    repeated = bench.microseconds(lambda: match.preview(role, action))
    yield Figure(f"{game.id}: asked again", repeated, "µs", AGAIN, "from the cache")


@suite("odds")
def all_odds(bench: Bench) -> Iterator[Figure]:
    for game in bench.games:
        bench.say(game.id)
        yield from game_figures(bench, game)
        if game.id in LARGE:
            name, ask = LARGE[game.id]()
            yield Figure(f"{game.id}: {name}", min(milliseconds(ask) for _ in range(3)), "ms", LARGEST, "made for this")


# ---- large ones ------------------------------------------------------------------------------------------------------


def chain_of_an_army_group() -> tuple[str, Callable[[], object]]:
    """The dearest chain of Barbarossa's first turn, with its assault."""
    from sandtable.games import find
    from sandtable.games.hitlers_war.model.actions import Attack, Done, PlaceDefault
    from sandtable.games.hitlers_war.odds.whole import chain

    match = Match.new(find("hitlers-war"), "barbarossa", seed=1, history=False)
    while not match.offers(match.decisions()[0])[Attack]:
        role = match.decisions()[0]
        match.apply(role, PlaceDefault() if match.offers(role)[PlaceDefault] else Done())
    attacks = [action for action in match.offers(match.decisions()[0]) if isinstance(action, Attack)]
    slowest = max(attacks, key=lambda action: milliseconds(lambda: chain(match.clone(), action, assault=True)))
    return "longest chain of Barbarossa's first turn", lambda: chain(match.clone(), slowest, assault=True)


def battle_of_twelve() -> tuple[str, Callable[[], object]]:
    """Ten land units and two aircraft against nine and one, all that often meet in one area."""
    from sandtable.games import find
    from sandtable.games.blitzkrieg_general.model.atlas import ARM, INF, atlas
    from sandtable.games.blitzkrieg_general.model.state import LAND_BATTLE, move_unit
    from sandtable.games.blitzkrieg_general.odds.whole import fight_out
    from sandtable.games.blitzkrieg_general.rules.chart import gather
    from sandtable.odds.policy import Stand

    match = Match.new(find("blitzkrieg-general"), "1939-advanced", seed=1, history=False)
    state, found = match.state, atlas()
    space = found.space_of["kharkov"]
    for nation, side in (("germany", (8, 2, 2)), ("ussr", (8, 1, 1))):
        mine = [u for u in range(len(found.unit_ids)) if state.nation[u] == found.nation_of[nation]]
        kinds = ([u for u in mine if found.type[u] == INF], [u for u in mine if found.type[u] == ARM],
                 [u for u in mine if found.is_air[u]])  # fmt: skip
        for units, number in zip(kinds, side, strict=True):
            for unit in units[:number]:
                move_unit(state, unit, space)
    state.phasing = state.side[found.nation_of["germany"]]
    battle = gather(state, space, LAND_BATTLE)
    name = f"a battle of {len(battle.attackers)} units against {len(battle.defenders)}, with aircraft"
    return name, lambda: fight_out(match.clone(), battle, Stand())


def corps_of_eleven() -> tuple[str, Callable[[], object]]:
    """Eleven units of five kinds on each side, more than nine battles in ten that are fought."""
    from sandtable.games import find
    from sandtable.games.ww2_europe.model.atlas import ATLAS
    from sandtable.games.ww2_europe.odds.preview import battle_odds
    from sandtable.games.ww2_europe.rules.battle import Battle

    match = Match.new(find("ww2-europe"), "fall-1939", seed=1, history=False)
    state, kinds = match.state, ATLAS.kinds
    wanted = {"tank": 2, "infantry": 4, "artillery": 2, "fighter": 2, "tac_bomber": 1}

    def corps(power: str) -> tuple[int, ...]:
        mine = [u for u in range(len(state.space)) if ATLAS.powers[state.power[u]] == power and state.space[u] != -1]
        of_kind = {kind: [u for u in mine if state.kind[u] == kinds.index[kind]] for kind in wanted}
        return tuple(unit for kind, number in wanted.items() for unit in of_kind[kind][:number])

    ours, theirs = corps("germany"), corps("ussr")
    battle = Battle(ATLAS.index["krakow"], 0, False, ours, theirs)
    name = f"a battle of {len(ours)} units against {len(theirs)}, of five kinds"
    return name, lambda: battle_odds(match.play, battle)


LARGE: dict[str, Callable[[], tuple[str, Callable[[], object]]]] = {
    "hitlers-war": chain_of_an_army_group,
    "blitzkrieg-general": battle_of_twelve,
    "ww2-europe": corps_of_eleven,
}
