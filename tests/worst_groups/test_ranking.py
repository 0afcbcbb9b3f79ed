"""One row per group, the worst first."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.worst_groups.people import QUESTION


def test_of_equally_bad_groups_the_one_of_fewer_attributes_comes_first() -> None:
    frame = pl.DataFrame(
        {"sex": [*"FFFFMMMM"], "race": [*"bbwwbbww"], "p": [0, 0, 1, 1, 1, 0, 0, 1]}
    )
    answer = pf.worst_groups(frame, "spsf", harm="both", **QUESTION)
    assert answer.select("sex", "race", "rank").rows()[:5] == [
        (None, "b", 1),
        (None, "w", 1),
        ("F", "b", 1),
        ("F", "w", 1),
        ("F", None, 5),
    ]


def test_an_unknown_value_is_not_any_value() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", "M", None], "race": ["b", None, None, "b"], "p": 1})
    answer = pf.worst_groups(frame, "spsf", **QUESTION)
    fixed = {
        (row["sex"], row["race"], row["fixed"]["sex"], row["fixed"]["race"]): row["n"]
        for row in answer.iter_rows(named=True)
    }
    assert fixed == {
        ("F", None, True, False): 2,
        ("M", None, True, False): 1,
        (None, None, True, False): 1,
        (None, "b", False, True): 2,
        (None, None, False, True): 2,
        ("F", "b", True, True): 1,
        ("F", None, True, True): 1,
        ("M", None, True, True): 1,
        (None, "b", True, True): 1,
    }
    assert answer.columns[:3] == ["group", "sex", "race"]
    named = {row["group"]: row["n"] for row in answer.iter_rows(named=True)}
    assert {name for name in named if "&" in name} == {
        *("F & b", "F & (unknown)", "M & (unknown)", "(unknown) & b"),
    }
    assert {*named} - {name for name in named if "&" in name} == {"F", "M", "(unknown)", "b"}
    known = pf.worst_groups(frame, "spsf", include_unknown=False, **QUESTION)
    assert known.select("sex", "race", "n").sort("sex", "race").rows() == [
        (None, "b", 2),
        ("F", None, 2),
        ("F", "b", 1),
        ("M", None, 1),
    ]
    assert known.select(pl.col("n") / pl.col("share"))["n"].unique().to_list() == [4.0]


@pytest.mark.extras
def test_a_group_without_a_rate_comes_last() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", "M"], "y": [0, 0, 1], "p": [1, 0, 1]})
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    answer = pf.worst_groups(frame, "fpsf", **question)
    last = answer.row(-1, named=True)
    assert (last["sex"], last["alpha"]) == ("M", 0.0)
    nothing = ("rate", "lower", "upper", "beta", "weighted_gap", "rank")
    assert [last[name] for name in nothing] == [None] * 6
    answer = pf.worst_groups(frame, "fpsf", shrink=True, **question)
    last = answer.filter(sex="M").row(0, named=True)
    assert [last[name] for name in ("shrunken_rate", *nothing)] == [None] * 7


def test_groups_of_few_rows_are_listed_last_unless_asked() -> None:
    """A group of 2 rows without a positive one says less than one of 100 with 20."""
    groups = [("F", "b", 100, 20), ("F", "w", 2, 0), ("M", "b", 22, 0), ("M", "w", 100, 60)]
    frame = pl.concat(
        pl.DataFrame({"sex": [sex] * n, "race": [race] * n, "p": [i < k for i in range(n)]})
        for sex, race, n, k in groups
    )
    ranked = pf.worst_groups(frame, "selection_rate_gap", facet=["sex", "race"], predicted="p")
    is_small = ranked["n"] < 30
    # The small ones are there, below all others.
    assert is_small.any()
    assert is_small.to_list() == sorted(is_small)
    assert ranked["rank"].to_list() == sorted(ranked["rank"])
    noted = ranked["note"] == "fewer than 30 rows: listed last"
    assert noted.fill_null(value=False).to_list() == is_small.to_list()
    every = pf.worst_groups(
        frame, "selection_rate_gap", facet=["sex", "race"], predicted="p", minimum_count=0
    )
    assert every["n"].to_list()[0] in (2, 22)
    assert every["note"].null_count() == every.height
