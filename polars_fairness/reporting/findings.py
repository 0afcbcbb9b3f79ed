"""Findings: the question of a report, and the frames that answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import polars as pl

from polars_fairness.answers.absences import is_apart
from polars_fairness.answers.options import AuditOptions, options_and_question
from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.audit import audit
from polars_fairness.api.call import Call
from polars_fairness.api.decompose import decompose
from polars_fairness.api.policies import policy_of, under_policy
from polars_fairness.api.switches import switches
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.formula.rates import Rate
from polars_fairness.question.arguments import Question
from polars_fairness.question.audit_arguments import RULE, AuditQuestion, Harms, refuse_invalid_harm
from polars_fairness.question.judging import Band, Rule
from polars_fairness.question.policy import Policy
from polars_fairness.question.references import Reference
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.found.about import About
from polars_fairness.reporting.found.counted_once import counted_once
from polars_fairness.reporting.found.digest import digest_of
from polars_fairness.reporting.found.group_rows import rates_and_rows, rows_used
from polars_fairness.reporting.found.ranked_groups import RankedGroups, rank_groups
from polars_fairness.reporting.found.scores import Scores, find_scores
from polars_fairness.reporting.found.steps import find_steps, time_column
from polars_fairness.values.evaluate import SIDES
from polars_fairness.values.formula_checks import if_unfavorable, sign_of
from polars_fairness.values.rates import effective_rows

Window = tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class Comparison:
    """The rows of a frame for one comparison, or for one facet if metrics have no sides."""

    window: Window
    facet: str | None
    disfavored: str | None
    favored: str | None
    table: pl.DataFrame


@dataclass(frozen=True, eq=False)
class Findings:
    """The question of a report, and the frames that answer it."""

    question: Question
    facets: tuple[str, ...]
    options: AuditOptions
    requested: Sequence[str | Metric]
    named: Mapping[str, Metric]
    answer: pl.DataFrame
    # The answer without rows about windows and groups that have no comparison here.
    audited: pl.DataFrame
    rated: pl.DataFrame
    left_out: pl.DataFrame
    decomposed: Mapping[str, pl.DataFrame]
    harm: Harms | None
    rankings: Sequence[RankedGroups]
    scores: Scores | None
    about: About
    digest: str
    steps: pl.DataFrame
    switched: pl.DataFrame

    @property
    def is_swept(self) -> bool:
        """Whether everything was computed at several thresholds."""
        return self.windows[-1:] == [THRESHOLD] and self.audited[THRESHOLD].n_unique() > 1

    def at_lowest_threshold(self) -> Findings:
        """The findings at the lowest threshold, for what is the same at each."""
        is_lowest = pl.col(THRESHOLD) == self.audited[THRESHOLD].min()
        audited, rated, left_out = (
            table.filter(is_lowest).drop(THRESHOLD)
            for table in (self.audited, self.rated, self.left_out)
        )
        return replace(self, audited=audited, rated=rated, left_out=left_out)

    def over_time(self, frame: pl.DataFrame) -> pl.DataFrame:
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
        return [name for name in self.windows if name not in (MODEL, THRESHOLD)]

    @property
    def confidence(self) -> float | None:
        return self.options.confidence

    @property
    def policy(self) -> Policy | None:
        """The policy under which the audit was made."""
        return None if self.options.policy is None else policy_of(self.options.policy)

    @property
    def favorable(self) -> bool:
        """Whether a positive outcome is good for the person."""
        return self.question.get("favorable", True)

    @property
    def is_in_full(self) -> bool:
        """Whether the page shows all values, and not only what was found."""
        return self.about.detail == "full"

    @property
    def is_weighted(self) -> bool:
        return self.question.get("weight") is not None

    def metric(self, name: str) -> Metric:
        """The metric that has this name in the audit."""
        metric = self.named[name] if name in self.named else CATALOGUE[name]
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
        """The side that a value above the ideal speaks against, for each metric."""
        return {name: sign_of(metric) for name, metric in self.metrics().items()}

    @cached_property
    def time_column(self) -> str | None:
        """The column of ``by`` if it is the only one, and a date or time."""
        return time_column(self.audited)

    def groups_of(self, facet: str | None) -> set[str]:
        """The known values of a facet that have rows in any window."""
        return self._groups.get(facet, set())

    @cached_property
    def _groups(self) -> dict[str | None, set[str]]:
        groups: dict[str | None, set[str]] = {}
        known = self.rated.filter(pl.col("n") > 0, pl.col("value").is_not_null())
        for facet, group in known["facet", "value"].unique().rows():
            groups.setdefault(facet, set()).add(group)
        return groups

    def size_of(self, rate: Rate) -> str:
        """The column with the number of rows that a rate has, or with the weight of groups."""
        column = effective_rows(rate.name)
        return column if column in self.rated.columns and not self.is_weighted else "n"

    def rows_in(self, window: Window, column: str = "n") -> float:
        """The number of rows in a window, or their weight."""
        of_all = self.rated.filter(pl.col("facet") == ALL)
        return float(in_window(of_all, window)[column].sum())

    def rates_of_group(
        self, comparison: Comparison, side: Literal["disfavored", "favored"] = "disfavored"
    ) -> Mapping[str, Any] | None:
        """The row of the table of rates about a side, None if this is no single group."""
        group = comparison.disfavored if side == "disfavored" else comparison.favored
        if group is None:
            return None
        of_facet = self.rated.filter(pl.col("facet") == comparison.facet)
        of_group = of_facet.filter(pl.col("value") == group)
        found = in_window(of_group, comparison.window)
        return found.row(0, named=True) if found.height else None

    def comparisons(self) -> list[Comparison]:
        """The comparisons of the audit."""
        return [*self._comparisons]

    @cached_property
    def _comparisons(self) -> tuple[Comparison, ...]:
        return tuple(comparisons_of(self.audited, self.windows))


def comparisons_of(frame: pl.DataFrame, windows: Sequence[str]) -> Iterator[Comparison]:
    """The rows of each comparison: of each window and pair of sides."""
    for part in parts_of(frame, [*windows, *SIDES]):
        window = tuple((name, part[name][0]) for name in windows)
        facet, disfavored, favored = (part[side][0] for side in SIDES)
        yield Comparison(window, facet, disfavored, favored, part)


def in_window(frame: pl.DataFrame, window: Window) -> pl.DataFrame:
    """The rows of a window, whose columns may have any names."""
    for name, value in window:
        # Without its name, which polars may take for a pattern.
        column = frame[name].alias("")
        frame = frame.filter(column.eq_missing(pl.Series([value], dtype=column.dtype)))
    return frame


def parts_of(frame: pl.DataFrame, columns: Sequence[str]) -> list[pl.DataFrame]:
    """The rows of each combination of values of these columns, which may have any names."""
    if not columns:
        return [frame]
    # Numbers for names: polars takes a name such as `^a$` or `*` for a pattern.
    numbers = {name: f"{i}\x1f" for i, name in enumerate(columns)}
    names = {number: name for name, number in numbers.items()}
    parts = frame.rename(numbers).partition_by(list(names), maintain_order=True)
    return [part.rename(names) for part in parts]


def find(
    frame: AnyFrame,
    metrics: Sequence[str | Metric],
    given: AuditQuestion,
    harm: Harms | None,
    about: About,
) -> Findings:
    """Everything that a report shows, computed from the frame."""
    refuse_invalid_harm(harm)
    metrics, given = under_policy(frame, metrics, given)
    options, question = options_and_question(given)
    frame = counted_once(frame, metrics, options, question)
    answer = _collected(audit(frame, *metrics, **given))
    audited = answer.filter(~is_apart(answer.columns))
    named = {metric.name: metric for metric in metrics if isinstance(metric, Metric)}
    metrics_audited = {
        name: named.get(name) or CATALOGUE[name]
        for name in audited["metric"].unique(maintain_order=True)
    }
    rated = _collected(rates_and_rows(frame, question))
    requested = {each if isinstance(each, str) else each.name: each for each in metrics}
    findings = Findings(
        question=question,
        facets=tuple(facet.name for facet in Call.of(frame, question).roles.facets),
        options=options,
        requested=metrics,
        named=named,
        answer=answer,
        audited=audited,
        rated=rated,
        left_out=_left_out(rated, question),
        decomposed={},
        harm=harm,
        rankings=(),
        scores=find_scores(frame, question, options.confidence),
        about=about,
        digest=digest_of(frame, metrics, question),
        steps=find_steps(frame, audited, requested, options, given),
        switched=_switched(frame, options, question),
    )
    if findings.is_swept:
        return findings
    decomposed = {
        name: _collected(decompose(frame, metric.named(name), **question))
        for name, metric in metrics_audited.items()
        if metric.parsed.level.decomposes
    }
    rankings = rank_groups(frame, metrics, options, question, harm)
    return replace(findings, decomposed=decomposed, rankings=rankings)


def _switched(frame: AnyFrame, options: AuditOptions, question: Question) -> pl.DataFrame:
    """The rows that models decide otherwise than the champion; empty without one."""
    if options.champion is None:
        return pl.DataFrame()
    return _collected(switches(frame, champion=options.champion, **question))


def _left_out(rated: pl.DataFrame, question: Question) -> pl.DataFrame:
    """The table of rates in windows where outcomes are missing, with all rows of a group as ``n``.

    With weights these are rows too, and not the sum of their weights.
    """
    if question.get("nulls") != "drop" or not rated["n_dropped"].sum():
        return rated.clear()
    seen = rated.with_columns(n=rows_used(rated) + pl.col("n_dropped"))
    windows = parts_of(seen, rated.columns[: rated.columns.index("facet")])
    return pl.concat(part for part in windows if part["n_dropped"].sum())


def _collected(frame: PolarsFrame) -> pl.DataFrame:
    # One at a time: collected together, polars would share the rows and hold them in memory.
    return frame.lazy().collect(engine="streaming")
