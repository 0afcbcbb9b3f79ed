"""A question, its answer and what it rests on, as a page for people and numbers for machines."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Unpack

from polars_fairness.api.signatures import takes
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import require_extra
from polars_fairness.formula.metric import Metric
from polars_fairness.question.arguments import OF_AUDIT, AuditQuestion
from polars_fairness.reporting.findings import Findings, find
from polars_fairness.reporting.markdown import written_in_markdown
from polars_fairness.reporting.sections import sections_of
from polars_fairness.reporting.tracker import flattened
from polars_fairness.reporting.words import title_of

__all__ = ["Report", "report"]


def require_charts() -> None:
    """Refuse to draw a page where what draws it is not installed."""
    require_extra("report", "report", "altair", "great_tables", "vl_convert")


@dataclass(frozen=True)
class Report:
    """What `report` found; a notebook shows it as a page.

    The page is drawn by altair and great_tables (extra ``report``); `to_markdown` and `to_dict`
    need neither. Equal answers give equal pages, to the last byte: nothing tells the time.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.report(
    ...     pf.datasets.berkeley(),
    ...     "ddpl",
    ...     facet="sex",
    ...     disfavored="Female",
    ...     predicted="admitted",
    ...     count="n",
    ...     confidence=None,
    ... )
    Report('admitted by sex')
    """

    findings: Findings = field(repr=False)

    def __repr__(self) -> str:
        return f"Report({title_of(self.findings)!r})"

    def _repr_html_(self) -> str:
        return self._drawn(is_whole=False)

    def write_html(self, path: str | Path) -> None:
        """Write one page that needs nothing else: no network, no scripts.

        Parameters
        ----------
        path
            Where to; a file that is there is written over.
        """
        Path(path).write_text(self._drawn(is_whole=True), "utf-8", newline="\n")

    def to_markdown(self) -> str:
        """Write the same as Markdown, without the charts.

        Returns
        -------
        str
            Headings, sentences and tables.
        """
        return written_in_markdown(title_of(self.findings), sections_of(self.findings))

    def to_dict(self) -> dict[str, float | str]:
        """Flatten the answer for an experiment tracker.

        Returns
        -------
        dict
            ``metric/facet/disfavored`` with the value; with windows ``/column=value`` behind it
            for each; ``metric/facet`` where a metric has no sides, ``metric`` without a facet.
            The same with ``lower/``, ``upper/`` and ``verdict/`` before it has the bounds and the
            verdict. In names and values ``/`` is written ``%2F``, ``%`` ``%25`` and ``#`` ``%23``;
            an unknown window is ``/column`` alone. Where comparisons are written alike, as the
            groups ``("A & B", "C")`` and ``("A", "B & C")`` are, all but the first have ``#2``,
            ``#3`` behind the key, in the order of `audit`. What is undefined is left out; its
            verdict says so.

        Examples
        --------
        >>> import polars as pl
        >>> import polars_fairness as pf
        >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
        >>> told = pf.report(
        ...     hired, "dppl", facet="sex", disfavored="F", predicted="hired", confidence=None
        ... )
        >>> told.to_dict()["dppl/sex/F"]
        0.5
        """
        return flattened(self.findings)

    def _drawn(self, *, is_whole: bool) -> str:
        require_charts()
        from polars_fairness.reporting.page import fragment, page  # brought by the extra

        write = page if is_whole else fragment
        return write(title_of(self.findings), sections_of(self.findings))


@takes(*OF_AUDIT)
def report(
    frame: AnyFrame,
    *metrics: str | Metric,
    **given: Unpack[AuditQuestion],
) -> Report:
    """Audit, and put the answer on a page: the question, the rows, rates, metrics and charts.

    Everything is counted when this is called, also of a LazyFrame, whose rows are read once per
    facet for the audit, for the rates of groups and for each metric that is taken apart by
    subgroups; once more for the audit where a metric is over several facets. For the worst groups
    they are read once, or, where a group fixes fewer facets than there are, once per facet and at
    least once more. Of large data, give the result of `cells`.

    ``confidence`` holds for the Wilson intervals of rates as well, and ``minimum_count`` for the
    worst groups where no metric given says otherwise. The positive values of outcomes need to be
    known, as in `rates`.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    *metrics
        As in `audit`; none for every metric that the columns given allow. Of two facets or more,
        those over intersections or conjunctions are taken apart group by group, the worst first;
        where there are none, fpsf and fnsf, or spsf without labels, over at most two facets.
    {arguments}

    Returns
    -------
    Report
        Shows itself in a notebook; ``write_html``, ``to_markdown`` and ``to_dict`` for elsewhere.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> hired = pl.DataFrame({"sex": ["F", "F", "M", "M"], "hired": [0, 1, 1, 1]})
    >>> told = pf.report(hired, "di", facet="sex", disfavored="F", predicted="hired")
    >>> told
    Report('hired by sex')
    >>> told.to_dict()["di/sex/F"]
    0.5
    """
    return Report(find(frame, metrics, given))
