"""The function `calibration`: scores beside the share of positive labels, by group."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final, Unpack

from polars_fairness.answers.calibration import COLUMNS, calibrated, schema
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.clashes import (
    refuse_divided_multiples,
    refuse_taken_names,
    refuse_unknown_positive,
)
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError, require_confidence, require_whole
from polars_fairness.question.arguments import Question
from polars_fairness.question.outcomes import ROLES

_MOST_BINS: Final = 10_000


@answers()
def calibration(
    frame: AnyFrame,
    *,
    bins: int = 10,
    confidence: float | None = 0.95,
    **question: Unpack[Question],
) -> PolarsFrame:
    """Return the mean score and the share of positive labels in each bin of scores, by group.

    Scores mean the same in two groups if, at the same score, labels are positive equally often.
    The numbers of rows show how the scores of each group are distributed.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    bins
        The number of bins of equal width from 0 to 1. A bin holds its lower end; the last one
        holds 1 too. Scores have to lie between 0 and 1.
    confidence
        The confidence level of the intervals; None for none.
    **question
        As in `metrics`. It needs a score: ``score``, or ``predicted`` where that is the score.
        Without ``label``, only the rows and their mean scores are known. A threshold, a
        prediction decided otherwise, ``resolution``, ``disfavored``, ``favored``, ``subgroup``
        and ``features`` change nothing.

    Returns
    -------
    LazyFrame or DataFrame
        All bins of each group of each facet, with null as the ``value`` of rows whose facet is
        unknown; then those of all rows, whose ``facet`` is "(all)". The columns are those of
        ``by``, ``facet`` and ``value``, then:

        ``bin_lower``, ``bin_upper``
            The ends of the bin.
        ``n``
            The number of rows; with ``weight``, the sum of their weights.
        ``mean_score``, ``base_rate``
            The mean score, and the share whose label is positive. Null in an empty bin.
        ``lower``, ``upper``
            The bounds of Wilson's interval of ``base_rate``. With weights it is computed from the
            effective number of rows (Kish); with ``cluster``, from so many rows as would vary as
            much as the clusters do, and null below five effective clusters.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> loans = pl.DataFrame({"repaid": [0, 1, 0, 1, 1], "score": [0.1, 0.4, 0.4, 0.7, 1.0]})
    >>> by_half = pf.calibration(loans, bins=2, label="repaid", score="score")
    >>> by_half.select(pl.col("bin_lower", "bin_upper", "n"), pl.col("mean_score", "base_rate"))
    shape: (2, 5)
    ┌───────────┬───────────┬─────┬────────────┬───────────┐
    │ bin_lower ┆ bin_upper ┆ n   ┆ mean_score ┆ base_rate │
    │ ---       ┆ ---       ┆ --- ┆ ---        ┆ ---       │
    │ f64       ┆ f64       ┆ i64 ┆ f64        ┆ f64       │
    ╞═══════════╪═══════════╪═════╪════════════╪═══════════╡
    │ 0.0       ┆ 0.5       ┆ 3   ┆ 0.3        ┆ 0.333333  │
    │ 0.5       ┆ 1.0       ┆ 2   ┆ 0.85       ┆ 1.0       │
    └───────────┴───────────┴─────┴────────────┴───────────┘
    """
    if require_whole("bins", bins, 1) > _MOST_BINS:
        raise FairnessError(f"bins: takes at most {_MOST_BINS:,}, got {bins!r}; give fewer")
    require_confidence(confidence)
    call = Call.of(frame, question, "calibration").keeping((*ROLES, "score"))
    refuse_divided_multiples(call.roles, "calibration", bins)
    binned = call.roles.with_scores(lambda score: score.in_bins(bins, "calibration"))
    call = replace(call, roles=binned.of_scores)
    refuse_unknown_positive(call.roles, "calibration", *call.roles.outcomes)
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    compute = partial(calibrated, bins=bins, confidence=confidence)
    by_cluster = confidence is not None and call.roles.label is not None
    return call.answer(cells_of_all_rows, compute, schema(call.roles), by_cluster=by_cluster)
