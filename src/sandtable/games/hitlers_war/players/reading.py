"""Reading offers: those that are open."""

from __future__ import annotations

from sandtable.core import Action, Offer, Offers
from sandtable.core.offers import Barred


def live(offers: Offers, act: type[Action]) -> list[Offer]:
    """The offers of a kind that are not barred."""
    return [offer for offer in offers[act] if not isinstance(offer, Barred)]
