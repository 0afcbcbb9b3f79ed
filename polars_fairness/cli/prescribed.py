"""Commands that print several tables: which ones, in which format, and the gate on their flags."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, Final, cast

import polars as pl

import polars_fairness as pf
from polars_fairness.answers.audit import rows_by_facet
from polars_fairness.answers.verdicts import tone_of
from polars_fairness.cli.files import files_of, opened, writer_for
from polars_fairness.cli.gate import FAILED, ONE_OUTCOME, PASSED
from polars_fairness.cli.openmetrics import MONITORED
from polars_fairness.cli.options import add_format, add_table_file
from polars_fairness.cli.outputs import add_report_files, files_of_report, output_of, write_report
from polars_fairness.cli.printed import complain, printable, say, width
from polars_fairness.cli.tables import GAP, Column, column_of_sizes, headed, wrapped
from polars_fairness.cli.typed import OF_GROUPS, READ_BY_VALUES, notes_on_typed_outcomes
from polars_fairness.cli.waiting import time_shown
from polars_fairness.cli.words import (
    Row,
    comparison,
    heading,
    in_own_words,
    interval,
    number,
    side,
    size,
    threshold,
)
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.arguments import Question
from polars_fairness.reporting.written_report import WrittenReport

NOTHING: Final = "Nothing to compare: there are no rows."

_NO_GROUPS: Final = "no two groups"

_FLAGS: Final = {True: "flagged", False: "no", None: "not judged"}
_TONES: Final = {True: "outside", False: "fair", None: "undefined"}


def _windows_of(answer: pl.DataFrame) -> list[str]:
    """The first columns of an answer, which name a window."""
    return answer.columns[: answer.columns.index("facet")]


def headings(answer: pl.DataFrame) -> list[str]:
    """For each group its window, its facet, and the group that it is compared with."""
    windows = _windows_of(answer)
    return [heading(row, windows, _against(row)) for row in answer.iter_rows(named=True)]


def _against(row: Row) -> str:
    facet = printable(row["facet"])
    if row["disfavored"] is None:
        return facet
    rate = f", rate {number(row['reference_rate'])}" if "reference_rate" in row else ""
    return f"{facet}: against {side(row, 'favored')} ({size(row['n_favored'])}{rate})"


def group(row: Row) -> str:
    """The group of a row that is compared; a facet with one group has none."""
    return _NO_GROUPS if row["disfavored"] is None else side(row, "disfavored")


def numbers(rows: Sequence[Row], name: str) -> list[str]:
    """The cells of a column of numbers."""
    return [number(row[name]) for row in rows]


def sizes(rows: Sequence[Row], name: str) -> list[str]:
    """The cells of a column of numbers of rows, or of sums of weights."""
    return ["" if row[name] is None else size(row[name]) for row in rows]


def flag(row: Row, ratio: str) -> str:
    """Whether a group is flagged, or could not be judged; ``ratio`` is the column of its ratio."""
    has_no_ratio = row["is_flagged"] is False and row[ratio] is None
    return "no ratio" if has_no_ratio else _FLAGS[row["is_flagged"]]


def _flag_colour(row: Row) -> str:
    """The escape code of the colour of a flag."""
    return tone_of(_TONES[row["is_flagged"]]).ansi


def left_out(answer: pl.DataFrame, by: Sequence[str], width: int) -> Iterator[str]:
    """A line on the unknown and the dropped rows of each facet, over all windows of ``by``."""
    for facet, unknown, dropped in rows_by_facet(answer, by, ("n_unknown", "n_dropped")).rows():
        text = f"{printable(facet)}: {size(unknown)} unknown, {dropped:,} dropped"
        yield from wrapped(text, width, GAP)


_NO_CATEGORY: Final = "no category"


def impact_ratios_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each table of each window."""
    if answer.is_empty():
        return NOTHING
    rows: Sequence[Row] = answer.rows(named=True)
    windows = _windows_of(answer)
    return headed([_heading_of_ratios(row, windows) for row in rows], _of_ratios(rows), width)


def _heading_of_ratios(row: Row, windows: Sequence[str]) -> str:
    median = "" if row["median"] is None else f", median {row['median']:.10g}"
    return heading(row, windows, f"by {printable(row['facet'])}{median}")


