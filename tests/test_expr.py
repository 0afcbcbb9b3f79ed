"""`pf.expr`: metrics and rates as expressions, in plans of polars."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from math import inf, isclose
from typing import Any

import polars as pl
import pytest

import polars_fairness as pf
from polars_fairness.formula.sides import RATES

EXPR: Any = pf.expr  # calls that type checkers would refuse
ROLES = {"label": "y", "predicted": "p", "score": "s", "observed": "o", "estimated": "e"}
EVERYONE_ELSE = {"facet": "g", "disfavored": "F"}
COMPARED = [name for name in pf.CATALOGUE if name in dir(pf.expr) and pf.CATALOGUE[name].has_sides]

# Those that do not need the rows in order.
OF_SUMS = [
    name
    for name in COMPARED
    if not name.endswith(("auc", "_auc_difference"))
    and not name.startswith(("auc", "xauc", "score_ks", "score_wasserstein"))
    and name not in ("kl", "js", "lp", "tvd", "ks")
]

# The formulas of the others are long: the eight take polars as much time as all the rest.
SHORT = [
    name
    for name in COMPARED
    if not name.endswith("smd")
    and not name.startswith(("correlation", "r2", "rmse", "actual_to_expected"))
]


def random_frames() -> pl.DataFrame:
    """300 frames of 1 to 40 rows, with ties, nulls, empty sides and outcomes without positives."""
    chance, rows = random.Random(7), []
    for frame in range(300):
        rare, has_ties = chance.random(), chance.random() < 0.5
        for _ in range(chance.choice([1, 2, 4, 8, 15, 40])):
            score = chance.random()
            score = round(score, 1) if has_ties else score
            missing = [None, float("nan")] if rare > 0.7 else [score]
            row = {
                "frame": frame,
                "g": chance.choice(["F", "M", "M", "X", None] if rare > 0.2 else ["F", "M"]),
                "y": chance.choice([0, 1, None] if rare > 0.5 else [0, 1] if rare > 0.1 else [0]),
                "p": chance.choice([0, 1, None] if rare > 0.6 else [0, 1] if rare > 0.2 else [1]),
                "s": chance.choice([score, score, *missing]),
                "o": None if chance.random() < rare / 5 else max(0.0, chance.gauss(5, 3)),
                "e": max(0.0, chance.gauss(5, 3)),
                "w": chance.choice([0.0, 0.5, 1.0, 2.0, 4.0]),
                "c": chance.choice([0, 1, 1, 2, 7]),
            }
            rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


FRAMES = random_frames()


def columns_of(name: str) -> dict[str, str]:
    """The columns that an expression needs."""
    return {
        role: ROLES[role] for role in signature(getattr(EXPR, name)).parameters if role in ROLES
    }


def expressions(names: Sequence[str], **options: Any) -> list[pl.Expr]:
    return [getattr(EXPR, name)(**columns_of(name), **options) for name in names]


def assert_same(found: pl.DataFrame, expected: pl.DataFrame, names: Sequence[str]) -> None:
    """Each value is equal to 12 digits; where one is null, so is the other."""
    table = expected.join(found, on="frame", how="left", suffix=" found", maintain_order="left")
    assert table.height > 250
    for name in names:
        for value, other in zip(table[name], table[f"{name} found"], strict=True):
            if value is None or other is None or abs(value) == inf:
                assert value == other, name
            else:
                assert isclose(value, other, rel_tol=1e-12, abs_tol=1e-12), name


def values_of_metrics(names: Sequence[str], **options: Any) -> pl.DataFrame:
    # An expression that takes labels alone does not see which decisions lack them.
    found = pl.DataFrame(FRAMES.select("frame").unique(maintain_order=True))
    for takes_decisions in (True, False):
        own = [name for name in names if ("predicted" in columns_of(name)) == takes_decisions]
        if own:
            used = {role: column for name in own for role, column in columns_of(name).items()}
            question = {**used, **options}
            values = pf.metrics(FRAMES, *own, by="frame", nulls="drop", **question)
            found = found.join(values.select("frame", *own), on="frame", maintain_order="right")
    return found.select("frame", *names)


CONTEXTS: dict[str, Callable[[pl.DataFrame, list[pl.Expr]], pl.DataFrame]] = {
    "group_by": lambda frames, values: frames.group_by("frame").agg(values),
    "streaming": lambda frames, values: (
        frames.lazy().group_by("frame").agg(values).collect(engine="streaming")
    ),
    "over": lambda frames, values: frames.select(
        "frame", *(value.over("frame") for value in values)
    ).unique("frame"),
    "group_by_dynamic": lambda frames, values: frames.group_by_dynamic("frame", every="1i").agg(
        values
    ),
    "rolling": lambda frames, values: (
        frames.rolling("frame", period="1i").agg(values).unique("frame")
    ),
}


@pytest.fixture(scope="module")
def of_metrics() -> pl.DataFrame:
    return values_of_metrics(COMPARED, **EVERYONE_ELSE)


@pytest.mark.parametrize("context", CONTEXTS)
def test_expressions_equal_metrics_in(context: str, of_metrics: pl.DataFrame) -> None:
    # It has as many windows as rows.
    names = [name for name in SHORT if context != "rolling" or name in OF_SUMS]
    names = COMPARED if context == "group_by" else names
    found = CONTEXTS[context](FRAMES, expressions(names, **EVERYONE_ELSE))
    assert_same(found, of_metrics, names)


def test_expressions_equal_metrics_in_select(of_metrics: pl.DataFrame) -> None:
    """Each frame by itself, by filtered columns; the metrics take turns."""
    some = ["di", "rd", "ci", "score_difference", "estimate_difference"]
    turns = [some[frame % len(some)] for frame in range(300)]
    values = []
    for frame, name in enumerate(turns):
        own = pl.col("frame") == frame
        columns = {role: pl.col(column).filter(own) for role, column in columns_of(name).items()}
        value = getattr(EXPR, name)(facet=pl.col("g").filter(own), disfavored="F", **columns)
        values.append(value.alias(str(frame)))
    found = FRAMES.select(values).row(0)
    for expected in of_metrics.iter_rows(named=True):
        value, other = expected[turns[expected["frame"]]], found[expected["frame"]]
        if value is None or other is None or abs(value) == inf:
            assert value == other
        else:
            assert isclose(value, other, rel_tol=1e-12, abs_tol=1e-12)


@pytest.mark.parametrize(
    ("names", "options"),
    [
        ([*SHORT, "smd", "r2_difference"], {"weight": "w", "favored": "M"}),
        (SHORT, {"count": "c", "disfavored": ["F", "X"], "favored": ["M"]}),
        (SHORT, {"weight": "w", "count": "c", "unknown": "X"}),
        (["dppl", "di", "rd", "te", "score_difference"], {"favored": pf.OVERALL}),
    ],
    ids=["weight", "count", "total weight", "overall"],
)
def test_expressions_equal_metrics_with(names: list[str], options: Mapping[str, Any]) -> None:
    question = {**EVERYONE_ELSE, **options}
    found = FRAMES.group_by("frame").agg(expressions(names, **question))
    assert_same(found, values_of_metrics(names, **question), names)


LOANS = pl.DataFrame(
    {
        "branch": ["north"] * 6 + ["south"] * 6,
        "sex": ["F", "F", "F", "M", "M", None] * 2,
        "approved": [1, 0, 0, 1, 1, 1, 1, 1, None, 1, 0, 0],
        "repaid": [1, 1, 0, 1, 0, 1, None, 1, 1, 1, 1, 0],
        "score": [0.9, 0.4, 0.2, 0.8, 0.6, 0.5, 0.9, 0.7, 0.1, 0.6, 0.3, 0.2],
    }
)
SEX: dict[str, Any] = {"facet": "sex", "disfavored": "F"}


def test_outcomes_of_any_type() -> None:
    words = LOANS.with_columns(
        decided=pl.col("approved").replace_strict({0: "no", 1: "yes"}),
        sexes=pl.col("sex").cast(pl.Enum(["F", "M"])),
        is_woman=pl.col("sex") == "F",
    )
    value = LOANS.select(pf.expr.dppl("approved", **SEX)).item()
    for other in (
        pf.expr.dppl("decided", **SEX, positive="yes"),
        pf.expr.dppl("decided", **SEX, positive={"decided": ["yes", "perhaps"]}),
        pf.expr.dppl(pl.col("approved") == 1, **SEX),
        pf.expr.dppl("approved", facet="sexes", disfavored="F", favored="M"),
        pf.expr.dppl("approved", facet="is_woman", disfavored=True),
        pf.expr.dppl(pl.col("approved").cast(pl.Float64), **SEX),
    ):
        assert words.select(other).item() == value
    by_score = LOANS.select(pf.expr.dppl("score", threshold=0.6, **SEX)).item()
    assert by_score == LOANS.select(pf.expr.dppl(pl.col("score") >= 0.6, **SEX)).item()
    labels = LOANS.select(pf.expr.tvd("score", label_threshold=0.6, **SEX)).item()
    assert labels == pytest.approx(abs(by_score))


def test_an_offset_costs_no_digit() -> None:
    chance = random.Random(3)
    near = pl.DataFrame(
        {"sex": ["F", "M"] * 64, "x": [chance.randrange(64) / 64 for _ in range(128)]}
    )
    far = near.with_columns(pl.col("x") + 2.0**30)
    for name in ("smd", "estimate_smd", "estimate_difference"):
        value = getattr(EXPR, name)("x", **SEX)
        assert far.select(value).item() == pytest.approx(near.select(value).item(), rel=1e-12)


def falls_back(plan: pl.LazyFrame) -> bool:
    """Whether a part of a plan is computed in memory, as the picture of the plan colours it."""
    drawn = plan.show_graph(engine="streaming", plan_stage="physical", raw_output=True, show=False)
    return drawn is not None and 'fillcolor="0.0 0.3 1.0"' in drawn


@pytest.mark.parametrize("mass", [{}, {"weight": "w"}])
def test_sums_stream(mass: dict[str, str]) -> None:
    # polars cannot draw a plan of more than 65,535 characters.
    # Numbers with weights are centred at their mean, which takes the rows twice.
    numbers = {"smd", *(name for name in OF_SUMS if pf.CATALOGUE[name].is_about_numbers)}
    summed = [name for name in OF_SUMS if not (mass and name in numbers)]
    values = expressions(summed, **EVERYONE_ELSE, **mass)
    values = [*(each for each in values if len(str(each)) < 60_000), *expressions([*RATES], **mass)]
    assert len(values) > (45 if mass else 50)
    for value in values:
        assert not falls_back(FRAMES.lazy().group_by("frame").agg(value))
        assert not falls_back(FRAMES.lazy().select(value))
    [in_order] = expressions(["auc_difference"], **EVERYONE_ELSE)
    assert falls_back(FRAMES.lazy().select(in_order))
