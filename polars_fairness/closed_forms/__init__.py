"""Intervals that have a formula; their bounds are metrics, evaluated where all others are."""

from polars_fairness.closed_forms.rates import bounds, wilson
from polars_fairness.closed_forms.strata import conditional_bounds

__all__ = ["bound_names", "bounds", "conditional_bounds", "wilson"]


def bound_names(name: str) -> tuple[str, str]:
    """What the bounds of a metric are called beside it; no caller's metric is called so."""
    return f"{name}lower\x1f", f"{name}upper\x1f"
