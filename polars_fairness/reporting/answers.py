"""The answers of a report: its question, and the frames that answer it, each when it is read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from statistics import NormalDist
from typing import Any, Final, cast

import polars as pl

from polars_fairness.answers.audit import audit, audit_with_certainty
from polars_fairness.answers.bounds import bounds
from polars_fairness.answers.calibration import calibration
from polars_fairness.answers.cells import digest_of
from polars_fairness.answers.confusions import confusions
from polars_fairness.answers.contrasts import (
    is_apart,
    with_changes_together,
)
from polars_fairness.answers.decompose import decompose
from polars_fairness.answers.drivers import MOST_CONTROLS, SPLIT, drivers
from polars_fairness.answers.hidden import NOTE, has_hidden_note
from polars_fairness.answers.options import AuditOptions, check_metric_names, options_and_question
from polars_fairness.answers.plan import plan
from polars_fairness.answers.rates import answer_of_rates, roles_of_rates
from polars_fairness.answers.switches import switches
from polars_fairness.answers.worst_groups import cells_of_groups, find_options, table_of_ranks
from polars_fairness.api.bound import read, unbound
from polars_fairness.api.clashes import refuse_taken_names
from polars_fairness.api.columns import ANSWERS
from polars_fairness.api.plan import answer_of
from polars_fairness.api.requested import requested, serving
from polars_fairness.api.unused_arguments import calls_of_ours
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.cells import cells_of_all_rows
from polars_fairness.counting.collected import collected
from polars_fairness.counting.counted_rows import CountedRows
from polars_fairness.counting.counts import CLUSTER, PARTS, is_group, unlisted
from polars_fairness.counting.models import Count, counts_of
from polars_fairness.counting.polars_rows import PolarsRows
from polars_fairness.counting.rows import AnyFrame, PolarsFrame, Rows
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError
from polars_fairness.formula.formulas import over_scores
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.formula.scores import auc, mean_score, overshoot
from polars_fairness.formula.sides import RATES, Rate, d_s
from polars_fairness.inference.closed_forms import wilson_of
from polars_fairness.inference.completions import HOLDS_FROM
from polars_fairness.inference.deviations import rows_over_clusters
from polars_fairness.question.arguments import Question
from polars_fairness.question.audit_arguments import (
    FEW_ROWS,
    HARM,
    OF_PLAN,
    RULE,
    AuditQuestion,
    BoundsQuestion,
    Harm,
    Harms,
    refuse_invalid_harm,
)
from polars_fairness.question.columns import Probabilities
from polars_fairness.question.facets import OVERALL, Reference
from polars_fairness.question.judging import Band, Rule
from polars_fairness.question.outcomes import NUMBERS, ROLES
from polars_fairness.question.policy import Policy, policy_of
from polars_fairness.question.probabilities import has_probabilities
from polars_fairness.question.roles import Roles
from polars_fairness.question.scores import EVERY
from polars_fairness.question.windows import ESTIMATOR, MODEL, POSITIVE, REPLICATE, THRESHOLD
from polars_fairness.values.evaluate import ROWS, SIDES, effective_rows, rated, types_of_rates
from polars_fairness.values.formula_checks import has_bounds, if_unfavorable, sign_of
from polars_fairness.values.lines import BOUNDS_OF_DIFFERENCE


def counted_once(
    frame: AnyFrame, metrics: Sequence[str | Metric], options: AuditOptions, question: Question
) -> CountedRows:
    """The rows of a page, to be counted when the first answer needs their cells.

    Without a metric of subgroups the rows are not counted by them, and without charts or metrics of
    scores not by scores.
    """
    bound = read(frame, question)
    champion, roles = options.champion, bound.roles
    _, needed = requested(metrics, roles if champion is None else roles.against(champion))
    own = roles.keeping((*ROLES, "subgroup", "score"))
    finest = []
    if _shows_scores(own) or own.is_about_scores or (needed.score and not needed.score.thresholds):
        of_scores = replace(own.as_counted, strata=needed.strata)
        of_scores = of_scores.joined(are_apart=True, are_joint=needed.are_joint)
        # Beside the score, the decision at one threshold.
        is_beside = not (own.named_models or own.windows.has_thresholds)
        finest += [Count.row_by_row(of_scores)] if is_beside else counts_of(of_scores)
    if own.predicted or not own.named_models:
        finest += counts_of(needed.as_counted.keeping((*ROLES, "subgroup")))
    if needed.strata:
        # For many subgroups, what needs all facets jointly is counted without them.
        kept = ((*ROLES, "subgroup", "score"), (*ROLES, "score"))
        finest = [
            replace(each, roles=each.roles.keeping(needs)) for each in finest for needs in kept
        ]
    return CountedRows.of(bound.frame, bound.rows, finest)


def _rates_and_rows(
    frame: AnyFrame, question: Question, confidence: float | None, hide_below: int | None
) -> pl.DataFrame:
    """The answer of `rates`; where ``n`` is not how many rows each rate has, also their number.

    With weights, this is the effective number, and the number of rows of a group is there too. With
    clusters there is also the number that intervals count.
    """
    has_rows = question.get("weight") is not None or question.get("nulls") == "drop"
    bound = read(frame, question, "rates")
    roles = roles_of_rates(bound.roles)
    table = _collected(answer_of_rates(bound, roles, hide_below, has_rows=has_rows))
    if question.get("cluster") is None or confidence is None:
        return table
    return _with_rows_over_clusters(table, bound.rows, roles, confidence)


def _with_rows_over_clusters(
    table: pl.DataFrame, rows: Rows, roles: Roles, confidence: float
) -> pl.DataFrame:
    """The table of rates with the number of rows that the interval of each counts."""
    cells = cells_of_all_rows(rows, roles).rename({CLUSTER: REPLICATE})
    apart = roles.without_intervals.with_window(REPLICATE)
    by_cluster = _collected(rated(cells, apart, has_rows=True)).rename({REPLICATE: CLUSTER})
    keys = table.columns[: table.columns.index("n")]
    for rate in (each for each in RATES.values() if each.is_proportion):
        if table[rate.name].count() == 0:
            continue
        own = [effective_rows(rate.name)] if not roles.is_weighted else []
        whole = _whole(rate, own).fill_null(0.0)
        above = (pl.col(rate.name) * whole).fill_null(0.0)
        sums = {"above": above, "whole": whole, "rows": whole if own else rows_used(by_cluster)}
        counted = rows_over_clusters(
            by_cluster.select(*keys, CLUSTER, **sums),
            keys,
            pl.col("above") / pl.col("whole"),
            pl.col("whole"),
            pl.col("rows"),
            confidence,
        ).drop("reach")
        table = table.join(
            counted.rename({"rows": _clusters_column(rate.name)}),
            on=keys,
            how="left",
            nulls_equal=True,
            maintain_order="left",
        )
    return table


def _clusters_column(rate: str) -> str:
    """The column of the rows that a rate's interval counts; no column of ``by`` has such a name."""
    return f"{rate}.rows over clusters\x1f"


