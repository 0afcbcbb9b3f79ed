"""Messages of the package as the text of a shell."""

from __future__ import annotations

from typing import Final

from polars_fairness.errors import in_shell
from polars_fairness.hiring.arguments import OF_IMPACT_RATIOS, OF_PUBLICATION
from polars_fairness.lending.arguments import OF_LENDING_TABLE, OF_QUANTILES, OF_SEGMENTS
from polars_fairness.question.arguments import METRICS, OF_QUESTION
from polars_fairness.question.audit_arguments import (
    ALLOW_UNDEFINED,
    DETAIL,
    FAIL_ON,
    HARM,
    NAMES_OF_TOOL,
    OF_AUDIT,
    OF_CHOOSE,
    OF_PAGE,
    OF_WORST_GROUPS,
    PROXY,
    REPORTED,
    UNIT,
)

_ROWS: Final = (
    *(
        METRICS,
        *OF_QUESTION,
        *OF_AUDIT,
        *OF_CHOOSE,
        *OF_WORST_GROUPS,
        HARM,
        FAIL_ON,
        ALLOW_UNDEFINED,
        PROXY,
        NAMES_OF_TOOL,
        REPORTED,
        DETAIL,
        UNIT,
        *OF_PAGE,
    ),
    *(*OF_IMPACT_RATIOS, *OF_LENDING_TABLE, *OF_QUANTILES, *OF_SEGMENTS, *OF_PUBLICATION),
)

OPTIONS: Final = {
    name: f"--{(row.option.name or row.name).replace('_', '-')}"
    for row in _ROWS
    if row.option
    for name in (row.name, row.option.name)
    if name
}


def in_own_words(message: str) -> str:
    """A message of the package with options in place of arguments.

    Examples
    --------
    >>> from polars_fairness.cli.words import in_own_words
    >>> from polars_fairness.errors import keyword
    >>> in_own_words(f"favored: 'F' is no race; give {keyword('favored', {'sex': 'F'})}")
    "--favored: 'F' is no race; give --favored sex=F"
    """
    head, colon, problem = in_shell(message, OPTIONS).partition(": ")
    # `polars-fairness metrics` has names, but no option for them.
    names = [OPTIONS.get(name) for name in head.split(", ")] if head != "metrics" else [None]
    is_of_options = bool(colon) and None not in names
    return (
        f"{', '.join(map(str, names))}: {problem}" if is_of_options else f"{head}{colon}{problem}"
    )
