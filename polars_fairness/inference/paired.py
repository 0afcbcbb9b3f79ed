"""How far differences of two models on the same rows reach, by what groups of rows move in them.

What a group moves in both models cancels before it is squared. From each model's own interval, with
reaches for what skewed amounts do alike to both, intervals of `rmse_difference` of log-normal
amounts were 67 times as wide as the difference varies.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polars_fairness.inference.deviations import Floats
from polars_fairness.inference.quantiles import critical_values


def reaches(moved: Floats, chosen_from: Sequence[int], confidence: float) -> Floats:
    """How far intervals reach from values to each side; NaN where a group has no value.

    ``moved`` has what each group of rows moves in values, a line for each. The fewer of them the
    variance is made of, the less certain it is: its degrees of freedom follow from the kurtosis.
    ``chosen_from`` has the number of groups among which the data chose the sides.
    """
    squares = moved**2
    total, groups = squares.sum(axis=1), (moved != 0).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        kurtosis = groups * (squares**2).sum(axis=1) / total**2
        freedom = np.fmax(np.fmin(2 * groups / (kurtosis - 1), groups - 1), 1)
    found: Floats = critical_values(chosen_from, confidence, freedom) * np.sqrt(total)
    return found