def rows_used(rated: pl.DataFrame) -> pl.Expr:
    """The number of rows of each group in a table of rates, whatever their weights."""
    return pl.col(ROWS if ROWS in rated.columns else "n")


def bounds_of(rate: str) -> tuple[str, str]:
    """The columns of a rate's lower and upper bound; no column of ``by`` has such a name."""
    return f"{rate}.lower\x1f", f"{rate}.upper\x1f"


def with_intervals(
    rated: pl.DataFrame, rates: Iterable[str], confidence: float | None
) -> pl.DataFrame:
    """The table with the bounds of each rate's Wilson interval, in the columns of `bounds_of`.

    With weights, the interval is that of the effective number of rows (Kish). Without a confidence
    the bounds are null.
    """
    if confidence is None:
        bounds = (bound for rate in rates for bound in bounds_of(rate))
        return rated.with_columns(pl.lit(None, pl.Float64).alias(bound) for bound in bounds)
    return rated.with_columns(
        bound.alias(name)
        for rate in rates
        for name, bound in zip(
            bounds_of(rate),
            wilson_of(pl.col(rate), _whole(RATES[rate], rated.columns), confidence),
            strict=True,
        )
    )


def _whole(rate: Rate, columns: Collection[str]) -> pl.Expr:
    """How many rows a proportion is a share of, from the counts in the table of rates."""
    if _clusters_column(rate.name) in columns:
        return pl.col(_clusters_column(rate.name))
    if effective_rows(rate.name) in columns:
        return pl.col(effective_rows(rate.name))
    return pl.sum_horizontal(PARTS.get(rate.whole, (rate.whole,)))


_MOST_THRESHOLDS: Final = 200
"""So many points make a smooth curve; more would only make the page larger."""

_BINS: Final = 10
_NO_SHARES: Final = "the scores are no probabilities, as some are not between 0 and 1"
_DIVIDED: Final = (
    f"the scores were rounded, so that scores of two of the {_BINS} bins may have become one number"
)


@dataclass(frozen=True, eq=False)
class Scores:
    """The rates at several thresholds, and the calibration, or why there is none."""

    swept: pl.DataFrame
    calibrated: pl.DataFrame | str


def _shows_scores(roles: Roles) -> bool:
    return roles.label is not None and (roles.windows.has_thresholds or roles.is_about_scores)


def _thresholds_along_curve(cells: pl.DataFrame, most: int) -> tuple[float, ...]:
    """Each score of these cells, or some so many, at equal distances along the ROC curve.

    Equal steps of the score would leave few points where most scores are close to each other, and
    equal shares of rows few where labels are seldom positive.

    Examples
    --------
    >>> import polars as pl
    >>> from polars_fairness.reporting.answers import _thresholds_along_curve
    >>> scores = {"score": [0.1, 0.2, 0.3, 9.0], "label": [False, False, False, True], "n": 1}
    >>> _thresholds_along_curve(pl.DataFrame(scores), most=2)
    (0.3, 9.0)
    """
    label, n = pl.col("label"), pl.col("n")
    by_score = (
        cells.filter(pl.col("score").is_finite())
        .group_by("score")
        .agg(positive=n.filter(label).sum(), negative=n.filter(~label).sum())
        .sort("score")
    )
    if by_score.height > most:
        lengths = [
            (pl.col(side).cum_sum(reverse=True) / pl.col(side).sum()).fill_nan(0)
            for side in ("positive", "negative")
        ]
        step = (sum(lengths, pl.lit(0.0)) * (most / 2)).ceil()
        by_score = by_score.filter(step.ne_missing(step.shift(-1)))
    return tuple(by_score["score"])


AUC: Final = "AUC"
OVERSHOOT: Final = "Label share less mean score"
MEAN_SCORE: Final = "Mean score"
_OF_GROUP: Final = (
    Metric("auc", AUC, over_scores(auc(d_s, d_s)), range=(0, 1)),
    Metric("gap", OVERSHOOT, over_scores(overshoot(d_s), of_probabilities=True), range=(-1, 1)),
    Metric("mean_score", MEAN_SCORE, over_scores(mean_score(d_s))),
)
"""What the scores say of one group."""


_USUAL: Final = ("di", "rd")
"""What is followed over time if no metric is requested: who is accepted, and who by mistake not."""

# Inner columns: no column of a caller has such a name.
IS_MARKED = "is_marked\x1f"

# Verdicts, and what the user compares with, are in the audit already.
_OF_STEPS: Final = {
    "baseline": "previous",
    "baseline_count": None,
    "bands": None,
    "champion": None,
    "drift": None,
    "method": "auto",
    "minimum_count": None,
    "p_values": None,
    "policy": None,
    "rule": "interval",
}

