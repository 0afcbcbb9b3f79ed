"""The impact ratios of Local Law 144 against the rule's own figures and a brute force."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import one_row_each
from tests.hiring.brute_force import Category, Person, impact_ratios, median_of
from tests.strategies import examples

COLUMNS: dict[str, Any] = {"sex": "sex", "race": "race"}
SELECTED: dict[str, Any] = {**COLUMNS, "selected": "hired"}
SCORED: dict[str, Any] = {**COLUMNS, "score": "points"}
FEW: dict[str, Any] = {"exclude_below": 0.02, "justification": "few people"}
NUMBERS = [name for name in Category._fields if name != "median"]


def counted(column: str, selected_of: dict[str, tuple[int, int]]) -> pl.DataFrame:
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
    answer = table(counted("sex", {"F": (34, 76), "M": (50, 92)}), **SELECTED, count="n")
    assert answer.select("value", "n", "selected").rows() == [("F", 76, 34), ("M", 92, 50)]
    assert ratios_of(answer) == pytest.approx({"F": (34 / 76) / (50 / 92), "M": 1.0})
    assert {value: f"{ratio:.2f}" for value, ratio in ratios_of(answer).items()} == {
        "F": "0.82",
        "M": "1.00",
    }


def test_the_example_of_the_rule_by_five_categories() -> None:
    """18 of 28, 15 of 40, 16 of 32, 5 of 8, 10 of 24 give 1.00, .58, .78, .97, .65."""
    five = {"a": (18, 28), "b": (15, 40), "c": (16, 32), "d": (5, 8), "e": (10, 24)}
    answer = table(counted("race", five), "race", **SELECTED, count="n")
    found = [f"{ratio:.2f}" for ratio in ratios_of(answer).values()]
    assert found == ["1.00", "0.58", "0.78", "0.97", "0.65"]


def test_scoring_rates_by_hand() -> None:
    """Six people, those of unknown sex included: the median of 1, 2, 3, 5, 8, 9 is 4."""
    people = pl.DataFrame(
        {
            "sex": ["F", "F", "M", "M", "M", None],
            "race": ["a", "b", "a", "b", "a", "b"],
            "points": [1, 5, 2, 8, 3, 9],
        }
    )
    by_sex, by_race = (table(people, facet, **SCORED) for facet in ("sex", "race"))
    assert by_sex["median"].to_list() == [4, 4]
    assert by_sex.select("value", "n", "selected", "n_unknown").rows() == [
        ("F", 2, 1, 1),
        ("M", 3, 1, 1),
    ]
    assert ratios_of(by_sex) == pytest.approx({"F": 1, "M": 2 / 3})
    # Race is known of all: 0 of the 3 people "a" are above 4, and all 3 people "b".
    assert by_race.select("rate", "impact_ratio", "n_unknown").rows() == [(0, 0, 0), (1, 1, 0)]


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
    compare(answer, impact_ratios(drawn, lambda each: each["hired"], exclude_below=below))


@examples(60)
@given(people())
def test_scoring_rates_are_those_of_the_brute_force(drawn: list[Person]) -> None:
    median = median_of([person["points"] for person in drawn])
    expected = impact_ratios(drawn, lambda each: Fraction(each["points"]) > median, median)
    compare(pf.hiring.impact_ratios(as_frame(drawn), confidence=None, **SCORED), expected)


def frame_of_many() -> pl.DataFrame:
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


@pytest.mark.parametrize("question", [SELECTED, SCORED], ids=["selected", "score"])
class TestSameAnswers:
    def test_each_job_as_if_it_were_alone(self, question: dict[str, Any]) -> None:
        frame = frame_of_many()
        by_job = pf.hiring.impact_ratios(frame, **question, by="job", confidence=None, **FEW)
        jobs = ["cook", "waiter", None]
        assert by_job["job"].unique(maintain_order=True).to_list() == jobs
        for job in jobs:
            is_it = pl.col("job").eq_missing(pl.lit(job))
            alone = pf.hiring.impact_ratios(frame.filter(is_it), **question, confidence=None, **FEW)
            assert_frame_equal(by_job.filter(is_it).drop("job"), alone)
        assert by_job["is_excluded"].sum() > 0

    def test_of_expressions(self, question: dict[str, Any]) -> None:
        frame = frame_of_many()
        computed = {name: pl.col(column) + pl.lit("") for name, column in COLUMNS.items()}
        answer = pf.hiring.impact_ratios(frame, **{**question, **computed})
        assert_frame_equal(answer, pf.hiring.impact_ratios(frame, **question))


def test_a_category_of_exactly_two_percent_is_not_excluded() -> None:
    selected_of = {"a": (49, 98), "b": (1, 2)}
    at, below = ({**selected_of, "a": (49, n)} for n in (98, 99))
    answers = [
        table(counted("race", each), "race", **SELECTED, **FEW, count="n") for each in (at, below)
    ]
    assert [each["is_excluded"].to_list() for each in answers] == [[False, False], [False, True]]
    # The excluded category has the highest rate, and keeps its number, rate and share.
    assert answers[1].select("n", "rate", "selected", "impact_ratio").rows() == [
        (99, 49 / 99, 49, 1.0),
        (2, 0.5, 1, None),
    ]
    assert answers[1]["share"].to_list() == pytest.approx([99 / 101, 2 / 101])


def test_an_excluded_category_has_no_bounds() -> None:
    few = counted("race", {"a": (60, 99), "b": (30, 99), "c": (1, 2)})
    answer = pf.hiring.impact_ratios(few, **SELECTED, **FEW, count="n").filter(facet="race")
    is_null = answer.select(pl.col("lower", "upper").is_null()).rows()
    assert is_null == [(True, True), (False, False), (True, True)]


def test_every_category_may_be_too_small() -> None:
    sizes = {f"{i}": (i % 2, 1) for i in range(60)}
    answer = table(counted("race", sizes), "race", **SELECTED, **FEW, count="n")
    assert answer["is_excluded"].all()
    assert answer["impact_ratio"].null_count() == 60


def test_without_selections_of_known_sex_there_are_no_bounds_for_sex() -> None:
    people = pl.DataFrame(
        {"sex": ["F", "M", None, "F"], "race": ["a", "a", "b", "b"], "hired": [0, 0, 1, 0]}
    )
    answer = pf.hiring.impact_ratios(people, **SELECTED).filter(facet="sex")
    assert answer.select("impact_ratio", "lower", "upper").null_count().row(0) == (2, 2, 2)


def test_bounds_are_those_of_an_audit() -> None:
    frame = frame_of_many()
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


@pytest.mark.parametrize("question", [SELECTED, SCORED], ids=["selected", "score"])
def test_a_job_whose_rows_are_all_dropped_still_counts_them(question: dict[str, Any]) -> None:
    people = pl.DataFrame(
        {
            "sex": ["F", "M", "F"],
            "race": "a",
            "job": ["cook", "cook", "waiter"],
            "hired": [True, False, None],
            "points": [1.0, 2.0, None],
        }
    )
    answer = table(people, **question, by="job", nulls="drop")
    numbers = answer.select("job", "value", "n", "rows_dropped").rows()
    assert numbers == [("cook", "F", 1, 0), ("cook", "M", 1, 0), ("waiter", None, 0, 1)]


def test_a_dropped_score_moves_no_median() -> None:
    people = pl.DataFrame({"sex": list("FMFM"), "race": "a", "points": [1.0, 2.0, None, math.nan]})
    answer = table(people, **SCORED, nulls="drop")
    assert answer["median"].to_list() == [1.5, 1.5]
    assert answer.select("rows_dropped", "selected").rows() == [(2, 0), (2, 1)]


def test_counted_people_move_the_median_as_many_rows_do() -> None:
    people = pl.DataFrame({"sex": list("FMF"), "race": "a", "points": [1, 2, 3], "n": [3, 1, 2]})
    repeated = table(one_row_each(people), **SCORED)
    assert_frame_equal(table(people, **SCORED, count="n"), repeated)
    # 1, 1, 1, 2, 3, 3
    assert table(people, **SCORED, count="n")["median"].to_list() == [1.5, 1.5]


def test_the_median_of_as_many_people_as_can_be_counted() -> None:
    """Twice as many are more than 64 bits can count."""
    people = pl.DataFrame({"sex": ["F", "F", "M"], "race": ["a"] * 3, "points": [1, 2, 3]})
    answer = table(people.with_columns(n=pl.Series([2**61, 1, 2**62])), **SCORED, count="n")
    assert answer.select("value", "rate", "median").rows() == [("F", 0.0, 3.0), ("M", 0.0, 3.0)]
    answer = table(people.with_columns(n=pl.Series([2**62, 1, 2**61])), **SCORED, count="n")
    assert answer["median"].to_list() == [1.0, 1.0]
    assert answer["rate"][1] == 1.0


def test_an_enum_names_only_the_categories_that_people_have() -> None:
    sexes = pl.Enum(["X", "M", "F"])
    people = counted("sex", {"F": (1, 2), "M": (1, 2)}).cast({"sex": sexes})
    assert table(people, **SELECTED, count="n")["value"].to_list() == ["F", "M"]


def test_a_positive_value_may_be_a_word() -> None:
    words = counted("sex", {"F": (34, 76), "M": (50, 92)}).with_columns(
        hired=pl.when("hired").then(pl.lit("yes")).otherwise(pl.lit("no"))
    )
    for positive in ("yes", ["yes"], {"hired": "yes"}):
        answer = table(words, **SELECTED, count="n", positive=positive)
        assert answer["selected"].to_list() == [34, 50]


def test_many_jobs_have_a_median_each() -> None:
    """A grid of all thresholds in all windows would have 4 million cells here."""
    row = pl.int_range(4_000)
    people = pl.select(job=row // 2, sex=row % 2, race=pl.lit("a"), points=row)
    answer = table(people, **SCORED, by="job")
    assert answer.height == 4_000
    assert answer["median"].to_list() == [2 * (i // 2) + 0.5 for i in range(4_000)]
    assert answer["rate"].to_list() == [0, 1] * 2_000
