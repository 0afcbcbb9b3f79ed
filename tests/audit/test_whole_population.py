"""Metrics of the whole population, with and without a facet."""

from __future__ import annotations

from math import log, sqrt
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import QUESTION, people, shared


def test_a_metric_of_the_population_needs_no_facet() -> None:
    """The interval of ge is as wide as the classical bootstrap, which resamples rows."""
    benefit = (people()["p"].cast(pl.Int8) - people()["y"].cast(pl.Int8) + 1).to_numpy()
    drawn = np.random.default_rng(0).choice(benefit, (2_000, len(benefit)))
    entropies = ((drawn**2).mean(axis=1) / drawn.mean(axis=1) ** 2 - 1) / 2
    low, high = np.quantile(entropies, [0.025, 0.975])
    alone = pf.audit(people(), "ge", label="y", predicted="p").row(0, named=True)
    beside = pf.audit(people(), "ge", **QUESTION).row(0, named=True)
    assert (alone["facet"], beside["facet"]) == (None, "sex")
    for row in (alone, beside):
        assert row["upper"] - row["lower"] == pytest.approx(high - low, rel=0.1)


# Benefits of 1, 1 and 0 with a mean of 2/3, by hand.
UNEQUAL: Final = {
    "ge": 1 / 4,
    "theil": log(3 / 2),
    "coefficient_of_variation": sqrt(1 / 2),
    "ge_between": 0.0,
}

NOWHERE: Final = pl.DataFrame(
    {"sex": [None, None, None], "y": [1, 0, 1], "p": [1, 0, 0], "month": [1, 1, 1]},
    schema_overrides={"sex": pl.String},
)


def test_the_whole_population_has_its_value_where_no_facet_is_known() -> None:
    answer = pf.audit(NOWHERE, *UNEQUAL, "dppl", "tpr_gap", **QUESTION)
    expected = [*UNEQUAL.values(), None, None]
    assert answer["value"].to_list() == [None if v is None else pytest.approx(v) for v in expected]
    assert answer.select("disfavored", "n_unknown", "rows_used").unique().rows() == [(None, 3, 3)]
    question: dict[str, Any] = {"label": "y", "predicted": "p"}
    without = pf.audit(NOWHERE, *[name for name in UNEQUAL if name != "ge_between"], **question)
    bounds = answer.filter(pl.col("metric").is_in(without["metric"].implode()))
    assert_frame_equal(bounds.select("lower", "upper"), without.select("lower", "upper"))


@pytest.mark.parametrize("engine", ["streaming", "in-memory"])
def test_a_window_without_a_comparison_has_a_row_without_sides(engine: Any) -> None:
    """In month 1 no sex is known, in month 2 all rows are on side a: neither has a comparison."""
    known = NOWHERE.with_columns(sex=pl.lit("M"), month=2)
    both = NOWHERE.with_columns(sex=pl.Series(["F", "M", "M"]), month=3)
    frame = pl.concat([NOWHERE, known.cast(NOWHERE.schema), both.cast(NOWHERE.schema)])
    question = {**QUESTION, "favored": "M", "by": "month"}
    answer = pf.metrics(frame.lazy(), "ge", "dppl", "tpr_gap", **question).collect(engine=engine)
    assert answer.select("month", "disfavored", "n_disfavored", "n_unknown").rows() == [
        (1, None, None, 3),
        (2, None, None, 0),
        (3, "F", 1, 0),
    ]
    assert answer["ge"].to_list() == pytest.approx([1 / 4] * 3)
    assert answer["dppl"].to_list() == [None, None, -1.0]
    # With one group of known sex the largest gap is 0.
    assert answer["tpr_gap"].to_list() == [None, None, 1.0]
    sided = shared(pf.metrics, frame.lazy(), "dppl", **question).collect(engine=engine)
    assert_frame_equal(sided, answer.drop("ge", "tpr_gap"))
