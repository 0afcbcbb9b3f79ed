"""Each answer as one table: its columns, its rows, and what stands above and below these."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any, Final, NoReturn

import polars as pl

from polars_fairness.answers.audit import rows_by_facet
from polars_fairness.answers.contrasts import CONTRAST
from polars_fairness.api.columns import (
    ANSWERS,
    BOUNDS,
    E_VALUES,
    HOLDOUT,
    LOWER,
    MODEL,
    REPRESENTED,
    THRESHOLD,
    UNMEASURED,
    UPPER,
    Column,
    Columns,
    Kind,
    values_of_choice,
)
from polars_fairness.api.verdicts import tone_of, tone_of_change
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError, listed
from polars_fairness.formula.numbers import NUMBERS_OF_GROUPS
from polars_fairness.formula.scores import MEASURES, QUANTILES
from polars_fairness.formula.sides import RATES
from polars_fairness.question.arguments import defaults
from polars_fairness.question.audit_arguments import OF_AUDIT
from polars_fairness.question.windows import ESTIMATOR, POSITIVE
from polars_fairness.reporting.answers import (
    bounds_of,
    comparisons_of,
    parts_of,
    strata_of,
    window_of,
    with_intervals,
    with_whole_people,
)
from polars_fairness.reporting.outcome_notes import notes_of_audit
from polars_fairness.reporting.parts import Cell, Dot, Row, Table
from polars_fairness.reporting.scales import Scale, Values, is_logarithmic, scale_of
from polars_fairness.reporting.tables import is_of_all_rows
from polars_fairness.reporting.words import (
    HIDDEN,
    ONE_BY_ONE,
    PEOPLE,
    ROBUSTNESS,
    band,
    band_of,
    change,
    check_in_words,
    comparison,
    confidence_in_words,
    digits,
    drivers_in_words,
    exact,
    exact_span,
    examined_in_words,
    facet_in_words,
    finding_in_words,
    heading,
    money,
    named_in_words,
    part_in_words,
    robustness_in_words,
    score,
    share,
    side_in_words,
    size,
    value_in_words,
    verdict_in_words,
    window_in_words,
)
from polars_fairness.values.evaluate import COLUMNS as COLUMNS_OF_METRICS
from polars_fairness.values.lines import BOUNDS_OF_DIFFERENCE

_KNOWN: Final = ANSWERS | {"representation": REPRESENTED}
_REQUIRED: Final = {
    **{
        kind: [each.name for each in columns if not each.optional]
        for kind, columns in _KNOWN.items()
    },
    "fliptest": [
        *COLUMNS_OF_METRICS[:5],
        *("unfavorable_flips", "favorable_flips", "fliptest"),
    ],
    "fliptest(flips=True)": [*COLUMNS_OF_METRICS[:3], "flip", "vote"],
    "reweigh": ["n", "factor"],
}
"""The columns by which each kind of answer is recognised."""

_FIRST: Final[dict[Kind, str]] = {
    "worst_groups": "group",
    "choose": "selection_rate",
    "intake": "check",
    "lending_quantiles": "share",
}
"""The first column after those of windows, where it is not the facet."""


@dataclass(frozen=True, eq=False)
class Answer:
    """An answer with the name of the function that returned it."""

    kind: Kind
    frame: pl.DataFrame

    @property
    def windows(self) -> list[str]:
        """The columns of windows that stand before those of the answer; not those of candidates."""
        return [name for name in self._first_columns if name not in self.candidate]

    @property
    def candidate(self) -> tuple[str, ...]:
        """The columns that name a candidate of a choice."""
        last = tuple(self._first_columns[-2:]) if self.kind == "choose" else ()
        both = (MODEL.name, THRESHOLD.name)
        return last if last == both else tuple(name for name in last[-1:] if name in both)

    @property
    def _first_columns(self) -> list[str]:
        first = _FIRST.get(self.kind, "facet")
        return self.frame.columns[: self.frame.columns.index(first)]

    @property
    def is_swept(self) -> bool:
        """Whether the last windows are thresholds, and there is not only one."""
        windows = self.windows
        if windows[-1:] != [THRESHOLD.name]:
            return False
        thresholds = self.frame[THRESHOLD.name]
        return thresholds.dtype.is_numeric() and thresholds.n_unique() != 1

    @property
    def has_contrast(self) -> bool:
        """Whether each row stands beside a reference."""
        return {*CONTRAST} <= {*self.frame.columns}

    @property
    def attributes(self) -> list[str]:
        """The facets of the groups that `worst_groups` ranks."""
        if self.kind != "worst_groups":
            return []
        return self.frame["fixed"].struct.fields


def recognised(answer: Any, takes: Collection[Kind]) -> Answer:
    """The answer with its kind; an error for rows, and for a kind that is not taken."""
    if not isinstance(answer, pl.DataFrame | pl.LazyFrame):
        refuse_others(type(answer).__name__, takes)
    frame = answer.lazy().collect(engine="streaming")
    # The kind most of whose columns are there, less those that are not.
    kind = max(
        _REQUIRED,
        key=lambda each: sum(1 if name in frame.columns else -1 for name in _REQUIRED[each]),
    )
    missing = [name for name in _REQUIRED[kind] if name not in frame.columns]
    if 2 * len(missing) >= len(_REQUIRED[kind]):
        # For cells, keys never repeat, and a last ``n`` is there.
        keys = frame.columns[:-1]
        is_counted = frame.columns[-1:] == ["n"] and frame["n"].dtype.is_integer()
        if not (keys and is_counted and frame.select(keys).is_unique().all()):
            refuse_others(f"a frame with the columns {listed(frame.columns)}", takes)
        kind, missing = "cells", []
    if kind not in takes:
        refuse_others(f"what {kind!r} returned", takes, kind)
    if missing:
        raise FairnessError(
            f"answer: looks like what {kind!r} returned; keep its columns {listed(missing)}"
        )
    known = Answer(kind, frame)
    if kind == "choose" and not known.candidate:
        raise FairnessError(
            "answer: looks like what 'choose' returned; keep its column 'model' or 'threshold'"
        )
    names = ("ideal", "band_lower", "band_upper")
    if {*names} <= {*frame.columns}:
        banded = frame.filter(pl.any_horizontal(pl.col(names[1:]).is_not_null()))
        if name := next((name for name in names if banded[name].has_nulls()), None):
            raise FairnessError(
                f"answer: {name!r} is null in a row that has a band; keep {listed(names)} as they "
                "were"
            )
    return known


def refuse_others(given: str, takes: Collection[Kind], kind: Kind | None = None) -> NoReturn:
    """Raise about what no function of ours returned, or none of those that are taken."""
    shows = "pf.show and pf.table show it"
    advice = shows if kind in TABLES else "give the result of audit or of rates"
    raise FairnessError(
        f"answer: takes a frame that {listed(takes, 'or')} returned, got {given}; {advice}"
    )


_CONFIDENCE: Final[float] = defaults(OF_AUDIT)["confidence"]
"""That of the intervals of rates in a chart."""

Named = dict[str, Column]
"""Columns by their names."""

INTERVAL: Final = Column("interval", format="span", least=8, bounds=BOUNDS, on_page=False)
_SHARES: Final = replace(INTERVAL, format="shares", is_wide=True, least=None)
_RANGE: Final = Column("range", format="span", least=8, bounds=("lowest", "highest"))
BAND: Final = Column("band", format="band", is_wide=True, bounds=("band_lower", "band_upper"))
_OF_DIFFERENCE: Final = replace(
    INTERVAL,
    name="difference_interval",
    label="Interval of difference",
    bounds=BOUNDS_OF_DIFFERENCE,
    beside=(0,),
)
_ROBUST: Final = Column("robust", type="text", label="Robustness", is_wide=True)
_FLAG: Final = Column("flag", type="text", format="verdict")
_CHOICE: Final = Column("choice", type="text", format="verdict")
_FRONTIER: Final = Column("frontier", type="text", label="On the frontier", is_wide=True)
_GROUP: Final = Column("group", type="text", least=7)
_MEASURED: Final = Column("metric", type="text", least=13)
OF_CHANGES: Final = ("reference", "difference", "difference_interval", "change")
"""The columns of a contrast in a table."""

# What the heading, the name or the interval of a row says, or the notes below the table.
_FOLDED: Final = {
    *("facet", "disfavored", "favored", "metric", "n_disfavored", "n_favored", "n_unknown"),
    *("rows_seen", "rows_used", "rows_dropped", "is_small", "note", "lower", "upper"),
    *("band_lower", "band_upper", *BOUNDS_OF_DIFFERENCE, "bin_lower", "bin_upper"),
    *("group", "fixed", "depth", "lowest", "highest", "rate_of_all"),
    *(*UNMEASURED, *E_VALUES),
}


def lay_out(answer: Answer) -> Table:
    """The table of an answer."""
    return TABLES[answer.kind](replace(answer, frame=with_whole_people(answer.frame)))


def terminal_tables(answer: Answer, most: int | None = None) -> list[Table]:
    """The tables of an answer for a terminal: what scores say has no room beside the rates.

    ``most`` is the largest number of groups of a facet to show; the smaller ones are left out.
    """
    if answer.kind != "rates":
        return [lay_out(answer)]
    answer = replace(answer, frame=with_whole_people(answer.frame))
    table = _rates_table(answer, most)
    names = [each.name for each in table.columns[1:]]
    scores = [name for name in names if name in MEASURES]
    if not scores:
        return [table]
    others = [name for name in names if name not in scores]
    about = [name for name in others if name in ("model", "n", "rows_dropped", "base_rate")]
    once = answer.frame
    if answer.is_swept:
        # What scores say is the same at each threshold.
        keys = [name for name in once.columns[: once.columns.index("n")] if name != THRESHOLD.name]
        once = once.drop(THRESHOLD.name).unique(keys, maintain_order=True)
    tables = [table.select(others)] if others != about else []
    return [*tables, _rates_table(replace(answer, frame=once), most).select([*about, *scores])]


@dataclass(frozen=True)
class Layout:
    """How an answer is a table.

    Of its columns, "…" stands for all that are not named. Each row has a name, and stands ``below``
    a heading with its window; models and thresholds are no part of it if they stand ``beside`` the
    name. A row may have more of its ``own``.
    """

    name: Column
    columns: str
    named: Callable[[Row], Any]
    below: Callable[[Row], str] = comparison
    own: Callable[[Row], Row] = lambda _: {}
    derived: Columns = ()
    beside: Columns = ()
    titles: Mapping[str, str] = field(default_factory=dict)
    notes: Callable[[Answer], Iterable[str]] = lambda _: ()

    def table(self, answer: Answer) -> Table:
        """The table of an answer, rows of one heading together."""
        beside = {each.name: each for each in self.beside if each.name in answer.windows[-2:]}
        windows = [name for name in answer.windows if name not in beside]
        rows = [
            {
                **row,
                "under": heading(row, windows, self.below(row)),
                "name": self.named(row),
                **self.own(row),
            }
            for row in answer.frame.iter_rows(named=True)
        ]
        columns = beside | _columns(answer, self.columns, *self.derived)
        for name, title in self.titles.items():
            label = title.replace("_", " ").capitalize()
            columns[name] = replace(columns[name], title=title, label=label)
        together = [row for block in grouped_rows(rows, "under").values() for row in block]
        return Table(_below(self.name, columns), together, notes=[*self.notes(answer)])


def _below(name: Column, columns: Named) -> Columns:
    """The columns of a table; the first one names its rows."""
    return (replace(name, name="name"), *columns.values())


def _columns(answer: Answer, names: str, *derived: Column) -> Named:
    """The columns of these names that the answer has; "…" stands for its others.

    A column of intervals needs one, and one of ranges their ends.
    """
    frame = answer.frame
    there = {*frame.columns} - {*answer.windows, *answer.attributes}
    known = {each.name: each for each in _KNOWN[answer.kind] if each.name in there}
    for each in derived:
        has_interval = any(frame[end].count() for end in each.bounds if end in there)
        if each.name != "interval" or has_interval:
            known |= {each.name: each} if {*each.bounds} <= there else {}
    first = names.split()
    others = [each for each in known if each not in {*_FOLDED, *first, "value"}]
    shown = [name for each in first for name in (others if each == "…" else [each])]
    columns = {name: known[name] for name in shown if name in known}
    # Without scores; without a value outside its band.
    for name in ("smd", "against"):
        if name in columns and not frame[name].count():
            del columns[name]
    for name in ("n", "n_disfavored"):
        if name in columns:
            columns[name] = _sizes_column(columns[name], frame[name])
            if ESTIMATOR in answer.windows and frame[name].dtype.is_integer():
                columns[name] = replace(columns[name], label=PEOPLE, title="people")
    return columns


def _sizes_column(column: Column, sizes: pl.Series) -> Column:
    """A column of numbers of rows, or of their weights, which are no whole numbers in an answer."""
    is_weight = column.type == "size" and sizes.dtype.is_float()
    return replace(column, label="Weight", title="weight") if is_weight else column


def audit_table(answer: Answer, time: str | None = None) -> Table:
    """A row for each metric, below its comparison; models and thresholds stand beside it.

    Without windows, which have an order of their own, comparisons outside a band come first.
    ``time`` is the window up to whose time a sequential audit counts.
    """
    table = _AUDIT.table(answer)
    rows = [
        row
        for block in grouped_rows(table.rows, "under").values()
        for alike in grouped_rows(block, "name").values()
        for row in alike
    ]
    if not answer.windows:
        # Metrics that count other rows have a heading of their own, below that of the others.
        blocks = [*grouped_rows(rows, "facet", "disfavored").values()]
        order = ("outside", "uncertain", "undefined")

        def concern(block: Sequence[Row]) -> int:
            tones = {tone for row in block for tone in row["tones"].values()}
            return next((place for place, tone in enumerate(order) if tone in tones), len(order))

        rows = [row for block in sorted(blocks, key=concern) for row in block]
    windows = [name for name in answer.windows if name not in (MODEL.name, THRESHOLD.name)]
    notes = [*_counted(answer.frame, windows, time), *notes_of_audit(answer.frame)]
    dotted = _with_dots_of_audit(answer, rows) if answer.kind == "audit" else rows
    return replace(table, rows=[*dotted], notes=notes)


def _with_dots_of_audit(answer: Answer, rows: Sequence[Row]) -> Iterator[Row]:
    """The rows with their dots: a value on the scale of its metric, or its difference."""
    alike = {metric: block for (metric,), block in grouped_rows(rows, "metric").items()}
    names = ("difference", *BOUNDS_OF_DIFFERENCE)
    moved = {None}  # A champion differs nowhere.
    if answer.has_contrast:
        moved |= {row.get(MODEL.name) for row in rows if any(row[name] for name in names)}
    for row in rows:
        windows = window_in_words(window_of(row, answer.windows))
        name = ", ".join(filter(None, [comparison(row, has_sizes=False), windows]))
        metric, ideal, dots = row["metric"], row["ideal"], dict[str, Dot]()
        title = value_in_words(metric)
        if metric in CATALOGUE:
            title = f"{CATALOGUE[metric].title} ({metric})"
        if not answer.has_contrast:
            limits, tone = band_of(row), row["tones"]["verdict"]
            title += f": the band is {band(limits)}" if limits is not None else ""
            values = scale_of(alike[metric], is_log=is_logarithmic(metric, ideal, limits))
            ends = (row["value"], row["lower"], row["upper"])
            dots["value"] = Dot(Scale(values, limits, ideal), *ends, tone, title, name)
        elif row["difference"] is not None and (moved == {None} or row.get(MODEL.name) in moved):
            around = Values.covering([0.0, *(each[end] for each in alike[metric] for end in names)])
            ends, tone = tuple(row[end] for end in names), row["tones"]["change"]
            title += ": differences from the reference"
            dots["difference"] = Dot(Scale(around, None, 0.0), *ends, tone, title, name)
        yield {**row, "dots": dots}


def _compared(row: Row) -> str:
    return f"{comparison(row)}{'; few rows' if row.get('is_small') else ''}"


def judged(row: Row) -> dict[str, Any]:
    """The verdict and the change of a row of an audit in words, with their tones."""
    shown: dict[str, Any] = {"verdict": (row["verdict"] or "–", verdict_in_words(row))}
    tones = {"verdict": tone_of(row["verdict"]).name}
    if "change" in row:
        shown["change"] = (change(row), change(row))
        tones["change"] = tone_of_change(row["change"]).name
    return {**shown, "tones": tones}


_AUDIT: Final = Layout(
    _MEASURED,
    "value range interval ideal band … difference_interval change against verdict",
    itemgetter("metric"),
    _compared,
    judged,
    derived=(INTERVAL, BAND, _RANGE, _OF_DIFFERENCE),
    beside=(MODEL, THRESHOLD),
)


def grouped_rows(rows: Iterable[Row], *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    """The rows with the same values together, by these, in the order of the first of each."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    return groups


