"""The HTTP API of matches: starting, listing, branching, bringing in and taking out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get, post
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.params import Parameter

from sandtable.core import (
    Match,
    Refusal,
    Rolled,
    SandtableError,
    branched_seed,
    seed_hash,
)
from sandtable.core import replay as files
from sandtable.games import find
from sandtable.players import levels

from . import bodies as b
from .asking import Lang, Req, hub_of, language_of, plain_turn, rooms_of, seat_in, store_of
from .errors import ERRORS
from .hub import Live, rows_of
from .links import hash_secret, new_id, new_secret, new_seed
from .log import DieFace
from .storage import MatchRow, SeatRow

IMPORT_LIMIT = 32 * 1024 * 1024


def make_seats(match: str, roles: Sequence[str], game: str, wishes: Sequence[b.SeatWish]) -> list[SeatRow]:
    """Seats for every role, each role in exactly one. Roles nobody wished for share one person's seat."""
    taken: list[str] = [role for wish in wishes for role in wish.roles]
    for role in taken:
        if role not in roles:
            raise SandtableError(f"there is no role '{role}' in this scenario; there is {', '.join(roles)}")
        if taken.count(role) > 1:
            raise SandtableError(f"the role '{role}' is given to two seats")
    for wish in wishes:
        if wish.kind == "computer" and wish.level not in (known := levels(find(game))):
            raise SandtableError(f"there is no level '{wish.level}' for {game}; there is {', '.join(known)}")
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
            id=new_id(), game=head.game, rules=played.game.rules_version, scenario=head.scenario,
            options=dict(head.options), seed=head.seed, seed_hash=head.seed_hash, created=now, updated=now,
            public=False, kind="import", number=len(log), asked=played.waiting_for(),
            turn=played.game.turn(played.state),
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
