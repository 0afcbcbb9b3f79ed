"""A page says who fares worse only where the interval leaves the ideal out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.metric import said
from polars_fairness.reporting.sections.values import Value, values_table

QUESTION: Final[dict[str, Any]] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "label": "y",
    "predicted": "p",
    "score": "s",
    "subgroup": "k",
    "replicates": 50,
}


SAYS: Final = "What it says"
NONE: Final = "no direction is shown"


def people(rows: int, moved: float) -> pl.DataFrame:
    random = np.random.default_rng(rows)
    sex = random.choice(["F", "M"], rows)
    score = np.clip(random.beta(3, 3, rows) - moved * (sex == "F"), 0, 1)
    return pl.DataFrame(
        {
            "sex": sex,
            "k": random.choice(["k", "l"], rows),
            "s": score,
            "y": (random.random(rows) < score).astype(int),
            "p": (score > 0.5).astype(int),
        }
    )


def directions(report: pf.Report) -> Iterator[tuple[str, str]]:
    """The metrics of all comparisons, with what each says."""
    for comparison in report.findings.comparisons():
        values = [Value(row, comparison) for row in comparison.table.iter_rows(named=True)]
        for row in values_table(report.findings, "", values).rows:
            yield row["metric"], row["says"]


@pytest.mark.parametrize(("rows", "moved"), [(80, 0.02), (1_000, 0.1)])
def test_a_direction_is_said_only_where_the_interval_excludes_the_ideal(
    rows: int, moved: float
) -> None:
    report = pf.report(people(rows, moved), **QUESTION)
    audit = {row["metric"]: row for row in report.findings.audited.iter_rows(named=True)}
    found = [each for each in directions(report) if each[0] in audit]
    assert len({name for name, _ in found}) > 40
    for name, words in found:
        row, metric = audit[name], pf.CATALOGUE[name]
        above, below = (said(each, "F", "M") for each in (metric.above, metric.below))
        if row["ideal"] is None or row["value"] is None:
            assert not words, name
        elif row["lower"] is not None:
            is_above, is_below = row["lower"] > row["ideal"], row["upper"] < row["ideal"]
            assert (words in (above, below)) == (is_above or is_below), (name, words)
            assert not words or words in (is_above * above, is_below * below, NONE), (name, words)
        elif name in ("two_sd", "z_ratio", "cmh"):
            # A test statistic has no interval: within its band no direction is shown.
            assert words == (NONE if abs(row["value"]) <= 2 else above), name


def test_a_mean_is_lower_only_where_the_interval_excludes_0() -> None:
    for moved, words in ((0, "not shown to differ from that of M: a difference of"), (9, "lower")):
        amounts = [(sex, x - moved * (sex == "F")) for sex in "FM" for x in (10, 20, 30, 44)] * 9
        frame = pl.DataFrame([*amounts, ("F", 1)], ["sex", "paid"], orient="row")
        page = pf.report(frame, facet="sex", favored="M", observed="paid").to_markdown()
        assert re.search(rf"the mean paid of F \(37 rows\) is [\d.]+,( [\d.]+)? {words}", page)
