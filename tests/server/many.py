"""How opening, moving and listing behave with many stored matches: python -m tests.server.many 100000 [URL]"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from sqlalchemy import insert

from sandtable.host import Host, ThinksHere
from sandtable.host.messages import CreateMatch
from sandtable.host.seats import hash_secret, new_id
from sandtable.server import schema as t
from sandtable.server.storage import Store, _match_values, _move_values, _seat_values

MOVES = 40


async def pattern(host: Host) -> str:
    """Play a match to be copied."""
    clock = {"kind": "budget", "seconds": 1e6, "increment": 0.0}
    wish = {"game": "hitlers-war", "public": True, "clock": clock}
    made = await host.create(msgspec.convert(wish, CreateMatch))
    await play(host, made.match, MOVES)
    return made.match


async def play(host: Host, match: str, moves: int) -> None:
    rng = Random(1)
    for _ in range(moves):
        live = await host.matches.live(match)
        role = live.match.decisions()[0]
        action = msgspec.json.encode(live.match.offers(role).sample(rng))
        await host.matches.act(match, role, action, answers=live.match.number)


async def copy(store: Store, match: str, times: int) -> list[str]:
    """Store the match so many times more."""
    row, seats, log = await store.match(match), await store.seats(match), await store.tail(match)
    hands = await store.clocks(match)
    assert row is not None
    ids: list[str] = []
    while len(ids) < times:
        part = [new_id() for _ in range(min(500, times - len(ids)))]
        rows: list[tuple[Any, list[dict[str, Any]]]] = [
            (t.matches, [{**_match_values(row), "id": name} for name in part]),
            (t.moves, [{**_move_values(name, move), "request": None} for name in part for move in log]),
            (
                t.seats,
                [
                    {**_seat_values(seat), "match": name, "secret_hash": hash_secret(f"{name}/{seat.place}")}
                    for name in part
                    for seat in seats
                ],
            ),
            (
                t.clocks,
                [
                    {"match": name, "role": role, "left": left, "since": since, "due": since and since + left}
                    for name in part
                    for role, (left, since) in hands.items()
                ],
            ),
        ]

        def job(connection: Any, rows: list[tuple[Any, list[dict[str, Any]]]] = rows) -> None:
            for table, values in rows:
                connection.execute(insert(table), values)

        await store.work.write(job)
        ids += part
        if len(ids) % 10_000 == 0:
            print(f"{len(ids):,} stored", flush=True)
    return ids


async def middle(work: Callable[[], Awaitable[Any]], times: int) -> float:
    """Return the median of so many runs, in milliseconds."""
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        await work()
        spent.append(time.perf_counter() - start)
    return statistics.median(spent) * 1000


async def measure(store: Store, ids: list[str]) -> dict[str, float]:
    host, rng = Host(store, ThinksHere()), Random(7)

    async def open_one() -> None:
        match = rng.choice(ids)
        host.matches.forget(match)
        await host.matches.live(match)

    async def move_one() -> None:
        match = rng.choice(ids)
        live = await host.matches.live(match)
        role = live.match.decisions()[0]
        action = msgspec.json.encode(live.match.offers(role).sample(rng))
        await host.matches.act(match, role, action, answers=live.match.number)

    async def list_public() -> None:
        await host.list_matches([], "en")

    async def list_mine() -> None:
        await host.list_matches([f"{rng.choice(ids)}/0" for _ in range(20)], "en", mine=True)

    async def clocks() -> None:
        await store.overdue(host.now())

    async def computers() -> None:
        await store.with_computers(host.now())

    await move_one()
    found = {}
    for work in (open_one, move_one, list_public, list_mine, clocks, computers):
        found[work.__name__] = round(await middle(work, 60), 2)
    await host.close()
    return found


async def main(times: int, url: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "many.db"
        store = await Store.open(url or f"sqlite:///{file}")
        match = await pattern(Host(store, ThinksHere()))
        print("median ms with 10:", await measure(store, [match, *await copy(store, match, 9)]), flush=True)
        start = time.perf_counter()
        ids = await copy(store, match, times)
        print(f"{times:,} matches of {MOVES} moves stored in {time.perf_counter() - start:.0f} s", flush=True)
        print(f"median ms with {times:,}:", await measure(store, ids), flush=True)
        if url is None:
            size = sum(path.stat().st_size for path in Path(folder).iterdir())
            print(f"{size / 1e9:.2f} GB, {size / (times + 10):,.0f} bytes a match, {size / times / MOVES:,.0f} a move")
        await store.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None))
