"""A frame as a table of each engine that runs SQL here: what stands for it, and what asks it."""

from __future__ import annotations

import io
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import polars as pl

import polars_fairness as pf
from polars_fairness.counting.engine_rows import as_type


class Database(NamedTuple):
    """A frame whose rows an engine counts, the name of its table, and what runs a query."""

    frame: Any
    table: str
    ask: Callable[[str], pl.DataFrame]
    close: Callable[[], object] = lambda: None


def of_duckdb(rows: pl.DataFrame, folder: Path) -> Database:
    import duckdb

    connection = duckdb.connect()
    rows.write_parquet(folder / "rows.parquet")
    connection.execute(f"CREATE VIEW loans AS FROM '{folder}/rows.parquet'")
    return Database(connection.table("loans"), "loans", lambda sql: connection.sql(sql).pl())


def of_sqlite(rows: pl.DataFrame, folder: Path) -> Database:
    """Booleans are numbers there, and dates are texts."""
    connection = sqlite3.connect(":memory:")
    stored = rows.with_columns(
        pl.col(pl.Boolean).cast(pl.Int64),
        pl.col(pl.Decimal).cast(pl.Float64),
        pl.col(pl.Enum, pl.Date).cast(pl.String),
        pl.col(pl.Datetime).dt.strftime("%Y-%m-%d %H:%M:%S"),
    )
    _create(connection.execute, "loans", stored.schema, lambda _: "")
    places = ", ".join("?" * stored.width)
    connection.executemany(f"INSERT INTO loans VALUES ({places})", stored.rows())
    frame = pf.from_sql(connection, "loans", schema=rows.schema)
    return Database(frame, "loans", frame.ask, connection.close)


def of_postgres(rows: pl.DataFrame, folder: Path) -> Database:
    """A server must listen in the folder: see `postgres`."""
    import psycopg

    connection = psycopg.connect(f"host={folder} user=postgres dbname=postgres", autocommit=True)
    types: dict[Any, str] = {pl.Float64: "DOUBLE PRECISION", pl.Float32: "REAL", pl.Date: "DATE"}
    types |= {pl.Boolean: "BOOLEAN", pl.Datetime: "TIMESTAMP", pl.Decimal: "NUMERIC"}

    def type_of(dtype: pl.DataType) -> str:
        return "BIGINT" if dtype.is_integer() else types.get(dtype.base_type(), "TEXT")

    connection.execute("SET search_path TO pg_temp")
    _create(connection.execute, "loans", rows.schema, type_of)
    with connection.cursor().copy("COPY loans FROM STDIN") as copy:
        for row in rows.rows():
            copy.write_row(row)
    # The driver tells no types of no rows, and has one for floats.
    untold = {name: dtype for name, dtype in rows.schema.items() if dtype == pl.Float32}
    frame = pf.from_sql(connection, "loans", schema=untold if rows.height else rows.schema)
    return Database(frame, "loans", frame.ask, connection.close)


def of_datafusion(rows: pl.DataFrame, folder: Path) -> Database:
    import datafusion

    rows.write_parquet(folder / "rows.parquet")
    # Statistics of Parquet files leave NaN out, as the page on warehouses says.
    config = datafusion.SessionConfig({"datafusion.execution.collect_statistics": "false"})
    context = datafusion.SessionContext(config)
    context.register_parquet("loans", str(folder / "rows.parquet"))
    frame = pf.from_sql(context, "loans", schema=rows.schema)
    return Database(frame, "loans", frame.ask)


def of_clickhouse(rows: pl.DataFrame, folder: Path) -> Database:
    import chdb

    rows.write_parquet(folder / "rows.parquet")
    table = f"file('{folder}/rows.parquet', Parquet)"

    def ask(sql: str) -> pl.DataFrame:
        answer = pl.read_parquet(io.BytesIO(chdb.query(sql, "Parquet").bytes()))
        return answer.with_columns(pl.col(pl.Binary).cast(pl.String))

    frame = pf.from_sql(ask, table, dialect="clickhouse", schema=rows.schema)
    return Database(frame, table, ask)


DATABASES: dict[str, Callable[[pl.DataFrame, Path], Database]] = {
    "duckdb": of_duckdb,
    "sqlite": of_sqlite,
    "postgres": of_postgres,
    "datafusion": of_datafusion,
    "clickhouse": of_clickhouse,
}
OF_NIGHTS = ("postgres", "datafusion", "clickhouse")

FLAT = ("sqlite", "postgres")
"""The engines without structs."""


def _create(execute: Any, table: str, schema: pl.Schema, type_of: Any) -> None:
    named = (f'"{name.replace(chr(34), chr(34) * 2)}" {type_of(t)}' for name, t in schema.items())
    execute(f"CREATE TABLE {table} ({', '.join(named)})")


def typed(answer: pl.DataFrame, wanted: pl.Schema) -> pl.DataFrame:
    """An answer of an engine with the types that polars has."""
    assert {*answer.columns} == {*wanted}
    return answer.select(
        as_type(pl.col(name), answer.schema[name], dtype).alias(name)
        for name, dtype in wanted.items()
    )


@contextmanager
def postgres() -> Iterator[Path]:
    """A server of Postgres, and the folder in which it listens: root may not run it."""
    programs = [*Path("/usr/lib/postgresql").glob("*/bin")]
    control = shutil.which("pg_ctl", path=":".join(map(str, programs))) or shutil.which("pg_ctl")
    assert control, "Postgres is missing: install the package postgresql"
    with TemporaryDirectory() as name:
        folder = Path(name)
        shutil.chown(folder, "postgres")
        start = f"-c listen_addresses= -c fsync=off -c unix_socket_directories={folder}"

        def run(*words: str) -> None:
            command = ["runuser", "-u", "postgres", "--", control, "-D", f"{folder}/data", *words]
            subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)

        run("initdb", "-o", "-A trust -U postgres")
        run("start", "-w", "-o", start, "-l", f"{folder}/log")
        try:
            yield folder
        finally:
            run("stop", "-m", "immediate")
