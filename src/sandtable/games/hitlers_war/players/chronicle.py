"""The course of a match: when its milestones were reached, and what no sensible player would have done."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.core import Action
from sandtable.core.chronicle import Chronicle, Milestone, Seen, Watcher

from ..model.actions import Detach, Done, March
from ..model.atlas import ALLIES, AMPH, ATLAS, AXIS, NOBODY, SIDES, SOVIET
from ..model.places import BERLIN, BRITISH_CAPITALS, FRANCE, FRENCH_HEXES, PARIS, POLAND, SIBERIA, SOVIET_CAPITALS
from ..model.scenarios import SETTINGS
from ..model.state import INVASION, ITALY_BEATEN, War, armies_of
from ..rules.production_phase import Production
from ..rules.research_phase import Research

_CAPITALS = {
    BERLIN: AXIS, PARIS: ALLIES, **dict.fromkeys(SOVIET_CAPITALS, SOVIET), **dict.fromkeys(BRITISH_CAPITALS, ALLIES)
}  # fmt: skip
"""Cities whose loss decides a war or breaks a country -> the side that must not lose them."""
_RICH = 3
"""Production points from which a conquest is worth a garrison."""
_UNSPENT = 10
"""Production points that are too many to be left over."""
_SIBERIANS_LEAVE = ATLAS.turn("siberian_army")
_LENINGRAD, _MOSCOW, _STALINGRAD = SOVIET_CAPITALS

_CAMPAIGNS = tuple(name for name, setting in SETTINGS.items() if setting.politics)
_LATE = tuple(name for name, setting in SETTINGS.items() if setting.victory != "capitals")


class WarChronicle(Chronicle[War]):
    """What history is remembered by, and what it would have laughed at."""

    milestones = (
        Milestone("poland", "Poland is beaten", "Winter 1939", _CAMPAIGNS),
        Milestone("france", "France is beaten", "Summer 1940", _CAMPAIGNS),
        Milestone("east", "war in the East", "Summer 1941", _CAMPAIGNS),
        Milestone("leningrad", "the Axis in Leningrad", "never"),
        Milestone("moscow", "the Axis in Moscow", "never"),
        Milestone("stalingrad", "the Axis in Stalingrad", "Summer 1942"),
        Milestone("italy", "Italy is beaten", "Summer 1943", _CAMPAIGNS),
        Milestone("landing", "the Allies are back in France", "Summer 1944", _LATE),
        Milestone("berlin", "Berlin falls", "Spring 1945", _LATE),
    )

    def reached(self, state: War) -> Iterator[str]:
        owner = state.owner
        if state.setting.politics:
            if state.surrendered[POLAND]:
                yield "poland"
            if state.surrendered[FRANCE]:
                yield "france"
            if state.at_war:
                yield "east"
            if state.italy == ITALY_BEATEN:
                yield "italy"
        for name, space in (("leningrad", _LENINGRAD), ("moscow", _MOSCOW), ("stalingrad", _STALINGRAD)):
            if owner[space] == AXIS:
                yield name
        back = not state.setting.politics or state.surrendered[FRANCE]
        if back and any(owner[space] == ALLIES for space in FRENCH_HEXES):
            yield "landing"
        if owner[BERLIN] != AXIS:
            yield "berlin"

    def watch(self) -> Watcher[War]:
        return _Observer().see


class _Observer:
    """Sees one match action by action. It remembers what stood where when the player-turn began."""

    def __init__(self) -> None:
        self.turn: tuple[int, int] | None = None
        self.moved: set[int] = set()
        """Sides that have had a player-turn: before it they stand as the set-up says."""
        self.filled: frozenset[int] = frozenset()
        self.won: dict[int, int] = {}
        """Space -> who took it from an enemy and has moved since then, as long as they hold it."""
        self.fresh: dict[int, int] = {}
        """Space -> who took it in their latest turn: spearheads drive on, a garrison comes with the next movement."""
        self.beaches: dict[int, int] = {}
        """Space -> who landed there in their latest turn."""

    def see(self, before: War, role: str, action: Action, after: War) -> Iterator[Seen]:
        if self.turn != (before.turn, before.side):
            if self.turn is not None:
                self.moved.add(self.turn[1])
            self.turn = before.turn, before.side
            self.filled = frozenset(x for x in (*before.army_at, *before.fort, *before.home) if x >= 0)
            self.won |= {x: who for x, who in self.fresh.items() if who == before.side}
            self.fresh = {x: who for x, who in self.fresh.items() if who != before.side}
            self.beaches = {x: who for x, who in self.beaches.items() if who != before.side}
        side = SIDES.index(role)
        spent = isinstance(action, Done) and isinstance(before.stack[-1], Research if before.track else Production)
        if spent and before.budget >= _UNSPENT:
            yield "production left unspent"
        marched = isinstance(action, (March, Detach)) and action.to == ATLAS.names[SIBERIA]
        if marched and before.turn < _SIBERIANS_LEAVE:
            yield "marched into Siberia, where it must stay"
        if before.owner is after.owner:
            return
        for space in ATLAS.land:
            was, now = before.owner[space], after.owner[space]
            if was == now or now != side or was >= NOBODY:
                continue
            empty = space not in self.filled and was in self.moved
            party = [a for a in armies_of(side) if before.mode[a] == INVASION and before.target[a] == space]
            landed = bool(party)
            if empty and _is_capital(before, space, was):
                yield SIDES[was], f"capital left empty and entered: {ATLAS.title[space]}"
            elif empty and not landed and self.won.get(space) == was and ATLAS.production[space] >= _RICH:
                yield SIDES[was], f"conquest left empty and lost: {ATLAS.title[space]}"
            if self.beaches.pop(space, side) == was and was not in self.beaches.values():
                yield SIDES[was], f"landing thrown back at once: {ATLAS.title[space]}"
            self.won.pop(space, None)
            self.fresh[space] = side
            if landed and not all(_inside_france(before, side, before.army_at[a], space) for a in party):
                self.beaches[space] = side
            elif side in self.beaches.values() and ATLAS.waters_of[space] and _has_craft(after, side, space):
                self.beaches[space] = side  # the party has gone on along the coast


def _is_capital(s: War, space: int, side: int) -> bool:
    """Whether a side must not lose a city: where nobody surrenders, only what the victory conditions name."""
    if _CAPITALS.get(space) != side or (space == PARIS and s.surrendered[FRANCE]):
        return False
    return s.setting.politics or space == BERLIN or (s.setting.victory == "capitals" and space in SOVIET_CAPITALS)


def _inside_france(s: War, side: int, start: int, space: int) -> bool:
    """Whether a landing only goes from one hex to another of a France that stands, which its armies may not leave."""
    return side == ALLIES and not s.surrendered[FRANCE] and start in FRENCH_HEXES and space in FRENCH_HEXES


def _has_craft(s: War, side: int, space: int) -> bool:
    return any(s.army_at[a] == space and s.strength[a * 5 + AMPH] for a in armies_of(side))


CHRONICLE = WarChronicle()
