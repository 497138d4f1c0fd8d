"""The Table: what is shown of a match. Record sheets and tracks are in `panels`."""

from __future__ import annotations

from sandtable.core import Texts, View
from sandtable.core.table import Arrow, CounterFace, Mark, Overlay, SideFace, SpaceFace, Stage, Table

from ..model.atlas import AMPH, ATLAS, CLOSED, INF, KINDS, MECH, NOBODY, SIDES, WATER
from ..model.state import INVASION, War, army_name, points, side_of, space_name, total
from ..rules.control import capacity, healthy
from ..rules.supply import unsupplied
from . import battle, desk, panels

_SYMBOLS = {"infantry": "SFGPUCI----", "mechanized": "SFGPUCA----", "amphibious": "SFGPUCIN---"}
_PHASE_OF_STEP = {
    "vichy-choice": "set-up", "free-set-up": "set-up",
    "bombing": "strategic", "strikes": "strategic", "missile-launch": "strategic", "atomic-strikes": "strategic",
    "movement": "movement", "overstacked": "movement", "convoys": "movement", "convoy-losses": "movement",
    "reinforcements": "movement",
    "announce": "announce", "call-up": "announce",
    "naval-fires": "invasions", "support-fires": "invasions", "coastal-fires": "invasions",
    "defensive-assaults": "assaults", "assaults": "assaults", "losses": "assaults",
    "advances": "advances", "retreats": "advances", "home-retreat": "advances",
    "exploitation": "exploitation", "must-advance": "exploitation",
    "italian-losses": "exploitation", "soviet-offer": "exploitation",
    "production": "production", "escort-trade": "production", "leader-draw": "production",
    "research": "research",
}  # fmt: skip
_STAGES = ("movement", "announce", "invasions", "assaults", "advances", "exploitation", "production")
_RULES_OF_STAGE = dict.fromkeys(("announce", "invasions", "assaults", "advances", "exploitation"), "combat")


def lay_out(view: View[War], texts: Texts) -> Table:
    """All that a role sees. Nothing in this game is hidden, so every role sees the same."""
    s = view.state
    tag = str(s.stack[-1].__struct_config__.tag) if s.stack else "over"  # type: ignore[attr-defined]
    stage = phase(s, tag)
    return Table(
        game=view.game,
        scenario=s.scenario,
        role=view.role,
        number=view.number,
        prompt=prompt(view, texts, tag),
        asked=view.asked,
        turn=texts.say(f"turn.{ATLAS.turns[s.turn]}"),
        sequence=stages(s, texts, stage),
        sides=sides(texts),
        spaces={space_name(x): space_face(s, x, texts) for x in ATLAS.land},
        stacks=stacks(s, texts),
        boxes=panels.boxes(s, texts),
        tracks=panels.tracks(s, texts),
        panels=panels.panels(s, texts),
        arrows=arrows(s, texts),
        overlays=[supply_overlay(s, texts)],
        rules=texts.say(f"rules.{_RULES_OF_STAGE.get(stage, stage)}"),
        outcome=outcome(s, texts),
        battles=battle.battles(s, tag, texts),
        desk=desk.desk(s, tag, view.role, _SYMBOLS, texts),
        ends=texts.say(f"ends.{tag}") if f"ends.{tag}" in texts else "",
    )


def phase(s: War, tag: str) -> str:
    """The stage of the sequence bar that a step belongs to; losses belong to what caused them."""
    for step in reversed(s.stack):
        name = str(step.__struct_config__.tag)  # type: ignore[attr-defined]
        if name in ("losses", "retreats", "home-retreat") and len(s.stack) > 1:
            continue
        if name in _PHASE_OF_STEP:
            return _PHASE_OF_STEP[name]
    return _PHASE_OF_STEP.get(tag, "movement")


def prompt(view: View[War], texts: Texts, tag: str) -> str:
    """One sentence: who is asked what."""
    if view.state.outcome is not None or not view.asked:
        return texts.say("prompt.over")
    side = texts.name([f"@{role}" for role in view.asked])
    if view.role is not None and view.role not in view.asked:
        return texts.say("prompt.waiting", side=side)
    return texts.say(f"prompt.{tag}", side=side)


def outcome(s: War, texts: Texts) -> str:
    if s.outcome is None:
        return ""
    level = texts.say(f"outcome.{s.outcome.level}")
    return f"{texts.name([f'@{r}' for r in s.outcome.winners])}: {level}" if s.outcome.winners else level


def stages(s: War, texts: Texts, now: str) -> list[Stage]:
    """The sequence bar.  [hw-seq-1] [hw-c2-seq]"""
    names = ("strategic", *_STAGES, "research") if s.setting.technology else _STAGES
    if now == "set-up":
        names = ("set-up", *names)
    place = names.index(now) if now in names else -1
    return [
        Stage(name, texts.say(f"step.{name}"), now=number == place, done=number < place)
        for number, name in enumerate(names)
    ]


