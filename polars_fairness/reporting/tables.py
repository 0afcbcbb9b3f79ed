"""How tables write their cells, long tables cut to their first rows, and tables of a report."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice, zip_longest
from math import inf
from textwrap import TextWrapper
from typing import Any, Final

import polars as pl

from polars_fairness.api.columns import (
    RATED,
    TEXTS,
    Column,
    Columns,
    Format,
    picked,
)
from polars_fairness.api.verdicts import TONES
from polars_fairness.counting.rows import is_frame
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import listed
from polars_fairness.formula.metric import Metric, ideal_as_text, said
from polars_fairness.formula.sides import RATES
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
from polars_fairness.question.audit_arguments import EXAMINED_COLUMNS, HARM, OF_AUDIT, SEQUENTIAL
from polars_fairness.question.columns import Probabilities
from polars_fairness.question.scores import ThresholdLike
from polars_fairness.question.windows import POSITIVE
from polars_fairness.reporting.answers import (
    Answers,
    with_intervals,
    with_whole_people,
)
from polars_fairness.reporting.parts import Cell, Row, Table, isolated, printable
from polars_fairness.reporting.words import (
    ALL_CLASSES,
    ALL_ROWS,
    NOTHING,
    UNDEFINED,
    Beside,
    band,
    column_in_words,
    confidence_in_words,
    decimals,
    digits,
    exact,
    exact_band,
    exact_span,
    groups_in_words,
    money,
    number,
    p_value,
    points,
    score,
    share,
    share_span,
    size,
    span,
    standards_of,
    value_in_words,
)


def rates_of(answers: Answers) -> tuple[pl.DataFrame, list[str]]:
    """The table of rates with their intervals, and the names of the rates that are shown."""
    given = {name for name, value in answers.question.items() if value is not None}
    outcomes = {role for role in ("label", "predicted") if role in given}
    if "threshold" in given:
        outcomes.add("predicted")  # which a score decides
    shown = [name for name, rate in RATES.items() if rate.in_report and rate.needs <= outcomes]
    rated = answers.rated if answers.is_weighted else with_whole_people(answers.rated)
    return with_intervals(rated, shown, answers.confidence_of_rates), shown


def is_of_all_rows(row: Mapping[str, Any]) -> bool:
    """Whether a row of the table of rates is about all rows, and not about a group."""
    return bool(row["facet"] == ALL)


def group_in_words(row: Mapping[str, Any]) -> str:
    """The name of a group in the table of rates."""
    return ALL_ROWS if is_of_all_rows(row) else value_in_words(row["value"])


Writer = Callable[[Any, Beside], str]


def _both(write: Callable[[Any], str]) -> tuple[Writer, Writer]:
    """A format that is the same on a page and in a terminal."""
    return (lambda value, _: write(value),) * 2


def _rounded(digits: int) -> Writer:
    return lambda value, beside: number(value, digits, beside)


FORMATS: Final[Mapping[Format, tuple[Writer, Writer]]] = {
    "number": (_rounded(3), exact),
    "known": (_rounded(3), exact),
    "product": (_rounded(4), exact),
    "tenth": (_rounded(1), lambda value, beside: f"{value + 0.0:.{decimals(value, 1, beside)}f}"),
    "hundredth": (_rounded(2), exact),
    "share": (lambda value, _: share(value), exact),
    "points": (lambda value, _: points(value), exact),
    "money": _both(money),
    "p_value": _both(p_value),
    "score": (lambda value, _: score(value), lambda value, _: digits(value)),
    "ideal": _both(ideal_as_text),
    "size": _both(size),
    "text": _both(value_in_words),
    "verdict": (lambda pair, _: pair[1], lambda pair, _: pair[0]),
    "span": (
        lambda pair, beside: span(*pair, beside=beside),
        lambda pair, beside: exact_span(pair[0], pair[1], beside),
    ),
    "shares": (
        lambda pair, _: share_span(*pair),
        lambda pair, beside: exact_span(pair[0], pair[1], beside),
    ),
    "band": (lambda pair, _: band(pair), lambda pair, _: exact_band(pair)),
}
"""How a page and a notebook write the values of columns, and how a terminal does."""

_PAIRS: Final = ("span", "shares", "band")
_UNDEFINED: Final = ("number", "product", "tenth", "hundredth", "share")
_NO_TEXT: Final = "–"


def cell_of(column: Column, row: Row) -> Cell:
    """What every table says of a row in a column, beside the numbers that its side of is shown.

    A `Cell` stands as it is, and a word in place of a number. A row without the column has an empty
    cell.
    """
    is_pair = column.format in _PAIRS and bool(column.bounds)
    ends = tuple(row.get(end) for end in column.bounds)
    value: Any = row.get(column.name)
    if is_pair:
        value = None if ends == (None, None) else ends
    if isinstance(value, Cell):
        return value
    if isinstance(value, str):
        return Cell(value_in_words(value) if column.format == "text" else value, exact=value)
    if value is None:
        if column.name not in row and not is_pair:
            return Cell("")
        return Cell(UNDEFINED if column.format in _UNDEFINED else _NO_TEXT, exact="")
    is_judged = column.name in ("value", "interval", "reference") and "band_lower" in row
    beside = standards_of(row) if is_judged else column.beside
    text, exact_text = (write(value, beside) for write in FORMATS[column.format])
    interval = ""
    if column.bounds and not is_pair:
        places = 1 if column.format == "tenth" else 3
        is_share = column.format == "share"
        interval = share_span(*ends) if is_share else span(*ends, digits=places, beside=beside)
    tone = row["tones"][column.name] if column.format == "verdict" else ""
    return Cell(text or _NO_TEXT, interval, tone, exact=exact_text)


def page_columns(table: Table) -> Columns:
    """The columns that a page has room for."""
    return tuple(
        replace(each, label=isolated(each.label)) for each in table.columns if each.on_page
    )


def blocks(rows: Iterable[Row]) -> Iterator[tuple[str, list[Row]]]:
    """The rows of a table below each heading, empty without one."""
    for under, block in groupby(rows, lambda row: str(row.get("under", ""))):
        yield under, [*block]


def is_number(column: Column) -> bool:
    """Whether a page writes a column on the right."""
    return column.format == "band" or column.format not in TEXTS


def definitions_table(metrics: Mapping[str, Metric]) -> Table:
    """The definitions of the metrics, one row for each."""
    titles = ("Metric", "Definition", "Range", "Above the ideal", "Below the ideal", "Source")
    rows = []
    for name, metric in metrics.items():
        groups = f"g over {groups_in_words(metric.parsed.groups)}" if metric.is_joint else ""
        rows.append(
            (
                Cell(name, metric.title),
                Cell(metric.definition, groups),
                "any" if metric.range == (-inf, inf) else band(metric.range),
                said(metric.above),
                said(metric.below),
                metric.source,
            )
        )
    return text_table("Definitions", titles, rows)


def text_table(
    caption: str, titles: Sequence[str], rows: Iterable[Sequence[Cell | str]], key: str = ""
) -> Table:
    """A table of texts below these titles, whose rows have one key."""
    columns = tuple(Column(str(i), type="text", label=title) for i, title in enumerate(titles))
    # Numbers for names: titles may be any.
    texts = (
        {str(i): each if isinstance(each, Cell) else Cell(each) for i, each in enumerate(row)}
        | ({"key": key} if key else {})
        for row in rows
    )
    return Table(columns, [*texts], caption, look="texts")


def group_columns(answers: Answers) -> Columns:
    """The columns that say which group a row of the table of rates is about."""
    group, facet = picked(RATED, "value", "facet")
    return replace(group, label="Group"), facet, *window_columns(answers.windows)


def named_row(answers: Answers, row: Row) -> dict[str, Any]:
    """A row of the table of rates with what names its group."""
    facet = None if is_of_all_rows(row) else row["facet"]
    return {**with_windows(row, answers.windows), "value": group_in_words(row), "facet": facet}


def window_columns(names: Iterable[str]) -> Columns:
    """A column for each window of a row."""
    return tuple(Column(name, type="text", label=value_in_words(name)) for name in names)


def with_windows(row: Row, names: Iterable[str]) -> dict[str, Any]:
    """A row with the values of its windows as text."""
    is_of_all = (POSITIVE, None)
    return {
        **row,
        **{
            name: ALL_CLASSES if (name, row[name]) == is_of_all else value_in_words(row[name])
            for name in names
        },
    }


_MOST_NUMBERS: Final = 10


def _of_report() -> tuple[Argument, ...]:
    return (*OF_QUESTION, METRICS, *OF_AUDIT, HARM, EXAMINED_COLUMNS)


def question_table(answers: Answers) -> Table:
    """The arguments that have a part in the answer, with what was given and what it means."""
    return arguments_table(_given(answers), _of_report())


def question_given(answers: Answers) -> dict[str, str]:
    """What was given for each argument that has a part in the answer, as text."""
    given = _given(answers)
    return {each.name: given_in_words(each, given) for each in _with_part(given, _of_report())}


def _given(answers: Answers) -> dict[str, Any]:
    own: dict[str, Any] = {METRICS.name: answers.requested, HARM.name: answers.harm}
    if not answers.examined.is_empty():
        of_columns = answers.examined.filter(check="proxy")["column"]
        own[EXAMINED_COLUMNS.name] = [*of_columns.unique(maintain_order=True)]
    return {**answers.question, **vars(answers.options), **own}


def arguments_table(given: Mapping[str, Any], arguments: Iterable[Argument]) -> Table:
    """The table of some arguments, with what was given for each."""
    titles = ("Argument", "Given", "Meaning")
    rows = [
        (row.name, given_in_words(row, given), row.sentence.replace("`", ""))
        for row in _with_part(given, arguments)
    ]
    return text_table("The question, argument by argument", titles, rows)


def _with_part(given: Mapping[str, Any], arguments: Iterable[Argument]) -> Iterator[Argument]:
    """The arguments that have a part in the answer; the options of what is off have none."""
    for row in arguments:
        nothing = False if row.kind is FLAG else None
        is_left_out = row.default is nothing and given.get(row.name) is nothing
        # Sequential audits have intervals of their own, in place of the parts of the others.
        is_off = row.part_of and (given[row.part_of] is None or given.get(SEQUENTIAL.name))
        if row.name in given and not is_left_out and not is_off:
            yield row


def given_in_words(argument: Argument, given: Mapping[str, Any]) -> str:
    """What was given for an argument, as text."""
    return _WRITERS.get(argument.kind, _values)(given[argument.name])


def _columns(given: object) -> str:
    if isinstance(given, Mapping):
        return "; ".join(f"{value_in_words(key)}: {_columns(of)}" for key, of in given.items())
    if isinstance(given, list | tuple):
        return ", ".join(map(_columns, given))
    name = column_in_words(given)
    if isinstance(given, Probabilities):
        return f"{name}, in probability: {_values(given.columns)}"
    is_computed = isinstance(given, pl.Expr) and not given.meta.is_column()
    return f"{name}, computed as {given}" if is_computed else name


def _values(given: object) -> str:
    if isinstance(given, Mapping):
        return "; ".join(f"{value_in_words(key)}: {_values(of)}" for key, of in given.items())
    if isinstance(given, list | tuple | set | frozenset):
        return ", ".join(map(_values, given))
    return value_in_words(given)


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


_GAP: Final = "  "


def terminal_text(tables: Iterable[Table], width: int, most: int | None = None) -> str:
    """Tables below each other, in colour where stdout is a terminal that shows colours."""
    # https://no-color.org
    has_colours = sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    texts = (text_of(each, width, in_colour=has_colours, most=most) for each in tables)
    return "\n\n".join(texts)


_JUDGED_BY: Final = ("interval", "band")
"""What a value is judged by: where a terminal has no room for it, a line says so."""


def text_of(table: Table, width: int, *, in_colour: bool = False, most: int | None = None) -> str:
    """The rows of a table in blocks, each below its heading, and its notes; the first of many.

    Wide columns are left out, the last one first, if other columns would have to shrink.
    """
    rows = table.rows[:most]
    if not rows:
        return NOTHING
    columns = [replace(each, title=printable(each.title)) for each in table.columns]
    cells = {each.name: [cell_of(each, row) for row in rows] for each in columns}
    texts = {name: [printable(cell.in_terminal) for cell in of] for name, of in cells.items()}
    indent = _GAP if any(under for under, _ in blocks(rows)) else ""
    widths = _fitted(columns, texts, width - len(indent))
    left_out = [
        each.title
        for each in columns
        if each.name not in widths and each.name.split()[-1] in _JUDGED_BY
    ]
    columns = [each for each in columns if each.name in widths]

    def line(of_columns: Iterable[str], colours: Sequence[str]) -> str:
        broken = [
            wrapped(text, widths[each.name], "")
            for text, each in zip(of_columns, columns, strict=True)
        ]
        lines = []
        for parts in zip_longest(*broken, fillvalue=""):
            padded = [
                part.ljust(widths[each.name])
                if each.format in TEXTS
                else part.rjust(widths[each.name])
                for part, each in zip(parts, columns, strict=True)
            ]
            # The last column needs no padding, and padding must not be coloured.
            padded[-1] = padded[-1].rstrip()
            painted = (
                f"{colour}{part}\x1b[0m" if colour and part.strip() else part
                for part, colour in zip(padded, colours, strict=True)
            )
            lines.append(f"{indent}{_GAP.join(painted).rstrip()}")
        return "\n".join(lines)

    shown = [line([each.title for each in columns], [""] * len(columns))]
    places = iter(range(len(rows)))
    for under, block in blocks(rows):
        shown += ["", *wrapped(printable(under), width, _GAP)] if under else []
        for i in islice(places, len(block)):
            tones = [cells[each.name][i].tone for each in columns]
            colours = [TONES[tone].ansi if tone and in_colour else "" for tone in tones]
            shown.append(line([texts[each.name][i] for each in columns], colours))
    more = len(table.rows) - len(rows)
    notes = [f"{more:,} more rows; filter the answer to see others"] if more else []
    if left_out:
        notes.append(f"no room in {width} columns for {listed(left_out, write=str)}")
    notes += table.notes_on(columns)
    lines = [line for note in notes for line in wrapped(printable(note), width, _GAP)]
    return "\n".join([*shown, *(["", *lines] if lines else [])])


class _OfName(TextWrapper):
    """A wrapper that breaks a name after an underscore."""

    wordsep_simple_re = re.compile(r"(?<=_)")


def wrapped(text: str, width: int, indent: str = _GAP) -> list[str]:
    """The lines of a text, none wider than the width."""
    kind = TextWrapper if " " in text else _OfName
    wrapper = kind(width=max(width, 1), subsequent_indent=indent, break_on_hyphens=False)
    return wrapper.wrap(text) or [""]


def _fitted(columns: Sequence[Column], texts: dict[str, list[str]], width: int) -> dict[str, int]:
    """The width of each column that is shown; if all are too wide, the widest ones shrink first."""
    widths = {each.name: max(map(len, (each.title, *texts[each.name]))) for each in columns}

    def too_much() -> int:
        return max(sum(widths.values()) + len(_GAP) * (len(widths) - 1) - width, 0)

    optional = [each.name for each in columns if each.is_wide]
    while optional and too_much():
        del widths[optional.pop()]
    shown = [each for each in columns if each.name in widths and each.least is not None]
    for each in sorted(shown, key=lambda each: widths[each.name], reverse=True):
        own = widths[each.name]
        widths[each.name] = max(own - too_much(), min(own, each.least or own))
    return widths
