"""Remarks: what a computer player is trying to do, said after its turn.

They are made of the log, the table and the standing as the reader's seat sees them. So the computer says no more than
somebody at the table could see, and nothing of what is hidden or to come. Only an ally reads what it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from sandtable.core.table import Table
from sandtable.players.words import request_in_words

from . import messages as m
from .log import LogLine
from .matches import Live
from .purpose import purpose


def remarks(
    live: Live, eyes: str | None, before: Table, lines: Sequence[LogLine], language: str, own: Sequence[str] = ()
) -> list[m.RemarkFace]:
    """Return what each computer player says of these lines, and what it asks of the reader's own roles.

    `before` is the table when they began.
    """
    played = [role for seat in live.seats if seat.is_played_by_computer for role in seat.roles]
    texts = live.game.texts(language)
    asked = [one for role in own for one in live.asked_of(role)]
    found = []
    for role in dict.fromkeys([*(line.role for line in lines if line.role in played), *(one.by for one in asked)]):
        scenes = [line.scene for line in lines if line.role == role]
        said = purpose(live.match, eyes, role, scenes, before, texts)
        asks = [request_in_words(one, texts) for one in asked if one.by == role]
        if said.deeds or asks:
            found.append(m.RemarkFace(role, said.deeds, " ".join(filter(None, (said.aim, *asks))), said.stands))
    return found
