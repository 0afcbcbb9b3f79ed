"""What is to be thought of it, and why: the audit, and a conditional metric taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Literal, Unpack

from polars_fairness.answers import PolarsFrame, answered
from polars_fairness.audit import COLUMNS as AUDIT_COLUMNS
from polars_fairness.audit import audited, find_terms
from polars_fairness.audit import schema as audit_schema
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.cells import comparable_cells, seen_cells
from polars_fairness.contributions import columns as columns_of_contributions
from polars_fairness.contributions import contributed
from polars_fairness.contributions import schema as contributions_schema
from polars_fairness.errors import FairnessError, listed
from polars_fairness.functions.asked import asked_for, serving
from polars_fairness.metric import Metric
from polars_fairness.roles import Question, find_roles
from polars_fairness.rows import AnyFrame, rows_of
from polars_fairness.verdicts import Band


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


def decompose(frame: AnyFrame, metric: str | Metric, **question: Unpack[Question]) -> PolarsFrame:
    """Take a conditional metric apart: what every subgroup adds to it.

    Parameters
    ----------
    frame
        A LazyFrame, which is only planned, a DataFrame, or a frame of another engine.
    metric
        The name of a conditional metric, such as "cddpl", or one of your own made with
        ``stratified``.
    **question
        As in `metrics`.

    Returns
    -------
    LazyFrame or DataFrame
        One row per comparison and subgroup in which either side has rows, those that add most,
        or take most away, first: the columns of ``by``, ``facet``, ``disfavored``, ``favored``,
        the columns of ``subgroup``; ``n``, the rows of both sides; ``share_of_rejected`` and
        ``share_of_accepted``, the part of them that falls to d (of a metric of labels
        ``share_of_negative`` and ``share_of_positive``); ``value``, the metric inside the
        subgroup; ``contribution``, that value times n, over the n of all subgroups that have a
        value. The contributions of a comparison add up to the metric.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> question = {"facet": "sex", "disfavored": "Female", "predicted": "admitted", "count": "n"}
    >>> parts = pf.decompose(pf.datasets.berkeley(), "cddpl", subgroup="department", **question)
    >>> parts.select("department", "n", "value", "contribution").head(2)
    shape: (2, 4)
    ┌────────────┬─────┬───────────┬──────────────┐
    │ department ┆ n   ┆ value     ┆ contribution │
    │ ---        ┆ --- ┆ ---       ┆ ---          │
    │ str        ┆ i64 ┆ f64       ┆ f64          │
    ╞════════════╪═════╪═══════════╪══════════════╡
    │ A          ┆ 933 ┆ -0.090858 ┆ -0.01873     │
    │ F          ┆ 714 ┆ -0.047188 ┆ -0.007444    │
    └────────────┴─────┴───────────┴──────────────┘
    """
    rows = rows_of(frame, question)
    roles = find_roles(rows.schema, question)
    [found] = asked_for([metric], roles).values()
    if found.parsed.level != "stratum":
        known = [name for name, each in CATALOGUE.items() if each.parsed.level == "stratum"]
        msg = (
            f"metric: {found.name!r} is no average over subgroups; give a conditional metric, "
            f"{listed(known, 'or')}, or one made with stratified()"
        )
        raise FairnessError(msg)
    roles = serving(roles, [found])
    roles.must_not_collide({"by", "subgroup"}, columns_of_contributions(found))
    answer = partial(contributed, roles=roles, metric=found)
    schema = contributions_schema(roles, found)
    return answered(frame, comparable_cells(rows, roles), answer, schema)
