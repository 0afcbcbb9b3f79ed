"""Engines, each started once, and the decisions that they hold."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.engines import databases
from tests.engines.decisions import decisions

# A change is tried with DuckDB and SQLite, which need no other program; all run every night.
OF_NIGHTS = (*databases.OF_NIGHTS, "spark", "ibis", "pandas", "pandas of arrow", "pyarrow")
ENGINES = [
    *("duckdb", "sqlite"),
    *(pytest.param(name, marks=pytest.mark.nightly) for name in OF_NIGHTS),
]

# Queries so short do not repay what Java's better compiler takes, 65 of 180 seconds of processor,
# nor what Spark takes to compile them, a fifth of the time.
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.fixture(scope="session")
def parquet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("decisions")
    table = decisions()
    # Two files, so that there are two tasks to share.
    for i, part in enumerate((table[::2], table[1::2])):
        part.write_parquet(folder / f"{i}.parquet")
    return folder


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Spark of two executors, each a process of its own."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing = "Java is missing: no test of PySpark was run; install Java 17 or set JAVA_HOME"
        if "CI" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)
    import pyspark
    from pyspark.sql import SparkSession

    # The executors run this Spark, and no other Spark that may be installed.
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["SPARK_WORKER_DIR"] = str(tmp_path_factory.mktemp("spark-work"))
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.extraJavaOptions", JAVA)
        .config("spark.executor.extraJavaOptions", JAVA)
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("spark-warehouse")))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what starts a Spark to the nights."""
    for item in items:
        if "spark" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.nightly)


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """The folder in which a Postgres listens."""
    with databases.postgres() as folder:
        yield folder


@pytest.fixture(scope="session")
def loaded(
    engine: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[pl.DataFrame], databases.Database]]:
    """What loads rows into an engine."""
    opened: list[databases.Database] = []

    def load(rows: pl.DataFrame) -> databases.Database:
        own = engine == "postgres"
        folder = request.getfixturevalue("postgres") if own else tmp_path_factory.mktemp(engine)
        opened.append(databases.DATABASES[engine](rows, folder))
        return opened[-1]

    yield load
    for database in opened:
        database.close()


@pytest.fixture(scope="session")
def frame(engine: str, request: pytest.FixtureRequest, parquet: Path) -> Any:
    """The decisions as a frame of each engine in turn."""
    if engine in databases.DATABASES and engine != "duckdb":
        rows = request.getfixturevalue("rows")
        return request.getfixturevalue("loaded")(rows).frame
    files = str(parquet / "*.parquet")
    match engine:
        case "spark":
            return request.getfixturevalue("spark").read.parquet(str(parquet))
        case "duckdb":
            import duckdb

            return duckdb.connect().read_parquet(files)
        case "ibis":
            import ibis

            return ibis.duckdb.connect().read_parquet(files)
        case "pandas":
            import pandas as pd

            return pd.read_parquet(parquet)
        case "pandas of arrow":
            import pandas as pd

            return pd.read_parquet(parquet, dtype_backend="pyarrow")
        case "pyarrow":
            import pyarrow.parquet as pq

            return pq.read_table(parquet)
    raise AssertionError(engine)


@pytest.fixture(scope="session")
def rows(engine: str) -> pl.DataFrame:
    """The same rows in polars, with the engine's types."""
    if engine == "pandas":
        # There, whole numbers with nulls are floats, and NaN is null.
        floats = decisions().cast({"age": pl.Float64, "k_holes": pl.Float64})
        return floats.with_columns(pl.col("w_nan").fill_nan(None))
    if engine in databases.FLAT:
        flat = decisions().drop("home")
        if engine == "sqlite":
            # It has no decimals, no floats of 32 bits and no NaN.
            flat = flat.cast({"rank": pl.Float64, "score32": pl.Float64})
            flat = flat.with_columns(pl.col(pl.Float64).fill_nan(None))
        return flat
    return decisions()
