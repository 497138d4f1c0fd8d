"""Counters, stacks and displays of the Table."""

from __future__ import annotations

from sandtable.core import Texts
from sandtable.core.table import Box, Colour, CounterFace, Pattern, SideFace

from ..model.atlas import ATLAS, NOBODY, SIDES, Unit
from ..model.state import (
    ATTACKED,
    AVAILABLE,
    ELIMINATED,
    GROUNDED,
    MOVED,
    OFF_MAP,
    REINFORCEMENT,
    SURRENDERED,
    TRACK,
    UNPLACED,
    UTILIZED,
    MunichState,
)
from ..rules.fog import keeper

_COLOURS: dict[str, tuple[Colour, Pattern]] = {
    "Germany": ("grey", "plain"), "Italy": ("olive", "stripes"), "Hungary": ("sage", "dots"),
    "Romania": ("mustard", "cross"), "Finland": ("stone", "lines"), "Great Britain": ("sand", "plain"),
    "France": ("blue", "stripes"), "Soviet Union": ("red", "plain"), "Poland": ("rose", "dots"),
    "Czechoslovakia": ("steel", "cross"), "Yugoslavia": ("stone", "cross"), "Belgium": ("stone", "stripes"),
    "Netherlands": ("stone", "dots"), "Denmark": ("stone", "backstripes"), "Estonia": ("neutral", "stripes"),
    "Latvia": ("neutral", "dots"), "Lithuania": ("neutral", "cross"),
}  # fmt: skip
_SYMBOLS = {
    "infantry": "SFGPUCI----", "second_line": "SFGPUCI----", "security": "SFGPUCS----", "marines": "SFGPUCIN---",
    "alpine": "SFGPUCIO---", "cavalry": "SFGPUCRH---", "armor": "SFGPUCA----", "mech_infantry": "SFGPUCIZ---",
    "armored_cavalry": "SFGPUCRVA--", "aaa": "SFGPUCDG---", "motorized_aaa": "SFGPUCDG---",
}  # fmt: skip
_ICONS = {
    "fortification": "fort", "airstrike": "fighter", "airlift": "bomber", "naval_bombardment": "battleship",
    "naval_transport": "transport", "special_forces": "partisan",
}  # fmt: skip
_BOXES = {"available": AVAILABLE, "utilized": UTILIZED, "reinforcement": REINFORCEMENT, "eliminated": ELIMINATED,
          "surrendered": SURRENDERED, "off-map": OFF_MAP, "unplaced": UNPLACED}  # fmt: skip


def country_key(country: int) -> str:
    """The side key of a country's counters."""
    return ATLAS.countries[country].name.lower().replace(" ", "-")


def sides(texts: Texts) -> dict[str, SideFace]:
    found = {"axis": SideFace(texts.name("@axis"), "grey"), "allies": SideFace(texts.name("@allies"), "tan", "stripes")}
    for country in ATLAS.countries:
        if country.units:
            colour, pattern = _COLOURS[country.name]
            found[country_key(country.index)] = SideFace(texts.name(f"@{country.name}"), colour, pattern)
    return found


def counter_names(texts: Texts) -> dict[str, str]:
    """What the log calls a counter: its country and what is printed on it."""
    return {face.id: f"{texts.name(f'@{ATLAS.countries[face.country].name}')} {face.name}" for face in ATLAS.units}


def code_meanings(texts: Texts) -> dict[str, str]:
    """Results of the tables as the log tells them: 'AD, attacker defeated: ...'."""
    found = {}
    for table in ("result", "terror", "interception"):
        for key, meaning in texts.sentences.items():
            code = key.removeprefix(f"{table}.")
            if code != key:
                found[code] = meaning if code in ("-", "Terror", "Defiance", "Flak") else f"{code}, {meaning}"
    return found


def numbers(face: Unit, steps: int) -> str:
    """Attack, defence and movement as printed on the side that shows."""
    if face.land:
        plus = "+" if face.pursuit[steps] else ""
        return f"{face.attack[steps]}{plus}-{face.defense[steps]}-{face.move}"
    if face.air:
        return f"{face.combat[steps]} ({face.range})"
    if face.sf:
        return f"{face.success[0]}–{face.success[-1]}"
    return str(face.bombardment) if face.bombardment else ""


def counter(state: MunichState, unit: int, hungry: set[int], texts: Texts) -> CounterFace:
    face = ATLAS.units[unit]
    steps = max(1, state.steps[unit])
    flags = state.flags[unit]
    marks = []
    if state.steps[unit] == 1 and face.steps == 2:
        marks.append("reduced")
    if flags & MOVED:
        marks.append("moved")
    if flags & ATTACKED:
        marks.append("exhausted")
    if flags & GROUNDED:
        marks.append("grounded")
    if unit in hungry:
        marks.append("out-of-supply")
    nation = texts.name(f"@{ATLAS.countries[face.country].name}")
    printed = numbers(face, steps)
    tooltip = f"{nation}: {texts.say(f'unit.{face.type}')} {face.name}" + (f", {printed}" if printed else "")
    return CounterFace(
        id=face.id,
        side=country_key(face.country),
        symbol=_SYMBOLS.get(face.type, ""),
        icon=_ICONS.get(face.type, ""),
        size=face.size,
        label=face.name,
        numbers=printed,
        state=marks,
        tooltip=tooltip,
    )


def stacks(state: MunichState, side: int, hungry: set[int], texts: Texts) -> dict[str, list[CounterFace]]:
    """Counters by hex and box; the top one last, what is not seen at the bottom."""
    found: dict[str, list[CounterFace]] = {}
    for at, number in state.hidden.items():
        top = next(unit for unit in ATLAS.land_units if state.where[unit] == at)
        whose = country_key(ATLAS.units[top].country)
        words = texts.say("table.hidden", number=number)
        name = ATLAS.hex_name[at]
        found[name] = [CounterFace(f"hidden-{name}", whose, state=("hidden",), tooltip=words, count=number)]
    order = sorted(ATLAS.units, key=lambda face: (face.air, face.mobile, state.order[face.index]))
    for face in order:
        place = box_of(state, face.index)
        if place:
            found.setdefault(place, []).append(counter(state, face.index, hungry, texts))
    return found


def box_of(state: MunichState, unit: int) -> str:
    """The hex or box a counter lies in; '' for one that is nowhere to be seen."""
    at = state.where[unit]
    if at >= 0:
        return ATLAS.hex_name[at]
    owner = keeper(state, ATLAS.units[unit].country)
    if owner == NOBODY:
        return ""
    if at < TRACK:
        return f"{SIDES[owner]}-turn-{TRACK - at}"
    name = next((name for name, code in _BOXES.items() if code == at), "")
    return f"{SIDES[owner]}-{name}" if name else ""


def boxes(state: MunichState, side: int, texts: Texts) -> list[Box]:
    """The displays of both players; what lies in the other's is not shown."""
    found = []
    last = ATLAS.plans[state.plan].turns if state.plan else 0
    for role in SIDES:
        for name in _BOXES:
            if name != "unplaced" or not state.turn:
                title = f"{texts.name('@' + role)}: {texts.say(f'box.{name}')}"
                found.append(Box(f"{role}-{name}", title, role, role))
        for turn in range(max(1, state.turn), last + 1):
            title = f"{texts.name('@' + role)}: {texts.say('box.arrives', name=f'@turn-{turn}')}"
            found.append(Box(f"{role}-turn-{turn}", title, f"{role}-track", role))
    return found
