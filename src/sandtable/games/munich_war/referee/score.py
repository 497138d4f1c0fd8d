"""What the turn brings, recomputed: events (6), surrender (21), the score (22)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sandtable.core import Difference

from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY, SIDES
from ..model.events import EventHappened, Scored, SurrenderChecked
from ..model.state import ELIMINATED, SURRENDERED, unpack
from .asking import differ
from .deed import Deed
from .position import GERMANY, SOVIETS, UNITS, Position

_EVENTS = {1: "weather", 2: "intervention", 3: "intervention", 4: "crisis", 5: "putsch", 6: "blitzkrieg"}
_NAMED_CITIES = {
    "Berlin": 15, "Paris": 10, "Leningrad": 10, "Prague": 5, "Warsaw": 5, "Budapest": 5, "Bucharest": 5,
}  # fmt: skip


def check_events(deed: Deed) -> Iterator[Difference]:
    """6.0: what the die brings."""
    for event in deed.of(EventHappened):
        happened = _EVENTS[deed.die_for("mw-6.0")]
        yield from differ("the event", "mw-6.0", event.event, f"@event-{happened}")
        german = [u.index for u in UNITS if u.land and u.country == GERMANY and deed.after.where[u.index] >= 0]
        side = deed.after.side[GERMANY]
        taken = 0
        for at in {deed.after.where[number] for number in german}:
            home = ATLAS.country_of[at]
            face = ATLAS.countries[home]
            if deed.after.side[home] == 1 - side and face.units and at in {face.capital, *face.mobilization}:
                taken += 1
        stopped = (int(happened == "putsch" and taken < 1), int(happened == "blitzkrieg" and taken >= 3))
        yield from differ(
            "who gets no points", f"mw-event-{'5' if happened == 'putsch' else '6'}", deed.after.no_rp, stopped
        )
        storm = deed.before.storm or (happened == "weather" and ATLAS.turn_names[deed.after.turn - 1].startswith("Nov"))
        yield from differ("whether storms blow", "mw-20.0-b", deed.after.storm, storm)
        came = deed.before.intervened or happened == "intervention"
        yield from differ("whether neutrals have intervened", "mw-5.3-a", deed.after.intervened, came)


def check_surrender(deed: Deed) -> Iterator[Difference]:
    """21.0: who must roll, and what the die says."""
    side = deed.begins("surrender")
    if side == NOBODY:
        return
    rolled = {event.country[1:]: event for event in deed.of(SurrenderChecked)}
    for name, event in rolled.items():
        country = ATLAS.countries[ATLAS.country_number[name]]
        falls = deed.die_before(event) in country.surrenders
        yield from differ(f"whether {name} surrenders", "mw-21.0-c", event.surrenders, falls)
    if any(event.surrenders for event in rolled.values()):
        return  # its units are gone, and with them their zones
    due = set()
    for country in ATLAS.countries:
        cities = {country.capital, *country.mobilization} - {NOBODY}
        if deed.after.side[country.index] != side or deed.after.fallen[country.index] or not country.surrenders:
            continue
        if cities and all(deed.new.controls(1 - side, at) for at in cities):
            due.add(country.name)
    yield from differ("who checks for surrender", "mw-21.0-a", sorted(rolled), sorted(due))


def check_score(deed: Deed) -> Iterator[Difference]:
    """22.0: the points of both sides."""
    for event in deed.of(Scored):
        mine = [victory_points(deed.new, side) for side in (AXIS, ALLIES)]
        yield from differ("the victory points", "mw-22.0-c", [event.axis, event.allies], mine)
        gap = mine[0] - mine[1]
        winner = SIDES[AXIS] if gap + int(deed.after.options.get("handicap", 0)) >= 11 else SIDES[ALLIES]
        assert deed.after.outcome is not None
        yield from differ("who wins", "mw-22.1-major-axis", list(deed.after.outcome.winners), [winner])


def victory_points(position: Position, side: int) -> int:
    state = position.state
    last = unpack(state.last[side])
    points = 0
    for country in ATLAS.countries:
        if state.side[country.index] != 1 - side:
            continue
        for at in range(ATLAS.hex_count):
            if ATLAS.country_of[at] != country.index or not last >> at & 1:
                continue
            city = ATLAS.face(at)["city"]
            if city and country.units:
                points += city_points(position, side, at, str(city["name"]), country.capital, country.mobilization)
    if state.side[SOVIETS] == side and any(
        position.stands(SOVIETS, at) for at in range(ATLAS.hex_count) if ATLAS.mannerheim >> at & 1
    ):
        points += 2
    for unit in UNITS:
        if state.where[unit.index] in (ELIMINATED, SURRENDERED) and state.side[unit.country] == 1 - side:
            points += 2 if unit.air else int(unit.mechanized and unit.size in ("XXX", "XXXX"))
    return points


def city_points(position: Position, side: int, at: int, name: str, capital: int, centers: Sequence[int]) -> int:
    if name in _NAMED_CITIES and (at == capital or at in centers):
        return _NAMED_CITIES[name]
    if at == capital:
        return 3
    if side == AXIS and ATLAS.reich_objectives >> at & 1:
        return 2 if position.stands(GERMANY, at) else 0
    return int(at in centers)
