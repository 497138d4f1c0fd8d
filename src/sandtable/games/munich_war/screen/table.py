"""The Table: what one role sees. Counters and boxes are in counters.py, record sheets in panels.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.core import Play, SealedDice, Texts, View
from sandtable.core.bits import bits
from sandtable.core.table import Arrow, Mark, Overlay, SpaceFace, Stage, Table, Track, TrackMark

from ..facts.board import board
from ..facts.control import controlled, disputed, terror
from ..facts.politics import open_hexes
from ..facts.supply import is_supplied
from ..model.atlas import ALLIES, ATLAS, AXIS, NOBODY, PHASES, SIDES
from ..model.state import M, MunichState
from ..rules.fog import side_named
from ..rules.setup_phase import Deploy
from .battle import battles
from .counters import boxes, sides, stacks
from .desk import desk
from .panels import panels

_TERRAINS = sorted({ATLAS.face(at)["terrain"] for at in bits(ATLAS.land)})


def lay_table(game: Any, view: View[MunichState], texts: Texts, phase: tuple[int, int] | None) -> Table:
    """All that one role sees of a match. `phase`: whose player turn it is, and the place of its phase."""
    state, side = view.state, side_named(view.role)
    m: M = Play(game, state, SealedDice(""))
    hungry = out_of_supply(m, side)
    return Table(
        game=game.id,
        scenario=state.scenario,
        role=view.role,
        number=view.number,
        prompt=prompt(state, view, texts),
        asked=view.asked,
        turn=turn_name(state, texts),
        sequence=stages(state, phase, texts),
        sides=sides(texts),
        spaces=spaces(state, texts),
        stacks=stacks(state, side, hungry, texts),
        boxes=boxes(state, side, texts),
        tracks=[turn_track(state, texts)],
        panels=panels(m, side, texts),
        arrows=arrows(state),
        overlays=overlays(state, hungry, side, texts),
        rules=_say(texts, "rules", step_tag(state)),
        outcome=outcome(state, texts),
        battles=battles(m, texts),
        desk=desk(m, view.role, texts),
        ends=_say(texts, "ends", step_tag(state)),
    )


def step_tag(state: MunichState) -> str:
    top: Any = state.stack[-1]
    return str(top.__struct_config__.tag)


def _say(texts: Texts, kind: str, tag: str, **facts: Any) -> str:
    key = f"{kind}.{tag}"
    return texts.say(key, **facts) if key in texts else ""


def prompt(state: MunichState, view: View[MunichState], texts: Texts) -> str:
    """One sentence: who is asked what."""
    if state.outcome is not None:
        return texts.say("prompt.over")
    facts: dict[str, Any] = {}
    top = state.stack[-1]
    if isinstance(top, Deploy):
        facts["country"] = f"@{ATLAS.countries[top.country].name}"
    if state.battle is not None:
        facts["hex"] = ATLAS.hex_name[state.battle.target]
    words = texts.say(f"prompt.{step_tag(state)}", **facts)
    if view.role in view.asked:
        return words
    return texts.say("prompt.waiting", side=[f"@{role}" for role in view.asked], what=words)


def turn_name(state: MunichState, texts: Texts) -> str:
    if not state.turn or not state.plan:
        return texts.say("turn.setup")
    last = ATLAS.plans[state.plan].turns
    return texts.say("turn.of", name=f"@turn-{state.turn}", turn=state.turn, last=last)


def outcome(state: MunichState, texts: Texts) -> str:
    return "" if state.outcome is None else texts.say(f"outcome.{state.outcome.level}")


def stages(state: MunichState, phase: tuple[int, int] | None, texts: Texts) -> list[Stage]:
    """The sequence-of-play bar: set-up, events, and six phases for each player."""
    order = ["setup", "events", *(f"{role}-{name}" for role in SIDES for name in PHASES)]
    now = min(state.turn, 1) if phase is None else 2 + phase[0] * len(PHASES) + phase[1]
    found = []
    for place, name in enumerate(order):
        role, _, part = name.partition("-")
        title = texts.say(f"step.{name}") if not part else f"{texts.name('@' + role)}: {texts.say('step.' + part)}"
        found.append(Stage(name, title, now=place == now, done=place < now))
    return found


def spaces(state: MunichState, texts: Texts) -> dict[str, SpaceFace]:
    """Control, dispute, neutrality and terror of every land hex."""
    control = controlled(state)[AXIS], controlled(state)[ALLIES]
    claimed, afraid, at_war = disputed(state), terror(state), open_hexes(state)
    printed = hex_tooltips(texts)
    found = {}
    for at in bits(ATLAS.land):
        bit = 1 << at
        marks = []
        if afraid & bit:
            marks.append(Mark("terror", tooltip=texts.say("table.terror")))
        if ATLAS.reich_objectives & bit:
            marks.append(Mark("flag", tooltip=texts.say("table.reich-objective")))
        side = SIDES[AXIS] if control[AXIS] & bit else SIDES[ALLIES] if control[ALLIES] & bit else ""
        shade = "disputed" if claimed & bit else "" if at_war & bit else "neutral"
        found[ATLAS.hex_name[at]] = SpaceFace(side, marks, shade=shade, tooltip=printed[at])
    return found


def hex_tooltips(texts: Texts) -> Mapping[int, str]:
    """What is printed in the land hexes, in words."""
    countries = [texts.name(f"@{country.name}") for country in ATLAS.countries]
    kinds = ("capital", "mobilization", "port", "city", "entrenchment", "fort-symbol", *_TERRAINS)
    word = {kind: texts.say(f"terrain.{kind}") for kind in kinds}
    found = {}
    for at in bits(ATLAS.land):
        face = ATLAS.face(at)
        words = [ATLAS.hex_name[at], countries[ATLAS.country_of[at]], word[face["terrain"]]]
        if city := face["city"]:
            uses = [kind for kind in ("capital", "mobilization", "port") if city[kind]] or ["city"]
            words.append(f"{city['name']} ({', '.join(word[kind] for kind in uses)})")
        words += [word["entrenchment"]] * bool(face["entrenchment"]) + [word["fort-symbol"]] * bool(face["fort_symbol"])
        found[at] = ", ".join(words)
    return found


def turn_track(state: MunichState, texts: Texts) -> Track:
    last = ATLAS.plans[state.plan].turns if state.plan else len(ATLAS.turn_names)
    cells = [texts.name(f"@turn-{turn}") for turn in range(1, last + 1)]
    marks = []
    if state.turn:
        word = texts.say("table.storm" if state.storm else "table.fair")
        marks = [TrackMark(state.turn - 1, word, SIDES[state.phasing] if state.phasing != NOBODY else "")]
    return Track("turns", texts.say("table.turns"), cells, marks)


def arrows(state: MunichState) -> list[Arrow]:
    """The attack being fought and Marines before a coast."""
    found = []
    battle = state.battle
    if battle is not None:
        target = ATLAS.hex_name[battle.target]
        side = SIDES[state.phasing] if state.phasing != NOBODY else ""
        found = [Arrow((ATLAS.hex_name[at], target), "attack", side) for at in battle.hexes if at != battle.target]
    for unit, target_hex in state.assaults.items():
        if state.where[unit] >= 0:
            way = (ATLAS.hex_name[state.where[unit]], ATLAS.hex_name[target_hex])
            found.append(Arrow(way, "assault", SIDES[state.side[ATLAS.units[unit].country]]))
    return found


def out_of_supply(m: M, side: int) -> set[int]:
    """The viewer's own units that cannot trace a line of supply."""
    if side == NOBODY or not m.state.turn:
        return set()
    state = m.state
    return {
        unit
        for unit in ATLAS.mobile_units
        if state.where[unit] >= 0 and state.side[ATLAS.units[unit].country] == side
        and unit not in state.assaults and not is_supplied(m.state, unit)
    }  # fmt: skip


