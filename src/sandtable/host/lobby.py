"""What a lobby shows: the games, their rules, and lists of matches."""

from __future__ import annotations

import functools
import tomllib
from typing import Any

from sandtable.core import Game
from sandtable.games import games, registered
from sandtable.players import levels

from . import messages as m
from .records import MatchRow
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
            m.OptionInfo(o.id, *words("option", o.id), o.default, list(o.choices), list(o.scenarios), o.rule)
            for o in game.options.values()
        ],
        levels=list(levels(game)),
        windows=list(game.windows()),
        has_map=(game.home / "data" / "map.json").exists(),
    )


@functools.cache
def rules_of(game: str) -> list[m.RuleInfo]:
    """Return the rules of a game, item by item."""
    path = registered(game).home / "data" / "ledger.toml"
    items = tomllib.loads(path.read_text(encoding="utf-8"))["rule"] if path.exists() else []
    return [
        m.RuleInfo(item["id"], item["title"], item["says"], item.get("scope", ""), item.get("kind", ""))
        for item in items
    ]


def match_line(row: MatchRow, you: list[str], secret: str | None, language: str) -> m.MatchLine:
    return m.MatchLine(
        match=row.id,
        game=row.game,
        scenario=row.scenario,
        turn=turn_name(registered(row.game, row.rules), row.turn, language),
        number=row.number,
        asked=row.asked,
        you=you,
        over=row.outcome is not None,
        updated=row.updated,
        public=row.public,
        kind=row.kind,
        secret=secret,
    )
