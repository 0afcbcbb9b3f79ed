"""What each command does with what was typed behind it; returns its exit code."""

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
    """Judge every metric of every comparison."""
    given = vars(typed)
    if "html" in given:
        require_charts()
    files = files_of(typed.paths)
    with _output(given, "html", files) as page:
        rows = opened(files, given.get("where"))
        question = _question(given, rows.collect_schema())
        asked = given.get("metrics", [])
        options = {row.name: given[row.name] for row in OF_AUDIT if row.name in given}
        with time_shown():
            planned = pf.audit(rows, *asked, **options, **question)
            answer = planned.collect(engine="streaming")
        complained = complaint(answer, typed.fail_on) if "fail_on" in given else None
        if typed.format == "table":
            say(audit_table(answer, width(), in_colour=in_colour()))
        else:
            say(FORMATS[typed.format](answer))
        if page is not None:
            with time_shown():
                pf.report(rows, *asked, **options, **question).write_html(page)
    if complained is None:
        return PASSED
    complain(complained)
    return FAILED


def cells(typed: Namespace) -> int:
    """Count rows, and keep the counts."""
    given = vars(typed)
    write = writer_for(typed.output) if "output" in given else None
    files = files_of(typed.paths)
    with _output(given, "output", files) as file:
        rows = opened(files, given.get("where"))
        question = _question(given, rows.collect_schema())
        with time_shown():
            counted = pf.cells(rows, **question).collect(engine="streaming")
        if write is not None and file is not None:
            write(counted, file)
    if write is None:
        say(counted.write_csv())
    return PASSED


def metrics(typed: Namespace) -> int:
    """List the catalogue."""
    entries = [pf.CATALOGUE[name] for name in vars(typed).get("names") or pf.CATALOGUE]
    if typed.format == "table":
        say(_catalogue_table(entries))
    else:
        say(FORMATS[typed.format](pl.DataFrame([_record(entry) for entry in entries])))
    return PASSED


def demo(_: Namespace) -> int:
    """Tell the Berkeley story."""
    with redirect_stdout(StringIO()) as told:
        story.main()
    say(told.getvalue())
    return PASSED


def _output(
    given: Mapping[str, Any], argument: str, files: Sequence[str]
) -> AbstractContextManager[Path | None]:
    """Make sure that the output can be written, if one is asked for."""
    if argument not in given:
        return nullcontext()
    return written(argument, given[argument], files, overwrite=given.get("overwrite", False))


def _question(given: Mapping[str, Any], schema: pl.Schema) -> Question:
    """Read what was typed as a question of these columns."""
    question = {row.name: given[row.name] for row in OF_QUESTION if row.name in given}
    for argument in (row.name for row in OF_QUESTION if row.kind is SIDE):
        if argument in question:
            facets = question.get("facet", [])
            question[argument] = sides(argument, question[argument], facets, schema)
    if "positive" in question:
        thresholds = {"label": "label_threshold", "predicted": "threshold"}
        open_to_it = [
            question[role]
            for role, threshold in thresholds.items()
            if role in question and threshold not in question
        ]
        question["positive"] = positives(question["positive"], open_to_it, schema)
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
