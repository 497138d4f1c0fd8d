"""The `sandtable` command: what it can do is in `verbs`, how it starts and fails in `app`."""

from sandtable.cli.app import main

__all__ = ["main"]
