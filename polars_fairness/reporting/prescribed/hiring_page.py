"""The page of a bias audit of a hiring tool: what the rule has published, then significance.

The first page has what 6 RCNY 5-301 to 5-303 name, and the sections after it are beyond the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import polars as pl

from polars_fairness.reporting.document import made_by
from polars_fairness.reporting.parts import Document, Markdown, Part, Section, Sentences
from polars_fairness.reporting.prescribed.adverse_section import adverse_section
from polars_fairness.reporting.prescribed.impact_tables import (
    facts_of_tables,
    impact_tables,
    lowest_ratios,
)
from polars_fairness.reporting.prescribed.publication import Publication
from polars_fairness.reporting.prescribed.windows import by_window
from polars_fairness.reporting.prescribed.wording import NO_ADVICE
from polars_fairness.reporting.words import NOTHING, confidence_in_words

KIND: Final = "Bias audit of a hiring tool"

_RATES: Final = {
    "scoring": (
        "The scoring rate is the share of a category with a score above the median of all "
        "applicants, unknown categories included"
    ),
    "selection": "The selection rate is the share of a category that was selected",
}
_RATIO: Final = "the impact ratio is this rate divided by the highest one in the table"


@dataclass(frozen=True)
class BiasAudit:
    """What the page shows: the texts, the tables, and how the call made them.

    Without ``adverse``, the question is about scores. ``outcome`` is the column of decisions or
    scores.
    """

    publication: Publication
    facets: Sequence[str]
    ratios: pl.DataFrame
    adverse: pl.DataFrame | None
    outcome: str
    confidence: float | None
    exclude_below: float | None
    justification: str | None

    @property
    def title(self) -> str:
        """The title of the page."""
        given = self.publication
        return given.title or given.tool or f"Impact ratios of {self.outcome}"


def hiring_page(audit: BiasAudit) -> Document:
    """Everything that the page says."""
    given = audit.publication
    windows = list(by_window(audit.ratios))
    of_windows = [(window, tuple(_tables(audit, ratios))) for window, ratios in windows]
    is_one = [window for window, _ in windows] == [""]
    tables = of_windows[0][1] if is_one else (lowest_ratios(windows, audit.facets),)
    return Document(
        title=audit.title,
        details=(
            f"Date of the most recent bias audit: {given.date}",
            f"Distribution date of the tool: {given.distribution_date}",
        ),
        first=(
            Sentences("facts", tuple(_facts(audit))),
            *(tables if windows else (NOTHING,)),
            _how(audit, is_one=is_one),
        ),
        sections=(
            *(() if given.notes is None else [Section("Notes", (Markdown(given.notes),))]),
            *(() if is_one else (Section(window, parts) for window, parts in of_windows)),
            *(
                ()
                if audit.adverse is None
                else adverse_section(audit.adverse, audit.confidence, audit.exclude_below)
            ),
        ),
        last=(made_by(),),
        about={"author": given.auditor} if given.auditor else {},
        kind=KIND,
    )


def _facts(audit: BiasAudit) -> Iterator[str]:
    """What the rule has published beside the tables, and who made the audit."""
    given = audit.publication
    if given.tool and given.title:
        yield f"Tool: {given.tool}"
    if given.auditor:
        yield f"Auditor: {given.auditor}"
    first, *others = (each.strip() for each in given.data.split("\n\n") if each.strip())
    yield f"Source and explanation of the data: {first}"
    yield from others
    if given.test_data:
        yield (
            "Test data were used. Why historical data were not, and how the test data were made "
            f"and obtained: {given.test_data}"
        )


def _tables(audit: BiasAudit, ratios: pl.DataFrame) -> Iterator[Part]:
    """The tables of one window, and the facts about them."""
    yield from impact_tables(ratios, audit.confidence)
    facts = facts_of_tables(ratios, audit.facets, audit.exclude_below, audit.justification)
    yield Sentences("facts", tuple(facts))


def _how(audit: BiasAudit, *, is_one: bool) -> Part:
    """How the numbers of the first page are made."""
    how = f"{_RATES['scoring' if audit.adverse is None else 'selection']}; {_RATIO}"
    how += "." if audit.exclude_below is None else " that is not left out."
    if audit.confidence is not None:
        confidence = confidence_in_words(audit.confidence)
        how += f" Its {confidence} interval is by the Bayesian bootstrap, and not adjusted for the "
        how += "number of categories; the rule names none."
    if not is_one:
        own = "The median and the highest rates" if audit.adverse is None else "The highest rates"
        how += f" {own} of a section are those of its own applicants."
    return Sentences("facts", (how, NO_ADVICE))
