"""The function `lending.segments`: groups beside their reference inside every segment."""

from __future__ import annotations

from functools import partial
from typing import Unpack

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.answers.prescribed.segments import COLUMNS, METRICS, segments_of
from polars_fairness.answers.prescribed.segments import schema as schema_of_segments
from polars_fairness.api.prescribed.reference_needed import (
    call_about_decisions,
    options_and_question_of,
)
from polars_fairness.api.refusals import refuse_missing_needs, refuse_taken_names
from polars_fairness.api.signatures import takes
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import FairnessError
from polars_fairness.question.prescribed_arguments import OF_SEGMENTS, SegmentsQuestion


@takes(*OF_SEGMENTS, module="lending")
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
        ``n_disfavored``, ``n_favored``, ``n_unknown``, ``n_dropped``
            The rows of both, the rows whose group is unknown, and the rows left out.
        ``segments``
            How many segments have rows of both and of both outcomes. The others say nothing.
        ``cmh``, ``p_value``
            The statistic of Cochran, Mantel and Haenszel, above 0 if the group is accepted less
            often inside the segments, and its p-value: that in no segment the rates differ.
        ``breslow_day``, ``breslow_day_p_value``
            The statistic of Breslow and Day and its p-value: that the odds ratios of all segments
            are alike. Null with fewer than two segments; the p-value also where segments have few
            rows, by which it would be too small.
        ``mh_odds_ratio``, ``lower``, ``upper``
            The odds of acceptance of the group over those of its reference that the segments have
            in common, by Mantel and Haenszel, with the bounds of Robins, Breslow and Greenland.

        Each column of p-values is adjusted by itself. With ``weight``, each segment counts as its
        effective number of rows.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> question = {"facet": "sex", "favored": "Male", "predicted": "admitted", "count": "n"}
    >>> pf.odds_ratio(applicants, **question)["odds_ratio"].round(2).item()
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
    │ 6        ┆ 1.105         ┆ 0.217   ┆ 0.002               │
    └──────────┴───────────────┴─────────┴─────────────────────┘
    """
    options, question = options_and_question_of(given, ())
    call = call_about_decisions(frame, question, "lending.segments")
    if call.roles.facets_against_all:
        msg = (
            "favored: pf.OVERALL holds the rows of the group too, and inside segments each row is "
            "on one side; name a group, such as favored='White', or give pf.HIGHEST or pf.LARGEST"
        )
        raise FairnessError(msg)
    refuse_missing_needs(call.roles, "lending.segments", ("subgroup",))
    call = call.with_metrics([*METRICS.values()])
    refuse_taken_names(call.roles, {"by"}, COLUMNS)
    compute = partial(segments_of, options=options)
    return call.answer(cells_of_all_rows, compute, schema_of_segments(call.roles))
