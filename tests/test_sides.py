"""The sides of each comparison, named and found."""

from __future__ import annotations

import datetime as dt
import enum
from decimal import Decimal
from typing import Any

import polars as pl
import polars.selectors as cs
import pytest
from hypothesis import given

import polars_fairness as pf
from tests.frames import fairness, people, shared
from tests.snapshots.complaints import CROSSED
from tests.strategies import EVERYTHING, examples, frames

SHAPE = ("facet", "disfavored", "favored", "n_disfavored", "n_favored", "n_unknown")


def comparisons(**question: Any) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = fairness(people()).ci(**question).select(SHAPE).rows()
    return rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ({"facet": "race", "disfavored": "Black"}, [("race", "Black", None, 60, 120, 60)]),
        (
            {"facet": "race", "favored": "White"},
            [("race", each, "White", 60, 60, 60) for each in ("Asian", "Black")],
        ),
        (
            {"facet": "race"},
            [("race", each, None, 60, 120, 60) for each in ("Asian", "Black", "White")],
        ),
        (
            {"facet": "race", "disfavored": "Black", "favored": "White"},
            [("race", "Black", "White", 60, 60, 60)],
        ),
        *(
            (
                {"facet": "race", "disfavored": several, "favored": "White"},
                [("race", "Black, Asian", "White", 120, 60, 60)],
            )
            for several in (["Black", "Asian"], ("Black", "Asian"))
        ),
        (
            {"disfavored": {"sex": "F"}, "favored": {"race": ["White", "Asian"]}},
            [("sex", "F", None, 80, 160, 0), ("race", "Black", "White, Asian", 60, 120, 60)],
        ),
    ],
)
def test_sides_are_those_that_are_named(question: dict[str, Any], rows: list[Any]) -> None:
    assert comparisons(**{"facet": ["sex", "race"], **question}) == rows


def test_a_struct_without_an_alias_is_called_after_its_fields() -> None:
    both = pl.struct("sex", "race")
    sides: dict[str, Any] = {"disfavored": ("F", "Black"), "favored": ("M", "White")}
    assert comparisons(facet=both, **sides) == [
        ("sex & race", "F & Black", "M & White", 20, 40, 60)
    ]
    by_name = {argument: {"sex & race": side} for argument, side in sides.items()}
    assert comparisons(facet=["sex", both], **by_name)[-1:] == comparisons(facet=both, **sides)
    renamed = pl.struct(pl.col("sex").alias("gender"), origin="race")
    assert fairness(people()).ci(facet=renamed)["facet"].unique().to_list() == ["gender & origin"]
    selected = pl.struct(cs.by_name("sex", "race"))
    assert fairness(people()).ci(facet=selected)["facet"].unique().to_list() == ["sex & race"]


def test_two_structs_with_the_same_first_field_are_two_facets() -> None:
    facets = [pl.struct("sex", "race"), pl.struct("sex", "branch")]
    names = ["sex & branch", "sex & race"]
    assert fairness(people()).ci(facet=facets)["facet"].unique().sort().to_list() == names
    cells = pf.cells(people(), facet=facets)
    assert cells.columns == ["sex & race", "sex & branch", "n"]
    again = fairness(cells).ci(facet=["sex & race", "sex & branch"], count="n")
    assert again.equals(fairness(people()).ci(facet=facets))


def test_intersections_with_the_same_text_are_kept_apart() -> None:
    frame = pl.DataFrame({"x": ["A & B", "A", "D"], "y": ["C", "B & C", "D"], "p": [1, 0, 0]})
    answer = fairness(frame).dppl(facet=pl.struct("x", "y").alias("xy"), predicted="p")
    assert answer["disfavored"].to_list() == ["A & B & C", "A & B & C", "D & D"]
    assert sorted(answer["dppl"]) == [-1, 0.5, 0.5]


