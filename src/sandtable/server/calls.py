"""Calling players back: who is waited for, whether they have been told, and when they may be.

The loop looks at the matches that have changed since it last looked. A wait is kept until its player has moved, so
nobody is told twice of the same one, and a server that was down tells it when it is up again. A player is told by the
roads they chose (`roads.py`): not while they sit at the table, not in their quiet hours, and not more often than they
like. Then one message names all the matches that wait.
"""

from __future__ import annotations

import datetime as dt
import logging
import zoneinfo
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from sandtable.core import SandtableError, Texts
from sandtable.games import registered
from sandtable.host import Host
from sandtable.host.lobby import game_info
from sandtable.host.records import Glance, MatchRow
from sandtable.host.sight import turn_name

from . import schema as t
from .people import People, Person
from .roads import Call, Roads

log = logging.getLogger("sandtable.server")
EVERY_SECONDS = 5.0
WAIT_SECONDS = 60.0
"""How long a move waits before its player is called: who sits at the screen has seen it by then."""
OVERLAP, FORGET = 30.0, 86_400.0
PACES = {"each": 0.0, "hour": 3600.0, "day": 86_400.0}
MOST_TRIES = 8
LEASE = "-calls"

WORDS = {
    "en": {
        "move": "Your move",
        "moves": "Your move in {n} matches",
        "over": "A match is over",
        "waits": "{match}: you are {roles}{against}.",
        "left": " {time} left.",
        "ended": "{match}: the match is over{against}.",
        "against": ", against {names}",
        "computer": "the computer",
        "days": "{n} days",
        "hours": "{n} hours",
        "minutes": "{n} minutes",
        "confirm": "Confirm your address",
        "confirm-line": "Somebody, probably you, wants to be told of their move in Sandtable at this address. If it "
        "was not you, do nothing.",
        "test": "This is how you are called when it is your move.",
        "due": "Your move is due",
        "feed": "Sandtable: my moves",
    },
    "de": {
        "move": "Du bist am Zug",
        "moves": "Du bist in {n} Partien am Zug",
        "over": "Eine Partie ist zu Ende",
        "waits": "{match}: du spielst {roles}{against}.",
        "left": " Noch {time}.",
        "ended": "{match}: Die Partie ist zu Ende{against}.",
        "against": ", gegen {names}",
        "computer": "den Computer",
        "days": "{n} Tage",
        "hours": "{n} Stunden",
        "minutes": "{n} Minuten",
        "confirm": "Bestätige deine Adresse",
        "confirm-line": "Jemand, vermutlich du, möchte unter dieser Adresse von den eigenen Zügen in Sandtable "
        "erfahren. Wenn du es nicht warst, tu nichts.",
        "test": "So wirst du gerufen, wenn du am Zug bist.",
        "due": "Dein Zug ist fällig",
        "feed": "Sandtable: meine Züge",
    },
}


class Wait(msgspec.Struct):
    """Somebody who is waited for, or whose match is over."""

    match: str
    place: int
    person: str
    what: str
    number: int
    since: float
    called: bool
    tries: int


