"""People: a name and a colour, without registering.

A person is known by a key that their browser keeps; the database has only its hash. Each device has a key of its own.
A link that works once, for ten minutes, brings another device in. An account elsewhere (`accounts.py`) does the same.
"""

from __future__ import annotations

import secrets
import zoneinfo
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from sandtable.core import LANGUAGES, SandtableError
from sandtable.host.errors import Busy, HostError, NotFound
from sandtable.host.messages import Colour, Label
from sandtable.host.seats import hash_secret, new_id

from . import schema as t
from .storage import Store

MOVE_SECONDS, CONFIRM_SECONDS = 600.0, 86_400.0
MOST_DEVICES, MOST_PUSHES, MOST_NEW = 20, 10, 200
Minute = Annotated[int, msgspec.Meta(ge=0, lt=1440)]
Address = Annotated[str, msgspec.Meta(max_length=254, pattern=r"^[^@\s,;<>\u0000]+@[^@\s,;<>\u0000]+$")]


class Calls(msgspec.Struct, forbid_unknown_fields=True):
    """How somebody wants to be called when it is their move."""

    push: bool = True
    mail: bool = False
    hook: Annotated[str, msgspec.Meta(max_length=500)] = ""
    """An address that takes a message as JSON, as Discord's and Slack's webhooks do."""
    pace: Literal["each", "hour", "day"] = "each"
    """At most one message: for each move, an hour, a day. It names all matches that wait."""
    quiet_from: Minute = 0
    """No message between these minutes of their day; none are quiet where they are the same."""
    quiet_to: Minute = 0
    zone: Annotated[str, msgspec.Meta(max_length=64)] = "UTC"


class Person(msgspec.Struct):
    """A row of the table."""

    id: str
    name: str
    colour: str
    lang: str
    created: float
    subject: str | None
    mail: str
    calls: Calls
    origin: str
    feed: str
    called: float


class Device(msgspec.Struct):
    id: str
    """The first characters of the hash of its key: enough to name it, too little to open anything."""
    label: str
    created: float
    this: bool


class Rating(msgspec.Struct):
    """Glicko-2: a rating, and how sure it is."""

    game: str
    rating: float
    deviation: float
    volatility: float
    matches: int
    at: float


class RatedFace(msgspec.Struct):
    """A place in the table of a game."""

    name: str
    colour: str
    rating: float
    deviation: float
    matches: int
    you: bool


class Me(msgspec.Struct):
    """What a person is told about themself."""

    id: str
    name: str
    colour: str
    lang: str
    account: bool
    """They have signed in with an account elsewhere."""
    mail: str
    """Their confirmed address."""
    calls: Calls
    feed: str
    devices: list[Device]
    pushes: int
    ratings: list[Rating]


class SetMe(msgspec.Struct, forbid_unknown_fields=True):
    name: Label
    colour: Colour = ""
    lang: Annotated[str, msgspec.Meta(max_length=8)] = "en"
    device: Label = ""
    """What this browser is called, in a list of one's devices."""


class Known(msgspec.Struct):
    """Me, and the key of this device if it is new."""

    me: Me
    key: str | None


class Moved(msgspec.Struct):
    """What another device is opened with, once."""

    token: str
    seconds: float


class Token(msgspec.Struct, forbid_unknown_fields=True):
    token: Annotated[str, msgspec.Meta(max_length=64)]
    device: Label = ""


class PushKeys(msgspec.Struct, forbid_unknown_fields=True):
    p256dh: Annotated[str, msgspec.Meta(max_length=200)]
    auth: Annotated[str, msgspec.Meta(max_length=100)]


class Subscription(msgspec.Struct, forbid_unknown_fields=True):
    """A browser's push subscription, as it gives it to us."""

    endpoint: Annotated[str, msgspec.Meta(max_length=1000)]
    keys: PushKeys
    expirationTime: float | None = None  # noqa: N815


class NotKnown(HostError):
    """The key of a person is needed, or the one given is wrong."""

    status, code = 401, "no-person"


def new_key() -> str:
    return secrets.token_urlsafe(16)


