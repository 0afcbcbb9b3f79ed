"""The flip test and consistency: who is near, who votes, and who is told."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.errors import FairnessError
from polars_fairness.neighbours import ballot, search, votes
from polars_fairness.neighbours.search import Exhaustive, Tree
from polars_fairness.neighbours.space import space_of
from tests import reference
from tests.strategies import WITH_FEATURES, frames

ASKED: dict[str, Any] = {"facet": "sex", "disfavored": "F", "predicted": "p", "features": "x"}


def at(**places: dict[float, int] | list[tuple[float, int]]) -> pl.DataFrame:
    """Put people of each sex at places on a line, accepted or not."""
    rows = [
        (sex, float(x), bool(p))
        for sex, people in places.items()
        for x, p in (people.items() if isinstance(people, dict) else people)
    ]
    return pl.DataFrame(
        rows, schema={"sex": pl.String, "x": pl.Float64, "p": pl.Boolean}, orient="row"
    )


def crowd(rows: int, dimensions: int, *, coarse: bool = False, seed: int = 0) -> pl.DataFrame:
    """Invent people who stand anywhere, or on few places."""
    random = np.random.default_rng(seed)
    places = random.normal(size=(rows, dimensions))
    if coarse:
        places = places.round()
    return pl.DataFrame(
        {
            "sex": np.where(random.random(rows) < 0.4, "F", "M"),
            "p": random.random(rows) < 0.5,
            **{f"x{i}": places[:, i] for i in range(dimensions)},
        }
    )


def both(frame: pl.DataFrame, **question: Any) -> pl.DataFrame:
    return pf.metrics(frame, "fliptest", "consistency", **{**WITH_FEATURES, **question})


several = settings(max_examples=30)


# Who votes, by hand


def test_a_member_of_d_rejected_where_its_like_is_accepted_is_an_unfavorable_flip() -> None:
    frame = at(F={0: 0, 10: 1, 20: 0, 30: 1}, M={1: 1, 11: 0, 21: 0, 31: 1})
    told = pf.fliptest(frame, **ASKED)
    assert told.row(0) == ("sex", "F", None, 4, 4, 1, 1, 0.0)
    assert pf.fliptest(frame.filter(x=0).vstack(frame.filter(x=1)), **ASKED)["fliptest"][0] == 1
    accepted = frame.filter(pl.col("x").is_between(10, 11))
    assert pf.fliptest(accepted, **ASKED)["fliptest"][0] == -1


def test_one_neighbour_of_fewer_than_ten_and_five_of_ten() -> None:
    near, far = {0: 1}, dict.fromkeys(range(1, 9), 0)
    nine = at(F={0: 0}, M={**near, **far})
    assert pf.fliptest(nine, **ASKED)["unfavorable_flips"][0] == 1
    ten = nine.vstack(at(M={9: 0}))
    assert pf.fliptest(ten, **ASKED)["unfavorable_flips"][0] == 0
    assert pf.fliptest(nine, k=3, **ASKED)["unfavorable_flips"][0] == 0


def test_a_tied_vote_is_negative() -> None:
    frame = at(F={0: 0, 1: 1}, M={0: 1, 1: 0})
    told = pf.fliptest(frame, k=2, **ASKED)
    assert told.select("unfavorable_flips", "favorable_flips").row(0) == (0, 1)


def test_those_equally_far_share_the_last_seats() -> None:
    # One at distance 0, then three at distance 1 for two seats: 1 + 2 · 2/3 of 3 votes.
    frame = at(F={0: 0}, M=[(0, 1), (1, 1), (-1, 1), (1, 0), (5, 0)])
    cases = pf.fliptest(frame, k=3, flips=True, **ASKED)
    assert cases["vote"].to_list() == [pytest.approx((1 + 2 * 2 / 3) / 3)]


def test_consistency_by_hand() -> None:
    # Two nearest, oneself included: 0 and 1 disagree by a half, as do 1 and 0; 9 and 10 agree.
    frame = at(F={0: 0, 1: 1}, M={9: 1, 10: 1})
    question = {"predicted": "p", "features": "x"}
    assert pf.consistency(frame, k=2, **question)["consistency"].to_list() == [0.75]
    # k = 1 asks oneself alone.
    assert pf.consistency(frame, k=1, **question)["consistency"].to_list() == [1.0]


def test_standardized_features_weigh_alike() -> None:
    # Many on one point off the middle, so that points and rows have another middle.
    frame = crowd(300, 3)
    frame = pl.concat([frame, *[frame.head(1).with_columns(x1=3.0)] * 150])
    stretched = frame.with_columns(pl.col("x1") * 1e6 + 5)
    question = {**ASKED, "features": cs.starts_with("x")}
    by_hand = frame.with_columns(cs.starts_with("x") / cs.starts_with("x").std(ddof=0))
    expected = pf.fliptest(by_hand, **question)
    assert_frame_equal(pf.fliptest(frame, standardize=True, **question), expected)
    assert_frame_equal(pf.fliptest(stretched, standardize=True, **question), expected)
    assert not pf.fliptest(stretched, **question).equals(pf.fliptest(frame, **question))


def test_a_feature_that_all_share_tells_nothing() -> None:
    frame = crowd(60, 2).with_columns(x2=7)
    question = {**ASKED, "features": ["x0", "x1"]}
    without = pf.fliptest(frame, standardize=True, **question)
    question["features"] = ["x0", "x1", "x2"]
    assert_frame_equal(pf.fliptest(frame, standardize=True, **question), without)


# Against the brute force


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("dimensions", [1, 3, search.MANY_DIMENSIONS + 2])
def test_equal_to_brute_force(dimensions: int, coarse: bool) -> None:
    frame = crowd(100, dimensions, coarse=coarse, seed=dimensions)
    features = [f"x{i}" for i in range(dimensions)]
    rows = [
        reference.Row(row["sex"], False, row["p"], point=tuple(row[x] for x in features))
        for row in frame.iter_rows(named=True)
    ]
    got = pf.metrics(frame, "fliptest", "consistency", **{**ASKED, "features": features})
    for name in ("fliptest", "consistency"):
        expected = reference.metric(name, rows, {"F"}, None)
        assert got[name].to_list() == [pytest.approx(expected, abs=1e-12)]


@pytest.mark.parametrize("dimensions", [1, 2, 20])
@pytest.mark.parametrize("coarse", [False, True])
def test_both_libraries_find_the_same(
    dimensions: int, coarse: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(3)
    voters, queries = (random.normal(size=(n, dimensions)) + 1000 for n in (400, 300))
    if coarse:
        voters, queries = voters.round(), queries.round()
    # Stretched, so that 32 bits do not tell some of them apart.
    voters[:, 0], queries[:, 0] = voters[:, 0] * 1e4, queries[:, 0] * 1e4
    space = space_of(voters, queries, None)
    electorate = votes.Electorate(space, random.integers(1, 4, 400), random.integers(0, 2, 400))
    found = []
    for library in (Tree, Exhaustive):
        monkeypatch.setattr(votes, "search_among", library)
        found.append(votes.votes(electorate, 7, lambda _: None))
    assert np.array_equal(*found)


def test_what_32_bits_cannot_tell_apart_is_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(0)
    # Thousandths of one another apart, and millions from the middle.
    voters = np.concatenate([1e6 + random.random((300, 2)), -1e6 - random.random((300, 2))])
    queries = 1e6 + random.random((50, 2))
    space = space_of(voters, queries, None)
    electorate = votes.Electorate(space, np.ones(600, int), random.integers(0, 2, 600))
    found = []
    for library in (Tree, Exhaustive):
        monkeypatch.setattr(votes, "search_among", library)
        found.append(votes.votes(electorate, 3, lambda _: None))
    assert np.array_equal(*found)


def test_the_library_is_chosen_by_dimensions(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = np.ones((4, search.MANY_DIMENSIONS - 1)), np.ones((4, search.MANY_DIMENSIONS))
    assert isinstance(search.search_among(few), Tree)
    assert isinstance(search.search_among(many), Exhaustive)
    monkeypatch.setattr(search, "find_spec", lambda _: None)
    assert isinstance(search.search_among(many), Tree)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = crowd(200, 2, coarse=True)
    question = {**ASKED, "features": ["x0", "x1"]}
    whole = pf.metrics(frame, "fliptest", "consistency", **question)
    monkeypatch.setattr(votes, "COORDINATES_AT_ONCE", 50)
    assert_frame_equal(pf.metrics(frame, "fliptest", "consistency", **question), whole)


@pytest.mark.parametrize("standardize", [False, True])
@pytest.mark.parametrize("unit", [2.0**-700, 1.0, 2.0**700, 2.0**1021])
def test_no_distance_is_too_large_or_too_small(unit: float, standardize: bool) -> None:
    frame = crowd(80, 2)
    question = {**ASKED, "features": ["x0", "x1"], "standardize": standardize}
    expected = pf.fliptest(frame, **question)
    assert_frame_equal(pf.fliptest(frame.with_columns(cs.float() * unit), **question), expected)
    if standardize:
        uneven = frame.with_columns(pl.col("x0") * unit)
        assert_frame_equal(pf.fliptest(uneven, **question), expected)


def test_rounding_breaks_no_tie() -> None:
    # 19021 is as far from 19020 as from 19022: a tie, whatever the feature is divided by.
    frame = at(F=[(19021, 0)], M=[(19020, 1), (19022, 0), (18997, 0), (20003, 0)])
    for standardize in (False, True):
        told = pf.fliptest(frame, k=1, standardize=standardize, **ASKED)
        assert told["unfavorable_flips"].item() == 0
    random = np.random.default_rng(1)
    days = pl.DataFrame(
        {
            "sex": np.where(random.random(900) < 0.5, "F", "M"),
            "p": random.random(900) < 0.5,
            "x": random.integers(18_000, 20_000, 900),
        }
    )
    expected = both(days, **ASKED, label=None, subgroup=None)
    metrics = (pf.fliptest(standardize=True), pf.consistency(standardize=True))
    assert_frame_equal(pf.metrics(days, *metrics, **ASKED), expected)
    hundredths = days.with_columns(pl.col("x") / 100)
    assert_frame_equal(pf.metrics(hundredths, "fliptest", "consistency", **ASKED), expected)


def test_each_neighbourhood_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []
    search = ballot.votes
    monkeypatch.setattr(ballot, "votes", lambda *given: searches.append(1) or search(*given))
    frame = crowd(60, 1).rename({"x0": "x"})
    tests = [pf.fliptest(k=k).named(f"of_{k}") for k in (2, 3, 4, 6)]
    pf.metrics(frame, *tests, pf.consistency(k=2), "di", **ASKED)
    assert len(searches) == 5


# What changes nothing


@given(frames(least=3), st.randoms())
@several
def test_row_order(frame: pl.DataFrame, random: Any) -> None:
    order = list(range(frame.height))
    random.shuffle(order)
    for standardize in (False, True):
        metrics = (
            pf.fliptest(standardize=standardize),
            pf.consistency(standardize=standardize),
        )
        shuffled, as_it_was = (
            pf.metrics(rows, *metrics, **WITH_FEATURES) for rows in (frame[order], frame)
        )
        assert_frame_equal(shuffled, as_it_was)


@given(frames(least=3))
@several
def test_copies_and_counts_are_one(frame: pl.DataFrame) -> None:
    repeated = frame[[row for row, k in enumerate(frame["k"]) for _ in range(k)]]
    assert_frame_equal(both(frame, count="k"), both(repeated))
    metrics = (pf.fliptest(standardize=True), pf.consistency(standardize=True))
    by_count = pf.metrics(frame, *metrics, count="k", **WITH_FEATURES)
    assert_frame_equal(by_count, pf.metrics(repeated, *metrics, **WITH_FEATURES))


@given(frames(least=3))
@several
def test_cells_give_what_rows_give(frame: pl.DataFrame) -> None:
    for extra in ({}, {"weight": "w"}):
        cells = pf.cells(frame, **WITH_FEATURES, **extra)
        assert_frame_equal(both(cells, count="n", **extra), both(frame, **extra))


@given(frames(least=3))
@several
def test_column_types(frame: pl.DataFrame) -> None:
    expected = both(frame)
    for dtype in (pl.Float32(), pl.Decimal(10, 2)):
        assert_frame_equal(both(frame.cast({"u": dtype, "v": dtype})), expected)
    yes = frame.with_columns(u=pl.col("u") > 0)
    assert_frame_equal(both(yes), both(yes.cast({"u": pl.UInt8})))


@given(frames(least=3))
@several
def test_lazy_eager_streaming_and_in_memory(frame: pl.DataFrame) -> None:
    eager, lazy = both(frame), pf.metrics(frame.lazy(), "fliptest", "consistency", **WITH_FEATURES)
    assert lazy.collect_schema() == eager.schema
    assert_frame_equal(lazy.collect(engine="streaming"), eager)
    assert_frame_equal(lazy.collect(engine="in-memory"), eager)
    cases = pf.fliptest(frame, flips=True, **WITH_FEATURES)
    lazy_cases = pf.fliptest(frame.lazy(), flips=True, **WITH_FEATURES)
    assert lazy_cases.collect_schema() == cases.schema
    assert_frame_equal(lazy_cases.collect(engine="in-memory"), cases, check_row_order=False)


@given(frames(least=30))
@several
def test_a_window_is_a_filter(frame: pl.DataFrame) -> None:
    metrics = (pf.fliptest(k=5), pf.consistency(k=1))
    windows = pf.metrics(frame, *metrics, by="k", **WITH_FEATURES)
    for k in frame["k"].unique():
        alone = pf.metrics(frame.filter(k=k), *metrics, **WITH_FEATURES)
        assert_frame_equal(windows.filter(k=k).drop("k"), alone)


@given(frames(least=3))
@several
def test_several_facets_are_each_alone(frame: pl.DataFrame) -> None:
    together = both(frame, facet=["sex", "branch"], subgroup=None)
    alone = [both(frame, facet=facet, subgroup=None) for facet in ("branch", "sex")]
    assert_frame_equal(together, pl.concat(alone))


# What a call can say besides


def test_a_member_of_d_counts_its_weight_and_a_neighbour_one_vote() -> None:
    frame = at(F=[(0, 0), (9, 1)], M=[(0, 1), (0, 0), (0, 1), (9, 1)]).with_columns(
        w=pl.Series([2.5, 0.5, 1.0, 90.0, 1.0, 1.0])
    )
    told = pf.fliptest(frame, k=3, weight="w", **ASKED)
    assert told.row(0)[3:] == (3.0, 93.0, 2.5, 0.0, pytest.approx(2.5 / 3))
    assert told.schema["unfavorable_flips"] == pl.Float64


def test_who_weighs_nothing_does_not_vote() -> None:
    frame = at(F=[(0, 0)], M=[(0, 1), (0, 0), (0, 0)]).with_columns(w=pl.Series([1.0, 1, 0, 1]))
    told = pf.fliptest(frame, k=1, weight="w", **ASKED)
    cells = pf.cells(frame, weight="w", **ASKED)
    assert cells["n"].to_list() == [1, 1, 1]
    assert_frame_equal(pf.fliptest(cells, k=1, weight="w", count="n", **ASKED), told)
    without = frame.filter(pl.col("w") > 0)
    for told in (frame, without):
        assert pf.fliptest(told, flips=True, k=1, weight="w", **ASKED).is_empty()
        vote = pf.consistency(told, k=2, weight="w", predicted="p", features="x")
        assert vote["consistency"].to_list() == [pytest.approx(5 / 9)]


def test_sides_that_are_not_named() -> None:
    frame = at(F={0: 0, 10: 1}, M={1: 1, 11: 1}, X={10: 0})
    question = {**ASKED, "disfavored": None}
    told = pf.fliptest(frame, **question)
    assert told["disfavored"].to_list() == ["F", "M", "X"]
    # F at 10 has X on the spot, M at 11 too is nearest to X and F equally, X to F.
    assert told["fliptest"].to_list() == [0.0, -1.0, 1.0]
    against_m = pf.fliptest(frame, favored="M", **question)
    assert against_m["disfavored"].to_list() == ["F", "X"]
    assert against_m["fliptest"].to_list() == [0.5, 1.0]


def test_a_window_without_a_side_is_undefined() -> None:
    frame = at(F={0: 0, 1: 1}, M={0: 1, 2: 1}).with_columns(month=pl.Series([1, 2, 2, 3]))
    question = {**ASKED, "by": "month", "favored": "M"}
    told = pf.fliptest(frame, **question)
    assert told["n_disfavored"].to_list() == [1, 1, 0]
    assert told["fliptest"].to_list() == [None, 0.0, None]
    assert told["unfavorable_flips"].to_list() == [None, 0, 0]
    # 0/0 where d has no rows; where nobody votes there is still no number.
    clarifys = pf.fliptest(frame, zero_division=0.0, **question)
    assert clarifys["fliptest"].to_list() == [None, 0.0, 0.0]


def test_an_empty_frame_has_no_comparisons() -> None:
    empty = at(F={0: 0}).clear()
    assert pf.fliptest(empty, **ASKED).is_empty()
    assert pf.fliptest(empty, flips=True, **ASKED).columns[-3:] == ["sex", "x", "p"]
    assert pf.consistency(empty, predicted="p", features="x").is_empty()


def test_missing_features_follow_the_policy() -> None:
    frame = at(F={0: 0, 1: 1}, M={0: 1, math.nan: 0}).with_columns(z=pl.Series([1, None, 3, 4]))
    question = {**ASKED, "features": ["x", "z"]}
    with pytest.raises(
        FairnessError, match=r"^features: missing values: 'x' has 1, null or NaN; 'z' has 1; "
    ):
        pf.fliptest(frame, **question)
    assert pf.fliptest(frame, nulls="drop", **question).row(0)[3:] == (1, 1, 1, 0, 1.0)
    assert pf.fliptest(frame, nulls="drop", flips=True, **question)["x"].to_list() == [0.0]


# Whose outcome flips


def test_flips_are_rows_of_the_frame() -> None:
    frame = (
        crowd(400, 2).with_columns(name=pl.int_range(400).cast(pl.String)).with_row_index("by.0")
    )
    question = {**ASKED, "features": ["x0", "x1"]}
    told = pf.fliptest(frame, **question)
    cases = pf.fliptest(frame, flips=True, **question)
    shown = ["facet", "disfavored", "favored", "flip", "vote"]
    assert cases.columns == [*shown, *frame.columns]
    kinds = cases["flip"].value_counts().sort("flip")["count"].to_list()
    assert kinds == [told["favorable_flips"].item(), told["unfavorable_flips"].item()]
    assert (cases["p"] == (cases["flip"] == "favorable")).all()
    assert ((cases["vote"] > 0.5) != cases["p"]).all()
    assert cases["by.0"].is_sorted()
    assert_frame_equal(cases.drop(shown), frame.join(cases, on="name", how="semi"))
    # What plays no part is neither looked at nor lost.
    idle = frame.with_columns(grade=pl.Series([[5]] * 400, dtype=pl.Object), y=7)
    with_idle = pf.fliptest(idle, flips=True, label="y", **question)
    assert with_idle.columns == [*shown, *idle.columns]
    assert with_idle["name"].to_list() == cases["name"].to_list()


def test_flips_by_window_and_facet() -> None:
    frame = at(F={0: 0, 10: 0}, M={0: 1, 10: 1}).with_columns(
        old=pl.Series([True, False, False, True]), month=pl.Series([1, 2, 1, 2])
    )
    question = {**ASKED, "facet": ["sex", "old"], "disfavored": None, "favored": {"sex": "M"}}
    half = (pl.col("month") * 6).alias("half")
    cases = pf.fliptest(frame, flips=True, by=half, **question)
    assert cases.columns[:2] == ["half", "facet"]
    assert cases.select("half", "facet", "disfavored", "flip").rows() == [
        (6, "old", "false", "favorable"),
        (6, "old", "true", "unfavorable"),
        (6, "sex", "F", "unfavorable"),
        (12, "old", "false", "unfavorable"),
        (12, "old", "true", "favorable"),
        (12, "sex", "F", "unfavorable"),
    ]


def test_flips_in_a_window_without_a_name() -> None:
    frame = at(F={0: 0}, M={0: 1}).with_columns(month=pl.lit(None, pl.Int64))
    assert pf.fliptest(frame, flips=True, by="month", **ASKED)["x"].to_list() == [0.0]


def test_minus_nothing_is_nothing() -> None:
    frame = at(F=[(0.0, 0), (-0.0, 0)], M=[(0.0, 1), (-0.0, 1)])
    assert pf.fliptest(frame, flips=True, **ASKED).height == 2
    assert pf.cells(frame, **ASKED)["n"].to_list() == [2, 2]


def test_flips_refuse_a_column_they_would_hide() -> None:
    frame = at(F={0: 0}, M={0: 1}).with_columns(vote=1)
    with pytest.raises(FairnessError, match=r"^flips: the result has a column 'vote' beside"):
        pf.fliptest(frame, flips=True, **ASKED)
    frame = at(F={0: 0}, M={0: 1}).with_columns(month=1)
    for by in (pl.col("month") * 7, pl.col("month").alias("flip")):
        with pytest.raises(FairnessError, match=r"^flips: .* another name with \.alias"):
            pf.fliptest(frame, flips=True, by=by, **ASKED)
    months = pf.fliptest(
        frame, flips=True, by=[(pl.col("month") * 7).alias("own"), "month"], **ASKED
    )
    assert months.columns[0] == "own"
    assert months["month"].to_list() == [1]


# What cannot be asked


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"features": None}, r"^fliptest: needs features="),
        ({"features": []}, r"^fliptest: needs features="),
        ({"features": "sex"}, r"^features: 'sex' is String, .* encode it as numbers first: "),
        ({"features": pl.lit("a")}, r"^features: 'literal' is String"),
        ({"features": pl.date(2025, 1, 1).alias("d")}, r"^features: 'd' is Date, .*dt\.epoch"),
        ({"features": "xx"}, r"^features: no column 'xx'; did you mean 'x'\?"),
        ({"features": ["x", "p"]}, r"^features, predicted: 'p' cannot be both"),
        ({"k": 0}, r"^k: takes a whole number of neighbours, at least 1, got 0"),
        ({"k": 2.0}, r"^k: takes a whole number of neighbours, at least 1, got 2.0"),
        ({"k": True}, r"^k: takes a whole number of neighbours, at least 1, got True"),
        ({"standardize": "no"}, r"^standardize: takes True or False, got 'no'"),
        ({"progress": 1}, r"^progress: takes True, False or None, got 1"),
        ({"disfavored": "Z"}, r"^disfavored: 'Z' never occurs in 'sex', which has 'F' and 'M'"),
        (
            {"k": 3},
            r"^k: 3 neighbours are asked for, but there are only 2 rows on side a of 'sex', "
            r"with 'F' as side d; lower k",
        ),
        ({"k": 2, "by": "x"}, r"only 1 rows on side a of 'sex', with 'F' as side d, where 'x' is"),
    ],
)
def test_mistakes(question: dict[str, Any], message: str) -> None:
    frame = at(F={0: 0, 1: 0}, M={0: 1, 1: 1})
    with pytest.raises(FairnessError, match=message):
        pf.fliptest(frame, **{**ASKED, **question})


def test_consistency_of_too_few() -> None:
    with pytest.raises(
        FairnessError, match=r"^k: 5 neighbours .* only 2 rows; lower k, or leave the metric out"
    ):
        pf.consistency(at(F={0: 0}, M={0: 1}), predicted="p", features="x")


def test_infinity_is_nowhere() -> None:
    frame = at(F={0: 0, math.inf: 0}, M={0: 1})
    for nulls in ("raise", "drop"):
        with pytest.raises(FairnessError, match=r"^features: 'x' has infinite values"):
            pf.fliptest(frame, nulls=nulls, **ASKED)
    nobody = frame.with_columns(w=pl.Series([1.0, 0.0, 1.0]))
    assert pf.fliptest(nobody, weight="w", **ASKED)["n_disfavored"].to_list() == [1.0]


def test_any_whole_number_will_do() -> None:
    assert pf.fliptest(k=np.int64(3)) == pf.fliptest(k=3)
    assert pf.fliptest(standardize=True) != pf.fliptest()


def test_features_that_no_metric_needs_are_not_even_read() -> None:
    frame = at(F={0: 0, math.inf: 0}, M={0: 1})
    assert pf.dppl(frame, **ASKED)["dppl"].to_list() == [1.0]
    assert pf.rates(frame, **ASKED).height == 3


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    frame = at(F={0: 0}, M={0: 1})
    for flips in (False, True):
        with pytest.raises(ImportError, match=r'^features: .*"polars-fairness\[neighbours\]"'):
            pf.fliptest(frame, flips=flips, **ASKED)


def test_progress_is_shown_on_a_terminal_or_when_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = crowd(50, 1).rename({"x0": "x"})
    pf.fliptest(frame, **ASKED)
    pf.fliptest(frame, progress=False, **ASKED)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(ballot, "PATIENCE", 0)
    pf.fliptest(frame, **ASKED)
    assert capsys.readouterr().err == ""
    pf.fliptest(frame, progress=True, **ASKED)
    assert "nearest neighbours:" in capsys.readouterr().err


def test_a_metric_of_neighbours_goes_beside_others() -> None:
    frame = crowd(100, 1).rename({"x0": "x"})
    both_k = pf.metrics(frame, pf.fliptest(k=3), pf.fliptest(k=9).named("of_nine"), "di", **ASKED)
    assert both_k.columns[-3:] == ["fliptest", "of_nine", "di"]
    for name, k in (("fliptest", 3), ("of_nine", 9)):
        alone = pf.fliptest(frame, k=k, **ASKED)
        assert both_k[name].to_list() == alone["fliptest"].to_list()
    assert {"fliptest", "consistency"} <= set(pf.metrics(frame, **ASKED).columns)