def overlays(state: MunichState, hungry: set[int], side: int, texts: Texts) -> Sequence[Overlay]:
    """Zones of control, control, and the viewer's units out of supply."""

    def marked(layers: Mapping[str, int]) -> dict[str, str]:
        return {ATLAS.hex_name[at]: name for name, mask in layers.items() for at in bits(mask & ATLAS.land)}

    known = board(state)
    both = known.zoc[AXIS] & known.zoc[ALLIES]
    zones = {"axis": known.zoc[AXIS] & ~both, "allies": known.zoc[ALLIES] & ~both, "both": both}
    held = {"axis": controlled(state)[AXIS], "allies": controlled(state)[ALLIES], "disputed": disputed(state)}
    legend = {name: texts.say(f"legend.{name}") for name in ("axis", "allies", "both", "disputed")}
    found = [
        Overlay("zoc", texts.say("overlay.zoc"), marked(zones), {name: legend[name] for name in zones}),
        Overlay("control", texts.say("overlay.control"), marked(held), {name: legend[name] for name in held}),
    ]
    if side != NOBODY:
        starving = {ATLAS.hex_name[state.where[unit]]: "unsupplied" for unit in hungry}
        word = {"unsupplied": texts.say("legend.unsupplied")}
        found.append(Overlay("supply", texts.say("overlay.supply"), starving, word))
    return found
