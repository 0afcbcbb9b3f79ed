"""The page about pay: one to publish, with the two gaps and the quarters, and an appendix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Self, Unpack

import polars as pl

from polars_fairness.answers.rates import rates
from polars_fairness.api.columns import PAY, names_of
from polars_fairness.api.signatures import takes
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import listed
from polars_fairness.pay.arguments import DIRECTIVE, OF_PAY, OF_WORKERS, PayQuestion
from polars_fairness.pay.tables import NOT_OF_PAY, digest_of_workers, rows_of_workers, table
from polars_fairness.question.arguments import defaults
from polars_fairness.question.author_words import AuthorWords
from polars_fairness.reporting.answer_tables import (
    Answer,
    bounds_of_quarter,
    chance_of_gaps,
    grouped_rows,
    lay_out,
    people,
    people_of_quarter,
)
from polars_fairness.reporting.document import (
    ALONE,
    NO_ADVICE,
    PrescribedCommand,
    PrescribedReport,
    called,
    split_facets,
    split_windows,
)
from polars_fairness.reporting.parts import (
    Cell,
    Dot,
    Paragraph,
    Row,
    Section,
    Sentence,
    Table,
    numbers,
    said,
    texts,
)
from polars_fairness.reporting.scales import SHARES, Scale
from polars_fairness.reporting.tables import arguments_table
from polars_fairness.reporting.words import (
    NOTHING,
    PERCENT,
    column_in_words,
    confidence_in_words,
    facet_in_words,
    money,
    number,
    share,
    share_span,
    unmeasured_in_words,
    value_in_words,
)

_RULES: Final = {
    "eu": f"article 9(1) of Directive (EU) 2023/970, {DIRECTIVE}",
    "uk": "regulation 2(1) of the Equality Act 2010 (Gender Pay Gap Information) Regulations 2017",
}
_READ: Final = (
    "A gap is the mean or median of the favored group minus that of the other group, divided by "
    "that of the favored group: above 0, the other group is paid less. At equal controls, it is 1 "
    "minus the ratio of geometric means, by a regression of the logarithm of pay.",
    "Variable pay of all workers counts 0 for those who receive none; variable pay received is "
    "about those who receive any.",
    "Quarters are four equal parts of all workers in order of total pay. Workers with equal pay on "
    "the border of two quarters count in both, in proportion. Shares are of the workers whose "
    "group is known.",
    "A gap of a category is flagged if it is 5 % or more, in either direction. No side is named if "
    "the interval contains 0.",
)
_OF_DIRECTIVE: Final = (
    f"In Directive (EU) 2023/970 ({DIRECTIVE}), article 3(1) defines pay, pay level, the gaps, "
    "quartile pay bands and categories of workers: a pay level is gross annual pay and the "
    "corresponding gross hourly pay. Article 9(1) has the numbers (a) to (g). Article 10(1) "
    "requires a joint pay assessment if the average pay level of a category differs by 5 % or "
    "more, objective criteria do not justify it, and it is not remedied within six months."
)
_INTERVALS: Final = (
    "Intervals are {} intervals: for shares Wilson’s, for gaps 1 minus that of the ratio. They "
    "show the variation by chance if these workers were drawn at random."
)
_AS_GIVEN: Final = {
    "eu": "The hourly half of (a) to (d), (f) and (g) is missing, since no hours are given. "
    "Part-time workers have less annual pay for this reason alone.",
    "uk": "Pay is taken as hourly pay. If it is monthly or annual, part-time workers have less for "
    "this reason alone.",
}
_QUARTERS: Final = {
    1: "Lowest quarter",
    2: "Second quarter",
    3: "Third quarter",
    4: "Highest quarter",
}
_MOST_WINDOWS: Final = 4


@dataclass(frozen=True, eq=False, repr=False)
class PayReport(PrescribedReport):
    """The result of `pay.report`; a notebook shows it as a page."""

    kind: ClassVar = "Gaps in pay"

    digest: str
    """The SHA-256 of the rows of workers, sorted, with the columns of the question."""
    hours: pl.DataFrame | None
    """The mean hours of each group, and the share with fewer than most have; None without hours."""

    @property
    def title(self) -> str:
        """The title of a page that was given none."""
        return f"Pay by {column_in_words(self.options['facet'])}"

    @property
    def details(self) -> tuple[str, ...]:
        """The column of pay."""
        return (f"Pay: column {column_in_words(self.options['pay'])}",)

    @property
    def last(self) -> tuple[str, ...]:
        """What stands below all sections."""
        return (f"SHA-256 of the data of the workers: {self.digest}",)

    def called(self, words: AuthorWords) -> Self:
        """The report with the author's words for groups in its tables, also of hours."""
        hours = self.hours
        return replace(super().called(words), hours=None if hours is None else called(hours, words))

    def sections(self) -> Iterator[Section]:
        """The first page, and the sections below it."""
        options, table = self.options, self.answers["table"]
        windows = [*split_windows(table)]
        shown = windows[-_MOST_WINDOWS:]
        sentences = [each for window in shown for each in _headline(self, *window)]
        is_own = pl.col("point") == "g"
        first = [_quarters(*each) for each in shown] + [
            [_table("All workers", *each, ~is_own)] for each in shown
        ]
        facts = (f"The numbers are those of {_RULES[options['rule']]}.", *_hours(self))
        paragraphs = tuple(Paragraph((each,)) for each in sentences) or said(NOTHING)
        tables = tuple(each for tables in first for each in tables)
        yield Section("", paragraphs, tables, notes=(*facts, NO_ADVICE), is_sheet=True)
        if options["category"] is not None:
            own = tuple(_table("Each category", *each, is_own) for each in windows)
            yield Section("Appendix: the categories", tables=own)
        earlier = tuple(_table("All workers", *each, ~is_own) for each in windows[:-_MOST_WINDOWS])
        yield Section("Appendix: earlier windows", tables=earlier)
        read = [*_READ]
        if options["rule"] == "eu":
            read.insert(0, _OF_DIRECTIVE)
        if (confidence := options["confidence"]) is not None:
            read.append(_INTERVALS.format(confidence_in_words(confidence)))
        if notes := table["note"].drop_nulls().unique(maintain_order=True).to_list():
            read.append(f"Notes on numbers: {'; '.join(notes)}.")
        yield Section("Appendix: how the numbers are read", said(*read))
        question = arguments_table(options, (*OF_WORKERS, *OF_PAY))
        yield Section("Appendix: the question", tables=(question,))


