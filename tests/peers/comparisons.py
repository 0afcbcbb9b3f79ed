"""One comparison as the arrays that peers take, and the numbers that we give for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import polars_fairness as pf
from tests.frames import shared

from .frames import FRAMES

TOLERANCE: Final = 1e-12

UNWEIGHTED_AND_WEIGHTED: Final = pytest.mark.parametrize(
    "weighted", [False, True], ids=["unweighted", "weighted"]
)

Values = dict[str, float | None]


@dataclass(frozen=True)
class Comparison:
    """Side d, one value of the facet, against side a, all other rows."""

    frame: pl.DataFrame
    disfavored: str

    def column(self, name: str) -> NDArray[Any]:
        return self.frame[name].to_numpy()

    @property
    def in_d(self) -> NDArray[np.bool_]:
        return np.asarray(self.column("group") == self.disfavored)

    @property
    def in_a(self) -> NDArray[np.bool_]:
        return ~self.in_d

    @property
    def label(self) -> NDArray[np.bool_]:
        return np.asarray(self.column("label") == 1)

    @property
    def predicted(self) -> NDArray[np.bool_]:
        return np.asarray(self.column("predicted") == 1)

    @property
    def score(self) -> NDArray[np.float64]:
        return self.column("score")


def comparisons(frame: pl.DataFrame) -> list[Comparison]:
    """Every value of the facet in turn against all other rows."""
    return [Comparison(frame, value) for value in frame["group"].unique().sort()]


@cache
def ours(name: str, metric: str, *, weighted: bool = False) -> Values:
    """Our number for each comparison of a frame."""
    question: dict[str, Any] = {"facet": "group", "label": "label", "predicted": "predicted"}
    question |= {"score": "score", "subgroup": "branch", "weight": "weight" if weighted else None}
    # Each value is named: of two values and no side named, only the first would be side d.
    return {
        each.disfavored: shared(
            pf.metrics, each.frame, metric, disfavored=each.disfavored, **question
        )[metric].item()
        for each in comparisons(FRAMES[name])
    }


def close(expected: Any) -> Any:
    """Equal but for the last digits, which the order of additions decides; null is null."""
    if isinstance(expected, Mapping):
        return {name: close(value) for name, value in expected.items()}
    return None if expected is None else pytest.approx(expected, rel=0, abs=TOLERANCE)
