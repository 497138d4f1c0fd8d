"""Reports: a player says that something looks wrong, and gets a file that shows where.

A report file is one JSON object, a `Report`. It holds the match as far as the player may know it, and nothing more:

- `Played` if the match is over or the player holds every role: all moves up to that position and the dice that fell.
  It never holds the seed, because the seed tells the dice to come, also those of the match it branched off.
- `Seen` otherwise: the view of the player's role, the events that their seat may see, and what the role was offered.
  It holds no digest, because a digest confirms a guess of what is hidden.

`make` writes a report; `read`, `position` and the functions that repeat an action are for whoever looks into it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

import msgspec

from sandtable.core import (
    BadFile,
    Event,
    Game,
    Malformed,
    Match,
    Odds,
    OtherVersion,
    Refusal,
    Rolled,
    SandtableError,
    SealedDice,
    Unknown,
    View,
)
from sandtable.core import replay as files
from sandtable.core.version import program_version
from sandtable.games import games, registered
from sandtable.odds.shown import shown

from . import messages as m
from . import sight
from .errors import NotFound
from .log import events_of, gone, is_seen, lines_of
from .records import MatchRow, MoveRow

FORMAT = 1
Fields = dict[str, Any]
"""An action as JSON has it."""


# ---- what the player clicked on
class Refused(msgspec.Struct, frozen=True, tag_field="what", tag="refusal"):
    """The rules said no. The action lacks its last fields where the player had not come that far."""

    role: str
    action: Fields | None
    text: str
    """The refusal as the player read it; empty where no rule was named."""


class Weighed(msgspec.Struct, frozen=True, tag_field="what", tag="odds"):
    """The odds of an action."""

    role: str
    action: Fields
    odds: Odds


class Happened(msgspec.Struct, frozen=True, tag_field="what", tag="event"):
    """One line of the log, with the other events of its move that the player may see."""

    role: str
    """Who made the move."""
    action: Fields | None
    """None where the player may not know it."""
    line: int
    """Which of the move's lines, from 0 on."""
    text: str
    events: list[msgspec.Raw]


About = Refused | Weighed | Happened


# ---- what the player may know of the match
class Die(msgspec.Struct, frozen=True):
    """A die that fell: its number in the match's dice stream, its sides and what it showed."""

    n: int
    sides: int
    value: int


class Played(msgspec.Struct, frozen=True, tag_field="kind", tag="match"):
    """The whole match up to the position."""

    moves: list[files.Line]
    dice: list[Die]


class SeenMove(msgspec.Struct, frozen=True):
    """What the player may know of one move."""

    n: int
    role: str
    events: list[msgspec.Raw]


class Seen(msgspec.Struct, frozen=True, tag_field="kind", tag="view"):
    """The position as a role may know it; role None is what everybody may know."""

    role: str | None
    roles: tuple[str, ...]
    """All roles of the player's seat: the events are those that any of them may see."""
    asked: tuple[str, ...]
    state: msgspec.Raw
    moves: list[SeenMove]
    offers: list[Any]


class Report(msgspec.Struct, frozen=True):
    """A report file."""

    sandtable_report: int
    program: str
    game: str
    rules: int
    scenario: str
    options: dict[str, bool | int | str]
    at: int
    """The position: after so many moves. An event happened in the move after it."""
    rule: str
    sentence: str
    about: About
    known: Played | Seen


# ---- making one
class Source(msgspec.Struct, frozen=True):
    """What a report is made from."""

    row: MatchRow
    past: Match[Any]
    """The match at the position."""
    moves: Sequence[MoveRow]
    """The moves up to the position, and for an event the one after it."""
    roles: Sequence[str]
    """The roles of the seat; all of them if the match is open."""
    role: str | None
    """Whose eyes."""
    language: str


def position_of(wish: m.AskReport) -> int:
    """Return the number of the last move before what the player clicked on."""
    if wish.about != "event":
        return wish.at
    if wish.at < 1:
        raise NotFound("nothing in the log happened before the first move")
    return wish.at - 1


def make(wish: m.AskReport, source: Source) -> Report:
    """Return the report that a player asks for."""
    past = source.past
    rule, about = _happened(wish, source) if wish.about == "event" else _asked(wish, source)
    return Report(
        sandtable_report=FORMAT,
        program=program_version(),
        game=source.row.game,
        rules=source.row.rules,
        scenario=source.row.scenario,
        options=dict(source.row.options),
        at=past.number,
        rule=rule,
        sentence=" ".join(wish.sentence.split()),
        about=about,
        known=_played(source) if set(source.roles) >= set(past.roles) else _seen(source),
    )


