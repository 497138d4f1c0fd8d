import sys

from sandtable.cli.app import main

sys.exit(main())
