"""Charts of answers, on rows so few that each mark can be worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from math import inf
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from tests.frames import shared
from tests.reporting.answers_about_scores import calibration
from tests.reporting.reports import BERKELEY, four_each, monthly, of_counts, scored

HIRED: Final[dict[str, Any]] = {"facet": "sex", "disfavored": "F", "predicted": "hired"}
SURE: Final[dict[str, Any]] = {**HIRED, "confidence": None}
THRESHOLDS: Final[dict[str, Any]] = {"threshold": [0.25, 0.5, 1.0], "facet": "sex"}
SCORED: Final[dict[str, Any]] = {**THRESHOLDS, "label": "y", "predicted": "s"}
OWN: Final = pf.Metric("own", "Own", pf.terms.d.selection_rate - pf.terms.a.selection_rate)


def _models(**more: Any) -> pl.DataFrame:
    """10,000 of each sex; `now` accepts half of each, and `fewer` a quarter of the women."""
    people = {"sex": [*"FFFMM"], "now": [1, 1, 0, 1, 0], "fewer": [1, 0, 0, 1, 0]}
    rows = pl.DataFrame({**people, "n": [2_500, 2_500, 5_000, 5_000, 5_000]})
    models = {"fewer": "fewer", "now": "now", "same": pl.col("now").alias("same")}
    question: dict[str, Any] = {"facet": "sex", "predicted": models, "count": "n", **more}
    return pf.audit(rows, "di", "dppl", "ci", champion="now", replicates=50, **question)


def _switched() -> pl.DataFrame:
    rows = four_each().with_columns(none=pl.lit(0))
    models = {"now": "hired", "none": "none"}
    return pf.switches(rows, champion="now", facet="sex", predicted=models)


def _weeks() -> pl.DataFrame:
    weeks = pl.concat(monthly()[:4].with_columns(week=pl.lit(i)) for i in range(60))
    return pf.audit(weeks, "di", "dppl", by="week", baseline="first", **SURE)


def _ends() -> pl.DataFrame:
    """Values without a place on a scale."""
    return pl.concat([pf.audit(monthly(), "di", **SURE)] * 4).with_columns(
        pl.Series("value", [inf, -inf, None, 1.0]),
        pl.Series("lower", [-inf, -inf, None, 0.5]),
        pl.Series("upper", [inf, inf, None, inf]),
    )


def _many_groups() -> pl.DataFrame:
    groups = pl.concat(scored().with_columns(g=pl.lit(f"group {i:02}")) for i in range(12))
    return pf.rates(groups, **{**SCORED, "facet": "g"})


CHARTS: Final[dict[str, Callable[[], pl.DataFrame]]] = {
    "audit": lambda: shared(pf.audit, pf.datasets.berkeley(), "di", "ddpl", "ci", **BERKELEY),
    "bands of the caller": lambda: pf.audit(
        monthly(), "dppl", OWN, bands={"dppl": (-0.5, 0.5), "own": (-0.1, 0.1)}, **SURE
    ),
    "windows of time": lambda: pf.audit(monthly(), "dppl", by="month", **SURE),
    "windows of names": lambda: pf.audit(
        monthly(), "dppl", by=pl.col("month").cast(pl.String), **SURE
    ),
    "beside a baseline": lambda: pf.audit(monthly(), "dppl", by="month", baseline="first", **SURE),
    "models": _models,
    "many windows beside a baseline": _weeks,
    "switches": _switched,
    "without a place": _ends,
    "rates": lambda: pf.rates(monthly(), facet="sex", predicted="hired"),
    "weighted rates": lambda: pf.rates(
        monthly().with_columns(w=1.5), facet="sex", predicted="hired", weight="w"
    ),
    "many rates": lambda: pf.rates(
        of_counts({f"{i:02}": (i, 40) for i in range(40)}), facet="sex", predicted="hired"
    ),
    "worst groups": lambda: pf.worst_groups(
        four_each(), "spsf", facet=["sex", "race"], predicted="hired"
    ),
    "shrunken worst groups": lambda: pf.worst_groups(
        four_each(), "spsf", facet=["sex", "race"], predicted="hired", shrink=True
    ),
    "decompose": lambda: pf.decompose(
        pf.datasets.berkeley(), "cddpl", **{k: v for k, v in BERKELEY.items() if k != "confidence"}
    ),
    "drivers": lambda: pf.drivers(
        pf.datasets.loans().head(3000),
        controls={"income": 20_000, "sex": None},
        facet="race",
        disfavored="Black",
        favored="White",
        predicted="approved",
    ),
    "rates over thresholds": lambda: pf.rates(scored(), **SCORED),
    "rates of many groups over thresholds": _many_groups,
    "selection rates over thresholds": lambda: pf.rates(scored(), predicted="s", **THRESHOLDS),
    "rates at a threshold": lambda: pf.rates(scored(), **{**SCORED, "threshold": [0.5]}),
    "metrics over thresholds": lambda: pf.metrics(scored(), "di", "rd", "accuracy", **SCORED),
    "audit over thresholds": lambda: pf.audit(
        scored(),
        "rd",
        "auc_difference",
        bands={"rd": (-0.2, 0.2)},
        method="newcombe",
        score="s",
        **{**SCORED, "predicted": None},
    ),
    "windows over thresholds": lambda: shared(
        pf.metrics,
        pl.concat(scored().with_columns(branch=pl.lit(name)) for name in "ab"),
        "dppl",
        by="branch",
        **SCORED,
    ),
    "comparisons over thresholds": lambda: shared(
        pf.metrics,
        pl.concat([scored(), scored()[:4].with_columns(sex=pl.lit("X"))]),
        "dppl",
        **SCORED,
    ),
    "calibration": calibration,
}


_AT: Final[dict[str, Any]] = {"facet": "sex", "threshold": [0.2, 0.5, 0.8]}
EXPLORED: Final[dict[str, Callable[[], pf.Exploration]]] = {
    "decisions": lambda: pf.explore(scored(), "di", "rd", score="s", label="y", **_AT),
    "selection": lambda: pf.explore(
        scored(), "dppl", bands={"dppl": (-0.5, 0.5)}, predicted="s", **_AT
    ),
    "windows": lambda: pf.explore(
        pl.concat(scored().with_columns(branch=pl.lit(each)) for each in "ab"),
        *(pf.entry("utility", tp=2, fp=-3), "di"),
        score="s",
        label="y",
        by="branch",
        **_AT,
    ),
    "all-rows": lambda: pf.explore(scored(), score="s", label="y", threshold=[0.5]),
}


def shown(chart: dict[str, Any]) -> str:
    """The titles, the scales and the marks of charts."""
    parts = []
    for one in chart["vconcat"]:
        used = dict.fromkeys(_found(one, "name"))
        marks = (row for name in used for row in chart["datasets"].get(name, ()))
        title = one.get("title", {})
        lines = [title.get("text"), title.get("subtitle"), *_axes(one)]
        lines += [row for row in dict.fromkeys(map(rounded, marks)) if row != "{}"]
        parts.append("\n".join(_text(line) for line in lines if line))
    return "\n\n".join(parts)


def on_page(report: Any) -> str:
    """The charts of a page."""
    return "\n\n".join(map(as_text, figures_of(report)))


def as_text(figure: Any) -> str:
    """The caption and the marks of a chart."""
    return "\n".join([figure.caption, *dict.fromkeys(map(rounded, figure.chart.marks))])


def figures_of(report: Any) -> list[Any]:
    """The charts of a page."""
    return [each for section in report._document({}).sections for each in section.figures]


def _text(line: str | list[str]) -> str:
    return line if isinstance(line, str) else "\n".join(line)


def _found(part: Any, key: str) -> Iterator[str]:
    """The names of the data of a chart, in their order."""
    if isinstance(part, list):
        for each in part:
            yield from _found(each, key)
    elif isinstance(part, dict):
        if isinstance(part.get("data"), dict) and key in part["data"]:
            yield part["data"][key]
        for each in part.values():
            yield from _found(each, key)


def _axes(part: Any) -> Iterator[str]:
    """The title and the domain of each scale of numbers."""
    seen = []
    for encoding in _encodings(part):
        for axis in ("x", "y"):
            found = encoding.get(axis, {})
            if found.get("title") or isinstance(found.get("scale", {}).get("domain"), list):
                domain = rounded(found.get("scale", {}).get("domain"))
                seen.append(f"{axis}: {found.get('title')}, {domain}")
    yield from dict.fromkeys(seen)


def _encodings(part: Any) -> Iterator[dict[str, Any]]:
    for each in part if isinstance(part, list) else part.values() if isinstance(part, dict) else ():
        yield from _encodings(each)
    if isinstance(part, dict) and "encoding" in part:
        yield part["encoding"]


def rounded(value: Any) -> str:
    """JSON with numbers of five digits."""
    return json.dumps(
        json.loads(json.dumps(value), parse_float=lambda each: float(f"{float(each):.5g}")),
        ensure_ascii=False,
    )
