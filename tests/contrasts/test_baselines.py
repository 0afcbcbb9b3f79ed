"""Audits that compare a frame with a baseline of other rows."""

from __future__ import annotations

from math import sqrt
from typing import Any

import polars as pl
import polars.selectors as cs
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.audit.questions import AUDITED
from tests.frames import people, predictions, shared

CONTRAST = ["reference", "difference", "difference_lower", "difference_upper", "change"]
QUESTION: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "label": "y",
    "predicted": "p",
    "subgroup": "branch",
    "replicates": 100,
}
WITH_SCORE = QUESTION | {"score": "score"}

SOME = AUDITED[::3]  # of all metrics there are golden numbers


def before() -> pl.DataFrame:
    """Other people, with another share of accepted ones."""
    rows = people(700).with_row_index("i")
    return rows.with_columns(p=pl.col("p") ^ (pl.col("i") % 9 == 2)).drop("i")


# Values


def test_value_and_reference_are_those_of_two_audits() -> None:
    answer = shared(pf.audit, people(), SOME, baseline=before(), **WITH_SCORE)
    here, there = (shared(pf.audit, frame, SOME, **WITH_SCORE) for frame in (people(), before()))
    assert answer.columns[-9:] == [*CONTRAST, "value", "lower", "upper", "verdict"]
    assert_frame_equal(answer.drop(CONTRAST), here)
    assert_frame_equal(answer.select(pl.col("reference").alias("value")), there.select("value"))
    assert_frame_equal(
        answer.select("difference"), (here["value"] - there["value"]).to_frame("difference")
    )


@pytest.mark.extras
def test_each_metric_has_a_reference_and_a_difference() -> None:
    question = WITH_SCORE | {"controls": "branch", "replicates": 20}
    # Ratios at equal controls need numbers above 0.
    question |= {"observed": (pl.col("score") * 2 + 1).alias("claim")}
    question |= {"estimated": (pl.col("score") + pl.col("p") + 1).alias("price")}
    answer = pf.audit(people(), list(pf.CATALOGUE), baseline=before(), **question)
    for metric in (pf.CATALOGUE[name] for name in pf.CATALOGUE):
        found = answer.filter(metric=metric.name).drop_nulls("value")
        assert found.height, metric.name
        assert not found["reference"].is_null().any(), metric.name
        assert not found["difference"].is_null().any(), metric.name
        if metric.has_interval:
            assert (found["difference_lower"] <= found["difference"]).all(), metric.name
            assert (found["difference"] <= found["difference_upper"]).all(), metric.name


def test_the_change_follows_from_the_distances_of_both_values() -> None:
    """Of 10,000 rows a side, rates have a standard error of half a percent at most."""

    def changes(here: tuple[int, int], there: tuple[int, int]) -> list[str]:
        now, then = (predictions(F=(f, 10_000 - f), M=(m, 10_000 - m)) for f, m in (here, there))
        question: dict[str, Any] = {
            "facet": "sex",
            "disfavored": "F",
            "predicted": "p",
            "count": "n",
        }
        answer = pf.audit(now, "dppl", "di", baseline=then, baseline_count="n", **question)
        assert answer["metric"].to_list() == ["dppl", "di"]
        return list(answer["change"])

    # dppl 0.2 after 0.1, di 0.6 after 0.8
    assert changes((3_000, 5_000), (4_000, 5_000)) == ["worse", "worse"]
    assert changes((4_000, 5_000), (3_000, 5_000)) == ["better", "better"]
    # dppl -0.2 after 0.1: on the other side of the ideal, and farther; di 1.67 after 0.8
    assert changes((5_000, 3_000), (4_000, 5_000)) == ["worse", "worse"]
    # dppl -0.2 after 0.2, as far from the ideal; di 5/3 after 3/5
    assert changes((5_000, 3_000), (3_000, 5_000)) == ["unclear", "unclear"]
    # dppl 0.01 after 0.012, di 0.98 after 0.976: both fair, and no farther or nearer for certain
    assert changes((4_900, 5_000), (4_880, 5_000)) == ["same", "same"]
    # dppl 0.1 after 0.2, and di 0.2 after 0.6: nearer in one way, farther in the other
    assert changes((250, 1_250), (3_000, 5_000)) == ["better", "worse"]


def test_a_difference_of_independent_rows_has_the_interval_of_a_sum_of_variances() -> None:
    """The normal approximation: 40,000 rows leave no other."""
    now, then = (
        predictions(F=(6_000, 4_000), M=(7_000, 3_000)),
        predictions(F=(5_500, 4_500), M=(6_500, 3_500)),
    )
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p", "count": "n"}
    answer = pf.audit(
        now, "dppl", baseline=then, baseline_count="n", replicates=20_000, **question
    ).row(0, named=True)
    assert answer["difference"] == pytest.approx(0, abs=1e-12)
    variances = (rate * (1 - rate) / 10_000 for rate in (0.6, 0.7, 0.55, 0.65))
    half = 1.96 * sqrt(sum(variances))
    assert answer["difference_upper"] == pytest.approx(half, rel=0.03)
    assert answer["difference_lower"] == pytest.approx(-half, rel=0.03)


