"""Figures for Prometheus, at /api/metrics, for clients on the server's own machine and those named."""

from __future__ import annotations

import os
import time
from typing import Any

from litestar import Response, get
from litestar.exceptions import PermissionDeniedException

from .asking import Req
from .connections import DOOR
from .errors import ERRORS
from .guards import client_of

STARTED = time.time()
LOCAL = ("127.0.0.1", "::1", "local")


@get("/api/metrics", responses=ERRORS, summary="Figures of this process for Prometheus", tags=["server"])
async def metrics(request: Req) -> Response[str]:
    """Answers the server's own machine only; a proxy is not it."""
    if client_of(request.scope) not in LOCAL:
        raise PermissionDeniedException("figures are for the server's own machine")
    return Response(as_text(figures(request.app.state)), media_type="text/plain; version=0.0.4")


def figures(state: Any) -> dict[str, tuple[str, str, float]]:
    """Return by name: kind, meaning and value."""
    host = state.host
    held, weight = host.matches.held
    found = {
        "sandtable_matches_in_memory": ("gauge", "Matches in memory.", float(held)),
        "sandtable_match_bytes": ("gauge", "About how many bytes they take.", float(weight)),
        "sandtable_lines": ("gauge", "Open WebSockets.", float(host.lines)),
        "sandtable_moves_total": ("counter", "Moves committed by this process.", float(host.matches.made)),
        "sandtable_move_seconds_total": ("counter", "Seconds from a move's check to its commit.", host.matches.spent),
        "sandtable_thinking_waiting": ("gauge", "Decisions that wait for a process.", float(state.processes.waiting)),
        "sandtable_connections": ("gauge", "Open HTTP connections.", float(sum(DOOR.open.values()))),
        "sandtable_connections_refused_total": ("counter", "Connections turned away.", float(DOOR.turned_away)),
        "sandtable_storage_broken": ("gauge", "1 while the storage recovers.", float(state.store.work.is_broken)),
        "process_start_time_seconds": ("gauge", "When the process started.", STARTED),
        "process_resident_memory_bytes": ("gauge", "Memory in use.", resident()),
    }
    for health in host.tasks.health():
        found[f'sandtable_work_ok{{work="{health.name}"}}'] = ("gauge", "1 while this work goes on.", float(health.ok))
    return found


def resident() -> float:
    """Return the bytes of memory in use; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 (not a file of ours)
            return float(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0.0


def as_text(found: dict[str, tuple[str, str, float]]) -> str:
    """Return the figures as Prometheus reads them."""
    lines: list[str] = []
    for name, (kind, meaning, value) in found.items():
        bare = name.partition("{")[0]
        if f"# TYPE {bare} {kind}" not in lines:
            lines += [f"# HELP {bare} {meaning}", f"# TYPE {bare} {kind}"]
        lines.append(f"{name} {value:g}" if value < 1e6 else f"{name} {value:.0f}")
    return "\n".join(lines) + "\n"
