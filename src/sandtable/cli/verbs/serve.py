"""`sandtable serve`: a server for others."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from sandtable.server.accounts import Provider


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1; 0.0.0.0 for all)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (8000)")
    parser.add_argument(
        "--database", metavar="URL", help="sqlite:///FILE or postgresql://... (SQLite in the data folder)"
    )
    parser.add_argument("--workers", type=int, default=1, help="server processes; more than one needs PostgreSQL (1)")
    parser.add_argument("--think-seconds", type=float, default=5.0, help="how long a computer player may think (5)")
    parser.add_argument("--rate", type=float, default=50.0, help="requests a second for each client (50)")
    parser.add_argument(
        "--name", action="append", default=[], metavar="HOST", help="a host name to answer to (all); may be repeated"
    )
    parser.add_argument(
        "--proxy", action="append", default=[], metavar="ADDRESS",
        help="a proxy whose X-Forwarded-For is believed (none); may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--root-path", default="", metavar="PATH", help="the path under which a proxy shows the server (none)"
    )
    parser.add_argument("--connections", type=int, default=256, help="open connections of one address (256)")
    parser.add_argument("--sockets", type=int, default=100, help="open WebSockets of one client (100)")
    parser.add_argument("--quota", type=int, default=500, help="running matches of one client (500; 0: no limit)")
    parser.add_argument(
        "--expire-days", type=float, default=30.0, help="delete matches nobody moved in after so long (30; 0: never)"
    )
    parser.add_argument(
        "--url", default="", help="the server's address as others write it, for links (as they found it)"
    )
    parser.add_argument(
        "--mail", default=os.environ.get("SANDTABLE_MAIL", ""), metavar="URL",
        help="the server that takes mail, smtp://USER:PASSWORD@HOST:PORT or smtps://... (SANDTABLE_MAIL; no mail)",
    )  # fmt: skip
    parser.add_argument("--mail-from", default="", metavar="ADDRESS", help="who the mails are from")
    parser.add_argument(
        "--accounts", default=os.environ.get("SANDTABLE_ACCOUNTS", ""), metavar="URL",
        help="sign in with an OpenID Connect provider, https://CLIENT:SECRET@ISSUER (SANDTABLE_ACCOUNTS; no accounts)",
    )  # fmt: skip
    parser.add_argument("--accounts-name", default="", metavar="NAME", help="what the provider is called")
    parser.add_argument("--log", choices=("text", "json", "quiet"), default="text", help="how logs are written (text)")


def provider(url: str, name: str) -> Provider:
    """Return the provider of an address with the client's id and secret in it."""
    from sandtable.cli.app import BadInput
    from sandtable.server.accounts import Provider

    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.username or not parts.hostname:
        raise BadInput("--accounts takes https://CLIENT:SECRET@ISSUER")
    issuer = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
    return Provider(issuer, unquote(parts.username), unquote(parts.password or ""), name)


def run(arguments: argparse.Namespace) -> int:
    from sandtable.cli.app import BadInput
    from sandtable.server.app import Settings
    from sandtable.server.run import NO_CLIENT, check, client_folder, data_folder, serve

    if arguments.workers < 1:
        raise BadInput("at least one worker is needed")
    if not 0 <= arguments.port < 65536:
        raise BadInput(f"there is no port {arguments.port}")
    if arguments.mail and urlsplit(arguments.mail).scheme not in ("smtp", "smtps"):
        raise BadInput("--mail takes smtp://USER:PASSWORD@HOST:PORT or smtps://...")
    if arguments.mail and not arguments.mail_from:
        raise BadInput("--mail needs --mail-from, the address that the mails are from")
    root = arguments.root_path.rstrip("/")
    if root and not re.fullmatch(r"(/[\w.~-]+)+", root, re.ASCII):
        raise BadInput(f"'{arguments.root_path}' is not a path like /sandtable")
    url = arguments.database
    if url is None:
        data_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        url = f"sqlite:///{(data_folder() / 'server.db').as_posix()}"
    check(url, host=arguments.host, port=arguments.port, workers=arguments.workers)
    client = client_folder()
    if client is None:
        print(f"sandtable: {NO_CLIENT}; only the API is served", file=sys.stderr, flush=True)
    settings = Settings(
        database=url,
        client=str(client) if client else None,
        rate=arguments.rate,
        burst=arguments.rate * 6,
        think_seconds=arguments.think_seconds,
        names=tuple(name.lower() for name in arguments.name),
        root=root,
        proxies=tuple(arguments.proxy),
        connections=arguments.connections,
        sockets=arguments.sockets,
        quota=arguments.quota or None,
        expire_days=arguments.expire_days or None,
        log=arguments.log,
        url=arguments.url,
        mail=arguments.mail,
        mail_from=arguments.mail_from,
        provider=provider(arguments.accounts, arguments.accounts_name) if arguments.accounts else None,
    )
    print(f"Sandtable listens on http://{arguments.host}:{arguments.port}{root}/", flush=True)
    serve(settings, host=arguments.host, port=arguments.port, workers=arguments.workers)
    return 0
