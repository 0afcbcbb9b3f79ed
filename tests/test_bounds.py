"""Bounds: the range of a metric over all groups that rows of unknown group may have."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.values.formula_checks import has_bounds, sets_sides_apart

LOANS: Final = pf.datasets.loans()
BLACK: Final[dict[str, Any]] = {"facet": "race", "disfavored": "Black", "predicted": "approved"}


def small_tables() -> Iterator[pl.DataFrame]:
    """Counts by group, label and prediction, a few of them of unknown group."""
    drawn = random.Random(35)
    for _ in range(12):
        yield pl.DataFrame(
            [
                (group, y, p, drawn.choice([0, 1, 3, 8] if group else [0, 1, 2]))
                for group in ("d", "a", "c", None)
                for y, p in product((True, False), repeat=2)
            ],
            schema=["g", "y", "p", "n"],
            orient="row",
        )


def allocations(table: pl.DataFrame, places: tuple[str, ...]) -> pl.DataFrame:
    """The table with the unknown rows in every group: a window for each way to divide them."""
    known, unknown = table.filter(pl.col("g").is_not_null()), table.filter(pl.col("g").is_null())
    splits = []
    for y, p, n in unknown.select("y", "p", "n").rows():
        of_outcome = [
            [(place, y, p, k) for place, k in zip(places, division, strict=True)]
            for division in product(range(n + 1), repeat=len(places))
            if sum(division) == n
        ]
        splits.append(of_outcome)
    windows = []
    for number, parts in enumerate(product(*splits)):
        rows = [row for part in parts for row in part]
        filled = pl.DataFrame(rows, schema=known.schema, orient="row")
        windows.append(pl.concat([known, filled]).with_columns(way=pl.lit(number)))
    return pl.concat(windows)


SIDES: Final[dict[str, tuple[dict[str, Any], tuple[str, ...]]]] = {
    "a named": ({"disfavored": "d", "favored": "a"}, ("d", "a", "c")),
    "everyone else": ({"disfavored": "d"}, ("d", "a")),
    "overall": ({"disfavored": "d", "favored": pf.OVERALL}, ("d", "a")),
}


@pytest.mark.parametrize("sides", SIDES)
def test_bounds_are_those_of_every_way_to_divide_the_unknown_rows(sides: str) -> None:
    named, places = SIDES[sides]
    question: dict[str, Any] = {"facet": "g", "label": "y", "predicted": "p", "count": "n", **named}
    for table in small_tables():
        found = pf.bounds(table, confidence=None, **question)
        names = found["metric"].to_list()
        assert {"di", "dppl", "rd", "te", "average_odds_difference"} <= {*names}
        values = pf.metrics(allocations(table, places), names, by="way", **question)
        for name, lowest, highest in found.select("metric", "lowest", "highest").rows():
            of_metric = values[name].drop_nulls()
            if of_metric.is_empty():
                assert (lowest, highest) == (None, None)
                continue
            assert (lowest, highest) == pytest.approx((of_metric.min(), of_metric.max())), name


_WEIGHTS: Final = (0.25, 1.0, 3.0)


def weighted_rows() -> Iterator[pl.DataFrame]:
    """A few rows of each group with weights, some of them 0, counts, and scores that decide."""
    drawn = random.Random(36)
    for number in range(12):
        sizes = ("d", 2), ("a", 3), ("c", 1), (None, 3 - number % 2)
        groups = [group for group, size in sizes for _ in range(size)]
        yield pl.DataFrame(
            [
                (group, drawn.random() < 0.5, drawn.random(), drawn.choice((*_WEIGHTS, 0.0)))
                for group in groups
            ],
            schema=["g", "y", "s", "w"],
            orient="row",
        ).with_columns(p=pl.col("s") >= 0.5, k=1 + number % 2)


def every_row_placed(table: pl.DataFrame, places: tuple[str, ...]) -> pl.DataFrame:
    """The rows with each unknown one in each group: a window for each way.

    A row counted twice is two rows, each with half of its weight.
    """
    alone = pl.concat([table, table.filter(k=2)]).with_columns(pl.col("w") / pl.col("k"), k=1)
    known, unknown = (alone.filter(pl.col("g").is_null() == is_null) for is_null in (False, True))
    windows = [
        pl.concat([known, unknown.with_columns(g=pl.Series(groups, dtype=pl.String))])
        for groups in product(places, repeat=unknown.height)
    ]
    return pl.concat(each.with_columns(way=pl.lit(number)) for number, each in enumerate(windows))


WAYS: Final[dict[str, Any]] = {
    "rows": lambda rows, question: pf.bounds(rows, predicted="p", **question),
    "a cut": lambda rows, question: pf.bounds(rows, predicted="s", threshold=0.5, **question),
    "several cuts": lambda rows, question: (
        pf.bounds(rows, predicted="s", threshold=[0.2, 0.5, 0.9], **question)
        .filter(threshold=0.5)
        .drop("threshold")
    ),
    "an audit": lambda rows, question: pf.audit(
        rows, predicted="p", bounds=True, **question
    ).filter(pl.col("metric").is_in([*filter(_is_bounded, pf.CATALOGUE)])),
    "DuckDB": lambda rows, question: pf.bounds(_in_duckdb(rows), predicted="p", **question),
}


def _is_bounded(name: str) -> bool:
    return has_bounds(pf.CATALOGUE[name], is_weighted=True)


def _in_duckdb(rows: pl.DataFrame) -> Any:
    duckdb = pytest.importorskip("duckdb")
    return duckdb.from_arrow(rows.to_arrow())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sides", SIDES)
def test_weighted_bounds_are_those_of_every_row_in_every_group(sides: str, way: str) -> None:
    """The least that gives a side a value is its lightest row, and not one of average weight."""
    named, places = SIDES[sides]
    question: dict[str, Any] = {"facet": "g", "label": "y", "weight": "w", "count": "k", **named}
    for number, table in enumerate(weighted_rows()):
        if number % (2 if way == "rows" else 6):
            continue
        found = WAYS[way](table, question | {"confidence": None})
        names = found["metric"].to_list()
        assert {"di", "rd", "te"} <= {*names}
        values = pf.metrics(
            every_row_placed(table, places), names, predicted="p", by="way", **question
        )
        for name, lowest, highest in found.select("metric", "lowest", "highest").rows():
            of_metric = values[name].drop_nulls()
            if of_metric.is_empty():
                assert (lowest, highest) == (None, None)
                continue
            assert (lowest, highest) == pytest.approx((of_metric.min(), of_metric.max())), name


def test_kept_cells_have_the_bounds_of_their_rows_or_say_why_they_have_none() -> None:
    """A cell keeps what its rows weigh together, and not how much the lightest does."""
    columns: dict[str, Any] = {"facet": "g", "label": "y", "weight": "w", "predicted": "p"}
    without = set()
    for table in weighted_rows():
        once = table.drop("k").filter(pl.col("w") > 0)
        # Every row twice, of unequal weight: none of them is alone in a cell.
        rows = pl.concat([once, once.with_columns(pl.col("w") * 1.5)])
        if not {"d", "a"} <= {*rows["g"]}:
            continue
        question = {**columns, "disfavored": "d", "favored": "a", "confidence": None}
        expected = pf.bounds(rows, **question)
        found = pf.bounds(pf.cells(rows, **columns), count="n", **question)
        assert found["metric"].to_list() == expected["metric"].to_list()
        shown = ("metric", "lowest", "highest", "note")
        for (name, *ends, note), (_, *of_rows, _) in zip(
            found.select(shown).rows(), expected.select(shown).rows(), strict=True
        ):
            if note and note.startswith("weight: a single row may be all that a side has"):
                assert ends == [None, None]
                without.add(name)
            else:
                assert ends == pytest.approx(of_rows), name
    assert "rd" in without
    assert not without & {"dppl", "ad"}


def test_what_depends_on_effective_rows_has_no_bounds_beside_weights() -> None:
    weighted = LOANS.with_columns(w=pl.int_range(pl.len()) % 3 + 1)
    assert "cohens_d" in pf.bounds(LOANS, **BLACK, confidence=None)["metric"]
    assert "cohens_d" not in pf.bounds(weighted, **BLACK, weight="w", confidence=None)["metric"]


def test_metrics_with_bounds_are_those_of_two_opposite_sides() -> None:
    have = {name for name, metric in pf.CATALOGUE.items() if sets_sides_apart(metric)}
    assert have >= {
        *("dppl", "di", "rd", "sd", "dar", "drr", "ad", "te", "ddpl"),
        *("average_odds_difference", "predictive_value_difference"),
    }
    assert not have & {
        *("dcacc", "dcr", "four_fifths", "average_abs_odds_difference", "mh_ratio", "cddpl"),
        *("tvd", "kl", "selection_rate_gap", "auc_difference", "z_ratio"),
    }


def test_all_rows_known_is_an_audit() -> None:
    known = LOANS.drop_nulls("race")
    found = pf.bounds(known, "di", "dppl", favored="White", **BLACK)
    audit = pf.audit(known, "di", "dppl", favored="White", **BLACK)
    same = ["value", "lower", "upper", "verdict"]
    assert_frame_equal(found.select(same), audit.select(same))
    assert found["lowest"].to_list() == found["highest"].to_list() == found["value"].to_list()


def test_the_highest_group_stays_the_one_that_was_found() -> None:
    answer = pf.bounds(LOANS, "di", facet="race", favored=pf.HIGHEST, predicted="approved")
    named = pf.bounds(LOANS, "di", facet="race", favored="White", predicted="approved")
    ends = ["disfavored", "favored", "lowest", "highest"]
    assert_frame_equal(answer.select(ends), named.select(ends))
    assert (answer["lower"] < named["lower"]).all()


def test_ends_over_clusters_are_those_of_an_audit_of_the_rows_filled_in() -> None:
    rows = LOANS.with_columns(officer=pl.int_range(pl.len()) // 100).head(6_000)
    question: dict[str, Any] = {**BLACK, "favored": "White", "cluster": "officer"}
    bounds = pf.bounds(rows, "di", **question)
    # Lowest, where all who were refused are Black, and all who were approved White.
    for end, bound, accepted, rejected in (
        ("lowest", "lower", "White", "Black"),
        ("highest", "upper", "Black", "White"),
    ):
        group = pl.when("approved").then(pl.lit(accepted)).otherwise(pl.lit(rejected))
        filled = rows.with_columns(race=pl.coalesce("race", group))
        audit = pf.audit(filled, "di", **question)
        assert bounds[end].item() == pytest.approx(audit["value"].item(), rel=1e-12)
        assert bounds[bound].item() == pytest.approx(audit[bound].item(), rel=1e-12)
    alone = pf.bounds(rows, "di", **{**question, "cluster": None})
    assert_frame_equal(bounds["lowest", "highest"], alone["lowest", "highest"])
    few = pf.bounds(rows.with_columns(officer=pl.int_range(pl.len()) % 3), "di", **question)
    assert few.select("lower", "verdict").row(0) == (None, "depends")
    assert few["note"][0].startswith("cluster: the smaller side has 3.0 effective clusters")
