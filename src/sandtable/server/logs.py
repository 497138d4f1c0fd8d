"""Logs: one line for each thing that happened, as text or as JSON, without what is secret.

Uvicorn's own lines about WebSockets name the address of a client together with a match, so they are left out.
"""

from __future__ import annotations

import json
import logging
import sys
import time


class JsonLines(logging.Formatter):
    """Writes a record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line)


def set_up(kind: str) -> None:
    """Write logs to stderr: 'text', 'json', or 'quiet' for warnings only."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if kind == "json" else logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING if kind == "quiet" else logging.INFO)
    for name in ("uvicorn.error", "uvicorn.asgi", "alembic", "alembic.runtime.migration", "httpx"):
        logging.getLogger(name).setLevel(logging.WARNING)