def _counted(frame: pl.DataFrame, windows: Sequence[str], time: str | None) -> Iterator[str]:
    """A line on the rows seen, dropped and used for each facet, over all windows.

    Where metrics count different rows, there are several lines, each with the names of its metrics.
    """
    counts = ("rows_seen", "rows_used", "rows_dropped", "n_unknown")
    of_facets = rows_by_facet(frame, windows, counts, time)
    for facet, *sizes, metrics in of_facets.iter_rows():
        seen, used, dropped, unknown = (size(number, HIDDEN) for number in sizes)
        about = "" if facet is None else f"{facet_in_words(facet)}: "
        about += f"{', '.join(metrics)}: " if metrics is not None else ""
        of_unknown = "" if facet is None else f", {unknown} of them unknown"
        yield f"{about}{seen} rows seen, {dropped} dropped, {used} used{of_unknown}"


def _reported(row: Row) -> str:
    recomputed = digits(row["recomputed"]) or "undefined"
    reported = f"reported {digits(row['reported'])}, recomputed {recomputed}"
    return f"{comparison(row)}: {row['metric']}, {reported}"


def _conventions(answer: Answer) -> Iterator[str]:
    """What decides the number of a metric, what it is called here, and how much was tried."""
    frame = answer.frame
    for name, ours in frame.select("metric", "ours").unique(maintain_order=True).iter_rows():
        metric = CATALOGUE.get(name)
        if metric is not None and name != ours:
            as_defined = f"{name}: {metric.definition}, as {metric.source} has it"
            yield "; ".join((as_defined, *metric.conventions))
            yield f"here: {ours or 'no metric of this package is near'}"
    of_number = frame.columns[: frame.columns.index("ours")]
    each = frame.group_by(of_number).agg(pl.col("equal").any())
    if each.height > 1:
        yield f"{each['equal'].sum()} of {each.height} reported numbers are those of the rows"
    if tried := max(frame["tried"], default=0):
        yield f"{tried} conventions were tried, alone or two together"


