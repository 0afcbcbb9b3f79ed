"""The functions `show`, `table` and `chart`: an answer as text, as a table, and as charts."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

import polars as pl

from polars_fairness.errors import require_extra
from polars_fairness.reporting.answer_tables import (
    TABLES,
    Answer,
    lay_out,
    recognised,
    terminal_tables,
)
from polars_fairness.reporting.tables import terminal_text

if TYPE_CHECKING:
    from altair import VConcatChart
    from great_tables import GT


from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from polars_fairness.api.columns import Column, Kind
from polars_fairness.catalogue import CATALOGUE
from polars_fairness.counting.sides import ALL
from polars_fairness.errors import FairnessError, listed
from polars_fairness.question.windows import THRESHOLD
from polars_fairness.reporting.charts.curves import (
    MOST_CLASSES,
    SELECTION,
    apart_by_decisions,
    calibration_figures,
    classes_of,
    confusion_figures,
    figures_by_facet,
    matrices_of,
    roc_figures,
    sweep_figures,
    time_figures,
)
from polars_fairness.reporting.charts.marks import Dots, draw_figures
from polars_fairness.reporting.parts import Dot, Figure, Row, first_of
from polars_fairness.reporting.tables import cell_of
from polars_fairness.values.evaluate import COLUMNS as COLUMNS_OF_METRICS
from polars_fairness.values.evaluate import SIDES

_MOST_FIGURES: Final = 16
_MOST_ROWS: Final = 40
_WIDTH: Final = 100
"""The width where there is no terminal."""


def show(answer: pl.DataFrame | pl.LazyFrame) -> None:
    """Print an answer as a compact table: as text, or as a table of HTML in a notebook.

    Numbers are rounded; windows, groups and metrics stand in headings and names, so that none of
    them is hidden. For an audit without windows, comparisons outside of a band come first. For more
    than 40 rows, a terminal has the first, and a line that says how many more there are.

    Parameters
    ----------
    answer
        What a function of this package returned, also with rows taken away, as `table` takes it. A
        LazyFrame is collected. The table of HTML needs the extra ``report``; without it a notebook
        has the text.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> question = {"facet": "sex", "disfavored": "Female", "predicted": "admitted", "count": "n"}
    >>> pf.show(pf.audit(applicants, "di", "ddpl", confidence=None, **question))
      metric  value  ideal  band         against  verdict
    <BLANKLINE>
    sex: Female (1,835) against everyone else (2,691)
      di      0.682      1  0.8 to 1.25  Female   outside
      ddpl    0.144      0                        –
    <BLANKLINE>
    sex: 4,526 rows seen, 0 dropped, 4,526 used, 0 of them unknown
    """
    known = recognised(answer, TABLES)
    if _has_tables_of_html():
        # IPython is brought by the notebook.
        import_module("IPython.display").display(_table_of_html(known))
        return
    width = get_terminal_size((_WIDTH, 24)).columns
    print(terminal_text(terminal_tables(known), width, most=_MOST_ROWS))


def _has_tables_of_html() -> bool:
    """Whether this is a notebook, and great_tables is installed."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return hasattr(shell, "kernel") and find_spec("great_tables") is not None


def table(answer: pl.DataFrame | pl.LazyFrame) -> GT:
    """An answer as a table of great_tables, with verdicts in colour.

    A notebook shows the table. ``gtsave("table.png")`` of great_tables writes a picture, drawn by
    the Chrome or Chromium that is installed; ``write_raw_html`` writes HTML. The cells of the table
    have the numbers of the answer, so great_tables can format them differently.

    Parameters
    ----------
    answer
        What a function of this package returned, also with rows taken away. A LazyFrame is
        collected.

    Returns
    -------
    great_tables.GT
        A table of at most 200 rows (extra ``report``). It says so if the answer has more.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> question = {"facet": "sex", "disfavored": "Female", "predicted": "admitted", "count": "n"}
    >>> table = pf.table(applicants.fairness.audit("di", "ddpl", **question))
    >>> "▲ outside" in table.as_raw_html()
    True
    """
    require_extra("table", "report", "great_tables")
    return _table_of_html(recognised(answer, TABLES))


def _table_of_html(answer: Answer) -> GT:
    from polars_fairness.reporting.outputs.notebook import great_table  # brought by the extra

    return great_table(lay_out(answer))


