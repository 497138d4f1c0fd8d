"""The HTTP API under /api. What a seat may not know never reaches it: every answer is made for its roles."""

from __future__ import annotations

import functools
import gzip
import hashlib
import json
import time
import tomllib
from collections.abc import Sequence
from typing import Annotated, Any, cast

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.datastructures import State as AppState
from litestar.exceptions import NotAuthorizedException, NotFoundException, PermissionDeniedException
from litestar.params import Parameter

from sandtable.core import (
    LANGUAGES,
    Draw,
    Game,
    Match,
    Odds,
    Order,
    Refusal,
    Resign,
    Rolled,
    SandtableError,
    Undo,
    branched_seed,
    seed_hash,
)
from sandtable.core import replay as files
from sandtable.core.table import Table
from sandtable.games import find, games
from sandtable.odds.words import in_words
from sandtable.players import levels

from . import bodies as b
from .errors import ERRORS
from .hub import Hub, Live, rows_of
from .labels import add_labels, is_closed
from .links import find_seat, hash_secret, new_id, new_secret, new_seed
from .log import DieFace, LogLine, lines
from .rooms import Rooms
from .storage import MatchRow, SeatRow, Store

Req = Request[Any, Any, AppState]
Lang = Annotated[str | None, Parameter(query="lang", description="en or de", max_length=8, required=False)]
IMPORT_LIMIT = 32 * 1024 * 1024


# ---- helpers ----------------------------------------------------------------------------------------------------
def hub_of(request: Req) -> Hub:
    return cast(Hub, request.app.state.hub)


def store_of(request: Req) -> Store:
    return hub_of(request).store


def rooms_of(request: Req) -> Rooms:
    return cast(Rooms, request.app.state.rooms)


def language_of(request: Req, lang: str | None) -> str:
    """The reader's language: asked for, or preferred by the browser, or English."""
    if lang in LANGUAGES:
        return lang
    preferred = request.headers.get("accept-language", "")[:2].lower()
    return preferred if preferred in LANGUAGES and lang is None else "en"


def bearer(request: Req) -> str | None:
    words = request.headers.get("authorization", "")
    return words[7:].strip() if words.lower().startswith("bearer ") else None


async def seat_in(request: Req, live: Live) -> SeatRow | None:
    """The seat whose secret the request carries; None for a spectator. A wrong secret is an error, not a spectator."""
    secret = bearer(request)
    if secret is None:
        return None
    seat = find_seat(live.seats, secret)
    if seat is None:
        raise NotAuthorizedException("this seat link does not belong to this match")
    return seat


async def my_seat(request: Req, live: Live, role: str) -> SeatRow:
    """The requester's seat, which must hold the role."""
    seat = await seat_in(request, live)
    if seat is None:
        raise NotAuthorizedException("a seat link is needed for that")
    if role not in seat.roles:
        raise PermissionDeniedException("your seat does not hold that role")
    if seat.handed_over:
        hub = hub_of(request)
        await hub.store.hand_over(live.row.id, seat.place, False)
        live.seats = await hub.store.seats(live.row.id)
        hub.tell(live.row.id, "seat", seat.place)
    return seat


def viewpoint(seat: SeatRow | None, asked: Sequence[str], role: str | None) -> str | None:
    """Whose eyes: a role of the seat; the public's for a spectator."""
    if seat is None:
        if role:
            raise PermissionDeniedException("a spectator sees what everybody may know")
        return None
    if role:
        if role not in seat.roles:
            raise PermissionDeniedException("your seat does not hold that role")
        return role
    return next((mine for mine in seat.roles if mine in asked), seat.roles[0])


def plain_turn(game: Game[Any], turn: str, language: str) -> str:
    texts = game.texts(language)
    return texts.say(f"turn.{turn}") if f"turn.{turn}" in texts else turn


