"""One comparison as the arrays that peers take, and the numbers that we give for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import polars_fairness as pf

from .frames import FRAMES

TOLERANCE: Final = 1e-12

UNWEIGHTED_AND_WEIGHTED: Final = pytest.mark.parametrize(
    "weighted", [False, True], ids=["unweighted", "weighted"]
)

Values = dict[str, float | None]
Ask = Callable[["Comparison"], float]


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

    @property
    def benefit(self) -> NDArray[np.int64]:
        """The benefit of each row: y' − y + 1."""
        return np.asarray(1 + self.column("predicted") - self.column("label"))


def comparisons(frame: pl.DataFrame) -> list[Comparison]:
    """Every value of the facet in turn against all other rows."""
    return [Comparison(frame, value) for value in frame["group"].unique().sort()]


@cache
def theirs(name: str, ask: Ask) -> Values:
    """A peer's number for each comparison of a frame, cached, since most peers are slow."""
    return {each.disfavored: number(ask(each)) for each in comparisons(FRAMES[name])}


def ours(name: str, metric: str, *, weighted: bool = False, zero: float | None = None) -> Values:
    """Our numbers for the same comparisons."""
    answers = _answers(name, weighted=weighted, zero=zero)
    return {side: values[metric] for side, values in answers.items()}


def ours_of_grades(name: str, metric: str, *, weighted: bool = False) -> Values:
    """Our numbers for the same comparisons, of the label of four values."""
    weight = "weight" if weighted else None
    question: dict[str, Any] = {"facet": "group", "label": "grade", "weight": weight}
    return {
        each.disfavored: pf.metrics(each.frame, metric, disfavored=each.disfavored, **question)[
            metric
        ].item()
        for each in comparisons(FRAMES[name])
    }


def our_value(name: str, metric: str, *, weighted: bool = False, zero: float | None = None) -> Any:
    """Our one number for all groups of a frame."""
    # Sums of weights differ in a last digit from call to call.
    value, *_ = ours(name, metric, weighted=weighted, zero=zero).values()
    return value


@cache
def _answers(name: str, *, weighted: bool, zero: float | None) -> Mapping[str, Values]:
    question: dict[str, Any] = {
        "facet": "group",
        "label": "label",
        "predicted": "predicted",
        "score": "score",
        "subgroup": "branch",
        "weight": "weight" if weighted else None,
        "zero_division": zero,
    }
    # Each value is named: of two values and no side named, only the first would be side d.
    return {
        each.disfavored: pf.metrics(each.frame, disfavored=each.disfavored, **question).row(
            0, named=True
        )
        for each in comparisons(FRAMES[name])
    }


def number(value: float) -> float | None:
    """A peer's number, null where the peer has nan."""
    return None if math.isnan(value) else float(value)


def close(expected: Any) -> Any:
    """Equal but for the last digits, which the order of additions decides; null is null."""
    if isinstance(expected, Mapping):
        return {name: close(value) for name, value in expected.items()}
    return None if expected is None else pytest.approx(expected, rel=0, abs=TOLERANCE)
