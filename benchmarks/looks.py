"""How often weekly looks alarm without any difference, of sequential and of ordinary audits.

A stream is a year of weeks in which both groups are accepted at the same rate. It alarms if the
interval of their difference ever leaves out 0. A rate is missed if its own interval ever leaves it
out.
"""

from __future__ import annotations

from itertools import product
from typing import Any, Final

import numpy as np
import polars as pl
from markdown_tables import table

import polars_fairness as pf
from polars_fairness.terms import d

WEEKS: Final = 52
STREAMS: Final = 2_000
ROWS: Final = (20, 200, 5_000)
RATES: Final = (0.02, 0.1, 0.5)
SHARES: Final = (0.5, 0.1)

OF_WOMEN: Final = pf.Metric("rate_of_women", "Selection rate of women", d.selection_rate)

QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "predicted": "accepted",
    "count": "n",
    "by": ["stream", "week"],
}


def streams(rows: int, rate: float, share: float, number: int = STREAMS) -> pl.DataFrame:
    """Draw streams: of each week and sex, how many are accepted and how many are not."""
    random = np.random.default_rng(0)
    women = random.binomial(rows, share, (number, WEEKS))
    parts = []
    for sex, size in (("F", women), ("M", rows - women)):
        accepted = random.binomial(size, rate)
        for decision, n in ((1, accepted), (0, size - accepted)):
            counts = pl.DataFrame({"n": n.ravel()}).with_columns(sex=pl.lit(sex), accepted=decision)
            parts.append(counts.with_row_index("place"))
    place = pl.col("place")
    # As text, so that the week is the only number in order of time.
    stream, week = (place // WEEKS).cast(pl.String), place % WEEKS
    return pl.concat(parts).select("sex", "accepted", "n", stream=stream, week=week)


def so_far(counts: pl.DataFrame) -> pl.DataFrame:
    """Add up the counts of each stream over the weeks before."""
    n = pl.col("n").cum_sum().over("stream", "sex", "accepted", order_by="week")
    return counts.with_columns(n)


def ever_wrong(
    counts: pl.DataFrame, metric: str | pf.Metric, value: float, **options: Any
) -> float:
    """Return the share of streams in which an interval of the metric ever leaves out this value."""
    audit = pf.audit(counts, metric, **QUESTION, **options)
    is_wrong = (pl.col("lower") > value) | (pl.col("upper") < value)
    streams_wrong: int = audit.filter(is_wrong)["stream"].n_unique()
    return streams_wrong / counts["stream"].n_unique()


def measured(rows: int, rate: float, share: float, number: int = STREAMS) -> dict[str, float]:
    """Return the share of streams that alarm, of each kind of audit, or ever miss a rate."""
    counts = streams(rows, rate, share, number)
    return {
        "missed": ever_wrong(counts, OF_WOMEN, rate, sequential="each"),
        "sequential": ever_wrong(counts, "dppl", 0, sequential="each"),
        "so far": ever_wrong(so_far(counts), "dppl", 0, method="newcombe"),
        "by week": ever_wrong(counts, "dppl", 0, method="newcombe"),
    }


def results() -> list[dict[str, float]]:
    return [
        {"rows": rows, "rate": rate, "share": share, **measured(rows, rate, share)}
        for rows, rate, share in product(ROWS, RATES, SHARES)
    ]


def tables(results: list[dict[str, float]]) -> str:
    kinds = ("sequential", "missed", "so far", "by week")
    lines = [
        [
            f"{result['rows']:,.0f}",
            f"{100 * result['rate']:g} %",
            f"{100 * result['share']:g} %",
            *(f"{100 * result[kind]:.1f} %" for kind in kinds),
        ]
        for result in results
    ]
    of_sequential = ('`sequential="each"`', "and its rate of women")
    of_ordinary = ("Newcombe, all rows so far", "Newcombe, each week")
    columns = ("rows a week", "accepted", "women", *of_sequential, *of_ordinary)
    title = (
        f"Of {STREAMS:,} streams of {WEEKS} weeks in which both groups are accepted at the same "
        "rate, the share in which an interval of 95 % ever leaves out their difference of 0, or "
        "the rate of women"
    )
    return table(title, columns, lines)


if __name__ == "__main__":
    print(tables(results()))
