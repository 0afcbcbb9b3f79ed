"""The function `hiring.report`: the summary of a bias audit as a page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Unpack, cast

from polars_fairness.answers.plan import PolarsFrame
from polars_fairness.api.signatures import takes
from polars_fairness.counting.counted_rows import CountedRows
from polars_fairness.counting.models import counts_of
from polars_fairness.counting.rows import AnyFrame
from polars_fairness.hiring.arguments import (
    OF_ADVERSE_IMPACT,
    OF_IMPACT_RATIOS,
    OF_PEOPLE,
    OF_PUBLICATION,
    HiringReportQuestion,
    ImpactRatiosQuestion,
)
from polars_fairness.hiring.four_fifths import adverse_impact
from polars_fairness.hiring.page import BiasAudit, Publication, hiring_page
from polars_fairness.hiring.people import NOT_OF_PEOPLE
from polars_fairness.hiring.ratios import call_of_ratios, impact_ratios
from polars_fairness.question.arguments import defaults
from polars_fairness.question.audit_arguments import Texts
from polars_fairness.reporting.document import in_order
from polars_fairness.reporting.outputs.records import tables_as_json
from polars_fairness.reporting.parts import Document
from polars_fairness.reporting.words import column_in_words
from polars_fairness.reporting.written_report import WrittenReport


@dataclass(frozen=True)
class HiringReport(WrittenReport):
    """The result of `hiring.report`; a notebook shows it as a page.

    The file of ``write_json`` has the given texts, and the records of `hiring.impact_ratios` and
    `hiring.adverse_impact`; ``polars-fairness schema hiring_document`` prints its schema.
    """

    audit: BiasAudit = field(repr=False)

    def __repr__(self) -> str:
        return f"HiringReport({self.audit.title!r})"

    def _document(self, texts: Texts) -> Document:
        return hiring_page(self.audit, texts)

    def _as_json(self, texts: Texts) -> dict[str, Any]:
        audit = self.audit
        tables = {
            "impact_ratios": ("hiring_impact_ratios", audit.ratios),
            "adverse_impact": ("hiring_adverse_impact", audit.adverse),
        }
        about = {**audit.publication.texts, **texts}
        return tables_as_json("hiring_document", texts.get("title", audit.title), about, tables)


@takes(*OF_IMPACT_RATIOS, *OF_PUBLICATION, shared=OF_PEOPLE, module="hiring", refused=NOT_OF_PEOPLE)
def report(frame: AnyFrame, **given: Unpack[HiringReportQuestion]) -> HiringReport:
    """The summary of a bias audit as a page: what New York City's rule has an employer publish.

    The first page has what 6 RCNY 5-301 to 5-303 name, for sex, for race and ethnicity, and for
    both together, and fits one sheet of paper with the categories of the rule. Below it, with
    ``selected``, stands the four-fifths rule with significance by sex and by race, as
    `adverse_impact` has it, which the rule does not name. These are tables, and no legal advice.

    The call counts the rows at once, also of a LazyFrame, and reads them once. The page needs the
    extra ``report``, and with ``selected`` also ``significance``.

    Parameters
    ----------
    frame
        A LazyFrame, a DataFrame, or a frame of another engine.
    {arguments}

    Returns
    -------
    HiringReport
        A notebook shows it; ``write_html``, ``write_pdf``, ``to_markdown`` and ``write_json`` write
        it for elsewhere.

    Examples
    --------
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> applicants = pl.DataFrame(
    ...     {
    ...         "sex": ["F", "F", "M", "M"],
    ...         "race": ["White", "White", "Asian", "Asian"],
    ...         "hired": [True, False, True, False],
    ...         "n": [34, 42, 50, 42],
    ...     }
    ... )
    >>> pf.hiring.report(
    ...     applicants,
    ...     sex="sex",
    ...     race="race",
    ...     selected="hired",
    ...     count="n",
    ...     audit_date="2026-11-22",
    ...     data="All applications of 2025, from the employer's records.",
    ...     distribution_date="2026-01-31",
    ... )
    HiringReport('Impact ratios of hired')
    """
    published = {row.name: given[row.name] for row in OF_PUBLICATION if row.name in given}  # type: ignore[literal-required]
    publication = Publication(**published)
    question = cast(
        "ImpactRatiosQuestion",
        {name: value for name, value in given.items() if name not in published},
    )
    call = call_of_ratios(frame, question)
    counted = CountedRows.of(frame, call.rows, counts_of(call.roles))
    selected = question.get("selected")
    outcome = question.get("score") if selected is None else selected
    adverse = None if selected is None else _adverse(counted, question)
    facets = [facet.name for facet in call.roles.facets]
    options = {**defaults(OF_IMPACT_RATIOS), **question}
    audit = BiasAudit(
        publication=publication,
        facets=facets,
        ratios=in_order(impact_ratios(counted, **question), facets),
        adverse=None if adverse is None else in_order(adverse, facets),
        outcome=column_in_words(outcome),
        confidence=options["confidence"],
        exclude_below=options["exclude_below"],
        justification=options["justification"],
    )
    return HiringReport(audit)


def _adverse(frame: AnyFrame, question: ImpactRatiosQuestion) -> PolarsFrame:
    """The groups by sex and by race beside the highest."""
    shared = {row.name for row in (*OF_ADVERSE_IMPACT, *OF_PEOPLE)}
    given: dict[str, Any] = {name: value for name, value in question.items() if name in shared}
    facets, least = [question["sex"], question["race"]], question.get("exclude_below") or 0.0
    return adverse_impact(frame, facet=facets, minimum_share=least, **given)
