"""`sandtable serve`: a server for others."""

import argparse


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1; 0.0.0.0 for all)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
    parser.add_argument(
        "--database", metavar="URL", help="sqlite:///FILE or postgresql://... (SQLite in the data folder)"
    )
    parser.add_argument("--workers", type=int, default=1, help="server processes; more than one needs PostgreSQL (1)")
    parser.add_argument("--think-seconds", type=float, default=5.0, help="how long a computer player may think (5)")
    parser.add_argument("--rate", type=float, default=50.0, help="requests a second for each client (50)")


def run(arguments: argparse.Namespace) -> int:
    from sandtable.cli.app import BadInput
    from sandtable.server.app import Settings
    from sandtable.server.run import client_folder, data_folder, serve

    if arguments.workers < 1:
        raise BadInput("at least one worker is needed")
    if not 0 <= arguments.port < 65536:
        raise BadInput(f"there is no port {arguments.port}")
    url = arguments.database
    if url is None:
        data_folder().mkdir(parents=True, exist_ok=True)
        url = f"sqlite:///{data_folder() / 'server.db'}"
    client = client_folder()
    settings = Settings(
        database=url,
        client=str(client) if client else None,
        rate=arguments.rate,
        burst=arguments.rate * 6,
        think_seconds=arguments.think_seconds,
    )
    print(f"Sandtable listens on http://{arguments.host}:{arguments.port}/", flush=True)
    serve(settings, host=arguments.host, port=arguments.port, workers=arguments.workers, quiet=False)
    return 0
