"""Metrics with intervals and verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal, Unpack

from polars_fairness.answers.audit import COLUMNS as AUDIT_COLUMNS
from polars_fairness.answers.audit import audited, find_terms
from polars_fairness.answers.audit import schema as audit_schema
from polars_fairness.answers.plan import PolarsFrame, answered
from polars_fairness.answers.verdicts import Band
from polars_fairness.api.metrics_requested import asked_for, serving
from polars_fairness.counting.cells import seen_cells
from polars_fairness.counting.rows import AnyFrame, rows_of
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question
from polars_fairness.question.roles import find_roles


def audit(
    frame: AnyFrame,
    *metrics: str | Metric,
    confidence: float | None = 0.95,
    method: Literal["bootstrap", "newcombe", "log"] = "bootstrap",
    replicates: int = 1000,
    seed: int = 0,
    bands: Mapping[str, Band] | None = None,
    minimum_count: int | None = None,
    p_values: Literal["exact", "holm"] | None = None,
    **question: Unpack[Question],
) -> PolarsFrame:
    """Compute metrics, each on a row of its own with an interval and a verdict.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    *metrics
        As in `metrics`; none for every metric that the columns given allow.
    confidence
        How often such intervals hold the truth; None for no intervals.
    method
        How the intervals of comparisons of two sides are found: "bootstrap" for every metric, by
        drawing the counts again from Gamma distributions with their own means and variances;
        "newcombe" for differences of two rates, "log" for ratios, where the others stay with the
        bootstrap. Maxima over groups and conditional metrics have intervals of their own, and test
        statistics none.
    replicates, seed
        How often it draws, at most a million times; the same seed draws the same.
    bands
        The values tolerated, ``{metric: (low, high)}``, in place of `Metric.acceptable`; None for
        no verdict.
    minimum_count
        Mark comparisons with fewer rows on a side, in a column ``is_small``.
    p_values
        Add a column ``p_value``: how likely chance alone is, by Fisher's exact test of the rate
        that a metric compares, or within strata by the test of Cochran, Mantel and Haenszel; null
        where neither speaks of the metric, and with weights. "exact" as they are, "holm" adjusted
        for all rows of this audit. Extra ``significance``.
    **question
        As in `metrics`.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and metric: the columns of ``by``, then ``facet``, ``disfavored``,
        ``favored`` (both null where a metric has no sides), ``metric``, ``value``, ``lower``,
        ``upper``, ``ideal``, ``verdict``: "fair" where the whole interval is tolerated,
        "against_disfavored" or "against_favored" where none of it is, "outside" where none of it is
        and the metric has no sides (or neither its value nor the rates name one), "uncertain"
        between, "undefined" without a value, null where nobody said what is tolerated. Then
        ``n_disfavored``, ``n_favored``, ``n_unknown``, and of how many rows that is said:
        ``rows_seen``, ``rows_used``, ``rows_dropped``. A window with nobody to compare has one row
        for each metric, with null sides.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> told = pf.audit(
    ...     applicants,
    ...     "di",
    ...     "cddpl",
    ...     facet="sex",
    ...     disfavored="Female",
    ...     predicted="admitted",
    ...     subgroup="department",
    ...     count="n",
    ... )
    >>> told.select("metric", "verdict").rows()
    [('di', 'against_disfavored'), ('cddpl', 'fair')]
    """
    rows = rows_of(frame, question)
    roles = find_roles(rows.schema, question)
    asked: dict[str, Metric] = asked_for(metrics, roles)
    roles = serving(roles, asked.values())
    terms = find_terms(
        asked,
        roles,
        confidence=confidence,
        method=method,
        replicates=replicates,
        seed=seed,
        bands=bands,
        minimum_count=minimum_count,
        p_values=p_values,
    )
    roles.must_not_collide({"by"}, AUDIT_COLUMNS)
    answer = partial(audited, roles=roles, metrics=asked, terms=terms)
    cells = seen_cells(rows, roles)
    return answered(frame, cells, answer, audit_schema(roles, terms))
