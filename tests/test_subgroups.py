"""Every group on a row of its own, the worst first."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date, time
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy.stats import beta as beta_distribution

import polars_fairness as pf
from polars_fairness import functions
from polars_fairness.subgroups import blocks
from polars_fairness.terms import Each, across, all_, g
from tests import reference
from tests.plans import scans_of
from tests.strategies import ATTRIBUTES, JOINTLY, joint_rows, people_of_many_groups

TOLD = ["fpsf", "fnsf", "spsf", "tpr_gap", "accuracy_gap", "fpr_ratio"]
TAKEN_APART = [name for name, metric in pf.CATALOGUE.items() if metric.parsed.each]

# Accepted of how many: F b 0 of 4, F w 2 of 4, M b 3 of 4, M w 7 of 8: 12 of 20.
PEOPLE = pl.DataFrame(
    {
        "sex": ["F"] * 8 + ["M"] * 12,
        "race": ["b"] * 4 + ["w"] * 4 + ["b"] * 4 + ["w"] * 8,
        "p": [0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0],
    }
)
QUESTION: dict[str, Any] = {"facet": ["sex", "race"], "predicted": "p"}


def test_by_hand() -> None:
    told = pf.subgroups(PEOPLE, "spsf", confidence=None, **QUESTION)
    shown = ["sex", "race", "depth", "n", "share", "rate", "rate_of_all", "alpha", "beta"]
    expected = [
        ("F", None, 1, 8, 0.4, 0.25, 0.6, 0.4, 0.35, 0.14, 1),
        ("M", None, 1, 12, 0.6, 10 / 12, 0.6, 0.6, 10 / 12 - 0.6, 0.14, 1),
        ("F", "b", 2, 4, 0.2, 0.0, 0.6, 0.2, 0.6, 0.12, 3),
        ("M", "w", 2, 8, 0.4, 0.875, 0.6, 0.4, 0.275, 0.11, 4),
        (None, "b", 1, 8, 0.4, 0.375, 0.6, 0.4, 0.225, 0.09, 5),
        (None, "w", 1, 12, 0.6, 0.75, 0.6, 0.6, 0.15, 0.09, 5),
        ("M", "b", 2, 4, 0.2, 0.75, 0.6, 0.2, 0.15, 0.03, 7),
        ("F", "w", 2, 4, 0.2, 0.5, 0.6, 0.2, 0.1, 0.02, 8),
    ]
    got = told.select(*shown, "alpha*beta", "rank")
    assert_frame_equal(got, pl.DataFrame(expected, schema=got.schema, orient="row"), abs_tol=1e-12)
    assert told["lower"].null_count() == told["upper"].null_count() == told.height


def test_a_gap_is_told_by_the_group_farthest_away() -> None:
    told = pf.subgroups(PEOPLE, "selection_rate_gap", depth=1, **QUESTION)
    gap, of_black = pytest.approx(10 / 12 - 0.25), pytest.approx(10 / 12 - 0.375)
    assert told.select("sex", "race", "rate", "alpha", "beta", "rank").rows() == [
        ("F", None, 0.25, 1.0, gap, 1),
        ("M", None, pytest.approx(10 / 12), 1.0, gap, 1),
        (None, "w", 0.75, 1.0, 0.5, 3),
        (None, "b", 0.375, 1.0, of_black, 4),
    ]


def test_of_equally_bad_groups_those_that_fix_less_come_first() -> None:
    frame = pl.DataFrame(
        {"sex": [*"FFFFMMMM"], "race": [*"bbwwbbww"], "p": [0, 0, 1, 1, 1, 0, 0, 1]}
    )
    told = pf.subgroups(frame, "spsf", **QUESTION)
    assert told.select("sex", "race", "rank").rows()[:5] == [
        (None, "b", 1),
        (None, "w", 1),
        ("F", "b", 1),
        ("F", "w", 1),
        ("F", None, 5),
    ]


def test_unknown_and_any_are_told_apart() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", "M", None], "race": ["b", None, None, "b"], "p": 1})
    told = pf.subgroups(frame, "spsf", **QUESTION)
    fixed = {
        (row["sex"], row["race"], row["fixed"]["sex"], row["fixed"]["race"]): row["n"]
        for row in told.iter_rows(named=True)
    }
    assert fixed == {
        ("F", None, True, False): 2,
        ("M", None, True, False): 1,
        (None, None, True, False): 1,
        (None, "b", False, True): 2,
        (None, None, False, True): 2,
        ("F", "b", True, True): 1,
        ("F", None, True, True): 1,
        ("M", None, True, True): 1,
        (None, "b", True, True): 1,
    }
    structs = told["group"].to_list()
    assert structs == [{"sex": a, "race": b} for a, b in told.select("sex", "race").rows()]
    known = pf.subgroups(frame, "spsf", unknown=False, **QUESTION)
    assert known.select("sex", "race", "n").sort("sex", "race").rows() == [
        (None, "b", 2),
        ("F", None, 2),
        ("F", "b", 1),
        ("M", None, 1),
    ]
    assert known.select(pl.col("n") / pl.col("share"))["n"].unique().to_list() == [4.0]


def brute_force(name: str, case: reference.JointCase) -> dict[Any, tuple[float | None, ...]]:
    """What every group has: rows, share, rate, alpha, beta and their product."""
    rate = {"fpsf": "fpr", "fnsf": "fnr", "spsf": "selection_rate"}.get(name)
    rate = rate or name.rpartition("_")[0]
    _, below = reference.RATES[rate]
    of_all = case.rate(rate, case.all)
    counts = {group: reference.Counts(rows) for group, rows in case.members.items()}
    rates = {group: case.rate(rate, each) for group, each in counts.items()}
    known = [each for each in rates.values() if each is not None]
    found: dict[Any, tuple[float | None, ...]] = {}
    for group, own in rates.items():
        alpha: Any = 1.0
        beta: Any = None
        if own is not None and name.endswith("_gap"):
            beta = max(abs(own - other) for other in known)
        elif own is not None and name.endswith("_ratio"):
            pairs = ((min(own, other), max(own, other)) for other in known)
            beta = min((low / high for low, high in pairs if high), default=None)
        elif own is not None:
            beta = abs(of_all - own)
        if not name.endswith(("_gap", "_ratio")):
            alpha = getattr(counts[group], below) / case.all.n
        product = None if beta is None else alpha * beta
        n = counts[group].n
        values = (n, n / case.all.n, own, alpha, beta, product)
        found[group] = tuple(None if each is None else float(each) for each in values)
    return found


@given(
    people_of_many_groups(),
    st.sampled_from(TOLD),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([0, 2]),
    st.booleans(),
    st.sampled_from([None, "w"]),
)
@settings(max_examples=150)
def test_every_group_by_brute_force(
    frame: pl.DataFrame,
    name: str,
    depth: int | None,
    least: int,
    unknown: bool,
    weight: str | None,
) -> None:
    case = reference.JointCase(
        joint_rows(frame, weight),
        set(),
        sizes=tuple(range(1, (depth or 3) + 1)),
        minimum_count=least,
        unknown=unknown,
    )
    expected = brute_force(name, case)
    told = pf.subgroups(
        frame,
        name,
        depth=depth,
        minimum_count=least,
        unknown=unknown,
        weight=weight,
        **JOINTLY,
    )
    found = {
        tuple((i, row[name]) for i, name in enumerate(ATTRIBUTES) if row["fixed"][name]): row
        for row in told.iter_rows(named=True)
    }
    assert found.keys() == expected.keys()
    for group, row in found.items():
        got = tuple(row[x] for x in ("n", "share", "rate", "alpha", "beta", "alpha*beta"))
        for mine, theirs in zip(got, expected[group], strict=True):
            assert (mine is None) == (theirs is None), group
            assert mine is None or mine == pytest.approx(theirs, rel=1e-12, abs=1e-12), group
        assert row["depth"] == len(group)
    sign = -1 if name.endswith("_ratio") else 1
    products = [None if x is None else sign * round(x, 10) for x in told["alpha*beta"]]
    known = [product for product in products if product is not None]
    assert products == sorted(known, reverse=True) + [None] * (len(products) - len(known))
    ranks = [None if x is None else 1 + sum(x < other for other in known) for x in products]
    assert told["rank"].to_list() == ranks


@given(
    people_of_many_groups(),
    st.sampled_from(TAKEN_APART),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([None, 3]),
)
@settings(max_examples=80)
def test_the_top_row_is_the_metric(
    frame: pl.DataFrame, name: str, depth: int | None, least: int | None
) -> None:
    of = {"depth": depth, "minimum_count": least}
    top = pf.subgroups(frame, name, **of, **JOINTLY)["alpha*beta"].to_list()[:1]
    metric = getattr(pf, name)(frame, groups="conjunctions", **of, **JOINTLY)[name].to_list()
    if top:
        assert metric == [pytest.approx(top[0], abs=1e-12)]
    else:
        assert metric in ([], [None])


@given(people_of_many_groups(), st.sampled_from([1, 2]))
@settings(max_examples=30)
def test_depth_is_a_filter_whatever_is_counted(frame: pl.DataFrame, depth: int) -> None:
    of_all = pf.subgroups(frame, "fpsf", **JOINTLY).drop("rank")
    expected = of_all.filter(pl.col("depth") <= depth)
    for most in (0, 20, 60, 10**6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(blocks, "MOST_CELLS", most)
            told = pf.subgroups(frame, "fpsf", depth=depth, **JOINTLY).drop("rank")
        assert_frame_equal(told, expected)


@given(people_of_many_groups(), st.sampled_from([1, 2, 3, 5, 9]), st.sampled_from([None, "branch"]))
@settings(max_examples=40)
def test_small_groups_are_pruned_whatever_is_counted(
    frame: pl.DataFrame, least: int, by: str | None
) -> None:
    of_all = pf.subgroups(frame, "spsf", by=by, **JOINTLY).drop("rank")
    rows = pl.col("n") >= least
    for at_once in (0, 10**6):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(blocks, "MOST_AT_ONCE", at_once)
            patch.setattr(blocks, "MOST_CELLS", 4)
            told = pf.subgroups(frame, "spsf", by=by, minimum_count=least, **JOINTLY)
        assert_frame_equal(told.drop("rank"), of_all.filter(rows))


def test_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 64 people with six attributes 8 share any three, and 4 any four."""
    everybody = pl.DataFrame(
        [[(i >> bit) & 1 for bit in range(6)] for i in range(64)], schema=[*"abcdef"], orient="row"
    ).with_columns(p=pl.lit(1))
    count = blocks._counted
    sizes: list[int] = []

    def watched(rows: Any, roles: Any, facets: Any) -> pl.LazyFrame:
        sizes.append(max(map(len, facets)))
        return count(rows, roles, facets)

    def counted(frame: pl.DataFrame, **asked: Any) -> list[int]:
        sizes.clear()
        told = pf.subgroups(frame, "spsf", facet=[*"abcdef"], predicted="p", **asked)
        assert told["depth"].max() == asked.get("depth", 3 if asked else 6)
        return [*sizes]

    monkeypatch.setattr(blocks, "_counted", watched)
    assert counted(everybody) == [6]
    # So few cells are counted at once, whatever is asked.
    assert counted(everybody, minimum_count=8) == counted(everybody, depth=2) == [1, 6]
    monkeypatch.setattr(blocks, "MOST_CELLS", 0)
    # 15 pairs of attributes have 60 cells, all attributes 64.
    assert counted(everybody, depth=1) == [1]
    assert counted(everybody, depth=2) == [1, 2]
    assert counted(everybody, depth=3) == [1, 6]
    # Every outcome that occurs divides a cell once more; more cells than rows there are not.
    decided = everybody.with_columns(p=pl.col("a"))
    assert counted(decided, depth=2) == [1, 6]
    assert counted(pl.concat([decided] * 2), depth=2) == [1, 2]
    monkeypatch.setattr(blocks, "MOST_COMBINATIONS", 14)
    assert counted(everybody, depth=2) == [1, 6]
    monkeypatch.setattr(blocks, "MOST_COMBINATIONS", 20)
    # Too many at once: level by level, until no group is large enough.
    monkeypatch.setattr(blocks, "MOST_AT_ONCE", 63)
    assert counted(everybody, minimum_count=8) == [1, 2, 3, 4]
    monkeypatch.setattr(blocks, "MOST_AT_ONCE", 64)
    assert counted(everybody, minimum_count=8) == [1, 6]
    assert counted(pl.concat([everybody] * 2), minimum_count=16) == [1, 6]


