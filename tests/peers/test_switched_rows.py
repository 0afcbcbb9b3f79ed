"""Rows that switch between two decisions, by statsmodels; binomial tails by scipy."""

from __future__ import annotations

from math import sqrt

import numpy as np
import polars as pl
import pytest
from scipy.stats import binom
from statsmodels.stats.contingency_tables import mcnemar as mcnemar_of_statsmodels

import polars_fairness as pf
from polars_fairness.answers.switches import MOST_ADDED, mcnemar

from .frames import FRAMES


@pytest.mark.parametrize("name", FRAMES)
def test_p_values_of_each_group_agree(name: str) -> None:
    frame = FRAMES[name].with_columns(
        old=pl.col("predicted").cast(pl.Boolean), new=pl.col("score") >= 0.5
    )
    models = {"old": "old", "new": "new"}
    answer = pf.switches(frame, champion="old", facet="group", predicted=models)
    for row in answer.iter_rows(named=True):
        own = frame if row["facet"] == "(all)" else frame.filter(group=row["value"])
        old, new = (own[model].to_numpy() for model in models)
        table = np.array([[(old == one) & (new == other) for other in (1, 0)] for one in (1, 0)])
        theirs = mcnemar_of_statsmodels(table.sum(axis=2), exact=True)
        assert row["mcnemar_p_value"] == pytest.approx(theirs.pvalue, rel=1e-10)


@pytest.mark.parametrize("switched", [7, 1000, MOST_ADDED, MOST_ADDED + 1, 10**8, 10**12])
@pytest.mark.parametrize("deviations", [0.5, 2, 5, 20])
def test_tails_agree_for_any_number_of_rows(switched: int, deviations: float) -> None:
    fewer = max(0, int((switched - deviations * sqrt(switched)) / 2))
    expected = min(1.0, 2 * binom.cdf(fewer, switched, 0.5))
    assert mcnemar(fewer, switched - fewer) == pytest.approx(expected, rel=1e-8)
