"""The sections of a report about scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import polars as pl

from polars_fairness.api.columns import RATED, Column, picked
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.charts.groups import calibration_figures, roc_figures
from polars_fairness.reporting.findings import (
    AUC,
    MEAN_SCORE,
    OVERSHOOT,
    Findings,
    comparisons_of,
    window_of,
)
from polars_fairness.reporting.parts import (
    Cell,
    Figure,
    Section,
    Table,
    drawn,
)
from polars_fairness.reporting.tables import group_in_words
from polars_fairness.reporting.verdicts import apart, filter_latest, shown_among
from polars_fairness.reporting.words import (
    NOT_ADJUSTED,
    confidence_in_words,
    extremes_in_words,
    interval_of,
    number,
    rows_in_words,
    span,
    value_of,
    window_in_words,
)

_OF_CURVES: Final = (
    "A ROC curve joins the true and the false positive rates of all thresholds; the scores rank a "
    "group better if its curve is higher."
)
_NO_CURVES: Final = "There are no ROC curves: the scores do not differ."
_OF_CALIBRATION: Final = (
    "Scores are calibrated where the share with a positive label equals the mean score, which is "
    "the dashed line."
)


def scores_section(findings: Findings) -> Section:
    """Curves of the scores of each group; empty if the question is not about scores."""
    scores = findings.scores
    if scores is None:
        return Section("Scores", ())
    windows = scores.swept.columns[: scores.swept.columns.index(THRESHOLD)]
    figures: list[Figure] = []
    has_curves = scores.swept["selection_rate"].is_between(0, 1, closed="none").any()
    if has_curves:
        figures += roc_figures(scores.swept, windows)
    if isinstance(scores.calibrated, pl.DataFrame):
        note = _OF_CALIBRATION
        figures += calibration_figures(scores.calibrated, windows)
    else:
        note = f"There is no calibration: {scores.calibrated}."
    parts = (f"{_OF_CURVES if has_curves else _NO_CURVES} {note}", *drawn(figures))
    return Section("Scores", parts, finding=_ranked_in_words(findings))


def _ranked_in_words(findings: Findings) -> str:
    """The groups whose labels the scores rank best and worst, of the first facet."""
    rated = findings.rated
    if "auc" not in rated.columns or not findings.facets:
        return ""
    of_facet = filter_latest(findings, rated).filter(pl.col("facet") == findings.facets[0])
    ranked = of_facet.drop_nulls("auc").sort("auc", maintain_order=True).rows(named=True)
    if len(ranked) < 2:
        return ""
    names = [name for name in findings.windows if name not in (findings.time_column, THRESHOLD)]
    groups = []
    for row in (ranked[-1], ranked[0]):
        window = window_in_words(window_of(row, names))
        of_window = f" of {window}" if window else ""
        groups.append(f"{group_in_words(row)}{of_window} (AUC {number(row['auc'])})")
    best, worst = groups
    return f"By {findings.facets[0]}, the scores rank {best} best and {worst} worst."


_MOST_FACETS: Final = 3
_MOST_GROUPS: Final = 20
_NO_LABELS: Final = "Without labels it is not known which group the scores serve worst."

Measured = Mapping[str, Mapping[str, Any]]
"""The rows about one group, by the title of what was measured."""


def _measured(findings: Findings) -> dict[str, list[Measured]]:
    """What was measured of each group of each facet, the groups that are ranked worst first."""
    facets: dict[str, dict[object, dict[str, Mapping[str, Any]]]] = {}
    for title, frame in findings.measured.items():
        for each in shown_among(findings, comparisons_of(frame, findings.windows)):
            [row] = each.table.iter_rows(named=True)
            window = window_in_words(apart(findings, each.window))
            of_facet = facets.setdefault(str(each.facet), {})
            of_group = of_facet.setdefault((window, each.disfavored), {})
            of_group[title] = row | {"window": window}
    # The first to end is surely the lowest; a small group may be lower by chance.
    return {
        facet: sorted(groups.values(), key=lambda group: _ends(next(iter(group.values())))[1])
        for facet, groups in facets.items()
    }


def _ends(row: Mapping[str, Any]) -> tuple[float, float]:
    """The ends of an interval, or the value where there is none."""
    lower, upper = (row["value"] if row[end] is None else row[end] for end in ("lower", "upper"))
    return lower, upper


def headline_of_scores(findings: Findings) -> Iterator[str]:
    """For each facet, which group the scores rank worst and whose labels they miss by most."""
    of_facets = _measured(findings)
    for facet, groups in [*of_facets.items()][:_MOST_FACETS]:
        first, *others = _scores_in_words(findings, groups)
        yield " ".join(
            [f"By {facet}, {first}.", *(f"{each[0].upper()}{each[1:]}." for each in others)]
        )
    if more := [*of_facets][_MOST_FACETS:]:
        yield f"More facets: {', '.join(more)}."
    if of_facets and findings.question.get("label") is None:
        yield _NO_LABELS


def _scores_in_words(findings: Findings, groups: Sequence[Measured]) -> Iterator[str]:
    ranked, missed, means = (
        [group[title] for group in groups if title in group]
        for title in (AUC, OVERSHOOT, MEAN_SCORE)
    )
    if len(ranked) > 1:
        others = [row["value"] for row in ranked[1:]]
        beside = " to ".join(dict.fromkeys(map(number, (min(others), max(others)))))
        worst = "worst" if ranked[0]["value"] <= min(others) else "worst as far as is sure"
        yield (
            f"the scores rank {_named(findings, ranked[0])} {worst}: AUC "
            f"{_value_in_words(findings, ranked[0])}, beside {beside} of the other "
            f"group{'s' * (len(others) > 1)}"
        )
    if missed:
        # By the end that is nearer to 0.
        far = max(missed, key=lambda row: max(_ends(row)[0], -_ends(row)[1]))
        yield (
            "the share of positive labels less the mean score is farthest from 0 for "
            f"{_named(findings, far)}: {_value_in_words(findings, far)}"
        )
    named = [(_named(findings, row), row["value"]) for row in means]
    yield f"the mean score is {extremes_in_words(named, number)}"


def _named(findings: Findings, row: Mapping[str, Any]) -> str:
    rows = rows_in_words(findings, row["n_disfavored"], row["facet"])
    return f"{row['disfavored']} ({', '.join(filter(None, [row['window'], rows]))})"


def _value_in_words(findings: Findings, row: Mapping[str, Any]) -> str:
    interval = interval_of(row)
    if findings.confidence is None or not interval:
        return value_of(row)
    confidence = confidence_in_words(findings.confidence)
    return f"{value_of(row)} ({confidence} interval {interval}, {NOT_ADJUSTED})"


def tables_of_scores(findings: Findings) -> Iterator[Table]:
    """What was measured of each group with its interval, the groups that are ranked worst first."""

    def measured(title: str, each: Measured) -> Cell:
        row = each.get(title)
        if row is None:
            return Cell("–")
        return Cell(number(row["value"]), span(row["lower"], row["upper"]))

    [n] = picked(RATED, "n")
    columns = (
        Column("group", type="text"),
        replace(n, label="Weight") if findings.is_weighted else n,
        *(Column(title, label=title) for title in findings.measured),
    )
    for facet, groups in [*_measured(findings).items()][:_MOST_FACETS]:
        most = f", the first {_MOST_GROUPS} of {len(groups):,}" * (len(groups) > _MOST_GROUPS)
        rows = [
            {
                "group": Cell(first["disfavored"], first["window"]),
                "n": first["n_disfavored"],
                **{title: measured(title, each) for title in findings.measured},
            }
            for each in groups[:_MOST_GROUPS]
            for first in [next(iter(each.values()))]
        ]
        yield Table(columns, rows, f"Scores by {facet}{most}")
