"""Aequitas, whose rates of groups are the columns of `rates`."""

from __future__ import annotations

from math import isnan
from typing import Final

import pytest
from aequitas.group import Group

import polars_fairness as pf

from .comparisons import close
from .frames import FRAMES

RATES: Final = {
    "pprev": "selection_rate",
    "prev": "base_rate",
    "accuracy": "accuracy",
    "tpr": "tpr",
    "tnr": "tnr",
    "fpr": "fpr",
    "fnr": "fnr",
    "precision": "ppv",
    "npv": "npv",
    "fdr": "fdr",
    "for": "false_omission_rate",
    "group_size": "n",
}


@pytest.mark.parametrize("frame", FRAMES)
def test_rates_agree_and_nan_there_is_null_here(frame: str) -> None:
    rows = FRAMES[frame].select("group", "label", "predicted")
    names = {"label": "label_value", "predicted": "score"}
    table, _ = Group().get_crosstabs(rows.rename(names).to_pandas(), attr_cols=["group"])
    rates = pf.rates(rows, facet="group", label="label", predicted="predicted")
    ours = {row["value"]: row for row in rates.filter(facet="group").to_dicts()}
    theirs = {row["attribute_value"]: row for row in table.to_dict("records")}
    assert theirs.keys() == ours.keys()
    for group, there in theirs.items():
        expected = {RATES[name]: None if isnan(there[name]) else there[name] for name in RATES}
        assert {name: ours[group][name] for name in expected} == close(expected)
