"""`unknown=` names the values of facets that mean unknown: they count as nulls do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf

SEXES: Final = ["F", "M", "Declined", None]
RACES: Final = ["a", "b", "", "c"]
PEOPLE: Final = pl.DataFrame(
    {
        "sex": [SEXES[i % 4] for i in range(48)],
        "race": [RACES[i // 4 % 4] for i in range(48)],
        "p": [i * 7 % 5 < 3 or SEXES[i % 4] == "Declined" for i in range(48)],
        "y": [i * 11 % 7 < 4 for i in range(48)],
        "s": [i * 13 % 10 / 10 for i in range(48)],
        "month": [i % 3 for i in range(48)],
    }
)
NULLS: Final = PEOPLE.with_columns(pl.col("sex", "race").replace({"Declined": None, "": None}))
UNKNOWN: Final = ["Declined", "", "never given"]
BOTH: Final[dict[str, Any]] = {"facet": ["sex", "race"], "predicted": "p"}
LABELLED: Final[dict[str, Any]] = {**BOTH, "label": "y"}
STRUCT: Final = pl.struct("sex", "race")

CATEGORIES: Final[dict[str, Any]] = {"sex": "sex", "race": "race"}


def named(frame: pl.DataFrame) -> pl.DataFrame:
    """Without the empty name, which tables about hiring refuse for a category."""
    return frame.with_columns(pl.col("sex", "race").replace("", "Declined"))


CALLS: Final[dict[str, Callable[..., Any]]] = {
    "metrics": lambda frame, **more: pf.metrics(frame, **LABELLED, **more),
    "audit": lambda frame, **more: pf.audit(frame, "di", "tpr_gap", "ci", **LABELLED, **more),
    "highest": lambda frame, **more: pf.audit(frame, "di", favored=pf.HIGHEST, **BOTH, **more),
    "struct": lambda frame, **more: pf.audit(frame, "di", facet=STRUCT, predicted="p", **more),
    "intersections": lambda frame, **more: pf.metrics(
        frame,
        pf.CATALOGUE["selection_rate_gap"].over("intersections", include_unknown=False),
        **BOTH,
        **more,
    ),
    "rates": lambda frame, **more: pf.rates(frame, by="month", **LABELLED, **more),
    "cells": lambda frame, **more: pf.cells(frame, **LABELLED, **more),
    "worst_groups": lambda frame, **more: pf.worst_groups(frame, "spsf", **BOTH, **more),
    "calibration": lambda frame, **more: pf.calibration(
        frame, facet=["sex", "race"], label="y", score="s", **more
    ),
    "impact ratios": lambda frame, **more: pf.hiring.impact_ratios(
        named(frame), **CATEGORIES, selected="p", **more
    ),
    "scoring rates": lambda frame, **more: pf.hiring.impact_ratios(
        named(frame), **CATEGORIES, score="s", **more
    ),
    "four fifths": lambda frame, **more: pf.hiring.adverse_impact(
        named(frame), facet=STRUCT, selected="p", **more
    ),
    "lending": lambda frame, **more: pf.lending.table(
        frame, facet="sex", favored="M", predicted="p", **more
    ),
    "window": lambda frame, **more: pf.audit(
        frame, "di", by="month", baseline="previous", **BOTH, **more
    ),
    "report": lambda frame, **more: pl.DataFrame(
        [pf.report(frame, "di", **BOTH, **more).to_dict()]
    ).drop("data/digest"),
}


@pytest.mark.extras
@pytest.mark.parametrize("call", CALLS)
def test_values_that_mean_unknown_count_as_nulls_do(call: str) -> None:
    found, expected = CALLS[call](PEOPLE, unknown=UNKNOWN), CALLS[call](NULLS)
    assert_frame_equal(found, expected)
    assert_frame_equal(CALLS[call](NULLS, unknown=UNKNOWN), expected)
    assert not CALLS[call](PEOPLE).equals(expected)


@pytest.mark.parametrize(
    ("values", "dtype", "unknown", "known"),
    [
        (["a", "b", "?"], pl.Enum(["?", "a", "b"]), "?", ["a", "b", None]),
        (["a", "b", "?"], pl.Categorical(), ("?",), ["a", "b", None]),
        ([1, 2, 9], pl.Int8(), 9, [1, 2, None]),
        ([1, 2, 9], pl.Int64(), "9", [1, 2, None]),
        ([1.5, 2.5, -1.0], pl.Float64(), -1, [1.5, 2.5, None]),
        ([0.5, 2.5, float("nan")], pl.Float32(), [0.5, float("nan")], [None, 2.5, None]),
        ([True, False, None], pl.Boolean(), True, [None, False, None]),
    ],
)
def test_values_may_be_of_any_type(
    values: list[Any], dtype: pl.DataType, unknown: Any, known: list[Any]
) -> None:
    accepted = pl.DataFrame({"p": [1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0]})
    given, expected = (
        accepted.with_columns(pl.Series("g", each * 4, dtype)) for each in (values, known)
    )
    question: dict[str, Any] = {"facet": "g", "predicted": "p"}
    for function in (pf.rates, pf.metrics):
        found = function(given, unknown=unknown, **question)
        assert_frame_equal(found, function(expected, **question))
