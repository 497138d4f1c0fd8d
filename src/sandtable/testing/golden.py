"""Golden files: a match and a table as a person can read them, compared line by line.

To write the files anew after a change that is meant, run the tests with SANDTABLE_GOLDEN=write in the environment.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from sandtable.core import Action, Event, Game, Match, Offers, Role, Rolled
from sandtable.core.table import Table

Choose = Callable[[Match[Any], Role, Random], Action]
Count = Callable[[Offers], str]


def check_golden(
    game: Game[Any],
    scenario: str,
    path: Path,
    *,
    options: Mapping[str, Any] | None = None,
    decisions: int | None = None,
    choose: Choose = lambda match, role, rng: match.offers(role).sample(rng),
    count: Count = lambda offers: f"{len(offers)} choices",
) -> None:
    """Play one seeded match and compare it with its file: every decision, die and event.

    `decisions` cuts a long match off. `choose` plays more purposefully than at random; `count` says how many choices
    there were, where counting all of them takes too long.
    """
    compare(path, playthrough(game, scenario, options or {}, decisions, choose, count))


def check_golden_table(match: Match[Any], role: Role | None, language: str, path: Path) -> None:
    """Compare what a role is shown now with its file."""
    compare(path, table_lines(match.table(role, language)))


def compare(path: Path, lines: Iterable[str]) -> None:
    """Compare lines with a file, or write the file."""
    told = "".join(f"{line}\n" for line in lines)
    if os.environ.get("SANDTABLE_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(told, encoding="utf-8")
    assert told.splitlines() == path.read_text(encoding="utf-8").splitlines()


def playthrough(
    game: Game[Any], scenario: str, options: Mapping[str, Any], decisions: int | None, choose: Choose, count: Count
) -> Iterator[str]:
    """Yield the lines of one seeded match."""
    seed = f"golden/{scenario}"
    match, rng = Match.new(game, scenario, options, seed=seed, history=False), Random(seed)
    yield f"# {game.title}: {scenario}, seed {seed}" + "".join(f", {name}={value}" for name, value in options.items())
    yield from _events(game, match.play.events)
    while (role := match.asked) is not None and match.number != decisions:
        choices, step = count(match.offers(role)), match.step.__struct_config__.tag
        action = choose(match, role, rng)
        yield f"{match.number + 1}. {role} at {step}, {choices}: {written(action)}"
        yield from _events(game, match.apply(role, action))
    end = msgspec.json.encode(match.outcome).decode() if match.outcome else "to be continued"
    yield f"# {end}, digest {match.digest()}"


def _events(game: Game[Any], events: Iterable[Event]) -> Iterator[str]:
    texts = game.texts("en")
    for event in events:
        if not isinstance(event, Rolled):
            yield f"    {texts.event(event)}"
        elif event.seen_by is None:
            yield f"    die {event.number}: {event.value} [{event.why}]"


def written(action: Action) -> str:
    """Return an action as a golden file has it: 'march(army=Army Group North, to=Q16)'."""
    fields = ", ".join(f"{name}={_word(getattr(action, name))}" for name in action.__struct_fields__)
    return f"{action.__struct_config__.tag}({fields})"


def _word(value: object) -> str:
    return "+".join(map(_word, value)) if isinstance(value, tuple) else str(value)


def table_lines(table: Table) -> Iterator[str]:
    """Yield the lines of a Table; spaces with nothing to read in them are left out."""
    yield f"{table.turn} | {table.prompt}"
    yield f"asked: {', '.join(table.asked)}"
    yield f"rules: {table.rules}"
    yield "sequence: " + " > ".join(f"[{stage.title}]" if stage.now else stage.title for stage in table.sequence)
    for key, side in table.sides.items():
        yield f"side {key}: {side.name}, {side.colour}, {side.pattern}"
    for name, space in table.spaces.items():
        marks = " ".join(f"{mark.kind}={mark.text} ({mark.tooltip})" for mark in space.marks)
        if space.value or marks:
            yield f"space {name}: {space.side} {space.value} {marks} | {space.tooltip}"
    for place, stack in sorted(table.stacks.items()):
        for face in stack:
            yield f"in {place}: {face.side} {face.label} {face.numbers} {' '.join(face.state)} | {face.tooltip}"
    yield from (f"box {box.id}: {box.title}" for box in table.boxes)
    yield from (f"arrow {arrow.kind} {arrow.label}: {' - '.join(arrow.path)}" for arrow in table.arrows)
    for track in table.tracks:
        yield f"track {track.title}: " + ", ".join(f"{mark.label} at {track.cells[mark.at]}" for mark in track.marks)
    for panel in table.panels:
        yield f"panel {panel.title}: {' | '.join(panel.columns)}{panel.body}"
        yield from ("  " + " | ".join(row.cells) for row in panel.rows)
        yield from (f"  card {card.title}: {card.text}" for card in panel.cards)
    for overlay in table.overlays:
        keys = list(overlay.spaces.values())
        yield from (f"overlay {overlay.title}, {words}: {keys.count(key)}" for key, words in overlay.legend.items())
