"""A section for each facet, and the appendix: how values are judged, definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from polars_fairness.api.unused_arguments import unused_arguments, unused_in_words
from polars_fairness.api.verdicts import tone_of
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import listed
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.sides import RATES
from polars_fairness.question.judging import PValues
from polars_fairness.reporting.charts.comparisons import comparison_figures
from polars_fairness.reporting.charts.groups import rate_figures
from polars_fairness.reporting.findings import Comparison, Findings, judged_metrics, window_of
from polars_fairness.reporting.parts import Part, Section, Sentences
from polars_fairness.reporting.sections.first_page import finding_of
from polars_fairness.reporting.sections.values import (
    FEWEST,
    Value,
    value_tables,
    values_of,
    values_table,
    within_in_words,
    worst_comparisons,
    worst_of_each,
)
from polars_fairness.reporting.tables import (
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
    OF_ALL_PAIRS,
    apart,
    comparisons_shown,
    filter_latest,
    group_by_facet,
    is_chosen,
    latest_in_words,
    requested_without_band,
    rules_in_words,
)
from polars_fairness.reporting.words import (
    ALL_ROWS,
    clusters_in_words,
    confidence_in_words,
    facet_in_words,
    rows_counted,
    sides_in_words,
    window_in_words,
)

_MOST_COMPARISONS: Final = MOST_ROWS - 2
"""How many groups are shown beside the group or groups that they are compared with."""

Row = Mapping[str, Any]
Compared = Mapping[str | None, Sequence[Comparison]]


def _rates_by_facet(
    findings: Findings, by_facet: Compared, judged: Sequence[str]
) -> dict[str | None, tuple[Part, ...]]:
    """The charts and the table of the rates of each facet; of many groups, the worst."""
    rated, shown = rates_of(findings)
    latest = filter_latest(findings, rated)
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
    parts: dict[str | None, tuple[Part, ...]] = {}
    for i, (facet, (rows, more)) in enumerate(tables.items()):
        of_facet = tuple(figures[i * len(shown) : (i + 1) * len(shown)])
        about = f"of {ALL_ROWS.lower()}" if facet is None else f"by {facet}"
        table = rates_table(findings, f"{what} {about}", rows, shown)
        notes = (Sentences("notes", (more,)),) if more else ()
        parts[facet] = (*((of_facet,) if of_facet else ()), table, *notes)
    return parts


def _worst(
    findings: Findings,
    rows: Sequence[dict[str, Any]],
    comparisons: Sequence[Comparison],
    judged: Sequence[str],
) -> tuple[list[dict[str, Any]], str]:
    """The rows of all groups or of the worst, named also by their windows; and what is left out."""
    windows = [name for name, _ in apart(findings, comparisons[0].window)]
    is_several = len({window_of(row, windows) for row in rows}) > 1
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
        chosen = [row for row in groups if (window_of(row, windows), row["value"]) in sides]
        # A side of several values is no group of the table.
        chosen = chosen or groups[:most]
        hidden = sum(
            sign * any(_outside([each], judged))
            for sign, compared in ((1, comparisons), (-1, worst))
            for each in compared
        )
        of_them = f"{hidden:,} of the comparisons with them outside a band" if hidden else ""
        more = more_in_words(groups, len(chosen), "groups", of_them)
        groups = chosen
    if not is_several:
        return [*groups, *(row for row in rows if is_of_all_rows(row))], more
    names = ((group_in_words(row), window_in_words(window_of(row, windows))) for row in groups)
    named = [", ".join(filter(None, each)) for each in names]
    return [row | {"value": name} for row, name in zip(groups, named, strict=True)], more


def _outside(comparisons: Sequence[Comparison], judged: Sequence[str]) -> list[Value]:
    values = values_of(comparisons, judged)
    return [each for each in values if tone_of(each.row["verdict"]).name == "outside"]


_MOST_CHARTS: Final = 4


def facet_sections(findings: Findings) -> Iterator[Section]:
    """A section for each facet, in the order of the audit; one more for metrics of all rows."""
    judged = judged_metrics(findings)
    of_facets = group_by_facet(comparisons_shown(findings))
    when = latest_in_words(findings)
    rates = _rates_by_facet(findings, of_facets, judged)
    for facet, comparisons in of_facets.items():
        title = ALL_ROWS if facet is None else f"By {facet}"
        parts = (*rates.get(facet, ()), *_values(findings, facet, comparisons, judged))
        finding = finding_of(findings, comparisons, judged)
        yield Section(", ".join([title, *when]), parts, finding=finding)


def _values(
    findings: Findings,
    facet: str | None,
    comparisons: Sequence[Comparison],
    judged: Sequence[str],
) -> Iterator[Part]:
    """Charts of the first metrics with values that are not within, tables, and the rest.

    One comparison alone has nothing to be compared with: its values are in the table.
    """
    by_tone: dict[str, list[Value]] = {}
    for value in values_of(comparisons, judged):
        tone = "undefined" if value.row["value"] is None else tone_of(value.row["verdict"]).name
        by_tone.setdefault(tone, []).append(value)
    worst = worst_of_each([*by_tone.get("outside", []), *by_tone.get("uncertain", [])], judged)
    if sum(each.disfavored is not None for each in comparisons) > 1:
        drawn = {value.row["metric"] for value in worst}
        names = [name for name in judged if name in drawn][:_MOST_CHARTS]
        if figures := comparison_figures(findings, comparisons, names):
            yield tuple(figures)
    compared = [each for each in comparisons if each.table["metric"].is_in(judged).any()]
    if worst and len(compared) >= FEWEST:
        yield from value_tables(findings, compared, judged)
        shown = worst_comparisons(findings, compared, judged, MOST_ROWS)
        hidden = len(_outside(compared, judged)) - len(_outside(shown, judged))
        of_them = f"with {hidden:,} values outside their bands" if hidden else ""
        more = more_in_words(compared, MOST_ROWS, "groups", of_them)
    else:
        if worst:
            caption = f"Outside the band or uncertain, {facet_in_words(facet)}"
            yield values_table(findings, caption, worst[:MOST_ROWS])
        hidden = len(by_tone.get("outside", [])[MOST_ROWS:])
        of_them = f"{hidden:,} of them outside their bands" if hidden else ""
        more = more_in_words(worst, MOST_ROWS, "values outside the band or uncertain", of_them)
    others = values_of(comparisons, requested_without_band(findings))
    if others:
        caption = f"Metrics without a band, {facet_in_words(facet)}"
        yield values_table(findings, caption, others[:MOST_ROWS])
    lines = (
        more,
        *_tones_in_words(by_tone),
        more_in_words(others, MOST_ROWS, "values without a band"),
        *(
            # Where metrics that compare groups have a row without sides.
            "There were no groups to compare."
            for each in comparisons
            if each.disfavored is None
            and any(findings.metric(name).has_sides for name in each.table["metric"])
        ),
        *_small_in_words(findings, comparisons),
    )
    if any(lines):
        yield Sentences("notes", tuple(filter(None, lines)))


def _tones_in_words(by_tone: Mapping[str, Sequence[Value]]) -> Iterator[str]:
    """How many values are fair, undefined, or without a verdict."""
    judged, fair = sum(map(len, by_tone.values())), by_tone.get("within", [])
    if fair and len(fair) == judged:
        all_of_them = "The only value is" if judged == 1 else f"All {judged:,} values are"
        yield f"{all_of_them} {within_in_words(fair)}."
    elif fair:
        verb = "is" if len(fair) == 1 else "are"
        yield f"{len(fair):,} of {judged:,} values {verb} {within_in_words(fair)}."
    for tone, one, several, why in (
        ("undefined", "is undefined", "are undefined", "positive outcomes"),
        ("open", "has no verdict", "have no verdict", "of a p-value"),
    ):
        if values := by_tone.get(tone):
            names = names_in_words(value.row["metric"] for value in values)
            number = "1 value" if len(values) == 1 else f"{len(values):,} values"
            verb = one if len(values) == 1 else several
            yield f"{number} {verb}, for want of rows or {why}: {names}."


def _small_in_words(findings: Findings, comparisons: Sequence[Comparison]) -> Iterator[str]:
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
    "hold at all looks {together}, and metrics without such an interval have no verdict by it. "
    "Rates and all other tables are about the rows of a window alone."
)
_TOGETHER: Final[Mapping[str, str]] = {
    "each": "together, for each comparison by itself: of forty that are fair, two leave their band "
    "by chance at some look",
    "all": "and of all comparisons together",
}
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
    metrics = findings.metrics()
    # A metric without a band is shown where the call names it.
    hidden = [] if findings.requested else [name for name in metrics if findings.band(name) is None]
    yield Section("How values are judged", (" ".join(_judging(findings)),) if metrics else ())
    yield Section("The question", (question_table(findings),))
    defined = {name: metric for name, metric in metrics.items() if name not in hidden}
    meanings = (_LEGEND, definitions_table(defined)) if defined else ()
    yield Section("What the metrics mean", meanings)


_OF_ESTIMATORS: Final = (
    "Groups known in probability are counted by two estimators: weighted adds up the "
    "probabilities, which is right where the outcome depends on the group only through them; "
    "linear is the regression of the outcome on them, which is right where it depends on them only "
    "through the group. Both need probabilities that are calibrated. Their intervals follow from "
    "how outcomes and probabilities vary from row to row."
)


def _judging(findings: Findings) -> Iterator[str]:
    if findings.confidence is None:
        yield _NO_INTERVALS
    else:
        confidence = confidence_in_words(findings.confidence)
        over = clusters_in_words(findings)
        yield f"Each value is followed by its {confidence} interval{over}, if it has one."
        if findings.confidence_of_rates is not None:
            yield f"Intervals of rates are {confidence} Wilson intervals{rows_counted(findings)}."
        else:
            yield (
                "Rates have no intervals: theirs would take groups known in probability as known."
            )
    if findings.is_uncertain:
        yield _OF_ESTIMATORS
    yield rules_in_words(findings)
    requested = findings.metrics() if findings.requested else {}
    for name in unused_arguments("report", [*requested.values()], findings.question):
        yield f"{unused_in_words(name)}."
    if without := [name for name in requested if findings.band(name) is None]:
        verb = "has" if len(without) == 1 else "have"
        yield f"{listed(without, write=str)} {verb} no acceptable band, and so no verdict."
    if findings.options.p_values is not None:
        yield _P_VALUES[findings.options.p_values]
    if any(is_chosen(findings.question, facet) for facet in findings.facets):
        yield OF_ALL_PAIRS
    if (held := findings.options.sequential) is not None:
        yield _OF_LOOKS.format(together=_TOGETHER[held])
    if "favorable" in findings.question:
        yield _OF_SIDES[findings.favorable]