@functools.cache
def map_of(game: str) -> tuple[bytes, str] | None:
    """The game's map, zipped, and its hash."""
    path = find(game).home / "data" / "map.json"
    if not path.exists():
        return None
    data = path.read_bytes()
    return gzip.compress(data, 9, mtime=0), hashlib.sha256(data).hexdigest()[:20]


@functools.cache
def ledger_of(game: str) -> list[b.RuleInfo]:
    path = find(game).home / "data" / "ledger.toml"
    items = tomllib.loads(path.read_text(encoding="utf-8"))["rule"] if path.exists() else []
    return [
        b.RuleInfo(item["id"], item["title"], item["says"], item.get("scope", ""), item.get("kind", ""))
        for item in items
    ]


def game_info(game: Game[Any], language: str) -> b.GameInfo:
    texts = game.texts(language)

    def words(kind: str, name: str) -> tuple[str, str]:
        blurb = f"{kind}.{name}.blurb"
        title = f"{kind}.{name}.name" if f"{kind}.{name}.name" in texts else f"{kind}.{name}"
        return (texts.say(title) if title in texts else name), (texts.say(blurb) if blurb in texts else "")

    side = {role: name for name, roles in game.alliances.items() for role in roles}
    return b.GameInfo(
        id=game.id,
        title=texts.say("game.title") if "game.title" in texts else game.title,
        blurb=texts.say("game.blurb") if "game.blurb" in texts else "",
        roles=[b.RoleInfo(role, texts.name(f"@{role}"), side.get(role, role)) for role in game.roles],
        alliances={name: list(roles) for name, roles in game.alliances.items()},
        scenarios=[
            b.ScenarioInfo(s.id, *words("scenario", s.id), list(game.roles_in(s.id)), s.turns)
            for s in game.scenarios.values()
        ],
        options=[
            b.OptionInfo(o.id, *words("option", o.id), o.default, list(o.choices), list(o.scenarios), o.rule)
            for o in game.options.values()
        ],
        levels=list(levels(game.id)),
        windows=list(game.windows()),
        has_map=(game.home / "data" / "map.json").exists(),
    )


def make_seats(match: str, roles: Sequence[str], game: str, wishes: Sequence[b.SeatWish]) -> list[SeatRow]:
    """Seats for every role, each role in exactly one. Roles nobody wished for share one person's seat."""
    taken: list[str] = [role for wish in wishes for role in wish.roles]
    for role in taken:
        if role not in roles:
            raise SandtableError(f"there is no role '{role}' in this scenario; there is {', '.join(roles)}")
        if taken.count(role) > 1:
            raise SandtableError(f"the role '{role}' is given to two seats")
    for wish in wishes:
        if wish.kind == "computer" and wish.level not in levels(game):
            raise SandtableError(f"there is no level '{wish.level}' for {game}; there is {', '.join(levels(game))}")
    rest = [role for role in roles if role not in taken]
    wishes = [*wishes, b.SeatWish(rest)] if rest else list(wishes)
    rows = []
    for place, wish in enumerate(wishes):
        secret = new_secret()
        level = wish.level if wish.kind == "computer" else "recruit"
        row = SeatRow(match, place, hash_secret(secret), tuple(wish.roles), wish.kind, level, wish.name, False, secret)
        rows.append(row)
    return rows


def seat_rows(rows: Sequence[SeatRow], keep: bool) -> list[SeatRow]:
    """The rows as they are stored: secrets only where the server serves one person on his own machine."""
    return [row if keep and row.kind == "person" else msgspec.structs.replace(row, secret=None) for row in rows]


def created(match: str, hashed: str, rows: Sequence[SeatRow]) -> b.MatchCreated:
    given = [
        b.SeatGiven(list(row.roles), row.kind, row.secret or "", f"/m/{match}#seat={row.secret}")
        for row in rows
        if row.kind == "person"
    ]
    return b.MatchCreated(match, hashed, given)


