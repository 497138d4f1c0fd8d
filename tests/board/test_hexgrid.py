"""Hex geometry against what can be measured on paper, and against the printed rules of the two numberings."""

from __future__ import annotations

from itertools import pairwise
from math import dist, isclose, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.board import BadHexName, HexGrid, LetteredRows, NumberedColumns, axial_line

LETTERED, NUMBERED = LetteredRows(), NumberedColumns()
GRIDS = [LETTERED, NUMBERED]

# Far enough from the edges of the numbering for every hex around to have a name.
lettered_names = st.builds(lambda row, n: f"{row}{n}", st.sampled_from("IJKLMNOPQ"), st.integers(20, 40))
numbered_names = st.builds(lambda c, r: f"{c:02d}{r:02d}", st.integers(30, 60), st.integers(30, 60))
two_hexes = st.one_of(
    st.tuples(st.just(LETTERED), lettered_names, lettered_names),
    st.tuples(st.just(NUMBERED), numbered_names, numbered_names),
)


def steps_apart(grid: HexGrid, here: str, there: str) -> int:
    """Counted by walking outwards hex by hex."""
    seen, wave, steps = {here}, [here], 0
    while there not in seen:
        wave = [n for h in wave for n in grid.neighbours(h)]
        seen.update(wave)
        wave, steps = sorted(set(wave)), steps + 1
    return steps


@given(two_hexes)
def test_neighbours_are_the_hexes_whose_centres_are_1_apart(case: tuple[HexGrid, str, str]) -> None:
    grid, here, there = case
    assert (there in grid.neighbours(here)) == isclose(dist(grid.centre(here), grid.centre(there)), 1)
    for name in grid.neighbours(here):
        assert isclose(dist(grid.centre(here), grid.centre(name)), 1)
        assert here in grid.neighbours(name)
    assert len(set(grid.neighbours(here))) == 6


@given(two_hexes)
def test_directions_run_clockwise_and_point_where_their_name_says(case: tuple[HexGrid, str, str]) -> None:
    grid, here, _ = case
    x, y = grid.centre(here)
    for d, compass in enumerate(grid.directions):
        there = grid.neighbour(here, d)
        assert there is not None
        assert there == grid.neighbour(here, compass) == grid.neighbours(here)[d]
        assert grid.direction(here, there) == d
        assert grid.direction(there, here) == (d + 3) % 6
        east, south = grid.centre(there)[0] - x, grid.centre(there)[1] - y
        assert (east > 0.1) == ("E" in compass)
        assert (east < -0.1) == ("W" in compass)
        assert (south < -0.1) == ("N" in compass)
        assert (south > 0.1) == ("S" in compass)
        left = grid.neighbours(here)[d - 1]
        cross = (grid.centre(left)[0] - x) * south - (grid.centre(left)[1] - y) * east
        assert isclose(cross, sqrt(3) / 2)  # with y to the south, a positive turn is clockwise


@given(two_hexes)
def test_distance_is_the_number_of_steps(case: tuple[HexGrid, str, str]) -> None:
    grid, here, there = case
    assert grid.distance(here, there) == grid.distance(there, here)
    q, r = grid.axial(here)
    assert grid.name_at(q, r) == here
    if grid.distance(here, there) <= 8:
        assert grid.distance(here, there) == steps_apart(grid, here, there)
    else:
        assert min(grid.distance(name, there) for name in grid.neighbours(here)) == grid.distance(here, there) - 1


@given(two_hexes)
def test_direction_is_none_beyond_the_neighbours(case: tuple[HexGrid, str, str]) -> None:
    grid, here, there = case
    assert (grid.direction(here, there) is not None) == (grid.distance(here, there) == 1)


@given(two_hexes)
def test_a_line_takes_the_nearest_hexes_and_is_the_same_from_both_ends(case: tuple[HexGrid, str, str]) -> None:
    grid, here, there = case
    line = grid.line(here, there)
    names = [name for name in line if name is not None]
    assert len(names) == len(line) == grid.distance(here, there) + 1
    assert (names[0], names[-1]) == (here, there)
    assert all(grid.distance(a, b) == 1 for a, b in pairwise(names))
    assert line == grid.line(there, here)[::-1]
    (x1, y1), (x2, y2) = grid.centre(here), grid.centre(there)
    parts = max(len(names) - 1, 1)
    for i, name in enumerate(names):
        cut = (x1 + (x2 - x1) * i / parts, y1 + (y2 - y1) * i / parts)
        nearest = min(dist(cut, grid.centre(other)) for other in [name, *grid.neighbours(name)])
        assert dist(cut, grid.centre(name)) <= nearest + 1e-9


