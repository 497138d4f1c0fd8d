"""Set-up choices: production that is lost for good, and armies that a side places freely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.core import Field, Named, Offer, Refusal, Step
from sandtable.core.columns import having

from ..model.actions import Done, Place, PlaceDefault, Points, Ruin
from ..model.atlas import ATLAS, CHART_SIDES, KINDS, SIDES, SPACES
from ..model.scenarios import Ruins
from ..model.setup import _RULES, is_free
from ..model.state import M, War, role_of, space_name
from .entry import army_choices, has_room, place, place_offer, rest, why_no_place


class VichyChoice(Step, frozen=True, tag="vichy-choice"):
    """A side chooses production points of a country that stay devastated for good.  [hw-bar-devastation]"""

    rule = "hw-bar-devastation"

    def terms(self, s: War) -> Ruins:
        assert s.setting.ruins is not None
        return s.setting.ruins

    def left(self, s: War) -> int:
        spaces = ATLAS.countries[self.terms(s).country].spaces
        return self.terms(s).points - sum(s.ruined.get(x, 0) for x in spaces)

    def run(self, m: M) -> None:
        if self.left(m.state) <= 0:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.terms(m.state).side),)

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        spaces = ATLAS.countries[self.terms(s).country].spaces
        standing = [x for x in spaces if ATLAS.production[x] > s.ruined.get(x, 0)]

        def why(space: int) -> Refusal:
            return Refusal(self.rule, "hw-not-french-production", at=space_name(space))

        ruin = Offer(Ruin, Field("at", "space", Named(standing, SPACES, why=why)), rule=self.rule)
        return [ruin, Offer(PlaceDefault, rule=self.rule)]

    def take(self, m: M, role: str, action: object) -> None:
        s = m.state
        if isinstance(action, Ruin):
            space = ATLAS.index[action.at]
            s.ruined = having(s.ruined, space, s.ruined.get(space, 0) + 1)
        else:
            for x in self.terms(s).default:
                if self.left(s) > 0 and ATLAS.production[x] > s.ruined.get(x, 0):
                    s.ruined = having(s.ruined, x, s.ruined.get(x, 0) + 1)
        m.replace(self)


class FreeSetUp(Step, frozen=True, tag="free-set-up"):
    """A side places its listed strength in any armies in any friendly spaces, or takes the prepared set-up.

    [hw-fall-setup-axis] [hw-fall-setup-soviet] [hw-fall-setup-allied]
    """

    rule = "hw-fall-setup-axis"

    side: int
    troops: Points

    def run(self, m: M) -> None:
        if not self.troops:
            m.pop()

    def roles(self, m: M) -> Sequence[str]:
        return (role_of(self.side),)

    def places(self, s: War) -> list[int]:
        owner, side = s.owner, self.side
        return [x for x in ATLAS.land if owner[x] == side and has_room(s, side, x)]

    def offers(self, m: M, role: str) -> Sequence[Offer]:
        s = m.state
        return [
            place_offer(s, self.side, self.troops, self.places, self.rule),
            Offer(PlaceDefault, rule=self.rule),
            Offer(Done, Refusal(self.rule, "hw-place-all"), rule=self.rule),
        ]

    def take(self, m: M, role: str, action: object) -> None:
        left = self.troops
        if isinstance(action, Place):
            place(m, action.points, ATLAS.index[action.at], ATLAS.army_index[action.army])
            left = rest(left, action.points)
        else:
            for row in _RULES["set_up"][m.state.scenario][SIDES[self.side]]:
                left = self.stand(m, row, left)
            left = self.stand_rest(m, left)
        m.replace(FreeSetUp(self.side, left))

    def stand(self, m: M, row: Mapping[str, Any], left: Points) -> Points:
        """One line of the prepared set-up, as far as points, room and the counter allow."""
        s = m.state
        at, army = ATLAS.index[row["hex"]], ATLAS.army_index[row["army"]]
        chosen: list[tuple[str, int]] = []
        for kind, number in left:
            fit = min(number, int(row.get(kind, 0)))
            while fit and why_no_place(s, self.side, at, sum(n for _, n in chosen) + fit) is not None:
                fit -= 1
            if fit:
                chosen.append((kind, fit))
        if not chosen or s.army_at[army] not in (-1, at):
            return left
        place(m, tuple(chosen), at, army)
        return rest(left, tuple(chosen))

    def stand_rest(self, m: M, left: Points) -> Points:
        """Whatever the prepared lines could not take goes where there is room."""
        s = m.state
        for space in self.places(s) if left else ():
            for army in army_choices(s, self.side, space)[:1]:  # none where all counters are in use elsewhere
                while left and why_no_place(s, self.side, space, 1) is None:
                    one = ((left[0][0], 1),)
                    place(m, one, space, army)
                    left = rest(left, one)
        return left


def set_up(s: War) -> list[Step]:
    """Return the choices that a scenario leaves to its players."""
    steps: list[Step] = [VichyChoice()] if s.setting.ruins is not None else []
    for side in s.setting.order:
        armies = ATLAS.scenarios[s.scenario]["armies"][CHART_SIDES[side]]
        if is_free(armies):
            troops = tuple((kind, int(armies[kind])) for kind in KINDS if armies.get(kind))
            steps.append(FreeSetUp(side, troops))
    return steps
