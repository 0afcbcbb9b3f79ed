"""Clusters: what each executor reads, executors that die, and cells made by executors."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.engine_rows import Table
from tests.engines.decisions import decisions

QUESTION: dict[str, Any] = {"label": "y", "predicted": "p", "subgroup": "branch"}
EXPECTED = pf.metrics(decisions(), facet="sex", **QUESTION)


@pytest.fixture
def on_the_cluster(spark: Any, parquet: Path) -> Any:
    return spark.read.parquet(str(parquet))


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """How the engines run their queries."""
    explained: list[str] = []
    answered = Table.answered

    def noted(table: Table, sql: str, names: list[str]) -> pl.DataFrame:
        word = "EXPLAIN EXTENDED" if table.dialect.name == "spark" else "EXPLAIN"
        explained.append("\n".join(map(str, table.ask(f"{word} {sql}").row(0))))
        return answered(table, sql, names)

    monkeypatch.setattr(Table, "answered", noted)
    return explained


def test_both_executors_do_some_of_the_counting(spark: Any, on_the_cluster: Any) -> None:
    pf.cells(on_the_cluster, facet="sex", **QUESTION)
    every = spark.sparkContext._jsc.sc().statusStore().executorList(True)
    worked = {
        executor.id()
        for executor in map(every.apply, range(every.size()))
        if executor.id() != "driver" and executor.completedTasks() > 0
    }
    assert len(worked) == 2


@pytest.mark.parametrize("facets", [["sex"], ["sex", "age", "home"]])
def test_spark_reads_the_rows_once_and_only_the_columns_named(
    on_the_cluster: Any, plans: list[str], facets: list[str]
) -> None:
    pf.metrics(on_the_cluster, facet=facets, **QUESTION)
    [plan] = plans
    plan = plan.partition("== Physical Plan ==")[2]
    read = re.findall(r"FileScan parquet \[([^]]*)]", plan)
    columns = [set(re.sub(r"#\d+", "", scan).split(",")) for scan in read]
    assert columns == [{*facets, "branch", "y", "p"}]


def test_duckdb_reads_all_facets_at_once(parquet: Path, plans: list[str]) -> None:
    import duckdb

    rows = duckdb.connect().read_parquet(str(parquet / "*.parquet"))
    pf.metrics(rows, facet=["sex", "age"], **QUESTION)
    [plan] = plans
    assert plan.count("PARQUET_SCAN") == 1
    assert all(name in plan for name in ("sex", "age", "branch"))
    assert "score" not in plan


def test_facets_of_few_values_are_read_together(parquet: Path, plans: list[str]) -> None:
    import duckdb

    rows = duckdb.connect().read_parquet(str(parquet / "*.parquet"))
    question: dict[str, Any] = {"facet": ["veteran", "age"], "label": "y", "predicted": "p"}
    answer = pf.metrics(rows, **question)
    [plan] = plans
    assert plan.count("PARQUET_SCAN") == 1
    assert_frame_equal(answer, pf.metrics(decisions(), **question))


def test_a_name_may_have_dots(spark: Any, tmp_path: Path) -> None:
    rows = decisions().select("p", **{"a.b": "sex", "`": "branch", "*": "y"})
    rows.write_parquet(tmp_path / "rows.parquet")
    frame = spark.read.parquet(str(tmp_path))
    question: dict[str, Any] = {"facet": "a.b", "subgroup": "`", "label": "*", "predicted": "p"}
    assert_frame_equal(pf.metrics(frame, **question), pf.metrics(rows, **question))


def test_types_that_only_the_engine_knows_are_refused() -> None:
    import duckdb

    frame = duckdb.sql(
        "SELECT 'F' AS sex, TRUE AS y, '101'::BIT AS places, INTERVAL 1 DAY AS wait, uuid() AS id"
    )
    assert pf.metrics(frame, "dpl", facet="sex", label="y").height == 1
    for name in ("places", "wait"):
        message = rf"^by: '{name}' is of a type that only its engine knows; cast it .* first$"
        with pytest.raises(pf.FairnessError, match=message):
            pf.metrics(frame, facet="sex", label="y", by=name)
    assert pf.metrics(frame, "dpl", facet="sex", label="y", by="id").height == 1


def test_a_count_beyond_64_bits_is_refused_as_in_polars() -> None:
    import duckdb

    frame = duckdb.sql("SELECT 'F' AS sex, TRUE AS y, 9223372036854775808::UBIGINT AS k")
    with pytest.raises(pf.FairnessError) as here:
        pf.cells(frame.pl(), facet="sex", label="y", count="k")
    with pytest.raises(pf.FairnessError) as elsewhere:
        pf.cells(frame, facet="sex", label="y", count="k")
    assert str(elsewhere.value) == str(here.value)


def test_timestamps_in_seconds_are_read() -> None:
    import duckdb

    moment = "TIMESTAMP_S '2020-01-01 00:00:00'"
    frame = duckdb.sql(
        f"SELECT 'F' AS sex, TRUE AS y, {moment} AS seen, {{'at': {moment}}} AS more"
    )
    answer = pf.metrics(frame, "dpl", facet="sex", label="y", by="seen")
    assert answer["seen"].to_list() == [datetime(2020, 1, 1)]


def test_an_executor_killed_in_the_middle_changes_no_number(
    spark: Any, on_the_cluster: Any, tmp_path: Path
) -> None:
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", 10)
    frame = on_the_cluster.select("sex", "y", "p", "branch")
    answer = pf.metrics(
        frame.mapInArrow(mortal(str(tmp_path)), frame.schema), facet="sex", **QUESTION
    )
    spark.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    assert (tmp_path / "killed").exists()
    again = [path for path in tmp_path.glob("attempt-*") if not path.name.endswith("-0")]
    assert again, "no task ran a second time"
    assert_frame_equal(answer, EXPECTED)


def mortal(folder: str) -> Any:
    """A step that passes rows on, and after some rows kills the first executor that runs it."""

    def step(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        task = TaskContext.get()
        Path(folder, f"attempt-{task.partitionId()}-{task.attemptNumber()}").touch()
        for i, batch in enumerate(batches):
            yield batch
            if i == 5 and first_of_all():
                os.kill(executor(), signal.SIGKILL)

    def first_of_all() -> bool:
        try:
            Path(folder, "killed").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def executor() -> int:
        """The process above the daemon above this one."""
        return int(subprocess.check_output(["ps", "-o", "ppid=", "-p", str(os.getppid())]))

    return step


def test_executors_make_cells_themselves(on_the_cluster: Any) -> None:
    def cells(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            counted = pf.cells(pl.DataFrame(batch), facet="sex", **QUESTION)
            yield from counted.to_arrow().to_batches()

    columns = "sex string, branch string, y boolean, p boolean, n bigint"
    partial = on_the_cluster.mapInArrow(cells, columns)
    assert partial.count() < decisions().height
    assert_frame_equal(pf.metrics(partial, facet="sex", count="n", **QUESTION), EXPECTED)


REPEATED = {"pandas": ["sex", "sex", "p"], "pyarrow": ["sex", "y", "y"]}


@pytest.mark.parametrize("engine", REPEATED)
def test_frames_in_memory_with_two_columns_of_one_name_are_refused(engine: str) -> None:
    names = REPEATED[engine]
    columns = [["F", "M"], ["x", "y"], [1, 0]]
    if engine == "pandas":
        import pandas as pd

        frame: Any = pd.DataFrame(list(zip(*columns, strict=True)), columns=names)
    else:
        frame = pa.Table.from_arrays([pa.array(each) for each in columns], names=names)
    with pytest.raises(pf.FairnessError, match=f"several columns are called '{names[1]}'; give "):
        pf.rates(frame, facet="sex", predicted="p")


def test_pandas_with_values_of_several_types_is_refused() -> None:
    import pandas as pd

    mixed = pd.DataFrame({"sex": ["F", 1, "M"], "p": [1, 0, 1]})
    with pytest.raises(pf.FairnessError, match=r"^facet: 'sex' has values of several types; .*str"):
        pf.rates(mixed, facet="sex", predicted="p")


# DuckDB answers about d with the values of D, and Spark with an error of its own.
@pytest.mark.parametrize(
    ("engine", "names"),
    [
        ("duckdb", ("d", "D")),
        ("duckdb", ("d", "d")),
        pytest.param("ibis", ("d", "D"), marks=pytest.mark.nightly),
        pytest.param("spark", ("d", "D"), marks=pytest.mark.nightly),
        pytest.param("spark", ("d", "d"), marks=pytest.mark.nightly),
    ],
)
def test_columns_that_the_engine_does_not_tell_apart_are_refused(
    engine: str, names: tuple[str, str], request: pytest.FixtureRequest
) -> None:
    first, second = names
    if engine == "spark":
        spark = request.getfixturevalue("spark")
        frame: Any = spark.createDataFrame([("F", "x", 1)], [first, second, "p"])
    else:
        if engine == "duckdb":
            import duckdb

            frame = duckdb.sql(f"SELECT 'F' AS {first}, 'x' AS {second}, 1 AS p")
        else:
            import ibis

            frame = ibis.memtable(pl.DataFrame({first: ["F"], second: ["x"], "p": [1]}))
    with pytest.raises(pf.FairnessError, match=r"^facet: .* columns 'd' and '[dD]', which its"):
        pf.rates(frame, facet=second, predicted="p")
    if engine == "spark" and first != second:
        spark.conf.set("spark.sql.caseSensitive", "true")
        try:
            answer = pf.rates(frame, facet=second, predicted="p")
        finally:
            spark.conf.set("spark.sql.caseSensitive", "false")
        assert answer["value"].to_list() == ["x", None]