def _compared(row: Row, than: str) -> str:
    """A gap in words, without a direction if the interval contains 0."""
    if row["value"] is None and (row["note"] or "").startswith("fewer"):
        return f"is not compared with that of {than}, since there are too few workers"
    if row["value"] is None:
        return f"has no gap relative to that of {than}"
    if _holds_zero(row):
        return f"does not differ significantly from that of {than} (a gap of {_gap(row)})"
    return f"is {_gap(row)} that of {than}"


def _holds_zero(row: Row) -> bool:
    return row["lower"] is not None and row["lower"] <= 0 <= row["upper"]


def _gap(row: Row) -> str:
    """A gap with its interval: how far below or above; signed if the interval contains 0."""
    value = row["value"]
    if _holds_zero(row):
        return f"{share(value, beside=(0.05,))}, {share_span(row['lower'], row['upper'])}"
    sign, way = (1, "below") if value >= 0 else (-1, "above")
    ends = sorted(sign * row[end] for end in ("lower", "upper") if row[end] is not None)
    bounds = f" ({share_span(*ends)})" if ends else ""
    return f"{share(sign * value, beside=(0.05,))} {way}{bounds}"


def _about(facet: str, window: str) -> str:
    return ", ".join(filter(None, [facet_in_words(facet), window]))


def _headline(report: PayReport, window: str, table: pl.DataFrame) -> Iterator[Sentence]:
    """The gaps of each group of one window, then the categories beyond five per cent."""
    is_compared = (pl.col("measure").str.ends_with("_gap")) & pl.col("favored").is_not_null()
    given = report.options["controls"]
    names = [*given] if isinstance(given, Mapping | list | tuple) else [given]
    controls = listed(map(column_in_words, names), write=str)
    for facet, part in split_facets(table):
        about = _about(facet, window)
        rows = part.filter(is_compared).rows(named=True)
        if not rows:
            yield Sentence(f"By {about}: {ALONE[0].lower()}{ALONE[1:]}")
        for (group, _), of_pair in grouped_rows(rows, "disfavored", "favored").items():
            of_all = [row for row in of_pair if row["point"] != "g" and row["pay"] == "total"]
            for of_form in grouped_rows(of_all, "form").values():
                yield _gaps_of(of_form, about, controls)
                for row in of_form:
                    if row.get("robustness"):
                        edge = f"a gap of 0{PERCENT}"
                        of_facet = facet_in_words(facet)
                        text = unmeasured_in_words(row, of_facet, "pay", edge)
                        yield Sentence(text, (_key(row),))
            of_categories = [row for row in of_pair if row["point"] == "g"]
            yield from _beyond(of_categories, controls, f"{value_in_words(group)} by {about}")