def _metrics_table(answer: Answer) -> Table:
    """A row for each metric of each comparison, as in an audit."""
    known = {*answer.windows, *COLUMNS_OF_METRICS}
    names = [name for name in answer.frame.columns if name not in known]
    of_classes = POSITIVE in answer.windows and answer.frame[POSITIVE].null_count() > 0

    def is_meant(name: str, row: Row) -> bool:
        """Whether a metric is about this row's class, or about all classes at once."""
        metric = CATALOGUE.get(name)
        if metric is None or not of_classes:
            return not of_classes or row[name] is not None
        is_of_one = not metric.parsed.level.divides_values
        return metric.compares_classes if row[POSITIVE] is None else is_of_one

    rows = [
        {
            "under": heading(row, answer.windows, comparison(row)),
            "name": name,
            "value": row[name],
            "ideal": CATALOGUE[name].ideal if name in CATALOGUE else None,
        }
        for row in answer.frame.iter_rows(named=True)
        for name in names
        if is_meant(name, row)
    ]
    audited = {each.name: each for each in ANSWERS["audit"]}
    return Table(_below(_MEASURED, {name: audited[name] for name in ("value", "ideal")}), rows)


def _rates_table(answer: Answer, most: int | None = None) -> Table:
    """A row for each group, below its facet, with all rows last in each block."""
    frame = answer.frame
    # The first ones are shown in any terminal. The last ones say what others say: tnr is 1 - fpr.
    names = "n rows_dropped selection_rate base_rate tpr fpr ppv npv accuracy f1 …"
    columns = {name: each for name, each in _columns(answer, names).items() if frame[name].count()}
    sums = [name for name in columns if name in ("rows_dropped", "auc_error")]
    left_out = {name for name in sums if not frame[name].sum()}
    # Beside what scores say of labels, quantiles would not fit.
    left_out |= {*QUANTILES} if "auc" in columns else set()
    columns = {name: each for name, each in columns.items() if name not in left_out}
    known = {*RATES, *MEASURES, *NUMBERS_OF_GROUPS}
    if (first := next((name for name in columns if name in known), None)) is not None:
        columns[first] = replace(columns[first], is_wide=False)
    if answer.is_swept:
        return _groups_table(answer, columns, most)
    rates = [name for name, rate in RATES.items() if rate.in_report and name in columns]
    columns |= {rate: replace(columns[rate], bounds=bounds_of(rate)) for rate in rates}
    confidence = _CONFIDENCE if frame["n"].dtype.is_integer() else None
    with_ends = replace(answer, frame=with_intervals(frame, rates, confidence))
    table = _groups_table(with_ends, columns, most)
    return replace(table, rows=[_with_dots_of_rates(row, rates, table.rows) for row in table.rows])


