"""What polars prints of a wide answer: its first and last four columns."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import polars_fairness as pf

QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "admitted", "count": "n"}
GROUPS: dict[str, Any] = {**QUESTION, "facet": ["sex", "department"]}


@pytest.mark.parametrize(
    ("answer", "printed"),
    [
        (
            lambda rows: pf.audit(rows, "di", "dppl", disfavored="Female", **QUESTION),
            "facet disfavored favored metric … value lower upper verdict",
        ),
        (lambda rows: pf.rates(rows, **QUESTION), "facet value n selection_rate … tp fp fn tn"),
        (
            lambda rows: pf.worst_groups(rows, "spsf", **GROUPS),
            "group sex department n … rate_of_all rate direction rank",
        ),
    ],
    ids=["audit", "rates", "worst_groups"],
)
def test_an_answer_prints_what_is_asked_most(answer: Any, printed: str) -> None:
    with pl.Config() as settings:
        settings.restore_defaults()
        names = str(answer(pf.datasets.berkeley())).splitlines()[2]
    assert names.replace("│", "").replace("┆", "").split() == printed.split()
