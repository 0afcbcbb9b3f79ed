"""The arguments that every method shares."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from polars_fairness.errors import FairnessError, did_you_mean
from polars_fairness.question.columns import ColumnLike, Columns

Nulls = Literal["raise", "drop"]


class Question(TypedDict, total=False):
    """What is asked of the data: which column plays which part, and how to read it.

    ============================  ==========================================================
    ``facet``                     sensitive attributes; each is compared on its own
    ``disfavored``, ``favored``   side d and side a: a value, a list, or ``{facet: value(s)}``
    ``label``, ``predicted``      the observed and the predicted outcome
    ``positive``                  which outcomes are positive: a value, a list of values, or
                                  ``{column: value(s)}`` where label and prediction differ
    ``threshold``                 a predicted score is positive from here on
    ``label_threshold``           a continuous label is positive from here on
    ``subgroup``                  strata of the conditional metrics
    ``features``                  what tells how alike two individuals are
    ``by``                        everything is computed once for each combination of these
    ``weight``                    sampling weight, finite and at least 0
    ``count``                     how many rows each row stands for
    ``nulls``                     "raise" or "drop" rows with a missing outcome or weight
    ``zero_division``             None for undefined, or what 0/0 is instead
    ============================  ==========================================================
    """

    facet: Columns | None
    disfavored: Any
    favored: Any
    label: ColumnLike | None
    predicted: ColumnLike | None
    positive: Any
    threshold: float | None
    label_threshold: float | None
    subgroup: Columns | None
    features: Columns | None
    by: Columns | None
    weight: ColumnLike | None
    count: ColumnLike | None
    nulls: Nulls
    zero_division: float | None


DEFAULTS = Question(
    facet=None,
    disfavored=None,
    favored=None,
    label=None,
    predicted=None,
    positive=None,
    threshold=None,
    label_threshold=None,
    subgroup=None,
    features=None,
    by=None,
    weight=None,
    count=None,
    nulls="raise",
    zero_division=None,
)


def completed(question: Question) -> Question:
    """Fill in what was left out, and refuse what no method knows."""
    for argument in question:
        if argument not in DEFAULTS:
            msg = f"{argument}: there is no such argument; {did_you_mean(argument, DEFAULTS)}"
            raise UnknownArgumentError(msg)
    return DEFAULTS | question


class UnknownArgumentError(FairnessError, TypeError):
    """An argument that no method has; a `TypeError` too, as any other function raises."""