def _of_ratios(rows: Sequence[Row]) -> Iterator[Column]:
    is_scored = any(row["median"] is not None for row in rows)
    ratios = ["excluded" if row["is_excluded"] else number(row["impact_ratio"]) for row in rows]
    yield Column("category", [_category(row) for row in rows], least=12)
    yield Column("people", [size(row["n"]) for row in rows], is_number=True)
    yield Column("share", [number(row["share"]) for row in rows], is_number=True, is_optional=True)
    rate = "scoring_rate" if is_scored else "selection_rate"
    yield Column(rate, [number(row["rate"]) for row in rows], is_number=True, least=9)
    yield Column("impact_ratio", ratios, is_number=True, least=8)
    if any(row["lower"] is not None for row in rows):
        yield Column("interval", [interval(row) for row in rows], least=8)


def _category(row: Row) -> str:
    return _NO_CATEGORY if row["value"] is None else printable(row["value"])


def adverse_impact_table(answer: pl.DataFrame, width: int, *, in_colour: bool) -> str:
    """A block of lines for each facet of each window, below the group with the highest rate."""
    if answer.is_empty():
        return NOTHING
    return headed(
        headings(answer), _of_impacts(answer.rows(named=True), in_colour=in_colour), width
    )


def _of_impacts(rows: Sequence[Row], *, in_colour: bool) -> Iterator[Column]:
    yield Column("group", [group(row) for row in rows], least=10)
    yield Column("people", sizes(rows, "n_disfavored"), is_number=True)
    yield Column("rate", numbers(rows, "rate"), is_number=True)
    yield Column("impact_ratio", numbers(rows, "impact_ratio"), is_number=True, least=7)
    yield Column("shortfall", sizes(rows, "shortfall"), is_number=True)
    yield Column("to_4/5", sizes(rows, "shortfall_to_four_fifths"), is_number=True)
    yield Column("two_sd", numbers(rows, "two_sd"), is_number=True, is_optional=True)
    yield Column("p", numbers(rows, "p_value"), is_number=True)
    colours = [_flag_colour(row) for row in rows] if in_colour else ()
    yield Column("flag", [_flag(row) for row in rows], colours=colours)


def _flag(row: Row) -> str:
    """Whether a group is flagged, and if not, the one of the two reasons that holds."""
    found = flag(row, "impact_ratio")
    reasons = {"is_below_four_fifths": "below 4/5", "is_significant": "significant"}
    one_holds = (words for name, words in reasons.items() if row[name])
    return next(one_holds, found) if row["is_flagged"] is False else found


def lending_table(answer: pl.DataFrame, width: int, *, in_colour: bool) -> str:
    """A block of lines for each facet of each window, below the reference of its groups."""
    if answer.is_empty():
        return NOTHING
    rows: Sequence[Row] = answer.rows(named=True)
    return headed(headings(answer), _of_groups(answer, rows, in_colour=in_colour), width)


def _of_groups(answer: pl.DataFrame, rows: Sequence[Row], *, in_colour: bool) -> Iterator[Column]:
    yield from _groups(rows)
    yield Column("rate", numbers(rows, "rate"), is_number=True)
    yield from _ratios(answer, rows)
    yield Column("points", _points(rows), is_number=True)
    yield Column("odds_ratio", numbers(rows, "odds_ratio"), is_number=True, least=6)
    if answer["smd"].count():
        yield Column("smd", numbers(rows, "smd"), is_number=True)
    yield Column("shortfall", sizes(rows, "shortfall"), is_number=True)
    yield Column("to_4/5", sizes(rows, "shortfall_to_four_fifths"), is_number=True)
    yield Column("p", numbers(rows, "p_value"), is_number=True)
    colours = [_flag_colour(row) for row in rows] if in_colour else ()
    yield Column("flag", [flag(row, "air") for row in rows], colours=colours)


