"""Random draws of a table of counts, with a stream of random numbers for each side.

A stream follows from the side's window, facet and values. So no other metric, facet or window of a
call changes it, and it stays the same where the two sides change places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.inference.bootstrap.percentiles import Floats

DRAW: Final = "draw\x1f"

# Rows of a table times draws evaluated at once: they take 0.2 GB with all metrics.
_AT_ONCE: Final = 250_000


@dataclass(frozen=True)
class Drawing:
    """The number of draws, the seed, and the confidence of the bounds."""

    replicates: int
    seed: int
    confidence: float


@dataclass(frozen=True)
class SideCounts:
    """The columns of one side's counts, and the gamma distribution of each count in each row.

    With weights, the sums of squared weights have columns too; they follow the drawn counts.
    """

    columns: Sequence[str]
    squares: Sequence[str]
    shape: Floats
    scale: Floats


@dataclass(frozen=True)
class Drawable:
    """Counts to draw, by place: a comparison, or a facet in a window.

    The rows of a place, such as the strata of a comparison, follow one another in the table: place
    i has the rows from ``ends[i]`` up to ``ends[i + 1]``. ``rows`` has the number of rows behind
    the values of each place, and ``stream_names`` the names of its sides' random streams. Other
    columns that formulas need are in the table too.
    """

    places: pl.DataFrame
    table: pl.DataFrame
    ends: Sequence[int]
    sides: Sequence[SideCounts]
    rows: Sequence[float]
    stream_names: Sequence[Sequence[str]]


def drawn(counts: Drawable, drawing: Drawing) -> Iterator[tuple[slice, Iterator[pl.DataFrame]]]:
    """Draw some places at a time: pairs of these places, and tables like that of the counts.

    `DRAW` numbers the draws. How many places or draws a table has does not change any number.
    """
    for places in _blocks(counts.ends, drawing.replicates):
        yield places, _tables(counts, places, drawing)


def _blocks(ends: Sequence[int], replicates: int) -> Iterator[slice]:
    start = 0
    for place in range(1, len(ends)):
        is_last = place == len(ends) - 1
        if is_last or (ends[place + 1] - ends[start]) * replicates > _AT_ONCE:
            yield slice(start, place)
            start = place


def _tables(counts: Drawable, places: slice, drawing: Drawing) -> Iterator[pl.DataFrame]:
    ends = counts.ends[places.start : places.stop + 1]
    rows = slice(ends[0], ends[-1])
    streams = [
        [_stream(drawing.seed, name) for name in names] for names in counts.stream_names[places]
    ]
    most = max(1, _AT_ONCE // max(1, rows.stop - rows.start))
    for first in range(0, drawing.replicates, most):
        draws = min(most, drawing.replicates - first)
        weights: dict[str, Floats] = {}
        for j, side in enumerate(counts.sides):
            weights |= _weights(side, ends, [sides[j] for sides in streams], draws)
        yield _laid_out(counts.table[rows], ends, weights)


def _stream(seed: int, name: str) -> np.random.Generator:
    digest = blake2b(f"{seed}\x1f{name}".encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest))


def _weights(
    side: SideCounts, ends: Sequence[int], streams: Sequence[np.random.Generator], draws: int
) -> dict[str, Floats]:
    """Draw the counts of a side: for each column an array of rows by draws."""
    first = ends[0]
    shape, scale = side.shape[first : ends[-1]], side.scale[first : ends[-1]].T[:, :, None]
    block = np.empty((len(side.columns), len(shape), draws))
    for (start, end), stream in zip(pairwise(ends), streams, strict=True):
        of_place = shape[start - first : end - first]
        numbers = stream.standard_gamma(of_place, (draws, *of_place.shape))
        block[:, start - first : end - first, :] = numbers.transpose(2, 1, 0)
    block *= scale
    weights = dict(zip(side.columns, block, strict=True))
    if side.squares:
        weights.update(zip(side.squares, block * scale, strict=True))
    return weights


def _laid_out(
    table: pl.DataFrame, ends: Sequence[int], weights: Mapping[str, Floats]
) -> pl.DataFrame:
    """A table with one row for each row and draw, with the other columns of the row repeated."""
    draws = next(iter(weights.values())).shape[1]
    places = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    numbers = places[:, None] * draws + np.arange(draws)
    rows = np.repeat(np.arange(table.height), draws)
    return pl.DataFrame(
        [
            pl.Series(DRAW, numbers.ravel()),
            *(column.gather(rows) for column in table if column.name not in weights),
            *(pl.Series(name, values.ravel()) for name, values in weights.items()),
        ]
    )
