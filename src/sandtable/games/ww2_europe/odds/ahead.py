"""What an action leads to: it is carried out on a copy of the match up to the next dice of a battle or a raid.

On the way nobody aborts or retreats, owners give up what is worth least and a roller who may choose takes what is worth
most, and whoever has to choose anything else takes the first that is offered. The odds go on from there.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.core import Action, Match, Odds, Play, Result, Role, Step

from ..facts.landings import landing_units
from ..facts.names import unit_name, unit_of
from ..facts.whereabouts import cargo
from ..model.actions import Abort, Fight, Lose, Retreat
from ..model.atlas import ATLAS, SIDES
from ..model.kinds import GROUND
from ..model.state import RETREATED, M, W2State
from ..rules.advanced_naval import WEATHER
from ..rules.advanced_naval_phase import Assemble
from ..rules.battle_phase import Battle
from ..rules.fire import ROLLER
from ..rules.homecoming import lift_off
from ..rules.interception_phase import Encounter
from ..rules.landings import landing_ships
from ..rules.strategic_phase import RaidFight
from ..rules.strength import Crossing, crossing_bonus
from ..rules.units import CARRIES, loaded
from .landing import landing_ends, volley
from .raids import raid_odds
from .rounds import Both, Ends, ends_of
from .types import Types, load_of, price

A = ATLAS
K = ATLAS.kinds
_MOST_STEPS = 2_000
_DICE = ("begin", "shore", "attack", "defend")
"""The phases of a battle before which the odds take over."""
DECIDED = ("result.capture", "result.sunk", "result.given-up")


def carry_out(m: M, role: Role, action: Action) -> None:
    """Carry the action out, and all that follows by itself up to the next dice of a battle or to a real decision."""
    around, rolled = _around(m), m.state.rolled
    m.step.take(m, role, action)
    for _ in range(_MOST_STEPS):
        if m.state.outcome is not None or is_due(m):
            return
        if around and not _goes_on(m, around):
            if around[1] is Battle or m.state.rolled != rolled:
                return
            around = None  # a meeting at sea without any dice
        around = around or _around(m)
        step = m.step
        if isinstance(step, Battle):
            _next_phase(m, step)
            continue
        step.run(m)
        if m.step is step:
            if not (around and around[1] is Battle):
                return
            role = step.roles(m)[0]
            step.take(m, role, next(iter(step.offers(m, role)[0])))
    raise AssertionError("what follows from this action does not end")


def is_due(m: M) -> bool:
    """Whether dice of a battle or of a raid fall next."""
    step = m.step
    return step.phase in _DICE if isinstance(step, Battle) else isinstance(step, RaidFight)


def _around(m: M) -> tuple[int, type] | None:
    """The battle or the meeting at sea that goes on, by its place in the stack."""
    step = m.step
    return (len(m.state.stack), type(step)) if isinstance(step, (Battle, Encounter)) else None


def _goes_on(m: M, around: tuple[int, type]) -> bool:
    return len(m.state.stack) >= around[0] and isinstance(m.state.stack[around[0] - 1], around[1])


def _next_phase(m: M, step: Battle) -> None:
    if not step.waits(m):
        after: Battle | None = getattr(step, "_" + step.phase.replace("-", "_"))(m)
        if after is not None and after.phase != "ended":
            m.amend(after)
    elif step.phase.startswith("hits"):
        m.amend(step.suffer(m, _victim(m, step)))
    else:
        step.take(m, step.roles(m)[0], Fight())


def _victim(m: M, step: Battle) -> int:
    """Who takes the next hit, as the sums have it."""
    state, led = m.state, bool(m.option("leaders"))
    takes = not step.sea and step.phase == "hits-a"
    ground = [u for u in step.targets(m) if K.cls[state.kind[u]] == GROUND] if takes else []

    def cost(unit: int) -> tuple[int, ...]:
        if step.phase == "hits-shore":
            last = state.damage[unit] + 1 >= K.hits[state.kind[unit]]
            loads = sum(K.cost[state.kind[u]] for u in cargo(state, unit))
            return K.cost[state.kind[unit]] + loads - (not last), -unit
        load = load_of(state, cargo(state, unit)) if CARRIES[state.kind[unit]] else 0
        return price(state, unit, state.damage[unit], led=led, last=ground == [unit], load=load)

    return (max if step.hits[0] & ROLLER else min)(step.kinds_to_lose(m).values(), key=cost)


def give_up(now: Match[W2State], asked: Role) -> Action | None:
    """What a role loses to the next hit: what is worth least, or most where the roller chooses; None: nothing."""
    step, state = now.step, now.state
    if not isinstance(step, (Battle, RaidFight)) or not now.offers(asked)[Lose]:
        return None
    if isinstance(step, Battle):
        return Lose(unit_name(state, _victim(now.play, step)))
    flying = step.phase == "lose-flyers"
    kinds = step.kinds(now.play).values()
    return Lose(
        unit_name(
            state,
            min(kinds, key=lambda u: (flying and K.strategic[state.kind[u]], K.cost[state.kind[u]], -u)),
        )
    )


def both_sides(m: M, battle: Battle, *, keeps: bool = True) -> tuple[M, Types, Types]:
    """The units of a battle as the odds count them, and the match that they are counted in: carriers have launched
    their planes there, which join when the carriers have fought a round.  [w2e-unit-carrier-extended]

    `keeps`: whether the attacker keeps somebody on the ground as long as possible.
    """
    both = battle.all_left(m, battle.att), battle.all_left(m, battle.dfn)
    aboard: dict[int, list[int]] = {}
    if battle.sea and WEATHER[battle.weather][2]:
        ships = (u for units in both for u in units if K.air_wing[m.state.kind[u]])
        aboard = {ship: planes for ship in ships if (planes := cargo(m.state, ship))}
    if aboard:
        m = Play(m.game, m.game.codec.clone(m.state), m.dice)
        for ship in aboard:
            lift_off(m, ship)
    late = {unit: when for unit, when in battle.arrive if when > battle.round}
    att, dfn = (
        Types(m, [*units, *(plane for ship in units for plane in aboard.get(ship, ()))], takes=takes, late=late,
              aboard={ship: aboard[ship] for ship in units if ship in aboard}, now=max(1, battle.round))
        for units, takes in zip(both, (keeps and not battle.sea, False), strict=True)
    )  # fmt: skip
    return m, att, dfn


# ---- from there on
def rest_of(m: M, battle: Battle, most: int) -> Ends:
    """How a battle may end from where it stands, and what is lost from there on.

    [w2e-stage3-fire] [w2e-stage2-fire] [w2e-stage3-bombard] [w2e-stage3-shore-defense]
    """
    if battle.phase == "begin" and not battle.sea:
        if landing_units(m.state, battle.space, battle.attacker):
            return landing_ends(m, battle, most)
        battle = replace(battle, crossing=Crossing(crossing_bonus(m, battle.space, battle.att)))
    if battle.phase == "shore":
        return landing_ends(m, battle, most, bombards=False)
    seen, att, dfn = both_sides(m, battle)
    if battle.phase != "defend":
        return ends_of(seen, battle, att, dfn, most)
    # the attackers have fired: those that they hit still fire back, and the next round begins
    shooters = [*battle.live(m, battle.dfn), *(u for u in battle.doomed if u in battle.dfn)]
    dice = battle.shots(m, shooters, battle.live(m, battle.att), defending=True)
    theirs = dfn.joined(dfn.start, battle.round)
    begins: Both = {}
    for counts, chance in volley(seen, att, dice).items():
        pair = (att.joined(counts, battle.round), theirs)
        begins[pair] = begins.get(pair, 0.0) + chance
    return ends_of(seen, replace(battle, round=battle.round + 1, doomed=()), att, dfn, most, begins)


def told(before: M, action: Action, after: Sequence[tuple[float, M]], most: int) -> Odds | None:
    """The odds of a battle that the action goes on with, ends or starts, by the ways its own dice can fall; None where
    it does nothing of the kind. `after` are the match after it with their chances."""
    step = before.step
    fighting = isinstance(step, Battle)
    battles = [m.step for _, m in after if isinstance(m.step, Battle)]
    fought = step if isinstance(step, Battle) else battles[0] if battles else None
    if fought is None:
        return _raid(before, after)
    found: Ends = {}
    for part, m in after:
        now = m.step if isinstance(m.step, Battle) and (fighting or m.step.space == fought.space) else None
        gone = (0, 0)
        if now is not None or fighting:
            doomed = now.doomed if now is not None else ()
            gone = _lost(before, m, fought if fighting else now, doomed)
        for (name, one, two), chance in _ends(m, now, fought, action, fighting, most).items():
            key = (name, one + gone[0], two + gone[1])
            found[key] = found.get(key, 0.0) + part * chance
    mine, theirs = SIDES[fought.attacker], SIDES[1 - fought.attacker]
    results = [Result(p, f"result.{name}", {mine: one, theirs: two}) for (name, one, two), p in sorted(found.items())]
    return Odds(
        title=f"@{A.names[fought.space]}", results=results,
        success=sum(row.probability for row in results if row.name in DECIDED), modifiers=[],
        expected_losses={side: sum(r.probability * r.losses[side] for r in results) for side in (mine, theirs)},
        policy="policy.fight-out", whose=f"@{mine}", aim=aim_of(fought),
    )  # fmt: skip


def aim_of(battle: Battle) -> str:
    """What the attacker of a battle wants."""
    return "aim.sea" if battle.sea else "aim.land"


def _raid(before: M, after: Sequence[tuple[float, M]]) -> Odds | None:
    """The raid that goes on or comes first; what has been lost before its next dice counts."""
    fights = [(m, m.step) for _, m in after if isinstance(m.step, RaidFight)]
    if len(after) != 1 or not fights:
        return None
    m, fight = fights[0]
    name = f"convoy {fight.target}" if fight.at_convoy else A.names[fight.target]
    odds = raid_odds(m, fight, fight.raiders(m), name)
    if not isinstance(before.step, RaidFight):
        return odds
    gone = {
        side: sum(K.cost[before.state.kind[u]] for u in units if before.state.space[u] != -1 and m.state.space[u] == -1)
        for side, units in ((SIDES[fight.side], before.step.raiders(before)),)
    }
    rows = [
        replace(row, losses={side: worth + gone.get(side, 0) for side, worth in row.losses.items()})
        for row in odds.results
    ]  # fmt: skip
    lost = {side: mean + gone.get(side, 0) for side, mean in odds.expected_losses.items()}
    return replace(odds, results=rows, expected_losses=lost)


def _ends(m: M, now: Battle | None, fought: Battle, action: Action, fighting: bool, most: int) -> Ends:
    if now is not None:
        return rest_of(m, now, most)
    if fighting:
        return {(_name(m, fought, action), 0, 0): 1.0}
    return {(found_name(m.step), 0, 0): 1.0}


def found_name(step: Step) -> str:
    """What it is called when a search has led to no battle yet."""
    asked = isinstance(step, Assemble) or (isinstance(step, Encounter) and step.phase == "convoy")
    return "found" if asked else "not-found"


def _lost(before: M, after: M, battle: Battle | None, doomed: Sequence[int]) -> tuple[int, int]:
    """What both sides of the battle have lost between the two."""
    if battle is None:
        return 0, 0
    one, two = (_worth(before.state, units, battle.doomed) - _worth(after.state, units, doomed)
                for units in _sides(before, battle))  # fmt: skip
    return one, two


def _sides(m: M, battle: Battle) -> tuple[list[int], list[int]]:
    """All that both sides can lose in a battle with what it carries; the fleet beside a landing is in it."""
    ours, theirs = battle.all_left(m, battle.att), battle.all_left(m, battle.dfn)
    if battle.sea:
        ours, theirs = ([u for unit in units for u in loaded(m.state, unit)] for units in (ours, theirs))
    else:
        fleet = [u for u in (battle.ships or landing_ships(m, battle.space, battle.attacker)) if m.state.space[u] != -1]
        ours = list(dict.fromkeys([*ours, *fleet, *(u for ship in fleet for u in cargo(m.state, ship))]))
    return ours, theirs


def _worth(state: W2State, units: Sequence[int], doomed: Sequence[int]) -> int:
    gone = {u for unit in doomed for u in loaded(state, unit)}
    return load_of(state, (u for u in units if state.space[u] != -1 and u not in gone))


def _name(m: M, battle: Battle, action: Action) -> str:
    """How a battle ended that the action itself has brought to its end."""
    if isinstance(action, Retreat):
        return "withdrawn" if battle.phase == "retreat-a" else "given-up"
    away = {unit_of(m.state, name) for name in action.units} if isinstance(action, Abort) else set()
    ours, theirs = (
        [u for u in units if m.state.space[u] != -1 and u not in away and u not in battle.doomed]
        for units in (battle.att, battle.dfn)
    )
    if theirs:
        return "given-up" if battle.sea and all(m.state.flags[u] & RETREATED for u in theirs) else "repulse"
    if any(battle.sea or K.cls[m.state.kind[u]] == GROUND for u in ours):
        return "sunk" if battle.sea else "capture"
    return "ruin"
