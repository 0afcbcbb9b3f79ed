"""What is typed becomes the arguments of Python: one table for all commands."""

from __future__ import annotations

import shlex
from argparse import _SubParsersAction
from math import inf
from typing import Any, Final

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.api.bound import unbound
from polars_fairness.cli.commands import parser
from polars_fairness.counting.rows import column_names
from tests.cli.loans import GAP, LOANS, records
from tests.conftest import Run

AUDIT: Final = "polars_fairness.cli.commands.audit.audit_with_certainty"

# The function, what is typed after the file, and the arguments as one writes them in Python.
TABLE: Final[list[tuple[str, str, str]]] = [
    (
        AUDIT,
        "audit --facet sex --facet race --disfavored sex=F --favored race=W --label repaid "
        "--predicted score --positive yes --threshold 0.5 --subgroup branch --by since --by age "
        "--weight w --count k --nulls drop --zero-division 0 --metric di --metric dppl "
        "--confidence 0.9 --method auto --replicates 7 --seed 3 --minimum-count 5 --p-values holm "
        "--control age --rule point --band di=0.8:1.25 --band dppl=none",
        'facet=["sex", "race"], disfavored={"sex": ["F"]}, favored={"race": ["W"]}, '
        'label="repaid", predicted="score", positive=["yes"], threshold=0.5, subgroup=["branch"], '
        'by=["since", "age"], weight="w", count="k", nulls="drop", zero_division=0.0, '
        'metrics=("di", "dppl"), confidence=0.9, method="auto", replicates=7, seed=3, '
        'minimum_count=5, p_values="holm", rule="point", bands={"di": (0.8, 1.25), "dppl": None}, '
        'controls=["age"]',
    ),
    (
        AUDIT,
        "audit --facet sex --predicted race --classes each --confidence none --control branch "
        "--control age=2",
        'facet=["sex"], predicted="race", classes="each", confidence=None, '
        'controls={"branch": None, "age": 2.0}',
    ),
    (
        AUDIT,
        "audit --facet sex --unknown F --observed age --estimated score --by since --every 1y "
        "--period 2y --sequential each --equivalence --cluster branch --hide-below 3 --unfavorable "
        "--bounds",
        'facet=["sex"], unknown=["F"], observed="age", estimated="score", by=["since"], '
        'every="1y", period="2y", sequential="each", equivalence=True, cluster="branch", '
        "hide_below=3, favorable=False, bounds=True",
    ),
    (
        AUDIT,
        "audit --facet sex --label age --label-threshold 1.5 --predicted now=k --predicted next=k "
        "--champion now --drift clarify --rule di=point --rule rd=significant",
        'facet=["sex"], label="age", label_threshold=1.5, predicted={"now": "k", "next": "k"}, '
        'champion="now", drift="clarify", rule={"di": "point", "rd": "significant"}',
    ),
    (
        "polars_fairness.bounds",
        "bounds --metric dppl --probabilities race:B=w,W=score --predicted approved "
        "--estimator linear --resolution 0.5 --score score",
        'metrics=("dppl",), facet=[pf.probabilities("race", {"B": "w", "W": "score"})], '
        'predicted="approved", estimator="linear", resolution=0.5, score="score"',
    ),
    (
        "polars_fairness.worst_groups",
        "worst-groups --metric spsf --facet sex --facet race --predicted approved --depth 1 "
        "--minimum-count 4 --no-include-unknown --shrink --confidence 0.9 --harm above --top 1",
        'metrics=("spsf",), facet=["sex", "race"], predicted="approved", depth=1, minimum_count=4, '
        'include_unknown=False, shrink=True, confidence=0.9, harm="above"',
    ),
    (
        "polars_fairness.rates",
        "rates --facet sex --predicted approved --hide-below 3 --names aequitas --format csv",
        'facet=["sex"], predicted="approved", hide_below=3, names="aequitas"',
    ),
    (
        "polars_fairness.rates",
        "rates --facet sex --score score --threshold every --resolution 0.4",
        'facet=["sex"], score="score", threshold="every", resolution=0.4',
    ),
    (
        AUDIT,
        "audit --facet sex --predicted score --threshold 0.7,0.2 --threshold 0.5 "
        "--metric 'di, dppl'",
        'facet=["sex"], predicted="score", threshold=[0.7, 0.2, 0.5], metrics=("di", "dppl")',
    ),
    (
        "polars_fairness.compare",
        "compare --facet sex --disfavored F --predicted approved --metric di --reported 0.50",
        'metrics=("di",), facet=["sex"], disfavored={"sex": ["F"]}, predicted="approved", '
        'reported="0.50"',
    ),
    (
        "polars_fairness.choose",
        "choose --facet sex --score score --label approved --metric di --threshold 0.2,0.5 "
        "--maximise ppv --band di=0.9: --holdout 0.3 --seed 2 --confidence 0.8",
        'metrics=("di",), facet=["sex"], score="score", label="approved", threshold=[0.2, 0.5], '
        'maximise="ppv", bands={"di": (0.9, inf)}, holdout=0.3, seed=2, confidence=0.8',
    ),
    (
        "polars_fairness.explore",
        "explore --facet sex --score score --metric di,rd --band di=0.9:1.1 --band rd=:0.1 "
        "--by branch --threshold 0.2,0.5 --utility tp=1,fp=-5 --output page.html",
        'metrics=("di", "rd", pf.entry("utility", tp=1, fp=-5)), facet=["sex"], score="score", '
        'by=["branch"], threshold=[0.2, 0.5], '
        'bands={"di": (0.9, 1.1), "rd": (-inf, 0.1)}',
    ),
    (
        "polars_fairness.explore",
        "explore --facet sex --score score --resolution 0.05 --output page.html",
        'facet=["sex"], score="score", resolution=0.05, threshold=[i * 5 / 100 for i '
        "in range(2, 19)]",
    ),
    (
        "polars_fairness.explore",
        "explore --facet sex --score score --output page.html",
        'facet=["sex"], score="score", threshold=[i / 100 for i in range(10, 91)]',
    ),
    (
        "polars_fairness.hiring.tables.impact_ratios",
        "hiring --sex sex --race race --selected approved --positive true --by age --count k "
        "--nulls drop --confidence 0.9 --replicates 7 --seed 3 --exclude-below 0.01 "
        "--justification few --table impact_ratios",
        'selected="approved", positive=[True], by=["age"], count="k", nulls="drop", '
        'confidence=0.9, replicates=7, seed=3, sex="sex", race="race", exclude_below=0.01, '
        'justification="few"',
    ),
    (
        "polars_fairness.hiring.tables.adverse_impact",
        "hiring --sex sex --race race --selected approved --positive true --by age --count k "
        "--nulls drop --confidence 0.9 --replicates 7 --seed 3 --exclude-below 0.01 "
        "--justification few --table adverse_impact",
        'selected="approved", positive=[True], by=["age"], count="k", nulls="drop", '
        'confidence=0.9, replicates=7, seed=3, facet=["sex", "race"], minimum_share=0.01',
    ),
    (
        "polars_fairness.lending.tables.table",
        "lending --facet race --disfavored B --favored W --predicted approved --score score "
        "--positive true --resolution 0.1 --subgroup branch --by age --weight w --count k --nulls "
        "drop --zero-division 0 --shares 0.1,0.2 --minimum-ratio 0.7 --maximum-points 2 "
        "--significance 0.1 --deviation population --p-values bh --confidence 0.9 --replicates 7 "
        "--seed 3 --table table",
        'facet=["race"], disfavored={"race": ["B"]}, favored={"race": ["W"]}, score="score", '
        'resolution=0.1, by=["age"], weight="w", count="k", nulls="drop", zero_division=0.0, '
        'p_values="bh", confidence=0.9, predicted="approved", positive=[True], minimum_ratio=0.7, '
        'maximum_points=2.0, significance=0.1, deviation="population", replicates=7, seed=3',
    ),
    (
        "polars_fairness.lending.tables.quantiles",
        "lending --facet race --disfavored B --favored W --predicted approved --score score "
        "--positive true --resolution 0.1 --subgroup branch --by age --weight w --count k --nulls "
        "drop --zero-division 0 --shares 0.1,0.2 --minimum-ratio 0.7 --maximum-points 2 "
        "--significance 0.1 --deviation population --p-values bh --confidence 0.9 --replicates 7 "
        "--seed 3 --table quantiles",
        'facet=["race"], disfavored={"race": ["B"]}, favored={"race": ["W"]}, score="score", '
        'resolution=0.1, by=["age"], weight="w", count="k", nulls="drop", zero_division=0.0, '
        'p_values="bh", confidence=0.9, shares=[0.1, 0.2], replicates=7, seed=3',
    ),
    (
        "polars_fairness.lending.tables.segments",
        "lending --facet race --disfavored B --favored W --predicted approved --score score "
        "--positive true --resolution 0.1 --subgroup branch --by age --weight w --count k --nulls "
        "drop --zero-division 0 --shares 0.1,0.2 --minimum-ratio 0.7 --maximum-points 2 "
        "--significance 0.1 --deviation population --p-values bh --confidence 0.9 --replicates 7 "
        "--seed 3 --table segments",
        'facet=["race"], disfavored={"race": ["B"]}, favored={"race": ["W"]}, score="score", '
        'resolution=0.1, by=["age"], weight="w", count="k", nulls="drop", zero_division=0.0, '
        'p_values="bh", confidence=0.9, predicted="approved", positive=[True], subgroup=["branch"]',
    ),
    (
        "polars_fairness.pay.page.table",
        "pay --facet sex --favored M --unknown X --pay score --basic age --variable w --category "
        "race --hours k --control branch --by since --nulls drop --minimum-count 3 --rule eu "
        "--confidence 0.9",
        'facet=["sex"], favored={"sex": ["M"]}, unknown=["X"], pay="score", basic="age", '
        'variable="w", category="race", hours="k", controls=["branch"], by=["since"], '
        'nulls="drop", minimum_count=3, rule="eu", confidence=0.9',
    ),
    (
        "polars_fairness.report",
        "audit --facet sex --disfavored F --predicted approved --metric di --confidence none "
        "--harm above --unit dollars --column race --json page.json",
        'metrics=("di",), facet=["sex"], disfavored={"sex": ["F"]}, predicted="approved", '
        'confidence=None, harm="above", unit="dollars", columns=["race"]',
    ),
    (
        AUDIT,
        "audit --facet sex --predicted approved --label repaid --positive repaid=yes --nulls drop "
        "--metric rd --unlabelled 0.5:1 --unlabelled-by branch",
        'metrics=("rd",), facet=["sex"], predicted="approved", label="repaid", '
        'positive={"repaid": ["yes"]}, nulls="drop", unlabelled=(0.5, 1.0), '
        'unlabelled_by=["branch"]',
    ),
    # Columns and models may have an equals sign; `x=y` is a column, `x` is none.
    ("polars_fairness.rates", "rates --predicted x=y", 'predicted="x=y"'),
    ("polars_fairness.rates", "rates --predicted m=k", 'predicted={"m": "k"}'),
    ("polars_fairness.rates", "rates --predicted m=x=y", 'predicted={"m": "x=y"}'),
    (
        "polars_fairness.rates",
        "rates --predicted m=n=x=y --predicted o=approved",
        'predicted={"m=n": "x=y", "o": "approved"}',
    ),
    (
        "polars_fairness.rates",
        "rates --predicted x=k --predicted o=approved",
        'predicted={"x": "k", "o": "approved"}',
    ),
    # A positive value is for its column, or for every outcome without one.
    *(
        (
            "polars_fairness.rates",
            f"rates --label repaid --predicted m=x=y --predicted o=repaid {typed}",
            f'label="repaid", predicted={{"m": "x=y", "o": "repaid"}}, positive={positive}',
        )
        for typed, positive in (
            ("--positive yes", '["yes"] * 3'),
            ("--positive x=y=no --positive repaid=yes", '{"x=y": ["no"], "repaid": ["yes"]}'),
            ("--positive repaid=yes --positive no", '{"x=y": ["no"], "repaid": ["yes"]}'),
        )
    ),
    *(
        (
            "polars_fairness.choose",
            f"choose --facet sex --score score {typed}",
            f'facet=["sex"], score="score", maximise="accuracy", {threshold}',
        )
        for typed, threshold in (
            ("", "threshold=[i * 5 / 100 for i in range(2, 19)]"),
            ("--resolution 0.04", "resolution=0.04, threshold=[i / 25 for i in range(3, 23)]"),
            ("--threshold every", 'threshold="every"'),
        )
    ),
]


