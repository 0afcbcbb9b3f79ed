"""A plan has no step in Python, collects nothing, and reads rows once, for every argument."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from itertools import chain
from typing import Any, Final

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.answers.metrics import needs_cells
from polars_fairness.counting.faults import errors_of_users
from polars_fairness.question.arguments import OF_QUESTION
from tests.frames import people, shared

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "predicted": "p"}
BY_SCORE: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "score": "score"}
NUMBERS: Final[dict[str, Any]] = {"facet": "sex", "observed": "w", "estimated": "score"}

# What no plan of polars computes, and why.
EXCEPTIONS: Final = {
    "regressions": [name for name, each in pf.CATALOGUE.items() if "controls" in each.needs],
    "ranks of scores": [
        *("auc_difference", "xauc_difference", "bpsn_auc", "bnsp_auc", "abroca", "auc_gap"),
        *("score_ks", "score_wasserstein", "score_wasserstein_positive"),
        *("score_wasserstein_negative", "ece_gap", "miscalibration", "exposure_ratio", "ndkl"),
    ],
    "quantiles": [name for name, each in pf.CATALOGUE.items() if each.parsed.level.number],
}
NATIVE: Final = [name for name in pf.CATALOGUE if name not in chain(*EXCEPTIONS.values())]
# Of the arguments of a question, those without a part in plans; `audit` reads them.
WITHOUT_A_PART: Final = {"controls", "cluster", "estimator"}

ARGUMENTS: Final[dict[str, dict[str, Any]]] = {
    "none": {},
    "several facets": {"facet": ["sex", "race", "branch"]},
    "a struct": {"facet": pl.struct("sex", "race").alias("both")},
    "two values": {"facet": [(pl.col("month") > 0).cast(pl.Int8).alias("two"), "sex"]},
    "sides": {"disfavored": "F", "favored": "M"},
    "weights": {"weight": "w"},
    "counts": {"count": "month"},
    "windows": {"by": "month"},
    "dropped nulls": {"nulls": "drop", "predicted": pl.col("p").replace(False, None)},
    "unknown": {"unknown": "X"},
    "unfavorable": {"favorable": False},
    "0/0": {"zero_division": 0.0},
    "the highest": {"favored": pf.HIGHEST},
    "the largest": {"favored": pf.LARGEST},
    "models": {"predicted": {"one": "p", "two": pl.col("score") > 0.25}},
    "blocks of time": {"by": "day", "every": "1mo"},
    "periods": {"by": ["day", "branch"], "every": "1mo", "period": "2mo"},
    "positive values": {"label": pl.col("y").cast(pl.String).alias("t"), "positive": {"t": "true"}},
    "a threshold of labels": {"label": "w", "label_threshold": 1.5},
    "an expression of some length": {"by": pl.col("month").head(10**6)},
}
CLASSES: Final[dict[str, Any]] = {"facet": "sex", "label": "level", "predicted": "given"}
THRESHOLDS: Final[dict[str, Any]] = {
    "one": 0.5,
    "several": [0.25, 0.5],
    "every": "every",
    "the best": pf.best(0.1, 0.5),
    "some of the best": pf.best(3),
    "many without a step": [(number * number + 1) / 8 for number in range(12)],
}


@pytest.fixture
def never_collected(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], Any]:
    """Make a plan, and fail if any other plan is collected on the way."""

    def made(call: Callable[[], Any]) -> Any:
        collect = pl.LazyFrame.collect

        def collected(plan: pl.LazyFrame, *args: Any, **options: Any) -> Any:
            # polars 1 computes what a DataFrame returns by a plan with flags of its own.
            flags: Any = options.get("optimizations")
            if flags is not None and getattr(flags._pyoptflags, "eager", False):
                return collect(plan, *args, **options)
            pytest.fail("collected")

        with monkeypatch.context() as patched:
            patched.setattr(pl.LazyFrame, "collect", collected)
            for owner, name in ((pl.LazyFrame, "collect_async"), (pl, "collect_all")):
                patched.setattr(owner, name, lambda *_, **__: pytest.fail("collected"))
            return call()

    return made


def check(answer: Callable[[Any], Any], frame: pl.DataFrame, made: Callable[..., Any]) -> None:
    # First, since what a formula says of its sign is computed once, and remembered.
    expected = answer(frame)
    plan = made(lambda: answer(frame.lazy()))
    assert not re.search("OPAQUE|PYTHON|python_udf", plan.explain())
    for engine in ("streaming", "in-memory"):
        assert_frame_equal(plan.collect(engine=engine), expected, rel_tol=1e-12, abs_tol=1e-12)


def answers_to(question: dict[str, Any]) -> dict[str, Callable[[Any], Any]]:
    together = [name for name in NATIVE if {*pf.CATALOGUE[name].needs} <= {*question, "subgroup"}]
    conditional = {**question, "subgroup": "k"}
    outcomes = {name: each for name, each in question.items() if name not in ("facet", "nulls")}
    population = dict.fromkeys("FMX", 1)
    return {
        "metrics": lambda rows: pf.metrics(rows, *together, **conditional),
        "rates": lambda rows: pf.rates(rows, **question),
        "hidden rates": lambda rows: pf.rates(rows, **question, hide_below=20),
        "cells": lambda rows: pf.cells(rows, **conditional),
        "hidden cells": lambda rows: pf.cells(rows, **conditional, hide_below=5),
        "confusions": lambda rows: shared(pf.confusions, rows, **question),
        "decompose": lambda rows: shared(pf.decompose, rows, "cddpl", **conditional),
        "representation": lambda rows: pf.representation(
            rows, facet="sex", reference=population, **outcomes
        ),
    }


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    number = pl.int_range(pl.len())
    levels = pl.Enum(["0", "1", "2", "3"])
    return people(120).with_columns(
        k=number % 3,
        day=pl.date(2024, 1, 1) + pl.duration(days=number),
        level=(number % 4).cast(pl.String).cast(levels),
        given=(number * number % 4).cast(pl.String).cast(levels),
    )


# An argument has the same part in all answers: each answer has some of them, and metrics have all.
TOGETHER: Final = [
    (name, more)
    for place, name in enumerate(answers_to(QUESTION))
    for number, more in enumerate(ARGUMENTS)
    if name == "metrics" or (number % 7 == place and (name, more) != ("hidden rates", "periods"))
]


@pytest.mark.parametrize(("name", "more"), TOGETHER)
def test_no_argument_needs_a_step_in_python(
    name: str, more: str, frame: pl.DataFrame, never_collected: Callable[..., Any]
) -> None:
    check(answers_to({**QUESTION, **ARGUMENTS[more]})[name], frame, never_collected)


def test_each_argument_is_part_of_a_question() -> None:
    """A new argument has to be here, or to be an exception."""
    given = {name for question in ARGUMENTS.values() for name in question}
    given |= {*QUESTION, *BY_SCORE, *NUMBERS, "subgroup", "threshold", "resolution", "classes"}
    assert given | WITHOUT_A_PART == {argument.name for argument in OF_QUESTION}
    assert {name for name, each in pf.CATALOGUE.items() if needs_cells(each)} == {
        *chain(*EXCEPTIONS.values())
    }


@pytest.mark.parametrize("kind", ["each", "cumulative"])
def test_no_classes_need_a_step_in_python(
    kind: str, frame: pl.DataFrame, never_collected: Callable[..., Any]
) -> None:
    question = {**CLASSES, "classes": kind}
    check(lambda rows: pf.metrics(rows, "di", "rd", **question), frame, never_collected)
    check(lambda rows: pf.rates(rows, **question), frame, never_collected)


@pytest.mark.parametrize("more", [{}, {"resolution": 0.125}, {"threshold": 0.5}, {"weight": "w"}])
def test_no_rates_of_scores_need_a_step_in_python(
    more: dict[str, Any], frame: pl.DataFrame, never_collected: Callable[..., Any]
) -> None:
    check(lambda rows: pf.rates(rows, **BY_SCORE, **more), frame, never_collected)


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize("resolution", [None, 0.125])
def test_no_threshold_needs_a_step_in_python(
    threshold: str,
    resolution: float | None,
    frame: pl.DataFrame,
    never_collected: Callable[..., Any],
) -> None:
    question = {**BY_SCORE, "threshold": THRESHOLDS[threshold], "resolution": resolution}
    check(
        lambda rows: shared(pf.metrics, rows, "di", "dppl", "ad", **question),
        frame,
        never_collected,
    )
    check(lambda rows: shared(pf.confusions, rows, **question), frame, never_collected)


def test_all_rows_as_a_side_need_no_step_in_python(
    frame: pl.DataFrame, never_collected: Callable[..., Any]
) -> None:
    question = {**QUESTION, "favored": pf.OVERALL}
    check(lambda rows: pf.metrics(rows, "di", "ad", **question), frame, never_collected)


def test_no_metric_needs_a_step_in_python(
    frame: pl.DataFrame, never_collected: Callable[..., Any]
) -> None:
    """Those that decisions alone need are above."""

    def of(names: list[str], **question: Any) -> None:
        check(lambda rows: shared(pf.metrics, rows, names, **question), frame, never_collected)

    of([each for each in NATIVE if "score" in pf.CATALOGUE[each].needs], **QUESTION, score="score")
    of([each for each in NATIVE if pf.CATALOGUE[each].is_about_numbers], **NUMBERS, subgroup="k")


def test_sums_of_floats_have_one_order(frame: pl.DataFrame) -> None:
    rows = pl.concat([frame] * 50).with_columns(w=pl.int_range(pl.len()).cast(pl.Float64).sqrt())
    question = {**QUESTION, "facet": ["sex", "race"], "subgroup": "k", "count": "month"}
    plan = shared(pf.metrics, rows.lazy(), *NATIVE_OF_COUNTS, **question)
    first = plan.collect()
    assert all(plan.collect().equals(first) for _ in range(10))


NATIVE_OF_COUNTS: Final = [
    name for name in NATIVE if {*pf.CATALOGUE[name].needs} <= {"label", "predicted", "subgroup"}
]

FAULTS: Final[dict[str, tuple[pl.Expr, dict[str, Any], str]]] = {
    "a null": (pl.col("y").replace(False, None), {}, "label: missing values: 'y' has "),
    "a two": (pl.col("p").cast(pl.Int8) + 1, {}, "predicted: 'p' has values other than 0 and 1"),
    "a weight": (pl.col("w") - 1.5, {"weight": "w"}, "weight: 'w' has negative values"),
    "no number": (pl.col("w") / 0, {"weight": "w"}, "weight: 'w' has NaN or infinite values"),
    "a side": (pl.col("sex"), {"disfavored": "Q"}, "disfavored: 'Q' never occurs in 'sex'"),
    "a positive": (
        pl.col("y").cast(pl.String),
        {"positive": {"y": "7"}},
        "positive: '7' never occurs in 'y'",
    ),
}
METHODS: Final[dict[str, Callable[..., Any]]] = {
    "metrics": lambda rows, **question: pf.metrics(rows, "ad", "di", **question),
    "rates": pf.rates,
    "cells": pf.cells,
    "confusions": pf.confusions,
}


OUTCOMES: Final = {"label": "y", "predicted": "p"}
NO_FAULTS: Final = {
    *(("cells", fault) for fault in ("a null", "a two", "a side")),
    ("confusions", "a two"),
}


def first(plan: pl.LazyFrame) -> str:
    return plan.collect_schema().names()[0]


QUERIES: Final[dict[str, Callable[[pl.LazyFrame], pl.LazyFrame]]] = {
    "all": lambda plan: plan,
    "the first column": lambda plan: plan.select(first(plan)),
    "the last column": lambda plan: plan.select(plan.collect_schema().names()[-1]),
    "some rows": lambda plan: plan.filter(pl.col(first(plan)) == "sex"),
    "no row": lambda plan: plan.filter(pl.col(first(plan)) == "none"),
    "one row": lambda plan: plan.head(1),
    "the number of rows": lambda plan: plan.select(pl.len()),
    "groups": lambda plan: plan.group_by(first(plan)).len(),
    "a join": lambda plan: plan.join(
        pl.LazyFrame({first(plan): ["sex"]}), on=first(plan), how="semi"
    ),
    "twice": lambda plan: pl.concat([plan, plan]).select(pl.len()),
}
WAYS: Final[dict[str, Callable[[pl.LazyFrame], Any]]] = {
    "streaming": lambda plan: plan.collect(engine="streaming"),
    "in memory": lambda plan: plan.collect(engine="in-memory"),
    "several": lambda plan: pl.collect_all([plan, pl.LazyFrame({"a": [1]})]),
    "not optimised": lambda plan: plan.collect(optimizations=pl.QueryOptFlags.none()),
    "batches": lambda plan: list(plan.collect_batches()),
    "a sink": lambda plan: plan.sink_ipc(io.BytesIO(), engine="streaming"),
    "a sink in memory": lambda plan: plan.sink_ipc(io.BytesIO(), engine="in-memory"),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_query_on_an_answer_loses_a_fault(fault: str, method: str, frame: pl.DataFrame) -> None:
    """Each query is run in each way, over the faults and methods that raise."""
    changed, more, message = FAULTS[fault]
    question = {"facet": ["sex", "race"], **OUTCOMES}
    # Nulls and other numbers are keys of cells and classes of a matrix, and cells have no sides.
    if (method, fault) in NO_FAULTS:
        assert METHODS[method](frame.with_columns(changed), **question).height
        return
    # In several chunks: polars has lost rows of such frames.
    broken = pl.concat([frame[:50], frame[50:]], rechunk=False).with_columns(changed)
    plan = shared(METHODS[method], broken.lazy(), **question, **more)
    turn = [*FAULTS].index(fault) + [*METHODS].index(method)
    for place, query in enumerate(QUERIES.values()):
        for number, run in enumerate(WAYS.values()):
            if (place + number + turn) % 11 == 0:
                with pytest.raises(pl.exceptions.ComputeError, match=re.escape(message)):
                    run(query(plan))
    with pytest.raises(pf.FairnessError, match="^" + re.escape(message)), errors_of_users():
        plan.collect()
    with pytest.raises(pf.FairnessError, match="^" + re.escape(message)):
        shared(METHODS[method], broken, **question, **more)


# Of one method each: the question, what a plan says, and what is said of a frame.
OWN_FAULTS: Final[dict[str, tuple[Callable[[Any], Any], str, str]]] = {
    "windows": (
        lambda rows: pf.rates(
            rows.with_columns(
                pl.when(pl.col("k") > 0).then("day").otherwise(pl.date(1500, 1, 1)).alias("day")
            ),
            by="day",
            every="1d",
            **QUESTION,
        ),
        "every: there are more than 100,000 windows of 1d from the first to the last of 'day'",
        "every: there are more than 100,000 windows of 1d from 1500-01-01 to 2024-04-29, the first",
    ),
    "classes": (
        lambda rows: pf.metrics(
            rows.with_columns(pl.lit("low", pl.Enum(["low"])).alias("level")),
            "dpl",
            facet="sex",
            label="level",
            classes="cumulative",
        ),
        "classes: only one occurs, and classes='cumulative' leaves",
        "classes: only 'low' occurs, and classes='cumulative' leaves",
    ),
    "a population": (
        lambda rows: pf.representation(rows, facet="sex", reference={"M": 1}),
        "reference: 'sex' has groups in the data, and their rows have no share in the population",
        "reference: 'sex' has 'F' in the data, and 40 rows have no share in the population",
    ),
    "a length": (
        lambda rows: shared(pf.metrics, rows, "di", by=pl.col("k").head(3), **QUESTION),
        'by: col("k").slice(offset=dyn int: 0, length=dyn int: 3) has 3 values for 120 rows',
        'by: col("k").slice(offset=dyn int: 0, length=dyn int: 3) has 3 values for 120 rows',
    ),
}


@pytest.mark.parametrize("name", OWN_FAULTS)
def test_a_plan_says_in_short_what_is_said_of_a_frame(name: str, frame: pl.DataFrame) -> None:
    answer, in_plan, message = OWN_FAULTS[name]
    with pytest.raises(pf.FairnessError, match="^" + re.escape(message)):
        answer(frame)
    plan = answer(frame.lazy())
    for query in (plan, plan.select(pl.len()), plan.head(1)):
        with pytest.raises(pl.exceptions.ComputeError, match=re.escape(in_plan)):
            query.collect()


@pytest.mark.parametrize("name", ["^k$", "*", "a.b", ""])
def test_a_plan_has_each_column_by_its_name(name: str, frame: pl.DataFrame) -> None:
    rows = frame.rename({"month": name})
    for method in METHODS.values():
        plan, whole = (method(each, by=name, **QUESTION) for each in (rows.lazy(), rows))
        assert_frame_equal(plan.collect(), whole, rel_tol=1e-12)


def weighted(method: Callable[..., Any]) -> Callable[[Any], Any]:
    return lambda rows: method(rows, facet=["sex", "race"], weight="w", **OUTCOMES)


SOUND: Final[dict[str, Callable[[Any], Any]]] = {
    **{name: weighted(method) for name, method in METHODS.items()},
    "named sides": lambda rows: shared(
        pf.metrics, rows, "di", disfavored="F", favored="M", **QUESTION
    ),
    "positive values": lambda rows: shared(
        pf.metrics,
        rows.with_columns(pl.col("y", "p").cast(pl.String)),
        "di",
        positive="true",
        **QUESTION,
    ),
    "numbers": lambda rows: shared(
        pf.metrics, rows.with_columns(pl.col("y", "p") + 0), "di", **QUESTION
    ),
    "scores": lambda rows: pf.metrics(rows, "brier_difference", **BY_SCORE),
    "a label of cells": lambda rows: pf.cells(
        rows.with_columns(pl.col("y").cast(pl.String)), positive={"y": "true"}, **QUESTION
    ),
    "representation": lambda rows: pf.representation(
        rows, facet="sex", reference={"F": 1, "M": 1, "X": 1}
    ),
}


@pytest.mark.parametrize("name", SOUND)
def test_no_query_on_an_answer_without_faults_changes_it(name: str, frame: pl.DataFrame) -> None:
    rows = pl.concat([frame[:50], frame[50:]], rechunk=False)
    plan, whole = SOUND[name](rows.lazy()), SOUND[name](rows)
    for place, (kind, query) in enumerate(QUERIES.items()):
        expected = query(whole.lazy()).collect()
        for number, way in enumerate(
            ("streaming", "in memory", "not optimised", "a sink in memory")
        ):
            if way == "a sink in memory":
                sunk = io.BytesIO()
                query(plan).sink_ipc(sunk, engine="in-memory")
                found = pl.read_ipc(sunk.getvalue())
            elif (place + number) % 3:
                continue
            else:
                found = WAYS[way](query(plan))
            assert_frame_equal(
                found, expected, rel_tol=1e-12, check_row_order=kind not in ("groups", "a join")
            )


def test_a_plan_is_short() -> None:
    question = {**QUESTION, "disfavored": "F", "favored": "M", "subgroup": "branch"}
    plan = pf.metrics(people().lazy(), "cddpl", "rd", **question)
    assert plan.explain().count("\n") < 120
    # With the words of errors as expressions it had 23,500 characters.
    assert len(shared(pf.metrics, people().lazy(), "di", **question).explain()) < 12_000
