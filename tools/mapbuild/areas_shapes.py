"""Shapes of their own: small islands, ports and off-map boxes, drawn large enough to hold counters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from .areas_panels import panel_projection

ROUNDNESS = 5
"""Segments in a quarter of a circle."""
BOX_CORNER = 22.0
"""How round the corners of a box are."""


def carved(table: Mapping[str, Any], panel: str) -> dict[str, BaseGeometry]:
    """The islands, ports and boxes of one panel on whole units; what is named first lies on top."""
    projection = panel_projection(table["panels"][panel])
    shapes: dict[str, BaseGeometry] = {}
    for name, text in table.get("dots", {}).get(panel, {}).items():
        x, y, radius = (float(word) for word in text.split())
        shapes[name] = shapely.Point(x, y).buffer(radius, quad_segs=ROUNDNESS)
    for name, text in table.get("boxes", {}).get(panel, {}).items():
        inner = shapely.box(*(float(word) for word in text.split())).buffer(-BOX_CORNER)
        shapes[name] = inner.buffer(BOX_CORNER, quad_segs=ROUNDNESS)
    discs = table.get("discs", {}).get(panel, {})
    for name, text in sorted(discs.items(), key=lambda entry: (not entry[0].endswith("_port"), entry[0])):
        *places, radius = (float(word) for word in text.split())
        xs, ys = projection(np.array(places[0::2]), np.array(places[1::2]))
        ends = [(round(float(px)), round(float(py))) for px, py in zip(xs, ys, strict=True)]
        spine: BaseGeometry = shapely.Point(ends[0]) if len(ends) == 1 else shapely.LineString(ends)
        shapes[name] = spine.buffer(radius, quad_segs=ROUNDNESS)
    found: dict[str, BaseGeometry] = {}
    above: BaseGeometry = shapely.Polygon()
    for name, shape in shapes.items():
        found[name] = shapely.set_precision(shape.difference(above), 1.0)
        above = above.union(found[name])
    return found
