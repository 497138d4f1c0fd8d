"""State -> Table: what a role sees, and where it lies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sandtable.core import Texts, View
from sandtable.core.table import (
    Box,
    CardFace,
    Colour,
    CounterFace,
    Mark,
    Overlay,
    Panel,
    Pattern,
    Row,
    SideFace,
    SpaceFace,
    Stage,
    Table,
    Track,
    TrackMark,
)

from ..facts.supply import supplied_spaces
from ..model.atlas import AIR, ARM, ATLAS, CONVOY, HQ, INF, MAJORS, NAVAL_HQ, SIDES, SUB, TF
from ..model.state import AT_WAR, BUILDING, CONQUERED, DOUBLE, MOVED, OUT, BKState, strength
from ..rules.fog import covered
from ..rules.naval import ready_ships
from ..rules.strength import effective
from ..rules.victory import points_of, points_to_win
from .battle import battles
from .desk import desk

_SYMBOLS = {
    INF: "SFGPUCI----",
    ARM: "SFGPUCA----",
    HQ: "SFGPUH-----",
    NAVAL_HQ: "SFGPUH-----",
}
_ICONS = {AIR: "fighter", TF: "carrier", CONVOY: "convoy", SUB: "submarine"}
_LOOKS: dict[str, tuple[Colour, Pattern]] = {
    "germany": ("grey", "plain"), "italy": ("olive", "stripes"), "japan": ("yellow", "dots"), "be": ("sand", "plain"),
    "usa": ("green", "stripes"), "ussr": ("red", "cross"), "france": ("blue", "dots"), "china": ("violet", "dots"),
}  # fmt: skip
_STAGES_BASIC = ("time-table", "reinforcements", "axis-segment", "allies-segment", "conquest", "income", "production")
_STAGES_ADVANCED = (
    "time-table", "reinforcements", "initiative", "weather", "limits", "first-segment", "second-segment", "conquest",
    "us-entry", "income", "cards", "research", "production",
)  # fmt: skip


def side_key(state: BKState, nation: int) -> str:
    """The colour of a nation: its own for a major, its master's for a minor, neutral otherwise."""
    if nation < 0:
        return "neutral"
    if nation < 8:
        return MAJORS[nation]
    master = state.master[nation]
    return (
        MAJORS[master]
        if master >= 0 and state.standing[nation] == AT_WAR
        else ("neutral" if ATLAS.nation_ids[nation] != "vichy_france" else "vichy")
    )


def counter(state: BKState, unit: int, texts: Texts, hidden: bool) -> CounterFace:
    kind = ATLAS.type[unit]
    if hidden:
        return CounterFace(id=ATLAS.unit_ids[unit], side=side_key(state, state.nation[unit]), icon="marker",
                           state=("hidden",))  # fmt: skip
    marks = [
        word
        for word, holds in (
            ("reduced", state.flipped[unit]),
            ("moved", state.flags[unit] & MOVED),
            ("out-of-supply", state.flags[unit] & OUT),
            ("double-range", state.flags[unit] & DOUBLE),
            ("on-mission", state.mission[unit] >= 0),
            ("carried", state.carrier[unit] >= 0),
        )
        if holds
    ]
    rating = ATLAS.rating.get(unit)
    return CounterFace(
        id=ATLAS.unit_ids[unit],
        side=side_key(state, state.nation[unit]),
        symbol=_SYMBOLS.get(kind, ""),
        icon=_ICONS.get(kind, ""),
        size="XXXXX" if kind in (HQ, NAVAL_HQ) else "XXXX" if kind in (INF, ARM) else "",
        label=texts.name(f"@{ATLAS.kind_of_unit[unit].id}"),
        numbers=f"({rating})" if rating else str(strength(state, unit)),
        state=tuple(marks),
        carried_by=ATLAS.unit_ids[state.carrier[unit]] if state.carrier[unit] >= 0 else "",
    )


def quarter_name(turn: int, texts: Texts) -> str:
    return texts.say("turn", quarter=ATLAS.turns[turn][0], year=str(ATLAS.year[turn]))


