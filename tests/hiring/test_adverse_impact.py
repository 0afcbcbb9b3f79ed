"""The four-fifths rule with significance, against fractions by hand and scipy."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness import errors
from tests.strategies import examples

QUESTION: dict[str, Any] = {"facet": "sex", "selected": "hired", "count": "n", "confidence": None}

FLAGS = ["is_below_four_fifths", "is_significant", "is_flagged"]
SHORT = ["shortfall", "shortfall_to_four_fifths"]


def counted(**groups: tuple[int, int]) -> pl.DataFrame:
    """The number of people selected, and of all people, of each group."""
    rows = [
        (group, hired, n)
        for group, (selected, all_) in groups.items()
        for hired, n in ((True, selected), (False, all_ - selected))
    ]
    return pl.DataFrame(rows, schema=["sex", "hired", "n"], orient="row")


def impacts(**groups: tuple[int, int]) -> pl.DataFrame:
    answer: pl.DataFrame = pf.hiring.adverse_impact(counted(**groups), **QUESTION)
    return answer


def test_the_example_of_the_guidelines() -> None:
    """Questions and Answers on the Uniform Guidelines, 12: 48 of 80 and 12 of 40 give 50 %."""
    row = impacts(white=(48, 80), black=(12, 40)).row(0, named=True)
    assert (row["disfavored"], row["favored"]) == ("black", "white")
    assert (row["n_disfavored"], row["n_favored"]) == (40, 80)
    assert (row["rate"], row["reference_rate"], row["impact_ratio"]) == (0.3, 0.6, 0.5)
    # 24 of 40 are 60 %, and 19.2 are 48 %.
    assert (row["shortfall"], row["shortfall_to_four_fifths"]) == (12, 8)
    # Half of all 120 people are selected: 0.3 / sqrt(0.25 * (1/40 + 1/80)).
    assert row["two_sd"] == pytest.approx(0.3 / sqrt(0.25 * 3 / 80))
    assert all(row[flag] for flag in FLAGS)


@pytest.mark.parametrize(
    ("group", "highest", "short"),
    [
        ((0, 5), (3, 4), (4, 3)),
        # In floats, 0.8 * 3/4 * 5 is 3.0000000000000004.
        ((3, 5), (3, 4), (1, 0)),
        ((2, 5), (3, 4), (2, 1)),
        # 0.07 * 100 is 7.000000000000001 in floats.
        ((0, 100), (7, 100), (7, 6)),
        ((0, 1), (1, 1), (1, 1)),
        ((0, 4_000_000_000), (1, 3_000_000_000), (2, 2)),
    ],
)
def test_shortfalls_are_whole_people(
    group: tuple[int, int], highest: tuple[int, int], short: tuple[int, int]
) -> None:
    answer = impacts(group=group, highest=highest)
    assert answer.select(SHORT).row(0) == short
    assert answer.schema["shortfall"] == pl.Int64()


@pytest.mark.parametrize(
    ("group", "highest", "is_below"),
    [
        # Exactly four fifths; the quotient of floats is 0.7999999999999999 or 0.8000000000000002.
        ((12, 25), (3, 5), False),
        ((3, 5), (3, 4), False),
        ((28, 100), (35, 100), False),
        ((12, 35), (3, 7), False),
        # One person less.
        ((11, 25), (3, 5), True),
        # Below by less than a float can show: 4e15 - 1 of 5e15, beside all of 5e15.
        ((4 * 10**15 - 1, 5 * 10**15), (5 * 10**15, 5 * 10**15), True),
    ],
)
def test_four_fifths_are_compared_exactly(
    group: tuple[int, int], highest: tuple[int, int], *, is_below: bool
) -> None:
    assert impacts(group=group, highest=highest)["is_below_four_fifths"].item() == is_below


groups = st.integers(1, 60).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@examples(100)
@given(st.lists(groups, min_size=2, max_size=4))
@example([(0, 5), (0, 6)])
@example([(5, 5), (6, 6)])
def test_numbers_are_those_of_fractions_and_of_scipy(drawn: list[tuple[int, int]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    answer = impacts(**{f"g{i}": group for i, group in enumerate(drawn)})
    rates = [Fraction(*group) for group in drawn]
    highest = max(rates)
    reference = rates.index(highest)
    assert answer["favored"].unique().to_list() == [f"g{reference}"]
    assert answer.height == len(drawn) - 1
    for row in answer.iter_rows(named=True):
        selected, n = drawn[int(row["disfavored"][1:])]
        rate = Fraction(selected, n)
        for name, part in (("shortfall", 1), ("shortfall_to_four_fifths", Fraction(4, 5))):
            enough = (
                more for more in range(n + 1) if Fraction(selected + more, n) >= part * highest
            )
            assert row[name] == next(enough), name
        is_below = rate < Fraction(4, 5) * highest if highest else None
        assert row["is_below_four_fifths"] == is_below
        assert row["impact_ratio"] == (pytest.approx(float(rate / highest)) if highest else None)
        of_selected, of_n = drawn[reference]
        table = [[selected, n - selected], [of_selected, of_n - of_selected]]
        p_value = stats.fisher_exact(table).pvalue
        assert row["p_value"] == pytest.approx(p_value)
        pooled = Fraction(selected + of_selected, n + of_n)
        variance = pooled * (1 - pooled) * (Fraction(1, n) + Fraction(1, of_n))
        two_sd = float(highest - rate) / sqrt(variance) if variance else 0
        assert (row["two_sd"] or 0) == pytest.approx(two_sd)
        is_significant = two_sd > 2 or p_value < 0.05
        assert row["is_significant"] == is_significant
        assert row["is_flagged"] == (None if is_below is None else is_below and is_significant)


@pytest.mark.parametrize(
    ("group", "highest", "flags"),
    [
        # Practically and statistically significant, one of the two, and neither.
        ((10, 100), (50, 100), (True, True, True)),
        ((1, 4), (2, 4), (True, False, False)),
        ((850, 1000), (950, 1000), (False, True, False)),
        ((9, 10), (10, 10), (False, False, False)),
        # Beyond two deviations (2.07), and Fisher's p-value is 0.08.
        ((3, 20), (9, 20), (True, True, True)),
        # 1.99 deviations, and Fisher's p-value is 0.045.
        ((0, 14), (44, 196), (True, True, True)),
        # 1.97 deviations; and exactly 2, which in floats are 2.0000000000000004.
        ((2, 7), (7, 9), (True, False, False)),
        ((1, 9), (5, 9), (True, False, False)),
    ],
)
def test_practical_and_statistical_significance_stand_side_by_side(
    group: tuple[int, int], highest: tuple[int, int], flags: tuple[bool, bool, bool]
) -> None:
    assert impacts(group=group, highest=highest).select(FLAGS).row(0) == flags


def test_a_small_group_with_a_higher_rate_may_differ_significantly() -> None:
    """3 of 4 are 2.01 deviations above 1 of 7, and Fisher's p-value is 0.09."""
    people = counted(group=(3, 4), highest=(1, 7))
    rows = pf.hiring.adverse_impact(people, minimum_share=0.5, **QUESTION)
    assert rows.select("disfavored", *FLAGS).rows() == [("group", False, True, False)]
    assert rows["two_sd"].item() == pytest.approx(-2.0137, abs=1e-4)


