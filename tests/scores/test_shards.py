"""Cells of scores: those of shards add up, and answer what the rows answer."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import polars.selectors as cs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import shared
from tests.strategies import examples, frames

KEYS: Final[dict[str, Any]] = {
    "facet": ["sex", "v"],
    "label": "y",
    "subgroup": "branch",
    "score": "s",
    "by": "u",
}
RESOLUTIONS: Final = st.sampled_from([None, 0.25, 0.01, 0.003])
THRESHOLDS: Final = st.sampled_from([None, [0.0, 0.75], "every", 0.75])

few = examples(25)


@given(frames(), RESOLUTIONS, THRESHOLDS, st.sampled_from([None, "w"]), st.integers(1, 4))
@few
def test_cells_of_shards_answer_what_the_rows_answer(
    frame: pl.DataFrame, resolution: float | None, threshold: Any, weight: str | None, shards: int
) -> None:
    question = {**KEYS, "resolution": resolution, "weight": weight, "threshold": threshold}
    undecided = question | {"threshold": None}
    counted = [pf.cells(frame[i::shards], **undecided) for i in range(shards)]
    cells = pl.concat(counted)
    assert cells.height >= counted[0].height
    for ask in (pf.metrics, pf.rates):
        by_rows = shared(ask, frame, **question)
        by_cells = shared(ask, cells, **question, count="n")
        assert_frame_equal(by_cells, by_rows, rel_tol=1e-9, abs_tol=1e-11)
        if resolution is None or threshold is not None:
            continue
        # Cells stay rounded without the resolution, but then their bins are not known.
        once_more = shared(ask, cells, **(question | {"resolution": None}), count="n")
        in_bins = cs.by_name("ece", "ece_gap", require_all=False)
        assert_frame_equal(
            once_more.drop(in_bins), by_rows.drop(in_bins), rel_tol=1e-9, abs_tol=1e-11
        )


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
