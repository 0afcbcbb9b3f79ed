"""Common odds ratios, adjusted p-values and variances over clusters, by statsmodels."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import StratifiedTable, Table2x2
from statsmodels.stats.multitest import multipletests
from statsmodels.tools import add_constant

import polars_fairness as pf
from polars_fairness.inference.significance import adjusted
from polars_fairness.question.judging import PValues
from tests.audit.questions import audit_row
from tests.frames import predictions

from .comparisons import Comparison, comparisons, ours
from .frames import FRAMES, REGULAR


def strata_of(comparison: Comparison) -> NDArray[np.float64]:
    """Tables of d and a by accepted and rejected; statsmodels divides by 0 in tables of one row."""
    branch = comparison.column("branch")
    is_in = (branch == np.unique(branch)[:, None]).astype(float)
    sides, outcomes = (
        (comparison.in_d, comparison.in_a),
        (comparison.predicted, ~comparison.predicted),
    )
    tables = np.array([[is_in @ (side & outcome) for outcome in outcomes] for side in sides])
    return np.asarray(tables[:, :, tables.sum(axis=(0, 1)) > 1])


@pytest.mark.parametrize("name", REGULAR)
def test_the_common_odds_ratio_and_its_test_agree(name: str) -> None:
    odds_ratios, roots = ours(name, "mh_odds_ratio"), ours(name, "cmh")
    for comparison in comparisons(FRAMES[name]):
        tables = StratifiedTable(strata_of(comparison))
        assert odds_ratios[comparison.disfavored] == pytest.approx(
            tables.oddsratio_pooled, rel=1e-12
        )
        z, statistic = (
            roots[comparison.disfavored],
            tables.test_null_odds(correction=False).statistic,
        )
        assert z is not None
        assert z**2 == pytest.approx(statistic, rel=1e-10)
        assert (z > 0) == (tables.oddsratio_pooled < 1)


@pytest.mark.parametrize(("name", "how"), [("holm", "holm"), ("fdr_bh", "bh")])
def test_adjusted_p_values_agree(name: str, how: PValues) -> None:
    rng = np.random.default_rng(19)
    for tests in (1, 2, 40):
        p_values = np.round(rng.beta(0.4, 1.5, tests), 2)  # many small ones, and ties
        _, expected, *_ = multipletests(p_values, method=name)
        assert adjusted(pl.Series(p_values), how).to_list() == pytest.approx(expected, rel=1e-12)


def test_odds_ratios_and_their_logarithmic_intervals_agree() -> None:
    for accepted, rejected, of_a, not_of_a in [(20, 80, 60, 140), (1, 9, 5, 2), (300, 1, 7, 40)]:
        frame = predictions(F=(accepted, rejected), M=(of_a, not_of_a))
        row = audit_row(frame, "odds_ratio", method="log")
        theirs = Table2x2(np.array([[accepted, rejected], [of_a, not_of_a]]))
        found = (row["value"], row["lower"], row["upper"])
        assert found == pytest.approx((theirs.oddsratio, *theirs.oddsratio_confint()), rel=1e-12)


@pytest.mark.parametrize("clusters", [40, 100, 200])
def test_intervals_over_clusters_are_as_wide_as_those_of_clustered_regressions(
    clusters: int,
) -> None:
    """The regression of the outcome on the side; the jackknife is a little wider, as HC3 is."""
    random = np.random.default_rng(clusters)
    cluster = random.integers(clusters, size=60 * clusters)
    mild = random.normal(size=clusters)[cluster]
    side = random.random(len(cluster)) < 0.4
    accepted = random.random(len(cluster)) < 1 / (1 + np.exp(-mild - 0.3 * side))
    rows = pl.DataFrame({"side": side, "accepted": accepted, "cluster": cluster})
    question: dict[str, Any] = {"facet": "side", "disfavored": True, "predicted": "accepted"}
    # Of 8 bits, each cluster is a group by itself.
    answer = pf.audit(
        rows.with_columns(pl.col("cluster").cast(pl.UInt8)), "dppl", cluster="cluster", **question
    ).row(0, named=True)
    model = OLS(accepted.astype(float), add_constant(side.astype(float)))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": cluster})
    assert answer["value"] == pytest.approx(-fit.params[1])
    reach = (answer["upper"] - answer["lower"]) / 2
    wide = fit.bse[1] * stats.t.ppf(0.975, clusters - 1)
    assert 1 <= reach / wide < 1 + 3 / clusters