def _with_dots_of_rates(row: Row, rates: Sequence[str], rows: Sequence[Row]) -> Row:
    """A row with a dot for each rate, of all rows on one scale."""
    dots = {}
    for rate in rates:
        ends = bounds_of(rate)
        known = (each[end] for each in rows for end in (rate, ends[1]))
        lower, upper = (row[end] for end in ends)
        note = f"\n{confidence_in_words(_CONFIDENCE)} Wilson intervals" if upper is not None else ""
        title = f"{RATES[rate].title} {row['under']}{note}"
        scale = Scale(Values.of_shares(known))
        dots[rate] = Dot(scale, row[rate], lower, upper, "", title, row["name"])
    return {**row, "dots": dots}


def _groups_table(answer: Answer, columns: Named, most: int | None = None) -> Table:
    """The groups of each facet of each window; a model stands beside its group.

    The rows of all rows stand last in each.
    """
    beside = {MODEL.name: MODEL} if MODEL.name in answer.windows[-2:] else {}
    windows = [name for name in answer.windows if name not in beside]
    blocks: list[tuple[str, pl.DataFrame]] = []
    for part in parts_of(answer.frame, windows):
        is_of_all = part["facet"] == ALL
        groups, all_rows = part.filter(~is_of_all), part.filter(is_of_all)
        for of_facet in parts_of(groups, ["facet"]):
            # A group has a row for each model.
            of_groups = parts_of(of_facet, ["value"])
            sizes = [part["n"][0] or 0 for part in of_groups]
            largest = sorted(range(len(sizes)), key=lambda i: -sizes[i])[:most]
            is_cut = len(largest) < len(sizes)
            more = f", the {most} largest groups of {len(sizes):,}" if is_cut else ""
            shown = [of_groups[i] for i in sorted(largest)]
            blocks.append(
                (f"by {facet_in_words(of_facet['facet'][0])}{more}", pl.concat([*shown, all_rows]))
            )
        blocks += [("all rows", all_rows)] if groups.is_empty() else []
    rows = [
        {
            **row,
            "under": heading(row, windows, about),
            "name": (ALL if is_of_all_rows(row) else value_in_words(row["value"]))
            + ("" if row["n"] is not None else f" ({HIDDEN})"),
            "is_total": is_of_all_rows(row),
        }
        for about, block in blocks
        for row in block.iter_rows(named=True)
    ]
    return Table(_below(_GROUP, {**beside, **columns}), rows)


