"""Names with a meaning elsewhere, frames without rows or facets, and user metrics."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.terms import (
    a,
    a_v,
    across,
    d,
    d_i,
    d_v,
    g,
    over_labels,
    population,
    ratio,
    stratified,
)
from tests.frames import fairness, people


def test_answers_are_sorted_by_window_facet_and_side() -> None:
    """Facets stand in the order of the question, and are all text beside."""
    question: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "p"}
    question |= {"by": ["month", "branch"]}
    facets = pl.Enum(["sex", "race", "(all)"])
    answer = pf.metrics(people(), "dppl", **question).cast({"facet": facets})
    order = ["month", "branch", "facet", "disfavored"]
    assert_frame_equal(answer, answer.sort(order, nulls_last=True))
    rates = pf.rates(people(), **question).cast({"facet": facets})
    assert_frame_equal(rates, rates.sort(*order[:3], "value", nulls_last=True))
    cells = pf.cells(people(), **question)
    assert_frame_equal(cells, cells.sort(cells.columns, nulls_last=True))


@pytest.mark.extras
def test_the_namespace_does_not_keep_data_alive() -> None:
    frame = people()
    namespace = fairness(frame)
    assert namespace.rates(predicted="p").height == 1
    alive = weakref.ref(frame)
    gc.disable()
    try:
        del frame
        # A namespace in a variable holds its frame: `make_frame().fairness` can be used later.
        assert namespace.hiring.adverse_impact(facet="sex", selected="p").height > 0
        del namespace
        assert alive() is None
    finally:
        gc.enable()


def test_the_namespace_answers_about_the_frame_as_it_is() -> None:
    frame = pl.DataFrame({"sex": ["F", "M"], "p": [True, False]})
    namespace = fairness(frame)

    def people_of(facet: str, predicted: str) -> Any:
        answer = pf.rates(frame, facet=facet, predicted=predicted)
        for live in (fairness(frame), namespace):
            assert_frame_equal(live.rates(facet=facet, predicted=predicted), answer)
        return answer.drop_nulls("value").select("value", "n").rows()

    assert people_of("sex", "p") == [("F", 1), ("M", 1)]
    frame.extend(frame.clone())
    assert people_of("sex", "p") == [("F", 2), ("M", 2)]
    frame[0, "sex"] = "X"
    assert people_of("sex", "p") == [("F", 1), ("M", 2), ("X", 1)]
    frame.insert_column(0, pl.Series("race", ["a", "a", "a", "b"]))
    assert people_of("race", "p") == [("a", 3), ("b", 1)]
    frame.columns = ["p", "race", "sex"]
    assert people_of("race", "sex") == [("F", 1), ("M", 2), ("X", 1)]


def test_user_metrics_of_every_level_are_computed() -> None:
    frame = pl.DataFrame({"sex": list("FFMMM"), "p": [1, 0, 1, 1, 0], "s": list("xyxyy")})
    odds = pf.Metric(
        "odds_ratio", "Odds ratio", ratio(d.accepted * a.rejected, d.rejected * a.accepted), "…"
    )
    worst = pf.Metric("worst", "Worst stratum", stratified(d_i.selection_rate), "…")
    spread = pf.Metric("spread", "Spread", across(g.selection_rate.std()), "…")
    accepted = pf.Metric("accepted", "Accepted", population(g.accepted.sum()), "…")
    common = pf.Metric("common", "Common labels", over_labels((d_v.n * a_v.n).sum()), "…")
    answer = pf.metrics(
        frame,
        odds,
        worst,
        "dppl",
        spread,
        accepted,
        facet="sex",
        disfavored="F",
        predicted="p",
        subgroup="s",
    )
    assert answer.columns[-5:] == ["odds_ratio", "worst", "dppl", "spread", "accepted"]
    assert answer["odds_ratio"].item() == 0.5
    assert answer["worst"].item() == pytest.approx((2 * 1 + 3 * 0) / 5)
    assert answer["accepted"].item() == 3.0
    assert answer["spread"].item() == pytest.approx(abs(1 / 2 - 2 / 3) / 2**0.5)
    labelled = pf.metrics(frame, common, facet="sex", disfavored="F", label="s")
    assert labelled["common"].item() == 1 * 1 + 1 * 2
