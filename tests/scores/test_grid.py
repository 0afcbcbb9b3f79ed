"""Scores rounded down to multiples: counts at a multiple are those of the rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from tests.frames import fairness
from tests.strategies import examples

RESOLUTIONS: Final = (0.01, 0.003, 0.25, 5)
# Decimals whose multiples and quotients floats miss by a last digit.
AWKWARD: Final = (
    0.29,
    0.57,
    0.1 + 0.2,
    1.15,
    0.58,
    0.07,
    4.35,
    1.005,
    -0.29,
    -1.15,
    17.55,
    0.0,
    -0.0,
)


def multiple(step: int, resolution: float) -> float:
    """The multiple as a user types it: 0.29, and not 29 * 0.01."""
    return float(step * Fraction(repr(resolution)))


def scores_near(resolution: float) -> st.SearchStrategy[float]:
    """Multiples, numbers a last digit beside them, awkward ones, and any others."""
    steps = st.integers(-300, 2_000)
    return st.one_of(
        steps.map(lambda step: multiple(step, resolution)),
        steps.map(lambda step: float(step * resolution)),
        st.sampled_from(AWKWARD),
        st.floats(-3, 20),
    )


def accepted(scores: pl.Series, **question: Any) -> dict[float, int]:
    """The number of rows that are accepted at each threshold."""
    frame = pl.DataFrame({"s": scores}).with_columns(g=pl.lit("x"))
    answer = pf.rates(frame, facet="g", predicted="s", **question)
    found = answer.filter(facet="g").select("threshold", pl.col("n") * pl.col("selection_rate"))
    return {threshold: round(n) for threshold, n in found.rows()}


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@given(data=st.data())
@examples(30)
def test_a_count_at_a_multiple_is_that_of_the_rows(resolution: float, data: Any) -> None:
    scores = pl.Series(data.draw(st.lists(scores_near(resolution), min_size=1, max_size=30)))
    steps = data.draw(st.lists(st.integers(-300, 2_000), min_size=1, max_size=5, unique=True))
    lines = [multiple(step, resolution) for step in steps]
    expected = {line: sum(score >= line for score in scores) for line in sorted(lines)}
    assert accepted(scores, threshold=lines) == expected
    assert accepted(scores, threshold=lines, resolution=resolution) == expected


@pytest.mark.parametrize("resolution", RESOLUTIONS)
@given(data=st.data())
@examples(20)
def test_a_cell_has_the_largest_multiple_that_is_not_above_its_rows(
    resolution: float, data: Any
) -> None:
    scores = data.draw(st.lists(scores_near(resolution), min_size=1, max_size=30))
    frame = pl.DataFrame({"g": "x", "s": scores})
    cells = pf.cells(frame, facet="g", score="s", resolution=resolution)
    expected: dict[float, int] = {}
    for score in scores:
        step = Fraction(repr(score)) // Fraction(repr(resolution))
        key = multiple(step, resolution)
        expected[key] = expected.get(key, 0) + 1
    assert dict(cells.select("s", "n").rows()) == expected
    assert cells["score_sum"].sum() == pytest.approx(sum(scores), rel=1e-12, abs=1e-9)
    squares = sum(score * score for score in scores)
    assert cells["score_sq"].sum() == pytest.approx(squares, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("line", [0.29, 0.57, 0.3, 1.15])
@pytest.mark.parametrize("resolution", [None, 0.01])
def test_short_floats_are_compared_as_polars_compares_them(
    line: float, resolution: float | None
) -> None:
    scores = pl.Series([0.29, 0.28999, 0.57, 0.3, 0.1 + 0.2, 1.15, 1.14999], dtype=pl.Float32)
    expected = {line: pl.select(pl.lit(scores) >= line).to_series().sum()}
    assert accepted(scores, threshold=[line], resolution=resolution) == expected
    together = accepted(scores, threshold=[line, 0.05, 0.9], resolution=resolution)
    assert together[line] == expected[line]


@given(
    st.lists(st.integers(-50, 50), min_size=1),
    st.lists(st.integers(-50, 50), min_size=1, max_size=4, unique=True),
    st.sampled_from([pl.Int8, pl.Int64, pl.Float32, pl.Decimal(10, 2), pl.Int128]),
    st.sampled_from([None, 1, 5, 0.25]),
)
@examples(40)
def test_scores_of_other_types(
    numbers: list[int], lines: list[int], dtype: Any, resolution: float | None
) -> None:
    scores = pl.Series(numbers).cast(dtype)
    unit = 5 if resolution == 5 else 1
    expected = {unit * line: sum(n >= unit * line for n in numbers) for line in sorted(lines)}
    given_lines = [unit * line for line in lines]
    assert accepted(scores, threshold=given_lines, resolution=resolution) == expected


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Float64])
@pytest.mark.parametrize("lines", [[0.3], [0.3, 0.6], [0.3, 0.5], [0.3, 0.37], [0.7], [-3, 6, 9e9]])
def test_infinite_scores_are_above_or_below_every_threshold(lines: list[float], dtype: Any) -> None:
    scores = pl.Series([float("-inf"), -1e30, 0.5, 1e30, float("inf")], dtype=dtype)
    expected = {line: sum(score >= line for score in scores) for line in lines}
    assert accepted(scores, threshold=lines) == expected


@pytest.mark.parametrize("resolution", [0.01, 0.1, 0.25, 5])
@given(data=st.data())
@examples(20)
def test_sums_of_errors_of_rounded_scores_are_at_most_the_exact_ones(
    resolution: float, data: Any
) -> None:
    groups, labels = st.sampled_from("FM"), st.booleans()
    scores = st.integers(0, 1_000).map(lambda step: step / 1_000)
    rows = data.draw(st.lists(st.tuples(groups, labels, scores), min_size=1, max_size=30))
    frame = pl.DataFrame(
        rows, schema={"g": pl.String, "y": pl.Boolean, "s": pl.Float64}, orient="row"
    )
    question: dict[str, Any] = {"facet": "g", "label": "y", "score": "s"}
    answers = (
        (
            pf.rates(frame, **each).select("ecce", "ecce_sigma"),
            fairness(frame).miscalibration(**each),
        )
        for each in (question, question | {"resolution": resolution})
    )
    (exact, largest), (rounded, largest_rounded) = answers
    for found, most in zip(rounded.rows(), exact.rows(), strict=True):
        for one, other in zip(found, most, strict=True):
            assert one is None or one <= other * (1 + 1e-9) + 1e-9
    assert largest_rounded["miscalibration"].item() <= largest["miscalibration"].item() + 1e-9


@pytest.mark.parametrize("line", [0.3, 0.7, 0.1])
@pytest.mark.parametrize("resolution", [None, 0.1])
def test_cells_of_short_floats_are_compared_as_their_rows(
    line: float, resolution: float | None
) -> None:
    # As short floats 0.3 and 0.7 are at least the threshold, as long ones 0.7 is below it.
    rows = pl.DataFrame({"s": pl.Series([0.1, 0.3, 0.7], dtype=pl.Float32)})
    expected = (rows["s"] >= line).mean()
    question: dict[str, Any] = {"score": "s", "resolution": resolution}
    cells = pf.cells(rows, **question)
    for threshold in (line, [line], [line, 0.5], "every"):
        answer = pf.rates(cells, **question, threshold=threshold, count="n")
        if threshold != line:
            answer = answer.filter((pl.col("threshold") - line).abs() < 1e-6)
        assert answer["selection_rate"].to_list() == [expected]


FOUR: Final = pl.DataFrame({"s": [0.29, 0.66, 0.71, 0.92], "w": [0.5, 1.0, 0.25, 1.25]})


def test_every_threshold_on_rounded_cells_is_a_score_of_theirs() -> None:
    cells = pf.cells(FOUR, score="s", resolution=0.1)
    every = pf.rates(cells, score="s", count="n", threshold="every")
    assert every.select("threshold", "selection_rate").rows() == [
        (0.2, 1.0),
        (0.6, 0.75),
        (0.7, 0.5),
        (0.9, 0.25),
    ]
