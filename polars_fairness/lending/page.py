"""The page of lending tables: the finding, the groups by facet, quantiles, segments, appendix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from math import inf
from typing import Any, ClassVar, Final, Unpack, cast

import polars as pl

from polars_fairness.api.columns import LENDING_TABLE, SEGMENTS, Column, Kind, picked
from polars_fairness.api.signatures import takes
from polars_fairness.catalogue.wording import word
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import about
from polars_fairness.lending.arguments import (
    OF_LENDING_QUESTION,
    OF_LENDING_TABLE,
    OF_QUANTILES,
    SHARES_ACCEPTED,
    LendingReportQuestion,
)
from polars_fairness.lending.tables import (
    about_decisions,
    options_and_question_of,
    table_of,
)
from polars_fairness.question.arguments import OF_QUESTION, Question, defaults, parted
from polars_fairness.question.audit_arguments import FEW_ROWS
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import ESTIMATOR
from polars_fairness.reporting.answer_tables import Answer, lay_out
from polars_fairness.reporting.answers import (
    audit_over_windows,
    counted_once,
    parts_of,
    with_whole_people,
)
from polars_fairness.reporting.charts.curves import Row, Spec
from polars_fairness.reporting.charts.marks import MOST_LINES, Lines
from polars_fairness.reporting.document import (
    ALONE,
    NO_ADVICE,
    PrescribedCommand,
    PrescribedReport,
    answer_tables,
    compared,
    favored_in_row,
    key_of_reference,
    key_of_row,
    prescribed,
    sort_facets,
    split_facets,
    split_windows,
)
from polars_fairness.reporting.parts import (
    MOST_FIGURES,
    Cell,
    Dot,
    Figure,
    Paragraph,
    Section,
    Sentence,
    Table,
    first_of,
    numbers,
    said,
    texts,
)
from polars_fairness.reporting.scales import Scale, scale_of
from polars_fairness.reporting.tables import (
    arguments_table,
    text_table,
    window_columns,
    with_windows,
)
from polars_fairness.reporting.verdicts import OF_ALL_PAIRS, is_chosen
from polars_fairness.reporting.words import (
    NOTHING,
    PERCENT,
    SUBGROUP_INSTEAD,
    TAKEN_AS_GOOD,
    bracketed,
    column_in_words,
    confidence_in_words,
    facet_in_words,
    mostly_few,
    number,
    p_value,
    share,
    size,
    span,
    title_of,
    value_in_words,
    window_in_words,
)

_SHARE: Final = "share"
"""The column of quantiles that follows those of windows."""
_METHODS: Final = {"holm": "Holm", "bh": "Benjamini and Hochberg"}
_MOST_NAMED: Final = 3
_MOST_LOWEST: Final = 20
_MOST_TABLES: Final = 24
_MOST_ROWS: Final = 24
"""The most rows of tables that fit the first sheet of paper, below the headline."""

_WITHOUT_SCORES: Final = ("rate", "air", "points", "odds_ratio")
_OVER_SEGMENTS: Final = ("segments", "mh_odds_ratio", "cmh", "breslow_day")
_LOWEST: Final = ("n_disfavored", "rate", "air", "points", "p_value", "flag")
_FIFTHS: Final = ("four fifths", "five fourths")
_OF_STATISTICS: Final = (
    "The statistic of Cochran, Mantel and Haenszel is the signed square root of the chi-squared "
    "statistic for equal rates within segments, without a continuity correction; that of Breslow "
    "and Day is without Tarone’s correction."
)
_DEVIATIONS: Final = {
    "pooled": "the pooled standard deviation within the two groups, whose variances divide by n",
    "population": "the standard deviation of all rows",
}
_LEGEND: Final = (
    "▲ is flagged, ◆ is below the limit of the ratio but not flagged, ● is neither; the band "
    "begins at this limit. Lines are intervals."
)
_ACCEPTED: Final = (
    "The rows with the highest scores are {accepted}: the share of all rows at the head of a "
    "column, including rows of unknown group. Rows that tie for the last places are {accepted} in "
    "part, in the same proportion in each group."
)
_WITHIN: Final = (
    "Groups are compared with their reference within each segment, whose rates may differ. The "
    "test of Breslow and Day shows whether the odds ratio differs between segments."
)
_METHOD_OF_SCORES: Final = (
    " The interval of the difference of mean scores is Welch's, unless the sides share rows."
)
_METHOD_OVER_SEGMENTS: Final = (
    " The interval of the odds ratio within segments is that of Robins, Breslow and Greenland."
)


class LendingReport(PrescribedReport):
    """The result of `lending.report`; a notebook shows it as a page."""

    kind: ClassVar = "Lending tables"

    @property
    def title(self) -> str:
        """The title of a page that is given none."""
        return title_of(cast("Question", self.options))

    def sections(self) -> Iterator[Section]:
        """The first page, and the sections below it."""
        tables = _tables("lending_table", self.table)
        is_short = not self.windows and sum(len(table.rows) for table in tables) <= _MOST_ROWS
        fit = is_short or not tables
        shown = [_with_strips(self, table) for table in tables] if fit else [_lowest_table(self)]
        taken = () if "favorable" in self.options else (TAKEN_AS_GOOD,)
        left_out = () if self.windows else _rows_not_compared(self)
        # Tests over segments need to know the group of each row.
        can_be_segments = "overall" in self.answers and ESTIMATOR not in self.windows
        instead = (SUBGROUP_INSTEAD,) if can_be_segments else ()
        legend = (_LEGEND,) if fit and tables else ()
        notes = (*legend, *left_out, self.limits, *instead, *taken, NO_ADVICE)
        sentences = tuple(_headline(self)) or said(NOTHING)
        overall = self.answers.get("overall")
        over = () if overall is None else tuple(_overall_tables(self, overall))
        yield Section("", sentences, (*over, *shown), notes=notes)
        if not fit:
            yield _section("The groups", tables)
        yield from _quantiles(self)
        yield from _segments(self)
        yield from _appendix(self)

    @property
    def table(self) -> pl.DataFrame:
        return self.answers["table"]

    @property
    def favorable(self) -> bool:
        """Whether a positive outcome is good for the person."""
        return bool(self.options.get("favorable", True))

    @property
    def accepted(self) -> str:
        """The word for rows whose outcome is positive."""
        return word("affected", favorable=self.favorable)

    @property
    def has_scores(self) -> bool:
        """Whether there are scores whose means can be compared."""
        return self.table["smd"].count() > 0

    @property
    def segments(self) -> str:
        """The columns of segments in words."""
        return column_in_words(self.options.get("subgroup"))

    @cached_property
    def windows(self) -> list[str]:
        """The columns that make windows."""
        return self.table.columns[: self.table.columns.index("facet")]

    def window_of(self, row: Row) -> str:
        """The window of a row in words."""
        return window_in_words(tuple((name, row[name]) for name in self.windows))

    def sides_of(self, row: Row) -> str:
        """The group of a row and its reference, with their window."""
        window = self.window_of(row)
        sides = f"{value_in_words(row['disfavored'])} against {favored_in_row(row)}"
        return f"{sides}{window and f' with {window}'}"

    def concern(self, row: Row) -> float:
        """The AIR by which comparisons are sorted, worst first; an undefined one comes last."""
        return inf if row["air"] is None else float(row["air"]) * (1 if self.favorable else -1)

    def evidence(self, row: Row) -> tuple[float, ...]:
        """A sort key: the evidence that a group is worse off, the strongest first.

        A small group has a low ratio by chance. Without a p-value, the interval is the evidence.
        """
        sign = 1 if self.favorable else -1
        is_worse = row["air"] is not None and sign * (row["air"] - 1) < 0
        p, end = row["p_value"], row["upper" if self.favorable else "lower"]
        return (
            p if is_worse and p is not None else inf,
            sign * end if end is not None else inf,
            self.concern(row),
        )

    @property
    def are(self) -> str:
        """What the sizes of groups count."""
        return "people" if ESTIMATOR in self.windows else "rows"

    @property
    def band(self) -> Band:
        """The ratios that are not below the limit, whichever side is divided by the other."""
        ratio = self.options["minimum_ratio"]
        return (ratio, 1 / ratio) if 0 < ratio <= 1 else None

    @property
    def limits(self) -> str:
        """When a comparison is flagged."""
        ratio, points, significance = (self.options[name] for name in _LIMITS)
        method = _METHODS.get(self.options["p_values"])
        adjusted = f", adjusted by {method}," if method else ""
        of_ratio, direction = "its adverse impact ratio", "lower"
        if not self.favorable:
            of_ratio, direction = "the reference’s rate divided by its own", "higher"
        return (
            f"A group is flagged if {of_ratio} is below {ratio:g}, its rate is more than "
            f"{points:g} points {direction} and the p-value{adjusted} is below {significance:g}. "
            "These limits are arguments, not those of a law."
        )


def _few(names: Sequence[str], joined_by: str, more: str) -> str:
    left = len(names) - _MOST_NAMED
    return joined_by.join(names[:_MOST_NAMED]) + (f"{more} {left:,} more" if left > 0 else "")


def _over_windows(report: LendingReport) -> Iterator[Sentence]:
    """What holds over many windows together, and whether each has the rows to be judged alone."""
    if (overall := report.answers.get("overall")) is None:
        return
    columns = [name for name in report.windows if name != ESTIMATOR]
    windows = report.table[columns].n_unique()
    where = f"Over all {windows:,} windows of {', '.join(map(value_in_words, columns))}"
    yield Sentence(f"{where}:", counts=True)
    for facet, of_facet in split_facets(compared(overall)):
        for part in parts_of(of_facet, ["metric"]):
            is_within = part["metric"][0] == "mh_ratio"
            which = "within these" if is_within else "of all rows, by the linear estimator,"
            rows = part.sort("p_value", "value", nulls_last=True).rows(named=True)
            ratios = _few([_ratio_in_words(report, row) for row in rows], "; ", "; and")
            yield Sentence(
                f"By {facet_in_words(facet)}, ratios of rates {which} are {ratios}.",
                tuple(map(_overall_key, rows[:_MOST_NAMED])),
            )
    if report.options.get("weight") is None:  # which says nothing of the number of rows
        smaller = compared(report.table).select(pl.min_horizontal("n_disfavored", "n_favored"))
        few = mostly_few([*smaller.to_series()], FEW_ROWS, report.are)
        yield from (Sentence(text, counts=True) for text in few)


def _overall_key(row: Row) -> str:
    return f"overall/{row['metric']}/{key_of_row(row)}"


def _overall_tables(report: LendingReport, overall: pl.DataFrame) -> Iterator[Table]:
    for facet, part in split_facets(compared(overall)):
        rows = [
            {
                "group": Cell(value_in_words(row["disfavored"]), f"against {favored_in_row(row)}"),
                "ratio": Cell(
                    number(row["value"], beside=(1, *(report.band or ()))),
                    span(row["lower"], row["upper"], beside=(1,)),
                ),
                "p": Cell("" if row["p_value"] is None else p_value(row["p_value"])),
                "key": _overall_key(row),
            }
            for row in part.rows(named=True)
        ]
        columns = texts(group="") + numbers(ratio="Ratio of rates", p="p-value")
        caption = f"Over all windows, by {facet_in_words(facet)}"
        yield Table(columns, rows, caption, look="prescribed")


def _ratio_in_words(report: LendingReport, row: Row) -> str:
    """A ratio of an audit with its interval and its test."""
    p = "" if row["p_value"] is None else f"p-value {p_value(row['p_value'])}"
    bounds = span(row["lower"], row["upper"], beside=(1,))
    sure = bracketed(", ".join(filter(None, [bounds, p])))
    value = number(row["value"], beside=(1, *(report.band or ())))
    sides = f"{value_in_words(row['disfavored'])} against {favored_in_row(row)}"
    return f"{value}{sure} of {sides}"


def _headline(report: LendingReport) -> Iterator[Paragraph]:
    """For each facet: which groups are flagged, and which could not be judged."""
    if over := tuple(_over_windows(report)):
        yield Paragraph(over)
    parts = [(facet_in_words(facet), compared(part)) for facet, part in split_facets(report.table)]
    for facet, part in sorted(parts, key=lambda each: not each[1]["is_flagged"].any()):
        yield Paragraph(tuple(_flagged(report, facet, part)))
    if "in_segments" not in report.answers:
        return
    for facet, part in split_facets(compared(report.answers["segments"])):
        row = part.sort("p_value", nulls_last=True, maintain_order=True).row(0, named=True)
        bounds = bracketed(span(row["lower"], row["upper"], beside=(1,)))
        text = (
            f"Over the {row['segments']:,} segments of {report.segments} together, by "
            f"{facet_in_words(facet)}, the odds ratio of {report.sides_of(row)} is "
            f"{number(row['mh_odds_ratio'], beside=(1,))}{bounds}, with a "
            f"p-value of {p_value(row['p_value'])}."
        )
        yield Paragraph((Sentence(text, (key_of_row(row),)),))
    for facet, part in split_facets(report.answers["in_segments"]):
        inside = compared(part)["is_flagged"]
        found = _flagged_of(int(inside.sum()), inside.len(), facet)
        text = f"Within segments of {report.segments}, {found}."
        yield Paragraph((Sentence(text, counts=True),))


def _flagged(report: LendingReport, facet: str, part: pl.DataFrame) -> Iterator[Sentence]:
    """Which groups of a facet are flagged, and which could not be judged."""
    rows = part.rows(named=True)
    if not rows:
        yield Sentence(f"By {facet}: {ALONE[0].lower()}{ALONE[1:]}")
        return
    flagged = sorted((row for row in rows if row["is_flagged"]), key=report.evidence)
    shown = flagged[:_MOST_NAMED]
    found = _flagged_of(len(flagged), len(rows), facet)
    text = f"{found[:1].upper()}{found[1:]}{':' if shown else '.'}"
    yield Sentence(text, counts=True)
    if shown:
        keys = [key for row in shown for key in (key_of_row(row), key_of_reference(row))]
        named = _few([_named(report, row) for row in flagged], "; ", "; and")
        yield Sentence(f"{named}.", tuple(keys))
    if unknown := [report.sides_of(row) for row in rows if row["is_flagged"] is None]:
        names = _few(unknown, ", ", " and")
        text = f"Not judged by {facet}, because a ratio or p-value is missing: {names}."
        yield Sentence(text, counts=True)


def _flagged_of(flagged: int, compared: int, facet: str) -> str:
    if compared == 1:
        return f"the comparison by {facet_in_words(facet)} is {'' if flagged else 'not '}flagged"
    verb = "are" if flagged > 1 else "is"
    by = f"comparisons by {facet_in_words(facet)} {verb} flagged"
    return f"{flagged or 'none':} of the {compared:,} {by}"


def _named(report: LendingReport, row: Row) -> str:
    """A flagged comparison, with the numbers that flag it."""
    sign, more = (1, "less") if report.favorable else (-1, "more")
    points = number(sign * row["points"], 1, beside=(0, report.options["maximum_points"]))
    air = number(row["air"], beside=(1, *(report.band or ())))
    rate, of_reference = share(row["rate"]), share(row["reference_rate"])
    numbers = f"{rate} and {of_reference}, ratio {air}, {points} points {more}"
    return f"{report.sides_of(row)}: {numbers}"


def _rows_not_compared(report: LendingReport) -> Iterator[str]:
    """The rows of unknown group and those left out; with windows, a section has them."""
    places = [part.row(0, named=True) for _, part in split_facets(with_whole_people(report.table))]
    if counts := [
        f"{size(place['n_unknown'])} by {facet_in_words(place['facet'])}"
        for place in places
        if place["n_unknown"]
    ]:
        rows = "Rows" if report.options.get("weight") is None else "Weight of rows"
        yield f"{rows} of unknown group, which are in no comparison: {', '.join(counts)}."
    if dropped := max((place["rows_dropped"] for place in places), default=0):
        yield f"Rows left out: {size(dropped)}."


def _lowest_table(report: LendingReport) -> Table:
    """The flagged comparisons, then those with the strongest evidence."""
    table = lay_out(Answer("lending_table", compared(report.table)))
    total = len(table.rows)
    lowest = sorted(table.rows, key=lambda row: (not row["is_flagged"], report.evidence(row)))
    many = f"{_MOST_LOWEST} of {total:,}" if total > _MOST_LOWEST else "All"
    which = "flagged ones and the strongest evidence first"
    rows = []
    for row in lowest[:_MOST_LOWEST]:
        detail = ", ".join(filter(None, [facet_in_words(row["facet"]), report.window_of(row)]))
        # Without intervals, so that the table fits the first sheet of paper.
        of_row = {name: row[name] for name in ("tones", *_LOWEST)}
        of_row |= {"name": Cell(row["name"], detail), "favored": Cell(favored_in_row(row))}
        rows.append({**of_row, "key": key_of_row(row)})
    name, *columns = table.select(_LOWEST).columns
    beside = Column("favored", type="text", label="Compared with")
    shown = replace(table, columns=(name, beside, *columns))
    return prescribed(f"{many} comparisons, {which}", shown, rows)


def _quantile_tables(of_window: pl.DataFrame, about: str, accepted: str) -> Iterator[Table]:
    """For each facet of one window, the AIR of each group where a share of all rows is accepted."""
    for facet, part in split_facets(of_window):
        rows = part.rows(named=True)
        sides = {favored_in_row(row) for row in rows}
        favored = sides.pop() if len(sides) == 1 else None
        of_all: dict[str, Any] = {"group": Cell("All rows", accepted)}
        of_groups: dict[str, dict[str, Any]] = {}
        for row in rows:
            place = str(row["share"])
            of_all[place] = Cell(share(row["accepted_share"]))
            beside = "" if favored else f"against {favored_in_row(row)}"
            group = value_in_words(row["disfavored"])
            of_group = of_groups.setdefault(group, {"group": group})
            of_group[place] = Cell(number(row["air"]), beside)
        shares = {
            str(each): f"{100 * each:g}{PERCENT}"
            for each in part["share"].unique(maintain_order=True)
        }
        # A group has no ratio at a share where it is the reference.
        absent = dict.fromkeys(shares, Cell("–"))
        against = f" against {favored}" if favored else ""
        yield Table(
            texts(group="") + numbers(**shares),
            [of_all, *({**absent, **each} for each in of_groups.values())],
            f"AIR{against} by share {accepted}, by {facet_in_words(facet)}{about and ', '}{about}",
            look="prescribed",
        )


def _left_out_table(table: pl.DataFrame, windows: Sequence[str]) -> Table:
    parts = parts_of(table, [*windows, "facet"])
    facet, unknown, dropped = picked(LENDING_TABLE, "facet", "n_unknown", "rows_dropped")
    return Table(
        (
            facet,
            *window_columns(windows),
            replace(unknown, label="Facet unknown"),
            replace(dropped, label="Left out"),
        ),
        [with_windows(part.row(0, named=True), windows) for part in parts],
        "Rows in no comparison",
    )


def _columns_table(report: LendingReport) -> Table:
    names = [*_WITHOUT_SCORES, *(["smd"] if report.has_scores else [])]
    names += ["shortfall", "shortfall_to_four_fifths", "p_value", "is_flagged"]
    columns = picked(LENDING_TABLE, *names)
    if "segments" in report.answers:
        columns += picked(SEGMENTS, *_OVER_SEGMENTS)

    def meaning(column: Column) -> str:
        if report.favorable:
            return column.meaning
        fewer = column.meaning.replace("how many more", "how many fewer").replace(*_FIFTHS)
        return fewer.replace("accepted", report.accepted)

    rows = [(each.label, meaning(each)) for each in columns]
    return text_table("The columns of the tables", ("Column", "Meaning"), rows)


def _signs(report: LendingReport) -> Iterator[str]:
    """What the numbers of the tables say of a group, and how they are tested."""
    less = f"the group is {report.accepted} less often"
    yield f"Ratios below 1, and points and statistics above 0, mean that {less}."
    if report.has_scores:
        deviation = _DEVIATIONS[report.options["deviation"]]
        yield f"An SMD above 0 means that its scores are lower, in units of {deviation}."
    test = "Fisher’s exact test of the two rates"
    if report.options.get("weight") is not None:
        test = "the normal test of two rates, with the effective number of rows"
    if method := _METHODS.get(report.options["p_values"]):
        test += f", adjusted by the method of {method} for all comparisons in the section"
    yield f"P-values are two-sided, from {test}."
    if "segments" in report.answers:
        yield _OF_STATISTICS
    yield report.limits


def _with_strips(report: LendingReport, table: Table) -> Table:
    """The table with a strip before each AIR, the worst first below each reference."""
    low, high = report.band or (None, None)
    known = [row for row in table.rows if row.get("air") is not None]
    limits = {"ideal": 1.0, "band_lower": low, "band_upper": high}
    values = scale_of([{**row, **limits, "value": row["air"]} for row in known], is_log=True)
    scale = Scale(values, report.band, 1.0)
    rows = [
        {
            **row,
            "dots": {"air": Dot(scale, row["air"], row["lower"], row["upper"], _tone(report, row))},
        }
        if row.get("air") is not None
        else row
        for row in table.rows
    ]
    return replace(table, rows=rows, strips=("air",))


def _tone(report: LendingReport, row: Row) -> str:
    """Flagged; or below the limit of the ratio, but not flagged; or neither."""
    if row["air"] is None:
        return "open"
    if row["is_flagged"]:
        return "outside"
    ratio = report.options["minimum_ratio"]
    is_beyond = row["air"] < ratio if report.favorable else row["air"] * ratio > 1
    return "uncertain" if is_beyond else "within"


_PLACES: Final = {"x": "share", "y": "air", "lower": "lower", "upper": "upper"}


def _quantile_figures(
    report: LendingReport, of_window: pl.DataFrame, about: str
) -> Iterator[Figure]:
    """For each facet of one window, the AIR of its groups over the share accepted."""
    chart = partial(
        Lines,
        x=f"Share {report.accepted}",
        band=report.band,
        ideal=1.0,
        is_log=True,
        area=True,
    )
    for facet, part in split_facets(of_window):
        lines: dict[str, list[Row]] = {}
        for row in part.drop_nulls("air").iter_rows(named=True):
            lines.setdefault(row["disfavored"], []).append(row)
        if lines:
            of_one = f" of {value_in_words(next(iter(lines)))}" if len(lines) == 1 else ""
            by = f"by {facet_in_words(facet)}{about and ', '}{about}"
            spec = Spec(
                f"AIR{of_one} by share {report.accepted}, {by}",
                lambda rows: [{key: row[name] for key, name in _PLACES.items()} for row in rows],
                chart,
            )
            yield spec.figure([*lines.items()], first_of(lines, MOST_LINES))


def _tables(kind: Kind, answer: pl.DataFrame, caption: str = "By {}") -> list[Table]:
    return [*answer_tables(kind, compared(answer), caption)]


def _section(title: str, tables: Sequence[Table], *before: str) -> Section:
    more = len(tables) - _MOST_TABLES
    notes = (f"{more:,} more tables are not shown.",) if more > 0 else ()
    return Section(title, said(*before), tuple(tables[:_MOST_TABLES]), notes=notes)


def _quantiles(report: LendingReport) -> Iterator[Section]:
    if (answer := report.answers.get("quantiles")) is None:
        return
    tables: list[Table] = []
    figures: list[Figure] = []
    for window, part in split_windows(answer, _SHARE):
        figures += _quantile_figures(report, part, window)
        tables += _quantile_tables(compared(part), window, report.accepted)
    finding = _ACCEPTED.format(accepted=report.accepted)
    section = _section(f"By share {report.accepted}", tables, finding)
    yield replace(section, figures=tuple(figures[-MOST_FIGURES:]))


def _segments(report: LendingReport) -> Iterator[Section]:
    if "segments" not in report.answers:
        return
    tables = _tables("lending_segments", report.answers["segments"], "Over segments, by {}")
    yield _section(f"Within segments of {report.segments}", tables, _WITHIN)
    inside = report.answers["in_segments"]
    surest = pl.col("p_value").min().over(inside.columns[: inside.columns.index("facet")])
    by_evidence = inside.sort(surest, nulls_last=True, maintain_order=True)
    yield _section(f"In each segment of {report.segments}", _tables("lending_table", by_evidence))


def _appendix(report: LendingReport) -> Iterator[Section]:
    intervals = "No intervals were requested."
    if (confidence := report.options["confidence"]) is not None:
        intervals = f"Below each value is its {confidence_in_words(confidence)} interval, by the "
        intervals += f"Bayesian bootstrap.{_METHOD_OF_SCORES * report.has_scores}"
        intervals += _METHOD_OVER_SEGMENTS * ("segments" in report.answers)
    if any(
        is_chosen(cast("Question", report.options), facet)
        for facet in report.table["facet"].unique()
    ):
        intervals += f" {OF_ALL_PAIRS}"
    signs = " ".join(_signs(report))
    yield Section("What the columns mean", said(intervals, signs), (_columns_table(report),))
    left_out = _left_out_table(with_whole_people(report.table), report.windows)
    yield Section("Rows left out", tables=(left_out,))
    arguments = (*OF_LENDING_QUESTION, *OF_LENDING_TABLE, SHARES_ACCEPTED)
    yield Section("The question", tables=(arguments_table(report.options, arguments),))


@takes(*OF_LENDING_TABLE, SHARES_ACCEPTED, module="lending")
def report(frame: AnyFrame, **given: Unpack[LendingReportQuestion]) -> LendingReport:
    """The tables of lending as a page: the findings, each group and its reference, the limits.

    With ``score``, the page has the adverse impact ratios at several shares of accepted rows, also
    as a chart. With ``subgroup``, such as the branch or the product, it has the tests over these
    segments, and the table of each segment. These are tables, not legal advice.

    The call counts the rows at once, even those of a LazyFrame, and reads them once; with more than
    20 windows of groups known only as probabilities, twice. The page needs the extras ``report``
    and ``significance``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LendingReport
        A notebook shows it; ``write_html``, ``write_pdf`` and ``to_markdown`` write it for
        elsewhere.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.lending.report(
    ...     pf.datasets.berkeley(), facet="sex", favored="Male", predicted="admitted", count="n"
    ... )
    LendingReport('Column admitted, by sex')
    """
    options, question = options_and_question_of(given)
    roles = about_decisions(frame, question, "lending.report").roles
    facets = [facet.name for facet in roles.facets]
    has_scores, has_segments = (question.get(name) is not None for name in ("score", "subgroup"))
    metrics = ["di", *(["smd"] if has_scores else []), *(["cmh"] if has_segments else [])]
    counted = counted_once(frame, metrics, options, question)
    names = ["table", *(["quantiles"] if has_scores else [])]
    names += ["segments", "in_segments"] if has_segments else []
    answers = {}
    for name in names:
        with about("subgroup" if name == "in_segments" else ""):
            answers[name] = sort_facets(table_of(name, counted, given), facets)
    overall = audit_over_windows(counted, question, options.confidence, answers["table"])
    if overall is not None:
        answers["overall"] = sort_facets(overall, facets)
    own = (*OF_LENDING_TABLE, *([SHARES_ACCEPTED] if has_scores else []))
    return LendingReport({**question, **parted(given, own)[0]}, answers)


_LIMITS: Final = ("minimum_ratio", "maximum_points", "significance")


def _shown(given: Mapping[str, Any]) -> list[str]:
    """The tables that a question is about: with shares alone, there are no decisions."""
    has_shares = SHARES_ACCEPTED.name in given
    has_decisions = not has_shares or bool({"predicted", "threshold"} & given.keys())
    is_shown = {
        "table": has_decisions,
        "quantiles": has_shares,
        "segments": has_decisions and "subgroup" in given,
    }
    return [name for name, shows in is_shown.items() if shows]


def _notes(given: Mapping[str, Any], answer: pl.DataFrame) -> list[str]:
    if "is_flagged" not in answer.columns:
        return []
    limits = {**defaults(OF_LENDING_TABLE), **given}
    ratio, points, significance = (limits[name] for name in _LIMITS)
    return [f"flagged: air below {ratio:g}, points above {points:g} and p below {significance:g}"]


COMMAND: Final = PrescribedCommand(
    (*OF_QUESTION, *dict.fromkeys((*OF_LENDING_TABLE, *OF_QUANTILES))),
    table_of,
    report,
    shown=_shown,
    notes=_notes,
)