_MEASURED: Final = ("reference", "value", "difference", *BOUNDS_OF_DIFFERENCE)


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


_DEPTH: Final = 2
"""How many facets a group fixes at most by default: pairs of many facets are still few."""


@dataclass(frozen=True, eq=False)
class RankedGroups:
    """The result of `worst_groups` for one metric, the worst group of each window first.

    The columns of ``by`` and ``facet`` have numbers for names (``by.0``, ``facet.0``), so that they
    never have the name of another column of the table; ``windows`` has the name of each column that
    makes windows. ``value.0`` and so on are the values that a group fixes, as text; ``name`` is the
    name of the group.
    """

    metric: Metric
    harm: Harm
    facets: tuple[str, ...]
    windows: Mapping[str, str]
    table: pl.DataFrame

    @property
    def rate(self) -> Rate:
        each = self.metric.parsed.each
        assert each is not None
        return RATES[each.rate]


Window = tuple[tuple[str, object], ...]


def window_of(row: Mapping[str, Any], names: Iterable[str]) -> Window:
    """The window of a row, by the columns of these names."""
    return tuple((name, row[name]) for name in names)


@dataclass(frozen=True)
class Comparison:
    """The rows of a frame for one comparison, or for one facet if metrics have no sides."""

    window: Window
    facet: str | None
    disfavored: str | None
    favored: str | None
    table: pl.DataFrame


