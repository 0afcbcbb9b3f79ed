"""No interval depends on the order of rows, on how they are divided, or on who counts them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.test_numbers import quotes

# Every metric that the columns below allow and that has an interval, which is not drawn.
NAMES: Final = [
    name
    for name, metric in pf.CATALOGUE.items()
    if metric.adds_up_numbers or metric.parsed.level.name == "at equal controls"
]
QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "estimated": "price",
    "observed": "claim",
    "label": "late",
    "predicted": "offered",
    "controls": ["branch", "years"],
    "subgroup": "region",
}
SHOWN: Final = ("metric", "value", "lower", "upper", "p_value")


def policies(rows: int = 600) -> pl.DataFrame:
    """Quotes with controls and decisions, all of them numbers of few digits."""
    draw, frame = np.random.default_rng(5), quotes(rows)
    return frame.with_columns(
        pl.col("price", "claim").round(2) + 0.01,
        region=pl.Series(draw.choice(["east", "west"], rows)),
        years=pl.Series(draw.integers(0, 4, rows)),
        late=pl.Series(draw.random(rows) < 0.2),
        offered=pl.Series(draw.random(rows) < 0.6),
        k=pl.Series(draw.integers(0, 4, rows)),
    )


def intervals(rows: Any, **more: Any) -> pl.DataFrame:
    audit = pf.audit(rows, NAMES, p_values="exact", **{**QUESTION, **more})
    return pl.DataFrame(audit).select(SHOWN)


@pytest.mark.extras
@pytest.mark.parametrize("more", [{}, {"count": "k", "weight": "w"}])
def test_order_shards_and_engines_change_no_end(more: dict[str, Any]) -> None:
    import duckdb

    frame = policies()
    question: dict[str, Any] = {**QUESTION, **more}
    expected, counted = intervals(frame, **more), {**more, "count": "n"}
    without = expected.filter(pl.col("lower").is_null())["metric"].to_list()
    assert without == ["correlation_difference", "r2_difference"]
    shards = pl.concat(pf.cells(frame[start::3], **question) for start in range(3))
    database = duckdb.connect()
    for rows, other in (
        (frame.sort("claim"), more),
        (shards.reverse(), counted),
        (database.from_arrow(frame.to_arrow()), more),
    ):
        found = intervals(rows, **other)
        assert_frame_equal(found, expected, rel_tol=1e-9, abs_tol=1e-9)


RACE: Final = pf.probabilities("race", {"Black": "p_black", "White": "p_white"})
ESTIMATED: Final[dict[str, Any]] = {
    "facet": RACE,
    "disfavored": "Black",
    "favored": "White",
    "label": "late",
    "predicted": "offered",
    "subgroup": "region",
    "controls": "branch",
}
OF_SCORES: Final = {"score": "score", "resolution": 0.05}


def names_of(question: dict[str, Any]) -> list[str]:
    """Every metric that these columns allow."""
    given = {*question}
    return [
        name
        for name, metric in pf.CATALOGUE.items()
        if not metric.is_joint and {*metric.needs} <= given
    ]


@pytest.mark.extras
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"count": "k", "weight": "w"},
        {**OF_SCORES, "subgroup": None, "controls": None},
        {"subgroup": None, "controls": None, "facet": ["sex", RACE], "disfavored": None},
    ],
    ids=str,
)
def test_intervals_of_estimated_groups_do_not_depend_on_the_order_either(
    more: dict[str, Any],
) -> None:
    import duckdb

    draw, frame = np.random.default_rng(9), policies()
    black = draw.beta(0.7, 1.2, frame.height).round(2)
    white = ((1 - black) * draw.choice([1.0, 0.8], frame.height)).round(2)
    scores = draw.integers(0, 101, frame.height) / 100
    frame = frame.with_columns(
        p_black=pl.Series(black), p_white=pl.Series(white), score=pl.Series(scores)
    )
    question = {name: each for name, each in {**ESTIMATED, **more}.items() if each is not None}
    question |= {"favored": None} if "disfavored" not in question else {}
    names, counted = names_of(question), {**question, "count": "n"}

    def ends(rows: Any, asked: dict[str, Any]) -> pl.DataFrame:
        audit = pl.DataFrame(pf.audit(rows, names, replicates=20, **asked))
        return audit.select("estimator", "facet", *SHOWN[:-1])

    expected = ends(frame, question)
    assert expected["lower"].drop_nulls().len() > 30
    of_cells = {name: each for name, each in question.items() if name not in ("disfavored",)}
    of_cells.pop("favored", None)
    shards = pl.concat(pf.cells(frame[start::3], **of_cells) for start in range(3))
    database = duckdb.connect()
    for rows, asked in (
        (frame.sort("p_black"), question),
        (shards.reverse(), counted),
        (database.from_arrow(frame.to_arrow()), question),
    ):
        assert_frame_equal(ends(rows, asked), expected, rel_tol=1e-9, abs_tol=1e-9)


def test_an_interval_leaves_out_equal_sides_where_the_p_value_says_so() -> None:
    """Of both there is one answer, at two levels of confidence, in 25 small data sets."""
    frame = policies(1_500).with_columns(set=pl.int_range(1_500) // 60)
    question = {**QUESTION, "controls": "branch", "by": "set", "p_values": "exact"}
    for confidence in (0.8, 0.95):
        audit = pf.audit(frame, NAMES, confidence=confidence, **question)
        known = audit.drop_nulls(["p_value", "lower"])
        assert known["metric"].n_unique() == 9
        leaves_out = ~pl.col("ideal").is_between("lower", "upper")
        is_rare = pl.col("p_value") <= 1 - confidence
        assert known.filter(leaves_out != is_rare).is_empty()
