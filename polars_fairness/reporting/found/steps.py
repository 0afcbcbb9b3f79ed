"""Steps: how values changed from one window to the next, beyond chance in all steps together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Final, cast

import polars as pl

from polars_fairness.answers.contrasts import BOUNDS_OF_DIFFERENCE
from polars_fairness.answers.options import AuditOptions
from polars_fairness.api.audit import audit
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import AuditQuestion
from polars_fairness.question.windows import MODEL
from polars_fairness.values.evaluate import SIDES

_USUAL: Final = ("di", "rd")
"""What is followed over time if no metric is requested: who is accepted, and who by mistake not."""

# Inner columns: no column of a caller has such a name.
PREVIOUS, IS_MARKED = "previous\x1f", "is_marked\x1f"

# Verdicts, and what the user compares with, are in the audit already.
_OF_STEPS: Final = {
    "baseline": "previous",
    "baseline_count": None,
    "bands": None,
    "champion": None,
    "drift": None,
    "method": "bootstrap",
    "minimum_count": None,
    "p_values": None,
    "policy": None,
    "rule": "interval",
}

_MEASURED: Final = ("reference", "value", "difference", *BOUNDS_OF_DIFFERENCE)


def find_steps(
    frame: AnyFrame,
    audited: pl.DataFrame,
    requested: Mapping[str, str | Metric],
    options: AuditOptions,
    given: AuditQuestion,
) -> pl.DataFrame:
    """Each value that is followed over time, less that of the window before.

    There are the columns of the audit that name a value, then `PREVIOUS`, the window before, the
    value there as ``reference``, ``value``, ``difference`` with its bounds, and `IS_MARKED`,
    whether these exclude 0. The bounds hold for all steps together. ``requested`` has the metrics
    by their names in the audit; empty if the user requested none.
    """
    windows = audited.columns[: audited.columns.index("facet")]
    column = time_column(audited)
    if column is None or options.confidence is None or options.sequential:
        return _without_steps(audited, windows)
    moments = audited[column].alias("").drop_nulls().unique().sort()
    if moments.len() < 2:
        return _without_steps(audited, windows)
    # Without an interval a metric has no marks, and neighbours are slow to find once more.
    estimated = {*audited.filter(pl.col("lower").is_not_null())["metric"]}
    names = [name for name in followed(audited, [*requested]) if name in estimated]
    if not names:
        return _without_steps(audited, windows)
    metrics = [requested.get(name, name) for name in names]
    compared = audit(frame, *metrics, **cast("AuditQuestion", {**given, **_OF_STEPS}))
    bounds_known = pl.all_horizontal(pl.col(BOUNDS_OF_DIFFERENCE).is_not_null())
    known = (
        compared.lazy()
        .collect(engine="streaming")
        .filter(pl.col("difference").is_finite() & bounds_known)
    )
    before = known[column].alias("").replace_strict(moments, moments.shift(1)).alias(PREVIOUS)
    steps = _widened(known.with_columns(before), options.confidence)
    return steps[[*windows, *SIDES, "metric", PREVIOUS, *_MEASURED, IS_MARKED]]


def _without_steps(audited: pl.DataFrame, windows: Sequence[str]) -> pl.DataFrame:
    types = {PREVIOUS: pl.Date(), **dict.fromkeys(_MEASURED, pl.Float64()), IS_MARKED: pl.Boolean()}
    added = (pl.lit(None, dtype).alias(name) for name, dtype in types.items())
    return audited.clear()[[*windows, *SIDES, "metric"]].with_columns(added)


def _widened(steps: pl.DataFrame, confidence: float) -> pl.DataFrame:
    """The steps with bounds that hold for all of them together, by Bonferroni's correction.

    A thousand draws have no percentile so far out, so the bounds move away from the difference as
    those of a normal distribution would. Of 100 audits of twelve months without any change, with 8
    to 5,000 rows of a group a month, 0 to 4 had a mark.
    """
    normal, tail = NormalDist(), (1 - confidence) / 2
    factor = normal.inv_cdf(1 - tail / max(1, steps.height)) / normal.inv_cdf(1 - tail)
    difference = pl.col("difference")
    lower, upper = (
        (difference + factor * (pl.col(bound) - difference)) for bound in BOUNDS_OF_DIFFERENCE
    )
    names = dict(zip(BOUNDS_OF_DIFFERENCE, (lower, upper), strict=True))
    return steps.with_columns(
        (~pl.lit(0).is_between(lower, upper)).alias(IS_MARKED),
        **names,
    )


def time_column(audited: pl.DataFrame) -> str | None:
    """The column of an audit that says when, if it is the only one that windows have."""
    windows = audited.columns[: audited.columns.index("facet")]
    columns = [name for name in windows if name != MODEL]
    is_time = len(columns) == 1 and audited[columns[0]].dtype.is_temporal()
    return columns[0] if is_time else None


def followed(audited: pl.DataFrame, requested: Sequence[str]) -> list[str]:
    """The metrics that are followed over time; the first of them leads.

    These are the requested metrics with a band, or all of them if none has one.
    """
    judged = audited.filter(pl.col("band_lower").is_not_null())
    names = judged["metric"].unique(maintain_order=True).to_list()
    if requested:
        return names or [*requested]
    return [name for name in _USUAL if name in names] or names
