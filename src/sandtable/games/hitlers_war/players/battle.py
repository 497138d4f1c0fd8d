"""Rules of thumb for the combat phase: whom to attack, when to fire, when to go on, what to lose, where to run."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

from sandtable.core import Action, Offers

from ..facts.territory import held, held_by
from ..model.actions import (
    Advance,
    Assault,
    Attack,
    CoastalAir,
    DefensiveAssault,
    Done,
    Exploit,
    Invade,
    Lose,
    NavalFire,
    Retreat,
    SupportFire,
)
from ..model.atlas import AIR, AMPH, ATLAS, INF, MECH, NOBODY, PARA, STACK
from ..model.state import INVASION, War, armies_in, armies_of, army_name, space_name
from ..rules.advance import chance, droppable
from ..rules.assault import ground_fire, spare_air
from ..rules.attacks import attack_mode, targets
from ..rules.control import defence
from ..rules.exploitation import why_no_exploit
from ..rules.firepower import die_modifiers
from ..rules.supply import cut_off
from .chances import advance as odds_of
from .chances import breach, mean_loss
from .doctrine import LOSS, Plan
from .plan import keeps_watch
from .reading import live
from .scene import Scene


def odds(s: War, army: int, target: int, drop: int = 0) -> float:
    """The exact chance that an army enters a hex now."""
    what = chance(s, army, target, drop)
    return sum(what.succeeds(die) for die in range(1, 7)) / 6


def army_of(name: str) -> int:
    return ATLAS.army_index.get(name, -1)


# ---- announcing
def announce(scene: Scene, plan: Plan, offers: Offers) -> Action:
    """Name the attacks of the plan, then those that offer themselves."""
    s = scene.s
    busy: set[int] = set()
    for post in plan.posts:
        if post.aim < 0:
            continue
        here = [a for a in armies_in(s, post.at) if a in scene.free and a not in busy]
        if not here:
            continue
        key = MECH if post.lead and not post.lands else AMPH if post.lands else INF
        army = max(here, key=lambda a: (s.strength[a * 5 + key], -a))
        busy.add(army)
        if s.mode[army]:
            continue
        if post.lands:
            found = landing(offers, army, post.aim)
            if found is not None:
                return found
        action = Attack(army_name(army), space_name(post.aim))
        if offers.refuse(action) is None:
            return action
    for army in scene.free:
        if army in busy or s.mode[army] or s.strength[army * 5 + MECH] < 3:
            continue
        at = s.army_at[army]
        if scene.worth[at] >= 15 and scene.danger[at] <= 2 and scene.own[at] <= STACK:
            continue
        if keeps_watch(scene, plan.doctrine, army):
            continue
        best = max(
            ((odds_of(s.strength[army * 5 + MECH], scene.held_by(t), scene.added(at) + 2 * ATLAS.mountain[t])
              * (scene.worth[t] + 0.3 * plan.pull[t]), t)
             for t in scene.links[at] if scene.is_prey(t) and scene.owner[t] != NOBODY),
            default=(0.0, -1),
        )  # fmt: skip
        if best[0] > 1.2 and odds_of(s.strength[army * 5 + MECH], scene.held_by(best[1]), scene.added(at)) >= 0.5:
            action = Attack(army_name(army), space_name(best[1]))
            if offers.refuse(action) is None:
                return action
    return Done()


def landing(offers: Offers, army: int, target: int) -> Action | None:
    """An invasion over the least exposed route."""
    for offer in live(offers, Invade):
        name, goal = army_name(army), space_name(target)
        if name in offer.fields[0].given([]) and goal in offer.fields[1].given([name]):
            for route in offer.fields[2].given([name, goal]):
                return Invade(name, goal, route)
    return None


# ---- firing
def defend(s: War, offers: Offers) -> Action:
    """Everything in an attacked hex fires at once; the air fights with no more than it must."""
    for offer in live(offers, DefensiveAssault):
        for at in offer.fields[0].given([]):
            units = tuple(offer.fields[1].given([at]).items)  # type: ignore[attr-defined]
            for air in offer.fields[2].given([at, units]):
                return DefensiveAssault(at, units, air)
    return Done()


def assault(scene: Scene, offers: Offers, *, exploiting: bool) -> Action:
    """Foot fires always; spearheads keep their fire for later where they do not need it now."""
    s = scene.s
    waiting: list[tuple[int, Action]] = []
    for offer in live(offers, Assault):
        for at in offer.fields[0].given([]):
            for goal in offer.fields[1].given([at]):
                able = tuple(offer.fields[2].given([at, goal]).items)  # type: ignore[attr-defined]
                target = ATLAS.index[goal]
                firing = tuple(u for u in able if not is_spearhead(s, army_of(u)))
                if firing:
                    return _fire(offer, at, goal, firing)
                needy = tuple(u for u in able if needs_fire(scene, army_of(u), target, exploiting))
                if needy:
                    waiting.append((-len(needy), _fire(offer, at, goal, needy)))
    if waiting:
        return min(waiting, key=lambda row: row[0])[1]
    return Done()


def _fire(offer: object, at: str, goal: str, units: tuple[str, ...]) -> Action:
    air = next(iter(offer.fields[3].given([at, goal, units])))  # type: ignore[attr-defined]
    return Assault(at, goal, units, air)


def is_spearhead(s: War, army: int) -> bool:
    return s.strength[army * 5 + MECH] + 2 * s.strength[army * 5 + PARA] >= 3 and s.mode[army] != INVASION


def needs_fire(scene: Scene, army: int, target: int, exploiting: bool) -> bool:
    """Whether an assault now is worth more than one later in the exploitation."""
    s = scene.s
    drop = droppable(s, army)
    now = odds(s, army, target, drop)
    held = defence(s, target)
    if held == 0 or now >= (0.99 if not exploiting else 0.84):
        return False
    what = chance(s, army, target, drop)
    parts = sum(p.value for p in die_modifiers(s, s.side, s.army_at[army], (army,), attack=True))
    strength = ground_fire(s, army, target) + spare_air(s, army, target)
    room = max(0, s.fort.get(target, 0) - s.absorbed.get(target, 0))
    after = breach(what.strength, held, ((strength, parts),), what.added, room)
    return after > now + 0.05 or held >= 4


# ---- advancing
def advance(scene: Scene, offers: Offers) -> Action:
    """The surest spearhead first; foot follows into what was just taken; nobody runs at a wall."""
    s = scene.s
    best: tuple[float, Action] | None = None
    for offer in live(offers, Advance):
        for name in offer.fields[0].given([]):
            army = army_of(name)
            target = s.target[army]
            drops = offer.fields[1].given([name])
            drop, p = best_drop(s, army, target, drops)
            if p <= 0 and s.mode[army] != INVASION:
                continue
            if s.owner[target] == s.side and s.mode[army] != INVASION:
                if not follows(scene, army, target):
                    continue
                rank = p
            else:
                rank = 10 + p
            if best is None or rank > best[0]:
                best = (rank, Advance(name, drop))
    if best is not None:
        return best[1]
    for offer in live(offers, Advance):
        if not live(offers, Done):
            for action in offer:
                return action
    return Done()


def best_drop(s: War, army: int, target: int, drops: Iterable[int]) -> tuple[int, float]:
    """How many paratroops should jump: enough to matter, few enough to lose."""
    best, number, chance_of = -1e9, 0, 0.0
    for drop in drops:
        p = odds(s, army, target, drop)
        value = p * 10 - (1 - p) * drop * 1.2
        if value > best:
            best, number, chance_of = value, drop, p
    return number, chance_of


def follows(scene: Scene, army: int, target: int) -> bool:
    """Whether an army goes after the spearhead into a hex that is friendly now."""
    s = scene.s
    if s.strength[army * 5 + MECH] >= 3:
        return True
    inside = sum(sum(s.strength[a * 5 + k] for k in (INF, MECH, PARA, AMPH)) for a in armies_in(s, target))
    mine = sum(s.strength[army * 5 + k] for k in (INF, MECH, PARA, AMPH))
    if inside + mine > STACK:
        return False
    home = s.army_at[army]
    return scene.worth[target] >= scene.worth[home] and scene.worth[home] < 15


# ---- exploiting
def exploit(scene: Scene, plan: Plan, offers: Offers) -> Action:
    """Send the spearhead with the best prospects on; stop where nothing is worth it."""
    s = scene.s
    doctrine = plan.doctrine
    pull, worth = plan.pull or scene.pull, scene.ringed(doctrine.ring) if doctrine.ring else scene.worth
    wish = {space: math.log(force) for space, force in doctrine.focus}
    best: tuple[float, Action] | None = None
    forced: tuple[float, Action] | None = None
    for offer in live(offers, Exploit):
        for name in offer.fields[0].given([]):
            army = army_of(name)
            for goal in offer.fields[1].given([name]):
                target = ATLAS.index[goal]
                mode = attack_mode(s, army, target)
                if not isinstance(mode, int):
                    continue
                score, p = prospect(scene, army, target, pull, worth, doctrine.draw)
                if doctrine.watch and s.strength[army * 5 + AMPH]:
                    score -= stranded(scene, army, target)
                score += doctrine.chase * wish.get(target, 0.0)
                action = Exploit(name, goal)
                if p > 0 and (forced is None or score > forced[0]):
                    forced = (score, action)
                if score > 0.25 and p >= doctrine.press and (best is None or score > best[0]):
                    best = (score, action)
    if best is not None:
        return best[1]
    if offers.refuse(Done()) is None:
        return Done()
    if forced is not None:
        return forced[1]
    return next(iter(offers))


def prey_at_hand(scene: Scene, plan: Plan) -> list[int]:
    """Where spearheads may drive on now, the most promising hex first."""
    s = scene.s
    pull, worth = plan.pull, scene.ringed(plan.doctrine.ring)
    found: dict[int, float] = {}
    for army in armies_of(scene.side):
        if not s.mode[army] or why_no_exploit(s, army) is not None:
            continue
        for target in targets(s, army, entering=True):
            if isinstance(attack_mode(s, army, target), int):
                score, p = prospect(scene, army, target, pull, worth, plan.doctrine.draw)
                if p > 0 and scene.is_prey(target):
                    found[target] = max(score, found.get(target, score))
    return sorted(found, key=lambda target: (-found[target], target))


def prospect(
    scene: Scene, army: int, target: int, pull: list[float], worth: list[float], draw: float
) -> tuple[float, float]:
    """What an exploitation attack promises, and the chance that it succeeds."""
    s = scene.s
    at = s.army_at[army]
    held = defence(s, target)
    base = army * 5
    drop = max(0, s.strength[base + PARA] - s.dropped[army])
    hill = ATLAS.mountain[target]
    punch = min(STACK, s.strength[base + MECH] + 2 * drop)
    own = sum(part.value for part in die_modifiers(s, s.side, at, (army,), attack=True))
    added = own + s.advanced[army] + 2 * hill
    if s.owner[target] == s.side:
        return -1.0, float(punch > 0)
    p = odds_of(punch, held, added)
    if not scene.is_prey(target):
        return -5.0, p
    if not s.assaulted[army] and held:
        strength = s.strength[base + INF] + s.strength[base + PARA] + (0 if hill else s.strength[base + MECH])
        room = max(0, s.fort.get(target, 0) - s.absorbed.get(target, 0))
        p = breach(punch, held, ((strength + s.strength[base + AIR], own),), added, room)
    gain = worth[target] + draw * (pull[target] - 0.7 * pull[at])
    stands = scene.ground[target]
    loss = 2.5 * mean_loss(stands) if stands and any(not s.defended[a] for a in armies_in(s, target)) else 0.0
    leaving = 0.0
    alone = len(armies_in(s, at)) == 1
    if alone and worth[at] >= 3:
        leaving = worth[at] * (0.5 if worth[at] >= 15 else 0.12)
    return p * gain - loss * 0.7 - leaving, p


def stranded(scene: Scene, army: int, target: int) -> float:
    """What would be cut off if an army drove on and the enemy took all that then stands empty before him."""
    s, side = scene.s, scene.side
    here = s.army_at[army]
    stays = len(armies_in(s, here)) > 1
    lost: list[set[int]] = []
    for goal in (here, target):
        owner = bytearray(s.owner)
        owner[target] = side
        for x in ATLAS.land:
            empty = not scene.ground[x] or (x == here and not stays)
            if owner[x] == side and x != goal and empty and any(scene.prey[y] and y != target for y in ATLAS.step[x]):
                owner[x] = NOBODY
        taken = msgspec.structs.replace(s, devastated={**s.devastated, target: ATLAS.production[target]})
        lost.append(set(cut_off(taken, side, held(held_by(side, owner)))))
    before, after = lost
    return math.fsum(
        LOSS[kind] * s.strength[other * 5 + kind]
        for other in armies_of(side)
        for kind in range(5)
        if (target if other == army else s.army_at[other]) in after and s.army_at[other] not in before
    )


# ---- losing and running
_ORDER = {"garrison": 0, "infantry": 1, "home": 2, "coast": 2, "amphibious": 3, "tac_air": 4, "paratroop": 4, "fort": 5,
          "mechanized": 6}  # fmt: skip


def lose(s: War, offers: Offers) -> Action:
    """The cheapest point goes first, out of the army that has most of its kind."""

    def rank(action: Action) -> tuple[int, int]:
        assert isinstance(action, Lose)
        army = army_of(action.unit)
        have = s.strength[army * 5 + INF] if army >= 0 else 0
        return _ORDER.get(action.kind, 3), -have

    return min((action for offer in live(offers, Lose) for action in offer), key=rank)


def retreat(scene: Scene, offers: Offers) -> Action:
    """Fall back to where there is room, company and supply."""
    best: tuple[float, Action] | None = None
    for offer in live(offers, Retreat):
        for name in offer.fields[0].given([]):
            for goal in offer.fields[1].given([name]):
                to = ATLAS.index[goal]
                friends = sum(scene.owner[y] == scene.owner[to] for y in ATLAS.step[to])
                foes = sum(scene.owner[y] == scene.s.side for y in ATLAS.step[to])
                crowd = max(0, scene.ground[to] - 6)
                score = friends - 1.5 * foes + 0.4 * scene.worth[to] - 0.8 * crowd + (0 if scene.fed[to] else -6)
                if best is None or score > best[0]:
                    best = (score, Retreat(name, goal))
    assert best is not None
    return best[1]


# ---- navies and coasts
def shoot(s: War, offers: Offers) -> Action:
    """Every gun that may fire on an invasion fires, at the strongest army."""
    for offer in live(offers, NavalFire):
        names = list(offer.fields[0].given([]))
        if names:
            name = max(names, key=lambda n: (s.strength[army_of(n) * 5 + AMPH] if army_of(n) >= 0 else 0, n))
            shots = offer.fields[1].given([name])
            return NavalFire(name, max(shots))
    for offer in live(offers, SupportFire):
        for action in offer:
            return action
    for offer in live(offers, CoastalAir):
        actions = list(offer)
        if actions:
            return max(actions, key=lambda a: (s.strength[army_of(a.army) * 5 + AMPH], a.army))  # type: ignore[attr-defined]
    return Done()
