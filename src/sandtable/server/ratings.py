"""Ratings per game, for those who want them: matches that were made to count, between people who are known.

A match counts once, when it is over. Each player has played against everybody on the other sides: won, lost, or drawn.
Who sat in a seat at the end is who played it.
"""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select, update

from sandtable.games import registered

from . import schema as t
from .glicko import Strength, rated
from .storage import Store


async def count(store: Store, now: float) -> int:
    """Count the matches that are over and have not counted yet; returns how many."""
    query = select(t.matches).where(t.matches.c.rated == 1, t.matches.c.outcome.is_not(None)).limit(50)
    if not await store.work.read(lambda c: list(c.execute(query))):
        return 0

    def job(connection: Connection) -> int:
        rows = list(connection.execute(query).mappings())
        for row in rows:
            _count_one(connection, row, now)
            connection.execute(update(t.matches).where(t.matches.c.id == row["id"]).values(rated=2))
        return len(rows)

    return await store.work.write(job)


def _count_one(connection: Connection, row: Any, now: float) -> None:
    """Change the ratings of the players of one match."""
    game = registered(row["game"], row["rules"])
    side = {role: name for name, roles in game.alliances.items() for role in roles}
    outcome = msgspec.json.decode(row["outcome"])
    played: dict[str, tuple[set[str], float]] = {}
    seats = connection.execute(select(t.seats).where(t.seats.c.match == row["id"])).mappings().all()
    for seat in seats:
        if seat["kind"] != "person" or not seat["person"]:
            return  # with the computer, or with somebody nobody knows, it does not count
        roles = msgspec.json.decode(seat["roles"], type=list[str])
        won = 0.5 if not outcome["winners"] else float(any(role in outcome["winners"] for role in roles))
        sides, _ = played.get(seat["person"], (set(), won))
        played[seat["person"]] = (sides | {side.get(role, role) for role in roles}, won)
    before = {person: _strength(connection, person, row["game"]) for person in played}
    for person, (sides, won) in played.items():
        results = [
            (before[other][0], 0.5 if won == others_won else float(won > others_won))
            for other, (others, others_won) in played.items()
            if other != person and not sides & others
        ]
        if not results:
            continue
        strength, matches = rated(before[person][0], results), before[person][1]
        values = {**strength._asdict(), "matches": matches + 1, "at": now}
        mine = (t.ratings.c.person == person, t.ratings.c.game == row["game"])
        if connection.execute(update(t.ratings).where(*mine).values(values)).rowcount == 0:
            connection.execute(insert(t.ratings), {"person": person, "game": row["game"], **values})


def _strength(connection: Connection, person: str, game: str) -> tuple[Strength, int]:
    query = select(t.ratings).where(t.ratings.c.person == person, t.ratings.c.game == game)
    found = connection.execute(query).mappings().first()
    if found is None:
        return Strength(), 0
    return Strength(found["rating"], found["deviation"], found["volatility"]), found["matches"]