def frame_of_many() -> pl.DataFrame:
    row = pl.int_range(400)
    return pl.select(
        sex=pl.lit(pl.Series(["F", "M", "X", None])).gather(row * row % 7 % 4),
        job=pl.when(row % 5 < 2).then(pl.lit("cook")).otherwise(None),
        hired=row * 13 % 10 < 4,
    )


ROWS: dict[str, Any] = {"facet": ["sex"], "selected": "hired", "by": "job"}


def test_bounds_are_those_of_an_audit() -> None:
    frame = frame_of_many()
    options: dict[str, Any] = {"confidence": 0.8, "seed": 5}
    answer = pf.hiring.adverse_impact(frame, facet="sex", selected="hired", **options)
    # As the rule has it: beside the highest group as if it had been named.
    highest = answer["favored"][0]
    question: dict[str, Any] = {"facet": "sex", "favored": highest, "predicted": "hired"}
    audit = pf.audit(frame, "di", "two_sd", p_values="exact", **question, **options)
    of_ratio = audit.filter(metric="di").select("value", "lower", "upper", "p_value")
    found = answer.select(pl.col("impact_ratio").alias("value"), "lower", "upper", "p_value")
    assert_frame_equal(found, of_ratio)
    assert answer["two_sd"].to_list() == audit.filter(metric="two_sd")["value"].to_list()
    assert answer["n_unknown"].to_list() == [frame["sex"].null_count()] * 2


def test_without_scipy_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "find_spec", lambda _: None)
    with pytest.raises(errors.MissingExtraError, match=r"^hiring.adverse_impact: needs 'scipy'"):
        pf.hiring.adverse_impact(frame_of_many(), **ROWS)
    assert (
        pf.hiring.impact_ratios(frame_of_many(), sex="sex", race="job", selected="hired").height
        == 7
    )


def test_a_group_that_is_too_small_is_compared_and_is_not_the_highest() -> None:
    """1 of 1 of c is the highest rate; among groups of 2 % of the 61 people, 6 of 10 of a is."""
    people = counted(a=(6, 10), b=(10, 50), c=(1, 1))
    assert set(pf.hiring.adverse_impact(people, **QUESTION)["favored"]) == {"c"}
    rows = pf.hiring.adverse_impact(people, minimum_share=0.02, **QUESTION)
    numbers = rows.select("disfavored", "favored", "impact_ratio").rows()
    assert numbers == [("b", "a", pytest.approx(1 / 3)), ("c", "a", pytest.approx(5 / 3))]
