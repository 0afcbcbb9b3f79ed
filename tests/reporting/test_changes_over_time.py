"""What changed from one window to the next: expected numbers are worked out by hand."""

from __future__ import annotations

from datetime import date
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf

MONTHS = [date(2025, month, 1) for month in range(4, 10)]


def decisions(accepted: list[int], sex: str = "F") -> pl.DataFrame:
    """Of 10,000 women so many are accepted each month from April on, of as many men always half."""
    return pl.DataFrame(
        [
            {"month": month, "sex": group, "hired": hired, "n": n}
            for month, women in zip(MONTHS, accepted, strict=False)
            for group, positive in ((sex, women), ("M", 5_000))
            for hired, n in ((1, positive), (0, 10_000 - positive))
        ]
    )


QUESTION: dict[str, Any] = {
    "facet": "sex",
    "favored": "M",
    "predicted": "hired",
    "count": "n",
    "by": "month",
}

BROKEN = [5_000, 5_000, 5_000, 2_500, 2_500, 2_500]


@pytest.mark.simulation
def test_chance_marks_about_one_of_twenty_audits() -> None:
    """400 rows a month, accepted at random at one rate; 5 of 25 would be chance in 1 of 100."""
    marked = 0
    for seed in range(25):
        months = pl.DataFrame({"month": MONTHS}).join(
            pl.DataFrame({"sex": ["F", "M"]}), how="cross"
        )
        rows = pl.concat([months] * 200).with_columns(n=1)
        drawn = (pl.int_range(pl.len()).hash(seed) % 1_000 < 300).cast(pl.Int8)
        page = pf.report(rows.with_columns(hired=drawn), "di", replicates=300, **QUESTION)
        marked += page.answers.steps["is_marked\x1f"].any()
    assert marked <= 4


@pytest.mark.parametrize(
    "more",
    [
        {"confidence": None},
        {"sequential": "each"},
        {"by": None},
        {"by": pl.col("month").cast(pl.String).alias("month")},
    ],
)
def test_no_steps_without_intervals_or_time(more: dict[str, Any]) -> None:
    assert pf.report(decisions(BROKEN), "di", **(QUESTION | more)).answers.steps.is_empty()


def test_the_step_of_a_break_is_marked() -> None:
    steps = pf.report(decisions(BROKEN), "di", **QUESTION).answers.steps
    assert steps.filter("is_marked\x1f")["month"].to_list() == [date(2025, 7, 1)]
