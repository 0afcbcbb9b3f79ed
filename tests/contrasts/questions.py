"""Questions of every kind about a frame and a baseline, which is rows or cells of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.api.bound import read
from polars_fairness.api.requested import requested
from tests.contrasts.test_baselines import before
from tests.frames import people, shared

Arguments = dict[str, Any]

DECIDED: Final[Arguments] = {"facet": "sex", "disfavored": "F", "predicted": "p", "label": "y"}
SCORED: Final[Arguments] = {"facet": "sex", "disfavored": "F", "score": "rs", "label": "y"}
CLASSES: Final[Arguments] = {**DECIDED, "predicted": "given", "label": "grade"}
ROUNDED: Final[Arguments] = {**DECIDED, "predicted": "score", "resolution": 0.1}
ACCEPTED: Final = (pl.col("score") > 0.4).alias("accepted")

QUESTIONS: Final[dict[str, Arguments]] = {
    "decisions": DECIDED,
    "threshold": {**DECIDED, "predicted": "score", "threshold": 0.5},
    "threshold of a score": {**SCORED, "score": "score", "threshold": 0.5, "label": None},
    "thresholds": {**ROUNDED, "threshold": [0.3, 0.5]},
    "every threshold": {**ROUNDED, "threshold": "every", "metrics": ["di", "rd"]},
    "best cut": {**SCORED, "threshold": pf.best(0.2)},
    "scores": SCORED,
    "rounded scores": {**ROUNDED, "predicted": None, "score": "score"},
    "scores and decisions": {**SCORED, "predicted": "p"},
    "threshold of the label": {**DECIDED, "label": "score", "label_threshold": 0.4},
    "words of the label": {**DECIDED, "label": "yn", "positive": {"yn": "yes"}},
    "words": {**DECIDED, "predicted": "yn", "label": None, "positive": "yes"},
    "false is positive": {**DECIDED, "positive": False},
    "numbers as decisions": {**DECIDED, "predicted": "pi"},
    "unfavorable": {**DECIDED, "favorable": False},
    "models": {**DECIDED, "predicted": {"old": "p", "new": "q"}},
    "models and thresholds": {
        **DECIDED,
        "predicted": {"old": "score", "new": "q"},
        "threshold": {"old": 0.4},
    },
    "classes": {**CLASSES, "classes": "each"},
    "cumulative classes": {**CLASSES, "classes": "cumulative"},
    "numbers": {"facet": "sex", "disfavored": "F", "observed": "claim", "estimated": "price"},
    "probabilities": {
        "facet": pf.probabilities("sex_read", {"F": "is_f", "M": "is_m"}),
        "predicted": "p",
        "label": "y",
    },
    "clusters": {**DECIDED, "cluster": "who"},
    "subgroups": {**DECIDED, "subgroup": "branch"},
    "controls": {**DECIDED, "label": None, "controls": "branch"},
    "intersections": {**DECIDED, "facet": pl.struct("sex", "race"), "disfavored": None},
    "two facets": {**DECIDED, "facet": ["sex", "race"], "disfavored": {"sex": "F"}},
    "conjunctions": {
        **DECIDED,
        "facet": ["sex", "race"],
        "disfavored": None,
        "metrics": ["differential_fairness"],
    },
    "expressions": {
        "facet": (pl.col("w") > 1.2).alias("heavy"),
        "disfavored": True,
        "predicted": ACCEPTED,
    },
    "highest rate": {**DECIDED, "facet": "race", "disfavored": None, "favored": pf.HIGHEST},
    "unknown group": {**DECIDED, "facet": "race", "disfavored": None, "unknown": "Black"},
    "rows left out": {**DECIDED, "nulls": "drop"},
}

WINDOWS: Final[dict[str, Arguments]] = {
    "": {},
    "months": {"by": "month"},
    "pairs of months": {"by": (pl.col("month") // 2).alias("half")},
    "days in months": {"by": "day", "every": "1mo"},
    "two months each": {"by": "day", "every": "1mo", "period": "2mo"},
}

_FACETS: Final = ("sex", "race", "sex & race", "heavy", "is_f")
_HAVE_TIMES: Final = ("decisions", "scores", "classes")
_WITHOUT_WEIGHTS: Final = ("probabilities", "best cut")
_OF_SIDES: Final = ("disfavored", "favored", "nulls", "favorable", "unknown", "period")


@cache
def now_and_then() -> tuple[pl.DataFrame, pl.DataFrame]:
    now, then = (_with_columns(frame) for frame in (people(), before()))
    return now, then


def _with_columns(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(
        q=pl.col("p") ^ (pl.col("month") == 1),
        yn=pl.when("y").then(pl.lit("yes")).otherwise(pl.lit("no")),
        pi=pl.col("p").cast(pl.Int8),
        grade=(pl.col("score") * 3).cast(pl.Int64).clip(0, 2),
        given=((pl.col("score") + pl.col("p")) * 2).cast(pl.Int64).clip(0, 2),
        claim=pl.col("score") * 2 + 1,
        price=pl.col("score") + pl.col("p") + 1,
        is_f=pl.when(pl.col("sex") == "F").then(0.8).otherwise(0.2),
        is_m=pl.when(pl.col("sex") == "F").then(0.2).otherwise(0.8),
        day=pl.date(2025, 1, 1) + pl.duration(days=pl.col("month") * 17),
        who=(pl.col("score") * 1000).cast(pl.Int64) % 37,
        rs=pl.col("score").round(2),
    )


def audits_of(name: str) -> Iterator[tuple[str, Callable[[], pl.DataFrame]]]:
    """The audits of a question beside a baseline: its rows, its cells, cells that lack a key."""
    now, then = now_and_then()
    question = {**QUESTIONS[name]}
    metrics = question.pop("metrics", None) or _some_of(name)
    for windows, by in WINDOWS.items():
        if windows not in ("", "months") and name not in _HAVE_TIMES:
            continue
        for weight in ("", *([] if windows or name in _WITHOUT_WEIGHTS else ["w"])):
            asked = {**question, **by, **({"weight": weight} if weight else {})}
            counted = {each: value for each, value in asked.items() if each not in _OF_SIDES}
            cells = pf.cells(then, **counted)
            facet = next(each for each in _FACETS if each in cells.columns)
            baselines: dict[str, Arguments] = {
                "rows": {"baseline": then},
                "cells": {"baseline": cells, "baseline_count": "n"},
            }
            if not windows and not weight:
                baselines["no facet"] = {"baseline": cells.drop(facet), "baseline_count": "n"}
            if windows == "months":
                no_window = cells.drop("month")
                baselines["no window"] = {"baseline": no_window, "baseline_count": "n"}
            for kind, baseline in baselines.items():
                about = f"{windows}, {weight}, {kind}"
                how = {"replicates": 10, **asked, **baseline}
                # A plan stands beside cells as the frame beside rows.
                rows = now.lazy() if kind == "cells" else now
                yield about, partial(_audited, rows, metrics, how)


def _some_of(name: str) -> list[str]:
    """A third of the metrics that a question allows: the next third for the next question."""
    question: Any = QUESTIONS[name]
    allowed, _ = requested([], read(now_and_then()[0], question).roles)
    return [*allowed][[*QUESTIONS].index(name) % 3 :: 3]


def _audited(rows: Any, metrics: list[str], how: Arguments) -> pl.DataFrame:
    answer: pl.LazyFrame = shared(pf.audit, rows, *metrics, **how).lazy()
    return answer.collect()
