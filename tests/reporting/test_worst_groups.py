"""The section of the worst groups: expected numbers are worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import BOTH, four_each


def first_lines(report: pf.Report) -> str:
    return report.to_markdown().split("\n## ", 1)[0]


def test_a_tiny_group_of_several_facets_is_not_the_worst_by_chance() -> None:
    """Of race x there is one woman, not hired: her interval reaches to 79 % (Wilson)."""
    many = pl.concat([four_each()] * 50)
    tiny = pl.DataFrame({"sex": ["F", "M"], "race": ["x", "x"], "hired": [0, 1]})
    many = many.with_columns(
        hired=pl.when(sex="F", race="b")
        .then(pl.int_range(pl.len()) % 10 == 0)
        .otherwise(pl.col("hired") == 1)
        .cast(pl.Int64)
    )
    text = first_lines(pf.report(pl.concat([many, tiny]), "dppl", **BOTH))
    assert "sex F &amp; race b (200 rows) fares worst" in text


def test_a_group_of_unknown_values_is_not_the_worst_on_the_first_page() -> None:
    """No woman of unknown race is hired."""
    unknown = four_each().with_columns(race=pl.col("race").replace("b", None))
    text = first_lines(pf.report(unknown, "dppl", **BOTH))
    # Of women of race w a half is hired, as of all rows.
    assert "fares worst" not in text


@pytest.mark.parametrize(("fewer", "more"), [("n", "s"), ("s", "n")])
def test_the_worst_group_of_all_sites_is_named_with_its_site(fewer: str, more: str) -> None:
    """Of women of race b none of 4 is hired in one site, and 1 of 4 in the other."""
    is_first = pl.int_range(pl.len()) == 0
    one_more = four_each().with_columns(hired=pl.when(is_first).then(1).otherwise("hired"))
    rows = pl.concat(
        [four_each().with_columns(site=pl.lit(fewer)), one_more.with_columns(site=pl.lit(more))]
    )
    text = first_lines(pf.report(rows, "dppl", by="site", confidence=None, **BOTH))
    named = f"site {fewer}, sex F &amp; race b (4 rows) fares worst: its selection rate is 0"
    assert f"Of groups by several facets, {named}" in text


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
    assert "Worst groups" not in one.to_markdown()
    assert one._repr_html_() == two._repr_html_()