def chart(answer: pl.DataFrame | pl.LazyFrame) -> VConcatChart:
    """An answer as Altair charts, one below the other.

    They are the strips of the answer's table: for an audit, a chart for each metric with its band,
    and a row for each comparison. If its windows are dates or times, each metric is drawn over time
    instead. Rates are drawn with 95 % Wilson intervals if they are of counts and not of weights;
    ranked groups with the intervals of the answer, the worst first; the results of `decompose` and
    `drivers` as contributions around 0.

    Answers at several thresholds are drawn over the thresholds: rates as ROC curves and selection
    rates, an audit or `metrics` as a chart for each metric with its band and intervals, ratios on a
    logarithmic scale. Metrics of an audit that do not depend on the threshold are strips. The
    result of `calibration` is drawn by group, with its intervals and the distribution of scores. A
    chart has at most 8 groups.

    An audit with ``champion`` or ``baseline`` is drawn as differences around 0, or over time with a
    dash at each reference; the result of `switches` as the share of each group, and that of
    `confusions` as a heat map of each group.

    A notebook shows the charts. Altair's ``save("chart.png")`` writes a picture, or SVG or HTML.

    Parameters
    ----------
    answer
        What `audit`, `rates`, `metrics`, `worst_groups`, `decompose`, `drivers`, `calibration`,
        `choose`, `switches` or `confusions` returned. A LazyFrame is collected.

    Returns
    -------
    altair.VConcatChart
        At most 16 charts (extra ``report``). A line above them says so if there are more.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> applicants = pf.datasets.berkeley()
    >>> question = {"facet": "sex", "predicted": "admitted", "count": "n"}
    >>> chart = pf.chart(applicants.fairness.rates(**question))
    >>> chart.vconcat[0].title.text
    ['Selection rate by sex']
    """
    require_extra("chart", "report", "altair", "vl_convert")
    known = recognised(answer, FIGURES)
    figures = FIGURES[known.kind](known)
    more = len(figures) - _MOST_FIGURES
    drawn = (
        f"The first {_MOST_FIGURES} of {len(figures):,} charts; filter the answer to see others."
    )
    return draw_figures(figures[:_MOST_FIGURES], drawn if more > 0 else "")


_OF_SWEEP: Final = "the strip is the band, the dashed line is the ideal; shades are intervals"
_OF_TIME: Final = (
    "shaded is the band, dashed the ideal; circles are within the band, triangles outside, "
    "diamonds uncertain"
)
_OF_REFERENCES: Final = "a dash is the value that this one is compared with"


def _audit_figures(answer: Answer) -> list[Figure]:
    """The metrics over thresholds or over time, or the strips of the table of the answer.

    Metrics that no threshold changes are strips beside those over thresholds.
    """
    if answer.is_swept:
        decided, same = apart_by_decisions(answer.frame, CATALOGUE)
        once = _strips(Answer(answer.kind, same.drop(THRESHOLD)))
        alike = [
            replace(each, caption=f"{each.caption}; the same at each threshold") for each in once
        ]
        return [*sweep_figures(decided, answer.windows[:-1], _OF_SWEEP), *alike]
    note = f"{_OF_TIME}; {_OF_REFERENCES}" if answer.has_contrast else _OF_TIME
    return time_figures(answer.frame, answer.windows, note) or _strips(answer)


def _metric_figures(answer: Answer) -> list[Figure]:
    """The metrics over thresholds; an answer at one threshold has too little to draw."""
    if not answer.is_swept:
        raise FairnessError(
            "answer: has metrics without intervals and verdicts, which are drawn over several "
            "thresholds only; give the result of audit, or give threshold= several "
            "numbers"
        )
    windows = answer.windows[:-1]
    decided, same = apart_by_decisions(_as_audited(answer.frame, windows), CATALOGUE)
    if decided.is_empty() and not same.is_empty():
        raise FairnessError(
            f"answer: no threshold changes {listed(same['metric'].unique(maintain_order=True))}, "
            "so that there is no line to draw; give the result of audit, or show it by table"
        )
    return sweep_figures(decided, windows, _OF_SWEEP)