def ranked_table(answer: Answer, rate: str = "rate") -> Table:
    """The ranked groups below their window and the rate of all its rows, which has a name."""
    layout = Layout(
        replace(_GROUP, least=16),
        "rank n rate shrunken_rate mean_score direction interval weighted_gap …",
        lambda row: ", ".join(
            named_in_words(name, row[name]) for name in answer.attributes if row["fixed"][name]
        ),
        lambda row: f"{rate} of all rows: {exact(row['rate_of_all'])}",
        derived=(_SHARES,),
        notes=lambda answer: notes_on_groups(answer.frame),
    )
    table = layout.table(answer)
    titled = (replace(each, title=rate) if each.name == "rate" else each for each in table.columns)
    rows = [_with_dot_of_rank(row, table.rows) for row in table.rows]
    return replace(table, columns=tuple(titled), rows=rows)


def _with_dot_of_rank(row: Row, rows: Sequence[Row]) -> Row:
    """A ranked group with its rate beside that of all rows; an interval is of a shrunken rate."""
    if row["rank"] is None:
        return {**row, "dots": {}}
    known = (each.get(end) for each in rows for end in ("rate", "upper", "rate_of_all"))
    scale = Scale(Values.of_shares(known), None, row["rate_of_all"])
    title = f"Groups by rank, the worst first\ndashed: {row['under']}"
    strip = "shrunken_rate" if "shrunken_rate" in row else "rate"
    ends = (row[strip], row.get("lower"), row.get("upper"))
    return {**row, "dots": {strip: Dot(scale, *ends, "", title, row["name"])}}


def notes_on_groups(ranked: pl.DataFrame) -> Iterator[str]:
    """Why groups stand below others or are hidden, and how many."""
    noted = ranked.drop_nulls("note").group_by("note", maintain_order=True).len()
    for note, groups in noted.iter_rows():
        yield f"{note} ({groups:,} group{'s' * (groups > 1)})"


def _contributions_table(answer: Answer) -> Table:
    """The strata of each comparison, the largest contribution first."""
    strata = strata_of(answer.frame)
    named = " & ".join(map(value_in_words, strata))
    name = Column("subgroup", type="text", label=named, title=named, least=8)
    layout = Layout(
        name,
        "n contribution value …",
        lambda row: " & ".join(value_in_words(row[each]) for each in strata),
    )
    table = layout.table(answer)
    return replace(table, rows=[*_with_dots_of_parts(table.rows, "Contributions of subgroups")])


def _with_dots_of_parts(rows: Sequence[Row], title: str) -> Iterator[Row]:
    """The rows with their contributions around 0, on one scale."""
    ends = [row.get(key) for row in rows for key in ("contribution", "lower", "upper")]
    scale = Scale(Values.covering([0.0, *ends]), None, 0.0)
    for row in rows:
        numbers = (row["contribution"], row.get("lower"), row.get("upper"))
        about = f"{title}\n{row['under']}"
        dot = Dot(scale, *numbers, "", about, value_in_words(row["name"]))
        yield {**row, "dots": {"contribution": dot}}


def _drivers(answer: Answer) -> Iterator[str]:
    """What is left of each raw difference at equal controls."""
    for each in comparisons_of(answer.frame, answer.windows):
        rows = each.table.rows(named=True)
        yield from filter(None, [drivers_in_words(rows) or rows[0]["note"]])


def _findings(answer: Answer) -> Iterator[str]:
    if not answer.windows:
        yield " ".join(sentence.text for sentence in examined_in_words(answer.frame))
    yield ONE_BY_ONE
    yield from answer.frame["note"].drop_nulls().unique(maintain_order=True)


def _examined(row: Row) -> Row:
    """The verdict of a number about data, or how its column is counted."""
    words = row["verdict"] or ("–" if row["value"] is not None else row["kind"])
    return {"verdict": (words, words), "tones": {"verdict": tone_of(row["verdict"]).name}}


_DRIVERS: Final = Layout(
    Column("control", type="text", least=8),
    "contribution interval alone beyond_the_others",
    part_in_words,
    lambda row: f"{comparison(row)}: {row['metric']}",
    derived=(INTERVAL,),
    notes=_drivers,
)


