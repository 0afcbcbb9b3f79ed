"""A call with several thresholds equals the concatenation of calls with one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import shared
from tests.reference import as_typed, rounded_down
from tests.strategies import SCORES, examples, frames

Ask = Callable[..., pl.DataFrame]

THRESHOLDS: Final = st.lists(
    st.sampled_from([*SCORES, -1.0, 0.3, 0.4, 2.0]), min_size=1, max_size=4, unique=True
)
WEIGHTS: Final = st.sampled_from([{}, {"weight": "w"}, {"count": "k"}])
WINDOWS: Final = st.sampled_from([[], ["u"]])
DECIDED: Final = st.sampled_from(["score", "predicted"])
RESOLUTION: Final = 0.001
"""Each of `SCORES` but two is a multiple of it."""

QUESTION: Final[dict[str, Any]] = {"label": "y", "subgroup": "branch"}
SEVERAL_FACETS: Final[dict[str, Any]] = {**QUESTION, "facet": ["sex", "v"]}

few = examples(15)


def one_by_one(
    ask: Ask, frame: pl.DataFrame, thresholds: Sequence[float], by: list[str], **question: Any
) -> pl.DataFrame:
    """The answers of calls with one threshold, laid out as those of a call with several."""
    answers = [
        ask(frame, by=by, threshold=each, **question).select(
            *by, pl.lit(each, pl.Float64).alias("threshold"), pl.all().exclude(by)
        )
        for each in sorted(thresholds)
    ]
    return pl.concat(answers).sort(*by, "threshold", maintain_order=True)


RANKED: Final[dict[str, Any]] = {"facet": ["sex", "branch", "v"], "subgroup": None, "harm": "both"}
UNKNOWN: Final[dict[str, Any]] = {**SEVERAL_FACETS, "nulls": "drop", "subgroup": None}
# A function, its metrics, its question, and what orders its rows where last digits may.
CASES: Final[list[tuple[Ask, tuple[str, ...], dict[str, Any], list[str]]]] = [
    (pf.metrics, (), {}, []),
    (pf.rates, (), {}, []),
    (pf.audit, ("dppl", "di", "cddpl", "rd", "ge", "tpr_gap"), {"confidence": None}, []),
    (pf.audit, ("dppl", "rd"), {"method": "newcombe", "count": None, "weight": None}, []),
    (pf.decompose, ("cddpl",), {}, ["facet", "disfavored", "branch"]),
    *(
        (pf.worst_groups, (name,), RANKED, ["sex", "branch", "v"])
        for name in ("fpsf", "fnsf", "spsf")
    ),
    (pf.metrics, (), UNKNOWN, []),
    (pf.rates, (), UNKNOWN, []),
]


@pytest.mark.extras
@pytest.mark.parametrize("case", CASES, ids=lambda each: f"{each[0].__name__} {each[1]}")
@given(frames(), THRESHOLDS, WEIGHTS, WINDOWS, DECIDED)
@examples(20)
def test_several_thresholds_have_the_answers_of_each(
    case: tuple[Ask, tuple[str, ...], dict[str, Any], list[str]],
    frame: pl.DataFrame,
    thresholds: list[float],
    weight: Any,
    by: list[str],
    column: str,
) -> None:
    ask, metrics, question, order = case
    if question is UNKNOWN:
        # A score that is unknown in half of the rows is so at each threshold.
        unknown = {0.5: None, 1.0: float("nan")}
        frame = frame.with_columns(
            s=pl.when(pl.col("v").is_in([*unknown]))
            .then(pl.col("v").replace(unknown))
            .otherwise("s")
        )
    decided = column if ask in (pf.metrics, pf.rates) else "predicted"
    question = {**SEVERAL_FACETS, decided: "s", **weight, **question}

    def of(frame: pl.DataFrame, **more: Any) -> pl.DataFrame:
        answer: pl.DataFrame = shared(ask, frame, *metrics, **{**question, **more})
        return answer

    together = of(frame, by=by, threshold=thresholds)
    apart = one_by_one(of, frame, thresholds, by)
    if order:
        keys = [*by, "threshold", *order]
        together, apart = together.sort(keys), apart.sort(keys)
    assert_frame_equal(together, apart, rel_tol=1e-9, abs_tol=1e-12)


@given(frames(), WEIGHTS, WINDOWS, DECIDED)
@few
def test_every_threshold_is_each_distinct_score(
    frame: pl.DataFrame, weight: Any, by: list[str], column: str
) -> None:
    question = {**SEVERAL_FACETS, column: "s", **weight, "by": by}
    every = pf.metrics(frame, threshold="every", **question)
    each = pf.metrics(frame, threshold=frame["s"].unique().to_list(), **question)
    assert_frame_equal(every, each)


@given(frames(), st.sampled_from([0.25, 0.1, 0.01]), DECIDED)
@few
def test_every_threshold_is_each_multiple_of_the_resolution(
    frame: pl.DataFrame, resolution: float, column: str
) -> None:
    question = {**SEVERAL_FACETS, column: "s", "resolution": resolution}
    every = shared(pf.rates, frame, threshold="every", **question)
    scores = [as_typed(score) for score in frame["s"]]
    lowest, highest = (rounded_down(end, resolution) for end in (min(scores), max(scores)))
    step = as_typed(resolution)
    occur = [float(lowest + i * step) for i in range(round((highest - lowest) / step) + 1)]
    assert every["threshold"].unique().sort().to_list() == occur
    assert_frame_equal(every, shared(pf.rates, frame, threshold=occur, **question))


@given(frames(), WEIGHTS, WINDOWS, DECIDED)
@few
def test_decisions_are_the_same_with_a_resolution_that_holds_the_thresholds(
    frame: pl.DataFrame, weight: Any, by: list[str], column: str
) -> None:
    question = {**QUESTION, "facet": "sex", column: "s", **weight, "by": by}
    decided = ["dppl", "di", "rd", "cddpl", "tpr_gap", "ge", "spsf"]
    lines = [0.125, 0.29, 0.57, 0.999]
    fine, plain = (
        pf.metrics(frame, *decided, threshold=lines, resolution=resolution, **question)
        for resolution in (RESOLUTION, None)
    )
    assert_frame_equal(fine, plain, rel_tol=1e-9, abs_tol=1e-12)


def test_rows_in_any_order_have_equal_answers_to_the_last_digit() -> None:
    draw, rows = np.random.default_rng(3), 1_000
    frame = pl.DataFrame(
        {
            "g": draw.choice(["a", "b", "c"], rows),
            "y": draw.choice([True, False], rows),
            "s": draw.permutation(rows) / rows,
            "w": draw.uniform(size=rows),
        }
    )
    question: dict[str, Any] = {"facet": "g", "label": "y", "score": "s", "weight": "w"}
    for threshold in (None, [0.2, 0.5]):
        answers = [
            ask(frame.sample(fraction=1, shuffle=True, seed=seed), threshold=threshold, **question)
            for seed in range(4)
            for ask in (pf.rates, pf.metrics)
        ]
        assert all(each.equals(answers[i % 2]) for i, each in enumerate(answers))


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
def test_many_thresholds_without_a_common_step(dtype: type[pl.DataType]) -> None:
    thresholds = [each / 301 for each in range(302)]
    scores = pl.Series("s", [*thresholds, None, float("nan"), -1.0, 0.5, 2.0], dtype=dtype)
    frame = scores.to_frame().with_columns(g=pl.lit("a"))
    answer = pf.rates(frame, facet="g", predicted="s", threshold=thresholds, nulls="drop")
    of_group = answer.filter(facet="g")
    assert of_group["rows_dropped"].unique().to_list() == [2]
    known = scores.fill_nan(None).drop_nulls()
    expected = [(known >= pl.Series([each], dtype=dtype).item()).sum() for each in thresholds]
    assert (of_group["selection_rate"] * len(known)).round(6).to_list() == expected
