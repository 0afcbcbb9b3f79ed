"""A confusion matrix of each group, of any number of classes."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "label": "needed", "predicted": "given"}


def visits(seed: int = 0, rows: int = 300) -> pl.DataFrame:
    """Made-up levels with weights, windows and nulls; the label is never the third."""
    chance = random.Random(seed)
    columns: dict[str, list[Any]] = {
        "sex": ["F", "M", None],
        "needed": ["now", "soon", None],
        "given": ["now", "soon", "later", None],
        "hour": ["day", "night"],
        "w": [0.25, 0.5, 1.25],
        "n": [0, 1, 4],
        "score": [0.1, 0.5, 0.9],
    }
    return pl.DataFrame(
        {key: [chance.choice(of) for _ in range(rows)] for key, of in columns.items()}
    )


@pytest.mark.parametrize("weights", [(), ("w",), ("n",), ("w", "n")])
def test_matrices_are_those_counted_row_by_row(weights: tuple[str, ...]) -> None:
    rows = visits()
    given: dict[str, Any] = {{"w": "weight", "n": "count"}[each]: each for each in weights}
    found = pf.confusions(rows, nulls="drop", by="hour", **given, **QUESTION)
    counted: dict[tuple[Any, ...], Fraction] = defaultdict(Fraction)
    for row in rows.iter_rows(named=True):
        if row["needed"] is None or row["given"] is None or ("n" in weights and not row["n"]):
            continue
        # A weight is the total of the rows that a row stands for.
        mass = Fraction(row["w"]) if "w" in weights else row["n"] if "n" in weights else 1
        for group in (("sex", row["sex"]), ("(all)", None)):
            counted[row["hour"], *group, row["needed"], row["given"]] += mass
    assert found.height == 2 * 4 * 2 * 3
    for *key, n, share in found.rows():
        of_class = sum(each for other, each in counted.items() if other[:4] == tuple(key[:4]))
        assert n == pytest.approx(float(counted[tuple(key)]), abs=1e-12)
        assert share == pytest.approx(float(counted[tuple(key)] / of_class), abs=1e-12)
    assert sum(found.filter(facet="sex")["n"]) == pytest.approx(float(sum(counted.values())) / 2)


def test_two_classes_are_the_counts_of_rates() -> None:
    rows = visits().drop_nulls()
    matrix = pf.confusions(rows, positive="now", **QUESTION)
    rates = pf.rates(rows, positive="now", **QUESTION)
    for (label, predicted), count in zip(
        [(True, True), (False, True), (True, False), (False, False)],
        ["tp", "fp", "fn", "tn"],
        strict=True,
    ):
        of_cell = matrix.filter(label=label, predicted=predicted)
        assert of_cell["n"].to_list() == rates[count].to_list()
    of_tp = matrix.filter(label=True, predicted=True)
    assert_frame_equal(of_tp.select("share"), rates.select(share="tpr"))
