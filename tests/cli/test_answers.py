"""Answers of questions on the command line: rates, scores, probabilities and reported numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import polars as pl
import pytest

from tests.cli.loans import GAP, LOANS
from tests.conftest import Run

RATES = ["rates", "loans.parquet", "--facet", "sex", "--predicted", "approved"]

GROUPS = [
    *("worst-groups", "loans.parquet", "--metric", "spsf", "--facet", "sex", "--facet", "race"),
    *("--predicted", "approved"),
]


def printed(run: Run, *words: str) -> str:
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    return out


def test_windows_that_are_no_number_have_all_their_groups(run: Run) -> None:
    since = pl.when(pl.col("branch") == "n").then(float("nan")).otherwise(1.0)
    LOANS.with_columns(since=since).write_parquet("loans.parquet")
    headings = [line for line in printed(run, *RATES, "--by", "since").splitlines() if "by" in line]
    assert headings == ["since 1.0, by sex", "since nan, by sex"]


@pytest.mark.parametrize("command", ["rates", "confusions", "audit"])
def test_errors_have_all_words_though_rows_are_scanned(command: str, run: Run) -> None:
    """A plan says only that there are some; the shell collects its answers itself."""
    known = pl.when(pl.col("sex") == "F").then("approved").alias("approved")
    rows = LOANS.with_columns(known, pl.col("repaid") == "yes")
    pl.concat([rows] * 9).write_parquet("loans.parquet")
    words = ("--facet", "sex", "--predicted", "approved", "--label", "repaid")
    _, _, err = run(command, "loans.parquet", *words)
    assert "'approved' has 45 (55.6 %): 0.0 % where 'sex' is 'F'" in err


def test_a_difference_of_two_sides_ranks_by_its_gap(run: Run) -> None:
    words = [*GROUPS[:-2], "--estimated", "score", "--metric"]
    shown = printed(run, *words, "estimate_difference")
    assert shown == printed(run, *words, "estimate_gap")
    assert "estimated_mean of all rows" in shown


@pytest.mark.extras
@pytest.mark.parametrize("command", ["audit", "lending", "rates"])
@pytest.mark.parametrize("form", ["table", "csv"])
def test_unknown_values_go_with_a_threshold(command: str, form: str, run: Run) -> None:
    """Of X, who is unknown, there is no row; the notes on the threshold are about all rows."""
    rows = {"sex": ["F", "F", "M", "M", "X", "X"], "score": [0.1, 0.9, 0.8, 0.9, 0.2, 0.9]}
    pl.DataFrame(rows).write_parquet("scores.parquet")
    words = ["--facet", "sex", "--unknown", "X", "--predicted", "score", "--threshold", "0.5"]
    side = [] if command == "rates" else ["--favored", "M"]
    code, out, err = run(command, "scores.parquet", *words, *side, "--format", form)
    assert (code, err) == (0, "")
    assert "X" not in out


def under_metrics(run: Run, *words: str) -> str:
    """Return what an audit prints below the line on its rows."""
    code, out, err = run("audit", "loans.parquet", *words)
    assert (code, err) == (0, "")
    _, begin, rates = out.partition("  group ")
    return begin + rates


def test_many_groups_are_cut_to_the_largest(run: Run) -> None:
    sizes = [3, 1, *[2] * 23]
    codes = [f"{code:02}" for code, n in enumerate(sizes) for _ in range(n)]
    rows = pl.DataFrame({"zip": codes, "sex": "F", "approved": True})
    rows.write_parquet("loans.parquet")
    words = ["--facet", "zip", "--disfavored", "00", "--predicted", "approved", *GAP]
    shown = under_metrics(run, *words).splitlines()
    assert shown[2] == "by zip, the 20 largest groups of 25"
    assert [line.split()[0] for line in shown[3:]] == [
        "00", *(f"{code:02}" for code in range(2, 21)), "(all)",
    ]  # fmt: skip


def test_a_facet_called_all_has_metrics_only(run: Run) -> None:
    LOANS.rename({"sex": "(all)"}).write_parquet("loans.parquet")
    assert under_metrics(run, "--facet", "(all)", "--predicted", "approved", *GAP) == ""


RACE = ["--probabilities", "race:Black=p_black,White=p_white", "--predicted", "accepted"]


def test_rows_are_counted_once_where_estimators_round_otherwise(tmp_path: Path, run: Run) -> None:
    """The rest of shares that hardly vary is a difference of large numbers to the regression."""
    i = pl.int_range(20_000, eager=True)
    shares = {"p_black": 0.22 + (i % 7) / 9_000, "p_white": 0.63 + (i % 11) / 7_000}
    path = tmp_path / "rows.parquet"
    pl.DataFrame({**shares, "accepted": i % 2}).write_parquet(path)
    _, out, err = run("audit", str(path), "--metric", "dppl", *RACE)
    assert (out + err).count("rows seen") == 1
    assert "20,000 rows seen, 0 dropped, 20,000 used" in out + err


# Of the 4 decisions about F one is an approval, of the 4 about M two are.
DECISIONS: Final = pl.DataFrame(
    {
        "sex": ["F"] * 4 + ["M"] * 4,
        "race": [*"aabcaabc"],
        "approved": [1, 0, 0, 0, 1, 1, 0, 0],
    }
)

OF_WOMEN: Final = ("--facet", "sex", "--disfavored", "F", "--favored", "M")


def compared(run: Run, figures: str, *words: str) -> tuple[int, str, str]:
    DECISIONS.write_parquet("rows.parquet")
    Path("figures.csv").write_text(figures)
    return run(
        *("compare", "rows.parquet", "--reported", "figures.csv", "--predicted", "approved"),
        *("--format", "csv", *words),
    )


def test_numbers_of_a_file_keep_their_digits(run: Run) -> None:
    # 0.500 has three digits, and 0.5 of 0.25 / 0.5 is one half to all of them.
    code, out, err = compared(run, "metric,reported\ndi,0.500\ndppl,0.3\n", *OF_WOMEN)
    answer = pl.read_csv(out.encode())
    assert (code, err) == (0, "")
    assert answer["equal"].to_list()[0]
    # 0.25 to one digit is 0.2 when cut off and 0.3 when rounded.
    assert answer.filter(metric="dppl")["equal"].all()
    _, out, _ = compared(run, "metric,reported\ndppl,0.30\n", *OF_WOMEN)
    assert not pl.read_csv(out.encode())["equal"].any()


def test_numbers_of_groups(run: Run) -> None:
    # Of a 3 of 4 are approved, of b and of c none: everyone else of b has 3 of 6.
    figures = "metric,disfavored,reported\ndppl,a,-0.75\ndppl,b,50%\n"
    code, out, _ = compared(run, figures, "--facet", "race", "--fail-on", "different")
    assert (code, pl.read_csv(out.encode())["equal"].to_list()) == (0, [True, True])


@pytest.mark.parametrize(
    ("reported", "different", "unexplained"),
    [("0.5", 0, 0), ("2.0", 1, 0), ("0.47", 1, 1)],  # the last but one is the ratio turned over
)
def test_the_gate(run: Run, reported: str, different: int, unexplained: int) -> None:
    figures = f"metric,reported\ndi,{reported}\n"
    for gate, expected in (("different", different), ("unexplained", unexplained)):
        code, _, err = compared(run, figures, *OF_WOMEN, "--fail-on", gate)
        assert code == expected
        assert ("1 of 1 reported numbers" in err and "di of F" in err) == bool(expected)
