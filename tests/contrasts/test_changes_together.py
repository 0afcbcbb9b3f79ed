"""Changes that a page counts and a gate judges hold for all of them together."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
from scipy import stats

import polars_fairness as pf
from polars_fairness.answers.audit import audit_with_certainty
from polars_fairness.answers.contrasts import CERTAINTY, TOGETHER, with_changes_together

REACH: Final = stats.norm.ppf(0.975)
ALL: Final = pl.lit(value=True)


def by_holm(p_values: list[float]) -> list[bool]:
    """Whether each is small enough: the smallest beside 0.05/n, the next beside 0.05/(n - 1), …"""
    found = [False] * len(p_values)
    for place, i in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[i] > 0.05 / (len(p_values) - place):
            break
        found[i] = True
    return found


def together(z: np.ndarray[Any, Any]) -> list[str]:
    """The changes of values that moved by so many standard errors, away from their ideal."""
    words = np.where(z > REACH, "worse", np.where(z < -REACH, "better", "unclear"))
    rows = pl.DataFrame({"change": words, CERTAINTY: np.abs(z) / REACH})
    return with_changes_together(rows, 0.95, ALL)[TOGETHER].to_list()


def test_worse_and_better_hold_for_all_changes_together() -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        z = random.normal(0, 3, size=30)
        is_sure = by_holm([p if p < 0.05 else 1.0 for p in 2 * stats.norm.sf(abs(z))])
        assert any(is_sure)
        assert together(z) == [
            ("worse" if each > 0 else "better") if sure else "unclear"
            for each, sure in zip(z, is_sure, strict=True)
        ]


# Rates of 0.5, but for one facet that changed much and others by a little more than their reach.
MOVED: Final = {"v": 0.30, "w": 0.435, "x": 0.435, "y": 0.5, "z": 0.5}


def decisions(rates: dict[str, float], n: int) -> pl.DataFrame:
    return pl.DataFrame(
        [
            {facet: group, "p": p, "n": round(n * (rate if p else 1 - rate))}
            for facet, moved in rates.items()
            for group, rate in (("d", moved), ("a", 0.5))
            for p in (1, 0)
        ],
        {**dict.fromkeys(rates, pl.String), "p": pl.Int64, "n": pl.Int64},
    )


def beside_release(**more: Any) -> dict[str, Any]:
    question: dict[str, Any] = {
        "facet": [*MOVED],
        "disfavored": "d",
        "favored": "a",
        "predicted": "p",
    }
    question |= {"count": "n", "baseline_count": "n", "method": "newcombe"}
    return question | {"baseline": decisions(dict.fromkeys(MOVED, 0.5), 100_000)} | more


def test_a_single_change_stays_as_it_is() -> None:
    now = decisions(MOVED, 600)
    report = pf.report(now, "dppl", **beside_release(facet="w"))
    line = "of 1 value, 1 is worse (selection rate difference of the group d)."
    assert line in report.to_markdown()


def test_the_rule_of_clarify_is_no_test_and_stays() -> None:
    now = decisions(MOVED, 600)
    plan = audit_with_certainty(now, "dppl", **beside_release(drift="clarify"))
    answer = plan.lazy().collect()
    assert answer[CERTAINTY].null_count() == 5
    assert with_changes_together(answer, 0.95, ALL)[TOGETHER].equals(answer["change"])