# ---- games ------------------------------------------------------------------------------------------------------
class Games(Controller):
    """Games, their maps and their rules."""

    path = "/api/games"
    tags = ["games"]  # noqa: RUF012

    @get("/", responses=ERRORS, summary="All games")
    async def list_games(self, request: Req, lang: Lang = None) -> list[b.GameInfo]:
        return [game_info(find(name), language_of(request, lang)) for name in games()]

    @get("/{game:str}/map", responses=ERRORS, summary="The map to draw on", include_in_schema=True)
    async def map_file(self, request: Req, game: str) -> Response[bytes]:
        found = map_of(find(game).id)
        if found is None:
            raise NotFoundException(f"{game} has no map")
        data, tag = found
        headers = {"etag": f'"{tag}"', "cache-control": "public, max-age=3600", "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == f'"{tag}"':
            return Response(b"", status_code=304, headers=headers, media_type="application/json")
        if "gzip" in request.headers.get("accept-encoding", ""):
            return Response(data, headers={**headers, "content-encoding": "gzip"}, media_type="application/json")
        return Response(gzip.decompress(data), headers=headers, media_type="application/json")

    @get("/{game:str}/rules", responses=ERRORS, summary="The rules, item by item")
    async def rules(self, game: str) -> list[b.RuleInfo]:
        return ledger_of(find(game).id)


# ---- matches ----------------------------------------------------------------------------------------------------
class Matches(Controller):
    """The lobby: making, finding, importing and branching matches."""

    path = "/api/matches"
    tags = ["matches"]  # noqa: RUF012

    @get("/", responses=ERRORS, summary="Public matches, and mine (X-Seats: secrets, comma separated)")
    async def list_matches(
        self, request: Req, lang: Lang = None, mine: Annotated[bool, Parameter(query="mine")] = False
    ) -> list[b.MatchLine]:
        store, language = store_of(request), language_of(request, lang)
        given = [s.strip() for s in request.headers.get("x-seats", "").split(",") if s.strip()][:200]
        seats = await store.seats_by_hash([hash_secret(secret) for secret in given]) if given else []
        if request.app.state.keep_secrets:
            seats = [*seats, *(s for s in await store.all_person_seats() if s.match not in {t.match for t in seats})]
        you: dict[str, list[str]] = {}
        secret: dict[str, str] = {}
        for seat in seats:
            you.setdefault(seat.match, []).extend(seat.roles)
            if request.app.state.keep_secrets and seat.secret:
                secret[seat.match] = seat.secret
        rows = {row.id: row for row in await store.list_of(list(you))}
        if not mine:
            rows.update({row.id: row for row in await store.list_public()})
        return [
            _match_line(row, you.get(row.id, []), language, secret.get(row.id))
            for row in sorted(rows.values(), key=lambda row: -row.updated)
        ]

    @post("/", responses=ERRORS, summary="Start a match")
    async def create(self, request: Req, data: b.CreateMatch) -> b.MatchCreated:
        game = find(data.game)
        scenario = data.scenario or next(iter(game.scenarios))
        options = game.check_options(scenario, data.options)
        match, seed = new_id(), new_seed()
        keep = bool(request.app.state.keep_secrets)
        rows = make_seats(match, game.roles_in(scenario), game.id, data.seats)
        played: Match[Any] = Match.new(game, scenario, options, seed=seed)
        clock = None if data.clock is None or data.clock.kind == "none" else msgspec.to_builtins(data.clock)
        if clock is not None and clock["seconds"] <= 0:
            raise SandtableError("a clock needs a number of seconds above 0")
        now = time.time()
        row = MatchRow(
            id=match, game=game.id, rules=game.rules_version, scenario=scenario, options=dict(options), seed=seed,
            seed_hash=seed_hash(seed), created=now, updated=now, public=data.public, kind="live", number=0,
            asked=played.waiting_for(), turn=game.turn(played.state), clock=clock,
        )  # fmt: skip
        await store_of(request).create(row, seat_rows(rows, keep), budget=clock["seconds"] if clock else None)
        request.app.state.thinkers.look(match)
        return created(match, row.seed_hash, rows)

    @post("/import", responses=ERRORS, summary="Bring in a match file", request_max_body_size=IMPORT_LIMIT)
    async def import_file(self, request: Req, data: b.ImportFile) -> b.MatchCreated:
        head, found = files.read(data.file.encode())
        played = files.start(head, find)
        now = time.time()
        try:
            log = rows_of(played, found, now)
        except Refusal as refusal:
            raise SandtableError(f"the match file does not replay: {played.explain(refusal)}") from None
        for move, line in zip(log, found, strict=True):
            if move.digest != line.digest:
                raise SandtableError(f"the match file reaches another state than it says at move {line.n}")
        assert head.seed is not None
        row = MatchRow(
            id=new_id(), game=head.game, rules=head.rules, scenario=head.scenario, options=dict(head.options),
            seed=head.seed, seed_hash=head.seed_hash, created=now, updated=now, public=False, kind="import",
            number=len(log), asked=played.waiting_for(), turn=played.game.turn(played.state),
            outcome=None if played.outcome is None else msgspec.to_builtins(played.outcome),
        )  # fmt: skip
        keep = bool(request.app.state.keep_secrets)
        rows = make_seats(row.id, played.roles, row.game, [])
        await store_of(request).create(row, seat_rows(rows, keep), log)
        return created(row.id, row.seed_hash, rows)

    @get("/{match:str}", responses=ERRORS, summary="A match")
    async def info(self, request: Req, match: str, lang: Lang = None) -> b.MatchInfo:
        live = await hub_of(request).live(match)
        seat, row, rooms = await seat_in(request, live), live.row, rooms_of(request)
        game = live.match.game
        language = language_of(request, lang)
        texts = game.texts(language)
        clock = None
        if row.clock:
            hands = await store_of(request).clocks(match)
            clock = {**row.clock, "left": {r: left for r, (left, _) in hands.items()},
                     "since": {r: since for r, (_, since) in hands.items()}, "now": time.time()}  # fmt: skip
        outcome = live.match.outcome
        outcome_text = ""
        if outcome is not None:
            level = texts.say(f"outcome.{outcome.level}") if f"outcome.{outcome.level}" in texts else outcome.level
            outcome_text = f"{texts.name([f'@{r}' for r in outcome.winners])}: {level}" if outcome.winners else level
        return b.MatchInfo(
            match=row.id, game=row.game, scenario=row.scenario, options=row.options, number=live.match.number,
            seats=[
                b.SeatInfo(list(s.roles), s.kind, s.level, s.name,
                           s.kind == "computer" or rooms.is_connected(match, s.place), s.handed_over)
                for s in live.seats
            ],
            asked=list(row.asked), turn=plain_turn(game, row.turn, language), over=row.outcome is not None,
            outcome=row.outcome, outcome_text=outcome_text, you=list(seat.roles) if seat else [], clock=clock,
            seed_hash=row.seed_hash, seed=await _open_seed(request, live), rules_version=row.rules, frozen=row.frozen,
            kind=row.kind, parent=row.parent, draw=list(live.match.state.draw),
        )  # fmt: skip

    @post("/{match:str}/branch", responses=ERRORS, summary="Play on from any move in a private match")
    async def branch(self, request: Req, match: str, data: b.BranchMatch) -> b.MatchCreated:
        hub, store = hub_of(request), store_of(request)
        live = await hub.live(match)
        seat = await seat_in(request, live)
        row = live.row
        if row.kind != "import" and row.outcome is None:
            if seat is None:
                raise NotAuthorizedException("a running match is branched by those who play in it")
            if not live.match.game.public(live.match.state) and set(seat.roles) != set(live.match.roles):
                raise PermissionDeniedException(
                    "a running match with hidden things is branched when it is over, or by who holds every seat"
                )
        past = await hub.at(match, data.at)
        now, new = time.time(), new_id()
        seed = branched_seed(row.seed, past.state.rolled, new_seed())
        keep = bool(request.app.state.keep_secrets)
        rows = make_seats(new, past.roles, row.game, data.seats)
        log = [msgspec.structs.replace(m, request=None) for m in await store.tail(match, 0, data.at)]
        branched = MatchRow(
            id=new, game=row.game, rules=row.rules, scenario=row.scenario, options=row.options, seed=seed,
            seed_hash=seed_hash(seed), created=now, updated=now, public=False, kind="branch", parent=match,
            number=data.at, asked=past.waiting_for(), turn=past.game.turn(past.state),
            outcome=None if past.outcome is None else msgspec.to_builtins(past.outcome),
        )  # fmt: skip
        await store.create(branched, seat_rows(rows, keep), log)
        request.app.state.thinkers.look(new)
        return created(new, branched.seed_hash, rows)

    @get("/{match:str}/file", responses=ERRORS, summary="The match file (with the seed when the match is over)")
    async def export(self, request: Req, match: str) -> Response[bytes]:
        live = await hub_of(request).live(match)
        seed = await _open_seed(request, live)
        if seed is None and not live.match.game.public(live.match.state):
            raise PermissionDeniedException("a match with hidden things can be exported when it is over")
        data = await hub_of(request).export(match, with_seed=seed is not None)
        headers = {"content-disposition": f'attachment; filename="{live.row.game}-{match[:8]}.sandtable"'}
        return Response(data, media_type="application/x-ndjson", headers=headers)

    @get("/{match:str}/dice", responses=ERRORS, summary="The seed and every die of a finished match")
    async def dice(self, request: Req, match: str) -> b.DiceAnswer:
        live = await hub_of(request).live(match)
        seed = await _open_seed(request, live)
        if seed is None:
            raise PermissionDeniedException("the seed is opened when the match is over")
        game, found = live.match.game, []
        for move in await store_of(request).tail(match):
            for raw in msgspec.json.decode(move.events, type=list[msgspec.Raw]):
                event = game.codec.event(bytes(raw))
                if isinstance(event, Rolled):
                    found.append(DieFace(event.number, event.sides, event.value, event.why))
        return b.DiceAnswer(seed, live.row.seed_hash, found)


async def _open_seed(request: Req, live: Live) -> str | None:
    """The seed, once nobody can misuse it: the match is over, and so are those it branched off."""
    row: MatchRow | None = live.row
    while row is not None:
        if row.outcome is None and row.kind != "import":
            return None
        row = await store_of(request).match(row.parent) if row.parent else None
    return live.row.seed


def _match_line(row: MatchRow, you: list[str], language: str, secret: str | None) -> b.MatchLine:
    turn = plain_turn(find(row.game), row.turn, language)
    return b.MatchLine(
        row.id, row.game, row.scenario, turn, row.number, list(row.asked), you, row.outcome is not None, row.outcome,
        row.updated, row.public, row.kind, secret,
    )  # fmt: skip


# ---- at the table -----------------------------------------------------------------------------------------------
class AtTheTable(Controller):
    """Looking at a match and playing it."""

    path = "/api/matches/{match:str}"
    tags = ["play"]  # noqa: RUF012

    @get("/table", responses=ERRORS, summary="The table as my seat sees it, now or after any move")
    async def table(
        self,
        request: Req,
        match: str,
        at: Annotated[int | None, Parameter(query="at", ge=0, required=False)] = None,
        role: Annotated[str | None, Parameter(query="role", max_length=80, required=False)] = None,
        lang: Lang = None,
    ) -> Table:
        live = await hub_of(request).live(match)
        seat = await seat_in(request, live)
        played = live.match if at is None else await hub_of(request).at(match, at)
        if live.row.outcome is not None or live.row.kind == "import":
            if role is not None and role not in played.roles:
                raise NotFoundException("there is no such role in this match")
            eyes = role if role is not None else viewpoint(seat, played.waiting_for(), None)
        else:
            eyes = viewpoint(seat, played.waiting_for(), role)
        return played.table(eyes, language_of(request, lang))

    @get("/offers", responses=ERRORS, summary="What a role of mine may do now")
    async def offers(
        self, request: Req, match: str, role: Annotated[str, Parameter(query="role", max_length=80)], lang: Lang = None
    ) -> b.OffersAnswer:
        live = await hub_of(request).live(match)
        await my_seat(request, live, role)
        played, texts = live.match, live.match.game.texts(language_of(request, lang))
        out = []
        for index, offer in enumerate(played.offers(role).offers):
            face = played.game.codec.builtins(offer.describe())
            hint = f"verb.{offer.hint}" if offer.hint else f"verb.{offer.verb}"
            face.update(index=index, label=texts.say(hint if hint in texts else f"verb.{offer.verb}"))
            if not is_closed(face):
                out.append(add_labels(face, texts))
        return b.OffersAnswer(played.number, role, out, played.can_undo(role))

    @post(
        "/offers/next", status_code=200, responses=ERRORS, summary="The next field of an offer, given the ones before"
    )
    async def next_field(self, request: Req, match: str, data: b.NextField, lang: Lang = None) -> dict[str, Any]:
        live = await hub_of(request).live(match)
        await my_seat(request, live, data.role)
        found = live.match.offers(data.role).offers
        if data.index >= len(found):
            raise NotFoundException("there is no such offer")
        offer = found[data.index]
        if len(data.prefix) > len(offer.fields):
            raise SandtableError("that offer has no more fields")
        prefix: list[Any] = []
        for field, value in zip(offer.fields, data.prefix, strict=False):
            value = _tuples(value)
            domain = field.given(prefix)
            if not _is_in(domain, value):
                refusal = domain.why(value) or Refusal(
                    offer.rule, "sandtable-not-available", field=field.name, value=str(value)
                )
                raise refusal
            prefix.append(value)
        answer: dict[str, Any] = live.match.game.codec.builtins(offer.describe(prefix))
        if data.so_far is not None and len(prefix) < len(offer.fields):
            walk = offer.fields[len(prefix)].given(prefix)
            onward = getattr(walk, "describe_next", None)
            if onward is None:
                raise SandtableError("that field is not a walk")
            answer["next"] = live.match.game.codec.builtins(onward(_tuples(data.so_far)))
        return add_labels(answer, live.match.game.texts(language_of(request, lang)), len(prefix))

    @post("/act", status_code=200, responses=ERRORS, summary="Make a move")
    async def act(self, request: Req, match: str, data: b.Act, lang: Lang = None) -> b.Acted:
        return await self._do(request, match, data.role, json.dumps(data.action).encode(), data, lang)

    @post("/undo", status_code=200, responses=ERRORS, summary="Take back my last move")
    async def undo(self, request: Req, match: str, data: b.Take, lang: Lang = None) -> b.Acted:
        return await self._do(request, match, data.role, msgspec.json.encode(Undo()), data, lang)

    @post("/resign", status_code=200, responses=ERRORS, summary="Give up")
    async def resign(self, request: Req, match: str, data: b.Take, lang: Lang = None) -> b.Acted:
        return await self._do(request, match, data.role, msgspec.json.encode(Resign()), data, lang)

    @post("/draw", status_code=200, responses=ERRORS, summary="Agree to a draw, or no longer")
    async def draw(self, request: Req, match: str, data: b.DrawWish, lang: Lang = None) -> b.Acted:
        return await self._do(request, match, data.role, msgspec.json.encode(Draw(data.agree)), data, lang)

    @post("/orders", status_code=200, responses=ERRORS, summary="My standing orders for windows")
    async def orders(self, request: Req, match: str, data: b.OrdersWish, lang: Lang = None) -> b.Acted:
        order = Order(None if data.ask is None else tuple(data.ask), data.quiet_until)
        return await self._do(request, match, data.role, msgspec.json.encode(order), data, lang)

    async def _do(self, request: Req, match: str, role: str, action: bytes, data: Any, lang: str | None) -> b.Acted:
        hub = hub_of(request)
        live = await hub.live(match)
        seat = await my_seat(request, live, role)
        if live.row.kind == "import":
            raise PermissionDeniedException("an imported match is played on in a branch")
        move = await hub.act(match, role, action, answers=data.answers, request=f"{seat.place}:{data.id}"[:64])
        told = lines(live.match.game, [move], seat.roles, language_of(request, lang))
        return b.Acted(move.number, data.id, told)

    @post(
        "/why-not", status_code=200, responses=ERRORS, summary="Whether an action is allowed, and which rule forbids it"
    )
    async def why_not(self, request: Req, match: str, data: b.Ask, lang: Lang = None) -> b.WhyNot:
        live = await hub_of(request).live(match)
        await my_seat(request, live, data.role)
        refusal = live.match.why_not(data.role, live.match.parse(data.action))
        if refusal is None:
            return b.WhyNot(True)
        return b.WhyNot(False, refusal.rule, live.match.explain(refusal, language_of(request, lang)))

    @post("/odds", status_code=200, responses=ERRORS, summary="The exact odds of what an action would start")
    async def odds(self, request: Req, match: str, data: b.Ask, lang: Lang = None) -> Odds | None:
        live = await hub_of(request).live(match)
        await my_seat(request, live, data.role)
        found = live.match.preview(data.role, live.match.parse(data.action))
        return None if found is None else in_words(found, live.match.game.texts(language_of(request, lang)))

    @get("/log", responses=ERRORS, summary="What happened, as far as I may know")
    async def log(
        self,
        request: Req,
        match: str,
        since: Annotated[int, Parameter(query="since", ge=0, le=10_000_000)] = 0,
        lang: Lang = None,
    ) -> list[LogLine]:
        live = await hub_of(request).live(match)
        seat = await seat_in(request, live)
        over = live.row.outcome is not None or live.row.kind == "import"
        roles = live.match.roles if over else (seat.roles if seat else ())
        moves = await store_of(request).tail(match, since)
        return lines(live.match.game, moves, roles, language_of(request, lang))

    @get("/moves", responses=ERRORS, summary="All moves, for the scrubber")
    async def moves(self, request: Req, match: str, lang: Lang = None) -> list[b.MoveInfo]:
        live = await hub_of(request).live(match)
        rows = await store_of(request).tail(match)
        gone = {row.takes_back for row in rows}
        game, language = live.match.game, language_of(request, lang)
        secret = live.row.outcome is None and live.row.kind != "import" and not game.public(live.match.state)
        return [
            b.MoveInfo(
                row.number,
                row.role,
                "" if secret else str(json.loads(row.action)["do"]),
                plain_turn(game, row.turn, language),
                row.at,
                row.number in gone,
            )
            for row in rows
        ]

    @post("/chat", status_code=200, responses=ERRORS, summary="Say something")
    async def say(self, request: Req, match: str, data: b.ChatWish) -> b.ChatLine:
        live = await hub_of(request).live(match)
        seat = await seat_in(request, live)
        if seat is None:
            raise NotAuthorizedException("spectators listen")
        line = await store_of(request).say(match, seat.name, seat.roles, data.text)
        hub_of(request).tell_chat(match, line)
        return b.ChatLine(**line)

    @get("/chat", responses=ERRORS, summary="What was said")
    async def talk(
        self, request: Req, match: str, since: Annotated[int, Parameter(query="since", ge=0, le=2**53)] = 0
    ) -> list[b.ChatLine]:
        await hub_of(request).live(match)
        return [b.ChatLine(**line) for line in await store_of(request).talk(match, since)]


def _tuples(value: Any) -> Any:
    """JSON lists as the tuples that actions hold."""
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def _is_in(domain: Any, value: Any) -> bool:
    try:
        return value in domain
    except TypeError:
        return False


@get("/api/health", responses=ERRORS, summary="Whether the server is well", tags=["server"])
async def health(request: Req) -> b.Health:
    return b.Health("ok", await store_of(request).count())
