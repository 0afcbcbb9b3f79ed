"""Labels that only the accepted have: what depends on those of the others has no value."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from tests.frames import shared
from tests.test_bound_question import CALLS

QUESTION: Final[dict[str, Any]] = {"facet": "sex", "disfavored": "F", "label": "y"}
QUESTION["predicted"] = "p"
# Utility needs no label of the rejected where these are worth nothing, but their number.
NAMES: Final = [
    name
    for name, metric in pf.CATALOGUE.items()
    if {"label", "label values"} & {*metric.needs}
    and {*metric.needs} <= {"label", "predicted", "label values", "predicted values", "facet"}
    and name != "utility"
]
GROUP_RATES: Final = (
    "base_rate",
    "tpr",
    "fpr",
    "tnr",
    "fnr",
    "ppv",
    "npv",
    "fdr",
    "accuracy",
    "f1",
)


def lent(size: int = 600) -> pl.DataFrame:
    """Loans: who would repay, who is accepted, in two branches."""
    draw = np.random.default_rng(5)
    is_f, would = draw.random(size) < 0.5, draw.random(size) < 0.6
    accepted = draw.random(size) < np.where(would, 0.7 - 0.2 * is_f, 0.3)
    sex = np.where(is_f, "F", "M")
    return pl.DataFrame({"sex": sex, "y": would, "p": accepted, "branch": np.arange(size) % 2})


LENT: Final = lent()
KNOWN: Final = LENT.with_columns(y=pl.when("p").then("y"))
# What the rejected would have done: as it was, the other way round, and all of them well.
COMPLETED: Final = [
    LENT.with_columns(y=pl.when("p").then("y").otherwise(label))
    for label in (pl.col("y"), ~pl.col("y"), pl.lit(value=True))
]


def are_equal(values: list[pl.Series]) -> bool:
    rows = np.array([each.to_numpy() for each in values])
    return bool((np.ptp(rows, axis=0) < 1e-9).all())


@pytest.mark.parametrize("more", [{}, {"by": "branch"}, {"favored": "M"}], ids=str)
def test_a_value_is_one_that_no_missing_label_could_change(more: dict[str, Any]) -> None:
    question = {**QUESTION, **more}
    one, *others = (pf.metrics(rows, NAMES, **question) for rows in COMPLETED)
    found = pf.metrics(KNOWN, NAMES, **question, nulls="drop")
    lazily = pf.metrics(KNOWN.lazy(), NAMES, **question, nulls="drop").collect()
    audited = pf.audit(KNOWN, NAMES, **question, nulls="drop", replicates=50)
    number = {"known": 0, "unknown": 0}
    for name in NAMES:
        is_known = are_equal([one[name], *(other[name] for other in others)])
        number["known" if is_known else "unknown"] += 1
        for values in (found[name], lazily[name], audited.filter(metric=name)["value"]):
            if is_known:
                assert values.to_list() == pytest.approx(one[name].to_list(), abs=1e-9), name
            else:
                assert values.null_count() == len(values), name
    assert min(number.values()) > 3
    unknown = audited.filter(pl.col("value").is_null())
    assert unknown.select("lower", "upper").null_count().row(0) == (unknown.height,) * 2
    assert {*unknown["verdict"].drop_nulls()} == {"undefined"}
    affected = unknown.filter(pl.col("metric").is_in(["rd", "sd", "tpr_gap", "theil"]))
    assert affected["note"].str.contains("label: ").all()


WRITTEN: Final[dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "whole numbers": ({"y": pl.col("y").cast(pl.Int64), "p": pl.col("p").cast(pl.Int64)}, {}),
    "decisions as text": ({"p": pl.when("p").then(pl.lit("yes")).otherwise(pl.lit("no"))}, {}),
    "labels as text": (
        {"y": pl.when(pl.col("y").is_not_null()).then(pl.col("y").cast(pl.String))},
        {"positive": {"y": "true"}},
    ),
    "decisions of several kinds": (
        {"p": pl.when("p").then(pl.col("branch").cast(pl.String)).otherwise(pl.lit("no"))},
        {},
    ),
}


@pytest.mark.parametrize("way", WRITTEN)
def test_outcomes_written_otherwise_lack_the_same_labels(way: str) -> None:
    columns, more = WRITTEN[way]
    rows = KNOWN.with_columns(**columns)
    for name in ("kl", "js", "lp", "tvd", "ks", "confusion_distance", "dpl"):
        question = {**QUESTION, **more, "nulls": "drop"}
        found = shared(pf.metrics, rows, name, **question)
        assert found[name].to_list() == [None], name
        [row] = shared(pf.audit, rows, name, **question, confidence=None).to_dicts()
        assert row["value"] is None
        assert row["note"].startswith("label: "), name
        complete = shared(pf.metrics, LENT.with_columns(**columns), name, **question)
        assert complete[name].null_count() == 0


def test_what_is_about_scores_of_labelled_rows_says_so() -> None:
    score = pl.int_range(pl.len()) / pl.len()
    asked = {**QUESTION, "score": "s", "nulls": "drop"}
    names = [name for name, each in pf.CATALOGUE.items() if {"label", "score"} <= {*each.needs}]
    rows = KNOWN.with_columns(s=score)
    audit = pf.audit(rows, names, **asked, confidence=None)
    assert {*audit["metric"]} == {*names}
    assert audit["value"].null_count() == 0
    assert audit["note"].str.contains("the value is about rows with a label").all()
    complete = pf.audit(LENT.with_columns(s=score), names, **asked, confidence=None)
    assert not complete["note"].str.contains("label:").any()
    del asked["disfavored"]
    curve = pf.calibration(rows, **asked, bins=3)
    assert curve["note"].str.contains("the value is about rows with a label").all()
    alone = pf.calibration(rows, **asked | {"predicted": None}, bins=3)
    assert curve.drop("note").equals(alone)
    with_all = pf.calibration(LENT.with_columns(s=score), **asked, bins=3)
    assert with_all["note"].null_count() == with_all.height


def test_a_reading_of_rows_without_a_label_says_that_they_are_left_out() -> None:
    answer = pf.compare(KNOWN, "rd", reported=0.0, **QUESTION, nulls="drop")
    assert answer["recomputed"].to_list() == [None] * answer.height
    assert {*answer["why"]} == {
        "equal if rows that lack any value are left out",
        "equal if a missing outcome is negative",
    }


def test_rates_of_groups_that_no_missing_label_could_change() -> None:
    question = {**QUESTION, "disfavored": None}
    one, *others = (pf.rates(rows, **question) for rows in COMPLETED)
    found = pf.rates(KNOWN, **question, nulls="drop")
    for name in GROUP_RATES:
        is_known = are_equal([one[name], *(other[name] for other in others)])
        expected = one[name].to_list() if is_known else [None] * found.height
        assert found[name].to_list() == pytest.approx(expected, abs=1e-9), name


def test_one_label_of_each_decision_is_enough() -> None:
    """How far such a value can be trusted is another question."""
    first = pl.int_range(pl.len()).over("sex", "p") == 0
    rows = LENT.with_columns(y=pl.when(pl.col("p") | first).then("y"))
    answer = pf.metrics(rows, "rd", "tpr_gap", **QUESTION, nulls="drop")
    assert answer.select("rd", "tpr_gap").null_count().row(0) == (0, 0)


def test_neither_bounds_nor_a_gate_pass_what_is_not_known() -> None:
    bounds = pf.bounds(KNOWN, "rd", **QUESTION, nulls="drop")
    assert bounds.select("lowest", "highest", "lower", "upper").row(0) == (None,) * 4
    assert bounds["verdict"].item() == "undefined"
    message = "nothing was judged: .* label: known for 100 % of the accepted and 0 % of the "
    with pytest.raises(pf.FairnessError, match=f"{message}rejected of F, 100 % and 0 % of M;"):
        pf.check(KNOWN, "rd", **QUESTION, favored="M", nulls="drop")


def test_a_note_names_the_groups() -> None:
    known = KNOWN.with_columns(
        y=pl.when(pl.col("sex") == "M").then(LENT["y"]).otherwise("y"),
    )
    answer = shared(pf.audit, known, "tpr_gap", **QUESTION, nulls="drop")
    assert answer["note"].item().startswith("label: one of the decisions about F has no labels;")


# Of each function that takes both outcomes: a call in which labels of both decisions matter.
CALLED: Final[dict[str, tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "rates": ((), {}),
    "confusions": ((), {}),
    "metrics": ((NAMES,), {}),
    "audit": ((NAMES,), {"replicates": 50}),
    "check": (
        (["rd", "dar"],),
        {"allow_undefined": True, "bands": {"rd": (-1, 1), "dar": (-1, 1)}},
    ),
    "bounds": ((["rd", "dar", "dpl"],), {"confidence": 0.9}),
    "plan": ((["rd", "dar"],), {}),
    "decompose": (("cddl",), {"subgroup": "branch"}),
    "drivers": (("adjusted_base_rate_difference",), {"controls": "branch"}),
    "worst_groups": (("tpr_gap",), {}),
    "choose": (("rd",), {"predicted": "score", "threshold": [0.5], "bands": {"rd": (-1, 1)}}),
}
# Counts, what needs decisions alone, labels of scores, and readings that are tried, outcomes
# swapped among them.
NEEDING_NONE: Final = {"cells", "pairs", "fliptest", "consistency", "calibration", "compare"}
# Shares of rows with a label, whatever it is.
OF_ROWS: Final = {"worst_groups": {"share"}}
BESIDE: Final = (
    *("note", "verdict", "against", "direction", "favored", "rank"),
    *("is_within", "is_on_frontier", "is_chosen"),
)
# What is drawn or added for a known value has other digits if more rows are drawn.
OF_CHANCE: Final = ("lower", "upper", "power", "detectable", "p_value", "fair_p_value")


def numbers_of(name: str, answer: pl.DataFrame) -> dict[tuple[Any, ...], set[float | None]]:
    """The numbers of an answer by their column and what else is in the row."""
    is_number = [
        dtype.is_float() and column != "threshold" for column, dtype in answer.schema.items()
    ]
    columns = [*zip(answer.columns, is_number, strict=True)]
    keys = [
        column
        for column, is_float in columns
        if not is_float and not answer[column].dtype.is_numeric() and column not in BESIDE
    ]
    found: dict[tuple[Any, ...], set[float | None]] = {}
    for row in answer.rows(named=True):
        key = [str(row[column]) for column in keys]
        for column, is_float in columns:
            is_of_chance = column in OF_CHANCE and row.get("value", row.get("lowest")) is not None
            if is_float and not is_of_chance and column not in OF_ROWS.get(name, set()):
                value = row[column]
                rounded = None if value is None else round(value, 9) + 0.0
                found.setdefault((column, *key), set()).add(rounded)
    return found


def test_each_function_that_takes_both_outcomes_is_called() -> None:
    outcomes = {name for name, (given, _, _) in CALLS.items() if {"label", "predicted"} <= {*given}}
    assert outcomes == {*CALLED} | NEEDING_NONE


@pytest.mark.parametrize("name", CALLED)
def test_no_answer_shows_a_number_that_missing_labels_could_change(name: str) -> None:
    by_place, options = CALLED[name]
    score = pl.col("p").cast(pl.Float64)

    def ask(rows: pl.DataFrame, **more: Any) -> dict[tuple[Any, ...], set[float | None]]:
        question = {**QUESTION, "disfavored": "F", **options, **more}
        if name in ("rates", "confusions", "worst_groups"):
            del question["disfavored"]
        answer = shared(getattr(pf, name), rows.with_columns(score=score), *by_place, **question)
        return numbers_of(name, answer)

    completed = [ask(rows) for rows in COMPLETED]
    found = ask(KNOWN, nulls="drop")
    unknown = 0
    for key, values in found.items():
        is_known = all(values == other.get(key) for other in completed)
        unknown += not is_known
        assert is_known or values <= {None}, key
    assert unknown