@dataclass(frozen=True, eq=False)
class Answers:
    """The question of a report, and the frames that answer it, each computed when it is read."""

    frame: CountedRows
    requested: Sequence[str | Metric]
    given: AuditQuestion
    harm: Harms | None
    unit: str
    on_values: Sequence[str]
    examined: pl.DataFrame

    @cached_property
    def _parted(self) -> tuple[AuditOptions, Question]:
        return options_and_question(self.given)

    @property
    def options(self) -> AuditOptions:
        return self._parted[0]

    @property
    def question(self) -> Question:
        return self._parted[1]

    @cached_property
    def roles(self) -> Roles:
        return read(self.frame, self.question, "report").roles

    @property
    def facets(self) -> tuple[str, ...]:
        return tuple(facet.name for facet in self.roles.facets)

    @property
    def named(self) -> Mapping[str, Metric]:
        """The metrics of the user, by their names."""
        return {metric.name: metric for metric in self.requested if isinstance(metric, Metric)}

    @cached_property
    def answer(self) -> pl.DataFrame:
        """The audit, with the certainty of its values."""
        answer = audit_with_certainty(self.frame, *self.requested, **self.given)
        return _collected(answer)

    @cached_property
    def audited(self) -> pl.DataFrame:
        """The audit without rows about windows and groups that have no comparison here.

        Beside references there are the changes that hold for all of them together. The people of
        groups known only as probabilities are whole numbers, unless weights count something else.
        """
        options = self.options
        audited = self.answer.filter(~is_apart(self.answer.columns))
        if options.contrast is not None:
            is_compared = pl.lit(value=True)
            if options.champion is not None:
                is_compared = pl.col(MODEL) != options.champion
            audited = with_changes_together(audited, options.confidence, is_compared)
        if options.hide_below is not None:
            audited = audited.filter(~has_hidden_note(options.hide_below))
            if audited.is_empty():
                raise FairnessError(
                    f"hide_below: {options.hide_below} leaves no groups to compare in a report; "
                    "give a smaller number, or call audit"
                )
        return self._as_shown(audited)

    def _as_shown(self, frame: pl.DataFrame) -> pl.DataFrame:
        are_people = self.is_uncertain and not self.is_weighted
        return with_whole_people(frame) if are_people else frame

    @cached_property
    def _rates(self) -> pl.DataFrame:
        """The table of rates, with the rows of hidden groups."""
        return _rates_and_rows(
            self.frame, self.question, self.confidence_of_rates, self.options.hide_below
        )

    @cached_property
    def rated(self) -> pl.DataFrame:
        """The table of rates; sums over windows are of the rates as they are."""
        if self.options.hide_below is None:
            return self._rates
        return self._rates.filter(pl.col(NOTE).is_null()).drop(NOTE)

    @cached_property
    @calls_of_ours()
    def notes(self) -> list[str]:
        """Which groups are hidden, and which values of outcomes count as no."""
        if self.options.hide_below is None:
            return [*self.on_values]
        hidden = self._rates.filter(pl.col(NOTE).is_not_null())
        windows = self.windows_of_rows
        groups = hidden.select("facet", pl.col("value").fill_null("unknown"), *windows).unique()
        names = []
        for facet, value, *window in groups.sort(pl.all()).rows():
            named = (f"{name} {of}" for name, of in zip(windows, window, strict=True))
            names.append(f"{value} of {facet}" + (f" ({', '.join(named)})" if windows else ""))
        if not names:
            return [*self.on_values]
        of_few = (
            f"Groups of fewer than {self.options.hide_below} people, and groups beside these, are "
            f"hidden: {', '.join(names)}"
        )
        return [of_few, *self.on_values]

    @property
    def _shows_all(self) -> bool:
        """Whether no group is hidden, which charts and tables of their own would show."""
        return self.options.hide_below is None

    @cached_property
    @calls_of_ours()
    def left_out(self) -> pl.DataFrame:
        """The table of rates in windows where outcomes are missing, with all rows of a group.

        With weights these are rows too, and not the sum of their weights.
        """
        rated = self.rated
        if self.question.get("nulls") != "drop" or not rated["rows_dropped"].sum():
            return rated.clear()
        seen = rated.with_columns(n=rows_used(rated) + pl.col("rows_dropped"))
        windows = parts_of(seen, rated.columns[: rated.columns.index("facet")])
        lacking = pl.concat(part for part in windows if part["rows_dropped"].sum())
        return self._as_shown(lacking)

    @cached_property
    @calls_of_ours()
    def decomposed(self) -> Mapping[str, pl.DataFrame]:
        """The contributions of subgroups to each conditional metric."""
        return {
            name: _collected(decompose(self.frame, metric.named(name), **self.question))
            for name, metric in self._catalogued.items()
            if metric.parsed.level.decomposes and self._shows_all
        }

    @cached_property
    def _catalogued(self) -> dict[str, Metric]:
        """The metrics of the audit, as they are for a positive outcome that is good."""
        names = self.audited["metric"].unique(maintain_order=True)
        return {name: self.named.get(name) or CATALOGUE[name] for name in names}

    @cached_property
    @calls_of_ours()
    def driven(self) -> pl.DataFrame:
        """What each control accounts for of the first difference at equal controls, if any is."""
        name = next((name for name in self._catalogued if name in SPLIT), None)
        is_split = name is not None and len(self.roles.controls.columns) <= MOST_CONTROLS
        if not (self._shows_all and is_split):
            return pl.DataFrame()
        confidence = self.options.confidence
        return _collected(drivers(self.frame, str(name), confidence=confidence, **self.question))

    @cached_property
    @calls_of_ours()
    def rankings(self) -> tuple[RankedGroups, ...]:
        return self._ranked(self.confidence)

    @cached_property
    @calls_of_ours()
    def groups(self) -> tuple[RankedGroups, ...]:
        """The ranked groups, whose intervals hold together for all that a page ranks."""
        confidence = self.options.confidence
        if confidence is None or not self.rankings:
            return self.rankings
        number = max(
            sum(
                self.groups_of_several(ranking, part).height
                for _, part in self.windows_shown(ranking)
            )
            for ranking in self.rankings
        )
        return self._ranked(1 - (1 - confidence) / max(1, number))

    def _ranked(self, confidence: float | None) -> tuple[RankedGroups, ...]:
        """The ranked groups of each metric over several facets, from one table of cells."""
        options = self.options
        bound = read(self.frame, self.question)
        chosen = self._ranking_metrics(bound.roles)
        if not chosen:
            return ()
        if isinstance(self.harm, Mapping):
            check_metric_names(HARM.name, self.harm, {metric.name: metric for metric in chosen})
        roles = serving({metric.name: metric for metric in chosen}, bound.roles)
        roles = roles.keeping((*ROLES, "score"))
        roles = roles.without_intervals if confidence is None else roles
        cells = cells_of_groups(bound.rows, roles).collect(engine="streaming")
        rankings: list[RankedGroups] = []
        facets = [
            replace(facet, column=replace(facet.column, name=f"facet.{i}"))
            for i, facet in enumerate(roles.facets)
        ]
        inside = roles.with_inner_names.with_facets(facets)
        # The values that a group fixes as text, and its name.
        texts = [
            pl.when(pl.col("fixed").struct.field(f"facet.{i}"))
            .then(facet.key([pl.col(f"facet.{i}")]).fill_null("unknown"))
            .alias(f"value.{i}")
            for i, facet in enumerate(roles.facets)
        ]
        parts = (
            pl.lit(f"{each.name} ") + pl.col(f"value.{i}") for i, each in enumerate(roles.facets)
        )
        name = pl.concat_str(parts, separator=", ", ignore_nulls=True).alias("name")
        for metric in chosen:
            of_ranks = find_options(
                metric,
                metric.parsed.groups,
                shrink=False,
                confidence=confidence,
                harm=self.harm,
                favorable=roles.favorable,
                hide_below=options.hide_below,
            )
            table = collected(table_of_ranks(cells.lazy(), inside, of_ranks))
            if options.hide_below is not None:
                table = table.filter(~has_hidden_note(options.hide_below))
            ranking = RankedGroups(
                metric=metric,
                harm=of_ranks.harm,
                facets=tuple(facet.name for facet in roles.facets),
                windows=dict(zip(roles.windows.keys, roles.windows.names, strict=True)),
                table=table.with_columns(texts).with_columns(name),
            )
            rankings += [ranking] if table["rank"].count() else []
        return tuple(rankings)

    def _ranking_metrics(self, roles: Roles) -> list[Metric]:
        """The requested metrics that rank groups; without any, metrics that the outcomes allow."""
        minimum_count = None if self.options.hide_below else self.options.minimum_count
        if len(roles.facets) < 2 or roles.has_intersections or roles.uncertain_facets:
            return []
        given = (metric for metric in self.requested if isinstance(metric, Metric))
        ranking = [each for each in given if each.is_joint and each.parsed.each]
        if ranking := [each for each in ranking if not each.is_about_numbers]:
            return ranking
        of_labels = ("fpsf", "fnsf") if {"label", "predicted"} <= roles.given else ()
        allowed = (CATALOGUE[name] for name in ("spsf", *of_labels) if roles.allow(CATALOGUE[name]))
        return [
            metric.over("conjunctions", depth=_DEPTH, minimum_count=minimum_count)
            for metric in allowed
        ]

    @property
    def least_rows(self) -> int:
        """How many rows a group of several facets needs to be ranked on a page."""
        return self.options.minimum_count or FEW_ROWS

    def windows_shown(self, ranking: RankedGroups) -> list[tuple[Window, pl.DataFrame]]:
        """The windows of the latest time, all of them if windows are no times."""
        keys, names = [*ranking.windows], ranking.windows.values()
        parts = [
            (tuple(zip(names, part.row(0)[: len(keys)], strict=True)), part)
            for part in parts_of(ranking.table, keys)
        ]
        if self.time_column is None or self.latest is None:
            return parts
        return [part for part in parts if dict(part[0])[self.time_column] == self.latest]

    @cached_property
    def latest(self) -> object:
        """The last date or time of ``by``, None without one."""
        return None if self.time_column is None else self.audited[self.time_column].max()

    def groups_of_several(self, ranking: RankedGroups, part: pl.DataFrame) -> pl.DataFrame:
        """The groups that fix several facets at known values, with enough rows and a rate."""
        fixed = (pl.col(f"facet.{i}").is_not_null() for i in range(len(ranking.facets)))
        is_known = (pl.col("depth") > 1) & (pl.sum_horizontal(fixed) == pl.col("depth"))
        return part.filter(is_known, pl.col("n") >= self.least_rows, pl.col("rate").is_finite())

    @cached_property
    @calls_of_ours()
    def scores(self) -> Scores | None:
        """Rates over thresholds and calibration, where there are scores and labels.

        The thresholds are among the scores themselves, whatever those of the question.
        """
        if not self._shows_all or not _shows_scores(self.roles):
            return None
        several = {**self.question, "threshold": EVERY}
        if self.question.get("score") is not None:
            several["predicted"] = None  # which another column may decide
        bound = read(self.frame, cast("Question", several))
        roles = bound.roles.keeping((*ROLES, "score"))
        refuse_taken_names(roles, {"by"}, ())
        cells = unlisted(cells_of_all_rows(bound.rows, roles)).collect(engine="streaming")
        if not cells["score"].is_finite().any():
            return None
        label = roles.label
        is_positive = (
            pl.lit(None, pl.Boolean) if label is None else label.positive_of(pl.col("label"))
        )
        thresholds = _thresholds_along_curve(
            cells.with_columns(label=is_positive), _MOST_THRESHOLDS
        )
        at = roles.with_thresholds(thresholds)
        swept = answer_of(bound, at, rated, types_of_rates(at), cells_of=lambda *_: cells.lazy())
        calibrated: pl.DataFrame | str = _NO_SHARES
        if cells["score"].is_between(0, 1).all():
            confidence = self.confidence_of_rates
            try:
                answer = calibration(self.frame, bins=_BINS, confidence=confidence, **self.question)
                calibrated = _collected(answer)
            except FairnessError:  # all else was computed from the same question
                calibrated = _DIVIDED
        return Scores(swept.lazy().collect(), calibrated)

    @cached_property
    @calls_of_ours()
    def measured(self) -> dict[str, pl.DataFrame]:
        """What scores say of each group with intervals, by titles, where they decide nothing."""
        roles, scores = self.roles, self.scores
        is_judged = self.audited["band_lower"].count()
        if not self._shows_all or is_judged or not roles.is_about_scores or not roles.facets:
            return {}
        has_shares = scores is not None and isinstance(scores.calibrated, pl.DataFrame)
        is_known = {AUC: scores is not None, OVERSHOOT: has_shares, MEAN_SCORE: True}
        # Each group is side d, also of two groups, where all rows are side a.
        sides = {"disfavored": None, "favored": OVERALL}
        alone: Any = {**self.given, **_OF_STEPS, **sides, "baseline": None, "sequential": None}
        metrics = [metric for metric in _OF_GROUP if is_known[metric.title]]
        measured = _collected(audit(self.frame, *metrics, **alone))
        measured = measured.drop_nulls(["value", "disfavored"])
        found = ((metric.title, measured.filter(metric=metric.name)) for metric in metrics)
        return {title: rows for title, rows in found if not rows.is_empty()}

    @cached_property
    @calls_of_ours()
    def digest(self) -> str | None:
        """The digest of the counts; of few counts it can be guessed, so hidden groups have none."""
        if not self._shows_all:
            return None
        bound = read(self.frame, self.question, "report")
        return digest_of(bound.rows, requested(self.requested, bound.roles)[1])

    @cached_property
    @calls_of_ours()
    def steps(self) -> pl.DataFrame:
        """Each value that is followed over time, less that of the window before.

        There are the columns of the audit that name a value, then the value of the window before as
        ``reference``, ``value``, ``difference`` with its bounds, and `IS_MARKED`, whether these
        exclude 0. The bounds hold for all steps together, by Bonferroni's correction.
        """
        options, audited, column = self.options, self.audited, self.time_column
        requested = {each if isinstance(each, str) else each.name: each for each in self.requested}
        moments = 0 if column is None else audited[column].alias("").drop_nulls().n_unique()
        # Without an interval a metric has no marks.
        estimated = {*audited.filter(pl.col("lower").is_not_null())["metric"]}
        names = [name for name in followed(audited, [*requested]) if name in estimated]
        is_about_times = moments > 1 and not (options.sequential or options.hide_below)
        if options.confidence is None or not (is_about_times and names):
            types = {**dict.fromkeys(_MEASURED, pl.Float64()), IS_MARKED: pl.Boolean()}
            nothing = (pl.lit(None, dtype).alias(name) for name, dtype in types.items())
            return audited.clear()[[*self.windows, *SIDES, "metric"]].with_columns(nothing)
        metrics = [requested.get(name, name) for name in names]
        given = cast("AuditQuestion", {**self.given, **_OF_STEPS})
        bounds_known = pl.all_horizontal(pl.col(BOUNDS_OF_DIFFERENCE).is_not_null())
        compared = _collected(audit(self.frame, *metrics, **given))
        steps = compared.filter(pl.col("difference").is_finite() & bounds_known)
        # A thousand draws have no percentile so far out, so the bounds move away from the
        # difference as those of a normal distribution would. Of 100 audits of twelve months without
        # any change, with 8 to 5,000 rows of a group a month, 0 to 4 had a mark.
        normal, tail = NormalDist(), (1 - options.confidence) / 2
        factor = normal.inv_cdf(1 - tail / max(1, steps.height)) / normal.inv_cdf(1 - tail)
        middle = pl.col("difference")
        ends = {each: middle + factor * (pl.col(each) - middle) for each in BOUNDS_OF_DIFFERENCE}
        low, high = ends.values()
        is_marked = ~pl.lit(0).is_between(low, high)
        steps = steps.with_columns(is_marked.alias(IS_MARKED), **ends)
        return steps[[*self.windows, *SIDES, "metric", *_MEASURED, IS_MARKED]]

    @cached_property
    @calls_of_ours()
    def switched(self) -> pl.DataFrame:
        """The rows that each model decides otherwise, counted at thresholds that were given."""
        is_given = self.question.get("predicted") is not None
        is_given &= isinstance(self.roles.thresholds, tuple)
        champion = self.options.champion
        if not (self._shows_all and champion is not None and is_given):
            return pl.DataFrame()
        return _collected(switches(self.frame, champion=champion, **self.question))

    @cached_property
    @calls_of_ours()
    def confused(self) -> pl.DataFrame:
        """The confusion matrices of groups, where both outcomes have several classes."""
        has_classes = self.question.get("classes") is not None
        if not (self._shows_all and has_classes and len(self.roles.outcomes) == len(ROLES)):
            return pl.DataFrame()
        return _collected(confusions(self.frame, **self.question))

    @cached_property
    @calls_of_ours()
    def clusters(self) -> int | None:
        """How many clusters there are; cells have the groups of clusters alone."""
        cluster = self.roles.cluster
        if not cluster or is_group(cluster.dtype) or not isinstance(self.frame.rows, PolarsRows):
            return None
        number = self.frame.rows.frame.select(cluster.expression.n_unique())
        return int(number.collect(engine="streaming").item())

    @cached_property
    @calls_of_ours()
    def bounds(self) -> pl.DataFrame:
        """How far rows of unknown group could move the first metric with a band that has bounds."""
        metrics, options = self._catalogued, self.options
        bands = {name: metric.acceptable for name, metric in metrics.items()}
        bands |= {**(options.bands or {})}
        has = partial(has_bounds, is_weighted=self.is_weighted)
        name = next((name for name, metric in metrics.items() if bands[name] and has(metric)), None)
        facets = self.audited.filter(pl.col("n_unknown") > 0)["facet"].drop_nulls()
        # Windows, models and thresholds would each have bounds of their own.
        is_one = not (self.windows or options.has_baseline_frame or facets.is_empty())
        if name is None or not (self._shows_all and is_one):
            return pl.DataFrame()
        if options.bounds:
            bounded = self.audited.filter(metric=name)
        else:
            alone = cast("BoundsQuestion", {**self.question, "cluster": None, "confidence": None})
            bounded = _collected(bounds(self.frame, metrics[name], **alone))
        known = pl.col("facet").is_in(facets.implode()), pl.col("lowest").is_not_null()
        return bounded.filter(*known)

    @cached_property
    @calls_of_ours()
    def at_once(self) -> pl.DataFrame:
        """The verdicts that hold from some number of times on: those at once as often."""
        audited = self.audited
        if not self._shows_all or HOLDS_FROM not in audited.columns:
            return pl.DataFrame()
        metrics = audited.drop_nulls(HOLDS_FROM)["metric"].unique(maintain_order=True)
        if metrics.is_empty():
            return pl.DataFrame()
        bands = {name: each for name, each in (self.options.bands or {}).items() if name in metrics}
        assumed = {"unlabelled": 1.0, "unlabelled_by": self.options.unlabelled_by}
        asked = {**self.question, **assumed, "confidence": None, "bands": bands or None}
        own = [self._catalogued[name] for name in metrics]
        return _collected(bounds(self.frame, own, **cast("BoundsQuestion", asked)))

    @cached_property
    @calls_of_ours()
    def overall(self) -> Overall | None:
        """What holds over all windows together, where they are many and no times."""
        question, options = self.question, self.options
        is_alone = options.contrast is None and not options.sequential and self._shows_all
        if not (is_alone and self.facets and self.rated["selection_rate"].count()):
            return None
        audited = audit_over_windows(self.frame, question, options.confidence, self.audited)
        if audited is None:
            return None
        return Overall(audited, _rates_and_rows(self.frame, _together(question), None, None))

    @cached_property
    @calls_of_ours()
    def planned(self) -> pl.DataFrame:
        """What the rows can show by the metric that leads, where that is uncertain.

        Only then it is worth its time, which is that of an audit of one metric or two.
        """
        options, lead = self.options, judged_metrics(self)[:1]
        is_alone = not (self.windows or options.contrast or options.sequential)
        by_interval = options.confidence is not None and all(
            self.rule(name) == "interval" for name in lead
        )
        of_lead = self.audited.filter(pl.col("metric").is_in(lead), verdict="uncertain")
        if of_lead.is_empty() or not (is_alone and by_interval and self._shows_all):
            return pl.DataFrame()
        names = {each.name for each in OF_PLAN}
        own: dict[str, Any] = {name: each for name, each in self.given.items() if name in names}
        own["bands"] = {name: self.band(name) for name in lead}
        metrics = [self.named.get(name, name) for name in lead]
        return self._as_shown(_collected(plan(self.frame, *metrics, **{**self.question, **own})))

    def with_references(self, frame: pl.DataFrame) -> pl.DataFrame:
        """The frame, with a reference in place of the groups that it found in single windows.

        So a comparison with it is one line over time, whatever group takes its place.
        """
        given = self.question.get("favored")
        by_facet = (
            given if isinstance(given, Mapping) else dict.fromkeys(self.rated["facet"], given)
        )
        words = {
            facet: (not self.favorable and reference.if_unfavorable) or reference.in_words
            for facet, reference in by_facet.items()
            if isinstance(reference, Reference) and reference.is_group
        }
        if not words:
            return frame
        in_words = pl.col("facet").replace_strict(words, default=pl.col("favored"))
        has_sides = pl.col("disfavored").is_not_null()
        return frame.with_columns(favored=pl.when(has_sides).then(in_words))

    @property
    def windows(self) -> list[str]:
        """The columns of ``by``, which stand before the sides."""
        return self.audited.columns[: self.audited.columns.index("facet")]

    @property
    def windows_of_rows(self) -> list[str]:
        """The columns that make windows of rows: models and thresholds decide about the same."""
        of_classes = [POSITIVE] if self.question.get("classes") else []
        same_rows = (ESTIMATOR, MODEL, THRESHOLD, *of_classes)
        return [name for name in self.windows if name not in same_rows]

    @property
    def confidence(self) -> float | None:
        return self.options.confidence

    @property
    def confidence_of_rates(self) -> float | None:
        """The confidence of intervals of rates: none of groups known only as probabilities."""
        return None if has_probabilities(self.question.get("facet")) else self.options.confidence

    @property
    def policy(self) -> Policy | None:
        """The policy under which the audit was made."""
        return None if self.options.policy is None else policy_of(self.options.policy)

    @property
    def favorable(self) -> bool:
        """Whether a positive outcome is good for the person."""
        return self.question.get("favorable", True)

    @property
    def is_about_numbers(self) -> bool:
        """Whether numbers are the only outcomes."""
        given = {name for name, value in self.question.items() if value is not None}
        return not given.isdisjoint(NUMBERS) and given.isdisjoint(("label", "predicted", "score"))

    @property
    def is_uncertain(self) -> bool:
        """Whether the groups of a facet are known only as probabilities."""
        return bool(self.estimated)

    @property
    def estimated(self) -> list[str]:
        """The facets whose groups are known only as probabilities."""
        given = self.question.get("facet")
        facets = given if isinstance(given, list | tuple) else [given]
        return [each.name for each in facets if isinstance(each, Probabilities)]

    @property
    def is_weighted(self) -> bool:
        return self.question.get("weight") is not None

    def metric(self, name: str) -> Metric:
        """The metric that has this name in the audit, under this name."""
        metric = self.named[name] if name in self.named else CATALOGUE[name]
        if metric.name != name:
            metric = metric.named(name)
        return metric if self.favorable else if_unfavorable(metric)

    def metrics(self) -> dict[str, Metric]:
        """Every metric of the audit by its name, in the order of the audit."""
        names = self.audited["metric"].unique(maintain_order=True)
        return {name: self.metric(name) for name in names}

    def band(self, name: str) -> Band:
        """The band by which the metric gets its verdict."""
        return self._bands[name]

    @cached_property
    def _bands(self) -> dict[str, Band]:
        bands = self.audited["metric", "band_lower", "band_upper"].unique()
        return {name: None if low is None else (low, high) for name, low, high in bands.rows()}

    def rule(self, name: str) -> Rule:
        """The rule by which the metric gets its verdict."""
        rule = self.options.rule
        return rule if isinstance(rule, str) else rule.get(name, RULE.default)

    @cached_property
    def signs(self) -> dict[str, Sign | None]:
        """The side that a value above the ideal disadvantages, for each metric."""
        return {name: sign_of(metric) for name, metric in self.metrics().items()}

    @cached_property
    def time_column(self) -> str | None:
        """The column of ``by`` if it is the only one, and a date or time."""
        return time_column(self.audited)

    @property
    def known_values(self) -> dict[str, set[str]]:
        """The known values of each facet, also those of hidden groups."""
        known = self._rates.drop_nulls("value").group_by("facet").agg("value")
        return {facet: {*values} for facet, values in known.rows()}

    def groups_of(self, facet: str | None) -> set[str]:
        """The known values of a facet that have rows in any window."""
        return self._groups.get(facet, set())

    @cached_property
    def _groups(self) -> dict[str | None, set[str]]:
        groups: dict[str | None, set[str]] = {}
        # Also of hidden groups, whose n is null: they are among everyone else.
        known = self._rates.filter(pl.col("n").fill_null(1) > 0, pl.col("value").is_not_null())
        for facet, group in known["facet", "value"].unique().rows():
            groups.setdefault(facet, set()).add(group)
        return groups

    def size_of(self, rate: Rate) -> str:
        """The column with the number of rows that a rate has, or with the weight of groups.

        For groups known only as probabilities, the effective number is no number of rows.
        """
        column = effective_rows(rate.name)
        if self.is_weighted or self.is_uncertain or column not in self.rated.columns:
            return "n"
        # A rate whose outcomes are not given has no rows.
        return column if self.rated[column].count() else "n"

    def rows_in(self, window: Window, column: str = "n") -> float:
        """The number of rows in a window, or their weight."""
        of_all = self.rated.filter(pl.col("facet") == ALL)
        if self.is_uncertain:
            # They are the same by each estimator, and beside a known facet may stand without.
            of_all = of_all.filter(pl.col(ESTIMATOR).eq_missing(pl.col(ESTIMATOR).first()))
            window = tuple((name, value) for name, value in window if name != ESTIMATOR)
        return float(filter_window(of_all, window)[column].sum())

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """The comparisons of the audit."""
        return [*comparisons_of(self.audited, self.windows)]


