"""The version of this program."""

from importlib.metadata import PackageNotFoundError, version


def program_version() -> str:
    """Return the version of the installed package."""
    try:
        return version("sandtable")
    except PackageNotFoundError:
        return "(not installed)"
