"""State to Table: the map, the counters, the tracks, the record sheets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sandtable.core import Play, SealedDice, Texts, View
from sandtable.core.table import (
    Arrow,
    Box,
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

from ..facts.control import control_side, is_active
from ..facts.convoys import convoy_name, transports
from ..facts.strongpoints import flag_at
from ..model.atlas import ATLAS, FACTORY, MAJOR_FLAG, NEUTRAL, SIDES
from ..model.calendar import turn_name, turn_track
from ..model.state import (
    AMPHIBIOUS,
    BOX,
    CUT_OFF,
    DEAD,
    IN_CONVOY,
    MOVED,
    ORDER_PATROL,
    RAIDING,
    SPECIAL,
    SURPRISED,
    M,
    W2State,
)
from .battle import battles
from .desk import desk

A = ATLAS
K = ATLAS.kinds
PHASES = (
    ("declarations", ("declarations",)),
    ("movement", ("movement",)),
    ("combat", ("combat", "strategic-stage", "raid-fight", "sea-stage", "encounter", "battle", "land-stage",
                "after-battle", "assemble", "diverted", "rocket-strike", "depot-choice", "control-choice",
                "pick-front", "end-convoy")),
    ("blitz", ("blitz",)),
    ("redeployment", ("redeployment",)),
    ("convoys", ("convoys",)),
    ("build", ("building",)),
    ("buy", ("purchases",)),
    ("collect", ("income", "technology")),
    ("initiative", ("initiative", "stack-limits", "surrenders", "supply-check")),
)  # fmt: skip
SYMBOLS = {
    "infantry": "SFGPUCI----", "mech": "SFGPUCIZ---", "airborne": "SFGPUCIA---", "artillery": "SFGPUCF----",
    "tank": "SFGPUCA----", "airbase": "SFGPIBA---H", "fighter": "SFAPMFF----", "tac_bomber": "SFAPMFA----",
    "bomber": "SFAPMFB----", "submarine": "SFUPSN-----", "destroyer": "SFSPCLDD---", "cruiser": "SFSPCLCC---",
    "battleship": "SFSPCLBB---", "carrier": "SFSPCLCV---", "transport": "SFSPNA-----",
}  # fmt: skip
COLOURS: tuple[Colour, ...] = ("grey", "olive", "blue", "sand", "green", "red")
PATTERNS: tuple[Pattern, ...] = ("plain", "stripes", "dots", "plain", "stripes", "cross")


def side_faces(texts: Texts) -> dict[str, SideFace]:
    faces = {
        power: SideFace(texts.name(f"@{power}"), COLOURS[number], PATTERNS[number])
        for number, power in enumerate(A.powers)
    }
    faces["neutral"] = SideFace(texts.name("@neutral"), "neutral", "dots")
    faces["axis"] = SideFace(texts.name("@axis"), "grey")
    faces["allies"] = SideFace(texts.name("@allies"), "tan")
    return faces


def counter(state: W2State, unit: int, texts: Texts) -> CounterFace:
    kind, power, flags = state.kind[unit], state.power[unit], state.flags[unit]
    base = K.names[K.base[kind]]
    marks = []
    for bit, word in ((MOVED, "moved"), (CUT_OFF, "out-of-supply"), (SURPRISED, "surprised"), (SPECIAL, "special"),
                      (RAIDING, "raiding"), (AMPHIBIOUS, "landing")):  # fmt: skip
        if flags & bit:
            marks.append(word)
    if state.damage[unit]:
        marks.append("reduced")
    carrier = state.cargo_of[unit]
    if carrier >= 0:
        marks.append("carried")
    name = f"{K.names[kind]}#{unit}"
    return CounterFace(
        id=name,
        side=A.powers[power] if power < NEUTRAL else "neutral",
        symbol=SYMBOLS[base],
        label=texts.name(f"@{K.names[kind]}"),
        numbers=f"{K.combat[kind]}-{K.movement[kind]}",
        state=marks,
        tooltip=texts.say("table.counter", kind=f"@{K.names[kind]}", combat=K.combat[kind], move=K.movement[kind],
                          stack=K.stack[kind]),
        carried_by=f"{K.names[state.kind[carrier]]}#{carrier}" if carrier >= 0 else "",
    )  # fmt: skip


def space_face(state: W2State, space: int, texts: Texts) -> SpaceFace:
    owner = state.owner[space]
    marks = []
    if state.fortress[space]:
        marks.append(Mark("fort", tooltip=texts.say("table.fortress")))
    if state.depot[space]:
        marks.append(Mark("supply", tooltip=texts.say("table.depot")))
    if state.damaged[space]:
        marks.append(Mark("damage", str(state.damaged[space]), texts.say("table.damaged")))
    if flag_at(state, space):
        kind, key = ("flag", "table.flag") if A.flag[space] == MAJOR_FLAG else ("city", "table.minor-flag")
        marks.append(Mark(kind, tooltip=texts.say(key)))
    for number, ship in enumerate(state.leader_ship):
        if space == (state.space[ship] if ship >= 0 else state.leader_space[number]):
            marks.append(Mark("number", A.leader_names[number][:3], A.leader_names[number]))
    shade = "" if is_active(state, owner) else "neutral"
    return SpaceFace(
        side=A.powers[owner] if 0 <= owner < NEUTRAL else "neutral",
        marks=marks,
        value=str(A.value[space]) if A.value[space] else "",
        sign=("factory" if A.feature[space] == FACTORY else "oil") if A.feature[space] else "",
        shade=shade,
        tooltip=_what_it_is(space, texts),
    )


def _what_it_is(space: int, texts: Texts) -> str:
    """Return what a space is for: what makes its money, and whose Homeland it is."""
    feature, home = A.feature[space], A.homeland[space]
    told = [texts.say("table.factory" if feature == FACTORY else "table.resource")] if feature else []
    told += [texts.say("table.homeland", power=f"@{A.powers[home]}")] if home >= 0 else []
    return ", ".join(told)


def _stages(state: W2State, tag: str, texts: Texts) -> list[Stage]:
    now = next((n for n, (_, tags) in enumerate(PHASES) if tag in tags), 0)
    return [
        Stage(name, texts.name(f"@phase-{name}"), now=number == now, done=number < now)
        for number, (name, _) in enumerate(PHASES)
    ]


def _boxes(state: W2State, texts: Texts, stacks: dict[str, list[CounterFace]]) -> list[Box]:
    boxes = []
    for number, power in enumerate(A.powers):
        for box in range(max(K.build_time) + 1):
            units = [u for u, s in enumerate(state.space) if s == BOX - box and state.power[u] == number]
            if units:
                key = f"box {power} {box}"
                title = texts.say("table.box", power=f"@{power}", box=box)
                boxes.append(Box(key, title, group=f"build-{power}", side=power))
                stacks[key] = [counter(state, u, texts) for u in units]
    for convoy in state.convoys:
        key = convoy_name(convoy.number)
        units = [u for u, s in enumerate(state.space) if s == IN_CONVOY and state.convoy[u] == convoy.number]
        ends = A.names[convoy.route[0]], A.names[convoy.route[-1]]
        title = texts.say("table.convoy", number=convoy.number, start=f"@{ends[0]}", end=f"@{ends[1]}")
        boxes.append(Box(key, title, group="convoys", side=A.powers[convoy.power]))
        stacks[key] = [counter(state, u, texts) for u in units]
    return boxes


def _tracks(state: W2State, texts: Texts) -> list[Track]:
    turns = [texts.name(f"@{name}") for name in turn_track(state.scenario)]
    tracks = [Track("turn", texts.say("table.turns"), turns, [TrackMark(state.turn, texts.say("table.now"))])]
    cells = [str(n) for n in range(11)]
    marks = [
        TrackMark(state.rps[p], texts.name(f"@{name}"), name)
        for p, name in enumerate(A.powers) if is_active(state, p)
    ]  # fmt: skip
    tracks.append(Track("points", texts.say("table.points"), cells, marks))
    return tracks


def _panels(state: W2State, texts: Texts) -> Iterator[Panel]:
    fronts = [
        Row((texts.name(f"@{front}"), texts.name(f"@{SIDES[state.initiative[number]]}"),
             f"{state.wins[2 * number]}:{state.wins[2 * number + 1]}"))
        for number, front in enumerate(A.fronts)
    ]  # fmt: skip
    yield Panel(
        "fronts", texts.say("table.fronts"), columns=(texts.say("table.front"), texts.say("table.initiative"),
                                                     texts.say("table.wins")), rows=fronts,
    )  # fmt: skip
    rows = [
        Row((texts.name(f"@{name}"), texts.say(f"table.status-{state.status[p]}"), str(state.money[p]),
             f"{state.rps[p] - state.rps_used[p]}/{state.rps[p]}", str(state.depots[p]), str(state.income[p])))
        for p, name in enumerate(A.powers)
    ]  # fmt: skip
    heads = tuple(texts.say(f"table.{word}") for word in ("power", "status", "money", "points", "depots", "income"))
    yield Panel("powers", texts.say("table.powers"), columns=heads, rows=rows)
    yield Panel(
        "pacific", texts.say("table.pacific"), kind="text",
        body=texts.say("table.pacific-body", pot=state.pot, debt=state.debt),
    )  # fmt: skip
    if state.options.get("technology"):
        techs = [
            Row((texts.name(f"@{tech}"), *(str(state.tech[p][t]) for p in range(len(A.powers)))))
            for t, tech in enumerate(A.techs)
        ]
        columns = (texts.say("table.technology"), *(texts.name(f"@{name}") for name in A.powers))
        yield Panel("technology", texts.say("table.technology"), columns=columns, rows=techs)


def _arrows(state: W2State) -> list[Arrow]:
    arrows = [
        Arrow([A.names[s] for s in convoy.route], "convoy", A.powers[convoy.power],
              str(transports(state, convoy.number)))
        for convoy in state.convoys
    ]  # fmt: skip
    for task in state.tasks:
        kind = "patrol" if task.order == ORDER_PATROL else "move"
        arrows.append(Arrow([A.names[s] for s in task.path], kind, SIDES[task.side]))
    return arrows


def _overlays(state: W2State, texts: Texts) -> list[Overlay]:
    fronts = {A.names[s]: A.fronts[A.front_of[s][0]] for s in range(len(A.names))}
    legend = {name: texts.name(f"@{name}") for name in A.fronts}
    control = {}
    for space in A.land:
        side = control_side(state, space)
        control[A.names[space]] = SIDES[side] if side >= 0 else "neutral"
    sides = {name: texts.name(f"@{name}") for name in (*SIDES, "neutral")}
    cut = {
        A.names[state.space[u]]: "cut-off" for u, flags in enumerate(state.flags)
        if flags & CUT_OFF and state.space[u] >= 0
    }  # fmt: skip
    return [
        Overlay("fronts", texts.say("table.fronts"), fronts, legend),
        Overlay("control", texts.say("table.control"), control, sides),
        Overlay("supply", texts.say("table.supply"), cut, {"cut-off": texts.say("table.cut-off")}),
    ]


def make_table(game: Any, view: View[W2State], texts: Texts) -> Table:
    """Return all that a role sees: nothing is hidden in this game."""
    state = view.state
    m: M = Play(game, state, SealedDice(""))
    stacks: dict[str, list[CounterFace]] = {}
    for unit, space in enumerate(state.space):
        if space >= 0 and space != DEAD:
            stacks.setdefault(A.names[space], []).append(counter(state, unit, texts))
    boxes = _boxes(state, texts, stacks)
    tag = str(state.stack[-1].__struct_config__.tag) if state.stack else "turn"  # type: ignore[attr-defined]
    asked = [f"@{role}" for role in view.asked]
    outcome = ""
    prompt = texts.say(f"prompt.{tag}", who=asked)
    if state.outcome is not None:
        outcome = texts.say(f"outcome.{state.outcome.level}", winners=[f"@{w}" for w in state.outcome.winners])
        prompt = outcome
    return Table(
        game=view.game, scenario=state.scenario, role=view.role, number=view.number, prompt=prompt,
        asked=view.asked, turn=texts.name(f"@{turn_name(state)}"), sequence=_stages(state, tag, texts),
        sides=side_faces(texts), spaces={A.names[s]: space_face(state, s, texts) for s in range(len(A.names))},
        stacks=stacks, boxes=boxes, tracks=_tracks(state, texts), panels=list(_panels(state, texts)),
        arrows=_arrows(state), overlays=_overlays(state, texts), rules=texts.say(f"rules.{tag}"), outcome=outcome,
        battles=battles(m, texts), desk=desk(m, view.role, SYMBOLS, texts),
        ends=texts.say(f"ends.{tag}") if f"ends.{tag}" in texts else "",
    )  # fmt: skip
