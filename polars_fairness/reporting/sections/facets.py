"""A section for each facet, and the appendix: what is fair, how values are judged, definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.api.verdicts import tone_of
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.rates import RATES
from polars_fairness.question.judging import PValues
from polars_fairness.reporting.chance import OF_ALL_PAIRS, is_chosen
from polars_fairness.reporting.charts.comparisons import comparison_figures
from polars_fairness.reporting.charts.groups import rate_figures
from polars_fairness.reporting.findings import Comparison, Findings, Window
from polars_fairness.reporting.parts import Cell, Head, Part, Section, Sentences, Table, numbers
from polars_fairness.reporting.sections.first_page import finding_of
from polars_fairness.reporting.sections.values import (
    FEWEST,
    Value,
    fair_in_words,
    value_tables,
    values_of,
    values_table,
    worst_comparisons,
    worst_of_each,
)
from polars_fairness.reporting.tables import (
    IN_FULL,
    MOST_ROWS,
    definitions_table,
    group_in_words,
    is_of_all_rows,
    more_in_words,
    names_in_words,
    question_table,
    rates_of,
    rates_table,
)
from polars_fairness.reporting.verdicts import (
    apart,
    by_facet,
    comparisons_shown,
    in_latest_window,
    judged_metrics,
    latest_in_words,
    rules_in_words,
)
from polars_fairness.reporting.words import (
    ALL_ROWS,
    confidence_in_words,
    facet_in_words,
    favored_in_words,
    over_clusters,
    sides_in_words,
    window_in_words,
)

_MOST_COMPARISONS: Final = MOST_ROWS - 2
"""How many groups are shown beside the group or groups that they are compared with."""

Row = Mapping[str, Any]
Compared = Mapping[str | None, Sequence[Comparison]]


def rates_by_facet(
    findings: Findings, by_facet: Compared, judged: Sequence[str]
) -> dict[str | None, tuple[Part, ...]]:
    """The charts and the table of the rates of each facet; of many groups, the worst."""
    rated, shown = rates_of(findings)
    latest = in_latest_window(findings, rated)
    tables: dict[str | None, tuple[list[dict[str, Any]], str]] = {}
    for facet, comparisons in by_facet.items():
        is_shown = pl.col("facet").is_in([ALL if facet is None else facet, ALL]) & (pl.col("n") > 0)
        rows = latest.filter(is_shown).rows(named=True)
        has_groups = any(row["facet"] == facet for row in rows)
        if has_groups or [*by_facet] == [None]:
            tables[facet] = _worst(findings, rows, comparisons, judged)
    drawn = pl.DataFrame(
        [row for rows, _ in tables.values() for row in rows], schema=latest.schema
    ).unique(maintain_order=True)
    figures = rate_figures(drawn, shown, [])
    has_numbers = not {*NUMBERS_OF_GROUPS}.isdisjoint(rated.columns)
    what = "Numbers" if has_numbers and not shown else "Rates"
    found: dict[str | None, tuple[Part, ...]] = {}
    for i, (facet, (rows, more)) in enumerate(tables.items()):
        of_facet = tuple(figures[i * len(shown) : (i + 1) * len(shown)])
        about = f"of {ALL_ROWS.lower()}" if facet is None else f"by {facet}"
        found[facet] = (
            *((of_facet,) if of_facet else ()),
            rates_table(findings, f"{what} {about}", rows, shown),
            *([Sentences("notes", (more,))] if more else []),
        )
    return found


def _worst(
    findings: Findings,
    rows: Sequence[dict[str, Any]],
    comparisons: Sequence[Comparison],
    judged: Sequence[str],
) -> tuple[list[dict[str, Any]], str]:
    """The rows of all groups or of the worst, named also by their windows; and what is left out."""
    windows = [name for name, _ in apart(findings, comparisons[0].window)]
    is_several = len({_window(row, windows) for row in rows}) > 1
    groups = [row for row in rows if not is_of_all_rows(row)]
    more = ""
    if len(groups) > MOST_ROWS:
        most = _MOST_COMPARISONS // 2 if is_several else _MOST_COMPARISONS
        worst = (
            worst_comparisons(findings, comparisons, judged, most) if judged else comparisons[:most]
        )
        sides = {
            (apart(findings, each.window), side)
            for each in worst
            for side in (each.disfavored, each.favored)
        }
        found = [row for row in groups if (_window(row, windows), row["value"]) in sides]
        # A side of several values is no group of the table.
        found = found or groups[:most]
        outside = sum(_is_outside(each, judged) for each in comparisons)
        outside -= sum(_is_outside(each, judged) for each in worst)
        of_them = f"{outside:,} of the comparisons with them outside a band" if outside else ""
        more = more_in_words(groups, len(found), "groups", of_them)
        groups = found
    if is_several:
        return [_named(row, windows) for row in groups], more
    return [*groups, *(row for row in rows if is_of_all_rows(row))], more


def _window(row: Row, windows: Sequence[str]) -> Window:
    return tuple((name, row[name]) for name in windows)


def _named(row: dict[str, Any], windows: Sequence[str]) -> dict[str, Any]:
    names = (group_in_words(row), window_in_words(_window(row, windows)))
    return row | {"value": ", ".join(filter(None, names))}


def _is_outside(comparison: Comparison, judged: Sequence[str]) -> bool:
    rows = comparison.table.iter_rows(named=True)
    return any(
        row["metric"] in judged and tone_of(row["verdict"]).name == "outside" for row in rows
    )


FAIR: Final = "What is fair"
"""The title of the section that lists the values within their bands."""

_MOST_CHARTS: Final = 4


def facet_sections(findings: Findings) -> Iterator[Section]:
    """A section for each facet, in the order of the audit; one more for metrics of all rows."""
    judged = judged_metrics(findings)
    of_facets = by_facet(comparisons_shown(findings))
    when = latest_in_words(findings)
    rates = rates_by_facet(findings, of_facets, judged)
    for facet, comparisons in of_facets.items():
        found = finding_of(findings, comparisons, judged)
        charts = _charts(findings, comparisons, judged)
        values = _values(findings, facet, comparisons, judged)
        parts = (*rates.get(facet, ()), *charts, *values)
        title = ALL_ROWS if facet is None else f"By {facet}"
        yield Section(", ".join([title, *when]), parts, finding=found)


def _charts(
    findings: Findings, comparisons: Sequence[Comparison], judged: Sequence[str]
) -> Iterator[Part]:
    """Charts of the first metrics that have an unfair value; in full, of all with a band.

    One comparison alone has nothing to be compared with: its values are in the table.
    """
    if len([each for each in comparisons if each.disfavored]) < 2:
        return
    unfair = {
        value.row["metric"]
        for value in values_of(comparisons, judged)
        if tone_of(value.row["verdict"]).name in ("outside", "uncertain")
    }
    names = [name for name in judged if findings.is_in_full or name in unfair]
    most = None if findings.is_in_full else _MOST_CHARTS
    if figures := comparison_figures(findings, comparisons, names[:most]):
        yield tuple(figures)


def _values(
    findings: Findings,
    facet: str | None,
    comparisons: Sequence[Comparison],
    judged: Sequence[str],
) -> Iterator[Part]:
    compared = [each for each in comparisons if each.table["metric"].is_in(judged).any()]
    by_tone: dict[str, list[Value]] = {}
    for value in values_of(compared, judged):
        tone = "undefined" if value.row["value"] is None else tone_of(value.row["verdict"]).name
        by_tone.setdefault(tone, []).append(value)
    unfair = worst_of_each([*by_tone.get("outside", []), *by_tone.get("uncertain", [])], judged)
    has_tables = unfair and len(compared) >= FEWEST
    if has_tables:
        yield from value_tables(findings, compared, judged)
    elif unfair:
        caption = f"Outside the band or uncertain, {facet_in_words(facet)}"
        yield values_table(findings, caption, unfair[:MOST_ROWS])
    others = _without_band(findings, comparisons)
    if others:
        caption = f"Metrics without a band, {facet_in_words(facet)}"
        yield values_table(findings, caption, others[:MOST_ROWS])
    lines = (
        *(_more_groups(findings, compared, judged) if has_tables else _more(unfair)),
        *_within(by_tone.get("within", []), sum(map(len, by_tone.values()))),
        *_undefined(by_tone.get("undefined", [])),
        *_without_verdict(by_tone.get("open", [])),
        more_in_words(others, MOST_ROWS, "values without a band"),
        *_without_sides(findings, comparisons),
        *_small(findings, comparisons),
    )
    if any(lines):
        yield Sentences("notes", tuple(filter(None, lines)))


def _without_band(findings: Findings, comparisons: Sequence[Comparison]) -> list[Value]:
    """The values of metrics without a band that the call names."""
    if not findings.requested:
        return []
    names = [name for name in findings.metrics() if findings.band(name) is None]
    return values_of(comparisons, names)


def _more(unfair: Sequence[Value]) -> Iterator[str]:
    hidden = unfair[MOST_ROWS:]
    outside = sum(tone_of(value.row["verdict"]).name == "outside" for value in hidden)
    of_them = f"{outside:,} of them outside their bands" if outside else ""
    yield more_in_words(unfair, MOST_ROWS, "values outside the band or uncertain", of_them)


def _more_groups(
    findings: Findings, comparisons: Sequence[Comparison], judged: Sequence[str]
) -> Iterator[str]:
    shown = worst_comparisons(findings, comparisons, judged, MOST_ROWS)
    hidden = _outside(comparisons, judged) - _outside(shown, judged)
    of_them = f"with {hidden:,} values outside their bands" if hidden else ""
    yield more_in_words(comparisons, MOST_ROWS, "groups", of_them)


def _outside(comparisons: Sequence[Comparison], judged: Sequence[str]) -> int:
    verdicts = (value.row["verdict"] for value in values_of(comparisons, judged))
    return sum(tone_of(verdict).name == "outside" for verdict in verdicts)


def _within(fair: Sequence[Value], judged: int) -> Iterator[str]:
    where = fair_in_words(fair)
    if fair and len(fair) == judged:
        all_of_them = "The only value is" if judged == 1 else f"All {judged:,} values are"
        yield f"{all_of_them} {where}."
    elif fair:
        verb = "is" if len(fair) == 1 else "are"
        yield f"{len(fair):,} of {judged:,} values {verb} {where}: see “{FAIR}”."


def _undefined(values: Sequence[Value]) -> Iterator[str]:
    if values:
        names = names_in_words(value.row["metric"] for value in values)
        are = "1 value is" if len(values) == 1 else f"{len(values):,} values are"
        yield f"{are} undefined, for want of rows or positive outcomes: {names}."


def _without_verdict(values: Sequence[Value]) -> Iterator[str]:
    if values:
        names = names_in_words(value.row["metric"] for value in values)
        have = "1 value has" if len(values) == 1 else f"{len(values):,} values have"
        yield f"{have} no verdict, for want of rows or of a p-value: {names}."


def _without_sides(findings: Findings, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """That there were no groups, where metrics that compare groups have a row without sides."""
    for comparison in comparisons:
        has_sides = any(findings.metric(name).has_sides for name in comparison.table["metric"])
        if comparison.disfavored is None and has_sides:
            yield "There were no groups to compare."


def _small(findings: Findings, comparisons: Sequence[Comparison]) -> Iterator[str]:
    """The comparisons with so few rows on a side that their values are to be read with care."""
    small = [
        sides_in_words(each)
        for each in comparisons
        if "is_small" in each.table.columns and each.table["is_small"].any()
    ]
    if small:
        least = findings.options.minimum_count
        yield (
            f"A side has fewer than {least:,} rows, so interpret these values with care: "
            f"{names_in_words(small)}."
        )


_MOST_NAMED: Final = 12
_SYMBOLS: Final = ", ".join(
    f"{rate.symbol} is {rate.meaning}" for rate in RATES.values() if rate.symbol != rate.name
)
_LEGEND: Final = (
    "In the definitions, d is the disfavored side of a comparison, a is the favored side, n is a "
    f"number of rows, {_SYMBOLS}. A band holds the values that are usually acceptable; it is a "
    "convention, not a result."
)
_OF_SIDES: Final = {
    True: "Verdicts take a positive outcome as good for the person, as the call says.",
    False: "Verdicts take a positive outcome as bad for the person, as the call says.",
}
_OF_LOOKS: Final = (
    "The metrics and the row counts of a window are about all rows up to its time. Their intervals "
    "hold at all looks together, and metrics without such an interval have no verdict by it. Rates "
    "and all other tables are about the rows of a window alone."
)
_P_VALUES: Final[Mapping[PValues, str]] = {
    "exact": "P-values are not adjusted for the number of tests.",
    "holm": (
        "P-values are adjusted for the number of tests by the method of Holm: among all "
        "differences with a p-value of at most 0.05, the probability of one false alarm or more "
        "is at most 0.05."
    ),
    "bh": (
        "P-values are adjusted for the number of tests by the method of Benjamini and Hochberg: "
        "among all differences with a p-value of at most 0.05, the expected share of false alarms, "
        "the false discovery rate, is at most 0.05, if the tests are independent or depend on each "
        "other positively."
    ),
}
_NO_INTERVALS: Final = "No intervals were requested."


def appendix(findings: Findings) -> Iterator[Section]:
    """What a reader looks up: the sections after all findings."""
    if not findings.is_swept:
        yield Section(FAIR, tuple(_fair(findings)))
    judging = (" ".join(_judging(findings)),) if findings.metrics() else ()
    yield Section("How values are judged", judging)
    yield Section("The question", (question_table(findings),))
    yield Section("What the metrics mean", _meanings(findings))


def _fair(findings: Findings) -> Iterator[Part]:
    fair = [
        value
        for value in values_of(comparisons_shown(findings), judged_metrics(findings))
        if value.row["value"] is not None and tone_of(value.row["verdict"]).name == "within"
    ]
    if fair:
        by_metric: dict[str, list[Value]] = {}
        for value in fair:
            by_metric.setdefault(value.row["metric"], []).append(value)
        yield Table(
            f"Values {fair_in_words(fair)}",
            [
                Head("Metric", lambda each: Cell(each[0], findings.metric(each[0]).title)),
                numbers("Number", lambda each: f"{len(each[1]):,}"),
                Head("Groups", lambda each: _sides_of_values(findings, each[1])),
            ],
            [*by_metric.items()],
        )
    elif judged_metrics(findings) and findings.comparisons():
        yield "No value lies within its band."
    hidden = [] if findings.is_in_full else _metrics_without_band(findings)
    if hidden:
        have = "metric has" if len(hidden) == 1 else "metrics have"
        yield (
            f"{len(hidden):,} {have} no band, and so no verdict; {IN_FULL} shows them, and so "
            "does to_dict()."
        )


def _sides_of_values(findings: Findings, values: Sequence[Value]) -> str:
    """The comparisons of the values, those with the same side a together."""
    sides: dict[str, list[str]] = {}
    for value in values[:_MOST_NAMED]:
        comparison = value.comparison
        window = window_in_words(apart(findings, comparison.window))
        about = ", ".join(filter(None, [comparison.facet, window]))
        against = f" against {favored_in_words(comparison)}" if comparison.disfavored else ""
        name = comparison.disfavored or "all groups"
        sides.setdefault(f"{about}{against}", []).append(name)
    more = f"; {len(values) - _MOST_NAMED:,} more" if len(values) > _MOST_NAMED else ""
    return "; ".join(f"{about}: {', '.join(names)}" for about, names in sides.items()) + more


def _metrics_without_band(findings: Findings) -> list[str]:
    """The metrics without a band, which are shown where the call names them."""
    if findings.requested:
        return []
    return [name for name in findings.metrics() if findings.band(name) is None]


_OF_ESTIMATORS: Final = (
    "Groups known in probability are counted by two estimators: weighted adds up the "
    "probabilities, which is right where the outcome depends on the group only through them; "
    "linear is the regression of the outcome on them, which is right where it depends on them only "
    "through the group. Both need probabilities that are calibrated. Their intervals are over 200 "
    "groups of rows, each left out once."
)


def _judging(findings: Findings) -> Iterator[str]:
    if findings.confidence is None:
        yield _NO_INTERVALS
    else:
        confidence = confidence_in_words(findings.confidence)
        over = over_clusters(findings)
        yield f"Each value is followed by its {confidence} interval{over}, if it has one."
        of = " of the effective number of rows" if findings.is_weighted else ""
        if over:
            of = " of so many rows as would vary as much as the clusters do"
        if findings.confidence_of_rates is not None:
            yield f"Intervals of rates are {confidence} Wilson intervals{of}."
        else:
            yield (
                "Rates have no intervals: theirs would take groups known in probability as known."
            )
    if findings.is_uncertain:
        yield _OF_ESTIMATORS
    yield rules_in_words(findings)
    if findings.options.p_values is not None:
        yield _P_VALUES[findings.options.p_values]
    if any(is_chosen(findings.question, facet) for facet in findings.facets):
        yield OF_ALL_PAIRS
    if findings.options.sequential:
        yield _OF_LOOKS
    if "favorable" in findings.question:
        yield _OF_SIDES[findings.favorable]


def _meanings(findings: Findings) -> tuple[Part, ...]:
    hidden = [] if findings.is_in_full else _metrics_without_band(findings)
    metrics = {name: metric for name, metric in findings.metrics().items() if name not in hidden}
    return (_LEGEND, definitions_table(metrics)) if metrics else ()
