"""The table of each answer on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

import polars as pl

from polars_fairness.answers.audit import rows_by_facet
from polars_fairness.answers.choice import FLAGS
from polars_fairness.answers.switches import KINDS
from polars_fairness.answers.verdicts import tone_of, tone_of_change
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.cli.printed import printable
from polars_fairness.cli.tables import GAP, Column, column_of_sizes, columns_made, headed, wrapped
from polars_fairness.cli.words import (
    Row,
    change,
    comparison,
    difference,
    heading,
    interval,
    number,
    size,
    span,
    threshold,
    values,
    verdict,
)
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.measures import MEASURES
from polars_fairness.formula.metric import ideal_as_text
from polars_fairness.formula.rates import RATES
from polars_fairness.question.judging import Band
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.words import value_in_words


def each_verdict_once(answer: pl.DataFrame) -> pl.DataFrame:
    """An audit at several thresholds, where a metric that needs no decisions has a verdict once.

    It is the same at each threshold, so its row has none.
    """
    names = answer["metric"].unique()
    on_decisions = [name for name in names if "predicted" in CATALOGUE[name].needs]
    threshold = pl.when(pl.col("metric").is_in(on_decisions)).then(THRESHOLD)
    keys = [*answer.columns[: answer.columns.index("facet") + 3], "metric"]
    return answer.with_columns(threshold.alias(THRESHOLD)).unique(keys, maintain_order=True)


def by_comparison(rows: Iterable[Row], heading: Callable[[Row], str]) -> Iterator[Row]:
    """The rows under each heading together, with all models and thresholds of each metric."""
    blocks: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        blocks.setdefault(heading(row), {}).setdefault(row["metric"], []).append(row)
    for block in blocks.values():
        for of_metric in block.values():
            yield from of_metric


def contrast_table(
    answer: pl.DataFrame, width: int, made: Sequence[str], *, in_colour: bool
) -> str:
    """A block of lines for each comparison; a narrow terminal leaves the reference out.

    ``made`` are the last of the windows: models and thresholds.
    """
    windows = answer.columns[: answer.columns.index("facet") - len(made)]

    def heading_of(row: Row) -> str:
        return heading(row, windows, comparison(row))

    rows = [*by_comparison(answer.rows(named=True), heading_of)]
    references = [number(row["reference"]) for row in rows]
    colours = [tone_of_change(row["change"]).ansi for row in rows] if in_colour else ()
    columns = [
        Column("metric", [row["metric"] for row in rows], least=13),
        *columns_made(rows, made),
        Column("reference", references, is_number=True, is_optional=True),
        Column("difference", [difference(row) for row in rows], least=10),
        Column("change", [change(row) for row in rows], least=9, colours=colours),
    ]
    return headed([heading_of(row) for row in rows], columns, width)


def contributions_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each comparison, with a line for each stratum."""
    if answer.is_empty():
        return "Nothing to compare: there are no rows."
    rows = answer.rows(named=True)
    windows = answer.columns[: answer.columns.index("facet")]
    headings = [heading(row, windows, comparison(row)) for row in rows]
    return headed(headings, _columns_of_contributions(answer, rows), width)


def _columns_of_contributions(answer: pl.DataFrame, rows: Sequence[Row]) -> Iterator[Column]:
    names = answer.columns
    first, size_at = names.index("favored") + 1, names.index("n")
    for name in names[first:size_at]:
        cells = [printable(value_in_words(row[name])) for row in rows]
        yield Column(printable(name), cells, least=8)
    yield column_of_sizes([row["n"] for row in rows])
    # A narrow terminal leaves out the two shares of d.
    for name in ("contribution", "value", *names[size_at + 1 : -2]):
        cells = [number(row[name]) for row in rows]
        is_optional = name.startswith("share_of_")
        yield Column(name, cells, is_number=True, is_optional=is_optional)


# The first ones are shown in any terminal. The last ones say what others say: tnr is 1 - fpr.
_FIRST: Final = ("selection_rate", "base_rate", "tpr", "fpr", "ppv", "npv", "accuracy", "f1")
_BY_IMPORTANCE: Final = (*_FIRST, *(rate for rate in RATES if rate not in _FIRST))


