"""Numbers as outcomes on a page: how far the means of groups are apart, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from polars_fairness.question.numbers import ESTIMATED, OBSERVED
from polars_fairness.question.windows import MODEL, THRESHOLD
from polars_fairness.reporting.findings import Findings
from polars_fairness.reporting.sections.values import Value, subject, values_of
from polars_fairness.reporting.shown_comparisons import comparisons_shown, latest_in_words
from polars_fairness.reporting.words import (
    column_in_words,
    confidence_in_words,
    favored_in_words,
    number,
)

DIFFERENCES: Final = {"estimate_difference": ESTIMATED, "observed_difference": OBSERVED}
"""The differences of means, with the argument that names their column."""


def means_in_words(findings: Findings) -> Iterator[str]:
    """For each facet the group whose mean is farthest from that of its side a."""
    role = next((role for role in DIFFERENCES.values() if findings.question.get(role)), None)
    if role is None:
        return
    [name] = (name for name, of in DIFFERENCES.items() if of == role)
    widest: dict[tuple[str | None, str | None], Value] = {}
    for value in values_of(comparisons_shown(findings), [name]):
        apart = value.row["value"]
        place = value.comparison.facet, value.row.get(MODEL)
        known = widest.get(place)
        if apart is not None and (known is None or abs(apart) > abs(known.row["value"])):
            widest[place] = value
    when = "".join(f", in {window}" for window in latest_in_words(findings))
    for (facet, _), value in widest.items():
        yield f"By {facet}{when}, {_mean_in_words(findings, value, role)}."


def _mean_in_words(findings: Findings, value: Value, role: str) -> str:
    row, comparison = value.row, value.comparison
    # A mean is the same at each threshold.
    window = tuple(each for each in comparison.window if each[0] != THRESHOLD)
    group = subject(findings, replace(value, comparison=replace(comparison, window=window)))
    unit = f" {findings.unit}" if findings.unit else ""
    given: Any = findings.question.get(role)
    column = column_in_words(given[row[MODEL]] if isinstance(given, Mapping) else given)
    rates = findings.rates_of_group(comparison)
    mean = f" is {number(rates[f'{role}_mean'], digits=2)}{unit}," if rates else " is"
    # The metric is a less d, the sentence about d.
    lower, upper = row["lower"], row["upper"]
    is_lower = row["value"] > 0
    ends = (lower, upper) if is_lower or lower is None else (-upper, -lower)
    interval = ""
    if None not in ends and findings.confidence is not None:
        span = " to ".join(number(end, 2, beside=(0,)) for end in ends)
        interval = f" ({confidence_in_words(findings.confidence)} interval {span})"
    apart, other = number(abs(row["value"]), 2, beside=(0,)), favored_in_words(comparison)
    if lower is not None and lower <= 0 <= upper:
        differs = f"not shown to differ from that of {other}: a difference of {apart}{unit}"
    else:
        differs = f"{apart}{unit} {'lower' if is_lower else 'higher'} than that of {other}"
    return f"the mean {column} of {group}{mean} {differs}{interval}"
