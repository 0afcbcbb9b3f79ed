"""Calls that type checkers read, right ones and wrong ones; they are not run.

A wrong call is marked, and has to be an error for mypy and for pyright, which complain of a mark
that is not needed. A right call must be an error for neither.
"""

from __future__ import annotations

from typing import assert_type

import polars as pl

import polars_fairness as pf


def right_calls(frame: pl.DataFrame, lazy: pl.LazyFrame) -> None:
    q = pf.of(frame, facet=["sex", "race"], favored={"sex": "M"}, predicted="p", threshold=0.5)
    assert_type(q.audit("di", confidence=0.9, p_values="holm"), pl.DataFrame)
    assert_type(q.di(), pl.DataFrame)
    assert_type(q.replace(facet=pl.col("age") >= 40).rates(), pl.DataFrame)
    assert_type(pf.of(lazy, facet="sex").metrics(["di", "rd"]), pl.LazyFrame)
    assert_type(pf.audit(lazy, "di", facet="sex", predicted="p"), pl.LazyFrame)
    assert_type(pf.metrics(frame, facet="sex", label="y", disfavored=True), pl.DataFrame)
    assert_type(frame.pipe(pf.rates, facet="sex", predicted="p"), pl.DataFrame)
    q.report("di", unit="dollars").write_html("page.html", title="Loans")
    race = pf.probabilities("race", {"Black": "p_black"})
    assert_type(pf.compare(frame, "rd", reported="0.10", facet=race), pl.DataFrame)
    assert_type(pf.bounds(frame, "di", facet="sex"), pl.DataFrame)
    assert_type(pf.of(lazy, facet="sex").check("di", fail_on=["outside", "worse"]), pl.DataFrame)
    assert_type(pf.check(lazy, "di", facet="sex", predicted="p"), pl.DataFrame)
    assert_type(q.worst_groups("spsf", depth=2), pl.DataFrame)
    di = pf.expr.di("p", facet=pl.col("age") >= 40, disfavored=True, favored=pf.OVERALL)
    assert_type(di.over("branch"), pl.Expr)
    assert_type(pf.expr.tpr("y", "p", threshold=0.5, weight="w"), pl.Expr)


def wrong_calls(frame: pl.DataFrame, lazy: pl.LazyFrame) -> None:
    pf.of(frame, facets="sex")  # type: ignore[call-overload]
    pf.of(frame, facet="sex", nulls="skip")  # type: ignore[call-overload]
    q = pf.of(frame, facet="sex", predicted="p")
    q.audit("di", confidance=0.9)  # type: ignore[call-arg]
    q.audit("di", p_values="bonferroni")  # type: ignore[arg-type]
    q.check("di", fail_on="within")  # type: ignore[arg-type]
    q.disparate("di")  # type: ignore[attr-defined]
    q.replace(favoured="M")  # type: ignore[call-arg]
    pf.Fairness(frame).of(facett="sex")  # type: ignore[call-arg]
    q.di(confidence=0.9)  # type: ignore[call-arg]
    pf.audit(frame, "di", facet="sex", treshold=0.5)  # type: ignore[call-overload]
    pf.metrics(lazy, 1, facet="sex")  # type: ignore[call-overload]
    pf.rates(frame).collect()  # type: ignore[attr-defined]
    pf.expr.di("p", facet="sex")  # type: ignore[call-arg]
    pf.expr.tpr("y", "p", facet="sex")  # type: ignore[call-arg]
    pf.expr.di(["p"], facet="sex", disfavored="F")  # type: ignore[arg-type]
    pf.expr.cddpl("p", facet="sex", disfavored="F")  # type: ignore[attr-defined]
    # polars' types do not know the namespaces that are registered with it.
    frame.fairness.di(facet="sex")  # type: ignore[attr-defined]
