"""The line that the scores of all rows of a window draw: their median."""

from __future__ import annotations

from typing import Final

import polars as pl

from polars_fairness.counting.cells import of_one_facet
from polars_fairness.counting.collected import collected
from polars_fairness.counting.complete_rows import of_complete_rows
from polars_fairness.counting.score_lists import unlisted
from polars_fairness.question.roles import Roles
from polars_fairness.question.windows import THRESHOLD

MEDIAN: Final = "median"


def above_the_median(seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The median score of each window, and as its threshold the smallest score above the median.

    Rows of unknown facet count too. The median of an even number of rows is the mean of the two
    in the middle. Where no score is above the median, the threshold is infinite.
    """
    scores = _scores(seen, roles)
    keys = roles.windows.of_scores.keys
    by_window = scores.group_by(keys, maintain_order=True)
    score, place, last = pl.col("score"), pl.col("n").cum_sum(), pl.col("n").sum()
    # In whole numbers, each at most the number of rows.
    low = score.filter(place >= last - last // 2).first()
    high = score.filter(place > last // 2).first()
    above = score.filter(score > low).min()
    found = {MEDIAN: low / 2 + high / 2, THRESHOLD: above.fill_null(float("inf"))}
    return by_window.agg(**found) if keys else scores.select(**found)


def _scores(seen: pl.LazyFrame, roles: Roles) -> pl.DataFrame:
    """The number of complete rows of each score of a window, in the order of the scores.

    With weights, the sum of their weights.
    """
    cells = unlisted(of_complete_rows(of_one_facet(seen, roles), roles, by_score=True))
    keys = [*roles.windows.of_scores.keys, "score"]
    mass = pl.col("n" if roles.weight is None else "weight")
    counted = cells.group_by(keys, maintain_order=True).agg(mass.sum().alias("n"))
    return collected(counted.sort(keys))
