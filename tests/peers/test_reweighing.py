"""AIF360's reweighing of rows."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf

from .comparisons import TOLERANCE, UNWEIGHTED_AND_WEIGHTED
from .frames import FRAMES, REGULAR
from .quiet import importing_aif360

with importing_aif360():
    from aif360.algorithms.preprocessing import Reweighing
    from aif360.datasets import BinaryLabelDataset


@UNWEIGHTED_AND_WEIGHTED
@pytest.mark.parametrize("frame", REGULAR)
def test_reweighing_agrees(frame: str, *, weighted: bool) -> None:
    # There, all privileged values are one group.
    rows = FRAMES[frame].with_columns(pl.col("group") == "d")
    observed = BinaryLabelDataset(
        df=rows.select(
            pl.col("group", "label").cast(pl.Float64),
            weight=pl.col("weight") if weighted else pl.lit(1.0),
        ).to_pandas(),
        label_names=["label"],
        protected_attribute_names=["group"],
        instance_weights_name="weight",
    )
    theirs = Reweighing(unprivileged_groups=[{"group": 1}], privileged_groups=[{"group": 0}])
    expected = theirs.fit_transform(observed).instance_weights.tolist()
    weight = "weight" if weighted else None
    question: dict[str, Any] = {"facet": "group", "label": "label", "weight": weight}
    ours = pf.reweighed(rows, name="fair", **question)["fair"].to_list()
    assert ours == pytest.approx(expected, rel=TOLERANCE)
