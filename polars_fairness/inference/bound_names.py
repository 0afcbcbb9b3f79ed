"""The names of the bounds of a metric, beside the metric."""

from __future__ import annotations


def bound_names(name: str) -> tuple[str, str]:
    """What the bounds of a metric are called beside it; no caller's metric is called so."""
    return f"{name}lower\x1f", f"{name}upper\x1f"
