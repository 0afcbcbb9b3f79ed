"""What a verdict is judged by: bands, rules and p-values, each with the check of what was given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, get_args

from polars_fairness.errors import FairnessError, did_you_mean, require_number, require_words

Band = tuple[float, float] | None
Rule = Literal["interval", "point", "significant"]
Rules = Rule | Mapping[str, Rule]
PValues = Literal["exact", "holm", "bh"]

RULES_KNOWN: Final[tuple[Rule, ...]] = get_args(Rule)

LIMITS: Final = {
    "missing": 0.05,
    "proxy": 0.1,
    "labels": 0.05,
    "drift": 0.1,
    "leak": 0.9,
    "coverage": 0.1,
}
"""How far the number of each check of `intake` may be from 0: conventions of this package."""


def refuse_invalid_bands(given: Any) -> None:
    """Raise unless this is a band for each metric: a pair (low, high), or None."""
    if not isinstance(given, Mapping):
        raise FairnessError(f"bands: takes a dictionary {{metric: (low, high)}}, got {given!r}")
    for name, band in given.items():
        if band is None:
            continue
        pair = band if isinstance(band, tuple | list) and len(band) == 2 else (1, 0)
        low, high = (require_number("bands", each, f"numbers for {name!r}") for each in pair)
        if not low <= high:
            raise FairnessError(f"bands: {name!r} takes a pair (low, high) or None, got {band!r}")


def refuse_band_without_ideal(metric: str, band: Band, ideal: float | None) -> None:
    """Raise if a metric has no ideal, or if a band lies on one side of it.

    A ratio's band on a difference would name the wrong side: a value below the band may lie above
    the ideal.
    """
    if band is None:
        return
    if ideal is None:
        raise FairnessError(
            f"bands: {metric!r} has no ideal value, so it has no band; leave it out, or give a "
            "band for a metric that compares groups"
        )
    low, high = band
    if not low <= ideal <= high:
        raise FairnessError(
            f"bands: {low:g} to {high:g} does not contain the ideal value of {metric!r}, which is "
            f"{ideal:g}; give a band around it"
        )


def refuse_invalid_rules(given: Any) -> None:
    """Raise unless this is one rule, or a rule for each metric."""
    require_words("rule", given, RULES_KNOWN)


def refuse_invalid_limits(given: Any) -> None:
    """Raise unless this is a limit for checks of `intake`: a number from 0 to 1, or None."""
    if not isinstance(given, Mapping):
        raise FairnessError(f"limits: takes a table with limits of checks, got {given!r}")
    for name, limit in given.items():
        if name not in LIMITS:
            raise FairnessError(f"limits: no check {name!r}; {did_you_mean(str(name), LIMITS)}")
        if limit is not None:
            require_number("limits", limit, f"a number from 0 to 1 for {name!r}", 0, 1)