def write(report: Report) -> str:
    """Return the report as the text of a file, one line for each field."""
    fields = [(name, msgspec.json.encode(getattr(report, name)).decode()) for name in report.__struct_fields__]
    return "{\n" + ",\n".join(f'"{name}": {value}' for name, value in fields) + "\n}\n"


def _step_rule(source: Source) -> str:
    """Return the rule of the step that the role sees the match in."""
    stack: Any = source.past.view(source.role).state.stack
    return str(stack[-1].rule) if stack else "sandtable-over"


def _asked(wish: m.AskReport, source: Source) -> tuple[str, About]:
    if source.role is None:
        raise NotFound("a spectator is neither refused anything nor shown odds")
    if wish.about == "odds":
        if wish.action is None:
            raise SandtableError("a report on odds needs the action")
        found = weighed(source.past, source.role, wish.action)
        if found is None:
            raise NotFound("that action has no odds")
        cited = sorted(found.modifiers, key=lambda one: one.name != "rule")
        rule = next((one.rule for one in cited if one.rule), "") or _step_rule(source)
        return rule, Weighed(source.role, wish.action, found)
    refusal = None if wish.action is None else refused(source.past, source.role, wish.action)
    if refusal is None:
        return _step_rule(source), Refused(source.role, wish.action, "")
    return refusal.rule, Refused(source.role, wish.action, source.past.explain(refusal, source.language))


def _happened(wish: m.AskReport, source: Source) -> tuple[str, About]:
    move, game = source.moves[-1], source.past.game
    lines = list(lines_of(game, move, source.roles, game.texts(source.language)))
    if wish.line >= len(lines):
        raise NotFound(f"move {move.number} has {len(lines)} lines in the log")
    line = lines[wish.line]
    is_known = move.role in source.roles or game.public(source.past.state)
    action = json.loads(move.action) if is_known else None
    rule = line.dice[0].why if line.dice else _step_rule(source)
    return rule, Happened(move.role, action, wish.line, line.text, _seen_events(game, move, source.roles))


def _seen_events(game: Game[Any], move: MoveRow, roles: Sequence[str]) -> list[msgspec.Raw]:
    """Return what the roles may see of a move, as a report holds it."""
    told = _told(events_of(game, move), roles)
    return [msgspec.Raw(msgspec.json.encode(event)) for event in told]


def _told(events: Iterable[Event], roles: Sequence[str]) -> list[Event]:
    """Return the events that the roles may see, without who else saw them."""
    return [msgspec.structs.replace(event, seen_by=None) for event in events if is_seen(event, roles)]


def _before(source: Source) -> list[MoveRow]:
    return [move for move in source.moves if move.number <= source.past.number]


def _played(source: Source) -> Played:
    row, game = source.row, source.past.game
    moves = _before(source)
    start: Match[Any] = Match.new(game, row.scenario, row.options, seed=row.seed)
    events = [event for _, event in start.events]
    for move in source.moves:
        events += events_of(game, move)
    dice = [Die(event.number, event.sides, event.value) for event in events if isinstance(event, Rolled)]
    return Played([files.Line(x.number, x.role, msgspec.Raw(x.action), x.digest) for x in moves], dice)


def _seen(source: Source) -> Seen:
    past, role = source.past, source.role
    view = past.view(role)
    moves = _before(source)
    left_out = gone(moves)
    told = [SeenMove(x.number, x.role, _seen_events(past.game, x, source.roles)) for x in moves]
    is_asked = role is not None and role in past.decisions()
    offers = msgspec.to_builtins(sight.offers(past, role, "en")) if is_asked and role else []
    return Seen(
        role,
        tuple(source.roles),
        view.asked,
        msgspec.Raw(past.game.codec.to_json(view.state)),
        [one for one in told if one.events and one.n not in left_out],
        offers,
    )


# ---- reading one
def read(data: bytes) -> Report:
    """Return the report in a file, checked for shape only. Raises `BadFile` or `OtherVersion`."""
    try:
        told = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadFile("this is not a report: it is no JSON") from None
    if not isinstance(told, dict) or "sandtable_report" not in told:
        raise BadFile("this is not a report: it does not say that it is one")
    if told["sandtable_report"] != FORMAT:
        raise OtherVersion(f"this report has format {told['sandtable_report']}; this program reads format {FORMAT}")
    try:
        report = msgspec.json.decode(data, type=Report)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadFile(f"the report is damaged: {error}") from None
    known = report.known
    if isinstance(known, Played) and [line.n for line in known.moves] != list(range(1, report.at + 1)):
        raise BadFile(f"the report is damaged: it does not hold the moves 1 to {report.at}")
    return report


