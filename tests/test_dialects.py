"""Metrics of other tools by their own names: found, refused, judged and counted as others are."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.catalogue.dialects import TOOLS, tool_of
from polars_fairness.catalogue.dialects.entries import Tool, ToolMetric
from polars_fairness.values.formula_checks import require_one_value, sign_of

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


def _tool(name: str) -> Tool:
    tool = tool_of(f"{name}.")
    assert tool is not None
    return tool


ENTRIES: Final = [name for tool in TOOLS for name in _tool(tool).names]


def _value(rows: pl.DataFrame, metric: str | pf.Metric, **more: Any) -> float | None:
    answer = pf.metrics(rows, metric, **QUESTION, **more)
    value: float | None = answer.to_series(-1).item()
    return value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # tpr 2/3 and 1/2, fpr 0/1 and 3/4: unprivileged minus privileged.
        ("aif360.average_odds_difference", ((0 - 3 / 4) + (2 / 3 - 1 / 2)) / 2),
        ("aif360.equal_opportunity_difference", 2 / 3 - 1 / 2),
        ("aif360.ClassificationMetric.disparate_impact", (2 / 4) / (4 / 6)),
        ("aif360.BinaryLabelDatasetMetric.disparate_impact", (3 / 4) / (2 / 6)),
        ("aif360.num_true_positives", 3),
        ("fairlearn.equal_opportunity_difference", 2 / 3 - 1 / 2),
        ("fairlearn.equalized_odds_difference", 3 / 4),
        ("fairlearn.zero_one_loss_ratio", (1 / 4) / (4 / 6)),
        ("fairlearn.precision_score_group_min", 1 / 4),
    ],
)
def test_a_name_gives_the_number_worked_by_hand(name: str, value: float) -> None:
    found = _value(ROWS, name)
    assert found == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize("zero", [None, 0.0, 0.3])
def test_what_0_by_0_is_belongs_to_the_tool(zero: float | None) -> None:
    # F has no true positive rate: nan in AIF360, 0 in Fairlearn. It has no precision: 0 in both.
    there = {
        "aif360.equal_opportunity_difference": None,
        "aif360.false_discovery_rate_difference": -3 / 4,
        "fairlearn.equal_opportunity_difference": 1 / 2,
        "fairlearn.precision_score_group_min": 0.0,
    }
    answer = pf.metrics(ONE_SIDED, *there, "rd", zero_division=zero, **QUESTION)
    assert answer.select(*there).row(0, named=True) == there
    # A metric of our own, in the same call, has the number of the call.
    assert answer["rd"].item() == (None if zero is None else 1 / 2 - zero)


def test_parameters_are_those_of_the_function() -> None:
    of_all = pf.entry("fairlearn.demographic_parity_difference", method="to_overall")
    assert _value(ROWS, of_all) == pytest.approx(6 / 10 - 2 / 4)
    mean = pf.entry("fairlearn.equalized_odds_difference", agg="mean")
    assert _value(ROWS, mean) == pytest.approx(((2 / 3 - 1 / 2) + 3 / 4) / 2)
    of_d = pf.entry("aif360.true_positive_rate", privileged=False)
    assert _value(ROWS, of_d) == 2 / 3


@pytest.mark.parametrize(
    ("name", "parameters", "words"),
    [
        ("fairlearn.equalized_odds_difference", {"agg": "max"}, "agg: takes 'worst_case' or"),
        ("fairlearn.equalized_odds_difference", {"age": "mean"}, "did you mean 'agg'"),
        ("fairlearn.count", {"agg": "mean"}, "agg: no such parameter"),
        ("aif360.generalized_entropy_index", {"alpha": "x"}, "alpha: takes"),
    ],
)
def test_an_unknown_parameter_is_an_error(
    name: str, parameters: dict[str, Any], words: str
) -> None:
    with pytest.raises(pf.FairnessError, match=words):
        pf.entry(name, **parameters)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("aif360.average_odd_difference", "did you mean 'aif360.average_odds_difference'"),
        ("fairlearn.demographic_parity", "'fairlearn.demographic_parity_ratio'"),
        ("aif360.consistency", "aif360.consistency is not computed here: it compares individuals"),
        ("fairlearn.log_loss_group_max", "it needs the logarithm of each score"),
        (
            "aif360.disparate_impact",
            "2 meanings in AIF360; give 'aif360.BinaryLabelDatasetMetric.disparate_impact' or "
            "'aif360.ClassificationMetric.disparate_impact'",
        ),
        ("fairlearn.", "no '' of Fairlearn"),
        ("fairlern.count", "no metric 'fairlern.count'"),
    ],
)
def test_a_name_that_a_tool_does_not_have_is_an_error(name: str, words: str) -> None:
    with pytest.raises(pf.FairnessError, match=words):
        pf.metrics(ROWS, name, **QUESTION)
    assert name not in pf.CATALOGUE


def test_weights_that_a_tool_does_not_read_are_refused() -> None:
    weighted = ROWS.with_columns(w=2.0)
    with pytest.raises(pf.FairnessError, match=r"weight: AIF360 .* does not read weights"):
        pf.metrics(weighted, "aif360.theil_index", weight="w", **QUESTION)


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_says_what_its_number_is(name: str) -> None:
    metric = pf.CATALOGUE[name]
    assert isinstance(metric, ToolMetric)
    assert pf.entry(name) == metric == pf.CATALOGUE[name]
    require_one_value(metric)
    assert metric.title
    assert metric.definition
    assert metric.version
    assert metric.page.startswith("https://")
    assert metric.ours in ("", *pf.CATALOGUE.names)
    assert metric.acceptable is None or sign_of(metric) is not None
    assert all(name.startswith(metric.tool.lower()) for name in metric.aliases)


def test_names_of_tools_are_no_names_of_the_catalogue() -> None:
    assert not [name for name in pf.CATALOGUE.names if "." in name]
    assert "aif360.average_odds_difference" in pf.CATALOGUE


def test_an_audit_has_an_interval_as_for_the_metric_of_our_own() -> None:
    loans = pf.datasets.loans()
    question = {**QUESTION, "label": "repaid", "predicted": "approved"}
    audit = pf.audit(
        loans,
        "aif360.ClassificationMetric.statistical_parity_difference",
        "statistical_parity",
        "aif360.equal_opportunity_difference",
        "rd",
        "aif360.average_odds_difference",
        "fairlearn.equal_opportunity_difference",
        "tpr_gap",
        bands={"aif360.average_odds_difference": (-0.1, 0.1)},
        **question,
    )
    rows = {row["metric"]: row for row in audit.to_dicts()}
    ends = {name: (row["lower"], row["upper"]) for name, row in rows.items()}
    assert (
        ends["aif360.ClassificationMetric.statistical_parity_difference"]
        == ends["statistical_parity"]
    )
    low, high = ends["rd"]
    assert ends["aif360.equal_opportunity_difference"] == pytest.approx((-high, -low))
    assert ends["fairlearn.equal_opportunity_difference"] == ends["tpr_gap"]
    # Loans are approved less often for F, so that a value below 0 speaks against F.
    judged = rows["aif360.average_odds_difference"]
    assert judged["lower"] < judged["value"] < judged["upper"]
    assert judged["verdict"] == "against_disfavored"


def test_windows_and_lazy_frames_take_the_names() -> None:
    answer = pf.metrics(
        ROWS.lazy().with_columns(half=pl.int_range(pl.len()) % 2),
        "aif360.average_odds_difference",
        "fairlearn.selection_rate_difference",
        by="half",
        **QUESTION,
    )
    assert isinstance(answer, pl.LazyFrame)
    assert answer.collect().columns[-2:] == [
        "aif360.average_odds_difference",
        "fairlearn.selection_rate_difference",
    ]
