"""Requests to addresses that people gave us: never to a machine of our own network, never further than was asked.

The name is resolved once, every address it has must be a public one, and the connection goes to the address that was
checked. Redirects are not followed, and little of the answer is read.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from sandtable.core import SandtableError

SECONDS = 15.0
MOST_READ = 10_000


class NotReached(SandtableError):
    """An address could not be reached, or may not be. `gone`: there is no use in trying it again."""

    def __init__(self, message: str, *, gone: bool = False) -> None:
        super().__init__(message)
        self.gone = gone


def post(url: str, body: bytes, headers: Mapping[str, str], *, private: bool = False) -> int:
    """Send a body and return the status of the answer. `private`: machines of our own network are allowed too."""
    parts = urlsplit(url)
    if parts.scheme not in ("https", "http") or not parts.hostname or (parts.scheme == "http" and not private):
        raise NotReached("the address must begin with https://", gone=True)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        address = _checked(parts.hostname, port, private)
        connection = _connect(parts.scheme, parts.hostname, port, address)
        try:
            path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
            connection.request("POST", path, body, {**headers, "User-Agent": "Sandtable"})
            answer = connection.getresponse()
            answer.read(MOST_READ)
            return answer.status
        finally:
            connection.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise NotReached(f"{parts.hostname} cannot be reached: {error}") from None


def _checked(name: str, port: int, private: bool) -> str:
    """Return an address of a host, if all of them are public."""
    found = [str(one[4][0]) for one in socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)]
    if not private and not all(ipaddress.ip_address(one.partition("%")[0]).is_global for one in found):
        raise NotReached(f"{name} is a machine of a private network", gone=True)
    return found[0]


class _ToAddress(http.client.HTTPConnection):
    """A connection to an address under the name of its host."""

    def __init__(self, name: str, port: int, address: str) -> None:
        super().__init__(name, port, timeout=SECONDS)
        self._address = address

    def connect(self) -> None:
        self.sock: Any = socket.create_connection((self._address, self.port), SECONDS)


class _ToAddressSafely(_ToAddress):
    def connect(self) -> None:
        super().connect()
        self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)


def _connect(scheme: str, name: str, port: int, address: str) -> http.client.HTTPConnection:
    return (_ToAddressSafely if scheme == "https" else _ToAddress)(name, port, address)
