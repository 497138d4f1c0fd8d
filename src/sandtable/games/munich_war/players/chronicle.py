"""What the history of a match tells: when cities fell and countries joined or gave up, and moves nobody can defend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandtable.core import Action, Chronicle, Milestone, Role
from sandtable.core.bits import bits, mask_of
from sandtable.core.chronicle import Seen, Watcher

from ..facts.board import board
from ..facts.control import last_held, working
from ..facts.reach import reach
from ..model.actions import Arrive, Attack, Disband
from ..model.atlas import ATLAS, NOBODY, SIDES
from ..model.state import MunichState
from ..rules.movement_phase import Movement
from ..rules.victory import city_worth, needs_garrison

_TOLD = ("Czechoslovakia", "Poland")
"""Countries whose fate is noted, city by city."""
_INTERVENTION = "intervention"
_CAPITAL = 3
"""Victory points from which a city that is left empty is worth a word."""
_REICH = ATLAS.country_number[ATLAS.rules["victory"]["reich_power"]]
_PRIZES = tuple(bits(ATLAS.key_cities | ATLAS.reich_objectives))


def _city(at: int) -> str:
    found = ATLAS.face(at)["city"]
    return str(found["name"]) if found else ATLAS.hex_name[at]


_CITIES = {_city(at).lower(): at for name in _TOLD for at in bits(ATLAS.countries[ATLAS.country_number[name]].cities)}
_SURRENDERS = {f"{name.lower()}-surrenders": ATLAS.country_number[name] for name in _TOLD}


class MunichChronicle(Chronicle[MunichState]):
    """The cities between the powers, surrenders and interventions; garrisons, stacks and neutrals treated badly."""

    milestones = (
        *(Milestone(name, f"{_city(at)} has fallen") for name, at in _CITIES.items()),
        *(Milestone(name, f"{ATLAS.countries[c].name} has surrendered") for name, c in _SURRENDERS.items()),
        Milestone(_INTERVENTION, "other powers have intervened"),
    )

    def reached(self, state: MunichState) -> Iterable[str]:
        for name, at in _CITIES.items():
            side = state.side[ATLAS.country_of[at]]
            if side != NOBODY and last_held(state, 1 - side) >> at & 1:
                yield name
        for name, country in _SURRENDERS.items():
            if state.fallen[country]:
                yield name
        if state.intervened:
            yield _INTERVENTION

    def watch(self) -> Watcher[MunichState]:
        return _Watch()


class _Watch:
    """Watches one match."""

    def __init__(self) -> None:
        self.turn: tuple[int, int] = (0, NOBODY)
        """The player turn that is watched,"""
        self.began: MunichState | None = None
        """how its movement began,"""
        self.attacked: set[int] = set()
        """and the countries for whose cities somebody fought in the match."""
        self.invaded: dict[int, tuple[int, int]] = {}
        """Neutrals that were turned into enemies: the player turn."""
        self.forced: set[str] = set()
        """Units that had one city to arrive in, whoever was there already."""
        self.vacated: list[set[int]] = [set(), set()]
        """By side: hexes of its fortified lines that its last movement left empty,"""
        self.open: list[set[int]] = [set(), set()]
        """and the cities in which it left nobody although somebody could have been there."""

    def __call__(self, before: MunichState, role: Role, action: Action, after: MunichState) -> Iterator[Seen]:
        side = SIDES.index(role)
        if before.phasing == side and (before.turn, side) != self.turn:
            yield from self._turn_ended(before)
            self.turn, self.began = (before.turn, side), None
        if isinstance(action, Arrive):
            cities = ATLAS.countries[ATLAS.units[ATLAS.unit_number[action.unit]].country].cities
            if (cities & working(before)[side] & ~mask_of(before.arrived)).bit_count() <= 1:
                self.forced.add(action.unit)
        if isinstance(action, Disband) and before.phasing == side and action.unit not in self.forced:
            yield f"own unit disbanded for want of room: {action.unit}"
        if before.phasing != side:
            return
        if isinstance(action, Attack):
            at = ATLAS.hex_number[action.target]
            if at in _PRIZES:
                self.attacked.add(ATLAS.country_of[at])
        for country, (was, now) in enumerate(zip(before.side, after.side, strict=True)):
            if (
                was == NOBODY
                and now == 1 - side
                and before.turn == after.turn
                and not _is_prey(before, country, 1 - side)
            ):
                self.invaded[country] = self.turn
        if isinstance(before.stack[-1], Movement):
            self.began = self.began or before
            yield from self._walked_in(before, after, side)
            if not isinstance(after.stack[-1], Movement):
                yield from self._moved(self.began, after, side)

    def _walked_in(self, before: MunichState, after: MunichState, side: int) -> Iterator[Seen]:
        """A city or a fortified line that the other side left to whoever came."""
        if before.where == after.where:
            return
        gained = last_held(after, side) & ~last_held(before, side) & board(after).occupied[side]
        for at in bits(gained & ~board(before).occupied[1 - side]):
            if at in self.open[1 - side]:
                is_own = before.side[ATLAS.country_of[at]] == 1 - side
                what = "capital left empty and entered" if is_own else "conquest left empty and lost"
                yield SIDES[1 - side], f"{what}: {_city(at)}"
            elif at in self.vacated[1 - side]:
                yield SIDES[1 - side], f"fortified line left and entered: {ATLAS.hex_name[at]}"

    def _moved(self, began: MunichState, after: MunichState, side: int) -> Iterator[Seen]:
        """What a whole movement left behind."""
        old, new = board(began), board(after)
        for at in bits(ATLAS.reich_objectives):
            counted = began.side[ATLAS.country_of[at]] == 1 - side and needs_garrison(at, side)
            if not counted or began.side[_REICH] != side or _germans(after, at):
                continue
            if any(after.where[unit] not in _PRIZES for unit in _germans(began, at)):
                yield f"objective of the Reich left by its last German: {_city(at)}"
        left = ATLAS.trenches & old.occupied[side] & ~new.occupied[side]
        self.vacated[side] = {at for at in bits(left) if began.side[ATLAS.country_of[at]] == side}
        self.open[side] = {
            at
            for at in _PRIZES
            if last_held(after, side) >> at & 1
            and not new.stack(at)
            and _is_dear(after, at)
            and _could_be(began, side, at)
        }

    def _turn_ended(self, now: MunichState) -> Iterator[Seen]:
        """A neutral that became an enemy, and no city of it was attacked or taken in this turn or the next."""
        week, side = self.turn
        for country in [country for country, (turn, who) in self.invaded.items() if who == side and turn < week]:
            del self.invaded[country]
            held = any(ATLAS.country_of[at] == country and last_held(now, side) >> at & 1 for at in _PRIZES)
            if not held and country not in self.attacked:
                yield SIDES[side], f"neutral invaded by the way: {ATLAS.countries[country].name}"


def _is_prey(state: MunichState, country: int, side: int) -> bool:
    """Whether a side may invade a country: who is first denies it to the other, whatever comes of it."""
    return any(who == side and country in ATLAS.countries[power].invades for power, who in enumerate(state.side))


def _germans(state: MunichState, at: int) -> list[int]:
    return [unit for unit in board(state).stack(at) if ATLAS.units[unit].country == _REICH and ATLAS.is_land[unit]]


def _is_dear(state: MunichState, at: int) -> bool:
    owner = state.side[ATLAS.country_of[at]]
    return owner != NOBODY and city_worth(at, 1 - owner) >= _CAPITAL


def _could_be(state: MunichState, side: int, at: int) -> bool:
    """Whether a unit of a side stands in a hex or can march there."""
    return any(
        state.where[face.index] == at or reach(state, face.index) >> at & 1
        for face in ATLAS.units
        if face.mobile and state.side[face.country] == side and state.where[face.index] >= 0
    )


CHRONICLE = MunichChronicle()
