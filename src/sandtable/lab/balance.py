"""The balance pages in docs/balance: results of many matches for each scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.core import Game
from sandtable.lab.chronicles import cells, in_words
from sandtable.lab.curves import decision, in_sentences, turn_names
from sandtable.lab.simulate import Record, Summary, wilson


def section(
    game: Game[Any], seats: Mapping[str, str], records: Sequence[Record], summary: Summary, command: str
) -> str:
    """The section of one scenario."""
    played = ", ".join(sorted(set(seats.values())))
    lines = [f"{summary.matches} matches between players of level {played}, made by `{command}`.", ""]
    lines += ["| side | won | share | 95 % interval |", "| --- | ---: | ---: | --- |"]
    for side, won in summary.wins.items():
        low, high = summary.intervals[side]
        lines.append(f"| {side} | {won} | {won / max(1, summary.matches):.1%} | {low:.1%} to {high:.1%} |")
    if summary.draws:
        low, high = wilson(summary.draws, summary.matches)
        lines.append(f"| draw | {summary.draws} | {summary.draws / summary.matches:.1%} | {low:.1%} to {high:.1%} |")
    lines += ["", "| outcome | matches |", "| --- | ---: |"]
    lines += [f"| {name} | {number} |" for name, number in summary.levels.items()]
    lines += ["", f"On average {summary.turns:.1f} turns and {summary.decisions:.0f} decisions a match."]
    side, roles = next(iter(game.alliances.items()))
    found = decision(records, side, roles)
    if found is not None:
        lines.append(in_sentences(found, turn_names(records)))
    if summary.dates:
        lines += ["", "| milestone | in history | reached | median | range |", "| --- | --- | ---: | --- | --- |"]
        lines += [f"| {' | '.join(cells(row, turn_names(records)))} |" for row in summary.dates]
    if summary.watched:
        lines += ["", "Absurdities seen:", "", *(f"- {line}" for line in in_words(summary.blunders, summary.watched))]
    return "\n".join(lines) + "\n"


def merged(page: str, scenario: str, part: str) -> str:
    """The page with this section below its scenario's heading; text written by hand stays."""
    begin, end = f"<!-- results of {scenario} -->\n", f"<!-- end of {scenario} -->\n"
    block = f"{begin}{part}{end}"
    if begin in page and end in page:
        return page[: page.index(begin)] + block + page[page.index(end) + len(end) :]
    heading = f"## {scenario}\n"
    if heading not in page:
        return page.rstrip("\n") + f"\n\n{heading}\n{block}"
    after = page.index(heading) + len(heading)
    place = page.find("\n## ", after)
    head, tail = (page, "") if place < 0 else (page[:place], page[place:])
    return head.rstrip("\n") + "\n\n" + block + tail
