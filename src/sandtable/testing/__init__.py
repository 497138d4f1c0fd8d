"""What a game's tests are made of, for the games here and for games that live elsewhere.

Position        a small position to test a rule on; each game makes one subclass of it
contract        every promise that a game must keep, each as a check that a test can run
check_golden    one seeded match as a readable file, compared line by line
fuzz            random legal play, or computer players, with every promise checked on the way
drawn_setting   a scenario and options, drawn at random
"""

from .contracts import Check, check_game, contract
from .fuzzing import LOOK_EVERY, FuzzFailure, Report, drawn_setting, fuzz, random_play
from .golden import check_golden, check_golden_table
from .position import Parked, Position

__all__ = [
    "LOOK_EVERY", "Check", "FuzzFailure", "Parked", "Position", "Report", "check_game", "check_golden",
    "check_golden_table", "contract", "drawn_setting", "fuzz", "random_play",
]  # fmt: skip
