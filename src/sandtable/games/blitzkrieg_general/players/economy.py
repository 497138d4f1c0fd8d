"""Points, cards and research: what to build and where to put it, which cards to keep, what to study."""

from __future__ import annotations

from collections import Counter

from sandtable.core import Action, Offers, Pass

from ..facts.units import counters
from ..model.actions import Achieve, Build, Buy, BuyNumber, Done, LendTo, OfferCard, Place, PlayCard, Repair, ReturnCard
from ..model.atlas import (
    AIR,
    ARM,
    AXIS,
    BE,
    CHINA,
    CONVOY,
    FRANCE,
    GERMANY,
    HQ,
    INF,
    ITALY,
    JAPAN,
    MAJORS,
    NAVAL_HQ,
    SUB,
    TF,
    USA,
    USSR,
    Kind,
)
from ..model.state import AT_WAR, BUILDING, CONQUERED, at_war
from ..rules.cards.entry import ENTRIES
from .goals import goals, pull_at
from .scene import Scene

_MIX: dict[int, dict[int, float]] = {
    GERMANY: {INF: 10, ARM: 4, AIR: 4, SUB: 0.5, CONVOY: 0.3},
    ITALY: {INF: 8, ARM: 0.7, AIR: 2, CONVOY: 1, TF: 1},
    JAPAN: {INF: 9, ARM: 0.3, AIR: 3, CONVOY: 4, TF: 3},
    BE: {INF: 9, ARM: 1.5, AIR: 4, CONVOY: 3, TF: 3},
    USA: {INF: 8, ARM: 3, AIR: 4, CONVOY: 6, TF: 4},
    USSR: {INF: 12, ARM: 3, AIR: 2},
    FRANCE: {INF: 8, ARM: 0.8, AIR: 1},
    CHINA: {INF: 10, AIR: 0.5},
}
"""What each major would like to have of each class, in proportion."""
_MASSES: dict[int, dict[int, float]] = {
    GERMANY: {INF: 20, ARM: 4, AIR: 0.2},
    ITALY: {INF: 12, ARM: 3, AIR: 0.2, CONVOY: 1},
}
"""The same by the basic rules for a planner: every unit takes two hits, so nothing gives more for its price than small
infantry; when all of it is out, armour, which scores twice as much for its price as aircraft."""
_SHIPYARDS = 4
"""The quarter, counted from the first, in which convoys come before China's fall."""
_FOR_ISLANDS: dict[int, dict[int, float]] = {
    JAPAN: {INF: 10, CONVOY: 20, ARM: 0.3, AIR: 1.5, TF: 0.5},
    ITALY: {INF: 12, CONVOY: 3},
}
"""The same for a country that prepares to take undefended areas over the sea."""
_OVERSEAS = (JAPAN, BE, USA)
BUILDS: dict[str, tuple[int, ...]] = {"infantry": (INF,), "armour": (ARM,), "air": (AIR,), "ships": (CONVOY, TF)}
"""What a plan may want to be built, by its name."""
_RATHER = 4.0
"""How much rather such units are built than others."""
_WAR_IN_THE_EAST = "ussr_may_declare_war"
_RESEARCH = ("air_combat", "long_range", "sonar", "better_subs")


def build(scene: Scene, offers: Offers) -> Action | None:
    """The class that is short by most; the biggest counters where ships must carry them, else many small ones."""
    state, found, me = scene.state, scene.found, scene.me
    kinds = [found.kind_ids[a.kind] for offer in offers[Build] for a in offer if isinstance(a, Build)]
    saved = savings(scene)
    if saved:
        kinds = [kind for kind in kinds if kind.cost <= state.points[me] - saved]
    if not kinds:
        return None
    for kind in kinds:
        if kind.type in (HQ, NAVAL_HQ):
            return Build(kind.id)
    have = Counter(map(found.type.__getitem__, _owned(scene)))
    mix = _MIX[me]
    if scene.looks_ahead and not state.advanced:
        mix = _MASSES.get(me, mix)
    if wants_islands(scene):
        mix = _FOR_ISLANDS.get(me, mix)
    big = me in _OVERSEAS or state.advanced
    pressed = any(scene.vital(s) and scene.threat(s) > 1 for s in found.homes[me])

    def wish(kind: Kind) -> tuple[float, float, str]:
        want = mix.get(kind.type, 0.05)
        if pressed and kind.type == INF:
            want *= 4
        if kind.type in BUILDS.get(scene.doctrine.build, ()):
            want *= _RATHER
        size = kind.front if big or kind.type != INF else -kind.front
        return (want / (1 + have[kind.type]), size, kind.id)

    return Build(max(kinds, key=wish).id)


def wants_islands(scene: Scene) -> bool:
    """Whether convoys built now come in time, and are not taken from a war on land that comes first."""
    state = scene.state
    return (
        scene.looks_ahead and state.side[scene.me] == AXIS and (not state.advanced or scene.me == JAPAN)
        and (state.standing[CHINA] == CONQUERED or state.turn >= _SHIPYARDS)
    )  # fmt: skip


def _owned(scene: Scene) -> list[int]:
    place = scene.state.place
    return [u for u in counters(scene.state, "all")[scene.me] if place[u] >= 0 or place[u] == BUILDING]


def repair(scene: Scene, offers: Offers) -> Action | None:
    """Mending costs half of a new unit: always the strongest first; convoys too."""
    found = scene.found
    units = [found.unit_of[a.unit] for offer in offers[Repair] for a in offer if isinstance(a, Repair)]
    if not units:
        return None
    best = max(
        units,
        key=lambda u: ((found.front[u] - max(0, found.back[u])) / found.kind_of_unit[u].repair_cost, found.front[u], u),
    )
    return Repair(found.unit_ids[best])


