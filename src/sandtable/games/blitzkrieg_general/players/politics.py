"""Choices about war and peace: alliances, and on whom to declare war and when."""

from __future__ import annotations

from random import Random
from typing import Any

from sandtable.core import Action, Game, Offers

from ..facts.duels import Soldier
from ..facts.ground import held_by
from ..model.actions import Ally, Declare
from ..model.atlas import ARM, BE, CHINA, FRANCE, GERMANY, ITALY, JAPAN, MAJORS, TYPES, USA, USSR
from ..model.state import AT_WAR, CONQUERED, MOVED, NEUTRAL, BKState, at_war
from ..rules.politics import why_not_declare
from .chances import estimate
from .scene import Scene

_READY = 0.5
"""The share of the own hits that must be left after the first battle against a neutral."""
_CAPITAL = 0.7
"""Power that stays in the capital."""
_FAR_EAST = 1.3
"""How much stronger Japan must be than the Soviets in the east."""
_STRONGER = 1.25
"""How much stronger on land Germany must be to march east early."""

_TRIPLES = 1.6
"""The same where the Soviets would have stayed at peace, and at their peacetime production."""
_COMING = 19
"""The American level at which war is a quarter away."""


def usual_side(game: Game[Any], role: str, offers: Offers, rng: Random) -> Action:
    """At a free choice of alliances everybody takes the historical one, where allowed."""
    for side, roles in game.alliances.items():
        if role in roles and Ally(side) in offers:
            return Ally(side)
    return offers.sample(rng)


def designs(scene: Scene) -> list[int]:
    """Minor neutrals a major has its eye on now."""
    state, found, me = scene.state, scene.found, scene.me
    if state.standing[me] == NEUTRAL and me != USSR:
        return []
    fallen = state.standing[FRANCE] == CONQUERED
    free = not state.advanced or state.standing[USA] == AT_WAR
    """Whether an attack on a neutral no longer moves the USA."""
    names: tuple[str, ...] = ()
    if me == GERMANY:
        # where it moves the USA, what gives no point is left alone
        names = () if scene.looks_ahead and state.advanced else ("denmark",)
        if state.standing[found.poland] != AT_WAR:
            names += ("bnl",)
        if fallen or at_war(state, GERMANY, USSR):
            names += ("yugoslavia", "greece", "norway")
        if fallen and scene.looks_ahead and free and not at_war(state, GERMANY, USSR):
            # an army without a front takes Gibraltar from behind; the Soviets, who come soon by the basic rules, find
            # it far from home
            names += ("spain", "sweden", "turkey") if state.advanced else ("sweden",)
    elif me == ITALY and fallen:
        names = ("greece", "yugoslavia")
        if scene.looks_ahead and free:
            names += ("arabia", "iraq", "iran")
    elif me == USSR:
        names = ("baltic_states",) if state.advanced else ("baltic_states", "iran", "afghanistan", "turkey")
    elif me == BE and not state.advanced:
        names = ("iraq", "arabia", "iran", "portugal", "ireland", "siam")
    elif me == USA and not state.advanced:
        names = ("ireland", "portugal", "norway")
    elif me == JAPAN and at_war(state, JAPAN, USA):
        names = ("siam", "bnl")
    wanted = [found.nation_of[name] for name in names]
    if scene.doctrine.prize and state.standing[me] == AT_WAR:
        others = set(range(len(MAJORS), len(state.standing))) - set(wanted)
        wanted += [n for n in sorted(others) if any(map(scene.points, found.homes[n]))]
    return [
        n for n in wanted
        if state.standing[n] == NEUTRAL and state.side[n] != scene.side and why_not_declare(state, me, n) is None
    ]  # fmt: skip


def garrison_of(scene: Scene, nation: int, area: int) -> list[Soldier]:
    """What a neutral sets up in an area when it is attacked."""
    found = scene.found
    out: list[Soldier] = []
    for row in found.data.neutral_setups.get(found.nation_ids[nation], ()):
        if found.space_of[row.space] == area:
            for listed in row.units:
                shots = 2 if TYPES.index(listed.type) == ARM else 1
                out += [(listed.front, max(1, listed.front - 1), shots, 2)] * listed.n
    return out


