"""The checkout that the command runs from. Some verbs need its tests, which an installed package does not have."""

from pathlib import Path

from sandtable.cli.app import BadInput


def checkout(verb: str) -> Path:
    home = Path(__file__).resolve().parents[3]
    if not (home / "tests").is_dir() or not (home / "pyproject.toml").is_file():
        raise BadInput(f"{verb} runs in a checkout of Sandtable, and this is an installed package")
    return home
