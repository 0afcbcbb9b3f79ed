"""What changed from one window to the next: expected numbers are worked out by hand."""

from __future__ import annotations

from datetime import date
from math import sqrt
from statistics import NormalDist
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.reporting.charts.comparisons import changes_over_time, trend_figures
from polars_fairness.reporting.findings import IS_MARKED, Findings

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


def found(accepted: list[int], *metrics: str, **more: Any) -> Findings:
    return pf.report(decisions(accepted), *(metrics or ("di",)), **(QUESTION | more)).findings


def test_the_intervals_hold_for_all_steps_together() -> None:
    step = found(BROKEN).steps.filter(IS_MARKED)
    # The variance of the logarithm of di is (1 − p) / np of one side and of the other; times di².
    before = (0.5 / 5_000 + 0.5 / 5_000) * 1.0**2
    after = (0.75 / 2_500 + 0.5 / 5_000) * 0.5**2
    # Five steps: each interval leaves out a fifth of 5 %.
    reach = NormalDist().inv_cdf(1 - 0.05 / 5 / 2) * sqrt(before + after)
    assert step["difference_lower"].item() == pytest.approx(-0.5 - reach, abs=0.1 * reach)
    assert step["difference_upper"].item() == pytest.approx(-0.5 + reach, abs=0.1 * reach)


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
        report = pf.report(rows.with_columns(hired=drawn), "di", replicates=300, **QUESTION)
        marked += report.findings.steps[IS_MARKED].any()
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
    without = found(BROKEN, **more)
    assert without.steps.is_empty()
    assert changes_over_time(without) == []
    if "by" in more:
        assert trend_figures(without) == []
