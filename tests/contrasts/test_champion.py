"""Audits that compare each model with a champion on the same rows."""

from __future__ import annotations

from itertools import product
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.audit.questions import AUDITED
from tests.frames import people
from tests.strategies import examples

# Of all metrics there are golden numbers.
OF_DECISIONS = [name for name in AUDITED[::3] if name != "utility"]
CONTRAST = ["reference", "difference", "difference_lower", "difference_upper", "change"]


def two_models(n: int = 2_000) -> pl.DataFrame:
    """People with two models that differ in one of ten rows of F, and one of twenty of M."""
    rows = people(n).with_row_index("i")
    differ = pl.col("i") % pl.when(pl.col("sex") == "F").then(10).otherwise(20) == 3
    other = pl.when(differ).then(~pl.col("p")).otherwise("p")
    return rows.with_columns(other=other, month=pl.col("i") % 2, w=1 + pl.col("i") % 3)


QUESTION: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y", "replicates": 100}
MODELS: dict[str, Any] = {"predicted": {"old": "p", "new": "other"}, "champion": "old"}


@pytest.mark.parametrize("more", [{}, {"weight": "w"}, {"by": "month", "favored": pf.HIGHEST}])
def test_identical_models_differ_by_nothing(more: dict[str, Any]) -> None:
    question = QUESTION | {"subgroup": "branch"} | more
    if "favored" in more:
        question |= {"disfavored": None}
    models: dict[str, str | pl.Expr] = {"old": "p", "same": pl.col("p").alias("twin")}
    answer = pf.audit(
        two_models(), OF_DECISIONS, predicted=models, champion="old", zero_division=0, **question
    )
    assert set(answer["metric"]) == set(OF_DECISIONS)
    same = answer.filter(model="same").drop_nulls("value")
    assert set(same["difference"]) == {0}
    assert set(same["difference_lower"].drop_nulls()) == {0}
    assert set(same["difference_upper"].drop_nulls()) == {0}
    assert {"worse", "better"}.isdisjoint(set(same["change"]))


def test_a_contrast_changes_nothing_else() -> None:
    question = QUESTION | {"subgroup": "branch"}
    plain = pf.audit(two_models(), OF_DECISIONS, predicted=MODELS["predicted"], **question)
    contrasted = pf.audit(two_models(), OF_DECISIONS, **MODELS, **question)
    assert contrasted.columns[-9:] == [*CONTRAST, "value", "lower", "upper", "verdict"]
    assert_frame_equal(contrasted.drop(CONTRAST), plain)


def test_difference_and_reference_are_those_of_each_model_by_itself() -> None:
    frame = two_models()
    answer = pf.audit(frame, **MODELS, **QUESTION)
    old, new = (pf.audit(frame, predicted=column, **QUESTION) for column in ("p", "other"))
    assert answer.filter(model="new")["reference"].equals(old["value"], check_names=False)
    expected = new["value"] - old["value"]
    assert_frame_equal(
        answer.filter(model="new").select("difference"), expected.to_frame("difference")
    )
    assert set(answer.filter(model="old")["difference"].drop_nulls()) == {0}


@pytest.mark.parametrize(("metric", "label"), [("dppl", None), ("rd", 1), ("sd", 0)])
def test_the_interval_of_a_difference_of_rates_follows_from_the_switched_rows(
    metric: str, label: int | None
) -> None:
    """The normal approximation for paired proportions (McNemar): 40,000 rows leave no other.

    Rates given a label do not depend on the rows with the other label, which all switch.
    """
    counts = {  # (old, new): rows of F, rows of M
        (1, 1): (6_000, 11_000),
        (1, 0): (700, 300),
        (0, 1): (300, 200),
        (0, 0): (7_000, 14_500),
    }
    frame = pl.DataFrame(
        [
            {"sex": sex, "old": old, "new": new, "y": label, "n": number}
            for (old, new), numbers in counts.items()
            for sex, number in zip("FM", numbers, strict=True)
        ]
    )
    if label is not None:
        others = {
            "sex": ["F", "M"],
            "old": [1, 0],
            "new": [0, 1],
            "y": [1 - label] * 2,
            "n": [5_000] * 2,
        }
        frame = pl.concat([frame, pl.DataFrame(others, schema=frame.schema)])
    answer = pf.audit(
        frame,
        metric,
        facet="sex",
        disfavored="F",
        label=None if label is None else "y",
        count="n",
        predicted={"old": "old", "new": "new"},
        champion="old",
        replicates=4_000,
    ).row(by_predicate=pl.col("model") == "new", named=True)
    means, variances = [], []
    for side, total in ((0, 14_000), (1, 26_000)):
        lost, won = counts[1, 0][side] / total, counts[0, 1][side] / total
        means.append(won - lost)
        variances.append((won + lost - (won - lost) ** 2) / total)
    difference, reach = means[1] - means[0], 1.96 * sum(variances) ** 0.5
    assert answer["difference"] == pytest.approx(difference)
    assert answer["difference_lower"] == pytest.approx(difference - reach, abs=reach / 10)
    assert answer["difference_upper"] == pytest.approx(difference + reach, abs=reach / 10)
    # The rate of F exceeded the rate of M by 4.4 points, and exceeds it by 1.9.
    assert answer["change"] == "better"


