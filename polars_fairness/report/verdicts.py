"""Verdicts in words and at a glance."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from polars_fairness.report.findings import Comparison, Findings
from polars_fairness.report.parts import Tally
from polars_fairness.report.words import EVERYONE_ELSE

_WITHIN, _OUTSIDE, _NO_BAND = "within the band", "outside the band", "no band"

# At a glance, those come first whom somebody has to answer for.
_ORDER: Final = ("outside", "uncertain", "within", "open")


def verdict_in_words(verdict: str | None, comparison: Comparison) -> str:
    """Write a verdict with the names of the sides."""
    if verdict is None:
        return _NO_BAND
    if verdict in ("against_disfavored", "against_favored"):
        if comparison.disfavored is None:
            return _OUTSIDE
        favored = comparison.favored or EVERYONE_ELSE
        against = comparison.disfavored if verdict == "against_disfavored" else favored
        return f"outside, against {against}"
    return {"fair": _WITHIN}.get(verdict, verdict)


def tone_of(verdict: str | None) -> str:
    """The kind of a verdict: what shape and colour it has wherever it is shown."""
    if verdict in ("against_disfavored", "against_favored"):
        return "outside"
    return {"fair": "within", "uncertain": "uncertain"}.get(verdict or "", "open")


def tallies(findings: Findings) -> tuple[Tally, ...]:
    """Count the verdicts; the sides go by their names where there are only two."""
    comparisons = findings.comparisons()
    sides = {(each.disfavored, each.favored) for each in comparisons if each.disfavored}
    if len(sides) > 1:
        comparisons = [_nameless(comparison) for comparison in comparisons]
    counts = Counter(
        (tone_of(verdict), verdict_in_words(verdict, comparison))
        for comparison in comparisons
        for verdict in comparison.table["verdict"]
    )
    ordered = sorted(counts, key=lambda told: (_ORDER.index(told[0]), -counts[told], told[1]))
    return tuple(Tally(counts[tone, words], words, tone) for tone, words in ordered)


def _nameless(comparison: Comparison) -> Comparison:
    if comparison.disfavored is None:
        return comparison
    return replace(comparison, disfavored="the disfavored", favored="the favored")
