"""Facets stand in the order of the question, in every answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import fairness

ROWS: Final = pl.DataFrame(
    {
        # Not in the order of the alphabet.
        "sex": ["F", "M"] * 60,
        "race": ["b", "w", "w"] * 40,
        "age": ["old", "old", "young", "young"] * 30,
        "branch": ["x", "y", "x"] * 40,
        "month": [1, 2, 2, 2, 1, 1] * 20,
        "p": [0, 1, 1, 1, 0, 0, 1, 1] * 15,
        "y": [0, 1, 1, 0, 1] * 24,
        "s": [i / 120 for i in range(120)],
        "x": [i * i % 7 for i in range(120)],
    }
)
FACETS: Final = ["sex", "race", "age"]
FEW: Final[dict[str, Any]] = {"replicates": 20}
SHARES: Final = {
    "sex": {"F": 0.5, "M": 0.5},
    "race": {"b": 0.5, "w": 0.5},
    "age": {"old": 0.5, "young": 0.5},
}
ANSWERS: Final[dict[str, Callable[..., Any]]] = {
    "rates": lambda rows, **q: pf.rates(rows, predicted="p", **q),
    "rates in months": lambda rows, **q: pf.rates(rows, predicted="p", by="month", **q),
    "metrics": lambda rows, **q: pf.metrics(rows, "di", "dppl", predicted="p", **q),
    "one metric": lambda rows, **q: fairness(rows).di(predicted="p", **q),
    "audit": lambda rows, **q: pf.audit(rows, "di", "dppl", predicted="p", **FEW, **q),
    "audit of scores": lambda rows, **q: pf.audit(
        rows, "rd", label="y", score="s", threshold=0.5, **FEW, **q
    ),
    "confusions": lambda rows, **q: pf.confusions(rows, label="y", predicted="p", **q),
    "calibration": lambda rows, **q: pf.calibration(rows, label="y", score="s", **q),
    "representation": lambda rows, **q: pf.representation(rows, reference=SHARES, **q),
    "bounds": lambda rows, **q: pf.bounds(rows, "di", predicted="p", **q),
    "plan": lambda rows, **q: pf.plan(rows, "di", predicted="p", **q),
    "decompose": lambda rows, **q: pf.decompose(
        rows, "cddpl", predicted="p", subgroup="branch", **q
    ),
    "drivers": lambda rows, **q: pf.drivers(
        rows, "adjusted_difference", predicted="p", controls=["x"], **q
    ),
    "switches": lambda rows, **q: pf.switches(
        rows, predicted={"old": "p", "new": "y"}, champion="old", **q
    ),
    "lending": lambda rows, **q: pf.lending.table(
        rows, predicted="p", favored={"sex": "M", "race": "w", "age": "old"}, **FEW, **q
    ),
}


@pytest.mark.parametrize("facets", [FACETS, FACETS[::-1]], ids=["one way", "the other"])
@pytest.mark.parametrize("is_lazy", [False, True], ids=["eager", "lazy"])
@pytest.mark.parametrize("name", ANSWERS)
def test_facets_stand_in_the_order_of_the_question(
    name: str, is_lazy: bool, facets: list[str]
) -> None:
    answer = ANSWERS[name](ROWS.lazy() if is_lazy else ROWS, facet=facets).lazy().collect()
    windows = answer.partition_by("month") if "month" in answer.columns else [answer]
    for window in windows:
        found = window["facet"].unique(maintain_order=True).to_list()
        assert [each for each in found if each != "(all)"] == facets
        # Rows of one facet stand together, and those of all rows are the last.
        assert window["facet"].rle_id().max() == len(found) - 1
        assert "(all)" not in found[:-1]
