"""The tables of a report, and long tables cut to their first rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, Final

import polars as pl

from polars_fairness.api.columns import CONTRIBUTIONS, Column, Format, picked
from polars_fairness.counting.rows import is_frame
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.metric import Metric, ideal_as_text, said
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.rates import RATES
from polars_fairness.question.arguments import (
    BANDS,
    BASELINE,
    COLUMN,
    COLUMNS,
    CONFIDENCE,
    FLAG,
    HOW_MANY,
    METRICS,
    MODELS,
    NAMES,
    NUMBERS,
    OF_QUESTION,
    Argument,
    Kind,
)
from polars_fairness.question.audit_arguments import HARM, OF_AUDIT, SEQUENTIAL
from polars_fairness.question.columns import Probabilities
from polars_fairness.question.scores import ThresholdLike
from polars_fairness.question.windows import POSITIVE
from polars_fairness.reporting import plain_words
from polars_fairness.reporting.findings import (
    Comparison,
    Findings,
    bounds_of,
    in_window,
    parts_of,
    window_of,
    with_intervals,
)
from polars_fairness.reporting.parts import Cell, Head, Part, Sentences, Table, numbers
from polars_fairness.reporting.words import (
    ALL_CLASSES,
    ALL_ROWS,
    UNDEFINED,
    Beside,
    band,
    column_in_words,
    comparison_in_words,
    confidence_in_words,
    groups_in_words,
    limits_in_words,
    number,
    p_value,
    points,
    score,
    share,
    share_span,
    sides_in_words,
    size,
    size_name,
    span,
    standards_of,
    value_in_words,
)
from polars_fairness.values.rates import ROWS

MOST_ROWS: Final = 14
"""How many rows a table has where the page shows the worst only: a third of a printed page."""

IN_FULL: Final = 'detail="full"'
"""How a line names the page that shows what is left out."""

_MOST_NAMES: Final = 5


def names_in_words(names: Iterable[str]) -> str:
    """The first names of several, each once, and how many more there are."""
    distinct = [*dict.fromkeys(names)]
    more = f" and {len(distinct) - _MOST_NAMES:,} more" if len(distinct) > _MOST_NAMES else ""
    return ", ".join(distinct[:_MOST_NAMES]) + more


def more_in_words(all_of_them: Sequence[object], shown: int, what: str, of_them: str = "") -> str:
    """How many of them are not shown, empty if all are.

    Examples
    --------
    >>> from polars_fairness.reporting.tables import more_in_words
    >>> more_in_words(range(20), 14, "groups", "2 of them outside")
    'Not shown: 6 more groups, 2 of them outside; detail="full" shows them.'
    >>> more_in_words(range(14), 14, "groups")
    ''
    """
    more = len(all_of_them) - shown
    if more <= 0:
        return ""
    return f"Not shown: {more:,} more {what}{of_them and ', '}{of_them}; {IN_FULL} shows them."


def cut(table: Table, what: str) -> Iterator[Part]:
    """The table, or its first rows with a line that says how many more there are."""
    yield replace(table, of=table.of[:MOST_ROWS])
    if more := more_in_words(table.rows, MOST_ROWS, what):
        yield Sentences("notes", (more,))


_MOST_SUBGROUPS: Final = 50

# An inner column: no column of a caller has such a name.
_METRICS: Final = "metrics\x1f"


def rates_of(findings: Findings) -> tuple[pl.DataFrame, list[str]]:
    """The table of rates with their intervals, and the names of the rates that are shown."""
    given = {name for name, value in findings.question.items() if value is not None}
    outcomes = {role for role in ("label", "predicted") if role in given}
    if "threshold" in given:
        outcomes.add("predicted")  # which a score decides
    shown = [name for name, rate in RATES.items() if rate.in_report and rate.needs <= outcomes]
    if findings.confidence_of_rates is not None:
        return with_intervals(findings.rated, shown, findings.confidence_of_rates), shown
    bounds = [bound for rate in shown for bound in bounds_of(rate)]
    nothing = (pl.lit(None, pl.Float64).alias(bound) for bound in bounds)
    return findings.rated.with_columns(nothing), shown


def is_of_all_rows(row: Mapping[str, Any]) -> bool:
    """Whether a row of the table of rates is about all rows, and not about a group."""
    return bool(row["facet"] == ALL)


def group_in_words(row: Mapping[str, Any]) -> str:
    """The name of a group in the table of rates."""
    return ALL_ROWS if is_of_all_rows(row) else value_in_words(row["value"])


def reconciliation_table(findings: Findings, audited: pl.DataFrame) -> Table:
    """How many rows were seen, used and left out, for each window and facet of these.

    All models decide about the same rows. Metrics that count others have a line of their own.
    """
    windows = findings.windows_of_rows
    counted = {"rows_seen": "Seen", "rows_used": "Used", "rows_dropped": "Left out"}
    rows = [
        {
            **alike.row(0, named=True),
            _METRICS: ", ".join(alike["metric"].unique(maintain_order=True)),
        }
        for part in parts_of(audited, [*windows, "facet"])
        for alike in parts_of(part, [*counted])
    ]
    places, columns = [*windows, "facet"], [*windows, "facet", *counted]
    is_by_metric = findings.audited[columns].n_unique() > findings.audited[places].n_unique()
    counted["n_unknown"] = "Weight, facet unknown" if findings.is_weighted else "Facet unknown"
    # The rates of a sequential audit are those of single windows.
    if findings.is_weighted and not findings.options.sequential:
        counted[ROWS] = "Facet unknown"
        for row in rows:
            # The number of rows whose facet is unknown, whatever their weights.
            of_window = in_window(findings.rated, window_of(row, findings.windows))
            unknown = of_window.filter(pl.col("facet") == row["facet"], pl.col("value").is_null())
            row[ROWS] = int(unknown[ROWS].sum())
    return Table(
        "Rows seen, used and left out",
        [
            Head("Facet", lambda row: row["facet"] or "no facet"),
            *window_heads(windows),
            *([Head("Metrics", itemgetter(_METRICS))] if is_by_metric else []),
            *(sized(title, name) for name, title in counted.items()),
        ],
        rows,
    )


def missing_outcomes_table(findings: Findings) -> Table:
    """How many rows of each group were left out."""
    share_left_out = lambda row: share(row["rows_dropped"] / row["n"] if row["n"] else None)  # noqa: E731
    return Table(
        "Missing outcomes by group",
        [
            *_groups(findings),
            sized("Rows", "n"),
            sized("Left out", "rows_dropped"),
            numbers("Share left out", share_left_out),
        ],
        findings.left_out.rows(named=True),
    )


def rates_table(
    findings: Findings,
    caption: str,
    rows: Sequence[Mapping[str, Any]],
    shown: Sequence[str],
    *,
    in_full: bool = False,
) -> Table:
    """The size and the rates of groups; in full, each with its facet and window."""

    def rate(name: str, row: Mapping[str, Any]) -> Cell:
        return Cell(share(row[name]), rate_span(row, name))

    def mean(name: str, row: Mapping[str, Any]) -> str:
        return number(row[name], digits=2)

    means = {name: each.title for name, each in NUMBERS_OF_GROUPS.items()}
    return Table(
        caption,
        [
            *(_groups(findings) if in_full else [Head("Group", group_in_words)]),
            *([sized("Weight", "n")] if findings.is_weighted else []),
            sized("Rows", ROWS if findings.is_weighted else "n"),
            *(numbers(RATES[name].title, partial(rate, name)) for name in shown),
            *(
                numbers(title, partial(mean, name))
                for name, title in means.items()
                if name in findings.rated.columns
            ),
        ],
        rows,
        "" if in_full else "dense",
    )


def subject_heads(findings: Findings) -> list[Head]:
    """The columns of a comparison and a row of it: the metric with its title, and the sides."""

    def metric(each: tuple[Any, ...]) -> Cell:
        name = each[1]["metric"]
        return Cell(name, findings.metric(name).title)

    return [Head("Metric", metric), Head("Comparison", lambda each: comparison_in_words(each[0]))]


def sized(title: str, name: str) -> Head:
    """A column of numbers of rows, or of their weights."""
    return numbers(title, lambda row: size(row[name]))


Writer = Callable[[Any, Beside], str]


def _both(write: Callable[[Any], str]) -> tuple[Writer, Writer]:
    """A format that is the same on a page and in a terminal."""
    return (lambda value, _: write(value),) * 2


def _rounded(digits: int) -> Writer:
    return lambda value, beside: number(value, digits, beside)


_EXACT: Final[Writer] = plain_words.number
FORMATS: Final[Mapping[Format, tuple[Writer, Writer]]] = {
    "number": (_rounded(3), _EXACT),
    "known": (_rounded(3), _EXACT),
    "product": (_rounded(4), _EXACT),
    "tenth": (_rounded(1), lambda value, _: f"{value + 0.0:.1f}"),
    "hundredth": (_rounded(2), _EXACT),
    "share": (lambda value, _: share(value), _EXACT),
    "points": (lambda value, _: points(value), _EXACT),
    "p_value": _both(p_value),
    "score": (lambda value, _: score(value), lambda value, _: plain_words.digits(value)),
    "ideal": _both(ideal_as_text),
    "size": _both(size),
    "text": _both(value_in_words),
    "verdict": (lambda pair, _: pair[1], lambda pair, _: pair[0]),
    "span": (
        lambda pair, beside: span(*pair, beside=beside),
        lambda pair, beside: plain_words.interval(pair[0], pair[1], beside),
    ),
    "shares": (
        lambda pair, _: share_span(*pair),
        lambda pair, beside: plain_words.interval(pair[0], pair[1], beside),
    ),
    "band": (lambda pair, _: band(pair), lambda pair, _: plain_words.span(pair)),
}
"""How a page and a notebook write the values of columns, and how a terminal does."""

_UNDEFINED: Final = ("number", "product", "tenth", "hundredth", "share")
_NO_TEXT: Final = "–"


def written(column: Column, row: Mapping[str, Any], *, in_terminal: bool = False) -> str:
    """The value of a row in a column as text, beside the numbers that its side of is shown.

    A word may stand in place of a number.
    """
    value = row[column.name]
    if isinstance(value, str):
        return value
    if value is None:
        return "" if in_terminal else UNDEFINED if column.format in _UNDEFINED else _NO_TEXT
    beside: Beside = column.beside
    if column.name in ("value", "interval", "reference") and "band_lower" in row:
        beside = standards_of(row)
    text = FORMATS[column.format][in_terminal](value, beside)
    return text if in_terminal else text or _NO_TEXT


def heads_of(columns: Sequence[Column], bounded: str = "") -> list[Head]:
    """Columns of values, each beside its interval; ``lower`` and ``upper`` are of ``bounded``."""
    starts = ("" if each.name == bounded else f"{each.name}_" for each in columns)
    return [
        Head(each.label, partial(_valued, each, start), each.format not in ("text", "verdict"))
        for each, start in zip(columns, starts, strict=True)
    ]


def _valued(column: Column, start: str, row: Mapping[str, Any]) -> Cell | str:
    """The value of a row beside its interval; a row without the column has an empty cell."""
    if column.name not in row:
        return ""
    if column.format == "verdict":
        tone = row["tones"][column.name]
        return Cell(written(column, row), tone="" if tone == "within" else tone)
    low, high = (row.get(f"{start}{end}") for end in ("lower", "upper"))
    digits = 1 if column.format == "tenth" else 3
    bounds = share_span(low, high) if column.format == "share" else span(low, high, digits=digits)
    return Cell(written(column, row), bounds)


def rate_span(row: Mapping[str, Any], rate: str) -> str:
    """The interval of a rate as text, empty if it has none."""
    return share_span(*(row[bound] for bound in bounds_of(rate)))


def definitions_table(metrics: Mapping[str, Metric]) -> Table:
    """The definitions of the metrics, one row for each."""

    def definition(each: tuple[str, Metric]) -> Cell:
        metric = each[1]
        groups = f"g over {groups_in_words(metric.parsed.groups)}" if metric.is_joint else ""
        return Cell(metric.definition, groups)

    return Table(
        "Definitions",
        [
            Head("Metric", lambda each: Cell(each[0], each[1].title)),
            Head("Definition", definition),
            Head("Range", lambda each: limits_in_words(each[1])),
            Head("Above the ideal", lambda each: said(each[1].above)),
            Head("Below the ideal", lambda each: said(each[1].below)),
            Head("Source", lambda each: each[1].source),
        ],
        [*metrics.items()],
    )


def contributions_table(
    name: str, comparisons: Sequence[Comparison], most: int = _MOST_SUBGROUPS
) -> Table:
    """The largest contributions of subgroups to a conditional metric, in all comparisons."""
    table = comparisons[0].table
    measures = table.columns[table.columns.index("n") :]
    shares = [column for column in measures if column.startswith("share_of_")]
    is_several = len(comparisons) > 1
    whose = "Group" if is_several else comparisons[0].disfavored
    titled = [
        replace(each, label=f"{whose}’s {each.name.replace('_', ' ')}")
        for each in picked(CONTRIBUTIONS, *shares)
    ]
    rows = [
        {**row, "subgroup": subgroup, "sides": sides_in_words(comparison)}
        for comparison in comparisons
        for subgroup, row in subgroups_of(comparison, most)
    ]
    if is_several:
        rows.sort(key=lambda row: -abs(row["contribution"] or 0))
    about = comparisons[0].facet if is_several else comparison_in_words(comparisons[0])
    return Table(
        f"{name} by subgroup, {about}",
        [
            Head("Subgroup", itemgetter("subgroup")),
            *([Head("Groups", itemgetter("sides"))] if is_several else []),
            sized(size_name(0.0 if table["n"].dtype.is_float() else 0), "n"),
            *heads_of([*titled, *picked(CONTRIBUTIONS, "value", "contribution")]),
        ],
        rows[:most],
    )


def strata_of(decomposed: pl.DataFrame) -> list[str]:
    """The columns of an answer of `decompose` that name a subgroup."""
    columns = decomposed.columns
    return columns[columns.index("favored") + 1 : columns.index("n")]


def subgroups_of(comparison: Comparison, most: int) -> Iterable[tuple[str, dict[str, Any]]]:
    """The subgroups with the largest contributions, each by its name with its row."""
    names = strata_of(comparison.table)
    for row in comparison.table.head(most).iter_rows(named=True):
        yield " & ".join(value_in_words(row[name]) for name in names), row


def left_out_of(comparison: Comparison) -> list[str]:
    """How many subgroups are not in the table, if any."""
    more = comparison.table.height - _MOST_SUBGROUPS
    return [f"{more:,} more subgroups have smaller contributions."] if more > 0 else []


def _groups(findings: Findings) -> list[Head]:
    """The columns that say which group a row of the table of rates is about."""
    facet = Head("Facet", lambda row: "–" if is_of_all_rows(row) else row["facet"])
    return [Head("Group", group_in_words), facet, *window_heads(findings.windows)]


def window_heads(names: Iterable[str]) -> list[Head]:
    """A column for each window of a row."""

    def value(name: str, row: Mapping[str, Any]) -> str:
        is_of_all = (name, row[name]) == (POSITIVE, None)
        return ALL_CLASSES if is_of_all else value_in_words(row[name])

    return [Head(name, partial(value, name)) for name in names]


_MOST_NUMBERS: Final = 10


def question_table(findings: Findings) -> Table:
    """The arguments that have a part in the answer, with what was given and what it means."""
    given = {
        **findings.question,
        **vars(findings.options),
        METRICS.name: findings.requested,
        HARM.name: findings.harm,
    }
    return arguments_table(given, (*OF_QUESTION, METRICS, *OF_AUDIT, HARM))


def arguments_table(given: Mapping[str, Any], arguments: Iterable[Argument]) -> Table:
    """The table of some arguments, with what was given for each.

    The options of what is switched off have no part in the answer.
    """
    shown = []
    for row in arguments:
        nothing = False if row.kind is FLAG else None
        is_left_out = row.default is nothing and given.get(row.name) is nothing
        # Sequential audits have intervals of their own, in place of the parts of the others.
        is_off = row.part_of and (given[row.part_of] is None or given.get(SEQUENTIAL.name))
        if row.name in given and not is_left_out and not is_off:
            shown.append(row)
    return Table(
        "The question, argument by argument",
        [
            Head("Argument", lambda row: row.name),
            Head("Given", lambda row: _WRITERS.get(row.kind, _values)(given[row.name])),
            Head("Meaning", lambda row: row.sentence.replace("`", "")),
        ],
        shown,
    )


def _columns(given: object) -> str:
    if isinstance(given, Mapping):
        return "; ".join(f"{model}: {_columns(column)}" for model, column in given.items())
    if isinstance(given, list | tuple):
        return ", ".join(map(_columns, given))
    name = column_in_words(given)
    if isinstance(given, Probabilities):
        return f"{name}, in probability: {_values(given.columns)}"
    is_computed = isinstance(given, pl.Expr) and not given.meta.is_column()
    return f"{name}, computed as {given}" if is_computed else name


def _values(given: object) -> str:
    if isinstance(given, Mapping):
        return "; ".join(f"{key}: {_values(value)}" for key, value in given.items())
    if isinstance(given, list | tuple | set | frozenset):
        return ", ".join(map(_values, given))
    return str(given)


def _numbers(given: ThresholdLike) -> str:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) <= _MOST_NUMBERS:
        return _values(given)
    return f"{len(given):,} from {min(given):g} to {max(given):g}"


def _metrics(metrics: tuple[str | Metric, ...]) -> str:
    names = [metric if isinstance(metric, str) else metric.name for metric in metrics]
    return ", ".join(names) or "all that the columns given allow"


_WRITERS: Final[Mapping[Kind, Callable[[Any], str]]] = {
    COLUMN: _columns,
    COLUMNS: _columns,
    MODELS: _columns,
    NAMES: _metrics,
    NUMBERS: _numbers,
    CONFIDENCE: lambda each: "no intervals" if each is None else confidence_in_words(each),
    HOW_MANY: "{:,}".format,
    BANDS: lambda bands: "; ".join(f"{name}: {band(limits)}" for name, limits in bands.items()),
    BASELINE: lambda each: f"a {type(each).__name__}" if is_frame(each) else _values(each),
}
