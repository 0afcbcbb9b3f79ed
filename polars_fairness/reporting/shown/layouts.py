"""The columns and rows of an answer as a table shows them, before great_tables lays them out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import polars as pl

from polars_fairness.answers.audit import rows_by_facet
from polars_fairness.answers.columns import Kind
from polars_fairness.answers.contrasts import BOUNDS_OF_DIFFERENCE
from polars_fairness.answers.switches import COLUMNS as COLUMNS_OF_SWITCHES
from polars_fairness.answers.verdicts import tone_of, tone_of_change
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.formula.metric import ideal_as_text
from polars_fairness.formula.rates import RATES
from polars_fairness.reporting.findings import Comparison, comparisons_of
from polars_fairness.reporting.shown.recognised import Answer, group_name, windows_in_words
from polars_fairness.reporting.tables import (
    group_in_words,
    is_of_all_rows,
    p_value,
    subgroups_of,
)
from polars_fairness.reporting.verdicts import verdict_in_words
from polars_fairness.reporting.words import (
    ALL_ROWS,
    band,
    band_of,
    candidate_in_words,
    comparison_in_words,
    favored_in_words,
    kind_of_candidates,
    number,
    points,
    score,
    share,
    share_span,
    size,
    span,
)
from polars_fairness.values.evaluate import COLUMNS as COLUMNS_OF_METRICS
from polars_fairness.values.rates import COLUMNS as COLUMNS_OF_RATES

NO_TEXT: Final = "–"


@dataclass(frozen=True)
class Column:
    """The label of a column, and the function that writes its values; None for text."""

    label: str
    written: Callable[[Any], str] | None = None


Columns = Mapping[str, Column]
Row = dict[str, Any]


@dataclass(frozen=True)
class Layout:
    """The columns of a table, its rows, and what is said below it.

    A row has a value for each column, a ``name``, and in ``under`` the heading below which it
    stands, empty for none. It may have the ``tones`` of its verdict and its change, and
    ``is_total`` if it is about all rows.
    """

    names: str
    columns: Columns
    rows: Sequence[Row]
    notes: Sequence[str] = ()


def layout_of(answer: Answer) -> Layout:
    """The table of an answer."""
    return LAYOUTS[answer.kind](answer)


def _of_audit(answer: Answer) -> Layout:
    frame = answer.frame
    columns = {
        "value": Column("Value", number),
        "interval": Column("Interval"),
        "ideal": Column("Ideal", _ideal),
        "band": Column("Band"),
        "p_value": Column("p-value", p_value),
        "reference": Column("Reference", _known),
        "difference": Column("Difference", _known),
        "difference_interval": Column("Interval of difference"),
        "change": Column("Change"),
        "verdict": Column("Verdict"),
    }
    rows = [
        _of_metric(row, comparison)
        for comparison in comparisons_of(frame, answer.windows)
        for row in comparison.table.iter_rows(named=True)
    ]
    if "p_value" not in frame.columns:
        del columns["p_value"]
    if not answer.has_contrast:
        for name in _OF_CONTRAST:
            del columns[name]
    return Layout("Metric", columns, rows, [*_left_out(answer)])


def _left_out(answer: Answer) -> Iterator[str]:
    """How many rows of each facet an audit left out, over all windows, if any."""
    counts = ("rows_dropped", "rows_seen")
    # The rows are the same at each threshold.
    windows = answer.windows[:-1] if answer.is_swept else answer.windows
    for facet, dropped, seen, metrics in rows_by_facet(answer.frame, windows, counts).rows():
        about = f"{facet}: " if facet else ""
        if metrics is not None:
            about += f"{', '.join(metrics)}: "
        if dropped:
            left_out = f"{about}{dropped:,} of {seen:,} rows were left out"
            yield f"{left_out}, for missing values or no weight."


def _of_metric(row: Row, comparison: Comparison) -> Row:
    return {
        "under": _heading(row, comparison),
        "name": row["metric"],
        "value": row["value"],
        "interval": span(row["lower"], row["upper"]) or NO_TEXT,
        "ideal": row["ideal"],
        "band": band(band_of(row)),
        "p_value": row.get("p_value"),
        "reference": row.get("reference"),
        "difference": row.get("difference"),
        "difference_interval": span(*map(row.get, BOUNDS_OF_DIFFERENCE)) or NO_TEXT,
        "change": row.get("change") or NO_TEXT,
        "verdict": verdict_in_words(row, comparison),
        "tones": {
            "change": tone_of_change(row.get("change")).name,
            "verdict": tone_of(row["verdict"]).name,
        },
    }


_OF_CONTRAST: Final = ("reference", "difference", "difference_interval", "change")


def _heading(row: Row, comparison: Comparison) -> str:
    """The comparison with the sizes of its sides."""
    if comparison.disfavored is None:
        return comparison_in_words(comparison)
    sized = replace(
        comparison,
        disfavored=f"{comparison.disfavored} ({size(row['n_disfavored'])})",
        favored=f"{favored_in_words(comparison)} ({size(row['n_favored'])})",
    )
    few = "; few rows" if row.get("is_small") else ""
    return f"{comparison_in_words(sized)}{few}"


def _known(value: float | None) -> str:
    """A number of a contrast; there is none without a reference."""
    return NO_TEXT if value is None else number(value)


def _ideal(value: float | None) -> str:
    """An ideal; a metric of the caller's own has none in the answer of `metrics`."""
    return ideal_as_text(value) or NO_TEXT