def of_forty_attributes() -> pl.DataFrame:
    """A hundred people, 60 of whom share three attributes; of each other attribute 50 have it."""
    three = {f"a{i}": [row < 60 for row in range(100)] for i in range(3)}
    others = {
        f"a{i}": [(row >> i % 6) % 2 == i // 6 % 2 for row in range(64)] for i in range(3, 40)
    }
    others = {name: [*first, *([True, False] * 18)] for name, first in others.items()}
    return pl.DataFrame({**three, **others, "p": [row % 3 == 0 for row in range(100)]})


@pytest.mark.parametrize("at_once", [0, 10**7])
def test_work_is_bounded_by_the_groups_that_are_large_enough(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Forty attributes have 10**12 subsets; seven of them have a group of 60 or more."""
    monkeypatch.setattr(blocks, "MOST_CELLS", 4)
    monkeypatch.setattr(blocks, "MOST_AT_ONCE", at_once)
    counted: list[list[str]] = []
    count = blocks._counted

    def watched(rows: Any, roles: Any, facets: Any) -> pl.LazyFrame:
        counted.append([" ".join(facet.name for facet in block) for block in facets])
        return count(rows, roles, facets)

    monkeypatch.setattr(blocks, "_counted", watched)
    frame = of_forty_attributes()
    names = [name for name in frame.columns if name != "p"]
    question: dict[str, Any] = {"facet": names, "predicted": "p"}
    told = pf.subgroups(frame, "spsf", minimum_count=60, **question)
    fixed = {
        tuple(name for name in names if row["fixed"][name]): row["n"]
        for row in told.iter_rows(named=True)
    }
    subsets = [each for size in (1, 2, 3) for each in combinations(names[:3], size)]
    assert fixed == dict.fromkeys(subsets, 60)
    everything = [" ".join(names)]
    level_by_level = [["a0 a1", "a0 a2", "a1 a2"], ["a0 a1 a2"]]
    assert counted[1:] == ([everything] if at_once else level_by_level)
    of_groups = pf.spsf(frame, groups="conjunctions", minimum_count=60, **question)
    assert of_groups["spsf"].item() == pytest.approx(told["alpha*beta"][0], abs=1e-12)


def test_blocks_cover_every_combination(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen_blocks(*values: int, beside: int = 1) -> list[list[int]]:
        triples = combinations(range(len(values)), 3)
        return blocks.chosen_blocks(triples, values, beside, blocks.MOST_CELLS)

    for most, cells in ((1, 6**3), (6**4, 6**4), (6**5, 6**5), (6**8, 6**8)):
        monkeypatch.setattr(blocks, "MOST_CELLS", most)
        chosen = chosen_blocks(*[6] * 8)
        for three in combinations(range(8), 3):
            assert any({*three} <= {*block} for block in chosen)
        assert max(6 ** len(block) for block in chosen) == cells
    assert chosen == [[*range(8)]]
    # One of very many values is only ever beside two others.
    monkeypatch.setattr(blocks, "MOST_CELLS", 6**5)
    chosen = chosen_blocks(10_000, *[6] * 7)
    assert all(len(block) == 3 for block in chosen if 0 in block)
    assert any(len(block) == 5 for block in chosen)
    # Where each group is divided into six, there is room for an attribute less.
    assert max(map(len, chosen_blocks(*[6] * 8, beside=6))) == 4


def test_one_count_of_everything_where_a_group_may_fix_all() -> None:
    lazy = pf.subgroups(PEOPLE.lazy(), "spsf", **QUESTION)
    assert scans_of(lazy) == 1
    by_value = pf.subgroups(PEOPLE.lazy(), "spsf", depth=1, **QUESTION)
    assert scans_of(by_value) == 2


def test_nothing_runs_at_the_call(tmp_path: Path) -> None:
    def refuse(_: pl.DataFrame) -> pl.DataFrame:
        pytest.fail("the rows were read")

    three = {**JOINTLY, "depth": 2}
    frame = pl.LazyFrame(schema={"sex": pl.String, "race": pl.String, "age": pl.Int8})
    frame = frame.with_columns(y=pl.lit(True), p=pl.lit(True))
    lazy = pf.subgroups(frame.map_batches(refuse), "fpsf", **three)
    assert isinstance(lazy, pl.LazyFrame)
    assert lazy.collect_schema() == pf.subgroups(frame.collect(), "fpsf", **three).schema


@pytest.mark.parametrize("depth", [None, 1, 2])
def test_the_plan_can_be_sent_elsewhere(depth: int | None) -> None:
    frame = PEOPLE.with_columns(age=pl.Series([30, 60] * 10)).lazy()
    question: dict[str, Any] = {**QUESTION, "facet": ["sex", "race", "age"], "depth": depth}
    for metric in ("spsf", "selection_rate_gap", "selection_rate_ratio"):
        lazy = pf.subgroups(frame, metric, shrink=True, **question)
        returned = pl.LazyFrame.deserialize(io.BytesIO(lazy.serialize()))
        assert_frame_equal(returned.collect(), lazy.collect())


@given(people_of_many_groups(least=1), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_rows_cells_shards_engines_and_order_change_nothing(
    frame: pl.DataFrame, random: Any
) -> None:
    for depth in (None, 2):
        ask = {"metric": "fpsf", "depth": depth, "shrink": True}
        expected = pf.subgroups(frame, **ask, **JOINTLY)
        order = [*range(frame.height)]
        random.shuffle(order)
        shuffled = pl.concat([frame[order[:7]], frame[order[7:]]], rechunk=False)
        assert_frame_equal(pf.subgroups(shuffled, **ask, **JOINTLY), expected)
        for engine in ("streaming", "in-memory"):
            lazy = pf.subgroups(frame.lazy(), **ask, **JOINTLY)
            assert_frame_equal(lazy.collect(engine=engine), expected)
        shards = [pf.cells(part, **JOINTLY) for part in (frame[::2], frame[1::2])]
        of_cells = pf.subgroups(pl.concat(shards), **ask, count="n", **JOINTLY)
        assert_frame_equal(of_cells, expected)


@given(people_of_many_groups(least=1))
@settings(max_examples=25)
def test_copies_weights_and_counts_are_one(frame: pl.DataFrame) -> None:
    copies = frame[[i for i, k in enumerate(frame["k"]) for _ in range(k)]]
    expected = pf.subgroups(copies, "fnsf", **JOINTLY)
    assert_frame_equal(pf.subgroups(frame, "fnsf", count="k", **JOINTLY), expected)
    weighted = pf.subgroups(frame, "fnsf", weight="k", **JOINTLY)
    # A weight makes no rows, and so no narrower intervals.
    of_rows = ["lower", "upper"]
    numbers = pl.col("n").cast(pl.Int64)
    assert_frame_equal(weighted.with_columns(numbers).drop(of_rows), expected.drop(of_rows))


@given(people_of_many_groups(least=1))
@settings(max_examples=25)
def test_a_window_is_a_filter(frame: pl.DataFrame) -> None:
    for ask in ({"metric": "tpr_gap"}, {"metric": "fpsf", "shrink": True, "depth": 2}):
        told = pf.subgroups(frame, **ask, by="branch", **JOINTLY)
        for branch in frame["branch"].unique():
            inside = pl.col("branch").eq_missing(pl.lit(branch))
            alone = pf.subgroups(frame.filter(inside), **ask, **JOINTLY)
            assert_frame_equal(told.filter(inside).drop("branch"), alone)


def test_intervals_are_those_of_wilson() -> None:
    """Newcombe 1998: 81 of 263 are between 0.2553 and 0.3662."""
    frame = pl.DataFrame({"sex": "F", "p": [1] * 81 + [0] * 182})
    told = pf.subgroups(frame, "spsf", facet="sex", predicted="p")
    assert told.select(pl.col("lower", "upper").round(4)).row(0) == (0.2553, 0.3662)
    narrow = pf.subgroups(frame, "spsf", facet="sex", predicted="p", confidence=0.5)
    assert narrow["lower"].item() > told["lower"].item()


def test_intervals_of_weighted_rows_are_those_of_as_many_alike() -> None:
    frame = PEOPLE.with_columns(w=pl.lit(3.0))
    bounds = ["lower", "upper"]
    weighted = pf.subgroups(frame, "spsf", weight="w", **QUESTION)
    assert_frame_equal(
        weighted.select(bounds), pf.subgroups(PEOPLE, "spsf", **QUESTION).select(bounds)
    )
    # 10 rows of which one weighs as much as the others together are worth (18)²/(9² + 9) = 3.6.
    uneven = pl.DataFrame({"sex": "F", "p": [1] * 5 + [0] * 5, "w": [9.0] + [1.0] * 9})
    [told] = pf.subgroups(uneven, "spsf", weight="w", facet="sex", predicted="p").rows(named=True)
    rate, n, z = 13 / 18, 3.6, 1.959963984540054
    middle = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z * (rate * (1 - rate) / n + z**2 / (4 * n**2)) ** 0.5 / (1 + z**2 / n)
    assert told["lower"] == pytest.approx(middle - reach)
    assert told["upper"] == pytest.approx(middle + reach)


def test_squares_are_of_the_rows_that_a_rate_is_about() -> None:
    """The heavy row is observed positive: of fpr there are four rows of weight 1."""
    frame = pl.DataFrame(
        {"sex": "F", "y": [1, 0, 0, 0, 0], "p": [1, 1, 1, 0, 0], "w": [90.0, 1, 1, 1, 1]}
    )
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    weighted = pf.subgroups(frame, "fpsf", weight="w", **question)
    expected = pf.subgroups(frame, "fpsf", **question)
    assert_frame_equal(weighted.select("lower", "upper"), expected.select("lower", "upper"))


def groups_of(yes: list[int], of: list[int]) -> pl.DataFrame:
    """So many accepted of so many in each group."""
    parts = [
        {"group": f"{i:03}", "p": accepted, "n": n}
        for i, (y, m) in enumerate(zip(yes, of, strict=True))
        for accepted, n in ((1, y), (0, m - y))
    ]
    return pl.DataFrame(parts)


def shrunken(frame: pl.DataFrame, **settings_of: Any) -> pl.DataFrame:
    attribute = pl.col("group").alias("unit")
    return pf.subgroups(
        frame, "spsf", facet=attribute, predicted="p", count="n", shrink=True, **settings_of
    ).sort("unit")


def test_shrinking_by_hand() -> None:
    """Groups of 20 with 2, 10 and 18: mean 1/2, between groups 5.9/9.5 of the variance.

    S = 20·0.16·2 = 6.4; within 0.25·2 = 0.5; room 60 − 1200/60 − 2 = 38, times 0.25 is 9.5. The
    strength is 9.5/5.9 − 1 = 3.6/5.9.
    """
    told = shrunken(groups_of([2, 10, 18], [20, 20, 20]))
    worth = 3.6 / 5.9
    expected = [(yes + worth / 2) / (20 + worth) for yes in (2, 10, 18)]
    assert told["shrunken_rate"].to_list() == pytest.approx(expected)
    assert told["rate"].to_list() == [0.1, 0.5, 0.9]
    assert told["beta"].to_list() == pytest.approx([abs(0.5 - each) for each in expected])
    for row, rate in zip(told.iter_rows(named=True), expected, strict=True):
        yes, no = rate * (20 + worth), (1 - rate) * (20 + worth)
        bounds = beta_distribution.ppf([0.025, 0.975], yes, no)
        assert (row["lower"], row["upper"]) == pytest.approx(tuple(bounds))


def test_alike_groups_are_drawn_together_and_no_closer_than_all_rows_allow() -> None:
    """10 of 20 in each: as strong as all 60 rows. 8, 10 and 12 differ by less than chance does."""
    for yes in ([10, 10, 10], [9, 10, 11]):
        told = shrunken(groups_of(yes, [20, 20, 20]))
        expected = [(each + 60 / 2) / 80 for each in yes]
        assert told["shrunken_rate"].to_list() == pytest.approx(expected)


def test_all_or_nothing() -> None:
    told = shrunken(groups_of([0, 0], [5, 9]))
    assert told["shrunken_rate"].to_list() == told["lower"].to_list() == [0, 0]
    # An outcome that never was is half a row: of 5 and 14 more, of 9 and 14 more.
    expected = [beta_distribution.ppf(0.975, 0.5, n) for n in (19, 23)]
    assert told["upper"].to_list() == pytest.approx(expected)
    everybody = shrunken(groups_of([5, 9], [5, 9]))
    assert everybody["shrunken_rate"].to_list() == everybody["upper"].to_list() == [1, 1]
    assert everybody["lower"].to_list() == pytest.approx([1 - each for each in expected])
    apart = shrunken(groups_of([0, 9], [9, 9]))
    assert apart["shrunken_rate"].to_list() == [0, 1]
    alone = shrunken(groups_of([3], [9]))
    assert alone["shrunken_rate"].to_list() == pytest.approx([1 / 3])


def test_peers_that_overlap_are_not_more_than_everybody() -> None:
    """Three attributes, each alike for all 40: the strength is 40 rows, and not 120."""
    frame = pl.DataFrame({"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10, "p": [0] * 20 + [1] * 20})
    for attributes in (["a"], ["a", "b"]):
        told = pf.subgroups(frame, "spsf", facet=attributes, predicted="p", depth=1, shrink=True)
        bounds = beta_distribution.ppf([0.025, 0.975], 30, 30)
        assert told.select("lower", "upper").row(0) == pytest.approx(tuple(bounds))
    weighted = pf.subgroups(
        frame.with_columns(w=3.0), "spsf", facet=["a", "b"], predicted="p", weight="w", shrink=True
    )
    alike = pf.subgroups(frame, "spsf", facet=["a", "b"], predicted="p", shrink=True)
    bounds = ["shrunken_rate", "lower", "upper"]
    assert_frame_equal(weighted.select(bounds), alike.select(bounds))


def test_shrinking_where_nobody_has_the_rate() -> None:
    """Groups that are all one thing or another are not drawn; the third has no rate to draw."""
    frame = pl.DataFrame(
        {
            "sex": ["F"] * 5 + ["M"] * 5 + ["X"] * 3,
            "y": [0] * 10 + [1] * 3,
            "p": [0] * 5 + [1] * 5 + [1, 0, 1],
        }
    )
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p", "shrink": True}
    told = pf.subgroups(frame, "fpr_gap", **question).select("sex", "shrunken_rate", "rank")
    assert told.rows() == [("F", 0.0, 1), ("M", 1.0, 1), ("X", None, None)]
    told = pf.subgroups(frame, "fpr_gap", zero_division=0.0, **question)
    assert told.filter(sex="X")["shrunken_rate"].to_list() == [0.5]
    nobody = frame.filter(sex="X")
    told = pf.subgroups(nobody, "fpsf", **question)
    assert told.select("rate", "shrunken_rate", "lower", "rank").row(0) == (None,) * 4


def test_ties_are_ties_but_for_the_last_digits() -> None:
    frame = pl.DataFrame(
        {
            "sex": [*"FFMM"],
            "p": [1, 0, 1, 0],
            "n": [1_000_003, 999_998, 2_000_000, 1_999_999],
        }
    )
    told = pf.subgroups(frame, "spsf", facet="sex", predicted="p", count="n")
    assert told["rank"].to_list() == [1, 1]
    weights = [0.1, 0.2, 0.3, 0.7] * 2
    half = pl.DataFrame(
        {"a": [*"xyzuxyzu"], "b": [*"vwvwvwvw"], "p": [0] * 4 + [1] * 4, "w": weights}
    )
    for seed in range(5):
        shuffled = half.sample(fraction=1, shuffle=True, seed=seed)
        told = pf.subgroups(shuffled, "spsf", facet=["a", "b"], predicted="p", weight="w")
        assert told["rank"].unique().to_list() == [1]
        assert told.select("a", "b").rows()[:3] == [("u", None), ("x", None), ("y", None)]


def test_the_distribution_of_rates_is_found_again() -> None:
    random = np.random.default_rng(7)
    rates = random.beta(2, 6, 400)
    of = random.integers(5, 60, 400)
    yes = random.binomial(of, rates)
    told = shrunken(groups_of(yes.tolist(), of.tolist()))
    drawn, raw = told["shrunken_rate"].to_numpy(), told["rate"].to_numpy()
    # Their strength is 8: a group of 8 rows lies half way between its own rate and the mean.
    mean = yes.sum() / of.sum()
    worth = of * (drawn - raw) / (mean - drawn)
    assert np.median(worth) == pytest.approx(8, rel=0.2)
    assert ((drawn - rates) ** 2).mean() < 0.7 * ((raw - rates) ** 2).mean()
    inside = (told["lower"].to_numpy() <= rates) & (rates <= told["upper"].to_numpy())
    assert 0.93 < inside.mean() < 0.97


def test_peers_fix_as_many_attributes_in_the_same_window() -> None:
    frame = PEOPLE.with_columns(branch=pl.lit("n"))
    other = PEOPLE.with_columns(p=1 - pl.col("p"), branch=pl.lit("s"))
    told = pf.subgroups(pl.concat([frame, other]), "spsf", by="branch", shrink=True, **QUESTION)
    alone = pf.subgroups(PEOPLE, "spsf", shrink=True, **QUESTION)
    assert_frame_equal(told.filter(branch="n").drop("branch"), alone)
    values = pf.subgroups(PEOPLE, "spsf", depth=1, shrink=True, **QUESTION)
    keys = ["sex", "race", "shrunken_rate", "lower", "upper"]
    assert_frame_equal(alone.filter(depth=1).select(keys), values.select(keys))


def test_a_group_without_a_rate_comes_last() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", "M"], "y": [0, 0, 1], "p": [1, 0, 1]})
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    told = pf.subgroups(frame, "fpsf", **question)
    last = told.row(-1, named=True)
    assert (last["sex"], last["alpha"]) == ("M", 0.0)
    nothing = ("rate", "lower", "upper", "beta", "alpha*beta", "rank")
    assert [last[name] for name in nothing] == [None] * 6
    told = pf.subgroups(frame, "fpsf", shrink=True, **question)
    last = told.filter(sex="M").row(0, named=True)
    assert [last[name] for name in ("shrunken_rate", *nothing)] == [None] * 7


def test_a_metric_of_ones_own() -> None:
    each = Each("base_rate", g.n / all_.n, (g.base_rate - all_.base_rate).abs())
    metric = pf.Metric(
        name="base_rates_apart",
        title="",
        formula=across((each.share * each.distance).max(), each=each),
    )
    told = pf.subgroups(PEOPLE, metric, facet=["sex", "race"], label="p")
    expected = pf.subgroups(PEOPLE, "spsf", **QUESTION)
    assert_frame_equal(told, expected)
    with pytest.raises(pf.FairnessError, match="base_rates_apart: needs label="):
        pf.subgroups(PEOPLE, metric, **QUESTION)


def test_a_share_of_ones_own_is_of_its_window() -> None:
    each = Each("selection_rate", g.n / g.n.max(), (g.selection_rate - all_.selection_rate).abs())
    metric = pf.Metric(
        name="own", title="", formula=across((each.share * each.distance).max(), each=each)
    )
    frame = PEOPLE.with_columns(month=pl.Series([1] * 12 + [2] * 8))
    told = pf.subgroups(frame, metric, by="month", **QUESTION)
    for month in (1, 2):
        alone = pf.subgroups(frame.filter(month=month), metric, **QUESTION)
        assert_frame_equal(told.filter(month=month).drop("month"), alone)


@pytest.mark.parametrize(
    "values",
    [
        pl.Series(["M", "F", None], dtype=pl.Enum(["M", "F"])),
        pl.Series(["M", "F", None], dtype=pl.Categorical),
        pl.Series([True, False, None]),
        pl.Series([3, -1, None], dtype=pl.Int8),
        pl.Series([date(2020, 1, 1), date(1999, 1, 1), None]),
        pl.Series(["1.50", "0.25", None]).cast(pl.Decimal(5, 2)),
        pl.Series([time(1, 2, 3, 4), time(1, 2, 3, 5), None]),
        pl.Series([0.5, 0.0, float("nan")], dtype=pl.Float32),
    ],
)
def test_attributes_of_any_type(values: pl.Series) -> None:
    index = pl.Series([0, 1, 2, 0, 1, 2, 0, 1, 2, 0])
    of_type = PEOPLE[:10].with_columns(sex=values.gather(index))
    as_text = PEOPLE[:10].with_columns(sex=pl.Series(["x", "y", None]).gather(index))
    told = pf.subgroups(of_type, "spsf", **QUESTION)
    assert told.schema["sex"] == values.dtype
    numbers = ["depth", "n", "rate", "alpha*beta", "rank"]
    order = ["rank", "depth", "n", "rate"]
    expected = pf.subgroups(as_text, "spsf", **QUESTION)
    assert_frame_equal(told.select(numbers).sort(order), expected.select(numbers).sort(order))
    fixed = pl.col("fixed").struct.field("sex")
    assert told.filter(fixed, pl.col("sex").is_null(), depth=1)["n"].to_list() == [3]


@pytest.mark.parametrize(
    "names",
    [("n", "p"), ("", " "), ("facet", "value"), ("*", "^a$"), ("a.b", "ü\x1f"), ("__a", "sq")],
)
def test_hostile_names(names: tuple[str, str]) -> None:
    renamed = PEOPLE.rename({"p": "decided"}).rename(dict(zip(["sex", "race"], names, strict=True)))
    if names[0] == "n":
        with pytest.raises(pf.FairnessError, match="facet: the result has a column called 'n' al"):
            pf.subgroups(renamed, "spsf", facet=[*names], predicted="decided")
        return
    told = pf.subgroups(renamed, "spsf", facet=[*names], predicted="decided")
    expected = pf.subgroups(PEOPLE, "spsf", **QUESTION)
    assert told.columns[:2] == [*names]
    assert told.rows()[0][4:] == expected.rows()[0][4:]
    assert told["group"].struct.fields == [*names]


def test_values_may_be_hostile_too() -> None:
    hostile = {"F": "\x1e", "M": ""}
    frame = PEOPLE.with_columns(pl.col("sex").replace_strict(hostile))
    told = pf.subgroups(frame, "spsf", **QUESTION)
    expected = pf.subgroups(PEOPLE, "spsf", **QUESTION)
    assert_frame_equal(
        told.select("n", "rate", "rank").sort("rank", "n"),
        expected.select("n", "rate", "rank").sort("rank", "n"),
    )


def test_a_thousand_values() -> None:
    frame = pl.DataFrame(
        {"a": range(1000), "b": [i % 7 for i in range(1000)], "c": 1}
    ).with_columns(p=pl.col("a") % 3 == 0)
    question: dict[str, Any] = {"facet": ["a", "b", "c"], "predicted": "p"}
    assert pf.subgroups(frame, "spsf", depth=2, **question).height == 1008 + 1000 + 1000 + 7
    assert pf.subgroups(frame, "spsf", minimum_count=10, **question).height == 1 + 7 + 7


def test_empty_frames_and_none_left() -> None:
    for frame, settings_of in ((PEOPLE.clear(), {}), (PEOPLE, {"minimum_count": 99})):
        for more in ({}, {"depth": 1}, {"shrink": True}):
            told = pf.subgroups(frame, "spsf", **settings_of, **more, **QUESTION)
            assert told.is_empty()
    three = pf.subgroups(
        pl.DataFrame(schema={"a": pl.String, "b": pl.Null, "c": pl.Int8, "p": pl.Boolean}),
        "spsf",
        facet=["a", "b", "c"],
        predicted="p",
        depth=2,
    )
    assert three.is_empty()
    [one] = pf.subgroups(PEOPLE[:1], "spsf", depth=1, facet="sex", predicted="p").rows(named=True)
    assert (one["n"], one["rate"], one["alpha*beta"], one["rank"]) == (1, 0.0, 0.0, 1)


def test_zero_division_is_a_rate() -> None:
    frame = pl.DataFrame({"sex": ["F", "F", "M"], "y": [0, 0, 1], "p": [1, 0, 1]})
    question: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": "p"}
    for weight in (None, "w"):
        told = pf.subgroups(
            frame.with_columns(w=2.0), "fpsf", zero_division=0.0, weight=weight, **question
        ).filter(sex="M")
        assert told.select("rate", "alpha", "beta").row(0) == (0.0, 0.0, 0.5)
        assert told.select("lower", "upper").row(0) == (0.0, 1.0)


def test_never_nan() -> None:
    """A group that the rate is not about: 0 times infinity."""
    frame = pl.DataFrame({"sex": ["F", "F", "M"], "y": [0, 0, 1], "p": [1, 0, 1]})
    told = pf.subgroups(
        frame, "fpsf", facet="sex", label="y", predicted="p", zero_division=float("inf")
    )
    assert told.select("sex", "alpha*beta", "rank").rows() == [("F", 0.0, 1), ("M", None, None)]


def test_a_metric_may_have_its_groups_with_it() -> None:
    for of in ({"groups": "conjunctions", "depth": 1}, {"groups": "intersections"}):
        told = pf.subgroups(PEOPLE, pf.spsf(**of, unknown=False), **QUESTION)
        assert told["depth"].unique().to_list() == [of.get("depth", 2)]
        assert told["alpha*beta"][0] == pytest.approx(pf.spsf(PEOPLE, **of, **QUESTION)["spsf"][0])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: pf.subgroups(PEOPLE, pf.spsf(groups="intersections"), depth=1, **QUESTION),
            "depth, minimum_count, unknown: 'spsf' has groups of its own; say there which",
        ),
        (
            lambda: pf.subgroups(PEOPLE, "dppl", **QUESTION),
            "metric: 'dppl' does not tell what each group has in it; give one that does, 'sele",
        ),
        (
            lambda: pf.subgroups(PEOPLE, "equalized_odds_gap", label="p2", **QUESTION),
            "label: no column 'p2'",
        ),
        (lambda: pf.subgroups(PEOPLE, "fps", **QUESTION), "no metric 'fps'; did you mean 'fpsf'"),
        (lambda: pf.subgroups(PEOPLE, "fpsf", **QUESTION), "fpsf: needs label="),
        (lambda: pf.subgroups(PEOPLE, "spsf", predicted="p"), "spsf: needs facet="),
        (
            lambda: pf.subgroups(PEOPLE, "spsf", depth=0, **QUESTION),
            "depth: takes a whole number of attributes, or None for all, at least 1, got 0",
        ),
        (
            lambda: pf.subgroups(PEOPLE, "spsf", minimum_count=1.5, **QUESTION),
            r"minimum_count: takes a whole number of rows, or None, at least 0, got 1\.5",
        ),
        (
            lambda: pf.subgroups(PEOPLE, "spsf", shrink="yes", **QUESTION),
            "shrink: takes True or False, got 'yes'",
        ),
        (
            lambda: pf.subgroups(PEOPLE, "spsf", confidence=2, **QUESTION),
            "confidence: takes a number between 0 and 1, or None, got 2",
        ),
        (
            lambda: pf.subgroups(
                PEOPLE, "spsf", facet=pl.struct("sex", "race").alias("both"), predicted="p"
            ),
            "facet: 'both' is an intersection already",
        ),
        (
            lambda: pf.subgroups(
                PEOPLE.rename({"sex": "rank"}), "spsf", facet=["rank", "race"], predicted="p"
            ),
            "facet: the result has a column called 'rank' already",
        ),
        (
            lambda: pf.subgroups(PEOPLE, "spsf", by=pl.lit(1).alias("rank"), **QUESTION),
            "by: the result has a column called 'rank' already",
        ),
        (
            lambda: Each("f1", g.n, g.n),
            "rate: takes 'selection_rate', .* got 'f1'",
        ),
    ],
)
def test_what_cannot_be_meant(ask: Callable[[], Any], message: str) -> None:
    with pytest.raises(pf.FairnessError, match=message):
        ask()


def test_errors_of_the_data_are_told_when_it_runs() -> None:
    broken = PEOPLE.with_columns(p=pl.lit(None, pl.Int64), age=pl.lit(1))
    for depth in (None, 1, 2):
        question = {**QUESTION, "facet": ["sex", "race", "age"]}
        lazy = pf.subgroups(broken.lazy(), "spsf", depth=depth, **question)
        for engine in ("streaming", "in-memory"):
            with pytest.raises(pf.FairnessError, match="predicted: missing values: 'p' has 20"):
                lazy.collect(engine=engine)
        dropped = pf.subgroups(broken, "spsf", depth=depth, nulls="drop", **question)
        assert dropped.is_empty()


def test_intervals_of_shrunken_rates_take_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    with pytest.raises(ImportError, match=r'pip install "polars-fairness\[significance\]"'):
        pf.subgroups(PEOPLE, "spsf", shrink=True, **QUESTION)
    told = pf.subgroups(PEOPLE, "spsf", shrink=True, confidence=None, **QUESTION)
    assert told["lower"].null_count() == 8


def test_sides_and_strata_play_no_part() -> None:
    expected = pf.subgroups(PEOPLE, "spsf", **QUESTION)
    more = {"subgroup": pl.int_range(pl.len()).alias("row"), "disfavored": {"sex": "F"}}
    assert_frame_equal(pf.subgroups(PEOPLE, "spsf", **more, **QUESTION), expected)


def test_the_method_is_the_function() -> None:
    lazy = PEOPLE.lazy().fairness.subgroups(metric="spsf", **QUESTION)
    assert_frame_equal(lazy.collect(), functions.subgroups(PEOPLE, "spsf", **QUESTION))
