"""The arguments that other tools take are known here, or have no counterpart here."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any, Final

import pytest
from aequitas import Audit
from aequitas.bias import Bias
from aequitas.fairness import Fairness
from aequitas.group import Group
from fairlearn.metrics import MetricFrame, demographic_parity_ratio
from holisticai.bias import metrics as holistic
from smclarify.bias import metrics as clarify
from smclarify.bias.report import FacetColumn, LabelColumn, bias_report

import polars_fairness as pf
from polars_fairness.api.functions import METHODS
from polars_fairness.api.unknown_arguments import IN_OTHER_TOOLS

from .quiet import importing_aif360

with importing_aif360():
    from aif360.datasets import StandardDataset
    from aif360.metrics import BinaryLabelDatasetMetric, ClassificationMetric
    from aif360.sklearn.metrics import statistical_parity_difference

METHODS_THERE: Final[tuple[Callable[..., Any], ...]] = (
    MetricFrame,
    demographic_parity_ratio,
    StandardDataset,
    BinaryLabelDatasetMetric,
    BinaryLabelDatasetMetric.consistency,
    ClassificationMetric,
    statistical_parity_difference,
    holistic.disparate_impact,
    holistic.average_odds_diff,
    holistic.consistency_score,
    bias_report,
    clarify.CDDPL,
    clarify.RD,
    clarify.KL,
    FacetColumn,
    LabelColumn,
    Audit,
    Group.get_crosstabs,
    Bias.get_disparity_predefined_groups,
    Fairness.get_group_value_fairness,
)

# Frames, which come first here; columns, which are named or selected here; and steps before.
WITHOUT_COUNTERPART: Final = {
    "self",
    "df",
    "feature",  # the facet of Clarify's metrics; elsewhere a measurement
    "dataset",
    "classified_dataset",
    "name",
    "series",
    "stage_type",
    "sample_params",
    "na_values",
    "categorical_features",
    "features_to_keep",
    "features_to_drop",
    "custom_preprocessing",
    "metadata",
    "original_df",
    "bias_df",
    "key_columns",
    "fill_divbyzero",  # here a ratio to 0 is infinite
    "selected_significance",
    "mask_significance",
}


@pytest.mark.parametrize("there", METHODS_THERE, ids=lambda there: there.__qualname__)
def test_arguments_of_other_tools_are_known(there: Callable[..., Any]) -> None:
    ours = {name for function in METHODS.values() for name in signature(function).parameters}
    known = {name for row in IN_OTHER_TOOLS for name in row.there}
    arguments = set(signature(there).parameters) - WITHOUT_COUNTERPART
    assert arguments
    assert arguments <= known | ours


def test_a_call_in_the_words_of_fairlearn_leads_to_ours_step_by_step() -> None:
    applicants = pf.datasets.berkeley()
    given: dict[str, Any] = {"y_pred": "admitted", "sensitive_features": "sex"}
    given |= {"sample_weight": "n"}
    renamed = []
    while True:
        try:
            answer = pf.metrics(applicants, "di", **given)
            break
        except pf.FairnessError as error:
            there, _, hint = str(error).partition(": metrics has no such argument; it is called ")
            here = hint.partition("=")[0]
            given[here] = given.pop(there)
            renamed.append(here)
    assert sorted(renamed) == ["facet", "predicted", "weight"]
    assert answer.columns[-1] == "di"
