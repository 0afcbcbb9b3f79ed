"""Cells in place of rows: recognised without `count=`, and read as they were written."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.question.arguments import DEFAULTS
from tests.conftest import Run
from tests.frames import shared

LOANS = pf.datasets.loans()
QUESTION: dict[str, Any] = {"facet": "sex", "predicted": "approved", "favored": "M"}
CELLS = pf.cells(LOANS, **QUESTION, subgroup="branch")
FOUND = r"^count: the column 'n' seems to count rows, .* it is the last, .* give count='n' if"

WITHOUT_COUNT: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "metrics": (("di",), {}),
    "audit": (("di",), {}),
    "check": (("di",), {"bands": {"di": (0.1, 10.0)}}),
    "report": (("di",), {}),
    "rates": ((), {}),
    "cells": ((), {}),
    "of": ((), {}),
    "bounds": (("di",), {}),
    "plan": (("di",), {}),
    "worst_groups": (("spsf",), {}),
    "representation": ((), {"reference": {"F": 0.5, "M": 0.5}}),
}


@pytest.mark.parametrize("name", WITHOUT_COUNT)
def test_cells_are_cells_whatever_the_question_leaves_out(name: str) -> None:
    """Cells by branch give a `di` of 1.0 for 0.685 where each is taken for one row."""
    metrics, own = WITHOUT_COUNT[name]
    question = QUESTION if name != "worst_groups" else QUESTION | {"favored": None}
    with pytest.raises(pf.FairnessError, match=FOUND):
        shared(getattr(pf, name), CELLS, *metrics, **question, **own)
    assert shared(getattr(pf, name), CELLS, *metrics, **question, count="n", **own) is not None


def test_tables_about_lending_know_cells_too() -> None:
    with pytest.raises(pf.FairnessError, match=FOUND):
        pf.lending.table(CELLS, **QUESTION)
    assert not pf.lending.table(CELLS, **QUESTION, count="n").is_empty()


N_AS_DATA: dict[str, pl.DataFrame] = {
    "rows repeat": LOANS.select("sex", "branch", "approved").with_columns(n=2),
    "not last": CELLS.select("n", pl.exclude("n")),
    "not whole": CELLS.with_columns(n=pl.col("n") + 0.5),
    "one row each": CELLS.with_columns(n=1),
    "unknown": CELLS.with_columns(n=pl.lit(None, pl.Int64)),
    "shards": pl.concat([CELLS, CELLS]),
    "renamed": CELLS.rename({"n": "trials"}),
    "more": LOANS.head(1)
    .select(pl.all().repeat_by(100_001).explode())
    .with_columns(branch=pl.int_range(pl.len()).cast(pl.String), n=pl.lit(2)),
}


@pytest.mark.parametrize("name", N_AS_DATA)
def test_other_rows_are_rows(name: str) -> None:
    assert pf.rates(N_AS_DATA[name], facet="sex", predicted="approved") is not None


@pytest.mark.parametrize(
    "mention",
    [
        {"by": "n"},
        {"controls": {"n": 10.0}},
        {"weight": "n"},
        {"by": (pl.col("n") // 10).alias("t")},
    ],
)
def test_a_column_that_an_argument_names_is_no_count(mention: dict[str, Any]) -> None:
    assert shared(pf.audit, CELLS, "di", confidence=None, **QUESTION, **mention) is not None


@pytest.mark.parametrize("ending", ["csv", "tsv", "ndjson", "parquet"])
def test_files_of_cells_are_cells(
    ending: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written = CELLS.select("sex", "branch", "approved", "n")
    path = Path(f"cells.{ending}")
    if ending in ("csv", "tsv"):
        written.write_csv(path, separator="," if ending == "csv" else "\t")
    else:
        getattr(written, f"write_{ending}")(path)
    words = ["audit", str(path), "--facet", "sex", "--favored", "M", "--predicted", "approved"]
    code, out, err = run(*words, "--metric", "di")
    assert (code, out) == (2, "")
    assert "--count: the column 'n' seems to count rows" in err
    assert "give --count n if" in err
    assert run(*words, "--metric", "di", "--count", "n")[0] == 0
    assert run("rates", str(path), *words[2:4], *words[6:])[0] == 2


def rows() -> pl.DataFrame:
    """480 rows with a column for each argument; what repeats as a question may be read twice."""
    i = pl.int_range(480)
    day = pl.date(2026, 1, 1) + pl.duration(days=i % 90)
    return pl.select(
        g=pl.when(i % 3 == 0).then(pl.lit("F")).when(i % 31 == 0).then(None).otherwise(pl.lit("M")),
        h=pl.when(i % 5 == 0).then(pl.lit("x")).otherwise(pl.lit("y")),
        p=(i * 7 % 11 < 5) ^ (i % 3 == 0),
        q=i * 5 % 13 < 4,
        y=i * 3 % 7 < 3,
        text=pl.when(i * 7 % 11 < 4).then(pl.lit("yes")).otherwise(pl.lit("no")),
        number=i * 7 % 4,
        score=(i * 7 % 23) / 23,
        amount=(i * 11 % 17) * 1.5,
        price=(i * 5 % 19) * 1.25,
        month=i % 12,
        day=day.cast(pl.Date),
        w=1.0 + i % 4,
        c=i // 8,
        k=pl.lit(pl.Series(["u", "v", "w"])).gather(i % 3),
        j=pl.lit(pl.Series(["u", "v", "w"])).gather(i * 5 % 7 % 3),
        share=(i * 3 % 10) / 10,
    ).with_columns(rest=1 - pl.col("share"))


ROWS = rows()
BASE: dict[str, Any] = {"facet": "g", "predicted": "p", "label": "y", "favored": "M"}
ALONE: dict[str, Any] = {"facet": "g", "favored": "M"}
SAME_QUESTION: dict[str, tuple[str, dict[str, Any]]] = {
    "a facet": ("facet", BASE),
    "facets": ("facet", BASE | {"facet": ["g", "h"], "favored": None}),
    "a struct of facets": ("facet", BASE | {"facet": pl.struct("g", "h"), "favored": None}),
    "a computed facet": ("facet", BASE | {"facet": (pl.col("month") < 5).alias("early")}
                         | {"favored": None}),
    "a facet under its name": ("facet", BASE | {"facet": pl.col("month") % 5, "favored": None}),
    "probabilities": ("facet", BASE | {"favored": None, "facet": pf.probabilities(
        "race", {"a": "share", "b": "rest"})}),
    "decisions": ("predicted", BASE),
    "a computed decision": ("predicted", BASE | {"predicted": ~pl.col("p")}),
    "a decision of another name": ("predicted", BASE | {"predicted": (~pl.col("p")).alias("no")}),
    "models": ("predicted", BASE | {"predicted": {"one": "p", "two": "q"}}),
    "models of scores": ("predicted", BASE | {"predicted": {"one": "score", "two": "share"}}
                         | {"threshold": 0.5}),
    "a score that decides": ("threshold", BASE | {"predicted": "score", "threshold": 0.3}),
    "a score beside": ("score", BASE | {"score": "score"}),
    "a score alone": ("score", BASE | {"score": "score", "predicted": None}),
    "scores and thresholds": ("threshold", BASE | {"predicted": "score", "threshold": [0.3, 0.6]}),
    "a resolution": ("resolution", BASE | {"score": "score", "predicted": None, "resolution": 0.1}),
    "a label": ("label", BASE),
    "a computed label": ("label", BASE | {"label": ~pl.col("y")}),
    "a label threshold": ("label_threshold", BASE | {"label": "amount", "label_threshold": 6.0}),
    "observed": ("observed", ALONE | {"observed": "amount"}),
    "estimated": ("estimated", ALONE | {"estimated": "price", "observed": "amount"}),
    "a computed number": ("observed", ALONE | {"observed": pl.col("amount") * 2}),
    "disfavored": ("disfavored", BASE | {"disfavored": "F"}),
    "highest": ("favored", BASE | {"favored": pf.HIGHEST}),
    "unknown": ("unknown", BASE | {"unknown": "M", "favored": None}),
    "false is positive": ("positive", BASE | {"positive": False}),
    "false is positive for one": ("positive", BASE | {"positive": {"p": False}}),
    "false for a model": ("positive", BASE | {"predicted": {"one": "p", "two": "q"}}
                          | {"positive": {"p": False}}),
    "true is positive": ("positive", BASE | {"positive": True}),
    "a text is positive": ("positive", ALONE | {"predicted": "text", "positive": "no"}),
    "a number is positive": ("positive", ALONE | {"predicted": "number", "positive": [0, 3]}),
    "classes": ("classes", ALONE | {"predicted": "j", "label": "k", "classes": "each"}),
    "unfavorable": ("favorable", BASE | {"favorable": False}),
    "strata": ("subgroup", BASE | {"subgroup": "h"}),
    "computed strata": ("subgroup", BASE | {"subgroup": pl.col("month") // 4}),
    "strata of another name": ("subgroup", BASE | {"subgroup": (pl.col("month") // 4).alias("t")}),
    "controls": ("controls", BASE | {"controls": ["h", "month"]}),
    "controls that are strata": ("controls", BASE | {"controls": ["h", "month"], "subgroup": "h"}),
    "controls of numbers": ("controls", ALONE | {"observed": "price", "controls": "h"}),
    "rounded controls": ("controls", BASE | {"controls": {"amount": 0.7}}),
    "computed controls": ("controls", BASE | {"controls": pl.col("month") * 2}),
    "windows": ("by", BASE | {"by": "month"}),
    "computed windows": ("by", BASE | {"by": pl.col("month") // 4}),
    "windows of another name": ("by", BASE | {"by": (pl.col("month") // 4).alias("third")}),
    "weeks": ("every", BASE | {"by": "day", "every": "1w"}),
    "months of three": ("period", BASE | {"by": "day", "every": "1mo", "period": "3mo"}),
    "weights": ("weight", BASE | {"weight": "w"}),
    "computed weights": ("weight", BASE | {"weight": pl.col("w") * 2}),
    "counts": ("count", BASE | {"count": "month"}),
    "clusters": ("cluster", BASE | {"cluster": "c"}),
    "computed clusters": ("cluster", BASE | {"cluster": pl.col("c") // 4}),
    "nulls": ("nulls", BASE | {"nulls": "drop"}),
    "zero": ("zero_division", BASE | {"zero_division": 0.0}),
    "estimators": ("estimator", BASE | {"favored": None, "estimator": "linear", "facet":
                   pf.probabilities("race", {"a": "share", "b": "rest"})}),
}  # fmt: skip


def test_each_argument_of_a_question_is_given_twice() -> None:
    arguments = {argument for argument, _ in SAME_QUESTION.values()}
    assert {*DEFAULTS} - arguments == set()


# A metric of each level and kind, asked for where the question has its columns.
OF_EACH_LEVEL = (
    *("di", "rd", "kl", "ge", "tpr_gap", "cddpl", "mh_ratio", "accuracy", "auc_difference"),
    *("ece_gap", "smd", "estimate_difference", "rmse_ratio", "observed_median_difference"),
    *("adjusted_difference", "adjusted_observed_difference"),
)


def audited(rows: Any, **question: Any) -> pl.DataFrame:
    given = {name for name, each in question.items() if each is not None}
    names = [name for name in OF_EACH_LEVEL if {*pf.CATALOGUE[name].needs} <= given]
    champion = {"champion": "one"} if isinstance(question.get("predicted"), dict) else {}
    answer = shared(pf.audit, rows, names, replicates=10, **question, **champion)
    found: pl.DataFrame = answer.lazy().collect()
    return found


@pytest.mark.parametrize("name", SAME_QUESTION)
def test_the_same_question_of_rows_and_of_cells_has_one_answer_or_none(name: str) -> None:
    """Of cells of parts, too; an error where it cannot be put again, and never other values."""
    _, question = SAME_QUESTION[name]
    functions: dict[str, Callable[..., pl.DataFrame]] = {
        **{each: partial(shared, getattr(pf, each)) for each in ("metrics", "rates")},
        "audit": audited,
    }
    of_rows = {each: function(ROWS, **question) for each, function in functions.items()}
    shuffled = ROWS.sample(fraction=1, shuffle=True, seed=4).lazy()
    assert_frame_equal(audited(shuffled, **question), of_rows["audit"], rel_tol=1e-9, abs_tol=1e-9)
    for each, expected in of_rows.items():
        try:
            parts = ROWS[::2], ROWS[1::2]
            cells = pl.concat(pf.cells(part, **question) for part in parts)
            found = functions[each](cells, **question | {"count": "n"})
        except pf.FairnessError:
            continue
        common = [column for column in expected.columns if column in found.columns]
        assert {"facet"} < {*common}
        assert_frame_equal(
            found.select(common), expected.select(common), abs_tol=1e-9, check_dtypes=False
        )
