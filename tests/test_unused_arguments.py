"""An argument that nothing in an answer uses is an error, and no argument changes nothing."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from inspect import signature
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest
from polars import selectors

import polars_fairness as pf
from polars_fairness.api.functions import FUNCTIONS, PRESCRIBED
from polars_fairness.api.unused_arguments import calls_of_ours
from polars_fairness.explorer import Exploration
from polars_fairness.hiring.arguments import ImpactRatiosQuestion
from polars_fairness.question.arguments import DEFAULTS, arguments_of
from polars_fairness.question.audit_arguments import OF_AUDIT
from tests.conftest import Run
from tests.test_own_cells import ROWS

pytestmark = pytest.mark.extras

FRAME: Final = ROWS.with_columns(
    n=1 + pl.col("month") % 3,
    missing=pl.when(pl.col("month") > 0).then("p"),
    missing_label=pl.when(pl.col("month") > 0).then("y"),
    missing_score=pl.when(pl.col("month") > 0).then("score"),
    missing_weight=pl.when(pl.col("month") > 0).then("w"),
    never=pl.lit(value=False),
    nothing=pl.lit(0.0),
    untied=pl.col("score") + pl.int_range(pl.len()) * 1e-6,
    of_m=pl.when((pl.col("g") == "M") & (pl.col("h") == "y")).then("p"),
    number_of_m=pl.when(pl.col("g") == "M").then("score"),
    four=pl.lit(pl.Series(["u", "v", "w", "x"])).gather(pl.int_range(pl.len()) % 4),
    pay=100 + pl.col("amount") + 3 * pl.col("price") + 10 * (pl.col("h") == "y"),
    missing_pay=pl.when(pl.col("month") > 0).then("amount"),
)
NO_LABELS: Final = (
    *("missing", "missing_pay", "missing_score", "number_of_m", "pay", "p", "untied"),
)
SIDES: dict[str, Any] = {"facet": "g", "favored": "M"}
DECIDED = SIDES | {"predicted": "p"}
SCORED = SIDES | {"score": "score", "label": "y"}


def beyond(metric: str) -> dict[str, Any]:
    """A band that no value lies in, and no intervals."""
    ideal = pf.CATALOGUE[metric].ideal
    assert ideal is not None
    return {"confidence": None, "bands": {metric: (ideal - 1e-9, ideal + 1e-9)}}


JUDGED = DECIDED | beyond("di")
PAID = {"facet": "h", "pay": "pay", "favored": "y", "minimum_count": 2}
APPLIED = {"sex": "h", "race": "j", "selected": "p", "replicates": 20}
PUBLISHED = {"audit_date": "2026-01-01", "data": "Loans.", "distribution_date": "2026-01-01"}
CALLS: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "audit": (("di",), JUDGED),
    "audit of labels": (("dpl",), SIDES | {"label": "y"} | beyond("dpl")),
    "audit of scores": (("auc_difference",), SCORED | beyond("auc_difference")),
    "audit of gaps": (("selection_rate_gap",), {"facet": "g", "predicted": "p"}),
    "audit of numbers": (
        ("observed_difference",),
        SIDES | {"observed": "amount"} | beyond("observed_difference"),
    ),
    "bounds": (("di",), JUDGED),
    "calibration": ((), {"facet": "g", "score": "score", "label": "y"}),
    "check": (("di",), JUDGED),
    "choose": (("di",), SCORED),
    "choose by selection": (("di",), SIDES | {"score": "score", "maximise": "selection_rate"}),
    "compare": (("di",), DECIDED | {"reported": 1.0}),
    "confusions": ((), {"facet": "g", "predicted": "p", "label": "y"}),
    "decompose": (("cddpl",), DECIDED | {"subgroup": "h"}),
    "di": ((), DECIDED),
    "di of a score": ((), SIDES | {"score": "score", "threshold": 0.5}),
    "drivers": (("adjusted_difference",), DECIDED | {"controls": "h", "confidence": None}),
    "explore": (("dppl",), SCORED),
    "consistency": ((), {"predicted": "p", "features": ["score"]}),
    "fliptest": ((), DECIDED | {"features": ["score"]}),
    "intake": ((), {"facet": "g", "label": "y"}),
    "metrics": (("di",), DECIDED),
    "metrics of all rows": (("utility",), {"predicted": "p", "label": "y"}),
    "pairs": ((), DECIDED | {"cluster": "c"}),
    "plan": (("di",), DECIDED | {"replicates": 20}),
    "rates": ((), {"facet": "g", "predicted": "p"}),
    "report": (("di",), DECIDED | {"label": "y", "confidence": None}),
    "representation": ((), {"facet": "g", "reference": {"F": 0.5, "M": 0.5}}),
    "reweigh": ((), {"facet": "g", "label": "y"}),
    "reweighed": ((), {"facet": "g", "label": "y"}),
    "switches": ((), {"facet": "g", "predicted": {"a": "p", "b": "q"}, "champion": "a"}),
    "worst_groups": (("spsf",), {"facet": ["g", "h"], "predicted": "p"}),
    "hiring.adverse_impact": ((), {"facet": "h", "selected": "p", "replicates": 20}),
    "hiring.impact_ratios": ((), APPLIED),
    "hiring.report": ((), APPLIED | PUBLISHED),
    "lending.quantiles": ((), SIDES | {"score": "untied", "replicates": 20}),
    "lending.report": ((), DECIDED | {"replicates": 20}),
    "lending.segments": ((), DECIDED | {"subgroup": "h"}),
    "lending.table": ((), DECIDED | {"replicates": 20}),
    "pay.report": ((), PAID),
    "pay.table": ((), PAID),
}
PROBABLE = {"facet": pf.probabilities("race", {"a": "share", "b": "rest"}), "favored": None}
NEVER = {"predicted": "never", "label": "never"}
# Side d has no rows that count.
NONE = {
    "predicted": "of_m", "label": "of_m", "score": "number_of_m", "observed": "number_of_m",
    "nulls": "drop", "confidence": None,
}  # fmt: skip
MISSING = {
    "predicted": "missing", "label": "missing_label", "score": "missing_score",
    "observed": "missing_pay", "selected": "missing", "pay": "missing_pay",
}  # fmt: skip
# An argument, a value that should matter, and what else a call then has where it takes it; in
# place of a column only if it has one.
PROBES: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "facet": ("facet", "h", {"favored": None}),
    "predicted": ("predicted", "q", {}),
    "label": ("label", "y", {}),
    "observed": ("observed", "amount", {}),
    "estimated": ("estimated", "price", {}),
    "disfavored": ("disfavored", "v", {"facet": "k", "favored": None}),
    "favored": ("favored", "v", {"facet": "k"}),
    "highest": ("favored", pf.HIGHEST, {"facet": "k"}),
    "unknown": ("unknown", ["w", "x"], {"facet": "four", "favored": None}),
    "score": ("score", "score", {}),
    "resolution": ("resolution", 0.1, {}),
    "positive": ("positive", False, {}),
    "classes": ("classes", "each", {}),
    "threshold": ("threshold", 0.3, {}),
    "thresholds": ("threshold", [0.3, 0.6], {}),
    "favorable": ("favorable", False, {}),
    "label_threshold": ("label_threshold", 4.0, {"label": "amount"}),
    "subgroup": ("subgroup", "j", {}),
    "controls": ("controls", "month", {}),
    "by": ("by", "k", {}),
    "every": ("every", "1mo", {"by": "day"}),
    "period": ("period", "3mo", {"by": "day", "every": "1mo"}),
    "weight": ("weight", "w", {}),
    "count": ("count", "n", {}),
    "estimator": ("estimator", "linear", {}),
    "estimator of probabilities": ("estimator", "linear", PROBABLE),
    "cluster": ("cluster", "c", {"confidence": 0.9, "replicates": 20}),
    "cluster without intervals": ("cluster", "c", {"confidence": None}),
    "nulls": ("nulls", "drop", MISSING),
    "nulls of weights": ("nulls", "drop", {"weight": "missing_weight"}),
    "zero_division of no weight": ("zero_division", 0.25, {"weight": "nothing"}),
    "zero_division": ("zero_division", 0.25, NEVER),
    "zero_division of no rows": ("zero_division", 0.25, NONE),
    "zero_division of no decisions": ("zero_division", 0.25, {"threshold": 2.0}),
}
WORDS = "nothing in this answer uses it; it is for "
# Arguments that are a part of another one, by its name, and a value that is not their default.
PARTS: dict[str, tuple[str, Any]] = {
    "replicates": ("confidence", 7),
    "seed": ("confidence", 3),
    "method": ("confidence", "log"),
    "equivalence": ("confidence", True),
    "unlabelled_by": ("unlabelled", "h"),
    "baseline_count": ("baseline", "n"),
    "justification": ("exclude_below", "Few apply."),
}
# Whether rows lack something, and where 0/0 is, rows tell and not names: one case is enough.
OF_ROWS: Final = {"nulls", "zero_division"}
# Where strata are missing, another tool may have dropped these rows: one more reading is tried.
OF_READINGS: Final = {("compare", "subgroup")}
# Either outcome gives the same here; of text, one has to be named.
SYMMETRIC: Final = {(name, "positive") for name in ("audit of gaps", "consistency", "reweighed")}


def test_every_function_of_a_question_is_called() -> None:
    every = {*FUNCTIONS, *(f"{m}.{name}" for m, of in PRESCRIBED.items() for name in of)}
    called = {name.partition(" ")[0] for name in CALLS}
    # Questions are put to what these return.
    assert called - {"di"} == every - {"of", "cells"}
    assert {argument for argument, _, _ in PROBES.values()} == {*DEFAULTS}


def function_of(name: str, frame: Any = FRAME) -> tuple[Any, tuple[Any, ...]]:
    """A function, and what stands before the metrics of a call."""
    word = name.partition(" ")[0]
    module, _, function = word.rpartition(".")
    if module:
        return getattr(getattr(pf, module), function), (frame,)
    # `intake` looks at each column, in 7 ms.
    few = frame.drop(NO_LABELS) if word == "intake" else frame
    return getattr(few.fairness, function), ()


def called(name: str, **more: Any) -> Any:
    metrics, question = CALLS[name]
    function, places = function_of(name)
    return function(*places, *metrics, **question | more)


def shown(answer: Any) -> str:
    if isinstance(answer, pl.DataFrame):
        return answer.with_columns(selectors.float().round(9)).write_json()
    if isinstance(answer, Exploration):
        # A page takes seconds; its words say whether people are accepted or flagged.
        is_good = answer.question.get("favorable", True)
        return f"{shown(answer.audited)} {shown(answer.rated)} {is_good}"
    # What a page says of its question is no use of an argument.
    text: str = answer.to_markdown()
    return without_words(text.partition("The question")[0])


def without_words(text: str) -> str:
    return re.sub(rf" ?\S+: {WORDS}[^.;]*[.;]", "", text)


def outcome(name: str, given: dict[str, Any]) -> tuple[str, bool]:
    """The answer or the error, and whether it is an error."""
    try:
        return shown(called(name, **given)), False
    except pf.OutsideBandError as error:
        return f"{without_words(f'{error};')} {shown(error.audit)}", False
    except pf.FairnessError as error:
        return str(error), True


_KNOWN: Final[dict[tuple[str, str, bool], str]] = {}


def without(name: str, beside: dict[str, Any], *, unchecked: bool = False) -> str:
    """What a call without a probe says, which many probes are compared with."""
    key = name, str(beside), unchecked and bool(beside)
    if key not in _KNOWN:
        _KNOWN[key], _ = outcome(name, beside)
    return _KNOWN[key]


def asked_of(name: str) -> Iterator[tuple[str, list[tuple[Any, dict[str, Any]]]]]:
    """Of each argument of a function, the probes that go beside what the function takes."""
    question, taken = CALLS[name][1], signature(function_of(name)[0]).parameters
    for argument in [each for each in DEFAULTS if each in taken]:
        probes = [
            (value, {each: beside[each] for each in beside if fits(each, taken, question)})
            for one, value, beside in PROBES.values()
            if one == argument and question.get(argument) != value
        ]
        if (name, argument) not in SYMMETRIC | OF_READINGS:
            yield argument, probes


def fits(argument: str, taken: Container[str], question: Container[str]) -> bool:
    """Whether something goes beside a probe: another column only in place of one."""
    is_column = argument in ("facet", *MISSING)
    return argument in taken and (argument in question or not is_column)


@pytest.mark.parametrize("name", CALLS)
def test_an_argument_changes_something_or_is_an_error(name: str) -> None:
    text, is_error = outcome(name, {})
    assert not is_error, text
    idle = [argument for argument, probes in asked_of(name) if not matters(name, argument, probes)]
    assert not idle


def matters(name: str, argument: str, probes: list[tuple[Any, dict[str, Any]]]) -> bool:
    found = []
    for value, beside in probes:
        with_it, is_error = outcome(name, beside | {argument: value})
        if is_error and f"{argument}: {WORDS}" in with_it:
            with calls_of_ours():
                with_it, is_refused = outcome(name, beside | {argument: value})
                assert is_refused or with_it == without(name, beside, unchecked=True), argument
        found.append(is_error or with_it != without(name, beside))
        if found[-1] and argument in OF_ROWS:
            break
    return (any if argument in OF_ROWS else all)(found)


def test_every_part_of_an_argument_is_asked_for() -> None:
    declared = (*OF_AUDIT, *arguments_of(ImpactRatiosQuestion))
    assert {each.name: each.part_of for each in declared if each.part_of} == {
        name: whole for name, (whole, _) in PARTS.items()
    }


@pytest.mark.parametrize("name", CALLS)
def test_a_part_without_its_whole_is_an_error(name: str) -> None:
    taken = signature(function_of(name)[0]).parameters
    for argument, (whole, value) in PARTS.items():
        if argument in taken and whole in taken:
            others = {"replicates": 1000} if "replicates" in CALLS[name][1] else {}
            with pytest.raises(pf.FairnessError, match=f"^{argument}: .*{whole}="):
                called(name, **others | {whole: None, argument: value})


def test_draws_without_a_use_are_an_error() -> None:
    looks = DECIDED | {"by": "day", "every": "1mo", "sequential": "each"}
    for argument in ("replicates", "seed"):
        message = f"^sequential: its intervals need no random draws; leave {argument}= out"
        with pytest.raises(pf.FairnessError, match=message):
            pf.audit(FRAME, "di", **looks, **{argument: PARTS[argument][1]})
    with pytest.raises(pf.FairnessError, match="confidence: a plan is about intervals"):
        pf.plan(FRAME, "di", **DECIDED, confidence=None)
    with pytest.raises(pf.FairnessError, match="maximum_within_p_value: needs intervals"):
        pf.check(FRAME, "di", **JUDGED, maximum_within_p_value=0.05)


@pytest.mark.parametrize("name", ["metrics", "audit", "check", "plan", "bounds"])
def test_the_error_names_metrics_that_use_it(name: str) -> None:
    for argument in ("label", "observed", "estimated", "score", "subgroup", "controls"):
        with pytest.raises(pf.FairnessError, match=rf"^{argument}: {WORDS}") as raised:
            called(name, **{argument: PROBES[argument][1]})
        users = [each for each in pf.CATALOGUE if repr(each) in str(raised.value)]
        assert len(users) > 3
        for user in users:
            assert argument in {need.partition(" ")[0] for need in pf.CATALOGUE[user].needs}


def test_a_question_of_favorable_cases_is_for_those_that_turn() -> None:
    """By hand: a verdict about a difference turns, a gap has none, and `ge` has other benefits."""
    question: dict[str, Any] = {"facet": "g", "predicted": "p", "label": "y"}
    question["favorable"] = False
    assert not pf.audit(FRAME, "rd", **question).is_empty()
    assert not pf.metrics(FRAME, "ge", **question | {"facet": None}).is_empty()
    for function, metric in ((pf.metrics, "rd"), (pf.audit, "fpsf"), (pf.plan, "rd")):
        with pytest.raises(pf.FairnessError, match=f"^favorable: {WORDS}verdicts, worst groups"):
            function(FRAME, metric, **question)


def test_without_names_the_metrics_are_all_that_the_arguments_allow() -> None:
    assert "mh_ratio" in pf.metrics(ROWS, **DECIDED, subgroup="h").columns
    with pytest.raises(pf.FairnessError, match=f"^controls: {WORDS}"):
        pf.metrics(ROWS, **SIDES, controls="month")


def test_a_bound_question_may_be_about_more_than_one_answer() -> None:
    q = pf.of(ROWS, **DECIDED, subgroup="h", controls="month")
    assert q.di()["di"].equals(pf.metrics(ROWS, "di", **DECIDED)["di"])
    assert q.rates().equals(pf.rates(ROWS, facet="g", predicted="p"))
    policy = pf.Policy(name="p", question={"subgroup": "h"}, metrics=["di"], fail_on="outside")
    assert not pf.audit(ROWS, **DECIDED, policy=policy, confidence=None).is_empty()
    # A policy whose metrics use it counts as the call's names do.
    conditional = pf.Policy(name="p", metrics=["mh_ratio"])
    audit = pf.audit(ROWS, "di", **DECIDED, subgroup="h", policy=conditional, confidence=None)
    assert audit["metric"].to_list() == ["mh_ratio", "di"]


def test_a_gate_and_a_page_say_what_was_unused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    q = pf.of(ROWS, **DECIDED, subgroup="h")
    with pytest.raises(pf.OutsideBandError, match=f"subgroup: {WORDS}"):
        q.check("di", bands={"di": (0.999, 1.001)}, confidence=None)
    assert f"subgroup: {WORDS}" in q.report("di", confidence=None).to_markdown()
    assert WORDS not in q.report("di", "mh_ratio", confidence=None).to_markdown()
    ROWS.write_parquet("rows.parquet")
    words = ["audit", "rows.parquet", "--facet", "g", "--favored", "M", "--predicted", "p"]
    words += ["--metric", "di", "--subgroup", "h", "--confidence", "none"]
    code, _, err = run(*words, "--fail-on", "outside", "--band", "di=0.01:100")
    assert code == 0
    assert f"--subgroup: {WORDS}" in err
