"""`python -m sandtable` is the `sandtable` command."""

import sys

from sandtable.cli import main

if __name__ == "__main__":
    sys.exit(main())