def _as_audited(values: pl.DataFrame, windows: Sequence[str]) -> pl.DataFrame:
    """The answer of `metrics` with a row for each metric, without intervals, as `audit` has it."""
    places, parts = values[[*windows, THRESHOLD, *SIDES]], []
    for name in values.drop(places.columns, *COLUMNS_OF_METRICS, strict=False).columns:
        metric = CATALOGUE.get(name)
        low, high = (metric and metric.acceptable) or (None, None)
        numbers = {"ideal": metric and metric.ideal, "band_lower": low, "band_upper": high}
        numbers |= {"lower": None, "upper": None}
        part = places.with_columns(
            values[name].alias("value"),
            pl.lit(name).alias("metric"),
            *(pl.lit(number, pl.Float64).alias(key) for key, number in numbers.items()),
        )
        if metric is not None and not metric.has_sides:
            # Repeated on every row of its facet.
            no_sides = (pl.lit(None, pl.String).alias(side) for side in SIDES[1:])
            part = part.with_columns(no_sides).unique(maintain_order=True)
        parts.append(part)
    return pl.concat(parts)


def _rate_figures(answer: Answer) -> list[Figure]:
    """The ROC curves and selection rates over thresholds, or the strips of the rates."""
    rated, windows = answer.frame, answer.windows
    if answer.is_swept:
        selected = figures_by_facet(rated, windows[:-1], SELECTION)
        return [*roc_figures(rated, windows[:-1]), *selected]
    return _strips(answer)


def _confusion_figures(answer: Answer) -> list[Figure]:
    for role, classes in classes_of(answer.frame).items():
        if classes > MOST_CLASSES:
            raise FairnessError(
                f"answer: there are {classes:,} classes of {role}, and a chart has room for "
                f"{MOST_CLASSES}; filter the answer"
            )
    frame, windows = answer.frame, answer.windows
    groups = frame.filter(pl.col("facet") != ALL)
    return confusion_figures(matrices_of(groups, windows) or matrices_of(frame, windows), windows)


def _strips(answer: Answer) -> list[Figure]:
    """A chart for each title of the dots of a table, with the numbers of its rows beside it."""
    table = lay_out(answer)
    by_name = {each.name: each for each in table.columns}
    charts: dict[str, list[Dot]] = {}
    for row in table.rows:
        for name, dot in row.get("dots", {}).items():
            if dot.value is not None or dot.lower is not None:
                charts.setdefault(dot.title, []).append(_with_texts(dot, name, row, by_name))
    figures = []
    for title, dots in charts.items():
        shown = dots[:_MOST_ROWS]
        marks = [
            {
                "line": line,
                "name": dot.name,
                **{key: getattr(dot, key) for key in ("value", "lower", "upper")},
                **({"tone": dot.tone} if dot.tone else {}),
                **dot.beside,
            }
            for line, dot in enumerate(shown)
        ]
        scale = dots[0].scale
        columns = [*dict.fromkeys(key for dot in shown for key in dot.beside if key != "text")]
        chart = Dots(marks, scale.values, columns=columns, band=scale.band, ideal=scale.ideal)
        first, *others = title.split("\n")
        caption = "\n".join([f"{first}{first_of(dots, _MOST_ROWS)}", *others])
        figures.append(Figure(caption, chart))
    return figures


_JUDGED_IN: Final = {"value": "verdict", "difference": "change"}


def _with_texts(dot: Dot, strip: str, row: Row, columns: Mapping[str, Column]) -> Dot:
    """A dot with the texts of its row: its cell, its interval, and its verdict or its rows."""
    if dot.beside:
        return dot
    cell = cell_of(columns[strip], row)
    beside = {columns[strip].label: cell.text, "Interval": cell.detail}
    if other := columns.get(_JUDGED_IN.get(strip, "n")):
        beside[other.label] = cell_of(other, row).text
    return replace(dot, beside={"text": cell.text, **beside} if strip == "value" else beside)


FIGURES: Final[Mapping[Kind, Callable[[Answer], list[Figure]]]] = {
    "audit": _audit_figures,
    "rates": _rate_figures,
    "worst_groups": _strips,
    "decompose": _strips,
    "drivers": _strips,
    "metrics": _metric_figures,
    "calibration": lambda answer: calibration_figures(answer.frame, answer.windows),
    "switches": _strips,
    "confusions": _confusion_figures,
}