def comparisons_of(frame: pl.DataFrame, windows: Sequence[str]) -> Iterator[Comparison]:
    """The rows of each comparison: of each window and pair of sides."""
    for part in parts_of(frame, [*windows, *SIDES]):
        row = part.row(0, named=True)
        facet, disfavored, favored = (row[side] for side in SIDES)
        yield Comparison(window_of(row, windows), facet, disfavored, favored, part)


def strata_of(decomposed: pl.DataFrame) -> list[str]:
    """The columns of an answer of `decompose` that name a subgroup."""
    columns = decomposed.columns
    return columns[columns.index("favored") + 1 : columns.index("n")]


_SIZES: Final = {
    each.name for columns in ANSWERS.values() for each in columns if each.type == "size"
}


def with_whole_people(frame: pl.DataFrame) -> pl.DataFrame:
    """An answer as it is shown: the people of groups known only as probabilities are whole numbers.

    Weights are not: by them a comparison has more than the rows used, or all rows no whole number.
    """
    if ESTIMATOR not in frame.columns:
        return frame
    if "rows_used" in frame.columns:
        sides = ("n_disfavored", "n_favored", "n_unknown")
        is_weighted = pl.sum_horizontal(sides) > pl.col("rows_used") + 0.5
        is_weighted &= pl.col("favored").is_null() | (pl.col("favored") != ALL)
    elif "value" in frame.columns and "n" in frame.columns:
        in_part = (pl.col("n") - pl.col("n").round()).abs() > 1e-6
        is_weighted = (pl.col("facet") == ALL) & in_part
    else:
        is_weighted = pl.lit(value=False)
    if frame.select(is_weighted.any()).item():
        return frame
    # Windows, whose columns may have any other names, stand before the facet.
    sizes = [name for name in frame.columns[frame.columns.index("facet") :] if name in _SIZES]
    return frame.with_columns(pl.col(sizes).round().cast(pl.Int64))


