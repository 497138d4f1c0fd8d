"""From a plan to marches: one step at a time, each brings the armies nearer to what the plan wants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.core import Action

from ..model.actions import Detach, March, Transfer
from ..model.atlas import ALLIES, AMPH, INF, KINDS, MECH, PARA, STACK
from ..model.places import AMERICA, BRITISH_CAPITALS, FRANCE, FRENCH_HEXES, PARIS
from ..model.state import armies_of, army_name, space_name
from ..rules.italian import ITALIAN, is_on
from ..rules.sealift import america_room
from .doctrine import Plan, Post
from .plan import watch_of
from .scene import Scene


def match_armies(scene: Scene, plan: Plan) -> tuple[dict[int, Post], list[Post]]:
    """Which army becomes which post, and the posts that need a new counter."""
    s, theatre = scene.s, scene.theatre
    pairs: list[tuple[float, int, int]] = []
    armies = [(army, s.army_at[army], tuple(s.strength[army * 5 : army * 5 + 5])) for army in scene.free]
    for number, post in enumerate(plan.posts):
        label, want = theatre[post.at], post.want
        kinds = [kind for kind in range(5) if want[kind]]
        for army, at, have in armies:
            if theatre[at] != label:
                continue
            shared = 0.0
            for kind in kinds:
                shared += min(have[kind], want[kind])
            if (want[PARA] and have[AMPH]) or (want[AMPH] and have[PARA]):
                continue
            pairs.append((-(shared + (1.5 if at == post.at else 0.0)), number, army))
    pairs.sort()
    made: dict[int, Post] = {}
    used: set[int] = set()
    for _, number, army in pairs:
        if number not in used and army not in made:
            used.add(number)
            made[army] = plan.posts[number]
    return made, [post for number, post in enumerate(plan.posts) if number not in used]


def steps(scene: Scene, plan: Plan) -> Iterator[Action]:
    """What could be done next towards the plan, best first."""
    s, theatre = scene.s, scene.theatre
    made, missing = match_armies(scene, plan)
    for army in sorted(made):
        if s.army_at[army] != made[army].at:
            yield March(army_name(army), space_name(made[army].at))
    spare: dict[int, list[int]] = {}
    for army in scene.free:
        want = made[army].want if army in made else [0] * 5
        spare[army] = [max(0, s.strength[army * 5 + kind] - want[kind]) for kind in range(5)]
    unused = [a for a in armies_of(scene.side) if s.army_at[a] < 0 and not (a == ITALIAN and is_on(s))]
    for post in missing:
        if not unused:
            break
        best, source = 0, -1
        for army, have in spare.items():
            if theatre[s.army_at[army]] == theatre[post.at]:
                fit = sum(min(post.want[kind], have[kind]) for kind in range(5))
                if fit > best:
                    best, source = fit, army
        if source >= 0:
            points = tuple(
                (KINDS[kind], min(post.want[kind], spare[source][kind]))
                for kind in range(5)
                if min(post.want[kind], spare[source][kind])
            )
            yield Detach(army_name(source), points, space_name(post.at), army_name(unused[0]))
    for army, post in sorted(made.items()):
        for kind in range(5):
            lack = post.want[kind] - s.strength[army * 5 + kind]
            if lack <= 0:
                continue
            for other, have in spare.items():
                if other != army and have[kind] and theatre[s.army_at[other]] == theatre[post.at]:
                    points = ((KINDS[kind], min(lack, have[kind])),)
                    yield Transfer(army_name(other), points, army_name(army))


def ferries(scene: Scene, watch: int = 0) -> Iterator[Action]:
    """Points that cross a sea with little room: from America to Europe, and to the aid of France.

    `watch`: points that stay behind in a place with much production.
    """
    s = scene.s
    if scene.side != ALLIES:
        return
    ports = [x for x in BRITISH_CAPITALS if scene.owner[x] == ALLIES]
    if ports:
        for army in scene.free:
            if s.army_at[army] not in AMERICA:
                continue
            room = america_room(s)
            if room > 0:
                yield from _ship(scene, army, min(ports, key=lambda x: scene.own[x]), room, watch)
    theatre = scene.theatre
    if not s.surrendered[FRANCE] and scene.owner[PARIS] == ALLIES and ports and theatre[PARIS] != theatre[ports[0]]:
        short = 10 - scene.own[PARIS]
        for army in scene.free:
            at = s.army_at[army]
            if short > 0 and at not in AMERICA and theatre[at] == theatre[ports[0]]:
                yield from _ship(scene, army, PARIS, short, watch, _LASTING)
    if s.surrendered[FRANCE] and ports:
        yield from _reinforcements(scene, theatre[ports[0]], watch)


def _reinforcements(scene: Scene, home: int, watch: int) -> Iterator[Action]:
    """Tanks and foot from Britain to a beachhead in France: whoever has landed there may be joined but not leave."""
    theatre = scene.theatre
    beaches = [x for x in FRENCH_HEXES if scene.owner[x] == ALLIES and theatre[x] != home and scene.danger[x] == 1]
    for beach in sorted(beaches, key=lambda x: (scene.own[x], x)):
        room = STACK - scene.own[beach]
        for kind in (MECH, INF):
            for army in scene.free:
                if room > 0 and theatre[scene.s.army_at[army]] == home and scene.s.strength[army * 5 + kind]:
                    yield from _ship(scene, army, beach, room, watch, (kind,))


_LOADING, _LASTING = (MECH, AMPH, INF, PARA), (MECH, INF, PARA)
"""What goes aboard first; to a France that may fall no landing craft: with it they would be lost."""


def _ship(scene: Scene, army: int, to: int, most: int, watch: int, kinds: Sequence[int] = _LOADING) -> Iterator[Action]:
    s, at = scene.s, scene.s.army_at[army]
    chosen: list[tuple[str, int]] = []
    left = min(most, max(0, scene.own[at] - watch_of(scene, watch, at))) if watch else most
    for kind in kinds:
        number = min(left, s.strength[army * 5 + kind])
        if number and not (kind == PARA and any(name == KINDS[AMPH] for name, _ in chosen)):
            chosen.append((KINDS[kind], number))
            left -= number
    chosen.sort(key=lambda pair: KINDS.index(pair[0]))
    if not chosen:
        return
    points = tuple(chosen)
    for other in armies_of(scene.side):
        if s.army_at[other] == to and other != army and other not in scene.held:
            yield Transfer(army_name(army), points, army_name(other))
    for new in armies_of(scene.side):
        if s.army_at[new] < 0:
            yield Detach(army_name(army), points, space_name(to), army_name(new))
            return