def test_rows_of_unknown_facet_are_on_neither_side() -> None:
    frame = pl.DataFrame({"sex": ["F", "M", None, None], "p": [1, 0, 1, 1]})
    answer = pf.metrics(frame, "dppl", "spsf", "ddpl", facet="sex", disfavored="F", predicted="p")
    assert answer.select(SHAPE).row(0) == ("sex", "F", None, 1, 1, 2)
    assert answer.select("dppl", "spsf", "ddpl").row(0) == (-1.0, 0.25, -1.0)
    rates = pf.rates(frame, facet="sex", predicted="p")
    assert rates.select("facet", "value", "n", "selection_rate").rows() == [
        ("sex", "F", 1, 1.0),
        ("sex", "M", 1, 0.0),
        ("sex", None, 2, 1.0),
        ("(all)", None, 4, 0.75),
    ]


@pytest.mark.parametrize(
    ("values", "d", "written"),
    [
        (pl.Series(["F", "M"]), "F", "F"),
        (pl.Series(["F", "M"], dtype=pl.Categorical()), "F", "F"),
        (pl.Series(["F", "M"], dtype=pl.Enum(["M", "F"])), "F", "F"),
        (pl.Series([True, False]), True, "true"),
        (pl.Series([True, False]), 1, "true"),
        (pl.Series([-3, 4], dtype=pl.Int8), -3, "-3"),
        (pl.Series([3, 4], dtype=pl.UInt64), 3.0, "3"),
        (pl.Series([0.5, float("nan")]), 0.5, "0.5"),
        (pl.Series([1.0, 2.0], dtype=pl.Float32), 1, "1.0"),
        (pl.Series([Decimal("1.50"), Decimal("2.00")]), Decimal("1.5"), "1.50"),
        (pl.Series([dt.date(2025, 1, 2), dt.date(2025, 1, 3)]), dt.date(2025, 1, 2), "2025-01-02"),
        (pl.Series([dt.time(1), dt.time(2)]), dt.time(1), "01:00:00"),
        (pl.Series([dt.time(1, 0, 0, 6), dt.time(1)]), dt.time(1, 0, 0, 6), "01:00:00.000006"),
        (pl.Series([0.0, 1.0]), -0.0, "0.0"),
        (pl.Series([0.3, 1.0], dtype=pl.Float32), 0.3, "0.3"),
    ],
)
def test_values_of_any_type_are_written_as_text(values: pl.Series, d: object, written: str) -> None:
    answer = fairness(pl.DataFrame({"v": values})).ci(facet="v", disfavored=d)
    assert answer["disfavored"].to_list() == [written]
    assert answer["n_disfavored"].to_list() == [1]


def test_a_facet_of_nan_is_unknown() -> None:
    frame = pl.DataFrame({"v": [1.0, 2.0, 3.0, float("nan"), None]})
    assert fairness(frame).ci(facet="v")["n_unknown"].to_list() == [2, 2, 2]


def test_a_thousand_values_give_what_each_gives_alone() -> None:
    frame = pl.select(i=pl.int_range(20_000)).select(
        v=pl.col("i") % 1000, s=pl.col("i") % 7, p=pl.col("i") % 13 < 5, w=pl.col("i") % 3 + 0.1
    )
    answer = pf.metrics(frame, "dppl", "cddpl", facet="v", predicted="p", subgroup="s", weight="w")
    assert answer.height == 1000
    for value in (0, 999):
        alone = fairness(frame).dppl(facet="v", disfavored=value, predicted="p", weight="w")
        again = answer.filter(disfavored=str(value))
        assert again["dppl"].item() == pytest.approx(alone["dppl"].item(), abs=1e-12)


def test_sums_of_all_others_have_no_rounding_error() -> None:
    """0.1 + 0.2 + 0.3 less its parts is not 0; a quotient by that would look like a number."""
    frame = pl.DataFrame(
        {
            "v": ["a", "b", "c"],
            "y": [False, False, True],
            "p": [True, True, False],
            "w": [0.1, 0.2, 0.3],
        }
    )
    answer = fairness(frame).te(facet="v", label="y", predicted="p", weight="w")
    assert answer["te"].to_list() == [pytest.approx(-1.5), pytest.approx(-3.0), float("inf")]


class Sex(enum.StrEnum):
    F = "F"
    M = "M"


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["F", "M"])])
def test_a_member_of_a_python_enum_is_its_value(dtype: pl.DataType) -> None:
    frame = pl.DataFrame({"sex": pl.Series(list("FFMM"), dtype=dtype), "p": [1, 0, 1, 1]})
    row = pf.metrics(frame, "dppl", facet="sex", disfavored=Sex.F, predicted="p").row(0, named=True)
    assert (row["disfavored"], row["n_disfavored"], row["dppl"]) == ("F", 2, 0.5)


