"""Accounts elsewhere: signing in with any OpenID Connect provider, for servers that want it.

The provider says who somebody is. We keep issuer and subject, nothing else of the account. Somebody who was known by
the key of this browser stays who they are; on another device the same account finds them again.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import Any

import msgspec

from sandtable.core import SandtableError
from sandtable.host.errors import HostError

SECONDS = 600.0
MOST_OPEN = 1000


class Provider(msgspec.Struct, frozen=True):
    """An OpenID Connect provider."""

    issuer: str
    client: str
    secret: str
    name: str = ""


class NotSignedIn(HostError):
    """The provider did not say who it is."""

    status, code = 401, "not-signed-in"


class _Begun(msgspec.Struct):
    """A sign-in that waits for its answer."""

    nonce: str
    verifier: str
    back: str
    key: str | None
    """The person who began it, if they were known."""
    at: float


class Accounts:
    """Signs people in with one provider."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._begun: dict[str, _Begun] = {}
        self._about: dict[str, Any] | None = None

    async def begin(self, back: str, person: str | None) -> str:
        """Return the address of the provider's page; `back` is where it sends them afterwards."""
        about = await self._discover()
        state, nonce, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(24), secrets.token_urlsafe(48)
        now = time.monotonic()
        self._begun = {name: one for name, one in self._begun.items() if now - one.at < SECONDS}
        if len(self._begun) >= MOST_OPEN:
            raise NotSignedIn("too many people sign in at once; try again in a moment")
        self._begun[state] = _Begun(nonce, verifier, back, person, now)
        session = self._session(back)
        found, _ = session.create_authorization_url(
            about["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier
        )
        return str(found)

    async def finish(self, state: str, code: str) -> tuple[str, str, str | None]:
        """Return who it is by the provider's word, what they are called, and the person who began it."""
        begun = self._begun.pop(state, None)
        if begun is None or not code:
            raise NotSignedIn("this sign-in was not begun here, or too long ago: begin again")
        about = await self._discover()
        try:
            claims = await asyncio.to_thread(self._claims, about, begun, code)
        except SandtableError:
            raise
        except Exception as error:  # whatever the provider sent, it is not a word to believe
            raise NotSignedIn(f"the provider's answer cannot be believed ({type(error).__name__})") from error
        name = str(claims.get("name") or claims.get("preferred_username") or "")[:80]
        return f"{claims['iss']} {claims['sub']}"[:400], name, begun.key

    def _session(self, back: str) -> Any:
        from authlib.integrations.requests_client import OAuth2Session

        return OAuth2Session(
            self.provider.client,
            self.provider.secret,
            scope="openid profile",
            redirect_uri=back,
            code_challenge_method="S256",
        )

    async def _discover(self) -> dict[str, Any]:
        if self._about is None:
            self._about = await asyncio.to_thread(self._discovered)
        return self._about

    def _discovered(self) -> dict[str, Any]:
        import requests

        issuer = self.provider.issuer.rstrip("/")
        try:
            found = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=15)
            found.raise_for_status()
            about: dict[str, Any] = found.json()
        except requests.RequestException as error:
            raise NotSignedIn(f"the provider cannot be reached ({type(error).__name__})") from None
        if about.get("issuer", "").rstrip("/") != issuer:
            raise NotSignedIn("the provider calls itself by another name than it is known by here")
        return about

    def _claims(self, about: dict[str, Any], begun: _Begun, code: str) -> dict[str, Any]:
        """Exchange the code for a token and check everything that it says."""
        import requests
        from joserfc import jwt
        from joserfc.jwk import KeySet

        token = self._session(begun.back).fetch_token(
            about["token_endpoint"], grant_type="authorization_code", code=code, code_verifier=begun.verifier
        )
        keys = KeySet.import_key_set(requests.get(about["jwks_uri"], timeout=15).json())
        known = [name for name in about.get("id_token_signing_alg_values_supported", ["RS256"]) if name[:2] != "HS"]
        found = jwt.decode(token["id_token"], keys, algorithms=[name for name in known if name != "none"])
        rules = jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": about["issuer"]},
            aud={"essential": True, "value": self.provider.client},
            sub={"essential": True},
            exp={"essential": True},
            nonce={"essential": True, "value": begun.nonce},
            leeway=60,
        )
        rules.validate(found.claims)
        return dict(found.claims)
