"""Overall performance: accuracy, selection rate and utility of all rows."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.terms import a, d
from tests.frames import shared

# tp 2, fp 1, fn 1, tn 4; the facet of one row is unknown.
ROWS: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", "F", "M", "M", None],
        "y": [1, 1, 0, 1, 0, 0, 0, 0],
        "p": [1, 1, 1, 0, 0, 0, 0, 0],
        "w": [3.0, 1.0, 2.0, 2.0, 0.5, 0.5, 0.5, 0.5],
    }
)
OUTCOMES: Final[dict[str, Any]] = {"label": "y", "predicted": "p"}
NAMES: Final = ("accuracy", "selection_rate", "utility")


def values(frame: pl.DataFrame, *metrics: str | pf.Metric, **question: Any) -> list[Any]:
    answer = pf.metrics(frame, *metrics, **OUTCOMES, **question)
    return list(answer.select(answer.columns[-len(metrics) :]).row(0))


def test_values_are_about_all_rows_whatever_their_facet() -> None:
    metrics = ("accuracy", "selection_rate", pf.entry("utility", tp=1, fp=-5))
    by_hand = [6 / 8, 3 / 8, (2 - 5) / 8]
    assert values(ROWS, *metrics) == pytest.approx(by_hand)
    assert values(ROWS, *metrics, facet="sex") == pytest.approx(by_hand)


def test_every_outcome_has_its_worth() -> None:
    assert values(ROWS, pf.entry("utility", tp=8, fp=80, fn=800, tn=2000)) == [2 + 10 + 100 + 1000]


def test_rows_of_no_weight_have_no_value() -> None:
    assert values(ROWS.with_columns(w=0.0), *NAMES, weight="w") == [None] * 3
    assert pf.metrics(ROWS.clear(), *NAMES, **OUTCOMES).is_empty()
    assert values(ROWS.head(1), *NAMES) == [1, 1, 1]


def test_intervals_hold_the_value_and_there_is_no_verdict() -> None:
    rows = pl.concat([ROWS] * 20)
    question: dict[str, Any] = {**OUTCOMES, "facet": "sex", "disfavored": "F"}
    answer = shared(pf.audit, rows, *NAMES, **question)
    assert answer.select("metric", "ideal", "verdict").rows() == [
        ("accuracy", 1.0, None),
        ("selection_rate", None, None),
        ("utility", None, None),
    ]
    accuracy, selection_rate, utility = answer.rows(named=True)
    # A normal interval of 160 rows: 0.75 ± 1.96·√(0.75·0.25/160); the worth of a row, 1 twice, −1
    # once and 0 five times of 8, has the variance 3/8 − 1/64.
    for row, variance in ((accuracy, 3 / 16), (selection_rate, 15 / 64), (utility, 23 / 64)):
        half = 1.96 * (variance / 160) ** 0.5
        expected = (row["value"] - half, row["value"] + half)
        assert (row["lower"], row["upper"]) == pytest.approx(expected, abs=half / 4)


def test_utility_is_computed_only_where_it_is_named() -> None:
    answer = pf.metrics(ROWS, facet="sex", disfavored="F", **OUTCOMES)
    assert {"accuracy", "selection_rate"} <= {*answer.columns}
    assert "utility" not in answer.columns
    assert "utility" not in pf.audit(ROWS, confidence=None, **OUTCOMES)["metric"]
    assert [name for name, metric in pf.CATALOGUE.items() if metric.only_named] == [
        "confusion_distance",
        *("exposure_ratio", "skew_at", "ndkl"),
        *(
            f"{number}_{quantile}_{kind}"
            for quantile in ("median", "quantile")
            for number in ("estimate", "observed")
            for kind in ("difference", "ratio")
        ),
        "utility",
    ]


def test_the_range_of_utility_is_from_the_worst_outcome_to_the_best() -> None:
    metric = pf.entry("utility", tp=1, fp=-5, fn=-0.5)
    assert (metric.range, metric.ideal) == ((-5, 1), None)
    assert metric.definition == (
        "mean over all rows of 1 for each tp, -5 for each fp, -0.5 for each fn, 0 for each tn"
    )


@pytest.mark.extras
def test_a_comparison_without_an_ideal_has_no_p_value() -> None:
    lowest = pf.Metric("lowest", "Rate of d", d.selection_rate - 0 * a.n, ideal=None)
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p"}
    answer = pf.audit(ROWS, lowest, "dppl", p_values="exact", **question)
    assert answer["value"].to_list() == pytest.approx([2 / 3, 1 / 4 - 2 / 3])
    assert [p is None for p in answer["p_value"]] == [True, False]
