"""Older versions of the games' rules, so that every saved match replays under the rules it was played by.

A pin is a zip file named `<game>_<rules version>.zip`. It holds the game's whole folder as it was, under that name, and
is imported like any other package. `tools/pin.py` makes one before a change of play raises `rules_version`.
"""

from pathlib import Path

PINS = {path.stem: path for path in sorted(Path(__file__).parent.glob("*.zip"))}
__path__ += [str(path) for path in PINS.values()]