def rates_table(
    rated: pl.DataFrame, width: int, *, most: int | None = None, made: Sequence[str] = ()
) -> str:
    """A block of lines for each facet of each window, with all rows in the last line.

    ``most`` is the largest number of groups of a facet to show; the smaller ones are left out.
    ``made`` are the last of the windows: models and thresholds. A model stands beside each group.
    What is known about scores stands in a table of its own: it is the same at each threshold.
    """
    rates = _known(rated, _BY_IMPORTANCE)
    of_scores = _known(rated, [name for name in MEASURES if name in rated.columns])
    if not of_scores:
        return _table(rated, rates, width, most, made)
    once = rated
    if THRESHOLD in made:
        names = [name for name in rated.columns[: rated.columns.index("n")] if name != THRESHOLD]
        once = rated.drop(THRESHOLD).unique(names, maintain_order=True)
    labels = [name for name in rates if name == "base_rate"]
    scores = _table(once, [*labels, *of_scores], width, most, made)
    if rates == labels:
        return scores
    return f"{_table(rated, rates, width, most, made)}\n\n{scores}"


def _known(rated: pl.DataFrame, names: Iterable[str]) -> list[str]:
    """The columns with numbers; not the error of an AUC if it is 0, which it is unrounded."""
    is_exact = "auc_error" in rated.columns and not rated["auc_error"].sum()
    left_out = {"auc_error"} if is_exact else set()
    return [name for name in names if rated[name].count() and name not in left_out]


def _table(
    rated: pl.DataFrame,
    numbers: Sequence[str],
    width: int,
    most: int | None,
    made: Sequence[str],
) -> str:
    windows = rated.columns[: rated.columns.index("facet")]
    in_heading = [name for name in windows if name != MODEL or MODEL not in made]
    blocks = list(_blocks_of_groups(rated, in_heading, most))
    rows = [row for _, shown in blocks for row in shown]
    if not rows:
        return "Nothing to show: there are no rows."
    headings = [text for text, shown in blocks for _ in shown]
    return headed(headings, _columns_of_rates(rated, rows, numbers, made), width)


def _blocks_of_groups(
    rated: pl.DataFrame, windows: Sequence[str], most: int | None
) -> Iterator[tuple[str, list[Row]]]:
    """The heading and the rows of each facet of each window; those of all rows stand last."""
    # Unlike its text, nan is unequal to itself.
    by_window = _grouped(
        rated.iter_rows(named=True), lambda row: repr([row[name] for name in windows])
    )
    for rows in by_window.values():
        by_facet = _grouped(rows, lambda row: row["facet"])
        all_rows = by_facet.pop(ALL)
        if not by_facet:
            yield heading(all_rows[0], windows, "all rows"), all_rows
        for facet, of_facet in by_facet.items():
            # A group has a row for each model.
            groups = [*_grouped(of_facet, lambda row: row["value"]).values()]
            shown = _largest(groups, most)
            is_part = len(shown) < len(groups)
            more = f", the {most} largest groups of {len(groups):,}" if is_part else ""
            of_groups = [row for group in shown for row in group]
            subject = f"by {printable(facet)}{more}"
            yield heading(all_rows[0], windows, subject), [*of_groups, *all_rows]


def _grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def _largest(groups: Sequence[list[Row]], most: int | None) -> list[list[Row]]:
    kept = sorted(range(len(groups)), key=lambda i: -groups[i][0]["n"])[:most]
    return [groups[i] for i in sorted(kept)]


def _columns_of_rates(
    rated: pl.DataFrame, rows: Sequence[Row], numbers: Sequence[str], made: Sequence[str]
) -> Iterator[Column]:
    yield Column("group", [group_in_words(row) for row in rows], least=12)
    yield from columns_made(rows, [name for name in made if name == MODEL])
    yield column_of_sizes([row["n"] for row in rows])
    if rated["n_dropped"].sum():
        yield Column("dropped", [size(row["n_dropped"]) for row in rows], is_number=True)
    for i, name in enumerate(numbers):
        cells = [number(row[name]) for row in rows]
        yield Column(name, cells, is_number=True, is_optional=i > 0)


def group_in_words(row: Row) -> str:
    """The group of a row of rates."""
    if row["facet"] == ALL:
        return ALL
    return printable(value_in_words(row["value"]))