def filter_window(frame: pl.DataFrame, window: Window) -> pl.DataFrame:
    """The rows of a window, whose columns may have any names."""
    for name, value in window:
        # Without its name, which polars may take for a pattern.
        column = frame[name].alias("")
        frame = frame.filter(column.eq_missing(pl.Series([value], dtype=column.dtype)))
    return frame


def parts_of(frame: pl.DataFrame, columns: Sequence[str]) -> list[pl.DataFrame]:
    """The rows of each combination of values of these columns, which may have any names."""
    if frame.is_empty():
        return []
    if not columns:
        return [frame]
    # Numbers for names: polars takes a name such as `^a$` or `*` for a pattern.
    numbers = {name: f"{i}\x1f" for i, name in enumerate(columns)}
    parts = frame.rename(numbers).partition_by(list(numbers.values()), maintain_order=True)
    for part in parts:
        part.columns = frame.columns  # in place: of 8,000 parts, `rename` took a fifth of a page
    return parts


_FIRST: Final = (
    "di",
    "dppl",
    "rd",
    "mh_ratio",
    "average_odds_difference",
    "cohens_d",
    "two_sd",
    "cmh",
)
"""The metrics that come first where the call names none: each kind of metric once."""


def judged_metrics(answers: Answers) -> list[str]:
    """The metrics that have a band, and so a verdict; the lead metric first."""
    judged = [name for name in answers.metrics() if answers.band(name) is not None]
    if not answers.requested:
        judged.sort(key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    # A metric without sides has one value for all groups, and no place beside a group.
    judged.sort(key=lambda name: not answers.metric(name).has_sides)
    return judged


def find(
    frame: AnyFrame,
    metrics: Sequence[str | Metric],
    given: AuditQuestion,
    harm: Harms | None,
    unit: str,
    on_values: Sequence[str],
    examined: pl.DataFrame,
) -> Answers:
    """The answers of a report; the audit and the rates are computed at once, under its policy.

    So every error of the question is one of the call. Rows that are no DataFrame are read at once
    too: a file may have changed when a page is written.
    """
    refuse_invalid_harm(harm)
    options, question = options_and_question(given)
    counted = counted_once(frame, metrics, options, question)
    answers = Answers(counted, metrics, given, harm, unit, on_values, examined)
    answers.roles, answers.audited, answers.rated  # noqa: B018
    if isinstance(harm, Mapping):
        answers.rankings  # noqa: B018
    if not isinstance(unbound(frame), pl.DataFrame):
        for name in _FROM_CELLS:
            getattr(answers, name)
    return answers


_FROM_CELLS: Final = (
    *("digest", "groups", "decomposed", "driven", "scores", "measured", "steps", "switched"),
    *("confused", "clusters", "bounds", "at_once", "overall", "planned"),
)
"""The answers that are counted, beside the audit and the rates."""


_MANY_WINDOWS: Final = 20


@dataclass(frozen=True, eq=False)
class Overall:
    """What holds over all windows together."""

    audited: pl.DataFrame
    rated: pl.DataFrame


def audit_over_windows(
    frame: CountedRows, question: Question, confidence: float | None, answer: pl.DataFrame
) -> pl.DataFrame | None:
    """The audit of the ratio of selection rates within all windows of an answer together.

    None unless windows are many, those of ``by`` alone, and no times. For groups known in
    probability, the linear estimator is one regression over all rows, and has the ratio of these.
    """
    seen = answer.drop(ESTIMATOR, strict=False)
    windows = seen.columns[: seen.columns.index("facet")]
    apart = ("subgroup", "cluster", "classes", "estimated", "observed")
    is_plain = not any(question.get(name) for name in apart)
    are_of_rows = not {MODEL, THRESHOLD} & {*windows} and time_column(seen) is None
    are_many = windows and seen[windows].n_unique() > _MANY_WINDOWS
    if not (is_plain and are_of_rows and are_many):
        return None
    within: dict[str, Any] = {**_together(question), "subgroup": question.get("by")}
    overall = _collected(
        audit(frame, "mh_ratio", "di", **within, confidence=confidence, p_values="exact")
    )
    is_linear = pl.lit(value=False)
    if ESTIMATOR in overall.columns:
        is_linear = pl.col(ESTIMATOR).eq_missing(pl.lit("linear"))
    is_of_all = pl.col("metric") == "di"
    return overall.filter(is_of_all == is_linear).sort(is_of_all, maintain_order=True)


def _together(question: Question) -> Question:
    return cast("Question", {**question, "by": None, "every": None, "period": None})


def _collected(frame: PolarsFrame) -> pl.DataFrame:
    # One at a time: collected together, polars would share the rows and hold them in memory.
    return frame.lazy().collect(engine="streaming")