class People:
    """All people of one database."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        self.store, self.now = store, now
        self._made: dict[tuple[str, int], int] = {}
        """How many people each client has made on a day."""

    # ---- who asks
    async def who(self, key: str | None) -> str:
        """Return the id of the person with this key; '' if there is none."""
        if not key:
            return ""
        query = select(t.keys.c.person).where(t.keys.c.hash == hash_secret(key), t.keys.c.kind == "device")
        return await self.store.work.read(lambda c: str(c.execute(query).scalar() or ""))

    async def must(self, key: str | None) -> str:
        """Return the id of the person with this key. Raises if there is none."""
        person = await self.who(key)
        if not person:
            raise NotKnown("this browser is not known here: choose a name first")
        return person

    async def person(self, person: str) -> Person:
        query = select(t.people).where(t.people.c.id == person)
        found = await self.store.work.read(lambda c: c.execute(query).mappings().first())
        if found is None:
            raise NotFound("there is no such person")
        return _person(found)

    async def by_feed(self, token: str) -> Person:
        query = select(t.people).where(t.people.c.feed == token)
        found = await self.store.work.read(lambda c: c.execute(query).mappings().first())
        if found is None:
            raise NotFound("there is no such feed")
        return _person(found)

    async def me(self, person: str, key: str | None) -> Me:
        found, mine = await self.person(person), hash_secret(key or "")
        devices = select(t.keys).where(t.keys.c.person == person, t.keys.c.kind == "device").order_by(t.keys.c.created)
        pushes = select(func.count()).where(t.pushes.c.person == person)
        ratings = select(t.ratings).where(t.ratings.c.person == person)

        def job(connection: Connection) -> Me:
            return Me(
                found.id,
                found.name,
                found.colour,
                found.lang,
                found.subject is not None,
                found.mail,
                found.calls,
                found.feed,
                [
                    Device(row["hash"][:12], row["label"], row["created"], row["hash"] == mine)
                    for row in connection.execute(devices).mappings()
                ],
                int(connection.execute(pushes).scalar_one()),
                [_rating(row) for row in connection.execute(ratings).mappings()],
            )

        return await self.store.work.read(job)

    # ---- becoming somebody
    async def make(self, wish: SetMe, origin: str, client: str, subject: str | None = None) -> tuple[str, str]:
        """Add a person; returns their id and the key of their first device."""
        day = (client, int(self.now() // 86_400))
        if self._made.get(day, 0) >= MOST_NEW:
            raise Busy("too many new names from your address today")
        self._made = {one: n for one, n in self._made.items() if one[1] == day[1]} | {day: self._made.get(day, 0) + 1}
        person, key = new_id(), new_key()
        values = {
            "id": person,
            "name": wish.name,
            "colour": wish.colour,
            "lang": _language(wish.lang),
            "created": self.now(),
            "subject": subject,
            "calls": _text(Calls()),
            "origin": origin,
            "feed": new_id(),
        }

        def job(connection: Connection) -> None:
            connection.execute(insert(t.people), values)
            self._add_key(connection, person, key, "device", wish.device, None)

        await self.store.work.write(job)
        return person, key

    async def change(self, person: str, wish: SetMe, origin: str) -> None:
        """Change name, colour and language. At a table a player keeps the name they sat down with."""
        values = {"name": wish.name, "colour": wish.colour, "lang": _language(wish.lang), "origin": origin}
        change = update(t.people).where(t.people.c.id == person).values(values)
        await self.store.work.write(lambda c: c.execute(change))

    def _add_key(
        self, connection: Connection, person: str, key: str, kind: str, label: str, until: float | None
    ) -> None:
        row = {"hash": hash_secret(key), "person": person, "kind": kind, "label": label}
        connection.execute(insert(t.keys), {**row, "created": self.now(), "until": until})

    # ---- devices
    async def once(self, person: str, kind: str, label: str, seconds: float) -> str:
        """Return a key that works once and not for long."""
        key = new_key()

        def job(connection: Connection) -> None:
            connection.execute(delete(t.keys).where(t.keys.c.until < self.now()))
            open_ones = select(func.count()).where(t.keys.c.person == person, t.keys.c.until.is_not(None))
            if connection.execute(open_ones).scalar_one() >= MOST_DEVICES:
                raise Busy("there are too many links that wait to be used; use one of them, or wait")
            self._add_key(connection, person, key, kind, label, self.now() + seconds)

        await self.store.work.write(job)
        return key

    async def use(self, token: str, kind: str) -> tuple[str, str]:
        """Use up a key that works once; returns whose it is, and its label."""
        mine = (t.keys.c.hash == hash_secret(token), t.keys.c.kind == kind, t.keys.c.until >= self.now())

        def job(connection: Connection) -> tuple[str, str] | None:
            found = connection.execute(select(t.keys.c.person, t.keys.c.label).where(*mine)).first()
            if found is None or connection.execute(delete(t.keys).where(*mine)).rowcount == 0:
                return None
            return found[0], found[1]

        found = await self.store.work.write(job)
        if found is None:
            raise NotKnown("this link has been used, or is too old: make a new one")
        return found

    async def join(self, token: str, device: str) -> tuple[str, str]:
        """Bring a device in by a link that works once; returns the person and the device's key."""
        person, _ = await self.use(token, "move")
        return person, await self.add_device(person, device)

    async def add_device(self, person: str, device: str) -> str:
        """Return a new key of a person's; their oldest device is out where there are too many."""
        key = new_key()

        def job(connection: Connection) -> None:
            mine = (t.keys.c.person == person, t.keys.c.kind == "device")
            old = list(
                connection.execute(select(t.keys.c.hash).where(*mine).order_by(t.keys.c.created.desc())).scalars()
            )
            connection.execute(delete(t.keys).where(t.keys.c.hash.in_(old[MOST_DEVICES - 1 :])))
            self._add_key(connection, person, key, "device", device, None)

        await self.store.work.write(job)
        return key

    async def drop_device(self, person: str, device: str) -> None:
        """Sign a device out."""
        mine = (t.keys.c.person == person, t.keys.c.kind == "device", func.substr(t.keys.c.hash, 1, 12) == device)
        gone = await self.store.work.write(lambda c: c.execute(delete(t.keys).where(*mine)).rowcount)
        if not gone:
            raise NotFound("there is no such device")

    # ---- accounts elsewhere
    async def by_subject(self, subject: str) -> str:
        query = select(t.people.c.id).where(t.people.c.subject == subject)
        return await self.store.work.read(lambda c: str(c.execute(query).scalar() or ""))

    async def bind(self, person: str, subject: str) -> None:
        """Say that an account elsewhere is this person's."""
        change = update(t.people).where(t.people.c.id == person, t.people.c.subject.is_(None)).values(subject=subject)
        await self.store.work.write(lambda c: c.execute(change))

    # ---- being called
    async def set_calls(self, person: str, calls: Calls, origin: str) -> None:
        check_calls(calls)
        change = update(t.people).where(t.people.c.id == person).values(calls=_text(calls), origin=origin)
        await self.store.work.write(lambda c: c.execute(change))

    async def set_mail(self, person: str, address: str) -> None:
        """Keep an address that is confirmed, or none."""
        found = (await self.person(person)).calls
        calls = msgspec.structs.replace(found, mail=bool(address))
        change = update(t.people).where(t.people.c.id == person).values(mail=address, calls=_text(calls))
        await self.store.work.write(lambda c: c.execute(change))

    async def subscribe(self, person: str, subscription: Subscription) -> None:
        """Keep a browser's push subscription; the oldest is out where there are too many."""
        name, text = hash_secret(subscription.endpoint), _text(subscription)

        def job(connection: Connection) -> None:
            connection.execute(delete(t.pushes).where(t.pushes.c.hash == name))
            mine = select(t.pushes.c.hash).where(t.pushes.c.person == person).order_by(t.pushes.c.created.desc())
            old = list(connection.execute(mine).scalars())[MOST_PUSHES - 1 :]
            connection.execute(delete(t.pushes).where(t.pushes.c.hash.in_(old)))
            values = {"hash": name, "person": person, "subscription": text, "created": self.now()}
            connection.execute(insert(t.pushes), values)

        await self.store.work.write(job)

    async def subscriptions(self, person: str) -> Sequence[Subscription]:
        query = select(t.pushes.c.subscription).where(t.pushes.c.person == person)
        found = await self.store.work.read(lambda c: list(c.execute(query).scalars()))
        return [msgspec.json.decode(text, type=Subscription) for text in found]

    async def unsubscribe(self, endpoint: str, person: str | None = None) -> None:
        """Forget a push subscription: it is gone, or its person does not want it any more."""
        which = delete(t.pushes).where(t.pushes.c.hash == hash_secret(endpoint))
        which = which if person is None else which.where(t.pushes.c.person == person)
        await self.store.work.write(lambda c: c.execute(which))

    # ---- what the server keeps for itself
    async def setting(self, name: str, make: Callable[[], str]) -> str:
        """Return a value that is made once and kept for all servers on this database."""
        query = select(t.settings.c.value).where(t.settings.c.name == name)

        def job(connection: Connection) -> str:
            found = connection.execute(query).scalar()
            if found is None:
                found = make()
                connection.execute(insert(t.settings), {"name": name, "value": found})
            return str(found)

        found = await self.store.work.read(lambda c: c.execute(query).scalar())
        return str(found) if found is not None else await self.store.work.write(job)

    # ---- ratings
    async def table(self, game: str, you: str) -> list[RatedFace]:
        """Return the best players of a game."""
        query = select(t.ratings, t.people.c.name, t.people.c.colour).join(
            t.people, t.people.c.id == t.ratings.c.person
        )
        query = query.where(t.ratings.c.game == game).order_by(t.ratings.c.rating.desc()).limit(100)

        def face(row: Mapping[Any, Any]) -> RatedFace:
            sure = (row["rating"], row["deviation"], row["matches"])
            return RatedFace(row["name"], row["colour"], *sure, row["person"] == you)

        return await self.store.work.read(lambda c: [face(row) for row in c.execute(query).mappings()])


def check_calls(calls: Calls) -> None:
    """Raise if somebody cannot be called in this way."""
    if calls.zone not in zoneinfo.available_timezones():
        raise SandtableError(f"there is no time zone '{calls.zone}'")
    if calls.hook and not calls.hook.startswith(("https://", "http://")):
        raise SandtableError("a webhook's address begins with https://")


def _language(lang: str) -> str:
    return lang if lang in LANGUAGES else "en"


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _person(found: Mapping[Any, Any]) -> Person:
    return Person(**{**found, "calls": msgspec.json.decode(found["calls"], type=Calls)})


def _rating(row: Mapping[Any, Any]) -> Rating:
    return Rating(row["game"], row["rating"], row["deviation"], row["volatility"], row["matches"], row["at"])
