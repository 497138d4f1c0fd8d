"""`sandtable play`: a private server on this machine, opened in the browser."""

import argparse
import json
import threading
import time
import urllib.request
import webbrowser
from pathlib import Path

RUNNING = "running.json"
"""The file beside the matches that tells where the server on them is."""
START_SECONDS = 30.0


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="open the lobby at this game")
    parser.add_argument("--port", type=int, default=7357, help="port on this machine (7357, or a free one)")
    parser.add_argument("--data", metavar="FOLDER", help="where matches are kept (the user's data folder)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(arguments: argparse.Namespace) -> int:
    from sandtable.cli.inputs import find_game
    from sandtable.server.app import Settings
    from sandtable.server.database import is_served
    from sandtable.server.run import NO_CLIENT, CannotServe, check, client_folder, data_folder, free_port, serve

    if arguments.game:
        find_game(arguments.game)
    client = client_folder()
    if client is None:
        raise CannotServe(NO_CLIENT)
    folder = Path(arguments.data) if arguments.data else data_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    database, page = folder / "sandtable.db", f"?game={arguments.game}" if arguments.game else ""
    if is_served(database):
        address = running(folder)
        if address is None:
            raise CannotServe(f"another program uses the matches in {folder}, and does not say where it is")
        print(f"Sandtable is already at {address}{page}  (matches are kept in {folder})", flush=True)
        if not arguments.no_browser:
            webbrowser.open(address + page)
        return 0
    port, url = free_port("127.0.0.1", arguments.port), f"sqlite:///{database.resolve().as_posix()}"
    check(url, host="127.0.0.1", port=port)
    address = f"http://127.0.0.1:{port}/"
    print(f"Sandtable is at {address}{page}  (matches are kept in {folder}; Ctrl-C stops)", flush=True)
    opened = None if arguments.no_browser else address + page
    threading.Thread(target=announce, args=(folder, address, opened), daemon=True).start()
    settings = Settings(
        database=url,
        keep_secrets=True,
        client=str(client),
        rate=500,
        burst=2000,
        names=("127.0.0.1", "localhost", "[::1]"),
        quota=None,
        expire_days=None,
        log="quiet",
    )
    serve(settings, host="127.0.0.1", port=port)
    return 0


def answers(address: str) -> bool:
    """Whether a server answers there."""
    try:
        urllib.request.urlopen(f"{address}api/health", timeout=1).close()
    except OSError:
        return False
    return True


def announce(folder: Path, address: str, opened: str | None) -> None:
    """Once the server answers, write down where it is, and open the browser."""
    until = time.monotonic() + START_SECONDS
    while not answers(address):
        if time.monotonic() > until:
            return
        time.sleep(0.05)
    (folder / RUNNING).write_text(json.dumps({"address": address}), encoding="utf-8")
    if opened is not None:  # without a browser, the printed address is enough
        webbrowser.open(opened)


def running(folder: Path) -> str | None:
    """Return the address of the server on this folder's matches, once it answers; None where it does not."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        try:
            told = json.loads((folder / RUNNING).read_text(encoding="utf-8"))
            address = str(told["address"])
        except (OSError, ValueError, LookupError, TypeError):
            address = ""
        if address and answers(address):
            return address
        time.sleep(0.1)
    return None
