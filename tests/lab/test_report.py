"""What a simulation says: bands, decisive turns, Parquet tables, and the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sandtable.games import find, games
from sandtable.lab import balance, plots, records
from sandtable.lab.curves import Band, bands, decision, families, quantile, separation
from sandtable.lab.report import html
from sandtable.lab.simulate import Record, summarize

GAME = "munich-war"


def record(number: int, winner: str, *territory: float) -> Record:
    names = [f"turn {n}" for n in range(1, len(territory) + 1)]
    curves = {"territory.axis": list(territory), "production.axis": [10.0] * len(territory)}
    return Record(
        f"7/{number}", {"axis": "recruit", "allies": "recruit"}, [winner], "marginal", "mw-21.1", 100, len(territory),
        0.1, curves, {"2614": 3, "2515": 1}, names,
    )  # fmt: skip


@pytest.fixture
def made() -> list[Record]:
    return [
        record(1, "axis", 5, 6, 9, 10),
        record(2, "axis", 5, 7, 8, 9),
        record(3, "allies", 6, 6, 3, 2),
        record(4, "allies", 5, 7, 2),
    ]


def test_quantiles_are_interpolated() -> None:
    assert quantile([4, 1, 3, 2], 0.5) == 2.5
    assert quantile([1, 2], 0.0) == 1
    assert quantile([7], 0.9) == 7


def test_a_band_counts_only_matches_that_lasted_so_long(made: list[Record]) -> None:
    band = next(found for found in bands(made) if found.measure == "territory.axis")
    assert band.matches == [4, 4, 4, 3]
    assert band.middle[2] == 5.5
    assert list(families(bands(made))) == ["territory", "production"]
    for one in made:
        one.curves["ships.axis"] = [0.0] * len(one.turn_names)
    assert list(families(bands(made))) == ["territory", "production"]


def test_separation_is_the_chance_to_rank_rightly() -> None:
    assert separation([3, 4], [1, 2]) == 1.0
    assert separation([1], [1]) == 0.5
    assert separation([1, 3], [2]) == 0.5
    assert separation([], [2]) == 0.5


def test_the_decisive_turn_is_where_the_winner_begins_to_show(made: list[Record]) -> None:
    found = decision(made, "axis", ["axis"])
    assert found is not None
    assert found.measure == "territory.axis"
    assert found.turn == 3
    assert found.settled == 3
    assert decision(made[:2], "axis", ["axis"]) is None


def test_the_tables_hold_the_same_as_the_records(made: list[Record], tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    paths = {path.name: path for path in records.write_tables(tmp_path, find(GAME), made)}
    assert set(paths) == {f"{name}.{form}" for name in set(records.COLUMNS) - {"luck"} for form in ("parquet", "csv")}
    matches = pq.read_table(paths["matches.parquet"]).to_pylist()
    assert [row["winner"] for row in matches] == ["axis", "axis", "allies", "allies"]
    assert [matches[0][name] for name in ("game", "seat_axis", "seat_allies", "turns")] == [
        GAME,
        "recruit",
        "recruit",
        4,
    ]
    curves = pq.read_table(paths["curves.parquet"]).to_pylist()
    assert len(curves) == 2 * (4 + 4 + 4 + 3)
    told = {"seed": "7/4", "turn": 3, "turn_name": "turn 3", "measure": "territory", "role": "axis", "value": 2.0}
    assert told in curves
    battles = pq.read_table(paths["battles.parquet"]).to_pylist()
    assert sum(row["battles"] for row in battles) == 16
    assert len(paths["curves.csv"].read_text().splitlines()) == 1 + len(curves)


def test_a_run_without_battles_has_an_empty_table(made: list[Record], tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    for one in made:
        one.battles.clear()
    records.write_tables(tmp_path, find(GAME), made)
    assert pq.read_table(tmp_path / "battles.parquet").column_names == list(records.COLUMNS["battles"])


def test_a_draw_has_no_winner(made: list[Record]) -> None:
    made[0].winners = []
    assert [row["winner"] for row in records.tables(find(GAME), made)["matches"]][:2] == ["draw", "axis"]


def test_the_data_dictionary_has_every_column(made: list[Record]) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    made[0].luck = {"attack.axis": (1.0, 2.0)}
    for name, rows in records.tables(find(GAME), made).items():
        (part,) = re.findall(rf"^### {name}: .*?(?=^###|\Z)", page, flags=re.MULTILINE | re.DOTALL)
        told = re.findall(r"^\| `(\w+)`", part, flags=re.MULTILINE)
        columns = [re.sub(rf"^{records.SEAT}.*", f"{records.SEAT}ROLE", column) for column in rows[0]]
        assert told == list(dict.fromkeys(columns))


@pytest.mark.parametrize("game", games())
def test_places_have_names_and_not_only_numbers(game: str) -> None:
    names = plots.place_names(find(game))
    assert [name for name in names.values() if name.isdigit()] == []


def test_turns_and_matches_are_whole_numbers_on_the_axes() -> None:
    for values in ([3, 3, 4], [7], list(range(60))):
        ticks = re.findall(r">(-?[\d.]+|−[\d.]+)</text>", plots.histogram("Length", values, "turns"))
        assert ticks
        assert all(float(tick) == int(float(tick)) for tick in ticks), ticks


def test_the_first_turn_is_named() -> None:
    band = Band("territory.axis", [1.0] * 30, [2.0] * 30, [3.0] * 30, [1] * 30)
    assert ">Spring 1</text>" in plots.curves("Territory", [band], [f"Spring {n}" for n in range(1, 31)])


def test_the_page_shows_intervals_curves_and_the_map(made: list[Record]) -> None:
    game = find(GAME)
    page = html(game, "little-entente", made[0].seats, made, summarize(GAME, made), "./sandtable simulate <x>")
    assert "./sandtable simulate &lt;x&gt;" in page
    assert "15.0% to 85.0%" in page  # Wilson's interval of 2 in 4
    for heading in ("Who wins", "How long it lasts", "Over the turns", "Decisive turns", "Where battles were fought"):
        assert f"<h2>{heading}</h2>" in page
    assert page.count(": 3.00 battles a match") == 1
    assert page.count(": 1.00 battles a match") == 1
    assert page.count("<svg") >= 6
    assert "<h1>Munich War 1938: Little Entente</h1>" in page
    most = page[page.index("<h3>The most fought over</h3>") :]
    assert most.index("<td>3.00</td>") < most.index("<td>1.00</td>")
    assert html(game, "little-entente", made[0].seats, made, summarize(GAME, made), "x").count("NaN") == 0


def test_a_simulation_without_measures_has_a_page_too() -> None:
    bare = [Record("1", {"axis": "recruit"}, [], "draw", "mw-21.1", 5, 1, 0.1)]
    page = html(find(GAME), "little-entente", {}, bare, summarize(GAME, bare), "x")
    assert "Over the turns" not in page
    assert "draw" in page


def test_heat_goes_from_pale_to_dark() -> None:
    assert plots.heat(0.0) == "#ffeda0"
    assert plots.heat(1.0) == "#800026"
    assert plots.heat(0.5) not in (plots.heat(0.0), plots.heat(1.0))


def test_a_balance_section_stands_below_what_is_written_by_hand(made: list[Record]) -> None:
    part = balance.section(find(GAME), made[0].seats, made, summarize(GAME, made), "./sandtable simulate munich-war")
    assert "| axis | 2 | 50.0% | 15.0% to 85.0% |" in part
    assert "The best single sign of who wins is territory (axis)." in part
    assert "It gains most in turn 3 (turn 3): after that turn it picks the winner in 100% of all pairs" in part
    assert "From turn 3 (turn 3) on it is right in at least 90%." in part
    page = balance.merged("# Munich\n\n## x\n\nExpected: even.\n\n## z\n\nExpected: uneven.\n", "y", part)
    first = balance.merged(page, "x", "first\n")
    assert first.index("Expected: even.") < first.index("first") < first.index("## z")
    assert first.count("## x") == 1
    last = balance.merged(first, "z", "last\n")
    assert last.index("Expected: uneven.") < last.index("last") < last.index("## y")
    again = balance.merged(page, "y", "fresh\n")
    assert "Expected: even." in again
    assert again.count("## y") == 1
    assert "fresh" in again
    assert "50.0%" not in again


def test_luck_is_shown_where_it_was_weighed(made: list[Record]) -> None:
    game = find(GAME)
    seats = {"axis": "recruit", "allies": "recruit"}
    assert "Luck" not in html(game, "little-entente", seats, made, summarize(GAME, made), "command")
    for place, one in enumerate(made):
        one.luck = {"attack.axis": (place - 1.5, 2.0), "attack.allies": (1.5 - place, 2.0)}
    page = html(game, "little-entente", seats, made, summarize(GAME, made), "command")
    assert "<h2>Luck</h2>" in page
    assert "+0.00" in page, "these are centred"
    rows = records.tables(game, made)["luck"]
    assert len(rows) == 8
    assert rows[0] == {"seed": "7/1", "measure": "attack", "side": "axis", "luck": -1.5, "variance": 2.0}
