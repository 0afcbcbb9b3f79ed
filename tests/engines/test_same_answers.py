"""Rows in any engine give the answers of polars."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.counting.engine_rows import Table
from tests.engines.conftest import ENGINES
from tests.engines.databases import FLAT
from tests.frames import shared

BOTH: dict[str, Any] = {"label": "y", "predicted": "p"}

TOWN = pf.probabilities("town", {"North": "p_north", "South": "p_south"})

# Ibis warns of DuckDB's own future.
pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")

QUESTIONS: dict[str, dict[str, Any]] = {
    "one facet": {"facet": "sex", **BOTH},
    "whole numbers": {"facet": "age", "disfavored": 65, **BOTH},
    "dates": {"facet": "born", **BOTH},
    "truths": {"facet": "veteran", "favored": False, **BOTH},
    "floats": {"facet": "zone", **BOTH},
    "decimals": {"facet": "rank", **BOTH},
    "an enumeration": {"facet": "grade", "disfavored": ["A", "B"], **BOTH},
    "an intersection": {"facet": "home", "disfavored": ("DE", "x"), **BOTH},
    "several facets": {"facet": ["sex", "age", "veteran", "grade", "born"], **BOTH},
    "sides": {"facet": ["sex", "age"], "favored": {"sex": "M", "age": 30}, **BOTH},
    "strata": {"facet": "sex", "subgroup": ["branch", "veteran"], **BOTH},
    "windows": {"facet": "sex", "by": ["month", "age"], **BOTH},
    "moments": {"facet": "sex", "by": "seen", **BOTH},
    "windows of time": {"facet": "sex", "by": ["seen", "age"], "every": "2w", "period": "4w"}
    | BOTH,
    "quarters": {"facet": "sex", "by": "month", "every": "1q", **BOTH},
    "windows of strata of facets": {"facet": ["sex", "grade"], "subgroup": "branch", "by": "month"}
    | BOTH,
    "labels only": {"facet": "sex", "label": "y_int"},
    "predictions only": {"facet": "sex", "predicted": "p"},
    "no facet": {**BOTH},
    "text": {"facet": "sex", "label": "p_text", "predicted": "p_text", "positive": "yes"}
    | {"predicted": "p"},
    "text by column": {"facet": "sex", "label": "y", "predicted": "p_text"}
    | {"positive": {"p_text": "yes"}},
    "several positive": {"facet": "sex", "predicted": "p_text", "positive": ["yes", "perhaps"]},
    "the other way round": {"facet": "sex", "predicted": "p", "positive": False},
    "controls": {"facet": "sex", "controls": {"points": 7.5, "age": None}, **BOTH},
    "a threshold": {"facet": "sex", "label": "y", "predicted": "score", "threshold": 0.5},
    "a threshold of 32 bits": {"facet": "sex", "predicted": "score32", "threshold": 0.7},
    "two thresholds": {"facet": "sex", "label": "points", "label_threshold": 25}
    | {"predicted": "score", "threshold": 0.25},
    "scores": {"facet": ["sex", "branch"], "label": "y", "score": "score", "by": "month"},
    "scores by thirds": {"facet": "sex", "label": "y", "score": "score", "resolution": 0.3},
    "scores of 32 bits by tenths": {"facet": "sex", "score": "score32", "resolution": 0.1},
    "whole scores by weight": {"facet": "sex", "label": "y", "score": "points", "resolution": 10}
    | {"weight": "w", "count": "k"},
    "scores with holes": {"facet": "sex", "label": "y", "score": "score_holes", "resolution": 0.25}
    | {"nulls": "drop"},
    "several thresholds": {"facet": "sex", "label": "y_holes", "predicted": "score_holes"}
    | {"threshold": [0.5, 0.75], "nulls": "drop"},
    "thresholds without a common step": {"facet": "sex", "label": "y", "predicted": "score32"}
    | {"threshold": [0.1, 0.30000000000000004, 0.7], "weight": "w"},
    "every multiple": {"facet": "sex", "predicted": "score", "threshold": "every"}
    | {"resolution": 0.25},
    "holes": {"facet": "sex", "label": "y_holes", "predicted": "score_holes", "threshold": 0.5}
    | {"nulls": "drop"},
    "a weight": {"facet": "sex", "weight": "w", "subgroup": "branch", **BOTH},
    "weights of zero": {"facet": ["sex", "age"], "weight": "w_zero", **BOTH},
    "weights with holes": {"facet": "sex", "weight": "w_holes", "nulls": "drop", **BOTH},
    "a count": {"facet": "sex", "count": "k", "subgroup": "branch", **BOTH},
    "a count in floats": {"facet": "sex", "count": "k_float", **BOTH},
    "a count with holes": {"facet": "sex", "count": "k_holes", "nulls": "drop", **BOTH},
    "a count and a weight": {"facet": ["sex", "age"], "count": "k", "weight": "w", **BOTH},
    "both with holes": {"facet": "sex", "count": "k_holes", "weight": "w_holes", "nulls": "drop"}
    | BOTH,
    "0/0 as 0": {"facet": "sex", "by": "month", "zero_division": 0.0, **BOTH},
    "probabilities": {"facet": TOWN, **BOTH},
    "probabilities by weight": {"facet": ["sex", TOWN], "weight": "w_zero", "by": "month", **BOTH},
    "probabilities by count": {"facet": TOWN, "count": "k", "weight": "w", **BOTH},
    "probabilities of scores": {"facet": TOWN, "label": "y", "score": "score", "resolution": 0.25},
    "probabilities of numbers": {"facet": ["sex", TOWN], "observed": "points"},
    "numbers": {"facet": ["sex", "branch"], "observed": "points", "estimated": "v", "by": "month"},
    "numbers with holes": {"facet": "sex", "observed": "score_holes", "estimated": "points"}
    | {"weight": "w", "count": "k_holes", "nulls": "drop"},
}


# Where `cells` and `rates` need other counts than `metrics`. Elsewhere the engine gets the same
# query from each, as a test below shows, and answers it once.
OTHER_COUNTS: dict[Any, tuple[str, ...]] = {
    pf.cells: (
        "several facets",
        "sides",
        "windows of strata of facets",
        "text",
        "scores",
        "several thresholds",
        "thresholds without a common step",
        "weights of zero",
        "a count and a weight",
        "probabilities by weight",
    ),
}


def in_columns(question: dict[str, Any], engine: str) -> dict[str, Any]:
    """The question, with the columns of a struct where an engine has none."""
    if engine not in FLAT or question.get("facet") != "home":
        return question
    return {**question, "facet": pl.struct("country", "city").alias("home")}


# Engines have the same rows in a few schemas.
ANSWERS_OF_POLARS: dict[tuple[Any, str, str], pl.DataFrame] = {}


# `test_sql.py` has the cells of SQLite by day, from which on all is polars.
@pytest.mark.parametrize(
    "engine",
    [each for each in ENGINES if each != "sqlite"]
    + [pytest.param("sqlite", marks=pytest.mark.nightly)],
    indirect=True,
    scope="session",
)
@pytest.mark.parametrize(
    ("function", "name"),
    [
        *((pf.metrics, name) for name in QUESTIONS),
        *((function, name) for function, names in OTHER_COUNTS.items() for name in names),
    ],
)
def test_the_answer_is_the_same_as_in_polars(
    engine: str, frame: Any, rows: pl.DataFrame, function: Any, name: str
) -> None:
    question = in_columns(QUESTIONS[name], engine)
    if function is pf.cells and name == "text":
        # Cells keep the label's three values; the next question says which is positive.
        question = {role: given for role, given in question.items() if role != "positive"}
    key = (function, name, str(rows.schema))
    if key not in ANSWERS_OF_POLARS:
        ANSWERS_OF_POLARS[key] = function(rows, **question)
    expected, got = ANSWERS_OF_POLARS[key], function(frame, **question)
    if function is pf.cells:
        # An enumeration has an order of its own, which not every engine keeps.
        expected, got = in_order(expected), in_order(got)
    # Enumerations are text to most engines; some know fewer sizes of whole numbers and decimals.
    drifts = {"grade", "age", "rank"} & set(got.columns)
    assert_frame_equal(got, expected, check_dtypes=not drifts)


@pytest.mark.parametrize("function", OTHER_COUNTS)
def test_other_functions_need_the_counts_of_metrics(
    function: Any, parquet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import duckdb

    class Sent(Exception):  # noqa: N818  # no error: the query is known, and need not run
        pass

    def sent(_: Table, sql: str, names: list[str]) -> None:
        raise Sent(sql)

    def query(function: Any, name: str) -> str:
        question = {
            role: given for role, given in QUESTIONS[name].items() if role not in not_counted
        }
        with pytest.raises(Sent) as query:
            function(frame, **question)
        return str(query.value)

    monkeypatch.setattr(Table, "answered", sent)
    frame = duckdb.connect().read_parquet(str(parquet / "*.parquet"))
    # Rates do not depend on subgroups, which are then no keys of the query.
    not_counted = ["subgroup"] if function is pf.rates else []
    # Whether a weight, a count or a number is known is a key of cells alone, which also have the
    # sums that say how estimated groups vary.
    may_lack = {"weight", "count", "observed", "estimated"}
    own = [
        name
        for name, each in QUESTIONS.items()
        if may_lack & each.keys() or "probabilities" in name
    ]
    refused = own if function is pf.cells else []
    for name in QUESTIONS.keys() - {*OTHER_COUNTS[function], *refused}:
        assert query(function, name) == query(pf.metrics, name), name


@pytest.mark.parametrize("weight", [None, "w"])
def test_estimated_groups_have_the_same_intervals(
    frame: Any, rows: pl.DataFrame, weight: str | None
) -> None:
    question: dict[str, Any] = {"facet": TOWN, "predicted": "p", "weight": weight}
    expected, found = (pf.audit(each, "dppl", "di", **question) for each in (rows, frame))
    assert expected["lower"].drop_nulls().len() == 2
    assert_frame_equal(pl.DataFrame(found), expected, rel_tol=1e-9, abs_tol=1e-9)


def lending(rows: Any, **question: Any) -> pl.DataFrame:
    answer: pl.DataFrame = pf.lending.table(rows, predicted="p", deviation="population", **question)
    return answer


def chosen(rows: Any, **question: Any) -> pl.DataFrame:
    answer: pl.DataFrame = pf.choose(rows, "di", **question)
    return answer


WEIGHTED = {"score": "score", "by": "month", "weight": "w"}
COUNTED = {"score": "score32", "resolution": 0.1, "count": "k"}
WITH_HOLES = {"score": "score_holes", "nulls": "drop", "count": "k"}
BESIDE_M: dict[str, Any] = {"facet": "sex", "favored": "M", "confidence": None}
SCORED: dict[str, Any] = {"facet": "sex", "label": "y"}

OTHERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "factors": (pf.reweigh, {"facet": "zone", "label": "y"}),
    "factors of values": (
        pf.reweigh,
        {"facet": ["sex", "veteran"], "label": "p_text", "by": "month"},
    ),
    "factors by positive values": (
        pf.reweigh,
        {"facet": "zone", "label": "p_text", "positive": "yes", "weight": "w"},
    ),
    "factors by a threshold": (
        pf.reweigh,
        {"facet": "age", "label": "points", "label_threshold": 25, "count": "k"},
    ),
    "factors with holes": (
        pf.reweigh,
        {"facet": "sex", "label": "y_holes", "weight": "w_holes", "nulls": "drop"},
    ),
    "calibration": (pf.calibration, {**SCORED, "facet": ["sex", "veteran"], **WEIGHTED}),
    "calibration of 32 bits": (pf.calibration, {**SCORED, "score": "score32", "by": "month"}),
    "calibration with holes": (pf.calibration, {"facet": "sex", **WITH_HOLES}),
    "choose every score": (chosen, {**SCORED, **WEIGHTED}),
    "choose multiples": (chosen, {**SCORED, **COUNTED}),
    "choose thresholds": (chosen, {**SCORED, **WITH_HOLES, "threshold": [0.25, 0.5]}),
    "lending": (lending, {**BESIDE_M, **WEIGHTED}),
    "lending with holes": (lending, {**BESIDE_M, **WITH_HOLES, "resolution": 0.25}),
    "quantiles": (pf.lending.quantiles, {**BESIDE_M, **WEIGHTED}),
    "quantiles with holes": (pf.lending.quantiles, {**BESIDE_M, **WITH_HOLES, "resolution": 0.25}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_answers_are_the_same_as_in_polars(frame: Any, rows: pl.DataFrame, name: str) -> None:
    function, question = OTHERS[name]
    expected, got = function(rows, **question), function(frame, **question)
    assert_frame_equal(got, expected, check_dtypes="age" not in expected.columns)


MODELS: dict[str, dict[str, Any]] = {
    "Booleans": {"predicted": {"old": "p", "new": "veteran"}, "nulls": "drop"},
    "numbers, text and a score": {
        "predicted": {"old": "p", "number": "y_int", "text": "p_text", "score": "score32"},
        "positive": {"p_text": ["yes", "perhaps"]},
        "threshold": {"score": 0.7},
        "weight": "w",
    },
    "thresholds": {"predicted": {"old": "score", "new": "score_holes"}, "threshold": [0.25, 0.5]}
    | {"nulls": "drop", "by": "month"},
    "more than are counted together": {
        "predicted": {"old": "veteran", **{f"{i}": ("p", "veteran")[i % 2] for i in range(9)}},
        "nulls": "drop",
        "count": "k",
    },
}


@pytest.mark.parametrize("question", MODELS.values(), ids=MODELS)
def test_models_are_the_same_as_in_polars(
    frame: Any, rows: pl.DataFrame, question: dict[str, Any]
) -> None:
    full = {"facet": ["sex", "age"], "label": "y", **question}
    # Without a champion, metrics need the counts of rates.
    functions: list[tuple[Any, dict[str, Any]]] = [
        (pf.rates, {}),
        (pf.switches, {"champion": "old"}),
    ]
    for function, more in functions:
        expected, got = (shared(function, each, **full, **more) for each in (rows, frame))
        assert_frame_equal(got, expected)


def test_scores_of_models_are_the_same_as_in_polars(frame: Any, rows: pl.DataFrame) -> None:
    models = {"a": "score_holes", "b": "score32"}
    full: dict[str, Any] = {"facet": "sex", "label": "y", "predicted": models}
    expected = pf.rates(rows, nulls="drop", **full)
    assert_frame_equal(pf.rates(frame, nulls="drop", **full), expected)


@pytest.mark.parametrize("depth", [None, 2])
def test_groups_are_the_same_as_in_polars(
    frame: Any, rows: pl.DataFrame, depth: int | None
) -> None:
    question: dict[str, Any] = {"facet": ["sex", "veteran", "branch"], "weight": "w", "by": "month"}
    question |= {**BOTH}
    expected = pf.worst_groups(rows, "fpsf", depth=depth, **question)
    assert_frame_equal(pf.worst_groups(frame, "fpsf", depth=depth, **question), expected)
    metric = pf.entry("fpsf", groups="conjunctions", depth=depth)
    of_all = pf.metrics(rows, metric, **question)
    assert_frame_equal(pf.metrics(frame, metric, **question), of_all)


def in_order(cells: pl.DataFrame) -> pl.DataFrame:
    return cells.with_columns(pl.col(pl.Enum, pl.Categorical).cast(pl.String)).sort(pl.all())


MISTAKES: dict[str, dict[str, Any]] = {
    "a label with holes": {"facet": "sex", "label": "y_holes", "predicted": "score_holes"}
    | {"threshold": 0.5},
    "a weight with holes": {"facet": "sex", "weight": "w_holes", **BOTH},
    "a count with holes": {"facet": "sex", "count": "k_holes", **BOTH},
    "a negative weight": {"facet": "sex", "weight": "w_negative", **BOTH},
    "an infinite weight": {"facet": "sex", "weight": "w_infinite", **BOTH},
    "a weight that is no number": {"facet": "sex", "weight": "w_nan", **BOTH},
    "a count beyond counting": {"facet": "sex", "count": "k_huge", **BOTH},
    "a negative count": {"facet": "sex", "count": "k_negative", **BOTH},
    "half a row": {"facet": "sex", "count": "w", **BOTH},
    "an endless count": {"facet": "sex", "count": "w_infinite", **BOTH},
    "a side that never occurs": {"facet": "sex", "disfavored": "W", **BOTH},
    "a positive that never occurs": {"facet": "sex", "predicted": "p_text", "positive": "oui"},
    "numbers that are no outcomes": {"facet": "sex", "label": "points"},
    "no such column": {"facet": "sx", **BOTH},
    "a column in two roles": {"facet": "sex", "by": "sex", **BOTH},
    "a threshold in words": {"facet": "sex", "predicted": "score", "threshold": "high"},
    "text without a positive": {"facet": "sex", "predicted": "p_text"},
    "a weight in words": {"facet": "sex", "weight": "branch", **BOTH},
    "a value of another type": {"facet": "veteran", "disfavored": "yes", **BOTH},
    "unknown argument": {"facets": "sex", "label": "nope"},
    "two columns that are not there": {"facet": "nope", "by": "neither", **BOTH},
    "a column by number": {"facet": 5, **BOTH},
}


@pytest.mark.parametrize("question", MISTAKES.values(), ids=MISTAKES)
def test_errors_have_the_same_words_as_in_polars(
    frame: Any, rows: pl.DataFrame, question: dict[str, Any]
) -> None:
    with pytest.raises(pf.FairnessError) as here:
        pf.metrics(rows, **question)
    with pytest.raises(pf.FairnessError) as elsewhere:
        pf.metrics(frame, **question)
    assert str(elsewhere.value) == str(here.value)


IN_CASES = pl.DataFrame(
    {"sex": ["F", "f", "F", "É", "é", "É", "f", None], "p": [1, 1, 0, 0, 1, 1, 1, 0]}
).with_columns(home=pl.struct(pl.col("sex").alias("of it"), "p"), g=pl.lit("M"))

OF_TEXT: list[dict[str, Any]] = [
    {"facet": ["sex", "home"], "predicted": "p"},
    {"facet": "g", "by": "sex", "predicted": "p"},
    {"facet": "g", "subgroup": "sex", "predicted": "p"},
    {"facet": "g", "label": "sex", "predicted": "p", "nulls": "drop"},
]
"""Questions whose groups differ by nothing but capital letters."""


@pytest.mark.parametrize("default", ["", "nocase"])
def test_duckdb_compares_text_without_its_collation(default: str) -> None:
    import duckdb

    engine = duckdb.connect(config={"default_collation": default} if default else {})
    engine.register("rows", IN_CASES.to_arrow())
    columns = 'sex VARCHAR COLLATE NOCASE, p BIGINT, home STRUCT("of it" VARCHAR, p BIGINT)'
    engine.execute(f"CREATE TABLE people ({columns}, g VARCHAR)")
    engine.execute("INSERT INTO people FROM rows")
    people = engine.table("people")
    assert people.aggregate("count(DISTINCT sex)").fetchall() == [(2,)]
    for question in OF_TEXT:
        assert_frame_equal(pf.cells(people, **question), pf.cells(IN_CASES, **question))


def test_spark_compares_text_without_its_collation(spark: Any) -> None:
    rows = spark.createDataFrame(IN_CASES.to_arrow())
    collated = "STRUCT<`of it`: STRING COLLATE UTF8_LCASE, p: BIGINT>"
    people = rows.selectExpr(
        "sex COLLATE UTF8_LCASE AS sex", "p", f"CAST(home AS {collated}) AS home", "g"
    )
    assert people.select("sex").distinct().count() == 3
    for question in OF_TEXT:
        assert_frame_equal(pf.cells(people, **question), pf.cells(IN_CASES, **question))


def test_a_sum_beyond_64_bits_is_an_error(engine: str, frame: Any, rows: pl.DataFrame) -> None:
    question: dict[str, Any] = {"facet": "sex", "count": "k_many", **BOTH}
    with pytest.raises(pf.FairnessError, match=r"^count: 'k_many' adds up to 1\.84e\+21 rows, and"):
        pf.metrics(rows, **question)
    # Some engines may refuse such a sum before it comes back.
    if engine in ("spark", "sqlite"):
        refused = r"ARITHMETIC_OVERFLOW|integer overflow|adds up to 1\.84e\+21 rows"
        with pytest.raises(Exception, match=refused):
            pf.metrics(frame, **question)
        return
    with pytest.raises(pf.FairnessError, match=r"^count: 'k_many' adds up to 1\.84e\+21 rows, and"):
        pf.metrics(frame, **question)


def test_columns_are_taken_by_name(engine: str, frame: Any, rows: pl.DataFrame) -> None:
    month = pl.col("month").dt.month()
    town = pf.probabilities("town", {"North": "p_north", "South": 1 - pl.col("p_north")})
    questions: list[dict[str, Any]] = [{"facet": "sex", "by": month}, {"facet": ["sex", town]}]
    for question, argument in zip(questions, ("by", "facet"), strict=True):
        if engine in ("pandas", "pandas of arrow", "pyarrow"):
            # They are read into polars, which computes columns.
            expected = pf.metrics(rows, **question, **BOTH)
            assert_frame_equal(pf.metrics(frame, **question, **BOTH), expected)
            continue
        message = rf"^{argument}: takes columns of a .* by name, got .*; add it to the frame as a"
        with pytest.raises(pf.FairnessError, match=message):
            pf.metrics(frame, **question, **BOTH)
    plain = {"facet": pl.col("sex"), "by": "month", **BOTH}
    assert_frame_equal(pf.metrics(frame, **plain), pf.metrics(rows, **plain))


@pytest.mark.parametrize("function", [pf.fliptest, pf.consistency])
def test_individuals_of_another_engine_are_those_of_polars(
    function: Any, frame: Any, rows: pl.DataFrame
) -> None:
    question = {"facet": "sex", "features": ["u", "v"], "nulls": "drop", **BOTH}
    got, expected = (shared(function, each, **question) for each in (frame, rows))
    assert_frame_equal(got, expected)


def test_flips_of_another_engine_are_refused(frame: Any) -> None:
    with pytest.raises(pf.FairnessError, match=r"^flips: returns rows .* polars frame first$"):
        pf.fliptest(frame, facet="sex", features="u", flips=True, predicted="p")


@pytest.mark.parametrize("library", ["duckdb", pytest.param("ibis", marks=pytest.mark.nightly)])
@pytest.mark.parametrize("threshold", [0.5, [0.5, 0.8]])
def test_a_file_that_states_no_nan_may_have_nan_scores(
    library: str, threshold: Any, tmp_path: Path
) -> None:
    rows = pl.DataFrame({"g": ["a", "b"] * 2, "s": [0.2, float("nan"), 0.9, 0.8]})
    rows.write_parquet(tmp_path / "scores.parquet")
    files = str(tmp_path / "*.parquet")
    if library == "duckdb":
        import duckdb

        frame: Any = duckdb.connect().read_parquet(files)
    else:
        import ibis

        frame = ibis.duckdb.connect().read_parquet(files)
    question: dict[str, Any] = {"facet": "g", "predicted": "s", "threshold": threshold}
    with pytest.raises(pf.FairnessError, match="predicted: missing values: 's' has 1"):
        pf.rates(frame, **question)
    dropped = pf.rates(frame, nulls="drop", **question)
    assert_frame_equal(dropped, pf.rates(rows, nulls="drop", **question))


@pytest.mark.parametrize("cluster", ["points", "p_text", "y"])
def test_clusters_have_the_same_groups_as_in_polars(
    frame: Any, rows: pl.DataFrame, cluster: str
) -> None:
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "cluster": cluster}
    assert_frame_equal(in_order(pf.cells(frame, **question)), in_order(pf.cells(rows, **question)))