@pytest.mark.extras
@pytest.mark.parametrize(("function", "typed", "arguments"), TABLE, ids=lambda each: str(each)[:60])
def test_what_is_typed_reaches_the_function(
    function: str, typed: str, arguments: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = {"w": 1 - pl.col("score"), "k": pl.lit(1), "x=y": pl.lit("no")}
    LOANS.with_columns(**more).write_parquet("loans.parquet")
    received: list[dict[str, Any]] = []

    def function_asked(rows: Any, *metrics: Any, **given: Any) -> None:
        assert column_names(unbound(rows)) == [*LOANS.columns, *more]
        received.append({**given, **({"metrics": metrics} if metrics else {})})
        raise pf.FairnessError("label: that is all; leave it out")

    monkeypatch.setattr(function, function_asked)
    command, *words = shlex.split(typed)
    assert run(command, "loans.parquet", *words)[2].endswith("--label: that is all; leave it out\n")
    assert received == [eval(f"dict({arguments})", {"pf": pf, "inf": inf})]


def test_each_option_of_a_question_is_in_the_table() -> None:
    """Those of the program itself are not: of files, formats, gates and pages."""
    [commands] = [a for a in parser()._actions if isinstance(a, _SubParsersAction)]
    typed = {word for _, words, _ in TABLE for word in words.split() if word.startswith("--")}
    own = set[str]()
    for name in (
        "audit",
        "bounds",
        "worst-groups",
        "compare",
        "choose",
        "hiring",
        "lending",
        "pay",
    ):
        for action in commands.choices[name]._actions:
            if action.option_strings and typed.isdisjoint(action.option_strings):
                own.add(action.dest)
    of_pages = {"title", "subject", "author", "date", "model", "version", "notes", "html", "pdf"}
    of_pages |= {"audit_date", "distribution_date", "data", "test_data"}
    elsewhere = {"baseline", "baseline_count", "reference", "policy", "where", "text", "words"}
    assert own == of_pages | elsewhere | {
        *(
            "help",
            "most_bytes",
            "overwrite",
            "fail_on",
            "allow_undefined",
            "maximum_within_p_value",
        ),
        "unjudged",
    }


def sides(record: dict[str, Any]) -> tuple[str, str, str | None]:
    return record["facet"], record["disfavored"], record["favored"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--facet sex --disfavored F", [("sex", "F", None)]),
        ("--facet sex --disfavored sex=F", [("sex", "F", None)]),
        ("--facet sex --favored M", [("sex", "F", "M")]),
        ("--facet age --disfavored 1", [("age", "1", None)]),
        ("--facet since --favored 2025-01-01", [("since", "2024-01-01", "2025-01-01")]),
        ("--facet approved --disfavored FALSE", [("approved", "false", None)]),
        (
            "--facet race --facet sex --favored sex=M --favored race=W",
            [("race", "B", "W"), ("sex", "F", "M")],
        ),
        # B are accepted at 2/3 and W at 1/2; there are 3 and 6 of them.
        ("--facet race --reference highest", [("race", "W", "B")]),
        ("--facet race --reference race=LARGEST", [("race", "B", "W")]),
        ("--facet race --reference overall", [("race", "B", "(all)"), ("race", "W", "(all)")]),
        (
            "--facet race --facet sex --reference race=highest --favored sex=F",
            [("race", "W", "B"), ("sex", "M", "F")],
        ),
        (
            "--facet race --facet sex --reference race=largest --reference sex=highest",
            [("race", "B", "W"), ("sex", "F", "M")],
        ),
    ],
)
def test_sides_are_values_of_their_columns(
    words: str, expected: list[tuple[str, str, str | None]], run: Run
) -> None:
    LOANS.with_columns(p=pl.col("approved")).write_parquet("loans.parquet")
    options = [*words.split(), "--predicted", "p", "--metric", "dppl", "--confidence", "none"]
    assert [*map(sides, records(run, "loans.parquet", *options))] == expected


