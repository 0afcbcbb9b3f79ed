"""What statsmodels makes of stratified tables: the common odds ratio and its test."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.contingency_tables import StratifiedTable

from .comparisons import Comparison, comparisons, ours
from .frames import FRAMES, REGULAR


def strata_of(asked: Comparison) -> NDArray[np.float64]:
    """Tables of d and a by accepted and rejected; statsmodels divides by 0 in those of one row."""
    branch = asked.column("branch")
    is_in = (branch == np.unique(branch)[:, None]).astype(float)
    sides, outcomes = (asked.in_d, asked.in_a), (asked.predicted, ~asked.predicted)
    tables = np.array([[is_in @ (side & outcome) for outcome in outcomes] for side in sides])
    return np.asarray(tables[:, :, tables.sum(axis=(0, 1)) > 1])


@pytest.mark.parametrize("name", REGULAR)
def test_the_common_odds_ratio_and_its_test_agree(name: str) -> None:
    odds_ratios, roots = ours(name, "mh_odds_ratio"), ours(name, "cmh")
    for asked in comparisons(FRAMES[name]):
        tables = StratifiedTable(strata_of(asked))
        assert odds_ratios[asked.disfavored] == pytest.approx(tables.oddsratio_pooled, rel=1e-12)
        z, statistic = roots[asked.disfavored], tables.test_null_odds(correction=False).statistic
        assert z is not None
        assert z**2 == pytest.approx(statistic, rel=1e-10)
        assert (z > 0) == (tables.oddsratio_pooled < 1)