def lay_out(view: View[BKState], texts: Texts) -> Table:
    state = view.state
    side = state.side[MAJORS.index(view.role)] if view.role else -1
    fog = bool(state.options.get("fog-of-war"))
    stacks: dict[str, list[CounterFace]] = {}
    for space, units in enumerate(state.here):
        if units:
            under = set(covered(state, units, side)) if fog else set()
            loads = [c for u in units for c in state.cargo.get(u, ())]
            stacks[ATLAS.space_ids[space]] = [counter(state, u, texts, u in under) for u in (*loads, *units)]
    boxes = _production_boxes(state, texts, stacks)
    return Table(
        game=view.game,
        scenario=state.scenario,
        role=view.role,
        number=view.number,
        prompt=prompt(view, texts),
        asked=view.asked,
        turn=quarter_name(state.turn, texts),
        sequence=_sequence(state, texts),
        sides=_sides(texts),
        spaces={ATLAS.space_ids[s]: _space(state, s, texts) for s in range(ATLAS.count)},
        stacks=stacks,
        boxes=boxes,
        tracks=_tracks(state, texts),
        panels=_panels(state, view.role, texts),
        overlays=_overlays(state, texts),
        rules=texts.say(f"rules.{_step_name(state)}"),
        outcome="" if state.outcome is None else texts.say(f"outcome.{state.outcome.level}"),
        battles=battles(state, texts),
        desk=desk(state, view.role, lambda s, unit, words: counter(s, unit, words, False), texts),
        ends=texts.say(ends) if (ends := f"ends.{_step_name(state)}") in texts else "",
    )


def _step_name(state: BKState) -> str:
    if not state.stack:
        return "over"
    step: Any = state.stack[-1]
    tag = str(step.__struct_config__.tag).removeprefix("bg.")
    return f"phase-{step.name}" if tag == "phase" else f"window-{step.name}" if tag == "window" else tag


def prompt(view: View[BKState], texts: Texts) -> str:
    who = [f"@{role}" for role in view.asked]
    name = _step_name(view.state)
    if name == "phase-naval" and view.role in view.asked and not ready_ships(view.state, MAJORS.index(view.role)):
        who, name = [f"@{view.role}"], "phase-naval-none"
    return texts.say(f"prompt.{name}", who=who, turn=ATLAS.turns[view.state.turn])


def _sequence(state: BKState, texts: Texts) -> list[Stage]:
    names = _STAGES_ADVANCED if state.advanced else _STAGES_BASIC
    now = next((step.stage - 1 for step in state.stack if type(step).__name__ == "Turn"), 0)  # type: ignore[attr-defined]
    return [Stage(id=n, title=texts.say(f"step.{n}"), now=i == now, done=i < now) for i, n in enumerate(names)]


def _sides(texts: Texts) -> dict[str, SideFace]:
    faces = {role: SideFace(texts.name(f"@{role}"), *_LOOKS[role]) for role in MAJORS}
    faces["neutral"] = SideFace(texts.name("@neutral"), "neutral")
    faces["vichy"] = SideFace(texts.name("@vichy_france"), "teal", "stripes")
    return faces


def _space(state: BKState, space: int, texts: Texts) -> SpaceFace:
    marks: list[Mark] = []
    if ATLAS.is_sea[space]:
        if space in state.sea_battles:
            marks.append(Mark("battle"))
        return SpaceFace(marks=marks)
    owner = state.control[space]
    if ATLAS.terrain[space] == "fortress" and state.fortress:
        marks.append(Mark("fort", tooltip=texts.name("@fortress")))
    if state.bombed.get(space):
        marks.append(Mark("damage", str(state.bombed[space])))
    if space in state.invasions or (state.battle is not None and state.battle.space == space):
        marks.append(Mark("battle"))
    if owner != ATLAS.owner[space]:
        marks.append(Mark("flag", tooltip=texts.name(f"@{ATLAS.nation_ids[owner]}")))
    value = f"{ATLAS.left[space]}/{ATLAS.right[space]}" if ATLAS.has_production[space] else ""
    neutral = state.standing[owner] != AT_WAR
    return SpaceFace(
        side=side_key(state, owner),
        marks=marks,
        value=value,
        sign="factory" if value else "",
        shade="neutral" if neutral else "",
        tooltip=texts.name(f"@{ATLAS.nation_ids[owner]}"),
    )


def _production_boxes(state: BKState, texts: Texts, stacks: dict[str, list[CounterFace]]) -> list[Box]:
    boxes = []
    for later in range(1, 5):
        turn = state.turn + later
        if turn >= len(ATLAS.turns):
            break
        ident = f"chart-{later}"
        title = texts.say("turn", quarter=ATLAS.turns[turn][0], year=str(ATLAS.year[turn]))
        boxes.append(Box(ident, title, "production"))
        units = [u for u in range(ATLAS.units) if state.place[u] == BUILDING and state.due[u] == turn]
        if units:
            stacks[ident] = [counter(state, u, texts, False) for u in units]
    return boxes


