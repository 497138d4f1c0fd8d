"""The examples at the head of each page of the board package are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import sandtable.board

PAGES = sorted(page.name for page in pkgutil.iter_modules(sandtable.board.__path__))


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page(page: str) -> None:
    result = doctest.testmod(importlib.import_module(f"sandtable.board.{page}"))
    assert result.attempted > 0
    assert result.failed == 0
