"""The report of a simulation: one self-contained HTML page with figures, intervals, curves and maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from sandtable.core import Game
from sandtable.lab import plots
from sandtable.lab.chronicles import cells, in_words
from sandtable.lab.curves import bands, decision, families, in_sentences, turn_names
from sandtable.lab.simulate import Record, Summary, wilson

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse}td,th{padding:.2rem .8rem;border-bottom:1px solid #ddd;text-align:left}
td.n{text-align:right;font-variant-numeric:tabular-nums}svg{max-width:100%;height:auto}
code{background:#f3f1ea;padding:.1rem .3rem}figure{margin:1.5rem 0}figcaption{color:#555;font-size:.9rem}
"""
_PLACES = 12
"""How many places are listed beside the map."""


def html(
    game: Game[Any],
    scenario: str,
    seats: Mapping[str, str],
    records: Sequence[Record],
    summary: Summary,
    command: str,
) -> str:
    """The whole page."""
    title = f"{game.title}: {scenario_title(game, scenario)}"
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{summary.matches} matches, made by <code>{escape(command)}</code></p>",
        _table(["role", "player"], [[role, level] for role, level in seats.items()]),
        "<h2>Who wins</h2>",
        _wins(summary),
        "<h2>How long it lasts</h2>",
        f"<p>On average {summary.turns:.1f} turns, {summary.decisions:.0f} decisions, in {summary.seconds:.2f} s.</p>",
        _figure(plots.histogram("Length of the matches", [record.turns for record in records], "turns")),
    ]
    parts += _chronicle(records, summary)
    parts += _curves(records)
    parts += _decisions(game, records)
    parts += _luck(game, records, summary)
    parts += _battles(game, records)
    return "\n".join([*parts, "</body></html>"]) + "\n"


def scenario_title(game: Game[Any], scenario: str) -> str:
    """The title of a scenario."""
    texts = game.texts("en")
    keys = (f"scenario.{scenario}.{part}" for part in ("name", "title"))
    return next((texts.say(key, {}) for key in keys if key in texts), scenario)


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _figure(picture: str, caption: str = "") -> str:
    said = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    return f"<figure>{picture}{said}</figure>"


def _wins(summary: Summary) -> str:
    count = max(1, summary.matches)
    shares = {side: (won / count, *summary.intervals[side]) for side, won in summary.wins.items()}
    if summary.draws:
        shares["draw"] = (summary.draws / count, *wilson(summary.draws, summary.matches))
    rows = [[side, f"{share:.1%}", f"{low:.1%} to {high:.1%}"] for side, (share, low, high) in shares.items()]
    levels = [[name, str(number)] for name, number in summary.levels.items()]
    return "\n".join(
        [
            _figure(plots.wins(shares), "Shares with Wilson intervals (95 %)."),
            _table(["side", "won", "95 % interval"], rows),
            "<h3>By level of victory</h3>",
            _table(["outcome", "matches"], levels),
        ]
    )


def _chronicle(records: Sequence[Record], summary: Summary) -> list[str]:
    """When milestones were reached, and the absurd moves, where the game has a chronicle."""
    parts = []
    if summary.dates:
        rows = [cells(row, turn_names(records)) for row in summary.dates]
        parts += ["<h2>Milestones</h2>", _table(["milestone", "in history", "reached", "median", "range"], rows)]
    if summary.watched:
        said = "".join(f"<li>{escape(line)}</li>" for line in in_words(summary.blunders, summary.watched))
        parts += ["<h2>Absurd moves</h2>", f"<ul>{said}</ul>"]
    return parts


def _curves(records: Sequence[Record]) -> list[str]:
    turns = turn_names(records)
    found = families(bands(records))
    if not found:
        return []
    caption = "Medians; the bands hold eight matches in ten. A match that has ended is no longer counted."
    return [
        "<h2>Over the turns</h2>",
        *(_figure(plots.curves(name, rows, turns), caption) for name, rows in found.items()),
    ]


def _decisions(game: Game[Any], records: Sequence[Record]) -> list[str]:
    turns = turn_names(records)
    parts = []
    for side, roles in list(game.alliances.items())[: max(1, len(game.alliances) - 1)]:
        found = decision(records, side, roles)
        if found is None:
            continue
        said = in_sentences(found, turns)
        caption = f"{said} The curve: how often it tells a match that {side} won from one that it did not."
        parts.append(_figure(plots.known(f"Is it decided? ({side})", found.known, turns, found.turn), caption))
    return ["<h2>Decisive turns</h2>", *parts] if parts else []


def _luck(game: Game[Any], records: Sequence[Record], summary: Summary) -> list[str]:
    """What the dice brought beyond what was to be expected, where they were weighed."""
    if not summary.luck:
        return []
    side = next(iter(game.alliances))
    shown = [name for name in summary.luck if name.partition(".")[2] == side]
    rows = [
        [name.partition(".")[0], f"{found.mean:+.2f}", f"{found.deviation:.2f}", f"{found.off:+.2f}"]
        for name, found in summary.luck.items()
        if name in shown
    ]
    pictures = [
        _figure(
            plots.spread(f"Luck ({name})", [record.luck[name][0] for record in records if name in record.luck]),
            f"What the dice brought {side} beyond what was to be expected, match by match.",
        )
        for name in shown
    ]
    won = _with_luck(game, records, side, shown)
    return [
        "<h2>Luck</h2>",
        _table(["measure", "a match", "usual size", "all in standard deviations"], rows),
        won,
        *pictures,
    ]


def _with_luck(game: Game[Any], records: Sequence[Record], side: str, names: Sequence[str]) -> str:
    """How often the side wins that the dice favoured."""
    said = []
    for name in names:
        lucky = [record for record in records if record.luck.get(name, (0.0, 0.0))[0] > 0]
        won = sum(any(role in record.winners for role in game.alliances[side]) for record in lucky)
        if lucky:
            low, high = wilson(won, len(lucky))
            said.append(f"with luck in {name.partition('.')[0]} {won / len(lucky):.0%} ({low:.0%} to {high:.0%})")
    return f"<p>{escape(side)} won: {escape('; '.join(said))}.</p>" if said else ""


def _battles(game: Game[Any], records: Sequence[Record]) -> list[str]:
    total: dict[str, int] = {}
    for record in records:
        for space, count in record.battles.items():
            total[space] = total.get(space, 0) + count
    maps = plots.heat_maps(game, total, len(records))
    if not maps:
        return []
    names, most = plots.place_names(game), max(total.values()) / len(records)
    first = sorted(total.items(), key=lambda row: -row[1])[:_PLACES]
    return [
        "<h2>Where battles were fought</h2>",
        _figure(plots.heat_scale(most), "Battles a match."),
        *(_figure(picture, title) for title, picture in maps),
        "<h3>The most fought over</h3>",
        _table(
            ["place", "battles a match"],
            [[names.get(space, space), f"{count / len(records):.2f}"] for space, count in first],
        ),
    ]
