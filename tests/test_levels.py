"""A level from outside the package, which no module inside has to know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.levels import STRATUM
from polars_fairness.terms import Formula, Side, a_i, d_i, g
from tests.frames import shared

SPREAD = replace(STRATUM, name="spread of strata", decomposes=False, is_aggregate=True)

RANGE = pf.Metric(
    "range",
    "Range of the differences of selection rates over the strata",
    Formula(
        SPREAD,
        (a_i.selection_rate - d_i.selection_rate).max()
        - (a_i.selection_rate - d_i.selection_rate).min(),
    ),
    range=(0, 1),
    acceptable=(0, 0.1),
    sign=0,
)

# Accepted and rejected of d, accepted and rejected of a: differences 0, 0.25 and 0.5.
BRANCHES = {"north": (10, 10, 20, 20), "south": (10, 30, 20, 20), "west": (5, 15, 15, 5)}

PEOPLE = pl.DataFrame(
    [
        {"branch": branch, "sex": sex, "hired": hired, "n": n}
        for branch, counts in BRANCHES.items()
        for (sex, hired), n in zip(
            [("F", True), ("F", False), ("M", True), ("M", False)], counts, strict=True
        )
    ]
)

QUESTION: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "predicted": "hired",
    "subgroup": "branch",
    "count": "n",
}


def test_its_metrics_have_values_beside_others() -> None:
    found = pf.metrics(PEOPLE, RANGE, "dppl", "cddpl", **QUESTION).row(0, named=True)
    assert found["range"] == 0.5
    assert found["dppl"] == pytest.approx(55 / 100 - 25 / 80)


def test_its_metrics_need_what_it_needs() -> None:
    assert RANGE.needs == ("facet", "predicted", "subgroup")
    with pytest.raises(pf.FairnessError, match="subgroup: range requires it"):
        pf.metrics(PEOPLE, RANGE, facet="sex", predicted="hired", count="n")
    with pytest.raises(pf.FairnessError, match="spread of strata"):
        pf.Metric("wrong", "Wrong", Formula(SPREAD, g.n))
    each = pf.Metric("each", "Each", Formula(SPREAD, a_i.n - d_i.n))
    with pytest.raises(pf.FairnessError, match="has a value for each stratum"):
        shared(pf.metrics, PEOPLE, each, **QUESTION)


@pytest.mark.extras
def test_a_level_may_have_sides_of_its_own() -> None:
    sides = Side("a_m"), Side("d_m")
    mine = replace(STRATUM, name="mine", counted=sides, sums=(Side("both_m"),))
    d_m, both_m = sides[1], mine.sums[0]
    formula = Formula(mine, d_m.rejected / both_m.rejected - d_m.accepted / both_m.accepted)
    metric = pf.Metric("of_mine", "Of mine", formula, acceptable=(-0.1, 0.1))
    found = pf.audit(PEOPLE, metric, "cddpl", p_values="exact", **QUESTION)
    assert found["value"][0] == pytest.approx(found["value"][1])
    assert found["p_value"][0] == found["p_value"][1]
    parts = pf.decompose(PEOPLE, metric, **QUESTION)
    assert parts["contribution"].sum() == pytest.approx(found["value"][0])
