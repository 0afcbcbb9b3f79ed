"""The rows of an audit, and the numbers of data rows that they report."""

from __future__ import annotations

from math import isnan, nan
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from tests.audit.questions import F_AGAINST_M
from tests.frames import predictions, shared
from tests.strategies import examples

PRESENT_OR_NOT: Final[dict[str, tuple[pl.DataType, list[Any]]]] = {
    "sex": (pl.String(), ["F", "M", None]),
    "branch": (pl.String(), ["n", "s", None]),
    "month": (pl.Int64(), [1, 2, None]),
    "y": (pl.Boolean(), [True, False, None]),
    "p": (pl.Boolean(), [True, False, None]),
    "score": (pl.Float64(), [0.2, 0.8, nan, None]),
    "w": (pl.Float64(), [1.0, 2.5, 0.0, None]),
    "k": (pl.Int64(), [1, 3, 0, None]),
    "x": (pl.Float64(), [1.0, 2.0, nan, None]),
}


def is_known(value: float | bool | None) -> bool:
    return value is not None and not (isinstance(value, float) and isnan(value))


@pytest.mark.extras
@examples(60)
@given(
    st.lists(
        st.fixed_dictionaries({n: st.sampled_from(v) for n, (_, v) in PRESENT_OR_NOT.items()})
    ),
    st.sampled_from([{"predicted": "p"}, {"predicted": "score", "threshold": 0.5}]),
    st.fixed_dictionaries(
        {},
        optional={
            "label": st.just("y"),
            "weight": st.just("w"),
            "count": st.just("k"),
            "by": st.just("month"),
            "subgroup": st.just("branch"),
        },
    ),
)
def test_rows_seen_are_used_or_dropped(
    rows: list[dict[str, Any]], predicted: dict[str, Any], more: dict[str, str]
) -> None:
    """Every row is either used or dropped; a row without a count is one row."""
    frame = pl.DataFrame(rows, schema={name: dtype for name, (dtype, _) in PRESENT_OR_NOT.items()})
    expected: dict[Any, list[float]] = {}
    of_groups: dict[Any, int] = {}
    for row in rows:
        copies = row["k"] if "count" in more else 1
        kept = {"w": row["w"] or 0 if "weight" in more else 1, "k": copies or 0}
        is_used = all(kept.values()) and is_known(row[predicted["predicted"]])
        has_label = "label" not in more or is_known(row["y"])
        is_rated = all(kept.values()) and has_label and is_known(row[predicted["predicted"]])
        seen, used = 1 if copies is None else copies, copies if is_used else 0
        rated = copies if is_rated else 0
        counted = (seen, used, seen - used, used if row["sex"] is None else 0)
        window = (row["month"],) if "by" in more else ()
        sums = expected.setdefault(window, [0] * 4)
        expected[window] = [one + other for one, other in zip(sums, counted, strict=True)]
        for group in ((*window, "sex", row["sex"]), (*window, "(all)", None)):
            of_groups[group] = of_groups.get(group, 0) + seen - rated
    question: dict[str, Any] = {"facet": "sex", **predicted, **more, "nulls": "drop"}
    answer = shared(pf.audit, frame, "dppl", confidence=None, **question)
    columns = ["rows_seen", "rows_used", "rows_dropped", "n_unknown"]
    columns = columns[:3] if "weight" in more else columns
    windows = ["month"] if "by" in more else []
    found = answer.select(*windows, *columns).unique().rows()
    assert {row[: len(windows)]: list(row[len(windows) :]) for row in found} == {
        window: sums[: len(columns)] for window, sums in expected.items()
    }
    assert len(found) == len(expected)
    values = (
        shared(pf.metrics, frame, "dppl", **question)
        .select(*windows, "rows_dropped")
        .unique()
        .rows()
    )
    assert {row[:-1]: row[-1] for row in values} == {
        window: dropped for window, (_, _, dropped, _) in expected.items()
    }
    groups = shared(pf.rates, frame, **question).select(*windows, "facet", "value", "rows_dropped")
    # Rates are about labels too.
    assert {row[:-1]: row[-1] for row in groups.rows()} == of_groups


def test_small_sides_are_marked() -> None:
    frame = predictions(F=(3, 2), M=(60, 40), X=(10, 10))
    answer = pf.audit(
        frame, "dppl", facet="sex", favored="M", predicted="p", count="n", minimum_count=6
    )
    assert answer.select("disfavored", "is_small").rows() == [("F", True), ("X", False)]
    heavy = frame.with_columns(w=pl.col("n") * 100.0)
    weighted = pf.audit(heavy, "dppl", minimum_count=6, weight="w", **F_AGAINST_M)
    assert weighted["is_small"].to_list() == [True]