def _drivers_table(answer: Answer) -> Table:
    """What each control accounts for, between the raw difference and that at equal controls."""
    table = _DRIVERS.table(answer)
    return replace(table, rows=[*_with_dots_of_parts(table.rows, "What controls account for")])


def _group_in_words(row: Row) -> str:
    return (
        "all rows"
        if is_of_all_rows(row)
        else f"{facet_in_words(row['facet'])}: {value_in_words(row['value'])}"
    )


def _confusions_table(answer: Answer) -> Table:
    """The matrix of each group: a row for each class of the label, a column for each predicted."""
    frame = answer.frame
    columns = {"n": _sizes_column(Column("n", "", "size", "Rows", title="rows"), frame["n"])}
    for each in frame["predicted"].unique(maintain_order=True):
        name = f"predicted {each}"
        columns[name] = Column(name, format="share", title=value_in_words(each))
    keys = [*answer.windows, "facet", "value", "label"]
    rows = [
        {
            "under": heading(first, answer.windows, _group_in_words(first)),
            "name": value_in_words(first["label"]),
            "n": part["n"].sum(),
            **{f"predicted {row['predicted']}": row["share"] for row in part.rows(named=True)},
        }
        for part in parts_of(frame, keys)
        for first in [part.row(0, named=True)]
    ]
    return Table(_below(Column("label", type="text"), columns), rows)


_WITHIN: Final = {True: "within", False: "outside", None: "undefined"}


def choice_table(
    answer: Answer, chosen: str = "is chosen", none: str = "none of these is chosen"
) -> Table:
    """A row for each candidate, with what it reaches and whether it is chosen, or none is."""
    names = answer.frame.columns
    reached = values_of_choice(names)
    held_out = [f"{HOLDOUT}{name}" for name in reached[1:] if f"{HOLDOUT}{name}" in names]
    of_metrics = (*reached[2:], *(f"{HOLDOUT}{name}" for name in reached[2:]))
    spans = {f"{name} interval" for name in of_metrics if f"{name}{LOWER}" in names}
    first, *others = (each for each in (MODEL, THRESHOLD) if each.name in answer.candidate)
    columns = {each.name: each for each in others}
    is_first = len(reached) > 1
    for each in (
        *(Column(name, least=9, is_wide=is_first and name == reached[0]) for name in reached),
        *(_CHOICE, _FRONTIER),
        *(Column(name, least=9, is_wide=True) for name in held_out),
    ):
        columns[each.name] = each
        if (name := f"{each.name} interval") in spans:
            ends = (f"{each.name}{LOWER}", f"{each.name}{UPPER}")
            columns[name] = replace(INTERVAL, name=name, is_wide=True, bounds=ends)
    # In the heading: of many candidates, a table shows the first ones only.
    best = {
        window_in_words(window_of(row, answer.windows)): ", ".join(
            f"{name} {digits(row[name]) if name == THRESHOLD.name else value_in_words(row[name])}"
            for name in answer.candidate
        )
        + f" {chosen}"
        + _held_out_in_words(row)
        for row in answer.frame.filter("is_chosen").iter_rows(named=True)
    }

    def own(row: Row) -> Row:
        # Without metrics, every candidate is within.
        within = _WITHIN[row["is_within"]] if len(reached) > 2 else ""
        choice = "chosen" if row["is_chosen"] else within
        best_here = best.get(window_in_words(window_of(row, answer.windows)), none)
        return {
            **row,
            "under": heading(row, answer.windows, best_here),
            "name": row[first.name],
            "choice": (choice, choice),
            "frontier": "yes" if row["is_on_frontier"] else "",
            "tones": {"choice": tone_of(_WITHIN[row["is_within"]]).name},
        }

    rows = map(own, answer.frame.iter_rows(named=True))
    # For many candidates a terminal has the first ones only.
    ordered = (
        row
        for block in grouped_rows(rows, "under").values()
        for row in sorted(block, key=lambda row: not row["is_chosen"])
    )
    return Table(_below(first, columns), [*ordered])


def _held_out_in_words(row: Mapping[str, Any]) -> str:
    """What the chosen candidate reaches on the rows held out, if there are any."""
    if f"{HOLDOUT}is_within" not in row:
        return ""
    names, parts = values_of_choice([*row]), []
    for name in names[1:] or names:
        held_out = f"{HOLDOUT}{name}"
        bounds = exact_span(row.get(f"{held_out}{LOWER}"), row.get(f"{held_out}{UPPER}"))
        with_bounds = f" ({bounds})" if bounds else ""
        parts.append(f"{name} {exact(row[held_out]) or 'undefined'}{with_bounds}")
    judged = f", and is {_WITHIN[row[f'{HOLDOUT}is_within']]}" if len(names) > 2 else ""
    return f"; on the rows held out it has {', '.join(parts)}{judged}"


_FLAGS: Final = {True: "flagged", False: "no", None: "not judged"}


def _left_out(answer: Answer) -> Iterator[str]:
    """The unknown and the dropped rows of each facet, over all windows."""
    counts = rows_by_facet(answer.frame, answer.windows, ("n_unknown", "rows_dropped"))
    for facet, unknown, dropped in counts.rows():
        counted = f"{size(unknown, HIDDEN)} unknown, {size(dropped, HIDDEN)} dropped"
        yield f"{facet_in_words(facet)}: {counted}"


