"""Proofs of the charts of Hitler's War: firepower, advance, costs, research, time record."""

from __future__ import annotations

import re

from tests.atlas.faults import Check, ledger_says
from tests.games.hitlers_war.model import atlas_facts as facts
from tests.games.hitlers_war.model.atlas_board import Board


def charts(board: Board, check: Check) -> None:
    """Firepower, advance, costs, research and time record give the results of the worked examples."""
    fire, advance, tables = board.tables["firepower"]["cells"], board.tables["advance"]["cells"], board.tables

    def losses(strength: int, die: int) -> int:
        return int(fire[str(max(1, min(7, die)))][strength - 1])

    def limit(mechanized: int, defence: int | str) -> int:
        column = defence if isinstance(defence, str) else str(min(10, defence))
        return int(advance[str(min(10, mechanized))][column])

    for die in range(1, 8):
        row = fire[str(die)]
        check(len(row) == 10 and row == sorted(row), f"firepower row {die} must grow with strength: {row}")
        if die > 1:
            falls = all(a >= b for a, b in zip(fire[str(die - 1)], row, strict=True))
            check(falls, f"firepower row {die} beats row {die - 1}")
    for strength, die, result, line in facts.FIREPOWER_EXAMPLES:
        check(
            losses(strength, die) == result,
            f"firepower {strength} with die {die} gives {losses(strength, die)}, line {line}",
        )
    for strength, result, line in facts.FIREPOWER_POSSIBLE:
        check(
            result in {losses(strength, d) for d in range(1, 7)}, f"firepower {strength} can give {result}, line {line}"
        )
    for mech in range(11):
        cells = [limit(mech, d) for d in range(11)]
        check(cells[10] == 0, f"advance row {mech}: nothing beats ten")
        check(cells == sorted(cells, reverse=True), f"advance row {mech} must fall with defence: {cells}")
        check(limit(mech, "friendly") >= cells[0], f"advance row {mech}: a friendly hex is easiest")
        if mech:
            check(
                all(limit(mech, d) >= limit(mech - 1, d) for d in range(11)),
                f"advance row {mech} is below row {mech - 1}",
            )
    foot = limit(0, 0) > 0 and limit(0, "friendly") > 0 and not any(limit(0, d) for d in range(1, 11))
    check(foot, "infantry alone advances only into empty or friendly hexes")
    for mech, defence, result, line in facts.ADVANCE_EXAMPLES:
        check(
            limit(mech, defence) == result, f"advance {mech} against {defence} is {limit(mech, defence)}, line {line}"
        )
    check(limit(10, 1) - 1 >= 6 and limit(10, 0) >= 6, "lines 346, 348: both advances of ten are certain")
    _ledger_charts(board, check)
    costs = tables["unit_costs_basic"]
    check(costs == facts.BASIC_COSTS, f"basic costs are {costs}")
    check(
        15 // costs["mechanized"] == 3 and 5 * costs["infantry"] + costs["mechanized"] == 15, "line 426: a budget of 15"
    )
    levels = tables["capability"]
    check(len(levels) == 15, f"{len(levels)} items of capability, not 15")
    check([levels["mechanized"][i] for i in (0, 1, -1)] == [6, 4, 2], "line 1074: mechanized 6, 4 ... 2")
    check(levels["atomic_bomb"][5:7] == ["P5", 2], "line 1078: the atomic bomb")
    start = tables["start_tech"]
    infantry = [start[side]["infantry"] for side in ("axis", "soviet", "allied")]
    check(infantry == [2, 3, 3], f"line 1108: infantry starts at {infantry}")
    for side in ("axis", "soviet", "allied"):
        for item, cost in start[side].items():
            check(cost in levels[item], f"{side} starts {item} at {cost}, which is no level of it")
    for step, results in tables["research_track"]["steps"].items():
        check(
            sorted(die for dice in results.values() for die in dice) == [1, 2, 3, 4, 5, 6],
            f"research step {step} covers every die once",
        )
    check(board.turns[0] == "Winter 1939" and "Summer 1945" in board.turns, "the time record runs from 1939 to 1945")
    check(board.turns.index("Winter 1941") == board.turns.index("Summer 1941") + 1, "winter follows summer")
    notes = {turn["name"]: turn["notes"] for turn in tables["time_record"]}
    for name, numbers in notes.items():
        check(numbers == facts.TIME_NOTES.get(name, []), f"{name} carries the notes {numbers}")
    check(sorted(tables["time_notes"]) == list("12345678"), "eight time notes")


def _ledger_charts(board: Board, check: Check) -> None:
    says = ledger_says("hitlers_war")
    text = "1:" + says["hw-firepower-table"].split("die 1:", 1)[1]
    rows = {int(die): [int(v) for v in cells.split()] for die, cells in re.findall(r"(\d): ((?:\d ?){10})", text)}
    for die in range(1, 8):
        check(
            rows.get(die) == board.tables["firepower"]["cells"][str(die)],
            f"firepower row {die} differs from the ledger",
        )
    text = "0:" + says["hw-advance-table"].split("row 0:", 1)[1]
    found = re.findall(r"(\d+): (\d+);([\d,]+)", text)
    check(len(found) == 11, "the ledger gives eleven advance rows")
    for mech, friendly, cells in found:
        row = board.tables["advance"]["cells"][mech]
        values = [int(v) for v in cells.split(",")]
        values += [0] * (11 - len(values))
        check(
            [row["friendly"], *(row[str(d)] for d in range(11))] == [int(friendly), *values],
            f"advance row {mech} differs from the ledger",
        )