def _gaps_of(rows: Sequence[Row], about: str, controls: str) -> Sentence:
    """The gaps of one group in one form of pay, with what they compare."""
    said = []
    for row in sorted(rows, key=lambda row: row["measure"] == "adjusted_gap"):
        group, favored = (value_in_words(row[side]) for side in ("disfavored", "favored"))
        if row["measure"] == "adjusted_gap":
            said.append(f"at equal {controls}, the pay of {group} {_compared(row, favored)}")
            continue
        of_sides = (row[f"amount_{side}"] for side in ("disfavored", "favored"))
        amounts = ("" if each is None else f", {money(each)}," for each in of_sides)
        what = f"the {row['measure'].removesuffix('_gap')} {row['form']} pay of {group}"
        said.append(
            f"{what}{next(amounts)} {_compared(row, favored + next(amounts).removesuffix(','))}"
        )
    return Sentence(f"By {about}, {'; '.join(said)}.", tuple(map(_key, rows)))


def _beyond(rows: Sequence[Row], controls: str, about: str) -> Iterator[Sentence]:
    """The categories whose gap is five per cent or more, with their workers and what is left."""
    left = {(row["category"], row["form"]): row for row in rows if row["measure"] == "adjusted_gap"}
    gaps = [row for row in rows if row["measure"] == "mean_gap"]
    counted = []
    for (pay, form), of_pay in grouped_rows(gaps, "pay", "form").items():
        large = [row for row in of_pay if row["is_five_percent_or_more"]]
        judged = sum(row["value"] is not None for row in of_pay)
        counts = f"{len(large):,} of {judged:,} categories"
        if pay != "total":
            counted.append(f"{form} {pay} pay, {counts}")
            continue
        beyond = []
        for row in large:
            category, sides = row["category"], (row["disfavored"], row["favored"])
            n = (row["n_disfavored"], row["n_favored"])
            workers = " and ".join(
                f"{people(each)} {value_in_words(side)}"
                for each, side in zip(n, sides, strict=True)
            )
            adjusted = left.get((category, form))
            held = f"; at equal {controls}, {_gap(adjusted)}" if adjusted else ""
            beyond.append(f"{value_in_words(category)} ({workers}), {_gap(row)}{held}")
        named = f": {'; '.join(beyond)}" if beyond else ""
        text = f"Gaps of 5{PERCENT} or more in {form} total pay of {about}: {counts}{named}."
        yield Sentence(text, tuple(map(_key, of_pay)), counts=True)
    if counted:
        text = f"Gaps of 5{PERCENT} or more in parts of the pay of {about}: {'; '.join(counted)}."
        yield Sentence(text, tuple(map(_key, gaps)), counts=True)
    for text in chance_of_gaps(gaps):
        yield Sentence(text, tuple(map(_key, gaps)), counts=True)
    few = {row["category"] for row in gaps if (row["note"] or "").startswith("fewer")}
    if few:
        named = ", ".join(sorted(map(value_in_words, few)))
        yield Sentence(f"Categories with too few workers for a gap of {about}: {named}.")


