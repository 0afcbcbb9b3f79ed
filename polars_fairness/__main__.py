"""``python -m polars_fairness``: the command line."""

import sys

from polars_fairness.cli import main

if __name__ == "__main__":
    sys.exit(main())
