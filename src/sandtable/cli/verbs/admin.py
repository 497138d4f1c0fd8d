"""`sandtable admin`: what an operator does with a server's database."""

import argparse
import asyncio
import time
from datetime import datetime
from pathlib import Path
from typing import Any

JOBS = {
    "list": "the matches, newest last",
    "inspect": "all about a match but its secrets",
    "export": "write the match file",
    "delete": "delete a match; its branches stay",
    "expire": "delete matches in which nobody has moved for so many days",
    "verify": "replay every match and compare each state",
    "rotate": "give a seat a new invitation; the old link is dead",
    "backup": "copy everything into a file, while servers go on",
    "restore": "fill an empty database from a backup, as of any moment",
    "downgrade": "bring the tables back for an older version",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("job", choices=JOBS, help="; ".join(f"{name}: {text}" for name, text in JOBS.items()))
    parser.add_argument("what", nargs="?", metavar="WHAT", help="a match, a file, or a revision")
    parser.add_argument("--database", metavar="URL", required=True, help="sqlite:///FILE or postgresql://...")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where export writes")
    parser.add_argument("--seat", type=int, metavar="N", help="the seat to rotate, from 0 on")
    parser.add_argument("--days", type=float, metavar="N", help="for expire")
    parser.add_argument("--at", metavar="TIME", help="for restore: a moment, as 2026-11-16T20:15:00 (local time)")


def run(arguments: argparse.Namespace) -> int:
    from sandtable.cli.app import BadInput

    needs = {"inspect", "export", "delete", "rotate", "backup", "restore", "downgrade"}
    if arguments.job in needs and not arguments.what:
        raise BadInput(f"admin {arguments.job} needs a match or a file: see sandtable admin --help")
    if arguments.job in ("backup", "restore", "downgrade"):
        return on_files(arguments)
    return asyncio.run(on_matches(arguments))


def on_files(arguments: argparse.Namespace) -> int:
    from sandtable.server import admin
    from sandtable.server.database import Sole, downgrade, open_engine, sqlite_file

    if arguments.job == "backup":
        number = admin.back_up(arguments.database, Path(arguments.what))
        print(f"{number:,} matches are in {arguments.what}")
        return 0
    file = sqlite_file(arguments.database)
    lock = Sole(file) if file is not None else None
    try:
        if arguments.job == "restore":
            number = admin.restore(Path(arguments.what), arguments.database, moment(arguments.at))
            print(f"{number:,} matches are restored")
        else:
            engine, _ = open_engine(arguments.database)
            downgrade(engine, arguments.what)
            engine.dispose()
            print(f"the tables are those of revision {arguments.what}")
    finally:
        if lock is not None:
            lock.end()
    return 0


def moment(word: str | None) -> float | None:
    from sandtable.cli.app import BadInput

    try:
        return None if word is None else datetime.fromisoformat(word).timestamp()
    except ValueError:
        raise BadInput(f"'{word}' is no moment: write it as 2026-11-16T20:15:00") from None


async def on_matches(arguments: argparse.Namespace) -> int:
    from sandtable.cli.app import BadInput
    from sandtable.server.admin import Office

    office = await Office.open(arguments.database, to_change=arguments.job in ("delete", "expire", "rotate"))
    try:
        match arguments.job:
            case "list":
                return await show_list(office)
            case "inspect":
                return await inspect(office, arguments.what)
            case "export":
                file = arguments.out or Path(f"{arguments.what}.sandtable")
                file.write_bytes(await office.export(arguments.what))
                print(f"the match is in {file}")
            case "delete":
                if not await office.store.delete(arguments.what):
                    raise BadInput(f"there is no match '{arguments.what}'")
                print("deleted")
            case "expire":
                if not arguments.days or arguments.days <= 0:
                    raise BadInput("expire needs --days, a number above 0")
                gone = 0
                while found := await office.store.expire(time.time() - arguments.days * 86_400):
                    gone += found
                print(f"{gone:,} matches deleted")
            case "verify":
                moves, faults = await office.verify()
                for fault in faults:
                    print(f"{fault.match}: {fault.reason}")
                print(f"{len(await office.store.ids()):,} matches, {moves:,} moves, {len(faults):,} faults")
                return 1 if faults else 0
            case "rotate":
                if arguments.seat is None:
                    raise BadInput("rotate needs --seat")
                print(await office.rotate(arguments.what, arguments.seat))
        return 0
    finally:
        await office.store.close()


async def show_list(office: Any) -> int:
    from sandtable.cli.output import console, table

    shown = table("match", "game", "scenario", "kind", ">moves", "asked", "last move")
    for row in reversed(await office.store.list_matches(await office.store.ids())):
        asked = "over" if row.outcome else ", ".join(row.asked)
        when = datetime.fromtimestamp(row.updated).isoformat(" ", "minutes")
        shown.add_row(row.id, row.game, row.scenario, row.kind, f"{row.number:,}", asked, when)
    console().print(shown, markup=False)
    return 0


async def inspect(office: Any, match: str) -> int:
    from sandtable.cli.output import print_json

    row = await office.row(match)
    seats = [
        {"place": seat.place, "roles": seat.roles, "kind": seat.kind, "name": seat.name, "open": seat.invitation}
        for seat in await office.store.seats(match)
    ]
    shown = {name: getattr(row, name) for name in row.__struct_fields__ if name not in ("seed", "owner")}
    print_json({**shown, "seats": seats, "clocks": await office.store.clocks(match)})
    return 0