def quantiles_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each comparison of each window, with a line for each share."""
    if answer.is_empty():
        return NOTHING
    windows = answer.columns[: answer.columns.index("share")]
    blocks: dict[str, list[Row]] = {}
    for row in answer.iter_rows(named=True):
        is_compared = row["disfavored"] is not None
        sides = comparison(row) if is_compared else f"{printable(row['facet'])}: {group(row)}"
        blocks.setdefault(heading(row, windows, sides), []).append(row)
    rows = [row for block in blocks.values() for row in block]
    texts = [text for text, block in blocks.items() for _ in block]
    return headed(texts, _of_shares(answer, rows), width)


def _of_shares(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("share", [f"{row['share']:.10g}" for row in rows], is_number=True)
    yield Column("threshold", [threshold(row) for row in rows], is_number=True)
    yield Column("accepted_share", numbers(rows, "accepted_share"), is_number=True, least=9)
    yield Column("rate", numbers(rows, "rate"), is_number=True)
    yield Column("reference_rate", numbers(rows, "reference_rate"), is_number=True, least=10)
    yield from _ratios(answer, rows)
    yield Column("points", _points(rows), is_number=True)
    yield Column("p", numbers(rows, "p_value"), is_number=True)


def segments_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each facet of each window, below the reference of its groups."""
    if answer.is_empty():
        return NOTHING
    return headed(headings(answer), _of_segments(answer, answer.rows(named=True)), width)


