"""Side a as a reference: the highest rate, the largest group, all rows."""

from __future__ import annotations

import pickle
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import fairness, predictions, shared
from tests.strategies import EVERYTHING, examples, frames

# Accepted and rejected: rates 1/2, 3/4, 3/4 and 1; the last group is small.
GROUPS = predictions(A=(50, 50), B=(30, 10), C=(6, 2), D=(1, 0))
QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n"}
SIDES = ("disfavored", "favored", "n_disfavored", "n_favored")


def sides(favored: object, **question: Any) -> list[tuple[Any, ...]]:
    answer = pf.metrics(GROUPS, "dppl", favored=favored, **{**QUESTION, **question})
    return answer.select(*SIDES, "dppl").rows()


def test_a_limit_is_met_by_a_group_that_is_just_large_enough() -> None:
    # C has 8 of 149 rows.
    question = {"disfavored": "B"}
    assert sides(pf.HIGHEST(minimum_share=8 / 149), **question)[0][:2] == ("B", "C")
    assert sides(pf.HIGHEST(minimum_share=8.5 / 149), **question)[0][:2] == ("B", "A")
    assert sides(pf.HIGHEST(minimum_count=1), **question)[0][:2] == ("B", "D")


def test_with_side_d_the_reference_is_among_the_other_groups() -> None:
    assert sides(pf.HIGHEST, disfavored="D") == [("D", "B", 1, 40, -0.25)]
    assert sides(pf.LARGEST, disfavored=["A", "C"]) == [("A, C", "B", 108, 40, 30 / 40 - 56 / 108)]


def test_without_predictions_the_base_rate_ranks() -> None:
    frame = pl.DataFrame({"v": [9, 9, 10, 10, 11], "y": [1, 0, 1, 1, 0], "p": [0, 0, 0, 0, 1]})
    assert fairness(frame).dpl(facet="v", label="y", favored=pf.HIGHEST)["favored"].to_list() == [
        *("10", "10")
    ]
    both = fairness(frame).dpl(facet="v", label="y", predicted="p", favored=pf.HIGHEST)
    assert both["favored"].to_list() == ["11", "11"]
    # Of equal sizes, 9 comes before 10; `kl` counts every label, and the rate ranks all the same.
    assert fairness(frame).ci(facet="v", favored=pf.LARGEST)["favored"].to_list() == ["9", "9"]
    assert fairness(frame).kl(facet="v", label="y", favored=pf.HIGHEST)["favored"][0] == "10"


def test_sums_of_weights_that_differ_in_their_last_digits_are_equal() -> None:
    frame = pl.DataFrame(
        {"sex": ["M", "M", "M", "F"], "p": [1, 0, 1, 0], "w": [0.1, 0.2, 0.3, 0.6]}
    )
    assert 0.1 + 0.2 + 0.3 > 0.6
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "weight": "w"}
    assert fairness(frame).dppl(favored=pf.LARGEST, **question)["favored"].to_list() == ["F"]
    # 0.7 + 0.1 is 0.7999999999999999, and four fifths of all.
    frame = pl.DataFrame({"sex": ["M", "M", "F"], "p": [1, 1, 0], "w": [0.7, 0.1, 0.2]})
    assert 0.7 + 0.1 < 0.8
    four_fifths = pf.HIGHEST(minimum_share=0.8)
    assert fairness(frame).dppl(favored=four_fifths, **question)["favored"].to_list() == ["M"]


# All that follows is as if the group that was found had been named.


