"""Notes of an audit: what a reader would not expect of its rows."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import people


def notes(frame: Any, *metrics: str, **question: Any) -> dict[str, str | None]:
    """The note of the first row of each metric."""
    answer = pf.audit(frame, *metrics, confidence=None, **question)
    return {row["metric"]: row["note"] for row in answer.reverse().to_dicts()}


def test_an_ordinary_audit_has_none() -> None:
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", "subgroup": "month"}
    answer = pf.audit(people(), "di", "rd", "mh_ratio", "cddpl", "ge", "tpr_gap", **question)
    assert answer["note"].null_count() == answer.height > 0


@pytest.mark.parametrize(("threshold", "which"), [(2.0, "no"), (-1.0, "every")])
def test_a_threshold_that_lets_all_or_none_pass_is_named(threshold: float, which: str) -> None:
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y"}
    found = notes(people(), "di", "auc_difference", score="score", threshold=threshold, **question)
    assert found == {
        "di": f"predicted: {which} row of both sides is positive",
        "auc_difference": None,
    }
    of_label = people().with_columns(y=pl.lit(which == "every"))
    found = notes(of_label, "dpl", "ci", facet="sex", disfavored="F", label="y")
    assert found == {"dpl": f"label: {which} row of both sides is positive", "ci": None}
    one_side = people().with_columns(p=(pl.col("sex") == "F") & pl.col("p"))
    assert notes(one_side, "di", predicted="p", facet="sex", disfavored="F") == {"di": None}


STRATA = pl.DataFrame(
    [
        (site, sex, int(site != "W" and row % 2))
        for site, sex, n in [
            ("N", "F", 4),
            ("N", "M", 6),
            ("E", "F", 3),
            ("S", "M", 4),
            ("W", "M", 5),
        ]
        for row in range(n)
    ],
    schema=["site", "sex", "hired"],
    orient="row",
)
OF_STRATA: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "predicted": "hired",
    "subgroup": "site",
}


def test_strata_that_allow_no_comparison_are_counted_with_their_rows() -> None:
    """F and M are both in N alone. In W no row is accepted, so that F can have no share."""
    found = notes(STRATA, "mh_ratio", "cddpl", "di", **OF_STRATA)
    assert found == {
        "mh_ratio": "subgroup: 3 of 4 strata, with 12 rows, allow no comparison and are left out",
        "cddpl": "subgroup: 1 of 4 strata, with 5 rows, allow no comparison and are left out",
        "di": None,
    }
    whole = STRATA.filter(pl.col("site") == "N")
    assert notes(whole, "cddpl", **OF_STRATA) == {"cddpl": None}


@pytest.mark.parametrize(
    ("groups", "note"), [(50, None), (51, "facet: 51 groups are compared one")]
)
def test_many_groups_that_are_compared_one_by_one_are_counted(
    groups: int, note: str | None
) -> None:
    rows = pl.select(branch=pl.int_range(4 * groups) % groups, hired=pl.int_range(4 * groups) % 2)
    found = notes(rows, "di", "selection_rate_gap", facet="branch", predicted="hired")
    assert (found["di"] or "").startswith(note or "")
    assert (found["di"] is None) == (note is None)
    assert found["selection_rate_gap"] is None
    of_one = notes(rows, "di", facet="branch", disfavored=3, predicted="hired")
    assert of_one == {"di": None}
