"""What a history of the war would look for: when countries fell and joined, and what no staff would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.core import Action
from sandtable.core.chronicle import Chronicle, Milestone, Seen, Watcher

from ..model.actions import Declare, March
from ..model.atlas import ALLIES, ATLAS, AXIS, BE, CHINA, FRANCE, GERMANY, ITALY, JAPAN, MAJORS, USA, USSR
from ..model.state import AT_WAR, CONQUERED, BKState, at_war
from ..rules.victory import points_of
from .scene import Scene

_HEIGHT = 65
"""Points of the Axis at its height in history."""
_WEST = (BE, USA)
_YEAR = 4
"""Quarters of a year."""
_ARMY = 20
"""Units on land in one area that are an army."""
_RICH = 2
"""Production of a home area that nobody may leave open."""
_INFERIOR = 0.8
"""Share of the other's power on land below which an attack on a great power is absurd."""
_ODDS = 3.0
"""How many times as strong as one division the enemy may be for it to be missed."""
_FROM_1939 = ("1939-basic", "1939-advanced")


def _back_in_france(state: BKState) -> bool:
    """Whether France was lost and the West holds an area of it again."""
    return state.french_fell and any(
        state.control[space] in (*_WEST, FRANCE) and state.side[state.control[space]] == ALLIES
        and any(state.nation[u] in _WEST and ATLAS.is_land[u] for u in state.here[space])
        for space in ATLAS.homes[FRANCE]
    )  # fmt: skip


class BlitzkriegChronicle(Chronicle[BKState]):
    """Poland, France and China, the great powers' entry, the height of the Axis, its fall."""

    milestones = (
        Milestone("poland", "Poland has fallen", "October 1939", _FROM_1939),
        Milestone("france", "France has fallen", "June 1940", _FROM_1939),
        Milestone("china", "China has fallen", "never"),
        Milestone("east", "Germany and the USSR are at war", "June 1941", _FROM_1939),
        Milestone("usa", "the USA is at war", "December 1941"),
        Milestone("height", f"the Axis has {_HEIGHT} points", "November 1942"),
        Milestone("moscow", "Moscow has fallen", "never"),
        Milestone("back", "the West is back in France", "June 1944"),
        Milestone("italy", "Italy has fallen", "September 1943"),
        Milestone("germany", "Germany has fallen", "May 1945"),
        Milestone("japan", "Japan has fallen", "August 1945"),
    )

    def reached(self, state: BKState) -> Iterable[str]:
        found = {
            "poland": all(state.control[s] != ATLAS.poland for s in ATLAS.homes[ATLAS.poland]),
            "east": at_war(state, GERMANY, USSR),
            "usa": state.standing[USA] == AT_WAR,
            "height": points_of(state, AXIS) >= _HEIGHT,
            "moscow": state.side[state.control[ATLAS.space_of["moscow"]]] == AXIS,
            "france": state.french_fell,
            "back": _back_in_france(state),
        }
        for major in (CHINA, ITALY, GERMANY, JAPAN):
            found[MAJORS[major]] = state.standing[major] == CONQUERED
        return [name for name, is_true in found.items() if is_true]

    def watch(self) -> Watcher[BKState]:
        return _Watcher()


class _Watcher:
    """Remembers of one match how long an army or a fleet has stood idle."""

    def __init__(self) -> None:
        self.idle: dict[tuple[int, int], int] = {}
        """By major and area the quarters for which an army has stood there without an enemy near it."""

    def __call__(self, before: BKState, role: str, action: Action, after: BKState) -> Iterator[Seen]:
        if isinstance(action, March) and action.via:
            yield from _walked_in(before, role, action)
        elif isinstance(action, Declare):
            yield from _at_odds(before, role, action)
        if after.turn != before.turn:
            for major, name in enumerate(MAJORS):
                if after.standing[major] == AT_WAR:
                    yield from ((name, seen) for seen in self.stands_idle(Scene(after, name)))

    def stands_idle(self, scene: Scene) -> Iterator[str]:
        """An army that nobody threatens and that threatens nobody for a year; told once for each such year."""
        state, me = scene.state, scene.me
        for space in ATLAS.land:
            key, army = (me, space), 0
            if len(state.here[space]) >= _ARMY:
                army = sum(ATLAS.is_land[u] and state.master[state.nation[u]] == me for u in state.here[space])
            near = (space, *ATLAS.land_next[space])
            if army < _ARMY or any(scene.hostile(s) or scene.foe(s) for s in near):
                self.idle.pop(key, None)
                continue
            self.idle[key] = self.idle.get(key, 0) + 1
            if self.idle[key] % _YEAR == 0:
                yield f"an army idle for a year: {ATLAS.space_ids[space]}"


def _walked_in(state: BKState, role: str, action: March) -> Iterator[Seen]:
    """A march into an enemy's area where nobody is: a home area, or a conquest that gives them points."""
    me, space = MAJORS.index(role), ATLAS.space_of[action.to]
    owner = state.control[space]
    if not action.via or state.here[space] or not Scene(state, role).hostile(space):
        return
    blame = state.master[owner]
    if blame < 0 or state.side[blame] == state.side[me]:
        return
    scene = Scene(state, MAJORS[blame])
    if not _could_be_held(scene, space):
        return
    if ATLAS.home_of[space] == owner < len(MAJORS):
        if ATLAS.left[space] >= _RICH:
            yield MAJORS[blame], f"home area left empty and entered: {ATLAS.space_ids[space]}"
    elif ATLAS.home_of[space] != owner and ATLAS.owner[space] != owner and scene.points(space) > 0:
        yield MAJORS[blame], "conquest left empty and lost without a battle"


def _could_be_held(scene: Scene, space: int) -> bool:
    """Whether an army next door could have spared a division that stands a chance against those who can march in now.
    Behind a front that was broken in the same quarter nobody could be posted."""
    state = scene.state
    if state.exploiting:
        return False
    spared: list[float] = []
    for area in ATLAS.land_next[space]:
        army = sorted(
            scene.power(u) for u in state.here[area]
            if ATLAS.is_land[u] and not ATLAS.is_hq[u] and state.master[state.nation[u]] == scene.me
        )  # fmt: skip
        spared += army[:-1]
    return bool(spared) and scene.threat(space) <= _ODDS * max(spared)


def _at_odds(state: BKState, role: str, action: Declare) -> Iterator[Seen]:
    """A war on a great power on the same continent that is stronger on land and would have stayed at peace."""
    me, other = MAJORS.index(role), ATLAS.nation_of[action.country]
    if other != USSR or state.scenario not in _FROM_1939:
        return
    scene = Scene(state, role)
    mine, theirs = (
        scene.total(u for u, n in enumerate(state.nation)
                    if state.master[n] == who and state.place[u] >= 0 and ATLAS.is_land[u]
                    and (me != JAPAN or ATLAS.map[state.place[u]]))
        for who in (me, other)
    )  # fmt: skip
    if mine < _INFERIOR * theirs:
        yield f"war on {action.country} with the weaker army"


CHRONICLE = BlitzkriegChronicle()
