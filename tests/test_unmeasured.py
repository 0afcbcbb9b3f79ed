"""How strong what was not measured would have to be, from what it would do if it were left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.inference.unmeasured import Benchmark, bias, e_value

QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "observed": "pay"}
SAID = ("robustness", "unmeasured_times", "unmeasured_like")


def staff(seed: int, rows: int = 400) -> pl.DataFrame:
    """People whose pay depends on their sex, grade and years."""
    draw = np.random.default_rng(seed)
    is_f = draw.random(rows) < 0.4
    years = draw.integers(0, 9, rows) - 2.0 * is_f + 2
    age = years + draw.integers(20, 30, rows)
    grade = draw.integers(0, 4, rows) + is_f * draw.integers(0, 2, rows)
    pay = 30 + years + 0.4 * age + 3 * grade - 4 * is_f + draw.normal(0, 3, rows)
    return pl.DataFrame(
        {
            "sex": np.where(is_f, "F", "M"),
            "years": years,
            "age": age,
            "grade": grade.astype(str),
            "pay": pay,
            "w": draw.integers(1, 4, rows) * 1.0,
            "hired": draw.random(rows) < 0.3 + 0.05 * grade - 0.1 * is_f,
        }
    )


def left_by(target: Any, columns: list[Any], weight: Any) -> Any:
    """What is left of a column by least squares on others."""
    root = np.sqrt(weight)
    design = np.column_stack([np.ones(len(target)), *columns]) * root[:, np.newaxis]
    effects = np.linalg.lstsq(design, target * root, rcond=None)[0]
    return target * root - design @ effects


def columns_of(rows: pl.DataFrame, *names: str) -> list[Any]:
    columns = []
    for name in names:
        if rows[name].dtype == pl.String:
            columns += [
                (rows[name] == each).to_numpy() * 1.0 for each in rows[name].unique().sort()[1:]
            ]
        else:
            columns.append(rows[name].to_numpy())
    return columns


def effect(rows: pl.DataFrame, names: list[str], weight: Any) -> tuple[float, float]:
    """a less d by least squares, and its standard error times the root of its degrees."""
    is_d = (rows["sex"] == "F").to_numpy() * 1.0
    others = columns_of(rows, *names)
    of_side, of_pay = (left_by(each, others, weight) for each in (is_d, rows["pay"].to_numpy()))
    beta = of_side @ of_pay / (of_side @ of_side)
    left = of_pay - beta * of_side
    return -float(beta), float(np.sqrt(left @ left / (of_side @ of_side)))


@pytest.mark.parametrize("weight", [None, "w"])
@pytest.mark.parametrize("dropped", ["years", "age", "grade"])
def test_leaving_a_control_out_has_the_bias_that_it_says(dropped: str, weight: str | None) -> None:
    """By how much a difference changes without a control is known: so much is the bias once."""
    rows = staff(1)
    w = np.ones(rows.height) if weight is None else rows[weight].to_numpy()
    controls = ["years", "age", "grade"]
    others = [each for each in controls if each != dropped]
    (full, _), (less, scale) = effect(rows, controls, w), effect(rows, others, w)
    is_d = (rows["sex"] == "F").to_numpy() * 1.0

    def more(target: Any, beside: list[Any]) -> float:
        held = columns_of(rows, *others) + beside
        left, further = (
            left_by(target, each, w) for each in (held, held + columns_of(rows, dropped))
        )
        return 1 - float(further @ further / (left @ left))

    of_side = more(is_d, [])
    of_outcome = more(rows["pay"].to_numpy(), [is_d])
    if rows[dropped].dtype != pl.String:
        moved = scale * np.sqrt(of_outcome * of_side / (1 - of_side))
        assert abs(less - full) == pytest.approx(moved, rel=1e-9)
    audit = pf.audit(
        rows, "adjusted_observed_difference", controls=others, weight=weight, **QUESTION
    )
    f = abs(less) / scale
    robustness = (np.sqrt(f**4 + 4 * f**2) - f**2) / 2
    assert audit["robustness"].item() == pytest.approx(robustness, rel=1e-9)


def test_so_many_times_a_control_takes_the_difference_to_the_edge() -> None:
    rows, controls = staff(2), ["years", "age", "grade"]
    value, scale = effect(rows, controls, np.ones(rows.height))
    [row] = pf.audit(rows, "adjusted_observed_difference", controls=controls, **QUESTION).rows(
        named=True
    )
    n, kept = rows.height, 2 + 2 + 4
    is_d, pay = (rows["sex"] == "F").to_numpy() * 1.0, rows["pay"].to_numpy()
    of_controls = {}
    for name in controls:
        others = columns_of(rows, *(each for each in controls if each != name))
        own, added = columns_of(rows, *controls), len(columns_of(rows, name))
        shares = []
        for target, beside, freedom in ((is_d, [], n - kept + 1), (pay, [is_d], n - kept)):
            less, full = (
                float((left_by(target, each + beside, np.ones(n)) ** 2).sum())
                for each in (others, own)
            )
            shares.append(1 - full / less * (freedom + added) / freedom)
        of_controls[name] = Benchmark(name, *shares)
    control = of_controls[row["unmeasured_like"]]
    times = row["unmeasured_times"]
    assert bias(control, times) * scale == pytest.approx(abs(value), rel=1e-6)
    for each in of_controls.values():
        if min(each[1:]) > 0:
            assert bias(each, times * 0.999) * scale <= abs(value)


def test_a_robustness_is_that_of_both_r2_at_once() -> None:
    """What accounts for so much of what is left of both moves the difference to the edge."""
    rows = staff(3)
    value, scale = effect(rows, ["grade"], np.ones(rows.height))
    audit = pf.audit(rows, "adjusted_observed_difference", controls="grade", **QUESTION)
    r = audit["robustness"].item()
    assert scale * np.sqrt(r * r / (1 - r)) == pytest.approx(abs(value), rel=1e-9)


def test_bands_say_what_the_edge_is() -> None:
    rows = staff(4)
    question = {**QUESTION, "observed": None, "predicted": "hired", "controls": ["grade", "years"]}
    names = ("adjusted_difference", "adjusted_ratio", "dppl")
    audit = pf.audit(rows, *names, **question)
    difference, ratio, raw = (audit.filter(metric=name).row(0, named=True) for name in names)
    wide = pf.audit(rows, *names, bands={"adjusted_difference": (-0.5, 0.5)}, **question)
    assert wide["robustness"][0] > difference["robustness"] > 0
    assert all(row[name] is None for row in (ratio, raw) for name in SAID)
    assert ratio["e_value"] == pytest.approx(e_value(ratio["value"]))
    assert 1 <= ratio["e_value_of_limit"] <= ratio["e_value"]
    assert difference["e_value"] is None


def test_columns_are_there_only_where_metrics_have_them() -> None:
    rows = staff(5)
    plain = pf.audit(rows, "observed_difference", **QUESTION)
    assert {*SAID, "e_value"}.isdisjoint(plain.columns)
    same = rows.with_columns(one=pl.lit("x"))
    [row] = pf.audit(same, "adjusted_observed_difference", controls="one", **QUESTION).rows(
        named=True
    )
    assert (row["unmeasured_times"], row["unmeasured_like"]) == (None, None)
    assert row["robustness"] > 0


def test_bounds_of_published_figures() -> None:
    """Darfur: once, twice and three times as strong as being a woman (Cinelli and Hazlett 2020)."""
    # An estimate of 0.09732 with an error of 0.02326 and 783 degrees of freedom; once as strong, a
    # confounder has 0.00916 of the side and 0.12464 of the outcome.
    estimate, scale, of_side, once = 0.09731582, 0.02325654 * np.sqrt(783), 0.00916429, 0.12464092
    of_side /= 1 + of_side
    lean = (1 + of_side / (1 - of_side)) ** 2 / (1 - (of_side / (1 - of_side)) ** 2)
    female = Benchmark("female", of_side, once / lean / (1 + once / lean))
    found = [estimate - bias(female, times) * scale for times in (1, 2, 3)]
    assert found == pytest.approx([0.0752, 0.0529, 0.0304], abs=1e-4)
    f = estimate / scale
    assert (np.sqrt(f**4 + 4 * f**2) - f**2) / 2 == pytest.approx(0.1388, abs=1e-4)
    assert f**2 / (1 + f**2) == pytest.approx(0.0219, abs=1e-4)


@pytest.mark.parametrize("band", [None, (0.95, 1.05)])
def test_a_ratio_of_numbers_says_what_its_logarithms_say(band: tuple[float, float] | None) -> None:
    rows = staff(6)
    controls = ["years", "age"]
    question: dict[str, Any] = {**QUESTION, "controls": controls}
    ratio, difference = "adjusted_observed_ratio", "adjusted_observed_difference"
    logs = rows.with_columns(pl.col("pay").log())
    # d over a is a less d of logarithms, with the other sign.
    ends = None if band is None else (-np.log(band[1]), -np.log(band[0]))
    found = pf.audit(rows, ratio, bands={ratio: band}, **question).row(0, named=True)
    expected = pf.audit(logs, difference, bands={difference: ends}, **question).row(0, named=True)
    for name in ("robustness", "unmeasured_times"):
        assert found[name] == pytest.approx(expected[name], rel=1e-6), name
    assert found["unmeasured_like"] == expected["unmeasured_like"]