def _impact_ratios_table(answer: Answer) -> Table:
    is_scored = answer.frame["median"].count()
    rate, selected = ("scoring", "above_median") if is_scored else ("selection", "selected")

    def table_of(row: Row) -> str:
        median = "" if row["median"] is None else f", median {row['median']:.10g}"
        return f"by {facet_in_words(row['facet'])}{median}"

    layout = Layout(
        Column("category", type="text", least=12),
        "n share selected rate impact_ratio interval",
        lambda row: "no category" if row["value"] is None else row["value"],
        table_of,
        lambda row: {"impact_ratio": "excluded"} if row["is_excluded"] else {},
        derived=(INTERVAL,),
        titles={"n": "people", "rate": f"{rate}_rate", "selected": selected},
        notes=_left_out,
    )
    return layout.table(answer)


def _against(row: Row) -> str:
    """The group or the rows that a group is compared with, with their size and rate."""
    if row["disfavored"] is None:
        return facet_in_words(row["facet"])
    beside = size(row["n_favored"], HIDDEN)
    if "reference_rate" in row:
        beside += f", rate {exact(row['reference_rate'])}"
    return f"{facet_in_words(row['facet'])}: against {side_in_words(row['favored'])} ({beside})"


def _group(row: Row) -> str:
    return "no two groups" if row["disfavored"] is None else side_in_words(row["disfavored"])


def _flagged(ratio: str, reasons: Mapping[str, str], row: Row) -> Row:
    """Whether a group is flagged, or could not be; if not, the one reason that holds."""
    flag = _FLAGS[row["is_flagged"]]
    if row["is_flagged"] is False:
        holds = (words for name, words in reasons.items() if row[name])
        flag = next(holds, "no ratio" if row[ratio] is None else flag)
    tones = {"flag": "outside" if row["is_flagged"] else "open"}
    return {"flag": (flag, flag), "tones": tones}


_REASONS: Final = {"is_below_four_fifths": "below 4/5", "is_significant": "significant"}


_PAY_IN_WORDS: Final = {
    "total": "total pay",
    "basic": "basic pay",
    "variable": "variable pay",
    "received": "variable pay received",
}
_OF_FIVE: Final = {True: "5 % or more", False: "below 5 %", None: ""}


def _pay_table(answer: Answer) -> Table:

    def own(row: Row) -> Row:
        point, about = row["point"], facet_in_words(row["facet"])
        group = row["disfavored"] and side_in_words(row["disfavored"])
        gap, pay = row["measure"].replace("_", " "), _PAY_IN_WORDS[row["pay"]]
        of_form = f", {row['form']} pay" if row["form"] else ""
        n = None if row["n_disfavored"] is None else people(row["n_disfavored"])
        if point == "f":
            under = f"{about}: (f) share of each quarter{of_form}"
            name = f"{row['quarter']}: {group}, {bounds_of_quarter(row)}"
            n = people_of_quarter(row)
        elif point == "e":
            under, name = f"{about}: (e) with variable pay", group
        else:
            is_alone = group is None or row["favored"] is None
            sides = (
                "no two groups" if is_alone else f"{group} against {side_in_words(row['favored'])}"
            )
            under, name = f"{about}: {sides}{of_form}", f"({point}) {gap}, {pay}"
            if point == "g":
                under = f"{about}: {sides}, (g) {gap}, {row['form']} {pay}"
                name = value_in_words(row["category"])
        text = _OF_FIVE[row["is_five_percent_or_more"]]
        tone = "outside" if row["is_five_percent_or_more"] else "open"
        is_hidden = row["value"] is None and (row["note"] or "").startswith("fewer")
        value = "too few" if is_hidden else row["value"]
        shown = {"value": value, "flag": (text, text), "tones": {"flag": tone}}
        shown["robust"] = robustness_in_words(row)
        under = heading(row, answer.windows, under)
        return {**row, "under": under, "name": name, "n_disfavored": n, **shown}

    has_gaps = bool(answer.frame["amount_disfavored"].count())
    names = "n_disfavored n_favored" + " amount_disfavored amount_favored" * has_gaps
    names += " value interval"
    names += " flag disadvantaged" * bool(answer.frame["is_five_percent_or_more"].count())
    is_robust = "robustness" in answer.frame and bool(answer.frame["robustness"].count())
    names += " robust" * is_robust
    names += " change" * bool(answer.windows)
    columns = _columns(answer, names, INTERVAL, _FLAG, _ROBUST)
    rows = map(own, answer.frame.iter_rows(named=True))
    together = [row for block in grouped_rows(rows, "under").values() for row in block]
    notes = answer.frame["note"].drop_nulls().unique(maintain_order=True).to_list()
    notes += chance_of_gaps(answer.frame.iter_rows(named=True))
    number = Column("number", type="text", least=20)
    legend = {_ROBUST.name: ROBUSTNESS}
    return Table(_below(number, columns), together, notes=notes, legend=legend)


def people_of_quarter(row: Row) -> str:
    """How many of the workers of a quarter of pay are of a group."""
    return f"{people(row['n_disfavored'])} of {people(row['n_quarter'])}"


def people(n: float) -> str:
    """How many workers; with a decimal where the end of a quarter divides one."""
    return f"{n:,.1f}".removesuffix(".0")


def bounds_of_quarter(row: Row) -> str:
    """From what pay to what pay a quarter is."""
    low, high = row["quarter_from"], row["quarter_to"]
    if low is None:
        return f"up to {money(high)}"
    return f"from {money(low)}" if high is None else f"{money(low)} to {money(high)}"


def chance_of_gaps(rows: Iterable[Row]) -> Iterator[str]:
    """How many of the gaps of 5 % or more chance alone could make."""
    large = [row for row in rows if row["is_five_percent_or_more"] and row["lower"] is not None]
    held = sum(row["lower"] <= 0 <= row["upper"] for row in large)
    if held:
        yield (
            f"Of the {len(large):,} gaps of 5 % or more that have an interval, {held:,} could be "
            "due to chance alone: the interval contains 0."
        )
    elif large:
        yield "No interval of a gap of 5 % or more contains 0."


