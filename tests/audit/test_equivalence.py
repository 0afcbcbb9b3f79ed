"""How surely a value lies within its band: `within_p_value`, and the gate that asks for it."""

from __future__ import annotations

from math import erf, sqrt
from typing import Any

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf

QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p", "count": "n"}


def drawn(rate_of_d: float, rate_of_a: float, number: int, rows: int = 400) -> pl.DataFrame:
    """Cells of so many samples, each a window."""
    draws = np.random.default_rng(7)
    return pl.DataFrame(
        [
            (sample, sex, p, n)
            for sample in range(number)
            for sex, rate in (("F", rate_of_d), ("M", rate_of_a))
            for accepted in [int(draws.binomial(rows, rate))]
            for p, n in ((1, accepted), (0, rows - accepted))
        ],
        schema=["sample", "sex", "p", "n"],
        orient="row",
    )


def by_hand(value: float, lower: float, upper: float, low: float, high: float) -> float:
    """The larger p-value of two tests, of a value inside or outside each edge."""

    def p(distance: float, half: float) -> float:
        return (1 - erf(1.959963984540054 * distance / half / sqrt(2))) / 2

    of_low = p(value - low, value - lower if value >= low else upper - value)
    of_high = p(high - value, upper - value if value <= high else value - lower)
    return max(of_low, of_high)


@pytest.mark.parametrize(("rates", "metric"), [((0.4, 0.5), "dppl"), ((0.48, 0.4), "di")])
def test_it_follows_from_the_interval_and_the_band(rates: tuple[float, float], metric: str) -> None:
    found = pf.audit(drawn(*rates, number=40), metric, by="sample", equivalence=True, **QUESTION)
    columns = ["value", "lower", "upper", "band_lower", "band_upper"]
    expected = [by_hand(*row) for row in found[columns].rows()]
    assert found["within_p_value"].to_list() == pytest.approx(expected, abs=1e-9)
    # Fair by a 95 % interval is a p-value of at most 0.025.
    is_fair = found["verdict"] == "within"
    assert (is_fair == (found["within_p_value"] <= 0.025)).all()
    assert 0 < is_fair.sum() < 40


@pytest.mark.simulation
def test_a_value_at_the_edge_is_rarely_shown_to_be_fair() -> None:
    at_the_edge = drawn(0.4, 0.5, number=2_000)
    found = pf.audit(at_the_edge, "dppl", by="sample", equivalence=True, **QUESTION)
    share = (found["within_p_value"] < 0.05).mean()
    assert share == pytest.approx(0.05, abs=0.012)


def test_what_has_no_interval_or_no_band_has_none() -> None:
    cells = drawn(0.4, 0.5, number=1)
    found = pf.audit(cells, "two_sd", "ddpl", "di", equivalence=True, **QUESTION)
    assert found["within_p_value"].is_null().to_list() == [True, True, False]
    assert "within_p_value" not in pf.audit(cells, "di", **QUESTION).columns


def test_a_gate_asks_for_it() -> None:
    cells = drawn(0.45, 0.5, number=1, rows=4_000)
    passed = pf.check(cells, "dppl", maximum_within_p_value=0.05, **QUESTION)
    assert passed["within_p_value"].item() < 0.05
    few = drawn(0.45, 0.5, number=1, rows=100)
    assert pf.check(few, "dppl", **QUESTION)["verdict"].to_list() == ["uncertain"]
    complaint = r"^fail_on: 1 of 1 verdicts are not shown to lie within the band at 0.05: 'dppl'$"
    with pytest.raises(pf.OutsideBandError, match=complaint):
        pf.check(few, "dppl", maximum_within_p_value=0.05, **QUESTION)
    policy = pf.Policy(name="Lending", maximum_within_p_value=0.05)
    with pytest.raises(pf.OutsideBandError, match=complaint):
        pf.check(few, "dppl", policy=policy, **QUESTION)
    # What is no test of a rate is not shown to lie within the band.
    with pytest.raises(pf.OutsideBandError, match="not shown"):
        pf.check(cells, "two_sd", maximum_within_p_value=0.05, **QUESTION)
