"""Several classes beside HolisticAI's functions and scikit-learn's reports, on random levels."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
import pytest
from holisticai.bias import metrics as holistic
from sklearn.metrics import precision_recall_fscore_support

import polars_fairness as pf


@pytest.mark.parametrize("seed", range(3))
def test_matrices_and_rates_of_each_class(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, classes = int(random.integers(100, 500)), int(random.integers(3, 7))
    group = random.choice(["F", "M", "X"], rows)
    needed = random.integers(classes, size=rows)
    given = np.where(random.random(rows) < 0.6, needed, random.integers(classes, size=rows))
    frame = pl.DataFrame({"sex": group, "needed": needed, "given": given})
    question: dict[str, Any] = {"facet": "sex", "label": "needed", "predicted": "given"}

    # The rows of its tensor are the classes predicted, and ours the classes of the label.
    tensor = holistic.confusion_tensor(group, given, needed, as_tensor=True)
    matrices = pf.confusions(frame, **question).filter(facet="sex")
    assert matrices["n"].to_list() == tensor.transpose(0, 2, 1).ravel().tolist()

    rates = pf.rates(frame, classes="each", **question)
    of_groups = rates.filter(facet="sex").sort("value", "positive")
    names = ("selection_rate", "ppv", "tpr")
    mine = {name: of_groups[name].to_numpy().reshape(3, classes) for name in names}
    shares = holistic.frequency_matrix(group, given)
    np.testing.assert_allclose(mine["selection_rate"], shares, rtol=1e-12)
    # Each of these two is the other, in 1.0.14.
    recalls = holistic.precision_matrix(group, given, needed)
    precisions = holistic.recall_matrix(group, given, needed)
    np.testing.assert_allclose(mine["tpr"], recalls, rtol=1e-12)
    np.testing.assert_allclose(mine["ppv"], precisions, rtol=1e-12)

    of_all = rates.filter(facet="(all)").sort("positive")
    by_scikit_learn = precision_recall_fscore_support(needed, given)
    for name, expected in zip(("ppv", "tpr", "f1"), by_scikit_learn, strict=False):
        np.testing.assert_allclose(of_all[name].to_numpy(), expected, rtol=1e-12)


@pytest.mark.parametrize("seed", range(2))
def test_numbers_of_all_classes(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, classes = 400, int(random.integers(3, 7))
    group = random.choice(["F", "M", "X"], rows)
    needed = random.integers(classes, size=rows)
    given = np.where(random.random(rows) < 0.6, needed, random.integers(classes, size=rows))
    frame = pl.DataFrame({"sex": group, "needed": needed, "given": given})
    found: dict[str, list[float]] = {"opportunity": [], "rates": [], "parity": [], "odds": []}
    for d, a in combinations(["F", "M", "X"], 2):
        answer = pf.metrics(
            frame,
            "confusion_distance",
            "rd",
            pf.entry("tvd", outcome="predicted"),
            facet="sex",
            label="needed",
            predicted="given",
            classes="each",
            disfavored=d,
            favored=a,
        )
        at_once = answer.filter(pl.col("positive").is_null())
        found["opportunity"].append(at_once["confusion_distance"].item())
        found["parity"].append(at_once["tvd"].item())
        found["rates"].append(answer.select(pl.col("rd").abs().mean()).item())
        # The classes predicted, each class observed weighing alike.
        shares = pf.confusions(frame, facet="sex", label="needed", predicted="given")
        one, other = (
            shares.filter(value=side)
            .group_by("predicted", maintain_order=True)
            .agg(pl.mean("share"))
            for side in (d, a)
        )
        found["odds"].append(float((one["share"] - other["share"]).abs().sum()) / 2)
    for how, aggregate in (("mean", np.mean), ("max", np.max)):
        both = {"p_attr": group, "y_pred": given, "aggregation_fun": how}
        expected = {
            "opportunity": holistic.multiclass_equality_of_opp(y_true=needed, **both),
            "rates": holistic.multiclass_true_rates(y_true=needed, **both),
            "odds": holistic.multiclass_average_odds(y_true=needed, **both),
            "parity": holistic.multiclass_statistical_parity(**both),
        }
        for name, values in found.items():
            assert aggregate(values) == pytest.approx(expected[name], rel=1e-12), name
