"""A level from outside the package, which no module inside has to know."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.levels import STRATUM
from polars_fairness.terms import Formula, Side, a_i, d_i
from polars_fairness.values import levels

MEDIAN = replace(STRATUM, name="median stratum", decomposes=False)

MEDIAN_GAP = pf.Metric(
    "median_gap",
    "Median difference of selection rates over the strata",
    Formula(MEDIAN, a_i.selection_rate - d_i.selection_rate),
    range=(-1, 1),
    acceptable=(-0.1, 0.1),
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


@pytest.fixture(autouse=True)
def median_over_strata(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "_EVALUATIONS", dict(levels._EVALUATIONS))

    @levels.evaluates(MEDIAN)
    def median(
        table: pl.LazyFrame, metrics: Mapping[str, pf.Metric], keys: Sequence[str]
    ) -> pl.LazyFrame:
        values = [pl.col(f"metric.{name}").median() for name in metrics]
        return levels.summed_up(levels.in_strata(table, metrics), keys, values)


def test_its_metrics_have_values_beside_others() -> None:
    found = pf.metrics(PEOPLE, MEDIAN_GAP, "dppl", "cddpl", **QUESTION).row(0, named=True)
    assert found["median_gap"] == 0.25
    assert found["dppl"] == pytest.approx(55 / 100 - 25 / 80)


def test_its_metrics_need_what_it_needs() -> None:
    assert MEDIAN_GAP.needs == ("facet", "predicted", "subgroup")
    with pytest.raises(pf.FairnessError, match="median_gap: needs subgroup="):
        pf.metrics(PEOPLE, MEDIAN_GAP, facet="sex", predicted="hired", count="n")
    with pytest.raises(pf.FairnessError, match="median stratum"):
        pf.Metric("wrong", "Wrong", Formula(MEDIAN, pl.col("g.n")))
    mixed = pf.Metric("mixed", "Mixed", Formula(MEDIAN, a_i.n.max() - d_i.n))
    with pytest.raises(pf.FairnessError, match="mixes each stratum with others"):
        pf.metrics(PEOPLE, mixed, **QUESTION)


@pytest.mark.extras
def test_its_metrics_are_audited() -> None:
    row = pf.audit(PEOPLE, MEDIAN_GAP, p_values="exact", **QUESTION).row(0, named=True)
    assert row["value"] == 0.25
    assert 0 < row["lower"] < 0.25 < row["upper"] < 0.5
    # A high value speaks against d, as the formula shows, and the test is the test over strata.
    assert row["verdict"] in ("uncertain", "against_disfavored")
    of_strata = pf.audit(PEOPLE, "cddpl", p_values="exact", **QUESTION)["p_value"].item()
    assert row["p_value"] == of_strata


def test_its_metrics_are_reported() -> None:
    report = pf.report(PEOPLE, MEDIAN_GAP, **QUESTION)
    assert report.to_dict()["median_gap/sex/F"] == 0.25
    assert "Median difference of selection rates over the strata" in report.to_markdown()


@pytest.mark.extras
def test_a_level_may_have_sides_of_its_own() -> None:
    sides = Side("a_m"), Side("d_m")
    mine = replace(STRATUM, name="mine", counted=sides, sums=(Side("both_m"),))
    levels.evaluates(mine)(levels.averaged)
    d_m, both_m = sides[1], mine.sums[0]
    formula = Formula(mine, d_m.rejected / both_m.rejected - d_m.accepted / both_m.accepted)
    metric = pf.Metric("of_mine", "Of mine", formula, acceptable=(-0.1, 0.1))
    found = pf.audit(PEOPLE, metric, "cddpl", p_values="exact", **QUESTION)
    assert found["value"][0] == pytest.approx(found["value"][1])
    assert found["p_value"][0] == found["p_value"][1]
    parts = pf.decompose(PEOPLE, metric, **QUESTION)
    assert parts["contribution"].sum() == pytest.approx(found["value"][0])


@pytest.mark.extras
def test_a_level_may_have_no_sums() -> None:
    without = replace(STRATUM, name="no sums", sums=(), decomposes=False, is_aggregate=True)
    levels.evaluates(without)(levels.aggregated)
    gap = Formula(without, (a_i.selection_rate - d_i.selection_rate).max())
    metric = pf.Metric("largest", "Largest", gap)
    assert pf.audit(PEOPLE, metric, p_values="exact", **QUESTION)["value"].item() == 0.5


def test_a_changed_level_is_another_one() -> None:
    assert replace(STRATUM, decomposes=False) != STRATUM
    assert pickle.loads(pickle.dumps(STRATUM)) == STRATUM
    assert hash(pickle.loads(pickle.dumps(STRATUM))) == hash(STRATUM)


def test_a_level_without_an_evaluation_is_refused() -> None:
    unknown = Formula(replace(STRATUM, name="unknown"), a_i.selection_rate - d_i.selection_rate)
    with pytest.raises(pf.FairnessError, match="level 'unknown' has no evaluation; register one"):
        pf.metrics(PEOPLE, pf.Metric("gap", "Gap", unknown), **QUESTION)
