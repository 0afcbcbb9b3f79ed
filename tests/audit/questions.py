"""Questions of several tests of audits, and the metrics they audit."""

from __future__ import annotations

from typing import Any

import polars as pl

import polars_fairness as pf

F_AGAINST_M: dict[str, Any] = {
    "facet": "sex",
    "disfavored": "F",
    "favored": "M",
    "predicted": "p",
    "count": "n",
}


def audit_row(frame: pl.DataFrame, metric: str | pf.Metric, **more: Any) -> dict[str, Any]:
    return pf.audit(frame, metric, **{**F_AGAINST_M, **more}).row(0, named=True)


AUDITED = [
    name
    for name, metric in pf.CATALOGUE.items()
    if not {"controls", "score", "observed", "estimated"} & {*metric.needs}
]
