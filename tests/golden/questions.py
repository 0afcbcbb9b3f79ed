"""Questions about the ten frames: of every kind, with every metric."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from inspect import signature
from math import inf
from typing import Any, Final

import polars as pl

import polars_fairness as pf
from polars_fairness.catalogue.dialects import TOOLS, other_arguments, tool_of
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
FEW_DRAWS: Final[Arguments] = {"replicates": 50}

COMPARED: Final = ("di", "dppl", "rd", "two_sd")
CONDITIONAL: Final = ("cddpl", "mh_ratio", "mh_difference", "mh_odds_ratio", "cmh", "breslow_day")
OF_SCORES: Final = ("auc_difference", "score_difference", "score_ks", "abroca")
OF_NUMBERS: Final = ("estimate_difference", "observed_ratio", "mae_difference", "rmse_ratio")
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
        answer: pl.DataFrame = self.function(
            frame.rows, *self.metrics, **{**frame.more, **self.more}
        )
        return answer


def asked(
    name: str,
    function: Callable[..., Any],
    *metrics: str | pf.Metric,
    frames: tuple[str, ...] = ("usual",),
    **more: Any,
) -> Iterator[Question]:
    """The same question about each of these frames."""
    for frame in frames:
        yield Question(f"{name} ({frame})", frame, function, metrics, more)


@cache
def questions() -> tuple[Question, ...]:
    """Every question."""
    parts = (_everything, _sides, _verdicts, _contrasts, _windows, _outcomes, _groups, _clusters)
    more = (_probabilities, _entries, _other_tools, _tables, _choices, _prescribed, _expressions)
    return tuple(each for part in (*parts, *more) for each in part())


def _everything() -> Iterator[Question]:
    everything = {**SIDES, **EVERYTHING, **FEW_DRAWS, "p_values": "exact"}
    yield from asked("everything", pf.audit, frames=("windows", "weighted windows"), **everything)
    near = {**SIDES, **NEAR, "replicates": 20}
    both = ("windows", "weighted windows")
    yield from asked("neighbours", pf.audit, "fliptest", "consistency", frames=both, **near)
    yield from asked("flips", pf.fliptest, **SIDES, **NEAR, flips=True, k=3, standardize=True)


def _sides() -> Iterator[Question]:
    most = {**DECIDED, **FEW_DRAWS, "score": "s"}
    some = (*COMPARED, "auc_difference", "score_difference")
    each = ("windows", "weighted windows")
    yield from asked("each beside the rest", pf.audit, *some, facet="sex", frames=each, **most)
    yield from asked("two facets", pf.audit, *COMPARED, facet=["sex", "race"], **most)
    yield from asked("only favored", pf.audit, *COMPARED, facet="sex", favored="M", **most)
    several = {"disfavored": ["F", "X"], "favored": "M"}
    yield from asked("sides of values", pf.audit, *COMPARED, facet="sex", **several, **most)
    for name, found in {
        "highest": pf.HIGHEST,
        "highest of many": pf.HIGHEST(minimum_count=50, minimum_share=0.2),
        "largest": pf.LARGEST,
        "overall": pf.OVERALL,
    }.items():
        more = {"facet": "sex", "favored": found, "p_values": "holm", **most}
        asks = [each for each in some if each != "two_sd"]
        yield from asked(name, pf.audit, *asks, frames=("windows", "counted"), **more)
    yield from asked("rows of d on both sides", pf.audit, "two_sd", facet="sex", favored=pf.OVERALL,
        **DECIDED)  # fmt: skip
    pair = {"disfavored": ("F", "Black"), "favored": ("M", "White")}
    yield from asked("conjunction", pf.audit, *COMPARED, facet=SEX_AND_RACE, **pair, **most)
    yield from asked("conjunctions", pf.audit, "di", *OF_GROUPS, facet=SEX_AND_RACE, **most)
    yield from asked("unknown values", pf.audit, *COMPARED, facet="race", unknown="Asian", **most)
    unfavorable = {**SIDES, **most, "favorable": False}
    yield from asked("unfavorable", pf.audit, *some, "sd", "ge", "te", **unfavorable)
    found = {"facet": "sex", "favored": pf.HIGHEST, "favorable": False}
    yield from asked("lowest", pf.audit, "di", "dppl", **found, **most)
    divided = {**SIDES, **EVERYTHING, "zero_division": 0.0}
    yield from asked("divisions by zero", pf.metrics, frames=("empty", "separated"), **divided)
    yield from asked("only weights", pf.audit, *some, "cddpl", *OF_GROUPS, *OF_NUMBERS,
        frames=("weightless",), **SIDES, **EVERYTHING, **FEW_DRAWS)  # fmt: skip
    counts = {**SIDES, **EVERYTHING, **FEW_DRAWS, "weight": None, "p_values": "exact"}
    yield from asked("only counts", pf.audit, *some, *CONDITIONAL, *OF_GROUPS, *OF_NUMBERS,
        frames=("counted",), **counts)  # fmt: skip


def _verdicts() -> Iterator[Question]:
    judged = {**SIDES, **DECIDED, **FEW_DRAWS, "score": "s"}
    some = (*COMPARED, "ddpl", "ge", "odds_ratio", "auc_difference", "fpsf")
    for rule in ("point", "significant"):
        yield from asked(f"rule {rule}", pf.audit, *some, frames=("windows",), rule=rule, **judged)
    rules = {"di": "point", "dppl": "significant"}
    bands = {"di": (0.9, 1.1), "ddpl": (-0.05, 0.05), "rd": (-0.5, 0.5), "two_sd": None}
    yield from asked("own bands", pf.audit, *some, rule=rules, bands=bands, **judged)
    half = {"bands": {"di": (0.8, inf), "dppl": (-inf, 0.01)}}
    yield from asked("half bands", pf.audit, "di", "dppl", **half, **judged)
    yield from asked("no confidence", pf.audit, *some, **{**judged, "confidence": None})
    yield from asked("confidence of 80 %", pf.audit, *some, **{**judged, "confidence": 0.8})
    closed = ("di", "dppl", "rd", "odds_ratio", "auc_difference", "bpsn_auc", "sd", "tpr_gap")
    for method in ("newcombe", "log", "delong"):
        yield from asked(method, pf.audit, *closed, frames=("windows",), method=method, **judged)
    for adjusted in ("holm", "bh"):
        more = {**EVERYTHING, **FEW_DRAWS, "p_values": adjusted}
        some = (*COMPARED, *CONDITIONAL)
        yield from asked(adjusted, pf.audit, *some, facet="sex", frames=("strata",), **more)
    yield from asked("small", pf.audit, "di", minimum_count=45, facet="sex", **DECIDED, **FEW_DRAWS)
    hidden = {"facet": ["sex", "race"], **DECIDED, **FEW_DRAWS, "hide_below": 30}
    yield from asked("hidden", pf.audit, "di", "tpr_gap", frames=("empty", "usual"), **hidden)
    some = ("di", "dppl", "rd", "odds_ratio", "tpr_gap")
    moved = {"bounds": True, **judged}
    yield from asked("bounds beside", pf.audit, *some, frames=("missing",), **moved)
    yield from asked("gate", pf.check, *some, **judged)
    yield from asked("gate of fair verdicts", pf.check, *some, frames=("equal",), **judged)


def _contrasts() -> Iterator[Question]:
    contrasted = {**SIDES, **MODELS, **FEW_DRAWS, "p_values": "exact"}
    some = (*COMPARED, "tpr_gap", "fpsf", "accuracy", "cddpl", "ge")
    each = ("usual", "weightless", "separated", "missing")
    yield from asked("models", pf.audit, *some[:4], **contrasted)
    more = {"champion": "old", "subgroup": "branch", **contrasted}
    yield from asked("champion", pf.audit, *some, frames=each, **more)
    prices = {"observed": "claim", "estimated": {"old": "price", "new": "offer"}}
    priced = {**SIDES, **prices, **FEW_DRAWS, "champion": "old"}
    yield from asked("champion of numbers", pf.audit, *OF_NUMBERS, frames=each, **priced)
    yield from asked("switches", pf.switches, facet="sex", champion="old", frames=each, **MODELS)
    together = {**SIDES, **DECIDED, **FEW_DRAWS, "score": "s", "subgroup": "branch"}
    some = (*some, "auc_difference")
    monthly = {**together, **MONTHS}
    for beside in ("previous", "first"):
        yield from asked(beside, pf.audit, *some, baseline=beside, **monthly)
    yield from asked("drift", pf.audit, *some[:4], baseline="first", drift="clarify", **monthly)
    earlier = {"baseline": frames()["strata"].rows, **together}
    yield from asked("baseline", pf.audit, *some, **earlier)
    yield from asked("baseline of numbers", pf.audit, *OF_NUMBERS, **{**SIDES, **MEASURED},
        baseline=frames()["ties"].rows, **FEW_DRAWS)  # fmt: skip
    cells = pf.cells(frames()["ties"].rows, facet="sex", **DECIDED)
    counted = {**SIDES, **DECIDED, **FEW_DRAWS, "baseline": cells, "baseline_count": "n"}
    yield from asked("baseline of cells", pf.audit, *COMPARED, **counted)


def _windows() -> Iterator[Question]:
    some = ("di", "dppl", "rd", "auc_difference", "estimate_difference")
    together = {**SIDES, **DECIDED, **MEASURED, **FEW_DRAWS, "score": "s", "by": "day"}
    yield from asked("every month", pf.audit, *some, every="1mo", **together)
    yield from asked("periods", pf.audit, *some, every="1mo", period="2mo", **together)
    looks = {**SIDES, **DECIDED, **MONTHS, "sequential": True, "weight": None}
    some = ("di", "dppl", "rd", "accuracy")
    yield from asked("sequential", pf.audit, *some, frames=("usual", "counted", "equal"), **looks)
    yield from asked("windows of two columns", pf.audit, *COMPARED, by=["race", "branch"],
        confidence=None, **SIDES, **DECIDED)  # fmt: skip


def _outcomes() -> Iterator[Question]:
    values = {**SIDES, "label": "grade", **FEW_DRAWS}
    each = ("windows", "weighted windows")
    yield from asked("labels of three values", pf.audit, *OF_LABELS, frames=each, **values)
    some = ("di", "rd", "confusion_distance", "tpr_gap")
    for classes in ("each", "cumulative"):
        more = {**SIDES, **ORDERED, **FEW_DRAWS, "classes": classes}
        yield from asked(f"classes {classes}", pf.audit, *some, **more)
    yield from asked("classes together", pf.audit, "confusion_distance", **SIDES, **CLASSES,
        **FEW_DRAWS)  # fmt: skip
    scored = {**SIDES, **SCORED, **FEW_DRAWS}
    some = ("di", "rd", "accuracy", "auc_difference")
    for name, threshold in {
        "one threshold": 0.5,
        "thresholds": [0.25, 0.5, 0.75],
        "best share": pf.best(0.25),
        "best shares": pf.best(0.1, 0.5),
        "best number": pf.best(20),
    }.items():
        yield from asked(name, pf.audit, *some, threshold=threshold, frames=("usual", "ties"),
            **scored)  # fmt: skip
    every = {**SIDES, **SCORED, "threshold": "every", "resolution": 0.125}
    yield from asked("every threshold", pf.metrics, "di", "rd", "accuracy", **every)
    rounded = {**scored, "resolution": 0.125}
    yield from asked("rounded scores", pf.audit, *OF_SCORES, "brier_gap", **rounded)
    yield from asked("threshold of labels", pf.audit, "di", "rd", label="claim", predicted="p",
        label_threshold=1.0, **SIDES, **FEW_DRAWS)  # fmt: skip
    ranked = {**SIDES, **SCORED, **FEW_DRAWS, "threshold": pf.best(0.25)}
    ranks = ("exposure_ratio", "skew_at", "ndkl")
    yield from asked("ranks", pf.audit, *ranks, frames=("windows", "weighted windows"), **ranked)
    yield from asked("positive values", pf.audit, "di", "rd", positive=["low", "middle"], **SIDES,
        **CLASSES, **FEW_DRAWS)  # fmt: skip


def _groups() -> Iterator[Question]:
    jointly = {"facet": ["sex", "race"], **DECIDED, "score": "s"}
    for metric in ("spsf", "fpsf", "fnsf", "miscalibration", "accuracy_gap"):
        yield from asked(f"worst {metric}", pf.worst_groups, metric, frames=("usual", "missing"),
            **jointly)  # fmt: skip
    some = {**jointly, "shrink": True, "depth": 2, "include_unknown": False}
    yield from asked("shrunken", pf.worst_groups, "spsf", frames=("weightless", "missing"), **some)
    yield from asked("worst harm", pf.worst_groups, "fpsf", harm="both", hide_below=30, **jointly)  # fmt: skip
    for groups, more in {
        "conjunctions": {"depth": 2},
        "intersections": {"minimum_count": 9},
    }.items():
        metrics = ("fpsf", "fnsf", "spsf", "selection_rate_gap")
        joint = [pf.entry(name, groups=groups, **more) for name in metrics]
        yield from asked(groups, pf.audit, *joint, frames=("usual", "weightless"), **jointly,
            **FEW_DRAWS)  # fmt: skip
    yield from asked("groups of scores", pf.audit, "auc_gap", "brier_gap", "ece_gap",
        "miscalibration", frames=("usual", "counted"), **jointly, **FEW_DRAWS)  # fmt: skip


def _clusters() -> Iterator[Question]:
    widened = {**SIDES, **EVERYTHING, **FEW_DRAWS, "cluster": "person", "p_values": "exact"}
    some = (*COMPARED, *CONDITIONAL[:4], "tpr_gap", "fpsf", "ge", *OF_SCORES, *OF_NUMBERS)
    each = ("usual", "weightless", "counted", "empty")
    yield from asked("clusters", pf.audit, *some, frames=each, **widened)
    few = {**SIDES, **DECIDED, **FEW_DRAWS, "cluster": "branch"}
    yield from asked("few clusters", pf.audit, *COMPARED, **few)
    contrasted = {**SIDES, **MODELS, **FEW_DRAWS, "cluster": "person", "champion": "old"}
    yield from asked("clusters and a champion", pf.audit, *COMPARED, **contrasted)
    monthly = {**SIDES, **DECIDED, **FEW_DRAWS, "cluster": "person", "baseline": "previous"}
    yield from asked("clusters and windows", pf.audit, *COMPARED, **monthly, **MONTHS)
    yield from asked("clusters of groups", pf.audit, "tpr_gap", "fpsf", "differential_fairness",
        cluster="person", facet=["sex", "race"], **DECIDED, **FEW_DRAWS)  # fmt: skip


def _probabilities() -> Iterator[Question]:
    probably = {**PROBABLY, "disfavored": "F", **FEW_DRAWS}
    some = (*COMPARED, "dpl", "odds_ratio", "tpr_gap", "ci")
    each = ("usual", "weightless", "equal")
    yield from asked("probabilities", pf.audit, *some, frames=each, **DECIDED, **probably)
    yield from asked("probabilities of numbers", pf.audit, *OF_NUMBERS, **MEASURED, **probably)
    yield from asked("probabilities of strata", pf.audit, "cddpl", "mh_difference",
        subgroup="branch", estimator="weighted", **DECIDED, **probably)  # fmt: skip
    yield from asked("probabilities and clusters", pf.audit, *COMPARED, cluster="person",
        **DECIDED, **probably)  # fmt: skip
    yield from asked("rates of probabilities", pf.rates, **PROBABLY, **DECIDED)
    some = ("di", "dppl", "rd")
    yield from asked("bounds of probabilities", pf.bounds, *some, proxy="branch", **DECIDED,
        **probably)  # fmt: skip
    bounded = {**SIDES, **DECIDED, **FEW_DRAWS}
    some = ("di", "dppl", "rd", "dpl", "odds_ratio", "te")
    yield from asked("bounds", pf.bounds, *some, frames=("missing", "usual"), **bounded)


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
    yield from asked("entries", pf.audit, *entries, **answered)
    yield from asked("neighbours of one", pf.metrics, pf.entry("fliptest", k=1), **SIDES, **NEAR)


def _other_tools() -> Iterator[Question]:
    for name in TOOLS:
        tool = tool_of(f"{name}.")
        assert tool is not None
        rows = [tool.metric(row) for row in tool.rows]
        all_columns = {**SIDES, **EVERYTHING, **NEAR}
        yield from asked(name, pf.metrics, *rows, frames=("usual", "empty"), **all_columns)
        others = [each for metric in rows for _, each in other_arguments(metric)]
        named = [each.named(f"{each.name} {index}") for index, each in enumerate(others)]
        if named:
            yield from asked(f"{name}, other arguments", pf.metrics, *named, **all_columns)


def _tables() -> Iterator[Question]:
    each = ("windows", "weighted windows")
    yield from asked("rates", pf.rates, facet="sex", frames=each, **DECIDED, **MEASURED, score="s")
    for name in TOOLS:
        yield from asked(f"rates of {name}", pf.rates, facet="sex", names=name, **DECIDED)
    yield from asked("hidden rates", pf.rates, facet="race", hide_below=80, **DECIDED)
    some = ("usual", "counted", "missing")
    yield from asked("cells", pf.cells, facet="sex", frames=some, **DECIDED)
    yield from asked("confusions", pf.confusions, facet="sex", frames=some, **CLASSES)
    yield from asked("calibration", pf.calibration, facet="sex", frames=some, bins=5, **SCORED)
    for metric in ("cddpl", "cddl"):
        yield from asked(f"parts of {metric}", pf.decompose, metric, frames=("usual", "strata"),
            subgroup="branch", **SIDES, **DECIDED)  # fmt: skip
    shares = {"F": 0.5, "M": 0.4, "X": 0.1}
    represented = {"facet": "sex", "reference": {"sex": shares}, "p_values": "exact"}
    yield from asked("representation", pf.representation, frames=some, **represented)
    given = {"facet": "sex", "label": "y"}
    yield from asked("new weights", pf.reweigh, frames=("usual", "weightless"), **given)
    yield from asked("reweighed rows", pf.reweighed, **given)
    for metric, reported in {"di": 0.6, "aif360.average_odds_difference": "0.13"}.items():
        yield from asked(f"reported {metric}", pf.compare, metric, reported=reported, **SIDES,
            **DECIDED)  # fmt: skip


def _choices() -> Iterator[Question]:
    scored = {"facet": "sex", "label": "y", "score": "s"}
    every = {**scored, "threshold": [0.25, 0.375, 0.5, 0.625], "maximise": "accuracy"}
    beside = {"disfavored": "F", "favored": "M"}
    yield from asked("choice", pf.choose, "di", "rd", **every, **beside)
    more = {"holdout": 0.5, "confidence": 0.9, "bands": {"di": (0.5, 2)}}
    yield from asked("choice with rows held out", pf.choose, "di", **every, **beside, **more)
    for equal in (None, "selection_rate", "tpr", "fpr", "tnr", "fnr", "equalized_odds"):
        yield from asked(f"cut-offs, equal {equal}", pf.cutoffs_by_group, equal=equal,
            frames=("usual", "ties"), **scored)  # fmt: skip
    useful = {"maximise": pf.entry("utility", tp=1, fp=-2)}
    yield from asked("useful cut-offs", pf.cutoffs_by_group, equal="tpr", **useful, **scored)


def _prescribed() -> Iterator[Question]:
    each = ("usual", "empty", "missing")
    people = {"sex": "sex", "race": "race"}
    yield from asked(
        "selected people", pf.hiring.impact_ratios, selected="p", frames=each, **people
    )
    yield from asked("scored people", pf.hiring.impact_ratios, score="s", frames=each,
        exclude_below=0.02, justification="few", **people)  # fmt: skip
    yield from asked("adverse impact", pf.hiring.adverse_impact, facet=["sex", "race"],
        selected="p", minimum_share=0.2, frames=(*each, "strata"))  # fmt: skip
    lent = {**SIDES, **DECIDED, "score": "s"}
    yield from asked("lending", pf.lending.table, frames=(*each, "weightless"), **lent)
    population = {"deviation": "population", "p_values": "holm"}
    yield from asked("lending to groups", pf.lending.table, facet=["sex", "race"], favored=pf.LARGEST,
        favorable=False, predicted="p", score="s", **population)  # fmt: skip
    yield from asked("quantiles", pf.lending.quantiles, frames=("usual", "ties", "weightless"),
        shares=(0.1, 0.5), score="s", **SIDES)  # fmt: skip
    yield from asked("segments", pf.lending.segments, frames=("usual", "strata", "weightless"),
        subgroup="branch", predicted="p", **SIDES)  # fmt: skip


def _expressions() -> Iterator[Question]:
    yield from asked("expressions", _in_expressions, frames=("counted",))


def _in_expressions(rows: pl.DataFrame, **mass: str) -> pl.DataFrame:
    """Functions of `expr` in one selection: a test of theirs compares all with `metrics`."""
    columns = {**SIDES, **DECIDED, **MEASURED, "score": "s", **mass}
    functions = [getattr(pf.expr, name) for name in ("di", "two_sd", "f1", "ci", "mae_ratio", "kl")]
    return rows.select(
        function(**{key: columns[key] for key in signature(function).parameters if key in columns})
        for function in functions
    )
