"""What each group of clusters moves in a value, from the values without it (the jackknife)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]

LEAST_CLUSTERS: Final = 5.0
"""Below so many effective clusters there is no interval."""


def deviations(value: Floats, left: Floats, size: Floats, size_left: Floats) -> Floats:
    """What each group of clusters moves in values; their squares add up to variances.

    ``left`` has a column for each group that is left out, and ``size_left`` the rows that are then
    left of ``size``. Groups without rows move nothing, and do not count.
    """
    has_rows = size_left < size[:, np.newaxis] * (1 - 1e-12)
    groups = has_rows.sum(axis=1, keepdims=True)
    scale = np.sqrt(np.maximum(groups - 1, 0) / np.maximum(groups, 1))
    moved: Floats = np.where(has_rows, (left - value[:, np.newaxis]) * scale, 0.0)
    return moved


def effective_clusters(size: Floats, size_left: Floats) -> Floats:
    """So many clusters of equal size vary as those that are left out one by one: (Σn)²/Σn²."""
    rows = np.clip(size[:, np.newaxis] - size_left, 0, None)
    squares = (rows**2).sum(axis=1)
    found: Floats = rows.sum(axis=1) ** 2 / np.where(squares > 0, squares, np.inf)
    return found
