"""Rankings by score, rank by rank; rows of equal scores are one step."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tests.reference.cases import Case, Formula
from tests.reference.numbers import Value, log
from tests.reference.rows import Row
from tests.reference.scores import mass


def attention(row: Row, rows: Sequence[Row]) -> float:
    """The mean of 1/log₂(1 + rank) over the rows that tie with a row."""
    above = sum(other.step > row.step for other in rows)
    tied = sum(other.step == row.step for other in rows)
    return sum(1 / math.log2(1 + rank) for rank in range(above + 1, above + tied + 1)) / tied


def mean_attention(c: Case, rows: Sequence[Row]) -> Value:
    """The mean attention of some of all rows."""
    total = sum(float(row.weight) * attention(row, c.rows) for row in rows)
    return c.ratio(total, float(mass(rows)))


def exposure_ratio(c: Case) -> Value:
    """Mean attention of d over that of a."""
    return c.ratio(mean_attention(c, c.rows_d), mean_attention(c, c.rows_a))


def skew_at(c: Case) -> Value:
    """Logarithm of the share of d among the accepted of both sides over its share of all."""
    skew = log(c.ratio(c.rate("selection_rate", c.d), c.rate("selection_rate", c.both)))
    return None if c.zero is None and skew == -math.inf else skew


def ndkl(c: Case) -> Value:
    """Mean divergence of the shares up to each rank from the shares of all, by attention."""
    if len(c.rows_of_groups) < 2:
        return None
    found = 0.0
    for row in c.known:
        so_far = [other for other in c.known if other.step >= row.step]
        for group in c.rows_of_groups:
            share = mass([each for each in group if each.step >= row.step]) / mass(so_far)
            if share:
                of_all = mass(group) / mass(c.known)
                found += attention(row, c.known) * float(share) * math.log(share / of_all)
    return found / sum(attention(row, c.known) for row in c.known)


FORMULAS: tuple[Formula, ...] = (exposure_ratio, skew_at, ndkl)