def _switches_table(answer: Answer) -> Table:
    table = _groups_table(answer, _columns(answer, "n …"))
    switched = [
        (row["newly_accepted"] + row["newly_rejected"]) / row["n"] if row["n"] else None
        for row in table.rows
    ]
    scale = Scale(Values.of_shares(switched))
    rows = []
    for row, rate in zip(table.rows, switched, strict=True):
        beside = {
            "Share": "–" if rate is None else share(rate),
            "Newly accepted": size(row["newly_accepted"]),
            "Newly rejected": size(row["newly_rejected"]),
            "Rows": size(row["n"]),
        }
        model = window_in_words(window_of(row, [MODEL.name])) if MODEL.name in row else ""
        about = ", ".join(filter(None, [row["under"], model]))
        dot = Dot(scale, rate, None, None, "", f"Switched rows {about}", row["name"], beside)
        rows.append({**row, "dots": {"share": dot}})
    return replace(table, rows=rows)


def _rows_table(answer: Answer) -> Table:
    """The rows of an answer as they are, each of a person, of a cell or of a factor."""
    # Numbers for names: the columns of people may have any.
    columns = tuple(
        Column(str(i), type="number" if dtype.is_float() else "text", label=label, title=label)
        for i, (name, dtype) in enumerate(answer.frame.schema.items())
        for label in [value_in_words(name)]
    )
    columns = (replace(columns[0], type="text", format="text"), *columns[1:])
    rows: list[Row] = [
        {
            **{
                str(i): value if column.type == "number" and value is not None else _text(value)
                for i, (column, value) in enumerate(zip(columns, row, strict=True))
            },
            "under": "",
            "tones": {},
        }
        for row in answer.frame.iter_rows()
    ]
    return Table(columns, rows)


def _text(value: object) -> str:
    return "" if value is None else value_in_words(value)


TABLES: Final[Mapping[Kind, Callable[[Answer], Table]]] = {
    "audit": audit_table,
    "bounds": audit_table,
    "plan": Layout(
        _MEASURED,
        "value ideal band verdict rows power detectable rows_needed target",
        itemgetter("metric"),
        own=judged,
        derived=(BAND,),
        beside=(MODEL, THRESHOLD),
        notes=lambda answer: notes_of_audit(answer.frame),
    ).table,
    "compare": Layout(
        Column("why", type="text", least=30),
        "value difference",
        # A sentence of ours, which is never shortened as a name of the data is.
        lambda row: Cell(row["why"]),
        _reported,
        notes=_conventions,
    ).table,
    "rates": _rates_table,
    "worst_groups": ranked_table,
    "decompose": _contributions_table,
    "drivers": _drivers_table,
    "intake": Layout(
        Column("column", type="text", least=8),
        "value interval limit auc n verdict",
        finding_in_words,
        check_in_words,
        _examined,
        derived=(INTERVAL,),
        notes=_findings,
    ).table,
    "metrics": _metrics_table,
    "calibration": Layout(
        Column("score", type="text"),
        "n … interval",
        lambda row: f"{score(row['bin_lower'])} to {score(row['bin_upper'])}",
        _group_in_words,
        derived=(_SHARES,),
    ).table,
    "choose": choice_table,
    "switches": _switches_table,
    "representation": Layout(
        _GROUP,
        "n share reference ratio interval psi p_value",
        lambda row: value_in_words(row["value"]),
        lambda row: f"by {facet_in_words(row['facet'])}",
        derived=(INTERVAL,),
        notes=lambda answer: (
            answer.frame["note"].drop_nulls().unique(maintain_order=True)
            if "note" in answer.frame.columns
            else ()
        ),
    ).table,
    "fliptest": _rows_table,
    "fliptest(flips=True)": _rows_table,
    "reweigh": _rows_table,
    "cells": _rows_table,
    "pairs": Layout(
        _GROUP,
        "n …",
        _group,
        lambda row: f"{facet_in_words(row['facet'])}: against {side_in_words(row['favored'])}",
        beside=(MODEL, THRESHOLD),
    ).table,
    "confusions": _confusions_table,
    "hiring_impact_ratios": _impact_ratios_table,
    "hiring_adverse_impact": Layout(
        _GROUP,
        "n_disfavored rate impact_ratio shortfall shortfall_to_four_fifths two_sd p_value flag",
        _group,
        _against,
        partial(_flagged, "impact_ratio", _REASONS),
        derived=(_FLAG,),
        titles={"n_disfavored": "people"},
        notes=_left_out,
    ).table,
    "lending_table": Layout(
        _GROUP,
        "n_disfavored rate air interval points odds_ratio smd shortfall shortfall_to_four_fifths "
        "p_value flag",
        _group,
        _against,
        partial(_flagged, "air", {}),
        derived=(INTERVAL, _FLAG),
        notes=_left_out,
    ).table,
    "lending_quantiles": Layout(
        ANSWERS["lending_quantiles"][0],
        "threshold accepted_share rate reference_rate air interval points p_value",
        itemgetter("share"),
        lambda row: (
            f"{row['facet']}: no two groups" if row["disfavored"] is None else comparison(row)
        ),
        derived=(INTERVAL,),
        notes=_left_out,
    ).table,
    "lending_segments": Layout(
        _GROUP,
        "n_disfavored segments mh_odds_ratio interval cmh p_value breslow_day breslow_day_p_value",
        _group,
        _against,
        derived=(INTERVAL,),
        notes=_left_out,
    ).table,
    "pay_table": _pay_table,
}
