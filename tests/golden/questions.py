"""Questions about the ten frames: of every kind, with every metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from inspect import signature
from math import inf
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.elsewhere import TOOLS, other_arguments, tool_of
from tests.frames import shared
from tests.golden.frames import frames

Arguments = dict[str, Any]

SIDES: Final[Arguments] = {"facet": "sex", "disfavored": "F", "favored": "M"}
DECIDED: Final[Arguments] = {"label": "y", "predicted": "p"}
SCORED: Final[Arguments] = {"label": "y", "score": "s"}
MEASURED: Final[Arguments] = {"observed": "claim", "estimated": "price"}
MODELS: Final[Arguments] = {"label": "y", "predicted": {"old": "p", "new": "q"}}
CLASSES: Final[Arguments] = {"label": "grade", "predicted": "grade_given"}
ORDER: Final = pl.Enum(("low", "middle", "high"))
ORDERED: Final[Arguments] = {
    "label": pl.col("grade").cast(ORDER),
    "predicted": pl.col("grade_given").cast(ORDER),
}
EVERYTHING: Final[Arguments] = {**DECIDED, **MEASURED, "score": "s", "subgroup": "branch"}
NEAR: Final[Arguments] = {"features": ["age", "income"], "predicted": "p"}
SEX_AND_RACE: Final = pl.struct("sex", "race").alias("both")
PROBABLY: Final[Arguments] = {"facet": pf.probabilities("sex", {"F": "is_f", "M": "is_m"})}
MONTHS: Final[Arguments] = {"by": pl.col("day").dt.truncate("1mo").alias("month")}
USUAL: Final = ("usual",)
WINDOWS: Final = ("windows",)
BOTH: Final = ("windows", "weighted windows")
FEW_DRAWS: Final[Arguments] = {"replicates": 50}

COMPARED: Final = ("di", "dppl", "rd", "two_sd")
CONDITIONAL: Final = ("cddpl", "mh_ratio", "mh_difference", "mh_odds_ratio", "cmh", "breslow_day")
OF_SCORES: Final = ("auc_difference", "score_difference", "score_ks", "abroca")
OF_NUMBERS: Final = ("estimate_difference", "observed_ratio", "mae_difference", "rmse_ratio")
OF_QUANTILES: Final[tuple[str | pf.Metric, ...]] = (
    *("observed_median_difference", "estimate_median_ratio"),
    *(pf.entry(f"observed_quantile_{kind}", at=0.8) for kind in ("difference", "ratio")),
)
OF_LABELS: Final = ("kl", "js", "lp", "tvd", "ks")
OF_GROUPS: Final = (
    *("selection_rate_gap", "tpr_ratio", "equalized_odds_gap", "fpsf", "fnsf", "spsf"),
    *("differential_fairness", "spread", "cdd_shares", "ge_between"),
)


@dataclass(frozen=True)
class Question:
    """One call of a public function."""

    name: str
    frame: str
    function: Callable[..., Any]
    metrics: tuple[str | pf.Metric, ...]
    more: Arguments

    def answer(self) -> pl.DataFrame:
        frame = frames()[self.frame]
        asked = partial(self.function, frame.rows)
        if self.function is not _in_expressions:
            asked = partial(shared, self.function, frame.rows)
        answer: pl.DataFrame = asked(*self.metrics, **{**frame.more, **self.more})
        return answer


def put(
    apart: tuple[str, ...],
    name: str,
    function: Callable[..., Any],
    /,
    *metrics: str | pf.Metric,
    **more: Any,
) -> Iterator[Question]:
    """The same question about each of these frames apart."""
    for frame in apart:
        yield Question(f"{name} ({frame})", frame, function, metrics, more)


@cache
def questions() -> tuple[Question, ...]:
    """Every question."""
    return tuple(each for part in PARTS for each in part())


def _everything() -> Iterator[Question]:
    everything = {**SIDES, **EVERYTHING, **FEW_DRAWS, "p_values": "exact"}
    yield from put(BOTH, "everything", pf.audit, **everything)
    yield from put(USUAL, "individuals", pf.consistency, **NEAR)
    yield from put(USUAL, "flips of one", pf.fliptest, **SIDES, **NEAR, k=1)
    yield from put(USUAL, "flips", pf.fliptest, **SIDES, **NEAR, flips=True, k=3, standardize=True)


def _sides() -> Iterator[Question]:
    most = {**DECIDED, **FEW_DRAWS, "score": "s"}
    some: tuple[str, ...] = (*COMPARED, "auc_difference", "score_difference")
    yield from put(BOTH, "each beside the rest", pf.audit, *some, facet="sex", **most)
    yield from put(USUAL, "two facets", pf.audit, *COMPARED, facet=["sex", "race"], **most)
    yield from put(USUAL, "only favored", pf.audit, *COMPARED, facet="sex", favored="M", **most)
    several = {"disfavored": ["F", "X"], "favored": "M"}
    yield from put(USUAL, "sides of values", pf.audit, *COMPARED, facet="sex", **several, **most)
    for name, found in {
        "highest": pf.HIGHEST,
        "highest of many": pf.HIGHEST(minimum_count=50, minimum_share=0.2),
        "largest": pf.LARGEST,
        "overall": pf.OVERALL,
    }.items():
        more = {"facet": "sex", "favored": found, "p_values": "holm", **most}
        without = [each for each in some if each != "two_sd"]
        yield from put(("windows", "counted"), name, pf.audit, *without, **more)
    yield from put(
        USUAL,
        "rows of d on both sides",
        pf.audit,
        "two_sd",
        facet="sex",
        favored=pf.OVERALL,
        **DECIDED,
    )
    pair = {"disfavored": ("F", "Black"), "favored": ("M", "White")}
    yield from put(USUAL, "conjunction", pf.audit, *COMPARED, facet=SEX_AND_RACE, **pair, **most)
    yield from put(USUAL, "conjunctions", pf.audit, "di", *OF_GROUPS, facet=SEX_AND_RACE, **most)
    yield from put(
        USUAL, "unknown values", pf.audit, *COMPARED, facet="race", unknown="Asian", **most
    )
    unfavorable = {**SIDES, **most, "favorable": False}
    yield from put(USUAL, "unfavorable", pf.audit, *some, "sd", "ge", "te", **unfavorable)
    least = {"facet": "sex", "favored": pf.HIGHEST, "favorable": False}
    yield from put(USUAL, "lowest", pf.audit, "di", "dppl", **least, **most)
    divided = {**SIDES, **EVERYTHING, "zero_division": 0.0}
    yield from put(("empty", "separated"), "divisions by zero", pf.metrics, **divided)
    yield from put(
        ("weightless",),
        "only weights",
        pf.audit,
        *some,
        "cddpl",
        *OF_GROUPS,
        *OF_NUMBERS,
        **SIDES,
        **EVERYTHING,
        **FEW_DRAWS,
    )
    counts = {**SIDES, **EVERYTHING, **FEW_DRAWS, "weight": None, "p_values": "exact"}
    yield from put(
        ("counted",),
        "only counts",
        pf.audit,
        *some,
        *CONDITIONAL[:4],
        "tpr_gap",
        *OF_NUMBERS[:2],
        **counts,
    )


def _verdicts() -> Iterator[Question]:
    judged = {**SIDES, **DECIDED, **FEW_DRAWS, "score": "s"}
    some: tuple[str, ...] = (*COMPARED, "ddpl", "ge", "odds_ratio", "auc_difference", "fpsf")
    for rule in ("point", "significant"):
        yield from put(WINDOWS, f"rule {rule}", pf.audit, *some, rule=rule, **judged)
    rules = {"di": "point", "dppl": "significant", "auc_difference": "significant"}
    bands = {
        "di": (0.9, 1.1),
        "ddpl": (-0.05, 0.05),
        "rd": (-0.5, 0.5),
        "two_sd": None,
        "ge": (0, 0.01),
        "auc_difference": (-0.05, 0.05),
    }
    yield from put(WINDOWS, "own bands", pf.audit, *some, rule=rules, bands=bands, **judged)
    half = {"bands": {"di": (0.8, inf), "dppl": (-inf, 0.01)}}
    yield from put(USUAL, "half bands", pf.audit, "di", "dppl", **half, **judged)
    without = {**judged, "confidence": None, "replicates": 1000}
    yield from put(USUAL, "no confidence", pf.audit, *some, **without)
    yield from put(USUAL, "confidence of 80 %", pf.audit, *some, **{**judged, "confidence": 0.8})
    closed = ("di", "dppl", "rd", "odds_ratio", "auc_difference", "bpsn_auc", "sd", "tpr_gap")
    for method in ("newcombe", "log", "delong"):
        yield from put(WINDOWS, method, pf.audit, *closed, method=method, **judged)
    for adjusted in ("holm", "bh"):
        more = {**EVERYTHING, "confidence": None, "p_values": adjusted}
        some = (*COMPARED, *CONDITIONAL)
        yield from put(("strata",), adjusted, pf.audit, *some, facet="sex", **more)
    yield from put(
        USUAL, "small", pf.audit, "di", minimum_count=45, facet="sex", **DECIDED, **FEW_DRAWS
    )
    hidden = {"facet": ["sex", "race"], **DECIDED, **FEW_DRAWS, "hide_below": 30}
    yield from put(("empty", "usual"), "hidden", pf.audit, "di", "tpr_gap", **hidden)
    some = ("di", "dppl", "rd", "odds_ratio", "tpr_gap")
    moved = {"bounds": True, **judged}
    yield from put(("missing",), "bounds beside", pf.audit, *some, **moved)
    yield from put(USUAL, "gate", pf.check, *some, **judged)
    yield from put(("equal",), "gate of fair verdicts", pf.check, *some, **judged)


def _contrasts() -> Iterator[Question]:
    contrasted = {**SIDES, **MODELS, **FEW_DRAWS, "p_values": "exact"}
    some: tuple[str, ...] = (*COMPARED, "tpr_gap", "fpsf", "accuracy", "cddpl", "ge")
    each = ("usual", "weightless", "separated", "missing")
    yield from put(USUAL, "models", pf.audit, *some[:4], **contrasted)
    more = {"champion": "old", "subgroup": "branch", **contrasted}
    yield from put(each, "champion", pf.audit, *some, **more)
    prices = {"observed": "claim", "estimated": {"old": "price", "new": "offer"}}
    priced = {**SIDES, **prices, **FEW_DRAWS, "champion": "old", "cluster": "person"}
    yield from put(each, "champion of numbers", pf.audit, *OF_NUMBERS, **priced)
    yield from put(each, "switches", pf.switches, facet="sex", champion="old", **MODELS)
    together = {**SIDES, **DECIDED, **FEW_DRAWS, "score": "s", "subgroup": "branch"}
    some = (*some, "auc_difference")
    monthly = {**together, **MONTHS}
    narrow = {"di": (0.99, 1.01), "dppl": (-0.01, 0.01), "rd": (-0.01, 0.01)}
    for beside in ("previous", "first"):
        yield from put(USUAL, beside, pf.audit, *some, baseline=beside, **monthly)
    yield from put(
        USUAL,
        "drift",
        pf.audit,
        *some[:4],
        baseline="first",
        drift="clarify",
        bands=narrow,
        **monthly,
    )
    earlier = {"baseline": frames()["strata"].rows, **together}
    yield from put(USUAL, "baseline", pf.audit, *some, **earlier)
    yield from put(
        USUAL,
        "baseline of numbers",
        pf.audit,
        *OF_NUMBERS,
        **{**SIDES, **MEASURED},
        baseline=frames()["ties"].rows,
        **FEW_DRAWS,
    )
    ordered: Arguments = {**SIDES, **MEASURED}
    yield from put((*BOTH, "counted"), "quantiles of numbers", pf.audit, *OF_QUANTILES, **ordered)
    clustered = {**ordered, "cluster": "person"}
    yield from put(USUAL, "quantiles over clusters", pf.audit, *OF_QUANTILES, **clustered)
    cells = pf.cells(frames()["ties"].rows, facet="sex", **DECIDED)
    counted = {**SIDES, **DECIDED, **FEW_DRAWS, "baseline": cells, "baseline_count": "n"}
    yield from put(USUAL, "baseline of cells", pf.audit, *COMPARED, **counted)


def _windows() -> Iterator[Question]:
    some: tuple[str, ...] = ("di", "dppl", "rd", "auc_difference", "estimate_difference")
    together = {**SIDES, **DECIDED, **MEASURED, **FEW_DRAWS, "score": "s", "by": "day"}
    yield from put(USUAL, "every month", pf.audit, *some, every="1mo", **together)
    yield from put(USUAL, "periods", pf.audit, *some, every="1mo", period="2mo", **together)
    looks = {**SIDES, **DECIDED, **MONTHS, "sequential": "each", "weight": None}
    some = ("di", "dppl", "rd", "accuracy")
    yield from put(("usual", "counted", "equal"), "sequential", pf.audit, *some, **looks)
    yield from put(
        USUAL,
        "windows of two columns",
        pf.audit,
        *COMPARED,
        by=["race", "branch"],
        confidence=None,
        **SIDES,
        **DECIDED,
    )


def _outcomes() -> Iterator[Question]:
    values = {**SIDES, "label": "grade", **FEW_DRAWS}
    yield from put(BOTH, "labels of three values", pf.audit, *OF_LABELS, **values)
    some: tuple[str, ...] = ("di", "rd", "confusion_distance", "tpr_gap")
    for classes in ("each", "cumulative"):
        more = {**SIDES, **ORDERED, **FEW_DRAWS, "classes": classes}
        yield from put(USUAL, f"classes {classes}", pf.audit, *some, **more)
    yield from put(
        USUAL, "classes together", pf.audit, "confusion_distance", **SIDES, **CLASSES, **FEW_DRAWS
    )
    scored = {**SIDES, **SCORED, **FEW_DRAWS}
    some = ("di", "rd", "accuracy", "auc_difference")
    for name, threshold in {
        "one threshold": 0.5,
        "thresholds": [0.25, 0.5, 0.75],
        "best share": pf.best(0.25),
        "best shares": pf.best(0.1, 0.5),
        "best number": pf.best(20),
    }.items():
        yield from put(("usual", "ties"), name, pf.audit, *some, threshold=threshold, **scored)
    every = {**SIDES, **SCORED, "threshold": "every", "resolution": 0.125}
    yield from put(USUAL, "every threshold", pf.metrics, "di", "rd", "accuracy", **every)
    rounded = {**scored, "resolution": 0.125}
    yield from put(USUAL, "rounded scores", pf.audit, *OF_SCORES, "brier_gap", **rounded)
    yield from put(
        USUAL,
        "threshold of labels",
        pf.audit,
        "di",
        "rd",
        label="claim",
        predicted="p",
        label_threshold=1.0,
        **SIDES,
        **FEW_DRAWS,
    )
    ranked = {**SIDES, **SCORED, **FEW_DRAWS, "threshold": pf.best(0.25)}
    ranks = ("exposure_ratio", "skew_at", "ndkl")
    yield from put(BOTH, "ranks", pf.audit, *ranks, **ranked)
    yield from put(
        USUAL,
        "positive values",
        pf.audit,
        "di",
        "rd",
        positive=["low", "middle"],
        **SIDES,
        **CLASSES,
        **FEW_DRAWS,
    )


def _groups() -> Iterator[Question]:
    jointly = {"facet": ["sex", "race"], **DECIDED, "score": "s"}
    for metric in ("spsf", "fpsf", "fnsf", "miscalibration", "accuracy_gap"):
        yield from put(("usual", "missing"), f"worst {metric}", pf.worst_groups, metric, **jointly)
    some = {**jointly, "shrink": True, "depth": 2, "include_unknown": False}
    yield from put(("weightless", "missing"), "shrunken", pf.worst_groups, "spsf", **some)
    yield from put(
        USUAL, "worst harm", pf.worst_groups, "fpsf", harm="both", hide_below=30, **jointly
    )
    for groups, more in {
        "conjunctions": {"depth": 2},
        "intersections": {"minimum_count": 9},
    }.items():
        metrics = ("fpsf", "fnsf", "spsf", "selection_rate_gap")
        joint = [pf.entry(name, groups=groups, **more) for name in metrics]
        yield from put(
            ("usual", "weightless"), f"among {groups}", pf.audit, *joint, **jointly, **FEW_DRAWS
        )
    yield from put(
        ("usual", "counted"),
        "groups of scores",
        pf.audit,
        "auc_gap",
        "brier_gap",
        "ece_gap",
        "miscalibration",
        **jointly,
        **FEW_DRAWS,
    )


def _clusters() -> Iterator[Question]:
    widened = {**SIDES, **EVERYTHING, **FEW_DRAWS, "cluster": "person", "p_values": "exact"}
    some: tuple[str, ...] = (
        *COMPARED,
        *CONDITIONAL[:4],
        "tpr_gap",
        "fpsf",
        "ge",
        *OF_SCORES,
        *OF_NUMBERS,
    )
    each = ("usual", "counted", "empty")
    yield from put(each, "clusters", pf.audit, *some, **widened)
    few = {**SIDES, **DECIDED, **FEW_DRAWS, "cluster": "branch"}
    yield from put(USUAL, "few clusters", pf.audit, *COMPARED, **few)
    contrasted = {**SIDES, **MODELS, **FEW_DRAWS, "cluster": "person", "champion": "old"}
    yield from put(USUAL, "clusters and a champion", pf.audit, *COMPARED, **contrasted)
    monthly = {**SIDES, **DECIDED, **FEW_DRAWS, "cluster": "person", "baseline": "previous"}
    yield from put(USUAL, "clusters and windows", pf.audit, *COMPARED, **monthly, **MONTHS)
    rated = {"facet": "sex", "cluster": "person", "bins": 3, **SCORED}
    yield from put(USUAL, "calibration over clusters", pf.calibration, **rated)
    yield from put(
        USUAL,
        "clusters of groups",
        pf.audit,
        "tpr_gap",
        "fpsf",
        "differential_fairness",
        cluster="person",
        facet=["sex", "race"],
        **DECIDED,
        **FEW_DRAWS,
    )


def _probabilities() -> Iterator[Question]:
    probably = {**PROBABLY, "disfavored": "F", **FEW_DRAWS}
    some: tuple[str, ...] = (*COMPARED, "dpl", "odds_ratio", "tpr_gap", "ci")
    each = ("usual", "weightless", "equal")
    yield from put(each, "probabilities", pf.audit, *some, **DECIDED, **probably)
    yield from put(USUAL, "probabilities of numbers", pf.audit, *OF_NUMBERS, **MEASURED, **probably)
    yield from put(
        USUAL,
        "probabilities of strata",
        pf.audit,
        "cddpl",
        "mh_difference",
        subgroup="branch",
        estimator="weighted",
        **DECIDED,
        **probably,
    )
    yield from put(
        USUAL,
        "probabilities and clusters",
        pf.audit,
        *COMPARED,
        cluster="person",
        **DECIDED,
        **probably,
    )
    yield from put(USUAL, "rates of probabilities", pf.rates, **PROBABLY, **DECIDED)
    bounded = {**SIDES, **DECIDED, **FEW_DRAWS}
    some = ("di", "dppl", "rd", "dpl", "odds_ratio", "te")
    yield from put(("missing", "usual"), "bounds", pf.bounds, *some, **bounded)


def _entries() -> Iterator[Question]:
    entries = (
        *(pf.entry("ge", alpha=alpha).named(f"ge {alpha}") for alpha in (0, 1, 3)),
        *(pf.entry("lp", p=p).named(f"lp {p}") for p in (1, 3)),
        pf.entry("differential_fairness", concentration=0.5),
        pf.entry("utility", tp=1, fp=-5),
        pf.entry("spread", rate="fnr"),
        pf.entry("ece_gap", bins=4),
    )
    answered = {**SIDES, **DECIDED, **FEW_DRAWS, "score": "s"}
    yield from put(USUAL, "entries", pf.audit, *entries, **answered)


def _other_tools() -> Iterator[Question]:
    for name in TOOLS:
        tool = tool_of(name)
        rows = [tool.metric(row) for row in tool.rows]
        all_columns = {**SIDES, **EVERYTHING}
        yield from put(("usual", "empty"), name, pf.metrics, *rows, **all_columns)
        others = [each for metric in rows for _, each in other_arguments(metric)]
        named = [each.named(f"{each.name} {index}") for index, each in enumerate(others)]
        if named:
            yield from put(USUAL, f"{name}, other arguments", pf.metrics, *named, **all_columns)


def _tables() -> Iterator[Question]:
    yield from put(BOTH, "rates", pf.rates, facet="sex", **DECIDED, **MEASURED, score="s")
    for name in TOOLS:
        yield from put(USUAL, f"rates of {name}", pf.rates, facet="sex", names=name, **DECIDED)
    yield from put(USUAL, "hidden rates", pf.rates, facet="race", hide_below=80, **DECIDED)
    some: tuple[str, ...] = ("usual", "counted", "missing")
    yield from put(some, "cells", pf.cells, facet="sex", **DECIDED)
    yield from put(some, "confusions", pf.confusions, facet="sex", **CLASSES)
    yield from put(some, "calibration", pf.calibration, facet="sex", bins=5, **SCORED)
    for metric in ("cddpl", "cddl"):
        yield from put(
            ("usual", "strata"),
            f"parts of {metric}",
            pf.decompose,
            metric,
            subgroup="branch",
            **SIDES,
            **DECIDED,
        )
    shares = {"F": 0.5, "M": 0.4, "X": 0.1}
    represented = {"facet": "sex", "reference": {"sex": shares}, "p_values": "exact"}
    yield from put(some, "representation", pf.representation, **represented)
    given = {"facet": "sex", "label": "y"}
    yield from put((*some, "weightless"), "intake", _examined, nulls="drop", **given)
    yield from put(("usual", "weightless"), "new weights", pf.reweigh, **given)
    yield from put(USUAL, "reweighed rows", pf.reweighed, **given)
    for metric, reported in {"di": 0.6, "aif360.average_odds_difference": "0.13"}.items():
        yield from put(
            USUAL, f"reported {metric}", pf.compare, metric, reported=reported, **SIDES, **DECIDED
        )


def _examined(frame: pl.DataFrame, **given: Any) -> pl.DataFrame:
    """How many values a column has is an estimate, which differs between versions of polars."""
    return pf.intake(frame, **given).drop("distinct")


def _choices() -> Iterator[Question]:
    scored = {"facet": "sex", "label": "y", "score": "s"}
    every = {**scored, "threshold": [0.25, 0.375, 0.5, 0.625], "maximise": "accuracy"}
    beside = {"disfavored": "F", "favored": "M"}
    yield from put(USUAL, "choice", pf.choose, "di", "rd", **every, **beside)
    more = {"holdout": 0.5, "confidence": 0.9, "bands": {"di": (0.5, 2)}}
    yield from put(USUAL, "choice with rows held out", pf.choose, "di", **every, **beside, **more)


def _prescribed() -> Iterator[Question]:
    each = ("usual", "empty", "missing")
    people = {"sex": "sex", "race": "race"}
    yield from put(each, "selected people", pf.hiring.impact_ratios, selected="p", **people)
    yield from put(
        each,
        "scored people",
        pf.hiring.impact_ratios,
        score="s",
        exclude_below=0.02,
        justification="few",
        **people,
    )
    yield from put(
        (*each, "strata"),
        "adverse impact",
        pf.hiring.adverse_impact,
        facet=["sex", "race"],
        selected="p",
        minimum_share=0.2,
    )
    lent = {**SIDES, **DECIDED, "score": "s"}
    yield from put((*each, "weightless"), "lending", pf.lending.table, **lent)
    population = {"deviation": "population", "p_values": "holm"}
    yield from put(
        USUAL,
        "lending to groups",
        pf.lending.table,
        facet=["sex", "race"],
        favored=pf.LARGEST,
        favorable=False,
        predicted="p",
        score="s",
        **population,
    )
    yield from put(
        ("usual", "ties", "weightless"),
        "quantiles",
        pf.lending.quantiles,
        shares=(0.1, 0.5),
        score="s",
        **SIDES,
    )
    yield from put(
        ("usual", "strata", "weightless"),
        "segments",
        pf.lending.segments,
        subgroup="branch",
        predicted="p",
        **SIDES,
    )


def _expressions() -> Iterator[Question]:
    yield from put(("counted",), "expressions", _in_expressions)


def _in_expressions(rows: pl.DataFrame, **mass: str) -> pl.DataFrame:
    """Functions of `expr` in one selection: a test of theirs compares all with `metrics`."""
    columns = {**SIDES, **DECIDED, **MEASURED, "score": "s", **mass}
    functions = [getattr(pf.expr, name) for name in ("di", "two_sd", "f1", "ci", "mae_ratio", "kl")]
    return rows.select(
        function(**{key: columns[key] for key in signature(function).parameters if key in columns})
        for function in functions
    )


Part = Callable[[], Iterator[Question]]

PARTS: Final[tuple[Part, ...]] = (
    _everything,
    _sides,
    _verdicts,
    _contrasts,
    _windows,
    _outcomes,
    _groups,
    _clusters,
    _probabilities,
    _entries,
    _other_tools,
    _tables,
    _choices,
    _prescribed,
    _expressions,
)