def _of_metrics(answer: Answer) -> Layout:
    """A row for each metric of each comparison, as in an audit."""
    known = {*answer.windows, *COLUMNS_OF_METRICS}
    names = [name for name in answer.frame.columns if name not in known]
    columns = {"value": Column("Value", number), "ideal": Column("Ideal", _ideal)}
    rows = [
        {
            "under": _heading(row, comparison),
            "name": name,
            "value": row[name],
            "ideal": CATALOGUE[name].ideal if name in CATALOGUE else None,
        }
        for comparison in comparisons_of(answer.frame, answer.windows)
        for row in comparison.table.iter_rows(named=True)
        for name in names
    ]
    return Layout("Metric", columns, rows)


def _of_rates(answer: Answer) -> Layout:
    frame = answer.frame
    rates = {name: Column(rate.title, share) for name, rate in RATES.items()}
    shown = {name: Column(_spaced(name), size) for name in COLUMNS_OF_RATES}
    shown |= {"n": _sizes(frame), **rates}
    columns = {name: column for name, column in shown.items() if frame[name].count()}
    rows = [_of_group(answer, row, columns) for row in frame.iter_rows(named=True)]
    return Layout("Group", columns, rows)


def _of_group(answer: Answer, row: Row, columns: Columns) -> Row:
    """A row of the table of rates; the row over all rows stands below a heading of its own."""
    is_total = is_of_all_rows(row)
    window = windows_in_words(answer, row)
    about = ALL_ROWS if is_total else row["facet"]
    return {
        "under": f"{about} ({window})" if window else about,
        "name": row["facet"] if is_total else group_in_words(row),
        "is_total": is_total,
        **{name: row[name] for name in columns},
    }


def _of_switches(answer: Answer) -> Layout:
    """How many rows of each group are decided otherwise than by the champion."""
    counts = COLUMNS_OF_SWITCHES[3:7]
    columns = {
        "n": _sizes(answer.frame),
        **{name: Column(_spaced(name).capitalize(), size) for name in counts},
        "change_in_rate": Column("Change in rate, in points", _points),
        "mcnemar_p_value": Column("p-value", p_value),
    }
    rows = [_of_group(answer, row, columns) for row in answer.frame.iter_rows(named=True)]
    return Layout("Group", columns, rows)


def _points(value: float | None) -> str:
    return NO_TEXT if value is None else points(value)


