"""The figures of an answer: those of the report, and one of ranked groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import polars as pl

from polars_fairness.api.columns import Kind
from polars_fairness.api.verdicts import OUTSIDE
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.metric import Sign
from polars_fairness.formula.sides import RATES
from polars_fairness.question.arguments import defaults
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.answer_tables import (
    Answer,
    group_name,
    notes_on_groups,
    rate_of,
    windows_in_words,
)
from polars_fairness.reporting.charts.comparisons import (
    difference_figures,
    drop_champion,
    forest_figures,
    time_figures,
)
from polars_fairness.reporting.charts.groups import (
    apart_by_decisions,
    calibration_figures,
    confusion_figures,
    contribution_figure,
    drivers_figure,
    ranked_figure,
    rate_figures,
    roc_figures,
    selection_figures,
    sweep_figures,
)
from polars_fairness.reporting.findings import Comparison, comparisons_of, parts_of, with_intervals
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.sections.contrasts import switched_figures
from polars_fairness.reporting.sections.groups import (
    MOST_CLASSES,
    classes_of,
    matrices_of,
)
from polars_fairness.reporting.verdicts import disadvantages_d
from polars_fairness.reporting.words import comparison_in_words, confidence_in_words
from polars_fairness.values.evaluate import COLUMNS as COLUMNS_OF_METRICS
from polars_fairness.values.evaluate import SIDES
from polars_fairness.values.formula_checks import if_unfavorable, sign_of

_CONFIDENCE: Final[float] = defaults(OF_AUDIT)["confidence"]
_OF_SWEEP: Final = "the strip is the band, the dashed line is the ideal; shades are intervals"
_OF_TIME: Final = (
    "shaded is the band, dashed the ideal; circles are within the band, triangles outside, "
    "diamonds uncertain"
)
_OF_REFERENCES: Final = "a dash is the value that this one is compared with"


def figures_of(answer: Answer) -> list[Figure]:
    """The figures of an answer; none if it has nothing to draw."""
    return FIGURES[answer.kind](answer)


def _audit_figures(answer: Answer) -> list[Figure]:
    """The metrics over thresholds or over time, or a forest for each comparison.

    Metrics that no threshold changes are a forest beside those over thresholds.
    """
    if answer.is_swept:
        decided, same = apart_by_decisions(answer.frame, CATALOGUE)
        once = _forests(same, answer.windows[:-1])
        alike = [
            replace(each, caption=f"{each.caption}; the same at each threshold") for each in once
        ]
        return [*sweep_figures(decided, answer.windows[:-1], _OF_SWEEP), *alike]
    note = f"{_OF_TIME}; {_OF_REFERENCES}" if answer.has_contrast else _OF_TIME
    if over_time := time_figures(answer.frame, answer.windows, note):
        return over_time
    if answer.has_contrast:
        others = drop_champion(answer.frame)
        return difference_figures(others, answer.windows, _signs(others))
    return _forests(answer.frame, answer.windows)


def _forests(audited: pl.DataFrame, windows: Sequence[str]) -> list[Figure]:
    return [
        replace(figure, caption=f"{comparison_in_words(comparison)}\n{figure.caption}")
        for comparison in comparisons_of(audited, windows)
        for figure in forest_figures(comparison, _signs(audited))
    ]


def _signs(audited: pl.DataFrame) -> dict[str, Sign | None]:
    known = {name: CATALOGUE[name] for name in audited["metric"].unique() if name in CATALOGUE}
    signs = {name: sign_of(metric) for name, metric in known.items()}
    if _is_unfavorable(audited, signs):
        signs = {name: sign_of(if_unfavorable(metric)) for name, metric in known.items()}
    return {name: signs.get(name) for name in audited["metric"].unique()}


def _is_unfavorable(audited: pl.DataFrame, signs: Mapping[str, Sign | None]) -> bool:
    """Whether verdicts are against the other sides than if a positive outcome were good."""
    return any(
        signs.get(row["metric"]) == (1 if disadvantages_d(row) == (row["value"] < low) else -1)
        for row in audited.filter(verdict=OUTSIDE).iter_rows(named=True)
        for low, high in [(row["band_lower"], row["band_upper"])]
        if not low <= row["value"] <= high
    )


def _metric_figures(answer: Answer) -> list[Figure]:
    """The metrics over thresholds; an answer at one threshold has too little to draw."""
    if not answer.is_swept:
        raise FairnessError(
            "answer: has metrics without intervals and verdicts, which are drawn over several "
            "thresholds only; give the result of audit, or give threshold= several "
            "numbers"
        )
    windows = answer.windows[:-1]
    decided, same = apart_by_decisions(_as_audited(answer.frame, windows), CATALOGUE)
    if decided.is_empty() and not same.is_empty():
        raise FairnessError(
            f"answer: no threshold changes {listed(same['metric'].unique(maintain_order=True))}, "
            "so that there is no line to draw; give the result of audit, or show it by table"
        )
    return sweep_figures(decided, windows, _OF_SWEEP)


def _as_audited(values: pl.DataFrame, windows: Sequence[str]) -> pl.DataFrame:
    """The answer of `metrics` with a row for each metric, without intervals, as `audit` has it."""
    places, parts = values[[*windows, THRESHOLD, *SIDES]], []
    for name in values.drop(places.columns, *COLUMNS_OF_METRICS, strict=False).columns:
        metric = CATALOGUE.get(name)
        low, high = (metric and metric.acceptable) or (None, None)
        numbers = {"ideal": metric and metric.ideal, "band_lower": low, "band_upper": high}
        numbers |= {"lower": None, "upper": None}
        part = places.with_columns(
            values[name].alias("value"),
            pl.lit(name).alias("metric"),
            *(pl.lit(number, pl.Float64).alias(key) for key, number in numbers.items()),
        )
        if metric is not None and not metric.has_sides:
            # Repeated on every row of its facet.
            no_sides = (pl.lit(None, pl.String).alias(side) for side in SIDES[1:])
            part = part.with_columns(no_sides).unique(maintain_order=True)
        parts.append(part)
    return pl.concat(parts)


def _rate_figures(answer: Answer) -> list[Figure]:
    """The ROC curves of each facet, or its rates, with Wilson intervals if they are of counts."""
    rated, windows = answer.frame, answer.windows
    if answer.is_swept:
        return [*roc_figures(rated, windows[:-1]), *selection_figures(rated, windows[:-1])]
    known = [name for name, rate in RATES.items() if rate.in_report and rated[name].count()]
    confidence = _CONFIDENCE if rated["n"].dtype.is_integer() else None
    note = f"{confidence_in_words(_CONFIDENCE)} Wilson intervals" if confidence else ""
    return rate_figures(with_intervals(rated, known, confidence), known, windows, note)


def _worst_group_figures(answer: Answer) -> list[Figure]:
    """The worst groups of each window, by rank; an interval is of the shrunken rate, if any."""
    ranked = answer.frame.filter(pl.col("rank").is_not_null())
    figures = []
    for part in parts_of(ranked, answer.windows):
        rows = part.rows(named=True)
        groups = [(group_name(answer, row), [row | {"rate": rate_of(row)}]) for row in rows]
        about = [windows_in_words(answer, rows[0]), *notes_on_groups(part)]
        figures.append(ranked_figure(groups, ", ".join(filter(None, about))))
    return figures


def _confusion_figures(answer: Answer) -> list[Figure]:
    """The confusion matrix of each group as a heat map."""
    for role, classes in classes_of(answer.frame).items():
        if classes > MOST_CLASSES:
            raise FairnessError(
                f"answer: there are {classes:,} classes of {role}, and a chart has room for "
                f"{MOST_CLASSES}; filter the answer"
            )
    frame, windows = answer.frame, answer.windows
    groups = frame.filter(pl.col("facet") != ALL)
    return confusion_figures(matrices_of(groups, windows) or matrices_of(frame, windows), windows)


def _of_comparisons(figure: Callable[[Comparison], Figure | None], answer: Answer) -> list[Figure]:
    return [*filter(None, map(figure, comparisons_of(answer.frame, answer.windows)))]


FIGURES: Final[Mapping[Kind, Callable[[Answer], list[Figure]]]] = {
    "audit": _audit_figures,
    "rates": _rate_figures,
    "worst_groups": _worst_group_figures,
    "decompose": lambda answer: _of_comparisons(partial(contribution_figure, "the metric"), answer),
    "drivers": lambda answer: _of_comparisons(drivers_figure, answer),
    "metrics": _metric_figures,
    "calibration": lambda answer: calibration_figures(answer.frame, answer.windows),
    "switches": lambda answer: switched_figures(answer.frame, answer.windows),
    "confusions": _confusion_figures,
}