class KnownDice:
    """Dice that fall as they did; those that nobody has seen fall in one fixed way."""

    def __init__(self, dice: Iterable[Die]) -> None:
        self._known: Mapping[int, Die] = {die.n: die for die in dice}
        self._others = SealedDice("report")

    def value(self, number: int, sides: int) -> int:
        die = self._known.get(number)
        if die is None or die.sides != sides or not 1 <= die.value <= sides:
            return self._others.value(number, sides)
        return die.value


def game_of(report: Report) -> Game[Any]:
    """Return the game of a report. It must be one of `games()`: a file must not name a module to be imported."""
    if report.game not in games():
        raise Unknown(f"there is no game '{report.game}'; there is {', '.join(games())}")
    return registered(report.game)


def position(report: Report, *, verify: bool = False) -> Match[Any]:
    """Return the match at the position of the report.

    From a view it is a match that agrees with all that the player knew; what was hidden is drawn, always the same. With
    `verify` every state of a whole match is compared with its digest.
    """
    game = game_of(report)
    if report.rules > game.rules_version:
        raise OtherVersion(
            f"this report was made under version {report.rules} of the rules of {report.game}; "
            f"this program has version {game.rules_version}"
        )
    options = game.check_options(report.scenario, report.options)
    if isinstance(report.known, Seen):
        return _drawn(report, report.known, game)
    match: Match[Any] = Match.new(game, report.scenario, options, dice=KnownDice(report.known.dice))
    for _ in files.steps(match, report.known.moves, verify=verify, rules=report.rules if verify else None):
        pass
    return match


def _drawn(report: Report, known: Seen, game: Game[Any]) -> Match[Any]:
    state = game.codec.from_json(bytes(known.state))
    raws = [raw for move in known.moves for raw in move.events]
    raws += report.about.events if isinstance(report.about, Happened) else []
    dice = [Die(e.number, e.sides, e.value) for e in (event_in(game, raw) for raw in raws) if isinstance(e, Rolled)]
    try:
        if known.role is not None:
            view = View(game.id, known.role, report.at, known.asked, state)
            state = game.determinize(view, Random(0))
        match: Match[Any] = Match(game, state, KnownDice(dice), number=report.at)
        faults = match.faults() if known.role is not None else ()
        match.table(known.role)
    except Exception as error:  # a damaged state can break any rule of the game
        raise BadFile(f"the position in the report cannot be set up: {type(error).__name__}: {error}") from error
    if faults:
        raise BadFile(f"the position in the report is not sound: {faults[0]}")
    return match


def event_in(game: Game[Any], raw: msgspec.Raw) -> Event:
    """Return an event of a report."""
    try:
        return game.codec.event(bytes(raw))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(f"the report holds an event that is none of this game: {error}") from None


# ---- repeating what the player did
def refused(match: Match[Any], role: str, action: Fields) -> Refusal | None:
    """Return why an action is refused; one that lacks its last fields is checked as far as it goes."""
    try:
        whole = match.parse(action)
    except Malformed:
        return _refused_so_far(match, role, action)
    return match.why_not(role, whole)


def _refused_so_far(match: Match[Any], role: str, action: Fields) -> Refusal | None:
    for offer in match.as_known(role).offers(role).offers:
        if offer.verb != action.get("do"):
            continue
        values = []
        for field in offer.fields:
            if field.name not in action:
                break
            values.append(action[field.name])
        try:
            sight.checked_values(offer, values)
        except Refusal as refusal:
            return refusal
    return None


def repeated(match: Match[Any], report: Report) -> list[Event]:
    """Make the reported move again; returns what the player may see of it. Raises the refusal if it is not allowed."""
    about, known = report.about, report.known
    assert isinstance(about, Happened)
    assert about.action is not None
    roles = known.roles if isinstance(known, Seen) else match.roles
    return _told(match.apply(about.role, match.parse(about.action)), roles)


def weighed(match: Match[Any], role: str, action: Fields) -> Odds | None:
    """Return the odds that a role is shown of an action. Raises the refusal if it is not allowed."""
    return shown(match, role, match.parse(action))
