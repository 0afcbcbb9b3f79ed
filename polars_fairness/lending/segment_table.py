"""The table of segments: common odds ratios inside them, and whether they agree."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Final, Unpack

import polars as pl

from polars_fairness.answers.columns import SEGMENTS
from polars_fairness.answers.comparisons import (
    as_answer,
    bounds_of_audit,
    comparisons_of,
)
from polars_fairness.answers.options import AuditOptions
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.strata import INFORMATIVE_STRATA
from polars_fairness.counting.decided_sides import GROUPS_CHOSEN_FROM
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.formula.formulas import across_strata
from polars_fairness.formula.metric import Metric
from polars_fairness.inference.bound_names import bound_names
from polars_fairness.inference.significance import (
    Test,
    adjusted,
    exact_p_values,
    families_of,
    find_test,
    of_all_pairs,
    parts_of,
)
from polars_fairness.lending.arguments import OF_SEGMENTS, SegmentsQuestion
from polars_fairness.lending.references import (
    call_about_decisions,
    options_and_question_of,
)
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import place_keys

METRICS: Final = {name: CATALOGUE[name] for name in ("cmh", "breslow_day", "mh_odds_ratio")}
"""The metrics in columns of their own."""

_P_VALUES: Final = {"p_value": "cmh", "breslow_day_p_value": "breslow_day"}

_SEGMENTS: Final = Metric(
    "segments", "", across_strata(INFORMATIVE_STRATA), ideal=None, has_interval=False
)


def _segments_of(seen: pl.LazyFrame, roles: Roles, options: AuditOptions) -> pl.LazyFrame:
    """Every group beside its reference over the segments, from the cells of all rows."""
    tests = _tests()
    metrics = {**METRICS, "segments": _SEGMENTS, **parts_of(tests)}
    # The tests of an audit are of rows; these are of the effective numbers of rows with weights.
    without_tests = replace(options, p_values=None)
    closed = partial(bounds_of_audit, METRICS, roles, options)
    compared = comparisons_of(seen, roles, metrics, without_tests, closed)
    families = families_of(compared, place_keys(roles))
    p_values = [
        adjusted(of_all_pairs(p, compared[GROUPS_CHOSEN_FROM]), options.p_values, families)
        for p in exact_p_values(compared, tests)
    ]
    lower, upper = bound_names("mh_odds_ratio")
    table = compared.with_columns(
        pl.col("segments").cast(pl.Int64),
        *(p.alias(name) for name, p in zip(_P_VALUES, p_values, strict=True)),
        pl.col(lower).alias("lower"),
        pl.col(upper).alias("upper"),
    )
    return as_answer(table, roles, SEGMENTS)


@cache
def _tests() -> dict[str, Test]:
    found = {name: find_test(METRICS[name]) for name in _P_VALUES.values()}
    return {name: test for name, test in found.items() if test is not None}


@answers(*OF_SEGMENTS, module="lending")
def segments(frame: AnyFrame, **given: Unpack[SegmentsQuestion]) -> PolarsFrame:
    """Compare each group with its reference inside every segment, such as a branch or a product.

    The columns of ``subgroup`` hold the segments. All rows together may say the opposite of each
    segment, if a group applies more often where few are accepted.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LazyFrame or DataFrame
        One row per group other than the reference; the rows of each segment are those of `table`
        with ``by``. The columns are those of ``by``, with several models ``model``, with several
        thresholds ``threshold``, then:

        ``facet``, ``disfavored``, ``favored``
            The group, and its reference.
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``rows_dropped``
            The rows of both, the rows whose group is unknown, and the rows left out.
        ``segments``
            How many segments have rows of both and of both outcomes. The others say nothing.
        ``cmh``, ``p_value``
            The statistic of Cochran, Mantel and Haenszel, above 0 if the group is accepted less
            often inside the segments, and the p-value that in no segment the rates differ, by the
            exact test.
        ``breslow_day``, ``breslow_day_p_value``
            The statistic of Breslow and Day and its p-value: that the odds ratios of all segments
            are alike. Null with fewer than two segments; the p-value also where segments have few
            rows, by which it would be too small.
        ``mh_odds_ratio``, ``lower``, ``upper``
            The odds of acceptance of the group over those of its reference that the segments have
            in common, by Mantel and Haenszel, with the bounds of Robins, Breslow and Greenland.

        Each column of p-values is adjusted by itself. With ``weight``, each segment counts as its
        effective number of rows, and the p-value is normal with a correction for continuity.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> question = {"facet": "sex", "favored": "Male", "predicted": "admitted", "count": "n"}
    >>> applicants.fairness.odds_ratio(**question)["odds_ratio"].round(2).item()
    0.54
    >>> inside = pf.lending.segments(applicants, subgroup="department", **question)
    >>> columns = ["segments", "mh_odds_ratio", "p_value", "breslow_day_p_value"]
    >>> inside.select(columns).with_columns(pl.selectors.float().round(3))
    shape: (1, 4)
    ┌──────────┬───────────────┬─────────┬─────────────────────┐
    │ segments ┆ mh_odds_ratio ┆ p_value ┆ breslow_day_p_value │
    │ ---      ┆ ---           ┆ ---     ┆ ---                 │
    │ i64      ┆ f64           ┆ f64     ┆ f64                 │
    ╞══════════╪═══════════════╪═════════╪═════════════════════╡
    │ 6        ┆ 1.105         ┆ 0.228   ┆ 0.002               │
    └──────────┴───────────────┴─────────┴─────────────────────┘
    """
    options, question = options_and_question_of(given, ())
    call = call_about_decisions(frame, question, "lending.segments")
    call = call.with_metrics([*METRICS.values()])
    compute = partial(_segments_of, options=options)
    return call.answer(compute, SEGMENTS)
