"""The program `polars-fairness` from its first moment on.

It stands beside the package, whose import loads polars: only here can Ctrl-C and a lack of memory
be answered while that takes place.
"""

import os
import signal
import sys


def program() -> None:
    """Load the command line and run it; status 2 if it cannot be loaded, 130 at Ctrl-C."""
    usual = signal.getsignal(signal.SIGINT)
    if usual is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda number, _: os._exit(128 + number))
    try:
        from polars_fairness.cli import program as run
    except (ImportError, MemoryError, OSError) as error:
        # Python would exit with 1, as a failed gate does.
        reason = str(error) or "there is not enough memory"
        print(f"polars-fairness: cannot be loaded: {reason}", file=sys.stderr)
        sys.exit(2)
    signal.signal(signal.SIGINT, usual)
    run()