class Caller:
    """Looks who is waited for, and calls them."""

    def __init__(self, host: Host, people: People, roads: Roads, *, wait: float = WAIT_SECONDS) -> None:
        self.host, self.people, self.roads, self.wait = host, people, roads, wait
        self.store = people.store
        self._seen = 0.0
        """The last change of a match that was looked at."""

    async def round(self) -> None:
        """Look once, and call whom it is time to call."""
        if not await self.store.lease(LEASE, self.host.now(), EVERY_SECONDS * 4):
            return  # another process does it
        await self.look()
        for person, waits in (await self._due()).items():
            await self._call(person, waits)

    async def look(self) -> None:
        """Note who is waited for in the matches that have changed."""
        after, now = self._seen - OVERLAP, self.host.now()
        self._seen = await self.store.work.write(lambda c: max(self._seen, _note(c, after, now)))

    async def _due(self) -> Mapping[str, list[Wait]]:
        query = select(t.waits).where(~t.waits.c.called, t.waits.c.tries < MOST_TRIES).order_by(t.waits.c.since)
        found = await self.store.work.read(lambda c: [Wait(**row) for row in c.execute(query).mappings()])
        now, due = self.host.now(), dict[str, list[Wait]]()
        for wait in found:
            patience = self.wait if wait.tries == 0 else 60.0 * 2**wait.tries
            if now - wait.since >= patience and not self.host.is_connected(wait.match, wait.place):
                due.setdefault(wait.person, []).append(wait)
        return due

    async def _call(self, name: str, waits: list[Wait]) -> None:
        person, now = await self.people.person(name), self.host.now()
        if is_quiet(person, now) or now - person.called < PACES[person.calls.pace]:
            return
        call = await self.words(person, waits)
        reached = await self.roads.call(person, call)
        which = [(t.waits.c.match == wait.match) & (t.waits.c.place == wait.place) for wait in waits]

        def job(connection: Connection) -> None:
            for one in which:
                change = {"called": True} if reached else {"tries": t.waits.c.tries + 1}
                connection.execute(update(t.waits).where(one).values(change))
            if reached:
                connection.execute(update(t.people).where(t.people.c.id == name).values(called=now))

        await self.store.work.write(job)

    async def words(self, person: Person, waits: Sequence[Wait]) -> Call:
        """Return what a person is told of the matches that wait for them."""
        lines, words = [], WORDS[person.lang]
        for wait, line in await self.lines(person, waits):
            lines.append((wait, line))
        moves = [wait for wait, _ in lines if wait.what == "move"]
        title = words["over"] if not moves else words["move"]
        if len(moves) > 1:
            title = words["moves"].format(n=len(moves))
        link = f"{person.origin}/m/{lines[0][0].match}" if len(lines) == 1 else f"{person.origin}/"
        news = await self._news(person, moves) if person.calls.mail and person.mail else []
        return Call(title, [line for _, line in lines], link, news)

    async def _news(self, person: Person, waits: Sequence[Wait]) -> list[str]:
        """Return what has happened in each match since the person's last move, as they may know it."""
        found = []
        for wait in waits:
            try:
                visit = await self.host.visit(wait.match, None, person.lang, person.id)
                found.append((await visit.digest(None)).text)
            except SandtableError:  # the call goes out all the same
                log.warning("a match that waits could not be told in a mail", exc_info=True)
        return found

    async def lines(self, person: Person, waits: Sequence[Wait]) -> list[tuple[Wait, str]]:
        """Return one sentence for each match that waits: only what everybody at the table may know."""
        ids = [wait.match for wait in waits]
        rows = {row.id: row for row in await self.store.list_matches(ids)}
        glances, now = await self.store.glance(ids), self.host.now()
        return [
            (wait, describe(rows[wait.match], glances[wait.match], wait, person.lang, now))
            for wait in waits
            if wait.match in rows
        ]

    async def waits_of(self, person: str) -> list[Wait]:
        """Return the matches that wait for somebody, and those of theirs that have ended lately."""
        query = select(t.waits).where(t.waits.c.person == person).order_by(t.waits.c.since.desc()).limit(50)
        return await self.store.work.read(lambda c: [Wait(**row) for row in c.execute(query).mappings()])


def describe(row: MatchRow, glance: Glance, wait: Wait, lang: str, now: float) -> str:
    """Return one sentence about a match."""
    words, game = WORDS[lang], registered(row.game, row.rules)
    info, texts = game_info(game, lang), game.texts(lang)
    scenario = next((one.name for one in info.scenarios if one.id == row.scenario), row.scenario)
    mine = next((seat.roles for seat in glance.seats if seat.place == wait.place), ())
    names = [
        words["computer"] if seat.kind == "computer" else seat.name or _roles(texts, seat.roles)
        for seat in glance.seats
        if seat.place != wait.place
    ]
    against = words["against"].format(names=", ".join(names)) if names else ""
    match = f"{info.title}: {scenario}"
    if wait.what == "over":
        return words["ended"].format(match=match, against=against)
    turn = turn_name(game, row.turn, lang)
    named = f"{match} ({turn})" if turn else match
    text = words["waits"].format(match=named, roles=_roles(texts, mine), against=against)
    due = due_at(glance, mine)
    return text if due is None else text + words["left"].format(time=_span(words, max(0.0, due - now)))


