"""The command `compare` about a file of reported numbers, and its gate."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import polars as pl
import pytest

from tests.conftest import Run

# Of the 4 decisions about F one is an approval, of the 4 about M two are.
ROWS: Final = pl.DataFrame(
    {
        "sex": ["F"] * 4 + ["M"] * 4,
        "race": [*"aabcaabc"],
        "approved": [1, 0, 0, 0, 1, 1, 0, 0],
    }
)
OF_SEX: Final = ("--facet", "sex", "--disfavored", "F", "--favored", "M")


def compared(run: Run, figures: str, *words: str) -> tuple[int, str, str]:
    ROWS.write_parquet("rows.parquet")
    Path("figures.csv").write_text(figures)
    return run(
        *("compare", "rows.parquet", "--reported", "figures.csv", "--predicted", "approved"),
        *("--format", "csv", *words),
    )


def test_numbers_of_a_file_keep_their_digits(run: Run) -> None:
    # 0.500 has three digits, and 0.5 of 0.25 / 0.5 is one half to all of them.
    code, out, err = compared(run, "metric,reported\ndi,0.500\ndppl,0.3\n", *OF_SEX)
    answer = pl.read_csv(out.encode())
    assert (code, err) == (0, "")
    assert answer["equal"].to_list()[0]
    # 0.25 to one digit is 0.2 when cut off and 0.3 when rounded.
    assert answer.filter(metric="dppl")["equal"].all()
    _, out, _ = compared(run, "metric,reported\ndppl,0.30\n", *OF_SEX)
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
        code, _, err = compared(run, figures, *OF_SEX, "--fail-on", gate)
        assert code == expected
        assert ("1 of 1 reported numbers" in err and "di of F" in err) == bool(expected)
