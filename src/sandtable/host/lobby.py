"""What a lobby shows: the games, their rules, and lists of matches."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandtable.core import Game
from sandtable.games import games, registered
from sandtable.players import levels

from . import messages as m
from .log import lines
from .records import Glance, MatchRow, SeatRow
from .sight import turn_name


def list_games(language: str) -> list[m.GameInfo]:
    return [game_info(registered(name), language) for name in games()]


def game_info(game: Game[Any], language: str) -> m.GameInfo:
    """Return what a lobby needs to know of a game."""
    texts = game.texts(language)

    def words(kind: str, name: str) -> tuple[str, str]:
        title, blurb = f"{kind}.{name}.name", f"{kind}.{name}.blurb"
        title = title if title in texts else f"{kind}.{name}"
        return (texts.say(title) if title in texts else name), (texts.say(blurb) if blurb in texts else "")

    side = {role: name for name, roles in game.alliances.items() for role in roles}
    return m.GameInfo(
        id=game.id,
        title=texts.say("game.title") if "game.title" in texts else game.title,
        blurb=texts.say("game.blurb") if "game.blurb" in texts else "",
        roles=[m.RoleInfo(role, texts.name(f"@{role}"), side.get(role, role)) for role in game.roles],
        alliances={name: list(roles) for name, roles in game.alliances.items()},
        scenarios=[
            m.ScenarioInfo(s.id, *words("scenario", s.id), list(game.roles_in(s.id)), s.turns)
            for s in game.scenarios.values()
        ],
        options=[
            m.OptionInfo(
                o.id, *words("option", o.id), o.default, list(o.choices), list(o.scenarios), o.rule, dict(o.even)
            )
            for o in game.options.values()
        ],
        levels=list(levels(game)),
        windows=list(game.windows()),
        has_map=(game.home / "data" / "map.json").exists(),
        terms={key.removeprefix("term."): word for key, word in texts.sentences.items() if key.startswith("term.")},
    )


@functools.cache
def rules_of(game: str, language: str) -> list[m.RuleInfo]:
    """Return the rules of a game, item by item. What `text/ledger.<language>.toml` does not have is in English."""
    home = registered(game).home
    items = _read(home / "data" / "ledger.toml").get("rule", [])
    translated = _read(home / "text" / f"ledger.{language}.toml")
    return [
        m.RuleInfo(
            item["id"], item["title"], item["says"], item.get("scope", ""), item.get("kind", ""), item.get("doubt", "")
        )
        for item in ({**item, **translated.get(item["id"], {})} for item in items)
    ]


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def is_mine(seats: Sequence[SeatRow], you: Sequence[SeatRow]) -> bool:
    """Whether nobody else sits at a match."""
    places, person = {seat.place for seat in you}, next((seat.person for seat in you if seat.person), None)
    return all(not s.is_claimed or s.place in places or (person and s.person == person) for s in seats)


def match_line(row: MatchRow, you: Sequence[SeatRow], glance: Glance, language: str, now: float) -> m.MatchLine:
    """Return a match as a list shows it to who sits in these seats."""
    game, places = registered(row.game, row.rules), {seat.place for seat in you}
    roles = [role for seat in you for role in seat.roles]
    running = [(left, since) for role, (left, since) in glance.hands.items() if since is not None and role in row.asked]
    happened = lines(game, glance.moves, list(game.roles) if row.is_open else roles, language)
    return m.MatchLine(
        match=row.id,
        game=row.game,
        scenario=row.scenario,
        turn=turn_name(game, row.turn, language),
        number=row.number,
        asked=row.asked,
        you=roles,
        over=row.outcome is not None,
        updated=row.updated,
        public=row.public,
        kind=row.kind,
        secret=next((seat.secret for seat in you if seat.secret), None),
        players=[
            m.PlayerFace(s.roles, s.kind, s.level, s.name, s.colour, s.invitation, s.place in places)
            for s in glance.seats
        ],
        since=row.updated,
        left=min((left - max(0.0, now - since) for left, since in running), default=None),
        last=next((line.text for line in reversed(happened) if line.text), ""),
        archived=any(seat.archived for seat in you),
        mine=bool(you) and is_mine(glance.seats, you),
        challenge=row.challenge and any(seat.invitation for seat in glance.seats),
        rated=row.rated > 0,
        staff=row.staff,
        clock=None if row.clock is None else m.ClockWish(**row.clock),
    )
