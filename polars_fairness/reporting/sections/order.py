"""The sections of a report, in the order in which a reader needs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from polars_fairness.reporting.figures.trends import MOST_TRENDS, changes_over_time, trend_figures
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.parts import Part, Section, Sentences
from polars_fairness.reporting.sections.appendix import appendix
from polars_fairness.reporting.sections.contrasts import compared
from polars_fairness.reporting.sections.contributions import of_contributions
from polars_fairness.reporting.sections.facets import facet_sections
from polars_fairness.reporting.sections.in_full import in_full
from polars_fairness.reporting.sections.rows import of_rows
from polars_fairness.reporting.sections.score_sections import over_thresholds, scores_section
from polars_fairness.reporting.sections.switched_rows import switched_section
from polars_fairness.reporting.sections.worst_groups import worst_groups

_OF_TIME: Final = (
    "The shaded strip is the band, the dashed line is the ideal. A circle is within the band, a "
    "triangle is outside, a diamond is uncertain."
)
_OF_REFERENCES: Final = " A dash is the value that this one is compared with."
_OF_STEPS: Final = (
    " A thick line with its difference above it is a change from the window before beyond chance: "
    "its interval excludes 0, and the intervals of all {:,} such steps hold together, by "
    "Bonferroni's correction."
)


def sections_of(findings: Findings) -> list[Section]:
    """The sections of a report, without empty ones."""
    sections = [
        *(_swept(findings) if findings.is_swept else _at_one_threshold(findings)),
        of_rows(findings),
        *(in_full(findings) if findings.is_in_full and not findings.is_swept else ()),
        *appendix(findings),
    ]
    return [section for section in sections if section.parts or section.finding]


def _swept(findings: Findings) -> Iterable[Section]:
    yield from over_thresholds(findings)
    yield from compared(findings)


def _at_one_threshold(findings: Findings) -> Iterable[Section]:
    yield from facet_sections(findings)
    yield from compared(findings)
    yield from switched_section(findings)
    yield from worst_groups(findings)
    yield _over_time(findings)
    yield scores_section(findings)
    yield of_contributions(findings)


def _over_time(findings: Findings) -> Section:
    figures = trend_figures(findings, MOST_TRENDS)
    largest = changes_over_time(findings, 1)
    others = [change for change in changes_over_time(findings) if change not in largest]
    references = "" if findings.options.contrast is None else _OF_REFERENCES
    steps = "" if findings.steps.is_empty() else _OF_STEPS.format(findings.steps.height)
    legend = Sentences("legend", (f"{_OF_TIME}{references}{steps}",))
    parts: tuple[Part, ...] = (*others, legend, tuple(figures)) if figures else ()
    return Section("Over time", parts, finding="".join(largest))
