"""Random draws of a table of counts, with a stream of random numbers for each side.

A stream follows from the side's window, facet and values. So no other metric, facet or window of a
call changes it, and it stays the same where the two sides change places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain, pairwise
from typing import Final

import numpy as np
import polars as pl

from polars_fairness.counting.decided_sides import GROUPS_CHOSEN_FROM
from polars_fairness.counting.sides import COMPARISON_KEY
from polars_fairness.inference.bootstrap.percentiles import Floats, student_ratio
from polars_fairness.inference.simultaneous import confidence_of_a_pair
from polars_fairness.values.scores.keys import DRAW

# Rows of a table times draws evaluated at once: they take 0.2 GB with all metrics.
_AT_ONCE: Final = 250_000


@dataclass(frozen=True)
class Drawing:
    """The number of draws, the seed, and the confidence of the bounds.

    ``choice`` has, by window and facet, the number of groups among which the data chose side a.
    """

    replicates: int
    seed: int
    confidence: float
    choice: pl.DataFrame | None = None

    def factors(self, places: pl.DataFrame, rows: Sequence[float]) -> Floats:
        """By how much the bounds of each place are wider, because its sides were chosen."""
        if self.choice is None or COMPARISON_KEY not in places.columns:
            return np.ones(places.height)
        keys = [key for key in self.choice.columns if key in places.columns]
        # The same groups are found among at each threshold.
        found = self.choice.group_by(keys).agg(pl.col(GROUPS_CHOSEN_FROM).max())
        groups = places.join(found, on=keys, how="left", nulls_equal=True, maintain_order="left")[
            GROUPS_CHOSEN_FROM
        ].fill_null(2)
        pairs = (confidence_of_a_pair(each, self.confidence) for each in groups)
        return np.array(
            [
                student_ratio(each, of_pair, self.confidence)
                for each, of_pair in zip(rows, pairs, strict=True)
            ],
            dtype=float,
        )


@dataclass(frozen=True)
class SideCounts:
    """The columns of one side's counts, and the gamma distribution of each count in each row.

    Sums that are kept beside counts, of squared weights or of scores, have columns too. They follow
    the drawn counts: ``beside`` has the names of the columns of each kind, and their quotients by
    the counts.
    """

    columns: Sequence[str]
    shape: Floats
    scale: Floats
    beside: Sequence[tuple[Sequence[str], Floats]]


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


def places_at_once(ends: Sequence[int], replicates: int) -> Iterator[slice]:
    """Divide places as memory allows; place i has ``ends[i + 1] - ends[i]`` rows."""
    start = 0
    for place in range(1, len(ends)):
        is_last = place == len(ends) - 1
        if is_last or (ends[place + 1] - ends[start]) * replicates > _AT_ONCE:
            yield slice(start, place)
            start = place


def drawn(counts: Drawable, places: slice, drawing: Drawing) -> Iterator[pl.DataFrame]:
    """Draw the counts of some places: tables like theirs, in which `DRAW` numbers the draws.

    How many places or draws a table has does not change any number.
    """
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
        yield _laid_out(counts.table[rows], ends, draws, weights)


def undrawn(counts: Drawable) -> pl.DataFrame:
    """The counts as they are, a table like one of draws: each place is numbered as one draw."""
    return _laid_out(counts.table, counts.ends, 1, {})


def _stream(seed: int, name: str) -> np.random.Generator:
    digest = blake2b(f"{seed}\x1f{name}".encode(), digest_size=16).digest()
    return np.random.default_rng(int.from_bytes(digest))


def _weights(
    side: SideCounts, ends: Sequence[int], streams: Sequence[np.random.Generator], draws: int
) -> dict[str, Floats]:
    """Draw the counts of a side: for each column the numbers of place by place, draw by draw.

    By score, a row of data has one of many scores and one of several outcomes, so most counts are
    0. These are left out, which changes no other number: 400 scores took a sixth of the time.
    """
    names = [*side.columns, *chain.from_iterable(columns for columns, _ in side.beside)]
    block = np.zeros((len(names), draws * (ends[-1] - ends[0])))
    for (start, end), stream in zip(pairwise(ends), streams, strict=True):
        shape = side.shape[start:end]
        is_drawn = shape > 0
        counts = stream.standard_gamma(shape[is_drawn], (draws, is_drawn.sum()))
        counts *= side.scale[start:end][is_drawn]
        kinds = [counts, *(counts * each[start:end][is_drawn] for _, each in side.beside)]
        rows, columns = np.nonzero(is_drawn)
        of_place = block[:, (start - ends[0]) * draws : (end - ends[0]) * draws]
        for i, numbers in enumerate(of_place.reshape(len(names), draws, end - start)):
            kind, column = divmod(i, len(side.columns))
            is_here = columns == column
            numbers[:, rows[is_here]] = kinds[kind][:, is_here]
    return dict(zip(names, block, strict=True))


def _laid_out(
    table: pl.DataFrame, ends: Sequence[int], draws: int, weights: Mapping[str, Floats]
) -> pl.DataFrame:
    """A table with the rows of each place for each draw, with the other columns repeated."""
    sizes = np.diff(ends)
    numbers = np.repeat(np.arange(len(sizes) * draws), np.repeat(sizes, draws))
    places = pairwise(end - ends[0] for end in ends)
    repeated = [np.tile(np.arange(start, end), draws) for start, end in places]
    # Without a place, such as of an empty frame, there is nothing to concatenate.
    rows = np.concatenate(repeated) if repeated else np.arange(0)
    return pl.DataFrame(
        [
            pl.Series(DRAW, numbers).set_sorted(),
            *(column.gather(rows) for column in table if column.name not in weights),
            *(pl.Series(name, values) for name, values in weights.items()),
        ]
    )
