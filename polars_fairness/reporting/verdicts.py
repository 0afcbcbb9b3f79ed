"""Verdicts as text, and how often a report has each."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from polars_fairness.answers.verdicts import TONES, tone_of
from polars_fairness.reporting.findings import Comparison, Findings
from polars_fairness.reporting.parts import Tally
from polars_fairness.reporting.words import EVERYONE_ELSE

_WITHIN, _OUTSIDE, _NO_BAND = "within the band", "outside the band", "no band"


def verdict_in_words(verdict: str | None, comparison: Comparison) -> str:
    """A verdict as text, with the names of the sides."""
    if verdict is None:
        return _NO_BAND
    if verdict in ("against_disfavored", "against_favored"):
        favored = comparison.favored or EVERYONE_ELSE
        against = comparison.disfavored if verdict == "against_disfavored" else favored
        return f"outside, against {against}"
    return {"fair": _WITHIN, "outside": _OUTSIDE}.get(verdict, verdict)


def tallies(findings: Findings) -> tuple[Tally, ...]:
    """How often the audit has each verdict, with the names of the sides if only two occur."""
    comparisons = findings.comparisons()
    sides = {(each.disfavored, each.favored) for each in comparisons if each.disfavored}
    if len(sides) > 1:
        comparisons = [_with_roles(comparison) for comparison in comparisons]
    counts = Counter(
        (tone_of(verdict).name, verdict_in_words(verdict, comparison))
        for comparison in comparisons
        for verdict in comparison.table["verdict"]
    )
    order = list(TONES)
    ordered = sorted(counts, key=lambda key: (order.index(key[0]), -counts[key], key[1]))
    return tuple(Tally(counts[tone, words], words, tone) for tone, words in ordered)


def _with_roles(comparison: Comparison) -> Comparison:
    """The comparison with the roles of its sides in place of their names."""
    if comparison.disfavored is None:
        return comparison
    return replace(comparison, disfavored="the disfavored", favored="the favored")