def arrange(scene: Scene, offers: Offers) -> list[Action]:
    """Where everything that arrives is placed: troops and aircraft where they are wanted, ships with others."""
    state, found = scene.state, scene.found
    offer = offers[Place][0]
    wanted = goals(scene)
    held = {goal.space: goal for goal in wanted if goal.hold}
    for goal in held.values():
        goal.assigned += scene.own(goal.space)
    pulls: dict[int, float] = {}
    crowd: dict[int, int] = {}
    arrived: dict[int, float] = {}
    out: list[Action] = []

    def pull(space: int) -> float:
        if space not in pulls:
            pulls[space] = pull_at(wanted, space)
        return pulls[space]

    for unit_id in offer.fields[0].given([]):
        unit = found.unit_of[unit_id]
        spaces = [found.space_of[s] for s in offer.fields[1].given([unit_id])]
        if found.is_ship[unit]:
            best = max(spaces, key=lambda z: (_harbour(scene, z, unit), -z))
        elif found.is_air[unit] or found.is_hq[unit]:
            safe = [s for s in spaces if scene.threat(s) <= scene.total(scene.friends(s)) + arrived.get(s, 0.0)]
            best = max(safe or spaces, key=lambda s: (pull(s), -s))
        else:
            best = max(spaces, key=lambda s: (pull(s), -len(state.here[s]) - crowd.get(s, 0), -s))
        crowd[best] = crowd.get(best, 0) + 1
        arrived[best] = arrived.get(best, 0.0) + scene.power(unit)
        if best in held and found.is_land[unit]:
            held[best].assigned += scene.power(unit)
            pulls.clear()
        out.append(Place(unit_id, found.space_ids[best]))
    return out


def _harbour(scene: Scene, zone: int, unit: int) -> float:
    """Convoys lie where troops wait, warships with the fleet."""
    state, found = scene.state, scene.found
    ships = [u for u in scene.friends(zone) if found.is_ship[u]]
    if found.type[unit] == CONVOY:
        troops = sum(
            1 for s in found.coast[zone] for u in scene.friends(s)
            if found.is_land[u] and state.master[state.nation[u]] == scene.me
        )  # fmt: skip
        return troops + 0.5 * sum(1 for u in ships if found.type[u] == CONVOY) - len(scene.enemies(zone))
    return scene.total(ships) - scene.foe(zone)


# ---- cards
def buy(scene: Scene, offers: Offers) -> Action | None:
    """A card is worth a fair part of the quarter's points if it can be used; the one that opens the war in the east is
    worth them all, and whoever draws it passes it on."""
    state, found, me = scene.state, scene.found, scene.me
    for offer in offers[Buy]:
        for action in offer:
            assert isinstance(action, Buy)
            card = found.card_of[action.card]
            if action.card == _WAR_IN_THE_EAST and wants_war(scene):
                return action
            if me in found.card_users[card] and found.card_cost[card] * 3 <= state.points[me] - savings(scene):
                return action
    drawn = state.drawn[me]
    pass_on = OfferCard(MAJORS[USSR])
    if scene.looks_ahead and drawn >= 0 and found.card_ids[drawn] == _WAR_IN_THE_EAST and pass_on in offers:
        return pass_on
    return ReturnCard() if offers[ReturnCard] and ReturnCard() in offers else None


def wants_war(scene: Scene) -> bool:
    """Whether the USSR waits for the card without which it may not attack Germany."""
    state, card = scene.state, ENTRIES[_WAR_IN_THE_EAST]
    return (
        scene.looks_ahead and scene.me == USSR and state.advanced and not state.ussr_may_declare
        and state.side[GERMANY] != scene.side and not at_war(state, USSR, GERMANY)
        and card.when(state, USSR, card.moments[0])
    )  # fmt: skip


def savings(scene: Scene) -> int:
    """Points that are kept for that card."""
    return scene.found.card_cost[scene.found.card_of[_WAR_IN_THE_EAST]] if wants_war(scene) else 0


_KEEP = frozenset({"espionage_ultra", "spies", "partisans", "para_troops", "militia"})
"""Cards that need more thought than a rule of thumb gives them: played only where a window asks for them."""


def play_card(scene: Scene, offers: Offers) -> Action | None:
    """Cards are played when they can be, most of them; the initiative only when it was lost."""
    state = scene.state
    step = state.stack[-1]
    window = getattr(step, "eligible", None) is not None
    for offer in offers[PlayCard]:
        for action in offer:
            assert isinstance(action, PlayCard)
            if action.card == "initiative" and state.initiative == scene.side:
                continue
            if action.card in _KEEP and not window:
                continue
            return action
    return Pass() if window else None


# ---- research and aid
def number(scene: Scene, offers: Offers) -> Action | None:
    """Numbers are bought out of plenty."""
    state, me = scene.state, scene.me
    pressed = any(scene.vital(s) and scene.threat(s) > 2 for s in scene.found.homes[me])
    return BuyNumber() if state.points[me] - savings(scene) >= 14 and not pressed and state.numbers[me] < 3 else Done()


def achieve(scene: Scene, offers: Offers) -> Action | None:
    names = [a.what for offer in offers[Achieve] for a in offer if isinstance(a, Achieve)]
    return Achieve(next((name for name in _RESEARCH if name in names), names[0]))


def lend(scene: Scene, offers: Offers) -> Action | None:
    """To the associate under the heaviest threat."""
    state, found = scene.state, scene.found
    names = [a.country for offer in offers[LendTo] for a in offer if isinstance(a, LendTo)]

    def need(name: str) -> float:
        nation = found.nation_of[name]
        danger = sum(scene.threat(s) for s in found.homes[nation] if state.control[s] == nation)
        return danger if state.standing[nation] == AT_WAR else -1.0

    return LendTo(max(names, key=need))
