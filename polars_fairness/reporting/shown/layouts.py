"""An answer as the columns and rows of a table, which a terminal and a notebook write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import polars as pl

from polars_fairness.answers.audit import rows_by_facet
from polars_fairness.answers.columns import (
    ANSWERS,
    HOLDOUT,
    LOWER,
    MODEL,
    THRESHOLD,
    UPPER,
    Column,
    Kind,
    values_of_choice,
)
from polars_fairness.answers.contrasts import BOUNDS_OF_DIFFERENCE
from polars_fairness.answers.verdicts import tone_of, tone_of_change
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.catalogue.dialects.entries import ToolMetric
from polars_fairness.counting.sides import ALL
from polars_fairness.formula.measures import MEASURES, QUANTILES
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.rates import RATES
from polars_fairness.question.windows import ESTIMATOR, POSITIVE
from polars_fairness.reporting.findings import Comparison, parts_of
from polars_fairness.reporting.outcome_notes import notes_of_audit
from polars_fairness.reporting.plain_words import (
    HIDDEN,
    change,
    comparison,
    digits,
    heading,
    interval,
    number,
    size,
    values,
    verdict,
)
from polars_fairness.reporting.shown.recognised import Answer, group_name
from polars_fairness.reporting.tables import is_of_all_rows
from polars_fairness.reporting.verdicts import verdict_in_words
from polars_fairness.reporting.words import band_of, score, value_in_words
from polars_fairness.values.evaluate import COLUMNS as COLUMNS_OF_METRICS

Columns = dict[str, Column]
Row = dict[str, Any]


@dataclass(frozen=True)
class Layout:
    """The columns of a table, its rows, and what is said below it.

    A row has a value for each column, a ``name``, and in ``under`` the heading below which it
    stands, empty for none. It may have the ``tones`` of its verdict and its change, and
    ``is_total`` if it is about all rows.
    """

    name: Column
    columns: Columns
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def of(self, names: Iterable[str]) -> Layout:
        """These columns only, without notes."""
        return replace(self, columns={name: self.columns[name] for name in names}, notes=())


INTERVAL: Final = Column("interval", format="span", least=8)
_RANGE: Final = Column("range", format="span", least=8)
_SHARES: Final = Column("interval", format="shares", is_wide=True)
_DERIVED: Final[Columns] = {
    "band": Column("band", format="band", is_wide=True),
    "difference_interval": Column(
        "difference_interval",
        label="Interval of difference",
        format="span",
        title="interval",
        least=8,
    ),
}
OF_CHANGES: Final = ("reference", "difference", "difference_interval", "change")
"""The columns of a contrast in a table."""

GROUP: Final = Column("group", type="text", least=7)
_MEASURED: Final = Column("metric", type="text", least=13)

# What the heading, the name or the interval of a row says, or the notes below the table.
_FOLDED: Final = {
    *("facet", "disfavored", "favored", "metric", "n_disfavored", "n_favored", "n_unknown"),
    *("rows_seen", "rows_used", "rows_dropped", "is_small", "note", "lower", "upper"),
    *("band_lower", "band_upper", *BOUNDS_OF_DIFFERENCE, "bin_lower", "bin_upper"),
    *("group", "fixed", "depth", "lowest", "highest"),
}


def layout_of(answer: Answer) -> Layout:
    """The table of an answer."""
    return LAYOUTS[answer.kind](answer)


def _columns_of(answer: Answer, first: Sequence[str], derived: Columns = _DERIVED) -> Columns:
    """The columns of an answer, the first ones first, and those derived from others after them."""
    frame, own = answer.frame, {*answer.windows, *answer.attributes}
    known = [each for each in ANSWERS[answer.kind] if each.name in {*frame.columns} - own]
    # The value of rates is the group.
    shown = {each.name: each for each in known if (each.name, each.type) != ("value", "text")}
    shown |= derived
    names = [*first, *(name for name in shown if name not in {*_FOLDED, *first})]
    columns = {name: shown[name] for name in names if name in shown}
    if "n" in columns:
        is_expected = ESTIMATOR in answer.windows
        columns["n"] = columns["n"] if is_expected else of_sizes(columns["n"], frame["n"])
    return columns


def of_sizes(column: Column, sizes: pl.Series) -> Column:
    """A column of numbers of rows, or of their weights, which are no whole numbers in an answer."""
    return replace(column, label="Weight", title="weight") if sizes.dtype.is_float() else column


def _beside(answer: Answer) -> Columns:
    """The model and the threshold, as far as these are windows."""
    windows = answer.windows
    last = [each for each in (MODEL, THRESHOLD) if each.name in windows[-2:]]
    return {each.name: each for each in last}


def audit_layout(answer: Answer, time: str | None = None) -> Layout:
    """A row for each metric, below its comparison; models and thresholds stand beside it.

    ``time`` is the window up to whose time a sequential audit counts.
    """
    frame, beside = answer.frame, _beside(answer)
    windows = [name for name in answer.windows if name not in beside]
    derived = _DERIVED | {"interval": INTERVAL}
    if "lowest" in frame.columns:
        derived |= {"range": _RANGE}
    columns = _columns_of(answer, ("value", "interval", "ideal", "band"), derived)
    if not answer.has_contrast:
        del columns["difference_interval"]
    last: list[str] = [
        name for name in ("difference_interval", "change", "verdict") if name in columns
    ]
    verdicts = {name: columns.pop(name) for name in last}
    if not (frame["lower"].count() or frame["upper"].count()):
        del columns["interval"]
    rows = _together(_of_metric(row, windows, frame) for row in frame.iter_rows(named=True))
    notes = [*_counted(frame, windows, time), *notes_of_audit(frame)]
    return Layout(_MEASURED, {**beside, **columns, **verdicts}, rows, notes)


def _of_bounds(answer: Answer) -> Layout:
    """A row for each metric, below its comparison, with the range that it can have."""
    frame, beside = answer.frame, _beside(answer)
    windows = [name for name in answer.windows if name not in beside]
    derived = {"range": _RANGE, "interval": INTERVAL, "band": _DERIVED["band"]}
    columns = _columns_of(answer, ("value", "range", "interval", "ideal", "band"), derived)
    verdicts = {"verdict": columns.pop("verdict")}
    if not (frame["lower"].count() or frame["upper"].count()):
        del columns["interval"]
    rows = _together(_of_metric(row, windows, frame) for row in frame.iter_rows(named=True))
    notes = [*_counted(frame, windows, None), *notes_of_audit(frame)]
    return Layout(_MEASURED, {**beside, **columns, **verdicts}, rows, notes)


def _of_metric(row: Row, windows: Sequence[str], frame: pl.DataFrame) -> Row:
    compared = Comparison((), row["facet"], row["disfavored"], row["favored"], frame)
    few = "; few rows" if row.get("is_small") else ""
    own = {
        "under": f"{heading(row, windows, comparison(row))}{few}",
        "name": row["metric"],
        "interval": (row["lower"], row["upper"]),
        "band": band_of(row),
        "verdict": (verdict(row), verdict_in_words(row, compared)),
        "tones": {"verdict": tone_of(row["verdict"]).name},
    }
    if "lowest" in row:
        own["range"] = (row["lowest"], row["highest"])
    if "change" in row:
        own["difference_interval"] = tuple(row[name] for name in BOUNDS_OF_DIFFERENCE)
        own["change"] = (change(row), change(row))
        own["tones"]["change"] = tone_of_change(row["change"]).name
    return row | own


def _together(rows: Iterable[Row]) -> list[Row]:
    """The rows under each heading together, with all models and thresholds of each metric."""
    blocks: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        blocks.setdefault(row["under"], {}).setdefault(row["name"], []).append(row)
    return [row for block in blocks.values() for alike in block.values() for row in alike]


def _counted(frame: pl.DataFrame, windows: Sequence[str], time: str | None) -> Iterator[str]:
    """A line on the rows seen, dropped and used for each facet, over all windows.

    Where metrics count different rows, there are several lines, each with the names of its metrics.
    """
    counts = ("rows_seen", "rows_used", "rows_dropped", "n_unknown")
    of_facets = rows_by_facet(frame, windows, counts, time)
    for facet, seen, used, dropped, unknown, metrics in of_facets.iter_rows():
        about = "" if facet is None else f"{facet}: "
        if metrics is not None:
            about += f"{', '.join(metrics)}: "
        of_unknown = "" if facet is None else f", {size(unknown)} of them unknown"
        yield f"{about}{seen:,} rows seen, {dropped:,} dropped, {used:,} used{of_unknown}"


def _of_compared(answer: Answer) -> Layout:
    """A row for each convention, below the reported number and that of the rows."""
    rows = [
        row
        | {
            "under": f"{comparison(row)}: {row['metric']}, reported {digits(row['reported'])}, "
            f"recomputed {digits(row['recomputed']) or 'undefined'}",
            "name": row["why"],
        }
        for row in answer.frame.iter_rows(named=True)
    ]
    columns = {each.name: each for each in ANSWERS["compare"]}
    shown = {name: columns[name] for name in ("value", "difference")}
    return Layout(replace(columns["why"], least=30), shown, rows, [*_of_entries(answer.frame)])


def _of_entries(frame: pl.DataFrame) -> Iterator[str]:
    """What decides the number of a metric, what it is called here, and how much was tried."""
    for name, ours in frame.select("metric", "ours").unique(maintain_order=True).iter_rows():
        own = CATALOGUE.get(name)
        if isinstance(own, ToolMetric):
            said = "; ".join(own.conventions)
            yield f"{name}: {own.definition}, as {own.tool} {own.version} has it. {said}".strip()
        yield f"here: {ours or 'no metric of this package is near'}"
    if tried := max(frame["tried"], default=0):
        yield f"{tried} conventions were tried, alone or two together"


def _of_metrics(answer: Answer) -> Layout:
    """A row for each metric of each comparison, as in an audit."""
    known = {*answer.windows, *COLUMNS_OF_METRICS}
    names = [name for name in answer.frame.columns if name not in known]
    audited = {each.name: each for each in ANSWERS["audit"]}
    of_classes = POSITIVE in answer.windows and answer.frame[POSITIVE].null_count() > 0
    rows = [
        {
            "under": heading(row, answer.windows, comparison(row)),
            "name": name,
            "value": row[name],
            "ideal": CATALOGUE[name].ideal if name in CATALOGUE else None,
        }
        for row in answer.frame.iter_rows(named=True)
        for name in names
        if not of_classes or _is_meant(name, row)
    ]
    return Layout(_MEASURED, {name: audited[name] for name in ("value", "ideal")}, rows)


def _is_meant(name: str, row: Row) -> bool:
    """Whether a metric is about this row's class, or about all classes at once."""
    metric = CATALOGUE.get(name)
    if metric is None:
        return row[name] is not None
    return (
        metric.compares_classes if row[POSITIVE] is None else not metric.parsed.level.divides_values
    )