def test_switched_rows_of_a_large_side_do_not_narrow_the_interval_of_a_small_one() -> None:
    """Of 10,000 rows of M, 40 or 4,000 switched ones have less than 1 % of the variance."""

    def width(switched: int) -> float:
        counts = {"F": (3, 2, 2, 3), "M": (3_000, switched // 2, switched // 2, 7_000 - switched)}
        rows = [
            (sex, old, new, n)
            for sex, numbers in counts.items()
            for (old, new), n in zip(product((0, 1), repeat=2), numbers, strict=True)
        ]
        question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "count": "n"}
        answer = pf.audit(
            pl.DataFrame(rows, ["sex", "old", "new", "n"], orient="row"),
            "dppl",
            predicted={"old": "old", "new": "new"},
            champion="old",
            **question,
        ).row(by_predicate=pl.col("model") == "new", named=True)
        return float(answer["difference_upper"] - answer["difference_lower"])

    assert width(40) == pytest.approx(width(4_000), rel=0.05)


@given(st.permutations(["p", "other", "third"]), st.sampled_from(["old", "new", "last"]))
@examples(4)
def test_the_order_of_models_and_the_champion_change_only_the_reference(
    columns: list[str], champion: str
) -> None:
    frame = two_models(600).with_columns(third=pl.col("i") % 7 < 3)
    models = dict(zip(["old", "new", "last"], columns, strict=True))
    answer = pf.audit(frame, "di", "rd", predicted=models, champion=champion, **QUESTION)
    backwards = dict(reversed(models.items()))
    again = pf.audit(frame, "di", "rd", predicted=backwards, champion=champion, **QUESTION)
    assert_frame_equal(again, answer)
    other = next(name for name in models if name != champion)
    swapped = pf.audit(frame, "di", "rd", predicted=models, champion=other, **QUESTION)
    forth, back = answer.filter(model=other), swapped.filter(model=champion)
    assert forth["difference"].to_list() == (-back["difference"]).to_list()
    # By other draws of the same counts.
    width = pl.col("difference_upper") - pl.col("difference_lower")
    ratios = forth.select(width).to_series() / back.select(width).to_series()
    assert ratios.is_between(0.6, 1.7).all()


def test_another_group_found_as_side_a_than_the_champions_has_no_reference() -> None:
    """The champion accepts M most often, the other model X; F is compared with either."""
    frame = pl.DataFrame(
        {"sex": ["F", "M", "X"] * 20, "i": [i for i in range(20) for _ in range(3)]}
    ).with_columns(
        old=pl.col("i") < pl.col("sex").replace_strict({"F": 5, "M": 15, "X": 10}),
        new=pl.col("i") < pl.col("sex").replace_strict({"F": 5, "M": 10, "X": 15}),
    )
    answer = pf.audit(
        frame,
        "dppl",
        facet="sex",
        favored=pf.HIGHEST,
        predicted={"old": "old", "new": "new"},
        champion="old",
        replicates=20,
    )
    of_new = answer.filter(model="new")
    assert of_new["favored"].to_list() == ["X", "X"]
    assert of_new.select(CONTRAST).null_count().row(0) == (2,) * len(CONTRAST)
