"""The pages of the catalogue: formulas, and numbers worked by hand."""

from __future__ import annotations

import re

import polars as pl
import pytest
from metric_pages import LATEX
from worked_numbers import FAMILIES, Worked

import polars_fairness as pf
from tests.paths import ROOT

FOLDER = ROOT / "docs" / "reference" / "metrics"


def test_every_metric_has_a_number_worked_by_hand_and_a_formula_in_latex() -> None:
    worked = {name for family in FAMILIES.values() for name in family.worked}
    assert {*pf.CATALOGUE} - worked == set(), "add its family's `Worked` in tools/worked_numbers/"
    for name in pf.CATALOGUE:
        assert name in LATEX, f"give {name!r} its formula in tools/latex.txt"
        latex = LATEX[name]
        depth = 0
        for brace in re.findall(r"[{}]", latex):
            depth += 1 if brace == "{" else -1
            assert depth >= 0
        assert depth == 0
        # GitHub takes a backslash before one of these for Markdown's own.
        assert not re.search(r"\\[^A-Za-z]", latex)


@pytest.mark.extras
def test_every_formula_becomes_mathml() -> None:
    """A command that the converter does not know would stay as it is, with its backslash."""
    from latex2mathml.converter import convert

    for name, latex in LATEX.items():
        drawn = convert(latex)
        assert drawn.startswith("<math "), name
        assert "\\" not in drawn, name


@pytest.mark.parametrize("family", FAMILIES)
def test_worked_numbers_are_those_of_the_package(family: str) -> None:
    """The other side of this comparison is arithmetic by hand, from the definitions."""
    data = FAMILIES[family]
    rows = pl.DataFrame(dict(data.columns))
    values = pf.metrics(rows, *data.worked, **data.question).row(0, named=True)
    for name, worked in data.worked.items():
        assert values[name] == pytest.approx(worked.value, rel=0, abs=1e-12), name
        # An ideal value would not show a wrong sign, nor a wrong distance from the ideal.
        assert worked.value != pytest.approx(pf.CATALOGUE[name].ideal), name


@pytest.mark.parametrize("page", sorted({family.page for family in FAMILIES.values()}))
def test_a_page_shows_the_numbers_worked_by_hand(page: str) -> None:
    shown = re.findall(
        r"^### `(\w+)`$.*?^\*\*Here\*\* ([=≈]) (\S+?)(?:\. |$)",
        (FOLDER / f"{page}.md").read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
    families = [family for family in FAMILIES.values() if family.page == page]
    worked = {name: each for family in families for name, each in family.worked.items()}
    assert [name for name, *_ in shown] == [*worked]
    for name, equality, value in shown:
        digits = 1e-12 if equality == "=" else 5e-6 * abs(float(value))
        assert worked[name].value == pytest.approx(float(value), rel=0, abs=digits), name


@pytest.mark.parametrize(
    "arithmetic", ["__import__('os')", "n / 2", "(1).real", "[1][0]", "1 if 1 else 2"]
)
def test_a_worked_number_is_plain_arithmetic(arithmetic: str) -> None:
    with pytest.raises(ValueError, match="plain arithmetic"):
        _ = Worked("", arithmetic).value
