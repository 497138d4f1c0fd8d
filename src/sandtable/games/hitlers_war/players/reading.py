"""Reading offers: those that are open."""

from __future__ import annotations

from sandtable.core import Action, Offer, Offers


def live(offers: Offers, act: type[Action]) -> list[Offer]:
    """Return the offers of a kind that no rule closes."""
    return [offer for offer in offers[act] if offer.closed is None]
