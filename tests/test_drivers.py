"""What each control accounts for, beside brute force over all orders of controls."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.answers.drivers import SPLIT
from polars_fairness.formula.levels import AT_EQUAL_CONTROLS
from tests.frames import shared
from tests.test_controls import LESS, PAID, QUESTION, paid, people

CONTROLS = ("grade", "years", "weight")


@pytest.mark.parametrize(
    ("metric", "more"),
    [("adjusted_difference", QUESTION), (LESS, PAID), ("adjusted_difference", {"cluster": "team"})],
)
def test_contributions_are_means_over_all_orders(metric: str, more: dict[str, Any]) -> None:
    rows = paid(3).with_columns(team=pl.int_range(400) % 40)
    own = {**QUESTION, **more}

    @cache
    def at_equal(controls: frozenset[str]) -> float:
        """The difference at equal controls; without controls, at an equal constant."""
        held = [*controls] or pl.lit("x").alias("same")
        return float(shared(pf.metrics, rows, metric, **{**own, "controls": held})[metric].item())

    def left(*controls: str) -> float:
        return at_equal(frozenset(controls))

    expected = dict.fromkeys(CONTROLS, 0.0)
    for order in permutations(CONTROLS):
        for place, name in enumerate(order):
            expected[name] += (left(*order[:place]) - left(*order[: place + 1])) / 6
    split = pf.drivers(rows, metric, **{**own, "controls": [*CONTROLS]})
    raw, *_, adjusted = split["contribution"].to_list()
    found = split.filter(part="control")
    assert (raw, adjusted) == pytest.approx((left(), left(*CONTROLS)), abs=1e-9)
    assert found["contribution"].to_list() == pytest.approx([*expected.values()], abs=1e-9)
    assert found["contribution"].sum() == pytest.approx(raw - adjusted, abs=1e-12)
    alone = [left() - left(name) for name in CONTROLS]
    others = [[each for each in CONTROLS if each != name] for name in CONTROLS]
    beyond = [left(*each) - left(*CONTROLS) for each in others]
    assert found["alone"].to_list() == pytest.approx(alone, abs=1e-9)
    assert found["beyond_the_others"].to_list() == pytest.approx(beyond, abs=1e-9)
    audited = pf.audit(rows, metric, **{**own, "controls": [*CONTROLS]}, confidence=0.9)
    again = pf.drivers(rows, metric, **{**own, "controls": [*CONTROLS[::-1]]}, confidence=0.9)
    bounds = again.select("lower", "upper").row(-1)
    assert bounds == pytest.approx(audited.select("lower", "upper").row(0), abs=1e-6)
    by_name = again.filter(part="control")[::-1]["contribution"].to_list()
    assert by_name == pytest.approx(found["contribution"].to_list(), abs=1e-9)
    narrow, wide = (each.sort("part", "control") for each in (again, split))
    assert (narrow["upper"] - narrow["lower"] < wide["upper"] - wide["lower"]).all()


def test_differences_at_equal_controls_are_split() -> None:
    adds_up = [
        name
        for name, each in pf.CATALOGUE.items()
        if each.parsed.level == AT_EQUAL_CONTROLS and not each.is_ratio
    ]
    assert [*SPLIT] == adds_up


@pytest.mark.parametrize("more", [{}, {"weight": "w"}, {"cluster": "team"}])
@pytest.mark.parametrize("metric", SPLIT)
def test_the_raw_difference_has_the_interval_of_its_own_metric(
    metric: str, more: dict[str, Any]
) -> None:
    draw = np.random.default_rng(5)
    rows = pl.DataFrame(
        {
            "sex": np.where(draw.random(600) < 0.2, "F", "M"),
            "grade": draw.integers(0, 3, 600).astype(str),
            "yes": draw.random(600) < 0.05,
            "pay": draw.lognormal(8, 1.2, 600),
            "w": draw.lognormal(0, 0.5, 600),
            "team": draw.integers(0, 60, 600),
            "window": [None, "before"] * 300,
        },
        strict=False,
    )
    outcomes = {"predicted": "yes", "label": "yes", "estimated": "pay", "observed": "pay"}
    own: dict[str, Any] = {
        name: outcomes[name] for name in outcomes if name in pf.CATALOGUE[metric].needs
    }
    own |= {"facet": "sex", "disfavored": "F", "by": "window", **more}
    raw = pf.drivers(rows, metric, controls="grade", **own).filter(part="raw")
    of_metric = pf.audit(rows, SPLIT[metric], **own)
    assert raw["lower"].null_count() == 0
    for name, there in (("contribution", "value"), ("lower", "lower"), ("upper", "upper")):
        assert raw[name].to_list() == pytest.approx(of_metric[there].to_list(), rel=1e-9)


def test_the_interval_of_one_control_is_about_that_of_a_bootstrap() -> None:
    rows = people(31, 600)
    own = {**QUESTION, "controls": "grade"}
    found = pf.drivers(rows, **own).filter(part="control")
    drawn = pl.concat(
        rows.sample(600, with_replacement=True, seed=seed).with_columns(draw=seed)
        for seed in range(150)
    )
    again = pf.drivers(drawn, **own, by="draw", confidence=None).filter(part="control")
    width = 2 * 1.96 * float(again["contribution"].std() or 0)  # type: ignore[arg-type]
    # The standard deviation of 150 draws is known to 6 %.
    assert (found["upper"] - found["lower"]).item() == pytest.approx(width, rel=0.2)


def test_what_cannot_be_split_is_said() -> None:
    rows = people(4).with_columns(again=pl.col("sex") + "x")
    split = pf.drivers(rows, **{**QUESTION, "controls": ["grade", "again"]})
    assert split["contribution"].is_null().to_list() == [False, True, True, True]
    assert split["note"].unique().to_list() == ["controls: they determine the side"]
    one_sided = pf.drivers(rows.with_columns(of=pl.col("sex")), by="of", **QUESTION)
    assert one_sided["contribution"].null_count() == one_sided.height
