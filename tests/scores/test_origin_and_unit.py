"""What the origin and the unit of scores change, and what they leave alone."""

from __future__ import annotations

from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from tests.strategies import FULL, examples, frames

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "score": "s"}
RANKED: Final = ("auc_difference", "xauc_difference", "bpsn_auc", "bnsp_auc", "abroca", "auc_gap")
SCALED: Final = (
    *("score_difference", "balance_positive", "balance_negative", "score_wasserstein"),
    *("score_wasserstein_positive", "score_wasserstein_negative"),
)
STANDARD: Final = (*RANKED, "score_ks", "smd")


def values(frame: pl.DataFrame, *names: str, weight: str | None = None) -> list[dict[str, Any]]:
    answer = pf.metrics(frame, *names, **QUESTION, weight=weight)
    return answer.select(names).rows(named=True)


def close(rows: list[dict[str, Any]], tolerance: float, unit: float = 1) -> list[dict[str, Any]]:
    return [
        {
            name: None if value is None else pytest.approx(unit * value, rel=tolerance, abs=1e-12)
            for name, value in row.items()
        }
        for row in rows
    ]


@given(frames(), st.sampled_from([1.0, 1e3, 1e6]), st.sampled_from([None, "w"]))
@examples(15)
def test_scores_far_from_0_differ_as_much(
    frame: pl.DataFrame, origin: float, weight: str | None
) -> None:
    # In eighths, which floats add without rounding.
    eighths = frame.with_columns(s=(pl.col("s") * 8).round() / 8)
    moved = eighths.with_columns(pl.col("s") + origin)
    names = (*STANDARD, *SCALED)
    expected = values(eighths, *names, weight=weight)
    assert values(moved, *names, weight=weight) == close(expected, 1e-7)


def test_scores_turned_round_turn_every_rank() -> None:
    turned = FULL.with_columns(s=1 - pl.col("s"), y=~pl.col("y"))
    found, expected = values(turned, *RANKED), values(FULL, *RANKED)
    swapped = {"bpsn_auc": "bnsp_auc", "bnsp_auc": "bpsn_auc"}
    signs = {"xauc_difference": -1}
    for one, other in zip(found, expected, strict=True):
        for name in RANKED:
            value = signs.get(name, 1) * other[swapped.get(name, name)]
            assert one[name] == pytest.approx(value, abs=1e-12), name
