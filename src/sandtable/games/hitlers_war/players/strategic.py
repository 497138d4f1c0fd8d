"""Rules of thumb for what is not fighting on land: fleets, raids, bombs, politics, set-up and the optional rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sandtable.core import Action, Offers

from ..model.actions import (
    Accept,
    Assign,
    Bomb,
    Chase,
    Commission,
    Dive,
    Done,
    Drop,
    Fight,
    Intercept,
    Launch,
    Meet,
    Place,
    PlaceDefault,
    PutIn,
    Sail,
    Settle,
    Shell,
    ShellCoast,
    Sortie,
    Strike,
    Support,
    Surface,
    TradeEscort,
)
from ..model.atlas import ALLIES, ATLAS, AXIS, MECH
from ..model.fleets import FLEETS_OF, INDEX, NAMES
from ..model.places import KIEL, SCAPA_FLOW
from ..model.state import U_BOATS, has_fleets_on_map, in_box
from ..rules.naval.fleets import at_sea, strength
from .reading import live
from .scene import Scene


def answer(scene: Scene, step: object, offers: Offers) -> Action | None:
    """What a player says where nothing more special is known; None leaves it to the safe choice."""
    s = scene.s
    if live(offers, PlaceDefault):
        return PlaceDefault()
    if live(offers, Place):
        return place(scene, offers)
    if live(offers, Accept):
        return Accept(True)
    if live(offers, Assign):
        return best(offers, Assign, lambda a: s.strength[ATLAS.army_index[a.army] * 5 + MECH])
    if live(offers, Settle):
        return best(offers, Settle, lambda a: settle_worth(scene, ATLAS.index[a.at]))
    if live(offers, Strike):
        return best(offers, Strike, lambda a: ATLAS.production[ATLAS.index[a.at]])
    if live(offers, Drop):
        return best(offers, Drop, lambda a: scene.ground[ATLAS.index[a.at]] + scene.worth[ATLAS.index[a.at]])
    if live(offers, Bomb):
        return bomb(scene, offers)
    if live(offers, Launch):
        return best(offers, Launch, lambda a: a.number)
    if live(offers, Sail):
        return cruise(scene, offers, "port", SCAPA_FLOW if scene.side == ALLIES else KIEL)
    for act in (TradeEscort, Support, ShellCoast, Shell, Chase, Meet, Commission):
        for offer in live(offers, act):
            for action in offer:
                return action
    for battle in (Fight, Intercept):
        if live(offers, battle):
            return naval_fight(scene, offers, battle)
    return None


def best(offers: Offers, act: type[Action], rank: Callable[[Any], float]) -> Action | None:
    """The action of a kind that ranks highest; the first of equals."""
    found: Action | None = None
    top = -1e9
    for offer in live(offers, act):
        for action in offer:
            value = rank(action)
            if value > top:
                found, top = action, value
    return found


def place(scene: Scene, offers: Offers) -> Action | None:
    """New troops: all of them at once to the place that needs them most."""
    for offer in live(offers, Place):
        amounts = offer.fields[0].given([])
        everything = tuple((kind, min(number, 10)) for kind, number in amounts.limits.items())  # type: ignore[attr-defined]
        choices = [everything] if everything in amounts else []
        choices.extend((pair,) for pair in everything if (pair,) in amounts)
        for points in choices:
            places = [ATLAS.index[name] for name in offer.fields[1].given([points])]
            if places:
                space = max(places, key=lambda x: (scene.worth[x] - scene.danger[x], -x))
                for army in offer.fields[2].given([points, ATLAS.names[space]]):
                    return Place(points, ATLAS.names[space], army)
    return None


def settle_worth(scene: Scene, space: int) -> float:
    """Home forces stand in the capital first, then where they are attacked."""
    group = ATLAS.countries[ATLAS.group_of[space]]
    attacked = any(target == space for target in scene.s.target)
    return (10 if space in group.capitals else 0) + (5 if attacked else 0) - scene.s.home.get(space, 0)


def bomb(scene: Scene, offers: Offers) -> Action | None:
    """Bombers fly while they are likely to do more harm than they take."""
    s, side = scene.s, scene.side
    planes = in_box(s, side, "bomber")
    options = [action for offer in live(offers, Bomb) for action in offer]
    if planes < 3 or not options:
        return Done()
    morale = [a for a in options if a.aim != "industry"]  # type: ignore[attr-defined]
    if morale and s.morale and min(s.morale) <= 4:
        return morale[0]
    industry = [a for a in options if a.aim == "industry"]  # type: ignore[attr-defined]
    return (industry or morale)[0]


def naval_fight(scene: Scene, offers: Offers, act: type[Action]) -> Action | None:
    """A fleet accepts battle with what it outnumbers."""
    s = scene.s
    for offer in live(offers, act):
        for action in offer:
            own = strength(s, INDEX[action.fleet])  # type: ignore[attr-defined]
            foe = getattr(action, "foe", None)
            if foe is None or own >= strength(s, INDEX[foe]):
                return action
    return None


def cruise(scene: Scene, offers: Offers, how: str, near: int) -> Action | None:
    """A whole fleet sails to port or to sea, as near to a place as it can."""
    for offer in live(offers, Sail):
        for name in offer.fields[0].given([]):
            ships = max(offer.fields[1].given([name]), default=0)
            carriers = max(offer.fields[2].given([name, ships]), default=0)
            if how not in offer.fields[3].given([name, ships, carriers]):
                continue
            goals = [ATLAS.index[to] for to in offer.fields[4].given([name, ships, carriers, how])]
            for goal in sorted(goals, key=lambda x: (distance(x, near), x)):
                to = ATLAS.names[goal]
                for into in offer.fields[5].given([name, ships, carriers, how, to]):
                    action = Sail(name, ships, carriers, how, to, into)
                    if offers.refuse(action) is None:
                        return action
    return None


def distance(a: int, b: int) -> int:
    """Hexes between two places; boxes are far away."""
    return 99 if ATLAS.is_box[a] or ATLAS.is_box[b] else ATLAS.distance(a, b)


def patrol(scene: Scene, offers: Offers) -> Action | None:
    """The Allies keep a fleet at sea off Scapa Flow, where raiders from the North come by."""
    s = scene.s
    if scene.side != ALLIES or not has_fleets_on_map(s) or at_sea(s, ALLIES):
        return None
    station = [f for f in FLEETS_OF[ALLIES] if s.fleet_at[f] == SCAPA_FLOW and s.ships[f]]
    for offer in live(offers, Sail):
        names = offer.fields[0].given([])
        for fleet in station:
            if NAMES[fleet] in names:
                for to in (ATLAS.names[SCAPA_FLOW], *(ATLAS.names[x] for x in ATLAS.around[SCAPA_FLOW])):
                    action = Sail(NAMES[fleet], s.ships[fleet], s.carriers[fleet], "sea", to, NAMES[fleet])
                    if offers.refuse(action) is None:
                        return action
    return None


def sail(scene: Scene, offers: Offers) -> Action | None:
    """Ships and boats in the boxes: the stronger navy keeps the sea, U-boats go out when there are enough."""
    s, side = scene.s, scene.side
    if not s.setting.technology:
        return None
    found = patrol(scene, offers)
    if found is not None:
        return found
    if live(offers, Dive) and side == AXIS:
        hunters = in_box(s, ALLIES, "asw")
        boats = in_box(s, AXIS, "u_boat")
        if boats + s.at_sea[U_BOATS] >= 2 and boats + s.at_sea[U_BOATS] >= hunters:
            return Dive(boats)
    if live(offers, Surface) and side == AXIS and in_box(s, ALLIES, "asw") > 2 * s.at_sea[U_BOATS]:
        return Surface(s.at_sea[U_BOATS])
    if live(offers, Sortie) and side != AXIS:
        ships = in_box(s, side, "capital_ship")
        if ships > s.at_sea[AXIS]:
            return Sortie(ships)
    if live(offers, PutIn) and side == AXIS:
        return PutIn(s.at_sea[AXIS])
    return None
