"""The function `drivers`: how much of a difference each control accounts for."""

from __future__ import annotations

from functools import partial
from typing import Final, Unpack

import polars as pl
import polars.selectors as cs

from polars_fairness.answers.audit import audited
from polars_fairness.answers.options import AuditOptions, find_criteria
from polars_fairness.api.bound import read
from polars_fairness.api.columns import DRIVERS, types_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import one_requested, with_certainty
from polars_fairness.api.signatures import answers
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import complete_cells
from polars_fairness.counting.counts import CLUSTER, with_columns_of, with_finest_counts
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.counting.sides import (
    COMPARISON_KEY,
    favored,
    find_choice,
    with_sides,
    written_key,
)
from polars_fairness.errors import FairnessError, listed, require_confidence
from polars_fairness.formula.levels import AT_EQUAL_CONTROLS
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import Question, defaults
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.question.roles import Roles
from polars_fairness.values.evaluate import SIDES, prepared
from polars_fairness.values.levels import keys_of
from polars_fairness.values.unlabelled import needing_all_labels, why_unknown, with_reasons

SPLIT: Final = {
    "adjusted_difference": "dppl",
    "adjusted_base_rate_difference": "dpl",
    "adjusted_estimate_difference": "estimate_difference",
    "adjusted_observed_difference": "observed_difference",
}
"""The metrics that are split, each with the raw difference in the first row.

Ratios do not add up, and odds ratios have different scales.
"""

MOST_CONTROLS: Final = 8

_AT: Final = "at\x1f"
_OF_RAW: Final = "of_raw\x1f"


@answers(columns=DRIVERS)
def drivers(
    frame: AnyFrame,
    metric: str | Metric = "adjusted_difference",
    *,
    confidence: float | None = 0.95,
    **question: Unpack[Question],
) -> PolarsFrame:
    """Return how much of a difference between two sides each control accounts for.

    Controls overlap, so what one accounts for depends on the controls that are held constant before
    it. Shapley values average over all orders: contributions add up to the raw difference minus the
    one at equal controls.

    Parameters
    ----------
    metric
        A difference at equal controls, such as "adjusted_difference".
    confidence
        The confidence level of the intervals; None for none.
    **question
        As in `metrics`, with up to eight ``controls``.

    Returns
    -------
    LazyFrame or DataFrame
        For each comparison the raw difference, a row for each control, and the difference at equal
        controls. The columns are those of ``by``, then:
        {columns}

    Examples
    --------
    >>> import polars_fairness as pf
    >>> question = {"facet": "sex", "disfavored": "Female", "predicted": "admitted", "count": "n"}
    >>> split = pf.drivers(pf.datasets.berkeley(), controls="department", **question)
    >>> split.select("part", "control", "contribution")
    shape: (3, 3)
    ┌──────────┬────────────┬──────────────┐
    │ part     ┆ control    ┆ contribution │
    │ ---      ┆ ---        ┆ ---          │
    │ str      ┆ str        ┆ f64          │
    ╞══════════╪════════════╪══════════════╡
    │ raw      ┆ null       ┆ 0.141645     │
    │ control  ┆ department ┆ 0.161142     │
    │ adjusted ┆ null       ┆ -0.019497    │
    └──────────┴────────────┴──────────────┘
    """
    require_confidence(confidence)
    bound = read(frame, question, "drivers")
    chosen, roles = one_requested(metric, bound.roles)
    if chosen.name not in SPLIT:
        raise FairnessError(
            f"metric: {chosen.name!r} is not a difference at equal controls, which alone adds up; "
            f"give {listed(SPLIT, 'or')}"
        )
    if (number := len(roles.controls.columns)) > MOST_CONTROLS:
        raise FairnessError(
            f"controls: {number} have {2**number:,} subsets, and drivers takes at most "
            f"{MOST_CONTROLS}; leave some out, or join columns into one"
        )
    if confidence is not None:
        roles = with_certainty([chosen], roles)
    compute = partial(driven, metric=chosen, confidence=confidence)
    return answer_of(bound, roles, compute, DRIVERS, by_cluster=confidence is not None)


