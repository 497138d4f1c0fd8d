"""The roads by which somebody is called: web push, mail, a webhook. Nothing that is secret goes along any of them.

A mail, which its player alone reads, tells what has happened since their last move, as their seat may know it. A
webhook may have many readers: it is told what everybody at the table may know.

What is sent says which match waits, and links to it without a seat's secret: the browser that opens it must have the
key already.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import smtplib
import ssl
import time
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from sandtable.core import SandtableError

from .outgoing import NotReached, post
from .people import People, Person, Subscription

log = logging.getLogger("sandtable.server")
PUSH_SECONDS = 2 * 86_400
SMTP_SECONDS = 20.0


class Call(msgspec.Struct):
    """What somebody is told."""

    title: str
    lines: list[str]
    link: str
    news: list[str] = []
    """What has happened since, as the player may know it. It goes to their own address alone."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class Roads:
    """How this server reaches people."""

    def __init__(self, people: People, *, mail: str = "", sender: str = "", private: bool = False) -> None:
        self.people, self.mail_server, self.private = people, mail, private
        """`private`: machines of our own network may be called too."""
        self.sender = sender or "sandtable@localhost"
        self._vapid: Any = None

    async def call(self, person: Person, call: Call) -> bool:
        """Call somebody by every road they chose; returns whether one of them was open."""
        tries: list[tuple[str, Callable[[], Awaitable[None]]]] = []
        if person.calls.push:
            subscribed = await self.people.subscriptions(person.id)
            tries += [("push", functools.partial(self.push, one, call)) for one in subscribed]
        if person.calls.mail and person.mail and self.mail_server:
            tries.append(("mail", functools.partial(self.mail, person.mail, call)))
        if person.calls.hook:
            tries.append(("webhook", functools.partial(self.hook, person.calls.hook, call)))
        reached = False
        for road, go in tries:
            try:
                await go()
                reached = True
            except SandtableError as error:
                log.warning("somebody could not be called by %s: %s", road, _without_address(error))
        return reached or not tries

    # ---- web push
    async def vapid(self) -> Any:
        """Return the key with which push messages are signed: made once, kept in the database."""
        if self._vapid is None:
            from py_vapid import Vapid02

            def make() -> str:
                fresh = Vapid02()
                fresh.generate_keys()
                return str(fresh.private_pem().decode())

            self._vapid = Vapid02.from_pem((await self.people.setting("vapid", make)).encode())
        return self._vapid

    async def push_key(self) -> str:
        """Return the public key that a browser subscribes with; '' where push messages cannot be made."""
        try:
            from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
            from py_vapid.utils import b64urlencode
        except ImportError:
            return ""
        point = (await self.vapid()).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return str(b64urlencode(point))

    async def push(self, to: Subscription, call: Call) -> None:
        """Encrypt a message for one browser and leave it with that browser's push service."""
        from pywebpush import WebPusher, WebPushException

        words = {"title": call.title, "body": call.text, "url": call.link}
        try:
            body = WebPusher(msgspec.to_builtins(to)).encode(msgspec.json.encode(words))["body"]
        except (WebPushException, ValueError) as error:
            await self.people.unsubscribe(to.endpoint)
            raise NotReached(f"a push subscription is not one: {error}", gone=True) from None
        parts = urlsplit(to.endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + 12 * 3600}
        headers = dict((await self.vapid()).sign({**claims, "sub": f"mailto:{self.sender}"}))
        headers |= {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}
        headers |= {"TTL": str(PUSH_SECONDS), "Urgency": "normal"}
        status = await asyncio.to_thread(post, to.endpoint, body, headers, private=self.private)
        if status in (404, 410):
            await self.people.unsubscribe(to.endpoint)
            raise NotReached("the push subscription is gone", gone=True)
        if status >= 300:
            raise NotReached(f"the push service answered {status}")

    # ---- mail
    async def mail(self, to: str, call: Call) -> None:
        if not self.mail_server:
            raise NotReached("this server sends no mail", gone=True)
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self.sender, to, call.title
        message.set_content("\n\n".join([call.text, *call.news, call.link]) + "\n")
        await asyncio.to_thread(self._send, message)

    def _send(self, message: EmailMessage) -> None:
        parts = urlsplit(self.mail_server)
        kind: Any = smtplib.SMTP_SSL if parts.scheme == "smtps" else smtplib.SMTP
        try:
            with kind(parts.hostname or "localhost", parts.port or 0, timeout=SMTP_SECONDS) as smtp:
                if parts.scheme == "smtp":
                    smtp.ehlo()
                    if smtp.has_extn("starttls"):
                        smtp.starttls(context=ssl.create_default_context())
                if parts.username:
                    smtp.login(unquote(parts.username), unquote(parts.password or ""))
                smtp.send_message(message)
        except (OSError, smtplib.SMTPException) as error:
            raise NotReached(f"the mail could not be sent ({type(error).__name__})") from None

    # ---- webhook
    async def hook(self, url: str, call: Call) -> None:
        """Post a message in the words of Discord (`content`) and of Slack (`text`)."""
        text = f"**{call.title}**\n{call.text}\n{call.link}"
        body = msgspec.json.encode({"content": text[:1900], "text": text, "title": call.title, "url": call.link})
        headers = {"Content-Type": "application/json"}
        status = await asyncio.to_thread(post, url, body, headers, private=self.private)
        if status >= 300:
            raise NotReached(f"the webhook answered {status}", gone=status in (404, 410))


def _without_address(error: SandtableError) -> str:
    """Return what went wrong without where: logs hold no addresses of people."""
    return "not reached" if isinstance(error, NotReached) and ":" in str(error) else str(error)
