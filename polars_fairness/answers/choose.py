"""The function `choose`: candidates compared, and the best of those within the bands."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from operator import le
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.audit import audited
from polars_fairness.answers.options import AuditOptions, check_metric_names, find_criteria
from polars_fairness.api import columns
from polars_fairness.api.baselines import find_baseline
from polars_fairness.api.bound import CheckedQuestion, read_candidates
from polars_fairness.api.clashes import refuse_missing_needs
from polars_fairness.api.columns import HOLDOUT, LOWER, SWEPT, UPPER, names_of
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import metrics_requested, serving, with_certainty
from polars_fairness.api.signatures import answers
from polars_fairness.api.verdicts import widened
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import without_key
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counts import CLUSTER, PRIME, scattered, with_columns_of
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, is_frame
from polars_fairness.errors import FairnessError, did_you_mean, require_number, shown
from polars_fairness.formula.metric import Metric, rate_of_all_rows
from polars_fairness.formula.sides import RATES
from polars_fairness.question.arguments import Question, defaults, parted
from polars_fairness.question.audit_arguments import OF_AUDIT, OF_CHOOSE, ChoiceQuestion
from polars_fairness.question.judging import Band, refuse_band_without_ideal, refuse_invalid_bands
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import ESTIMATOR, HELD_OUT, IS_BASELINE
from polars_fairness.values.evaluate import compared, prepared

FLAGS: Final = names_of(columns.FLAGS)

# Values that are equal except for the last digits, as sums of weights are.
_DIGITS: Final = 12

# Inner columns: no column of a caller has such a name.
_OBJECTIVE, _SELECTED, _DISTANCE, _IS_IN_BAND = (
    f"{name}\x1f" for name in ("objective", "selected", "distance", "is_in_band")
)

Costs = tuple[float, ...]
"""The costs of a candidate: minus the objective, then the disparity of each metric."""


@answers(*OF_CHOOSE, columns=SWEPT)
def choose(
    frame: AnyFrame,
    *metrics: str | Metric | Sequence[str | Metric],
    **given: Unpack[ChoiceQuestion],
) -> PolarsFrame:
    """Choose the threshold or model with the highest accuracy whose metrics are within their bands.

    The candidates are the thresholds, the models, or each model at each threshold; a candidate
    has one threshold for all groups. The answer shows what each candidate achieves, and so what it
    costs to reduce a disparity.

    Parameters
    ----------
    *metrics
        Names from the catalogue, or metrics of your own, that are to be within their bands.
        Without any, the best candidate is chosen whatever its disparity.
    {own arguments}
    **question
        As in `metrics`. Without ``threshold``, every distinct score or multiple of ``resolution``
        is tried. With several models as ``predicted``, each is a candidate: with its decisions, at
        one threshold, or at each of several.

    Returns
    -------
    LazyFrame or DataFrame
        One row per candidate. The columns are those of ``by``, then:
        {columns}

        These follow ``model``, with several models, and ``threshold``, with thresholds. After
        ``selection_rate`` come the value to maximise over all rows, such as ``accuracy``, and the
        value of each metric: that of the comparison farthest from the ideal, in any facet; for
        ratios, r and 1/r are equally far. It is null if it is undefined for a comparison. With
        ``holdout``, columns from ``holdout_selection_rate`` to ``holdout_is_within`` have the
        values on the rows held out. With a ``confidence``, each value is followed by its interval,
        such as ``di_lower`` and ``di_upper``.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> question = {"facet": "sex", "label": "repaid", "score": "score"}
    >>> swept = pf.choose(pf.datasets.loans(), "di", threshold=[0.35, 0.4, 0.45], **question)
    >>> swept.select("threshold", "accuracy", "di", "is_within", "is_chosen")
    shape: (3, 5)
    ┌───────────┬──────────┬──────────┬───────────┬───────────┐
    │ threshold ┆ accuracy ┆ di       ┆ is_within ┆ is_chosen │
    │ ---       ┆ ---      ┆ ---      ┆ ---       ┆ ---       │
    │ f64       ┆ f64      ┆ f64      ┆ bool      ┆ bool      │
    ╞═══════════╪══════════╪══════════╪═══════════╪═══════════╡
    │ 0.35      ┆ 0.60585  ┆ 0.851904 ┆ true      ┆ false     │
    │ 0.4       ┆ 0.622    ┆ 0.80296  ┆ true      ┆ true      │
    │ 0.45      ┆ 0.6334   ┆ 0.748718 ┆ false     ┆ false     │
    └───────────┴──────────┴──────────┴───────────┴───────────┘

    Evidence of a search for a less discriminatory alternative: the rule by income is less accurate
    than the rule by income minus debt, and has the larger disparity.

    >>> import polars as pl
    >>> income, left = pl.col("income"), pl.col("income") - pl.col("debt")
    >>> loans = pf.datasets.loans().with_columns(rich=income >= 45_000, solvent=left >= 30_000)
    >>> models = {"today": "approved", "by income": "rich", "by income less debt": "solvent"}
    >>> answer = pf.choose(loans, "di", facet="sex", label="repaid", predicted=models)
    >>> answer.select("model", "accuracy", "di", "is_on_frontier", "is_chosen")
    shape: (3, 5)
    ┌─────────────────────┬──────────┬──────────┬────────────────┬───────────┐
    │ model               ┆ accuracy ┆ di       ┆ is_on_frontier ┆ is_chosen │
    │ ---                 ┆ ---      ┆ ---      ┆ ---            ┆ ---       │
    │ str                 ┆ f64      ┆ f64      ┆ bool           ┆ bool      │
    ╞═════════════════════╪══════════╪══════════╪════════════════╪═══════════╡
    │ by income           ┆ 0.6153   ┆ 0.87453  ┆ false          ┆ false     │
    │ by income less debt ┆ 0.6271   ┆ 0.87906  ┆ true           ┆ true      │
    │ today               ┆ 0.63355  ┆ 0.685229 ┆ true           ┆ false     │
    └─────────────────────┴──────────┴──────────┴────────────────┴───────────┘
    """
    own, question = parted(given, OF_CHOOSE)
    bound = read_candidates(frame, cast("Question", question), "choose", own)
    objective = objective_of(own["maximise"], (*bound.roles.windows.made, *FLAGS))
    refuse_missing_needs(bound.roles, objective.name, objective.needs)
    named = metrics_requested(metrics, bound.roles) if metrics else {}
    holdout, seed, confidence = own["holdout"], own["seed"], own["confidence"]
    aims = find_aims(
        objective,
        named,
        own["bands"],
        confidence=confidence,
        seed=seed,
        has_holdout=holdout is not None,
    )
    if holdout is not None and not is_frame(holdout):
        seen, holdout = divided(bound, holdout, seed)
        bound = read_candidates(seen, cast("Question", question), "choose", own)
    computed = named | {objective.name: objective}
    roles = serving(computed, bound.roles, are_named=True)
    if confidence is not None:
        roles = with_certainty(computed.values(), roles)
    baseline = None
    if holdout is not None:
        count = bound.given.get("count")
        baseline = find_baseline(holdout, bound, computed, roles, count, "holdout")
    return answer_of(
        bound,
        roles,
        partial(chosen, aims=aims),
        aims.types,
        baseline=baseline,
        by_cluster=confidence is not None,
    )


def divided(bound: CheckedQuestion, share: object, seed: int) -> tuple[AnyFrame, AnyFrame]:
    """The rows that are searched, and a share of them that is held out."""
    share = require_number("holdout", share, "a frame, or a share between 0 and 1")
    if not 0 < share < 1:
        raise FairnessError(
            f"holdout: takes a frame, or a share between 0 and 1 such as 0.3, got {share:g}"
        )
    frame = bound.frame
    if not isinstance(frame, pl.LazyFrame | pl.DataFrame):
        raise FairnessError(
            f"holdout: a share is drawn from rows that polars reads, got a {type(frame).__name__}; "
            "give a frame of the rows that are held out"
        )
    number = pl.int_range(pl.len(), dtype=pl.Int64)
    is_held_out = scattered(number + scattered(seed)) < share * PRIME
    return frame.filter(~is_held_out), frame.filter(is_held_out)


@dataclass(frozen=True)
class Aims:
    """What a candidate is chosen by: the metric to maximise, and the bands of other metrics.

    The values are followed by their intervals, if there is a confidence, and by the same for the
    rows held out.
    """

    objective: Metric
    metrics: Mapping[str, Metric]
    bands: Mapping[str, Band]
    confidence: float | None = None
    seed: int = 0
    has_holdout: bool = False

    @property
    def values(self) -> list[str]:
        """The columns of values, with those of their intervals."""
        names = dict.fromkeys(("selection_rate", self.objective.name, *self.metrics))
        bounds = () if self.confidence is None else (LOWER, UPPER)
        return [f"{name}{bound}" for name in names for bound in ("", *bounds)]

    @property
    def types(self) -> dict[str, pl.DataType]:
        """The columns of the result after the candidate, with their types."""
        held_out = [f"{HOLDOUT}{name}" for name in self.values] if self.has_holdout else []
        flags = [*FLAGS, *([f"{HOLDOUT}is_within"] if held_out else [])]
        types = dict.fromkeys((*self.values, *FLAGS, *held_out), pl.Float64())
        return types | dict.fromkeys(flags, pl.Boolean())


def find_aims(
    objective: Metric,
    metrics: Mapping[str, Metric],
    given: Mapping[str, Band] | None,
    **beside: Any,
) -> Aims:
    """Find the bands of metrics, and refuse metrics without one."""
    if given is None:
        given = {}
    refuse_invalid_bands(given)
    bands = {name: metric.acceptable for name, metric in metrics.items()}
    bands |= check_metric_names("bands", given, metrics)
    for name, metric in metrics.items():
        if name in ("selection_rate", objective.name, *FLAGS):
            raise FairnessError(
                f"metrics: there is already a column {name!r}; rename one metric with .named()"
            )
        if metric.ideal is None:
            is_shipped = metric is CATALOGUE.get(name)
            itself = "the Metric itself, such as maximise=pf.entry('utility', ...)"
            aim = f"maximise={name!r}" if is_shipped else itself
            raise FairnessError(
                f"metrics: {name!r} has no ideal value, so no candidate can be chosen by the "
                f"distance from it; leave it out, or give {aim}"
            )
        if bands[name] is None and name not in given:
            raise FairnessError(
                f"bands: {name!r} has no band; give bands={{{name!r}: (low, high)}} to choose by "
                f"it, or bands={{{name!r}: None}} to show it only"
            )
        refuse_band_without_ideal(name, bands[name], metric.ideal)
    return Aims(objective, metrics, bands, **beside)


def chosen(seen: pl.LazyFrame, roles: Roles, aims: Aims) -> pl.LazyFrame:
    """A row for each candidate of each window, from the cells of all rows."""
    matched = [*roles.windows.by_key]
    if roles.windows.has_baseline:
        matched = [*(roles.windows.matched or ())]
        seen = seen.rename({IS_BASELINE: HELD_OUT})
        # The windows of a frame and of its baseline, side by side as rows held out of a choice.
        made = tuple(HELD_OUT if name == IS_BASELINE else name for name in roles.windows.made)
        roles = replace(roles, windows=replace(roles.windows, made=made, matched=None))
    # Inner names of windows and metrics: none is a pattern or the name of a column.
    inside = roles.with_inner_names
    numbered = {f"\x1f{i}": name for i, name in enumerate(aims.metrics)}
    overall = {_OBJECTIVE: aims.objective, _SELECTED: rate_of_all_rows("selection_rate")}
    metrics = {number: aims.metrics[name] for number, name in numbered.items()}
    swept = _swept(without_key(seen, CLUSTER), inside, metrics, overall, aims)
    keys = roles.windows.keys
    if aims.confidence is not None:
        bounds = _bounds(seen, inside, metrics | overall, aims)
        swept = with_columns_of(swept, bounds, keys)
    held_out = [name for name in keys if name == HELD_OUT]
    here = swept.filter(~pl.col(HELD_OUT)) if held_out else swept
    by = [*roles.windows.without_made.keys, *([ESTIMATOR] if roles.windows.has_estimators else [])]
    parts = here.partition_by(by, maintain_order=True) if by else []
    marked = pl.concat(_marked(part, [*numbered]) for part in parts or [here])
    if held_out:
        same = [*matched, *(name for name in roles.windows.made if name != HELD_OUT)]
        there = _with_flag(swept.filter(HELD_OUT), [*numbered]).select(
            *same, pl.exclude(keys).name.prefix(HOLDOUT)
        )
        marked = with_columns_of(marked, there, same)
    names = numbered | {_OBJECTIVE: aims.objective.name}
    if aims.objective.name != "selection_rate":
        names |= {_SELECTED: "selection_rate"}
    renamed = {
        f"{prefix}{number}{bound}": f"{prefix}{name}{bound}"
        for number, name in names.items()
        for prefix in ("", HOLDOUT)
        for bound in ("", LOWER, UPPER)
    }
    renamed |= dict(zip(keys, roles.windows.names, strict=True))
    of_windows = [name for name in roles.windows.names if name != HELD_OUT]
    return marked.rename(renamed, strict=False)[[*of_windows, *aims.types]].lazy()


def _swept(
    seen: pl.LazyFrame,
    roles: Roles,
    metrics: Mapping[str, Metric],
    overall: Mapping[str, Metric],
    aims: Aims,
) -> pl.DataFrame:
    """A row for each candidate of each window: its values, and whether they are within."""
    roles = roles.without_intervals
    cells, scored, sided = prepared(seen, roles)
    table = collected(compared(cells, sided, {**metrics, **overall}, scored))
    bands = dict(zip(metrics, (aims.bands[name] for name in aims.metrics), strict=True))
    of_all_rows = (pl.col(name).first() for name in overall)
    of_metrics = (
        summary
        for number, metric in metrics.items()
        for summary in _summaries(number, metric, bands[number], roles)
    )
    return table.group_by(roles.windows.keys, maintain_order=True).agg(*of_all_rows, *of_metrics)


def _bounds(
    seen: pl.LazyFrame, roles: Roles, metrics: Mapping[str, Metric], aims: Aims
) -> pl.DataFrame:
    """The interval of each value, in columns: of a metric, that of the farthest comparison."""
    given = defaults(OF_AUDIT) | {"confidence": aims.confidence, "seed": aims.seed}
    options = AuditOptions(**given)
    rows = collected(audited(seen, roles, metrics, find_criteria(metrics, roles, options)))
    keys = roles.windows.keys
    intervals = rows.select(keys).unique(maintain_order=True)
    for number, metric in metrics.items():
        distance = metric.distance(pl.col("value")) if metric.ideal is not None else pl.lit(0.0)
        is_defined = pl.col("value").is_not_null().all()
        of_metric = (
            rows.filter(metric=number)
            .group_by(keys)
            .agg(
                pl.when(is_defined)
                .then(pl.col(name).get(distance.arg_max()))
                .alias(f"{number}_{name}")
                for name in ("lower", "upper")
            )
        )
        intervals = intervals.join(of_metric, on=keys, how="left", nulls_equal=True)
    return intervals


def _summaries(number: str, metric: Metric, band: Band, roles: Roles) -> Iterator[pl.Expr]:
    """The value that is farthest from the ideal, its distance, and whether all are in the band."""
    value = pl.col(number)
    if roles.are_joint:
        value = value.filter((pl.col("facet") == roles.joint_facet) == metric.is_joint)
    distance = metric.distance(value)
    is_defined = value.is_not_null().all()
    yield pl.when(is_defined).then(value.get(distance.arg_max())).alias(number)
    yield pl.when(is_defined).then(distance.max()).alias(f"{number}{_DISTANCE}")
    is_in_band = pl.lit(value=True) if band is None else value.is_between(*widened(band)).all()
    yield pl.when(is_defined).then(is_in_band).alias(f"{number}{_IS_IN_BAND}")


def _marked(swept: pl.DataFrame, numbers: Sequence[str]) -> pl.DataFrame:
    swept = _with_flag(swept, numbers)
    objective = swept[_OBJECTIVE]
    size = max(filter(isfinite, objective.abs().drop_nulls()), default=0) or 1
    columns = [-objective / size, *(swept[f"{number}{_DISTANCE}"] for number in numbers)]
    costs = [
        None if None in each else tuple(round(cost, _DIGITS) for cost in each)
        for each in zip(*columns, strict=True)
    ]
    lowest = lowest_of({each for each in costs if each is not None})
    may_be_chosen = [
        (each, place)
        for place, (each, within) in enumerate(zip(costs, swept["is_within"], strict=True))
        if each is not None and within
    ]
    _, chosen_place = min(may_be_chosen, default=(None, None))
    return swept.with_columns(
        pl.Series("is_on_frontier", [each and each in lowest for each in costs], pl.Boolean),
        pl.Series("is_chosen", [place == chosen_place for place in range(len(costs))], pl.Boolean),
    )


def _with_flag(swept: pl.DataFrame, numbers: Sequence[str]) -> pl.DataFrame:
    rows = swept.rows(named=True)
    flags = ([row[f"{number}{_IS_IN_BAND}"] for number in numbers] for row in rows)
    is_within = [None if None in each else all(each) for each in flags]
    return swept.with_columns(pl.Series("is_within", is_within, pl.Boolean))


def lowest_of(costs: Collection[Costs]) -> set[Costs]:
    """The costs that no others match or undercut in every part.

    Examples
    --------
    >>> sorted(lowest_of([(1, 4), (2, 2), (3, 2), (4, 1)]))
    [(1, 4), (2, 2), (4, 1)]
    """
    lowest: set[Costs] = set()
    beaten_by: list[Costs] = []
    # In ascending order, costs can only be beaten by earlier ones, whose first part is as low.
    for cost in sorted({*costs}):
        others = cost[1:]
        if any(all(map(le, each, others)) for each in beaten_by):
            continue
        lowest.add(cost)
        beaten_by = [each for each in beaten_by if not all(map(le, others, each))] + [others]
    return lowest


def objective_of(maximise: object, taken: Container[str]) -> Metric:
    """The metric to maximise, given by its name, by the name of a rate, or itself.

    ``taken`` has the names of other columns of the result.
    """
    metric = maximise
    if isinstance(maximise, str):
        if maximise not in CATALOGUE and maximise not in RATES:
            overall = (name for name, each in CATALOGUE.items() if each.parsed.level.is_one_group)
            hint = did_you_mean(maximise, dict.fromkeys([*RATES, *overall]))
            raise FairnessError(f"maximise: no metric or rate {maximise!r}; {hint}")
        metric = CATALOGUE[maximise] if maximise in CATALOGUE else rate_of_all_rows(maximise)
    if not isinstance(metric, Metric):
        raise FairnessError(
            "maximise: takes a name or a Metric, such as 'accuracy' or pf.entry('utility', ...), "
            f"got {shown(maximise)}"
        )
    if not metric.parsed.level.is_one_group:
        raise FairnessError(
            f"maximise: {metric.name!r} compares groups, so that it has no one value of all rows; "
            f"give one that has, such as 'accuracy' or pf.entry('utility', ...), and "
            f"{metric.name!r} beside it"
        )
    if metric.name in taken:
        raise FairnessError(
            f"maximise: the result already has a column called {metric.name!r}; rename the metric "
            "with .named()"
        )
    return metric
