"""Errors that the schema shows are raised at the call, before anything runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import polars.selectors as cs
import pytest
from polars.io.plugins import register_io_source

import polars_fairness as pf

SCHEMA = pl.Schema(
    {
        "sex": pl.String(),
        "race": pl.Enum(["Black", "White"]),
        "branch": pl.String(),
        "old": pl.Boolean(),
        "y": pl.Boolean(),
        "p": pl.Boolean(),
        "score": pl.Float64(),
        "decision": pl.String(),
        "grade": pl.Categorical(),
        "w": pl.Float64(),
        "n": pl.Int64(),
        "facet": pl.String(),
        "hobbies": pl.List(pl.String),
        "waited": pl.Duration("us"),
        "thing": pl.Object(),
    }
)


def untouchable() -> pl.LazyFrame:
    """A frame that fails the test when it is read."""

    def read(*_: Any) -> Any:
        pytest.fail("the data was read")

    return register_io_source(read, schema=SCHEMA)


def metrics(*names: Any, **question: Any) -> pl.LazyFrame:
    answer: pl.LazyFrame = pf.metrics(untouchable(), *names, **question)
    return answer


# Calls marked `type: ignore` are errors for a type checker, and have to be errors at run time too.
MISTAKES: list[tuple[Callable[[], Any], str]] = [
    # a column that is not there
    (lambda: metrics("ci", facet="sxe"), r"^facet: no column 'sxe'; did you mean 'sex'\?"),
    (lambda: metrics("ci", facet="SEX"), r"^facet: no column 'SEX'; did you mean 'sex'\?"),
    (lambda: metrics("dpl", facet="sex", label="zzz"), r"^label: no column 'zzz'; there are 'sex'"),
    (
        lambda: metrics("ci", facet="sex", by=pl.col("brnch") + "x"),
        r"^by: no column 'brnch'; did you mean 'branch'\?",
    ),
    (
        lambda: metrics("ci", facet=3),
        r"^facet: takes a column name, an expression or a list of these, got 3",
    ),
    (lambda: metrics("ci", facet=cs.date()), r"^facet: .*no column; select at least one"),
    (
        lambda: metrics("dpl", facet="sex", label=cs.boolean()),
        r"^label: takes one column, got \['old', 'y', 'p'\]; name one",
    ),
    (
        lambda: metrics("ci", facet=pl.col("w").str.to_uppercase()),
        r"^facet: polars cannot evaluate .*; correct the expression",
    ),
    *(
        (
            lambda role=role: metrics("ci", **{"facet": "sex", role: "thing"}),
            rf"^{role}: 'thing' is Object, whose values polars cannot compare; cast it to text",
        )
        for role in ("by", "facet", "subgroup", "label", "predicted", "features", "weight")
    ),
    (
        lambda: metrics("ci", facet="sex", by=pl.col("w").mean()),
        r'^by: col\("w"\).mean\(\) gives one value for all rows, .*; add \.over\(\) to it',
    ),
    (
        lambda: metrics("ci", facet="sex", subgroup=cs.float().max()),
        r"^subgroup: .*max\(\) gives one value for all rows",
    ),
    # an unknown metric
    (
        lambda: metrics("dpll", facet="sex"),
        r"^metrics: no metric 'dpll'; did you mean 'dp",
    ),
    (
        lambda: metrics(7, facet="sex"),
        r"^metrics: takes names, Metric objects and lists of these, got 7",
    ),
    (lambda: metrics("ci", "ci", facet="sex"), r"^metrics: there is a column 'ci' already"),
    # a metric whose columns were not given
    (lambda: metrics("dppl", facet="sex"), r"^predicted: dppl needs it, and it was not given"),
    (lambda: metrics("rd", facet="sex", predicted="p"), r"^label: rd needs it"),
    (lambda: metrics("dppl", predicted="p"), r"^facet: dppl needs it"),
    (lambda: metrics("cddpl", facet="sex", predicted="p"), r"^subgroup: cddpl needs it"),
    (lambda: metrics("kl", facet="sex"), r"^label: kl needs it"),
    (metrics, r"^metrics: no metric can be computed from these arguments; give facet="),
    # outcomes without a positive value
    (
        lambda: metrics("dppl", facet="sex", predicted="decision"),
        r"^positive: dppl needs to know which values of 'decision' \(String\) count as positive",
    ),
    (lambda: metrics("dpl", facet="sex", label="grade"), r"^positive: dpl .*'grade' \(Categorical"),
    (lambda: metrics(facet="sex", predicted="decision"), r"^positive: metrics needs to know"),
    (
        lambda: pf.rates(untouchable(), facet="sex", label="decision"),
        r"^positive: rates needs to know which values of 'decision'",
    ),
    (
        lambda: metrics("dppl", facet="sex", predicted="score"),
        r"^predicted: 'score' is Float64, a score; give threshold=",
    ),
    (
        lambda: metrics("dppl", facet="sex", score="score"),
        r"^threshold: dppl needs decisions; give it to make them from the score",
    ),
    (
        lambda: metrics("dppl", facet="sex", predicted="p", positive="yes"),
        r"^positive: 'yes' cannot be an outcome: 'p' is Boolean",
    ),
    (
        lambda: metrics("ci", facet="sex", positive=1),
        r"^positive: got 1 without an outcome to read; leave it out",
    ),
    (lambda: metrics("ci", facet="sex", positive=[]), r"^positive: got an empty list"),
    (
        lambda: metrics("dppl", facet="sex", predicted="p", threshold=0.5),
        r"^threshold: predicted 'p' is Boolean, not a number; leave threshold= out",
    ),
    (
        lambda: metrics("dpl", facet="sex", label="y", label_threshold=0.5),
        r"^label_threshold: label 'y' is Boolean",
    ),
    (lambda: metrics("ci", facet="sex", threshold=0.5), r"^threshold: .*give predicted="),
    (
        lambda: metrics("dppl", facet="sex", predicted="score", threshold="high"),
        r"^threshold: takes a number, several numbers or 'every', got 'high'",
    ),
    (
        lambda: metrics("dppl", facet="sex", score="score", threshold={"F": 0.5, "M": 0.6}),
        r"^threshold: a dictionary has the threshold of each model, .* by group, give an "
        r"expression, such as predicted=pl\.col\('score'\) >= pl\.when\(\.\.\.\), or see "
        r"cutoffs_by_group$",
    ),
    (
        lambda: metrics("dppl", facet="sex", predicted="score", threshold={}),
        r"^threshold: a dictionary has the threshold of each model, and predicted= names no models",
    ),
    # rates and measures of one group, in place of metrics that compare them
    (
        lambda: metrics("roc_auc", facet="sex", label="y", score="score"),
        r"^metrics: no metric 'roc_auc'; did you mean 'auc_difference', 'auc_gap' or 'abroca'\?",
    ),
    (
        lambda: metrics("tpr", facet="sex", label="y", predicted="p"),
        r"^metrics: no metric 'tpr'; did you mean 'tpr_gap' or 'tpr_ratio'\?",
    ),
    (
        lambda: metrics("brier_score", facet="sex", label="y", score="score"),
        r"^metrics: no metric 'brier_score'; did you mean 'brier_difference' or 'brier_gap'\?",
    ),
    # one column in two roles
    (
        lambda: metrics("dpl", facet="sex", label="sex"),
        r"^facet, label: 'sex' cannot be both; name another column for one",
    ),
    (lambda: metrics("rd", facet="sex", label="p", predicted="p"), r"^label, predicted: 'p'"),
    (
        lambda: metrics("cddpl", facet="sex", predicted="p", subgroup=pl.col("sex").alias("s")),
        r"^facet, subgroup: 'sex' cannot be both",
    ),
    (
        lambda: metrics("di", facet="sex", label="score", score="score", threshold=0.5),
        r"^label, score: 'score' cannot be both",
    ),
    (lambda: metrics("ci", facet="sex", weight="w", count="w"), r"^weight, count: 'w'"),
    (lambda: metrics("ci", facet=["sex", "sex"]), r"^facet: two columns are called 'sex'"),
    # names that collide with the result's
    (lambda: metrics("ci", facet="sex", by="facet"), r"^by: .*already; .*\.alias\(\)"),
    (lambda: metrics("ci", facet="sex", by=pl.col("w").alias("ci")), r"^by: .*'ci' already"),
    (lambda: pf.rates(untouchable(), facet="sex", predicted="p", by="n"), r"^by: .*'n' already"),
    (
        lambda: pf.rates(untouchable(), facet=pl.col("sex").alias("(all)"), predicted="p"),
        r"^facet: .*'\(all\)' stands for all rows; .*\.alias\(\)",
    ),
    (
        lambda: pf.cells(untouchable(), facet="sex", predicted="p", subgroup="n"),
        r"^subgroup: .*'n' already",
    ),
    (
        lambda: pf.cells(untouchable(), facet=pl.col("sex").alias("p"), predicted="p"),
        r"^predicted: .*'p' already",
    ),
    # sides
    (
        lambda: metrics("ci", facet="sex", disfavored=["F", "X"], favored="F"),
        r"^favored, disfavored: 'F' is on both sides of 'sex'; remove it from one",
    ),
    (
        lambda: metrics("ci", facet="sex", disfavored={"race": "Black"}),
        r"^disfavored: 'race' is not a facet of this call; facet= has 'sex'",
    ),
    (lambda: metrics("ci", facet="sex", disfavored=1), r"^disfavored: 1 cannot be .*'sex' \(Str"),
    (
        lambda: metrics("ci", facet="race", favored="Green"),
        r"^favored: 'Green' cannot be a value of 'race' .*, which has 'Black' and 'White'",
    ),
    (
        lambda: metrics("ci", facet="sex", disfavored=[]),
        r"^disfavored: got an empty list for 'sex'",
    ),
    (lambda: metrics("ci", facet="sex", disfavored=[None]), r"^disfavored: None cannot be"),
    (
        lambda: metrics("ci", facet=pl.struct("sex", "race").alias("both"), disfavored="F"),
        r"^disfavored: 'F' is not a value of 'both'; give a tuple of its 2 attributes 'sex' and",
    ),
    (
        lambda: metrics("ge", label="y", predicted="p", disfavored="F"),
        "^disfavored: is about the groups of a facet; give facet=",
    ),
    (lambda: metrics("ci", facet="hobbies"), r"^facet: 'hobbies' is List.*cast it to text"),
    (lambda: metrics("ci", facet="waited"), r"^facet: 'waited' is Duration.*cast it to text"),
    # the rest
    (lambda: metrics("ci", facet="sex", weight="branch"), r"^weight: 'branch' is String"),
    (lambda: metrics("ci", facet="sex", count="p"), r"^count: 'p' is Boolean; .*numbers"),
    (lambda: metrics("ci", facet="sex", nulls="keep"), r"^nulls: takes 'raise' or 'drop'"),
    (lambda: metrics("ci", facet="sex", zero_division="0"), r"^zero_division: takes None or"),
    (lambda: pf.cells(untouchable()), r"^cells: no column to count by"),
    (lambda: pf.rates(untouchable()), r"^rates: no column to count by"),
    (
        lambda: metrics("dppl", facet="sex", predicted="score", threshold=float("nan")),
        r"^threshold: takes a number, got nan",
    ),
    (
        lambda: metrics("ci", facet="sex", zero_division=float("nan")),
        r"^zero_division: takes None or a number, got nan",
    ),
    (
        lambda: pf.metrics([1], "ci", facet="sex"),  # type: ignore[call-overload]
        r"^frame: takes a polars .*got list",
    ),
    (
        lambda: pf.metrics("people.csv", "ci", facet="sex"),  # type: ignore[call-overload]
        r"^frame: takes a frame, got 'people.csv'; give pl.scan_csv\('people.csv'\)",
    ),
    (
        lambda: pf.metrics(Path("a/people"), "ci", facet="sex"),  # type: ignore[call-overload]
        r"^frame: takes a frame, got 'a/people'; give pl.scan_parquet\('a/people'\)",
    ),
    (
        lambda: pf.entry("ge", facet="sex"),
        r"^facet: no such parameter of ge; it is an argument of a question; give it to frame\.fair",
    ),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES, ids=[text for _, text in MISTAKES])
def test_a_wrong_argument_is_refused_at_the_call(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(pf.FairnessError, match=message):
        call()


def test_unknown_metrics_and_arguments_are_python_errors_too() -> None:
    with pytest.raises(KeyError):
        pf.CATALOGUE["nonsense"]
    with pytest.raises(TypeError):
        metrics("ci", facet="sex", facettes="sex")
    assert isinstance(pf.FairnessError("x"), ValueError)


def test_a_right_question_reads_nothing_at_the_call() -> None:
    question = {"facet": ["sex", "race"], "label": "y", "predicted": "p", "subgroup": "branch"}
    lazy = metrics(**question, by="old", weight="w", favored={"race": "White"})
    assert lazy.collect_schema().names()[:3] == ["old", "facet", "disfavored"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: pf.entry("lp", p=0.5), r"^p: takes a number of at least 1, got 0.5"),
        (
            lambda: pf.entry("lp", p="2"),
            r"^p: takes a number of at least 1, got '2'",
        ),
        (
            lambda: pf.entry("ge", alpha=None),
            r"^alpha: takes a number, got None",
        ),
        (lambda: pf.entry("ge", alpha=float("nan")), r"^alpha: takes a number, got nan"),
        (
            lambda: pf.entry("differential_fairness", concentration=-1),
            r"^concentration: takes a number of at least 0, got -1",
        ),
        (
            lambda: pf.CATALOGUE[3],  # type: ignore[index]
            r"^metrics: no metric 3",
        ),
    ],
)
def test_wrong_parameters_of_metrics_are_refused(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(pf.FairnessError, match=message):
        make()
