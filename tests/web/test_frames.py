"""The page is light and the map moves: what the client weighs, and that frames come while it is panned and zoomed."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from sandtable.server.bench_frames import LIGHT, biggest_map, measure, weight

from .conftest import CLIENT, HOME

MAP_LIMIT = 300_000


def test_scripts_and_styles_of_a_match_page_are_light(figure: Callable[[str], None]) -> None:
    """All that a match page can ever load, symbols and the painter included, gzipped."""
    if not CLIENT.is_file():
        pytest.skip("the browser client is not built: npm ci && npm run build in web/")
    total = weight()
    figure(f"script and style of a match page: {total / 1000:.0f} kB gzipped")
    assert total <= LIGHT * 1000


def test_maps_are_light(figure: Callable[[str], None]) -> None:
    maps = sorted((HOME / "src" / "sandtable" / "games").glob("*/data/map.json"))
    sizes = {path.parent.parent.name: len(gzip.compress(path.read_bytes(), 9)) for path in maps}
    figure("map geometry, gzipped: " + ", ".join(f"{game} {size / 1000:.0f} kB" for game, size in sizes.items()))
    assert sizes
    assert max(sizes.values()) <= MAP_LIMIT, sizes


def test_the_biggest_map_moves(chromium: Any, figure: Callable[[str], None]) -> None:
    """Software rendering on a busy machine is slower than a desk; what is asserted is only that it never stalls."""
    if not CLIENT.is_file():
        pytest.skip("the browser client is not built: npm ci && npm run build in web/")
    found = measure(chromium, json.loads(biggest_map().read_text()))
    for kind, told in found.items():
        figure(f"{kind}: {told['fps']:.0f} frames a second, in the slowest twentieth {told['fps_p95']:.0f}")
    assert found["pan"]["fps"] > 1
    assert found["zoom"]["fps"] > 1
    assert found["playback"]["fps"] > 1
