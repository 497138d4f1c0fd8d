"""Parsing of what users type; every error is one clear sentence."""

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandtable.cli.app import BadInput

if TYPE_CHECKING:
    from sandtable.core import Game

HOME = Path(__file__).resolve().parents[3]


def find_game(name: str, rules: int | None = None) -> "Game[Any]":
    """A game by its id, or by 'module:attribute', which may be in the current folder or the checkout."""
    import sandtable

    find_modules(name)
    return sandtable.find(name, rules)


def find_modules(name: str) -> None:
    """Let 'module:attribute' name a module in the current folder or the checkout."""
    if ":" in name:
        sys.path += [folder for folder in (str(Path.cwd()), str(HOME)) if folder not in sys.path]


def find_scenario(game: "Game[Any]", name: str) -> str:
    if name not in game.scenarios:
        raise BadInput(f"{game.id} has no scenario '{name}'; it has {', '.join(game.scenarios)}")
    return name


def read_options(game: "Game[Any]", words: Sequence[str]) -> dict[str, Any]:
    """Options from NAME or NAME=VALUE; a value is one of the option's choices."""
    chosen: dict[str, Any] = {}
    for word in words:
        name, has_value, text = word.partition("=")
        option = game.options.get(name)
        if option is None:
            raise BadInput(f"{game.id} has no option '{name}'; it has {', '.join(game.options) or 'none'}")
        allowed = {str(choice).lower(): choice for choice in option.choices or (False, True)}
        if not has_value and option.choices:
            raise BadInput(f"the option '{name}' needs a value: one of {', '.join(allowed)}")
        if has_value and text.lower() not in allowed:
            raise BadInput(f"the option '{name}' cannot be '{text}'; it can be {', '.join(allowed)}")
        chosen[name] = allowed[text.lower()] if has_value else True
    return chosen


def read_assumptions(game: "Game[Any]", words: Sequence[str]) -> dict[str, Any]:
    """Assumptions of odds from NAME or NAME=VALUE; a list of names is separated by commas."""
    chosen: dict[str, Any] = {}
    for word in words:
        name, has_value, text = word.partition("=")
        assumption = game.assumptions.get(name)
        chosen[name] = True if not has_value else text
        if assumption is None or not has_value:
            continue
        if isinstance(assumption.default, tuple):
            chosen[name] = tuple(part.strip() for part in text.split(",") if part.strip())
        elif isinstance(assumption.default, bool):
            chosen[name] = {"true": True, "false": False}.get(text.lower(), text)
        else:
            with contextlib.suppress(ValueError):  # `Game.check_assumptions` refuses what is still text
                chosen[name] = float(text)
    return game.check_assumptions(chosen)


def positive(text: str) -> int:
    """A whole number above 0, for argparse."""
    number = whole_number(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number above zero")
    return number


def not_negative(text: str) -> int:
    """A whole number from 0 on, for argparse."""
    number = whole_number(text)
    if number is None or number < 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 on")
    return number


def whole_number(text: str) -> int | None:
    """A whole number, written as 100000, 100_000 or 100,000; None for anything else."""
    digits = text.replace("_", "").replace(",", "")
    return int(digits) if digits.removeprefix("-").isdecimal() and len(digits) < 20 else None


def read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror or error}") from error
