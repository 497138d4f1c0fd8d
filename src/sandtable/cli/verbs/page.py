"""`sandtable page`: everything as a static site."""

import argparse
from pathlib import Path

from sandtable.cli.checkout import checkout
from sandtable.cli.output import print_json


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="folder to write: new, empty, or a page")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")


def run(arguments: argparse.Namespace) -> int:
    from sandtable.page.site import Sources, write

    written = write(arguments.out, Sources.of(checkout("page")))
    if arguments.json:
        print_json(written)
    else:
        size = f"{written.files} files, {written.bytes / 1e6:.1f} MB"
        print(f"{size}, are in {written.folder}: any web server can serve them")
        print(f"to try it here: python -m http.server --directory {written.folder}")
    return 0