def _spare(scene: Scene, space: int) -> list[int]:
    """Own troops that an area can do without, the weakest first."""
    state, found = scene.state, scene.found
    mine = [
        u for u in scene.friends(space)
        if state.master[state.nation[u]] == scene.me and found.is_land[u] and not found.is_hq[u]
        and not state.flags[u] & MOVED
    ]  # fmt: skip
    if not mine:
        return []
    left = scene.troops(space)
    need = 0.0
    if scene.vital(space):
        least = _CAPITAL if space == scene.capital else 0.0
        need = max(scene.doctrine.cover * scene.threat(space), least)
    out = []
    for unit in sorted(mine, key=lambda u: (scene.power(u), u)):
        left -= scene.power(unit)
        if left < need:
            break
        out.append(unit)
    return out


def war_to_declare(scene: Scene, offers: Offers) -> Action | None:
    """A war worth opening now: the first blow would succeed with what stands ready beside the border."""
    if not offers[Declare]:
        return None
    state, found = scene.state, scene.found
    for target in designs(scene):
        for area in held_by(state, 1 << target):
            ready = [u for s in found.land_next[area] for u in _spare(scene, s)]
            attackers = [scene.soldier(u, area, state.place[u], True) for u in ready]
            if attackers and estimate(attackers, garrison_of(scene, target, area)) >= _READY:
                action = Declare(found.nation_ids[target])
                if action in offers:
                    return action
    for major in wars_to_come(scene):
        action = Declare(found.nation_ids[major])
        if action in offers:
            return action
    return None


def far_east_is_open(scene: Scene) -> bool:
    """Whether Japan, done with China, could overrun what the USSR has in the east. As long as the USSR does not fight
    Germany it stays at its peacetime production."""
    state, found = scene.state, scene.found
    if state.standing[CHINA] != CONQUERED or state.side[USSR] == scene.side:
        return False
    mine = scene.total(u for u in scene.mine if found.is_land[u] and found.map[state.place[u]])
    red = scene.total(
        u for u, n in enumerate(state.nation)
        if n == USSR and state.place[u] >= 0 and found.is_land[u] and found.map[state.place[u]]
    )  # fmt: skip
    return mine > _FAR_EAST * red


def wars_to_come(scene: Scene) -> list[int]:
    """Great powers on which war will be declared in this quarter: who rides or sails now should know of it."""
    state, me = scene.state, scene.me
    return [n for n in rivals(scene) if not at_war(state, me, n) and why_not_declare(state, me, n) is None]


def must_go_east(state: BKState) -> bool:
    """Whether Germany has to attack the Soviets in the first quarter."""
    return state.scenario.startswith("1941")


def rivals(scene: Scene) -> list[int]:
    """Major powers to be attacked now.

    In the advanced game nobody joins by the calendar, and an attacked power's production triples: such a war is opened
    only by a side that is strong enough to win it at once, or when the other is about to open it.
    """
    state, found, me = scene.state, scene.found, scene.me
    forced = must_go_east(state)
    if scene.doctrine.peace > 0 and not (forced and me == GERMANY):
        return []
    if scene.doctrine.peace < 0:
        wanted = {GERMANY: (USSR,), JAPAN: (USA, BE)}.get(me, ())
        return [n for n in wanted if state.standing[me] == AT_WAR and state.side[n] != scene.side]
    patient = state.advanced and not forced
    if me == GERMANY and state.standing[GERMANY] == AT_WAR and state.side[USSR] != scene.side:
        due = forced or (not patient and state.turn >= found.fixed["ussr_joins"])
        free = state.standing[FRANCE] == CONQUERED
        mine = scene.total(u for u in scene.mine if found.is_land[u])
        red = scene.total(
            u for u, n in enumerate(state.nation) if n == USSR and state.place[u] >= 0 and found.is_land[u]
        )
        enough = _TRIPLES if patient else _STRONGER
        if due or (free and mine > enough * red and not scene.looks_ahead):
            return [USSR]
    if me == USSR and state.side[GERMANY] != scene.side and state.standing[GERMANY] == AT_WAR:
        return [GERMANY]
    if me == JAPAN and scene.looks_ahead and not state.advanced and far_east_is_open(scene):
        return [USSR]
    late = state.us_level >= _COMING if state.advanced else state.turn >= found.fixed["usa_joins"]
    if me == JAPAN and state.standing[JAPAN] == AT_WAR and late:
        return [n for n in (USA, BE) if state.side[n] != scene.side]
    if me in (USA, BE, FRANCE):
        return [n for n in (JAPAN,) if state.side[n] != scene.side and at_war(state, USA, GERMANY)]
    return []
