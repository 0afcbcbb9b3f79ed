"""Audits that compare each window with another one of the same frame."""

from __future__ import annotations

from datetime import date
from math import sqrt
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import predictions

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n", "replicates": 50}
MONTHS = (date(2026, 1, 1), date(2026, 2, 1), date(2026, 4, 1))
ACCEPTED = (30, 40, 60)  # of 100 F in each month; March is missing


def monthly(*dtypes: Any) -> pl.DataFrame:
    """Half of 100 M are accepted in each month, so `dppl` is 0.2, 0.1 and -0.1."""
    rows = [
        (month, sex, p, n)
        for month, accepted in zip(MONTHS, ACCEPTED, strict=True)
        for sex, of_sex in (("F", accepted), ("M", 50))
        for p, n in ((1, of_sex), (0, 100 - of_sex))
    ]
    frame = pl.DataFrame(rows, schema=["month", "sex", "p", "n"], orient="row")
    for each in dtypes:
        frame = frame.with_columns(pl.col("month").cast(each))
    return frame


@pytest.mark.parametrize(
    ("baseline", "references"),
    [
        ("previous", [None, 0.2, 0.1]),
        ("first", [None, 0.2, 0.2]),
        (MONTHS[1], [0.1, None, 0.1]),
    ],
)
def test_each_window_has_the_value_of_another_beside_it(
    baseline: Any, references: list[float | None]
) -> None:
    answer = pf.audit(monthly(), "dppl", by="month", baseline=baseline, **QUESTION)
    assert answer["value"].to_list() == pytest.approx([0.2, 0.1, -0.1])
    assert answer["reference"].to_list() == pytest.approx(references)
    for value, reference, difference in answer["value", "reference", "difference"].rows():
        expected = None if reference is None else pytest.approx(value - reference)
        assert difference == expected
    alone = answer.filter(pl.col("reference").is_null())
    assert alone.select("difference", "difference_lower", "change").row(0) == (None,) * 3
    lazy = pf.audit(monthly().lazy(), "dppl", by="month", baseline=baseline, **QUESTION)
    assert_frame_equal(lazy.collect(), answer)


@pytest.mark.parametrize("dtypes", [[pl.String], [pl.String, pl.Categorical], [pl.Datetime("ms")]])
def test_windows_of_any_type_have_an_order(dtypes: Any) -> None:
    expected = pf.audit(monthly(), "dppl", by="month", baseline="previous", **QUESTION)
    answer = pf.audit(monthly(*dtypes), "dppl", by="month", baseline="previous", **QUESTION)
    assert answer["reference"].to_list() == expected["reference"].to_list()
    first = pf.audit(monthly(*dtypes), "dppl", by="month", baseline="first", **QUESTION)
    assert first["reference"].to_list() == pytest.approx([None, 0.2, 0.2])


def test_an_enumeration_has_the_order_of_its_categories() -> None:
    quarters = pl.Enum(["spring", "autumn"])
    frame = monthly().filter(pl.col("month") < MONTHS[2])
    names = pl.when(month=MONTHS[0]).then(pl.lit("spring")).otherwise(pl.lit("autumn"))
    frame = frame.with_columns(month=names.cast(quarters))
    for baseline in ("previous", "first", "spring"):
        answer = pf.audit(frame, "dppl", by="month", baseline=baseline, **QUESTION)
        assert answer["month"].to_list() == ["spring", "autumn"]
        assert answer["reference"].to_list() == pytest.approx([None, 0.2])


def test_an_unknown_window_has_no_reference_and_is_none() -> None:
    frame = monthly().with_columns(
        month=pl.when(pl.col("month") > MONTHS[0]).then("month").alias("month")
    )
    answer = pf.audit(frame, "dppl", by="month", baseline="previous", **QUESTION)
    assert answer["reference"].to_list() == [None, pytest.approx(0.1), None]


def test_a_group_is_compared_with_the_highest_of_each_window() -> None:
    """F is compared with M in January, and with X in February."""
    january = predictions(F=(300, 700), M=(600, 400), X=(500, 500)).with_columns(month=1)
    february = predictions(F=(400, 600), M=(500, 500), X=(800, 200)).with_columns(month=2)
    frame, question = pl.concat([january, february]), QUESTION | {"favored": pf.HIGHEST}
    for answer in (
        pf.audit(frame, "di", by="month", baseline="previous", **question).filter(month=2),
        pf.audit(february, "di", baseline=january, baseline_count="n", **question),
    ):
        found = answer.select("disfavored", "favored", "value", "reference").rows()
        # In January X is compared with M, and M with no group.
        assert found == [
            ("F", "X", pytest.approx(4 / 8), pytest.approx(3 / 6)),
            ("M", "X", pytest.approx(5 / 8), None),
        ]
        assert answer["difference_upper"].is_null().to_list() == [False, True]


def test_scores_are_compared_with_those_of_the_highest_group_of_each_window() -> None:
    """The sum of a variance of each window: an AUC of 0.5 has n + m + 1 / 12nm (Mann, Whitney).

    For all pairs of three groups, 2.344 takes the place of 1.96: the studentized range over √2.
    """
    scores = [i / 100 for i in range(100)]
    groups = {1: {"F": 0.2, "M": 0.9, "X": 0.6}, 2: {"F": 0.2, "M": 0.6, "X": 0.9}}
    frame = pl.concat(
        pl.DataFrame({"score": scores, "y": [i % 2 for i in range(100)]}).with_columns(
            month=pl.lit(month), sex=pl.lit(sex), p=pl.col("score") < share
        )
        for month, shares in groups.items()
        for sex, share in shares.items()
    )
    question: dict[str, Any] = {"facet": "sex", "favored": pf.HIGHEST, "label": "y"}
    answer = pf.audit(
        frame,
        "auc_difference",
        by="month",
        predicted="p",
        score="score",
        baseline="previous",
        **question,
    ).row(by_predicate=(pl.col("month") == 2) & (pl.col("disfavored") == "F"), named=True)
    assert answer["difference"] == pytest.approx(0)
    width = answer["difference_upper"] - answer["difference_lower"]
    of_an_auc = sqrt((50 + 50 + 1) / (12 * 50 * 50))
    assert width == pytest.approx(2 * 2.344 * sqrt(4) * of_an_auc, rel=0.15)