def driven(
    seen: pl.LazyFrame, roles: Roles, metric: Metric, confidence: float | None
) -> pl.LazyFrame:
    """The parts of the difference of each comparison, from the cells of all rows.

    The raw difference is a metric too, and has the interval of its audit.
    """
    # None of the inner names of windows is a pattern or the name of a column.
    inside = roles.with_inner_names
    names = dict(zip(inside.windows.types, roles.windows.types, strict=True))
    parts = _parts(seen, inside, metric, confidence or 0.0)
    if confidence is None:
        return parts.rename(names)
    raw = {SPLIT[metric.name]: CATALOGUE[SPLIT[metric.name]]}
    options = AuditOptions(**{**defaults(OF_AUDIT), "confidence": confidence})
    ends = audited(seen, inside, raw, find_criteria(raw, inside, options))
    keys = [*names, "facet", "disfavored", "favored"]
    own = ends.select(*keys, "lower", "upper", "note", part=pl.lit("raw"))
    joined = parts.join(
        own,
        on=[*keys, "part"],
        how="left",
        nulls_equal=True,
        maintain_order="left",
        suffix=_OF_RAW,
    )
    filled = (pl.coalesce(name, name + _OF_RAW) for name in ("lower", "upper", "note"))
    return joined.with_columns(filled).select(parts.collect_schema().names()).rename(names)


def _parts(seen: pl.LazyFrame, roles: Roles, metric: Metric, confidence: float) -> pl.LazyFrame:
    """These parts, all but the raw one with its interval."""
    # Imported here: they need numpy.
    from polars_fairness.inference.draws import Drawing
    from polars_fairness.inference.influence import drivers_of
    from polars_fairness.values.controls import regressed

    cells, _, sided = prepared(seen, roles)
    choice = find_choice(cells, sided)
    roles = sided.needing(metric.needs)
    complete = with_sides(with_finest_counts(complete_cells(cells, roles), roles), roles)
    keys = keys_of(AT_EQUAL_CONTROLS, roles)
    more = [CLUSTER] if roles.cluster else []
    [regression] = regressed(complete, roles, {metric.name: metric}, keys, *more)
    places = regression.keys
    if roles.reference_keys:
        named = collected(complete.select(*keys, *roles.reference_keys).unique())
        places = with_columns_of(places, named, keys)
    unknown = pl.lit(None, pl.String)
    of_places = places.lazy()
    if needing_all_labels({metric.name: metric}, sided):
        unknown, of_places = why_unknown(metric), with_reasons(of_places, cells, sided)
    confidences = Drawing(1, 0, confidence, choice).confidences(regression.keys)
    own = types_of(DRIVERS, roles.size, {*SIDES, "metric"})
    split = [
        {_AT: at} | row
        for at, ((place, _), of_place) in enumerate(zip(regression.fits, confidences, strict=True))
        for row in drivers_of(place, regression.of, metric.parsed.expression, roles, of_place)
    ]
    return (
        pl.LazyFrame(split, {_AT: pl.UInt32(), **own})
        .join(of_places.with_row_index(_AT), on=_AT, maintain_order="left")
        .with_columns(
            pl.when(unknown.is_null()).then(cs.by_dtype(pl.Float64) & cs.by_name(*own)),
            note=pl.coalesce(unknown, "note"),
        )
        .sort(
            [*roles.place_order, COMPARISON_KEY, _AT],
            maintain_order=True,
            nulls_last=True,
        )
        .select(
            *roles.windows.as_named(),
            "facet",
            written_key(pl.col(COMPARISON_KEY), roles).alias("disfavored"),
            favored(roles).alias("favored"),
            pl.lit(metric.name).alias("metric"),
            *(
                pl.col(name).fill_nan(None) if each.is_float() else name
                for name, each in own.items()
            ),
        )
    )
