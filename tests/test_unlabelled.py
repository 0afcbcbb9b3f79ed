"""Labels that only the accepted have: what depends on those of the others has no value."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "disfavored": "F", "label": "y"}
QUESTION["predicted"] = "p"
# Utility needs no label of the rejected where these are worth nothing, but their number.
NAMES: Final = [
    name
    for name, metric in pf.CATALOGUE.items()
    if {"label", "predicted"} <= {*metric.needs} <= {"label", "predicted", "facet"}
    and name != "utility"
]
GROUP_RATES: Final = ("tpr", "fpr", "tnr", "fnr", "ppv", "npv", "fdr", "accuracy", "f1")


def lent(size: int = 600) -> pl.DataFrame:
    """Loans: who would repay, who is accepted, in two branches."""
    draw = np.random.default_rng(5)
    is_f, would = draw.random(size) < 0.5, draw.random(size) < 0.6
    accepted = draw.random(size) < np.where(would, 0.7 - 0.2 * is_f, 0.3)
    sex = np.where(is_f, "F", "M")
    return pl.DataFrame({"sex": sex, "y": would, "p": accepted, "branch": np.arange(size) % 2})


LENT: Final = lent()
KNOWN: Final = LENT.with_columns(y=pl.when("p").then("y"))
# What the rejected would have done: as it was, the other way round, and all of them well.
COMPLETED: Final = [
    LENT.with_columns(y=pl.when("p").then("y").otherwise(label))
    for label in (pl.col("y"), ~pl.col("y"), pl.lit(value=True))
]


def are_equal(values: list[pl.Series]) -> bool:
    rows = np.array([each.to_numpy() for each in values])
    return bool((np.ptp(rows, axis=0) < 1e-9).all())


@pytest.mark.parametrize("more", [{}, {"by": "branch"}, {"favored": "M"}], ids=str)
def test_a_value_is_one_that_no_missing_label_could_change(more: dict[str, Any]) -> None:
    question = {**QUESTION, **more}
    one, *others = (pf.metrics(rows, NAMES, **question) for rows in COMPLETED)
    found = pf.metrics(KNOWN, NAMES, **question, nulls="drop")
    lazily = pf.metrics(KNOWN.lazy(), NAMES, **question, nulls="drop").collect()
    audited = pf.audit(KNOWN, NAMES, **question, nulls="drop", replicates=50)
    number = {"known": 0, "unknown": 0}
    for name in NAMES:
        is_known = are_equal([one[name], *(other[name] for other in others)])
        number["known" if is_known else "unknown"] += 1
        for values in (found[name], lazily[name], audited.filter(metric=name)["value"]):
            if is_known:
                assert values.to_list() == pytest.approx(one[name].to_list(), abs=1e-9), name
            else:
                assert values.null_count() == len(values), name
    assert min(number.values()) > 3
    unknown = audited.filter(pl.col("value").is_null())
    assert unknown.select("lower", "upper").null_count().row(0) == (unknown.height,) * 2
    assert {*unknown["verdict"].drop_nulls()} == {"undefined"}
    affected = unknown.filter(pl.col("metric").is_in(["rd", "sd", "tpr_gap", "theil"]))
    assert affected["note"].str.contains("label: ").all()


def test_rates_of_groups_that_no_missing_label_could_change() -> None:
    question = {**QUESTION, "disfavored": None}
    one, *others = (pf.rates(rows, **question) for rows in COMPLETED)
    found = pf.rates(KNOWN, **question, nulls="drop")
    for name in GROUP_RATES:
        is_known = are_equal([one[name], *(other[name] for other in others)])
        expected = one[name].to_list() if is_known else [None] * found.height
        assert found[name].to_list() == pytest.approx(expected, abs=1e-9), name


def test_one_label_of_each_decision_is_enough() -> None:
    """How far such a value can be trusted is another question."""
    first = pl.int_range(pl.len()).over("sex", "p") == 0
    rows = LENT.with_columns(y=pl.when(pl.col("p") | first).then("y"))
    answer = pf.metrics(rows, "rd", "tpr_gap", **QUESTION, nulls="drop")
    assert answer.select("rd", "tpr_gap").null_count().row(0) == (0, 0)


def test_neither_bounds_nor_a_gate_pass_what_is_not_known() -> None:
    bounds = pf.bounds(KNOWN, "rd", **QUESTION, nulls="drop")
    assert bounds.select("lowest", "highest", "lower", "upper").row(0) == (None,) * 4
    assert bounds["verdict"].item() == "undefined"
    with pytest.raises(pf.FairnessError, match="nothing was judged"):
        pf.check(KNOWN, "rd", **QUESTION, nulls="drop")
