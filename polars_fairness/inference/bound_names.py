"""Names for the bounds of a metric."""

from __future__ import annotations

from typing import Final

DIFFERENCE: Final = "difference\x1f"
"""After the name of a metric: the value less the value that it is compared with."""

SUM: Final = "sum\x1f"
"""After the name of a metric: the offset from the ideal plus the offset of the reference."""

CORRELATION: Final = "correlation\x1f"
"""After the name of a metric: the correlation of its value with that of the champion."""

P_VALUE: Final = "p_value\x1f"
"""The ending of the name of the p-value of a metric."""

REASON: Final = "reason\x1f"
"""After the name of a metric: why it has no interval over clusters."""

NOTE: Final = "note\x1f"
"""After the name of a metric: what a reader would not expect of its value."""

UNLABELLED: Final = "unlabelled\x1f"
"""After the name of a metric: which labels are not known, and so leave its value unknown."""

DEVIATIONS: Final = "deviations\x1f"
"""After the name of a metric: what each group of clusters moves in its value."""

METRIC: Final = "metric\x1f"
"""The column of the inner name of a metric."""

REFERENCE: Final = "reference\x1f"
"""Before the key of a window: the key of the window that it is compared with."""


def bound_names(name: str) -> tuple[str, str]:
    """The names of a metric's lower and upper bound; no metric of a caller has such a name."""
    return f"{name}lower\x1f", f"{name}upper\x1f"
