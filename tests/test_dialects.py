"""Metrics of other tools by their own names: found, refused, judged and counted as others are."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.elsewhere import TOOLS, tool_of
from polars_fairness.elsewhere.entries import ToolMetric
from polars_fairness.terms import choose, d
from polars_fairness.values.formula_checks import require_one_value, sign_of
from tests.frames import shared

QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "label": "label",
    "predicted": "predicted",
}

# Of F, 4 rows: 2 true positives, 1 false negative, 1 true negative. Of M, 6 rows: 1 true
# positive, 1 false negative, 3 false positives, 1 true negative.
ROWS: Final = pl.DataFrame(
    {
        "sex": ["F"] * 4 + ["M"] * 6,
        "label": [1, 1, 1, 0, 1, 1, 0, 0, 0, 0],
        "predicted": [1, 1, 0, 0, 1, 0, 1, 1, 1, 0],
    }
)
# F has no positive label and no accepted row.
ONE_SIDED: Final = ROWS.with_columns(
    pl.when(pl.col("sex") == "F").then(0).otherwise(name).alias(name)
    for name in ("label", "predicted")
)


ENTRIES: Final = [name for tool in TOOLS for name in tool_of(tool).names]


def _value(rows: pl.DataFrame, metric: str | pf.Metric, **more: Any) -> float | None:
    answer = shared(pf.metrics, rows, metric, **QUESTION, **more)
    value: float | None = answer.to_series(-1).item()
    return value


@pytest.mark.parametrize("zero", [None, 0.0, 0.3])
def test_what_0_by_0_is_belongs_to_the_tool(zero: float | None) -> None:
    # F has no true positive rate: nan in AIF360, 0 in Fairlearn. It has no precision: 0 in both.
    there = {
        "aif360.equal_opportunity_difference": None,
        "aif360.false_discovery_rate_difference": -3 / 4,
        "fairlearn.equal_opportunity_difference": 1 / 2,
        "fairlearn.precision_score_group_min": 0.0,
        "holisticai.cohen_d": (4 / 6 - 0) / math.sqrt(5 * (2 / 9) / 8),
        "aequitas.tpr_disparity": None,
        "aequitas.pprev_disparity": 0.0,
        # The disparity of both rates is unknown, or of one, which is false then.
        "aequitas.equalized_odds": 0.0,
        "smclarify.RD": 1 / 2,
        "clarify.RD": None,
        "aif360.sklearn.equal_opportunity_difference": -1 / 2,
        "solas.true_positive_rate_ratio": None,
    }
    answer = pf.metrics(ONE_SIDED, *there, "rd", zero_division=zero, **QUESTION)
    assert answer.select(*there).row(0, named=True) == pytest.approx(there)
    # A metric of our own, in the same call, has the number of the call.
    assert answer["rd"].item() == (None if zero is None else 1 / 2 - zero)


def test_a_metric_of_ones_own_settles_zero_division_and_refuses_weights_too() -> None:
    own = pf.Metric(
        name="own",
        title="Recall of d, 0 without positive labels",
        formula=choose(d.tpr.is_null(), 0.0, d.tpr),
        settles_zero_division=True,
    )
    assert _value(ONE_SIDED, own, zero_division=0.3) == 0.0
    unsettled = replace(own, settles_zero_division=False)
    assert _value(ONE_SIDED, unsettled, zero_division=0.3) == 0.3
    unweighted = replace(own, name="unweighted", takes_weights=False)
    assert _value(SCORED, unweighted) == 2 / 3
    with pytest.raises(pf.FairnessError, match=r"^weight: 'unweighted' takes no weights"):
        _value(SCORED, unweighted, weight="weight")


def test_an_entry_says_what_its_number_is() -> None:
    assert not {*ENTRIES} & {*pf.CATALOGUE.names}
    for name in ENTRIES:
        metric = pf.CATALOGUE[name]
        assert isinstance(metric, ToolMetric)
        assert pf.entry(name) == metric == pf.CATALOGUE[name]
        require_one_value(metric)
        assert all([metric.title, metric.definition, metric.version]), name
        assert metric.page.startswith("https://")
        assert metric.ours in ("", *pf.CATALOGUE.names)
        assert metric.acceptable is None or sign_of(metric) is not None
        assert all(alias.startswith(metric.tool.lower()) for alias in metric.aliases)


# Made by solas-ai 0.6.0 of these rows, without and with the weights.
SCORED: Final = ROWS.with_columns(
    score=pl.Series([0.9, 0.8, 0.3, 0.2, 0.7, 0.4, 0.6, 0.55, 0.65, 0.1]),
    weight=pl.Series([1.0, 2, 3, 1.5, 0.5, 1, 2, 1, 1, 3]),
)
OF_SOLAS: Final = {
    "adverse_impact_ratio": (0.75, 0.7555555555555555),
    "relative_rate": (1.5, 1.275),
    "odds_ratio": (0.5, 0.5925925925925927),
    "true_positive_rate_ratio": (1.3333333333333333, 1.5),
    "true_positive_rate_difference": (-0.16666666666666663, -0.16666666666666669),
    "true_negative_rate_ratio": (4.0, 2.3333333333333335),
    "true_negative_rate_difference": (-0.75, -0.5714285714285714),
    "precision_ratio": (4.0, 9.0),
    "precision_difference": (-0.75, -0.8888888888888888),
    "false_positive_rate_ratio": (math.inf, math.inf),
    "false_positive_rate_difference": (-0.75, -0.5714285714285714),
    "false_negative_rate_ratio": (1.5, 1.3333333333333333),
    "false_negative_rate_difference": (-0.16666666666666669, -0.16666666666666663),
    "false_discovery_rate_ratio": (math.inf, math.inf),
    "false_discovery_rate_difference": (-0.75, -0.8888888888888888),
    "standardized_mean_difference": (19.03467469067204, 32.222548089597566),
    "residual_standardized_mean_difference": (75.53049847515705, 111.10036132599849),
}
POOLED: Final = {
    "standardized_mean_difference": (18.033392693348663, 31.568303903472703),
    "residual_standardized_mean_difference": (77.3359325460951, 130.92023700995793),
}
# The functions that its module of disparities exports.
FUNCTIONS_OF_SOLAS: Final = {
    *("adverse_impact_ratio_by_quantile", "adverse_impact_ratio", "custom_disparity_metric"),
    *("categorical_adverse_impact_ratio", "false_discovery_rate", "false_negative_rate"),
    *("false_positive_rate", "odds_ratio", "precision", "relative_rate", "scoring_impact_ratio"),
    *("residual_standardized_mean_difference", "segmented_adverse_impact_ratio"),
    *("selection_impact_ratio", "standardized_mean_difference", "true_negative_rate"),
    *("true_positive_rate", "wasserstein"),
}


@pytest.mark.parametrize(("weight", "place"), [(None, 0), ("weight", 1)])
def test_solas_gave_these_numbers(weight: str | None, place: int) -> None:
    pooled = [
        pf.entry(f"solas.{name}", **{f"{prefix}smd_denominator": "pooled"}).named(f"pooled {name}")
        for name, prefix in zip(POOLED, ("", "residual_"), strict=True)
    ]
    names = [f"solas.{name}" for name in OF_SOLAS]
    answer = pf.metrics(SCORED, names, pooled, score="score", weight=weight, **QUESTION)
    expected = {f"solas.{name}": values[place] for name, values in OF_SOLAS.items()}
    expected |= {f"pooled {name}": values[place] for name, values in POOLED.items()}
    found = answer.select(*expected).row(0, named=True)
    assert found == pytest.approx(expected, rel=1e-12)


def test_every_function_of_solas_has_an_entry_or_a_reason() -> None:
    solas = tool_of("solas")
    assert {*OF_SOLAS} == {row.function for row in solas.rows}
    assert FUNCTIONS_OF_SOLAS - {*OF_SOLAS} == {*solas.reasons}


def test_a_threshold_belongs_to_a_name_of_fairness_indicators() -> None:
    # Of F, the scores of label 1 are 0.9, 0.8 and 0.3, and the score of label 0 is 0.2. A score
    # has to be above the threshold.
    expected = {
        "fairness_indicators.recall": 2 / 3,
        "fairness_indicators.recall@0.2": 1.0,
        "fairness_indicators.false_positive_rate@0.2": 0.0,
        "fairness_indicators.precision@0.1": 3 / 4,
        "fairness_indicators.precision@0.9": None,
        "fairness_indicators.negative_rate@0.3": 2 / 4,
    }
    answer = pf.metrics(
        SCORED, *expected, facet="sex", disfavored="F", label="label", score="score"
    )
    assert answer.select(*expected).row(0, named=True) == expected
    entry = pf.entry("fairness_indicators.recall", threshold=0.2).named("at 0.2")
    assert _value(SCORED, entry, score="score") == 1.0
    assert pf.CATALOGUE["fairness_indicators.recall@0.2"].name == "fairness_indicators.recall@0.2"


def test_clarify_on_its_pages_has_our_formulas_and_what_it_prints() -> None:
    rows = ROWS.with_columns(branch=pl.Series(list("AABBAAABBB")))
    question = {**QUESTION, "subgroup": "branch"}
    names = {f"clarify.{row.function}": row.ours for row in tool_of("clarify").rows}
    del names["clarify.CDDPL"]
    earlier = pf.entry("clarify.TE", version="earlier").named("earlier")
    answer = pf.metrics(
        rows, *names, earlier, "clarify.CDDPL", *names.values(), "te_inverse", **question
    )
    for name, ours in {**names, "earlier": "te_inverse"}.items():
        assert answer[name].item() == answer[ours].item()
    # Of 6 accepted rows 4 are in A, of 4 rejected ones 1; each branch has 5 of the 10 rows.
    assert answer["clarify.CDDPL"].item() == pytest.approx(
        (1 / 4 - 4 / 6) / 2 + (3 / 4 - 2 / 6) / 2
    )


@pytest.mark.parametrize("name", TOOLS)
def test_rates_have_the_names_of_a_tool(name: Any) -> None:
    rates = shared(pf.rates, SCORED.lazy(), score="score", names=name, **QUESTION).collect()
    ours = shared(pf.rates, SCORED, score="score", **QUESTION)
    columns = tool_of(name).columns
    assert {*columns} <= {*ours.columns}
    # A plan adds up scores in another order than numpy does.
    named = ours.rename({each: columns.get(each, each) for each in ours.columns})
    assert_frame_equal(rates, named, rel_tol=1e-12, abs_tol=0)
