"""Groups of several facets, and the lowest of them: expected numbers are worked out by hand."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.reference.wilson import wilson
from tests.reporting.reports import BOTH, four_each

# Of one of five intervals that hold together at 95 %.
OF_FIVE: Final = NormalDist().inv_cdf(1 - 0.05 / 5 / 2)


def first_lines(report: pf.Report) -> str:
    return report.to_markdown().split("\n## ", 1)[0]


def test_a_group_of_few_rows_is_named_beside_the_lowest() -> None:
    """Of race x 2 of 40 women are hired: a lower rate than 10 %, and a wider interval."""
    many = pl.concat([four_each()] * 50)
    tiny = pl.DataFrame(
        {"sex": ["F"] * 40 + ["M"], "race": ["x"] * 41, "hired": [1, 1] + [0] * 38 + [1]}
    )
    many = many.with_columns(
        hired=pl.when(sex="F", race="b")
        .then(pl.int_range(pl.len()) % 10 == 0)
        .otherwise(pl.col("hired") == 1)
        .cast(pl.Int64)
    )
    text = first_lines(pf.report(pl.concat([many, tiny]), "dppl", **BOTH))
    low, high = wilson(20 / 200, 200, OF_FIVE)
    assert (
        "By the upper end of the interval of the selection rate, the lowest group of 30 rows "
        "or more is F &amp; b: "
        f"10.0\u202f% ({100 * low:.1f} to {100 * high:.1f}\u202f%), against " in text
    )
    _, most = wilson(2 / 40, 40, OF_FIVE)
    assert (
        "F &amp; x (5.0\u202f% of 40) has a lower rate here, but so few rows that the true rate "
        f"may be as high as {100 * most:.1f}\u202f%." in text
    )


def test_a_group_of_unknown_values_is_not_ranked() -> None:
    """No woman of unknown race is hired."""
    unknown = pl.concat([four_each()] * 50).with_columns(race=pl.col("race").replace("b", None))
    text = first_lines(pf.report(unknown, "dppl", **BOTH))
    # Of women of race w a half is hired, as of all rows.
    assert "No group by sex and race has a selection rate that differs significantly" in text


def test_groups_of_few_rows_are_not_ranked() -> None:
    text = first_lines(pf.report(four_each(), "dppl", **BOTH))
    assert "No group by sex and race has 30 rows or more, so none is ranked." in text


@pytest.mark.parametrize(("fewer", "more"), [("n", "s"), ("s", "n")])
def test_the_lowest_group_of_all_sites_is_named_with_its_site(fewer: str, more: str) -> None:
    """Of women of race b none of 200 is hired in one site, and 50 of 200 in the other."""
    is_first = pl.int_range(pl.len()) == 0
    one_more = four_each().with_columns(hired=pl.when(is_first).then(1).otherwise("hired"))
    parts = [
        four_each().with_columns(site=pl.lit(fewer)),
        one_more.with_columns(site=pl.lit(more)),
    ] * 50
    text = first_lines(pf.report(pl.concat(parts), "dppl", by="site", **BOTH))
    assert f"the lowest group is F &amp; b (site {fewer}): 0.0\u202f%" in text


@pytest.mark.extras
@pytest.mark.parametrize(
    ("frame", "question"),
    [
        (four_each(), {"facet": "sex"}),
        (four_each(), {"facet": None, "label": "half"}),
        (four_each(), {"facet": [pl.struct("sex", "race").alias("both"), "half"]}),
        (four_each(), {"predicted": None, "label": "hired"}),
        (four_each().clear(), {}),
        (four_each().with_columns(hired=pl.lit(None, pl.Int64)), {"nulls": "drop"}),
        (four_each().with_columns(hired=pl.lit(None, pl.Int64)), {"nulls": "drop", "by": "half"}),
    ],
    ids=["one facet", "no facet", "intersection", "labels", "empty", "dropped", "by"],
)
def test_there_is_no_ranking_where_there_are_no_groups(frame: pl.DataFrame, question: Any) -> None:
    frame = frame.with_columns(half=pl.lit(1))
    one, two = (pf.report(frame, confidence=None, **(BOTH | question)) for _ in range(2))
    assert "## By sex and race" not in one.to_markdown()
    assert one._repr_html_() == two._repr_html_()
