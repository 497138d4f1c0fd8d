"""Boards without rules: hex geometry, nets of spaces, and the searches that every game needs.

* `hexgrid`: names of hexes, neighbours by compass, distances, lines, rings, places on paper
* `graph`: `SpaceGraph`, the board as numbered spaces, edges and arcs
* `flags`: lists of yes and no per space, zones of control
* `counting`: how many steps; `costs`: spending movement points; `supply`: lines to a source
* `parts`: connected parts; `sea`: voyages past gates that may be shut

The page on each begins with an example. Names are for people and files: rules turn them into numbers once, when an
atlas is loaded, and every search works on flat lists of numbers. Nothing here depends on the order of a set or on
chance: the same question has the same answer on every machine.
"""

from .costs import CLOSED, Costs, CostTable, cheapest_path, close_arcs, cost_reach, entry_costs, path_cost
from .counting import Blocked, Reach, can_reach, distances, nearest, reach, shortest_path
from .flags import flagged, flags_at, flags_either, flags_where, flags_without, zone_around
from .graph import BadGraph, Flags, SpaceGraph, UnknownSpace, compass_table, hex_graph
from .hexgrid import BadHexName, HexGrid, LetteredRows, NumberedColumns, axial_distance, axial_line
from .parts import component_labels, components
from .sea import Gates, sea_distances, sea_route
from .supply import is_supplied, supplied_spaces, supply_lines

__all__ = [
    "CLOSED",
    "BadGraph",
    "BadHexName",
    "Blocked",
    "CostTable",
    "Costs",
    "Flags",
    "Gates",
    "HexGrid",
    "LetteredRows",
    "NumberedColumns",
    "Reach",
    "SpaceGraph",
    "UnknownSpace",
    "axial_distance",
    "axial_line",
    "can_reach",
    "cheapest_path",
    "close_arcs",
    "compass_table",
    "component_labels",
    "components",
    "cost_reach",
    "distances",
    "entry_costs",
    "flagged",
    "flags_at",
    "flags_either",
    "flags_where",
    "flags_without",
    "hex_graph",
    "is_supplied",
    "nearest",
    "path_cost",
    "reach",
    "sea_distances",
    "sea_route",
    "shortest_path",
    "supplied_spaces",
    "supply_lines",
    "zone_around",
]
