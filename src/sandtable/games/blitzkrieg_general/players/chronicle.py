"""What a history of the war would look for: when countries fell and joined, and what no staff would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.core import Action
from sandtable.core.chronicle import Chronicle, Milestone, Seen, Watcher

from ..facts.duels import win_chance
from ..model.actions import Declare, March
from ..model.atlas import ALLIES, ARM, ATLAS, AXIS, BE, CHINA, FRANCE, GERMANY, ITALY, JAPAN, MAJORS, USA, USSR
from ..model.state import AT_WAR, CONQUERED, BKState, at_war
from ..rules.movement import march_targets, why_not_march
from ..rules.movement_phase import Phase
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
_CERTAIN = 0.95
"""The chance from which an attack has more than it needs."""
_ON_LAND = ("land", "exploit")
"""The phases in which land units march."""
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
    """Remembers of one match how everybody moved last, and how long an army has stood idle."""

    def __init__(self) -> None:
        self.idle: dict[tuple[int, int], int] = {}
        """By major and area the quarters for which an army has stood there without an enemy near it."""
        self.segments: dict[int, tuple[int, bool]] = {}
        """The segment in which each side moved last."""
        self.movements: dict[tuple[int, str], _Movement] = {}
        """By major and phase how it moved on land in that segment."""

    def __call__(self, before: BKState, role: str, action: Action, after: BKState) -> Iterator[Seen]:
        if isinstance(before.stack[-1], Phase):
            self.follow(before, before.stack[-1].name, role, action)
        if isinstance(action, March) and action.via:
            yield from self.walked_in(before, role, action)
        elif isinstance(action, Declare):
            yield from _at_odds(before, role, action)
        if after.turn != before.turn:
            for major, name in enumerate(MAJORS):
                if after.standing[major] == AT_WAR:
                    yield from ((name, seen) for seen in self.stands_idle(Scene(after, name)))

    def follow(self, state: BKState, phase: str, role: str, action: Action) -> None:
        """Note how a major moves on land."""
        me, segment = MAJORS.index(role), (state.turn, state.second)
        side = state.side[me]
        if self.segments.get(side) != segment:
            self.segments[side] = segment
            self.movements = {key: move for key, move in self.movements.items() if state.side[key[0]] != side}
        if phase in _ON_LAND:
            if (me, phase) not in self.movements:
                self.movements[me, phase] = _Movement(state, role)
            if isinstance(action, March):
                self.movements[me, phase].note(state, action)

    def walked_in(self, state: BKState, role: str, action: March) -> Iterator[Seen]:
        """A march into an enemy's area where nobody is: a home area, or a conquest that gives them points."""
        me, space = MAJORS.index(role), ATLAS.space_of[action.to]
        owner = state.control[space]
        if state.here[space] or not Scene(state, role).hostile(space):
            return
        blame = state.master[owner]
        if blame < 0 or state.side[blame] == state.side[me]:
            return
        if ATLAS.home_of[space] == owner < len(MAJORS):
            what = f"home area left empty and entered: {ATLAS.space_ids[space]}"
            counts = ATLAS.left[space] >= _RICH
        else:
            what = "conquest left empty and lost without a battle"
            counts = ATLAS.owner[space] != owner and Scene(state, MAJORS[blame]).points(space) > 0
        side = state.side[blame]
        moved = [movement for (n, _), movement in self.movements.items() if state.side[n] == side] if counts else []
        for movement in moved:
            if movement.could_hold(space):
                yield MAJORS[movement.scene.me], what
                return

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


class _Movement:
    """How a major moved in a phase on land: what it knew, and where everybody went."""

    def __init__(self, state: BKState, role: str) -> None:
        self.scene = Scene(state, role)
        self.went: dict[int, int] = {}
        """By unit where it marched."""
        self.attacks: dict[int, list[tuple[int, int, BKState]]] = {}
        """By target who marched into it, from where, and the state before that."""

    def note(self, state: BKState, action: March) -> None:
        unit, to = ATLAS.unit_of[action.unit], ATLAS.space_of[action.to]
        self.went[unit] = to
        if action.via:
            self.attacks.setdefault(to, []).append((unit, ATLAS.space_of[action.via], state))

    def could_hold(self, space: int) -> bool:
        """Whether an area was left empty though a division that stood a chance there could have been spared for it.

        It was the side's area and nobody else of it was there, enemies could march in, and they were not too strong for
        one division. The division could be there without a battle and had nothing better to do: it did not attack, or
        was not wanted for it, and it was not the last one in another such area.
        """
        scene = self.scene
        if not scene.friendly(space) or self.is_held(space):
            return False
        able = self.divisions(scene.mine)
        threat = scene.threat(space)
        return self.is_open(space) and any(
            threat <= _ODDS * scene.power(u) and self.could_go(u, space) and self.could_spare(u, space) for u in able
        )

    def is_held(self, space: int) -> bool:
        """Whether somebody of the side was there at the end of the phase."""
        return any(self.stayed(u) == space for u in self.divisions([*self.scene.mine, *self.scene.friends(space)]))

    def divisions(self, units: Iterable[int]) -> list[int]:
        """Those that hold an area."""
        return [u for u in units if ATLAS.is_land[u] and not ATLAS.is_hq[u]]

    def is_open(self, space: int) -> bool:
        """Whether enemies could march into an area if it is empty: no armour through one that is held."""
        beside = ATLAS.land_next[space]
        for start in ATLAS.within_marches[space]:
            foes = self.divisions(self.scene.enemies(start))
            if start not in beside:
                foes = [u for u in foes if ATLAS.type[u] == ARM]
            if foes and (start in beside or any(start in ATLAS.land_next[s] and not self.is_held(s) for s in beside)):
                return True
        return False

    def stayed(self, unit: int) -> int:
        """Where a unit on land was at the end of the phase."""
        return self.went.get(unit, self.scene.state.place[unit])

    def could_go(self, unit: int, space: int) -> bool:
        """Whether a unit could be in an area at the end of the phase without having to fight for it."""
        state = self.scene.state
        if state.place[unit] == space:
            return True
        return why_not_march(state, unit) is None and march_targets(state, unit).get(space) == []

    def could_spare(self, unit: int, space: int) -> bool:
        """Whether a unit was wanted less where it was, or went, than in an area."""
        scene, place = self.scene, self.stayed(unit)
        if place in self.attacks:
            return self.succeeds_without(unit, place)
        if not scene.vital(place) or scene.threat(place) <= 0:
            return True
        stay = [u for u in self.divisions(scene.mine) if self.stayed(u) == place and u != unit]
        pressed = scene.total(stay) < scene.threat(place) and scene.points(place) > scene.points(space)
        return bool(stay) and not pressed

    def succeeds_without(self, unit: int, target: int) -> bool:
        """Whether an attack had all that it needed if a unit took no part."""
        role, marches = MAJORS[self.scene.me], self.attacks[target]
        scene = Scene(marches[-1][2], role)
        near = [u for s in ATLAS.land_next[target] for u in scene.enemies(s) if ATLAS.is_air[u]]
        foes = [scene.soldier(u, target, -1, False) for u in [*scene.enemies(target), *near]]
        others = [Scene(state, role).soldier(u, target, via, True) for u, via, state in marches if u != unit]
        return bool(others) and win_chance(others, foes) >= _CERTAIN


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
