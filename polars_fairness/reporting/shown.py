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
from polars_fairness.reporting.shown_figures import FIGURES, figures_of
from polars_fairness.reporting.tables import terminal_text

if TYPE_CHECKING:
    from altair import VConcatChart
    from great_tables import GT

_MOST_FIGURES: Final = 16
_MOST_ROWS: Final = 40
_WIDTH: Final = 100
"""The width where there is no terminal."""


def show(answer: pl.DataFrame | pl.LazyFrame) -> None:
    """Print an answer as a compact table: as text, or as a table of HTML in a notebook.

    Numbers are rounded; windows, groups and metrics stand in headings and names, so that none of
    them is hidden. Of an audit without windows, comparisons outside of a band come first. Of more
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
    from polars_fairness.reporting.charts.marks import draw_figures  # brought by the extra

    figures = figures_of(known)
    more = len(figures) - _MOST_FIGURES
    drawn = (
        f"The first {_MOST_FIGURES} of {len(figures):,} charts; filter the answer to see others."
    )
    return draw_figures(figures[:_MOST_FIGURES], drawn if more > 0 else "")