def ranked_table(answer: pl.DataFrame, rate: str, width: int, *, top: int) -> str:
    """The first groups of each window, below its name and the rate of all its rows."""
    if answer.is_empty():
        return "Nothing to rank: there are no groups."
    attributes = answer["fixed"].struct.fields
    windows = answer.columns[: answer.columns.index("n") - len(attributes)]
    shown = answer.group_by(windows, maintain_order=True).head(top) if windows else answer.head(top)
    rows = shown.rows(named=True)
    headings = [
        heading(row, windows, f"{rate} of all rows: {number(row['rate_of_all'])}") for row in rows
    ]
    text = headed(headings, _columns_of_groups(rows, attributes, rate), width)
    if shown.height == answer.height:
        return text
    return f"{text}\n\n{shown.height:,} of {answer.height:,} groups; --top N shows more."


def _columns_of_groups(
    rows: Sequence[Row], attributes: Sequence[str], rate: str
) -> Iterator[Column]:
    def numbers(name: str) -> list[str]:
        return [number(row[name]) for row in rows]

    ranks = ["" if row["rank"] is None else f"{row['rank']:,}" for row in rows]
    groups = [values(row, [name for name in attributes if row["fixed"][name]]) for row in rows]
    yield Column("rank", ranks, is_number=True)
    yield Column("group", groups, least=16)
    yield column_of_sizes([row["n"] for row in rows])
    yield Column(rate, numbers("rate"), is_number=True)
    if "shrunken_rate" in rows[0]:
        yield Column("shrunken", numbers("shrunken_rate"), is_number=True)
    is_of_scores = "mean_score" in rows[0]
    if is_of_scores:
        yield Column("mean_score", numbers("mean_score"), is_number=True)
    yield Column("direction", [row["direction"] or "" for row in rows])
    if any(row["lower"] is not None for row in rows):
        yield Column("interval", [interval(row) for row in rows], is_optional=True)
    product = numbers("alpha*beta")
    yield Column("alpha*beta", product, is_number=True, is_optional=not is_of_scores)


_WITHIN: Final = {True: "within", False: "outside", None: "undefined"}
_VERDICTS: Final = {True: "fair", False: "outside", None: "undefined"}


def sweep_table(
    answer: pl.DataFrame,
    maximised: str,
    bands: Mapping[str, Band],
    width: int,
    *,
    made: Sequence[str],
    in_colour: bool,
) -> str:
    """A block of lines for each window, below the candidate that is chosen there.

    ``made`` are the columns that name a candidate: its model, its threshold, or both.
    """
    if answer.is_empty():
        return "Nothing to choose from: there are no rows."
    windows = answer.columns[: answer.columns.index(made[0])]
    limits = ", ".join(f"{name} {span(band)}" for name, band in bands.items() if band)
    rows, headings = [], []
    for _, group in groupby(answer.rows(named=True), lambda row: values(row, windows)):
        of_window = list(group)
        rows += of_window
        found = heading(of_window[0], windows, _found(of_window, made, maximised, limits))
        headings += [found] * len(of_window)
    marks = _marks(rows, has_limits=bool(limits), in_colour=in_colour)
    shown = [*columns_made(rows, made), *_values(answer, rows, made), *marks]
    return headed(headings, shown, width)


def _found(rows: Sequence[Row], made: Sequence[str], maximised: str, limits: str) -> str:
    chosen = next((row for row in rows if row["is_chosen"]), None)
    if chosen is None:
        return f"no {' and '.join(made)} has {limits or maximised}"
    texts = {name: printable(chosen[name]) for name in made}
    if THRESHOLD in made:
        texts[THRESHOLD] = threshold(chosen)
    candidate = ", ".join(f"{name} {text}" for name, text in texts.items())
    with_limits = f" with {limits}" if limits else ""
    return f"{candidate} has the highest {maximised}{with_limits}"


def _values(answer: pl.DataFrame, rows: Sequence[Row], made: Sequence[str]) -> Iterator[Column]:
    first, end = answer.columns.index(made[-1]) + 1, answer.columns.index(FLAGS[0])
    selected, *others = answer.columns[first:end]
    cells = [number(row[selected]) for row in rows]
    yield Column(selected, cells, is_number=True, least=9, is_optional=bool(others))
    for name in others:
        yield Column(name, [number(row[name]) for row in rows], is_number=True, least=9)


def _marks(rows: Sequence[Row], *, has_limits: bool, in_colour: bool) -> Iterator[Column]:
    within = [_WITHIN[row["is_within"]] if has_limits else "" for row in rows]
    choice = [
        "chosen" if row["is_chosen"] else word for row, word in zip(rows, within, strict=True)
    ]
    colours = [tone_of(_VERDICTS[row["is_within"]]).ansi for row in rows] if in_colour else ()
    yield Column("choice", choice, colours=colours)
    frontier = ["yes" if row["is_on_frontier"] else "" for row in rows]
    yield Column("frontier", frontier, is_optional=True)


