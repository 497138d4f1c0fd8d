"""The set-ups: who holds what, which armies stand where, what is damaged; and the choices some scenarios leave.

Barbarossa lets the Axis choose three French points that are lost for good; the Fall of Germany is a free set-up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.core import Field, Offer, OneOf, Refusal, Step
from sandtable.core.columns import having, put
from sandtable.core.offers import Barred

from ..rules import research
from ..rules.entry import army_choices, has_room, place, place_offer, rest, why_no_place
from ..rules.naval import fleets, shipyard
from ..sequence import Season
from .actions import Done, Place, PlaceDefault, Points, Ruin
from .atlas import ATLAS, AXIS, CLOSED, KINDS, NOBODY, SIDES, WATER, side_number
from .scenarios import SETTINGS, Ruins
from .state import ITALY_AXIS, ITALY_BEATEN, ITEM, ITEMS, M, War, book, role_of, set_points, space_name

_RULES = ATLAS.rules
_ITALY = {"axis": ITALY_AXIS, "beaten": ITALY_BEATEN}


def begin(scenario: str, options: Mapping[str, Any]) -> War:
    """Return the state of a scenario before its first decision."""
    data = ATLAS.scenarios[scenario]
    s = War(
        scenario=scenario,
        options=options,
        turn=SETTINGS[scenario].first_turn,
        owner=bytes(_owners(SETTINGS[scenario].politics, data)),
        unaligned=bytes(len(ATLAS.countries)),
        surrendered=bytes(len(ATLAS.countries)),
        home_called=bytes(len(ATLAS.countries)),
    )
    for side_name, forts in data["forts"].items():
        for hex_name, strength in forts:
            assert s.owner[ATLAS.index[hex_name]] == side_number(side_name)
            s.fort = having(s.fort, ATLAS.index[hex_name], int(strength))
    _devastation(s, data)
    if s.setting.politics:
        for country in ATLAS.countries:
            s.unaligned = put(s.unaligned, country.index, int(any(s.owner[x] == NOBODY for x in country.spaces)))
    else:
        s.italy = _ITALY[s.setting.italy]
        s.at_war = True
    if s.setting.technology:
        _second_campaign(s, data)
    s.stack = (Season(),)
    steps: list[Step] = []
    if s.setting.ruins is not None:
        steps.append(VichyChoice())
    for side_name in data["order"]:
        armies = data["armies"][side_name]
        if isinstance(armies, dict):
            troops = tuple((kind, int(armies[kind])) for kind in KINDS if armies.get(kind))
            steps.append(FreeSetUp(side_number(side_name), troops))
        else:
            for army in armies:
                _put(s, army)
    if options.get("italian_army"):
        afrika = _RULES["italy"]["afrika"]
        _put(s, {"name": afrika["army"], "hex": afrika["hex"], "infantry": afrika["infantry"], "unaligned": True})
    s.stack = (*s.stack, *reversed(steps))
    return s


def _owners(campaign: bool, data: Mapping[str, Any]) -> bytearray:
    """Who holds each space at the start.  [hw-control-1] [hw-map-colors] [hw-unaligned-1] [hw-unaligned-2]"""
    owner = bytearray(NOBODY if campaign else CLOSED for _ in ATLAS.names)
    for space, sea in enumerate(ATLAS.is_sea):
        if sea:
            owner[space] = WATER
        elif campaign and ATLAS.countries[ATLAS.country_of[space]].colour == "gray":
            owner[space] = CLOSED
    for side_name, area in data["friendly"].items():
        side = side_number(side_name)
        spaces = [x for name in area["countries"] for x in ATLAS.countries[ATLAS.country_index[name]].spaces]
        spaces += [ATLAS.index[name] for name in (*area["hexes"], *area.get("boxes", ()))]
        closed = {ATLAS.index[name] for name in area.get("except", ())}
        for space in spaces:
            if space not in closed:
                owner[space] = side
    return owner


def _devastation(s: War, data: Mapping[str, Any]) -> None:
    """[hw-record-5] [hw-bar-devastation] [hw-fall-devastation]"""
    damage = data["devastation"]
    lasting = set(damage.get("unrepairable", ()))
    for name, number in damage.get("hexes", {}).items():
        if name in lasting:
            s.ruined = having(s.ruined, ATLAS.index[name], int(number))
        else:
            s.devastated = having(s.devastated, ATLAS.index[name], int(number))


def _put(s: War, army: Mapping[str, Any]) -> None:
    """[hw-record-4]"""
    number = ATLAS.army_index[army["name"]]
    s.army_at = put(s.army_at, number, ATLAS.index[army["hex"]])
    set_points(s, number, [int(army.get(name, 0)) for name in KINDS])
    book(s, number, sum(int(army.get(name, 0)) for name in KINDS))
    s.idle = put(s.idle, number, int(bool(army.get("unaligned"))))


def _second_campaign(s: War, data: Mapping[str, Any]) -> None:
    """[hw-c2-setup-axis] [hw-morale-2] [hw-cost-4]"""
    research.start(s)
    s.box = (0,) * (3 * len(ITEMS))
    s.at_sea = (0,) * 4
    start = int(_RULES["morale"]["start"])
    s.morale = (start, start)
    if not s.options.get("naval_action"):
        for side_name, fleet in data["fleets"].items():
            if side_name in ("axis", "soviet", "allied"):
                for item, number in fleet.items():
                    s.box = put(s.box, side_number(side_name) * len(ITEMS) + ITEM[item], int(number))
    else:
        fleets.start_fleets(s)
        for item, number in data["fleets"]["axis"].items():
            if item != "capital_ship":
                s.box = put(s.box, AXIS * len(ITEMS) + ITEM[item], int(number))
    shipyard.start_hulls(s)


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
        open_hexes = [space_name(x) for x in spaces if ATLAS.production[x] > s.ruined.get(x, 0)]

        def why(at: str) -> Refusal | None:
            return Refusal(self.rule, "hw-not-french-production", at=at)

        ruin = Offer(Ruin, Field("at", "space", OneOf(open_hexes, why)), rule=self.rule)
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
    """A side places its listed strength in any armies in any friendly spaces; a good set-up is one click away.

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
            Barred(Done, Refusal(self.rule, "hw-place-all")),
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
            for name in army_choices(s, self.side, space):
                while left and why_no_place(s, self.side, space, 1) is None:
                    one = ((left[0][0], 1),)
                    place(m, one, space, ATLAS.army_index[name])
                    left = rest(left, one)
                break
        return left