@given(st.tuples(*[st.integers(-30, 30)] * 4))
def test_a_line_in_any_part_of_the_plane(ends: tuple[int, int, int, int]) -> None:
    q1, r1, q2, r2 = ends
    line = axial_line(q1, r1, q2, r2)
    assert line[0] == (q1, r1)
    assert line[-1] == (q2, r2)
    assert line == axial_line(q2, r2, q1, r1)[::-1]
    assert len(set(line)) == len(line)


@given(two_hexes, st.integers(0, 4))
def test_rings_and_discs_hold_exactly_the_hexes_at_their_distance(case: tuple[HexGrid, str, str], radius: int) -> None:
    grid, here, _ = case
    disc = grid.disc(here, radius)
    assert len(set(disc)) == len(disc) == 1 + 3 * radius * (radius + 1)
    assert all(grid.distance(here, name) <= radius for name in disc)
    ring = grid.ring(here, radius)
    assert [name for name in disc if grid.distance(here, name) == radius] == ring
    for a, b in pairwise(ring):
        assert grid.distance(a, b) == 1
    if radius:
        first = here
        for _ in range(radius):
            first = grid.neighbour(first, 0) or ""
        assert ring[0] == first
        (x, y), (x1, y1), (x2, y2) = grid.centre(here), grid.centre(ring[0]), grid.centre(ring[1])
        assert (x1 - x) * (y2 - y) - (y1 - y) * (x2 - x) > 0  # clockwise


@given(two_hexes)
def test_neighbours_share_the_two_corners_of_their_side(case: tuple[HexGrid, str, str]) -> None:
    grid, here, _ = case
    corners = grid.corners(here)
    assert all(isclose(dist(corner, grid.centre(here)), 1 / sqrt(3)) for corner in corners)
    for d, there in enumerate(grid.neighbours(here)):
        side = [corners[d], corners[(d + 1) % 6]]
        other = grid.corners(there)
        opposite = [other[(d + 4) % 6], other[(d + 3) % 6]]
        for mine, theirs in zip(side, opposite, strict=True):
            assert dist(mine, theirs) < 1e-9


def test_even_lettered_rows_stand_half_a_hex_further_east() -> None:
    assert LETTERED.centre("B7")[0] - LETTERED.centre("A7")[0] == 0.5
    assert LETTERED.centre("C7")[0] == LETTERED.centre("A7")[0]
    assert LETTERED.centre("X7")[1] < LETTERED.centre("A7")[1]


def test_even_columns_stand_half_a_hex_higher() -> None:
    assert [NUMBERED.centre(name)[1] for name in ("1001", "1101", "1112", "1212")] == [0.5, 1.0, 12.0, 11.5]
    assert NUMBERED.centre("1001")[0] < NUMBERED.centre("1101")[0]


def test_hexes_beyond_the_numbering_have_no_name() -> None:
    assert LETTERED.neighbours("A1") == ["B1", "A2"]
    assert LetteredRows("ABC").neighbour("C4", "NE") is None
    assert NUMBERED.neighbour("5000", "N") is None
    assert NUMBERED.neighbours("9999") == ["9998", "9899"]
    assert NUMBERED.line("2399", "2599") == ["2399", None, "2599"]
    assert LETTERED.line("B1", "D1") == ["B1", "C2", "D1"]


@pytest.mark.parametrize("text", ["", "Q", "15", "q15", "Q015", "Q0", "Q-1", "Q1.5", "Q١٥", "QQ1", " Q15", "Q15 "])
def test_bad_lettered_names_are_refused(text: str) -> None:
    with pytest.raises(BadHexName):
        LETTERED.axial(text)


@pytest.mark.parametrize("text", ["", "171", "17123", "17-1", "17a2", "Q15", "١٧١٢", " 1712", "+112"])
def test_bad_numbered_names_are_refused(text: str) -> None:
    with pytest.raises(BadHexName):
        NUMBERED.axial(text)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="radius"):
        NUMBERED.ring("1712", -1)
    with pytest.raises(ValueError, match="repeat"):
        LetteredRows("ABA")
    with pytest.raises(ValueError, match="NNE"):
        NUMBERED.neighbour("1712", "NNE")
    with pytest.raises(ValueError, match="-1"):
        NUMBERED.neighbour("1712", -1)
