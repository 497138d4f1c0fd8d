"""The legend in the Rules tab shows everything that stands on the table."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Server
from .hands import wait_for_table
from .test_keys_and_eyes import serious

KINDS = """() => {
    const table = window.sandtableSession.table, spaces = Object.values(table.spaces);
    return {
        sides: Object.values(table.sides).map((side) => side.name),
        marks: [...new Set(spaces.flatMap((face) => (face.marks ?? []).map((mark) => mark.kind)))].length,
        states: [...new Set(Object.values(table.stacks).flat().flatMap((one) => one.state ?? []))].length,
        tracks: (table.tracks ?? []).map((track) => track.title),
    };
}"""


@pytest.mark.parametrize("game", ["blitzkrieg-general", "ww2-europe"])
def test_the_legend_names_what_is_drawn(open_page: Any, server: Server, game: str) -> None:
    roles = server.games()[game]["scenarios"][0]["roles"]
    page = open_page(server.new_match(game, [{"roles": roles, "kind": "person"}])["seats"][0]["link"])
    wait_for_table(page)
    page.keyboard.press("r")
    page.get_by_role("button", name="Legend").click()
    legend = page.locator("[data-testid=legend]")
    legend.wait_for()
    there = page.evaluate(KINDS)
    told = legend.inner_text()
    assert all(name in told for name in there["sides"] + there["tracks"])
    assert legend.locator("canvas").count() > there["marks"] + there["states"]
    assert serious(page) == []


def test_a_level_is_described_by_how_it_plays(open_page: Any, server: Server) -> None:
    page = open_page("/")
    page.locator("[data-testid=level]").first.wait_for()
    told = set()
    for level in ("recruit", "captain", "general"):
        page.locator("[data-testid=level]").first.select_option(level)
        told.add(page.inner_text("[data-testid=level-plays]"))
    assert len(told) == 3