def test_a_value_may_hold_an_equals_sign(run: Run) -> None:
    LOANS.select(
        "approved", sex=pl.when(sex="F").then(pl.lit("sex=F")).otherwise(pl.lit("a=b"))
    ).write_parquet("odd.parquet")
    options = ["odd.parquet", "--facet", "sex", "--predicted", "approved", *GAP, "--disfavored"]
    for typed, value in (("sex=sex=F", "sex=F"), ("a=b", "a=b"), ("sex=a=b", "a=b")):
        assert records(run, *options, typed)[0]["disfavored"] == value


@pytest.mark.parametrize(
    ("predicted", "positive"),
    [
        ("approved", "yes true"),
        ("approved", "yes approved=TRUE"),
        ("approved", "repaid=yes approved=1"),
        ("approved", "yes 1"),
        ("denied", "repaid=yes denied=no"),
        ("denied", "denied=no repaid=yes"),
        ("denied", "yes denied=no"),
    ],
)
def test_a_positive_value_is_for_its_column_or_the_outcomes_of_its_type(
    predicted: str, positive: str, run: Run
) -> None:
    denied = pl.when("approved").then(pl.lit("no")).otherwise(pl.lit("yes"))
    LOANS.with_columns(denied=denied).write_parquet("loans.parquet")
    words = [word for value in positive.split() for word in ("--positive", value)]
    words += ["--facet", "sex", "--disfavored", "F", "--label", "repaid", "--predicted", predicted]
    gap, rd = records(run, "loans.parquet", *words, "--metric", "dppl", "--metric", "rd")
    assert (gap["value"], rd["value"]) == (3 / 4 - 1 / 4, pytest.approx(2 / 3 - 1 / 3))
