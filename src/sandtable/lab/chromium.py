"""The browser that figures are measured in."""

import os
import shutil


def find_chromium() -> str | None:
    """Return the browser to measure in: the one that is named, or one on the path."""
    return os.environ.get("SANDTABLE_CHROMIUM") or next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
    )
