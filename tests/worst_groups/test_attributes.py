"""Attributes of any type, and with any name."""

from __future__ import annotations

from datetime import date, time

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.worst_groups.people import PEOPLE, QUESTION


@pytest.mark.parametrize(
    "values",
    [
        pl.Series(["M", "F", None], dtype=pl.Enum(["M", "F"])),
        pl.Series(["M", "F", None], dtype=pl.Categorical),
        pl.Series([True, False, None]),
        pl.Series([3, -1, None], dtype=pl.Int8),
        pl.Series([date(2020, 1, 1), date(1999, 1, 1), None]),
        pl.Series(["1.50", "0.25", None]).cast(pl.Decimal(5, 2)),
        pl.Series([time(1, 2, 3, 4), time(1, 2, 3, 5), None]),
        pl.Series([0.5, 0.0, float("nan")], dtype=pl.Float32),
    ],
)
def test_attributes_of_any_type_rank_as_text_does(values: pl.Series) -> None:
    index = pl.Series([0, 1, 2, 0, 1, 2, 0, 1, 2, 0])
    of_type = PEOPLE[:10].with_columns(sex=values.gather(index))
    as_text = PEOPLE[:10].with_columns(sex=pl.Series(["x", "y", None]).gather(index))
    answer = pf.worst_groups(of_type, "spsf", **QUESTION)
    assert answer.schema["sex"] == values.dtype
    numbers = ["depth", "n", "rate", "weighted_gap", "rank"]
    order = ["rank", "depth", "n", "rate"]
    expected = pf.worst_groups(as_text, "spsf", **QUESTION)
    assert_frame_equal(answer.select(numbers).sort(order), expected.select(numbers).sort(order))
    fixed = pl.col("fixed").struct.field("sex")
    assert answer.filter(fixed, pl.col("sex").is_null(), depth=1)["n"].to_list() == [3]


@pytest.mark.parametrize(
    "names",
    [("n", "p"), ("", " "), ("facet", "value"), ("*", "^a$"), ("a.b", "ü\x1f"), ("__a", "sq")],
)
def test_attributes_may_have_any_name_but_a_result_columns(names: tuple[str, str]) -> None:
    renamed = PEOPLE.rename({"p": "decided"}).rename(dict(zip(["sex", "race"], names, strict=True)))
    if names[0] == "n":
        with pytest.raises(pf.FairnessError, match="facet: the result has a column called 'n' al"):
            pf.worst_groups(renamed, "spsf", facet=[*names], predicted="decided")
        return
    answer = pf.worst_groups(renamed, "spsf", facet=[*names], predicted="decided")
    expected = pf.worst_groups(PEOPLE, "spsf", **QUESTION)
    assert answer.columns[:3] == ["group", *names]
    others = expected.drop("sex", "race", "group", "fixed").columns
    assert_frame_equal(answer[others], expected[others])
    assert answer["group"].to_list() == expected["group"].to_list()
    assert answer["fixed"].struct.fields == [*names]
