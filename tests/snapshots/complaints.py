"""Fifty wrong calls, in Python and in a shell."""

from __future__ import annotations

from typing import Any, Final

import polars as pl

import polars_fairness as pf

ROWS: Final = pl.DataFrame(
    {
        "sex": ["F", "F", "M", "M", None],
        "race": ["b", "w", "b", "w", "w"],
        "hired": [True, False, True, True, False],
        "grade": [1, 2, 3, 2, 1],
        "said": ["yes", "no", "yes", "yes", "no"],
        "score": [0.1, 0.9, 0.4, 0.8, 0.5],
        "known": [True, None, False, True, True],
        "weight": [1.0, -1.0, 2.0, 1.0, 1.0],
    }
)
NAMES: Final[dict[str, Any]] = {"pf": pf, "pl": pl, "rows": ROWS}

CALLS: Final = (
    'pf.metrics(rows, "di", facet="sexx", predicted="hired")',
    'pf.metrics(rows, "dii", facet="sex", predicted="hired")',
    'pf.metrics(rows, "di", facet="sex", predict="hired")',
    'pf.metrics(rows, "di", predicted="hired")',
    'pf.metrics(rows, "di", facet="sex")',
    'pf.metrics(rows, "rd", facet="sex", predicted="hired")',
    'pf.metrics(rows, "di", facet="sex", predicted="said")',
    'pf.metrics(rows, "di", facet="sex", predicted="score")',
    'pf.metrics(rows, "di", facet="sex", predicted="grade")',
    'pf.metrics(rows, "di", facet="sex", predicted="said", positive="Yes")',
    'pf.metrics(rows, "di", facet="sex", predicted="known")',
    'pf.metrics(rows, "di", facet="sex", predicted="hired", weight="weight")',
    'pf.metrics(rows, "di", facet="sex", predicted="hired", count="score")',
    'pf.metrics(rows, "di", facet="sex", disfavored="f", predicted="hired")',
    'pf.metrics(rows, "di", facet="sex", disfavored="F", favored="F", predicted="hired")',
    'pf.metrics(rows, "di", facet="sex", favored={"race": "w"}, predicted="hired")',
    'pf.metrics(rows, "di", facet="sex", predicted="hired", by="facet")',
    'pf.metrics(rows, "di", facet="sex", predicted="sex")',
    'pf.metrics(rows, "di", facet="sex", predicted="hired", nulls="keep")',
    'pf.metrics(rows, "di", facet="sex", predicted="hired", every="1mo", by="race")',
    'pf.metrics("rows.csv", "di", facet="sex", predicted="hired")',
    'pf.metrics(rows, "cddpl", facet="sex", predicted="hired")',
    'pf.audit(rows, "di", facet="sex", predicted="hired", confidence=95)',
    'pf.audit(rows, "di", facet="sex", predicted="hired", bands={"rd": (-1, 1)})',
    'pf.audit(rows, "di", facet="sex", predicted="hired", bands={"di": (1.25, 0.8)})',
    'pf.audit(rows, "di", facet="sex", predicted="hired", rule="maybe")',
    'pf.audit(rows, "di", facet="sex", predicted="hired", baseline="previous")',
    'pf.audit(rows, "di", facet="sex", predicted="hired", champion="now")',
    'pf.rates(rows, facet="sex", predicted="hired", positive="yes")',
    'pf.worst_groups(rows, "di", facet=["sex", "race"], predicted="hired")',
    'pf.decompose(rows, "di", facet="sex", predicted="hired", subgroup="race")',
    'pf.choose(rows, "di", facet="sex", predicted="hired")',
    'pf.switches(rows, facet="sex", predicted="hired", champion="hired")',
    'pf.calibration(rows, facet="sex", label="hired")',
    'pf.entry("fpsf", deep=2)',
    "pf.table(rows)",
)
WRONG: Final = "berkeley.parquet --facet sex --predicted admitted"
TYPED: Final = (
    "audit berkeley.parquet --facet sx --predicted admitted",
    f"audit {WRONG} --sub department",
    f"audit {WRONG} --metric dii",
    f"audit {WRONG} --metric rd",
    f"audit {WRONG} --disfavored female",
    f"audit {WRONG} --confidence 95",
    f"audit {WRONG} --count department",
    f"audit {WRONG} --threshold 0.5",
    f"audit {WRONG} --by department --every 1mo",
    f"audit {WRONG} --title Admissions",
    "audit nothing.parquet --facet sex --predicted admitted",
    f"worst-groups {WRONG} --metric di",
    f"decompose {WRONG} --metric cddpl",
    f"compare {WRONG} --metric di --reported high",
)
