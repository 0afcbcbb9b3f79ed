"""Names for the bounds of a metric."""

from __future__ import annotations


def bound_names(name: str) -> tuple[str, str]:
    """The names of a metric's lower and upper bound; no metric of a caller has such a name."""
    return f"{name}lower\x1f", f"{name}upper\x1f"
