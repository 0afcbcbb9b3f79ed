"""Where individuals stand, in numbers that can be squared, and how finely these are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polars_fairness.values.neighbours.search import Floats, Indices


@dataclass(frozen=True)
class Space:
    """Voters and the individuals who ask them, and how far off a distance may be by rounding."""

    voters: Floats
    individuals: Floats
    grain: float


def space_of(voters: Floats, individuals: Floats, rows: Indices | None) -> Space:
    """Lay out everybody in one space; standardised, over these numbers of rows, if there are any.

    Units are changed by powers of 2, which change no digit, so that no square is infinite.
    """
    places = np.concatenate([voters, individuals])
    exponents = np.frexp(np.abs(places).max(axis=0))[1]
    places = np.ldexp(places, -exponents if rows is not None else -exponents.max())
    grain = np.abs(places).max(axis=0) * 2.0**-50
    if rows is not None:
        # From the middle, where there is least to round off: an order of magnitude further out,
        # a digit less would be known of every distance.
        places -= np.average(places, axis=0, weights=rows)
        spread = np.sqrt(np.average(places**2, axis=0, weights=rows))
        # A feature that all share tells nothing, whatever is left of it by rounding.
        spread = np.where(spread > grain, spread, 1.0)
        places, grain = places / spread, grain / spread
    count = len(voters)
    return Space(places[:count], places[count:], float(np.sqrt((grain**2).sum())))
