"""The command line: an audit of files, for whom a shell is nearer than Python."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from polars.exceptions import PanicException, PolarsError

from polars_fairness.cli.arguments import parser
from polars_fairness.errors import FairnessError, reason_of

WRONG_CALL, INTERRUPTED = 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``polars-fairness`` and return its exit code.

    Parameters
    ----------
    arguments
        What was typed behind the program's name; None for what this process was started with.

    Returns
    -------
    int
        0; 1 where ``--fail-on`` failed; 2 for a wrong call, which one line on stderr explains;
        130 where the user interrupted.

    Examples
    --------
    >>> from polars_fairness.cli import main
    >>> main(["metrics", "di", "--format", "csv"])
    name,definition,lowest,highest,ideal,acceptable_from,acceptable_to,needs,source
    di,q'd / q'a,0.0,inf,1.0,0.8,1.2,facet predicted,"Amazon SageMaker Clarify, AIF360"
    0
    """
    try:
        given = parser().parse_args(arguments)
        return int(given.run(given))
    except KeyboardInterrupt:
        return INTERRUPTED
    except (FairnessError, PolarsError, PanicException, OSError, ImportError) as error:
        print(f"polars-fairness: {reason_of(error)}", file=sys.stderr)
        return WRONG_CALL