def _of_subgroups(answer: Answer) -> Layout:
    frame = answer.frame
    columns = {
        "rank": Column("Rank", size),
        "n": _sizes(frame),
        "share": Column("Share", share),
        "rate": Column("Rate", share),
        "shrunken_rate": Column("Shrunken rate", share),
        "interval": Column("Interval"),
        "rate_of_all": Column("Overall rate", share),
        "direction": Column("Direction"),
        "alpha": Column("Alpha", number),
        "beta": Column("Beta", number),
        "product": Column("Alpha × beta", partial(number, digits=4)),
    }
    if "shrunken_rate" not in frame.columns:
        del columns["shrunken_rate"]
    rows = [
        {
            **{name: row.get(name) for name in columns},
            "under": windows_in_words(answer, row),
            "name": group_name(answer, row),
            "interval": share_span(row["lower"], row["upper"]) or NO_TEXT,
            "direction": row["direction"] or NO_TEXT,
            "product": row["alpha*beta"],
        }
        for row in frame.iter_rows(named=True)
    ]
    return Layout("Group", columns, rows)


def _of_contributions(answer: Answer) -> Layout:
    frame = answer.frame
    shares = [name for name in frame.columns if name.startswith("share_of_")]
    columns = {
        "n": _sizes(frame),
        **{name: Column(f"d's {_spaced(name)}", share) for name in shares},
        "value": Column("Value", number),
        "contribution": Column("Contribution", number),
    }
    rows = [
        {
            "under": comparison_in_words(comparison),
            "name": name,
            **{column: row[column] for column in columns},
        }
        for comparison in comparisons_of(frame, answer.windows)
        for name, row in subgroups_of(comparison, comparison.table.height)
    ]
    return Layout("Subgroup", columns, rows)


def _of_calibration(answer: Answer) -> Layout:
    columns = {
        "n": _sizes(answer.frame),
        "mean_score": Column("Mean score", number),
        "base_rate": Column(RATES["base_rate"].title, share),
        "interval": Column("Interval"),
    }
    rows = [_of_bin(answer, row) for row in answer.frame.iter_rows(named=True)]
    return Layout("Score", columns, rows)


def _of_bin(answer: Answer, row: Row) -> Row:
    """A row of the table of calibration, below the name of its group."""
    of_group = _of_group(answer, row, {})
    group = "" if of_group["is_total"] else f": {of_group['name']}"
    return {
        **{name: row[name] for name in ("n", "mean_score", "base_rate")},
        "under": f"{of_group['under']}{group}",
        "name": f"{score(row['bin_lower'])} to {score(row['bin_upper'])}",
        "interval": share_span(row["lower"], row["upper"]) or NO_TEXT,
    }


def _of_choice(answer: Answer) -> Layout:
    """A row for each candidate, with what it reaches and whether it is chosen."""
    names = answer.frame.columns
    values = names[names.index("selection_rate") : names.index("is_within")]
    columns = {name: Column(_spaced(name), number) for name in values}
    columns |= {name: Column(label) for name, label in _FLAGS.items()}
    rows = [
        {
            **{name: row[name] for name in values},
            **{name: _YES_OR_NO[row[name]] for name in _FLAGS},
            "under": windows_in_words(answer, row),
            "name": candidate_in_words(row, answer.candidate),
        }
        for row in answer.frame.iter_rows(named=True)
    ]
    return Layout(kind_of_candidates(answer.candidate).capitalize(), columns, rows)


_FLAGS: Final = {
    "is_within": "Within the bands",
    "is_on_frontier": "On the frontier",
    "is_chosen": "Chosen",
}
_YES_OR_NO: Final = {True: "yes", False: "no", None: NO_TEXT}


def _sizes(frame: pl.DataFrame) -> Column:
    return Column("Weight" if frame["n"].dtype.is_float() else "Rows", size)


def _spaced(name: str) -> str:
    return name.replace("_", " ")


LAYOUTS: Final[Mapping[Kind, Callable[[Answer], Layout]]] = {
    "audit": _of_audit,
    "rates": _of_rates,
    "subgroups": _of_subgroups,
    "decompose": _of_contributions,
    "metrics": _of_metrics,
    "calibration": _of_calibration,
    "choose": _of_choice,
    "switches": _of_switches,
}
