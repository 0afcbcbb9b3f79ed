"""Errors of the arguments of lending tables, at the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import people

pytestmark = pytest.mark.extras

QUESTION: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p"}
SCORED: dict[str, Any] = {"facet": "sex", "favored": "M", "score": "score"}


def table(**changed: Any) -> Any:
    return pf.lending.table(people().lazy(), **{**QUESTION, **changed})


def segments(**changed: Any) -> Any:
    frame = people().with_columns(segments=pl.lit("all"))
    return pf.lending.segments(frame.lazy(), **{**QUESTION, "subgroup": "branch", **changed})


def report(**changed: Any) -> Any:
    return pf.lending.report(people().lazy(), **{**QUESTION, **changed})


def quantiles(**changed: Any) -> Any:
    return pf.lending.quantiles(people().lazy(), **{**SCORED, **changed})


NO_REFERENCE = "favored: each group is compared with a reference, which was not given; give the"
SHARES = "shares above 0 and below 1, such as 0.1 for the best tenth"

MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: table(favored=None), NO_REFERENCE),
    (lambda: quantiles(favored=None), NO_REFERENCE),
    (
        lambda: table(facet=["sex", "race"], favored={"sex": "M"}),
        r"favored: each group is compared with a reference, and there is none for 'race'; add it",
    ),
    (lambda: table(subgroup="race"), "subgroup: lending.table has no segments; give by= for the"),
    (
        lambda: quantiles(subgroup="race"),
        r"subgroup: lending.quantiles has no segments; .*, or call lending\.segments",
    ),
    (
        lambda: table(favored="W", facet=None),
        "favored: is about the groups of a facet; give facet=",
    ),
    (lambda: table(predicted=None), "predicted: lending.table needs it, and it was not given"),
    (
        lambda: table(predicted=None, score="score"),
        "threshold: lending.table needs decisions; give it to make them from the score",
    ),
    (
        lambda: pf.lending.table(people().with_columns(pl.col("p").cast(pl.String)), **QUESTION),
        r"positive: lending.table needs to know which values of 'p' \(String\) count as positive",
    ),
    (
        lambda: table(minimum_ratio=1.25),
        r"minimum_ratio: takes a number between 0 and 1, got 1\.25",
    ),
    (
        lambda: table(minimum_ratio="4/5"),
        "minimum_ratio: takes a number between 0 and 1, got '4/5'",
    ),
    (lambda: table(maximum_points=-1), "maximum_points: takes a number between 0 and 100, got -1"),
    (
        lambda: table(maximum_points=101),
        "maximum_points: takes a number between 0 and 100, got 101",
    ),
    (lambda: table(significance=None), "significance: takes a number between 0 and 1, got None"),
    (lambda: table(significance=float("nan")), "significance: takes a number between 0 and 1, got"),
    (lambda: table(significance=True), "significance: takes a number between 0 and 1, got True"),
    (
        lambda: table(deviation="all"),
        "deviation: takes 'pooled' or 'population', got 'all'",
    ),
    (
        lambda: table(deviation="population"),
        "deviation: 'population' is the deviation of scores, and there are none; give score=, or",
    ),
    (
        lambda: table(favored=pf.OVERALL, score="score"),
        "deviation: 'pooled' is the deviation within both groups, and pf.OVERALL holds the rows",
    ),
    (
        lambda: table(favored=pf.OVERALL, weight="w"),
        "favored: with weight= the p-value needs sides without rows in common, and pf.OVERALL",
    ),
    (lambda: table(p_values=None), "p_values: takes 'exact', 'holm' or 'bh', got None"),
    (lambda: table(p_values="fdr"), "p_values: takes 'exact', 'holm' or 'bh', got 'fdr'"),
    (lambda: table(confidence=95), "confidence: takes a number between 0 and 1, such as 0.95"),
    (lambda: table(method="log"), "method: no such argument of lending.table"),
    (lambda: table(shares=[0.1]), "shares: no such argument of lending.table"),
    (
        lambda: table(by=pl.col("branch").alias("air")),
        "by: the result has a column called 'air' already; give this column another name",
    ),
    (
        lambda: quantiles(by=pl.col("branch").alias("share")),
        "by: the result has a column called 'share' already; give this column another name",
    ),
    (
        lambda: quantiles(score=None),
        "score: lending.quantiles accepts the best rows by score, which",
    ),
    (
        lambda: quantiles(predicted="p"),
        "predicted: the scores of score= decide who is accepted; leave one of the two out",
    ),
    (
        lambda: quantiles(score=None, predicted="p"),
        "predicted: 'p' is Boolean, and thresholds are compared with numbers; give score= in its",
    ),
    (lambda: quantiles(score="race"), "score: 'race' is String, not a number; name a column of"),
    (
        lambda: quantiles(threshold=0.5),
        "threshold: no such argument of lending.quantiles; the shares decide which scores are",
    ),
    (lambda: quantiles(shares=[]), f"shares: got an empty list; give {SHARES}"),
    (lambda: quantiles(shares=[0.5, 1]), rf"shares: takes {SHARES}, got 1\.0"),
    (lambda: quantiles(shares=0), rf"shares: takes {SHARES}, got 0\.0"),
    (lambda: quantiles(shares=[-0.1, 10]), rf"shares: takes {SHARES}, got -0\.1 and 10\.0"),
    (lambda: quantiles(shares="every"), f"shares: takes {SHARES}, got 'every'"),
    (lambda: quantiles(shares=[[0.1]]), rf"shares: takes {SHARES}, got \[0\.1\]"),
    (lambda: quantiles(shares=None), f"shares: takes {SHARES}, got None"),
    (lambda: segments(subgroup=None), "subgroup: lending.segments needs it, and it was not given"),
    (lambda: segments(favored=None), NO_REFERENCE),
    (lambda: segments(favored=pf.OVERALL), "favored: pf.OVERALL holds the rows of d too"),
    (
        lambda: segments(predicted=None, label="y"),
        "predicted: lending.segments needs it, and it was not given",
    ),
    (lambda: segments(p_values="bonferroni"), "p_values: takes 'exact', 'holm' or 'bh', got"),
    (lambda: segments(replicates=10), "replicates: no such argument of lending.segments"),
    (lambda: segments(by="segments"), "by: .*segments"),
    (lambda: segments(confidence=95), "confidence: "),
    (lambda: report(favored=None), NO_REFERENCE),
    (lambda: report(detail="full"), "detail: no such argument of lending.report; "),
    (lambda: report().to_markdown(title=""), "title: takes text"),
    (lambda: report(title="T"), "title: no such argument of lending.report"),
    (
        lambda: report(subgroup=pl.col("branch").alias("rate")),
        "subgroup: by: .* 'rate' already",
    ),
    (lambda: quantiles(minimum_ratio=0.8), "minimum_ratio: no such argument of lending.quantiles"),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_a_wrong_argument_is_refused_with_what_it_takes(
    call: Callable[[], Any], message: str
) -> None:
    with pytest.raises(pf.FairnessError, match=f"^{message}"):
        call()


def test_a_score_that_is_missing_is_an_error_or_drops_the_row() -> None:
    frame = people().with_columns(score=pl.when(pl.col("branch") != "north").then("score"))
    with pytest.raises(pf.FairnessError, match="score: missing values: 'score' has 171"):
        pf.lending.quantiles(frame, **SCORED)
    answer = pf.lending.quantiles(frame, **SCORED, nulls="drop", confidence=None)
    assert answer["rows_dropped"].unique().to_list() == [frame["score"].null_count()]
