"""The commands: each takes the parsed options and returns an exit code."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, cast

import polars as pl

import polars_fairness as pf
from polars_fairness import demo as story
from polars_fairness.cli.files import files_of, opened, writer_for
from polars_fairness.cli.outputs import written
from polars_fairness.cli.printed import FORMATS, complain, in_colour, say, width
from polars_fairness.cli.tables import Column, table
from polars_fairness.cli.typed_values import positives, sides
from polars_fairness.cli.verdicts import audit_table, complaint
from polars_fairness.cli.waiting import time_shown
from polars_fairness.question.arguments import OF_AUDIT, OF_QUESTION, SIDE, Question
from polars_fairness.reporting.report import require_charts

PASSED, FAILED = 0, 1


def audit(typed: Namespace) -> int:
    """Print an audit, write its report, and check the gate."""
    arguments = vars(typed)
    if "html" in arguments:
        require_charts()
    files = files_of(typed.paths)
    with _output(arguments, "html", files) as page:
        rows = opened(files, arguments.get("where"))
        question = _question(arguments, rows.collect_schema())
        names = arguments.get("metrics", [])
        options = {row.name: arguments[row.name] for row in OF_AUDIT if row.name in arguments}
        with time_shown():
            planned = pf.audit(rows, *names, **options, **question)
            answer = planned.collect(engine="streaming")
        complained = complaint(answer, typed.fail_on) if "fail_on" in arguments else None
        if typed.format == "table":
            say(audit_table(answer, width(), in_colour=in_colour()))
        else:
            say(FORMATS[typed.format](answer))
        if page is not None:
            with time_shown():
                pf.report(rows, *names, **options, **question).write_html(page)
    if complained is None:
        return PASSED
    complain(complained)
    return FAILED


def cells(typed: Namespace) -> int:
    """Count rows into cells, and write or print the cells."""
    arguments = vars(typed)
    write = writer_for(typed.output) if "output" in arguments else None
    files = files_of(typed.paths)
    with _output(arguments, "output", files) as file:
        rows = opened(files, arguments.get("where"))
        question = _question(arguments, rows.collect_schema())
        with time_shown():
            counted = pf.cells(rows, **question).collect(engine="streaming")
        if write is not None and file is not None:
            write(counted, file)
    if write is None:
        say(counted.write_csv())
    return PASSED


def metrics(typed: Namespace) -> int:
    """Print the metrics of the catalogue."""
    entries = [pf.CATALOGUE[name] for name in vars(typed).get("names") or pf.CATALOGUE]
    if typed.format == "table":
        say(_catalogue_table(entries))
    else:
        say(FORMATS[typed.format](pl.DataFrame([_record(entry) for entry in entries])))
    return PASSED


def demo(_: Namespace) -> int:
    """Print the example of the Berkeley applicants."""
    with redirect_stdout(StringIO()) as printed:
        story.main()
    say(printed.getvalue())
    return PASSED


def _output(
    arguments: Mapping[str, Any], option: str, files: Sequence[str]
) -> AbstractContextManager[Path | None]:
    """A temporary file for the output, checked to be writable; None without an output."""
    if option not in arguments:
        return nullcontext()
    return written(option, arguments[option], files, overwrite=arguments.get("overwrite", False))


def _question(arguments: Mapping[str, Any], schema: pl.Schema) -> Question:
    """The question in the typed arguments, with values of the types of their columns."""
    question = {row.name: arguments[row.name] for row in OF_QUESTION if row.name in arguments}
    for argument in (row.name for row in OF_QUESTION if row.kind is SIDE):
        if argument in question:
            facets = question.get("facet", [])
            question[argument] = sides(argument, question[argument], facets, schema)
    if "positive" in question:
        thresholds = {"label": "label_threshold", "predicted": "threshold"}
        outcomes = [
            question[role]
            for role, threshold in thresholds.items()
            if role in question and threshold not in question
        ]
        question["positive"] = positives(question["positive"], outcomes, schema)
    return cast("Question", question)


def _catalogue_table(entries: list[pf.Metric]) -> str:
    columns = [
        Column("name", [entry.name for entry in entries], least=13),
        Column("definition", [entry.definition for entry in entries], least=20),
        Column("range", [_span(entry.range) for entry in entries], least=6),
        Column("ideal", [f"{entry.ideal:g}" for entry in entries], is_number=True),
        Column("band", [_span(entry.acceptable) for entry in entries], least=6),
    ]
    titles, lines = table(columns, width())
    return "\n".join([titles, *lines])


def _span(bounds: tuple[float, float] | None) -> str:
    return "" if bounds is None else f"{bounds[0]:.3g} to {bounds[1]:.3g}".replace("inf", "∞")


def _record(entry: pf.Metric) -> dict[str, Any]:
    low, high = entry.acceptable or (None, None)
    return {
        "name": entry.name,
        "definition": entry.definition,
        "lowest": float(entry.range[0]),
        "highest": float(entry.range[1]),
        "ideal": float(entry.ideal),
        "acceptable_from": None if low is None else float(low),
        "acceptable_to": None if high is None else float(high),
        "needs": " ".join(entry.needs),
        "source": entry.source,
    }
