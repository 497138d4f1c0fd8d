"""Losses: strength points removed by their owner's choice, one by one.

A `Losses` step is pushed by every fire. It asks the owner only while there is something to choose.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.core import Choices, Offer, Refusal, Step
from sandtable.core.columns import having, shifted

from ..model.actions import Lose
from ..model.atlas import AIR, AMPH, ATLAS, INF, KIND, KINDS, MECH, PARA, STACK
from ..model.events import Absorbed, PointLost
from ..model.state import M, War, add_points, armies_in, army_name, book, role_of, side_of, space_name, stacked, total
from .control import ground, has_garrison, remove_if_empty, who_defends
from .leaders import roll_for_leaders

GROUND = (INF, MECH, PARA, AMPH)


def absorb(m: M, space: int, number: int) -> int:
    """Losses left after the fort has absorbed its share of the turn.  [hw-fort-9]"""
    s = m.state
    room = s.fort.get(space, 0) - s.absorbed.get(space, 0)
    taken = max(0, min(room, number))
    if taken:
        s.absorbed = having(s.absorbed, space, s.absorbed.get(space, 0) + taken)
        m.emit(Absorbed(at=space_name(space), number=taken))
    return number - taken


def strike(m: M, space: int, number: int) -> None:
    """Fire of the side whose turn it is has hit a space: its fort absorbs, the defenders lose the rest.  [hw-fort-9]"""
    s = m.state
    lost = absorb(m, space, number)
    if lost:
        foes = tuple(a for a in armies_in(s, space) if side_of(a) != s.side)
        m.push(Losses(who_defends(s, space), foes, space, lost))


def drown(m: M, army: int, number: int) -> None:
    """An invader takes losses at sea: half of them, rounded up, are amphibious points.  [hw-navfire-3]"""
    if number:
        m.push(Losses(side_of(army), (army,), -1, number, (number + 1) // 2))


class Losses(Step, frozen=True, tag="losses"):
    """A side takes losses from some armies, and from what belongs to the space itself (fort, home forces, garrison).

    [hw-assault-6] [hw-assault-7] [hw-assault-11]
    """

    rule = "hw-assault-7"

    side: int
    armies: tuple[int, ...]
    space: int
    """The space whose own points may be lost; -1 where only armies lose."""
    number: int
    amphibious: int = 0
    """How many of the remaining losses must still be amphibious points."""
    air: bool = False
    """Losses of an air attack: tac air only."""
    ground_only: bool = False
    """Losses in retreat: never tac air."""
    hurt: tuple[int, ...] = ()
    """Armies that have lost something already."""

    def run(self, m: M) -> None:
        step = self
        while True:
            choices = step.choices(m.state)
            if step.number <= 0 or not choices:
                m.pop()
                roll_for_leaders(m, step.hurt)
                return
            if len(choices) > 1:
                m.amend(step)
                return
            step = step.without(m, choices[0])

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.side),)

    def choices(self, s: War) -> list[Lose]:
        """Points that may be taken now.  [hw-air-3] [hw-air-5] [hw-airsup-1] [hw-navfire-3] [hw-fort-8]"""
        standing = [army for army in self.armies if s.army_at[army] >= 0]
        if self.air:
            flying = [Lose(army_name(a), KINDS[AIR]) for a in standing if s.strength[a * 5 + AIR]]
            if s.coast.get(self.space, 0):
                flying.append(Lose(space_name(self.space), "coast"))
            return flying
        if self.amphibious:
            due = [Lose(army_name(a), KINDS[AMPH]) for a in standing if s.strength[a * 5 + AMPH]]
            if due and self.amphibious >= self.number:
                return due
        found = [Lose(army_name(a), KINDS[k]) for a in standing for k in GROUND if s.strength[a * 5 + k]]
        if self.space >= 0:
            place = space_name(self.space)
            if s.fort.get(self.space, 0):
                found.append(Lose(place, "fort"))
            if s.home.get(self.space, 0):
                found.append(Lose(place, "home"))
            if has_garrison(s, self.space):
                found.append(Lose(place, "garrison"))
        if found or self.ground_only:
            return found
        return [Lose(army_name(a), KINDS[AIR]) for a in standing if s.strength[a * 5 + AIR]]

    def why(self, s: War, choice: Lose) -> Refusal | None:
        """Why a point may not be taken."""
        army = ATLAS.army_index.get(choice.unit, -1)
        if army in self.armies and choice.kind in KIND and s.strength[army * 5 + KIND[choice.kind]]:
            if choice.kind == KINDS[AIR]:
                return Refusal("hw-air-5", "hw-air-last", army=choice.unit)
            if self.air:
                return Refusal("hw-air-3", "hw-air-only", army=choice.unit)
            return Refusal("hw-navfire-3", "hw-half-amphibious", army=choice.unit)
        return Refusal(self.rule, "hw-no-such-point", unit=choice.unit, kind=f"@{choice.kind}")

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        return [Choices(self.choices(m.state), rule=self.rule, why=lambda c: self.why(m.state, c))]  # type: ignore[arg-type]

    def without(self, m: M, choice: Lose) -> Losses:
        """Remove one point; the step with one loss less."""
        s = m.state
        m.emit(PointLost(unit=choice.unit, kind=f"@{choice.kind}"))
        army = ATLAS.army_index.get(choice.unit, -1)
        hurt, amphibious = self.hurt, self.amphibious
        if army >= 0:
            kind = KIND[choice.kind]
            add_points(s, army, kind, -1)
            book(s, army, -1)
            at = s.army_at[army]
            hurt = hurt if army in hurt else (*hurt, army)
            if kind == AMPH and amphibious:
                amphibious -= 1
            remove_if_empty(m, army)
            # tac air left alone has no garrison either before the phase ends  [hw-garrison-7] [hw-air-10]
            if kind != AIR and not any(ground(s, other) for other in armies_in(s, at)):
                s.bare = having(s.bare, at, 1)
        elif choice.kind == "fort":
            s.fort = shifted(s.fort, self.space, -1)
            s.absorbed = having(s.absorbed, self.space, min(s.absorbed.get(self.space, 0), s.fort.get(self.space, 0)))
        elif choice.kind == "coast":
            s.coast = shifted(s.coast, self.space, -1)
        elif choice.kind == "home":
            s.home = shifted(s.home, self.space, -1)
            if not s.home.get(self.space, 0) and not any(ground(s, other) for other in armies_in(s, self.space)):
                s.bare = having(s.bare, self.space, 1)
        else:
            s.bare = having(s.bare, self.space, 1)
        return msgspec.structs.replace(self, number=self.number - 1, amphibious=amphibious, hurt=hurt)

    def take(self, m: M, role: str, action: Lose) -> None:
        m.replace(self.without(m, action))


class Overstacked(Step, frozen=True, tag="overstacked"):
    """At the end of movement the owner chooses which points above ten are removed.  [hw-stack-4]"""

    rule = "hw-stack-4"

    space: int
    side: int

    def run(self, m: M) -> None:
        if stacked(m.state, self.space) <= STACK:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.side),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        found = [
            Lose(army_name(a), KINDS[k]) for a in armies_in(s, self.space) for k in GROUND if s.strength[a * 5 + k]
        ]
        if s.fort.get(self.space, 0):
            found.append(Lose(space_name(self.space), "fort"))
        return [Choices(found, rule=self.rule)]

    def take(self, m: M, role: str, action: Lose) -> None:
        s = m.state
        m.emit(PointLost(unit=action.unit, kind=f"@{action.kind}"))
        army = ATLAS.army_index.get(action.unit, -1)
        if army < 0:
            s.fort = shifted(s.fort, self.space, -1)
        else:
            add_points(s, army, KIND[action.kind], -1)
            book(s, army, -1)
            if total(s, army) == 0:
                remove_if_empty(m, army)
        m.replace(self)
