"""What a history of the war would look for: when capitals fell and armies landed, and what no staff would do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.core import Action
from sandtable.core.chronicle import Chronicle, Milestone, Seen, Watcher

from ..facts.control import control_side
from ..facts.convoys import crew, transports
from ..facts.roster import roster
from ..facts.whereabouts import has_ground, whereabouts
from ..model.actions import Buy, Ferry, Give, March, Rail, Ship
from ..model.atlas import ATLAS
from ..model.state import AT_WAR, W2State
from .aims import polish_war, taken
from .watch import landers

A = ATLAS
K = ATLAS.kinds
_WEST = (A.britain, A.usa)
_ARMY, _CORPS = 8, 4
"""Units on foot that make an army, and those that are more than a raid."""
_YEAR, _LONG = 4, 8
"""Turns of a year, and after which what was never done counts as forgotten."""
_NEGLECTED = 2
"""Turns for which a capital stands empty that nobody cared for: its garrison may have fallen in the first of them."""
_FEW = 2
"""Stack Points that hold no capital against a fleet."""
_FLEET = 4
"""Transports that make one."""
_LONG_GAME = ("fall-1939",)


def _abroad(state: W2State, power: int) -> int:
    """Return a power's ground units on land outside its homeland."""
    spaces = (state.space[u] for u in roster(state).ground[power])
    return sum(s >= 0 and A.is_land[s] and A.homeland[s] != power for s in spaces)


def _at_home(state: W2State, power: int) -> int:
    return sum(A.homeland[state.space[u]] == power for u in roster(state).ground[power] if state.space[u] >= 0)


def _back_in_france(state: W2State) -> bool:
    """Whether the Western Allies stand in France after Paris was lost: the USA is in the war, and it is no raid."""
    if not state.lost_flag[A.capital[A.france]] or state.status[A.usa] != AT_WAR:
        return False
    units = (state.space[u] for power in _WEST for u in roster(state).ground[power])
    return sum(s >= 0 and A.homeland[s] == A.france and control_side(state, s) == 1 for s in units) >= _CORPS


class EuropeChronicle(Chronicle[W2State]):
    """Poland, Paris, Barbarossa, the capitals, the American army, the way back to France."""

    milestones = (
        Milestone("poland", "Poland has fallen", "October 1939", _LONG_GAME),
        Milestone("paris", "Paris has fallen", "June 1940", _LONG_GAME),
        Milestone("barbarossa", "Germany and the USSR are at war", "June 1941", _LONG_GAME),
        Milestone("moscow", "Moscow has fallen", "never"),
        Milestone("london", "London has fallen", "never"),
        Milestone("usa", "an American army is overseas", "November 1942"),
        Milestone("france", "the Western Allies are back in France", "June 1944"),
        Milestone("rome", "Rome has fallen", "June 1944"),
        Milestone("berlin", "Berlin has fallen", "May 1945"),
    )

    def reached(self, state: W2State) -> Iterable[str]:
        found = {
            "poland": not polish_war(state),
            "barbarossa": state.status[A.ussr] == AT_WAR,
            "usa": _abroad(state, A.usa) >= _ARMY,
            "france": _back_in_france(state),
        }
        for power in (A.france, A.ussr, A.britain, A.italy, A.germany):
            found[A.names[A.capital[power]]] = taken(state, power)
        return [name for name, is_true in found.items() if is_true]

    def watch(self) -> Watcher[W2State]:
        return _Watcher()


class _Watcher:
    """Remembers of one match what was bought and given, and for how long something was left undone."""

    def __init__(self) -> None:
        self.at_war = dict.fromkeys(_WEST, 0)
        """Turns that a power has been in the war,"""
        self.no_convoy = 0
        """and for which no British convoy has sailed,"""
        self.bare = 0
        """or one has without a warship,"""
        self.idle = 0
        """and in which the American army stood at home."""
        self.empty: dict[int, int] = {}
        """Capitals that their last defenders left, or in which nobody stands: for how many turns already."""
        self.destroyers = self.gifts = False
        self.said: set[str] = set()

    def __call__(self, before: W2State, role: str, action: Action, after: W2State) -> Iterator[Seen]:
        if isinstance(action, March):
            if self.empty.get(A.index[action.path[-1]], 0) >= _NEGLECTED:
                yield from _walked_in(before, A.power_index[role], A.index[action.path[-1]])
        elif isinstance(action, Buy) and role == A.powers[A.britain]:
            self.destroyers |= K.base[K.index[action.kind]] == K.index["destroyer"]
        elif isinstance(action, Give):
            self.gifts |= A.power_index[role] in _WEST
        if after.turn != before.turn:
            for power, what in self._neglected(before):
                if what not in self.said:
                    self.said.add(what)
                    yield A.powers[power], what
            yield from _open_capitals(before)
            self.empty = {c: self.empty.get(c, 0) + 1 for c in A.capital if _is_empty(after, c)}
        elif isinstance(action, March | Rail | Ship | Ferry):
            left = (c for c in A.capital if _is_empty(after, c) and not _is_empty(before, c))
            self.empty |= dict.fromkeys(left, _NEGLECTED)

    def _neglected(self, state: W2State) -> Iterator[tuple[int, str]]:
        """What a power has not done for too long: each is told once a match."""
        for power in _WEST:
            self.at_war[power] += state.status[power] == AT_WAR
        sails = any(line.power == A.britain for line in state.convoys)
        bare = any(line.power == A.britain and len(crew(state, line.number)) == transports(state, line.number)
                   for line in state.convoys)  # fmt: skip
        self.bare = self.bare + 1 if bare else 0
        self.no_convoy = 0 if sails or taken(state, A.britain) else self.no_convoy + 1
        waits = _at_home(state, A.usa) > max(_ARMY, _abroad(state, A.usa))
        self.idle = self.idle + 1 if waits and state.status[A.usa] == AT_WAR else 0
        if self.no_convoy >= _YEAR:
            yield A.britain, "British convoys not restarted for a year"
        if self.idle >= _YEAR:
            yield A.usa, "most of the US army at home for a year"
        if self.bare >= _YEAR and not self.destroyers:
            yield A.britain, "convoys without escort for a year and no destroyer bought"
        if self.at_war[A.usa] >= _LONG and not self.gifts:
            yield A.usa, "no money given to allies in two years"


def _is_empty(state: W2State, space: int) -> bool:
    return not has_ground(state, space, 0) and not has_ground(state, space, 1)


def _walked_in(state: W2State, power: int, space: int) -> Iterator[Seen]:
    """An enemy capital without a single unit on foot that a march ends in."""
    side = A.side[power]
    theirs = space in A.capital and control_side(state, space) == 1 - side
    if theirs and _is_empty(state, space):
        yield A.powers[state.owner[space]], f"capital left empty and entered: {A.names[space]}"


def _open_capitals(state: W2State) -> Iterator[Seen]:
    """A capital by the sea with next to nobody in it while an enemy fleet lies within reach."""
    for power, capital in enumerate(A.capital):
        if state.status[power] != AT_WAR or state.owner[capital] != power:
            continue
        points = whereabouts(state).ground[A.side[power]][capital]
        if points < _FEW and landers(state, 1 - A.side[power], capital) >= _FLEET:
            yield A.powers[power], f"capital open to a fleet: {A.names[capital]}"


CHRONICLE = EuropeChronicle()
