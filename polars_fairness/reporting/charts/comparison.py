"""Charts that compare all groups by one metric, or all values beside a reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, Final

from polars_fairness.answers.contrasts import BOUNDS_OF_DIFFERENCE, TOGETHER
from polars_fairness.answers.verdicts import tone_of, tone_of_change
from polars_fairness.formula.metric import Metric
from polars_fairness.question.windows import MODEL
from polars_fairness.reporting.charts.marks import Dots
from polars_fairness.reporting.charts.scales import scale_of
from polars_fairness.reporting.charts.specs import Row
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.lead_metrics import is_ratio, worst_first
from polars_fairness.reporting.parts import Figure
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
            (each, row | dict.fromkeys(("tone", "kind"), tone_of(row["verdict"]).name))
            for each in _worst_first(comparisons, names)
            for row in each.table.rows(named=True)
            if row["metric"] == name
        ]
        for name in names
    }
    return _figures(findings, of_metrics, _verdicts_in_words)


def _figures(
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
    scales = {kind: scale_of(rows, is_log=kind == _RATIO) for kind, rows in of_kinds.items()}
    figures = []
    for name, rows in of_metrics.items():
        if rows:
            metric = findings.metric(name)
            named = _named(rows)
            facet = rows[0][0].facet
            words = f"{name}: " if facet is None else f"{name} by {facet}: "
            words += " ".join(in_words(named))
            chart = Dots(
                [*map(_mark, named[:_MOST_ROWS])],
                scales[kinds[name]],
                against(findings.signs[name] or 0),
                band=band_of(rows[0][1]),
                ideal=rows[0][1]["ideal"],
            )
            figures.append(Figure(_caption(metric, name, rows, about), words, chart))
    return figures


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


def _in_words(named: Sequence[Named], kinds: Mapping[str, str], *, noun: str = "") -> Iterator[str]:
    """How many rows are of the first kind, with their values, and the values of each other kind."""
    of_kinds: dict[str, list[str]] = {kind: [] for kind in kinds}
    for name, row in named:
        of_kinds[row["kind"]].append(value_of_group(name, row))
    (_, what), *others = kinds.items()
    first = of_kinds[next(iter(kinds))]
    which = f": {'; '.join(first)}" if first else ""
    count = f"{len(first) or 'None'} of {len(named):,}"
    noun = noun and f" {noun}{'' if len(named) == 1 else 's'}"
    yield f"{count}{noun} {'is' if len(first) < 2 else 'are'} {what}{which}."
    for kind, word in others:
        if of_kinds[kind]:
            yield f"{word}: {'; '.join(of_kinds[kind])}."


def _verdicts_in_words(named: Sequence[Named]) -> Iterator[str]:
    """How many are outside the band, and the values by their verdicts."""
    limits = band_of(named[0][1])
    if limits is None:
        yield f"There is no band: {'; '.join(value_of_group(*each) for each in named)}."
        return
    kinds = {"outside": f"outside the band of {band(limits)}"} | _TONES
    yield from _in_words(named, kinds, noun="group")


def value_of_group(name: str, row: Row) -> str:
    """The value of a group with its interval, as text."""
    if row["value"] is None:
        return name
    interval = interval_of(row)
    return f"{name} {value_of(row)}{interval and f' ({interval})'}"


_CHANGES: Final = {"worse": "worse", "unclear": "Unclear", "better": "Better", "same": "Same"}
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
    in_words = partial(_in_words, kinds=_CHANGES)
    return _figures(findings, of_metrics, in_words, about, has_ratios=False)


def _rows(comparisons: Sequence[Comparison], name: str) -> list[Compared]:
    """The rows that have a difference, as the value that is drawn; what is worse comes first."""
    changed = [
        (comparison, row)
        for comparison in comparisons
        for row in comparison.table.iter_rows(named=True)
        if row["metric"] == name and row["difference"] is not None
    ]
    changed.sort(
        key=lambda each: ([*_CHANGES].index(each[1][TOGETHER]), -abs(each[1]["difference"]))
    )
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
        "kind": row[TOGETHER],
    }
