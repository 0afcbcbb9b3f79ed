"""Changes of the data that do not change the answer, over random data."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.strategies import WITH_SCORES, examples, frames


def every_metric(frame: pl.DataFrame, **question: Any) -> pl.DataFrame:
    return pf.metrics(frame, **{**WITH_SCORES, **question})


def assert_same(left: pl.DataFrame, right: pl.DataFrame) -> None:
    """Equal but for the last digits, which depend on the order floats are added in."""
    assert_frame_equal(left, right, rel_tol=1e-9, abs_tol=1e-12)


several = examples(20)


@given(frames(), st.randoms())
@several
def test_row_order_and_chunks_change_nothing(frame: pl.DataFrame, random: Any) -> None:
    order = list(range(frame.height))
    random.shuffle(order)
    cut = frame.height // 2
    shuffled = frame[order]
    chunked = pl.concat([shuffled[:cut], shuffled[cut:]], rechunk=False)
    assert_same(every_metric(chunked), every_metric(frame))
    assert_same(every_metric(chunked, weight="w"), every_metric(frame, weight="w"))


SIZES = ("n_disfavored", "n_favored", "n_unknown")
OF_PEOPLE = (
    *("two_sd", "z_ratio", "cohens_d", "cmh", "breslow_day"),
    *("differential_fairness", "spread", "smd"),
)


@given(frames())
@several
def test_a_count_gives_what_its_copies_give(frame: pl.DataFrame) -> None:
    repeated = frame[[row for row, k in enumerate(frame["k"]) for _ in range(k)]]
    by_rows = every_metric(repeated)
    assert_same(every_metric(frame, count="k"), by_rows)
    # A weight is not a number of people, and some metrics depend on the number.
    by_weight = every_metric(frame, weight="k").drop(OF_PEOPLE)
    assert_same(by_weight, by_rows.drop(OF_PEOPLE).cast(dict.fromkeys(SIZES, pl.Float64)))


@given(frames(), st.sampled_from([1e-50, 1e-3, 0.3, 1e3, 1e50]))
@several
def test_the_unit_of_weights_changes_nothing(frame: pl.DataFrame, unit: float) -> None:
    rescaled = frame.with_columns(pl.col("w") * unit)
    one, other = (every_metric(each, weight="w", by="k") for each in (frame, rescaled))
    assert_same(other.drop(SIZES), one.drop(SIZES))


@given(frames())
@several
def test_equal_weights_give_what_no_weights_give(frame: pl.DataFrame) -> None:
    equal = every_metric(frame.with_columns(w=pl.lit(0.25)), weight="w")
    assert_same(equal.drop(SIZES), every_metric(frame).drop(SIZES))


@given(frames())
@several
def test_rows_of_weight_0_change_nothing(frame: pl.DataFrame) -> None:
    weightless = frame.with_columns(w=pl.lit(0.0), sex=pl.lit("Z"))
    beside = every_metric(pl.concat([frame, weightless]), weight="w")
    alone = every_metric(frame, weight="w")
    assert_same(beside.drop("rows_dropped"), alone.drop("rows_dropped"))
    assert set(beside["rows_dropped"] - alone["rows_dropped"]) == {frame.height}


@given(frames())
@several
def test_one_subgroup_gives_the_metric_without_subgroups(frame: pl.DataFrame) -> None:
    one = every_metric(frame, subgroup=pl.lit("all").alias("everything"))
    assert_same(one.select(ddpl="cddpl"), one.select("ddpl"))
    assert_same(one.select(ddl="cddl"), one.select("ddl"))
    assert_same(one.select(odds_ratio="mh_odds_ratio"), one.select("odds_ratio"))
    assert one["breslow_day"].null_count() == one.height
    n = pl.col("n_disfavored") + pl.col("n_favored")
    assert_same(one.select("cmh"), one.select(cmh=pl.col("two_sd") * ((n - 1) / n).sqrt()))


@given(frames())
@several
def test_cells_give_what_rows_give(frame: pl.DataFrame) -> None:
    columns = dict(WITH_SCORES, facet=["sex", "branch"], subgroup="k", controls="u")
    cut = frame.height // 2
    extras: tuple[dict[str, Any], ...] = ({}, {"weight": "w"})
    for extra in extras:
        by_rows = pf.metrics(frame, **columns, **extra)
        whole = pf.cells(frame, **columns, **extra)
        shards = pl.concat(
            pf.cells(part, **columns, **extra) for part in (frame[:cut], frame[cut:])
        )
        assert_same(pf.metrics(whole, count="n", **columns, **extra), by_rows)
        assert_same(pf.metrics(shards, count="n", **columns, **extra), by_rows)
        again = pf.cells(shards, count="n", **columns, **extra)
        assert_same(again, whole)


@given(frames(least=4))
@several
def test_lazy_eager_streaming_and_in_memory_give_the_same(frame: pl.DataFrame) -> None:
    eager = every_metric(frame, weight="w", by="k")
    lazy = pf.metrics(frame.lazy(), weight="w", by="k", **WITH_SCORES)
    assert lazy.collect_schema() == eager.schema
    assert_same(lazy.collect(engine="streaming"), eager)
    assert_same(lazy.collect(engine="in-memory"), eager)


@given(frames())
@several
def test_a_window_gives_what_its_rows_alone_give(frame: pl.DataFrame) -> None:
    # The type names all values, so that a side may lack rows in a window; the sides are named,
    # because whether a facet has two values depends on all windows.
    frame = frame.cast({"sex": pl.Enum(["F", "M", "X"])})
    for named in ({"disfavored": "F"}, {"favored": "M"}):
        windows = every_metric(frame, by="k", **named)
        for k in frame["k"].unique():
            alone = every_metric(frame.filter(k=k), **named)
            assert_same(windows.filter(k=k).drop("k"), alone)


@given(frames())
@examples(10)
def test_column_types_change_nothing(frame: pl.DataFrame) -> None:
    expected = every_metric(frame)
    values = ["F", "M", "X"]
    facets = [pl.Categorical(), pl.Enum(values)]
    for of_facet in facets:
        assert_same(
            every_metric(frame.cast({"sex": of_facet, "branch": pl.Categorical()})), expected
        )
    for number in (pl.Int8(), pl.UInt64(), pl.Float32(), pl.Decimal(10, 2)):
        numbers = frame.cast({"y": pl.Int8, "p": pl.Int8}).cast({"y": number, "p": number})
        assert_same(every_metric(numbers, positive=1), expected)
    words = frame.with_columns(
        pl.when(pl.col("y", "p")).then(pl.lit("yes")).otherwise(pl.lit("no")).name.keep()
    )
    for text in (pl.String(), pl.Categorical(), pl.Enum(["yes", "no"])):
        assert_same(every_metric(words.cast({"y": text, "p": text}), positive="yes"), expected)


@given(frames())
@several
def test_each_of_several_facets_gives_what_it_gives_alone(frame: pl.DataFrame) -> None:
    facets, beside = ["sex", "branch"], {"subgroup": "k", "controls": "u"}
    together = every_metric(frame, facet=facets, **beside)
    alone = pl.concat(every_metric(frame, facet=facet, **beside) for facet in facets)
    assert_same(together, alone)
