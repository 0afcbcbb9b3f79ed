"""Functions that ask a good question, in which a wrong call changes some arguments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import polars as pl
import polars.selectors as cs

import polars_fairness as pf
from polars_fairness.terms import Each, g, population
from tests.frames import people

PEOPLE: Final = people().with_columns(segments=pl.lit("all"), text=pl.lit("x"), income=1.5)
DECIDED: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", None],
        "y": [1, 0, 1, 1, 0],
        "a": [True, False, False, True, True],
        "b": [True, False, True, True, False],
        "s": [0.1, 0.5, 0.9, 0.7, 0.2],
        "t": [0.3, 0.4, 0.2, 0.1, 0.6],
        "text": ["x", "y", "x", "x", "y"],
        "points": [0, 1, 2, 1, 3],
    }
)
APPLICANTS: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", None],
        "race": ["Asian", "Black", "Asian", None, "Black"],
        "job": ["a", "a", "b", "b", "b"],
        "hired": [True, False, True, True, False],
        "answer": ["yes", "no", "yes", "yes", "no"],
        "hired_or_null": [True, None, True, True, False],
        "points": [10, 20, 30, 40, 50],
        "chance": [0.1, 0.2, 0.3, 0.4, 0.5],
        "chances": [[0.1, 0.9]] * 5,
        "k": [1, 2, 3, 4, 5],
    }
)
PLACES: Final = pl.DataFrame({"sex": [*"FFMM"], "x": [0.0, 1.0, 0.0, 1.0], "p": [0, 0, 1, 1]})
POLICY: Final = pf.Policy(
    name="Consumer credit",
    version="3",
    metrics=["di", "rd"],
    confidence=0.9,
    minimum_count=30,
    facets=["sex", "race"],
    favored={"sex": "M"},
    bands={"di": (0.9, 1.1)},
    rules={"di": "point"},
)
DECIDES: Final = pf.Policy(
    name="Credit",
    metrics=["di"],
    question={"facet": "sex", "disfavored": "F", "predicted": "p", "by": ["branch"]},
)

OUTCOMES: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "predicted": "p"}
SCORED: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "score": "score"}
LENT: Final[dict[str, Any]] = {"facet": "sex", "favored": "M", "predicted": "p"}
HIRED: Final[dict[str, Any]] = {"sex": "sex", "race": "race", "selected": "hired"}
BOTH: Final = {"a": "a", "b": "b"}
MODELS: Final[dict[str, Any]] = {"facet": "sex", "label": "y", "predicted": BOTH}


def _asks(function: Callable[..., Any], frame: pl.DataFrame, *names: str, **known: Any) -> Any:
    """The function, to which some arguments are given in place of others."""

    def ask(*metrics: Any, **given: Any) -> Any:
        question = {**known, **given}
        of_call = question.pop("metrics", None) or metrics or names
        return function(frame, *of_call, **question)

    return ask


def _read(line: str) -> pf.Policy:
    """The policy of a file whose third line is the last but these."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "fairness.toml"
        file.write_text(f'# A policy.\nname = """Hiring\nof all"""\n{line}', "utf-8")
        return pf.Policy.read(file)


QUESTIONS: Final[dict[str, Any]] = {
    "pf": pf,
    "pl": pl,
    "cs": cs,
    "date": date,
    "g": g,
    "Each": Each,
    "BOTH": BOTH,
    "PEOPLE": PEOPLE,
    "DECIDED": DECIDED,
    "APPLICANTS": APPLICANTS,
    "LENT": LENT,
    "OUTCOMES": OUTCOMES,
    "LATER": PEOPLE,
    "policy": _read,
    "NAMED": pf.Metric("model", "Model", population(g.accepted.sum()), acceptable=(0, 1), ideal=0),
    "table": _asks(pf.lending.table, PEOPLE, **LENT),
    "segments": _asks(pf.lending.segments, PEOPLE, **LENT, subgroup="branch"),
    "quantiles": _asks(pf.lending.quantiles, PEOPLE, facet="sex", favored="M", score="score"),
    "report": _asks(pf.lending.report, PEOPLE, **LENT),
    "ratios": _asks(pf.hiring.impact_ratios, APPLICANTS, **HIRED),
    "scores": _asks(pf.hiring.impact_ratios, APPLICANTS, sex="sex", race="race", score="points"),
    "impact": _asks(pf.hiring.adverse_impact, APPLICANTS, facet="sex", selected="hired"),
    "audited": _asks(
        *(pf.hiring.report, APPLICANTS),
        **HIRED,
        audit_date="2026-11-22",
        distribution_date="2026-01-31",
        data="All.",
    ),
    "metrics": _asks(pf.metrics, DECIDED, facet="sex", label="y"),
    "candidates": _asks(pf.choose, DECIDED, "di", **MODELS),
    "switches": _asks(pf.switches, DECIDED, facet="sex", predicted=BOTH, champion="a"),
    "audit": _asks(pf.audit, PEOPLE, **OUTCOMES),
    "under": _asks(pf.audit, PEOPLE, **{**OUTCOMES, "facet": ["sex", "race"], "policy": POLICY}),
    "decides": _asks(pf.of, PEOPLE, policy=DECIDES),
    "thresholds": _asks(pf.choose, PEOPLE, **SCORED),
    # Its module needs an extra.
    "explore": lambda **given: pf.explore(PEOPLE, **{**SCORED, **given}),
    "ranked": _asks(pf.worst_groups, PEOPLE, facet=["sex", "race"], predicted="p"),
    "page": _asks(pf.report, PEOPLE, "dppl", facet=["sex", "race"], predicted="p"),
    "written": lambda **given: pf.report(PEOPLE, "di", **OUTCOMES).to_markdown(**given),
    "fliptest": _asks(
        pf.fliptest, PLACES, facet="sex", disfavored="F", predicted="p", features="x", k=1
    ),
    "beside": lambda baseline, **given: pf.audit(
        *(PEOPLE, "rd"),
        **{**OUTCOMES, "disfavored": "F", "by": "month", **given},
        baseline=baseline,
    ),
}