# The first ones are shown in any terminal. The last ones say what others say: tnr is 1 - fpr.
_RATES: Final = ("selection_rate", "base_rate", "tpr", "fpr", "ppv", "npv", "accuracy", "f1")


def rates_layout(answer: Answer, most: int | None = None) -> Layout:
    """A row for each group, below its facet, with all rows last in each block.

    ``most`` is the largest number of groups of a facet to show; the smaller ones are left out.
    """
    frame = answer.frame
    columns = _columns_of(answer, ("n", "rows_dropped", *dict.fromkeys((*_RATES, *RATES))), {})
    left_out = {name for name in columns if not frame[name].count()}
    if "auc_error" in columns and not frame["auc_error"].sum():
        left_out.add("auc_error")
    if "auc" in {*columns} - left_out:
        # Beside what scores say of labels, they would not fit.
        left_out |= {*QUANTILES}
    columns = {name: each for name, each in columns.items() if name not in left_out}
    known = {*RATES, *MEASURES, *NUMBERS_OF_GROUPS}
    if (first := next((name for name in columns if name in known), None)) is not None:
        columns[first] = replace(columns[first], is_wide=False)
    return _of_groups(answer, columns, most)


def _of_switches(answer: Answer) -> Layout:
    """How many rows of each group are decided otherwise than by the champion."""
    return _of_groups(answer, _columns_of(answer, ("n",), {}))


