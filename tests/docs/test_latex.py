"""The formulas of the metrics in LaTeX, read as arithmetic, give the numbers worked by hand."""

from __future__ import annotations

import re
from math import log
from typing import Any, Final

import polars as pl
import pytest
from metric_pages import LATEX
from worked_numbers import FAMILIES, Family

import polars_fairness as pf
from tests.frames import shared

# What is more than arithmetic on the counts and rates of groups is left to readers.
MORE: Final = re.compile(r"\\(sum|int|sqrt|Pr|quad|mid|tilde|max_[vt]|max_g \\frac)|AUC|\^|Q_")
# In this order: a fraction is read when no other braces are left inside of it.
AS_PYTHON: Final = (
    (r"\\bar\{s\}", "mean_score"),
    (r"\\bar\{e\}", "estimated_mean"),
    (r"\\bar\{o\}", "observed_mean"),
    (r"\\bar\{r\}", "residual"),
    (r"\\rho", "correlation"),
    (r"\\mathrm\{(\w+)\}", r"\1"),
    (r"_\{(\w+)\}", r"_\1"),
    (r"q'_", "selection_rate_"),
    (r"\bq_", "base_rate_"),
    (r"\bacc_", "accuracy_"),
    (r"\bfor_", "false_omission_rate_"),
    (r"\\(max|min)_g (\w+_g)", r"\1(\2)"),
    (r"\\(max|min)\(", r"\1("),
    (r"\\left\| (.*?) \\right\|", r"abs(\1)"),
    (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1) / (\2))"),
    (r"\\cdot", "*"),
    (r"\\ln", "log"),
)
ARITHMETIC: Final = [
    pytest.param(name, family, id=name)
    for family in FAMILIES.values()
    for name in family.worked
    if not MORE.search(LATEX[name])
]


def symbols_of(family: Family) -> dict[str, Any]:
    """The counts and rates of each side, of all rows, and, in lists, of all groups."""
    symbols: dict[str, Any] = {}
    question: dict[str, Any] = dict(family.question)
    rates = shared(pf.rates, pl.DataFrame(dict(family.columns)), **question).with_columns(
        positive=pl.col("n") * pl.col("base_rate"),
        negative=pl.col("n") * (1 - pl.col("base_rate")),
        accepted=pl.col("n") * pl.col("selection_rate"),
        rejected=pl.col("n") * (1 - pl.col("selection_rate")),
    )
    if "estimated" in question:
        rates = rates.with_columns(residual=pl.col("estimated_mean") - pl.col("observed_mean"))
    for row in rates.iter_rows(named=True):
        is_all, is_d = row["value"] is None, row["value"] == question.get("disfavored")
        endings = ("", "_both") if is_all else ("_d",) if is_d else ("_a",)
        symbols |= {name + ending: row[name] for name in row for ending in endings}
    groups = rates.filter(pl.col("value").is_not_null())
    return symbols | {f"{name}_g": groups[name].to_list() for name in groups.columns}


@pytest.mark.parametrize(("name", "family"), ARITHMETIC)
def test_a_formula_gives_the_number_worked_by_hand(name: str, family: Family) -> None:
    formula = LATEX[name]
    for latex, python in AS_PYTHON:
        formula = re.sub(latex, python, formula)
    for side_of_equation in formula.split(" = "):
        found = eval(side_of_equation, {"log": log} | symbols_of(family))
        assert found == pytest.approx(family.worked[name].value, rel=1e-12)


def test_about_half_of_the_formulas_are_arithmetic() -> None:
    assert len(ARITHMETIC) > 0.45 * len(pf.CATALOGUE)
