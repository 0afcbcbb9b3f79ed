"""Tables about hiring beside the rules' own figures, a brute force and scipy; and their page."""

from __future__ import annotations

import datetime
import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import product
from math import prod, sqrt
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import binom

import polars_fairness as pf
from polars_fairness import errors
from tests.frames import by_outcome
from tests.reference.slices import assert_alike, beside
from tests.snapshots.arguments import APPLICANTS
from tests.strategies import examples

Person = dict[str, Any]


class Category(NamedTuple):
    """A row of the impact ratios without bounds."""

    n: int
    rate: float
    selected: int
    share: float
    n_unknown: int
    median: float | None
    impact_ratio: float | None
    is_excluded: bool


def by_brute_force(
    people: Sequence[Person],
    is_selected: Callable[[Person], bool],
    median: Fraction | None = None,
    exclude_below: str | None = None,
) -> dict[tuple[str, str], Category]:
    """Every category of sex, of race and of both, by table and name."""
    found = {}
    for table in (("sex",), ("race",), ("sex", "race")):
        values = [tuple(person[name] for name in table) for person in people]
        known = [value for value in values if None not in value]
        rates, excluded = {}, set()
        for value in set(known):
            own = [person for person, each in zip(people, values, strict=True) if each == value]
            rates[value] = Fraction(sum(map(is_selected, own)), len(own))
            if exclude_below and Fraction(len(own), len(known)) < Fraction(exclude_below):
                excluded.add(value)
        highest = max((rate for value, rate in rates.items() if value not in excluded), default=0)
        for value, rate in rates.items():
            n = known.count(value)
            is_compared = highest and value not in excluded
            found[" & ".join(table), " & ".join(value)] = Category(
                n=n,
                rate=float(rate),
                selected=int(rate * n),
                share=n / len(known),
                n_unknown=len(values) - len(known),
                median=None if median is None else float(median),
                impact_ratio=float(rate / highest) if is_compared else None,
                is_excluded=value in excluded,
            )
    return found


def median_of(scores: Sequence[float]) -> Fraction:
    """The score in the middle; of an even number, the mean of the two in the middle."""
    ordered = sorted(map(Fraction, scores))
    half, is_odd = divmod(len(ordered), 2)
    return ordered[half] if is_odd else (ordered[half - 1] + ordered[half]) / 2


COLUMNS: dict[str, Any] = {"sex": "sex", "race": "race"}

SELECTED: dict[str, Any] = {**COLUMNS, "selected": "hired"}

SCORED: dict[str, Any] = {**COLUMNS, "score": "points"}

FEW: dict[str, Any] = {"exclude_below": 0.02, "justification": "few people"}


def people_of(column: str, selected_of: dict[str, tuple[int, int]]) -> pl.DataFrame:
    """People of each category, some of them selected; all are alike in the other column."""
    other = "race" if column == "sex" else "sex"
    return pl.DataFrame(
        [
            (value, "all", hired, n)
            for value, (selected, all_) in selected_of.items()
            for hired, n in ((True, selected), (False, all_ - selected))
        ],
        schema=[column, other, "hired", "n"],
        orient="row",
    )


def table(frame: Any, facet: str = "sex", **question: Any) -> pl.DataFrame:
    ratios: pl.DataFrame = pf.hiring.impact_ratios(frame, confidence=None, **question)
    return ratios.filter(facet=facet)


def ratios_of(answer: pl.DataFrame) -> dict[str, float | None]:
    return dict(answer.select("value", "impact_ratio").rows())


def test_the_example_of_the_rule_by_sex() -> None:
    """6 RCNY 5-301: 50 of 92 and 34 of 76 give 1.00 and .82."""
    answer = table(people_of("sex", {"F": (34, 76), "M": (50, 92)}), **SELECTED, count="n")
    assert answer.select("value", "n", "selected").rows() == [("F", 76, 34), ("M", 92, 50)]
    assert ratios_of(answer) == pytest.approx({"F": (34 / 76) / (50 / 92), "M": 1.0})
    assert {value: f"{ratio:.2f}" for value, ratio in ratios_of(answer).items()} == {
        "F": "0.82",
        "M": "1.00",
    }


