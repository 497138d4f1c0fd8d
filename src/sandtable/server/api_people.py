"""The HTTP API of people: who I am, my devices, how I am called back, accounts, feeds, ratings."""

from __future__ import annotations

import ipaddress
import socket
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import Parameter
from litestar.response import Redirect

from sandtable.host.errors import NotFound
from sandtable.host.messages import Id

from .accounts import Accounts
from .asking import Req, caller_of, host_of, key_of, origin_of, owner_of, people_of, person_of
from .calls import WORDS, due_at
from .errors import ERRORS
from .feeds import Line, atom, calendar
from .people import (
    CONFIRM_SECONDS,
    MOVE_SECONDS,
    Address,
    Calls,
    Known,
    Me,
    Moved,
    Person,
    RatedFace,
    SetMe,
    Subscription,
    Token,
    check_calls,
)
from .roads import Call


class ServerFace(msgspec.Struct):
    """What this server can do for people."""

    push: str
    """The key that a browser subscribes to push messages with; '' if there are none."""
    mail: bool
    account: str
    """What the provider of accounts is called; '' if there is none."""
    addresses: list[str]
    """Under which it can be reached from other machines of the network, as far as it knows."""


class Named(msgspec.Struct, forbid_unknown_fields=True):
    id: Id


class Mail(msgspec.Struct, forbid_unknown_fields=True):
    address: Address | None = None


class Endpoint(msgspec.Struct, forbid_unknown_fields=True):
    endpoint: Annotated[str, msgspec.Meta(max_length=1000)]


@get("/api/server", tags=["people"], responses=ERRORS, summary="What this server can do for people")
async def about_server(request: Req) -> ServerFace:
    roads, accounts = caller_of(request).roads, accounts_of(request)
    name = "" if accounts is None else accounts.provider.name or accounts.provider.issuer
    return ServerFace(await roads.push_key(), bool(roads.mail_server), name, addresses_of(request))


def accounts_of(request: Req) -> Accounts | None:
    found: Accounts | None = request.app.state.accounts
    return found


def addresses_of(request: Req) -> list[str]:
    """Return the addresses of this machine on its networks, if the server listens on all of them."""
    settings = request.app.state.settings
    if settings.host not in ("0.0.0.0", "::"):
        return []
    found = []
    for _, _, _, _, where in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
        one = ipaddress.ip_address(str(where[0]).partition("%")[0])
        if not one.is_loopback and not one.is_link_local:
            found.append(f"http://{f'[{one}]' if one.version == 6 else one}:{settings.port}{settings.root}")
    return sorted(set(found))


class Self(Controller):
    """Me: every request carries the key of a device (X-Person)."""

    path = "/api/me"
    tags = ["people"]  # noqa: RUF012

    @get("/", responses=ERRORS, summary="Who I am")
    async def me(self, request: Req) -> Me:
        return await people_of(request).me(await person_of(request, must=True), key_of(request))

    @post("/", status_code=200, responses=ERRORS, summary="Take a name and a colour, or change them")
    async def change(self, request: Req, data: SetMe) -> Known:
        people, person, key = people_of(request), await person_of(request), None
        if person:
            await people.change(person, data, origin_of(request))
        else:
            person, key = await people.make(data, origin_of(request), owner_of(request))
        return Known(await people.me(person, key or key_of(request)), key)

    @post("/move", status_code=200, responses=ERRORS, summary="A link that brings another device in, once")
    async def move(self, request: Req) -> Moved:
        people = people_of(request)
        return Moved(await people.once(await person_of(request, must=True), "move", "", MOVE_SECONDS), MOVE_SECONDS)

    @post("/join", status_code=200, responses=ERRORS, summary="Bring this device in by such a link")
    async def join(self, request: Req, data: Token) -> Known:
        person, key = await people_of(request).join(data.token, data.device)
        return Known(await people_of(request).me(person, key), key)

    @post("/drop", status_code=200, responses=ERRORS, summary="Sign a device of mine out")
    async def drop(self, request: Req, data: Named) -> None:
        person = await person_of(request, must=True)
        await people_of(request).drop_device(person, data.id)
        await host_of(request).renew_all(person)  # it may have kept the secrets of seats

    # ---- being called
    @post("/calls", status_code=200, responses=ERRORS, summary="How I want to be called when it is my move")
    async def calls(self, request: Req, data: Calls) -> Me:
        people, person = people_of(request), await person_of(request, must=True)
        await people.set_calls(person, data, origin_of(request))
        return await people.me(person, key_of(request))

    @post("/push", status_code=200, responses=ERRORS, summary="Send push messages to this browser")
    async def push(self, request: Req, data: Subscription) -> None:
        await people_of(request).subscribe(await person_of(request, must=True), data)

    @post("/push/stop", status_code=200, responses=ERRORS, summary="Send no more push messages to this browser")
    async def push_stop(self, request: Req, data: Endpoint) -> None:
        await people_of(request).unsubscribe(data.endpoint, await person_of(request, must=True))

    @post("/mail", status_code=200, responses=ERRORS, summary="Ask to be called by mail; the address is asked first")
    async def mail(self, request: Req, data: Mail) -> None:
        people, person = people_of(request), await person_of(request, must=True)
        if data.address is None:
            await people.set_mail(person, "")
            return
        found = await people.person(person)
        token = await people.once(person, "mail", data.address, CONFIRM_SECONDS)
        words = WORDS[found.lang]
        link = f"{origin_of(request)}/#mail={token}"
        await caller_of(request).roads.mail(data.address, Call(words["confirm"], [words["confirm-line"]], link))

    @post("/mail/confirm", status_code=200, responses=ERRORS, summary="Confirm an address by the link in its mail")
    async def confirm(self, request: Req, data: Token) -> None:
        person, address = await people_of(request).use(data.token, "mail")
        await people_of(request).set_mail(person, address)

    @post("/test", status_code=200, responses=ERRORS, summary="Call me now, to see that it works")
    async def test(self, request: Req) -> bool:
        person = await people_of(request).person(await person_of(request, must=True))
        check_calls(person.calls)
        words = WORDS[person.lang]
        return await caller_of(request).roads.call(person, Call(words["move"], [words["test"]], f"{person.origin}/"))


