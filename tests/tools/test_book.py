"""The printed books say what the books say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import book


def test_the_printed_books_are_up_to_date() -> None:
    assert book.main(["--check"]) == 0


def test_a_stale_book_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(book, "FOLDER", tmp_path)
    assert book.main(["--check"]) == 1
    assert "run python -m tools.book" in capsys.readouterr().out
    assert book.main([]) == 0
    assert book.main(["--check"]) == 0
