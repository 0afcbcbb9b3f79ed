"""Charts that compare all groups by one metric, or all values beside a reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from polars_fairness.answers.contrasts import BOUNDS_OF_DIFFERENCE, TOGETHER
from polars_fairness.answers.verdicts import tone_of, tone_of_change
from polars_fairness.formula.metric import Metric
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.charts.drawing import alt
from polars_fairness.reporting.charts.look import (
    Look,
    inline_data,
    named_rows,
    shapes,
    sizes_beside,
)
from polars_fairness.reporting.charts.scales import Values, ends_of
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.lead_metrics import is_ratio, worst_first
from polars_fairness.reporting.parts import Chart, Figure
from polars_fairness.reporting.words import (
    band,
    band_of,
    facet_in_words,
    favored_in_words,
    interval_of,
    sides_in_words,
    size,
    size_name,
    value_in_words,
    value_of,
    window_in_words,
)

_MOST_ROWS: Final = 14
_RATIO: Final = "ratio"
_TONES: Final = {"uncertain": "Uncertain", "within": "Within", "open": "Undefined"}

Row = Mapping[str, Any]
Compared = tuple[Comparison, Row]
Named = tuple[str, Row]


def comparison_figures(
    findings: Findings, comparisons: Sequence[Comparison], names: Sequence[str]
) -> list[Figure]:
    """One figure for each of these metrics, with a row for each of the comparisons of a facet.

    Metrics of one kind have one scale. In all figures the rows have one order, in which the values
    of the first metric that are farthest outside come first; many rows are cut off.
    """
    of_metrics = {
        name: [
            (each, row | {"tone": tone_of(row["verdict"]).name})
            for each in _worst_first(comparisons, names)
            for row in each.table.rows(named=True)
            if row["metric"] == name
        ]
        for name in names
    }
    return figures_of_rows(findings, of_metrics, _in_words)


def figures_of_rows(
    findings: Findings,
    of_metrics: Mapping[str, Sequence[Compared]],
    in_words: Callable[[Sequence[Named]], Iterable[str]],
    about: str = "",
    *,
    has_ratios: bool = True,
) -> list[Figure]:
    """One figure for each metric that has rows, which have a ``tone`` beside their numbers.

    Values of ratios are ratios as well, and have a logarithmic scale, unless ``has_ratios`` is
    False: then each has a linear scale of its own. The sentences begin with the finding; ``about``
    is the beginning of the captions' notes.
    """
    kinds = {name: kind_of(findings.metric(name)) for name in of_metrics}
    if not has_ratios:
        kinds = {name: name if kind == _RATIO else kind for name, kind in kinds.items()}
    of_kinds: dict[str, list[Row]] = {}
    for name, rows in of_metrics.items():
        of_kinds.setdefault(kinds[name], []).extend(row for _, row in rows)
    ends = {kind: ends_of(rows, is_log=kind == _RATIO) for kind, rows in of_kinds.items()}
    figures = []
    for name, rows in of_metrics.items():
        if rows:
            metric = findings.metric(name)
            named = _named(rows)
            facet = rows[0][0].facet
            words = f"{name}: " if facet is None else f"{name} by {facet}: "
            words += " ".join(in_words(named))
            chart = ComparisonChart(
                [*map(_mark, named[:_MOST_ROWS])],
                band=band_of(rows[0][1]),
                ideal=rows[0][1]["ideal"],
                ends=ends[kinds[name]],
                is_log=kinds[name] == _RATIO,
                sign=findings.signs[name] or 0,
            )
            figures.append(Figure(_caption(metric, name, rows, about), words, chart))
    return figures


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


def _worst_first(comparisons: Sequence[Comparison], names: Sequence[str]) -> list[Comparison]:
    """The comparisons by the first of these metrics that they have, the farthest outside first."""

    def badness(comparison: Comparison) -> tuple[float, ...]:
        by_name = {row["metric"]: row for row in comparison.table.iter_rows(named=True)}
        first = next((by_name[name] for name in names if name in by_name), None)
        return (inf,) if first is None else worst_first(first)

    return sorted(comparisons, key=badness)


def _caption(metric: Metric, name: str, rows: Sequence[Compared], about: str) -> str:
    title = name if metric.title == name else f"{name}, {metric.title}"
    against = [f"against {each}" for each in _favored(rows)]
    most = f"the {_MOST_ROWS} worst of {len(rows):,}" if len(rows) > _MOST_ROWS else ""
    notes = ", ".join(filter(None, [about, *(against if len(against) == 1 else ()), most]))
    return f"{title}\n{notes}" if notes else title


def _favored(rows: Sequence[Compared]) -> set[str]:
    return {favored_in_words(each) for each, _ in rows if each.disfavored is not None}


def _named(rows: Sequence[Compared]) -> list[Named]:
    """The rows with what sets each apart from the others of a chart."""
    is_against_one = len(_favored(rows)) == 1
    return [(_name(each, rows, is_against_one=is_against_one), row) for each, row in rows]


def _mark(named: Named) -> dict[str, Any]:
    name, row = named
    return {
        "name": name,
        **{key: row[key] for key in ("value", "lower", "upper", "tone")},
        "text": value_of(row),
        size_name(row["n_disfavored"]): size(row["n_disfavored"]),
    }


def _name(comparison: Comparison, rows: Sequence[Compared], *, is_against_one: bool) -> str:
    if comparison.disfavored is None:
        name = sides_in_words(comparison)
    elif is_against_one:
        name = comparison.disfavored
    else:
        name = f"{comparison.disfavored} against {favored_in_words(comparison)}"
    if len({each.window for each, _ in rows}) == 1:
        return name
    # The name of a model says what it is.
    windows = (
        value_in_words(value) if column == MODEL else window_in_words(((column, value),))
        for column, value in comparison.window
    )
    return f"{name}, {', '.join(windows)}"


def _in_words(named: Sequence[Named]) -> Iterator[str]:
    """The finding, and the values by their verdicts, those outside the band first."""
    limits = band_of(named[0][1])
    by_tone: dict[str, list[str]] = {}
    for name, row in named:
        tone = "" if limits is None else row["tone"]
        by_tone.setdefault(tone, []).append(value_of_group(name, row))
    if limits is None:
        yield f"There is no band: {'; '.join(by_tone[''])}."
        return
    outside = by_tone.get("outside", [])
    groups = "group" if len(named) == 1 else "groups"
    which = f": {'; '.join(outside)}" if outside else ""
    verb = "is" if len(outside) < 2 else "are"
    yield (
        f"{len(outside) or 'None'} of {len(named):,} {groups} {verb} outside the band of "
        f"{band(limits)}{which}."
    )
    for tone, words in _TONES.items():
        if tone in by_tone:
            yield f"{words}: {'; '.join(by_tone[tone])}."


def value_of_group(name: str, row: Row) -> str:
    """The value of a group with its interval, as text."""
    if row["value"] is None:
        return name
    interval = interval_of(row)
    return f"{name} {value_of(row)}{interval and f' ({interval})'}"


_CHANGES: Final = ("worse", "unclear", "better", "same")
"""The changes in the order in which a reader has to know them."""


def change_figures(
    findings: Findings, comparisons: Sequence[Comparison], names: Sequence[str]
) -> list[Figure]:
    """One figure for each of these metrics, with the differences of the comparisons of a facet.

    Each difference has its interval, in the unit of its metric, around a line at 0. Metrics of one
    kind have one scale.
    """
    of_metrics = {name: _rows(comparisons, name) for name in names}
    about = facet_in_words(comparisons[0].facet)
    return figures_of_rows(findings, of_metrics, _changes_in_words, about, has_ratios=False)


def _rows(comparisons: Sequence[Comparison], name: str) -> list[Compared]:
    """The rows that have a difference, as the value that is drawn; what is worse comes first."""
    changed = [
        (comparison, row)
        for comparison in comparisons
        for row in comparison.table.iter_rows(named=True)
        if row["metric"] == name and row["difference"] is not None
    ]
    changed.sort(key=lambda each: (_CHANGES.index(each[1][TOGETHER]), -abs(each[1]["difference"])))
    return [(comparison, _as_value(row)) for comparison, row in changed]


def _as_value(row: Mapping[str, Any]) -> dict[str, Any]:
    lower, upper = (row[bound] for bound in BOUNDS_OF_DIFFERENCE)
    return {
        **row,
        "value": row["difference"],
        "lower": lower,
        "upper": upper,
        "ideal": 0.0,
        "band_lower": None,
        "band_upper": None,
        "tone": tone_of_change(row[TOGETHER]).name,
    }


def _changes_in_words(named: Sequence[Named]) -> Iterator[str]:
    """How many are worse, and the differences by their changes."""
    by_change: dict[str, list[str]] = {}
    for name, row in named:
        by_change.setdefault(row[TOGETHER], []).append(value_of_group(name, row))
    worse = by_change.pop("worse", [])
    verb = "is" if len(worse) < 2 else "are"
    which = f": {'; '.join(worse)}" if worse else ""
    yield f"{len(worse) or 'None'} of {len(named):,} {verb} worse{which}."
    for change in _CHANGES:
        if change in by_change:
            yield f"{change.capitalize()}: {'; '.join(by_change[change])}."


_ROW_HEIGHT: Final = 24
_SMALL: Final = 11
_ABOVE: Final = -8
"""How far above a mark at the edge its number stands, in the space between two rows."""


@dataclass(frozen=True)
class ComparisonChart(Chart):
    """A chart of marks with ``name``, ``value``, ``lower``, ``upper`` and ``tone``.

    The scale has a place for the numbers in ``ends``; a value beyond it is drawn at the edge, with
    its ``text``. The ``sign`` is 1 where values to the right speak against the group, -1 where
    those to the left do.
    """

    band: Band
    ideal: float | None
    ends: Sequence[float]
    is_log: bool
    sign: int

    def draw(self, look: Look) -> alt.LayerChart:
        colours = look.colours
        values = Values.of(self.ends, is_log=self.is_log)
        data, y = named_rows([_placed(each, values) for each in self.marks], look)
        title = {-1: "← against the group", 1: "against the group →"}.get(self.sign)
        axis = values.axis.copy()
        axis.titleAnchor = "start" if self.sign < 0 else "end"
        x = alt.X("value:Q", title=title, scale=values.scale, axis=axis)
        base = alt.Chart(data).encode(y=y)
        tinted = alt.Color("tone:N", scale=look.tints(), legend=None)
        shaped = alt.Shape("tone:N", scale=shapes(), legend=None)
        layers = [
            *_standards(values, self.band, self.ideal, look),
            base.mark_rule(color=colours.soft, strokeWidth=2).encode(
                x=alt.X("lower:Q"), x2=alt.X2("upper:Q")
            ),
            base.mark_point(filled=True, opacity=1, size=70).encode(
                x=x, color=tinted, shape=shaped
            ),
            *_at_edges(data.values, y, look),
            *sizes_beside(base, self.marks, look),
        ]
        return alt.LayerChart(layer=layers, height=_ROW_HEIGHT * len(self.marks))


def _standards(
    values: Values, band: tuple[float, float] | None, ideal: float | None, look: Look
) -> list[alt.Chart]:
    """The band, as far as the scale reaches, and the ideal."""
    colours = look.colours
    layers = []
    if band is not None:
        low, high = max(values.low, band[0]), min(values.high, band[1])
        shaded = alt.Chart(inline_data([{"from": low, "to": high}])).mark_rect(
            color=colours.band, opacity=1
        )
        layers.append(shaded.encode(x=alt.X("from:Q"), x2=alt.X2("to:Q")))
    if ideal is not None:
        line = alt.Chart(inline_data([{"ideal": ideal}])).mark_rule(
            color=colours.soft, strokeDash=[3, 3]
        )
        layers.append(line.encode(x=alt.X("ideal:Q")))
    return layers


def _placed(mark: Mapping[str, Any], values: Values) -> dict[str, Any]:
    """The mark within the scale; where it is not there itself, what stands at the edge."""
    value = mark["value"]
    placed = values.placed(mark, ("value", "lower", "upper"))
    if value is None:
        return placed | {"edge": values.low, "side": "left", "rise": 0}
    if values.low <= value <= values.high:
        return placed
    is_low = value < values.low
    edge = {"edge": placed["value"], "side": "left" if is_low else "right", "rise": _ABOVE}
    return placed | edge


def _at_edges(named: Sequence[Mapping[str, Any]], y: alt.Y, look: Look) -> list[alt.Chart]:
    """The numbers of values beyond the scale, and a word for those that do not exist."""
    beyond = [each for each in named if "edge" in each]
    if not beyond:
        return []
    texts = alt.Chart(inline_data(beyond)).mark_text(
        align=alt.ExprRef("datum.side"),
        dy=alt.ExprRef("datum.rise"),
        fontSize=_SMALL,
        color=look.colours.ink,
    )
    return [texts.encode(y=y, x=alt.X("edge:Q"), text=alt.Text("text:N"))]
