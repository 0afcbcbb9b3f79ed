"""Results as Markdown tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(title: str, columns: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    rows = [columns, ["---"] * len(columns), *lines]
    return "\n".join([f"\n{title}\n", *(f"| {' | '.join(row)} |" for row in rows)])


def figure(value: float, digits: int = 3) -> str:
    """Format a number with this many significant digits, without an exponent."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.{digits}g}"