def _of_segments(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    yield from _groups(rows)
    yield Column("segments", sizes(rows, "segments"), is_number=True)
    yield Column("mh_odds_ratio", numbers(rows, "mh_odds_ratio"), is_number=True, least=6)
    yield from _intervals(answer, rows)
    yield Column("cmh", numbers(rows, "cmh"), is_number=True)
    yield Column("p", numbers(rows, "p_value"), is_number=True)
    yield Column("breslow_day", numbers(rows, "breslow_day"), is_number=True, least=8)
    yield Column("its_p", numbers(rows, "breslow_day_p_value"), is_number=True)


def _groups(rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("group", [group(row) for row in rows], least=10)
    known = [row["n_disfavored"] for row in rows if row["n_disfavored"] is not None]
    title = column_of_sizes(known).title
    yield Column(title, sizes(rows, "n_disfavored"), is_number=True)


def _ratios(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("air", numbers(rows, "air"), is_number=True)
    yield from _intervals(answer, rows)


def _intervals(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    if answer["lower"].count() or answer["upper"].count():
        yield Column("interval", [interval(row) for row in rows], least=8)


def _points(rows: Sequence[Row]) -> list[str]:
    return ["" if row["points"] is None else f"{row['points'] + 0.0:.1f}" for row in rows]


_FLAGGED: Final = "flagged"

_FLAG: Final = pl.col("is_flagged")


@dataclass(frozen=True)
class FlagGate:
    """A gate that fails for flagged groups, and for groups that could not be judged.

    ``ratio`` is the column with the ratio of each group: without a ratio, a group may be unflagged
    for want of significance alone. Both may be allowed: what was not judged has not passed.
    """

    ratio: str
    allow_undefined: bool

    def complaint(self, answer: pl.DataFrame, *, has_one_outcome: bool) -> str | None:
        """A sentence on the groups that fail; None if all pass.

        If no group was judged, this is an error in any case, since a passed gate would promise a
        check. If all rows have one outcome, the gate fails as it does for what was not judged.
        """
        has_ratio = pl.col(self.ratio).is_not_null()
        if answer.filter(_FLAG.is_not_null(), has_ratio).is_empty():
            raise FairnessError(_nothing_judged(answer.height))
        reasons = {"are flagged": _FLAG}
        if not self.allow_undefined:
            reasons["could not be judged"] = _FLAG.is_null()
            reasons["have no ratio"] = ~_FLAG & ~has_ratio
        found = [
            f"{failed.height} of {answer.height} groups {reason}: {_named(failed)}"
            for reason, fails in reasons.items()
            if not (failed := answer.filter(fails)).is_empty()
        ]
        if has_one_outcome and not self.allow_undefined:
            found.append(ONE_OUTCOME)
        return f"--fail-on: {'; '.join(found)}" if found else None


def _named(failed: pl.DataFrame) -> str:
    """The groups with their windows; a facet without two groups to compare by its name alone."""
    windows = _windows_of(failed)
    return listed(
        heading(row, windows, facet if group is None else f"{facet}: {group}")
        for row in failed.iter_rows(named=True)
        for facet, group in [(row["facet"], row["disfavored"])]
    )


def _nothing_judged(groups: int) -> str:
    if not groups:
        return "--fail-on: there is no group to judge, because there are no rows; check --where"
    return (
        f"--fail-on: nothing was judged: {groups} of {groups} groups could not be; check by the "
        "rates of the groups that each has rows and some of them are positive"
    )


def _flag_gate_of(arguments: Mapping[str, Any], ratio: str) -> FlagGate | None:
    """The gate of the typed options, if there is one."""
    if "fail_on" in arguments:
        return FlagGate(ratio, "allow_undefined" in arguments)
    if "allow_undefined" in arguments:
        raise FairnessError(
            "--allow-undefined: is about the gate of --fail-on, which was not given; give both"
        )
    return None


@dataclass(frozen=True)
class Table:
    """One table of a command: how it is computed, and how a terminal of some width shows it."""

    compute: Callable[[], pl.LazyFrame]
    printed: Callable[[pl.DataFrame, int], str]


@dataclass(frozen=True)
class Tables:
    """The tables of a command about some rows, by name.

    A terminal shows those of ``shown`` and the lines of ``notes`` below them; the other formats
    have the first of ``shown``. The gate is about the flags of ``judged``, and the column ``ratio``
    beside them. ``question`` has the outcome of the rows. ``report`` makes the page.
    """

    by_name: Mapping[str, Table]
    shown: Sequence[str]
    judged: str
    ratio: str
    notes: Callable[[pl.DataFrame, int], Iterable[str]]
    question: Question
    report: Callable[[], WrittenReport]

    def names(self, typed: Namespace) -> Sequence[str]:
        """The tables that are printed or written."""
        if "table" in typed:
            return [typed.table]
        is_text = typed.format == "table" and "output" not in typed
        return self.shown if is_text else self.shown[:1]


def add_tables(command: ArgumentParser, names: Sequence[str], flags: str) -> None:
    """Add the options about the tables of a command, and about its gate."""
    command.add_argument(
        "--table",
        choices=names,
        help="print this table only; a format other than table has one",
    )
    add_format(command, MONITORED)
    add_report_files(command)
    add_table_file(command, ", in place of stdout")
    command.add_argument(
        "--fail-on",
        choices=[_FLAGGED],
        help=f"exit with 1 if a group is flagged, or could not be judged: {flags}",
    )
    command.add_argument(
        "--allow-undefined",
        action="store_true",
        help="groups that could not be judged pass --fail-on, and so does one outcome for all rows",
    )


def answered(typed: Namespace, tables_of: Callable[[pl.LazyFrame], Tables]) -> int:
    """Print or write the tables about the typed files, and check the gate."""
    arguments = vars(typed)
    write = writer_for(typed.output) if "output" in arguments else None
    files = files_of(typed.paths)
    with ExitStack() as outputs:
        file = outputs.enter_context(output_of(arguments, "output", files))
        written = files_of_report(arguments, files, outputs)
        rows = opened(files, arguments)
        tables = tables_of(rows)
        gate = _flag_gate_of(arguments, tables.ratio)
        names = tables.names(typed)
        judged = [] if gate is None else [tables.judged]
        answers, notes = _collected(rows, tables, list(dict.fromkeys([*names, *judged])))
        complaint = None
        if gate is not None:
            complaint = gate.complaint(answers[tables.judged], has_one_outcome=bool(notes))
        for note in notes:
            complain(in_own_words(note))
        if write is not None and file is not None:
            write(answers[names[0]], file)
        else:
            say(_printed(typed, tables, {name: answers[name] for name in names}))
        write_report(written, tables.report)
    if complaint is None:
        return PASSED
    complain(complaint)
    return FAILED


def _collected(
    rows: pl.LazyFrame, tables: Tables, names: Sequence[str]
) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """The answers by name, and notes on typed thresholds and values."""
    question = tables.question
    rates = []
    if READ_BY_VALUES & question.keys():
        of_outcomes = {name: given for name, given in question.items() if name not in OF_GROUPS}
        rates = [pf.rates(rows, **cast("Question", of_outcomes))]
    with time_shown():
        collected = pl.collect_all(
            [*(tables.by_name[name].compute() for name in names), *rates], engine="streaming"
        )
    answers = dict(zip(names, collected, strict=False))
    return answers, notes_on_typed_outcomes(collected[len(names) :], question)


def _printed(typed: Namespace, tables: Tables, answers: Mapping[str, pl.DataFrame]) -> str:
    if typed.format != "table":
        [(name, answer)] = answers.items()
        return MONITORED[typed.format](answer, f"{typed.command}_{name}")
    shown = [tables.by_name[name].printed(answer, width()) for name, answer in answers.items()]
    first = next(iter(answers.values()))
    return "\n\n".join(filter(None, [*shown, "\n".join(tables.notes(first, width()))]))
