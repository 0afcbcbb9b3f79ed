"""Notes on outcomes by which no row, or every row, is positive: often a mistaken threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.counting.sides import ALL
from polars_fairness.errors import listed
from polars_fairness.question.arguments import Question
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.words import column_in_words, window_in_words

_RATES: Final = {"label": "base_rate", "predicted": "selection_rate"}
_THRESHOLDS: Final = {"label": "label_threshold", "predicted": "threshold"}
_MOST_WINDOWS: Final = 3
_SAME: Final = "so that groups have the same rate"


def notes_on_outcomes(rated: pl.DataFrame, question: Question) -> list[str]:
    """A sentence on each outcome that is positive in no row, or in every row.

    ``rated`` is the answer of `rates` to the same question. With ``by``, the sentence says in
    how many windows this is so.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> from polars_fairness.reporting.outcome_notes import notes_on_outcomes
    >>> question = {"predicted": "score", "threshold": 50}
    >>> scores = pl.DataFrame({"score": [0.2, 0.9]})
    >>> notes_on_outcomes(pf.rates(scores, **question), question)[0].partition(",")[0]
    "threshold: 50 makes no row of 'score' positive"
    """
    windows = rated.columns[: rated.columns.index("facet")]
    # Without rows a rate is `zero_division`.
    all_rows = rated.filter(pl.col("facet") == ALL, pl.col("n") > 0)
    notes = []
    for role, rate in _RATES.items():
        if role == "predicted" and THRESHOLD in windows:
            continue  # of several thresholds, the lowest may accept every row
        known = all_rows.filter(pl.col(rate).is_not_null())
        for how_many, share in (("no row", 0), ("every row", 1)):
            found = known.filter(pl.col(rate) == share)
            if found.height:
                where = "" if found.height == known.height else _where(found, windows, known)
                notes.append(_note(question, role, how_many, where))
    return notes


def _note(question: Mapping[str, Any], role: str, how_many: str, where: str) -> str:
    # A score decides where no prediction is given.
    name = column_in_words(question.get(role, question.get("score")))
    given = question.get("positive")
    values = given.get(name) if isinstance(given, Mapping) else given
    if (threshold := question.get(_THRESHOLDS[role])) is not None:
        argument = _THRESHOLDS[role]
        makes, remedy = f"{threshold:.10g} makes", "compare the threshold with the values"
    elif values is not None:
        argument, remedy = "positive", "compare it with the values"
        several = values if isinstance(values, list | tuple) else [values]
        makes = f"{listed(several)} {'makes' if len(several) == 1 else 'make'}"
    else:
        return f"{role}: {how_many} of {name!r} is positive{where}, {_SAME}; check the column"
    return f"{argument}: {makes} {how_many} of {name!r} positive{where}, {_SAME}; {remedy}"


def _where(found: pl.DataFrame, windows: Sequence[str], known: pl.DataFrame) -> str:
    """In how many windows this is so, with the first of them."""
    shown = found.head(_MOST_WINDOWS).rows(named=True)
    first = [window_in_words(tuple((name, row[name]) for name in windows)) for row in shown]
    more = "; …" if found.height > _MOST_WINDOWS else ""
    return f" in {found.height:,} of {known.height:,} windows ({'; '.join(first)}{more})"
