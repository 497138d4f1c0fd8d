"""The feeds of a person: Atom for a reader of news, iCalendar for a calendar. Both say only whose move it is."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from .calls import WORDS, Wait
from .people import Person

ATOM = "http://www.w3.org/2005/Atom"
Line = tuple[Wait, str, float | None]
"""A wait, its sentence, and when it is due."""


def _time(seconds: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(seconds, dt.UTC)


def atom(person: Person, lines: Sequence[Line]) -> bytes:
    """Return an Atom feed with an entry for each match that waits or has ended."""
    ET.register_namespace("", ATOM)
    words, feed = WORDS[person.lang], ET.Element(f"{{{ATOM}}}feed")

    def add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
        made = ET.SubElement(parent, f"{{{ATOM}}}{name}", attributes)
        made.text = text or None
        return made

    add(feed, "id", f"urn:sandtable:person:{person.id}")
    add(feed, "title", words["feed"])
    newest = max((wait.since for wait, _, _ in lines), default=person.created)
    add(feed, "updated", _time(newest).isoformat())
    add(feed, "link", href=f"{person.origin}/")
    add(add(feed, "author"), "name", "Sandtable")
    for wait, sentence, _ in lines:
        entry = add(feed, "entry")
        add(entry, "id", f"urn:sandtable:{wait.match}:{wait.place}:{wait.number}:{wait.what}")
        add(entry, "title", words[wait.what])
        add(entry, "updated", _time(wait.since).isoformat())
        add(entry, "link", href=f"{person.origin}/m/{wait.match}")
        add(entry, "summary", sentence)
    return bytes(ET.tostring(feed, encoding="utf-8", xml_declaration=True))


def calendar(person: Person, lines: Sequence[Line]) -> bytes:
    """Return a calendar with an event for each move that is due, an hour before it is too late."""
    words = WORDS[person.lang]
    found = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Sandtable//EN", f"X-WR-CALNAME:{_escaped(words['feed'])}"]
    for wait, sentence, due in lines:
        if due is None:
            continue
        found += [
            "BEGIN:VEVENT",
            f"UID:{wait.match}-{wait.place}-{wait.number}@sandtable",
            f"DTSTAMP:{_time(wait.since):%Y%m%dT%H%M%SZ}",
            f"DTSTART:{_time(due - 3600):%Y%m%dT%H%M%SZ}",
            f"DTEND:{_time(due):%Y%m%dT%H%M%SZ}",
            f"SUMMARY:{_escaped(words['due'])}",
            f"DESCRIPTION:{_escaped(sentence)}",
            f"URL:{person.origin}/m/{wait.match}",
            "END:VEVENT",
        ]
    found.append("END:VCALENDAR")
    return b"".join(_folded(line) for line in found)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """Return a line in pieces of at most 75 bytes, as RFC 5545 wants it."""
    pieces, piece = [], b""
    for letter in line:
        if len(piece) + len(letter.encode()) > 73:
            pieces.append(piece)
            piece = b" "
        piece += letter.encode()
    return b"\r\n".join([*pieces, piece]) + b"\r\n"