def test_the_example_of_the_rule_by_five_categories() -> None:
    """18 of 28, 15 of 40, 16 of 32, 5 of 8, 10 of 24 give 1.00, .58, .78, .97, .65."""
    five = {"a": (18, 28), "b": (15, 40), "c": (16, 32), "d": (5, 8), "e": (10, 24)}
    answer = table(people_of("race", five), "race", **SELECTED, count="n")
    found = [f"{ratio:.2f}" for ratio in ratios_of(answer).values()]
    assert found == ["1.00", "0.58", "0.78", "0.97", "0.65"]


@pytest.mark.parametrize(
    ("points", "median", "above"),
    [
        ([1, 2, 3], 2, 1),
        ([2, 2, 2, 2], 2, 0),
        ([7], 7, 0),
        ([1, 2, 2, 3], 2, 1),
        ([1, 2, 3, 3], 2.5, 2),
        ([-5, -3, -2, 0], -2.5, 2),
        ([-0.0, 0.0, 0.0, 1.0], 0, 1),
        # Their mean rounds to one of the two, and the greater one is above it all the same.
        ([1.0, math.nextafter(1, 2)], 1, 1),
        ([1e308, 1.5e308], 1.25e308, 1),
        ([-1.5e308, 1.5e308], 0, 1),
        ([0.1, 0.2, 0.3], 0.2, 1),
    ],
)
def test_strictly_above_the_median(points: list[float], median: float, above: int) -> None:
    people = pl.DataFrame({"sex": ["F"] * len(points), "race": "a", "points": points})
    answer = table(people, **SCORED)
    assert answer.select("median", "selected").row(0) == (median, above)


@pytest.mark.parametrize("dtype", [pl.Float32, pl.Int8, pl.UInt64, pl.Decimal(9, 2), pl.Boolean])
def test_scores_of_any_type_of_number(dtype: Any) -> None:
    points = pl.Series([0, 1, 1, 1, 0]).cast(dtype)
    people = pl.DataFrame({"sex": list("FFMMM"), "race": "a", "points": points})
    if dtype == pl.Boolean:
        with pytest.raises(pf.FairnessError, match=r"^score: 'points' is Boolean"):
            table(people, **SCORED)
        return
    # The median is 1, and nothing is above it.
    assert table(people, **SCORED).select("median", "selected").rows() == [(1, 0), (1, 0)]


def test_adjacent_scores_of_32_bits_are_apart() -> None:
    points = pl.Series([0.1, 0.1, 0.10000001, 0.10000001], dtype=pl.Float32)
    assert points.n_unique() == 2
    people = pl.DataFrame({"sex": list("FMFM"), "race": "a", "points": points})
    assert table(people, **SCORED)["selected"].to_list() == [1, 1]


def people() -> st.SearchStrategy[list[Person]]:
    person = st.fixed_dictionaries(
        {
            "sex": st.sampled_from(["F", "M", "X", None]),
            "race": st.sampled_from(["a", "b", "c", "d", None]),
            "hired": st.booleans(),
            "points": st.sampled_from([-1.5, 0.0, 0.1, 0.1 + 0.2, 0.3, 1.0, 7.0]),
        }
    )
    return st.lists(person, min_size=1, max_size=90)


def as_frame(drawn: list[Person]) -> pl.DataFrame:
    return pl.DataFrame(drawn, schema_overrides={"sex": pl.String, "race": pl.String})


def compare(answer: pl.DataFrame, expected: dict[tuple[str, str], Category]) -> None:
    found = {
        (row["facet"], row["value"]): Category(**{name: row[name] for name in Category._fields})
        for row in answer.iter_rows(named=True)
        if row["value"] is not None
    }
    assert found.keys() == expected.keys()
    for key, category in expected.items():
        assert found[key] == pytest.approx(category, nan_ok=False), key


@examples(60)
@given(people(), st.booleans())
def test_selection_rates_are_those_of_the_brute_force(drawn: list[Person], is_some: bool) -> None:
    answer = pf.hiring.impact_ratios(
        as_frame(drawn), confidence=None, **SELECTED, **(FEW if is_some else {})
    )
    below = "0.02" if is_some else None
    compare(answer, by_brute_force(drawn, lambda each: each["hired"], exclude_below=below))


@examples(60)
@given(people())
def test_scoring_rates_are_those_of_the_brute_force(drawn: list[Person]) -> None:
    median = median_of([person["points"] for person in drawn])
    expected = by_brute_force(drawn, lambda each: Fraction(each["points"]) > median, median)
    compare(pf.hiring.impact_ratios(as_frame(drawn), confidence=None, **SCORED), expected)