def _tracks(state: BKState, texts: Texts) -> list[Track]:
    majors = [n for n in range(8) if state.standing[n] != CONQUERED]

    def marks(values: Sequence[int]) -> list[TrackMark]:
        return [TrackMark(values[n], texts.name(f"@{MAJORS[n]}"), MAJORS[n]) for n in majors]

    top = ATLAS.data.tracks["production_potential_max"]
    tracks = [
        Track("turn", texts.say("track.turn"), ATLAS.turns, [TrackMark(state.turn, "")]),
        # above the end of the track a second flag counts the excess
        Track("production", texts.say("track.production"), [str(n) for n in range(top + 1)],
              [TrackMark(min(m.at, top), m.label, m.side, str(m.at)) for m in marks(state.production)]),
        Track("saved", texts.say("track.saved"), [str(n) for n in range(10)],
              [TrackMark(min(m.at, 9), m.label, m.side, str(m.at)) for m in marks(state.saved)]),
    ]  # fmt: skip
    if state.advanced:
        most = ATLAS.research["max_number"]
        tracks.append(
            Track("research", texts.say("track.research"), [str(n) for n in range(most + 1)], marks(state.numbers))
        )
        tracks.append(
            Track("limit", texts.say("track.limit"), [str(n) for n in range(7)], [TrackMark(state.limit, "")])
        )
    return tracks


def _panels(state: BKState, role: str | None, texts: Texts) -> list[Panel]:
    rows = []
    for n, name in enumerate(MAJORS):
        status = texts.name(("@standing-neutral", "@standing-war", "@standing-conquered")[state.standing[n]])
        advances = [f"@{a}" for i, a in enumerate(ATLAS.achievements) if state.advances[n] >> i & 1]
        rows.append(
            Row(
                (
                    texts.name(f"@{name}"),
                    status,
                    str(state.production[n]),
                    str(state.points[n]),
                    str(state.saved[n]),
                    str(state.rail[n]),
                    texts.name(advances),
                    str(len(state.hands[n])),
                )
            )
        )
    heads = [
        texts.say(f"column.{c}") for c in ("country", "status", "flag", "points", "saved", "rail", "research", "hand")
    ]
    panels = [Panel("countries", texts.say("panel.countries"), columns=heads, rows=rows)]
    panels.append(
        Panel(
            "victory",
            texts.say("panel.victory"),
            rows=[
                Row((texts.name(f"@{SIDES[s]}"), str(points_of(state, s)), str(points_to_win(state, s))))
                for s in (0, 1)
            ],
        )
    )
    if state.advanced:
        for n, name in enumerate(MAJORS):
            if name == role and state.hands[n]:
                panels.append(
                    Panel("hand", texts.say("panel.hand"), "cards", cards=[_card(c, texts) for c in state.hands[n]])
                )
        panels.append(
            Panel("in-effect", texts.say("panel.in-effect"), "cards", cards=[_card(c, texts) for c in state.table])
        )
    if state.battle is not None:
        panels.append(_battle_panel(state, texts))
    return panels


def _card(card: int, texts: Texts) -> CardFace:
    ident = ATLAS.card_ids[card]
    return CardFace(ident, texts.name(f"@{ident}"), texts.say(f"card.{ident}"), cost=str(ATLAS.card_cost[card]))


def _battle_panel(state: BKState, texts: Texts) -> Panel:
    battle = state.battle
    assert battle is not None
    rows = []
    for side, units in ((0, battle.attackers), (1, battle.defenders)):
        for unit in units:
            aim = battle.aim.get(unit, 0)
            rows.append(
                Row(
                    (
                        texts.name("@attacker" if side == 0 else "@defender"),
                        texts.name(f"@{ATLAS.kind_of_unit[unit].id}"),
                        str(max(0, effective(state, battle, unit, aim))),
                        texts.name(f"@aim-{aim}"),
                    ),
                    refs=(ATLAS.unit_ids[unit],),
                )
            )
    heads = [texts.say(f"column.{c}") for c in ("side", "unit", "strength", "segment")]
    return Panel("battle", texts.say("panel.battle"), columns=heads, rows=rows)


def _overlays(state: BKState, texts: Texts) -> list[Overlay]:
    """Which areas have supply, side by side."""
    if not state.advanced:
        return []
    out = []
    for side, boss in ATLAS.boss.items():
        if state.standing[boss] != AT_WAR:
            continue
        reached = supplied_spaces(state, boss)
        out.append(
            Overlay(
                f"supply-{SIDES[side]}",
                texts.say("overlay.supply", side=f"@{SIDES[side]}"),
                spaces={ATLAS.space_ids[s]: "supplied" for s in range(ATLAS.count) if reached >> s & 1},
                legend={"supplied": texts.say("overlay.supplied")},
            )
        )
    return out