def _of_groups(answer: Answer, columns: Columns, most: int | None = None) -> Layout:
    """The groups of each facet of each window; a model stands beside its group."""
    beside = {name: each for name, each in _beside(answer).items() if name == MODEL.name}
    windows = [name for name in answer.windows if name not in beside]
    rows = [
        {
            **row,
            "under": heading(row, windows, about),
            "name": (ALL if is_of_all_rows(row) else value_in_words(row["value"]))
            + ("" if row["n"] is not None else f" ({HIDDEN})"),
            "is_total": is_of_all_rows(row),
        }
        for about, block in _blocks(answer.frame, windows, most)
        for row in block
    ]
    return Layout(GROUP, {**beside, **columns}, rows)


def _blocks(
    frame: pl.DataFrame, windows: Sequence[str], most: int | None
) -> Iterator[tuple[str, list[Row]]]:
    """The subject and the rows of each facet of each window; those of all rows stand last."""
    # Unlike its text, nan is unequal to itself.
    by_window = _grouped(
        frame.iter_rows(named=True), lambda row: repr([row[name] for name in windows])
    )
    for rows in by_window.values():
        by_facet = _grouped(rows, lambda row: row["facet"])
        all_rows = by_facet.pop(ALL, [])
        if not by_facet:
            yield "all rows", all_rows
        for facet, of_facet in by_facet.items():
            # A group has a row for each model.
            groups = [*_grouped(of_facet, lambda row: row["value"]).values()]
            largest = sorted(range(len(groups)), key=lambda i: -(groups[i][0]["n"] or 0))[:most]
            is_part = len(largest) < len(groups)
            more = f", the {most} largest groups of {len(groups):,}" if is_part else ""
            shown = [row for i in sorted(largest) for row in groups[i]]
            yield f"by {facet}{more}", [*shown, *all_rows]