def _quarters(window: str, table: pl.DataFrame) -> list[Table]:
    """The share of each group but the favored one in each quarter of pay, the highest first."""
    is_share, tables = pl.col("measure") == "share_of_quarter", []
    for facet, part in split_facets(table):
        favored = {*part["favored"]} - {None}
        shares = part.filter(is_share, ~pl.col("disfavored").is_in([*favored])).rows(named=True)
        for (group, form), rows in grouped_rows(shares, "disfavored", "form").items():
            overall = sum(row["value"] or 0 for row in rows) / len(rows)
            scale = Scale(SHARES, None, overall, 100, PERCENT)
            shown = [
                {
                    "quarter": Cell(_QUARTERS[row["quarter"]]),
                    "pay": Cell(bounds_of_quarter(row)),
                    "share": Cell(
                        people_of_quarter(row),
                        ", ".join(filter(None, (share(row["value"]), share_span(*ends)))),
                    ),
                    "dots": {"share": Dot(scale, row["value"], *ends)},
                }
                for row in reversed(rows)
                for ends in [(row["lower"], row["upper"])]
            ]
            columns = texts(quarter="", pay=f"{form.capitalize()} pay")
            columns += numbers(share=value_in_words(group))
            of_group = f"Share of {value_in_words(group)} in each quarter of {form} pay"
            caption = f"{of_group}, by {_about(facet, window)}"
            notes = [f"Dashed: the mean of all quarters, {share(overall)}."]
            tables.append(Table(columns, shown, caption, notes, "groups", ("share",)))
    return tables


def _table(caption: str, window: str, table: pl.DataFrame, which: pl.Expr) -> Table:
    """Numbers as a table, with a heading above those of one kind."""
    shown = table.filter(which)
    layout = lay_out(Answer("pay_table", shown))
    about = f"{caption}{window and ', '}{window}"
    rows = [{**row, "key": _key(row)} for row in layout.rows]
    notes = [*chance_of_gaps(shown.iter_rows(named=True))]
    return replace(layout, rows=rows, caption=about, notes=notes, look="prescribed")


def _key(row: Row) -> str:
    names = (*names_of(PAY[:7]), "disfavored", "favored")
    windows = [*row][: [*row].index("facet")]
    return "/".join(str(row[name]) for name in (*windows, *names))


def _hours(report: PayReport) -> Iterator[str]:
    """Whether pay was divided by hours, and who works part time."""
    if report.hours is None:
        yield _AS_GIVEN[report.options["rule"]]
        return
    yield f"Hourly pay is pay divided by {column_in_words(report.options['hours'])}."
    for window, part in split_windows(report.hours):
        for facet, groups in split_facets(part):
            each = [
                f"{value_in_words(row['value'])} have {number(row['observed_mean'], 0)} hours on "
                f"average, and {share(row['selection_rate'])} of them work fewer than the most "
                "common number of hours"
                for row in groups.drop_nulls("value").rows(named=True)
            ]
            yield f"By {_about(facet, window)}: {'; '.join(each)}."


@takes(*OF_PAY, shared=OF_WORKERS, module="pay", refused=NOT_OF_PAY)
def report(frame: AnyFrame, **given: Unpack[PayQuestion]) -> PayReport:
    """The numbers about pay as a page: one that an employer can publish, and an appendix.

    The first page has the two gaps, the quarters as a figure, the categories whose gap is 5 % or
    more with their workers, and all numbers except those by category. The appendix has the numbers
    by category, and how each number follows the rule. These are numbers, not legal advice.

    The call reads the rows at once, even those of a LazyFrame. The page needs the extra ``report``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    PayReport
        A notebook shows it; ``write_html``, ``write_pdf`` and ``to_markdown`` write it for
        elsewhere.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.pay.report(pf.datasets.salaries(), facet="sex", pay="total_pay", hours="hours")
    PayReport('Pay by sex')
    """
    rows = rows_of_workers(frame, given).collect(engine="streaming")
    options = {**defaults((*OF_WORKERS, *OF_PAY)), **given}
    tables = {"table": table(rows, **given)}
    return PayReport(options, tables, digest_of_workers(rows, options), _hours_of(rows, options))


def _hours_of(rows: pl.DataFrame, options: Mapping[str, Any]) -> pl.DataFrame | None:
    """The mean hours of each group, and the share of it with fewer than most workers have."""
    if (given := options["hours"]) is None:
        return None
    hours = pl.col(given) if isinstance(given, str) else given
    names = ("facet", "unknown", "by", "nulls")
    question: Any = {name: options[name] for name in names if options[name] is not None}
    most = hours.mode().min()
    return rates(rows, observed=hours, predicted=hours < most, **question).filter(
        pl.col("facet") != "(all)"
    )


COMMAND: Final = PrescribedCommand(
    (*OF_WORKERS, *OF_PAY), lambda _, rows, given: table(rows, **given), report
)
