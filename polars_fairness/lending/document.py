"""The function `lending.report`: the tables of lending as a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Unpack, cast

import polars as pl

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.signatures import takes
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.errors import about
from polars_fairness.lending.arguments import (
    OF_LENDING_TABLE,
    OF_QUANTILES,
    OF_SEGMENTS,
    SHARES_ACCEPTED,
    LendingReportQuestion,
)
from polars_fairness.lending.group_table import table
from polars_fairness.lending.page import LendingFindings, lending_page
from polars_fairness.lending.quantile_table import quantiles
from polars_fairness.lending.references import (
    call_about_decisions,
    options_and_question_of,
)
from polars_fairness.lending.segment_table import segments
from polars_fairness.question.arguments import Argument
from polars_fairness.question.audit_arguments import OF_AUDIT, Texts
from polars_fairness.question.columns import ColumnLike, Columns
from polars_fairness.reporting.document import in_order
from polars_fairness.reporting.findings import counted_once
from polars_fairness.reporting.outputs.records import tables_as_json
from polars_fairness.reporting.parts import Document
from polars_fairness.reporting.words import title_of
from polars_fairness.reporting.written_report import WrittenReport

# The options of an audit are not among them.
_OWN: Final = {each.name for each in (*OF_LENDING_TABLE, SHARES_ACCEPTED)} - {
    each.name for each in OF_AUDIT
}


@dataclass(frozen=True)
class LendingReport(WrittenReport):
    """The result of `lending.report`; a notebook shows it as a page.

    The file of ``write_json`` has the records of the tables: of `lending.table`, and where they are
    on the page of `lending.quantiles`, of `lending.segments`, and of the table in each segment;
    ``polars-fairness schema lending_document`` prints its schema.
    """

    findings: LendingFindings = field(repr=False)

    def __repr__(self) -> str:
        return f"LendingReport({title_of(self.findings.question)!r})"

    def _document(self, texts: Texts) -> Document:
        return lending_page(self.findings, texts)

    def _as_json(self, texts: Texts) -> dict[str, Any]:
        found = self.findings
        tables = {
            "table": ("lending_table", found.table),
            "quantiles": ("lending_quantiles", found.quantiles),
            "segments": ("lending_segments", found.segments),
            "in_segments": ("lending_table", found.in_segments),
        }
        title = texts.get("title", title_of(found.question))
        return tables_as_json("lending_document", title, texts, tables)


@takes(*OF_LENDING_TABLE, SHARES_ACCEPTED, module="lending")
def report(frame: AnyFrame, **given: Unpack[LendingReportQuestion]) -> LendingReport:
    """The tables of lending as a page: what was found, each group beside its reference, the limits.

    With ``score``, the page has the adverse impact ratios where the best shares of all rows are
    accepted, also as a chart. With ``subgroup``, such as the branch or the product, it has the
    tests over these segments, and the table of each segment. These are tables, and no legal advice.

    The call counts the rows at once, also of a LazyFrame, and reads them once. The page needs the
    extras ``report`` and ``significance``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    LendingReport
        A notebook shows it; ``write_html``, ``write_pdf``, ``to_markdown`` and ``write_json`` write
        it for elsewhere.

    Examples
    --------
    >>> import polars_fairness as pf
    >>> pf.lending.report(
    ...     pf.datasets.berkeley(), facet="sex", favored="Male", predicted="admitted", count="n"
    ... )
    LendingReport('admitted by sex')
    """
    return LendingReport(_found(frame, given))


def _found(frame: AnyFrame, given: Mapping[str, Any]) -> LendingFindings:
    """The tables of the page, from one count of the rows."""
    options, question = options_and_question_of(given, _OWN)
    call = call_about_decisions(frame, question, "lending.report")
    facets = [facet.name for facet in call.roles.facets]
    has_scores, has_segments = (question.get(name) is not None for name in ("score", "subgroup"))
    metrics = ["di", *(["smd"] if has_scores else []), *(["cmh"] if has_segments else [])]
    counted = counted_once(frame, metrics, options, question)

    def answer(
        function: Callable[..., PolarsFrame], arguments: Iterable[Argument], **question: Any
    ) -> pl.DataFrame:
        own = {each.name: given[each.name] for each in arguments if each.name in given}
        return in_order(function(counted, **question, **own), facets)

    alone = {**question, "subgroup": None}
    by_score = {**alone, "predicted": None}
    by_score.pop("threshold", None)
    inside = {**alone, "by": [*_columns(question.get("by")), *_columns(question.get("subgroup"))]}
    with about("subgroup"):
        in_segments = answer(table, OF_LENDING_TABLE, **inside) if has_segments else None
    return LendingFindings(
        question=question,
        options={
            each.name: given.get(each.name, each.default)
            for each in (*OF_LENDING_TABLE, *([SHARES_ACCEPTED] if has_scores else []))
        },
        table=answer(table, OF_LENDING_TABLE, **alone),
        quantiles=answer(quantiles, OF_QUANTILES, **by_score) if has_scores else None,
        segments=answer(segments, OF_SEGMENTS, **question) if has_segments else None,
        in_segments=in_segments,
    )


def _columns(given: Columns | None) -> list[ColumnLike]:
    """Columns as a list, also if they are given as one or not at all."""
    if given is None:
        return []
    return [*given] if isinstance(given, list | tuple) else [cast("ColumnLike", given)]
