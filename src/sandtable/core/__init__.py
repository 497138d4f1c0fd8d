"""The core: match, step stack, decisions, offers, actions, events, dice, undo, replay, views. No game, no board."""

from .chronicle import Chronicle, Milestone
from .data import (
    Action,
    Draw,
    Ended,
    Event,
    Order,
    Orders,
    Outcome,
    Pass,
    Resign,
    Role,
    Rolled,
    RuleId,
    State,
    Undo,
    Undone,
)
from .dice import Dice, OutOfDice, ScriptedDice, SealedDice, branched_seed, seed_hash
from .domains import (
    Amounts,
    Domain,
    Named,
    NamedBits,
    Names,
    NothingToChoose,
    Numbers,
    OneOf,
    Subsets,
    Walks,
    Where,
)
from .errors import (
    BadFile,
    BrokenRules,
    Diverged,
    Malformed,
    OtherVersion,
    Refusal,
    SandtableError,
    Unknown,
)
from .game import Game, Option, Scenario, View
from .match import Entry, Match
from .odds import End, Modifier, Odds, Result, Trial
from .offers import Choices, Field, Gesture, Offer, Offers
from .play import Play
from .referee import Difference, Referee
from .step import Step
from .text import LANGUAGES, Texts
from .windows import Window

__all__ = [
    "LANGUAGES", "Action", "Amounts", "BadFile", "BrokenRules", "Choices", "Chronicle", "Dice", "Difference",
    "Diverged", "Domain", "Draw", "End", "Ended", "Entry", "Event", "Field", "Game", "Gesture", "Malformed", "Match",
    "Milestone", "Modifier", "Named", "NamedBits", "Names", "NothingToChoose", "Numbers", "Odds", "Offer", "Offers",
    "OneOf", "Option", "Order", "Orders", "OtherVersion", "OutOfDice", "Outcome", "Pass", "Play", "Referee", "Refusal",
    "Resign", "Result", "Role", "Rolled", "RuleId", "SandtableError", "Scenario", "ScriptedDice", "SealedDice", "State",
    "Step", "Subsets", "Texts", "Trial", "Undo", "Undone", "Unknown", "View", "Walks", "Where", "Window",
    "branched_seed", "seed_hash",
]  # fmt: skip