@pytest.mark.parametrize(
    "question",
    [
        {"facet": ["sex", "race"], "disfavored": "Female"},
        {"facet": ["sex", "race"], "disfavored": ["Female", "Black"]},
        {"facet": ["age", "code"], "disfavored": 7},
        {"facet": [pl.struct("race", "age"), pl.struct("sex", "age")], "disfavored": ("Female", 1)},
    ],
)
def test_the_sides_that_a_message_gives_can_be_pasted(question: dict[str, Any]) -> None:
    with pytest.raises(pf.FairnessError) as caught:
        pf.metrics(CROSSED, "dppl", predicted="p", **question)
    _, _, hint = str(caught.value).partition("give disfavored=")
    answer = pf.metrics(CROSSED, "dppl", predicted="p", **question | {"disfavored": eval(hint)})
    assert answer.height


TWO = ("F", "M", None)


@pytest.mark.parametrize(
    ("values", "first", "other"),
    [
        (pl.Series([1, 0]), "0", "1"),
        (pl.Series([10, 9], dtype=pl.UInt8), "9", "10"),
        (pl.Series([-3, -10]), "-10", "-3"),
        (pl.Series([10.0, 9.5]), "9.5", "10.0"),
        (pl.Series([0.5, 1e-7]), "1e-7", "0.5"),
        (pl.Series([float("inf"), 3.0, float("nan")]), "3.0", "inf"),
        (pl.Series([Decimal("10.00"), Decimal("9.50")]), "9.50", "10.00"),
        (pl.Series([True, False, None]), "false", "true"),
        (pl.Series(["M", "F"]), "F", "M"),
        (pl.Series(["10", "9"]), "10", "9"),
        (pl.Series(["M", "F"], dtype=pl.Categorical()), "F", "M"),
        (pl.Series(["F", "M"], dtype=pl.Enum(["M", "X", "F"])), "M", "F"),
        (pl.Series([dt.date(2025, 10, 1), dt.date(2025, 9, 30)]), "2025-09-30", "2025-10-01"),
        (pl.Series([dt.time(10), dt.time(9, 59)]), "09:59:00", "10:00:00"),
        (pl.Series(["b\x1fa", "a\x1fb"]), "a\x1fb", "b\x1fa"),
    ],
)
def test_the_first_value_is_d_in_the_order_of_its_type(
    values: pl.Series, first: str, other: str
) -> None:
    for rows in (values, values.reverse()):
        answer = fairness(pl.DataFrame({"v": rows})).ci(facet="v")
        assert answer.select("disfavored", "favored").rows() == [(first, other)]


def test_structs_are_ordered_attribute_by_attribute() -> None:
    frame = pl.DataFrame({"sex": ["M", "M"], "age": [10, 9]})
    answer = fairness(frame).ci(facet=pl.struct("sex", "age"))
    assert answer.select("disfavored", "favored").rows() == [("M & 9", "M & 10")]
    frame = pl.DataFrame({"sex": ["F", "M"], "age": [10, 9]})
    answer = fairness(frame).ci(facet=pl.struct("sex", "age"))
    assert answer.select("disfavored", "favored").rows() == [("F & 10", "M & 9")]


@given(frames(TWO))
@examples(4)
def test_a_pair_is_answered_as_if_both_sides_were_named(frame: pl.DataFrame) -> None:
    named: dict[str, Any] = {"disfavored": "F", "favored": "M"}
    for windows in ({}, {"by": "k"}):
        question = {**EVERYTHING, **windows}
        answer = pf.metrics(frame.lazy(), **question).collect()
        assert answer.equals(pf.metrics(frame, **question, **named))
        parts = shared(pf.decompose, frame, "cddpl", **question)
        assert parts.equals(shared(pf.decompose, frame, "cddpl", **question, **named))
        audit = pf.audit(frame, "di", "cddpl", "tvd", "ge", replicates=20, weight="w", **question)
        assert audit.equals(
            pf.audit(
                frame, "di", "cddpl", "tvd", "ge", replicates=20, weight="w", **question, **named
            )
        )