def _grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    found: dict[Any, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return found


def _of_worst_groups(answer: Answer) -> Layout:
    """The ranked groups below their window."""
    first = (
        *("rank", "n", "rate", "shrunken_rate", "mean_score", "direction", "interval"),
        "weighted_gap",
    )
    columns = _columns_of(answer, first, {"interval": _SHARES})
    if not answer.frame["lower"].count():
        del columns["interval"]
    rows = [
        {
            **row,
            "under": values(row, answer.windows),
            "name": group_name(answer, row),
            "interval": (row["lower"], row["upper"]),
        }
        for row in answer.frame.iter_rows(named=True)
    ]
    return Layout(replace(GROUP, least=16), columns, rows)


def _of_contributions(answer: Answer) -> Layout:
    """The strata of each comparison, the largest contribution first."""
    names = answer.frame.columns
    strata = names[names.index("favored") + 1 : names.index("n")]
    columns = _columns_of(answer, ("n", "contribution", "value"), {})
    rows = [
        {
            **row,
            "under": heading(row, answer.windows, comparison(row)),
            "name": " & ".join(value_in_words(row[name]) for name in strata),
        }
        for row in answer.frame.iter_rows(named=True)
    ]
    named = " & ".join(strata)
    return Layout(Column("subgroup", type="text", label=named, title=named, least=8), columns, rows)


def _of_calibration(answer: Answer) -> Layout:
    """The bins of each group."""
    columns = _columns_of(answer, ("n",), {})
    rows = []
    for row in answer.frame.iter_rows(named=True):
        group = (
            "all rows" if is_of_all_rows(row) else f"{row['facet']}: {value_in_words(row['value'])}"
        )
        own = {
            "under": heading(row, answer.windows, group),
            "name": f"{score(row['bin_lower'])} to {score(row['bin_upper'])}",
            "interval": (row["lower"], row["upper"]),
        }
        rows.append(row | own)
    return Layout(Column("score", type="text"), columns | {"interval": _SHARES}, rows)


def _of_confusions(answer: Answer) -> Layout:
    """The matrix of each group: a row for each class of the label, a column for each predicted."""
    frame, shown = (
        answer.frame,
        of_sizes(Column("n", "", "size", "Rows", title="rows"), answer.frame["n"]),
    )
    predicted = frame["predicted"].unique(maintain_order=True)
    columns = {
        f"predicted {each}": Column(f"predicted {each}", format="share", title=value_in_words(each))
        for each in predicted
    }
    rows: list[Row] = []
    for part in (
        parts_of(frame, [*answer.windows, "facet", "value", "label"]) if frame.height else ()
    ):
        first = part.row(0, named=True)
        shares = zip(part["predicted"], part["share"], strict=True)
        group = (
            "all rows"
            if is_of_all_rows(first)
            else f"{first['facet']} {value_in_words(first['value'])}"
        )
        rows.append(
            {
                "under": heading(first, answer.windows, group),
                "name": value_in_words(first["label"]),
                "n": part["n"].sum(),
                **{f"predicted {each}": value for each, value in shares},
            }
        )
    return Layout(Column("label", type="text"), {"n": shown, **columns}, rows)


_CHOICE: Final = Column("choice", type="text", format="verdict")
_FRONTIER: Final = Column("frontier", type="text", label="On the frontier", is_wide=True)
_WITHIN: Final = {True: "within", False: "outside", None: "undefined"}
_VERDICTS: Final = {True: "fair", False: "outside", None: "undefined"}


def on_rows_held_out(row: Mapping[str, Any]) -> str:
    """What the chosen candidate reaches on the rows held out, if there are any."""
    if f"{HOLDOUT}is_within" not in row:
        return ""
    names, parts = values_of_choice([*row]), []
    for name in names[1:] or names:
        held_out = f"{HOLDOUT}{name}"
        bounds = interval(row.get(f"{held_out}{LOWER}"), row.get(f"{held_out}{UPPER}"))
        with_bounds = f" ({bounds})" if bounds else ""
        parts.append(f"{name} {number(row[held_out]) or 'undefined'}{with_bounds}")
    judged = f", and is {_WITHIN[row[f'{HOLDOUT}is_within']]}" if len(names) > 2 else ""
    return f"; on the rows held out it has {', '.join(parts)}{judged}"


def _of_choice(answer: Answer) -> Layout:
    """A row for each candidate, with what it reaches and whether it is chosen."""
    names = answer.frame.columns
    reached = values_of_choice(names)
    columns = {name: Column(name, least=9) for name in reached}
    columns["selection_rate"] = replace(columns["selection_rate"], is_wide=len(reached) > 1)
    columns |= {"choice": _CHOICE, "frontier": _FRONTIER}
    held_out = [f"{HOLDOUT}{name}" for name in reached[1:] if f"{HOLDOUT}{name}" in names]
    columns |= {name: Column(name, least=9, is_wide=True) for name in held_out}
    of_metrics = {*reached[2:], *(f"{HOLDOUT}{name}" for name in reached[2:])}
    with_intervals = [name for name in of_metrics if f"{name}{LOWER}" in names]
    columns = {
        each: column
        for name, of_name in columns.items()
        for spanned in [replace(INTERVAL, name=f"{name} interval", title="interval", is_wide=True)]
        for each, column in (
            (name, of_name),
            *([(spanned.name, spanned)] if name in with_intervals else []),
        )
    }
    first, *others = (each for each in (MODEL, THRESHOLD) if each.name in answer.candidate)
    # In the heading: of many candidates, a table shows the first ones only.
    best = {
        values(row, answer.windows): ", ".join(
            f"{name} {digits(row[name]) if name == THRESHOLD.name else value_in_words(row[name])}"
            for name in answer.candidate
        )
        + " is chosen"
        + on_rows_held_out(row)
        for row in answer.frame.filter("is_chosen").iter_rows(named=True)
    }
    rows = []
    for row in answer.frame.iter_rows(named=True):
        # Without metrics, every candidate is within.
        within = _WITHIN[row["is_within"]] if len(reached) > 2 else ""
        chosen = "chosen" if row["is_chosen"] else within
        window = values(row, answer.windows)
        own = {
            "under": ": ".join(filter(None, [window, best.get(window, "none of these is chosen")])),
            "name": row[first.name],
            "choice": (chosen, chosen),
            "frontier": "yes" if row["is_on_frontier"] else "",
            "tones": {"choice": tone_of(_VERDICTS[row["is_within"]]).name},
        }
        own |= {
            f"{name} interval": (row[f"{name}{LOWER}"], row[f"{name}{UPPER}"])
            for name in with_intervals
        }
        rows.append(row | own)
    return Layout(first, {**{each.name: each for each in others}, **columns}, rows)


LAYOUTS: Final[Mapping[Kind, Callable[[Answer], Layout]]] = {
    "audit": audit_layout,
    "bounds": _of_bounds,
    "compare": _of_compared,
    "rates": rates_layout,
    "worst_groups": _of_worst_groups,
    "decompose": _of_contributions,
    "metrics": _of_metrics,
    "calibration": _of_calibration,
    "choose": _of_choice,
    "switches": _of_switches,
    "confusions": _of_confusions,
}
