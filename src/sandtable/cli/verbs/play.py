"""`sandtable play`: a private server on this machine, opened in the browser."""

import argparse
import sys
import threading
import time
import urllib.request
import webbrowser


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", metavar="GAME", help="open the lobby at this game")
    parser.add_argument("--port", type=int, default=7357, help="port on this machine (7357, or a free one)")
    parser.add_argument("--data", metavar="FOLDER", help="where matches are kept (the user's data folder)")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")


def run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from sandtable.cli.inputs import find_game
    from sandtable.server.app import Settings
    from sandtable.server.run import client_folder, data_folder, free_port, serve

    if arguments.game:
        find_game(arguments.game)
    folder = Path(arguments.data) if arguments.data else data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port("127.0.0.1", arguments.port)
    address = f"http://127.0.0.1:{port}/" + (f"?game={arguments.game}" if arguments.game else "")
    client = client_folder()
    if client is None:
        print("sandtable: the browser client is not built; only the API is served", file=sys.stderr)
    print(f"Sandtable is at {address}  (matches are kept in {folder}; Ctrl-C stops)", flush=True)
    if not arguments.no_browser and client is not None:
        threading.Thread(target=open_when_ready, args=(port, address), daemon=True).start()
    settings = Settings(
        database=f"sqlite:///{(folder / 'sandtable.db').resolve()}",
        keep_secrets=True,
        client=str(client) if client else None,
        rate=500,
        burst=2000,
    )
    serve(settings, host="127.0.0.1", port=port)
    return 0


def open_when_ready(port: int, address: str) -> None:
    """Open the browser once the server answers; without a browser, the printed address is enough."""
    for _ in range(100):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/health", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
