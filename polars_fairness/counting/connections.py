"""Tables of other engines: their frames, recognised by module name, and connections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import md5
from importlib import import_module
from typing import Any, Final

import polars as pl

from polars_fairness.counting.dialects import DIALECTS, Dialect
from polars_fairness.counting.engine_rows import Table
from polars_fairness.errors import FairnessError, did_you_mean, require_extra


def table_of(frame: object) -> Table | None:
    """The table that a frame of an engine, or of `from_sql`, stands for; None for other objects."""
    if isinstance(frame, Table):
        return frame
    engine = type(frame).__module__.partition(".")[0]
    make = {"duckdb": _of_duckdb, "_duckdb": _of_duckdb, "pyspark": _of_spark, "ibis": _of_ibis}
    if engine not in make or not hasattr(frame, "columns"):
        return None
    named = f"a {engine} {type(frame).__name__}"
    require_extra(f"frame ({type(frame).__name__})", "engines", "pyarrow")
    return make[engine](frame, named)


_VIEW: Final = "rows_of_polars_fairness"


def _of_duckdb(relation: Any, named: str) -> Table:
    def ask(sql: str) -> pl.DataFrame:
        answer: pl.DataFrame = relation.query(_VIEW, sql).pl()
        return answer

    own = {"hugeint": pl.Int128(), **dict.fromkeys(("bit", "interval"), pl.Unknown())}
    kinds = dict(zip(relation.columns, relation.types, strict=True))
    read = [name for name, kind in kinds.items() if kind.id not in own]
    quoted = ", ".join(map(DIALECTS["duckdb"].column, read))
    held = dict(zip(read, relation.project(quoted).limit(0).pl().dtypes, strict=True))
    types = {
        name: pl.Enum(dict(kind.children)["values"])
        if kind.id == "enum"
        else own.get(kind.id) or held[name]
        for name, kind in kinds.items()
    }
    return Table(_VIEW, DIALECTS["duckdb"], relation.columns, types, ask, named)


def _of_spark(frame: Any, named: str) -> Table:
    of_arrow = import_module("pyspark.sql.pandas.types").to_arrow_type
    pyarrow = import_module("pyarrow")
    session, view = frame.sparkSession, f"{_VIEW}_{id(frame)}"

    def ask(sql: str) -> pl.DataFrame:
        frame.createOrReplaceTempView(view)
        try:
            answer = pl.DataFrame(session.sql(sql).toArrow())
        finally:
            session.catalog.dropTempView(view)
        return answer

    def type_of(kind: Any) -> pl.DataType:
        try:
            return pl.Series(pyarrow.array([], of_arrow(kind))).dtype
        except Exception:  # noqa: BLE001 - Spark has errors of its own for types it does not convert
            return pl.Unknown()

    tells_apart = session.conf.get("spark.sql.caseSensitive") == "true"
    dialect = replace(DIALECTS["spark"], folds_names=not tells_apart)
    types = {each.name: type_of(each.dataType) for each in frame.schema}
    return Table(view, dialect, frame.columns, types, ask, named)


def _of_ibis(table: Any, named: str) -> Table:
    backend, sql = table.get_backend(), import_module("ibis").to_sql(table)
    if backend.name == "pyspark":
        return _of_spark(backend._session.sql(sql), named)
    dialect = dialect_called(backend.name, "frame")
    types = table.schema().to_polars()
    # By the connection that it has: on the way from some engines Ibis loses types.
    return Table(f"({sql}) i", dialect, table.columns, types, _asker(backend.con), named)


def dialect_called(name: str, argument: str) -> Dialect:
    """The dialect of this name; raise if there is none."""
    if name not in DIALECTS:
        raise FairnessError(
            f"{argument}: no dialect {name!r}; {did_you_mean(name, DIALECTS)}, or write the rows "
            "as Parquet and scan them"
        )
    return DIALECTS[name]


_NAMES: Final = {
    **{name: name for name in DIALECTS},
    **dict.fromkeys(("sqlite3", "adbc_driver_sqlite"), "sqlite"),
    **dict.fromkeys(("postgresql", "psycopg", "psycopg2", "pg8000"), "postgres"),
    **dict.fromkeys(("clickhouse_connect", "clickhouse_driver", "chdb"), "clickhouse"),
}
"""The dialects by the names of modules, of SQLAlchemy, of ADBC and of URIs."""


def from_sql(
    connection: Any,
    table: str,
    *,
    schema: Mapping[str, Any] | None = None,
    dialect: str | None = None,
) -> Table:
    """Take a table of a database in place of a frame; the database counts its rows.

    Only counts (cells) leave the database, in one query for each kind of count. Each answer equals
    that of polars over the same rows.

    Parameters
    ----------
    connection
        A connection by DB-API, ADBC or SQLAlchemy, or a URI, as `polars.read_database` takes them;
        or a function that takes a query and returns its answer as a frame.
    table
        The table, or a query in parentheses with a name. It is written after FROM unchanged, so it
        must not come from anybody who may not read the database.
    schema
        The polars types of columns whose types the database does not tell: SQLite has no Booleans
        and no dates, and a DB-API tells no types for a table without rows.
    dialect
        The dialect of SQL, such as "snowflake"; by default that of the connection.

    Returns
    -------
    What every function takes as its frame.

    Examples
    --------
    >>> import sqlite3
    >>> import polars as pl
    >>> import polars_fairness as pf
    >>> database = sqlite3.connect(":memory:")
    >>> _ = database.execute("CREATE TABLE loans (sex TEXT, approved INTEGER)")
    >>> _ = database.execute("INSERT INTO loans VALUES ('F', 0), ('F', 1), ('M', 1)")
    >>> loans = pf.from_sql(database, "loans", schema={"approved": pl.Boolean})
    >>> pf.metrics(loans, "di", facet="sex", predicted="approved")["di"].item()
    0.5
    """
    known = dialect_called(_dialect_of(connection) if dialect is None else dialect, "dialect")
    ask = _asker(connection)
    found = ask(f"SELECT * FROM {table} WHERE 1 = 0").schema
    if known.name == "sqlite" or pl.Null in found.dtypes():
        # Drivers may tell no types of no rows, and SQLite has types of values alone.
        found = ask(f"SELECT * FROM {table} LIMIT {_SAMPLE}").schema
    given = dict(schema or {})
    for name in given:
        if name not in found:
            raise FairnessError(f"schema: no column {name!r}; {did_you_mean(name, found)}")
    types = pl.Schema({**found, **given})
    return Table(table, known, found.names(), types, ask, "a table")


_SAMPLE: Final = 1_000


def _dialect_of(connection: Any) -> str:
    module = type(connection).__module__.partition(".")[0].removeprefix("_")
    if isinstance(connection, str):
        name = connection.partition(":")[0].partition("+")[0]
    elif hasattr(connection, "adbc_get_info"):
        name = str(connection.adbc_get_info()["vendor_name"]).lower()
    elif module == "sqlalchemy":
        name = str(connection.dialect.name)
    else:
        name = module
    return _NAMES.get(name, name)


def _asker(connection: Any) -> Callable[[str], pl.DataFrame]:
    module = type(connection).__module__.partition(".")[0]
    if isinstance(connection, str):
        return lambda sql: pl.read_database_uri(sql, connection)
    if module == "sqlite3":
        # SQLite has no MD5, which numbers clusters that are text.
        connection.create_function("md5", 1, _digits, deterministic=True)
    if module == "sqlalchemy":
        text = import_module("sqlalchemy").text
        # A colon would begin a parameter.
        return lambda sql: pl.read_database(
            text(sql.replace(":", "\\:")), connection, infer_schema_length=None
        )
    if module in ("duckdb", "_duckdb", "datafusion"):
        # A cursor of DuckDB has none of the views of its connection.
        return lambda sql: pl.DataFrame(connection.sql(sql))
    if callable(connection) and not hasattr(connection, "cursor"):
        return lambda sql: pl.DataFrame(connection(sql))
    return lambda sql: pl.read_database(sql, connection, infer_schema_length=None)


def _digits(text: str | None) -> str | None:
    return None if text is None else md5(text.encode()).hexdigest()
