"""The functions `table` and `chart`: an answer as a table, and as charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from polars_fairness.errors import require_extra
from polars_fairness.reporting.shown.figures import FIGURES, figures_of
from polars_fairness.reporting.shown.layouts import LAYOUTS, layout_of
from polars_fairness.reporting.shown.recognised import recognised

if TYPE_CHECKING:
    from altair import VConcatChart
    from great_tables import GT

_MOST_FIGURES: Final = 16


def table(answer: pl.DataFrame | pl.LazyFrame) -> GT:
    """An answer as a table of great_tables, with verdicts in colour.

    A notebook shows the table. ``gtsave("table.png")`` of great_tables writes a picture, drawn by
    the Chrome or Chromium that is installed; ``write_raw_html`` writes HTML. The cells of the table
    have the numbers of the answer, so great_tables can format them differently.

    Parameters
    ----------
    answer
        What `audit`, `metrics`, `rates`, `subgroups`, `decompose`, `calibration`, `choose` or
        `switches` returned. A LazyFrame is collected.

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
    >>> "outside, against Female" in table.as_raw_html()
    True
    """
    require_extra("table", "report", "great_tables")
    found = recognised(answer, LAYOUTS)
    from polars_fairness.reporting.shown.tables import table_of  # brought by the extra

    return table_of(layout_of(found))


def chart(answer: pl.DataFrame | pl.LazyFrame) -> VConcatChart:
    """An answer as charts of altair, below each other.

    An audit is drawn as a forest plot for each comparison: every metric on the scale of its band.
    If its windows are dates or times, each metric is drawn over time instead. Rates are drawn with
    95 % Wilson intervals, if they are of counts and not of weights; ranked groups with the
    intervals of the answer, the worst first; the result of `decompose` as bars.

    Answers at several thresholds are drawn over them: rates as ROC curves and selection rates, an
    audit or `metrics` as a chart for each metric, with its band and intervals, ratios on a
    logarithmic scale. Of an audit, the metrics that no threshold changes are a forest plot. What
    `calibration` returned is drawn by group, with its intervals and the distribution of scores;
    what `choose` returned is the frontier. A chart has at most 8 groups.

    An audit with ``champion`` or ``baseline`` is drawn as the differences around 0, or over time
    with a dash at each reference; what `switches` returned as bars of each group.

    A notebook shows the charts. ``save("chart.png")`` of altair writes a picture, or SVG or HTML.

    Parameters
    ----------
    answer
        What `audit`, `rates`, `metrics`, `subgroups`, `decompose`, `calibration`, `choose` or
        `switches` returned. A LazyFrame is collected.

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
    found = recognised(answer, FIGURES)
    from polars_fairness.reporting.charts.chart import draw_figures  # brought by the extra

    figures = figures_of(found)
    more = len(figures) - _MOST_FIGURES
    drawn = (
        f"The first {_MOST_FIGURES} of {len(figures):,} charts; filter the answer to see others."
    )
    return draw_figures(figures[:_MOST_FIGURES], drawn if more > 0 else "")
