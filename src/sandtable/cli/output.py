"""Output of the command: results on stdout, as tables or as JSON; everything else on stderr."""

import json
import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def print_json(value: Any) -> None:
    """Print a result as JSON; where the output cannot hold every character, in ASCII with escapes."""
    import msgspec

    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"
    if (sys.stdout.encoding or "").lower() not in ("utf-8", "utf8"):
        text = re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text)
    sys.stdout.write(text)


def console(*, stderr: bool = False) -> "Console":
    """The terminal; output to a file is wide enough for whole tables."""
    from rich.console import Console

    out = Console(stderr=stderr, highlight=False)
    if not out.is_terminal:
        out.width = max(out.width, 160)
    return out


def table(*columns: str, title: str = "") -> "Table":
    """An empty table with these headings; a heading that begins with '>' aligns its column to the right."""
    from rich import box
    from rich.table import Table

    made = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in columns:
        made.add_column(heading.lstrip(">"), justify="right" if heading.startswith(">") else "left", overflow="fold")
    return made


class Progress:
    """A progress bar; silent where there is no terminal."""

    def __init__(self, what: str, total: int, unit: str) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        out = console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit))
        self._bar = Bar(*columns, TimeRemainingColumn(), console=out, transient=True, disable=not out.is_terminal)
        self._task = self._bar.add_task(what, total=total)

    def __enter__(self) -> "Progress":
        self._bar.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._bar.stop()

    def set(self, done: int) -> None:
        """Show that so many are done."""
        self._bar.update(self._task, completed=done)