def people_of_jobs() -> pl.DataFrame:
    """People of two jobs and of an unknown one; unknown categories, ties and a small category."""
    row = pl.int_range(300)
    job = pl.lit(pl.Series(["cook", "waiter", None]))
    return pl.select(
        sex=pl.lit(pl.Series(["F", "M", "M", None])).gather(row * row % 7 % 4),
        race=pl.when(row < 5).then(pl.lit("few")).otherwise((row * 11 % 3).cast(pl.String)),
        job=job.gather(row % 5 // 2),
        hired=row * 13 % 10 < 4,
        points=(row * 37 % 41).cast(pl.Float64),
    )


def test_a_category_of_exactly_two_percent_is_not_excluded() -> None:
    selected_of = {"a": (49, 98), "b": (1, 2)}
    at, below = ({**selected_of, "a": (49, n)} for n in (98, 99))
    answers = [
        table(people_of("race", each), "race", **SELECTED, **FEW, count="n") for each in (at, below)
    ]
    assert [each["is_excluded"].to_list() for each in answers] == [[False, False], [False, True]]
    # The excluded category has the highest rate, and keeps its number, rate and share.
    assert answers[1].select("n", "rate", "selected", "impact_ratio").rows() == [
        (99, 49 / 99, 49, 1.0),
        (2, 0.5, 1, None),
    ]
    assert answers[1]["share"].to_list() == pytest.approx([99 / 101, 2 / 101])


def test_bounds_of_impact_ratios_are_those_of_an_audit() -> None:
    frame = people_of_jobs()
    options: dict[str, Any] = {"confidence": 0.8, "replicates": 200, "seed": 3}
    answer = pf.hiring.impact_ratios(frame, **SELECTED, **options)
    facets = ["sex", "race", pl.struct("sex", "race")]
    # As the rule has it: beside the highest category as if it had been named.
    highest = dict(answer.filter(impact_ratio=1).select("facet", "value").rows())
    pairs = highest | {"sex & race": tuple(highest["sex & race"].split(" & "))}
    question: dict[str, Any] = {"facet": facets, "predicted": "hired"}
    audit = pf.audit(frame, "di", favored=pairs, **question, **options)
    names = ["facet", "value", "impact_ratio", "lower", "upper"]
    compared = answer.filter(pl.col("lower").is_not_null())
    expected = audit.select("facet", "disfavored", "value", "lower", "upper")
    expected.columns = names
    assert_frame_equal(compared.select(names), expected)
    # The highest category of each table is compared with none.
    assert answer.height == compared.height + 3


def test_a_table_without_a_category_has_a_row_that_counts_the_unknown_people() -> None:
    people = pl.DataFrame(
        {"sex": ["F", "M"], "race": [None, None], "hired": [True, False], "points": [1.0, 2.0]},
        schema_overrides={"race": pl.String},
    )
    for question in (SELECTED, {**SELECTED, **FEW}, SCORED):
        row = table(people, "race", **question).drop("median").row(0, named=True)
        numbers = {name: row[name] for name in ("n", "selected", "n_unknown", "rows_dropped")}
        assert numbers == {"n": 0, "selected": 0, "n_unknown": 2, "rows_dropped": 0}
        others = ("value", "rate", "share", "impact_ratio", "lower", "upper", "is_excluded")
        assert [row[name] for name in others] == [None] * 6 + [False]
    lost = people.with_columns(hired=pl.lit(None, pl.Boolean), race=pl.lit("a"))
    dropped = table(lost, "race", **SELECTED, nulls="drop")
    assert dropped.select("value", "n", "rows_dropped").rows() == [(None, 0, 2)]


def test_a_table_without_a_selected_person_has_no_ratio() -> None:
    """All rates are 0, and none of them is the highest."""
    answer = table(people_of("sex", {"F": (0, 3), "M": (0, 4)}), **SELECTED, count="n")
    assert ratios_of(answer) == {"F": None, "M": None}


def test_a_dropped_score_moves_no_median() -> None:
    people = pl.DataFrame({"sex": list("FMFM"), "race": "a", "points": [1.0, 2.0, None, math.nan]})
    answer = table(people, **SCORED, nulls="drop")
    assert answer["median"].to_list() == [1.5, 1.5]
    assert answer.select("rows_dropped", "selected").rows() == [(2, 0), (2, 1)]


def test_the_median_of_as_many_people_as_can_be_counted() -> None:
    """Twice as many are more than 64 bits can count."""
    people = pl.DataFrame({"sex": ["F", "F", "M"], "race": ["a"] * 3, "points": [1, 2, 3]})
    answer = table(people.with_columns(n=pl.Series([2**61, 1, 2**62])), **SCORED, count="n")
    assert answer.select("value", "rate", "median").rows() == [("F", 0.0, 3.0), ("M", 0.0, 3.0)]
    answer = table(people.with_columns(n=pl.Series([2**62, 1, 2**61])), **SCORED, count="n")
    assert answer["median"].to_list() == [1.0, 1.0]
    assert answer["rate"][1] == 1.0


def test_many_jobs_have_a_median_each() -> None:
    """A grid of all thresholds in all windows would have 4 million cells here."""
    row = pl.int_range(4_000)
    people = pl.select(job=row // 2, sex=row % 2, race=pl.lit("a"), points=row)
    answer = table(people, **SCORED, by="job")
    assert answer.height == 4_000
    assert answer["median"].to_list() == [2 * (i // 2) + 0.5 for i in range(4_000)]
    assert answer["rate"].to_list() == [0, 1] * 2_000


FOUR_FIFTHS: dict[str, Any] = {
    "facet": "sex",
    "selected": "hired",
    "count": "n",
    "confidence": None,
}

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
    answer: pl.DataFrame = pf.hiring.adverse_impact(counted(**groups), **FOUR_FIFTHS)
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
    answer = impacts(**{f"g{i}": group for i, group in enumerate(drawn)})
    rates = [Fraction(*group) for group in drawn]
    reference = rates.index(max(rates))
    assert answer["favored"].unique().to_list() == [f"g{reference}"]
    assert answer.height == len(drawn) - 1
    for row in answer.iter_rows(named=True):
        numbers = beside(*drawn[int(row["disfavored"][1:])], *drawn[reference])
        del numbers["points"], numbers["odds_ratio"]
        ratio, two_sd = numbers.pop("ratio"), numbers.pop("two_sd") or 0
        is_below = None if ratio is None else ratio < Fraction(4, 5)
        is_significant = two_sd > 2 or numbers["p_value"] < 0.05
        flags = {"is_below_four_fifths": is_below, "is_significant": is_significant}
        flags["is_flagged"] = None if is_below is None else is_below and is_significant
        assert {name: row[name] for name in flags} == flags
        row["two_sd"] = row["two_sd"] or 0
        assert_alike(row, {**numbers, "impact_ratio": ratio, "two_sd": two_sd})


def frame_of_many() -> pl.DataFrame:
    row = pl.int_range(400)
    return pl.select(
        sex=pl.lit(pl.Series(["F", "M", "X", None])).gather(row * row % 7 % 4),
        job=pl.when(row % 5 < 2).then(pl.lit("cook")).otherwise(None),
        hired=row * 13 % 10 < 4,
    )


OF_JOBS: dict[str, Any] = {"facet": ["sex"], "selected": "hired", "by": "job"}


def test_bounds_of_four_fifths_are_those_of_an_audit() -> None:
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
        pf.hiring.adverse_impact(frame_of_many(), **OF_JOBS)
    assert (
        pf.hiring.impact_ratios(frame_of_many(), sex="sex", race="job", selected="hired").height
        == 7
    )


def test_a_group_that_is_too_small_is_compared_and_is_not_the_highest() -> None:
    """1 of 1 of c is the highest rate; among groups of 2 % of the 61 people, 6 of 10 of a is."""
    people = counted(a=(6, 10), b=(10, 50), c=(1, 1))
    assert set(pf.hiring.adverse_impact(people, **FOUR_FIFTHS)["favored"]) == {"c"}
    rows = pf.hiring.adverse_impact(people, minimum_share=0.02, **FOUR_FIFTHS)
    numbers = rows.select("disfavored", "favored", "impact_ratio").rows()
    assert numbers == [("b", "a", pytest.approx(1 / 3)), ("c", "a", pytest.approx(5 / 3))]


SCORES: dict[str, Any] = {"sex": "sex", "race": "race", "score": "points"}


def test_cells_of_rounded_scores_have_no_median() -> None:
    cells = pf.cells(APPLICANTS, facet=["sex", "race"], score="points", resolution=20)
    with pytest.raises(pf.FairnessError, match=r"^score: .* were rounded down, .* resolution="):
        pf.hiring.impact_ratios(cells, **SCORES, count="n")


# 34 of 76 women and 50 of 92 men, as in the rule's own example; "Other" is 3 of the 171 people of
# known race, and 5 people are of unknown sex and race.
PEOPLE: Final = by_outcome(
    pl.DataFrame(
        {
            "sex": ["M", "M", "F", "F", None, None],
            "race": ["White", "Black", "White", "Black", "Other", None],
            "n": [60, 32, 40, 36, 3, 5],
            "hired": [40, 10, 20, 14, 1, 2],
        }
    ),
    "hired",
)

ABOUT: Final[dict[str, Any]] = {
    "audit_date": "2026-11-22",
    "data": "All applications of 2025.\n\nFrom the employer's own records.",
    "distribution_date": datetime.date(2026, 1, 31),
}

QUESTION: Final[dict[str, Any]] = {"sex": "sex", "race": "race", "selected": "hired", "count": "n"}

SMALL: Final[dict[str, Any]] = {
    "exclude_below": 0.02,
    "justification": "Three people have no rate to speak of.",
}

MARKED: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "F", "M", "M", "M"],
        "race": ["a", "b", None, "a", "b", "b"],
        "mark": [10, 20, 30, 40, 50, 60],
        "site": ["x", "y"] * 3,
    }
)

BY_SCORE: Final[dict[str, Any]] = {"sex": "sex", "race": "race", "score": "mark"}


def report(frame: Any = PEOPLE, **given: Any) -> Any:
    return pf.hiring.report(frame, **{**QUESTION, **ABOUT, **given})


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (PEOPLE.clear(), "Nothing to show: the answer has no rows."),
        (PEOPLE.filter(pl.col("sex") == "F"), "fewer than two groups are known, "),
        (
            PEOPLE.with_columns(race=pl.lit(None, pl.String)),
            "All applicants are of unknown category by race, sex &amp; race.",
        ),
        (PEOPLE.with_columns(hired=False), "Not judged: M."),
        (PEOPLE.with_columns(race=pl.int_range(12).cast(pl.String)), "| 11 | "),
    ],
)
def test_odd_frames_have_a_page(frame: pl.DataFrame, said: str, tmp_path: Path) -> None:
    page = report(frame)
    assert said in page.to_markdown()
    page.write_html(tmp_path / "page.html")


