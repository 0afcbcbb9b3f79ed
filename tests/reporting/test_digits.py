"""A number in a sentence shows on which side of the band's ends and of the ideal it lies."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polars_fairness as pf
from polars_fairness.reporting import words
from tests.conftest import Run
from tests.pages import rows_below
from tests.reporting.test_page_one import points

# Ends as people write them, and values as near to them as a ratio of two shares of rows can be.
ENDS: Final = st.sampled_from([0.0, 0.8, 1.0, 1.25, -0.1, 0.1, 0.05, 0.9, 1.1, 2.0, -2.0, 0.001])
NEAR: Final = st.sampled_from([0.0, *(sign * 10.0**-i for sign in (1, -1) for i in range(1, 10))])
VALUES: Final = st.one_of(
    st.builds(lambda end, part, k: end + part * k, ENDS, NEAR, st.integers(1, 9)),
    st.floats(-120, 120, allow_subnormal=False),
)


def read(text: str) -> Fraction:
    return Fraction(text.replace("−", "-").replace(",", ""))


def side(one: Fraction, other: Fraction) -> int:
    """A float of an end is the end: nearer than any rows could be, both are equal."""
    return 0 if abs(one - other) < Fraction(1, 10**11) else (one > other) - (one < other)


@given(value=VALUES, ends=st.tuples(ENDS, ENDS, ENDS), digits=st.integers(0, 3))
def test_a_number_beside_others_is_on_the_side_where_it_is(
    value: float, ends: tuple[float, ...], digits: int
) -> None:
    for text in (words.number(value, digits, ends), words.exact(value, ends)):
        for end in ends:
            written = Fraction(str(end))
            assert side(read(text), written) == side(Fraction(value), written), (text, end)


@given(value=VALUES, end=ENDS)
def test_it_has_no_more_digits_than_needed(value: float, end: float) -> None:
    text = words.number(value, 2, [end])
    fewer, has_point = text[:-1].rstrip("."), "." in text
    if has_point and len(text.split(".")[1]) > 2:
        rounded = f"{value:.{len(fewer.split('.')[1]) if '.' in fewer else 0}f}"
        written = Fraction(str(end))
        assert side(read(rounded), written) != side(Fraction(value), written)


def of_counts(f: tuple[int, int], m: tuple[int, int]) -> pl.DataFrame:
    rows = [
        (sex, p, n)
        for sex, (hired, everyone) in (("F", f), ("M", m))
        for p, n in ((1, hired), (0, everyone - hired))
    ]
    return pl.DataFrame(rows, ["sex", "p", "n"], orient="row")


QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "predicted": "p",
    "count": "n",
}


@pytest.mark.parametrize(
    ("f", "m", "said"),
    [
        # 0.3998 over 0.5.
        ((3_998, 10_000), (5_000, 10_000), "▲ 0.7996 F"),
        ((4_000, 10_000), (5_000, 10_000), "● 0.80 F"),
        ((4_001, 10_000), (5_000, 10_000), "● 0.8002 F"),
        ((4_990, 10_000), (5_000, 10_000), "● 0.998 F"),
        ((1, 10_000), (5_000, 10_000), "▲ 0.0002 F"),
        ((3_000, 10_000), (5_000, 10_000), "▲ 0.60 F"),
    ],
)
def test_sentences_show_the_side_of_the_band(
    f: tuple[int, int], m: tuple[int, int], said: str, run: Run, tmp_path: Path
) -> None:
    frame = of_counts(f, m)
    report = pf.report(frame, "di", confidence=None, **QUESTION)
    [board] = rows_below(report.to_markdown(), "Every judged value, by verdict")
    mark, value, _ = said.split()
    assert board[2 if mark == "▲" else 4] == f"{value} F"
    if mark == "▲":
        assert f"is {value} times that of the group M" in points(report)[""]
    frame.write_parquet(tmp_path / "rows.parquet")
    typed = ["--facet", "sex", "--disfavored", "F", "--favored", "M", "--predicted", "p"]
    typed += ["--count", "n", "--metric", "di", "--confidence", "none", "--format", "github"]
    _, out, _ = run("audit", str(tmp_path / "rows.parquet"), *typed)
    if "▲" in said:
        [shown] = re.findall(r"value ([0-9.e-]+),", out)
        assert float(shown) < 0.8


def test_the_ends_of_an_interval_show_their_sides_too() -> None:
    frame = of_counts((499_000, 1_000_000), (500_700, 1_000_000))
    text = pf.report(frame, "di", **QUESTION, method="log").to_markdown()
    audit = pf.audit(frame, "di", **QUESTION, method="log").row(0, named=True)
    assert audit["upper"] < 1
    [cells, *_] = rows_below(
        text, "Impact ratio: the selection rate of each group divided by that of its reference"
    )
    [(value, upper)] = re.findall(r"([\d.]+) \([\d.]+ to ([\d.]+)\)", cells[4])
    assert max(float(value), float(upper)) < 1


def test_the_ends_of_each_interval_of_lending_show_their_sides() -> None:
    """All of 0.997 times the rate of M, but no interval reaches 1, nor 0 points."""
    frame = of_counts((499_100, 1_000_000), (500_700, 1_000_000))
    question: dict[str, Any] = {"facet": "sex", "favored": "M", "predicted": "p", "count": "n"}
    row = pf.lending.table(frame, **question).row(0, named=True)
    assert max(row["odds_ratio_upper"], row["upper"]) < 1 < 1 + row["points_lower"]
    page = pf.lending.report(frame, **question).to_markdown()
    [cells] = [line.split(" | ") for line in page.splitlines() if line.startswith("| F |")]
    ratio, points, odds = (re.findall(r"\((.*) to (.*)\)", cell)[0] for cell in cells[3:6])
    assert max(float(ratio[1]), float(odds[1])) < 1
    assert float(points[0]) > 0


def test_prescribed_pages_show_the_sides_of_their_limits() -> None:
    frame = of_counts((39_980, 100_000), (50_000, 100_000)).with_columns(race=pl.col("sex"))
    question: dict[str, Any] = {"facet": "sex", "predicted": "p", "count": "n"}
    lending = pf.lending.report(frame, favored="M", replicates=20, **question).to_markdown()
    shares = "40.0\u202f% and 50.0\u202f%"
    assert f"F against M: {shares}, ratio 0.7996, 10.0 points less" in lending
    about: dict[str, Any] = {"audit_date": "2026-11-22", "distribution_date": "2026-11-23"}
    hiring = pf.hiring.report(
        frame, sex="sex", race="race", selected="p", count="n", replicates=20, data="All.", **about
    ).to_markdown()
    assert "significant: F, 40.0\u202f%, a ratio of 0.7996." in hiring
