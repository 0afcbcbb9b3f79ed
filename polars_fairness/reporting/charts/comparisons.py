"""Rows of dots of an audit: metrics on the scales of their bands, and groups by each metric."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from math import inf, isfinite, isinf
from typing import Any, Final

import polars as pl

from polars_fairness.answers.contrasts import TOGETHER
from polars_fairness.api.verdicts import CHANGES, TONES, tone_of, tone_of_change
from polars_fairness.formula.metric import Metric, Sign
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.charts.groups import Row, Rows, Spec, dots
from polars_fairness.reporting.charts.marks import (
    Dots,
    Lines,
    Values,
    is_logarithmic,
    places,
    scale_of,
)
from polars_fairness.reporting.findings import (
    IS_MARKED,
    Comparison,
    Findings,
    comparisons_of,
    followed,
    time_column,
    window_of,
)
from polars_fairness.reporting.parts import Figure
from polars_fairness.reporting.verdicts import (
    disadvantages_d,
    is_ratio,
    with_other_groups,
    worst_first,
)
from polars_fairness.reporting.words import (
    band,
    band_of,
    comparison_in_words,
    difference_of,
    facet_in_words,
    favored_in_words,
    interval_of,
    sides_in_words,
    size,
    size_name,
    value_in_words,
    value_of,
    verdict_in_words,
    window_in_words,
)
from polars_fairness.values.lines import BOUNDS_OF_DIFFERENCE

_FARTHEST: Final = 6.0
"""How far the chart reaches at most, in halves of a band; values beyond are at the edge."""
_PLACES: Final = ("value", "lower", "upper", "ideal")
_OF_BANDS: Final = "distance from the middle of the band; its edges are −1 and 1"
_OF_DIFFERENCES: Final = "difference, in halves of the width of the band"

Signs = Mapping[str, Sign | None]


def forest_figures(comparison: Comparison, signs: Signs) -> list[Figure]:
    """One plot of the metrics that have a sign, and one of the metrics that have none.

    A metric without a value or a band has a row without a mark.
    """

    def mark(row: Row) -> Row:
        """A row of the audit on the scale of its band, where the right speaks against d."""
        place = places(band_of(row), row["ideal"], signs[row["metric"]] or 1)
        return {
            "name": f"{row['metric']}  {value_of(row)}",
            **{key: place(row[key]) for key in _PLACES},
            "tone": tone_of(row["verdict"]).name,
            "Interval": interval_of(row),
            "Band": band(band_of(row)),
            "Verdict": verdict_in_words(row),
        }

    right = f"values to the right speak against {comparison.disfavored}"
    meanings = {
        True: f"{right}, values to the left against {favored_in_words(comparison)}",
        False: "values to the right are above; they do not show which side they speak against",
    }
    figures = []
    for is_signed, table in _split_by_sign(comparison, signs):
        has_bands = table["band_lower"].count()
        title = f"Metrics on the scale of their bands: {meanings[is_signed]}"
        spec = Spec(
            title if has_bands else "Metrics without a band",
            lambda rows: map(mark, rows),
            lambda rows: [value_of(rows[0]), verdict_in_words(rows[0])],
            "",
            _forest(_OF_BANDS, ("Interval", "Band", "Verdict"), (-1, 1)),
            comparison_in_words(comparison),
            most=None,
        )
        figures.append(spec.figure([(row["metric"], [row]) for row in table.to_dicts()]))
    return figures


def _split_by_sign(comparison: Comparison, signs: Signs) -> Iterator[tuple[bool, pl.DataFrame]]:
    """The metrics whose sign says which side their values speak against, and all others."""
    signed = [name for name, sign in signs.items() if sign and comparison.disfavored is not None]
    for is_signed in (True, False):
        part = comparison.table.filter(pl.col("metric").is_in(signed) == is_signed)
        if part.height:
            yield is_signed, part


def _forest(
    title: str, columns: Sequence[str], limits: tuple[float, float] | None = None
) -> Callable[..., Dots]:
    """A chart of distances from the middle of a band, in halves of it, or from a reference."""

    def draw(marks: Rows, *_: Any) -> Dots:
        known = [abs(mark[key]) for mark in marks for key in _PLACES if mark[key] is not None]
        end = max(2.0, min(_FARTHEST, 1.1 * max(filter(isfinite, known), default=0)))
        scale = Values(-end, end, ticks=[*range(-int(end), int(end) + 1)])
        if all(mark["ideal"] is None for mark in marks):
            return Dots(marks, scale, columns=columns, is_quiet=True)
        return Dots(marks, scale, title, columns, band=limits, is_quiet=True)

    return draw


_MOST_ROWS: Final = 40
_MOST_NAMED: Final = 5
_NO_BANDS: Final = "metrics without a band have numbers, and no place on its scale"


def drop_champion(audited: pl.DataFrame) -> pl.DataFrame:
    """The rows that have a difference, without a model that differs nowhere, as a champion does.

    If no model differs anywhere, there are the rows of each.
    """
    known = audited.filter(pl.col("change").is_not_null())
    if MODEL not in audited.columns:
        return known
    differs = pl.any_horizontal(pl.col(name) != 0 for name in ("difference", *BOUNDS_OF_DIFFERENCE))
    others = known.filter(differs.any().over(MODEL))
    return known if others.is_empty() else others


def difference_figures(audited: pl.DataFrame, windows: Sequence[str], signs: Signs) -> list[Figure]:
    """For each two sides, one plot of the metrics that have a sign, and one of all others.

    A row is a metric in a window, and windows of the same metric follow each other.
    """
    figures = []
    for comparison in comparisons_of(audited, []):
        d, a = comparison.disfavored, favored_in_words(comparison)
        meanings = {
            True: f"values to the right moved against {d}, values to the left against {a}",
            False: "values to the right are higher than their references",
        }
        for is_signed, table in _split_by_sign(comparison, signs):
            by_metric = table.partition_by("metric", maintain_order=True)
            most, longest = _MOST_ROWS // len(by_metric), max(part.height for part in by_metric)
            most = max(1, most)
            rows = [row for part in by_metric for row in part.tail(most).iter_rows(named=True)]
            # The only window is named once, in the title.
            is_only = not windows or table[[*windows]].n_unique() == 1
            named, titled = ([], windows) if is_only else (windows, [])
            last = f" (the last {most} of {longest:,} windows)" if longest > most else ""
            window = window_in_words(window_of(rows[0], titled))
            about = ", ".join(filter(None, [comparison_in_words(comparison), window]))
            has_bands = any(band_of(row) is not None for row in rows)
            groups = [(_named(row["metric"], row, named), row) for row in rows]
            spec = Spec(
                f"Differences, {about}{last}",
                lambda rows: [_mark_of_difference(row, signs[row["metric"]] or 1) for row in rows],
                lambda rows: [difference_of(rows[0])[0], rows[0]["change"]],
                ", ".join(_changes(groups)),
                _forest(_OF_DIFFERENCES, ("Difference", "Interval", "Change")),
                note=meanings[is_signed] if has_bands else _NO_BANDS,
                most=None,
            )
            figures.append(spec.figure([(name, [row]) for name, row in groups]))
    return figures


def _named(name: str, row: Row, windows: Sequence[str]) -> str:
    return ", ".join(filter(None, [name, window_in_words(window_of(row, windows))]))


def _changes(groups: Sequence[tuple[str, Row]]) -> Iterator[str]:
    """The names of the marks with each change, the worst first."""
    for change in CHANGES:
        names = [name for name, row in groups if row["change"] == change]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        if names:
            yield f"{change} for {', '.join(names[:_MOST_NAMED])}{more}"


def _mark_of_difference(row: Row, sign: int) -> Row:
    """A difference on the scale of the metric's band, where the right speaks against d.

    A ratio is drawn by its logarithm, so the interval is that of the value less the reference.
    """
    place, reference = places(band_of(row), row["ideal"], sign), row["reference"]
    origin = place(reference)

    def moved(difference: float | None) -> float | None:
        if difference is None or origin is None or isinf(origin):
            return None
        there = place(reference + difference)
        return None if there is None else there - origin

    differences = (*(row[name] for name in ("difference", *BOUNDS_OF_DIFFERENCE)), 0.0)
    difference, interval = difference_of(row)
    return {
        **dict(zip(_PLACES, map(moved, differences), strict=True)),
        "tone": tone_of_change(row["change"]).name,
        "Difference": difference,
        "Interval": interval,
        "Change": row["change"],
    }


_WORST: Final = 14
_RATIO: Final = "ratio"
_BY_HARM: Final = ("worse", "unclear", "better", "same")
"""The changes in the order in which a reader has to know them."""

Compared = tuple[Comparison, Row]


def comparison_figures(
    findings: Findings, comparisons: Sequence[Comparison], names: Sequence[str]
) -> list[Figure]:
    """One figure for each of these metrics, with a row for each of the comparisons of a facet.

    Metrics of one kind have one scale. In all figures the rows have one order, in which the values
    of the first metric that are farthest outside come first; many rows are cut off.
    """

    def badness(comparison: Comparison) -> tuple[float, ...]:
        by_name = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
        first = next((by_name[name] for name in names if name in by_name), None)
        return (inf,) if first is None else worst_first(first)

    def summary(rows: Rows) -> str:
        """How many values are outside of the band."""
        limits = band_of(rows[0])
        if limits is None:
            return "there is no band"
        outside = [row["tone"] for row in rows].count("outside")
        noun, verb = "group" if len(rows) == 1 else "groups", "is" if outside < 2 else "are"
        of = f"{outside or 'none'} of {len(rows):,} {noun}"
        return f"{of} {verb} outside the band of {band(limits)}"

    compared = [
        (each, row | {"tone": tone_of(row["verdict"]).name})
        for each in sorted(comparisons, key=badness)
        for row in each.table.iter_rows(named=True)
    ]
    return _figures(findings, compared, names, summary)


def change_figures(
    findings: Findings, comparisons: Sequence[Comparison], names: Sequence[str]
) -> list[Figure]:
    """One figure for each of these metrics, with the differences of the comparisons of a facet.

    Each difference has its interval, in the unit of its metric, around a line at 0. What is worse
    comes first. Metrics of one kind have one scale.
    """

    def summary(rows: Rows) -> str:
        """How many values are worse than their references."""
        worse = [row[TOGETHER] for row in rows].count("worse")
        return f"{worse or 'none'} of {len(rows):,} {'is' if worse < 2 else 'are'} worse"

    changed = [
        (comparison, row)
        for comparison in comparisons
        for row in comparison.table.iter_rows(named=True)
        if row["difference"] is not None
    ]
    changed.sort(key=lambda each: (_BY_HARM.index(each[1][TOGETHER]), -abs(each[1]["difference"])))
    nothing = {"band_lower": None, "band_upper": None, "ideal": 0.0}
    compared: list[Compared] = []
    for comparison, row in changed:
        numbers = (row[name] for name in ("difference", *BOUNDS_OF_DIFFERENCE))
        looks = {"tone": tone_of_change(row[TOGETHER]).name, "kind": row[TOGETHER]}
        drawn = dict(zip(_PLACES[:3], numbers, strict=True))
        compared.append((comparison, {**row, **nothing, **looks, **drawn}))
    about = facet_in_words(comparisons[0].facet)
    return _figures(findings, compared, names, summary, about, has_ratios=False)


def _figures(
    findings: Findings,
    compared: Sequence[Compared],
    names: Sequence[str],
    summary: Callable[[Rows], str],
    about: str = "",
    *,
    has_ratios: bool = True,
) -> list[Figure]:
    """One figure for each metric that has rows, which have a ``tone`` beside their numbers.

    Values of ratios are ratios as well, and have a logarithmic scale, unless ``has_ratios`` is
    False: then each has a linear scale of its own. ``about`` is the beginning of the notes.
    """
    kinds = {name: kind_of(findings.metric(name)) for name in names}
    if not has_ratios:
        kinds = {name: name if kind == _RATIO else kind for name, kind in kinds.items()}
    figures = []
    for name, kind in kinds.items():
        of_metric = [(each, row) for each, row in compared if row["metric"] == name]
        if not of_metric:
            continue
        alike = [row for _, row in compared if kinds.get(row["metric"]) == kind]
        rows = [row for _, row in of_metric]
        title, facet = findings.metric(name).title, of_metric[0][0].facet
        favored = {favored_in_words(each) for each, _ in of_metric if each.disfavored is not None}
        against_one = f"against {favored.pop()}" if len(favored) == 1 else ""
        has_windows = len({each.window for each, _ in of_metric}) > 1
        most = f"the {_WORST} worst of {len(rows):,}" if len(rows) > _WORST else ""
        spec = Spec(
            name if title == name else f"{name}, {title}",
            lambda rows: map(value_mark, rows),
            # How a value changed, or where it is; nothing where nothing judges it.
            lambda rows: filter(
                None,
                (value_said(rows[0]), rows[0].get("kind", rows[0]["tone"]).removeprefix("open")),
            ),
            summary(rows),
            dots(
                scale_of(alike, is_log=kind == _RATIO),
                title=against(findings.signs[name] or 0),
                band=band_of(rows[0]),
                ideal=rows[0]["ideal"],
            ),
            "" if facet is None else f"by {facet}",
            ", ".join(filter(None, [about, against_one, most])),
            _WORST,
        )
        groups = []
        for each, row in of_metric:
            is_alone = against_one and each.disfavored is not None
            # The name of a model says what it is.
            windows = [
                value_in_words(value) if column == MODEL else window_in_words(((column, value),))
                for column, value in (each.window if has_windows else ())
            ]
            sides = str(each.disfavored) if is_alone else sides_in_words(each)
            groups.append((", ".join([sides, *windows]), [row]))
        figures.append(spec.figure(groups))
    return figures


def value_mark(row: Row) -> Row:
    """The value of a group with its interval, in the tone of its verdict."""
    numbers = {key: row[key] for key in ("value", "lower", "upper", "tone")}
    size_of = {size_name(row["n_disfavored"]): size(row["n_disfavored"])}
    return {**numbers, "text": value_of(row), **size_of}


def value_said(row: Row) -> str:
    """The value of a group with its interval, as text."""
    interval = interval_of(row)
    return f"{value_of(row)}{interval and f' ({interval})'}"


def against(sign: int) -> str | None:
    """The title of a scale on which values to the right speak against the group if it is 1."""
    return {-1: "← against the group", 1: "against the group →"}.get(sign)


def kind_of(metric: Metric) -> str:
    """The metrics beside which a value can be compared: ratios, differences, or this one alone.

    Test statistics grow with the number of rows, so each has a scale of its own.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> [kind_of(pf.CATALOGUE[name]) for name in ("di", "dppl", "two_sd")]
    ['ratio', 'difference', 'two_sd']
    """
    if is_ratio(metric):
        return _RATIO
    low, high = metric.range
    is_difference = metric.ideal == 0 and low >= -1 and high <= 1 and metric.has_interval
    return "difference" if is_difference else metric.name


MOST_TRENDS: Final = 8
_JUDGED: Final = ("ideal", "band_lower", "band_upper", "verdict")


@dataclass(frozen=True)
class _Series:
    """One metric of a comparison, whose window is the model, in the order of time.

    Each row is one of the audit; ``steps`` has those that are marked, by their moments.
    """

    metric: str
    comparison: Comparison
    column: str
    rows: Sequence[Row]
    steps: Mapping[date, Row] = field(default_factory=dict)

    @property
    def last_tone(self) -> str:
        return tone_of(self.rows[-1]["verdict"]).name

    @property
    def largest_step(self) -> float:
        return max(map(_size, self.steps.values()), default=0)


def time_figures(audited: pl.DataFrame, windows: Sequence[str], note: str = "") -> list[Figure]:
    """One figure for every metric, pair of sides and model, if ``by`` is one date or time.

    Figures of the same metric have one scale. In a contrast, a point has the value that it is
    compared with as well.
    """
    column = time_column(audited)
    if column is None or audited.is_empty():
        return []
    models = [name for name in windows if name == MODEL]
    return _figures_of_series([*_series_of(comparisons_of(audited, models), column, {})], note)


def trend_figures(findings: Findings, most: int = 2) -> list[Figure]:
    """The figures of the metrics that are followed over time, the largest changes first.

    Then those follow whose last value has the worst verdict.
    """
    return _figures_of_series(_trends(findings)[:most])


def _trends(findings: Findings) -> list[_Series]:
    """The series of the metrics that are followed over time, the most important first."""
    column = findings.time_column
    if column is None or findings.audited.is_empty():
        return []
    names = followed(findings.audited, [*findings.metrics()] if findings.requested else [])
    audited = findings.with_references(findings.audited.filter(pl.col("metric").is_in(names)))
    marked = findings.with_references(findings.steps.filter(IS_MARKED))
    steps = {_place(row, column): row for row in marked.iter_rows(named=True)}
    models = [name for name in findings.windows if name == MODEL]
    compared = with_other_groups(findings, comparisons_of(audited, models))
    tones = [*TONES]

    def importance(each: _Series) -> tuple[float, ...]:
        tone, name = tones.index(each.last_tone), names.index(each.metric)
        return (-round(each.largest_step, 9), tone, name, not disadvantages_d(each.rows[-1]))

    return sorted(_series_of(compared, column, steps), key=importance)


def _series_of(
    comparisons: Iterable[Comparison], column: str, marked: Mapping[tuple[object, ...], Row]
) -> Iterator[_Series]:
    """The series of these comparisons, with the ``marked`` steps by their places."""
    for comparison in comparisons:
        for part in comparison.table.partition_by("metric", maintain_order=True):
            # A time of day alone, or a duration, is no moment.
            rows = [row for row in part.to_dicts() if isinstance(row[column], date)]
            if len(rows) > 1:
                # A step is judged as its row is.
                steps = {
                    row[column]: {**step, **{key: row[key] for key in _JUDGED}}
                    for row in rows
                    if (step := marked.get(_place(row, column)))
                }
                yield _Series(rows[0]["metric"], comparison, column, rows, steps)


def _place(row: Row, column: str) -> tuple[object, ...]:
    keys = (column, MODEL, "facet", "disfavored", "favored", "metric")
    return tuple(row.get(key) for key in keys)


def _size(step: Row) -> float:
    """How large a step is: in halves of the width of the band, a ratio by its logarithm."""
    place = places(band_of(step), step["ideal"], 1)
    here, there = place(step["value"]), place(step["reference"])
    if here is None or there is None:
        return abs(float(step["difference"]))
    return abs(here - there) if isfinite(here - there) else inf


def _figures_of_series(every: Sequence[_Series], note: str = "") -> list[Figure]:
    """A figure of each series; those of a metric have one scale."""
    figures = []
    for series in every:
        first, column = series.rows[0], series.column
        limits = band_of(first)
        is_log = is_logarithmic(series.metric, first["ideal"], limits)
        alike = [row for each in every if each.metric == series.metric for row in each.rows]
        sentence = ""
        if limits is not None:
            tones = [tone_of(row["verdict"]).name for row in series.rows]
            outside, uncertain = (tones.count(name) for name in ("outside", "uncertain"))
            more = f", {uncertain:,} uncertain" if uncertain else ""
            sentence = (
                f"{outside:,} of {len(tones):,} windows are outside the band of "
                f"{band(limits)}{more}"
            )
        spec = Spec(
            f"{series.metric}, {comparison_in_words(series.comparison)}",
            partial(_marks, series),
            partial(_values_in_words, column),
            sentence,
            partial(
                Lines,
                scale=scale_of(alike, is_log=is_log),
                band=limits,
                ideal=first["ideal"],
                dates=_written([row[column] for row in series.rows]),
            ),
            "over time",
            note,
        )
        figures.append(spec.figure([("", series.rows)]))
    return figures


def _values_in_words(column: str, rows: Rows) -> list[str]:
    return [f"{value_in_words(row[column])} {value_of(row)}" for row in rows]


def _marks(series: _Series, rows: Rows) -> Iterator[Row]:
    """The value of each moment, in milliseconds since 1970 by its own clock, and its change."""
    for row in rows:
        moment, step = row[series.column], series.steps.get(row[series.column])
        if not isinstance(moment, datetime):
            moment = datetime(moment.year, moment.month, moment.day)
        sign = "+" if step and step["difference"] > 0 else ""
        yield {
            "x": 1000 * moment.replace(tzinfo=UTC).timestamp(),
            "y": row["value"],
            **{key: row.get(key) for key in ("lower", "upper", "reference")},
            "tone": tone_of(row["verdict"]).name,
            "step": f"{sign}{difference_of(step)[0]}" if step else "",
        }


def _written(moments: Sequence[date]) -> str:
    """How an axis writes these moments: always with the year, as finely as they differ."""
    if any(isinstance(each, datetime) and each.time() != each.time().min for each in moments):
        return "%-d %b %Y, %H:%M"
    if any(each.day > 1 for each in moments):
        return "%-d %b %Y"
    return "%b %Y" if any(each.month > 1 for each in moments) else "%Y"
