"""Clarify's flip test, which counts the other way round, and AIF360's consistency."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import polars.selectors as cs
import pytest
from smclarify.bias.metrics import FT

import polars_fairness as pf
from tests.frames import fairness

from .quiet import importing_aif360

with importing_aif360():
    from aif360.sklearn.metrics import consistency_score


def people(rows: int, dimensions: int, seed: int, d: float = 0.4) -> pl.DataFrame:
    """Random people; no two are equally far from a third."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(rows, dimensions))
    # F is accepted less often, so that the two kinds of flips differ in number.
    sex = np.where(random.random(rows) < d, "F", "M")
    return pl.DataFrame(
        {
            "sex": sex,
            "p": random.random(rows) < np.where(sex == "F", 0.3, 0.6),
            **{f"x{i}": places[:, i] for i in range(dimensions)},
        }
    )


def clarifys(frame: pl.DataFrame) -> float:
    features = pd.DataFrame(frame.select(cs.starts_with("x")).to_dict(as_series=False))
    sides, outcomes = (pd.Series(column.to_list()) for column in (frame["sex"] == "F", frame["p"]))
    return float(FT(features, sides, outcomes))


@pytest.mark.parametrize(("rows", "dimensions"), [(12, 3), (60, 12), (400, 1)])
def test_clarify_counts_flips_the_other_way_round(rows: int, dimensions: int) -> None:
    frame = people(rows, dimensions, seed=0)
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p"}
    answer = pf.fliptest(frame, features=cs.starts_with("x"), **question)
    assert answer["fliptest"].item() == pytest.approx(-clarifys(frame), abs=1e-12)
    flips = answer["unfavorable_flips"].item() - answer["favorable_flips"].item()
    assert flips / answer["n_disfavored"].item() == answer["fliptest"].item()


@pytest.mark.parametrize(("favored", "k"), [(9, 1), (10, 5)])
def test_both_take_one_neighbour_of_fewer_than_ten(favored: int, k: int) -> None:
    frame = people(40, 2, seed=1).with_columns(
        sex=pl.Series(["F"] * (40 - favored) + ["M"] * favored)
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p"}
    question |= {"features": ["x0", "x1"]}
    for answer in (pf.fliptest(frame, **question), pf.fliptest(frame, k=k, **question)):
        assert answer["fliptest"].item() == pytest.approx(-clarifys(frame))


@pytest.mark.parametrize(("rows", "k", "dimensions"), [(7, 5, 1), (60, 1, 12), (400, 9, 3)])
def test_consistency_agrees_with_aif360(rows: int, k: int, dimensions: int) -> None:
    frame = people(rows, dimensions, seed=rows)
    answer = fairness(frame).consistency(k=k, features=cs.starts_with("x"), predicted="p")
    features = frame.select(cs.starts_with("x")).to_numpy()
    expected = consistency_score(features, frame["p"].to_numpy(), n_neighbors=k)
    assert answer["consistency"].item() == pytest.approx(expected, abs=1e-12)