def test_it_says_how_often_tables_of_equal_rates_have_a_flag() -> None:
    """All tables of 30, 20 and 9 people at the rate 28/59, each with its chance."""
    sizes = {"a": (30, 16), "b": (20, 9), "c": (9, 3)}
    groups = pl.DataFrame(
        [(value, *each) for value, each in sizes.items()], ["race", "n", "hired"], orient="row"
    )
    frame = by_outcome(groups.with_columns(sex=pl.lit("F")), "hired")
    _, _, below = report(frame, confidence=None).to_markdown().partition("## Four-fifths")
    said = re.search("If all 3 groups had the same rate, about ([0-9]+) of 100 tables", below)
    flagged = 0.0
    n = [each for each, _ in sizes.values()]
    for hired in product(*(range(each + 1) for each in n)):
        rates = [k / of for k, of in zip(hired, n, strict=True)]
        top = rates.index(max(rates))
        for i in range(3):
            pooled = (hired[i] + hired[top]) / (n[i] + n[top])
            deviation = sqrt(pooled * (1 - pooled) * (1 / n[i] + 1 / n[top]))
            if rates[i] < 0.8 * rates[top] and rates[top] - rates[i] > 2 * deviation:
                flagged += prod(binom.pmf(k, of, 28 / 59) for k, of in zip(hired, n, strict=True))
                break
    assert said is not None
    assert abs(int(said[1]) - 100 * flagged) < 1.5


@pytest.mark.usefixtures("printer")
def test_a_section_is_a_sheet_and_no_sheet_has_the_last_line_alone(tmp_path: Path) -> None:
    """Without a second section the summary is all."""
    path = tmp_path / "page.pdf"
    pf.hiring.report(MARKED, **BY_SCORE, **ABOUT).write_pdf(path)
    pypdf = import_module("pypdf")
    [sheet] = pypdf.PdfReader(path).pages
    assert "Made by polars-fairness" in sheet.extract_text()
    report().write_pdf(path, title="Screener")
    first, second = pypdf.PdfReader(path).pages
    assert "Screener" in first.extract_text()
    assert "Four-fifths with significance" in second.extract_text()
