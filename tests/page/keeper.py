"""A cabinet's store in memory, sorted as IndexedDB sorts: for the tests of what runs in a browser, without one."""

from __future__ import annotations

import json
from typing import Any

Sorted = tuple[tuple[int, Any], ...]


def order(key: list[Any]) -> Sorted:
    """Numbers before texts, and a list before the longer ones that begin with it."""
    return tuple((1 if isinstance(part, str) else 0, part) for part in key)


class Keeper:
    """What JavaScript's Cabinet is to `page/cabinet.py`. `tabs` are told what another one has written."""

    def __init__(self) -> None:
        self.kept: dict[Sorted, tuple[list[Any], str]] = {}
        self.held: dict[str, Tab] = {}
        self.tabs: list[Tab] = []
        self.is_full = False


class Tab:
    """One tab's way to the store."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.told: list[dict[str, Any]] = []
        keeper.tabs.append(self)

    async def keep(self, words: str) -> str:
        wish = json.loads(words)
        how = {"read": self._read, "write": self._write, "lease": self._lease}[wish["do"]]
        return json.dumps(how(wish))

    def _read(self, wish: dict[str, Any]) -> dict[str, Any]:
        low, high = order(wish["low"]), order(wish["high"])
        assert low <= high, "IndexedDB refuses such a range"
        found = [record for key, record in sorted(self.keeper.kept.items()) if low <= key <= high]
        return {"records": found if wish["last"] is None else found[-wish["last"] :]}

    def _write(self, wish: dict[str, Any]) -> dict[str, Any]:
        if self.keeper.is_full:
            return {"trouble": "full"}
        kept = dict(self.keeper.kept)
        for put in wish["puts"]:
            key = order(put["key"])
            if "value" not in put:
                kept = {other: record for other, record in kept.items() if other[: len(key)] != key}
            elif (put.get("new") and key in kept) or ("was" in put and kept.get(key, ([], ""))[1] != put["was"]):
                return {"trouble": "conflict"}
            else:
                kept[key] = (put["key"], put["value"])
        self.keeper.kept = kept
        if wish["tell"]:
            for tab in self.keeper.tabs:
                if tab is not self:
                    tab.told.append(wish["tell"])
        return {}

    def _lease(self, wish: dict[str, Any]) -> dict[str, Any]:
        match = wish["match"]
        if not wish["held"]:
            if self.keeper.held.get(match) is self:
                del self.keeper.held[match]
            return {}
        return {} if self.keeper.held.setdefault(match, self) is self else {"trouble": "held"}
