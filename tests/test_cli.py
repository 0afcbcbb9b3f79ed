"""The command line: what is typed, what is shown, and what the shell is told."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import polars_fairness as pf
from polars_fairness.cli import main, waiting
from polars_fairness.cli.arguments import parser
from polars_fairness.cli.files import files_of, opened
from polars_fairness.cli.tables import Column, table
from polars_fairness.cli.verdicts import audit_table, complaint
from polars_fairness.progress import report_progress
from tests.conftest import Run

ROOT = Path(__file__).parent.parent
LOANS = pl.DataFrame(
    {
        "sex": ["F", "F", "F", "F", "M", "M", "M", "M", None],
        "race": ["B", "W", "B", "W", "B", "W", "W", "W", "W"],
        "age": [1, 1, 2, 2, 1, 1, 2, 2, 2],
        "since": [date(2024, 1, 1), *[date(2025, 1, 1)] * 8],
        "branch": ["n", "s", "n", "s", "n", "s", "n", "s", "n"],
        "repaid": ["yes", "no", "yes", "yes", "no", "yes", "yes", "yes", "no"],
        "approved": [True, False, False, False, True, True, True, False, True],
        "score": [0.9, 0.2, 0.3, 0.4, 0.8, 0.7, 0.6, 0.1, 0.9],
    }
)
SEX = ["--facet", "sex", "--disfavored", "F", "--predicted", "approved"]
GAP = ["--metric", "dppl", "--metric", "di", "--confidence", "none"]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    LOANS.write_parquet("loans.parquet")
    return tmp_path


def records(run: Run, *words: str) -> list[dict[str, Any]]:
    code, out, err = run("audit", *words, "--format", "json")
    assert (code, err) == (0, "")
    found: list[dict[str, Any]] = json.loads(out)
    return found


def in_a_shell(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "polars_fairness", *words],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT), **environment},
    )


# What is read


def _gzipped(text: str, path: str) -> None:
    Path(path).write_bytes(gzip.compress(text.encode()))


WRITERS: dict[str, Callable[[str], object]] = {
    "loans.parquet": LOANS.write_parquet,
    "loans.csv": LOANS.write_csv,
    "LOANS.CSV": LOANS.write_csv,
    "loans[1].csv": LOANS.write_csv,
    "loans.tsv": lambda path: LOANS.write_csv(path, separator="\t"),
    "loans.csv.gz": lambda path: _gzipped(LOANS.write_csv(), path),
    "loans.tsv.gz": lambda path: _gzipped(LOANS.write_csv(separator="\t"), path),
    "loans.ndjson": LOANS.write_ndjson,
    "loans.jsonl": LOANS.write_ndjson,
    "loans.arrow": LOANS.write_ipc,
    "loans.feather": LOANS.write_ipc,
    "loans.ipc": LOANS.write_ipc,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_read(name: str, run: Run) -> None:
    WRITERS[name](name)
    [gap, ratio] = records(run, name, *SEX, *GAP)
    assert (gap["metric"], gap["value"]) == ("dppl", 0.5)
    assert ratio["value"] == pytest.approx(1 / 3)
    assert (gap["rows_seen"], gap["n_unknown"]) == (9, 1)


def test_dates_of_csv_are_dates() -> None:
    LOANS.write_csv("loans.csv")
    assert opened(files_of(["loans.csv"]), "since < DATE '2025-01-01'").collect().height == 1


@pytest.fixture
def partitioned(place: Path) -> Path:
    for year, rows in ((2024, LOANS.filter(sex="F")), (2025, LOANS)):
        for kind in ("parquet", "arrow"):
            folder = place / kind / f"year={year}" / "month=1"
            folder.mkdir(parents=True)
            write = rows.write_parquet if kind == "parquet" else rows.write_ipc
            write(folder / f"0.{kind}")
            (folder / "_SUCCESS").touch()
            (folder / f".0.{kind}.crc").touch()
    return place


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("path", ["{}", "{}/", "{}/year=*", "{}/*/*/*.{}", "{}/**/*.{}"])
def test_partitions_are_columns(partitioned: Path, kind: str, path: str, run: Run) -> None:
    path = path.format(kind, kind)
    [gap, _] = records(run, path, *SEX, *GAP, "--where", "year = 2025")
    assert (gap["value"], gap["rows_seen"]) == (0.5, 9)
    assert opened(files_of([path]), None).collect().height == 13


def test_only_the_partitions_asked_for_are_read(partitioned: Path, run: Run) -> None:
    broken = partitioned / "parquet" / "year=2024" / "month=1" / "0.parquet"
    broken.write_bytes(broken.read_bytes()[:50] + b"\0" * 200 + broken.read_bytes()[250:])
    assert "year=2024" not in opened(files_of(["parquet"]), "year = 2025").explain()
    assert records(run, "parquet", *SEX, *GAP, "--where", "year = 2025")[0]["value"] == 0.5


def test_several_paths_are_one_answer(run: Run) -> None:
    LOANS.write_parquet("more.parquet")
    [gap, _] = records(run, "loans.parquet", "more.parquet", *SEX, *GAP)
    assert (gap["value"], gap["rows_seen"]) == (0.5, 18)


# What is asked


def sides(record: dict[str, Any]) -> tuple[str, str, str | None]:
    return record["facet"], record["disfavored"], record["favored"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--facet", "sex", "--disfavored", "F"], [("sex", "F", None)]),
        (["--facet", "sex", "--disfavored", "sex=F"], [("sex", "F", None)]),
        (["--facet", "sex", "--favored", "M"], [("sex", "F", "M")]),
        (["--facet", "age", "--disfavored", "1"], [("age", "1", None)]),
        (["--facet", "since", "--favored", "2025-01-01"], [("since", "2024-01-01", "2025-01-01")]),
        (["--facet", "approved", "--disfavored", "FALSE"], [("approved", "false", None)]),
        (
            ["--facet", "race", "--facet", "sex", "--favored", "sex=M", "--favored", "race=W"],
            [("race", "B", "W"), ("sex", "F", "M")],
        ),
    ],
)
def test_sides_are_values_of_their_columns(
    words: list[str], expected: list[tuple[str, str, str | None]], run: Run
) -> None:
    positive = ["--positive", "yes"] if "--predicted" not in words else []
    asked = ["--label", "repaid", *positive, "--metric", "dpl", "--confidence", "none"]
    assert [sides(record) for record in records(run, "loans.parquet", *words, *asked)] == expected


def test_several_values_are_one_side(run: Run) -> None:
    LOANS.with_columns(sex=pl.Series([*"abcdefgh", None])).write_parquet("loans.parquet")
    both = ["--disfavored", "a", "--disfavored", "b", "--predicted", "approved"]
    [gap, _] = records(run, "loans.parquet", "--facet", "sex", *both, *GAP)
    assert (gap["disfavored"], gap["n_disfavored"]) == ("a, b", 2)


def test_a_value_may_hold_an_equals_sign(run: Run) -> None:
    LOANS.select(
        "approved", sex=pl.when(sex="F").then(pl.lit("sex=F")).otherwise(pl.lit("a=b"))
    ).write_parquet("odd.parquet")
    asked = ["--facet", "sex", "--predicted", "approved", *GAP]
    for word, said in (("sex=sex=F", "sex=F"), ("a=b", "a=b"), ("sex=a=b", "a=b")):
        assert records(run, "odd.parquet", *asked, "--disfavored", word)[0]["disfavored"] == said


@pytest.mark.parametrize(
    "positive",
    [["yes", "true"], ["yes", "approved=TRUE"], ["repaid=yes", "approved=1"], ["yes", "1"]],
)
def test_positive_speaks_of_the_columns_it_fits(positive: list[str], run: Run) -> None:
    words = [word for value in positive for word in ("--positive", value)]
    [record] = records(run, "loans.parquet", *SEX, "--label", "repaid", *words, "--metric", "rd")
    assert record["value"] == pytest.approx(2 / 3 - 1 / 3)


@pytest.mark.parametrize(
    "positive",
    [["repaid=yes", "denied=no"], ["denied=no", "repaid=yes"], ["yes", "denied=no"]],
)
def test_positive_of_a_column_speaks_of_it_only(positive: list[str], run: Run) -> None:
    denied = pl.when("approved").then(pl.lit("no")).otherwise(pl.lit("yes"))
    LOANS.with_columns(denied=denied).write_parquet("denied.parquet")
    words = [word for value in positive for word in ("--positive", value)]
    asked = ["--facet", "sex", "--disfavored", "F", "--label", "repaid", "--predicted", "denied"]
    gap, rd = records(run, "denied.parquet", *asked, *words, "--metric", "dppl", "--metric", "rd")
    assert (gap["value"], rd["value"]) == (3 / 4 - 1 / 4, pytest.approx(2 / 3 - 1 / 3))


def test_a_word_beside_named_outcomes_must_have_one_left(run: Run) -> None:
    words = [*SEX, "--positive", "approved=true", "--positive", "false"]
    code, _, err = run("audit", "loans.parquet", *words)
    assert (code, err) == (
        2,
        "polars-fairness: positive: 'false' does not say of which outcome, beside those that do; "
        "write approved=false\n",
    )


def test_every_option_reaches_the_audit(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    asked: dict[str, Any] = {}

    def audit(frame: pl.LazyFrame, *metrics: str, **given: Any) -> pl.LazyFrame:
        asked.update(given, metrics=metrics, columns=frame.collect_schema().names())
        return answer_of({}).lazy()

    monkeypatch.setattr(pf, "audit", audit, raising=False)
    typed = (
        "audit loans.parquet --facet sex --facet race --disfavored sex=F --favored race=W "
        "--label repaid --predicted score --positive yes --threshold 0.5 --subgroup branch "
        "--by since --weight score --count age --nulls drop --zero-division 0 --metric di "
        "--metric dppl --confidence 0.9 --method bootstrap --replicates 7 --seed 3 "
        "--minimum-count 5 --p-values holm --feature age --format csv"
    )
    assert run(*typed.split())[0] == 0
    assert asked == {
        "columns": LOANS.columns,
        "facet": ["sex", "race"],
        "disfavored": {"sex": ["F"]},
        "favored": {"race": ["W"]},
        "label": "repaid",
        "predicted": "score",
        "positive": ["yes"],
        "threshold": 0.5,
        "subgroup": ["branch"],
        "by": ["since"],
        "weight": "score",
        "count": "age",
        "nulls": "drop",
        "zero_division": 0.0,
        "metrics": ("di", "dppl"),
        "confidence": 0.9,
        "method": "bootstrap",
        "replicates": 7,
        "seed": 3,
        "minimum_count": 5,
        "p_values": "holm",
        "features": ["age"],
    }
    asked.clear()
    run("audit", "loans.parquet", "--facet", "sex", "--confidence", "none")
    assert asked == {
        "columns": LOANS.columns,
        "facet": ["sex"],
        "metrics": (),
        "confidence": None,
    }


def test_windows_and_thresholds(run: Run) -> None:
    asked = ["--facet", "sex", "--disfavored", "F", "--predicted", "score", "--threshold", "0.5"]
    found = records(run, "loans.parquet", *asked, *GAP, "--by", "age", "--by", "branch")
    assert [(record["age"], record["branch"]) for record in found[::2]] == [
        (1, "n"), (1, "s"), (2, "n"), (2, "s"),
    ]  # fmt: skip


# What is shown


def answer_of(changes: dict[str, list[Any]]) -> pl.DataFrame:
    """Make an answer of an audit, with what a test wants to be different in it."""
    columns: dict[str, list[Any]] = {
        "facet": ["sex"],
        "disfavored": ["F"],
        "favored": ["M"],
        "metric": ["dppl"],
        "value": [0.5],
        "lower": [0.1],
        "upper": [0.8],
        "ideal": [0.0],
        "verdict": ["against_disfavored"],
        "n_disfavored": [1200],
        "n_favored": [30],
        "n_unknown": [1],
        "rows_seen": [1240],
        "rows_used": [1231],
        "rows_dropped": [9],
    }
    rows = max(map(len, changes.values()), default=1)
    filled = {name: values * rows for name, values in columns.items()} | changes
    return pl.DataFrame(filled)


def shown(width: int = 100, *, in_colour: bool = False, **changes: list[Any]) -> str:
    return audit_table(answer_of(changes), width, in_colour=in_colour)


def test_a_table_says_who_is_compared_and_what_was_counted() -> None:
    assert shown() == (
        "  metric  value  interval        ideal  verdict\n"
        "\n"
        "sex: F (1,200) against M (30)\n"
        "  dppl    0.500  0.100 to 0.800      0  against F\n"
        "\n"
        "sex: 1,240 rows seen, 9 dropped, 1,231 used, 1 of them unknown"
    )


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"favored": [None]}, "sex: F (1,200) against everyone else (30)"),
        ({"favored": [None], "verdict": ["against_favored"]}, "against everyone else"),
        ({"disfavored": [None], "favored": [None]}, "sex: all groups"),
        ({"disfavored": [None], "verdict": ["outside"]}, "  0  outside"),
        ({"facet": pl.Series([None], dtype=pl.String), "disfavored": [None]}, "everybody"),
        ({"is_small": [True]}, "sex: F (1,200) against M (30); few rows"),
        ({"p_value": [0.00001]}, "  1.0e-05  against F"),
        ({"value": [float("inf")], "verdict": ["undefined"]}, "    inf  "),
        ({"value": pl.Series([None], dtype=pl.Float64), "verdict": ["undefined"]}, "undefined"),
        ({"value": [-0.0]}, "  dppl    0.000  "),
        ({"value": [-0.0001]}, "  -1.0e-04  "),
        ({"n_favored": [30.25]}, "M (30.2)"),
        ({"disfavored": ["F\x1b[31m\n"]}, "sex: F\N{REPLACEMENT CHARACTER}[31m"),
    ],
)
def test_a_table_speaks_plainly(changes: dict[str, Any], line: str) -> None:
    assert line in shown(**changes)


def test_intervals_that_nobody_asked_for_take_no_place() -> None:
    nothing = pl.Series([None], dtype=pl.Float64)
    assert "interval" not in shown(lower=nothing, upper=nothing)


def test_windows_are_told_apart_and_their_rows_added_up() -> None:
    windows = answer_of({"metric": ["di", "dppl"] * 2}).select(
        pl.Series("month", [date(2025, 1, 1)] * 2 + [date(2025, 2, 1)] * 2), pl.all()
    )
    text = audit_table(windows, 100, in_colour=False)
    assert text.count("month 2025-01-01, sex: F (1,200) against M (30)") == 1
    assert text.count("month 2025-02-01, sex: F (1,200) against M (30)") == 1
    assert "sex: 2,480 rows seen, 18 dropped, 2,462 used, 2 of them unknown" in text


@pytest.mark.parametrize("columns", ["60", "120"])
def test_tables_fit_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    everything = ["--label", "repaid", "--positive", "yes", "--replicates", "20"]
    for command in (["metrics"], ["audit", "loans.parquet", *SEX, *everything]):
        code, out, _ = run(*command)
        assert code == 0
        assert max(map(len, out.splitlines())) <= int(columns)
        assert "average_abs_" in out


def test_what_is_too_wide_goes_on_below() -> None:
    columns = [Column("name", ["one_long_name"], least=5), Column("what", ["a b c d"], least=3)]
    titles, [row] = table(columns, 13)
    assert titles.split() == ["name", "what"]
    assert "".join(line[:5].strip() for line in row.splitlines()) == "one_long_name"
    assert max(map(len, row.splitlines())) <= 13


def test_colour_is_for_verdicts_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "\x1b" not in run("audit", "loans.parquet", *SEX, *GAP)[1]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    painted = run("audit", "loans.parquet", *SEX, *GAP)[1]
    assert "  \x1b[31magainst F\x1b[0m\n" in painted
    assert "\x1b" not in run("audit", "loans.parquet", *SEX, *GAP, "--format", "csv")[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("audit", "loans.parquet", *SEX, *GAP)[1]


def test_no_row_is_no_table(run: Run) -> None:
    nobody = ["--facet", "sex", "--predicted", "approved", *GAP, "--where", "age > 9"]
    assert run("audit", "loans.parquet", *nobody) == (
        0,
        "Nothing to compare: no row was there.\n",
        "",
    )
    assert records(run, "loans.parquet", *nobody) == []


def test_formats_for_programs_round_nothing(run: Run) -> None:
    LOANS.with_columns(sex=pl.col("sex").replace("M", "M|\\x")).write_parquet("loans.parquet")
    asked = ["audit", "loans.parquet", "--favored", "M|\\x", "--facet", "sex", "--predicted"]
    asked += ["approved", *GAP]
    from_csv = pl.read_csv(run(*asked, "--format", "csv")[1].encode())
    from_json = json.loads(run(*asked, "--format", "json")[1])
    assert from_csv["value"].to_list() == [record["value"] for record in from_json]
    assert from_csv["value"][1] == 0.25 / 0.75
    head, rule, *rows = run(*asked, "--format", "markdown")[1].splitlines()
    assert head.startswith("| facet | disfavored | favored | metric | value |")
    assert set(rule) == set("| -")
    assert rows[1].startswith(f"| sex | F | M\\|\\\\x | di | {0.25 / 0.75} |  |  | 1.0 |")


def test_json_has_no_infinity_of_its_own(run: Run) -> None:
    undefined = records(run, "loans.parquet", *SEX, *GAP, "--by", "since")[0]
    assert (undefined["since"], undefined["value"]) == ("2024-01-01", None)
    LOANS.with_columns(approved=pl.col("sex").eq_missing("F")).write_parquet("loans.parquet")
    assert records(run, "loans.parquet", *SEX, *GAP)[1]["value"] == "inf"


def test_a_report_is_asked_what_the_audit_is(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    class Report:
        def __init__(self, frame: pl.LazyFrame, *metrics: str, **asked: Any) -> None:
            self.asked = (frame.collect().height, metrics, asked)

        def write_html(self, path: str) -> None:
            Path(path).write_text(repr(self.asked))

    monkeypatch.setattr(pf, "report", Report, raising=False)
    words = ["loans.parquet", *SEX, "--metric", "di", "--seed", "1", "--html", "report.html"]
    code, out, _ = run("audit", *words)
    assert code == 0
    assert "against" in out
    question = {"facet": ["sex"], "predicted": "approved", "disfavored": {"sex": ["F"]}}
    told = (9, ("di",), {"seed": 1, **question})
    assert eval(Path("report.html").read_text()) == told
    code, _, err = run("audit", *words[:-1], "nowhere/report.html")
    assert code == 2
    assert "nowhere/report.html" in err


# What the shell is told


@pytest.mark.parametrize(
    ("verdict", "unfair", "uncertain"),
    [
        ("fair", False, False),
        ("uncertain", False, True),
        ("undefined", False, True),
        ("against_disfavored", True, True),
        ("against_favored", True, True),
        ("outside", True, True),
    ],
)
def test_gates(verdict: str, unfair: bool, uncertain: bool) -> None:
    answer = answer_of({"metric": ["di", "dppl", "ci"], "verdict": [verdict, "fair", None]})
    for gate, fails in (("unfair", unfair), ("uncertain", uncertain)):
        complained = complaint(answer, gate)
        assert (complained is not None) is fails
        said = {"unfair": "are unfair", "uncertain": "are not fair"}[gate]
        assert complained in (None, f"fail-on: 1 of 2 verdicts {said}: 'di'")


def test_a_failed_gate_is_exit_code_1_and_one_line(run: Run) -> None:
    code, out, err = run("audit", "loans.parquet", *SEX, *GAP, "--fail-on", "unfair")
    assert code == 1
    assert "against F" in out
    said = "fail-on: 2 of 2 verdicts are unfair: 'dppl' and 'di'"
    assert err == f"polars-fairness: {said}\n"


def test_a_gate_that_is_passed_says_nothing(run: Run) -> None:
    LOANS.with_columns(approved=pl.lit(1)).write_parquet("loans.parquet")
    code, _, err = run("audit", "loans.parquet", *SEX, *GAP, "--fail-on", "uncertain")
    assert (code, err) == (0, "")


AUDIT = ["audit", "loans.parquet"]

WRONG: list[tuple[list[str], str]] = [
    ([], r"the following arguments are required: COMMAND; see polars-fairness --help"),
    (["adit"], r"argument COMMAND: invalid choice: 'adit'"),
    (["audit"], r"the following arguments are required: PATH; see polars-fairness audit --help"),
    ([*AUDIT, "--fact", "sex"], r"unrecognized arguments: --fact sex"),
    ([*AUDIT, "--format", "xml"], r"argument --format: invalid choice: 'xml'"),
    ([*AUDIT, "--threshold", "x"], r"argument --threshold: invalid float value: 'x'"),
    ([*AUDIT, "--confidence", "x"], r"argument --confidence: takes a number or none, got 'x'"),
    ([*AUDIT, *SEX, "--confidence", "2"], r"confidence: "),
    ([*AUDIT, *SEX, "--method", "guess"], r"method: "),
    ([*AUDIT, "--facet", "sx", "--predicted", "approved"], r"facet: no column 'sx'; did you mean"),
    ([*AUDIT, *SEX, "--metric", "dpl"], r"dpl: needs label="),
    ([*AUDIT, *SEX, "--metric", "dpll"], r"metrics: no metric 'dpll'; did you mean 'dpl'"),
    ([*AUDIT, *SEX, *GAP, "--disfavored", "X"], r"disfavored: 'X' never occurs in 'sex'"),
    (
        [*AUDIT, "--facet", "age", "--disfavored", "x"],
        r"disfavored: 'x' cannot be a value of 'age'",
    ),
    ([*AUDIT, "--disfavored", "F", "--predicted", "approved"], r"disfavored: .* give facet="),
    (
        [*AUDIT, "--facet", "sex", "--facet", "race", "--favored", "M"],
        r"favored: 'M' does not say of which facet; with several, write sex=M, or another of",
    ),
    ([*AUDIT, *SEX, "--positive", "maybe"], r"positive: 'maybe' cannot be an outcome: 'approved'"),
    ([*AUDIT, *SEX, *GAP, "--where", "year = = 3"], r"where: 'year = = 3' is no SQL expression: "),
    ([*AUDIT, *SEX, *GAP, "--where", "aeg = 3"], r"where: no column 'aeg'; did you mean 'age'\?"),
    ([*AUDIT, *SEX, *GAP, "--where", "age"], r"where: 'age' is Int64, not true or false"),
    ([*AUDIT, *SEX, *GAP, "--where", "since > 'x'"], r"where: polars cannot evaluate "),
    (
        [*AUDIT, *SEX, "--metric", "ci", "--where", "age > 9", "--fail-on", "unfair"],
        r"fail-on: there is no verdict to go by",
    ),
    (
        [*AUDIT, *SEX, "--metric", "di", "--where", "sex = 'F'", "--fail-on", "unfair"],
        r"fail-on: there is no verdict to go by",
    ),
    (["audit", "nope.parquet"], r"path: there is no 'nope.parquet'"),
    (["audit", "nope*.parquet"], r"path: no files in 'nope\*.parquet'"),
    (["audit", "empty"], r"path: no files in 'empty'"),
    (["audit", "loans.xlsx"], r"path: no format known by the name 'loans.xlsx'; .*'.parquet'"),
    (
        ["audit", "loans.parquet", "loans.csv"],
        r"path: files of different formats, 'loans.parquet' ",
    ),
    (["audit", "broken.parquet"], r"path: cannot read 'broken.parquet' as parquet: "),
    (["audit", "broken.arrow"], r"path: cannot read 'broken.arrow' as ipc: "),
    (["audit", "broken.ndjson"], r"path: cannot read 'broken.ndjson' as ndjson: "),
    (["audit", "empty.csv"], r"path: cannot read 'empty.csv' as csv: "),
    (["cells", "loans.parquet"], r"cells: nothing to count by"),
    (
        ["cells", "loans.parquet", "--facet", "sex", "--output", "cells.xlsx"],
        r"output: no format known by the name 'cells.xlsx'; end it in one of '.parquet'",
    ),
    (["cells", "loans.parquet", "--facet", "sex", "--output", "no/cells.csv"], r".*no/cells.csv"),
    (["metrics", "cddlp"], r"metrics: no metric 'cddlp'; did you mean .*'cddpl'"),
]


@pytest.mark.parametrize(
    ("words", "said"), WRONG, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_a_wrong_call_is_exit_code_2_and_one_line(words: list[str], said: str, run: Run) -> None:
    Path("empty").mkdir()
    for name in ("loans.csv", "loans.xlsx", "broken.parquet", "broken.arrow", "broken.ndjson"):
        Path(name).write_text("nothing of the kind")
    Path("empty.csv").touch()
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert re.match(f"polars-fairness: {said}", err)
    assert err.count("\n") == 1


def test_missing_values_and_extras_are_one_line_too(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    LOANS.with_columns(approved=None).cast({"approved": pl.Boolean}).write_parquet("loans.parquet")
    code, _, err = run("audit", "loans.parquet", *SEX, *GAP)
    assert code == 2
    assert err.startswith("polars-fairness: predicted: missing values: 'approved' has 9; ")
    monkeypatch.setattr("polars_fairness.errors.find_spec", lambda _: None)
    asked = ["--predicted", "approved", "--feature", "age", "--metric", "consistency"]
    code, _, err = run("audit", "loans.parquet", *asked)
    assert code == 2
    assert 'pip install "polars-fairness[neighbours]"' in err


def test_an_interrupt_is_exit_code_130(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pf, "cells", interrupted)
    assert run("cells", "loans.parquet", "--facet", "sex") == (130, "", "")


# Cells, the catalogue, the story


@pytest.mark.parametrize(
    "name", ["cells.parquet", "c.csv", "c.tsv", "c.ndjson", "c.jsonl", "c.arrow"]
)
def test_cells_are_written_and_audited(name: str, run: Run) -> None:
    counted = ["loans.parquet", "--facet", "sex", "--predicted", "approved", "--by", "branch"]
    assert run("cells", *counted, "--output", name) == (0, "", "")
    expected = LOANS.fairness.cells(facet="sex", predicted="approved", by="branch")
    assert_frame_equal(opened(files_of([name]), None).collect(), expected)
    [gap, _] = records(run, name, *SEX, *GAP, "--count", "n")
    assert gap["value"] == 0.5


def test_cells_without_a_file_are_shown(run: Run) -> None:
    code, out, _ = run(
        "cells", "loans.parquet", "--facet", "age", "--predicted", "score", "--threshold", "0.5",
        "--where", "age=1",
    )  # fmt: skip
    assert (code, out) == (0, "age,score,n\n1,false,1\n1,true,3\n")


def test_the_catalogue_is_listed(run: Run) -> None:
    _, out, _ = run("metrics", "--format", "csv")
    assert pl.read_csv(out.encode())["name"].to_list() == list(pf.CATALOGUE)
    [ratio] = json.loads(run("metrics", "disparate_impact", "--format", "json")[1])
    assert (ratio["name"], ratio["highest"], ratio["acceptable_from"]) == ("di", "inf", 0.8)
    _, out, _ = run("metrics", "di")
    assert out == (
        "name  definition  range   ideal  band\ndi    q'd / q'a   0 to ∞      1  0.8 to 1.25\n"
    )


def test_the_story_is_told(run: Run) -> None:
    code, out, _ = run("demo")
    assert code == 0
    assert "4,526" in out


@pytest.mark.parametrize("command", [[], ["audit"], ["cells"], ["metrics"], ["demo"]], ids=str)
def test_help_has_examples(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command, "--help"])
    assert left.value.code == 0
    assert command == ["demo"] or "example" in capsys.readouterr().out


@pytest.mark.parametrize("page", ["README.md", "docs/command-line.md"])
def test_commands_on_the_pages_are_understood(page: str) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    commands = [
        shlex.split(line)[1:]
        for block in blocks
        for line in block.replace("\\\n", " ").splitlines()
        if line.startswith("polars-fairness ")
    ]
    assert commands
    for command in commands:
        assert parser().parse_args(command).run


def test_the_page_shows_what_is_shown(run: Run) -> None:
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    pf.datasets.berkeley().write_parquet("berkeley.parquet")
    for typed, printed in re.findall(r"```sh\n([^`]*)```\n\n```text\n([^`]*)```", page):
        assert run(*shlex.split(typed.replace("\\\n", " "))[1:])[1] == printed


# As a program


def test_it_runs_as_a_program() -> None:
    told = in_a_shell("--version")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout == f"polars-fairness {pf.__version__} (polars {pl.__version__})\n"


def test_a_program_never_shows_a_traceback() -> None:
    told = in_a_shell("metrics", "dpll")
    assert told.returncode == 2
    assert re.fullmatch(r"polars-fairness: metrics: no metric 'dpll'; [^\n]*\n", told.stderr)
    told = in_a_shell("metrics", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert told.returncode == 2
    assert re.fullmatch(r"polars-fairness: stdout: ascii cannot [^\n]* PYTHONUTF8=1\n", told.stderr)


@pytest.mark.skipif(os.name == "nt", reason="pipes close otherwise there")
def test_a_reader_that_leaves_is_no_error() -> None:
    writer = subprocess.Popen(
        [sys.executable, "-m", "polars_fairness", "demo"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT)},
    )
    assert writer.stdout is not None
    writer.stdout.close()
    assert writer.stderr is not None
    said = writer.stderr.read()
    writer.stderr.close()
    assert (writer.wait(), said) == (0, b"")


def test_time_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 0.01)
    monkeypatch.setattr(waiting, "BEAT", 0.01)
    for is_terminal in (False, True):
        told = io.StringIO()
        monkeypatch.setattr(told, "isatty", lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.setattr(sys, "stderr", told)
        with waiting.time_shown():
            time.sleep(0.2)
        if not is_terminal:
            assert told.getvalue() == ""
        else:
            assert told.getvalue().startswith("\rcounting, 0 s")
            assert told.getvalue().endswith("\r             \r")


def test_draws_are_shown_as_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "PATIENCE", 0.01)
    monkeypatch.setattr(waiting, "BEAT", 0.01)
    told = io.StringIO()
    monkeypatch.setattr(told, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", told)
    with waiting.time_shown():
        for done in (9, 20):
            report_progress(done, 20)
            time.sleep(0.2)
    lines = told.getvalue().split("\r")
    assert "drawing [#########...........] 45 %, 0 s" in lines
    # All draws done, the clock goes on; nothing of the longer line is left over.
    assert lines[-3].rstrip() == "counting, 0 s"
    assert set(map(len, lines[-3:-1])) == {len("drawing [#########...........] 45 %, 0 s")}


def test_what_is_quick_shows_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    told = io.StringIO()
    monkeypatch.setattr(told, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", told)
    with waiting.time_shown():
        pass
    assert told.getvalue() == ""
