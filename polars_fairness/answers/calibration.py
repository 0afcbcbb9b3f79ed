"""The function `calibration`: scores and the share of positive labels, by group."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Final, Unpack

import polars as pl

from polars_fairness.api.bound import read
from polars_fairness.api.clashes import refuse_divided_multiples, refuse_unknown_positive
from polars_fairness.api.columns import CALIBRATED, types_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import with_all_rows
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import CLUSTER
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import FairnessError, require_confidence, require_whole
from polars_fairness.inference.closed_forms import wilson_of
from polars_fairness.question.arguments import Question
from polars_fairness.question.outcomes import ROLES
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import groups_shown
from polars_fairness.values.unlabelled import (
    may_lack_labels,
    note_of_group,
    with_groups_lacking,
)

_BIN: Final = "bin"
_MOST_BINS: Final = 10_000


@answers(columns=CALIBRATED)
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
    bins
        The number of bins of equal width from 0 to 1. A bin includes its lower end, and the last
        also 1. Scores have to lie between 0 and 1.
    confidence
        The confidence level of the intervals; None for none.
    **question
        As in `metrics`. It needs a score: ``score``, or ``predicted`` if that is the score.
        Without ``label``, only the rows and their mean scores are known. A threshold,
        ``disfavored``, ``favored`` and ``subgroup`` are for other answers. With ``nulls="drop"``,
        give ``predicted`` too, to see whether a decision has no labels.

    Returns
    -------
    LazyFrame or DataFrame
        All bins of each group of each facet, with null as the ``value`` of rows whose facet is
        unknown; then those of all rows, whose ``facet`` is "(all)". The columns are those of
        ``by``, then:
        {columns}

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
    bound = read(frame, question, "calibration")
    kept = bound.roles.keeping((*ROLES, "score"))
    refuse_divided_multiples(kept, "calibration", bins)
    scored = kept.with_scores(
        lambda score: replace(score, resolution=Fraction(1, bins), probabilities_for="calibration")
    )
    roles = scored.counting_scores
    refuse_unknown_positive(roles, "calibration", *roles.outcomes)
    without = {"note"}
    if may_lack_labels(scored) and scored.models[0].has_own_score:
        roles, without = replace(roles, models=scored.models), set[str]()
    compute = partial(calibrated, bins=bins, confidence=confidence)
    by_cluster = confidence is not None and roles.label is not None
    return answer_of(bound, roles, compute, CALIBRATED, without=without, by_cluster=by_cluster)


def calibrated(
    seen: pl.LazyFrame, roles: Roles, bins: int, confidence: float | None
) -> pl.LazyFrame:
    """Every bin of every group, and of all rows, from the cells of all rows by bin."""
    seen = with_all_rows(seen, roles)
    keys = [*roles.windows.keys, "facet", "value"]
    used = complete_cells(seen, roles.with_outcomes({"label"}))
    numbers = _numbers(used, [*keys, _BIN], roles, bins)
    if roles.left_out and roles.label is not None and confidence is not None:
        # Imported here: it needs numpy.
        from polars_fairness.inference.deviations import rows_over_clusters

        by_cluster = collected(_numbers(used, [*keys, _BIN, CLUSTER], roles, bins))
        mass, n = pl.col("mass"), pl.col("n")
        of_rate = (pl.col("positive") / mass, mass, n)
        rows = rows_over_clusters(by_cluster, [*keys, _BIN], *of_rate, confidence)
        numbers = numbers.join(rows.lazy(), on=[*keys, _BIN], how="left", nulls_equal=True)
    # Ends by Python: polars divides by multiplying, so that 3/10 would not be the float 0.3.
    ends = [(place, place / bins, (place + 1) / bins) for place in range(bins)]
    every_bin = pl.LazyFrame(ends, [_BIN, "bin_lower", "bin_upper"], orient="row")
    table = (
        with_groups_lacking(seen.select(keys).unique(maintain_order=True), seen, roles, keys)
        .join(every_bin, how="cross")
        .join(numbers, on=[*keys, _BIN], how="left", nulls_equal=True)
    )
    mass = pl.col("mass")
    base_rate = pl.col("positive") / mass if roles.label else pl.lit(None, pl.Float64)
    of = mass**2 / pl.col("squares") if not roles.left_out else pl.col("rows")
    lower = upper = pl.lit(None)
    if confidence is not None:
        lower, upper = wilson_of(base_rate, of, confidence)
    columns: tuple[pl.Expr, ...] = (
        pl.col("bin_lower"),
        pl.col("bin_upper"),
        mass.fill_null(0),
        pl.col("score_sum") / mass,
        base_rate,
        lower,
        upper,
    )
    if may_lack_labels(roles):
        columns = (*columns, note_of_group())
    types = types_of(CALIBRATED[2:], roles.size).items()
    named = zip(columns, types, strict=False)
    shown = {name: column.cast(dtype) for column, (name, dtype) in named}
    return groups_shown(table, roles, shown, [_BIN])


def _numbers(used: pl.LazyFrame, keys: list[str], roles: Roles, bins: int) -> pl.LazyFrame:
    """The rows and the mass of each bin, and its positive labels, squared weights and scores."""
    mass, squares = (pl.col(name).cast(pl.Float64) for name in (roles.mass, roles.squares))
    sums = {"mass": mass, "squares": squares, "score_sum": pl.col("score_sum"), "n": pl.col("n")}
    if roles.label is not None:
        is_positive = roles.label.positive_of(pl.col("label"))
        sums["positive"] = pl.when(is_positive).then(mass).otherwise(0.0)
    # The last bin holds its upper end, a score of 1.
    place = (pl.col("score") * bins).round().cast(pl.Int64).clip(upper_bound=bins - 1)
    placed = used.with_columns(place.alias(_BIN))
    return placed.group_by(keys).agg(value.sum().alias(name) for name, value in sums.items())