# ---- accounts elsewhere
@get("/api/login", tags=["people"], status_code=200, responses=ERRORS, summary="Where to sign in with an account")
async def login(request: Req) -> str:
    accounts = accounts_of(request)
    if accounts is None:
        raise NotFound("this server has no accounts: a name is enough")
    return await accounts.begin(f"{origin_of(request)}/api/login/back", await person_of(request))


@get("/api/login/back", tags=["people"], status_code=302, responses=ERRORS, summary="Where the provider sends me back")
async def login_back(
    request: Req,
    given: Annotated[str, Parameter(query="state", max_length=200)] = "",
    code: Annotated[str, Parameter(query="code", max_length=4000)] = "",
) -> Redirect:
    accounts, people = accounts_of(request), people_of(request)
    if accounts is None:
        raise NotFound("this server has no accounts: a name is enough")
    subject, name, began = await accounts.finish(given, code)
    person = await people.by_subject(subject)
    if not person and began:
        await people.bind(began, subject)
        person = await people.by_subject(subject)
    if not person:
        person, _ = await people.make(SetMe(name), origin_of(request), owner_of(request), subject)
    root: str = request.app.state.settings.root
    return Redirect(f"{root}/#join={await people.once(person, 'move', '', MOVE_SECONDS)}")


# ---- feeds
async def _lines(request: Req, person: Person) -> list[Line]:
    caller = caller_of(request)
    found = await caller.lines(person, await caller.waits_of(person.id))
    glances = await caller.store.glance([wait.match for wait, _ in found])
    lines: list[Line] = []
    for wait, sentence in found:
        roles = next((seat.roles for seat in glances[wait.match].seats if seat.place == wait.place), ())
        lines.append((wait, sentence, due_at(glances[wait.match], roles) if wait.what == "move" else None))
    return lines


@get("/feeds/{name:str}", include_in_schema=False)
async def feed(request: Req, name: str) -> Response[bytes]:
    token, _, kind = name.partition(".")
    if kind not in ("atom", "ics"):
        raise NotFound("a feed ends in .atom or .ics")
    person = await people_of(request).by_feed(token)
    lines = await _lines(request, person)
    if kind == "atom":
        return Response(atom(person, lines), media_type="application/atom+xml")
    return Response(calendar(person, lines), media_type="text/calendar; charset=utf-8")


@get("/api/ratings/{game:str}", tags=["people"], responses=ERRORS, summary="The ratings of a game's players")
async def ratings(request: Req, game: str) -> list[RatedFace]:
    return await people_of(request).table(game, await person_of(request))


HANDLERS: list[Any] = [about_server, Self, login, login_back, feed, ratings]
