"""Where rows lie: polars needs no other library, and frames of others come in by name."""

from __future__ import annotations

import subprocess
import sys

import duckdb
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from tests.frames import QUESTION, people

EXPECTED = pf.metrics(people(), **QUESTION)


def test_polars_frames_need_no_other_library() -> None:
    program = """
import sys
import polars as pl, polars_fairness as pf
decisions = pl.LazyFrame({"sex": ["F", "M"], "p": [True, False]})
pf.metrics(decisions, facet="sex", predicted="p").collect()
assert not {"pyarrow", "pandas", "numpy", "scipy"} & sys.modules.keys()
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_frames_of_other_engines_need_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    rows = duckdb.from_arrow(people().to_arrow())
    with pytest.raises(ImportError) as error:
        pf.metrics(rows, **QUESTION)
    assert isinstance(error.value, pf.FairnessError)
    assert str(error.value) == (
        "frame (DuckDBPyRelation): needs 'pyarrow', not installed here; "
        'pip install "polars-fairness[engines]"'
    )


def test_what_is_no_frame_is_refused() -> None:
    with pytest.raises(pf.FairnessError, match=r"^frame: takes a polars .*from_sql.*; got list$"):
        pf.metrics([1], **QUESTION)  # type: ignore[call-overload]


@pytest.mark.parametrize("function", [pf.cells, pf.rates, pf.metrics])
def test_tables_of_arrow_give_what_polars_gives(function: object) -> None:
    assert callable(function)
    expected, found = (function(each, **QUESTION) for each in (people(), people().to_arrow()))
    assert_frame_equal(found, expected, check_row_order=function is not pf.cells)


def test_squared_weights_of_cells_are_kept_when_counted_again() -> None:
    question = {**QUESTION, "weight": "w"}
    cells = pf.cells(people(), **question)
    assert cells["weight_sq"].sum() == people()["w"].pow(2).sum()
    again = pf.cells(cells.to_arrow(), count="n", **question)
    assert_frame_equal(again, cells)


def test_only_columns_named_are_looked_at() -> None:
    odd = pa.array([None] * people().height, pa.month_day_nano_interval())
    table = people().to_arrow().append_column("odd", odd)
    assert_frame_equal(pf.metrics(table, **QUESTION), EXPECTED)


def test_types_of_arrow_that_polars_reads_are_taken() -> None:
    odd = pa.table(
        {
            "sex": ["F", "M"],
            "y": [1, 0],
            "nothing": pa.nulls(2),
            "day": pa.array([0, 86_400_000], pa.date64()),
            "second": pa.array([0, 1], pa.timestamp("s")),
        }
    )
    answer = pf.cells(odd, facet="sex", label="y", by=["nothing", "day", "second"])
    assert answer["n"].to_list() == [1, 1]
