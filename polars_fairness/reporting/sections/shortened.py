"""Long tables cut to their first rows, with a line that says what is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from polars_fairness.reporting.parts import Part, Sentences, Table

MOST_ROWS: Final = 14
"""How many rows a table has where the page shows the worst only: a third of a printed page."""

IN_FULL: Final = 'detail="full"'
"""How a line names the page that shows what is left out."""

_MOST_NAMES: Final = 5


def names_in_words(names: Iterable[str]) -> str:
    """The first names of several, each once, and how many more there are."""
    distinct = [*dict.fromkeys(names)]
    more = f" and {len(distinct) - _MOST_NAMES:,} more" if len(distinct) > _MOST_NAMES else ""
    return ", ".join(distinct[:_MOST_NAMES]) + more


def more_in_words(all_of_them: Sequence[object], shown: int, what: str, of_them: str = "") -> str:
    """How many of them are not shown, empty if all are.

    Examples
    --------
    >>> from polars_fairness.reporting.sections.shortened import more_in_words
    >>> more_in_words(range(20), 14, "groups", "2 of them outside")
    'Not shown: 6 more groups, 2 of them outside; detail="full" shows them.'
    >>> more_in_words(range(14), 14, "groups")
    ''
    """
    more = len(all_of_them) - shown
    if more <= 0:
        return ""
    return f"Not shown: {more:,} more {what}{of_them and ', '}{of_them}; {IN_FULL} shows them."


def cut(table: Table, what: str) -> Iterator[Part]:
    """The table, or its first rows with a line that says how many more there are."""
    yield replace(table, rows=table.rows[:MOST_ROWS])
    if more := more_in_words(table.rows, MOST_ROWS, what):
        yield Sentences("notes", (more,))