# Independence


def test_frame_and_baseline_that_change_places_negate_differences() -> None:
    mirrored = {"worse": "better", "better": "worse", "same": "same", "unclear": "unclear"}
    now, then = people(900), before().with_columns(p=pl.col("p") & (pl.col("sex") == "M"))
    there = pf.audit(now, SOME, baseline=then, **QUESTION)
    back = pf.audit(then, SOME, baseline=now, **QUESTION)
    assert_frame_equal(there.select(-pl.col("difference")), back.select("difference"))
    expected = there["change"].replace_strict(mirrored, default=None)
    assert (expected == "worse").sum() > 10
    differ = expected.ne_missing(back["change"]).sum()
    # Other random numbers: a bound near 0 may lie on either side of it.
    assert differ <= 0.05 * len(expected)


# Cells, rows and laziness


# Windows, models and thresholds


def test_windows_match_by_their_values() -> None:
    now = people(300)  # the months 0, 1 and 2
    then = (
        before()
        .filter(pl.col("month").is_in([1, 2, 5]))
        .with_columns(pl.col("month").cast(pl.Int8))
    )
    answer = shared(pf.audit, now, "dppl", baseline=then, by="month", **QUESTION)
    alone = shared(pf.audit, then, "dppl", by="month", **QUESTION)
    assert answer["month"].to_list() == [0, 1, 2, 5]
    assert answer.schema["month"] == now.schema["month"]
    assert answer["reference"].to_list() == [None, *alone["value"]]
    assert answer["value"].is_null().to_list() == [False, False, False, True]
    assert answer[0].select(CONTRAST).row(0) == (None,) * 5


def test_all_of_a_baseline_without_windows_is_the_reference_of_each() -> None:
    answer = shared(
        pf.audit, people(300), "dppl", baseline=before().drop("month"), by="month", **QUESTION
    )
    [value] = shared(pf.audit, before(), "dppl", **QUESTION)["value"]
    assert answer["reference"].to_list() == [value] * 3
    for by in ([cs.starts_with("mon")], pl.col("month")):
        again = shared(
            pf.audit, people(300), "dppl", baseline=before().drop("month"), by=by, **QUESTION
        )
        assert_frame_equal(again, answer)
    truncated = pl.col("month") // 2
    answer = shared(
        pf.audit,
        people(300),
        "dppl",
        baseline=before().drop("month"),
        by=["sex", truncated],
        **(QUESTION | {"facet": "race", "disfavored": "Black"}),
    )
    by_sex = shared(
        pf.audit,
        before(),
        "dppl",
        by="sex",
        **(QUESTION | {"facet": "race", "disfavored": "Black"}),
    )
    expected = dict(by_sex.select("sex", "value").iter_rows())
    assert answer.height == 4
    assert answer["reference"].to_list() == [expected[sex] for sex in answer["sex"]]


@pytest.mark.extras
def test_holm_adjusts_the_p_values_of_the_frame_alone() -> None:
    """Two tests: the smaller p-value is doubled. With those of the baseline there would be four."""
    now = predictions(F=(38, 62), M=(50, 50), X=(60, 40))
    question: dict[str, Any] = {
        "facet": "sex",
        "favored": "M",
        "predicted": "p",
        "count": "n",
        "rule": "significant",
        "replicates": 20,
    }
    exact, plain, answer = (
        pf.audit(now, "di", **(question | more))
        for more in (
            {"p_values": "exact"},
            {"p_values": "holm"},
            {"p_values": "holm", "baseline": now, "baseline_count": "n"},
        )
    )
    adjusted, smallest = (min(audit["p_value"].to_list()) for audit in (answer, exact))
    assert adjusted == pytest.approx(2 * smallest)
    assert_frame_equal(answer.drop(CONTRAST), plain)


# Types


def test_a_window_that_the_type_of_the_frame_cannot_hold_is_no_reference() -> None:
    kinds = pl.Enum(["north", "south"])
    now = people().drop_nulls("branch").with_columns(pl.col("branch").cast(kinds))
    then = before().with_columns(pl.col("branch").fill_null("east"))
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p", "by": "branch"}
    answer = pf.audit(now, "dppl", baseline=then, **question)
    assert answer["branch"].to_list() == ["north", "south", None]
    assert answer.schema["branch"] == kinds
    values = dict(pf.audit(then, "dppl", **question).select("branch", "value").rows())
    references = [values[branch] for branch in ("north", "south", "east")]
    assert answer["reference"].to_list() == references
    assert answer["value"].is_null().to_list() == [False, False, True]


# Reports


def test_a_frame_of_cells_stands_beside_a_baseline_of_rows() -> None:
    """Sums that its cells have are no columns of the rows."""
    scored: dict[str, Any] = {"score": "score", "resolution": 0.1, "label": "y", "weight": "w"}
    cells = pf.cells(people(), facet="sex", **scored).rename({"n": "rows"})
    how = {"facet": "sex", "disfavored": "F", "replicates": 10, **scored}
    of_cells = pf.audit(cells, baseline=before(), count="rows", **how)
    assert_frame_equal(of_cells, pf.audit(people(), baseline=before(), **how))