def due_at(glance: Glance, roles: Sequence[str]) -> float | None:
    """Return when the first running clock of these roles runs out."""
    running = [since + left for role, (left, since) in glance.hands.items() if since is not None and role in roles]
    return min(running, default=None)


def _roles(texts: Texts, roles: Sequence[str]) -> str:
    return ", ".join(texts.name(f"@{role}") for role in roles)


def _span(words: Mapping[str, str], seconds: float) -> str:
    if seconds >= 2 * 86_400:
        return words["days"].format(n=int(seconds // 86_400))
    if seconds >= 2 * 3600:
        return words["hours"].format(n=int(seconds // 3600))
    return words["minutes"].format(n=int(seconds // 60))


def is_quiet(person: Person, now: float) -> bool:
    """Whether it is a time of day at which this person does not want to hear anything."""
    calls = person.calls
    local = dt.datetime.fromtimestamp(now, zoneinfo.ZoneInfo(calls.zone))
    minute = local.hour * 60 + local.minute
    if calls.quiet_from <= calls.quiet_to:
        return calls.quiet_from <= minute < calls.quiet_to
    return minute >= calls.quiet_from or minute < calls.quiet_to


def _note(connection: Connection, after: float, now: float) -> float:
    """Bring the waits of matches that changed after a moment up to date; returns when the last of them changed."""
    query = (
        select(t.seats, t.matches.c.number, t.matches.c.asked, t.matches.c.outcome, t.matches.c.updated)
        .join(t.matches, t.matches.c.id == t.seats.c.match)
        .where(t.matches.c.updated > after, t.matches.c.kind.in_(("live", "branch")), t.seats.c.person != "")
    )
    rows = list(connection.execute(query).mappings())
    ids = {row["match"] for row in rows}
    there = {(row["match"], row["place"]): Wait(**row) for row in _in_parts(connection, ids)}
    for row in rows:
        wait, key = _wait(row, now), (row["match"], row["place"])
        old = there.get(key)
        if _is_told_of(connection, row, old, wait):
            continue
        if old is not None:
            mine = (t.waits.c.match == key[0], t.waits.c.place == key[1])
            connection.execute(delete(t.waits).where(*mine))
        if wait is not None:
            connection.execute(insert(t.waits), msgspec.structs.asdict(wait))
    return max((row["updated"] for row in rows), default=0.0)


def _in_parts(connection: Connection, ids: set[str]) -> Sequence[Any]:
    """Return the waits of these matches; a statement takes only so many names."""
    names, found = sorted(ids), list[Any]()
    for first in range(0, len(names), 500):
        query = select(t.waits).where(t.waits.c.match.in_(names[first : first + 500]))
        found += connection.execute(query).mappings()
    return found


def _wait(row: Mapping[Any, Any], now: float) -> Wait | None:
    """Return what a seat waits to be told; None if that is nothing."""
    if row["outcome"] is not None:
        is_old = row["updated"] < now - FORGET  # it ended before anybody could be told
        return Wait(row["match"], row["place"], row["person"], "over", row["number"], row["updated"], is_old, 0)
    roles, asked = (msgspec.json.decode(row[name], type=list[str]) for name in ("roles", "asked"))
    is_waited_for = any(role in asked for role in roles) and not (row["handed_over"] or row["lent"])
    if not is_waited_for:
        return None
    return Wait(row["match"], row["place"], row["person"], "move", row["number"], row["updated"], False, 0)


def _is_told_of(connection: Connection, row: Mapping[Any, Any], old: Wait | None, wait: Wait | None) -> bool:
    """Whether what a seat waits for is what it waited for before."""
    if old is None or wait is None or (old.what, old.person) != (wait.what, wait.person):
        return False
    return wait.what == "over" or not _has_moved(connection, row, old.number)


def _has_moved(connection: Connection, row: Mapping[Any, Any], since: int) -> bool:
    """Whether a seat has made a move after that number."""
    roles = msgspec.json.decode(row["roles"], type=list[str])
    query = select(func.max(t.moves.c.number)).where(t.moves.c.match == row["match"], t.moves.c.role.in_(roles))
    return (connection.execute(query).scalar() or 0) > since
