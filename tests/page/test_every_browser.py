"""A smoke match in the page, engine and all, in Firefox and WebKit."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.games import registered
from tests.web.conftest import MAIN
from tests.web.drivers import BROWSERS, started
from tests.web.test_every_browser import smoke

from .conftest import Site


@pytest.mark.parametrize("name", BROWSERS)
def test_a_match_against_the_computer(name: str, site: Site, tmp_path: Path) -> None:
    with started(name, tmp_path / "profile") as tab:
        smoke(tab, site.address, registered(MAIN).title)
