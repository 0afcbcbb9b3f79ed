"""The function `cutoffs_by_group`: what a score could achieve with a cut-off for each group."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Unpack, cast

import polars as pl

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.call import Call
from polars_fairness.api.choose import objective_of, rate_of_all_rows
from polars_fairness.api.signatures import answers
from polars_fairness.counting.cells import cells_of_complete_rows
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import with_finest_counts
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError
from polars_fairness.formula.levels import POPULATION
from polars_fairness.formula.metric import Metric
from polars_fairness.formula.sides import g
from polars_fairness.question.arguments import Question, parted
from polars_fairness.question.audit_arguments import EQUAL, OF_CUTOFFS, CutoffQuestion, Equal
from polars_fairness.question.facets import written
from polars_fairness.question.outcomes import ROLES
from polars_fairness.question.roles import Roles
from polars_fairness.values.cutoffs import (
    ACCEPTED,
    FALSE_POSITIVES,
    TRUE_POSITIVES,
    Cutoff,
    Group,
    Point,
    Quantity,
    best_apart,
    best_at_equal_odds,
    best_at_equal_rate,
    points_of,
)
from polars_fairness.values.formula_checks import adds_up_over_rows, both_outcomes
from polars_fairness.values.levels import computed

_THRESHOLDS: Final = (
    *("threshold_0", "share_0", "threshold_1", "share_1"),
    *("share_at_random", "rate_at_random"),
)
OWN_COLUMNS: Final = ("facet", "value", "n", *_THRESHOLDS)
"""The columns of the result before the rates."""

_RATES: Final = ("selection_rate", "tpr", "fpr")

_COUNTS: Final = tuple(f"{g.name}.{count}" for count in ("tp", "fp", "fn", "tn"))

Find = Callable[[Sequence[Group], Quantity], list[Cutoff]]

FINDS: Final[dict[Equal | None, Find]] = {
    None: best_apart,
    "selection_rate": partial(best_at_equal_rate, share=ACCEPTED),
    # Groups of equal true positive rates have equal false negative rates as well.
    **dict.fromkeys(("tpr", "fnr"), partial(best_at_equal_rate, share=TRUE_POSITIVES)),
    **dict.fromkeys(("fpr", "tnr"), partial(best_at_equal_rate, share=FALSE_POSITIVES)),
    "equalized_odds": best_at_equal_odds,
}
"""How the best cut-offs are found, by the rate that is to be equal."""


@answers(*OF_CUTOFFS)
def cutoffs_by_group(frame: AnyFrame, **given: Unpack[CutoffQuestion]) -> PolarsFrame:
    """Return the best cut-off of each group: what the score could achieve, with equal rates or not.

    It shows what a score costs a group that it ranks or calibrates worse than others, and no rule
    to decide by: cut-offs that differ by group may be unlawful. For one cut-off for all rows, see
    `choose`.

    Parameters
    ----------
    frame
        A LazyFrame, which is not collected, a DataFrame, or a frame of another engine.
    {own arguments}
    **question
        As in `metrics`, with one facet, a label and a score; ``disfavored``, ``favored`` and
        ``subgroup`` change nothing. Without ``threshold``, every distinct score or multiple of
        ``resolution`` is tried. Rows whose facet is unknown are in no group, and in no number.

    Returns
    -------
    LazyFrame or DataFrame
        One row per group, then one for all groups together, whose ``facet`` is "(all)". The columns
        are those of ``by``, then:

        ``facet``, ``value``, ``n``
            The group and its rows.
        ``threshold_0``, ``share_0``
            A threshold, and the share of the group's rows that it decides. It is infinite where no
            row is accepted, and minus infinity where all rows are, whatever their score.
        ``threshold_1``, ``share_1``
            A higher threshold that decides another share, where equal rates need a mixture of two.
        ``share_at_random``, ``rate_at_random``
            The share of the group's rows that is decided without the score, and the probability
            that such a row is accepted. Equalised odds may need it for groups whose score ranks
            them better.
        ``selection_rate``, ``tpr``, ``fpr``
            The rates on average.
        the value to maximise
            Such as ``accuracy``, on average.

        Of equally good cut-offs, those that accept most are shown. A group without the rate that is
        to be equal has its own best threshold. All is null where the value to maximise is
        undefined.

    Examples
    --------
    Equal true positive rates: of a group's rows, a share is decided by each of two thresholds.

    >>> import polars_fairness as pf
    >>> question = {"facet": "race", "label": "repaid", "score": "score", "weight": "weight"}
    >>> profit = pf.entry("utility", tp=1, fp=-5)
    >>> scores = pf.datasets.fico()
    >>> cutoffs = pf.cutoffs_by_group(scores, equal="tpr", maximise=profit, **question)
    >>> cutoffs.select("value", "threshold_0", "share_0", "threshold_1", "tpr", "utility")
    shape: (5, 6)
    ┌──────────┬─────────────┬──────────┬─────────────┬──────────┬───────────┐
    │ value    ┆ threshold_0 ┆ share_0  ┆ threshold_1 ┆ tpr      ┆ utility   │
    │ ---      ┆ ---         ┆ ---      ┆ ---         ┆ ---      ┆ ---       │
    │ str      ┆ f64         ┆ f64      ┆ f64         ┆ f64      ┆ f64       │
    ╞══════════╪═════════════╪══════════╪═════════════╪══════════╪═══════════╡
    │ Asian    ┆ 46.0        ┆ 0.666909 ┆ 46.5        ┆ 0.749967 ┆ 0.476324  │
    │ Black    ┆ 29.5        ┆ 0.232845 ┆ 30.0        ┆ 0.749967 ┆ -0.107396 │
    │ Hispanic ┆ 35.0        ┆ 0.744287 ┆ 35.5        ┆ 0.749967 ┆ 0.132161  │
    │ White    ┆ 46.5        ┆ 1.0      ┆ null        ┆ 0.749967 ┆ 0.470382  │
    │ null     ┆ null        ┆ null     ┆ null        ┆ 0.749967 ┆ 0.381418  │
    └──────────┴─────────────┴──────────┴─────────────┴──────────┴───────────┘
    """
    own, others = parted(given, OF_CUTOFFS)
    question = cast("Question", others)
    EQUAL.refuse_other_choices(own["equal"])
    objective = objective_of(own["maximise"], OWN_COLUMNS)
    if not adds_up_over_rows(objective):
        raise FairnessError(
            "maximise: the best cut-offs of groups are found one by one, and "
            f"{objective.name!r} is no sum over rows; give a value that is, such as 'accuracy', "
            "'selection_rate' or pf.entry('utility', ...)"
        )
    call = Call.at_thresholds(frame, question, "cutoffs_by_group", own)
    call = replace(call, roles=call.roles.keeping(ROLES).of_scores)
    compute = partial(cut_off, objective=objective, equal=own["equal"])
    return call.answer(compute, _types(call.roles, objective), cells_of=cells_of_complete_rows)


def _types(roles: Roles, objective: Metric) -> dict[str, pl.DataType]:
    """The columns after those of windows, with their types."""
    numbers = dict.fromkeys((*OWN_COLUMNS, *_RATES, objective.name), pl.Float64())
    return numbers | {"facet": pl.String(), "value": pl.String(), "n": roles.size}


def cut_off(
    cells: pl.LazyFrame, roles: Roles, objective: Metric, equal: Equal | None
) -> pl.LazyFrame:
    """A row for each group of each window, then one for all of them, from cells by score."""
    keys, types = roles.windows.keys, _types(roles, objective)
    # The true and false positives with exactly each score, the highest score first.
    place, threshold = [*keys, "facet", "value"], pl.col("score").alias("threshold")
    known = with_finest_counts(unlisted(cells), roles).filter(pl.col("value").is_not_null())
    sums = {"tp": pl.col("positive").sum(), "fp": pl.col("negative").sum()}
    summed = known.group_by(*place, threshold).agg(**sums)
    counts = collected(summed.sort(*place, -pl.col("threshold"), nulls_last=True))
    windows = counts.partition_by(keys, maintain_order=True) if keys else [counts]
    answers = [
        _of_window(window, roles, objective, FINDS[equal]).select(
            *(
                pl.lit(window[key]).first().alias(name)
                for key, name in zip(keys, roles.windows.names, strict=True)
            ),
            *(pl.col(name).cast(dtype) for name, dtype in types.items()),
        )
        for window in windows
        if window.height
    ]
    return pl.concat([pl.Schema({**roles.windows.types, **types}).to_frame(), *answers]).lazy()


def _of_window(counts: pl.DataFrame, roles: Roles, objective: Metric, find: Find) -> pl.DataFrame:
    """The groups of one window, then all of them, with their cut-offs and what these achieve."""
    [facet] = roles.facets
    by_value = counts.partition_by("value", as_dict=True)
    values = facet.in_order(counts["value"].unique())
    groups = [Group(points_of(by_value[value,].select(Point._fields))) for value in values]
    worth = _worth(objective, groups, roles)
    cutoffs = [None] * len(groups) if worth is None else find(groups, worth)
    rows = [
        {"facet": facet.name, "value": written(value), **_counts(group, cutoff), **_shown(cutoff)}
        for value, group, cutoff in zip(values, groups, cutoffs, strict=True)
    ]
    of_groups = pl.DataFrame(rows, infer_schema_length=None)
    of_all = of_groups.select(pl.lit(ALL).alias("facet"), pl.col("n", *_COUNTS).sum())
    both = pl.concat([of_groups, of_all], how="diagonal")
    rates = {name: rate_of_all_rows(name) for name in _RATES}
    reached = _values(both, {**rates, objective.name: objective}, roles)
    # Without a value to maximise there are no best cut-offs, and no numbers that they reach.
    return both.hstack(reached.clear(len(reached)) if worth is None else reached)


def _counts(group: Group, cutoff: Cutoff | None) -> dict[str, float | None]:
    """The rows of a group and, on average, how many of them are of each kind."""
    n = group.positive + group.negative
    if cutoff is None:
        return {"n": n, **dict.fromkeys(_COUNTS)}
    tp, fp = (cutoff.expected(each, group) for each in (TRUE_POSITIVES, FALSE_POSITIVES))
    # Rounding may leave a count below 0.
    kinds = (tp, fp, max(group.positive - tp, 0.0), max(group.negative - fp, 0.0))
    return {"n": n, **dict(zip(_COUNTS, kinds, strict=True))}


def _shown(cutoff: Cutoff | None) -> dict[str, float | None]:
    """The thresholds and shares of a cut-off, as columns of the result."""
    if cutoff is None:
        return dict.fromkeys(_THRESHOLDS)
    (lower, share), *upper = (
        (point.threshold, share * (1 - cutoff.share_at_random)) for point, share in cutoff.mixture
    )
    higher = upper[0] if upper else (None, 0.0)
    chance = cutoff.rate_at_random if cutoff.share_at_random else None
    shown = (lower, share, *higher, cutoff.share_at_random, chance)
    return dict(zip(_THRESHOLDS, shown, strict=True))


def _worth(objective: Metric, groups: Sequence[Group], roles: Roles) -> Quantity | None:
    """What a true and a false positive add to the objective; None if it is undefined."""
    positive = sum(group.positive for group in groups)
    negative = sum(group.negative for group in groups)
    kinds = [
        (0.0, 0.0, positive, negative),
        (positive, 0.0, 0.0, negative),
        (0.0, negative, positive, 0.0),
    ]
    counts = pl.DataFrame(kinds, schema=_COUNTS, orient="row")
    of_none, of_positive, of_negative = _values(counts, {"objective": objective}, roles)[
        "objective"
    ]
    if None in (of_none, of_positive, of_negative):
        return None
    return Quantity(
        (of_positive - of_none) / positive if positive else 0.0,
        (of_negative - of_none) / negative if negative else 0.0,
    )


def _values(counts: pl.DataFrame, metrics: Mapping[str, Metric], roles: Roles) -> pl.DataFrame:
    """The values of metrics of all rows, for each row of counts."""
    both = replace(both_outcomes(), zero_division=roles.zero_division)
    numbered = counts.lazy().select(pl.col(*_COUNTS).cast(pl.Float64)).with_row_index("row")
    values = computed(collected(numbered), both, POPULATION, metrics, ["row"])
    return values.select(pl.col(f"metric.{name}").fill_nan(None).alias(name) for name in metrics)
