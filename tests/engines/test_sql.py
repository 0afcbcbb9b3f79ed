"""The text of `sql`, and tables of connections: cells and answers are those of polars."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date
from fractions import Fraction
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
import sqlalchemy
import sqlglot
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.dialects import DIALECTS
from tests.engines.databases import DATABASES, OF_NIGHTS, Database, typed
from tests.engines.decisions import decisions as every_decision
from tests.engines.test_same_answers import QUESTIONS, TOWN, in_columns, in_order

Loaded = Callable[[pl.DataFrame], Database]

# What `cells` does not take.
_LATER = ("nulls", "zero_division", "disfavored", "favored")

RUN = [*(name for name in DATABASES if name not in OF_NIGHTS)]
RUN_AT_NIGHT = [*OF_NIGHTS, "spark"]
PARSED = ("snowflake", "bigquery", "databricks")

ASKED = {
    name: {role: given for role, given in question.items() if role not in _LATER}
    for name, question in QUESTIONS.items()
    # Merged label values are an error, and numbers by probabilities are known from rows alone.
    if name not in ("text", "probabilities of numbers")
}


def test_each_dialect_is_run_or_parsed() -> None:
    assert {*RUN, *RUN_AT_NIGHT, *PARSED} == {*DIALECTS}


@pytest.fixture(
    scope="session",
    params=[*RUN, *(pytest.param(name, marks=pytest.mark.nightly) for name in RUN_AT_NIGHT)],
)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def loaded(loaded: Loaded, engine: str, request: pytest.FixtureRequest) -> Loaded:
    """As of other engines; Spark reads a file."""
    if engine != "spark":
        return loaded
    folder = request.getfixturevalue("tmp_path_factory").mktemp("spark-rows")
    spark = request.getfixturevalue("spark")

    names = (f"loans_{number}" for number in count())

    def load(rows: pl.DataFrame) -> Database:
        name = next(names)
        rows.write_parquet(folder / f"{name}.parquet")
        frame = spark.read.parquet(str(folder / f"{name}.parquet"))
        frame.createOrReplaceTempView(name)
        return Database(frame, name, lambda sql: pl.DataFrame(spark.sql(sql).toArrow()))

    return load


@pytest.fixture(scope="session")
def decisions(loaded: Loaded, rows: pl.DataFrame) -> Database:
    return loaded(rows)


def flat(cells: pl.DataFrame) -> pl.DataFrame:
    """Cells with a column for each field of a struct, as the text has them."""
    structs = [name for name, dtype in cells.schema.items() if isinstance(dtype, pl.Struct)]
    return cells.unnest(structs)


def asked(database: Database, engine: str, rows: pl.DataFrame, question: Any) -> pl.DataFrame:
    sql = pf.sql(rows, table=database.table, dialect=engine, **question)
    assert sql.startswith("SELECT ")
    return database.ask(sql)


def assert_same_cells(found: pl.DataFrame, cells: pl.DataFrame, tolerance: float = 1e-9) -> None:
    wanted = flat(cells)
    found = in_order(typed(found, wanted.schema))
    assert_frame_equal(found, in_order(wanted), rel_tol=tolerance, abs_tol=tolerance)


@pytest.mark.parametrize("name", ASKED)
def test_the_text_gives_the_cells_of_polars(
    engine: str, decisions: Database, rows: pl.DataFrame, name: str
) -> None:
    question = in_columns(ASKED[name], engine)
    if question.get("every") == "2w":
        # The text rounds to one unit, and what is asked of the cells to two.
        question = {**question, "every": "1w", "period": None}
    wanted, found = pf.cells(rows, **question), asked(decisions, engine, rows, question)
    if question.get("count") == "k_holes":
        # Each row that lacks a count is a cell in polars, and one cell of all of them here.
        assert 0 < found["n"].null_count() < wanted["n"].null_count()
        wanted, found = (each.drop_nulls("n") for each in (wanted, found))
    assert_same_cells(found, wanted)


def hostile() -> pl.DataFrame:
    """Rows of values that engines compare, round or add up otherwise."""
    i = range(420)
    texts = ["F", "f", "F ", "é", "e\u0301", "", None, "'; --", "\\"]
    scores = [0.0, -0.0, float("nan"), 0.1, 0.3, 0.57, None, 1e-300, 5e-324, 0.29]
    return pl.DataFrame(
        {
            'My "g"; DROP--': [texts[k % 9] for k in i],
            "ra'ce`[x]\\": [texts[k * k % 7] for k in i],
            "v0": [k % 2 == 0 for k in i],
            ":läbel $1 %s {}": [[True, False, None][k % 3] for k in i],
            "s": [scores[k % 10] for k in i],
            "huge": [[-1, -201, 2**62, 2**53 + 1, 0, -(2**62), 7][k % 7] for k in i],
            "text": [["a", "é", "", "zz ", "日本"][k % 5] + str(k % 17) for k in i],
            "day": [date(1950 + k % 90, 1 + k % 12, 1 + k % 28) for k in i],
            "k": [[3, 0, 1, 2][k % 4] for k in i],
            "w": [[0.0, 1.5, 2.0, None, 0.1][k % 5] for k in i],
            "big": [1e9 + k % 10 for k in i],
            "far": [[10.0, -3.0, 0.25][k % 3] + k % 10 for k in i],
            "zero": [[0.0, -0.0, 1.0, -2.5][k % 4] for k in i],
        }
    )


G, RACE, LABEL = hostile().columns[0], hostile().columns[1], ":läbel $1 %s {}"

HOSTILE: dict[str, dict[str, Any]] = {
    "names": {"facet": [G, RACE], "label": LABEL, "predicted": "v0"},
    "strata": {"facet": G, "subgroup": RACE, "label": LABEL},
    "positive text": {"facet": "v0", "predicted": G, "positive": ["'; --", "F", "\\"]},
    "unknown": {"facet": G, "predicted": "v0", "unknown": ["'; --", "F "]},
    "a threshold": {"facet": G, "predicted": "s", "threshold": 0.3, "label": LABEL},
    "scores": {"facet": G, "score": "s", "label": LABEL},
    "scores by multiples": {"facet": G, "score": "s", "resolution": 0.01, "weight": "w"},
    "scores as strata": {"facet": G, "predicted": "v0", "subgroup": "s"},
    "floats": {"facet": "zero", "predicted": "v0"},
    "controls": {"facet": G, "predicted": "v0", "controls": {"far": 7.5, "zero": 1, "day": None}},
    "large clusters": {"facet": G, "predicted": "v0", "cluster": "huge"},
    "clusters of text": {"facet": G, "predicted": "v0", "cluster": "text"},
    **{
        f"windows of {every}": {"facet": G, "predicted": "v0", "by": "day", "every": every}
        for every in ("1d", "1w", "1mo", "1q", "1y")
    },
    "counts": {"facet": G, "predicted": "v0", "count": "k", "weight": "w"},
    "weights": {"facet": G, "predicted": "v0", "weight": "w"},
    "large numbers": {"facet": G, "observed": "big"},
    "large numbers by weight": {"facet": G, "observed": "big", "estimated": "zero", "weight": "w"},
    "logarithms": {"facet": G, "observed": "far", "controls": "v0"},
}


@pytest.fixture(scope="session")
def hostile_rows(engine: str) -> pl.DataFrame:
    rows, score = hostile(), pl.col("s")
    if engine == "postgres":
        # It refuses squares below the range of floats.
        is_least = (score != 0) & (score.abs() < 1e-150)
        return rows.with_columns(pl.when(is_least).then(0.0).otherwise(score).alias("s"))
    return rows.with_columns(pl.col(pl.Float64).fill_nan(None)) if engine == "sqlite" else rows


@pytest.fixture(scope="session")
def hostile_table(loaded: Loaded, hostile_rows: pl.DataFrame) -> Database:
    return loaded(hostile_rows)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_values_and_names(
    engine: str, hostile_table: Database, hostile_rows: pl.DataFrame, name: str
) -> None:
    question, tolerance = HOSTILE[name], tolerance_of(name)
    cells = pf.cells(hostile_rows, **question)
    assert_same_cells(asked(hostile_table, engine, hostile_rows, question), cells, tolerance)
    assert_same_cells(pf.cells(hostile_table.frame, **question), cells, tolerance)


def tolerance_of(name: str) -> float:
    """How near the cells of polars are: of numbers around 1e9, its squares are off by 3e-9."""
    return 1e-7 if name.startswith("large numbers") else 1e-9


def test_squares_of_large_numbers_are_exact(
    engine: str, hostile_table: Database, hostile_rows: pl.DataFrame
) -> None:
    question = {"facet": "v0", "observed": "big"}
    found = asked(hostile_table, engine, hostile_rows, question).sort("v0")["big_sq"]
    for group, squares in zip((False, True), found, strict=True):
        numbers = hostile_rows.filter(v0=group)["big"].to_list()
        mean = sum(map(Fraction, numbers)) / len(numbers)
        exact = float(sum((Fraction(number) - mean) ** 2 for number in numbers))
        assert squares == pytest.approx(exact, rel=1e-12)


def rows_of(name: str) -> tuple[pl.DataFrame, dict[str, Any]]:
    """The rows of a question and its columns, in databases without structs and short floats."""
    if name in HOSTILE:
        return hostile(), HOSTILE[name]
    rows = every_decision().drop("home").cast({"score32": pl.Float64})
    question = in_columns(ASKED[name], "sqlite")
    if question.get("every") == "2w":
        question = {**question, "every": "1w", "period": None}
    return rows, question


@pytest.fixture(scope="session")
def in_duckdb() -> Callable[[pl.DataFrame, str], pl.DataFrame]:
    connection = duckdb.connect()

    def ask(rows: pl.DataFrame, sql: str) -> pl.DataFrame:
        connection.register("loans", rows.to_arrow())
        return pl.DataFrame(connection.sql(sql))

    return ask


# By day every second question in one dialect, and all names in each: sqlglot takes long to read.
@pytest.mark.parametrize(
    ("dialect", "name"),
    [
        pytest.param(dialect, name, marks=[pytest.mark.nightly] * bool(by_night))
        for place, name in enumerate([*ASKED, *HOSTILE])
        for turn, dialect in enumerate(PARSED)
        for by_night in [name != "names" and (place % 2 or (place // 2 + turn) % 3)]
    ],
)
def test_the_text_of_other_warehouses_is_parsed(
    dialect: str, name: str, in_duckdb: Callable[[pl.DataFrame, str], pl.DataFrame]
) -> None:
    """What sqlglot reads, and writes for DuckDB, gives the cells of polars."""
    rows, question = rows_of(name)
    sql = pf.sql(rows, table="loans", dialect=dialect, **question)
    [translated] = sqlglot.transpile(sql, read=dialect, write="duckdb")
    found, wanted = in_duckdb(rows, translated), pf.cells(rows, **question)
    if question.get("count") == "k_holes":
        wanted, found = (each.drop_nulls("n") for each in (wanted, found))
    assert_same_cells(found, wanted, tolerance_of(name))


APPROVED: dict[str, Any] = {"label": "y", "predicted": "p"}

TO_CELLS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "decisions": ({"facet": ["sex", "branch"], **APPROVED}, {}),
    "strata and clusters": ({"facet": "sex", "predicted": "p", "cluster": "points"}, {}),
    "thresholds": (
        {"facet": "sex", "label": "y", "predicted": "score", "threshold": [0.25, 0.5]},
        {"threshold": [0.25, 0.5]},
    ),
    "scores": ({"facet": "sex", "label": "y", "score": "score", "resolution": 0.25}, {}),
    "weights": ({"facet": "sex", "weight": "w_holes", **APPROVED}, {}),
    "numbers": ({"facet": "sex", "observed": "points", "estimated": "v", "weight": "w"}, {}),
    "controls": ({"facet": "sex", "controls": {"points": 10}, **APPROVED}, {}),
    "estimated groups": ({"facet": TOWN, "predicted": "p"}, {}),
}
"""What the cells are counted by, and what is asked of them beside."""


@pytest.mark.parametrize("name", TO_CELLS)
def test_what_is_asked_of_cells_is_what_is_asked_of_rows(
    engine: str, decisions: Database, rows: pl.DataFrame, name: str
) -> None:
    question, more = TO_CELLS[name]
    cells = typed(asked(decisions, engine, rows, question), flat(pf.cells(rows, **question)).schema)
    later = {role: given for role, given in question.items() if role != "threshold"} | more
    functions: list[Any] = [pf.metrics, partial(pf.audit, replicates=20)]
    for function in functions:
        expected = function(rows, **question, nulls="drop")
        assert_frame_equal(
            pl.DataFrame(function(cells, **later, count="n", nulls="drop")),
            pl.DataFrame(expected),
            rel_tol=1e-9,
            abs_tol=1e-9,
        )
        of_table = function(decisions.frame, **question, nulls="drop")
        assert_frame_equal(
            pl.DataFrame(of_table), pl.DataFrame(expected), rel_tol=1e-9, abs_tol=1e-9
        )


PEOPLE = pl.DataFrame({"sex": ["F", "F", "M", "M"], "p": [True, False, True, True]})

WRONG: dict[str, tuple[pl.DataFrame, dict[str, Any], str]] = {
    "weights that are null": (
        PEOPLE.with_columns(w=pl.Series([1.0, None, 2.0, 1.0])),
        {"predicted": "p", "weight": "w"},
        "weight: missing values: 'w' has 1 (25.0 %); fill them",
    ),
    "negative weights": (
        PEOPLE.with_columns(w=pl.Series([1.0, 2.0, -1.0, 3.0])),
        {"predicted": "p", "weight": "w"},
        "weight: 'w' has negative values; a weight is finite and at least 0",
    ),
    "infinite scores": (
        PEOPLE.with_columns(s=pl.Series([0.5, float("inf"), 0.25, 1.0])),
        {"label": "p", "score": "s"},
        "score: 's' has infinite values, which have no mean and no distance to others; replace",
    ),
    "infinite scores by multiples": (
        PEOPLE.with_columns(s=pl.Series([0.5, float("-inf"), 0.25, 1.0])),
        {"label": "p", "score": "s", "resolution": 0.25},
        "score: 's' has infinite values, which have no mean and no distance to others; replace",
    ),
    "infinite numbers": (
        PEOPLE.with_columns(x=pl.Series([0.5, float("inf"), 0.25, 1.0])),
        {"observed": "x"},
        "observed: 'x' has infinite values, which have no mean, or values whose squares are ",
    ),
    "half a row": (
        PEOPLE.with_columns(k=pl.Series([0.5, 0.5, 1.0, 2.0])),
        {"predicted": "p", "count": "k"},
        "values that are not whole numbers; a count is a number of rows",
    ),
    "negative counts": (
        PEOPLE.with_columns(k=pl.Series([3, -1, 1, 2])),
        {"predicted": "p", "count": "k"},
        "has negative values; a count is at least 0",
    ),
    "missing outcomes": (
        PEOPLE.with_columns(y=pl.Series([True, None, False, True])),
        {"label": "y"},
        "label: missing values: 'y' has 1 (25.0 %); fill them",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_rows_is_an_error_of_their_cells(
    engine: str, loaded: Loaded, name: str
) -> None:
    rows, question, message = WRONG[name]
    database = loaded(rows)
    cells = asked(database, engine, rows, {"facet": "sex", **question})
    own = {**PEOPLE.schema, "y": pl.Boolean()}
    types = {name: own.get(name, dtype) for name, dtype in cells.schema.items()}
    cells = typed(cells, pl.Schema(types))
    asked_later = {"facet": "sex", **question, "count": "n"}
    for frame, given in (
        (rows, question),
        (database.frame, question),
        (cells, asked_later),
    ):
        with pytest.raises(pf.FairnessError) as raised:
            pf.metrics(frame, **{"facet": "sex", **given})
        assert message in str(raised.value)


def test_a_table_without_rows(engine: str, loaded: Loaded) -> None:
    none = PEOPLE.clear()
    database = loaded(none)
    question: dict[str, Any] = {"facet": "sex", "predicted": "p"}
    assert_same_cells(asked(database, engine, none, question), pf.cells(none, **question))
    functions: list[Any] = [pf.metrics, pf.rates]
    for function in functions:
        expected, found = (
            pl.DataFrame(function(each, **question)) for each in (none, database.frame)
        )
        assert_frame_equal(found, expected)


@pytest.fixture
def loans(tmp_path: Path) -> str:
    """The file of a database of SQLite."""
    path = str(tmp_path / "loans.db")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE loans (sex TEXT, approved INTEGER, decided TEXT)")
        values = [("F", 0, "2025-01-31"), ("F", 1, "2025-02-01"), ("M", 1, "2025-02-28")]
        database.executemany("INSERT INTO loans VALUES (?, ?, ?)", values)
    return path


TYPES = {"approved": pl.Boolean, "decided": pl.Date}


@contextmanager
def connected(kind: str, path: str) -> Iterator[Any]:
    if kind == "DB-API":
        with closing(sqlite3.connect(path)) as connection:
            yield connection
    elif kind == "ADBC":
        from adbc_driver_sqlite import dbapi

        with dbapi.connect(path) as connection:
            yield connection
    else:
        engine = sqlalchemy.create_engine(f"sqlite:///{path}")
        with engine.connect() as connection:
            yield engine if kind == "an engine of SQLAlchemy" else connection
        engine.dispose()


@pytest.mark.parametrize("kind", ["DB-API", "ADBC", "SQLAlchemy", "an engine of SQLAlchemy"])
def test_connections(kind: str, loans: str) -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "approved"}
    of_time = {**question, "by": "decided", "every": "1mo"}
    rows = pl.DataFrame(
        {
            "sex": ["F", "F", "M"],
            "approved": [False, True, True],
            "decided": [date(2025, 1, 31), date(2025, 2, 1), date(2025, 2, 28)],
        }
    )
    with connected(kind, loans) as connection:
        table = pf.from_sql(connection, "loans", schema=TYPES)
        for asked_of in (question, of_time):
            assert_frame_equal(pf.cells(table, **asked_of), pf.cells(rows, **asked_of))
        # Without types, numbers 0 and 1 are outcomes too; a query has a name.
        some = pf.from_sql(connection, '(SELECT sex, approved AS ":a" FROM loans) some')
        found = pf.rates(some, facet="sex", predicted=":a")
    assert_frame_equal(found, pf.rates(rows, **question))


def test_a_column_whose_first_values_are_null_has_no_type() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE loans (sex TEXT, p INTEGER)")
    question: dict[str, Any] = {"facet": "sex", "predicted": "p"}
    untyped = pf.from_sql(database, "loans", schema={"p": pl.Boolean})
    with pytest.raises(pf.FairnessError, match=r"^facet: the first values of 'sex' are null, and"):
        pf.metrics(untyped, **question)
    typed = pf.from_sql(database, "loans", schema={"sex": pl.String, "p": pl.Boolean})
    assert pf.rates(typed, **question).is_empty()


def test_what_is_no_dialect_and_no_column_is_refused() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE loans (sex TEXT)")
    with pytest.raises(pf.FairnessError, match=r"^dialect: no dialect 'oracle'; "):
        pf.from_sql(database, "loans", dialect="oracle")
    with pytest.raises(pf.FairnessError, match=r"^schema: no column 'sx'; did you mean 'sex'"):
        pf.from_sql(database, "loans", schema={"sx": pl.String})
    with pytest.raises(
        pf.FairnessError, match=r"^dialect: no dialect 'postgre'; did you mean 'pos"
    ):
        pf.sql(
            {"sex": pl.String, "p": pl.Boolean},
            table="t",
            dialect="postgre",
            facet="sex",
            predicted="p",
        )
    with pytest.raises(
        pf.FairnessError, match=r"^predicted: takes columns of a table by name, got"
    ):
        pf.sql(
            {"sex": pl.String, "s": pl.Float64},
            table="t",
            dialect="duckdb",
            facet="sex",
            predicted=pl.col("s") > 0.5,
        )


def test_two_columns_of_one_name_are_refused() -> None:
    schema = {"sex": pl.String, "race": pl.String, "p": pl.Boolean}
    question: dict[str, Any] = {"facet": ["sex", pl.struct(pl.col("race").alias("sex"), "p")]}
    with pytest.raises(pf.FairnessError, match=r"^facet: "):
        pf.sql(schema, table="t", dialect="duckdb", **question, predicted="p")


def test_a_table_is_pasted_as_it_is_written() -> None:
    schema = {"sex": pl.String, "p": pl.Boolean}
    sql = pf.sql(schema, table='"a"."b" AS x', dialect="postgres", facet="sex", predicted="p")
    assert 'FROM "a"."b" AS x)' in sql
