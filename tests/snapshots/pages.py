"""Twelve designs of a page, on data that the package has."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

import polars as pl

import polars_fairness as pf

BY_SEX: Final[dict[str, Any]] = {"facet": "sex", "disfavored": "F", "favored": "M"}
ADMITTED: Final[dict[str, Any]] = {"predicted": "admitted", "count": "n"}


def _insured() -> pl.DataFrame:
    loss = pl.when("repaid").then(0.0).otherwise(pl.col("debt").cast(pl.Float64))
    return pf.datasets.loans().with_columns(
        premium=(1 - pl.col("score")) * pl.col("debt"), loss=loss
    )


def _by_branch() -> pl.DataFrame:
    """The share of each branch's loans that are of women, as the chance that one is."""
    share = (pl.col("sex") == "F").mean().over("branch").round(3)
    return pf.datasets.loans().with_columns(p_f=share, p_m=1 - share)


def _two_sides() -> Any:
    question = {"facet": "sex", "disfavored": "Female", "favored": "Male", **ADMITTED}
    return pf.report(pf.datasets.berkeley(), "di", "dppl", "two_sd", "ci", **question)


def _several_facets() -> Any:
    return pf.report(
        pf.datasets.loans(),
        *("di", "dppl", "rd", "spsf"),
        facet=["sex", "race"],
        favored={"sex": "M", "race": "White"},
        predicted="approved",
        label="repaid",
        minimum_count=2_000,
    )


def _strata() -> Any:
    question = {"facet": "sex", "disfavored": "Female", "subgroup": "department", **ADMITTED}
    return pf.report(pf.datasets.berkeley(), "cddpl", "mh_ratio", "ddpl", **question)


def _numbers() -> Any:
    return pf.report(
        _insured(),
        *("estimate_difference", "estimate_ratio", "mae_ratio"),
        **BY_SEX,
        estimated="premium",
        observed="loss",
        favorable=False,
        unit="dollars",
    )


def _classes() -> Any:
    is_high, is_medium = pl.col("score") > 7, pl.col("score") > 4
    level = pl.when(is_high).then(pl.lit("high")).when(is_medium).then(pl.lit("medium"))
    return pf.report(
        pf.datasets.compas(),
        *("dppl", "di"),
        facet="sex",
        disfavored="Female",
        predicted=level.otherwise(pl.lit("low")).alias("level"),
        classes="each",
        count="n",
        favorable=False,
    )


def _models() -> Any:
    return pf.report(
        pf.datasets.loans(),
        *("di", "dppl"),
        **BY_SEX,
        predicted={"today": "approved", "next": (pl.col("score") >= 0.45).alias("next")},
        champion="today",
    )


def _windows() -> Any:
    return pf.report(
        pf.datasets.loans(),
        *("di", "dppl"),
        **BY_SEX,
        predicted="approved",
        by="decided_on",
        every="6mo",
        baseline="previous",
    )


def _clusters() -> Any:
    seen = pf.datasets.loans().with_columns(officer=pl.int_range(pl.len()) * 7 % 400)
    return pf.report(seen, "di", "dppl", **BY_SEX, predicted="approved", cluster="officer")


def _estimated_groups() -> Any:
    question: dict[str, Any]
    groups = pf.probabilities("sex", {"F": "p_f", "M": "p_m"})
    question = {"facet": groups, "disfavored": "F", "predicted": "approved"}
    return pf.report(_by_branch(), "di", "dppl", **question)


def _lending() -> Any:
    return pf.lending.report(
        pf.datasets.loans(),
        facet=["race", "sex"],
        favored={"race": "White", "sex": "M"},
        predicted="approved",
        subgroup="branch",
        score="score",
        shares=[0.3, 0.6],
        replicates=20,
    )


def _hiring() -> Any:
    return pf.hiring.report(
        pf.datasets.candidates(),
        sex="sex",
        race="race",
        selected="selected",
        exclude_below=0.02,
        justification="Few people.",
        audit_date=date(2026, 11, 22),
        distribution_date=date(2025, 1, 15),
        data="All candidates of 2025. Made up.",
        replicates=20,
    )


PAGES: Final[dict[str, Callable[[], Any]]] = {
    "two-sides": _two_sides,
    "several-facets": _several_facets,
    "strata": _strata,
    "numbers": _numbers,
    "classes": _classes,
    "models": _models,
    "windows": _windows,
    "clusters": _clusters,
    "estimated-groups": _estimated_groups,
    "lending": _lending,
    "hiring": _hiring,
}