def sides(texts: Texts) -> dict[str, SideFace]:
    return {
        "axis": SideFace(texts.name("@axis"), "grey", "cross"),
        "soviet": SideFace(texts.name("@soviet"), "red", "stripes"),
        "allies": SideFace(texts.name("@allies"), "tan", "dots"),
        "neutral": SideFace(texts.name("@nobody"), "neutral"),
    }


def space_face(s: War, space: int, texts: Texts) -> SpaceFace:
    """Control, healthy production, damage, forts and home forces of a space."""
    holder = s.owner[space]
    marks: list[Mark] = []
    damaged, ruined = s.devastated.get(space, 0), s.ruined.get(space, 0)
    if damaged:
        marks.append(Mark("damage", str(damaged), texts.say("table.damage", number=damaged)))
    if ruined:
        marks.append(Mark("damage", f"†{ruined}", texts.say("table.ruined", number=ruined)))
    if s.fort.get(space, 0):
        marks.append(Mark("fort", str(s.fort[space]), texts.name("@fort")))
    if s.building.get(space, 0):
        marks.append(Mark("fort", f"({s.building[space]})", texts.say("table.fort_under", number=s.building[space])))
    if s.home.get(space, 0):
        marks.append(Mark("number", str(s.home[space]), texts.say("table.home", number=s.home[space])))
    if space in s.target:
        marks.append(Mark("battle", "", texts.say("table.announced")))
    country = texts.name(f"@{ATLAS.countries[ATLAS.country_of[space]].name}")
    return SpaceFace(
        side=SIDES[holder] if holder < NOBODY else "neutral" if holder != WATER else "",
        marks=marks,
        value=f"{healthy(s, space)}/{capacity(s, space)}" if ATLAS.production[space] else "",
        shade="neutral" if holder in (NOBODY, CLOSED) else "",
        tooltip=f"{texts.name(space_name(space))} ({country})",
    )


def symbol(s: War, army: int) -> str:
    """The symbol of what an army has most of."""
    row = s.strength[army * 5 : army * 5 + 5]
    if row[AMPH] * 2 >= points(s, army) > 0:
        return _SYMBOLS["amphibious"]
    return _SYMBOLS["mechanized"] if row[MECH] > row[INF] else _SYMBOLS["infantry"]


def army_face(s: War, army: int, texts: Texts) -> CounterFace:
    """An army counter with its composition."""
    row = s.strength[army * 5 : army * 5 + 5]
    parts = [f"{number} {texts.name(f'@{KINDS[kind]}')}" for kind, number in enumerate(row) if number]
    states = []
    if s.stuck[army]:
        states.append("out-of-supply")
    if s.spent[army] or (s.idle[army] and s.owner[s.army_at[army]] == NOBODY):
        states.append("exhausted")
    if s.advanced[army]:
        states.append("moved")
    if s.leader[army]:
        states.append("leader" if s.leader[army] > 1 else "hidden")
    numbers = f"{row[INF]}-{row[MECH]}" + (f" +{total(s, army) - row[INF] - row[MECH]}" if sum(row[2:]) else "")
    return CounterFace(
        id=army_name(army),
        side=SIDES[side_of(army)],
        symbol=symbol(s, army),
        size="XXXXX",
        label=texts.name(army_name(army)),
        numbers=numbers,
        strength=sum(s.strength[army * 5 : army * 5 + 5]),
        state=states,
        tooltip=f"{texts.name(army_name(army))}: {', '.join(parts)}",
    )


def stacks(s: War, texts: Texts) -> dict[str, list[CounterFace]]:
    found: dict[str, list[CounterFace]] = {}
    for army, place in enumerate(s.army_at):
        if place >= 0:
            found.setdefault(space_name(place), []).append(army_face(s, army, texts))
    for place_name, counter in panels.other_counters(s, texts):
        found.setdefault(place_name, []).append(counter)
    return found


def arrows(s: War, texts: Texts) -> list[Arrow]:
    """Announced attacks; invasions along their sea route."""
    found = []
    for army, target in enumerate(s.target):
        if target < 0 or s.army_at[army] < 0:
            continue
        path = [space_name(s.army_at[army]), space_name(target)]
        kind = "attack"
        if s.mode[army] == INVASION:
            path = list(dict.fromkeys(space_name(ATLAS.waters[w][0]) for w in s.routes.get(army, ()))) or path
            kind = "invasion"
        found.append(Arrow(path, kind, SIDES[side_of(army)], texts.name(army_name(army))))
    return found


def supply_overlay(s: War, texts: Texts) -> Overlay:
    """Spaces of each side with and without supply."""
    spaces: dict[str, str] = {}
    for side in range(len(SIDES)):
        cut_off = set(unsupplied(s, side))
        for x in ATLAS.land:
            if s.owner[x] == side:
                spaces[space_name(x)] = "cut_off" if x in cut_off else "supplied"
    legend = {key: texts.say(f"table.{key}") for key in ("supplied", "cut_off")}
    return Overlay("supply", texts.say("table.supply"), spaces, legend)
