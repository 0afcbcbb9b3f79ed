"""The coordinates of individuals and pools, scaled so that squares are finite, and their error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polars_fairness.values.neighbours.search import Floats, Indices


@dataclass(frozen=True)
class Space:
    """The points of a pool and of individuals, and the rounding error of a distance."""

    points: Floats
    individuals: Floats
    rounding: float


def space_of(points: Floats, individuals: Floats, rows: Indices | None) -> Space:
    """Put a pool and its individuals on one scale.

    Units change by powers of 2, which keeps all digits, so that no square is infinite. With
    ``rows``, the number of rows at each point and individual, features are then standardised.
    """
    coordinates = np.concatenate([points, individuals])
    exponents = np.frexp(np.abs(coordinates).max(axis=0))[1]
    coordinates = np.ldexp(coordinates, -exponents if rows is not None else -exponents.max())
    rounding = np.abs(coordinates).max(axis=0) * 2.0**-50
    if rows is not None:
        # Measured from the mean, where rounding errors are smallest: coordinates ten times as large
        # would lose a digit of every distance.
        coordinates -= np.average(coordinates, axis=0, weights=rows)
        spread = np.sqrt(np.average(coordinates**2, axis=0, weights=rows))
        # A feature with one value makes no distance; what its spread has above 0 is rounding.
        spread = np.where(spread > rounding, spread, 1.0)
        coordinates, rounding = coordinates / spread, rounding / spread
    count = len(points)
    return Space(coordinates[:count], coordinates[count:], float(np.sqrt((rounding**2).sum())))
