"""The section of the worst groups: expected numbers are worked out by hand."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.reporting.reports import BOTH, four_each, worst


def test_every_group_of_two_facets_is_ranked() -> None:
    report = pf.report(four_each(), "dppl", harm="both", **BOTH)
    # 8 of 16 were hired. Of the women 2 of 8: z² = 3.84146, n + z² = 11.84146;
    # (2 + 1.92073 ∓ 1.95996·√(2·6/8 + 0.96036)) / 11.84146.
    assert worst(report)[0] == [
        *("sex F", "8", "25.0 % (7.1 to 59.1 %)", "50.0 %"),
        *("0.500", "0.250", "0.1250", "below", "1"),
    ]
    # Alpha times beta: half of the rows at a distance of 1/4 are as bad as a quarter at 1/2.
    # Race b has 3 of 8 hired, a distance of 1/8. Men of either race: 1/4 of all rows, at 1/4.
    assert [(row[0], *row[-2:]) for row in worst(report)] == [
        ("sex F", "below", "1"),
        ("sex M", "above", "1"),
        ("sex F, race b", "below", "1"),
        ("race b", "below", "4"),
        ("race w", "above", "4"),
        ("sex M, race b", "above", "4"),
        ("sex M, race w", "above", "4"),
        ("sex F, race w", "equal", "8"),
    ]
    products = [row[-3] for row in worst(report)]
    assert products == ["0.1250"] * 3 + ["0.0625"] * 4 + ["0.0000"]
    text = report.to_markdown()
    assert "Alpha is the rows that the group's rate is about, as a share of all rows" in text
    assert "No metric over several facets was requested" in text
    assert "These are all groups: 8." in text
    assert "spsf/sex & race" not in report.to_dict()


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
