"""The sections of groups: the worst of them, and how classes are confused in each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import polars as pl

from polars_fairness.answers.hidden import NOTE
from polars_fairness.answers.worst_groups import harm_of
from polars_fairness.api.columns import CONFUSED, RANKED, Column, picked
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric
from polars_fairness.question.audit_arguments import FEW_ROWS, harm_given
from polars_fairness.reporting.charts.groups import (
    OF_EACH_LABEL,
    confusion_figures,
    heat_map,
    matrix_in_words,
)
from polars_fairness.reporting.findings import Findings, RankedGroups, Window, parts_of
from polars_fairness.reporting.parts import (
    Cell,
    Part,
    Section,
    Sentences,
    Table,
    drawn,
)
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.verdicts import filter_latest, latest_window
from polars_fairness.reporting.words import (
    NOT_ADJUSTED,
    code_in_words,
    confidence_in_words,
    extremes_in_words,
    groups_in_words,
    minimum_in_words,
    named_in_words,
    rows_counted,
    rows_in_words,
    share,
    share_span,
    size,
    value_in_words,
    window_in_words,
)

_MOST_GROUPS: Final = 10
_MOST_WINDOWS: Final = 3

_OF_GROUPS: Final = (
    "A group is the rows that share a value of one facet, or values of several facets. Unknown is "
    "a value too, unless it is left out."
)
_BY_DEFAULT: Final = (
    "No metric over several facets was requested, so the report shows the metrics that the "
    "outcomes allow."
)
_OF_CHANCE: Final = (
    "Among many groups, some rates are far from the overall rate by chance alone: check whether "
    "the interval of a rate contains the overall rate. The interval is not adjusted for the rank: "
    "that of the worst of many groups misses its true rate more often than others."
)
_OF_TWO: Final = (
    "Page one names the group of several facets with the worst rate; here the distance from the "
    "overall rate counts by the group’s share of all rows."
)
_OF_MAPS: Final = (
    "On a heat map each cell is a group that fixes both facets. Orange is above the overall rate, "
    "blue is below it. The farther a rate is from the overall rate, the deeper the colour; the "
    "deepest is for the farthest rate, or for ten points if no rate is farther. A cell is empty if "
    "its group has no rate, or fewer rows than a group needs."
)


def worst_groups(findings: Findings) -> list[Section]:
    """An opening section, and a section for each metric."""
    if not findings.rankings:
        return []
    of_metrics = [
        Section(
            f"{ranking.metric.name}: {_rate_of(ranking)} "
            f"{'below or above' if ranking.harm == 'both' else ranking.harm} the overall rate",
            tuple(_metric_parts(findings, ranking)),
            level=3,
        )
        for ranking in findings.rankings
    ]
    has_maps = any(isinstance(part, tuple) for section in of_metrics for part in section.parts)
    opening = [_OF_GROUPS, *_default_rate(findings)]
    if findings.confidence is not None:
        confidence = confidence_in_words(findings.confidence)
        opening += [
            f"Intervals are {confidence} Wilson intervals{rows_counted(findings)}.",
            _OF_CHANCE,
        ]
    maps = (Sentences("legend", (_OF_MAPS,)),) if has_maps else ()
    parts = (Sentences("notes", (" ".join(opening),)), *maps)
    finding = " ".join(worst_group_in_words(findings))
    if [*worst_intersection_in_words(findings)]:
        finding = f"{finding} {_OF_TWO}"
    return [Section("Worst groups", parts, finding=finding), *of_metrics]


def _rate_of(ranking: RankedGroups) -> str:
    """The name of a rate within a sentence."""
    return f"{ranking.rate.title[0].lower()}{ranking.rate.title[1:]}"


def worst_group_in_words(findings: Findings) -> Iterator[str]:
    """The worst group by the first metric that ranks groups, of the windows shown."""
    for ranking in findings.rankings[:1]:
        first = [
            (window, row)
            for window, part in _windows_of_latest(findings, ranking)
            for row in _harmed(ranking, part).head(1).iter_rows(named=True)
        ]
        if first:
            sign = 1 if ranking.each.is_worst_where_small else -1
            window, row = min(first, key=lambda each: sign * abs(each[1]["weighted_gap"]))
            of_all, named = row["rate_of_all"], code_in_words(ranking.metric)
            n = rows_in_words(findings, row["n"], None)
            yield (
                f"Worst group by {named}{_window_text(window)}: {row['name']} ({n}), with a "
                f"{_rate_of(ranking)} of {share(row['rate'], [of_all])}, {row['direction']} the "
                f"{share(of_all, [row['rate']])} of all rows together."
            )


def worst_intersection_in_words(findings: Findings) -> Iterator[str]:
    """The worst group that fixes several facets, beside the groups that fix one of them.

    It is the worst by the end of its interval, so that a tiny group does not come first by chance.
    """
    for ranking in findings.rankings[:1] if _default_rate(findings) else ():
        is_low = ranking.harm == "below"
        end = pl.coalesce("upper" if is_low else "lower", "rate")
        # Groups that fix several facets, each at a known value.
        fixed = (pl.col(f"facet.{i}").is_not_null() for i in range(len(ranking.facets)))
        is_known = (pl.col("depth") > 1) & (pl.sum_horizontal(fixed) == pl.col("depth"))
        worst = [
            (row["end"], window, part, row)
            for window, part in _windows_of_latest(findings, ranking)
            for row in _harmed(ranking, part)
            .filter(is_known)
            .with_columns(end=end)
            .sort("end", descending=not is_low, maintain_order=True)
            .head(1)
            .iter_rows(named=True)
        ]
        if not worst or ranking.harm == "both":
            continue
        _, window, part, row = (min if is_low else max)(worst, key=lambda each: each[0])
        names: list[str] = []
        beside: list[str] = []
        for i, facet in enumerate(ranking.facets):
            if row[f"value.{i}"] is not None:
                names.append(f"{facet} {row[f'value.{i}']}")
                is_it = pl.col(f"facet.{i}") == row[f"facet.{i}"]
                alone = part.filter(is_it, depth=1)["rate"]
                beside += [f"{share(rate)} of {names[-1]}" for rate in alone]
        rows = rows_in_words(findings, row["n"], None)
        interval = share_span(row["lower"], row["upper"])
        if interval and findings.confidence is not None:
            confidence = confidence_in_words(findings.confidence)
            interval = f" ({confidence} interval {interval}, {NOT_ADJUSTED})"
        yield (
            f"Of groups by several facets{_window_text(window)}, {' & '.join(names)} ({rows}) "
            f"fares worst: its {_rate_of(ranking)} is "
            f"{share(row['rate'], [row['rate_of_all']])}{interval}, "
            f"beside {', '.join(beside)} and {share(row['rate_of_all'], [row['rate']])} of all "
            "rows."
        )


def _default_rate(findings: Findings) -> list[str]:
    given = [metric for metric in findings.requested if isinstance(metric, Metric)]
    are_given = any(ranking.metric is metric for ranking in findings.rankings for metric in given)
    return [] if are_given else [_BY_DEFAULT]


def _metric_parts(findings: Findings, ranking: RankedGroups) -> Iterator[Part]:
    metric, rate = ranking.metric, ranking.rate
    defined = f"{metric.title}: {metric.definition}" if metric.definition else metric.title
    described = f"{defined}. The groups are {groups_in_words(ranking.groups)}."
    yield Sentences(
        "notes",
        (
            f"{described} {rate.title}: {rate.meaning}.",
            _harm_in_words(findings, ranking),
            _ranks_in_words(ranking),
        ),
    )
    # The windows with tables: of the latest time or the last few.
    parts = [*ranking.split_windows()]
    shown = _windows_of_latest(findings, ranking)[-_MOST_WINDOWS:]
    if len(shown) == 1 < len(parts):
        yield f"This is about the latest window, {window_in_words(shown[0][0])}."
    elif 0 < len(shown) < len(parts):
        yield f"These are the last {len(shown)} of {len(parts):,} windows."
    yield from heat_map(ranking, rate.title, shown)
    name, n, rated, *others = picked(RANKED, *_SHOWN)
    columns = (
        replace(name, name="name"),
        replace(n, label="Weight" if findings.is_weighted else "Rows"),
        replace(rated, label=rate.title),
        *others,
    )
    for window, part in shown:
        worst = _harmed(ranking, part).head(_MOST_GROUPS)
        caption = f"Worst groups by {metric.name}{_window_text(window)}"
        if worst.height:
            worst = worst.with_columns(pl.col("direction").fill_null("equal"))
            yield Table(columns, worst.rows(named=True), caption)
        yield _not_shown(ranking, window, part, worst.height)


_SHOWN: Final = (
    *("group", "n", "rate", "rate_of_all", "alpha", "beta", "weighted_gap"),
    *("direction", "rank"),
)


def _windows_of_latest(
    findings: Findings, ranking: RankedGroups
) -> list[tuple[Window, pl.DataFrame]]:
    """The windows of the latest time, all of them if windows are no times."""
    parts, latest = [*ranking.split_windows()], latest_window(findings)
    if latest is None:
        return parts
    return [part for part in parts if dict(part[0])[str(findings.time_column)] == latest]


def _harmed(ranking: RankedGroups, part: pl.DataFrame) -> pl.DataFrame:
    """The ranked groups on the side that fares worse."""
    ranked = part.filter(pl.col("rank").is_not_null())
    return ranked if ranking.harm == "both" else ranked.filter(direction=ranking.harm)


def _harm_in_words(findings: Findings, ranking: RankedGroups) -> str:
    """Which groups the tables show, and what to give if other groups fare worse."""
    harm, if_other = ranking.harm, harm_of(ranking.rate, favorable=not findings.favorable)
    if harm == "both":
        return (
            "The tables show groups on either side of the overall rate: the worst group by this "
            "metric may be the one that fares best."
        )
    shown = f"The tables show groups whose rate is {harm} the overall rate"
    if harm_given(findings.harm, ranking.metric.name):
        return f"{shown}, as harm says."
    if harm == if_other:
        return (
            f"{shown}: they fare worse, whether a positive outcome is good or bad for the person."
        )
    is_good = "good" if findings.favorable else "bad"
    return f"{shown}: they fare worse, as a positive outcome is {is_good} for the person."


def _ranks_in_words(ranking: RankedGroups) -> str:
    """What alpha and beta are; of metrics outside the catalogue, only that they are defined."""
    each = ranking.each
    alpha, beta = (
        "the rows that the group's rate is about, as a share of all rows",
        "the distance of the group's rate from the overall rate",
    )
    if not any(each is metric.parsed.each for metric in CATALOGUE.values()):
        alpha, beta = "the group's share", "its distance, both as the metric defines them"
    elif each.is_worst_where_small:
        alpha = "1"
        beta = "the smallest ratio between the group's rate and the rate of another group"
    elif not each.share.terms:
        alpha = "1"
        beta = "the distance of the group's rate from the farthest rate of another group"
    is_any_small = ranking.table[NOTE].count() > 0
    few = f" Groups of fewer than {FEW_ROWS} rows have the last ranks." if is_any_small else ""
    product = "smallest" if each.is_worst_where_small else "largest"
    return (
        f"Alpha is {alpha}; beta is {beta}. Groups are ranked by alpha times beta: rank 1 is the "
        f"worst, with the {product} product.{few}"
    )


def _window_text(window: Window) -> str:
    return f", {window_in_words(window)}" if window else ""


def _not_shown(ranking: RankedGroups, window: Window, part: pl.DataFrame, shown: int) -> str:
    """How many groups are not in the table, and why."""
    unrated, harmed = part["rank"].null_count(), _harmed(ranking, part).height
    if unrated == part.height:
        return f"No group has this rate{_window_text(window)}."
    if not shown:
        return f"No group has a rate {ranking.harm} the overall rate{_window_text(window)}."
    counted = f"groups{minimum_in_words(ranking.groups)}"
    hidden, others = part.height - shown, part.height - unrated - harmed
    if not hidden:
        return f"These are all {counted}: {shown}."
    reasons = ((others, f"not {ranking.harm} the overall rate"), (unrated, "without this rate"))
    why = "".join(f", {groups:,} of them {reason}" for groups, reason in reasons if groups)
    return f"Not shown: {hidden:,} of {part.height:,} {counted}{why}."


MOST_CLASSES: Final = 12
"""The largest number of classes that a matrix has room for."""

_MOST_CHARTS: Final = 4
_FEWEST: Final = 30
"""Shares of fewer rows of a label are no finding."""


def matrices_of(confused: pl.DataFrame, windows: Sequence[str]) -> list[pl.DataFrame]:
    """The matrix of each group and of all rows, those of many classes left out."""
    if confused.is_empty() or max(classes_of(confused).values()) > MOST_CLASSES:
        return []
    return [part for part in parts_of(confused, [*windows, "facet", "value"]) if part["n"].sum()]


def classes_of(confused: pl.DataFrame) -> dict[str, int]:
    """The number of classes of the label, and of the prediction."""
    return {role: confused[role].n_unique() for role in ("label", "predicted")}


def confusions_section(findings: Findings) -> Iterator[Section]:
    """The matrix of each group, and the confusion whose shares are farthest apart."""
    if findings.confused.is_empty():
        return
    confused, windows = filter_latest(findings, findings.confused), findings.windows_of_matrices
    matrices = matrices_of(confused, windows)
    if not matrices:
        return
    groups = confused.filter(pl.col("facet") != ALL)
    figures = confusion_figures(matrices_of(groups, windows) or matrices, windows)
    shown = figures[:_MOST_CHARTS]
    # The matrices below each other: a row for each class of the label.
    across = map(value_in_words, matrices[0]["predicted"].unique(maintain_order=True))
    rows = [
        {
            "under": matrix_in_words(part, windows),
            "label": value_in_words(of_label["label"][0]),
            "n": of_label["n"].sum(),
            **{
                str(i): Cell(share(row["share"]), size(row["n"]))
                for i, row in enumerate(of_label.rows(named=True))
            },
        }
        for part in matrices
        for of_label in parts_of(part, ["label"])
    ]
    columns = (
        *picked(CONFUSED, "label", "n"),
        *(Column(str(i), label=each) for i, each in enumerate(across)),
    )
    parts = (*drawn(shown), Table(columns, rows, OF_EACH_LABEL, look=""))
    yield Section("Confused classes", parts, finding=" ".join(_farthest(confused, windows)))


def _farthest(confused: pl.DataFrame, windows: Sequence[str]) -> Iterator[str]:
    """For each window and facet, the wrong prediction whose share differs most between groups."""
    label, predicted = (pl.col(role).cast(pl.String) for role in ("label", "predicted"))
    by_label = parts_of(confused, [*windows, "facet", "value", "label"])
    rows = [part for part in by_label if sum(part["n"]) >= _FEWEST]
    wrong = pl.concat([confused.clear(), *rows]).filter(
        label != predicted, pl.col("value").is_not_null()
    )
    apart = pl.col("share").max() - pl.col("share").min()
    for part in parts_of(wrong, [*windows, "facet"]):
        pairs = parts_of(part, ["label", "predicted"])
        pair = max(pairs, key=lambda each: float(each.select(apart).item()))
        row = pair.row(0, named=True)
        groups = [(group_in_words(each), each["share"]) for each in pair.iter_rows(named=True)]
        where = "".join(f", {named_in_words(name, row[name])}" for name in windows)
        yield (
            f"Rows of {value_in_words(row['label'])} that are predicted "
            f"{value_in_words(row['predicted'])}, by {row['facet']}{where}: "
            f"{extremes_in_words(groups, share)}, of groups with at least {_FEWEST} such rows."
        )
