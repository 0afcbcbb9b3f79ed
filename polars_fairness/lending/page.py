"""The page of lending tables: the finding, the groups by facet, quantiles, segments, appendix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from math import inf
from operator import itemgetter
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.api.columns import (
    LENDING_TABLE,
    SEGMENTS,
    Column,
    Kind,
    picked,
)
from polars_fairness.api.signatures import takes
from polars_fairness.catalogue.wording import word
from polars_fairness.counting.rows import AnyFrame, PolarsFrame
from polars_fairness.errors import about
from polars_fairness.lending.arguments import (
    OF_LENDING_QUESTION,
    OF_LENDING_TABLE,
    OF_QUANTILES,
    OF_SEGMENTS,
    SHARES_ACCEPTED,
    LendingReportQuestion,
)
from polars_fairness.lending.tables import (
    about_decisions,
    options_and_question_of,
    quantiles,
    segments,
    table,
)
from polars_fairness.question.arguments import Argument, Question
from polars_fairness.question.audit_arguments import OF_AUDIT, Texts
from polars_fairness.question.columns import ColumnLike, Columns
from polars_fairness.question.judging import Band
from polars_fairness.reporting.chance import OF_ALL_PAIRS, is_chosen
from polars_fairness.reporting.charts.comparisons import against, value_mark, value_said
from polars_fairness.reporting.charts.groups import Groups, Row, Spec, dots
from polars_fairness.reporting.charts.marks import MOST_LINES, Dots, Lines
from polars_fairness.reporting.charts.scales import scale_of
from polars_fairness.reporting.document import (
    ALONE,
    NO_ADVICE,
    answer_tables,
    by_facet,
    by_window,
    compared,
    favored_in_row,
    in_order,
    layout_table,
    page_of,
)
from polars_fairness.reporting.findings import counted_once, parts_of
from polars_fairness.reporting.outputs.records import tables_as_json
from polars_fairness.reporting.parts import (
    Cell,
    Document,
    Figure,
    Head,
    Part,
    Section,
    Sentences,
    Table,
    drawn,
    first_of,
    numbers,
)
from polars_fairness.reporting.short_names import with_short_names
from polars_fairness.reporting.shown.layouts import layout_of
from polars_fairness.reporting.shown.recognised import Answer
from polars_fairness.reporting.tables import arguments_table, sized, window_heads
from polars_fairness.reporting.words import (
    NOTHING,
    TAKEN_AS_GOOD,
    column_in_words,
    confidence_in_words,
    extremes_in_words,
    facet_in_words,
    number,
    p_value,
    share,
    size,
    span,
    title_of,
    window_in_words,
)
from polars_fairness.reporting.written_report import WrittenReport

_MOST_NAMED: Final = 3
_METHODS: Final = {"holm": "Holm", "bh": "Benjamini and Hochberg"}


@dataclass(frozen=True, eq=False)
class LendingFindings:
    """What the page shows: the question, the options of the call, and the tables.

    ``quantiles`` are there with scores; ``segments`` and ``in_segments``, the table of each
    segment, with subgroups.
    """

    question: Question
    options: Mapping[str, Any]
    table: pl.DataFrame
    quantiles: pl.DataFrame | None = None
    segments: pl.DataFrame | None = None
    in_segments: pl.DataFrame | None = None

    @property
    def confidence(self) -> float | None:
        return self.options["confidence"]  # type: ignore[no-any-return]

    @property
    def favorable(self) -> bool:
        """Whether a positive outcome is good for the person."""
        return self.question.get("favorable", True)

    @property
    def accepted(self) -> str:
        """The word for rows whose outcome is positive."""
        return word("affected", favorable=self.favorable)

    @property
    def has_scores(self) -> bool:
        """Whether there are scores whose means can be compared."""
        return self.table["smd"].count() > 0

    @cached_property
    def windows(self) -> list[str]:
        """The columns that make windows."""
        return self.table.columns[: self.table.columns.index("facet")]

    def window_of(self, row: Row) -> str:
        """The window of a row in words."""
        return window_in_words(tuple((name, row[name]) for name in self.windows))

    @property
    def adjusted_by(self) -> str | None:
        """Who the method is called after by which p-values are adjusted, if they are."""
        return _METHODS.get(self.options["p_values"])

    @property
    def limits(self) -> str:
        """When a comparison is flagged."""
        ratio, points, significance = (
            self.options[name] for name in ("minimum_ratio", "maximum_points", "significance")
        )
        adjusted = f", adjusted by {self.adjusted_by}," if self.adjusted_by else ""
        beyond = (
            f"its adverse impact ratio is below {ratio:g}, its rate is more than {points:g} points "
            "lower"
        )
        if not self.favorable:
            beyond = (
                f"the reference’s rate divided by its own is below {ratio:g}, its rate is more "
                f"than {points:g} points higher"
            )
        return (
            f"A group is flagged where {beyond} and the p-value{adjusted} is below "
            f"{significance:g}. These are limits of this call, and not of a law."
        )


def headline(findings: LendingFindings) -> Iterator[str]:
    """For each facet: which groups are flagged, and which could not be judged."""
    for facet, part in by_facet(findings.table):
        rows = compared(part).rows(named=True)
        if not rows:
            yield f"By {facet_in_words(facet)}: {ALONE[0].lower()}{ALONE[1:]}"
            continue
        flagged = [row for row in rows if row["is_flagged"]]
        comparisons = "comparison" if len(rows) == 1 else "comparisons"
        found = f"By {facet_in_words(facet)}, {len(flagged):,} of {len(rows):,} {comparisons} "
        found += "is flagged" if len(flagged) == 1 or len(rows) == 1 else "are flagged"
        if flagged:
            worst = sorted(flagged, key=lambda row: _air_or_last(row, favorable=findings.favorable))
            named = "; ".join(_named(findings, row) for row in worst[:_MOST_NAMED])
            more = len(flagged) - _MOST_NAMED
            found += f": {named}" + (f"; and {more:,} more" if more > 0 else "")
        yield f"{found}."
        if unknown := [row for row in rows if row["is_flagged"] is None]:
            names = ", ".join(_sides(findings, row) for row in unknown[:_MOST_NAMED])
            more = len(unknown) - _MOST_NAMED
            names += f" and {more:,} more" if more > 0 else ""
            missing = "as a ratio or p-value is missing"
            yield f"Not judged by {facet_in_words(facet)}, {missing}: {names}."
    yield from _in_segments(findings)


def _in_no_comparison(findings: LendingFindings) -> Iterator[str]:
    """The rows of unknown group and those left out; with windows, a section has them."""
    if findings.windows:
        return
    places = [part.row(0, named=True) for _, part in by_facet(findings.table)]
    if any(place["n_unknown"] for place in places):
        counts = ", ".join(
            f"{size(place['n_unknown'])} by {place['facet']}"
            for place in places
            if place["n_unknown"]
        )
        is_weighted = findings.question.get("weight") is not None
        rows = "Weight of rows" if is_weighted else "Rows"
        yield f"{rows} of unknown group, which are in no comparison: {counts}."
    if dropped := max((place["rows_dropped"] for place in places), default=0):
        yield f"Rows left out: {size(dropped)}."


def _in_segments(findings: LendingFindings) -> Iterator[str]:
    """How many comparisons inside segments are flagged, for each facet."""
    if findings.in_segments is None:
        return
    columns = column_in_words(findings.question.get("subgroup"))
    yield from _over_segments(findings, columns)
    for facet, part in by_facet(findings.in_segments):
        inside = compared(part)["is_flagged"]
        comparisons = f"{inside.len():,} comparison{'' if inside.len() == 1 else 's'}"
        yield (
            f"In the segments of {columns}, {inside.sum():,} of {comparisons} by "
            f"{facet_in_words(facet)} {'is' if inside.len() == 1 else 'are'} flagged."
        )


def _over_segments(findings: LendingFindings, columns: str) -> Iterator[str]:
    """What holds over all segments together of the groups that differ most surely."""
    assert findings.segments is not None
    for facet, part in by_facet(compared(findings.segments)):
        row = part.sort("p_value", nulls_last=True, maintain_order=True).row(0, named=True)
        bounds = span(row["lower"], row["upper"], beside=(1,))
        interval = f" ({bounds})" if bounds else ""
        yield (
            f"Over the {row['segments']:,} segments of {columns} together, by "
            f"{facet_in_words(facet)}, the odds ratio of {_sides(findings, row)} is "
            f"{number(row['mh_odds_ratio'], beside=(1,))}{interval}, with a p-value of "
            f"{p_value(row['p_value'])}."
        )


def _named(findings: LendingFindings, row: Row) -> str:
    """A comparison that is flagged, with the numbers for which it is."""
    sign, more = (1, "less") if findings.favorable else (-1, "more")
    points = number(sign * row["points"], 1, beside=(0, findings.options["maximum_points"]))
    limits = (1, *(_band_of(findings.options["minimum_ratio"]) or ()))
    air = number(row["air"], beside=limits)
    return f"{_sides(findings, row)} (ratio {air}, {points} points {more})"


def _sides(findings: LendingFindings, row: Row) -> str:
    window = findings.window_of(row)
    where = f" with {window}" if window else ""
    return f"{row['disfavored']} against {favored_in_row(row)}{where}"


def _air_or_last(row: Row, *, favorable: bool) -> float:
    """The AIR by which comparisons are sorted, worst first; an undefined one comes last."""
    if row["air"] is None:
        return inf
    return float(row["air"]) if favorable else -float(row["air"])


def _favored_of_all(rows: Iterable[Row]) -> str | None:
    """Side a, if it is the same of all rows."""
    found = {favored_in_row(row) for row in rows}
    return found.pop() if len(found) == 1 else None


_WITHOUT_SCORES: Final = ("rate", "air", "points", "odds_ratio")
_OVER_SEGMENTS: Final = ("segments", "mh_odds_ratio", "cmh", "breslow_day")
_FIFTHS: Final = ("four fifths", "five fourths")
_OF_STATISTICS: Final = (
    "The statistic of Cochran, Mantel and Haenszel is the signed square root of chi-squared, "
    "without a correction for continuity, that rates are the same within segments; that of Breslow "
    "and Day is without Tarone’s correction."
)
_LOWEST: Final = ("n_disfavored", "rate", "air", "points", "p_value", "flag")


def _lowest_table(findings: LendingFindings, most: int) -> Table:
    """The comparisons that are flagged or have the lowest AIR, those that are flagged first."""
    layout = layout_of(Answer("lending_table", compared(findings.table)))
    favorable, total = findings.favorable, len(layout.rows)
    lowest = sorted(
        layout.rows, key=lambda row: (not row["is_flagged"], _air_or_last(row, favorable=favorable))
    )
    how_many = f"{most} of {total:,} comparisons" if total > most else "All comparisons"
    caption = f"{how_many}, flagged ones and {'low' if favorable else 'high'} ratios first"
    rows = [
        # Without intervals, so that the table fits the first sheet of paper.
        {name: row[name] for name in ("name", "favored", "tones", *_LOWEST)}
        | {"detail": ", ".join(filter(None, [row["facet"], findings.window_of(row)]))}
        for row in lowest[:most]
    ]
    beside = Head("Compared with", favored_in_row)
    return layout_table(caption, layout.of(_LOWEST), rows, beside)


def _quantile_tables(of_window: pl.DataFrame, about: str, accepted: str) -> Iterator[Table]:
    """For each facet of one window, the AIR of each group where a share of all rows is accepted."""
    for facet, part in by_facet(of_window):
        rows = part.rows(named=True)
        favored = _favored_of_all(rows)
        cells: dict[Cell, dict[float, Cell]] = {Cell("All rows", accepted): {}}
        for row in rows:
            cells[Cell("All rows", accepted)][row["share"]] = Cell(share(row["accepted_share"]))
            beside = "" if favored else f"against {favored_in_row(row)}"
            cell = Cell(number(row["air"]), beside)
            cells.setdefault(Cell(row["disfavored"]), {})[row["share"]] = cell
        shares = dict.fromkeys(row["share"] for row in rows)
        against = f" against {favored}" if favored else ""
        heads = [numbers(f"{100 * each:g} %", partial(_at_share, each)) for each in shares]
        yield Table(
            f"AIR{against} by share {accepted}, by {facet}{about and ', '}{about}",
            [Head("Group", itemgetter(0)), *heads],
            [*cells.items()],
            "prescribed",
        )


def _at_share(share: float, row: tuple[Cell, dict[float, Cell]]) -> Cell:
    """The cell at a share, which a group has not where it is the reference."""
    return row[1].get(share, Cell("–"))


def _left_out_table(table: pl.DataFrame, windows: Sequence[str]) -> Table:
    """How many rows are in no comparison, for each facet and window."""
    parts = parts_of(table, [*windows, "facet"]) if table.height else []
    return Table(
        "Rows in no comparison",
        [
            Head("Facet", itemgetter("facet")),
            *window_heads(windows),
            sized("Facet unknown", "n_unknown"),
            sized("Left out", "rows_dropped"),
        ],
        [part.row(0, named=True) for part in parts],
    )


_DEVIATIONS: Final = {
    "pooled": "the pooled standard deviation within the two groups, whose variances divide by n",
    "population": "the standard deviation of all rows",
}


def _columns_table(findings: LendingFindings) -> Table:
    """The columns of the tables on the page, with their meaning."""
    shown = [
        *_WITHOUT_SCORES,
        *(["smd"] if findings.has_scores else []),
        *("shortfall", "shortfall_to_four_fifths", "p_value", "is_flagged"),
    ]
    columns = picked(LENDING_TABLE, *shown)
    if findings.segments is not None:
        columns += picked(SEGMENTS, *_OVER_SEGMENTS)
    return Table(
        "The columns of the tables",
        [
            Head("Column", lambda each: each.label),
            Head("Meaning", lambda each: _meaning(each, favorable=findings.favorable)),
        ],
        columns,
    )


def _meaning(column: Column, *, favorable: bool) -> str:
    if favorable:
        return column.meaning
    fewer = column.meaning.replace("how many more", "how many fewer").replace(*_FIFTHS)
    return fewer.replace("accepted", word("affected", favorable=False))


def _signs(findings: LendingFindings) -> Iterator[str]:
    """What the numbers of the tables say of a group, and how they are tested."""
    less = f"the group is {findings.accepted} less"
    yield f"Ratios below 1, points and statistics above 0: {less}."
    if findings.has_scores:
        deviation = _DEVIATIONS[findings.options["deviation"]]
        yield f"SMD above 0: its scores are lower; it is in units of {deviation}."
    is_weighted = findings.question.get("weight") is not None
    test = "the normal test of two rates, with the effective number of rows"
    test = test if is_weighted else "Fisher’s exact test of the two rates"
    adjusted = ""
    if method := findings.adjusted_by:
        adjusted = f", adjusted by the method of {method} for all comparisons of its section"
    yield f"P-values are two-sided, of {test}{adjusted}."
    if findings.segments is not None:
        yield _OF_STATISTICS
    yield findings.limits


_MOST_DRAWN: Final = 14


def _band_of(minimum_ratio: float) -> Band:
    """The ratios that are not below the limit, whichever side is divided by the other."""
    return (minimum_ratio, 1 / minimum_ratio) if 0 < minimum_ratio <= 1 else None


def _air_figures(of_window: pl.DataFrame, minimum_ratio: float, *, favorable: bool) -> list[Figure]:
    """The AIR of the groups of each facet of one window, the worst first, on one scale."""
    band = _band_of(minimum_ratio)
    low, high = band or (None, None)
    limits = {"ideal": 1.0, "band_lower": low, "band_upper": high}
    of_facets = {
        facet: [
            {
                **row,
                **limits,
                "value": row["air"],
                "tone": _tone(row, minimum_ratio, favorable=favorable),
            }
            for row in part.iter_rows(named=True)
        ]
        for facet, part in by_facet(compared(of_window))
    }
    scale = scale_of([row for rows in of_facets.values() for row in rows], is_log=True)
    chart = dots(scale, title=against(-1 if favorable else 1), band=band, ideal=1.0)
    first = "lowest" if favorable else "highest"
    return [
        _air_figure(
            facet, sorted(rows, key=partial(_air_or_last, favorable=favorable)), chart, first
        )
        for facet, rows in of_facets.items()
        if rows
    ]


def _tone(row: Row, minimum_ratio: float, *, favorable: bool) -> str:
    """Flagged; or below the limit of the ratio, but not flagged; or neither."""
    if row["air"] is None:
        return "open"
    if row["is_flagged"]:
        return "outside"
    is_beyond = row["air"] < minimum_ratio if favorable else row["air"] * minimum_ratio > 1
    return "uncertain" if is_beyond else "within"


def _air_figure(facet: str, rows: Sequence[Row], chart: Callable[..., Dots], first: str) -> Figure:
    favored = _favored_of_all(rows)
    most = f"the {_MOST_DRAWN} {first} of {len(rows):,}" if len(rows) > _MOST_DRAWN else ""
    spec = Spec(
        f"AIR{(favored and f' against {favored}') or ''}, by {facet}",
        lambda rows: [value_mark(row) for row in rows],
        lambda rows: [value_said(rows[0])],
        "",
        chart,
        note=most,
        most=_MOST_DRAWN,
    )
    return spec.figure(
        [
            (
                row["disfavored"]
                if favored
                else f"{row['disfavored']} against {favored_in_row(row)}",
                [row],
            )
            for row in rows
        ]
    )


def _quantile_figures(
    of_window: pl.DataFrame, about: str, minimum_ratio: float, accepted: str
) -> Iterator[Figure]:
    """For each facet of one window, the AIR of its groups over the share accepted."""
    for facet, part in by_facet(of_window):
        lines: dict[str, list[Row]] = {}
        for row in part.iter_rows(named=True):
            if row["air"] is not None:
                lines.setdefault(row["disfavored"], []).append(row)
        if not lines:
            continue
        of_one = f" of {next(iter(lines))}" if len(lines) == 1 else ""
        title = f"AIR{of_one} by share {accepted}, by {facet}{about and ', '}{about}"
        chart = partial(
            Lines,
            x=f"Share {accepted}",
            band=_band_of(minimum_ratio),
            ideal=1.0,
            is_log=True,
            area=True,
        )
        spec = Spec(title, _ratios, _ratios_in_words, _extremes, chart)
        yield spec.figure([*lines.items()], first_of(lines, MOST_LINES))


def _ratios(rows: Sequence[Row]) -> list[Row]:
    places = {"x": "share", "y": "air", "lower": "lower", "upper": "upper"}
    return [{key: row[name] for key, name in places.items()} for row in rows]


def _ratios_in_words(rows: Sequence[Row]) -> list[str]:
    return [f"{number(row['air'])} at {100 * row['share']:g} %" for row in rows]


def _extremes(groups: Groups) -> str:
    values = (
        (f"{name} at {100 * row['share']:g} %", row["air"]) for name, rows in groups for row in rows
    )
    return extremes_in_words(values, number)


KIND: Final = "Lending tables"
SHARE: Final = "share"
"""The column of quantiles that stands after those of windows."""

_LEGEND: Final = (
    "▲ is flagged, ◆ is beyond the limit of the ratio but not flagged, ● neither; the band begins "
    "at this limit. A line is an interval."
)
_ACCEPTED: Final = (
    "The rows with the highest scores are {accepted}: of all rows, those of unknown group "
    "included, the share at the head of a column. Rows that tie for the last places are {accepted} "
    "in part, as large a part of each group."
)
_WITHIN: Final = (
    "Groups are compared with their reference inside each segment, whose rates may differ. The "
    "test of Breslow and Day says whether the segments agree on the odds ratio."
)
_METHOD_OF_SCORES: Final = (
    " That of the difference of mean scores is Welch's, unless the sides share rows."
)
_METHOD_OVER_SEGMENTS: Final = (
    " That of the odds ratio within segments is by the method of Robins, Breslow and Greenland."
)
_MOST_ROWS: Final = 24
"""So many rows of tables fit the first sheet of paper, below the headline."""
_MOST_LOWEST: Final = 20
_MOST_TABLES: Final = 24


def lending_page(findings: LendingFindings, texts: Texts) -> Document:
    """Everything that the page says."""
    question = findings.question
    tables = _tables("lending_table", findings.table)
    is_short = not findings.windows and sum(len(table.rows) for table in tables) <= _MOST_ROWS
    fit = is_short or not tables
    sections = (
        *(() if fit else [_section("The groups", tables)]),
        *_quantiles(findings),
        *_segments(findings),
        *_appendix(findings),
    )
    taken = () if "favorable" in question else (TAKEN_AS_GOOD,)
    return page_of(
        texts,
        title_of(question),
        (
            Sentences("headline", tuple(headline(findings)) or (NOTHING,)),
            *(tables if fit else [_lowest_table(findings, _MOST_LOWEST)]),
            *(_charts(findings) if fit else ()),
            Sentences("facts", (*_in_no_comparison(findings), findings.limits, *taken, NO_ADVICE)),
        ),
        sections,
        kind=KIND,
    )


def _tables(kind: Kind, answer: pl.DataFrame, caption: str = "By {}") -> list[Table]:
    return [*answer_tables(kind, compared(answer), caption)]


def _section(title: str, tables: Sequence[Table], *before: Part, finding: str = "") -> Section:
    shown = tables[:_MOST_TABLES]
    more = len(tables) - _MOST_TABLES
    note = (f"{more:,} more tables are in the file of write_json().",) if more > 0 else ()
    return Section(title, (*before, *shown, *note), finding=finding)


def _charts(findings: LendingFindings) -> Iterator[Part]:
    """The AIR of each group of the only window."""
    if figures := _air_figures(
        findings.table, findings.options["minimum_ratio"], favorable=findings.favorable
    ):
        yield Sentences("legend", (_LEGEND,))
        yield tuple(figures)


def _quantiles(findings: LendingFindings) -> Iterator[Section]:
    if findings.quantiles is None:
        return
    ratio = findings.options["minimum_ratio"]
    figures = [
        figure
        for window, part in by_window(findings.quantiles, SHARE)
        for figure in _quantile_figures(part, window, ratio, findings.accepted)
    ]
    tables = [
        table
        for window, part in by_window(compared(findings.quantiles), SHARE)
        for table in _quantile_tables(part, window, findings.accepted)
    ]
    finding = _ACCEPTED.format(accepted=findings.accepted)
    yield _section(f"By share {findings.accepted}", tables, *drawn(figures), finding=finding)


def _segments(findings: LendingFindings) -> Iterator[Section]:
    if findings.segments is None:
        return
    columns = column_in_words(findings.question.get("subgroup"))
    tables = _tables("lending_segments", findings.segments, "Over segments, by {}")
    yield _section(f"Within segments of {columns}", tables, finding=_WITHIN)
    if findings.in_segments is not None:
        places = findings.in_segments.columns[: findings.in_segments.columns.index("facet")]
        surest = pl.col("p_value").min().over(places)
        by_evidence = findings.in_segments.sort(surest, nulls_last=True, maintain_order=True)
        tables = _tables("lending_table", by_evidence)
        yield _section(f"In each segment of {columns}", tables)


def _appendix(findings: LendingFindings) -> Iterator[Section]:
    intervals = "No intervals were requested."
    if findings.confidence is not None:
        confidence = confidence_in_words(findings.confidence)
        intervals = f"Below a value stands its {confidence} interval, by the Bayesian bootstrap."
        intervals += _METHOD_OF_SCORES if findings.has_scores else ""
        intervals += "" if findings.segments is None else _METHOD_OVER_SEGMENTS
    if any(is_chosen(findings.question, facet) for facet in findings.table["facet"].unique()):
        intervals += f" {OF_ALL_PAIRS}"
    signs = " ".join(_signs(findings))
    yield Section("What the columns mean", (intervals, signs, _columns_table(findings)))
    yield Section("Rows left out", (_left_out_table(findings.table, findings.windows),))
    given = {**findings.question, **findings.options}
    arguments = (*OF_LENDING_QUESTION, *OF_LENDING_TABLE, SHARES_ACCEPTED)
    yield Section("The question", (arguments_table(given, arguments),))


# The options of an audit are not among them.
_OWN: Final = {each.name for each in (*OF_LENDING_TABLE, SHARES_ACCEPTED)} - {
    each.name for each in OF_AUDIT
}


@dataclass(frozen=True)
class LendingReport(WrittenReport):
    """The result of `lending.report`; a notebook shows it as a page.

    The file of ``write_json`` has the records of the tables: of `lending.table`, and where they are
    on the page of `lending.quantiles`, of `lending.segments`, and of the table in each segment;
    ``polars-fairness schema lending_document`` prints its schema.
    """

    findings: LendingFindings = field(repr=False)

    def __repr__(self) -> str:
        return f"LendingReport({title_of(self.findings.question)!r})"

    def _document(self, texts: Texts) -> Document:
        return lending_page(with_short_names(self.findings), texts)

    def _as_json(self, texts: Texts) -> dict[str, Any]:
        found = self.findings
        tables = {
            "table": ("lending_table", found.table),
            "quantiles": ("lending_quantiles", found.quantiles),
            "segments": ("lending_segments", found.segments),
            "in_segments": ("lending_table", found.in_segments),
        }
        title = texts.get("title", title_of(found.question))
        return tables_as_json("lending_document", title, texts, tables)


@takes(*OF_LENDING_TABLE, SHARES_ACCEPTED, module="lending")
def report(frame: AnyFrame, **given: Unpack[LendingReportQuestion]) -> LendingReport:
    """The tables of lending as a page: what was found, each group beside its reference, the limits.

    With ``score``, the page has the adverse impact ratios where the best shares of all rows are
    accepted, also as a chart. With ``subgroup``, such as the branch or the product, it has the
    tests over these segments, and the table of each segment. These are tables, and no legal advice.

    The call counts the rows at once, also of a LazyFrame, and reads them once. The page needs the
    extras ``report`` and ``significance``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LendingReport
        A notebook shows it; ``write_html``, ``write_pdf``, ``to_markdown`` and ``write_json`` write
        it for elsewhere.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.lending.report(
    ...     pf.datasets.berkeley(), facet="sex", favored="Male", predicted="admitted", count="n"
    ... )
    LendingReport('admitted by sex')
    """
    return LendingReport(_found(frame, given))


def _found(frame: AnyFrame, given: Mapping[str, Any]) -> LendingFindings:
    """The tables of the page, from one count of the rows."""
    options, question = options_and_question_of(given, _OWN)
    roles = about_decisions(frame, question, "lending.report").roles
    facets = [facet.name for facet in roles.facets]
    has_scores, has_segments = (question.get(name) is not None for name in ("score", "subgroup"))
    metrics = ["di", *(["smd"] if has_scores else []), *(["cmh"] if has_segments else [])]
    counted = counted_once(frame, metrics, options, question)

    def answer(
        function: Callable[..., PolarsFrame], arguments: Iterable[Argument], **question: Any
    ) -> pl.DataFrame:
        own = {each.name: given[each.name] for each in arguments if each.name in given}
        return in_order(function(counted, **question, **own), facets)

    alone = {**question, "subgroup": None}
    by_score = {**alone, "predicted": None}
    by_score.pop("threshold", None)
    inside = {**alone, "by": [*_as_list(question.get("by")), *_as_list(question.get("subgroup"))]}
    with about("subgroup"):
        in_segments = answer(table, OF_LENDING_TABLE, **inside) if has_segments else None
    return LendingFindings(
        question=question,
        options={
            each.name: given.get(each.name, each.default)
            for each in (*OF_LENDING_TABLE, *([SHARES_ACCEPTED] if has_scores else []))
        },
        table=answer(table, OF_LENDING_TABLE, **alone),
        quantiles=answer(quantiles, OF_QUANTILES, **by_score) if has_scores else None,
        segments=answer(segments, OF_SEGMENTS, **question) if has_segments else None,
        in_segments=in_segments,
    )


def _as_list(given: Columns | None) -> list[ColumnLike]:
    """Columns as a list, also if they are given as one or not at all."""
    if given is None:
        return []
    return [*given] if isinstance(given, list | tuple) else [cast("ColumnLike", given)]