def brute_force(frame: pl.DataFrame, reference: Any, weight: str | None) -> str | None:
    """The group with the highest rate, or the largest, in plain Python."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in frame.sort("sex").iter_rows(named=True):
        if row["sex"] is not None:
            groups.setdefault(row["sex"], []).append(row)
    size = {
        name: sum(row[weight] if weight else 1 for row in rows) for name, rows in groups.items()
    }
    rate = {
        name: sum((row[weight] if weight else 1) * row["p"] for row in rows) / size[name]
        for name, rows in groups.items()
    }
    of = {pf.LARGEST: size}.get(reference, rate)
    large = [
        name
        for name, rows in groups.items()
        if len(rows) >= getattr(reference, "minimum_count", 0)
        and size[name] / sum(size.values()) >= getattr(reference, "minimum_share", 0)
    ]
    return max(large, key=lambda name: of[name], default=None)


REFERENCES = [
    *(pf.HIGHEST, pf.LARGEST, pf.HIGHEST(minimum_count=3), pf.HIGHEST(minimum_share=0.25))
]


@given(frames(), st.sampled_from(REFERENCES), st.sampled_from([None, "w"]))
@examples(9)
def test_a_reference_is_answered_as_if_the_group_had_been_named(
    frame: pl.DataFrame, reference: Any, weight: str | None
) -> None:
    question = {**EVERYTHING, "weight": weight}
    audit: dict[str, Any] = {**question, "replicates": 10, "minimum_count": 5}
    windows = pf.metrics(frame.lazy(), favored=reference, by="k", **question).collect()
    audits = pf.audit(frame, "di", "cddpl", "tvd", favored=reference, by="k", **audit)
    parts = shared(pf.decompose, frame, "cddpl", favored=reference, by="k", **question)
    assert windows.schema["favored"] == pl.String
    for (k,), part in frame.group_by("k"):
        found = brute_force(part, reference, weight)
        own = windows.filter(k=k)
        if found is None or part["sex"].drop_nulls().n_unique() == 1:
            assert own["disfavored"].null_count() == own.height
            assert parts.filter(k=k).is_empty()
            continue
        named = {**question, "favored": found, "by": "k"}
        # A plan adds up in an order of its own.
        assert_frame_equal(own, pf.metrics(part, **named), rel_tol=1e-12, abs_tol=1e-12)
        assert parts.filter(k=k).equals(shared(pf.decompose, part, "cddpl", **named))
        by_hand = pf.audit(part, "di", "cddpl", "tvd", **{**audit, **named})
        # Beside a group found for its rate, intervals and p-values hold for all pairs.
        wider = ["lower", "upper", "verdict"] if reference.ranks_by_rate else []
        assert audits.filter(k=k).drop(wider).equals(by_hand.drop(wider))


@pytest.mark.extras
def test_p_values_and_flips_are_those_of_the_group_found() -> None:
    frame = GROUPS[[row for row, n in enumerate(GROUPS["n"]) for _ in range(n)]]
    frame = frame.with_columns(x=pl.int_range(pl.len()) % 7)
    question: dict[str, Any] = {"facet": "sex", "predicted": "p"}
    for reference, name in ((pf.LARGEST, "A"), (pf.HIGHEST(minimum_count=10), "B")):
        # All pairs of the four groups, where the rate decides: one test by Holm's method.
        how: Any
        how, pairs = ("exact", 6) if reference.ranks_by_rate else ("holm", 1)
        tests = {**question, "confidence": None}
        found = pf.audit(frame, "di", favored=reference, p_values="holm", **tests)
        named = pf.audit(frame, "di", favored=name, p_values=how, **tests)
        p_value = (pl.col("p_value") * pairs).clip(upper_bound=1)
        assert_frame_equal(found, named.with_columns(p_value))
        for flips in (True, False):
            near = {**question, "features": "x", "flips": flips}
            answer = fairness(frame.lazy()).fliptest(favored=reference, **near).collect()
            assert answer.equals(pf.fliptest(frame, favored=name, **near))


# All rows


def test_shares_inside_labels_are_beside_those_of_all_rows() -> None:
    frame = pl.DataFrame({"sex": list("FFFMMM"), "y": [1, 1, 0, 1, 1, 0], "p": [1, 0, 0, 1, 1, 1]})
    question: dict[str, Any] = {"facet": "sex", "disfavored": "F", "label": "y", "predicted": "p"}
    found = pf.metrics(frame, "confusion_distance", favored=pf.OVERALL, **question)
    # Of label 1, 3/4 of all rows are accepted and 1/2 of F; of label 0, 1/2 of all and none of F.
    assert found["confusion_distance"].item() == ((3 / 4 - 1 / 2) + 1 / 2) / 2


def test_all_rows_are_for_metrics_of_proportions() -> None:
    frame = pl.DataFrame({"sex": list("FFMMX"), "y": [1, 0, 1, 0, 1], "p": [1, 0, 1, 1, 0]})
    question: dict[str, Any] = {**EVERYTHING, "subgroup": "y", "label": None}
    question |= {"favored": pf.OVERALL}
    kept = set(pf.metrics(frame, **question).columns)
    assert {"dppl", "di", "four_fifths", "success_ratio", "spsf"} <= kept
    apart = {"ci", "two_sd", "z_ratio", "cohens_d", "ddpl", "cddpl", "cmh", "breslow_day"}
    apart |= {"mh_ratio", "mh_difference", "mh_odds_ratio"}
    assert not apart & kept
    for name in apart:
        with pytest.raises(pf.FairnessError, match=rf"^favored: '{name}' needs sides without rows"):
            shared(pf.metrics, frame, name, **question)
    with pytest.raises(pf.FairnessError, match=r"^favored: fliptest needs sides"):
        pf.fliptest(frame, features="y", **{**question, "subgroup": None})
    with pytest.raises(pf.FairnessError, match=r"^favored: 'cddpl' needs sides"):
        pf.decompose(frame, "cddpl", **question)
    labels = pf.metrics(frame, facet="sex", label="y", favored=pf.OVERALL)
    assert {"dpl", "kl", "js", "lp", "tvd", "ks"} <= set(labels.columns)
    # F has one of two, all have three of five.
    assert labels["tvd"][0] == pytest.approx(1 / 10)


@given(frames())
@examples(30)
def test_all_rows_by_hand(frame: pl.DataFrame) -> None:
    """q_all − q_d is P(rest)·(q_rest − q_d); and all rows are all rows whose facet is known."""
    for weight in (None, "w"):
        answer = fairness(frame).dppl(facet="sex", predicted="p", weight=weight, favored=pf.OVERALL)
        size = pl.col(weight) if weight else pl.lit(1.0)
        known = frame.filter(pl.col("sex").is_not_null()).select("sex", "p", w=size)
        for row in answer.iter_rows(named=True):
            own = known.filter(sex=row["disfavored"])
            shares = (
                part.select(pl.col("w").filter("p").sum() / pl.col("w").sum()).item()
                for part in (known, own)
            )
            assert row["dppl"] == pytest.approx(next(shares) - next(shares), abs=1e-12)
            assert row["n_favored"] == known["w"].sum()
            assert row["n_disfavored"] == own["w"].sum()


def test_intervals_against_all_rows_know_that_d_is_among_them() -> None:
    """The variance of q_all − q_d is (1 − P)² times that of q_rest − q_d, P the share of d."""
    frame = predictions(A=(600, 400), B=(300, 700), C=(200, 300))
    question = {**QUESTION, "replicates": 4000}
    of_all = pf.audit(frame, "dppl", favored=pf.OVERALL, **question)
    of_rest = pf.audit(frame, "dppl", **question)
    for mine, rest, n in zip(
        of_all.iter_rows(named=True), of_rest.iter_rows(named=True), (1000, 1000, 500), strict=True
    ):
        share = 1 - n / 2500
        assert mine["value"] == pytest.approx(share * rest["value"])
        width = mine["upper"] - mine["lower"]
        assert width == pytest.approx(share * (rest["upper"] - rest["lower"]), rel=0.04)
        q_d, q_rest = (
            {"A": 0.6, "B": 0.3, "C": 0.4}[mine["disfavored"]],
            {"A": 500 / 1500, "B": 800 / 1500, "C": 900 / 2000}[mine["disfavored"]],
        )
        variance = q_d * (1 - q_d) / n + q_rest * (1 - q_rest) / (2500 - n)
        assert width == pytest.approx(2 * 1.96 * share * variance**0.5, rel=0.04)


def test_a_group_that_is_all_rows_is_equal_to_them() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", None], "p": [1, 0, 1]})
    row = pf.audit(frame, "dppl", facet="sex", predicted="p", favored=pf.OVERALL).row(0, named=True)
    assert (row["value"], row["lower"], row["upper"]) == (0.0, 0.0, 0.0)


# The objects


def test_references_are_values() -> None:
    limited = pf.HIGHEST(minimum_count=30, minimum_share=0.02)
    for reference in (pf.HIGHEST, pf.LARGEST, pf.OVERALL, limited):
        assert pickle.loads(pickle.dumps(reference)) == reference
        assert hash(pickle.loads(pickle.dumps(reference))) == hash(reference)
    assert len({pf.HIGHEST, pf.LARGEST, pf.OVERALL, limited, pf.HIGHEST()}) == 4
    assert [repr(each) for each in (pf.HIGHEST, pf.LARGEST, pf.OVERALL, limited)] == [
        *("pf.HIGHEST", "pf.LARGEST", "pf.OVERALL"),
        "pf.HIGHEST(minimum_count=30, minimum_share=0.02)",
    ]
