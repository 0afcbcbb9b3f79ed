"""The pages of the catalogue: formulas, and numbers worked by hand."""

from __future__ import annotations

import re

import pytest

import polars_fairness as pf


@pytest.mark.parametrize("name", pf.CATALOGUE)
def test_every_metric_has_a_formula_in_latex(name: str) -> None:
    latex = pf.CATALOGUE[name].latex
    assert latex, f"give the entry of {name!r} its formula as `latex=`"
    depth = 0
    for brace in re.findall(r"[{}]", latex):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    # GitHub takes a backslash before one of these for Markdown's own.
    assert not re.search(r"\\[^A-Za-z]", latex)


@pytest.mark.extras
@pytest.mark.parametrize("name", pf.CATALOGUE)
def test_every_formula_becomes_mathml(name: str) -> None:
    """A command that the converter does not know would stay as it is, with its backslash."""
    from latex2mathml.converter import convert

    drawn = convert(pf.CATALOGUE[name].latex)
    assert drawn.startswith("<math ")
    assert "\\" not in drawn


def test_formulas_show_the_parameters() -> None:
    shown = {
        r"p = \infty": pf.lp(p=float("inf")),
        r"\alpha = 3": pf.ge(alpha=3),
        r"\frac{b_j}{\mu} \cdot \ln": pf.ge(alpha=1),
        "c = 0.5": pf.differential_fairness(concentration=0.5),
        r"r_g = \mathrm{tpr}_g": pf.spread(rate="tpr"),
        "k = 9": pf.fliptest(k=9),
        "k = 3": pf.consistency(k=3),
        "^{15}": pf.ece_gap(bins=15),
        r"{2 \cdot \mathrm{tp} -5 \cdot": pf.utility(tp=2, fp=-5),
    }
    for part, metric in shown.items():
        assert part in metric.latex
