"""Rules of thumb for production and research: what to build, where, and what to learn."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core import Action, Offers

from ..model.actions import Build, Done, Fortify, Invest, Lend, Partisans, PayHull, Produce, Repair, Ship, Test
from ..model.atlas import AIR, ALLIES, AMPH, ATLAS, AXIS, INF, KINDS, MECH, SOVIET, STACK
from ..model.places import AMERICA, BERLIN, FRANCE
from ..model.state import ITALY_AXIS, U_BOATS, armies_of, army_name, in_box, space_name
from ..model.technology import SIXTH, cell
from ..rules import research
from ..rules.budget import budget as full_budget
from ..rules.production import affordable, build_places, cost, fort_room, most_builds, why_no_recruit
from ..rules.research import price
from ..rules.victory import two_players
from .doctrine import Doctrine
from .plan import watch_of
from .reading import live
from .scene import Scene

_FLEET, _RAIDERS = 15, 6
"""The most amphibious points of the Allies: three full landing parties once America has joined, and before that."""


def totals(scene: Scene) -> list[int]:
    """Own points by kind."""
    s = scene.s
    out = [0] * 5
    for army in armies_of(scene.side):
        if s.army_at[army] >= 0 and not s.idle[army]:
            for kind in range(5):
                out[kind] += s.strength[army * 5 + kind]
    return out


def produce(scene: Scene, doctrine: Doctrine, offers: Offers) -> Action:
    """The first wish that the rules and the budget allow."""
    for action in wishes(scene, doctrine, offers):
        if offers.refuse(action) is None:
            return action
    for build in live(offers, Build):
        if offers.refuse(Done()) is not None:
            for action in build:
                return action
    return Done()


def wishes(scene: Scene, doctrine: Doctrine, offers: Offers) -> Iterator[Action]:
    s, side = scene.s, scene.side
    second = s.setting.technology
    if live(offers, Fortify):
        yield from citadel(scene)
    if live(offers, Repair) and scene.seasons_left >= 4:
        yield from repairs(scene, doctrine, offers)
    if second:
        yield from arsenal(scene)
    if side == ALLIES and live(offers, Lend) and not second and s.at_war and s.lent < 4 and s.budget >= 12:
        yield Lend(min(4 - s.lent, 2))
    keep = for_research(scene)
    if s.budget <= keep:
        return
    yield from troops(scene, doctrine, s.budget - keep)
    yield from leftovers(scene, offers, s.budget - keep)


def for_research(scene: Scene) -> int:
    """Points that are kept for the projects of this season: cheaper troops pay for them as long as the war lasts."""
    if not scene.s.setting.technology or scene.seasons_left < _PAYS_BACK:
        return 0
    projects = [item for item in _STUDIES[scene.side] if research.why_no_research(scene.s, scene.side, item) is None]
    return sum(research.most_points(scene.s, scene.side, item) for item in projects[:_PROJECTS])


def leftovers(scene: Scene, offers: Offers, budget: int) -> Iterator[Action]:
    """For what no army can take: forts where the enemy is near, then any repair. What is not spent is lost."""
    if live(offers, Fortify):
        own = [x for x in ATLAS.land if scene.owner[x] == scene.side and ATLAS.production[x]]
        for space in sorted(own, key=lambda x: (scene.danger[x] > 4, -scene.worth[x], x)):
            for number in range(min(fort_room(scene.s, space), budget // 5), 0, -1):
                yield Fortify(ATLAS.names[space], number)
    for offer in live(offers, Repair) if budget >= 3 else ():
        places = [ATLAS.index[name] for name in offer.fields[0].given([])]
        for space in sorted(places, key=lambda x: (scene.danger[x] == 1, -ATLAS.production[x], x)):
            yield Repair(ATLAS.names[space], 1)


_WALLS = {True: 10, False: 7}
"""Fort points of Berlin: where holding it wins, and where three players count production in the end."""


def citadel(scene: Scene) -> Iterator[Action]:
    """Fort points in Berlin, the city whose loss loses the war, before any troops: a stack alone is soon shot away.

    They work from the next season on, so they are begun before the enemy is there, and not in the last season.
    """
    s = scene.s
    if scene.side != AXIS or s.setting.victory == "capitals" or s.owner[BERLIN] != AXIS or not scene.seasons_left:
        return
    if s.setting.politics and s.turn < ATLAS.turn("united_states_joins") - 1:
        return
    holds = two_players(s) or s.setting.victory == "berlin"
    for number in range(min(fort_room(s, BERLIN) - STACK + _WALLS[holds], s.budget // 5), 0, -1):
        yield Fortify(ATLAS.names[BERLIN], number)


def repairs(scene: Scene, doctrine: Doctrine, offers: Offers) -> Iterator[Action]:
    """Damaged production behind the front, the biggest first, as long as it pays itself back."""
    s = scene.s
    floor = full_budget(s, scene.side) * (1 - doctrine.repair)
    for offer in live(offers, Repair):
        places = [ATLAS.index[name] for name in offer.fields[0].given([])]
        safe = [x for x in places if scene.danger[x] >= 2 or scene.own[x] >= 4]
        for space in sorted(safe, key=lambda x: (scene.danger[x] < 3, -ATLAS.production[x], x)):
            name = ATLAS.names[space]
            if s.budget - 3 >= floor:
                yield Repair(name, 1)


def troops(scene: Scene, doctrine: Doctrine, budget: int) -> Iterator[Action]:
    """Tanks to the wanted share, foot for the rest, landing craft where there is a sea to cross."""
    s, side = scene.s, scene.side
    have = totals(scene)
    ground = max(1, have[INF] + have[MECH])
    kinds: list[str] = []
    boats = min(_FLEET if s.america else _RAIDERS, 2 + ground // 2)
    if side == ALLIES and have[AMPH] < boats and (s.italy == ITALY_AXIS or s.surrendered[FRANCE]):
        kinds.append(KINDS[AMPH])
    planes = ground // _WINGS - have[AIR] if s.setting.technology else 0
    if planes > 0:
        kinds.append(KINDS[AIR])
    if have[MECH] / ground < doctrine.tanks:
        kinds.append(KINDS[MECH])
    kinds.extend((KINDS[INF], KINDS[MECH]))
    for kind in kinds:
        most = affordable(s, side, kind)
        while most and cost(s, side, kind, most) > budget:
            most -= 1
        if not most:
            continue
        if kind == KINDS[AIR]:
            most = min(most, planes)
        if kind == KINDS[MECH]:
            most = min(most, max(1, int(doctrine.tanks * (ground + most) - have[MECH])))
        number = min(most, boats - have[AMPH] if kind == KINDS[AMPH] else 10)
        yield from raise_troops(scene, kind, number, doctrine.ring, doctrine.watch)


def raise_troops(scene: Scene, kind: str, number: int, ring: float = 0.0, watch: int = 0) -> Iterator[Action]:
    """New points where they are needed most and fit; `ring`: what each hex from which a capital is shot at counts.

    `watch`: the points that a place with much production wants; it gets them first where it stands empty.
    """
    s, side = scene.s, scene.side

    def appeal(space: int) -> tuple[float, str]:
        near = scene.danger[space]
        need = scene.worth[space] if near <= 4 else 1.0
        if ring and need > _CAPITAL and not ATLAS.is_box[space]:
            need += ring * sum(scene.prey[y] for y in ATLAS.step[space])
        doomed = 6.0 if near == 1 and scene.ground[space] + number < 5 else 0.0
        overseas = 50.0 if space in AMERICA else 0.0
        return -(need - doomed - overseas), space_name(space)

    places = build_places(s, side, kind)
    lack = {x: watch_of(scene, watch, x) if watch and not scene.ground[x] else 0 for x in places}
    for space in sorted(places, key=lambda x: (not lack[x], appeal(x))):
        fit = min(lack[space] or number, number, most_builds(s, side, kind, space))
        if fit < 1:
            continue
        armies = [a for a in armies_of(side) if why_no_recruit(s, a, space, kind) is None]
        armies.sort(key=lambda a: (s.army_at[a] != space, a))
        for army in armies:
            yield Build(kind, space_name(space), army_name(army), fit)


# ---- Campaign Game II
def box(scene: Scene, side: int, item: str) -> int:
    return in_box(scene.s, side, item)


def arsenal(scene: Scene) -> Iterator[Action]:
    """Weapons for the boxes: boats and hunters, bombers and guns, shipping, partisans."""
    s, side = scene.s, scene.side
    plenty = s.budget >= 16
    yield PayHull("Hull 1", min(2, s.budget))
    if side == AXIS:
        if box(scene, AXIS, "u_boat") + s.at_sea[U_BOATS] < 10 and 0 < price(s, AXIS, "u_boat") <= _CHEAP_BOAT:
            yield Produce("u_boat", 1)
        if box(scene, AXIS, "air_defense") < (box(scene, ALLIES, "bomber") + box(scene, SOVIET, "bomber") + 1) // 2:
            yield Produce("air_defense", 1)
    if side == ALLIES:
        if 2 * box(scene, ALLIES, "asw") < s.at_sea[U_BOATS]:
            yield Produce("asw", 1)
        if box(scene, ALLIES, "air_defense") < (box(scene, AXIS, "bomber") + 1) // 2:
            yield Produce("air_defense", 1)
        waiting = sum(scene.own[x] for x in AMERICA)
        if s.america and s.shipping < (6 if waiting < _CROWDED else _LINERS) and s.budget >= 12:
            yield Ship(2)
        if plenty and box(scene, ALLIES, "bomber") < 6 and 0 < price(s, ALLIES, "bomber") <= _CHEAP_BOMBER:
            yield Produce("bomber", 1)
        if s.america and s.lent < 4 and s.at_war and s.budget >= 20:
            yield Lend(2)
    if side != AXIS and s.budget >= 14 and len(s.partisan_tries) < 2:
        ranked = sorted(
            (x for x in ATLAS.land if scene.owner[x] == AXIS and not scene.ground[x] and ATLAS.production[x]
             and any(scene.owner[y] == side for y in scene.links[x])),
            key=lambda x: (-scene.worth[x], x),
        )  # fmt: skip
        for space in ranked[:2]:
            yield Partisans(ATLAS.names[space])


_CAPITAL = 20.0
"""The worth from which a place is a city that decides."""
_CROWDED, _LINERS = 15, 16
"""Points in America from which more ships are bought to fetch them, and the most ships."""
_PAYS_BACK, _PROJECTS = 4, 2
"""Seasons that must be left for research to pay, and the projects that are paid for before troops."""
_WINGS = 6
"""Ground points for each of which one of tac air is wanted."""
_CHEAP_BOAT, _CHEAP_BOMBER = 2 * SIXTH, 4 * SIXTH
"""The prices, in sixths, from which on U-boats and bombers do more harm than they cost."""
_STUDIES = (
    ("mechanized", "infantry", "tac_air", "u_boat"),
    ("infantry", "mechanized", "tac_air"),
    ("infantry", "amphibious", "mechanized", "tac_air", "asw", "bomber"),
)


def study(scene: Scene, offers: Offers) -> Action:
    """A few projects at a time, rolled for when the chance is good."""
    s, side = scene.s, scene.side
    for offer in live(offers, Invest):
        items = list(offer.fields[0].given([]))
        for item in _STUDIES[side]:
            if item in items:
                return Invest(item, max(offer.fields[1].given([item])))
    for offer in live(offers, Test):
        for item in offer.fields[0].given([]):
            if s.track[cell(side, item)] >= (3 if research.cheaper_elsewhere(s, side, item) else 4):
                return Test(item)
    return Done()