def switches_table(answer: pl.DataFrame, width: int) -> str:
    """A block of lines for each facet of each window, with all rows in the last lines.

    A narrow terminal leaves out the rows that both decide in the same way.
    """
    windows = [name for name in answer.columns[: answer.columns.index("facet")] if name != MODEL]
    blocks = [*_blocks_of_groups(answer, windows, None)]
    rows = [row for _, shown in blocks for row in shown]
    if not rows:
        return "Nothing to show: there are no rows."
    headings = [text for text, shown in blocks for _ in shown]
    return headed(headings, _columns_of_switches(rows), width)


def _columns_of_switches(rows: Sequence[Row]) -> Iterator[Column]:
    yield Column("group", [group_in_words(row) for row in rows], least=7)
    yield from columns_made(rows, [MODEL])
    yield column_of_sizes([row["n"] for row in rows])
    for kind in KINDS:
        cells = [size(row[kind]) for row in rows]
        is_kept = kind.startswith("kept_")
        yield Column(kind, cells, is_number=True, least=8, is_optional=is_kept)
    changes = [number(row["change_in_rate"]) for row in rows]
    yield Column("change_in_rate", changes, is_number=True, least=7)
    yield Column("p", [number(row["mcnemar_p_value"]) for row in rows], is_number=True)


def audit_table(
    answer: pl.DataFrame,
    width: int,
    *,
    in_colour: bool,
    made: Sequence[str] = (),
    time: str | None = None,
) -> str:
    """A block of lines for each comparison, and at the end the number of rows counted.

    ``made`` are the last of the windows: models and thresholds. They stand beside their metric.
    ``time`` is the window up to whose time a sequential audit counts.
    """
    if answer.is_empty():
        return "Nothing to compare: there are no rows."
    windows = answer.columns[: answer.columns.index("facet") - len(made)]
    rows: Sequence[Row] = answer.rows(named=True)
    rows = [*by_comparison(rows, lambda row: _heading(row, windows))]
    headings = [_heading(row, windows) for row in rows]
    metric, *others = _columns_of_verdicts(answer, rows, in_colour=in_colour)
    shown = headed(headings, [metric, *columns_made(rows, made), *others], width)
    reconciled = [
        line for text in _reconciled(answer, windows, time) for line in wrapped(text, width, GAP)
    ]
    return "\n".join([shown, "", *reconciled])


def _columns_of_verdicts(
    answer: pl.DataFrame, rows: Sequence[Row], *, in_colour: bool
) -> Iterator[Column]:
    colours = [tone_of(row["verdict"]).ansi for row in rows] if in_colour else ()
    yield Column("metric", [row["metric"] for row in rows], least=13)
    yield Column("value", [number(row["value"]) for row in rows], is_number=True)
    if answer["lower"].count() or answer["upper"].count():
        yield Column("interval", [interval(row) for row in rows], least=8)
    ideals = [ideal_as_text(row["ideal"]) for row in rows]
    yield Column("ideal", ideals, is_number=True, is_optional=True)
    if "p_value" in answer.columns:
        yield Column("p", [number(row["p_value"]) for row in rows], is_number=True)
    yield Column("verdict", [verdict(row) for row in rows], least=9, colours=colours)


def _heading(row: Row, windows: Sequence[str]) -> str:
    few = "; few rows" if row.get("is_small") else ""
    return f"{heading(row, windows, comparison(row))}{few}"


def _reconciled(answer: pl.DataFrame, windows: Sequence[str], time: str | None) -> Iterator[str]:
    """A line on the rows seen, dropped and used for each facet, over all windows.

    Where metrics count different rows, there are several lines, each with the names of its metrics.
    """
    counts = ("rows_seen", "rows_used", "rows_dropped", "n_unknown")
    of_facets = rows_by_facet(answer, windows, counts, time)
    for facet, seen, used, dropped, unknown, metrics in of_facets.iter_rows():
        name = "" if facet is None else f"{printable(facet)}: "
        if metrics is not None:
            name += f"{', '.join(map(printable, metrics))}: "
        of_unknown = "" if facet is None else f", {size(unknown)} of them unknown"
        yield f"{name}{seen:,} rows seen, {dropped:,} dropped, {used:,} used{of_unknown}"
